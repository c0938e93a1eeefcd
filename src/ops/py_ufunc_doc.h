/* ops/py_ufunc_doc.h: the signature and the docstring of an operation, from its row. */
#ifndef CUPRIC_OPS_PY_UFUNC_DOC_H
#define CUPRIC_OPS_PY_UFUNC_DOC_H

#include <Python.h>

/* An inspect.Signature. New reference or NULL. */
PyObject *py_ufunc_signature(int op);

/* The docstring; `types` are the row's signatures as a list of str. New reference or
 * NULL. */
PyObject *py_ufunc_doc(int op, PyObject *types);

#endif
