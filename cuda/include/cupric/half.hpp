/* half.hpp: the 16-bit floating-point types, half (IEEE binary16) and bfloat16.
 *
 * They store; arithmetic is float's. Both convert to float without loss and from float
 * and double rounding to nearest even, so `half z = x * y` computes in float and rounds
 * once. The conversions have no branches on the CPU, which lets the compiler vectorise.
 */
#ifndef CUPRIC_HALF_HPP
#define CUPRIC_HALF_HPP

#include "cupric/target.hpp"

CUPRIC_BEGIN

/* x as a float rounded to odd: inexact results get their last bit set, so that rounding
 * once more, to a type at least two bits shorter, is as if done from x. */
CUPRIC_HD inline float
float_to_odd(double x)
{
    const float f = (float)x;
    const double back = (double)f;
    unsigned int u = bits_of(f);
    /* away from zero (infinity included): step back, so that the result is truncated */
    u -= (back > x && x > 0) || (back < x && x < 0);
    u |= (back != x && x == x);
    return float_of(u);
}

CUPRIC_HD inline unsigned short
half_bits(float x)
{
#if defined(__CUDA_ARCH__)
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
#else
    const unsigned int all = bits_of(x), u = all & 0x7fffffffu;
    /* Adding 0.5 puts the units of a subnormal half in the float's last bits. */
    const unsigned int small = bits_of(float_of(u) + 0.5f) - 0x3f000000u;
    const unsigned int normal = (u - 0x38000000u + 0xfffu + ((u >> 13) & 1u)) >> 13;
    const unsigned int nan = 0x7e00u | ((u >> 13) & 0x3ffu);
    unsigned int h = u < 0x38800000u ? small : normal;
    h = u >= 0x47800000u ? 0x7c00u : h; /* 65536 and above, infinity */
    h = u > 0x7f800000u ? nan : h;
    return (unsigned short)(h | (all >> 16 & 0x8000u));
#endif
}

CUPRIC_HD inline unsigned short
half_bits(double x)
{
#if defined(__CUDA_ARCH__)
    unsigned short h;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(x));
    return h;
#else
    return half_bits(float_to_odd(x));
#endif
}

CUPRIC_HD inline float
half_value(unsigned short h)
{
#if defined(__CUDA_ARCH__)
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
#else
    /* As a float the shifted bits are 2**112 too small; the product is exact. */
    const unsigned int u = (h & 0x7fffu) << 13;
    unsigned int f = bits_of(float_of(u) * 0x1p112f);
    f |= u >= 0x0f800000u ? 0x7f800000u : 0u;
    return float_of(f | (unsigned int)(h & 0x8000u) << 16);
#endif
}

CUPRIC_HD inline unsigned short
bfloat16_bits(float x)
{
    const unsigned int u = bits_of(x);
    const unsigned int rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    return (unsigned short)(x != x ? (u >> 16 | 0x40u) : rounded);
}

CUPRIC_HD inline float
bfloat16_value(unsigned short h)
{
    return float_of((unsigned int)h << 16);
}

#define CUPRIC_SHORT_FLOAT(type, to_bits, to_value)                                    \
    struct type {                                                                      \
        unsigned short bits;                                                           \
                                                                                       \
        type() = default;                                                              \
        CUPRIC_HD type(float x) : bits(to_bits(x)) {}                                  \
        CUPRIC_HD type(double x) : bits(to_bits##_double(x)) {}                        \
        CUPRIC_HD type(bool x) : bits(to_bits(x ? 1.0f : 0.0f)) {}                     \
        CUPRIC_HD type(signed char x) : bits(to_bits((float)x)) {}                     \
        CUPRIC_HD type(unsigned char x) : bits(to_bits((float)x)) {}                   \
        CUPRIC_HD type(short x) : bits(to_bits((float)x)) {}                           \
        CUPRIC_HD type(unsigned short x) : bits(to_bits((float)x)) {}                  \
        CUPRIC_HD type(int x) : bits(to_bits((float)x)) {}                             \
        CUPRIC_HD type(unsigned int x) : bits(to_bits((float)x)) {}                    \
        CUPRIC_HD type(long x) : bits(to_bits((float)x)) {}                            \
        CUPRIC_HD type(unsigned long x) : bits(to_bits((float)x)) {}                   \
        CUPRIC_HD type(long long x) : bits(to_bits((float)x)) {}                       \
        CUPRIC_HD type(unsigned long long x) : bits(to_bits((float)x)) {}              \
        CUPRIC_HD operator float() const { return to_value(bits); }                    \
                                                                                       \
        static CUPRIC_HD type from_bits(unsigned short b)                              \
        {                                                                              \
            type h;                                                                    \
            h.bits = b;                                                                \
            return h;                                                                  \
        }                                                                              \
        CUPRIC_HD type &operator+=(float x) { return *this = type(float(*this) + x); } \
        CUPRIC_HD type &operator-=(float x) { return *this = type(float(*this) - x); } \
        CUPRIC_HD type &operator*=(float x) { return *this = type(float(*this) * x); } \
        CUPRIC_HD type &operator/=(float x) { return *this = type(float(*this) / x); } \
    }

CUPRIC_HD inline unsigned short
half_bits_double(double x)
{
    return half_bits(x);
}

CUPRIC_HD inline unsigned short
bfloat16_bits_double(double x)
{
    return bfloat16_bits(float_to_odd(x));
}

CUPRIC_SHORT_FLOAT(half, half_bits, half_value);
CUPRIC_SHORT_FLOAT(bfloat16, bfloat16_bits, bfloat16_value);
#undef CUPRIC_SHORT_FLOAT

CUPRIC_END

#endif
