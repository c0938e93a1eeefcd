"""Dtypes of indices, and what constructors take from the host."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import sparse

scipy_sparse = pytest.importorskip("scipy.sparse")
from .objects import CLASSES, check, pair  # noqa: E402

LARGE = 2**31


@pytest.mark.parametrize(
    ("arrays", "maxval", "check_contents"),
    [
        ((), None, False),
        ((), LARGE - 1, False),
        ((), LARGE, False),
        ((np.arange(3, dtype="i4"),), None, False),
        ((np.arange(3, dtype="i8"),), None, False),
        ((np.arange(3, dtype="i8"),), None, True),
        ((np.arange(3, dtype="u4"),), None, False),
        ((np.arange(3, dtype="u4"),), None, True),
        ((np.array([LARGE]),), None, True),
        ((np.array([-LARGE]),), None, True),
        ((np.array([-LARGE - 1]),), None, True),
        ((np.empty(0, "i8"),), None, True),
        ((np.arange(3, dtype="u1"), np.arange(2, dtype="i2")), 5, False),
        (np.arange(3, dtype="i8"), None, True),
    ],
)
def test_get_index_dtype(arrays, maxval, check_contents):
    wanted = scipy_sparse.get_index_dtype(arrays, maxval, check_contents)
    assert sparse.get_index_dtype(arrays, maxval, check_contents) is wanted
    if isinstance(arrays, tuple):
        arrays = tuple(cp.asarray(a) for a in arrays)
    else:
        arrays = cp.asarray(arrays)
    assert sparse.get_index_dtype(arrays, maxval, check_contents) is wanted


def test_safely_cast_index_arrays():
    for name in CLASSES:
        A = pair(name)[1]
        cast = sparse.safely_cast_index_arrays(A, np.int64)
        assert [c.dtype for c in cast] == [np.int64] * 2
        same = sparse.safely_cast_index_arrays(A, np.int32)
        own = A.coords if A.format == "coo" else (A.indices, A.indptr)
        assert all(s is o for s, o in zip(same, own, strict=True))
    wide = sparse.coo_array((cp.ones(1), ([0], [300])))
    with pytest.raises(ValueError, match="coords values too large for dtype"):
        sparse.safely_cast_index_arrays(wide, np.int8)
    with pytest.raises(ValueError, match="indices values too large for a solver"):
        sparse.safely_cast_index_arrays(wide.tocsr(), np.int8, "a solver")


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_scipys_objects_are_taken(format):
    values = np.diag([1.0, 2, 3]) + np.eye(3, k=1)
    for kind in ("array", "matrix"):
        theirs = getattr(scipy_sparse, f"{format}_{kind}")(values)
        for name in CLASSES:
            A = getattr(sparse, name)(theirs)
            assert A.format == name[:3]
            assert A.toarray().tolist() == values.tolist()
            assert getattr(sparse, name)(theirs, dtype="f4").dtype == np.float32


def test_values_of_the_host_are_taken():
    for dtype in (">f4", "<f8", ">i8"):
        A = sparse.csr_array(np.eye(3, dtype=dtype))
        assert A.dtype == np.dtype(dtype).newbyteorder("=")
        assert A.sum() == 3
    masked = sparse.csr_array(np.eye(6)[::2, ::2])
    assert masked.toarray().tolist() == np.eye(3).tolist()
    with pytest.raises(ValueError, match="do not support dtype"):
        sparse.csr_array(np.eye(2, dtype=np.longdouble))
    theirs = scipy_sparse.csr_array(np.eye(2, dtype=np.longdouble))
    with pytest.raises(ValueError, match="do not support dtype"):
        sparse.csr_array(theirs)
    check(sparse.csr_array(theirs, dtype="f8"), theirs.astype("f8"))


def test_what_scipy_knows_of_the_order_is_known():
    theirs = scipy_sparse.csr_array(([1, 2], [1, 0], [0, 2]))
    assert sparse.csr_array(theirs)._has_sorted_indices is None
    assert not theirs.has_sorted_indices
    assert sparse.csr_array(theirs)._has_sorted_indices is False
    assert sparse.csr_array(theirs).get()._has_sorted_indices is False


def test_int64_indices_stay():
    theirs = scipy_sparse.csr_array(np.eye(3))
    theirs.indices = theirs.indices.astype("i8")
    theirs.indptr = theirs.indptr.astype("i8")
    ours = sparse.csr_array(theirs)
    assert ours.indices.dtype == ours.indptr.dtype == np.int64
    assert ours.get().indices.dtype == np.int64
