/* math/division.hpp: quotients with remainder, integer powers, divisors.
 *
 * Integer division by zero gives 0, and the lowest number divided by -1 wraps. Floating
 * point follows Python: the remainder has the divisor's sign, and the quotient is exact
 * where it can be.
 */
#ifndef CUPRIC_MATH_DIVISION_HPP
#define CUPRIC_MATH_DIVISION_HPP

#include "cupric/math/arithmetic.hpp"

CUPRIC_BEGIN

CUPRIC_HD inline float
float_fmod(float a, float b)
{
    return ::fmodf(a, b);
}

CUPRIC_HD inline double
float_fmod(double a, double b)
{
    return ::fmod(a, b);
}

CUPRIC_HD inline float
float_floor(float a)
{
    return ::floorf(a);
}

CUPRIC_HD inline double
float_floor(double a)
{
    return ::floor(a);
}

CUPRIC_HD inline float
with_sign(float a, float sign)
{
    return float_of((bits_of(a) & 0x7fffffffu) | (bits_of(sign) & 0x80000000u));
}

CUPRIC_HD inline double
with_sign(double a, double sign)
{
    return double_of((bits_of(a) & 0x7fffffffffffffffull) |
                     (bits_of(sign) & 0x8000000000000000ull));
}

/* The remainder with the sign of b, from fmod's. */
template <class F>
CUPRIC_HD inline F
adjusted_remainder(F mod, F b)
{
    const F same_side = elementary::chosen((b < 0) != (mod < 0), mod + b, mod);
    return elementary::chosen(mod == 0, with_sign(F(0), b), same_side);
}

/* a / b rounded down, and the remainder, from fmod's. */
template <class F>
CUPRIC_HD inline F
float_floor_quotient(F a, F b, F rest)
{
    using elementary::chosen;
    const F exact = chosen(b == 0, a, a - rest) / b;
    const bool below = (rest != 0) & ((b < 0) != (rest < 0));
    const F quotient = chosen(below, exact - F(1), exact),
            whole = float_floor(quotient);
    const F nearest = chosen(quotient - whole > F(0.5), whole + F(1), whole);
    const F zero = elementary::from_bits((bits_of(a) ^ bits_of(b)) &
                                         elementary::format<F>::SIGN());
    return chosen(b == 0, exact, chosen(quotient == 0, zero, nearest));
}

template <class F>
CUPRIC_HD inline F
float_floor_rest(F b, F rest)
{
    return elementary::chosen(b == 0, rest, adjusted_remainder(rest, b));
}

#if defined(__CUDA_ARCH__)
/* About 1 / b and not more, for b that is not subnormal and not nearly infinite. */
CUPRIC_MATH float
reciprocal_below(float b)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return elementary::product(r, 1 - 0x1p-21f);
}

CUPRIC_MATH double
reciprocal_below(double b)
{
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b)); /* of 20 bits */
    return elementary::fused(elementary::fused(-b, r, 1 - 0x1p-36), r, r);
}

/* An integer that differs from a / b by less than 1, and the exact rest, where `found`.
 * That needs no quotient but an estimate, which errs by 2**-20 or, of doubles, 2**-35 of
 * itself. It is not above the quotient: from one less than 1/2 nothing is taken, as a rest
 * so close to the divisor might not be a number of the format. */
template <class F>
struct near_quotient {
    F whole, rest;
    bool found;
};

template <class F>
CUPRIC_MATH near_quotient<F>
near_quotient_of(F a, F b)
{
    typedef elementary::format<F> T;
    constexpr bool SINGLE = sizeof(F) == 4;
    const F estimate = elementary::product(a, reciprocal_below(b));
    const F whole = (estimate + T::ROUNDER()) - T::ROUNDER();
    const bool usual = elementary::without_sign(b) < F(SINGLE ? 0x1p120 : 0x1p1000);
    const bool small = elementary::without_sign(estimate) < F(SINGLE ? 0x1p18 : 0x1p33);
    return {whole, elementary::fused(-whole, b, a), usual && small};
}

template <class F>
CUPRIC_MATH bool
other_sign(F a, F b)
{
    return bits_of(a) >> (8 * sizeof(F) - 1) != bits_of(b) >> (8 * sizeof(F) - 1);
}
#endif

/* fmod without branches, by one division and an exact multiply-add; or the NaN that
 * batched<F> speaks of, where the quotient is not one of moderate size. */
template <class F>
CUPRIC_MATH F
quick_fmod(F a, F b)
{
    typedef elementary::format<F> T;
    const F x = elementary::without_sign(a), y = elementary::without_sign(b);
    const F quotient = x / y, nearest = (quotient + T::INTEGERS()) - T::INTEGERS();
    const F rest = elementary::fused(-nearest, y, x);
    const F positive = x < y ? x : rest < 0 ? rest + y : rest;
    const F result = elementary::times_sign(positive, a);
    return quotient < T::INTEGERS() / 4 ? result : elementary::from_bits(T::MARK());
}

/* fmod, and what Python's % and // are: on a GPU most warps need no exact quotient. */
template <class F>
CUPRIC_HD inline F
rest_of_division(F a, F b)
{
#if defined(__CUDA_ARCH__)
    const near_quotient<F> q = near_quotient_of(a, b);
    if (q.found) {
        const F other = q.rest + with_sign(b, a);
        const F same_side = other_sign(q.rest, a) ? other : q.rest;
        return q.rest == 0 ? with_sign(F(0), a) : same_side;
    }
#endif
    return float_fmod(a, b);
}

template <class F>
CUPRIC_HD inline void
float_divmod(F a, F b, F *quotient, F *rest)
{
#if defined(__CUDA_ARCH__)
    const near_quotient<F> q = near_quotient_of(a, b);
    if (q.found) {
        const bool below = (q.rest != 0) & other_sign(q.rest, b);
        const F whole = below ? q.whole - F(1) : q.whole;
        const F zero = elementary::from_bits((bits_of(a) ^ bits_of(b)) &
                                             elementary::format<F>::SIGN());
        *quotient = whole == 0 ? zero : whole;
        *rest = q.rest == 0 ? with_sign(F(0), b) : below ? q.rest + b : q.rest;
        return;
    }
#endif
    const F mod = float_fmod(a, b);
    *quotient = float_floor_quotient(a, b, mod);
    *rest = float_floor_rest(b, mod);
}

template <class F>
CUPRIC_HD inline F
float_remainder(F a, F b)
{
    F quotient, rest;
    float_divmod(a, b, &quotient, &rest);
    return rest;
}

template <class F>
CUPRIC_HD inline F
float_floor_divide(F a, F b)
{
    F quotient, rest;
    float_divmod(a, b, &quotient, &rest);
    return quotient;
}

template <class T>
CUPRIC_HD inline bool
signs_differ(T a, T b)
{
    if constexpr (is_signed_integer<T>::value)
        return (a < 0) != (b < 0);
    else
        return false;
}

/* a / b, b not 0, and not -1 where numbers are signed. CPUs divide vectors of floats only:
 * these are wide enough for a rounded quotient to be below the next integer if the exact one
 * is. */
template <class T>
CUPRIC_HD inline T
plain_quotient(T a, T b)
{
#if !defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) <= 2)
        return T((int)(float(a) / float(b)));
    else if constexpr (sizeof(T) == 4)
        return T(double(a) / double(b));
#endif
    return T(a / b);
}

/* Integer quotient and remainder towards zero, defined for every pair. */
template <class T>
CUPRIC_HD inline T
integer_divide(T a, T b)
{
    if constexpr (is_signed_integer<T>::value) {
        const bool special = (b == 0) | (b == T(-1));
        const T quotient = plain_quotient(a, special ? T(1) : b);
        return b == 0 ? T(0) : special ? negative(a) : quotient;
    } else {
        return b == 0 ? T(0) : plain_quotient(a, b == 0 ? T(1) : b);
    }
}

template <class T>
CUPRIC_HD inline T
integer_modulo(T a, T b)
{
    const T divisor = b == 0 || (is_signed_integer<T>::value && b == T(-1)) ? T(1) : b;
    if constexpr (sizeof(T) <= 4) {
        return subtract(a, multiply(plain_quotient(a, divisor), divisor));
    } else {
        return T(a % divisor);
    }
}

template <class T>
CUPRIC_HD inline T
fmod(const T a, const T b)
{
    if constexpr (is_integer<T>::value) {
        return integer_modulo(a, b);
    } else {
        typedef typename compute_type<T>::type F;
        return T(rest_of_division(F(a), F(b)));
    }
}

template <class T>
CUPRIC_HD inline T
remainder(const T a, const T b)
{
    if constexpr (is_integer<T>::value) {
        const T rest = integer_modulo(a, b);
        const bool other_side = signs_differ(rest, b);
        return T(rest + (((rest != 0) & other_side) ? b : T(0)));
    } else {
        typedef typename compute_type<T>::type F;
        return T(float_remainder(F(a), F(b)));
    }
}

template <class T>
CUPRIC_HD inline T
floor_divide(const T a, const T b)
{
    if constexpr (is_integer<T>::value) {
        const T quotient = integer_divide(a, b);
        /* no branches: whether a division is exact is not predictable */
        const bool inexact = (b != 0) & (multiply(quotient, b) != a);
        const bool negative = signs_differ(a, b);
        return T(quotient - (inexact & negative));
    } else {
        typedef typename compute_type<T>::type F;
        return T(float_floor_divide(F(a), F(b)));
    }
}

template <class T>
CUPRIC_HD inline void
divmod(const T a, const T b, T *quotient, T *rest)
{
    if constexpr (is_integer<T>::value) {
        *quotient = floor_divide(a, b);
        *rest = remainder(a, b);
    } else {
        typedef typename compute_type<T>::type F;
        F q, r;
        float_divmod(F(a), F(b), &q, &r);
        *quotient = T(q);
        *rest = T(r);
    }
}

/* Of numbers of a batch, where a quotient may be too large to be quick. */
template <class F>
CUPRIC_MATH F
fmod(const batched<F> a, const batched<F> b)
{
    return quick_fmod(a.value, b.value);
}

template <class F>
CUPRIC_MATH F
remainder(const batched<F> a, const batched<F> b)
{
    const F rest = quick_fmod(a.value, b.value),
            result = float_floor_rest(b.value, rest);
    const bool marked = bits_of(rest) == elementary::format<F>::MARK();
    return elementary::chosen(marked, rest, result);
}

template <class F>
CUPRIC_MATH F
floor_divide(const batched<F> a, const batched<F> b)
{
    const F rest = quick_fmod(a.value, b.value);
    const F result = float_floor_quotient(a.value, b.value, rest);
    const bool marked = bits_of(rest) == elementary::format<F>::MARK();
    return elementary::chosen(marked, rest, result);
}

template <class F>
CUPRIC_MATH void
divmod(const batched<F> a, const batched<F> b, batched<F> *quotient, batched<F> *rest)
{
    *quotient = floor_divide(a, b);
    *rest = remainder(a, b);
}

/* a**n, wrapping. On the CPU by as many steps as n may have bits, so that loops over it are
 * vectors, but for the widest. */
template <class T, class W>
CUPRIC_MATH W
power_by_squaring(W base, W n)
{
    W result = 1;
#if !defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) <= 4) {
#pragma GCC unroll 32
        for (unsigned k = 0; k < 8 * sizeof(T); k++) {
            /* no selection: for 32 of them GCC 13 does not come to an end */
            const W mask = W(0) - (n >> k & 1);
            result *= W(1) ^ ((base ^ W(1)) & mask);
            base *= base;
        }
        return result;
    }
#endif
    for (; n; n >>= 1) {
        if (n & 1) result *= base;
        base *= base;
    }
    return result;
}

/* Negative exponents give the truncated value: 0 but for a = 1 and a = -1 (Python's layer
 * refuses them where NumPy does). */
template <class T>
CUPRIC_MATH T
integer_power(T a, T b)
{
    typedef typename wrapping_type<T>::type W;
    if constexpr (is_signed_integer<T>::value) {
        const T result = T(power_by_squaring<T>(W(a), W(b < 0 ? T(0) : b)));
        const T inverse = a == 1 ? T(1) : a == -1 ? T((b & 1) ? -1 : 1) : T(0);
        return b < 0 ? inverse : result;
    } else {
        return T(power_by_squaring<T>(W(a), W(b)));
    }
}

/* Of the absolute values. */
template <class T>
CUPRIC_HD inline T
gcd(const T a, const T b)
{
    typedef typename wrapping_type<T>::type W;
    W x = W(absolute(a)), y = W(absolute(b));
    if constexpr (is_signed_integer<T>::value && sizeof(T) < 4) {
        x &= (1u << 8 * sizeof(T)) - 1; /* |-128| is stored as -128 */
        y &= (1u << 8 * sizeof(T)) - 1;
    }
    while (y != 0) {
        const W rest = x % y;
        x = y;
        y = rest;
    }
    return T(x);
}

template <class T>
CUPRIC_HD inline T
lcm(const T a, const T b)
{
    const T divisor = gcd(a, b);
    if (divisor == 0) return T(0);
    return multiply(integer_divide(absolute(a), divisor), absolute(b));
}

CUPRIC_END

#endif
