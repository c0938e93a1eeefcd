/* special/tricomi.hpp: Tricomi's confluent hypergeometric function U of real arguments.
 *
 * Right of some x by its asymptotic series, else by its integral (13.4.4 of
 * https://dlmf.nist.gov) for a large enough a, over the logarithm of the variable, where the
 * trapezoidal rule converges exponentially; steps of 13.3.7, in which U is the smallest
 * solution for growing a, lead down from there. N. M. Temme, "The numerical computation of
 * the confluent hypergeometric function U(a, b, z)", Numerische Mathematik 41 (1983).
 */
#ifndef CUPRIC_SPECIAL_TRICOMI_HPP
#define CUPRIC_SPECIAL_TRICOMI_HPP

#include "cupric/special/confluent.hpp"
#include "cupric/special/gamma.hpp"

CUPRIC_BEGIN

namespace hypergeometric {

/* U(a, b, x) and U(a + 1, b, x). */
struct two_of_u {
    double at, above;
};

/* Where the integrand is largest, which it is once. */
CUPRIC_MATH double
peak_of_u(double a, double b, double x)
{
    const double half = 0.5 * (b - 1 - x);
    const double far = ::sqrt(half * half + a * x);
    return half > 0 ? (half + far) / x : a / (far - half);
}

/* Of a > 0: integrals over s of exp(-x t) t**a (1 + t)**(b - a - 1), t = exp(s). */
CUPRIC_APART two_of_u
integrals_of_u(double a, double b, double x)
{
    const double peak = peak_of_u(a, b, x), power = b - a - 1;
    const double bend = x * peak - power * peak / ((1 + peak) * (1 + peak));
    const double width = 0.5 / ::sqrt(bend > 1e-3 ? bend : 1e-3);
    const double h = width < 0.2 ? width : 0.2, ratio = in_double::exp(h);
    const double log_peak = in_double::log(peak), log_1p = in_double::log1p(peak);
    double sum = 0, more = 0;
    for (int side = 0; side < 2; side++) {
        const double turn = side ? 1 / ratio : ratio, step = side ? -h : h;
        double t = side ? peak / ratio : peak, s = side ? -h : 0;
        for (int i = 0; i < MOST_TERMS; i++) {
            const double rest = (t - peak) / (1 + peak);
            const double f =
                in_double::exp(a * s - x * (t - peak) + power * in_double::log1p(rest));
            sum += f;
            more += f * (t / (1 + t));
            if (f <= 1e-18 * sum) break;
            t *= turn, s += step;
        }
    }
    const double factor = a * log_peak - x * peak + power * log_1p;
    const double scale = a < 150 ? in_double::exp(factor) / gamma_of(a)
                                 : in_double::exp(factor - log_gamma_of(a));
    return {h * sum * scale, h * more * scale / a};
}

/* Of a >= 0, or of any a by steps from there. */
CUPRIC_APART double
u_by_integral(double a, double b, double x)
{
    const double least = b < a + 1 || a < -3 ? 8 : a > 0.2 ? 0 : 0.5;
    const double n = a < least ? ceil(least - a) : 0;
    two_of_u u = integrals_of_u(a + n, b, x);
    for (double k = n; k > 0; k--) {
        const double c = a + k; /* 13.3.7 at c */
        const double below = (2 * c - b + x) * u.at - c * (c - b + 1) * u.above;
        u.above = u.at, u.at = below;
    }
    return u.at;
}

/* U(-n, b, x), a polynomial: 13.2.7, or by 13.3.7. */
CUPRIC_APART double
u_polynomial(double n, double b, double x)
{
    if (!is_pole(b) && n < 150 && b < 1) {
        const parameters p = {-n, 0, true, false, b};
        const summed<double> direct = power_series(p, x, 1.0);
        double factor = direct.value;
        for (double k = 0; k < n; k++) factor *= -(b + k);
        if (direct.loss < (b < 0 ? 1500 : 20)) return factor;
    }
    double before = 1, value = x - b;
    for (double k = 1; k < n && k < 1e5; k++) {
        const double next = (x - b - 2 * k) * value - k * (b + k - 1) * before;
        before = value, value = next;
    }
    return n == 0 ? 1 : value;
}

/* By two functions 1F1, for a small x and b not near a whole number: 13.2.42. */
CUPRIC_APART summed<double>
u_by_two(double a, double b, double x)
{
    const parameters p = {a, 0, true, false, b}, q = {a - b + 1, 0, true, false, 2 - b};
    const summed<double> one = power_series(p, x, 1.0), two = power_series(q, x, 1.0);
    const double first = one.value * gamma_quotient(1 - b, 1, a - b + 1, 1);
    const double second =
        two.value * gamma_quotient(b - 1, 1, a, 1) * power_of(x, 1 - b);
    const double most = size(first) * one.loss + size(second) * two.loss;
    return summed_up(first + second, most);
}

/* U(a, n + 1, x) of a small x: 13.2.9. */
CUPRIC_APART summed<double>
u_logarithmic(double a, int n, double x)
{
    double finite = 0, power = 1,
           most = 0; /* (k - 1)! (1 - a + k)_(n - k) / (n - k)! x**-k */
    for (int k = 1; k <= n; k++) {
        power *= (k > 1 ? k - 1 : 1) / x;
        double share = power;
        for (int i = k; i < n; i++) share *= (1 - a + i) / (i - k + 1.0);
        finite += share;
        if (size(share) > most) most = size(share);
    }
    finite /= gamma_of(a), most = size(most / gamma_of(a));
    double digammas = in_double::log(x) + psi(a) - psi(1.0) - psi(n + 1.0);
    double factor = (n & 1 ? 1 : -1) / gamma_of(a), sum = finite;
    for (int k = 1; k <= n; k++)
        factor *= (a - k) / k; /* (-1)**(n + 1) / (n! gamma(a - n)) */
    for (int k = 0; k < 500; k++) {
        const double term = factor * digammas;
        sum += term;
        const double bend = size(factor) * (1 + size(digammas));
        if (bend > most) most = bend;
        if (bend <= 1e-17 * size(sum)) break;
        digammas += 1 / (a + k) - 1 / (k + 1.0) - 1 / (n + k + 1.0);
        factor *= x * (a + k) / ((n + 1.0 + k) * (k + 1.0));
    }
    return summed_up(sum, most);
}

/* Of x > 0 and finite parameters. */
CUPRIC_APART double
tricomi(double a, double b, double x)
{
    const double other = a - b + 1;
    if (is_pole(a) && !(is_pole(b) && is_pole(other))) return u_polynomial(-a, b, x);
    if (is_pole(other)) return power_of(x, 1 - b) * u_polynomial(-other, 2 - b, x);
    if (is_pole(a)) return u_polynomial(-a, b, x);
    const summed<double> far = asymptotic_series(a, other, -1 / x);
    if (far.loss < 8) return power_of(x, -a) * far.value;
    if (x < 60 && magnitude(b - rint(b)) > 0.03) {
        const summed<double> near = u_by_two(a, b, x);
        if (near.loss < 20) return near.value;
    }
    if (x < 8 && b >= 1 && b < 40 && is_whole(b)) {
        const summed<double> near = u_logarithmic(a, int(b) - 1, x);
        if (near.loss < 15) return near.value;
    }
    if (x < 8 && b < 1 && b > -38 && is_whole(b)) {
        const summed<double> near = u_logarithmic(other, int(1 - b), x);
        if (near.loss < 15) return power_of(x, 1 - b) * near.value;
    }
    if (a < 0.5 && other > a) /* 13.2.40 */
        return power_of(x, 1 - b) * u_by_integral(other, 2 - b, x);
    return u_by_integral(a, b, x);
}

/* U(a, b, 0): 13.2(iii). */
CUPRIC_MATH double
tricomi_at_0(double a, double b)
{
    return b >= 1 ? infinite() : gamma_quotient(1 - b, 1, a - b + 1, 1);
}

} /* namespace hypergeometric */

CUPRIC_APART double
hyperu(double a, double b, double x)
{
    using namespace hypergeometric;
    if (a != a || b != b || !(x >= 0) || is_inf(a) || is_inf(b)) return no_number();
    if (a == 0 && b < 2) return 1;
    if (x == 0) return tricomi_at_0(a, b);
    if (a == 0) return 1;
    if (x == infinite()) return a > 0 ? 0 : x;
    return tricomi(a, b, x);
}

CUPRIC_END

#endif
