/* array/join.h: arrays laid one after another in a new one. */
#ifndef CUPRIC_ARRAY_JOIN_H
#define CUPRIC_ARRAY_JOIN_H

#include "ops/execute.h"

/* The shape that `n` arrays joined along `axis` have; CUPRIC_ERR_VALUE in NumPy's words
 * when they do not fit. All are of the first one's ndim or refused. */
cu_status cu_concat_shape(int64_t n, const cu_array *const *src, int axis,
                          int64_t *shape);
/* Fill `out`, of that shape, from them. Overlap with them is fine. */
cu_status cu_concat(int64_t n, const cu_array *const *src, int axis, cu_array *out);

#endif
