/* ops/py_nonzero.c: nonzero, flatnonzero, argwhere: where elements are not zero. */
#include "layout/py_args.h"
#include "ops/py_sort.h"
#include "ops/py_ufunc.h"
#include "ops/sorting.h"

static cu_status
find_nonzero(const cu_array *a, cu_array *out)
{
    cu_status st;
    Py_BEGIN_ALLOW_THREADS
    st = cu_array_nonzero(a, out);
    Py_END_ALLOW_THREADS
    return st;
}

/* Row `k` of a (ndim, count) table: a new array object over the same memory. */
static PyObject *
row_of(const cu_array *table, int64_t k)
{
    cu_array row = cu_array_none();
    const int64_t stride = cu_itemsize(CUPRIC_INT64);
    cu_array_init_view(&row, table->storage, table->offset + k * table->strides[0],
                       CUPRIC_INT64, 1, &table->shape[1], &stride);
    return py_array_new(&row);
}

static PyObject *
nonzero_of(PyObject *o)
{
    const cu_array *a = py_array_get(o);
    cu_array table = cu_array_none(); /* owned */
    PyObject *r;

    if (a->ndim == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "Calling nonzero on 0d arrays is not allowed. Use "
                        "cupric.atleast_1d(scalar).nonzero() instead.");
        return NULL;
    }
    if (find_nonzero(a, &table)) return py_raise();
    r = PyTuple_New(a->ndim);
    for (int k = 0; r && k < a->ndim; k++) {
        PyObject *row = row_of(&table, k);
        if (row == NULL) {
            Py_CLEAR(r);
            break;
        }
        PyTuple_SET_ITEM(r, k, row);
    }
    cu_array_release(&table);
    return r;
}

PY_METHOD(nonzero)
{
    static const char *const names[] = {NULL};
    PyObject *v[1];
    if (py_args_parse("nonzero", args, nargs, kwnames, names, 0, 0, v) < 0) return NULL;
    return nonzero_of(self);
}

/* Functions of one array. */
static PyObject *
call_one(const char *fname, PyObject *(*f)(PyObject *), PyObject *const *args,
         Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", NULL};
    PyObject *v[1], *a, *r;
    if (py_args_parse(fname, args, nargs, kwnames, names, 1, 1, v) < 0) return NULL;
    a = py_array_require(v[0]);
    if (a == NULL) return NULL;
    r = f(a);
    Py_DECREF(a);
    return r;
}

static PyObject *
nonzero(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    (void)module;
    return call_one("nonzero", nonzero_of, args, nargs, kwnames);
}

/* The elements in C order, along one axis: a view where there is one. */
static cu_status
flatten(const cu_array *a, cu_array *line)
{
    const int64_t shape[1] = {a->size};
    cu_array copy = cu_array_none(); /* owned */
    bool needs_copy;
    cu_status st = cu_array_reshape(a, 1, shape, 'C', line, &needs_copy);

    if (st || !needs_copy) return st;
    st = cu_array_cast(a, a->dtype, 'C', &copy);
    if (!st) st = cu_array_reshape(&copy, 1, shape, 'C', line, &needs_copy);
    cu_array_release(&copy);
    return st;
}

static PyObject *
flat_positions(PyObject *o)
{
    cu_array line = cu_array_none(), table = cu_array_none(); /* owned */
    cu_status st = flatten(py_array_get(o), &line);
    PyObject *r;

    if (!st) st = find_nonzero(&line, &table);
    r = st ? py_raise() : row_of(&table, 0);
    cu_array_release(&table);
    cu_array_release(&line);
    return r;
}

static PyObject *
flatnonzero(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    (void)module;
    return call_one("flatnonzero", flat_positions, args, nargs, kwnames);
}

static PyObject *
coordinates(PyObject *o)
{
    cu_array table = cu_array_none(), transposed = cu_array_none(); /* table: owned */
    cu_status st = find_nonzero(py_array_get(o), &table);
    if (!st) st = cu_array_transpose(&table, NULL, &transposed);
    cu_array_release(&table);
    return st ? py_raise() : py_array_new(&transposed);
}

static PyObject *
argwhere(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    (void)module;
    return call_one("argwhere", coordinates, args, nargs, kwnames);
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS
#define DOC_EXAMPLES "\nExamples\n--------\n"
#define DOC_A "\n\nParameters\n----------\na : cupric.ndarray\n"

static PyMethodDef functions[] = {
    {"nonzero", FAST(nonzero),
     "nonzero($module, a)\n--\n\n"
     "Indices of the elements that are not zero." DOC_A
     "\nReturns\n-------\ntuple of cupric.ndarray\n    One array of int64 per axis. "
     "Waits "
     "for the device.\n" DOC_EXAMPLES ">>> cp.nonzero(cp.array([0, 3, 0, 4]))\n"
     "(array([1, 3]),)\n"},
    {"flatnonzero", FAST(flatnonzero),
     "flatnonzero($module, a)\n--\n\n"
     "Positions in C order of the elements that are not zero." DOC_A
     "\nReturns\n-------\ncupric.ndarray of int64\n    Waits for the "
     "device.\n" DOC_EXAMPLES ">>> cp.flatnonzero(cp.array([[0, 3], [0, 4]]))\n"
     "array([1, 3])\n"},
    {"argwhere", FAST(argwhere),
     "argwhere($module, a)\n--\n\n"
     "Indices of the elements that are not zero, one row each." DOC_A
     "\nReturns\n-------\ncupric.ndarray of int64, shape (count, a.ndim)\n    Waits "
     "for "
     "the device.\n" DOC_EXAMPLES ">>> cp.argwhere(cp.array([[0, 3], [0, 4]]))\n"
     "array([[0, 1],\n"
     "       [1, 1]])\n"},
    {NULL, NULL, 0, NULL},
};

int
py_nonzero_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
