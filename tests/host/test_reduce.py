"""Reductions of the host device against NumPy's: dtypes, layouts, masks, accuracy."""

import math

import numpy as np
import pytest

from .plugin import DTYPES, ROWS, Failure, Plugin

SHAPES = [(7,), (5000,), (70000,), (300, 40), (17, 3, 11), (2, 1500, 3), (5, 1, 6)]
SHAPES += [(20000, 5), (5, 20000)]
PRESENT = [letter for letter, dtype in DTYPES.items() if dtype is not None]
FLOATS = [letter for letter in PRESENT if letter in "fdFD"]
TOLERANCE = {"e": 2e-2, "E": 1e-1, "f": 1e-4, "d": 1e-11, "F": 1e-4, "D": 1e-11}


@pytest.fixture(scope="module")
def plugin():
    return Plugin()


def data(letter, shape, seed=0):
    rng, dtype = np.random.default_rng(seed), DTYPES[letter]
    if letter == "?":
        return rng.random(shape) < 0.5
    if letter in "bBhHiIlL":
        return rng.integers(-50 * dtype.name.startswith("i"), 50, shape).astype(dtype)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if letter in "FD" else x).astype(dtype)


def layouts(x):
    yield x
    yield np.asfortranarray(x)
    spread = np.zeros([2 * n for n in x.shape], x.dtype)
    spread = spread[(slice(None, None, 2),) * x.ndim]
    spread[...] = x
    yield spread
    yield x[(slice(None, None, -1),) * x.ndim]
    if x.ndim == 3:
        yield np.ascontiguousarray(x.transpose(1, 2, 0)).transpose(2, 0, 1)


def axes(x):
    yield None
    yield from range(x.ndim)
    if x.ndim == 3:
        yield from ((0, 1), (0, 2), (1, 2))


def cases(letter, shapes=SHAPES):
    for shape in shapes:
        for x in layouts(data(letter, shape)):
            for axis in axes(x):
                yield x, axis


def wide(x):
    """What NumPy can compute with exactly enough."""
    return x.astype(np.float64) if x.dtype.itemsize == 2 and x.dtype.kind in "fV" else x


def assert_same(got, want, letter):
    if letter in TOLERANCE and got.dtype.kind not in "biu":
        tolerance = TOLERANCE[letter]
        np.testing.assert_allclose(
            got.astype(np.complex128), want, rtol=tolerance, atol=8 * tolerance
        )
    else:
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("letter", PRESENT)
def test_sum(plugin, letter):
    for x, axis in cases(letter):
        want = wide(x).sum(axis=axis, dtype=wide(x).dtype)
        got = plugin.reduce("add", f"{letter * 2}>{letter}", x, axis=axis)
        assert_same(got, want, letter)


@pytest.mark.parametrize("letter", PRESENT)
def test_extremes(plugin, letter):
    for x, axis in cases(letter):
        for name in ("maximum", "minimum"):
            got = plugin.reduce(name, f"{letter * 2}>{letter}", x, axis=axis)
            assert_same(got, getattr(np, name).reduce(wide(x), axis=axis), letter)


@pytest.mark.parametrize("letter", PRESENT)
def test_positions(plugin, letter):
    for x, axis in cases(letter):
        if isinstance(axis, tuple):
            continue
        for name in ("argmax", "argmin"):
            got = plugin.reduce(name, f"{letter}>l", x, axis=axis)
            np.testing.assert_array_equal(got, getattr(wide(x), name)(axis=axis))


@pytest.mark.parametrize("letter", FLOATS)
def test_nan(plugin, letter):
    for whole, axis in cases(letter):
        x = whole.copy()
        x[np.random.default_rng(1).random(x.shape) < 0.3] = np.nan
        pair = f"{letter * 2}>{letter}"
        assert_same(
            plugin.reduce("maximum", pair, x, axis=axis), x.max(axis=axis), letter
        )
        want = np.nansum(x, axis=axis)
        assert_same(
            plugin.reduce("nansum", f"{letter}>{letter}", x, axis=axis), want, letter
        )
        if letter in "fd":
            want = np.fmin.reduce(x, axis=axis)
            assert_same(plugin.reduce("fmin", pair, x, axis=axis), want, letter)
        if isinstance(axis, tuple):
            continue
        got = plugin.reduce("argmin", f"{letter}>l", x, axis=axis)
        np.testing.assert_array_equal(got, x.argmin(axis=axis))
        got = plugin.reduce("nanargmax", f"{letter}>l", x, axis=axis)
        none = np.isnan(x).all(axis=axis)
        some = np.where(np.isnan(x).all(axis=axis, keepdims=True), 0, x)
        want = np.nanargmax(some, axis=axis)
        np.testing.assert_array_equal(got, np.where(none, -1, want))


@pytest.mark.parametrize("letter", PRESENT)
def test_truth_and_counts(plugin, letter):
    for x, axis in cases(letter, [(7,), (5000,), (300, 40), (17, 3, 11)]):
        got = plugin.reduce("count_nonzero", f"{letter}>l", x, axis=axis)
        np.testing.assert_array_equal(got, np.count_nonzero(wide(x), axis=axis))
        got = plugin.reduce("all", f"{letter}>?", x, axis=axis)
        np.testing.assert_array_equal(got, wide(x).all(axis=axis))
        got = plugin.reduce("any", f"{letter}>?", x, axis=axis)
        np.testing.assert_array_equal(got, wide(x).any(axis=axis))


@pytest.mark.parametrize("letter", FLOATS)
def test_moments_and_norms(plugin, letter):
    real = {"F": "f", "D": "d"}.get(letter, letter)
    for x, axis in cases(letter, [(7,), (5000,), (300, 40), (17, 3, 11), (5, 20000)]):
        got = plugin.reduce("mean", f"{letter}>{letter}", x, axis=axis)
        assert_same(got, x.mean(axis=axis), letter)
        mean = x.mean(axis=axis, keepdims=True)
        for ddof in (0, 1):
            for name in ("var", "std"):
                want = getattr(x, name)(axis=axis, ddof=ddof)
                got = plugin.reduce(name, f"{letter}>{real}", x, axis=axis, param=ddof)
                assert_same(got, want, letter)
                about = f"{name}_about"
                got = plugin.reduce(
                    about, f"{letter * 2}>{real}", x, mean, axis=axis, param=ddof
                )
                assert_same(got, want, letter)
        size = np.abs(x)
        got = plugin.reduce("norm_2", f"{letter}>{real}", x, axis=axis)
        assert_same(got, np.sqrt((size**2).sum(axis=axis)), letter)
        got = plugin.reduce("norm_p", f"{letter}>{real}", x, axis=axis, param=3)
        assert_same(got, (size**3).sum(axis=axis) ** (1 / 3), letter)
        got = plugin.reduce("norm_max", f"{letter}>{real}", x, axis=axis)
        assert_same(got, size.max(axis=axis), letter)
        y = data(letter, x.shape, seed=2)
        got = plugin.reduce("vecdot", f"{letter * 2}>{letter}", x, y, axis=axis)
        assert_same(got, (x.conj() * y).sum(axis=axis), letter)


@pytest.mark.parametrize(
    "letter", [letter for letter in PRESENT if letter not in "?eE"]
)
def test_where_and_initial(plugin, letter):
    pair = f"{letter * 2}>{letter}"
    for x, axis in cases(letter, [(7,), (200000,), (300, 40), (17, 3, 11)]):
        mask = np.random.default_rng(3).random(x.shape) < 0.7
        for where in (mask, np.zeros_like(mask)):
            for initial in (None, 3):
                start = {} if initial is None else {"initial": initial}
                got = plugin.reduce("add", pair, x, axis=axis, where=where, **start)
                want = x.sum(axis=axis, where=where, dtype=x.dtype, **start)
                assert_same(got, want, letter)
            got = plugin.reduce("maximum", pair, x, axis=axis, where=where, initial=1)
            assert_same(got, x.max(axis=axis, where=where, initial=1), letter)
        if letter in FLOATS:
            got = plugin.reduce("mean", f"{letter}>{letter}", x, axis=axis, where=mask)
            count = mask.sum(axis=axis)
            with np.errstate(all="ignore"):
                assert_same(got, x.sum(axis=axis, where=mask) / count, letter)


@pytest.mark.parametrize("letter", list("bBhHiIlL"))
def test_strict_order_and_other_combiners(plugin, letter):
    pair = f"{letter * 2}>{letter}"
    for x, axis in cases(letter, [(7,), (5000,), (300, 40), (17, 3, 11)]):
        for name in ("multiply", "bitwise_xor", "bitwise_and", "gcd"):
            operation = getattr(np, name)
            kind = {"dtype": x.dtype} if name == "multiply" else {}
            got = plugin.reduce(name, pair, x, axis=axis)
            np.testing.assert_array_equal(got, operation.reduce(x, axis=axis, **kind))
        if axis is None or isinstance(axis, tuple):
            continue
        got = plugin.reduce("subtract", pair, x, axis=axis)
        np.testing.assert_array_equal(got, np.subtract.reduce(x, axis=axis))
        got = plugin.reduce("subtract", pair, x, axis=axis, initial=5)
        np.testing.assert_array_equal(got, np.subtract.reduce(x, axis=axis, initial=5))


@pytest.mark.parametrize(
    "stored", [letter for letter in PRESENT if letter not in "LFD"]
)
def test_stored_dtype_differs(plugin, stored):
    for x, axis in cases(stored, [(7,), (5000,), (300, 40), (17, 3, 11)]):
        got = plugin.reduce("add", "dd>d", x, axis=axis)
        np.testing.assert_allclose(got, wide(x).sum(axis=axis, dtype="d"), atol=1e-9)
        got = plugin.reduce("mean", "d>d", x, axis=axis)
        np.testing.assert_allclose(got, wide(x).mean(axis=axis, dtype="d"), atol=1e-9)


def test_half_accumulates_in_float(plugin):
    x = np.full((5000, 3), 0.1, np.float16)
    exact = float(x[0, 0]) * 5000
    for axis, y in ((0, x), (1, np.ascontiguousarray(x.T))):
        got = plugin.reduce("add", "ee>e", y, axis=axis)
        np.testing.assert_array_equal(got, np.float16(exact))


def test_zero_signs_and_infinities(plugin):
    zeros = np.full(3, -0.0)
    assert not np.signbit(plugin.reduce("add", "dd>d", zeros))
    assert np.signbit(plugin.reduce("multiply", "dd>d", zeros))
    assert np.signbit(plugin.reduce("add", "dd>d", zeros, initial=-0.0))
    x = np.array([1, np.inf, -np.inf, 2])
    assert np.isnan(plugin.reduce("add", "dd>d", x))
    assert plugin.reduce("argmax", "d>l", x) == 1
    assert plugin.reduce("minimum", "dd>d", x) == -np.inf
    assert plugin.reduce("hypot", "dd>d", np.array([-3.0])) == 3


@pytest.mark.parametrize("letter", [*"hlfdFD"])
@pytest.mark.parametrize("width", [1, 3, 8, 31, 32, 37, 300, 9000])
def test_few_long_rows(plugin, letter, width):
    """Sums without rounding, whose zeros have no sign; of equal extremes the first."""
    random = np.random.default_rng(width)
    for rows in (1, 2, 3, 7, 8, 9, 15, 17, 64, 65):
        x = random.integers(-2, 3, (rows, width)).astype(DTYPES[letter])
        if x.dtype.kind in "fc":
            x[x == 0] *= np.sign(random.random(np.count_nonzero(x == 0)) - 0.5)
            x[random.random(x.shape) < 0.02] = np.nan
            x[:, ::5] = -0.0
        for layout in (x, np.repeat(x, 2, axis=0)[::2], x[::-1], x[:, ::-1]):
            got = plugin.reduce("add", f"{letter * 2}>{letter}", layout, axis=0)
            want = layout.sum(axis=0, dtype=x.dtype) + x.dtype.type(0)
            np.testing.assert_array_equal(got, want)
            np.testing.assert_array_equal(np.signbit(got.real), np.signbit(want.real))
            if letter in "FD":
                continue
            for name in ("maximum", "minimum"):
                want, compare = layout[0], np.greater if name == "maximum" else np.less
                for row in layout[1:]:
                    later = compare(row, want) | (np.isnan(row) & ~np.isnan(want))
                    want = np.where(later, row, want)
                got = plugin.reduce(name, f"{letter * 2}>{letter}", layout, axis=0)
                np.testing.assert_array_equal(got, want)
                if layout.strides[0] > 0:  # others are reduced in the order of memory
                    np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


@pytest.mark.parametrize("shape", [(10**6,), (10**6, 2), (2, 10**6)])
def test_error_grows_slowly(plugin, shape):
    x = np.random.default_rng(4).random(shape).astype(np.float32)
    axis = int(np.argmax(shape))
    got = np.atleast_1d(plugin.reduce("add", "ff>f", x, axis=axis))
    rows = np.moveaxis(x, axis, -1).reshape(-1, 10**6)
    for value, row in zip(got, rows, strict=True):
        exact = math.fsum(row.tolist())
        assert abs(float(value) - exact) < 3 * 2**-24 * exact


def test_threads_do_not_change_results():
    shapes = [(10**6,), (3, 300000), (300000, 3), (30000, 40), (500, 500)]
    plugins = [Plugin(threads) for threads in (1, 2, 5)]
    for letter in "fF":
        for shape in shapes:
            x = data(letter, shape)
            for axis in [None, *range(x.ndim)]:
                results = [
                    p.reduce("add", f"{letter * 2}>{letter}", x, axis=axis)
                    for p in plugins
                ]
                for other in results[1:]:
                    np.testing.assert_array_equal(results[0], other)


def test_operations_that_do_not_reduce_are_refused(plugin):
    x = np.ones(3)
    with pytest.raises(Failure):
        plugin.reduce("less", "dd>?", x)
    assert "sin" in ROWS
    with pytest.raises(Failure):
        plugin.reduce("sin", "d>d", x)
