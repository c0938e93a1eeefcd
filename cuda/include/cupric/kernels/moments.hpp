/* kernels/moments.hpp: mean and sum of squared deviations, in one pass over memory.
 *
 * Of some elements: their number, their mean, and the sum of squared deviations from it.
 * Those of a few elements at a time come from two passes over registers; two groups
 * become one by the distance of their means (Chan, Golub, LeVeque). Elements are counted
 * from the first one of the result, so that a large mean costs no digits.
 */
#ifndef CUPRIC_KERNELS_MOMENTS_HPP
#define CUPRIC_KERNELS_MOMENTS_HPP

#include "cupric/reduce.hpp"

CUPRIC_BEGIN

template <class T>
struct moments {
    typedef typename real_type<T>::type R;
    T mean;
    R squares, n;
};

/* A weight: the last bit does not matter, as long as it is always the same. */
__device__ inline float
weight_of(float part, float all)
{
#if defined(__CUDA_ARCH__)
    return __fdividef(part, all);
#else
    return part / all;
#endif
}
__device__ inline double
weight_of(double part, double all)
{
    return part / all;
}

template <class T>
__device__ inline moments<T>
join_moments(const moments<T> &a, const moments<T> &b)
{
    typedef typename moments<T>::R R;
    const R n = a.n + b.n, weight = weight_of(b.n, n);
    const T way = b.mean - a.mean;
    moments<T> r;
    r.mean = a.mean + way * T(weight);
    r.squares = (a.squares + b.squares) + square_magnitude(way) * (a.n * weight);
    r.n = n;
    return r;
}

template <int M, class T>
__device__ inline T
sum_of(T (&x)[M])
{
#pragma unroll
    for (int by = 1; by < M; by *= 2) {
#pragma unroll
        for (int k = 0; k + by < M; k += 2 * by) x[k] = x[k] + x[k + by];
    }
    return x[0];
}

/* Of M single elements, in x[0]. */
template <int M, class T>
__device__ inline void
fold_moments(moments<T> (&x)[M])
{
    typedef typename moments<T>::R R;
    T sum[M];
    R squares[M];
#pragma unroll
    for (int k = 0; k < M; k++) sum[k] = x[k].mean;
    const T mean = sum_of(sum) * T(R(1) / R(M));
#pragma unroll
    for (int k = 0; k < M; k++) squares[k] = square_magnitude(x[k].mean - mean);
    x[0].mean = mean;
    x[0].squares = sum_of(squares);
    x[0].n = R(M);
}

#if defined(__CUDA_ARCH__)
/* s / count where many results have one count, without the branch of a general division,
 * which takes longer than all else where rows are short. Rounded as that is, but for
 * results below the normal range. */
__device__ inline float
over_count(const float s, const float count)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(count));
    const float refined = __fmaf_rn(__fmaf_rn(-count, r, 1.0f), r, r);
    r = count > 0 ? refined : r; /* infinite where count is 0 */
    float q = __fmul_rn(s, r);
    const float rest = __fmaf_rn(-q, count, s);
    if (rest - rest == 0) { /* not so where s or the result is infinite or NaN */
        q = __fmaf_rn(rest, r, q);
        q = __fmaf_rn(__fmaf_rn(-q, count, s), r, q);
    }
    return q;
}
#endif

/* What elements are counted from; an infinite one would make the others NaN. */
template <class T>
__device__ inline T
finite_or_zero(const T x)
{
    return is_finite(x) ? x : T(0);
}

CUPRIC_END

#endif
