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

constexpr int ASCEND = 1, DO_NOT = 2; /* what a word says of edges */
constexpr int AT_ONCE = 4;            /* elements that a thread digitizes at once */

/* What the first block finds of n edges, for a host that waits for no more. */
template <class Sorted>
__device__ inline void
tell_at_once(const Sorted &ascending, int n, int *word)
{
    bool wrong = false;

    if (blockIdx.x > 0) return;
    for (int i = threadIdx.x; i < n - 1; i += blockDim.x)
        wrong |= !(ascending(i) <= ascending(i + 1));
#if !defined(CUPRIC_HOST)
    wrong = __syncthreads_or(wrong);
#endif
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
 * is NaN, they do neither, and indices say nothing. Launch: a thread for each AT_ONCE
 * elements. */
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

/* Write the word if edges do not ascend. */
template <class E>
__global__ void
look_at_edges(const E *edges, long long n, int *word)
{
    CUPRIC_EACH (i, n - 1) {
        if (!(edges[i] <= edges[i + 1])) *word = DO_NOT;
    }
}

/* index[i] = the bin of point i, numbered in C order, or -1 of a point in none: of its
 * coordinates x, y and z, or of the first one or two of them. Where `more`, they are further
 * ones, and index[i] the bin by those before. A bit of `even` says of each whether its
 * edges are evenly spaced. */
template <class T, class E>
__global__ void
bin_points(View<T, 1> x, View<T, 1> y, View<T, 1> z, const E *x_edges, const E *y_edges,
           const E *z_edges, long long nx, long long ny, long long nz, int columns,
           int even, bool more, long long *index, long long n)
{
    const Bins<E> x_bins(x_edges, nx, even & 1), y_bins(y_edges, ny, even & 2),
        z_bins(z_edges, nz, even & 4);

    CUPRIC_EACH (i, n) {
        long long at = more ? index[i] : 0;
        const auto join = [&at](const Bins<E> &bins, const T &value) {
            if (at < 0) return;
            const long long bin = bins(cupric::convert<E>(value));
            at = bin < 0 ? -1 : at * bins.n + bin;
        };
        join(x_bins, x[i]);
        if (columns > 1) join(y_bins, y[i]);
        if (columns > 2) join(z_bins, z[i]);
        index[i] = at;
    }
}

constexpr int EXTREMES_THREADS = 256;

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

/* out, (pieces, all, 2) = the extremes of pieces of `run` elements, at `first` those of x,
 * and behind those of y and z, or of the first one or two of them.
 * Launch: EXTREMES_THREADS, or any power of two below. */
template <class T>
__global__ void
find_extremes(View<T, 1> x, View<T, 1> y, View<T, 1> z, int columns, T *out,
              long long first, long long all, long long pieces, long long run)
{
    const long long n = x.shape()[0];

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long begin = piece * run, end = begin + run < n ? begin + run : n;
        T *const to = out + (piece * all + first) * 2;
        extremes_between(x, begin, end, to);
        if (columns > 1) extremes_between(y, begin, end, to + 2);
        if (columns > 2) extremes_between(z, begin, end, to + 4);
    }
}

/* out, (nx, ny, nz) = counts by the widths of their bins and by their total. `widths` has
 * those along x, y and z. Of `pieces`, rows along z on the host, elements on a GPU. */
template <class T>
__global__ void
densities(const T *counts, const double *widths, const T *total, double *out,
          long long nx, long long ny, long long nz, long long pieces)
{
    const double *const y_widths = widths + nx, *const z_widths = y_widths + ny;
    const double all = cupric::convert<double>(total[0]);

#if defined(CUPRIC_HOST)
    CUPRIC_EACH (row, pieces) {
        const double x_width = widths[row / ny], y_width = y_widths[row % ny];
        const T *const from = counts + row * nz;
        double *const to = out + row * nz;
        for (long long z = 0; z < nz; z++)
            to[z] = double(from[z]) / x_width / y_width / z_widths[z] / all;
    }
#else
    CUPRIC_EACH (i, pieces) {
        const long long row = cupric::quotient(i, nz), z = i - row * nz;
        const long long x = cupric::quotient(row, ny), y = row - x * ny;
        out[i] = double(counts[i]) / widths[x] / y_widths[y] / z_widths[z] / all;
    }
#endif
}
