/* kernels/select.hpp: the elements of `values` where `mask` is not zero, in C order, or
 * those elements' coordinates: out[d * count + k] = coordinate d of the k-th.
 *
 * A segment is 16 rows of 32 elements. A warp reads its mask as 16 words of bits, one in
 * each of 16 lanes, and writes each row's elements side by side. Every warp has `chunk`
 * elements, whole segments, to itself, so that no block waits for another. A mask that takes
 * long to read is read once: its bits are kept from counting to writing.
 *
 *   select_count   into warps[], starts[]: how many in each block, and in the warps of the
 *                  block before each one; into bits[], where there are any
 *                                                             256 threads
 *   select_starts  in place: those of the blocks before; *total: all. One block of 1024
 *   select_write   what was chosen                            256 threads
 *   select_few     all of it, for up to 32 segments           one block of 1024
 *
 * Where SIZE, the bytes of an element of `values`, is 0 there are none, and the mask's
 * coordinates are written.
 */
#ifndef CUPRIC_KERNELS_SELECT_HPP
#define CUPRIC_KERNELS_SELECT_HPP

#include "cupric/kernels/space.hpp"
#include "cupric/math/arithmetic.hpp"

CUPRIC_BEGIN

template <int N>
struct select_params : cu_select_head {
    space<2, N> all; /* of mask and values: `ndim` dimensions at the end */
};

template <int SIZE>
struct chosen_type {
    typedef long long type; /* a coordinate */
};
template <>
struct chosen_type<1> {
    typedef unsigned char type;
};
template <>
struct chosen_type<2> {
    typedef unsigned short type;
};
template <>
struct chosen_type<4> {
    typedef unsigned int type;
};
template <>
struct chosen_type<16> {
    typedef slot type;
};

/* Which of a word's four bytes are not 0, as four bits. */
__device__ inline unsigned int
bytes_that_are_set(unsigned int x)
{
    const unsigned int high = (((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) | x) & 0x80808080u;
    return (high >> 7) * 0x01020408u >> 24 & 0xfu;
}

__device__ inline unsigned int
bytes_that_are_set(const uint4 x)
{
    return bytes_that_are_set(x.x) | bytes_that_are_set(x.y) << 4 |
           bytes_that_are_set(x.z) << 8 | bytes_that_are_set(x.w) << 12;
}

/* Whether segments of the mask are read 16 bytes a lane. */
template <class T, int N>
__device__ inline bool
reads_vectors(const select_params<N> &p)
{
    return sizeof(T) == 1 && p.dense_mask && (unsigned long long)p.mask % 16 == 0;
}

/* Where element i of mask and values lies, in bytes. */
template <int N>
__device__ inline void
locate_both(const select_params<N> &p, long long i, long long (&at)[2])
{
    if (p.narrow) {
        int near[2];
        locate<int>(p.all, (int)i, near);
        at[0] = near[0];
        at[1] = near[1];
    } else {
        locate<long long>(p.all, i, at);
    }
}

/* Row r of a whole segment of a mask in C order as bits, in lane r; see segment_bits. */
template <class T>
__device__ inline unsigned int
dense_bits(const char *segment)
{
    constexpr int U = sizeof(T) > 8 ? 8 : CUPRIC_SELECT_ROWS; /* loads in flight */
    const int lane = threadIdx.x % 32;
    const char *const at = segment + lane * sizeof(T);
    unsigned int mine = 0;
#pragma unroll
    for (int start = 0; start < CUPRIC_SELECT_ROWS; start += U) {
        bool there[U];
#pragma unroll
        for (int u = 0; u < U; u++)
            there[u] = truth(load<T>(at + (start + u) * 32 * sizeof(T)));
#pragma unroll
        for (int u = 0; u < U; u++) {
            const unsigned int row = __ballot_sync(0xffffffffu, there[u]);
            if (lane == start + u) mine = row;
        }
    }
    return mine;
}

/* The same of what is below `end`, where element i lies at(i) bytes from the first. */
template <class T, class AT>
__device__ inline unsigned int
bits_below(const char *mask, long long first, long long end, const AT &at)
{
    constexpr int U = 8; /* loads in flight */
    const int lane = threadIdx.x % 32;
    unsigned int mine = 0;
#pragma unroll 1
    for (int start = 0; start < CUPRIC_SELECT_ROWS; start += U) {
        bool there[U];
#pragma unroll
        for (int u = 0; u < U; u++) {
            const long long i = first + (start + u) * 32 + lane;
            there[u] = i < end && truth(load<T>(mask + at(i)));
        }
#pragma unroll
        for (int u = 0; u < U; u++) {
            const unsigned int row = __ballot_sync(0xffffffffu, there[u]);
            if (lane == start + u) mine = row;
        }
    }
    return mine;
}

/* Row r of the segment from `first` on as bits, in lane r; no bits in lanes from 16 on. */
template <class T, int N>
__device__ inline unsigned int
segment_bits(const select_params<N> &p, long long first, long long end)
{
    const int lane = threadIdx.x % 32;
    const bool whole = first + CUPRIC_SELECT_SEGMENT <= end;
    if (reads_vectors<T>(p) && whole) {
        unsigned int bits =
            bytes_that_are_set(*(const uint4 *)(p.mask + first + lane * 16));
        bits |= __shfl_down_sync(0xffffffffu, bits, 1) << 16;
        bits = __shfl_sync(0xffffffffu, bits, lane * 2 % 32);
        return lane < CUPRIC_SELECT_ROWS ? bits : 0;
    }
    if (p.dense_mask && whole)
        return dense_bits<T>(p.mask + first * (long long)sizeof(T));
    if (p.dense_mask) {
        return bits_below<T>(p.mask, first, end,
                             [](long long i) { return i * (long long)sizeof(T); });
    }
    if (p.narrow) {
        return bits_below<T>(p.mask, first, end, [&](long long i) {
            int at[2];
            locate<int>(p.all, (int)i, at);
            return at[0];
        });
    }
    return bits_below<T>(p.mask, first, end, [&](long long i) {
        long long at[2];
        locate<long long>(p.all, i, at);
        return at[0];
    });
}

/* The sum of the values of the lanes up to and with this one. */
template <class I>
__device__ inline I
sum_of_lanes(I mine)
{
    const int lane = threadIdx.x % 32;
    for (int by = 1; by < 32; by *= 2) {
        const I left = __shfl_up_sync(0xffffffffu, mine, by);
        if (lane >= by) mine += left;
    }
    return mine;
}

template <int N>
__device__ inline void
put_coordinates(const select_params<N> &p, long long i, long long *out, long long count)
{
#pragma unroll(N <= 4 ? N : 1)
    for (int d = N - 1; d > 0; d--) {
        long long coordinate;
        if (d <= N - p.ndim) break;
        if (p.narrow) {
            int near;
            i = divide_by(p.all.axes[d], (int)i, &near);
            coordinate = near;
        } else {
            i = divide_by(p.all.axes[d], i, &coordinate);
        }
        out[(d - (N - p.ndim)) * count] = coordinate;
    }
    if (p.ndim > 0) out[0] = i;
}

/* Write what `bits` choose of a segment from out[place] on; returns how many they are. */
template <int SIZE, int N>
__device__ inline int
put_segment(const select_params<N> &p, long long first, unsigned int bits,
            long long place, long long count)
{
    typedef typename chosen_type<SIZE>::type V;
    constexpr int U = SIZE == 16 ? 4 : SIZE == 8 ? 8 : 16; /* loads in flight */
    const int lane = threadIdx.x % 32, mine = __popc(bits);
    const int sum = sum_of_lanes(mine), before = sum - mine;
    const long long i = first + lane;
    const V *const from = (const V *)p.values + i;
    V *const out = (V *)p.out + place;
    for (int start = 0; start < CUPRIC_SELECT_ROWS; start += U) {
        V value[U];
        unsigned int rows[U];
#pragma unroll
        for (int u = 0; u < U; u++) rows[u] = __shfl_sync(0xffffffffu, bits, start + u);
        if (SIZE == 0) {
        } else if (p.dense_values) {
#pragma unroll
            for (int u = 0; u < U; u++)
                if (rows[u] >> lane & 1) value[u] = from[(start + u) * 32];
        } else {
#pragma unroll
            for (int u = 0; u < U; u++) {
                long long at[2];
                if (!(rows[u] >> lane & 1)) continue;
                locate_both(p, i + (start + u) * 32, at);
                value[u] = *(const V *)(p.values + at[1]);
            }
        }
#pragma unroll
        for (int u = 0; u < U; u++) {
            const int k = __shfl_sync(0xffffffffu, before, start + u) +
                          __popc(rows[u] & ((1u << lane) - 1));
            if (!(rows[u] >> lane & 1)) continue;
            if constexpr (SIZE == 0)
                put_coordinates(p, i + (start + u) * 32, out + k, count);
            else
                out[k] = value[u];
        }
    }
    return __shfl_sync(0xffffffffu, sum, 31);
}

/* What the warps of a block before this one have, and through *all what all have; `mine` is
 * this one's in its last lane. Once in a kernel. */
template <int WARPS>
__device__ inline long long
before_this_warp(long long mine, long long *all)
{
    __shared__ long long counts[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 31) counts[warp] = mine;
    __syncthreads();
    const long long count = lane < WARPS ? counts[lane] : 0, sum = sum_of_lanes(count);
    *all = __shfl_sync(0xffffffffu, sum, 31);
    return __shfl_sync(0xffffffffu, sum - count, warp);
}

template <class T, int N>
__device__ inline void
select_count(const select_params<N> &p)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long begin =
        ((long long)blockIdx.x * CUPRIC_SELECT_WARPS + warp) * p.chunk;
    const long long limit = begin + p.chunk;
    const long long end = limit < p.all.size ? limit : p.all.size;
    long long i = begin, mine = 0, all;
    if (reads_vectors<T>(p)) {
#pragma unroll 4
        for (; i + CUPRIC_SELECT_SEGMENT <= end; i += CUPRIC_SELECT_SEGMENT) {
            mine +=
                __popc(bytes_that_are_set(*(const uint4 *)(p.mask + i + lane * 16)));
        }
    }
#pragma unroll 1
    for (; i < end; i += CUPRIC_SELECT_SEGMENT) {
        const unsigned int bits = segment_bits<T>(p, i, end);
        mine += __popc(bits);
        if (p.bits && lane < CUPRIC_SELECT_ROWS) p.bits[i / 32 + lane] = bits;
    }
    const long long before =
        before_this_warp<CUPRIC_SELECT_WARPS>(sum_of_lanes(mine), &all);
    if (lane == 0) p.warps[blockIdx.x * CUPRIC_SELECT_WARPS + warp] = before;
    if (threadIdx.x == 0) p.starts[blockIdx.x] = all;
}

template <int N>
__device__ inline void
select_starts(const select_params<N> &p)
{
    const long long each = (p.blocks + CUPRIC_SELECT_ONE - 1) / CUPRIC_SELECT_ONE;
    const long long first = threadIdx.x * each, limit = first + each;
    const long long end = limit < p.blocks ? limit : p.blocks;
    long long mine = 0, all;
#pragma unroll 4
    for (long long b = first; b < end; b++) mine += p.starts[b];
    const long long sum = sum_of_lanes(mine);
    long long before = before_this_warp<CUPRIC_SELECT_ONE / 32>(sum, &all) + sum - mine;
    for (long long b = first; b < end; b++) {
        const long long count = p.starts[b];
        p.starts[b] = before;
        before += count;
    }
    if (threadIdx.x == 0) *(volatile long long *)p.total = all;
}

template <class T, int SIZE, int N>
__device__ inline void
select_write(const select_params<N> &p)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long begin =
        ((long long)blockIdx.x * CUPRIC_SELECT_WARPS + warp) * p.chunk;
    const long long limit = begin + p.chunk;
    const long long end = limit < p.all.size ? limit : p.all.size;
    long long place =
        p.starts[blockIdx.x] + p.warps[blockIdx.x * CUPRIC_SELECT_WARPS + warp];
    for (long long i = begin; i < end; i += CUPRIC_SELECT_SEGMENT) {
        unsigned int bits = 0;
        if (!p.bits)
            bits = segment_bits<T>(p, i, end);
        else if (lane < CUPRIC_SELECT_ROWS)
            bits = p.bits[i / 32 + lane];
        place += put_segment<SIZE>(p, i, bits, place, p.count);
    }
}

template <class T, int SIZE, int N>
__device__ inline void
select_few(const select_params<N> &p)
{
    const long long first = threadIdx.x / 32 * CUPRIC_SELECT_SEGMENT;
    unsigned int bits = 0;
    long long all;
    if (first < p.all.size) bits = segment_bits<T>(p, first, p.all.size);
    const long long place = before_this_warp<CUPRIC_SELECT_ONE / 32>(
        (long long)sum_of_lanes(__popc(bits)), &all);
    if (threadIdx.x == 0) *(volatile long long *)p.total = all;
    if (first < p.all.size) put_segment<SIZE>(p, first, bits, place, all);
}

CUPRIC_END

#endif
