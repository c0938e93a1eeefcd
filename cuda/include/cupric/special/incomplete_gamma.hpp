/* special/incomplete_gamma.hpp: the regularised incomplete gamma functions P(a, x) and
 * Q(a, x) = 1 - P(a, x), and their inverses, of double.
 *
 * Each is computed where it is the smaller one, or where neither is small: by the series of
 * P left of a, by the continued fraction of Q right of it (https://dlmf.nist.gov/8.7,
 * 8.9), by a series of Q for small a and x, and near a large a by Temme's expansion
 * (8.12), of which tools/temme.py makes the coefficients.
 */
#ifndef CUPRIC_SPECIAL_INCOMPLETE_GAMMA_HPP
#define CUPRIC_SPECIAL_INCOMPLETE_GAMMA_HPP

#include "cupric/math/erf_inverses.hpp"
#include "cupric/math/special.hpp"
#include "cupric/special/incomplete_gamma_series.hpp"

CUPRIC_BEGIN

namespace elementary {

/* log(1 + x) - x, of which no digits cancel near 0: by the series of 2 atanh(x / (2 + x)). */
CUPRIC_APART double
log1p_rest(double x)
{
    if (!(x > -0.45 && x < 0.8)) return log1p(x) - x;
    const double r = x / (2 + x), s = r * r;
    const double tail = horner(s, 1 / 33.0, 1 / 31.0, 1 / 29.0, 1 / 27.0, 1 / 25.0,
                               1 / 23.0, 1 / 21.0, 1 / 19.0, 1 / 17.0, 1 / 15.0,
                               1 / 13.0, 1 / 11.0, 1 / 9.0, 1 / 7.0, 1 / 5.0, 1 / 3.0);
    return 2 * r * s * tail - x * r;
}

/* What Stirling's formula leaves of log(gamma(a)), a >= 10: M. Abramowitz and I. A. Stegun,
 * "Handbook of Mathematical Functions" (1964), 6.1.41. */
CUPRIC_MATH double
stirling_rest(double a)
{
    const double w = 1 / a;
    return w * horner(w * w, -3617.0 / 122400, 1.0 / 156, -691.0 / 360360, 1.0 / 1188,
                      -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12);
}

/* log(gamma(1 + x)), -1/2 <= x <= 3/2, to the last digits near 0. */
CUPRIC_MATH double
gammaln1p(double x)
{
    const double slope = 0.42278433509846713939; /* 1 - Euler's constant */
    if (x > 0.5) return gammaln(1 + x);
    return x * (slope + x * gammaln1p_rest(x)) - log1p(x);
}

/* The logarithm of x**a exp(-x) / gamma(a + 1) sqrt(2 pi a), a >= 10, which is -a times what
 * Temme's expansion calls eta**2 / 2, but for the rest of Stirling's formula. Far from x = a
 * it is large, so that its rounding error would show: there it is in two words. */
CUPRIC_APART words<double>
gamma_power(double a, double x)
{
    if (x > 0.55 * a && x < 1.8 * a) return {a * log1p_rest((x - a) / a), 0};
    const double q = x / a, least = format<double>::LEAST_NORMAL();
    if (!(q > least && q < 1e300)) return {-infinity<double>(), 0};
    const double rest = fused(-q, a, x) / a;
    const words<double> log = log_with_low(logarithm_of(q), rest);
    const words<double> first = exact_product(a, log.hi), second = exact_sum(a, -x);
    const words<double> sum = exact_sum(first.hi, second.hi);
    return {sum.hi, sum.lo + (fused(a, log.lo, first.lo) + second.lo)};
}

/* x**a exp(-x) / gamma(a + 1). */
CUPRIC_APART double
gamma_term(double a, double x)
{
    const double two_pi = 6.283185307179586477;
    if (a >= 10) {
        const words<double> power = gamma_power(a, x);
        if (power.hi < -760) return 0;
        const double low = power.lo - stirling_rest(a);
        return exp(power.hi) * exp(low) / sqrt(two_pi * a);
    }
    if (x > 1500) return 0;
    const double half = exp(-0.5 * x); /* as exp(-x) may not be normal */
    return pow(x, a) * half / gamma(a + 1) * half;
}

/* P(a, x) by 1 + x / (a + 1) + x**2 / ((a + 1) (a + 2)) + ..., whose numerator and
 * denominator are summed without a division. It is looked at after every eight terms. */
CUPRIC_APART double
lower_gamma_series(double a, double x, double term)
{
    double power = 1, over = 1, under = 1, n = a;
    if (term == 0) return 0;
    for (int i = 0; i < 400; i += 8) {
        for (int k = 0; k < 8; k++) {
            n += 1;
            power *= x;
            under *= n;
            over = over * n + power;
        }
        if (power <= 1e-17 * over) break;
        const double scale = under > 1e150 ? 1e-150 : 1;
        power *= scale, over *= scale, under *= scale;
    }
    return term * (over / under);
}

/* Q(a, x) by its continued fraction, whose numerators and denominators follow from the
 * two before each without a division. It is looked at after every eight steps. */
CUPRIC_APART double
upper_gamma_fraction(double a, double x, double term)
{
    if (term == 0) return 0;
    double b = x + 1 - a, p0 = 0, p1 = 1, q0 = 1, q1 = b, before = 0;
    for (int i = 1; i < 800; i += 8) {
        for (int k = i; k < i + 8; k++) {
            const double numerator = k * (a - k);
            b += 2;
            const double p = b * p1 + numerator * p0, q = b * q1 + numerator * q0;
            p0 = p1, p1 = p;
            q0 = q1, q1 = q;
        }
        const double h = p1 / q1;
        if (without_sign(h - before) <= 1e-15 * h) break;
        before = h;
        const double size = without_sign(q1);
        const double scale = size > 1e150 ? 1e-150 : size < 1e-150 ? 1e150 : 1;
        p0 *= scale, p1 *= scale, q0 *= scale, q1 *= scale;
    }
    return term * a * (p1 / q1);
}

/* Q(a, x) of small a and x, 1 - x**a / gamma(1 + a) (1 + a sum of (-x)**n / (n! (a + n))). */
CUPRIC_APART double
upper_gamma_series(double a, double x, double *term)
{
    double power = 1, sum = 0;
    for (int n = 1; n < 100; n++) {
        power *= -x / n;
        const double next = power / (a + n);
        sum += next;
        if (without_sign(next) <= 1e-17 * without_sign(sum)) break;
    }
    const double most = expm1(a * log(x) - gammaln1p(a));
    *term = (1 + most) * exp(-x);
    return -most - (1 + most) * a * sum;
}

/* P or, where `upper`, Q of x near a large a. */
CUPRIC_APART double
temme_gamma(double a, double x, bool upper, double *term)
{
    const double two_pi = 6.283185307179586477;
    const double phi = -log1p_rest((x - a) / a);
    const double eta = x < a ? -sqrt(2 * phi) : sqrt(2 * phi);
    const double argument = eta * sqrt(0.5 * a);
    const double bell = exp(-a * phi) / sqrt(two_pi * a);
    const double rest = bell * temme_sum(eta, 1 / a);
    *term = bell * exp(-stirling_rest(a));
    if (upper) return 0.5 * erfc(argument) + rest;
    return 0.5 * erfc(-argument) - rest;
}

/* P(a, x) or, where `upper`, Q(a, x), of 0 < a < infinity and 0 < x < infinity; through
 * *term x**a exp(-x) / gamma(a + 1). What is computed is P, where Q = 1 - P is more than some
 * 0.2, and Q elsewhere; right of it P does not lose digits either where x <= 1. */
CUPRIC_APART double
incomplete_gamma(double a, double x, bool upper, double *term)
{
    if (a > 20 && without_sign(x - a) < 0.3 * a) return temme_gamma(a, x, upper, term);
    const double border = x <= 0.5   ? -0.4 / log(x)
                          : x <= 1.1 ? 1.1 * x
                                     : x - 0.5 * sqrt(x);
    if (a > border || (!upper && x <= 1)) {
        *term = gamma_term(a, x);
        const double p = lower_gamma_series(a, x, *term);
        return upper ? 1 - p : p < 1 ? p : 1;
    }
    double q;
    if (x < 1.6) {
        q = upper_gamma_series(a, x, term);
    } else {
        *term = gamma_term(a, x);
        q = upper_gamma_fraction(a, x, *term);
    }
    return upper ? q : 1 - q;
}

/* At the borders; NaN outside. */
CUPRIC_MATH double
incomplete_gamma_anywhere(double a, double x, bool upper)
{
    double term;
    if (!(a >= 0 && x >= 0)) return nan<double>();
    if (a > 0 && a < infinity<double>() && x > 0 && x < infinity<double>())
        return incomplete_gamma(a, x, upper, &term);
    if ((a == 0 && x == 0) || (a == infinity<double>() && x == infinity<double>()))
        return nan<double>();
    const bool is_zero = x == 0 || a == infinity<double>(); /* P */
    return is_zero == upper;
}

/* A first x with P(a, x) = p, Q(a, x) = q: E. B. Wilson and M. M. Hilferty, "The
 * distribution of chi-square", Proceedings of the National Academy of Sciences 17 (1931),
 * or from the first term of P or Q, where it is small. */
CUPRIC_APART double
inverse_gamma_start(double a, double p, double q)
{
    const double of_1p = a < 1 ? gammaln1p(a) : gammaln(a + 1);
    const double left = exp(((q < p ? log1p(-q) : log(p)) + of_1p) / a);
    const double far = -log(q) - of_1p + log(a);
    if (a < 1) {
        if (left < 0.5 || far <= 1) return left < 1 ? left : 1;
        return far + (a - 1) * log(far);
    }
    if (far > 2 * a) return far + (a - 1) * log(far);
    const double z = p < q ? ndtri(p) : -ndtri(q);
    const double root = 1 - 1 / (9 * a) + z / (3 * sqrt(a));
    const double middle = a * root * root * root;
    return root > 0 && middle > 0.1 * a ? middle : left;
}

/* The x with P(a, x) = p, Q(a, x) = q; p + q = 1, and the smaller one is exact. By Halley's
 * steps for the logarithm of that one over log(x), which stay between the x whose value was too
 * small and that whose value was too large. */
CUPRIC_APART double
inverse_gamma(double a, double p, double q)
{
    const bool upper = q < p;
    const double wanted = upper ? q : p, sign = upper ? -1 : 1;
    double x = inverse_gamma_start(a, p, q), least = 0, most = infinity<double>();
    if (x < 1e-17 * (1 + a) && a < 1e10)
        return x; /* the next terms are below a rounding */
    for (int i = 0; i < 100 && x > 0 && x < infinity<double>(); i++) {
        double term;
        const double value = incomplete_gamma(a, x, upper, &term);
        if ((value < wanted) == upper)
            most = x;
        else
            least = x;
        double step = value < wanted ? sign : -sign; /* where nothing is known */
        if (value > 0 && term > 0) {
            const double slope = a * term / value, misses = log(value / wanted);
            const double bend = 1 - 0.5 * misses * (sign * (a - x) / slope - 1);
            step = -sign * misses / slope / (bend > 0.5 ? bend : 0.5);
            step = step > 2 ? 2 : step < -2 ? -2 : step;
            const double scale = 1 + sqrt(a) + without_sign(a - x);
            if (without_sign(step) * scale <= 4e-6) return x + x * expm1(step);
        }
        const double next = x * exp(step);
        const bool inside = next > least && next < most;
        x = inside ? next : least > 0 ? sqrt(least) * sqrt(most) : 0.5 * most;
    }
    return x;
}

CUPRIC_MATH double
inverse_gamma_anywhere(double a, double p, double q)
{
    if (!(a >= 0 && p >= 0 && q >= 0)) return nan<double>();
    if (p == 0) return 0;
    if (q == 0) return infinity<double>();
    if (a == 0 || a == infinity<double>()) return nan<double>();
    if (a > 1e35) return a; /* no other number is as near */
    return inverse_gamma(a, p, q);
}

} /* namespace elementary */

CUPRIC_MATH double
gammainc(double a, double x)
{
    return elementary::incomplete_gamma_anywhere(a, x, false);
}

CUPRIC_MATH double
gammaincc(double a, double x)
{
    return elementary::incomplete_gamma_anywhere(a, x, true);
}

CUPRIC_MATH double
gammaincinv(double a, double p)
{
    return elementary::inverse_gamma_anywhere(a, p, 1 - p);
}

CUPRIC_MATH double
gammainccinv(double a, double q)
{
    return elementary::inverse_gamma_anywhere(a, 1 - q, q);
}

/* ---- distributions: chi-square, gamma, Poisson ----------------------------------------- */

CUPRIC_MATH double
chdtr(double v, double x)
{
    return gammainc(0.5 * v, 0.5 * x);
}

CUPRIC_MATH double
chdtrc(double v, double x)
{
    return gammaincc(0.5 * v, 0.5 * x);
}

CUPRIC_MATH double
chdtri(double v, double q)
{
    return 2 * gammainccinv(0.5 * v, q);
}

CUPRIC_MATH double
gdtr(double a, double b, double x)
{
    return x < 0 ? elementary::nan<double>() : gammainc(b, a * x);
}

CUPRIC_MATH double
gdtrc(double a, double b, double x)
{
    return x < 0 ? elementary::nan<double>() : gammaincc(b, a * x);
}

CUPRIC_MATH double
pdtr(double k, double m)
{
    if (k < 0 || m < 0) return elementary::nan<double>();
    return m == 0 ? 1 : gammaincc(floor(k) + 1, m);
}

CUPRIC_MATH double
pdtrc(double k, double m)
{
    if (k < 0 || m < 0) return elementary::nan<double>();
    return m == 0 ? 0 : gammainc(floor(k) + 1, m);
}

CUPRIC_MATH double
pdtri(double k, double p)
{
    if (k < 0 || !(p >= 0 && p < 1)) return elementary::nan<double>();
    return gammainccinv(floor(k) + 1, p);
}

CUPRIC_END

#endif
