/* _correlation.host.hpp: a tap is added to all outputs of a row, or of neighbouring columns,
 * at a time, up to four taps in a loop.
 */

template <class W>
inline const W *
weights_of(const W *many, const few_weights<W> &few)
{
    return many ? many : few.w;
}

/* `all` elements from `start` on of a row of n * step, in W. */
template <class X, class W>
inline void
read_line(W *line, const X *row, long long start, int all, long long n, int step,
          int mode, W outside)
{
    const long long length = n * step;
    int inside = start < 0 ? (int)(-start < all ? -start : all) : 0;
    int end = length - start < all ? (int)(length - start) : all;

    for (int j = 0; j < inside; j++)
        line[j] = row_element(row, start + j, n, step, mode, outside);
    if (end < inside) end = inside;
    for (int j = inside; j < end; j++) line[j] = W(row[start + j]);
    for (int j = end; j < all; j++)
        line[j] = row_element(row, start + j, n, step, mode, outside);
}

/* sum = sum + (a + b) w, or (a - b) w: in the order of SciPy, which rounding towards zero
 * shows. */
template <class W>
inline void
add_pairs(W *sum, const W *a, const W *b, W w, int count, bool is_even)
{
    if (is_even) {
        for (int j = 0; j < count; j++) sum[j] = sum[j] + (a[j] + b[j]) * w;
    } else {
        for (int j = 0; j < count; j++) sum[j] = sum[j] + (a[j] - b[j]) * w;
    }
}

template <class W>
inline void
sum_line_of_pairs(W *sum, const W *line, const W *w, int taps, int step, int count,
                  bool is_even)
{
    const int middle = taps / 2;
    const W *l = line + middle * step;

    for (int j = 0; j < count; j++) sum[j] = w[middle] * l[j];
    for (int k = 0; k < middle; k++) {
        const W *a = line + k * step, *b = line + (taps - 1 - k) * step;
        add_pairs(sum, a, b, w[k], count, is_even);
    }
}

template <class W>
inline void
sum_line(W *sum, const W *line, const W *w, int taps, int step, int count)
{
    int k = 1;

    for (int j = 0; j < count; j++) sum[j] = w[0] * line[j];
    for (; k + 4 <= taps; k += 4) {
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
}

/* x is (rows, n * step), and a piece SEGMENT elements of a row, with those that their sums
 * reach, in W: the line. (taps - 1) * step <= MOST_REACH. */
template <class X, class W, class Y>
__global__ void
correlate_tile(const X *x, const W *many, const few_weights<W> few, Y *y,
               const window_sizes s, const correlated_tiles p)
{
    const W outside = number<W>::of(p.fill[0], p.fill[1]);
    const int last = s.ndim - 1, taps = s.window[last], step = s.step;
    const int mode = s.mode[last];
    const long long n = s.shape[last], length = n * step;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int reach = (taps - 1) * step;
    const W *const w = weights_of(many, few);
    W line[SEGMENT + MOST_REACH + 8], sum[SEGMENT];

    CUPRIC_EACH_BLOCK (piece, p.pieces) {
        const long long first = piece % segments * SEGMENT;
        const X *row = x + piece / segments * length;
        Y *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - (long long)s.before[last] * step;
        read_line(line, row, start, count + reach, n, step, mode, outside);
        if (p.symmetry) {
            sum_line_of_pairs(sum, line, w, taps, step, count, p.symmetry > 0);
        } else {
            sum_line(sum, line, w, taps, step, count);
        }
        for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
    }
}

/* Neighbouring columns, `count` of them, of an array (n, inner) from x. */
template <class X, class W>
struct columns {
    const X *x;
    int count;
    const correlated_columns &p;
    W outside;

    /* Element i of each, which may be outside. */
    void read(long long i, W *line) const
    {
        const long long from = boundary(i, p.n, p.mode);
        const X *a = x + (from < 0 ? 0 : from) * p.inner;
        if (from < 0) {
            for (int j = 0; j < count; j++) line[j] = outside;
        } else {
            for (int j = 0; j < count; j++) line[j] = W(a[j]);
        }
    }

    /* Adds w times element i. */
    void add(long long i, W w, W *sum) const
    {
        const long long from = boundary(i, p.n, p.mode);
        const X *a = x + (from < 0 ? 0 : from) * p.inner;
        if (from < 0) {
            for (int j = 0; j < count; j++) sum[j] = sum[j] + w * outside;
        } else {
            for (int j = 0; j < count; j++) sum[j] = sum[j] + w * W(a[j]);
        }
    }

    void sum_pairs(long long start, const W *w, W *sum) const
    {
        const int middle = p.taps / 2;
        W one[WIDTH], two[WIDTH];

        read(start + middle, one);
        for (int j = 0; j < count; j++) sum[j] = w[middle] * one[j];
        for (int k = 0; k < middle; k++) {
            read(start + k, one);
            read(start + p.taps - 1 - k, two);
            add_pairs(sum, one, two, w[k], count, p.symmetry > 0);
        }
    }

    void sum_all(long long start, const W *w, W *sum) const
    {
        const bool inside = start >= 0 && start + p.taps <= p.n;
        int k = 0;

        for (int j = 0; j < count; j++) sum[j] = W(0);
        for (; inside && k + 4 <= p.taps; k += 4) {
            const W w0 = w[k], w1 = w[k + 1], w2 = w[k + 2], w3 = w[k + 3];
            const X *a = x + (start + k) * p.inner;
            const X *b = a + p.inner, *d = b + p.inner, *e = d + p.inner;
            for (int j = 0; j < count; j++) {
                sum[j] =
                    sum[j] + w0 * W(a[j]) + w1 * W(b[j]) + w2 * W(d[j]) + w3 * W(e[j]);
            }
        }
        for (; k < p.taps; k++) add(start + k, w[k], sum);
    }
};

/* Columns of one row at a time: neighbours in memory. */
template <class X, class W, class Y>
__global__ void
correlate_columns(const X *x, const W *many, few_weights<W> few, Y *y,
                  correlated_columns p)
{
    const long long n = p.n, inner = p.inner, down = (n + p.height - 1) / p.height;
    const long long across = (inner + WIDTH - 1) / WIDTH;
    const W *const w = weights_of(many, few);
    W sum[WIDTH];

    CUPRIC_EACH_BLOCK (piece, p.rows * down * across) {
        const long long c = piece % across * WIDTH,
                        i0 = piece / across % down * p.height;
        const long long at = piece / across / down * n * inner + c;
        const int count = (int)(inner - c < WIDTH ? inner - c : WIDTH);
        const long long i1 = i0 + p.height < n ? i0 + p.height : n;
        const columns<X, W> some = {x + at, count, p,
                                    number<W>::of(p.fill[0], p.fill[1])};
        for (long long i = i0; i < i1; i++) {
            if (p.symmetry) {
                some.sum_pairs(i - p.before, w, sum);
            } else {
                some.sum_all(i - p.before, w, sum);
            }
            Y *out = y + at + i * inner;
            for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
        }
    }
}

/* Rows of elements that are all there, up to four, until they are added to the sums. */
template <class X, class W>
struct waiting_rows {
    const X *row[4];
    W weight[4];
    int waiting = 0;

    void add(W *sum, int count)
    {
        const X *a = row[0], *b = row[1], *d = row[2], *e = row[3];
        const W w0 = weight[0], w1 = weight[1], w2 = weight[2], w3 = weight[3];
        if (waiting == 4) {
            for (int j = 0; j < count; j++)
                sum[j] =
                    sum[j] + w0 * W(a[j]) + w1 * W(b[j]) + w2 * W(d[j]) + w3 * W(e[j]);
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
    }

    void put(const X *from, W w, W *sum, int count)
    {
        row[waiting] = from;
        weight[waiting] = w;
        if (++waiting == 4) add(sum, count);
    }
};

template <class X, class W, class Y>
__global__ void
correlate_window(const X *x, const W *many, few_weights<W> few, Y *y,
                 const window_sizes s, correlated_rows p)
{
    const int last = s.ndim - 1, mode = s.mode[last];
    const long long n = s.shape[last], chunks = (n + CHUNK - 1) / CHUNK;
    const W outside = number<W>::of(p.fill[0], p.fill[1]);
    const W *const w = weights_of(many, few);
    W sum[CHUNK];

    CUPRIC_EACH_BLOCK (piece, p.rows * chunks) {
        const long long row = piece / chunks, c = piece % chunks * CHUNK;
        const int count = (int)(n - c < CHUNK ? n - c : CHUNK);
        waiting_rows<X, W> whole;
        for (int j = 0; j < count; j++) sum[j] = W(0);
        for (long long k = 0; k < p.taps; k++) {
            const W wk = w[k];
            if (is_nothing(wk)) continue;
            const window_tap t = tap_of(k, s, row);
            const long long first = c + t.shift; /* of the row, for j = 0 */
            if (t.row >= 0 && first >= 0 && first + count <= n) {
                whole.put(x + t.row * n + first, wk, sum, count);
                continue;
            }
            whole.add(sum, count);
            each_of_row(t.row < 0 ? nullptr : x + t.row * n, first, count, n, mode,
                        outside, [&](int j, auto v) { sum[j] = sum[j] + wk * W(v); });
        }
        whole.add(sum, count);
        Y *out = y + row * n + c;
        for (int j = 0; j < count; j++) out[j] = element<Y>::of(sum[j]);
    }
}
