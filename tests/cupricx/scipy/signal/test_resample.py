"""Signals at another rate, against scipy.signal."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error, numbers

import cupric as cp
from cupricx.scipy import signal
from cupricx.scipy.signal._upfirdn import MODES

theirs = pytest.importorskip("scipy.signal")


def both(name):
    return getattr(theirs, name), getattr(signal, name)


# ---- resample ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "?bilefdFD")
@pytest.mark.parametrize("n", [1, 2, 5, 12, 13])
def test_numbers_of_samples(dtype, n):
    x = numbers((3, n), dtype)
    for num in (1, 2, 3, n, 7, 8, 2 * n, 2 * n + 1):
        check(*both("resample"), x, num, axis=1)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("n", [5, 12, 13])
def test_windows(dtype, n):
    x = numbers((3, n), dtype)
    windows = "hann", ("kaiser", 3.0), np.arange(n) + 0.5, lambda f: 1 + f
    for window in windows:
        for num in (4, 7, n, 2 * n):
            check(*both("resample"), x, num, axis=1, window=window, bound=1e-5)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("n", [5, 12])
def test_spectra(dtype, n):
    x = numbers((3, n), dtype)
    for num in (4, 5, n, 2 * n + 1):
        check(*both("resample"), x, num, axis=1, domain="freq")


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_resample_axes(axis):
    x = numbers((4, 5, 6))
    for y in (x, x.transpose(2, 0, 1), x[::-1, ::2, ::-1]):
        check(*both("resample"), y, 7, axis=axis)


def test_times():
    check(*both("resample"), numbers(12), 9, np.arange(12) * 0.5 + 1)
    check(*both("resample"), numbers(12, "F"), 9, np.arange(12, dtype="f") * 0.5)


def test_resample_errors():
    x = numbers(12)
    resample = both("resample")
    check_error(*resample, x, -1)
    check_error(*resample, x[:0], 4, match="invalid number of data points")
    check_error(*resample, x, 4, domain="x")
    check_error(*resample, x, 4.0)
    check_error(*resample, x, 4, window=np.ones(3), match=r"window.shape=\(3,\)")
    with pytest.raises(ValueError, match=r"0 samples of x of shape \(12,\)"):
        signal.resample(cp.array(x), 0)


# ---- resample_poly -------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "bilefdFD")
@pytest.mark.parametrize(
    ("up", "down"), [(3, 2), (2, 3), (1, 4), (5, 1), (2, 2), (160, 147)]
)
def test_ratios(dtype, up, down):
    bound = {"e": 3e-3, "f": 1e-5, "F": 1e-5, "b": 1e-5}.get(dtype)
    for n in (1, 5, 12, 500):
        check(*both("resample_poly"), numbers((2, n), dtype), up, down, 1, bound=bound)


@pytest.mark.parametrize(
    "padtype",
    ["mean", "median", "minimum", "maximum", *MODES],
)
def test_padtypes(padtype):
    for n in (2, 12, 500):
        for up, down in ((3, 2), (2, 3)):
            x = numbers((2, n)) + 5
            check(*both("resample_poly"), x, up, down, 1, padtype=padtype, bound=1e-11)
    x = numbers((3, 40), "f")
    check(*both("resample_poly"), x, 5, 4, axis=0, padtype=padtype, bound=1e-5)


def test_complex_background():
    x = numbers((2, 30), "D") + 5
    check(*both("resample_poly"), x, 3, 2, axis=1, padtype="mean")


@pytest.mark.parametrize(
    "window",
    [
        "hamming",
        "hann",
        ("kaiser", 8.0),
        [1.0, 2, 1],
        [1, 2, 1, 5],
        np.ones(5),
        np.ones(4, "f"),
        np.array([1, 2j]),
    ],
)
def test_filters(window):
    for dtype in "fdD":
        x = numbers(30, dtype)
        check(*both("resample_poly"), x, 3, 2, window=window, bound=1e-5)


def test_window_of_a_list():
    """SciPy's resample_poly refuses it."""
    window = ("general_cosine", [0.54, 0.46])
    made = signal.resample_poly(cp.array(numbers(30)), 3, 2, window=window)
    expected = theirs.resample_poly(numbers(30), 3, 2, window="hamming")
    np.testing.assert_allclose(made.get(), expected, atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_resample_poly_axes(axis):
    x = numbers((4, 5, 6))
    for y in (x, x.transpose(2, 0, 1), x[::-1, ::2, ::-1]):
        check(*both("resample_poly"), y, 3, 2, axis=axis)
    check(*both("resample_poly"), numbers((3, 0, 4)), 3, 2, axis=axis)


def test_constant():
    check(*both("resample_poly"), numbers(30), 3, 2, cval=4.5)


@pytest.mark.parametrize("dtype", "fd")
def test_long(dtype):
    x = numbers(1_000_000, dtype)
    check(*both("resample_poly"), x, 3, 2, bound=1e-5)
    check(*both("resample_poly"), x, 1, 10, bound=1e-5)


def test_copies():
    x = cp.array(numbers(30))
    made = signal.resample_poly(x, 4, 4)
    made[...] = 0
    assert x.any()


def test_resample_poly_errors():
    x = numbers(30)
    poly = both("resample_poly")
    check_error(*poly, x, 0, 2)
    check_error(*poly, x, 1.5, 2, match="up must be an integer")
    check_error(*poly, x, 3, 2, window=[[1.0]], match=r"\(1, 1\)")
    check_error(*poly, x, 3, 2, padtype="x", match="padtype must be one of")
    check_error(*poly, x, 3, 2, padtype="mean", cval=1.0)
    check_error(*poly, x, 3, 2, axis=4)


# ---- decimate ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "ilefdFD")
@pytest.mark.parametrize("ftype", ["iir", "fir"])
@pytest.mark.parametrize("zero_phase", [True, False])
def test_decimate(dtype, ftype, zero_phase):
    x = numbers((2, 200), dtype)
    bound = {"f": 1e-4, "F": 1e-4, "e": 1e-3}.get(dtype, 1e-9)
    for q in (1, 2, 3, 10)[ftype == "fir" :]:
        kwargs = {"ftype": ftype, "zero_phase": zero_phase, "bound": bound}
        check(*both("decimate"), x, q, **kwargs)
    check(*both("decimate"), x, 3, 5, **kwargs)


def test_decimate_systems():
    x = numbers((2, 200))
    for system in (([1.0, 2], [1, 0.5]), ([1.0], [0.2], 0.3), ([1.0, 2, 3], [1.0])):
        for zero_phase in (True, False):
            expected = theirs.decimate(
                x, 3, ftype=theirs.dlti(*system), zero_phase=zero_phase
            )
            made = signal.decimate(
                cp.array(x), 3, ftype=signal.dlti(*system), zero_phase=zero_phase
            )
            np.testing.assert_allclose(made.get(), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_decimate_axes(axis):
    x = numbers((100, 90))
    for ftype in ("iir", "fir"):
        made = check(*both("decimate"), x, 4, axis=axis, ftype=ftype, bound=1e-9)
        assert made.flags.c_contiguous


def test_decimate_errors():
    x = numbers(100)
    decimate = both("decimate")
    check_error(*decimate, x, 2.5)
    check_error(*decimate, x, 2, n=3.0)
    check_error(*decimate, x, 0)
    check_error(*decimate, x, 2, ftype="x", match="invalid ftype")
    check_error(*decimate, x[:12], 3, match="12")
    check_error(*decimate, x, 2, axis=1)
    check_error(*decimate, x, 1, ftype="fir", match="Invalid cutoff frequency")
