/* special/owens_t.hpp: Owen's T function, of double.
 *
 * For 0 < a <= 1 by a Gauss-Legendre rule over the part of [0, a] where the integrand is not
 * below a rounding; other a by M. Patefield and D. Tandy, "Fast and accurate calculation of
 * Owen's T function", Journal of Statistical Software 5 (2000), (2) and (3).
 */
#ifndef CUPRIC_SPECIAL_OWENS_T_HPP
#define CUPRIC_SPECIAL_OWENS_T_HPP

#include "cupric/math/special.hpp"
#include "cupric/special/owens_t_nodes.hpp"

CUPRIC_BEGIN

namespace elementary {

/* exp(-h**2 / 2) / (2 pi) times the integral from 0 to a of exp(-(h x)**2 / 2) / (1 + x**2),
 * 0 <= a <= 1, h >= 0. */
CUPRIC_APART double
owens_t_of_fraction(double h, double a)
{
    const double two_pi = 6.283185307179586477;
    if (h > 39) return 0;
    const double end = h * a > 8.7 ? 8.7 / h : a, c = -0.5 * h * h * end * end;
    const int n = c > -1 ? 12 : c > -8 ? 18 : 26;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const quadrature_node node = n == 12   ? legendre_12(i)
                                     : n == 18 ? legendre_18(i)
                                               : legendre_26(i);
        const double square = node.x * node.x;
        sum += node.weight * exp(c * square) / fused(end * end, square, 1.0);
    }
    return exp(-0.5 * h * h) * (end * sum) / two_pi;
}

} /* namespace elementary */

CUPRIC_APART double
owens_t(double h, double a)
{
    using namespace elementary;
    if (h != h || a != a) return nan<double>();
    const double x = without_sign(h), b = without_sign(a);
    double value;
    if (x == infinity<double>()) {
        value = 0;
    } else if (b <= 1) {
        value = owens_t_of_fraction(x, b);
    } else if (b == infinity<double>()) {
        value = 0.5 * elementary::ndtr(-x);
    } else {
        const double y = x * b, p = elementary::ndtr(-x), q = elementary::ndtr(-y);
        value = 0.5 * (p + q) - p * q - owens_t_of_fraction(y, 1 / b);
    }
    return a < 0 ? -value : value;
}

CUPRIC_END

#endif
