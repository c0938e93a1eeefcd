"""Minimum spanning trees, against SciPy."""

import numpy as np
import pytest
import scipy.sparse.csgraph

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph

from . import graphs


def test_minimum_spanning_tree():
    for A, B in graphs.some_graphs(40):
        expected = scipy.sparse.csgraph.minimum_spanning_tree(A)
        found = csgraph.minimum_spanning_tree(B)
        assert type(found) is sparse.csr_array
        assert found.nnz == expected.nnz
        np.testing.assert_array_equal(found.get().toarray(), expected.toarray())


def kruskal(A):
    """The tree that takes the first of equal edges first."""
    rows = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
    part = np.arange(A.shape[0])
    tree = np.zeros(A.shape)
    for e in np.argsort(A.data, kind="stable"):
        a, b = part[rows[e]], part[A.indices[e]]
        if a != b:
            part[part == b] = a
            tree[rows[e], A.indices[e]] = A.data[e]
    return tree


def test_the_first_of_equal_edges_is_taken():
    for A, B in graphs.some_graphs(20, whole=True):
        found = csgraph.minimum_spanning_tree(B)
        np.testing.assert_array_equal(found.get().toarray(), kruskal(A))


def test_edges_of_no_length_and_loops():
    A = sparse.csr_matrix((cp.array([0.0, -1, 5]), ([0, 1, 2], [1, 2, 2])))
    found = csgraph.minimum_spanning_tree(A)
    assert type(found) is sparse.csr_matrix
    assert found.get().toarray().tolist() == [[0, 0, 0], [0, 0, -1], [0, 0, 0]]
    assert csgraph.minimum_spanning_tree(sparse.csr_array((0, 0))).shape == (0, 0)
    with pytest.raises(ValueError, match="shape"):
        csgraph.minimum_spanning_tree(sparse.csr_array((2, 3)))


def test_input_is_not_changed():
    for overwrite in (False, True):
        _, B = next(graphs.some_graphs(1))
        before = B.get()
        csgraph.minimum_spanning_tree(B, overwrite=overwrite)
        np.testing.assert_array_equal(B.get().data, before.data)
