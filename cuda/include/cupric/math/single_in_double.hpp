/* math/single_in_double.hpp: elementary functions for results that are rounded to float.
 *
 * They take and return double, and one word of it is all they compute with: their errors,
 * some 2**-36, are a few thousandths of a float's last place. Numbers made of floats neither
 * overflow nor underflow in double, squared either, so nothing is scaled. As in
 * elementary.hpp there are no branches, and the bits are the same everywhere.
 */
#ifndef CUPRIC_MATH_SINGLE_IN_DOUBLE_HPP
#define CUPRIC_MATH_SINGLE_IN_DOUBLE_HPP

#include "cupric/math/elementary.hpp"
#include "cupric/math/single_polynomials.hpp"

CUPRIC_BEGIN

namespace single_in_double {

using namespace elementary;

/* Added to a divisor that may be 0 where the dividend is 0, too; to no other it matters. */
CUPRIC_MATH constexpr double
TINY()
{
    return 0x1p-1000;
}

/* ---- exponentials ------------------------------------------------------------------- */

/* exp(x) as up (1 + cosh_less_1 + sinh), exp(-x) as down (1 + cosh_less_1 - sinh): `up` is
 * 2**n, `down` 2**-n, n the whole number nearest to x / log(2), and the others are functions
 * of x - n log(2). */
struct exponential_parts {
    double up, down, sinh, cosh_less_1;
};

/* For |x| < 700. */
CUPRIC_MATH exponential_parts
exponential_parts_of(double x)
{
    typedef format<double> T;
    typedef constants<double> K;
    const double rounder = fused(x, K::LOG2_E(), T::ROUNDER());
    const double r = fused(rounder - T::ROUNDER(), -K::LN2(), x), s = product(r, r);
    const T::bits n = bits_of(rounder);
    return {from_bits((T::BIAS() + n) << T::FRACTION()),
            from_bits((T::BIAS() - n) << T::FRACTION()), product(r, single_sinh(s)),
            product(s, single_cosh(s))};
}

CUPRIC_MATH double
exp_of(exponential_parts e)
{
    return fused(e.up, e.cosh_less_1 + e.sinh, e.up);
}

CUPRIC_MATH double
expm1_of(exponential_parts e)
{
    return fused(e.up, e.cosh_less_1 + e.sinh, e.up - 1);
}

struct hyperbolic_pair {
    double sinh, cosh;
};

CUPRIC_MATH hyperbolic_pair
hyperbolic_pair_of(exponential_parts e)
{
    const double sinh_n = product(0.5, e.up - e.down); /* 0 near 0 */
    const double cosh_n = product(0.5, e.up + e.down);
    return {fused(sinh_n, e.cosh_less_1, fused(cosh_n, e.sinh, sinh_n)),
            fused(cosh_n, e.cosh_less_1, fused(sinh_n, e.sinh, cosh_n))};
}

/* ---- logarithms --------------------------------------------------------------------- */

/* log(x) of a normal number, of which `less_1`, x - 1, is known more exactly. */
CUPRIC_MATH double
log_of(double x, double less_1)
{
    typedef format<double> T;
    const decomposed<double> d = decompose_normal(x, double(T::BIAS()));
    const double f = chosen(d.k == 0, less_1, d.f);
    return fused(d.k, constants<double>::LN2(), product(f, single_log1p(f)));
}

/* ---- trigonometric functions -------------------------------------------------------- */

struct circular_pair {
    double sin, cos, cos_less_1;
};

/* Whether circular_pair_of(y) is not exact enough. */
CUPRIC_MATH bool
is_too_large(double y)
{
    return !(without_sign(y) <= limit_of_small<double>());
}

/* The sine and cosine of y = n pi / 2 + r. What is left of y by HALF_PI is exact where y is a
 * float, as neither has digits below 2**-52 that matter. */
CUPRIC_MATH circular_pair
circular_pair_of(double y)
{
    typedef format<double> T;
    typedef constants<double> K;
    const double rounder = fused(y, K::TWO_OVER_PI(), T::ROUNDER()),
                 n = rounder - T::ROUNDER();
    const double r = fused(n, -K::HALF_PI_LOW(), fused(n, -K::HALF_PI(), y));
    const double s = product(r, r);
    const double sine = product(r, single_sin(s)), less_1 = product(s, single_cos(s));
    const double cosine = 1 + less_1;
    const T::bits q = bits_of(rounder);
    const bool odd = (q & 1) != 0;
    const double turned_sine =
        from_bits(bits_of(chosen(odd, cosine, sine)) ^ (q & 2) << 62);
    const double turned_cosine =
        from_bits(bits_of(chosen(odd, sine, cosine)) ^ ((q + 1) & 2) << 62);
    return {turned_sine, turned_cosine,
            chosen((q & 3) == 0, less_1, turned_cosine - 1)};
}

/* The angle of (x, y), neither infinite. */
CUPRIC_MATH double
atan2(double y, double x)
{
    typedef constants<double> K;
    const double ay = without_sign(y), ax = without_sign(x);
    const bool steep = ay > ax, left = bits_of(x) >= format<double>::SIGN();
    const double q = quotient(chosen(steep, ax, ay), chosen(steep, ay, ax) + TINY());
    const double angle = product(q, single_atan(product(q, q)));
    const double base = chosen(steep, K::HALF_PI(), chosen(left, K::PI(), 0.0));
    const double part = chosen(steep != left, -angle, angle);
    return times_sign(base + part, y);
}

} /* namespace single_in_double */
CUPRIC_END

#endif
