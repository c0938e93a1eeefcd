/* special/complex_pieces.hpp: what functions of complex double are made of: products and
 * sums in a fixed order, and exp(-z**2) with an exact square.
 */
#ifndef CUPRIC_SPECIAL_COMPLEX_PIECES_HPP
#define CUPRIC_SPECIAL_COMPLEX_PIECES_HPP

#include "cupric/math/special.hpp"

CUPRIC_BEGIN
namespace elementary {

typedef complex<double> cdouble;

/* The number in complex double, of complex64 too. */
template <class T>
CUPRIC_MATH cdouble
wide(const complex<T> z)
{
    return cdouble(double(z.re), double(z.im));
}
CUPRIC_MATH double
wide(float x)
{
    return double(x);
}
CUPRIC_MATH double
wide(double x)
{
    return x;
}

CUPRIC_MATH cdouble
times(cdouble a, cdouble b)
{
    return cdouble(fused(a.re, b.re, -product(a.im, b.im)),
                   fused(a.re, b.im, product(a.im, b.re)));
}

CUPRIC_MATH cdouble
times(double a, cdouble b)
{
    return cdouble(a * b.re, a * b.im);
}

CUPRIC_MATH cdouble
plus(cdouble a, cdouble b)
{
    return cdouble(a.re + b.re, a.im + b.im);
}

CUPRIC_MATH cdouble
minus(cdouble a, cdouble b)
{
    return cdouble(a.re - b.re, a.im - b.im);
}

/* i z */
CUPRIC_MATH cdouble
turned(cdouble z)
{
    return cdouble(-z.im, z.re);
}

CUPRIC_MATH cdouble
conjugate(cdouble z)
{
    return cdouble(z.re, -z.im);
}

/* 1 / z by Smith's division, whose intermediate results neither overflow nor underflow. */
CUPRIC_MATH cdouble
inverse(cdouble z)
{
    if (without_sign(z.re) >= without_sign(z.im)) {
        const double r = z.im / z.re, d = z.re + z.im * r;
        return cdouble(1 / d, -r / d);
    }
    const double r = z.re / z.im, d = z.re * r + z.im;
    return cdouble(r / d, -1 / d);
}

CUPRIC_MATH cdouble
over(cdouble a, cdouble b)
{
    if (without_sign(b.re) >= without_sign(b.im)) {
        const double r = b.im / b.re, d = b.re + b.im * r;
        return cdouble((a.re + a.im * r) / d, (a.im - a.re * r) / d);
    }
    const double r = b.re / b.im, d = b.re * r + b.im;
    return cdouble((a.re * r + a.im) / d, (a.im * r - a.re) / d);
}

/* |re| + |im|, for tests of convergence. */
CUPRIC_MATH double
sum_of_parts(cdouble z)
{
    return without_sign(z.re) + without_sign(z.im);
}

CUPRIC_MATH bool
is_any_nan(cdouble z)
{
    return (z.re != z.re) | (z.im != z.im);
}

CUPRIC_MATH bool
is_all_finite(cdouble z)
{
    return without_sign(z.re) < infinity<double>() &&
           without_sign(z.im) < infinity<double>();
}

CUPRIC_MATH cdouble
complex_nan()
{
    return cdouble(nan<double>(), nan<double>());
}

/* Called, as three of them in each function would be long. */
CUPRIC_APART double
exp_apart(double x)
{
    return exp(x);
}
CUPRIC_APART double
log_apart(double x)
{
    return log(x);
}
CUPRIC_APART words<double>
sine_and_cosine(double x)
{
    return {sin(x), cos(x)};
}

/* times exp(x) (cos(y) + i sin(y)), of which exp(x) alone may overflow or underflow. */
CUPRIC_APART cdouble
times_polar(cdouble z, double x, double y)
{
    const words<double> t = sine_and_cosine(y);
    const double half = exp_apart(0.5 * x);
    return times(times(half, times(half, z)), cdouble(t.lo, t.hi));
}

/* factor exp(-z**2): the real part of the square exactly, as its rounding error would be one
 * of the result's exponent. */
CUPRIC_APART cdouble
times_bell(cdouble factor, cdouble z)
{
    const double sum = z.re + z.im, difference = z.im - z.re;
    const words<double> x = exact_product(z.re, z.re), y = exact_product(z.im, z.im);
    double power = y.hi - x.hi, rest = ((y.hi - power) - x.hi) + (y.lo - x.lo);
    if (without_sign(x.hi) > without_sign(y.hi))
        rest = (y.hi - (power + x.hi)) + (y.lo - x.lo);
    if (!(without_sign(power) < 1e5)) power = sum * difference, rest = 0;
    const words<double> p = exact_product(-2 * z.re, z.im);
    words<double> t = sine_and_cosine(p.hi);
    if (without_sign(p.lo) < 1) t = {fused(t.lo, p.lo, t.hi), fused(-t.hi, p.lo, t.lo)};
    const double half = exp_apart(0.5 * power), other = fused(half, rest, half);
    return times(times(half, times(other, factor)), cdouble(t.lo, t.hi));
}

} /* namespace elementary */
CUPRIC_END

#endif
