/* special/beta_inverse.hpp: x and y = 1 - x of I_x(a, b) = p, of double.
 *
 * The logarithm of I over that of x / y is concave and its second derivative is at hand, so
 * that Halley's steps, of third order, converge from anywhere, as a rule after two or
 * three. They start from the first term where p is small or a or b is, or from
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.5.22.
 */
#ifndef CUPRIC_SPECIAL_BETA_INVERSE_HPP
#define CUPRIC_SPECIAL_BETA_INVERSE_HPP

#include "cupric/math/erf_inverses.hpp"
#include "cupric/special/incomplete_beta.hpp"

CUPRIC_BEGIN

namespace elementary {

struct beta_root {
    double x, y;
};

/* Of the logarithm of x / y. */
CUPRIC_MATH beta_root
beta_root_of(double u)
{
    const double e = exp(u < 0 ? u : -u), small = e / (1 + e), large = 1 / (1 + e);
    return u < 0 ? beta_root{small, large} : beta_root{large, small};
}

/* log(x / y) by the normal distribution. */
CUPRIC_MATH double
beta_normal_start(double a, double b, double p)
{
    const double z = -ndtri(p), l = (z * z - 3) / 6;
    const double r = 1 / (2 * a - 1), s = 1 / (2 * b - 1), h = 2 / (r + s);
    const double root = h + l > 0 ? sqrt(h + l) : 0;
    const double w = z * root / h - (s - r) * (l + 5.0 / 6 - 2 / (3 * h));
    return log(a / b) - 2 * w;
}

/* log((p a B(a, b))**(1 / a)): log(x) of a small x. */
CUPRIC_MATH double
beta_power_start(double a, double b, double p)
{
    double log_of_scale; /* of a B(a, b) */
    if (a < 10)
        log_of_scale = -log(beta_start(a, b, 1.0));
    else if (b < 10)
        log_of_scale = log(a / b) - log(beta_start(b, a, 1.0));
    else
        log_of_scale = gammaln(a + 1) + (gammaln(b) - gammaln(a + b));
    return (log(p) + log_of_scale) / a;
}

/* A first root for p <= 1/2. */
CUPRIC_APART beta_root
beta_inverse_start(double a, double b, double p)
{
    if (a > 1.5 && b > 1.5) {
        const beta_root middle = beta_root_of(beta_normal_start(a, b, p));
        if (middle.x * b > 0.3 * a || p > 1e-3 || (a > 40 && b > 40)) return middle;
    }
    const double left = beta_power_start(a, b, p), x = exp(left);
    if (!(b > 1 ? x * b < 0.7 * (a + 1) : x < 0.6)) {
        if (b < 1) {
            const double right = beta_power_start(b, a, 1 - p), y = exp(right);
            if (y * a < 0.7 && y < 0.6) return {1 - y, y};
        }
        if (a > 0.6 && b > 0.6) return beta_root_of(beta_normal_start(a, b, p));
        const double mean = a / (a + b);
        return {mean, b / (a + b)};
    }
    const double next = x * (1 + (b - 1) * x / (a + 1));
    const double better = next > 0 && next < 0.9 ? next : x;
    return {better, 1 - better};
}

/* x e**d / (y + x e**d) */
CUPRIC_MATH beta_root
beta_root_moved(beta_root r, double d)
{
    const double e = expm1(d), under = 1 / (1 + r.x * e);
    return {r.x * (1 + e) * under, r.y * under};
}

/* Of p <= 1/2 and 0 < a, b < infinity. */
CUPRIC_APART beta_root
lower_beta_inverse(double a, double b, double p)
{
    beta_root r = beta_inverse_start(a, b, p);
    for (int i = 0; i < 40 && r.x > 0 && r.y > 0; i++) {
        double term;
        const double value = incomplete_beta(a, b, r.x, r.y, false, term);
        const double slope = term / value;           /* of the logarithm */
        if (!(value > 0 && term > 0 && slope > 0)) { /* half way to the mean */
            r = beta_root_moved(r, 0.5 * log((a / b) * (r.y / r.x)));
            continue;
        }
        const double newton = log(value / p) / slope;
        const double bend = 0.5 * newton * ((a * r.y - b * r.x) - slope);
        double step = -newton / (bend < 0.5 ? 1 - bend : 0.5);
        step = step > 30 ? 30 : step < -30 ? -30 : step;
        r = beta_root_moved(r, step);
        if (without_sign(step) * (slope > 1 ? slope : 1) < 1e-5) break;
    }
    return r;
}

CUPRIC_MATH beta_root
beta_inverse(double a, double b, double p, double q)
{
    if (p <= q) return lower_beta_inverse(a, b, p);
    const beta_root r = lower_beta_inverse(b, a, q);
    return {r.y, r.x};
}

/* Also at the borders, where p or q is 0; NaN outside. */
CUPRIC_MATH beta_root
beta_inverse_anywhere(double a, double b, double p, double q)
{
    const double limit = infinity<double>();
    if (!(a > 0 && b > 0 && p >= 0 && q >= 0) || (a == limit && b == limit))
        return {nan<double>(), nan<double>()};
    if (p == 0 || (b == limit && q > 0)) return {0, 1};
    if (q == 0 || a == limit) return {1, 0};
    return beta_inverse(a, b, p, q);
}

} /* namespace elementary */

CUPRIC_END

#endif
