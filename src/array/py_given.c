/* array/py_given.c: what functions in Python begin with, what they were given as an array;
 * and one that does nothing but call its method. */
#include "array/py_array.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
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

PyMethodDef py_given_functions[] = {
    {"device_array", device_array, METH_O, device_array_doc},
    {"parameter_array", parameter_array, METH_O, parameter_array_doc},
    {"array_with_methods", array_with_methods, METH_O, array_with_methods_doc},
    {"squeeze", (PyCFunction)(void (*)(void))squeeze, METH_FASTCALL | METH_KEYWORDS,
     squeeze_doc},
    {NULL},
};
