/* _means.cuh: means of windows along one axis.
 *
 * x, y: (rows, n, inner). Elements of odd numbers have a constant of their own: they are
 * imaginary where x is complex. Integers are divided, as their means are rounded down.
 */
#include "_window.cuh"

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

/* As correlate_tile, along the last axis alone: windows of QUAD to a few dozen elements.
 * For GPUs. Launch: blocks(tiles, TILE_THREADS, shared_mem=).
 */
template <class X>
__global__ void __launch_bounds__(256, 4)
    uniform_tile(const X *x, X *y, const __grid_constant__ window_sizes s,
                 long long pieces, int size, double fill)
{
#if !defined(CUPRIC_HOST)
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<X> tile(tile_memory, s);
    const double share = 1.0 / size;

    tile.start(s);
    CUPRIC_EACH_BLOCK (piece, pieces) {
        read_tile(tile, x, s, piece, element<X>::of(fill),
                  [](const X &v) { return v; });
        tile.each(s, true, [&](const X *from, long long to, int count) {
            const quad<double> sum = fold_windows<double>(
                from, size, [](const X &v) { return double(v); },
                [](double a, double b) { return a + b; });
            quad<X> found;
#pragma unroll
            for (int r = 0; r < QUAD; r++)
                found.v[r] = mean_of<X>(sum.v[r], size, share);
            write_quad(y + to, found, count);
        });
    }
#endif
}

/* x, y: (rows, n, inner). A piece is SEGMENT elements of a row of n * inner, with those that
 * their windows reach: the line. (size - 1) * inner <= MOST_REACH. Sums of 1, 2, 4, ...
 * elements come of each other, and the window's of those that its size has as a number in
 * base 2; on a GPU, where inner is 1, they are differences of the line's running sums, unless
 * these are not finite. Launch: blocks(rows * segments, 256).
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
            one[j] = row_element(row, start + j, n, inner, mode, outside);
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
    enum { RUN = PER + 1 }; /* odd: threads of a warp meet in no bank */
    __shared__ double line[256 * RUN];
    __shared__ double total[256 / 32];

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
        if (start >= 0 && start + all <= length) {
#pragma unroll 4
            for (int j = threadIdx.x; j < all; j += 256)
                line[j] = double(row[start + j]);
        } else {
            for (int j = threadIdx.x; j < all; j += 256) {
                const double outside = (start + j) & 1 ? fill_imag : fill;
                line[j] = row_element(row, start + j, n, inner, mode, outside);
            }
        }
        if (inner == 1) {
            double own[RUN], mine = 0;
            const int first_own = threadIdx.x * RUN, lane = threadIdx.x & 31;
            __syncthreads();
#pragma unroll
            for (int r = 0; r < RUN; r++) {
                own[r] = first_own + r < all ? line[first_own + r] : 0;
                mine += own[r];
            }
            double upto = mine; /* of this warp's threads so far */
#pragma unroll
            for (int by = 1; by < 32; by *= 2) {
                const double other = __shfl_up_sync(0xffffffff, upto, by);
                if (lane >= by) upto += other;
            }
            if (lane == 31) total[threadIdx.x / 32] = upto;
            __syncthreads();
            double before_warp = 0, whole = 0;
#pragma unroll
            for (int w = 0; w < 256 / 32; w++) {
                if (w == (int)threadIdx.x / 32) before_warp = whole;
                whole += total[w];
            }
            if (whole - whole == 0) { /* finite; the same for all threads */
                double running = before_warp + upto - mine;
#pragma unroll
                for (int r = 0; r < RUN; r++) {
                    line[first_own + r] = running; /* of those before */
                    running += own[r];
                }
                __syncthreads();
#pragma unroll
                for (int r = 0; r < SEGMENT / 256; r++) {
                    const int j = threadIdx.x + r * 256;
                    if (j < count)
                        out[j] = mean_of<X>(line[j + size] - line[j], size, share);
                }
                continue;
            }
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

#if defined(CUPRIC_HOST)
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
#endif

/* As correlate_columns: a piece is `height` outputs, each sum of the one before, of WIDTH
 * neighbouring columns. height >= size, so that the first sums cost no more than others. On
 * a GPU windows of up to MOST_DIRECT are summed each. Launch: blocks(pieces, WIDTH).
 */
enum { MOST_DIRECT = 16 };

template <class X>
__global__ void
__launch_bounds__(WIDTH, 3)
    uniform_columns(const X *x, X *y, long long rows, long long n, long long inner,
                    long long size, long long before, int mode, double fill,
                    double fill_imag, long long height)
{
    const long long down = (n + height - 1) / height;
    const double share = 1.0 / size;

#if defined(CUPRIC_HOST)
    if (inner < 8) {
        CUPRIC_EACH_BLOCK (piece, rows * inner * down) {
            const long long column = piece / down, i0 = piece % down * height;
            const long long i1 = i0 + height < n ? i0 + height : n;
            const long long at = column / inner * n * inner + column % inner;
            const column_means<X> means = {
                x + at, n, inner, size, before, mode, at & 1 ? fill_imag : fill, share};
            means.make(y + at, i0, i1);
        }
        return;
    }
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
        if (size <= MOST_DIRECT) {
            for (long long i = i0; i < i1; i += DOWN) {
                double sums[DOWN];
#pragma unroll
                for (int r = 0; r < DOWN; r++) sums[r] = 0;
                each_of_column<double>(
                    from, i - before, (int)size, n, inner, mode, outside,
                    [](const X &v) { return double(v); },
                    [&](int, const double *v) {
#pragma unroll
                        for (int r = 0; r < DOWN; r++) sums[r] += v[r];
                    });
#pragma unroll
                for (int r = 0; r < DOWN; r++) {
                    if (i + r < i1)
                        out[(i + r) * inner] = mean_of<X>(sums[r], size, share);
                }
            }
            continue;
        }
        double sum = 0;
#pragma unroll 4
        for (long long i = i0 - before; i < i0 - before + size - 1; i++) {
            const long long k = boundary(i, n, mode);
            sum += k < 0 ? outside : double(from[k * inner]);
        }
        const auto value = [&](long long i) {
            const long long k = boundary(i, n, mode);
            return k < 0 ? outside : double(from[k * inner]);
        };
        for (long long i = i0; i < i1; i += DOWN) {
            const long long start = i - before;
            const int outputs = (int)(i1 - i < DOWN ? i1 - i : DOWN);
            if (start >= 0 && start + size + DOWN - 1 <= n) {
                double enter[DOWN], leave[DOWN]; /* before any is needed */
                const X *p = from + start * inner, *q = p + (size - 1) * inner;
#pragma unroll
                for (int r = 0; r < DOWN; r++) {
                    enter[r] = double(q[r * inner]);
                    leave[r] = double(p[r * inner]);
                }
#pragma unroll
                for (int r = 0; r < DOWN; r++) {
                    sum += enter[r];
                    if (r < outputs)
                        out[(i + r) * inner] = mean_of<X>(sum, size, share);
                    sum -= leave[r];
                }
                continue;
            }
#pragma unroll 1
            for (int r = 0; r < outputs; r++) {
                sum += value(start + r + size - 1);
                out[(i + r) * inner] = mean_of<X>(sum, size, share);
                sum -= value(start + r);
            }
        }
    }
#endif
}
