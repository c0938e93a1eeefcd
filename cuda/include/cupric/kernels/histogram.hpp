/* kernels/histogram.hpp: counts[b] = how many of n dense values fall into bin b, or what
 * their weights come to.
 *
 * Bins lie between ascending edges of E, the last one with its upper edge; with E nothing
 * an integer is its own bin. EVEN: edges are about evenly spaced, so that a bin is guessed
 * and then set right by its edges; otherwise it is searched for. Other values count
 * nowhere, NaN among them.
 *
 * Where counts and edges fit into shared memory a block counts there, in `copies`
 * (a power of two) interleaved sets that neighbouring lanes use alternately; `copies` 0
 * counts in the result itself. The result is zeroed by the caller; weights are added in
 * any order.
 *
 * Launch: any number of blocks of 256, nbins * copies counters and the edges in dynamic
 * shared memory.
 */
#ifndef CUPRIC_KERNELS_HISTOGRAM_HPP
#define CUPRIC_KERNELS_HISTOGRAM_HPP

#include "cupric/kernels/space.hpp"
#include "cupric/math/arithmetic.hpp"

CUPRIC_BEGIN

typedef cu_histogram_params histogram_params;

template <bool WEIGHTED>
struct counter_of {
    typedef unsigned int near; /* in shared memory: a block counts fewer than 2**32 */
    typedef unsigned long long far;
};

template <>
struct counter_of<true> {
    typedef double near, far;
};

/* The bin of x, or -1. */
template <bool EVEN, class E>
__device__ inline int
bin_between(const E x, const E *edges, int nbins, const E first, const E last,
            const E scale)
{
    if (!(x >= first && x <= last)) return -1;
    if constexpr (EVEN) {
        const E guess = (x - first) * scale;
        int bin = guess > E(0) ? guess < E(nbins) ? (int)guess : nbins - 1 : 0;
        while (bin > 0 && x < edges[bin]) bin--;
        while (bin < nbins - 1 && x >= edges[bin + 1]) bin++;
        return bin;
    } else {
        int low = 0, high = nbins - 1; /* edges[low] <= x */
        while (low < high) {
            const int mid = (low + high + 1) / 2;
            if (edges[mid] <= x)
                low = mid;
            else
                high = mid - 1;
        }
        return low;
    }
}

template <class T, class E, bool WEIGHTED, bool EVEN>
__device__ inline void
histogram(const histogram_params &p)
{
    typedef typename counter_of<WEIGHTED>::near near;
    typedef typename counter_of<WEIGHTED>::far far;
    constexpr bool edged = !is_same<E, nothing>::value;
    constexpr int U = 4;
    extern __shared__ double histogram_room[];
    const int nbins = (int)p.nbins, copies = (int)p.copies;
    const int counters = nbins * copies;
    near *const local = (near *)histogram_room;
    far *const counts = (far *)p.counts;
    const E *edges = (const E *)p.edges;
    E first = E(), last = E(), scale = E();
    for (int i = threadIdx.x; i < counters; i += CUPRIC_BLOCK) local[i] = near(0);
    if constexpr (edged) {
        first = edges[0];
        last = edges[nbins];
        if (EVEN) scale = E(nbins) / (last - first);
        if (copies) {
            E *const near_edges =
                (E *)(histogram_room + (counters * sizeof(near) + 7) / 8);
            for (int i = threadIdx.x; i <= nbins; i += CUPRIC_BLOCK)
                near_edges[i] = edges[i];
            edges = near_edges;
        }
    }
    __syncthreads();
    const int lane = (int)threadIdx.x & (copies - 1);
    const long long step = (long long)gridDim.x * CUPRIC_BLOCK;
    long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    for (; i < p.n; i += U * step) {
        T x[U];
        double weight[U];
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (i + u * step < p.n) {
                x[u] = load<T>((const char *)((const T *)p.values + i + u * step));
                if constexpr (WEIGHTED) weight[u] = p.weights[i + u * step];
            }
        }
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (i + u * step >= p.n) break;
            int bin;
            if constexpr (edged) {
                bin = bin_between<EVEN>(convert<E>(x[u]), edges, nbins, first, last,
                                        scale);
            } else {
                const long long at = (long long)x[u];
                bin = at >= 0 && at < nbins ? (int)at : -1;
            }
            if (bin < 0) continue;
            if constexpr (WEIGHTED) {
                if (copies)
                    atomicAdd(&local[bin * copies + lane], weight[u]);
                else
                    atomicAdd(&counts[bin], weight[u]);
            } else {
                if (copies)
                    atomicAdd(&local[bin * copies + lane], 1u);
                else
                    atomicAdd(&counts[bin], 1ull);
            }
        }
    }
    if (!copies) return;
    __syncthreads();
    for (int bin = threadIdx.x; bin < nbins; bin += CUPRIC_BLOCK) {
        far sum = far(0);
        for (int c = 0; c < copies; c++) sum += far(local[bin * copies + c]);
        if (sum != far(0)) atomicAdd(&counts[bin], sum);
    }
}

CUPRIC_END

#endif
