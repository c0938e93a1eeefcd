/* special/legendre.hpp: Legendre's functions P_v and P_v^m of real degree v and integer
 * order m (https://dlmf.nist.gov/14), of real x.
 *
 * Series about x = 1 and x = -1 give those of two degrees next to m, from where the
 * recurrence over the degree leads to v.
 */
#ifndef CUPRIC_SPECIAL_LEGENDRE_HPP
#define CUPRIC_SPECIAL_LEGENDRE_HPP

#include "cupric/special/gamma.hpp"
#include "cupric/special/gauss.hpp"
#include "cupric/special/recurrences.hpp"

CUPRIC_BEGIN

namespace elementary {
namespace orthogonal {

/* sin(pi v) / pi, exact where v is an integer. */
CUPRIC_MATH double
sine_of_turns(double v)
{
    const double pi = constants<double>::PI(), n = rint(v);
    const double s = sin(pi * (v - n)) / pi;
    return is_odd(n) ? -s : s;
}

/* The sum of (a)_k (b)_k / ((c)_k k!) z**k, |z| <= 1/2. */
CUPRIC_APART double
gauss_sum(double a, double b, double c, double z)
{
    double term = 1, sum = 1;
    for (double k = 0; k < 20000; k++) {
        const double ratio = (a + k) * (b + k) / ((c + k) * (k + 1)) * z;
        term *= ratio;
        sum += term;
        if (without_sign(term) <= 1e-17 * without_sign(sum) && without_sign(ratio) < 1)
            break;
    }
    return sum;
}

/* P_v^m as x nears -1, v not an integer and w = (1 + x) / 2: with q = sqrt((1 - x) / (1 + x))
 * q**m sin(pi v) / pi (w**m R S2 - S1), R = (v - m + 1) ... (v + m),
 * S1 = sum of (m - k - 1)! / k! (-v)_k (v + 1)_k (-w)**k, k < m,
 * S2 = sum of (m - v)_k (v + m + 1)_k / (k! (k + m)!) w**k (log w - psi(k + 1) -
 *      psi(k + m + 1) + psi(m - v + k) + psi(v + m + 1 + k)).
 * https://dlmf.nist.gov/15.8 (iv), for a = -v, b = v + 1 and c = m + 1. */
CUPRIC_APART double
legendre_near_minus_one(double m, double v, double x)
{
    const double w = 0.5 * (1 + x), q = ::sqrt((1 - x) / (1 + x));
    double first = 0, second = 0, term = 1, product = 1, power = 1;
    for (double k = 1; k < m; k++) term *= k; /* (m - 1)! */
    for (double k = 0; k < m; k++) {
        first += term;
        if (k + 1 < m) term *= (k - v) * (v + 1 + k) / ((m - k - 1) * (k + 1)) * -w;
    }
    for (double j = 1; j <= m; j++) {
        product *= (v + j) * (v - m + j) * w / j; /* of w**m R / m! */
        power *= q;
    }
    double middle = log(w) - psi(1.0) - psi(m + 1) + psi(m - v) + psi(v + m + 1);
    term = 1;
    for (double k = 0; k < 20000; k++) {
        second += term * middle;
        const double a = m - v + k, b = v + m + 1 + k, c = k + 1, d = k + m + 1;
        const double ratio = a * b / (c * d) * w;
        term *= ratio;
        middle += 1 / a + 1 / b - 1 / c - 1 / d;
        if (without_sign(term) <= 1e-18 * without_sign(second) &&
            without_sign(ratio) < 1)
            break;
    }
    return power * sine_of_turns(v) * (product * second - first);
}

/* P_v^m as x nears 1: (-1)**m (v - m + 1) ... (v + m) / (2**m m!) (1 - x**2)**(m / 2)
 * F(m - v, m + v + 1; m + 1; (1 - x) / 2). */
CUPRIC_APART double
legendre_near_one(double m, double v, double x)
{
    const double size = ::sqrt((1 - x) * (1 + x));
    double factor = 1;
    for (double j = 1; j <= m; j++) factor *= -(v + j) * (v - m + j) / (2 * j) * size;
    return factor * gauss_sum(m - v, m + v + 1, m + 1, 0.5 * (1 - x));
}

/* Whether a series has few terms that cancel: that about -1. */
CUPRIC_MATH bool
is_short_series(double m, double v, double x)
{
    return v - m < 0.5 || (x < 0 && (v + 1) * (v + 1) * (1 + x) <= 4 * (m + 1));
}

CUPRIC_MATH double
legendre_series(double m, double v, double x)
{
    return x < 0 ? legendre_near_minus_one(m, v, x) : legendre_near_one(m, v, x);
}

/* From P_u^m and P_(u - 1)^m up to v = u + n. */
CUPRIC_MATH double
legendre_upwards(double n, double m, double u, double x, double now, double before)
{
    for (double k = 0; k < n; k++, u++) {
        const double next = ((2 * u + 1) * x * now - (u + m) * before) / (u - m + 1);
        before = now;
        now = next;
    }
    return now;
}

/* P_n^m, of 0 <= m <= n, integers: (-1)**m (2 m - 1)!! (1 - x**2)**(m / 2) for n = m.
 * With a scale, as it may be tiny or huge where P_n^m is neither. */
CUPRIC_APART double
legendre_of_integers(double m, double n, double x)
{
    const double size = ::sqrt((1 - x) * (1 + x));
    double now = 1, before = 0;
    int scale = 0;
    for (double j = 1; j <= m; j++) {
        now *= -(2 * j - 1) * size;
        if (without_sign(now) < 1e-150 && now != 0) now *= 1e150, scale--;
        if (without_sign(now) > 1e150) now *= 1e-150, scale++;
    }
    for (double u = m; u < n; u++) {
        const double next = ((2 * u + 1) * x * now - (u + m) * before) / (u - m + 1);
        before = now;
        now = next;
        if (without_sign(now) > 1e150) now *= 1e-150, before *= 1e-150, scale++;
    }
    for (; scale > 0 && without_sign(now) < infinity<double>(); scale--) now *= 1e150;
    for (; scale < 0 && now != 0; scale++) now *= 1e-150;
    return now;
}

/* P_v of no integer v >= -1/2, x > 1, by the recurrence from |u| <= 1/2: up to 3 that is
 * ((1 + x) / 2)**u F(-u, -u; 1; (x - 1) / (x + 1)). */
CUPRIC_APART double
legendre_beyond_one(double v, double x)
{
    const double n = floor(v + 0.5), u = v - n, t = (x - 1) / (x + 1);
    if (x > 3) {
        const double z = 0.5 * (1 - x);
        return legendre_upwards(n, 0, u, x, hyp2f1(-u, u + 1, 1.0, z),
                                hyp2f1(u, 1 - u, 1.0, z));
    }
    const double middle = pow(0.5 * (1 + x), u);
    const double now = middle * gauss_sum(-u, -u, 1, t);
    const double before = gauss_sum(u, u, 1, t) / middle; /* P_(u - 1) = P_-u */
    return legendre_upwards(n, 0, u, x, now, before);
}

/* P_v^m of no integer v >= -1/2 and an integer m >= 0, -1 < x < 1. */
CUPRIC_APART double
legendre_over_degrees(double m, double v, double x)
{
    if (is_short_series(m, v, x)) return legendre_series(m, v, x);
    const double n = floor(v - m + 0.5), u = v - n;
    if (n > MOST_STEPS()) return nan<double>();
    const double now = legendre_series(m, u, x);
    const double before =
        m == 0 ? legendre_series(0, -u, x) : legendre_series(m, u - 1, x);
    return legendre_upwards(n, m, u, x, now, before);
}

/* The same. Left of 0 P_v^m grows with m (https://dlmf.nist.gov/14.10.E1), while of a degree
 * that grows it may be the lesser of two solutions. */
CUPRIC_APART double
legendre_of_real_degree(double m, double v, double x)
{
    if (m < 2 || x >= 0 || is_short_series(m, v, x))
        return legendre_over_degrees(m, v, x);
    const double slope = -2 * x / ::sqrt((1 - x) * (1 + x));
    double before = legendre_over_degrees(0, v, x),
           now = legendre_over_degrees(1, v, x);
    for (double k = 0; k + 1 < m; k++) {
        const double next = (k + 1) * slope * now - (v - k) * (v + k + 1) * before;
        before = now;
        now = next;
    }
    return now;
}

/* P_v^m as x comes to -1, of no integer v. */
CUPRIC_MATH double
legendre_at_minus_one(double v)
{
    return sine_of_turns(v) > 0 ? -infinity<double>() : infinity<double>();
}

/* P_v^-m of m > v, integers: ((1 - x) / (1 + x))**(m / 2) / m! F(-v, v + 1; m + 1; z). */
CUPRIC_APART double
legendre_below_order(double m, double v, double x)
{
    const double z = 0.5 * (1 - x), q = ::sqrt((1 - x) / (1 + x));
    double term = 1, sum = 1, factor = 1;
    for (double k = 0; k < v; k++) {
        term *= (k - v) * (v + 1 + k) / ((m + 1 + k) * (k + 1)) * z;
        sum += term;
    }
    for (double j = 1; j <= m; j++) factor *= q / j;
    return factor * sum;
}

/* The same of m >= 0, -1 <= x <= 1, v >= -1/2. */
CUPRIC_MATH double
legendre_within(double m, double v, double x)
{
    if (x == 1) return m == 0;
    if (v == rint(v)) return m > v ? 0 : legendre_of_integers(m, v, x);
    return x == -1 ? legendre_at_minus_one(v) : legendre_of_real_degree(m, v, x);
}

/* P_v^-m = (-1)**m gamma(v - m + 1) / gamma(v + m + 1) P_v^m. */
CUPRIC_APART double
legendre_of_negative_order(double m, double v, double x)
{
    if (v == rint(v) && m > v) {
        if (x == 1) return 0;
        return x == -1 ? infinity<double>() : legendre_below_order(m, v, x);
    }
    double value = legendre_within(m, v, x);
    for (double j = 1; j <= m; j++) value /= -(v + j) * (v - m + j);
    return value;
}

} /* namespace orthogonal */
} /* namespace elementary */

CUPRIC_END

#endif
