/* ops/py_upload.h: NumPy arrays on a device. All copies of them are made here, and the
 * arrays that do without. */
#ifndef CUPRIC_OPS_PY_UPLOAD_H
#define CUPRIC_OPS_PY_UPLOAD_H

#include "layout/py_object.h"

/* *out, owned: the elements of a NumPy array on `device`, in `dtype` (CUPRIC_NO_DTYPE: their
 * own) and `order` ('K', 'A': as they lie). 0, or -1 with an exception. */
int py_upload(PyArrayObject *np, cu_dtype dtype, char order, cu_device *device,
              cu_array *out);

/* *out, owned: a view of a NumPy array's memory, to be read by one operation that writes
 * to `dst`, while the caller keeps `np`. False where there is none: the device has memory of
 * its own, dtypes differ, elements are not aligned, or the memory may be that of `dst`. */
bool py_upload_borrow(PyArrayObject *np, const cu_array *dst, cu_array *out);

#endif
