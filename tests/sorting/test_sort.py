"""sort, argsort, partition, argpartition, searchsorted, nonzero and their kin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from ..ops.cases import NUMERIC, REAL, assert_same, fill, outcome, pairs

AXES = st.one_of(st.none(), st.integers(-3, 3))


@given(data=st.data())
def test_sort(data):
    x, y = data.draw(pairs())
    axis = data.draw(AXES)
    kind = data.draw(st.sampled_from([None, "stable", "quicksort"]))
    assert_same(
        outcome(cupric.sort, y, axis=axis, kind=kind), outcome(np.sort, x, axis, kind)
    )


@given(data=st.data())
def test_sort_in_place(data):
    x, y = data.draw(pairs())
    axis = data.draw(st.integers(-3, 2))
    base = x.copy()
    expected = outcome(base.sort, axis=axis)
    got = outcome(y.sort, axis=axis)
    if expected is None:
        assert got is None
        assert_same(y, base)
    else:
        assert issubclass(expected, got)


@given(data=st.data())
def test_argsort(data):
    x, y = data.draw(pairs())
    axis = data.draw(AXES)
    expected = outcome(np.argsort, x, axis=axis, kind="stable")
    assert_same(outcome(cupric.argsort, y, axis=axis, kind="stable"), expected)
    assert_same(outcome(cupric.argsort, y, axis=axis, stable=True), expected)
    assert_same(outcome(y.argsort, axis=axis, kind="stable"), expected)


@given(data=st.data())
def test_partition(data):
    x, y = data.draw(pairs(special=False))
    axis = data.draw(st.integers(-2, 1))
    kth = data.draw(st.integers(-4, 4))
    expected = outcome(np.partition, x, kth, axis)
    got = outcome(cupric.partition, y, kth, axis)
    if isinstance(expected, type):
        assert_same(got, expected)
        return
    assert got.shape == x.shape
    assert_same(cupric.sort(got, axis), np.sort(x, axis))
    order = cupric.argpartition(y, kth, axis).get()
    if x.size:
        place = np.sort(x, axis).take(kth, axis)
        np.testing.assert_array_equal(got.get().take(kth, axis), place)
        np.testing.assert_array_equal(
            np.take_along_axis(x, order, axis).take(kth, axis), place
        )


def test_partition_arguments():
    y = cupric.array(np.arange(5.0)[::-1])
    assert cupric.partition(y, [0, 3]).tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    y.partition(2)
    assert y.tolist()[2] == 2.0
    for kth, error, message in [
        (5, ValueError, r"kth\(=5\) out of bounds \(5\)"),
        (-6, ValueError, r"kth\(=-1\) out of bounds \(5\)"),
        (1.5, TypeError, "must be integer"),
        (True, ValueError, "Booleans unacceptable"),
        ([], TypeError, "must be integer"),
    ]:
        with pytest.raises(error, match=message):
            cupric.partition(y, kth)


def test_sort_arguments():
    y = cupric.zeros((2, 3))
    for kwargs, error, message in [
        ({"kind": "foo"}, ValueError, "sort kind must be one of"),
        ({"kind": 3}, TypeError, "sort kind must be str"),
        ({"kind": "stable", "stable": True}, ValueError, "at the same time"),
        ({"order": "a"}, ValueError, "no fields"),
        ({"axis": 2}, np.exceptions.AxisError, "out of bounds"),
        ({"axis": 0.5}, TypeError, "integer"),
    ]:
        with pytest.raises(error, match=message):
            cupric.sort(y, **kwargs)
    with pytest.raises(TypeError):
        y.sort(axis=None)


def test_sort_of_read_only_array():
    y = cupric.array([2, 1])
    y.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        y.sort()


@given(data=st.data())
def test_searchsorted(data):
    n = data.draw(st.integers(0, 8))
    x = np.sort(fill((n,), data.draw(st.sampled_from(NUMERIC)), 3, True))
    v, w = data.draw(pairs())
    side = data.draw(st.sampled_from(["left", "right"]))
    if v.dtype.kind in "iu" and x.dtype.kind in "iu" and v.dtype != x.dtype:
        return  # int64 with uint64 compares as float64
    expected = np.searchsorted(x, v, side)
    assert_same(cupric.searchsorted(cupric.array(x), w, side), expected)
    assert_same(cupric.array(x).searchsorted(w, side=side), expected)


def test_searchsorted_arguments():
    x = np.array([3.0, 1.0, 2.0])
    y = cupric.array(x)
    order = cupric.argsort(y)
    assert cupric.searchsorted(y, 2.5, sorter=order).item() == 2
    assert cupric.searchsorted(cupric.sort(y), 2).item() == 1
    for args, error in [
        ((cupric.zeros((2, 2)), 1), ValueError),
        ((cupric.array(1), 1), ValueError),
        ((y, 1, "x"), ValueError),
        ((y, 1, "left", cupric.array([0])), ValueError),
        ((y, 1, "left", cupric.array([0.0, 1, 2])), TypeError),
        ((y, np.ones(2)), TypeError),
    ]:
        with pytest.raises(error):
            cupric.searchsorted(*args)


@given(data=st.data())
def test_nonzero(data):
    x, y = data.draw(pairs())
    if x.ndim:
        got, expected = cupric.nonzero(y), np.nonzero(x)
        assert len(got) == len(expected) == len(y.nonzero())
        for a, b in zip(got, expected, strict=True):
            assert_same(a, b)
    assert_same(cupric.flatnonzero(y), np.flatnonzero(x))
    assert_same(cupric.argwhere(y), np.argwhere(x))


def test_nonzero_of_a_scalar():
    with pytest.raises(ValueError, match="0d"):
        cupric.nonzero(cupric.array(1))


@pytest.mark.parametrize("dtype", REAL)
def test_lexsort(dtype):
    keys = fill((3, 20), dtype, 4, special=False)
    assert_same(cupric.lexsort(cupric.array(keys)), np.lexsort(keys))
    ours = tuple(cupric.array(k) for k in keys)
    assert_same(cupric.lexsort(ours), np.lexsort(keys))


def test_sort_complex():
    x = fill((9,), "int16", 4, special=False)
    assert_same(cupric.sort_complex(cupric.array(x)), np.sort_complex(x))


def test_no_leaks(no_leak):
    y = cupric.array(np.random.default_rng(0).random((5, 6)))
    for _ in range(50):
        cupric.sort(y, axis=0)
        cupric.argsort(y.T)
        cupric.nonzero(y)
        cupric.searchsorted(y[0], y)
        with pytest.raises(ValueError):
            cupric.partition(y, 10)
    del y
