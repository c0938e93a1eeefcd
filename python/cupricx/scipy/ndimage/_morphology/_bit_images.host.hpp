/* _bit_images.host.hpp: images as bits, in loops over words of a row. */

__global__ void
pack_bits(const unsigned char *x, word *words, long long rows, long long n, bool flip,
          bool border)
{
    const long long width = (n + 63) / 64;
    const word flips = flip ? ~0ull : 0, outside = border ? ~0ull : 0;

    const word low7 = 0x7f7f7f7f7f7f7f7full;

    CUPRIC_EACH (i, rows * width) {
        const long long row = i / width, j = i - row * width;
        const unsigned char *p = x + row * n + 64 * j;
        const int count = (int)(n - 64 * j < 64 ? n - 64 * j : 64);
        word w = 0;
        int c = x ? 0 : count;
        for (; c + 8 <= count; c += 8) {
            word v;
            __builtin_memcpy(&v, p + c, 8);
            v = (((v & low7) + low7) | v) >> 7 & 0x0101010101010101ull;
            w |= (v * 0x0102040810204080ull >> 56) << c; /* bit k: byte k */
        }
        for (; c < count; c++) w |= (word)(p[c] != 0) << c;
        const word in = inside_of(j, n);
        words[i] = ((w ^ flips) & in) | (outside & ~in);
    }
}

/* any[j] |= the bits of a row from word first + j, bit `by`, on. */
inline void
add_tap(word *any, int count, const word *line, long long width, long long first,
        int by, word flips, word outside)
{
    int begin = first < 0 ? (int)(-first < count ? -first : count) : 0;
    int end = (int)(width - 1 - first < count ? width - 1 - first : count);
    if (end < begin) end = begin;
    const word *p = line + first;
    if (by == 0) {
        for (int j = begin; j < end; j++) any[j] |= p[j] ^ flips;
    } else {
        const word *q = p + 1;
        for (int j = begin; j < end; j++)
            any[j] |= (p[j] >> by | q[j] << (64 - by)) ^ flips;
    }
    for (int j = 0; j < count; j++) {
        if (j == begin) j = end;
        if (j == count) break;
        const long long k = first + j;
        const word low = k >= 0 && k < width ? line[k] ^ flips : outside;
        const word high = k + 1 >= 0 && k + 1 < width ? line[k + 1] ^ flips : outside;
        any[j] |= by ? low >> by | high << (64 - by) : low;
    }
}

__global__ void
dilate_bits(const word *x, const word *masks, const word *also, word *to,
            const long long *facts, int *changed, dilation d)
{
    const int ndim = d.ndim;
    const long long *shape = facts, *groups = facts + ndim;
    const long long *taps = groups + (long long)d.ngroups * (ndim + 1);
    const long long width = (d.n + 63) / 64;
    const word flips = d.flip ? ~0ull : 0, outside = d.border ? ~0ull : 0;

    word any[WORDS];
    bool differs = false;

    const long long chunks = (width + WORDS - 1) / WORDS;

    CUPRIC_EACH_BLOCK (piece, d.rows * chunks) {
        const long long row = piece / chunks, j0 = piece % chunks * WORDS;
        const int count = (int)(width - j0 < WORDS ? width - j0 : WORDS);
        for (int j = 0; j < count; j++) any[j] = 0;
        for (int g = 0; g < d.ngroups; g++) {
            const long long *group = groups + (long long)g * (ndim + 1);
            const long long at = row_at(row, group, shape, ndim);
            if (at < 0) {
                for (int j = 0; j < count; j++) any[j] |= outside;
                continue;
            }
            const word *line = x + at * width;
            for (long long t = group[ndim - 1]; t < group[ndim]; t++) {
                const long long first = j0 + (taps[t] >> 6);
                const int by = (int)(taps[t] & 63);
                add_tap(any, count, line, width, first, by, flips, outside);
            }
        }
        const long long at = row * width + j0;
        if (also) {
            for (int j = 0; j < count; j++) any[j] |= also[at + j];
        }
        if (masks) {
            for (int j = 0; j < count; j++) {
                const word m = masks[at + j];
                any[j] = (any[j] & m) | ((x[at + j] ^ flips) & ~m);
            }
        }
        if (j0 + count == width) {
            const word in = inside_of(width - 1, d.n);
            any[count - 1] = (any[count - 1] & in) | (outside & ~in);
        }
        word change = 0;
        for (int j = 0; j < count; j++) {
            change |= any[j] ^ x[at + j] ^ flips;
            to[at + j] = any[j];
        }
        differs |= change != 0;
    }
    if (differs && changed) *(volatile int *)changed = 1;
}

template <class T>
__global__ void
reach_mark(const unsigned char *x, T *parent, const T *edges, const T *counts,
           unsigned char *marks, reached_sets s)
{
    CUPRIC_EACH_BLOCK (row, s.rows) {
        const T *const edge = edges + row * s.width;
        const unsigned char *p = x + row * s.n;
        for (long long k = 0; k < counts[row]; k += 2) {
            unsigned char any = 0;
            for (long long j = edge[k]; j < edge[k + 1]; j++) any |= p[j];
            if (any)
                marks[cupric::find_root(parent, (T)(row * (s.width / 2 - 1) + k / 2))] =
                    1;
        }
    }
}

template <class T>
__global__ void
reach_write(unsigned char *x, T *parent, const T *edges, const T *counts,
            const unsigned char *marks, reached_sets s)
{
    const unsigned char flips = s.flip;

    CUPRIC_EACH_BLOCK (row, s.rows) {
        const T *const edge = edges + row * s.width;
        unsigned char *p = x + row * s.n;
        for (long long k = 0; k < counts[row]; k += 2) {
            const unsigned char mark =
                marks[cupric::find_root(parent, (T)(row * (s.width / 2 - 1) + k / 2))];
            for (long long j = edge[k]; j < edge[k + 1]; j++) p[j] = mark;
        }
        if (flips) {
            for (long long j = 0; j < s.n; j++) p[j] ^= 1;
        }
    }
}
