/* math/logarithms.hpp: logarithms, inverse hyperbolic functions and powers of float and
 * double, as elementary.hpp says. */
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

/* log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)]. */
template <class F>
CUPRIC_MATH words<F>
small_logarithm(F f)
{
    const F square = product(f, f);
    const words<F> half = exact_product(product(F(0.5), f), f);
    const words<F> sum = ordered_sum(f, -half.hi);
    return {sum.hi, fused(product(square, f), log_tail(f), sum.lo - half.lo)};
}

/* The same; of float f and what remains, in few steps, which is enough for a sum. */
template <class F>
CUPRIC_MATH words<F>
quick_logarithm(F f)
{
    if constexpr (sizeof(F) == 4)
        return {f, product(product(f, f), log_square(f))};
    else
        return small_logarithm(f);
}

/* log(1 + f + low) from log(1 + f). */
template <class F>
CUPRIC_MATH words<F>
with_low(words<F> logarithm, F f, F low)
{
    return {logarithm.hi, fused(low, fused(f, f, -f) + F(1), logarithm.lo)};
}

/* k log(2) + r */
template <class F>
CUPRIC_MATH F
times_ln2_plus(F k, words<F> r)
{
    typedef constants<F> K;
    const words<F> sum = ordered_sum(product(k, K::LN2_SHORT()), r.hi);
    return sum.hi + (sum.lo + fused(k, K::LN2_SHORT_LOW(), r.lo));
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

template <class F>
CUPRIC_MATH F
log(F x)
{
    const decomposed<F> d = decompose(x);
    return logarithm_of(x, times_ln2_plus(d.k, quick_logarithm(d.f)));
}

template <class F>
CUPRIC_MATH F
log2(F x)
{
    typedef constants<F> K;
    const decomposed<F> d = decompose(x);
    const words<F> r = small_logarithm(d.f);
    const words<F> p = exact_product(r.hi, K::LOG2_E());
    const F low = fused(r.lo, K::LOG2_E(), fused(r.hi, K::LOG2_E_LOW(), p.lo));
    const words<F> sum = ordered_sum(d.k, p.hi);
    return logarithm_of(x, sum.hi + (sum.lo + low));
}

template <class F>
CUPRIC_MATH F
log10(F x)
{
    typedef constants<F> K;
    const decomposed<F> d = decompose(x);
    const words<F> r = quick_logarithm(d.f);
    const words<F> p = exact_product(r.hi, K::LOG10_E());
    const F low = fused(r.lo, K::LOG10_E(), fused(r.hi, K::LOG10_E_LOW(), p.lo));
    const words<F> sum = ordered_sum(product(d.k, K::LOG10_2_SHORT()), p.hi);
    return logarithm_of(x, sum.hi + (sum.lo + fused(d.k, K::LOG10_2_SHORT_LOW(), low)));
}

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
    const F series = WIDE ? atanh_wide_tail(s) : atanh_tail(s);
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

template <class F>
CUPRIC_MATH F
log1p(F x)
{
    F result = log_of_parts(parts_of_sum(x, F(0)));
    result = x < infinity<F>() ? result : x;
    result = chosen(x < -1, nan<F>(), result);
    result = chosen(x == -1, -infinity<F>(), result);
    return x == 0 ? x : result;
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
template <class F>
CUPRIC_MATH words<F>
root_of_square(F a, F b)
{
    typedef format<F> T;
    const F size = without_sign(a);
    const F square = fused(a, size, b), s = ordinary_root(square);
    const F rest = fused(-s, s, square) + fused(a, size, b - square);
    return {s, product(rest, from_bits(T::HALF_RECIPROCAL() - leading_bits(s)))};
}

/* Beside the square of what is larger 1 does not count. */
template <class F>
CUPRIC_MATH F
limit_of_squares()
{
    return F(sizeof(F) == 4 ? 0x1p30 : 0x1p60);
}

/* The logarithm of y + s, s = sqrt(1 + y**2); of large y of 2 y. */
template <class F>
CUPRIC_MATH F
asinh(F x)
{
    const F y = without_sign(x);
    const bool large = y > limit_of_squares<F>();
    const words<F> s = root_of_square(large ? F(0) : y, F(1));
    const words<F> sum = ordered_sum(s.hi, y);
    const scale<F> c = scale_of(sum.hi, large);
    const F f = fused(sum.hi, c.power, F(-1)), low = product(sum.lo + s.lo, c.power);
    /* near 1 (y + s - 1) / (y + s + 1), as y / (1 + s), which does not cancel */
    const bool near = c.k == 0;
    const words<F> over = {near ? y : f, near ? F(0) : low};
    const F base = near ? s.hi : f, added = near ? F(0.5) : F(1);
    const F under = fused(base, F(0.5), added);
    const F under_low =
        fused(near ? s.lo : low, F(0.5), fused(base, F(0.5), added - under));
    const F result = log_of_quotient(c.k, over, words<F>{under, under_low});
    return times_sign(y < infinity<F>() ? result : y, x);
}

/* The logarithm of x + s, s = sqrt(x**2 - 1), s**2 near 1 as (x - 1) |x - 1| + 2 (x - 1): so
 * it is negative, and s a NaN, left of 1. Of large x the logarithm of 2 x. */
template <class F>
CUPRIC_MATH F
acosh(F x)
{
    const F less = x - F(1);
    const bool near = x < F(2);
    const bool large = x > limit_of_squares<F>();
    const F a = near ? less : large ? F(0) : x;
    const F b = near ? less + less : large ? F(1) : F(-1);
    const words<F> s = root_of_square(a, b);
    const words<F> sum = ordered_sum(x, s.hi);
    const scale<F> c = scale_of(sum.hi, large);
    const F f = fused(sum.hi, c.power, F(-1)), low = product(sum.lo + s.lo, c.power);
    const F result = log_of_parts(scaled_parts<F>{c.k, f, low});
    const bool inside = (x != 1) & (x < infinity<F>());
    return inside ? result : less;
}

/* Half the logarithm of (1 + y) / (1 - y). */
template <class F>
CUPRIC_MATH F
atanh(F x)
{
    typedef format<F> T;
    typedef typename T::bits bits;
    const F y = without_sign(x);
    const words<F> more = ordered_sum(F(1), y), less = ordered_sum(F(1), -y);
    /* the quotient's exponent, to the nearest but for a twelfth */
    const bits whole =
        (bits_of(more.hi) - bits_of(less.hi) + (bits(1) << (T::FRACTION() - 1))) >>
        T::FRACTION();
    const F k = from_bits(whole | bits_of(T::INTEGERS())) - T::INTEGERS();
    const F power = from_bits((whole << T::FRACTION()) + T::ONE());
    /* m is more / (2**k less); what is over is exact, but where y < 1/2 has all digits */
    const F over = fused(-power, less.hi, more.hi) + fused(-power, less.lo, more.lo);
    const F under = fused(over, F(-0.5), more.hi);
    const F under_low = fused(over, F(-0.5), more.hi - under) + more.lo;
    const F result = F(0.5) * log_of_quotient<true>(k, words<F>{over, F(0)},
                                                    words<F>{under, under_low});
    return times_sign(y < 1 ? result : y == 1 ? infinity<F>() : nan<F>(), x);
}

/* log(1 + x) in two words for 0 <= x <= 1, x = hi + lo. */
template <class F>
CUPRIC_MATH words<F>
log1p_of_fraction(words<F> x)
{
    typedef constants<F> K;
    /* 1 + x = 2**k (1 + f + low) */
    const bool more = x.hi > F(0.41421356);
    const F power = more ? F(0.5) : F(1), less = more ? F(-0.5) : F(0);
    const F f = fused(x.hi, power, less), lost = fused(x.hi, power, -(f - less));
    const words<F> r = with_low(small_logarithm(f), f, fused(x.lo, power, lost));
    const words<F> sum = ordered_sum(more ? K::LN2() : F(0), r.hi);
    return {sum.hi, sum.lo + (r.lo + (more ? K::LN2_LOW() : F(0)))};
}

/* x + y.hi + y.lo, where x may be infinite; of `tiny` ones y is LIFT times as large, so that
 * a subnormal result is rounded once. */
template <class F>
CUPRIC_MATH F
plus_words(F x, words<F> y, bool tiny)
{
    typedef format<F> T;
    const F lifted = product(x, tiny ? T::LIFT() : F(1));
    const words<F> sum = exact_sum(lifted, y.hi);
    const F result = product(sum.hi + (sum.lo + y.lo), tiny ? F(1) / T::LIFT() : F(1));
    return without_sign(lifted) < infinity<F>() ? result : x;
}

/* log(exp(a) + exp(b)) as the larger and log(1 + exp(-|a - b|)). */
template <class F>
CUPRIC_MATH F
logaddexp(F a, F b)
{
    typedef format<F> T;
    constexpr bool SINGLE = sizeof(F) == 4;
    const F larger = a > b ? a : b, smaller = a > b ? b : a;
    const words<F> d = exact_sum(smaller, -larger);
    const F least = F(SINGLE ? -105 : -750);
    const F x = a == b ? F(0) : d.hi > least ? d.hi : least;
    const bool tiny = x < F(SINGLE ? -70 : -650);
    const exponential<F> e = exponential_of(x);
    const F low = e.r.lo + (d.hi > least ? d.lo : F(0));
    const words<F> r = small_exp(ordered_sum(e.r.hi, low));
    const words<F> l =
        log1p_of_fraction(scaled(r, tiny ? e.rounder + F(T::LIFTED()) : e.rounder));
    const F result = plus_words(larger, l, tiny);
    return a == a && b == b ? result : a + b;
}

/* log2(2**a + 2**b) likewise. */
template <class F>
CUPRIC_MATH F
logaddexp2(F a, F b)
{
    typedef format<F> T;
    typedef constants<F> K;
    constexpr bool SINGLE = sizeof(F) == 4;
    const F larger = a > b ? a : b, smaller = a > b ? b : a;
    const words<F> d = exact_sum(smaller, -larger);
    const F least = F(SINGLE ? -155 : -1080);
    const F x = a == b ? F(0) : d.hi > least ? d.hi : least;
    const bool tiny = x < F(SINGLE ? -100 : -900);
    const F rounder = x + T::ROUNDER();
    const F part = x - (rounder - T::ROUNDER()); /* exact */
    const words<F> y = exact_product(part, K::LN2());
    const F low = fused(d.hi > least ? d.lo : F(0), K::LN2(), y.lo);
    const words<F> r = small_exp(ordered_sum(y.hi, fused(part, K::LN2_LOW(), low)));
    const words<F> l =
        log1p_of_fraction(scaled(r, tiny ? rounder + F(T::LIFTED()) : rounder));
    const words<F> p = exact_product(l.hi, K::LOG2_E());
    const F rest = fused(l.lo, K::LOG2_E(), fused(l.hi, K::LOG2_E_LOW(), p.lo));
    const words<F> added = {p.hi, rest};
    const F result = plus_words(larger, x == 0 ? words<F>{F(1), F(0)} : added, tiny);
    return a == a && b == b ? result : a + b;
}

/* ---- powers ------------------------------------------------------------------------- */

/* log2(2**k (1 + f + low)) with 14 bits more than a double has, for 1 + f as decompose()
 * gives it; `low` counts where LOW. By s = (m - 1) / (m + 1), in which the logarithm is
 * odd: up to s**5 in two words. */
template <bool LOW>
CUPRIC_MATH words<double>
exact_log2(decomposed<double> d, [[maybe_unused]] double low)
{
    typedef constants<double> K;
    const words<double> under = ordered_sum(2.0, d.f);
    const double r = quotient(1.0, under.hi), s = product(d.f, r);
    double s_rest = fused(-s, under.lo, fused(-s, under.hi, d.f));
    if constexpr (LOW) s_rest += fused(-s, low, low);
    const double s_low = product(s_rest, r);
    const double t = product(s, s);
    const double t_low = fused(2 * s, s_low, fused(s, s, -t));
    const double tail = power_tail(t), a = fused(t, tail, K::POWER_5());
    const double a_low = fused(t, tail, K::POWER_5() - a) + K::POWER_5_LOW();
    const words<double> b = exact_product(t, a);
    const double b_low = fused(t, a_low, fused(t_low, a, b.lo));
    const words<double> c = ordered_sum(K::POWER_3(), b.hi);
    const double c_low = c.lo + (b_low + K::POWER_3_LOW());
    const words<double> e = exact_product(t, c.hi);
    const double e_low = fused(t, c_low, fused(t_low, c.hi, e.lo));
    const words<double> g = ordered_sum(K::POWER_1(), e.hi);
    const double g_low = g.lo + (e_low + K::POWER_1_LOW());
    const words<double> l = exact_product(s, g.hi);
    const words<double> sum = ordered_sum(d.k, l.hi);
    return ordered_sum(sum.hi, sum.lo + fused(s, g_low, fused(s_low, g.hi, l.lo)));
}

/* Of a number as decompose() wants it. */
CUPRIC_MATH words<double>
exact_log2(double x)
{
    return exact_log2<false>(decompose(x), 0);
}

/* Of two words, the first a normal number. */
CUPRIC_MATH words<double>
exact_log2(words<double> x)
{
    const decomposed<double> d = decompose(x.hi);
    /* 2**(2 - k), which is a normal number, too */
    const double power = power_of_two(format<double>::ROUNDER() + 2 - d.k);
    return exact_log2<true>(d, product(product(x.lo, 0.25), power));
}

/* 2**(p.hi + p.lo) as exponential_of() gives powers of e. */
template <class F>
CUPRIC_MATH exponential<F>
exponential2_of(words<F> p)
{
    typedef format<F> T;
    typedef constants<F> K;
    const F rounder = p.hi + T::ROUNDER(), n = rounder - T::ROUNDER();
    const F part = p.hi - n; /* exact */
    const words<F> r = exact_product(part, K::LN2());
    const F low = fused(p.lo, K::LN2(), fused(part, K::LN2_LOW(), r.lo));
    return {rounder, n, ordered_sum(r.hi, low)};
}

/* 2**(y log2(x)) for positive x. */
CUPRIC_MATH double
positive_power(double x, double y)
{
    const double most = 0x1p80; /* with which all but 1 overflow or underflow */
    const double exponent = clamped(y, -most, most);
    const words<double> l = exact_log2(x);
    const words<double> p = exact_product(exponent, l.hi);
    const double bounded = clamped(p.hi, -1080.0, 1025.0);
    const double rest = bounded == p.hi ? fused(exponent, l.lo, p.lo) : 0;
    const exponential<double> e = exponential2_of(words<double>{bounded, rest});
    return scaled(small_exp(e.r).hi, e.rounder);
}

/* In double, which is exact enough without low words. */
CUPRIC_MATH float
positive_power(float x, float y)
{
    typedef format<double> T;
    const decomposed<float> d = decompose(x);
    const double f = double(d.f), l = fused(f, single_log2(f), double(d.k));
    const double exponent = clamped(y, -0x1p100f, 0x1p100f);
    const double z = clamped(product(exponent, l), -160.0, 160.0);
    const double rounder = z + T::ROUNDER();
    const double e = single_exp2(z - (rounder - T::ROUNDER()));
    return float(from_bits(bits_of(e) + (bits_of(rounder) << T::FRACTION())));
}

/* |x|**y with the sign of an odd power, and what is infinite, 0 or undefined. */
template <class F>
CUPRIC_MATH F
pow(F x, F y)
{
    typedef format<F> T;
    const F ax = without_sign(x), ay = without_sign(y);
    F result = positive_power(ax, y);
    const bool infinite = ax == infinity<F>();
    const F limited = chosen((y < 0) == (ax == 0), infinity<F>(), F(0));
    result = chosen(infinite | (ax == 0), limited, result);
    /* whole and odd exponents: what is larger than `even` is even */
    const F even = F(2) * T::INTEGERS(), bound = ay < even ? ay : even;
    const F half = F(0.5) * bound;
    const bool whole =
        ((bound + T::INTEGERS()) - T::INTEGERS() == bound) | (bound >= T::INTEGERS());
    const bool odd = whole & ((half + T::INTEGERS()) - T::INTEGERS() != half);
    result = from_bits(bits_of(result) | (odd ? bits_of(x) & T::SIGN() : 0));
    result = chosen((x < 0) & !whole & !infinite, nan<F>(), result);
    result = chosen((x == x) & (y == y), result, x + y);
    return chosen((x == 1) | (y == 0), F(1), result);
}

} /* namespace elementary */
CUPRIC_END

#endif
