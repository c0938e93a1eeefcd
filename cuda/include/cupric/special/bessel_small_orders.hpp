/* special/bessel_small_orders.hpp: Bessel functions of the orders 0 and 1 of double: tables
 * by pieces, and of large arguments the modulus and the phase (https://dlmf.nist.gov/10.18).
 */
#ifndef CUPRIC_SPECIAL_BESSEL_SMALL_ORDERS_HPP
#define CUPRIC_SPECIAL_BESSEL_SMALL_ORDERS_HPP

#include "cupric/math/bessel.hpp"
#include "cupric/math/special.hpp"
#include "cupric/special/bessel_tables.hpp"

CUPRIC_BEGIN

namespace elementary {

/* The sine of x + shift pi / 4 + phase for x > 0, where the shift is odd and the phase less
 * than 1/8: to the last digits near its zeros, too. */
CUPRIC_MATH double
shifted_sine(double x, int shift, double phase)
{
    reduced<double> a =
        x <= limit_of_small<double>() ? reduce_small(x) : reduce_large(x);
    const double quarter = 0.5 * constants<double>::HALF_PI();
    const double quarter_low = 0.5 * constants<double>::HALF_PI_LOW();
    /* x + pi / 4 or x - pi / 4, whichever is the smaller angle */
    const bool negative = a.r.hi < 0;
    const words<double> near = exact_sum(a.r.hi, negative ? quarter : -quarter);
    const words<double> sum = exact_sum(near.hi, phase);
    const double low =
        (near.lo + (negative ? quarter_low : -quarter_low)) + (a.r.lo + sum.lo);
    a.r = ordered_sum(sum.hi, low);
    return sine(a, (shift - (negative ? 1 : -1)) / 2, 0);
}

/* J (second = 0) or Y (second = 2) of order 0 or 1 for x >= 8. */
template <int ORDER>
CUPRIC_MATH double
bessel_far(double x, int second)
{
    const double w = 1 / x, t = product(w, w);
    const double phase = product(w, ORDER ? phase_of_1(t) : phase_of_0(t));
    const double modulus = ORDER ? modulus_of_1(t) : modulus_of_0(t);
    /* cos(a) = sin(a + 2 pi / 4) */
    const int shift = 2 - (2 * ORDER + 1) - second;
    return modulus / root(x) * shifted_sine(x, shift, phase);
}

CUPRIC_MATH unsigned long long
piece_of_octaves(double x)
{
    return (bits_of(x) >> 50) - (bits_of(0.5) >> 50);
}

CUPRIC_MATH double
two_over_pi_of(double x)
{
    return product(0.63661977236758134308, x);
}

CUPRIC_MATH double
j0(double x)
{
    const double y = without_sign(x);
    if (y < 8) return j0_piece((unsigned long long)(2 * y), y);
    return y < infinity<double>() ? bessel_far<0>(y, 0) : 0 * (1 / y);
}

CUPRIC_MATH double
j1(double x)
{
    const double y = without_sign(x);
    if (y < 8) return times_sign(j1_piece((unsigned long long)(2 * y), y), x);
    return y < infinity<double>() ? times_sign(bessel_far<1>(y, 0), x)
                                  : times_sign(0 * (1 / y), x);
}

/* Left of 0 there is none. */
CUPRIC_MATH double
y0(double x)
{
    if (x >= 8) return x < infinity<double>() ? bessel_far<0>(x, 2) : 0;
    if (x >= 0.5) return y0_piece(piece_of_octaves(x), x);
    if (x > 0) return two_over_pi_of(log(x)) * j0_piece(0, x) + y0_regular(x * x);
    return x == 0 ? -infinity<double>() : nan<double>();
}

CUPRIC_MATH double
y1(double x)
{
    if (x >= 8) return x < infinity<double>() ? bessel_far<1>(x, 2) : 0;
    if (x >= 0.5) return y1_piece(piece_of_octaves(x), x);
    if (x > 0) {
        const double rest =
            two_over_pi_of(log(x)) * j1_piece(0, x) + x * y1_regular(x * x);
        return rest - 0.63661977236758134308 / x;
    }
    return x == 0 ? -infinity<double>() : nan<double>();
}

/* ---- modified functions --------------------------------------------------------------- */

/* exp(-x) I0(x) for x >= 12: i0_far_tail() hardly varies, so that it holds to infinity. */
CUPRIC_MATH double
i0_scaled_far(double x)
{
    typedef bessel_constants<double> B;
    const double w = 1 / x;
    return (B::I0_LIMIT() + fused(w, i0_far_tail(w), B::I0_LIMIT_LOW())) / root(x);
}

CUPRIC_MATH double
i0e(double x)
{
    const double y = without_sign(x);
    if (y > 12) return i0_scaled_far(y);
    return i0_near(y) * exp(-y);
}

CUPRIC_MATH double
i1e(double x)
{
    const double y = without_sign(x);
    if (y > 12) return times_sign(i0_scaled_far(y) * i1_over_i0(1 / y), x);
    return i1(x) * exp(-y);
}

/* exp(x) K(x) sqrt(x) for x >= 1. */
template <int ORDER>
CUPRIC_MATH double
k_far(double x)
{
    const double w = 1 / x;
    const place<double> p = place_of<8>(w);
    return ORDER ? k1_piece(p.piece, w) : k0_piece(p.piece, w);
}

/* For 0 < x < 1. */
CUPRIC_MATH double
k0_near(double x)
{
    const double s = x * x;
    return k0_regular(s) - log(x) * i0_small(s);
}

CUPRIC_MATH double
k1_near(double x)
{
    const double s = x * x;
    return 1 / x + x * (log(x) * i1_small(s) + k1_regular(s));
}

CUPRIC_MATH double
k_outside(double x)
{
    return x == 0 ? infinity<double>() : nan<double>();
}

CUPRIC_MATH double
k0(double x)
{
    if (x >= 1) return x < 800 ? k_far<0>(x) * (exp(-x) / root(x)) : 0;
    return x > 0 ? k0_near(x) : k_outside(x);
}

CUPRIC_MATH double
k1(double x)
{
    if (x >= 1) return x < 800 ? k_far<1>(x) * (exp(-x) / root(x)) : 0;
    return x > 0 ? k1_near(x) : k_outside(x);
}

CUPRIC_MATH double
k0e(double x)
{
    if (x >= 1) return k_far<0>(x) / root(x);
    return x > 0 ? k0_near(x) * exp(x) : k_outside(x);
}

CUPRIC_MATH double
k1e(double x)
{
    if (x >= 1) return k_far<1>(x) / root(x);
    return x > 0 ? k1_near(x) * exp(x) : k_outside(x);
}

} /* namespace elementary */

#define CUPRIC_BESSEL(name)                                                            \
    CUPRIC_APART double name(double x)                                                 \
    {                                                                                  \
        return elementary::name(x);                                                    \
    }                                                                                  \
    CUPRIC_MATH float name(float x)                                                    \
    {                                                                                  \
        return float(name(double(x)));                                                 \
    }
CUPRIC_BESSEL(j0)
CUPRIC_BESSEL(j1)
CUPRIC_BESSEL(y0)
CUPRIC_BESSEL(y1)
CUPRIC_BESSEL(i0e)
CUPRIC_BESSEL(i1)
CUPRIC_BESSEL(i1e)
CUPRIC_BESSEL(k0)
CUPRIC_BESSEL(k0e)
CUPRIC_BESSEL(k1)
CUPRIC_BESSEL(k1e)
#undef CUPRIC_BESSEL

CUPRIC_END

#endif
