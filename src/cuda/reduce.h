/* cuda/reduce.h: reductions and scans by kernels of their own. */
#ifndef CUPRIC_CUDA_REDUCE_H
#define CUPRIC_CUDA_REDUCE_H

#include "cuda/kernels.h"

/* Bytes of a partial result at most: the moments of complex numbers, and a count. */
#define CUPRIC_PARTIAL_NBYTES 40

/* As the verb does, unless the attempt lacks a kernel: then nothing is done. `by_rows`:
 * dense arrays of rows by the kernel of CUPRIC_REDUCE_DENSE_ROWS or CUPRIC_REDUCE_ROWS,
 * of CUPRIC_SCAN_BLOCKS, though others might be faster. */
cu_status cu_reduce_run(const cu_reduce *args, bool by_rows, cu_attempt *attempt,
                        cu_stream *s);
cu_status cu_scan_run(const cu_scan *args, bool by_rows, cu_attempt *attempt,
                      cu_stream *s);

#endif
