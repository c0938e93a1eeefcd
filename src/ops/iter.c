/* ops/iter.c: see iter.h. Most operations are on dense operands of one shape, which the
 * first lines of cu_iter_build recognise; the rest sort axes by stride and join them. */
#include "ops/iter.h"

#include <assert.h>
#include <string.h>

/* Up to here offsets and counts are 32 bits wide. Threads of the last block, and loops
 * that step by several elements, compute numbers beyond the end before they find that
 * they are: those must fit, too. */
#define NARROW_MOST (INT32_MAX - (1 << 20))

static void
set_operand(cu_operand *op, const cu_iter_arg *arg)
{
    if (arg->array) {
        op->ptr = cu_array_access(arg->array, arg->access);
        op->dtype = arg->array->dtype;
    } else {
        op->ptr = NULL;
        op->dtype = arg->dtype;
        op->imm = *arg->imm;
    }
}

static int64_t
magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* Every array dense in C order and of full size: one axis does. */
static bool
build_dense(cu_iter *it, int nops, const cu_iter_arg *args)
{
    for (int k = 0; k < nops; k++) {
        const cu_array *a = args[k].array;
        if (a && (a->size != it->size || !(a->flags & CUPRIC_C_CONTIGUOUS) ||
                  cu_is_opaque(a->dtype))) {
            return false;
        }
    }
    it->ndim = 1;
    it->contiguous = true;
    it->shape[0] = it->size;
    for (int k = 0; k < nops; k++) {
        set_operand(&it->op[k], &args[k]);
        it->op[k].strides[0] = args[k].array ? cu_itemsize(it->op[k].dtype) : 0;
        if (it->size > INT32_MAX / 16) it->index64 = true;
    }
    return true;
}

/* Whether axis i belongs outside axis j: by the strides of the outputs, which come last,
 * then of the inputs; ties keep the order they have. */
static bool
goes_outside(const cu_iter *it, int nsort, int i, int j)
{
    for (int k = nsort - 1; k >= 0; k--) {
        int64_t a = magnitude(it->op[k].strides[i]),
                b = magnitude(it->op[k].strides[j]);
        if (a != b && a != 0 && b != 0) return a > b;
    }
    return false;
}

static void
move_axis(cu_iter *it, int from, int to)
{
    int64_t length = it->shape[from];
    for (int i = from; i > to; i--) it->shape[i] = it->shape[i - 1];
    it->shape[to] = length;
    for (int k = 0; k < it->nops; k++) {
        int64_t *s = it->op[k].strides, stride = s[from];
        for (int i = from; i > to; i--) s[i] = s[i - 1];
        s[to] = stride;
    }
}

static void
sort_axes(cu_iter *it, int begin, int end)
{
    int nsort = it->masked ? it->nops - 1 : it->nops;
    for (int i = begin + 1; i < end; i++) {
        int j = i;
        while (j > begin && goes_outside(it, nsort, i, j - 1)) j--;
        if (j < i) move_axis(it, i, j);
    }
}

static bool
joins(const cu_iter *it, int i)
{
    for (int k = 0; k < it->nops; k++) {
        const int64_t *s = it->op[k].strides;
        if (s[i] != s[i + 1] * it->shape[i + 1]) return false;
    }
    return true;
}

static void
remove_axis(cu_iter *it, int i)
{
    int tail = it->ndim - 1 - i;
    memmove(&it->shape[i], &it->shape[i + 1], (size_t)tail * sizeof it->shape[0]);
    for (int k = 0; k < it->nops; k++) {
        int64_t *s = it->op[k].strides;
        memmove(&s[i], &s[i + 1], (size_t)tail * sizeof *s);
    }
    it->ndim--;
}

/* Join neighbours in [begin, end); returns the group's new end. */
static int
join_axes(cu_iter *it, int begin, int end)
{
    for (int i = end - 2; i >= begin; i--) {
        if (!joins(it, i)) continue;
        it->shape[i + 1] *= it->shape[i];
        remove_axis(it, i);
        end--;
    }
    return end;
}

/* ---- opaque dtypes ------------------------------------------------------------------- */

/* The bytes, a power of two up to 16, that divide the address of every part of every
 * opaque element; `odd` are low bits of other strides that elements lie apart by. */
static int64_t
unit_of(const cu_iter *it, uint64_t odd)
{
    uint64_t all = 16 | odd;
    for (int k = 0; k < it->nops; k++) {
        const cu_operand *op = &it->op[k];
        if (!cu_is_opaque(op->dtype)) continue;
        all |= (uint64_t)(uintptr_t)op->ptr | (uint64_t)cu_itemsize(op->dtype);
        for (int i = 0; i < it->ndim; i++) all |= (uint64_t)op->strides[i];
    }
    return (int64_t)(all & -all);
}

/* Opaque elements as integers, or as rows of them along one more axis. Axes of length 1
 * are gone, so that there is room for it. */
static void
show_as_integers(cu_iter *it, uint64_t odd)
{
    static const cu_dtype integers[] = {CUPRIC_UINT8, CUPRIC_UINT16, CUPRIC_UINT32,
                                        CUPRIC_UINT64, CUPRIC_COMPLEX128};
    const int64_t unit = unit_of(it, odd);
    int64_t units = 1; /* of an element */

    for (int k = 0; k < it->nops; k++) {
        cu_operand *op = &it->op[k];
        bool opaque = cu_is_opaque(op->dtype);
        op->strides[it->ndim] = opaque ? unit : 0;
        if (!opaque) continue;
        units = cu_itemsize(op->dtype) / unit;
        op->dtype = integers[__builtin_ctzll((uint64_t)unit)];
    }
    if (units == 1) return;
    it->shape[it->ndim++] = units;
    it->size *= units;
}

static bool
any_opaque(const cu_iter *it)
{
    for (int k = 0; k < it->nops; k++) {
        if (cu_is_opaque(it->op[k].dtype)) return true;
    }
    return false;
}

/* -------------------------------------------------------------------------------------- */

static void
decide_width(cu_iter *it)
{
    for (int k = 0; k < it->nops; k++) {
        int64_t span = 0;
        for (int i = 0; i < it->ndim; i++) {
            span += magnitude(it->op[k].strides[i]) * (it->shape[i] - 1);
        }
        if (span > NARROW_MOST) it->index64 = true;
    }
    if (it->size > NARROW_MOST) it->index64 = true;
}

void
cu_iter_build(cu_iter *it, int ndim, const int64_t *shape, int nops,
              const cu_iter_arg *args, unsigned flags, int *split)
{
    bool sort = !(flags & CUPRIC_ITER_KEEP_ORDER);
    int first = 0; /* axes in the first group */

    it->nops = nops;
    it->masked = (flags & CUPRIC_ITER_MASKED) != 0;
    it->contiguous = it->index64 = false;
    it->size = 1;
    for (int i = 0; i < ndim; i++) it->size *= shape[i];
    if (split == NULL && build_dense(it, nops, args)) return;

    it->ndim = ndim;
    memcpy(it->shape, shape, (size_t)ndim * sizeof *shape);
    for (int k = 0; k < nops; k++) {
        set_operand(&it->op[k], &args[k]);
        if (args[k].array) {
            cu_array_broadcast_strides(args[k].array, ndim, it->op[k].strides);
        } else {
            memset(it->op[k].strides, 0, (size_t)ndim * sizeof(int64_t));
        }
    }
    first = split ? *split : ndim;
    for (int i = ndim - 1; i >= 0; i--) {
        if (it->shape[i] != 1) continue;
        remove_axis(it, i);
        if (i < first) first--;
    }
    if (CUPRIC_UNLIKELY(any_opaque(it))) {
        assert(split == NULL);
        show_as_integers(it, flags / CUPRIC_ITER_ODD);
        first = it->ndim;
    }
    if (sort) sort_axes(it, 0, first);
    int joined = join_axes(it, 0, first);
    if (split) {
        if (sort) sort_axes(it, joined, it->ndim);
        join_axes(it, joined, it->ndim);
        *split = joined;
        if (it->ndim == joined) { /* the second group has something to walk */
            it->shape[it->ndim] = 1;
            for (int k = 0; k < nops; k++) it->op[k].strides[it->ndim] = 0;
            it->ndim++;
        }
    }
    if (it->ndim == 0) {
        it->ndim = 1;
        it->shape[0] = 1;
        for (int k = 0; k < nops; k++) it->op[k].strides[0] = 0;
    }
    if (it->ndim == 1 && !split) {
        it->contiguous = true;
        for (int k = 0; k < nops; k++) {
            const cu_operand *op = &it->op[k];
            if (op->ptr && op->strides[0] != cu_itemsize(op->dtype))
                it->contiguous = false;
        }
    }
    decide_width(it);
}

cu_status
cu_device_differs(const cu_device *a, const cu_device *b)
{
    return cu_fail(CUPRIC_ERR_VALUE,
                   "arrays on different devices in one operation: %s device %d "
                   "and %s device %d; copy one of them first, for example with "
                   "`with cupric.cuda.Device(%d): b = a.copy()`",
                   a->backend->name, a->ordinal, b->backend->name, b->ordinal,
                   a->ordinal);
}

cu_status
cu_common_device(int n, const cu_array *const *arrays, cu_device **device)
{
    cu_device *found = NULL;
    for (int i = 0; i < n; i++) {
        cu_device *d;
        if (arrays[i] == NULL) continue;
        d = cu_array_device(arrays[i]);
        if (found == NULL) {
            found = d;
        } else if (d != found) {
            return cu_device_differs(found, d);
        }
    }
    if (found) *device = found;
    return CUPRIC_OK;
}
