"""What is made of predecessors, against SciPy."""

import numpy as np
import pytest
import scipy.sparse.csgraph

import cupric as cp
from cupricx.scipy.sparse import csgraph

from . import graphs


@pytest.mark.parametrize("directed", [True, False])
def test_distances_and_trees(directed):
    for A, B in graphs.some_graphs(20):
        _, before = scipy.sparse.csgraph.shortest_path(
            A, directed=directed, return_predecessors=True
        )
        expected = scipy.sparse.csgraph.construct_dist_matrix(A, before, directed)
        found = csgraph.construct_dist_matrix(B, cp.asarray(before), directed)
        np.testing.assert_allclose(found.get(), expected, rtol=1e-14)
        tree = csgraph.reconstruct_path(B, cp.asarray(before[0]), directed)
        expected = scipy.sparse.csgraph.reconstruct_path(A, before[0], directed)
        np.testing.assert_array_equal(tree.get().toarray(), expected.toarray())


def test_null_value_and_errors():
    graph = cp.array([[0.0, 2], [0, 0]])
    before = cp.array([[-9999, 0], [-9999, -9999]])
    found = csgraph.construct_dist_matrix(graph, before, null_value=-1)
    assert found.tolist() == [[0, 2], [-1, 0]]
    with pytest.raises(ValueError, match="predecessors of shape"):
        csgraph.construct_dist_matrix(graph, before[0])
    with pytest.raises(ValueError, match="predecessors of shape"):
        csgraph.reconstruct_path(graph, before)
    with pytest.raises(TypeError, match="integers"):
        csgraph.reconstruct_path(graph, cp.zeros(2))
