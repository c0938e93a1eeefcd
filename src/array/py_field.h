/* array/py_field.h: fields of structures, and what else only opaque dtypes have. */
#ifndef CUPRIC_ARRAY_PY_FIELD_H
#define CUPRIC_ARRAY_PY_FIELD_H

#include "layout/py_object.h"

/* The array as another dtype, of which one is opaque, if the rule `casting` allows it, in
 * `order` ('C', 'F', 'A', 'K'): new reference, or NULL. */
PyObject *py_opaque_cast(PyObject *array, cu_dtype to, const char *casting, char order);
/* a == b or a != b (Py_EQ, Py_NE) where one is an opaque array. */
PyObject *py_opaque_compare(PyObject *a, PyObject *b, int op);

/* After py_dtype_convert_any has failed: what cupric._dtypes.name(first, *args, **kwargs)
 * gives where `dtype` is a subarray's, '(2,)f4'. Else NULL, with the exception as it was. */
PyObject *py_subarray_call(const char *name, PyObject *dtype, PyObject *first,
                           PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* Whether a subscript names fields: a string or a list of strings. */
bool py_is_field_key(PyObject *key);
PyObject *py_field_get(PyObject *self, PyObject *key);
int py_field_set(PyObject *self, PyObject *key, PyObject *value);

/* 0, or -1 with TypeError where elements of an ordinary dtype are not aligned; `instead`
 * says what to do. */
int py_require_aligned(const cu_array *a, const char *instead);

extern PyMethodDef py_field_functions[]; /* _field */

#endif
