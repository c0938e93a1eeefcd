/* kernels/nonzero.hpp: out[d * count + k] = coordinate d of the k-th element that is not
 * zero, C order.
 *
 *   nonzero_count   the elements of each tile of 2048    grid: tiles, 256 threads
 *   nonzero_starts  in place: those of the tiles before  one block of 1024
 *   nonzero_write   the coordinates                      grid: tiles, 256 threads
 */
#ifndef CUPRIC_KERNELS_NONZERO_HPP
#define CUPRIC_KERNELS_NONZERO_HPP

#include "cupric/kernels/space.hpp"
#include "cupric/math/arithmetic.hpp"

CUPRIC_BEGIN

template <int N>
struct nonzero_params {
    slot op[1];
    long long *out, *tiles;
    long long count, ntiles, ndim;
    long long dense, narrow; /* one after the other; offsets fit in an int */
    space<1, N> all;         /* the view's own dimensions, `ndim` of them at the end */
};

constexpr int NONZERO_TILE = 2048; /* eight to a thread */

/* Which of the eight elements from `first` on are there, as bits. */
template <class T, int N>
__device__ inline unsigned int
which_are_there(const nonzero_params<N> &p, long long first)
{
    unsigned int bits = 0;
    if (first >= p.all.size) return 0;
    if constexpr (sizeof(T) == 1) {
        const char *const from = address(p.op[0]) + first;
        if (p.dense && first + 8 <= p.all.size && (unsigned long long)from % 8 == 0) {
            const unsigned long long bytes = *(const unsigned long long *)from;
            for (int k = 0; k < 8; k++) {
                bits |= (unsigned int)((bytes >> 8 * k & 0xff) != 0) << k;
            }
            return bits;
        }
    }
    for (int k = 0; k < 8 && first + k < p.all.size; k++) {
        long long at[1];
        if (p.dense) {
            at[0] = (first + k) * (long long)sizeof(T);
        } else if (p.narrow) {
            int near[1];
            locate<int>(p.all, (int)(first + k), near);
            at[0] = near[0];
        } else {
            locate<long long>(p.all, first + k, at);
        }
        bits |= (unsigned int)truth(load<T>(address(p.op[0]) + at[0])) << k;
    }
    return bits;
}

/* The sum of the values of the threads before this one; of all through *all. */
template <int WARPS>
__device__ inline long long
sum_before(long long mine, long long *all)
{
    __shared__ long long totals[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long sum = mine;
    for (int by = 1; by < 32; by *= 2) {
        const long long left = __shfl_up_sync(0xffffffffu, sum, by);
        if (lane >= by) sum += left;
    }
    __syncthreads();
    if (lane == 31) totals[warp] = sum;
    __syncthreads();
    long long before = 0, total = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w < warp) before += totals[w];
        total += totals[w];
    }
    *all = total;
    return before + sum - mine;
}

template <class T, int N>
__device__ inline void
nonzero_count(const nonzero_params<N> &p)
{
    const long long first = (long long)blockIdx.x * NONZERO_TILE + threadIdx.x * 8;
    long long all;
    sum_before<8>(__popc(which_are_there<T>(p, first)), &all);
    if (threadIdx.x == 0) p.tiles[blockIdx.x] = all;
}

template <class T, int N>
__device__ inline void
nonzero_starts(const nonzero_params<N> &p)
{
    long long so_far = 0;
    for (long long start = 0; start < p.ntiles; start += 1024) {
        const long long tile = start + threadIdx.x;
        long long all;
        const long long mine = tile < p.ntiles ? p.tiles[tile] : 0;
        const long long before = sum_before<32>(mine, &all);
        if (tile < p.ntiles) p.tiles[tile] = so_far + before;
        so_far += all;
    }
}

template <class T, int N>
__device__ inline void
nonzero_write(const nonzero_params<N> &p)
{
    const long long first = (long long)blockIdx.x * NONZERO_TILE + threadIdx.x * 8;
    unsigned int bits = which_are_there<T>(p, first);
    long long all;
    long long place = p.tiles[blockIdx.x] + sum_before<8>(__popc(bits), &all);
    for (; bits && place < p.count; bits &= bits - 1, place++) {
        long long rest = first + __ffs(bits) - 1;
        for (int d = N - 1; d >= N - p.ndim; d--) {
            long long coordinate = rest;
            if (d > N - p.ndim && p.narrow) {
                int near;
                rest = divide_by(p.all.axes[d], (int)rest, &near);
                coordinate = near;
            } else if (d > N - p.ndim) {
                rest = divide_by(p.all.axes[d], rest, &coordinate);
            }
            p.out[(d - (N - p.ndim)) * p.count + place] = coordinate;
        }
    }
}

CUPRIC_END

#endif
