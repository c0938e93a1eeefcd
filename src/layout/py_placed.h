/* layout/py_placed.h: what runs on the device of its arguments, so that what it allocates
 * is there, whichever device is the current one. */
#ifndef CUPRIC_LAYOUT_PY_PLACED_H
#define CUPRIC_LAYOUT_PY_PLACED_H

#include <Python.h>

#include "device/device.h"

/* The device of the first array among the items, those in lists and tuples, too; the
 * current one where there is none. */
cu_device *py_device_of(PyObject *const *items, Py_ssize_t n);

/* PyObject_Vectorcall while `device` is the current one. */
PyObject *py_call_on(cu_device *device, PyObject *function, PyObject *const *args,
                     size_t nargsf, PyObject *kwnames);

/* Add to `module` the type _Placed, of functions in Python that run on the device of their
 * arguments; these raise where arrays lie on two. -1 with an exception on failure. */
int py_placed_init(PyObject *module);

#endif
