/* host/convolve_engine.h: the inner loops of direct convolution:
 *
 *   out[r][c] (+)= sum over i < kr, j < kc of src[r + i][c + j] * weights[i][j]
 */
#ifndef CUPRIC_HOST_CONVOLVE_ENGINE_H
#define CUPRIC_HOST_CONVOLVE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/cpu.h"

typedef enum cu_convolve_type {
    CU_CONVOLVE_U32, /* wraps: also for shorter integers */
    CU_CONVOLVE_U64,
    CU_CONVOLVE_F32,
    CU_CONVOLVE_F64
} cu_convolve_type;

/* Elements readable past the end of each source row. */
#define CU_CONVOLVE_PADDING 64

typedef struct cu_convolve_block {
    const void *src;     /* rows + kr - 1 rows of cols + kc - 1 elements, and slack */
    int64_t src_stride;  /* elements */
    const void *weights; /* kr x kc, dense */
    int64_t kr, kc;
    void *out;
    int64_t out_stride; /* elements */
    int64_t rows, cols;
    bool accumulate; /* add to out */
} cu_convolve_block;

typedef void cu_convolve_engine(cu_convolve_type type, const cu_convolve_block *block);
cu_convolve_engine cu_convolve_engine_base, cu_convolve_engine_v3,
    cu_convolve_engine_v4;

#endif
