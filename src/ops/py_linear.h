/* ops/py_linear.h: what libraries do well, from Python: products of matrices,
 * factorisations, transforms, convolution, random numbers. The functions here check
 * arguments and allocate results; python/cupric composes NumPy's interfaces of them. */
#ifndef CUPRIC_OPS_PY_LINEAR_H
#define CUPRIC_OPS_PY_LINEAR_H

#include "layout/py_object.h"

/* Add the module functions of py_linear.c, py_transform.c and py_random.c. */
int py_linear_init(PyObject *module);
int py_transform_init(PyObject *module);
int py_random_init(PyObject *module);

#endif
