/* _morphology.cuh: binary images as bits.
 *
 * A row of n elements along the last axis is `width` words of 64, the first element in the
 * lowest bit. What lies outside of the image is `border`; so are the bits behind element
 * n - 1. An erosion is the dilation of the complement: all is written for dilations.
 */
#include "cupric/union_find.hpp"

typedef unsigned long long word;

enum { PACK_THREADS = 256, WORDS = 256 };

/* Bits of the last word of a row that stand for elements. */
__device__ inline word
inside_of(long long j, long long n)
{
    const long long count = n - 64 * j;
    return count >= 64 ? ~0ull : (1ull << count) - 1;
}

/* x: (rows, n), of which any byte but 0 is True, NULL: all are False; words: (rows, width).
 * Launch: blocks(words / 8, PACK_THREADS). */
__global__ void
pack_bits(const unsigned char *x, word *words, long long rows, long long n, bool flip,
          bool border)
{
    const long long width = (n + 63) / 64;
    const word flips = flip ? ~0ull : 0, outside = border ? ~0ull : 0;

#if defined(CUPRIC_HOST)
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
#else
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long count = rows * width;

    CUPRIC_EACH_BLOCK (piece, (count + 7) / 8) {
        const long long i = piece * 8 + warp;
        if (i >= count) continue;
        const long long row = cupric::quotient(i, width), j = i - row * width;
        const unsigned char *p = x + row * n + 64 * j;
        const bool low = x && 64 * j + lane < n && p[lane];
        const bool high = x && 64 * j + 32 + lane < n && p[32 + lane];
        const word w = __ballot_sync(~0u, low) | (word)__ballot_sync(~0u, high) << 32;
        const word in = inside_of(j, n);
        if (lane == 0) words[i] = ((w ^ flips) & in) | (outside & ~in);
    }
#endif
}

/* y: (rows, n) of 0 and 1; zeros: NULL, or as many that become 0. Launch:
 * elements(rows * groups), of 8 elements of a row. */
__global__ void
unpack_bits(const word *words, unsigned char *y, unsigned char *zeros, long long rows,
            long long n, bool flip)
{
    const long long width = (n + 63) / 64, groups = (n + 7) / 8;
    const bool aligned = n % 8 == 0 && (unsigned long long)y % 8 == 0;

    CUPRIC_EACH (i, rows * groups) {
        const long long row = cupric::quotient(i, groups), g = i - row * groups;
        word bits = words[row * width + g / 8] >> g % 8 * 8;
        bits = (flip ? ~bits : bits) & 255;
        /* Bit k to byte k, then each byte to 0 or 1. */
        word v = bits * 0x0101010101010101ull & 0x8040201008040201ull;
        v = (v + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull;
        unsigned char *out = y + row * n + 8 * g;
        if (aligned) {
            *(word *)out = v;
        } else {
            for (int c = 0; c < 8 && 8 * g + c < n; c++)
                out[c] = (unsigned char)(v >> 8 * c);
        }
        for (int c = 0; zeros && c < 8 && 8 * g + c < n; c++)
            zeros[row * n + 8 * g + c] = 0;
    }
}

/* The row `link` away, or -1. link: steps along the ndim - 1 axes of rows. */
__device__ inline long long
row_at(long long row, const long long *link, const long long *shape, int ndim)
{
    long long to = 0, stride = 1;
    for (int d = ndim - 2; d >= 0; d--) {
        const long long rest = d > 0 ? cupric::quotient(row, shape[d]) : 0;
        const long long at = row - rest * shape[d] + link[d];
        if (at < 0 || at >= shape[d]) return -1;
        to += at * stride;
        stride *= shape[d];
        row = rest;
    }
    return to;
}

/* One dilation: to[i] is whether any from[i + tap] is set. Where `masks` (unless null) are
 * not set, elements stay as they are. What `also` (unless null) has is added.
 *
 * facts: shape[ndim]; `ngroups` groups of taps that lie in one row, as the steps to it, the
 * number of the first, and that behind the last; then the taps' steps along the row.
 * flip: `from` holds the complement. *changed is set to 1 where something changes.
 * Launch: elements(rows * width) on a GPU, blocks(rows * chunks) of WORDS on the host.
 */
__global__ void
dilate_bits(const word *from, const word *masks, const word *also, word *to,
            const long long *facts, int ndim, int ngroups, long long rows, long long n,
            bool flip, bool border, int *changed)
{
    const long long *shape = facts, *groups = facts + ndim;
    const long long *taps = groups + (long long)ngroups * (ndim + 1);
    const long long width = (n + 63) / 64;
    const word flips = flip ? ~0ull : 0, outside = border ? ~0ull : 0;

#if defined(CUPRIC_HOST)
    word any[WORDS];
    bool differs = false;

    const long long chunks = (width + WORDS - 1) / WORDS;

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = piece / chunks, j0 = piece % chunks * WORDS;
        const int count = (int)(width - j0 < WORDS ? width - j0 : WORDS);
        for (int j = 0; j < count; j++) any[j] = 0;
        for (int g = 0; g < ngroups; g++) {
            const long long *group = groups + (long long)g * (ndim + 1);
            const long long at = row_at(row, group, shape, ndim);
            if (at < 0) {
                for (int j = 0; j < count; j++) any[j] |= outside;
                continue;
            }
            const word *line = from + at * width;
            for (long long t = group[ndim - 1]; t < group[ndim]; t++) {
                const long long first = j0 + (taps[t] >> 6);
                const int by = (int)(taps[t] & 63);
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
                    const word high =
                        k + 1 >= 0 && k + 1 < width ? line[k + 1] ^ flips : outside;
                    any[j] |= by ? low >> by | high << (64 - by) : low;
                }
            }
        }
        const long long at = row * width + j0;
        if (also) {
            for (int j = 0; j < count; j++) any[j] |= also[at + j];
        }
        if (masks) {
            for (int j = 0; j < count; j++) {
                const word m = masks[at + j];
                any[j] = (any[j] & m) | ((from[at + j] ^ flips) & ~m);
            }
        }
        if (j0 + count == width) {
            const word in = inside_of(width - 1, n);
            any[count - 1] = (any[count - 1] & in) | (outside & ~in);
        }
        word change = 0;
        for (int j = 0; j < count; j++) {
            change |= any[j] ^ from[at + j] ^ flips;
            to[at + j] = any[j];
        }
        differs |= change != 0;
    }
    if (differs && changed) *(volatile int *)changed = 1;
#else
    CUPRIC_EACH (i, rows * width) {
        const long long row = cupric::quotient(i, width), j = i - row * width;
        const word own = from[i] ^ flips;
        word any = 0;
        for (int g = 0; g < ngroups; g++) {
            const long long *group = groups + (long long)g * (ndim + 1);
            const long long at = row_at(row, group, shape, ndim);
            if (at < 0) {
                any |= outside;
                continue;
            }
            const word *line = from + at * width;
            long long held = -2; /* low is word `held`, high the next */
            word low = 0, high = 0;
            for (long long t = group[ndim - 1]; t < group[ndim]; t++) {
                const long long k = j + (taps[t] >> 6);
                const int by = (int)(taps[t] & 63);
                if (k != held) {
                    low = k >= 0 && k < width ? line[k] ^ flips : outside;
                    high = k + 1 >= 0 && k + 1 < width ? line[k + 1] ^ flips : outside;
                    held = k;
                }
                any |= by ? low >> by | high << (64 - by) : low;
            }
        }
        if (also) any |= also[i];
        if (masks) any = (any & masks[i]) | (own & ~masks[i]);
        const word in = inside_of(j, n);
        any = (any & in) | (outside & ~in);
        to[i] = any;
        if (changed && any != own) *(volatile int *)changed = 1;
    }
#endif
}

/* ---- what is reached in a mask ----------------------------------------------------------
 *
 * The mask's elements are joined as in label; sets that have a seed are marked, and of
 * these all elements are reached. x: (rows, n) of 0 and 1, the seeds; elsewhere than in
 * the mask they stay. Launch: blocks(rows) on the host, elements(rows * n) on a GPU.
 */
template <class T>
__global__ void
reach_mark(const unsigned char *x, T *parent, const T *edges, const T *counts,
           unsigned char *marks, long long rows, long long n, long long width)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (row, rows) {
        const T *const edge = edges + row * width;
        const unsigned char *p = x + row * n;
        for (long long k = 0; k < counts[row]; k += 2) {
            unsigned char any = 0;
            for (long long j = edge[k]; j < edge[k + 1]; j++) any |= p[j];
            if (any)
                marks[cupric::find_root(parent, (T)(row * (width / 2 - 1) + k / 2))] =
                    1;
        }
    }
#else
    CUPRIC_EACH (i, rows * n) {
        if (x[i] && parent[i] >= 0) marks[cupric::find_root(parent, (T)i)] = 1;
    }
#endif
}

template <class T>
__global__ void
reach_write(unsigned char *x, T *parent, const T *edges, const T *counts,
            const unsigned char *marks, long long rows, long long n, long long width,
            bool flip)
{
    const unsigned char flips = flip;

#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (row, rows) {
        const T *const edge = edges + row * width;
        unsigned char *p = x + row * n;
        for (long long k = 0; k < counts[row]; k += 2) {
            const unsigned char mark =
                marks[cupric::find_root(parent, (T)(row * (width / 2 - 1) + k / 2))];
            for (long long j = edge[k]; j < edge[k + 1]; j++) p[j] = mark;
        }
        if (flips) {
            for (long long j = 0; j < n; j++) p[j] ^= 1;
        }
    }
#else
    CUPRIC_EACH (i, rows * n) {
        const bool in = parent[i] >= 0;
        const unsigned char v = in ? marks[cupric::find_root(parent, (T)i)] : x[i];
        x[i] = v ^ flips;
    }
#endif
}
