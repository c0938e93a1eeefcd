/* special/convenience.hpp: short formulas that programs would write themselves, but for the
 * digits that cancel and the numbers that overflow: rows of ops/special/convenience.def.
 * Of double; those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_CONVENIENCE_HPP
#define CUPRIC_SPECIAL_CONVENIENCE_HPP

#include "cupric/special/lambert.hpp"

CUPRIC_BEGIN

namespace elementary {

CUPRIC_MATH bool
is_infinite(double x)
{
    return without_sign(x) == infinity<double>();
}

/* y * log(x) where it is so small that x**y - 1 has to be expm1 of it. */
CUPRIC_MATH bool
is_near_one(double exponent)
{
    return without_sign(exponent) < 0.5;
}

/* x**p exp(p log(1 + low / x)): a power of x + low. */
CUPRIC_MATH double
power_of_words(words<double> x, double p)
{
    const double power = pow(x.hi, p), ratio = p * (x.lo / x.hi);
    return power == infinity<double>() || !(without_sign(ratio) < 1e-3)
               ? power
               : power + power * (ratio + 0.5 * ratio * ratio);
}

/* log(1 + x) - x, |x| <= 0.4, of which no digits cancel: by the series of
 * 2 atanh(x / (2 + x)). */
CUPRIC_MATH double
log1p_excess(double x)
{
    const double r = x / (2 + x), s = r * r;
    const double tail =
        horner(s, 1 / 29.0, 1 / 27.0, 1 / 25.0, 1 / 23.0, 1 / 21.0, 1 / 19.0, 1 / 17.0,
               1 / 15.0, 1 / 13.0, 1 / 11.0, 1 / 9.0, 1 / 7.0, 1 / 5.0, 1 / 3.0);
    return 2 * r * s * tail - x * r;
}

/* exp(x) / y, where exp(x) alone may overflow. */
CUPRIC_MATH double
exp_over(double x, double y)
{
    const double half = exp(0.5 * x);
    return half / y * half;
}

/* ---- powers and logarithms --------------------------------------------------------- */

/* (x**p - 1) / p, log(x) for p = 0. */
CUPRIC_MATH double
boxcox(double x, double p)
{
    const double l = log(x), exponent = p * l;
    if (without_sign(p) < 1e-19) return l;
    if (is_near_one(exponent)) return expm1(exponent) / p;
    if (!(x > 0) || x == infinity<double>() || is_infinite(p)) {
        return x >= 0 ? expm1(exponent) / p : nan<double>();
    }
    if (exponent < 709) return (pow(x, p) - 1) / p;
    return exp_over(exponent, p);
}

/* The same of 1 + x. */
CUPRIC_MATH double
boxcox1p(double x, double p)
{
    const double l = log1p(x), exponent = p * l;
    if (without_sign(p) < 1e-19 ||
        (without_sign(l) < 1e-289 && without_sign(p) < 1e273))
        return l;
    if (is_near_one(exponent) || !(x > -1) || x == infinity<double>() || is_infinite(p))
        return expm1(exponent) / p;
    if (exponent < 709) return (power_of_words(exact_sum(1.0, x), p) - 1) / p;
    return exp_over(exponent, p);
}

/* log(1 + p x) / p for p x that overflows: log(|p| (|x| + 1 / |p|)) / p */
CUPRIC_MATH double
log1p_of_product_over(double x, double p)
{
    const double y = p * x;
    if (without_sign(y) < 1e-154) return x; /* the product may have underflowed */
    if (y < infinity<double>()) return log1p(y) / p;
    const double size = without_sign(p);
    return (log(times_sign(x, p) + 1 / size) + log(size)) / p;
}

/* The x with boxcox(x, p) = y. */
CUPRIC_MATH double
inv_boxcox(double y, double p)
{
    if (p == 0) return exp(y);
    return exp(log1p_of_product_over(y, p));
}

CUPRIC_MATH double
inv_boxcox1p(double y, double p)
{
    if (p == 0) return expm1(y);
    return expm1(log1p_of_product_over(y, p));
}

/* 10**x. */
CUPRIC_MATH double
exp10(double x)
{
    return pow(10.0, x);
}

/* (exp(x) - 1) / x */
CUPRIC_MATH double
exprel(double x)
{
    if (without_sign(x) < 1e-17) return 1;
    if (x > 709) return x > 717 ? infinity<double>() : exp_over(x, x);
    return expm1(x) / x;
}

/* x**y - 1 */
CUPRIC_MATH double
powm1(double x, double y)
{
    if (x == 1 || y == 0) return 0;
    if (x > 0 && (without_sign(y * (x - 1)) < 0.5 || without_sign(y) < 0.2)) {
        const double exponent = y * log(x);
        if (is_near_one(exponent)) return expm1(exponent);
    } else if (x < 0 && y == rint(y)) {
        /* of an even power as of a positive number */
        const double half = 0.5 * y, exponent = y * log(-x);
        if (half == rint(half) && is_near_one(exponent)) return expm1(exponent);
    }
    return pow(x, y) - 1;
}

/* cos(x) - 1 */
CUPRIC_MATH double
cosm1(double x)
{
    const double s = sin(0.5 * x);
    return 0 - 2 * s * s;
}

/* ---- losses and divergences -------------------------------------------------------- */

CUPRIC_MATH double
huber(double delta, double r)
{
    const double size = without_sign(r);
    if (delta < 0) return infinity<double>();
    return size <= delta ? 0.5 * r * r : delta * (size - 0.5 * delta);
}

/* delta**2 (sqrt(1 + (r / delta)**2) - 1) */
CUPRIC_MATH double
pseudo_huber(double delta, double r)
{
    const double size = without_sign(r);
    if (delta < 0) return infinity<double>();
    if (delta == 0 || r == 0) return 0;
    const double ratio = size / delta;
    if (ratio > 0x1p60) return size * delta;
    return size * (size / (1 + cupric::sqrt(1 + ratio * ratio)));
}

/* x log(x / y) - x + y */
CUPRIC_MATH double
kl_div(double x, double y)
{
    if (x != x || y != y) return nan<double>();
    if (x > 0 && y > 0) {
        /* the difference is exact where it is small; both, as a branch is dearer */
        const double inverse = (y - x) / x;
        const bool small = without_sign(inverse) < 0.4;
        const double near = -log1p_excess(chosen(small, inverse, 0.0));
        return x * chosen(small, near, log(x / y) + inverse) + 0; /* not -0 */
    }
    return x == 0 && y >= 0 ? y : infinity<double>();
}

/* ---- of degrees -------------------------------------------------------------------- */

/* Of degrees, minutes and seconds. */
CUPRIC_MATH double
radian(double d, double m, double s)
{
    return ((d * 60 + m) * 60 + s) * 4.84813681109535993589914102357948e-6;
}

/* x degrees, by the nearest multiple of 90, which is left exactly. */
CUPRIC_MATH reduced<double>
reduce_degrees(double x)
{
    const double y = without_sign(x) < 0x1p50 ? x : float_fmod(x, 360.0);
    const double quarters = rint(y / 90), rest = fused(quarters, -90.0, y);
    const double unit = 0x1.1df46a2529d39p-6, unit_low = 0x1.5c1d8becdd291p-62;
    const words<double> p = exact_product(rest, unit);
    const double quadrant = quarters - 4 * float_floor(quarters / 4);
    return {{p.hi, fused(rest, unit_low, p.lo)},
            format<double>::bits(quadrant < 4 ? quadrant : 0)};
}

CUPRIC_MATH double
sindg(double x)
{
    if (x == 0) return x;
    return sine(reduce_degrees(x), 0, 0) + 0;
}

CUPRIC_MATH double
cosdg(double x)
{
    return sine(reduce_degrees(x), 1, 0) + 0;
}

CUPRIC_MATH double
tandg(double x)
{
    const reduced<double> r = reduce_degrees(x);
    if (r.r.hi == 0) return (r.quadrant & 1) != 0 ? infinity<double>() : x == 0 ? x : 0;
    return tangent(r);
}

CUPRIC_MATH double
cotdg(double x)
{
    /* of so small a number what is left of a quadrant has no digits, or is 0 */
    if (x != 0 && without_sign(x) < 1e-280) return 57.29577951308232 / x;
    reduced<double> r = reduce_degrees(x);
    if (r.r.hi == 0) return (r.quadrant & 1) != 0 ? 0 : infinity<double>();
    r.quadrant += 1;
    return -tangent(r);
}

/* ---- means ------------------------------------------------------------------------- */

/* The arithmetic-geometric mean, by Gauss's steps, of which each halves the logarithm of the
 * quotient and then doubles the digits, https://dlmf.nist.gov/19.8; the last ones by the
 * series of pi / (2 K(k)), 19.5.1. */
CUPRIC_APART double
agm(double a, double b)
{
    const double inf = infinity<double>();
    if (a != a || b != b || (a < 0 && b > 0) || (a > 0 && b < 0)) return nan<double>();
    if ((is_infinite(a) && b == 0) || (is_infinite(b) && a == 0)) return nan<double>();
    if (a == 0 || b == 0) return 0;
    if (is_infinite(a) || is_infinite(b)) return times_sign(inf, a);
    double x = without_sign(a), y = without_sign(b);
    const bool large = x > 1e300 || y > 1e300,
               tiny = !large && (x < 1e-300 || y < 1e-300);
    const double scale = large ? 0x1p-2 : tiny ? 0x1p+60 : 1;
    x *= scale, y *= scale;
    double k =
        1; /* the difference over the sum; the mean of 1 + k and 1 - k by its powers */
    for (int i = 0; i < 24; i++) {
        const double sum = x + y;
        k = (x - y) / sum;
        if (without_sign(k) < 0.02) break;
        const double square = x * y;
        const bool normal = square > 1e-290 && square < 1e290;
        y = normal ? cupric::sqrt(square) : cupric::sqrt(x) * cupric::sqrt(y);
        x = 0.5 * sum;
    }
    const double s = k * k;
    const double less = s * horner(s, 469.0 / 16384, 11.0 / 256, 5.0 / 64, 0.25);
    const double mean = 0.5 * (x + y);
    return times_sign((mean - mean * less) / scale, a);
}

} /* namespace elementary */

using elementary::agm;
using elementary::boxcox;
using elementary::boxcox1p;
using elementary::cosdg;
using elementary::cosm1;
using elementary::cotdg;
using elementary::exp10;
using elementary::exprel;
using elementary::huber;
using elementary::inv_boxcox;
using elementary::inv_boxcox1p;
using elementary::kl_div;
using elementary::powm1;
using elementary::pseudo_huber;
using elementary::radian;
using elementary::sindg;
using elementary::tandg;

CUPRIC_END

#endif
