/* host/dot_rows.h: dot products of many short rows. */
#ifndef CUPRIC_HOST_DOT_ROWS_H
#define CUPRIC_HOST_DOT_ROWS_H

#include <stdint.h>

#include "dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors of n > 0 elements each, which are neighbours; bytes from one to the next. */
typedef struct cu_dot_rows {
    const char *a, *b;
    char *c; /* an element a row */
    int64_t next_a, next_b, next_c;
    int64_t rows, n;
} cu_dot_rows;

/* c[r] = the sum over l of a[r][l] * b[r][l]; integers wrap, of bool it is whether any two
 * are true. Sums of floats begin at zero and are the same on each instruction set. */
typedef void cu_dot_loop(const cu_dot_rows *args);

/* NULL for what is neither bool, an integer, float32 nor float64. */
cu_dot_loop *cu_host_dot_loop(cu_dtype t);

/* The same, by instruction set. */
cu_dot_loop *cu_host_dot_loop_base(cu_dtype t);
cu_dot_loop *cu_host_dot_loop_v3(cu_dtype t);

#ifdef __cplusplus
}
#endif
#endif
