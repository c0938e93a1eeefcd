/* kernels/search.hpp: out[j] = the number of leading elements of the sorted vector that
 * come before value j, or with RIGHT do not come after it. The vector is dense; values of
 * another dtype are converted to its own. Launch: a thread for each j, blocks of 256. */
#ifndef CUPRIC_KERNELS_SEARCH_HPP
#define CUPRIC_KERNELS_SEARCH_HPP

#include "cupric/kernels/any.hpp"
#include "cupric/kernels/order.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct search_params : cu_search_head {
    space<1, N> all;
};

/* low[k]: how many of the n elements at(0), at(1), …, in order, come before values[k], or
 * with `right` do not come after it. I is an integer that counts to n. All W values take
 * the same steps, so that their loads do not wait for each other. */
template <class I, int W, class T, class Sorted>
__device__ inline void
insertion_points_of(const Sorted &at, I n, const T (&values)[W], bool right,
                    long long (&points)[W])
{
    I low[W] = {};

    for (I half = n / 2; n > 0; n -= half, half = n / 2) {
        if (half == 0) half = 1;
#pragma unroll
        for (int k = 0; k < W; k++) {
            const T middle = at(low[k] + half - 1);
            const bool after = right ? !sorts_before(values[k], middle)
                                     : sorts_before(middle, values[k]);
            low[k] += after ? half : 0;
        }
    }
#pragma unroll
    for (int k = 0; k < W; k++) points[k] = low[k];
}

template <int W, class T, class Sorted>
__device__ inline void
insertion_points(const Sorted &at, long long n, const T (&values)[W], bool right,
                 long long (&points)[W])
{
    if (n < 1 << 30)
        insertion_points_of<int>(at, (int)n, values, right, points);
    else
        insertion_points_of<long long>(at, n, values, right, points);
}

template <class I, int N>
__device__ inline long long
offset_of(const space<1, N> &s, long long j)
{
    I at[1];
    locate<I>(s, (I)j, at);
    return at[0];
}

template <class T, bool RIGHT, int N>
__device__ inline void
search(const search_params<N> &p)
{
    const long long j = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    if (j >= p.all.size) return;
    const long long offset =
        p.narrow ? offset_of<int>(p.all, j) : offset_of<long long>(p.all, j);
    auto sorted = [&p](long long i) { return load<T>(p.sorted + i * sizeof(T)); };
    const char *const from = address(p.op[0]) + offset;
    const T value[] = {p.converted < 0 ? load<T>(from)
                                       : load_any<T>(p.converted, from)};
    long long point[1];
    insertion_points(sorted, p.length, value, RIGHT, point);
    p.out[j] = point[0];
}

CUPRIC_END

#endif
