"""Graphs from and to dense arrays, against SciPy."""

import numpy as np
import pytest
import scipy.sparse.csgraph

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph

from . import graphs


@pytest.mark.parametrize("null_value", [0, 5.0, np.inf, np.nan])
def test_csgraph_to_dense(null_value):
    for A, B in graphs.some_graphs(12):
        expected = scipy.sparse.csgraph.csgraph_to_dense(A, null_value)
        found = csgraph.csgraph_to_dense(B, null_value)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.get(), expected)


def test_csgraph_to_dense_takes_the_shortest_of_several_edges():
    A = sparse.csr_array((cp.array([3.0, 1, 2]), [1, 1, 2], [0, 2, 3, 3]), shape=(3, 3))
    assert csgraph.csgraph_to_dense(A).tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]


@pytest.mark.parametrize("null_value", [0, 2, None, np.inf, np.nan])
@pytest.mark.parametrize("nan_null", [True, False])
@pytest.mark.parametrize("infinity_null", [True, False])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
def test_csgraph_from_dense(null_value, nan_null, infinity_null, dtype):
    x = np.array([[0, 1, 2, 0], [3, 0, 0, 4], [2, 2, 2, 2], [7, 0, 0, 8]], dtype)
    if dtype != "i4":
        x[0, 2], x[1, 1], x[3] = np.inf, np.nan, -np.inf
    args = (null_value, nan_null, infinity_null)
    expected = scipy.sparse.csgraph.csgraph_from_dense(x, *args)
    found = csgraph.csgraph_from_dense(cp.asarray(x), *args)
    assert type(found) is sparse.csr_array
    for name in ("indptr", "indices", "data"):
        a, b = getattr(found, name), getattr(expected, name)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.get(), b)


def test_csgraph_from_masked():
    x = np.ma.masked_invalid([[np.nan, 1, 0], [2, np.inf, 3], [4, 0, 0]])
    expected = scipy.sparse.csgraph.csgraph_from_masked(x)
    found = csgraph.csgraph_from_masked(x).get()
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.toarray(), expected.toarray())


def test_errors():
    with pytest.raises(ValueError, match="square"):
        csgraph.csgraph_from_dense(cp.ones((2, 3)))
    with pytest.raises(ValueError, match="two dimensions"):
        csgraph.csgraph_from_dense(cp.ones(3))
    with pytest.raises(ValueError, match="square"):
        csgraph.csgraph_from_masked(np.ma.ones((2, 3)))
    with pytest.raises(TypeError):
        csgraph.csgraph_from_dense(np.ones((3, 3)))
