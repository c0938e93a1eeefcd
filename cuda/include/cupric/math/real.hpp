/* math/real.hpp: functions of real numbers, for float and double from elementary.hpp or
 * the C library and for 16-bit floats by way of float.
 */
#ifndef CUPRIC_MATH_REAL_HPP
#define CUPRIC_MATH_REAL_HPP

#include "cupric/math/arithmetic.hpp"
#include "cupric/math/division.hpp"
#include "cupric/math/elementary.hpp"

CUPRIC_BEGIN

/* ---- the C library's ---------------------------------------------------------------- */

#define CUPRIC_REAL_1(name)                                                            \
    CUPRIC_HD inline float name(float a)                                               \
    {                                                                                  \
        return ::name##f(a);                                                           \
    }                                                                                  \
    CUPRIC_HD inline double name(double a)                                             \
    {                                                                                  \
        return ::name(a);                                                              \
    }                                                                                  \
    CUPRIC_HD inline half name(half a)                                                 \
    {                                                                                  \
        return half(::name##f(float(a)));                                              \
    }                                                                                  \
    CUPRIC_HD inline bfloat16 name(bfloat16 a)                                         \
    {                                                                                  \
        return bfloat16(::name##f(float(a)));                                          \
    }
CUPRIC_REAL_1(sqrt)
CUPRIC_REAL_1(rint)
#undef CUPRIC_REAL_1

/* ---- elementary.hpp's --------------------------------------------------------------- */

#define CUPRIC_ELEMENTARY(name)                                                        \
    CUPRIC_MATH float name(float a)                                                    \
    {                                                                                  \
        return elementary::name(a);                                                    \
    }                                                                                  \
    CUPRIC_MATH double name(double a)                                                  \
    {                                                                                  \
        return elementary::name(a);                                                    \
    }                                                                                  \
    CUPRIC_MATH half name(half a)                                                      \
    {                                                                                  \
        return half(elementary::name(float(a)));                                       \
    }                                                                                  \
    CUPRIC_MATH bfloat16 name(bfloat16 a)                                              \
    {                                                                                  \
        return bfloat16(elementary::name(float(a)));                                   \
    }

CUPRIC_ELEMENTARY(cbrt)
CUPRIC_ELEMENTARY(exp)
CUPRIC_ELEMENTARY(exp2)
CUPRIC_ELEMENTARY(expm1)
CUPRIC_ELEMENTARY(log)
CUPRIC_ELEMENTARY(log2)
CUPRIC_ELEMENTARY(log10)
CUPRIC_ELEMENTARY(log1p)
CUPRIC_ELEMENTARY(sin)
CUPRIC_ELEMENTARY(cos)
CUPRIC_ELEMENTARY(tan)
CUPRIC_ELEMENTARY(asin)
CUPRIC_ELEMENTARY(acos)
CUPRIC_ELEMENTARY(atan)
CUPRIC_ELEMENTARY(sinh)
CUPRIC_ELEMENTARY(cosh)
CUPRIC_ELEMENTARY(tanh)
CUPRIC_ELEMENTARY(asinh)
CUPRIC_ELEMENTARY(acosh)
CUPRIC_ELEMENTARY(atanh)
#undef CUPRIC_ELEMENTARY

/* Where CUPRIC_FMA_COPIES is defined, code for processors without fused multiply-add has a
 * copy for those that have it, from which the loader chooses: for reductions, which the
 * host compiles once. */
#if defined(CUPRIC_FMA_COPIES) && defined(__x86_64__) && defined(__GLIBC__) &&         \
    defined(__GNUC__) && !defined(__clang__)
#define CUPRIC_COPIED                                                                  \
    __attribute__((unused, noinline, target_clones("avx2,fma", "default"))) static
#else
#define CUPRIC_COPIED CUPRIC_MATH
#endif
#define CUPRIC_ELEMENTARY_2(name)                                                      \
    CUPRIC_COPIED float name(float a, float b)                                         \
    {                                                                                  \
        return elementary::name(a, b);                                                 \
    }                                                                                  \
    CUPRIC_COPIED double name(double a, double b)                                      \
    {                                                                                  \
        return elementary::name(a, b);                                                 \
    }                                                                                  \
    CUPRIC_MATH half name(half a, half b)                                              \
    {                                                                                  \
        return half(name(float(a), float(b)));                                         \
    }                                                                                  \
    CUPRIC_MATH bfloat16 name(bfloat16 a, bfloat16 b)                                  \
    {                                                                                  \
        return bfloat16(name(float(a), float(b)));                                     \
    }

CUPRIC_ELEMENTARY_2(atan2)
CUPRIC_ELEMENTARY_2(hypot)
CUPRIC_ELEMENTARY_2(logaddexp)
CUPRIC_ELEMENTARY_2(logaddexp2)
#undef CUPRIC_ELEMENTARY_2
#undef CUPRIC_COPIED

template <class F>
struct compute_type<batched<F>> {
    typedef F type;
};

/* Those with a branch for large arguments. */
#define CUPRIC_BATCHED(name, FUNCTION)                                                 \
    template <class F>                                                                 \
    CUPRIC_MATH F name(batched<F> a)                                                   \
    {                                                                                  \
        return elementary::trigonometric_of_batched<elementary::FUNCTION>(a.value);    \
    }
CUPRIC_BATCHED(sin, SINE)
CUPRIC_BATCHED(cos, COSINE)
CUPRIC_BATCHED(tan, TANGENT)
#undef CUPRIC_BATCHED

/* floor, ceil and trunc leave integers as they are. */
#define CUPRIC_ROUNDING(name)                                                          \
    template <class T>                                                                 \
    CUPRIC_HD inline T name(const T a)                                                 \
    {                                                                                  \
        if constexpr (is_integer<T>::value)                                            \
            return a;                                                                  \
        else if constexpr (is_same<T, double>::value)                                  \
            return ::name(a);                                                          \
        else                                                                           \
            return T(::name##f(float(a)));                                             \
    }
CUPRIC_ROUNDING(floor)
CUPRIC_ROUNDING(ceil)
CUPRIC_ROUNDING(trunc)
#undef CUPRIC_ROUNDING

/* The nearest multiple of 1 / scale; of a complex number, the parts by themselves. */
template <class A, class F>
CUPRIC_HD inline auto
round_to_fraction(const A a, const F scale)
{
    if constexpr (is_complex<A>::value) {
        return A(round_to_fraction(a.re, scale), round_to_fraction(a.im, scale));
    } else {
        return F(rint(F(convert<F>(a) * scale)) / scale);
    }
}

/* The nearest multiple of scale. */
template <class A, class F>
CUPRIC_HD inline auto
round_to_multiple(const A a, const F scale)
{
    if constexpr (is_complex<A>::value) {
        return A(round_to_multiple(a.re, scale), round_to_multiple(a.im, scale));
    } else {
        return F(rint(F(convert<F>(a) / scale)) * scale);
    }
}

template <class T>
CUPRIC_HD inline T
copysign(const T a, const T sign)
{
    if constexpr (is_short_float<T>::value) {
        /* The sign of a NaN, too, which a conversion would lose. */
        return T(with_sign(float(a), float_of((unsigned int)sign.bits << 16)));
    } else {
        return with_sign(a, sign);
    }
}

/* ---- parts ------------------------------------------------------------------------- */

/* The fraction; the whole part through *whole. Both have the sign of a. */
template <class T>
CUPRIC_HD inline T
modf(const T a, T *whole)
{
    *whole = trunc(a);
    if (is_inf(a)) return copysign(T(0.0f), a);
    return copysign(T(a - *whole), a);
}

/* The fraction in [0.5, 1); exponent 0 for 0, infinity and NaN. */
template <class T>
CUPRIC_HD inline T
frexp(const T a, int *exponent)
{
    *exponent = 0;
    if (!is_finite(a)) return a;
    if constexpr (is_same<T, double>::value)
        return ::frexp(a, exponent);
    else
        return T(::frexpf(float(a), exponent));
}

template <class T>
CUPRIC_HD inline T
ldexp(const T a, const long long exponent)
{
    /* far past every exponent, and for floats still a power that double holds */
    const long long limit = is_same<T, double>::value ? 100000 : 500;
    const long long n = exponent > limit    ? limit
                        : exponent < -limit ? -limit
                                            : exponent;
    if constexpr (is_same<T, double>::value)
        return ::ldexp(a, int(n));
    else
        return T((double)float(a) * double_of((unsigned long long)(n + 1023) << 52));
}

template <class T>
CUPRIC_HD inline T
nextafter(const T a, const T to)
{
    if constexpr (is_same<T, float>::value) {
        return ::nextafterf(a, to);
    } else if constexpr (is_same<T, double>::value) {
        return ::nextafter(a, to);
    } else {
        const float x = a, y = to;
        if (x != x || y != y) return T(x + y);
        if (x == y) return a;
        if (x == 0) return T::from_bits(y < 0 ? 0x8001 : 1);
        const bool outward = (x < y) == (x > 0);
        return T::from_bits((unsigned short)(outward ? a.bits + 1 : a.bits - 1));
    }
}

/* The distance to the next number of larger magnitude, with the sign of a. float16
 * measures upwards instead, as NumPy's does: positive, and halved at -2**n. */
template <class T>
CUPRIC_HD inline T
spacing(const T a)
{
    typedef typename compute_type<T>::type F;
    if (!is_finite(a)) return T(F(a) - F(a));
    if (F(a) == 0) return nextafter(T(0.0f), T(1.0f));
    T next;
    if constexpr (is_short_float<T>::value) {
        const bool inward = is_same<T, half>::value && sign_bit(a);
        next = T::from_bits((unsigned short)(inward ? a.bits - 1 : a.bits + 1));
    } else if constexpr (sizeof(T) == 4) {
        next = float_of(bits_of(a) + 1);
    } else {
        next = double_of(bits_of(a) + 1);
    }
    return T(F(next) - F(a));
}

/* ---- compositions ------------------------------------------------------------------ */

/* a**b for every type; complex numbers in math/complex.hpp. */
template <class T>
CUPRIC_MATH T
power(const T a, const T b)
{
    if constexpr (is_integer<T>::value) {
        return integer_power(a, b);
    } else {
        typedef typename compute_type<T>::type F;
        const F x = a, y = b;
        return T(elementary::chosen(y == 2, x * x, elementary::pow(x, y)));
    }
}

template <class T>
CUPRIC_HD inline T
degrees_to_radians(const T a)
{
    typedef typename compute_type<T>::type F;
    return T(F(a) * F(3.14159265358979323846 / 180.0));
}

template <class T>
CUPRIC_HD inline T
radians_to_degrees(const T a)
{
    typedef typename compute_type<T>::type F;
    return T(F(a) * F(180.0 / 3.14159265358979323846));
}

template <class T>
CUPRIC_HD inline auto
angle(const T a)
{
    if constexpr (is_complex<T>::value) {
        return atan2(a.im, a.re);
    } else if constexpr (is_same<T, bool>::value) {
        return T(0);
    } else {
        typedef typename compute_type<T>::type F;
        return T(is_nan(a) ? F(a) : sign_bit(a) ? F(3.14159265358979323846) : F(0));
    }
}

/* sin(pi a) / (pi a) */
template <class T>
CUPRIC_HD inline T
sinc(const T a)
{
    if constexpr (is_complex<T>::value) {
        typedef typename T::value_type V;
        if (a == T(0)) return T(1);
        const T x = a * T(V(3.14159265358979323846));
        return sin(x) / x;
    } else {
        typedef typename compute_type<T>::type F;
        const F x = F(3.14159265358979323846) * F(a);
        if constexpr (is_same<T, batched<F>>::value) {
            const F s = sin(T(x)), result = x == 0 ? F(1) : s / x;
            return bits_of(s) == elementary::format<F>::MARK ? s : result;
        } else {
            return T(x == 0 ? F(1) : sin(x) / x);
        }
    }
}

/* The sum of c[k] T_k(x / 2), highest degree first, with the constant term halved. */
CUPRIC_HD inline double
chebyshev(double x, const double *c, int n)
{
    double b0 = c[0], b1 = 0, b2 = 0;
    for (int k = 1; k < n; k++) {
        b2 = b1;
        b1 = b0;
        b0 = x * b1 - b2 + c[k];
    }
    return 0.5 * (b0 - b2);
}

/* The modified Bessel function of order 0: exp(|a|) times a series in |a| / 2 - 2 up to
 * 8, in 32 / |a| - 2 divided by the root of |a| above. Coefficients: Cephes. */
template <class T>
CUPRIC_HD inline T
i0(const T a)
{
    const double low[] = {
        -4.4153416464793395e-18, 3.3307945188222384e-17,  -2.431279846547955e-16,
        1.715391285555133e-15,   -1.1685332877993451e-14, 7.676185498604936e-14,
        -4.856446783111929e-13,  2.95505266312964e-12,    -1.726826291441556e-11,
        9.675809035373237e-11,   -5.189795601635263e-10,  2.6598237246823866e-09,
        -1.300025009986248e-08,  6.046995022541919e-08,   -2.670793853940612e-07,
        1.1173875391201037e-06,  -4.4167383584587505e-06, 1.6448448070728896e-05,
        -5.754195010082104e-05,  0.00018850288509584165,  -0.0005763755745385824,
        0.0016394756169413357,   -0.004324309995050576,   0.010546460394594998,
        -0.02373741480589947,    0.04930528423967071,     -0.09490109704804764,
        0.17162090152220877,     -0.3046826723431984,     0.6767952744094761,
    };
    const double high[] = {
        -7.233180487874754e-18,  -4.830504485944182e-18,  4.46562142029676e-17,
        3.461222867697461e-17,   -2.8276239805165836e-16, -3.425485619677219e-16,
        1.7725601330565263e-15,  3.8116806693526224e-15,  -9.554846698828307e-15,
        -4.150569347287222e-14,  1.54008621752141e-14,    3.8527783827421426e-13,
        7.180124451383666e-13,   -1.7941785315068062e-12, -1.3215811840447713e-11,
        -3.1499165279632416e-11, 1.1889147107846439e-11,  4.94060238822497e-10,
        3.3962320257083865e-09,  2.266668990498178e-08,   2.0489185894690638e-07,
        2.8913705208347567e-06,  6.889758346916825e-05,   0.0033691164782556943,
        0.8044904110141088,
    };
    const double x = magnitude(convert<double>(a));
    const double e = elementary::exp(x);
    if (x <= 8) return T(e * chebyshev(x / 2 - 2, low, 30));
    return T(e * chebyshev(32 / x - 2, high, 25) / ::sqrt(x));
}

CUPRIC_END

#endif
