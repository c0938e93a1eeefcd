/* Elementwise operations and conversion: the inner loops carried over an iteration space.
 *
 * A dense iteration is one call of the loop, or a few in parallel. Otherwise two
 * dimensions, `inner` and `middle`, are swept tile by tile and a counter runs over the
 * others:
 *
 *     for others…  for tile of (middle, inner)  for row of tile  loop(inner)
 *
 * Operands stored in another type than the loop's, those that go backwards, and masked
 * outputs go through buffers that stay in the first-level cache, a chunk of a row or some
 * short rows at a time. Where some operands go along the rows and others across them, these
 * are turned, tile by tile. Results of large arrays are stored past the caches
 * (past_caches.h).
 */
#include <stdlib.h>
#include <string.h>

#include "device/axes.h"
#include "host/dense_copy.h"
#include "host/entries.h"
#include "host/loops.h"
#include "host/parallel.hpp"
#include "host/past_caches.h"
#include "host/threads.h"
#include "host/transpose.h"
#include "host/word.hpp"

namespace {

constexpr int MAX_OPS = CUPRIC_LOOP_OPERANDS + 1; /* and a mask */
constexpr int64_t CHUNK = 512;                    /* elements of a buffer */
constexpr int64_t GRAIN = 1 << 15; /* elements worth another thread: some 10 us */
constexpr int64_t SLOW_GRAIN = 1 << 12;
constexpr int64_t SHORT_ROW = 12; /* elements: below, a call costs more than the row */
constexpr int64_t LANES_BYTES = 16; /* of the vectors of a transposition */
constexpr int64_t TILE = 32;        /* rows and columns of a transposition */
constexpr int64_t TURNED = 64;      /* columns of a tile of which operands are turned */
constexpr int64_t TURNED_BYTES = 1 << 13;
constexpr int TURNED_SIZE = 8;       /* larger elements lie far apart as it is */
constexpr int64_t WORTH_TURNING = 8; /* rows, and columns, where both are short */
constexpr int64_t LONG_ROW = 1024;   /* elements: worth lines past the caches */
constexpr int64_t SHORT_ROW_BYTES =
    256; /* of those that planes of few are walked for */
constexpr int64_t JOINED_ROW = 8, LONGEST_JOINED = 63; /* elements */
constexpr int64_t JOINED_BYTES = 200;                  /* copied for each row */
constexpr int64_t REPEATED = 8; /* times a number, that is worth two passes */
constexpr int64_t FEW_ROWS = 8; /* of a plane, below which they cost less than it */
constexpr int64_t PIECE_BYTES = 1 << 15; /* that a piece spans: a cache's */

inline int64_t
grain_of(bool slow)
{
    return slow ? SLOW_GRAIN : GRAIN;
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
    int64_t row_bytes;        /* or short dense rows of so many; 0 */
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
    if (it->size <= GRAIN || f.loops->lines == nullptr) return false;
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
    if (w.row_bytes) {
        switch (w.row_bytes) {
        case 32: return copy_rows<32>(start, middle, rows, 32);
        case 64: return copy_rows<64>(start, middle, rows, 64);
        default: return copy_rows<0>(start, middle, rows, w.row_bytes);
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

/* ---- choosing the order and the threads ---------------------------------------------- */

/* The bytes that a step along `d` moves in all operands together, broadcast ones apart. */
int64_t
step_bytes(const sweep &w, int d)
{
    int64_t sum = 0;
    for (int k = 0; k < w.nops(); k++) {
        sum += cu_magnitude(w.stride[d][k]);
    }
    return sum;
}

/* The least bytes that a step along `d` moves in an operand for which one along the last
 * dimension moves more; 0 where there is none. */
int64_t
transposed_step(const sweep &w, int d)
{
    const int last = w.ndim - 1;
    int64_t least = 0;
    for (int k = 0; k < w.nops(); k++) {
        const int64_t here = cu_magnitude(w.stride[d][k]);
        const bool nearer = here && here < cu_magnitude(w.stride[last][k]);
        if (nearer && (!least || here < least)) least = here;
    }
    return least;
}

/* Whether the plane is a copy between a matrix and its transpose. */
bool
is_transposition(const sweep &w)
{
    const int size = cu_host_itemsize(w.stored[0]);
    return w.copies && w.plain && cu_host_transposes(size) &&
           w.stride[w.middle][0] == size && w.stride[w.inner][1] == size;
}

/* What is read along the middle dimension as the rest is along the inner one. */
unsigned
find_turned(const sweep &w)
{
    unsigned found = 0;
    for (int k = 0; k < w.nops(); k++) {
        const int size = cu_host_itemsize(w.stored[k]);
        const bool across = cu_magnitude(w.stride[w.middle][k]) == size &&
                            cu_magnitude(w.stride[w.inner][k]) > size;
        const bool read = k < w.nin || k == w.nin + w.nout;
        if (across && read && size <= TURNED_SIZE) found |= 1u << k;
    }
    return found;
}

/* The bytes of the largest element of these operands. */
int
largest_of(const sweep &w, unsigned operands)
{
    int largest = 1;
    for (int k = 0; k < w.nops(); k++) {
        const int size = cu_host_itemsize(w.stored[k]);
        if (operands & 1u << k && size > largest) largest = size;
    }
    return largest;
}

/* Whether a plane of short rows is worth turning what lies across them. */
bool
is_worth_turning(const sweep &w)
{
    const int64_t rows = w.shape[w.middle], columns = w.shape[w.inner];
    const int64_t least = rows < columns ? rows : columns;
    const unsigned turned = least < WORTH_TURNING ? 0 : find_turned(w);
    return turned && least >= LANES_BYTES / largest_of(w, turned);
}

/* Tiles of the plane, in which all operands' elements are in a cache. */
void
choose_tiles(sweep &w)
{
    w.tile_inner = w.tile_middle = TILE;
    w.past_caches = false;
    w.turned = w.transposes ? 0 : find_turned(w);
    if (!w.turned) return;
    w.tile_inner = TURNED;
    w.tile_middle = TURNED_BYTES / (TURNED * largest_of(w, w.turned));
}

/* Of those outside the last one the dimension in which neighbours are nearest in an operand
 * that goes along the last one in larger steps; -1. */
int
find_transposed(const sweep &w)
{
    int found = -1;
    int64_t least = 0;
    for (int d = w.ndim - 2; d >= 0; d--) {
        const int64_t step = w.shape[d] < 4 ? 0 : transposed_step(w, d);
        if (step == 0 || (found >= 0 && step >= least)) continue;
        found = d;
        least = step;
    }
    return found;
}

/* A dimension outside `d` that is longer, though not much larger in steps; or `d`. */
int
find_longer(const sweep &w, int d)
{
    int longest = d;
    for (int e = d - 1; e >= 0; e--) {
        const bool near =
            longest == d || step_bytes(w, e) <= 64 * step_bytes(w, longest);
        if (w.shape[e] > 2 * w.shape[longest] && near) longest = e;
    }
    return longest;
}

void
walk_in_pieces(sweep &w, int d, int64_t least)
{
    w.pieced = d;
    w.piece = PIECE_BYTES / step_bytes(w, d);
    if (w.piece < least) w.piece = least;
}

int64_t
last_bytes(const sweep &w)
{
    return w.shape[w.ndim - 1] * cu_host_itemsize(w.stored[0]);
}

/* Whether rows along the last dimension lie densely, and are copied as they are. */
bool
is_dense_row(const sweep &w)
{
    const int last = w.ndim - 1, size = cu_host_itemsize(w.stored[0]);
    return w.copies && w.plain && w.stride[last][0] == size &&
           w.stride[last][1] == size;
}

/* The bytes of rows along the last dimension, if they are copied as they are and are neither
 * so short that elements are faster nor worth a call; 0. */
int64_t
copied_row(const sweep &w)
{
    const int64_t nbytes = last_bytes(w);
    const bool fits = nbytes >= 16 && nbytes <= CUPRIC_SHORT_ROW_BYTES;
    return fits && is_dense_row(w) ? nbytes : 0;
}

/* Whether rows are so short that a copy of what does not follow costs less than a call for
 * each of them, and long enough that a call was not for their columns. */
bool
joins_rows(const sweep &w)
{
    const int64_t columns = w.shape[w.inner];
    if (w.middle < 0 || w.row_bytes || w.transposes || w.tile_inner != INT64_MAX ||
        columns < JOINED_ROW || columns > LONGEST_JOINED || w.inner < w.middle)
        return false;
    int64_t copied = 0;
    for (int k = 0; k < w.nin + w.nout; k++) {
        const int64_t inner = w.stride[w.inner][k],
                      size = cu_host_itemsize(w.stored[k]);
        if (w.stride[w.middle][k] == columns * inner) continue;
        if (inner != size && (inner || k >= w.nin)) return false;
        copied += columns * size;
    }
    return copied <= JOINED_BYTES && w.shape[w.middle] >= FEW_ROWS;
}

/* Rows are along the last dimension, as the iterator has ordered them, unless it is
 * short; where operands disagree about what is fast, the plane is tiled. */
void
choose_plane(sweep &w)
{
    const int last = w.ndim - 1, size = cu_host_itemsize(w.stored[0]);
    w.inner = last;
    w.middle = last - 1;
    w.tile_inner = w.tile_middle = INT64_MAX;
    w.transposes = false;
    w.turned = 0;
    w.pieced = -1;
    w.row_bytes = 0;
    if (w.middle < 0) return;
    w.row_bytes = copied_row(w);
    const int across = w.shape[last] < 4 ? -1 : find_transposed(w);
    const bool joins = !w.copies && joins_rows(w);
    const bool is_short = w.shape[last] < SHORT_ROW && !w.row_bytes && !joins;
    const int longest = is_short ? find_longer(w, last) : last;
    if (across >= 0) {
        w.middle = across;
        const bool copies = is_transposition(w);
        w.transposes = copies && w.shape[across] >= LANES_BYTES / size;
        if (longest == last && !w.transposes &&
            (copies || w.shape[across] < FEW_ROWS)) {
            walk_in_pieces(w, last, 64);
            return;
        }
        if (w.transposes || longest == last || longest == across ||
            is_worth_turning(w)) {
            choose_tiles(w);
            return;
        }
        w.middle = last - 1;
    }
    if (longest != last) {
        w.inner = longest;
        w.middle = last;
        walk_in_pieces(w, longest, 64);
    } else if (w.shape[w.middle] < FEW_ROWS && last_bytes(w) <= SHORT_ROW_BYTES) {
        w.middle = find_longer(w, last - 1);
        if (w.middle != last - 1) walk_in_pieces(w, w.middle, FEW_ROWS);
    }
}

struct part {
    const sweep *w;
    int axis;
};

void
run_part(void *arg, int64_t begin, int64_t end)
{
    const part *p = (const part *)arg;
    sweep w = *p->w;
    for (int k = 0; k < w.nops(); k++) w.ptr[k] += begin * w.stride[p->axis][k];
    w.shape[p->axis] = end - begin;
    run_all(w);
}

void
run_in_parallel(sweep &w, int64_t size)
{
    const int64_t enough = grain_of(w.slow);
    if (size <= enough) {
        run_all(w);
        return;
    }
    int axis = 0;
    for (int d = 1; d < w.ndim && w.shape[axis] < 64; d++) {
        if (w.shape[d] > w.shape[axis]) axis = d;
    }
    part p = {&w, axis};
    const int64_t grain = enough / (size / w.shape[axis]);
    cu_host_parallel(w.shape[axis], grain > 0 ? grain : 1, run_part, &p);
}

/* ---- from the backend's arguments ------------------------------------------------------ */

void
set_operands(sweep &w, const cu_iter *it)
{
    w.ndim = it->ndim ? it->ndim : 1;
    w.shape[0] = 1;
    for (int d = 0; d < it->ndim; d++) w.shape[d] = it->shape[d];
    w.masked = it->masked;
    w.plain = !it->masked;
    for (int k = 0; k < w.nops(); k++) {
        const cu_operand *o = &it->op[k];
        w.ptr[k] = o->ptr;
        w.stored[k] = o->dtype;
        w.stride[0][k] = 0;
        for (int d = 0; d < it->ndim; d++) w.stride[d][k] = o->ptr ? o->strides[d] : 0;
        if (k >= w.nin + w.nout) continue;
        if (o->ptr == nullptr) {
            char *const pair[] = {(char *)&o->imm, (char *)&w.imm[k]};
            const int64_t strides[] = {0, 0};
            cu_host_convert_loop(o->dtype, (cu_dtype)w.types[k])(pair, strides, 1);
            w.ptr[k] = (char *)&w.imm[k];
            w.stored[k] = (cu_dtype)w.types[k];
        } else if (w.stored[k] != w.types[k]) {
            w.plain = false;
        }
    }
}

/* Whether all operands begin, and step, at multiples of so many bytes. */
bool
is_aligned(const sweep &w, int64_t nbytes)
{
    uintptr_t all = (uintptr_t)w.ptr[0] | (uintptr_t)w.ptr[1];
    for (int d = 0; d < w.ndim - 1; d++) {
        all |= (uintptr_t)w.stride[d][0] | (uintptr_t)w.stride[d][1];
    }
    return all % nbytes == 0;
}

/* Rows of 2 to 16 bytes that are copied as they are, as elements. */
void
widen(sweep &w)
{
    static const int8_t wide[][2] = {{CUPRIC_UINT16, CUPRIC_UINT16},
                                     {CUPRIC_UINT32, CUPRIC_UINT32},
                                     {CUPRIC_UINT64, CUPRIC_UINT64},
                                     {CUPRIC_COMPLEX128, CUPRIC_COMPLEX128}};
    const int64_t nbytes = last_bytes(w);
    if (w.ndim < 2 || !is_dense_row(w) || !is_aligned(w, nbytes)) return;
    for (int k = 0; k < 4; k++) {
        if (nbytes != (int64_t)2 << k || w.shape[w.ndim - 1] == 1) continue;
        w.types = wide[k];
        w.stored[0] = w.stored[1] = (cu_dtype)wide[k][0];
        w.loops = cu_host_convert_loops(w.stored[0], w.stored[1]);
        w.ndim--;
    }
}

/* Whether an operand goes backwards: copied first, it is read by vectors. */
bool
goes_backwards(const sweep &w)
{
    for (int k = 0; k < w.nin + w.nout; k++) {
        if (w.stride[w.inner][k] == -cu_host_itemsize(w.stored[k])) return true;
    }
    return false;
}

/* Rows that all others share, such as b of a[:, None] * b, are read once for each of them:
 * elements that do not lie densely are, here, and copied to memory that the caller frees. */
void
pack_shared_rows(sweep &w, char *packed[MAX_OPS])
{
    const int last = w.ndim - 1;
    for (int k = 0; k < w.nops(); k++) {
        const int size = cu_host_itemsize(w.stored[k]);
        const int64_t n = w.shape[last], step = w.stride[last][k];
        int64_t rows = k < w.nin && cu_magnitude(step) > size && n >= SHORT_ROW;
        packed[k] = nullptr;
        for (int d = 0; d < last && rows; d++)
            rows = w.stride[d][k] == 0 || w.shape[d] == 1 ? rows * w.shape[d] : 0;
        if (rows < FEW_ROWS) continue;
        packed[k] = (char *)malloc((size_t)(n * size));
        if (packed[k] == nullptr) continue; /* slower, but no less right */
        char *const pair[] = {w.ptr[k], packed[k]};
        const int64_t strides[] = {step, size};
        cu_host_copy_loop(size)(pair, strides, n);
        w.ptr[k] = packed[k];
        w.stride[last][k] = size;
    }
}

struct dense : operation {
    char *ptr[CUPRIC_LOOP_OPERANDS];
    int64_t stride[CUPRIC_LOOP_OPERANDS];
};

void
run_dense_part(void *arg, int64_t begin, int64_t end)
{
    const dense *d = (const dense *)arg;
    char *ptr[CUPRIC_LOOP_OPERANDS];
    for (int k = 0; k < d->nin + d->nout; k++) {
        ptr[k] = d->ptr[k] + begin * d->stride[k];
    }
    if (d->past_caches) {
        run_past_caches(*d, ptr, d->stride, end - begin);
    } else {
        d->loops->any(ptr, d->stride, end - begin);
    }
}

/* Dense operands in the loop's own types: the shortest way, and the common one. */
bool
run_dense(const operation &f, const cu_iter *it)
{
    dense job;
    for (int k = 0; k < f.nin + f.nout; k++) {
        const cu_operand *o = &it->op[k];
        if (CUPRIC_UNLIKELY(o->dtype != f.types[k])) return false;
        job.ptr[k] = o->ptr ? o->ptr : (char *)&o->imm;
        job.stride[k] = o->ptr ? cu_host_itemsize(o->dtype) : 0;
    }
    if (CUPRIC_LIKELY(it->size <= grain_of(f.slow))) {
        f.loops->any(job.ptr, job.stride, it->size);
    } else {
        (operation &)job = f;
        job.past_caches = stores_past_caches(f, it);
        cu_host_parallel(it->size, grain_of(f.slow), run_dense_part, &job);
    }
    return true;
}

/* ---- results of which each row is one number ------------------------------------------ */

/* Bytes to index i, counted in C order over the dimensions before `end`. */
int64_t
offset_of(const cu_iter *it, const cu_operand &o, int end, int64_t i)
{
    int64_t offset = 0;
    for (int d = end - 1; d >= 0; d--) {
        offset += i % it->shape[d] * o.strides[d];
        i /= it->shape[d];
    }
    return offset;
}

/* Whether each row of the result is one number, as all operands repeat along it. */
bool
repeats_along_rows(const operation &f, const cu_iter *it, bool copies)
{
    const int last = it->ndim - 1;
    if (last < 0 || f.nout != 1 || it->masked || it->shape[last] < REPEATED)
        return false;
    for (int k = 0; k < f.nin; k++) {
        if (it->op[k].ptr && it->op[k].strides[last]) return false;
    }
    const cu_operand &out = it->op[f.nin];
    const int size = cu_host_itemsize(out.dtype);
    if (copies && it->shape[last] * size > SHORT_ROW_BYTES) return false;
    return size <= 8 && out.strides[last] == size && !stores_past_caches(f, it);
}

void run(const operation &f, const cu_iter *it, bool copies);

/* The first number of each row is computed, then repeated. */
void
run_repeated(const operation &f, const cu_iter *it, bool copies)
{
    const int last = it->ndim - 1, above = last - 1;
    const cu_operand &out = it->op[f.nin];
    const int size = cu_host_itemsize(out.dtype);
    const int64_t columns = it->shape[last], rows = last ? it->shape[above] : 1;
    const int64_t step = last ? out.strides[above] : 0;
    cu_iter first; /* of which operands are copied that there are */

    memcpy(&first, it, offsetof(cu_iter, op) + it->nops * sizeof it->op[0]);
    first.ndim = last;
    first.size /= columns;
    first.contiguous = false;
    run(f, &first, copies);
    for (int64_t i = 0; i < first.size / rows; i++) {
        char *const plane = out.ptr + offset_of(it, out, above, i);
        parallel(rows, GRAIN / columns + 1, [=](int64_t begin, int64_t end) {
            char *const to = plane + begin * step;
            repeat_rows(size, to, step, to, step, end - begin, columns);
        });
    }
}

void
run(const operation &f, const cu_iter *it, bool copies)
{
    if (it->contiguous && !it->masked && run_dense(f, it)) return;
    if (repeats_along_rows(f, it, copies)) return run_repeated(f, it, copies);
    sweep w;
    (operation &)w = f;
    w.past_caches = stores_past_caches(f, it);
    w.copies = copies;
    set_operands(w, it);
    widen(w);
    char *packed[MAX_OPS];
    pack_shared_rows(w, packed);
    choose_plane(w);
    if (!copies && (goes_backwards(w) || joins_rows(w))) w.plain = false;
    if (w.shape[w.inner] < LONG_ROW) w.past_caches = false;
    run_in_parallel(w, it->size);
    for (int k = 0; k < w.nops(); k++) free(packed[k]);
}

} /* namespace */

cu_status
cu_host_elementwise(const cu_elementwise *e, cu_stream *)
{
    const operation f = {cu_host_loops(e->op, e->sig),
                         cu_host_loop_types(e->op, e->sig),
                         e->nin,
                         e->nout,
                         cu_host_is_slow(e->op),
                         false};
    if (CUPRIC_UNLIKELY(f.loops->any == nullptr)) {
        return cu_fail(CUPRIC_ERR_TYPE, "operation %d has no loop for signature %d",
                       e->op, e->sig);
    }
    run(f, e->it, false);
    return CUPRIC_OK;
}

cu_status
cu_host_convert(const cu_iter *it, cu_stream *)
{
    /* An immediate is cast once; the loop then copies. */
    const cu_dtype to = it->op[1].dtype, from = it->op[0].ptr ? it->op[0].dtype : to;
    const int8_t types[] = {(int8_t)from, (int8_t)to};
    const operation f = {cu_host_convert_loops(from, to), types, 1, 1, false, false};
    run(f, it, from == to);
    return CUPRIC_OK;
}
