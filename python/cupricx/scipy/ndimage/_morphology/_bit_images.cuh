/* _bit_images.cuh: binary images as bits.
 *
 * A row of n elements along the last axis is `width` words of 64, the first element in the
 * lowest bit. What lies outside of the image is `border`; so are the bits behind element
 * n - 1. An erosion is the dilation of the complement: all is written for dilations.
 */
#include "_bit_images.h"
#include "cupric/union_find.hpp"

typedef unsigned long long word;

/* Bits of the last word of a row that stand for elements. */
__device__ inline word
inside_of(long long j, long long n)
{
    const long long count = n - 64 * j;
    return count >= 64 ? ~0ull : (1ull << count) - 1;
}

/* x: (rows, n), of which any byte but 0 is True, NULL: all are False; words: (rows, width).
 * Launch: blocks(words / PACK_WARPS, PACK_THREADS), on the host blocks(words). */
__global__ void
pack_bits(const unsigned char *x, word *words, long long rows, long long n, bool flip,
          bool border)
{
    const long long width = (n + 63) / 64;
    const word flips = flip ? ~0ull : 0, outside = border ? ~0ull : 0;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long count = rows * width;

    CUPRIC_EACH_BLOCK (piece, (count + PACK_WARPS - 1) / PACK_WARPS) {
        const long long i = piece * PACK_WARPS + warp;
        if (i >= count) continue;
        const long long row = cupric::quotient(i, width), j = i - row * width;
        const unsigned char *p = x + row * n + 64 * j;
        const bool low = x && 64 * j + lane < n && p[lane];
        const bool high = x && 64 * j + 32 + lane < n && p[32 + lane];
        const word w = __ballot_sync(~0u, low) | (word)__ballot_sync(~0u, high) << 32;
        const word in = inside_of(j, n);
        if (lane == 0) words[i] = ((w ^ flips) & in) | (outside & ~in);
    }
}

/* y: (rows, n) of 0 and 1; zeros: NULL, or as many that become 0. Launch:
 * elements(work), 8 neighbours of a row each. */
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
        const int count = n - 8 * g < 8 ? (int)(n - 8 * g) : 8;
        if (aligned) {
            *(word *)out = v;
        } else {
            for (int c = 0; c < count; c++) out[c] = (unsigned char)(v >> 8 * c);
        }
        for (int c = 0; zeros && c < count; c++) zeros[row * n + 8 * g + c] = 0;
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

/* One dilation: to[i] is whether any x[i + tap] is set. Where `masks` (unless null) are
 * not set, elements stay as they are. What `also` (unless null) has is added.
 *
 * facts: shape[d.ndim]; d.ngroups groups of taps that lie in one row, as the steps to it,
 * the number of the first, and that behind the last; then the taps' steps along the row.
 * d.flip: x holds the complement. *changed is set to 1 where something changes.
 * Launch: blocks(work, DILATE_THREADS) over words, on the host over runs of WORDS.
 */
__global__ void
dilate_bits(const word *x, const word *masks, const word *also, word *to,
            const long long *facts, int *changed, dilation d)
{
    const int ndim = d.ndim;
    const long long *shape = facts, *groups = facts + ndim;
    const long long *taps = groups + (long long)d.ngroups * (ndim + 1);
    const long long width = (d.n + 63) / 64;
    const word flips = d.flip ? ~0ull : 0, outside = d.border ? ~0ull : 0;

    CUPRIC_EACH (i, d.rows * width) {
        const long long row = cupric::quotient(i, width), j = i - row * width;
        const word own = x[i] ^ flips;
        word any = 0;
        for (int g = 0; g < d.ngroups; g++) {
            const long long *group = groups + (long long)g * (ndim + 1);
            const long long at = row_at(row, group, shape, ndim);
            if (at < 0) {
                any |= outside;
                continue;
            }
            const word *line = x + at * width;
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
        const word in = inside_of(j, d.n);
        any = (any & in) | (outside & ~in);
        to[i] = any;
        if (changed && any != own) *(volatile int *)changed = 1;
    }
}

/* ---- what is reached in a mask ----------------------------------------------------------
 *
 * The mask's elements are joined as in label; sets that have a seed are marked, and of
 * these all elements are reached. x: (rows, n) of 0 and 1, the seeds; elsewhere than in
 * the mask they stay. Launch: blocks(work, DILATE_THREADS) over elements, on the host over
 * rows.
 */
template <class T>
__global__ void
reach_mark(const unsigned char *x, T *parent, const T *edges, const T *counts,
           unsigned char *marks, reached_sets s)
{
    CUPRIC_EACH (i, s.rows * s.n) {
        if (x[i] && parent[i] >= 0) marks[cupric::find_root(parent, (T)i)] = 1;
    }
}

template <class T>
__global__ void
reach_write(unsigned char *x, T *parent, const T *edges, const T *counts,
            const unsigned char *marks, reached_sets s)
{
    const unsigned char flips = s.flip;

    CUPRIC_EACH (i, s.rows * s.n) {
        const bool in = parent[i] >= 0;
        const unsigned char v = in ? marks[cupric::find_root(parent, (T)i)] : x[i];
        x[i] = v ^ flips;
    }
}
