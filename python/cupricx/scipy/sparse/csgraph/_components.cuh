/* _components.cuh: weakly and strongly connected components.
 *
 * Weak: nodes are joined with their neighbours in a forest (cupric/union_find.hpp). first_parents
 * begins it with an edge of each node, join_edges takes all edges, flatten the roots.
 *
 * Strong, on a GPU: of each node the smallest one that reaches it, `in`, and the smallest one
 * that it reaches, `out`, are spread along edges until nothing changes. Where both are the same
 * node, it is the smallest of the node's component. Edges between nodes that differ in one
 * of them lead from one component to another: they are left out in the next round, in which
 * the other nodes begin anew (Alabandi, Sands, Biros and Burtscher 2023). Shortcuts, the `in`
 * of an `in`, let values go far in a sweep.
 *
 * flags[k]: whether sweep k changed something.
 */
#include "_components.h"
#include "_graphs.cuh"
#include "cupric/union_find.hpp"

/* Launch: elements(n). */
template <class P>
__global__ void
first_parents(const P *indptr, const int *indices, int *parent, long long n)
{
    CUPRIC_EACH (v, n) {
        const P begin = indptr[v], end = indptr[v + 1];
        int above = (int)v;
        for (P e = begin; e < end && e < begin + NEIGHBOURS; e++) {
            if (indices[e] < above) {
                above = indices[e];
                break;
            }
        }
        parent[v] = above;
    }
}

/* Launch: elements(runs), of `each` edges. */
template <class P>
__global__ void
join_edges(const P *indptr, const int *indices, int *parent, long long n,
           long long each, long long runs)
{
    CUPRIC_EACH (run, runs) {
        for (edge_run<P> edge(indptr, n, run, each); edge.is_there(); edge.next()) {
            const int to = indices[edge.e];
            if (to != edge.from) cupric::join_sets(parent, edge.from, to);
        }
    }
}

/* is_root[v]: 1 where v is a root. Launch: elements(n). */
__global__ void
flatten(int *parent, int *is_root, long long n)
{
    CUPRIC_EACH (v, n) {
        const int root = cupric::root_of<int>(parent, (int)v);
        parent[v] = root;
        is_root[v] = root == v;
    }
}

/* numbers: how many roots there are up to each node. Launch: elements(n). */
__global__ void
number_components(const int *parent, const int *numbers, int *labels, long long n)
{
    CUPRIC_EACH (v, n) {
        labels[v] = numbers[parent[v]] - 1;
    }
}

/* Every node begins, in a part that all share. Launch: elements(n). */
__global__ void
begin_strong(strong_state *nodes, long long n)
{
    CUPRIC_EACH (v, n) {
        const strong_state all = {(int)v, (int)v, 0, 1};
        nodes[v] = all;
    }
}

/* Launch: elements(runs), of `each` edges. */
template <class P>
__global__ void
spread_strong(const P *indptr, const int *indices, strong_state *nodes, int *flags,
              long long n, long long each, long long runs)
{
    if (flags[0] == 0) return;
    bool changed = false;

    CUPRIC_EACH (run, runs) {
        for (edge_run<P> edge(indptr, n, run, each); edge.is_there(); edge.next()) {
            const int from = edge.from, to = indices[edge.e];
            const strong_state u = nodes[from], v = nodes[to];
            const bool inside = u.part_in == v.part_in && u.part_out == v.part_out;
            if (!inside || u.part_in == u.part_out) continue;
            const int in = nodes[u.in].in, out = nodes[v.out].out;
            if (in < v.in) {
                atomicMin(&nodes[to].in, in);
                changed = true;
            }
            if (out < u.out) {
                atomicMin(&nodes[from].out, out);
                changed = true;
            }
        }
    }
    if (changed) flags[1] = 1;
}

/* Parts become those of `in` and `out`; left: whether a node is in no component yet. Launch:
 * elements(n). */
__global__ void
split_strong(strong_state *nodes, int *left, long long n)
{
    CUPRIC_EACH (v, n) {
        const strong_state s = nodes[v];
        if (s.part_in == s.part_out) continue;
        const bool done = s.in == s.out;
        const strong_state next = {done ? s.in : (int)v, done ? s.in : (int)v, s.in,
                                   s.out};
        nodes[v] = next;
        if (!done) *left = 1;
    }
}

/* Launch: elements(n). */
__global__ void
strong_roots(const strong_state *nodes, int *parent, int *is_root, long long n)
{
    CUPRIC_EACH (v, n) {
        parent[v] = nodes[v].in;
        is_root[v] = nodes[v].in == v;
    }
}

/* ---- strong, by a search -----------------------------------------------------------
 *
 * What one thread does on the host device: Tarjan's search, with its stack in memory. A
 * node's lowest is the number of the first node in its component that was found, 0 before it
 * is; `open` are the nodes on Tarjan's stack. */
template <class P>
struct strong_search {
    const P *indptr;
    const int *indices;
    int *lowest, *path, *open, *component;
    P *next;
    int numbered, depth, opened, components;

    __device__ void enter(int v)
    {
        lowest[v] = ++numbered;
        next[v] = indptr[v];
        component[v] = -1;
        path[depth++] = v;
        open[opened++] = v;
    }
    /* All behind v is found; own: its number. */
    __device__ void leave(int v, int own)
    {
        depth--;
        if (lowest[v] == own) {
            int w;
            do {
                w = open[--opened];
                component[w] = components;
            } while (w != v);
            components++;
        }
        if (depth > 0 && component[v] < 0 && lowest[v] < lowest[path[depth - 1]])
            lowest[path[depth - 1]] = lowest[v];
    }
};

/* memory: 4 n ints, all zero. labels: in the order of the components' first nodes. */
template <class P>
__device__ inline void
search_strong(const P *indptr, const int *indices, int *labels, P *next, int *memory,
              int n)
{
    strong_search<P> s = {
        indptr, indices, memory, memory + n, memory + 2 * (long long)n, labels, next,
        0,      0,       0,      0};
    int *const number = memory + 3 * (long long)n;

    for (int start = 0; start < n; start++) {
        if (s.lowest[start]) continue;
        s.enter(start);
        number[start] = s.numbered;
        while (s.depth > 0) {
            const int v = s.path[s.depth - 1];
            if (s.next[v] == indptr[v + 1]) {
                s.leave(v, number[v]);
                continue;
            }
            const int w = indices[s.next[v]++];
            if (s.lowest[w] == 0) {
                s.enter(w);
                number[w] = s.numbered;
            } else if (labels[w] < 0 && number[w] < s.lowest[v]) {
                s.lowest[v] = number[w];
            }
        }
    }
}

/* Launch: blocks(1, 1). */
template <class P>
__global__ void
find_strong(const P *indptr, const int *indices, int *labels, P *next, int *memory,
            int *count, int n)
{
    search_strong(indptr, indices, labels, next, memory, n);

    int *const name = memory; /* of a component; they were found in another order */
    int found = 0;
    for (int v = 0; v < n; v++) name[v] = -1;
    for (int v = 0; v < n; v++) {
        if (name[labels[v]] < 0) name[labels[v]] = found++;
        labels[v] = name[labels[v]];
    }
    *count = found;
}
