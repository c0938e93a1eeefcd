"""Relative extrema against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.signal import argrelextrema, argrelmax, argrelmin

theirs = pytest.importorskip("scipy.signal")

COMPARATORS = ("less", "greater", "less_equal", "greater_equal", "not_equal", "equal")


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2 if dtype == "?" else 30, shape)
    return x.astype(dtype)


def same(made, expected):
    assert isinstance(made, tuple)
    assert len(made) == len(expected)
    for m, e in zip(made, expected, strict=True):
        assert m.dtype == e.dtype
        np.testing.assert_array_equal(m.get(), e)


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("name", COMPARATORS)
def test_comparators_and_dtypes(name, dtype):
    x = numbers((9, 40), dtype)
    if dtype in "FD":
        x = x + 1j * numbers((9, 40), dtype, 1).real.astype(dtype)
    for options in ({}, {"axis": 1, "order": 2}, {"axis": -1, "mode": "wrap"}):
        expected = theirs.argrelextrema(x, getattr(np, name), **options)
        for package in (np, cp):
            comparator = getattr(package, name)
            same(argrelextrema(cp.array(x), comparator, **options), expected)


@pytest.mark.parametrize("mode", ["clip", "wrap"])
@pytest.mark.parametrize("order", [1, 2, 5, 9, 10, 11, 25])
def test_orders(mode, order):
    """Also longer than the axis, and more than once around."""
    for n in (1, 2, 3, 10, 200):
        x = numbers((3, n), seed=n)
        for function in ("argrelmin", "argrelmax"):
            expected = getattr(theirs, function)(x, 1, order, mode)
            ours = {"argrelmin": argrelmin, "argrelmax": argrelmax}[function]
            same(ours(cp.array(x), 1, order, mode), expected)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_axes_and_layouts(axis):
    x = numbers((6, 7, 8))
    for view in (x, x.T, x[::-1, ::2], np.asfortranarray(x)):
        same(argrelmax(cp.array(view), axis), theirs.argrelmax(view, axis))
    a = cp.array(x)
    same(argrelmin(a.T, axis), theirs.argrelmin(x.T, axis))
    same(argrelmin(a[::-1, ::2], axis), theirs.argrelmin(x[::-1, ::2], axis))


def test_large_integers_are_compared_as_such():
    x = np.array([2**62, 2**62 + 1, 2**62, 0, 1, 0])
    for dtype in "lL":
        same(argrelmax(cp.array(x.astype(dtype))), theirs.argrelmax(x.astype(dtype)))


def test_nan():
    x = numbers(100)
    x[::7] = np.nan
    for name in COMPARATORS:
        expected = theirs.argrelextrema(x, getattr(np, name))
        same(argrelextrema(cp.array(x), getattr(cp, name)), expected)


def test_a_function_of_ones_own():
    x = numbers(200)
    same(
        argrelextrema(cp.array(x), lambda a, b: a > b + 1, order=2),
        theirs.argrelextrema(x, lambda a, b: a > b + 1, order=2),
    )


def test_no_elements():
    for shape in ((0,), (0, 3), (3, 0)):
        same(argrelmin(cp.zeros(shape)), theirs.argrelmin(np.zeros(shape)))
        same(
            argrelextrema(cp.zeros(shape), cp.equal),
            theirs.argrelextrema(np.zeros(shape), np.equal),
        )


def test_lists():
    same(argrelmin([2, 1, 2]), theirs.argrelmin(np.array([2, 1, 2])))


def test_errors():
    x = cp.zeros((3, 4))
    for order in (0, -1, 1.5):
        with pytest.raises(ValueError, match="Order must be an int >= 1"):
            argrelmin(x, order=order)
    with pytest.raises(ValueError, match="mode must be one of"):
        argrelmin(x, mode="mirror")
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0"):
        argrelmin(x, mode="raise")
    with pytest.raises(IndexError):
        argrelmin(x, axis=2)
    with pytest.raises(TypeError, match="Unsupported type"):
        argrelmin(np.zeros(3))
