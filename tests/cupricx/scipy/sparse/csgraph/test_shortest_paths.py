"""Shortest paths, against SciPy."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph

from . import graphs

both = pytest.mark.parametrize("directed", [True, False])


def some_indices(n, seed):
    rng = np.random.default_rng(seed)
    several = rng.integers(-n, n, 3)
    return None, several, int(several[0]), several[:2].reshape(2, 1)


@both
@pytest.mark.parametrize("name", ["dijkstra", "bellman_ford", "johnson"])
def test_distances_and_predecessors(name, directed):
    for k, (A, B) in enumerate(graphs.some_graphs(15)):
        for indices in some_indices(A.shape[0], k):
            args = dict(directed=directed, indices=indices, return_predecessors=True)
            expected, before = scipy.sparse.csgraph.dijkstra(A, **args)
            found, own = getattr(csgraph, name)(B, **args)
            assert (found.dtype, own.dtype) == (expected.dtype, before.dtype)
            np.testing.assert_array_equal(found.get(), expected)
            np.testing.assert_array_equal(own.get(), before)
            del args["return_predecessors"]
            alone = getattr(csgraph, name)(B, **args)
            np.testing.assert_array_equal(alone.get(), expected)


def canonical(lengths, distances, start):
    """The predecessors on paths of the fewest edges, of least number."""
    n = len(lengths)
    hops, before, level = np.full(n, n), np.full(n, -9999), 0
    hops[start] = 0
    while (hops == level).any():
        for v in np.flatnonzero(hops > level):
            on = hops == level
            on &= np.isfinite(lengths[:, v])
            on &= distances + lengths[:, v] == distances[v]
            if on.any():
                before[v], hops[v] = np.flatnonzero(on)[0], level + 1
        level += 1
    return before


@both
@pytest.mark.parametrize("unweighted", [True, False])
def test_predecessors_of_paths_of_equal_length(directed, unweighted):
    for A, B in graphs.some_graphs(12, most=40, whole=True):
        A = A.copy()
        A.data[::5] = 0  # edges without length
        B = graphs.on_device(A)
        args = dict(directed=directed, unweighted=unweighted, return_predecessors=True)
        found, own = csgraph.dijkstra(B, **args)
        expected = scipy.sparse.csgraph.dijkstra(A, **args)[0]
        np.testing.assert_array_equal(found.get(), expected)
        lengths = np.full(A.shape, np.inf)
        rows = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
        lengths[rows, A.indices] = 1 if unweighted else A.data
        lengths = lengths if directed else np.minimum(lengths, lengths.T)
        for start in range(A.shape[0]):
            before = canonical(lengths, expected[start], start)
            np.testing.assert_array_equal(own[start].get(), before)
        again = csgraph.bellman_ford(B, **args)
        np.testing.assert_array_equal(again[1].get(), own.get())


@both
def test_limit_and_min_only(directed):
    for k, (A, B) in enumerate(graphs.some_graphs(12)):
        for limit in (0, 0.3, 1):
            args = dict(directed=directed, limit=limit)
            expected = scipy.sparse.csgraph.dijkstra(A, **args)
            np.testing.assert_array_equal(csgraph.dijkstra(B, **args).get(), expected)
        args = dict(indices=some_indices(A.shape[0], k)[1], return_predecessors=True)
        args |= dict(min_only=True, directed=directed)
        expected = scipy.sparse.csgraph.dijkstra(A, **args)
        found = csgraph.dijkstra(B, **args)
        for a, b in zip(found, expected, strict=True):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_array_equal(a.get(), b)


@pytest.mark.parametrize("name", ["bellman_ford", "johnson"])
def test_negative_lengths(name):
    rng = np.random.default_rng(5)
    for A, _ in graphs.some_graphs(15):
        n = A.shape[0]
        rows, height = np.repeat(np.arange(n), np.diff(A.indptr)), rng.random(n)
        A.data += height[rows] - height[A.indices]
        expected, before = scipy.sparse.csgraph.bellman_ford(
            A, return_predecessors=True
        )
        found, own = getattr(csgraph, name)(
            graphs.on_device(A), return_predecessors=True
        )
        np.testing.assert_allclose(found.get(), expected, atol=1e-12)
        np.testing.assert_array_equal(own.get(), before)


@pytest.mark.parametrize("name", ["bellman_ford", "johnson"])
def test_negative_cycles(name):
    function = getattr(csgraph, name)
    with pytest.raises(csgraph.NegativeCycleError, match="on node"):
        function(cp.array([[0, 1.0, 0], [0, 0, -2], [0.5, 0, 0]]))
    with pytest.raises(csgraph.NegativeCycleError):
        function(cp.array([[0, -1.0], [0, 0]]), directed=False)
    # One whose length is 0 but for rounding.
    x = np.array([[0, 0.1, 0], [0, 0, -0.3], [0.2, 0, 0]])
    for scale in (1, 1e6, 1e-6):
        expected = scipy.sparse.csgraph.bellman_ford(scale * x)
        found = function(cp.asarray(scale * x)).get()
        np.testing.assert_allclose(found, expected, atol=1e-15 * scale)


def test_dijkstra_warns_of_negative_lengths_and_ends():
    x = cp.array([[0, -1.0], [0.5, 0]])
    with pytest.warns(UserWarning, match="negative"):
        csgraph.dijkstra(x)


def test_wide_rows_and_long_paths():
    rng = np.random.default_rng(0)
    n = 400
    A = scipy.sparse.lil_array((n, n))
    for i in range(n - 1):
        A[i, i + 1] = 0.01 * rng.random()
    A[3, :] = 3 + rng.random(n)
    A[250, :] = 3 + rng.random(n)
    A = A.tocsr()
    args = dict(indices=[0, 3, 260], return_predecessors=True)
    expected = scipy.sparse.csgraph.dijkstra(A, **args)
    for a, b in zip(
        csgraph.dijkstra(graphs.on_device(A), **args), expected, strict=True
    ):
        np.testing.assert_array_equal(a.get(), b)


@both
@pytest.mark.parametrize("method", ["auto", "FW", "D", "BF", "J"])
def test_shortest_path(method, directed):
    for A, B in graphs.some_graphs(8):
        expected = scipy.sparse.csgraph.shortest_path(A, directed=directed)
        found = csgraph.shortest_path(B, method, directed)
        np.testing.assert_allclose(found.get(), expected, rtol=1e-14)


def test_shortest_path_chooses_a_method():
    dense = -cp.triu(cp.ones((5, 5)), 1)
    for graph in (dense, sparse.csr_array(dense)):
        expected = scipy.sparse.csgraph.shortest_path(dense.get())
        found = csgraph.shortest_path(graph)
        np.testing.assert_allclose(found.get(), expected)
        some = csgraph.shortest_path(graph, indices=[1, 2])
        np.testing.assert_allclose(some.get(), expected[1:3])


def test_errors_and_no_nodes():
    A = sparse.csr_array(cp.array([[0, 1.0], [0, 0]]))
    for indices in (2, -3, [0, 5]):
        with pytest.raises(ValueError, match="out of range"):
            csgraph.dijkstra(A, indices=indices)
    with pytest.raises(ValueError, match="limit"):
        csgraph.dijkstra(A, limit=-1)
    with pytest.raises(ValueError, match="unrecognized method"):
        csgraph.shortest_path(A, "X")
    with pytest.raises(ValueError, match="indices"):
        csgraph.shortest_path(A, "FW", indices=[0])
    empty = sparse.csr_array((0, 0))
    for name in ("dijkstra", "bellman_ford", "johnson", "shortest_path"):
        assert getattr(csgraph, name)(empty).shape == (0, 0)
    assert csgraph.dijkstra(A, indices=[]).shape == (0, 2)
