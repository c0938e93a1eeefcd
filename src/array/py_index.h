/* array/py_index.h: the subscript protocol, a[key] and a[key] = value. */
#ifndef CUPRIC_ARRAY_PY_INDEX_H
#define CUPRIC_ARRAY_PY_INDEX_H

#include "layout/py_object.h"
#include "ops/iter.h"

PyObject *py_array_subscript(PyObject *self, PyObject *key);
int py_array_ass_subscript(PyObject *self, PyObject *key, PyObject *value);
PyObject *py_array_item_at(PyObject *self, Py_ssize_t i); /* sq_item */

/* A value to be stored: an array, or a scalar in the dtype of where it goes. `owned`
 * keeps the array. */
typedef struct py_value {
    cu_iter_arg arg;
    cu_scalar scalar;
    cu_array array; /* borrowed from owned, leading axes of length 1 may be gone */
    PyObject *owned;
} py_value;

/* 0 or -1: what may stand on the right of dst[key] = value; nested lists become arrays
 * on the device of `dst`. */
int py_value_read(PyObject *o, const cu_array *dst, py_value *out);
static inline void
py_value_release(py_value *v)
{
    Py_CLEAR(v->owned);
}
/* Drop leading axes of length 1 until the value has no more than `ndim`, and check that
 * it broadcasts to `shape`; false when it does not. */
bool py_value_fit(py_value *v, int ndim, const int64_t *shape);

#endif
