"""Compressed rows of blocks, beside SciPy's."""

import numpy as np
import pytest
import scipy.sparse as theirs

import cupric as cp
from cupricx.scipy import sparse

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{package}.sparse.SparseEfficiencyWarning")
    for package in ("scipy", "cupricx.scipy")
]

SHAPES = [(4, 6), (6, 4), (12, 12), (2, 2), (0, 4)]
BLOCKS = [(1, 1), (2, 2), (2, 1), (1, 2)]

each_kind = pytest.mark.parametrize("kind", ["array", "matrix"])
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
each_block = pytest.mark.parametrize("block", BLOCKS, ids=str)
each_dtype = pytest.mark.parametrize("dtype", "fdFDi?")


def check(found, expected):
    """The same format, shape, dtype and elements."""
    if theirs.issparse(expected):
        assert isinstance(found, getattr(sparse, type(expected).__name__))
        if expected.format == "bsr":
            assert found.blocksize == expected.blocksize
        found, expected = found.toarray(), expected.toarray()
    assert found.shape == np.shape(expected)
    assert found.dtype == expected.dtype
    tolerance = 1e-5 if found.dtype.char in "efF" else 1e-12
    np.testing.assert_allclose(found.get(), expected, tolerance)


def check_arrays(found, expected):
    for name in ("indptr", "indices", "data"):
        a, b = getattr(found, name), getattr(expected, name)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.get(), b)


def dense(shape, dtype, density=0.4, seed=0):
    rng = np.random.default_rng([seed, *shape])
    return (rng.integers(1, 5, shape) * (rng.random(shape) < density)).astype(dtype)


def pair(kind, shape, block, dtype="d", density=0.4, seed=0):
    x = dense(shape, dtype, density, seed)
    A = getattr(theirs, f"bsr_{kind}")(x, blocksize=block)
    A.sort_indices()
    return A, getattr(sparse, f"bsr_{kind}")(cp.asarray(x), blocksize=block)


@each_kind
@each_shape
@each_block
@each_dtype
def test_conversions(kind, shape, block, dtype):
    for density in (0, 0.3, 1):
        A, B = pair(kind, shape, block, dtype, density)
        assert repr(B) == repr(A)
        check(B, A)
        check_arrays(B, A)
        check_arrays(B.tocsr(), A.tocsr())
        assert B.tocsr().has_canonical_format
        for name in ("tocsr", "tocsc", "tocoo", "todia", "copy", "transpose"):
            check(getattr(B, name)(), getattr(A, name)())
        check(B.tobsr((1, 1)), A.tobsr((1, 1)))
        assert B.tobsr() is B
        back = B.get()
        assert type(back) is type(A)
        np.testing.assert_array_equal(back.data, A.data)
        check(type(B)(A), A)
        assert B.count_nonzero() == A.count_nonzero()


@each_kind
@pytest.mark.parametrize("block", [None, (2, 3), (6, 6)])
def test_of_csr(kind, block):
    """With the size of blocks that is found where none is passed."""
    rng = np.random.default_rng(7)
    for size in (1, 2, 3, 4, 6):
        x = np.kron(rng.random((24 // size, 24 // size)) < 0.3, np.ones((size, size)))
        expected = getattr(theirs, f"csr_{kind}")(x).tobsr(blocksize=block)
        expected.sort_indices()
        found = getattr(sparse, f"csr_{kind}")(cp.asarray(x)).tobsr(blocksize=block)
        check(found, expected)
        check_arrays(found, expected)


def test_of_csr_with_duplicates():
    arrays = np.arange(1.0, 7), [3, 0, 3, 1, 1, 2], [0, 3, 3, 4, 6]
    expected = theirs.csr_array(arrays, shape=(4, 4)).tobsr((2, 2))
    A = sparse.csr_array(arrays, shape=(4, 4))
    check(A.tobsr((2, 2)), expected)
    assert A.nnz == 6


@each_kind
def test_of_blocks(kind):
    data, indices, indptr = (
        np.arange(24.0).reshape(6, 2, 2),
        [2, 0, 2, 1, 1, 0],
        [0, 3, 6],
    )
    A = getattr(theirs, f"bsr_{kind}")((data.copy(), indices, indptr))
    B = getattr(sparse, f"bsr_{kind}")((cp.asarray(data), indices, indptr))
    check(B, A)
    assert (B.has_sorted_indices, B.has_canonical_format) == (False, False)
    B.sort_indices()
    assert B.has_sorted_indices
    check(B, A)
    A.sum_duplicates()
    B.sum_duplicates()
    check_arrays(B, A)
    A.data[1] = B.data[1] = 0
    A.eliminate_zeros()
    B.eliminate_zeros()
    check_arrays(B, A)
    B.check_format()
    empty = getattr(sparse, f"bsr_{kind}")((4, 6), blocksize=(2, 3), dtype="f")
    check(empty, getattr(theirs, f"bsr_{kind}")((4, 6), blocksize=(2, 3), dtype="f"))
    pairs = np.ones(2), ([0, 1], [1, 1])
    check(
        getattr(sparse, f"bsr_{kind}")(pairs, shape=(2, 2)),
        getattr(theirs, f"bsr_{kind}")(pairs, shape=(2, 2)),
    )


@each_kind
@each_shape
@each_block
@each_dtype
def test_products(kind, shape, block, dtype):
    A, B = pair(kind, shape, block, dtype)
    rng = np.random.default_rng(2)
    rows, columns = shape
    x, X, y = rng.random(columns), rng.random((columns, 3)), rng.random(rows)
    check(B @ cp.asarray(x), A @ x)
    check(B @ cp.asarray(X), A @ X)
    check(B @ cp.asarray(np.asfortranarray(X)), A @ X)
    check(cp.asarray(y) @ B, y @ A)
    if rows:
        check(B @ B.T, A @ A.T)


@each_kind
@each_shape
@each_block
@each_dtype
def test_elementwise(kind, shape, block, dtype):
    A, B = pair(kind, shape, block, dtype)
    C, D = pair(kind, shape, block, dtype, 0.6, seed=1)
    check(B + D, A + C)
    check(B * 2, A * 2)
    check(abs(B), abs(A))
    check(B.astype("D"), A.astype("D"))
    if dtype != "?":
        check(B - D, A - C)
        check(-B, -A)
    if shape[0]:
        check(B.multiply(D), A.multiply(C))
        check(B != D, A != C)
        check(B.multiply(D.toarray()), A.multiply(C.toarray()))
        check(B + D.tocsr(), A + C.tocsr())
        check(B.maximum(D), A.maximum(C)) if dtype in "fdi" else None


@each_kind
@each_block
def test_diagonals_and_sums(kind, block):
    for shape in SHAPES[:-1]:
        A, B = pair(kind, shape, block)
        for k in range(-shape[0], shape[1] + 1):
            check(B.diagonal(k), A.diagonal(k))
        for axis in (None, 0, 1):
            check(B.sum(axis), A.tocsr().sum(axis))
        check(B.max(), A.tocsr().max())
        B.setdiag(7)
        expected = A.toarray()
        np.fill_diagonal(expected[: min(shape), : min(shape)], 7)
        np.testing.assert_array_equal(B.toarray().get(), expected)
        assert B.blocksize == block


def test_errors():
    data = cp.ones((2, 2, 2))
    for args, kwargs, message in [
        (((5, 4),), {"blocksize": (2, 2)}, "multiple of blocksize"),
        (((4, 4),), {"blocksize": (2,)}, "invalid blocksize"),
        (((data[0], [0, 1], [0, 1, 2]),), {}, "3-dimensional"),
        (((data, [0, 1], [0, 1, 2]),), {"blocksize": (2, 1)}, "mismatching"),
        (((data, [0, 1], [0, 1]),), {"shape": (4, 4)}, "index pointer size"),
        (((data, [0, 1], [1, 1, 2]),), {"shape": (4, 4)}, "start with 0"),
        (((data, [0, 1], [0, 1, 3]),), {"shape": (4, 4)}, "Last value"),
        (((data, [0], [0, 1, 2]),), {"shape": (4, 4)}, "the same size"),
        ((cp.ones(3),), {}, "don't support 1D"),
    ]:
        with pytest.raises(ValueError, match=message):
            sparse.bsr_array(*args, **kwargs)
    A = sparse.bsr_array((data, [0, 2], [0, 1, 2]), shape=(4, 4))
    with pytest.raises(ValueError, match="must be < 2"):
        A.check_format()
    with pytest.raises(ValueError, match=r"\(3, 3\) for shape \(4, 4\)"):
        sparse.csr_array((4, 4)).tobsr((3, 3))
    with pytest.raises(NotImplementedError):
        A[0]


def test_kind():
    assert sparse.isspmatrix_bsr(sparse.bsr_matrix((2, 2)))
    assert not sparse.isspmatrix_bsr(sparse.bsr_array((2, 2)))
