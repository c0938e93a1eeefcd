/* ops/fourier.c: see fourier.h.
 *
 * Of real numbers, half of the terms of a transform are the others' conjugates:
 * y[-k] = conj(y[k]), indices modulo the lengths. They are copied where the real transform
 * and the copies, one for each combination of axes whose index is 0 or is not, are less
 * work than the complex transform.
 */
#include "ops/fourier.h"

#include <string.h>

#include "ops/execute.h"
#include "ops/ufunc.h"

enum {
    MOST_AXES = 3,        /* by four copies */
    MANY_TERMS = 1 << 15, /* whose transform takes longer than two launches more */
};

static cu_status
transform(const cu_array *a, cu_array *out, cu_fft *call)
{
    const cu_device *device = cu_array_device(a);

    cu_array_view_of(a, CUPRIC_READ, &call->in);
    cu_array_view_of(out, CUPRIC_WRITE, &call->out);
    return device->backend->fft(call, cu_stream_current(cu_array_device(a)));
}

/* Keep the elements first, first + step, … of an axis, n of them. */
static void
narrow(cu_array *a, int axis, int64_t first, int64_t n, int step)
{
    a->offset += first * a->strides[axis];
    a->strides[axis] *= step;
    a->shape[axis] = n;
    cu_array_update_flags(a);
}

/* to = conj(from): views that are the same, or share no element. */
static cu_status
conjugate(const cu_array *from, cu_array *to)
{
    const int kinds[] = {from->dtype};
    const cu_iter_arg args[] = {{from, NULL, 0, CUPRIC_READ},
                                {to, NULL, 0, CUPRIC_WRITE}};
    cu_device *device = cu_array_device(from);
    cu_iter it;
    const cu_elementwise call = {
        CUPRIC_OP_conjugate, cu_ufunc_resolve(CUPRIC_OP_conjugate, kinds), 1, 1, &it};

    if (to->size == 0) return CUPRIC_OK;
    cu_iter_build(&it, to->ndim, to->shape, 2, args, 0, NULL);
    return device->backend->elementwise(&call, cu_stream_current(device));
}

/* Fill the second half along the last axis transformed, of the terms whose index along
 * transformed axis number i is 0 where bit i of `zeros` is set, and is not where not. */
static cu_status
mirror(cu_array *out, const cu_fft *call, unsigned zeros)
{
    cu_array from, to;
    cu_status st;

    cu_array_alias(&from, out);
    cu_array_alias(&to, out);
    for (int i = 0; i < call->naxes; i++) {
        const int axis = call->axes[i];
        const int64_t n = out->shape[axis];
        if (i == call->naxes - 1) {
            narrow(&to, axis, n / 2 + 1, (n - 1) / 2, 1);
            narrow(&from, axis, (n - 1) / 2, (n - 1) / 2, -1);
        } else if (zeros >> i & 1) {
            narrow(&to, axis, 0, 1, 1);
            narrow(&from, axis, 0, 1, 1);
        } else {
            narrow(&to, axis, 1, n - 1, 1);
            narrow(&from, axis, n - 1, n - 1, -1);
        }
    }
    st = conjugate(&from, &to);
    cu_array_release(&from);
    cu_array_release(&to);
    return st;
}

static cu_status
transform_real(const cu_array *a, cu_array *out, const cu_fft *call)
{
    cu_fft half = *call;
    cu_array first;
    const int last = call->axes[call->naxes - 1];
    cu_status st;

    half.kind = CUPRIC_FFT_R2C;
    half.inverse = false;
    half.n_last = out->shape[last];
    cu_array_alias(&first, out);
    narrow(&first, last, 0, out->shape[last] / 2 + 1, 1);
    st = transform(a, &first, &half);
    if (!st && call->inverse) st = conjugate(&first, &first);
    cu_array_release(&first);
    for (unsigned zeros = 0; zeros < 1u << (call->naxes - 1) && !st; zeros++) {
        st = mirror(out, call, zeros);
    }
    return st;
}

/* Whether the real transform, to terms of `dtype`, is less work: of an odd length, it is a
 * complex one. */
static bool
halves(const cu_array *a, cu_dtype dtype, const cu_fft *call)
{
    const cu_backend *backend = cu_array_device(a)->backend;

    if (a->shape[call->axes[call->naxes - 1]] % 2 || call->naxes > MOST_AXES ||
        a->size < MANY_TERMS) {
        return false;
    }
    if (!backend->fft_as_complex) return true;
    cu_fft seen = *call;
    cu_array_view_of(a, CUPRIC_READ, &seen.in);
    seen.out.dtype = dtype;
    return !backend->fft_as_complex(&seen);
}

/* Whether no axis is named twice. */
static bool
axes_differ(const cu_fft *call)
{
    bool seen[CUPRIC_MAXDIMS] = {false};

    for (int i = 0; i < call->naxes; i++) {
        if (seen[call->axes[i]]) return false;
        seen[call->axes[i]] = true;
    }
    return true;
}

/* Whether the axes of transforms are to be the last ones in memory. */
static bool
goes_by_rows(const cu_array *a, const cu_fft *call)
{
    const cu_backend *backend = cu_array_device(a)->backend;

    if (!backend->fft_by_rows || call->kind == CUPRIC_FFT_C2C || !axes_differ(call))
        return false;
    cu_fft seen = *call;
    cu_array_view_of(a, CUPRIC_READ, &seen.in);
    return backend->fft_by_rows(&seen);
}

/* A new array of another shape with the axes laid out as in `a`. */
static cu_status
init_like(cu_array *out, const cu_array *a, cu_dtype dtype, const int64_t *shape)
{
    cu_array like; /* owned */
    cu_status st;

    cu_array_alias(&like, a);
    memcpy(like.shape, shape, (size_t)a->ndim * sizeof *shape);
    st = cu_array_init_like(out, cu_array_device(a), dtype, &like);
    cu_array_release(&like);
    return st;
}

cu_status
cu_fourier_output(const cu_array *a, cu_dtype dtype, const int64_t *shape, char order,
                  cu_fft *call, cu_array *out)
{
    cu_array rows = cu_array_none(); /* owned */
    int64_t permuted[CUPRIC_MAXDIMS];
    int place[CUPRIC_MAXDIMS], at = 0; /* place[axis]: in memory */
    bool moved = false;
    cu_status st;

    if (a->size == 0 || !goes_by_rows(a, call)) {
        if (order == 'K' && !(a->flags & CUPRIC_C_CONTIGUOUS) && cu_array_has_order(a))
            return init_like(out, a, dtype, shape);
        return cu_array_init(out, cu_array_device(a), dtype, a->ndim, shape, 'C');
    }
    memset(place, -1, sizeof place);
    for (int i = 0; i < call->naxes; i++)
        place[call->axes[i]] = a->ndim - call->naxes + i;
    for (int d = 0; d < a->ndim; d++) {
        if (place[d] < 0) place[d] = at++;
        permuted[place[d]] = shape[d];
        moved |= place[d] != d;
    }
    if (!moved)
        return cu_array_init(out, cu_array_device(a), dtype, a->ndim, shape, 'C');
    st = cu_array_init(&rows, cu_array_device(a), dtype, a->ndim, permuted, 'C');
    if (!st) st = cu_array_transpose(&rows, place, out);
    if (!st) out->flags |= CUPRIC_OWNDATA;
    cu_array_release(&rows);
    return st;
}

static int64_t
distance(const cu_array *a, int axis)
{
    return a->strides[axis] < 0 ? -a->strides[axis] : a->strides[axis];
}

/* The axes of a complex transform, which commute, as they lie in memory, the fastest last:
 * devices take them so without copies, and halve the last. */
static void
sort_axes(const cu_array *out, cu_fft *call)
{
    for (int i = 1; i < call->naxes; i++) {
        const int axis = call->axes[i];
        int j = i;
        for (; j > 0 && distance(out, call->axes[j - 1]) < distance(out, axis); j--)
            call->axes[j] = call->axes[j - 1];
        call->axes[j] = axis;
    }
}

cu_status
cu_fourier(const cu_array *a, cu_array *out, cu_fft *call)
{
    const cu_dtype real =
        out->dtype == CUPRIC_COMPLEX128 ? CUPRIC_FLOAT64 : CUPRIC_FLOAT32;
    cu_array cast = cu_array_none(); /* owned */
    cu_status st;

    if (out->size == 0) return CUPRIC_OK;
    if (call->kind == CUPRIC_FFT_C2C) sort_axes(out, call);
    if (call->kind != CUPRIC_FFT_C2C || cu_dtypes[a->dtype].kind == 'c') {
        return transform(a, out, call);
    }
    if (!halves(a, out->dtype, call)) {
        st = cu_array_cast(a, out->dtype, 'K', &cast);
        if (!st) st = transform(&cast, out, call);
    } else if (a->dtype != real) {
        st = cu_array_cast(a, real, 'K', &cast);
        if (!st) st = transform_real(&cast, out, call);
    } else {
        st = transform_real(a, out, call);
    }
    cu_array_release(&cast);
    return st;
}
