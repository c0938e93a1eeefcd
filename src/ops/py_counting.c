/* ops/py_counting.c: what bincount and histogram are made of. */
#include "layout/py_args.h"
#include "ops/counting.h"
#include "ops/py_sort.h"
#include "ops/py_ufunc.h"
#include "ops/reduction.h"

/* NULL where `o` is None. */
static const cu_array *
array_or_none(PyObject *o)
{
    return o == Py_None ? NULL : py_array_get(o);
}

/* The arguments are arrays, or None, that the Python side has checked. */
static PyObject *
count_values(PyObject *module, PyObject *args)
{
    PyObject *values, *edges, *weights;
    cu_counting what = {0};
    cu_array out = cu_array_none();
    long long nbins;
    int even;
    cu_status st;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!OOpL:count_values", &py_array_type, &values, &edges,
                          &weights, &even, &nbins)) {
        return NULL;
    }
    what.values = py_array_get(values);
    what.edges = array_or_none(edges);
    what.weights = array_or_none(weights);
    what.even = even;
    what.nbins = nbins;
    if (py_is_long(what.values->size) || py_is_long(nbins)) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_array_count(&what, &out);
        Py_END_ALLOW_THREADS
    } else {
        st = cu_array_count(&what, &out);
    }
    return st ? py_raise() : py_array_new(&out);
}

/* Of an array of integers that has some. */
static PyObject *
largest_unsigned(PyObject *module, PyObject *o)
{
    cu_array a; /* borrowed */
    uint64_t value;
    PyThreadState *thread;
    cu_status st;

    (void)module;
    if (!py_array_check(o)) {
        py_raise_unsupported(o);
        return NULL;
    }
    cu_array_borrow(&a, py_array_get(o));
    thread = py_suspend(a.size);
    st = cu_array_largest_unsigned(&a, &value);
    py_resume(thread);
    return st ? py_raise() : PyLong_FromUnsignedLongLong(value);
}

static PyMethodDef functions[] = {
    {"count_values", count_values, METH_VARARGS,
     "count_values($module, values, edges, weights, even, nbins)\n--\n\n"
     "How many values fall into each bin; see ops/counting.h."},
    {"largest_unsigned", largest_unsigned, METH_O,
     "largest_unsigned($module, x)\n--\n\n"
     "The largest of some integers, as unsigned numbers of their width."},
    {NULL, NULL, 0, NULL},
};

int
py_counting_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
