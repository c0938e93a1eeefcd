/* array/py_index.h: the subscript protocol, a[key] and a[key] = value. */
#ifndef CUPRIC_ARRAY_PY_INDEX_H
#define CUPRIC_ARRAY_PY_INDEX_H

#include "layout/py_object.h"

PyObject *py_array_subscript(PyObject *self, PyObject *key);
int py_array_ass_subscript(PyObject *self, PyObject *key, PyObject *value);
PyObject *py_array_item_at(PyObject *self, Py_ssize_t i); /* sq_item */

#endif
