/* _window.cuh: windows over several axes, and where the elements of an output's lie.
 *
 * An output's window begins `before` elements before it along each axis; what lies outside
 * of the array, the modes say. All arrays are contiguous.
 */
#include "../_boundary.cuh"
#include "_window.h"

/* What stands for element j of a row of n * step, which may lie outside: its index, or -1
 * for the constant. */
__device__ inline long long
row_index(long long j, long long n, long long step, int mode)
{
    if (j >= 0 && j < n * step) return j;
    if (step == 1) return boundary(j, n, mode);
    long long i = j >= 0 ? j / step : -((step - 1 - j) / step);
    const long long c = j - i * step;
    i = boundary(i, n, mode);
    return i < 0 ? -1 : i * step + c;
}

template <class X, class W>
__device__ inline W
row_element(const X *row, long long j, long long n, long long step, int mode, W fill)
{
    const long long i = row_index(j, n, step, mode);
    return i < 0 ? fill : W(row[i]);
}

/* ---- a row of outputs ------------------------------------------------------------------- */

struct window_tap {
    long long row;   /* that an element of the window lies in; -1: outside */
    long long shift; /* along the last axis */
};

/* The element k of the windows of a row of outputs. */
__device__ inline window_tap
tap_of(long long k, const window_sizes &s, long long row)
{
    const int last = s.ndim - 1;
    window_tap t = {0, (k % s.window[last] - s.before[last]) * s.step};
    long long stride = 1;
    k /= s.window[last];
    for (int d = last - 1; d >= 0; d--) {
        const long long n = s.shape[d], i = row % n + k % s.window[d] - s.before[d];
        const long long from = boundary(i, n, s.mode[d]);
        if (from < 0) t.row = -1;
        if (t.row >= 0) t.row += from * stride;
        stride *= n;
        row /= n;
        k /= s.window[d];
    }
    return t;
}

/* ---- a tile of outputs, in shared memory -------------------------------------------------
 *
 * A tile is 2^tile[d] outputs along each axis; with what their windows reach it is
 * `tile_rows` rows, `pitch` elements apart in shared memory, of type W. Tables say where
 * the rows are. Shared memory: Tiles.nbytes of _window.py.
 */
template <class W>
struct alignas(QUAD * sizeof(W) < 16 ? QUAD * sizeof(W) : 16) quad {
    W v[QUAD];
};

template <class W>
struct window_tile {
    W *memory;
    long long *corner; /* the first output, along each axis */
    long long *source; /* of each row of the tile: its row in x, or -1 */
    long long *target; /* of each row of outputs: its row in y, or -1 */
    int *at;           /* of each row of outputs: where its windows begin, in memory */
    int *offset;       /* of each row of the window: how far behind that it lies */
    void *rest;        /* what shared memory there is behind, 16-byte aligned */
    long long own_first, own_row; /* of rows alone: those of the warp, row -1: none */

    __device__ window_tile(void *shared, const window_sizes &s)
    {
        char *const start = (char *)shared; /* no address as a number: it is known to be
                                               one of shared memory */
        const int rows = 1 << s.out_rows;
        int used = (s.tile_rows * s.pitch * (int)sizeof(W) + 15) / 16 * 16;
        memory = (W *)start;
        corner = (long long *)(start + used);
        source = corner + s.ndim;
        target = source + s.tile_rows;
        at = (int *)(target + rows);
        offset = at + rows;
        used += 8 * (s.ndim + s.tile_rows + rows) + 4 * (rows + s.window_rows);
        rest = start + (used + 15) / 16 * 16;
    }

    /* What is the same for all tiles. Then a barrier is due. */
    __device__ void start(const window_sizes &s) const
    {
        const int last = s.ndim - 1;
        for (int k = threadIdx.x; k < s.window_rows; k += TILE_THREADS) {
            int rest = k, row = 0, stride = 1;
#pragma unroll 1
            for (int d = last - 1; d >= 0; d--) {
                row += rest % s.window[d] * stride;
                rest /= s.window[d];
                stride *= (1 << s.tile[d]) + s.window[d] - 1;
            }
            offset[k] = row * s.pitch;
        }
        for (int r = threadIdx.x; r < 1 << s.out_rows; r += TILE_THREADS) {
            int rest = r, row = 0, stride = 1;
#pragma unroll 1
            for (int d = last - 1; d >= 0; d--) {
                row += (rest & ((1 << s.tile[d]) - 1)) * stride;
                rest >>= s.tile[d];
                stride *= (1 << s.tile[d]) + s.window[d] - 1;
            }
            at[r] = row * s.pitch;
        }
    }

    __device__ static long long least(long long a, long long b)
    {
        return a < b ? a : b;
    }

    /* The tables of a tile: each thread finds the corner for itself, as a barrier would
     * cost more. */
    __device__ void find_rows(const window_sizes &s, long long piece) const
    {
        const int last = s.ndim - 1, rows = s.tile_rows + (1 << s.out_rows);
        for (int q = threadIdx.x; q < rows; q += TILE_THREADS) {
            const bool reads = q < s.tile_rows;
            long long row = 0, stride = 1, left = piece;
            unsigned rest = reads ? q : q - s.tile_rows;
#pragma unroll 1
            for (int d = last; d >= 0; d--) {
                const long long n = s.shape[d], all = d == last ? n * s.step : n;
                const long long tiles = (all + (1ll << s.tile[d]) - 1) >> s.tile[d];
                const long long next =
                    tiles == 1 ? left : cupric::quotient(left, tiles);
                const long long first = (left - next * tiles) << s.tile[d];
                left = next;
                if (d == last) {
                    if (q == 0) corner[0] = first;
                    continue;
                }
                const unsigned wide = 1u << s.tile[d],
                               reach = reads ? s.window[d] - 1 : 0;
                const unsigned up = reach ? rest / (wide + reach) : rest >> s.tile[d];
                long long i = first + (rest - up * (wide + reach));
                rest = up;
                /* Further on there are no outputs: any row will do. */
                if (reads)
                    i = boundary(i - s.before[d], n, s.mode[d]);
                else if (i >= n)
                    i = -1;
                row = row < 0 || i < 0 ? -1 : row + i * stride;
                stride *= n;
            }
            (reads ? source : target)[reads ? q : q - s.tile_rows] = row;
        }
    }

    /* Read the elements from `begin` on of a row, as many as a row of the tile has, AT_ONCE
     * of a thread asked for before the first is used. Those beyond its ends are waited for
     * along with the first ones. */
    template <int AT_ONCE, class X, class F>
    __device__ void read_row(W *to, const X *from, const window_sizes &s,
                             long long begin, int lane, int lanes, W outside,
                             const F &f) const
    {
        const int last = s.ndim - 1, reach = (s.window[last] - 1) * s.step;
        const long long n = s.shape[last], length = n * s.step;
        /* Of elements far behind the row no window is asked for. */
        const int whole = (1 << s.tile[last]) + reach;
        const int width = (int)least(whole, length + reach - begin);
        const int low = (int)least(width, begin < 0 ? -begin : 0);
        const int high =
            (int)least(width, length - begin); /* in the row: [low, high) */
        const int beyond = width - (high - low);
        int e = lane, j = low + lane;

#pragma unroll 1
        do {
            X v[AT_ONCE];
#pragma unroll
            for (int m = 0; m < AT_ONCE; m++) {
                if (j + m * lanes < high) v[m] = from[begin + j + m * lanes];
            }
#pragma unroll 1
            for (; e < beyond; e += lanes) {
                const int k = e < low ? e : high + e - low;
                const long long i = row_index(begin + k, n, s.step, s.mode[last]);
                to[k] = i < 0 ? outside : f(from[i]);
            }
#pragma unroll
            for (int m = 0; m < AT_ONCE; m++) {
                if (j + m * lanes < high) to[j + m * lanes] = f(v[m]);
            }
            j += AT_ONCE * lanes;
        } while (j < high);
    }

    /* How far the QUAD outputs of a thread lie apart, where they are not neighbours: then
     * those of neighbouring threads are, and meet in no bank of shared memory. */
    __device__ static int apart(const window_sizes &s)
    {
        return 1 << (s.tile[s.ndim - 1] - 2);
    }

    /* Calls f(where the windows begin in memory, the first output's number in y, how many
     * there are) for QUAD outputs at a time. */
    template <class F>
    __device__ void each(const window_sizes &s, bool neighbours, const F &f) const
    {
        const int last = s.ndim - 1, wide = s.tile[last] - 2;
        const int apart = neighbours ? 1 : 1 << wide;
        const long long length = s.shape[last] * s.step;
        if (s.alone) {
            const W *const from = memory + threadIdx.x / 32 * s.pitch;
            for (int c = threadIdx.x % 32; own_row >= 0 && c < 1 << wide; c += 32) {
                const int j = neighbours ? QUAD * c : c;
                const long long left = length - own_first - j;
                if (left <= 0) continue;
                const int count =
                    left > (QUAD - 1) * apart ? QUAD : (int)((left - 1) / apart) + 1;
                f(from + j, own_row * length + own_first + j, count);
            }
            return;
        }
        const long long first = *corner;
        for (int g = threadIdx.x; g < 1 << (s.out_rows + wide); g += TILE_THREADS) {
            const int r = g >> wide, c = g & ((1 << wide) - 1);
            const int j = neighbours ? QUAD * c : c;
            const long long row = target[r], left = length - first - j;
            if (row < 0 || left <= 0) continue;
            const int count =
                left > (QUAD - 1) * apart ? QUAD : (int)((left - 1) / apart) + 1;
            f(memory + at[r] + j, row * length + first + j, count);
        }
    }
};

/* Read a tile of x; elements are f(x). All threads: barriers. */
template <class W, class X, class F>
__device__ inline void
read_tile(window_tile<W> &tile, const X *x, const window_sizes &s, long long piece,
          const W &outside, const F &f)
{
    const int last = s.ndim - 1;
    const long long before = (long long)s.before[last] * s.step;
    const long long length = s.shape[last] * s.step;
    enum { WIDE = sizeof(X) <= 4 };
    if (s.alone) { /* warps do not wait for each other but for what start() writes */
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        const long long across = (length + (1ll << s.tile[last]) - 1) >> s.tile[last];
        const long long down = cupric::quotient(piece, across);
        const long long row = down * (TILE_THREADS / 32) + warp;
        tile.own_first = (piece - down * across) << s.tile[last];
        tile.own_row = row < s.shape[0] ? row : -1;
        if (piece != blockIdx.x) __syncwarp(); /* what was read has been used */
        if (tile.own_row >= 0)
            tile.template read_row<WIDE ? 9 : 5>(
                tile.memory + warp * s.pitch, x + row * length, s,
                tile.own_first - before, lane, 32, outside, f);
        if (piece != blockIdx.x)
            __syncwarp();
        else
            __syncthreads();
        return;
    }
    if (piece != blockIdx.x) __syncthreads(); /* what was read has been used */
    tile.find_rows(s, piece);
    __syncthreads();
    const int lanes = 1 << s.lanes, lane = threadIdx.x & (lanes - 1);
    const int whole = (1 << s.tile[last]) + (s.window[last] - 1) * s.step;
    for (int q = threadIdx.x >> s.lanes; q < s.tile_rows;
         q += TILE_THREADS >> s.lanes) {
        W *const to = tile.memory + q * s.pitch;
        if (tile.source[q] >= 0) {
            tile.template read_row<WIDE ? 5 : 3>(to, x + tile.source[q] * length, s,
                                                 *tile.corner - before, lane, lanes,
                                                 outside, f);
        } else {
            for (int j = lane; j < whole; j += lanes) to[j] = outside;
        }
    }
    __syncthreads();
}

/* What QUAD neighbours' windows of `size` >= QUAD elements come to, one after the other, by
 * an associative op: what they share is combined once. f makes a value of an element. */
template <class A, class X, class F, class OP>
__device__ inline quad<A>
fold_windows(const X *from, int size, const F &f, const OP &op)
{
    const quad<X> *p = (const quad<X> *)from;
    const quad<X> head = *p++;
    A common = f(head.v[3]);
    int k = QUAD;
    for (; k + QUAD <= size; k += QUAD, p++) {
        const quad<X> q = *p;
        common = op(common, op(op(f(q.v[0]), f(q.v[1])), op(f(q.v[2]), f(q.v[3]))));
    }
    const quad<X> a = p[0], b = p[1];
    const int rest = size - k;
    if (rest > 0) common = op(common, f(a.v[0]));
    if (rest > 1) common = op(common, f(a.v[1]));
    if (rest > 2) common = op(common, f(a.v[2]));
    const X x0 = rest == 0 ? a.v[0] : rest == 1 ? a.v[1] : rest == 2 ? a.v[2] : a.v[3];
    const X x1 = rest == 0 ? a.v[1] : rest == 1 ? a.v[2] : rest == 2 ? a.v[3] : b.v[0];
    const X x2 = rest == 0 ? a.v[2] : rest == 1 ? a.v[3] : rest == 2 ? b.v[0] : b.v[1];
    const A last = f(head.v[2]), tail = f(x0);
    const A two = op(f(head.v[1]), last), more = op(tail, f(x1));
    quad<A> found;
    found.v[0] = op(op(f(head.v[0]), two), common);
    found.v[1] = op(op(two, common), tail);
    found.v[2] = op(op(last, common), more);
    found.v[3] = op(common, op(more, f(x2)));
    return found;
}

/* Writes QUAD neighbours, or fewer. */
template <class Y>
__device__ inline void
write_quad(Y *y, const quad<Y> &v, int count)
{
    if (count == QUAD && ((size_t)y & (alignof(quad<Y>) - 1)) == 0) {
        *(quad<Y> *)y = v;
        return;
    }
#pragma unroll
    for (int r = 0; r < QUAD; r++) {
        if (r < count) y[r] = v.v[r];
    }
}

/* ---- windows down a column, in registers --------------------------------------------------
 *
 * A thread makes DOWN outputs of a column at a time. use(k, v) is called for each element k
 * of a window of `size`: v[r] is that of output r, f(its element of x).
 */
/* COUNT elements more; `held` are the DOWN - 1 before. */
template <int COUNT, class V, class NEXT, class USE>
__device__ inline void
some_of_column(V *held, const NEXT &next, const USE &use)
{
    V v[DOWN - 1 + COUNT];
#pragma unroll
    for (int m = 0; m < COUNT; m++)
        v[DOWN - 1 + m] = next(m); /* before any is needed */
#pragma unroll
    for (int r = 0; r < DOWN - 1; r++) v[r] = held[r];
#pragma unroll
    for (int m = 0; m < COUNT; m++) use(m, v + m);
#pragma unroll
    for (int r = 0; r < DOWN - 1; r++) held[r] = v[COUNT + r];
}

/* `from` is the column's first element, of n that lie `inner` apart; `start` the first
 * element of output 0's window. */
template <class V, class X, class F, class USE>
__device__ inline void
each_of_column(const X *from, long long start, int size, long long n, long long inner,
               int mode, V outside, const F &f, const USE &use)
{
    V held[DOWN - 1];

    if (start >= 0 && start + size + DOWN - 1 <= n) {
        const X *p = from + start * inner;
        const auto next = [&](int m) { return f(p[m * inner]); };
        int k = 0;
        const auto with = [&](int m, const V *v) { use(k + m, v); };
#pragma unroll
        for (int r = 0; r < DOWN - 1; r++) held[r] = next(r);
        p += (DOWN - 1) * inner;
        for (; k + DOWN <= size; k += DOWN, p += DOWN * inner)
            some_of_column<DOWN>(held, next, with);
        if (k + DOWN / 2 <= size) {
            some_of_column<DOWN / 2>(held, next, with);
            k += DOWN / 2, p += DOWN / 2 * inner;
        }
        for (; k < size; k++, p += inner) some_of_column<1>(held, next, with);
        return;
    }
    /* The registers first take elements; then they are used. */
#pragma unroll 1
    for (int k = 1 - DOWN; k < size; k++) {
        const long long i = boundary(start + k + DOWN - 1, n, mode);
        const V last = i < 0 ? outside : f(from[i * inner]);
        if (k >= 0) {
            some_of_column<1>(
                held, [&](int) { return last; }, [&](int, const V *v) { use(k, v); });
            continue;
        }
#pragma unroll
        for (int r = 0; r < DOWN - 2; r++) held[r] = held[r + 1];
        held[DOWN - 2] = last;
    }
}
