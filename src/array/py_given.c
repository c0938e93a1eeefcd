/* array/py_given.c: what functions in Python begin with, what they were given as an array,
 * perhaps of some axes; and one that does nothing but call its method. */
#include <string.h>

#include "array/py_array.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
#include "array/py_key.h"
#include "layout/py_args.h"

PyObject *
py_device_array(PyObject *o)
{
    if (py_array_check(o)) return Py_NewRef(o);
    if (PyArray_Check(o)) {
        py_raise_unsupported(o);
        return NULL;
    }
    return py_array_from_any(o, CUPRIC_NO_DTYPE, 'K', -1);
}

static PyObject *
device_array(PyObject *self, PyObject *o)
{
    (void)self;
    return py_device_array(o);
}

static PyObject *
parameter_array(PyObject *self, PyObject *o)
{
    (void)self;
    if (py_array_check(o)) return Py_NewRef(o);
    return py_array_from_any(o, CUPRIC_NO_DTYPE, 'K', -1);
}

/* The argument with `ndim` axes at least: a view with some of length 1 before its own, and of
 * three the last behind them. */
static PyObject *
with_axes(PyObject *o, int ndim)
{
    PyObject *made = parameter_array(NULL, o), *r; /* made owned */
    const int behind = ndim == 3;
    const cu_array *a;
    cu_array view;

    if (made == NULL) return NULL;
    a = py_array_get(made);
    if (a->ndim >= ndim) return made;
    py_view_begin(&view, a);
    for (int i = a->ndim; i < ndim - behind; i++) py_view_add(&view, 1, 0);
    py_view_rest(&view, a, 0, a->ndim);
    if (behind) py_view_add(&view, 1, 0);
    py_view_end(&view);
    r = py_array_new_view(&view, made);
    Py_DECREF(made);
    return r;
}

static PyObject *
as_line(PyObject *self, PyObject *o)
{
    (void)self;
    return with_axes(o, 1);
}

static PyObject *
as_plane(PyObject *self, PyObject *o)
{
    (void)self;
    return with_axes(o, 2);
}

static PyObject *
as_block(PyObject *self, PyObject *o)
{
    (void)self;
    return with_axes(o, 3);
}

static PyObject *
array_with_methods(PyObject *self, PyObject *o)
{
    (void)self;
    return PyArray_Check(o) ? Py_NewRef(o) : py_device_array(o);
}

/* squeeze(a, axis=None) */
static PY_FASTCALL(squeeze)
{
    static const char *const names[] = {"a", "axis", NULL};
    PyObject *v[2], *a, *r; /* a owned */

    if (py_args_parse("squeeze", args, nargs, kwnames, names, 2, 1, v) < 0) return NULL;
    a = array_with_methods(self, v[0]);
    if (a == NULL) return NULL;
    if (py_array_check(a)) {
        r = py_array_squeeze(a, v + 1, v[1] != NULL, NULL);
    } else {
        r = PyObject_CallMethod(a, "squeeze", "O", v[1] ? v[1] : Py_None);
    }
    Py_DECREF(a);
    return r;
}

/* are_vectors(x, y, kinds): arrays of ours with one axis, as long, of one dtype, whose letter
 * is among `kinds`. */
static PyObject *
are_vectors(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    const cu_array *x, *y;
    const char *kinds;

    (void)self;
    if (nargs != 3 || (kinds = PyUnicode_AsUTF8(args[2])) == NULL) {
        if (nargs != 3) PyErr_SetString(PyExc_TypeError, "are_vectors(x, y, kinds)");
        return NULL;
    }
    if (Py_TYPE(args[0]) != &py_array_type || Py_TYPE(args[1]) != &py_array_type) {
        Py_RETURN_FALSE;
    }
    x = py_array_get(args[0]);
    y = py_array_get(args[1]);
    return PyBool_FromLong(x->ndim == 1 && y->ndim == 1 && x->size == y->size &&
                           x->dtype == y->dtype && !cu_is_opaque(x->dtype) &&
                           strchr(kinds, cu_dtypes[x->dtype].letter) != NULL);
}

PyMethodDef py_given_functions[] = {
    {"device_array", device_array, METH_O, device_array_doc},
    {"parameter_array", parameter_array, METH_O, parameter_array_doc},
    {"as_line", as_line, METH_O, "as_line(a)\n--\n\n"},
    {"as_plane", as_plane, METH_O, "as_plane(a)\n--\n\n"},
    {"as_block", as_block, METH_O, "as_block(a)\n--\n\n"},
    {"are_vectors", (PyCFunction)(void (*)(void))are_vectors, METH_FASTCALL,
     "are_vectors(x, y, kinds)\n--\n\n"},
    {"array_with_methods", array_with_methods, METH_O, array_with_methods_doc},
    {"squeeze", (PyCFunction)(void (*)(void))squeeze, METH_FASTCALL | METH_KEYWORDS,
     squeeze_doc},
    {NULL},
};
