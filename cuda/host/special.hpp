/* special.hpp: functions of CUDA's mathematical library that C's does not have, beside the
 * shorter ones of intrinsics.hpp.
 */
#ifndef CUPRIC_HOST_SPECIAL_HPP
#define CUPRIC_HOST_SPECIAL_HPP

extern "C" {
double nan(const char *) noexcept;
float nanf(const char *) noexcept;
}

namespace cupric_math {

/* The modified Bessel functions of order 0 and 1. Up to 25 the power series, whose terms
 * all have one sign; above, the asymptotic series, the least term of which is then below
 * the last digit: exp(x) / sqrt(2 pi x) * (1 - (m - 1) / (8 x) + …), m = 4 order**2. */
template <int ORDER>
inline double bessel_i(double x)
{
    const double a = ::fabs(x);
    double sum = 1, term = 1;

    if (!(a < 1e300)) return ORDER && x < 0 ? -a : a;
    if (a < 25) {
        const double q = a * a / 4;
        for (int k = 1; term > sum * 1e-18; k++) {
            term *= q / ((double)k * (k + ORDER));
            sum += term;
        }
        if (ORDER) sum *= a / 2;
    } else {
        for (int k = 1; k < 60; k++) {
            const double odd = 2 * k - 1;
            const double next = term * (odd * odd - 4 * ORDER) / (8 * a * k);
            if (::fabs(next) >= ::fabs(term)) break;
            term = next;
            sum += term;
        }
        const double half = ::exp(a / 2);
        sum = half * (sum / ::sqrt(6.28318530717958647693 * a)) * half;
    }
    return ORDER && x < 0 ? -sum : sum;
}
inline double cyl_bessel_i0(double x) { return bessel_i<0>(x); }
inline double cyl_bessel_i1(double x) { return bessel_i<1>(x); }

/* The length of a vector of n elements, without overflow on the way. */
inline double norm(int n, const double *p)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        const double a = ::fabs(p[i]);
        if (a == __builtin_inf()) return a;
        largest = largest < a || a != a ? a : largest;
    }
    if (!(largest > 0)) return largest;
    for (int i = 0; i < n; i++) sum += (p[i] / largest) * (p[i] / largest);
    return largest * ::sqrt(sum);
}
inline double rnorm(int n, const double *p) { return 1 / norm(n, p); }
inline float normf(int n, const float *p)
{
    double sum = 0; /* squares of floats do not overflow here */
    for (int i = 0; i < n; i++) {
        if (::fabsf(p[i]) == __builtin_inff()) return __builtin_inff();
        sum += (double)p[i] * p[i];
    }
    return (float)::sqrt(sum);
}
inline float rnormf(int n, const float *p)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (::fabsf(p[i]) == __builtin_inff()) return 0;
        sum += (double)p[i] * p[i];
    }
    return (float)(1 / ::sqrt(sum));
}
inline float rnorm4df(float x, float y, float z, float w)
{
    const float p[4] = {x, y, z, w};
    return rnormf(4, p);
}

#define X(name)                                                                        \
    inline float name##f(float x) { return (float)name((double)x); }                   \
    template <class T>                                                                 \
    inline typename if_float<T, float>::type name(T x)                                 \
    {                                                                                  \
        return name##f(x);                                                             \
    }
X(cyl_bessel_i0)
X(cyl_bessel_i1)
#undef X

inline long long llmin(long long a, long long b) { return a < b ? a : b; }
inline long long llmax(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return a < b ? b : a;
}

} // namespace cupric_math

/* ---- integers ---------------------------------------------------------------------- */

static inline unsigned __uhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y) >> 1);
}
static inline unsigned __urhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}
/* The shift saturates at 32, where the plain ones wrap. */
static inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
static inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}
/* The position of the n-th bit that is set, counted upwards from `base` (downwards if n is
 * negative); with n = 0, `base` if its bit is set. */
static inline unsigned __fns(unsigned mask, unsigned base, int n)
{
    const int step = n < 0 ? -1 : 1;
    int left = n < 0 ? -n : n;

    if (n == 0) return mask >> (base & 31) & 1 ? base : ~0u;
    for (int at = (int)base; at >= 0 && at < 32; at += step) {
        if (mask >> at & 1 && --left == 0) return (unsigned)at;
    }
    return ~0u;
}
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 4; i++) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    return c;
}
static inline int __dp2a_lo(int a, int b, int c)
{
    return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8);
}
static inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 65535) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
static inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
static inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return __dp2a_lo(a, b >> 16, c);
}

#endif
