"""Rows that are so short that the host sorts and searches them in another way."""

import numpy as np
import pytest

import cupric as cp

LENGTHS = (1, 2, 3, 4, 8, 15, 16, 17, 24, 25, 31, 32, 33, 48, 63, 64, 65)
DTYPES = "?bBhHiIlLefd"


def _rows(dtype, n):
    """Values that repeat, the least and the greatest of all and, of floats, NaNs."""
    draw = np.random.default_rng(n)
    x = draw.integers(0, 9, (70, n)).astype(dtype)
    if x.dtype.kind == "f":
        x[draw.random(x.shape) < 0.1] = -0.0
        x[draw.random(x.shape) < 0.05] = -np.inf
        x[::3][draw.random(x[::3].shape) < 0.1] = np.nan
    elif x.dtype.kind in "iu":
        x[draw.random(x.shape) < 0.1] = np.iinfo(dtype).min
        x[draw.random(x.shape) < 0.1] = np.iinfo(dtype).max
    return x


@pytest.mark.parametrize("dtype", DTYPES)
def test_argsort_is_stable(dtype):
    for n in LENGTHS:
        x = _rows(dtype, n)
        have = cp.argsort(cp.asarray(x), axis=1).get()
        np.testing.assert_array_equal(have, np.argsort(x, axis=1, kind="stable"))


@pytest.mark.parametrize("dtype", DTYPES + "F")
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_place_of_the_extreme(dtype, name):
    for n in LENGTHS:
        x = _rows(dtype, n)
        have = getattr(cp.asarray(x), name)(axis=1).get()
        np.testing.assert_array_equal(have, getattr(x, name)(axis=1))


@pytest.mark.parametrize("dtype", "fd")
def test_place_of_the_extreme_without_nans(dtype):
    for n in LENGTHS:
        x = _rows(dtype, n)
        x[:, 0] = 1
        have = cp.nanargmax(cp.asarray(x), axis=1).get()
        np.testing.assert_array_equal(have, np.nanargmax(x, axis=1))


@pytest.mark.parametrize("dtype", DTYPES + "FD")
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(dtype, side):
    for n in (0, *LENGTHS, 1000):
        among = np.sort(_rows(dtype, n)[0])
        values = _rows(dtype, 65)[:2].ravel()
        if among.dtype.kind == "c":
            among.imag[n // 2 :: 5] = np.nan
            among, values = np.sort(among), values + 1j * values[::-1]
        for a in (cp.asarray(among), cp.asarray(np.repeat(among, 2))[::2]):
            have = cp.searchsorted(a, cp.asarray(values), side).get()
            np.testing.assert_array_equal(have, np.searchsorted(among, values, side))
