/* _label.cuh: labels of connected elements, and where they lie.
 *
 * T is int or long long: numbers of elements, of runs and of labels.
 */
#include "_union_find.cuh"

/* ---- label ----------------------------------------------------------------------------
 *
 * x has `rows` rows of n elements: C order, the last axis inside. facts: the shape; then the
 * neighbours that come before an element, as `nlinks` times the step along each of the
 * ndim - 1 axes of rows, and the first and last step along the row (lo, hi). `linked`:
 * neighbours in a row belong together. Where they do not, lo == hi.
 *
 * On the host the members of sets are runs of elements, found row by row: row r has runs
 * r * most + k, from edges[r * width + 2 * k] to edges[r * width + 2 * k + 1], and
 * counts[r] holds twice their number. most = width / 2 - 1. A piece is one of `pieces`
 * equal shares of the rows.
 *
 * On a GPU they are elements; a piece is a tile of TILE. parent is -1 in the background.
 *
 * 1. label_runs: the members. Those of a run (within a warp) are joined; on the host all
 *    neighbours in a piece are, while they are in the cache.
 * 2. label_merge: joins neighbours; on the host, of two pieces.
 * 3. label_count: found[piece + 1]: its roots; on a GPU, paths to length one. A sum over
 *    these.
 * 4. label_number: a root's parent becomes -1 - number, in C order; on the host, that of
 *    each member whose root is in the piece, and others' parents are of another piece.
 * 5. label_write: the numbers.
 */
enum { TILE = 1024, TILE_THREADS = 256 };

/* The row that a link leads to, or -1. */
__device__ inline long long
linked_row(long long row, const long long *link, const long long *shape, int ndim)
{
    long long to = row, stride = 1;
    for (int d = ndim - 2; d >= 0; d--) {
        const long long rest = cupric::quotient(row, shape[d]);
        const long long at = row - rest * shape[d] + link[d];
        if (at < 0 || at >= shape[d]) return -1;
        to += link[d] * stride;
        stride *= shape[d];
        row = rest;
    }
    return to;
}

#if defined(CUPRIC_HOST)

/* The runs of a row. */
template <class U, class T>
inline long long
find_runs(const U *p, U mask, long long n, bool linked, T *edge)
{
    enum { BITS = 64 };
    long long k = 0;
    unsigned long long before = 0;

    for (long long j = 0; j < n; j += BITS) {
        const int count = n - j < BITS ? (int)(n - j) : (int)BITS;
        unsigned char is[BITS] = {0};
        if (count == BITS) {
            for (int c = 0; c < BITS; c++) is[c] = (p[j + c] & mask) != 0;
        } else {
            for (int c = 0; c < count; c++) is[c] = (p[j + c] & mask) != 0;
        }
        unsigned long long bits = 0;
        for (int c = 0; c < BITS; c += 8) {
            unsigned long long v;
            __builtin_memcpy(&v, is + c, 8);
            bits |= (v * 0x0102040810204080ull >> 56) << c; /* bit k: byte k */
        }
        if (linked) {
            unsigned long long ends = bits ^ (bits << 1 | before);
            before = bits >> 63;
            for (; ends; ends &= ends - 1) edge[k++] = (T)(j + __builtin_ctzll(ends));
        } else {
            for (; bits; bits &= bits - 1, k += 2) {
                edge[k] = (T)(j + __builtin_ctzll(bits));
                edge[k + 1] = edge[k] + 1;
            }
        }
    }
    if (before) edge[k++] = (T)n;
    return k;
}

/* Joins the runs of two rows that a link connects, alone or beside others. */
template <bool ALONE, class T>
inline void
merge_rows(T *parent, const T *edges, const T *counts, long long row, long long to,
           long long lo, long long hi, long long width, long long gap)
{
    enum { PAIRS = 512 };
    const long long na = counts[row], nb = counts[to];
    const T *const a = edges + row * width, *const b = edges + to * width;
    const long long own = row * (width / 2 - 1), other = to * (width / 2 - 1);

    T mine[PAIRS], theirs[PAIRS];

    for (long long p = 0, q = 0; p < na && q < nb;) {
        int pairs = 0; /* found first, without branches: any may touch */
        while (p < na && q < nb && pairs < PAIRS) {
            const bool touch = (b[q + 1] > a[p] + lo) & (b[q] < a[p + 1] + hi);
            const bool done = b[q + 1] + gap >= a[p + 1] + hi;
            mine[pairs] = (T)(own + p / 2);
            theirs[pairs] = (T)(other + q / 2);
            pairs += touch;
            p += 2 * (long long)done;
            q += 2 - 2 * (long long)done;
        }
        for (int k = 0; k < pairs; k++) {
            if (ALONE) {
                join_sets_alone(parent, mine[k], theirs[k]);
            } else {
                join_sets(parent, mine[k], theirs[k]);
            }
        }
    }
}

#else

/* The element of a tile that a thread takes at step k: a warp's lie side by side, so that
 * ranks within the warp's part follow the C order. */
__device__ inline long long
tile_element(long long tile, int k)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    return tile * TILE + warp * (TILE / TILE_THREADS * 32) + k * 32 + lane;
}

#endif

template <class U, class T>
__global__ void
label_runs(const U *x, T *parent, T *edges, T *counts, const long long *facts, int ndim,
           int nlinks, long long rows, long long n, long long width, bool linked,
           long long bits, long long pieces)
{
    const U mask = (U)bits; /* not the sign of a zero */

#if defined(CUPRIC_HOST)
    const long long most = width / 2 - 1;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long first =
            cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        for (long long row = first; row < end; row++) {
            T *const own = parent + row * most;
            const long long k =
                find_runs(x + row * n, mask, n, linked, edges + row * width);
            counts[row] = (T)k;
            for (long long r = 0; r < k / 2; r++) own[r] = (T)(row * most + r);
            for (int l = 0; l < nlinks && k > 0; l++) {
                const long long *link = facts + ndim + (long long)l * (ndim + 1);
                const long long to = linked_row(row, link, facts, ndim);
                if (to < first) continue;
                merge_rows<true>(parent, edges, counts, row, to, link[ndim - 1],
                                 link[ndim], width, linked);
            }
        }
    }
#else
    const long long size = rows * n;

    CUPRIC_EACH_BLOCK (tile, (size + TILE - 1) / TILE) {
        for (int k = 0; k < TILE / TILE_THREADS; k++) {
            const long long i = tile_element(tile, k);
            const int lane = threadIdx.x % 32;
            const bool is = i < size && (x[i] & mask) != 0;
            const unsigned all = __ballot_sync(~0u, is);
            if (i >= size) continue;
            T root = -1;
            if (is) {
                const long long column = i - cupric::quotient(i, n) * n;
                const unsigned gaps = ~all & ((1u << lane) - 1);
                int first = 32 - __clz(gaps); /* of the run, in the warp */
                if (column < lane - first) first = lane - (int)column;
                root = (T)(i - (linked ? lane - first : 0));
            }
            parent[i] = root;
        }
    }
#endif
}

template <class T>
__global__ void
label_merge(T *parent, const T *edges, const T *counts, const long long *facts,
            int ndim, int nlinks, long long rows, long long n, long long width,
            bool linked, long long pieces)
{
    const long long *shape = facts, *links = facts + ndim;

#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long first =
            cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        for (int l = 0; l < nlinks; l++) {
            const long long *link = links + (long long)l * (ndim + 1);
            long long behind = 0, stride = 1; /* rows that lie between the two */
            for (int d = ndim - 2; d >= 0; d--) {
                behind -= link[d] * stride;
                stride *= shape[d];
            }
            for (long long row = first; row < end && row < first + behind; row++) {
                const long long to = linked_row(row, link, shape, ndim);
                if (to < 0 || counts[row] == 0) continue;
                merge_rows<false>(parent, edges, counts, row, to, link[ndim - 1],
                                  link[ndim], width, linked);
            }
        }
    }
#else
    const long long size = rows * n;

    CUPRIC_EACH (i, size) {
        if (parent[i] < 0) continue;
        const long long row = cupric::quotient(i, n), column = i - row * n;
        const bool left = column > 0 && parent[i - 1] >= 0;
        const bool right = column + 1 < n && parent[i + 1] >= 0;
        if (linked && left && i % 32 == 0) join_sets(parent, (T)i, (T)(i - 1));
        for (int l = 0; l < nlinks; l++) {
            const long long *link = links + (long long)l * (ndim + 1);
            const long long to = linked_row(row, link, shape, ndim);
            if (to < 0) continue;
            const long long j = to * n + column;
            const int lo = (int)link[ndim - 1], hi = (int)link[ndim];
            if (linked && lo == -hi) {
                /* What a neighbour in the row joins already is passed over. */
                if (parent[j] >= 0) {
                    if (!left || parent[j - 1] < 0) join_sets(parent, (T)i, (T)j);
                } else if (hi == 1) {
                    if (!left && column > 0 && parent[j - 1] >= 0)
                        join_sets(parent, (T)i, (T)(j - 1));
                    if (!right && column + 1 < n && parent[j + 1] >= 0)
                        join_sets(parent, (T)i, (T)(j + 1));
                }
                continue;
            }
            for (int d = lo; d <= hi; d++) {
                if (column + d >= 0 && column + d < n && parent[j + d] >= 0)
                    join_sets(parent, (T)i, (T)(j + d));
            }
        }
    }
#endif
}

/* found[piece + 1]: how many roots it has; found[0] = 0. */
template <class T>
__global__ void
label_count(T *parent, const T *counts, T *found, long long rows, long long size,
            long long width, long long pieces)
{
    CUPRIC_EACH_BLOCK (piece, pieces) {
#if defined(CUPRIC_HOST)
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        T roots = 0;
        for (long long row = cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
             row < end; row++) {
            const T first = (T)(row * (width / 2 - 1)), count = counts[row] / 2;
            const T *const own = parent + first;
            for (T r = 0; r < count; r++) roots += own[r] == first + r;
        }
        found[piece + 1] = roots;
        if (piece == 0) found[0] = 0;
#else
        int roots = 0;
        for (int k = 0; k < TILE / TILE_THREADS; k++) {
            const long long i = tile_element(piece, k);
            bool is = false;
            if (i < size) {
                const T p = parent[i];
                if (p >= 0 && p != i) {
                    const T root = root_of(parent, p);
                    if (root != p) parent[i] = root;
                }
                is = p == i;
            }
            roots += __syncthreads_count(is);
        }
        if (threadIdx.x == 0) {
            found[piece + 1] = roots;
            if (piece == 0) found[0] = 0;
        }
#endif
    }
}

template <class T>
__global__ void
label_number(T *parent, const T *counts, const T *found, long long rows, long long size,
             long long width, long long pieces)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long begin =
            cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        const T start = (T)(begin * (width / 2 - 1));
        T number = found[piece];
        for (long long row = begin; row < end; row++) {
            const T first = (T)(row * (width / 2 - 1)), count = counts[row] / 2;
            for (T r = first; r < first + count; r++) {
                /* Parents come before: one in the piece has its number. Without
                 * branches, as any may be a root. */
                const T p = parent[r], known = parent[p < start ? r : p];
                const T root = p == r;
                number += root;
                parent[r] = known ^ ((known ^ (-1 - number)) & -root);
            }
        }
    }
#else
    __shared__ int before[TILE_THREADS / 32];

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        unsigned is[TILE / TILE_THREADS];
        int roots = 0;
        if (found[piece] == found[piece + 1]) continue;
#pragma unroll
        for (int k = 0; k < TILE / TILE_THREADS; k++) {
            const long long i = tile_element(piece, k);
            is[k] = __ballot_sync(~0u, i < size && parent[i] == i);
            roots += __popc(is[k]);
        }
        __syncthreads();
        if (lane == 0) before[warp] = roots;
        __syncthreads();
        T number = found[piece];
        for (int w = 0; w < warp; w++) number += before[w];
#pragma unroll
        for (int k = 0; k < TILE / TILE_THREADS; k++) {
            if (is[k] >> lane & 1)
                parent[tile_element(piece, k)] =
                    (T)(-2 - number - __popc(is[k] & ((1u << lane) - 1)));
            number += __popc(is[k]);
        }
    }
#endif
}

#if defined(CUPRIC_HOST)
/* out[at] … out[end - 1], and what follows in the row of n, which is written later: most
 * runs take one step. */
template <class T>
inline void
fill_to(T *out, long long at, long long end, long long n, T value)
{
    enum { STEP = 8 };
    for (; at < end && at + STEP <= n; at += STEP) {
        for (int c = 0; c < STEP; c++) out[at + c] = value;
    }
    for (; at < end; at++) out[at] = value;
}
#endif

template <class T>
__global__ void
label_write(const T *parent, const T *edges, const T *counts, T *y, long long rows,
            long long n, long long width)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (row, rows) {
        const T *const edge = edges + row * width, *const own =
                                                       parent + row * (width / 2 - 1);
        T *const out = y + row * n;
        long long at = 0;
        for (long long k = 0; k < counts[row]; k += 2) {
            T p = own[k / 2];
            while (p >= 0) p = parent[p];
            fill_to(out, at, (long long)edge[k], n, (T)0);
            fill_to(out, (long long)edge[k], (long long)edge[k + 1], n, -1 - p);
            at = edge[k + 1];
        }
        fill_to(out, at, n, n, (T)0);
    }
#else
    CUPRIC_EACH (i, rows * n) {
        T p = parent[i];
        if (p >= 0) p = parent[p];
        y[i] = -1 - p;
    }
#endif
}

/* ---- find_objects ---------------------------------------------------------------------
 *
 * bounds[label - 1][d]: the smallest index along axis d, and ndim further the complement
 * of the largest, so that both are minima; the largest number at first. Only the ends of a
 * run of equal labels in a row can be either. There are `tables` of these, to be joined: a
 * piece of the host has one of its own, a GPU has one for all. Launch: blocks over the
 * tables on the host, over pieces of blockDim.x elements on a GPU.
 */
enum { MOST_AXES = 64 };

#if defined(CUPRIC_HOST)
/* Widens the bounds of the labels of a row, run by run. */
template <class L>
struct row_bounds {
    enum { GROUP = 16 }; /* elements that are looked at together: mostly one label */
    long long *table, most;
    int ndim;
    long long ends[2 * MOST_AXES]; /* of a run, as in the table */
    int edge[GROUP];

    void place(long long row, const long long *shape)
    {
        for (int d = ndim - 2; d >= 0; d--) {
            const long long rest = cupric::quotient(row, shape[d]);
            ends[d] = row - rest * shape[d];
            ends[ndim + d] = ~ends[d];
            row = rest;
        }
    }

    void widen(L label, long long first, long long last)
    {
        if (label <= 0 || (unsigned long long)label > (unsigned long long)most) return;
        long long *const bound = table + ((long long)label - 1) * 2 * ndim;
        ends[ndim - 1] = first;
        ends[2 * ndim - 1] = ~last;
        for (int d = 0; d < 2 * ndim; d++)
            bound[d] = ends[d] < bound[d] ? ends[d] : bound[d];
    }

    void add(const L *p, long long n)
    {
        long long first = 0; /* of the run under way */
        for (long long j = 0; j < n; j += GROUP) {
            const int count = n - j < GROUP ? (int)(n - j) : (int)GROUP;
            const L *const q = p + j;
            const L label = p[first];
            bool differs = false;
            if (count == GROUP) {
                for (int c = 0; c < GROUP; c++) differs |= q[c] != label;
                if (!differs) continue;
            }
            int edges = 0; /* without branches: a run may end anywhere */
            for (int c = j == 0; c < count; c++) {
                edge[edges] = c;
                edges += q[c] != q[c - 1];
            }
            for (int e = 0; e < edges; e++) {
                widen(p[first], first, j + edge[e] - 1);
                first = j + edge[e];
            }
        }
        if (n > 0) widen(p[first], first, n - 1);
    }
};
#endif

template <class L>
__global__ void
label_bounds(const L *labels, long long *bounds, long long most, const long long *shape,
             int ndim, long long rows, long long n, long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        row_bounds<L> own;
        own.table = bounds + piece * most * 2 * ndim;
        own.most = most;
        own.ndim = ndim;
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)tables);
        for (long long row = cupric::share_of(rows, (unsigned)piece, (unsigned)tables);
             row < end; row++) {
            own.place(row, shape);
            own.add(labels + row * n, n);
        }
    }
#else
    CUPRIC_EACH_BLOCK (piece, (rows * n + blockDim.x - 1) / blockDim.x) {
        const long long i = piece * blockDim.x + threadIdx.x;
        if (i >= rows * n) continue;
        const L label = labels[i];
        if (label <= 0 || (unsigned long long)label > (unsigned long long)most)
            continue;
        long long row = cupric::quotient(i, n), at = i - row * n;
        if (at > 0 && at + 1 < n && labels[i - 1] == label && labels[i + 1] == label)
            continue;
        long long *const low = bounds + ((long long)label - 1) * 2 * ndim;
        long long *const high = low + ndim;
        for (int d = ndim - 1; d >= 0; d--) {
            if (d < ndim - 1) {
                const long long rest = cupric::quotient(row, shape[d]);
                at = row - rest * shape[d];
                row = rest;
            }
            /* Looked at first: few elements change anything. */
            if (at < *(volatile long long *)(low + d)) atomicMin(low + d, at);
            if (~at < *(volatile long long *)(high + d)) atomicMin(high + d, ~at);
        }
    }
#endif
}
