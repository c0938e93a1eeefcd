"""Filters by kernels of one's own, against SciPy with functions alike."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

MODES = ("reflect", "constant", "nearest", "mirror", "wrap")

SPREAD = cp.RawKernel(
    """extern "C" __global__ void
spread(const double *window, int n, double *result)
{
    double low = window[0], high = window[0];
    for (int i = 1; i < n; i++) {
        low = window[i] < low ? window[i] : low;
        high = window[i] > high ? window[i] : high;
    }
    *result = high - low + window[0] / 2;
}""",
    "spread",
)
SQUARES = cp.ReductionKernel("X x", "Y y", "x * x", "a + b", "y = a", "0", "squares")
DIFFERENCES = cp.RawKernel(
    """extern "C" __global__ void
differences(double *line, ptrdiff_t length, double *result, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) result[i] = line[i + length - n] - line[i];
}""",
    "differences",
)


def spread(window):
    return window.max() - window.min() + window[0] / 2


def squares(window):
    return (window * window).sum()


def differences(line, result):
    result[...] = line[len(line) - len(result) :] - line[: len(result)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["u1", "i4", "f4", "f8"])
def test_windows(mode, dtype):
    rng = np.random.default_rng(3)
    for shape, window, origin in (
        ((11,), (4,), 1),
        ((6, 7), (3, 2), (1, 0)),
        ((2, 3, 5), (3, 4, 1), 0),
    ):
        x = rng.integers(0, 6, shape).astype(dtype)
        for ours, theirs in ((SPREAD, spread), (SQUARES, squares), (cp.max, np.max)):
            kwargs = {"mode": mode, "cval": 3, "origin": origin}
            if len(shape) == 1:
                kwargs["origin"] = origin if isinstance(origin, int) else origin[0]
            expected = scipy.ndimage.generic_filter(x, theirs, window, **kwargs)
            found = ndimage.generic_filter(cp.array(x), ours, window, **kwargs)
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found.get(), expected, rtol=1e-6)


def reduction(*texts, **kw):
    return cp.ReductionKernel("X x", "Y y", *texts, **kw)


def root_mean_square(window):
    return np.sqrt((window * window).mean())


def above_the_first(window):
    return (window > window[0]).sum() + len(window) / 100


WINDOWED = (
    (
        reduction("x * x", "a + b", "y = sqrt(a / _in_ind.size())", "0"),
        root_mean_square,
    ),
    (
        reduction(
            "x > _raw_x[0]",
            "a + b",
            "y = a + _raw_x.size() / 100.0 // of one output",
            "0",
            reduce_type="int",
        ),
        above_the_first,
    ),
    (
        reduction(
            "x * _in_ind.get()[0] * (_in_ind.shape()[0] == _raw_x.shape()[0])",
            "a + b",
            "_raw_y[_out_ind.size() - 1] = a + (_raw_x.strides()[0] != sizeof(X))",
            "0",
        ),
        lambda window: (window * np.arange(len(window))).sum(),
    ),
    (
        cp.ReductionKernel(
            *("float64 seen", "float32 left"),
            *("larger(seen, -seen) + i", "larger(a, b)", "left = a - _raw_seen[_J0]"),
            None,
            preamble="#define _J0 0\n"
            "__device__ double larger(double a, double b) { return a > b ? a : b; }",
        ),
        lambda window: (abs(window) + np.arange(len(window))).max() - window[0],
    ),
)


@pytest.mark.parametrize("case", range(len(WINDOWED)))
def test_a_reduction_sees_its_window_alone(case):
    """Also of more windows than are reduced at a time."""
    ours, theirs = WINDOWED[case]
    rng = np.random.default_rng(11)
    for shape, size in (((6,), 3), ((5, 7), (2, 4)), ((2, 3, 4), (1, 3, 2))):
        for dtype in "df":
            x = rng.integers(-5, 6, shape).astype(dtype)
            expected = scipy.ndimage.generic_filter(x.astype("d"), theirs, size)
            found = ndimage.generic_filter(cp.array(x), ours, size)
            assert found.dtype == dtype
            np.testing.assert_allclose(found.get(), expected, rtol=1e-5)


def test_a_reduction_of_many_windows():
    x = np.random.default_rng(12).random((600, 500))
    for ours, theirs in WINDOWED[:1]:
        found = ndimage.generic_filter(cp.array(x), ours, 5)[290:310, 240:260].get()
        expected = scipy.ndimage.generic_filter(x[280:320, 230:270], theirs, 5)
        np.testing.assert_allclose(found, expected[10:30, 10:30], rtol=1e-12)


@pytest.mark.parametrize("dtype", "?bBhHiIlLefd")
def test_reductions_of_each_dtype(dtype):
    x = np.arange(6).astype(dtype)
    total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0")
    found = ndimage.generic_filter(cp.array(x), total, 3)
    assert found.dtype == dtype
    expected = scipy.ndimage.uniform_filter(x.astype("d"), 3) * 3
    np.testing.assert_allclose(found.get(), np.round(expected).astype(dtype))


@pytest.mark.parametrize("mode", MODES)
def test_lines(mode):
    x = np.random.default_rng(4).integers(0, 9, (4, 3, 7)).astype("f8")
    for axis, size, origin in ((0, 3, 0), (1, 4, 1), (-1, 12, -2)):
        args = (size, axis)
        kwargs = {"mode": mode, "cval": 2, "origin": origin}
        expected = scipy.ndimage.generic_filter1d(x, differences, *args, **kwargs)
        found = ndimage.generic_filter1d(cp.array(x), DIFFERENCES, *args, **kwargs)
        np.testing.assert_array_equal(found.get(), expected)


def test_footprints_axes_and_outputs():
    x = np.random.default_rng(5).integers(0, 9, (4, 5, 6)).astype("f8")
    g = cp.array(x)
    footprint = np.array([[1, 0, 1], [0, 1, 1]], bool)
    for axes in ((0, 2), (2, 1)):
        expected = scipy.ndimage.generic_filter(
            x, spread, footprint=footprint, axes=axes
        )
        found = ndimage.generic_filter(g, SPREAD, footprint=footprint, axes=axes)
        np.testing.assert_array_equal(found.get(), expected)
    expected = scipy.ndimage.generic_filter(x, spread, 3)
    found = ndimage.generic_filter(g, SPREAD, 3, output="f4")
    assert found.dtype == "f4"
    np.testing.assert_allclose(found.get(), expected, rtol=1e-6)
    assert ndimage.generic_filter(g, SPREAD, 3, output=g) is g
    np.testing.assert_array_equal(g.get(), expected)
    assert ndimage.generic_filter(cp.zeros((0, 3)), SPREAD, 3).shape == (0, 3)
    assert ndimage.generic_filter1d(cp.zeros((0, 3)), DIFFERENCES, 3).shape == (0, 3)


def test_more_windows_than_are_made_at_a_time(monkeypatch):
    import sys

    module = sys.modules["cupricx.scipy.ndimage._filters._generic_filters"]
    monkeypatch.setattr(module, "_MOST_ELEMENTS", 100)
    x = np.random.default_rng(6).random((9, 11))
    expected = scipy.ndimage.generic_filter(x, spread, 3)
    found = ndimage.generic_filter(cp.array(x), SPREAD, 3)
    np.testing.assert_array_equal(found.get(), expected)


def test_errors():
    x = cp.ones((4, 5))
    with pytest.raises(TypeError, match=r"RawKernel.*ReductionKernel"):
        ndimage.generic_filter(x, lambda window: window.sum(), 3)
    elementwise = cp.ElementwiseKernel("X x", "Y y", "y = x")
    with pytest.raises(TypeError, match="ReductionKernel"):
        ndimage.generic_filter(x, elementwise, 3)
    with pytest.raises(TypeError, match="RawKernel"):
        ndimage.generic_filter1d(x, SQUARES, 3)
    two = cp.ReductionKernel("X x, X z", "Y y", "x * z", "a + b", "y = a", "0", "two")
    raw = cp.ReductionKernel("raw X x", "X y", "x[i]", "a + b", "y = a", "0")
    with pytest.raises(TypeError, match="raw input, x"):
        ndimage.generic_filter(x, raw, 3)
    with pytest.raises(TypeError, match="one input and one output"):
        ndimage.generic_filter(x, two, 3)
    with pytest.raises(RuntimeError, match="no footprint or filter size"):
        ndimage.generic_filter(x, SPREAD)
    with pytest.raises(RuntimeError, match="filter size"):
        ndimage.generic_filter1d(x, DIFFERENCES, 0)
    with pytest.raises(ValueError, match="origin"):
        ndimage.generic_filter(x, SPREAD, 3, origin=2)
    with pytest.raises(TypeError, match="Complex"):
        ndimage.generic_filter(x + 1j, SPREAD, 3)
