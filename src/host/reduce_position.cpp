/* host/reduce_position.cpp: the index of the extreme element. Elements are counted in the
 * order of the reduced axes.
 *
 *   rows     short ones are searched at once; of others the vector kernels find the extreme
 *            value of a piece, and only a piece that holds a new extreme is searched for its
 *            place
 *   columns  the values and places of a tile are kept side by side
 *   narrow   columns of few elements, and many: several rows are taken for a wider one
 *   across   rows too short for a vector are loaded element by element, as columns
 */
#include <stdlib.h>

#include "host/reduce_plan.hpp"
#include "host/threads.h"

namespace cupric_reduce {

namespace {

constexpr int64_t BLOCK = 1 << 16; /* elements */

/* Elements of a block. */
inline int64_t
block_length()
{
    return cu_host_threshold(BLOCK, 128);
}
/* Of a dense row: one call, and little to search for the place of its extreme. Longer where
 * there would be many. */
constexpr int64_t PIECE_BYTES = 1 << 14, PIECE_MOST = 1 << 17, MANY_PIECES = 128;
constexpr int64_t LINE = 64; /* bytes */
constexpr int64_t FEW_RESULTS = 32;
constexpr int64_t BATCH = 64;           /* short rows */
constexpr int64_t LOADED_COLUMNS = 256; /* several rows of which fit a buffer */
constexpr int64_t FEW_LINES = 256;      /* bytes of each row, read far down at once */
constexpr int64_t LINES = 128;    /* bytes of vectors that are compared side by side */
constexpr int64_t NARROW = 64;    /* columns; more fill vectors as they are */
constexpr int64_t WIDE_ROWS = 16; /* fewer are not worth joining their columns */
constexpr int64_t VECTOR = 16;    /* bytes of a row that are compared at once, of … */
constexpr int64_t FEW_ROWS = 128; /* … so few, that are not worth it either */
constexpr int64_t FEW_COLUMNS = 16; /* not worth a call */
constexpr int64_t SHORT_ROW = 17;   /* with gaps; longer ones are loaded one by one */

struct candidate {
    alignas(16) char value[MAX_ITEMSIZE];
    int64_t index; /* -1: none */
    /* Where the value is one of these, from `index` on, and has yet to be found; or NULL. */
    const char *piece;
    int64_t length;
};

struct job {
    const plan *p;
    int64_t blocks, block_size; /* of the reduced elements */
    int64_t per;                /* rows that are taken for one */
    candidate *partial;         /* [result][block] */
    int64_t *last; /* of each result: blocks behind this one hold no better element */
};

/* Pieces of a dense row of n elements. */
struct pieces {
    int size;
    int64_t most;

    pieces(const cu_reducer *r, int64_t n) : size(cu_itemsize(r->acc))
    {
        most = cu_host_threshold(PIECE_BYTES, 256) / size;
        if (r->arg->at_once) return;
        while (most < PIECE_MOST / size && n >= MANY_PIECES * most) most *= 2;
    }

    /* Of the one at x, which ends with a cache line if it is not the last. */
    int64_t length(const char *x, int64_t left) const
    {
        const int64_t n = most - ((uintptr_t)x % LINE) / size;
        return n < left ? n : left;
    }
};

bool
is_usable(const cu_arg_kernels *arg, const char *x)
{
    return !arg->usable || arg->usable(x);
}

/* The extreme of x[0 … n), in order, into *value. */
void
extreme(const cu_reducer *r, const char *x, int64_t n, char *value)
{
    const cu_combiner *c = r->combine;
    const int size = cu_itemsize(r->acc);
    if (c->rows) {
        c->rows(value, x, 1, 0, n);
    } else {
        memcpy(value, x, size);
        c->run(value, x + size, n - 1, nullptr);
    }
}

/* The place of the value itself, while its piece is there. */
void
settle(const cu_reducer *r, candidate *best)
{
    if (best->piece == nullptr) return;
    best->index += r->arg->find(best->piece, best->length, best->value);
    best->piece = nullptr;
}

/* Take x[0 … n), elements from `index` on, into account. To be settled: most pieces that
 * hold a new extreme are followed by one that holds another. */
void
consider(const cu_reducer *r, candidate *best, const char *x, int64_t n, int64_t index)
{
    const cu_arg_kernels *const arg = r->arg;
    alignas(16) char value[MAX_ITEMSIZE];
    int64_t at = 0;
    const bool found = arg->at_once && arg->short_rows(x, 0, n, 1, &at);
    if (at < 0) return;
    if (found) {
        memcpy(value, x + at * cu_itemsize(r->acc), cu_itemsize(r->acc));
    } else {
        extreme(r, x, n, value);
    }
    if (!is_usable(arg, value)) return;
    if (best->index >= 0 && !arg->better(value, best->value)) return;
    memcpy(best->value, value, cu_itemsize(r->acc));
    best->index = index + at;
    best->piece = found ? nullptr : x;
    best->length = n;
}

/* Whether no element exceeds what was found. */
bool
is_final(const cu_reducer *r, const candidate *best)
{
    if (r->acc != CUPRIC_BOOL || best->index < 0) return false;
    const bool other = best->value[0] == 0;
    return !r->arg->better(&other, best->value);
}

/* Reduced elements [begin, end) of the result at base. */
void
search(const plan *p, scratch *s, char *const *base, int64_t begin, int64_t end,
       candidate *best)
{
    const bool dense = p->direct && inner_stride(p->reduced, IN0) == p->size;
    const pieces piece(p->r, p->reduced.size);
    walk w(&p->reduced, begin);
    best->index = -1;
    best->piece = nullptr;
    while (begin < end) {
        const int64_t run = w.run() < end - begin ? w.run() : end - begin;
        const char *x = base[IN0] + w.offset[IN0];
        int64_t n;
        if (dense && (run >= LEAF || run == end - begin)) {
            n = piece.length(x, run);
            w.advance(n);
        } else { /* as many as there are: none is left out */
            n = next_piece(p, s, &w, base, end - begin).taken;
            x = s->chunk;
        }
        consider(p->r, best, x, n, begin);
        if (x == s->chunk) settle(p->r, best); /* it is overwritten */
        if (is_final(p->r, best)) break;
        begin += n;
    }
    settle(p->r, best);
}

void
put_index(const plan *p, char *out, int64_t out_stride, const int64_t *index, int64_t n)
{
    cast(p->store, out, out_stride, (const char *)index, sizeof *index, n);
}

/* The place of the extreme of n elements side by side. */
int64_t
place_of(const cu_reducer *r, const char *x, int64_t n)
{
    const int size = cu_itemsize(r->acc);
    const pieces piece(r, n);
    candidate best = {};
    best.index = -1;
    for (int64_t i = 0, m; i < n; i += m) {
        m = piece.length(x + i * size, n - i);
        consider(r, &best, x + i * size, m, i);
    }
    settle(r, &best);
    return best.index;
}

/* Rows of n elements from `base` on, side by side in s->chunk. */
void
load_rows(const plan *p, scratch *s, char *const *base, int64_t n, int64_t nrows)
{
    const int64_t together = rows_are_one_run(p) ? nrows : 1;
    int64_t stride[N_OPERANDS];
    for (int op = 0; op < N_OPERANDS; op++) stride[op] = inner_stride(p->reduced, op);
    for (int64_t k = 0; k < nrows; k += together) {
        char *ptr[N_OPERANDS];
        for (int op = 0; op < N_OPERANDS; op++) {
            ptr[op] = base[op] + k * inner_stride(p->kept, op);
        }
        load(p, s, s->chunk + k * n * p->size, ptr, stride, together * n);
    }
}

/* Rows of one axis, `end` of a matrix at `first`: without walks. */
void
matrix_rows(const plan *p, bool dense, char *const *first, int64_t end)
{
    const int64_t n = p->reduced.size,
                  most = dense || n * BATCH <= LEAF ? BATCH : LEAF / n;
    scratch s;
    for (int64_t begin = 0, rows; begin < end; begin += rows) {
        rows = end - begin < most ? end - begin : most;
        int64_t index[BATCH], step = inner_stride(p->kept, IN0);
        char *base[N_OPERANDS];
        for (int op = 0; op < N_OPERANDS; op++) {
            base[op] = first[op] + begin * inner_stride(p->kept, op);
        }
        const char *x = base[IN0];
        if (!dense) {
            load_rows(p, &s, base, n, rows);
            x = s.chunk;
            step = n * p->size;
        }
        if (!p->r->arg->short_rows(x, step, n, rows, index)) {
            for (int64_t k = 0; k < rows; k++)
                index[k] = place_of(p->r, x + k * step, n);
        }
        put_index(p, base[OUT], inner_stride(p->kept, OUT), index, rows);
    }
}

void
rows_task(void *arg, int64_t begin, int64_t end)
{
    const plan *p = ((const job *)arg)->p;
    const bool dense = p->direct && inner_stride(p->reduced, IN0) == p->size;
    if (p->kept.ndim >= 1 && p->reduced.ndim == 1 &&
        (dense || p->reduced.size <= LEAF)) {
        for (walk w(&p->kept, begin); begin < end;) {
            char *base[N_OPERANDS];
            const int64_t n = w.run() < end - begin ? w.run() : end - begin;
            for (int op = 0; op < N_OPERANDS; op++)
                base[op] = p->base[op] + w.offset[op];
            matrix_rows(p, dense, base, n);
            w.advance(n);
            begin += n;
        }
        return;
    }
    scratch s;
    walk w(&p->kept, begin);
    for (; begin < end; begin++, w.advance(1)) {
        candidate best;
        char *base[N_OPERANDS];
        for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
        search(p, &s, base, 0, p->reduced.size, &best);
        put_index(p, base[OUT], 0, &best.index, 1);
    }
}

void
blocks_task(void *arg, int64_t begin, int64_t end)
{
    const job *j = (const job *)arg;
    const plan *p = j->p;
    scratch s;
    for (int64_t i = begin; i < end; i++) {
        char *base[N_OPERANDS];
        const int64_t block = i % j->blocks, first = block * block_length();
        int64_t last = first + block_length(), *const final = &j->last[i / j->blocks];
        walk w(&p->kept, i / j->blocks);
        if (__atomic_load_n(final, __ATOMIC_RELAXED) < block) {
            j->partial[i].index = -1;
            continue;
        }
        if (last > p->reduced.size) last = p->reduced.size;
        for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
        search(p, &s, base, first, last, &j->partial[i]);
        if (!is_final(p->r, &j->partial[i])) continue;
        int64_t known = __atomic_load_n(final, __ATOMIC_RELAXED);
        while (known > block &&
               !__atomic_compare_exchange_n(final, &known, block, true,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
    }
}

void
blocks_join(const job *j)
{
    const plan *p = j->p;
    const candidate *part = j->partial;
    walk w(&p->kept, 0);
    for (int64_t k = 0; k < p->kept.size; k++, w.advance(1), part += j->blocks) {
        const candidate *best = &part[0];
        for (int64_t b = 1; b < j->blocks; b++) {
            if (part[b].index < 0) continue;
            if (best->index < 0 || p->r->arg->better(part[b].value, best->value)) {
                best = &part[b];
            }
        }
        put_index(p, p->base[OUT] + w.offset[OUT], 0, &best->index, 1);
    }
}

/* ---- columns --------------------------------------------------------------------- */

/* The best elements of up to LEAF columns and, counted by rows, where they are. */
struct columns {
    alignas(64) char best[LEAF * MAX_ITEMSIZE];
    int64_t index[LEAF];
};

/* Whether rows of neighbouring columns are used where they are. */
bool
columns_are_dense(const plan *p)
{
    return p->direct && inner_stride(p->kept, IN0) == p->size;
}

/* The rows that are compared in one call: as many as fit beside the columns in the
 * first-level cache, where rows are wide or have to be loaded. */
int64_t
rows_together(const plan *p, int64_t width, bool dense)
{
    const int64_t most = LEAF * MAX_ITEMSIZE / (width * p->size);
    if (dense && width * p->size <= FEW_LINES) return CUPRIC_ARG_PLACES;
    return most < CUPRIC_ARG_PLACES ? most : CUPRIC_ARG_PLACES;
}

/* `nrows` rows from the walk's place on, which it leaves behind; row `first` of all. */
void
take_rows(const plan *p, scratch *s, columns *c, walk *w, char *const *base,
          int64_t width, int64_t first, int64_t nrows)
{
    const bool dense = columns_are_dense(p);
    int64_t stride[N_OPERANDS], row_stride = width * p->size;
    char *ptr[N_OPERANDS];
    const char *x = s->chunk;
    for (int op = 0; op < N_OPERANDS; op++) {
        stride[op] = inner_stride(p->kept, op);
        ptr[op] = base[op] + w->offset[op];
    }
    if (dense) {
        x = ptr[IN0];
        row_stride = inner_stride(p->reduced, IN0);
        w->advance(nrows);
    }
    for (int64_t r = 0; r < nrows && !dense; r++, w->advance(1)) {
        for (int op = 0; op < N_OPERANDS; op++) ptr[op] = base[op] + w->offset[op];
        load(p, s, s->chunk + r * row_stride, ptr, stride, width);
    }
    p->r->arg->cols(c->best, c->index, x, row_stride, first, nrows, width, first == 0);
}

/* Up to LEAF columns, at `base`. */
void
search_columns(const plan *p, scratch *s, columns *c, char *const *base, int64_t width)
{
    const bool dense = columns_are_dense(p);
    const int64_t most = rows_together(p, width, dense);
    walk w(&p->reduced, 0);
    for (int64_t i = 0, n; i < p->reduced.size; i += n) {
        n = dense ? w.run() : p->reduced.size - i;
        if (n > most) n = most;
        take_rows(p, s, c, &w, base, width, i, n);
    }
    for (int64_t j = 0; j < width && p->r->arg->usable; j++) {
        if (!p->r->arg->usable(c->best + j * p->size)) c->index[j] = -1;
    }
    put_index(p, base[OUT], inner_stride(p->kept, OUT), c->index, width);
}

void
columns_task(void *arg, int64_t begin, int64_t end)
{
    const plan *p = ((const job *)arg)->p;
    const int64_t most = columns_are_dense(p) ? LEAF : LOADED_COLUMNS;
    scratch s;
    columns c;
    walk w(&p->kept, begin);
    while (begin < end) {
        char *base[N_OPERANDS];
        int64_t n = w.run() < end - begin ? w.run() : end - begin;
        if (n > most) n = most;
        for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
        search_columns(p, &s, &c, base, n);
        w.advance(n);
        begin += n;
    }
}

/* ---- tall, narrow columns -------------------------------------------------------- */

/* Rows of few elements that follow each other without a gap are taken for fewer, wider
 * ones, whose columns are joined at the end: `per` of them, which fill LINES if they can.
 * 0 where there are too few rows, or they lie otherwise. */
int64_t
rows_as_one(const plan *p)
{
    const int64_t width = inner_length(p->kept), rows = p->reduced.size;
    if (p->reduced.ndim != 1 || width > NARROW ||
        (width * p->size >= VECTOR && rows <= FEW_ROWS) ||
        inner_stride(p->reduced, IN0) != width * inner_stride(p->kept, IN0)) {
        return 0;
    }
    for (int64_t filled = LINES / p->size; filled > 1; filled /= 2) {
        int64_t per = filled;
        while (per > 1 && per / 2 * width % filled == 0) per /= 2;
        if (per > 1 && per * width <= LEAF && per * WIDE_ROWS <= rows) return per;
    }
    return 0;
}

/* Rows [begin, end) of all columns at base; the candidate of each is j->blocks behind that
 * of the one before. */
void
search_narrow(const job *j, scratch *s, columns *c, char *const *base, int64_t begin,
              int64_t end, candidate *found)
{
    const plan *p = j->p;
    const int64_t width = inner_length(p->kept), n = width * j->per;
    const int64_t wide = (end - begin) / j->per, rest = (end - begin) % j->per;
    const bool dense = columns_are_dense(p);
    const int64_t most = dense ? CUPRIC_ARG_PLACES : LEAF / n;
    int64_t stride[N_OPERANDS];
    char *ptr[N_OPERANDS];
    const auto elements_at = [&](int64_t row, int64_t count) -> const char * {
        for (int op = 0; op < N_OPERANDS; op++) {
            ptr[op] = base[op] + row * inner_stride(p->reduced, op);
            stride[op] = inner_stride(p->kept, op);
        }
        if (dense) return ptr[IN0];
        load(p, s, s->chunk, ptr, stride, count);
        return s->chunk;
    };
    for (int64_t i = 0, m; i < wide; i += m) {
        m = wide - i < most ? wide - i : most;
        const char *const x = elements_at(begin + i * j->per, m * n);
        p->r->arg->cols(c->best, c->index, x, n * p->size, i, m, n, i == 0);
    }
    for (int64_t k = 0; k < n && wide; k++) {
        c->index[k] = begin + c->index[k] * j->per + k / width;
    }
    if (wide) p->r->arg->join(c->best, c->index, width, n);
    if (rest) {
        const char *const x = elements_at(end - rest, rest * width);
        p->r->arg->cols(c->best, c->index, x, width * p->size, end - rest, rest, width,
                        wide == 0);
    }
    for (int64_t k = 0; k < width; k++, found += j->blocks) {
        memcpy(found->value, c->best + k * p->size, p->size);
        found->index = is_usable(p->r->arg, found->value) ? c->index[k] : -1;
    }
}

void
narrow_task(void *arg, int64_t begin, int64_t end)
{
    const job *j = (const job *)arg;
    const plan *p = j->p;
    const int64_t width = inner_length(p->kept);
    scratch s;
    columns c;
    for (int64_t i = begin; i < end; i++) {
        char *base[N_OPERANDS];
        const int64_t block = i % j->blocks, column = i / j->blocks * width;
        const int64_t first = block * j->block_size;
        int64_t last = first + j->block_size;
        if (last > p->reduced.size) last = p->reduced.size;
        walk w(&p->kept, column);
        for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
        search_narrow(j, &s, &c, base, first, last,
                      &j->partial[column * j->blocks + block]);
    }
}

/* ---- the choice ------------------------------------------------------------------ */

/* Put the longest kept dimension last where rows are so short that it is faster to load
 * them element by element, as columns, than to search each. */
bool
search_across(plan *p)
{
    const bool direct = p->direct && inner_stride(p->reduced, IN0) == p->size;
    const bool fast =
        p->kept.ndim == 1 && p->reduced.ndim == 1 && (direct || rows_are_one_run(p));
    if (p->reduced.size >= (fast ? p->r->arg->shortest : SHORT_ROW)) return false;
    return longest_kept_to_last(p, FEW_COLUMNS);
}

/* Results [k][block] of each block, whose work is `task`, and these joined. */
cu_status
search_blocks(job *j, int64_t tasks, void (*task)(void *, int64_t, int64_t))
{
    const plan *p = j->p;
    const size_t nbytes = p->kept.size * j->blocks * sizeof *j->partial;
    j->partial = (candidate *)malloc(nbytes + p->kept.size * sizeof *j->last);
    if (!j->partial) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a reduction");
    j->last = (int64_t *)((char *)j->partial + nbytes);
    for (int64_t k = 0; k < p->kept.size; k++) j->last[k] = j->blocks;
    cu_host_parallel(tasks * j->blocks, 1, task, j);
    blocks_join(j);
    free(j->partial);
    return CUPRIC_OK;
}

} /* namespace */

/* The places of truths, where those of all rows are near their beginnings. */
static bool
find_early(const cu_reducer *r, const char *x, int64_t step, int64_t rows,
           int64_t *index)
{
    candidate best = {};
    for (int64_t k = 0; k < rows; k++, x += step) {
        r->arg->short_rows(x, 0, block_length(), 1, &best.index);
        best.value[0] = x[best.index];
        if (!is_final(r, &best)) return false;
        index[k] = best.index;
    }
    return true;
}

bool
reduce_short_position(const cu_reducer *r, const cu_reduce *args)
{
    const cu_iter *it = args->it;
    const cu_operand *x = &it->op[0], *out = &it->op[1];
    const int along = args->nkeep;
    if (it->ndim != along + 1 || along > 1 || it->masked || !x->ptr ||
        x->dtype != r->acc || out->dtype != CUPRIC_INT64) {
        return false;
    }
    const int64_t n = it->shape[along], rows = along ? it->shape[0] : 1;
    const int64_t step = along ? x->strides[0] : 0, size = cu_itemsize(r->acc);
    int64_t *const index = (int64_t *)out->ptr;
    if ((n > 1 && x->strides[along] != size) ||
        (rows > 1 && out->strides[0] != sizeof *index) ||
        (n < r->arg->shortest && rows >= FEW_COLUMNS)) {
        return false;
    }
    if (it->size > block_length()) {
        return n > block_length() && r->acc == CUPRIC_BOOL &&
               find_early(r, x->ptr, step, rows, index);
    }
    if (r->arg->short_rows(x->ptr, step, n, rows, index)) return true;
    for (int64_t k = 0; k < rows; k++) index[k] = place_of(r, x->ptr + k * step, n);
    return true;
}

cu_status
reduce_positions(plan *p, bool columns)
{
    job j = {p, 1, block_length(), 0, nullptr, nullptr};
    const int64_t grain = PARALLEL_ELEMENTS / p->reduced.size + 1;

    if (p->masked) {
        return cu_fail(CUPRIC_ERR_VALUE, "the position of an element takes no mask");
    }
    j.per = rows_as_one(p);
    if (j.per) {
        const int64_t width = inner_length(p->kept), n = j.per * width;
        j.block_size = (block_length() + n - 1) / n * j.per;
        j.blocks = (p->reduced.size + j.block_size - 1) / j.block_size;
        return search_blocks(&j, p->kept.size / width, narrow_task);
    }
    if (!columns || inner_length(p->kept) < FEW_COLUMNS) columns = search_across(p);
    if (columns) {
        cu_host_parallel(p->kept.size, grain > LOADED_COLUMNS ? grain : LOADED_COLUMNS,
                         columns_task, &j);
        return CUPRIC_OK;
    }
    if (p->kept.size >= FEW_RESULTS || p->reduced.size <= block_length()) {
        cu_host_parallel(p->kept.size, grain, rows_task, &j);
        return CUPRIC_OK;
    }
    j.blocks = (p->reduced.size + block_length() - 1) / block_length();
    return search_blocks(&j, p->kept.size, blocks_task);
}

} /* namespace cupric_reduce */
