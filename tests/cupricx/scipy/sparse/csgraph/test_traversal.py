"""The orders of searches, and their trees, against SciPy."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph

from . import graphs

both = pytest.mark.parametrize("directed", [True, False])
orders = pytest.mark.parametrize("name", ["breadth_first", "depth_first"])


def check(name, A, B, start, directed):
    expected = getattr(scipy.sparse.csgraph, f"{name}_order")(A, start, directed)
    found = getattr(csgraph, f"{name}_order")(B, start, directed)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.get(), b)


@orders
@both
def test_orders_and_trees(name, directed):
    rng = np.random.default_rng(1)
    for A, B in graphs.some_graphs(25):
        start = int(rng.integers(A.shape[0]))
        check(name, A, B, start, directed)
        tree = f"{name}_tree"
        expected = getattr(scipy.sparse.csgraph, tree)(A, start, directed)
        found = getattr(csgraph, tree)(B, start, directed)
        assert type(found) is sparse.csr_array
        assert found.nnz == expected.nnz
        np.testing.assert_array_equal(found.get().toarray(), expected.toarray())


@both
def test_levels_of_many_edges(directed):
    """More than one block takes, which lead to new nodes, and back to known ones."""
    rng = np.random.default_rng(0)
    n, wide = 9000, 2000
    rows = [np.zeros(wide, int), np.repeat(np.arange(1, wide + 1), 25)]
    columns = [rng.permutation(wide) + 1, rng.integers(0, n, 25 * wide)]
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    A = scipy.sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=(n, n))
    check("breadth_first", A, graphs.on_device(A), 0, directed)


def test_neighbours_are_taken_as_they_are_stored():
    A = scipy.sparse.csr_array(([1.0] * 4, [3, 1, 2, 0], [0, 3, 3, 3, 4]), shape=(4, 4))
    for name in ("breadth_first", "depth_first"):
        check(name, A, graphs.on_device(A), 0, True)


@orders
def test_arguments(name):
    A = sparse.csr_array((3, 3))
    order = getattr(csgraph, f"{name}_order")
    assert order(A, 1, return_predecessors=False).tolist() == [1]
    for start in (-1, 3):
        with pytest.raises(ValueError, match="graph of 3"):
            order(A, start)
    with pytest.raises(TypeError):
        order(A, 1.5)
    tree = getattr(csgraph, f"{name}_tree")(sparse.csr_matrix((3, 3)), 0)
    assert type(tree) is sparse.csr_matrix
