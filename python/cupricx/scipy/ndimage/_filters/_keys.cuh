/* _keys.cuh: integers in the order of an array's elements, and those of what lies outside.
 *
 * Of integers themselves. Of floats the bits, all but the sign flipped where it is set: the
 * order of IEEE 754's totalOrder. Of unsigned long long less 2^63. Twice is back.
 */
#include "_keys.h"
#include "_window.cuh"

__device__ inline unsigned char
key_of(unsigned char x)
{
    return x;
}
__device__ inline short
key_of(short x)
{
    return x;
}
__device__ inline unsigned short
key_of(unsigned short x)
{
    return x;
}
__device__ inline int
key_of(int x)
{
    return x;
}
__device__ inline long long
key_of(long long x)
{
    return x;
}
__device__ inline long long
key_of(unsigned long long x)
{
    return (long long)(x ^ 0x8000000000000000ULL);
}
template <class K>
__device__ inline K
flipped(K k)
{
    const K sign = (K)((K)1 << (8 * sizeof(K) - 1));
    return k & sign ? (K)(k ^ (K)~sign) : k;
}
__device__ inline int
key_of(float x)
{
    int k;
    memcpy(&k, &x, sizeof k);
    return flipped(k);
}
__device__ inline long long
key_of(double x)
{
    long long k;
    memcpy(&k, &x, sizeof k);
    return flipped(k);
}

/* What the keys were made of. */
template <class K>
__device__ inline K
unkeyed(K k, int kind)
{
    if (kind == FLOATS) return flipped(k);
    if (kind == UNSIGNED) return (K)(k ^ (K)((K)1 << (8 * sizeof(K) - 1)));
    return k;
}

/* Elements that come as integers of their size to keys, and back, without a branch. */
template <class K>
struct key_change {
    K flip, toggle; /* of those below zero; of all */

    __device__ key_change(int kind)
        : flip(kind == FLOATS ? (K)~sign() : (K)0),
          toggle(kind == UNSIGNED ? sign() : (K)0)
    {
    }
    __device__ static K sign() { return (K)((K)1 << (8 * sizeof(K) - 1)); }
    __device__ K operator()(K k) const
    {
        if (sizeof(K) < 4) return k; /* of which none are floats */
        return (K)(k ^ (k >> (8 * sizeof(K) - 1) & flip) ^ toggle);
    }
};

/* The key of the constant, which is of the elements' dtype. */
template <class K>
__device__ inline K
key_of_fill(double fill, int kind)
{
    if (sizeof(K) == 4 && kind == FLOATS) return (K)key_of((float)fill);
    if (sizeof(K) == 8 && kind == FLOATS) return (K)key_of(fill);
    if (sizeof(K) == 8 && kind == UNSIGNED)
        return (K)key_of(element<unsigned long long>::of(fill));
    return key_of(element<K>::of(fill));
}

/* ---- what lies outside ------------------------------------------------------------------
 *
 * x: contiguous, of `shape`; y: contiguous, of `padded`; sizes: shape, padded, before and
 * modes, ndim numbers each. A piece is a row of y. Launch: blocks(rows, PAD_THREADS).
 */

/* Where row `row` of y comes from in x: a row, or -1. */
__device__ inline long long
padded_from(long long row, const long long *sizes, int ndim)
{
    const long long *shape = sizes, *padded = shape + ndim, *before = padded + ndim,
                    *modes = before + ndim;
    long long from = 0, stride = 1, rest = row;
    for (int d = ndim - 2; d >= 0; d--) {
        const long long i =
            boundary(rest % padded[d] - before[d], shape[d], (int)modes[d]);
        from = i < 0 || from < 0 ? -1 : from + i * stride;
        stride *= shape[d];
        rest /= padded[d];
    }
    return from;
}

template <class X, class K>
__global__ void
pad_keys(const X *x, K *y, const long long *sizes, int ndim, long long rows,
         double fill)
{
    /* Along the last axis. */
    const long long n = sizes[ndim - 1], width = sizes[2 * ndim - 1],
                    left = sizes[3 * ndim - 1];
    const int mode = (int)sizes[4 * ndim - 1];
    const K outside = key_of(element<X>::of(fill));

    CUPRIC_EACH_BLOCK (row, rows) {
        const long long from = padded_from(row, sizes, ndim);
        K *out = y + row * width;
        const X *in = x + (from < 0 ? 0 : from) * n;
        for (long long j = threadIdx.x; j < width; j += blockDim.x) {
            const long long i = from < 0 ? -1 : boundary(j - left, n, mode);
            out[j] = i < 0 ? outside : key_of(in[i]);
        }
    }
}
