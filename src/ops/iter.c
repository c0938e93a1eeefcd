/* ops/iter.c: see iter.h. Most operations are on dense operands of one shape, which the
 * first lines of cu_iter_build recognise; the rest sort axes by stride and join them. */
#include "ops/iter.h"

#include <assert.h>
#include <string.h>

#include "device/axes.h"
#include "device/units.h"

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

/* Every array dense in C order and of full size: one axis does. */
static bool
build_dense(cu_iter *it, int nops, const cu_iter_arg *args)
{
    int64_t widest = 1; /* bytes from an element to the next, of any operand */

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
        const int64_t step = args[k].array ? cu_itemsize(args[k].array->dtype) : 0;
        set_operand(&it->op[k], &args[k]);
        it->op[k].strides[0] = step;
        if (step > widest) widest = step;
    }
    it->index64 = cu_is_wide(widest * (it->size - 1) + 1);
    return true;
}

/* Whether axis i belongs outside axis j: by the strides of the outputs, which come last,
 * then of the inputs; ties keep the order they have. */
static bool
goes_outside(const cu_iter *it, int nsort, int i, int j)
{
    for (int k = nsort - 1; k >= 0; k--) {
        int64_t a = cu_magnitude(it->op[k].strides[i]),
                b = cu_magnitude(it->op[k].strides[j]);
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

/* ---- opaque dtypes ------------------------------------------------------------------- */

/* The bytes, a power of two up to 16, that divide the address of every part of every
 * opaque element; `odd` are low bits of other strides that elements lie apart by. */
static int64_t
unit_of(const cu_iter *it, uint64_t odd)
{
    uint64_t all = odd;
    for (int k = 0; k < it->nops; k++) {
        const cu_operand *op = &it->op[k];
        if (!cu_is_opaque(op->dtype)) continue;
        all |= (uint64_t)(uintptr_t)op->ptr | (uint64_t)cu_itemsize(op->dtype);
        for (int i = 0; i < it->ndim; i++) all |= (uint64_t)op->strides[i];
    }
    return cu_unit_dividing(all);
}

/* Opaque elements as integers, or as rows of them along one more axis. Axes of length 1
 * are gone, so that there is room for it. */
static void
show_as_integers(cu_iter *it, uint64_t odd)
{
    const int64_t unit = unit_of(it, odd);
    int64_t units = 1; /* of an element */

    for (int k = 0; k < it->nops; k++) {
        cu_operand *op = &it->op[k];
        bool opaque = cu_is_opaque(op->dtype);
        op->strides[it->ndim] = opaque ? unit : 0;
        if (!opaque) continue;
        units = cu_itemsize(op->dtype) / unit;
        op->dtype = cu_unit_dtype(unit);
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

/* The operands' axes as the shape has them. */
static void
set_axes(cu_iter *it, int ndim, const int64_t *shape, const cu_iter_arg *args)
{
    it->ndim = ndim;
    memcpy(it->shape, shape, (size_t)ndim * sizeof *shape);
    for (int k = 0; k < it->nops; k++) {
        set_operand(&it->op[k], &args[k]);
        if (args[k].array) {
            cu_array_broadcast_strides(args[k].array, ndim, it->op[k].strides);
        } else {
            memset(it->op[k].strides, 0, (size_t)ndim * sizeof(int64_t));
        }
    }
}

/* Axes of length 1 go; those of either group, [0, second) and the rest, are sorted and
 * joined. Returns how many the first group has then. */
static int
arrange_axes(cu_iter *it, int second, unsigned flags, bool has_split)
{
    int64_t *strides[CUPRIC_MAXOPERANDS]; /* borrowed from the operands */
    const bool sort = !(flags & CUPRIC_ITER_KEEP_ORDER);
    const int nops = it->nops, ndim = it->ndim;
    int first, joined; /* axes in the first group */

    cu_iter_strides(it, strides);
    first = cu_axes_move(it->shape, nops, strides, 0, second, 0, false);
    it->ndim = cu_axes_move(it->shape, nops, strides, second, ndim, first, false);
    if (CUPRIC_UNLIKELY(any_opaque(it))) {
        assert(!has_split);
        show_as_integers(it, flags / CUPRIC_ITER_ODD);
        first = it->ndim;
    }
    if (sort) sort_axes(it, 0, first);
    if (sort && has_split) sort_axes(it, first, it->ndim);
    joined = cu_axes_join(it->shape, nops, strides, first);
    it->ndim = cu_axes_move(it->shape, nops, strides, first, it->ndim, joined, true);
    return joined;
}

/* Not inlined: what is dense needs none of its registers. */
static __attribute__((noinline)) void
build_strided(cu_iter *it, int ndim, const int64_t *shape, const cu_iter_arg *args,
              unsigned flags, int *split)
{
    const int nops = it->nops, second = split ? *split : ndim;
    int joined = second; /* axes in the first group */

    set_axes(it, ndim, shape, args);
    if (ndim != 1 || shape[0] == 1 ||
        any_opaque(it)) { /* else there is one, as it is */
        joined = arrange_axes(it, second, flags, split != NULL);
    }
    if (split) {
        *split = joined;
        if (it->ndim == joined) { /* the second group has something to walk */
            it->shape[it->ndim] = 1;
            for (int k = 0; k < nops; k++) it->op[k].strides[it->ndim] = 0;
            it->ndim++;
        }
    }
    cu_iter_finish(it);
    if (split) it->contiguous = false;
}

void
cu_iter_build(cu_iter *it, int ndim, const int64_t *shape, int nops,
              const cu_iter_arg *args, unsigned flags, int *split)
{
    it->nops = nops;
    it->masked = (flags & CUPRIC_ITER_MASKED) != 0;
    it->size = 1;
    for (int i = 0; i < ndim; i++) it->size *= shape[i];
    if (split == NULL && build_dense(it, nops, args)) return;
    build_strided(it, ndim, shape, args, flags, split);
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
