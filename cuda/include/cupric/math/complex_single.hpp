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

struct complex_single {
    typedef single_in_double::circular_pair circular_pair;
    typedef single_in_double::exponential_parts exponential_parts;
    typedef single_in_double::hyperbolic_pair hyperbolic_pair;

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
    CUPRIC_MATH static exponential_parts exponential_of(double x, double limit = 300)
    {
        return single_in_double::exponential_parts_of(
            elementary::clamped(x, -limit, limit));
    }

    /* exp(x) (cos(y) + i sin(y)) */
    CUPRIC_MATH static complex128 exp(double x, double y, bool *other)
    {
        *other = single_in_double::is_too_large(y);
        const double e = single_in_double::exp_of(exponential_of(x));
        const circular_pair t = single_in_double::circular_pair_of(y);
        return complex128(elementary::product(e, t.cos),
                          elementary::chosen(y == 0, y, elementary::product(e, t.sin)));
    }

    CUPRIC_MATH static complex128 exp2(double x, double y, bool *other)
    {
        using elementary::product;
        return exp(product(x, in_double::LN2()), product(y, in_double::LN2()), other);
    }

    /* The real part as exp(x) - 1 times cos(y) and cos(y) - 1. */
    CUPRIC_MATH static complex128 expm1(double x, double y, bool *other)
    {
        using namespace elementary;
        *other = single_in_double::is_too_large(y);
        const exponential_parts e = exponential_of(x);
        const circular_pair t = single_in_double::circular_pair_of(y);
        const double less = chosen(x == 0, x, single_in_double::expm1_of(e));
        const double imag = product(single_in_double::exp_of(e), t.sin);
        return complex128(fused(less, t.cos, t.cos_less_1), chosen(y == 0, y, imag));
    }

    /* log(x**2 + y**2) / 2; where that is close to 0, x**2 - 1 is exact. */
    CUPRIC_MATH static complex128 log(double x, double y, bool *other)
    {
        using namespace elementary;
        const double ax = without_sign(x), ay = without_sign(y);
        const bool steep = ay > ax;
        const double a = chosen(steep, ay, ax), b = chosen(steep, ax, ay);
        const double square = fused(a, a, product(b, b));
        const double less_1 = fused(b, b, fused(a, a, -1.0));
        const double twice = single_in_double::log_of(square, less_1);
        *other = !(square < infinity<double>());
        return complex128(chosen(a == 0, -infinity<double>(), product(0.5, twice)),
                          single_in_double::atan2(y, x));
    }

    CUPRIC_MATH static complex128 log2(double x, double y, bool *other)
    {
        const complex128 w = log(x, y, other);
        return complex128(elementary::product(w.re, in_double::LOG2_E()),
                          elementary::product(w.im, in_double::LOG2_E()));
    }

    CUPRIC_MATH static complex128 log10(double x, double y, bool *other)
    {
        const complex128 w = log(x, y, other);
        return complex128(elementary::product(w.re, in_double::LOG10_E()),
                          elementary::product(w.im, in_double::LOG10_E()));
    }

    CUPRIC_MATH static complex128 log1p(double x, double y, bool *other)
    {
        using namespace elementary;
        const double more = x + 1;
        const double square = fused(more, more, product(y, y));
        const double less_1 = fused(y, y, fused(x, x, 2 * x));
        const double twice = single_in_double::log_of(square, less_1);
        *other = !(square < infinity<double>());
        return complex128(chosen(square == 0, -infinity<double>(), product(0.5, twice)),
                          single_in_double::atan2(y, more));
    }

    /* ---- hyperbolic and circular functions ---- */

    CUPRIC_MATH static complex128 sinh(double x, double y, bool *other)
    {
        using namespace elementary;
        *other = single_in_double::is_too_large(y);
        const hyperbolic_pair h =
            single_in_double::hyperbolic_pair_of(exponential_of(x));
        const circular_pair t = single_in_double::circular_pair_of(y);
        return complex128(product(chosen(x == 0, x, h.sinh), t.cos),
                          chosen(y == 0, y, product(h.cosh, t.sin)));
    }

    CUPRIC_MATH static complex128 cosh(double x, double y, bool *other)
    {
        using namespace elementary;
        *other = single_in_double::is_too_large(y);
        const hyperbolic_pair h =
            single_in_double::hyperbolic_pair_of(exponential_of(x));
        const circular_pair t = single_in_double::circular_pair_of(y);
        const double imag = product(chosen(x == 0, x, h.sinh), t.sin);
        return complex128(product(h.cosh, t.cos), chosen((y == 0) & (x != x), y, imag));
    }

    /* (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)**2 + cos(y)**2), which is 1 and 0 of
     * larger x, too. */
    CUPRIC_MATH static complex128 tanh(double x, double y, bool *other)
    {
        using namespace elementary;
        *other = single_in_double::is_too_large(y);
        const hyperbolic_pair h =
            single_in_double::hyperbolic_pair_of(exponential_of(x, 60));
        const circular_pair t = single_in_double::circular_pair_of(y);
        const double sinh = chosen(x == 0, x, h.sinh);
        const double over = quotient(1.0, fused(sinh, sinh, product(t.cos, t.cos)));
        return complex128(product(product(sinh, h.cosh), over),
                          chosen(y == 0, y, product(product(t.sin, t.cos), over)));
    }

    CUPRIC_MATH static complex128 sin(double x, double y, bool *other)
    {
        const complex128 w = sinh(-y, x, other);
        return complex128(w.im, -w.re);
    }

    CUPRIC_MATH static complex128 cos(double x, double y, bool *other)
    {
        return cosh(-y, x, other);
    }

    CUPRIC_MATH static complex128 tan(double x, double y, bool *other)
    {
        const complex128 w = tanh(-y, x, other);
        return complex128(w.im, -w.re);
    }

    /* ---- inverse functions ---- */

    /* The arcs of x + iy for x, y >= 0: of its sine the imaginary part, and the real part
     * as the angle of (under, x). With a half of the distances from -1 and 1, they are
     * log(a + sqrt(a**2 - 1)) and sqrt(a**2 - x**2); a - 1 and a - x are sums of what the
     * distances exceed their real parts by, each the quotient of y**2 and its conjugate
     * where the difference would cancel. */
    struct arcs {
        double imag, under;
    };

    CUPRIC_MATH static arcs arcs_of(double x, double y, bool *other)
    {
        using namespace elementary;
        const double right = x + 1, left = x - 1, yy = product(y, y);
        const double far = root(fused(right, right, yy)) + right;
        const double near = root(fused(left, left, yy)) + without_sign(left);
        const double ratio = quotient(yy, fused(far, near, single_in_double::TINY()));
        const double far_rest = product(ratio, near), near_rest = product(ratio, far);
        const bool outside = left > 0;
        const double a_less_1 =
            product(0.5, far_rest + chosen(outside, near, near_rest));
        const double a_less_x =
            product(0.5, far_rest + chosen(outside, near_rest, near));
        const double t = a_less_1 + root(product(a_less_1, a_less_1 + 2));
        *other = !(far < infinity<double>());
        return {single_in_double::log_of(1 + t, t),
                root(product(a_less_x, fused(2.0, x, a_less_x)))};
    }

    CUPRIC_MATH static complex128 asin(double x, double y, bool *other)
    {
        using namespace elementary;
        const arcs a = arcs_of(without_sign(x), without_sign(y), other);
        return complex128(single_in_double::atan2(x, a.under), times_sign(a.imag, y));
    }

    CUPRIC_MATH static complex128 acos(double x, double y, bool *other)
    {
        using namespace elementary;
        const arcs a = arcs_of(without_sign(x), without_sign(y), other);
        return complex128(single_in_double::atan2(a.under, x), times_sign(-a.imag, y));
    }

    CUPRIC_MATH static complex128 asinh(double x, double y, bool *other)
    {
        const complex128 w = asin(y, x, other);
        return complex128(w.im, w.re);
    }

    CUPRIC_MATH static complex128 acosh(double x, double y, bool *other)
    {
        const complex128 w = acos(x, y, other);
        return complex128(elementary::without_sign(w.im),
                          elementary::times_sign(w.re, y));
    }

    CUPRIC_MATH static complex128 atanh(double x, double y, bool *other)
    {
        using namespace elementary;
        const double ax = without_sign(x), less = 1 - ax, more = 1 + ax;
        const double square = fused(less, less, product(y, y));
        *other = !(square < infinity<double>()) | (square == 0);
        const double t = quotient(4 * ax, square);
        const double real = product(0.25, single_in_double::log_of(1 + t, t));
        const double angle =
            single_in_double::atan2(2 * y, fused(-y, y, product(less, more)));
        return complex128(times_sign(real, x), product(0.5, angle));
    }

    CUPRIC_MATH static complex128 atan(double x, double y, bool *other)
    {
        const complex128 w = atanh(y, x, other);
        return complex128(w.im, w.re);
    }

    /* ---- power ---- */

    /* By logarithm and exponential, where the angle is not so large that its error, some
     * 2**-36 of it, would be seen. */
    CUPRIC_MATH static complex128 power(complex128 a, complex128 b, bool *other)
    {
        using namespace elementary;
        bool not_finite, too_large;
        const complex128 l = log(a.re, a.im, &not_finite);
        const double re = fused(b.re, l.re, -product(b.im, l.im));
        const double im = fused(b.re, l.im, product(b.im, l.re));
        const complex128 w = exp(re, im, &too_large);
        *other = not_finite | !(without_sign(im) <= 128);
        return w;
    }
};

CUPRIC_END

#endif
