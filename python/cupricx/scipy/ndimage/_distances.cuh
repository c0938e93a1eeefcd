/* _distances.cuh: the nearest element that is zero, one axis after the other.
 *
 * planes[k]: for each element of the array (C order, `size` elements), the index along axis
 * k of the nearest zero in the part of the array that the axes seen so far span; -1 where
 * there is none. The last axis comes first, then each before it.
 */

#include "_boundary.cuh"

/* ---- the last axis --------------------------------------------------------------------
 *
 * x: (rows, n) of 0 and 1; y: (rows, n), the index in the row, of two the smaller. A row is
 * cut into segments of ROW_SEGMENT; ends[2 * segment] is the first zero of one, and the
 * next the last, or -1. Of rows of one segment no ends are needed.
 * Launch: blocks(segments) on the host, blocks(segments / 8, 256) on a GPU: a warp each.
 */
enum { ROW_SEGMENT = 4096 };

__global__ void
zeros_at_ends(const unsigned char *x, int *ends, long long rows, long long n)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;

#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, rows * each) {
        const long long start = piece % each * ROW_SEGMENT;
        const unsigned char *p = x + piece / each * n;
        const long long end = start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n;
        long long first = start, last = end - 1;
        while (first < end && p[first]) first++;
        while (last >= start && p[last]) last--;
        ends[2 * piece] = first < end ? (int)first : -1;
        ends[2 * piece + 1] = last >= start ? (int)last : -1;
    }
#else
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    CUPRIC_EACH_BLOCK (group, (rows * each + 7) / 8) {
        const long long piece = group * 8 + warp;
        if (piece >= rows * each) continue;
        const long long row = cupric::quotient(piece, each);
        const long long start = (piece - row * each) * ROW_SEGMENT;
        const long long end = start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n;
        const unsigned char *p = x + row * n;
        int first = -1, last = -1;
        for (long long j0 = start; j0 < end; j0 += 32) {
            const long long j = j0 + lane;
            const unsigned zeros = __ballot_sync(~0u, j < end && !p[j]);
            if (!zeros) continue;
            if (first < 0) first = (int)j0 + __ffs(zeros) - 1;
            last = (int)j0 + 31 - __clz(zeros);
        }
        if (lane == 0) {
            ends[2 * piece] = first;
            ends[2 * piece + 1] = last;
        }
    }
#endif
}

/* The nearest zero in a segment of the row before this one (by = -1) or behind it (1). */
__device__ inline int
zero_beyond(const int *ends, long long segment, long long each, int by, int lane)
{
#if defined(CUPRIC_HOST)
    for (long long s = segment + by; s >= 0 && s < each; s += by) {
        const int zero = ends[2 * s + (by < 0)];
        if (zero >= 0) return zero;
    }
#else
    for (long long s = segment + by; s >= 0 && s < each; s += 32 * by) {
        const long long own = s + by * lane;
        const int zero = own >= 0 && own < each ? ends[2 * own + (by < 0)] : -1;
        const unsigned has = __ballot_sync(~0u, zero >= 0);
        if (has) return ends[2 * (s + by * (__ffs(has) - 1)) + (by < 0)];
    }
#endif
    return -1;
}

__global__ void
nearest_in_rows(const unsigned char *x, const int *ends, int *y, long long rows,
                long long n)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;

#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, rows * each) {
        const long long row = piece / each, segment = piece % each;
        const int *known = ends + 2 * row * each;
        const unsigned char *p = x + row * n;
        int *out = y + row * n;
        const int start = (int)(segment * ROW_SEGMENT);
        const int end = (int)(start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n);
        int last = zero_beyond(known, segment, each, -1, 0);
        for (int j = start; j < end; j++) {
            last = p[j] ? last : j;
            out[j] = last;
        }
        last = zero_beyond(known, segment, each, 1, 0);
        for (int j = end - 1; j >= start; j--) {
            const int left = out[j];
            last = p[j] ? last : j;
            const bool nearer = last >= 0 && (left < 0 || last - j < j - left);
            out[j] = nearer ? last : left;
        }
    }
#else
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    CUPRIC_EACH_BLOCK (group, (rows * each + 7) / 8) {
        const long long piece = group * 8 + warp;
        if (piece >= rows * each) continue;
        const long long row = cupric::quotient(piece, each),
                        segment = piece - row * each;
        const int *known = ends + 2 * row * each;
        const unsigned char *p = x + row * n;
        int *out = y + row * n;
        const int start = (int)(segment * ROW_SEGMENT);
        const int end = (int)(start + ROW_SEGMENT < n ? start + ROW_SEGMENT : n);
        int carried = zero_beyond(known, segment, each, -1, lane);
        for (int j0 = start; j0 < end; j0 += 32) {
            const int j = j0 + lane;
            const unsigned zeros = __ballot_sync(~0u, j < end && !p[j]);
            const unsigned before = zeros & (~0u >> (31 - lane));
            if (j < end) out[j] = before ? j0 + 31 - __clz(before) : carried;
            if (zeros) carried = j0 + 31 - __clz(zeros);
        }
        carried = zero_beyond(known, segment, each, 1, lane);
        for (int j0 = start + (end - 1 - start) / 32 * 32; j0 >= start; j0 -= 32) {
            const int j = j0 + lane;
            const unsigned zeros = __ballot_sync(~0u, j < end && !p[j]);
            const unsigned after = zeros & (~0u << lane);
            const int right = after ? j0 + __ffs(after) - 1 : carried;
            if (zeros) carried = j0 + __ffs(zeros) - 1;
            if (j >= end) continue;
            const int left = out[j];
            if (right >= 0 && (left < 0 || right - j < j - left)) out[j] = right;
        }
    }
#endif
}

/* ---- squares of distances ---------------------------------------------------------------
 *
 * Where no indices are asked for, the square of the distance to the nearest zero is kept of
 * each element, in W: int where all weights are 1 and no square is above NONE, or double.
 * It is NONE where there is no zero in what the axes seen so far span.
 */
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

/* y: (rows, n), (weight * distance to the nearest zero in the row)^2. x, ends and launch
 * as of nearest_in_rows. */
template <class W>
__global__ void
squares_in_rows(const unsigned char *x, const int *ends, W *y, long long rows,
                long long n, double weight)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;
    const W w = (W)weight;

#if defined(CUPRIC_HOST)
    int far[ROW_SEGMENT];

    CUPRIC_EACH_BLOCK (piece, rows * each) {
        const long long row = piece / each, segment = piece % each;
        const int *known = ends + 2 * row * each;
        const int start = (int)(segment * ROW_SEGMENT);
        const int count = (int)(n - start < ROW_SEGMENT ? n - start : ROW_SEGMENT);
        const unsigned char *p = x + row * n + start;
        W *const out = y + row * n + start;
        const int behind = zero_beyond(known, segment, each, 1, 0);
        const int before = zero_beyond(known, segment, each, -1, 0);
        const int out_of_reach = 0x3fffffff;
        int d = behind < 0 ? out_of_reach : behind - start - count;
        for (int j = count - 1; j >= 0; j--) {
            d = p[j] ? d + (d < out_of_reach) : 0;
            far[j] = d;
        }
        d = before < 0 ? out_of_reach : start - 1 - before;
        for (int j = 0; j < count; j++) {
            d = p[j] ? d + (d < out_of_reach) : 0;
            far[j] = d < far[j] ? d : far[j];
        }
        for (int j = 0; j < count; j++) {
            const W v = w * (W)(far[j] == out_of_reach ? 0 : far[j]);
            out[j] = far[j] == out_of_reach ? none<W>::value : v * v;
        }
    }
#else
    __shared__ unsigned zeros_of[8][ROW_SEGMENT / 32];
    __shared__ int before_of[8][ROW_SEGMENT / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned *const bits = zeros_of[warp];
    int *const before = before_of[warp]; /* the zero before each word of bits */

    CUPRIC_EACH_BLOCK (group, (rows * each + 7) / 8) {
        const long long piece = group * 8 + warp;
        if (piece >= rows * each) continue;
        const long long row = cupric::quotient(piece, each),
                        segment = piece - row * each;
        const int *known = ends + 2 * row * each;
        const int start = (int)(segment * ROW_SEGMENT);
        const int count = (int)(n - start < ROW_SEGMENT ? n - start : ROW_SEGMENT);
        const int words = (count + 31) / 32;
        const unsigned char *p = x + row * n + start;
        W *const out = y + row * n + start;
        int carried = zero_beyond(known, segment, each, -1, lane);
        const int behind = zero_beyond(known, segment, each, 1, lane);

        __syncwarp();
        if ((unsigned long long)p % 16 == 0) { /* 16 elements a thread */
            for (int k = lane; k < words * 2; k += 32) {
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
            for (int k = 0; k < words; k++) {
                const int j = 32 * k + lane;
                const unsigned zeros = __ballot_sync(~0u, j < count && !p[j]);
                if (lane == 0) bits[k] = zeros;
            }
        }
        __syncwarp();
        for (int k0 = 0; k0 < words; k0 += 32) {
            const int k = k0 + lane;
            const unsigned zeros = k < words ? bits[k] : 0;
            const unsigned has = __ballot_sync(~0u, zeros != 0);
            const int last = start + 32 * k + 31 - __clz(zeros);
            const unsigned earlier = has & ((1u << lane) - 1);
            const int found = __shfl_sync(~0u, last, 31 - __clz(earlier | 1u));
            if (k < words) before[k] = earlier ? found : carried;
            const int end = __shfl_sync(~0u, last, 31 - __clz(has | 1u));
            if (has) carried = end;
        }
        __syncwarp();
        carried = behind;
        for (int k = words - 1; k >= 0; k--) {
            const int j = start + 32 * k + lane;
            const unsigned zeros = bits[k];
            const unsigned up_to = zeros & (~0u >> (31 - lane)), from = zeros >> lane;
            const int left = up_to ? start + 32 * k + 31 - __clz(up_to) : before[k];
            const int right = from ? j + __ffs(from) - 1 : carried;
            if (zeros) carried = start + 32 * k + __ffs(zeros) - 1;
            if (j >= start + count) continue;
            int far = left >= 0 ? j - left : 0x3fffffff;
            if (right >= 0 && right - j < far) far = right - j;
            const W v = w * (W)far;
            out[j - start] = left < 0 && right < 0 ? none<W>::value : v * v;
        }
    }
#endif
}

/* minima[(o * blocks + b) * inner + c]: the smallest of cost over block b of BLOCK rows,
 * of an array (outer, n, inner). Launch: elements. */
enum { BLOCK = 32 };

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

/* to[o, i, c] = the smallest over j of cost[o, j, c] + (weight * (i - j))^2, or its square
 * root to distances where that is not null. The array is (outer, n, inner), n along the
 * axis. A search goes from i outwards, and ends where the parabola alone is above what was
 * found; beyond REACH, it looks at the minima of blocks first, on a GPU, if there are any; on the host the
 * column's lower envelope is found instead (Felzenszwalb and Huttenlocher 2012). A thread
 * of a GPU searches for ROWS_EACH neighbouring rows at once, so that each cost that it
 * reads takes a sum and a minimum for each of them and nothing else.
 * Where the last pass finds nothing there is no zero at all, and one is taken to be at
 * (-1, 0, ...), as SciPy does: inner is (n1, n2, n3), of weights w1, w2, w3.
 * Launch: blocks(tiles of COLUMNS by BLOCK, SQUARES_THREADS), on the host of
 * HOST_COLUMNS by all rows.
 */
enum { COLUMNS = 32, REACH = 32, ROWS_EACH = 4 };
enum { SQUARES_THREADS = COLUMNS * BLOCK / ROWS_EACH };
enum { HOST_COLUMNS = 64, HOST_REACH = 128 };

template <class W>
struct far_corner {
    long long n1, n2, n3;
    double weight, w1, w2, w3;

    __device__ CUPRIC_RARE W square(long long i, long long c) const
    {
        const long long i1 = c / (n2 * n3), i2 = c / n3 % n2, i3 = c % n3;
        const double a = weight * (double)(i + 1), b = w1 * (double)i1,
                     d = w2 * (double)i2, e = w3 * (double)i3;
        return (W)(a * a + (b * b + (d * d + e * e)));
    }
};

#if defined(CUPRIC_HOST)
/* take[i]: the place for each i of n, by the envelope of cost[j] + w2 (i - j)^2.
 * half[d] = 1 / (2 w2 d). */
template <class W>
inline void
lower_envelope(const W *cost, W largest, const double *half, int n, int *take,
               int *site, double *from)
{
    int top = -1, k = 0;
    for (int j = 0; j < n; j++) {
        const W own = cost[j];
        double start = -1; /* where the parabola of j becomes the lowest */
        if (own == largest) continue;
        for (; top >= 0; top--) {
            const int s = site[top];
            start = 0.5 * (j + s) + ((double)own - (double)cost[s]) * half[j - s];
            if (start >= 0 && start > from[top]) break;
            start = -1;
        }
        if (start >= n) continue;
        site[++top] = j;
        from[top] = start;
    }
    if (top < 0) {
        for (int i = 0; i < n; i++) take[i] = -1;
        return;
    }
    for (int i = 0; k <= top; k++) {
        /* Site k is the nearest up to where the next one begins. */
        int end = n;
        if (k < top && from[k + 1] < n - 1) end = (int)from[k + 1] + 1;
        for (; i < end; i++) take[i] = site[k];
    }
}

/* The largest of x. Several at a time: the order of a maximum of doubles is no matter to
 * us, but the compiler keeps it. */
template <bool FULL, class W>
inline W
largest_of(const W *x, int count)
{
    enum { LANES = 16 };
    W most = x[0];
    if (FULL) {
        W top[LANES];
        for (int k = 0; k < LANES; k++) top[k] = x[k];
        for (int c = LANES; c < HOST_COLUMNS; c += LANES) {
            for (int k = 0; k < LANES; k++)
                top[k] = top[k] < x[c + k] ? x[c + k] : top[k];
        }
        for (int k = 0; k < LANES; k++) most = most < top[k] ? top[k] : most;
    } else {
        for (int c = 1; c < count; c++) most = most < x[c] ? x[c] : most;
    }
    return most;
}

/* best[c] for `here` neighbouring columns of row i, FULL: HOST_COLUMNS; whether all are
 * known within `reach` rows. */
template <bool FULL, class W>
inline bool
search_rows(const W *cost, long long inner, int here, long long n, long long i, W w,
            long long reach, W *__restrict best)
{
    const int count = FULL ? (int)HOST_COLUMNS : here;
    const W *const own = cost + i * inner;
    for (int c = 0; c < count; c++) best[c] = own[c];
    for (long long d = 1;; d++) {
        const W square = (w * (W)d) * (w * (W)d);
        const bool up = i - d >= 0, down = i + d < n;
        if ((!up && !down) || largest_of<FULL>(best, count) <= square) return true;
        if (d > reach) return false;
        const W *const p = own - (up ? d : -d) * inner;
        const W *const q = own + (down ? d : -d) * inner;
        for (int c = 0; c < count; c++) {
            const W v = (p[c] < q[c] ? p[c] : q[c]) + square;
            best[c] = v < best[c] ? v : best[c];
        }
    }
}
#else

/* The smallest of `best` and what rows up to `before` and from `behind` on give for row i
 * of a column, found by the minima of blocks. */
template <class W>
__device__ CUPRIC_RARE W
search_blocks(W best, const W *p, const W *least, long long i, long long before,
              long long behind, long long n, long long inner, W w)
{
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

#endif

template <class W, class D>
__global__ void
__launch_bounds__(SQUARES_THREADS, sizeof(W) <= 4 ? 4 : 3)
    squares_along(const W *cost, const W *minima, W *to, D *distances, long long outer,
                  long long n, long long inner, double weight, bool last, long long n1,
                  long long n2, long long n3, double w1, double w2, double w3)
{
    const far_corner<W> corner = {n1, n2, n3, weight, w1, w2, w3};
    const W w = (W)weight, nothing = none<W>::value;

#if defined(CUPRIC_HOST)
    enum { ENVELOPE = 4096, TOGETHER = 16384 };
    enum { PAD = 16 }; /* so that columns do not share the cache's sets */
    const long long across = (inner + HOST_COLUMNS - 1) / HOST_COLUMNS;
    W best[HOST_COLUMNS], columns[TOGETHER];
    int take[TOGETHER], site[ENVELOPE];
    double from[ENVELOPE], half[ENVELOPE];
    const long long reach = n <= ENVELOPE && weight != 0 ? (long long)HOST_REACH : n;
    bool begun = false;

    CUPRIC_EACH_BLOCK (piece, outer * across) {
        const long long o = piece / across, c0 = piece % across * HOST_COLUMNS;
        const int here = (int)(inner - c0 < HOST_COLUMNS ? inner - c0 : HOST_COLUMNS);
        const long long at = o * n * inner + c0;
        long long i = 0;
        for (; i < n; i++) {
            const bool known =
                here == HOST_COLUMNS
                    ? search_rows<true>(cost + at, inner, here, n, i, w, reach, best)
                    : search_rows<false>(cost + at, inner, here, n, i, w, reach, best);
            if (!known) break;
            const long long row = at + i * inner;
            if (!last) {
                for (int c = 0; c < here; c++)
                    to[row + c] = best[c] < nothing ? best[c] : nothing;
                continue;
            }
            for (int c = 0; c < here; c++)
                distances[row + c] = (D)sqrt((double)best[c]);
            for (int c = 0; c < here; c++) {
                if (best[c] >= nothing)
                    distances[row + c] = (D)sqrt((double)corner.square(i, c0 + c));
            }
        }
        if (i == n) continue;
        if (!begun) {
            for (int d = 1; d < n; d++) half[d] = 0.5 / (weight * weight * d);
            begun = true;
        }
        const int stride = (int)n + PAD, many = TOGETHER / stride;
        for (int c1 = 0; c1 < here; c1 += many) {
            const int some = here - c1 < many ? here - c1 : many;
            for (long long j = 0; j < n; j++) {
                const W *const p = cost + at + j * inner + c1;
                for (int c = 0; c < some; c++) columns[c * stride + j] = p[c];
            }
            for (int c = 0; c < some; c++) {
                lower_envelope(columns + c * stride, nothing, half, (int)n,
                               take + c * stride, site, from);
            }
            for (long long k = i; k < n; k++) {
                const long long row = at + k * inner + c1;
                for (int c = 0; c < some; c++) {
                    const int j = take[c * stride + k];
                    const W d = w * (W)(j - k);
                    best[c] = j < 0 ? nothing : columns[c * stride + j] + d * d;
                    if (j < 0 && last) best[c] = corner.square(k, c0 + c1 + c);
                }
                for (int c = 0; !last && c < some; c++) to[row + c] = best[c];
                for (int c = 0; last && c < some; c++)
                    distances[row + c] = (D)sqrt((double)best[c]);
            }
        }
    }
#else
    const long long blocks = (n + BLOCK - 1) / BLOCK, columns = outer * inner;
    const long long across = (columns + COLUMNS - 1) / COLUMNS;
    const int lane = threadIdx.x % COLUMNS, t = threadIdx.x / COLUMNS;
    const int reach = minima == cost ? (int)n : (int)REACH;

    CUPRIC_EACH_BLOCK (tile, blocks * across) {
        const long long b = cupric::quotient(tile, across), group = tile - b * across;
        const long long number = group * COLUMNS + lane;
        if (number >= columns) continue;
        const long long o = cupric::quotient(number, inner), c = number - o * inner;
        const W *const p = cost + o * n * inner + c;
        const W *const least = minima + o * blocks * inner + c;
        const long long first = b * BLOCK + t * ROWS_EACH;
        if (first >= n) continue;
        const W *const own = p + first * inner;
        const int above = (int)first, below = (int)(n - first) - ROWS_EACH;
        W best[ROWS_EACH], rows[ROWS_EACH];

#pragma unroll
        for (int r = 0; r < ROWS_EACH; r++)
            rows[r] = first + r < n ? own[r * inner] : nothing;
#pragma unroll
        for (int r = 0; r < ROWS_EACH; r++) {
            best[r] = first + r < n ? rows[r] : 0; /* known, where there is no row */
#pragma unroll
            for (int k = 0; k < ROWS_EACH; k++) {
                const W v = w * (W)(k - r), far = rows[k] + v * v;
                best[r] = far < best[r] ? far : best[r];
            }
        }
        int d = 0; /* rows on either side that have been seen */
        const W *before_these = own, *behind_these = own + (ROWS_EACH - 1) * inner;
        for (; d < reach; d += ROWS_EACH) {
            const W nearest = w * (W)(d + 1);
            W most = best[0];
#pragma unroll
            for (int r = 1; r < ROWS_EACH; r++) most = most < best[r] ? best[r] : most;
            if (nearest * nearest >= most || (d >= above && d >= below)) break;
            W up[ROWS_EACH], down[ROWS_EACH], square[2 * ROWS_EACH - 1];
#pragma unroll
            for (int k = 0; k < ROWS_EACH; k++) {
                before_these -= inner;
                behind_these += inner;
                up[k] = d + k < above ? *before_these : nothing;
                down[k] = d + k < below ? *behind_these : nothing;
            }
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
#pragma unroll
        for (int r = 0; r < ROWS_EACH; r++) {
            const long long i = first + r;
            if (i >= n) break;
            if (d >= reach)
                best[r] = search_blocks(best[r], p, least, i, first - d - 1,
                                        first + ROWS_EACH + d, n, inner, w);
            const long long place = (o * n + i) * inner + c;
            if (!last) {
                to[place] = best[r] < nothing ? best[r] : nothing;
            } else {
                if (best[r] >= nothing) best[r] = corner.square(i, c);
                distances[place] = (D)sqrt((double)best[r]);
            }
        }
    }
#endif
}

/* ---- an axis before ---------------------------------------------------------------------
 *
 * The array is (outer, n, inner), n along `axis`. For an element (o, i, c) the nearest zero
 * is that of an element (o, j, c), for the j that makes
 *     cost(j) + (weights[axis] * (i - j))^2
 * smallest, where cost(j) is the square of the distance between (o, j, c) and its zero. Of
 * two the smaller j: then j never decreases with i.
 *
 * On the host a column's parabolas are reduced to their lower envelope (Felzenszwalb and
 * Huttenlocher 2012). On a GPU, and for columns of more than LONGEST, j is found for the i
 * in the middle first: it bounds the j of those before it and behind it, which come next,
 * as for the totally monotone matrices of Aggarwal and others (1987). A search goes from i
 * outwards and ends where the parabola alone is above what was found.
 *
 * W is int (all weights 1, no square above 2^31 - 2) or double. to[axis] is written always,
 * for it bounds the searches; the others, and distances, unless null. Where there is no
 * zero, the array's last pass (axis 0) takes one at (-1, 0, …), as SciPy does.
 * Launch: blocks(pieces, NEAREST_THREADS), pieces of NEAREST_COLUMNS columns.
 */
enum { NEAREST_THREADS = 512, LONGEST = 4096, MOST_AXES = 64 };
#if defined(CUPRIC_HOST)
enum { NEAREST_COLUMNS = 16 }; /* a line of the cache */
enum { ELEMENTS = 16384 };     /* of these columns, at most */
#else
enum { NEAREST_COLUMNS = 8 };
#endif

template <class W>
struct largest;
template <>
struct largest<int> {
    static __device__ int value() { return 0x7fffffff; }
};
template <>
struct largest<double> {
    static __device__ double value() { return 1.7976931348623157e308; }
};

/* A column: elements planes[k * size + at + j * inner]. */
template <class W>
struct column_of_zeros {
    const int *planes; /* of the axes behind, from the column's first element */
    long long size, inner;
    int count; /* of these axes */
    W weight;  /* of the axis */
    W weights[MOST_AXES];
    int index[MOST_AXES]; /* the column's, along the axes behind */

    __device__ W square(W weight_of, int distance) const
    {
        const W d = weight_of * (W)distance;
        return d * d;
    }

    __device__ W cost(long long j) const
    {
        const int *p = planes + j * inner;
        W sum = 0;
        if (*p < 0) return largest<W>::value();
        for (int k = 0; k < count; k++, p += size)
            sum += square(weights[k], *p - index[k]);
        return sum;
    }

    /* This column becomes `number`; its first element. */
    __device__ long long place(long long number, const int *of, long long all_elements,
                               long long n, long long step, const long long *shape,
                               const double *sampling, int ndim, int axis)
    {
        const long long o = cupric::quotient(number, step);
        const long long at = o * (n - 1) * step + number;
        long long rest = number - o * step;
        size = all_elements;
        inner = step;
        count = ndim - 1 - axis;
        weight = (W)sampling[axis];
        planes = of + (axis + 1) * size + at;
        for (int k = count - 1; k >= 0; k--) {
            const long long length = shape[axis + 1 + k];
            const long long next = cupric::quotient(rest, length);
            index[k] = (int)(rest - next * length);
            weights[k] = (W)sampling[axis + 1 + k];
            rest = next;
        }
        return at;
    }

    /* The place for i in [low, high], or -1. */
    __device__ int search(int i, int low, int high, W *found) const
    {
        W best = largest<W>::value();
        int at = -1;
        int left = i < low ? low - 1 : i > high ? high : i, right = left + 1;
        for (;;) {
            const W to_left = left >= low ? square(weight, i - left) : best;
            const W to_right = right <= high ? square(weight, right - i) : best;
            const bool go_left = left >= low && to_left <= best;
            const bool go_right = right <= high && to_right < best;
            if (!go_left && !go_right) break;
            const W a = go_left ? cost(left) : largest<W>::value();
            const W b = go_right ? cost(right) : largest<W>::value();
            if (a < largest<W>::value() && a + to_left <= best) {
                best = a + to_left;
                at = left;
            }
            if (b < largest<W>::value() && b + to_right < best) {
                best = b + to_right;
                at = right;
            }
            left--;
            right++;
        }
        *found = best;
        return at;
    }
};

template <class W, class D>
struct nearest_output {
    int *to;
    D *distances;
    const int *planes;
    long long size, inner;
    int axis, ndim;
    bool all;

    /* The element `at` is i along the axis; its zero is that of j, or there is none. */
    __device__ void write(const column_of_zeros<W> &column, long long at, int i, int j,
                          W square) const
    {
        to[axis * size + at] = j;
        double far = (double)square;
        if (j < 0 && axis == 0) {
            far = (double)column.square(column.weight, i + 1);
            for (int k = 0; k < column.count; k++)
                far += (double)column.square(column.weights[k], column.index[k]);
        }
        if (distances) distances[at] = (D)sqrt(far);
        if (!all) return;
        const long long from = at + (j - i) * inner;
        for (int k = axis + 1; k < ndim; k++) {
            const int none = axis == 0 ? 0 : -1;
            to[k * size + at] = j < 0 ? none : planes[k * size + from];
        }
    }
};

/* The elements of a column whose numbers are odd multiples of `step`, less 1: those of
 * thread t of `threads`. Their neighbours `step` away are known. */
template <class W, class D>
__device__ inline void
search_between(const column_of_zeros<W> &column, const nearest_output<W, D> &output,
               long long at, int n, int step, int t, int threads)
{
    const int *known = output.to + output.axis * column.size + at;

    for (long long m = t;; m += threads) {
        const long long place = step * (2 * m + 1) - 1;
        if (place >= n) break;
        const int i = (int)place;
        const int low = m > 0 ? known[(i - step) * column.inner] : 0;
        const int high =
            place + step < n ? known[(place + step) * column.inner] : n - 1;
        W far = largest<W>::value();
        const int j = low < 0 || high < 0 ? -1 : column.search(i, low, high, &far);
        output.write(column, at + i * column.inner, i, j, far);
    }
}

#if defined(CUPRIC_HOST)
/* The columns of the host: NEAREST_COLUMNS neighbours along the last axis, or fewer. */
template <class W>
struct neighbouring_columns {
    enum { PAD = 16 }; /* so that columns do not share the cache's sets */
    W cost[ELEMENTS];
    int take[ELEMENTS], site[LONGEST];
    double from[LONGEST];
    W near[NEAREST_COLUMNS];

    /* cost[c * stride + j] of the n elements of `here` columns from `column` on. */
    void gather(const column_of_zeros<W> &column, int n, int stride, int here)
    {
        const int last = column.count - 1;
        const int *of = column.planes + last * column.size;
        const W w = column.weights[last];
        for (int j = 0; j < n; j++) {
            const int *p = of + j * column.inner;
            for (int c = 0; c < here; c++) {
                const W d = w * (W)(p[c] - column.index[last] - c);
                near[c] = d * d;
            }
            for (int k = 0; k < last; k++) {
                const int *q = column.planes + k * column.size + j * column.inner;
                const W v = column.weights[k];
                for (int c = 0; c < here; c++) {
                    const W d = v * (W)(q[c] - column.index[k]);
                    near[c] = near[c] + d * d;
                }
            }
            for (int c = 0; c < here; c++)
                cost[c * stride + j] = p[c] < 0 ? largest<W>::value() : near[c];
        }
    }

    /* What is written for the elements (i, c), the first of them at `at`. */
    template <class D>
    void write(const column_of_zeros<W> &column, const nearest_output<W, D> &output,
               long long at, int n, int stride, int here)
    {
        const long long size = column.size, inner = column.inner;
        if (take[0] < 0) { /* as all: the columns are of one part of the array */
            column_of_zeros<W> one = column;
            for (int c = 0; c < here; c++, one.index[one.count - 1]++) {
                for (int i = 0; i < n; i++)
                    output.write(one, at + i * inner + c, i, -1, largest<W>::value());
            }
            return;
        }
        for (int i = 0; i < n; i++) {
            const long long row = at + i * inner;
            int *own = output.to + output.axis * size + row;
            if (output.all || !output.distances) {
                for (int c = 0; c < here; c++) own[c] = take[c * stride + i];
            }
            for (int k = output.axis + 1; output.all && k < output.ndim; k++) {
                const int *from = output.planes + k * size + at;
                int *made = output.to + k * size + row;
                for (int c = 0; c < here; c++)
                    made[c] = from[take[c * stride + i] * inner + c];
            }
            if (!output.distances) continue;
            for (int c = 0; c < here; c++) {
                const int j = take[c * stride + i];
                near[c] = cost[c * stride + j] + column.square(column.weight, i - j);
            }
            D *far = output.distances + row;
            for (int c = 0; c < here; c++) far[c] = (D)sqrt((double)near[c]);
        }
    }
};
#endif

template <class W, class D>
__global__ void
nearest_along(const int *planes, int *to, D *distances, const long long *shape,
              const double *weights, int ndim, int axis, long long outer, long long n,
              long long inner, bool all, bool has_distances)
{
    const long long size = outer * n * inner;
    const nearest_output<W, D> output = {
        to, has_distances ? distances : (D *)0, planes, size, inner, axis, ndim, all};
    const long long columns = outer * inner;
    const long long pieces = (columns + NEAREST_COLUMNS - 1) / NEAREST_COLUMNS;
    int middle = 1;
    while (2ll * middle <= n) middle *= 2;

#if defined(CUPRIC_HOST)
    neighbouring_columns<W> work;
    double half[LONGEST];
    column_of_zeros<W> column;
    const long long along = shape[ndim - 1], lines = columns / along;
    const long long across = (along + NEAREST_COLUMNS - 1) / NEAREST_COLUMNS;
    const int stride = (int)n + work.PAD;
    const bool envelope = n <= LONGEST;
    const int most = envelope ? (ELEMENTS / stride < NEAREST_COLUMNS ? ELEMENTS / stride
                                                                     : NEAREST_COLUMNS)
                              : 1;
    for (int d = 1; d < n && envelope; d++)
        half[d] = 0.5 / (weights[axis] * weights[axis] * d);

    CUPRIC_EACH_BLOCK (piece, lines * across) {
        const long long first = piece % across * NEAREST_COLUMNS;
        const int count =
            (int)(along - first < NEAREST_COLUMNS ? along - first : NEAREST_COLUMNS);
        for (int c0 = 0; c0 < count; c0 += most) {
            const int here = count - c0 < most ? count - c0 : most;
            const long long at =
                column.place(piece / across * along + first + c0, planes, size, n,
                             inner, shape, weights, ndim, axis);
            if (!envelope) {
                for (int step = middle; step > 0; step /= 2)
                    search_between(column, output, at, (int)n, step, 0, 1);
                continue;
            }
            work.gather(column, (int)n, stride, here);
            for (int c = 0; c < here; c++) {
                lower_envelope(work.cost + c * stride, largest<W>::value(), half,
                               (int)n, work.take + c * stride, work.site, work.from);
            }
            work.write(column, output, at, (int)n, stride, here);
        }
    }
#else
    const int t = threadIdx.x / NEAREST_COLUMNS, c = threadIdx.x % NEAREST_COLUMNS;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long number = piece * NEAREST_COLUMNS + c;
        column_of_zeros<W> column;
        long long at = 0;
        if (number < columns) {
            at = column.place(number, planes, size, n, inner, shape, weights, ndim,
                              axis);
        }
        for (int step = middle; step > 0; step /= 2) {
            if (number < columns) {
                search_between(column, output, at, (int)n, step, t,
                               (int)blockDim.x / NEAREST_COLUMNS);
            }
            __syncthreads(); /* what was written is read by other threads */
        }
    }
#endif
}
