/* _correlation.cuh: correlation with weights, along one axis or over several.
 *
 * X is what is read, W what is computed in (and the weights are of), Y what is written. An
 * output is y[i] = sum_k w[k] x[i + k - before], where elements outside come from the mode.
 * symmetry: 1 or -1 where the weights are alike, or of other sign, on both sides of that in
 * the middle.
 */
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

#if !defined(CUPRIC_HOST)

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
sum_column_of_pairs(W (&sum)[DOWN], const X *from, long long start, int taps,
                    long long n, long long inner, int mode, W outside, bool is_even,
                    const F &weight)
{
    const int middle = taps / 2;
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

#endif

/* ---- windows that shared memory holds, and on the host those along the last axis alone --
 *
 * x, y: contiguous, of shape s; w: the window's weights in C order, or NULL where they are
 * few. `skips`: weights that are zero are passed over, as in SciPy's n-dimensional filters.
 *
 * On a GPU a piece is a tile: each thread makes QUAD neighbours at a time, and holds what
 * they share of a row of the window in registers. Launch: blocks(tiles, TILE_THREADS,
 * shared_mem=). On the host x is (rows, n * step), and a piece SEGMENT elements of a row,
 * with those that their sums reach, in W: the line. (taps - 1) * step <= MOST_REACH.
 * Launch: blocks(rows * segments, 1).
 */

template <class X, class W, class Y>
__global__ void __launch_bounds__(256, sizeof(W) <= 4 ? 4 : 2)
    correlate_tile(const X *x, const W *many,
                   const __grid_constant__ few_weights<W> few, Y *y,
                   const __grid_constant__ window_sizes s, long long pieces, bool skips,
                   double fill, double fill_imag, int symmetry)
{
    const W outside = number<W>::of(fill, fill_imag);
    const int last = s.ndim - 1, taps = s.window[last];

#if defined(CUPRIC_HOST)
    const long long n = s.shape[last], inner = s.step, length = n * inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const long long before = s.before[last];
    const int reach = (taps - 1) * s.step, mode = s.mode[last];
    const W *const w = many ? many : few.w;
    W line[SEGMENT + MOST_REACH + 8], sum[SEGMENT];

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long first = piece % segments * SEGMENT;
        const X *row = x + piece / segments * length;
        Y *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - before * inner;
        const int all = count + reach;
        int inside = start < 0 ? (int)(-start < all ? -start : all) : 0;
        for (int j = 0; j < inside; j++)
            line[j] = row_element(row, start + j, n, inner, mode, outside);
        int end = length - start < all ? (int)(length - start) : all;
        if (end < inside) end = inside;
        for (int j = inside; j < end; j++) line[j] = W(row[start + j]);
        for (int j = end; j < all; j++)
            line[j] = row_element(row, start + j, n, inner, mode, outside);
        int k = 0;
        const int step = (int)inner;
        if (symmetry) { /* in the order of SciPy, which rounding towards zero shows */
            const int middle = taps / 2;
            const W *l = line + middle * step;
            for (int j = 0; j < count; j++) sum[j] = w[middle] * l[j];
            for (int k = 0; k < middle; k++) {
                const W wk = w[k];
                const W *a = line + k * step, *b = line + (taps - 1 - k) * step;
                if (symmetry > 0) {
                    for (int j = 0; j < count; j++)
                        sum[j] = sum[j] + (a[j] + b[j]) * wk;
                } else {
                    for (int j = 0; j < count; j++)
                        sum[j] = sum[j] + (a[j] - b[j]) * wk;
                }
            }
            for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
            continue;
        }
        for (int j = 0; j < count; j++) sum[j] = w[0] * line[j];
        for (k = 1; k + 4 <= taps; k += 4) {
            const W w0 = w[k], w1 = w[k + 1], w2 = w[k + 2], w3 = w[k + 3];
            const W *a = line + k * step, *b = a + step, *d = b + step, *e = d + step;
            for (int j = 0; j < count; j++)
                sum[j] = sum[j] + w0 * a[j] + w1 * b[j] + w2 * d[j] + w3 * e[j];
        }
        for (; k < taps; k++) {
            const W wk = w[k];
            const W *l = line + k * step;
            for (int j = 0; j < count; j++) sum[j] = sum[j] + wk * l[j];
        }
        for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
    }
#else
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<W> tile(tile_memory, s);
    const int quads = (taps + QUAD - 1) / QUAD;
    quad<W> *const weight = (quad<W> *)tile.rest; /* (window_rows, quads) */
    int *const used =
        (int *)(weight + s.window_rows * quads); /* a bit for each of four */
    const bool in_pairs = symmetry && pairs_count<W>::value;

    tile.start(s);
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
    CUPRIC_EACH_BLOCK (piece, pieces) {
        read_tile(tile, x, s, piece, outside, [](const X &v) { return W(v); });
        tile.each(s, s.step == 1, [&](const W *from, long long to, int count) {
            quad<W> sum = {{W(0), W(0), W(0), W(0)}};
            if (in_pairs && s.step == 1) {
                sum = sum_of_pairs(from, weight, taps, symmetry > 0);
            } else if (s.step == 1) {
                int i = 0;
                for (int row = 0; row < s.window_rows; row++) {
                    const quad<W> *p = (const quad<W> *)(from + tile.offset[row]);
                    quad<W> a = *p;
                    for (int k = 0; k < quads; k++, i++) {
                        const quad<W> b = *++p, w = weight[i];
                        const int bits = used[i];
                        const W v[] = {a.v[0], a.v[1], a.v[2], a.v[3],
                                       b.v[0], b.v[1], b.v[2]};
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
            }
            if (s.step == 1) {
                quad<Y> found;
#pragma unroll
                for (int r = 0; r < QUAD; r++) found.v[r] = element<Y>::of(sum.v[r]);
                write_quad(y + to, found, count);
                return;
            }
            const int apart = tile.apart(s);
            if (in_pairs) {
                const int middle = taps / 2;
                const W w = weight[middle / QUAD].v[middle % QUAD];
                const W *a = from, *b = from + (taps - 1) * s.step;
#pragma unroll
                for (int r = 0; r < QUAD; r++)
                    sum.v[r] = w * from[middle * s.step + r * apart];
#pragma unroll 1
                for (int k = 0; k < middle; k++, a += s.step, b -= s.step) {
                    const W w = weight[k / QUAD].v[k % QUAD];
#pragma unroll
                    for (int r = 0; r < QUAD; r++)
                        sum.v[r] = add_pair(sum.v[r], a[r * apart], b[r * apart],
                                            symmetry > 0, w);
                }
            } else {
#pragma unroll 1
                for (int row = 0; row < s.window_rows; row++) {
                    const W *p = from + tile.offset[row];
#pragma unroll 1
                    for (int k = 0; k < taps; k++, p += s.step) {
                        const int i = row * quads + k / QUAD;
                        if ((used[i] >> (k % QUAD) & 1) == 0) continue;
                        const W w = weight[i].v[k % QUAD];
#pragma unroll
                        for (int r = 0; r < QUAD; r++)
                            sum.v[r] = add_product(sum.v[r], w, p[r * apart]);
                    }
                }
            }
#pragma unroll
            for (int r = 0; r < QUAD; r++) {
                if (r < count) y[to + r * apart] = element<Y>::of(sum.v[r]);
            }
        });
    }
#endif
}

/* ---- along an axis whose elements lie far apart ---------------------------------------
 *
 * x, y: (rows, n, inner), w: (taps,) or NULL where they are few. A piece is `height` outputs
 * of WIDTH neighbouring columns; there are rows * inner columns of n. On a GPU a thread makes
 * DOWN outputs of a column at a time: each element is read once for all of them.
 * Launch: blocks(pieces, WIDTH).
 */

template <class X, class W, class Y>
__global__ void
__launch_bounds__(WIDTH, sizeof(W) <= 4 ? 4 : 2)
    correlate_columns(const X *x, const W *many,
                      const __grid_constant__ few_weights<W> few, Y *y, long long rows,
                      long long n, long long inner, int taps, long long before,
                      int mode, double fill, double fill_imag, int symmetry,
                      long long height)
{
    const W outside = number<W>::of(fill, fill_imag);
    const long long down = (n + height - 1) / height;

#if defined(CUPRIC_HOST)
    /* Columns of one row at a time: neighbours in memory. */
    const long long across = (inner + WIDTH - 1) / WIDTH;
    const W *const w = many ? many : few.w;
    W sum[WIDTH], one[WIDTH], two[WIDTH];

    CUPRIC_EACH_BLOCK (piece, rows * down * across) {
        const long long c = piece % across * WIDTH, i0 = piece / across % down * height;
        const long long at = piece / across / down * n * inner + c;
        const int count = (int)(inner - c < WIDTH ? inner - c : WIDTH);
        const long long i1 = i0 + height < n ? i0 + height : n;
        for (long long i = i0; i < i1; i++) {
            const bool inside = i >= before && i - before + taps <= n;
            int k = 0;
            if (symmetry) {
                const int middle = taps / 2;
                const auto load = [&](int k, W *line) {
                    const long long from = boundary(i - before + k, n, mode);
                    const X *a = x + at + (from < 0 ? 0 : from) * inner;
                    if (from < 0) {
                        for (int j = 0; j < count; j++) line[j] = outside;
                    } else {
                        for (int j = 0; j < count; j++) line[j] = W(a[j]);
                    }
                };
                load(middle, one);
                for (int j = 0; j < count; j++) sum[j] = w[middle] * one[j];
                for (; k < middle; k++) {
                    const W wk = w[k];
                    load(k, one);
                    load(taps - 1 - k, two);
                    if (symmetry > 0) {
                        for (int j = 0; j < count; j++)
                            sum[j] = sum[j] + (one[j] + two[j]) * wk;
                    } else {
                        for (int j = 0; j < count; j++)
                            sum[j] = sum[j] + (one[j] - two[j]) * wk;
                    }
                }
                Y *out = y + at + i * inner;
                for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
                continue;
            }
            for (int j = 0; j < count; j++) sum[j] = W(0);
            for (; inside && k + 4 <= taps; k += 4) {
                const W w0 = w[k], w1 = w[k + 1], w2 = w[k + 2], w3 = w[k + 3];
                const X *a = x + at + (i - before + k) * inner;
                const X *b = a + inner, *d = b + inner, *e = d + inner;
                for (int j = 0; j < count; j++) {
                    sum[j] = sum[j] + w0 * W(a[j]) + w1 * W(b[j]) + w2 * W(d[j]) +
                             w3 * W(e[j]);
                }
            }
            for (; k < taps; k++) {
                const long long from = boundary(i - before + k, n, mode);
                const X *a = x + at + (from < 0 ? 0 : from) * inner;
                const W wk = w[k];
                if (from < 0) {
                    for (int j = 0; j < count; j++) sum[j] = sum[j] + wk * outside;
                } else {
                    for (int j = 0; j < count; j++) sum[j] = sum[j] + wk * W(a[j]);
                }
            }
            Y *out = y + at + i * inner;
            for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
        }
    }
#else
    const long long columns = rows * inner, across = (columns + WIDTH - 1) / WIDTH;

    CUPRIC_EACH_BLOCK (piece, down * across) {
        const long long layer = cupric::quotient(piece, across), i0 = layer * height;
        const long long column = (piece - layer * across) * WIDTH + threadIdx.x;
        const long long i1 = i0 + height < n ? i0 + height : n;
        if (column >= columns) continue;
        const long long row = cupric::quotient(column, inner);
        const X *const from = x + row * n * inner + column - row * inner;
        Y *out = y + (from - x) + i0 * inner;
        for (long long i = i0; i < i1; i += DOWN, out += DOWN * inner) {
            W sum[DOWN];
#pragma unroll
            for (int r = 0; r < DOWN; r++) sum[r] = W(0);
            if (pairs_count<W>::value && symmetry) {
                sum_column_of_pairs(sum, from, i - before, taps, n, inner, mode,
                                    outside, symmetry > 0,
                                    [&](int k) { return weight_of(many, few, k); });
            } else {
                each_of_column<W>(
                    from, i - before, taps, n, inner, mode, outside,
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
#endif
}

/* ---- over several axes ------------------------------------------------------------------
 *
 * As correlate_tile, of windows of any size; step is 1. A piece is CHUNK outputs along the
 * last axis. For each weight all of them take elements of one row of x: it is found once,
 * for up to TAPS weights at a time. Launch: blocks(pieces, 128).
 */
enum { CHUNK = 512, TAPS = 128 };

template <class X, class W, class Y>
__global__ void
correlate_window(const X *x, const W *many, const __grid_constant__ few_weights<W> few,
                 Y *y, const __grid_constant__ window_sizes s, long long rows,
                 long long taps, double fill, double fill_imag)
{
    const int last = s.ndim - 1, mode = s.mode[last];
    const long long n = s.shape[last], chunks = (n + CHUNK - 1) / CHUNK;
    const W outside = number<W>::of(fill, fill_imag);

#if defined(CUPRIC_HOST)
    const W *const w = many ? many : few.w;
    W sum[CHUNK];

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = piece / chunks, c = piece % chunks * CHUNK;
        const int count = (int)(n - c < CHUNK ? n - c : CHUNK);
        const X *whole[4]; /* elements for all outputs, up to four weights at a time */
        W weight[4];
        int waiting = 0;
        const auto add_waiting = [&]() {
            const X *a = whole[0], *b = whole[1], *d = whole[2], *e = whole[3];
            const W w0 = weight[0], w1 = weight[1], w2 = weight[2], w3 = weight[3];
            if (waiting == 4) {
                for (int j = 0; j < count; j++)
                    sum[j] = sum[j] + w0 * W(a[j]) + w1 * W(b[j]) + w2 * W(d[j]) +
                             w3 * W(e[j]);
            } else if (waiting == 3) {
                for (int j = 0; j < count; j++)
                    sum[j] = sum[j] + w0 * W(a[j]) + w1 * W(b[j]) + w2 * W(d[j]);
            } else if (waiting == 2) {
                for (int j = 0; j < count; j++)
                    sum[j] = sum[j] + w0 * W(a[j]) + w1 * W(b[j]);
            } else if (waiting == 1) {
                for (int j = 0; j < count; j++) sum[j] = sum[j] + w0 * W(a[j]);
            }
            waiting = 0;
        };
        for (int j = 0; j < count; j++) sum[j] = W(0);
        for (long long k = 0; k < taps; k++) {
            const W wk = w[k];
            if (is_nothing(wk)) continue;
            const window_tap t = tap_of(k, s, row);
            const long long first = c + t.shift; /* of the row, for j = 0 */
            if (t.row >= 0 && first >= 0 && first + count <= n) {
                whole[waiting] = x + t.row * n + first;
                weight[waiting] = wk;
                if (++waiting == 4) add_waiting();
                continue;
            }
            add_waiting();
            each_of_row(t.row < 0 ? nullptr : x + t.row * n, first, count, n, mode,
                        outside, [&](int j, auto v) { sum[j] = sum[j] + wk * W(v); });
        }
        add_waiting();
        Y *out = y + row * n + c;
        for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
    }
#else
    struct tap {
        long long row, shift;
        W weight;
    };
    __shared__ __align__(16) char memory[TAPS * sizeof(tap)];
    tap *const some = (tap *)memory;

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = cupric::quotient(piece, chunks);
        const long long c = (piece - row * chunks) * CHUNK + threadIdx.x;
        const int b = blockDim.x;
        W sum[4] = {W(0), W(0), W(0), W(0)};
        for (long long k = 0; k < taps; k += TAPS) {
            const int m = (int)(taps - k < TAPS ? taps - k : TAPS);
            __syncthreads();
            for (int t = threadIdx.x; t < m; t += b) {
                const window_tap place = tap_of(k + t, s, row);
                const W w = weight_of(many, few, k + t);
                some[t].row = is_nothing(w) ? -2 : place.row;
                some[t].shift = place.shift;
                some[t].weight = w;
            }
            __syncthreads();
            for (int t = 0; t < m; t++) {
                if (some[t].row == -2) continue;
                const X *from = x + some[t].row * n;
                const W wk = some[t].weight;
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    if (c + r * b >= n) continue;
                    long long i = c + r * b + some[t].shift;
                    if (some[t].row == -1) {
                        i = -1;
                    } else if (i < 0 || i >= n) {
                        i = boundary(i, n, mode);
                    }
                    sum[r] = add_product(sum[r], wk, i < 0 ? outside : W(from[i]));
                }
            }
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            if (c + r * b < n) y[row * n + c + r * b] = element<Y>::of(sum[r]);
        }
    }
#endif
}

/* ---- sums of derivatives ----------------------------------------------------------------
 *
 * y += x; or as `squares` y += x**2, where y is a number before the `first` and its root
 * after the `last`. Launch: elements.
 */
template <class T>
__global__ void
add_derivative(const T *x, T *y, bool squares, bool first, bool last, long long size)
{
    using cupric::elementary::product; /* not fused with the sum */

    CUPRIC_EACH (i, size) {
        const T own = squares && first ? product(y[i], y[i]) : y[i];
        const T sum = own + (squares ? product(x[i], x[i]) : x[i]);
        y[i] = squares && last ? sqrt(sum) : sum;
    }
}
