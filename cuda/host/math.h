/* math.h: the mathematical functions of device code, without the C++ library's headers.
 *
 * The double versions are the C library's. The float versions are plain functions, as in
 * CUDA, so that a program's own templates of these names stand behind them. They are in a
 * namespace of their own. In a source that includes headers of others, of which some may
 * include <cmath>, they are that header's: there cannot be two of the same arguments.
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

#if defined(CUPRIC_STANDARD_HEADERS)
#include <cmath>
#include <cstdlib>
#else
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
#endif

namespace cupric_host {

template <class T, class R>
struct if_float {
};
template <class R>
struct if_float<float, R> {
    typedef R type;
};
template <bool, class R>
struct only_if {
};
template <class R>
struct only_if<true, R> {
    typedef R type;
};
template <class T>
struct is_integer {
    static constexpr bool value = __is_enum(T);
};
#define X(T)                                                                           \
    template <>                                                                        \
    struct is_integer<T> {                                                             \
        static constexpr bool value = true;                                            \
    };
X(bool)
X(char)
X(signed char)
X(unsigned char)
X(short)
X(unsigned short)
X(int)
X(unsigned int)
X(long)
X(unsigned long)
X(long long)
X(unsigned long long)
#undef X
/* Two types of which neither function has both, but for a float and an integer. */
template <class T, class U>
struct is_mixed {
    static constexpr bool value = is_integer<T>::value && is_integer<U>::value;
};
template <>
struct is_mixed<float, double> {
    static constexpr bool value = true;
};
template <>
struct is_mixed<double, float> {
    static constexpr bool value = true;
};

} // namespace cupric_host

namespace cupric_math {

#if defined(CUPRIC_STANDARD_HEADERS)
#define X(name) using std::name;
CUPRIC_MATH1(X)
CUPRIC_MATH2(X)
X(ldexp)
X(scalbn)
X(scalbln)
X(frexp)
X(modf)
X(ilogb)
X(lrint)
X(lround)
X(llrint)
X(llround)
X(fma)
X(remquo)
X(isnan)
X(isinf)
X(isfinite)
X(signbit)
X(abs)
#undef X
#else
#define X(name)                                                                        \
    inline float name(float x) { return __builtin_##name##f(x); }
CUPRIC_MATH1(X)
#undef X
#define X(name)                                                                        \
    inline float name(float x, float y) { return __builtin_##name##f(x, y); }
CUPRIC_MATH2(X)
#undef X
#define X(name, R, A)                                                                  \
    inline R name(float x, A) { return __builtin_##name##f(x, a); }
X(ldexp, float, int a)
X(scalbn, float, int a)
X(scalbln, float, long a)
X(frexp, float, int *a)
X(modf, float, float *a)
#undef X
#define X(name, R)                                                                     \
    inline R name(float x) { return __builtin_##name##f(x); }
X(ilogb, int)
X(lrint, long)
X(lround, long)
X(llrint, long long)
X(llround, long long)
#undef X
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline float remquo(float x, float y, int *q) { return __builtin_remquof(x, y, q); }

/* In C++ these take any real type; as macros of C they would swallow users' names. */
#define X(name)                                                                        \
    inline bool name(float x) { return __builtin_##name(x) != 0; }                     \
    inline bool name(double x) { return __builtin_##name(x) != 0; }
X(isnan)
X(isinf)
X(isfinite)
X(signbit)
#undef X

inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }
inline long abs(long x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }

/* Integers are taken as double, which C does and CUDA leaves to the caller; beside a float
 * they are float. */
#define X(name)                                                                        \
    template <class T>                                                                 \
    inline                                                                             \
        typename cupric_host::only_if<cupric_host::is_integer<T>::value, double>::type \
        name(T x)                                                                      \
    {                                                                                  \
        return ::name((double)x);                                                      \
    }
CUPRIC_MATH1(X)
#undef X
#define X(name)                                                                        \
    template <class T, class U>                                                        \
    inline typename cupric_host::only_if<cupric_host::is_mixed<T, U>::value,           \
                                         double>::type                                 \
    name(T x, U y)                                                                     \
    {                                                                                  \
        return ::name((double)x, (double)y);                                           \
    }
CUPRIC_MATH2(X)
#undef X
#endif

#define X(name)                                                                        \
    inline float name(float x) { return name##f(x); }
X(j0)
X(j1)
X(y0)
X(y1)
#undef X
inline float jn(int n, float x) { return jnf(n, x); }
inline float yn(int n, float x) { return ynf(n, x); }

} // namespace cupric_math

using namespace cupric_math;

#include "math_macros.h"
#endif
