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

static cu_shape
launch_of(int64_t n, int64_t each, int threads)
{
    return (cu_shape){.blocks = cu_blocks_of(n, each), .threads = threads};
}

/* ---- inputs that are transposed ------------------------------------------------------ */

#define SHORT 16            /* a dimension that is not worth reading tiles, … */
#define SHORT_NBYTES 160    /* … or, of small elements, of so many bytes and … */
#define FEW_ROWS 64         /* … so few that they fill no tile */
#define LONG 256            /* what is worth it */
#define SIDE 32             /* what is worth writing tiles, … */
#define MANY (1 << 18)      /* … with more operands for so many elements */
#define SHARED_NBYTES 49152 /* of a block's tiles */
#define TURNED_INPUTS 4     /* which kernels of tiles have, and … */
#define TURNED_OUTPUTS 2

/* Which operands are turned over, and along which dimension they are dense. */
typedef struct turned {
    int row;        /* -1: none is */
    unsigned which; /* inputs, and CUPRIC_TURNED_MASK */
} turned;

/* Whether an operand's elements follow each other along a dimension, in either direction. */
static bool
is_dense_along(const cu_operand *op, int d)
{
    return op->strides[d] == cu_itemsize(op->dtype) ||
           op->strides[d] == -cu_itemsize(op->dtype);
}

/* The dimension along which the only input is dense where the output is along the last;
 * -1 if it is not so, or if one of them is too short for a gain. */
static int
transposed_axis(const cu_iter *it)
{
    const int last = it->ndim - 1;
    const cu_operand *in = &it->op[0], *out = &it->op[1];
    if (in->ptr == NULL || it->shape[last] < SIDE || in->strides[last] == 0) return -1;
    if (cu_itemsize(out->dtype) >= 8 && it->shape[last] > SIDE &&
        it->shape[last] < SIDE + SIDE / 4)
        return -1; /* the second tile would be empty, nearly */
    for (int d = 0; d < last; d++) {
        if (!is_dense_along(in, d)) continue;
        if (it->shape[d] >= SHORT || it->shape[last] >= LONG) return d;
    }
    return -1;
}

/* Whether a thread reads what is dense along that dimension by itself: a tile would be empty
 * for the most part. Whole lines of it would be in each other's way. */
static bool
is_short(const cu_iter *it, int row)
{
    const int64_t rows = it->shape[row], size = cu_itemsize(it->op[0].dtype);

    if (it->nops != 2) return false;
    if (rows < SHORT) return true;
    return size <= 4 && cu_itemsize(it->op[1].dtype) <= 4 && rows < FEW_ROWS &&
           rows * size <= SHORT_NBYTES && rows * size % 128 != 0 &&
           it->shape[it->ndim - 1] >= LONG;
}

/* Of several inputs those that are dense along a dimension. */
static unsigned
turned_along(const cu_kernel_key *key, const cu_iter *it, int nin, int row)
{
    const int last = it->ndim - 1, side = cu_cuda_tile_side(key);
    int nbytes = 0;
    unsigned which = 0;

    for (int i = 0; i < nin + it->masked; i++) {
        const cu_operand *op = &it->op[i < nin ? i : it->nops - 1];
        const int size = cu_itemsize(op->dtype);
        if (op->ptr == NULL || !is_dense_along(op, row)) continue;
        if (op->strides[last] == 0 || is_dense_along(op, last)) continue;
        if (nbytes + side * side * size > SHARED_NBYTES) break;
        nbytes += side * side * size;
        which |= i < nin ? 1u << i : CUPRIC_TURNED_MASK;
    }
    return which;
}

static turned
find_turned(const cu_kernel_key *key, const cu_iter *it, int nin)
{
    const int last = it->ndim - 1;
    const cu_operand *out = &it->op[nin];
    turned t = {.row = -1};

    if (nin > TURNED_INPUTS || it->nops - it->masked - nin > TURNED_OUTPUTS) return t;
    if (it->ndim < 2 || out->strides[last] != cu_itemsize(out->dtype)) return t;
    if (it->nops == 2) {
        t.row = transposed_axis(it);
        t.which = 1;
        return t;
    }
    if (it->size < MANY || it->shape[last] < SIDE) return t;
    for (int d = 0; d < last && t.row < 0; d++) {
        if (it->shape[d] < SIDE) continue;
        t.which = turned_along(key, it, nin, d);
        if (t.which) t.row = d;
    }
    return t;
}

/* Whether elements of one or two bytes can be moved as words. Where they lie backwards, the
 * first one is the last of its word. */
static bool
moves_words(const cu_kernel_key *key, const cu_iter *it, int row)
{
    const int last = it->ndim - 1, size = cu_itemsize(it->op[0].dtype);
    int64_t all = 0;

    if (key->op != CUPRIC_OP_CONVERT || size > 2 || it->nops > 2) return false;
    if (it->op[0].dtype != it->op[1].dtype) return false;
    for (int k = 0; k < 2; k++) {
        const bool backwards = k == 0 && it->op[0].strides[row] < 0;
        all |= (int64_t)(intptr_t)it->op[k].ptr + (backwards ? size : 0);
        for (int d = 0; d <= last; d++) {
            if (d != (k == 0 ? row : last)) all |= it->op[k].strides[d];
        }
    }
    return all % 4 == 0;
}

static void
key_as_tiled(cu_kernel_key *key, const cu_iter *it, turned t)
{
    key->layout = CUPRIC_LAYOUT_TILED;
    key->rank[0] = (uint8_t)cu_cuda_rank(it->ndim - 2);
    key->rank[1] = is_short(it, t.row) ? CUPRIC_TRANSPOSED_SHORT
                   : moves_words(key, it, t.row)
                       ? CUPRIC_TRANSPOSED_WORDS
                       : (uint8_t)(CUPRIC_TRANSPOSED_TILES + t.which);
}

/* Elements along each side of a block's tile, see cupric/kernels/elementwise.hpp. */
static void
tile_sides(const cu_kernel_key *key, const cu_iter *it, int row, int64_t *rows,
           int64_t *cols)
{
    *rows = *cols = key->rank[1] == CUPRIC_TRANSPOSED_WORDS
                        ? CUPRIC_WORDS_SIDE(cu_itemsize(it->op[1].dtype))
                        : cu_cuda_tile_side(key);
    if (key->rank[1] == CUPRIC_TRANSPOSED_SHORT) {
        *rows = it->shape[row];
        *cols = CUPRIC_BLOCK;
    }
}

static cu_shape
tiled_shape(const cu_kernel_key *key, const cu_iter *it, int row, cu_params *p)
{
    static const int64_t none[CUPRIC_MAXDIMS];
    const int last = it->ndim - 1;
    const int64_t *all[CUPRIC_MAXOPERANDS];
    int64_t shape[CUPRIC_MAXDIMS], strides[8][CUPRIC_MAXDIMS], outer = 1, rows, cols;
    int ndim = 0;

    for (int d = 0; d < last; d++) {
        if (d == row) continue;
        shape[ndim] = it->shape[d];
        outer *= it->shape[d];
        for (int k = 0; k < it->nops; k++) strides[k][ndim] = it->op[k].strides[d];
        ndim++;
    }
    tile_sides(key, it, row, &rows, &cols);
    rows = cu_blocks_of(it->shape[row], rows);
    cols = cu_blocks_of(it->shape[last], cols);
    const cu_tiled_head head = {.rows = it->shape[row],
                                .cols = it->shape[last],
                                .row_tiles = rows,
                                .col_tiles = cols};
    cu_params_start(p, &head, sizeof head);
    cu_params_slots(p, it, 0, it->nops);
    for (int k = 0; k < it->nops; k++) all[k] = it->op[k].ptr ? strides[k] : none;
    for (int axis = row;; axis = last) {
        for (int k = 0; k < it->nops; k++) {
            const int64_t step = it->op[k].ptr ? it->op[k].strides[axis] : 0;
            cu_params_add(p, &step, sizeof step);
        }
        if (axis == last) break;
    }
    cu_params_space(p, key->rank[0], ndim, shape, it->nops, all);
    return launch_of(rows * cols * outer, 1, CUPRIC_BLOCK);
}

/* Whether the kernel of tiles is taken. Those of several operands are seldom compiled before:
 * till they are, other kernels serve, unless the user would rather wait. */
static cu_status
has_tiles(const cu_kernel_key *key, const cu_iter *it, const cu_stream *s, bool *out)
{
    const cu_kernels *found;
    cu_status st;

    *out = it->nops == 2;
    if (*out) return CUPRIC_OK;
    st = cu_kernels_find(key, s, &found);
    if (st) return st;
    *out = found || !cu_general_serves(true, s);
    if (!*out) cu_kernels_order(key, s);
    return CUPRIC_OK;
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
    const cu_dense_shape each = cu_cuda_strided_shape(key);

    key->layout = CUPRIC_LAYOUT_STRIDED;
    key->rank[0] = (uint8_t)cu_cuda_rank(it->ndim);
    if (it->index64) key->flags |= CUPRIC_KEY_WIDE;
    p->used = 0;
    cu_params_slots(p, it, 0, it->nops);
    cu_params_iter(p, it, 0, it->ndim, it->nops);
    return launch_of(it->size, cu_elements_of_block(each), each.threads);
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

/* The kernel for how the operands lie: in `key`, with its parameters and launch. */
static cu_status
choose(cu_kernel_key *key, const cu_iter *it, int nin, cu_params *p, cu_shape *shape,
       const cu_stream *s)
{
    if (it->contiguous) {
        *shape = dense_shape(key, it, p);
        return CUPRIC_OK;
    }
    const turned t = find_turned(key, it, nin);
    if (t.row >= 0) {
        cu_kernel_key tiled = *key;
        bool there;
        key_as_tiled(&tiled, it, t);
        cu_status st = has_tiles(&tiled, it, s, &there);
        if (st) return st;
        if (there) {
            *key = tiled;
            *shape = tiled_shape(key, it, t.row, p);
            return CUPRIC_OK;
        }
    }
    *shape = has_vectorized_rows(it, key) ? rows_shape(key, it, p)
                                          : strided_shape(key, it, p);
    return CUPRIC_OK;
}

static cu_status
run(cu_kernel_key *key, const cu_iter *it, int nin, cu_stream *s)
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
    st = choose(key, it, nin, &p, &shape, s);
    if (st) return st;
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
    return run(&key, args->it, args->nin, s);
}

cu_status
cu_cuda_convert(const cu_iter *it, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_ELEMENTWISE);
    key.op = CUPRIC_OP_CONVERT;
    cu_cuda_log_bytes(it);
    return run(&key, it, 1, s);
}
