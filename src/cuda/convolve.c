/* cuda/convolve.c: direct convolution and correlation: in shared memory by tiles where the
 * views have one or two dimensions and a tile fits, else output by output. */
#include "cuda/entries.h"
#include "cuda/kernels.h"

#define SHARED_NBYTES 49152 /* of any device, without asking for more */
#define PIECE_1 1024        /* weights in shared memory at most */
#define PIECE_2 32          /* rows and columns of them */
#define TILE_VECTORS CUPRIC_CONVOLVE_VECTORS
#define TILE_ACROSS CUPRIC_CONVOLVE_ACROSS

_Static_assert(CUPRIC_BOUNDARY_FILL == (int)CUPRIC_OUTSIDE_FILL &&
                   CUPRIC_BOUNDARY_WRAP == (int)CUPRIC_OUTSIDE_WRAP &&
                   CUPRIC_BOUNDARY_SYMM == (int)CUPRIC_OUTSIDE_SYMMETRIC &&
                   CUPRIC_BOUNDARY_NONE == (int)CUPRIC_OUTSIDE_NOTHING,
               "a boundary is passed on as it is");

/* Bytes of an element in the type of computation. */
static int64_t
computed_size(cu_dtype t)
{
    return cu_itemsize(t) < 4 ? 4 : cu_itemsize(t);
}

static void
put_params(cu_params *p, const cu_convolve *args, int64_t nkernel, int64_t nout,
           const int64_t *piece)
{
    const int ndim = args->out.ndim;
    const size_t nbytes = (size_t)ndim * sizeof(int64_t);
    const cu_convolve_head head = {
        .in = args->in.ptr,
        .kernel = args->kernel.ptr,
        .out = args->out.ptr,
        .fill = cu_slot_of_scalar(&args->fill),
        .correlate = args->correlate,
        .boundary = args->boundary,
        .nkernel = nkernel,
        .nout = nout,
    };
    int64_t base[CUPRIC_MAXDIMS], pieces[CUPRIC_MAXDIMS];

    for (int d = 0; d < ndim; d++) {
        base[d] = args->start[d] - (args->correlate ? 0 : args->kernel.shape[d] - 1);
        pieces[d] = d < 2 ? piece[d] : 0;
    }
    cu_params_start(p, &head, sizeof head);
    cu_params_add(p, args->in.shape, nbytes);
    cu_params_add(p, args->kernel.shape, nbytes);
    cu_params_add(p, args->out.shape, nbytes);
    cu_params_add(p, base, nbytes);
    cu_params_add(p, pieces, nbytes);
}

/* Rows of a block in two dimensions, where vectors have so many elements. */
static int64_t
tile_rows(int64_t vector)
{
    return CUPRIC_CONVOLVE_DOWN * CUPRIC_CONVOLVE_ROWS(vector);
}

static int64_t
rounded_up(int64_t n, int64_t by)
{
    return cu_blocks_of(n, by) * by;
}

/* Shared memory of a block that sees pieces of so many weights, in bytes. */
static int64_t
tile_nbytes(int ndim, const int64_t *piece, int64_t size)
{
    const int64_t vector = CUPRIC_CONVOLVE_NBYTES / size;
    if (ndim == 1) {
        const int64_t vectors = CUPRIC_CONVOLVE_BLOCK * TILE_VECTORS +
                                cu_blocks_of(piece[0], vector) + TILE_VECTORS + 1;
        return rounded_up(piece[0], vector) * size +
               (vectors + vectors / TILE_VECTORS) * CUPRIC_CONVOLVE_NBYTES;
    }
    const int64_t width = rounded_up(piece[1], vector);
    const int64_t rows =
        tile_rows(vector) + piece[0]; /* one more, which is loaded ahead */
    const int64_t sources = rounded_up(rows + TILE_ACROSS * vector + piece[1], 2);
    return sources * (int64_t)sizeof(int64_t) +
           (piece[0] * width + rows * (TILE_ACROSS * vector + width)) * size;
}

/* The blocks of a tiled launch, what part of the kernel passes at once, and the shared
 * memory for that; 0 blocks where there are more than two dimensions. */
static int64_t
tile(const cu_convolve *args, int64_t nkernel, int64_t *piece, int64_t *nbytes)
{
    const int64_t *k = args->kernel.shape, *n = args->out.shape;
    const int64_t size = computed_size(args->out.dtype),
                  vector = CUPRIC_CONVOLVE_NBYTES / size;

    if (args->out.ndim > 2 || args->out.ndim < 1 || nkernel == 0) return 0;
    if (args->boundary == CUPRIC_BOUNDARY_NONE && args->out.ndim > 1) return 0;
    if (args->out.ndim == 1) {
        piece[0] = k[0] < PIECE_1 ? k[0] : PIECE_1;
        *nbytes = tile_nbytes(1, piece, size);
        return cu_blocks_of(n[0], CUPRIC_CONVOLVE_BLOCK * TILE_VECTORS * vector);
    }
    for (int d = 0; d < 2; d++) piece[d] = k[d] < PIECE_2 ? k[d] : PIECE_2;
    while ((*nbytes = tile_nbytes(2, piece, size)) > SHARED_NBYTES) {
        int64_t *larger = &piece[piece[1] > piece[0]];
        *larger = (*larger + 1) / 2;
    }
    return cu_blocks_of(n[0], tile_rows(vector)) *
           cu_blocks_of(n[1], TILE_ACROSS * vector);
}

cu_status
cu_cuda_convolve(const cu_convolve *args, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_CONVOLVE);
    const cu_kernels *kernels;
    int64_t nkernel = 1, nout = 1, nbytes = 0, piece[2] = {0, 0};
    cu_params p;
    cu_status st;

    for (int d = 0; d < args->out.ndim; d++) {
        nkernel *= args->kernel.shape[d];
        nout *= args->out.shape[d];
    }
    if (nout == 0) return CUPRIC_OK;
    const int64_t tiles = tile(args, nkernel, piece, &nbytes);
    key.type[0] = (uint8_t)args->out.dtype;
    key.rank[0] = (uint8_t)args->out.ndim;
    key.layout = tiles > 0;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    put_params(&p, args, nkernel, nout, piece);
    if (tiles == 0) {
        return cu_kernels_launch(kernels, 0, cu_blocks_of(nout, CUPRIC_BLOCK), 1, &p,
                                 s);
    }
    const cu_shape shape = {
        .blocks = tiles, .threads = CUPRIC_CONVOLVE_BLOCK, .shared_nbytes = nbytes};
    return cu_kernels_launch_shaped(kernels, 0, &shape, &p, s);
}
