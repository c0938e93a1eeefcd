/* layout/views.c: other arrays over the same memory. */
#include <string.h>

#include "layout/array.h"

cu_status
cu_array_broadcast_to(const cu_array *a, int ndim, const int64_t *shape, cu_array *out)
{
    int64_t joined[CUPRIC_MAXDIMS], strides[CUPRIC_MAXDIMS], size;
    int n = ndim;
    char from[CUPRIC_SHAPE_TEXT], to[CUPRIC_SHAPE_TEXT];
    cu_status st;

    memcpy(joined, shape, (size_t)ndim * sizeof *shape);
    if (a->ndim > ndim || !cu_shape_broadcast(&n, joined, a->ndim, a->shape) ||
        memcmp(joined, shape, (size_t)ndim * sizeof *shape) != 0) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "operands could not be broadcast together with remapped shapes "
                       "[original->remapped]: %s  and requested shape %s",
                       cu_shape_text(a->ndim, a->shape, from, sizeof from),
                       cu_shape_text(ndim, shape, to, sizeof to));
    }
    /* Lengths and byte counts of views are used without further checks. */
    st = cu_shape_size(a->dtype, ndim, shape, &size);
    if (st) return st;
    cu_array_broadcast_strides(a, ndim, strides);
    cu_array_init_view(out, a->storage, a->offset, a->dtype, ndim, shape, strides);
    out->flags &= ~(unsigned)CUPRIC_WRITEABLE;
    return CUPRIC_OK;
}

cu_status
cu_shape_resolve(int64_t size, int ndim, const int64_t *given, int64_t *shape)
{
    int unknown = -1;
    int64_t known = 1;
    bool overflow = false;
    char text[CUPRIC_SHAPE_TEXT];

    for (int i = 0; i < ndim; i++) {
        shape[i] = given[i];
        if (given[i] < 0) {
            if (given[i] != -1 || unknown >= 0) {
                return unknown >= 0
                           ? cu_fail(CUPRIC_ERR_VALUE,
                                     "can only specify one unknown dimension")
                           : cu_fail(
                                 CUPRIC_ERR_VALUE,
                                 "negative dimensions are not allowed, except one -1 "
                                 "that stands for what is left");
            }
            unknown = i;
        } else if (__builtin_mul_overflow(known, given[i], &known)) {
            overflow = true;
        }
    }
    if (!overflow && unknown >= 0 && known > 0 && size % known == 0) {
        shape[unknown] = size / known;
        return CUPRIC_OK;
    }
    if (overflow || unknown >= 0 || known != size) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "cannot reshape array of size %lld into shape %s",
                       (long long)size, cu_shape_text(ndim, given, text, sizeof text));
    }
    return CUPRIC_OK;
}

/* Strides of the new shape over the old memory: each run of old axes that are dense
 * with respect to each other is re-divided among new axes of the same total length. */
static bool
reshape_strides(const cu_array *a, int ndim, const int64_t *shape, bool fortran,
                int64_t *strides)
{
    int64_t old_shape[CUPRIC_MAXDIMS], old_strides[CUPRIC_MAXDIMS];
    int n = 0, oi = 0, ni = 0;

    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] == 1) continue;
        old_shape[n] = a->shape[i];
        old_strides[n++] = a->strides[i];
    }
    while (ni < ndim && oi < n) {
        int nj = ni + 1, oj = oi + 1;
        int64_t np = shape[ni], op = old_shape[oi];
        while (np != op) {
            if (np < op) {
                np *= shape[nj++];
            } else {
                op *= old_shape[oj++];
            }
        }
        for (int k = oi; k < oj - 1; k++) {
            if (fortran ? old_strides[k + 1] != old_shape[k] * old_strides[k]
                        : old_strides[k] != old_shape[k + 1] * old_strides[k + 1]) {
                return false;
            }
        }
        if (fortran) {
            strides[ni] = old_strides[oi];
            for (int k = ni + 1; k < nj; k++)
                strides[k] = strides[k - 1] * shape[k - 1];
        } else {
            strides[nj - 1] = old_strides[oj - 1];
            for (int k = nj - 1; k > ni; k--) strides[k - 1] = strides[k] * shape[k];
        }
        ni = nj;
        oi = oj;
    }
    /* What is left are new axes of length 1. */
    for (int k = ni; k < ndim; k++) {
        strides[k] = k > 0 && !fortran ? strides[k - 1] : cu_itemsize(a->dtype);
    }
    return true;
}

cu_status
cu_array_reshape(const cu_array *a, int ndim, const int64_t *shape, char order,
                 cu_array *out, bool *needs_copy)
{
    int64_t full[CUPRIC_MAXDIMS], strides[CUPRIC_MAXDIMS];
    bool fortran = order == 'F' || (order == 'A' && (a->flags & CUPRIC_F_CONTIGUOUS) &&
                                    !(a->flags & CUPRIC_C_CONTIGUOUS));
    cu_status st;

    if (ndim > CUPRIC_MAXDIMS) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "maximum supported dimension for an ndarray is currently %d, "
                       "found %d",
                       CUPRIC_MAXDIMS, ndim);
    }
    st = cu_shape_resolve(a->size, ndim, shape, full);
    if (st) return st;
    if (a->size == 0) { /* the other lengths may be anything */
        int64_t size;
        st = cu_shape_size(a->dtype, ndim, full, &size);
        if (st) return st;
    }
    *needs_copy = false;
    if (a->size == 0 ||
        (a->flags & (fortran ? CUPRIC_F_CONTIGUOUS : CUPRIC_C_CONTIGUOUS))) {
        cu_strides_fill(a->dtype, ndim, full, fortran ? 'F' : 'C', strides);
    } else if (!reshape_strides(a, ndim, full, fortran, strides)) {
        *needs_copy = true;
        return CUPRIC_OK;
    }
    cu_array_init_view(out, a->storage, a->offset, a->dtype, ndim, full, strides);
    out->flags &= ~(unsigned)CUPRIC_WRITEABLE | (a->flags & CUPRIC_WRITEABLE);
    return CUPRIC_OK;
}

cu_status
cu_array_transpose(const cu_array *a, const int *axes, cu_array *out)
{
    int order[CUPRIC_MAXDIMS];
    unsigned c = a->flags & CUPRIC_C_CONTIGUOUS, f = a->flags & CUPRIC_F_CONTIGUOUS;

    for (int i = 0; i < a->ndim; i++) order[i] = axes ? axes[i] : a->ndim - 1 - i;
    out->storage = cu_storage_ref(a->storage);
    out->offset = a->offset;
    out->size = a->size;
    out->dtype = a->dtype;
    out->ndim = a->ndim;
    out->flags = a->flags & CUPRIC_WRITEABLE;
    for (int i = 0; i < a->ndim; i++) {
        out->shape[i] = a->shape[order[i]];
        out->strides[i] = a->strides[order[i]];
    }
    if (axes == NULL) { /* reversed: the two orders change places */
        out->flags |= (c ? CUPRIC_F_CONTIGUOUS : 0u) | (f ? CUPRIC_C_CONTIGUOUS : 0u);
    } else {
        cu_array_update_flags(out);
    }
    return CUPRIC_OK;
}

cu_status
cu_array_squeeze(const cu_array *a, const bool *drop, cu_array *out)
{
    int64_t shape[CUPRIC_MAXDIMS], strides[CUPRIC_MAXDIMS];
    int n = 0;

    for (int i = 0; i < a->ndim; i++) {
        if (drop[i]) {
            if (a->shape[i] == 1) continue;
            return cu_fail(
                CUPRIC_ERR_VALUE,
                "cannot select an axis to squeeze out which has size not equal "
                "to one (axis %d has size %lld)",
                i, (long long)a->shape[i]);
        }
        shape[n] = a->shape[i];
        strides[n++] = a->strides[i];
    }
    cu_array_init_view(out, a->storage, a->offset, a->dtype, n, shape, strides);
    out->flags &= ~(unsigned)CUPRIC_WRITEABLE | (a->flags & CUPRIC_WRITEABLE);
    return CUPRIC_OK;
}

cu_status
cu_array_diagonal(const cu_array *a, int64_t offset, int axis1, int axis2,
                  cu_array *out)
{
    int64_t shape[CUPRIC_MAXDIMS], strides[CUPRIC_MAXDIMS];
    int64_t rows = a->shape[axis1], cols = a->shape[axis2], start = a->offset, len;
    int n = 0;

    if (offset >= 0) {
        len = cols - offset < rows ? cols - offset : rows;
        if (len > 0) start += offset * a->strides[axis2];
    } else {
        len = rows + offset < cols ? rows + offset : cols;
        if (len > 0) start -= offset * a->strides[axis1];
    }
    for (int i = 0; i < a->ndim; i++) {
        if (i == axis1 || i == axis2) continue;
        shape[n] = a->shape[i];
        strides[n++] = a->strides[i];
    }
    shape[n] = len > 0 ? len : 0;
    strides[n++] = a->strides[axis1] + a->strides[axis2];
    cu_array_init_view(out, a->storage, start, a->dtype, n, shape, strides);
    out->flags &= ~(unsigned)CUPRIC_WRITEABLE | (a->flags & CUPRIC_WRITEABLE);
    return CUPRIC_OK;
}

void
cu_array_slice(const cu_array *a, int axis, int64_t start, int64_t step, int64_t length,
               cu_array *out)
{
    cu_array_alias(out, a);
    if (length > 0) out->offset += start * a->strides[axis];
    out->shape[axis] = length;
    out->strides[axis] = a->strides[axis] * step;
    cu_array_update_flags(out);
}

cu_status
cu_array_reinterpret(const cu_array *a, cu_dtype dtype, cu_array *out)
{
    int64_t from = cu_itemsize(a->dtype), to = cu_itemsize(dtype), nbytes;
    int last = a->ndim - 1;

    if (from == to) {
        cu_array_alias(out, a);
        out->dtype = dtype;
        return CUPRIC_OK;
    }
    if (a->ndim == 0) {
        return cu_fail(
            CUPRIC_ERR_VALUE,
            "Changing the dtype of a 0d array is only supported if the itemsize "
            "is unchanged");
    }
    if (a->size && a->shape[last] > 1 && a->strides[last] != from) {
        return cu_fail(
            CUPRIC_ERR_VALUE,
            "To change to a dtype of a different size, the last axis must be "
            "contiguous");
    }
    nbytes = a->shape[last] * from;
    if (nbytes % to) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       to > from
                           ? "When changing to a larger dtype, its size must be a "
                             "divisor of the total size in bytes of the last axis of "
                             "the array (%lld bytes as %s)"
                           : "When changing to a smaller dtype, its size must be a "
                             "divisor of the size of original dtype (%lld bytes as %s)",
                       (long long)nbytes, cu_dtypes[dtype].name);
    }
    cu_array_alias(out, a);
    out->dtype = dtype;
    out->shape[last] = nbytes / to;
    out->strides[last] = to;
    cu_array_update_flags(out);
    return CUPRIC_OK;
}
