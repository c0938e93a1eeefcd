/* math/words.hpp: what elementary.hpp computes with: fused multiply-add, sums and products
 * whose rounding errors are kept, the parts of a number.
 *
 * A result is the same to the bit wherever it is computed: on a GPU, in a vector loop of
 * any instruction set or in scalar code. So there is nothing but IEEE 754's operations,
 * integers, selections and tables; what may be fused says so, and what must not be goes through
 * product(), as CUDA's compiler fuses where a user does not forbid it. Where the processor
 * has no fused multiply-add, the C library computes it.
 *
 * Reference: T. J. Dekker, "A floating-point technique for extending the available
 * precision" (1971); J.-M. Muller et al., "Handbook of Floating-Point Arithmetic" (2nd
 * edition, 2018), chapters 4 and 5.
 */
#ifndef CUPRIC_MATH_WORDS_HPP
#define CUPRIC_MATH_WORDS_HPP

#include "cupric/target.hpp"

/* Inlined without condition, as a loop with a call in it is not vectorised. */
#if defined(__CUDACC__)
#define CUPRIC_MATH CUPRIC_HD inline
#else
#define CUPRIC_MATH inline __attribute__((always_inline))
#endif
/* What is seldom needed, and would take registers from the rest. */
#define CUPRIC_APART __attribute__((noinline)) CUPRIC_HD inline

CUPRIC_BEGIN

namespace elementary {

CUPRIC_MATH float
fused(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

CUPRIC_MATH double
fused(double a, double b, double c)
{
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
}

/* a * b, which no compiler fuses with a sum. */
CUPRIC_MATH float
product(float a, float b)
{
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

CUPRIC_MATH double
product(double a, double b)
{
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

CUPRIC_MATH float
root(float a)
{
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(a);
#else
    return __builtin_sqrtf(a);
#endif
}

CUPRIC_MATH double
root(double a)
{
#if defined(__CUDA_ARCH__)
    return __dsqrt_rn(a);
#else
    return __builtin_sqrt(a);
#endif
}

CUPRIC_MATH float
quotient(float a, float b)
{
#if defined(__CUDA_ARCH__)
    return __fdiv_rn(a, b);
#else
    return a / b;
#endif
}

CUPRIC_MATH double
quotient(double a, double b)
{
#if defined(__CUDA_ARCH__)
    return __ddiv_rn(a, b);
#else
    return a / b;
#endif
}

/* 1 / a and sqrt(a) for a in [2**-100, 2**125], of double for a from 2**-1000 to 2**1000,
 * rounded to nearest as above, but without the branch that CUDA's have for what is smaller or
 * larger. By P. Markstein, "Computation of elementary functions on the IBM RISC System/6000
 * processor" (1990): a reciprocal that is off by less than a unit in the last place is
 * refined to the nearest number, unless it is below that of a number of ones only; so it is
 * rounded up. */
CUPRIC_MATH float
ordinary_reciprocal(float a)
{
#if defined(__CUDA_ARCH__)
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return fused(fused(-a, r, 1.0f), r, r);
#else
    return 1 / a;
#endif
}

CUPRIC_MATH double
ordinary_reciprocal(double a)
{
#if defined(__CUDA_ARCH__)
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
    const double error = fused(-a, r, 1.0);
    r = __fma_ru(fused(error, error, error), r, r);
    return fused(fused(-a, r, 1.0), r, r);
#else
    return 1 / a;
#endif
}

CUPRIC_MATH float
ordinary_root(float a)
{
#if defined(__CUDA_ARCH__)
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    const float s = product(a, r);
    return fused(fused(-s, s, a), product(r, 0.5f), s);
#else
    return __builtin_sqrtf(a);
#endif
}

CUPRIC_MATH double
ordinary_root(double a)
{
#if defined(__CUDA_ARCH__)
    double r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
    const double error = fused(-a, product(r, r), 1.0);
    r = fused(fused(error, 0.375, 0.5), product(r, error), r);
    const double s = product(a, r);
    const double half = double_of(bits_of(r) - (1ull << 52));
    return fused(fused(-s, s, a), half, s);
#else
    return __builtin_sqrt(a);
#endif
}

template <class F, int N>
struct coefficients {
    F at[N];
    CUPRIC_MATH F operator[](int k) const { return at[k]; }
};

/* The same in a GPU's constant memory, from where an instruction loads a double; a literal
 * takes two, and a compiler makes literals of what it can read. */
template <int N>
struct kept_coefficients {
    double at[N];
    CUPRIC_MATH double operator[](int k) const
    {
#if defined(__CUDA_ARCH__)
        double value;
        asm("ld.const.f64 %0, [%1];"
            : "=d"(value)
            : "l"(__cvta_generic_to_constant(at + k)));
        return value;
#else
        return at[k];
#endif
    }
};

#if defined(__CUDA_ARCH__)
#define CUPRIC_KEPT static __constant__
#else
#define CUPRIC_KEPT const
#endif

/* The polynomial of every STEP-th of the coefficients, the LAST being that of power 0. A
 * long one is two of x**2, even and odd powers, which a processor evaluates side by side:
 * log of 4 doubles takes 30 cycles of a Zen 3 instead of 38. */
template <int LAST, int STEP, class F, class C>
CUPRIC_MATH F
polynomial(F x, const C &c)
{
    constexpr int COUNT = LAST / STEP + 1, HIGHEST = LAST - (COUNT - 1) * STEP;
    if constexpr (COUNT > 10) {
        const F square = product(x, x);
        const F odd = polynomial<LAST - STEP, 2 * STEP>(square, c);
        const F even = polynomial<LAST, 2 * STEP>(square, c);
        return fused(odd, x, even);
    } else {
        F sum = c[HIGHEST];
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 10
#endif
        for (int k = HIGHEST + STEP; k <= LAST; k += STEP) sum = fused(sum, x, c[k]);
        return sum;
    }
}

/* The polynomial in x with these coefficients, that of the highest power first. */
template <class F, class... Rest>
CUPRIC_MATH F
horner(F x, F highest, Rest... rest)
{
    constexpr int N = 1 + int(sizeof...(Rest));
    const coefficients<F, N> c = {{highest, rest...}};
    return polynomial<N - 1, 1>(x, c);
}

/* hi + lo, where |lo| is of the size of hi's rounding error. */
template <class F>
struct words {
    F hi, lo;
};

/* a + b exactly; where |a| < |b|, a has to be 0. */
template <class F>
CUPRIC_MATH words<F>
ordered_sum(F a, F b)
{
    const F s = a + b;
    return {s, (a - s) + b};
}

/* a + b exactly. */
template <class F>
CUPRIC_MATH words<F>
exact_sum(F a, F b)
{
    const F s = a + b, part = s - a;
    return {s, (a - (s - part)) + (b - part)};
}

/* a * b exactly, but for underflow. */
template <class F>
CUPRIC_MATH words<F>
exact_product(F a, F b)
{
    const F p = product(a, b);
    return {p, fused(a, b, -p)};
}

/* The format of F. Constants are functions, or enumerators: a variable stands in every
 * module that NVRTC makes, with its name, used or not. */
template <class F>
struct format;

template <>
struct format<float> {
    typedef unsigned int bits;
    CUPRIC_MATH static constexpr int FRACTION() { return 23; }
    CUPRIC_MATH static constexpr int BIAS() { return 127; }
    CUPRIC_MATH static constexpr float LEAST_NORMAL() { return 0x1p-126f; }
    CUPRIC_MATH static constexpr float LARGEST() { return 0x1.fffffep127f; }
    /* makes subnormal numbers normal */
    CUPRIC_MATH static constexpr float LIFT() { return 0x1p24f; }
    CUPRIC_MATH static constexpr int LIFTED() { return 24; }
    /* numbers added to it lose fractions */
    CUPRIC_MATH static constexpr float ROUNDER() { return 0x1.8p23f; }
    /* whose last bit is worth 1 */
    CUPRIC_MATH static constexpr float INTEGERS() { return 0x1p23f; }
    /* sqrt(1/2) or hardly less: a sum with it wants no carry from the lower word */
    CUPRIC_MATH static constexpr bits ROOT_HALF() { return 0x3f3504f3u; }
    CUPRIC_MATH static constexpr bits ONE() { return 0x3f800000u; }
    CUPRIC_MATH static constexpr bits SIGN() { return 0x80000000u; }
    CUPRIC_MATH static constexpr bits INFINITE() { return 0x7f800000u; }
    CUPRIC_MATH static constexpr bits NOT_A_NUMBER() { return 0x7fc00000u; }
    /* a NaN that no function returns */
    CUPRIC_MATH static constexpr bits MARK() { return 0x7fc5a5a5u; }
    /* less the bits of a positive number, its reciprocal to within an eighth */
    CUPRIC_MATH static constexpr bits RECIPROCAL() { return 0x7ef127eau; }
    /* the same, to half the reciprocal, from leading_bits() */
    CUPRIC_MATH static constexpr bits HALF_RECIPROCAL() { return 0x7e7127eau; }
};

template <>
struct format<double> {
    typedef unsigned long long bits;
    CUPRIC_MATH static constexpr int FRACTION() { return 52; }
    CUPRIC_MATH static constexpr int BIAS() { return 1023; }
    CUPRIC_MATH static constexpr double LEAST_NORMAL() { return 0x1p-1022; }
    CUPRIC_MATH static constexpr double LARGEST() { return 0x1.fffffffffffffp1023; }
    CUPRIC_MATH static constexpr double LIFT() { return 0x1p54; }
    CUPRIC_MATH static constexpr int LIFTED() { return 54; }
    CUPRIC_MATH static constexpr double ROUNDER() { return 0x1.8p52; }
    CUPRIC_MATH static constexpr double INTEGERS() { return 0x1p52; }
    CUPRIC_MATH static constexpr bits ROOT_HALF() { return 0x3fe6a09e00000000ull; }
    CUPRIC_MATH static constexpr bits ONE() { return 0x3ff0000000000000ull; }
    CUPRIC_MATH static constexpr bits SIGN() { return 0x8000000000000000ull; }
    CUPRIC_MATH static constexpr bits INFINITE() { return 0x7ff0000000000000ull; }
    CUPRIC_MATH static constexpr bits NOT_A_NUMBER() { return 0x7ff8000000000000ull; }
    CUPRIC_MATH static constexpr bits MARK() { return 0x7ff85a5a5a5a5a5aull; }
    CUPRIC_MATH static constexpr bits RECIPROCAL() { return 0x7fde24fd40000000ull; }
    CUPRIC_MATH static constexpr bits HALF_RECIPROCAL()
    {
        return 0x7fce24fd00000000ull;
    }
};

CUPRIC_MATH float
from_bits(unsigned int u)
{
    return float_of(u);
}

CUPRIC_MATH double
from_bits(unsigned long long u)
{
    return double_of(u);
}

template <class F>
CUPRIC_MATH F
infinity()
{
    return from_bits(format<F>::INFINITE());
}

template <class F>
CUPRIC_MATH F
nan()
{
    return from_bits(format<F>::NOT_A_NUMBER());
}

/* c ? a : b. By masks on the host: of selections in a row the compiler makes branches, and
 * then no vectors. */
template <class F>
CUPRIC_MATH F
chosen(bool c, F a, F b)
{
#if defined(__CUDA_ARCH__)
    return c ? a : b;
#else
    typedef typename format<F>::bits bits;
    const bits mask = bits(0) - bits(c);
    return from_bits((bits_of(a) & mask) | (bits_of(b) & ~mask));
#endif
}

template <class F>
CUPRIC_MATH F
without_sign(F a)
{
    return from_bits(bits_of(a) & ~format<F>::SIGN());
}

/* The bits of a without those of the lower word, which a GPU then leaves out. */
CUPRIC_MATH unsigned long long
leading_bits(double a)
{
    return bits_of(a) & 0xffffffff00000000ull;
}

/* a with its sign changed where the sign bit of b is set. */
template <class F>
CUPRIC_MATH F
times_sign(F a, F b)
{
    return from_bits(bits_of(a) ^ (bits_of(b) & format<F>::SIGN()));
}

/* 2**n, normal, for ROUNDER + n. */
template <class F>
CUPRIC_MATH F
power_of_two(F rounder_and_n)
{
    return from_bits((bits_of(rounder_and_n) + format<F>::BIAS())
                     << format<F>::FRACTION());
}

/* ---- two forms of a function ----------------------------------------------------------
 *
 * Zeros, infinities, subnormal and very large numbers are rare, and cost a function up to
 * half of its time. One that has much of this is a struct of two functions: any(), and
 * ordinary(), which leaves it out and says of which arguments it does not hold; of the others
 * both give the same bits. A GPU branches from one to the other (either_form()), the host
 * takes a batch once more as a whole. Of rare arguments ordinary() returns anything, but
 * reads no table beyond its end. */

/* `value` is the function's unless `rare` has the sign bit. */
template <class F>
struct judged {
    F value;
    typename format<F>::bits rare;
};

/* The bits of a that a GPU compares at once. */
CUPRIC_MATH unsigned int
first_bits(float a)
{
    return bits_of(a);
}

CUPRIC_MATH unsigned int
first_bits(double a)
{
    return (unsigned int)(bits_of(a) >> 32);
}

/* Words whose sign bit says that a number is not within [least, most], both positive; that a
 * magnitude is not within [0, most]; that it is neither 0 nor from `least` on. By integers on
 * the host, which know NaNs, too. */
template <class F>
CUPRIC_MATH typename format<F>::bits
rare_outside(F x, F least, F most)
{
#if defined(__CUDA_ARCH__)
    const unsigned int span = first_bits(most) - first_bits(least);
    return first_bits(x) - first_bits(least) <= span ? 0 : format<F>::SIGN();
#else
    return (bits_of(x) - bits_of(least)) | (bits_of(most) - bits_of(x));
#endif
}

template <class F>
CUPRIC_MATH typename format<F>::bits
rare_beyond(F size, F most)
{
#if defined(__CUDA_ARCH__)
    return size <= most ? 0 : format<F>::SIGN();
#else
    return bits_of(most) - bits_of(size);
#endif
}

template <class F>
CUPRIC_MATH typename format<F>::bits
rare_below(F size, F least)
{
#if defined(__CUDA_ARCH__)
    return bits_of(size) - 1 >= bits_of(least) - 1 ? 0 : format<F>::SIGN();
#else
    return (bits_of(size) - bits_of(least)) & (0 - bits_of(size));
#endif
}

/* The same of a double for a function of floats. */
CUPRIC_MATH format<float>::bits
rare_beyond_of_float(double size, double most)
{
#if defined(__CUDA_ARCH__)
    return size <= most ? 0 : format<float>::SIGN();
#else
    return rare_beyond(float(size), float(most));
#endif
}

template <class FORM, class F, class... More>
CUPRIC_APART F
rare_form(F x, More... more)
{
    return FORM::any(x, more...);
}

template <class FORM, class F, class... More>
CUPRIC_MATH F
either_form(F x, More... more)
{
#if defined(__CUDA_ARCH__)
    const judged<F> result = FORM::ordinary(x, more...);
    if (result.rare & format<F>::SIGN()) return rare_form<FORM>(x, more...);
    return result.value;
#else
    return FORM::any(x, more...);
#endif
}

} /* namespace elementary */

template <class F>
struct rare_word {
    typedef unsigned int type;
};
template <>
struct rare_word<double> {
    typedef unsigned long long type;
};

/* A number of a batch on the host, whose loop has no branches. It is `rare` as judged<F> says;
 * and a function that needs a branch for it returns format<F>::MARK() instead, and is called
 * again for the number alone. */
template <class F>
struct batched {
    F value;
    typename rare_word<F>::type rare;
    batched() = default;
    CUPRIC_HD batched(F x) : value(x), rare(0) {}
    template <class G>
    CUPRIC_HD batched(elementary::judged<G> x) : value(x.value), rare(x.rare)
    {
    }
    CUPRIC_HD operator F() const { return value; }
};

CUPRIC_END

#endif
