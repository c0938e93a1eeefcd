"""Paths between all nodes, against SciPy."""

import numpy as np
import pytest
import scipy.sparse.csgraph

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph

from . import graphs


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("unweighted", [True, False])
def test_floyd_warshall(directed, unweighted):
    for A, B in graphs.some_graphs(15, most=100):
        args = dict(directed=directed, unweighted=unweighted, return_predecessors=True)
        expected, before = scipy.sparse.csgraph.floyd_warshall(A, **args)
        found, own = csgraph.floyd_warshall(B, **args)
        assert own.dtype == before.dtype
        np.testing.assert_allclose(found.get(), expected, rtol=1e-14)
        if not unweighted:
            np.testing.assert_array_equal(own.get(), before)
        alone = csgraph.floyd_warshall(B, directed=directed, unweighted=unweighted)
        np.testing.assert_array_equal(alone.get(), found.get())


@pytest.mark.parametrize("n", [32, 64])
def test_whole_tiles(n):
    x = np.random.default_rng(n).random((n, n))
    expected = scipy.sparse.csgraph.floyd_warshall(x)
    found = csgraph.floyd_warshall(cp.asarray(x))
    np.testing.assert_allclose(found.get(), expected, rtol=1e-14)


def test_negative_cycles():
    x = cp.array([[0, -1.0, 0], [0.5, 0, 0], [0, 0, 0]])
    with pytest.raises(csgraph.NegativeCycleError, match="nodes"):
        csgraph.floyd_warshall(x)
    x[1, 0] = 1
    assert csgraph.floyd_warshall(x)[0].tolist() == [0, -1, np.inf]


def test_no_nodes():
    empty = sparse.csr_array((0, 0))
    assert csgraph.floyd_warshall(empty).shape == (0, 0)
    assert csgraph.floyd_warshall(empty, return_predecessors=True)[1].dtype == np.int32
