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

/* Templates, so that a kernel compiles those that it calls, and no others. */
#define CUPRIC_ELEMENTARY(name)                                                        \
    template <class T, typename only_if<is_float<T>::value>::yes = 0>                  \
    CUPRIC_MATH T name(const T a)                                                      \
    {                                                                                  \
        return T(elementary::name(typename compute_type<T>::type(a)));                 \
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
    template <class F, typename only_if<is_long_float<F>::value>::yes = 0>             \
    CUPRIC_COPIED F name(const F a, const F b)                                         \
    {                                                                                  \
        return elementary::name(a, b);                                                 \
    }                                                                                  \
    template <class T, typename only_if<is_short_float<T>::value>::yes = 0>            \
    CUPRIC_MATH T name(const T a, const T b)                                           \
    {                                                                                  \
        return T(name(float(a), float(b)));                                            \
    }

CUPRIC_ELEMENTARY_2(atan2)
CUPRIC_ELEMENTARY_2(hypot)
CUPRIC_ELEMENTARY_2(logaddexp)
CUPRIC_ELEMENTARY_2(logaddexp2)
#undef CUPRIC_ELEMENTARY_2
#undef CUPRIC_COPIED

/* Those that have a form for ordinary arguments. What is judged is no number: of a row's
 * expression it has to be all. */
#define CUPRIC_BATCHED(name, FORM)                                                     \
    template <class F>                                                                 \
    CUPRIC_MATH elementary::judged<F> name(const batched<F> a)                         \
    {                                                                                  \
        return elementary::FORM::ordinary(a.value);                                    \
    }
CUPRIC_BATCHED(cbrt, cube_root)
CUPRIC_BATCHED(exp, power_of_base<0>)
CUPRIC_BATCHED(exp2, power_of_base<2>)
CUPRIC_BATCHED(expm1, exponential_less_1)
CUPRIC_BATCHED(log, log_to_base<0>)
CUPRIC_BATCHED(log2, log_to_base<2>)
CUPRIC_BATCHED(log10, log_to_base<10>)
CUPRIC_BATCHED(log1p, log_of_1p)
CUPRIC_BATCHED(atan, inverse_tangent)
CUPRIC_BATCHED(sinh, hyperbolic<true>)
CUPRIC_BATCHED(cosh, hyperbolic<false>)
CUPRIC_BATCHED(asinh, inverse_sinh)
CUPRIC_BATCHED(acosh, inverse_cosh)
CUPRIC_BATCHED(atanh, inverse_tanh)
#undef CUPRIC_BATCHED

#define CUPRIC_BATCHED_2(name, FORM)                                                   \
    template <class F>                                                                 \
    CUPRIC_MATH elementary::judged<F> name(const batched<F> a, const batched<F> b)     \
    {                                                                                  \
        return elementary::FORM::ordinary(a.value, b.value);                           \
    }
CUPRIC_BATCHED_2(atan2, angle_of_point)
CUPRIC_BATCHED_2(hypot, hypotenuse)
CUPRIC_BATCHED_2(logaddexp, sum_of_powers<false>)
CUPRIC_BATCHED_2(logaddexp2, sum_of_powers<true>)
#undef CUPRIC_BATCHED_2

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

/* 2**n, for -1022 <= n <= 1023. */
CUPRIC_HD inline double
double_power_of_two(const int n)
{
    return double_of((unsigned long long)(n + 1023) << 52);
}

/* The fraction in [0.5, 1); exponent 0 for 0, infinity and NaN. On the CPU by its bits,
 * without branches, so that loops over it are vectors; what is exact is the same however it
 * is computed. */
template <class T>
CUPRIC_HD inline T
frexp(const T a, int *exponent)
{
#if defined(__CUDA_ARCH__)
    *exponent = 0;
    if (!is_finite(a)) return a;
    if constexpr (is_same<T, double>::value)
        return ::frexp(a, exponent);
    else
        return T(::frexpf(float(a), exponent));
#else
    typedef typename compute_type<T>::type F;
    constexpr bool wide = sizeof(F) == 8;
    typedef decltype(bits_of(F(0))) U;
    constexpr int digits = wide ? 52 : 23, bias = wide ? 1022 : 126;
    constexpr U most = wide ? 0x7ff : 0xff, of_half = U(bias) << digits;
    const F x = F(a);
    /* subnormal numbers become normal ones */
    const bool small = (bits_of(x) >> digits & most) == 0;
    const F normal = small ? F(x * F(1ull << (digits + 2))) : x;
    const U bits = bits_of(normal), field = bits >> digits & most;
    const bool plain = field != most && field != 0;
    const F fraction = elementary::from_bits((bits & ~(most << digits)) | of_half);
    *exponent = plain ? int(field) - bias - (small ? digits + 2 : 0) : 0;
    return T(plain ? fraction : x);
#endif
}

/* a * 2**exponent, rounded once. */
template <class T, class I>
CUPRIC_HD inline T
ldexp(const T a, const I exponent)
{
    /* far past every exponent, and for floats still a power that double holds */
    constexpr I limit = is_same<T, double>::value ? 3000 : 500;
    int n = int(exponent > limit ? limit : exponent < -limit ? -limit : exponent);
    if constexpr (is_same<T, double>::value) {
#if defined(__CUDA_ARCH__)
        return ::ldexp(a, n);
#else
        /* In steps, as a power may be none that double holds. What is left after a step
         * down is so far down that whatever the step rounded is gone. */
        double x = a;
        for (int step = 0; step < 2; step++) {
            const int by = n > 1023 ? 1023 : n < -1022 ? -969 : 0;
            x *= double_power_of_two(by);
            n -= by;
        }
        return x * double_power_of_two(n > 1023 ? 1023 : n < -1022 ? -1022 : n);
#endif
    } else {
        return T((double)float(a) * double_power_of_two(n));
    }
}

/* By the bits, as numbers of one sign are in their order; a NaN is a + to. */
template <class T>
CUPRIC_HD inline T
nextafter(const T a, const T to)
{
    typedef typename compute_type<T>::type F;
    const F x = a, y = to;
    if constexpr (is_short_float<T>::value) {
        if (x != x || y != y) return T(x + y);
        if (x == y) return a;
        if (x == 0) return T::from_bits(y < 0 ? 0x8001 : 1);
        const bool outward = (x < y) == (x > 0);
        return T::from_bits((unsigned short)(outward ? a.bits + 1 : a.bits - 1));
    } else {
        typedef typename elementary::format<F>::bits U;
        const U bits = bits_of(x), sign = bits_of(y) & elementary::format<F>::SIGN();
        const U moved = (x < y) == (x > 0) ? bits + 1 : bits - 1;
        const F next = elementary::from_bits(x == 0 ? sign | 1 : moved);
        const F result = x == y ? y : next;
        return (x != x) | (y != y) ? x + y : result;
    }
}

template <class F>
CUPRIC_MATH F
nextafter(const batched<F> a, const batched<F> to)
{
    return nextafter(a.value, to.value);
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

template <class F>
CUPRIC_MATH F
spacing(const batched<F> a)
{
    return spacing(a.value);
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

template <class F>
CUPRIC_MATH elementary::judged<F>
power(const batched<F> a, const batched<F> b)
{
    const elementary::judged<F> p = elementary::power_of::ordinary(a.value, b.value);
    const F square = a.value * a.value;
    return {elementary::chosen(b.value == 2, square, p.value), p.rare};
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
        const F x = a;
        return T(is_nan(x) ? x : sign_bit(x) ? F(3.14159265358979323846) : F(0));
    }
}

/* sin(pi a) / (pi a) */
template <class T>
CUPRIC_MATH T
sinc(const T a)
{
    if constexpr (is_complex<T>::value) {
        typedef typename T::value_type V;
        if (a == T(0)) return T(1);
        const T x = a * T(V(3.14159265358979323846));
        return sin(x) / x;
    } else {
        typedef typename compute_type<T>::type F;
        return T(elementary::sinc(F(a)));
    }
}

/* The modified Bessel function of order 0. */
template <class T>
CUPRIC_MATH T
i0(const T a)
{
    typedef typename compute_type<T>::type F;
    return T(elementary::i0(F(a)));
}

CUPRIC_END

#endif
