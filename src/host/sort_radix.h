/* host/sort_radix.h: sorts of long rows of numbers of 32 and 64 bits by their digits. */
#ifndef CUPRIC_HOST_SORT_RADIX_H
#define CUPRIC_HOST_SORT_RADIX_H

#include "device/backend.h"

/* Sort the last axis, ascending, in place, or from `source`, the same rows in C order. False
 * where rows are short or of other numbers, where `stable` asks for the order of equal ones
 * whose bits differ, or without memory; some rows may be sorted then. */
bool cu_host_sort_radix(const cu_view *data, const char *source, bool stable);

#endif
