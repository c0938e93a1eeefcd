/* py_wrapper.c: a function in Python that is called through one in C. */
#include <Python.h>

#include "py_wrapper.h"

#include <stddef.h>
#include <structmember.h>

PyObject *
py_wrapper_new(PyTypeObject *type, PyObject *args, PyObject *kwargs,
               vectorcallfunc call)
{
    static char *names[] = {"function", NULL};
    PyObject *function;
    py_wrapper *self;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &function)) return NULL;
    self = (py_wrapper *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->call = call;
    self->function = Py_NewRef(function);
    return (PyObject *)self;
}

int
py_wrapper_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(((py_wrapper *)o)->function);
    Py_VISIT(((py_wrapper *)o)->dict);
    return 0;
}

int
py_wrapper_clear(PyObject *o)
{
    Py_CLEAR(((py_wrapper *)o)->function);
    Py_CLEAR(((py_wrapper *)o)->dict);
    return 0;
}

static void
wrapper_dealloc(PyObject *o)
{
    PyObject_GC_UnTrack(o);
    if (((py_wrapper *)o)->weakrefs) PyObject_ClearWeakRefs(o);
    Py_TYPE(o)->tp_clear(o);
    Py_TYPE(o)->tp_free(o);
}

static PyObject *
wrapper_repr(PyObject *o)
{
    return PyObject_Repr(((py_wrapper *)o)->function);
}

/* As a method of a class, and as inspect knows routines. */
static PyObject *
wrapper_get(PyObject *o, PyObject *instance, PyObject *owner)
{
    (void)owner;
    if (instance == NULL || instance == Py_None) return Py_NewRef(o);
    return PyMethod_New(o, instance);
}

static PyObject *
wrapper_reduce(PyObject *o, PyObject *unused)
{
    (void)unused;
    return PyObject_GetAttrString(o, "__qualname__");
}

static PyMethodDef wrapper_methods[] = {
    {"__reduce__", wrapper_reduce, METH_NOARGS, NULL},
    {NULL},
};

static PyGetSetDef wrapper_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL},
};

PyTypeObject py_wrapper_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric._core._Wrapper",
    .tp_doc = "A function that is called through one in C.",
    .tp_basicsize = sizeof(py_wrapper),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = wrapper_dealloc,
    .tp_traverse = py_wrapper_traverse,
    .tp_clear = py_wrapper_clear,
    .tp_repr = wrapper_repr,
    .tp_dictoffset = offsetof(py_wrapper, dict),
    .tp_weaklistoffset = offsetof(py_wrapper, weakrefs),
    .tp_descr_get = wrapper_get,
    .tp_methods = wrapper_methods,
    .tp_getset = wrapper_getset,
};
