/* _correlation.cuh: correlation with weights, along one axis or over several.
 *
 * X is what is read, W what is computed in (and the weights are of), Y what is written. An
 * output is y[i] = sum_k w[k] x[i + k - before], where elements outside come from the mode.
 */
#include "_correlation.h"
#include "_rows.cuh"
#include "_weights.cuh"
#include "_window.cuh"

__device__ inline bool
is_nothing(double w)
{
    return fabs(w) <= 2.220446049250313e-16;
}
template <class R>
__device__ inline bool
is_nothing(const complex<R> &w)
{
    return is_nothing((double)w.real()) && is_nothing((double)w.imag());
}

/* ---- weights that are alike on both sides ----------------------------------------------- */

/* Whether a GPU adds the elements on both sides of the middle before it multiplies, where the
 * weights are symmetric: as the host and SciPy do, to the bit. Of float a fused sum is faster,
 * and closer to the true one. */
template <class W>
struct pairs_count {
    enum { value = false };
};
template <>
struct pairs_count<double> {
    enum { value = true };
};

template <class W>
__device__ inline W
add_pair(const W &sum, const W &a, const W &b, bool is_even, const W &w)
{
    return add_product(sum, is_even ? a + b : a - b, w);
}

/* QUAD neighbours' sums over a window of an odd number of weights, as many on both sides of
 * the middle: from outside to the middle, which comes first. */
template <class W>
__device__ inline quad<W>
sum_of_pairs(const W *from, const quad<W> *weight, int taps, bool is_even)
{
    const int middle = taps / 2;
    const W center = weight[middle / QUAD].v[middle % QUAD];
    quad<W> sum;
    int k = 0;

#pragma unroll
    for (int r = 0; r < QUAD; r++) sum.v[r] = center * from[middle + r];
    if (middle >= QUAD) {
        /* Elements k to k + 6, and those from taps - 4 - k on: these begin in a quad at 1 or
         * at 3. */
        const quad<W> *p = (const quad<W> *)from;
        const quad<W> *q = p + (taps - QUAD) / QUAD;
        const bool three = (taps & 3) == 3;
        quad<W> a = *p, e = q[1], f = e;
        if (three) f = q[2];
        for (; k + QUAD <= middle; k += QUAD) {
            const quad<W> b = *++p, d = *q--, w = weight[k / QUAD];
            const W up[] = {a.v[0], a.v[1], a.v[2], a.v[3], b.v[0], b.v[1], b.v[2]};
            const W down[] = {three ? d.v[3] : d.v[1], three ? e.v[0] : d.v[2],
                              three ? e.v[1] : d.v[3], three ? e.v[2] : e.v[0],
                              three ? e.v[3] : e.v[1], three ? f.v[0] : e.v[2],
                              three ? f.v[1] : e.v[3]};
#pragma unroll
            for (int m = 0; m < QUAD; m++) {
#pragma unroll
                for (int r = 0; r < QUAD; r++)
                    sum.v[r] = add_pair(sum.v[r], up[m + r], down[QUAD - 1 - m + r],
                                        is_even, w.v[m]);
            }
            a = b, f = e, e = d;
        }
    }
#pragma unroll 1
    for (; k < middle; k++) {
        const W w = weight[k / QUAD].v[k % QUAD];
#pragma unroll
        for (int r = 0; r < QUAD; r++)
            sum.v[r] =
                add_pair(sum.v[r], from[k + r], from[taps - 1 - k + r], is_even, w);
    }
    return sum;
}

/* The same of DOWN outputs of a column (each_of_column), of which output 0's window begins at
 * `start`. weight(k): a weight. */
template <class W, class X, class F>
__device__ inline void
sum_column_of_pairs(W (&sum)[DOWN], const X *from, long long start,
                    const correlated_columns &p, W outside, const F &weight)
{
    const int taps = p.taps, middle = taps / 2, mode = p.mode;
    const long long n = p.n, inner = p.inner;
    const bool is_even = p.symmetry > 0;
    const bool inside = start >= 0 && start + taps + DOWN - 1 <= n;
    const auto value = [&](long long k) {
        long long i = start + k;
        if (!inside) i = boundary(i, n, mode);
        return i < 0 ? outside : W(from[i * inner]);
    };
    W up[DOWN], down[DOWN]; /* of pair k: elements k and taps - 1 - k of each window */

    const W center = weight(middle);
#pragma unroll
    for (int r = 0; r < DOWN; r++) sum[r] = center * value(middle + r);
#pragma unroll
    for (int r = 0; r < DOWN - 1; r++) up[r] = value(r), down[r] = value(taps + r);
    down[DOWN - 1] = W(0);
#pragma unroll 4
    for (int k = 0; k < middle; k++) {
        const W w = weight(k), first = value(taps - 1 - k);
        up[DOWN - 1] = value(k + DOWN - 1);
#pragma unroll
        for (int r = DOWN - 1; r > 0; r--) down[r] = down[r - 1];
        down[0] = first;
#pragma unroll
        for (int r = 0; r < DOWN; r++)
            sum[r] = add_pair(sum[r], up[r], down[r], is_even, w);
#pragma unroll
        for (int r = 0; r < DOWN - 1; r++) up[r] = up[r + 1];
    }
}

/* ---- windows that shared memory holds ---------------------------------------------------
 *
 * A GPU's piece is a tile: each thread makes QUAD neighbours at a time, and holds what they
 * share of a row of the window in registers. Where a window's elements lie `step` apart it
 * makes QUAD outputs that lie apart, too.
 */

/* The weights of a tile, in shared memory. */
template <class W>
struct tile_weights {
    quad<W> *weight; /* (window_rows, quads) */
    int *used;       /* a bit for each of four */
    int quads, taps;

    __device__ tile_weights(void *shared, const window_sizes &s)
        : quads((s.window[s.ndim - 1] + QUAD - 1) / QUAD), taps(s.window[s.ndim - 1])
    {
        weight = (quad<W> *)shared;
        used = (int *)(weight + s.window_rows * quads);
    }

    __device__ void read(const W *many, const few_weights<W> &few,
                         const window_sizes &s, bool skips) const
    {
#pragma unroll 1
        for (int i = threadIdx.x; i < s.window_rows * quads; i += TILE_THREADS) {
            const int row = i / quads, first = (i - row * quads) * QUAD;
            quad<W> four;
            int bits = 0;
            for (int m = 0; m < QUAD; m++) {
                four.v[m] = W(0);
                if (first + m >= taps) continue;
                four.v[m] = weight_of(many, few, row * taps + first + m);
                if (!skips || !is_nothing(four.v[m])) bits |= 1 << m;
            }
            weight[i] = four;
            used[i] = bits;
        }
    }

    __device__ W at(int row, int k) const
    {
        return weight[row * quads + k / QUAD].v[k % QUAD];
    }
    __device__ bool uses(int row, int k) const
    {
        return (used[row * quads + k / QUAD] >> (k % QUAD) & 1) != 0;
    }
};

/* The sums of QUAD neighbours. */
template <class W>
__device__ inline quad<W>
sum_of_rows(const W *from, const int *offset, const tile_weights<W> &weights,
            const window_sizes &s)
{
    quad<W> sum = {{W(0), W(0), W(0), W(0)}};
    int i = 0;

    for (int row = 0; row < s.window_rows; row++) {
        const quad<W> *p = (const quad<W> *)(from + offset[row]);
        quad<W> a = *p;
        for (int k = 0; k < weights.quads; k++, i++) {
            const quad<W> b = *++p, w = weights.weight[i];
            const int bits = weights.used[i];
            const W v[] = {a.v[0], a.v[1], a.v[2], a.v[3], b.v[0], b.v[1], b.v[2]};
            if (bits == (1 << QUAD) - 1) {
#pragma unroll
                for (int m = 0; m < QUAD; m++) {
#pragma unroll
                    for (int r = 0; r < QUAD; r++)
                        sum.v[r] = add_product(sum.v[r], w.v[m], v[m + r]);
                }
            } else {
#pragma unroll
                for (int m = 0; m < QUAD; m++) {
                    if ((bits >> m & 1) == 0) continue;
#pragma unroll
                    for (int r = 0; r < QUAD; r++)
                        sum.v[r] = add_product(sum.v[r], w.v[m], v[m + r]);
                }
            }
            a = b;
        }
    }
    return sum;
}

/* Of QUAD outputs that lie `apart`, as their windows' elements lie s.step. */
template <class W>
__device__ inline quad<W>
sum_apart(const W *from, const int *offset, const tile_weights<W> &weights,
          const window_sizes &s, int apart)
{
    quad<W> sum = {{W(0), W(0), W(0), W(0)}};

#pragma unroll 1
    for (int row = 0; row < s.window_rows; row++) {
        const W *p = from + offset[row];
#pragma unroll 1
        for (int k = 0; k < weights.taps; k++, p += s.step) {
            if (!weights.uses(row, k)) continue;
            const W w = weights.at(row, k);
#pragma unroll
            for (int r = 0; r < QUAD; r++)
                sum.v[r] = add_product(sum.v[r], w, p[r * apart]);
        }
    }
    return sum;
}

/* The same in pairs, from outside to the middle, which comes first. */
template <class W>
__device__ inline quad<W>
sum_of_pairs_apart(const W *from, const tile_weights<W> &weights, const window_sizes &s,
                   int apart, bool is_even)
{
    const int middle = weights.taps / 2;
    const W center = weights.at(0, middle);
    const W *a = from, *b = from + (weights.taps - 1) * s.step;
    quad<W> sum;

#pragma unroll
    for (int r = 0; r < QUAD; r++)
        sum.v[r] = center * from[middle * s.step + r * apart];
#pragma unroll 1
    for (int k = 0; k < middle; k++, a += s.step, b -= s.step) {
        const W w = weights.at(0, k);
#pragma unroll
        for (int r = 0; r < QUAD; r++)
            sum.v[r] = add_pair(sum.v[r], a[r * apart], b[r * apart], is_even, w);
    }
    return sum;
}

/* x, y: contiguous, of shape s; w: the window's weights in C order, or NULL where they are
 * few. Launch: blocks(p.pieces, TILE_THREADS, shared_mem=); the host takes those along the
 * last axis alone. */
template <class X, class W, class Y>
__global__ void
__launch_bounds__(TILE_THREADS, sizeof(W) <= 4 ? 4 : 2)
    correlate_tile(const X *x, const W *many,
                   const __grid_constant__ few_weights<W> few, Y *y,
                   const __grid_constant__ window_sizes s,
                   const __grid_constant__ correlated_tiles p)
{
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<W> tile(tile_memory, s);
    const tile_weights<W> weights(tile.rest, s);
    const W outside = number<W>::of(p.fill[0], p.fill[1]);
    const bool in_pairs = p.symmetry && pairs_count<W>::value;

    tile.start(s);
    weights.read(many, few, s, p.skips != 0);
    CUPRIC_EACH_BLOCK (piece, p.pieces) {
        read_tile(tile, x, s, piece, outside, [](const X &v) { return W(v); });
        tile.each(s, s.step == 1, [&](const W *from, long long to, int count) {
            if (s.step == 1) {
                const quad<W> sum = in_pairs
                                        ? sum_of_pairs(from, weights.weight,
                                                       weights.taps, p.symmetry > 0)
                                        : sum_of_rows(from, tile.offset, weights, s);
                quad<Y> found;
#pragma unroll
                for (int r = 0; r < QUAD; r++) found.v[r] = element<Y>::of(sum.v[r]);
                write_quad(y + to, found, count);
                return;
            }
            const int apart = tile.apart(s);
            const quad<W> sum =
                in_pairs ? sum_of_pairs_apart(from, weights, s, apart, p.symmetry > 0)
                         : sum_apart(from, tile.offset, weights, s, apart);
#pragma unroll
            for (int r = 0; r < QUAD; r++) {
                if (r < count) y[to + r * apart] = element<Y>::of(sum.v[r]);
            }
        });
    }
}

/* ---- along an axis whose elements lie far apart ---------------------------------------
 *
 * w: (taps,) or NULL where they are few. A piece is `height` outputs of WIDTH neighbouring
 * columns; there are rows * inner columns of n. On a GPU a thread makes DOWN outputs of a
 * column at a time: each element is read once for all of them.
 * Launch: blocks(pieces, WIDTH).
 */
template <class X, class W, class Y>
__global__ void
__launch_bounds__(WIDTH, sizeof(W) <= 4 ? 4 : 2)
    correlate_columns(const X *x, const W *many,
                      const __grid_constant__ few_weights<W> few, Y *y,
                      correlated_columns p)
{
    const W outside = number<W>::of(p.fill[0], p.fill[1]);
    const long long n = p.n, inner = p.inner, down = (n + p.height - 1) / p.height;
    const long long columns = p.rows * inner, across = (columns + WIDTH - 1) / WIDTH;

    CUPRIC_EACH_BLOCK (piece, down * across) {
        const long long layer = cupric::quotient(piece, across), i0 = layer * p.height;
        const long long column = (piece - layer * across) * WIDTH + threadIdx.x;
        const long long i1 = i0 + p.height < n ? i0 + p.height : n;
        if (column >= columns) continue;
        const long long row = cupric::quotient(column, inner);
        const X *const from = x + row * n * inner + column - row * inner;
        Y *out = y + (from - x) + i0 * inner;
        for (long long i = i0; i < i1; i += DOWN, out += DOWN * inner) {
            W sum[DOWN];
#pragma unroll
            for (int r = 0; r < DOWN; r++) sum[r] = W(0);
            if (pairs_count<W>::value && p.symmetry) {
                sum_column_of_pairs(sum, from, i - p.before, p, outside,
                                    [&](int k) { return weight_of(many, few, k); });
            } else {
                each_of_column<W>(
                    from, i - p.before, p.taps, n, inner, p.mode, outside,
                    [](const X &v) { return W(v); },
                    [&](int k, const W *v) {
                        const W w = weight_of(many, few, k);
#pragma unroll
                        for (int r = 0; r < DOWN; r++)
                            sum[r] = add_product(sum[r], w, v[r]);
                    });
            }
#pragma unroll
            for (int r = 0; r < DOWN; r++) {
                if (i + r < i1) out[r * inner] = element<Y>::of(sum[r]);
            }
        }
    }
}

/* ---- over several axes ------------------------------------------------------------------
 *
 * As correlate_tile, of windows of any size; step is 1. A piece is CHUNK outputs along the
 * last axis. For each weight all of them take elements of one row of x: it is found once,
 * for up to TAPS weights at a time.
 */
enum { TAPS = 128 };

template <class W>
struct chunk_tap {
    long long row, shift; /* row -1: outside; -2: of no weight */
    W weight;
};

/* Those from number `first` on, of which `count` are read, of a row of outputs. */
template <class W>
__device__ inline void
read_taps(chunk_tap<W> *some, long long first, int count, const W *many,
          const few_weights<W> &few, const window_sizes &s, long long row)
{
    for (int t = threadIdx.x; t < count; t += blockDim.x) {
        const window_tap place = tap_of(first + t, s, row);
        const W w = weight_of(many, few, first + t);
        some[t].row = is_nothing(w) ? -2 : place.row;
        some[t].shift = place.shift;
        some[t].weight = w;
    }
}

/* Adds a tap's part to outputs c, c + blockDim.x, ... of a row of n. */
template <class X, class W>
__device__ inline void
add_tap(W (&sum)[EACH], const chunk_tap<W> &tap, const X *x, long long c, long long n,
        int mode, W outside)
{
    const X *from = x + tap.row * n;
    const W wk = tap.weight;
    const int b = blockDim.x;

#pragma unroll
    for (int r = 0; r < EACH; r++) {
        if (c + r * b >= n) continue;
        long long i = c + r * b + tap.shift;
        if (tap.row == -1) {
            i = -1;
        } else if (i < 0 || i >= n) {
            i = boundary(i, n, mode);
        }
        sum[r] = add_product(sum[r], wk, i < 0 ? outside : W(from[i]));
    }
}

/* Launch: blocks(pieces, CHUNK_THREADS). */
template <class X, class W, class Y>
__global__ void
correlate_window(const X *x, const W *many, const __grid_constant__ few_weights<W> few,
                 Y *y, const __grid_constant__ window_sizes s,
                 const __grid_constant__ correlated_rows p)
{
    const int last = s.ndim - 1, mode = s.mode[last];
    const long long n = s.shape[last], chunks = (n + CHUNK - 1) / CHUNK;
    const W outside = number<W>::of(p.fill[0], p.fill[1]);
    __shared__ __align__(16) char memory[TAPS * sizeof(chunk_tap<W>)];
    chunk_tap<W> *const some = (chunk_tap<W> *)memory;

    CUPRIC_EACH_BLOCK (piece, p.rows * chunks) {
        const long long row = cupric::quotient(piece, chunks);
        const long long c = (piece - row * chunks) * CHUNK + threadIdx.x;
        const int b = blockDim.x;
        W sum[EACH] = {W(0), W(0), W(0), W(0)};
        for (long long k = 0; k < p.taps; k += TAPS) {
            const int m = (int)(p.taps - k < TAPS ? p.taps - k : TAPS);
            __syncthreads();
            read_taps(some, k, m, many, few, s, row);
            __syncthreads();
            for (int t = 0; t < m; t++) {
                if (some[t].row == -2) continue;
                add_tap(sum, some[t], x, c, n, mode, outside);
            }
        }
#pragma unroll
        for (int r = 0; r < EACH; r++) {
            if (c + r * b < n) y[row * n + c + r * b] = element<Y>::of(sum[r]);
        }
    }
}
