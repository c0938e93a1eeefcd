/* standard_limits.hpp: <limits> for NVRTC, and the macros of <climits> and <cfloat>. */
#ifndef CUPRIC_STANDARD_LIMITS_HPP
#define CUPRIC_STANDARD_LIMITS_HPP

#ifndef CHAR_BIT
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-LONG_MAX - 1)
#define LONG_MAX ((long)(~0ul >> 1))
#define ULONG_MAX (~0ul)
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#endif
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX 3.40282347e+38f
#define FLT_MIN 1.17549435e-38f
#define FLT_EPSILON 1.19209290e-7f
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_MAX_10_EXP 38
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MAX_EXP 1024
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_10_EXP 308
#endif

namespace std {

template <class T>
struct numeric_limits {
    static constexpr bool is_specialized = false;
};

#define CUPRIC_VALUE(name, T, expression)                                              \
    __host__ __device__ static constexpr T name() noexcept                             \
    {                                                                                  \
        return expression;                                                             \
    }
#define CUPRIC_INTEGER(IS_SIGNED, ...)                                                 \
    template <>                                                                        \
    struct numeric_limits<__VA_ARGS__> {                                               \
        typedef __VA_ARGS__ T;                                                         \
        static constexpr bool is_specialized = true, is_integer = true,                \
                              is_exact = true, is_signed = IS_SIGNED,                  \
                              has_infinity = false, has_quiet_NaN = false,             \
                              is_bounded = true;                                       \
        static constexpr int radix = 2, digits = int(sizeof(T)) * 8 - (IS_SIGNED),     \
                             digits10 = digits * 3 / 10;                               \
        CUPRIC_VALUE(max, T, T(~0ull >> (64 - digits)))                                \
        CUPRIC_VALUE(min, T, (IS_SIGNED) ? T(-max() - 1) : T(0))                       \
        CUPRIC_VALUE(lowest, T, min())                                                 \
        CUPRIC_VALUE(epsilon, T, T(0))                                                 \
        CUPRIC_VALUE(infinity, T, T(0))                                                \
        CUPRIC_VALUE(quiet_NaN, T, T(0))                                               \
        CUPRIC_VALUE(denorm_min, T, T(0))                                              \
    };
template <>
struct numeric_limits<bool> {
    static constexpr bool is_specialized = true, is_integer = true, is_exact = true,
                          is_signed = false, has_infinity = false,
                          has_quiet_NaN = false, is_bounded = true;
    static constexpr int radix = 2, digits = 1, digits10 = 0;
    CUPRIC_VALUE(max, bool, true)
    CUPRIC_VALUE(min, bool, false)
    CUPRIC_VALUE(lowest, bool, false)
};
CUPRIC_INTEGER((char(-1) < char(0)), char)
CUPRIC_INTEGER(true, signed char)
CUPRIC_INTEGER(false, unsigned char)
CUPRIC_INTEGER(true, short)
CUPRIC_INTEGER(false, unsigned short)
CUPRIC_INTEGER(true, int)
CUPRIC_INTEGER(false, unsigned int)
CUPRIC_INTEGER(true, long)
CUPRIC_INTEGER(false, unsigned long)
CUPRIC_INTEGER(true, long long)
CUPRIC_INTEGER(false, unsigned long long)
#undef CUPRIC_INTEGER

#define CUPRIC_REAL(T, PREFIX, SMALLEST, INF, NOT_A_NUMBER)                            \
    template <>                                                                        \
    struct numeric_limits<T> {                                                         \
        static constexpr bool is_specialized = true, is_integer = false,               \
                              is_exact = false, is_signed = true, is_iec559 = true,    \
                              has_infinity = true, has_quiet_NaN = true,               \
                              is_bounded = true;                                       \
        static constexpr int radix = 2, digits = PREFIX##_MANT_DIG,                    \
                             digits10 = PREFIX##_DIG, max_exponent = PREFIX##_MAX_EXP, \
                             min_exponent = PREFIX##_MIN_EXP,                          \
                             max_exponent10 = PREFIX##_MAX_10_EXP;                     \
        CUPRIC_VALUE(max, T, PREFIX##_MAX)                                             \
        CUPRIC_VALUE(min, T, PREFIX##_MIN)                                             \
        CUPRIC_VALUE(lowest, T, -PREFIX##_MAX)                                         \
        CUPRIC_VALUE(epsilon, T, PREFIX##_EPSILON)                                     \
        CUPRIC_VALUE(round_error, T, T(0.5))                                           \
        CUPRIC_VALUE(denorm_min, T, SMALLEST)                                          \
        CUPRIC_VALUE(infinity, T, INF)                                                 \
        CUPRIC_VALUE(quiet_NaN, T, NOT_A_NUMBER)                                       \
    };
CUPRIC_REAL(float, FLT, 1.40129846e-45f, __builtin_bit_cast(float, 0x7f800000),
            __builtin_bit_cast(float, 0x7fc00000))
CUPRIC_REAL(double, DBL, 4.9406564584124654e-324,
            __builtin_bit_cast(double, 0x7ff0000000000000ll),
            __builtin_bit_cast(double, 0x7ff8000000000000ll))
#undef CUPRIC_REAL
#undef CUPRIC_VALUE

template <class T>
struct numeric_limits<const T> : numeric_limits<T> {
};

} // namespace std

#endif
