/* cuda/sort.c: sort, argsort and partition of rows. A partition is a whole sort.
 *
 * Two ways. Long rows of numbers are sorted one by one by CUB's radix sort where _cub.so
 * is (cub.h); all else by the merge sort of cupric/kernels/sort.hpp, all rows at once.
 * Both are stable, so that `stable` makes no difference; but where keys are wanted and not
 * their places, the radix sort has -0.0 before 0.0.
 */
#include "cuda/cub.h"
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/memory.h"
#include "device/axes.h"

#define ITEMS CUPRIC_SORT_ITEMS
#define ALIGN 256 /* of buffers */

enum { ROWS, MERGE }; /* kernels */

typedef struct job {
    const cu_sort *args;
    cu_view rows; /* the data, dimensions before the last joined where possible */
    int64_t n, count, threads, tile, tiles, group;
    char *keys[2], *places[2]; /* NULL among the keys: the rows themselves */
    int rank;
} job;

/* Neighbouring dimensions before the last become one where memory allows. */
static void
join_rows(const cu_view *data, cu_view *out)
{
    const int last = data->ndim - 1;
    int64_t *strides[1] = {out->strides};

    *out = *data;
    const int n = cu_axes_join(out->shape, 1, strides, last);
    out->shape[n] = data->shape[last];
    out->strides[n] = data->strides[last];
    out->ndim = n + 1;
}

static bool
rows_follow(const cu_view *rows)
{
    const int last = rows->ndim - 1;
    return last == 0 ||
           (last == 1 && rows->strides[0] == rows->shape[1] * cu_itemsize(rows->dtype));
}

/* How blocks share the rows: sort_shape, and how many threads a row has. */
static void
shape_blocks(job *j)
{
    j->threads = CUPRIC_SORT_THREADS(cu_itemsize(j->rows.dtype));
    j->tile = j->threads * ITEMS;
    j->tiles = cu_blocks_of(j->n, j->tile);
    j->group = 1;
    while (j->group < j->threads && j->group * ITEMS < j->n) j->group *= 2;
}

static size_t
aligned_nbytes(int64_t size, size_t each)
{
    return ((size_t)size * each + ALIGN - 1) / ALIGN * ALIGN;
}

/* ---- merge sort ---------------------------------------------------------------------- */

/* One pass, from buffer `from` to buffer `to`. */
static cu_status
pass(const job *j, const cu_kernels *kernels, int entry, int from, int to,
     int64_t width, bool last, cu_stream *s)
{
    const cu_shape shape = {
        .blocks = j->group < j->threads ? cu_blocks_of(j->count, j->threads / j->group)
                                        : j->count * j->tiles,
        .threads = j->threads,
    };
    const cu_sort_head head = {
        .op = {cu_slot_at(j->rows.ptr)},
        .n = j->n,
        .tiles = j->tiles,
        .width = width,
        .group = j->group,
        .dense = rows_follow(&j->rows),
        .descending = j->args->descending,
        .last = last,
        .source = j->args->source,
        .keys = {j->keys[from], j->keys[to]},
        .places = {j->places[from], j->places[to]},
        .order = (long long *)j->args->order,
    };
    cu_params p;

    cu_params_start(&p, &head, sizeof head);
    cu_params_view(&p, &j->rows, j->rows.ndim - 1, j->rank);
    return cu_kernels_launch_shaped(kernels, entry, &shape, &p, s);
}

/* Values: between the rows and one buffer, to end in the rows. Positions: between two
 * buffers of both, the last pass into the order. */
static cu_status
merge_passes(job *j, const cu_kernels *kernels, cu_stream *s)
{
    const bool ordered = j->args->order != NULL;
    int passes = 0, at;
    for (int64_t width = j->tile; width < j->n; width *= 2) passes++;
    at = ordered ? 0 : passes % 2; /* the rows are buffer 0 of values */
    cu_status st = pass(j, kernels, ROWS, at, at, 0, passes == 0, s);
    for (int64_t width = j->tile; !st && width < j->n; width *= 2, at = 1 - at) {
        st = pass(j, kernels, MERGE, at, 1 - at, width, --passes == 0, s);
    }
    return st;
}

static cu_status
merge_sort(job *j, cu_stream *s)
{
    const cu_sort *args = j->args;
    const int64_t size = j->n * j->count;
    const size_t keys = aligned_nbytes(size, (size_t)cu_itemsize(j->rows.dtype));
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_SORT);
    const cu_kernels *kernels;
    void *scratch = NULL; /* owned */
    size_t nbytes = 0;
    cu_status st;

    shape_blocks(j);
    j->rank = cu_cuda_rank(j->rows.ndim - 1);
    key.type[0] = (uint8_t)j->rows.dtype;
    key.rank[0] = (uint8_t)j->rank;
    if (args->order) key.flags |= CUPRIC_KEY_ORDER;
    if (args->order && j->n > UINT32_MAX) key.flags |= CUPRIC_KEY_WIDE;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;

    const size_t places = aligned_nbytes(size, key.flags & CUPRIC_KEY_WIDE ? 8 : 4);
    if (j->tiles > 1) nbytes = args->order ? 2 * (keys + places) : keys;
    if (nbytes) st = cu_cuda_scratch_get(nbytes, &scratch, s);
    if (st) return st;
    if (!args->order) {
        j->keys[1] = scratch;
    } else {
        for (size_t i = 0; i < 2 && nbytes; i++) {
            j->keys[i] = (char *)scratch + i * keys;
            j->places[i] = (char *)scratch + 2 * keys + i * places;
        }
    }
    st = merge_passes(j, kernels, s);
    if (nbytes) cu_cuda_scratch_put(scratch, nbytes, s);
    return st;
}

/* ---- radix sort ---------------------------------------------------------------------- */

/* Whether rows are long enough that one after the other is the faster way, on an H200. A
 * row takes CUB 30 to 100 us in any case, and a pass over the keys for each of their
 * bytes; the merge sort takes all rows at once, and a pass for each doubling of n. */
static bool
use_radix(const job *j)
{
    static const int64_t one_row[9] = {
        [1] = 1 << 13, [2] = 1 << 15, [4] = 3 << 15, [8] = (1 << 20) + 1};
    static const int64_t many_rows[9] = {
        [1] = 1 << 19, [2] = 1 << 19, [4] = 3 << 18, [8] = 1 << 22};

    if (j->rows.dtype == CUPRIC_COMPLEX128) return false;
    if (j->args->order && j->n > INT32_MAX) return false;
    return j->n >= (j->count == 1 ? one_row : many_rows)[cu_itemsize(j->rows.dtype)];
}

static void
describe_keys(cu_dtype t, cu_cub_sort *call)
{
    const char kind = cu_dtypes[t].kind;
    call->nbytes = (int)cu_itemsize(t);
    call->kind = kind == 'f'   ? CUPRIC_CUB_FLOAT
                 : kind == 'i' ? CUPRIC_CUB_SIGNED
                 : kind == 'b' ? CUPRIC_CUB_BOOL
                 : kind == 'c' ? CUPRIC_CUB_COMPLEX
                               : CUPRIC_CUB_UNSIGNED;
    call->exponent_nbits = t == CUPRIC_FLOAT16 ? 5 : t == CUPRIC_FLOAT64 ? 11 : 8;
}

static char *
row_at(const cu_view *rows, int64_t row)
{
    char *ptr = rows->ptr;
    for (int d = rows->ndim - 2; d >= 0; d--) {
        ptr += row % rows->shape[d] * rows->strides[d];
        row /= rows->shape[d];
    }
    return ptr;
}

static cu_status
radix_sort(const job *j, cu_stream *s)
{
    const size_t row_nbytes = (size_t)j->n * (size_t)cu_itemsize(j->rows.dtype);
    const size_t keys =
        j->args->source ? 0 : aligned_nbytes(j->n, row_nbytes / (size_t)j->n);
    const size_t places = j->args->order ? aligned_nbytes(j->n, 4) : 0;
    cu_cub_sort call = {.n = j->n, .descending = j->args->descending};
    size_t temp_nbytes = 0;
    void *scratch = NULL; /* owned */
    cu_status st;

    describe_keys(j->rows.dtype, &call);
    call.stream = cu_cuda_stream(s);
    call.order = j->args->order;
    call.source = j->args->source;
    st = cu_cuda_cub_sort(&call, &temp_nbytes);
    if (st) return st;
    const size_t nbytes = keys + places + temp_nbytes;
    st = cu_cuda_scratch_get(nbytes, &scratch, s);
    if (st) return st;
    call.other = scratch;
    call.places[1] = (uint32_t *)((char *)scratch + keys);
    call.temp = (char *)scratch + keys + places;
    for (int64_t row = 0; !st && row < j->count; row++) {
        call.keys = row_at(&j->rows, row);
        if (call.source) call.source = j->args->source + (size_t)row * row_nbytes;
        if (j->args->order) {
            call.order = j->args->order + row * j->n;
            call.places[0] = (uint32_t *)call.order;
        }
        st = cu_cuda_cub_sort(&call, &temp_nbytes);
    }
    cu_cuda_scratch_put(scratch, nbytes, s);
    return st;
}

cu_status
cu_cuda_sort(const cu_sort *args, cu_stream *s)
{
    const cu_view *data = &args->data;
    job j = {.args = args, .count = 1};

    if (data->ndim == 0) return CUPRIC_OK;
    for (int d = 0; d < data->ndim - 1; d++) j.count *= data->shape[d];
    j.n = data->shape[data->ndim - 1];
    if (j.n == 0 || j.count == 0) return CUPRIC_OK;
    join_rows(data, &j.rows);
    if (use_radix(&j) && cu_cuda_has_cub(cu_cuda_ordinal(s))) {
        return radix_sort(&j, s);
    }
    return merge_sort(&j, s);
}
