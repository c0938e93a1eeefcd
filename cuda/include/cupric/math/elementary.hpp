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
 * exception are sin, cos and tan of large arguments. A GPU branches to what is rare, with
 * the same bits.
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

/* sqrt(x**2 + y**2), scaled so that neither square overflows nor underflows. */
template <class F>
CUPRIC_MATH F
hypot(F x, F y)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const F ax = without_sign(x), ay = without_sign(y);
    const F large = chosen(ax > ay, ax, ay), small = chosen(ax > ay, ay, ax);
    const F limit = F(SINGLE ? 0x1p62 : 0x1p510),
            least = F(SINGLE ? 0x1p-50 : 0x1p-450);
    const F up = F(SINGLE ? 0x1p100 : 0x1p600), down = F(SINGLE ? 0x1p-100 : 0x1p-600);
    const bool big = large > limit, tiny = large < least;
    const F scale = chosen(big, down, chosen(tiny, up, F(1)));
    const F back = chosen(big, up, chosen(tiny, down, F(1)));
    const F a = large * scale, b = small * scale;
    const words<F> square = exact_product(a, a), other = exact_product(b, b);
    const words<F> sum = ordered_sum(square.hi, other.hi);
    const words<F> s = root_of(words<F>{sum.hi, sum.lo + (square.lo + other.lo)});
    const F result = (s.hi + s.lo) * back;
    const bool infinite = (ax == infinity<F>()) | (ay == infinity<F>());
    const F whole = chosen((x == x) & (y == y), result, x + y);
    return chosen(infinite, infinity<F>(), whole);
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
cbrt(F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const F size = without_sign(x);
    /* what Newton's step takes from numbers so small would be subnormal */
    const bool tiny = size < F(SINGLE ? 0x1p-60 : 0x1p-800);
    const F y = product(size, tiny ? F(SINGLE ? 0x1p72 : 0x1p162) : F(1));
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
    const F result = fused(product(error, product(z, z)), -third, c);
    const F root = product(result, tiny ? F(SINGLE ? 0x1p-24 : 0x1p-54) : F(1));
    return times_sign(y < infinity<F>() ? root : y, x);
}

/* ---- the modified Bessel function of order 0 ------------------------------------------ */

/* exp(x) times exp(-x) I0(x), which hardly varies, by pieces; infinite above 714 or, of
 * float, above 92. */
CUPRIC_MATH double
i0(double x)
{
    const double y = without_sign(x), z = chosen(y < 714, y, 714.0);
    const exponential<double> e = exponential_of(z);
    const words<double> t = i0_piece(place_of_octave<1>(z, 3.0));
    const double rest = exp_rest(e.r);
    /* (t.hi + t.lo) (1 + e.r.hi + rest), where t.lo and `rest` are small */
    const double most = fused(t.hi, e.r.hi, t.hi);
    const double lost = fused(t.hi, e.r.hi, t.hi - most);
    const double low = fused(t.lo, 1 + (e.r.hi + rest), fused(t.hi, rest, lost));
    /* by 2**n in two steps, as n may be 1030 */
    const double result =
        product(product(most + low, power_of_two(e.rounder - 8)), 0x1p8);
    return chosen(x == x, result, x);
}

/* In double, which is exact enough without low words. */
CUPRIC_MATH float
i0(float x)
{
    typedef format<double> T;
    typedef constants<double> K;
    const float y = without_sign(x), z = chosen(y < 92, y, 92.0f);
    const words<float> t = i0_piece(place_of_octave<2>(z, 1.125f));
    const double rounder = fused(double(z), K::LOG2_E(), T::ROUNDER());
    const double e = single_exp2(fused(double(z), K::LOG2_E(), T::ROUNDER() - rounder));
    const double power = from_bits(bits_of(e) + (bits_of(rounder) << T::FRACTION()));
    const double result = product(power, double(t.hi) + double(t.lo));
    return chosen(x == x, float(result), x);
}

} /* namespace elementary */
CUPRIC_END

#endif
