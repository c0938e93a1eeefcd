/* ops/py_sort.h: sorting, searching, rounding and clipping as Python calls them: methods
 * of ndarray, and module functions of the same names. */
#ifndef CUPRIC_OPS_PY_SORT_H
#define CUPRIC_OPS_PY_SORT_H

#include "ops/py_reduction.h"

PY_METHOD(sort); /* in place */
PY_METHOD(argsort);
PY_METHOD(partition); /* in place */
PY_METHOD(argpartition);
PY_METHOD(searchsorted);
PY_METHOD(nonzero);
PY_METHOD(round);
PY_METHOD(clip);

/* Add the module functions. */
int py_sort_init(PyObject *module);
int py_nonzero_init(PyObject *module);
int py_rounding_init(PyObject *module);
int py_counting_init(PyObject *module);

#endif
