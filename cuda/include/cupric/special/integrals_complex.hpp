/* special/integrals_complex.hpp: the integrals of complex double.
 *
 * E1(z) by its continued fraction (https://dlmf.nist.gov/6.9), which takes some
 * 160 / (|z| + Re(z)) steps; inside a parabola about the negative axis by the series of
 * 6.6.2, whose terms hardly cancel there, and far out by the asymptotic series. The sine and
 * cosine integrals are made of E1(iz) and E1(-iz).
 */
#ifndef CUPRIC_SPECIAL_INTEGRALS_COMPLEX_HPP
#define CUPRIC_SPECIAL_INTEGRALS_COMPLEX_HPP

#include "cupric/special/integrals_real.hpp"

CUPRIC_BEGIN
namespace elementary {

struct cdouble_pair {
    cdouble first, second;
};

/* The sum of (-1)**(k + 1) z**k / (k! k) from 1 on. */
CUPRIC_APART cdouble
e1_series(cdouble z)
{
    cdouble power(1, 0), sum(0, 0);
    for (int k = 1; k < 150; k++) {
        power = times(-1.0 / k, times(power, z));
        const cdouble term = times(-1.0 / k, power);
        sum = plus(sum, term);
        if (sum_of_parts(term) <= 1e-17 * sum_of_parts(sum)) break;
    }
    return sum;
}

/* exp(z) E1(z) = 1 / (z + 1 - 1 / (z + 3 - 4 / (z + 5 - 9 / ...))) */
CUPRIC_APART cdouble
e1_fraction(cdouble z)
{
    cdouble b(z.re + 1, z.im), p0(0, 0), p1(1, 0), q0(1, 0), q1 = b, before(0, 0);
    for (int i = 1; i < 120; i += 5) {
        for (int k = i; k < i + 5; k++) {
            const double numerator = -double(k) * k;
            b.re += 2;
            const cdouble p = plus(times(b, p1), times(numerator, p0));
            const cdouble q = plus(times(b, q1), times(numerator, q0));
            p0 = p1, p1 = p;
            q0 = q1, q1 = q;
        }
        const cdouble scale = inverse(q1), h = times(p1, scale);
        if (sum_of_parts(minus(h, before)) <= 2e-16 * sum_of_parts(h)) return h;
        before = h;
        p0 = times(p0, scale), p1 = h, q0 = times(q0, scale), q1 = cdouble(1, 0);
    }
    return before;
}

/* z exp(z) E1(z) = 1 - 1! / z + 2! / z**2 - ..., |z| > 45 */
CUPRIC_APART cdouble
e1_asymptotic(cdouble v)
{
    cdouble power(1, 0), sum(1, 0);
    for (int k = 1; k < 45; k++) {
        power = times(-k, times(power, v));
        sum = plus(sum, power);
        if (sum_of_parts(power) < 1e-17) break;
    }
    return sum;
}

/* E1(z), the principal value, of numbers with a negative real part and an imaginary part 0 by
 * the latter's sign. */
CUPRIC_APART cdouble
exp1(cdouble z)
{
    const double pi = 3.14159265358979323846, x = z.re, y = z.im;
    if (is_any_nan(z)) return complex_nan();
    if (x == 0 && y == 0) return cdouble(infinity<double>(), -y);
    if (y == 0) {
        if (x > 0) return cdouble(e1_right(x), -y);
        return cdouble(-ei_right(-x), -times_sign(pi, y));
    }
    if (!is_all_finite(z))
        return x > 0 || without_sign(x) < infinity<double>() ? cdouble(0, 0)
                                                             : complex_nan();
    const double size = in_double::hypot(x, y);
    if (size > 45 && !(x > 0 && size < 1e3)) {
        const cdouble v = inverse(z);
        cdouble w = times_polar(times(v, e1_asymptotic(v)), -x, -y);
        /* all of Stokes' line's, which is tiny here, but not where exp(-z) is real */
        if (x < 0 && without_sign(y) < 1) w.im -= times_sign(pi, y);
        return w;
    }
    if (size + x <= 2) {
        const cdouble l = in_double::log(z), s = e1_series(z);
        return cdouble(s.re - l.re - EULER(), s.im - l.im);
    }
    return times_polar(e1_fraction(z), -x, -y);
}

/* -E1(-z), and i pi on either side. */
CUPRIC_APART cdouble
expi(cdouble z)
{
    const double pi = 3.14159265358979323846;
    if (is_any_nan(z)) return complex_nan();
    if (z.im == 0) return cdouble(expi(z.re), z.im);
    if (z.im != 0 && z.re < 0 && z.re + in_double::hypot(z.re, z.im) > 1e300)
        return cdouble(0, times_sign(pi, z.im));
    const cdouble w = exp1(times(-1, z));
    return cdouble(-w.re, times_sign(pi, z.im) - w.im);
}

/* ---- sine and cosine integrals ------------------------------------------------------- */

/* x sum of (sign x**2)**k / ((2 k + 1)! (2 k + 1)), and the sum of
 * (sign x**2)**k / ((2 k)! 2 k) from 1 on. */
CUPRIC_APART cdouble_pair
sici_series(cdouble z, double sign)
{
    const cdouble s = times(sign, times(z, z));
    cdouble power(1, 0), odd(1, 0), even(0, 0);
    for (int k = 1; k < 20; k++) {
        power = times(1.0 / (2 * k * (2 * k - 1)), times(power, s));
        even = plus(even, times(1.0 / (2 * k), power));
        odd = plus(odd, times(1.0 / ((2 * k + 1) * (2 * k + 1)), power));
    }
    return {times(z, odd), even};
}

/* Si(z) = pi / 2 + i (E1(-iz) - E1(iz)) / 2 and Ci(z) = -(E1(iz) + E1(-iz)) / 2 of the right
 * half-plane, Ci(-z) = Ci(z) +- i pi. */
CUPRIC_APART cdouble_pair
complex_sici(cdouble z)
{
    const double pi = 3.14159265358979323846, inf = infinity<double>();
    if (is_any_nan(z)) return {complex_nan(), complex_nan()};
    if (z.im == 0) {
        const double_pair p = sici_of(without_sign(z.re));
        return {cdouble(times_sign(p.first, z.re), z.im),
                cdouble(p.second, z.re < 0   ? pi
                                  : z.re > 0 ? z.im
                                             : 0)};
    }
    if (!is_all_finite(z)) {
        if (z.re == 0)
            return {cdouble(0, z.im), cdouble(inf, times_sign(0.5 * pi, z.im))};
        return {complex_nan(), complex_nan()};
    }
    if (z.re * z.re + z.im * z.im < 9) {
        const cdouble_pair p = sici_series(z, -1);
        const cdouble l = in_double::log(z);
        return {p.first, cdouble(p.second.re + l.re + EULER(), p.second.im + l.im)};
    }
    const bool left = z.re < 0 || (z.re == 0 && z.im < 0);
    cdouble y = left ? times(-1, z) : z;
    if (y.re == 0) y.re = 0; /* not -0 */
    const cdouble i = turned(y);
    const cdouble up = exp1(i), down = exp1(times(-1, i));
    const cdouble difference = minus(down, up), sum = plus(down, up);
    cdouble s(0.5 * pi - 0.5 * difference.im, 0.5 * difference.re);
    if (y.re == 0) s.re = 0;
    cdouble c(-0.5 * sum.re, -0.5 * sum.im);
    if (!left) return {s, c};
    c.im += z.im >= 0 ? pi : -pi;
    return {times(-1, s), c};
}

/* Shi(z) = -i Si(iz) and Chi(z) = Ci(iz) less i pi / 2, on the branch of log(z). */
CUPRIC_APART cdouble_pair
complex_shichi(cdouble z)
{
    const double pi = 3.14159265358979323846;
    if (is_any_nan(z)) return {complex_nan(), complex_nan()};
    if (z.im == 0) {
        const double_pair p = shichi_of(z.re);
        return {cdouble(p.first, z.im), cdouble(p.second, z.re < 0   ? pi
                                                          : z.re > 0 ? z.im
                                                                     : 0)};
    }
    if (z.re * z.re + z.im * z.im < 9) {
        const cdouble_pair p = sici_series(z, 1);
        const cdouble l = in_double::log(z);
        return {p.first, cdouble(p.second.re + l.re + EULER(), p.second.im + l.im)};
    }
    /* of the right half of what is above or below: iz, or -iz */
    const bool below = z.im < 0;
    const cdouble y = below ? turned(z) : cdouble(z.im, -z.re); /* in the right half */
    const cdouble_pair p = complex_sici(y);
    /* z = i y above, -i y below: Shi(iy) = i Si(y), Chi(iy) = Ci(y) + i pi / 2 */
    if (below)
        return {cdouble(p.first.im, -p.first.re),
                cdouble(p.second.re, p.second.im - 0.5 * pi)};
    return {turned(p.first), cdouble(p.second.re, p.second.im + 0.5 * pi)};
}

/* ---- dilogarithm --------------------------------------------------------------------- */

CUPRIC_MATH cdouble
dilog_of_exp(cdouble u)
{
    /* B_2k / (2 k + 1)! */
    static constexpr double at[11] = {
        0.027777777777777776,    -0.0002777777777777778,  4.72411186696901e-06,
        -9.185773074661964e-08,  1.8978869988971e-09,     -4.0647616451442256e-11,
        8.921691020456452e-13,   -1.9939295860721074e-14, 4.518980029619918e-16,
        -1.0356517612181247e-17, 2.395218621026187e-19};
    const cdouble s = times(u, u);
    cdouble sum(at[10], 0);
    for (int k = 9; k >= 0; k--) {
        sum = times(sum, s);
        sum.re += at[k];
    }
    sum = times(sum, s);
    return times(u, cdouble(sum.re + 1 - 0.25 * u.re, sum.im - 0.25 * u.im));
}

/* Li2(1 - z), cut along the negative axis. Where neither z nor 1 / z is in the right
 * half-plane about 1, by way of 1 - z. */
CUPRIC_APART cdouble
spence(cdouble z)
{
    const double square = 1.64493406684822643647; /* pi**2 / 6 */
    if (is_any_nan(z)) return complex_nan();
    if (z.im == 0 && z.re >= 0) return cdouble(spence(z.re), -z.im);
    if (!is_all_finite(z)) return complex_nan();
    const cdouble l = in_double::log(z);
    if (z.re >= 0.5 && z.re * z.re + z.im * z.im <= 2 * z.re)
        return dilog_of_exp(times(-1, l));
    if (z.re * z.re + z.im * z.im <= 1) { /* with 1 - z as near to 1 as z was not */
        const cdouble other = in_double::log1p(times(-1, z));
        const cdouble both = plus(times(l, other), dilog_of_exp(times(-1, other)));
        return cdouble(square - both.re, -both.im);
    }
    const cdouble v = inverse(z), half = times(0.5, times(l, l));
    if (v.re >= 0.5) return times(-1, plus(dilog_of_exp(l), half));
    const cdouble other = in_double::log1p(times(-1, v));
    /* spence(1 / z) = pi**2 / 6 + log(z) log(1 - 1 / z) - spence(1 - 1 / z) */
    const cdouble below = minus(times(l, other), dilog_of_exp(times(-1, other)));
    return cdouble(-square - below.re - half.re, -below.im - half.im);
}

} /* namespace elementary */
CUPRIC_END

#endif
