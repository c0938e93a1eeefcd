/* cuda/nonzero.c: coordinates of what is not zero: count, sum up, write. */
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"

#define TILE 2048 /* NONZERO_TILE of cupric/kernels/nonzero.hpp */

/* Whether elements follow each other in C order, and whether sizes and offsets fit in an
 * int. */
static bool
is_dense(const cu_view *in, bool *narrow)
{
    int64_t expected = cu_itemsize(in->dtype), size = 1, span = 0;
    bool dense = true;
    for (int d = in->ndim - 1; d >= 0; d--) {
        const int64_t step = in->strides[d] < 0 ? -in->strides[d] : in->strides[d];
        if (in->shape[d] > 1 && in->strides[d] != expected) dense = false;
        expected *= in->shape[d];
        size *= in->shape[d];
        span += step * (in->shape[d] - 1);
    }
    *narrow = size < INT32_MAX && span < INT32_MAX;
    return dense;
}

cu_status
cu_cuda_nonzero(const cu_view *in, int64_t count, int64_t *out, cu_stream *s)
{
    static const cu_launch one_block = {.grid = {1, 1, 1}, .block = {1024, 1, 1}};
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_NONZERO);
    const cu_kernels *kernels;
    void *tiles = NULL; /* owned */
    int64_t size = 1;
    bool narrow;
    cu_params p;
    cu_status st;

    for (int d = 0; d < in->ndim; d++) size *= in->shape[d];
    if (size == 0 || count == 0) return CUPRIC_OK;
    const int64_t ntiles = cu_blocks_of(size, TILE);
    const size_t nbytes = (size_t)ntiles * sizeof(int64_t);
    key.rank[0] = (uint8_t)cu_cuda_rank(in->ndim);
    key.type[0] = (uint8_t)in->dtype;
    st = cu_kernels_get(&key, s, &kernels);
    if (!st) st = cu_cuda_scratch_get(nbytes, &tiles, s);
    if (st) return st;
    p.used = 0;
    cu_params_pointer(&p, in->ptr);
    cu_params_int(&p, 0);
    cu_params_pointer(&p, out);
    cu_params_pointer(&p, tiles);
    cu_params_int(&p, count);
    cu_params_int(&p, ntiles);
    cu_params_int(&p, in->ndim);
    cu_params_int(&p, is_dense(in, &narrow));
    cu_params_int(&p, narrow);
    cu_params_view(&p, in, in->ndim, key.rank[0]);
    st = cu_kernels_launch(kernels, 0, ntiles, 1, &p, s);
    if (!st) st = cu_kernels_launch_shaped(kernels, 1, &one_block, &p, s);
    if (!st) st = cu_kernels_launch(kernels, 2, ntiles, 1, &p, s);
    cu_cuda_scratch_put(tiles, nbytes, s);
    return st;
}
