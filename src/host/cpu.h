/* host/cpu.h: which compilation of a loop this CPU runs.
 *
 * Sources named *_v3.cpp and *_v4.cpp are compiled for x86-64-v3 (AVX2) and v4 (AVX-512)
 * and are in the library on x86-64 only; what they export carries the same ending.
 *
 * Where CUPRIC_HOST_NATIVE is defined the library is for CPUs of that level, or above: each
 * source is compiled once, for the highest level that it has, under the baseline's names.
 */
#ifndef CUPRIC_HOST_CPU_H
#define CUPRIC_HOST_CPU_H

#include <stdbool.h>

/* 3, 4, or 0 for the baseline. */
static inline int
cu_host_cpu_level(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi2")) {
        return 0;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        return 4;
    }
    return 3;
#else
    return 0;
#endif
}

/* Whether this CPU runs all that the library has. */
static inline bool
cu_host_cpu_suffices(void)
{
#if defined(CUPRIC_HOST_NATIVE)
    return cu_host_cpu_level() >= CUPRIC_HOST_NATIVE;
#else
    return true;
#endif
}

/* Whether the library chooses among compilations when it runs. */
#if defined(__x86_64__) && !defined(CUPRIC_HOST_NATIVE)
#define CUPRIC_HOST_CHOOSES
#endif

/* The function `name` for this CPU: name_base, name_v3 or name_v4. */
#if defined(CUPRIC_HOST_CHOOSES)
#define CUPRIC_HOST_PICK(name)                                                         \
    (cu_host_cpu_level() == 4   ? name##_v4                                            \
     : cu_host_cpu_level() == 3 ? name##_v3                                            \
                                : name##_base)
#else
#define CUPRIC_HOST_PICK(name) name##_base
#endif

/* The ending of the compilation at hand. */
#if defined(CUPRIC_HOST_NATIVE)
#define CUPRIC_HOST_LEVEL(name) name##_base
#elif defined(__AVX512F__)
#define CUPRIC_HOST_LEVEL(name) name##_v4
#elif defined(__AVX2__)
#define CUPRIC_HOST_LEVEL(name) name##_v3
#else
#define CUPRIC_HOST_LEVEL(name) name##_base
#endif

#endif
