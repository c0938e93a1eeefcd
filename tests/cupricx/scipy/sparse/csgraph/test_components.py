"""Connected components, against SciPy."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph

from . import graphs


def check_weak(A, B):
    expected, labels = scipy.sparse.csgraph.connected_components(A)
    count, found = csgraph.connected_components(B)
    assert type(count) is int
    assert count == expected
    assert found.dtype == labels.dtype
    np.testing.assert_array_equal(found.get(), labels)


def check_strong(A, B):
    """SciPy's parts, numbered in the order of their first nodes."""
    expected, labels = scipy.sparse.csgraph.connected_components(A, connection="strong")
    count, found = csgraph.connected_components(B, connection="strong")
    assert count == expected
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    numbers = np.argsort(np.argsort(first))
    np.testing.assert_array_equal(found.get(), numbers[inverse])


@pytest.mark.parametrize("check", [check_weak, check_strong])
def test_connected_components(check):
    for A, B in graphs.some_graphs(40):
        check(A, B)


@pytest.mark.parametrize("check", [check_weak, check_strong])
def test_components_of_cycles_and_paths(check):
    """Long ways from one node to another, in the order of nodes and out of it."""
    n = 600
    nodes = np.arange(n)
    for order in (nodes, nodes[::-1], np.random.default_rng(0).permutation(n)):
        for parts in (1, 7):
            to = order[(nodes + 1) % n].copy()
            A = scipy.sparse.csr_array((np.ones(n), (order, to)), shape=(n, n))
            check(A, graphs.on_device(A))
            cut = np.flatnonzero(nodes % (n // parts + 1) != 0)
            A = scipy.sparse.csr_array(
                (np.ones(cut.size), (order[cut], to[cut])), shape=(n, n)
            )
            check(A, graphs.on_device(A))


def test_a_node_of_many_neighbours():
    A = scipy.sparse.lil_array((3000, 3000))
    A[1700, :2900] = 1
    A[5, 1700] = 1
    check_weak(A.tocsr(), graphs.on_device(A.tocsr()))
    check_strong(A.tocsr(), graphs.on_device(A.tocsr()))


def test_arguments():
    A = sparse.csr_array(cp.array([[0, 1.0, 0], [0, 0, 0], [0, 0, 0]]))
    assert csgraph.connected_components(A, return_labels=False) == 2
    assert csgraph.connected_components(A, connection="STRONG")[0] == 3
    assert csgraph.connected_components(A, False, "strong")[0] == 2
    dense = csgraph.connected_components(cp.array([[0, 1.0], [cp.nan, 0]]))
    assert dense[0] == 1
    count, labels = csgraph.connected_components(sparse.csr_array((0, 0)))
    assert (count, labels.size) == (0, 0)
    with pytest.raises(ValueError, match="'weak' or 'strong'"):
        csgraph.connected_components(A, connection="both")
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        csgraph.connected_components(sparse.csr_array((2, 3)))
    with pytest.raises(TypeError):
        csgraph.connected_components(A.get())
    with pytest.raises(TypeError):
        csgraph.connected_components(np.eye(3))
