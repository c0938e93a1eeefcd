/* ops/py_ufunc_methods.c: ufunc.reduce, accumulate, reduceat and outer. */
#include <string.h>

#include "layout/py_args.h"
#include "layout/py_shape.h"
#include "ops/iter.h"
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
check_starts_on_host(const char *name, const int64_t *starts, int64_t n, int64_t length)
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

/* Whether indices that are on a device are on the array's; with ValueError if not. */
static bool
share_device(PyObject *array, PyObject *indices)
{
    const cu_array *arrays[2] = {py_array_get(array), NULL};
    cu_device *device = NULL;

    if (py_array_check(indices)) arrays[1] = py_array_get(indices);
    if (!cu_common_device(2, arrays, &device)) return true;
    py_raise();
    return false;
}

#define MANY_STARTS 1024 /* of an array: their copy would take longer than a launch */

/* Where slices begin, in whichever memory. */
typedef struct py_starts {
    PyObject *host; /* owned: a NumPy array, or NULL */
    cu_array there; /* owned */
    cu_starts of;
} py_starts;

static void
release_starts(py_starts *s)
{
    Py_XDECREF(s->host);
    cu_array_release(&s->there);
}

/* The elements of an array of int64 as a NumPy array; new reference. */
static PyObject *
fetch(const cu_array *a)
{
    npy_intp shape[CUPRIC_MAXDIMS];
    PyObject *host;

    for (int i = 0; i < a->ndim; i++) shape[i] = (npy_intp)a->shape[i];
    host = PyArray_SimpleNew(a->ndim, shape, NPY_INT64);
    if (host && cu_array_get(a, PyArray_DATA((PyArrayObject *)host))) {
        Py_DECREF(host);
        return py_raise();
    }
    return host;
}

/* Those of an array: *there is the array, or a copy in int64. */
static int
starts_of_array(const cu_array *a, cu_array *there)
{
    if (a->dtype == CUPRIC_INT64 && cu_array_is_contiguous(a)) {
        cu_array_alias(there, a);
        return 0;
    }
    return cu_array_cast(a, CUPRIC_INT64, 'C', there) ? py_raise_int() : 0;
}

/* They are held by *s, also after a failure. */
static int
read_starts(PyObject *o, py_starts *s)
{
    PyObject *host; /* owned */

    s->host = NULL;
    s->there = cu_array_none();
    s->of = (cu_starts){.there = &s->there};
    if (py_array_check(o)) {
        if (starts_of_array(py_array_get(o), &s->there) < 0) return -1;
        s->of.n = s->there.size;
        if (s->there.ndim == 1 && s->of.n > MANY_STARTS) return 0;
    }
    host = py_array_check(o) ? fetch(&s->there) : Py_NewRef(o);
    if (host == NULL) return -1;
    s->host = PyArray_FromAny(host, PyArray_DescrFromType(NPY_INT64), 1, 1,
                              NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST, NULL);
    Py_DECREF(host);
    if (s->host == NULL) return -1;
    s->of.at = (const int64_t *)PyArray_DATA((PyArrayObject *)s->host);
    s->of.n = PyArray_SIZE((PyArrayObject *)s->host);
    return 0;
}

/* Whether all are places of an axis of `length`; an IndexError names the first that is
 * not. */
static int
check_starts(const char *name, const py_starts *s, int64_t length)
{
    uint64_t largest;
    PyObject *at;
    int r;

    if (s->of.at) return check_starts_on_host(name, s->of.at, s->of.n, length);
    if (cu_array_largest_unsigned(&s->there, &largest)) return py_raise_int();
    if (largest < (uint64_t)length) return 0;
    at = fetch(&s->there);
    if (at == NULL) return -1;
    r = check_starts_on_host(name, (const int64_t *)PyArray_DATA((PyArrayObject *)at),
                             s->of.n, length);
    Py_DECREF(at);
    return r;
}

static PyObject *
reduceat_along(int op, PyObject *array, const cu_array *in, int axis,
               const py_starts *starts, PyObject *dtype, PyObject *out)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    const int64_t n = starts->of.n;
    cu_array made = cu_array_none(), *into = NULL; /* made: owned */
    cu_dtype asked = CUPRIC_NO_DTYPE, given = CUPRIC_NO_DTYPE;
    int64_t shape[CUPRIC_MAXDIMS];
    int sig;

    if (check_starts(u->name, starts, in->shape[axis]) < 0) return NULL;
    if (py_output_unpack(out, &out) < 0) return NULL;
    if (!py_is_absent(dtype) && py_dtype_convert(dtype, &asked) < 0) return NULL;
    if (out && py_array_check(out)) given = py_array_get(out)->dtype;
    sig = py_reduce_signature(op, in->dtype, asked, given);
    if (sig < 0 || py_warn_complex(in->dtype, u->sigs[sig].type[0]) < 0) return NULL;
    memcpy(shape, in->shape, (size_t)in->ndim * sizeof *shape);
    shape[axis] = n;
    if (out) {
        if (py_output_require(out, u->name, in->ndim, shape, &into) < 0) return NULL;
        if (py_warn_complex(u->sigs[sig].type[2], into->dtype) < 0) return NULL;
    } else {
        if (cu_array_init(&made, cu_array_device(in), u->sigs[sig].type[2], in->ndim,
                          shape, 'C')) {
            return py_raise();
        }
        into = &made;
    }
    if (cu_array_reduceat(op, sig, in, axis, &starts->of, into)) {
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
    PyObject *v[5], *array, *r = NULL; /* array: owned */
    py_starts starts;                  /* owned */
    int axes[CUPRIC_MAXDIMS] = {0}, n = 1;
    const cu_array *a;

    if (require_binary(op_of(self), "reduceat") < 0) return NULL;
    if (py_args_parse("reduceat", args, nargs, kwnames, names, 5, 2, v) < 0)
        return NULL;
    array = py_array_require(v[0]);
    if (array == NULL) return NULL;
    a = py_array_get(array);
    if (a->ndim == 0) {
        fail_scalar(v[2], "reduceat");
        goto done;
    }
    if (v[2]) n = py_axes_read(v[2], a->ndim, axes);
    if (n < 0) goto done;
    if (n != 1) {
        PyErr_SetString(PyExc_ValueError, "reduceat does not allow multiple axes");
        goto done;
    }
    if (!share_device(array, v[1])) goto done;
    if (read_starts(v[1], &starts) == 0) {
        r = reduceat_along(op_of(self), array, a, axes[0], &starts, v[3], v[4]);
    }
    release_starts(&starts);

done:
    Py_DECREF(array);
    return r;
}

/* ---- outer --------------------------------------------------------------------------- */

/* `a` with `extra` axes of length 1 after its own: a view, new reference. */
static PyObject *
with_axes_after(PyObject *a, int extra)
{
    const cu_array *x = py_array_get(a);
    cu_array view = cu_array_none();
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
     "    The input.\n"
     "axis : None, int or tuple of ints, optional\n"
     "    Axes to go; None for all of them.\n"
     "dtype : dtype, optional\n"
     "    Of the result, and of the work.\n"
     "out : cupric.ndarray, optional\n"
     "    Where the result goes.\n"
     "keepdims : bool, optional\n"
     "    Keep the axes that go, with length 1.\n"
     "initial : scalar, optional\n"
     "    Where to start; None for the first element.\n"
     "where : cupric.ndarray of bool, optional\n"
     "    Elements that take part; broadcasts to `array`.\n\n"
     "Returns\n-------\ncupric.ndarray\n\n"
     "Examples\n--------\n"
     ">>> cp.add.reduce(cp.ones((2, 3)), axis=1)\n"
     "array([3., 3.])\n"},
    {"accumulate", FAST(accumulate),
     "accumulate($self, /, array, axis=0, dtype=None, out=None)\n--\n\n"
     "Combine the elements along an axis, up to each one.\n\n"
     "Parameters\n----------\n"
     "array : cupric.ndarray\n"
     "    The input.\n"
     "axis : int, optional\n"
     "    The axis to run along.\n"
     "dtype : dtype, optional\n"
     "    Of the result, and of the work.\n"
     "out : cupric.ndarray, optional\n"
     "    Where the result goes.\n\n"
     "Returns\n-------\ncupric.ndarray\n\n"
     "Examples\n--------\n"
     ">>> cp.multiply.accumulate(cp.arange(1, 5))\n"
     "array([ 1,  2,  6, 24])\n"},
    {"reduceat", FAST(reduceat),
     "reduceat($self, /, array, indices, axis=0, dtype=None, out=None)\n--\n\n"
     "Combine slices of an axis, each from an index to the next.\n\n"
     "Parameters\n----------\n"
     "array : cupric.ndarray\n"
     "    The input.\n"
     "indices : array_like of ints\n"
     "    Where slices start. One that is not below its successor takes one element.\n"
     "axis : int, optional\n"
     "    The axis to run along.\n"
     "dtype : dtype, optional\n"
     "    Of the result, and of the work.\n"
     "out : cupric.ndarray, optional\n"
     "    Where the result goes.\n\n"
     "Returns\n-------\ncupric.ndarray\n\n"
     "Examples\n--------\n"
     ">>> cp.add.reduceat(cp.arange(6), cp.array([0, 4]))\n"
     "array([6, 9])\n"},
    {"outer", FAST(outer),
     "outer($self, A, B, /, **kwargs)\n--\n\n"
     "The operation on every pair of elements.\n\n"
     "Parameters\n----------\n"
     "A, B : cupric.ndarray or scalar\n"
     "**kwargs\n"
     "    Those of a call.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray\n"
     "    Its shape is A.shape + B.shape.\n\n"
     "Examples\n--------\n"
     ">>> cp.multiply.outer(cp.arange(3), cp.array([1, 10]))\n"
     "array([[ 0,  0],\n"
     "       [ 1, 10],\n"
     "       [ 2, 20]])\n"},
    {"at", FAST(py_ufunc_at),
     "at($self, /, a, indices, b=None)\n--\n\n"
     "Apply the operation in place at indices, once for each time an index appears.\n\n"
     "Parameters\n----------\n"
     "a : cupric.ndarray\n"
     "    Changed in place.\n"
     "indices : array_like of ints, or a tuple\n"
     "    As in ``a[indices]``.\n"
     "b : cupric.ndarray or scalar, optional\n"
     "    The second operand; broadcasts to ``a[indices]``.\n\n"
     "Examples\n--------\n"
     ">>> x = cp.zeros(3)\n"
     ">>> cp.add.at(x, cp.array([0, 0, 2]), 1)\n"
     ">>> x\n"
     "array([2., 0., 1.])\n"},
    {"__reduce__", pickle, METH_NOARGS, NULL},
    {"_resolve", py_ufunc_resolve, METH_VARARGS,
     "_resolve($self, letters, dtype=None, /)\n--\n\n"
     "The signature for inputs of dtypes by letter; '1', '.', 'j' are Python's "
     "numbers."},
    {NULL, NULL, 0, NULL},
};
