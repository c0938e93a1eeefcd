/* layout/py_foreign.h: objects of other packages that hold memory of a device, and
 * objects that are a handle. */
#ifndef CUPRIC_LAYOUT_PY_FOREIGN_H
#define CUPRIC_LAYOUT_PY_FOREIGN_H

#include <Python.h>

#include <stdbool.h>

/* The array that an object offers by `__cupric_get_ndarray__`, `__cupy_get_ndarray__` or
 * `__cuda_array_interface__`: new reference, which keeps the object alive. NULL without an
 * exception for all other objects, arrays of ours among them. It is the one way in: operands of operations and
 * kernels, indices, shapes and elements of nested lists take such objects by it. */
PyObject *py_foreign_array(PyObject *o);
/* Whether it offers one. */
bool py_is_foreign(PyObject *o);
/* The number that an object is to a kernel, its `__cupric_handle__`: new reference. NULL
 * without an exception where it is none. */
PyObject *py_foreign_handle(PyObject *o);

#endif
