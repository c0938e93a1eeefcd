/* host/matmul_engine.h: the inner loops of integer matrix products:
 *
 *   c[i][j] (+)= sum over l < k of a[i][l] * b[l][j]      i < m, j < n
 *
 * in arithmetic that wraps, on packed blocks.
 */
#ifndef CUPRIC_HOST_MATMUL_ENGINE_H
#define CUPRIC_HOST_MATMUL_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/cpu.h"

/* Elements that rows of b and c have past their end, and rows that c has. */
#define CU_MATMUL_PADDING 64
#define CU_MATMUL_PADDING_ROWS 4

/* Rows are `ld` elements apart; rows of a past m are read (and ignored), too. */
typedef struct cu_matmul_block {
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc;
    int64_t m, n, k;
    bool accumulate; /* add to c */
    bool wide;       /* 64-bit elements, not 32-bit ones */
} cu_matmul_block;

typedef void cu_matmul_engine(const cu_matmul_block *block);
cu_matmul_engine cu_matmul_engine_base, cu_matmul_engine_v3, cu_matmul_engine_v4;

#endif
