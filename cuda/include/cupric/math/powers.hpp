/* math/powers.hpp: powers, and logarithms of sums of powers, of float and double, as
 * elementary.hpp says.
 *
 * A logarithm is that of c, a number near the argument m, from a table, and that of m / c =
 * 1 + r, where 1 / c has so few bits that r is exact. A power is one of 2**(1 / 64) from a
 * table times one of a small exponent. A GPU takes half the operations of polynomials for
 * it all, and no division. Of floats these are computed in double, by polynomials: loads of
 * vectors whose elements are anywhere take a CPU longer than their terms.
 *
 * P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE
 * floating-point arithmetic" (1989), and the same of the logarithm function (1990).
 */
#ifndef CUPRIC_MATH_POWERS_HPP
#define CUPRIC_MATH_POWERS_HPP

#include "cupric/math/logarithms.hpp"
#include "cupric/math/power_pieces.hpp"

CUPRIC_BEGIN

namespace elementary {

/* 1 / c, and log(c) or log2(c) in two words. */
struct table_logarithm {
    double inverse, hi, lo;
};

CUPRIC_MATH table_logarithm
unpacked(table_row<unsigned long long> row)
{
    const unsigned long long halves = row.second;
    return {from_bits(halves >> 32 << 32), from_bits(row.first),
            from_bits(halves << 32)};
}

/* What added to a number leaves multiples of 1 / 128, or of 1 / 64. */
struct rounders {
    CUPRIC_MATH static constexpr double BY_128() { return 0x1.8p45; }
    CUPRIC_MATH static constexpr double BY_64() { return 0x1.8p46; }
};

/* 2**(n / 64) from the table, n in the low bits of `rounder`, with an exponent that is
 * larger by `more`, and by what part it is too small. */
CUPRIC_MATH words<double>
table_power(double rounder, int more = 0)
{
    const unsigned long long n = bits_of(rounder);
    const table_row<double> row = exp2_row(n & 63);
    const unsigned long long exponent = ((n >> 6) + more) << format<double>::FRACTION();
    return {from_bits(bits_of(row.first) + exponent), row.second};
}

/* 2**p, exact enough for floats. */
CUPRIC_MATH double
single_power_of_two(double p)
{
    typedef format<double> T;
    const double rounder = p + T::ROUNDER();
    const double power = single_exp2(p - (rounder - T::ROUNDER()));
    return normal_scaled(power, rounder);
}

/* log2(x) for a normal x, which is 2**(bias - BIAS) times too large, in two words, the
 * second of which may be 2**-14 of the first. Next to 1 the table has exact zeros, so that
 * the error is small beside the logarithm: 2**-66 of it. */
CUPRIC_MATH words<double>
log2_terms(double x, double bias)
{
    typedef format<double> T;
    typedef constants<double> K;
    typedef T::bits bits;
    /* rows have 2**45 numbers, and one has 1 in the middle */
    const bits u = bits_of(x), moved = u + (151ull << 44);
    const bits biased = moved >> T::FRACTION();
    const double k =
        from_bits(biased | bits_of(T::INTEGERS())) - (T::INTEGERS() + bias);
    const double m = from_bits(u - (biased << T::FRACTION()) + T::ONE());
    const table_logarithm c = unpacked(log2_row(moved >> 45 & 127));
    const double r = fused(m, c.inverse, -1.0);
    /* r - r**2 / 2 in two words, and times log2(e) */
    const double half = product(-0.5, r), most = fused(half, r, r);
    const double most_low = fused(half, r, r - most);
    const words<double> p = exact_product(most, K::LOG2_E());
    const double p_low =
        fused(most_low, K::LOG2_E(), fused(most, K::LOG2_E_LOW(), p.lo));
    const double rest = fused(product(product(r, r), r), log2_short(r), p_low);
    const words<double> whole = ordered_sum(k, c.hi), sum = ordered_sum(whole.hi, p.hi);
    return {sum.hi, rest + (sum.lo + (whole.lo + c.lo))};
}

/* The same for positive, finite x. */
CUPRIC_MATH words<double>
log2_terms(double x)
{
    typedef format<double> T;
    const bool tiny = x < T::LEAST_NORMAL();
    return log2_terms(product(x, tiny ? T::LIFT() : 1.0),
                      tiny ? double(T::BIAS() + T::LIFTED()) : T::BIAS());
}

/* ---- logarithms of sums of powers ----------------------------------------------------- */

/* log(1 + x), or where BINARY log2(1 + x), in two words for 0 <= x <= 1, x = hi + lo. */
template <bool BINARY>
CUPRIC_MATH words<double>
log1p_of_fraction(words<double> x)
{
    typedef format<double> T;
    typedef constants<double> K;
    const T::bits row =
        bits_of(x.hi + rounders::BY_128()) - bits_of(rounders::BY_128());
    const T::bits i = row < 128 ? row : 128; /* of rare arguments x is anything */
    const table_logarithm c = unpacked(BINARY ? log2_1p_row(i) : log_row(i));
    const double one = i == 0 ? 0.0 : 1.0; /* a small x stays as it is */
    const words<double> whole = ordered_sum(one, x.hi);
    const double r = fused(whole.hi, c.inverse, -one);
    double low = product(whole.lo + x.lo, c.inverse);
    low = fused(-r, low, low);
    if constexpr (BINARY) {
        const words<double> p = exact_product(r, K::LOG2_E());
        const double tail = fused(log2_short(r), r, -0.5 * K::LOG2_E());
        const double rest = fused(r, fused(tail, r, K::LOG2_E_LOW()), p.lo);
        const words<double> sum = ordered_sum(c.hi, p.hi);
        return {sum.hi, sum.lo + (fused(low, K::LOG2_E(), rest) + c.lo)};
    } else {
        const double tail = product(r, fused(log_short(r), r, -0.5));
        const words<double> sum = ordered_sum(c.hi, r);
        return {sum.hi, sum.lo + (fused(r, tail, low) + c.lo)};
    }
}

/* log(1 + exp(d)), or where BINARY log2(1 + 2**d), for d = hi + lo <= 0; 2**more times as
 * large, which has to be a normal number. */
template <bool BINARY>
CUPRIC_MATH words<double>
log1p_of_power(words<double> d, int more)
{
    typedef constants<double> K;
    const double rounder =
        BINARY ? d.hi + rounders::BY_64() : fused(d.hi, K::LOG2_E(), rounders::BY_64());
    const double n = rounder - rounders::BY_64();
    double t;
    if constexpr (BINARY)
        t = (d.hi - n) + d.lo;
    else
        t = fused(n, -K::LN2_LOW(), fused(n, -K::LN2(), d.hi)) + d.lo;
    const words<double> power = table_power(rounder, more);
    const double part = fused(t, BINARY ? exp2_short(t) : exp_short(t), power.lo);
    const double hi = fused(power.hi, part, power.hi);
    return log1p_of_fraction<BINARY>(
        words<double>{hi, fused(power.hi, part, power.hi - hi)});
}

/* log(exp(a) + exp(b)) as the larger and log(1 + exp(-|a - b|)), or where BINARY
 * log2(2**a + 2**b) likewise. The difference is exact but where the larger is so large that
 * its error counts for a quarter of a unit at most. */
template <bool BINARY>
CUPRIC_MATH double
log_of_powers(double a, double b)
{
    const double larger = a > b ? a : b, smaller = a > b ? b : a;
    const words<double> d = ordered_sum(smaller, -larger);
    const double least = BINARY ? -1080 : -750;
    const double x = chosen(d.hi > least, d.hi, least);
    const double low = chosen(d.hi > least, d.lo, 0.0);
    const bool tiny = x < -640;
    const words<double> l =
        log1p_of_power<BINARY>(words<double>{x, low}, tiny ? 128 : 0);
    const double lifted = product(larger, tiny ? 0x1p128 : 1.0);
    const words<double> sum = exact_sum(lifted, l.hi);
    const double result = product(sum.hi + (sum.lo + l.lo), tiny ? 0x1p-128 : 1.0);
    const double finite = without_sign(lifted) < infinity<double>() ? result : larger;
    return a == a && b == b ? finite : a + b;
}

/* The same of floats in double, where d = smaller - larger is at least -160. */
template <bool BINARY>
CUPRIC_MATH float
single_log_of_powers(float a, float b, float larger, double d)
{
    typedef format<double> T;
    typedef constants<double> K;
    const double scale = BINARY ? 1.0 : K::LOG2_E();
    const double rounder = fused(d, scale, T::ROUNDER());
    const double power = single_exp2(fused(d, scale, T::ROUNDER() - rounder));
    const double e = normal_scaled(power, rounder);
    const double unit = BINARY ? product(e, K::LOG2_E()) : e;
    const float result =
        float(fused(unit, single_log1p_of_fraction(e), double(larger)));
    return BINARY ? chosen(a == b, a + 1.0f, result) : result; /* which is exact */
}

template <bool BINARY>
CUPRIC_MATH float
log_of_powers(float a, float b)
{
    const float larger = a > b ? a : b, smaller = a > b ? b : a;
    const double d = double(smaller) - double(larger), least = -160;
    const double x = chosen(d > least, d, least);
    const float result = single_log_of_powers<BINARY>(a, b, larger, x);
    return a == a && b == b ? result : a + b;
}

/* What is rare is a difference that is large or undefined. */
template <bool BINARY>
struct sum_of_powers {
    CUPRIC_MATH static judged<double> ordinary(double a, double b)
    {
        const double larger = a > b ? a : b, smaller = a > b ? b : a;
        const words<double> d = ordered_sum(smaller, -larger);
        const words<double> l = log1p_of_power<BINARY>(d, 0);
        const words<double> sum = exact_sum(larger, l.hi);
        return {sum.hi + (sum.lo + l.lo), rare_beyond(without_sign(d.hi), 640.0)};
    }

    CUPRIC_MATH static judged<float> ordinary(float a, float b)
    {
        const float larger = a > b ? a : b, smaller = a > b ? b : a;
        const double d = double(smaller) - double(larger);
        return {single_log_of_powers<BINARY>(a, b, larger, d),
                rare_beyond_of_float(without_sign(d), 160.0)};
    }

    template <class F>
    CUPRIC_MATH static F any(F a, F b)
    {
        return log_of_powers<BINARY>(a, b);
    }
};

template <class F>
CUPRIC_MATH F
logaddexp(F a, F b)
{
    return either_form<sum_of_powers<false>>(a, b);
}

template <class F>
CUPRIC_MATH F
logaddexp2(F a, F b)
{
    return either_form<sum_of_powers<true>>(a, b);
}

/* ---- powers --------------------------------------------------------------------------- */

/* y log2(x) in two words, and rounded. */
struct exponent_terms {
    words<double> p;
    double sum;
};

CUPRIC_MATH exponent_terms
times_logarithm(double y, words<double> l)
{
    const words<double> p = exact_product(y, l.hi);
    const double low = fused(y, l.lo, p.lo);
    return {{p.hi, low}, p.hi + low};
}

/* 2**t of the rest t = p - n, times the power of the table. */
CUPRIC_MATH double
times_power(words<double> power, double t)
{
    return fused(power.hi, fused(t, exp2_short(t), power.lo), power.hi);
}

/* clamped(), without selections: where a table is read at an index that was chosen, the
 * compiler reads it apart for each choice, and of one between constants, where y is the
 * same for all elements, it makes no vectors. */
template <class F>
CUPRIC_MATH F
limited(F x, F low, F high)
{
    return chosen(x < low, low, chosen(x > high, high, x));
}

/* 2**(y l) for any y, subnormal and infinite results, too. */
CUPRIC_MATH double
any_power_of_two(double y, words<double> l)
{
    const double most = 0x1p80; /* with which all but 1 overflow or underflow */
    const exponent_terms e = times_logarithm(limited(y, -most, most), l);
    const double bounded = limited(e.sum, -1080.0, 1025.0);
    const double rounder = bounded + rounders::BY_64();
    const double n = rounder - rounders::BY_64();
    const double t = bounded == e.sum ? (e.p.hi - n) + e.p.lo : 0;
    /* in two steps, also where that is subnormal or overflows */
    const bool tiny = bounded < -1020;
    const bool huge = bounded > 1020;
    const int more = tiny ? 64 : huge ? -64 : 0;
    const double result = times_power(table_power(rounder, more), t);
    return product(result, tiny ? 0x1p-64 : huge ? 0x1p64 : 1.0);
}

/* Of floats in double, which is exact enough without low words. */
CUPRIC_MATH double
single_log2_of(decomposed<float> d)
{
    const double f = double(d.f);
    return fused(f, single_log2(f), double(d.k));
}

CUPRIC_MATH double
log2_terms(float x)
{
    return single_log2_of(decompose(x));
}

CUPRIC_MATH float
any_power_of_two(float y, double l)
{
    const double p = product(double(limited(y, -0x1p100f, 0x1p100f)), l);
    return float(single_power_of_two(clamped(p, -160.0, 160.0)));
}

/* |x|**y with the sign of an odd power, and what is infinite, 0 or undefined. */
template <class F>
CUPRIC_MATH F
power_of_any(F x, F y, F result)
{
    typedef format<F> T;
    const F ax = without_sign(x), ay = without_sign(y);
    const bool infinite = ax == infinity<F>();
    const F of_zero = chosen(y < 0, infinity<F>(), F(0));
    const F of_infinity = chosen(y < 0, F(0), infinity<F>());
    result = chosen(ax == 0, of_zero, result);
    result = chosen(infinite, of_infinity, result);
    /* whole and odd exponents: what is larger than `even` is even */
    const F even = F(2) * T::INTEGERS(), bound = ay < even ? ay : even;
    const F half = F(0.5) * bound;
    const bool whole =
        ((bound + T::INTEGERS()) - T::INTEGERS() == bound) | (bound >= T::INTEGERS());
    const bool odd = whole & ((half + T::INTEGERS()) - T::INTEGERS() != half);
    const F sign = chosen(odd, from_bits(bits_of(x) & T::SIGN()), F(0));
    result = from_bits(bits_of(result) | bits_of(sign));
    const F of_negative = chosen(whole, result, nan<F>());
    result = chosen((x < 0) & !infinite, of_negative, result);
    result = chosen((x == x) & (y == y), result, x + y);
    return chosen((x == 1) | (y == 0), F(1), result);
}

/* 2**(y l), and what is rare: that it is hardly normal, or not. */
CUPRIC_MATH judged<double>
ordinary_power_of_two(double y, words<double> l)
{
    const exponent_terms e = times_logarithm(y, l);
    const double rounder = e.sum + rounders::BY_64();
    const double t = (e.p.hi - (rounder - rounders::BY_64())) + e.p.lo;
    return {times_power(table_power(rounder), t),
            rare_beyond(without_sign(e.sum), 1020.0)};
}

CUPRIC_MATH judged<float>
ordinary_power_of_two(float y, double l)
{
    const double p = product(double(y), l);
    return {float(single_power_of_two(p)),
            rare_beyond_of_float(without_sign(p), 1000.0)};
}

CUPRIC_MATH words<double>
log2_of_normal(double x)
{
    return log2_terms(x, format<double>::BIAS());
}

CUPRIC_MATH double
log2_of_normal(float x)
{
    return single_log2_of(decompose_normal(x, float(format<float>::BIAS())));
}

/* Of positive, normal numbers. */
struct power_of {
    template <class F>
    CUPRIC_MATH static judged<F> ordinary(F x, F y)
    {
        const judged<F> result = ordinary_power_of_two(y, log2_of_normal(x));
        return {result.value, result.rare | rare_logarithm(x)};
    }

    template <class F>
    CUPRIC_MATH static F any(F x, F y)
    {
        return power_of_any(x, y, any_power_of_two(y, log2_terms(without_sign(x))));
    }
};

/* A GPU has two branches, as it would be twice as long at a power of a negative number. */
template <class F>
CUPRIC_MATH F
pow(F x, F y)
{
#if defined(__CUDA_ARCH__)
    const auto l = log2_terms(without_sign(x));
    const judged<F> ordinary = ordinary_power_of_two(y, l);
    const bool rare = ordinary.rare & format<F>::SIGN();
    F result = ordinary.value;
    if (rare | !((x > 0) & (x < infinity<F>()))) {
        if (rare) result = any_power_of_two(y, l);
        result = power_of_any(x, y, result);
    }
    return result;
#else
    return power_of::any(x, y);
#endif
}

} /* namespace elementary */
CUPRIC_END

#endif
