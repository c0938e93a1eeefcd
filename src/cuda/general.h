/* cuda/general.h: operations on elements without a kernel of their own, by a few that come
 * compiled for all: every operand is converted to one of few dtypes, in dense memory, and
 * the result from there. The same results to the bit, by two to seven launches for every
 * 2**18 elements.
 */
#ifndef CUPRIC_CUDA_GENERAL_H
#define CUPRIC_CUDA_GENERAL_H

#include "cuda/kernels.h"

/* The kernels of `key`, of an elementwise operation, as cu_kernels_get; or *out is NULL:
 * they are not made yet, or cannot be as there is no compiler, and cu_general_run does
 * the same. */
cu_status cu_general_kernels(const cu_kernel_key *key, const cu_iter *it,
                             const cu_stream *s, const cu_kernels **out);

cu_status cu_general_run(const cu_kernel_key *key, const cu_iter *it, cu_stream *s);

#endif
