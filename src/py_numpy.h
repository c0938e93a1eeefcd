/* py_numpy.h: NumPy's C API, for the files that face Python. module.c imports it. */
#ifndef CUPRIC_PY_NUMPY_H
#define CUPRIC_PY_NUMPY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL cupric_numpy_api
#ifndef CUPRIC_IMPORT_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#endif
