/* array/py_value.h: what stands on the right of an assignment. */
#ifndef CUPRIC_ARRAY_PY_VALUE_H
#define CUPRIC_ARRAY_PY_VALUE_H

#include "layout/py_object.h"
#include "ops/iter.h"

/* Which scalars are cast as arrays are, however much is lost, and which must fit: NumPy has
 * three rules. Python's integers must fit by each of them. */
typedef enum py_value_rule {
    PY_VALUE_ELEMENT, /* a[i] = x, fill: all others, in signed integers NumPy's too */
    PY_VALUE_ARRAY, /* a[index array] = x, put, array(x): Python's floats and complex */
    PY_VALUE_CAST   /* full, copyto: nothing else */
} py_value_rule;

/* A scalar in dtype `t`: 0, or -1 with the exception that NumPy raises where it must fit and
 * does not. ComplexWarning where an imaginary part is cast away. */
int py_value_store(const py_scalar *s, cu_dtype t, py_value_rule rule, cu_scalar *out);

/* A value to be stored: an array, or a scalar in the dtype of where it goes. What is owned
 * keeps the array. */
typedef struct py_value {
    cu_iter_arg arg;
    cu_scalar scalar;
    cu_array array; /* borrowed, leading axes of length 1 may be gone */
    PyObject *owned;
    cu_storage
        *storage; /* owned, of an array that was made and is no object; or NULL */
} py_value;

/* 0 or -1: what may stand on the right of dst[key] = value. NumPy arrays and nested lists
 * become arrays on the device of `dst`. */
int py_value_read(PyObject *o, const cu_array *dst, py_value_rule rule, py_value *out);
static inline void
py_value_release(py_value *v)
{
    Py_CLEAR(v->owned);
    cu_storage_unref(v->storage);
}
/* Drop leading axes of length 1 until the value has no more than `ndim`, and check that
 * it broadcasts to `shape`; false when it does not. */
bool py_value_fit(py_value *v, int ndim, const int64_t *shape);
bool py_broadcasts_to(const cu_array *a, int ndim, const int64_t *shape);

#endif
