/* host/argsort_counts.h: the order that sorts a few numbers, by counting. */
#ifndef CUPRIC_HOST_ARGSORT_COUNTS_H
#define CUPRIC_HOST_ARGSORT_COUNTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUPRIC_COUNTED 192 /* numbers at most */
#define CUPRIC_COUNTED_TOGETHER 16

/* The stable order of n > 0 numbers into `order`. What is behind them, up to a multiple of
 * CUPRIC_COUNTED_TOGETHER, is read. */
void cu_host_count_before(const int32_t *x, int n, int64_t *order);

/* The same, by instruction set. */
void cu_host_count_before_base(const int32_t *x, int n, int64_t *order);
void cu_host_count_before_v3(const int32_t *x, int n, int64_t *order);

#ifdef __cplusplus
}
#endif
#endif
