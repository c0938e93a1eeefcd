"""Signals less their trends, against scipy.signal."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error, numbers

import cupric as cp
from cupricx.scipy.signal import detrend

theirs = pytest.importorskip("scipy.signal").detrend


@pytest.mark.parametrize("dtype", "?bilefdFD")
@pytest.mark.parametrize("kind", ["linear", "constant", "l", "c"])
def test_dtypes(dtype, kind):
    for n in (1, 2, 3, 100):
        check(
            theirs, detrend, numbers((3, n), dtype), type=kind, bound=BOUNDS.get(dtype)
        )


BOUNDS = {"e": 4e-3, "f": 1e-5, "F": 1e-5}


@pytest.mark.parametrize("bp", [0, 5, 30, [5, 9], [9, 5, 5], [1, 29], np.arange(31)])
def test_breakpoints(bp):
    check(theirs, detrend, numbers((3, 30)), bp=bp)
    check(theirs, detrend, numbers((30, 3)), axis=0, bp=bp)
    check(theirs, detrend, numbers((3, 30)), bp=bp, type="constant")


@pytest.mark.parametrize("dtype", "fdFD")
def test_long(dtype):
    bound = 1e-5 if dtype in "fF" else 1e-11
    x = numbers((2, 100_000), dtype) + np.arange(100_000, dtype="f") / 1e4
    for bp in (0, [100, 40_000], np.arange(0, 100_000, 999)):
        check(theirs, detrend, x.astype(dtype), bp=bp, bound=bound)
    check(theirs, detrend, x.astype(dtype), type="constant", bound=bound)
    one = numbers(1_000_000, dtype)
    check(theirs, detrend, one, bound=bound)


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_axes_and_layouts(axis):
    x = numbers((7, 8, 9))
    for y in (x, x.transpose(2, 0, 1), x[::-1, :, ::-1], np.asfortranarray(x)):
        before = y.copy()
        check(theirs, detrend, y, axis=axis, bp=[3])
        np.testing.assert_array_equal(y, before)


def test_large_offsets():
    """The line is fitted from the middle of a segment: nothing cancels."""
    x = 1e9 + np.arange(1000.0) + numbers(1000)
    made = detrend(cp.array(x)).get()
    t = np.arange(1000.0) - 499.5
    rest = numbers(1000)
    expected = rest - rest.mean() - t * (rest @ t) / (t @ t)
    np.testing.assert_allclose(made, expected, atol=1e-6)


def test_not_finite():
    """SciPy raises ValueError; here the segment is NaN."""
    x = numbers(30)
    x[3] = np.nan
    made = detrend(cp.array(x), bp=[10]).get()
    assert np.isnan(made[:10]).all()
    assert np.isfinite(made[10:]).all()


def test_empty():
    assert detrend(cp.zeros(0), type="constant").shape == (0,)
    assert detrend(cp.zeros((0, 5))).shape == (0, 5)
    check_error(theirs, detrend, np.zeros(0), match=r"\(0,\)")


def test_errors():
    x = numbers(12)
    check_error(theirs, detrend, x, type="x", match="Trend type must be")
    check_error(theirs, detrend, x, bp=[13], match=r"\[13\] for 12")
    check_error(theirs, detrend, x, bp=[-3])
    check_error(theirs, detrend, x, bp=[2.5])
    check_error(theirs, detrend, x, axis=1)
