"""Norms and powers of sparse matrices against SciPy's."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import linalg as ours

theirs = pytest.importorskip("scipy.sparse.linalg")
sp = pytest.importorskip("scipy.sparse")

ORDERS = (None, "fro", 1, -1, np.inf, -np.inf)
VECTOR_ORDERS = (None, 0, 1, 2, 3, np.inf, -np.inf)


def sample(dtype="d", shape=(7, 5), make=sp.csr_array):
    rng = np.random.default_rng(0)
    a = rng.integers(-4, 5, shape) * (rng.random(shape) < 0.5)
    if dtype in "FD":
        a = a + 1j * (a % 3)
    return make(a.astype(dtype))


def close(actual, expected):
    assert isinstance(actual, cp.ndarray)
    if isinstance(expected, np.matrix):  # SciPy's, of one order and with NumPy 2.5
        expected = np.asarray(expected).ravel()
    assert actual.shape == np.shape(expected)
    np.testing.assert_allclose(actual.get(), expected, rtol=1e-6)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", "fdFDi")
def test_norms_of_matrices(order, dtype):
    a = sample(dtype)
    close(ours.norm(sparse.csr_array(a), order), theirs.norm(a, order))
    for axes in ((0, 1), (1, 0), (-1, -2)):
        close(ours.norm(sparse.csr_array(a), order, axes), theirs.norm(a, order, axes))


@pytest.mark.parametrize("order", VECTOR_ORDERS)
@pytest.mark.parametrize("axis", [0, 1, -1, (0,), (-2,), 1.0])
@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "csc_matrix"])
def test_norms_of_vectors(order, axis, kind):
    a = sample(make=getattr(sp, kind))
    A = getattr(sparse, kind)(a)
    close(ours.norm(A, order, axis), theirs.norm(a, order, axis))


@pytest.mark.parametrize("dtype", "dD")
def test_the_largest_singular_value(dtype):
    a = sample(dtype, (20, 12))
    close(ours.norm(sparse.csr_array(a), 2), np.linalg.norm(a.toarray(), 2))


def test_duplicates_are_added_up_first():
    a = sp.coo_array(([3.0, 1, 2], ([0, 0, 1], [0, 0, 1])), (2, 2))
    A = sparse.coo_array(a)
    close(ours.norm(A), theirs.norm(a))
    assert A.nnz == 3


def test_norms_that_are_none():
    A = sparse.csr_array(sample())
    with pytest.raises(TypeError, match="not sparse"):
        ours.norm(cp.ones((2, 2)))
    with pytest.raises(NotImplementedError):
        ours.norm(A, -2)
    for wrong in ({"ord": 5}, {"axis": (0, 0)}, {"axis": 2}, {"axis": (0, 1, 2)}):
        with pytest.raises(ValueError, match="."):
            ours.norm(A, **wrong)
    with pytest.raises(ValueError, match="vectors"):
        ours.norm(A, "fro", 0)
    for wrong in ("x", 1.5, [0]):
        with pytest.raises(TypeError, match="axis"):
            ours.norm(A, axis=wrong)


@pytest.mark.parametrize("power", [0, 1, 2, 3, 4, 7, np.int64(5)])
@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "csc_array"])
def test_powers(power, kind):
    if power == 0 and not hasattr(sparse, "eye_array"):
        pytest.skip("eye_array is to come")
    a = sample(shape=(6, 6), make=getattr(sp, kind))
    found = ours.matrix_power(getattr(sparse, kind)(a), power)
    expected = theirs.matrix_power(a, power)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.toarray().get(), expected.toarray())


def test_powers_that_are_none():
    A = sparse.csr_array(sample(shape=(6, 6)))
    with pytest.raises(TypeError, match="square"):
        ours.matrix_power(sparse.csr_array(sample()), 2)
    with pytest.raises(ValueError, match=">= 0"):
        ours.matrix_power(A, -1)
    for wrong in (1.5, 2.0, "2", None):
        with pytest.raises(ValueError, match="integer"):
            ours.matrix_power(A, wrong)
    once = ours.matrix_power(A, 1)
    assert once is not A
