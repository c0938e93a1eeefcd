/* device/axes.h: the dimensions that an operation walks through: which are joined, and how
 * wide its indices are. Decided here for all: iterations, users' kernels, and what the
 * devices make of views by themselves. The devices link nothing of the core, so that all
 * of it is inline.
 *
 * Dimensions are a shape and, for each operand, strides in bytes. Neighbours are joined
 * where every operand goes from the end of a row of the inner one to the next row in one
 * of its strides:
 *
 *     shape (4, 3, 5), strides (60, 20, 4)    1 joins 2: (4, 15), (60, 4)    0 joins: (60), (4)
 */
#ifndef CUPRIC_DEVICE_AXES_H
#define CUPRIC_DEVICE_AXES_H

#include <stdint.h>

#include "device/backend.h"

/* Up to here offsets and counts are 32 bits wide. Threads of the last block, and loops
 * that step by several elements, compute numbers beyond the end before they find that
 * they are: those must fit, too. */
#define CUPRIC_NARROW_MAX (INT32_MAX - (1 << 20))

static inline bool
cu_is_wide(int64_t n)
{
    return n > CUPRIC_NARROW_MAX;
}

static inline int64_t
cu_magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* Bytes from the element at the lowest address to that at the highest. */
static inline int64_t
cu_axes_span(int ndim, const int64_t *shape, const int64_t *strides)
{
    int64_t span = 0;

    for (int d = 0; d < ndim; d++) span += cu_magnitude(strides[d]) * (shape[d] - 1);
    return span;
}

/* Dimensions [begin, end) move to `to`, not behind `begin`, less those of length 1; with
 * `join`, neighbours among them become one. Returns where they end. */
static inline int
cu_axes_move(int64_t *shape, int nops, int64_t *const *strides, int begin, int end,
             int to, bool join)
{
    const int start = to;

    for (int d = begin; d < end; d++) {
        const int64_t length = shape[d];
        bool joins = join && to > start;
        if (length == 1) continue;
        for (int k = 0; k < nops && joins; k++) {
            joins = strides[k][to - 1] == strides[k][d] * length;
        }
        if (joins) {
            shape[to - 1] *= length;
        } else {
            shape[to++] = length;
        }
        if (to - 1 == d) continue; /* it is there */
        for (int k = 0; k < nops; k++) strides[k][to - 1] = strides[k][d];
    }
    return to;
}

static inline int
cu_axes_join(int64_t *shape, int nops, int64_t *const *strides, int ndim)
{
    return cu_axes_move(shape, nops, strides, 0, ndim, 0, true);
}

/* Order the dimensions by the strides of operand `by`, the longest first. */
static inline void
cu_axes_order(int64_t *shape, int nops, int64_t *const *strides, int ndim, int by)
{
    const int64_t *const s = strides[by];

    for (int end = 1; end < ndim; end++) {
        for (int d = end; d > 0 && cu_magnitude(s[d - 1]) < cu_magnitude(s[d]); d--) {
            const int64_t length = shape[d];
            shape[d] = shape[d - 1];
            shape[d - 1] = length;
            for (int k = 0; k < nops; k++) {
                const int64_t stride = strides[k][d];
                strides[k][d] = strides[k][d - 1];
                strides[k][d - 1] = stride;
            }
        }
    }
}

/* ---- iterations ---------------------------------------------------------------------- */

/* The strides of each operand, for the functions above. */
static inline void
cu_iter_strides(cu_iter *it, int64_t **strides)
{
    for (int k = 0; k < it->nops; k++) strides[k] = it->op[k].strides;
}

/* What follows from an iteration's dimensions: at least one, whether it is contiguous,
 * the width of its indices. `size` is known. */
static inline void
cu_iter_finish(cu_iter *it)
{
    if (it->ndim == 0) {
        it->ndim = 1;
        it->shape[0] = 1;
        for (int k = 0; k < it->nops; k++) {
            it->op[k].strides[0] = it->op[k].ptr ? cu_itemsize(it->op[k].dtype) : 0;
        }
    }
    it->contiguous = it->ndim == 1;
    it->index64 = cu_is_wide(it->size);
    for (int k = 0; k < it->nops; k++) {
        const cu_operand *op = &it->op[k];
        if (op->ptr && op->strides[0] != cu_itemsize(op->dtype)) it->contiguous = false;
        if (cu_is_wide(cu_axes_span(it->ndim, it->shape, op->strides))) {
            it->index64 = true;
        }
    }
}

/* The iteration that copies a view to another of the same shape, in the order of whose
 * memory it goes. */
static inline void
cu_iter_of_views(cu_iter *it, const cu_view *from, const cu_view *to)
{
    const cu_view *const views[2] = {from, to};
    int64_t *strides[2];

    it->nops = 2;
    it->masked = false;
    it->size = 1;
    for (int d = 0; d < from->ndim; d++) it->size *= it->shape[d] = from->shape[d];
    for (int k = 0; k < 2; k++) {
        it->op[k].ptr = views[k]->ptr;
        it->op[k].dtype = views[k]->dtype;
        for (int d = 0; d < from->ndim; d++) {
            it->op[k].strides[d] = views[k]->strides[d];
        }
    }
    cu_iter_strides(it, strides);
    cu_axes_order(it->shape, 2, strides, from->ndim, 1);
    it->ndim = cu_axes_join(it->shape, 2, strides, from->ndim);
    cu_iter_finish(it);
}

/* ---- some of an iteration's dimensions ------------------------------------------------- */

#define CUPRIC_AXES_OPERANDS 4 /* of a reduction at most: two inputs, output, mask */

/* The fastest dimension is the last. */
typedef struct cu_axes {
    int ndim;
    int64_t size;
    int64_t shape[CUPRIC_MAXDIMS];
    int64_t stride[CUPRIC_AXES_OPERANDS][CUPRIC_MAXDIMS];
} cu_axes;

/* Dimensions [first, end); row k of the strides is those of operand which[k], or 0 where
 * that is -1 or a value. */
static inline void
cu_axes_take(cu_axes *a, const cu_iter *it, int first, int end, const int *which)
{
    a->ndim = end - first;
    a->size = 1;
    for (int d = 0; d < a->ndim; d++) {
        a->shape[d] = it->shape[first + d];
        a->size *= a->shape[d];
    }
    for (int k = 0; k < CUPRIC_AXES_OPERANDS; k++) {
        const cu_operand *op = which[k] < 0 ? NULL : &it->op[which[k]];
        for (int d = 0; d < a->ndim; d++) {
            a->stride[k][d] = op && op->ptr ? op->strides[first + d] : 0;
        }
    }
}

static inline void
cu_axes_swap(cu_axes *a, int i, int j)
{
    const int64_t length = a->shape[i];

    a->shape[i] = a->shape[j];
    a->shape[j] = length;
    for (int k = 0; k < CUPRIC_AXES_OPERANDS; k++) {
        const int64_t step = a->stride[k][i];
        a->stride[k][i] = a->stride[k][j];
        a->stride[k][j] = step;
    }
}

static inline void
cu_axes_to_last(cu_axes *a, int d)
{
    for (; d + 1 < a->ndim; d++) cu_axes_swap(a, d, d + 1);
}

/* Where the order of the elements is free: forward through the memory of operand 0.
 * base[k], NULL for none, is where row k of the strides begins. */
static inline void
cu_axes_forward(cu_axes *a, char **base)
{
    for (int d = 0; d < a->ndim; d++) {
        if (a->stride[0][d] >= 0) continue;
        for (int k = 0; k < CUPRIC_AXES_OPERANDS; k++) {
            if (base[k]) base[k] += (a->shape[d] - 1) * a->stride[k][d];
            a->stride[k][d] = -a->stride[k][d];
        }
    }
}

/* Where the order of the elements is free: by the strides of operand 0, and joined. */
static inline void
cu_axes_sort(cu_axes *a)
{
    int64_t *strides[CUPRIC_AXES_OPERANDS];
    const int64_t *const first = a->stride[0];

    for (int i = 1; i < a->ndim; i++) {
        for (int d = i; d > 0 && cu_magnitude(first[d - 1]) < cu_magnitude(first[d]);
             d--) {
            cu_axes_swap(a, d - 1, d);
        }
    }
    if (a->ndim < 2) return; /* one of length 1 stays */
    for (int k = 0; k < CUPRIC_AXES_OPERANDS; k++) strides[k] = a->stride[k];
    a->ndim = cu_axes_join(a->shape, CUPRIC_AXES_OPERANDS, strides, a->ndim);
}

#endif
