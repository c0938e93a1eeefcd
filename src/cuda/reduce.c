/* cuda/reduce.c: which way a reduction goes through memory, and into how many parts it is
 * cut. See cuda/include/cupric/kernels/reduce.hpp for the ways.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/module.h"

#define MAX_OPERANDS 4
#define PARTIAL_NBYTES 32  /* at most: an accumulator with its index, and a count */
#define BLOCKS_ENOUGH 1024 /* to fill any device that there is */
#define ROW_PART 8192      /* reduced elements worth a block of their own */
#define COLUMN_PART 128    /* reduced rows worth a block */

/* Some of the iteration's dimensions, the fastest last. Strides are in bytes. */
typedef struct axes {
    int ndim;
    int64_t size;
    int64_t shape[CUPRIC_MAXDIMS];
    int64_t stride[MAX_OPERANDS][CUPRIC_MAXDIMS];
} axes;

static void
axes_take(axes *a, const cu_iter *it, int first, int last)
{
    a->ndim = last - first;
    a->size = 1;
    for (int d = 0; d < a->ndim; d++) {
        a->shape[d] = it->shape[first + d];
        a->size *= a->shape[d];
        for (int k = 0; k < it->nops; k++) {
            a->stride[k][d] = it->op[k].ptr ? it->op[k].strides[first + d] : 0;
        }
    }
}

static void
axes_swap(axes *a, int i, int j, int nops)
{
    int64_t t = a->shape[i];
    a->shape[i] = a->shape[j];
    a->shape[j] = t;
    for (int k = 0; k < nops; k++) {
        t = a->stride[k][i];
        a->stride[k][i] = a->stride[k][j];
        a->stride[k][j] = t;
    }
}

static void
axes_to_last(axes *a, int d, int nops)
{
    for (; d + 1 < a->ndim; d++) axes_swap(a, d, d + 1, nops);
}

/* Where the order of the elements is free: by the first input's strides, and joined. */
static void
axes_sort(axes *a, int nops)
{
    int n = 0;
    for (int i = 1; i < a->ndim; i++) {
        for (int d = i; d > 0 && llabs(a->stride[0][d - 1]) < llabs(a->stride[0][d]);
             d--) {
            axes_swap(a, d - 1, d, nops);
        }
    }
    for (int d = 1; d < a->ndim; d++) {
        bool joined = true;
        for (int k = 0; k < nops; k++) {
            joined &= a->stride[k][n] == a->shape[d] * a->stride[k][d];
        }
        if (!joined) n++;
        a->shape[n] = joined ? a->shape[n] * a->shape[d] : a->shape[d];
        for (int k = 0; k < nops; k++) a->stride[k][n] = a->stride[k][d];
    }
    if (a->ndim) a->ndim = n + 1;
}

/* The dimension along which the first input is densest; -1 if it does not vary. */
static int
densest(const axes *a, int64_t *least)
{
    int best = -1;
    *least = INT64_MAX;
    for (int d = 0; d < a->ndim; d++) {
        const int64_t step = llabs(a->stride[0][d]);
        if (step == 0 || step > *least || a->shape[d] <= 1) continue;
        *least = step;
        best = d;
    }
    return best;
}

/* Put the kept dimension along which the input is densest last. True when it is denser
 * than the reduced ones and long enough for neighbouring threads. */
static bool
columns_are_faster(axes *kept, const axes *reduced, int nops)
{
    int64_t kept_step, reduced_step;
    const int best = densest(kept, &kept_step);
    if (best < 0) return false;
    densest(reduced, &reduced_step);
    if (kept_step >= reduced_step || kept->shape[best] < 8) return false;
    axes_to_last(kept, best, nops);
    return true;
}

static void
put_space(cu_params *p, const axes *a, int nops)
{
    const int64_t *strides[MAX_OPERANDS];
    for (int k = 0; k < nops; k++) strides[k] = a->stride[k];
    cu_params_space(p, cu_cuda_rank(a->ndim), a->ndim, a->shape, nops, strides);
}

/* ---- the shape of the launch --------------------------------------------------------- */

typedef struct split {
    int lanes;      /* threads of a result, rows */
    int64_t blocks; /* of results */
    int64_t part, parts;
} split;

static int64_t
at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static split
plan(const axes *kept, const axes *reduced, int layout)
{
    split s = {.lanes = 1, .part = reduced->size, .parts = 1};
    const int64_t n = reduced->size;

    if (layout == CUPRIC_REDUCE_SERIAL) {
        s.blocks = cu_blocks_of(kept->size, CUPRIC_BLOCK);
        return s;
    }
    if (layout == CUPRIC_REDUCE_COLUMNS) {
        s.blocks = cu_blocks_of(kept->size, 32);
        s.parts = at_most(cu_blocks_of(n, COLUMN_PART),
                          cu_blocks_of(2 * BLOCKS_ENOUGH, s.blocks));
    } else {
        /* Eight neighbours read whole sectors; more than that pays for long rows. */
        while (s.lanes < 32 && s.lanes * (s.lanes < 8 ? 4 : 16) < n) s.lanes *= 2;
        if (n >= 2048 || (n >= 512 && kept->size < BLOCKS_ENOUGH))
            s.lanes = CUPRIC_BLOCK;
        s.blocks = cu_blocks_of(kept->size, CUPRIC_BLOCK / s.lanes);
        s.parts =
            at_most(cu_blocks_of(n, ROW_PART), cu_blocks_of(BLOCKS_ENOUGH, s.blocks));
    }
    if (s.blocks >= BLOCKS_ENOUGH) s.parts = 1;
    s.part = cu_blocks_of(n, s.parts);
    s.parts = cu_blocks_of(n, s.part);
    return s;
}

static void
put_params(cu_params *p, const cu_reduce *args, const split *s, const void *scratch,
           const axes *kept, const axes *reduced)
{
    const cu_iter *it = args->it;
    p->used = 0;
    for (int k = 0; k < it->nops; k++) cu_params_operand(p, &it->op[k]);
    cu_params_scalar(p, &args->initial);
    cu_params_double(p, (double)args->count);
    cu_params_double(p, args->param);
    cu_params_int(p, args->has_initial);
    cu_params_int(p, s->lanes);
    cu_params_int(p, s->part);
    cu_params_int(p, s->parts);
    cu_params_pointer(p, scratch);
    put_space(p, kept, it->nops);
    put_space(p, reduced, it->nops);
}

static bool
is_serial(int op)
{
    const int combiner = cu_cuda_combiner(op);
    return combiner >= 0 && cu_cuda_row_get(combiner)->identity == CUPRIC_ID_NONE;
}

cu_status
cu_cuda_reduce(const cu_reduce *args, cu_stream *s)
{
    const cu_iter *it = args->it;
    const bool position = cu_cuda_row_get(args->op) && cu_cuda_combiner(args->op) < 0;
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_REDUCE);
    const cu_kernels *kernels;
    axes kept, reduced;
    cu_params p;
    void *scratch = NULL; /* owned */
    size_t nbytes = 0;
    cu_status st;

    cu_cuda_tell_bytes(it);
    if (position && it->masked) {
        return cu_fail(CUPRIC_ERR_VALUE, "the position of an element takes no mask");
    }
    if (it->nops > MAX_OPERANDS) {
        return cu_fail(CUPRIC_ERR_TYPE, "operation %d is not a reduction", args->op);
    }
    axes_take(&kept, it, 0, args->nkeep);
    axes_take(&reduced, it, args->nkeep, it->ndim);
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    if (is_serial(args->op)) {
        key.layout = CUPRIC_REDUCE_SERIAL;
    } else {
        if (!position) axes_sort(&reduced, it->nops);
        key.layout = columns_are_faster(&kept, &reduced, it->nops)
                         ? CUPRIC_REDUCE_COLUMNS
                         : CUPRIC_REDUCE_ROWS;
    }
    key.rank[0] = (uint8_t)cu_cuda_rank(kept.ndim);
    key.rank[1] = (uint8_t)cu_cuda_rank(reduced.ndim);
    for (int k = 0; k <= args->nin; k++) key.type[k] = cu_key_type(&it->op[k]);
    if (it->index64) key.flags |= CUPRIC_KEY_WIDE;
    if (it->masked) key.flags |= CUPRIC_KEY_MASKED;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;

    split cut = plan(&kept, &reduced, key.layout);
    if (cut.parts > 1) {
        nbytes = (size_t)(cut.parts * kept.size) * PARTIAL_NBYTES;
        st = cu_cuda_scratch_get(nbytes, &scratch, s);
        if (st) return st;
    }
    put_params(&p, args, &cut, scratch, &kept, &reduced);
    st = cu_kernels_launch(kernels, 0, cut.blocks, (int)cut.parts, &p, s);
    if (!st && cut.parts > 1) {
        cut.lanes = kept.size < 64 ? CUPRIC_BLOCK : cut.parts >= 16 ? 32 : 1;
        put_params(&p, args, &cut, scratch, &kept, &reduced);
        st = cu_kernels_launch(
            kernels, 1, cu_blocks_of(kept.size, CUPRIC_BLOCK / cut.lanes), 1, &p, s);
    }
    if (scratch) cu_cuda_scratch_put(scratch, nbytes, s);
    return st;
}

/* ---- slices -------------------------------------------------------------------------- */

#define LONG_SLICE 65536 /* elements worth a launch of their own */
#define FEW_SLICES 1024  /* a warp for each of more fills any device */

/* out[:, j] = the reduction of in[:, begin … end). */
static cu_status
reduce_one_slice(const cu_reduceat *args, int64_t j, cu_stream *s)
{
    const int64_t begin = args->starts[j];
    int64_t end = j + 1 < args->nstarts ? args->starts[j + 1] : args->length;
    cu_iter it = *args->it;
    const int last = it.ndim;
    cu_reduce one = {
        .op = args->op, .sig = args->sig, .nin = 1, .nkeep = last, .it = &it};

    if (end <= begin) end = begin + 1;
    one.count = end - begin;
    it.ndim++;
    it.contiguous = false;
    it.shape[last] = end - begin;
    it.size *= end - begin;
    it.op[0].ptr += begin * args->in_stride;
    it.op[0].strides[last] = args->in_stride;
    it.op[1].ptr += j * args->out_stride;
    it.op[1].strides[last] = 0;
    it.index64 = true;
    return cu_cuda_reduce(&one, s);
}

static cu_status
reduce_slices(const cu_reduceat *args, cu_stream *s)
{
    cu_status st = CUPRIC_OK;
    for (int64_t j = 0; !st && j < args->nstarts; j++)
        st = reduce_one_slice(args, j, s);
    return st;
}

cu_status
cu_cuda_reduceat(const cu_reduceat *args, cu_stream *s)
{
    const cu_iter *it = args->it;
    const size_t nbytes = (size_t)args->nstarts * sizeof *args->starts;
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_REDUCEAT);
    const cu_kernels *kernels;
    int64_t size = 1;
    void *starts = NULL; /* owned */
    cu_params p;
    cu_status st;

    if (args->nstarts == 0) return CUPRIC_OK;
    for (int d = 0; d < it->ndim; d++) size *= it->shape[d];
    if (!is_serial(args->op) && it->ndim < CUPRIC_MAXDIMS &&
        size * args->nstarts < FEW_SLICES &&
        args->length / args->nstarts > LONG_SLICE) {
        return reduce_slices(args, s);
    }
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    key.layout = is_serial(args->op) ? CUPRIC_REDUCE_SERIAL : CUPRIC_REDUCE_ROWS;
    key.rank[0] = (uint8_t)cu_cuda_rank(it->ndim);
    key.type[0] = (uint8_t)it->op[0].dtype;
    key.type[1] = (uint8_t)it->op[1].dtype;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    st = cu_cuda_scratch_get(nbytes, &starts, s);
    if (st) return st;
    st = cu_cuda_copy(starts, args->starts, nbytes, CUPRIC_COPY_TO_DEVICE, s);
    if (st) goto done;
    p.used = 0;
    cu_params_operand(&p, &it->op[0]);
    cu_params_operand(&p, &it->op[1]);
    cu_params_pointer(&p, starts);
    cu_params_int(&p, args->nstarts);
    cu_params_int(&p, args->length);
    cu_params_int(&p, args->in_stride);
    cu_params_int(&p, args->out_stride);
    cu_params_iter(&p, it, 0, it->ndim, 2);
    const int64_t each = key.layout == CUPRIC_REDUCE_SERIAL ? CUPRIC_BLOCK : 8;
    st = cu_kernels_launch(kernels, 0, cu_blocks_of(size * args->nstarts, each), 1, &p,
                           s);
done:
    cu_cuda_scratch_put(starts, nbytes, s);
    return st;
}
