/* _rows.cuh: correlation along rows in float, for GPUs.
 *
 * y[i] = sum_k w[k] x[i + k - before], whose weights come by value, or in memory. A warp makes
 * ROW_QUADS * ROW_LANES * QUAD neighbours: it reads them, and what their windows reach, by
 * vectors that are all asked for at once, into memory of its own, so that warps wait for
 * nobody. A weight is read once for ROW_QUADS quads of sums.
 */
#include "_rows.h"
#include "_weights.cuh"
#include "_window.cuh"

enum {
    ROW_REACH = FEW + 8
}; /* elements that windows reach, and up to 3 on both sides */

/* The index that stands for the first of a quad's elements, that lie in the row or on one
 * side of it, nearer than a row's length; the others' follow in steps. -1: the constant. */
__device__ inline long long
beside(long long i, long long n, int mode, long long *step)
{
    *step = i >= 0 && i < n || mode == WRAP ? 1 : mode == NEAREST ? 0 : -1;
    if (i >= 0 && i < n) return i;
    if (mode == CONSTANT) return -1;
    if (mode == NEAREST) return i < 0 ? 0 : n - 1;
    if (mode == WRAP) return i < 0 ? i + n : i - n;
    const long long fold = mode == REFLECT ? 1 : 0;
    return i < 0 ? -i - fold : 2 * n - 2 - i + fold;
}

/* What a warp reads, from element `begin` of a row on: of `asked` quads [left, right) lie in
 * the row, the others beside it: as the row begins and ends with a whole quad, none lies on
 * both sides of an end. */
struct row_part {
    long long begin;
    int asked, left, right;
};

__device__ inline row_part
row_part_of(long long begin, int whole, bool aligned, const row_filter &p)
{
    /* Far behind the row no window asks for anything. */
    const long long end = (p.n + p.taps - begin + QUAD - 1) / QUAD;
    const int asked = end < whole ? (int)end : whole;
    const int left = begin < 0 ? (int)(-begin / QUAD) : 0;
    const int inside =
        p.n - begin < (long long)asked * QUAD ? (int)(p.n - begin) / QUAD : asked;
    return {begin, asked, left, aligned ? inside : left};
}

template <int ROW_QUADS>
__device__ inline void
read_row_part(quad<float> *tile, const float *from, const row_part &part,
              const row_filter &p)
{
    const int lane = threadIdx.x % ROW_LANES, left = part.left, right = part.right;
    const float outside = (float)p.fill;
    quad<float> some[ROW_QUADS + 1];

#pragma unroll
    for (int m = 0; m <= ROW_QUADS; m++) {
        const int q = lane + m * ROW_LANES;
        if (q >= left && q < right)
            some[m] = *(const quad<float> *)(from + part.begin + q * QUAD);
    }
    __syncwarp(); /* the tile before has been used */
#pragma unroll 1
    for (int i = lane; i < part.asked - (right - left); i += ROW_LANES) {
        const int q = i < left ? i : right + i - left; /* while `some` are under way */
        long long step, k = beside(part.begin + q * QUAD, p.n, p.mode, &step);
        quad<float> one;
#pragma unroll
        for (int m = 0; m < QUAD; m++) one.v[m] = k < 0 ? outside : from[k + m * step];
        tile[q] = one;
    }
#pragma unroll
    for (int m = 0; m <= ROW_QUADS; m++) {
        const int q = lane + m * ROW_LANES;
        if (q >= left && q < right) tile[q] = some[m];
    }
    __syncwarp();
}

/* The sums of a thread, and the last quads that were added to them. */
template <int ROW_QUADS>
struct row_sums {
    float sum[ROW_QUADS][QUAD];
    quad<float> a[ROW_QUADS];

    __device__ void start(const quad<float> *tile)
    {
#pragma unroll
        for (int g = 0; g < ROW_QUADS; g++) {
            a[g] = tile[g * ROW_LANES];
#pragma unroll
            for (int r = 0; r < QUAD; r++) sum[g][r] = 0;
        }
    }

    /* Adds the four weights from number `first` on, of which, if `partly`, some are none;
     * what is behind their first elements is in `tile`. */
    template <class F>
    __device__ void add(const quad<float> *tile, int first, int taps, bool partly,
                        const F &weight)
    {
        float v[ROW_QUADS][2 * QUAD];
#pragma unroll
        for (int g = 0; g < ROW_QUADS; g++) {
            const quad<float> b = tile[g * ROW_LANES];
#pragma unroll
            for (int r = 0; r < QUAD; r++) v[g][r] = a[g].v[r], v[g][QUAD + r] = b.v[r];
            a[g] = b;
        }
#pragma unroll
        for (int m = 0; m < QUAD; m++) {
            const int k = first + m;
            if (partly && (unsigned)k >= (unsigned)taps) continue;
            const float w = weight(k);
#pragma unroll
            for (int g = 0; g < ROW_QUADS; g++) {
#pragma unroll
                for (int r = 0; r < QUAD; r++)
                    sum[g][r] = add_product(sum[g][r], w, v[g][m + r]);
            }
        }
    }

    /* Of a row of which n elements are left at `to`. */
    __device__ void write(float *to, long long n) const
    {
#pragma unroll
        for (int g = 0; g < ROW_QUADS; g++) {
            const int j = (threadIdx.x % ROW_LANES + g * ROW_LANES) * QUAD;
            const long long left = n - j;
            quad<float> found;
#pragma unroll
            for (int r = 0; r < QUAD; r++) found.v[r] = sum[g][r];
            if (left > 0) write_quad(to + j, found, left < QUAD ? (int)left : QUAD);
        }
    }
};

/* Launch: blocks(rows * segments / ROW_WARPS, ROW_THREADS). */
template <int ROW_QUADS>
__global__ void
__launch_bounds__(ROW_THREADS, ROW_QUADS > 2 ? 4 : 5)
    correlate_rows(const float *__restrict__ x, const float *__restrict__ many,
                   const __grid_constant__ few_weights<float> few,
                   float *__restrict__ y, row_filter p)
{
    enum { ROW_SEGMENT = ROW_LANES * QUAD * ROW_QUADS };
    enum { TILE = (ROW_SEGMENT + ROW_REACH) / QUAD };
    __shared__ quad<float> memory[ROW_WARPS][TILE];
    quad<float> *const tile = memory[threadIdx.x / ROW_LANES];
    const long long segments = (p.n + ROW_SEGMENT - 1) / ROW_SEGMENT;
    const long long tasks = p.rows * segments;
    /* Windows begin `skipped` elements behind a whole number of quads before outputs. */
    const int skipped = -p.before & (QUAD - 1), back = p.before + skipped;
    const int window = (skipped + p.taps + QUAD - 1) / QUAD; /* quads of a window */
    const int full = (skipped + p.taps) / QUAD; /* quads of weights up to a last one */
    const int whole = ROW_SEGMENT / QUAD + window; /* of a tile */
    const bool aligned = ((size_t)x & 15) == 0 && p.n % QUAD == 0;
    const auto weight = [&](int k) { return weight_of(many, few, k); };

    CUPRIC_EACH_BLOCK (piece, (tasks + ROW_WARPS - 1) / ROW_WARPS) {
        const long long task = piece * ROW_WARPS + threadIdx.x / ROW_LANES;
        if (task >= tasks) continue;
        const long long row = cupric::quotient(task, segments);
        const long long first = (task - row * segments) * ROW_SEGMENT;
        const row_part part = row_part_of(first - back, whole, aligned, p);
        read_row_part<ROW_QUADS>(tile, x + row * p.n, part, p);

        const quad<float> *const mine = tile + threadIdx.x % ROW_LANES;
        row_sums<ROW_QUADS> sums;
        int i = 0;
        sums.start(mine);
        const auto add = [&](int i, bool partly) {
            sums.add(mine + i + 1, i * QUAD - skipped, p.taps, partly, weight);
        };
        if (skipped) add(i++, true);
#pragma unroll 2
        for (; i < full; i++) add(i, false);
        if (i < window) add(i, true);
        sums.write(y + row * p.n + first, p.n - first);
    }
}
