"""Disjoint sets that threads join in parallel: cupric/union_find.hpp."""

import numpy as np
import pytest

import cupric as cp
from cupric._lib.kernels import Library

csgraph = pytest.importorskip("scipy.sparse.csgraph")
sparse = pytest.importorskip("scipy.sparse")

CODE = """
#include "cupric/union_find.hpp"

enum { MEMBERS = 512 };

template <class T>
__global__ void
joined(T *parent, const T *start, const T *end, long long edges)
{
    CUPRIC_EACH (e, edges) cupric::join_sets(parent, start[e], end[e]);
}

template <class T>
__global__ void
joined_alone(T *parent, const T *start, const T *end, long long edges)
{
    CUPRIC_EACH_BLOCK (one, 1) {
        if (threadIdx.x > 0) continue;
        for (long long e = 0; e < edges; e++)
            cupric::join_sets_alone(parent, start[e], end[e]);
    }
}

/* As joined, of up to MEMBERS in shared memory, edges of each block's own. */
template <class T>
__global__ void
joined_in_blocks(T *parent, const T *start, const T *end, long long n, long long edges,
                 long long blocks)
{
    __shared__ T own[MEMBERS];

    CUPRIC_EACH_BLOCK (b, blocks) {
        for (long long i = threadIdx.x; i < n; i += blockDim.x) own[i] = (T)i;
        __syncthreads();
        for (long long e = threadIdx.x; e < edges; e += blockDim.x) {
            const long long at = b * edges + e;
            cupric::join_sets<true>(own, start[at], end[at]);
        }
        __syncthreads();
        for (long long i = threadIdx.x; i < n; i += blockDim.x)
            parent[b * n + i] = cupric::root_of(own, (T)i);
        __syncthreads();
    }
}

template <class T>
__global__ void
roots(T *parent, T *root, long long n)
{
    CUPRIC_EACH (i, n) root[i] = cupric::find_root(parent, (T)i);
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "sets.cuh").write_text(CODE)
    return Library(str(folder / "sets.py"))


def smallest_members(n, edges):
    """Of each of n members, the smallest of its set."""
    graph = sparse.coo_array((np.ones(len(edges)), edges.T), (n, n))
    _, component = csgraph.connected_components(graph, directed=False)
    _, first = np.unique(component, return_index=True)
    return first[component]


def edges_of(kind, n, rng):
    if kind == "chain":  # of long paths, in any order
        order = rng.permutation(n)
        return np.stack([order[1:], order[:-1]], axis=1)
    if kind == "star":  # all at one member
        return np.stack([np.arange(n - 1), np.full(n - 1, n - 1)], axis=1)
    return rng.integers(0, n, (int(n * 0.6), 2))  # many sets, and some edges twice


@pytest.mark.parametrize("kernel", ["joined", "joined_alone"])
@pytest.mark.parametrize("kind", ["some", "chain", "star"])
@pytest.mark.parametrize("dtype", "il")
def test_roots_are_the_smallest_members(library, kernel, kind, dtype):
    rng = np.random.default_rng(4)
    n = 20000
    edges = edges_of(kind, n, rng)
    parent, root = cp.arange(n, dtype=dtype), cp.empty(n, dtype)
    if kernel == "joined":
        join = library.kernel("joined<T>", elements="edges")
    else:
        join = library.kernel("joined_alone<T>", blocks=True, threads=32)
    work = {} if kernel == "joined" else {"work": 1}
    start, end = (cp.array(e, dtype=dtype) for e in edges.T)
    join[dtype](parent=parent, start=start, end=end, edges=len(edges), **work)
    find = library.kernel("roots<T>", elements="n")
    find[dtype](parent=parent, root=root, n=n)
    np.testing.assert_array_equal(root.get(), smallest_members(n, edges))
    assert (parent <= cp.arange(n)).all()


@pytest.mark.parametrize("kind", ["some", "chain", "star"])
@pytest.mark.parametrize("dtype", "il")
def test_sets_in_shared_memory(library, kind, dtype):
    rng = np.random.default_rng(4)
    n, blocks = 500, 40
    edges = np.stack([edges_of(kind, n, rng) for _ in range(blocks)])
    start, end = (cp.array(edges[..., i], dtype=dtype) for i in (0, 1))
    parent = cp.empty((blocks, n), dtype)
    join = library.kernel("joined_in_blocks<T>", blocks="blocks", threads=128)
    join[dtype](
        parent=parent,
        start=start,
        end=end,
        n=n,
        edges=edges.shape[1],
        blocks=blocks,
    )
    expected = [smallest_members(n, e) for e in edges]
    np.testing.assert_array_equal(parent.get(), expected)
