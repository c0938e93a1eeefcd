"""Dictionaries of elements, beside SciPy's."""

import numpy as np
import pytest
import scipy.sparse as theirs

import cupric as cp
from cupricx.scipy import sparse

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{package}.sparse.SparseEfficiencyWarning")
    for package in ("scipy", "cupricx.scipy")
]

each_kind = pytest.mark.parametrize("kind", ["array", "matrix"])
each_dtype = pytest.mark.parametrize("dtype", "fdFDi?")


def check(found, expected):
    """The same format, shape, dtype and elements."""
    if theirs.issparse(expected):
        assert isinstance(found, getattr(sparse, type(expected).__name__))
        found, expected = found.toarray(), expected.toarray()
    assert found.shape == np.shape(expected)
    assert found.dtype == expected.dtype
    found = found.get() if isinstance(found, cp.ndarray) else found
    np.testing.assert_allclose(found, expected, 1e-5)


def classes(kind, format="dok"):
    return tuple(getattr(m, f"{format}_{kind}") for m in (theirs, sparse))


def pair(kind, dtype="d"):
    rng = np.random.default_rng(0)
    x = (rng.integers(1, 5, (4, 6)) * (rng.random((4, 6)) < 0.4)).astype(dtype)
    theirs_class, our_class = classes(kind)
    return theirs_class(x), our_class(cp.asarray(x))


@each_kind
@each_dtype
def test_conversions(kind, dtype):
    A, B = pair(kind, dtype)
    check(B, A)
    assert repr(B) == repr(A)
    assert (B.nnz, int(B.count_nonzero())) == (A.nnz, A.count_nonzero())
    assert str(B)
    assert type(B.get()) is type(A)
    for format in ("csr", "csc", "coo", "dia", "bsr", "lil", "dok"):
        check(B.asformat(format), A.asformat(format))
        a, b = (cls(X) for cls, X in zip(classes(kind, format), (A, B), strict=True))
        check(b, a)
        check(b.asformat("dok"), a.asformat("dok"))
        check(classes(kind, format)[1](A), a)
    check(B.T, A.T)
    check(B.astype("D"), A.astype("D"))
    check(B.reshape(6, 4), A.reshape(6, 4))
    a, b = classes(kind)
    check(b((2, 3), dtype=dtype), a((2, 3), dtype=dtype))
    check(b((2, 3)), a((2, 3)))


@each_kind
@each_dtype
def test_elements(kind, dtype):
    A, B = pair(kind, dtype)
    x = A.toarray()
    a, b = classes(kind)
    assert B[1, 2] == A[1, 2]
    check(B[1:3, ::2], A[1:3, ::2])
    check(B[cp.array([0, 2])], A[[0, 2]])
    for X, cls, as_own in ((A, a, np.asarray), (B, b, cp.asarray)):
        X[0, 0] = 1
        X[1] = as_own(x[2])
        X[2:, 1:3] = cls(as_own(x[:2, :2]))
        X.setdiag(1, 1)
        X.setdiag(as_own(np.array([1, 0, 1])))
    check(B, A)
    C = B.copy()
    C[3, 5] = 1
    check(B, A)
    A.resize(3, 3)
    B.resize(3, 3)
    check(B, A)


@each_kind
@each_dtype
def test_operations(kind, dtype):
    A, B = pair(kind, dtype)
    x = np.random.default_rng(1).random(6)
    check(B @ cp.asarray(x), A @ x)
    check(B * 2, A * 2)
    check(B + B, A + A)
    check(B.multiply(B), A.multiply(A))
    for axis in (None, 0, 1):
        check(B.sum(axis), A.sum(axis))
    if dtype != "?":
        check(-B, -A)
        check(B / 2, A / 2)
    if dtype in "dD":
        A *= 3
        B *= 3
        A /= 2
        B /= 2
        check(B, A)


@each_kind
def test_dictionaries(kind):
    A, B = pair(kind)
    A[0, 0] = B[0, 0] = A[1, 1] = B[1, 1] = 3
    assert len(B) == len(A)
    check(list(B)[2], list(A)[2])
    assert list(B.keys()) == list(A.keys())
    assert list(B.items()) == list(A.items())
    assert (1, 1) in B
    assert B.get((1, 1)) == B.get((1, 1), 7) == 3
    del A[1, 1], B[1, 1]
    assert (1, 1) not in B
    assert B.get((1, 1), 7) == 7
    assert B.pop((0, 0)) == A.pop((0, 0))
    assert B.pop((0, 0), 5) == 5
    with pytest.raises(KeyError):
        B.pop((0, 0))
    assert B.setdefault((0, 0), 2) == A.setdefault((0, 0), 2)
    assert B.popitem() == A.popitem()
    check(B, A)
    B.clear()
    assert B.nnz == 0
    a, b = classes(kind)
    check(b.fromkeys([(0, 1), (2, 1)], 2), a.fromkeys([(0, 1), (2, 1)], 2))
    with pytest.raises(NotImplementedError, match="update"):
        B.update({(0, 0): 1})


def test_get_without_a_place_is_scipys():
    A, B = pair("array")
    assert isinstance(B.get(), theirs.dok_array)
    assert dict(B.get().items()) == dict(A.items())


def test_kind():
    assert sparse.isspmatrix_dok(sparse.dok_matrix((2, 2)))
    assert not sparse.isspmatrix_dok(sparse.dok_array((2, 2)))
