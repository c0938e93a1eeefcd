/* special/errors.hpp: the error function's relatives and the normal distribution's, rows of
 * ops/special/errors.def: of double, with loops and branches. Those of float are the same,
 * rounded. Those of complex numbers are in errors_complex.hpp.
 */
#ifndef CUPRIC_SPECIAL_ERRORS_HPP
#define CUPRIC_SPECIAL_ERRORS_HPP

#include "cupric/math/erf_inverses.hpp"
#include "cupric/special/errors_complex.hpp"

CUPRIC_BEGIN
namespace elementary {

/* 2 / sqrt(pi) exp(x**2) dawsn(x) */
CUPRIC_APART double
erfi(double x)
{
    const double scale = 1.1283791670955125739;
    if (!(without_sign(x) < 27)) return x * infinity<double>();
    const words<double> square = exact_product(x, x);
    const double power = exp_apart(0.5 * square.hi);
    return scale * dawsn(x) * power * fused(power, square.lo, power);
}

/* ---- the normal distribution ------------------------------------------------------- */

/* log(ndtr(x)): of the left tail by exp(x**2) erfc(x), which hardly varies. */
CUPRIC_APART double
log_ndtr(double x)
{
    const double root_half = 0.70710678118654752440;
    if (x > -1) return x > 40 ? -ndtr(-x) : log1p(-ndtr(-x));
    if (!(x > -0x1p500)) return x == x ? -infinity<double>() : x;
    return log(0.5 * erfcx(-x * root_half)) - 0.5 * x * x;
}

/* erfcinv(q), w = sqrt(-log(q)), 0.8 < w < 27. */
CUPRIC_MATH double
erfcinv_of_root(double w)
{
    if (w < 1.5) return erfcinv_tail_0(w - 1.15625);
    if (w < 2.75) return erfcinv_tail_1(w - 2.125);
    if (w < 5) return erfcinv_tail_2(w - 3.875);
    return w < 11 ? erfcinv_tail_3(w - 8) : erfcinv_tail_4(w - 19.25);
}

/* The x > 37 with log(ndtr(-x)) = -y, where x**2 / 2 + log(x sqrt(2 pi)) is y but for
 * log(1 - 1 / x**2 + 3 / x**4 - ...). Each step leaves 1 / x**2 of the error. */
CUPRIC_MATH double
far_ndtri_exp(double y)
{
    const double log_root = 0.91893853320467274178; /* log(2 pi) / 2 */
    double x = cupric::sqrt(2 * y);
    if (y > 1e300) return 1.41421356237309504880 * cupric::sqrt(y);
    for (int k = 0; k < 5; k++) {
        const double s = 1 / (x * x);
        const double rest = log1p(-s * (1 - s * (3 - s * (15 - s * (105 - s * 945)))));
        x = cupric::sqrt(2 * (y - log_root - log(x) + rest));
    }
    return x;
}

/* The x with log_ndtr(x) = y; NaN for y > 0. */
CUPRIC_APART double
ndtri_exp(double y)
{
    const double root = 1.41421356237309504880;
    if (y > -0.2) {
        if (y == 0) return infinity<double>();
        return y < 0 ? -ndtri(-expm1(y)) : nan<double>();
    }
    if (y > -2) return ndtri(exp(y));
    if (!(y > -infinity<double>())) return y;
    if (y > -700)
        return -root * erfcinv_of_root(cupric::sqrt(-y - 0.69314718055994530942));
    return -far_ndtri_exp(-y);
}

/* Of the sum of a normal and a Cauchy distributed number: Re(w((x + i gamma) / (sigma
 * sqrt(2)))) / (sigma sqrt(2 pi)). */
CUPRIC_APART double
voigt_profile(double x, double sigma, double gamma)
{
    const double root_half = 0.70710678118654752440, inf = infinity<double>();
    const double pi = 3.14159265358979323846, root_two_pi = 2.50662827463100050242;
    if (x != x || sigma != sigma || gamma != gamma) return nan<double>();
    if (without_sign(sigma) == inf || without_sign(gamma) == inf) return 0;
    if (without_sign(x) == inf) return 0;
    if (sigma == 0) {
        if (gamma == 0) return x == 0 ? inf : 0;
        return 1 / pi / (x * (x / gamma) + gamma);
    }
    if (gamma == 0) return bell(x / sigma * root_half) / (sigma * root_two_pi);
    const double inverse = root_half / sigma;
    const cdouble w = faddeeva(cdouble(x * inverse, gamma * inverse));
    return w.re / (sigma * root_two_pi);
}

/* ---- Fresnel's integrals ----------------------------------------------------------- */

struct fresnel_pair {
    double sine, cosine;
};

/* exp(i pi x**2 / 2): what x**2 is beyond a multiple of 4, which is exact but for its last
 * word. */
CUPRIC_MATH fresnel_pair
fresnel_angle(double x)
{
    const double half_pi = 1.57079632679489661923;
    const words<double> square = exact_product(x, x);
    const double turns = rint(0.25 * square.hi);
    const double part = fused(turns, -4.0, square.hi) + square.lo;
    const words<double> t = sine_and_cosine(half_pi * part);
    return {t.hi, t.lo};
}

/* The auxiliary functions f and g of x >= 1, https://dlmf.nist.gov/7.2 */
CUPRIC_MATH fresnel_pair
fresnel_auxiliary(double x)
{
    const double over_pi = 0.31830988618379067154;
    const double inverse = 1 / x, s = inverse * inverse;
    if (x < 8) return {inverse * fresnel_f(x), inverse * s * fresnel_g(x)};
    return {over_pi * inverse * fresnel_f_far(s * s),
            over_pi * over_pi * inverse * s * fresnel_g_far(s * s)};
}

CUPRIC_APART fresnel_pair
fresnel_of(double x)
{
    const double y = without_sign(x);
    if (y <= 1.5) {
        const double s = x * x, w = s * s;
        return {x * s * fresnel_sine(w), x * fresnel_cosine(w)};
    }
    if (!(y < 0x1p60))
        return {y == y ? times_sign(0.5, x) : x, y == y ? times_sign(0.5, x) : x};
    const fresnel_pair a = fresnel_auxiliary(y), t = fresnel_angle(y);
    const double s = 0.5 - a.sine * t.cosine - a.cosine * t.sine;
    const double c = 0.5 + a.sine * t.sine - a.cosine * t.cosine;
    return {times_sign(s, x), times_sign(c, x)};
}

/* f and g of any x >= 0. */
CUPRIC_MATH fresnel_pair
any_fresnel_auxiliary(double x)
{
    if (x >= 1) return fresnel_auxiliary(x);
    const fresnel_pair p = fresnel_of(x), t = fresnel_angle(x);
    const double s = 0.5 - p.sine, c = 0.5 - p.cosine;
    return {s * t.cosine - c * t.sine, c * t.cosine + s * t.sine};
}

/* The integral of exp(i t**2) from x to infinity, and exp(-i (x**2 + pi / 4)) / sqrt(pi)
 * times it, ((f + g) + i (f - g)) / 2 of x sqrt(2 / pi). */
CUPRIC_APART void
modfresnelp_of(double x, cdouble *integral, cdouble *scaled)
{
    const double root_pi = 1.77245385090551602730, half_root = 0.70710678118654752440;
    const double y = without_sign(x), inf = infinity<double>();
    if (x != x || y == inf) {
        *integral = x == inf ? cdouble(0, 0)
                    : x != x ? complex_nan()
                             : times(root_pi * half_root, cdouble(1, 1));
        *scaled = x == inf ? cdouble(0, 0) : complex_nan();
        return;
    }
    const fresnel_pair a = any_fresnel_auxiliary(y * 0.79788456080286535588);
    const cdouble k(0.5 * (a.sine + a.cosine), 0.5 * (a.sine - a.cosine));
    /* exp(i x**2) */
    const words<double> square = exact_product(x, x);
    const words<double> t = sine_and_cosine(square.hi);
    const cdouble turn(fused(-t.hi, square.lo, t.lo), fused(t.lo, square.lo, t.hi));
    *scaled = x < 0 ? minus(conjugate(turn), k) : k;
    const cdouble unit = times(root_pi * half_root, cdouble(1, 1));
    *integral =
        times(unit, x < 0 ? minus(cdouble(1, 0), times(turn, k)) : times(turn, k));
}

CUPRIC_MATH void
modfresnelm_of(double x, cdouble *integral, cdouble *scaled)
{
    modfresnelp_of(x, integral, scaled);
    *integral = conjugate(*integral);
    *scaled = conjugate(*scaled);
}

#define CUPRIC_TO_PAIR(name, of)                                                       \
    template <class C>                                                                 \
    CUPRIC_MATH void name(double x, C *r, C *s)                                        \
    {                                                                                  \
        cdouble first, second;                                                         \
        of(x, &first, &second);                                                        \
        *r = C(first), *s = C(second);                                                 \
    }
CUPRIC_TO_PAIR(modfresnelp, modfresnelp_of)
CUPRIC_TO_PAIR(modfresnelm, modfresnelm_of)
#undef CUPRIC_TO_PAIR

template <class T>
CUPRIC_MATH void
fresnel(T x, T *s, T *c)
{
    if constexpr (is_complex<T>::value) {
        cdouble first, second;
        complex_fresnel(wide(x), &first, &second);
        *s = T(first), *c = T(second);
    } else {
        const fresnel_pair p = fresnel_of(double(x));
        *s = T(p.sine), *c = T(p.cosine);
    }
}

} /* namespace elementary */

using elementary::dawsn;
using elementary::erfcinv;
using elementary::erfcx;
using elementary::erfi;
using elementary::erfinv;
using elementary::faddeeva;
using elementary::fresnel;
using elementary::log_ndtr;
using elementary::modfresnelm;
using elementary::modfresnelp;
using elementary::ndtri;
using elementary::ndtri_exp;
using elementary::voigt_profile;
using elementary::wide;

CUPRIC_END

#endif
