/* ops/py_upload.h: NumPy arrays on a device. All copies of them are made here. */
#ifndef CUPRIC_OPS_PY_UPLOAD_H
#define CUPRIC_OPS_PY_UPLOAD_H

#include "ops/py_ufunc.h"

/* *out, owned: the elements of a NumPy array on `device`, in `dtype` (CUPRIC_NO_DTYPE: their
 * own) and `order` ('K', 'A': as they lie). 0, or -1 with an exception. */
int py_upload(PyArrayObject *np, cu_dtype dtype, char order, cu_device *device,
              cu_array *out);

/* py_operand_require, which also takes NumPy arrays and nested lists: copied to `device`.
 * For places where CuPy copies; other operations refuse them. */
int py_operand_upload(PyObject *o, cu_device *device, py_operand *out);

#endif
