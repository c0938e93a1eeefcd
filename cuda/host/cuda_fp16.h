/* cuda_fp16.h: half, and half2 as a pair of them. */
#ifndef CUPRIC_HOST_CUDA_FP16_H
#define CUPRIC_HOST_CUDA_FP16_H

#include "short_floats.hpp"

using cupric::half;
typedef half __half;
typedef half nv_half;
struct __half_raw {
    unsigned short x;
};
struct alignas(4) __half2 {
    half x, y;
};
typedef __half2 half2;
typedef __half2 nv_half2;

#define CUPRIC_H half
#define CUPRIC_H2 half2
#define CUPRIC_STEM half
#include "short_floats.inc"

CUPRIC_CACHED(half)
CUPRIC_CACHED(half2)
static inline half atomicAdd(half *p, half value)
{
    return cupric_host::atomic_update(p,
                                      [value](half old) { return __hadd(old, value); });
}
static inline half2 atomicAdd(half2 *p, half2 value)
{
    return half2{atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}
CUPRIC_SHUFFLES(half)
CUPRIC_SHUFFLES(half2)

#endif
