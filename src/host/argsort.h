/* host/argsort.h: the order that sorts or partitions rows, and partitions by comparing. */
#ifndef CUPRIC_HOST_ARGSORT_H
#define CUPRIC_HOST_ARGSORT_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stable order of the last axis, contiguous and not empty, in C order into `order`. */
cu_status cu_host_argsort(const cu_view *data, bool descending, int64_t *order);

/* An order in which element `kth` is the one that sorting would put there, none before it is
 * greater and none behind it smaller. */
cu_status cu_host_argpartition(const cu_view *data, int64_t kth, int64_t *order);

/* Partition the last axis of complex numbers in place, or from `source`, the same rows in C
 * order. */
cu_status cu_host_partition(const cu_view *data, const char *source, int64_t kth);

#ifdef __cplusplus
}
#endif
#endif
