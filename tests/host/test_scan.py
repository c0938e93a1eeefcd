"""Running reductions and reductions of slices on the host device against NumPy's."""

import numpy as np
import pytest

from .plugin import Plugin
from .test_reduce import PRESENT, assert_same, data, layouts, wide

SHAPES = [(7,), (1000,), (300, 40), (17, 3, 11), (2, 1500, 3), (5, 1, 6), (40, 2000)]
SHAPES += [(5000, 3), (1100, 12), (15, 2), (3, 90, 7)]


@pytest.fixture(scope="module")
def plugin():
    return Plugin()


def cases(letter, shapes=SHAPES):
    for shape in shapes:
        for x in layouts(data(letter, shape)):
            for axis in range(x.ndim):
                yield x, axis


@pytest.mark.parametrize("letter", PRESENT[1:])
def test_cumulative_sum(plugin, letter):
    for x, axis in cases(
        letter, SHAPES[:4] if letter in "eE" else [*SHAPES, (200000,)]
    ):
        got = plugin.scan("add", f"{letter * 2}>{letter}", x, axis)
        # in double precision: NumPy's own sum of floats is the less accurate one
        dtype = {"f": "d", "F": "D"}.get(letter, wide(x).dtype)
        want = np.cumsum(wide(x), axis=axis, dtype=dtype)
        if letter in "fF":
            np.testing.assert_allclose(got, want, atol=1e-5 * np.abs(want).max())
        else:
            assert_same(got, want, letter)


@pytest.mark.parametrize("letter", PRESENT)
def test_running_maximum(plugin, letter):
    for x, axis in cases(letter, [*SHAPES, (200000,)]):
        got = plugin.scan("maximum", f"{letter * 2}>{letter}", x, axis)
        assert_same(got, np.maximum.accumulate(wide(x), axis=axis), letter)


@pytest.mark.parametrize("letter", list("bBhHiIlLfd"))
def test_strict_order(plugin, letter):
    for x, axis in cases(letter):
        got = plugin.scan("subtract", f"{letter * 2}>{letter}", x, axis)
        assert_same(got, np.subtract.accumulate(x, axis=axis), letter)


@pytest.mark.parametrize("letter", list("il"))
def test_in_place(plugin, letter):
    for shape in ((1000,), (200000,), (300, 40), (3000, 3)):
        for axis in range(len(shape)):
            x = data(letter, shape)
            want = np.cumsum(x, axis=axis, dtype=x.dtype)
            plugin.scan("add", f"{letter * 2}>{letter}", x, axis, out=x)
            np.testing.assert_array_equal(x, want)


def test_half_rounds_each_output_of_a_float_sum(plugin):
    x = np.full(3000, 0.1, np.float16)
    want = np.cumsum(x, dtype=np.float32).astype(np.float16)
    np.testing.assert_allclose(plugin.scan("add", "ee>e", x, 0), want, rtol=1e-3)


@pytest.mark.parametrize("letter", PRESENT)
def test_slices(plugin, letter):
    rng = np.random.default_rng(5)
    pair = f"{letter * 2}>{letter}"
    for x, axis in cases(letter):
        starts = rng.integers(0, x.shape[axis], 7)
        got = plugin.reduceat("minimum", pair, x, starts, axis)
        assert_same(got, np.minimum.reduceat(wide(x), starts, axis=axis), letter)
        if letter in "bBhHiIlL":
            for name in ("subtract", "add"):
                got = plugin.reduceat(name, pair, x, starts, axis)
                want = getattr(np, name).reduceat(x, starts, axis=axis, dtype=x.dtype)
                np.testing.assert_array_equal(got, want)


def test_threads_do_not_change_results():
    plugins = [Plugin(threads) for threads in (1, 2, 5)]
    for shape in ((10**6,), (3, 300000), (300000, 3), (30000, 40)):
        x = data("f", shape)
        for axis in range(x.ndim):
            results = [p.scan("add", "ff>f", x, axis) for p in plugins]
            for other in results[1:]:
                np.testing.assert_array_equal(results[0], other)


@pytest.mark.parametrize("name", ["hypot", "logaddexp"])
@pytest.mark.parametrize("letter", list("fd"))
def test_side_by_side(plugin, name, letter):
    """Of many instructions: several rows at once, or the blocks of one."""
    for x, axis in cases(letter, [(40, 300), (16, 70), (3, 4100), (64 * 64 + 1,)]):
        got = plugin.scan(name, f"{letter * 2}>{letter}", x, axis)
        want = getattr(np, name).accumulate(x.astype("d"), axis=axis)
        bound = 2e-5 if letter == "f" else 1e-12  # absolute where logarithms cross 0
        np.testing.assert_allclose(got, want, rtol=bound, atol=bound)
