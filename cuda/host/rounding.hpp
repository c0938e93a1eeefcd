/* rounding.hpp: arithmetic and conversions rounded as their names say: _rd down, _ru up,
 * _rz towards zero. (_rn, to nearest, is what the CPU does, in intrinsics.hpp.)
 *
 * The CPU's mode of rounding is switched around each operation, which the compiler may
 * neither move out nor compute itself: hence the volatile operands.
 */
#ifndef CUPRIC_HOST_ROUNDING_HPP
#define CUPRIC_HOST_ROUNDING_HPP

extern "C" {
int fegetround(void) noexcept;
int fesetround(int) noexcept;
}

namespace cupric_host {
#if defined(__x86_64__) || defined(__i386__)
static constexpr int round_rd = 0x400, round_ru = 0x800, round_rz = 0xc00;
#else
static constexpr int round_rd = 0x800000, round_ru = 0x400000, round_rz = 0xc00000;
#endif

struct rounding {
    int before;
    explicit rounding(int mode) : before(fegetround()) { fesetround(mode); }
    ~rounding() { fesetround(before); }
};
} // namespace cupric_host

#define CUPRIC_ROUNDED1(name, R, A, expression)                                        \
    static __attribute__((noinline, unused)) R name(A a_)                              \
    {                                                                                  \
        const cupric_host::rounding mode(cupric_host::CUPRIC_MODE);                    \
        volatile A a = a_;                                                             \
        volatile R r = expression;                                                     \
        return r;                                                                      \
    }
#define CUPRIC_ROUNDED2(name, R, expression)                                           \
    static __attribute__((noinline, unused)) R name(R a_, R b_)                        \
    {                                                                                  \
        const cupric_host::rounding mode(cupric_host::CUPRIC_MODE);                    \
        volatile R a = a_, b = b_;                                                     \
        volatile R r = expression;                                                     \
        return r;                                                                      \
    }
#define CUPRIC_ROUNDED3(name, R, expression)                                           \
    static __attribute__((noinline, unused)) R name(R a_, R b_, R c_)                  \
    {                                                                                  \
        const cupric_host::rounding mode(cupric_host::CUPRIC_MODE);                    \
        volatile R a = a_, b = b_, c = c_;                                             \
        volatile R r = expression;                                                     \
        return r;                                                                      \
    }
#define CUPRIC_ROUNDED(m)                                                              \
    CUPRIC_ROUNDED2(__dadd_##m, double, a + b)                                         \
    CUPRIC_ROUNDED2(__dsub_##m, double, a - b)                                         \
    CUPRIC_ROUNDED2(__dmul_##m, double, a *b)                                          \
    CUPRIC_ROUNDED2(__ddiv_##m, double, a / b)                                         \
    CUPRIC_ROUNDED1(__drcp_##m, double, double, 1 / a)                                 \
    CUPRIC_ROUNDED1(__dsqrt_##m, double, double, ::sqrt(a))                            \
    CUPRIC_ROUNDED3(__fma_##m, double, ::fma(a, b, c))                                 \
    CUPRIC_ROUNDED2(__fadd_##m, float, a + b)                                          \
    CUPRIC_ROUNDED2(__fsub_##m, float, a - b)                                          \
    CUPRIC_ROUNDED2(__fmul_##m, float, a *b)                                           \
    CUPRIC_ROUNDED2(__fdiv_##m, float, a / b)                                          \
    CUPRIC_ROUNDED1(__frcp_##m, float, float, 1 / a)                                   \
    CUPRIC_ROUNDED1(__fsqrt_##m, float, float, ::sqrtf(a))                             \
    CUPRIC_ROUNDED3(__fmaf_##m, float, ::fmaf(a, b, c))                                \
    CUPRIC_ROUNDED3(__fmaf_ieee_##m, float, ::fmaf(a, b, c))                           \
    CUPRIC_ROUNDED1(__double2float_##m, float, double, (float)a)                       \
    CUPRIC_ROUNDED1(__int2float_##m, float, int, (float)a)                             \
    CUPRIC_ROUNDED1(__uint2float_##m, float, unsigned, (float)a)                       \
    CUPRIC_ROUNDED1(__ll2float_##m, float, long long, (float)a)                        \
    CUPRIC_ROUNDED1(__ull2float_##m, float, unsigned long long, (float)a)              \
    CUPRIC_ROUNDED1(__ll2double_##m, double, long long, (double)a)                     \
    CUPRIC_ROUNDED1(__ull2double_##m, double, unsigned long long, (double)a)

#define CUPRIC_MODE round_rd
CUPRIC_ROUNDED(rd)
#undef CUPRIC_MODE
#define CUPRIC_MODE round_ru
CUPRIC_ROUNDED(ru)
#undef CUPRIC_MODE
#define CUPRIC_MODE round_rz
CUPRIC_ROUNDED(rz)
#undef CUPRIC_MODE
#undef CUPRIC_ROUNDED
#undef CUPRIC_ROUNDED1
#undef CUPRIC_ROUNDED2
#undef CUPRIC_ROUNDED3

static inline float __fmaf_ieee_rn(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}

#endif
