/* layout/py_shape.c: see py_shape.h. */
#include "layout/py_shape.h"

#include "layout/py_foreign.h"

static int
read_length(PyObject *o, int64_t *out)
{
    PyObject *offered; /* owned */
    Py_ssize_t v;

    if (PyLong_CheckExact(o)) {
        v = PyLong_AsSsize_t(o);
        if (v != -1 || !PyErr_Occurred()) {
            *out = v;
            return 0;
        }
        PyErr_Clear(); /* told below */
    }
    offered = py_foreign_array(o);
    if (offered == NULL && PyErr_Occurred()) return -1;
    v = PyNumber_AsSsize_t(offered ? offered : o, PyExc_ValueError);
    Py_XDECREF(offered);
    if (v == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_ValueError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError,
                         "Maximum allowed dimension exceeded: a length of %R", o);
        }
        return -1;
    }
    *out = v;
    return 0;
}

int
py_shape_read(PyObject *o, int64_t *shape)
{
    PyObject *seq, *offered; /* owned */
    Py_ssize_t n;

    if (!PyTuple_CheckExact(o) && !PyLong_CheckExact(o)) {
        offered = py_foreign_array(o);
        if (offered) {
            const int ndim = py_shape_read(offered, shape);
            Py_DECREF(offered);
            return ndim;
        }
        if (PyErr_Occurred()) return -1;
    }
    if (PyIndex_Check(o) && !PySequence_Check(o)) {
        return read_length(o, shape) < 0 ? -1 : 1;
    }
    if ((py_array_check(o) && py_array_get(o)->ndim == 0) ||
        (PyArray_Check(o) && PyArray_NDIM((PyArrayObject *)o) == 0)) {
        return read_length(o, shape) < 0 ? -1 : 1;
    }
    seq = PySequence_Tuple(o); /* a list might change while its elements are read */
    if (seq == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(
                PyExc_TypeError,
                "expected a sequence of integers or a single integer, got '%R'", o);
        }
        return -1;
    }
    n = PyTuple_GET_SIZE(seq);
    if (n > CUPRIC_MAXDIMS) {
        PyErr_Format(
            PyExc_ValueError,
            "maximum supported dimension for an ndarray is currently %d, found %zd",
            CUPRIC_MAXDIMS, n);
        Py_DECREF(seq);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (read_length(PyTuple_GET_ITEM(seq, i), &shape[i]) < 0) {
            Py_DECREF(seq);
            return -1;
        }
    }
    Py_DECREF(seq);
    return (int)n;
}

int
py_axis_read(PyObject *o, int ndim, int *out)
{
    Py_ssize_t v = PyNumber_AsSsize_t(o, PyExc_OverflowError);
    cu_status st;
    if (v == -1 && PyErr_Occurred()) return -1;
    st = cu_axis_normalize(v, ndim, out);
    if (st) {
        py_raise();
        return -1;
    }
    return 0;
}

int
py_axes_read(PyObject *o, int ndim, int *axes)
{
    bool seen[CUPRIC_MAXDIMS] = {false};
    Py_ssize_t n;

    if (o == NULL || o == Py_None) {
        for (int i = 0; i < ndim; i++) axes[i] = i;
        return ndim;
    }
    if (!PyTuple_Check(o)) {
        if (PyList_Check(o)) {
            PyErr_Format(PyExc_TypeError,
                         "axis must be None, an int or a tuple of ints, "
                         "not %R",
                         o);
            return -1;
        }
        return py_axis_read(o, ndim, &axes[0]) < 0 ? -1 : 1;
    }
    n = PyTuple_GET_SIZE(o);
    for (Py_ssize_t i = 0; i < n; i++) {
        int axis;
        if (py_axis_read(PyTuple_GET_ITEM(o, i), ndim, &axis) < 0) return -1;
        if (seen[axis]) {
            PyErr_SetString(PyExc_ValueError, "duplicate value in 'axis'");
            return -1;
        }
        seen[axis] = true;
        axes[i] = axis;
    }
    return (int)n;
}
