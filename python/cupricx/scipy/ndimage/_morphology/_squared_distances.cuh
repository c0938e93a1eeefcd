/* _squared_distances.cuh: squares of distances to the nearest element that is zero.
 *
 * Where no indices are asked for, the square of the distance to the nearest zero is kept of
 * each element, in W: int where all weights are 1 and no square is above NONE, or double.
 * It is NONE where there is no zero in what the axes seen so far span.
 */
#include "_nearest_in_row.cuh"
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
