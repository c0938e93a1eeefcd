/* host/elementwise_sweep.hpp: a sweep over operands in the order that has been chosen for it:
 * row by row, in tiles, and through buffers where operands are not as a loop expects them.
 */
#ifndef CUPRIC_HOST_ELEMENTWISE_SWEEP_HPP
#define CUPRIC_HOST_ELEMENTWISE_SWEEP_HPP

#include <stdlib.h>
#include <string.h>

#include "host/dense_copy.h"
#include "host/entries.h"
#include "host/loops.h"
#include "host/past_caches.h"
#include "host/threads.h"
#include "host/transpose.h"
#include "host/word.hpp"

namespace {

constexpr int MAX_OPS = CUPRIC_LOOP_OPERANDS + 1; /* and a mask */
constexpr int64_t CHUNK = 512;                    /* elements of a buffer */
constexpr int64_t GRAIN = 1 << 15; /* elements worth another thread: some 10 us */
constexpr int64_t SLOW_GRAIN = 1 << 12;
constexpr int64_t TURNED_BYTES = 1 << 13;

inline int64_t
grain_of(bool slow)
{
    return cu_host_threshold(slow ? SLOW_GRAIN : GRAIN, 1);
}

struct operation {
    const cu_loops *loops;
    const int8_t *types; /* the loops' */
    int nin, nout;
    bool slow;        /* costs more than memory */
    bool past_caches; /* its results are large */
};

struct sweep : operation {
    int ndim;
    int inner, middle; /* dimensions; middle is -1 when there is one */
    int64_t tile_inner, tile_middle;
    bool plain;               /* no buffers */
    bool copies;              /* the loop moves elements as they are */
    bool transposes;          /* and the plane is a matrix in two orders */
    unsigned turned;          /* a bit for each operand in the other order */
    bool copies_rows;         /* and its rows are dense and short */
    int pieced;               /* a dimension that is walked in pieces, or -1 */
    int64_t piece;            /* its steps */
    cu_dtype stored[MAX_OPS]; /* the operands' */
    char *ptr[MAX_OPS];
    bool masked; /* operand nin + nout says where to write */
    int64_t shape[CUPRIC_MAXDIMS];
    int64_t stride[CUPRIC_MAXDIMS][MAX_OPS];
    cu_scalar imm[CUPRIC_LOOP_OPERANDS]; /* immediates in the loop's types */

    int nops() const { return nin + nout + masked; }
};

struct alignas(64) buffers {
    char data[CUPRIC_LOOP_OPERANDS][CHUNK * 16];
    char stored[CHUNK * 16];
    char turned[MAX_OPS][TURNED_BYTES];
};

/* ---- results past the caches -------------------------------------------------------- */

/* The bytes of an operand: less than all its elements' where it broadcasts, or where a
 * view's rows overlap. */
int64_t
bytes_of(const cu_iter *it, const cu_operand &o)
{
    if (o.ptr == nullptr) return 0;
    const int64_t size = cu_host_itemsize(o.dtype), all = it->size * size;
    int64_t span = size;
    for (int d = 0; d < it->ndim; d++) {
        const int64_t step = o.strides[d] < 0 ? -o.strides[d] : o.strides[d];
        span += (it->shape[d] - 1) * step;
    }
    return span < all ? span : all;
}

/* Whether results are stored so: there is a loop, and they are worth it. Functions take
 * longer than their stores, which the CPU does beside them. */
bool
stores_past_caches(const operation &f, const cu_iter *it)
{
    int64_t read = 0, written = 0;
    if (it->size <= cu_host_threshold(GRAIN, 8) || f.loops->lines == nullptr)
        return false;
    for (int k = 0; k < f.nin + f.nout; k++) {
        (k < f.nin ? read : written) += bytes_of(it, it->op[k]);
    }
    return cu_host_past_caches(read, written);
}

/* The elements before all results begin a cache line, or -1 where they never do, are not
 * dense or are an operand's memory, whose lines are in the cache by then. */
int64_t
elements_before_lines(const operation &f, char *const *ptr, const int64_t *stride)
{
    const int first = cu_host_itemsize((cu_dtype)f.types[f.nin]);
    const int64_t lead = cu_to_cache_line(ptr[f.nin]) / first;
    for (int k = f.nin; k < f.nin + f.nout; k++) {
        const int size = cu_host_itemsize((cu_dtype)f.types[k]);
        if (stride[k] != size || cu_to_cache_line(ptr[k] + lead * size)) return -1;
        for (int i = 0; i < f.nin; i++) {
            if (ptr[i] == ptr[k]) return -1;
        }
    }
    return lead;
}

/* The loop over a row. */
void
run_past_caches(const operation &f, char *const *ptr, const int64_t *stride, int64_t n)
{
    const int64_t step =
        CUPRIC_LINES_BYTES / cu_host_itemsize((cu_dtype)f.types[f.nin]);
    const int64_t lead = elements_before_lines(f, ptr, stride);
    const int64_t whole = (n - lead) / step * step;
    char *at[CUPRIC_LOOP_OPERANDS];
    for (int k = 0; k < f.nin + f.nout; k++) at[k] = ptr[k] + lead * stride[k];
    if (lead < 0 || whole <= 0 || !f.loops->lines(at, stride, whole)) {
        f.loops->any(ptr, stride, n);
        return;
    }
    cu_end_past_caches();
    if (lead) f.loops->any(ptr, stride, lead);
    if (n == lead + whole) return;
    for (int k = 0; k < f.nin + f.nout; k++) at[k] += whole * stride[k];
    f.loops->any(at, stride, n - lead - whole);
}

/* ---- rows of one number -------------------------------------------------------------- */

/* Vectors of which the last two may share bytes. */
template <int NBYTES, class T>
inline void
repeat_in_vectors(char *to, T x, int64_t nbytes)
{
    typedef T vector __attribute__((vector_size(NBYTES), aligned(1), may_alias));
    const vector all = vector{} + x;

    for (int64_t i = 0; i + NBYTES < nbytes; i += NBYTES) *(vector *)(to + i) = all;
    *(vector *)(to + nbytes - NBYTES) = all;
}

/* Rows in each of which one number is repeated. */
template <class T>
void
repeat_rows(char *to, int64_t to_step, const char *from, int64_t from_step,
            int64_t rows, int64_t columns)
{
    const int64_t nbytes = columns * (int64_t)sizeof(T);

    for (int64_t i = 0; i < rows; i++, to += to_step, from += from_step) {
        const T x = *(const typename word<sizeof(T)>::type *)from;
        if (nbytes >= 16)
            repeat_in_vectors<16>(to, x, nbytes);
        else if (sizeof(T) < 8 && nbytes >= 8)
            repeat_in_vectors<8>(to, x, nbytes);
        else
            for (int64_t k = 0; k < columns; k++)
                ((typename word<sizeof(T)>::type *)to)[k] = x;
    }
}

/* The same of numbers of 1 to 8 bytes. */
void
repeat_rows(int size, char *to, int64_t to_step, const char *from, int64_t from_step,
            int64_t rows, int64_t columns)
{
    switch (size) {
    case 1: repeat_rows<uint8_t>(to, to_step, from, from_step, rows, columns); break;
    case 2: repeat_rows<uint16_t>(to, to_step, from, from_step, rows, columns); break;
    case 4: repeat_rows<uint32_t>(to, to_step, from, from_step, rows, columns); break;
    default: repeat_rows<uint64_t>(to, to_step, from, from_step, rows, columns); break;
    }
}

/* ---- one row ------------------------------------------------------------------------ */

/* Rows of a part of the plane: where operands begin, and their steps. */
struct block {
    char *ptr[MAX_OPS];
    int64_t inner[MAX_OPS], middle[MAX_OPS];
    int64_t rows, columns;

    int64_t size() const { return rows * columns; }
    /* Whether an operand's rows follow each other, as the elements in them do. */
    bool follows(int k) const { return rows == 1 || middle[k] == columns * inner[k]; }
};

/* An operand's rows to `packed`, or from there: as one row where they follow. */
void
move_rows(cu_loop *loop, const block &p, int k, char *packed, int64_t size, bool out)
{
    const bool whole = p.follows(k);
    const int64_t n = whole ? p.size() : p.columns, rows = whole ? 1 : p.rows;
    char *strided = p.ptr[k];
    const int64_t strides[] = {out ? size : p.inner[k], out ? p.inner[k] : size};

    for (int64_t i = 0; i < rows; i++, strided += p.middle[k], packed += n * size) {
        char *const pair[] = {out ? packed : strided, out ? strided : packed};
        if (loop)
            loop(pair, strides, n);
        else
            cu_row_copy(pair[1], pair[0], (size_t)(n * size));
    }
}

/* The loop that moves an operand's rows; NULL where they are copied as they lie. */
cu_loop *
moving_loop(cu_dtype from, cu_dtype to, int64_t stride)
{
    const bool dense = from == to && stride == cu_host_itemsize(to);
    return dense ? nullptr : cu_host_convert_loop(from, to);
}

/* The results of a block in buffer `result`, where a mask chooses them. */
void
store_chosen(const sweep &w, const block &p, int k, char *result, int64_t size)
{
    const int mask = w.nin + w.nout;
    const bool whole = p.follows(k) && p.follows(mask);
    const int64_t n = whole ? p.size() : p.columns, rows = whole ? 1 : p.rows;
    char *to = p.ptr[k], *chosen = p.ptr[mask];
    /* What is not chosen is stored as it is: a branch for each element would be guessed
     * wrong half of the time, at fifteen cycles. */
    const int64_t strides[] = {p.inner[mask], size, p.inner[k], p.inner[k]};

    for (int64_t i = 0; i < rows; i++) {
        char *const choice[] = {chosen, result, to, to};
        cu_host_choice_loop((int)size)(choice, strides, n);
        chosen += p.middle[mask];
        result += n * size;
        to += p.middle[k];
    }
}

/* A block of up to CHUNK elements through the buffers. */
void
run_block(const sweep &w, const block &p, buffers &b)
{
    char *ptr[CUPRIC_LOOP_OPERANDS];
    int64_t stride[CUPRIC_LOOP_OPERANDS];

    for (int k = 0; k < w.nin + w.nout; k++) {
        const cu_dtype from = w.stored[k], to = (cu_dtype)w.types[k];
        const bool output = k >= w.nin;
        const int size = cu_host_itemsize(to);
        ptr[k] = p.ptr[k];
        stride[k] = p.inner[k];
        if (from == to && p.follows(k) && p.inner[k] != -size && !(output && w.masked))
            continue;
        ptr[k] = b.data[k];
        stride[k] = size;
        if (output) continue;
        if (p.inner[k] == 0 && p.follows(k)) { /* one number */
            char *const pair[] = {p.ptr[k], b.data[k]};
            const int64_t strides[] = {0, size};
            cu_host_convert_loop(from, to)(pair, strides, 1);
            stride[k] = 0;
        } else if (p.inner[k] == 0 && from == to && size <= 8) {
            repeat_rows(size, b.data[k], p.columns * size, p.ptr[k], p.middle[k],
                        p.rows, p.columns);
        } else {
            move_rows(moving_loop(from, to, p.inner[k]), p, k, b.data[k], size, false);
        }
    }
    w.loops->any(ptr, stride, p.size());
    for (int k = w.nin; k < w.nin + w.nout; k++) {
        if (ptr[k] == p.ptr[k]) continue;
        const cu_dtype from = (cu_dtype)w.types[k], to = w.stored[k];
        const int size = cu_host_itemsize(from), stored = cu_host_itemsize(to);
        char *result = b.data[k];
        if (!w.masked) {
            move_rows(moving_loop(from, to, p.inner[k]), p, k, result, size, true);
            continue;
        }
        if (from != to) {
            char *const pair[] = {result, b.stored};
            const int64_t strides[] = {size, stored};
            cu_host_convert_loop(from, to)(pair, strides, p.size());
            result = b.stored;
        }
        store_chosen(w, p, k, result, stored);
    }
}

void
run_row(const sweep &w, char *const *start, const int64_t *stride, int64_t n,
        buffers *b)
{
    if (w.plain && w.past_caches) {
        run_past_caches(w, start, stride, n);
        return;
    }
    if (w.plain) {
        w.loops->any(start, stride, n);
        return;
    }
    block part;
    part.rows = 1;
    for (int k = 0; k < w.nops(); k++) {
        part.ptr[k] = start[k];
        part.inner[k] = stride[k];
        part.middle[k] = 0;
    }
    for (int64_t i = 0; i < n; i += part.columns) {
        part.columns = n - i < CHUNK ? n - i : CHUNK;
        run_block(w, part, *b);
        for (int k = 0; k < w.nops(); k++) part.ptr[k] += part.columns * stride[k];
    }
}

/* ---- many rows ---------------------------------------------------------------------- */

/* Dense rows of N bytes, or of nbytes where N is 0. */
template <int N>
void
copy_rows(char *const *start, const int64_t *step, int64_t rows, int64_t nbytes)
{
    const char *from = start[0];
    char *to = start[1];
    for (int64_t i = 0; i < rows; i++, from += step[0], to += step[1])
        cu_row_copy(to, from, (size_t)(N ? N : nbytes));
}

/* Row by row; as one row where they all follow each other, and through the buffers as many
 * short ones at a time as these hold. */
void
run_rows(const sweep &w, block &p, buffers *b)
{
    const int64_t rows = p.rows;
    const bool buffered = !w.plain && p.columns <= CHUNK / 2;
    bool follow = true;

    for (int k = 0; k < w.nops(); k++) follow &= p.follows(k);
    if (follow) return run_row(w, p.ptr, p.inner, p.size(), b);
    for (int64_t i = 0; i < rows; i += p.rows) {
        p.rows = buffered ? CHUNK / p.columns : 1;
        if (p.rows > rows - i) p.rows = rows - i;
        if (buffered)
            run_block(w, p, *b);
        else
            run_row(w, p.ptr, p.inner, p.columns, b);
        for (int k = 0; k < w.nops(); k++) p.ptr[k] += p.rows * p.middle[k];
    }
}

/* What lies in the other order is turned first, so that all goes along rows. */
void
turn(const sweep &w, block *p, buffers *b)
{
    for (int k = 0; k < w.nops(); k++) {
        if (!(w.turned & 1u << k)) continue;
        const int size = cu_host_itemsize(w.stored[k]);
        const int64_t last = p->rows - 1, step = p->columns * size;
        const bool back = p->middle[k] < 0;
        cu_host_transpose(size, b->turned[k], step,
                          p->ptr[k] - (back ? last * size : 0), p->inner[k], p->columns,
                          p->rows);
        p->ptr[k] = b->turned[k] + (back ? last * step : 0);
        p->inner[k] = size;
        p->middle[k] = back ? -step : step;
    }
}

/* The part of the plane at `start` from a row and a column on. */
block
part_of(const sweep &w, char *const *start, int64_t row, int64_t rows, int64_t column,
        int64_t columns)
{
    block p;
    p.rows = rows;
    p.columns = columns;
    for (int k = 0; k < w.nops(); k++) {
        p.inner[k] = w.stride[w.inner][k];
        p.middle[k] = w.stride[w.middle][k];
        p.ptr[k] = start[k] + row * p.middle[k] + column * p.inner[k];
    }
    return p;
}

/* The plane of the inner and middle dimensions at `start`. */
void
run_plane(const sweep &w, char *const *start, buffers *b)
{
    const int64_t *inner = w.stride[w.inner];
    if (w.middle < 0) {
        run_row(w, start, inner, w.shape[w.inner], b);
        return;
    }
    const int64_t *middle = w.stride[w.middle];
    const int64_t rows = w.shape[w.middle], columns = w.shape[w.inner];
    if (w.transposes) {
        cu_host_transpose(cu_host_itemsize(w.stored[0]), start[1], middle[1], start[0],
                          inner[0], columns, rows);
        return;
    }
    if (w.copies_rows) {
        const int64_t nbytes = columns * cu_host_itemsize(w.stored[0]);
        switch (nbytes) {
        case 32: return copy_rows<32>(start, middle, rows, 32);
        case 64: return copy_rows<64>(start, middle, rows, 64);
        default: return copy_rows<0>(start, middle, rows, nbytes);
        }
    }
    if (w.tile_inner == INT64_MAX && w.plain) { /* the shortest way, for small planes */
        char *ptr[MAX_OPS];
        for (int k = 0; k < w.nops(); k++) ptr[k] = start[k];
        for (int64_t i = 0; i < rows; i++) {
            run_row(w, ptr, inner, columns, b);
            for (int k = 0; k < w.nops(); k++) ptr[k] += middle[k];
        }
        return;
    }
    if (w.tile_inner == INT64_MAX) {
        block p = part_of(w, start, 0, rows, 0, columns);
        return run_rows(w, p, b);
    }
    for (int64_t i = 0; i < rows; i += w.tile_middle) {
        const int64_t m = rows - i < w.tile_middle ? rows - i : w.tile_middle;
        for (int64_t j = 0; j < columns; j += w.tile_inner) {
            const int64_t n = columns - j < w.tile_inner ? columns - j : w.tile_inner;
            block p = part_of(w, start, i, m, j, n);
            if (w.turned) turn(w, &p, b);
            run_rows(w, p, b);
        }
    }
}

/* The whole space, by a counter over the dimensions outside the plane. */
void
run_space(const sweep &w, buffers *b)
{
    int outer[CUPRIC_MAXDIMS], n = 0;
    for (int d = 0; d < w.ndim; d++) {
        if (d != w.inner && d != w.middle) outer[n++] = d;
    }
    int64_t index[CUPRIC_MAXDIMS] = {0};
    char *ptr[MAX_OPS];
    const int nops = w.nops();
    for (int k = 0; k < nops; k++) ptr[k] = w.ptr[k];
    for (;;) {
        run_plane(w, ptr, b);
        int d = n - 1;
        for (; d >= 0; d--) {
            const int64_t *stride = w.stride[outer[d]], size = w.shape[outer[d]];
            if (++index[d] < size) {
                for (int k = 0; k < nops; k++) ptr[k] += stride[k];
                break;
            }
            index[d] = 0;
            for (int k = 0; k < nops; k++) ptr[k] -= (size - 1) * stride[k];
        }
        if (d < 0) break;
    }
}

/* With buffers: a frame of its own, as they are large. */
__attribute__((noinline)) void
run_buffered(const sweep &w)
{
    buffers b;
    run_space(w, &b);
}

void
run_space(const sweep &w)
{
    if (w.plain && !w.turned)
        run_space(w, nullptr);
    else
        run_buffered(w);
}

/* By pieces, so that what several rows read is in a cache. */
void
run_pieces(const sweep &w)
{
    const int64_t *const step = w.stride[w.pieced], n = w.shape[w.pieced];
    sweep piece = w;
    for (int64_t i = 0; i < n; i += w.piece) {
        for (int k = 0; k < w.nops(); k++) piece.ptr[k] = w.ptr[k] + i * step[k];
        piece.shape[w.pieced] = n - i < w.piece ? n - i : w.piece;
        run_space(piece);
    }
}

void
run_all(const sweep &w)
{
    if (w.pieced >= 0)
        run_pieces(w);
    else
        run_space(w);
}

} /* namespace */

#endif
