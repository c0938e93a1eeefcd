/* target.hpp: what the compiler at hand needs to be told, and the traits that <type_traits>
 * would give (NVRTC has no standard headers, and user kernels should not wait for them).
 */
#ifndef CUPRIC_TARGET_HPP
#define CUPRIC_TARGET_HPP

#if !defined(__CUDACC_RTC__)
#include <math.h>
#endif

#if defined(__CUDACC__)
#define CUPRIC_HD __host__ __device__
#else
#define CUPRIC_HD
#endif

/* The host backend compiles some loops for several instruction sets in one library. The
 * namespace keeps their inline functions apart, or the linker would merge them. */
#if defined(__CUDACC__)
#define CUPRIC_BEGIN namespace cupric {
#define CUPRIC_END }
#elif defined(__AVX512F__)
#define CUPRIC_BEGIN                                                                   \
    namespace cupric {                                                                 \
    inline namespace v4 {
#define CUPRIC_END                                                                     \
    }                                                                                  \
    }
#elif defined(__AVX2__)
#define CUPRIC_BEGIN                                                                   \
    namespace cupric {                                                                 \
    inline namespace v3 {
#define CUPRIC_END                                                                     \
    }                                                                                  \
    }
#else
#define CUPRIC_BEGIN                                                                   \
    namespace cupric {                                                                 \
    inline namespace base {
#define CUPRIC_END                                                                     \
    }                                                                                  \
    }
#endif

CUPRIC_BEGIN

CUPRIC_HD inline unsigned int
bits_of(float x)
{
#if defined(__CUDA_ARCH__)
    return __float_as_uint(x);
#else
    unsigned int u;
    __builtin_memcpy(&u, &x, sizeof u);
    return u;
#endif
}

CUPRIC_HD inline float
float_of(unsigned int u)
{
#if defined(__CUDA_ARCH__)
    return __uint_as_float(u);
#else
    float x;
    __builtin_memcpy(&x, &u, sizeof x);
    return x;
#endif
}

CUPRIC_HD inline unsigned long long
bits_of(double x)
{
#if defined(__CUDA_ARCH__)
    return (unsigned long long)__double_as_longlong(x);
#else
    unsigned long long u;
    __builtin_memcpy(&u, &x, sizeof u);
    return u;
#endif
}

CUPRIC_HD inline double
double_of(unsigned long long u)
{
#if defined(__CUDA_ARCH__)
    return __longlong_as_double((long long)u);
#else
    double x;
    __builtin_memcpy(&x, &u, sizeof x);
    return x;
#endif
}

template <class A, class B>
struct is_same {
    enum : bool { value = false };
};
template <class A>
struct is_same<A, A> {
    enum : bool { value = true };
};

/* A template parameter `typename only_if<condition>::yes = 0` drops an overload. */
template <bool>
struct only_if {
};
template <>
struct only_if<true> {
    typedef int yes;
};

CUPRIC_END

#endif
