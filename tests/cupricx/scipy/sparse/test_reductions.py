"""Reductions of rows and columns, against SciPy's."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.sparse import _reductions

sparse = pytest.importorskip("scipy.sparse")

SHAPES = [
    *(((0, 4), 0), ((3, 0), 0), ((3, 5), 0), ((1, 1), 1), ((1, 9000), 0.6)),
    *(((9000, 3), 0.01), ((300, 200), 0.2), ((4, 6000), 1), ((20, 20), 0.9)),
]


def drawn(shape, density, dtype):
    rng = np.random.default_rng(1)
    A = sparse.random_array(shape, density=density, format="csr", rng=rng)
    A.data = rng.integers(-3, 3, A.nnz).astype(dtype)
    if dtype in "fd" and A.nnz > 3:
        A.data[rng.integers(0, A.nnz, 3)] = [np.nan, np.inf, -0.0]
    return A, tuple(cp.asarray(x) for x in (A.indptr, A.indices, A.data))


@pytest.mark.parametrize("dtype", "?bBilfdFD")
@pytest.mark.parametrize(("shape", "density"), SHAPES)
def test_sums_and_counts(shape, density, dtype):
    A, a = drawn(shape, density, dtype)
    for axis, got in (
        (1, _reductions.sum_major(a[0], a[2], A.sum(axis=1).dtype)),
        (0, _reductions.sum_minor(*a, shape[1], A.sum(axis=0).dtype)),
    ):
        expected = A.sum(axis=axis)
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got.get(), expected, rtol=1e-5)
    for axis, got in (
        (1, _reductions.count_major(a[0], a[2])),
        (0, _reductions.count_minor(*a, shape[1])),
    ):
        np.testing.assert_array_equal(got.get(), A.count_nonzero(axis=axis))


@pytest.mark.parametrize("dtype", "?bBilfdFD")
@pytest.mark.parametrize(("shape", "density"), SHAPES[2:])
def test_extremes(shape, density, dtype):
    A, a = drawn(shape, density, dtype)
    for is_explicit in (False, True):
        for name in _reductions.EXTREMES:
            got = _reductions.extreme(name, *a, shape[1], is_explicit)
            expected = getattr(A, name)(axis=1, explicit=is_explicit).toarray()
            assert got.dtype == expected.dtype
            np.testing.assert_array_equal(got.get(), expected, err_msg=name)
        for name in ("max", "min"):
            got = _reductions.arg_extreme(name, *a, shape[1], is_explicit)
            expected = getattr(A, f"arg{name}")(axis=1, explicit=is_explicit)
            np.testing.assert_array_equal(got.get(), expected, err_msg=name)


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_rows_of_all_lengths(dtype):
    n = np.arange(100)
    indptr = np.r_[0, np.cumsum(n)]
    x = np.random.default_rng(0).integers(0, 4, indptr[-1]).astype(dtype)
    for index in "il":
        a = cp.asarray(indptr.astype(index)), cp.asarray(x)
        for total in {dtype, "l"} if dtype in "?bBhHiIl" else {dtype}:
            got = _reductions.sum_major(*a, total).get()
            rows = [x[i:j] for i, j in zip(indptr[:-1], indptr[1:], strict=True)]
            assert got.tolist() == [r.astype(total).sum(dtype=total) for r in rows]
        assert _reductions.count_major(*a).get().tolist() == [
            np.count_nonzero(r) for r in rows
        ]


def test_long_and_empty_rows():
    """One row is in many tiles, and many rows are in one."""
    length = 70000
    indptr = np.r_[np.zeros(5000, int), np.full(5000, length), length + 3]
    x = np.arange(length + 3) % 5
    a = cp.asarray(indptr), cp.asarray(np.r_[np.arange(length), 0, 1, 2]), cp.asarray(x)
    got = _reductions.sum_major(a[0], a[2], "l").get()
    assert got[4999] == x[:length].sum()
    assert got[-1] == x[-3:].sum()
    assert np.count_nonzero(got) == 2
    got = _reductions.arg_extreme("max", *a, length + 1).get()
    assert got[4999] == 4
    assert got[-1] == np.argmax(x[-3:])


def test_integers_wrap_and_float16_is_summed_in_float32():
    indptr = cp.array([0, 3])
    total = _reductions.sum_major(indptr, cp.array([127, 1, 1], np.int8), np.int8)
    assert total.tolist() == [-127]
    x = cp.array([2048, 1, 1], np.float16)
    assert _reductions.sum_major(indptr, x, np.float16).tolist() == [2050]


def test_sums_repeat():
    x = cp.asarray(np.random.default_rng(0).random(50000, np.float32))
    indptr = cp.array([0, 10, 49000, 50000])
    first = _reductions.sum_major(indptr, x, "f").get()
    for _ in range(3):
        np.testing.assert_array_equal(
            first, _reductions.sum_major(indptr, x, "f").get()
        )
