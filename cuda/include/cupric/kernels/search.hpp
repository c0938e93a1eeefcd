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

template <class T, bool RIGHT, int N>
__device__ inline void
search(const search_params<N> &p)
{
    const long long j = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    long long at[1], low = 0, n = p.length;
    if (j >= p.all.size) return;
    locate<long long>(p.all, j, at);
    const T value = load<T>(address(p.op[0]) + at[0]);
    while (n > 0) {
        const long long half = n / 2;
        const T middle = load<T>(p.sorted + (low + half) * p.stride);
        const bool after =
            RIGHT ? !sorts_before(value, middle) : sorts_before(middle, value);
        low = after ? low + half + 1 : low;
        n = after ? n - half - 1 : half;
    }
    p.out[j] = low;
}

CUPRIC_END

#endif
