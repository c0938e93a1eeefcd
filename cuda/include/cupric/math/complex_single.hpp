/* math/complex_single.hpp: the functions of complex<float> for usual arguments, in double by
 * the functions of single_in_double.hpp, whose range allows for simpler formulas than those
 * of complex_double.hpp. Without branches: where they do not apply, to infinities, NaNs or
 * the sine of a huge number, they say so through *other.
 *
 * References: those of complex_double.hpp.
 */
#ifndef CUPRIC_MATH_COMPLEX_SINGLE_HPP
#define CUPRIC_MATH_COMPLEX_SINGLE_HPP

#include "cupric/math/complex_double.hpp"
#include "cupric/math/single_in_double.hpp"

CUPRIC_BEGIN

typedef complex<float> complex64; /* within these headers only */

struct complex_single {
    typedef single_in_double::circular_pair circular_pair;
    typedef single_in_double::hyperbolic_pair hyperbolic_pair;
    typedef single_in_double::reduced_angle reduced_angle;
    typedef single_in_double::reduced_exponent reduced_exponent;
    typedef single_in_double::compared compared;

    /* ---- square root, exponential, logarithm ---- */

    /* Of all numbers. */
    CUPRIC_MATH static complex128 sqrt(double x, double y)
    {
        using namespace elementary;
        const double ax = without_sign(x), inf = infinity<double>();
        const double length = root(fused(x, x, product(y, y)));
        const double t = chosen(ax == inf, inf, root(product(0.5, ax + length)));
        const double u = quotient(y, fused(2.0, t, single_in_double::TINY()));
        const double re = chosen(x < 0, without_sign(u), t);
        const double im = chosen(x < 0, times_sign(t, y), u);
        const bool up = without_sign(y) == inf;
        return complex128(chosen(up, inf, re), chosen(up, y, im));
    }

    /* So far from 0 that a product with any float's sine is infinite or 0 in float. */
    CUPRIC_MATH static constexpr float FAR() { return 300; }

    /* Whether a part of an exponential's argument is not for these functions. */
    CUPRIC_MATH static bool is_other(float x, float y)
    {
        return single_in_double::is_too_large(y) | (x != x);
    }

    /* Whether x + iy has not finite parts. */
    CUPRIC_MATH static bool is_not_finite(float x, float y)
    {
        using namespace elementary;
        return !(without_sign(x) < infinity<float>()) |
               !(without_sign(y) < infinity<float>());
    }

    /* exp(x) (cos(y) + i sin(y)) */
    CUPRIC_MATH static complex128 polar(reduced_exponent x, reduced_angle y)
    {
        const double e = single_in_double::exp_of(x);
        const circular_pair t = single_in_double::circular_pair_of(y);
        return complex128(elementary::product(e, t.cos), elementary::product(e, t.sin));
    }

    CUPRIC_MATH static reduced_exponent exponent_of(float x, float limit = FAR())
    {
        return single_in_double::reduced_exponent_of(
            single_in_double::bounded(x, limit));
    }

    CUPRIC_MATH static circular_pair circular_of(float y)
    {
        return single_in_double::circular_pair_of(
            single_in_double::reduced_angle_of(y));
    }

    CUPRIC_MATH static complex128 exp(float x, float y, bool *other)
    {
        *other = is_other(x, y);
        return polar(exponent_of(x), single_in_double::reduced_angle_of(y));
    }

    CUPRIC_MATH static complex128 exp2(float x, float y, bool *other)
    {
        *other = is_other(x, y);
        return polar(single_in_double::reduced_exponent_of_2(
                         single_in_double::bounded(x, 1.5f * FAR())),
                     single_in_double::reduced_angle_of_2(y));
    }

    /* The real part as exp(x) - 1 times cos(y) and cos(y) - 1. */
    CUPRIC_MATH static complex128 expm1(float x, float y, bool *other)
    {
        using namespace elementary;
        *other = is_other(x, y);
        const single_in_double::exponential_pair e =
            single_in_double::exponential_pair_of(exponent_of(x));
        const single_in_double::circular_triple t =
            single_in_double::circular_triple_of(single_in_double::reduced_angle_of(y));
        const double less_1 = chosen(x == 0, double(x), e.less_1);
        return complex128(fused(less_1, t.cos, t.less_1), product(e.exp, t.sin));
    }

    /* log(x**2 + y**2) / 2; where that is close to 0, x**2 - 1 is exact. */
    template <bool FOR_POWER = false>
    CUPRIC_MATH static complex128 log(compared x, compared y, bool *other,
                                      double unit = 1)
    {
        using namespace elementary;
        const compared ax = without_sign(x), ay = without_sign(y);
        const bool steep = ay > ax;
        const compared small = chosen(steep, ax, ay), larger = chosen(steep, ay, ax);
        const bool zero = larger == 0;
        const compared large = chosen(zero, compared(1), larger);
        const bool middle = single_in_double::is_middle(small, large);
        const double a = double(small), b = double(large);
        const double square = fused(b, b, product(a, a));
        const double less_1 = fused(a, a, fused(b, b, -1.0));
        const double real =
            product(0.5 * unit, single_in_double::log_of<FOR_POWER>(square, less_1));
        const double angle = single_in_double::angle_of(a, b, steep, middle, x);
        *other = !(large < infinity<compared>()) | (small != small);
        return complex128(chosen(zero, -infinity<double>(), real),
                          single_in_double::times_sign_of(
                              unit == 1 ? angle : product(angle, unit), y));
    }

    CUPRIC_MATH static complex128 log2(float x, float y, bool *other)
    {
        return log(x, y, other, in_double::LOG2_E());
    }

    CUPRIC_MATH static complex128 log10(float x, float y, bool *other)
    {
        return log(x, y, other, in_double::LOG10_E());
    }

    CUPRIC_MATH static complex128 log1p(float x, float y, bool *other)
    {
        using namespace elementary;
        const double u = double(x), v = double(y), more = u + 1;
        const double square = fused(more, more, product(v, v));
        const double less_1 = fused(v, v, fused(u, u, 2 * u));
        const double real = product(0.5, single_in_double::log_of(square, less_1));
        /* which is the larger part floats tell well enough */
        const compared about = x + 1, ax = without_sign(about);
        const compared ay = without_sign(compared(y));
        const bool steep = ay > ax;
        const bool middle =
            single_in_double::is_middle(chosen(steep, ax, ay), chosen(steep, ay, ax));
        const double width = without_sign(more), height = without_sign(v);
        const double a = chosen(steep, width, height), b = chosen(steep, height, width);
        const double angle = single_in_double::angle_of(a, b, steep, middle, about);
        *other = is_not_finite(x, y) | ((ax == 0) & (ay == 0));
        return complex128(real, single_in_double::times_sign_of(angle, compared(y)));
    }

    /* ---- hyperbolic and circular functions ---- */

    CUPRIC_MATH static complex128 sinh(float x, float y, bool *other)
    {
        using elementary::product;
        *other = is_other(x, y);
        const hyperbolic_pair h = single_in_double::hyperbolic_pair_of(exponent_of(x));
        const circular_pair t = circular_of(y);
        return complex128(product(h.sinh, t.cos), product(h.cosh, t.sin));
    }

    CUPRIC_MATH static complex128 cosh(float x, float y, bool *other)
    {
        using elementary::product;
        *other = is_other(x, y);
        const hyperbolic_pair h = single_in_double::hyperbolic_pair_of(exponent_of(x));
        const circular_pair t = circular_of(y);
        return complex128(product(h.cosh, t.cos), product(h.sinh, t.sin));
    }

    /* (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)**2 + cos(y)**2), which is 1 and 0 of
     * larger x, too. */
    CUPRIC_MATH static complex128 tanh(float x, float y, bool *other)
    {
        using namespace elementary;
        *other = is_other(x, y);
        const hyperbolic_pair h =
            single_in_double::hyperbolic_pair_of(exponent_of(x, 60));
        const circular_pair t = circular_of(y);
        const double over =
            ordinary_reciprocal(fused(h.sinh, h.sinh, product(t.cos, t.cos)));
        return complex128(product(product(h.sinh, h.cosh), over),
                          product(product(t.sin, t.cos), over));
    }

    CUPRIC_MATH static complex128 sin(float x, float y, bool *other)
    {
        const complex128 w = sinh(-y, x, other);
        return complex128(w.im, -w.re);
    }

    CUPRIC_MATH static complex128 cos(float x, float y, bool *other)
    {
        return cosh(-y, x, other);
    }

    CUPRIC_MATH static complex128 tan(float x, float y, bool *other)
    {
        const complex128 w = tanh(-y, x, other);
        return complex128(w.im, -w.re);
    }

    /* ---- inverse functions ---- */

    /* The arcs of x + iy for x, y >= 0: of its sine u + iv, where x is sin(u) cosh(v) and y
     * cos(u) sinh(v), v and what u is the angle of (under, x) by. sinh(v)**2 - cos(u)**2 is
     * x**2 + y**2 - 1, and sinh(v)**2 + cos(u)**2 the root of its square and of 4 y**2; so the
     * larger of the two is a sum, and the smaller one's root y over the other's. */
    struct arcs {
        double imag, under;
    };

    CUPRIC_MATH static arcs arcs_of(float x, float y)
    {
        using namespace elementary;
        const double u = double(x), v = double(y), twice = v + v;
        const double excess = fused(v, v, fused(u, u, -1.0));
        const double sum = ordinary_root(
            fused(excess, excess, fused(twice, twice, single_in_double::TINY())));
        const double larger = ordinary_root(product(0.5, sum + without_sign(excess)));
        const double smaller = product(v, ordinary_reciprocal(larger));
        const bool outside = excess > 0;
        const double sinh = chosen(outside, larger, smaller),
                     cosine = chosen(outside, smaller, larger);
        const double square = product(sinh, sinh), cosh = ordinary_root(square + 1);
        const double cosh_less_1 =
            chosen(sinh < 0x1p-12, product(0.5, square), cosh - 1);
        return {single_in_double::log_of(sinh + cosh, sinh + cosh_less_1),
                product(cosh, cosine)};
    }

    CUPRIC_MATH static complex128 asin(float x, float y, bool *other)
    {
        using namespace elementary;
        *other = is_not_finite(x, y);
        const arcs a = arcs_of(without_sign(x), without_sign(y));
        return complex128(single_in_double::atan2(double(x), a.under),
                          single_in_double::times_sign_of(a.imag, y));
    }

    CUPRIC_MATH static complex128 acos(float x, float y, bool *other)
    {
        using namespace elementary;
        *other = is_not_finite(x, y);
        const arcs a = arcs_of(without_sign(x), without_sign(y));
        return complex128(single_in_double::atan2(a.under, double(x)),
                          single_in_double::times_sign_of(-a.imag, y));
    }

    CUPRIC_MATH static complex128 asinh(float x, float y, bool *other)
    {
        const complex128 w = asin(y, x, other);
        return complex128(w.im, w.re);
    }

    CUPRIC_MATH static complex128 acosh(float x, float y, bool *other)
    {
        const complex128 w = acos(x, y, other);
        return complex128(elementary::without_sign(w.im),
                          single_in_double::times_sign_of(w.re, y));
    }

    CUPRIC_MATH static complex128 atanh(float x, float y, bool *other)
    {
        using namespace elementary;
        *other = is_not_finite(x, y) | ((without_sign(x) == 1) & (y == 0));
        const double u = double(without_sign(x)), v = double(y), less = 1 - u;
        const double square = fused(less, less, product(v, v));
        const double t = product(4 * u, ordinary_reciprocal(square));
        const double real = product(0.25, single_in_double::log_of(1 + t, t));
        const double angle =
            single_in_double::atan2(2 * v, fused(-v, v, product(less, 1 + u)));
        return complex128(single_in_double::times_sign_of(real, x),
                          product(0.5, angle));
    }

    CUPRIC_MATH static complex128 atan(float x, float y, bool *other)
    {
        const complex128 w = atanh(y, x, other);
        return complex128(w.im, w.re);
    }

    /* ---- power ---- */

    /* By logarithm and exponential, where the angle is not so large that its error, some
     * 2**-36 of it, would be seen. */
    CUPRIC_MATH static complex128 power(complex64 a, complex64 b, bool *other)
    {
        using namespace elementary;
        const complex128 l = log<true>(a.re, a.im, other), c = b;
        const double re = fused(c.re, l.re, -product(c.im, l.im));
        const double im = fused(c.re, l.im, product(c.im, l.re));
        *other |= !(without_sign(im) <= 128) | (re != re);
        return polar(single_in_double::reduced_exponent_of(clamped(re, double(FAR()))),
                     single_in_double::reduced_angle_of(im));
    }
};

CUPRIC_END

#endif
