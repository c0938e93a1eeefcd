/* cuda/elementwise.c: elementwise operations and conversion: the class of layout, the
 * kernel of that class, the launch. */
#include <stdint.h>

#include "cuda/entries.h"
#include "cuda/kernels.h"

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
    for (int k = 0; k < nstored; k++) key->type[k] = cu_key_type(&it->op[k]);
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
    return run(&key, args->it, s);
}

cu_status
cu_cuda_convert(const cu_iter *it, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    key.op = CUPRIC_OP_CONVERT;
    return run(&key, it, s);
}
