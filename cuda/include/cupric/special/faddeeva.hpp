/* special/faddeeva.hpp: w(z) = exp(-z**2) erfc(-i z) of complex double, which the error
 * functions of complex numbers are made of.
 *
 * M. Al Azah and S. N. Chandler-Wilde, "Computation of the complex error function using
 * modified trapezoidal rules", SIAM Journal on Numerical Analysis 59 (2021): w is an integral
 * over the real line, which the trapezoidal rule gives with 12 points, after what the pole
 * next to them adds is subtracted; of two sets of points those are taken that the pole is
 * farther from. Far from 0 its asymptotic series, https://dlmf.nist.gov/7.12. Real and
 * imaginary part are right each by itself, also where one is a tiny part of the other.
 */
#ifndef CUPRIC_SPECIAL_FADDEEVA_HPP
#define CUPRIC_SPECIAL_FADDEEVA_HPP

#include "cupric/special/complex_pieces.hpp"
#include "cupric/special/errors_pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* Dawson's integral, exp(-x**2) times the integral of exp(t**2) from 0 to x. */
CUPRIC_MATH double
dawsn(double x)
{
    const double y = without_sign(x);
    if (y < 0.5) return x * dawson_near(x * x);
    if (y < 8) return times_sign(dawson_middle(y), x);
    if (!(y < 0x1p500)) return 0.5 / x;
    const double inverse = 1 / x;
    return 0.5 * inverse * dawson_far(inverse * inverse);
}

/* exp(-x**2) */
CUPRIC_MATH double
bell(double x)
{
    if (!(without_sign(x) < 28)) return x == x ? 0 : x;
    const words<double> square = exact_product(x, x);
    const double power = exp_apart(-0.5 * square.hi);
    return power * fused(power, -square.lo, power);
}

/* The step of the trapezoidal rule: the root of pi / 12. */
CUPRIC_MATH constexpr double
FADDEEVA_STEP()
{
    return 0x1.05f8bd37c0e62p-1;
}

struct faddeeva_sums {
    double re, im; /* of exp(-t**2) / (z**2 - t**2), the latter over -Im(z**2) */
};

/* Over the points (k + 1 / 2) h or, where `whole`, (k + 1) h. */
CUPRIC_MATH faddeeva_sums
faddeeva_sum(double re, double im, bool whole)
{
    constexpr int N = 12;
    static constexpr double squares[2][N] = {
        {0x1.0c152382d7366p-4, 0x1.2d97c7f3321d2p-1, 0x1.a2e1077c7044fp+0,
         0x1.9a805e60598b4p+1, 0x1.534ac0f19860dp+2, 0x1.fad7f7235ee2cp+2,
         0x1.61f3e8e2c025cp+3, 0x1.d73d286bfe4d9p+3, 0x1.2ea3dd16b4f46p+4,
         0x1.7a09cf13817bap+4, 0x1.cdd06a2c64bcap+4, 0x1.14fbd730af5bbp+5},
        {0x1.0c152382d7366p-2, 0x1.0c152382d7366p+0, 0x1.2d97c7f3321d2p+1,
         0x1.0c152382d7366p+2, 0x1.a2e1077c7044fp+2, 0x1.2d97c7f3321d2p+3,
         0x1.9a805e60598b4p+3, 0x1.0c152382d7366p+4, 0x1.534ac0f19860dp+4,
         0x1.a2e1077c7044fp+4, 0x1.fad7f7235ee2cp+4, 0x1.2d97c7f3321d2p+5}};
    static constexpr double weights[2][N] = {
        {0x1.df90113a4786ep-1, 0x1.1c15f15a52bbcp-1, 0x1.8ec3e530c115fp-3,
         0x1.4b94a0aaedabbp-5, 0x1.46a8be57e7a67p-8, 0x1.7d458b47fb6f6p-12,
         0x1.079eb0245734bp-16, 0x1.afe709cf13b26p-22, 0x1.a32d4137e44b9p-28,
         0x1.e1fec0fee65d2p-35, 0x1.4850e49975105p-42, 0x1.08f4fbff0bbb8p-50},
        {0x1.8a1195bf0aa84p-1, 0x1.6757859d664c8p-2, 0x1.843844e012c46p-4,
         0x1.f0ea0d2fef993p-7, 0x1.78c7fa70532d4p-10, 0x1.527a727b2a68fp-14,
         0x1.6840851c9c3b5p-19, 0x1.c645a1d814484p-25, 0x1.5355ead05bd39p-31,
         0x1.2c509c01fe44ep-38, 0x1.3ae3b7284fc43p-46, 0x1.872d59d9a5cf5p-55}};
    const double im_square = im * im;
    faddeeva_sums sums = {0, 0};
    for (int k = N - 1; k >= 0; k--) {
        const double a = re - squares[whole][k];
        const double q = weights[whole][k] / (a * a + im_square);
        sums.re += q * a;
        sums.im += q;
    }
    return sums;
}

/* 2 exp(-z**2) / (1 + exp(-2 i pi z / h)) or, where `whole`, with a minus. */
CUPRIC_APART cdouble
faddeeva_pole(double x, double y, bool whole)
{
    const double rate = 6.283185307179586477 / FADDEEVA_STEP();
    const words<double> t = sine_and_cosine(rate * x);
    const double growth = exp_apart(rate * y) * (whole ? -1 : 1);
    return times_bell(over(cdouble(2, 0), cdouble(1 + growth * t.lo, -growth * t.hi)),
                      cdouble(x, y));
}

/* Of z = x + iy, x >= 0, y > 0, |z| <= 8. */
CUPRIC_APART cdouble
faddeeva_near(double x, double y)
{
    const double h = FADDEEVA_STEP(), pi = 3.14159265358979323846;
    const double place = x / h, fraction = place - float_floor(place);
    const bool whole = fraction >= 0.25 && fraction <= 0.75;
    const double re = (x - y) * (x + y), im = 2 * x * y;
    const faddeeva_sums s = faddeeva_sum(re, im, whole);
    /* 2 i h z / pi times the sum */
    const double c = 2 * h / pi;
    cdouble w(c * y * (2 * x * x * s.im - s.re), c * x * (s.re + 2 * y * y * s.im));
    if (whole) { /* i h / (pi z) of the point 0 */
        const double scale = h / (pi * (x * x + y * y));
        w = plus(w, cdouble(scale * y, scale * x));
    }
    if (y < x || y < pi / h) w = plus(w, faddeeva_pole(x, y, whole));
    return w;
}

/* i / (sqrt(pi) z) (1 + 1 / (2 z**2) + 3 / (2 z**2)**2 + ...), |z| > 8. */
CUPRIC_APART cdouble
faddeeva_far(double x, double y)
{
    const double root = 0.56418958354775628695; /* 1 / sqrt(pi) */
    const cdouble v = inverse(cdouble(x, y)), s = times(0.5, times(v, v));
    const double size = sum_of_parts(s);
    cdouble sum(1, 0);
    const int terms = size < 1e-12 ? 1 : size < 1e-3 ? 6 : 17;
    for (int k = terms; k > 0; k--) {
        sum = times(times(2 * k - 1, s), sum);
        sum.re += 1;
    }
    cdouble w = turned(times(times(root, v), sum));
    if (y < 1e-4 && x < 27) w.re += bell(x); /* all that there is on the real line */
    return w;
}

/* Of the upper half-plane. */
CUPRIC_APART cdouble
faddeeva_above(double x, double y)
{
    const double width = without_sign(x);
    if (y == 0) return cdouble(bell(x), 1.1283791670955125739 * dawsn(x));
    if (x == 0) return cdouble(erfcx(y), x);
    const bool far = width > 8 || y > 8 || width * width + y * y > 64;
    cdouble w = far ? faddeeva_far(width, y) : faddeeva_near(width, y);
    w.im = times_sign(w.im, x);
    return w;
}

CUPRIC_APART cdouble
faddeeva(cdouble z)
{
    const double inf = infinity<double>();
    if (is_any_nan(z)) return complex_nan();
    if (without_sign(z.re) == inf || without_sign(z.im) == inf) {
        if (z.im == -inf && without_sign(z.re) < inf)
            return z.re == 0 ? cdouble(inf, 0) : complex_nan();
        return cdouble(0, 0);
    }
    if (z.re == 0) return cdouble(erfcx(z.im), z.re);
    if (z.im >= 0) return faddeeva_above(z.re, z.im);
    const cdouble w = faddeeva_above(-z.re, -z.im);
    return minus(times_bell(cdouble(2, 0), z), w);
}

} /* namespace elementary */
CUPRIC_END

#endif
