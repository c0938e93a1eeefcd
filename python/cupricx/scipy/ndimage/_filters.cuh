/* _filters.cuh: correlation with weights, along one axis or over several; means.
 *
 * X is what is read, W what is computed in (and the weights are of), Y what is written. An
 * output is y[i] = sum_k w[k] x[i + k - before], where elements outside come from the mode.
 * symmetry: 1 or -1 where the weights are alike, or of other sign, on both sides of that in
 * the middle.
 */
#include "_boundary.cuh"

/* ---- along an axis whose elements lie close together ----------------------------------
 *
 * x, y: (rows, n, inner), w: (taps,). A piece is SEGMENT elements of a row of n * inner,
 * with the elements that its sums reach, in W: the line. Where it reaches out of the row,
 * the mode says what lies there. (taps - 1) * inner <= MOST_REACH.
 * Launch: blocks(rows * segments, 256).
 */
enum { SEGMENT = 2048, MOST_REACH = 1024 };

/* The element j of the row that begins at `row`, j outside of [0, n * inner) too. */
template <class X, class W>
__device__ inline W
line_element(const X *row, long long j, long long n, long long inner, int mode, W fill)
{
    if (j >= 0 && j < n * inner) return W(row[j]);
    long long i = j >= 0 ? j / inner : -((inner - 1 - j) / inner);
    const long long c = j - i * inner;
    i = boundary(i, n, mode);
    return i < 0 ? fill : W(row[i * inner + c]);
}

template <class X, class W, class Y>
__global__ void
correlate_line(const X *x, const W *w, Y *y, long long rows, long long n,
               long long inner, int taps, long long before, int mode, double fill,
               double fill_imag, int symmetry)
{
    const long long length = n * inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int reach = (taps - 1) * (int)inner;
    const W outside = number<W>::of(fill, fill_imag);

#if defined(CUPRIC_HOST)
    W line[SEGMENT + MOST_REACH + 8], sum[SEGMENT];

    CUPRIC_EACH_BLOCK (piece, rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const X *row = x + piece / segments * length;
        Y *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - before * inner;
        const int all = count + reach;
        int inside = start < 0 ? (int)(-start < all ? -start : all) : 0;
        for (int j = 0; j < inside; j++)
            line[j] = line_element(row, start + j, n, inner, mode, outside);
        int end = length - start < all ? (int)(length - start) : all;
        if (end < inside) end = inside;
        for (int j = inside; j < end; j++) line[j] = W(row[start + j]);
        for (int j = end; j < all; j++)
            line[j] = line_element(row, start + j, n, inner, mode, outside);
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
    __shared__ __align__(16) char memory[(SEGMENT + MOST_REACH) * sizeof(W)];
    W *const line = (W *)memory;

    CUPRIC_EACH_BLOCK (piece, rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const X *row = x + piece / segments * length;
        Y *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - before * inner;
        __syncthreads(); /* the line of the piece before has been read */
        for (int j = threadIdx.x; j < count + reach; j += blockDim.x)
            line[j] = line_element(row, start + j, n, inner, mode, outside);
        __syncthreads();
        for (int j = threadIdx.x; j < count; j += 4 * blockDim.x) {
            W sum[4] = {W(0), W(0), W(0), W(0)};
            const W *l = line + j;
            const int b = blockDim.x;
            for (int k = 0; k < taps; k++, l += inner) {
                const W wk = w[k];
                sum[0] = sum[0] + wk * l[0];
                if (j + b < count) sum[1] = sum[1] + wk * l[b];
                if (j + 2 * b < count) sum[2] = sum[2] + wk * l[2 * b];
                if (j + 3 * b < count) sum[3] = sum[3] + wk * l[3 * b];
            }
#pragma unroll
            for (int r = 0; r < 4; r++) {
                if (j + r * b < count) out[j + r * b] = element<Y>::of(sum[r]);
            }
        }
    }
#endif
}

/* ---- along an axis whose elements lie far apart ---------------------------------------
 *
 * x, y: (rows, n, inner), w: (taps,). A piece is HEIGHT outputs of WIDTH neighbouring
 * columns; there are rows * inner columns of n. A thread makes UNROLL outputs of a column
 * at a time: each element is read once for all of them. Launch: blocks(pieces, WIDTH).
 */
enum { WIDTH = 256, HEIGHT = 32, UNROLL = 8 };

template <class X, class W, class Y>
__global__ void
correlate_columns(const X *x, const W *w, Y *y, long long rows, long long n,
                  long long inner, int taps, long long before, int mode, double fill,
                  double fill_imag, int symmetry)
{
    const W outside = number<W>::of(fill, fill_imag);
    const long long down = (n + HEIGHT - 1) / HEIGHT;

#if defined(CUPRIC_HOST)
    /* Columns of one row at a time: neighbours in memory. */
    const long long across = (inner + WIDTH - 1) / WIDTH;
    W sum[WIDTH], one[WIDTH], two[WIDTH];

    CUPRIC_EACH_BLOCK (piece, rows * down * across) {
        const long long c = piece % across * WIDTH, i0 = piece / across % down * HEIGHT;
        const long long at = piece / across / down * n * inner + c;
        const int count = (int)(inner - c < WIDTH ? inner - c : WIDTH);
        const long long i1 = i0 + HEIGHT < n ? i0 + HEIGHT : n;
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
        const long long column = piece % across * WIDTH + threadIdx.x;
        const long long i0 = piece / across * HEIGHT;
        const long long i1 = i0 + HEIGHT < n ? i0 + HEIGHT : n;
        if (column >= columns) continue;
        const long long row = cupric::quotient(column, inner);
        const long long at = row * n * inner + column - row * inner;
        for (long long i = i0; i < i1; i += UNROLL) {
            const long long start = i - before;
            const bool inside = start >= 0 && start + taps + UNROLL - 1 <= n;
            W sum[UNROLL], weight[UNROLL]; /* weight[r]: of sum[r] for this element */
#pragma unroll
            for (int r = 0; r < UNROLL; r++) sum[r] = weight[r] = W(0);
            const X *p = x + at + start * inner;
            const int all = taps + UNROLL - 1;
            for (int k = 0; k < all; k += UNROLL, p += UNROLL * inner) {
                W value[UNROLL]; /* read before any is needed */
#pragma unroll
                for (int m = 0; m < UNROLL; m++) {
                    if (k + m >= all) {
                        value[m] = W(0);
                    } else if (inside) {
                        value[m] = W(p[m * inner]);
                    } else {
                        const long long from = boundary(start + k + m, n, mode);
                        value[m] = from < 0 ? outside : W(x[at + from * inner]);
                    }
                }
#pragma unroll
                for (int m = 0; m < UNROLL; m++) {
#pragma unroll
                    for (int r = UNROLL - 1; r > 0; r--) weight[r] = weight[r - 1];
                    weight[0] = k + m < taps ? w[k + m] : W(0);
#pragma unroll
                    for (int r = 0; r < UNROLL; r++) {
                        if (k + m >= r && k + m - r < taps)
                            sum[r] = sum[r] + weight[r] * value[m];
                    }
                }
            }
#pragma unroll
            for (int r = 0; r < UNROLL; r++) {
                if (i + r < i1) y[at + (i + r) * inner] = element<Y>::of(sum[r]);
            }
        }
    }
#endif
}

/* ---- over several axes ------------------------------------------------------------------
 *
 * x, y: contiguous, of `shape`; w: contiguous, of `window`, both of ndim lengths, then
 * `before` and `modes`: sizes[4 * ndim]. A piece is CHUNK outputs along the last axis. For
 * each weight all of them take elements of one row of x: it is found once, for up to
 * TAPS weights at a time. Weights that are zero are passed over, as in SciPy.
 * Launch: blocks(pieces, 128).
 */
enum { CHUNK = 512, TAPS = 128 };

template <class W>
struct tap {
    long long row;   /* of x; -1: outside; -2: passed over */
    long long shift; /* along the last axis */
    W weight;
};

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

/* The weight k of outputs of the row that `index` is in. */
template <class W>
__device__ inline tap<W>
tap_of(const W *w, long long k, const long long *sizes, int ndim, long long row)
{
    const long long *shape = sizes, *window = shape + ndim, *before = window + ndim,
                    *modes = before + ndim;
    tap<W> t = {0, 0, w[k]};
    long long stride = 1;
    if (is_nothing(t.weight)) t.row = -2;
    t.shift = k % window[ndim - 1] - before[ndim - 1];
    k /= window[ndim - 1];
    for (int d = ndim - 2; d >= 0; d--) {
        const long long i = row % shape[d] + k % window[d] - before[d];
        const long long from = boundary(i, shape[d], (int)modes[d]);
        if (from < 0 && t.row >= 0) t.row = -1;
        if (t.row >= 0) t.row += from * stride;
        stride *= shape[d];
        row /= shape[d];
        k /= window[d];
    }
    return t;
}

template <class X, class W, class Y>
__global__ void
correlate_window(const X *x, const W *w, Y *y, const long long *sizes, int ndim,
                 long long rows, long long taps, double fill, double fill_imag)
{
    const long long n = sizes[ndim - 1], chunks = (n + CHUNK - 1) / CHUNK;
    const int mode = (int)sizes[4 * ndim - 1];
    const W outside = number<W>::of(fill, fill_imag);

#if defined(CUPRIC_HOST)
    W sum[CHUNK];

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = piece / chunks, c = piece % chunks * CHUNK;
        const int count = (int)(n - c < CHUNK ? n - c : CHUNK);
        for (int j = 0; j < count; j++) sum[j] = W(0);
        for (long long k = 0; k < taps; k++) {
            const tap<W> t = tap_of(w, k, sizes, ndim, row);
            const W wk = t.weight;
            if (t.row == -2) continue;
            if (t.row == -1) {
                for (int j = 0; j < count; j++) sum[j] = sum[j] + wk * outside;
                continue;
            }
            const X *from = x + t.row * n;
            const long long first = c + t.shift; /* of the row, for j = 0 */
            const int begin = first < 0 ? (int)(-first < count ? -first : count) : 0;
            int end = n - first < count ? (int)(n - first) : count;
            if (end < begin) end = begin;
            for (int j = begin; j < end; j++) sum[j] = sum[j] + wk * W(from[first + j]);
            for (int j = 0; j < count; j++) {
                if (j == begin) j = end;
                if (j == count) break;
                const long long i = boundary(first + j, n, mode);
                sum[j] = sum[j] + wk * (i < 0 ? outside : W(from[i]));
            }
        }
        Y *out = y + row * n + c;
        for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
    }
#else
    __shared__ __align__(16) char memory[TAPS * sizeof(tap<W>)];
    tap<W> *const some = (tap<W> *)memory;

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = piece / chunks;
        const long long c = piece % chunks * CHUNK + threadIdx.x;
        const int b = blockDim.x;
        W sum[4] = {W(0), W(0), W(0), W(0)};
        for (long long k = 0; k < taps; k += TAPS) {
            const int m = (int)(taps - k < TAPS ? taps - k : TAPS);
            __syncthreads();
            for (int t = threadIdx.x; t < m; t += b)
                some[t] = tap_of(w, k + t, sizes, ndim, row);
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
                    sum[r] = sum[r] + wk * (i < 0 ? outside : W(from[i]));
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

/* ---- means of windows along an axis -----------------------------------------------------
 *
 * x, y: (rows, n, inner). Elements of odd numbers have a constant of their own: they are
 * imaginary where x is complex. Integers are divided, as their means are rounded down.
 */
template <class X>
__device__ inline X
mean_of(double sum, double size, double)
{
    return element<X>::of(sum / size);
}
template <>
__device__ inline float
mean_of<float>(double sum, double, double share)
{
    return (float)(sum * share);
}

/* As correlate_line. Sums of 1, 2, 4, … elements come of each other, and the window's of
 * those that its size has as a number in base 2. (size - 1) * inner <= MOST_REACH.
 * Launch: blocks(rows * segments, 256).
 */
template <class X>
__global__ void
uniform_line(const X *x, X *y, long long rows, long long n, long long inner, int size,
             long long before, int mode, double fill, double fill_imag)
{
    const long long length = n * inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int reach = (size - 1) * (int)inner;
    const double share = 1.0 / size;

#if defined(CUPRIC_HOST)
    double one[SEGMENT + MOST_REACH + 8], two[SEGMENT + MOST_REACH + 8], sum[SEGMENT];

    const int tile = reach > 256 ? SEGMENT : 512; /* for the nearest cache */
    const int tiles = SEGMENT / tile;

    CUPRIC_EACH_BLOCK (piece, rows * segments * tiles) {
        const long long row_at = piece / (segments * tiles) * length;
        const long long first = piece % (segments * tiles) * tile;
        if (first >= length) continue;
        const X *row = x + row_at;
        X *out = y + row_at + first;
        const int count = (int)(length - first < tile ? length - first : tile);
        const long long start = first - before * inner;
        const int all = count + reach;
        int inside = start < 0 ? (int)(-start < all ? -start : all) : 0;
        int end = length - start < all ? (int)(length - start) : all;
        if (end < inside) end = inside;
        for (int j = 0; j < all; j++) {
            if (j == inside) j = end;
            if (j == all) break;
            const double outside = (start + j) & 1 ? fill_imag : fill;
            one[j] = line_element(row, start + j, n, inner, mode, outside);
        }
        const X *from = row + start;
        for (int j = inside; j < end; j++) one[j] = double(from[j]);
        double *now = one, *next = two;
        int done = 0; /* elements that are in sum[0] already */
        for (int bit = 1;; bit *= 2) {
            if (size & bit) {
                const double *l = now + done * (int)inner;
                if (done == 0) {
                    for (int j = 0; j < count; j++) sum[j] = l[j];
                } else {
                    for (int j = 0; j < count; j++) sum[j] = sum[j] + l[j];
                }
                done += bit;
            }
            if (done == size) break;
            const int step = bit * (int)inner, some = all - (2 * bit - 1) * (int)inner;
            const double *l = now + step;
            for (int j = 0; j < some; j++) next[j] = now[j] + l[j];
            double *last = now;
            now = next;
            next = last;
        }
        for (int j = 0; j < count; j++) out[j] = mean_of<X>(sum[j], size, share);
    }
#else
    enum { PER = (SEGMENT + MOST_REACH) / 256 };
    __shared__ double line[SEGMENT + MOST_REACH];

    CUPRIC_EACH_BLOCK (piece, rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const X *row = x + piece / segments * length;
        X *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - before * inner;
        const int all = count + reach;
        double sum[SEGMENT / 256];
#pragma unroll
        for (int r = 0; r < SEGMENT / 256; r++) sum[r] = 0;
        __syncthreads(); /* the line of the piece before has been read */
        for (int j = threadIdx.x; j < all; j += 256) {
            const double outside = (start + j) & 1 ? fill_imag : fill;
            line[j] = line_element(row, start + j, n, inner, mode, outside);
        }
        int done = 0;
        for (int bit = 1; done < size; bit *= 2) {
            __syncthreads();
            if (size & bit) {
#pragma unroll
                for (int r = 0; r < SEGMENT / 256; r++) {
                    const int j = threadIdx.x + r * 256;
                    if (j < count) sum[r] += line[j + done * (int)inner];
                }
                done += bit;
            }
            if (done < size) { /* the same for all threads */
                double more[PER];
                const int step = bit * (int)inner,
                          some = all - (2 * bit - 1) * (int)inner;
#pragma unroll
                for (int r = 0; r < PER; r++) {
                    const int j = threadIdx.x + r * 256;
                    more[r] = j < some ? line[j] + line[j + step] : 0;
                }
                __syncthreads();
#pragma unroll
                for (int r = 0; r < PER; r++) {
                    const int j = threadIdx.x + r * 256;
                    if (j < some) line[j] = more[r];
                }
            }
        }
#pragma unroll
        for (int r = 0; r < SEGMENT / 256; r++) {
            const int j = threadIdx.x + r * 256;
            if (j < count) out[j] = mean_of<X>(sum[r], size, share);
        }
    }
#endif
}

/* As correlate_columns: a piece is `height` outputs, each sum of the one before, of WIDTH
 * neighbouring columns. height >= size, so that the first sums cost no more than others.
 * Launch: blocks(pieces, WIDTH).
 */
template <class X>
__global__ void
uniform_columns(const X *x, X *y, long long rows, long long n, long long inner,
                long long size, long long before, int mode, double fill,
                double fill_imag, long long height)
{
    const long long down = (n + height - 1) / height;
    const double share = 1.0 / size;

#if defined(CUPRIC_HOST)
    const long long across = (inner + WIDTH - 1) / WIDTH;
    double sum[WIDTH], constant[WIDTH];

    for (int j = 0; j < WIDTH; j++) constant[j] = j & 1 ? fill_imag : fill;
    CUPRIC_EACH_BLOCK (piece, rows * down * across) {
        const long long c = piece % across * WIDTH, i0 = piece / across % down * height;
        const long long at = piece / across / down * n * inner + c;
        const int count = (int)(inner - c < WIDTH ? inner - c : WIDTH);
        const long long i1 = i0 + height < n ? i0 + height : n;
        for (int j = 0; j < count; j++) sum[j] = 0;
        for (long long i = i0 - before; i < i1 - before + size - 1; i++) {
            const long long enters = boundary(i, n, mode);
            const X *a = x + at + (enters < 0 ? 0 : enters) * inner;
            if (enters < 0) {
                for (int j = 0; j < count; j++) sum[j] += constant[j];
            } else {
                for (int j = 0; j < count; j++) sum[j] += double(a[j]);
            }
            const long long to = i + before - size + 1;
            if (to < i0) continue;
            X *out = y + at + to * inner;
            for (int j = 0; j < count; j++) out[j] = mean_of<X>(sum[j], size, share);
            const long long leaves = boundary(i - size + 1, n, mode);
            const X *b = x + at + (leaves < 0 ? 0 : leaves) * inner;
            if (leaves < 0) {
                for (int j = 0; j < count; j++) sum[j] -= constant[j];
            } else {
                for (int j = 0; j < count; j++) sum[j] -= double(b[j]);
            }
        }
    }
#else
    const long long columns = rows * inner, across = (columns + WIDTH - 1) / WIDTH;

    CUPRIC_EACH_BLOCK (piece, down * across) {
        const long long column = piece % across * WIDTH + threadIdx.x;
        const long long i0 = piece / across * height;
        const long long i1 = i0 + height < n ? i0 + height : n;
        if (column >= columns) continue;
        const long long row = cupric::quotient(column, inner);
        const X *from = x + row * n * inner + column - row * inner;
        X *out = y + (from - x);
        const double outside = column & 1 ? fill_imag : fill;
        double sum = 0;
#pragma unroll 4
        for (long long i = i0 - before; i < i0 - before + size - 1; i++) {
            const long long k = boundary(i, n, mode);
            sum += k < 0 ? outside : double(from[k * inner]);
        }
#pragma unroll 4
        for (long long i = i0; i < i1; i++) {
            const long long enters = boundary(i - before + size - 1, n, mode);
            const long long leaves = boundary(i - before, n, mode);
            const double in = enters < 0 ? outside : double(from[enters * inner]);
            const double less = leaves < 0 ? outside : double(from[leaves * inner]);
            sum += in;
            out[i * inner] = mean_of<X>(sum, size, share);
            sum -= less;
        }
    }
#endif
}
