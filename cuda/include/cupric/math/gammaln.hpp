/* math/gammaln.hpp: the logarithm of the gamma function's absolute value, of float and double,
 * made as that is: see gamma.hpp. In [1, 2] it is a polynomial itself, of floats in [1, 4] by
 * pieces; of these there are also polynomials around its zeros left of -2.
 */
#ifndef CUPRIC_MATH_GAMMALN_HPP
#define CUPRIC_MATH_GAMMALN_HPP

#include "cupric/math/log_by_table.hpp"
#include "cupric/math/stirling.hpp"

CUPRIC_BEGIN

namespace elementary {

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

/* hi + (mid + low) */
struct gammaln_parts {
    float hi, mid, low;
};

/* log(gamma(x)) for 4 <= x < 2**120, by Stirling's formula, to some 2**-29 where that is not
 * large: (x - 1/2) (log(x) - 1) and what is small beside it. */
CUPRIC_MATH gammaln_parts
gammaln_far(float x, log_words l)
{
    typedef special_constants<float> S;
    const float less = l.whole + l.r, past = l.whole - less;
    const words<float> p = exact_product(x, less);
    const float half = fused(-0.5f, l.whole, S::STIRLING_SHORT()); /* exact */
    const float inverse = ordinary_reciprocal(x);
    const float tail = stirling_tail(product(inverse, inverse));
    const float small =
        fused(inverse, tail, fused(0.5f, past, S::STIRLING_SHORT_LOW()));
    return {p.hi, half, fused(x - 0.5f, (past + l.r) + l.low, p.lo) + small};
}

/* For 0 < x < 4, to some 2**-29: that of x, or below 1 that of x + 1, whose logarithm is more by
 * log(x). By pieces of the quotient by its zeros. */
CUPRIC_MATH gammaln_parts
gammaln_near(float x, log_words l)
{
    const bool below = x < 1;
    const float root = chosen(below, x, x - 1); /* exact */
    const words<float> q = gammaln_piece(place_of<8>(root));
    const words<float> zeros = exact_product(root, root - 1);
    const float low = fused(zeros.hi, q.lo, product(zeros.lo, q.hi));
    const words<float> log = ordered_sum(l.whole + 1, l.r);
    const float other = chosen(below, log.hi, 0.0f);
    const float other_low = chosen(below, log.lo + l.low, 0.0f);
    const words<float> most = exact_product(zeros.hi, q.hi);
    const words<float> sum = ordered_sum(-other, most.hi);
    return {sum.hi, sum.lo, most.lo + (low - other_low)};
}

/* log(|gamma(-y)|) from log(gamma(y)) for y > 0, in double: both are log(y |sin(pi y)| / pi)
 * less than 0 together. */
CUPRIC_MATH float
single_gammaln_reflection(float y, gammaln_parts l)
{
    typedef format<float> T;
    /* |sin(pi y)| from that, which beyond INTEGERS is another whole number */
    const float part = without_sign(y - ((y + T::INTEGERS()) - T::INTEGERS()));
    const bool pole = bits_of(part) - 1 >= bits_of(0.5f);
    const double f = part, sine = product(f, single_sinc(product(f, f)));
    const double factor = product(double(y), sine);
    const double log = single_log_by_table(log_parts_of(factor), factor);
    const double sum = (double(l.hi) + double(l.mid)) + (double(l.low) + log);
    return chosen(pole, infinity<float>(), float(-sum));
}

/* Whether the result for a negative number may be too small for that. */
CUPRIC_MATH bool
is_near_zero(float result)
{
#if defined(__CUDA_ARCH__)
    return ::fabsf(result) < 0x1p-4f; /* without_sign() is an operation */
#else
    return without_sign(result) < 0x1p-4f;
#endif
}

/* The same where that is, 2 < y < 10: from what y is beyond the zero, which is beside the whole
 * number that is nearest but for 2.5, nearer to the zero beside 2. */
CUPRIC_MATH float
single_gammaln_near_zero(float y, float result)
{
    typedef format<float> T;
    const float whole = y - 0.1f + T::INTEGERS();
    const bool above = y > whole - T::INTEGERS();
    const T::bits piece = (2 * bits_of(whole) - 5 + (above ? 1 : 0)) & 15;
    const gammaln_zeros zero = gammaln_zeros_of(piece);
    const float most = y - zero.hi, rest = most - zero.lo; /* the former exactly */
    const float rest_low = (most - rest) - zero.lo;
    const words<float> slope = gammaln_beside_zero(place<float>{piece, rest});
    const float low = fused(rest, slope.lo, product(rest_low, slope.hi));
    const bool exact = (y < 3) & (without_sign(result) >= 0x1p-5f);
    return chosen(exact, result, fused(rest, slope.hi, low));
}

/* What is not simple: near 0 it is -log(|x|), and x (log(x) - 1) may overflow. */
CUPRIC_APART float
single_gammaln_of_others(float x)
{
    const float y = without_sign(x);
    if (!(y < infinity<float>())) return x; /* as SciPy's */
    if (y < 1) return -log(y);
    if (x < 0) return infinity<float>(); /* of a whole number */
    const log_words l = log_words_of(x);
    const words<float> less = ordered_sum(l.whole, l.r);
    return fused(x, less.hi, product(x, less.lo + l.low));
}

/* Whether that is simple, 2**-126 <= x < 2**120. */
CUPRIC_MATH bool
is_simple_gammaln(float x)
{
    const format<float>::bits least = bits_of(0x1p-126f);
    return bits_of(x) - least < bits_of(0x1p120f) - least;
}

/* Without branches. */
CUPRIC_MATH float
gammaln_of_batched(float x)
{
    const bool simple = is_simple_gammaln(x);
    const float y = chosen(simple, x, 1.0f), z = chosen(y < 4, y, 2.0f);
    const log_words l = log_words_of(y);
    const gammaln_parts near = gammaln_near(z, l), far = gammaln_far(y, l);
    const float result =
        chosen(y < 4, near.hi + (near.mid + near.low), far.hi + (far.mid + far.low));
    return chosen(simple, result, from_bits(format<float>::MARK()));
}

CUPRIC_MATH float
gammaln(float x)
{
    const float y = without_sign(x);
    if (!is_simple_gammaln(y)) return single_gammaln_of_others(x);
    const log_words l = log_words_of(y);
    const gammaln_parts above = y < 4 ? gammaln_near(y, l) : gammaln_far(y, l);
    if (x > 0) return above.hi + (above.mid + above.low);
    const float result = single_gammaln_reflection(y, above);
    return is_near_zero(result) ? single_gammaln_near_zero(y, result) : result;
}

} /* namespace elementary */
CUPRIC_END

#endif
