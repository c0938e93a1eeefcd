/* math/gamma.hpp: the gamma function and the logarithm of its absolute value, of float and
 * double, with the same bits on the host and on a GPU, as the functions of elementary.hpp.
 *
 * From 4 on by Stirling's formula. Below, in [1, 2], 1 / gamma(x) and the logarithm are
 * polynomials, and gamma(x + 1) = x gamma(x) leads there from -2 on. Left of it gamma(x) is
 * pi / (sin(pi x) gamma(1 - x)). Of doubles what counts is in two words, up to the last
 * rounding; of floats all is in double.
 *
 * Most arguments take no branch, as loops over the functions have to (batched<F>); those
 * below -2, and what is not ordinary, are apart. A GPU branches where only the speed depends
 * on it, as most warps need one side.
 *
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 6.1.
 */
#ifndef CUPRIC_MATH_GAMMA_HPP
#define CUPRIC_MATH_GAMMA_HPP

#include "cupric/math/elementary.hpp"
#include "cupric/math/gamma_pieces.hpp"
#include "cupric/math/log_by_table.hpp"
#include "cupric/math/single_polynomials.hpp"
#include "cupric/math/special_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

/* ---- what both are made of ------------------------------------------------------------ */

CUPRIC_MATH words<double>
words_product(words<double> a, double b)
{
    const words<double> p = exact_product(a.hi, b);
    return {p.hi, fused(a.lo, b, p.lo)};
}

CUPRIC_MATH words<double>
words_product(words<double> a, words<double> b)
{
    const words<double> p = exact_product(a.hi, b.hi);
    return {p.hi, fused(a.hi, b.lo, fused(a.lo, b.hi, p.lo))};
}

/* The half of a double with its sign and exponent. */
CUPRIC_MATH int
upper_half(double x)
{
    return int(bits_of(x) >> 32);
}

/* x >= limit for one of few digits above 0, and no NaN; a GPU compares halves sooner. */
CUPRIC_MATH bool
reaches(double x, double limit)
{
#if defined(__CUDA_ARCH__)
    return upper_half(x) >= upper_half(limit);
#else
    return x >= limit;
#endif
}

CUPRIC_MATH words<double>
chosen(bool c, words<double> a, words<double> b)
{
    return {chosen(c, a.hi, b.hi), chosen(c, a.lo, b.lo)};
}

/* a / b for b of the size of a float. */
CUPRIC_MATH words<double>
words_quotient(words<double> a, words<double> b)
{
    const double first = ordinary_reciprocal(float(b.hi));
    const double inverse = fused(fused(-b.hi, first, 1.0), first, first); /* Newton's */
    const double q = product(a.hi, inverse);
    const double rest = fused(-q, b.hi, a.hi) + fused(-q, b.lo, a.lo);
    return {q, product(rest, inverse)};
}

/* log(x), the first words' sum of which is exact; `scale` is 1 / x, nearly, and r, at most
 * 1 / 128, scale x - 1. */
struct logarithm {
    words<double> value;
    double scale, r;
};

/* log(x) to some 2**-64, for positive, normal numbers x = 2**k m, m between 0.7 and 1.42:
 * k log(2) - log(c) + log(1 + r), where c is the table's number near 1 / m and r = c m - 1,
 * which is exact; the second word is below 2**-14. As by log_by_table.hpp, to more digits. */
CUPRIC_MATH logarithm
logarithm_of(double x)
{
    typedef format<double> T;
    typedef constants<double> K;
    const T::bits border = 0x3fe6a00000000000u; /* (1 + 53 / 128) / 2 */
    const T::bits u = bits_of(x);
    const table_row<T::bits> c = small_log_row(u >> (T::FRACTION() - 7) & 127);
#if defined(__CUDA_ARCH__)
    /* the upper half has all that counts; no carries */
    const int whole = int(unsigned(u >> 32) - unsigned(border >> 32)) >> 20;
    const double k = whole;
    const T::bits high = unsigned(c.second >> 32) - (unsigned(whole) << 20);
    const double scale = from_bits(high << 32);
#else
    const T::bits biased = (u + (T::ONE() - border)) >> T::FRACTION();
    const double k =
        from_bits(biased | bits_of(T::INTEGERS())) - (T::INTEGERS() + T::BIAS());
    const T::bits down = (T::BIAS() - biased) << T::FRACTION();
    const double scale = from_bits((c.second & 0xffffffff00000000u) + down);
#endif
    const double r = fused(x, scale, -1.0), square = product(r, r);
    const words<double> sum =
        ordered_sum(fused(k, K::LN2_SHORT(), from_bits(c.first)), r);
    const double low = fused(k, K::LN2_SHORT_LOW(), from_bits(c.second << 32));
    const double rest = fused(r, small_log_tail(r), -0.5);
    return {{sum.hi, sum.lo + fused(square, rest, low)}, scale, r};
}

/* log(x + low) from log(x). */
CUPRIC_MATH words<double>
log_with_low(logarithm l, double low)
{
    const double part = product(low, l.scale);
    return {l.value.hi, l.value.lo + fused(part, -l.r, part)};
}

/* log(gamma(z)) for z >= 4, from log(z); also beyond 2**52 where LARGE. */
template <bool LARGE>
CUPRIC_MATH words<double>
stirling(double z, logarithm l)
{
    typedef special_constants<double> S;
    const double half = z - 0.5, less = l.value.hi - 1; /* exact */
    words<double> p = words_product(words<double>{less, l.value.lo}, half);
    if constexpr (LARGE) p.lo = fused(less, (z - half) - 0.5, p.lo);
    /* 1 / z = scale (1 - r) (1 + r**2), nearly, and a step of Newton's */
    double inverse = fused(l.scale, -l.r, l.scale);
    inverse = fused(inverse, product(l.r, l.r), inverse);
    inverse = fused(inverse, fused(-z, inverse, 1.0), inverse);
    const words<double> tail =
        exact_product(inverse, stirling_tail(product(inverse, inverse)));
    const words<double> small = ordered_sum(S::STIRLING(), tail.hi);
    const words<double> sum = ordered_sum(p.hi, small.hi);
    const double low = small.lo + (tail.lo + S::STIRLING_LOW());
    return {sum.hi, sum.lo + (p.lo + low)};
}

/* |sin(pi y)| to some 2**-60 of it, for y >= 0, and in bit 0 of `odd` whether sin(pi y) is
 * negative. */
struct half_turns {
    words<double> sine;
    format<double>::bits odd;
};

/* As the sine of a sum, one of a table's multiples of pi / 32 and what is small. */
CUPRIC_MATH half_turns
half_turns_of(double y)
{
    typedef format<double> T;
    typedef constants<double> K;
    /* the sine's sign: y less the nearest whole number changes it where that is odd */
    const double bounded = chosen(y < T::INTEGERS(), y, 1.0);
    const double whole = bounded + T::INTEGERS();
    const double part = bounded - (whole - T::INTEGERS());
    const place<double> at = place_of<32>(without_sign(part));
    const double h = at.rest, s = product(h, h);
    const words<double> p = exact_product(h, K::PI());
    const double p_low =
        fused(product(h, s), sinpi_tail(s), fused(h, K::PI_LOW(), p.lo));
    const sine_numbers sine = sine_numbers_of(at.piece);
    const sine_numbers cosine = sine_numbers_of(16 - at.piece);
    const words<double> most =
        words_product(words<double>{cosine.hi, cosine.lo}, words<double>{p.hi, p_low});
    const words<double> sum = ordered_sum(sine.hi, most.hi);
    const double low = fused(sine.hi, product(s, cospi_tail(s)), most.lo + sine.lo);
    return {ordered_sum(sum.hi, sum.lo + low), bits_of(whole) ^ bits_of(part) >> 63};
}

/* For -2 < x < 4 the whole number that makes x one of [1, 2]. */
CUPRIC_MATH double
steps_to_near(double x)
{
#if defined(__CUDA_ARCH__)
    return 1 - ::floor(x);
#else
    double steps = chosen(x >= 2, -1.0, 0.0);
    steps = chosen(x >= 3, -2.0, steps);
    steps = chosen(x < 1, 1.0, steps);
    steps = chosen(x < 0, 2.0, steps);
    return chosen(x < -1, 3.0, steps);
#endif
}

/* For 1 <= x < 4 what the steps down multiply by: 1, x - 1 or (x - 1) (x - 2). */
CUPRIC_MATH words<double>
factor_of_steps(double x)
{
    return exact_product(chosen(reaches(x, 2), x - 1, 1.0),
                         chosen(reaches(x, 3), x - 2, 1.0));
}

/* For -2 < x what the steps up divide by: 1, x, x (x + 1) or x (x + 1) (x + 2). */
CUPRIC_MATH words<double>
divisor_of_steps(double x)
{
    const double first = chosen(reaches(x, 1), 1.0, x);
#if defined(__CUDA_ARCH__)
    if (upper_half(x) >= 0) return {first, 0};
#endif
    const words<double> second =
        chosen(x < 0, ordered_sum(1.0, x), words<double>{1, 0});
    const double third = chosen(x < -1, x + 2, 1.0);
    return words_product(words_product(second, first), third);
}

/* ---- the gamma function ------------------------------------------------------------- */

/* x 2**n, n in the low bits of `rounder`. */
struct scaled_words {
    words<double> x;
    double rounder;
};

/* gamma(x) for -2 < x < 4; not a number at -1. */
CUPRIC_MATH scaled_words
gamma_near(double x)
{
    typedef special_constants<double> S;
    const words<double> t = ordered_sum(steps_to_near(x) - S::LEAST_GAMMA(), x);
    const words<double> sum =
        ordered_sum(S::OVER_GAMMA(), product(t.hi, over_gamma_tail(t.hi)));
    /* the derivative is -t, roughly */
    const double low = sum.lo + fused(t.hi, -t.lo, S::OVER_GAMMA_LOW());
    const words<double> under =
        words_product(divisor_of_steps(x), words<double>{sum.hi, low});
    return {words_quotient(factor_of_steps(x), under), format<double>::ROUNDER()};
}

/* gamma(z) for 4 <= z <= 200; the words overlap. */
CUPRIC_MATH scaled_words
gamma_far(double z)
{
    const words<double> l = stirling<false>(z, logarithm_of(z));
    const exponential<double> e = exponential_of(l.hi);
    const words<double> r = ordered_sum(e.r.hi, e.r.lo + l.lo);
    const words<double> sum = ordered_sum(1.0, r.hi);
    return {{sum.hi, sum.lo + exp_rest(r)}, e.rounder};
}

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

/* gamma(-y) = -pi / (y sin(pi y) gamma(y)), for y >= 2; not a number at the poles. */
CUPRIC_APART double
gamma_of_negative(double y, scaled_words gamma)
{
    typedef format<double> T;
    typedef constants<double> K;
    const half_turns turns = half_turns_of(y);
    if (turns.sine.hi == 0) return nan<double>();
    const words<double> under =
        words_product(words_product(turns.sine, y < 200 ? y : 200.0),
                      ordered_sum(gamma.x.hi, gamma.x.lo));
    const words<double> q = words_quotient(words<double>{K::PI(), K::PI_LOW()}, under);
    const double result = scaled_twice(q.hi + q.lo, 2 * T::ROUNDER() - gamma.rounder);
    return from_bits(bits_of(result) ^ (~turns.odd << 63));
}

/* The last number whose gamma is finite. */
CUPRIC_MATH constexpr double
last_finite_gamma()
{
    return 0x1.573fae561f647p+7;
}

CUPRIC_MATH double
gamma_of_words(scaled_words gamma)
{
    return from_bits(bits_of(gamma.x.hi + gamma.x.lo) +
                     (bits_of(gamma.rounder) << format<double>::FRACTION()));
}

CUPRIC_MATH double
gamma(double x)
{
    const unsigned int size = upper_half(x) & 0x7fffffff,
                       least = 0x3c300000;               /* 2**-60 */
    const bool near = size - least < 0x40100000 - least; /* 4 */
    if (!near) {
        if (!(without_sign(x) >= 0x1p-60)) /* 1 / x to within its rounding */
            return x == x ? quotient(1.0, x) : x;
        if (x > last_finite_gamma()) return infinity<double>();
    }
    const bool negative = unsigned(upper_half(x)) >= unsigned(upper_half(-2.0));
    const double y = negative ? without_sign(x) : x;
    scaled_words gamma;
    if (near) {
        gamma = gamma_near(y);
        if (!negative) return gamma.x.hi + gamma.x.lo;
    } else {
        gamma = gamma_far(y < 200 ? y : 200.0);
    }
    return negative ? gamma_of_negative(y, gamma) : gamma_of_words(gamma);
}

/* The same where that is without branches. */
CUPRIC_MATH double
gamma_of_batched(double x)
{
    const words<double> near = gamma_near(x).x;
    const bool finite = x <= last_finite_gamma();
    const double far =
        gamma_of_words(gamma_far(chosen(finite, x, last_finite_gamma())));
    const double result = chosen(finite, far, infinity<double>());
    const double mark = from_bits(format<double>::MARK());
    const bool simple = (x > -2) & (without_sign(x) >= 0x1p-60);
    return chosen(simple, chosen(x < 4, near.hi + near.lo, result), mark);
}

/* What a float's reciprocal is not enough for, in double: 1 / x to within 2**-27. */
CUPRIC_MATH double
single_reciprocal(double x)
{
    const double first = from_bits(format<double>::RECIPROCAL() - bits_of(x));
    const double error = fused(-x, first, 1.0);
    const double second = fused(first, fused(error, error, error), first);
    const double rest = fused(-x, second, 1.0);
    return fused(second, fused(rest, rest, rest), second);
}

/* half_turns_of() in one word. */
struct single_half_turns {
    double sine;
    format<float>::bits odd;
};

CUPRIC_MATH single_half_turns
single_half_turns_of(float y)
{
    typedef format<float> T;
    const float bounded = chosen(y < T::INTEGERS(), y, 1.0f);
    const float whole = bounded + T::INTEGERS();
    const float part = bounded - (whole - T::INTEGERS());
    const double f = without_sign(part);
    return {product(f, single_sinpi(product(f, f))),
            bits_of(whole) ^ bits_of(part) >> 31};
}

/* gamma(a) for 0 < a <= 60, which is gamma(a + 4) / (a (a + 1) (a + 2) (a + 3)) below 4. In
 * double, which is exact enough without low words. */
CUPRIC_MATH double
single_gamma(double a)
{
    typedef format<double> T;
    typedef constants<double> K;
    typedef special_constants<double> S;
    const bool small = a < 4;
    const double u = product(a, a + 3);
    const double divisor = chosen(small, product(u, u + 2), 1.0);
    const double z = a + chosen(small, 4.0, 0.0);
    const double both = single_reciprocal(product(z, divisor));
    const double inverse = product(both, divisor);
    const double tail = single_gamma_tail(product(inverse, inverse));
    const double log = fused(z - 0.5, single_log_by_table(log_parts_of(z), z).value - 1,
                             fused(inverse, tail, S::STIRLING()));
    const double rounder = fused(log, K::LOG2_E(), T::ROUNDER());
    const double m = single_exp(fused(rounder - T::ROUNDER(), -K::LN2(), log));
    const double e = from_bits(bits_of(m) + (bits_of(rounder) << T::FRACTION()));
    return product(e, product(both, z));
}

/* gamma(-y) from gamma(y). */
CUPRIC_MATH float
single_reflection(float y, double gamma)
{
    const single_half_turns s = single_half_turns_of(y);
    const double under = product(product(double(y), s.sine), gamma);
    const float q = float(product(single_reciprocal(under), constants<double>::PI()));
    const float result = from_bits(bits_of(q) ^ (~s.odd << 31));
    return chosen(s.sine == 0, nan<float>(), result);
}

CUPRIC_MATH float
gamma(float x)
{
    const float y = without_sign(x);
    const double above = single_gamma(chosen(y < 60, y, 60.0f));
    float result = float(above);
#if defined(__CUDA_ARCH__)
    if (x < 0) result = single_reflection(y, above);
#else
    result = chosen(x < 0, single_reflection(y, above), result);
#endif
    result = chosen(x == 0, times_sign(infinity<float>(), x), result);
    return chosen(x == x, result, x);
}

/* Of float that is without branches. */
CUPRIC_MATH float
gamma_of_batched(float x)
{
    return gamma(x);
}

/* ---- its logarithm ------------------------------------------------------------------ */

/* log(gamma(y)), y = x + steps in [1, 2]. */
CUPRIC_MATH words<double>
gammaln_near(double x, double steps)
{
    typedef special_constants<double> S;
    /* exact where the result is not large beside them */
    const double first = x + (steps - 1), second = x + (steps - 2);
    const double t = second + 0.5;
    const double rest = product(t, fused(t, gammaln_tail(t), S::GAMMALN_SLOPE()));
    const words<double> near = ordered_sum(S::GAMMALN_NEAR(), rest);
    return words_product(exact_product(first, second),
                         words<double>{near.hi, near.lo + S::GAMMALN_NEAR_LOW()});
}

/* For -2 < x what gamma(x + steps) is multiplied or divided by, or x from 4 on. */
CUPRIC_MATH words<double>
gammaln_factor(double x)
{
    const bool whole = !reaches(x, 1) | reaches(x, 4);
    const double first = chosen(whole, x, chosen(reaches(x, 2), x - 1, 1.0));
    const double second = chosen(reaches(x, 3) & !reaches(x, 4), x - 2, 1.0);
#if defined(__CUDA_ARCH__)
    if (upper_half(x) >= 0) return exact_product(second, first);
#endif
    const words<double> other =
        chosen(x < 0, ordered_sum(1.0, x), words<double>{second, 0});
    return words_product(words_product(other, first), chosen(x < -1, x + 2, 1.0));
}

CUPRIC_MATH words<double>
words_sum(words<double> a, words<double> b)
{
    const words<double> sum = exact_sum(a.hi, b.hi);
    return {sum.hi, sum.lo + (a.lo + b.lo)};
}

/* log(|gamma(x)|) for -2 < x < 2**52 but -1, where x is not within 2**-60 of 0; without
 * branches, and up to 2**1000, where BATCHED. */
template <bool BATCHED>
CUPRIC_MATH words<double>
gammaln_words(double x)
{
    const bool far = reaches(x, 4);
    if constexpr (!BATCHED) {
        if (far) return stirling<false>(x, logarithm_of(x));
    }
    const words<double> factor = gammaln_factor(x);
    const logarithm l = logarithm_of(without_sign(factor.hi));
    const words<double> of_factor = log_with_low(l, times_sign(factor.lo, factor.hi));
    const double sign = chosen(reaches(x, 1), 1.0, -1.0);
    const words<double> of_steps = {times_sign(of_factor.hi, sign),
                                    times_sign(of_factor.lo, sign)};
    const words<double> near = words_sum(of_steps, gammaln_near(x, steps_to_near(x)));
    if constexpr (BATCHED)
        return chosen(far, stirling<true>(x, l), near);
    else
        return near;
}

/* log(|gamma(-y)|), of which gamma(y) y |sin(pi y)| / pi is the reciprocal, for y >= 2. */
CUPRIC_APART double
gammaln_of_negative(double y, words<double> l)
{
    typedef special_constants<double> S;
    const words<double> sine = half_turns_of(y).sine;
    if (sine.hi == 0) return infinity<double>();
    const words<double> factor = words_product(sine, y);
    const words<double> sum =
        words_sum(l, log_with_low(logarithm_of(factor.hi), factor.lo));
    const words<double> result = words_sum(words<double>{S::LOG_PI(), S::LOG_PI_LOW()},
                                           words<double>{-sum.hi, -sum.lo});
    return result.hi + result.lo;
}

/* Where it is -log(|x|) to within the rounding, or overflows. */
CUPRIC_APART double
gammaln_of_extreme(double x)
{
    typedef constants<double> K;
    const double y = without_sign(x);
    if (!(y < infinity<double>())) return x; /* as SciPy's */
    if (y < 1) return -log(y);
    if (x < 0) return infinity<double>(); /* of a whole number */
    /* that of x less x log(2**64), 2**64 times as small */
    const bool huge = x >= 0x1p1000;
    const double scaled = product(x, huge ? 0x1p-64 : 1.0);
    const words<double> l = gammaln_words<true>(scaled);
    const double result = l.hi + fused(huge ? 64 * scaled : 0.0, K::LN2(), l.lo);
    return product(result, huge ? 0x1p64 : 1.0);
}

CUPRIC_MATH double
gammaln(double x)
{
    const bool negative = x <= -2;
    const double y = negative ? without_sign(x) : x;
    const unsigned int least = 0x3c300000, size = upper_half(y) - least; /* 2**-60 */
    if (size >= 0x43300000 - least) {                                    /* 2**52 */
        if (!((y < 0) & (y != -1) & (without_sign(y) >= 0x1p-60)))
            return gammaln_of_extreme(x);
    }
    const words<double> l = gammaln_words<false>(y);
    return negative ? gammaln_of_negative(y, l) : l.hi + l.lo;
}

/* The same where that is without branches. */
CUPRIC_MATH double
gammaln_of_batched(double x)
{
    const words<double> l = gammaln_words<true>(x);
    const bool simple =
        (x > -2) & (x < 0x1p1000) & (x != -1) & (without_sign(x) >= 0x1p-60);
    return chosen(simple, l.hi + l.lo, from_bits(format<double>::MARK()));
}

/* log(gamma(y)) for y > 0 from its logarithm's parts, in double, which is exact enough
 * without low words. */
CUPRIC_MATH double
single_gammaln(float y, log_parts parts)
{
    typedef special_constants<double> S;
    const double z = y;
    const single_logarithm l = single_log_by_table(parts, z);
#if defined(__CUDA_ARCH__)
    if (y >= 4) {
#endif
        /* 1 / z = scale (1 - r) (1 + r**2) (1 + r**4), nearly */
        const double square = product(l.r, l.r);
        double inverse = fused(parts.scale, -l.r, parts.scale);
        inverse = fused(inverse, square, inverse);
        inverse = fused(inverse, product(square, square), inverse);
        const double tail = single_stirling_tail(product(inverse, inverse));
        const double far =
            fused(z - 0.5, l.value - 1, fused(inverse, tail, S::STIRLING()));
#if defined(__CUDA_ARCH__)
        return far;
    }
#endif
    /* near is that of y, or below 1 that of y + 1, whose logarithm is more by log(y) */
    const bool below = y < 1;
    const double root = chosen(below, y, y - 1);
    const double near = fused(product(root, root - 1), single_gammaln_near(root - 1.5),
                              chosen(below, -l.value, 0.0));
#if defined(__CUDA_ARCH__)
    return near;
#else
    return chosen(y >= 4, far, near);
#endif
}

/* log(|gamma(-y)|) from log(gamma(y)) for y > 0. */
CUPRIC_MATH float
single_gammaln_reflection(float y, double l)
{
    const double sine = single_half_turns_of(y).sine;
    const double factor = product(double(y), sine);
    const double log = single_log_by_table(log_parts_of(factor), factor).value;
    const double result = special_constants<double>::LOG_PI() - (l + log);
    return chosen(sine == 0, infinity<float>(), float(result));
}

/* Whether that is too near a zero, all of which are left of -2. */
CUPRIC_MATH bool
is_near_zero(float x, float result)
{
    return (x < -2) & (without_sign(result) < 0x1p-8f);
}

CUPRIC_APART float
single_gammaln_near_zero(float x)
{
    return float(gammaln(double(x)));
}

/* Without branches. */
CUPRIC_MATH float
gammaln_of_batched(float x)
{
    const float y = without_sign(x);
    const double above = single_gammaln(y, log_parts_of(double(y)));
    const float below = single_gammaln_reflection(y, above);
    float result = chosen(x < 0, below, float(above));
    result = chosen(x == 0, infinity<float>(), result);
    result = chosen(y < infinity<float>(), result, x); /* as SciPy's */
    const float mark = from_bits(format<float>::MARK());
    return chosen((x < 0) & is_near_zero(x, below), mark, result);
}

/* Of numbers that are not normal. */
CUPRIC_APART float
single_gammaln_of_extreme(float x)
{
    return gammaln_of_batched(x);
}

CUPRIC_MATH float
gammaln(float x)
{
    typedef format<float> T;
    const float y = without_sign(x);
    const T::bits least = bits_of(T::LEAST_NORMAL());
    if (bits_of(y) - least >= T::INFINITE() - least)
        return single_gammaln_of_extreme(x);
    const double above = single_gammaln(y, log_parts_of(y));
    if (!(x < 0)) return float(above);
    const float result = single_gammaln_reflection(y, above);
    return is_near_zero(x, result) ? single_gammaln_near_zero(x) : result;
}

} /* namespace elementary */
CUPRIC_END

#endif
