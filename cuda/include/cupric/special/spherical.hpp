/* special/spherical.hpp: spherical Bessel functions of real arguments and their derivatives,
 * of double (https://dlmf.nist.gov/10.47 to 10.51). Those of the second kind follow by
 * recurrence from two elementary functions; so does j where the argument is not below the
 * order, else it has the series or the integral order's own function.
 */
#ifndef CUPRIC_SPECIAL_SPHERICAL_HPP
#define CUPRIC_SPECIAL_SPHERICAL_HPP

#include "cupric/special/bessel_orders.hpp"

CUPRIC_BEGIN

namespace elementary {

enum { SPHERICAL_STEPS = 60 }; /* at most, where there is another way */

/* x**n / (1 3 5 ... (2 n + 1)) times a series, of j if `sign` is -1, of i if it is 1. */
CUPRIC_APART double
spherical_series(double n, double x, double sign)
{
    const double term =
        n < 150 ? 0.88622692545275801365 * pow(0.5 * x, n) / gamma(n + 1.5)
                : 0.88622692545275801365 * exp(n * log(0.5 * x) - gammaln(n + 1.5));
    return term * bessel_series(n + 0.5, sign * 0.25 * x * x);
}

/* of J and the like to those of half an odd order: sqrt(pi / (2 x)) */
CUPRIC_MATH double
spherical_scale(double x)
{
    return 1.2533141373155002512 / root(x);
}

/* The function of order n from those of orders 0 and 1, by the recurrence
 * f(n + 1) = (2 n + 1) / x f(n) + sign f(n - 1). */
CUPRIC_APART double
spherical_up(double n, double x, double f, double next, double sign)
{
    for (int k = 1; k <= n && f - f == 0; k++) {
        const double up = (2 * k + 1) / x * next + sign * f;
        f = next;
        next = up;
    }
    return f;
}

CUPRIC_APART double
spherical_j_of(double n, double x)
{
    if (n == 0 && x < infinity<double>()) return x < 1e-8 ? 1 : sin(x) / x;
    if (x * x < 2 * (2 * n + 3)) return spherical_series(n, x, -1);
    if (x == infinity<double>()) return 0;
    if (x < n || n > SPHERICAL_STEPS) return spherical_scale(x) * jv(n + 0.5, x);
    const double w = 1 / x, s = sin(x) * w;
    return spherical_up(n, x, s, (s - cos(x)) * w, -1);
}

CUPRIC_APART double
spherical_y_of(double n, double x)
{
    if (x == 0) return -infinity<double>();
    if (x == infinity<double>()) return 0;
    if (n > SPHERICAL_STEPS) return spherical_scale(x) * yv(n + 0.5, x);
    const double c = -cos(x) / x;
    return spherical_up(n, x, c, (c - sin(x)) / x, -1);
}

CUPRIC_APART double
spherical_i_of(double n, double x)
{
    if (x == infinity<double>()) return x;
    if (x * x < 2 * (2 * n + 3)) return spherical_series(n, x, 1);
    const double half = exp(0.5 * x), scaled = ive(n + 0.5, x);
    /* where I is below the normal numbers of ive() */
    if (scaled < 1e-290) return spherical_scale(x) * iv(n + 0.5, x);
    return spherical_scale(x) * scaled * half * half;
}

/* Of x < 0, too, where it is a polynomial in 1 / x times exp(-x). */
CUPRIC_APART double
spherical_k_of(double n, double x)
{
    if (x == 0) return infinity<double>();
    if (x == infinity<double>()) return 0;
    if (x == -infinity<double>()) return x;
    if (x > 0 && n > SPHERICAL_STEPS) return spherical_scale(x) * kv(n + 0.5, x);
    const double half = exp(-0.5 * x), w = 1 / x;
    const double k = constants<double>::HALF_PI() * w * half * half;
    return spherical_up(n < 1000 ? n : 1000, x, k, k + k * w, 1);
}

/* Whether there is no function of order n, a whole number, or of x. */
CUPRIC_MATH bool
not_spherical(double n, double x)
{
    return !(n >= 0 && n < infinity<double>()) || x != x;
}

} /* namespace elementary */

CUPRIC_APART double
spherical_j(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (not_spherical(n, x)) return nan<double>();
    const double j = spherical_j_of(n, without_sign(x));
    return x < 0 ? parity(n) * j : j;
}

CUPRIC_APART double
spherical_y(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (not_spherical(n, x)) return nan<double>();
    const double y = spherical_y_of(n, without_sign(x));
    return x < 0 ? -parity(n) * y : y;
}

CUPRIC_APART double
spherical_i(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (not_spherical(n, x)) return nan<double>();
    const double i = spherical_i_of(n, without_sign(x));
    return x < 0 ? parity(n) * i : i;
}

CUPRIC_APART double
spherical_k(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (not_spherical(n, x)) return nan<double>();
    return spherical_k_of(n, x);
}

/* Their derivatives, by those recurrences in which nothing cancels where x is small. */
CUPRIC_APART double
spherical_j_slope(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (n == 0) return -spherical_j(1, x);
    if (x == 0 && n > 0) return n == 1 ? 1.0 / 3 : 0;
    return n * (spherical_j(n, x) / x) - spherical_j(n + 1, x);
}

CUPRIC_APART double
spherical_y_slope(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (n == 0) return -spherical_y(1, x);
    if (x == 0 && n > 0) return infinity<double>();
    const double below = spherical_y(n - 1, x), y = spherical_y(n, x);
    if (y - y != 0) return -y * (x < 0 ? -1 : 1); /* x is next to nothing */
    return below - (n + 1) * (y / x);
}

CUPRIC_APART double
spherical_i_slope(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (n == 0) return spherical_i(1, x);
    if (x == 0 && n > 0) return n == 1 ? 1.0 / 3 : 0;
    if (n > 0 && without_sign(x) == infinity<double>()) return spherical_i(n + 1, x);
    return n * (spherical_i(n, x) / x) + spherical_i(n + 1, x);
}

CUPRIC_APART double
spherical_k_slope(double order, double x)
{
    using namespace elementary;
    const double n = trunc(order);
    if (n == 0) return -spherical_k(1, x);
    if (x == 0 && n > 0) return -infinity<double>();
    if (x == infinity<double>()) return -spherical_k(n, x);
    return -(spherical_k(n - 1, x) + (n + 1) / x * spherical_k(n, x));
}

CUPRIC_END

#endif
