/* host/sort_short.h: sorts of rows of a few numbers. */
#ifndef CUPRIC_HOST_SORT_SHORT_H
#define CUPRIC_HOST_SORT_SHORT_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sort the last axis in place, ascending, NaN last, stable. False where rows are few, long or
 * not side by side, or their elements not real numbers of a width that the CPU has. */
bool cu_host_sort_short(const cu_view *data);

/* nrows rows of n numbers, which fit CUPRIC_SORT_SHORT_BYTES, side by side; by instruction
 * set. False where their dtype is none of these. */
#define CUPRIC_SORT_SHORT_BYTES 64
bool cu_host_sort_short_rows_base(cu_dtype t, char *rows, int64_t n, int64_t nrows);
bool cu_host_sort_short_rows_v3(cu_dtype t, char *rows, int64_t n, int64_t nrows);

#ifdef __cplusplus
}
#endif
#endif
