/* _nearest_in_row.cuh: along the last axis, the nearest element that is zero.
 *
 * x: (rows, n) of 0 and 1; y: (rows, n), the index in the row, of two the smaller. A row is
 * cut into segments of ROW_SEGMENT; ends[2 * segment] is the first zero of one, and the
 * next the last, or -1. Of rows of one segment no ends are needed.
 * Launch: blocks(segments / ROW_WARPS, ROW_THREADS), blocks(segments) on the host.
 */
#include "_nearest_in_row.h"

__global__ void
zeros_at_ends(const unsigned char *x, int *ends, long long rows, long long n)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    CUPRIC_EACH_BLOCK (group, (rows * each + ROW_WARPS - 1) / ROW_WARPS) {
        const long long piece = group * ROW_WARPS + warp;
        if (piece >= rows * each) continue;
        const long long row = cupric::quotient(piece, each);
        const long long start = (piece - row * each) * ROW_SEGMENT;
        const long long end = start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n;
        const unsigned char *p = x + row * n;
        int first = -1, last = -1;
        for (long long j0 = start; j0 < end; j0 += 32) {
            const long long j = j0 + lane;
            const unsigned zeros = __ballot_sync(~0u, j < end && !p[j]);
            if (!zeros) continue;
            if (first < 0) first = (int)j0 + __ffs(zeros) - 1;
            last = (int)j0 + 31 - __clz(zeros);
        }
        if (lane == 0) {
            ends[2 * piece] = first;
            ends[2 * piece + 1] = last;
        }
    }
}

/* The nearest zero in a segment of the row before this one (by = -1) or behind it (1). */
__device__ inline int
zero_beyond(const int *ends, long long segment, long long each, int by, int lane)
{
    for (long long s = segment + by; s >= 0 && s < each; s += 32 * by) {
        const long long own = s + by * lane;
        const int zero = own >= 0 && own < each ? ends[2 * own + (by < 0)] : -1;
        const unsigned has = __ballot_sync(~0u, zero >= 0);
        if (has) return ends[2 * (s + by * (__ffs(has) - 1)) + (by < 0)];
    }
    return -1;
}

__global__ void
nearest_in_rows(const unsigned char *x, const int *ends, int *y, long long rows,
                long long n)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    CUPRIC_EACH_BLOCK (group, (rows * each + ROW_WARPS - 1) / ROW_WARPS) {
        const long long piece = group * ROW_WARPS + warp;
        if (piece >= rows * each) continue;
        const long long row = cupric::quotient(piece, each),
                        segment = piece - row * each;
        const int *known = ends + 2 * row * each;
        const unsigned char *p = x + row * n;
        int *out = y + row * n;
        const int start = (int)(segment * ROW_SEGMENT);
        const int end = (int)(start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n);
        int carried = zero_beyond(known, segment, each, -1, lane);
        for (int j0 = start; j0 < end; j0 += 32) {
            const int j = j0 + lane;
            const unsigned zeros = __ballot_sync(~0u, j < end && !p[j]);
            const unsigned before = zeros & (~0u >> (31 - lane));
            if (j < end) out[j] = before ? j0 + 31 - __clz(before) : carried;
            if (zeros) carried = j0 + 31 - __clz(zeros);
        }
        carried = zero_beyond(known, segment, each, 1, lane);
        for (int j0 = start + (end - 1 - start) / 32 * 32; j0 >= start; j0 -= 32) {
            const int j = j0 + lane;
            const unsigned zeros = __ballot_sync(~0u, j < end && !p[j]);
            const unsigned after = zeros & (~0u << lane);
            const int right = after ? j0 + __ffs(after) - 1 : carried;
            if (zeros) carried = j0 + __ffs(zeros) - 1;
            if (j >= end) continue;
            const int left = out[j];
            if (right >= 0 && (left < 0 || right - j < j - left)) out[j] = right;
        }
    }
}
