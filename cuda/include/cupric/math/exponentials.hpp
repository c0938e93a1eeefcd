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

/* ROUNDER and twice the bias: power_of_two() adds it, but here it is there already. */
template <class F>
CUPRIC_MATH constexpr F
biased_rounder()
{
    return format<F>::ROUNDER() + 2 * format<F>::BIAS();
}

/* x 2**n for x near 1, also where that is subnormal or overflows: by about half of n each
 * time, of which the first is exact. `rounder` is biased_rounder() + n. */
template <class F>
CUPRIC_MATH F
scaled(F x, F n, F rounder)
{
    typedef format<F> T;
    const F half = fused(n, F(0.5), T::ROUNDER() + T::BIAS());
    const typename T::bits rest = bits_of(rounder) - bits_of(half);
    const F power = from_bits(bits_of(half) << T::FRACTION());
    return product(product(x, power), from_bits(rest << T::FRACTION()));
}

template <class F>
CUPRIC_MATH F
clamped(F x, F low, F high)
{
    return x < low ? low : x > high ? high : x; /* a NaN stays */
}

/* The same for -limit and limit. */
template <class F>
CUPRIC_MATH F
clamped(F x, F limit)
{
    return without_sign(x) > limit ? times_sign(limit, x) : x;
}

/* x 2**n where that is normal: by the exponent's bits, which are in the low ones of
 * `rounder`. */
template <class F>
CUPRIC_MATH F
normal_scaled(F x, F rounder)
{
    return from_bits(bits_of(x) + (bits_of(rounder) << format<F>::FRACTION()));
}

/* A function to a base: 2**n and 1 + slope r, of which n is in the low bits of `rounder`. */
template <class F>
struct power_parts {
    F rounder, n, r, slope;
};

/* With one word of x - n log(2), which is at most 0.35: what its rounding costs is less than
 * a fifth of the result's last place. */
template <int BASE, class F>
CUPRIC_MATH power_parts<F>
power_parts_of(F x, F rounder)
{
    typedef constants<F> K;
    const F sum = BASE == 0 ? fused(x, K::LOG2_E(), rounder) : x + rounder;
    const F n = sum - rounder;
    if constexpr (BASE == 0) {
        const F r = fused(n, -K::LN2_LOW(), fused(n, -K::LN2(), x));
        return {sum, n, r, fused(exp_square(r), r, F(1))};
    } else {
        const F r = x - n; /* exact */
        return {sum, n, r, fused(exp2_square(r), r, K::LN2())};
    }
}

/* exp, or where BASE is 2 exp2. */
template <int BASE>
struct power_of_base {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        const F most =
            BASE == 2 ? F(sizeof(F) == 4 ? 125 : 1020) : F(sizeof(F) == 4 ? 87 : 708);
        const power_parts<F> p = power_parts_of<BASE>(x, format<F>::ROUNDER());
        return {normal_scaled(fused(p.slope, p.r, F(1)), p.rounder),
                rare_beyond(without_sign(x), most)};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        const F most =
            BASE == 2 ? F(sizeof(F) == 4 ? 151 : 1080) : F(sizeof(F) == 4 ? 105 : 750);
        const power_parts<F> p =
            power_parts_of<BASE>(clamped(x, most), biased_rounder<F>());
        return scaled(fused(p.slope, p.r, F(1)), p.n, p.rounder);
    }
};

template <class F>
CUPRIC_MATH F
exp(F x)
{
    return power_of_base<0>::any(x);
}

template <class F>
CUPRIC_MATH F
exp2(F x)
{
    return power_of_base<2>::any(x);
}

/* 2**n exp(r) - 1 as 2 (2**m exp(r) - 1/2), m = n - 1, which does not overflow. */
template <class F>
CUPRIC_MATH F
bounded_expm1(F x)
{
    const exponential<F> e = exponential_of(x);
    const F power = from_bits((bits_of(e.rounder) + (format<F>::BIAS() - 1))
                              << format<F>::FRACTION()),
            r = e.r.hi, s = product(r, r);
    const F low = fused(r, e.r.lo, e.r.lo); /* times exp(r), nearly */
    const F tail = fused(product(s, r), exp_tail(r), low);
    const words<F> whole = ordered_sum(power, F(-0.5));
    const F most = fused(power, r, whole.hi);
    const F lost = fused(power, r, whole.hi - most) + whole.lo;
    const F rest = fused(power, product(F(0.5), s), fused(power, tail, lost));
    return F(2) * (most + rest);
}

struct exponential_less_1 {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        const F size = without_sign(x), result = bounded_expm1(x);
        return {size < F(0x1p-60) ? x : result,
                rare_beyond(size, F(sizeof(F) == 4 ? 86 : 700))};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        const F result = bounded_expm1(clamped(x, F(sizeof(F) == 4 ? 89 : 710)));
        const F bounded = x < F(-50) ? F(-1) : result;
        return without_sign(x) < F(0x1p-60) ? x : bounded;
    }
};

template <class F>
CUPRIC_MATH F
expm1(F x)
{
    return exponential_less_1::any(x);
}

/* ---- hyperbolic functions ------------------------------------------------------------- */

/* For y = n log(2) + r: sinh and cosh of y are by the addition theorem those of r times
 * those of n log(2), up - down and up + down, here half of these, as cosh(y) may be 2**n. */
template <class F>
struct hyperbolic_parts {
    words<F> r;
    F up, down, sinh_less_r, cosh_less_1;
};

template <class F>
CUPRIC_MATH hyperbolic_parts<F>
hyperbolic_parts_of(F y)
{
    typedef format<F> T;
    const exponential<F> e = exponential_of(y);
    const typename T::bits n = bits_of(e.rounder);
    const F up = from_bits((n + (T::BIAS() - 2)) << T::FRACTION());
    /* normal before the product, and nothing where it does not count */
    const F down =
        product(from_bits((T::BIAS() + 60 - n) << T::FRACTION()), F(0x1p-62));
    const F r = e.r.hi, s = product(r, r);
    return {e.r, up, down, fused(product(r, s), sinh_tail(s), e.r.lo),
            product(s, fused(s, cosh_tail(s), F(0.5)))};
}

template <class F>
CUPRIC_MATH F
bounded_cosh(F y)
{
    const hyperbolic_parts<F> p = hyperbolic_parts_of(y);
    const F sinh = p.up - p.down, cosh = p.up + p.down;
    const F small = fused(cosh, p.cosh_less_1, product(sinh, p.sinh_less_r));
    const F rest = fused(-p.down, p.r.hi, p.down + small);
    return F(2) * (p.up + fused(p.up, p.r.hi, rest));
}

template <class F>
CUPRIC_MATH F
bounded_sinh(F y)
{
    const hyperbolic_parts<F> p = hyperbolic_parts_of(y);
    const F sinh = p.up - p.down, cosh = p.up + p.down;
    const F most = fused(cosh, p.r.hi, sinh);
    F lost = fused(cosh, p.r.hi, sinh - most);
    /* of float that is at most a quarter of the last place */
    if constexpr (sizeof(F) == 8) lost = lost + ((p.up - sinh) - p.down);
    const F rest = fused(sinh, p.cosh_less_1, fused(cosh, p.sinh_less_r, lost));
    return y < F(0x1p-30) ? y : F(2) * (most + rest);
}

/* Beyond which results are infinite; and what is well below. */
template <class F>
struct hyperbolic_limits {
    CUPRIC_MATH static constexpr F MOST() { return F(sizeof(F) == 4 ? 89.5 : 710.5); }
    CUPRIC_MATH static constexpr F ORDINARY() { return F(sizeof(F) == 4 ? 88 : 709); }
};

template <bool SINE>
struct hyperbolic {
    template <class F>
    CUPRIC_MATH static F bounded(F y, [[maybe_unused]] F x)
    {
        if constexpr (SINE)
            return times_sign(bounded_sinh(y), x);
        else
            return bounded_cosh(y);
    }

    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x)
    {
        const F y = without_sign(x);
        return {bounded(y, x), rare_beyond(y, hyperbolic_limits<F>::ORDINARY())};
    }

    template <class F>
    CUPRIC_MATH static F any(F x)
    {
        const F y = without_sign(x), most = hyperbolic_limits<F>::MOST();
        return bounded(y > most ? most : y, x);
    }
};

template <class F>
CUPRIC_MATH F
sinh(F x)
{
    return hyperbolic<true>::any(x);
}

template <class F>
CUPRIC_MATH F
cosh(F x)
{
    return hyperbolic<false>::any(x);
}

/* 1 - 2 / (exp(2 y) + 1) */
CUPRIC_MATH float
tanh(float x)
{
    typedef constants<float> K;
    typedef format<float> T;
    const float y = without_sign(x), s = product(y, y), z = y > 10 ? 20.0f : y + y;
    const float rounder = fused(z, K::LOG2_E(), T::ROUNDER()),
                n = rounder - T::ROUNDER();
    const float r = fused(n, -K::LN2_LOW(), fused(n, -K::LN2(), z));
    const float power = power_of_two(rounder);
    const float slope = fused(exp_square(r), r, 1.0f);
    const float under = fused(product(power, r), slope, power + 1);
    const float large = fused(ordinary_reciprocal(under), -2.0f, 1.0f);
    const float small = fused(product(y, s), tanh_tail(s), y);
    return times_sign(y < 1 ? small : large, x);
}

/* (a + b t) / (b + a t), t = tanh(r), a quotient: a and b are sinh and cosh of n log(2). Only
 * their ratio counts, so where b is rounded a is that less by as much as the exact one. */
CUPRIC_MATH double
tanh(double x)
{
    typedef format<double> T;
    const double y = without_sign(x);
    const exponential<double> e = exponential_of(y > 22 ? 22.0 : y);
    const T::bits n = bits_of(e.rounder);
    const double up = from_bits((n + (T::BIAS() - 1)) << T::FRACTION());
    const double down = from_bits((T::BIAS() - 1 - n) << T::FRACTION());
    const double b = up + down, a = fused(-2.0, down, b);
    const double r = e.r.hi, s = product(r, r);
    /* t = (r + sine) / (1 + cosine) */
    const double sine = fused(product(r, s), tanh_over(s), e.r.lo);
    const double cosine = product(s, tanh_under(s));
    const double over = fused(b, r, a), under = fused(a, r, b);
    const double over_lost = fused(b, r, a - over), under_lost = fused(a, r, b - under);
    const double over_low = fused(a, cosine, fused(b, sine, over_lost));
    const double under_low = fused(b, cosine, fused(a, sine, under_lost));
    const double inverse = ordinary_reciprocal(under + under_low);
    const double q = product(over + over_low, inverse);
    const double rest = fused(-q, under, over) + fused(-q, under_low, over_low);
    return times_sign(fused(rest, inverse, q), x);
}

} /* namespace elementary */
CUPRIC_END

#endif
