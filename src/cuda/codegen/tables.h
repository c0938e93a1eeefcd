/* cuda/codegen/tables.h: the rows of the operation tables by their numbers. What others
 * may ask of them is in cuda/codegen.h.
 */
#ifndef CUPRIC_CUDA_CODEGEN_TABLES_H
#define CUPRIC_CUDA_CODEGEN_TABLES_H

#include <stdbool.h>

#include "cuda/codegen.h"

/* Rows of elementwise.def, then those of reduce.def. */
enum {
#define UFUNC(...) +1
    N_UFUNCS = 0
#include "ops/elementwise.def"
#undef UFUNC
    ,
#define REDUCE(...) +1
    N_ROWS = N_UFUNCS
#include "ops/reduce.def"
#undef REDUCE
};

/* Whether a reduction makes a mean and a sum of squared deviations. */
bool cu_cuda_is_moments(int op);
/* Whether it finds the least and the greatest element. */
bool cu_cuda_is_extremes(int op);
/* Special functions with loops and branches: ITERATED in ops/columns.h. */
bool cu_cuda_is_iterated(int op);
/* Whether a row computes a signature by another, whose dtypes `wide` gets: operands are
 * converted around it. */
bool cu_cuda_computed(int op, int sig, cu_dtype *wide);
/* Rows that cost more than reaching memory and take long to compile. */
bool cu_cuda_is_slow(int op);

#endif
