/* ops/reduction.c: see reduction.h.
 *
 * A reduction is an iteration in two groups of axes, those that remain and those that go:
 *
 *     in[0]   (a, b, c, d), axes 1 and 2 go   ->   | a d | b c |
 *     out                                          | a d | 0 0 |   strides
 *
 * The operands are views with their axes in that order, and cu_iter_build sorts and joins
 * the axes of each group.
 */
#include "ops/reduction.h"

#include <math.h>
#include <string.h>

#include "device/units.h"
#include "ops/execute.h"

static cu_stream *
stream_of(const cu_array *a)
{
    return cu_stream_current(cu_array_device(a));
}

/* ---- seeing operands ----------------------------------------------------------------- */

/* *v is `a` broadcast to `shape` with its axes in `order`. It borrows a's storage: it is
 * never released. */
static void
view_as(const cu_array *a, int ndim, const int64_t *shape, const int *order,
        cu_array *v)
{
    int64_t strides[CUPRIC_MAXDIMS];

    cu_array_broadcast_strides(a, ndim, strides);
    v->storage = a->storage;
    v->offset = a->offset;
    v->dtype = a->dtype;
    v->ndim = ndim;
    v->flags = 0;
    for (int i = 0; i < ndim; i++) {
        v->shape[i] = shape[order[i]];
        v->strides[i] = strides[order[i]];
    }
}

/* `out` with its axes in the first `nkeep` places and stride 0 in the others. It may have
 * axes of length 1 where `in` is reduced. */
static void
view_output(const cu_array *out, const cu_reduction *r, int nkeep, const int *order,
            cu_array *v)
{
    const cu_array *in = r->in[0];
    bool kept_dims = out->ndim == in->ndim;
    int at = 0;

    v->storage = out->storage;
    v->offset = out->offset;
    v->dtype = out->dtype;
    v->ndim = in->ndim;
    v->flags = 0;
    for (int i = 0; i < in->ndim; i++) {
        v->shape[i] = in->shape[order[i]];
        v->strides[i] = i < nkeep ? out->strides[kept_dims ? order[i] : at++] : 0;
    }
}

/* A dense operand of which everything is reduced: one axis. */
static bool
is_flat(const cu_array *a, const cu_array *like)
{
    return a == NULL ||
           (cu_array_is_contiguous(a) && a->ndim == like->ndim &&
            memcmp(a->shape, like->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0);
}

static void
view_flat(const cu_array *a, int64_t size, int64_t stride, cu_array *v)
{
    v->storage = a->storage;
    v->offset = a->offset;
    v->dtype = a->dtype;
    v->ndim = 1;
    v->flags = 0;
    v->shape[0] = size;
    v->strides[0] = stride;
}

/* An operand that shares bytes with the output is replaced by a copy, which *copy owns. */
static cu_status
separate(const cu_array **in, const cu_array *out, cu_array *copy)
{
    cu_status st;
    if (*in == NULL || !cu_arrays_overlap(*in, out)) return CUPRIC_OK;
    st = cu_array_cast(*in, (*in)->dtype, 'K', copy);
    if (!st) *in = copy;
    return st;
}

/* ---- reduce -------------------------------------------------------------------------- */

bool
cu_reduction_identity(int op, int sig, cu_scalar *value)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    cu_dtype t = u->sigs[sig].type[u->nin];

    switch (u->identity) {
    case CUPRIC_IDENTITY_ZERO: cu_scalar_set_int(value, t, 0); return true;
    case CUPRIC_IDENTITY_ONE: cu_scalar_set_int(value, t, 1); return true;
    case CUPRIC_IDENTITY_MINUS_ONE: cu_scalar_set_int(value, t, -1); return true;
    case CUPRIC_IDENTITY_MINUS_INFINITY:
        cu_scalar_set_complex(value, t, -INFINITY, 0.0);
        return true;
    case CUPRIC_IDENTITY_NOT_A_NUMBER:
        cu_scalar_set_complex(value, t, NAN, NAN);
        return true;
    default: return false;
    }
}

/* Whether each result is made of no elements at all. */
static bool
is_of_nothing(const cu_reduction *r)
{
    for (int i = 0; i < r->in[0]->ndim; i++) {
        if (r->reduced[i] && r->in[0]->shape[i] == 0) return true;
    }
    return false;
}

static cu_status
reduce_empty(const cu_reduction *r, cu_array *out)
{
    const cu_ufunc *u = &cu_ufuncs[r->op];
    cu_dtype t = u->sigs[r->sig].type[u->nin];
    cu_scalar value;

    if (r->initial) {
        value = *r->initial;
    } else if (r->no_identity || !cu_reduction_identity(r->op, r->sig, &value)) {
        return cu_fail(
            CUPRIC_ERR_VALUE,
            "zero-size array to reduction operation %s which has no identity", u->name);
    }
    return cu_array_fill(out, t, &value, NULL);
}

/* Operands as the iteration takes them; returns the number of axes that remain. */
static int
view_all(const cu_reduction *r, const cu_array *const *in, const cu_array *out,
         cu_array *views)
{
    const cu_array *first = in[0];
    int order[CUPRIC_MAXDIMS], nkeep = 0, n = 0;
    bool flat = true;

    for (int i = 0; i < first->ndim; i++) {
        if (!r->reduced[i]) order[nkeep++] = i;
    }
    for (int k = 0; k < 3 && nkeep == 0; k++) flat &= is_flat(in[k], first);
    if (nkeep == 0 && flat) {
        for (int k = 0; k < r->nin; k++) {
            view_flat(in[k], first->size, cu_itemsize(in[k]->dtype), &views[n++]);
        }
        view_flat(out, first->size, 0, &views[n++]);
        if (in[2]) view_flat(in[2], first->size, 1, &views[n++]);
        return 0;
    }
    for (int i = 0, at = nkeep; i < first->ndim; i++) {
        if (r->reduced[i]) order[at++] = i;
    }
    for (int k = 0; k < r->nin; k++) {
        view_as(in[k], first->ndim, first->shape, order, &views[n++]);
    }
    view_output(out, r, nkeep, order, &views[n++]);
    if (in[2]) view_as(in[2], first->ndim, first->shape, order, &views[n++]);
    return nkeep;
}

cu_status
cu_array_reduce(const cu_reduction *r, cu_array *out)
{
    const cu_array *in[3] = {r->in[0], r->nin > 1 ? r->in[1] : NULL, r->mask};
    const cu_array *arrays[4] = {in[0], in[1], in[2], out};
    cu_array copies[3]; /* owned */
    cu_array views[4];  /* borrow storages */
    cu_iter_arg args[4];
    cu_device *device = NULL;
    cu_iter it;
    int nops = r->nin + 1 + (r->mask != NULL), nkeep;
    unsigned flags =
        (r->mask ? CUPRIC_ITER_MASKED : 0) | (r->ordered ? CUPRIC_ITER_KEEP_ORDER : 0);
    cu_status st;

    for (int k = 0; k < 3; k++) cu_array_clear(&copies[k]);
    st = cu_common_device(4, arrays, &device);
    if (st) return st;
    if (in[0]->size == 0 && is_of_nothing(r)) return reduce_empty(r, out);
    if (out->size == 0) return CUPRIC_OK;
    for (int k = 0; k < 3; k++) {
        st = separate(&in[k], out, &copies[k]);
        if (st) goto done;
    }
    nkeep = view_all(r, in, out, views);
    for (int k = 0; k < nops; k++) {
        args[k] =
            (cu_iter_arg){&views[k], NULL, 0, k == r->nin ? CUPRIC_WRITE : CUPRIC_READ};
    }
    cu_iter_build(&it, views[0].ndim, views[0].shape, nops, args, flags, &nkeep);
    cu_reduce call = {.op = r->op,
                      .sig = r->sig,
                      .nin = r->nin,
                      .nkeep = nkeep,
                      .it = &it,
                      .has_initial = r->initial != NULL,
                      .count = in[0]->size / out->size,
                      .param = r->param};
    if (r->initial) call.initial = *r->initial;
    st = device->backend->reduce(&call, stream_of(out));

done:
    for (int k = 0; k < 3; k++) cu_array_release(&copies[k]);
    return st;
}

cu_status
cu_array_largest_unsigned(const cu_array *a, uint64_t *value)
{
    cu_array in, out = cu_array_none(); /* in: borrowed; out: owned */
    cu_reduction c = {.op = CUPRIC_OP_maximum, .nin = 1, .in = {&in}};
    cu_scalar largest;
    cu_status st;

    cu_array_borrow(&in, a);
    if (cu_dtypes[a->dtype].kind == 'i')
        in.dtype = cu_unit_dtype(cu_itemsize(a->dtype));
    c.sig = cu_ufunc_find_same(c.op, in.dtype);
    for (int i = 0; i < in.ndim; i++) c.reduced[i] = true;
    st = cu_array_init(&out, cu_array_device(a), in.dtype, 0, NULL, 'C');
    if (!st) st = cu_array_reduce(&c, &out);
    if (!st) st = cu_array_get(&out, &largest);
    if (!st) *value = (uint64_t)cu_scalar_get_int(&largest, in.dtype);
    cu_array_release(&out);
    return st;
}

/* ---- scan, reduceat ------------------------------------------------------------------ */

/* Every axis but `axis`, then `axis`. */
static void
axis_last(int ndim, int axis, int *order)
{
    int n = 0;
    for (int i = 0; i < ndim; i++) {
        if (i != axis) order[n++] = i;
    }
    order[n] = axis;
}

/* What an operation along an axis begins with: its device, *in apart from `out` (a copy,
 * which the caller owns), and views of both with the axis last. Nothing, where `out` has no
 * elements. */
static cu_status
prepare_along(int axis, const cu_array **in, const cu_array *out, cu_array *copy,
              cu_array views[2], cu_device **device)
{
    const cu_array *arrays[2] = {*in, out};
    int order[CUPRIC_MAXDIMS];
    cu_status st = cu_common_device(2, arrays, device);

    cu_array_clear(copy);
    if (st || out->size == 0) return st;
    st = separate(in, out, copy);
    if (st) return st;
    axis_last((*in)->ndim, axis, order);
    view_as(*in, (*in)->ndim, (*in)->shape, order, &views[0]);
    view_as(out, out->ndim, out->shape, order, &views[1]);
    return CUPRIC_OK;
}

cu_status
cu_array_scan(int op, int sig, const cu_array *in, int axis, cu_array *out)
{
    cu_array copy;     /* owned */
    cu_array views[2]; /* borrow storages */
    cu_device *device = NULL;
    cu_iter it;
    int split = in->ndim - 1;
    cu_status st = prepare_along(axis, &in, out, &copy, views, &device);

    if (st || out->size == 0) return st;
    const cu_iter_arg args[2] = {{&views[0], NULL, 0, CUPRIC_READ},
                                 {&views[1], NULL, 0, CUPRIC_WRITE}};
    cu_iter_build(&it, in->ndim, views[0].shape, 2, args, 0, &split);
    const cu_scan call = {op, sig, &it};
    st = device->backend->scan(&call, stream_of(out));
    cu_array_release(&copy);
    return st;
}

cu_status
cu_array_reduceat(int op, int sig, const cu_array *in, int axis,
                  const cu_starts *starts, cu_array *out)
{
    const cu_array *there = starts->at ? NULL : starts->there;
    cu_array copy, own = cu_array_none(); /* owned */
    cu_array views[2];                    /* borrow storages */
    cu_device *device = NULL;
    cu_iter it;
    int last = in->ndim - 1;
    cu_status st = prepare_along(axis, &in, out, &copy, views, &device);

    if (!st && out->size > 0) st = separate(&there, out, &own);
    if (st || out->size == 0) {
        cu_array_release(&copy);
        return st;
    }
    cu_reduceat call = {.op = op,
                        .sig = sig,
                        .it = &it,
                        .length = in->shape[axis],
                        .in_stride = in->strides[axis],
                        .out_stride = out->strides[axis],
                        .starts = starts->at,
                        .nstarts = starts->n,
                        .on_device = there != NULL};
    const cu_iter_arg args[2] = {{&views[0], NULL, 0, CUPRIC_READ},
                                 {&views[1], NULL, 0, CUPRIC_WRITE}};
    if (call.on_device)
        call.starts = (const int64_t *)cu_array_access(there, CUPRIC_READ);
    views[0].ndim = views[1].ndim = last; /* the axis itself is not walked */
    cu_iter_build(&it, last, views[0].shape, 2, args, 0, NULL);
    st = device->backend->reduceat(&call, stream_of(out));
    cu_array_release(&copy);
    cu_array_release(&own);
    return st;
}
