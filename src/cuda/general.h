/* cuda/general.h: operations without a kernel of their own, by a few that come compiled
 * for all: every operand is converted to one of few dtypes, in dense memory, and the
 * result from there. Of elements the same results to the bit, by two to seven launches for
 * every 2**18 elements.
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

/* ---- for other verbs: operands as dense arrays ------------------------------------------ */

/* Whether general kernels serve in place of those that are lacking: where there is no
 * compiler, or where results are `exact`, the same as theirs, and the user does not want to
 * wait. */
bool cu_general_serves(bool exact, const cu_stream *s);

/* Whether an operand of dtype `from` can be converted to `to`, also by way of `by`. */
bool cu_general_converts(cu_dtype from, cu_dtype by, cu_dtype to, const cu_stream *s);

/* The elements of an operand in C order to `dense`, of dtype `to`, or from there to the
 * operand; by way of dtype `by`, for which `between` has room. */
cu_status cu_general_gather(const cu_iter *it, int operand, cu_dtype by, cu_dtype to,
                            char *dense, char *between, cu_stream *s);
cu_status cu_general_spread(const cu_iter *it, int operand, cu_dtype by, cu_dtype from,
                            char *dense, char *between, cu_stream *s);

#endif
