/* cuda/sort.c: sort, argsort and partition, by a stable merge sort of rows. A partition is
 * a whole sort. */
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"

#define TILE 1024 /* SORT_TILE of cupric/kernels/sort.hpp */

enum { TILES, MERGE, STORE_VALUES, STORE_ORDER }; /* kernels */

typedef struct job {
    const cu_sort *args;
    int64_t n, rows, tiles;
    char *keys[2], *places[2];
    int rank;
} job;

/* One pass, from buffer `from` to the other. */
static cu_status
pass(const job *j, const cu_kernels *kernels, int entry, int from, int64_t width,
     cu_stream *s)
{
    const cu_view *data = &j->args->data;
    cu_params p;

    p.used = 0;
    cu_params_pointer(&p, data->ptr);
    cu_params_int(&p, 0);
    cu_params_int(&p, j->n);
    cu_params_int(&p, j->tiles);
    cu_params_int(&p, width);
    cu_params_int(&p, j->args->descending);
    cu_params_pointer(&p, j->keys[from]);
    cu_params_pointer(&p, j->keys[1 - from]);
    cu_params_pointer(&p, j->places[from]);
    cu_params_pointer(&p, j->places[1 - from]);
    cu_params_pointer(&p, j->args->order);
    cu_params_view(&p, data, data->ndim - 1, j->rank);
    return cu_kernels_launch(kernels, entry, j->rows * j->tiles, 1, &p, s);
}

cu_status
cu_cuda_sort(const cu_sort *args, cu_stream *s)
{
    const cu_view *data = &args->data;
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_SORT);
    const cu_kernels *kernels;
    void *scratch = NULL; /* owned */
    int64_t size = 1;
    int at = 1; /* the buffer that holds the keys */
    cu_status st;

    for (int d = 0; d < data->ndim; d++) size *= data->shape[d];
    if (size == 0 || data->ndim == 0) return CUPRIC_OK;
    job j = {.args = args, .n = data->shape[data->ndim - 1]};
    j.rows = size / j.n;
    j.tiles = cu_blocks_of(j.n, TILE);
    j.rank = cu_cuda_rank(data->ndim - 1);
    key.type[0] = (uint8_t)data->dtype;
    key.rank[0] = (uint8_t)j.rank;
    if (args->order) key.flags |= CUPRIC_KEY_ORDER;
    if (args->order && j.n > UINT32_MAX) key.flags |= CUPRIC_KEY_WIDE;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;

    const size_t place = !args->order ? 0 : key.flags & CUPRIC_KEY_WIDE ? 8 : 4;
    const size_t keys =
        ((size_t)size * (size_t)cu_itemsize(data->dtype) + 255) / 256 * 256;
    const size_t places = ((size_t)size * place + 255) / 256 * 256;
    st = cu_cuda_scratch_get(2 * (keys + places), &scratch, s);
    if (st) return st;
    for (int i = 0; i < 2; i++) {
        j.keys[i] = (char *)scratch + (size_t)i * keys;
        j.places[i] = (char *)scratch + 2 * keys + (size_t)i * places;
    }
    st = pass(&j, kernels, TILES, 0, 0, s);
    for (int64_t width = TILE; !st && width < j.n; width *= 2, at = 1 - at) {
        st = pass(&j, kernels, MERGE, at, width, s);
    }
    if (!st) st = pass(&j, kernels, args->order ? STORE_ORDER : STORE_VALUES, at, 0, s);
    cu_cuda_scratch_put(scratch, 2 * (keys + places), s);
    return st;
}
