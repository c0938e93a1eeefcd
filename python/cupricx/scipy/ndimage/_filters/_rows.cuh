/* _rows.cuh: correlation along rows in float, for GPUs.
 *
 * x, y: (rows, n). y[i] = sum_k w[k] x[i + k - before]; taps <= FEW, whose weights come by
 * value, or in memory. A warp makes ROW_QUADS * WARP * QUAD neighbours: it reads them, and
 * what their windows reach, by vectors that are all asked for at once, into memory of its
 * own, so that warps wait for nobody. A weight is read once for ROW_QUADS quads of sums.
 * Launch: blocks(rows * segments / 8, 256).
 */
#include "_weights.cuh"
#include "_window.cuh"

enum {
    ROW_REACH = FEW + 8
}; /* elements that windows reach, and up to 3 on both sides */

#if !defined(CUPRIC_HOST)

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

#endif

template <int ROW_QUADS>
__global__ void __launch_bounds__(256, ROW_QUADS > 2 ? 4 : 5)
    correlate_rows(const float *__restrict__ x, const float *__restrict__ many,
                   const __grid_constant__ few_weights<float> few,
                   float *__restrict__ y, long long rows, long long n, int taps,
                   int before, int mode, double fill)
{
#if !defined(CUPRIC_HOST)
    enum { LANES = 32, WARPS = 8, ROW_SEGMENT = LANES * QUAD * ROW_QUADS };
    enum { TILE = (ROW_SEGMENT + ROW_REACH) / QUAD };
    __shared__ quad<float> memory[WARPS][TILE];
    quad<float> *const tile = memory[threadIdx.x / LANES];
    const int lane = threadIdx.x % LANES;
    const long long segments = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;
    const long long tasks = rows * segments;
    /* Windows begin `skipped` elements behind a whole number of quads before outputs. */
    const int skipped = -before & (QUAD - 1), back = before + skipped;
    const int window = (skipped + taps + QUAD - 1) / QUAD; /* quads of a window */
    const int whole = ROW_SEGMENT / QUAD + window;         /* of a tile */
    const bool aligned = ((size_t)x & 15) == 0 && n % QUAD == 0;
    const float outside = (float)fill;

    CUPRIC_EACH_BLOCK (piece, (tasks + WARPS - 1) / WARPS) {
        const long long task = piece * WARPS + threadIdx.x / LANES;
        if (task >= tasks) continue;
        const long long row = cupric::quotient(task, segments);
        const long long first = (task - row * segments) * ROW_SEGMENT;
        const float *const from = x + row * n;
        const long long begin = first - back;
        /* Far behind the row no window asks for anything. */
        const long long end = (n + taps - begin + QUAD - 1) / QUAD;
        const int asked = end < whole ? (int)end : whole;

        /* Quads [left, right) lie in the row, the others beside it: as the row begins and
         * ends with a whole quad, none lies on both sides of an end. */
        const int left = begin < 0 ? (int)(-begin / QUAD) : 0;
        const int inside =
            n - begin < (long long)asked * QUAD ? (int)(n - begin) / QUAD : asked;
        const int right = aligned ? inside : left;
        quad<float> some[ROW_QUADS + 1];
#pragma unroll
        for (int m = 0; m <= ROW_QUADS; m++) {
            const int q = lane + m * LANES;
            if (q >= left && q < right)
                some[m] = *(const quad<float> *)(from + begin + q * QUAD);
        }
        __syncwarp(); /* the tile before has been used */
#pragma unroll 1
        for (int i = lane; i < asked - (right - left); i += LANES) {
            const int q =
                i < left ? i : right + i - left; /* while `some` are under way */
            long long step, k = beside(begin + q * QUAD, n, mode, &step);
            quad<float> one;
#pragma unroll
            for (int m = 0; m < QUAD; m++)
                one.v[m] = k < 0 ? outside : from[k + m * step];
            tile[q] = one;
        }
#pragma unroll
        for (int m = 0; m <= ROW_QUADS; m++) {
            const int q = lane + m * LANES;
            if (q >= left && q < right) tile[q] = some[m];
        }
        __syncwarp();

        float sum[ROW_QUADS][QUAD];
        quad<float> a[ROW_QUADS];
#pragma unroll
        for (int g = 0; g < ROW_QUADS; g++) {
            a[g] = tile[lane + g * LANES];
#pragma unroll
            for (int r = 0; r < QUAD; r++) sum[g][r] = 0;
        }
        const auto add = [&](int i, bool partly) {
            float v[ROW_QUADS][2 * QUAD];
#pragma unroll
            for (int g = 0; g < ROW_QUADS; g++) {
                const quad<float> b = tile[lane + g * LANES + i + 1];
#pragma unroll
                for (int r = 0; r < QUAD; r++)
                    v[g][r] = a[g].v[r], v[g][QUAD + r] = b.v[r];
                a[g] = b;
            }
#pragma unroll
            for (int m = 0; m < QUAD; m++) {
                const int k = i * QUAD + m - skipped;
                if (partly && (unsigned)k >= (unsigned)taps) continue;
                const float w = weight_of(many, few, k);
#pragma unroll
                for (int g = 0; g < ROW_QUADS; g++) {
#pragma unroll
                    for (int r = 0; r < QUAD; r++)
                        sum[g][r] = add_product(sum[g][r], w, v[g][m + r]);
                }
            }
        };
        const int full =
            (skipped + taps) / QUAD; /* quads of weights up to a last one */
        int i = 0;
        if (skipped) add(i++, true);
#pragma unroll 2
        for (; i < full; i++) add(i, false);
        if (i < window) add(i, true);

        float *const to = y + row * n + first;
#pragma unroll
        for (int g = 0; g < ROW_QUADS; g++) {
            const int j = (lane + g * LANES) * QUAD;
            const long long left = n - first - j;
            quad<float> found;
#pragma unroll
            for (int r = 0; r < QUAD; r++) found.v[r] = sum[g][r];
            if (left > 0) write_quad(to + j, found, left < QUAD ? (int)left : QUAD);
        }
    }
#endif
}
