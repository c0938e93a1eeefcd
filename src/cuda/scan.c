/* cuda/scan.c: running reductions. Neighbours in memory and short rows are scanned in one
 * pass, see cuda/include/cupric/kernels/scan_dense.hpp and scan_shared.hpp; anything else in
 * rows that are cut into chunks, see scan.hpp.
 */
#include <stdlib.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/memory.h"
#include "cuda/reduce.h"
#include "cuda/workspace.h"

#define TILE (CUPRIC_BLOCK * CUPRIC_SCAN_ITEMS) /* what chunks are a multiple of */
#define CHUNK 16384 /* elements worth a block of their own */
#define MIN_BLOCKS 1056
#define CARRY_NBYTES 16        /* an accumulator at most */
#define ROWS_SIDE_BY_SIDE 4096 /* enough for a thread each */

/* ---- neighbours in memory -------------------------------------------------------------- */

#define FLAT_WIDTH 64 /* matrices as wide are read as one run of memory */
#define MIN_TILE 1024 /* elements */

enum { RUN, COLUMNS, REST };

typedef struct dense {
    int kind;                /* RUN, … */
    cu_dense_scan_head head; /* how the work is cut */
} dense;

static int64_t
at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t
power_of_two_below(int64_t n)
{
    int64_t p = 1;
    while (p * 2 <= n) p *= 2;
    return p;
}

static bool
is_power_of_two(int64_t n)
{
    return n == power_of_two_below(n);
}

/* Bytes of an element of the input or the output, whichever is larger. */
static int
size_of(const cu_iter *it)
{
    const int in_size = cu_itemsize(it->op[0].dtype);
    const int out_size = cu_itemsize(it->op[1].dtype);
    return in_size > out_size ? in_size : out_size;
}

/* Elements that a thread has side by side. */
static int64_t
vector_size(const cu_iter *it, int tile)
{
    return CUPRIC_SCAN_VECTOR(tile / CUPRIC_BLOCK, size_of(it));
}

/* Tiles as long as each other. Groups of so many that a tile hears few words: half of the
 * groups, and one and a half groups of tiles. */
static void
split_into_tiles(dense *d, int64_t most)
{
    const int64_t tiles = cu_blocks_of(d->head.n, most);
    d->head.length =
        at_most(cu_blocks_of(cu_blocks_of(d->head.n, tiles), 16) * 16, most);
    if (tiles == 1) d->head.length = d->head.n;
    d->head.down = cu_blocks_of(d->head.n, d->head.length);
    d->head.group = 1;
    while (2 * d->head.group * d->head.group < d->head.down) d->head.group *= 2;
}

static void
split_among_threads(dense *d, int64_t vector)
{
    const int64_t across =
        d->kind == COLUMNS ? d->head.columns / vector : d->head.columns;
    d->head.ways = across < CUPRIC_BLOCK ? CUPRIC_BLOCK / across : 1;
    d->head.each = cu_blocks_of(d->head.length, d->head.ways);
}

/* Sequences are rows. */
static bool
plan_rows(dense *d, const cu_iter *it, int tile)
{
    const int last = it->ndim - 1;
    const int in_size = cu_itemsize(it->op[0].dtype);
    const int out_size = cu_itemsize(it->op[1].dtype);
    const int64_t rows = it->size / d->head.n;
    const bool follow_each_other = last == 1 &&
                                   it->op[0].strides[0] == d->head.n * in_size &&
                                   it->op[1].strides[0] == d->head.n * out_size;

    if (d->head.n > 1 && (d->head.in_step != in_size || d->head.out_step != out_size))
        return false;
    if (rows > 1 && !follow_each_other && d->head.n < MIN_TILE) return false;
    d->head.in_step = in_size;
    d->head.out_step = out_size;
    d->head.width = rows;
    d->head.rows = 1;
    d->head.columns = 1;
    if (follow_each_other && d->head.n <= tile / 2) {
        d->head.columns = at_most(tile / d->head.n, rows);
        if (d->head.columns > 16) d->head.columns = d->head.columns / 16 * 16;
    }
    d->head.across = d->head.stacks = cu_blocks_of(rows, d->head.columns);
    if (d->head.columns > 1) {
        d->kind = REST;
        d->head.length = d->head.n;
        d->head.down = d->head.group = 1;
    } else {
        d->kind = RUN;
        split_into_tiles(d, tile);
    }
    return true;
}

/* Sequences are short rows, or parts of rows, that lie apart. */
static bool
plan_rows_apart(dense *d, const cu_iter *it, int tile)
{
    const int outer = it->ndim - 2;

    if (outer < 0 || d->head.n > tile / 2 || it->op[0].strides[outer] == 0 ||
        llabs(it->op[0].strides[outer]) < llabs(d->head.in_step)) {
        return false;
    }
    d->kind = REST;
    d->head.width = it->shape[outer];
    d->head.rows = 1;
    d->head.columns = at_most(tile / d->head.n, d->head.width);
    d->head.across = cu_blocks_of(d->head.width, d->head.columns);
    d->head.stacks = it->size / d->head.n / d->head.width * d->head.across;
    d->head.length = d->head.n;
    d->head.down = d->head.group = 1;
    d->head.in_row = it->op[0].strides[outer];
    d->head.out_row = it->op[1].strides[outer];
    return true;
}

/* Sequences are columns. */
static bool
plan_columns(dense *d, const cu_iter *it, int tile)
{
    const int last = it->ndim - 1;
    const int in_size = cu_itemsize(it->op[0].dtype);
    const int out_size = cu_itemsize(it->op[1].dtype);
    const int64_t vector = vector_size(it, tile);

    if (last < 1 || it->op[0].strides[last - 1] != in_size ||
        it->op[1].strides[last - 1] != out_size)
        return false;
    d->head.width = it->shape[last - 1];
    d->head.rows = 0;
    d->kind = COLUMNS;
    d->head.columns =
        CUPRIC_SCAN_MAX_COLUMNS(size_of(it)); /* at least, of a wide matrix */
    const int64_t outer = it->size / d->head.n / d->head.width;
    const bool flat = d->head.width <= FLAT_WIDTH &&
                      d->head.in_step == d->head.width * in_size &&
                      d->head.out_step == d->head.width * out_size;
    if (!flat) {
        /* Wider tiles where columns are short. */
        while (d->head.columns * 2 * d->head.n <= tile &&
               d->head.columns < d->head.width &&
               d->head.columns < CUPRIC_BLOCK * vector) {
            d->head.columns *= 2;
        }
    } else if (is_power_of_two(d->head.width) && d->head.width >= 2 * vector) {
        d->head.columns = at_most(d->head.columns, d->head.width);
    } else {
        /* A vector to a row would be read in pieces that are too small. */
        d->head.columns = d->head.width;
        d->kind = REST;
    }
    if (outer > 1 && at_most(d->head.columns, d->head.width) * d->head.n < MIN_TILE)
        return false;
    d->head.across = cu_blocks_of(d->head.width, d->head.columns);
    d->head.stacks = outer * d->head.across;
    split_into_tiles(d, power_of_two_below(tile / d->head.columns));
    return true;
}

/* Blocks, and the tiles of each: where they wait for others they take tiles until there
 * are none. */
static int64_t
plan_blocks(dense *d, int tile, const cu_stream *s)
{
    const int64_t most =
        CUPRIC_SCAN_MIN_BLOCKS *
        (int64_t)cu_cuda_device_at(cu_cuda_ordinal(s))->multiprocessors;
    d->head.tiles = d->head.stacks * d->head.down;
    d->head.tiles_per_block = 1;
    if (d->kind == REST || (d->kind == RUN && d->head.down == 1)) return d->head.tiles;
    if (d->head.down == 1) {
        const int64_t fit = tile / (d->head.columns * d->head.length);
        if (fit > 1) d->head.tiles_per_block = fit;
        return cu_blocks_of(d->head.tiles, d->head.tiles_per_block);
    }
    d->head.tiles_per_block = 0;
    return at_most(d->head.tiles, most);
}

static int
scan_nbytes(const cu_stream *s)
{
    return CUPRIC_SCAN_NBYTES(cu_cuda_device_at(cu_cuda_ordinal(s))->major);
}

static cu_status
scan_dense(const cu_scan *args, const cu_kernels *kernels, dense *d, int tile,
           cu_stream *s)
{
    const cu_iter *it = args->it;
    /* Of 4 bytes in an accumulator: by the tile's size. */
    const int words = tile >= 8192 ? 1 : tile >= 4096 ? 2 : 4;
    const cu_shape shape = {
        .blocks = plan_blocks(d, tile, s),
        .threads = CUPRIC_BLOCK,
        .shared_nbytes = d->kind == REST ? 0 : scan_nbytes(s),
    };
    cu_workspace w = {0};
    cu_params p;
    cu_status st;

    split_among_threads(d, vector_size(it, tile));
    if (d->head.down > 1) {
        const int64_t nflags =
            d->head.stacks * (d->head.down + cu_blocks_of(d->head.down, d->head.group));
        st = cu_workspace_get(0, (size_t)(nflags * d->head.columns * words), &w, s);
        if (st) return st;
    }
    d->head.ticket = w.counters;
    d->head.published = w.flags;
    d->head.epoch = w.epoch;
    cu_params_start(&p, &d->head, sizeof d->head);
    cu_params_iter(&p, it, 0, it->ndim - 1, 2);
    st = cu_kernels_launch_shaped(kernels, 0, &shape, &p, s);
    cu_workspace_put(&w, s);
    return st;
}

/* ---- any layout ------------------------------------------------------------------------ */

/* Whether operands may not be regrouped, or rows are many and lie side by side. */
static bool
must_be_serial(const cu_scan *args, int64_t rows)
{
    const cu_iter *it = args->it;
    const int64_t *stride = it->op[0].strides;
    const int last = it->ndim - 1;
    if (cu_cuda_is_serial(args->op)) return true;
    return it->ndim > 1 && rows >= ROWS_SIDE_BY_SIDE &&
           llabs(stride[last - 1]) < llabs(stride[last]);
}

static cu_status
scan_any(const cu_scan *args, cu_attempt *attempt, cu_kernel_key *key, cu_stream *s)
{
    const cu_iter *it = args->it;
    const int last = it->ndim - 1;
    const int64_t n = it->shape[last], rows = it->size / n;
    const cu_kernels *kernels;
    void *carry = NULL; /* owned */
    cu_params p;
    cu_status st;

    key->layout = must_be_serial(args, rows) ? CUPRIC_SCAN_SERIAL : CUPRIC_SCAN_BLOCKS;
    st = cu_kernels_try(attempt, key, s, &kernels);
    if (st || !kernels) return st;

    int64_t chunks = cu_blocks_of(MIN_BLOCKS, rows);
    if (chunks > cu_blocks_of(n, CHUNK)) chunks = cu_blocks_of(n, CHUNK);
    const int64_t chunk = cu_blocks_of(cu_blocks_of(n, chunks), TILE) * TILE;
    chunks = key->layout == CUPRIC_SCAN_SERIAL ? 1 : cu_blocks_of(n, chunk);
    const size_t nbytes = (size_t)(rows * chunks) * CARRY_NBYTES;
    if (chunks > 1) {
        st = cu_cuda_scratch_get(nbytes, &carry, s);
        if (st) return st;
    }
    const cu_scan_head head = {
        .op = {cu_slot_of(&it->op[0]), cu_slot_of(&it->op[1])},
        .n = n,
        .in_stride = it->op[0].ptr ? it->op[0].strides[last] : 0,
        .out_stride = it->op[1].strides[last],
        .chunk = chunk,
        .chunks = chunks,
        .carry = carry,
    };
    cu_params_start(&p, &head, sizeof head);
    cu_params_iter(&p, it, 0, last, 2);
    if (key->layout == CUPRIC_SCAN_SERIAL) {
        return cu_kernels_launch(kernels, 0, cu_blocks_of(rows, CUPRIC_BLOCK), 1, &p,
                                 s);
    }
    if (chunks > 1) {
        st = cu_kernels_launch(kernels, 0, rows * chunks, 1, &p, s);
        if (!st) st = cu_kernels_launch(kernels, 1, rows, 1, &p, s);
    }
    if (!st) st = cu_kernels_launch(kernels, 2, rows * chunks, 1, &p, s);
    if (carry) cu_cuda_scratch_put(carry, nbytes, s);
    return st;
}

cu_status
cu_scan_run(const cu_scan *args, bool by_rows, cu_attempt *attempt, cu_stream *s)
{
    const cu_iter *it = args->it;
    const int last = it->ndim - 1;
    static const uint8_t layouts[] = {
        [RUN] = CUPRIC_SCAN_DENSE_RUN,
        [COLUMNS] = CUPRIC_SCAN_DENSE_COLUMNS,
        [REST] = CUPRIC_SCAN_SHARED,
    };
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_SCAN);
    const cu_kernels *kernels;
    dense d = {
        .head =
            {
                .op = {cu_slot_of(&it->op[0]), cu_slot_of(&it->op[1])},
                .n = it->shape[last],
                .in_step = it->op[0].strides[last],
                .out_step = it->op[1].strides[last],
            },
    };
    cu_status st;

    if (cu_cuda_row_get(args->op) == NULL || cu_cuda_combiner(args->op) < 0) {
        return cu_fail(CUPRIC_ERR_TYPE, "operation %d has no scan", args->op);
    }
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    key.rank[0] = (uint8_t)cu_cuda_rank(last);
    key.type[0] = cu_key_type(&it->op[0]);
    key.type[1] = cu_key_type(&it->op[1]);
    key.layout = CUPRIC_SCAN_DENSE_RUN;
    if (!by_rows && it->op[0].ptr && !cu_cuda_is_serial(args->op)) {
        const int tile = cu_cuda_scan_tile(&key);
        if (plan_rows(&d, it, tile) || plan_columns(&d, it, tile) ||
            plan_rows_apart(&d, it, tile)) {
            key.layout = layouts[d.kind];
            st = cu_kernels_try(attempt, &key, s, &kernels);
            return st || !kernels ? st : scan_dense(args, kernels, &d, tile, s);
        }
    }
    return scan_any(args, attempt, &key, s);
}
