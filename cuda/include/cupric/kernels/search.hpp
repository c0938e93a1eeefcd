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

/* How many of the n elements at(0), at(1), …, in order, come before a value, or with
 * `right` do not come after it. I is an integer that counts to n. */
template <class I, class T, class Sorted>
__device__ inline long long
insertion_point_of(const Sorted &at, I n, const T value, bool right)
{
    I low = 0;

    while (n > 0) {
        const I half = n / 2;
        const T middle = at(low + half);
        const bool after =
            right ? !sorts_before(value, middle) : sorts_before(middle, value);
        low = after ? low + half + 1 : low;
        n = after ? n - half - 1 : half;
    }
    return low;
}

template <class T, class Sorted>
__device__ inline long long
insertion_point(const Sorted &at, long long n, const T value, bool right)
{
    return n < 1 << 30 ? insertion_point_of<int>(at, (int)n, value, right)
                       : insertion_point_of<long long>(at, n, value, right);
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
    const T value = p.converted < 0 ? load<T>(from) : load_any<T>(p.converted, from);
    p.out[j] = insertion_point(sorted, p.length, value, RIGHT);
}

CUPRIC_END

#endif
