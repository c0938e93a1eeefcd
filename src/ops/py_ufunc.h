/* ops/py_ufunc.h: calling operations from Python: the ufunc objects and what the number
 * protocol and the array methods use directly. */
#ifndef CUPRIC_OPS_PY_UFUNC_H
#define CUPRIC_OPS_PY_UFUNC_H

#include "ops/execute.h"
#include "ops/py_operand.h"
#include "ops/ufunc.h"

typedef struct py_ufunc_options {
    PyObject *out[CUPRIC_MAXOUT]; /* borrowed arrays, or NULL for a new one */
    PyObject *where;              /* borrowed, or NULL */
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

extern PyTypeObject py_ufunc_type;
typedef struct py_ufunc {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    int op;
} py_ufunc;

/* The methods of the type, in py_ufunc_methods.c. */
extern PyMethodDef py_ufunc_methods[];
/* What of the methods is in py_ufunc_object.c. */
PyObject *py_ufunc_resolve(PyObject *self, PyObject *args);
/* ufunc.at, in py_ufunc_at.c. */
PyObject *py_ufunc_at(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames);

/* ndarray.__array_ufunc__: NumPy's ufuncs called on our arrays run as ours, every method.
 * NotImplemented for those we do not have. */
PyObject *py_array_ufunc(PyObject *self, PyObject *args, PyObject *kwargs);

/* What an empty reduction gives, or None. New reference. */
PyObject *py_identity_value(cu_identity identity);

/* Read `where=`: NULL and no exception for True. Else a bool array: new reference; of a
 * scalar on `device`. */
PyObject *py_mask_read(PyObject *where, cu_device *device, bool *absent);

/* Add the ufunc type and one object per row to `module`. */
int py_ufunc_init(PyObject *module);

#endif
