/* _means.cuh: means of windows along one axis.
 *
 * Integers are divided, as their means are rounded down.
 */
#include "_means.h"
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
 * For GPUs. Launch: blocks(pieces, TILE_THREADS, shared_mem=).
 */
template <class X>
__global__ void
__launch_bounds__(TILE_THREADS, 4)
    uniform_tile(const X *x, X *y, const __grid_constant__ window_sizes s,
                 long long pieces, int size, double fill)
{
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
}

/* ---- rows ------------------------------------------------------------------------------
 *
 * A piece is SEGMENT elements of a row of n * inner, with those that their windows reach: the
 * line. (size - 1) * inner <= MOST_REACH. Sums of 1, 2, 4, ... elements come of each other,
 * and the window's of those that its size has as a number in base 2; on a GPU, where inner is
 * 1, they are differences of the line's running sums, unless these are not finite.
 */
enum { PER = (SEGMENT + MOST_REACH) / LINE_THREADS };
enum { RUN = PER + 1 }; /* odd: threads of a warp meet in no bank */
enum { LINE_OUTPUTS = SEGMENT / LINE_THREADS };

/* The line of `all` elements from `start` on of a row, for `count` outputs. */
struct line_part {
    long long start;
    int count, all;
};

template <class X>
__device__ inline void
read_line(double *line, const X *row, const line_part &part, const mean_windows &p)
{
    if (part.start >= 0 && part.start + part.all <= p.n * p.inner) {
#pragma unroll 4
        for (int j = threadIdx.x; j < part.all; j += LINE_THREADS)
            line[j] = double(row[part.start + j]);
    } else {
        for (int j = threadIdx.x; j < part.all; j += LINE_THREADS) {
            const long long i = part.start + j;
            const double outside = i & 1 ? p.fill[1] : p.fill[0];
            line[j] = row_element(row, i, p.n, p.inner, p.mode, outside);
        }
    }
}

/* The elements of a line become sums of those before each; not where the whole sum is not
 * finite: then false, the same for all threads. */
__device__ inline bool
add_up_line(double *line, double *total, int all)
{
    const int first_own = threadIdx.x * RUN, lane = threadIdx.x & 31;
    double own[RUN], mine = 0;

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
    for (int w = 0; w < LINE_THREADS / 32; w++) {
        if (w == (int)threadIdx.x / 32) before_warp = whole;
        whole += total[w];
    }
    if (whole - whole != 0) return false;
    double running = before_warp + upto - mine;
#pragma unroll
    for (int r = 0; r < RUN; r++) {
        line[first_own + r] = running;
        running += own[r];
    }
    __syncthreads();
    return true;
}

/* The line's sums of twice as many elements as `bit`, which it has. */
__device__ inline void
double_sums(double *line, int bit, int inner, int all)
{
    const int step = bit * inner, some = all - (2 * bit - 1) * inner;
    double more[PER];

#pragma unroll
    for (int r = 0; r < PER; r++) {
        const int j = threadIdx.x + r * LINE_THREADS;
        more[r] = j < some ? line[j] + line[j + step] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < PER; r++) {
        const int j = threadIdx.x + r * LINE_THREADS;
        if (j < some) line[j] = more[r];
    }
}

/* A thread's sums over windows of `size`. */
__device__ inline void
sum_line(double (&sum)[LINE_OUTPUTS], double *line, const line_part &part, int size,
         int inner)
{
    int done = 0;

    for (int bit = 1; done < size; bit *= 2) {
        __syncthreads();
        if (size & bit) {
#pragma unroll
            for (int r = 0; r < LINE_OUTPUTS; r++) {
                const int j = threadIdx.x + r * LINE_THREADS;
                if (j < part.count) sum[r] += line[j + done * inner];
            }
            done += bit;
        }
        /* the same for all threads */
        if (done < size) double_sums(line, bit, inner, part.all);
    }
}

/* Launch: blocks(rows * segments, LINE_THREADS). */
template <class X>
__global__ void
uniform_line(const X *x, X *y, const __grid_constant__ mean_windows p)
{
    __shared__ double line[LINE_THREADS * RUN];
    __shared__ double total[LINE_THREADS / 32];
    const long long length = p.n * p.inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int size = (int)p.size, inner = (int)p.inner, reach = (size - 1) * inner;
    const double share = 1.0 / size;

    CUPRIC_EACH_BLOCK (piece, p.rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const X *row = x + piece / segments * length;
        X *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const line_part part = {first - p.before * p.inner, count, count + reach};
        double sum[LINE_OUTPUTS];
#pragma unroll
        for (int r = 0; r < LINE_OUTPUTS; r++) sum[r] = 0;
        __syncthreads(); /* the line of the piece before has been read */
        read_line(line, row, part, p);
        if (inner == 1 && add_up_line(line, total, part.all)) {
#pragma unroll
            for (int r = 0; r < LINE_OUTPUTS; r++) {
                const int j = threadIdx.x + r * LINE_THREADS;
                if (j < count)
                    out[j] = mean_of<X>(line[j + size] - line[j], size, share);
            }
            continue;
        }
        sum_line(sum, line, part, size, inner);
#pragma unroll
        for (int r = 0; r < LINE_OUTPUTS; r++) {
            const int j = threadIdx.x + r * LINE_THREADS;
            if (j < count) out[j] = mean_of<X>(sum[r], size, share);
        }
    }
}

/* ---- columns ---------------------------------------------------------------------------
 *
 * A piece is `height` outputs, each sum of the one before, of WIDTH neighbouring columns.
 * height >= size, so that the first sums cost no more than others. On a GPU windows of up to
 * MOST_DIRECT are summed each.
 */
enum { MOST_DIRECT = 16 };

/* Outputs [i0, i1) of a column, each summed. */
template <class X>
__device__ inline void
direct_means(const X *from, X *out, long long i0, long long i1, double outside,
             const mean_windows &p, double share)
{
    for (long long i = i0; i < i1; i += DOWN) {
        double sums[DOWN];
#pragma unroll
        for (int r = 0; r < DOWN; r++) sums[r] = 0;
        each_of_column<double>(
            from, i - p.before, (int)p.size, p.n, p.inner, p.mode, outside,
            [](const X &v) { return double(v); },
            [&](int, const double *v) {
#pragma unroll
                for (int r = 0; r < DOWN; r++) sums[r] += v[r];
            });
#pragma unroll
        for (int r = 0; r < DOWN; r++) {
            if (i + r < i1) out[(i + r) * p.inner] = mean_of<X>(sums[r], p.size, share);
        }
    }
}

/* The same, each sum of the one before. */
template <class X>
__device__ inline void
running_means(const X *from, X *out, long long i0, long long i1, double outside,
              const mean_windows &p, double share)
{
    const long long n = p.n, inner = p.inner, size = p.size;
    const auto value = [&](long long i) {
        const long long k = boundary(i, n, p.mode);
        return k < 0 ? outside : double(from[k * inner]);
    };
    double sum = 0;

#pragma unroll 4
    for (long long i = i0 - p.before; i < i0 - p.before + size - 1; i++)
        sum += value(i);
    for (long long i = i0; i < i1; i += DOWN) {
        const long long start = i - p.before;
        const int outputs = (int)(i1 - i < DOWN ? i1 - i : DOWN);
        if (start >= 0 && start + size + DOWN - 1 <= n) {
            double enter[DOWN], leave[DOWN]; /* before any is needed */
            const X *a = from + start * inner, *b = a + (size - 1) * inner;
#pragma unroll
            for (int r = 0; r < DOWN; r++) {
                enter[r] = double(b[r * inner]);
                leave[r] = double(a[r * inner]);
            }
#pragma unroll
            for (int r = 0; r < DOWN; r++) {
                sum += enter[r];
                if (r < outputs) out[(i + r) * inner] = mean_of<X>(sum, size, share);
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

/* Launch: blocks(pieces, WIDTH). */
template <class X>
__global__ void
__launch_bounds__(WIDTH, 3) uniform_columns(const X *x, X *y, mean_windows p)
{
    const long long down = (p.n + p.height - 1) / p.height;
    const long long columns = p.rows * p.inner, across = (columns + WIDTH - 1) / WIDTH;
    const double share = 1.0 / p.size;

    CUPRIC_EACH_BLOCK (piece, down * across) {
        const long long column = piece % across * WIDTH + threadIdx.x;
        const long long i0 = piece / across * p.height;
        const long long i1 = i0 + p.height < p.n ? i0 + p.height : p.n;
        if (column >= columns) continue;
        const long long row = cupric::quotient(column, p.inner);
        const X *from = x + row * p.n * p.inner + column - row * p.inner;
        X *out = y + (from - x);
        const double outside = column & 1 ? p.fill[1] : p.fill[0];
        if (p.size <= MOST_DIRECT) {
            direct_means(from, out, i0, i1, outside, p, share);
        } else {
            running_means(from, out, i0, i1, outside, p, share);
        }
    }
}
