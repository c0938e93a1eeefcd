/* intrinsics.hpp: the arithmetic functions of device code that C does not have. */
#ifndef CUPRIC_HOST_INTRINSICS_HPP
#define CUPRIC_HOST_INTRINSICS_HPP

extern "C" {
double nan(const char *) noexcept;
float nanf(const char *) noexcept;
int printf(const char *, ...);
long clock(void) noexcept;
void *malloc(size_t) noexcept;
void free(void *) noexcept;
void *memcpy(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
double exp10(double) noexcept;
float exp10f(float) noexcept;
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;
}

namespace cupric_math {

/* ---- more of the mathematical library --------------------------------------------- */

template <class T>
inline typename cupric_host::if_float<T, float>::type exp10(T x)
{
    return exp10f(x);
}
template <class T>
inline typename cupric_host::if_float<T, void>::type sincos(T x, T *s, T *c)
{
    sincosf(x, s, c);
}

/* ---- min and max, of every pair that CUDA has -------------------------------------- */

#define X(A, B, R)                                                                     \
    inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                       \
    inline R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
X(int, int, int)
X(unsigned, unsigned, unsigned)
X(int, unsigned, unsigned)
X(unsigned, int, unsigned)
X(long, long, long)
X(unsigned long, unsigned long, unsigned long)
X(long, unsigned long, unsigned long)
X(unsigned long, long, unsigned long)
X(long long, long long, long long)
X(unsigned long long, unsigned long long, unsigned long long)
X(long long, unsigned long long, unsigned long long)
X(unsigned long long, long long, unsigned long long)
#undef X
/* NaN loses, as in fmin and fmax */
#define X(A, B, R, f)                                                                  \
    inline R min(A a, B b) { return __builtin_fmin##f(a, b); }                         \
    inline R max(A a, B b) { return __builtin_fmax##f(a, b); }
X(float, float, float, f)
X(double, double, double, )
X(float, double, double, )
X(double, float, double, )
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

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
static inline unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    const unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        r |= (unsigned)(both >> (8 * (s >> (4 * i) & 7)) & 0xff) << (8 * i);
    return r;
}
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)((((unsigned long long)hi << 32 | lo) << (n & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
static inline int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
static inline unsigned __umulhi(unsigned x, unsigned y)
{
    return (unsigned)((unsigned long long)x * y >> 32);
}
static inline long long __mul64hi(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
static inline int __mul24(int x, int y)
{
    return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8));
}
static inline unsigned __umul24(unsigned x, unsigned y)
{
    return (x & 0xffffffu) * (y & 0xffffffu);
}
static inline unsigned __sad(int x, int y, unsigned z)
{
    return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
static inline unsigned __usad(unsigned x, unsigned y, unsigned z)
{
    return z + (x > y ? x - y : y - x);
}
static inline int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
static inline int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
static inline int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 4; i++)
        c += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
    return c;
}

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

/* ---- bits of floating-point numbers ------------------------------------------------ */

static inline int __float_as_int(float x) { return cupric_host::bits<int>(x); }
static inline unsigned __float_as_uint(float x)
{
    return cupric_host::bits<unsigned>(x);
}
static inline float __int_as_float(int x) { return cupric_host::bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return cupric_host::bits<float>(x); }
static inline long long __double_as_longlong(double x)
{
    return cupric_host::bits<long long>(x);
}
static inline double __longlong_as_double(long long x)
{
    return cupric_host::bits<double>(x);
}
static inline int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
static inline int __double2loint(double x) { return (int)__double_as_longlong(x); }
static inline double __hiloint2double(int hi, int lo)
{
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}

/* ---- conversion: out-of-range values saturate, as on the GPU ----------------------- */

namespace cupric_host {
/* A rounded number as To. NaN is 0, but 100…0 where either type has 64 bits. */
template <class To, class From>
inline To saturated(double x)
{
    constexpr bool is_signed = To(-1) < To(0);
    constexpr int nbits = sizeof(To) * 8;
    constexpr To highest = To(1ull << (nbits - 1));
    constexpr To least = is_signed ? highest : To(0), most = To(~least);
    const double limit = (double)(1ull << (nbits - 1)) * (is_signed ? 1 : 2);
    if (!(x == x)) return sizeof(To) == 8 || sizeof(From) == 8 ? highest : To(0);
    if (x >= limit) return most;
    return x < (double)least ? least : To(x);
}
inline double up(double x) { return ::ceil(x); }
inline double down(double x) { return ::floor(x); }
inline double near(double x) { return ::rint(x); }
inline double zero(double x) { return ::trunc(x); }
} // namespace cupric_host

#define X(from, F, to, T)                                                              \
    static inline T __##from##2##to##_rn(F x)                                          \
    {                                                                                  \
        return cupric_host::saturated<T, F>(cupric_host::near(x));                     \
    }                                                                                  \
    static inline T __##from##2##to##_rz(F x)                                          \
    {                                                                                  \
        return cupric_host::saturated<T, F>(cupric_host::zero(x));                     \
    }                                                                                  \
    static inline T __##from##2##to##_ru(F x)                                          \
    {                                                                                  \
        return cupric_host::saturated<T, F>(cupric_host::up(x));                       \
    }                                                                                  \
    static inline T __##from##2##to##_rd(F x)                                          \
    {                                                                                  \
        return cupric_host::saturated<T, F>(cupric_host::down(x));                     \
    }
X(float, float, int, int)
X(float, float, uint, unsigned)
X(float, float, ll, long long)
X(float, float, ull, unsigned long long)
X(double, double, int, int)
X(double, double, uint, unsigned)
X(double, double, ll, long long)
X(double, double, ull, unsigned long long)
#undef X
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __ll2float_rn(long long x) { return (float)x; }
static inline float __ull2float_rn(unsigned long long x) { return (float)x; }
static inline double __int2double_rn(int x) { return (double)x; }
static inline double __uint2double_rn(unsigned x) { return (double)x; }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline double __ull2double_rn(unsigned long long x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }

/* ---- arithmetic that the GPU does faster or in one rounding ------------------------ */

static inline float __fadd_rn(float x, float y) { return x + y; }
static inline float __fsub_rn(float x, float y) { return x - y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
static inline float __frcp_rn(float x) { return 1 / x; }
static inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
static inline float __frsqrt_rn(float x)
{
    return (float)(1 / __builtin_sqrt((double)x));
}
static inline float __fdividef(float x, float y) { return x / y; }
static inline double __dadd_rn(double x, double y) { return x + y; }
static inline double __dsub_rn(double x, double y) { return x - y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline double __ddiv_rn(double x, double y) { return x / y; }
static inline double __fma_rn(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
static inline double __drcp_rn(double x) { return 1 / x; }
static inline double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
/* The C library declares functions of these names, with C linkage. */
extern "C" {
inline float __expf(float x) noexcept { return __builtin_expf(x); }
inline float __exp10f(float x) noexcept { return exp10f(x); }
inline float __logf(float x) noexcept { return __builtin_logf(x); }
inline float __log2f(float x) noexcept { return __builtin_log2f(x); }
inline float __log10f(float x) noexcept { return __builtin_log10f(x); }
inline float __powf(float x, float y) noexcept { return __builtin_powf(x, y); }
inline float __sinf(float x) noexcept { return __builtin_sinf(x); }
inline float __cosf(float x) noexcept { return __builtin_cosf(x); }
inline float __tanf(float x) noexcept { return __builtin_tanf(x); }
inline float __tanhf(float x) noexcept { return __builtin_tanhf(x); }
inline void __sincosf(float x, float *s, float *c) noexcept { sincosf(x, s, c); }
}
static inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
static inline float fdividef(float x, float y) { return x / y; }
static inline float saturatef(float x) { return __saturatef(x); }
static inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }

/* ---- memory ------------------------------------------------------------------------ */

#include "cached.hpp"

static inline long long clock64()
{
#if defined(__x86_64__)
    return (long long)__builtin_ia32_rdtsc();
#else
    return clock();
#endif
}

#define assert(condition)                                                              \
    ((condition) ? (void)0 : cupric_host::assert_failed(#condition, __FILE__, __LINE__))
namespace cupric_host {
[[noreturn]] __attribute__((noinline, cold)) static void trap(const char *error,
                                                              const char *message)
{
    runtime->trap(error, message);
    __builtin_unreachable();
}
extern "C" int snprintf(char *, size_t, const char *, ...) noexcept;
[[noreturn]] __attribute__((noinline, cold, unused)) static void
assert_failed(const char *condition, const char *file, int line)
{
    char text[512];
    snprintf(text, sizeof text, "%s:%d: assertion `%s` failed", file, line, condition);
    trap("CUDA_ERROR_ASSERT: device-side assert triggered", text);
}
} // namespace cupric_host
[[noreturn]] static inline void __trap()
{
    cupric_host::trap("CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure",
                      "__trap()");
}
static inline void __brkpt() {}

#endif
