/* array/join.c: see join.h. */
#include "array/join.h"

#include <string.h>

#define MANY 256 /* arrays that a backend is asked to join at once */

cu_status
cu_concat_shape(int64_t n, const cu_array *const *src, int axis, int64_t *shape)
{
    const cu_array *first = src[0];

    memcpy(shape, first->shape, (size_t)first->ndim * sizeof *shape);
    for (int64_t i = 1; i < n; i++) {
        if (src[i]->ndim != first->ndim) {
            return cu_fail(
                CUPRIC_ERR_VALUE,
                "all the input arrays must have same number of dimensions, but "
                "the array at index 0 has %d dimension(s) and the array at index "
                "%lld has %d dimension(s)",
                first->ndim, (long long)i, src[i]->ndim);
        }
        for (int d = 0; d < first->ndim; d++) {
            if (d == axis || src[i]->shape[d] == shape[d]) continue;
            return cu_fail(
                CUPRIC_ERR_VALUE,
                "all the input array dimensions except for the concatenation "
                "axis must match exactly, but along dimension %d, the array at "
                "index 0 has size %lld and the array at index %lld has size %lld",
                d, (long long)shape[d], (long long)i, (long long)src[i]->shape[d]);
        }
        if (__builtin_add_overflow(shape[axis], src[i]->shape[axis], &shape[axis])) {
            return cu_fail(CUPRIC_ERR_VALUE,
                           "the %lld arrays are too long together: along axis %d the "
                           "result would have more than 2**63 - 1 places",
                           (long long)n, axis);
        }
    }
    return CUPRIC_OK;
}

static cu_status
fill_parts(int64_t n, const cu_array *const *src, int axis, cu_array *out)
{
    cu_array part = cu_array_none(); /* owned */
    int64_t start = 0;
    cu_status st = CUPRIC_OK;

    for (int64_t i = 0; i < n && !st; i++) {
        int64_t length = src[i]->shape[axis];
        if (src[i]->size) {
            cu_array_slice(out, axis, start, 1, length, &part);
            st = cu_array_assign(&part, src[i], NULL);
            cu_array_release(&part);
        }
        start += length;
    }
    return st;
}

/* Arrays of one dtype, each one dense: their rows, of all that `axis` and those behind it
 * span, side by side. False where they are something else. */
static bool
as_rows(int64_t n, const cu_array *const *src, int axis, const cu_array *out,
        const char **from, int64_t *nbytes, cu_join *call)
{
    if (!(out->flags & CUPRIC_C_CONTIGUOUS)) return false;
    call->rows = 1;
    for (int d = 0; d < axis; d++) call->rows *= out->shape[d];
    for (int64_t i = 0; i < n; i++) {
        const cu_array *a = src[i];
        if (a->dtype != out->dtype || !(a->flags & CUPRIC_C_CONTIGUOUS)) return false;
        nbytes[i] = a->size / call->rows * cu_itemsize(a->dtype);
        from[i] = a->size ? cu_array_access(a, CUPRIC_READ) : NULL;
    }
    call->n = (int)n;
    call->from = from;
    call->nbytes = nbytes;
    call->out = cu_array_access(out, CUPRIC_WRITE);
    return true;
}

static cu_status
fill_apart(int64_t n, const cu_array *const *src, int axis, cu_array *out)
{
    const cu_device *device = cu_array_device(out);
    const char *from[MANY];
    int64_t nbytes[MANY];
    cu_join call;

    if (device->backend->join && n <= MANY && out->size &&
        as_rows(n, src, axis, out, from, nbytes, &call)) {
        return device->backend->join(&call, cu_stream_current((cu_device *)device));
    }
    return fill_parts(n, src, axis, out);
}

cu_status
cu_concat(int64_t n, const cu_array *const *src, int axis, cu_array *out)
{
    cu_array apart = cu_array_none(); /* owned */
    bool overlap = false;
    cu_status st;

    for (int64_t i = 0; i < n; i++) overlap |= cu_arrays_overlap(src[i], out);
    if (!overlap) return fill_apart(n, src, axis, out);
    st = cu_array_init(&apart, cu_array_device(out), out->dtype, out->ndim, out->shape,
                       'C');
    if (st) return st;
    st = fill_apart(n, src, axis, &apart);
    if (!st) st = cu_array_assign(out, &apart, NULL);
    cu_array_release(&apart);
    return st;
}
