/* cuda/search.c: insertion points in a sorted vector (searchsorted). */
#include <math.h>

#include "cuda/entries.h"
#include "cuda/kernels.h"

/* Whether places in the view, and their offsets in bytes, fit in an int. */
static bool
is_narrow(const cu_view *v)
{
    double size = 1, span = 0;

    for (int d = 0; d < v->ndim; d++) {
        size *= (double)v->shape[d];
        span += (double)(v->shape[d] - 1) * fabs((double)v->strides[d]);
    }
    return size < INT32_MAX && span < INT32_MAX;
}

cu_status
cu_cuda_search(const cu_view *sorted, const cu_view *values, bool right, int64_t *out,
               cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_SEARCH);
    const cu_kernels *kernels;
    const cu_search_head head = {
        .op = {cu_slot_at(values->ptr)},
        .sorted = sorted->ptr,
        .length = sorted->shape[0],
        .converted = values->dtype == sorted->dtype ? -1 : values->dtype,
        .narrow = is_narrow(values),
        .out = (long long *)out,
    };
    int64_t size = 1;
    cu_params p;
    cu_status st;

    for (int d = 0; d < values->ndim; d++) size *= values->shape[d];
    if (size == 0) return CUPRIC_OK;
    key.type[0] = (uint8_t)sorted->dtype;
    key.layout = right;
    key.rank[0] = (uint8_t)cu_cuda_rank(values->ndim);
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    cu_params_start(&p, &head, sizeof head);
    cu_params_view(&p, values, values->ndim, key.rank[0]);
    return cu_kernels_launch(kernels, 0, cu_blocks_of(size, CUPRIC_BLOCK), 1, &p, s);
}
