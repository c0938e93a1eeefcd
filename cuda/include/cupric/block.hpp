/* block.hpp: reductions, scans and compaction by the threads of a warp and of a block.
 *
 * The interface is a small form of CUB's. Functions take a monoid (monoids.hpp), and
 * combine values in the order of the threads. A block has one axis, and any number of
 * threads: its last warp may be a part of one. All threads of the block call a function
 * of a block, and all that a warp has a function of a warp, with the identity where a
 * thread has nothing to add.
 *
 *     __shared__ cupric::block_memory<double> memory;
 *     const double all = cupric::block_reduce(x, cupric::sum_of<double>(), memory);
 *
 * Calls may follow one another with the same memory; what else is done with it is behind a
 * barrier. Results are in every thread that the function names, and depend on nothing but
 * the values and the number of threads.
 *
 * `first`: where threads stand for several sequences side by side, the number of the first
 * thread that has the same one as this. A scan begins anew there.
 *
 * In a kernel library a block of the host device is one thread. There a reduction is the
 * value itself, and nothing waits. Without library.hpp blocks have as many threads as on a
 * GPU.
 */
#ifndef CUPRIC_BLOCK_HPP
#define CUPRIC_BLOCK_HPP

#include "cupric/monoids.hpp"
#include "cupric/warp.hpp"

namespace cupric {

#if defined(CUPRIC_ONE_THREAD)

template <class T>
struct block_memory {
};

template <class M>
inline typename M::state
warp_reduce(const typename M::state &x, const M &)
{
    return x;
}

template <class M>
inline typename M::state
warp_inclusive_scan(const typename M::state &x, const M &, int = 0)
{
    return x;
}

template <class M>
inline typename M::state
warp_exclusive_scan(const typename M::state &, const M &monoid, int = 0)
{
    return monoid.identity();
}

template <class M>
inline typename M::state
block_reduce(const typename M::state &x, const M &, block_memory<typename M::state> &)
{
    return x;
}

template <class M>
inline typename M::state
block_inclusive_scan(const typename M::state &x, const M &,
                     block_memory<typename M::state> &,
                     typename M::state *total = nullptr, int = 0)
{
    if (total) *total = x;
    return x;
}

template <class M>
inline typename M::state
block_exclusive_scan(const typename M::state &x, const M &monoid,
                     block_memory<typename M::state> &,
                     typename M::state *total = nullptr, int = 0)
{
    if (total) *total = x;
    return monoid.identity();
}

inline int
block_compact(bool keep, block_memory<int> &, int *kept = nullptr)
{
    if (kept) *kept = keep;
    return 0;
}

#else

template <class T>
struct block_memory {
    storage_of<T, 32> warp;
    storage_of<T, 1> total;
    int first[32];
};

/* The lanes of this thread's warp that there are, and how many they are. */
__device__ inline int
lanes_here()
{
    const int rest = (int)blockDim.x - (int)(threadIdx.x & ~31u);
    return rest < 32 ? rest : 32;
}
__device__ inline unsigned int
mask_of(int lanes)
{
    return lanes == 32 ? whole_warp : (1u << lanes) - 1;
}
__device__ inline int
warps_here()
{
    return ((int)blockDim.x + 31) / 32;
}

/* ---- warps --------------------------------------------------------------------------- */

/* By the first `lanes` of a warp: x of the first `n` of them, in the first. */
template <class M>
__device__ inline typename M::state
reduce_lanes(typename M::state x, const M &monoid, int lanes, int n)
{
    const unsigned int mask = mask_of(lanes);
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
        const typename M::state later = shuffle_down(x, by, mask);
        if (lane + by < n) x = monoid.combine(x, later);
    }
    return x;
}

/* By the first `lanes` of a warp; lane `first` and those behind it are a sequence. */
template <class M>
__device__ inline typename M::state
scan_lanes(typename M::state x, const M &monoid, int lanes, int first)
{
    const unsigned int mask = mask_of(lanes);
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
        const typename M::state before = shuffle_up(x, by, mask);
        if (lane - by >= first) x = monoid.combine(before, x);
    }
    return x;
}

/* x of all lanes, in the first. */
template <class M>
__device__ inline typename M::state
warp_reduce(const typename M::state &x, const M &monoid)
{
    const int lanes = lanes_here();
    return reduce_lanes(x, monoid, lanes, lanes);
}

/* x of the lanes up to this one, from lane `first`. */
template <class M>
__device__ inline typename M::state
warp_inclusive_scan(const typename M::state &x, const M &monoid, int first = 0)
{
    return scan_lanes(x, monoid, lanes_here(), first);
}

/* x of the lanes before this one. */
template <class M>
__device__ inline typename M::state
warp_exclusive_scan(const typename M::state &x, const M &monoid, int first = 0)
{
    const int lanes = lanes_here();
    const typename M::state upto = scan_lanes(x, monoid, lanes, first);
    const typename M::state before = shuffle_up(upto, 1, mask_of(lanes));
    return (int)(threadIdx.x & 31) > first ? before : monoid.identity();
}

/* ---- blocks -------------------------------------------------------------------------- */

/* x of all threads, in every one. */
template <class M>
__device__ inline typename M::state
block_reduce(const typename M::state &x, const M &monoid,
             block_memory<typename M::state> &memory)
{
    const int warps = warps_here();
    const typename M::state sum = warp_reduce(x, monoid);
    if ((threadIdx.x & 31) == 0) memory.warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if ((int)threadIdx.x < warps) {
        const typename M::state all =
            reduce_lanes(memory.warp[threadIdx.x], monoid, warps, warps);
        if (threadIdx.x == 0) memory.total[0] = all;
    }
    __syncthreads();
    return memory.total[0];
}

/* What comes before the first thread of this warp in its sequence, which `first` begins;
 * `upto` is what the warp's threads come to. False: nothing does. */
template <class M>
__device__ inline bool
scan_warps(const typename M::state &upto, const M &monoid, int first,
           block_memory<typename M::state> &memory, typename M::state *before)
{
    const int warps = warps_here(), warp = threadIdx.x / 32;
    if ((int)(threadIdx.x & 31) == lanes_here() - 1) {
        memory.warp[warp] = upto;
        memory.first[warp] = first / 32;
    }
    __syncthreads();
    if ((int)threadIdx.x < warps) {
        const typename M::state all = scan_lanes(memory.warp[threadIdx.x], monoid,
                                                 warps, memory.first[threadIdx.x]);
        if ((int)threadIdx.x == warps - 1) memory.total[0] = all;
        /* Each warp's slot is read by that warp alone. */
        const typename M::state last = shuffle_up(all, 1, mask_of(warps));
        memory.warp[threadIdx.x] = last;
    }
    __syncthreads();
    if (first >= warp * 32) return false;
    *before = memory.warp[warp];
    return true;
}

/* x of the threads up to this one, from thread `first`. *total, where it is asked for: of
 * all, that is of the last thread's sequence. */
template <class M>
__device__ inline typename M::state
block_inclusive_scan(const typename M::state &x, const M &monoid,
                     block_memory<typename M::state> &memory,
                     typename M::state *total = nullptr, int first = 0)
{
    const int base = (int)(threadIdx.x & ~31u);
    typename M::state before,
        upto = scan_lanes(x, monoid, lanes_here(), first > base ? first - base : 0);
    if (scan_warps(upto, monoid, first, memory, &before))
        upto = monoid.combine(before, upto);
    if (total) *total = memory.total[0];
    return upto;
}

/* x of the threads before this one. */
template <class M>
__device__ inline typename M::state
block_exclusive_scan(const typename M::state &x, const M &monoid,
                     block_memory<typename M::state> &memory,
                     typename M::state *total = nullptr, int first = 0)
{
    const int base = (int)(threadIdx.x & ~31u), lanes = lanes_here();
    const int begin = first > base ? first - base : 0;
    const typename M::state upto = scan_lanes(x, monoid, lanes, begin);
    const typename M::state earlier = shuffle_up(upto, 1, mask_of(lanes));
    const bool has_earlier = (int)(threadIdx.x & 31) > begin;
    typename M::state before;
    const bool has_before = scan_warps(upto, monoid, first, memory, &before);
    if (total) *total = memory.total[0];
    if (has_before) return has_earlier ? monoid.combine(before, earlier) : before;
    return has_earlier ? earlier : monoid.identity();
}

/* How many threads before this one keep their element: its place among those that are
 * kept. *kept, where it is asked for: of all threads. */
__device__ inline int
block_compact(bool keep, block_memory<int> &memory, int *kept = nullptr)
{
    const int lanes = lanes_here(), lane = threadIdx.x & 31;
    const unsigned int ballot = __ballot_sync(mask_of(lanes), keep);
    int before = 0;
    const bool has_before =
        scan_warps(__popc(ballot), sum_of<int>(), 0, memory, &before);
    if (kept) *kept = memory.total[0];
    return (has_before ? before : 0) + __popc(ballot & ((1u << lane) - 1));
}

#endif

} // namespace cupric

#endif
