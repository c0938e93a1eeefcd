/* cuda/elementwise.c: elementwise operations and conversion: the class of layout, the
 * kernel of that class, the launch. */
#include <stdint.h>

#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/module.h"

/* Whether every dense operand's address is a multiple of its pack. */
static bool
is_aligned(const cu_iter *it, const cu_kernel_key *key)
{
    int pack, unroll;
    cu_cuda_pack(key, &pack, &unroll);
    for (int k = 0; k < it->nops; k++) {
        const cu_operand *op = &it->op[k];
        if (op->ptr == NULL) continue;
        const uintptr_t nbytes = (uintptr_t)(pack * cu_itemsize(op->dtype));
        if ((uintptr_t)op->ptr % (nbytes < 16 ? nbytes : 16)) return false;
    }
    return true;
}

/* ---- one input, transposed ----------------------------------------------------------- */

#define TILE 32
#define SHORT 16 /* a dimension that is not worth tiles */

/* The dimension along which the only input is dense where the output is along the last;
 * -1 if it is not so. */
static int
transposed_axis(const cu_iter *it)
{
    const int last = it->ndim - 1;
    const cu_operand *in = &it->op[0], *out = &it->op[1];
    if (it->nops != 2 || it->masked || in->ptr == NULL || it->ndim < 2) return -1;
    if (out->strides[last] != cu_itemsize(out->dtype) || it->shape[last] < SHORT)
        return -1;
    if (in->strides[last] == 0) return -1;
    for (int d = 0; d < last; d++) {
        if (in->strides[d] == cu_itemsize(in->dtype) && it->shape[d] >= SHORT) return d;
    }
    return -1;
}

static cu_status
run_tiled(cu_kernel_key *key, const cu_iter *it, int row, cu_stream *s)
{
    const int last = it->ndim - 1;
    const int64_t row_tiles = cu_blocks_of(it->shape[row], TILE);
    const int64_t col_tiles = cu_blocks_of(it->shape[last], TILE);
    const cu_kernels *kernels;
    int64_t shape[CUPRIC_MAXDIMS], strides[2][CUPRIC_MAXDIMS], outer = 1;
    int ndim = 0;
    cu_params p;
    cu_status st;

    for (int d = 0; d < last; d++) {
        if (d == row) continue;
        shape[ndim] = it->shape[d];
        outer *= it->shape[d];
        for (int k = 0; k < 2; k++) strides[k][ndim] = it->op[k].strides[d];
        ndim++;
    }
    const int64_t *const both[] = {strides[0], strides[1]};
    key->layout = CUPRIC_LAYOUT_TILED;
    key->rank[0] = (uint8_t)cu_cuda_rank(ndim);
    st = cu_kernels_get(key, s, &kernels);
    if (st) return st;
    p.used = 0;
    for (int k = 0; k < 2; k++) cu_params_operand(&p, &it->op[k]);
    cu_params_int(&p, it->shape[row]);
    cu_params_int(&p, it->shape[last]);
    cu_params_int(&p, row_tiles);
    cu_params_int(&p, col_tiles);
    for (int k = 0; k < 2; k++) {
        cu_params_int(&p, it->op[k].strides[row]);
        cu_params_int(&p, it->op[k].strides[last]);
    }
    cu_params_space(&p, key->rank[0], ndim, shape, 2, both);
    return cu_kernels_launch(kernels, 0, row_tiles * col_tiles * outer, 1, &p, s);
}

/* ---- any ----------------------------------------------------------------------------- */

static cu_status
run(cu_kernel_key *key, const cu_iter *it, cu_stream *s)
{
    const cu_kernels *kernels;
    const int nstored = it->nops - it->masked;
    cu_params p;
    int64_t blocks;
    cu_status st;

    p.used = 0;
    if (it->masked) key->flags |= CUPRIC_KEY_MASKED;
    for (int k = 0; k < nstored && k < (int)sizeof key->type; k++) {
        key->type[k] = cu_key_type(&it->op[k]);
    }
    if (!it->contiguous) {
        const int row = transposed_axis(it);
        if (row >= 0) return run_tiled(key, it, row, s);
    }
    for (int k = 0; k < it->nops; k++) cu_params_operand(&p, &it->op[k]);
    if (it->contiguous) {
        int pack, unroll;
        if (!is_aligned(it, key)) key->layout = CUPRIC_LAYOUT_UNALIGNED;
        cu_cuda_pack(key, &pack, &unroll);
        cu_params_int(&p, it->size);
        blocks = cu_blocks_of(it->size, (int64_t)CUPRIC_BLOCK * pack * unroll);
    } else {
        key->layout = CUPRIC_LAYOUT_STRIDED;
        key->rank[0] = (uint8_t)cu_cuda_rank(it->ndim);
        if (it->index64) key->flags |= CUPRIC_KEY_WIDE;
        cu_params_iter(&p, it, 0, it->ndim, it->nops);
        blocks = cu_blocks_of(it->size, 4 * CUPRIC_BLOCK);
    }
    st = cu_kernels_get(key, s, &kernels);
    if (st) return st;
    return cu_kernels_launch(kernels, 0, blocks, 1, &p, s);
}

cu_status
cu_cuda_elementwise(const cu_elementwise *args, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    cu_cuda_tell_bytes(args->it);
    return run(&key, args->it, s);
}

cu_status
cu_cuda_convert(const cu_iter *it, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    key.op = CUPRIC_OP_CONVERT;
    cu_cuda_tell_bytes(it);
    return run(&key, it, s);
}
