/* ops/py_ufunc_at.c: ufunc.at, an operation in place at indices.
 *
 * One array of indices along the first axis goes to the backend as it is. Any other index
 * is turned into positions in the array seen as one axis.
 */
#include <string.h>

#include "env.h"
#include "layout/py_args.h"
#include "ops/iter.h"
#include "ops/py_ufunc.h"

/* A device array of the positions that `indices` selects in `array`, counted in C order:
 * NumPy's indexing of an arange of the same shape. New reference. */
static PyObject *
positions(const cu_array *a, PyObject *indices)
{
    const cu_backend *backend = cu_array_device(a)->backend;
    cu_stream *s = cu_stream_current(cu_array_device(a));
    cu_array all = cu_array_none();
    cu_scalar start, step;
    PyObject *whole, *r;

    if (cu_array_init(&all, cu_array_device(a), CUPRIC_INT64, a->ndim, a->shape, 'C')) {
        return py_raise();
    }
    start.i = 0;
    step.i = 1;
    if (all.size && backend->arange(CUPRIC_INT64, all.size, &start, &step,
                                    cu_array_access(&all, CUPRIC_WRITE), s)) {
        cu_array_release(&all);
        return py_raise();
    }
    whole = py_array_new(&all);
    if (whole == NULL) return NULL;
    r = PyObject_GetItem(whole, indices);
    Py_DECREF(whole);
    return r;
}

/* Whether `o` is an index array along the first axis. */
static bool
is_index_array(PyObject *o)
{
    char kind;
    if (!py_array_check(o)) return false;
    kind = cu_dtypes[py_array_get(o)->dtype].kind;
    return kind == 'i' || kind == 'u';
}

/* What one call of scatter_op needs. Arrays are owned. */
typedef struct scatter {
    cu_array target; /* seen as one axis, or the array itself */
    cu_array index;  /* int64 */
    cu_array value;
} scatter;

static void
scatter_release(scatter *w)
{
    cu_array_release(&w->target);
    cu_array_release(&w->index);
    cu_array_release(&w->value);
}

/* Call the backend: index runs along axis 0 of `target`, whose other axes follow. */
static cu_status
scatter_run(int op, int sig, const cu_array *target, const cu_array *index,
            const cu_iter_arg *value)
{
    const cu_array *arrays[3] = {target, index, value->array};
    cu_device *device = NULL;
    int rest = target->ndim - 1, ndim = index->ndim + rest;
    int64_t shape[CUPRIC_MAXDIMS];
    cu_array seen, along; /* borrow storages */
    cu_index call = {.nindex = 1,
                     .op = op,
                     .sig = sig,
                     .check = cu_setting_int("CUPRIC_CHECK", 0) != 0};
    cu_iter it;
    cu_status st = cu_common_device(3, arrays, &device);

    if (st) return st;

    cu_array_borrow(&seen, target);
    cu_array_borrow(&along, index);
    for (int i = 0; i < ndim; i++) {
        bool outer_axis = i < index->ndim;
        int j = i - index->ndim + 1; /* the target's axis */
        shape[i] = outer_axis ? index->shape[i] : target->shape[j];
        seen.shape[i] = shape[i];
        seen.strides[i] = outer_axis ? 0 : target->strides[j];
        along.shape[i] = shape[i];
        along.strides[i] = outer_axis ? index->strides[i] : 0;
    }
    seen.ndim = along.ndim = ndim;
    seen.flags = along.flags = 0;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 0) return CUPRIC_OK;
    }
    const cu_iter_arg args[3] = {
        {&seen, NULL, 0, CUPRIC_WRITE}, *value, {&along, NULL, 0, CUPRIC_READ}};
    cu_iter_build(&it, ndim, shape, 3, args, CUPRIC_ITER_KEEP_ORDER, NULL);
    call.it = &it;
    call.length[0] = target->shape[0];
    call.stride[0] = target->strides[0];
    return device->backend->scatter_op(&call, cu_stream_current(device));
}

/* The signature for array (op)= value: the first input and output in one loop. */
static int
at_signature(int op, const cu_array *a, const py_operand *b)
{
    int kinds[2] = {(int)a->dtype, (int)a->dtype}, sig;
    if (b) {
        kinds[1] = b->array ? (int)b->array->dtype
                   : b->scalar.weak == PY_STRONG
                       ? (int)b->scalar.dtype
                       : CUPRIC_WEAK_INT + (int)b->scalar.weak - PY_WEAK_INT;
    }
    sig = cu_ufunc_resolve(op, kinds);
    if (sig < 0) {
        cu_ufunc_no_loop(op, kinds);
        py_raise();
    }
    return sig;
}

/* Values must broadcast to the selection. */
static int
check_values(const cu_array *value, int ndim, const int64_t *shape)
{
    int64_t joined[CUPRIC_MAXDIMS];
    int n = ndim;
    memcpy(joined, shape, (size_t)ndim * sizeof *shape);
    if (cu_shape_broadcast(&n, joined, value->ndim, value->shape) && n == ndim &&
        memcmp(joined, shape, (size_t)ndim * sizeof *shape) == 0) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "array is not broadcastable to correct shape");
    return -1;
}

static int
at_indexed(int op, cu_array *target, const cu_array *index, const py_operand *b)
{
    int64_t shape[CUPRIC_MAXDIMS];
    int ndim = index->ndim + target->ndim - 1;
    int sig = at_signature(op, target, b);
    cu_scalar value = {0};
    cu_iter_arg arg = {NULL, &value, target->dtype, CUPRIC_READ};
    scatter copies = {{0}, {0}, {0}}; /* owned */
    const cu_array *arrays[3] = {target, index, b ? b->array : NULL};
    cu_device *device = NULL;
    cu_status st = CUPRIC_OK;

    if (sig < 0) return -1;
    if (py_warn_complex(cu_ufuncs[op].sigs[sig].type[cu_ufuncs[op].nin],
                        target->dtype) < 0)
        return -1;
    if (cu_common_device(3, arrays, &device)) return py_raise_int();
    if (ndim > CUPRIC_MAXDIMS) {
        PyErr_SetString(PyExc_ValueError,
                        "too many dimensions in an indexed operation");
        return -1;
    }
    for (int i = 0; i < ndim; i++) {
        shape[i] =
            i < index->ndim ? index->shape[i] : target->shape[i - index->ndim + 1];
    }
    if (b && b->array) {
        arg = (cu_iter_arg){b->array, NULL, 0, CUPRIC_READ};
        if (check_values(b->array, ndim, shape) < 0) return -1;
        if (cu_arrays_overlap(b->array, target)) {
            st = cu_array_cast(b->array, b->array->dtype, 'C', &copies.value);
            arg.array = &copies.value;
        }
    } else if (b) {
        arg.dtype = cu_ufuncs[op].sigs[sig].type[1];
        if (py_scalar_store(&b->scalar, arg.dtype, &value) < 0) return -1;
    }
    if (!st && (index->dtype != CUPRIC_INT64 || cu_arrays_overlap(index, target))) {
        st = cu_array_cast(index, CUPRIC_INT64, 'C', &copies.index);
        index = &copies.index;
    }
    if (!st) st = scatter_run(op, sig, target, index, &arg);
    scatter_release(&copies);
    return st ? py_raise_int() : 0;
}

/* Any index: positions in the array seen as one axis, by way of a dense copy if need be. */
static int
at_positions(int op, cu_array *a, PyObject *indices, const py_operand *b)
{
    PyObject *where = positions(a, indices); /* owned */
    const int64_t one[1] = {a->size};
    cu_array flat = cu_array_none(), dense = cu_array_none(); /* owned */
    bool needs_copy = false;
    int r = -1;

    if (where == NULL) return -1;
    if (cu_array_reshape(a, 1, one, 'C', &flat, &needs_copy)) goto raise;
    if (needs_copy) {
        if (cu_array_cast(a, a->dtype, 'C', &dense)) goto raise;
        if (cu_array_reshape(&dense, 1, one, 'C', &flat, &needs_copy)) goto raise;
    }
    r = at_indexed(op, &flat, py_array_get(where), b);
    if (r == 0 && dense.storage && cu_array_assign(a, &dense, NULL)) goto raise;
    goto done;

raise:
    r = py_raise_int();
done:
    cu_array_release(&flat);
    cu_array_release(&dense);
    Py_DECREF(where);
    return r;
}

static int
require_at(int op, PyObject *a, PyObject *b)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    if (u->nin > 2 || u->nout != 1) {
        PyErr_SetString(PyExc_ValueError,
                        u->nin > 2
                            ? "Only unary and binary ufuncs supported at this time"
                            : "Only single output ufuncs supported at this time");
        return -1;
    }
    if (u->nin == 2 && b == NULL) {
        PyErr_SetString(PyExc_ValueError, "second operand needed for ufunc");
        return -1;
    }
    if (u->nin == 1 && b != NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "second operand provided when ufunc is unary");
        return -1;
    }
    if (!py_array_check(a)) {
        PyErr_SetString(PyExc_TypeError, "first operand must be array");
        return -1;
    }
    if (!(py_array_get(a)->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
        return -1;
    }
    return 0;
}

PyObject *
py_ufunc_at(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "indices", "b", NULL};
    const int op = ((py_ufunc *)self)->op;
    PyObject *v[3];
    py_operand b;
    cu_array *a;
    int r;

    if (py_args_parse("at", args, nargs, kwnames, names, 3, 2, v) < 0) return NULL;
    if (require_at(op, v[0], v[2]) < 0) return NULL;
    a = py_array_target(v[0]);
    if (v[2] && py_operand_upload(v[2], cu_array_device(a), &b) < 0) return NULL;
    if (a->ndim > 0 && is_index_array(v[1])) {
        r = at_indexed(op, a, py_array_get(v[1]), v[2] ? &b : NULL);
    } else {
        r = at_positions(op, a, v[1], v[2] ? &b : NULL);
    }
    if (v[2]) py_operand_release(&b);
    if (r < 0) return NULL;
    Py_RETURN_NONE;
}
