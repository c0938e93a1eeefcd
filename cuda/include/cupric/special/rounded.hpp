/* special/rounded.hpp: functions of float and complex<float> by way of double. */
#ifndef CUPRIC_SPECIAL_ROUNDED_HPP
#define CUPRIC_SPECIAL_ROUNDED_HPP

#include "cupric/math/complex_double.hpp"

/* Of a function of so many inputs that there is for double. */
#define CUPRIC_ROUNDED_1(name)                                                         \
    CUPRIC_MATH float name(float a)                                                    \
    {                                                                                  \
        return float(name(double(a)));                                                 \
    }
#define CUPRIC_ROUNDED_2(name)                                                         \
    CUPRIC_MATH float name(float a, float b)                                           \
    {                                                                                  \
        return float(name(double(a), double(b)));                                      \
    }
#define CUPRIC_ROUNDED_3(name)                                                         \
    CUPRIC_MATH float name(float a, float b, float c)                                  \
    {                                                                                  \
        return float(name(double(a), double(b), double(c)));                           \
    }
#define CUPRIC_ROUNDED_4(name)                                                         \
    CUPRIC_MATH float name(float a, float b, float c, float d)                         \
    {                                                                                  \
        return float(name(double(a), double(b), double(c), double(d)));                \
    }

/* Of a function of so many inputs, T or float, and one more that is complex. */
#define CUPRIC_ROUNDED_COMPLEX_2(name, T, T128)                                        \
    CUPRIC_MATH complex<float> name(T a, complex<float> z)                             \
    {                                                                                  \
        return complex<float>(name(T128(a), complex128(z)));                           \
    }
#define CUPRIC_ROUNDED_COMPLEX_3(name, T, T128)                                        \
    CUPRIC_MATH complex<float> name(T a, T b, complex<float> z)                        \
    {                                                                                  \
        return complex<float>(name(T128(a), T128(b), complex128(z)));                  \
    }
#define CUPRIC_ROUNDED_COMPLEX_4(name, T, T128)                                        \
    CUPRIC_MATH complex<float> name(T a, T b, T c, complex<float> z)                   \
    {                                                                                  \
        return complex<float>(name(T128(a), T128(b), T128(c), complex128(z)));         \
    }

#endif
