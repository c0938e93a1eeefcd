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
    if (mod == 0) return with_sign(F(0), b);
    return ((b < 0) != (mod < 0)) ? mod + b : mod;
}

template <class F>
CUPRIC_HD inline F
float_divmod(F a, F b, F *mod)
{
    F rest = float_fmod(a, b);
    if (b == 0) {
        *mod = rest;
        return a / b;
    }
    F quotient = (a - rest) / b;
    if (rest != 0 && ((b < 0) != (rest < 0))) quotient -= F(1);
    *mod = adjusted_remainder(rest, b);
    if (quotient == 0) return with_sign(F(0), a / b);
    const F whole = float_floor(quotient);
    return quotient - whole > F(0.5) ? whole + F(1) : whole;
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

/* Integer quotient and remainder towards zero, defined for every pair. */
template <class T>
CUPRIC_HD inline T
integer_divide(T a, T b)
{
    if constexpr (is_signed_integer<T>::value) {
        const bool special = b == 0 || b == T(-1);
        const T quotient = T(a / (special ? T(1) : b));
        return b == 0 ? T(0) : special ? negative(a) : quotient;
    } else {
        return b == 0 ? T(0) : T(a / b);
    }
}

template <class T>
CUPRIC_HD inline T
integer_modulo(T a, T b)
{
    if constexpr (is_signed_integer<T>::value) {
        const bool special = b == 0 || b == T(-1);
        return T(special ? T(0) : T(a % (special ? T(1) : b)));
    } else {
        return b == 0 ? T(0) : T(a % b);
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
        return T(float_fmod(F(a), F(b)));
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
        const F rest = float_fmod(F(a), F(b));
        return T(F(b) == 0 ? rest : adjusted_remainder(rest, F(b)));
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
        if (F(b) == 0) return T(F(a) / F(b));
        F mod;
        return T(float_divmod(F(a), F(b), &mod));
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
        F mod;
        *quotient = T(float_divmod(F(a), F(b), &mod));
        *rest = T(mod);
    }
}

/* By squaring, wrapping; negative exponents give the truncated value: 0 but for a = 1
 * and a = -1 (Python's layer refuses them where NumPy does). */
template <class T>
CUPRIC_HD inline T
integer_power(T a, T b)
{
    typedef typename wrapping_type<T>::type W;
    if constexpr (is_signed_integer<T>::value) {
        if (b < 0) return a == 1 ? T(1) : a == -1 ? T((b & 1) ? -1 : 1) : T(0);
    }
    W base = W(a), result = 1;
    for (W n = W(b); n; n >>= 1) {
        if (n & 1) result *= base;
        base *= base;
    }
    return T(result);
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
