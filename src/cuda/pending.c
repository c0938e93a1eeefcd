/* cuda/pending.c: operations that have no kernels here yet fail by their name.
 *
 * Each is weak: the file that implements an operation takes its place.
 */
#include "cuda/entries.h"

#define PENDING(name, ...)                                                               \
    __attribute__((weak)) cu_status cu_cuda_##name(__VA_ARGS__)                          \
    {                                                                                    \
        return cu_fail(CUPRIC_ERR_UNSUPPORTED, #name " is not supported on CUDA devices"); \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"

PENDING(elementwise, const cu_elementwise *args, cu_stream *s)
PENDING(convert, const cu_iter *it, cu_stream *s)
PENDING(reduce, const cu_reduce *args, cu_stream *s)
PENDING(reduceat, const cu_reduceat *args, cu_stream *s)
PENDING(scan, const cu_scan *args, cu_stream *s)
PENDING(gather, const cu_index *args, cu_stream *s)
PENDING(scatter, const cu_index *args, cu_stream *s)
PENDING(scatter_op, const cu_index *args, cu_stream *s)
PENDING(nonzero, const cu_view *in, int64_t count, int64_t *out, cu_stream *s)
PENDING(arange, cu_dtype t, int64_t n, const cu_scalar *start, const cu_scalar *step, void *out, cu_stream *s)
PENDING(sort, const cu_sort *args, cu_stream *s)
PENDING(search, const cu_view *sorted, const cu_view *values, bool right, int64_t *out, cu_stream *s)
PENDING(random, const cu_random *args, cu_stream *s)
PENDING(convolve, const cu_convolve *args, cu_stream *s)
PENDING(matmul, const cu_matmul *args, cu_stream *s)
PENDING(linalg, const cu_linalg *args, cu_stream *s)
PENDING(fft, const cu_fft *args, cu_stream *s)
