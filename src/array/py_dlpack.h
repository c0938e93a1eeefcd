/* array/py_dlpack.h: DLPack for Python: methods of ndarray and module functions. */
#ifndef CUPRIC_ARRAY_PY_DLPACK_H
#define CUPRIC_ARRAY_PY_DLPACK_H

#include "layout/py_object.h"

/* __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) */
PyObject *py_array_dlpack(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *py_array_dlpack_device(PyObject *self, PyObject *unused);
/* toDlpack(): an unversioned capsule. */
PyObject *py_array_to_dlpack(PyObject *self, PyObject *unused);

/* from_dlpack(array, *, device=None, copy=None); an object with __dlpack__, or a capsule.
 * `device` is an ordinal. */
PyObject *py_from_dlpack(PyObject *module, PyObject *args, PyObject *kwargs);

#endif
