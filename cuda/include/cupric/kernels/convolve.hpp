/* kernels/convolve.hpp: out[i] = sum over t of in[i + base + t] * weight(t).
 *
 * With base = start and weight(t) = conj(kernel[t]) for a correlation; a convolution has
 * base = start - (length of kernel - 1) and the kernel reversed. Elements outside `in`
 * come by the boundary rule. C-contiguous.
 *
 *   convolve_any    a thread for each output, N dimensions; blocks of 256
 *   convolve_tile   one dimension: a block for 2048 outputs, each thread 8 of them, 256
 *                   apart. Two: a block for 64 rows of 32 outputs, a thread for 8 rows of
 *                   one column, whose inputs pass through registers. The part of `in` that
 *                   a block sees and the weights are in dynamic shared memory.
 */
#ifndef CUPRIC_KERNELS_CONVOLVE_HPP
#define CUPRIC_KERNELS_CONVOLVE_HPP

#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct convolve_params {
    const char *in, *kernel;
    char *out;
    slot fill;
    long long correlate, boundary; /* 0 fill, 1 wrap, 2 symmetric */
    long long nkernel, nout;
    long long in_length[N], kernel_length[N], out_length[N], base[N];
};

/* 16-bit floats are computed in float, short integers in 32 bits, which wrap. */
template <class T>
struct convolved {
    typedef unsigned int type;
};
template <>
struct convolved<long long> {
    typedef unsigned long long type;
};
template <>
struct convolved<unsigned long long> {
    typedef unsigned long long type;
};
template <>
struct convolved<half> {
    typedef float type;
};
template <>
struct convolved<bfloat16> {
    typedef float type;
};
template <>
struct convolved<float> {
    typedef float type;
};
template <>
struct convolved<double> {
    typedef double type;
};
template <class R>
struct convolved<complex<R>> {
    typedef complex<R> type;
};

template <class T>
__device__ inline typename convolved<T>::type
widened(T x)
{
    return (typename convolved<T>::type)x;
}

template <class T>
__device__ inline T
narrowed(typename convolved<T>::type x)
{
    if constexpr (is_same<T, bool>::value)
        return x != 0;
    else
        return T(x);
}

template <class C>
__device__ inline void
multiply_add(C &acc, const C x, const C w)
{
    if constexpr (is_complex<C>::value) {
        acc.re += x.re * w.re - x.im * w.im;
        acc.im += x.re * w.im + x.im * w.re;
    } else {
        acc += x * w;
    }
}

/* The element of [0, n) that stands at index i, or -1 for the fill value. */
__device__ inline long long
source_index(long long rule, long long i, long long n)
{
    if (i >= 0 && i < n) return i;
    if (rule == 0 || n == 0) return -1;
    if (rule == 1) return (i % n + n) % n;
    i = (i % (2 * n) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

template <class T, int N>
__device__ inline typename convolved<T>::type
weight(const convolve_params<N> &p, long long t)
{
    const T x = load<T>(p.kernel + (p.correlate ? t : p.nkernel - 1 - t) * sizeof(T));
    if constexpr (is_complex<T>::value)
        return p.correlate ? T(x.re, -x.im) : x;
    else
        return widened(x);
}

template <class T, int N>
__device__ inline void
convolve_any(const convolve_params<N> &p)
{
    typedef typename convolved<T>::type C;
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    long long first[N], t[N];
    C acc = C(0);
    if (i >= p.nout) return;
    long long rest = i;
    for (int d = N - 1; d >= 0; d--) {
        first[d] = rest % p.out_length[d] + p.base[d];
        rest /= p.out_length[d];
        t[d] = 0;
    }
    for (long long k = 0; k < p.nkernel; k++) {
        long long at = 0;
        bool outside = false;
        for (int d = 0; d < N; d++) {
            const long long s =
                source_index(p.boundary, first[d] + t[d], p.in_length[d]);
            outside |= s < 0;
            at = at * p.in_length[d] + s;
        }
        const T x = outside ? value_of<T>(p.fill) : load<T>(p.in + at * sizeof(T));
        multiply_add(acc, widened(x), weight<T>(p, k));
        for (int d = N - 1; d >= 0; d--) {
            if (++t[d] < p.kernel_length[d]) break;
            t[d] = 0;
        }
    }
    ((T *)p.out)[i] = narrowed<T>(acc);
}

template <class T>
__device__ inline void
tile_1(const convolve_params<1> &p)
{
    typedef typename convolved<T>::type C;
    extern __shared__ double2 convolve_memory[];
    constexpr int U = 8;
    const int nk = (int)p.kernel_length[0], seen = 256 * U + nk - 1;
    const long long first = (long long)blockIdx.x * (256 * U);
    C *const weights = (C *)convolve_memory, *const tile = weights + nk;
    C acc[U];
    for (int k = threadIdx.x; k < nk; k += 256) weights[k] = weight<T>(p, k);
    for (int i = threadIdx.x; i < seen; i += 256) {
        const long long s =
            source_index(p.boundary, first + i + p.base[0], p.in_length[0]);
        tile[i] = widened(s < 0 ? value_of<T>(p.fill) : load<T>(p.in + s * sizeof(T)));
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < U; u++) acc[u] = C(0);
    for (int k = 0; k < nk; k++) {
        const C w = weights[k];
#pragma unroll
        for (int u = 0; u < U; u++) {
            multiply_add(acc[u], tile[u * 256 + threadIdx.x + k], w);
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = first + u * 256 + threadIdx.x;
        if (i < p.nout) ((T *)p.out)[i] = narrowed<T>(acc[u]);
    }
}

template <class T>
__device__ inline void
tile_2(const convolve_params<2> &p)
{
    typedef typename convolved<T>::type C;
    extern __shared__ double2 convolve_memory[];
    constexpr int U = 8; /* rows of a thread */
    const int kr = (int)p.kernel_length[0], kc = (int)p.kernel_length[1];
    const int rows = 8 * U + kr - 1, cols = 32 + kc - 1;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const long long across = (p.out_length[1] + 31) / 32;
    const long long col = blockIdx.x % across * 32, row = blockIdx.x / across * (8 * U);
    C *const weights = (C *)convolve_memory, *const tile = weights + kr * kc;
    C acc[U], seen[U];
    for (int k = threadIdx.x; k < kr * kc; k += 256) weights[k] = weight<T>(p, k);
    for (int r = y; r < rows; r += 8) {
        const long long sr =
            source_index(p.boundary, row + r + p.base[0], p.in_length[0]);
        for (int c = x; c < cols; c += 32) {
            const long long sc =
                source_index(p.boundary, col + c + p.base[1], p.in_length[1]);
            tile[r * cols + c] =
                widened(sr < 0 || sc < 0
                            ? value_of<T>(p.fill)
                            : load<T>(p.in + (sr * p.in_length[1] + sc) * sizeof(T)));
        }
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < U; u++) acc[u] = C(0);
    for (int c = 0; c < kc; c++) {
        const C *from = tile + y * U * cols + x + c, *w = weights + c;
#pragma unroll
        for (int u = 0; u < U; u++, from += cols) seen[u] = *from;
        /* Row u + s of what the thread sees stands in seen[(u + s) % U]. */
        for (int k = 0; k < kr; k += U) {
#pragma unroll
            for (int s = 0; s < U; s++) {
                if (k + s >= kr) break;
                const C by = *w;
                w += kc;
#pragma unroll
                for (int u = 0; u < U; u++) multiply_add(acc[u], seen[(u + s) % U], by);
                if (k + s + 1 < kr) seen[s] = *from;
                from += cols;
            }
        }
    }
    if (col + x >= p.out_length[1]) return;
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long r = row + y * U + u;
        if (r >= p.out_length[0]) break;
        ((T *)p.out)[r * p.out_length[1] + col + x] = narrowed<T>(acc[u]);
    }
}

template <class T, int N>
__device__ inline void
convolve_tile(const convolve_params<N> &p)
{
    if constexpr (N == 1)
        tile_1<T>(p);
    else if constexpr (N == 2)
        tile_2<T>(p);
}

CUPRIC_END

#endif
