/* special/integrals_real.hpp: the exponential integrals E1 and Ei, the sine and cosine
 * integrals and the dilogarithm of double. Their smooth parts are polynomials
 * (integrals_pieces.hpp), what is not smooth, and the zero of Ei, is a factor or a term.
 */
#ifndef CUPRIC_SPECIAL_INTEGRALS_REAL_HPP
#define CUPRIC_SPECIAL_INTEGRALS_REAL_HPP

#include "cupric/special/complex_pieces.hpp"
#include "cupric/special/integrals_pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

struct double_pair {
    double first, second;
};

CUPRIC_MATH constexpr double
EULER()
{
    return 0.57721566490153286061;
}

/* x exp(x) E1(x) for x > 1, and x exp(-x) Ei(x) for x > 2. */
CUPRIC_MATH double
e1_varying(double x)
{
    return x < 64 ? e1_middle(x) : e1_far(1 / x);
}
CUPRIC_MATH double
ei_varying(double x)
{
    return x < 64 ? ei_middle(x) : ei_far(1 / x);
}

/* Of x > 0. */
CUPRIC_APART double
e1_right(double x)
{
    if (x <= 1) return x * e1_near(x) - (log(x) + EULER());
    if (x > 746) return 0;
    const double half = exp(-0.5 * x);
    return half * (e1_varying(x) / x) * half;
}

CUPRIC_APART double
ei_right(double x)
{
    const double zero = 0x1.7d72952b4b5fcp-2, zero_low = 0x1.e4c986021c6f2p-57;
    if (x < 0x1p-900) return log(x) + EULER();
    if (x <= 2) {
        const double from = (x - zero) - zero_low, ratio = from / zero;
        const double l = without_sign(ratio) < 0.5 ? log1p(ratio) : log(x / zero);
        return l + from * ei_near(x - 1);
    }
    if (x > 720) return infinity<double>();
    const double half = exp(0.5 * x);
    return half * (ei_varying(x) / x) * half;
}

CUPRIC_APART double
exp1(double x)
{
    if (x == 0) return infinity<double>();
    return x > 0 ? e1_right(x) : nan<double>();
}

CUPRIC_APART double
expi(double x)
{
    if (x == 0) return -infinity<double>();
    if (x != x) return x;
    return x > 0 ? ei_right(x) : -e1_right(-x);
}

/* ---- sine and cosine integrals ------------------------------------------------------- */

/* pi / 2 - f(x) cos(x) - g(x) sin(x) and f(x) sin(x) - g(x) cos(x) for x > 4 */
CUPRIC_APART double_pair
sici_far(double x)
{
    const double half_pi = 1.57079632679489661923;
    const double inverse = 1 / x, s = inverse * inverse;
    const double f = inverse * (x < 32 ? si_f(x) : si_f_far(s));
    const double g = s * (x < 32 ? si_g(x) : si_g_far(s));
    const words<double> t = sine_and_cosine(x);
    return {half_pi - (f * t.lo + g * t.hi), f * t.hi - g * t.lo};
}

CUPRIC_APART double_pair
sici_of(double x)
{
    const double y = without_sign(x), s = x * x, half_pi = 1.57079632679489661923;
    double_pair p = {x, x};
    if (x == 0) {
        p.second = -infinity<double>();
    } else if (y <= 4) {
        p = {y * si_near(s), EULER() + log(y) + s * ci_near(s)};
    } else if (y < infinity<double>()) {
        p = sici_far(y);
    } else if (y == y) {
        p = {half_pi, 0};
    }
    p.first = times_sign(without_sign(p.first), x);
    if (x == -infinity<double>()) p.second = nan<double>();
    return p;
}

/* (Ei(x) + E1(x)) / 2 and (Ei(x) - E1(x)) / 2, near 0 by polynomials. */
CUPRIC_APART double_pair
shichi_of(double x)
{
    const double y = without_sign(x), s = x * x;
    double_pair p = {x, x};
    if (x == 0) {
        p.second = -infinity<double>();
    } else if (y <= 2) {
        p = {y * shi_near(s), EULER() + log(y) + s * chi_near(s)};
    } else if (y < 25) {
        const double i = ei_right(y), e = e1_right(y);
        p = {0.5 * (i + e), 0.5 * (i - e)};
    } else if (y < 722) {
        const double half = exp(0.5 * y), h = half * (0.5 * ei_varying(y) / y) * half;
        p = {h, h};
    } else if (y == y) {
        p = {infinity<double>(), infinity<double>()};
    }
    p.first = times_sign(without_sign(p.first), x);
    return p;
}

/* ---- dilogarithm --------------------------------------------------------------------- */

/* Li2(1 - exp(-u)) = u - u**2 / 4 + sum of B_2k u**(2 k + 1) / (2 k + 1)!: G. 't Hooft and
 * M. Veltman, "Scalar one-loop integrals", Nuclear Physics B 153 (1979). */
CUPRIC_MATH double
dilog_of_exp(double u)
{
    const double s = u * u;
    return u * (1 - 0.25 * u +
                s * horner(s, 2.395218621026187e-19, -1.0356517612181247e-17,
                           4.518980029619918e-16, -1.9939295860721074e-14,
                           8.921691020456452e-13, -4.0647616451442256e-11,
                           1.8978869988971e-09, -9.185773074661964e-08,
                           4.72411186696901e-06, -0.0002777777777777778,
                           0.027777777777777776));
}

/* The integral of log(t) / (1 - t) from 1 to x, Li2(1 - x). */
CUPRIC_APART double
spence(double x)
{
    const double square = 1.64493406684822643647; /* pi**2 / 6 */
    if (!(x >= 0)) return nan<double>();
    if (x == 0) return square;
    if (x == infinity<double>()) return -x;
    const double l = log(x);
    if (x >= 0.5 && x <= 2) return dilog_of_exp(0 - l);
    const double y = x < 1 ? x : 1 / x, other = log1p(-y), m = x < 1 ? l : -l;
    const double below = square - m * other - dilog_of_exp(-other);
    return x < 1 ? below : -below - 0.5 * l * l;
}

} /* namespace elementary */
CUPRIC_END

#endif
