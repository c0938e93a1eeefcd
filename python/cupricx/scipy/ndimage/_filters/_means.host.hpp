/* _means.host.hpp: sums of all outputs of a line, or of neighbouring columns, at a time. */

/* Not launched: lines are made by uniform_line. */
template <class X>
__global__ void
uniform_tile(const X *x, X *y, const window_sizes s, long long pieces, int size,
             double fill)
{
}

/* `all` elements from `start` on of a row. */
template <class X>
inline void
read_doubles(double *line, const X *row, long long start, int all,
             const mean_windows &p)
{
    const long long length = p.n * p.inner;
    int inside = start < 0 ? (int)(-start < all ? -start : all) : 0;
    int end = length - start < all ? (int)(length - start) : all;
    const X *from = row + start;

    if (end < inside) end = inside;
    for (int j = 0; j < all; j++) {
        if (j == inside) j = end;
        if (j == all) break;
        const double outside = (start + j) & 1 ? p.fill[1] : p.fill[0];
        line[j] = row_element(row, start + j, p.n, p.inner, p.mode, outside);
    }
    for (int j = inside; j < end; j++) line[j] = double(from[j]);
}

/* Sums over windows of `size`, of a line of `all` elements in `now`; `next` is as large. */
inline void
sum_doubles(double *sum, double *now, double *next, int count, int all, int size,
            int inner)
{
    int done = 0; /* elements that are in sum[0] already */

    for (int bit = 1;; bit *= 2) {
        if (size & bit) {
            const double *l = now + done * inner;
            if (done == 0) {
                for (int j = 0; j < count; j++) sum[j] = l[j];
            } else {
                for (int j = 0; j < count; j++) sum[j] = sum[j] + l[j];
            }
            done += bit;
        }
        if (done == size) break;
        const int step = bit * inner, some = all - (2 * bit - 1) * inner;
        const double *l = now + step;
        for (int j = 0; j < some; j++) next[j] = now[j] + l[j];
        double *last = now;
        now = next;
        next = last;
    }
}

template <class X>
__global__ void
uniform_line(const X *x, X *y, mean_windows p)
{
    const long long length = p.n * p.inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int size = (int)p.size, inner = (int)p.inner, reach = (size - 1) * inner;
    const double share = 1.0 / size;
    const int tile = reach > 256 ? SEGMENT : 512; /* for the nearest cache */
    const int tiles = SEGMENT / tile;
    double one[SEGMENT + MOST_REACH + 8], two[SEGMENT + MOST_REACH + 8], sum[SEGMENT];

    CUPRIC_EACH_BLOCK (piece, p.rows * segments * tiles) {
        const long long row_at = piece / (segments * tiles) * length;
        const long long first = piece % (segments * tiles) * tile;
        if (first >= length) continue;
        X *out = y + row_at + first;
        const int count = (int)(length - first < tile ? length - first : tile);
        const int all = count + reach;
        read_doubles(one, x + row_at, first - p.before * p.inner, all, p);
        sum_doubles(sum, one, two, count, all, size, inner);
        for (int j = 0; j < count; j++) out[j] = mean_of<X>(sum[j], size, share);
    }
}

enum { CHAINS = 8, CHAIN = 32 };

/* Means of windows down a column whose elements lie `inner` apart. Each sum waits for the one
 * before: so CHAINS sums of differences go side by side, each over CHAIN of them. */
template <class X>
struct column_means {
    const X *x;
    long long n, inner, size, before;
    int mode;
    double constant, share;

    /* Elements `first` to first + count. */
    void read(double *to, long long first, int count) const
    {
        const auto put = [&](int j, double v) { to[j] = v; };
        if (inner == 1)
            each_of_row(x, first, count, n, mode, constant, put);
        else
            each_of_row(x, first, count, n, mode, constant, put, inner);
    }

    /* The outputs i0 to i1 of y, the column. */
    void make(X *y, long long i0, long long i1) const
    {
        enum { MOST = CHAINS * CHAIN };
        double enter[MOST], leave[MOST], sum = 0;

        for (long long m = 0; m < size; m += MOST) {
            const int count = (int)(size - m < MOST ? size - m : MOST);
            double part[4] = {0};
            read(enter, i0 - before + m, count);
            int j = 0;
            for (; j + 4 <= count; j += 4) {
                for (int k = 0; k < 4; k++) part[k] += enter[j + k];
            }
            for (; j < count; j++) part[0] += enter[j];
            sum += (part[0] + part[1]) + (part[2] + part[3]);
        }
        for (long long i = i0; i < i1; i += MOST) {
            const int count = (int)(i1 - i < MOST ? i1 - i : MOST);
            double run[CHAINS] = {0};
            read(enter, i - before + size, MOST);
            read(leave, i - before, MOST);
            for (int j = 0; j < MOST; j++) enter[j] -= leave[j];
            for (int j = 0; j < CHAIN; j++) {
                for (int u = 0; u < CHAINS; u++) {
                    const double d = enter[u * CHAIN + j];
                    leave[u * CHAIN + j] = run[u];
                    run[u] += d;
                }
            }
            for (int u = 0; u < CHAINS; u++) {
                for (int j = 0; j < CHAIN; j++) leave[u * CHAIN + j] += sum;
                sum += run[u];
            }
            X found[MOST];
            for (int j = 0; j < MOST; j++)
                found[j] = mean_of<X>(leave[j], (double)size, share);
            X *to = y + i * inner;
            if (inner == 1) {
                for (int j = 0; j < count; j++) to[j] = found[j];
            } else {
                for (int j = 0; j < count; j++) to[j * inner] = found[j];
            }
        }
    }
};

/* Few columns: one after the other. */
template <class X>
inline void
means_of_few(const X *x, X *y, const mean_windows &p)
{
    const long long n = p.n, inner = p.inner, down = (n + p.height - 1) / p.height;

    CUPRIC_EACH_BLOCK (piece, p.rows * inner * down) {
        const long long column = piece / down, i0 = piece % down * p.height;
        const long long i1 = i0 + p.height < n ? i0 + p.height : n;
        const long long at = column / inner * n * inner + column % inner;
        const column_means<X> means = {x + at,   n,      inner,          p.size,
                                       p.before, p.mode, p.fill[at & 1], 1.0 / p.size};
        means.make(y + at, i0, i1);
    }
}

/* sum += sign * element i of `count` columns, which may be outside. */
template <class X, int SIGN>
inline void
add_row(double *sum, const X *x, long long i, int count, const double *constant,
        const mean_windows &p)
{
    const long long k = boundary(i, p.n, p.mode);
    const X *a = x + (k < 0 ? 0 : k) * p.inner;

    if (k < 0) {
        for (int j = 0; j < count; j++) sum[j] += SIGN * constant[j];
    } else {
        for (int j = 0; j < count; j++) sum[j] += SIGN * double(a[j]);
    }
}

template <class X>
__global__ void
uniform_columns(const X *x, X *y, mean_windows p)
{
    const long long n = p.n, inner = p.inner, size = p.size, height = p.height;
    const long long down = (n + height - 1) / height;
    const long long across = (inner + WIDTH - 1) / WIDTH;
    const double share = 1.0 / size;
    double sum[WIDTH], constant[WIDTH];

    if (inner < 8) {
        means_of_few(x, y, p);
        return;
    }
    for (int j = 0; j < WIDTH; j++) constant[j] = p.fill[j & 1];
    CUPRIC_EACH_BLOCK (piece, p.rows * down * across) {
        const long long c = piece % across * WIDTH, i0 = piece / across % down * height;
        const long long at = piece / across / down * n * inner + c;
        const int count = (int)(inner - c < WIDTH ? inner - c : WIDTH);
        const long long i1 = i0 + height < n ? i0 + height : n;
        for (int j = 0; j < count; j++) sum[j] = 0;
        for (long long i = i0 - p.before; i < i1 - p.before + size - 1; i++) {
            add_row<X, 1>(sum, x + at, i, count, constant, p);
            const long long to = i + p.before - size + 1;
            if (to < i0) continue;
            X *out = y + at + to * inner;
            for (int j = 0; j < count; j++) out[j] = mean_of<X>(sum[j], size, share);
            add_row<X, -1>(sum, x + at, i - size + 1, count, constant, p);
        }
    }
}
