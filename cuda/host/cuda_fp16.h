/* cuda_fp16.h: half, and half2 as a pair of them. Computed as float, rounded once. */
#ifndef CUPRIC_HOST_CUDA_FP16_H
#define CUPRIC_HOST_CUDA_FP16_H
#ifndef CUPRIC_SCAN

#include "cupric/device_types.hpp"

using cupric::half;
typedef half __half;
typedef half nv_half;
struct alignas(4) __half2 {
    half x, y;
};
typedef __half2 half2;

static inline half __float2half(float x) { return half(x); }
static inline half __float2half_rn(float x) { return half(x); }
static inline half __double2half(double x) { return half(x); }
static inline float __half2float(half x) { return float(x); }
static inline half __int2half_rn(int x) { return half((double)x); }
static inline half __uint2half_rn(unsigned x) { return half((double)x); }
static inline half __ll2half_rn(long long x) { return half((double)x); }
static inline int __half2int_rn(half x) { return (int)__builtin_rintf(float(x)); }
static inline int __half2int_rz(half x) { return (int)float(x); }
static inline unsigned __half2uint_rn(half x)
{
    return (unsigned)__builtin_rintf(float(x));
}
static inline unsigned short __half_as_ushort(half x) { return x.bits; }
static inline short __half_as_short(half x) { return (short)x.bits; }
static inline half __ushort_as_half(unsigned short x) { return half::from_bits(x); }
static inline half __short_as_half(short x)
{
    return half::from_bits((unsigned short)x);
}

static inline half __hadd(half a, half b) { return half(float(a) + float(b)); }
static inline half __hsub(half a, half b) { return half(float(a) - float(b)); }
static inline half __hmul(half a, half b) { return half(float(a) * float(b)); }
static inline half __hdiv(half a, half b) { return half(float(a) / float(b)); }
static inline half __hfma(half a, half b, half c)
{
    return half(__builtin_fma((double)float(a), (double)float(b), (double)float(c)));
}
static inline half __hneg(half a) { return half::from_bits(a.bits ^ 0x8000); }
static inline half __habs(half a) { return half::from_bits(a.bits & 0x7fff); }
static inline half __hmax(half a, half b)
{
    return half(__builtin_fmaxf(float(a), float(b)));
}
static inline half __hmin(half a, half b)
{
    return half(__builtin_fminf(float(a), float(b)));
}
static inline bool __heq(half a, half b) { return float(a) == float(b); }
static inline bool __hne(half a, half b) { return float(a) != float(b); }
static inline bool __hlt(half a, half b) { return float(a) < float(b); }
static inline bool __hle(half a, half b) { return float(a) <= float(b); }
static inline bool __hgt(half a, half b) { return float(a) > float(b); }
static inline bool __hge(half a, half b) { return float(a) >= float(b); }
static inline bool __hisnan(half a) { return (a.bits & 0x7fff) > 0x7c00; }
static inline int __hisinf(half a)
{
    return (a.bits & 0x7fff) != 0x7c00 ? 0 : a.bits & 0x8000 ? -1 : 1;
}
#define CUPRIC_HALF1(name, function)                                                   \
    static inline half h##name(half x) { return half(function(float(x))); }            \
    static inline half2 h2##name(half2 v) { return half2{h##name(v.x), h##name(v.y)}; }
CUPRIC_HALF1(sqrt, __builtin_sqrtf)
CUPRIC_HALF1(rsqrt, rsqrtf)
CUPRIC_HALF1(exp, __builtin_expf)
CUPRIC_HALF1(exp2, __builtin_exp2f)
CUPRIC_HALF1(exp10, exp10f)
CUPRIC_HALF1(log, __builtin_logf)
CUPRIC_HALF1(log2, __builtin_log2f)
CUPRIC_HALF1(log10, __builtin_log10f)
CUPRIC_HALF1(sin, __builtin_sinf)
CUPRIC_HALF1(cos, __builtin_cosf)
CUPRIC_HALF1(floor, __builtin_floorf)
CUPRIC_HALF1(ceil, __builtin_ceilf)
CUPRIC_HALF1(trunc, __builtin_truncf)
CUPRIC_HALF1(rint, __builtin_rintf)
CUPRIC_HALF1(rcp, 1.0f /)
#undef CUPRIC_HALF1

static inline half2 __halves2half2(half a, half b) { return half2{a, b}; }
static inline half2 make_half2(half a, half b) { return half2{a, b}; }
static inline half2 __half2half2(half a) { return half2{a, a}; }
static inline half2 __float2half2_rn(float x) { return half2{half(x), half(x)}; }
static inline half2 __floats2half2_rn(float x, float y)
{
    return half2{half(x), half(y)};
}
static inline half2 __float22half2_rn(float2 v) { return half2{half(v.x), half(v.y)}; }
static inline float2 __half22float2(half2 v) { return float2{float(v.x), float(v.y)}; }
static inline half __low2half(half2 v) { return v.x; }
static inline half __high2half(half2 v) { return v.y; }
static inline float __low2float(half2 v) { return float(v.x); }
static inline float __high2float(half2 v) { return float(v.y); }
static inline half2 __hneg2(half2 v) { return half2{__hneg(v.x), __hneg(v.y)}; }
static inline half2 __habs2(half2 v) { return half2{__habs(v.x), __habs(v.y)}; }
#define CUPRIC_HALF2(name)                                                             \
    static inline half2 name##2(half2 a, half2 b)                                      \
    {                                                                                  \
        return half2{name(a.x, b.x), name(a.y, b.y)};                                  \
    }
CUPRIC_HALF2(__hadd)
CUPRIC_HALF2(__hsub)
CUPRIC_HALF2(__hmul)
CUPRIC_HALF2(__hmax)
CUPRIC_HALF2(__hmin)
#undef CUPRIC_HALF2
static inline half2 __h2div(half2 a, half2 b)
{
    return half2{__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
static inline half2 __hfma2(half2 a, half2 b, half2 c)
{
    return half2{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
static inline half2 operator+(half2 a, half2 b) { return __hadd2(a, b); }
static inline half2 operator-(half2 a, half2 b) { return __hsub2(a, b); }
static inline half2 operator*(half2 a, half2 b) { return __hmul2(a, b); }

#endif
#endif
