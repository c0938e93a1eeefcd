/* ops/sorting.h: sorting, searching and finding, on arrays of any layout. */
#ifndef CUPRIC_OPS_SORTING_H
#define CUPRIC_OPS_SORTING_H

#include "layout/array.h"

typedef struct cu_sorting {
    int axis;
    bool stable;
    int64_t kth; /* >= 0: only that element has to come to its place; -1 sorts */
} cu_sorting;

/* Sort in place along an axis. NaN goes last, complex numbers by their real parts first. */
cu_status cu_array_sort(cu_array *a, const cu_sorting *how);
/* *out is a new array of a's shape, sorted. */
cu_status cu_array_sorted(const cu_array *a, const cu_sorting *how, cu_array *out);
/* The indices that would sort `a`: *out is a new int64 array of a's shape. */
cu_status cu_array_argsort(const cu_array *a, const cu_sorting *how, cu_array *out);

/* Insertion points of `values` in `sorted` (one axis), both of one dtype: *out is a new
 * int64 array of the shape of `values`. */
cu_status cu_array_search(const cu_array *sorted, const cu_array *values, bool right,
                          cu_array *out);

/* Coordinates of the nonzero elements in C order: *out is a new int64 array of shape
 * (ndim, count). Waits for the device, as the count is part of the shape. */
cu_status cu_array_nonzero(const cu_array *a, cu_array *out);
/* The elements of `a` where `mask`, of a's shape, is not zero, in C order: *out is a new
 * array of one dimension. Waits for the device. */
cu_status cu_array_select(const cu_array *a, const cu_array *mask, cu_array *out);

#endif
