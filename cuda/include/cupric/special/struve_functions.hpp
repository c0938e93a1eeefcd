/* special/struve_functions.hpp: Struve functions of double (https://dlmf.nist.gov/11).
 *
 * H by its power series for a small argument, by a series of Bessel functions (11.4.19) for
 * an order that is not below the argument, where all of its terms are positive, else from Y
 * and their difference, which is an integral (11.5.2) or for a large argument an asymptotic
 * series (11.6.1). L by its power series, or from I and the same asymptotic series.
 */
#ifndef CUPRIC_SPECIAL_STRUVE_FUNCTIONS_HPP
#define CUPRIC_SPECIAL_STRUVE_FUNCTIONS_HPP

#include "cupric/special/bessel.hpp"

CUPRIC_BEGIN

namespace elementary {

/* 1 / gamma(x), with its sign; 0 at the poles. */
CUPRIC_MATH double
reciprocal_of_gamma(double x)
{
    if (x <= 0 && is_whole(x)) return 0;
    if (x < 170) return 1 / gamma(x);
    return exp(-gammaln(x));
}

/* (x / 2)**power / gamma(a), where neither alone need be a number. */
CUPRIC_APART double
power_over_gamma(double x, double power, double a)
{
    if (a <= 0 && is_whole(a)) return 0;
    if (without_sign(a) < 150 && without_sign(power) < 150) {
        const double p = pow(0.5 * x, power);
        if (p > 1e-280 && p < 1e280) return p / gamma(a);
    }
    const double sign = a < 0 && is_odd(floor(a)) ? -1 : 1;
    return sign * exp(power * log(0.5 * x) - gammaln(a));
}

/* The power series: of H if `sign` is -1, of L if it is 1, over (x / 2)**(order + 1). A first
 * term that is 0 is left out. */
CUPRIC_APART double
struve_series(double order, double x, double sign)
{
    const double q = sign * 0.25 * x * x;
    int k = 0;
    /* gamma(k + order + 3 / 2) may have a pole */
    if (order <= -1.5 && is_whole(order + 0.5)) k = int(-0.5 - order);
    double term = power_over_gamma(x, order + 1 + 2 * k, k + order + 1.5) *
                  reciprocal_of_gamma(k + 1.5);
    if (sign < 0 && (k & 1)) term = -term;
    double sum = term, least = 0;
    for (; k < 4000; k++) {
        const double a = k + 1.5, b = k + order + 1.5;
        term *= q / (a * b);
        sum += term;
        least = without_sign(term) - 0x1p-56 * without_sign(sum);
        if (b > 0 && least <= 0 && without_sign(q) < 4 * a * b) break;
    }
    return sum;
}

/* H by a series of J of order + 1/2, order + 3/2, ... of which all are positive: downward from
 * where they are nothing, with the coefficients, and scaled by the first of each. */
CUPRIC_APART double
struve_by_bessel(double order, double x)
{
    const double first = order + 0.5, w = 2 / x, half = 0.5 * x;
    if (x > 20000) return nan<double>(); /* of too many terms */
    const int last = 40 + int(0.75 * x + 6 * cbrt(x));
    double next = 0, at = 0x1p-500, factor = 1, sum = 0;
    for (int k = last; k > 0; k--) {
        sum += factor / (k + 0.5) * at;
        const double below = (first + k) * w * at - next;
        next = at;
        at = below;
        factor *= k / half;
        const double size = without_sign(sum) + factor + at;
        if (size > 1e120) {
            const double down = 1e-120;
            at *= down, next *= down, sum *= down;
            if (factor > 1e60) factor *= down, sum *= down;
        }
    }
    sum += 2 * factor * at;
    const double j = jv(first, x);
    return j * root(x * 0.15915494309189533577) * (sum / at) / factor;
}

/* H - Y, or for `sign` = -1 I - L, by the asymptotic series, whose first term is the largest. */
CUPRIC_APART double
struve_far(double order, double x, double sign)
{
    const double w = 4 / (x * x);
    double term = power_over_gamma(x, order - 1, order + 0.5) * 0.56418958354775628695;
    double sum = term;
    for (int k = 0; k < 60; k++) {
        const double factor = sign * (k + 0.5) * (order - 0.5 - k) * w;
        if (without_sign(factor) >= 1 && k > order) break;
        term *= factor;
        sum += term;
        if (without_sign(term) <= 0x1p-56 * without_sign(sum)) break;
    }
    return sum;
}

/* H - Y for order > -1/2 by the integral of exp(-x t) (1 + t**2)**(order - 1/2), of
 * t = exp(u - exp(-u)) by the trapezoidal rule. */
CUPRIC_APART double
struve_integral(double order, double x)
{
    const double step = 1.0 / 12, power = order - 0.5;
    double sum = 0;
    for (int k = -45; k < 80; k++) {
        const double u = k * step, d = exp(-u),
                     s = exp(u - d) / x * (1 + without_sign(order));
        const double part = exp(power * log1p(s * s) - x * s) * s * (1 + d);
        sum += part;
        if (k > 0 && part < 0x1p-60 * sum) break;
    }
    return 1.1283791670955125739 * power_over_gamma(x, order, order + 0.5) * step * sum;
}

/* H - Y of any order for x > |order|. */
CUPRIC_APART double
struve_less_y(double order, double x)
{
    if (x > 40 && x > 1.5 * without_sign(order)) return struve_far(order, x, 1);
    if (order > -0.5) return struve_integral(order, x);
    /* downward: that of order - 1 from those of order and order + 1 */
    if (order < -20000) return nan<double>();
    const int steps = int(ceil(-0.5 - order)) + 1;
    double v = order + steps, above = struve_integral(v + 1, x),
           at = struve_integral(v, x);
    for (int k = 0; k < steps; k++) {
        const double more = power_over_gamma(x, v, v + 1.5) * 0.56418958354775628695;
        const double below = v * (2 / x) * at + more - above;
        above = at;
        at = below;
        v -= 1;
    }
    return at;
}

CUPRIC_MATH double
struve_at_zero(double order)
{
    if (order > -1) return 0;
    if (order == -1) return 0.63661977236758134308;
    const double half = order + 1.5;
    const bool negative = half < 0 && is_odd(floor(half));
    return negative ? -infinity<double>() : infinity<double>();
}

/* H of x > 0. */
CUPRIC_APART double
struve_h(double order, double x)
{
    if (order < 0 && is_whole(order + 0.5)) {
        const double n = -0.5 - order, j = jv(-order, x);
        return is_odd(n) ? -j : j;
    }
    const double s = order + 1.5;
    if (x < 4 || x * x < 4 * s) return struve_series(order, x, -1);
    if (order >= x) return struve_by_bessel(order, x);
    if (x <= -order) return struve_series(order, x, -1);
    return yv(order, x) + struve_less_y(order, x);
}

/* L of x > 0. */
CUPRIC_APART double
struve_l(double order, double x)
{
    if (order < 0 && is_whole(order + 0.5)) return iv(-order, x);
    if (x < 50 || x < 2 * without_sign(order)) return struve_series(order, x, 1);
    return iv(order, x) - struve_far(order, x, -1);
}

} /* namespace elementary */

/* Struve function of real order. Of large orders the parts of a sum overflow or vanish that
 * the whole does not: those are not computed. */
CUPRIC_APART double
struve(double order, double x)
{
    using namespace elementary;
    if (x != x || order != order) return nan<double>();
    if (x == 0) return struve_at_zero(order);
    if (without_sign(order) > 600) return nan<double>();
    const double y = without_sign(x);
    if (x < 0 && !is_whole(order)) return nan<double>();
    if (!(y < infinity<double>() && without_sign(order) < infinity<double>()))
        return nan<double>();
    const double h = struve_h(order, y);
    return x < 0 && !is_odd(order) ? -h : h;
}

/* Modified Struve function of real order. */
CUPRIC_APART double
modstruve(double order, double x)
{
    using namespace elementary;
    if (x != x || order != order) return nan<double>();
    if (x == 0) return struve_at_zero(order);
    if (without_sign(order) > 600) return nan<double>();
    const double y = without_sign(x);
    if (x < 0 && !is_whole(order)) return nan<double>();
    const double l = y < infinity<double>() ? struve_l(order, y) : y;
    return x < 0 && !is_odd(order) ? -l : l;
}

CUPRIC_END

#endif
