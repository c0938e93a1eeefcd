/* ops/iter.h: the iteration space of an operation, made from its operands.
 *
 * The one place that decides how an operation walks memory: broadcasting, the order of
 * the axes, which axes join, and whether 32-bit indices reach every byte.
 */
#ifndef CUPRIC_OPS_ITER_H
#define CUPRIC_OPS_ITER_H

#include "layout/array.h"

/* An operand: an array, or the value of `imm` in `dtype`. */
typedef struct cu_iter_arg {
    const cu_array *array; /* borrowed; NULL for a value */
    const cu_scalar *imm;  /* borrowed */
    cu_dtype dtype;        /* of `imm` */
    int access;            /* CUPRIC_READ or CUPRIC_WRITE */
} cu_iter_arg;

enum {
    CUPRIC_ITER_KEEP_ORDER = 1, /* C order of the index matters: axes are joined only */
    CUPRIC_ITER_MASKED = 2,     /* the last operand is the mask */
    CUPRIC_ITER_ODD = 16 /* times the low bits of strides outside the iteration */
};

/* Fill *it for `shape`, to which every array broadcasts. Axes [0, *split) and the rest
 * are ordered and joined apart; *split becomes the number of axes the first group has
 * left. Pass NULL for a single group. The second group keeps at least one axis.
 *
 * Operands of opaque dtypes, all of one width, become unsigned integers (or complex128,
 * for 16 bytes): of the element's width where there is such an integer and all elements
 * are aligned to it, else of a smaller one, with one more axis along the element. */
void cu_iter_build(cu_iter *it, int ndim, const int64_t *shape, int nops,
                   const cu_iter_arg *args, unsigned flags, int *split);

/* CUPRIC_ERR_VALUE naming both devices when the arrays (NULL entries are fine) live on
 * different ones; else *device is theirs. */
cu_status cu_common_device(int n, const cu_array *const *arrays, cu_device **device);

#endif
