/* host/scan.cpp: running reductions, and reductions of slices.
 *
 * A scan goes along its axis in pieces that fit the cache, or, where another axis is
 * the faster one, down a tile of columns at once. A long vector is cut into blocks of a
 * fixed size: their totals are found first, then each block is scanned from the total
 * of those before it. So the result does not depend on the number of threads.
 *
 * Operations that take many instructions, each of which waits for the one before, gain
 * from vectors more than they lose by strides: of these, lines are scanned side by side,
 * rows or the blocks of a row.
 */
#include <stdlib.h>

#include "host/entries.h"
#include "host/loops.h"
#include "host/reduce_plan.hpp"
#include "host/smaller.hpp"
#include "host/threads.h"

using namespace cupric_reduce;

namespace {

constexpr int64_t BLOCK = 1 << 15;  /* elements */
constexpr int MAX_BLOCKS = 128;     /* of a group */
constexpr int64_t FEW_ROWS = 32;    /* fewer are worth cutting into blocks */
constexpr int64_t SLICES = 64;      /* results that are stored together */
constexpr int64_t NARROW = 16;      /* columns that are not worth a tile */
constexpr int64_t SHORT_BYTES = 96; /* of a row that costs more than its elements do */
constexpr int64_t ACROSS_BYTES = 1 << 13; /* of short rows: the cache has them twice */
constexpr int64_t SLOW_LINES = 64; /* side by side: a line of the cache for each */
constexpr int64_t SLOW_LENGTH = 1 << 12; /* of a row that is cut into so many */

/* Elements of a block. */
inline int64_t
block_length()
{
    return cu_host_threshold(BLOCK, 64);
}

/* What the tasks of the thread pool work on: a plan whose one reduced axis is that of
 * the scan, and whose kept axes are the others. */
struct job {
    const plan *p;
    const cu_reduceat *at;
    int64_t tile; /* lines that are scanned at once */
    bool failed;  /* out of memory */
};

void
base_at(const plan *p, const walk *w, char **base)
{
    for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w->offset[op];
}

/* ---- along the axis -------------------------------------------------------------- */

/* Scan elements [begin, end) of the row at base, after what acc holds unless
 * `fresh`. */
void
scan_row(const plan *p, scratch *s, char *const *base, int64_t begin, int64_t end,
         char *acc, bool fresh)
{
    const int64_t in = inner_stride(p->reduced, IN0),
                  out = inner_stride(p->reduced, OUT);
    const bool dense_out = p->stored[OUT] == p->r->acc && out == p->size;
    const int64_t most = p->direct && in == p->size && dense_out ? end - begin : LEAF;
    for (int64_t i = begin; i < end; i += most) {
        const int64_t n = end - i < most ? end - i : most;
        char *const to = base[OUT] + i * out;
        char *const y = dense_out ? to : s->input[0];
        const char *x = base[IN0] + i * in;
        if (!p->direct || in != p->size) {
            cast(p->load[0], s->chunk, p->size, x, in, n);
            x = s->chunk;
        }
        if (fresh) {
            memcpy(acc, x, p->size);
            memcpy(y, acc, p->size);
        }
        p->r->combine->run(acc, x + fresh * p->size, n - fresh, y + fresh * p->size);
        fresh = false;
        if (!dense_out) store_results(p, y, n, to, out);
    }
}

void
rows_task(void *arg, int64_t begin, int64_t end)
{
    const plan *p = ((const job *)arg)->p;
    scratch s;
    walk w(&p->kept, begin);
    for (; begin < end; begin++, w.advance(1)) {
        char *base[N_OPERANDS];
        alignas(16) char acc[MAX_ITEMSIZE];
        base_at(p, &w, base);
        scan_row(p, &s, base, 0, p->reduced.size, acc, true);
    }
}

/* ---- side by side ---------------------------------------------------------------- */

/* Where lines are scanned side by side: bytes from line to line, and along them. */
struct lines {
    int64_t next[2], along[2]; /* in, out */
    int64_t length;
};

/* `width` <= LEAF lines at base, after what acc holds, but for the first `fresh`. */
void
scan_lines(const plan *p, scratch *s, char *const *base, const lines &l, int64_t width,
           char *acc, int64_t fresh)
{
    for (int64_t i = 0; i < l.length; i++, fresh = 0) {
        const char *x = base[IN0] + i * l.along[0];
        if (!p->direct || l.next[0] != p->size) {
            cast(p->load[0], s->chunk, p->size, x, l.next[0], width);
            x = s->chunk;
        }
        memcpy(acc, x, fresh * p->size);
        if (fresh < width) {
            p->r->combine->zip(acc + fresh * p->size, x + fresh * p->size,
                               width - fresh);
        }
        store_results(p, acc, width, base[OUT] + i * l.along[1], l.next[1]);
    }
}

/* ---- in blocks ------------------------------------------------------------------- */

/* A run of blocks of one row, few enough that what the totals read is still in the
 * cache when it is scanned. */
struct group {
    const plan *p;
    int64_t block; /* elements */
    bool slow;
    char *base[N_OPERANDS];
    int64_t first, blocks; /* of the row's */
    /* acc[i] is what block i of the group starts from; before that, acc[i + 1] its
     * total */
    alignas(16) char acc[(MAX_BLOCKS + 1) * MAX_ITEMSIZE];
};

int64_t
block_end(const group *g, int64_t block)
{
    return smaller((block + 1) * g->block, g->p->reduced.size);
}

void
totals_task(void *arg, int64_t begin, int64_t end)
{
    group *g = (group *)arg;
    scratch s;
    for (int64_t i = begin; i < end; i++) {
        const int64_t block = g->first + i;
        reduce_tree(g->p, &s, g->base, block * g->block, block_end(g, block),
                    g->acc + (i + 1) * g->p->size);
    }
}

/* Blocks [begin, end) side by side, all of the same length. */
void
scan_blocks_across(const group *g, scratch *s, int64_t begin, int64_t end)
{
    const plan *p = g->p;
    const int64_t in = inner_stride(p->reduced, IN0),
                  out = inner_stride(p->reduced, OUT);
    const lines l = {{g->block * in, g->block * out}, {in, out}, g->block};
    const int64_t block = g->first + begin;
    char *base[N_OPERANDS] = {};

    base[IN0] = g->base[IN0] + block * g->block * in;
    base[OUT] = g->base[OUT] + block * g->block * out;
    memcpy(s->input[0], g->acc + begin * p->size, (end - begin) * p->size);
    scan_lines(p, s, base, l, end - begin, s->input[0], block == 0);
}

void
blocks_task(void *arg, int64_t begin, int64_t end)
{
    group *g = (group *)arg;
    scratch s;
    if (g->slow && block_end(g, g->first + end - 1) == (g->first + end) * g->block) {
        scan_blocks_across(g, &s, begin, end);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        const int64_t block = g->first + i;
        alignas(16) char acc[MAX_ITEMSIZE];
        memcpy(acc, g->acc + i * g->p->size, g->p->size);
        scan_row(g->p, &s, g->base, block * g->block, block_end(g, block), acc,
                 block == 0);
    }
}

/* Whether what blocks give differs from a scan without them. */
bool
rounds(const plan *p)
{
    return p->r->acc >= CUPRIC_FLOAT16;
}

/* Whether a row is scanned in blocks. */
bool
suits_blocks(const plan *p, bool slow)
{
    if (!p->tree || p->kept.size >= FEW_ROWS) return false;
    if (slow) return p->reduced.size >= cu_host_threshold(SLOW_LENGTH, 2 * SLOW_LINES);
    return p->reduced.size > 2 * block_length() && (cu_host_threads() > 1 || rounds(p));
}

/* The row at g->base. */
void
scan_in_blocks(group *g)
{
    const plan *p = g->p;
    g->block = g->slow ? p->reduced.size / SLOW_LINES : block_length();
    const int64_t blocks = (p->reduced.size + g->block - 1) / g->block;
    const int64_t most =
        g->slow ? SLOW_LINES : smaller(8 * (int64_t)cu_host_threads(), MAX_BLOCKS);
    for (g->first = 0; g->first < blocks; g->first += g->blocks) {
        g->blocks = smaller(blocks - g->first, most);
        char *const total = g->acc + p->size;
        alignas(16) char last[MAX_ITEMSIZE];
        cu_host_parallel(g->blocks, 1, totals_task, g);
        if (g->first == 0) {
            memcpy(last, total, p->size);
            p->r->combine->run(last, total + p->size, g->blocks - 1, total + p->size);
        } else {
            memcpy(last, g->acc, p->size);
            p->r->combine->run(last, total, g->blocks, total);
        }
        cu_host_parallel(g->blocks, g->slow ? NARROW : 1, blocks_task, g);
        memcpy(g->acc, last, p->size);
    }
}

/* ---- down columns ---------------------------------------------------------------- */

void
columns_task(void *arg, int64_t begin, int64_t end)
{
    const job *j = (const job *)arg;
    const plan *p = j->p;
    const lines l = {{inner_stride(p->kept, IN0), inner_stride(p->kept, OUT)},
                     {inner_stride(p->reduced, IN0), inner_stride(p->reduced, OUT)},
                     p->reduced.size};
    scratch s;
    walk w(&p->kept, begin);
    while (begin < end) {
        char *base[N_OPERANDS];
        int64_t n = w.run() < end - begin ? w.run() : end - begin;
        if (n > j->tile) n = j->tile;
        base_at(p, &w, base);
        scan_lines(p, &s, base, l, n, s.input[0], n);
        w.advance(n);
        begin += n;
    }
}

/* Whether a kept axis is the faster one and wide; it becomes the last. */
bool
columns_are_faster(plan *p)
{
    const int64_t along = llabs(inner_stride(p->reduced, IN0));
    int64_t least = along ? along : INT64_MAX;
    int best = -1;
    for (int d = 0; d < p->kept.ndim; d++) {
        const int64_t step = llabs(p->kept.stride[IN0][d]);
        if (step == 0 || step >= least || p->kept.shape[d] < NARROW) continue;
        least = step;
        best = d;
    }
    if (best < 0) return false;
    cu_axes_to_last(&p->kept, best);
    return true;
}

/* Whether rows are so short that they are scanned across, element by element of all; the
 * longest kept axis becomes the last. */
bool
rows_are_short(plan *p)
{
    return p->reduced.size * p->size <= SHORT_BYTES && longest_kept_to_last(p, NARROW);
}

/* The axis a plan is made along: the last of the iteration, or for reduceat another
 * one. */
const cu_reducer *
plan_along(plan *p, int op, int sig, const cu_iter *it, int nkeep)
{
    const cu_reducer *r = cu_reducer_get(op, sig);
    cu_reduce args = {};
    if (!r) return nullptr;
    args.op = op;
    args.sig = sig;
    args.nin = 1;
    args.nkeep = nkeep;
    args.it = it;
    plan_make(p, r, &args, true);
    p->has_start = false;
    return r;
}

/* ---- slices ---------------------------------------------------------------------- */

struct slice {
    int64_t begin, end;
};

/* A start that is not below its successor takes one element. */
slice
slice_of(const cu_reduceat *at, int64_t j)
{
    const int64_t begin = at->starts[j];
    const int64_t end = j + 1 < at->nstarts ? at->starts[j + 1] : at->length;
    return {begin, end > begin ? end : begin + 1};
}

/* Elements [begin, end) of a row as accumulators side by side, from x on. */
struct stretch {
    int64_t begin, end;
    const char *x;
};

/* Slice k and those after it that begin where the one before them ends, as many as fit in
 * the buffer: loaded slice by slice, short ones would take longer to be copied than to be
 * combined. */
stretch
load_slices(const plan *p, scratch *s, char *const *base, const cu_reduceat *at,
            int64_t k)
{
    const int64_t begin = at->starts[k], step = inner_stride(p->reduced, IN0);
    int64_t end = begin;

    for (; k < at->nstarts; k++) {
        const slice part = slice_of(at, k);
        if (part.begin != end || part.end - begin > LEAF) break;
        end = part.end;
    }
    cast(p->load[0], s->chunk, p->size, base[IN0] + begin * step, step, end - begin);
    return {begin, end, s->chunk};
}

/* How many slices from k on, at most `most`, are as long as `part`, which is slice k, and
 * lie one after the other up to `end`. */
int64_t
count_alike(const cu_reduceat *at, int64_t k, int64_t most, slice part, int64_t end)
{
    const int64_t n = part.end - part.begin;
    int64_t count = 1;

    for (; count < most && part.end + n <= end; count++) {
        const slice next = slice_of(at, k + count);
        if (next.begin != part.end || next.end != part.end + n) break;
        part = next;
    }
    return count;
}

/* acc[r] = the n elements of row r of a matrix without gaps, with the result of a tree of
 * that leaf alone. */
void
reduce_leaves(const plan *p, const char *x, int64_t rows, int64_t n, char *acc)
{
    const int64_t step = n * p->size;

    if (n == 1 && rows > 8) { /* fewer are not worth the call */
        memcpy(acc, x, rows * p->size);
    } else if (p->tree) {
        p->r->combine->rows(acc, x, rows, step, n);
    } else {
        for (; rows > 0; rows--, x += step, acc += p->size) {
            memcpy(acc, x, p->size);
            p->r->combine->run(acc, x + p->size, n - 1, nullptr);
        }
    }
}

/* Results [begin, end), counted slice by slice within each row. */
void
slices_task(void *arg, int64_t begin, int64_t end)
{
    const job *j = (const job *)arg;
    const plan *p = j->p;
    const int64_t nstarts = j->at->nstarts, step = j->at->out_stride;
    const bool dense = p->direct && inner_stride(p->reduced, IN0) == p->size;
    alignas(64) char found[SLICES * MAX_ITEMSIZE];
    scratch s;
    walk w(&p->kept, begin / nstarts);
    int64_t k = begin % nstarts;
    for (int64_t i = begin; i < end; k = 0, w.advance(1)) {
        char *base[N_OPERANDS];
        base_at(p, &w, base);
        stretch have = {0, dense ? j->at->length : 0, base[IN0]};
        while (k < nstarts && i < end) {
            const int64_t rest = end - i < nstarts - k ? end - i : nstarts - k;
            const int64_t n = rest < SLICES ? rest : SLICES;
            for (int64_t m = 0, done; m < n; m += done) {
                const slice part = slice_of(j->at, k + m);
                char *const acc = found + m * p->size;
                done = 1;
                if (part.end - part.begin > LEAF) {
                    (p->tree ? reduce_tree : reduce_run)(p, &s, base, part.begin,
                                                         part.end, acc);
                    if (!dense) have.end = 0; /* the buffer was used */
                    continue;
                }
                if (part.begin < have.begin || part.end > have.end) {
                    have = load_slices(p, &s, base, j->at, k + m);
                }
                done = count_alike(j->at, k + m, n - m, part, have.end);
                reduce_leaves(p, have.x + (part.begin - have.begin) * p->size, done,
                              part.end - part.begin, acc);
            }
            store_results(p, found, n, base[OUT] + k * step, step);
            k += n;
            i += n;
        }
    }
}

/* The same for rows side by side: [begin, end) counts rows. */
void
slices_columns_task(void *arg, int64_t begin, int64_t end)
{
    job *j = (job *)arg;
    const plan *p = j->p;
    const int64_t out = inner_stride(p->kept, OUT);
    column_buffers *b = column_buffers_new(p, LEAF, j->at->length);
    if (!b) {
        __atomic_store_n(&j->failed, true, __ATOMIC_RELAXED);
        return;
    }
    walk w(&p->kept, begin);
    while (begin < end) {
        char *base[N_OPERANDS];
        int64_t n = w.run() < end - begin ? w.run() : end - begin;
        if (n > LEAF) n = LEAF;
        base_at(p, &w, base);
        for (int64_t k = 0; k < j->at->nstarts; k++) {
            const slice part = slice_of(j->at, k);
            const char *acc =
                (p->tree ? tile_tree : tile_run)(p, b, base, n, part.begin, part.end);
            store_results(p, acc, n, base[OUT] + k * j->at->out_stride, out);
        }
        w.advance(n);
        begin += n;
    }
    free(b);
}

} /* namespace */

cu_status
cu_host_scan(const cu_scan *args, cu_stream *s)
{
    plan p;
    job j = {};
    const int ndim = args->it->ndim;
    (void)s;
    if (!plan_along(&p, args->op, args->sig, args->it, ndim ? ndim - 1 : 0)) {
        return CUPRIC_ERR_TYPE;
    }
    j.p = &p;
    j.tile = LEAF;
    const int64_t grain = PARALLEL_ELEMENTS / p.reduced.size + 1;
    const bool slow = cu_host_is_slow(args->op);
    bool columns = columns_are_faster(&p);
    if (!columns && rows_are_short(&p)) {
        columns = true;
        j.tile = cu_host_threshold(ACROSS_BYTES, 256) / (p.reduced.size * p.size);
    } else if (!columns && slow && longest_kept_to_last(&p, NARROW)) {
        columns = true;
        j.tile = SLOW_LINES;
    }
    if (columns) {
        cu_host_parallel(p.kept.size, grain > 256 ? grain : 256, columns_task, &j);
    } else if (suits_blocks(&p, slow)) {
        group g;
        g.slow = slow;
        walk w(&p.kept, 0);
        g.p = &p;
        for (int64_t i = 0; i < p.kept.size; i++, w.advance(1)) {
            base_at(&p, &w, g.base);
            scan_in_blocks(&g);
        }
    } else {
        cu_host_parallel(p.kept.size, grain, rows_task, &j);
    }
    return CUPRIC_OK;
}

cu_status
cu_host_reduceat(const cu_reduceat *args, cu_stream *s)
{
    plan p;
    job j = {};
    (void)s;
    if (args->nstarts == 0) return CUPRIC_OK;
    if (!plan_along(&p, args->op, args->sig, args->it, args->it->ndim)) {
        return CUPRIC_ERR_TYPE;
    }
    p.reduced.ndim = 1;
    p.reduced.size = p.reduced.shape[0] = args->length;
    for (int op = 0; op < N_OPERANDS; op++) p.reduced.stride[op][0] = 0;
    p.reduced.stride[IN0][0] = args->in_stride;
    j.p = &p;
    j.at = args;
    const int64_t grain = PARALLEL_ELEMENTS / (args->length + args->nstarts) + 1;
    if (columns_are_faster(&p)) {
        cu_host_parallel(p.kept.size, grain > 256 ? grain : 256, slices_columns_task,
                         &j);
    } else {
        cu_host_parallel(p.kept.size * args->nstarts, grain * args->nstarts,
                         slices_task, &j);
    }
    return j.failed ? cu_fail(CUPRIC_ERR_MEMORY, "no memory for a reduction")
                    : CUPRIC_OK;
}
