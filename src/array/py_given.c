/* array/py_given.c: what functions in Python begin with: what they were given as an array. */
#include "array/py_array.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"

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

PyMethodDef py_given_functions[] = {
    {"device_array", device_array, METH_O, device_array_doc},
    {"parameter_array", parameter_array, METH_O, parameter_array_doc},
    {"array_with_methods", array_with_methods, METH_O, array_with_methods_doc},
    {NULL},
};
