/* math/gamma.hpp: the gamma function of float and double, with the same bits on the host and
 * on a GPU, as the functions of elementary.hpp.
 *
 * From 4 on by Stirling's formula. Below, in [1, 2], 1 / gamma(x) is a polynomial, and
 * gamma(x + 1) = x gamma(x) leads there from -2 on. Left of it gamma(x) is pi / (sin(pi x)
 * gamma(1 - x)). Of doubles what counts is in two words, up to the last rounding; of floats
 * all is in double.
 *
 * Most arguments take no branch, as loops over the functions have to (batched<F>); those
 * below -2, and what is not ordinary, are apart. A GPU branches where only the speed depends
 * on it, as most warps need one side.
 *
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 6.1.
 */
#ifndef CUPRIC_MATH_GAMMA_HPP
#define CUPRIC_MATH_GAMMA_HPP

#include "cupric/math/log_by_table.hpp"
#include "cupric/math/stirling.hpp"

CUPRIC_BEGIN

namespace elementary {

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
    const double log = fused(z - 0.5, single_log_by_table(log_parts_of(z), z) - 1,
                             fused(inverse, tail, S::STIRLING()));
    const double rounder = fused(log, K::LOG2_E(), T::ROUNDER());
    const double m = single_exp(fused(rounder - T::ROUNDER(), -K::LN2(), log));
    const double e = normal_scaled(m, rounder);
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
    return chosen(s.part == 0, nan<float>(), result);
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

} /* namespace elementary */
CUPRIC_END

#endif
