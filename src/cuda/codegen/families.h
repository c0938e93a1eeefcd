/* cuda/codegen/families.h: a function for each family of kernels, which writes the source
 * of a key and returns how many kernels it has, 0 if there is none.
 */
#ifndef CUPRIC_CUDA_CODEGEN_FAMILIES_H
#define CUPRIC_CUDA_CODEGEN_FAMILIES_H

#include "cuda/codegen/tables.h"
#include "cuda/codegen/text.h"

int cu_elementwise_source(text *t, const cu_kernel_key *key);
int cu_reduce_source(text *t, const cu_kernel_key *key);
int cu_reduceat_source(text *t, const cu_kernel_key *key);
int cu_scan_source(text *t, const cu_kernel_key *key);
int cu_index_source(text *t, const cu_kernel_key *key);
int cu_scatter_op_source(text *t, const cu_kernel_key *key);
int cu_select_source(text *t, const cu_kernel_key *key);
int cu_arange_source(text *t, const cu_kernel_key *key);
int cu_sort_source(text *t, const cu_kernel_key *key);
int cu_search_source(text *t, const cu_kernel_key *key);
int cu_histogram_source(text *t, const cu_kernel_key *key);
int cu_random_source(text *t, const cu_kernel_key *key);
int cu_convolve_source(text *t, const cu_kernel_key *key);
int cu_join_source(text *t, const cu_kernel_key *key);

/* The header below cupric/ that the row's expression needs. */
const char *cu_math_header(int op, bool complex_too);
/* The struct `op` of an operation on elements; operands as the key says. */
void cu_emit_elementwise_op(text *t, const cu_kernel_key *key, int nin, int nout,
                            const cu_dtype *types);

#endif
