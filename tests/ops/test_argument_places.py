"""argmax and argmin of rows of all lengths, with NaNs and repeated extremes; counts."""

import numpy as np
import pytest

import cupric as cp


@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "i8", "f4", "f8", "F", "D"])
@pytest.mark.parametrize("n", [1, 7, 8, 31, 33, 63, 65, 1023, 1024, 1025, 5000])
def test_places_and_counts(dtype, n):
    random = np.random.default_rng(n)
    a = random.integers(0, 5, (5, n)).astype(dtype)
    if a.dtype.kind == "c":
        a += (1j * random.integers(0, 3, (5, n))).astype(dtype)
    if a.dtype.kind in "fc":
        a[1, n // 2] = np.nan
        a[2, 0] = np.nan
        a[3] = np.nan
        a[4, n // 3] = -0.0
    if a.dtype.kind == "c":
        a[0, n - 1] = complex(9, np.nan)
    x = cp.asarray(a)
    for name in ("argmax", "argmin"):
        for axis in (None, 0, 1):
            want = getattr(np, name)(a, axis=axis)
            np.testing.assert_array_equal(getattr(cp, name)(x, axis=axis).get(), want)
        for row, of in zip(x, a, strict=True):
            assert int(getattr(row, name)()) == getattr(of, name)()
            assert int(getattr(row[::-1], name)()) == getattr(of[::-1], name)()
        if a.dtype.kind in "fc":
            want = getattr(np, "nan" + name)(a[[0, 1, 2, 4]] if n > 1 else a[[4]])
            rows = x[cp.array([0, 1, 2, 4] if n > 1 else [4])]
            assert int(getattr(cp, "nan" + name)(rows)) == want
    for axis in (None, 0, 1):
        for y, b in ((x, a), (x[:, ::2], a[:, ::2]), (x.T, a.T)):
            want = np.count_nonzero(b, axis=axis)
            np.testing.assert_array_equal(cp.count_nonzero(y, axis=axis).get(), want)
            np.testing.assert_array_equal(y.any(axis=axis).get(), b.any(axis=axis))
            np.testing.assert_array_equal(y.all(axis=axis).get(), b.all(axis=axis))


def _table(shape, dtype, seed):
    """Few values, so that extremes are repeated, zeros of both signs, and some NaNs."""
    random = np.random.default_rng(seed)
    a = random.integers(0, 7, shape).astype(dtype)
    if a.dtype.kind == "c":
        a += (1j * random.integers(0, 3, shape)).astype(dtype)
    if a.dtype.kind in "fc":
        a[(a == 0) & (random.random(shape) < 0.5)] *= -1
        a[random.random(shape) < 0.3 / a.shape[0]] = np.nan
    return a


LAYOUTS = [
    lambda a: a,
    lambda a: a.T.copy().T,
    lambda a: a[(slice(None, None, -1),) * a.ndim],
    lambda a: a[::2, ..., 1:],
    lambda a: a[..., ::-2],
    lambda a: a.repeat(2, axis=-1)[..., ::2],
]
SHAPES = [(1, 1), (2, 300), (3, 5000), (15, 17), (127, 2), (128, 3), (129, 40)]
SHAPES += [(341, 3), (1000, 1), (700, 16), (3000, 63), (3000, 65), (40000, 7)]
SHAPES += [(70001, 2), (5, 3, 4000), (200, 5, 3), (3, 400, 5), (40, 16, 31), (2, 0, 3)]


@pytest.mark.parametrize("dtype", ["?", *"bBhHiIqQefdFD"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_places_in_tables(dtype, shape):
    """Narrow and wide, tall and flat, along each axis."""
    table = _table(shape, dtype, len(shape) + shape[0])
    for layout in LAYOUTS:
        a, x = layout(table), layout(cp.asarray(table))
        for axis in range(a.ndim):
            for name in ("argmax", "argmin"):
                if a.shape[axis] == 0:
                    with pytest.raises(ValueError, match="empty"):
                        getattr(x, name)(axis=axis)
                    continue
                want = getattr(a, name)(axis=axis)
                np.testing.assert_array_equal(getattr(x, name)(axis=axis).get(), want)
                if dtype not in "fdFD" or np.isnan(a).all(axis=axis).any():
                    continue
                name = "nan" + name
                want = getattr(np, name)(a, axis=axis)
                np.testing.assert_array_equal(
                    getattr(cp, name)(x, axis=axis).get(), want
                )


@pytest.mark.parametrize("places", [[], [0], [70000], [70000, 3], [199_999]])
def test_places_of_truths_in_long_rows(places):
    a = np.zeros((3, 200_000), bool)
    a[:, places] = True
    for b in (a, ~a, a[0], ~a[0], a.T.copy()):
        x = cp.asarray(b)
        for axis in range(b.ndim):
            want = b.argmax(axis=axis), b.argmin(axis=axis)
            np.testing.assert_array_equal(x.argmax(axis=axis).get(), want[0])
            np.testing.assert_array_equal(x.argmin(axis=axis).get(), want[1])


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4", "f8"])
@pytest.mark.parametrize("n", [8191, 100_003, 2_000_001])
def test_places_in_long_rows_with_gaps(dtype, n):
    """Of which parts are reduced at once, and then joined."""
    a = (np.arange(2 * n) * 7919 % 113 + 4).astype(dtype)
    at = 2 * (np.array([n // 3, n // 2, n - 1]))
    a[at], a[at - 2] = 119, 2
    x = cp.asarray(a)
    for y, b in ((x[::2], a[::2]), (x[::-2], a[::-2]), (x[1::2], a[1::2])):
        assert int(y.argmax()) == b.argmax()
        assert int(y.argmin()) == b.argmin()
        assert int(y.max()) == b.max()
    if dtype in ("f4", "f8"):
        a[at[:2]] = x[at[0]] = x[at[1]] = np.nan
        assert int(x[::2].argmax()) == a[::2].argmax() == n // 3
        assert int(x[::2].argmin()) == n // 3


@pytest.mark.parametrize("dtype", ["F", "D"])
def test_passed_over_imaginary_nan(dtype):
    a = np.array([complex(5, np.nan), 3, 4, 4 + 1j, 2], dtype)
    for of in (a, a.conj(), -a):
        x = cp.asarray(of)
        assert int(cp.nanargmax(x)) == np.nanargmax(of)
        assert int(cp.nanargmin(x)) == np.nanargmin(of)
