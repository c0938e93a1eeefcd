/* math/elementary.hpp: the elementary functions of float and double, with the same bits on
 * the host and on a GPU (words.hpp says how), within 1 unit in the last place
 * (docs/accuracy.md has the maxima).
 *
 * Every function is written once, for both formats: the argument is reduced exactly or to
 * two words, a polynomial (polynomials.hpp) gives what is small beside the leading terms,
 * and these are summed with their rounding errors, so that hardly more than the last
 * rounding is lost and results that are numbers of the format, log10(1000), come exact.
 * There are no branches, only selections, and loops over the functions vectorise; the
 * exception are sin, cos and tan of large arguments.
 *
 * References: J.-M. Muller, "Elementary Functions" (3rd edition, 2016); W. J. Cody and
 * W. Waite, "Software Manual for the Elementary Functions" (1980); M. Payne and R. Hanek,
 * "Radian reduction for trigonometric functions" (1983).
 */
#ifndef CUPRIC_MATH_ELEMENTARY_HPP
#define CUPRIC_MATH_ELEMENTARY_HPP

#include "cupric/math/polynomials.hpp"
#include "cupric/math/words.hpp"

CUPRIC_BEGIN

/* A number of a batch on the host, whose loop has no branches: a function that needs one
 * returns format<F>::MARK instead, and is called again for the number alone. */
template <class F>
struct batched {
    F value;
    batched() = default;
    CUPRIC_HD batched(F x) : value(x) {}
    CUPRIC_HD operator F() const { return value; }
};

namespace elementary {

/* ---- exponentials ------------------------------------------------------------------- */

/* x = n log(2) + r, with n in the low bits of `rounder`. */
template <class F>
struct exponential {
    F rounder, n;
    words<F> r;
};

template <class F>
CUPRIC_MATH exponential<F>
exponential_of(F x)
{
    typedef constants<F> K;
    const F rounder = fused(x, K::LOG2_E, format<F>::ROUNDER);
    const F n = rounder - format<F>::ROUNDER;
    const F part = fused(n, -K::LN2, x); /* exact */
    const F hi = fused(n, -K::LN2_LOW, part);
    return {rounder, n, {hi, fused(n, -K::LN2_LOW, part - hi)}};
}

/* exp(r) - 1 - r.hi for |r| <= log(2) / 2. */
template <class F>
CUPRIC_MATH F
exp_rest(words<F> r)
{
    const F tail = fused(exp_tail(r.hi), r.hi, F(0.5));
    return fused(product(r.hi, r.hi), tail, r.lo);
}

/* exp(r) likewise. */
template <class F>
CUPRIC_MATH words<F>
small_exp(words<F> r)
{
    const words<F> sum = ordered_sum(F(1), r.hi);
    return ordered_sum(sum.hi, sum.lo + exp_rest(r));
}

/* exp(r) - 1 likewise, with the square's rounding error, too, as 1 does not cover it. */
template <class F>
CUPRIC_MATH words<F>
small_expm1(words<F> r)
{
    const words<F> half = exact_product(product(F(0.5), r.hi), r.hi);
    const words<F> sum = ordered_sum(r.hi, half.hi);
    const F cube = product(half.hi + half.hi, r.hi);
    const F rest = fused(cube, exp_tail(r.hi), fused(r.hi, r.lo, r.lo) + half.lo);
    return ordered_sum(sum.hi, sum.lo + rest);
}

/* x 2**n, 1/2 < x < 2, also where that is subnormal or overflows; `rounder` is
 * ROUNDER + n. */
template <class F>
CUPRIC_MATH F
scaled(F x, F rounder)
{
    typedef format<F> T;
    typedef typename T::bits bits;
    const bool tiny = rounder < T::ROUNDER - F(T::BIAS - 3);
    const bits biased = bits_of(rounder) + bits(tiny ? T::BIAS + 64 : T::BIAS - 1);
    const F power = from_bits(biased << T::FRACTION);
    return product(product(x, power), tiny ? F(0x1p-64) : F(2));
}

template <class F>
CUPRIC_MATH words<F>
scaled(words<F> x, F rounder)
{
    return {scaled(x.hi, rounder), scaled(x.lo, rounder)};
}

template <class F>
CUPRIC_MATH F
clamped(F x, F low, F high)
{
    return x < low ? low : x > high ? high : x; /* a NaN stays */
}

template <class F>
CUPRIC_MATH F
exp(F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    x = clamped(x, F(SINGLE ? -105 : -750), F(SINGLE ? 89 : 710));
    const exponential<F> e = exponential_of(x);
    return scaled(small_exp(e.r).hi, e.rounder);
}

template <class F>
CUPRIC_MATH F
exp2(F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    typedef constants<F> K;
    x = clamped(x, F(SINGLE ? -151 : -1080), F(SINGLE ? 128 : 1024));
    const F rounder = x + format<F>::ROUNDER;
    const F part = x - (rounder - format<F>::ROUNDER); /* exact */
    const words<F> r = exact_product(part, K::LN2);
    const F low = fused(part, K::LN2_LOW, r.lo);
    return scaled(small_exp(words<F>{r.hi, low}).hi, rounder);
}

/* 2**n (1 + r) - 1 as 2 (2**m (1 + r) - 1/2), m = n - 1, which does not overflow. */
template <class F>
CUPRIC_MATH F
expm1(F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const exponential<F> e =
        exponential_of(clamped(x, F(SINGLE ? -30 : -50), F(SINGLE ? 89 : 710)));
    const F power = power_of_two(e.rounder - F(1));
    if constexpr (SINGLE) {
        const F rest = exp_rest(e.r);
        const words<F> whole = ordered_sum(power, F(-0.5));
        const words<F> sum = ordered_sum(whole.hi, product(power, e.r.hi));
        const F result = F(2) * (sum.hi + fused(power, rest, sum.lo + whole.lo));
        return times_sign(without_sign(e.n == 0 ? e.r.hi + rest : result), x);
    }
    const words<F> r = small_expm1(e.r);
    const words<F> whole = exact_sum(power, F(-0.5));
    const words<F> sum = ordered_sum(whole.hi, product(power, r.hi));
    const F result = F(2) * (sum.hi + (sum.lo + fused(power, r.lo, whole.lo)));
    return times_sign(without_sign(e.n == 0 ? r.hi : result), x);
}

/* exp(y) / 4 and exp(-y) / 4 in two words each, of float the second in one, for 0 <= y. */
template <class F>
struct exponentials {
    words<F> up, down;
};

template <class F>
CUPRIC_MATH exponentials<F>
exponentials_of(F y)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const exponential<F> e =
        exponential_of(y > F(SINGLE ? 89.5 : 710.5) ? F(SINGLE ? 89.5 : 710.5) : y);
    const F power = power_of_two(e.rounder - F(2));
    if constexpr (SINGLE) {
        const words<F> sum = ordered_sum(power, product(power, e.r.hi));
        const words<F> up = {sum.hi, fused(power, exp_rest(e.r), sum.lo)};
        return {up, {quotient(F(0.0625), up.hi + up.lo), F(0)}};
    }
    const words<F> r = small_exp(e.r);
    const words<F> up = {power * r.hi, power * r.lo};
    const F down = quotient(F(0.0625), up.hi);
    const F rest = fused(-down, up.lo, fused(-down, up.hi, F(0.0625)));
    return {up, {down, product(product(rest, down), F(16))}};
}

template <class F>
CUPRIC_MATH F
sinh(F x)
{
    const F y = without_sign(x), s = product(y, y);
    const exponentials<F> e = exponentials_of(y);
    const words<F> sum = ordered_sum(e.up.hi, -e.down.hi);
    const F large = F(2) * (sum.hi + (sum.lo + (e.up.lo - e.down.lo)));
    const F small = fused(product(y, s), sinh_tail(s), y);
    return times_sign(y < 1 ? small : large, x);
}

template <class F>
CUPRIC_MATH F
cosh(F x)
{
    const exponentials<F> e = exponentials_of(without_sign(x));
    const words<F> sum = ordered_sum(e.up.hi, e.down.hi);
    return F(2) * (sum.hi + (sum.lo + (e.up.lo + e.down.lo)));
}

/* 1 - 2 / (exp(2 y) + 1) */
template <class F>
CUPRIC_MATH F
tanh(F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const F y = without_sign(x), s = product(y, y);
    const F limit = F(SINGLE ? 10 : 22);
    const exponential<F> e = exponential_of(F(2) * (y > limit ? limit : y));
    const F power = power_of_two(e.rounder);
    if constexpr (SINGLE) {
        const F rest = fused(power, e.r.hi + exp_rest(e.r), power + F(1));
        const F small = fused(product(y, s), tanh_tail(s), y);
        return times_sign(y < 1 ? small : F(1) - quotient(F(2), rest), x);
    }
    const words<F> r = small_exp(e.r);
    const words<F> sum = ordered_sum(product(power, r.hi), F(1));
    const F q = quotient(F(2), sum.hi);
    const F rest = fused(-q, fused(power, r.lo, sum.lo), fused(-q, sum.hi, F(2)));
    const words<F> whole = ordered_sum(F(1), -q);
    const F large = whole.hi + fused(rest, product(q, F(-0.5)), whole.lo);
    const F small = fused(product(y, s), tanh_tail(s), y);
    return times_sign(y < F(0.625) ? small : large, x);
}

/* ---- logarithms --------------------------------------------------------------------- */

/* x = 2**k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). */
template <class F>
struct decomposed {
    F k, f;
};

/* Of a positive, finite number. */
template <class F>
CUPRIC_MATH decomposed<F>
decompose(F x)
{
    typedef format<F> T;
    typedef typename T::bits bits;
    const bool tiny = x < T::LEAST_NORMAL;
    const bits u = bits_of(product(x, tiny ? T::LIFT : F(1)));
    const bits biased = (u + (T::ONE - T::ROOT_HALF)) >> T::FRACTION;
    const F k = from_bits(biased | bits_of(T::INTEGERS)) -
                (T::INTEGERS + (tiny ? F(T::BIAS + T::LIFTED) : F(T::BIAS)));
    return {k, from_bits(u - (biased << T::FRACTION) + T::ONE) - F(1)};
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
    const words<F> sum = ordered_sum(product(k, K::LN2_SHORT), r.hi);
    return sum.hi + (sum.lo + fused(k, K::LN2_SHORT_LOW, r.lo));
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
    const words<F> p = exact_product(r.hi, K::LOG2_E);
    const F low = fused(r.lo, K::LOG2_E, fused(r.hi, K::LOG2_E_LOW, p.lo));
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
    const words<F> p = exact_product(r.hi, K::LOG10_E);
    const F low = fused(r.lo, K::LOG10_E, fused(r.hi, K::LOG10_E_LOW, p.lo));
    const words<F> sum = ordered_sum(product(d.k, K::LOG10_2_SHORT), p.hi);
    return logarithm_of(x, sum.hi + (sum.lo + fused(d.k, K::LOG10_2_SHORT_LOW, low)));
}

/* log(2**more (1 + hi + lo)) for hi > -1, and up to infinity. */
template <class F>
CUPRIC_MATH F
log_of_sum(F hi, F lo, F more)
{
    typedef format<F> T;
    typedef typename T::bits bits;
    const bits u = bits_of(hi + F(1));
    const bits biased = (u + (T::ONE - T::ROOT_HALF)) >> T::FRACTION;
    const F k = from_bits(biased | bits_of(T::INTEGERS)) - (T::INTEGERS + F(T::BIAS));
    /* 2**-k, by way of a power that is a normal number */
    const F power =
        product(from_bits((bits(2 * T::BIAS + 2) - biased) << T::FRACTION), F(0.25));
    const F less = power - F(1), f = fused(hi, power, less);
    const F low = fused(hi, power, -(f - less));
    return times_ln2_plus(k + more,
                          with_low(quick_logarithm(f), f, fused(lo, power, low)));
}

template <class F>
CUPRIC_MATH F
log1p(F x)
{
    F result = log_of_sum(x, F(0), F(0));
    result = x < infinity<F>() ? result : x;
    result = chosen(x < -1, nan<F>(), result);
    result = chosen(x == -1, -infinity<F>(), result);
    return x == 0 ? x : result;
}

/* sqrt(square) in two words; 0 for 0. Of float the second has three bits, as 1 / s comes
 * from the bits of s. */
template <class F>
CUPRIC_MATH words<F>
root_of(words<F> square)
{
    typedef format<F> T;
    const F s = root(square.hi);
    const F rest = fused(-s, s, square.hi) + square.lo;
    const F half = sizeof(F) == 4 ? from_bits(T::RECIPROCAL - bits_of(s)) * F(0.5)
                                  : quotient(F(0.5), s);
    return {s, s > 0 ? product(rest, half) : F(0)};
}

/* log(1 + (y + (sqrt(1 + y**2) - 1))); of large y log(2 y). */
template <class F>
CUPRIC_MATH F
asinh(F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const F y = without_sign(x);
    const bool large = y > F(SINGLE ? 0x1p30 : 0x1p60);
    const bool small = y < F(SINGLE ? 0.5 : 0x1p-20);
    const words<F> square = exact_product(y, large ? F(0) : y);
    const words<F> sum = exact_sum(F(1), square.hi);
    const words<F> s = root_of(words<F>{sum.hi, sum.lo + square.lo});
    F result;
    if constexpr (SINGLE) {
        const words<F> argument = exact_sum(y, s.hi - F(1));
        result = log_of_sum(argument.hi, argument.lo + s.lo, large ? F(1) : F(0));
        const F series = fused(product(y, square.hi), asinh_tail(square.hi), y);
        result = small ? series : result;
    } else {
        const words<F> less = ordered_sum(s.hi, F(-1));
        const words<F> t = ordered_sum(less.hi, less.lo + s.lo);
        const words<F> argument = exact_sum(y, small ? F(0.5) * square.hi : t.hi);
        result = log_of_sum(argument.hi, argument.lo + (small ? F(0) : t.lo),
                            large ? F(1) : F(0));
    }
    return times_sign(y < infinity<F>() && y != 0 ? result : y, x);
}

/* log(1 + (sqrt(x**2 - 1) + (x - 1))); of large x log(2 x). */
template <class F>
CUPRIC_MATH F
acosh(F x)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const bool large = x > F(SINGLE ? 0x1p30 : 0x1p60);
    const words<F> square = exact_product(x, large ? F(0) : x);
    const words<F> less = exact_sum(square.hi, F(-1));
    const words<F> s = root_of(ordered_sum(less.hi, less.lo + square.lo));
    const words<F> sum = exact_sum(s.hi, x - F(1));
    const F result = log_of_sum(large ? x : sum.hi, large ? F(0) : sum.lo + s.lo,
                                large ? F(1) : F(0));
    const F rest = x < infinity<F>() ? result : x;
    return chosen(x < 1, nan<F>(), rest);
}

/* log(1 + 2 y / (1 - y)) / 2 */
template <class F>
CUPRIC_MATH F
atanh(F x)
{
    const F y = without_sign(x);
    const words<F> d = ordered_sum(F(1), -y);
    const F r = quotient(F(1), d.hi), q = product(F(2) * y, r);
    const F rest = fused(-q, d.lo, fused(-q, d.hi, F(2) * y));
    const F result = F(0.5) * log_of_sum(q, product(rest, r), F(0));
    return times_sign(y == 0   ? y
                      : y < 1  ? result
                      : y == 1 ? infinity<F>()
                               : nan<F>(),
                      x);
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
    const words<F> sum = ordered_sum(more ? K::LN2 : F(0), r.hi);
    return {sum.hi, sum.lo + (r.lo + (more ? K::LN2_LOW : F(0)))};
}

/* x + y.hi + y.lo, where x may be infinite. */
template <class F>
CUPRIC_MATH F
plus_words(F x, words<F> y)
{
    const words<F> sum = exact_sum(x, y.hi);
    const F result = sum.hi + (sum.lo + y.lo);
    return without_sign(x) < infinity<F>() ? result : x;
}

/* log(exp(a) + exp(b)) as the larger and log(1 + exp(-|a - b|)). */
template <class F>
CUPRIC_MATH F
logaddexp(F a, F b)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const F larger = a > b ? a : b, smaller = a > b ? b : a;
    const words<F> d = exact_sum(smaller, -larger);
    const F least = F(SINGLE ? -105 : -750);
    const F x = a == b ? F(0) : d.hi > least ? d.hi : least;
    const exponential<F> e = exponential_of(x);
    const F low = e.r.lo + (d.hi > least ? d.lo : F(0));
    const words<F> r = small_exp(ordered_sum(e.r.hi, low));
    const F result = plus_words(larger, log1p_of_fraction(scaled(r, e.rounder)));
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
    const F least = F(SINGLE ? -151 : -1080);
    const F x = a == b ? F(0) : d.hi > least ? d.hi : least;
    /* of subnormal numbers those products that are LIFT times as large */
    const bool tiny = x < F(SINGLE ? -100 : -900);
    const F rounder = x + T::ROUNDER;
    const F part = x - (rounder - T::ROUNDER); /* exact */
    const words<F> y = exact_product(part, K::LN2);
    const F low = fused(d.hi > least ? d.lo : F(0), K::LN2, y.lo);
    const words<F> r = small_exp(ordered_sum(y.hi, fused(part, K::LN2_LOW, low)));
    const words<F> l =
        log1p_of_fraction(scaled(r, tiny ? rounder + F(T::LIFTED) : rounder));
    const words<F> p = exact_product(l.hi, K::LOG2_E);
    const F rest = fused(l.lo, K::LOG2_E, fused(l.hi, K::LOG2_E_LOW, p.lo));
    const F scale = tiny ? F(1) / T::LIFT : F(1);
    const words<F> added = {product(p.hi, scale), product(rest, scale)};
    const F result = plus_words(larger, x == 0 ? words<F>{F(1), F(0)} : added);
    return a == a && b == b ? result : a + b;
}

/* ---- powers ------------------------------------------------------------------------- */

/* log2(2**k (1 + f + low)) with 14 bits more than the format has, for 1 + f as decompose()
 * gives it; `low` counts where LOW. By s = (m - 1) / (m + 1), in which the logarithm is
 * odd. */
template <bool LOW, class F>
CUPRIC_MATH words<F>
exact_log2(decomposed<F> d, [[maybe_unused]] F low)
{
    typedef constants<F> K;
    const words<F> under = ordered_sum(F(2), d.f);
    const F r = quotient(F(1), under.hi), s = product(d.f, r);
    F s_rest = fused(-s, under.lo, fused(-s, under.hi, d.f));
    if constexpr (LOW) s_rest += fused(-s, low, low);
    const F s_low = product(s_rest, r);
    const F t = product(s, s);
    const F t_low = fused(F(2) * s, s_low, fused(s, s, -t));
    const words<F> a = ordered_sum(K::POWER_3, product(t, power_tail(t)));
    const F a_low = a.lo + K::POWER_3_LOW;
    const words<F> b = exact_product(t, a.hi);
    const F b_low = fused(t, a_low, fused(t_low, a.hi, b.lo));
    const words<F> c = ordered_sum(K::POWER_1, b.hi);
    const F c_low = c.lo + (b_low + K::POWER_1_LOW);
    const words<F> l = exact_product(s, c.hi);
    const words<F> sum = ordered_sum(d.k, l.hi);
    return ordered_sum(sum.hi, sum.lo + fused(s, c_low, fused(s_low, c.hi, l.lo)));
}

/* Of a number as decompose() wants it. */
template <class F>
CUPRIC_MATH words<F>
exact_log2(F x)
{
    return exact_log2<false>(decompose(x), F(0));
}

/* Of two words, the first a normal number. */
template <class F>
CUPRIC_MATH words<F>
exact_log2(words<F> x)
{
    const decomposed<F> d = decompose(x.hi);
    /* 2**(2 - k), which is a normal number, too */
    const F power = power_of_two(format<F>::ROUNDER + F(2) - d.k);
    return exact_log2<true>(d, product(product(x.lo, F(0.25)), power));
}

/* 2**(p.hi + p.lo) as exponential_of() gives powers of e. */
template <class F>
CUPRIC_MATH exponential<F>
exponential2_of(words<F> p)
{
    typedef format<F> T;
    typedef constants<F> K;
    const F rounder = p.hi + T::ROUNDER, n = rounder - T::ROUNDER;
    const F part = p.hi - n; /* exact */
    const words<F> r = exact_product(part, K::LN2);
    const F low = fused(p.lo, K::LN2, fused(part, K::LN2_LOW, r.lo));
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
    const double rounder = z + T::ROUNDER;
    const double e = single_exp2(z - (rounder - T::ROUNDER));
    return float(from_bits(bits_of(e) + (bits_of(rounder) << T::FRACTION)));
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
    const F even = F(2) * T::INTEGERS, bound = ay < even ? ay : even;
    const F half = F(0.5) * bound;
    const bool whole =
        ((bound + T::INTEGERS) - T::INTEGERS == bound) | (bound >= T::INTEGERS);
    const bool odd = whole & ((half + T::INTEGERS) - T::INTEGERS != half);
    result = from_bits(bits_of(result) | (odd ? bits_of(x) & T::SIGN : 0));
    result = chosen((x < 0) & !whole & !infinite, nan<F>(), result);
    result = chosen((x == x) & (y == y), result, x + y);
    return chosen((x == 1) | (y == 0), F(1), result);
}

/* ---- roots -------------------------------------------------------------------------- */

/* sqrt(x**2 + y**2), scaled so that neither square overflows nor underflows. */
template <class F>
CUPRIC_MATH F
hypot(F x, F y)
{
    constexpr bool SINGLE = sizeof(F) == 4;
    const F ax = without_sign(x), ay = without_sign(y);
    const F large = chosen(ax > ay, ax, ay), small = chosen(ax > ay, ay, ax);
    const F limit = F(SINGLE ? 0x1p62 : 0x1p510),
            least = F(SINGLE ? 0x1p-50 : 0x1p-450);
    const F up = F(SINGLE ? 0x1p100 : 0x1p600), down = F(SINGLE ? 0x1p-100 : 0x1p-600);
    const bool big = large > limit, tiny = large < least;
    const F scale = chosen(big, down, chosen(tiny, up, F(1)));
    const F back = chosen(big, up, chosen(tiny, down, F(1)));
    const F a = large * scale, b = small * scale;
    const words<F> square = exact_product(a, a), other = exact_product(b, b);
    const words<F> sum = ordered_sum(square.hi, other.hi);
    const words<F> s = root_of(words<F>{sum.hi, sum.lo + (square.lo + other.lo)});
    const F result = (s.hi + s.lo) * back;
    const bool infinite = (ax == infinity<F>()) | (ay == infinity<F>());
    const F whole = chosen((x == x) & (y == y), result, x + y);
    return chosen(infinite, infinity<F>(), whole);
}

/* The number is M 2**(3 q), M in [1/4, 2]; z tends to M**(-1/3) by Newton's iteration,
 * and M z**2 to the root. */
template <class F>
CUPRIC_MATH F
cbrt(F x)
{
    typedef format<F> T;
    typedef constants<F> K;
    typedef typename T::bits bits;
    const F y = without_sign(x);
    const bool tiny = y < T::LEAST_NORMAL;
    const bits u = bits_of(product(y, tiny ? T::LIFT : F(1)));
    const bits biased = u >> T::FRACTION;
    const F k = from_bits(biased | bits_of(T::INTEGERS)) -
                (T::INTEGERS + (tiny ? F(T::BIAS - 1 + T::LIFTED) : F(T::BIAS - 1)));
    const F m =
        from_bits(u - (biased << T::FRACTION) + (T::ONE - (bits(1) << T::FRACTION)));
    const F rounder = fused(k, F(1) / F(3), T::ROUNDER);
    const F rest = fused(rounder - T::ROUNDER, F(-3), k); /* -1, 0 or 1 */
    const F scale = rest > 0 ? F(2) : rest < 0 ? F(0.5) : F(1);
    const F root_scale = rest > 0 ? K::CBRT_HALF : rest < 0 ? K::CBRT_2 : F(1);
    const F number = m * scale;
    F z = reciprocal_cbrt(m) * root_scale;
    for (int i = 0; i < (sizeof(F) == 4 ? 1 : 2); i++) {
        const F error = fused(product(product(number, z), z), -z, F(1));
        z = fused(product(z, F(1) / F(3)), error, z);
    }
    const F c = product(product(number, z), z);
    const words<F> square = exact_product(c, c);
    F error = fused(square.hi, c, -number);
    if constexpr (sizeof(F) == 8) error = fused(square.lo, c, error);
    const F result =
        fused(product(error, product(z, z)), F(-1) / F(3), c) * power_of_two(rounder);
    return times_sign(y > 0 && y < infinity<F>() ? result : y, x);
}

/* ---- trigonometric functions -------------------------------------------------------- */

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
    const F rounder = fused(y, K::TWO_OVER_PI, format<F>::ROUNDER);
    const F n = rounder - format<F>::ROUNDER;
    const F part = fused(n, -K::HALF_PI, y); /* exact */
    const words<F> p = exact_product(n, K::HALF_PI_LOW);
    const words<F> sum = exact_sum(part, -p.hi);
    const F lo = fused(n, -K::HALF_PI_LOWER, sum.lo - p.lo);
    return {ordered_sum(sum.hi, lo), bits_of(rounder)};
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

/* Of any finite number from 1 on: its significand times those 192 bits of 2 / pi that are
 * worth less than 4 and matter. */
CUPRIC_APART reduced<double>
reduce_large(double y)
{
    typedef constants<double> K;
    typedef unsigned long long bits;
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
    const words<double> p = exact_product(sum.hi, K::HALF_PI);
    const double lo = fused(rest, K::HALF_PI, fused(sum.hi, K::HALF_PI_LOW, p.lo));
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
template <class F>
CUPRIC_MATH words<F>
sine_of_half_turns(F y, typename format<F>::bits &sign)
{
    typedef constants<F> K;
    typedef format<F> T;
    const F z = chosen(y >= T::INTEGERS, F(1), y);
    const F rounder = z + T::INTEGERS, part = z - (rounder - T::INTEGERS);
    const F f = without_sign(part), g = chosen(f > F(0.25), F(0.5) - f, f);
    const words<F> p = exact_product(g, K::PI);
    const words<F> r = ordered_sum(p.hi, fused(g, K::PI_LOW, p.lo));
    /* the sine or the cosine of r in two words */
    const words<F> square = exact_product(r.hi, r.hi);
    const F s = square.hi;
    const F sine_low =
        fused(product(r.hi, s), sin_tail(s), fused(r.lo, s * F(-0.5), r.lo));
    const words<F> cosine = ordered_sum(F(1), F(-0.5) * s);
    const F cosine_low =
        fused(product(s, s), cos_tail(s),
              fused(r.hi, -r.lo, fused(F(-0.5), square.lo, cosine.lo)));
    const bool near = f <= F(0.25);
    sign = bits_of(rounder) << (8 * sizeof(F) - 1) ^ (bits_of(part) & T::SIGN);
    return ordered_sum(chosen(near, r.hi, cosine.hi),
                       chosen(near, sine_low, cosine_low));
}

/* sin(pi x) / (pi x) */
template <class F>
CUPRIC_MATH F
sinc(F x)
{
    typedef constants<F> K;
    typedef format<F> T;
    const F y = without_sign(x);
    const bool tiny = y < F(sizeof(F) == 4 ? 0x1p-20 : 0x1p-40);
    const F z = chosen(tiny, F(1), y);
    typename T::bits sign;
    const words<F> over = sine_of_half_turns(z, sign);
    const words<F> q = exact_product(z, K::PI);
    const F low = fused(z, K::PI_LOW, q.lo);
    const F inverse = quotient(F(1), q.hi), ratio = product(over.hi, inverse);
    const F rest = fused(-ratio, q.hi, over.hi) + fused(-ratio, low, over.lo);
    F result = fused(rest, inverse, ratio);
    result = from_bits(bits_of(result) ^ sign);
    result = chosen(over.hi == 0, F(0), result);
    result = chosen(tiny, F(1), result);
    return chosen(y < infinity<F>(), result, x - x);
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

template <class F>
CUPRIC_MATH F
tangent(reduced<F> a)
{
    const F hi = a.r.hi;
    const words<F> square = exact_product(hi, hi);
    const F p = tan_tail(square.hi);
    if constexpr (sizeof(F) == 4) {
        const words<F> u = exact_product(square.hi, p);
        const F most = fused(hi, u.hi, hi);
        const F low = fused(product(most, most), a.r.lo, a.r.lo);
        const F rest = fused(hi, u.hi, fused(hi, fused(square.lo, p, u.lo), low));
        const words<F> tan = ordered_sum(hi, rest);
        const F q = quotient(F(-1), tan.hi);
        const F error = fused(q, tan.lo, fused(q, tan.hi, F(1)));
        return (a.quadrant & 1) != 0 ? fused(q, error, q) : tan.hi;
    }
    const words<F> cube = exact_product(hi, square.hi);
    const words<F> t = exact_product(cube.hi, p);
    const F rest = fused(fused(hi, square.lo, cube.lo), p, t.lo), sum = hi + t.hi;
    const F low = fused(product(sum, sum), a.r.lo, a.r.lo) + rest;
    const words<F> most = ordered_sum(hi, t.hi);
    const words<F> tan = ordered_sum(most.hi, most.lo + low);
    const F q = quotient(F(-1), tan.hi);
    const F error = fused(q, tan.lo, fused(q, tan.hi, F(1)));
    return (a.quadrant & 1) != 0 ? fused(q, error, q) : tan.hi;
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
    const F y = without_sign(x);
    if (!(y < infinity<F>())) return x - x;
    return trigonometric_of<FUNCTION>(reduce(y), x);
}

template <trigonometric FUNCTION, class F>
CUPRIC_MATH F
trigonometric_of_batched(F x)
{
    const F y = without_sign(x),
            result = trigonometric_of<FUNCTION>(reduce_small(y), x);
    return y > limit_of_small<F>() ? from_bits(format<F>::MARK) : result;
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
    const words<F> base = {large ? K::HALF_PI : F(0), large ? K::HALF_PI_LOW : F(0)};
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
    const words<F> base = {!large  ? K::HALF_PI
                           : minus ? K::PI
                                   : F(0),
                           !large  ? K::HALF_PI_LOW
                           : minus ? K::PI_LOW
                                   : F(0)};
    const F factor = large ? F(2) : F(1);
    return arcsine(base, large != minus ? factor : -factor, s, square);
}

/* By tan(a - b) = (tan a - tan b) / (1 + tan a tan b) for b = 0, pi / 4 and pi / 2. */
template <class F>
CUPRIC_MATH F
atan(F x)
{
    typedef constants<F> K;
    const F most = F(sizeof(F) == 4 ? 0x1p60 : 0x1p100);
    F y = without_sign(x);
    y = y > most ? most : y;
    const bool middle = y > F(0.41421356), large = y > F(2.4142135);
    const words<F> less = exact_sum(y, F(-1)), more = exact_sum(y, F(1));
    F over = middle ? less.hi : y, over_low = middle ? less.lo : F(0);
    F under = middle ? more.hi : F(1), under_low = middle ? more.lo : F(0);
    F hi = middle ? K::QUARTER_PI : F(0), lo = middle ? K::QUARTER_PI_LOW : F(0);
    over = large ? F(-1) : over;
    over_low = large ? F(0) : over_low;
    under = large ? y : under;
    under_low = large ? F(0) : under_low;
    hi = large ? K::HALF_PI : hi;
    lo = large ? K::HALF_PI_LOW : lo;
    const F r = quotient(F(1), under), q = product(over, r);
    const F rest = fused(-q, under_low, fused(-q, under, over) + over_low);
    const F s = product(q, q);
    const F t = fused(product(q, s), atan_tail(s), product(rest, r));
    const words<F> sum = ordered_sum(hi, q);
    return times_sign(sum.hi + (sum.lo + (t + lo)), x);
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
    const bool steep = ay > ax, left = bits_of(x) >= format<F>::SIGN;
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
    const words<F> base = exact_product(n, K::QUARTER_PI);
    const words<F> sum = ordered_sum(base.hi, product(factor, q));
    const F low = fused(n, K::QUARTER_PI_LOW, base.lo);
    return times_sign(sum.hi + (sum.lo + fused(factor, t, low)), y);
}

/* ---- the modified Bessel function of order 0 ------------------------------------------ */

/* a s + term, as horner() of words does a step. */
CUPRIC_MATH words<double>
horner_step(words<double> a, words<double> s, double term, double term_low)
{
    const words<double> p = exact_product(a.hi, s.hi), sum = exact_sum(term, p.hi);
    const double low = fused(a.lo, s.hi, fused(a.hi, s.lo, p.lo));
    return {sum.hi, sum.lo + (low + term_low)};
}

/* Up to 8 its series in s = (x / 2)**2, the first terms in two words; above
 * exp(x) / sqrt(x) times what hardly varies, a polynomial in 16 / x - 1.
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 9.6.12 and
 * 9.7.1. */
CUPRIC_MATH double
i0(double x)
{
    typedef constants<double> K;
    const double y = without_sign(x);
    const double near = chosen(y > 8, 8.0, y), half = 0.5 * near;
    const words<double> s = exact_product(half, half);
    words<double> sum = {i0_rest(s.hi), 0};
    sum = horner_step(sum, s, K::I0_5, K::I0_5_LOW);
    sum = horner_step(sum, s, K::I0_4, K::I0_4_LOW);
    sum = horner_step(sum, s, K::I0_3, K::I0_3_LOW);
    sum = horner_step(sum, s, 0.25, 0);
    sum = horner_step(sum, s, 1, 0);
    sum = horner_step(sum, s, 1, 0);
    const double small = sum.hi + sum.lo;

    const double far = clamped(y, 8.0, 714.0);
    const double inverse = quotient(1.0, far), u = fused(inverse, 16.0, -1.0);
    const words<double> p = exact_product(u, i0_tail(u));
    const words<double> scaled_i0 = ordered_sum(K::I0_AT_16, p.hi);
    const double low = scaled_i0.lo + (p.lo + K::I0_AT_16_LOW);
    const double r = root(far), over_r = product(r, inverse);
    const double q = product(scaled_i0.hi, over_r);
    const double r_rest = fused(-r, r, far); /* twice r times its error */
    const double q_rest = fused(-q, r, scaled_i0.hi) + low;
    const double rest =
        fused(product(r_rest, q), product(-0.5, inverse), product(q_rest, over_r));
    const exponential<double> e = exponential_of(far);
    const words<double> power = small_exp(e.r);
    const words<double> whole = exact_product(q, power.hi);
    const double whole_low = fused(q, power.lo, fused(rest, power.hi, whole.lo));
    /* as scaled() likes its numbers */
    const double large = scaled(64 * (whole.hi + whole_low), e.rounder - 6);
    const double result = chosen(y > 8, large, small);
    return chosen(x == x, result, x);
}

CUPRIC_MATH float
i0(float x)
{
    const double y = without_sign(double(x));
    return float(i0(y > 100 ? 100 : y));
}

} /* namespace elementary */
CUPRIC_END

#endif
