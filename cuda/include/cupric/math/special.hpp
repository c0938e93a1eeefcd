/* math/special.hpp: the special functions that the expressions of src/ops/special.def are
 * written in, of float, double and, where it says so, complex numbers.
 *
 * erf, erfc and lgamma are the C library's, and CUDA's on a device. The other formulas are
 * chosen so that no digits cancel; each says where.
 */
#ifndef CUPRIC_MATH_SPECIAL_HPP
#define CUPRIC_MATH_SPECIAL_HPP

#include "cupric/math.hpp"

CUPRIC_BEGIN

CUPRIC_HD inline float
erf(float x)
{
    return ::erff(x);
}
CUPRIC_HD inline double
erf(double x)
{
    return ::erf(x);
}
CUPRIC_HD inline float
erfc(float x)
{
    return ::erfcf(x);
}
CUPRIC_HD inline double
erfc(double x)
{
    return ::erfc(x);
}

/* erfc(-x / sqrt(2)) / 2. The rounding of the quotient is multiplied by x**2, so that
 * float goes by way of double where that costs little. */
CUPRIC_HD inline double
ndtr(double x)
{
#if defined(__CUDA_ARCH__)
    return ::normcdf(x);
#else
    return 0.5 * ::erfc(-x * 0.70710678118654752440);
#endif
}
CUPRIC_HD inline float
ndtr(float x)
{
#if defined(__CUDA_ARCH__)
    return ::normcdff(x);
#else
    return float(ndtr(double(x)));
#endif
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
