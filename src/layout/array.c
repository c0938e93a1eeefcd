/* layout/array.c: making, sharing and describing arrays. */
#include "layout/array.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void
cu_strides_fill(cu_dtype dtype, int ndim, const int64_t *shape, char order,
                int64_t *strides)
{
    int64_t step = cu_itemsize(dtype);
    for (int i = 0; i < ndim; i++) {
        int d = order == 'F' ? i : ndim - 1 - i;
        strides[d] = step;
        if (shape[d] > 1) step *= shape[d];
    }
}

cu_status
cu_shape_size(cu_dtype dtype, int ndim, const int64_t *shape, int64_t *size)
{
    int64_t n = 1, nonzero = cu_itemsize(dtype);
    bool too_big = false;

    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0) {
            return cu_fail(CUPRIC_ERR_VALUE, "negative dimensions are not allowed");
        }
        n *= shape[i] == 0 ? 0 : 1;
        /* An empty array must not have strides that overflow either. */
        if (shape[i] > 0 && __builtin_mul_overflow(nonzero, shape[i], &nonzero)) {
            too_big = true;
        }
    }
    if (too_big) {
        char text[CUPRIC_SHAPE_TEXT];
        return cu_fail(
            CUPRIC_ERR_VALUE,
            "array is too big; `arr.size * arr.dtype.itemsize` is larger than "
            "the maximum possible size (shape %s, dtype %s)",
            cu_shape_text(ndim, shape, text, sizeof text), cu_dtypes[dtype].name);
    }
    *size = n ? nonzero / cu_itemsize(dtype) : 0;
    return CUPRIC_OK;
}

void
cu_array_update_flags(cu_array *a)
{
    uint64_t item = (uint64_t)cu_itemsize(a->dtype), c = item, f = item;
    int64_t size = 1;
    bool is_c = true, is_f = true, is_empty = false;

    /* Axes that are stretched (stride 0) may be longer together than any memory. */
    for (int i = a->ndim - 1; i >= 0; i--) {
        if (a->shape[i] != 1 && (uint64_t)a->strides[i] != c) is_c = false;
        c *= (uint64_t)a->shape[i];
        is_empty |= a->shape[i] == 0;
        if (__builtin_mul_overflow(size, a->shape[i], &size)) size = INT64_MAX;
    }
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] != 1 && (uint64_t)a->strides[i] != f) is_f = false;
        f *= (uint64_t)a->shape[i];
    }
    if (is_empty) size = 0;
    if (size == 0) is_c = is_f = true;
    a->size = size;
    a->flags &= ~(unsigned)(CUPRIC_C_CONTIGUOUS | CUPRIC_F_CONTIGUOUS);
    a->flags |= (is_c ? CUPRIC_C_CONTIGUOUS : 0u) | (is_f ? CUPRIC_F_CONTIGUOUS : 0u);
}

cu_status
cu_array_init(cu_array *out, cu_device *device, cu_dtype dtype, int ndim,
              const int64_t *shape, char order)
{
    cu_storage *storage = NULL; /* owned */
    int64_t size;
    int wide = 0; /* axes longer than 1 */
    cu_status st;

    if (ndim > CUPRIC_MAXDIMS) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "maximum supported dimension for an ndarray is currently %d, "
                       "found %d",
                       CUPRIC_MAXDIMS, ndim);
    }
    st = cu_shape_size(dtype, ndim, shape, &size);
    if (st) return st;
    st = cu_storage_new(device, (size_t)(size * cu_itemsize(dtype)), &storage);
    if (st) return st;

    out->storage = storage;
    out->offset = 0;
    out->size = size;
    out->dtype = dtype;
    out->ndim = ndim;
    for (int i = 0; i < ndim; i++) {
        out->shape[i] = shape[i];
        wide += shape[i] != 1;
    }
    if (size == 0) { /* nothing to step to: NumPy's strides of new empty arrays */
        memset(out->strides, 0, (size_t)ndim * sizeof *shape);
    } else {
        cu_strides_fill(dtype, ndim, shape, order, out->strides);
    }
    out->flags = CUPRIC_WRITEABLE | CUPRIC_OWNDATA;
    if (wide <= 1 || size == 0) {
        out->flags |= CUPRIC_C_CONTIGUOUS | CUPRIC_F_CONTIGUOUS;
    } else {
        out->flags |= order == 'F' ? CUPRIC_F_CONTIGUOUS : CUPRIC_C_CONTIGUOUS;
    }
    return CUPRIC_OK;
}

cu_status
cu_array_init_like(cu_array *out, cu_device *device, cu_dtype dtype,
                   const cu_array *like)
{
    int order[CUPRIC_MAXDIMS];
    int64_t step = cu_itemsize(dtype);
    cu_status st;

    if (like->flags & CUPRIC_C_CONTIGUOUS) {
        return cu_array_init(out, device, dtype, like->ndim, like->shape, 'C');
    }
    if (like->flags & CUPRIC_F_CONTIGUOUS) {
        return cu_array_init(out, device, dtype, like->ndim, like->shape, 'F');
    }
    st = cu_array_init(out, device, dtype, like->ndim, like->shape, 'C');
    if (st || out->size == 0) return st;

    /* Axes by falling |stride|, stable, so that ties stay in C order. */
    for (int i = 0; i < like->ndim; i++) {
        int64_t s = like->strides[i] < 0 ? -like->strides[i] : like->strides[i];
        int j = i;
        for (; j > 0; j--) {
            int64_t t = like->strides[order[j - 1]];
            if ((t < 0 ? -t : t) >= s) break;
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    for (int i = like->ndim - 1; i >= 0; i--) {
        out->strides[order[i]] = step;
        if (like->shape[order[i]] > 1) step *= like->shape[order[i]];
    }
    cu_array_update_flags(out);
    return CUPRIC_OK;
}

bool
cu_array_has_order(const cu_array *like)
{
    for (int d = 0; d < like->ndim; d++) {
        if (like->strides[d] == 0 && like->shape[d] != 1) return false;
    }
    return true;
}

cu_status
cu_array_init_strided(cu_array *out, cu_device *device, cu_dtype dtype, int ndim,
                      const int64_t *shape, const int64_t *strides)
{
    cu_storage *storage = NULL; /* owned */
    int64_t size, first = 0, nbytes = cu_itemsize(dtype);
    bool too_big = false;
    cu_status st = cu_shape_size(dtype, ndim, shape, &size);

    if (st) return st;
    for (int i = 0; i < ndim && size > 0; i++) {
        int64_t span;
        too_big |= __builtin_mul_overflow(shape[i] - 1, strides[i], &span);
        if (span < 0) {
            too_big |= __builtin_sub_overflow(first, span, &first);
            too_big |= __builtin_sub_overflow((int64_t)0, span, &span);
        }
        too_big |= __builtin_add_overflow(nbytes, span, &nbytes);
    }
    if (too_big || first < 0) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "array is too big: its strides span more bytes than any memory "
                       "has");
    }
    st = cu_storage_new(device, size > 0 ? (size_t)nbytes : 0, &storage);
    if (st) return st;
    cu_array_init_view(out, storage, first, dtype, ndim, shape, strides);
    out->flags |= CUPRIC_OWNDATA;
    cu_storage_unref(storage);
    return CUPRIC_OK;
}

void
cu_array_init_view(cu_array *out, cu_storage *storage, int64_t offset, cu_dtype dtype,
                   int ndim, const int64_t *shape, const int64_t *strides)
{
    assert(ndim <= CUPRIC_MAXDIMS);
    out->storage = cu_storage_ref(storage);
    out->offset = offset;
    out->dtype = dtype;
    out->ndim = ndim;
    out->flags = CUPRIC_WRITEABLE;
    memcpy(out->shape, shape, (size_t)ndim * sizeof *shape);
    memcpy(out->strides, strides, (size_t)ndim * sizeof *strides);
    cu_array_update_flags(out);
}

void
cu_array_move(cu_array *out, cu_array *a)
{
    memcpy(out, a, offsetof(cu_array, shape));
    memcpy(out->shape, a->shape, (size_t)a->ndim * sizeof *a->shape);
    memcpy(out->strides, a->strides, (size_t)a->ndim * sizeof *a->strides);
    a->storage = NULL;
}

void
cu_array_alias(cu_array *out, const cu_array *a)
{
    memcpy(out, a, offsetof(cu_array, shape));
    memcpy(out->shape, a->shape, (size_t)a->ndim * sizeof *a->shape);
    memcpy(out->strides, a->strides, (size_t)a->ndim * sizeof *a->strides);
    cu_storage_ref(a->storage);
    out->flags &= ~(unsigned)CUPRIC_OWNDATA;
}

void
cu_array_release(cu_array *a)
{
    cu_storage *s = a->storage;
    a->storage = NULL;
    cu_storage_unref(s);
}

void
cu_array_extent(const cu_array *a, int64_t *lo, int64_t *hi)
{
    *lo = *hi = a->offset;
    if (a->size == 0) return;
    for (int i = 0; i < a->ndim; i++) {
        int64_t span = (a->shape[i] - 1) * a->strides[i];
        if (span < 0) {
            *lo += span;
        } else {
            *hi += span;
        }
    }
    *hi += cu_itemsize(a->dtype);
}

bool
cu_arrays_overlap(const cu_array *a, const cu_array *b)
{
    int64_t alo, ahi, blo, bhi;
    const char *pa, *pb;

    if (a->size == 0 || b->size == 0) return false;
    pa = a->storage->ptr;
    pb = b->storage->ptr;
    /* Two storages may describe one memory: it was handed out and taken in again. */
    if (a->storage != b->storage && !(a->storage->escaped && b->storage->escaped)) {
        return false;
    }
    cu_array_extent(a, &alo, &ahi);
    cu_array_extent(b, &blo, &bhi);
    return pa + alo < pb + bhi && pb + blo < pa + ahi;
}

bool
cu_arrays_same_view(const cu_array *a, const cu_array *b)
{
    if ((char *)a->storage->ptr + a->offset != (char *)b->storage->ptr + b->offset ||
        a->ndim != b->ndim || cu_itemsize(a->dtype) != cu_itemsize(b->dtype)) {
        return false;
    }
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] != b->shape[i]) return false;
        if (a->shape[i] > 1 && a->strides[i] != b->strides[i]) return false;
    }
    return true;
}

bool
cu_array_overlaps_itself(const cu_array *a)
{
    int64_t lo, hi, need = cu_itemsize(a->dtype);
    int order[CUPRIC_MAXDIMS], n = 0;

    if (a->size <= 1 || (a->flags & (CUPRIC_C_CONTIGUOUS | CUPRIC_F_CONTIGUOUS))) {
        return false;
    }
    cu_array_extent(a, &lo, &hi);
    if ((hi - lo) / need < a->size) return true;
    /* Sorted by stride, each axis must step over all that the smaller ones cover. This
     * may call an exotic view folded that is not; callers only copy then. */
    for (int i = 0; i < a->ndim; i++) {
        int64_t s = a->strides[i] < 0 ? -a->strides[i] : a->strides[i];
        int j = n;
        if (a->shape[i] == 1) continue;
        for (; j > 0; j--) {
            int64_t t = a->strides[order[j - 1]];
            if ((t < 0 ? -t : t) <= s) break;
            order[j] = order[j - 1];
        }
        order[j] = i;
        n++;
    }
    for (int k = 0; k < n; k++) {
        int64_t s = a->strides[order[k]];
        if (s < 0) s = -s;
        if (s < need) return true;
        need += s * (a->shape[order[k]] - 1);
    }
    return false;
}

void
cu_array_view_of(const cu_array *a, int access, cu_view *out)
{
    out->ptr = cu_array_access(a, access);
    out->dtype = a->dtype;
    out->ndim = a->ndim;
    memcpy(out->shape, a->shape, (size_t)a->ndim * sizeof *a->shape);
    memcpy(out->strides, a->strides, (size_t)a->ndim * sizeof *a->strides);
}

const char *
cu_shape_text(int ndim, const int64_t *shape, char *buf, size_t nbuf)
{
    size_t n = 0;
    n += (size_t)snprintf(buf, nbuf, "(");
    for (int i = 0; i < ndim && n < nbuf; i++) {
        n += (size_t)snprintf(buf + n, nbuf - n, i ? ", %lld" : "%lld",
                              (long long)shape[i]);
    }
    if (n < nbuf) snprintf(buf + n, nbuf - n, ndim == 1 ? ",)" : ")");
    return buf;
}

bool
cu_shape_broadcast(int *ndim, int64_t *out, int ndim2, const int64_t *shape2)
{
    if (ndim2 > *ndim) {
        int grow = ndim2 - *ndim;
        memmove(out + grow, out, (size_t)*ndim * sizeof *out);
        for (int i = 0; i < grow; i++) out[i] = 1;
        *ndim = ndim2;
    }
    for (int i = 0; i < ndim2; i++) {
        int64_t *d = &out[*ndim - ndim2 + i];
        if (*d == shape2[i] || shape2[i] == 1) continue;
        if (*d != 1) return false;
        *d = shape2[i];
    }
    return true;
}

void
cu_array_broadcast_strides(const cu_array *a, int ndim, int64_t *strides)
{
    int extra = ndim - a->ndim;
    for (int i = 0; i < extra; i++) strides[i] = 0;
    for (int i = 0; i < a->ndim; i++) {
        strides[extra + i] = a->shape[i] == 1 ? 0 : a->strides[i];
    }
}

cu_status
cu_axis_normalize(int64_t axis, int ndim, int *out)
{
    if (axis < -ndim || axis >= ndim) {
        return cu_fail(CUPRIC_ERR_AXIS,
                       "axis %lld is out of bounds for array of dimension %d",
                       (long long)axis, ndim);
    }
    *out = (int)(axis < 0 ? axis + ndim : axis);
    return CUPRIC_OK;
}
