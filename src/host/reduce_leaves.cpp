/* host/reduce_leaves.cpp: partial results: of some elements for one result, or of some
 * rows for a tile of results side by side.
 */
#include <stdlib.h>

#include "host/dense_copy.h"
#include "host/reduce_plan.hpp"
#include "host/word.hpp"

namespace cupric_reduce {

/* ---- one result ------------------------------------------------------------------ */

bool
is_absorbed(const plan *p, const char *acc)
{
    return p->r->absorbs && (*acc != 0) == p->r->absorbing.b;
}

static int64_t
shortest(int64_t a, int64_t b, int64_t c)
{
    const int64_t least = a < b ? a : b;
    return least < c ? least : c;
}

namespace {

constexpr int64_t SHORT_ROW = 32; /* elements with gaps */

} /* namespace */

/* Whether an operand is one number for all reduced elements. */
static bool
is_number(const plan *p, int op)
{
    for (int d = 0; d < p->reduced.ndim; d++) {
        if (p->reduced.stride[op][d] != 0) return false;
    }
    return true;
}

/* Whether runs are short rows, all elements of which count: a call for each, or a loop of
 * strides, would take longer than a copy. */
static bool
are_short_rows(const plan *p)
{
    const int64_t n = inner_length(p->reduced);
    bool casts = false;
    int rows = 0;
    if (p->has_mask || p->reduced.ndim < 2) return false;
    for (int k = 0; k < p->nin; k++) {
        if (is_number(p, k)) continue;
        const bool dense = inner_stride(p->reduced, k) == cu_itemsize(p->stored[k]);
        if (n > (dense ? LEAF : SHORT_ROW)) return false;
        casts |= p->stored[k] != p->r->in[k];
        rows++;
    }
    return rows == 1 || (rows == 2 && !casts);
}

/* n rows of `length` elements, side by side at `to`. */
template <int SIZE>
static void
gather(char *to, const char *from, int64_t n, int64_t row, int64_t length, int64_t step)
{
    typedef typename word<SIZE>::type W;
    for (int64_t i = 0; i < n; i++, from += row) {
        const char *x = from;
        if (step == SIZE) {
            cu_row_copy(to, x, (size_t)(length * SIZE));
            to += length * SIZE;
            continue;
        }
        for (int64_t k = 0; k < length; k++, x += step, to += SIZE)
            *(W *)to = *(const W *)x;
    }
}

/* n elements of an operand, from the walk's place on, side by side. */
static void
join_rows(const plan *p, int op, walk *w, const char *base, int64_t n, char *to)
{
    const int size = cu_itemsize(p->stored[op]), outer = p->reduced.ndim - 2;
    const auto rows = size == 1   ? gather<1>
                      : size == 2 ? gather<2>
                      : size == 4 ? gather<4>
                      : size == 8 ? gather<8>
                                  : gather<16>;
    const int64_t length = inner_length(p->reduced),
                  step = inner_stride(p->reduced, op);
    const int64_t row = p->reduced.stride[op][outer];
    for (int64_t i = 0; i < n;) {
        const int64_t run = w->run() < n - i ? w->run() : n - i;
        const char *from = base + w->offset[op];
        if (run < length) {
            rows(to + i * size, from, 1, 0, run, step);
            i += run;
            w->advance(run);
            continue;
        }
        const int64_t whole =
            shortest(p->reduced.shape[outer] - w->at[outer], (n - i) / length, n);
        rows(to + i * size, from, whole, row, length, step);
        i += whole * length;
        w->step(outer, whole);
    }
}

/* Runs that fill a buffer, as one. */
static piece
joined_rows(const plan *p, scratch *s, walk *w, char *const *base, int64_t left)
{
    const int64_t n = left < LEAF ? left : LEAF;
    char *ptr[N_OPERANDS] = {};
    int64_t stride[N_OPERANDS] = {};
    for (int k = 0; k < p->nin; k++) {
        ptr[k] = base[k] + w->offset[k];
        if (is_number(p, k)) continue;
        const bool alone = p->nin == 1 || is_number(p, 1 - k);
        /* what load casts goes from the second buffer to the first */
        char *const rows = p->direct ? s->chunk : s->input[alone || k];
        ptr[k] = rows;
        stride[k] = cu_itemsize(p->stored[k]);
        if (!alone && k == 0) {
            walk own = *w;
            join_rows(p, k, &own, base[k], n, rows);
        } else {
            join_rows(p, k, w, base[k], n, rows);
        }
    }
    if (p->direct) return {s->chunk, n, n, n};
    const int64_t kept = load(p, s, s->chunk, ptr, stride, n);
    return {s->chunk, kept, n, s->counted};
}

/* One run where elements lie as they are needed, else as many runs as fill a buffer. */
piece
next_piece(const plan *p, scratch *s, walk *w, char *const *base, int64_t left)
{
    const bool dense = p->direct && inner_stride(p->reduced, IN0) == p->size;
    int64_t run = w->run() < left ? w->run() : left;
    if (dense && (run >= LEAF || run == left)) {
        piece whole = {base[IN0] + w->offset[IN0], run, run, run};
        w->advance(run);
        return whole;
    }
    if (are_short_rows(p)) return joined_rows(p, s, w, base, left);
    piece filled = {s->chunk, 0, 0, 0};
    int64_t stride[N_OPERANDS];
    for (int op = 0; op < N_OPERANDS; op++) stride[op] = inner_stride(p->reduced, op);
    while (filled.taken < left && filled.taken < LEAF) {
        char *ptr[N_OPERANDS];
        run = w->run();
        if (run > left - filled.taken) run = left - filled.taken;
        if (run > LEAF - filled.taken) run = LEAF - filled.taken;
        for (int op = 0; op < N_OPERANDS; op++) ptr[op] = base[op] + w->offset[op];
        filled.n += load(p, s, s->chunk + filled.n * p->size, ptr, stride, run);
        filled.counted += s->counted;
        filled.taken += run;
        w->advance(run);
    }
    return filled;
}

/* acc = n elements of one run from the walk's place on, which it leaves behind. */
static void
fold_run(const plan *p, walk *w, char *const *base, int64_t n, char *acc)
{
    char *ptr[N_OPERANDS];
    int64_t stride[N_OPERANDS];
    for (int op = 0; op < N_OPERANDS; op++) {
        ptr[op] = base[op] + w->offset[op];
        stride[op] = inner_stride(p->reduced, op);
    }
    fold(p, acc, ptr, stride, n);
    w->advance(n);
}

int64_t
reduce_tree(const plan *p, scratch *s, char *const *base, int64_t begin, int64_t end,
            char *acc)
{
    char memory[64 * MAX_ITEMSIZE];
    leaf_stack stack = {p->r->combine, memory, 1, p->size, 0, 0};
    int64_t count = 0;
    walk w(&p->reduced, begin);
    while (can_fold(p) && begin < end) {
        const int64_t n = shortest(w.run(), end - begin, LEAF);
        char *const leaf = stack.next();
        fold_run(p, &w, base, n, leaf);
        const bool absorbed = is_absorbed(p, leaf);
        stack.push();
        begin = absorbed ? end : begin + n;
        count += n;
    }
    while (begin < end) {
        const piece x = next_piece(p, s, &w, base, end - begin);
        begin += x.taken;
        if (x.counted == 0) continue;
        count += x.counted;
        char *leaf = stack.next();
        p->r->combine->rows(leaf, x.data, 1, 0, x.n);
        const bool absorbed = is_absorbed(p, leaf);
        stack.push();
        if (absorbed) break;
    }
    if (count) memcpy(acc, stack.result(), p->size);
    return count;
}

int64_t
reduce_run(const plan *p, scratch *s, char *const *base, int64_t begin, int64_t end,
           char *acc)
{
    const cu_combiner *c = p->r->combine;
    int64_t count = 0;
    bool empty = !p->has_start;
    walk w(&p->reduced, begin);
    if (!empty) memcpy(acc, &p->start, p->size);
    while (begin < end) {
        const piece x = next_piece(p, s, &w, base, end - begin);
        begin += x.taken;
        if (x.counted == 0) continue;
        count += x.counted;
        if (empty) memcpy(acc, x.data, p->size);
        c->run(acc, x.data + (empty ? p->size : 0), x.n - (empty ? 1 : 0), nullptr);
        empty = false;
    }
    return count;
}

/* ---- a tile of results ----------------------------------------------------------- */

column_buffers *
column_buffers_new(const plan *p, int64_t width, int64_t rows)
{
    const size_t tile = width * p->size;
    const int depth = stack_depth(rows / LEAF_ROWS + 1);
    const size_t counts = p->counts_columns ? (width * sizeof(int64_t) + 63) & -64 : 0;
    column_buffers *b =
        (column_buffers *)malloc(sizeof *b + counts + (depth + 8) * tile);
    if (!b) return nullptr;
    b->s.missing = nullptr;
    b->missing = counts ? (int64_t *)(b + 1) : nullptr;
    b->rows = (char *)(b + 1) + counts;
    b->stack = b->rows + 8 * tile;
    return b;
}

/* load of any number of elements, all of which stay. */
static void
load_row(const plan *p, column_buffers *b, char *dst, char *const *base,
         const int64_t *stride, int64_t n)
{
    for (int64_t i = 0; i < n; i += LEAF) {
        char *ptr[N_OPERANDS];
        for (int op = 0; op < N_OPERANDS; op++) ptr[op] = base[op] + i * stride[op];
        b->s.missing = b->missing ? b->missing + i : nullptr;
        load(p, &b->s, dst + i * p->size, ptr, stride, n - i < LEAF ? n - i : LEAF);
    }
}

/* entry = rows of the walk, at most `n` of them, combined. Returns how many there
 * were. */
static int64_t
leaf_of_rows(const plan *p, column_buffers *b, walk *w, char *const *base,
             int64_t width, int64_t n, char *entry)
{
    int64_t stride[N_OPERANDS], done = 0;
    for (int op = 0; op < N_OPERANDS; op++) stride[op] = inner_stride(p->kept, op);
    if (p->direct && stride[IN0] == p->size) {
        while (done < n) {
            const int64_t run = w->run() < n - done ? w->run() : n - done;
            p->r->combine->cols(entry, base[IN0] + w->offset[IN0], run,
                                inner_stride(p->reduced, IN0), width, done == 0);
            w->advance(run);
            done += run;
        }
        return done;
    }
    const auto load_next = [&](char *row) {
        char *ptr[N_OPERANDS];
        for (int op = 0; op < N_OPERANDS; op++) ptr[op] = base[op] + w->offset[op];
        load_row(p, b, row, ptr, stride, width);
        w->advance(1);
    };
    /* Of less than 8 rows `cols` would begin with the first one, too. */
    if (n < 8) {
        load_next(entry);
        done = 1;
    }
    while (done < n) {
        const int64_t m = n - done < 8 ? n - done : 8;
        for (int64_t i = 0; i < m; i++) load_next(b->rows + i * width * p->size);
        p->r->combine->cols(entry, b->rows, m, width * p->size, width, done == 0);
        done += m;
    }
    return done;
}

char *
tile_tree(const plan *p, column_buffers *b, char *const *base, int64_t width,
          int64_t first, int64_t last)
{
    leaf_stack stack = {p->r->combine, b->stack, width, width * p->size, 0, 0};
    walk w(&p->reduced, first);
    if (b->missing) memset(b->missing, 0, width * sizeof *b->missing);
    while (first < last) {
        const int64_t n = last - first < LEAF_ROWS ? last - first : LEAF_ROWS;
        first += leaf_of_rows(p, b, &w, base, width, n, stack.next());
        stack.push();
    }
    return stack.result();
}

char *
tile_run(const plan *p, column_buffers *b, char *const *base, int64_t width,
         int64_t first, int64_t last)
{
    int64_t stride[N_OPERANDS];
    char *acc = b->stack;
    walk w(&p->reduced, first);
    for (int op = 0; op < N_OPERANDS; op++) stride[op] = inner_stride(p->kept, op);
    for (int64_t j = 0; p->has_start && j < width; j++) {
        memcpy(acc + j * p->size, &p->start, p->size);
    }
    for (int64_t i = first; i < last; i++, w.advance(1)) {
        const bool fresh = i == first && !p->has_start;
        char *ptr[N_OPERANDS], *row = fresh ? acc : b->rows;
        for (int op = 0; op < N_OPERANDS; op++) ptr[op] = base[op] + w.offset[op];
        if (!fresh && p->direct && stride[IN0] == p->size) {
            row = ptr[IN0];
        } else {
            load_row(p, b, row, ptr, stride, width);
        }
        if (!fresh) p->r->combine->zip(acc, row, width);
    }
    return acc;
}

} /* namespace cupric_reduce */
