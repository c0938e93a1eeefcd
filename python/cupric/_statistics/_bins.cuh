/* _bins.cuh: the bins that values are in, and points. */
#include "_bins.h"
#include "cupric/kernels/order.hpp"
#include "cupric/math.hpp"

/* Bins between n + 1 edges, which ascend. */
template <class E>
struct Bins {
    const E *edges;
    long long n;
    bool even;
    E first, last, scale;

    __device__ Bins(const E *edges_, long long n_, bool even_)
        : edges(edges_), n(n_), even(even_), first(edges_[0]), last(edges_[n_]),
          scale(0)
    {
        if (even) scale = E(n) / (last - first);
    }

    /* The bin of x, or -1. The last one has its upper edge. */
    __device__ long long operator()(const E x) const
    {
        if constexpr (cupric::is_float<E>::value)
            if (even) return guessed(x);
        if (!(x >= first)) return -1; /* a NaN, too */
        long long low = 0;            /* edges[low] <= x; NaNs are behind all */
        for (long long left = n, half; left > 0; left -= half) {
            half = left > 1 ? left / 2 : 1;
            low += edges[low + half] <= x ? half : 0;
        }
        return low < n ? low : x == last ? n - 1 : -1;
    }

    /* Of edges that are about evenly spaced. */
    __device__ long long guessed(const E x) const
    {
        if (!(x >= first && x <= last)) return -1;
        const E guess = (x - first) * scale;
        long long bin = guess > E(0) ? guess < E(n) ? (long long)guess : n - 1 : 0;
        while (bin > 0 && x < edges[bin]) bin--;
        while (bin < n - 1 && x >= edges[bin + 1]) bin++;
        return bin;
    }
};

/* What the first block finds of n edges, for a host that waits for no more. */
template <class Sorted>
__device__ inline void
tell_at_once(const Sorted &ascending, int n, int *word)
{
    bool wrong = false;

    if (blockIdx.x > 0) return;
    for (int i = threadIdx.x; i < n - 1; i += blockDim.x)
        wrong |= !(ascending(i) <= ascending(i + 1));
    wrong = __syncthreads_or(wrong);
    if (threadIdx.x == 0) *(volatile int *)word = wrong ? DO_NOT : ASCEND;
}

/* below[k]: how many of n edges, that ascend, come before values[k], or with `right` do not
 * come after it. All take the same steps, so that their loads do not wait for each other. */
template <class T, class Sorted>
__device__ inline void
count_below(const Sorted &ascending, int n, const T (&values)[AT_ONCE], bool right,
            int (&below)[AT_ONCE])
{
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) below[k] = 0;
    for (int half; n > 0; n -= half) {
        half = n > 1 ? n / 2 : 1;
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const T middle = ascending(below[k] + half - 1);
            const bool after = right ? !cupric::sorts_before(values[k], middle)
                                     : cupric::sorts_before(middle, values[k]);
            below[k] += after ? half : 0;
        }
    }
}

/* index[i] = how many of n edges, which are few and `step` elements apart, are not above
 * x[i], or with `right` are below it, as T. Of edges that descend: how many are above it, or
 * not below. The word says whether edges ascend or descend, before there are indices; if one
 * is NaN, they do neither, and indices say nothing.
 * Launch: elements, one for each AT_ONCE of x. */
template <class X, class E, class T>
__global__ void
digitize(View<X, 1> x, const E *edges, int n, int step, long long *index, bool right,
         int *word)
{
    const long long all = x.shape()[0], apart = (all + AT_ONCE - 1) / AT_ONCE;
    const bool descends = n > 1 && edges[(n - 1) * step] < edges[0];
    const E *const least = descends ? edges + (n - 1) * step : edges;
    const int up = descends ? -step : step;
    const auto ascending = [=](int i) { return cupric::convert<T>(least[up * i]); };

    tell_at_once(ascending, n, word);
    CUPRIC_EACH (first, apart) {
        T values[AT_ONCE];
        int below[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const long long j = first + k * apart;
            values[k] = cupric::convert<T>(X(x[j < all ? j : first]));
        }
        count_below(ascending, n, values, !right, below);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const long long j = first + k * apart;
            if (j < all) index[j] = descends ? n - below[k] : below[k];
        }
    }
}

/* Write the word if edges do not ascend. Launch: elements(n). */
template <class E>
__global__ void
look_at_edges(const E *edges, long long n, int *word)
{
    CUPRIC_EACH (i, n - 1) {
        if (!(edges[i] <= edges[i + 1])) *word = DO_NOT;
    }
}

/* index[i] = the bin of point i, numbered in C order, or -1 of a point in none, by edges of
 * each of its coordinates; those of columns that are not there are read, too. Where p.more,
 * index[i] is the bin by the coordinates before. Launch: elements(p.n). */
template <class T, class E>
__global__ void
bin_points(Views<T, 1, TOGETHER> x, Views<E, 1, TOGETHER> edges, long long *index,
           const __grid_constant__ points_sizes p)
{
    const Bins<E> x_bins(edges[0].data, p.bins[0], p.even & 1),
        y_bins(edges[1].data, p.bins[1], p.even & 2),
        z_bins(edges[2].data, p.bins[2], p.even & 4);

    CUPRIC_EACH (i, p.n) {
        long long at = p.more ? index[i] : 0;
        const auto join = [&at](const Bins<E> &bins, const T &value) {
            if (at < 0) return;
            const long long bin = bins(cupric::convert<E>(value));
            at = bin < 0 ? -1 : at * bins.n + bin;
        };
        join(x_bins, x[0][i]);
        if (p.columns > 1) join(y_bins, x[1][i]);
        if (p.columns > 2) join(z_bins, x[2][i]);
        index[i] = at;
    }
}

/* out[0], out[1] = the least and the greatest of x[begin, end), or NaN: by all threads. */
template <class T>
__device__ inline void
extremes_between(const View<T, 1> &x, long long begin, long long end, T *out)
{
    __shared__ T lows[EXTREMES_THREADS], highs[EXTREMES_THREADS];
    const int thread = threadIdx.x, threads = blockDim.x;
    T low = x[begin], high = low;

#pragma unroll 4
    for (long long i = begin + thread; i < end; i += threads) {
        const T value = x[i];
        low = cupric::minimum(low, value);
        high = cupric::maximum(high, value);
    }
    lows[thread] = low;
    highs[thread] = high;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread >= half) continue;
        lows[thread] = cupric::minimum(lows[thread], lows[thread + half]);
        highs[thread] = cupric::maximum(highs[thread], highs[thread + half]);
    }
    __syncthreads();
    if (thread == 0) {
        out[0] = lows[0];
        out[1] = highs[0];
    }
    __syncthreads(); /* before the shared memory is reused */
}

/* out, (pieces, all, 2) = the extremes of pieces of each column.
 * Launch: blocks(p.pieces), EXTREMES_THREADS, or any power of two below. */
template <class T>
__global__ void
find_extremes(Views<T, 1, TOGETHER> x, T *out, extremes_sizes p)
{
    const long long n = x[0].shape()[0];

    CUPRIC_EACH_BLOCK (piece, p.pieces) {
        const long long begin = piece * p.run,
                        end = begin + p.run < n ? begin + p.run : n;
        T *const to = out + (piece * p.all + p.first) * 2;
        extremes_between(x[0], begin, end, to);
        if (p.columns > 1) extremes_between(x[1], begin, end, to + 2);
        if (p.columns > 2) extremes_between(x[2], begin, end, to + 4);
    }
}

/* out = counts by the widths of their bins and by their total. `widths` has those along
 * each axis. Launch: elements(p.pieces). */
template <class T>
__global__ void
densities(const T *counts, const double *widths, const T *total, double *out,
          densities_sizes p)
{
    const long long ny = p.n[1], nz = p.n[2];
    const double *const y_widths = widths + p.n[0], *const z_widths = y_widths + ny;
    const double all = cupric::convert<double>(total[0]);

    CUPRIC_EACH (i, p.pieces) {
        const long long row = cupric::quotient(i, nz), z = i - row * nz;
        const long long x = cupric::quotient(row, ny), y = row - x * ny;
        out[i] = double(counts[i]) / widths[x] / y_widths[y] / z_widths[z] / all;
    }
}
