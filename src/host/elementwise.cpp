/* Elementwise operations and conversion: the inner loops carried over an iteration space.
 *
 * A dense iteration is one call of the loop, or a few in parallel. Otherwise two
 * dimensions, `inner` and `middle`, are swept tile by tile and a counter runs over the
 * others (elementwise_sweep.hpp); here they are chosen:
 *
 *     for others…  for tile of (middle, inner)  for row of tile  loop(inner)
 *
 * Operands stored in another type than the loop's, those that go backwards, and masked
 * outputs go through buffers that stay in the first-level cache, a chunk of a row or some
 * short rows at a time. Where some operands go along the rows and others across them, these
 * are turned, tile by tile. Results of large arrays are stored past the caches
 * (past_caches.h).
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "device/axes.h"
#include "host/elementwise_sweep.hpp"
#include "host/parallel.hpp"
#include "host/threads.h"

namespace {

constexpr int64_t SHORT_ROW = 12; /* elements: below, a call costs more than the row */
constexpr int64_t LANES_BYTES = 16; /* of the vectors of a transposition */
constexpr int64_t TILE = 32;        /* rows and columns of a transposition */
constexpr int64_t TURNED = 64;      /* columns of a tile of which operands are turned */
constexpr int TURNED_SIZE = 8;      /* larger elements lie far apart as it is */
constexpr int64_t WORTH_TURNING = 8; /* rows, and columns, where both are short */
constexpr int64_t LONG_ROW = 1024;   /* elements: worth lines past the caches */
constexpr int64_t SHORT_ROW_BYTES =
    256; /* of those that planes of few are walked for */
constexpr int64_t JOINED_ROW = 8, LONGEST_JOINED = 63; /* elements */
constexpr int64_t JOINED_BYTES = 200;                  /* copied for each row */
constexpr int64_t REPEATED = 8; /* times a number, that is worth two passes */
constexpr int64_t FEW_ROWS = 8; /* of a plane, below which they cost less than it */
constexpr int64_t PIECE_BYTES = 1 << 15; /* that a piece spans: a cache's */

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
    w.tile_middle = cu_host_threshold(TURNED_BYTES, TURNED_BYTES / 8) /
                    (TURNED * largest_of(w, w.turned));
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
    w.piece = cu_host_threshold(PIECE_BYTES, 64) / step_bytes(w, d);
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

/* Whether rows along the last dimension are copied as they are: they are dense, and neither
 * so short that elements are faster nor so long that a call for each costs nothing. */
bool
copies_rows(const sweep &w)
{
    const int64_t nbytes = last_bytes(w);
    return nbytes >= 16 && nbytes <= CUPRIC_SHORT_ROW_BYTES && is_dense_row(w);
}

/* Whether rows are so short that a copy of what does not follow costs less than a call for
 * each of them, and long enough that a call was not for their columns. */
bool
joins_rows(const sweep &w)
{
    const int64_t columns = w.shape[w.inner];
    if (w.middle < 0 || w.copies_rows || w.transposes || w.tile_inner != INT64_MAX ||
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
    w.copies_rows = false;
    if (w.middle < 0) return;
    w.copies_rows = copies_rows(w);
    const int across = w.shape[last] < 4 ? -1 : find_transposed(w);
    const bool joins = !w.copies && joins_rows(w);
    const bool is_short = w.shape[last] < SHORT_ROW && !w.copies_rows && !joins;
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
    const int divisible = w.ndim - w.copies_rows; /* a short row stays in one piece */
    int axis = 0;
    for (int d = 1; d < divisible && w.shape[axis] < 64; d++) {
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
    if (w.shape[w.inner] < cu_host_threshold(LONG_ROW, 4)) w.past_caches = false;
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
