/* _nearest_in_row.host.hpp: a piece is a segment, of plain loops. */

__global__ void
zeros_at_ends(const unsigned char *x, int *ends, long long rows, long long n)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;

    CUPRIC_EACH_BLOCK (piece, rows * each) {
        const long long start = piece % each * ROW_SEGMENT;
        const unsigned char *p = x + piece / each * n;
        const long long end = start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n;
        long long first = start, last = end - 1;
        while (first < end && p[first]) first++;
        while (last >= start && p[last]) last--;
        ends[2 * piece] = first < end ? (int)first : -1;
        ends[2 * piece + 1] = last >= start ? (int)last : -1;
    }
}

__device__ inline int
zero_beyond(const int *ends, long long segment, long long each, int by, int lane)
{
    for (long long s = segment + by; s >= 0 && s < each; s += by) {
        const int zero = ends[2 * s + (by < 0)];
        if (zero >= 0) return zero;
    }
    return -1;
}

__global__ void
nearest_in_rows(const unsigned char *x, const int *ends, int *y, long long rows,
                long long n)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;

    CUPRIC_EACH_BLOCK (piece, rows * each) {
        const long long row = piece / each, segment = piece % each;
        const int *known = ends + 2 * row * each;
        const unsigned char *p = x + row * n;
        int *out = y + row * n;
        const int start = (int)(segment * ROW_SEGMENT);
        const int end = (int)(start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n);
        int last = zero_beyond(known, segment, each, -1, 0);
        for (int j = start; j < end; j++) {
            last = p[j] ? last : j;
            out[j] = last;
        }
        last = zero_beyond(known, segment, each, 1, 0);
        for (int j = end - 1; j >= start; j--) {
            const int left = out[j];
            last = p[j] ? last : j;
            const bool nearer = last >= 0 && (left < 0 || last - j < j - left);
            out[j] = nearer ? last : left;
        }
    }
}
