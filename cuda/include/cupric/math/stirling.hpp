/* math/stirling.hpp: what gamma.hpp and gammaln.hpp are made of: Stirling's formula, the
 * logarithm that it takes, |sin(pi x)|, and the steps from x to [1, 2].
 *
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 6.1.41.
 */
#ifndef CUPRIC_MATH_STIRLING_HPP
#define CUPRIC_MATH_STIRLING_HPP

#include "cupric/math/elementary.hpp"
#include "cupric/math/gamma_pieces.hpp"
#include "cupric/math/special_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

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

/* log(x) - 1 of a normal number in two words, `whole` of 16 bits after the point. */
struct log_words {
    float whole, r, low; /* whole + r + low */
};

CUPRIC_MATH log_words
log_words_of(float x)
{
    typedef format<float> T;
    typedef constants<float> K;
    const T::bits u = bits_of(x) - (T::ONE() - (31u << 17));
    const single_log_places p = single_log_places_of(u >> 18 & 31);
    const T::bits octave = u & 0xff800000u; /* 2**23 k */
    const float m = from_bits(bits_of(x) - octave), r = fused(m, p.scale, -1.0f);
    const float n = float(int(octave));                             /* both exact */
    const float whole = fused(n, K::LN2_SHORT() * 0x1p-23f, p.log); /* exact, too */
    const float rest = fused(n, K::LN2_SHORT_LOW() * 0x1p-23f, p.log_low);
    return {whole, r, fused(product(r, r), wide_log_square(r), rest)};
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

/* half_turns_of() in one word; `part` is 0 where the sine is. */
struct single_half_turns {
    double sine;
    float part;
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
    return {product(f, single_sinpi(product(f, f))), part,
            bits_of(whole) ^ bits_of(part) >> 31};
}

} /* namespace elementary */
CUPRIC_END

#endif
