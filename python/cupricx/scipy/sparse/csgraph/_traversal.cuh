/* _traversal.cuh: nodes in the order of a search.
 *
 * Breadth first, on a GPU: the edges from a level's nodes are numbered, in the order of the
 * nodes and in that of their rows, on from those of the levels before. claims[v] is the least
 * number of an edge to v: it is by that edge that a search which takes one node after the
 * other finds v. So edges that hold their claim, in their order, lead to the nodes of the
 * next level. One block takes levels while they are narrow, others are taken by
 * claim_edges, and their new nodes collected by positions.
 */
#include "_graphs.cuh"
#include "_traversal.h"
#include "cupric/block.hpp"

typedef long long count_type;

/* Launch: elements(n). */
__global__ void
begin_search(count_type *claims, int *before, long long start, long long n)
{
    CUPRIC_EACH (v, n) {
        claims[v] = v == start ? -1 : (count_type)(~0ull >> 1);
        before[v] = NO_NODE;
    }
}

/* A chunk of a level, a node a thread, and where its edges begin among those of the chunk. */
template <class P>
struct level_chunk {
    const P *indptr;
    count_type *begins; /* SEARCH_THREADS + 1, shared */

    /* How many edges there are. All threads call it. */
    __device__ count_type read(const int *order, count_type first, count_type end,
                               cupric::block_memory<count_type> &memory) const
    {
        const count_type i = first + threadIdx.x;
        count_type own = 0, total = 0;
        if (i < end) own = indptr[order[i] + 1] - indptr[order[i]];
        __syncthreads();
        begins[threadIdx.x] = cupric::block_exclusive_scan(
            own, cupric::sum_of<count_type>(), memory, &total);
        if (threadIdx.x == 0) begins[SEARCH_THREADS] = total;
        __syncthreads();
        return total;
    }
    /* Which of the chunk's nodes an edge starts from. */
    __device__ int owner(count_type edge) const
    {
        return row_of(begins, 0, SEARCH_THREADS, edge);
    }
};

/* Claims of the edges of a level, or its new nodes, which follow those found. */
template <bool CLAIM, class P>
__device__ inline void
search_level(const P *indptr, const int *indices, int *order, int *before,
             count_type *claims, search_state &s, count_type *begins,
             cupric::block_memory<count_type> &memory,
             cupric::block_memory<int> &places)
{
    const level_chunk<P> chunk = {indptr, begins};
    const count_type end = s.found;
    count_type edges = s.edges, found = s.found;

    for (count_type first = s.level; first < end; first += SEARCH_THREADS) {
        const count_type total = chunk.read(order, first, end, memory);
        for (count_type k = 0; k < total; k += SEARCH_THREADS) {
            const count_type edge = k + threadIdx.x;
            int from = 0, to = 0;
            bool is_new = false;
            if (edge < total) {
                const int owner = chunk.owner(edge);
                from = order[first + owner];
                to = indices[indptr[from] + (edge - begins[owner])];
                if (CLAIM)
                    atomicMin(claims + to, edges + edge);
                else
                    is_new = claims[to] == edges + edge;
            }
            if (CLAIM) continue;
            int added = 0;
            const int place = cupric::block_compact(is_new, places, &added);
            if (is_new) {
                order[found + place] = to;
                before[to] = from;
            }
            found += added;
        }
        edges += total;
    }
    if (!CLAIM) {
        s.level = end;
        s.found = found;
        s.edges = edges;
    }
}

/* Levels up to the first wide one, or the end. Launch: blocks(1, SEARCH_THREADS). */
template <class P>
__global__ void
search_breadth(const P *indptr, const int *indices, int *order, int *before,
               count_type *claims, search_state *state)
{
    __shared__ count_type begins[SEARCH_THREADS + 1];
    __shared__ cupric::block_memory<count_type> memory;
    __shared__ cupric::block_memory<int> places;
    search_state s = *state;

    s.wide = 0;
    while (s.level < s.found) {
        count_type own = 0;
        for (count_type i = s.level + threadIdx.x; i < s.found; i += SEARCH_THREADS)
            own += indptr[order[i] + 1] - indptr[order[i]];
        const count_type edges =
            cupric::block_reduce(own, cupric::sum_of<count_type>(), memory);
        s.wide = edges > NARROW;
        if (s.wide) break;
        search_level<true>(indptr, indices, order, before, claims, s, begins, memory,
                           places);
        __syncthreads();
        search_level<false>(indptr, indices, order, before, claims, s, begins, memory,
                            places);
        __syncthreads();
    }
    if (threadIdx.x == 0) *state = s;
}

/* An edge of a wide level: where it is in indices, and the node that it starts from. */
struct level_edge {
    long long place;
    int from;
};

template <class P>
__device__ inline level_edge
find_edge(const P *indptr, const int *level, const count_type *ends, long long nodes,
          count_type edge)
{
    long long low = -1, high = nodes - 1; /* ends[low] <= edge < ends[high] */
    while (high - low > 1) {
        const long long middle = low + (high - low) / 2;
        if (ends[middle] <= edge)
            low = middle;
        else
            high = middle;
    }
    const int from = level[high];
    const count_type begin = high > 0 ? ends[high - 1] : 0;
    const level_edge found = {(long long)indptr[from] + (edge - begin), from};
    return found;
}

/* ends[i]: how many edges the nodes of a level have up to its node i; edges: before them.
 * Launch: elements(total). */
template <class P>
__global__ void
claim_edges(const P *indptr, const int *indices, const int *level,
            const count_type *ends, count_type *claims, level_size s, long long total)
{
    CUPRIC_EACH (edge, total) {
        const level_edge at = find_edge(indptr, level, ends, s.nodes, edge);
        atomicMin(claims + indices[at.place], s.edges + edge);
    }
}

/* is_new[edge]: whether it holds its claim. Launch: elements(total). */
template <class P>
__global__ void
hold_claims(const P *indptr, const int *indices, const int *level,
            const count_type *ends, const count_type *claims, bool *is_new,
            level_size s, long long total)
{
    CUPRIC_EACH (edge, total) {
        const level_edge at = find_edge(indptr, level, ends, s.nodes, edge);
        is_new[edge] = claims[indices[at.place]] == s.edges + edge;
    }
}

/* order: where the level's new nodes go, by their edges. Launch: elements(added). */
template <class P>
__global__ void
take_nodes(const P *indptr, const int *indices, const int *level,
           const count_type *ends, const count_type *edges, int *before, level_size s,
           long long added)
{
    int *const order = (int *)level + s.nodes;
    CUPRIC_EACH (i, added) {
        const level_edge at = find_edge(indptr, level, ends, s.nodes, edges[i]);
        order[i] = indices[at.place];
        before[order[i]] = at.from;
    }
}

/* A depth-first search by one thread: found nodes go on with the first of their neighbours that
 * is not found. path: n ints. Launch: blocks(1, 1). */
template <class P>
__global__ void
search_depth(const P *indptr, const int *indices, int *order, int *before, P *next,
             int *path, int *count, int start)
{
    int depth = 1, found = 1;
    order[0] = path[0] = start;
    next[start] = indptr[start];

    while (depth > 0) {
        const int v = path[depth - 1];
        if (next[v] == indptr[v + 1]) {
            depth--;
            continue;
        }
        const int w = indices[next[v]++];
        if (w == start || before[w] != NO_NODE) continue;
        before[w] = v;
        next[w] = indptr[w];
        path[depth++] = order[found++] = w;
    }
    *count = found;
}
