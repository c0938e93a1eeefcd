/* math/elementary.hpp: the elementary functions of float and double, with the same bits on
 * the host and on a GPU (words.hpp says how), within 1 unit in the last place
 * (docs/accuracy.md has the maxima).
 *
 * Every function is written once, for both formats: the argument is reduced exactly or to
 * two words, a polynomial (polynomials.hpp) gives what is small beside the leading terms,
 * and these are summed with their rounding errors, so that hardly more than the last
 * rounding is lost and results that are numbers of the format, log10(1000), come exact.
 * Where that would take many terms a table has short ones for pieces (pieces.hpp). There are
 * no branches on the host, only selections, and loops over the functions vectorise; the
 * exception are sin, cos and tan of large arguments. What is rare is left out where it takes
 * much of the time, by a second form with the same bits (words.hpp).
 *
 * References: J.-M. Muller, "Elementary Functions" (3rd edition, 2016); W. J. Cody and
 * W. Waite, "Software Manual for the Elementary Functions" (1980); M. Payne and R. Hanek,
 * "Radian reduction for trigonometric functions" (1983).
 */
#ifndef CUPRIC_MATH_ELEMENTARY_HPP
#define CUPRIC_MATH_ELEMENTARY_HPP

#include "cupric/math/bessel_pieces.hpp"
#include "cupric/math/exponentials.hpp"
#include "cupric/math/logarithms.hpp"
#include "cupric/math/powers.hpp"
#include "cupric/math/trigonometric.hpp"

CUPRIC_BEGIN

namespace elementary {

/* ---- roots -------------------------------------------------------------------------- */

/* sqrt(a**2 + b**2) for a >= b, of which neither square overflows nor underflows. */
template <class F>
CUPRIC_MATH F
scaled_hypot(F a, F b)
{
    const words<F> square = exact_product(a, a), other = exact_product(b, b);
    const words<F> sum = ordered_sum(square.hi, other.hi);
    const words<F> s = root_of(words<F>{sum.hi, sum.lo + (square.lo + other.lo)});
    return s.hi + s.lo;
}

struct hypotenuse {
    template <class F>
    CUPRIC_MATH static F LIMIT()
    {
        return F(sizeof(F) == 4 ? 0x1p62 : 0x1p510);
    }

    template <class F>
    CUPRIC_MATH static F LEAST()
    {
        return F(sizeof(F) == 4 ? 0x1p-50 : 0x1p-450);
    }

    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x, F y)
    {
        const F ax = without_sign(x), ay = without_sign(y);
        const F large = chosen(ax > ay, ax, ay), small = chosen(ax > ay, ay, ax);
        return {scaled_hypot(large, small),
                rare_outside(large, LEAST<F>(), LIMIT<F>())};
    }

    template <class F>
    CUPRIC_MATH static F any(F x, F y)
    {
        constexpr bool SINGLE = sizeof(F) == 4;
        const F ax = without_sign(x), ay = without_sign(y);
        const F large = chosen(ax > ay, ax, ay), small = chosen(ax > ay, ay, ax);
        const F up = F(SINGLE ? 0x1p100 : 0x1p600),
                down = F(SINGLE ? 0x1p-100 : 0x1p-600);
        const bool big = large > LIMIT<F>(), tiny = large < LEAST<F>();
        const F scale = chosen(big, down, chosen(tiny, up, F(1)));
        const F back = chosen(big, up, chosen(tiny, down, F(1)));
        const F result = scaled_hypot(large * scale, small * scale) * back;
        const bool infinite = (ax == infinity<F>()) | (ay == infinity<F>());
        const F whole = chosen((x == x) & (y == y), result, x + y);
        return chosen(infinite, infinity<F>(), whole);
    }
};

template <class F>
CUPRIC_MATH F
hypot(F x, F y)
{
    return either_form<hypotenuse>(x, y);
}

/* y**(-1/3) of a normal number, to a thirtieth. A number's bits are nearly its logarithm:
 * an integer less a third of these are the root's. All is in the leading bits, and a double
 * beside ROUNDER holds them, as an integer and as a number. */
template <class F>
CUPRIC_MATH F
rough_reciprocal_cbrt(F y)
{
    typedef format<F> T;
    constexpr bool SINGLE = sizeof(F) == 4;
    constexpr int SHIFT = SINGLE ? 9 : 32;
    const F leading = from_bits(bits_of(y) >> SHIFT | bits_of(T::INTEGERS()));
    /* 4/3 INTEGERS and, by search, what makes the error after a step of cbrt()'s least */
    const F third = F(SINGLE ? 13958065.0 : 6004800933347756.0);
    return from_bits(bits_of(fused(leading, F(-1) / F(3), third)) << SHIFT);
}

/* y z**2 for z near y**(-1/3), which Householder's method makes exact to 2**-16 and Newton's
 * to 2**-31, and a step of Newton's for the root itself. */
template <class F>
CUPRIC_MATH F
scaled_cbrt(F y)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    F z = rough_reciprocal_cbrt(y);
    F error = fused(product(y, z), -product(z, z), F(1));
    const F third = F(1) / F(3), series = fused(error, F(14) / F(81), F(2) / F(9));
    z = fused(product(error, z), fused(error, series, third), z);
    if constexpr (!SINGLE) {
        error = fused(product(y, z), -product(z, z), F(1));
        z = fused(product(error, z), third, z);
    }
    const F c = product(product(y, z), z);
    const words<F> square = exact_product(c, c);
    error = fused(square.hi, c, -y);
    if constexpr (!SINGLE) error = fused(square.lo, c, error);
    return fused(product(error, product(z, z)), -third, c);
}

struct cube_root {
    /* what Newton's step takes from smaller numbers would be subnormal */
    template <class F>
    CUPRIC_MATH static F LEAST()
    {
        return F(sizeof(F) == 4 ? 0x1p-60 : 0x1p-800);
    }

    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        const F size = without_sign(x);
        return {times_sign(scaled_cbrt(size), x),
                rare_outside(size, LEAST<F>(), format<F>::LARGEST())};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        constexpr bool SINGLE = sizeof(F) == 4;
        const F size = without_sign(x);
        const bool tiny = size < LEAST<F>();
        const F y = product(size, tiny ? F(SINGLE ? 0x1p72 : 0x1p162) : F(1));
        const F root =
            product(scaled_cbrt(y), tiny ? F(SINGLE ? 0x1p-24 : 0x1p-54) : F(1));
        return times_sign(y < infinity<F>() ? root : y, x);
    }
};

template <class F>
CUPRIC_MATH F
cbrt(F x)
{
    return cube_root::any(x);
}

/* ---- the modified Bessel function of order 0 ------------------------------------------ */

/* For 0 <= x <= 12: the series in x**2, whose last terms are summed with their rounding
 * errors, as they are of one size. */
CUPRIC_MATH double
i0_near(double x)
{
    const words<double> s = exact_product(x, x), sum = i0_series(s.hi);
    return sum.hi + fused(sum.hi, product(s.lo, i0_slope(x)), sum.lo);
}

/* For 12 <= x <= 714: exp(x) / sqrt(x) times what hardly varies. */
CUPRIC_MATH double
i0_far(double x)
{
    typedef bessel_constants<double> B;
    const exponential<double> e = exponential_of(x);
    const double rest = exp_rest(e.r);
    const double w = ordinary_reciprocal(x), y = ordinary_root(x);
    /* 1 / sqrt(x) = w y (1 + lost) */
    const words<double> scale = exact_product(w, y);
    const double lost = fused(product(0.5, w), fused(-y, y, x), fused(-x, w, 1.0));
    const double varies = fused(w, i0_far_tail(w), B::I0_LIMIT_LOW());
    const words<double> t = exact_product(scale.hi, B::I0_LIMIT());
    const double t_low =
        t.lo + fused(scale.hi, varies,
                     product(fused(scale.hi, lost, scale.lo), B::I0_LIMIT()));
    /* (t.hi + t_low) (1 + e.r.hi + rest), where t_low and `rest` are small */
    const double most = fused(t.hi, e.r.hi, t.hi);
    const double most_low = fused(t.hi, e.r.hi, t.hi - most);
    const double low = fused(t_low, 1 + (e.r.hi + rest), fused(t.hi, rest, most_low));
    /* by 2**n in two steps, as n may be 1030 */
    return product(product(most + low, power_of_two(e.rounder - 8)), 0x1p8);
}

/* Infinite above 714. */
CUPRIC_MATH double
i0(double x)
{
    const double border = 12, limit = 714, y = without_sign(x);
#if defined(__CUDA_ARCH__)
    if (!(y > border)) return i0_near(y);
    return i0_far(y < limit ? y : limit);
#else
    const bool far = y > border;
    const double bounded = chosen(y < limit, y, limit);
    return chosen(far, i0_far(chosen(far, bounded, border)), i0_near(y));
#endif
}

/* Of floats, in double, which is exact enough without low words. */
CUPRIC_MATH double
single_i0_near(double x)
{
    return single_i0_series(product(x, x));
}

CUPRIC_MATH double
single_i0_far(float x)
{
    typedef format<double> T;
    typedef constants<double> K;
    const double wide = x, w = ordinary_reciprocal(x), y = ordinary_root(x);
    /* 1 / sqrt(x), as above */
    const double scale = product(w, y);
    const double lost =
        fused(product(0.5, w), fused(-y, y, wide), fused(-wide, w, 1.0));
    const double rounder = fused(wide, K::LOG2_E(), T::ROUNDER());
    const double e = single_exp2(fused(wide, K::LOG2_E(), T::ROUNDER() - rounder));
    const double power = normal_scaled(e, rounder);
    return product(power, product(single_i0_varying(w), fused(scale, lost, scale)));
}

/* Infinite above 92. */
CUPRIC_MATH float
i0(float x)
{
    const float border = 12, limit = 92, y = without_sign(x);
#if defined(__CUDA_ARCH__)
    if (!(y > border)) return float(single_i0_near(y));
    return float(single_i0_far(y < limit ? y : limit));
#else
    const bool far = y > border;
    const float bounded = chosen(far, chosen(y < limit, y, limit), border);
    return float(chosen(far, single_i0_far(bounded), single_i0_near(y)));
#endif
}

} /* namespace elementary */
CUPRIC_END

#endif
