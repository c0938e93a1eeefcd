/* py_wrapper.h: a function in Python that is called through one in C. */
#ifndef CUPRIC_PY_WRAPPER_H
#define CUPRIC_PY_WRAPPER_H

#include <Python.h>

/* What objects of each type that is based on py_wrapper_type begin with. To Python they
 * are functions: they can be methods, and are pickled by name; functools.update_wrapper
 * gives them name, docstring and signature. */
typedef struct py_wrapper {
    PyObject_HEAD
    vectorcallfunc call; /* of the type */
    PyObject *function;  /* owned: what is called in the end */
    PyObject *dict;      /* owned */
    PyObject *weakrefs;
} py_wrapper;

extern PyTypeObject py_wrapper_type;

/* What every such type has. One that owns more than a py_wrapper has a tp_clear, which
 * ends with the wrapper's. */
#define PY_WRAPPER_TYPE                                                                \
    .tp_base = &py_wrapper_type,                                                       \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | \
                Py_TPFLAGS_METHOD_DESCRIPTOR,                                          \
    .tp_call = PyVectorcall_Call, .tp_vectorcall_offset = offsetof(py_wrapper, call),  \
    .tp_traverse = py_wrapper_traverse

/* tp_new with `call`, of the one argument function. */
PyObject *py_wrapper_new(PyTypeObject *type, PyObject *args, PyObject *kwargs,
                         vectorcallfunc call);
int py_wrapper_traverse(PyObject *o, visitproc visit, void *arg);
int py_wrapper_clear(PyObject *o);

#endif
