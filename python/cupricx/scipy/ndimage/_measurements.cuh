/* _measurements.cuh: labels of connected elements, and what can be told of each label.
 *
 * T is int or long long: numbers of elements, of runs and of labels.
 */

/* ---- union-find -----------------------------------------------------------------------
 *
 * parent[i] <= i; a root is its own parent, so that the root of a set is its smallest
 * member. Sets are joined without locks: a root is hung below a smaller one by
 * compare-and-swap, and where that has been hung elsewhere meanwhile, the search goes on
 * from there (Komura 2015; Playne and Hawick 2018; Jaiganesh and Burtscher 2018). What a
 * thread reads may be old: then it is still a member of the set above i.
 */
#if defined(CUPRIC_HOST)
#define CUPRIC_NOW volatile
#else
#define CUPRIC_NOW
#endif

template <class T>
__device__ inline T
find_root(CUPRIC_NOW T *parent, T i)
{
    T p = parent[i];
    while (p != i) {
        const T next = parent[p];
        if (next != p) parent[i] = next; /* halves the path; i is no root any more */
        i = p;
        p = next;
    }
    return i;
}

template <class T>
__device__ inline void
join_sets(T *parent, T a, T b)
{
    for (;;) {
        a = find_root(parent, a);
        b = find_root(parent, b);
        if (a == b) return;
        if (a < b) {
            const T c = a;
            a = b;
            b = c;
        }
        const T before = atomicCAS(parent + a, a, b);
        if (before == a) return;
        a = before;
    }
}

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

#if !defined(CUPRIC_HOST)
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

    CUPRIC_EACH_BLOCK(row, rows)
    {
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

    CUPRIC_EACH_BLOCK(tile, (size + TILE - 1) / TILE)
    {
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

    CUPRIC_EACH_BLOCK(row, rows)
    {
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

    CUPRIC_EACH(i, size)
    {
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
    CUPRIC_EACH_BLOCK(piece, pieces)
    {
#if defined(CUPRIC_HOST)
        const long long first = piece * (width / 2 - 1);
        T roots = 0;
        for (long long r = first; r < first + counts[piece] / 2; r++) {
            const T root = find_root(parent, (T)r);
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
                    const T root = find_root(parent, p);
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
    CUPRIC_EACH_BLOCK(piece, pieces)
    {
        const long long first = piece * (width / 2 - 1);
        T number = found[piece];
        for (long long r = first; r < first + counts[piece] / 2; r++) {
            if (parent[r] == r) parent[r] = -1 - ++number;
        }
    }
#else
    __shared__ int before[TILE_THREADS / 32];

    CUPRIC_EACH_BLOCK(piece, pieces)
    {
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
    CUPRIC_EACH_BLOCK(row, rows)
    {
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
    CUPRIC_EACH(i, rows * n)
    {
        T p = parent[i];
        if (p >= 0) p = parent[p];
        y[i] = -1 - p;
    }
#endif
}

/* ---- find_objects ---------------------------------------------------------------------
 *
 * bounds[label - 1][d]: the smallest index along axis d, and ndim further, the largest.
 * Only the ends of a run of equal labels in a row can be either. Launch: over the rows on
 * the host, over elements on a GPU.
 */
template <class L>
__device__ inline void
widen_bounds(long long *bounds, L label, long long most, long long row, long long first,
             long long last, const long long *shape, int ndim)
{
    if (label <= 0 || (unsigned long long)label > (unsigned long long)most) return;
    long long *const low = bounds + ((long long)label - 1) * 2 * ndim;
    long long *const high = low + ndim;
    for (int d = ndim - 1; d >= 0; d--) {
        if (d < ndim - 1) {
            const long long rest = cupric::quotient(row, shape[d]);
            first = last = row - rest * shape[d];
            row = rest;
        }
        /* Looked at first: few elements change anything. */
        if (first < *(volatile long long *)(low + d)) atomicMin(low + d, first);
        if (last > *(volatile long long *)(high + d)) atomicMax(high + d, last);
    }
}

template <class L>
__global__ void
label_bounds(const L *labels, long long *bounds, long long most, const long long *shape,
             int ndim, long long rows, long long n)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK(row, rows)
    {
        const L *const p = labels + row * n;
        for (long long j = 0; j < n;) {
            const long long first = j;
            const L label = p[j];
            for (; j + 16 <= n; j += 16) {
                L differs = 0;
                for (int c = 0; c < 16; c++) differs |= p[j + c] ^ label;
                if (differs) break;
            }
            while (j < n && p[j] == label) j++;
            widen_bounds(bounds, label, most, row, first, j - 1, shape, ndim);
        }
    }
#else
    CUPRIC_EACH_BLOCK(piece, (rows * n + blockDim.x - 1) / blockDim.x)
    {
        const long long i = piece * blockDim.x + threadIdx.x;
        if (i >= rows * n) continue;
        const L label = labels[i];
        if (label <= 0) continue;
        const long long row = cupric::quotient(i, n), j = i - row * n;
        if (j > 0 && j + 1 < n && labels[i - 1] == label && labels[i + 1] == label)
            continue;
        widen_bounds(bounds, label, most, row, j, j, shape, ndim);
    }
#endif
}
