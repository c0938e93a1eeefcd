/* array/index.c: see index.h. What the backend walks is the result's index space:
 *
 *     result   (n0, b0, b1, n3)      b: the index arrays' dimensions, n: walked axes
 *     array    (s0,  0,  0, s3)      strides; the indices add theirs times axis strides
 *     values   (v0, v1, v2, v3)
 *     index k  ( 0, i0, i1,  0)
 */
#include "array/index.h"

#include <stdio.h>
#include <string.h>

#include "env.h"

cu_status
cu_index_arrays_broadcast(int n, const cu_index_array *index_arrays, int *ndim,
                          int64_t *shape)
{
    char text[1024], one[CUPRIC_SHAPE_TEXT];
    size_t used = 0;
    bool fits = true;

    for (int k = 0; k < n && fits; k++) {
        fits = cu_shape_broadcast(ndim, shape, index_arrays[k].index->ndim,
                                  index_arrays[k].index->shape);
    }
    if (fits) return CUPRIC_OK;
    for (int k = 0; k < n && used < sizeof text; k++) {
        const cu_array *i = index_arrays[k].index;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s ",
                                 cu_shape_text(i->ndim, i->shape, one, sizeof one));
    }
    return cu_fail(
        CUPRIC_ERR_INDEX,
        "shape mismatch: indexing arrays could not be broadcast together with "
        "shapes %s",
        text);
}

/* An index over the result's shape: its own strides where the index dimensions stand. */
static void
spread_index(cu_array *out, const cu_array *index, const cu_array *walk, int ndim,
             int at)
{
    cu_array_borrow(out, walk);
    out->storage = index->storage;
    out->offset = index->offset;
    out->dtype = index->dtype;
    memset(out->strides, 0, (size_t)walk->ndim * sizeof out->strides[0]);
    cu_array_broadcast_strides(index, ndim, &out->strides[at]);
    cu_array_update_flags(out);
}

cu_status
cu_indexed_init(cu_indexed *out, const cu_array *a, int n,
                const cu_index_array *index_arrays, int ndim, const int64_t *shape,
                int at)
{
    bool indexed[CUPRIC_MAXDIMS] = {false};
    cu_array *walk = &out->walk;
    int d = 0;

    if (a->ndim - n + ndim > CUPRIC_MAXDIMS) {
        return cu_fail(CUPRIC_ERR_INDEX,
                       "number of dimensions must be within [0, %d], indexing result "
                       "would have %d",
                       CUPRIC_MAXDIMS, a->ndim - n + ndim);
    }
    cu_array_borrow(walk, a);
    walk->ndim = a->ndim - n + ndim;
    for (int k = 0; k < n; k++) indexed[index_arrays[k].axis] = true;
    for (int i = 0; i <= a->ndim; i++) {
        if (d == at) {
            for (int j = 0; j < ndim; j++, d++) {
                walk->shape[d] = shape[j];
                walk->strides[d] = 0;
            }
            at = -1 - at; /* placed: remembered as a negative number */
        }
        if (i == a->ndim || indexed[i]) continue;
        walk->shape[d] = a->shape[i];
        walk->strides[d++] = a->strides[i];
    }
    at = -1 - at;
    cu_array_update_flags(walk);

    cu_array_borrow(&out->base, a);
    out->nindex = n;
    out->distinct = false;
    out->check = cu_setting_int("CUPRIC_CHECK", 0) != 0;
    for (int k = 0; k < n; k++) {
        const cu_index_array *c = &index_arrays[k];
        out->length[k] = a->shape[c->axis];
        out->stride[k] = a->strides[c->axis];
        out->axis[k] = c->reported;
        if (out->length[k] == 0) out->check = true; /* nothing to wrap into */
        spread_index(&out->index[k], c->index, walk, ndim, at);
    }
    return CUPRIC_OK;
}

/* The shape to walk when writing. Along an axis on which neither the place nor the value
 * changes one step does, however long it is: stretched indices may be longer together
 * than any memory. */
static cu_status
writing_shape(const cu_indexed *x, const cu_array *value, int64_t *shape)
{
    const cu_array *walk = &x->walk;
    const int extra = value ? walk->ndim - value->ndim : walk->ndim;
    int64_t size;

    for (int i = 0; i < walk->ndim; i++) {
        bool moves = walk->strides[i] != 0 || walk->shape[i] <= 1 ||
                     (i >= extra && value->shape[i - extra] > 1 &&
                      value->strides[i - extra] != 0);
        for (int k = 0; k < x->nindex && !moves; k++) {
            moves = x->index[k].strides[i] != 0;
        }
        shape[i] = moves ? walk->shape[i] : 1;
    }
    return cu_shape_size(CUPRIC_INT8, walk->ndim, shape, &size);
}

static cu_status
run_indexed(const cu_indexed *x, const cu_iter_arg *value, bool writes)
{
    cu_iter_arg args[CUPRIC_MAXOPERANDS];
    const cu_array *arrays[CUPRIC_MAXOPERANDS];
    const int64_t *shape = x->walk.shape;
    int64_t fewer[CUPRIC_MAXDIMS];
    cu_device *device = NULL;
    cu_index call;
    cu_iter it;
    unsigned odd = 0;
    int n = 0;
    cu_status st;

    args[n++] = (cu_iter_arg){&x->walk, NULL, 0, writes ? CUPRIC_WRITE : CUPRIC_READ};
    args[n++] = *value;
    for (int k = 0; k < x->nindex; k++) {
        args[n++] = (cu_iter_arg){&x->index[k], NULL, 0, CUPRIC_READ};
    }
    for (int k = 0; k < n; k++) arrays[k] = args[k].array;
    st = cu_common_device(n, arrays, &device);
    if (st || x->walk.size == 0) return st;
    if (writes) {
        st = writing_shape(x, value->array, fewer);
        if (st) return st;
        shape = fewer;
    }
    for (int k = 0; k < x->nindex; k++) odd |= (unsigned)x->stride[k] & 15;
    cu_iter_build(&it, x->walk.ndim, shape, n, args,
                  CUPRIC_ITER_KEEP_ORDER | odd * CUPRIC_ITER_ODD, NULL);
    call.it = &it;
    call.nindex = x->nindex;
    call.check = x->check;
    call.distinct = x->distinct;
    memcpy(call.length, x->length, (size_t)x->nindex * sizeof x->length[0]);
    memcpy(call.stride, x->stride, (size_t)x->nindex * sizeof x->stride[0]);
    memcpy(call.axis, x->axis, (size_t)x->nindex * sizeof x->axis[0]);
    cu_stream *s = cu_stream_current(device);
    return writes ? device->backend->scatter(&call, s)
                  : device->backend->gather(&call, s);
}

static bool
touches(const cu_indexed *x, const cu_array *a)
{
    if (cu_arrays_overlap(a, &x->base)) return true;
    for (int k = 0; k < x->nindex; k++) {
        if (cu_arrays_overlap(a, &x->index[k])) return true;
    }
    return false;
}

cu_status
cu_indexed_gather(const cu_indexed *x, cu_array *out)
{
    cu_array apart = cu_array_none(); /* owned */
    cu_iter_arg value = {out, NULL, 0, CUPRIC_WRITE};
    cu_status st;

    if (out->dtype == x->base.dtype && !touches(x, out))
        return run_indexed(x, &value, false);
    st = cu_array_init(&apart, cu_array_device(out), x->base.dtype, out->ndim,
                       out->shape, 'C');
    if (st) return st;
    value.array = &apart;
    st = run_indexed(x, &value, false);
    if (!st) st = cu_array_assign(out, &apart, NULL);
    cu_array_release(&apart);
    return st;
}

/* Indices and values that the writing would change are copied first. Backends move
 * elements as they are, so that values have the array's dtype when they get there. */
cu_status
cu_indexed_scatter(const cu_indexed *given, const cu_iter_arg *given_value)
{
    const cu_indexed *x = given;
    cu_indexed apart;
    cu_iter_arg value = *given_value;
    cu_array copies[CUPRIC_MAXDIMS + 1]; /* owned: the first n */
    int n = 0;
    cu_status st = CUPRIC_OK;

    for (int k = 0; k < x->nindex; k++) {
        if (!cu_arrays_overlap(&x->index[k], &x->base)) continue;
        st = cu_array_cast(&x->index[k], CUPRIC_INT64, 'C', &copies[n]);
        if (st) goto done;
        if (x == given) apart = *given;
        apart.index[k] = copies[n++];
        x = &apart;
    }
    if (value.array && (value.array->dtype != x->base.dtype ||
                        cu_arrays_overlap(value.array, &x->base))) {
        st = cu_array_cast(value.array, x->base.dtype, 'K', &copies[n]);
        if (st) goto done;
        value.array = &copies[n++];
    }
    st = run_indexed(x, &value, true);

done:
    while (n > 0) cu_array_release(&copies[--n]);
    return st;
}

cu_status
cu_array_arange(cu_device *device, cu_dtype dtype, int64_t n, const cu_scalar *start,
                const cu_scalar *step, cu_array *out)
{
    cu_array a = cu_array_none(); /* owned */
    cu_status st;

    st = cu_array_init(&a, device, dtype, 1, &n, 'C');
    if (st) return st;
    if (n > 0) {
        st = device->backend->arange(dtype, n, start, step,
                                     cu_array_access(&a, CUPRIC_WRITE),
                                     cu_stream_current(device));
    }
    if (st) {
        cu_array_release(&a);
        return st;
    }
    cu_array_move(out, &a);
    return CUPRIC_OK;
}
