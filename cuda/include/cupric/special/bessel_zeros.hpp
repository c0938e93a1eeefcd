/* special/bessel_zeros.hpp: zeros of Bessel functions of order >= 0 and of their derivatives,
 * of double: by Newton's steps from where Debye's expansion has the phase that a zero has
 * (https://dlmf.nist.gov/10.21).
 */
#ifndef CUPRIC_SPECIAL_BESSEL_ZEROS_HPP
#define CUPRIC_SPECIAL_BESSEL_ZEROS_HPP

#include "cupric/special/bessel_orders.hpp"

CUPRIC_BEGIN

namespace elementary {

/* The x with sqrt(x**2 - n**2) - n arccos(n / x) = phase: from the right, where it is convex. */
CUPRIC_APART double
argument_of_phase(double n, double phase)
{
    const double half_pi = constants<double>::HALF_PI();
    double x = phase + n * half_pi;
    for (int i = 0; i < 40 && x > n; i++) {
        const double s = root(x - n) * root(x + n);
        const double step = (s - n * atan2(s, n) - phase) * x / s;
        x -= step;
        if (without_sign(step) < 1e-6 * x) break;
    }
    return x;
}

/* J or Y, and its derivative. */
CUPRIC_MATH bessel_pair
with_slope(double n, double x, bool second)
{
    const double f = second ? yv(n, x) : jv(n, x);
    const double up = second ? yv(n + 1, x) : jv(n + 1, x);
    return {f, n / x * f - up};
}

} /* namespace elementary */

/* Zero number k, from 1 on, of J, J', Y, Y' as kinds 0 to 3; of J0' not that at 0. */
CUPRIC_APART double
bessel_zero(double order, double k, double kind)
{
    using namespace elementary;
    bool second = kind >= 2;
    bool slope = kind == 1 || kind == 3;
    if (!(order >= 0 && k >= 1 && order < infinity<double>())) return nan<double>();
    if (slope && order == 0) { /* that of -J1 or -Y1 */
        order = 1;
        slope = false;
    }
    const double quarters = second == slope ? k - 0.25 : k - 0.75;
    double x = argument_of_phase(order, 2 * constants<double>::HALF_PI() * quarters);
    for (int i = 0; i < 20; i++) {
        const bessel_pair f = with_slope(order, x, second);
        const double ratio = order / x;
        const double curve = -f.second / x - (1 - ratio * ratio) * f.first;
        const double step = slope ? f.second / curve : f.first / f.second;
        x -= step;
        if (!(without_sign(step) > 2e-16 * x)) break;
    }
    return x;
}

CUPRIC_END

#endif
