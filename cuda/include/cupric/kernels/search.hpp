/* kernels/search.hpp: out[j] = the number of leading elements of the sorted vector that
 * come before value j, or with RIGHT do not come after it. Launch: a thread for each j,
 * blocks of 256. */
#ifndef CUPRIC_KERNELS_SEARCH_HPP
#define CUPRIC_KERNELS_SEARCH_HPP

#include "cupric/kernels/order.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct search_params : cu_search_head {
    space<1, N> all;
};

/* How many of the n elements at(0), at(1), …, in order, come before a value, or with
 * `right` do not come after it. */
template <class T, class Sorted>
__device__ inline long long
insertion_point(const Sorted &at, long long n, const T value, bool right)
{
    long long low = 0;

    while (n > 0) {
        const long long half = n / 2;
        const T middle = at(low + half);
        const bool after =
            right ? !sorts_before(value, middle) : sorts_before(middle, value);
        low = after ? low + half + 1 : low;
        n = after ? n - half - 1 : half;
    }
    return low;
}

template <class T, bool RIGHT, int N>
__device__ inline void
search(const search_params<N> &p)
{
    const long long j = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    long long at[1];
    if (j >= p.all.size) return;
    locate<long long>(p.all, j, at);
    auto sorted = [&p](long long i) { return load<T>(p.sorted + i * p.stride); };
    const T value = load<T>(address(p.op[0]) + at[0]);
    p.out[j] = insertion_point(sorted, p.length, value, RIGHT);
}

CUPRIC_END

#endif
