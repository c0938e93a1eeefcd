/* math.h: the mathematical functions of device code, without the C++ library's headers.
 *
 * The double versions are the C library's. The float versions are templates that take
 * float only, in a namespace of their own: so a source that includes the real <cmath> as
 * well finds no two functions of the same name and arguments.
 */
#ifndef CUPRIC_HOST_MATH_H
#define CUPRIC_HOST_MATH_H

/* clang-format off */
#define CUPRIC_MATH1(X)                                                                \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos)          \
    X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log)   \
    X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round) X(sin) X(sinh)     \
    X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define CUPRIC_MATH2(X)                                                                \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter)         \
    X(pow) X(remainder)
/* clang-format on */

extern "C" {
#define X(name)                                                                        \
    double name(double) noexcept;                                                      \
    float name##f(float) noexcept;
CUPRIC_MATH1(X)
#undef X
#define X(name)                                                                        \
    double name(double, double) noexcept;                                              \
    float name##f(float, float) noexcept;
CUPRIC_MATH2(X)
#undef X
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double scalbln(double, long) noexcept;
float scalblnf(float, long) noexcept;
double frexp(double, int *) noexcept;
float frexpf(float, int *) noexcept;
double modf(double, double *) noexcept;
float modff(float, float *) noexcept;
double lgamma_r(double, int *) noexcept;
float lgammaf_r(float, int *) noexcept;
double remquo(double, double, int *) noexcept;
float remquof(float, float, int *) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
long lrint(double) noexcept;
long lrintf(float) noexcept;
long lround(double) noexcept;
long lroundf(float) noexcept;
long long llrint(double) noexcept;
long long llrintf(float) noexcept;
long long llround(double) noexcept;
long long llroundf(float) noexcept;
double j0(double) noexcept;
double j1(double) noexcept;
double jn(int, double) noexcept;
double y0(double) noexcept;
double y1(double) noexcept;
double yn(int, double) noexcept;
float j0f(float) noexcept;
float j1f(float) noexcept;
float jnf(int, float) noexcept;
float y0f(float) noexcept;
float y1f(float) noexcept;
float ynf(int, float) noexcept;
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
}

namespace cupric_math {

template <class T, class R>
struct if_float {
};
template <class R>
struct if_float<float, R> {
    typedef R type;
};
template <class T>
struct is_real {
    static constexpr bool value = false;
};
template <>
struct is_real<float> {
    static constexpr bool value = true;
};
template <>
struct is_real<double> {
    static constexpr bool value = true;
};
template <bool, class R>
struct only_if {
};
template <class R>
struct only_if<true, R> {
    typedef R type;
};
template <class T>
struct is_long {
    static constexpr bool value = false;
};
template <>
struct is_long<long> {
    static constexpr bool value = true;
};
template <>
struct is_long<long long> {
    static constexpr bool value = true;
};

#define X(name)                                                                        \
    template <class T>                                                                 \
    inline typename if_float<T, float>::type name(T x)                                 \
    {                                                                                  \
        return __builtin_##name##f(x);                                                 \
    }
CUPRIC_MATH1(X)
#undef X
#define X(name)                                                                        \
    template <class T>                                                                 \
    inline typename if_float<T, float>::type name(T x, T y)                            \
    {                                                                                  \
        return __builtin_##name##f(x, y);                                              \
    }
CUPRIC_MATH2(X)
#undef X
#define X(name, R, A)                                                                  \
    template <class T>                                                                 \
    inline typename if_float<T, R>::type name(T x, A)                                  \
    {                                                                                  \
        return __builtin_##name##f(x, a);                                              \
    }
X(ldexp, float, int a)
X(scalbn, float, int a)
X(scalbln, float, long a)
X(frexp, float, int *a)
X(modf, float, float *a)
#undef X
#define X(name, R)                                                                     \
    template <class T>                                                                 \
    inline typename if_float<T, R>::type name(T x)                                     \
    {                                                                                  \
        return __builtin_##name##f(x);                                                 \
    }
X(ilogb, int)
X(lrint, long)
X(lround, long)
X(llrint, long long)
X(llround, long long)
#undef X
#define X(name)                                                                        \
    template <class T>                                                                 \
    inline typename if_float<T, float>::type name(T x)                                 \
    {                                                                                  \
        return name##f(x);                                                             \
    }
X(j0)
X(j1)
X(y0)
X(y1)
#undef X
template <class T>
inline typename if_float<T, float>::type jn(int n, T x)
{
    return jnf(n, x);
}
template <class T>
inline typename if_float<T, float>::type yn(int n, T x)
{
    return ynf(n, x);
}
template <class T>
inline typename if_float<T, float>::type fma(T x, T y, T z)
{
    return __builtin_fmaf(x, y, z);
}
template <class T>
inline typename if_float<T, float>::type remquo(T x, T y, int *q)
{
    return __builtin_remquof(x, y, q);
}

/* In C++ these take any real type; as macros of C they would swallow users' names. */
#define X(name)                                                                        \
    template <class T>                                                                 \
    inline typename only_if<is_real<T>::value, bool>::type name(T x)                   \
    {                                                                                  \
        return __builtin_##name(x) != 0;                                               \
    }
X(isnan)
X(isinf)
X(isfinite)
X(signbit)
#undef X

template <class T>
inline typename only_if<is_real<T>::value, T>::type abs(T x)
{
    return __builtin_fabs(x);
}
template <class T>
inline typename only_if<is_long<T>::value, T>::type abs(T x)
{
    return x < 0 ? -x : x;
}

} // namespace cupric_math

using namespace cupric_math;

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#endif
