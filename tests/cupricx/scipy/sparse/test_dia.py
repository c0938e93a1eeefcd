"""Sparse arrays of diagonals, beside SciPy's."""

import numpy as np
import pytest
import scipy.sparse as theirs

import cupric as cp
from cupricx.scipy import sparse

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{package}.sparse.SparseEfficiencyWarning")
    for package in ("scipy", "cupricx.scipy")
]

SHAPES = [(5, 7), (7, 5), (6, 6), (1, 4), (4, 1)]
OFFSETS = [[0], [1, -2, 0], [3, -1], []]

each_kind = pytest.mark.parametrize("kind", ["array", "matrix"])
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
each_offsets = pytest.mark.parametrize("offsets", OFFSETS, ids=str)
each_dtype = pytest.mark.parametrize("dtype", "fdFDi?")


def check(found, expected):
    """The same format, shape, dtype and elements."""
    if theirs.issparse(expected):
        assert isinstance(found, getattr(sparse, type(expected).__name__))
        found, expected = found.toarray(), expected.toarray()
    assert found.shape == np.shape(expected)
    assert found.dtype == expected.dtype
    tolerance = 1e-5 if found.dtype.char in "efF" else 1e-12
    np.testing.assert_allclose(found.get(), expected, tolerance)


def pair(kind, shape, offsets, dtype="d", length=None, seed=0):
    """An array of SciPy's and ours. No longer than its larger axis: beyond that SciPy
    transposes wrongly."""
    rng = np.random.default_rng(seed)
    data = rng.integers(0, 4, (len(offsets), length or max(shape))).astype(dtype)
    A = getattr(theirs, f"dia_{kind}")((data, np.array(offsets, int)), shape=shape)
    B = getattr(sparse, f"dia_{kind}")((cp.asarray(data), offsets), shape=shape)
    return A, B


@each_kind
@each_shape
@each_offsets
@each_dtype
def test_conversions(kind, shape, offsets, dtype):
    for length in (3, None):
        A, B = pair(kind, shape, offsets, dtype, length and min(length, max(shape)))
        assert repr(B) == repr(A)
        assert B.nnz == A.nnz
        check(B, A)
        found, expected = B.tocsr(), A.tocsr()
        for name in ("indptr", "indices", "data"):
            x, y = getattr(found, name), getattr(expected, name)
            assert x.dtype == y.dtype
            np.testing.assert_array_equal(x.get(), y)
        for name in ("tocsc", "tocoo", "todia", "copy", "transpose"):
            check(getattr(B, name)(), getattr(A, name)())
        back = B.get()
        assert type(back) is type(A)
        np.testing.assert_array_equal(back.data, A.data)
        np.testing.assert_array_equal(back.offsets, A.offsets)
        check(getattr(sparse, f"dia_{kind}")(A), A)
        assert B.count_nonzero() == A.count_nonzero()


def test_numbers_outside_the_matrix_do_not_count():
    data = cp.asarray(np.full((2, 9), np.nan))
    data[:, 1:3] = 1
    A = sparse.dia_array((data, [1, -1]), shape=(2, 3))
    assert A.nnz == 3
    expected = np.array([[0, 1, 0], [np.nan, 0, 1]])
    np.testing.assert_array_equal(A.toarray().get(), expected)
    A = sparse.dia_array((data, [1, 2]), shape=(2, 3))
    np.testing.assert_array_equal(A.sum(axis=1).get(), [2, 1])
    assert float(A.sum()) == 3
    np.testing.assert_array_equal((A.T @ cp.ones(2)).get(), [0, 1, 2])


@each_kind
def test_of_other_formats(kind):
    M = theirs.random(30, 40, 0.1, format="coo", rng=np.random.default_rng(1))
    expected = getattr(theirs, f"coo_{kind}")(M).todia()
    for x in (
        getattr(sparse, f"coo_{kind}")(M).todia(),
        getattr(sparse, f"csr_{kind}")(M).todia(),
        getattr(sparse, f"dia_{kind}")(M.toarray()),
        getattr(sparse, f"dia_{kind}")(cp.asarray(M.toarray())),
    ):
        check(x, expected)
        np.testing.assert_array_equal(x.data.get(), expected.data)
        np.testing.assert_array_equal(x.offsets.get(), expected.offsets)
        assert x.offsets.dtype == expected.offsets.dtype
    for name in ("dia", "coo"):
        empty = getattr(sparse, f"{name}_{kind}")((3, 4)).todia()
        check(empty, getattr(theirs, f"{name}_{kind}")((3, 4)).todia())


def test_many_diagonals_warn():
    A = sparse.coo_array(cp.ones((60, 60)))
    with pytest.warns(sparse.SparseEfficiencyWarning, match="119 diagonals"):
        A.todia()


@each_kind
@each_shape
@each_offsets
@each_dtype
def test_products(kind, shape, offsets, dtype):
    A, B = pair(kind, shape, offsets, dtype)
    rng = np.random.default_rng(2)
    rows, columns = shape
    x, X, y = rng.random(columns), rng.random((columns, 3)), rng.random(rows)
    check(B @ cp.asarray(x), A @ x)
    check(B @ cp.asarray(X), A @ X)
    check(B @ cp.asarray(np.asfortranarray(X)), A @ X)
    check(B @ cp.asarray(X)[:, :1], A @ X[:, :1])
    check(cp.asarray(y) @ B, y @ A)
    product = B @ B.T
    assert product.format == "dia"
    check(product.tocsr(), A.tocsr() @ A.T.tocsr())
    check(B @ B.T.tocsr(), A.tocsr() @ A.T.tocsr())


def test_products_of_many_rows():
    offsets = [-1000, -3, 0, 2, 700]
    for dtype in "efdFD":
        data = np.random.default_rng(3).integers(-3, 3, (5, 5000)).astype(dtype)
        A = theirs.dia_array(
            (data.astype(np.result_type(dtype, "f")), offsets), (4000, 5000)
        )
        B = sparse.dia_array((cp.asarray(data), offsets), shape=(4000, 5000))
        x = np.random.default_rng(4).integers(-3, 3, (5000, 2)).astype(dtype)
        check(B @ cp.asarray(x), (A @ x.astype(A.dtype)).astype(dtype))
        column = (A @ x[:, 0].astype(A.dtype)).astype(dtype)
        check(B @ cp.asarray(x[:, 0]), column)
        check(B @ cp.asarray(x)[:, 0], column)


@each_kind
@each_shape
@each_offsets
@each_dtype
def test_elementwise(kind, shape, offsets, dtype):
    A, B = pair(kind, shape, offsets, dtype)
    for others in ([1, 0], offsets, [0, -1, 1, 2]):
        C, D = pair(kind, shape, others, dtype, seed=5)
        check(B + D, A + C)
        check(B.multiply(D), A.multiply(C))
        check(B + D.tocsr(), A + C.tocsr())
        if dtype != "?":
            check(B - D, A - C)
    dense = np.random.default_rng(6).random(shape)
    for x in (dense, dense[:1], dense[:, :1], dense[0]):
        check(B.multiply(cp.asarray(x)), A.multiply(x))
    check(B * 2, A * 2)
    check(abs(B), abs(A))
    check(B.astype("D"), A.astype("D"))
    if dtype != "?":
        check(-B, -A)
        check(B / 2, A / 2)


@each_kind
@each_shape
@each_offsets
def test_diagonals_and_sums(kind, shape, offsets):
    for dtype in "fi":
        A, B = pair(kind, shape, offsets, dtype)
        rows, columns = shape
        for k in range(-rows, columns + 1):
            check(B.diagonal(k), A.diagonal(k))
        for axis in (None, 0, 1):
            check(B.sum(axis), A.tocsr().sum(axis))
        for k in range(1 - rows, columns):
            for values in (1, np.arange(1, 3, dtype=dtype), np.arange(20, dtype=dtype)):
                C, D = A.copy(), B.copy()
                C.setdiag(values, k)
                D.setdiag(values if np.isscalar(values) else cp.asarray(values), k)
                check(D, C)
                assert D.nnz == C.nnz
        for new in ((3, 3), (8, 9), (2, 8)):
            C, D = A.copy(), B.copy()
            C.resize(*new)
            D.resize(*new)
            check(D, C)


def test_errors():
    data = cp.ones((2, 3))
    with pytest.raises(ValueError, match="expected a shape"):
        sparse.dia_array((data, [0, 1]))
    with pytest.raises(ValueError, match="rank 1"):
        sparse.dia_array((data, [[0, 1]]), shape=(3, 3))
    with pytest.raises(ValueError, match=r"diagonals \(2\) does not match .* \(3\)"):
        sparse.dia_array((data, [0, 1, 2]), shape=(3, 3))
    with pytest.raises(ValueError, match="duplicate"):
        sparse.dia_array((data, [1, 1]), shape=(3, 3))
    with pytest.raises(ValueError, match="unrecognized form"):
        sparse.dia_array((data, [1], 2, 3), shape=(3, 3))
    with pytest.raises(ValueError, match="don't support 1D"):
        sparse.dia_array(cp.ones(3))
    with pytest.raises(NotImplementedError, match="axis"):
        sparse.dia_array((3, 3)).count_nonzero(axis=0)


def test_kind():
    assert sparse.isspmatrix_dia(sparse.dia_matrix((2, 2)))
    assert not sparse.isspmatrix_dia(sparse.dia_array((2, 2)))
