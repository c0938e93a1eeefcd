/* host/reduce_position.cpp: the index of the extreme element.
 *
 * In rows the vector kernels find the extreme value of a piece, and only a piece that
 * holds a new extreme is searched for its place. In columns the values and places of a
 * tile are kept side by side. Elements are counted in the order of the reduced axes.
 */
#include <stdlib.h>

#include "host/reduce_plan.hpp"
#include "host/threads.h"

namespace cupric_reduce {

namespace {

constexpr int64_t BLOCK = 1 << 16; /* elements */
/* Of a dense row: one call, and little to search for the place of its extreme. */
constexpr int64_t PIECE = 1 << 12, PIECE_BYTES = 1 << 14;
constexpr int64_t FEW_RESULTS = 32;
constexpr int64_t BATCH = 64; /* short rows */

struct candidate {
    alignas(16) char value[MAX_ITEMSIZE];
    int64_t index; /* -1: none */
    /* Where the value is one of these, from `index` on, and has yet to be found; or NULL. */
    const char *piece;
    int64_t length;
};

struct job {
    const plan *p;
    int64_t blocks;
    candidate *partial; /* [result][block] */
    int64_t *last; /* of each result: blocks behind this one hold no better element */
};

int64_t
piece_length(int size)
{
    return size < PIECE_BYTES / PIECE ? PIECE_BYTES / size : PIECE;
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

/* Value and place at once. What begins with a NaN that is passed over has no place. */
void
scan(const cu_reducer *r, candidate *best, const char *x, int64_t n, int64_t index)
{
    const cu_arg_kernels *const arg = r->arg;
    if (best->index < 0) {
        memcpy(best->value, x, cu_itemsize(r->acc));
        best->index = arg->usable(best->value) ? index : -1;
    }
    const int64_t at = arg->scan(x, n, best->value);
    if (at >= 0) best->index = index + at;
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
    alignas(16) char value[MAX_ITEMSIZE];
    if (r->arg->scan) {
        scan(r, best, x, n, index);
        return;
    }
    extreme(r, x, n, value);
    if (!r->arg->usable(value)) return;
    if (best->index >= 0 && !r->arg->better(value, best->value)) return;
    memcpy(best->value, value, cu_itemsize(r->acc));
    best->index = index;
    best->piece = x;
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
    const int64_t most = dense ? piece_length(p->size) : LEAF;
    int64_t stride[N_OPERANDS];
    walk w(&p->reduced, begin);
    best->index = -1;
    best->piece = nullptr;
    for (int op = 0; op < N_OPERANDS; op++) stride[op] = inner_stride(p->reduced, op);
    while (begin < end) {
        char *ptr[N_OPERANDS];
        int64_t n = w.run() < end - begin ? w.run() : end - begin;
        if (n > most) n = most;
        for (int op = 0; op < N_OPERANDS; op++) ptr[op] = base[op] + w.offset[op];
        if (!dense) load(p, s, s->chunk, ptr, stride, n);
        consider(p->r, best, dense ? ptr[IN0] : s->chunk, n, begin);
        if (!dense) settle(p->r, best); /* the chunk is overwritten */
        if (is_final(p->r, best)) break;
        w.advance(n);
        begin += n;
    }
    settle(p->r, best);
}

void
put_index(const plan *p, char *out, int64_t out_stride, const int64_t *index, int64_t n)
{
    cast(p->store, out, out_stride, (const char *)index, sizeof *index, n);
}

/* The place of a dense row's extreme. */
int64_t
place_of(const plan *p, const char *x, int64_t n)
{
    const int64_t most = piece_length(p->size);
    candidate best = {};
    best.index = -1;
    for (int64_t i = 0; i < n; i += most) {
        consider(p->r, &best, x + i * p->size, n - i < most ? n - i : most, i);
        if (is_final(p->r, &best)) break;
    }
    settle(p->r, &best);
    return best.index;
}

/* Dense rows of one axis, from matrices: without walks. */
void
dense_rows(const plan *p, int64_t begin, int64_t end)
{
    const int64_t n = p->reduced.size, step = inner_stride(p->kept, IN0),
                  out_step = inner_stride(p->kept, OUT);
    while (begin < end) {
        const int64_t rows = end - begin < BATCH ? end - begin : BATCH;
        const char *const x = p->base[IN0] + begin * step;
        int64_t index[BATCH];
        const bool found = p->r->arg->short_rows(x, step, n, rows, index);
        for (int64_t k = 0; k < rows; k++) {
            if (!found || index[k] < 0) index[k] = place_of(p, x + k * step, n);
        }
        put_index(p, p->base[OUT] + begin * out_step, out_step, index, rows);
        begin += rows;
    }
}

void
rows_task(void *arg, int64_t begin, int64_t end)
{
    const plan *p = ((const job *)arg)->p;
    if (p->direct && p->kept.ndim == 1 && p->reduced.ndim == 1 &&
        inner_stride(p->reduced, IN0) == p->size) {
        dense_rows(p, begin, end);
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
        const int64_t block = i % j->blocks, first = block * BLOCK;
        int64_t last = first + BLOCK, *const final = &j->last[i / j->blocks];
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

/* Up to LEAF columns, at `base`. */
void
search_columns(const plan *p, scratch *s, char *const *base, int64_t width)
{
    const bool dense = p->direct && inner_stride(p->kept, IN0) == p->size;
    char *best = s->input[1]; /* not used by load: there is no map */
    int64_t index[LEAF], stride[N_OPERANDS];
    walk w(&p->reduced, 0);
    for (int op = 0; op < N_OPERANDS; op++) stride[op] = inner_stride(p->kept, op);
    for (int64_t i = 0; i < p->reduced.size; i++, w.advance(1)) {
        char *ptr[N_OPERANDS], *row = i ? s->chunk : best;
        for (int op = 0; op < N_OPERANDS; op++) ptr[op] = base[op] + w.offset[op];
        if (i && dense) {
            row = ptr[IN0];
        } else {
            load(p, s, row, ptr, stride, width);
        }
        if (i) {
            p->r->arg->zip(best, index, row, i, width);
        } else {
            memset(index, 0, sizeof index);
        }
    }
    for (int64_t j = 0; j < width; j++) {
        if (!p->r->arg->usable(best + j * p->size)) index[j] = -1;
    }
    put_index(p, base[OUT], stride[OUT], index, width);
}

void
columns_task(void *arg, int64_t begin, int64_t end)
{
    const plan *p = ((const job *)arg)->p;
    scratch s;
    walk w(&p->kept, begin);
    while (begin < end) {
        char *base[N_OPERANDS];
        int64_t n = w.run() < end - begin ? w.run() : end - begin;
        if (n > LEAF) n = LEAF;
        for (int op = 0; op < N_OPERANDS; op++) base[op] = p->base[op] + w.offset[op];
        search_columns(p, &s, base, n);
        w.advance(n);
        begin += n;
    }
}

} /* namespace */

bool
reduce_short_position(const cu_reducer *r, const cu_reduce *args)
{
    const cu_iter *it = args->it;
    const cu_operand *x = &it->op[0], *out = &it->op[1];
    const int size = cu_itemsize(r->acc);
    candidate best = {};
    if (it->ndim != 1 || args->nkeep != 0 || it->masked || it->size > BLOCK ||
        !x->ptr || x->dtype != r->acc || out->dtype != CUPRIC_INT64 ||
        (it->size > 1 && x->strides[0] != size)) {
        return false;
    }
    const int64_t most = piece_length(size);
    best.index = -1;
    for (int64_t i = 0; i < it->size; i += most) {
        const int64_t n = it->size - i < most ? it->size - i : most;
        consider(r, &best, x->ptr + i * size, n, i);
        if (is_final(r, &best)) break;
    }
    settle(r, &best);
    *(int64_t *)out->ptr = best.index;
    return true;
}

cu_status
reduce_positions(const plan *p, bool columns)
{
    job j = {p, 1, nullptr, nullptr};
    const int64_t grain = PARALLEL_ELEMENTS / p->reduced.size + 1;

    if (p->masked) {
        return cu_fail(CUPRIC_ERR_VALUE, "the position of an element takes no mask");
    }
    if (columns) {
        cu_host_parallel(p->kept.size, grain > LEAF ? grain : LEAF, columns_task, &j);
        return CUPRIC_OK;
    }
    if (p->kept.size >= FEW_RESULTS || p->reduced.size <= BLOCK) {
        cu_host_parallel(p->kept.size, grain, rows_task, &j);
        return CUPRIC_OK;
    }
    j.blocks = (p->reduced.size + BLOCK - 1) / BLOCK;
    const size_t nbytes = p->kept.size * j.blocks * sizeof *j.partial;
    j.partial = (candidate *)malloc(nbytes + p->kept.size * sizeof *j.last);
    if (!j.partial) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a reduction");
    j.last = (int64_t *)((char *)j.partial + nbytes);
    for (int64_t k = 0; k < p->kept.size; k++) j.last[k] = j.blocks;
    cu_host_parallel(p->kept.size * j.blocks, 1, blocks_task, &j);
    blocks_join(&j);
    free(j.partial);
    return CUPRIC_OK;
}

} /* namespace cupric_reduce */
