/* ops/execute.c: see execute.h. */
#include "ops/execute.h"

#include <string.h>

#include "kernel/record.h"

enum { MAX_ARGS = 8 };

static cu_stream *
stream_of(const cu_array *a)
{
    return cu_stream_current(cu_array_device(a));
}

/* Recordings of calls take what has run. */
static void
note_iteration(cu_device *device, const cu_elementwise *call, const cu_iter *it,
               const cu_iter_arg *args)
{
    cu_storage *storages[CUPRIC_MAXOPERANDS];

    for (int k = 0; k < it->nops; k++) {
        storages[k] = args[k].array ? args[k].array->storage : NULL;
    }
    cu_record_iteration(device, call, it, storages);
}

/* An input that shares bytes with an output, other than element for element, is replaced
 * by a copy: *copy owns it. */
static cu_status
separate(const cu_array *in, int nout, cu_array *const *out, cu_array *copy,
         bool *copied)
{
    *copied = false;
    for (int k = 0; k < nout; k++) {
        if (!cu_arrays_overlap(in, out[k]) || cu_arrays_same_view(in, out[k])) continue;
        *copied = true;
        return cu_array_cast(in, in->dtype, 'K', copy);
    }
    return CUPRIC_OK;
}

cu_status
cu_run_elementwise(int op, int sig, int nin, const cu_iter_arg *in, int nout,
                   cu_array *const *out, const cu_array *mask)
{
    cu_array copies[MAX_ARGS + 1]; /* owned: the first ncopies */
    const cu_array *arrays[2 * MAX_ARGS + 1];
    cu_iter_arg args[2 * MAX_ARGS + 1];
    cu_device *device = NULL;
    cu_iter it;
    int n = 0, ncopies = 0;
    bool copied;
    cu_status st;

    for (int k = 0; k < nin; k++) args[n++] = in[k];
    for (int k = 0; k < nout; k++)
        args[n++] = (cu_iter_arg){out[k], NULL, 0, CUPRIC_WRITE};
    if (mask) args[n++] = (cu_iter_arg){mask, NULL, 0, CUPRIC_READ};
    for (int k = 0; k < n; k++) arrays[k] = args[k].array;
    st = cu_common_device(n, arrays, &device);
    if (st || out[0]->size == 0) return st;

    for (int k = 0; k < n; k++) {
        if (args[k].array == NULL || (args[k].access & CUPRIC_WRITE)) continue;
        st = separate(args[k].array, nout, out, &copies[ncopies], &copied);
        if (st) goto done;
        if (copied) args[k].array = &copies[ncopies++];
    }
    cu_iter_build(&it, out[0]->ndim, out[0]->shape, n, args,
                  mask ? CUPRIC_ITER_MASKED : 0, NULL);
    const cu_elementwise call = {op, sig, nin, nout, &it};
    st = device->backend->elementwise(&call, stream_of(out[0]));
    if (CUPRIC_UNLIKELY(cu_may_record()) && !st) {
        note_iteration(device, &call, &it, args);
    }

done:
    while (ncopies > 0) cu_array_release(&copies[--ncopies]);
    return st;
}

static bool
dense_in_one_order(const cu_array *a, const cu_array *b)
{
    unsigned both = a->flags & b->flags & (CUPRIC_C_CONTIGUOUS | CUPRIC_F_CONTIGUOUS);
    return both && a->ndim == b->ndim &&
           memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0;
}

/* From another device of the backend: straight to its place where the bytes lie alike,
 * else by a copy beside it. */
static cu_status
assign_across_devices(cu_array *dst, const cu_array *src, const cu_array *mask)
{
    cu_array near = cu_array_none(); /* owned */
    cu_status st;

    if (!mask && src->dtype == dst->dtype && dense_in_one_order(dst, src)) {
        return cu_storage_copy(cu_array_device(dst), cu_array_access(dst, CUPRIC_WRITE),
                               cu_array_device(src), cu_array_access(src, CUPRIC_READ),
                               (size_t)(dst->size * cu_itemsize(dst->dtype)),
                               stream_of(src));
    }
    st = cu_array_to_device(src, cu_array_device(dst), &near);
    if (!st) st = cu_array_assign(dst, &near, mask);
    cu_array_release(&near);
    return st;
}

static cu_status
fail_conversion(cu_dtype from, cu_dtype to)
{
    return cu_fail(
        CUPRIC_ERR_TYPE,
        "elements of dtype %s cannot be converted to %s: only times, "
        "structures and plain bytes of the same dtype can be assigned (a view "
        "as an ordinary dtype, for example x.view('int64'), can be converted)",
        cu_dtypes[from].name, cu_dtypes[to].name);
}

/* Neither is opaque, or both are the same. */
static bool
is_convertible(cu_dtype from, cu_dtype to)
{
    return CUPRIC_LIKELY(from < CUPRIC_N_DTYPES && to < CUPRIC_N_DTYPES) || from == to;
}

static bool
is_on_other_device(const cu_array *dst, const cu_array *src)
{
    return CUPRIC_UNLIKELY(cu_array_device(dst) != cu_array_device(src)) &&
           cu_array_device(dst)->backend == cu_array_device(src)->backend;
}

/* One conversion into `dst`, which may overlap the mask, but not the value. */
static cu_status
convert(cu_array *dst, const cu_iter_arg *value, const cu_array *mask)
{
    cu_array apart = cu_array_none(); /* owned */
    cu_iter_arg args[3] = {*value, {dst, NULL, 0, CUPRIC_WRITE}};
    bool copied = false;
    cu_iter it;
    cu_status st = CUPRIC_OK;

    if (mask) {
        st = separate(mask, 1, &dst, &apart, &copied);
        if (st) return st;
        args[2] = (cu_iter_arg){copied ? &apart : mask, NULL, 0, CUPRIC_READ};
    }
    cu_iter_build(&it, dst->ndim, dst->shape, mask ? 3 : 2, args,
                  mask ? CUPRIC_ITER_MASKED : 0, NULL);
    /* A bool of a view may be any byte: it is moved as it is, which the bools beside it
     * in a copy that is written back must be. */
    if (value->array && it.op[0].dtype == CUPRIC_BOOL &&
        it.op[1].dtype == CUPRIC_BOOL) {
        it.op[0].dtype = it.op[1].dtype = CUPRIC_UINT8;
    }
    st = cu_array_device(dst)->backend->convert(&it, stream_of(dst));
    if (CUPRIC_UNLIKELY(cu_may_record()) && !st) {
        note_iteration(cu_array_device(dst), NULL, &it, args);
    }
    cu_array_release(&apart);
    return st;
}

cu_status
cu_array_assign(cu_array *dst, const cu_array *src, const cu_array *mask)
{
    const cu_array *arrays[3] = {dst, src, mask};
    cu_array copy = cu_array_none(); /* owned */
    cu_device *device = NULL;
    size_t nbytes, most;
    bool copied = false;
    cu_status st;

    if (!is_convertible(src->dtype, dst->dtype)) {
        return fail_conversion(src->dtype, dst->dtype);
    }
    if (is_on_other_device(dst, src)) {
        return dst->size ? assign_across_devices(dst, src, mask) : CUPRIC_OK;
    }
    st = cu_common_device(3, arrays, &device);
    if (st || dst->size == 0) return st;
    if (cu_arrays_overlap(src, dst)) {
        if (cu_arrays_same_view(src, dst) && src->dtype == dst->dtype) return CUPRIC_OK;
        st = separate(src, 1, &dst, &copy, &copied);
        if (st) return st;
        if (copied) src = &copy;
    }
    /* A call that may be recorded converts, as recordings have no copies on a device. */
    nbytes = (size_t)(dst->size * cu_itemsize(dst->dtype));
    most = device->backend->most_copied;
    if (!mask && src->dtype == dst->dtype && dense_in_one_order(dst, src) &&
        (most == 0 || nbytes <= most) && !CUPRIC_UNLIKELY(cu_may_record())) {
        st = device->backend->copy(cu_array_access(dst, CUPRIC_WRITE),
                                   cu_array_access(src, CUPRIC_READ), nbytes,
                                   CUPRIC_COPY_ON_DEVICE, stream_of(dst));
    } else {
        st = convert(dst, &(cu_iter_arg){src, NULL, 0, CUPRIC_READ}, mask);
    }
    cu_array_release(&copy);
    return st;
}

cu_status
cu_array_fill(cu_array *dst, cu_dtype dtype, const cu_scalar *value,
              const cu_array *mask)
{
    const cu_array *arrays[2] = {dst, mask};
    cu_device *device = NULL;
    cu_status st;

    if (cu_is_opaque(dst->dtype) || cu_is_opaque(dtype)) {
        return fail_conversion(dtype, dst->dtype);
    }
    st = cu_common_device(2, arrays, &device);
    if (st || dst->size == 0) return st;
    return convert(dst, &(cu_iter_arg){NULL, value, dtype, CUPRIC_READ}, mask);
}

cu_status
cu_array_cast(const cu_array *a, cu_dtype dtype, char order, cu_array *out)
{
    cu_array dst = cu_array_none(); /* owned */
    cu_status st;

    if (order == 'A') {
        order = (a->flags & CUPRIC_F_CONTIGUOUS) && !(a->flags & CUPRIC_C_CONTIGUOUS)
                    ? 'F'
                    : 'C';
    }
    if (order == 'K') {
        st = cu_array_init_like(&dst, cu_array_device(a), dtype, a);
    } else {
        st = cu_array_init(&dst, cu_array_device(a), dtype, a->ndim, a->shape, order);
    }
    if (st) return st;
    st = cu_array_assign(&dst, a, NULL);
    if (st) {
        cu_array_release(&dst);
        return st;
    }
    cu_array_move(out, &dst);
    return CUPRIC_OK;
}

cu_status
cu_array_to_device(const cu_array *a, cu_device *device, cu_array *out)
{
    cu_array dense = cu_array_none(), dst = cu_array_none(); /* owned */
    cu_device *from = cu_array_device(a);
    size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));
    cu_status st;

    if (device == from) return cu_array_cast(a, a->dtype, 'C', out);
    st = cu_array_cast(a, a->dtype, 'C', &dense);
    if (st) goto done;
    st = cu_array_init(&dst, device, a->dtype, a->ndim, a->shape, 'C');
    if (st) goto done;
    if (nbytes) {
        st = cu_storage_copy(device, cu_array_access(&dst, CUPRIC_WRITE), from,
                             cu_array_access(&dense, CUPRIC_READ), nbytes,
                             stream_of(&dense));
        if (st) goto done;
    }
    cu_array_move(out, &dst);

done:
    cu_array_release(&dense);
    cu_array_release(&dst);
    return st;
}

static cu_status
get(const cu_array *a, void *dst, cu_copy_kind kind)
{
    cu_array dense = cu_array_none(); /* owned */
    cu_device *device = cu_array_device(a);
    cu_stream *s = cu_stream_current(device);
    size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));
    cu_status st = kind == CUPRIC_COPY_TO_HOST ? cu_wait_check() : CUPRIC_OK;

    if (st || nbytes == 0) return st;
    if (!cu_array_is_contiguous(a)) {
        st = cu_array_cast(a, a->dtype, 'C', &dense);
        if (st) return st;
        a = &dense;
    }
    st = device->backend->copy(dst, cu_array_access(a, CUPRIC_READ), nbytes, kind, s);
    cu_array_release(&dense);
    return st;
}

cu_status
cu_array_get(const cu_array *a, void *dst)
{
    return get(a, dst, CUPRIC_COPY_TO_HOST);
}

cu_status
cu_array_get_async(const cu_array *a, void *pinned)
{
    return get(a, pinned, CUPRIC_COPY_ASYNC_TO_HOST);
}

cu_status
cu_array_set(cu_array *a, const void *src)
{
    cu_array dense = cu_array_none(); /* owned */
    cu_device *device = cu_array_device(a);
    size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));
    cu_status st;

    if (nbytes == 0) return CUPRIC_OK;
    if (cu_array_is_contiguous(a)) {
        return device->backend->copy(cu_array_access(a, CUPRIC_WRITE), src, nbytes,
                                     CUPRIC_COPY_TO_DEVICE, stream_of(a));
    }
    st = cu_array_init(&dense, device, a->dtype, a->ndim, a->shape, 'C');
    if (st) return st;
    st = device->backend->copy(cu_array_access(&dense, CUPRIC_WRITE), src, nbytes,
                               CUPRIC_COPY_TO_DEVICE, stream_of(a));
    if (!st) st = cu_array_assign(a, &dense, NULL);
    cu_array_release(&dense);
    return st;
}
