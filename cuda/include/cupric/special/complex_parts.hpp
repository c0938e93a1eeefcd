/* special/complex_parts.hpp: what the headers of Bessel functions of complex arguments
 * are written with.
 */
#ifndef CUPRIC_SPECIAL_COMPLEX_PARTS_HPP
#define CUPRIC_SPECIAL_COMPLEX_PARTS_HPP

#include "cupric/math/special.hpp"

CUPRIC_BEGIN

namespace complex_bessel {

using in_double::HALF_PI;
using in_double::LN2;

CUPRIC_MATH constexpr double
PI()
{
    return 3.14159265358979323846;
}

CUPRIC_MATH complex128
times(double a, complex128 z)
{
    return complex128(a * z.re, a * z.im);
}

CUPRIC_MATH complex128
times_i(complex128 z)
{
    return complex128(-z.im, z.re);
}

CUPRIC_MATH complex128
conjugate(complex128 z)
{
    return complex128(z.re, -z.im);
}

/* |z|**2, and |z| and 1 / z, of numbers whose squares neither overflow nor
 * underflow. */
CUPRIC_MATH double
square_of_size(complex128 z)
{
    return z.re * z.re + z.im * z.im;
}

CUPRIC_MATH double
size_of(complex128 z)
{
    return ::sqrt(square_of_size(z));
}

CUPRIC_MATH complex128
inverse(complex128 z)
{
    const double scale = 1 / square_of_size(z);
    return complex128(z.re * scale, -z.im * scale);
}

/* A bound of |z| that costs little. */
CUPRIC_MATH double
sum_of_sizes(complex128 z)
{
    return elementary::without_sign(z.re) + elementary::without_sign(z.im);
}

/* Called functions, as each is used in many places. */
CUPRIC_APART complex128
log_of(complex128 z)
{
    return in_double::log(z);
}

CUPRIC_APART complex128
root_of(complex128 z)
{
    return in_double::sqrt(z);
}

/* exp(i pi x / 2), without a rounding error of pi x. */
CUPRIC_APART complex128
quarter_turns(double x)
{
    const double turns = x - 4 * ::rint(x * 0.25), whole = ::rint(turns);
    const double angle = (turns - whole) * HALF_PI();
    const double c = elementary::cos(angle), s = elementary::sin(angle);
    const int n = int(whole) & 3;
    const complex128 w = n & 1 ? complex128(-s, c) : complex128(c, s);
    return n & 2 ? complex128(-w.re, -w.im) : w;
}

/* m exp(z): it overflows only if the result does, and a part that is 0 stays so. */
CUPRIC_APART complex128
times_exp(complex128 m, complex128 z)
{
    if (z.im != 0) {
        const double c = elementary::cos(z.im), s = elementary::sin(z.im);
        m = m * complex128(c, s);
    }
    if (z.re == 0) return m;
    const double x = z.re > 1416 ? 1416 : z.re < -1480 ? -1480 : z.re;
    if (x > -700 && x < 700) return times(elementary::exp(x), m);
    const double half = elementary::exp(0.5 * x);
    return times(half, times(half, m));
}

/* z**v for |z| of about 1 or a moderate v: the whole power by products, the rest by
 * exp. */
CUPRIC_APART complex128
power_of(complex128 z, double v)
{
    const double whole = ::rint(v);
    complex128 result(1), square = z;
    for (int n = int(whole); n > 0; n >>= 1) {
        if (n & 1) result = result * square;
        if (n > 1) square = square * square;
    }
    if (v == whole) return result;
    return times_exp(result, times(v - whole, log_of(z)));
}

} /* namespace complex_bessel */

CUPRIC_END

#endif
