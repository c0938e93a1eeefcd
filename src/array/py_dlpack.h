/* array/py_dlpack.h: DLPack for Python: methods of ndarray, and from_dlpack.
 *
 * Who frees what: an exported tensor holds a reference to the storage, which needs no
 * interpreter to be given back; an imported one belongs to a storage made for it, whose
 * last user calls the producer's deleter. Either side may go first.
 */
#ifndef CUPRIC_ARRAY_PY_DLPACK_H
#define CUPRIC_ARRAY_PY_DLPACK_H

#include "layout/py_object.h"

/* __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) */
PyObject *py_array_dlpack(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *py_array_dlpack_device(PyObject *self, PyObject *unused);
/* toDlpack(): an unversioned capsule. */
PyObject *py_array_to_dlpack(PyObject *self, PyObject *unused);

/* ---- for the files of this module ---- */

/* A pair of ints; 1 read, 0 None, -1 with an exception. */
int py_dl_pair_read(PyObject *o, const char *what, long *first, long *second);
/* None: -1; otherwise its truth. -2 with an exception. */
int py_dl_copy_read(PyObject *o);

#endif
