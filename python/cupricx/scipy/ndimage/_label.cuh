/* _label.cuh: labels of connected elements, and where they lie.
 *
 * T is int or long long: numbers of elements, of runs and of labels.
 */
#include "_union_find.cuh"

/* ---- label ----------------------------------------------------------------------------
 *
 * x has `rows` rows of n elements: C order, the last axis inside. links: the neighbours
 * that come before an element, as `nlinks` times the step along each of the ndim - 1 axes
 * of rows, and the first and last step along the row (lo, hi). `linked`: neighbours in a
 * row belong together. Where they do not, lo == hi.
 *
 * On the host the members of sets are runs of elements, found row by row: row r has runs
 * r * most + k, from edges[r * width + 2 * k] to edges[r * width + 2 * k + 1], and
 * counts[r] holds twice their number. most = width / 2 - 1.
 *
 * On a GPU they are elements; a piece is a tile of TILE. parent is -1 in the background.
 *
 * 1. label_runs: the members; those of a run (within a warp) are joined.
 * 2. label_merge: joins neighbours.
 * 3. label_count: paths to length one; counts[piece + 1]: its roots. A sum over counts.
 * 4. label_number: a root's parent becomes -1 - number, in C order.
 * 5. label_write: the numbers.
 */
enum { TILE = 1024, TILE_THREADS = 256 };

#if defined(CUPRIC_HOST)
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
label_runs(const U *x, T *parent, T *edges, T *counts, long long rows, long long n,
           long long width, long long bits, bool linked)
{
    const U mask = (U)bits; /* not the sign of a zero */

#if defined(CUPRIC_HOST)
    enum { CHUNK = 32 };
    const long long most = width / 2 - 1;

    CUPRIC_EACH_BLOCK (row, rows) {
        const U *p = x + row * n;
        T *const edge = edges + row * width;
        long long k = 0, j = 0;
        unsigned before = 0;
        if (!linked) {
            for (; j < n; j++) {
                edge[k] = (T)j;
                edge[k + 1] = (T)(j + 1);
                k += (p[j] & mask) != 0 ? 2 : 0;
            }
        }
        while (j < n) {
            const long long end = j + CHUNK < n ? j + CHUNK : n;
            if (end - j == CHUNK) { /* passed over if all is as before */
                U any = 0, lacks = 0;
                for (int c = 0; c < CHUNK; c++) {
                    const U v = p[j + c] & mask;
                    any |= v;
                    lacks |= (U)(v == 0);
                }
                if (before ? lacks == 0 : any == 0) {
                    j = end;
                    continue;
                }
            }
            for (; j < end; j++) { /* without branches: a run may end anywhere */
                const unsigned now = (p[j] & mask) != 0;
                edge[k] = (T)j;
                k += now ^ before;
                before = now;
            }
        }
        if (before) edge[k++] = (T)n;
        counts[row] = (T)k;
        for (long long r = 0; r < k / 2; r++)
            parent[row * most + r] = (T)(row * most + r);
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

template <class T>
__global__ void
label_merge(T *parent, const T *edges, const T *counts, const long long *facts,
            int ndim, int nlinks, long long rows, long long n, long long width,
            bool linked)
{
    const long long *shape = facts, *links = facts + ndim;

#if defined(CUPRIC_HOST)
    const long long most = width / 2 - 1, gap = linked;

    CUPRIC_EACH_BLOCK (row, rows) {
        const long long na = counts[row];
        if (na == 0) continue;
        const T *const a = edges + row * width;
        for (int l = 0; l < nlinks; l++) {
            const long long *link = links + (long long)l * (ndim + 1);
            const long long to = linked_row(row, link, shape, ndim);
            if (to < 0) continue;
            const long long lo = link[ndim - 1], hi = link[ndim], nb = counts[to];
            const T *const b = edges + to * width;
            for (long long p = 0, q = 0; p < na && q < nb;) {
                const long long i = row * most + p / 2, j = to * most + q / 2;
                if (b[q + 1] > a[p] + lo && b[q] < a[p + 1] + hi &&
                    parent[i] != parent[j]) {
                    join_sets(parent, (T)i, (T)j);
                }
                const bool done = b[q + 1] + gap >= a[p + 1] + hi;
                p += done ? 2 : 0;
                q += done ? 0 : 2;
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
label_count(T *parent, const T *counts, T *found, long long pieces, long long size,
            long long width)
{
    CUPRIC_EACH_BLOCK (piece, pieces) {
#if defined(CUPRIC_HOST)
        const long long first = piece * (width / 2 - 1);
        T roots = 0;
        for (long long r = first; r < first + counts[piece] / 2; r++) {
            const T root = root_of(parent, (T)r);
            if (root != r) parent[r] = root;
            roots += root == r;
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
label_number(T *parent, const T *counts, const T *found, long long pieces,
             long long size, long long width)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long first = piece * (width / 2 - 1);
        T number = found[piece];
        for (long long r = first; r < first + counts[piece] / 2; r++) {
            if (parent[r] == r) parent[r] = -1 - ++number;
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
            const T p = own[k / 2], number = -1 - (p < 0 ? p : parent[p]);
            fill_to(out, at, (long long)edge[k], n, (T)0);
            fill_to(out, (long long)edge[k], (long long)edge[k + 1], n, number);
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
