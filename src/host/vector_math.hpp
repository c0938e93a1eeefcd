/* host/vector_math.hpp: tells the compiler of the C library's vector functions.
 *
 * glibc has had them for x86-64 in libmvec, which libm brings along, since 2.22, most
 * since 2.35. Its <math.h> declares them only under -ffast-math, which would change other
 * results; the attribute alone lets a loop over expf call _ZGVdN8v_expf. Special values
 * are treated as by the scalar functions.
 *
 * Here are those that cupric/math/elementary.hpp does not have, as far as they stay within
 * about 2 units in the last place, and what logaddexp is made of.
 */
#ifndef CUPRIC_HOST_VECTOR_MATH_HPP
#define CUPRIC_HOST_VECTOR_MATH_HPP

#include <math.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) &&                  \
    !defined(__clang__)
#if __GLIBC_PREREQ(2, 35)

/* x86-64-v4 prefers vectors of 256 bits, for its clock; functions gain from all 512. */
#if defined(__AVX512F__)
#pragma GCC target("prefer-vector-width=512")
#endif

#define CUPRIC_VECTOR __attribute__((__simd__("notinbranch")))
#define CUPRIC_VECTOR_1(name)                                                          \
    CUPRIC_VECTOR_1F(name)                                                             \
    CUPRIC_VECTOR double name(double) noexcept;
#define CUPRIC_VECTOR_2(name)                                                          \
    CUPRIC_VECTOR_2F(name)                                                             \
    CUPRIC_VECTOR double name(double, double) noexcept;
#define CUPRIC_VECTOR_1F(name) CUPRIC_VECTOR float name##f(float) noexcept;
#define CUPRIC_VECTOR_2F(name) CUPRIC_VECTOR float name##f(float, float) noexcept;

extern "C" {
CUPRIC_VECTOR_1(exp2)
CUPRIC_VECTOR_1(log1p)
CUPRIC_VECTOR_1F(exp)
CUPRIC_VECTOR_2(atan2)
CUPRIC_VECTOR_2(hypot)
CUPRIC_VECTOR_2F(pow)
}
#endif
#endif
#endif
