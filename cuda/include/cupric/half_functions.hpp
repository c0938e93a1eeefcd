/* half_functions.hpp: what kernels ask of 16-bit floating-point numbers that float's functions
 * do not answer: these are of their own type, or have none for a class. */
#ifndef CUPRIC_HALF_FUNCTIONS_HPP
#define CUPRIC_HALF_FUNCTIONS_HPP

#include "cupric/half.hpp"

CUPRIC_BEGIN

/* INFINITE: the bits of infinity. The numbers of a sign are in the order of their bits. */
#define CUPRIC_SHORT_FLOAT(type, INFINITE)                                             \
    CUPRIC_HD inline bool isnan(type x)                                                \
    {                                                                                  \
        return (x.bits & 0x7fff) > INFINITE;                                           \
    }                                                                                  \
    CUPRIC_HD inline bool isinf(type x)                                                \
    {                                                                                  \
        return (x.bits & 0x7fff) == INFINITE;                                          \
    }                                                                                  \
    CUPRIC_HD inline bool isfinite(type x)                                             \
    {                                                                                  \
        return (x.bits & 0x7fff) < INFINITE;                                           \
    }                                                                                  \
    CUPRIC_HD inline bool signbit(type x)                                              \
    {                                                                                  \
        return x.bits >> 15;                                                           \
    }                                                                                  \
    CUPRIC_HD inline type copysign(type x, type y)                                     \
    {                                                                                  \
        return type::from_bits(                                                        \
            (unsigned short)((x.bits & 0x7fff) | (y.bits & 0x8000)));                  \
    }                                                                                  \
    CUPRIC_HD inline type nextafter(type x, type y)                                    \
    {                                                                                  \
        const float from = x, to = y;                                                  \
        if (isnan(x) || isnan(y)) return isnan(x) ? x : y;                             \
        if (from == to) return y;                                                      \
        if (from == 0) return copysign(type::from_bits(1), y);                         \
        const bool away = (from < to) == (from > 0);                                   \
        return type::from_bits((unsigned short)(x.bits + (away ? 1 : -1)));            \
    }
CUPRIC_SHORT_FLOAT(half, 0x7c00)
CUPRIC_SHORT_FLOAT(bfloat16, 0x7f80)
#undef CUPRIC_SHORT_FLOAT

CUPRIC_END

#endif
