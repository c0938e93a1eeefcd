/* host/matvec.h: matrices by vectors, where BLAS has nothing or takes longer to be called. */
#ifndef CUPRIC_HOST_MATVEC_H
#define CUPRIC_HOST_MATVEC_H

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

/* Columns of rows <= CU_DOT_COLUMN elements each, which are neighbours. */
typedef struct cu_dot_columns {
    const char *a, *b; /* b: an element a column */
    char *c;           /* an element a row */
    int64_t next_a, next_b, next_c;
    int64_t rows, columns;
} cu_dot_columns;

#define CU_DOT_COLUMN 512

/* c[r] = the sum over l of a[r][l] * b[r][l], or of a[r][l] * b[l]; integers wrap, of bool
 * it is whether any two are true. Sums of floats begin at zero and are the same on each
 * instruction set. */
typedef struct cu_dot_loops {
    void (*rows)(const cu_dot_rows *args);       /* NULL for float16, complex */
    void (*columns)(const cu_dot_columns *args); /* NULL for all floats */
} cu_dot_loops;

cu_dot_loops cu_host_dot_loops(cu_dtype t);

/* The same, by instruction set. */
cu_dot_loops cu_host_dot_loops_base(cu_dtype t);
cu_dot_loops cu_host_dot_loops_v3(cu_dtype t);

#ifdef __cplusplus
}
#endif
#endif
