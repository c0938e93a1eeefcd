/* cuda/reduceat.c: reductions of slices, which begin at given places: a warp for each or
 * a part of one, or, where they are few and long, a reduction of its own for each.
 */
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/memory.h"
#include "device/axes.h"

#define LONG_SLICE 65536      /* elements worth a launch of their own */
#define FEW_SLICES 1024       /* a warp for each of more fills any device */
#define MANY_SLICES (1 << 16) /* a thread for each of so many does */
#define WIDE 8                /* results side by side worth reading across slices */

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
    const cu_reduceat_head head = {
        .op = {cu_slot_of(&it->op[0]), cu_slot_of(&it->op[1])},
        .starts = starts,
        .nstarts = args->nstarts,
        .length = args->length,
        .in_stride = args->in_stride,
        .out_stride = args->out_stride,
        .lanes = across || serial ? 1 : lanes_for(args->length / args->nstarts),
        .across = across,
    };
    cu_params_start(&p, &head, sizeof head);
    cu_params_iter(&p, it, 0, it->ndim, 2);
    st = cu_kernels_launch(
        kernels, 0, cu_blocks_of(size * args->nstarts, CUPRIC_BLOCK / head.lanes), 1,
        &p, s);
done:
    if (copied) cu_cuda_scratch_put(copied, nbytes, s);
    return st;
}
