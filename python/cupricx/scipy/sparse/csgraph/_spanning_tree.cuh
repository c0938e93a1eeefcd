/* _spanning_tree.cuh: the minimum spanning forest.
 *
 * rank[e]: the place of edge e in the order of lengths, of equal ones in that of the edges:
 * no two are equal, so that there is one minimum spanning forest, and whichever algorithm
 * finds it. order[rank[e]] = e. Nodes are joined in a forest (cupric/union_find.hpp).
 *
 * On a GPU every tree, in one round, takes the edge of least rank that leaves it (Boruvka).
 */
#include "cupric/union_find.hpp"

/* least[r]: the least rank of an edge that leaves the tree of root r; P's largest number
 * where there is none. parent: roots alone. Launch: elements(nnz). */
template <class P>
__global__ void
least_edges(const P *rows, const int *indices, const P *rank, const int *parent,
            P *least, int *found, long long nnz)
{
    bool any = false;
    CUPRIC_EACH (e, nnz) {
        const int a = parent[rows[e]], b = parent[indices[e]];
        if (a == b) continue;
        any = true;
        const P own = rank[e];
        if (own < least[a]) atomicMin(least + a, own);
        if (own < least[b]) atomicMin(least + b, own);
    }
    if (any) *found = 1;
}

/* Launch: elements(n). */
template <class P>
__global__ void
join_trees(const P *rows, const int *indices, const P *order, P *least, int *parent,
           bool *in_tree, P none, long long n)
{
    CUPRIC_EACH (r, n) {
        if (least[r] == none) continue;
        const P e = order[least[r]];
        least[r] = none;
        in_tree[e] = true;
        cupric::join_sets(parent, (int)rows[e], indices[e]);
    }
}

/* Launch: elements(n). */
__global__ void
find_roots(int *parent, long long n)
{
    CUPRIC_EACH (v, n) {
        parent[v] = cupric::root_of<int>(parent, (int)v);
    }
}

/* Edges in their order, by one thread (Kruskal). Launch: blocks(1, 1). */
template <class P>
__global__ void
grow_forest(const P *rows, const int *indices, const P *order, int *parent,
            bool *in_tree, long long nnz)
{
    for (long long k = 0; k < nnz; k++) {
        const P e = order[k];
        const int a = cupric::find_root<false, int>(parent, (int)rows[e]);
        const int b = cupric::find_root<false, int>(parent, indices[e]);
        if (a == b) continue;
        in_tree[e] = true;
        cupric::join_sets_alone(parent, a, b);
    }
}
