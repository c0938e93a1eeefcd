"""Columns of tables and rows of few elements, chosen by arrays, against NumPy: on the
host the places of a row are looked up once, and short rows are moved as elements."""

import numpy as np
import pytest

import cupric as cp

RNG = np.random.default_rng(7)


def same(actual, expected):
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual.get(), expected)


@pytest.mark.parametrize("dtype", ["?", "h", "f", "d", "D"])
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7, 9, 600])
def test_columns(columns, dtype):
    """Some of them, twice, from the end, by arrays of two axes and beside a slice."""
    a = RNG.integers(0, 2, (300, columns)).astype(dtype)
    x = cp.asarray(a)
    for k in ([0, -1], [columns // 2] * 5, RNG.integers(-columns, columns, 513)):
        same(x[:, k], a[:, k])
        same(x[::-3, k], a[::-3, k])
        same(cp.take(x, cp.asarray(k), axis=1), np.take(a, k, axis=1))
    two = np.array([[0, -1], [-1, 0]])
    same(x[:, two], a[:, two])
    stack, many = x.reshape(10, 30, columns), a.reshape(10, 30, columns)
    same(stack[:, ::2, two[0]], many[:, ::2, two[0]])
    same(stack[:, [3, 1], two[0]], many[:, [3, 1], two[0]])


@pytest.mark.parametrize("dtype", ["B", "h", "f", "d", "D"])
@pytest.mark.parametrize("columns", [1, 2, 3, 5, 8, 9, 16, 33, 300])
def test_rows(columns, dtype):
    a = RNG.integers(0, 99, (70, columns)).astype(dtype)
    k = RNG.integers(-70, 70, 200)
    x, order = cp.asarray(a), cp.asarray(k)
    same(x[order], a[k])
    same(x[order, ::-1], a[k, ::-1])
    same(x[order, 1:], a[k, 1:])
    stack, many = x.reshape(7, 10, columns), a.reshape(7, 10, columns)
    same(stack[:, order % 10], many[:, k % 10])
    same(stack[order % 7], many[k % 7])


@pytest.mark.parametrize("dtype", ["?", "h", "f", "D"])
@pytest.mark.parametrize("columns", [2, 3, 8, 70])
def test_assignments(columns, dtype):
    """Of places that are named twice the last one holds."""
    a = np.zeros((90, columns), dtype)
    x = cp.asarray(a)
    k = RNG.integers(-columns, columns, columns)
    values = RNG.integers(0, 2, (90, columns)).astype(dtype)
    for given in (values, values[:1], values[:, :1], a.dtype.type(1)):
        x[:, k], a[:, k] = cp.asarray(given), given
        same(x, a)
    k = RNG.integers(0, 90, 90)
    x[k], a[k] = cp.asarray(values), values
    same(x, a)
    x[::2, [0, -1]], a[::2, [0, -1]] = cp.asarray(values[::2, :2]), values[::2, :2]
    same(x, a)


@pytest.mark.parametrize("dtype", ["?", "B", "f", "d", "F"])
@pytest.mark.parametrize("shape", [(40_000, 3), (9000, 2, 5), (1500, 63), (1100, 64)])
def test_masks_and_places_of_tables(shape, dtype):
    """Of more than one block of elements, dense, turned around and in another order."""
    a = (RNG.random(shape) > 0.3).astype(dtype)
    x = cp.asarray(a)
    for y, b in [(x, a), (x[::-1], a[::-1]), (x.T, a.T), (x[..., ::2], a[..., ::2])]:
        for found, expected in zip(cp.nonzero(y), np.nonzero(b), strict=True):
            same(found, expected)
        same(cp.flatnonzero(y), np.flatnonzero(b))
        values, mask = np.arange(b.size).reshape(b.shape), b.astype("?")
        same(cp.asarray(values)[cp.asarray(mask)], values[mask])
        same(cp.asarray(values).T[cp.asarray(mask).T], values.T[mask.T])
        same(y[y.astype("?")], b[mask])
