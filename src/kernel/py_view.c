/* kernel/py_view.c: arrays that a kernel takes with their shape and strides. */
#include <Python.h>

#include "kernel/py_kernel.h"

typedef struct py_view {
    PyObject_HEAD
    PyObject *array; /* owned */
} py_view;

PyObject *
py_view_array(PyObject *view)
{
    return ((py_view *)view)->array;
}

static void
view_dealloc(PyObject *o)
{
    Py_XDECREF(((py_view *)o)->array);
    PyObject_Free(o);
}

PyTypeObject py_ViewType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric._core._View",
    .tp_doc = "An array that a kernel takes as CArray<T, ndim, false>.",
    .tp_basicsize = sizeof(py_view),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = view_dealloc,
};

PyObject *
py_view_new(PyObject *module, PyObject *array)
{
    py_view *v;

    (void)module;
    if (!py_array_check(array)) {
        py_raise_unsupported(array);
        return NULL;
    }
    v = PyObject_New(py_view, &py_ViewType);
    if (v) v->array = Py_NewRef(array);
    return (PyObject *)v;
}
