/* ops/sorting.c: see sorting.h. Backends sort along a last axis that is contiguous; an
 * array whose axis lies otherwise is sorted through a dense copy. */
#include "ops/sorting.h"

#include "ops/execute.h"
#include "ops/reduction.h"

static cu_stream *
stream_of(const cu_array *a)
{
    return cu_stream_current(cu_array_device(a));
}

/* *out: a view with `axis` last. `back` undoes it. */
static cu_status
axis_last(const cu_array *a, int axis, cu_array *out, int *back)
{
    int order[CUPRIC_MAXDIMS], n = 0;
    for (int i = 0; i < a->ndim; i++) {
        if (i != axis) order[n++] = i;
    }
    order[n] = axis;
    for (int i = 0; i < a->ndim; i++) back[order[i]] = i;
    return cu_array_transpose(a, order, out);
}

static bool
is_sortable(const cu_array *a)
{
    return a->strides[a->ndim - 1] == cu_itemsize(a->dtype) &&
           !cu_array_overlaps_itself(a);
}

/* As rows: axes of length 1 but the last are left out, as libraries have their own limits
 * on how many there may be. */
static void
rows_of(const cu_array *a, int access, cu_view *out)
{
    int n = 0;
    cu_array_view_of(a, access, out);
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] == 1 && i < a->ndim - 1) continue;
        out->shape[n] = a->shape[i];
        out->strides[n++] = a->strides[i];
    }
    out->ndim = n;
}

/* In place. The data is still to come: nothing is set that is as large. */
static inline cu_sort
sort_call(const cu_sorting *how)
{
    cu_sort call;

    call.order = NULL;
    call.source = NULL;
    call.stable = how->stable;
    call.descending = false;
    call.kth = how->kth;
    return call;
}

/* Opaque elements are neither ordered nor zero. */
static cu_status
require_numbers(const cu_array *a, const char *what)
{
    if (CUPRIC_LIKELY(!cu_is_opaque(a->dtype))) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_TYPE,
                   "%s does not take dtype %s: use a field of it or a view as an "
                   "ordinary dtype, for example x.view('int64')",
                   what, cu_dtypes[a->dtype].name);
}

/* Sort the last axis of `a` in place, which has to be sortable. */
static cu_status
sort_last(const cu_array *a, const cu_sorting *how)
{
    cu_sort call = sort_call(how);
    rows_of(a, CUPRIC_READ | CUPRIC_WRITE, &call.data);
    return cu_array_device(a)->backend->sort(&call, stream_of(a));
}

/* `out`, which may be `a`, becomes a's elements sorted, by way of a dense copy. */
static cu_status
sort_copy(const cu_array *a, const cu_sorting *how, cu_array *out)
{
    cu_array moved = cu_array_none(), to = cu_array_none(),
             dense = cu_array_none(); /* owned */
    int back[CUPRIC_MAXDIMS];
    cu_status st = axis_last(a, how->axis, &moved, back);

    if (!st) st = axis_last(out, how->axis, &to, back);
    if (!st) st = cu_array_cast(&moved, a->dtype, 'C', &dense);
    if (!st) st = sort_last(&dense, how);
    if (!st) st = cu_array_assign(&to, &dense, NULL);
    cu_array_release(&moved);
    cu_array_release(&to);
    cu_array_release(&dense);
    return st;
}

cu_status
cu_array_sort(cu_array *a, const cu_sorting *how)
{
    cu_array moved = cu_array_none(); /* owned */
    int back[CUPRIC_MAXDIMS];
    cu_status st;

    st = require_numbers(a, "sort");
    if (st || a->size < 2 || a->shape[how->axis] == 1) return st;
    st = axis_last(a, how->axis, &moved, back);
    if (st) return st;
    st = is_sortable(&moved) ? sort_last(&moved, how) : sort_copy(a, how, a);
    cu_array_release(&moved);
    return st;
}

/* From dense rows straight into the new array. */
static cu_status
sort_dense(const cu_array *a, const cu_sorting *how, cu_array *out)
{
    cu_sort call = sort_call(how);
    cu_status st;

    st = cu_array_init(out, cu_array_device(a), a->dtype, a->ndim, a->shape, 'C');
    if (st || a->size == 0) return st;
    rows_of(out, CUPRIC_WRITE, &call.data);
    call.source = cu_array_access(a, CUPRIC_READ);
    st = cu_array_device(a)->backend->sort(&call, stream_of(a));
    if (st) cu_array_release(out);
    return st;
}

cu_status
cu_array_sorted(const cu_array *a, const cu_sorting *how, cu_array *out)
{
    cu_status st = require_numbers(a, "sort");

    if (st) return st;
    const bool one_by_one = a->ndim && a->shape[how->axis] == 1;
    if (a->ndim && !one_by_one && how->axis == a->ndim - 1 &&
        cu_array_is_contiguous(a)) {
        return sort_dense(a, how, out);
    }
    st = cu_array_init_like(out, cu_array_device(a), a->dtype, a);
    if (st) return st;
    if (a->size > 1 && !one_by_one &&
        out->strides[how->axis] != cu_itemsize(a->dtype)) {
        st = sort_copy(a, how, out);
    } else {
        st = cu_array_assign(out, a, NULL);
        if (!st) st = cu_array_sort(out, how);
    }
    if (st) cu_array_release(out);
    return st;
}

/* The order of rows along the last axis, dense. */
static cu_status
argsort_last(const cu_array *moved, const cu_sorting *how, cu_array *order)
{
    cu_array dense = cu_array_none(); /* owned */
    cu_sort call = sort_call(how);
    cu_status st;

    st = cu_array_init(order, cu_array_device(moved), CUPRIC_INT64, moved->ndim,
                       moved->shape, 'C');
    if (st || moved->size == 0) return st;
    if (!is_sortable(moved)) {
        st = cu_array_cast(moved, moved->dtype, 'C', &dense);
        if (st) goto fail;
        moved = &dense;
    }
    rows_of(moved, CUPRIC_READ, &call.data);
    call.order = (int64_t *)cu_array_access(order, CUPRIC_WRITE);
    st = cu_array_device(moved)->backend->sort(&call, stream_of(moved));
    cu_array_release(&dense);
    if (!st) return CUPRIC_OK;

fail:
    cu_array_release(order);
    return st;
}

/* The order along an axis of length 1. */
static cu_status
all_first(const cu_array *a, cu_array *out)
{
    const cu_scalar zero = {0};
    cu_status st =
        cu_array_init(out, cu_array_device(a), CUPRIC_INT64, a->ndim, a->shape, 'C');

    if (!st) st = cu_array_fill(out, CUPRIC_INT64, &zero, NULL);
    if (st) cu_array_release(out);
    return st;
}

cu_status
cu_array_argsort(const cu_array *a, const cu_sorting *how, cu_array *out)
{
    cu_array moved = cu_array_none(), order = cu_array_none(),
             transposed = cu_array_none(); /* owned */
    int back[CUPRIC_MAXDIMS];
    cu_status st;

    st = require_numbers(a, "argsort");
    if (!st && a->shape[how->axis] == 1) return all_first(a, out);
    if (!st) st = axis_last(a, how->axis, &moved, back);
    if (!st) st = argsort_last(&moved, how, &order);
    if (st) goto done;
    if (how->axis == a->ndim - 1) {
        cu_array_move(out, &order);
    } else {
        st = cu_array_transpose(&order, back, &transposed);
        if (!st) st = cu_array_cast(&transposed, CUPRIC_INT64, 'C', out);
    }

done:
    cu_array_release(&moved);
    cu_array_release(&order);
    cu_array_release(&transposed);
    return st;
}

cu_status
cu_array_search(const cu_array *sorted, const cu_array *values, bool right,
                cu_array *out)
{
    const cu_array *arrays[2] = {sorted, values};
    cu_array dense = cu_array_none(); /* owned */
    cu_device *device = NULL;
    cu_view in, wanted;
    cu_status st;

    st = require_numbers(sorted, "searchsorted");
    if (!st) st = require_numbers(values, "searchsorted");
    if (!st) st = cu_common_device(2, arrays, &device);
    if (st) return st;
    st = cu_array_init(out, device, CUPRIC_INT64, values->ndim, values->shape, 'C');
    if (st || values->size == 0) return st;
    if (!cu_array_is_contiguous(sorted)) {
        st = cu_array_cast(sorted, sorted->dtype, 'C', &dense);
        if (st) goto fail;
        sorted = &dense;
    }
    cu_array_view_of(sorted, CUPRIC_READ, &in);
    cu_array_view_of(values, CUPRIC_READ, &wanted);
    st = device->backend->search(&in, &wanted, right,
                                 (int64_t *)cu_array_access(out, CUPRIC_WRITE),
                                 stream_of(values));
    cu_array_release(&dense);
    if (!st) return CUPRIC_OK;

fail:
    cu_array_release(out);
    return st;
}

/* ---- selection ----------------------------------------------------------------------- */

/* Where what is chosen goes: a new array that may at first be too long. */
typedef struct chosen {
    cu_device *device;
    cu_dtype dtype;
    int ndim;         /* 1, or 2 of coordinates */
    int64_t shape[2]; /* the last is for the count */
    cu_array *out;
} chosen;

static cu_status
chosen_alloc(void *arg, int64_t n, char **out)
{
    chosen *c = arg;
    cu_status st;

    c->shape[c->ndim - 1] = n;
    st = cu_array_init(c->out, c->device, c->dtype, c->ndim, c->shape, 'C');
    if (!st) *out = cu_array_access(c->out, CUPRIC_WRITE);
    return st;
}

static cu_status
select_into(cu_select *call, chosen *c)
{
    int64_t count = 0;
    cu_status st;

    c->out->storage = NULL;
    call->alloc = chosen_alloc;
    call->arg = c;
    st = cu_wait_check();
    if (!st)
        st = c->device->backend->select(call, &count, cu_stream_current(c->device));
    if (st) {
        cu_array_release(c->out);
        return st;
    }
    c->out->shape[c->ndim - 1] = count;
    cu_strides_fill(c->dtype, c->ndim, c->out->shape, 'C', c->out->strides);
    cu_array_update_flags(c->out);
    return CUPRIC_OK;
}

cu_status
cu_array_nonzero(const cu_array *a, cu_array *out)
{
    chosen c = {cu_array_device(a), CUPRIC_INT64, 2, {a->ndim, 0}, out};
    cu_select call;
    cu_status st = require_numbers(a, "nonzero");

    if (st) return st;
    call.values.ptr = NULL; /* positions */
    cu_array_view_of(a, CUPRIC_READ, &call.mask);
    return select_into(&call, &c);
}

/* A dense copy in C order; *a is owned before and after. */
static cu_status
make_dense(cu_array *a)
{
    cu_array dense = cu_array_none();
    cu_status st = cu_array_cast(a, a->dtype, 'C', &dense);
    if (st) return st;
    cu_array_release(a);
    cu_array_move(a, &dense);
    return CUPRIC_OK;
}

/* Read in C order, elements that lie in Fortran's are each in a line of their own. */
static bool
is_transposed(const cu_array *a)
{
    return (a->flags & (CUPRIC_C_CONTIGUOUS | CUPRIC_F_CONTIGUOUS)) ==
           CUPRIC_F_CONTIGUOUS;
}

cu_status
cu_array_select(const cu_array *a, const cu_array *mask, cu_array *out)
{
    const cu_array *arrays[2] = {a, mask};
    chosen c = {NULL, a->dtype, 1, {0}, out};
    cu_array values = cu_array_none(), where = cu_array_none(); /* owned */
    cu_select call;
    cu_status st = require_numbers(a, "this selection");

    if (!st) st = cu_common_device(2, arrays, &c.device);
    if (st) return st;
    cu_array_alias(&values, a);
    cu_array_alias(&where, mask);
    if (is_transposed(a)) st = make_dense(&values);
    if (!st && !cu_array_is_contiguous(mask)) st = make_dense(&where);
    if (!st) {
        cu_array_view_of(&values, CUPRIC_READ, &call.values);
        cu_array_view_of(&where, CUPRIC_READ, &call.mask);
        st = select_into(&call, &c);
    }
    cu_array_release(&values);
    cu_array_release(&where);
    return st;
}
