/* cuda/reduceat.c: reductions of slices, which begin at given places: a warp for each, or,
 * where they are few and long, a reduction of its own for each.
 */
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/memory.h"
#include "device/axes.h"

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
    if (!cu_cuda_is_serial(args->op) && it->ndim < CUPRIC_MAXDIMS &&
        size * args->nstarts < FEW_SLICES &&
        args->length / args->nstarts > LONG_SLICE) {
        return reduce_slices(args, s);
    }
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    key.layout =
        cu_cuda_is_serial(args->op) ? CUPRIC_REDUCE_SERIAL : CUPRIC_REDUCE_ROWS;
    key.rank[0] = (uint8_t)cu_cuda_rank(it->ndim);
    key.type[0] = (uint8_t)it->op[0].dtype;
    key.type[1] = (uint8_t)it->op[1].dtype;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    st = cu_cuda_scratch_get(nbytes, &starts, s);
    if (st) return st;
    st = cu_cuda_copy(starts, args->starts, nbytes, CUPRIC_COPY_TO_DEVICE, s);
    if (st) goto done;
    const cu_reduceat_head head = {
        .op = {cu_slot_of(&it->op[0]), cu_slot_of(&it->op[1])},
        .starts = starts,
        .nstarts = args->nstarts,
        .length = args->length,
        .in_stride = args->in_stride,
        .out_stride = args->out_stride,
    };
    cu_params_start(&p, &head, sizeof head);
    cu_params_iter(&p, it, 0, it->ndim, 2);
    const int64_t each =
        key.layout == CUPRIC_REDUCE_SERIAL ? CUPRIC_BLOCK : CUPRIC_BLOCK / 32;
    st = cu_kernels_launch(kernels, 0, cu_blocks_of(size * args->nstarts, each), 1, &p,
                           s);
done:
    cu_cuda_scratch_put(starts, nbytes, s);
    return st;
}
