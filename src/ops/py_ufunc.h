/* ops/py_ufunc.h: calling operations from Python: the ufunc objects and what the number
 * protocol and the array methods use directly. */
#ifndef CUPRIC_OPS_PY_UFUNC_H
#define CUPRIC_OPS_PY_UFUNC_H

#include "layout/py_object.h"
#include "ops/execute.h"
#include "ops/ufunc.h"

/* One argument of an operation. */
typedef struct py_operand {
    cu_array *array;  /* borrowed from `object`, or NULL: `scalar` */
    PyObject *object; /* borrowed: the array's Python object */
    PyObject *owned;  /* owned: an array made from an array-like, or NULL */
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
/* The same, with TypeError "Unsupported type" for anything else: 0 or -1. */
int py_operand_require(PyObject *o, py_operand *out);

typedef struct py_ufunc_options {
    PyObject *out[3];      /* borrowed arrays, or NULL for a new one */
    PyObject *where;       /* borrowed, or NULL */
    const cu_dtype *types; /* those asked for, of inputs and outputs (NO_DTYPE: any), or
                            * NULL */
    const char *casting;   /* NULL: same_kind */
    char order;            /* 'K', 'A', 'C', 'F' */
} py_ufunc_options;

#define PY_UFUNC_DEFAULTS                                                              \
    {                                                                                  \
        {NULL}, NULL, NULL, NULL, 'K'                                                  \
    }

/* Run an operation: an array, or a tuple for several outputs. New reference or NULL. */
PyObject *py_ufunc_run(int op, py_operand *in, const py_ufunc_options *options);

/* TypeError for types asked for that no signature has; -1. */
int py_ufunc_raise_no_loop(int op);

/* The number protocol: NotImplemented when an operand is not ours to handle. */
PyObject *py_ufunc_unary(int op, PyObject *a);
PyObject *py_ufunc_binary(int op, PyObject *a, PyObject *b);
PyObject *py_ufunc_inplace(int op, PyObject *a, PyObject *b);

/* An operation of one or two inputs on operands given as Python objects, new result. */
PyObject *py_ufunc_call1(int op, PyObject *a, PyObject *out);
PyObject *py_ufunc_call2(int op, PyObject *a, PyObject *b, PyObject *out);

/* Whether work over `size` elements is worth letting other Python threads run. */
static inline bool
py_is_long(int64_t size)
{
    return size > 32768;
}

extern PyTypeObject py_ufunc_type;
typedef struct py_ufunc {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    int op;
} py_ufunc;

/* The methods of the type, in py_ufunc_methods.c. */
extern PyMethodDef py_ufunc_methods[];
/* ufunc.at, in py_ufunc_at.c. */
PyObject *py_ufunc_at(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames);

/* ndarray.__array_ufunc__: NumPy's ufuncs called on our arrays run as ours, every method.
 * NotImplemented for those we do not have. */
PyObject *py_array_ufunc(PyObject *self, PyObject *args, PyObject *kwargs);

/* Read `where=`: NULL and no exception for True. Else a bool array: new reference. */
PyObject *py_mask_read(PyObject *where, bool *absent);

/* Add the ufunc type and one object per row to `module`. */
int py_ufunc_init(PyObject *module);

#endif
