/* layout/py_shape.h: shapes and axes as programs give them. */
#ifndef CUPRIC_LAYOUT_PY_SHAPE_H
#define CUPRIC_LAYOUT_PY_SHAPE_H

#include "layout/py_object.h"

/* An int or a sequence of ints, as a shape. Returns the number of axes, -1 on error. */
int py_shape_read(PyObject *o, int64_t *shape);
/* None: every axis (returns ndim, axes 0…ndim-1). An int or a tuple of distinct ints:
 * normalised. Returns how many, -1 on error. */
int py_axes_read(PyObject *o, int ndim, int *axes);
/* One int, normalised. 0, or -1. */
int py_axis_read(PyObject *o, int ndim, int *axis);

#endif
