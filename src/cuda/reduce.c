/* cuda/reduce.c: which way a reduction goes through memory, and into how many parts it is
 * cut. See cuda/include/cupric/kernels/reduce.hpp and reduce_dense.hpp for the ways.
 */
#include "cuda/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/launches.h"
#include "cuda/workspace.h"
#include "device/axes.h"

#define MIN_BLOCKS 1024 /* to fill any device that there is */
#define RESIDENT 5      /* blocks of a multiprocessor, for most operations, at once */
#define ROW_PART 8192   /* reduced elements worth a block of their own */
#define COLUMN_PART 128 /* reduced rows worth a block */
#define FEW_ROWS 8      /* columns of so many are a thread's alone, … */
#define FEWER_ROWS 16   /* … or of so many, if there are … */
#define MANY_COLUMNS (1 << 15)

/* The dimension along which the first input is densest; -1 if it does not vary. */
static int
densest(const cu_axes *a, int64_t *least)
{
    int best = -1;
    *least = INT64_MAX;
    for (int d = 0; d < a->ndim; d++) {
        const int64_t step = llabs(a->stride[0][d]);
        if (step == 0 || step > *least || a->shape[d] <= 1) continue;
        *least = step;
        best = d;
    }
    return best;
}

/* Whether the kept dimensions are denser than the reduced ones, and long enough for
 * neighbouring threads; then the densest is put last. Columns that follow each other
 * without gaps may be few. */
static bool
columns_are_faster(cu_axes *kept, const cu_axes *reduced, int size)
{
    int64_t kept_step, reduced_step;
    const int best = densest(kept, &kept_step);
    if (best < 0) return false;
    densest(reduced, &reduced_step);
    const bool contiguous =
        kept_step == size && reduced_step == kept->shape[best] * kept_step;
    if (kept_step >= reduced_step || (!contiguous && kept->shape[best] < 8))
        return false;
    cu_axes_to_last(kept, best);
    return true;
}

static void
put_space(cu_params *p, const cu_axes *a, int nops)
{
    const int64_t *strides[CUPRIC_AXES_OPERANDS];
    for (int k = 0; k < nops; k++) strides[k] = a->stride[k];
    cu_params_space(p, cu_cuda_rank(a->ndim), a->ndim, a->shape, nops, strides);
}

/* ---- the shape of the launch, any layout ---------------------------------------------- */

typedef struct split {
    int lanes;      /* threads of a result, rows */
    int64_t blocks; /* of results */
    int64_t parts;
} split;

static int64_t
at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Into how many parts work for so many blocks is cut: where there are enough of them to
 * choose, so that all blocks run at once, as a second round would be short. */
static int64_t
parts_for(int64_t blocks, const cu_stream *s)
{
    const int64_t parts =
        RESIDENT * cu_cuda_device_at(cu_cuda_ordinal(s))->multiprocessors / blocks;

    return parts >= 4 ? parts : cu_blocks_of(MIN_BLOCKS, blocks);
}

/* `alone`: each result is a thread's. */
static split
plan(const cu_axes *kept, const cu_axes *reduced, int layout, bool alone,
     const cu_stream *stream)
{
    split s = {.lanes = 1, .parts = 1};
    const int64_t n = reduced->size;

    if (layout == CUPRIC_REDUCE_SERIAL || alone) {
        s.blocks = cu_blocks_of(kept->size, CUPRIC_BLOCK);
        return s;
    }
    if (layout == CUPRIC_REDUCE_COLUMNS) {
        s.blocks = cu_blocks_of(kept->size, CUPRIC_REDUCE_ACROSS);
        s.parts =
            at_most(cu_blocks_of(n, COLUMN_PART), cu_blocks_of(MIN_BLOCKS, s.blocks));
    } else {
        /* Eight neighbours read whole sectors; more than that pays for long rows. */
        while (s.lanes < 32 && s.lanes * (s.lanes < 8 ? 4 : 16) < n) s.lanes *= 2;
        if (n >= 2048 || (n >= 512 && kept->size < MIN_BLOCKS)) s.lanes = CUPRIC_BLOCK;
        s.blocks = cu_blocks_of(kept->size, CUPRIC_BLOCK / s.lanes);
        s.parts = at_most(cu_blocks_of(n, ROW_PART), parts_for(s.blocks, stream));
    }
    if (s.parts < 1 || s.blocks >= MIN_BLOCKS || s.blocks > CUPRIC_WORKSPACE_COUNTERS) {
        s.parts = 1;
    }
    return s;
}

static cu_status
reduce_any(const cu_reduce *args, cu_attempt *attempt, const cu_kernel_key *key,
           const cu_axes *kept, const cu_axes *reduced, const char *in, bool alone,
           cu_stream *s)
{
    const split cut = plan(kept, reduced, key->layout, alone, s);
    const cu_kernels *kernels;
    cu_workspace w = {0};
    cu_params p;
    cu_status st = cu_kernels_try(attempt, key, s, &kernels);

    if (st || !kernels) return st;
    if (cut.parts > 1) {
        st = cu_workspace_get((size_t)(cut.parts * kept->size) * CUPRIC_PARTIAL_NBYTES,
                              0, &w, s);
        if (st) return st;
    }
    const cu_reduce_head head = {
        .initial = cu_slot_of_scalar(&args->initial),
        .count = (double)args->count,
        .param = args->param,
        .has_initial = args->has_initial,
        .lanes = cut.lanes,
        .parts = cut.parts,
        .scratch = w.memory,
        .arrived = w.counters,
    };
    cu_params_start(&p, &head, sizeof head);
    const cu_slot first = in ? cu_slot_at(in) : cu_slot_of(&args->it->op[0]);
    cu_params_add(&p, &first, sizeof first);
    cu_params_slots(&p, args->it, 1, args->it->nops);
    put_space(&p, kept, args->it->nops);
    put_space(&p, reduced, args->it->nops);
    st = cu_kernels_launch(kernels, 0, cut.blocks, (int)cut.parts, &p, s);
    cu_workspace_put(&w, s);
    return st;
}

/* ---- neighbours in memory ------------------------------------------------------------- */

#define DENSE_BLOCK CUPRIC_REDUCE_DENSE_BLOCK
#define IN_FLIGHT 4         /* vectors that a thread reads at a time */
#define ITERATIONS 4        /* of that, as long as threads suffice, in a warp, … */
#define BLOCK_ITERATIONS 16 /* … and beyond, where joining threads takes longer */
#define FEW_THREADS 240     /* for each of min_blocks: that many keep the memory busy */
#define LINE_NBYTES 128
#define LINE_LANES 8        /* that read a line of 128 bytes */
#define NARROW_NBYTES 256   /* rows of fewer are brought to shared memory */
#define CONTIGUOUS_WIDTH 64 /* columns; wider ones are cut into tiles */

typedef struct dense {
    int threads;
    int64_t blocks;
    const char *in;
    cu_dense_reduce_head head; /* how the work is cut */
} dense;

static int64_t
power_of_two_from(int64_t n)
{
    int64_t p = 1;
    while (p < n) p *= 2;
    return p;
}

/* Into how many parts each block's work is cut where blocks are too few. More blocks of x
 * than there are counters are enough. */
static int64_t
parts_of(const dense *d, int64_t tiles, int64_t min_blocks)
{
    if (d->blocks * 2 > min_blocks || d->blocks > CUPRIC_WORKSPACE_COUNTERS) return 1;
    const int64_t parts = at_most(min_blocks / d->blocks, tiles);
    return parts > 1 ? parts : 1;
}

/* Whether every plane of columns begins at a multiple of 16 bytes. */
static bool
is_aligned(const cu_axes *kept, const char *in)
{
    for (int i = 0; i + 1 < kept->ndim; i++) {
        if (kept->shape[i] > 1 && kept->stride[0][i] % 16) return false;
    }
    return (uintptr_t)in % 16 == 0;
}

/* Whether a vector of results can be stored at once. */
static bool
stores_vectors(const cu_axes *kept, int vector, const cu_operand *out)
{
    const int size = cu_itemsize(out->dtype), last = kept->ndim - 1;
    const int nbytes = vector * size < 16 ? vector * size : 16;
    if (kept->stride[1][last] != size || (uintptr_t)out->ptr % nbytes) return false;
    for (int i = 0; i < last; i++) {
        if (kept->stride[1][i] % nbytes) return false;
    }
    return true;
}

/* Rows of 2 or 4 elements, of 4 or 8 bytes, that make up whole vectors. */
static void
plan_vectors(dense *d, const cu_axes *kept, int vector, const cu_operand *out)
{
    const int64_t rows = vector / d->head.n; /* of a vector */

    if (vector > 4 || (d->head.n != 2 && d->head.n != 4) || rows < 1 ||
        kept->size % rows)
        return;
    if (!stores_vectors(kept, (int)rows, out)) return;
    d->head.fold = d->head.n;
    d->blocks =
        cu_blocks_of(kept->size / rows, CUPRIC_REDUCE_NARROW_VECTORS * CUPRIC_BLOCK);
}

static void
plan_narrow(dense *d, const cu_axes *kept, int size, const cu_operand *out)
{
    const int vector = 16 / size;
    d->threads = CUPRIC_BLOCK;
    d->head.lanes = power_of_two_from(cu_blocks_of(d->head.n, 16));
    d->head.ways = CUPRIC_REDUCE_NARROW / (d->head.n * size) / vector * vector;
    d->head.ways = at_most(d->head.ways, cu_blocks_of(kept->size, vector) * vector);
    d->blocks = cu_blocks_of(kept->size, d->head.ways);
    d->head.aligned = (uintptr_t)d->in % 16 == 0;
    if (d->head.aligned) plan_vectors(d, kept, vector, out);
}

/* Threads for each of so many rows of vectors, so that each has few turns of them and all
 * rows have as many threads as are wanted. */
static int64_t
lanes_for(int64_t vectors, int iterations, int64_t rows, int64_t threads)
{
    const int64_t turns =
        power_of_two_from(cu_blocks_of(vectors, iterations * IN_FLIGHT));
    const int64_t full = power_of_two_from(cu_blocks_of(threads, rows));
    return turns > full ? turns : full;
}

static void
plan_rows(dense *d, const cu_axes *kept, int size, int64_t min_blocks)
{
    const int64_t vectors = d->head.n / (16 / size);
    /* A thread takes a few vectors in turn where there are rows enough for all threads; of
     * fewer lanes than a line has vectors each would read parts of lines. More threads than
     * a warp join in shared memory, so that there are only as many as it takes. */
    const int64_t most = power_of_two_from(cu_blocks_of(vectors, IN_FLIGHT));
    const int64_t few =
        lanes_for(vectors, ITERATIONS, kept->size, min_blocks * (2 * DENSE_BLOCK));
    const int64_t many =
        lanes_for(vectors, BLOCK_ITERATIONS, kept->size, min_blocks * FEW_THREADS);
    const int64_t in_warp = few > LINE_LANES ? at_most(few, 32) : LINE_LANES;
    d->head.lanes =
        at_most(at_most(most, many > in_warp ? many : in_warp), DENSE_BLOCK);
    const int64_t wanted = d->head.lanes * kept->size;
    d->threads = wanted >= DENSE_BLOCK ? d->head.lanes > 32 ? DENSE_BLOCK : CUPRIC_BLOCK
                                       : (int)cu_blocks_of(wanted, 32) * 32;
    d->blocks = cu_blocks_of(kept->size, d->threads / d->head.lanes);
    if (d->head.lanes == DENSE_BLOCK) {
        d->head.parts =
            parts_of(d, cu_blocks_of(vectors, DENSE_BLOCK * IN_FLIGHT), min_blocks);
    }
}

/* A matrix without gaps as one of whole vectors: see reduce_dense.hpp. */
static bool
plan_contiguous(dense *d, int size, int vector)
{
    int64_t times = 1; /* rows in one as seen */
    while (d->head.width * times % vector) times++;
    const int64_t wide = d->head.width * times;
    if (d->head.step != d->head.width * size || wide > DENSE_BLOCK * vector ||
        d->head.n < times)
        return false;
    if (d->head.width > CONTIGUOUS_WIDTH) return false;
    /* Whole lines are shared out by tiles of one line, which leaves less to join. */
    if (d->head.step > LINE_NBYTES && d->head.step % LINE_NBYTES == 0) return false;
    d->head.wide = wide;
    d->head.step = wide * size;
    d->head.tail = d->head.n % times * d->head.width;
    d->head.n /= times;
    d->head.lanes = wide / vector;
    d->head.ways = at_most(DENSE_BLOCK / d->head.lanes, d->head.n);
    d->head.tiles = 1;
    d->head.fold = d->head.width;
    return true;
}

/* As few rows of threads as fill the device, so that little is joined at the end; and
 * lines of 128 bytes or more, wider where columns are short. */
static void
plan_wide(dense *d, int64_t outer, int size, int vector, int64_t min_blocks)
{
    const int64_t line = at_most(LINE_NBYTES / (vector * size), 32); /* lanes of one */
    const int64_t vectors = cu_blocks_of(d->head.width, vector),
                  threads = min_blocks * DENSE_BLOCK;
    const int64_t most = power_of_two_from(cu_blocks_of(d->head.n, IN_FLIGHT));
    const int64_t ways = power_of_two_from(cu_blocks_of(threads, outer * vectors));
    d->head.ways = at_most(at_most(ways, most), DENSE_BLOCK / line);
    d->head.lanes = at_most(power_of_two_from(vectors), DENSE_BLOCK / d->head.ways);
    if (d->head.lanes > 32)
        d->head.lanes =
            d->head.lanes * d->head.ways > 256 ? 256 / d->head.ways : d->head.lanes;
    if (d->head.lanes < line) d->head.lanes = at_most(power_of_two_from(vectors), line);
    d->head.wide = d->head.width;
    d->head.tiles = cu_blocks_of(vectors, d->head.lanes);
    d->head.fold = d->head.lanes * vector;
}

static void
plan_few(dense *d, const cu_axes *kept, int vector, const cu_operand *out)
{
    const int64_t vectors = cu_blocks_of(d->head.width, vector);
    d->threads = CUPRIC_BLOCK;
    d->head.wide = d->head.width;
    d->head.tiles = cu_blocks_of(vectors, CUPRIC_BLOCK * CUPRIC_REDUCE_FEW_VECTORS);
    d->blocks = kept->size / d->head.width * d->head.tiles;
    d->head.part = d->head.n;
    d->head.fold = stores_vectors(kept, vector, out);
    d->head.aligned =
        is_aligned(kept, d->in) && (d->head.n == 1 || d->head.step % 16 == 0);
}

static void
plan_columns(dense *d, const cu_axes *kept, int size, int vector, int64_t min_blocks)
{
    const int64_t outer = kept->size / d->head.width;
    if (!plan_contiguous(d, size, vector))
        plan_wide(d, outer, size, vector, min_blocks);
    d->head.aligned =
        is_aligned(kept, d->in) && (d->head.n == 1 || d->head.step % 16 == 0);
    d->threads = (int)cu_blocks_of(d->head.lanes * d->head.ways, 32) * 32;
    d->blocks = outer * d->head.tiles;
    const int64_t unit = d->head.ways * IN_FLIGHT;
    const int64_t parts = parts_of(d, cu_blocks_of(d->head.n, unit), min_blocks);
    d->head.part = d->head.n;
    if (parts == 1) return;
    d->head.part = cu_blocks_of(cu_blocks_of(d->head.n, parts), unit) * unit;
    d->head.parts = cu_blocks_of(d->head.n, d->head.part);
}

/* Blocks side by side on the device, of an operation worth sharing. */
static int64_t
min_blocks_of(const cu_stream *s)
{
    return CUPRIC_REDUCE_MIN_BLOCKS *
           (int64_t)cu_cuda_device_at(cu_cuda_ordinal(s))->multiprocessors;
}

static cu_status
reduce_dense(const cu_reduce *args, cu_attempt *attempt, const cu_kernel_key *key,
             const cu_axes *kept, const cu_axes *reduced, const char *in, cu_stream *s)
{
    const int size = cu_itemsize(args->it->op[0].dtype);
    const cu_kernels *kernels;
    cu_workspace w = {0};
    dense d = {
        .in = in,
        .head =
            {
                .initial = cu_slot_of_scalar(&args->initial),
                .count = (double)args->count,
                .param = args->param,
                .has_initial = args->has_initial,
                .n = reduced->size,
                .lanes = 1,
                .ways = 1,
                .parts = 1,
            },
    };
    cu_params p;
    cu_status st = cu_kernels_try(attempt, key, s, &kernels);

    if (st || !kernels) return st;
    if (key->layout >= CUPRIC_REDUCE_DENSE_COLUMNS) {
        d.head.width = kept->shape[kept->ndim - 1];
        d.head.step = reduced->ndim ? reduced->stride[0][0] : 0;
    }
    switch (key->layout) {
    case CUPRIC_REDUCE_DENSE_ROWS: plan_rows(&d, kept, size, min_blocks_of(s)); break;
    case CUPRIC_REDUCE_DENSE_NARROW:
        plan_narrow(&d, kept, size, &args->it->op[1]);
        break;
    case CUPRIC_REDUCE_DENSE_COLUMNS:
        plan_columns(&d, kept, size, kernels->vector, min_blocks_of(s));
        break;
    default: plan_few(&d, kept, kernels->vector, &args->it->op[1]); break;
    }
    if (d.head.parts > 1) {
        st = cu_workspace_get(
            (size_t)(d.head.parts * kept->size) * CUPRIC_PARTIAL_NBYTES, 0, &w, s);
        if (st) return st;
    }
    d.head.op[0] = cu_slot_at(d.in);
    d.head.op[1] = cu_slot_of(&args->it->op[1]);
    d.head.scratch = w.memory;
    d.head.arrived = w.counters;
    cu_params_start(&p, &d.head, sizeof d.head);
    put_space(&p, kept, 2);
    const cu_shape shape = {
        .blocks = d.blocks, .parts = d.head.parts, .threads = d.threads};
    st = cu_kernels_launch_shaped(kernels, 0, &shape, &p, s);
    cu_workspace_put(&w, s);
    return st;
}

/* ---- the choice ------------------------------------------------------------------------ */

/* Which way, of the ways for neighbours in memory. Rows that are short and far apart are
 * better read by the threads of a warp, each its own way. */
static int
dense_layout(const cu_axes *kept, const cu_axes *reduced, bool columns, int size)
{
    if (reduced->ndim > 1) return -1;
    const int last = kept->ndim - 1;
    if (columns) {
        const int64_t width = kept->shape[last];
        if (kept->stride[0][last] != size) return -1;
        if (kept->size != width && width * reduced->size < 2048) return -1;
        return reduced->size <= FEW_ROWS && width >= CUPRIC_BLOCK * (16 / size)
                   ? CUPRIC_REDUCE_DENSE_FEW
                   : CUPRIC_REDUCE_DENSE_COLUMNS;
    }
    if (reduced->ndim == 1 && reduced->stride[0][0] != size) return -1;
    const int64_t nbytes = reduced->size * size;
    const bool follow = last == 0 && kept->size > 1 && kept->stride[0][0] == nbytes;
    return follow && nbytes < NARROW_NBYTES ? CUPRIC_REDUCE_DENSE_NARROW
                                            : CUPRIC_REDUCE_DENSE_ROWS;
}

cu_status
cu_reduce_run(const cu_reduce *args, bool by_rows, cu_attempt *attempt, cu_stream *s)
{
    const cu_iter *it = args->it;
    const bool position = cu_cuda_is_position(args->op);
    const int size = cu_itemsize(it->op[0].dtype);
    char *base[CUPRIC_AXES_OPERANDS] = {it->op[0].ptr}; /* the output's stays */
    const char *in = base[0];
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_REDUCE);
    int which[CUPRIC_AXES_OPERANDS];
    cu_axes kept, reduced;
    bool alone = false;

    if (position && it->masked) {
        return cu_fail(CUPRIC_ERR_VALUE, "the position of an element takes no mask");
    }
    if (it->nops > CUPRIC_AXES_OPERANDS || cu_cuda_row_get(args->op) == NULL) {
        return cu_fail(CUPRIC_ERR_TYPE, "operation %d is not a reduction", args->op);
    }
    for (int k = 0; k < CUPRIC_AXES_OPERANDS; k++) which[k] = k < it->nops ? k : -1;
    cu_axes_take(&kept, it, 0, args->nkeep, which);
    cu_axes_take(&reduced, it, args->nkeep, it->ndim, which);
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    for (int k = 0; k <= args->nin; k++) key.type[k] = cu_key_type(&it->op[k]);
    if (it->index64) key.flags |= CUPRIC_KEY_WIDE;
    if (it->masked) key.flags |= CUPRIC_KEY_MASKED;
    key.rank[0] = (uint8_t)cu_cuda_rank(kept.ndim);
    if (cu_cuda_is_serial(args->op)) {
        key.layout = CUPRIC_REDUCE_SERIAL;
    } else {
        const bool simple =
            args->nin == 1 && !it->masked && in && !cu_cuda_skips(args->op);
        if (!position && simple) cu_axes_forward(&reduced, base);
        if (!position) cu_axes_sort(&reduced);
        in = base[0];
        const bool columns = !by_rows && columns_are_faster(&kept, &reduced, size);
        const int layout = !simple   ? -1
                           : by_rows ? CUPRIC_REDUCE_DENSE_ROWS
                                     : dense_layout(&kept, &reduced, columns, size);
        if (layout >= 0) {
            key.layout = (uint8_t)layout;
            return reduce_dense(args, attempt, &key, &kept, &reduced, in, s);
        }
        alone = columns && reduced.size <= FEWER_ROWS && kept.size >= MANY_COLUMNS;
        key.layout = columns && !alone ? CUPRIC_REDUCE_COLUMNS : CUPRIC_REDUCE_ROWS;
    }
    key.rank[1] = (uint8_t)cu_cuda_rank(reduced.ndim);
    return reduce_any(args, attempt, &key, &kept, &reduced, in, alone, s);
}
