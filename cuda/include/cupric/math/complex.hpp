/* math/complex.hpp: functions of complex numbers, with C99's branch cuts and special
 * values (Annex G): of complex<double> from complex_double.hpp, of complex<float> from
 * complex_single.hpp, and in the rare cases that it leaves out from there, too, rounded.
 */
#ifndef CUPRIC_MATH_COMPLEX_HPP
#define CUPRIC_MATH_COMPLEX_HPP

#include "cupric/math/complex_double.hpp"
#include "cupric/math/complex_single.hpp"

CUPRIC_BEGIN

/* The functions of one number that have rare cases, and whether complex<double>'s has a form
 * for batches, as complex<float>'s have. */
#define CUPRIC_COMPLEX_FUNCTIONS(X)                                                    \
    X(exp, false)                                                                      \
    X(exp2, false)                                                                     \
    X(expm1, true)                                                                     \
    X(log, false)                                                                      \
    X(log2, false)                                                                     \
    X(log10, false)                                                                    \
    X(log1p, true)                                                                     \
    X(sin, false)                                                                      \
    X(cos, false)                                                                      \
    X(tan, false)                                                                      \
    X(asin, false)                                                                     \
    X(acos, false)                                                                     \
    X(atan, false)                                                                     \
    X(sinh, false)                                                                     \
    X(cosh, false)                                                                     \
    X(tanh, false)                                                                     \
    X(asinh, false)                                                                    \
    X(acosh, false)                                                                    \
    X(atanh, false)

namespace in_double_apart {
#define CUPRIC_APART_1(name, batched)                                                  \
    CUPRIC_APART complex128 name(complex128 z)                                         \
    {                                                                                  \
        return in_double::name(z);                                                     \
    }
CUPRIC_COMPLEX_FUNCTIONS(CUPRIC_APART_1)
#undef CUPRIC_APART_1

CUPRIC_APART complex128
transcendental_power(complex128 a, complex128 b)
{
    return in_double::transcendental_power(a, b);
}
} /* namespace in_double_apart */

template <class V>
CUPRIC_MATH complex<V>
sqrt(const complex<V> z)
{
    if constexpr (is_same<V, float>::value)
        return complex<V>(complex_single::sqrt(z.re, z.im));
    else
        return in_double::sqrt(z);
}

#define CUPRIC_COMPLEX_1(name, batched)                                                \
    template <class V>                                                                 \
    CUPRIC_HD inline complex<V> name(const complex<V> z)                               \
    {                                                                                  \
        if constexpr (is_same<V, float>::value) {                                      \
            bool other;                                                                \
            const complex128 w = complex_single::name(z.re, z.im, &other);             \
            return complex<V>(other ? in_double_apart::name(z) : w);                   \
        } else {                                                                       \
            return in_double::name(z);                                                 \
        }                                                                              \
    }
CUPRIC_COMPLEX_FUNCTIONS(CUPRIC_COMPLEX_1)
#undef CUPRIC_COMPLEX_1

template <class V>
CUPRIC_HD inline complex<V>
power(const complex<V> a, const complex<V> b)
{
    complex128 w;
    if (in_double::algebraic_power(a, b, &w)) return complex<V>(w);
    if constexpr (is_same<V, float>::value) {
        bool other;
        w = complex_single::power(a, b, &other);
        return complex<V>(other ? in_double_apart::transcendental_power(a, b) : w);
    } else {
        return in_double::transcendental_power(a, b);
    }
}

template <class V>
CUPRIC_HD inline complex<V>
rint(const complex<V> z)
{
    return complex<V>(rint(z.re), rint(z.im));
}

/* ---- of batches ----------------------------------------------------------------------- */

/* expm1 and log1p of complex<double> once more, without branches, from functions that are
 * inlined: loops over them are vectors, as those over complex_single's. */
struct batched_double {
    CUPRIC_MATH static complex128 expm1(double x, double y, bool *other)
    {
        using namespace elementary;
        *other = !(without_sign(y) <= limit_of_small<double>());
        const double s = trigonometric_of_batched<SINE>(y * 0.5);
        const double cosine = trigonometric_of_batched<COSINE>(y);
        const double sine = trigonometric_of_batched<SINE>(y);
        const double less = elementary::expm1(x), imag = elementary::exp(x) * sine;
        return complex128(less * cosine - 2 * s * s, chosen(y == 0, y, imag));
    }

    CUPRIC_MATH static complex128 log1p(double x, double y, bool *other)
    {
        using namespace elementary;
        *other = false;
        const bool small = (without_sign(x) < 0.5) & (without_sign(y) < 0.5);
        const double near = 0.5 * elementary::log1p(x * (2 + x) + y * y);
        const double far = elementary::log(elementary::hypot(x + 1, y));
        return complex128(chosen(small, near, far), elementary::atan2(y, x + 1));
    }
};

template <class V>
struct in_batches {
    typedef batched_double type;
};
template <>
struct in_batches<float> {
    typedef complex_single type;
};

/* The result of a batch, or if `other` one that says so: to a GPU by what is beside it, to
 * the host by a number that no function returns. */
template <class V>
CUPRIC_MATH batched<complex<V>>
batched_result(const complex128 w, bool other)
{
#if defined(__CUDA_ARCH__)
    batched<complex<V>> result(complex<V>(V(w.re), V(w.im)));
    result.rare = other;
    return result;
#else
    const V mark = elementary::from_bits(elementary::format<V>::MARK());
    return complex<V>(elementary::chosen(other, mark, V(w.re)), V(w.im));
#endif
}

#define CUPRIC_COMPLEX_BATCHED(name, double_too)                                       \
    template <class V>                                                                 \
    CUPRIC_MATH batched<complex<V>> name(const batched<complex<V>> z)                  \
    {                                                                                  \
        if constexpr (double_too || is_same<V, float>::value) {                        \
            bool other;                                                                \
            const complex128 w =                                                       \
                in_batches<V>::type::name(z.value.re, z.value.im, &other);             \
            return batched_result<V>(w, other);                                        \
        } else {                                                                       \
            return name(z.value);                                                      \
        }                                                                              \
    }
CUPRIC_COMPLEX_FUNCTIONS(CUPRIC_COMPLEX_BATCHED)
#undef CUPRIC_COMPLEX_BATCHED
#undef CUPRIC_COMPLEX_FUNCTIONS

template <class V>
CUPRIC_HD inline complex<V>
sinc(const batched<complex<V>> z)
{
    return sinc(z.value);
}

CUPRIC_END

#endif
