/* ops/py_ufunc_methods.c: ufunc.reduce, accumulate, reduceat, outer and at, and the way in
 * for NumPy's ufuncs, ndarray.__array_ufunc__. */
#include <string.h>

#include "layout/py_args.h"
#include "ops/py_reduction.h"
#include "ops/py_ufunc.h"

static int
op_of(PyObject *self)
{
    return ((py_ufunc *)self)->op;
}

/* What reduce, accumulate and reduceat ask of a ufunc. */
static int
require_binary(int op, const char *method)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    if (u->nin != 2) {
        PyErr_Format(PyExc_ValueError, "%s only supported for binary functions",
                     method);
        return -1;
    }
    if (u->nout != 1) {
        PyErr_Format(PyExc_ValueError,
                     "%s only supported for functions returning a single value",
                     method);
        return -1;
    }
    return 0;
}

/* ---- reduce, accumulate, reduceat ---------------------------------------------------- */

static PyObject *
reduce(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"array",    "axis",    "dtype", "out",
                                        "keepdims", "initial", "where", NULL};
    PyObject *v[7], *array, *r, *zero = NULL; /* array, zero: owned */
    py_reduce_args given;

    if (require_binary(op_of(self), "reduce") < 0) return NULL;
    if (py_args_parse("reduce", args, nargs, kwnames, names, 7, 1, v) < 0) return NULL;
    array = py_array_require(v[0]);
    if (array == NULL) return NULL;
    if (v[1] == NULL) v[1] = zero = PyLong_FromLong(0);
    given = (py_reduce_args){v[1], v[2], v[3], v[4], v[5], v[6]};
    r = v[1] ? py_reduce(op_of(self), array, &given) : NULL;
    Py_XDECREF(zero);
    Py_DECREF(array);
    return r;
}

/* A 0-d array has no axis to run along; a wrong axis is the first thing wrong with it. */
static void
fail_scalar(PyObject *axis, const char *method)
{
    int axes[CUPRIC_MAXDIMS];
    if (py_is_absent(axis) || py_axes_read(axis, 1, axes) >= 0) {
        PyErr_Format(PyExc_TypeError, "cannot %s on a scalar", method);
    }
}

static PyObject *
accumulate(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"array", "axis", "dtype", "out", NULL};
    PyObject *v[4], *array, *r = NULL, *zero = NULL; /* array, zero: owned */

    if (require_binary(op_of(self), "accumulate") < 0) return NULL;
    if (py_args_parse("accumulate", args, nargs, kwnames, names, 4, 1, v) < 0)
        return NULL;
    array = py_array_require(v[0]);
    if (array == NULL) return NULL;
    if (py_array_get(array)->ndim == 0) {
        fail_scalar(v[1], "accumulate");
    } else if (v[1] == Py_None && py_array_get(array)->ndim > 1) {
        PyErr_SetString(PyExc_ValueError, "accumulate does not allow multiple axes");
    } else {
        if (v[1] == NULL) v[1] = zero = PyLong_FromLong(0);
        if (v[1]) r = py_scan(op_of(self), array, v[1], v[2], v[3]);
        Py_XDECREF(zero);
    }
    Py_DECREF(array);
    return r;
}

static int
check_starts(const char *name, const int64_t *starts, int64_t n, int64_t length)
{
    for (int64_t j = 0; j < n; j++) {
        if (starts[j] >= 0 && starts[j] < length) continue;
        PyErr_Format(PyExc_IndexError,
                     "index %lld out-of-bounds in %s.reduceat [0, %lld)",
                     (long long)starts[j], name, (long long)length);
        return -1;
    }
    return 0;
}

/* The indices as int64 in host memory: a NumPy array, new reference. */
static PyObject *
read_starts(PyObject *o)
{
    PyObject *host, *r;
    if (py_array_check(o)) {
        const cu_array *a = py_array_get(o);
        npy_intp shape[CUPRIC_MAXDIMS];
        cu_array wide = {0}; /* owned */
        for (int i = 0; i < a->ndim; i++) shape[i] = (npy_intp)a->shape[i];
        host = PyArray_SimpleNew(a->ndim, shape, NPY_INT64);
        if (host == NULL) return NULL;
        if (cu_array_cast(a, CUPRIC_INT64, 'C', &wide) ||
            cu_array_get(&wide, PyArray_DATA((PyArrayObject *)host))) {
            cu_array_release(&wide);
            Py_DECREF(host);
            return py_raise();
        }
        cu_array_release(&wide);
    } else {
        host = Py_NewRef(o);
    }
    r = PyArray_FromAny(host, PyArray_DescrFromType(NPY_INT64), 1, 1,
                        NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST, NULL);
    Py_DECREF(host);
    return r;
}

static PyObject *
reduceat_along(int op, PyObject *array, int axis, PyObject *starts, PyObject *dtype,
               PyObject *out)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    const cu_array *in = py_array_get(array);
    const int64_t *start = (const int64_t *)PyArray_DATA((PyArrayObject *)starts);
    const int64_t n = PyArray_SIZE((PyArrayObject *)starts);
    cu_array made = {0}, *into = NULL; /* made: owned */
    cu_dtype asked = CUPRIC_NO_DTYPE, given = CUPRIC_NO_DTYPE;
    int64_t shape[CUPRIC_MAXDIMS];
    int sig;

    if (check_starts(u->name, start, n, in->shape[axis]) < 0) return NULL;
    if (py_output_unpack(out, &out) < 0) return NULL;
    if (!py_is_absent(dtype) && py_dtype_convert(dtype, &asked) < 0) return NULL;
    if (out && py_array_check(out)) given = py_array_get(out)->dtype;
    sig = py_reduce_signature(op, in->dtype, asked, given);
    if (sig < 0) return NULL;
    memcpy(shape, in->shape, (size_t)in->ndim * sizeof *shape);
    shape[axis] = n;
    if (out) {
        if (py_output_require(out, u->name, in->ndim, shape, &into) < 0) return NULL;
    } else {
        if (cu_array_init(&made, cu_array_device(in), u->sigs[sig].type[2], in->ndim,
                          shape, 'C')) {
            return py_raise();
        }
        into = &made;
    }
    if (cu_array_reduceat(op, sig, in, axis, start, n, into)) {
        cu_array_release(&made);
        return py_raise();
    }
    return out ? Py_NewRef(out) : py_array_new_like(&made, array);
}

static PyObject *
reduceat(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"array", "indices", "axis",
                                        "dtype", "out",     NULL};
    PyObject *v[5], *array, *starts = NULL, *r = NULL; /* array, starts: owned */
    int axes[CUPRIC_MAXDIMS] = {0}, n = 1;

    if (require_binary(op_of(self), "reduceat") < 0) return NULL;
    if (py_args_parse("reduceat", args, nargs, kwnames, names, 5, 2, v) < 0)
        return NULL;
    array = py_array_require(v[0]);
    if (array == NULL) return NULL;
    if (py_array_get(array)->ndim == 0) {
        fail_scalar(v[2], "reduceat");
        goto done;
    }
    if (v[2]) n = py_axes_read(v[2], py_array_get(array)->ndim, axes);
    if (n < 0) goto done;
    if (n != 1) {
        PyErr_SetString(PyExc_ValueError, "reduceat does not allow multiple axes");
        goto done;
    }
    starts = read_starts(v[1]);
    if (starts) r = reduceat_along(op_of(self), array, axes[0], starts, v[3], v[4]);

done:
    Py_XDECREF(starts);
    Py_DECREF(array);
    return r;
}

/* ---- outer --------------------------------------------------------------------------- */

/* `a` with `extra` axes of length 1 after its own: a view, new reference. */
static PyObject *
with_axes_after(PyObject *a, int extra)
{
    const cu_array *x = py_array_get(a);
    cu_array view = {0};
    int64_t shape[CUPRIC_MAXDIMS], strides[CUPRIC_MAXDIMS];

    if (x->ndim + extra > CUPRIC_MAXDIMS) {
        PyErr_Format(
            PyExc_ValueError,
            "maximum supported dimension for an ndarray is currently %d, found %d",
            CUPRIC_MAXDIMS, x->ndim + extra);
        return NULL;
    }
    for (int i = 0; i < x->ndim + extra; i++) {
        shape[i] = i < x->ndim ? x->shape[i] : 1;
        strides[i] = i < x->ndim ? x->strides[i] : cu_itemsize(x->dtype);
    }
    cu_array_init_view(&view, x->storage, x->offset, x->dtype, x->ndim + extra, shape,
                       strides);
    return py_array_new_view(&view, a);
}

static PyObject *
outer(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const cu_ufunc *u = &cu_ufuncs[op_of(self)];
    PyObject *first, *argv[16], *r; /* first: owned */
    Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;

    if (u->nin != 2) {
        PyErr_SetString(PyExc_ValueError,
                        "outer product only supported for binary functions");
        return NULL;
    }
    if (nargs != 2) {
        PyErr_Format(PyExc_TypeError,
                     "outer() takes 2 positional arguments but %zd were given", nargs);
        return NULL;
    }
    if (nkw > 12) {
        PyErr_SetString(PyExc_TypeError, "outer() got too many keyword arguments");
        return NULL;
    }
    /* A Python number stays one: it adapts to the other operand's dtype. */
    first =
        py_array_check(args[0])
            ? with_axes_after(args[0],
                              py_array_check(args[1]) ? py_array_get(args[1])->ndim : 0)
            : Py_NewRef(args[0]);
    if (first == NULL) return NULL;
    argv[0] = first;
    argv[1] = args[1];
    for (Py_ssize_t k = 0; k < nkw; k++) argv[2 + k] = args[2 + k];
    r = PyObject_Vectorcall(self, argv, 2, kwnames);
    Py_DECREF(first);
    return r;
}

/* ---- at ------------------------------------------------------------------------------ */

/* A device array of the positions that `indices` selects in `array`, counted in C order:
 * NumPy's indexing of an arange of the same shape. New reference. */
static PyObject *
positions(const cu_array *a, PyObject *indices)
{
    const cu_backend *backend = cu_array_device(a)->backend;
    cu_stream *s = cu_stream_current(cu_array_device(a));
    cu_array all = {0};
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
    const cu_device *device = cu_array_device(target);
    int rest = target->ndim - 1, ndim = index->ndim + rest;
    int64_t shape[CUPRIC_MAXDIMS];
    cu_array seen = *target, along = *index; /* borrow storages */
    cu_index call = {.nindex = 1, .op = op, .sig = sig};
    cu_iter it;

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
    return device->backend->scatter_op(&call, cu_stream_current((cu_device *)device));
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
    cu_status st = CUPRIC_OK;

    if (sig < 0) return -1;
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
    cu_array flat = {0}, dense = {0}; /* owned */
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

static PyObject *
at(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "indices", "b", NULL};
    const int op = op_of(self);
    PyObject *v[3];
    py_operand b;
    cu_array *a;
    int r;

    if (py_args_parse("at", args, nargs, kwnames, names, 3, 2, v) < 0) return NULL;
    if (require_at(op, v[0], v[2]) < 0) return NULL;
    if (v[2] && py_operand_require(v[2], &b) < 0) return NULL;
    a = py_array_get(v[0]);
    if (a->ndim > 0 && is_index_array(v[1])) {
        r = at_indexed(op, a, py_array_get(v[1]), v[2] ? &b : NULL);
    } else {
        r = at_positions(op, a, v[1], v[2] ? &b : NULL);
    }
    if (v[2]) py_operand_release(&b);
    if (r < 0) return NULL;
    Py_RETURN_NONE;
}

/* ---- pickling ------------------------------------------------------------------------ */

static PyObject *
pickle(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyUnicode_FromString(cu_ufuncs[op_of(self)].name);
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef py_ufunc_methods[] = {
    {"reduce", FAST(reduce),
     "reduce($self, /, array, axis=0, dtype=None, out=None, keepdims=False, "
     "initial=None, where=True)\n--\n\n"
     "Combine the elements along axes into one.\n\n"
     "Parameters\n----------\n"
     "array : cupric.ndarray\n"
     "axis : None, int or tuple of ints, optional\n"
     "    Axes to go; None for all of them.\n"
     "dtype : dtype, optional\n"
     "out : cupric.ndarray, optional\n"
     "keepdims : bool, optional\n"
     "initial : scalar, optional\n"
     "    Where to start; None for the first element.\n"
     "where : cupric.ndarray of bool, optional\n\n"
     "Returns\n-------\ncupric.ndarray\n"},
    {"accumulate", FAST(accumulate),
     "accumulate($self, /, array, axis=0, dtype=None, out=None)\n--\n\n"
     "Combine the elements along an axis, up to each one.\n\n"
     "Parameters\n----------\n"
     "array : cupric.ndarray\n"
     "axis : int, optional\n"
     "dtype : dtype, optional\n"
     "out : cupric.ndarray, optional\n\n"
     "Returns\n-------\ncupric.ndarray\n"},
    {"reduceat", FAST(reduceat),
     "reduceat($self, /, array, indices, axis=0, dtype=None, out=None)\n--\n\n"
     "Combine slices of an axis, each from an index to the next.\n\n"
     "Parameters\n----------\n"
     "array : cupric.ndarray\n"
     "indices : array_like of ints\n"
     "    Where slices start. One that is not below its successor takes one element.\n"
     "axis : int, optional\n"
     "dtype : dtype, optional\n"
     "out : cupric.ndarray, optional\n\n"
     "Returns\n-------\ncupric.ndarray\n"},
    {"outer", FAST(outer),
     "outer($self, A, B, /, **kwargs)\n--\n\n"
     "The operation on every pair of elements.\n\n"
     "Parameters\n----------\n"
     "A, B : cupric.ndarray or scalar\n"
     "kwargs : of a call\n\n"
     "Returns\n-------\ncupric.ndarray, shape A.shape + B.shape\n"},
    {"at", FAST(at),
     "at($self, /, a, indices, b=None)\n--\n\n"
     "Apply the operation in place at indices, once for each time an index appears.\n\n"
     "Parameters\n----------\n"
     "a : cupric.ndarray\n"
     "indices : as in ``a[indices]``\n"
     "b : cupric.ndarray or scalar, optional\n"
     "    The second operand; broadcasts to ``a[indices]``.\n"},
    {"__reduce__", pickle, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- NumPy's ufuncs ------------------------------------------------------------------ */

/* NumPy's ufunc objects to ours: a dict, owned for ever. */
static PyObject *
make_table(void)
{
    PyObject *table = PyDict_New(), *numpy = PyImport_ImportModule("numpy");
    PyObject *core = PyImport_ImportModule("cupric._core");

    for (int op = 0; table && numpy && core && op < CUPRIC_N_UFUNCS; op++) {
        PyObject *theirs, *ours;
        if (cu_ufuncs[op].numpy[0] == '\0') continue;
        theirs = PyObject_GetAttrString(numpy, cu_ufuncs[op].numpy);
        if (theirs == NULL) { /* newer than this NumPy */
            PyErr_Clear();
            continue;
        }
        ours = PyObject_GetAttrString(core, cu_ufuncs[op].name);
        if (ours == NULL || PyDict_SetItem(table, theirs, ours) < 0) Py_CLEAR(table);
        Py_XDECREF(ours);
        Py_DECREF(theirs);
    }
    if (numpy == NULL || core == NULL) Py_CLEAR(table);
    Py_XDECREF(numpy);
    Py_XDECREF(core);
    return table;
}

/* Ours for NumPy's `ufunc`: new reference, or NULL without an exception. */
static PyObject *
find_ours(PyObject *ufunc)
{
    static PyObject *table; /* under the GIL; owned for ever */
    PyObject *ours, *name, *module;

    if (table == NULL) table = make_table();
    if (table == NULL) return NULL;
    ours = PyDict_GetItemWithError(table, ufunc);
    if (ours || PyErr_Occurred()) return Py_XNewRef(ours);
    /* Those that are not element by element (matmul, vecdot, …) are functions of ours. */
    name = PyObject_GetAttrString(ufunc, "signature");
    if (name == NULL || name == Py_None) {
        Py_XDECREF(name);
        return NULL;
    }
    Py_DECREF(name);
    name = PyObject_GetAttrString(ufunc, "__name__");
    module = PyImport_ImportModule("cupric");
    if (name && module) ours = PyObject_GetAttr(module, name);
    if (ours == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    Py_XDECREF(name);
    Py_XDECREF(module);
    return ours;
}

/* A NumPy array among the inputs or outputs is refused; other unknown classes get their
 * turn. 1, 0 for NotImplemented, -1. */
static int
check_types(PyObject *args, PyObject *kwargs)
{
    PyObject *out = kwargs ? PyDict_GetItemString(kwargs, "out") : NULL;
    for (Py_ssize_t k = 2; k < PyTuple_GET_SIZE(args); k++) {
        if (PyArray_Check(PyTuple_GET_ITEM(args, k))) {
            py_raise_unsupported(PyTuple_GET_ITEM(args, k));
            return -1;
        }
    }
    for (Py_ssize_t k = 0; out && PyTuple_Check(out) && k < PyTuple_GET_SIZE(out);
         k++) {
        if (PyArray_Check(PyTuple_GET_ITEM(out, k))) {
            py_raise_unsupported(PyTuple_GET_ITEM(out, k));
            return -1;
        }
    }
    return 1;
}

/* Call `f` with the inputs of (ufunc, method, *inputs). */
static PyObject *
forward(PyObject *f, PyObject *args, PyObject *kwargs)
{
    PyObject *inputs = PyTuple_GetSlice(args, 2, PyTuple_GET_SIZE(args)); /* owned */
    PyObject *options = kwargs ? PyDict_Copy(kwargs) : NULL;              /* owned */
    PyObject *out = options ? PyDict_GetItemString(options, "out") : NULL, *r = NULL;

    if (inputs == NULL || (kwargs && options == NULL)) goto done;
    /* Functions of ours other than ufuncs take one array, not a tuple. */
    if (out && PyTuple_Check(out) && PyTuple_GET_SIZE(out) == 1 &&
        PyDict_SetItemString(options, "out", PyTuple_GET_ITEM(out, 0)) < 0) {
        goto done;
    }
    r = PyObject_Call(f, inputs, options);

done:
    Py_XDECREF(inputs);
    Py_XDECREF(options);
    return r;
}

static int
is_comparison(PyObject *ufunc)
{
    static const char *const names[] = {"equal",   "not_equal",     "less",
                                        "greater", "greater_equal", "less_equal"};
    PyObject *name = PyObject_GetAttrString(ufunc, "__name__");
    int found = 0;

    for (size_t i = 0; name && i < sizeof names / sizeof names[0]; i++) {
        found |= PyUnicode_CompareWithASCIIString(name, names[i]) == 0;
    }
    Py_XDECREF(name);
    return name ? found : -1;
}

/* NumPy hands `np.int64(1) < x` over as an array of no dimensions and x (its issue 12142):
 * comparisons take that as the scalar it was. A new reference to the arguments to use. */
static PyObject *
unwrap_compared(PyObject *args)
{
    PyObject *unwrapped = NULL; /* owned */

    for (Py_ssize_t k = 2; k < PyTuple_GET_SIZE(args); k++) {
        PyObject *o = PyTuple_GET_ITEM(args, k), *value;
        int comparison;
        if (!PyArray_Check(o) || PyArray_NDIM((PyArrayObject *)o) != 0) continue;
        comparison = is_comparison(PyTuple_GET_ITEM(args, 0));
        if (comparison == 0) break;
        value = comparison < 0 ? NULL
                               : PyArray_ToScalar(PyArray_DATA((PyArrayObject *)o),
                                                  (PyArrayObject *)o);
        if (value && unwrapped == NULL) {
            unwrapped = PyTuple_New(PyTuple_GET_SIZE(args));
            for (Py_ssize_t i = 0; unwrapped && i < PyTuple_GET_SIZE(args); i++) {
                PyTuple_SET_ITEM(unwrapped, i, Py_NewRef(PyTuple_GET_ITEM(args, i)));
            }
        }
        if (value == NULL || unwrapped == NULL) {
            Py_XDECREF(value);
            Py_XDECREF(unwrapped);
            return NULL;
        }
        Py_SETREF(((PyTupleObject *)unwrapped)->ob_item[k], value);
    }
    return unwrapped ? unwrapped : Py_NewRef(args);
}

static PyObject *
array_ufunc(PyObject *args, PyObject *kwargs)
{
    PyObject *ours, *method, *bound, *r;
    int ok;

    method = PyTuple_GET_ITEM(args, 1);
    ours = find_ours(PyTuple_GET_ITEM(args, 0));
    if (ours == NULL) {
        if (PyErr_Occurred()) return NULL;
        Py_RETURN_NOTIMPLEMENTED;
    }
    ok = check_types(args, kwargs);
    if (ok <= 0) {
        Py_DECREF(ours);
        if (ok < 0) return NULL;
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyUnicode_Check(method) && py_keyword_is(method, "__call__")) {
        r = forward(ours, args, kwargs);
        Py_DECREF(ours);
        return r;
    }
    bound = PyObject_GetAttr(ours, method);
    Py_DECREF(ours);
    if (bound == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    r = forward(bound, args, kwargs);
    Py_DECREF(bound);
    return r;
}

PyObject *
py_array_ufunc(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *r;

    (void)self;
    if (PyTuple_GET_SIZE(args) < 2) {
        PyErr_SetString(PyExc_TypeError,
                        "__array_ufunc__ takes a ufunc, a method's name and inputs");
        return NULL;
    }
    args = unwrap_compared(args);
    if (args == NULL) return NULL;
    r = array_ufunc(args, kwargs);
    Py_DECREF(args);
    return r;
}
