/* special/gauss.hpp: Gauss's hypergeometric function 2F1 of real and complex arguments.
 *
 * By its power series, after that of Pfaff's and Euler's transformations (15.8.1 of
 * https://dlmf.nist.gov) which loses the fewest digits; beside 1 and infinity by those that
 * lead there (15.8.2 to 15.8.5), where their gamma functions are away from poles; for real
 * arguments in the limit of a whole c - a - b by logarithmic series (15.8.10); else by steps
 * of Taylor's series from where the power series is good, which do not mind limits and reach
 * the points exp(+-i pi / 3), to which no transformation brings 0 nearer.
 */
#ifndef CUPRIC_SPECIAL_GAUSS_HPP
#define CUPRIC_SPECIAL_GAUSS_HPP

#include "cupric/special/gamma.hpp"
#include "cupric/special/hypergeometric_series.hpp"

CUPRIC_BEGIN

namespace hypergeometric {

template <class T>
CUPRIC_MATH summed<T>
gauss_series(double a, double b, double c, T z)
{
    const parameters p = {a, b, true, true, c};
    return power_series(p, z, 1.0);
}

/* By the series itself or Euler's transformation, or by steps where both lose digits. */
template <class T>
CUPRIC_APART T
gauss_inside(double a, double b, double c, T z)
{
    const summed<T> direct = gauss_series(a, b, c, z);
    if (direct.loss < 10) return direct.value;
    const summed<T> other = gauss_series(c - a, c - b, c, z);
    const bool turns = other.loss < direct.loss;
    if ((turns ? other.loss : direct.loss) < 40 || c < 0)
        return turns ? other.value * power_of(T(T(1) - z), c - a - b) : direct.value;
    const parameters p = {a, b, true, true, c};
    return continued(p, z);
}

/* (a)_n / (c)_n. */
CUPRIC_MATH double
rising_quotient(double a, double c, double n)
{
    double product = 1;
    for (double k = 0; k < n; k++) product *= (a + k) / (c + k);
    return product;
}

/* 2F1(-n, b; c; z): its sum, or that of another polynomial (15.8.1, 15.8.7), or by a
 * recurrence (15.5.11). */
template <class T>
CUPRIC_APART T
gauss_polynomial(double n, double b, double c, T z)
{
    const summed<T> direct = gauss_series(-n, b, c, z);
    if (direct.loss < 10 || n > 1e4 || is_pole(c)) return direct.value;
    const T w = T(1) - z;
    if (!is_pole(b - c - n + 1)) {
        const summed<T> other = gauss_series(-n, b, b - c - n + 1, w);
        if (other.loss < 10) return other.value * T(rising_quotient(c - b, c, n));
    }
    const summed<T> turned = gauss_series(-n, c - b, c, T(z / (z - T(1))));
    if (turned.loss < 30) return turned.value * power_of(w, n);
    T before = T(1), value = T(1) - z * T(b / c);
    for (double k = 1; k < n; k++) {
        const T middle = T(c + 2 * k) - z * T(b + k);
        const T next = middle * value - before * w * T(k);
        before = value, value = next * T(1 / (c + k));
    }
    return value;
}

/* ---- beside 1 and infinity ----------------------------------------------------------------- */

/* What a sum of two terms with gamma(d) and gamma(-d) loses: near a whole d that which is
 * smaller beside the singular point nears a pole, as does a part of the other. */
template <class T>
CUPRIC_MATH summed<T>
sum_of_two(double d, T first, double first_loss, T second, double second_loss)
{
    const double distance = magnitude(d - rint(d)), pole = size(d < 0 ? first : second);
    const double most = size(first) * first_loss + size(second) * second_loss;
    if (pole == 0 && distance < 0.01) return {T(0), 1e300}; /* 0 times infinity */
    return summed_up(T(first + second), most + pole / distance);
}

/* By w = 1 - z, small: 15.8.4. */
template <class T>
CUPRIC_APART summed<T>
gauss_beside_1(double a, double b, double c, T w)
{
    const double d = c - a - b;
    const summed<T> one = gauss_series(a, b, 1 - d, w);
    const summed<T> two = gauss_series(c - a, c - b, 1 + d, w);
    const T first = one.value * T(gamma_quotient(c, d, c - a, c - b));
    const T second = two.value * power_of(w, d) * T(gamma_quotient(c, -d, a, b));
    return sum_of_two(d, first, one.loss, second, two.loss);
}

/* By 1 / z, small: 15.8.2. */
template <class T>
CUPRIC_APART summed<T>
gauss_far(double a, double b, double c, T z)
{
    const T over = T(1) / z;
    const summed<T> one = gauss_series(a, a - c + 1, a - b + 1, over);
    const summed<T> two = gauss_series(b, b - c + 1, b - a + 1, over);
    const T first =
        one.value * power_of(T(-z), -a) * T(gamma_quotient(c, b - a, b, c - a));
    const T second =
        two.value * power_of(T(-z), -b) * T(gamma_quotient(c, a - b, a, c - b));
    return sum_of_two(b - a, first, one.loss, second, two.loss);
}

/* 15.8.10: 2F1(a, b; a + b + m; 1 - w) of a whole m >= 0 and 0 < w < 1, where neither a nor b
 * is a pole. */
CUPRIC_APART double
gauss_logarithmic(double a, double b, int m, double w)
{
    const double c = a + b + m;
    double term = 1, sum = m > 0 ? 1 : 0;
    for (int n = 0; n + 1 < m; n++) {
        term *= (a + n) * (b + n) / ((n + 1.0) * (1.0 - m + n)) * w;
        sum += term;
    }
    if (m > 0) sum *= gamma_quotient(m, c, a + m, b + m);
    double digammas = psi(a + m) + psi(b + m) - psi(1.0) - psi(1.0 + m);
    const double log_w = in_double::log(w);
    double factor = 1, series = 0;
    for (int n = 1; n <= m; n++) factor *= w / n;
    for (int n = 0; n < MOST_TERMS; n++) {
        const double next = factor * (log_w + digammas);
        series += next;
        if (magnitude(next) <= 1e-17 * magnitude(series) &&
            magnitude(factor) <= 1e-17 * magnitude(series))
            break;
        const double p = a + m + n, q = b + m + n;
        digammas += 1 / p + 1 / q - 1 / (n + 1.0) - 1 / (n + m + 1.0);
        factor *= p * q / ((n + 1.0) * (n + m + 1.0)) * w;
    }
    const double before = gamma_quotient(c, 1, a, b);
    return sum - (m & 1 ? -before : before) * series;
}

/* Straight to w; round 0 by the imaginary axis if it is left of it. */
CUPRIC_MATH solution<double>
around_0(const parameters p, double at, double w, solution<double> u, double)
{
    return along_path(p, at, w, u);
}
CUPRIC_APART solution<complex128>
around_0(const parameters p, complex128 at, complex128 w, solution<complex128> u,
         double side)
{
    if (w.re >= 0) return along_path(p, at, w, u);
    const complex128 corner(0, side * length(w));
    return along_path(p, corner, w, along_path(p, at, corner, u));
}

/* By steps from 0 to 1 - w, w on this side of the real axis. The second half is of the same
 * equation in w, as the digits of w are lost in 1 - w. */
template <class T>
CUPRIC_APART T
gauss_to_1(double a, double b, double c, T w, double side)
{
    const parameters p = {a, b, true, true, c}, q = {a, b, true, true, a + b - c + 1};
    const beginning<T> first = begun(p, T(0.5));
    solution<T> u = along_path(p, first.at, T(0.5), first.w);
    u.slope = -u.slope;
    return around_0(q, T(0.5), w, u, side).value;
}

/* Whether c - a is 0, -1, ..., and a has lost no digits in it. */
CUPRIC_MATH bool
ends_by_euler(double a, double b, double c)
{
    return is_pole(c - a) && c - (c - b) == b;
}

/* ---- real arguments -------------------------------------------------------------------------- */

/* Of 0 < x < 1, w = 1 - x. */
CUPRIC_APART double
gauss_right(double a, double b, double c, double x, double w)
{
    const double d = c - a - b;
    if (is_pole(a)) return gauss_polynomial(-a, b, c, x);
    if (is_pole(b)) return gauss_polynomial(-b, a, c, x);
    if (ends_by_euler(a, b, c))
        return power_of(w, d) * gauss_polynomial(a - c, c - b, c, x);
    if (ends_by_euler(b, a, c))
        return power_of(w, d) * gauss_polynomial(b - c, c - a, c, x);
    if (x <= 0.8) return gauss_inside(a, b, c, x);
    const double m = rint(d);
    if (d != m) {
        const summed<double> near = gauss_beside_1(a, b, c, w);
        if (near.loss < 60) return near.value;
    }
    if (d == m && magnitude(m) < 60 && magnitude(a) < 30 && magnitude(b) < 30) {
        if (m >= 0) return gauss_logarithmic(a, b, int(m), w);
        return power_of(w, d) * gauss_logarithmic(c - a, c - b, -int(m), w);
    }
    if (x < 0.97) return gauss_inside(a, b, c, x);
    return gauss_to_1(a, b, c, w, 1);
}

/* Of x < 1: left of 0 by one of Pfaff's transformations. */
CUPRIC_APART double
gauss_of_real(double a, double b, double c, double x)
{
    if (x >= 0) return gauss_right(a, b, c, x, 1 - x);
    if (is_pole(a)) return gauss_polynomial(-a, b, c, x);
    if (is_pole(b)) return gauss_polynomial(-b, a, c, x);
    if (x > -0.6) {
        const summed<double> direct = gauss_series(a, b, c, x);
        if (direct.loss < 3) return direct.value;
    }
    if (x < -3 && !is_whole(a - b)) {
        const summed<double> far = gauss_far(a, b, c, x);
        if (far.loss < 20) return far.value;
    }
    const double w = 1 / (1 - x), y = x > -1 ? x / (x - 1) : 1 - w;
    const bool first = (a > 0 && c - b > 0) || !(b > 0 && c - a > 0);
    if (first) return power_of(1 - x, -a) * gauss_right(a, c - b, c, y, w);
    return power_of(1 - x, -b) * gauss_right(b, c - a, c, y, w);
}

/* At 1: 15.4.20. */
CUPRIC_MATH double
gauss_at_1(double a, double b, double c)
{
    return c - a - b > 0 ? gamma_quotient(c, c - a - b, c - a, c - b) : infinite();
}

/* From 1 on, where only sums that end are real, and at -infinity. */
CUPRIC_APART double
gauss_from_1(double a, double b, double c, double x)
{
    if (is_pole(a)) return gauss_polynomial(-a, b, c, x);
    if (is_pole(b)) return gauss_polynomial(-b, a, c, x);
    if (x == 1) return gauss_at_1(a, b, c);
    if (x < 0) return no_number();
    const double d = c - a - b;
    if (x == infinite() || !is_whole(d)) return infinite();
    if (is_pole(c - a))
        return power_of(1 - x, d) * gauss_polynomial(a - c, c - b, c, x);
    if (is_pole(c - b))
        return power_of(1 - x, d) * gauss_polynomial(b - c, c - a, c, x);
    return infinite();
}

/* c = 0, -1, ... before which no polynomial ends. */
CUPRIC_MATH bool
is_gauss_pole(double a, double b, double c)
{
    return is_pole(c) && !(is_pole(a) && a >= c) && !(is_pole(b) && b >= c);
}

/* ---- complex arguments ------------------------------------------------------------------------ */

/* 1 - z and 1 / z, which know the side of the real axis by the sign of 0, too. */
CUPRIC_MATH complex128
less_from_1(complex128 z)
{
    return complex128(1 - z.re, -z.im);
}
CUPRIC_MATH complex128
inverse_of(complex128 z)
{
    const double over = 1 / length(z);
    return complex128(z.re * over * over, -z.im * over * over);
}

/* By steps, which keep away from 1: far away by the imaginary axis. */
CUPRIC_APART complex128
gauss_by_steps(double a, double b, double c, complex128 z)
{
    const parameters p = {a, b, true, true, c};
    const double r = length(z), up = sign_bit(z.im) ? -1 : 1;
    const complex128 w = less_from_1(z), over = inverse_of(w);
    if (length(w) < 0.5) return gauss_to_1(a, b, c, w, -up);
    if (length(w) > 1.5) /* Pfaff's, of the larger of two powers */
        return a < b ? power_of(w, -a) * gauss_to_1(a, c - b, c, over, up)
                     : power_of(w, -b) * gauss_to_1(b, c - a, c, over, up);
    if (z.re < 0.7 || r < 1.1) return continued(p, z);
    const complex128 corner(0, up * r);
    const beginning<complex128> first = begun(p, corner);
    const solution<complex128> u = along_path(p, first.at, corner, first.w);
    return along_path(p, corner, z, u).value;
}

/* Off the real axis, or right of 1 on it. */
CUPRIC_APART complex128
gauss_of_complex(double a, double b, double c, complex128 z)
{
    const complex128 w = less_from_1(z);
    const double r = length(z), s = length(w);
    if (r <= 0.85 && r <= 1.2 * s) return gauss_inside(a, b, c, z);
    if (r <= 0.85 * s) /* Pfaff's */
        return power_of(w, -a) * gauss_inside(a, c - b, c, complex128(-z / w));
    summed<complex128> best = {complex128(0), 1e300};
    if (s < 0.85 && !is_whole(c - a - b)) best = gauss_beside_1(a, b, c, w);
    if (r > 1.18 && !(best.loss < 40) && !is_whole(a - b)) best = gauss_far(a, b, c, z);
    if (s > 1.18 && !(best.loss < 40) && !is_whole(a - b)) { /* 15.8.3 */
        best = gauss_beside_1(a, c - b, c, inverse_of(w));
        best.value = power_of(w, -a) * best.value;
    }
    return best.loss < 40 ? best.value : gauss_by_steps(a, b, c, z);
}

} /* namespace hypergeometric */

CUPRIC_APART double
hyp2f1(double a, double b, double c, double x)
{
    using namespace hypergeometric;
    if (a != a || b != b || c != c || x != x) return no_number();
    if (x == 0 || a == 0 || b == 0) return 1;
    if (is_gauss_pole(a, b, c)) return infinite();
    if (is_inf(a) || is_inf(b) || is_inf(c)) return no_number();
    if (!is_pole(c) && (a == c || b == c)) {
        const double power = a == c ? b : a;
        return x == 1 ? (power > 0 ? infinite() : 0) : power_of(1 - x, -power);
    }
    if (x >= 1 || is_inf(x)) return gauss_from_1(a, b, c, x);
    return gauss_of_real(a, b, c, x);
}

CUPRIC_APART complex128
hyp2f1(double a, double b, double c, complex128 z)
{
    using namespace hypergeometric;
    if (a != a || b != b || c != c || is_nan(z))
        return complex128(no_number(), no_number());
    if (z.im == 0 && z.re <= 1) return complex128(hyp2f1(a, b, c, z.re), z.im);
    if (a == 0 || b == 0) return complex128(1);
    if (is_gauss_pole(a, b, c)) return complex128(infinite(), 0);
    if (is_inf(a) || is_inf(b) || is_inf(c) || is_inf(z))
        return complex128(no_number(), no_number());
    const double d = c - a - b;
    const complex128 w = less_from_1(z);
    if (is_pole(a)) return gauss_polynomial(-a, b, c, z);
    if (is_pole(b)) return gauss_polynomial(-b, a, c, z);
    if (a == c || b == c) return power_of(w, a == c ? -b : -a);
    if (ends_by_euler(a, b, c))
        return power_of(w, d) * gauss_polynomial(a - c, c - b, c, z);
    if (ends_by_euler(b, a, c))
        return power_of(w, d) * gauss_polynomial(b - c, c - a, c, z);
    return gauss_of_complex(a, b, c, z);
}

CUPRIC_END

#endif
