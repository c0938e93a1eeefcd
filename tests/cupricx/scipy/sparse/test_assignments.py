"""Values set at points of compressed matrices, beside SciPy's."""

import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.sparse import _assignments

from .test_selections import VALUES, Matrix, check, each_index, make_matrix

sparse = pytest.importorskip("scipy.sparse")


def assign(m, index, i, j, x, **kwargs):
    i, j, x = cp.asarray(i), cp.asarray(j), cp.asarray(x)
    return _assignments.assign(*m.arrays(index), m.shape[1], i, j, x, **kwargs)


def assigned(m, i, j, x):
    expected = m.scipy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sparse.SparseEfficiencyWarning)
        expected[i, j] = x
    return expected


@each_index
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("n", [1, 200, 9000])
def test_assign(index, value, n):
    m = make_matrix(value=value)
    rng = np.random.default_rng(1)
    i, j = rng.integers(-50, 50, n), rng.integers(-60, 60, n)
    x = rng.integers(0, 100, n).astype(value)
    made = assign(m, index, i, j, x, is_sorted=True)
    expected = assigned(m, i, j, x.astype(m.scipy().dtype))
    check(made, expected, index)
    made = assign(m, index, i, j, x[:1], is_sorted=True)
    check(made, assigned(m, i, j, x[0].astype(expected.dtype)), index)


@pytest.mark.parametrize("is_sorted", [True, False])
def test_assign_in_order(is_sorted):
    m = make_matrix()
    i, j = (x.ravel() for x in np.meshgrid([3, 5, 9], range(60), indexing="ij"))
    x = np.arange(180.0, dtype="f")
    made = assign(m, np.int32, i, j, x, is_sorted=is_sorted, in_order=True)
    check(made, assigned(m, i, j, x), in_order=is_sorted)


def test_assign_behind_rows_that_are_not_sorted():
    m = Matrix(np.array([0, 2, 3]), np.array([2, 0, 1]), np.array([5.0, 6, 7]), (2, 4))
    made = assign(m, np.int32, np.array([0, 0, 0]), np.array([3, 2, 1]), np.arange(3.0))
    assert made[0].get().tolist() == [0, 4, 5]
    assert made[1].get().tolist() == [2, 0, 1, 3, 1]
    assert made[2].get().tolist() == [1, 6, 2, 0, 7]


def test_assign_of_what_is_stored_changes_data_alone():
    m = make_matrix()
    a = m.arrays()
    i = np.repeat(np.arange(50), np.diff(m.parts[0]))
    x = cp.asarray(np.arange(i.size).astype("f"))
    j = cp.asarray(m.parts[1])
    made = _assignments.assign(*a, 60, cp.asarray(i), j, x, is_sorted=True)
    assert all(x is y for x, y in zip(made, a, strict=True))
    assert (a[2].get() == np.arange(i.size)).all()


def test_assign_without_insertion():
    m = make_matrix()
    a = m.arrays()
    i, j = (cp.asarray(x.ravel()) for x in np.indices((50, 60)))
    zero = cp.zeros(1, np.float32)
    made = _assignments.assign(*a, 60, i, j, zero, is_sorted=True, insert=False)
    assert made[1] is a[1]
    assert not a[2].get().any()


@pytest.mark.parametrize(("i", "j"), [(50, 0), (-51, 0), (0, 60), (0, -61)])
def test_assign_out_of_bounds_changes_nothing(i, j):
    m = make_matrix()
    a = m.arrays()
    i, j = (cp.asarray(np.array([1, k, 2])) for k in (i, j))
    with pytest.raises(IndexError, match="out of range"):
        _assignments.assign(*a, 60, i, j, cp.ones(3, np.float32), is_sorted=True)
    assert (a[2].get() == m.parts[2]).all()


@pytest.mark.parametrize("is_sorted", [True, False])
def test_assign_to_what_is_stored_twice(is_sorted):
    m = Matrix(np.array([0, 3]), np.array([1, 1, 2]), np.array([5.0, 6, 7]), (1, 3))
    one = np.ones(1)
    for j in (2, 0):
        assign(m, np.int32, np.array([0]), np.array([j]), one, is_sorted=is_sorted)
    with pytest.raises(_assignments.RepeatedElements):
        assign(m, np.int32, np.array([0]), np.array([1]), one, is_sorted=is_sorted)


@each_index
def test_clear(index):
    m = make_matrix((300, 60), value="d", is_sorted=False)
    a = m.arrays(index)
    rows, columns = np.arange(300) % 3 == 0, np.arange(60) % 2 == 1
    _assignments.clear(*a, cp.asarray(rows), cp.asarray(columns))
    i = np.repeat(np.arange(300), np.diff(m.parts[0]))
    expected = np.where(rows[i] & columns[m.parts[1]], 0, m.parts[2])
    assert (a[2].get() == expected).all()
