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
    /* part - hi is exact where `part` is smaller than the product, too, as its last digit is
     * worth more; next to a multiple of pi / 2 the second word may have digits of the first,
     * but not a 10,000th of it */
    const F hi = part - product(n, K::HALF_PI_LOW());
    const F lo = fused(n, -K::HALF_PI_LOW(), part - hi);
    return {{hi, fused(n, -K::HALF_PI_LOWER(), lo)}, bits_of(rounder)};
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

CUPRIC_MATH reduced<float>
reduce_large(float y)
{
    const reduced<double> d = reduce_large(double(y));
    const float hi = float(d.r.hi);
    return {{hi, float(d.r.hi - hi)}, (unsigned int)d.quadrant};
}

template <class F>
CUPRIC_MATH F
small_sin(words<F> r)
{
    const F s = product(r.hi, r.hi);
    return r.hi + fused(product(r.hi, s), sin_tail(s), r.lo);
}

template <class F>
CUPRIC_MATH F
small_cos(words<F> r)
{
    const F s = product(r.hi, r.hi), half = product(F(-0.5), r.hi);
    const F sum = fused(half, r.hi, F(1)), lost = fused(half, r.hi, F(1) - sum);
    return sum + fused(product(s, s), cos_tail(s), fused(r.hi, -r.lo, lost));
}

/* sin(pi x) / (pi x): the sine or the cosine of what x is from the next whole number or the
 * next half, over pi, is a polynomial, and the divisor x itself. */
CUPRIC_MATH double
sinc(double x)
{
    typedef constants<double> K;
    typedef format<double> T;
    const double size = without_sign(x);
    /* no 0, for which the result is the same */
    const double y = size + 0x1p-60, z = y < T::INTEGERS() ? y : T::INTEGERS();
    const double rounder = z + T::INTEGERS(), part = z - (rounder - T::INTEGERS());
    const double f = without_sign(part);
    const bool far = f > 0.3;
    const double g = far ? 0.5 - f : f, s = product(g, g);
    const double sine = product(product(g, s), sinpi_over_pi_tail(s));
    const double c = cospi_over_pi_tail(s), cosine = fused(s, c, K::INVERSE_PI());
    const double lost = fused(s, c, K::INVERSE_PI() - cosine) + K::INVERSE_PI_LOW();
    const words<double> over = {far ? cosine : g, far ? lost : sine};
    const double inverse = ordinary_reciprocal(z);
    const double q = product(over.hi + over.lo, inverse);
    const double rest = fused(-q, z, over.hi) + over.lo,
                 result = fused(rest, inverse, q);
    const T::bits sign = bits_of(rounder) << 63 ^ (bits_of(part) & T::SIGN());
    /* of whole numbers 0 without a sign; 0 times infinity is a NaN */
    return fused(size, 0.0, from_bits(bits_of(result) ^ sign));
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

/* The sine of a + `quarters` pi / 2, with its sign changed where the sign bit is set. */
template <class F>
CUPRIC_MATH F
sine(reduced<F> a, int quarters, typename format<F>::bits sign)
{
    typedef typename format<F>::bits bits;
    const bits q = a.quadrant + bits(quarters);
    const F sine = small_sin(a.r), cosine = small_cos(a.r);
    const F result = (q & 1) != 0 ? cosine : sine;
    const bits turned = (q << (8 * sizeof(F) - 2) ^ sign) & format<F>::SIGN();
    return from_bits(bits_of(result) ^ turned);
}

/* Of float by a polynomial, with the reciprocal in odd quadrants. */
CUPRIC_MATH float
tangent(reduced<float> a)
{
    const float hi = a.r.hi, s = product(hi, hi), s_lo = fused(hi, hi, -s);
    /* what the second words count for, nearly, by the derivatives */
    const float lo = fused(product(hi, 0.28f), s_lo, a.r.lo);
    const float low = fused(product(s, 1.6f), lo, lo);
    const float rest = fused(product(hi, s), tan_tail(s), low), tan = hi + rest;
    const float q = -ordinary_reciprocal(tan); /* where it is needed */
    const float error = fused(q, rest, fused(q, hi, 1.0f));
    return (a.quadrant & 1) != 0 ? fused(q, error, q) : tan;
}

/* Of double a quotient, which has fewer terms. */
CUPRIC_MATH double
tangent(reduced<double> a)
{
    const double r = a.r.hi, lo = a.r.lo, s = product(r, r), s_lo = fused(r, r, -s);
    /* 1 + s d */
    const words<double> d = tan_under(s);
    const double hi = fused(s, d.hi, 1.0);
    const double rest = fused(product(r, s), tan_over(s), product(lo, hi));
    const double sin = r + rest, sin_lo = (r - sin) + rest;
    const double d_lo = fused(s, d.lo, product(s_lo, d.hi));
    const double cos_lo = fused(sin, -lo, fused(s, d.hi, 1.0 - hi) + d_lo);
    const format<double>::bits turn = a.quadrant << 63;
    const bool odd = turn != 0;
    const words<double> over = {odd ? hi : sin, odd ? cos_lo : sin_lo};
    const words<double> under = {odd ? sin : hi, odd ? sin_lo : cos_lo};
    const double inverse = ordinary_reciprocal(under.hi), q = product(over.hi, inverse);
    const double q_rest = fused(-q, under.hi, over.hi) + fused(-q, under.lo, over.lo);
    return from_bits(bits_of(fused(q_rest, inverse, q)) ^ turn);
}

enum trigonometric { SINE, COSINE, TANGENT };

template <trigonometric FUNCTION, class F>
CUPRIC_MATH F
trigonometric_of(reduced<F> a, F x)
{
    if constexpr (FUNCTION == SINE)
        return sine(a, 0, bits_of(x));
    else if constexpr (FUNCTION == COSINE)
        return sine(a, 1, 0);
    else
        return times_sign(tangent(a), x);
}

template <trigonometric FUNCTION, class F>
CUPRIC_APART F
trigonometric_of_large(F x)
{
    return trigonometric_of<FUNCTION>(reduce_large(without_sign(x)), x);
}

/* Large numbers after the others, so that a GPU leaves out no more than a call. */
template <trigonometric FUNCTION, class F>
CUPRIC_MATH F
trigonometric_of(F x)
{
    const F y = without_sign(x);
    F result = trigonometric_of<FUNCTION>(reduce_small(y), x);
    if (!(y <= limit_of_small<F>())) result = trigonometric_of_large<FUNCTION>(x);
    return result;
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

/* sqrt(a) for a >= 2**-40 and 0, and a NaN below. */
CUPRIC_MATH float
root_or_zero(float a)
{
#if defined(__CUDA_ARCH__)
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a + 0x1p-70f));
    const float s = product(a, r);
    return fused(fused(-s, s, a), product(r, 0.5f), s);
#else
    return __builtin_sqrtf(a);
#endif
}

/* base + factor * asin(s) for s = y <= 1/2 or, where y is larger, the sine of half the angle
 * whose cosine is y, sqrt((1 - y) / 2); s with the sign of x. */
CUPRIC_MATH float
arcsine(float y, float x, float factor, float base)
{
    typedef constants<float> K;
    typedef format<float> T;
    const bool large = y > 0.5f;
    const float z = fused(y, -0.5f, 0.5f), root = root_or_zero(z); /* z is exact */
    const float rest = fused(-root, root, z);
    const float lack = product(rest, from_bits(T::HALF_RECIPROCAL() - bits_of(root)));
    const float square = large ? z : product(y, y);
    const float s = times_sign(large ? root : y, x);
    const float s_low = times_sign(large ? lack : 0.0f, x);
    const float t = fused(product(s, square), asin_tail(square), s_low);
    const float most = fused(factor, s, base), lost = fused(factor, s, base - most);
    const float low = fused(base, K::HALF_PI_LOW() / K::HALF_PI(), lost);
    return most + fused(factor, t, low);
}

CUPRIC_MATH float
asin(float x)
{
    const float y = without_sign(x);
    const bool large = y > 0.5f;
    const float base = large ? constants<float>::HALF_PI() : 0.0f;
    return times_sign(arcsine(y, y, large ? -2.0f : 1.0f, base), x);
}

CUPRIC_MATH float
acos(float x)
{
    typedef constants<float> K;
    typedef format<float> T;
    const float y = without_sign(x);
    const bool large = y > 0.5f;
    const T::bits minus = 0u - (bits_of(x) >> 31);
    const float end = from_bits(minus & bits_of(K::PI()));
    return arcsine(y, x, large ? 2.0f : -1.0f, large ? end : K::HALF_PI());
}

/* base + factor * asin(s) for the s <= 1/2 of which `square` is the square. */
CUPRIC_MATH double
arcsine(words<double> base, double factor, words<double> s, double square)
{
    const double t = fused(product(s.hi, square), asin_tail(square), s.lo);
    const words<double> sum = ordered_sum(base.hi, factor * s.hi);
    return sum.hi + (sum.lo + fused(factor, t, base.lo));
}

/* sqrt((1 - y) / 2) for y > 1/2, with its square; y otherwise. */
CUPRIC_MATH words<double>
half_angle_of(double y, double &square)
{
    const bool large = y > 0.5;
    square = large ? 0.5 * (1 - y) : product(y, y);
    const words<double> s = root_of(words<double>{square, 0});
    return {large ? s.hi : y, large ? s.lo : 0.0};
}

CUPRIC_MATH double
asin(double x)
{
    typedef constants<double> K;
    const double y = without_sign(x);
    const bool large = y > 0.5;
    double square;
    const words<double> s = half_angle_of(y, square);
    const words<double> base = {large ? K::HALF_PI() : 0.0,
                                large ? K::HALF_PI_LOW() : 0.0};
    return times_sign(arcsine(base, large ? -2.0 : 1.0, s, square), x);
}

CUPRIC_MATH double
acos(double x)
{
    typedef constants<double> K;
    const double y = without_sign(x);
    const bool large = y > 0.5, minus = x < 0;
    double square;
    const words<double> s = half_angle_of(y, square);
    const words<double> base = {!large  ? K::HALF_PI()
                                : minus ? K::PI()
                                        : 0.0,
                                !large  ? K::HALF_PI_LOW()
                                : minus ? K::PI_LOW()
                                        : 0.0};
    const double factor = large ? 2.0 : 1.0;
    return arcsine(base, large != minus ? factor : -factor, s, square);
}

/* Beyond 1 pi / 2 less that of 1 / x: selections take longer than more terms. */
CUPRIC_MATH float
atan_of_bounded(float y)
{
    typedef constants<float> K;
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
    return sum + (sum_low + tail);
}

/* By tan(a - b) = (tan a - tan b) / (1 + tan a tan b) for b = 0, pi / 4 and pi / 2. */
CUPRIC_MATH double
atan_of_bounded(double y)
{
    typedef constants<double> K;
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
    return sum.hi + (sum.lo + tail);
}

struct inverse_tangent {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        const F size = without_sign(x);
        return {times_sign(atan_of_bounded(size), x), rare_beyond(size, F(0x1p60))};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        const F most = F(sizeof(F) == 4 ? 0x1p60 : 0x1p100), size = without_sign(x);
        return times_sign(atan_of_bounded(size > most ? most : size), x);
    }
};

template <class F>
CUPRIC_MATH F
atan(F x)
{
    return inverse_tangent::any(x);
}

/* The angle of (x, y), |y| > |x| where `steep`, of which the smaller magnitude is a and the
 * larger b: that of a / b, as by atan(), taken from or added to as many
 * quarters of pi as the octant wants. */
template <bool ORDINARY>
CUPRIC_MATH float
angle_of(float a, float b, bool steep, float x)
{
    typedef constants<float> K;
    const unsigned int left = 0u - (bits_of(x) >> 31);
    const float r = ordinary_reciprocal(b), size = product(a, r);
    const float rest = product(fused(-size, b, a), r);
    const float minus = times_sign(chosen(steep, -0.0f, 0.0f), x);
    const float q = times_sign(size, minus), s = product(size, size);
    const float hi = chosen(steep, K::HALF_PI(), from_bits(left & bits_of(K::PI())));
    const float lost = times_sign(product(rest, fused(s, -0.5f, 1.0f)), minus);
    const float low = fused(hi, K::HALF_PI_LOW() / K::HALF_PI(), lost);
    const float sum = fused(q, 0.875f, hi), sum_low = fused(q, 0.875f, hi - sum);
    const float tail = fused(q, fused(atan_long_tail(s), s, 0.125f), low);
    const float result = sum + (sum_low + tail);
    /* of hardly normal numbers an eighth is not */
    const bool tiny = !ORDINARY & (size < 0x1p-122f) & (hi == 0);
    return chosen(tiny, size + rest, result);
}

template <bool>
CUPRIC_MATH double
angle_of(double a, double b, bool steep, double x)
{
    typedef constants<double> K;
    const bool left = bits_of(x) >= format<double>::SIGN();
    const bool middle = a > product(b, 0.41421356);
    const words<double> over = ordered_sum(middle ? -b : 0.0, a);
    const words<double> under = ordered_sum(b, middle ? a : 0.0);
    const double r = ordinary_reciprocal(under.hi), q = product(over.hi, r);
    const double rest = fused(-q, under.lo, fused(-q, under.hi, over.hi) + over.lo);
    const double s = product(q, q);
    const double t = fused(product(q, s), atan_tail(s), product(rest, r));
    /* quarters of pi */
    double n = middle ? 1.0 : 0.0;
    n = chosen(steep, 2 - n, n);
    n = chosen(left, 4 - n, n);
    const double factor = chosen(steep != left, -1.0, 1.0);
    const words<double> base = exact_product(n, K::QUARTER_PI());
    const words<double> sum = ordered_sum(base.hi, product(factor, q));
    const double low = fused(n, K::QUARTER_PI_LOW(), base.lo);
    return sum.hi + (sum.lo + fused(factor, t, low));
}

/* Of any numbers: infinite ones as what tends to the same angle, others scaled, which changes
 * no digit of the angle. */
template <class F>
CUPRIC_MATH F
atan2_of_any(F y, F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const F ay = without_sign(y), ax = without_sign(x);
    const bool steep = ay > ax;
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
    return times_sign(angle_of<false>(a, b, steep, x), y);
}

/* What is rare is a smaller or larger magnitude that needs scaling. */
struct angle_of_point {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F y, F x)
    {
        const F ay = without_sign(y), ax = without_sign(x);
        const bool steep = ay > ax;
        const F a = chosen(steep, ax, ay), b = chosen(steep, ay, ax);
        const F least = F(0x1p-60), most = F(0x1p60);
        return {times_sign(angle_of<true>(a, b, steep, x), y),
                rare_outside(b, least, most) | rare_below(a, least)};
    }

    template <class F>
    CUPRIC_MATH static F any(F y, F x)
    {
        return atan2_of_any(y, x);
    }
};

template <class F>
CUPRIC_MATH F
atan2(F y, F x)
{
    return either_form<angle_of_point>(y, x);
}

} /* namespace elementary */
CUPRIC_END

#endif
