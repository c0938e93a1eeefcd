/* cuda_bf16.h: bfloat16, and pairs of them. */
#ifndef CUPRIC_HOST_CUDA_BF16_H
#define CUPRIC_HOST_CUDA_BF16_H

#include "short_floats.hpp"

typedef cupric::bfloat16 __nv_bfloat16;
typedef cupric::bfloat16 nv_bfloat16;
struct __nv_bfloat16_raw {
    unsigned short x;
};
struct alignas(4) __nv_bfloat162 {
    cupric::bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

#define CUPRIC_H __nv_bfloat16
#define CUPRIC_H2 __nv_bfloat162
#define CUPRIC_STEM bfloat16
#include "short_floats.inc"

CUPRIC_CACHED(__nv_bfloat16)
CUPRIC_CACHED(__nv_bfloat162)
CUPRIC_SHUFFLES(__nv_bfloat16)
CUPRIC_SHUFFLES(__nv_bfloat162)
static inline __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 value)
{
    return cupric_host::atomic_update(p, [value](__nv_bfloat16 old) {
        return __nv_bfloat16(float(old) + float(value));
    });
}
static inline __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 value)
{
    return __nv_bfloat162{atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}

#endif
