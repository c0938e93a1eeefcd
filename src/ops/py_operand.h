/* ops/py_operand.h: an operand of an operation, as Python gives it. */
#ifndef CUPRIC_OPS_PY_OPERAND_H
#define CUPRIC_OPS_PY_OPERAND_H

#include "layout/py_object.h"

/* One argument of an operation. */
typedef struct py_operand {
    const cu_array *array; /* borrowed from `object`, or NULL: `scalar` */
    PyObject *object;      /* borrowed: the array's Python object */
    PyObject *owned;       /* owned: an array made from an array-like, or NULL */
    py_scalar scalar;
} py_operand;

/* Read an array, a scalar or an object that lends a device array. 1, or 0 when it is
 * none of these (no exception), or -1. Release with py_operand_release. */
int py_operand_read(PyObject *o, py_operand *out);
static inline void
py_operand_release(py_operand *p)
{
    Py_CLEAR(p->owned);
}
/* One to be released though it was never read. */
static inline py_operand
py_operand_none(void)
{
    py_operand p;
    p.owned = NULL;
    return p;
}
/* The same, with TypeError "Unsupported type" for anything else: 0 or -1. */
int py_operand_require(PyObject *o, py_operand *out);

/* py_operand_require, which also takes NumPy arrays and nested lists: copied to `device`.
 * For places where CuPy copies; other operations refuse them. */
int py_operand_upload(PyObject *o, cu_device *device, py_operand *out);

#endif
