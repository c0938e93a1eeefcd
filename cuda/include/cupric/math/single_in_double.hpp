/* math/single_in_double.hpp: elementary functions for results that are rounded to float.
 *
 * They take and return double, and one word of it is all they compute with: their errors,
 * some 2**-32, are a few thousandths of a float's last place. Numbers made of floats neither
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

/* Added to a divisor or under a root that may be 0; to others it does not matter. */
CUPRIC_MATH constexpr double
TINY()
{
    return 0x1p-1000;
}

/* ---- exponentials ------------------------------------------------------------------- */

/* x between -limit and limit, anything of a NaN. */
CUPRIC_MATH float
bounded(float x, float limit)
{
#if defined(__CUDA_ARCH__)
    return ::fmaxf(::fminf(x, limit), -limit);
#else
    x = x < limit ? x : limit;
    return x > -limit ? x : -limit;
#endif
}

/* x = n log(2) + r for the whole number n nearest to x / log(2), which is added to an
 * exponent as `shift`. For |x| < 700. */
struct reduced_exponent {
    double r;
    format<double>::bits shift;
};

CUPRIC_MATH reduced_exponent
reduced_exponent_of(double x)
{
    typedef format<double> T;
    typedef constants<double> K;
    const double rounder = fused(x, K::LOG2_E(), T::ROUNDER());
    return {fused(rounder - T::ROUNDER(), -K::LN2(), x), bits_of(rounder)
                                                             << T::FRACTION()};
}

/* The same of log(2) x. */
CUPRIC_MATH reduced_exponent
reduced_exponent_of_2(double x)
{
    typedef format<double> T;
    const double rounder = x + T::ROUNDER();
    return {product(x - (rounder - T::ROUNDER()), constants<double>::LN2()),
            bits_of(rounder) << T::FRACTION()};
}

CUPRIC_MATH double
exp_of(reduced_exponent e)
{
    return from_bits(bits_of(single_exp_of_rest(e.r)) + e.shift);
}

/* exp(x) and exp(x) - 1. */
struct exponential_pair {
    double exp, less_1;
};

CUPRIC_MATH exponential_pair
exponential_pair_of(reduced_exponent e)
{
    const double up = from_bits(format<double>::ONE() + e.shift);
    const double less_1 = product(e.r, single_expm1(e.r));
    return {fused(up, less_1, up), fused(up, less_1, up - 1)};
}

struct hyperbolic_pair {
    double sinh, cosh;
};

/* From half of exp(x) and exp(-x), whose difference would lose the digits of a small x. */
CUPRIC_MATH hyperbolic_pair
hyperbolic_pair_of(reduced_exponent e)
{
    typedef format<double> T;
    const double s = product(e.r, e.r);
    const double sinh = product(e.r, single_sinh(s)), cosh = single_cosh(s);
    const T::bits halved = T::bits(1) << T::FRACTION();
    const double up = from_bits(bits_of(cosh + sinh) + (e.shift - halved));
    const double down = from_bits(bits_of(cosh - sinh) - (e.shift + halved));
    return {chosen(e.shift == 0, sinh, up - down), up + down};
}

/* ---- logarithms --------------------------------------------------------------------- */

/* log(x) of a normal number, of which `less_1`, x - 1, is known more exactly; with an error
 * that may be multiplied by a power's exponent, or of some 2**-32. */
template <bool FOR_POWER = false>
CUPRIC_MATH double
log_of(double x, double less_1)
{
    typedef format<double> T;
    const decomposed<double> d = decompose_normal(x, double(T::BIAS()));
#if defined(__CUDA_ARCH__) /* the same by integers */
    const bool near = first_bits(x) - first_bits(from_bits(T::ROOT_HALF())) < 0x100000u;
#else
    const bool near = d.k == 0;
#endif
    const double f = chosen(near, less_1, d.f);
    const double ratio = FOR_POWER ? single_log1p_for_power(f) : single_log1p(f);
    return fused(d.k, constants<double>::LN2(), product(f, ratio));
}

/* ---- trigonometric functions -------------------------------------------------------- */

/* Whether the sine and cosine of y are not exact enough. */
CUPRIC_MATH bool
is_too_large(float y)
{
    return !(without_sign(y) <= float(limit_of_small<double>()));
}

/* y = n pi / 2 + r; of n only the two low bits of `quadrant` matter. What is left of y by
 * HALF_PI is exact where y is a float, as neither has digits below 2**-52 that matter. */
struct reduced_angle {
    double r;
    format<double>::bits quadrant;
};

CUPRIC_MATH reduced_angle
reduced_angle_of(double y)
{
    typedef constants<double> K;
    const double rounder = fused(y, K::TWO_OVER_PI(), format<double>::ROUNDER());
    const double n = rounder - format<double>::ROUNDER();
    return {fused(n, -K::HALF_PI_LOW(), fused(n, -K::HALF_PI(), y)), bits_of(rounder)};
}

/* The same of log(2) y: a multiple of pi / 2, whose whole part goes without a rounding. */
CUPRIC_MATH reduced_angle
reduced_angle_of_2(double y)
{
    /* 2 log(2) / pi, the second word positive: so -0 stays */
    constexpr double RATIO = 0x1.c3dc98f7e969bp-2, RATIO_LOW = 0x1.765b042c172b0p-55;
    const double rounder = fused(y, RATIO, format<double>::ROUNDER());
    const double n = rounder - format<double>::ROUNDER();
    const double part = fused(y, RATIO_LOW, fused(y, RATIO, -n));
    return {product(part, constants<double>::HALF_PI()), bits_of(rounder)};
}

struct circular_pair {
    double sin, cos;
};

/* A sine and a cosine, turned by `quadrant`. */
CUPRIC_MATH circular_pair
turned(circular_pair t, format<double>::bits quadrant)
{
#if defined(__CUDA_ARCH__)
    const bool odd = (unsigned int)quadrant & 1;
#else
    const bool odd = quadrant & 1;
#endif
    const format<double>::bits sine = bits_of(chosen(odd, t.cos, t.sin)),
                               cosine = bits_of(chosen(odd, t.sin, t.cos));
    return {from_bits(sine ^ (quadrant & 2) << 62),
            from_bits(cosine ^ ((quadrant + 1) & 2) << 62)};
}

CUPRIC_MATH circular_pair
circular_pair_of(reduced_angle a)
{
    const double s = product(a.r, a.r);
    return turned({product(a.r, single_sin(s)), single_cos(s)}, a.quadrant);
}

/* The same, and the cosine less 1. */
struct circular_triple {
    double sin, cos, less_1;
};

CUPRIC_MATH circular_triple
circular_triple_of(reduced_angle a)
{
    const double s = product(a.r, a.r), less_1 = product(s, single_cos_less_1(s));
    const circular_pair t =
        turned({product(a.r, single_sin(s)), 1 + less_1}, a.quadrant);
    return {t.sin, t.cos, chosen((a.quadrant & 3) == 0, less_1, t.cos - 1)};
}

/* x with its sign changed where y's sign bit is set. */
CUPRIC_MATH double
times_sign_of(double x, float y)
{
    typedef format<double>::bits bits;
    return from_bits(bits_of(x) ^ bits(bits_of(y) & format<float>::SIGN()) << 32);
}

CUPRIC_MATH double
times_sign_of(double x, double y)
{
    return times_sign(x, y);
}

/* What parts of numbers are compared as: on a GPU the floats that they are, as doubles take
 * twice the time; on the host doubles, whose masks select doubles. */
#if defined(__CUDA_ARCH__)
typedef float compared;
#else
typedef double compared;
#endif

/* Whether an angle whose tangent is a / b is nearer to 45 degrees than to 0, or nearly so:
 * by the sign of 2.414 a - b, which is right in float, too. */
CUPRIC_MATH bool
is_middle(float a, float b)
{
    return bits_of(fused(a, 2.41421356f, -b)) < format<float>::SIGN();
}

CUPRIC_MATH bool
is_middle(double a, double b)
{
    return product(a, double(2.41421356f)) >= b;
}

/* The angle of (x, y), not negative, |y| > |x| where `steep`, of which the smaller magnitude
 * is a and the larger b, not 0; where they are nearly the same either may be a. If it is
 * `middle`, that of the point turned by 45 degrees and these. */
template <class X>
CUPRIC_MATH double
angle_of(double a, double b, bool steep, bool middle, X x)
{
    typedef constants<double> K;
    const bool left = bits_of(x) >= format<X>::SIGN();
    const double turn = chosen(middle, 1.0, 0.0);
    const double r = ordinary_reciprocal(fused(turn, a, b));
    const double q = product(fused(-turn, b, a), r), s = product(q, q);
    const double angle = fused(turn, K::QUARTER_PI(), q);
    const double sum = fused(product(q, s), single_atan_tail(s), angle);
    const double base = chosen(steep, K::HALF_PI(), chosen(left, K::PI(), 0.0));
    return base + chosen(steep != left, -sum, sum);
}

/* The angle of (x, y), neither infinite, not both 0. */
CUPRIC_MATH double
atan2(double y, double x)
{
    const double ay = without_sign(y), ax = without_sign(x);
    const bool steep = ay > ax;
    const double a = chosen(steep, ax, ay), b = chosen(steep, ay, ax);
    return times_sign(angle_of(a, b, steep, is_middle(a, b), x), y);
}

} /* namespace single_in_double */
CUPRIC_END

#endif
