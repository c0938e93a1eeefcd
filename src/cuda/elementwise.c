/* cuda/elementwise.c: elementwise operations and conversion: the class of layout, the
 * kernel of that class, the launch. */
#include <stdint.h>

#include "cuda/entries.h"
#include "cuda/general.h"
#include "cuda/kernels.h"
#include "cuda/launches.h"
#include "device/units.h"

/* Whether every dense operand's address is a multiple of its vector. */
static bool
is_aligned(const cu_iter *it, const cu_kernel_key *key)
{
    const int vector = cu_cuda_dense_shape(key).vector;
    for (int k = 0; k < it->nops; k++) {
        const cu_operand *op = &it->op[k];
        if (op->ptr == NULL) continue;
        const uintptr_t nbytes = (uintptr_t)(vector * cu_itemsize(op->dtype));
        if ((uintptr_t)op->ptr % (nbytes < 16 ? nbytes : 16)) return false;
    }
    return true;
}

/* ---- one input, transposed ----------------------------------------------------------- */

#define SHORT 16 /* a dimension that is not worth tiles */
#define LONG 256 /* what is worth it */

/* The dimension along which the only input is dense where the output is along the last;
 * -1 if it is not so, or if one of them is too short for a gain. */
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
        if (in->strides[d] != cu_itemsize(in->dtype)) continue;
        if (it->shape[d] >= SHORT || it->shape[last] >= LONG) return d;
    }
    return -1;
}

/* Whether elements of one or two bytes can be moved as words. */
static bool
moves_words(const cu_kernel_key *key, const cu_iter *it, int row)
{
    const int last = it->ndim - 1, size = cu_itemsize(it->op[0].dtype);
    int64_t all = 0;

    if (key->op != CUPRIC_OP_CONVERT || size > 2) return false;
    if (it->op[0].dtype != it->op[1].dtype) return false;
    for (int k = 0; k < 2; k++) {
        all |= (int64_t)(intptr_t)it->op[k].ptr;
        for (int d = 0; d <= last; d++) {
            if (d != (k == 0 ? row : last)) all |= it->op[k].strides[d];
        }
    }
    return all % 4 == 0;
}

/* Elements along each side of a block's tile, see cupric/kernels/elementwise.hpp. */
static void
tile_sides(const cu_kernel_key *key, const cu_iter *it, int row, int64_t *rows,
           int64_t *cols)
{
    const int size = cu_itemsize(it->op[1].dtype);

    *rows = *cols = key->rank[1] == CUPRIC_TRANSPOSED_WORDS ? CUPRIC_WORDS_SIDE(size)
                                                            : CUPRIC_TILED_SIDE(size);
    if (key->rank[1] == CUPRIC_TRANSPOSED_SHORT) {
        *rows = it->shape[row];
        *cols = CUPRIC_BLOCK;
    }
}

static cu_status
run_tiled(cu_kernel_key *key, const cu_iter *it, int row, cu_stream *s)
{
    const int last = it->ndim - 1;
    const cu_kernels *kernels;
    int64_t shape[CUPRIC_MAXDIMS], strides[2][CUPRIC_MAXDIMS], outer = 1, rows, cols;
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
    key->rank[1] = it->shape[row] < SHORT      ? CUPRIC_TRANSPOSED_SHORT
                   : moves_words(key, it, row) ? CUPRIC_TRANSPOSED_WORDS
                                               : CUPRIC_TRANSPOSED_TILES;
    st = cu_general_kernels(key, it, s, &kernels);
    if (st) return st;
    if (!kernels) return cu_general_run(key, it, s);
    tile_sides(key, it, row, &rows, &cols);
    rows = cu_blocks_of(it->shape[row], rows);
    cols = cu_blocks_of(it->shape[last], cols);
    const cu_tiled_head head = {
        .op = {cu_slot_of(&it->op[0]), cu_slot_of(&it->op[1])},
        .rows = it->shape[row],
        .cols = it->shape[last],
        .row_tiles = rows,
        .col_tiles = cols,
        .in_row = it->op[0].strides[row],
        .in_col = it->op[0].strides[last],
        .out_row = it->op[1].strides[row],
        .out_col = it->op[1].strides[last],
    };
    cu_params_start(&p, &head, sizeof head);
    cu_params_space(&p, key->rank[0], ndim, shape, 2, both);
    return cu_kernels_launch(kernels, 0, rows * cols * outer, 1, &p, s);
}

/* ---- any ----------------------------------------------------------------------------- */

/* Whether the operands' rows can be taken by vectors. */
static bool
has_vectorized_rows(const cu_iter *it, const cu_kernel_key *key)
{
    const int last = it->ndim - 1, vector = cu_cuda_dense_shape(key).vector;

    if (it->masked || vector == 1 || it->ndim < 2 || it->shape[last] % vector)
        return false;
    for (int k = 0; k < it->nops; k++) {
        const cu_operand *op = &it->op[k];
        const int64_t size = op->ptr ? cu_itemsize(op->dtype) : 0;
        uint64_t all = (uint64_t)(uintptr_t)op->ptr;
        if (op->ptr == NULL || op->strides[last] == 0) continue;
        if (op->strides[last] != size) return false;
        for (int d = 0; d < last; d++) all |= (uint64_t)op->strides[d];
        if (all % (uint64_t)(vector * size < 16 ? vector * size : 16)) return false;
    }
    return true;
}

static cu_shape
launch_of(int64_t n, int64_t each, int threads)
{
    return (cu_shape){.blocks = cu_blocks_of(n, each), .threads = threads};
}

static cu_shape
dense_shape(cu_kernel_key *key, const cu_iter *it, cu_params *p)
{
    const cu_dense_head head = {.n = it->size};

    if (!is_aligned(it, key)) key->layout = CUPRIC_LAYOUT_UNALIGNED;
    const cu_dense_shape each = cu_cuda_dense_shape(key);
    cu_params_start(p, &head, sizeof head);
    cu_params_slots(p, it, 0, it->nops);
    return launch_of(it->size, cu_elements_of_block(each), each.threads);
}

static cu_shape
strided_shape(cu_kernel_key *key, const cu_iter *it, cu_params *p)
{
    key->layout = CUPRIC_LAYOUT_STRIDED;
    key->rank[0] = (uint8_t)cu_cuda_rank(it->ndim);
    if (it->index64) key->flags |= CUPRIC_KEY_WIDE;
    p->used = 0;
    cu_params_slots(p, it, 0, it->nops);
    cu_params_iter(p, it, 0, it->ndim, it->nops);
    return launch_of(it->size, CUPRIC_STRIDED_ITEMS * CUPRIC_BLOCK, CUPRIC_BLOCK);
}

/* The fastest dimension is counted in vectors. */
static cu_shape
rows_shape(cu_kernel_key *key, const cu_iter *it, cu_params *p)
{
    static const int64_t none[CUPRIC_MAXDIMS];
    const int last = it->ndim - 1;
    const int64_t *strides[CUPRIC_MAXOPERANDS];
    int64_t shape[CUPRIC_MAXDIMS], steps[8][CUPRIC_MAXDIMS];

    key->layout = CUPRIC_LAYOUT_ROWS;
    const cu_dense_shape each = cu_cuda_dense_shape(key);
    for (int d = 0; d <= last; d++) shape[d] = it->shape[d];
    shape[last] /= each.vector;
    for (int k = 0; k < it->nops; k++) {
        for (int d = 0; d <= last; d++) steps[k][d] = it->op[k].strides[d];
        steps[k][last] *= each.vector;
        strides[k] = it->op[k].ptr ? steps[k] : none;
    }
    key->rank[0] = (uint8_t)cu_cuda_rank(it->ndim);
    if (it->index64) key->flags |= CUPRIC_KEY_WIDE;
    p->used = 0;
    cu_params_slots(p, it, 0, it->nops);
    cu_params_space(p, key->rank[0], it->ndim, shape, it->nops, strides);
    return launch_of(it->size, cu_elements_of_block(each), each.threads);
}

/* What is only moved is moved as an unsigned integer, so that there are fewer kernels.
 * Complex numbers may lie where such an integer may not. */
static void
key_as_moved(cu_kernel_key *key)
{
    const int dtype = key->type[1];

    if ((key->type[0] & 0x7f) != dtype || cu_dtypes[dtype].kind == 'c') return;
    const int moved = cu_unit_dtype(cu_itemsize((cu_dtype)dtype));
    key->type[0] = (uint8_t)(moved | (key->type[0] & CUPRIC_KEY_IMMEDIATE));
    key->type[1] = (uint8_t)moved;
}

static cu_status
run(cu_kernel_key *key, const cu_iter *it, cu_stream *s)
{
    const cu_kernels *kernels;
    const int nstored = it->nops - it->masked;
    cu_params p;
    cu_shape shape;
    cu_status st;

    if (it->masked) key->flags |= CUPRIC_KEY_MASKED;
    for (int k = 0; k < nstored && k < (int)sizeof key->type; k++) {
        key->type[k] = cu_key_type(&it->op[k]);
    }
    if (key->op == CUPRIC_OP_CONVERT) key_as_moved(key);
    if (!it->contiguous) {
        const int row = transposed_axis(it);
        if (row >= 0) return run_tiled(key, it, row, s);
    }
    shape = it->contiguous                 ? dense_shape(key, it, &p)
            : has_vectorized_rows(it, key) ? rows_shape(key, it, &p)
                                           : strided_shape(key, it, &p);
    st = cu_general_kernels(key, it, s, &kernels);
    if (st) return st;
    if (!kernels) return cu_general_run(key, it, s);
    return cu_kernels_launch_shaped(kernels, 0, &shape, &p, s);
}

cu_status
cu_cuda_elementwise(const cu_elementwise *args, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    cu_cuda_log_bytes(args->it);
    return run(&key, args->it, s);
}

cu_status
cu_cuda_convert(const cu_iter *it, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    key.op = CUPRIC_OP_CONVERT;
    cu_cuda_log_bytes(it);
    return run(&key, it, s);
}
