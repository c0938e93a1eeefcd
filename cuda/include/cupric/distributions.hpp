/* distributions.hpp: from random words to random numbers.
 *
 * Only + - * / and square roots, each correctly rounded on every device, and integer
 * operations: no function of a mathematical library, whose last bits differ. Compiled
 * without contraction to fused operations (-ffp-contract=off, -fmad=false) the CPU and
 * the GPU give the same bits. No branch depends on the data, so loops vectorise.
 *
 * For an element's words w (32 bits) or h:l (64 bits), see philox.hpp:
 *
 *   uniform [0, 1)   float32   (w >> 8) / 2**24            24 bits
 *                    float16   (w >> 21) / 2**11           11 bits
 *                    bfloat16  (w >> 24) / 2**8             8 bits
 *                    float64   ((h >> 5) 2**26 + (l >> 6)) / 2**53
 *   log-uniform      -log(u) of u in (0, 1]: ((w >> 1) + 1/2) / 2**31, or for float64
 *                    ((h >> 5) 2**26 + (l >> 6) + 1) / 2**53
 *   exponential      log-uniform, float16 and bfloat16 by way of float32
 *   normal           Box-Muller on two elements' words, 2p and 2p + 1: with R the square
 *                    root of twice the log-uniform of the first and A = 2 pi times the
 *                    second as a fraction, R cos(A) and R sin(A)
 *   integers         in [lo, lo + span): the high half of word * span, the word rejected
 *                    (next attempt) while the low half is below 2**32 % span. With
 *                    span > 2**32 of 64-bit words. (D. Lemire, "Fast random integer
 *                    generation in an interval", 2019.) Span 2**32 or 2**64: the word.
 */
#ifndef CUPRIC_DISTRIBUTIONS_HPP
#define CUPRIC_DISTRIBUTIONS_HPP

#include "cupric/philox.hpp"

CUPRIC_BEGIN

CUPRIC_HD inline float
root(float x)
{
#if defined(__CUDA_ARCH__) && !defined(CUPRIC_HOST)
    return __fsqrt_rn(x);
#else
    return __builtin_sqrtf(x);
#endif
}

/* Of 0 and of numbers from 2**-100 to 2**100. The GPU's own function branches for what
 * is out of such a range, and between branches the arithmetic of neighbouring elements
 * cannot be mixed; here a step of third order and one by the remainder follow the
 * approximation of the hardware, after which the root is correctly rounded (Markstein,
 * "Computation of elementary functions on the IBM RISC System/6000", 1990). */
CUPRIC_HD inline double
root(double x)
{
#if defined(__CUDA_ARCH__) && !defined(CUPRIC_HOST)
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = __fma_rn(-x, __dmul_rn(y, y), 1.0);
    y = __fma_rn(__fma_rn(e, 0.375, 0.5), __dmul_rn(y, e), y);
    const double g = __dmul_rn(x, y);
    const double r = __fma_rn(__fma_rn(-g, g, x), __dmul_rn(y, 0.5), g);
    return x > 0 ? r : x;
#else
    return __builtin_sqrt(x);
#endif
}

/* a / b, correctly rounded, for 1 <= b < 4 and a = 0 or from 2**-100 to 2**100; see root. */
CUPRIC_HD inline double
quotient(double a, double b)
{
#if defined(__CUDA_ARCH__) && !defined(CUPRIC_HOST)
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    double e = __fma_rn(-b, r, 1.0);
    r = __fma_rn(r, __fma_rn(e, e, e), r);
    e = __fma_rn(-b, r, 1.0);
    r = __fma_rn(r, e, r);
    const double q = __dmul_rn(a, r);
    return __fma_rn(__fma_rn(-b, q, a), r, q);
#else
    return a / b;
#endif
}

/* ---- uniform ----------------------------------------------------------------------- */

/* The `bits` leading bits of a word as a fraction; at most 24, so the float is exact. */
CUPRIC_HD inline float
fraction(unsigned int w, int bits)
{
    return (float)(int)(w >> (32 - bits)) * (1.0f / (float)(1 << bits));
}

CUPRIC_HD inline double
fraction(unsigned int high, unsigned int low)
{
    return ((double)(int)(high >> 5) * 67108864.0 + (double)(int)(low >> 6)) * 0x1p-53;
}

/* ---- logarithm ----------------------------------------------------------------------- */

/* log(u) for normal u > 0: u = m 2**e with m in [sqrt(1/2), sqrt(2)), and a polynomial
 * (Cephes logf) in m - 1. Within an ulp or two. */
CUPRIC_HD inline float
log_of(float u)
{
    const unsigned int t = bits_of(u) - 0x3f3504f3u + 0x3f800000u;
    const float e = (float)((int)(t >> 23) - 127);
    const float x = float_of((t & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    const float z = x * x;
    float p = 7.0376836292e-2f;
    p = p * x - 1.1514610310e-1f;
    p = p * x + 1.1676998740e-1f;
    p = p * x - 1.2420140846e-1f;
    p = p * x + 1.4249322787e-1f;
    p = p * x - 1.6668057665e-1f;
    p = p * x + 2.0000714765e-1f;
    p = p * x - 2.4999993993e-1f;
    p = p * x + 3.3333331174e-1f;
    p = p * x * z;
    p = p + e * -2.12194440e-4f;
    p = p - 0.5f * z;
    return (x + p) + e * 0.693359375f;
}

/* The same in double, with fdlibm's series in (m - 1) / (m + 1). */
CUPRIC_HD inline double
log_of(double u)
{
    const unsigned long long sqrt_half = 0x3fe6a09e667f3bcdull;
    const unsigned long long t = bits_of(u) - sqrt_half + 0x3ff0000000000000ull;
    /* The exponent as a double without a 64-bit conversion, which few CPUs have. */
    const double e = double_of(t >> 52 | 0x4330000000000000ull) - (0x1p52 + 1023.0);
    const double f = double_of((t & 0xfffffffffffffull) + sqrt_half) - 1.0;
    const double half_square = 0.5 * f * f;
    const double s = quotient(f, 2.0 + f);
    const double z = s * s, w = z * z;
    const double odd =
        z * (6.666666666666735130e-01 +
             w * (2.857142874366239149e-01 +
                  w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    const double even =
        w * (3.999999999940941908e-01 +
             w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    const double tail =
        s * (half_square + (odd + even)) + e * 1.90821492927058770002e-10;
    return ((tail - half_square) + f) + e * 6.93147180369123816490e-01;
}

CUPRIC_HD inline float
log_uniform(unsigned int w)
{
    return -log_of((float)(int)(w >> 1) * 0x1p-31f + 0x1p-32f);
}

CUPRIC_HD inline double
log_uniform(unsigned int high, unsigned int low)
{
    return -log_of(fraction(high, low) + 0x1p-53);
}

/* ---- sine and cosine ----------------------------------------------------------------- */

/* A word as an angle, a fraction of the full circle: its nearest quarter, and the rest in
 * units of 2**-32 of the circle, from -2**29 to 2**29. */
struct circle_place {
    unsigned int quarter;
    int rest;
};

CUPRIC_HD inline circle_place
place_on_circle(unsigned int w)
{
    const unsigned int quarter = (w + 0x20000000u) >> 30;
    return circle_place{quarter, (int)(w - (quarter << 30))};
}

/* Turn (cos y, sin y) by `quarter` right angles. */
CUPRIC_HD inline void
turn(unsigned int quarter, float c, float s, float *cosine, float *sine)
{
    const unsigned int swap = 0u - (quarter & 1u);
    const unsigned int x = bits_of(c), y = bits_of(s), both = (x ^ y) & swap;
    *cosine = float_of(x ^ both ^ ((quarter + 1u) & 2u) << 30);
    *sine = float_of(y ^ both ^ (quarter & 2u) << 30);
}

CUPRIC_HD inline void
turn(unsigned int quarter, double c, double s, double *cosine, double *sine)
{
    const unsigned long long k = quarter, swap = 0ull - (k & 1u);
    const unsigned long long x = bits_of(c), y = bits_of(s), both = (x ^ y) & swap;
    *cosine = double_of(x ^ both ^ ((k + 1u) & 2u) << 62);
    *sine = double_of(y ^ both ^ (k & 2u) << 62);
}

/* Cosine and sine of w / 2**32 of the full circle (polynomials: Cephes sinf, cosf). */
CUPRIC_HD inline void
circle(unsigned int w, float *cosine, float *sine)
{
    const circle_place place = place_on_circle(w);
    const float y = (float)place.rest * (3.14159265358979323846f * 0x1p-31f);
    const float z = y * y;
    const float s =
        ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * y + y;
    const float c = (((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z +
                      4.166664568298827e-2f) *
                         z * z -
                     0.5f * z) +
                    1.0f;
    turn(place.quarter, c, s, cosine, sine);
}

/* The same for the 64-bit fraction high:low (polynomials: fdlibm). */
CUPRIC_HD inline void
circle(unsigned int high, unsigned int low, double *cosine, double *sine)
{
    const circle_place place = place_on_circle(high);
    const double rest = (double)place.rest + (double)(int)(low >> 1) * 0x1p-31;
    const double y = rest * (3.14159265358979323846 * 0x1p-31);
    const double z = y * y;
    double s = 1.58969099521155010221e-10;
    s = s * z - 2.50507602534068634195e-08;
    s = s * z + 2.75573137070700676789e-06;
    s = s * z - 1.98412698298579493134e-04;
    s = s * z + 8.33333333332248946124e-03;
    s = s * z - 1.66666666666666324348e-01;
    s = s * z * y + y;
    double c = -1.13596475577881948265e-11;
    c = c * z + 2.08757232129817482790e-09;
    c = c * z - 2.75573143513906633035e-07;
    c = c * z + 2.48015872894767294178e-05;
    c = c * z - 1.38888888888741095749e-03;
    c = c * z + 4.16666666666666019037e-02;
    c = (c * z * z - 0.5 * z) + 1.0;
    turn(place.quarter, c, s, cosine, sine);
}

/* ---- normal ------------------------------------------------------------------------- */

/* Two independent standard normal numbers from two words. */
CUPRIC_HD inline void
normal_pair(unsigned int w0, unsigned int w1, float *z0, float *z1)
{
    const float radius = root(2.0f * log_uniform(w0));
    float cosine, sine;
    circle(w1, &cosine, &sine);
    *z0 = radius * cosine;
    *z1 = radius * sine;
}

/* … from a block: words 0 and 1 the radius, 2 and 3 the angle, low halves first. */
CUPRIC_HD inline void
normal_pair(unsigned int w0, unsigned int w1, unsigned int w2, unsigned int w3,
            double *z0, double *z1)
{
    const double radius = root(2.0 * log_uniform(w1, w0));
    double cosine, sine;
    circle(w3, w2, &cosine, &sine);
    *z0 = radius * cosine;
    *z1 = radius * sine;
}

/* ---- integers ----------------------------------------------------------------------- */

/* What of 2**32 (or 2**64) is left when it is dealt out in rounds of `span`. */
CUPRIC_HD inline unsigned int
rejected_below(unsigned int span)
{
    return span ? (0u - span) % span : 0u;
}

CUPRIC_HD inline unsigned long long
rejected_below(unsigned long long span)
{
    return span ? (0ull - span) % span : 0ull;
}

CUPRIC_HD inline unsigned long long
multiply_high(unsigned long long a, unsigned long long b)
{
#if defined(__CUDA_ARCH__) && !defined(CUPRIC_HOST)
    return __umul64hi(a, b);
#else
    const unsigned long long a0 = a & 0xffffffffu, a1 = a >> 32;
    const unsigned long long b0 = b & 0xffffffffu, b1 = b >> 32;
    const unsigned long long low = a0 * b0, mid = a1 * b0 + (low >> 32);
    const unsigned long long cross = a0 * b1 + (mid & 0xffffffffu);
    return a1 * b1 + (mid >> 32) + (cross >> 32);
#endif
}

/* Element j of [0, span), 0 < span < 2**32; `limit` is rejected_below(span). */
CUPRIC_HD inline unsigned int
random_below(unsigned long long key, unsigned long long counter, unsigned long long j,
             unsigned int span, unsigned int limit)
{
    for (unsigned int attempt = 0;; attempt++) {
        const philox_block block = random_block(key, counter, j / 4, attempt);
        const unsigned long long p = (unsigned long long)block.word[j % 4] * span;
        if ((unsigned int)p >= limit) return (unsigned int)(p >> 32);
    }
}

/* Element j of [0, span) for any span of 64 bits but 0. */
CUPRIC_HD inline unsigned long long
random_below(unsigned long long key, unsigned long long counter, unsigned long long j,
             unsigned long long span, unsigned long long limit)
{
    for (unsigned int attempt = 0;; attempt++) {
        const philox_block block = random_block(key, counter, j / 2, attempt);
        const int k = 2 * (int)(j % 2);
        const unsigned long long w =
            (unsigned long long)block.word[k + 1] << 32 | block.word[k];
        if (w * span >= limit) return multiply_high(w, span);
    }
}

CUPRIC_END

#endif
