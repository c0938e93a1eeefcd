/* math/trigonometric.hpp: trigonometric functions and their inverses of float and double,
 * as elementary.hpp says. */
#ifndef CUPRIC_MATH_TRIGONOMETRIC_HPP
#define CUPRIC_MATH_TRIGONOMETRIC_HPP

#include "cupric/math/polynomials.hpp"
#include "cupric/math/words.hpp"

CUPRIC_BEGIN

namespace elementary {

/* quadrant * pi / 2 + hi + lo, where |hi| hardly exceeds pi / 4; of quadrant only the two
 * low bits mean something. */
template <class F>
struct reduced {
    words<F> r;
    typename format<F>::bits quadrant;
};

/* Up to which number reduce_small is exact enough. */
template <class F>
CUPRIC_MATH F
limit_of_small()
{
    return F(sizeof(F) == 4 ? 0x1p17 : 0x1p30);
}

template <class F>
CUPRIC_MATH reduced<F>
reduce_small(F y)
{
    typedef constants<F> K;
    const F rounder = fused(y, K::TWO_OVER_PI(), format<F>::ROUNDER());
    const F n = rounder - format<F>::ROUNDER();
    const F part = fused(n, -K::HALF_PI(), y); /* exact */
    const words<F> p = exact_product(n, K::HALF_PI_LOW());
    /* in this order where `part` is smaller, too, as its last digit is worth more than that
     * of p.hi; next to a multiple of pi / 2 the second word may have digits of the first,
     * but not a 10,000th of it */
    const words<F> sum = ordered_sum(part, -p.hi);
    const F lo = fused(n, -K::HALF_PI_LOWER(), sum.lo - p.lo);
    return {{sum.hi, lo}, bits_of(rounder)};
}

CUPRIC_HD inline unsigned long long
high_product(unsigned long long a, unsigned long long b)
{
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    __extension__ typedef unsigned __int128 wide;
    return (unsigned long long)((wide)a * b >> 64);
#endif
}

/* Of any number from 1 on: its significand times those 192 bits of 2 / pi that are worth
 * less than 4 and matter; NaNs of infinity and of NaNs. */
CUPRIC_APART reduced<double>
reduce_large(double y)
{
    typedef constants<double> K;
    typedef unsigned long long bits;
    if (!(y < infinity<double>())) return {{nan<double>(), nan<double>()}, 0};
    const bits u = bits_of(y);
    const bits m = (u & 0xfffffffffffffull) | 0x10000000000000ull;
    const int at = int(u >> 52) - 1023 - 52 - 2 + 64, i = at / 64, shift = at % 64;
    bits w[3];
    for (int k = 0; k < 3; k++) {
        w[k] = two_over_pi(i + k) << shift;
        if (shift) w[k] |= two_over_pi(i + k + 1) >> (64 - shift);
    }
    const bits carried = high_product(m, w[2]), low = m * w[1] + carried;
    const bits high = m * w[0] + high_product(m, w[1]) + (low < carried);
    const bits quadrant = (high + (1ull << 61)) >> 62;
    bits f1 = high << 2 | low >> 62,
         f0 = low << 2; /* the fraction, in two's complement */
    const bool negative = f1 >> 63;
    if (negative) {
        f0 = 0 - f0;
        f1 = ~f1 + (f0 == 0);
    }
    const words<double> sum = ordered_sum(
        double(f1 >> 11) * 0x1p-53, double((f1 & 0x7ff) << 42 | f0 >> 22) * 0x1p-106);
    const double rest = sum.lo + double(f0 & 0x3fffff) * 0x1p-128;
    const words<double> p = exact_product(sum.hi, K::HALF_PI());
    const double lo = fused(rest, K::HALF_PI(), fused(sum.hi, K::HALF_PI_LOW(), p.lo));
    const words<double> r = ordered_sum(p.hi, lo);
    return {negative ? words<double>{-r.hi, -r.lo} : r, quadrant};
}

CUPRIC_MATH reduced<double>
reduce(double y)
{
    return y <= limit_of_small<double>() ? reduce_small(y) : reduce_large(y);
}

CUPRIC_MATH reduced<float>
reduce(float y)
{
    if (y <= limit_of_small<float>()) return reduce_small(y);
    const reduced<double> d = reduce_large(y);
    const float hi = float(d.r.hi);
    return {{hi, float(d.r.hi - hi)}, (unsigned int)d.quadrant};
}

template <class F>
CUPRIC_MATH F
small_sin(words<F> r)
{
    const F s = product(r.hi, r.hi);
    return r.hi + fused(product(r.hi, s), sin_tail(s), fused(r.lo, s * F(-0.5), r.lo));
}

template <class F>
CUPRIC_MATH F
small_cos(words<F> r)
{
    const words<F> square = exact_product(r.hi, r.hi);
    const F s = square.hi;
    const words<F> sum = ordered_sum(F(1), F(-0.5) * s);
    const F rest = fused(r.hi, -r.lo, fused(F(-0.5), square.lo, sum.lo));
    return sum.hi + fused(product(s, s), cos_tail(s), rest);
}

/* |sin(pi y)| in two words for y >= 0, and its sign; what is taken from y before the sine is
 * exact, so that it is 0 of whole numbers, and of those beyond. */
CUPRIC_MATH words<double>
sine_of_half_turns(double y, format<double>::bits &sign)
{
    typedef constants<double> K;
    typedef format<double> T;
    const double z = chosen(y >= T::INTEGERS(), 1.0, y);
    const double rounder = z + T::INTEGERS(), part = z - (rounder - T::INTEGERS());
    const double f = without_sign(part);
    const bool far = f > 0.25;
    const double g = chosen(far, 0.5 - f, f);
    const words<double> p = exact_product(g, K::PI());
    const words<double> r = {p.hi, fused(g, K::PI_LOW(), p.lo)};
    /* the sine or the cosine of r in two words */
    const words<double> square = exact_product(r.hi, r.hi);
    const double s = square.hi;
    const double sine_low =
        fused(product(r.hi, s), sin_tail(s), fused(r.lo, s * -0.5, r.lo));
    const words<double> cosine = ordered_sum(1.0, -0.5 * s);
    const double cosine_low =
        fused(product(s, s), cos_tail(s),
              fused(r.hi, -r.lo, fused(-0.5, square.lo, cosine.lo)));
    sign = bits_of(rounder) << 63 ^ (bits_of(part) & T::SIGN());
    return ordered_sum(chosen(far, cosine.hi, r.hi), chosen(far, cosine_low, sine_low));
}

/* sin(pi x) / (pi x) */
CUPRIC_MATH double
sinc(double x)
{
    typedef constants<double> K;
    typedef format<double> T;
    const double y = without_sign(x);
    const bool tiny = y < 0x1p-40;
    const double z = chosen(tiny, 1.0, y);
    T::bits sign;
    const words<double> over = sine_of_half_turns(z, sign);
    const words<double> q = exact_product(z, K::PI());
    const double low = fused(z, K::PI_LOW(), q.lo);
    const double inverse = ordinary_reciprocal(q.hi), ratio = product(over.hi, inverse);
    const double rest = fused(-ratio, q.hi, over.hi) + fused(-ratio, low, over.lo);
    const double result = from_bits(bits_of(fused(rest, inverse, ratio)) ^ sign);
    /* whole numbers, of which z may be 1; 0 times infinity is a NaN */
    return chosen(over.hi == 0, tiny ? 1.0 : product(y, 0.0), result);
}

/* Of floats in double, with the reciprocal and what it lacks; whole numbers' result is 0
 * without a sign. */
CUPRIC_MATH float
sinc(float x)
{
    typedef format<double> T;
    const float size = without_sign(x), least = 0x1p-60f, most = 0x1p24f;
    const float above = size > least ? size : least, z = above < most ? above : most;
    const double y = double(z), rounder = y + T::ROUNDER();
    const double f = y - (rounder - T::ROUNDER());
    const double inverse = double(ordinary_reciprocal(z));
    const double q = product(product(f, single_sinc(product(f, f))), inverse);
    const float ratio = float(fused(q, fused(-y, inverse, 1.0), q));
    const float result =
        from_bits(bits_of(ratio) ^ (unsigned int)bits_of(rounder) << 31);
    return fused(size, 0.0f, result);
}

/* The sine of a + `quarters` pi / 2. */
template <class F>
CUPRIC_MATH F
sine(reduced<F> a, int quarters)
{
    typedef typename format<F>::bits bits;
    const bits q = a.quadrant + bits(quarters);
    const F sine = small_sin(a.r), cosine = small_cos(a.r);
    const F result = (q & 1) != 0 ? cosine : sine;
    return from_bits(bits_of(result) ^ (q & 2) << (8 * sizeof(F) - 2));
}

/* Of float by a polynomial, with the reciprocal in odd quadrants. */
CUPRIC_MATH float
tangent(reduced<float> a)
{
    const float hi = a.r.hi;
    const words<float> square = exact_product(hi, hi);
    const float p = tan_tail(square.hi);
    const words<float> u = exact_product(square.hi, p);
    const float most = fused(hi, u.hi, hi);
    const float low = fused(product(most, most), a.r.lo, a.r.lo);
    const float rest = fused(hi, u.hi, fused(hi, fused(square.lo, p, u.lo), low));
    const words<float> tan = ordered_sum(hi, rest);
    const float q = -ordinary_reciprocal(tan.hi); /* where it is needed */
    const float error = fused(q, tan.lo, fused(q, tan.hi, 1.0f));
    return (a.quadrant & 1) != 0 ? fused(q, error, q) : tan.hi;
}

/* Of double the quotient of sine and cosine, which have fewer terms together. */
CUPRIC_MATH double
tangent(reduced<double> a)
{
    const double hi = a.r.hi, lo = a.r.lo;
    const words<double> square = exact_product(hi, hi);
    const double s = square.hi, less = product(-0.5, s);
    const double sine = fused(product(hi, s), sin_tail(s), fused(lo, less, lo));
    const words<double> cosine = ordered_sum(1.0, less);
    const double rest = fused(hi, -lo, fused(-0.5, square.lo, cosine.lo));
    const double cosine_low = fused(product(s, s), cos_tail(s), rest);
    const bool odd = (a.quadrant & 1) != 0;
    const words<double> sin = ordered_sum(hi, sine);
    const words<double> cos = ordered_sum(cosine.hi, cosine_low);
    const words<double> over = {odd ? cos.hi : sin.hi, odd ? cos.lo : sin.lo};
    const words<double> under = {odd ? sin.hi : cos.hi, odd ? sin.lo : cos.lo};
    const double inverse = ordinary_reciprocal(under.hi), q = product(over.hi, inverse);
    const double q_rest = fused(-q, under.hi, over.hi) + fused(-q, under.lo, over.lo);
    return from_bits(bits_of(fused(q_rest, inverse, q)) ^ a.quadrant << 63);
}

enum trigonometric { SINE, COSINE, TANGENT };

template <trigonometric FUNCTION, class F>
CUPRIC_MATH F
trigonometric_of(reduced<F> a, F x)
{
    if constexpr (FUNCTION == SINE)
        return times_sign(sine(a, 0), x);
    else if constexpr (FUNCTION == COSINE)
        return sine(a, 1);
    else
        return times_sign(tangent(a), x);
}

template <trigonometric FUNCTION, class F>
CUPRIC_MATH F
trigonometric_of(F x)
{
    return trigonometric_of<FUNCTION>(reduce(without_sign(x)), x);
}

template <trigonometric FUNCTION, class F>
CUPRIC_MATH F
trigonometric_of_batched(F x)
{
    const F y = without_sign(x),
            result = trigonometric_of<FUNCTION>(reduce_small(y), x);
    return y > limit_of_small<F>() ? from_bits(format<F>::MARK()) : result;
}

template <class F>
CUPRIC_MATH F
sin(F x)
{
    return trigonometric_of<SINE>(x);
}

template <class F>
CUPRIC_MATH F
cos(F x)
{
    return trigonometric_of<COSINE>(x);
}

template <class F>
CUPRIC_MATH F
tan(F x)
{
    return trigonometric_of<TANGENT>(x);
}

/* base + factor * asin(s) for the s <= 1/2 of which `square` is the square. */
template <class F>
CUPRIC_MATH F
arcsine(words<F> base, F factor, words<F> s, F square)
{
    const F t = fused(product(s.hi, square), asin_tail(square), s.lo);
    const words<F> sum = ordered_sum(base.hi, factor * s.hi);
    return sum.hi + (sum.lo + fused(factor, t, base.lo));
}

/* sqrt((1 - y) / 2) for y > 1/2, with its square; y otherwise. */
template <class F>
CUPRIC_MATH words<F>
half_angle(F y, F &square)
{
    const bool large = y > F(0.5);
    square = large ? F(0.5) * (F(1) - y) : product(y, y);
    const words<F> s = root_of(words<F>{square, F(0)});
    return {large ? s.hi : y, large ? s.lo : F(0)};
}

template <class F>
CUPRIC_MATH F
asin(F x)
{
    typedef constants<F> K;
    const F y = without_sign(x);
    const bool large = y > F(0.5);
    F square;
    const words<F> s = half_angle(y, square);
    const words<F> base = {large ? K::HALF_PI() : F(0),
                           large ? K::HALF_PI_LOW() : F(0)};
    return times_sign(arcsine(base, large ? F(-2) : F(1), s, square), x);
}

template <class F>
CUPRIC_MATH F
acos(F x)
{
    typedef constants<F> K;
    const F y = without_sign(x);
    const bool large = y > F(0.5), minus = x < 0;
    F square;
    const words<F> s = half_angle(y, square);
    const words<F> base = {!large  ? K::HALF_PI()
                           : minus ? K::PI()
                                   : F(0),
                           !large  ? K::HALF_PI_LOW()
                           : minus ? K::PI_LOW()
                                   : F(0)};
    const F factor = large ? F(2) : F(1);
    return arcsine(base, large != minus ? factor : -factor, s, square);
}

/* Beyond 1 pi / 2 less that of 1 / x: selections take longer than more terms. */
CUPRIC_MATH float
atan(float x)
{
    typedef constants<float> K;
    const float most = 0x1p60f, size = without_sign(x);
    const float y = size > most ? most : size;
    const bool large = y > 1;
    const float r = ordinary_reciprocal(y), q = large ? -r : y, s = product(q, q);
    const float hi = large ? K::HALF_PI() : 0.0f;
    /* what r lacks, times the derivative, nearly */
    const float rest = large ? fused(-r, y, 1.0f) : 0.0f;
    const float lost = product(rest, product(q, fused(s, -0.5f, 1.0f)));
    const float low = fused(hi, K::HALF_PI_LOW() / K::HALF_PI(), lost);
    /* hi + 7 / 8 q and what remains, which is less than beside q */
    const float sum = fused(q, 0.875f, hi), sum_low = fused(q, 0.875f, hi - sum);
    const float tail = fused(q, fused(atan_long_tail(s), s, 0.125f), low);
    return times_sign(sum + (sum_low + tail), x);
}

/* By tan(a - b) = (tan a - tan b) / (1 + tan a tan b) for b = 0, pi / 4 and pi / 2. */
CUPRIC_MATH double
atan(double x)
{
    typedef constants<double> K;
    const double most = 0x1p100, size = without_sign(x);
    const double y = size > most ? most : size;
    const bool middle = y > 0.41421356, large = y > 2.4142135;
    /* (a y - b) / (b y + a) */
    const double a = large ? 0.0 : 1.0, b = middle ? 1.0 : 0.0;
    const double over = fused(y, a, -b), over_low = fused(y, a, -(over + b));
    const double under = fused(y, b, a), under_low = fused(y, b, a - under);
    const double r = ordinary_reciprocal(under), q = product(over, r);
    const double rest = fused(-q, under_low, fused(-q, under, over) + over_low);
    const double quarters = large ? 2.0 : b, s = product(q, q);
    const words<double> sum = ordered_sum(product(quarters, K::QUARTER_PI()), q);
    const double low = fused(quarters, K::QUARTER_PI_LOW(), product(rest, r));
    const double tail = fused(product(q, s), atan_tail(s), low);
    return times_sign(sum.hi + (sum.lo + tail), x);
}

/* The angle of (x, y): that of a / b, a <= b the two magnitudes, from which a quarter of pi
 * is taken as atan() does, and to which as many are added as the octant wants. */
template <class F>
CUPRIC_MATH F
atan2(F y, F x)
{
    typedef constants<F> K;
    constexpr bool SINGLE = sizeof(F) == 4;
    const F ay = without_sign(y), ax = without_sign(x);
    const bool steep = ay > ax, left = bits_of(x) >= format<F>::SIGN();
    F a = chosen(steep, ax, ay), b = chosen(steep, ay, ax);
    const bool infinite = b == infinity<F>();
    a = chosen(infinite, a == infinity<F>() ? F(1) : product(a, F(0)), a);
    b = chosen(infinite | (b == 0), F(1), b);
    const F limit = F(SINGLE ? 0x1p48 : 0x1p400),
            least = F(SINGLE ? 0x1p-48 : 0x1p-400);
    const F up = chosen(b < least, F(SINGLE ? 0x1p100 : 0x1p680), limit);
    const F scale = chosen(b > limit, F(SINGLE ? 0x1p-32 : 0x1p-256), up);
    a = product(a, scale);
    b = product(b, scale);
    const bool middle = a > product(b, F(0.41421356));
    const words<F> over = ordered_sum(middle ? -b : F(0), a);
    const words<F> under = ordered_sum(b, middle ? a : F(0));
    const F r = quotient(F(1), under.hi), q = product(over.hi, r);
    const F rest = fused(-q, under.lo, fused(-q, under.hi, over.hi) + over.lo);
    const F s = product(q, q);
    const F t = fused(product(q, s), atan_tail(s), product(rest, r));
    /* quarters of pi */
    F n = middle ? F(1) : F(0);
    n = chosen(steep, F(2) - n, n);
    n = chosen(left, F(4) - n, n);
    const F factor = chosen(steep != left, F(-1), F(1));
    const words<F> base = exact_product(n, K::QUARTER_PI());
    const words<F> sum = ordered_sum(base.hi, product(factor, q));
    const F low = fused(n, K::QUARTER_PI_LOW(), base.lo);
    return times_sign(sum.hi + (sum.lo + fused(factor, t, low)), y);
}

} /* namespace elementary */
CUPRIC_END

#endif
