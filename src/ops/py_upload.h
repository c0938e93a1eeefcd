/* ops/py_upload.h: NumPy arrays on a device. All copies of them are made here. */
#ifndef CUPRIC_OPS_PY_UPLOAD_H
#define CUPRIC_OPS_PY_UPLOAD_H

#include "layout/py_object.h"

/* *out, owned: the elements of a NumPy array on `device`, in `dtype` (CUPRIC_NO_DTYPE: their
 * own) and `order` ('K', 'A': as they lie). 0, or -1 with an exception. */
int py_upload(PyArrayObject *np, cu_dtype dtype, char order, cu_device *device,
              cu_array *out);

#endif
