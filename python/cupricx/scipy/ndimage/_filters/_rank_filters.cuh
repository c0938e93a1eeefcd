/* _rank_filters.cuh: the element of a rank among those that a footprint covers.
 *
 * What is compared are keys, integers in the order of the elements. On a GPU they are tiles
 * in shared memory. On the host, and of large windows, the array is first written with what
 * lies outside about it, as keys. Either way each place of the footprint is one number to add
 * to where an output's window begins, and nothing asks for bounds or for dtypes any more.
 */
#include "_keys.cuh"
#include "_rank_filters.h"
#include "_selection.cuh"
#include "_window.cuh"

/* ---- tiles -------------------------------------------------------------------------------
 *
 * x, y: contiguous, of shape s; `many` or, where that is NULL, `few`: the numbers in the
 * window of those elements that count. For GPUs. Launch: blocks(pieces, TILE_THREADS),
 * shared_mem.
 */
template <class X, class K>
__global__ void
__launch_bounds__(TILE_THREADS, sizeof(K) <= 4 ? 3 : 2)
    rank_tile(const X *x, K *y, const __grid_constant__ window_sizes s, const int *many,
              const __grid_constant__ few_numbers few, long long pieces, rank_choice o)
{
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<K> tile(tile_memory, s);
    int *const offsets = (int *)tile.rest;
    const K outside = key_of(element<X>::of(o.fill));
    const int across = s.window[s.ndim - 1];

    tile.start(s);
    __syncthreads(); /* the rows of the window are known */
    for (int i = threadIdx.x; i < o.taps; i += TILE_THREADS) {
        const int number = many ? many[i] : few.number[i], row = number / across;
        offsets[i] = tile.offset[row] + (number - row * across) * s.step;
    }
    CUPRIC_EACH_BLOCK (piece, pieces) {
        read_tile(tile, x, s, piece, outside, [](const X &v) { return key_of(v); });
        tile.each(s, false, [&](const K *from, long long to, int count) {
            const int apart = tile.apart(s);
#pragma unroll 1
            for (int r = 0; r < count; r++, from += apart, to += apart)
                y[to] = unkeyed(select_key(from, offsets, o.taps, o.rank), o.kind);
        });
    }
}

/* ---- boxes ------------------------------------------------------------------------------
 *
 * Windows that are whole: WIDE elements of HIGH rows. A thread makes QUAD neighbours. It
 * sorts each column, which lies in WIDE windows, once, and merges the columns that two
 * neighbours share; then each of them is an element of a rank of two sorted runs. All
 * networks are Batcher's odd-even merges. x: elements as keys' type. For GPUs. Launch as
 * rank_tile.
 */

/* What elements are compared as: in registers. */
template <class K, bool SMALL = (sizeof(K) < 4)>
struct in_register {
    typedef int type;
};
template <class K>
struct in_register<K, false> {
    typedef K type;
};

/* c = a and b, sorted runs of M and N, merged. */
template <int M, int N, class V>
__device__ inline void
merge(const V (&a)[M], const V (&b)[N], V (&c)[M + N])
{
    if constexpr (M == 1 && N == 1) {
        c[0] = a[0] < b[0] ? a[0] : b[0];
        c[1] = a[0] < b[0] ? b[0] : a[0];
    } else {
        /* Every other element from the first on, and those between. */
        constexpr int M0 = (M + 1) / 2, N0 = (N + 1) / 2, M1 = M / 2, N1 = N / 2;
        V a0[M0], b0[N0], first[M0 + N0], second[M1 + N1];
#pragma unroll
        for (int i = 0; i < M0; i++) a0[i] = a[2 * i];
#pragma unroll
        for (int i = 0; i < N0; i++) b0[i] = b[2 * i];
        merge<M0, N0>(a0, b0, first);
        if constexpr (M1 == 0 || N1 == 0) {
#pragma unroll
            for (int i = 0; i < M1; i++) second[i] = a[2 * i + 1];
#pragma unroll
            for (int i = 0; i < N1; i++) second[i] = b[2 * i + 1];
        } else {
            V a1[M1], b1[N1];
#pragma unroll
            for (int i = 0; i < M1; i++) a1[i] = a[2 * i + 1];
#pragma unroll
            for (int i = 0; i < N1; i++) b1[i] = b[2 * i + 1];
            merge<M1, N1>(a1, b1, second);
        }
        c[0] = first[0];
#pragma unroll
        for (int i = 1; i < M + N; i += 2) {
            const int k = i / 2;
            if (k == M1 + N1) {
                c[i] = first[k + 1]; /* of odd M and N */
            } else if (i == M + N - 1) {
                c[i] = second[k];
            } else {
                c[i] = second[k];
                c[i + 1] = first[k + 1];
                exchange(c[i], c[i + 1]);
            }
        }
    }
}

template <int N, class V>
__device__ inline void
sort_run(V (&v)[N])
{
    if constexpr (N > 1) {
        constexpr int M = N / 2;
        V a[M], b[N - M];
#pragma unroll
        for (int i = 0; i < M; i++) a[i] = v[i];
#pragma unroll
        for (int i = M; i < N; i++) b[i - M] = v[i];
        sort_run<M>(a);
        sort_run<N - M>(b);
        merge<M, N - M>(a, b, v);
    }
}

/* The element RANK of sorted runs a and b together: the least of the greatest of i of one
 * and of RANK + 1 - i of the other. */
template <int RANK, int M, int N, class V>
__device__ inline V
rank_of_two(const V (&a)[M], const V (&b)[N])
{
    constexpr int start = RANK + 1 > M ? RANK + 1 - M : 0;
    constexpr int end = RANK + 1 < N ? RANK + 1 : N;
    V found = V(0);
#pragma unroll
    for (int j = start; j <= end; j++) {
        const int i = RANK + 1 - j;
        V v;
        if (i == 0)
            v = b[j - 1];
        else if (j == 0)
            v = a[i - 1];
        else
            v = a[i - 1] < b[j - 1] ? b[j - 1] : a[i - 1];
        found = j == start || v < found ? v : found;
    }
    return found;
}

/* That of `rank`, which all threads have alike, from LOW to HIGH - 1: of a and each of b0
 * and b1. */
template <int LOW, int HIGH, int M, int N, class V>
__device__ inline void
ranks_of_two(const V (&a)[M], const V (&b0)[N], const V (&b1)[N], int rank, V &found0,
             V &found1)
{
    if constexpr (HIGH - LOW == 1) {
        found0 = rank_of_two<LOW>(a, b0);
        found1 = rank_of_two<LOW>(a, b1);
    } else {
        constexpr int MIDDLE = (LOW + HIGH) / 2;
        if (rank < MIDDLE)
            ranks_of_two<LOW, MIDDLE>(a, b0, b1, rank, found0, found1);
        else
            ranks_of_two<MIDDLE, HIGH>(a, b0, b1, rank, found0, found1);
    }
}

/* Of QUAD windows, two at a time: what comes next moves to where the code looks. */
template <int WIDE, int HIGH, int LOW_RANK, int HIGH_RANK, class V>
__device__ inline void
box_ranks(V (&c)[WIDE + QUAD - 1][HIGH], int rank, V (&found)[QUAD])
{
#pragma unroll 1
    for (int r = 0; r < QUAD; r += 2) {
        V two[2 * HIGH];
        merge<HIGH, HIGH>(c[1], c[2], two);
        found[0] = found[2];
        found[1] = found[3];
        if constexpr (WIDE == 3) {
            ranks_of_two<LOW_RANK, HIGH_RANK>(two, c[0], c[3], rank, found[2],
                                              found[3]);
        } else { /* 5 */
            V more[2 * HIGH], four[4 * HIGH];
            merge<HIGH, HIGH>(c[3], c[4], more);
            merge<2 * HIGH, 2 * HIGH>(two, more, four);
            ranks_of_two<LOW_RANK, HIGH_RANK>(four, c[0], c[5], rank, found[2],
                                              found[3]);
        }
#pragma unroll
        for (int j = 0; j + 2 < WIDE + QUAD - 1; j++) {
#pragma unroll
            for (int h = 0; h < HIGH; h++) c[j][h] = c[j + 2][h];
        }
    }
}

template <class K, int WIDE, int HIGH>
__global__ void
__launch_bounds__(TILE_THREADS, sizeof(K) > 4 ? 1
                                : HIGH > 3    ? 2
                                              : 4)
    rank_box(const K *x, K *y, const __grid_constant__ window_sizes s, long long pieces,
             rank_choice o)
{
    extern __shared__ __align__(16) char tile_memory[];
    typedef typename in_register<K>::type V;
    window_tile<K> tile(tile_memory, s);
    const K outside = key_of_fill<K>(o.fill, o.kind);
    const key_change<K> change(o.kind);
    constexpr int COLUMNS = WIDE + QUAD - 1, MEDIAN = WIDE * HIGH / 2;

    tile.start(s);
    CUPRIC_EACH_BLOCK (piece, pieces) {
        read_tile(tile, x, s, piece, outside, change);
        tile.each(s, true, [&](const K *from, long long to, int count) {
            V c[COLUMNS][HIGH], found[QUAD] = {0, 0, 0, 0};
#pragma unroll
            for (int h = 0; h < HIGH; h++) {
                const quad<K> *p = (const quad<K> *)(from + tile.offset[h]);
                const quad<K> a = p[0], b = p[1];
#pragma unroll
                for (int j = 0; j < COLUMNS; j++)
                    c[j][h] = j < QUAD ? a.v[j % QUAD] : b.v[j % QUAD];
            }
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) sort_run<HIGH>(c[j]);
            if (o.rank == MEDIAN) /* of whose merges not all is needed */
                box_ranks<WIDE, HIGH, MEDIAN, MEDIAN + 1>(c, o.rank, found);
            else
                box_ranks<WIDE, HIGH, 0, WIDE * HIGH>(c, o.rank, found);
            quad<K> made;
#pragma unroll
            for (int r = 0; r < QUAD; r++) made.v[r] = change((K)found[r]);
            write_quad(y + to, made, count);
        });
    }
}

/* ---- large boxes --------------------------------------------------------------------------
 *
 * Whole windows of WIDE >= QUAD elements of `rows` rows: the bits of QUAD neighbours' results
 * at a time, of which each element is read once. Once all elements but those of a range are
 * known to be less or greater, and the result to be its first or its last, that is looked
 * for. Otherwise as rank_box.
 */

/* Calls use(element, r, s) for all elements of QUAD windows side by side: r to s have it. */
template <class K, class USE>
__device__ inline void
each_of_box(const K *from, const int *offset, int rows, int wide, const USE &use)
{
#pragma unroll 1
    for (int h = 0; h < rows; h++) {
        const K *p = from + offset[h];
        const quad<K> head = *(const quad<K> *)p;
#pragma unroll
        for (int j = 0; j < QUAD; j++) use(head.v[j], 0, j);
#pragma unroll 1
        for (int j = QUAD; j < wide; j++) use(p[j], 0, QUAD - 1);
#pragma unroll
        for (int j = 1; j < QUAD; j++) use(p[wide + j - 1], j, QUAD - 1);
    }
}

/* Of each of QUAD windows: the least that its result can be, and how many are less than that
 * and than the end of the range that it is in. */
template <class K>
struct rank_ranges {
    K low[QUAD];
    int less[QUAD], end[QUAD];
};

/* From the ranges of all keys that are alike but for their lowest bits to those of fewer, a
 * bit at a time, until all results are known to be their range's first or last element;
 * returns how many bits are left. */
template <class K>
__device__ inline int
narrow_ranges(const K *from, const int *offset, int rows, int wide, int rank,
              rank_ranges<K> &range)
{
    const K first = from[offset[0]];
    K all = 0;
    each_of_box(from, offset, rows, wide,
                [&](const K &k, int, int) { all |= (K)(k ^ first); });
    int bits = limits<K>::bits;
    while (bits > 0 && !(all >> (bits - 1) & 1)) bits--;

#pragma unroll
    for (int r = 0; r < QUAD; r++) {
        range.low[r] = bits == limits<K>::bits ? (K)limits<K>::least
                                               : (K)(first & (K) ~(((K)1 << bits) - 1));
        range.less[r] = 0;
        range.end[r] = rows * wide;
    }
    bool wanted = true;
#pragma unroll 1
    while (bits > 0 && wanted) {
        K edge[QUAD];
        int count[QUAD];
        bits--;
#pragma unroll
        for (int r = 0; r < QUAD; r++)
            edge[r] = (K)(range.low[r] ^ (K)((K)1 << bits)), count[r] = 0;
        each_of_box(from, offset, rows, wide, [&](const K &k, int r0, int r1) {
#pragma unroll
            for (int r = 0; r < QUAD; r++) {
                if (r0 <= r && r <= r1) count[r] += k < edge[r];
            }
        });
        wanted = false;
#pragma unroll
        for (int r = 0; r < QUAD; r++) {
            if (count[r] <= rank)
                range.low[r] = edge[r], range.less[r] = count[r];
            else
                range.end[r] = count[r];
            wanted = wanted || (range.less[r] != rank && range.end[r] != rank + 1);
        }
    }
    return bits;
}

template <class K>
__device__ inline void
select_of_box(const K *from, const int *offset, int rows, int wide, int rank, K *found)
{
    rank_ranges<K> range;
    const int bits = narrow_ranges(from, offset, rows, wide, rank, range);
    K high[QUAD], least[QUAD], most[QUAD];
#pragma unroll
    for (int r = 0; r < QUAD; r++) {
        high[r] = (K)(range.low[r] | (K)(((K)1 << bits) - 1));
        least[r] = high[r];
        most[r] = range.low[r];
    }
    each_of_box(from, offset, rows, wide, [&](const K &k, int r0, int r1) {
#pragma unroll
        for (int r = 0; r < QUAD; r++) {
            if (r < r0 || r > r1) continue;
            if (k >= range.low[r] && k < least[r]) least[r] = k;
            if (k <= high[r] && k > most[r]) most[r] = k;
        }
    });
#pragma unroll
    for (int r = 0; r < QUAD; r++)
        found[r] = range.less[r] == rank ? least[r] : most[r];
}

template <class K>
__global__ void
rank_large_box(const K *x, K *y, const __grid_constant__ window_sizes s,
               long long pieces, rank_choice o)
{
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<K> tile(tile_memory, s);
    const K outside = key_of_fill<K>(o.fill, o.kind);
    const key_change<K> change(o.kind);
    const int wide = s.window[s.ndim - 1];

    tile.start(s);
    CUPRIC_EACH_BLOCK (piece, pieces) {
        read_tile(tile, x, s, piece, outside, change);
        tile.each(s, true, [&](const K *from, long long to, int count) {
            quad<K> made;
            select_of_box(from, tile.offset, s.window_rows, wide, o.rank, made.v);
#pragma unroll
            for (int r = 0; r < QUAD; r++) made.v[r] = change(made.v[r]);
            write_quad(y + to, made, count);
        });
    }
}

/* Where in the keys the first window of a row begins. */
__device__ inline long long
window_of(long long row, const long long *sizes, int ndim)
{
    const long long *shape = sizes, *padded = shape + ndim;
    long long at = 0, stride = padded[ndim - 1];
    for (int d = ndim - 2; d >= 0; d--) {
        at += row % shape[d] * stride;
        stride *= padded[d];
        row /= shape[d];
    }
    return at;
}

/* x: keys, of `padded`, and LANES more; y: of `shape`; offsets: of taps, in x; sizes: shape
 * and padded. Launch: blocks(work, RANK_THREADS).
 */
template <class K>
__global__ void
rank_window(const K *x, K *y, const long long *sizes, const long long *offsets,
            padded_rows p, rank_choice o)
{
    const long long n = sizes[p.ndim - 1];
    const int above = RANK_THREADS / p.across;
    const long long chunks = (n + p.across - 1) / p.across;
    const long long tiles = (p.rows + above - 1) / above;

    CUPRIC_EACH_BLOCK (piece, tiles * chunks) {
        const long long row = piece / chunks * above + threadIdx.x / p.across;
        const long long c = piece % chunks * p.across + threadIdx.x % p.across;
        if (row >= p.rows || c >= n) continue;
        const K *from = x + window_of(row, sizes, p.ndim) + c;
        const K found = select_key(from, offsets, o.taps, o.rank);
        y[row * n + c] = unkeyed(found, o.kind);
    }
}
