"""Elementwise operations of two matrices, against SciPy's."""

import operator

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.sparse import _merges

sparse = pytest.importorskip("scipy.sparse")

OPERATIONS = {
    "plus": operator.add,
    "minus": operator.sub,
    "multiply": lambda a, b: a.multiply(b),
    "maximum": lambda a, b: a.maximum(b),
    "minimum": lambda a, b: a.minimum(b),
    "ne": operator.ne,
    "lt": operator.lt,
    "gt": operator.gt,
}


def arrays(A):
    return tuple(cp.asarray(x) for x in (A.indptr, A.indices, A.data))


def drawn(shape, density, dtype, seed, index=np.int32):
    rng = np.random.default_rng(seed)
    A = sparse.random_array(shape, density=density, format="csr", rng=rng)
    A.data = rng.integers(-3, 4, A.nnz).astype(dtype)
    if np.dtype(dtype).kind in "fc" and A.nnz > 3:
        A.data[rng.integers(0, A.nnz, 3)] = [np.nan, np.inf, -0.0]
    A.indptr, A.indices = A.indptr.astype(index), A.indices.astype(index)
    return A


def check(name, A, B, **known):
    with np.errstate(all="ignore"):
        expected = OPERATIONS[name](A, B)
    expected.sort_indices()
    got = _merges.binary(name, arrays(A), arrays(B), A.shape[1], **known)
    assert got[0].dtype == got[1].dtype == np.result_type(A.indptr, B.indptr)
    assert got[2].dtype == expected.dtype
    np.testing.assert_array_equal(got[0].get(), expected.indptr)
    np.testing.assert_array_equal(got[1].get(), expected.indices)
    np.testing.assert_array_equal(got[2].get(), expected.data)


@pytest.mark.parametrize("dtype", "?bBhHiIlLfdFD")
@pytest.mark.parametrize("name", OPERATIONS)
def test_dtypes(name, dtype):
    check(name, *(drawn((40, 60), 0.2, dtype, seed) for seed in (1, 2)))


@pytest.mark.parametrize("index", "il")
@pytest.mark.parametrize(
    ("shape", "density"),
    [
        *(((0, 4), 0), ((4, 0), 0), ((1, 1), 1), ((3, 5), 0), ((3000, 1), 0.5)),
        *(((1, 6000), 0.7), ((9000, 5), 0.01), ((300, 200), 0.1), ((5, 4000), 1)),
    ],
)
def test_shapes(shape, density, index):
    A, B = (drawn(shape, density, "f", seed, index) for seed in (1, 2))
    for name in ("plus", "multiply", "gt"):
        check(name, A, B)
        check(name, A, A, canonical=(True, True))


def test_rows_of_very_different_lengths():
    """One row has nearly all elements of both matrices."""
    rng = np.random.default_rng(0)
    A, B = (drawn((4000, 9000), 1e-5, "d", seed).tolil() for seed in (1, 2))
    A[1234, ::2] = rng.integers(1, 9, 4500)
    B[1234, 1::3] = rng.integers(1, 9, 3000)
    for name in ("plus", "minus", "multiply"):
        check(name, A.tocsr(), B.tocsr())


def test_pairs_at_the_ends_of_tiles():
    """Two equal patterns are pairs alone: wherever a tile ends it is beside one."""
    A = sparse.csr_array(np.arange(1.0, 6001).reshape(3, 2000))
    for name in ("plus", "minus", "multiply"):
        check(name, A, A)


def test_duplicates_and_disorder():
    rng = np.random.default_rng(3)
    made = []
    for _ in range(2):
        indptr = np.sort(np.r_[0, rng.integers(0, 90, 9), 90]).astype(np.int32)
        indices = rng.integers(0, 7, 90).astype(np.int32)
        data = rng.integers(-2, 3, 90).astype(np.float64)
        made.append(sparse.csr_array((data, indices, indptr), shape=(10, 7)))
    for name in OPERATIONS:
        check(name, *made)


def test_duplicates_are_summed_in_the_dtype_of_both():
    A = sparse.csr_array(
        (np.array([100, 100], np.int8), np.zeros(2, np.int32), np.array([0, 2])),
        shape=(1, 1),
    )
    check("plus", A, sparse.csr_array(np.array([[7]], np.int16)))


def test_what_is_not_stored_is_zero():
    """Infinity times nothing is NaN, and is kept; -0.0 and zeros are dropped."""
    A = sparse.csr_array(np.array([[np.inf, 1.0, -1.0]]))
    B = sparse.csr_array(
        (np.array([-0.0, 1.0]), np.array([1, 2]), np.array([0, 2])), shape=(1, 3)
    )
    for name in ("plus", "multiply", "maximum", "minimum"):
        check(name, A, B)
        check(name, B, B)


def test_division():
    A, B = (drawn((30, 40), 0.3, "d", seed) for seed in (1, 2))
    indptr, indices, data = _merges.binary("divide", arrays(A), arrays(B), 40)
    x = sparse.csr_array((data.get(), indices.get(), indptr.get()), A.shape).toarray()
    with np.errstate(all="ignore"):
        expected = A.toarray() / B.toarray()
    at = (A != 0).toarray() | (B != 0).toarray()
    np.testing.assert_array_equal(x[at], expected[at])
    for dtype in "bil":
        A, B = (drawn((30, 40), 0.3, dtype, seed) for seed in (1, 2))
        low = np.iinfo(dtype).min
        A.data[:2], B.data[:] = low, np.where(B.data > 1, -1, B.data)
        indptr, indices, data = _merges.binary("divide", arrays(A), arrays(B), 40)
        made = (data.get(), indices.get(), indptr.get())
        x = sparse.csr_array(made, A.shape).toarray()
        a, b = A.toarray(), B.toarray()
        with np.errstate(all="ignore"):
            expected = np.where(b == 0, 0, np.trunc(a / np.where(b == 0, 1, b)))
        expected = np.where(b == -1, -a, expected)
        np.testing.assert_array_equal(x, expected)


def test_complex_numbers_are_compared_by_their_parts():
    A = sparse.csr_array(np.array([[1 + 2j, 1 - 2j, 0, -1]]))
    B = sparse.csr_array(np.array([[1 + 3j, 1, 1j, -1j]]))
    for name in ("maximum", "minimum", "lt", "gt", "ne"):
        check(name, A, B)


def test_float16():
    A = sparse.csr_array(np.array([[1.0, 0, 60000, 2]], np.float32))
    a = (*arrays(A)[:2], arrays(A)[2].astype(np.float16))
    _, indices, data = _merges.binary("plus", a, a, 4)
    assert data.dtype == np.float16
    np.testing.assert_array_equal(data.get(), np.array([2, np.inf, 4], np.float16))


def test_index_dtypes_that_differ():
    A, B = drawn((30, 40), 0.2, "d", 1), drawn((30, 40), 0.2, "d", 2, np.int64)
    got = _merges.binary("plus", arrays(A), arrays(B), 40)
    assert got[0].dtype == got[1].dtype == np.int64
    np.testing.assert_array_equal(got[2].get(), (A + B).data)


def test_operands_are_left_as_they_are():
    """An operation sums duplicates for itself alone."""
    sp = pytest.importorskip("cupricx.scipy.sparse")
    made = (cp.array([1.0, 2]), cp.array([0, 0]), cp.array([0, 2]))
    A = sp.csr_array(made, shape=(1, 3))
    B = A + A
    assert (A.nnz, B.nnz) == (2, 1)
    assert B.toarray().tolist() == [[6.0, 0, 0]]


@pytest.mark.parametrize("kinds", [("matrix", "array"), ("array", "matrix")])
@pytest.mark.parametrize(
    "shapes",
    [((4, 0), (4, 1)), ((4, 3), (1, 3)), ((1, 3), (4, 3)), ((4, 1), (4, 3))],
)
def test_kind_of_a_product_with_a_row_or_a_column(shapes, kinds):
    sp = pytest.importorskip("cupricx.scipy.sparse")
    for format in ("csr", "csc"):
        names = [f"{format}_{kind}" for kind in kinds]
        a, b = (getattr(sparse, n)(s) for n, s in zip(names, shapes, strict=True))
        x, y = (getattr(sp, n)(s) for n, s in zip(names, shapes, strict=True))
        assert type(x.multiply(y)).__name__ == type(a.multiply(b)).__name__
        assert x.multiply(y).shape == a.multiply(b).shape


def test_duplicates_are_summed_by_astype_and_sum():
    """astype adds duplicates up in the new dtype, sum in their own."""
    sp = pytest.importorskip("cupricx.scipy.sparse")
    parts = np.array([100, 100], np.int8), np.array([0, 0]), np.array([0, 2])
    A = sparse.csr_array(parts, shape=(1, 3))
    B = sp.csr_array(tuple(map(cp.asarray, parts)), shape=(1, 3))
    assert B.astype("i").nnz == A.astype("i").nnz == 1
    assert B.astype("i").toarray().get().tolist() == A.astype("i").toarray().tolist()
    assert int(B.sum()) == int(A.sum()) == -56
