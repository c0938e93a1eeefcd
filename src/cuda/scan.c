/* cuda/scan.c: running reductions. Neighbours in memory are scanned in one pass, see
 * cuda/include/cupric/kernels/scan_dense.hpp and scan_shared.hpp; anything else in rows
 * that are cut into chunks, see scan.hpp.
 */
#include <stdlib.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/launches.h"
#include "cuda/memory.h"
#include "cuda/workspace.h"

#define TILE (CUPRIC_BLOCK * CUPRIC_SCAN_ITEMS) /* what chunks are a multiple of */
#define CHUNK 16384 /* elements worth a block of their own */
#define BLOCKS_ENOUGH 1056
#define CARRY_NBYTES 16        /* an accumulator at most */
#define ROWS_SIDE_BY_SIDE 4096 /* enough for a thread each */

/* ---- neighbours in memory -------------------------------------------------------------- */

#define FLAT_WIDTH 64     /* matrices as wide are read as one run of memory */
#define WORTH_A_TILE 1024 /* elements */

enum { RUN, COLUMNS, REST };

typedef struct dense {
    int kind;               /* RUN, … */
    cu_dense_scan_head cut; /* how the work is cut */
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
pack_of(const cu_iter *it, int tile)
{
    return CUPRIC_SCAN_PACK(tile / CUPRIC_BLOCK, size_of(it));
}

/* Tiles as long as each other. Groups of so many that a tile hears few words: half of the
 * groups, and one and a half groups of tiles. */
static void
cut_down(dense *d, int64_t most)
{
    const int64_t tiles = cu_blocks_of(d->cut.n, most);
    d->cut.length = at_most(cu_blocks_of(cu_blocks_of(d->cut.n, tiles), 16) * 16, most);
    if (tiles == 1) d->cut.length = d->cut.n;
    d->cut.down = cu_blocks_of(d->cut.n, d->cut.length);
    d->cut.group = 1;
    while (2 * d->cut.group * d->cut.group < d->cut.down) d->cut.group *= 2;
}

static void
share_out(dense *d, int64_t pack)
{
    const int64_t abreast = d->kind == COLUMNS ? d->cut.columns / pack : d->cut.columns;
    d->cut.ways = abreast < CUPRIC_BLOCK ? CUPRIC_BLOCK / abreast : 1;
    d->cut.each = cu_blocks_of(d->cut.length, d->cut.ways);
}

/* Sequences are rows. */
static bool
plan_rows(dense *d, const cu_iter *it, int tile)
{
    const int last = it->ndim - 1;
    const int in_size = cu_itemsize(it->op[0].dtype);
    const int out_size = cu_itemsize(it->op[1].dtype);
    const int64_t rows = it->size / d->cut.n;
    const bool follow_each_other = last == 1 &&
                                   it->op[0].strides[0] == d->cut.n * in_size &&
                                   it->op[1].strides[0] == d->cut.n * out_size;

    if (d->cut.n > 1 && (d->cut.in_step != in_size || d->cut.out_step != out_size))
        return false;
    if (rows > 1 && !follow_each_other && d->cut.n < WORTH_A_TILE) return false;
    d->cut.in_step = in_size;
    d->cut.out_step = out_size;
    d->cut.width = rows;
    d->cut.rows = 1;
    d->cut.columns = 1;
    if (follow_each_other && d->cut.n <= tile / 2) {
        d->cut.columns = at_most(tile / d->cut.n, rows);
        if (d->cut.columns > 16) d->cut.columns = d->cut.columns / 16 * 16;
    }
    d->cut.abreast = d->cut.stacks = cu_blocks_of(rows, d->cut.columns);
    if (d->cut.columns > 1) {
        d->kind = REST;
        d->cut.length = d->cut.n;
        d->cut.down = d->cut.group = 1;
    } else {
        d->kind = RUN;
        cut_down(d, tile);
    }
    return true;
}

/* Sequences are columns. */
static bool
plan_columns(dense *d, const cu_iter *it, int tile)
{
    const int last = it->ndim - 1;
    const int in_size = cu_itemsize(it->op[0].dtype);
    const int out_size = cu_itemsize(it->op[1].dtype);
    const int64_t pack = pack_of(it, tile);

    if (last < 1 || it->op[0].strides[last - 1] != in_size ||
        it->op[1].strides[last - 1] != out_size)
        return false;
    d->cut.width = it->shape[last - 1];
    d->cut.rows = 0;
    d->kind = COLUMNS;
    d->cut.columns = CUPRIC_SCAN_ABREAST(size_of(it)); /* at least, of a wide matrix */
    const int64_t outer = it->size / d->cut.n / d->cut.width;
    const bool flat = d->cut.width <= FLAT_WIDTH &&
                      d->cut.in_step == d->cut.width * in_size &&
                      d->cut.out_step == d->cut.width * out_size;
    if (!flat) {
        /* Wider tiles where columns are short. */
        while (d->cut.columns * 2 * d->cut.n <= tile && d->cut.columns < d->cut.width &&
               d->cut.columns < CUPRIC_BLOCK * pack) {
            d->cut.columns *= 2;
        }
    } else if (is_power_of_two(d->cut.width) && d->cut.width >= 2 * pack) {
        d->cut.columns = at_most(d->cut.columns, d->cut.width);
    } else {
        /* A pack to a row would be read in pieces that are too small. */
        d->cut.columns = d->cut.width;
        d->kind = REST;
    }
    if (outer > 1 && at_most(d->cut.columns, d->cut.width) * d->cut.n < WORTH_A_TILE)
        return false;
    d->cut.abreast = cu_blocks_of(d->cut.width, d->cut.columns);
    d->cut.stacks = outer * d->cut.abreast;
    cut_down(d, power_of_two_below(tile / d->cut.columns));
    return true;
}

/* Blocks, and the tiles of each: where they wait for others they take tiles until there
 * are none. */
static int64_t
plan_blocks(dense *d, int tile, const cu_stream *s)
{
    const int64_t most =
        CUPRIC_SCAN_CROWD *
        (int64_t)cu_cuda_device_at(cu_cuda_ordinal(s))->multiprocessors;
    d->cut.tiles = d->cut.stacks * d->cut.down;
    d->cut.turns = 1;
    if (d->kind == REST || (d->kind == RUN && d->cut.down == 1)) return d->cut.tiles;
    if (d->cut.down == 1) {
        const int64_t fit = tile / (d->cut.columns * d->cut.length);
        if (fit > 1) d->cut.turns = fit;
        return cu_blocks_of(d->cut.tiles, d->cut.turns);
    }
    d->cut.turns = 0;
    return at_most(d->cut.tiles, most);
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

    share_out(d, pack_of(it, tile));
    if (d->cut.down > 1) {
        const int64_t told =
            d->cut.stacks * (d->cut.down + cu_blocks_of(d->cut.down, d->cut.group));
        st = cu_workspace_get(0, (size_t)(told * d->cut.columns * words), &w, s);
        if (st) return st;
    }
    d->cut.taken = w.counters;
    d->cut.told = w.flags;
    d->cut.epoch = w.epoch;
    cu_params_start(&p, &d->cut, sizeof d->cut);
    cu_params_iter(&p, it, 0, it->ndim - 1, 2);
    st = cu_kernels_launch_shaped(kernels, 0, &shape, &p, s);
    cu_workspace_put(&w, s);
    return st;
}

/* ---- any layout ------------------------------------------------------------------------ */

/* Whether operands may not be regrouped, or rows are many and lie side by side. */
static bool
goes_in_order(const cu_scan *args, int64_t rows)
{
    const cu_iter *it = args->it;
    const int64_t *stride = it->op[0].strides;
    const int last = it->ndim - 1;
    if (cu_cuda_is_serial(args->op)) return true;
    return it->ndim > 1 && rows >= ROWS_SIDE_BY_SIDE &&
           llabs(stride[last - 1]) < llabs(stride[last]);
}

static cu_status
scan_any(const cu_scan *args, cu_kernel_key *key, cu_stream *s)
{
    const cu_iter *it = args->it;
    const int last = it->ndim - 1;
    const int64_t n = it->shape[last], rows = it->size / n;
    const cu_kernels *kernels;
    void *carry = NULL; /* owned */
    cu_params p;
    cu_status st;

    key->layout = goes_in_order(args, rows) ? CUPRIC_SCAN_SERIAL : CUPRIC_SCAN_BLOCKS;
    st = cu_kernels_get(key, s, &kernels);
    if (st) return st;

    int64_t chunks = cu_blocks_of(BLOCKS_ENOUGH, rows);
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
cu_cuda_scan(const cu_scan *args, cu_stream *s)
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
        .cut =
            {
                .op = {cu_slot_of(&it->op[0]), cu_slot_of(&it->op[1])},
                .n = it->shape[last],
                .in_step = it->op[0].strides[last],
                .out_step = it->op[1].strides[last],
            },
    };
    cu_status st;

    cu_cuda_tell_bytes(it);
    if (cu_cuda_row_get(args->op) == NULL || cu_cuda_combiner(args->op) < 0) {
        return cu_fail(CUPRIC_ERR_TYPE, "operation %d has no scan", args->op);
    }
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    key.rank[0] = (uint8_t)cu_cuda_rank(last);
    key.type[0] = cu_key_type(&it->op[0]);
    key.type[1] = cu_key_type(&it->op[1]);
    key.layout = CUPRIC_SCAN_DENSE_RUN;
    if (it->op[0].ptr && !cu_cuda_is_serial(args->op)) {
        const int tile = cu_cuda_scan_tile(&key);
        if (plan_rows(&d, it, tile) || plan_columns(&d, it, tile)) {
            key.layout = layouts[d.kind];
            st = cu_kernels_get(&key, s, &kernels);
            return st ? st : scan_dense(args, kernels, &d, tile, s);
        }
    }
    return scan_any(args, &key, s);
}
