/* kernels/random.hpp: out[j] from Philox, as cupric/philox.hpp and distributions.hpp lay
 * down. A Philox block has two elements of 64 bits, else four; a thread makes two blocks
 * of elements, 256 apart, so that while it waits for the one it works on the other.
 * Compiled without fused multiply-add, so that the bits are the host's. Launch: a thread
 * for each two blocks of elements, blocks of 256.
 */
#ifndef CUPRIC_KERNELS_RANDOM_HPP
#define CUPRIC_KERNELS_RANDOM_HPP

#include "cupric/distributions.hpp"
#include "cupric/half.hpp"
#include "cupric/kernels/params.h"

CUPRIC_BEGIN

typedef cu_random_params random_params;

/* Scale and shift in the type of computation, then round to the element's. */
template <class T, class C>
struct affine {
    C offset, factor;
    __device__ affine(double shift, double scale) : offset((C)shift), factor((C)scale)
    {
    }
    __device__ T operator()(C x) const { return T(offset + factor * x); }
};

template <class T>
struct precision {
    enum { bits = 24 };
};
template <>
struct precision<half> {
    enum { bits = 11 };
};
template <>
struct precision<bfloat16> {
    enum { bits = 8 };
};

__device__ inline unsigned long long
long_word(const philox_block &b, int k)
{
    return (unsigned long long)b.word[2 * k + 1] << 32 | b.word[2 * k];
}

template <class T>
struct random_bits {
    typedef T type;
    enum { per_block = sizeof(T) == 8 ? 2 : 4 };
    __device__ static void run(const random_params &, const philox_block &b, long long,
                               T *x)
    {
        for (int k = 0; k < per_block; k++) {
            x[k] = per_block == 2 ? (T)long_word(b, k % 2) : (T)b.word[k];
        }
    }
};

template <class T>
struct random_uniform {
    typedef T type;
    enum { per_block = sizeof(T) == 8 ? 2 : 4 };
    __device__ static void run(const random_params &p, const philox_block &b, long long,
                               T *x)
    {
        if constexpr (per_block == 2) {
            const affine<T, double> map(p.param[0], p.param[1] - p.param[0]);
            x[0] = map(fraction(b.word[1], b.word[0]));
            x[1] = map(fraction(b.word[3], b.word[2]));
        } else {
            const affine<T, float> map(p.param[0], p.param[1] - p.param[0]);
            for (int k = 0; k < 4; k++) {
                x[k] = map(fraction(b.word[k], precision<T>::bits));
            }
        }
    }
};

template <class T>
struct random_exponential {
    typedef T type;
    enum { per_block = sizeof(T) == 8 ? 2 : 4 };
    __device__ static void run(const random_params &p, const philox_block &b, long long,
                               T *x)
    {
        if constexpr (per_block == 2) {
            const affine<T, double> map(0, p.param[0]);
            x[0] = map(log_uniform(b.word[1], b.word[0]));
            x[1] = map(log_uniform(b.word[3], b.word[2]));
        } else {
            const affine<T, float> map(0, p.param[0]);
            for (int k = 0; k < 4; k++) x[k] = map(log_uniform(b.word[k]));
        }
    }
};

template <class T>
struct random_normal {
    typedef T type;
    enum { per_block = sizeof(T) == 8 ? 2 : 4 };
    __device__ static void run(const random_params &p, const philox_block &b, long long,
                               T *x)
    {
        if constexpr (per_block == 2) {
            const affine<T, double> map(p.param[0], p.param[1]);
            double z[2];
            normal_pair(b.word[0], b.word[1], b.word[2], b.word[3], &z[0], &z[1]);
            for (int k = 0; k < 2; k++) x[k] = map(z[k]);
        } else {
            const affine<T, float> map(p.param[0], p.param[1]);
            float z[4];
            normal_pair(b.word[0], b.word[1], &z[0], &z[1]);
            normal_pair(b.word[2], b.word[3], &z[2], &z[3]);
            for (int k = 0; k < 4; k++) x[k] = map(z[k]);
        }
    }
};

/* WIDE: a span above 2**32. A span of 0 is one of 2**32 or 2**64. */
template <class T, bool WIDE>
struct random_integers {
    typedef T type;
    enum { per_block = WIDE ? 2 : 4 };
    __device__ static void run(const random_params &p, const philox_block &b,
                               long long first, T *x)
    {
        if constexpr (WIDE) {
            const unsigned long long span = p.hi - p.lo + 1;
            const unsigned long long limit = rejected_below(span);
            for (int k = 0; k < 2; k++) {
                const unsigned long long w = long_word(b, k);
                unsigned long long y = span ? multiply_high(w, span) : w;
                if (w * span < limit) {
                    y = random_below(p.key, p.counter, (unsigned long long)(first + k),
                                     span, limit);
                }
                x[k] = (T)(p.lo + y);
            }
        } else {
            const unsigned int span = (unsigned int)(p.hi - p.lo + 1);
            const unsigned int limit = rejected_below(span);
            for (int k = 0; k < 4; k++) {
                const unsigned long long w = (unsigned long long)b.word[k] * span;
                unsigned int y = span ? (unsigned int)(w >> 32) : b.word[k];
                if (span && (unsigned int)w < limit) {
                    y = random_below(p.key, p.counter, (unsigned long long)(first + k),
                                     span, limit);
                }
                x[k] = (T)(p.lo + y);
            }
        }
    }
};

template <class Kind>
__device__ inline void
fill(const random_params &p)
{
    typedef typename Kind::type T;
    constexpr int m = Kind::per_block, U = CUPRIC_RANDOM_EACH;
    struct alignas(m * sizeof(T) < 16 ? m * sizeof(T) : 16) vector {
        T at[m];
    };
    const long long begin = (long long)blockIdx.x * (CUPRIC_BLOCK * U) + threadIdx.x;
    const bool whole = ((long long)blockIdx.x + 1) * (CUPRIC_BLOCK * U * m) <= p.n &&
                       (unsigned long long)p.out % alignof(vector) == 0;
    vector x[U];
    if (begin * m >= p.n) return;
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = begin + u * CUPRIC_BLOCK;
        Kind::run(p, random_block(p.key, p.counter, (unsigned long long)i, 0), i * m,
                  x[u].at);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long first = (begin + u * CUPRIC_BLOCK) * m;
        T *const out = (T *)p.out + first;
        if (whole) {
            *(vector *)out = x[u];
            continue;
        }
        for (int k = 0; k < m && first + k < p.n; k++) out[k] = x[u].at[k];
    }
}

CUPRIC_END

#endif
