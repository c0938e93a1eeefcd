/* cuda/scan.c: running reductions: rows cut into chunks, chunks into blocks. */
#include <stdlib.h>

#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/module.h"

#define TILE 2048   /* what chunks are a multiple of */
#define CHUNK 16384 /* elements worth a block of their own */
#define BLOCKS_ENOUGH 1056
#define CARRY_NBYTES 16        /* an accumulator at most */
#define ROWS_SIDE_BY_SIDE 4096 /* enough for a thread each */

/* Whether operands may not be regrouped, or rows are many and lie side by side. */
static bool
is_serial(const cu_scan *args, int64_t rows)
{
    const cu_iter *it = args->it;
    const int64_t *stride = it->op[0].strides;
    const int last = it->ndim - 1, op = cu_cuda_combiner(args->op);
    if (cu_cuda_row_get(op)->identity == CUPRIC_ID_NONE) return true;
    return it->ndim > 1 && rows >= ROWS_SIDE_BY_SIDE &&
           llabs(stride[last - 1]) < llabs(stride[last]);
}

cu_status
cu_cuda_scan(const cu_scan *args, cu_stream *s)
{
    const cu_iter *it = args->it;
    const int last = it->ndim - 1;
    const int64_t n = it->shape[last], rows = it->size / n;
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_SCAN);
    const cu_kernels *kernels;
    void *carry = NULL; /* owned */
    cu_params p;
    cu_status st;

    cu_cuda_tell_bytes(it);
    if (cu_cuda_row_get(args->op) == NULL || cu_cuda_combiner(args->op) < 0) {
        return cu_fail(CUPRIC_ERR_TYPE, "operation %d has no scan", args->op);
    }
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    key.layout = is_serial(args, rows) ? CUPRIC_SCAN_SERIAL : CUPRIC_SCAN_BLOCKS;
    key.rank[0] = (uint8_t)cu_cuda_rank(last);
    key.type[0] = cu_key_type(&it->op[0]);
    key.type[1] = cu_key_type(&it->op[1]);
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;

    int64_t chunks = cu_blocks_of(BLOCKS_ENOUGH, rows);
    if (chunks > cu_blocks_of(n, CHUNK)) chunks = cu_blocks_of(n, CHUNK);
    const int64_t chunk = cu_blocks_of(cu_blocks_of(n, chunks), TILE) * TILE;
    chunks = key.layout == CUPRIC_SCAN_SERIAL ? 1 : cu_blocks_of(n, chunk);
    const size_t nbytes = (size_t)(rows * chunks) * CARRY_NBYTES;
    if (chunks > 1) {
        st = cu_cuda_scratch_get(nbytes, &carry, s);
        if (st) return st;
    }
    p.used = 0;
    cu_params_operand(&p, &it->op[0]);
    cu_params_operand(&p, &it->op[1]);
    cu_params_int(&p, n);
    cu_params_int(&p, it->op[0].ptr ? it->op[0].strides[last] : 0);
    cu_params_int(&p, it->op[1].strides[last]);
    cu_params_int(&p, chunk);
    cu_params_int(&p, chunks);
    cu_params_pointer(&p, carry);
    cu_params_iter(&p, it, 0, last, 2);
    if (key.layout == CUPRIC_SCAN_SERIAL) {
        return cu_kernels_launch(kernels, 0, cu_blocks_of(rows, CUPRIC_BLOCK), 1, &p,
                                 s);
    }
    if (chunks > 1) {
        st = cu_kernels_launch(kernels, 0, rows * chunks, 1, &p, s);
        if (!st) st = cu_kernels_launch(kernels, 1, rows, 1, &p, s);
    }
    if (!st) st = cu_kernels_launch(kernels, 2, rows * chunks, 1, &p, s);
    if (carry) cu_cuda_scratch_put(carry, nbytes, s);
    return st;
}
