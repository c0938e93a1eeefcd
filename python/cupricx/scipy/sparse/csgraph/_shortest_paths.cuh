/* _shortest_paths.cuh: shortest paths from some nodes to all.
 *
 * keys: (rows, n), distances as integers in the same order. On a GPU a sweep takes the nodes
 * whose distance became less in the sweep before, in all searches at once, and puts the
 * distances of their neighbours down, until none changes (Bellman and Ford). Sums are
 * rounded along each path from its start, so that the result depends on no order: it is also
 * what Dijkstra's algorithm finds, which the host device runs for each row.
 *
 * Predecessors come afterwards, by steps along edges that are on a shortest path: of paths
 * of equal length those of the fewest edges, then the predecessor of the smallest number.
 *
 * memory: on a GPU (2, rows, n) bytes, which nodes are in a sweep and in the next; on the host
 * (rows, 2, n) ints. At first the nodes of the starts are marked, in the first half.
 * flags[0]: whether the sweep before changed something; flags[1]: the same of this.
 */
#include "_shortest_paths.h"

typedef long long key_type;

__device__ inline key_type
key_of(double x)
{
    const key_type bits = __double_as_longlong(x);
    return bits < 0 ? bits ^ (key_type)(~0ull >> 1) : bits;
}
__device__ inline double
length_of(key_type key)
{
    return __longlong_as_double(key < 0 ? key ^ (key_type)(~0ull >> 1) : key);
}

/* The place of a start in (rows, n). */
__device__ inline long long
start_place(const path_sizes &s, const int *starts, long long k)
{
    return (s.several ? 0 : k * s.n) + starts[k];
}

/* What stands for a mark: a byte on a GPU. */
__device__ inline void
mark_start(int *memory, const path_sizes &s, long long place)
{
    (void)s;
    ((unsigned char *)memory)[place] = 1;
}

/* keys are infinite, and memory is 0. Launch: elements(count). */
__global__ void
begin_paths(const int *starts, key_type *keys, int *memory, path_sizes s,
            long long count)
{
    CUPRIC_EACH (k, count) {
        const long long place = start_place(s, starts, k);
        keys[place] = 0;
        mark_start(memory, s, place);
    }
}

/* found: hops and predecessors, each (rows, n); INT_MAX but for the starts. Launch:
 * elements(count). */
__global__ void
begin_trace(const int *starts, int *found, int *memory, path_sizes s, long long count)
{
    CUPRIC_EACH (k, count) {
        const long long place = start_place(s, starts, k);
        found[place] = 0;
        mark_start(memory, s, place);
    }
}

/* Calls step(node, edge, distance of the node, search) for each edge of the marked nodes of a
 * block's share, and takes the marks away. */
template <class P, class STEP>
__device__ inline void
each_marked_edge(const P *indptr, unsigned char *now, const path_sizes &s,
                 long long block, STEP &step)
{
    const long long item = block * PATH_THREADS + threadIdx.x;
    const bool is = item < s.size && now[item];
    long long search = 0, begin = 0, end = 0;
    int node = 0;

    if (is) {
        now[item] = 0;
        search = item / s.n;
        node = (int)(item - search * s.n);
        begin = indptr[node];
        end = indptr[node + 1];
    }
    const bool wide = end - begin >= WIDE_ROW;
    unsigned waiting = __ballot_sync(~0u, wide);
    if (is && !wide) {
        step.enter(item);
        for (long long e = begin; e < end; e++) step(node, e, search * s.n);
    }
    for (; waiting; waiting &= waiting - 1) {
        const int lane = __ffs(waiting) - 1;
        const long long its_item = __shfl_sync(~0u, item, lane);
        const long long first = __shfl_sync(~0u, begin, lane);
        const long long last = __shfl_sync(~0u, end, lane);
        const long long its_search = __shfl_sync(~0u, search, lane);
        const int its_node = __shfl_sync(~0u, node, lane);
        step.enter(its_item);
        for (long long e = first + threadIdx.x % 32; e < last; e += 32)
            step(its_node, e, its_search * s.n);
    }
}

struct relaxing {
    const int *indices;
    const double *data;
    key_type *keys;
    unsigned char *next;
    double limit, distance;
    bool changed;

    __device__ void enter(long long item) { distance = length_of(keys[item]); }
    __device__ void operator()(int, long long e, long long row)
    {
        const double length = distance + data[e];
        const long long to = row + indices[e];
        if (!(length <= limit) || key_of(length) >= keys[to]) return;
        if (key_of(length) < atomicMin(keys + to, key_of(length))) {
            next[to] = 1;
            changed = true;
        }
    }
};

/* A sweep. Launch: blocks(s.pieces, PATH_THREADS). */
template <class P>
__global__ void
relax_edges(const P *indptr, const int *indices, const double *data, key_type *keys,
            int *memory, int *flags, path_sizes s)
{
    if (flags[0] == 0) return;
    unsigned char *const marks = (unsigned char *)memory;
    unsigned char *const now = s.round & 1 ? marks : marks + s.size;
    unsigned char *const next = s.round & 1 ? marks + s.size : marks;
    relaxing step = {indices, data, keys, next, s.limit, 0, false};

    CUPRIC_EACH_BLOCK (block, s.pieces) {
        each_marked_edge(indptr, now, s, block, step);
    }
    if (step.changed) flags[1] = 1;
}

struct tracing {
    const int *indices;
    const double *data, *distances;
    int *hops, *before;
    unsigned char *next;
    int round;
    double distance;
    bool changed;

    __device__ void enter(long long item) { distance = distances[item]; }
    __device__ void operator()(int node, long long e, long long row)
    {
        const long long to = row + indices[e];
        if (distance + data[e] != distances[to] || hops[to] < round) return;
        if (atomicMin(hops + to, round) < round) return;
        atomicMin(before + to, node);
        next[to] = 1;
        changed = true;
    }
};

/* A step of all paths. Launch: blocks(s.pieces, PATH_THREADS). */
template <class P>
__global__ void
trace_edges(const P *indptr, const int *indices, const double *data,
            const double *distances, int *found, int *memory, int *flags, path_sizes s)
{
    if (flags[0] == 0) return;
    unsigned char *const marks = (unsigned char *)memory;
    unsigned char *const now = s.round & 1 ? marks : marks + s.size;
    unsigned char *const next = s.round & 1 ? marks + s.size : marks;
    tracing step = {indices, data,    distances, found, found + s.size,
                    next,    s.round, 0,         false};

    CUPRIC_EACH_BLOCK (block, s.pieces) {
        each_marked_edge(indptr, now, s, block, step);
    }
    if (step.changed) flags[1] = 1;
}

/* keys become distances, in the same memory. Launch: elements(size). */
__global__ void
read_keys(key_type *keys, long long size)
{
    CUPRIC_EACH (i, size) {
        const double length = length_of(keys[i]);
        ((double *)keys)[i] = length;
    }
}

/* before: -9999 where there is none. Launch: elements(size). */
__global__ void
name_missing(int *before, long long size)
{
    CUPRIC_EACH (i, size) {
        if (before[i] == (int)(~0u >> 1)) before[i] = NO_PREDECESSOR;
    }
}

/* sources[v]: the start of the path to v. Launch: elements(n). */
__global__ void
find_sources(const double *distances, const int *before, int *sources, long long n)
{
    CUPRIC_EACH (v, n) {
        int at = (int)v;
        while (before[at] >= 0) at = before[at];
        sources[v] = distances[v] <= 1.7976931348623157e308 ? at : NO_PREDECESSOR;
    }
}

/* Whether an edge still makes a distance smaller, by more than sums round: then it is on a
 * cycle of negative length. least: the smallest node that one leads to. Launch:
 * elements(size), of (rows, n). */
template <class P>
__global__ void
find_cycles(const P *indptr, const int *indices, const double *data,
            const key_type *keys, int *least, double rounding, long long n,
            long long size)
{
    CUPRIC_EACH (item, size) {
        const long long row = item / n * n;
        const int node = (int)(item - row);
        const double distance = length_of(keys[item]);
        for (P e = indptr[node]; e < indptr[node + 1]; e++) {
            const double to = length_of(keys[row + indices[e]]);
            const double length = distance + data[e];
            const double size_of =
                (length < 0 ? -length : length) + (to < 0 ? -to : to) + 1;
            if (length < to && to - length > rounding * size_of)
                atomicMin(least, indices[e]);
        }
    }
}

/* Lengths that are not negative: of potentials, the distances from a node that reaches all.
 * Launch: elements(n). */
template <class P>
__global__ void
reweight(const P *indptr, const int *indices, const double *data,
         const double *potential, double *lengths, long long n)
{
    CUPRIC_EACH (v, n) {
        for (P e = indptr[v]; e < indptr[v + 1]; e++) {
            const double length = data[e] + potential[v] - potential[indices[e]];
            lengths[e] = length > 0 ? length : 0;
        }
    }
}
