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


def _complex_rows(dtype, n):
    """The same in both parts, so that NaN is in either or in both."""
    rows = _rows(dtype.lower(), n)
    x = rows.astype(dtype)
    x.imag = np.roll(rows, 1, axis=0)
    return x


@pytest.mark.parametrize("dtype", DTYPES + "FD")
@pytest.mark.parametrize("rows", [1, 15, 16, 63, 64, 65, 200])
def test_sort(dtype, rows):
    for n in (*LENGTHS, 5, 7, 12):
        x = np.resize(
            _complex_rows(dtype, n) if dtype in "FD" else _rows(dtype, n), (rows, n)
        )
        for a, y in (
            (x, cp.asarray(x)),
            (x[::2], cp.asarray(x)[::2]),
            (x.T, cp.asarray(x).T),
        ):
            for axis in (0, 1):
                want = np.sort(a, axis=axis)
                np.testing.assert_array_equal(cp.sort(y, axis=axis).get(), want)
                stable = cp.sort(y, axis=axis, stable=True).get()
                if dtype not in "FD":
                    want = np.sort(a, axis=axis, kind="stable")
                    assert stable.tobytes() == want.tobytes()
                    np.testing.assert_array_equal(
                        cp.median(y, axis=axis).get(), np.median(a, axis=axis)
                    )
                y2 = y.copy()
                y2.sort(axis=axis)
                np.testing.assert_array_equal(y2.get(), want)


@pytest.mark.parametrize("dtype", DTYPES + "FD")
@pytest.mark.parametrize("descending", [False, True])
def test_argsort_is_stable(dtype, descending):
    for n in (*LENGTHS, 100, 4100):
        x = _complex_rows(dtype, n) if dtype in "FD" else _rows(dtype, n)
        have = cp.argsort(cp.asarray(x), axis=1, descending=descending).get()
        want = np.argsort(x[:, ::-1] if descending else x, axis=1, kind="stable")
        if descending:
            want = (n - 1 - want)[:, ::-1]
        np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("dtype", "qQdFD")
@pytest.mark.parametrize("bits", [8, 24, 25, 40, 63])
def test_argsort_of_ranks_that_share_bits(dtype, bits):
    """Any number of the highest bits alike; the rest differ, or few of them do."""
    words = np.random.default_rng(bits).integers(0, 1 << bits, 3000, np.uint64)
    width = np.dtype(dtype).itemsize // 8
    for some in (words, words & ~np.uint64(0xFFF), words % np.uint64(50)):
        parts = [np.roll(some, k) % np.uint64(3 + k) for k in range(width - 1)]
        x = np.stack([*parts, some], 1).view(dtype)[:, 0]
        have = cp.argsort(cp.asarray(x)).get()
        np.testing.assert_array_equal(have, np.argsort(x, kind="stable"))


@pytest.mark.parametrize("dtype", DTYPES + "FD")
def test_argpartition(dtype):
    for n in (*LENGTHS, 300, 1000):
        x = _complex_rows(dtype, n) if dtype in "FD" else _rows(dtype, n)
        ordered = np.sort(x, axis=1)
        for kth in {0, n // 2, n - 1}:
            order = cp.argpartition(cp.asarray(x), kth, axis=1).get()
            np.testing.assert_array_equal(np.sort(order, axis=1)[0], np.arange(n))
            have = np.take_along_axis(x, order, 1)
            np.testing.assert_array_equal(have[:, kth], ordered[:, kth])
            np.testing.assert_array_equal(
                np.sort(have[:, :kth], axis=1), ordered[:, :kth]
            )


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


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_among_few_or_many(dtype, side):
    """Short numbers are widened where they are few."""
    rng = np.random.default_rng(5)
    for n in (1, 2, 40, 1023, 1024, 1025, 3000):
        among = rng.integers(0, 120, n).astype(dtype)
        if dtype in "efd":
            among[::9] = np.nan
        among = np.sort(among)
        values = rng.integers(0, 120, 600).astype(dtype)
        for size in (1, 31, 32, 600):
            v = values[:size]
            expected = np.searchsorted(among, v, side)
            for given in (among, np.repeat(among, 3)[::3], np.flip(among)[::-1]):
                have = cp.searchsorted(cp.asarray(given), cp.asarray(v), side)
                np.testing.assert_array_equal(have.get(), expected)
