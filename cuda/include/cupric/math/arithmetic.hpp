/* math/arithmetic.hpp: what operations on plain numbers need: wrapping integer
 * arithmetic, comparison, choice, tests and bits, for every element type.
 *
 * Integers wrap. A 16-bit float is computed as float and rounded by the caller. Complex
 * numbers are ordered by real part, then by imaginary part, and a NaN in either part
 * makes the number NaN.
 */
#ifndef CUPRIC_MATH_ARITHMETIC_HPP
#define CUPRIC_MATH_ARITHMETIC_HPP

#include "cupric/math/elementary.hpp"
#include "cupric/types.hpp"

CUPRIC_BEGIN

template <class F>
struct compute_type<batched<F>> {
    typedef F type;
};
template <class F>
struct is_float<batched<F>> {
    enum : bool { value = is_float<F>::value };
};
template <class F>
struct is_complex<batched<F>> {
    enum : bool { value = is_complex<F>::value };
};

/* ---- sums and products ------------------------------------------------------------- */

template <class T>
CUPRIC_HD inline auto
add(const T a, const T b)
{
    if constexpr (is_same<T, bool>::value) {
        return bool(a | b);
    } else if constexpr (is_integer<T>::value) {
        typedef typename wrapping_type<T>::type W;
        return T(W(a) + W(b));
    } else {
        return a + b;
    }
}

template <class T>
CUPRIC_HD inline auto
subtract(const T a, const T b)
{
    if constexpr (is_integer<T>::value) {
        typedef typename wrapping_type<T>::type W;
        return T(W(a) - W(b));
    } else {
        return a - b;
    }
}

template <class T>
CUPRIC_HD inline auto
multiply(const T a, const T b)
{
    if constexpr (is_same<T, bool>::value) {
        return bool(a & b);
    } else if constexpr (is_integer<T>::value) {
        typedef typename wrapping_type<T>::type W;
        return T(W(a) * W(b));
    } else {
        return a * b;
    }
}

/* a / b in R: the quotient of integers is a double. */
template <class R, class T>
CUPRIC_HD inline auto
divide(const T a, const T b)
{
    if constexpr (is_integer<T>::value) {
        return R(a) / R(b);
    } else {
        return a / b;
    }
}

template <class T>
CUPRIC_HD inline auto
negative(const T a)
{
    if constexpr (is_integer<T>::value) {
        typedef typename wrapping_type<T>::type W;
        return T(W(0) - W(a));
#if !defined(__CUDA_ARCH__) /* as in absolute */
    } else if constexpr (is_short_float<T>::value) {
        T r = a;
        r.bits ^= 0x8000;
        return r;
#endif
    } else {
        return -a;
    }
}

/* ---- tests ------------------------------------------------------------------------- */

template <class T>
CUPRIC_HD inline bool
is_nan(const T a)
{
    if constexpr (is_complex<T>::value) {
        return (a.re != a.re) | (a.im != a.im);
    } else if constexpr (is_short_float<T>::value) {
        return float(a) != float(a);
    } else {
        return a != a;
    }
}

template <class T>
CUPRIC_HD inline bool
is_inf(const T a)
{
    if constexpr (is_complex<T>::value) {
        return is_inf(a.re) || is_inf(a.im);
    } else if constexpr (is_short_float<T>::value) {
        return is_inf(float(a));
    } else if constexpr (is_integer<T>::value) {
        return false;
    } else if constexpr (sizeof(T) == 4) {
        return (bits_of(a) & 0x7fffffffu) == 0x7f800000u;
    } else {
        return (bits_of(a) & 0x7fffffffffffffffull) == 0x7ff0000000000000ull;
    }
}

template <class T>
CUPRIC_HD inline bool
is_finite(const T a)
{
    if constexpr (is_complex<T>::value) {
        return is_finite(a.re) && is_finite(a.im);
    } else if constexpr (is_short_float<T>::value) {
        return is_finite(float(a));
    } else if constexpr (is_integer<T>::value) {
        return true;
    } else if constexpr (sizeof(T) == 4) {
        return (bits_of(a) & 0x7fffffffu) < 0x7f800000u;
    } else {
        return (bits_of(a) & 0x7fffffffffffffffull) < 0x7ff0000000000000ull;
    }
}

template <class T>
CUPRIC_HD inline bool
sign_bit(const T a)
{
    if constexpr (is_short_float<T>::value) {
        return a.bits >> 15;
    } else if constexpr (sizeof(T) == 4) {
        return bits_of(a) >> 31;
    } else {
        return bits_of(a) >> 63;
    }
}

template <class T>
CUPRIC_HD inline bool
truth(const T a)
{
    return convert<bool>(a);
}

/* ---- order ------------------------------------------------------------------------- */

template <class A, class B>
CUPRIC_HD inline bool
equal(const A a, const B b)
{
    if constexpr (is_integer<A>::value && !is_same<A, B>::value) {
        /* int64 and uint64: equal bits mean equal numbers only below 2**63 */
        return ((unsigned long long)a == (unsigned long long)b) &
               (!is_signed_integer<A>::value || a >= A(0)) &
               (!is_signed_integer<B>::value || b >= B(0));
    } else {
        return a == b;
    }
}

template <class A, class B>
CUPRIC_HD inline bool
less(const A a, const B b)
{
    if constexpr (is_complex<A>::value) {
        return ((a.re < b.re) & (a.im == a.im) & (b.im == b.im)) |
               ((a.re == b.re) & (a.im < b.im));
    } else if constexpr (is_integer<A>::value && !is_same<A, B>::value) {
        const bool below = (unsigned long long)a < (unsigned long long)b;
        if constexpr (is_signed_integer<A>::value)
            return (a < 0) | below;
        else
            return (b >= 0) & below;
    } else {
        return a < b;
    }
}

template <class A, class B>
CUPRIC_HD inline bool
less_equal(const A a, const B b)
{
    if constexpr (is_complex<A>::value) {
        return ((a.re < b.re) & (a.im == a.im) & (b.im == b.im)) |
               ((a.re == b.re) & (a.im <= b.im));
    } else if constexpr (is_integer<A>::value && !is_same<A, B>::value) {
        return !less(b, a);
    } else {
        return a <= b;
    }
}

/* Whether a comes before b; equal floats do not, which is one instruction less on the
 * CPU (max and min with equal operands give the second). */
template <class T>
CUPRIC_HD inline bool
precedes(const T a, const T b)
{
    if constexpr (is_float<T>::value && sizeof(T) >= 4)
        return a < b;
    else
        return less_equal(a, b);
}

/* The larger, the smaller; NaN if either is. Two selections become vectors inside other
 * functions, too, where one by two conditions does not (GCC 12). */
template <class T>
CUPRIC_HD inline T
maximum(const T a, const T b)
{
    if constexpr (is_same<T, bool>::value) {
        return a | b;
    } else {
        const T larger = precedes(b, a) ? a : b;
        return is_nan(a) ? a : larger;
    }
}

template <class T>
CUPRIC_HD inline T
minimum(const T a, const T b)
{
    if constexpr (is_same<T, bool>::value) {
        return a & b;
    } else {
        const T smaller = precedes(a, b) ? a : b;
        return is_nan(a) ? a : smaller;
    }
}

/* The larger, the smaller; the other one if one is NaN. */
template <class T>
CUPRIC_HD inline T
fmax(const T a, const T b)
{
    if constexpr (is_same<T, bool>::value)
        return a | b;
    else
        return precedes(b, a) || is_nan(b) ? a : b;
}

template <class T>
CUPRIC_HD inline T
fmin(const T a, const T b)
{
    if constexpr (is_same<T, bool>::value)
        return a & b;
    else
        return precedes(a, b) || is_nan(b) ? a : b;
}

template <class T>
CUPRIC_HD inline T
clip(const T a, const T low, const T high)
{
#if !defined(__CUDA_ARCH__)
    /* The same; of four selections in this order the compiler makes four instructions of
     * vectors, of maximum and minimum (GCC 12) twenty. */
    if constexpr (is_float<T>::value && sizeof(T) >= 4) {
        const T raised = low >= a ? low : a, least = is_nan(low) ? low : raised;
        const T lowered = high <= least ? high : least;
        return is_nan(high) ? high : lowered;
    }
#endif
    return minimum(maximum(a, low), high);
}

/* An element of a cross product. */
template <class T>
CUPRIC_HD inline auto
cross_term(const T a, const T b, const T c, const T d)
{
    return subtract(T(multiply(a, b)), T(multiply(c, d)));
}

template <class T>
CUPRIC_HD inline T
nan_to_num(const T a, const T nan, const T inf, const T minus_inf)
{
    if constexpr (is_complex<T>::value) {
        return T(nan_to_num(a.re, nan.re, inf.re, minus_inf.re),
                 nan_to_num(a.im, nan.re, inf.re, minus_inf.re));
    } else {
        if (is_nan(a)) return nan;
        if (is_inf(a)) return sign_bit(a) ? minus_inf : inf;
        return a;
    }
}

/* ---- sign and parts ---------------------------------------------------------------- */

template <class T>
CUPRIC_HD inline auto
real(const T a)
{
    if constexpr (is_complex<T>::value)
        return a.re;
    else
        return a;
}

template <class T>
CUPRIC_HD inline auto
imag(const T a)
{
    if constexpr (is_complex<T>::value)
        return a.im;
    else
        return T(0.0f);
}

template <class T>
CUPRIC_HD inline T
conj(const T a)
{
    if constexpr (is_complex<T>::value)
        return T(a.re, -a.im);
    else
        return a;
}

CUPRIC_HD inline float
magnitude(float a)
{
    return float_of(bits_of(a) & 0x7fffffffu);
}

CUPRIC_HD inline double
magnitude(double a)
{
    return double_of(bits_of(a) & 0x7fffffffffffffffull);
}

template <class T>
CUPRIC_HD inline auto
absolute(const T a)
{
    if constexpr (is_same<T, complex<float>>::value) {
        /* squares of floats neither overflow nor round in double */
        const double x = a.re, y = a.im;
        const float r = (float)::sqrt(x * x + y * y);
        return is_inf(a) ? float_of(0x7f800000u) : r;
    } else if constexpr (is_complex<T>::value) {
        return elementary::hypot(a.re, a.im);
    } else if constexpr (is_short_float<T>::value) {
#if defined(__CUDA_ARCH__)
        /* Not by its bits: ptxas 13.0 forgets and.b16, or and.b32 as well, for every other
         * one of numbers that it converts in pairs. */
        return T(magnitude(float(a)));
#else
        T r = a;
        r.bits &= 0x7fff;
        return r;
#endif
    } else if constexpr (is_float<T>::value) {
        return magnitude(a);
    } else if constexpr (is_signed_integer<T>::value) {
        return a < 0 ? negative(a) : a;
    } else {
        return a;
    }
}

/* Whether |d| is clearly within atol + rtol |b|, 1, or beyond it, 0; else -1. Of |z| the sum
 * of the parts' magnitudes is an upper bound, and a root of 2 less a lower one; what numbers
 * are rounded to makes less than the rest. A CPU takes square roots where that is needed. */
template <class D, class B>
CUPRIC_HD inline int
is_clearly_close(const D d, const B b, const double rtol, const double atol)
{
    constexpr double LEAST = 0.7071, ROOM = 1e-5;
    const double size = magnitude(double(b.re)) + magnitude(double(b.im));
    const double distance = magnitude(double(d.re)) + magnitude(double(d.im));
    const double low = LEAST * size * rtol + atol, high = size * rtol + atol;
    if (!(rtol >= 0) | !(atol >= 0) | !(low >= 1e-30) | !(high <= 1e30)) return -1;
    if (distance <= low * (1 - ROOM)) return 1;
    return distance * LEAST > high * (1 + ROOM) ? 0 : -1;
}

/* Whether a is within atol + rtol |b| of b: the distance is taken in A, which holds the
 * numbers of B, the limit in the real type of B. Integers are compared as double, whose
 * differences have signs, and by themselves. */
template <class A, class B, class R>
CUPRIC_HD inline bool
is_close(const A a, const B b, const R rtol, const R atol)
{
    if constexpr (is_integer<B>::value) {
        return is_close(double(a), double(b), rtol, atol) | equal(a, b);
    } else {
        const A to = convert<A>(b);
#if !defined(__CUDA_ARCH__)
        if constexpr (is_complex<B>::value) {
            const int clearly = is_clearly_close(A(subtract(a, to)), b, rtol, atol);
            if (clearly >= 0) return clearly;
        }
#endif
        const auto distance = absolute(A(subtract(a, to)));
        const R limit = R(R(absolute(b) * rtol) + atol);
        return ((distance <= convert<decltype(absolute(a))>(limit)) & is_finite(b)) |
               equal(a, to);
    }
}

template <class T>
CUPRIC_HD inline T
sign(const T a)
{
    if constexpr (is_complex<T>::value) {
        typedef typename T::value_type V;
        const V r = absolute(a);
        if (is_nan(r) || (is_inf(a.re) && is_inf(a.im))) return T(r - r, r - r);
        if (r == 0) return T(0, 0);
        if (!is_inf(r)) return T(a.re / r, a.im / r);
        return T(is_inf(a.re) ? (a.re < 0 ? V(-1) : V(1)) : V(0),
                 is_inf(a.im) ? (a.im < 0 ? V(-1) : V(1)) : V(0));
    } else if constexpr (is_float<T>::value) {
        return a > 0 ? T(1) : a < 0 ? T(-1) : a == 0 ? T(0) : a;
    } else if constexpr (is_signed_integer<T>::value) {
        return T((a > 0) - (a < 0));
    } else {
        return T(a != 0);
    }
}

template <class T>
CUPRIC_HD inline T
reciprocal(const T a)
{
    if constexpr (is_complex<T>::value) {
        typedef typename T::value_type V;
        if (magnitude(a.im) <= magnitude(a.re)) {
            const V ratio = a.im / a.re, d = a.re + a.im * ratio;
            return T(V(1) / d, -ratio / d);
        }
        const V ratio = a.re / a.im, d = a.re * ratio + a.im;
        return T(ratio / d, V(-1) / d);
    } else if constexpr (is_float<T>::value) {
        return T(1.0f / a);
    } else if constexpr (is_signed_integer<T>::value) {
        /* 1/0: NumPy converts infinity, which gives the lowest int or long */
        if (a == 0) return sizeof(T) < 4 ? T(0) : T(1ull << (8 * sizeof(T) - 1));
        return T(a == 1 ? 1 : a == -1 ? -1 : 0);
    } else {
        return T(a == 1);
    }
}

template <class T>
CUPRIC_HD inline T
heaviside(const T a, const T at_zero)
{
    return is_nan(a) ? a : a == 0 ? at_zero : a < 0 ? T(0.0f) : T(1.0f);
}

/* ---- bits -------------------------------------------------------------------------- */

template <class T>
CUPRIC_HD inline T
invert(const T a)
{
    if constexpr (is_same<T, bool>::value)
        return !a;
    else
        return T(~a);
}

/* Shifts by the width and more, and by negative numbers, shift everything out. */
template <class T>
CUPRIC_HD inline T
left_shift(const T a, const T b)
{
    typedef typename wrapping_type<T>::type W;
    const unsigned int bits = 8 * sizeof(T);
    return W(b) < bits ? T(W(a) << (W(b) & (8 * sizeof(W) - 1))) : T(0);
}

template <class T>
CUPRIC_HD inline T
right_shift(const T a, const T b)
{
    typedef typename wrapping_type<T>::type W;
    const unsigned int bits = 8 * sizeof(T);
    const W by = W(b) < bits ? W(b) : W(bits - 1);
    const T shifted = T(a >> by);
    if constexpr (is_signed_integer<T>::value)
        return shifted;
    else
        return W(b) < bits ? shifted : T(0);
}

/* The bytes of an unsigned integer in reverse order. */
template <class T>
CUPRIC_HD inline T
byteswap(const T a)
{
    T u = T((a & T(0x00ff00ff00ff00ffull)) << 8 | (a >> 8 & T(0x00ff00ff00ff00ffull)));
    if constexpr (sizeof(T) > 2) {
        constexpr T even = T(0x0000ffff0000ffffull);
        u = (u & even) << 16 | (u >> 16 & even);
    }
    if constexpr (sizeof(T) > 4) u = u << 32 | u >> 32;
    return u;
}

/* One bits in the absolute value. */
template <class T>
CUPRIC_HD inline unsigned char
bitwise_count(const T a)
{
    typedef typename wrapping_type<T>::type W;
    unsigned long long u;
    if constexpr (is_signed_integer<T>::value)
        u = a < 0 ? W(0) - W(a) : W(a);
    else
        u = a;
    u -= u >> 1 & 0x5555555555555555ull;
    u = (u & 0x3333333333333333ull) + (u >> 2 & 0x3333333333333333ull);
    u = (u + (u >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return (unsigned char)(u * 0x0101010101010101ull >> 56);
}

CUPRIC_END

#endif
