/* cuda/arange.c: out[i] = start + i * step. */
#include "cuda/entries.h"
#include "cuda/kernels.h"

cu_status
cu_cuda_arange(cu_dtype t, int64_t n, const cu_scalar *start, const cu_scalar *step,
               void *out, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ARANGE);
    const cu_kernels *kernels;
    const cu_arange_params p = {
        .start = cu_slot_of_scalar(start),
        .step = cu_slot_of_scalar(step),
        .out = out,
        .n = n,
    };
    cu_status st;

    key.type[0] = (uint8_t)t;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    return cu_kernels_launch(kernels, 0, cu_blocks_of(n, CUPRIC_BLOCK), 1, &p, s);
}
