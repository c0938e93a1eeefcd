/* kernels/space.hpp: where the elements of an iteration lie.
 *
 * The launch writes a space field by field (cu_params_space of src/cuda/kernels.c), every
 * field of 8 bytes. N is the number of dimensions rounded up to a rank that there
 * is code for: those before the first have length 1. I is the type that offsets in bytes
 * fit in, int or long long.
 */
#ifndef CUPRIC_KERNELS_SPACE_HPP
#define CUPRIC_KERNELS_SPACE_HPP

#include "cupric/kernels/params.h"
#include "cupric/types.hpp"

CUPRIC_BEGIN

typedef cu_slot slot;
typedef cu_axis axis;

template <int K, int N>
struct space {
    long long size;
    axis axes[N];
    long long stride[N][K]; /* bytes */
};
static_assert(sizeof(space<3, 2>) == 8 + 2 * sizeof(axis) + 2 * 3 * 8, "no padding");

__device__ inline char *
address(const slot &s)
{
    return (char *)s.word[0];
}

template <class T>
__device__ inline T
value_of(const slot &s)
{
    const slot copy = s;
    return load<T>((const char *)&copy);
}

template <class T>
__device__ inline void
store(char *p, T x)
{
    *(T *)p = x;
}

/* index / length, and the rest through *rest */
__device__ inline int
divide_by(const axis &a, int index, int *rest)
{
    const unsigned int n = (unsigned int)index;
    const unsigned int q = (__umulhi(n, a.multiplier) + n) >> a.shift;
    *rest = (int)(n - q * (unsigned int)a.length);
    return (int)q;
}

__device__ inline long long
divide_by(const axis &a, long long index, long long *rest)
{
    const long long q = index / a.length;
    *rest = index - q * a.length;
    return q;
}

/* The offset of each operand's element `index`, C order. */
template <class I, int K, int N>
__device__ inline void
locate(const space<K, N> &s, I index, I (&offset)[K])
{
#pragma unroll
    for (int k = 0; k < K; k++) offset[k] = 0;
#pragma unroll(N <= 4 ? N : 1)
    for (int d = N - 1; d >= 0; d--) {
        I at = index;
        if (d > 0) index = divide_by(s.axes[d], index, &at);
#pragma unroll
        for (int k = 0; k < K; k++) offset[k] += at * (I)s.stride[d][k];
        if (N > 4 && index == 0) break;
    }
}

CUPRIC_END

#endif
