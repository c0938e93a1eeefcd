/* math/exponentials.hpp: exponentials and hyperbolic functions of float and double, as
 * elementary.hpp says. */
#ifndef CUPRIC_MATH_EXPONENTIALS_HPP
#define CUPRIC_MATH_EXPONENTIALS_HPP

#include "cupric/math/polynomials.hpp"
#include "cupric/math/words.hpp"

CUPRIC_BEGIN

namespace elementary {

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
    const F rounder = fused(x, K::LOG2_E(), format<F>::ROUNDER());
    const F n = rounder - format<F>::ROUNDER();
    const F part = fused(n, -K::LN2(), x); /* exact */
    const F hi = fused(n, -K::LN2_LOW(), part);
    return {rounder, n, {hi, fused(n, -K::LN2_LOW(), part - hi)}};
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
    const bool tiny = rounder < T::ROUNDER() - F(T::BIAS() - 3);
    const bits biased = bits_of(rounder) + bits(tiny ? T::BIAS() + 64 : T::BIAS() - 1);
    const F power = from_bits(biased << T::FRACTION());
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
    const F rounder = x + format<F>::ROUNDER();
    const F part = x - (rounder - format<F>::ROUNDER()); /* exact */
    const words<F> r = exact_product(part, K::LN2());
    const F low = fused(part, K::LN2_LOW(), r.lo);
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

} /* namespace elementary */
CUPRIC_END

#endif
