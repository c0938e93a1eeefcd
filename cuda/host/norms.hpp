/* norms.hpp: short functions of CUDA's mathematical library that C's does not have: lengths
 * of vectors and their reciprocals, roots' reciprocals, and sines and cosines of multiples
 * of pi. Those that need tables are in special.hpp.
 */
#ifndef CUPRIC_HOST_NORMS_HPP
#define CUPRIC_HOST_NORMS_HPP

namespace cupric_math {

inline double rsqrt(double x) { return 1 / ::sqrt(x); }
inline double rcbrt(double x) { return 1 / ::cbrt(x); }

/* ---- lengths ----------------------------------------------------------------------- */

} // namespace cupric_math

/* What is not CUDA's stays out of sight: a program may have these names. */
namespace cupric_host {

/* The length of a vector is scale * root. The scale is a power of two near the largest
 * element, so that no square overflows and none that counts underflows, and so that
 * 1 / length is right where the length itself overflows. An infinite element counts more
 * than a NaN. */
struct length {
    double root, scale;
    double value() const { return root * scale; }
    double reciprocal() const { return 1 / root / scale; }
};

inline length length_of(int n, const double *p)
{
    double largest = 0, sum = 0, lost = 0;
    int exponent;
    for (int i = 0; i < n; i++) {
        const double a = ::fabs(p[i]);
        if (a == __builtin_inf()) return {a, 1};
        largest = largest < a || a != a ? a : largest;
    }
    if (!(largest > 0)) return {largest, 1};
    ::frexp(largest, &exponent);
    exponent = exponent < -1021 ? -1021 : exponent > 1023 ? 1023 : exponent;
    const double scale = ::ldexp(1, exponent), by = ::ldexp(1, -exponent);
    for (int i = 0; i < n; i++) {
        const double x = p[i] * by, square = x * x, next = sum + square;
        const double more = next - sum; /* the sum's rounding, and the square's */
        lost += (sum - (next - more)) + (square - more) + __builtin_fma(x, x, -square);
        sum = next;
    }
    return {::sqrt(sum + lost), scale};
}

} // namespace cupric_host

namespace cupric_math {

inline double norm(int n, const double *p)
{
    return cupric_host::length_of(n, p).value();
}
inline double rnorm(int n, const double *p)
{
    return cupric_host::length_of(n, p).reciprocal();
}
inline double rhypot(double x, double y)
{
    const double p[2] = {x, y};
    return rnorm(2, p);
}
inline double norm3d(double x, double y, double z)
{
    const double p[3] = {x, y, z};
    return norm(3, p);
}
inline double rnorm3d(double x, double y, double z)
{
    const double p[3] = {x, y, z};
    return rnorm(3, p);
}
inline double norm4d(double x, double y, double z, double w)
{
    const double p[4] = {x, y, z, w};
    return norm(4, p);
}
inline double rnorm4d(double x, double y, double z, double w)
{
    const double p[4] = {x, y, z, w};
    return rnorm(4, p);
}

} // namespace cupric_math

namespace cupric_host {

/* The square of a float's length, which does not overflow here. */
inline double square_length(int n, const float *p)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (::fabsf(p[i]) == __builtin_inff()) return __builtin_inf();
        sum += (double)p[i] * p[i];
    }
    return sum;
}

} // namespace cupric_host

namespace cupric_math {

inline float normf(int n, const float *p)
{
    return (float)::sqrt(cupric_host::square_length(n, p));
}
inline float rnormf(int n, const float *p)
{
    return (float)(1 / ::sqrt(cupric_host::square_length(n, p)));
}
inline float rhypotf(float x, float y)
{
    const float p[2] = {x, y};
    return rnormf(2, p);
}
inline float norm3df(float x, float y, float z)
{
    const float p[3] = {x, y, z};
    return normf(3, p);
}
inline float rnorm3df(float x, float y, float z)
{
    const float p[3] = {x, y, z};
    return rnormf(3, p);
}
inline float norm4df(float x, float y, float z, float w)
{
    const float p[4] = {x, y, z, w};
    return normf(4, p);
}
inline float rnorm4df(float x, float y, float z, float w)
{
    const float p[4] = {x, y, z, w};
    return rnormf(4, p);
}

/* ---- sines and cosines of pi x ----------------------------------------------------- */

} // namespace cupric_math

namespace cupric_host {

/* x less the nearest multiple of a half, exactly, and how many halves it is beyond an even
 * number. */
struct half_turns {
    double rest;
    int quarter;
};

inline half_turns half_turns_of(double x)
{
    const double r = ::fmod(x, 2.0), q = ::rint(2 * r);
    return {3.14159265358979323846 * (r - q / 2), (int)q & 3};
}

} // namespace cupric_host

namespace cupric_math {

/* sin(pi n) has the sign of n for an integer n, cos(pi (n + 1 / 2)) is 0.0. */
inline double sinpi(double x)
{
    const cupric_host::half_turns t = cupric_host::half_turns_of(x);
    if (t.rest == 0 && !(t.quarter & 1))
        return x < 0 || (x == 0 && 1 / x < 0) ? -0.0 : 0.0;
    const double y = t.quarter & 1 ? ::cos(t.rest) : ::sin(t.rest);
    return t.quarter & 2 ? -y : y;
}
inline double cospi(double x)
{
    const cupric_host::half_turns t = cupric_host::half_turns_of(::fabs(x));
    if (t.quarter & 1) {
        if (t.rest == 0) return 0;
        return t.quarter & 2 ? ::sin(t.rest) : -::sin(t.rest);
    }
    return t.quarter & 2 ? -::cos(t.rest) : ::cos(t.rest);
}

#define X(name)                                                                        \
    inline float name##f(float x) { return (float)name((double)x); }                   \
    template <class T>                                                                 \
    inline typename cupric_host::if_float<T, float>::type name(T x)                    \
    {                                                                                  \
        return name##f(x);                                                             \
    }
X(rsqrt)
X(rcbrt)
X(sinpi)
X(cospi)
#undef X
#define X(name)                                                                        \
    template <class T>                                                                 \
    inline typename cupric_host::if_float<T, float>::type name(T x, T y)               \
    {                                                                                  \
        return name##f(x, y);                                                          \
    }
X(rhypot)
#undef X
inline void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
template <class T>
inline typename cupric_host::if_float<T, void>::type sincospi(T x, T *s, T *c)
{
    sincospif(x, s, c);
}

} // namespace cupric_math

#endif
