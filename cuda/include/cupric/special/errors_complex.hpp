/* special/errors_complex.hpp: the error functions of complex double, made of w(z) =
 * exp(-z**2) erfc(-i z), near 0 of their Taylor series. https://dlmf.nist.gov/7
 */
#ifndef CUPRIC_SPECIAL_ERRORS_COMPLEX_HPP
#define CUPRIC_SPECIAL_ERRORS_COMPLEX_HPP

#include "cupric/math/erf_inverses.hpp"
#include "cupric/special/faddeeva.hpp"

CUPRIC_BEGIN
namespace elementary {

/* Whether |z| <= 1, about. */
CUPRIC_MATH bool
is_within_one(cdouble z)
{
    return z.re * z.re + z.im * z.im < 1;
}

/* exp(-z**2) w(i z), which is erfc(z) for Re(z) >= 0. */
CUPRIC_MATH cdouble
bell_times_faddeeva(cdouble z)
{
    return times_bell(faddeeva(turned(z)), z);
}

/* 2 / sqrt(pi) z sum of (-z**2)**n / (n! (2 n + 1)) */
CUPRIC_APART cdouble
erf_series(cdouble z)
{
    const cdouble s = times(-1, times(z, z));
    cdouble power(1, 0), sum(1, 0);
    for (int n = 1; n < 20; n++) {
        power = times(1.0 / n, times(power, s));
        sum = plus(sum, times(1.0 / (2 * n + 1), power));
    }
    return times(1.1283791670955125739, times(z, sum));
}

CUPRIC_APART cdouble
erf(cdouble z)
{
    if (z.im == 0 || is_any_nan(z)) {
        if (z.re == 0 && z.im != z.im) return z;
        return cdouble(erf(z.re), z.im == 0 ? z.im : nan<double>());
    }
    if (without_sign(z.im) == infinity<double>() &&
        without_sign(z.re) < infinity<double>())
        return z.re == 0 ? z : complex_nan();
    if (without_sign(z.re) == infinity<double>())
        return cdouble(times_sign(1.0, z.re), times_sign(0.0, z.im));
    if (is_within_one(z)) return erf_series(z);
    const bool left = z.re < 0;
    const cdouble y = left ? times(-1, z) : z, rest = bell_times_faddeeva(y);
    const cdouble right(z.re == 0 ? 0 : 1 - rest.re, -rest.im);
    return left ? times(-1, right) : right;
}

CUPRIC_APART cdouble
erfc(cdouble z)
{
    if (z.im == 0 || (z.re == 0 && z.im != z.im)) return cdouble(erfc(z.re), -z.im);
    if (is_any_nan(z)) return complex_nan();
    if (z.re == 0 || without_sign(z.re) == infinity<double>()) {
        const cdouble e = erf(z);
        return cdouble(1 - e.re, -e.im);
    }
    if (is_within_one(z) && z.re < 0.5) {
        const cdouble e = erf_series(z);
        return cdouble(1 - e.re, -e.im);
    }
    if (z.re > 0) return bell_times_faddeeva(z);
    const cdouble rest = bell_times_faddeeva(times(-1, z));
    return cdouble(2 - rest.re, -rest.im);
}

CUPRIC_APART cdouble
erfcx(cdouble z)
{
    if (z.im == 0) return cdouble(erfcx(z.re), -z.im);
    return faddeeva(turned(z));
}

/* -i erf(i z) */
CUPRIC_APART cdouble
erfi(cdouble z)
{
    const cdouble w = erf(turned(z));
    return cdouble(w.im, -w.re);
}

/* z sum of (-2 z**2)**n / (2 n + 1)!! */
CUPRIC_APART cdouble
dawsn_series(cdouble z)
{
    const cdouble s = times(-2, times(z, z));
    cdouble power(1, 0), sum(1, 0);
    for (int n = 1; n < 20; n++) {
        power = times(1.0 / (2 * n + 1), times(power, s));
        sum = plus(sum, power);
    }
    return times(z, sum);
}

/* i sqrt(pi) / 2 (exp(-z**2) - w(z)) of the upper half-plane; it is odd. */
CUPRIC_APART cdouble
dawsn(cdouble z)
{
    const double half_root = 0.88622692545275801365, inf = infinity<double>();
    if (z.im == 0) return cdouble(dawsn(z.re), z.im);
    if (is_any_nan(z)) return z.re == 0 ? z : complex_nan();
    if (without_sign(z.im) == inf) return z.re == 0 ? z : complex_nan();
    if (is_within_one(z)) return dawsn_series(z);
    const bool below = z.im < 0;
    const cdouble y = below ? times(-1, z) : z;
    const cdouble power = times_bell(cdouble(1, 0), y);
    const cdouble d = times(half_root, turned(minus(power, faddeeva(y))));
    return below ? times(-1, d) : d;
}

/* ---- the normal distribution ------------------------------------------------------- */

CUPRIC_MATH cdouble
ndtr(cdouble z)
{
    return times(0.5, erfc(times(-0.70710678118654752440, z)));
}

/* The principal value: of the left tail log(w) - z**2 / 2, of which whole turns are taken
 * away. */
CUPRIC_APART cdouble
log_ndtr(cdouble z)
{
    const double two_pi = 6.283185307179586477, two_pi_low = 2.449293598294706414e-16;
    if (is_any_nan(z)) return complex_nan();
    if (z.re > 0) {
        const cdouble t = times(0.5, erfc(times(0.70710678118654752440, z)));
        if (sum_of_parts(t) < 1e-17) return times(-1, t);
        return in_double::log1p(times(-1, t));
    }
    const cdouble w = faddeeva(turned(times(-0.70710678118654752440, z)));
    const cdouble l = in_double::log(times(0.5, w));
    const double re = l.re - 0.5 * ((z.re - z.im) * (z.re + z.im));
    double im = l.im - z.re * z.im;
    const double turns = rint(im / two_pi);
    im = fused(turns, -two_pi, im) - turns * two_pi_low;
    return cdouble(re, im);
}

/* ---- Fresnel's integrals ----------------------------------------------------------- */

/* S = z**3 sum of (-1)**k (pi / 2)**(2 k + 1) z**(4 k) / ((2 k + 1)! (4 k + 3)), C likewise. */
CUPRIC_APART void
fresnel_series(cdouble z, cdouble *s, cdouble *c)
{
    const double half_pi = 1.57079632679489661923;
    const cdouble square = times(z, z), v = times(half_pi, square);
    const cdouble step = times(-1, times(v, v));
    cdouble power(1, 0), sine(1.0 / 3, 0), cosine(1, 0);
    for (int k = 1; k < 18; k++) {
        power = times(1.0 / (2 * k * (2 * k - 1)), times(power, step));
        cosine = plus(cosine, times(1.0 / (4 * k + 1), power));
        sine = plus(sine, times(1.0 / ((2 * k + 1) * (4 * k + 3)), power));
    }
    *s = times(times(v, z), sine);
    *c = times(z, cosine);
}

/* C + iS is (1 + i) / 2 erf((1 - i) sqrt(pi) / 2 z), and C - iS the same with -i. */
CUPRIC_APART void
complex_fresnel(cdouble z, cdouble *s, cdouble *c)
{
    const double half_root = 0.88622692545275801365;
    if (is_any_nan(z) || !is_all_finite(z)) {
        const bool real = z.im == 0 && z.re == z.re,
                   imaginary = z.re == 0 && z.im == z.im;
        const double h = real ? times_sign(0.5, z.re) : times_sign(0.5, z.im);
        *s = real ? cdouble(h, 0) : imaginary ? cdouble(0, -h) : complex_nan();
        *c = real ? cdouble(h, 0) : imaginary ? cdouble(0, h) : complex_nan();
        return;
    }
    if (z.re * z.re + z.im * z.im < 2.25) return fresnel_series(z, s, c);
    const cdouble y = times(half_root, z);
    const cdouble p = times(cdouble(0.5, 0.5), erf(cdouble(y.re + y.im, y.im - y.re)));
    const cdouble q = times(cdouble(0.5, -0.5), erf(cdouble(y.re - y.im, y.im + y.re)));
    const cdouble twice = minus(p, q);
    *c = times(0.5, plus(p, q));
    *s = cdouble(0.5 * twice.im, -0.5 * twice.re);
}

} /* namespace elementary */
CUPRIC_END

#endif
