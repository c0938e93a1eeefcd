/* host/reduce.cpp: which way a reduction goes through memory.
 *
 *   rows     the reduced axis is the faster one: each result is made on its own, from
 *            leaves of LEAF elements that are paired up
 *   columns  a kept axis is the faster one: a tile of results side by side, from
 *            leaves of LEAF_ROWS rows
 *
 * Where results are few, the reduced elements are cut into blocks of a fixed size whose
 * results are combined at the end. Tiles, leaves and blocks depend on the shape alone,
 * so that the result does not depend on the number of threads.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "host/entries.h"
#include "host/reduce_plan.hpp"
#include "host/threads.h"

using namespace cupric_reduce;

namespace {

constexpr int64_t BLOCK = 1 << 16;        /* elements; a power of two times LEAF */
constexpr int64_t FEW_RESULTS = 32;       /* fewer are worth cutting into blocks */
constexpr int64_t TILE_BYTES = 1 << 14;   /* of accumulators; eight rows fit in L2 */
constexpr int64_t LOADED_TILE = 4 * LEAF; /* elements; short pieces of rows are slow */
constexpr int64_t SHORT_COLUMN = 8;       /* elements; tiles of all fit in L1 */
constexpr int64_t MIN_TILES = 16;
constexpr int64_t FOLDED_ROW = 24; /* elements; shorter ones are loaded together */

/* Elements of a block. */
inline int64_t
block_length()
{
    return cu_host_threshold(BLOCK, LEAF);
}

/* What the tasks of the thread pool work on. */
struct job {
    const plan *p;
    int64_t blocks, block_size; /* of the reduced elements, or rows */
    char *partial;       /* [block][result] or [result][block]; NULL: one block */
    int64_t *counts;     /* beside partial, when masked */
    bool *absorbed;      /* of each result: what is left changes nothing */
    int64_t *missing;    /* of columns, beside partial, where they are counted */
    int64_t tile, tiles; /* columns: width, and tiles per inner axis */
    bool failed;         /* out of memory */
};

/* ---- rows ------------------------------------------------------------------------ */

/* What stands for no elements at all, where emit may still put the start in front. */
const cu_scalar *
nothing_reduced(const plan *p)
{
    return !p->tree && p->has_start ? &p->start : &p->neutral;
}

/* One result; the elements that went into it. */
int64_t
reduce_one(const plan *p, scratch *s, char *const *base, char *acc)
{
    const int64_t count = p->tree ? reduce_tree(p, s, base, 0, p->reduced.size, acc)
                                  : reduce_run(p, s, base, 0, p->reduced.size, acc);
    if (count == 0) memcpy(acc, nothing_reduced(p), p->size);
    return count;
}

/* m results from rows of one run, straight from memory or through the buffer. */
void
reduce_rows(const plan *p, scratch *s, char *const *base, int64_t m, char *acc)
{
    const int64_t n = p->reduced.size, step = inner_stride(p->kept, IN0);
    if (p->direct && inner_stride(p->reduced, IN0) == p->size) {
        p->r->combine->rows(acc, base[IN0], m, step, n);
        return;
    }
    int64_t stride[N_OPERANDS];
    for (int op = 0; op < N_OPERANDS; op++) stride[op] = inner_stride(p->reduced, op);
    const bool one_run = rows_are_one_run(p);
    const bool folds = can_fold(p) && !(one_run && n < FOLDED_ROW);
    const int64_t rows = one_run && !folds ? m : 1;
    for (int64_t i = 0; i < m; i += rows) {
        char *ptr[N_OPERANDS];
        for (int op = 0; op < N_OPERANDS; op++) {
            ptr[op] = base[op] + i * inner_stride(p->kept, op);
        }
        if (folds)
            fold(p, acc + i * p->size, ptr, stride, n);
        else
            load(p, s, s->chunk + i * n * p->size, ptr, stride, rows * n);
    }
    if (!folds) p->r->combine->rows(acc, s->chunk, m, n * p->size, n);
}

void
rows_task(void *arg, int64_t begin, int64_t end)
{
    const plan *p = ((const job *)arg)->p;
    const bool dense = p->direct && inner_stride(p->reduced, IN0) == p->size;
    const int64_t n = p->reduced.size;
    const bool batched =
        p->tree && !p->masked && p->reduced.ndim <= 1 && (dense || n <= LEAF / 2);
    const int64_t most = !batched ? 1 : dense ? LEAF : LEAF / n;
    alignas(64) char acc[LEAF * MAX_ITEMSIZE];
    scratch s;
    walk w(&p->kept, begin);
    while (begin < end) {
        char *base[N_OPERANDS];
        int64_t m = w.run(), count = p->count;
        if (m > end - begin) m = end - begin;
        if (m > most) m = most;
        for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
        if (batched) {
            reduce_rows(p, &s, base, m, acc);
        } else {
            count = reduce_one(p, &s, base, acc);
        }
        emit(p, acc, m, base[OUT], inner_stride(p->kept, OUT), count);
        w.advance(m);
        begin += m;
    }
}

/* Blocks [begin, end), counted through all results. */
void
blocks_task(void *arg, int64_t begin, int64_t end)
{
    const job *j = (const job *)arg;
    const plan *p = j->p;
    scratch s;
    for (int64_t i = begin; i < end; i++) {
        char *base[N_OPERANDS];
        bool *const absorbed = &j->absorbed[i / j->blocks];
        const int64_t first = i % j->blocks * j->block_size;
        int64_t last = first + j->block_size;
        walk w(&p->kept, i / j->blocks);
        if (__atomic_load_n(absorbed, __ATOMIC_RELAXED)) {
            j->counts[i] = 0;
            continue;
        }
        if (last > p->reduced.size) last = p->reduced.size;
        for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
        char *acc = j->partial + i * p->size;
        j->counts[i] = reduce_tree(p, &s, base, first, last, acc);
        if (j->counts[i] && is_absorbed(p, acc))
            __atomic_store_n(absorbed, true, __ATOMIC_RELAXED);
    }
}

/* Combine the blocks of each result. */
void
blocks_join(const job *j)
{
    const plan *p = j->p;
    walk w(&p->kept, 0);
    for (int64_t k = 0; k < p->kept.size; k++, w.advance(1)) {
        char *part = j->partial + k * j->blocks * p->size;
        const int64_t *counts = j->counts + k * j->blocks;
        int64_t n = 0, count = 0;
        for (int64_t b = 0; b < j->blocks; b++) {
            if (counts[b] == 0) continue; /* wholly masked, or passed over */
            if (n != b) memcpy(part + n * p->size, part + b * p->size, p->size);
            n++;
            count += counts[b];
        }
        cu_scalar acc = *nothing_reduced(p);
        if (n) p->r->combine->rows(&acc, part, 1, 0, n);
        emit(p, (char *)&acc, 1, p->base[OUT] + w.offset[OUT], 0,
             p->masked ? count : p->count);
    }
}

cu_status
reduce_blocks(job *j)
{
    const plan *p = j->p;
    j->block_size = block_length();
    j->blocks = (p->reduced.size + block_length() - 1) / block_length();
    const int64_t n = p->kept.size * j->blocks;
    j->partial = (char *)malloc(n * (p->size + sizeof *j->counts) + p->kept.size);
    if (!j->partial) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a reduction");
    j->counts = (int64_t *)j->partial; /* first, for their alignment */
    char *const memory = j->partial;
    j->partial += n * sizeof *j->counts;
    j->absorbed = (bool *)j->partial + n * p->size;
    memset(j->absorbed, 0, p->kept.size);
    cu_host_parallel(n, 1, blocks_task, j);
    blocks_join(j);
    free(memory);
    return CUPRIC_OK;
}

cu_status
reduce_by_rows(job *j)
{
    const plan *p = j->p;
    if (p->tree && p->kept.size < FEW_RESULTS && p->reduced.size > block_length()) {
        return reduce_blocks(j);
    }
    cu_host_parallel(p->kept.size, PARALLEL_ELEMENTS / p->reduced.size + 1, rows_task,
                     j);
    return CUPRIC_OK;
}

/* ---- columns --------------------------------------------------------------------- */

/* Whether the results of one leaf are what is stored, where they stand. */
bool
makes_in_place(const job *j, int64_t rows)
{
    const plan *p = j->p;
    return p->tree && rows <= LEAF_ROWS && !j->partial && !p->r->finish &&
           !p->counts_columns && p->r->acc == p->stored[OUT] &&
           p->r->acc != CUPRIC_BOOL && inner_stride(p->kept, OUT) == p->size;
}

/* Tile t of the outer kept positions, in block `block`. */
void
column_tile(const job *j, column_buffers *b, int64_t t, int64_t block)
{
    const plan *p = j->p;
    const int64_t inner = inner_length(p->kept);
    const int64_t column = t % j->tiles * j->tile, outer = t / j->tiles;
    const int64_t width = inner - column < j->tile ? inner - column : j->tile;
    const int64_t first = block * j->block_size;
    int64_t last = first + j->block_size;
    char *base[N_OPERANDS], *acc;
    walk w(&p->kept, outer * inner + column);

    if (last > p->reduced.size) last = p->reduced.size;
    for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
    char *const stack = b->stack;
    const bool in_place = makes_in_place(j, last - first);
    if (in_place) b->stack = base[OUT];
    acc = p->tree ? tile_tree(p, b, base, width, first, last)
                  : tile_run(p, b, base, width, first, last);
    b->stack = stack;
    if (j->partial) {
        const int64_t at = block * p->kept.size + outer * inner + column;
        memcpy(j->partial + at * p->size, acc, width * p->size);
        if (b->missing) memcpy(j->missing + at, b->missing, width * sizeof *b->missing);
    } else {
        const int64_t step = inner_stride(p->kept, OUT), most = in_place ? width : LEAF;
        for (int64_t i = 0; i < width; i += most) {
            const int64_t n = width - i < most ? width - i : most;
            emit_lacking(p, acc + i * p->size, n, base[OUT] + i * step, step,
                         b->missing ? b->missing + i : nullptr);
        }
    }
}

void
columns_task(void *arg, int64_t begin, int64_t end)
{
    job *j = (job *)arg;
    column_buffers *b = column_buffers_new(j->p, j->tile, j->block_size);
    if (!b) {
        __atomic_store_n(&j->failed, true, __ATOMIC_RELAXED);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        column_tile(j, b, i / j->blocks, i % j->blocks);
    }
    free(b);
}

/* What n results from `begin` on lack in all blocks, in the first one's memory. */
const int64_t *
all_missing(const job *j, int64_t begin, int64_t n)
{
    if (!j->missing) return nullptr;
    int64_t *const sum = j->missing + begin;
    for (int64_t b = 1; b < j->blocks; b++) {
        const int64_t *const part = sum + b * j->p->kept.size;
        for (int64_t i = 0; i < n; i++) sum[i] += part[i];
    }
    return sum;
}

/* Combine the blocks, kept element by kept element. */
void
columns_join_task(void *arg, int64_t begin, int64_t end)
{
    const job *j = (const job *)arg;
    const plan *p = j->p;
    alignas(64) char acc[LEAF * MAX_ITEMSIZE];
    walk w(&p->kept, begin);
    while (begin < end) {
        int64_t n = w.run() < end - begin ? w.run() : end - begin;
        if (n > LEAF) n = LEAF;
        p->r->combine->cols(acc, j->partial + begin * p->size, j->blocks,
                            p->kept.size * p->size, n, true);
        emit_lacking(p, acc, n, p->base[OUT] + w.offset[OUT],
                     inner_stride(p->kept, OUT), all_missing(j, begin, n));
        w.advance(n);
        begin += n;
    }
}

cu_status
reduce_by_columns(job *j)
{
    const plan *p = j->p;
    const bool dense = p->direct && inner_stride(p->kept, IN0) == p->size;
    const int64_t inner = inner_length(p->kept);
    char *memory = nullptr; /* owned */

    j->tile = p->reduced.size < SHORT_COLUMN ? LEAF : LOADED_TILE;
    if (dense) j->tile = cu_host_threshold(TILE_BYTES, 512) / p->size;
    if (j->tile > inner) j->tile = inner;
    j->tiles = (inner + j->tile - 1) / j->tile;
    const int64_t tiles = p->kept.size / inner * j->tiles;
    j->blocks = 1;
    j->block_size = p->reduced.size;
    if (p->tree && tiles < MIN_TILES) {
        const int64_t rows =
            (2 * block_length() / j->tile + LEAF_ROWS) / LEAF_ROWS * LEAF_ROWS;
        j->block_size = rows < p->reduced.size ? rows : p->reduced.size;
        j->blocks = (p->reduced.size + j->block_size - 1) / j->block_size;
    }
    if (j->blocks > 1) {
        const int64_t n = j->blocks * p->kept.size;
        const int64_t counts =
            p->counts_columns ? (n * (int64_t)sizeof *j->missing + 63) & -64 : 0;
        memory = (char *)malloc(counts + n * p->size);
        j->failed = !memory;
        if (counts) j->missing = (int64_t *)memory; /* first, for their alignment */
        j->partial = j->failed ? nullptr : memory + counts;
    }
    if (!j->failed) {
        const int64_t work = j->tile * j->block_size;
        cu_host_parallel(tiles * j->blocks, PARALLEL_ELEMENTS / work + 1, columns_task,
                         j);
    }
    if (!j->failed && j->partial) {
        cu_host_parallel(p->kept.size, PARALLEL_ELEMENTS / j->blocks + 1,
                         columns_join_task, j);
    }
    free(memory);
    return j->failed ? cu_fail(CUPRIC_ERR_MEMORY, "no memory for a reduction")
                     : CUPRIC_OK;
}

/* ---- the choice ------------------------------------------------------------------ */

/* The input that has elements of its own for the results: the second one beside, say,
 * weights that all of them share. */
int
input_of_results(const plan *p)
{
    for (int d = 0; d < p->kept.ndim; d++) {
        if (p->kept.stride[IN0][d] && p->kept.shape[d] > 1) return IN0;
    }
    return p->r->map && p->nin > 1 ? IN1 : IN0;
}

/* Put the kept dimension along which the input is densest last. True when it is denser
 * than the reduced ones. */
bool
columns_are_faster(plan *p)
{
    const int in = input_of_results(p);
    int64_t least = INT64_MAX;
    int best = -1;
    for (int d = 0; d < p->kept.ndim; d++) {
        const int64_t step = llabs(p->kept.stride[in][d]);
        if (step && step <= least && p->kept.shape[d] > 1) {
            least = step;
            best = d;
        }
    }
    if (best < 0) return false;
    if (p->masked && !p->tree) return false;
    /* Loading a few elements costs as much as loading many. */
    const bool dense = p->direct && least == p->size;
    if (!dense && p->kept.shape[best] < 16 && p->reduced.size > 1) return false;
    for (int d = 0; d < p->reduced.ndim; d++) {
        const int64_t step = llabs(p->reduced.stride[in][d]);
        if (p->reduced.shape[d] > 1 && step && step <= least) return false;
    }
    cu_axes_to_last(&p->kept, best);
    p->replaces_masked = p->masked;
    p->counts_columns = p->masked && p->r->finish;
    return true;
}

/* Everything at once from a short dense vector: no plan is needed. */
bool
reduce_small(const cu_reducer *r, const cu_reduce *args)
{
    const cu_iter *it = args->it;
    const cu_operand *x = &it->op[0], *out = &it->op[1];
    if (it->ndim != 1 || args->nkeep != 0 || args->nin != 1 || it->masked ||
        args->has_initial || it->size > block_length() || !x->ptr || r->map ||
        r->finish || r->skips_nans || r->arg || x->dtype != r->acc ||
        out->dtype != r->acc || !r->combine->rows ||
        (it->size > 1 && x->strides[0] != cu_itemsize(r->acc))) {
        return false;
    }
    cu_scalar acc, start = r->identity;
    r->combine->rows(&acc, x->ptr, 1, 0, it->size);
    if (r->starts_at_identity) {
        r->combine->zip(&start, &acc, 1);
        acc = start;
    }
    if (r->acc == CUPRIC_BOOL) acc.b = acc.bytes[0] != 0;
    memcpy(out->ptr, &acc, cu_itemsize(r->acc));
    return true;
}

/* ---- moments and extremes -------------------------------------------------------- */

/* The signature of a row whose result is `t`. */
int
signature_of(int row, cu_dtype t)
{
    int sig = 0;
    while (cu_reducer_get(row, sig)->result != t) sig++;
    return sig;
}

/* Copy an iteration without the operands that it does not have, which are long. */
void
copy_iter(cu_iter *to, const cu_iter *from)
{
    memcpy(to, from, offsetof(cu_iter, op) + (size_t)from->nops * sizeof *from->op);
}

/* Operand 1: dense memory for what is kept. */
void
put_dense(cu_iter *it, int nkeep, char *memory, cu_dtype t)
{
    int64_t step = cu_itemsize(t);
    it->op[1].ptr = memory;
    it->op[1].dtype = t;
    for (int d = it->ndim - 1; d >= 0; d--) {
        it->op[1].strides[d] = d < nkeep ? step : 0;
        if (d < nkeep) step *= it->shape[d];
    }
}

/* Two passes: the mean of each result, then the deviations from it. */
cu_status
reduce_moments(const cu_reducer *r, const cu_reduce *args)
{
    const cu_dtype t = cu_reducer_get(r->about_mean, args->sig)->in[1];
    cu_iter it; /* in, mean, what follows */
    cu_reduce call = *args;
    int64_t results = 1;

    copy_iter(&it, args->it);
    for (int d = 0; d < args->nkeep; d++) results *= it.shape[d];
    char *const mean = (char *)malloc(results * cu_itemsize(t));
    if (!mean) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a reduction");
    put_dense(&it, args->nkeep, mean, t);
    call.it = &it;
    call.op = r->mean;
    call.sig = signature_of(r->mean, t);
    cu_status st = cu_host_reduce(&call, NULL);
    for (int k = 1; k < args->it->nops; k++) it.op[k + 1] = args->it->op[k];
    it.nops++;
    call.op = r->about_mean;
    call.sig = args->sig;
    call.nin = 2;
    if (!st) st = cu_host_reduce(&call, NULL);
    free(mean);
    return st;
}

/* Store results that lie dense, of dtype t, as the output is laid out. */
void
store_dense(const cu_reduce *args, const char *from, cu_dtype t)
{
    const cu_iter *it = args->it;
    const cu_operand *out = &it->op[args->nin];
    const int last = args->nkeep - 1;
    const int64_t size = cu_itemsize(t), n = last < 0 ? 1 : it->shape[last];
    cu_loop *const store = cast_loop(t, out->dtype);
    int64_t at[CUPRIC_MAXDIMS] = {0};
    int d = 0;

    for (char *to = out->ptr; d >= 0; from += n * size) {
        cast(store, to, last < 0 ? 0 : out->strides[last], from, size, n);
        for (d = last - 1; d >= 0; d--) {
            to += out->strides[d];
            if (++at[d] < it->shape[d]) break;
            to -= out->strides[d] * it->shape[d];
            at[d] = 0;
        }
    }
}

/* Two passes, and then what both give. */
cu_status
reduce_extremes(const cu_reducer *r, const cu_reduce *args)
{
    const cu_dtype t = r->result;
    cu_iter it;
    cu_reduce call = *args;
    int64_t results = 1;

    copy_iter(&it, args->it);
    for (int d = 0; d < args->nkeep; d++) results *= it.shape[d];
    const int64_t nbytes = results * cu_itemsize(t);
    char *const low = (char *)malloc(2 * nbytes), *const high = low + nbytes;
    if (!low) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a reduction");
    call.it = &it;
    put_dense(&it, args->nkeep, low, t);
    call.op = r->least;
    call.sig = signature_of(r->least, t);
    cu_status st = cu_host_reduce(&call, NULL);
    put_dense(&it, args->nkeep, high, t);
    call.op = r->greatest;
    call.sig = signature_of(r->greatest, t);
    if (!st) st = cu_host_reduce(&call, NULL);
    if (!st) {
        r->join_extremes(high, low, results);
        store_dense(args, high, t);
    }
    free(low);
    return st;
}

} /* namespace */

cu_status
cu_host_reduce(const cu_reduce *args, cu_stream *s)
{
    const cu_reducer *r = cu_reducer_get(args->op, args->sig);
    (void)s;
    if (!r) return CUPRIC_ERR_TYPE;
    if (r->about_mean) return reduce_moments(r, args);
    if (r->join_extremes) return reduce_extremes(r, args);
    if (r->arg ? reduce_short_position(r, args) : reduce_small(r, args)) {
        return CUPRIC_OK;
    }

    plan p;
    plan_make(&p, r, args, r->arg != nullptr);
    const bool columns = columns_are_faster(&p);
    if (r->arg) return reduce_positions(&p, columns);
    job j = {};
    j.p = &p;
    return columns ? reduce_by_columns(&j) : reduce_by_rows(&j);
}
