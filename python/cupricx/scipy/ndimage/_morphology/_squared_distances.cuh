/* _squared_distances.cuh: squares of distances to the nearest element that is zero.
 *
 * Where no indices are asked for, the square of the distance to the nearest zero is kept of
 * each element, in W: int where all weights are 1 and no square is above NONE, or double.
 * It is NONE where there is no zero in what the axes seen so far span.
 */
#include "../_boundary.cuh"
#include "_nearest_in_row.cuh"
#include "_squared_distances.h"

template <class W>
struct none;
template <>
struct none<int> {
    static constexpr int value = 1 << 30; /* and a square more is still an int */
};
template <>
struct none<double> {
    static constexpr double value = 1e300;
};

/* A segment of a row of a GPU: from p on, `words` times 32 elements, the last of which ends
 * behind the row. */
struct segment_words {
    const unsigned char *p;
    int start, count, words; /* start: the first element's index in the row */
};

/* bits[k]: the zeros of word k, for a warp. */
__device__ inline void
read_zeros(const segment_words &s, unsigned *bits, int lane)
{
    const unsigned char *const p = s.p;
    const int count = s.count;

    if ((unsigned long long)p % 16 == 0) { /* 16 elements a thread */
        for (int k = lane; k < s.words * 2; k += 32) {
            unsigned half = 0;
            if (16 * k + 16 <= count) {
                const uint4 v = *(const uint4 *)(p + 16 * k);
                const unsigned four[4] = {v.x, v.y, v.z, v.w};
                for (int c = 0; c < 16; c++)
                    half |= (unsigned)((four[c / 4] >> c % 4 * 8 & 255) == 0) << c;
            } else {
                for (int c = 0; c < 16 && 16 * k + c < count; c++)
                    half |= (unsigned)(p[16 * k + c] == 0) << c;
            }
            ((unsigned short *)bits)[k] = (unsigned short)half;
        }
    } else {
        for (int k = 0; k < s.words; k++) {
            const int j = 32 * k + lane;
            const unsigned zeros = __ballot_sync(~0u, j < count && !p[j]);
            if (lane == 0) bits[k] = zeros;
        }
    }
}

/* before[k]: the last zero before word k; `carried`, that before the segment. */
__device__ inline void
find_zeros_before(const segment_words &s, const unsigned *bits, int carried,
                  int *before, int lane)
{
    for (int k0 = 0; k0 < s.words; k0 += 32) {
        const int k = k0 + lane;
        const unsigned zeros = k < s.words ? bits[k] : 0;
        const unsigned has = __ballot_sync(~0u, zeros != 0);
        const int last = s.start + 32 * k + 31 - __clz(zeros);
        const unsigned earlier = has & ((1u << lane) - 1);
        const int found = __shfl_sync(~0u, last, 31 - __clz(earlier | 1u));
        if (k < s.words) before[k] = earlier ? found : carried;
        const int end = __shfl_sync(~0u, last, 31 - __clz(has | 1u));
        if (has) carried = end;
    }
}

/* The squares of a segment, to out; `carried`: the first zero behind it. */
template <class W>
__device__ inline void
write_squares(const segment_words &s, const unsigned *bits, const int *before,
              int carried, W w, W *out, int lane)
{
    for (int k = s.words - 1; k >= 0; k--) {
        const int j = s.start + 32 * k + lane;
        const unsigned zeros = bits[k];
        const unsigned up_to = zeros & (~0u >> (31 - lane)), from = zeros >> lane;
        const int left = up_to ? s.start + 32 * k + 31 - __clz(up_to) : before[k];
        const int right = from ? j + __ffs(from) - 1 : carried;
        if (zeros) carried = s.start + 32 * k + __ffs(zeros) - 1;
        if (j >= s.start + s.count) continue;
        int far = left >= 0 ? j - left : 0x3fffffff;
        if (right >= 0 && right - j < far) far = right - j;
        const W v = w * (W)far;
        out[j - s.start] = left < 0 && right < 0 ? none<W>::value : v * v;
    }
}

/* y: (rows, n), (weight * distance to the nearest zero in the row)^2. x, ends and launch
 * as of nearest_in_rows. */
template <class W>
__global__ void
squares_in_rows(const unsigned char *x, const int *ends, W *y, long long rows,
                long long n, double weight)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;
    const W w = (W)weight;

    __shared__ unsigned zeros_of[ROW_WARPS][ROW_SEGMENT / 32];
    __shared__ int before_of[ROW_WARPS][ROW_SEGMENT / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned *const bits = zeros_of[warp];
    int *const before = before_of[warp];

    CUPRIC_EACH_BLOCK (group, (rows * each + ROW_WARPS - 1) / ROW_WARPS) {
        const long long piece = group * ROW_WARPS + warp;
        if (piece >= rows * each) continue;
        const long long row = cupric::quotient(piece, each),
                        segment = piece - row * each;
        const int *known = ends + 2 * row * each;
        const int start = (int)(segment * ROW_SEGMENT);
        const int count = (int)(n - start < ROW_SEGMENT ? n - start : ROW_SEGMENT);
        const segment_words s = {x + row * n + start, start, count, (count + 31) / 32};
        const int ahead = zero_beyond(known, segment, each, -1, lane);
        const int behind = zero_beyond(known, segment, each, 1, lane);

        __syncwarp();
        read_zeros(s, bits, lane);
        __syncwarp();
        find_zeros_before(s, bits, ahead, before, lane);
        __syncwarp();
        write_squares(s, bits, before, behind, w, y + row * n + start, lane);
    }
}

/* minima[(o * blocks + b) * inner + c]: the smallest of cost over block b of BLOCK rows,
 * of an array (outer, n, inner). Launch: elements(work). */
template <class W>
__global__ void
block_minima(const W *cost, W *minima, long long outer, long long n, long long inner)
{
    const long long blocks = (n + BLOCK - 1) / BLOCK;

    CUPRIC_EACH (i, outer * blocks * inner) {
        const long long line = cupric::quotient(i, inner), c = i - line * inner;
        const long long o = cupric::quotient(line, blocks), b = line - o * blocks;
        const long long end = (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n;
        const W *p = cost + (o * n + b * BLOCK) * inner + c;
        W least = none<W>::value;
        for (long long k = b * BLOCK; k < end; k++, p += inner)
            least = *p < least ? *p : least;
        minima[i] = least;
    }
}

/* ---- squares_along --------------------------------------------------------------------
 *
 * to[o, i, c] = the smallest over j of cost[o, j, c] + (weight * (i - j))^2, or its square
 * root to distances in the last pass. A search goes from i outwards, and ends where the
 * parabola alone is above what was found; beyond REACH, it looks at the minima of blocks
 * first, on a GPU, if there are any (not NULL); on the host the column's lower envelope is
 * found instead (Felzenszwalb and Huttenlocher 2012). A thread of a GPU searches for
 * ROWS_EACH neighbouring rows at once, so that each cost that it reads takes a sum and a
 * minimum for each of them and nothing else.
 * Launch: blocks(tiles of COLUMNS by BLOCK, SQUARES_THREADS), on the host of HOST_COLUMNS
 * by all rows.
 */
/* Where the last pass finds nothing there is no zero at all, and one is taken to be at
 * (-1, 0, ...), as SciPy does: the square of its distance from element c of row i. */
template <class W>
__device__ CUPRIC_RARE W
far_square(const squares_sizes &s, long long i, long long c)
{
    const long long i1 = c / (s.n2 * s.n3), i2 = c / s.n3 % s.n2, i3 = c % s.n3;
    const double a = s.weight * (double)(i + 1), b = s.w1 * (double)i1,
                 d = s.w2 * (double)i2, e = s.w3 * (double)i3;
    return (W)(a * a + (b * b + (d * d + e * e)));
}

/* The smallest of `best` and what rows up to `before` and from `behind` on give for row i
 * of a column, found by the minima of blocks. */
template <class W>
__device__ CUPRIC_RARE W
search_blocks(W best, const W *p, const W *least, long long i, long long before,
              long long behind, const squares_sizes &s)
{
    const long long n = s.n, inner = s.inner;
    const W w = (W)s.weight;
    const long long blocks = (n + BLOCK - 1) / BLOCK;

    for (long long k = before < 0 ? -1 : before / BLOCK; k >= 0; k--) {
        const long long end = (k + 1) * BLOCK - 1, high = end < before ? end : before;
        const W near = w * (W)(i - high);
        if (near * near >= best) break;
        if (least[k * inner] + near * near >= best) continue;
        for (long long j = high; j >= k * BLOCK; j--) {
            const W v = w * (W)(i - j), a = p[j * inner] + v * v;
            best = a < best ? a : best;
        }
    }
    for (long long k = behind / BLOCK; k < blocks; k++) {
        const long long low = k * BLOCK > behind ? k * BLOCK : behind;
        const W near = w * (W)(low - i);
        if (low >= n || near * near >= best) break;
        if (least[k * inner] + near * near >= best) continue;
        const long long stop = (k + 1) * BLOCK < n ? (k + 1) * BLOCK : n;
        for (long long j = low; j < stop; j++) {
            const W v = w * (W)(j - i), a = p[j * inner] + v * v;
            best = a < best ? a : best;
        }
    }
    return best;
}

/* What a thread of a GPU searches for: ROWS_EACH neighbouring rows, of a column whose
 * elements lie `inner` apart from `own` on, the first of these rows. */
template <class W>
struct searched_rows {
    const W *own;
    long long inner;
    int above, below; /* rows of the column on either side */
    W w;
    W best[ROWS_EACH];

    /* By these rows themselves, of which there are `count`. */
    __device__ void start(long long count)
    {
        const W nothing = none<W>::value;
        W rows[ROWS_EACH];
#pragma unroll
        for (int r = 0; r < ROWS_EACH; r++)
            rows[r] = r < count ? own[r * inner] : nothing;
#pragma unroll
        for (int r = 0; r < ROWS_EACH; r++) {
            best[r] = r < count ? rows[r] : 0; /* known, where there is no row */
#pragma unroll
            for (int k = 0; k < ROWS_EACH; k++) {
                const W v = w * (W)(k - r), far = rows[k] + v * v;
                best[r] = far < best[r] ? far : best[r];
            }
        }
    }

    __device__ W most() const
    {
        W found = best[0];
#pragma unroll
        for (int r = 1; r < ROWS_EACH; r++) found = found < best[r] ? best[r] : found;
        return found;
    }

    /* By the ROWS_EACH rows on either side that come after d, of costs up and down. */
    __device__ void widen(int d, const W (&up)[ROWS_EACH], const W (&down)[ROWS_EACH])
    {
        W square[2 * ROWS_EACH - 1];
#pragma unroll
        for (int m = 0; m < 2 * ROWS_EACH - 1; m++) {
            const W v = w * (W)(d + 1 + m);
            square[m] = v * v;
        }
#pragma unroll
        for (int r = 0; r < ROWS_EACH; r++) {
#pragma unroll
            for (int k = 0; k < ROWS_EACH; k++) {
                const W a = up[k] + square[k + r];
                const W c = down[k] + square[k + ROWS_EACH - 1 - r];
                best[r] = a < best[r] ? a : best[r];
                best[r] = c < best[r] ? c : best[r];
            }
        }
    }

    /* Until all are known, or by `reach` rows on either side: returns how many. */
    __device__ int search(int reach)
    {
        const W nothing = none<W>::value;
        const W *before_these = own, *behind_these = own + (ROWS_EACH - 1) * inner;
        int d = 0;
        for (; d < reach; d += ROWS_EACH) {
            const W nearest = w * (W)(d + 1);
            if (nearest * nearest >= most() || (d >= above && d >= below)) break;
            W up[ROWS_EACH], down[ROWS_EACH];
#pragma unroll
            for (int k = 0; k < ROWS_EACH; k++) {
                before_these -= inner;
                behind_these += inner;
                up[k] = d + k < above ? *before_these : nothing;
                down[k] = d + k < below ? *behind_these : nothing;
            }
            widen(d, up, down);
        }
        return d;
    }
};

template <class W, class D>
__global__ void
__launch_bounds__(SQUARES_THREADS, sizeof(W) <= 4 ? 4 : 3)
    squares_along(const W *cost, const W *minima, W *to, D *distances,
                  const __grid_constant__ squares_sizes s)
{
    const W w = (W)s.weight, nothing = none<W>::value;
    const long long n = s.n, inner = s.inner;
    const long long blocks = (n + BLOCK - 1) / BLOCK, columns = s.outer * inner;
    const long long across = (columns + COLUMNS - 1) / COLUMNS;
    const int lane = threadIdx.x % COLUMNS, t = threadIdx.x / COLUMNS;
    const int reach = minima ? (int)REACH : (int)n;

    CUPRIC_EACH_BLOCK (tile, blocks * across) {
        const long long b = cupric::quotient(tile, across), group = tile - b * across;
        const long long number = group * COLUMNS + lane;
        if (number >= columns) continue;
        const long long o = cupric::quotient(number, inner), c = number - o * inner;
        const W *const p = cost + o * n * inner + c;
        const W *const least = minima + o * blocks * inner + c;
        const long long first = b * BLOCK + t * ROWS_EACH;
        if (first >= n) continue;
        searched_rows<W> rows = {p + first * inner, inner, (int)first,
                                 (int)(n - first) - ROWS_EACH, w};

        rows.start(n - first);
        const int d = rows.search(reach);
#pragma unroll
        for (int r = 0; r < ROWS_EACH; r++) {
            const long long i = first + r;
            if (i >= n) break;
            W best = rows.best[r];
            if (d >= reach)
                best = search_blocks(best, p, least, i, first - d - 1,
                                     first + ROWS_EACH + d, s);
            const long long place = (o * n + i) * inner + c;
            if (!s.last) {
                to[place] = best < nothing ? best : nothing;
            } else {
                if (best >= nothing) best = far_square<W>(s, i, c);
                distances[place] = (D)sqrt((double)best);
            }
        }
    }
}
