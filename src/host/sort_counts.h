/* host/sort_counts.h: sorts of integers that are close together, by counting. */
#ifndef CUPRIC_HOST_SORT_COUNTS_H
#define CUPRIC_HOST_SORT_COUNTS_H

#include "device/backend.h"

/* Sort the last axis, ascending, where its elements are integers of few values: in place, or
 * from `source`, the same rows in C order. False where they are others, or without memory;
 * some rows may be sorted then. */
bool cu_host_sort_counts(const cu_view *data, const char *source);

/* The same for bytes, in rows of up to some hundred elements, whatever their values are. False
 * for others. */
bool cu_host_sort_bytes(const cu_view *data, const char *source);

#endif
