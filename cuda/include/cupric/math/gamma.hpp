/* math/gamma.hpp: the gamma function and the logarithm of its absolute value, of float and
 * double, with the same bits on the host and on a GPU, as the functions of elementary.hpp.
 *
 * Stirling's formula gives gamma(z) for z >= 3.15. Below, gamma(x) is gamma(x + 5) divided by
 * x (x + 1) ... (x + 4), and below -1.85 it is pi / gamma(1 - x) / sin(pi x). All of it is in
 * base 2 and in two words, up to the last rounding; of floats it is in double.
 *
 * Most arguments take no branch, as loops over the functions have to (batched<F>); those
 * below -2, and what is not ordinary, are apart.
 *
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 6.1.
 */
#ifndef CUPRIC_MATH_GAMMA_HPP
#define CUPRIC_MATH_GAMMA_HPP

#include "cupric/math/elementary.hpp"
#include "cupric/math/special_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

/* ---- what both are made of ------------------------------------------------------------ */

CUPRIC_MATH words<double>
words_product(words<double> a, words<double> b)
{
    const words<double> p = exact_product(a.hi, b.hi);
    return {p.hi, fused(a.hi, b.lo, fused(a.lo, b.hi, p.lo))};
}

/* a / b, where `inverse` is about 1 / b. */
CUPRIC_MATH words<double>
words_quotient(words<double> a, words<double> b, double inverse)
{
    const double q = product(a.hi, inverse);
    const double rest = fused(-q, b.hi, a.hi) + fused(-q, b.lo, a.lo);
    return {q, product(rest, inverse)};
}

CUPRIC_MATH words<double>
words_quotient(words<double> a, words<double> b)
{
    return words_quotient(a, b, quotient(1.0, b.hi));
}

CUPRIC_MATH words<double>
chosen(bool c, words<double> a, words<double> b)
{
    return {chosen(c, a.hi, b.hi), chosen(c, a.lo, b.lo)};
}

/* gamma(x) is gamma(z) / product; z >= 3.15. */
struct lifted_argument {
    words<double> z, product;
};

/* For x >= -1.85, where the sums are exact, and then the product has the sign of gamma(x). */
CUPRIC_MATH lifted_argument
lift(double x)
{
    const bool small = x < 3.15;
    const double low = chosen(small, x, 1.0);
    const words<double> outer =
        words_product(words<double>{low, 0}, ordered_sum(4.0, low));
    const words<double> inner =
        words_product(ordered_sum(1.0, low), ordered_sum(3.0, low));
    const words<double> product =
        words_product(words_product(outer, inner), ordered_sum(2.0, low));
    const words<double> z = ordered_sum(chosen(small, 5.0, x), chosen(small, x, 0.0));
    return {z, chosen(small, product, words<double>{1, 0})};
}

/* log2(gamma(z)) for z >= 3.15; `inverse` is about 1 / z. */
CUPRIC_MATH words<double>
log2_stirling(words<double> z, double inverse)
{
    typedef constants<double> K;
    typedef special_constants<double> S;
    const words<double> l = exact_log2(z);
    const words<double> less = ordered_sum(l.hi, -K::LOG2_E());
    const words<double> half = ordered_sum(z.hi, -0.5);
    const words<double> p =
        words_product(words<double>{half.hi, half.lo + z.lo},
                      words<double>{less.hi, less.lo + (l.lo - K::LOG2_E_LOW())});
    const double tail = stirling_tail(product(inverse, inverse));
    const words<double> most = ordered_sum(p.hi, S::STIRLING_2());
    const words<double> sum =
        ordered_sum(most.hi, product(product(inverse, K::LOG2_E()), tail));
    return {sum.hi, sum.lo + (most.lo + (p.lo + S::STIRLING_2_LOW()))};
}

/* ---- the gamma function ------------------------------------------------------------- */

/* x 2**n for a number that is neither large nor small, and any n; `rounder` is
 * ROUNDER + n. */
CUPRIC_MATH double
scaled_twice(double x, double rounder)
{
    typedef format<double> T;
    const double n = rounder - T::ROUNDER(), half = fused(n, 0.5, T::ROUNDER());
    const double other = rounder - (half - T::ROUNDER());
    return product(product(x, power_of_two(half)), power_of_two(other));
}

/* For x >= -1.85, where it is not within 2**-60 of 0; not a number at -1. */
CUPRIC_MATH double
gamma_above(double x)
{
    const lifted_argument lifted = lift(x < 171.7 ? x : 171.7);
    /* a division for both reciprocals */
    const double z = lifted.z.hi, divisor = lifted.product.hi;
    const double both = quotient(1.0, product(z, divisor));
    const exponential<double> e =
        exponential2_of(log2_stirling(lifted.z, product(both, divisor)));
    const words<double> q =
        words_quotient(small_exp(e.r), lifted.product, product(both, z));
    const double power = power_of_two(e.rounder - 1);
    return product(product(q.hi + q.lo, power), 2.0);
}

/* gamma(-y) = -pi / (y sin(pi y) gamma(y)), for y > 1; not a number at the poles. */
CUPRIC_APART double
gamma_of_negative(double y)
{
    typedef format<double> T;
    typedef constants<double> K;
    T::bits sign;
    const words<double> sine = sine_of_half_turns(y, sign);
    if (sine.hi == 0) return nan<double>();
    const double a = y < 200 ? y : 200.0;
    const lifted_argument lifted = lift(a);
    const exponential<double> e =
        exponential2_of(log2_stirling(lifted.z, quotient(1.0, lifted.z.hi)));
    const words<double> over =
        words_product(lifted.product, words<double>{K::PI(), K::PI_LOW()});
    const words<double> under =
        words_product(words_product(words<double>{a, 0}, sine), small_exp(e.r));
    const words<double> q = words_quotient(over, under);
    const double result = scaled_twice(q.hi + q.lo, 2 * T::ROUNDER() - e.rounder);
    return from_bits(bits_of(result) | (T::SIGN() ^ sign));
}

CUPRIC_MATH bool
gamma_is_simple(double x)
{
    return (x >= -1.85) & (x != -1) & (without_sign(x) >= 0x1p-60);
}

CUPRIC_MATH double
gamma(double x)
{
    if (gamma_is_simple(x)) return gamma_above(x);
    if (x <= -1) return gamma_of_negative(-x);
    return x == x ? quotient(1.0, x) : x; /* 1 / x to within its rounding */
}

/* In double, which is exact enough without low words. */
CUPRIC_MATH float
gamma(float x)
{
    typedef format<double> T;
    typedef constants<double> K;
    typedef special_constants<double> S;
    const double wide = x, y = without_sign(wide), a = clamped(y, 0.0, 60.0);
    const bool small = a < 4, minus = wide < 0;
    const double u = product(a, a + 3);
    const double divisor = chosen(small, product(u, u + 2), 1.0);
    const double z = a + chosen(small, 4.0, 0.0), inverse = quotient(1.0, z);
    const decomposed<double> d = decompose(z);
    const double l = fused(d.f, single_log2(d.f), d.k) - K::LOG2_E();
    const double tail = single_stirling_tail(product(inverse, inverse));
    const double log2 = fused(z - 0.5, l, fused(inverse, tail, S::STIRLING_2()));
    const double rounder = log2 + T::ROUNDER();
    const double m = single_exp2(log2 - (rounder - T::ROUNDER()));
    const double e = product(m, power_of_two(rounder));
    /* the sine's sign: y less the nearest whole number changes it where that is odd */
    const double bounded = chosen(y < T::INTEGERS(), y, 1.0);
    const double whole = bounded + T::INTEGERS(),
                 part = bounded - (whole - T::INTEGERS());
    const double sine = product(part, single_sinpi(product(part, part)));
    const double over = chosen(minus, product(divisor, K::PI()), e);
    const double under = chosen(minus, product(product(a, -sine), e), divisor);
    const T::bits odd = bits_of(whole) << (T::FRACTION() + 11);
    double result = quotient(over, under);
    result = from_bits(bits_of(result) ^ (minus ? odd : 0));
    result = chosen(wide == 0, times_sign(infinity<double>(), wide), result);
    result = chosen(minus & (part == 0), nan<double>(), result);
    return float(chosen(wide == wide, result, wide));
}

/* The same where that is without branches; of float it is. */
CUPRIC_MATH double
gamma_of_batched(double x)
{
    const double mark = from_bits(format<double>::MARK());
    return chosen(gamma_is_simple(x), gamma_above(x), mark);
}
CUPRIC_MATH float
gamma_of_batched(float x)
{
    return gamma(x);
}

/* ---- its logarithm ------------------------------------------------------------------ */

/* log(x) in two words, x = hi + low > 0, where hi is above 2**-100 if `low` is not 0. */
CUPRIC_MATH words<double>
log_of_words(words<double> x)
{
    typedef constants<double> K;
    const decomposed<double> d = decompose(x.hi);
    const double power =
        power_of_two(format<double>::ROUNDER() - (d.k > -100 ? d.k : -100.0));
    const words<double> r = with_low(small_logarithm(d.f), d.f, product(x.lo, power));
    const words<double> sum = ordered_sum(product(d.k, K::LN2_SHORT()), r.hi);
    return {sum.hi, sum.lo + fused(d.k, K::LN2_SHORT_LOW(), r.lo)};
}

/* log(|gamma(x)|) for -2 < x < 2**1000. By Stirling's formula from 3.15 on; below, with y
 * one of x - 1 to x + 3 between 0.9 and 2.15, and where the logarithm of what gamma(y) is
 * multiplied or divided by is not small if that of gamma(y) is not. */
CUPRIC_MATH words<double>
gammaln_words(double x)
{
    typedef special_constants<double> S;
    const bool large = x >= 3.15, above = x >= 2.15, below = x < 0.9,
               negative = x < -0.1, lower = x < -1.1;
    /* y - 1 - x */
    double more = chosen(above, -2.0, -1.0);
    more = chosen(below, 0.0, more);
    more = chosen(negative, 1.0, more);
    more = chosen(lower, 2.0, more);
    const double bounded = chosen(large, 3.0, x);
    const words<double> first = ordered_sum(more, bounded);
    const words<double> second = ordered_sum(more - 1, bounded);
    const words<double> roots = words_product(first, second);
    const double t = (first.hi - 0.5) + first.lo;
    const words<double> p =
        exact_product(t, fused(t, gammaln_tail(t), S::GAMMALN_SLOPE()));
    const words<double> near = ordered_sum(S::GAMMALN_NEAR(), p.hi);
    const double rest = fused(t, S::GAMMALN_SLOPE_LOW(), p.lo + S::GAMMALN_NEAR_LOW());
    const words<double> of_y =
        words_product(roots, words<double>{near.hi, near.lo + rest});

    /* x; x (x + 1); x (x + 1) (x + 2) */
    double factor = chosen(below & (!negative | lower), x, 1.0);
    factor = chosen(above, x - 1, factor);
    factor = chosen(large, x, factor);
    const words<double> other = chosen(negative, roots, words<double>{1, 0});
    const words<double> q = exact_product(other.hi, factor);
    const double q_low = fused(other.lo, factor, q.lo);
    const words<double> l =
        log_of_words(words<double>{without_sign(q.hi), times_sign(q_low, q.hi)});

    const double inverse = quotient(1.0, chosen(large, x, 4.0));
    const double tail = product(inverse, stirling_tail(product(inverse, inverse)));
    const words<double> base = chosen(large, words<double>{S::STIRLING(), tail}, of_y);
    const words<double> half = ordered_sum(x, -0.5);
    const words<double> factors =
        chosen(large, half, words<double>{chosen(below, -1.0, 1.0), 0});
    const words<double> less = ordered_sum(l.hi, chosen(large, -1.0, -0.0));
    const words<double> product =
        words_product(factors, words<double>{less.hi, less.lo + l.lo});
    const words<double> sum = exact_sum(product.hi, base.hi);
    const double low = sum.lo + (product.lo + base.lo);
    return {chosen(q.hi == 0, infinity<double>(), sum.hi), chosen(q.hi == 0, 0.0, low)};
}

/* a - l log(2) */
CUPRIC_MATH double
less_logarithm(words<double> a, words<double> l)
{
    typedef constants<double> K;
    const words<double> p = exact_product(l.hi, K::LN2());
    const double low = fused(l.lo, K::LN2(), fused(l.hi, K::LN2_LOW(), p.lo));
    const words<double> sum = exact_sum(a.hi, -p.hi);
    return sum.hi + (sum.lo + (a.lo - low));
}

/* log(|gamma(x)|) for -8 < x < 0, as that of the gamma function right of 0.9 and of what it
 * is divided by, which is exact enough for a sum that is almost 0. */
CUPRIC_MATH double
gammaln_by_steps(double x)
{
    words<double> divisor = {x, 0};
    for (x += 1; x < 0.9; x += 1) /* exact */
        divisor = words_product(divisor, words<double>{x, 0});
    const double sign = divisor.hi;
    divisor = {without_sign(sign), times_sign(divisor.lo, sign)};
    const double result = less_logarithm(gammaln_words(x), exact_log2(divisor));
    return chosen(sign == 0, infinity<double>(), result);
}

/* log(|gamma(-y)|), of which gamma(y) y |sin(pi y)| / pi is the reciprocal, for y >= 2. */
CUPRIC_APART double
gammaln_of_negative(double y)
{
    typedef constants<double> K;
    format<double>::bits sign;
    if (y < 8) return gammaln_by_steps(-y);
    const words<double> sine = sine_of_half_turns(y, sign);
    if (sine.hi == 0) return infinity<double>();
    const words<double> z = {y, 0}, over = words_product(z, sine);
    const words<double> log2 = log2_stirling(z, quotient(1.0, y));
    const words<double> l =
        exact_log2(words_quotient(over, words<double>{K::PI(), K::PI_LOW()}));
    const words<double> sum = exact_sum(log2.hi, l.hi);
    const double low = sum.lo + (log2.lo + l.lo);
    return less_logarithm(words<double>{0, 0}, words<double>{sum.hi, low});
}

CUPRIC_MATH bool
gammaln_is_simple(double x)
{
    return (x > -2) & (x < 0x1p1000);
}

CUPRIC_MATH double
gammaln(double x)
{
    typedef constants<double> K;
    if (!(without_sign(x) < infinity<double>())) return x; /* as SciPy's */
    if (x <= -2) return gammaln_of_negative(-x);
    /* that of x less x log(2**64), 2**64 times as small */
    const bool huge = x >= 0x1p1000;
    const double scaled = product(x, huge ? 0x1p-64 : 1.0);
    const words<double> l = gammaln_words(scaled);
    const double result = l.hi + fused(huge ? 64 * scaled : 0.0, K::LN2(), l.lo);
    return product(result, huge ? 0x1p64 : 1.0);
}

CUPRIC_MATH float
gammaln(float x)
{
    return float(gammaln(double(x)));
}

/* The same where that is without branches. */
template <class F>
CUPRIC_MATH F
gammaln_of_batched(F x)
{
    const words<double> l = gammaln_words(x);
    return chosen(gammaln_is_simple(x), F(l.hi + l.lo), from_bits(format<F>::MARK()));
}

} /* namespace elementary */
CUPRIC_END

#endif
