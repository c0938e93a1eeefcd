/* special/besselpoly.hpp: the integral over x from 0 to 1 of x**power J(2 a x), of double. */
#ifndef CUPRIC_SPECIAL_BESSELPOLY_HPP
#define CUPRIC_SPECIAL_BESSELPOLY_HPP

#include "cupric/special/bessel_orders.hpp"

CUPRIC_BEGIN

/* The power series of J, term by term. For an a of some 10 or more its terms cancel: of
 * SciPy, too. */
CUPRIC_APART double
besselpoly(double a, double power, double order)
{
    using namespace elementary;
    if (a != a || power != power || order != order) return nan<double>();
    if (a == 0) return order == 0 ? 1 / (power + 1) : 0;
    const bool whole = is_whole(order);
    const bool odd = order < 0 && whole && is_odd(order);
    if (a < 0 && !whole) return nan<double>();
    const double n = whole ? without_sign(order) : order, size = without_sign(a);
    double sign = odd ? -1 : 1;
    if (a < 0 && whole && is_odd(n)) sign = -sign;
    double term = sign * pow(size, n) / elementary::gamma(n + 1);
    double sum = term / (n + power + 1);
    for (int k = 1; k < 1000; k++) {
        term *= -size * size / (k * (n + k));
        const double more = term / (n + power + 1 + 2 * k);
        sum += more;
        if (without_sign(more) <= 0x1p-56 * without_sign(sum) && k > size) break;
    }
    return sum;
}

CUPRIC_END

#endif
