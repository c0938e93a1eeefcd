/* math/elementary.hpp: the elementary functions of float and double, with the same bits on
 * the host and on a GPU (words.hpp says how), within 1 unit in the last place
 * (docs/accuracy.md has the maxima).
 *
 * Every function is written once, for both formats: the argument is reduced exactly or to
 * two words, a polynomial (polynomials.hpp) gives what is small beside the leading terms,
 * and these are summed with their rounding errors, so that hardly more than the last
 * rounding is lost and results that are numbers of the format, log10(1000), come exact.
 * There are no branches, only selections, and loops over the functions vectorise; the
 * exception are sin, cos and tan of large arguments.
 *
 * References: J.-M. Muller, "Elementary Functions" (3rd edition, 2016); W. J. Cody and
 * W. Waite, "Software Manual for the Elementary Functions" (1980); M. Payne and R. Hanek,
 * "Radian reduction for trigonometric functions" (1983).
 */
#ifndef CUPRIC_MATH_ELEMENTARY_HPP
#define CUPRIC_MATH_ELEMENTARY_HPP

#include "cupric/math/exponentials.hpp"
#include "cupric/math/logarithms.hpp"
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

/* z after STEPS of Newton's towards number**(-1/3); as refined(), no loop. */
template <int STEPS, class F>
CUPRIC_MATH F
refined_reciprocal_cbrt(F z, F number)
{
    if constexpr (STEPS > 0) {
        const F error = fused(product(product(number, z), z), -z, F(1));
        const F next = fused(product(z, F(1) / F(3)), error, z);
        return refined_reciprocal_cbrt<STEPS - 1>(next, number);
    } else {
        return z;
    }
}

/* The number is M 2**(3 q), M in [1/4, 2]; z tends to M**(-1/3) by Newton's iteration,
 * and M z**2 to the root. */
template <class F>
CUPRIC_MATH F
cbrt(F x)
{
    typedef format<F> T;
    typedef constants<F> K;
    typedef typename T::bits bits;
    const F y = without_sign(x);
    const bool tiny = y < T::LEAST_NORMAL();
    const bits u = bits_of(product(y, tiny ? T::LIFT() : F(1)));
    const bits biased = u >> T::FRACTION();
    const F k =
        from_bits(biased | bits_of(T::INTEGERS())) -
        (T::INTEGERS() + (tiny ? F(T::BIAS() - 1 + T::LIFTED()) : F(T::BIAS() - 1)));
    const F m = from_bits(u - (biased << T::FRACTION()) +
                          (T::ONE() - (bits(1) << T::FRACTION())));
    const F rounder = fused(k, F(1) / F(3), T::ROUNDER());
    const F rest = fused(rounder - T::ROUNDER(), F(-3), k); /* -1, 0 or 1 */
    const F scale = rest > 0 ? F(2) : rest < 0 ? F(0.5) : F(1);
    const F root_scale = rest > 0 ? K::CBRT_HALF() : rest < 0 ? K::CBRT_2() : F(1);
    const F number = m * scale;
    const F z = refined_reciprocal_cbrt < sizeof(F) == 4
                    ? 1
                    : 2 > (reciprocal_cbrt(m) * root_scale, number);
    const F c = product(product(number, z), z);
    const words<F> square = exact_product(c, c);
    F error = fused(square.hi, c, -number);
    if constexpr (sizeof(F) == 8) error = fused(square.lo, c, error);
    const F result =
        fused(product(error, product(z, z)), F(-1) / F(3), c) * power_of_two(rounder);
    return times_sign(y > 0 && y < infinity<F>() ? result : y, x);
}

/* ---- the modified Bessel function of order 0 ------------------------------------------ */

/* a s + term, as horner() of words does a step. */
template <class F>
CUPRIC_MATH words<F>
horner_step(words<F> a, words<F> s, F term, F term_low)
{
    const words<F> p = exact_product(a.hi, s.hi), sum = exact_sum(term, p.hi);
    const F low = fused(a.lo, s.hi, fused(a.hi, s.lo, p.lo));
    return {sum.hi, sum.lo + (low + term_low)};
}

/* I0(x) for 0 <= x <= 8: its series in s = (x / 2)**2, the first terms in two words. */
template <class F>
CUPRIC_MATH F
i0_near(F x)
{
    typedef constants<F> K;
    const F half = F(0.5) * x;
    const words<F> s = exact_product(half, half);
    words<F> sum = {i0_rest(s.hi), 0};
    sum = horner_step(sum, s, K::I0_5(), K::I0_5_LOW());
    sum = horner_step(sum, s, K::I0_4(), K::I0_4_LOW());
    sum = horner_step(sum, s, K::I0_3(), K::I0_3_LOW());
    sum = horner_step(sum, s, F(0.25), F(0));
    sum = horner_step(sum, s, F(1), F(0));
    sum = horner_step(sum, s, F(1), F(0));
    return sum.hi + sum.lo;
}

/* I0(x) for x >= 8: exp(x) / sqrt(x) times what hardly varies, a polynomial in 16 / x - 1;
 * infinite above 714 or, of float, above 92. */
template <class F>
CUPRIC_MATH F
i0_far(F x)
{
    typedef constants<F> K;
    const F inverse = quotient(F(1), x), u = fused(inverse, F(16), F(-1));
    const words<F> p = exact_product(u, i0_tail(u));
    const words<F> scaled_i0 = ordered_sum(K::I0_AT_16(), p.hi);
    const F low = scaled_i0.lo + (p.lo + K::I0_AT_16_LOW());
    const F r = root(x), over_r = product(r, inverse);
    const F q = product(scaled_i0.hi, over_r);
    const F r_rest = fused(-r, r, x); /* twice r times its error */
    const F q_rest = fused(-q, r, scaled_i0.hi) + low;
    const F rest =
        fused(product(r_rest, q), product(F(-0.5), inverse), product(q_rest, over_r));
    const exponential<F> e = exponential_of(x);
    const words<F> power = small_exp(e.r);
    const words<F> whole = exact_product(q, power.hi);
    const F whole_low = fused(q, power.lo, fused(rest, power.hi, whole.lo));
    /* as scaled() likes its numbers */
    return scaled(64 * (whole.hi + whole_low), e.rounder - 6);
}

/* M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 9.6.12 and
 * 9.7.1. */
template <class F>
CUPRIC_MATH F
i0(F x)
{
    const F y = without_sign(x);
#if defined(__CUDA_ARCH__)
    if (y <= 8) return i0_near(y); /* most warps need one of the two */
#endif
    const F far = i0_far(clamped(y, F(8), F(sizeof(F) == 4 ? 92 : 714)));
    const F result = y > 8 ? far : i0_near(chosen(y > 8, F(8), y));
    return chosen(x == x, result, x);
}

} /* namespace elementary */
CUPRIC_END

#endif
