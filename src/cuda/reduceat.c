/* cuda/reduceat.c: reductions of slices, which begin at given places: a warp for each or
 * a part of one, or, where they are few and long, a reduction of its own for each. Of many
 * slices those that are much longer than the others are shared out by a second kernel.
 */
#include "cuda/device.h"
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/memory.h"
#include "cuda/reduce.h"
#include "device/axes.h"

#define LONG_SLICE (1 << 20)  /* elements worth a launch of their own */
#define FEW_SLICES 1024       /* a warp for each of more fills any device */
#define MANY_SLICES (1 << 16) /* a thread for each of so many does */
#define WIDE 8                /* results side by side worth reading across slices */
#define PART 16384            /* elements worth a block of their own */
#define RESIDENT 4            /* blocks of a multiprocessor at once */
#define MOST_QUEUED (1 << 17) /* parts */

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
    it.shape[last] = end - begin;
    it.size *= end - begin;
    it.op[0].ptr += begin * args->in_stride;
    it.op[0].strides[last] = args->in_stride;
    it.op[1].ptr += j * args->out_stride;
    it.op[1].strides[last] = 0;
    cu_iter_finish(&it);
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

/* Whether neighbours in memory are of different results, which threads side by side then
 * make. */
static bool
lies_across(const cu_reduceat *args, int64_t nresults)
{
    const cu_iter *it = args->it;
    const int last = it->ndim - 1;
    const int64_t step = args->in_stride < 0 ? -args->in_stride : args->in_stride;

    return last >= 0 && it->shape[last] >= WIDE && nresults >= MANY_SLICES &&
           it->op[0].strides[last] == cu_itemsize(it->op[0].dtype) &&
           step > cu_itemsize(it->op[0].dtype);
}

/* Threads to a slice of so many elements in the mean: a power of two, up to a warp. */
static int
lanes_for(int64_t mean)
{
    int lanes = 1;
    while (lanes < 32 && 2 * lanes < mean) lanes *= 2;
    return lanes;
}

/* The longest that a slice may be. */
static int64_t
longest_of(const cu_reduceat *args)
{
    int64_t longest = 0;

    if (args->on_device) return args->length;
    for (int64_t j = 0; j < args->nstarts; j++) {
        const int64_t end = j + 1 < args->nstarts ? args->starts[j + 1] : args->length;
        const int64_t length = end - args->starts[j];
        if (length > longest) longest = length;
    }
    return longest;
}

/* The queue for parts of long slices, and the shape of the kernel that takes them; no
 * blocks, and nothing owned, where no slice is long. Slices that do not overlap have room. */
typedef struct queue {
    void *memory; /* owned: the count, the parts, their partial results */
    size_t nbytes;
    int64_t blocks;
} queue;

static cu_status
make_queue(queue *q, cu_reduceat_head *head, int64_t size, int64_t longest,
           cu_stream *s)
{
    const int64_t blocks =
        (int64_t)RESIDENT * cu_cuda_device_at(cu_cuda_ordinal(s))->multiprocessors;
    const int64_t even = cu_blocks_of(longest, 2 * blocks);
    const size_t each = sizeof(cu_reduceat_part) + CUPRIC_PARTIAL_NBYTES;

    head->part = even > PART ? even : PART;
    if (longest <= head->part) return CUPRIC_OK;
    const int64_t parts = 2 * cu_blocks_of(head->length, head->part);
    const int64_t capacity = size < MOST_QUEUED / parts ? size * parts : MOST_QUEUED;
    q->nbytes = sizeof *head->queue + (size_t)capacity * each;
    cu_status st = cu_cuda_scratch_get(q->nbytes, &q->memory, s);
    if (st) return st;
    q->blocks = capacity < blocks ? capacity : blocks;
    head->count = q->memory;
    head->queue = (cu_reduceat_part *)q->memory + 1; /* of the first is the count */
    head->scratch = (char *)(head->queue + capacity);
    head->capacity = capacity;
    return cu_cuda_fill(q->memory, 0, sizeof *head->count, s);
}

cu_status
cu_cuda_reduceat(const cu_reduceat *args, cu_stream *s)
{
    const cu_iter *it = args->it;
    const size_t nbytes = (size_t)args->nstarts * sizeof *args->starts;
    const bool serial = cu_cuda_is_serial(args->op);
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_REDUCEAT);
    const cu_kernels *kernels;
    int64_t size = 1;
    const void *starts = args->starts;
    void *copied = NULL; /* owned */
    queue long_ones = {0};
    cu_params p;
    cu_status st;

    if (args->nstarts == 0) return CUPRIC_OK;
    for (int d = 0; d < it->ndim; d++) size *= it->shape[d];
    if (!serial && it->ndim < CUPRIC_MAXDIMS && !args->on_device &&
        size * args->nstarts < FEW_SLICES &&
        args->length / args->nstarts > LONG_SLICE) {
        return reduce_slices(args, s);
    }
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    key.layout = serial ? CUPRIC_REDUCE_SERIAL : CUPRIC_REDUCE_ROWS;
    key.rank[0] = (uint8_t)cu_cuda_rank(it->ndim);
    key.type[0] = (uint8_t)it->op[0].dtype;
    key.type[1] = (uint8_t)it->op[1].dtype;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    if (!args->on_device) {
        st = cu_cuda_scratch_get(nbytes, &copied, s);
        if (st) return st;
        st = cu_cuda_copy(copied, starts, nbytes, CUPRIC_COPY_TO_DEVICE, s);
        if (st) goto done;
        starts = copied;
    }
    const bool across = lies_across(args, size * args->nstarts);
    cu_reduceat_head head = {
        .op = {cu_slot_of(&it->op[0]), cu_slot_of(&it->op[1])},
        .starts = starts,
        .nstarts = args->nstarts,
        .length = args->length,
        .in_stride = args->in_stride,
        .out_stride = args->out_stride,
        .lanes = across || serial ? 1 : lanes_for(args->length / args->nstarts),
        .across = across,
    };
    if (!serial) st = make_queue(&long_ones, &head, size, longest_of(args), s);
    if (st) goto done;
    cu_params_start(&p, &head, sizeof head);
    cu_params_iter(&p, it, 0, it->ndim, 2);
    st = cu_kernels_launch(
        kernels, 0, cu_blocks_of(size * args->nstarts, CUPRIC_BLOCK / head.lanes), 1,
        &p, s);
    if (!st && long_ones.blocks)
        st = cu_kernels_launch(kernels, 1, long_ones.blocks, 1, &p, s);
done:
    if (long_ones.memory) cu_cuda_scratch_put(long_ones.memory, long_ones.nbytes, s);
    if (copied) cu_cuda_scratch_put(copied, nbytes, s);
    return st;
}
