/* math/gamma.hpp: the gamma function of float and double, with the same bits on the host and
 * on a GPU, as the functions of elementary.hpp.
 *
 * From 4 on by Stirling's formula. Below, in [1, 2], 1 / gamma(x) is a polynomial, and
 * gamma(x + 1) = x gamma(x) leads there from -2 on; of floats gamma(x) itself is by pieces in
 * [1, 4], and from x + 1 below. Left of it gamma(x) is pi / (sin(pi x) gamma(1 - x)). What
 * counts is in two words, up to the last rounding; of negative floats all is in double.
 *
 * Most arguments take no branch, as loops over the functions have to (batched<F>); those
 * below -2, or of floats 0, and what is not ordinary, are apart. A GPU branches where only
 * the speed depends on it, as most warps need one side.
 *
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 6.1.
 */
#ifndef CUPRIC_MATH_GAMMA_HPP
#define CUPRIC_MATH_GAMMA_HPP

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

/* (x.hi + x.lo) 2**n, n in the low bits of `rounder`. */
struct single_scaled_words {
    words<float> x;
    float rounder;
};

/* gamma(x) for 2**-100 <= x < 4, by pieces: below 1 that of x + 1, over x. */
CUPRIC_MATH single_scaled_words
single_gamma_near(float x)
{
    const bool below = x < 1;
    const words<float> w = gamma_piece(place_of<8>(chosen(below, x, x - 1)));
    const float under = chosen(below, x, 1.0f), inverse = ordinary_reciprocal(under);
    const float q = product(w.hi, inverse);
    const float rest = fused(-q, under, w.hi) + w.lo;
    return {{q, product(rest, inverse)}, format<float>::ROUNDER()};
}

/* For 4 <= x <= 60, by Stirling's formula. */
CUPRIC_MATH single_scaled_words
single_gamma_far(float x)
{
    typedef special_constants<float> S;
    typedef format<float> T;
    typedef constants<float> K;
    const log_words l = log_words_of(x);
    const words<float> less = ordered_sum(l.whole - 1, l.r);
    const float half = x - 0.5f, inverse = ordinary_reciprocal(x);
    const words<float> p = exact_product(half, less.hi);
    const float tail = stirling_tail(product(inverse, inverse));
    const float low = fused(half, less.lo + l.low, p.lo) +
                      fused(inverse, tail, S::STIRLING_SHORT_LOW());
    const float rounder = fused(p.hi + S::STIRLING_SHORT(), K::LOG2_E(), T::ROUNDER());
    const float n = rounder - T::ROUNDER(); /* what follows is exact */
    const float most = fused(n, -K::LN2(), p.hi) + S::STIRLING_SHORT();
    const words<float> r = ordered_sum(most, fused(n, -K::LN2_LOW(), low));
    const words<float> sum = ordered_sum(1.0f, r.hi);
    return {{sum.hi, sum.lo + exp_rest(r)}, rounder};
}

CUPRIC_MATH float
single_gamma_of_words(single_scaled_words gamma)
{
    const float sum = gamma.x.hi + gamma.x.lo;
    return product(product(sum, power_of_two(gamma.rounder - 8)), 0x1p8f);
}

/* The same in double. */
CUPRIC_MATH double
wide_gamma_of_words(single_scaled_words gamma)
{
    typedef format<double> T;
    const T::bits n = T::bits(int(gamma.rounder - format<float>::ROUNDER()));
    const double sum = double(gamma.x.hi) + double(gamma.x.lo);
    return from_bits(bits_of(sum) + (n << T::FRACTION()));
}

/* 1 / x near 0, and what is no number. */
CUPRIC_APART float
single_gamma_of_extreme(float x)
{
    return x != x ? x : x == 0 ? times_sign(infinity<float>(), x) : quotient(1.0f, x);
}

CUPRIC_MATH float
gamma(float x)
{
    const float y = without_sign(x);
    if (!(y >= 0x1p-100f)) return single_gamma_of_extreme(x);
    const single_scaled_words gamma =
        y < 4 ? single_gamma_near(y) : single_gamma_far(y < 60 ? y : 60.0f);
    if (x < 0) return single_reflection(y, wide_gamma_of_words(gamma));
    return x > 36 ? infinity<float>() : single_gamma_of_words(gamma);
}

/* The same where that is without branches. */
CUPRIC_MATH float
gamma_of_batched(float x)
{
    const bool simple = (x >= 0x1p-100f) & (x <= 36), near = x < 4;
    const single_scaled_words small = single_gamma_near(chosen(simple & near, x, 1.0f));
    const single_scaled_words large = single_gamma_far(chosen(simple & !near, x, 4.0f));
    const float result =
        chosen(near, small.x.hi + small.x.lo, single_gamma_of_words(large));
    return chosen(simple, result, from_bits(format<float>::MARK()));
}

} /* namespace elementary */
CUPRIC_END

#endif
