/* cuda/convolve.c: direct convolution and correlation: in shared memory by tiles where the
 * views have one or two dimensions and a tile fits, else output by output. */
#include "cuda/entries.h"
#include "cuda/kernels.h"

#define SHARED_NBYTES 49152 /* of any device, without asking for more */
#define TILE_1 2048         /* outputs of a block, see cupric/kernels/convolve.hpp */
#define TILE_ROWS 64
#define TILE_COLS 32

/* Bytes of an element in the type of computation. */
static int64_t
computed_size(cu_dtype t)
{
    return cu_itemsize(t) < 4 ? 4 : cu_itemsize(t);
}

static void
put_params(cu_params *p, const cu_convolve *args, int64_t nkernel, int64_t nout)
{
    const int ndim = args->out.ndim;
    p->used = 0;
    cu_params_pointer(p, args->in.ptr);
    cu_params_pointer(p, args->kernel.ptr);
    cu_params_pointer(p, args->out.ptr);
    cu_params_scalar(p, &args->fill);
    cu_params_int(p, args->correlate);
    cu_params_int(p, args->boundary);
    cu_params_int(p, nkernel);
    cu_params_int(p, nout);
    for (int d = 0; d < ndim; d++) cu_params_int(p, args->in.shape[d]);
    for (int d = 0; d < ndim; d++) cu_params_int(p, args->kernel.shape[d]);
    for (int d = 0; d < ndim; d++) cu_params_int(p, args->out.shape[d]);
    for (int d = 0; d < ndim; d++) {
        const int64_t reach = args->correlate ? 0 : args->kernel.shape[d] - 1;
        cu_params_int(p, args->start[d] - reach);
    }
}

/* The blocks of a tiled launch and its shared memory; 0 blocks where it does not fit. */
static int64_t
tile(const cu_convolve *args, int64_t nkernel, int64_t *nbytes)
{
    const int64_t *k = args->kernel.shape, *n = args->out.shape;
    int64_t seen, blocks;
    if (args->out.ndim == 1) {
        seen = TILE_1 + k[0] - 1;
        blocks = cu_blocks_of(n[0], TILE_1);
    } else if (args->out.ndim == 2) {
        seen = (TILE_ROWS + k[0] - 1) * (TILE_COLS + k[1] - 1);
        blocks = cu_blocks_of(n[0], TILE_ROWS) * cu_blocks_of(n[1], TILE_COLS);
    } else {
        return 0;
    }
    *nbytes = (seen + nkernel) * computed_size(args->out.dtype);
    return nkernel > 0 && *nbytes <= SHARED_NBYTES ? blocks : 0;
}

cu_status
cu_cuda_convolve(const cu_convolve *args, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_CONVOLVE);
    const cu_kernels *kernels;
    int64_t nkernel = 1, nout = 1, nbytes = 0;
    cu_params p;
    cu_status st;

    for (int d = 0; d < args->out.ndim; d++) {
        nkernel *= args->kernel.shape[d];
        nout *= args->out.shape[d];
    }
    if (nout == 0) return CUPRIC_OK;
    const int64_t tiles = tile(args, nkernel, &nbytes);
    key.type[0] = (uint8_t)args->out.dtype;
    key.rank[0] = (uint8_t)args->out.ndim;
    key.layout = tiles > 0;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    put_params(&p, args, nkernel, nout);
    if (tiles == 0) {
        return cu_kernels_launch(kernels, 0, cu_blocks_of(nout, CUPRIC_BLOCK), 1, &p,
                                 s);
    }
    const cu_launch config = {
        .grid = {(unsigned)tiles, 1, 1},
        .block = {CUPRIC_BLOCK, 1, 1},
        .shared_bytes = (unsigned)nbytes,
    };
    return cu_kernels_launch_shaped(kernels, 0, &config, &p, s);
}
