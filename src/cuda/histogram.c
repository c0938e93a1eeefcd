/* cuda/histogram.c: counts by value, or by edges. */
#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"

/* Shared memory of a block: more would leave too few threads on a multiprocessor. */
#define MAX_SHARED (40 << 10)
#define MAX_COPIES 32
#define EACH 16 /* values of a thread, where there are enough */

/* How many sets of counters a block keeps, 0 if none fits, and the memory it needs. */
static int
copies_for(const cu_histogram *args, size_t *nbytes)
{
    const size_t counter = args->weights ? 8 : 4;
    const size_t edges =
        args->edges ? (size_t)(args->nbins + 1) * (size_t)cu_itemsize(args->edge_dtype)
                    : 0;
    *nbytes = 0;
    if (args->nbins > MAX_SHARED) return 0;
    for (int copies = MAX_COPIES; copies; copies /= 2) {
        const size_t counters = (size_t)args->nbins * (size_t)copies * counter;
        *nbytes = (counters + 7) / 8 * 8 + edges;
        /* A quarter for counters is enough: several copies are for few bins. */
        if (*nbytes <= (copies > 1 ? MAX_SHARED / 2 : MAX_SHARED)) return copies;
    }
    *nbytes = 0;
    return 0;
}

cu_status
cu_cuda_histogram(const cu_histogram *args, cu_stream *s)
{
    const int64_t most =
        8 * (int64_t)cu_cuda_device_at(cu_cuda_ordinal(s))->multiprocessors;
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_HISTOGRAM);
    const cu_kernels *kernels;
    size_t shared_bytes;
    cu_status st;

    if (args->size == 0 || args->nbins == 0) return CUPRIC_OK;
    key.type[0] = (uint8_t)args->dtype;
    if (args->edges) key.type[1] = (uint8_t)args->edge_dtype;
    if (args->weights) key.flags |= CUPRIC_KEY_WEIGHTED;
    key.layout = args->edges && args->even;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;

    const int copies = copies_for(args, &shared_bytes);
    const int64_t blocks = cu_blocks_of(args->size, CUPRIC_BLOCK * EACH);
    const cu_shape shape = {
        .blocks = blocks < most ? blocks : most,
        .threads = CUPRIC_BLOCK,
        .shared_nbytes = shared_bytes,
    };
    const cu_histogram_params p = {
        .values = args->values,
        .weights = (const double *)args->weights,
        .edges = args->edges,
        .counts = args->counts,
        .n = args->size,
        .nbins = args->nbins,
        .copies = copies,
    };
    return cu_kernels_launch_shaped(kernels, 0, &shape, &p, s);
}
