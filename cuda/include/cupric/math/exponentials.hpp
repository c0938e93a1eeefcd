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

/* ---- hyperbolic functions of float ---------------------------------------------------- */

/* exp(y) / 4 in two words and exp(-y) / 4 for 0 <= y. */
struct exponentials {
    words<float> up;
    float down;
};

CUPRIC_MATH exponentials
exponentials_of(float y)
{
    const exponential<float> e = exponential_of(y > 89.5f ? 89.5f : y);
    const float power = power_of_two(e.rounder - 2);
    const words<float> sum = ordered_sum(power, product(power, e.r.hi));
    const words<float> up = {sum.hi, fused(power, exp_rest(e.r), sum.lo)};
    return {up, quotient(0.0625f, up.hi + up.lo)};
}

CUPRIC_MATH float
sinh(float x)
{
    const float y = without_sign(x), s = product(y, y);
    const exponentials e = exponentials_of(y);
    const words<float> sum = ordered_sum(e.up.hi, -e.down);
    const float large = 2 * (sum.hi + (sum.lo + e.up.lo));
    const float small = fused(product(y, s), sinh_tail(s), y);
    return times_sign(y < 1 ? small : large, x);
}

CUPRIC_MATH float
cosh(float x)
{
    const exponentials e = exponentials_of(without_sign(x));
    const words<float> sum = ordered_sum(e.up.hi, e.down);
    return 2 * (sum.hi + (sum.lo + e.up.lo));
}

/* 1 - 2 / (exp(2 y) + 1) */
CUPRIC_MATH float
tanh(float x)
{
    const float y = without_sign(x), s = product(y, y);
    const exponential<float> e = exponential_of(2 * (y > 10 ? 10 : y));
    const float power = power_of_two(e.rounder);
    const float under = fused(power, e.r.hi + exp_rest(e.r), power + 1);
    const float small = fused(product(y, s), tanh_tail(s), y);
    return times_sign(y < 1 ? small : 1 - quotient(2.0f, under), x);
}

/* ---- of double ------------------------------------------------------------------------ */

/* y = n log(2) + r, and sinh and cosh of n log(2), both divided by `back`, 2 of large
 * numbers and 1 of others: neither overflows, and subnormal numbers keep their digits. What
 * a hyperbolic function is of y, the addition theorem tells by its values at r, of which
 * one or two polynomials of few terms give sinh, cosh - 1 and tanh. */
struct hyperbolic_parts {
    words<double> r, sinh, cosh;
    double back;
};

CUPRIC_MATH hyperbolic_parts
hyperbolic_parts_of(double y)
{
    typedef format<double> T;
    const exponential<double> e = exponential_of(y > 710.5 ? 710.5 : y);
    const bool far = e.n > 64; /* where exp(-y) does not count */
    const double up = power_of_two(e.rounder - (far ? 2.0 : 1.0));
    const double down = far ? 0.0 : power_of_two((T::ROUNDER() - 1) - e.n);
    return {e.r, ordered_sum(up, -down), ordered_sum(up, down), far ? 2.0 : 1.0};
}

/* a cosh(r) + b sinh(r). The second word of b counts for little. */
CUPRIC_MATH double
hyperbolic_sum(words<double> r, words<double> a, double b)
{
    const double s = product(r.hi, r.hi);
    const double cosh_less_1 = product(s, fused(s, cosh_tail(s), 0.5));
    const double sinh_less_r = fused(product(r.hi, s), sinh_tail(s), r.lo);
    const double most = fused(b, r.hi, a.hi), lost = fused(b, r.hi, a.hi - most);
    return most + fused(a.hi, cosh_less_1, fused(b, sinh_less_r, lost + a.lo));
}

CUPRIC_MATH double
sinh(double x)
{
    const hyperbolic_parts p = hyperbolic_parts_of(without_sign(x));
    return times_sign(product(hyperbolic_sum(p.r, p.sinh, p.cosh.hi), p.back), x);
}

CUPRIC_MATH double
cosh(double x)
{
    const hyperbolic_parts p = hyperbolic_parts_of(without_sign(x));
    return product(hyperbolic_sum(p.r, p.cosh, p.sinh.hi), p.back);
}

/* (a + b t) / (b + a t), t = tanh(r): a and b are sinh and cosh of n log(2), of which more
 * need not be known than their difference. */
CUPRIC_MATH double
tanh(double x)
{
    typedef format<double> T;
    const double y = without_sign(x);
    const exponential<double> e = exponential_of(y > 22 ? 22.0 : y);
    const double up = power_of_two(e.rounder - 1);
    const double down = power_of_two((T::ROUNDER() - 1) - e.n);
    const double a = up - down, b = up + down, s = product(e.r.hi, e.r.hi);
    const words<double> t =
        ordered_sum(e.r.hi, fused(product(e.r.hi, s), tanh_tail(s), e.r.lo));
    const double over = fused(b, t.hi, a), under = fused(a, t.hi, b);
    const double lost = fused(-2.0, down, b - a);
    const double over_rest = fused(lost, 1 - t.hi, a - over);
    const double over_low = fused(b, t.lo, fused(b, t.hi, over_rest));
    const double under_low = fused(a, t.lo, fused(a, t.hi, b - under));
    const double inverse = ordinary_reciprocal(under), q = product(over, inverse);
    const double rest = fused(-q, under, over) + fused(-q, under_low, over_low);
    return times_sign(fused(rest, inverse, q), x);
}

} /* namespace elementary */
CUPRIC_END

#endif
