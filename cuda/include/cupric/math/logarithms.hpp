/* math/logarithms.hpp: logarithms and inverse hyperbolic functions of float and double, as
 * elementary.hpp says. */
#ifndef CUPRIC_MATH_LOGARITHMS_HPP
#define CUPRIC_MATH_LOGARITHMS_HPP

#include "cupric/math/exponentials.hpp"
#include "cupric/math/polynomials.hpp"
#include "cupric/math/words.hpp"

CUPRIC_BEGIN

namespace elementary {

/* x = 2**k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). */
template <class F>
struct decomposed {
    F k, f;
};

/* Of a positive, normal number times 2**(bias - BIAS). */
template <class F>
CUPRIC_MATH decomposed<F>
decompose_normal(F x, F bias)
{
    typedef format<F> T;
    typedef typename T::bits bits;
    const bits u = bits_of(x);
    const bits biased = (u + (T::ONE() - T::ROOT_HALF())) >> T::FRACTION();
    const F k = from_bits(biased | bits_of(T::INTEGERS())) - (T::INTEGERS() + bias);
    return {k, from_bits(u - (biased << T::FRACTION()) + T::ONE()) - F(1)};
}

/* Of a positive, finite number. */
template <class F>
CUPRIC_MATH decomposed<F>
decompose(F x)
{
    typedef format<F> T;
    const bool tiny = x < T::LEAST_NORMAL();
    return decompose_normal(product(x, tiny ? T::LIFT() : F(1)),
                            tiny ? F(T::BIAS() + T::LIFTED()) : F(T::BIAS()));
}

/* What a logarithm is of numbers that are not positive or not finite. */
template <class F>
CUPRIC_MATH F
logarithm_of(F x, F result)
{
    result = x < infinity<F>() ? result : x;
    const F other = x == 0 ? -infinity<F>() : nan<F>();
    return x > 0 ? result : other;
}

/* log(1 + f) as f - (half - q inner), half the rounding error of f the most that its
 * parts lose; 1 + f is in [sqrt(1/2), sqrt(2)], or where WIDE in [3/4, 3/2]. With q =
 * f / (2 + f) the logarithm is 2 atanh(q), that is 2 q + q**3 t; 2 q is f - q f, and q
 * f is f**2 / 2 less q times that. So the error of q hardly counts. fdlibm's log goes
 * this way (K. C. Ng, 1993). */
struct log_curve {
    double half, q, inner;
};

template <bool WIDE>
CUPRIC_MATH log_curve
log_curve_of(double f)
{
    const double half = product(product(0.5, f), f);
    const double q = product(f, ordinary_reciprocal(f + 2.0)), s = product(q, q);
    return {half, q, fused(s, WIDE ? log_wide_tail(s) : log_tail(s), half)};
}

CUPRIC_MATH double
sum_of(log_curve c)
{
    return fused(c.q, c.inner, -c.half);
}

/* The logarithm of 2**k (1 + f) to the base 2 or 10, or where BASE is 0 to e. That of
 * 1 + f is rounded once, and the sum is exact where they cancel: its terms have no
 * digits below the result's last. */
template <int BASE>
CUPRIC_MATH double
logarithm_of_parts(double k, double f)
{
    typedef constants<double> K;
    const log_curve c = log_curve_of<false>(f);
    if constexpr (BASE == 2) {
        const double rest = product(f, K::LOG2_E_LOW());
        const double low = fused(product(c.q, c.inner), K::LOG2_E(), rest);
        return k + fused(f, K::LOG2_E(), fused(c.half, -K::LOG2_E(), low));
    } else if constexpr (BASE == 10) {
        const double low =
            fused(k, K::LOG10_2_SHORT_LOW(), product(f, K::LOG10_E_LOW()));
        const double rest = fused(sum_of(c), K::LOG10_E(), low);
        return fused(k, K::LOG10_2_SHORT(), fused(f, K::LOG10_E(), rest));
    } else {
        return fused(k, K::LN2_SHORT(), f + fused(k, K::LN2_SHORT_LOW(), sum_of(c)));
    }
}

/* ---- of float -------------------------------------------------------------------- */

/* The logarithm of 2**k (1 + f) to the base 2 or 10, or where BASE is 0 to e; k comes
 * times 2**23, as from a number's bits, and where MINUS with the other sign. 1 + f is
 * in [3/4, 3/2], or for 2 and 10 in [sqrt(1/2), sqrt(2)]. That of 1 + f is rounded
 * once, and the sum is exact where they cancel: its terms have no digits below the
 * result's last. */
template <int BASE, bool MINUS = false>
CUPRIC_MATH float
logarithm_of_parts(float k, float f)
{
    typedef constants<float> K;
    constexpr double UNIT = MINUS ? -0x1p-23 : 0x1p-23;
    if constexpr (BASE == 2) {
        const float rest = product(f, log2_rest(f));
        return fused(k, float(UNIT), fused(f, K::LOG2_E(), rest));
    } else if constexpr (BASE == 10) {
        const float rest =
            fused(k, float(K::LOG10_2_SHORT_LOW() * UNIT), product(f, log10_rest(f)));
        return fused(k, float(K::LOG10_2_SHORT() * UNIT), fused(f, K::LOG10_E(), rest));
    } else {
        return fused(k, float(constants<double>::LN2() * UNIT),
                     fused(product(f, f), log_square(f), f));
    }
}

/* Of a positive, finite number. */
template <int BASE>
CUPRIC_MATH float
logarithm_of_bits(unsigned int u, unsigned int lifted)
{
    typedef format<float> T;
    constexpr T::bits OCTAVE = 1u << T::FRACTION();
    constexpr T::bits LEAST = BASE == 0 ? T::ONE() - OCTAVE / 2 : T::ROOT_HALF();
    const T::bits k = (u - LEAST) & ~(OCTAVE - 1);
    const float f = from_bits(u - k) - 1.0f;
    return logarithm_of_parts<BASE>(float(int(k - lifted)), f);
}

template <class F>
CUPRIC_MATH typename format<F>::bits
rare_logarithm(F x)
{
    return rare_outside(x, format<F>::LEAST_NORMAL(), format<F>::LARGEST());
}

template <int BASE>
struct log_to_base {
    CUPRIC_MATH static judged<float> ordinary(float x)
    {
        return {logarithm_of_bits<BASE>(bits_of(x), 0), rare_logarithm(x)};
    }

    CUPRIC_MATH static judged<double> ordinary(double x)
    {
        const double bias = format<double>::BIAS();
        const decomposed<double> d = decompose_normal(x, bias);
        return {logarithm_of_parts<BASE>(d.k, d.f), rare_logarithm(x)};
    }

    CUPRIC_MATH static float any(float x)
    {
        typedef format<float> T;
        const bool tiny = x < T::LEAST_NORMAL();
        const T::bits u = bits_of(product(x, tiny ? T::LIFT() : 1.0f));
        const T::bits lifted = tiny ? T::LIFTED() << T::FRACTION() : 0;
        return logarithm_of(x, logarithm_of_bits<BASE>(u, lifted));
    }

    CUPRIC_MATH static double any(double x)
    {
        const decomposed<double> d = decompose(x);
        return logarithm_of(x, logarithm_of_parts<BASE>(d.k, d.f));
    }
};

template <class F>
CUPRIC_MATH F
log(F x)
{
    return either_form<log_to_base<0>>(x);
}

template <class F>
CUPRIC_MATH F
log2(F x)
{
    return either_form<log_to_base<2>>(x);
}

template <class F>
CUPRIC_MATH F
log10(F x)
{
    return either_form<log_to_base<10>>(x);
}

/* ---- of sums --------------------------------------------------------------------- */

/* log(2**k (2 + q) / (2 - q)) for q = over / under, that is k log(2) + 2 atanh(q / 2). Of a
 * number m, q is (m - 1) / ((m + 1) / 2), with |q| <= 0.3432, of WIDE ones 0.4: a quotient,
 * but hardly more than a third of the terms of the series of log(1 + f). */
template <bool WIDE = false, class F>
CUPRIC_MATH F
log_of_quotient(F k, words<F> over, words<F> under)
{
    typedef constants<F> K;
    const F inverse = ordinary_reciprocal(under.hi), q = product(over.hi, inverse);
    const F rest = fused(-q, under.hi, over.hi) + fused(-q, under.lo, over.lo);
    const F s = product(q, q);
    F series;
    if constexpr (WIDE)
        series = atanh_wide_tail(s);
    else
        series = atanh_tail(s);
    const F tail = fused(product(q, s), series, product(rest, inverse));
    const F sum = fused(k, K::LN2_SHORT(), q);
    const F lost = fused(k, K::LN2_SHORT(), -sum) + q;
    return sum + (lost + fused(k, K::LN2_SHORT_LOW(), tail));
}

/* k and 2**-k for a number 2**k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)]; k + 1 of one that
 * stands for `twice` as much. */
template <class F>
struct scale {
    F k, power;
};

template <class F>
CUPRIC_MATH scale<F>
scale_of(F x, bool twice)
{
    typedef format<F> T;
    typedef typename T::bits bits;
    const bits biased = (bits_of(x) + (T::ONE() - T::ROOT_HALF())) >> T::FRACTION();
    const F k = from_bits(biased | bits_of(T::INTEGERS())) -
                (T::INTEGERS() + (twice ? F(T::BIAS() - 1) : F(T::BIAS())));
    /* by way of a power that is a normal number */
    const bits minus = (bits(2 * T::BIAS() + 2) - biased) << T::FRACTION();
    return {k, product(from_bits(minus), F(0.25))};
}

/* 2**k (1 + f + low), likewise. */
template <class F>
struct scaled_parts {
    F k, f, low;
};

template <class F>
CUPRIC_MATH F
log_of_parts(scaled_parts<F> p)
{
    const F under = fused(p.f, F(0.5), F(1));
    const F lost = fused(p.f, F(0.5), F(1) - under);
    return log_of_quotient(p.k, words<F>{p.f, p.low},
                           words<F>{under, fused(p.low, F(0.5), lost)});
}

/* Of 1 + hi + lo for hi > -1, and up to infinity. */
template <class F>
CUPRIC_MATH scaled_parts<F>
parts_of_sum(F hi, F lo)
{
    const scale<F> s = scale_of(hi + F(1), false);
    const F less = s.power - F(1), f = fused(hi, s.power, less);
    return {s.k, f, fused(lo, s.power, fused(hi, s.power, less - f))};
}

/* log(2**more (1 + hi + lo)) */
template <class F>
CUPRIC_MATH F
log_of_sum(F hi, F lo, F more)
{
    const scaled_parts<F> p = parts_of_sum(hi, lo);
    return log_of_parts(scaled_parts<F>{p.k + more, p.f, p.low});
}

/* Of x > -1, but for infinity, as below. */
CUPRIC_MATH double
ordinary_log1p(double x)
{
    typedef format<double> T;
    typedef constants<double> K;
    typedef T::bits bits;
    /* k comes as 1024 - k, and with the other sign, so that x = -0.0 is what it gives */
    constexpr bits OCTAVE = 1ull << T::FRACTION(), BIAS = 1024 * OCTAVE;
    constexpr bits MOST = T::ONE() + OCTAVE / 2 + BIAS;
    const bits minus_k = MOST - bits_of((x + 0x1.ap-55) + 1.0);
    const double number =
        from_bits((minus_k >> T::FRACTION()) | bits_of(T::INTEGERS())) -
        (T::INTEGERS() + 1024);
    const bits exponent = (minus_k & ~(OCTAVE - 1)) - BIAS;
    const double power = from_bits(exponent + (T::ONE() + 2 * OCTAVE));
    const double less = fused(power, -0.25, 1.0);
    const double f = from_bits(bits_of(x) + exponent) - less;
    const log_curve c = log_curve_of<true>(f);
    const double low = fused(c.q, c.inner, product(number, -K::LN2_SHORT_LOW()));
    const double rest = f + (low - c.half);
    return fused(number, -K::LN2_SHORT(), rest);
}

/* Of finite x > -1. f is exact, as 1 + f is in [3/4, 3/2], but for what is less than
 * 2**-25 and does not count beside k. The sum that k comes from is larger than 1 + x
 * by so little that this alters but what it rounds to 3/4; 3/2 itself counts as less. */
CUPRIC_MATH float
ordinary_log1p(float x)
{
    typedef format<float> T;
    constexpr T::bits OCTAVE = 1u << T::FRACTION();
    constexpr T::bits MOST = T::ONE() + OCTAVE / 2;
    const T::bits minus_k = (MOST - bits_of((x + 0x1.ap-26f) + 1.0f)) & ~(OCTAVE - 1);
    /* 1 - 2**-k by way of a power that is a normal number */
    const float power = from_bits(minus_k + (T::ONE() + 2 * OCTAVE));
    const float less = fused(power, -0.25f, 1.0f);
    const float f = from_bits(bits_of(x) + minus_k) - less;
    /* -0.0 where x is */
    return logarithm_of_parts<0, true>(float(int(minus_k)), f);
}

struct log_of_1p {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        return {ordinary_log1p(x), rare_logarithm(x + F(1))};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        return logarithm_of(x + F(1), ordinary_log1p(x));
    }
};

template <class F>
CUPRIC_MATH F
log1p(F x)
{
    return either_form<log_of_1p>(x);
}

/* sqrt(square) in two words; 0 for 0. The second has three bits, as 1 / s comes from the
 * bits of s, or twice as many, of double, after a step of Newton's. */
template <class F>
CUPRIC_MATH words<F>
root_of(words<F> square)
{
    typedef format<F> T;
    const F s = root(square.hi);
    const F rest = fused(-s, s, square.hi) + square.lo; /* 0 where s is 0 */
    F half = from_bits(T::RECIPROCAL() - bits_of(s)) * F(0.5);
    if constexpr (sizeof(F) == 8) half = product(half, fused(F(-2) * half, s, F(2)));
    return {s, product(rest, half)};
}

/* sqrt(a |a| + b) likewise, with three bits in the second word, if ordinary_root() is for
 * the sum. */
CUPRIC_MATH words<double>
root_of_square(double a, double b)
{
    typedef format<double> T;
    const double size = without_sign(a);
    const double square = fused(a, size, b), s = ordinary_root(square);
    const double rest = fused(-s, s, square) + fused(a, size, b - square);
    return {s, product(rest, from_bits(T::HALF_RECIPROCAL() - leading_bits(s)))};
}

/* Beside the square of what is larger 1 does not count. */
CUPRIC_MATH double
limit_of_squares()
{
    return 0x1p60;
}

/* The logarithm of y + s, s = sqrt(1 + y**2); of large y of 2 y. */
template <bool ANY>
CUPRIC_MATH double
asinh_of_size(double y)
{
    const bool large = ANY & (y > limit_of_squares());
    const words<double> s = root_of_square(large ? 0.0 : y, 1.0);
    const words<double> sum = ordered_sum(s.hi, y);
    const scale<double> c = scale_of(sum.hi, large);
    const double f = fused(sum.hi, c.power, -1.0),
                 low = product(sum.lo + s.lo, c.power);
    /* near 1 (y + s - 1) / (y + s + 1), as y / (1 + s), which does not cancel */
    const bool near = c.k == 0;
    const words<double> over = {near ? y : f, near ? 0.0 : low};
    const double base = near ? s.hi : f, added = near ? 0.5 : 1.0;
    const double under = fused(base, 0.5, added);
    const double under_low =
        fused(near ? s.lo : low, 0.5, fused(base, 0.5, added - under));
    return log_of_quotient(c.k, over, words<double>{under, under_low});
}

/* The logarithm of x + s, s = sqrt(x**2 - 1), s**2 near 1 as (x - 1) |x - 1| + 2 (x - 1): so
 * it is negative, and s a NaN, left of 1. Of large x the logarithm of 2 x. */
template <bool ANY>
CUPRIC_MATH double
acosh_inside(double x)
{
    const double less = x - 1.0;
    const bool near = x < 2.0;
    const bool large = ANY & (x > limit_of_squares());
    const double a = near ? less : large ? 0.0 : x;
    const double b = near ? less + less : large ? 1.0 : -1.0;
    const words<double> s = root_of_square(a, b);
    const words<double> sum = ordered_sum(x, s.hi);
    const scale<double> c = scale_of(sum.hi, large);
    const double f = fused(sum.hi, c.power, -1.0),
                 low = product(sum.lo + s.lo, c.power);
    return log_of_parts(scaled_parts<double>{c.k, f, low});
}

/* The logarithm of twice `half`, of floats: that of m = 2 half / 2**k is what has the
 * hyperbolic sine w = (m - 1 / m) / 2, so the result is k log(2) + asinh(w), a series. Where k
 * is 0 w is `near_one`, which asinh() and acosh() know. */
CUPRIC_MATH float
logarithm_by_sine(words<float> half, words<float> near_one)
{
    typedef format<float> T;
    typedef T::bits bits;
    /* m in [0.78, 1.56), so that the series is less than a quarter where k log(2) and it
     * cancel, and k as an exponent's bits */
    constexpr bits LEAST = 0x3f47ae14u, TWICE = 1u << T::FRACTION();
    const bits k = (bits_of(half.hi) + (TWICE - LEAST)) & ~(TWICE - 1);
    const float twice = from_bits(bits_of(half.hi) - k + 2 * TWICE);
    /* 0 for the largest k, where `low` does not count */
    const float low = product(half.lo, from_bits(T::ONE() + 2 * TWICE - k));
    const float r = ordinary_reciprocal(twice), error = fused(-twice, r, 1.0f);
    const float rest = fused(low, fused(r, r, 0.25f), -product(r, error));
    const bool near = k == 0;
    const float w = near ? near_one.hi : fused(twice, 0.25f, -r); /* exact */
    const float s = product(w, w);
    const float tail = fused(product(w, s), asinh_tail(s), near ? near_one.lo : rest);
    const float unit = float(constants<double>::LN2() * 0x1p-23);
    return fused(float(int(k)), unit, w + tail);
}

/* The logarithm of y + s as above. */
template <bool ANY>
CUPRIC_MATH float
asinh_of_size(float y)
{
    const float half = product(y, 0.5f), most = 0x1p60f;
    const float a = !ANY || half < most ? half : most;
    const float square = fused(a, a, 0.25f), s = ordinary_root(square);
    const float rest = fused(-s, s, square) + fused(a, a, 0.25f - square);
    const float low =
        product(rest, from_bits(format<float>::HALF_RECIPROCAL() - bits_of(s)));
    const words<float> sum = ordered_sum(ANY && half > s ? half : s, half);
    return logarithm_by_sine({sum.hi, sum.lo + low}, {y, 0});
}

/* s / 2 from a = (x - 1) / 2 as sqrt(a**2 + a), a NaN left of 1. */
template <bool ANY>
CUPRIC_MATH float
acosh_inside(float x)
{
    const float less = fused(x, 0.5f, -0.5f), most = 0x1p60f;
    const float a = !ANY || less < most ? less : most;
    const float size = without_sign(a);
    const float square = fused(a, size, a), s = ordinary_root(square);
    const float rest = fused(-s, s, square) + fused(a, size, a - square);
    const float low =
        product(rest, from_bits(format<float>::RECIPROCAL() - bits_of(s)));
    const words<float> sum = ordered_sum(product(x, 0.5f), ANY && less > s ? less : s);
    return logarithm_by_sine({sum.hi, fused(low, 0.5f, sum.lo)}, {s + s, low});
}

/* Up to where 2**60 is the square of what does not count, or half of it. */
struct inverse_sinh {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        const F y = without_sign(x);
        return {times_sign(asinh_of_size<false>(y), x), rare_beyond(y, F(0x1p60))};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        const F y = without_sign(x), result = asinh_of_size<true>(y);
        return times_sign(y < infinity<F>() ? result : y, x);
    }
};

/* Numbers left of 1 are ordinary, of which what is inside is a NaN, but not 1 itself. */
struct inverse_cosh {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        typedef format<F> T;
        const F most = F(0x1p60);
        const F result = acosh_inside<false>(x);
#if defined(__CUDA_ARCH__)
        return {result, (x != 1) & (x <= most) ? 0 : T::SIGN()};
#else
        const typename T::bits u = bits_of(x), is_1 = (u ^ T::ONE()) - 1;
        return {result, (is_1 | (bits_of(most) - u)) & ~u};
#endif
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        const bool inside = (x != 1) & (x < infinity<F>());
        const F result = acosh_inside<true>(x);
        return inside ? result : x - F(1);
    }
};

template <class F>
CUPRIC_MATH F
asinh(F x)
{
    return either_form<inverse_sinh>(x);
}

template <class F>
CUPRIC_MATH F
acosh(F x)
{
    return either_form<inverse_cosh>(x);
}

/* Half the logarithm of (1 + y) / (1 - y) for 0 <= y < 1. */
template <bool>
CUPRIC_MATH double
atanh_of_fraction(double y)
{
    typedef format<double> T;
    typedef T::bits bits;
    const words<double> more = ordered_sum(1.0, y), less = ordered_sum(1.0, -y);
    /* the quotient's exponent, to the nearest but for a twelfth */
    const bits whole =
        (bits_of(more.hi) - bits_of(less.hi) + (bits(1) << (T::FRACTION() - 1))) >>
        T::FRACTION();
    const double k = from_bits(whole | bits_of(T::INTEGERS())) - T::INTEGERS();
    const double power = from_bits((whole << T::FRACTION()) + T::ONE());
    /* m is more / (2**k less); what is over is exact, but where y < 1/2 has all digits */
    const double over =
        fused(-power, less.hi, more.hi) + fused(-power, less.lo, more.lo);
    const double under = fused(over, -0.5, more.hi);
    const double under_low = fused(over, -0.5, more.hi - under) + more.lo;
    return 0.5 * log_of_quotient<true>(k, words<double>{over, 0.0},
                                       words<double>{under, under_low});
}

/* Half the logarithm of a quotient of floats, 2**k m: k log(2) / 2 + atanh(q), where q is
 * (m - 1) / (m + 1) = over / under; k comes as an exponent's bits. */
CUPRIC_MATH float
half_log_of_quotient(unsigned int k, float over, float under)
{
    const float inverse = ordinary_reciprocal(under), q = product(over, inverse);
    const float rest = product(fused(-q, under, over), inverse);
    const float s = product(q, q);
    const float tail = fused(product(q, s), half_log_tail(s), rest);
    const float number = float(int(k)),
                unit = float(constants<double>::LN2() * 0x1p-24);
    const float sum = fused(number, unit, q), lost = fused(number, unit, -sum) + q;
    return sum + (lost + tail);
}

/* Of 0 <= y < 1 that of (1 + y) / (1 - y). As m is between 0.8 and 1.75, the numerator
 * of q is exact: no more than 24 digits below 1, or below 1 / 2 where y is less than
 * that. Of the last two y, where 2**k has too many digits for it, m is 1 to all digits
 * that count. */
template <bool ANY>
CUPRIC_MATH float
atanh_of_fraction(float y)
{
    typedef format<float> T;
    constexpr T::bits OCTAVE = 1u << T::FRACTION();
    const T::bits k =
        (bits_of(1.0f + y) - bits_of(1.0f - y) + OCTAVE / 4) & ~(OCTAVE - 1);
    const float power = from_bits(k + T::ONE());
    const float more = 1.0f + power, less = 1.0f - power;
    const float over = fused(y, more, less);
    const bool last_two = ANY & (y >= 1 - 0x1p-23f);
    return half_log_of_quotient(k, last_two ? 0.0f : over, fused(y, less, more));
}

struct inverse_tanh {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        const F y = without_sign(x);
        return {times_sign(atanh_of_fraction<false>(y), x),
                rare_beyond(y, 1 - F(sizeof(F) == 4 ? 0x1p-22 : 0x1p-53))};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        const F y = without_sign(x), other = y == 1 ? infinity<F>() : nan<F>();
        return times_sign(y < 1 ? atanh_of_fraction<true>(y) : other, x);
    }
};

template <class F>
CUPRIC_MATH F
atanh(F x)
{
    return either_form<inverse_tanh>(x);
}

} /* namespace elementary */
CUPRIC_END

#endif
