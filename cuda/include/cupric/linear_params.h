/* linear_params.h: what the products of linear.hpp and their launches (src/cuda/blas.c)
 * agree on, for C and for the compilers of device code.
 */
#ifndef CUPRIC_LINEAR_PARAMS_H
#define CUPRIC_LINEAR_PARAMS_H

#ifdef __cplusplus
#include "cupric/target.hpp"

CUPRIC_BEGIN
#endif

enum {
    CUPRIC_BATCH_AXES = 40
}; /* with more the result alone would exceed a terabyte */

/* Rows and columns of the results that a block of matmul_dots sums. */
enum { CUPRIC_DOTS = 4 };

/* c = a @ b: (m, k) by (k, n). Steps from row to row and column to column are in bytes. */
typedef struct cu_product {
    const char *a, *b;
    char *c;
    long long m, n, k;
    long long a_row, a_col, b_row, b_col, c_row, c_col;
} cu_product;

/* The batch of a product: dimensions longer than 1, and each operand's steps in bytes. */
typedef struct cu_batch_steps {
    long long size, ndim;
    long long shape[CUPRIC_BATCH_AXES];
    long long a[CUPRIC_BATCH_AXES], b[CUPRIC_BATCH_AXES], c[CUPRIC_BATCH_AXES];
} cu_batch_steps;

#ifdef __cplusplus
CUPRIC_END
#endif

#endif
