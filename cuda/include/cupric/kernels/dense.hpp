/* kernels/dense.hpp: what reductions and scans of neighbours in memory share: vectors of
 * elements, and accumulators that are joined in the order of their elements. For Op see
 * kernels/reduce.hpp.
 */
#ifndef CUPRIC_KERNELS_DENSE_HPP
#define CUPRIC_KERNELS_DENSE_HPP

#include "cupric/kernels/reduce.hpp"

CUPRIC_BEGIN

template <class T, int V>
struct alignas(V * sizeof(T) < 16 ? V * sizeof(T) : 16) elements {
    typename stored_type<T>::type at[V];
};

/* M accumulators in the order of their elements, combined into the first. */
template <class Op, int M>
__device__ inline void fold_in_order(typename Op::S (&x)[M])
{
    if constexpr (Op::is_moments) {
        fold_moments(x);
    } else {
#pragma unroll
        for (int by = 1; by < M; by *= 2) {
#pragma unroll
            for (int k = 0; k + by < M; k += 2 * by) {
                x[k] = Op::append(x[k], x[k + by]);
            }
        }
    }
}

template <class Op>
__device__ inline void
append_to(partial<Op> &acc, const typename Op::S &x)
{
    acc.s = acc.n == 0 ? x : Op::append(acc.s, x);
    acc.n = 1;
}

template <class Op>
__device__ inline typename Op::A
as_input(const typename stored_type<typename Op::SA>::type x)
{
    if constexpr (is_same<typename Op::SA, bool>::value)
        return convert<typename Op::A>(x != 0);
    else
        return convert<typename Op::A>(x);
}

/* The index of element i with padding: a word is left out after every 32, so that rows
 * whose length is a power of two begin in different banks. */
template <int SIZE>
__device__ inline int
bank_padded(int i)
{
    constexpr int line = 128 / SIZE, gap = SIZE < 4 ? 4 / SIZE : 1;
    return i + i / line * gap;
}

CUPRIC_END

#endif
