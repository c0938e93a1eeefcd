/* math/special.hpp: the special functions that the expressions of src/ops/special.def are
 * written in, of float, double and, where it says so, complex numbers.
 *
 * erf and erfc have the same bits on the host and on a GPU, as the functions of
 * elementary.hpp. lgamma is the C library's, and CUDA's on a device. The other formulas are
 * chosen so that no digits cancel; each says where.
 */
#ifndef CUPRIC_MATH_SPECIAL_HPP
#define CUPRIC_MATH_SPECIAL_HPP

#include "cupric/math.hpp"
#include "cupric/math/special_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

/* erfc(y) for y >= 1 / 2 as exp(-y**2) / (1 + 2 y) times what hardly varies, a polynomial in
 * (y - 4) / (y + 4). M. M. Shepherd and J. G. Laframboise, "Chebyshev approximation of
 * (1 + 2x) exp(x**2) erfc x in 0 <= x < infinity" (1981). */
template <class F>
CUPRIC_MATH F
large_erfc(F y)
{
    typedef special_constants<F> K;
    y = clamped(y, F(0.5), F(sizeof(F) == 4 ? 10.75 : 27.3));
    const words<F> over = exact_sum(y, F(-4)), under = exact_sum(y, F(4));
    const F r = quotient(F(1), under.hi), t = product(over.hi, r);
    const F t_rest = fused(-t, under.hi, over.hi) + fused(-t, under.lo, over.lo);
    const F tail = erfcx_tail(t);
    const words<F> p = exact_product(t, tail);
    const words<F> sum = ordered_sum(K::ERFCX, p.hi);
    /* the derivative, roughly */
    const F left = t < 0 ? t : F(0);
    const F slope = fused(product(left, left), F(-1.34) * left, F(-0.13));
    const F sum_low = sum.lo + fused(product(t_rest, r), slope, p.lo + K::ERFCX_LOW);
    const words<F> divisor = ordered_sum(F(2) * y, F(1));
    const F q = quotient(F(1), divisor.hi), w = product(sum.hi, q);
    const F w_rest = fused(-w, divisor.hi, sum.hi) + fused(-w, divisor.lo, sum_low);
    const words<F> square = exact_product(y, y);
    const exponential<F> e = exponential_of(-square.hi);
    const words<F> power = small_exp(ordered_sum(e.r.hi, e.r.lo - square.lo));
    const words<F> result = exact_product(w, power.hi);
    const F low = fused(w, power.lo, fused(product(w_rest, q), power.hi, result.lo));
    /* as scaled() likes its numbers */
    return scaled(F(64) * (result.hi + low), e.rounder - F(6));
}

template <class F>
CUPRIC_MATH F
erf(F x)
{
    const F y = without_sign(x);
    const F small = fused(y, erf_rest(product(y, y)), y);
    return times_sign(y >= 1 ? F(1) - large_erfc(y) : small, x);
}

template <class F>
CUPRIC_MATH F
erfc(F x)
{
    const F y = without_sign(x), large = large_erfc(y);
    const words<F> sum = ordered_sum(F(1), -x);
    const F small = sum.hi + fused(-x, erf_rest(product(x, x)), sum.lo);
    const F other = chosen(x < 0, F(2) - large, large);
    return chosen(y >= F(0.5), other, small);
}

} /* namespace elementary */

CUPRIC_MATH float
erf(float x)
{
    return elementary::erf(x);
}
CUPRIC_MATH double
erf(double x)
{
    return elementary::erf(x);
}
CUPRIC_MATH float
erfc(float x)
{
    return elementary::erfc(x);
}
CUPRIC_MATH double
erfc(double x)
{
    return elementary::erfc(x);
}

/* erfc(-x / sqrt(2)) / 2. The rounding of the quotient is multiplied by x**2, so that
 * float goes by way of double. */
CUPRIC_MATH double
ndtr(double x)
{
    return 0.5 * erfc(x * -0.70710678118654752440);
}
CUPRIC_MATH float
ndtr(float x)
{
    return float(ndtr(double(x)));
}

/* The C library's would write the sign to a global variable. At minus infinity SciPy's is
 * minus infinity, the library's infinity. */
CUPRIC_HD inline double
gammaln(double x)
{
    if (is_inf(x)) return x;
#if defined(__CUDA_ARCH__)
    return ::lgamma(x);
#else
    int sign;
    return ::lgamma_r(x, &sign);
#endif
}
CUPRIC_HD inline float
gammaln(float x)
{
    if (is_inf(x)) return x;
#if defined(__CUDA_ARCH__)
    return ::lgammaf(x);
#else
    int sign;
    return ::lgammaf_r(x, &sign);
#endif
}

/* exp(-|x|) never overflows, and below zero it is as exact as the result. */
template <class T>
CUPRIC_HD inline T
expit(const T x)
{
    const T e = exp(x < 0 ? x : -x);
    return (x < 0 ? e : T(1)) / (T(1) + e);
}

/* Near 1/2 the quotient is near 1, and its logarithm the difference of two that are
 * exact near 0: log(1 + d) - log(1 - d), d = 2 x - 1. */
template <class T>
CUPRIC_HD inline T
logit(const T x)
{
    if (x > T(0.3) && x < T(0.65)) {
        const T d = T(2) * (x - T(0.5));
        return log1p(d) - log1p(-d);
    }
    return log(x / (T(1) - x));
}

template <class T>
CUPRIC_HD inline T
log_expit(const T x)
{
    return x < 0 ? x - log1p(exp(x)) : -log1p(exp(-x));
}

template <class T>
CUPRIC_HD inline T
entr(const T x)
{
    if (is_nan(x)) return x;
    if (x > 0) return -x * log(x);
    return x == 0 ? T(0) : -T(double_of(0x7ff0000000000000ull));
}

/* Near y the logarithm is that of 1 + (x - y) / y. Where x / y leaves the range of the
 * type, the logarithms do not. */
template <class T>
CUPRIC_HD inline T
rel_entr(const T x, const T y)
{
    const T infinity = T(double_of(0x7ff0000000000000ull));
    if (is_nan(x) || is_nan(y)) return x + y;
    if (x == 0 && y >= 0) return T(0);
    if (!(x > 0 && y > 0)) return infinity;
    const T ratio = x / y, least = T(sizeof(T) == 4 ? 0x1p-126 : 0x1p-1022);
    if (ratio > T(0.5) && ratio < T(2)) return x * log1p((x - y) / y);
    if (ratio > least && ratio < infinity) return x * log(ratio);
    return x * (log(x) - log(y));
}

/* Of real and complex numbers. */
template <class T>
CUPRIC_HD inline T
xlogy(const T x, const T y)
{
    return x == T(0) && !is_nan(y) ? T(0) : x * log(y);
}

template <class T>
CUPRIC_HD inline T
xlog1py(const T x, const T y)
{
    return x == T(0) && !is_nan(y) ? T(0) : x * log1p(y);
}

CUPRIC_END

#endif
