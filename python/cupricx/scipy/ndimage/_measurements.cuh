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

/* The root, by reading alone: where each member writes its own root, another that halves
 * the path would put an older one in its place. */
template <class T>
__device__ inline T
root_of(const CUPRIC_NOW T *parent, T i)
{
    for (T p = parent[i]; p != i; p = parent[i]) i = p;
    return i;
}

template <class T>
__device__ inline T
compare_and_swap(T *at, T is, T to)
{
    if constexpr (sizeof(T) == 8) {
        typedef unsigned long long word;
        return (T)atomicCAS((word *)at, (word)is, (word)to);
    } else {
        return atomicCAS(at, is, to);
    }
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
        const T before = compare_and_swap(parent + a, a, b);
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

#if defined(CUPRIC_HOST)
/* Elements that are looked at together: mostly they have one label. */
enum { GROUP = 16 };

template <class L>
inline bool
is_uniform(const L *labels)
{
    const L first = labels[0];
    bool differs = false;
    for (int c = 0; c < GROUP; c++) differs |= labels[c] != first;
    return !differs;
}
#endif

/* ---- find_objects ---------------------------------------------------------------------
 *
 * bounds[label - 1][d]: the smallest index along axis d, and ndim further, the largest.
 * Only the ends of a run of equal labels in a row can be either. Launch: over the rows on
 * the host, over elements on a GPU.
 */
enum { MOST_AXES = 64 };

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
    CUPRIC_EACH_BLOCK (row, rows) {
        const L *const p = labels + row * n;
        long long at[MOST_AXES], rest = row;
        for (int d = ndim - 2; d >= 0; d--) {
            const long long next = cupric::quotient(rest, shape[d]);
            at[d] = rest - next * shape[d];
            rest = next;
        }
        auto touch = [&](long long first, long long last) {
            const L label = p[first];
            if (label <= 0 || (unsigned long long)label > (unsigned long long)most)
                return;
            volatile long long *const low = bounds + ((long long)label - 1) * 2 * ndim;
            volatile long long *const high = low + ndim;
            bool wider = first < low[ndim - 1] || last > high[ndim - 1];
            for (int d = 0; d < ndim - 1; d++)
                wider |= at[d] < low[d] || at[d] > high[d];
            if (wider) widen_bounds(bounds, label, most, row, first, last, shape, ndim);
        };
        for (long long j = 0; j < n;) {
            if (j + GROUP <= n && is_uniform(p + j)) {
                touch(j, j + GROUP - 1);
                j += GROUP;
                continue;
            }
            const long long stop = j + GROUP < n ? j + GROUP : n;
            for (; j < stop; j++) touch(j, j);
        }
    }
#else
    CUPRIC_EACH_BLOCK (piece, (rows * n + blockDim.x - 1) / blockDim.x) {
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

/* ---- the slot of a label --------------------------------------------------------------
 *
 * index: `slots` labels, ascending, as long long, or as double where labels are floating.
 * A label's slot is the first place where it stands there; -1: it does not.
 */
template <class L>
struct as_index {
    typedef long long type;
};
template <>
struct as_index<double> {
    typedef double type;
};

template <class L>
struct slot_finder {
    typedef typename as_index<L>::type I;
    const I *index;
    long long slots;
    I first, last, label; /* label: the one before, whose slot is known */
    long long slot;

    __device__ slot_finder(const I *at, long long n)
        : index(at), slots(n), first(at[0]), last(at[n - 1]), label(at[0]), slot(0)
    {
    }
    /* Whether the labels are integers without a gap. */
    __device__ bool is_dense() const
    {
        bool dense = (I)0.5 == (I)0 && last - first == (I)(slots - 1);
        for (long long k = 0; dense && k < slots; k++) dense = index[k] == first + (I)k;
        return dense;
    }
    __device__ long long find(L value)
    {
        const I v = (I)value;
        if (v == label) return slot;
        label = v;
        return slot = search(v);
    }

  private:
    __device__ long long search(I v) const
    {
        if (v < first || v > last || v != v) return -1;
        const long long guess = (long long)(v - first); /* of labels without a gap */
        if (guess >= 0 && guess < slots && index[guess] == v &&
            (guess == 0 || index[guess - 1] != v)) {
            return guess;
        }
        long long begin = 0, end = slots;
        while (begin < end) {
            const long long middle = (begin + end) / 2;
            if (index[middle] < v) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return index[begin] == v ? begin : -1;
    }
};

#if defined(CUPRIC_HOST)

/* From begin to end: uniform(i, slot) for GROUP elements of a slot from i on, single(i,
 * slot) for one. */
template <class L, class UNIFORM, class SINGLE>
inline void
each_slot(const L *labels, slot_finder<L> &finder, long long begin, long long end,
          const UNIFORM &uniform, const SINGLE &single)
{
    const bool dense = finder.is_dense();
    for (long long i = begin; i < end;) {
        if (i + GROUP <= end && is_uniform(labels + i)) {
            const long long slot = finder.find(labels[i]);
            if (slot >= 0) uniform(i, slot);
            i += GROUP;
            continue;
        }
        const long long stop = i + GROUP < end ? i + GROUP : end;
        for (; dense && i < stop; i++) {
            const long long slot = (long long)(labels[i] - finder.first);
            if ((unsigned long long)slot < (unsigned long long)finder.slots)
                single(i, slot);
        }
        for (; i < stop; i++) {
            const long long slot = finder.find(labels[i]);
            if (slot >= 0) single(i, slot);
        }
    }
}

#else

/* A warp takes SPAN neighbouring elements, 32 at a time. A thread keeps what it has found
 * of a slot until it meets another. */
enum { SPAN = 512, SPAN_THREADS = 256, SPAN_TILE = SPAN * SPAN_THREADS / 32 };

__device__ inline long long
span_element(long long tile, int k)
{
    return tile * SPAN_TILE + threadIdx.x / 32 * SPAN + k * 32 + threadIdx.x % 32;
}

/* Whether all threads of the warp have the same slot. */
__device__ inline bool
is_uniform(long long slot)
{
    int same;
    __match_all_sync(~0u, (unsigned long long)slot, &same);
    return same != 0;
}

template <class T, class OP>
__device__ inline T
warp_reduced(T x, const OP &op)
{
    for (int half = 16; half > 0; half /= 2) x = op(x, __shfl_down_sync(~0u, x, half));
    return x;
}

#endif

/* ---- sums -----------------------------------------------------------------------------
 *
 * sums[slot] += x, or (x - means[slot])^2 where `centred`; numbers[slot] += 1. Doubles.
 * There are `tables` of these, `stride` slots apart (more than there are, so that threads
 * of the host share no cache line), zero at first, to be added up: a piece of the host has
 * one of its own, the blocks of a GPU share them; few slots add up in shared memory first.
 * Sums on a GPU are made in any order. Launch: blocks of SPAN_THREADS over `tables`
 * pieces on the host, over tiles of SPAN_TILE on a GPU.
 */
enum { FEW = 512 };

template <class X, class L>
__global__ void
label_sums(const X *x, const L *labels, const typename as_index<L>::type *index,
           long long slots, long long stride, double *sums, long long *numbers,
           const double *means, bool centred, long long size, long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        slot_finder<L> finder(index, slots);
        double *const sum = sums + piece * stride;
        long long *const number = numbers + piece * stride;
        const long long begin =
            cupric::share_of(size, (unsigned)piece, (unsigned)tables);
        const long long end =
            cupric::share_of(size, (unsigned)piece + 1, (unsigned)tables);
        if (centred) {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    const double mean = means[slot];
                    double s[4] = {0, 0, 0, 0};
                    for (int c = 0; c < GROUP; c += 4) {
                        for (int k = 0; k < 4; k++) {
                            const double v = (double)x[i + c + k] - mean;
                            s[k] += v * v;
                        }
                    }
                    sum[slot] += (s[0] + s[1]) + (s[2] + s[3]);
                    number[slot] += GROUP;
                },
                [&](long long i, long long slot) {
                    const double v = (double)x[i] - means[slot];
                    sum[slot] += v * v;
                    number[slot]++;
                });
        } else {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    double s[4] = {0, 0, 0, 0};
                    for (int c = 0; c < GROUP; c += 4) {
                        for (int k = 0; k < 4; k++) s[k] += (double)x[i + c + k];
                    }
                    sum[slot] += (s[0] + s[1]) + (s[2] + s[3]);
                    number[slot] += GROUP;
                },
                [&](long long i, long long slot) {
                    sum[slot] += (double)x[i];
                    number[slot]++;
                });
        }
    }
#else
    __shared__ double few_sums[FEW];
    __shared__ unsigned int few_numbers[FEW];
    const long long table = blockIdx.x % tables;
    double *const sum = sums + table * stride;
    unsigned long long *const number = (unsigned long long *)numbers + table * stride;
    const bool few = slots <= FEW;
    slot_finder<L> finder(index, slots);

    if (few) {
        for (int s = threadIdx.x; s < slots; s += blockDim.x) {
            few_sums[s] = 0;
            few_numbers[s] = 0;
        }
        __syncthreads();
    }
    auto add = [&](long long slot, double value, unsigned count) {
        if (few) {
            atomicAdd(few_sums + slot, value);
            atomicAdd(few_numbers + slot, count);
        } else {
            atomicAdd(sum + slot, value);
            atomicAdd(number + slot, (unsigned long long)count);
        }
    };
    CUPRIC_EACH_BLOCK (tile, (size + SPAN_TILE - 1) / SPAN_TILE) {
        long long slot = -1;
        double value = 0, mean = 0;
        unsigned count = 0;
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k);
            if (i >= size) break;
            const long long s = finder.find(labels[i]);
            if (s != slot) {
                if (slot >= 0) add(slot, value, count);
                slot = s;
                value = 0;
                count = 0;
                if (centred && s >= 0) mean = means[s];
            }
            if (s < 0) continue;
            const double v = (double)x[i] - mean;
            value += centred ? v * v : v;
            count++;
        }
        __syncwarp();
        if (is_uniform(slot)) {
            auto plus = [](auto a, auto b) { return a + b; };
            value = warp_reduced(value, plus);
            count = warp_reduced(count, plus);
            if (threadIdx.x % 32 != 0) continue;
        }
        if (slot >= 0) add(slot, value, count);
    }
    if (few) {
        __syncthreads();
        for (int s = threadIdx.x; s < slots; s += blockDim.x) {
            if (few_numbers[s] == 0) continue;
            atomicAdd(sum + s, few_sums[s]);
            atomicAdd(number + s, (unsigned long long)few_numbers[s]);
        }
    }
#endif
}

/* ---- moments --------------------------------------------------------------------------
 *
 * sums[slot][0] += x, sums[slot][1 + d] += x times the index along axis d of ndim, the
 * rows' lengths being n. Tables and launch as of label_sums; pieces of the host are runs
 * of rows.
 */
template <class X, class L>
__global__ void
label_moments(const X *x, const L *labels, const typename as_index<L>::type *index,
              long long slots, long long stride, double *sums, const long long *shape,
              int ndim, long long rows, long long n, long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        slot_finder<L> finder(index, slots);
        double *const sum = sums + piece * stride * (ndim + 1);
        const long long begin =
            cupric::share_of(rows, (unsigned)piece, (unsigned)tables);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)tables);
        for (long long row = begin; row < end; row++) {
            const X *const p = x + row * n;
            auto add = [&](long long slot, double value, double moment) {
                double *const s = sum + slot * (ndim + 1);
                s[0] += value;
                s[ndim] += moment;
                long long rest = row;
                for (int d = ndim - 2; d >= 0; d--) {
                    const long long next = cupric::quotient(rest, shape[d]);
                    s[1 + d] += value * (double)(rest - next * shape[d]);
                    rest = next;
                }
            };
            each_slot(
                labels + row * n, finder, 0, n,
                [&](long long j, long long slot) {
                    double s = 0, m = 0;
                    for (int c = 0; c < GROUP; c++) {
                        s += (double)p[j + c];
                        m += (double)p[j + c] * c;
                    }
                    add(slot, s, m + s * (double)j);
                },
                [&](long long j, long long slot) {
                    add(slot, (double)p[j], (double)p[j] * (double)j);
                });
        }
    }
#else
    double *const sum = sums + blockIdx.x % tables * stride * (ndim + 1);
    const long long size = rows * n;
    slot_finder<L> finder(index, slots);

    auto add = [&](long long slot, long long row, double value, double moment) {
        double *const s = sum + slot * (ndim + 1);
        atomicAdd(s, value);
        atomicAdd(s + ndim, moment);
        for (int d = ndim - 2; d >= 0; d--) {
            const long long next = cupric::quotient(row, shape[d]);
            atomicAdd(s + 1 + d, value * (double)(row - next * shape[d]));
            row = next;
        }
    };
    CUPRIC_EACH_BLOCK (tile, (size + SPAN_TILE - 1) / SPAN_TILE) {
        long long slot = -1, row = -1;
        double value = 0, moment = 0;
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k);
            if (i >= size) break;
            const long long s = finder.find(labels[i]), r = cupric::quotient(i, n);
            if (s != slot || r != row) {
                if (slot >= 0) add(slot, row, value, moment);
                slot = s;
                row = r;
                value = moment = 0;
            }
            if (s < 0) continue;
            value += (double)x[i];
            moment += (double)x[i] * (double)(i - r * n);
        }
        __syncwarp();
        if (is_uniform(slot) && is_uniform(row)) {
            auto plus = [](double a, double b) { return a + b; };
            value = warp_reduced(value, plus);
            moment = warp_reduced(moment, plus);
            if (threadIdx.x % 32 != 0) continue;
        }
        if (slot >= 0) add(slot, row, value, moment);
    }
#endif
}

/* ---- extremes -------------------------------------------------------------------------
 *
 * Numbers as keys, whose order as unsigned integers is that of sorts: NaN is the largest,
 * and zeros of either sign are equal.
 */
typedef unsigned long long key_type;

template <class X>
struct key {
    static constexpr bool is_signed = (X)-1 < (X)0;
    static constexpr key_type top = is_signed ? 1ull << 63 : 0;
    __device__ static key_type of(X x) { return (key_type)(long long)x ^ top; }
    __device__ static X value(key_type k) { return (X)(long long)(k ^ top); }
};
template <>
struct key<unsigned long long> {
    __device__ static key_type of(unsigned long long x) { return x; }
    __device__ static unsigned long long value(key_type k) { return k; }
};
template <>
struct key<double> {
    __device__ static key_type of(double x)
    {
        if (x != x) return ~0ull;
        const key_type b = (key_type)__double_as_longlong(x + 0.0);
        return b >> 63 ? ~b : b | 1ull << 63;
    }
    __device__ static double value(key_type k)
    {
        return __longlong_as_double((long long)(k >> 63 ? k ^ 1ull << 63 : ~k));
    }
};
template <>
struct key<float> {
    __device__ static key_type of(float x) { return key<double>::of((double)x); }
    __device__ static float value(key_type k) { return (float)key<double>::value(k); }
};

/* Of each slot the smallest key, all ones at first, and the largest, 0 at first. Where
 * `located`, they are given instead, and found are the first place of the smallest and
 * the last of the largest. Tables and launch as of label_sums; keys that are given are
 * in one table.
 */
template <class X, class L>
__global__ void
label_extremes(const X *x, const L *labels, const typename as_index<L>::type *index,
               long long slots, long long stride, key_type *least, key_type *most,
               long long *first, long long *last, bool located, long long size,
               long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        slot_finder<L> finder(index, slots);
        const long long begin =
            cupric::share_of(size, (unsigned)piece, (unsigned)tables);
        const long long end =
            cupric::share_of(size, (unsigned)piece + 1, (unsigned)tables);
        long long *const low_at = first + piece * stride;
        long long *const high_at = last + piece * stride;
        key_type *const low = least + (located ? 0 : piece * stride);
        key_type *const high = most + (located ? 0 : piece * stride);
        auto locate = [&](long long i, long long slot) {
            const key_type k = key<X>::of(x[i]);
            if (k == low[slot] && i < low_at[slot]) low_at[slot] = i;
            if (k == high[slot] && i > high_at[slot]) high_at[slot] = i;
        };
        auto widen = [&](long long slot, key_type a, key_type b) {
            if (a < low[slot]) low[slot] = a;
            if (b > high[slot]) high[slot] = b;
        };
        auto single = [&](long long i, long long slot) {
            const key_type k = key<X>::of(x[i]);
            widen(slot, k, k);
        };
        if (located) {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    const X a = key<X>::value(low[slot]), b = key<X>::value(high[slot]);
                    bool hit = a != a || b != b;
                    for (int c = 0; c < GROUP; c++)
                        hit |= x[i + c] == a || x[i + c] == b;
                    for (int c = 0; hit && c < GROUP; c++) locate(i + c, slot);
                },
                locate);
        } else {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    X a = x[i], b = x[i];
                    bool nan = false;
                    for (int c = 0; c < GROUP; c++) {
                        const X v = x[i + c];
                        a = v < a ? v : a;
                        b = v > b ? v : b;
                        nan |= v != v;
                    }
                    if (!nan) widen(slot, key<X>::of(a), key<X>::of(b));
                    for (int c = 0; nan && c < GROUP; c++) single(i + c, slot);
                },
                single);
        }
    }
#else
    const long long table = blockIdx.x % tables;
    slot_finder<L> finder(index, slots);
    key_type *const low = least + (located ? 0 : table * stride);
    key_type *const high = most + (located ? 0 : table * stride);
    long long *const low_at = first + table * stride, *const high_at =
                                                          last + table * stride;
    const long long none = 0x7fffffffffffffffll;

    /* Looked at first: few elements change anything. */
    auto put = [&](long long slot, key_type a, key_type b, long long p, long long q) {
        if (located) {
            if (p < *(volatile long long *)(low_at + slot)) atomicMin(low_at + slot, p);
            if (q > *(volatile long long *)(high_at + slot))
                atomicMax(high_at + slot, q);
        } else {
            if (a < *(volatile key_type *)(low + slot)) atomicMin(low + slot, a);
            if (b > *(volatile key_type *)(high + slot)) atomicMax(high + slot, b);
        }
    };
    auto smaller = [](auto a, auto b) { return b < a ? b : a; };
    auto larger = [](auto a, auto b) { return b > a ? b : a; };

    CUPRIC_EACH_BLOCK (tile, (size + SPAN_TILE - 1) / SPAN_TILE) {
        long long slot = -1, p = none, q = -1;
        key_type a = ~0ull, b = 0; /* where located, those of the slot */
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k);
            if (i >= size) break;
            const long long s = finder.find(labels[i]);
            if (s != slot) {
                if (slot >= 0) put(slot, a, b, p, q);
                slot = s;
                p = none;
                q = -1;
                a = located && s >= 0 ? low[s] : ~0ull;
                b = located && s >= 0 ? high[s] : 0;
            }
            if (s < 0) continue;
            const key_type now = key<X>::of(x[i]);
            if (located) {
                if (now == a && i < p) p = i;
                if (now == b && i > q) q = i;
            } else {
                a = smaller(a, now);
                b = larger(b, now);
            }
        }
        __syncwarp();
        if (is_uniform(slot)) {
            a = warp_reduced(a, smaller);
            b = warp_reduced(b, larger);
            p = warp_reduced(p, smaller);
            q = warp_reduced(q, larger);
            if (threadIdx.x % 32 != 0) continue;
        }
        if (slot >= 0) put(slot, a, b, p, q);
    }
#endif
}

/* ---- slots, and keys to sort by -------------------------------------------------------
 *
 * found[i]: the slot of an element, `slots` where it has none. Launch: elements.
 */
template <class L>
__global__ void
label_slots(const L *labels, const typename as_index<L>::type *index, long long slots,
            long long *found, long long size)
{
    slot_finder<L> finder(index, slots);

    CUPRIC_EACH (i, size) {
        const long long slot = finder.find(labels[i]);
        found[i] = slot < 0 ? slots : slot;
    }
}

/* Numbers of 32 bits behind the slot: one sort of keys orders both. slots < 2^32. */
__device__ inline unsigned
short_key(int x)
{
    return (unsigned)x ^ 1u << 31;
}
__device__ inline unsigned
short_key(float x)
{
    if (x != x) return ~0u;
    const unsigned b = (unsigned)__float_as_int(x);
    return b >> 31 ? ~b : b | 1u << 31;
}
__device__ inline void
short_value(unsigned k, int &x)
{
    x = (int)(k ^ 1u << 31);
}
__device__ inline void
short_value(unsigned k, float &x)
{
    x = __int_as_float((int)(k >> 31 ? k ^ 1u << 31 : ~k));
}

template <class X, class L>
__global__ void
label_keys(const X *x, const L *labels, const typename as_index<L>::type *index,
           long long slots, key_type *keys, long long size)
{
    slot_finder<L> finder(index, slots);

    CUPRIC_EACH (i, size) {
        const long long slot = finder.find(labels[i]);
        keys[i] = (key_type)(slot < 0 ? slots : slot) << 32 | short_key(x[i]);
    }
}

/* ---- histogram ------------------------------------------------------------------------
 *
 * found[i]: slot * (bins + 1) + bin, the bin after the last for a number outside of the
 * edges; slots * (bins + 1) where there is no slot. edges: bins + 1, ascending. Launch:
 * elements.
 */
template <class X, class L>
__global__ void
label_bins(const X *x, const L *labels, const typename as_index<L>::type *index,
           long long slots, const double *edges, long long bins, long long *found,
           long long size)
{
    slot_finder<L> finder(index, slots);
    const double low = edges[0], high = edges[bins];
    const double scale = high > low ? (double)bins / (high - low) : 0;

    CUPRIC_EACH (i, size) {
        const long long slot = finder.find(labels[i]);
        const double v = (double)x[i];
        long long bin = bins;
        if (slot >= 0 && v >= low && v <= high) {
            bin = (long long)((v - low) * scale);
            if (bin > bins - 1) bin = bins - 1;
            if (bin < 0) bin = 0;
            while (bin > 0 && v < edges[bin]) bin--; /* rounded otherwise */
            while (bin + 1 < bins && v >= edges[bin + 1]) bin++;
        }
        found[i] = slot < 0 ? slots * (bins + 1) : slot * (bins + 1) + bin;
    }
}
