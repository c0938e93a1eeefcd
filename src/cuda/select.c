/* cuda/select.c: what a mask chooses: count, wait for the count, write. Where there are
 * few elements one kernel does all, into room for as many as there could be, and what is
 * waited for is the count alone. */
#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/kernels.h"
#include "cuda/memory.h"
#include "cuda/word.h"
#include "device/axes.h"
#include "device/units.h"

#define SEGMENT CUPRIC_SELECT_SEGMENT
#define WARPS CUPRIC_SELECT_WARPS
#define SPARE_NBYTES 65536 /* room that may be asked for without knowing */
#define BLOCKS 16          /* a multiprocessor, so that the last ones to end are few */
#define BITS_NBYTES (1 << 26) /* kept of a mask at most: of larger ones none */

enum { COUNT, STARTS, WRITE, SOME }; /* kernels */

typedef struct selection {
    const cu_select *args;
    cu_stream *s;
    const cu_kernels *kernels;
    int64_t size, blocks, chunk;
    int64_t *starts, *word;
    uint32_t *bits; /* of the mask, or NULL: it is read twice */
    char *out;
    int64_t count;
    /* Mask and values as one iteration. */
    int ndim;
    int64_t shape[CUPRIC_MAXDIMS], strides[2][CUPRIC_MAXDIMS];
    bool dense[2], narrow; /* in C order; offsets fit in an int */
} selection;

/* Neighbouring dimensions are joined where mask and values allow; where coordinates are
 * asked for, the dimensions stay as they are. */
static void
join_axes(selection *x)
{
    const cu_view *mask = &x->args->mask, *values = &x->args->values;
    int64_t *strides[2] = {x->strides[0], x->strides[1]};

    x->ndim = mask->ndim;
    for (int d = 0; d < mask->ndim; d++) {
        x->shape[d] = mask->shape[d];
        x->strides[0][d] = mask->strides[d];
        x->strides[1][d] = values->ptr ? values->strides[d] : 0;
    }
    if (values->ptr) x->ndim = cu_axes_join(x->shape, 2, strides, x->ndim);
}

static void
measure_axes(selection *x)
{
    const cu_view *views[2] = {&x->args->mask, &x->args->values};

    x->narrow = !cu_is_wide(x->size);
    for (int k = 0; k < 2; k++) {
        int64_t expected = views[k]->ptr ? cu_itemsize(views[k]->dtype) : 0;
        x->dense[k] = true;
        for (int d = x->ndim - 1; d >= 0; d--) {
            x->dense[k] &= x->shape[d] == 1 || x->strides[k][d] == expected;
            expected *= x->shape[d];
        }
        x->narrow &= !cu_is_wide(cu_axes_span(x->ndim, x->shape, x->strides[k]));
    }
}

static void
put_params(cu_params *p, const selection *x)
{
    const int64_t *const strides[] = {x->strides[0], x->strides[1]};
    const cu_select_head head = {
        .mask = x->args->mask.ptr,
        .values = x->args->values.ptr,
        .out = x->out,
        .starts = (long long *)x->starts,
        .warps = (long long *)x->starts + x->blocks,
        .total = (long long *)x->word,
        .bits = x->bits,
        .count = x->count,
        .chunk = x->chunk,
        .blocks = x->blocks,
        .ndim = x->ndim,
        .dense_mask = x->dense[0],
        .dense_values = x->dense[1],
        .narrow = x->narrow,
    };

    cu_params_start(p, &head, sizeof head);
    cu_params_space(p, cu_cuda_rank(x->ndim), x->ndim, x->shape, 2, strides);
}

static const cu_shape one_block = {.blocks = 1, .threads = CUPRIC_SELECT_ONE};

static cu_status
select_few(selection *x)
{
    cu_params p;
    cu_status st = x->args->alloc(x->args->arg, x->size, &x->out);

    if (st) return st;
    put_params(&p, x);
    st = cu_kernels_launch_shaped(x->kernels, SOME, &one_block, &p, x->s);
    return st ? st : cu_cuda_word_wait(x->word, x->s, &x->count);
}

/* Bytes for the mask's bits. Bools side by side are read as fast. */
static int64_t
bits_nbytes(const selection *x)
{
    const int64_t nbytes = cu_blocks_of(x->size, SEGMENT) * (SEGMENT / 8);
    const bool is_short = x->dense[0] && cu_itemsize(x->args->mask.dtype) == 1;

    return is_short || nbytes > BITS_NBYTES ? 0 : nbytes;
}

static cu_status
select_many(selection *x)
{
    const int64_t most = BLOCKS * cu_cuda_device_at(x->s->ordinal)->multiprocessors;
    const int64_t nstarts = most * (WARPS + 1), nbits = bits_nbytes(x);
    const size_t nbytes = (size_t)nstarts * sizeof(int64_t) + (size_t)nbits;
    void *starts = NULL; /* owned */
    cu_params p;
    cu_status st = cu_cuda_scratch_get(nbytes, &starts, x->s);

    if (st) return st;
    x->starts = starts;
    x->bits = nbits ? (uint32_t *)(x->starts + nstarts) : NULL;
    x->chunk = cu_blocks_of(cu_blocks_of(x->size, most * WARPS), SEGMENT) * SEGMENT;
    x->blocks = cu_blocks_of(x->size, x->chunk * WARPS);
    put_params(&p, x);
    st = cu_kernels_launch(x->kernels, COUNT, x->blocks, 1, &p, x->s);
    if (!st) st = cu_kernels_launch_shaped(x->kernels, STARTS, &one_block, &p, x->s);
    if (!st) st = cu_cuda_word_wait(x->word, x->s, &x->count);
    if (!st) st = x->args->alloc(x->args->arg, x->count, &x->out);
    if (!st && x->count > 0) {
        put_params(&p, x);
        st = cu_kernels_launch(x->kernels, WRITE, x->blocks, 1, &p, x->s);
    }
    cu_cuda_scratch_put(starts, nbytes, x->s);
    return st;
}

/* Bytes of what is written for one element. */
static int64_t
chosen_nbytes(const cu_select *args)
{
    if (args->values.ptr) return cu_itemsize(args->values.dtype);
    return args->mask.ndim * (int64_t)sizeof(int64_t);
}

/* Which bits are asked for: of an integer or a bool, whether any is set. */
static cu_dtype
asked_as(cu_dtype mask)
{
    const char kind = cu_dtypes[mask].kind;
    return kind == 'f' || kind == 'c' ? mask : cu_unit_dtype(cu_itemsize(mask));
}

cu_status
cu_cuda_select(const cu_select *args, int64_t *count, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_SELECT);
    selection x;
    cu_status st;

    x.args = args;
    x.s = s;
    x.size = 1;
    x.blocks = x.chunk = x.count = 0;
    x.starts = NULL;
    x.bits = NULL;
    for (int d = 0; d < args->mask.ndim; d++) x.size *= args->mask.shape[d];
    if (x.size == 0) {
        st = args->alloc(args->arg, 0, &x.out);
        if (!st) *count = 0;
        return st;
    }
    join_axes(&x);
    measure_axes(&x);
    key.rank[0] = (uint8_t)cu_cuda_rank(x.ndim);
    key.type[0] = (uint8_t)asked_as(args->mask.dtype);
    if (args->values.ptr)
        key.type[1] = (uint8_t)cu_unit_dtype(cu_itemsize(args->values.dtype));
    st = cu_cuda_capture_refuse(cu_cuda_stream(s), "how many are chosen is wanted");
    if (!st) st = cu_kernels_get(&key, s, &x.kernels);
    if (!st) st = cu_cuda_word_take(&x.word);
    if (st) return st;
    if (x.size <= CUPRIC_SELECT_FEW && x.size * chosen_nbytes(args) <= SPARE_NBYTES)
        st = select_few(&x);
    else
        st = select_many(&x);
    if (st) return st; /* a kernel may yet write to the word: it stays taken */
    cu_cuda_word_put(x.word);
    *count = x.count;
    return CUPRIC_OK;
}
