/* cuda_bf16.h: bfloat16. */
#ifndef CUPRIC_HOST_CUDA_BF16_H
#define CUPRIC_HOST_CUDA_BF16_H
#ifndef CUPRIC_SCAN

#include "cupric/device_types.hpp"

typedef cupric::bfloat16 __nv_bfloat16;
typedef cupric::bfloat16 nv_bfloat16;
static inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
static inline float __bfloat162float(__nv_bfloat16 x) { return float(x); }

#endif
#endif
