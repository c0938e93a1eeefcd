"""Signals of overlapping segments against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

from .test_spectral import LAYOUTS, agree, numbers

theirs = pytest.importorskip("scipy.signal")


# ---- inverse -------------------------------------------------------------------------


@pytest.mark.parametrize("options", LAYOUTS, ids=lambda o: str(o)[:40])
@pytest.mark.parametrize("scaling", ["spectrum", "psd"])
def test_round_trips(options, scaling):
    x = numbers((2, 101))
    options = {"scaling": scaling, **options}
    nperseg = options.get("nperseg")
    if nperseg is None or nperseg > 101:
        options["nperseg"] = len(options["window"]) if "window" in options else 101
    z = theirs.stft(x, **options)[2]
    agree("istft", z, **options, bound=1e-9)
    z = theirs.stft(x, boundary=None, **options)[2]
    agree("istft", z, boundary=False, **options, bound=1e-6)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_inverse_dtypes(dtype):
    z = numbers((3, 9, 7), dtype)
    agree("istft", z)
    agree("istft", z, input_onesided=False)
    agree("istft", z, nperseg=17)
    agree("istft", z, nperseg=12, noverlap=8)
    agree("istft", z, nperseg=12, nfft=20)


@pytest.mark.parametrize("time_axis", range(-3, 3))
@pytest.mark.parametrize("freq_axis", range(-3, 3))
def test_inverse_axes(time_axis, freq_axis):
    z = numbers((9, 8, 10), "D")
    agree("istft", z, nperseg=12, time_axis=time_axis, freq_axis=freq_axis)


@pytest.mark.parametrize(
    "options",
    [
        {"nperseg": 0},
        {"nperseg": 8, "noverlap": 8},
        {"nperseg": 8, "nfft": 7},
        {"window": np.ones((2, 2))},
        {"window": np.ones(5)},
        {"scaling": "density"},
        {"time_axis": -2},
    ],
    ids=str,
)
def test_inverse_errors(options):
    agree("istft", numbers((9, 8), "D"), **options)


def test_inverse_of_one_axis():
    agree("istft", numbers(9, "D"))


def test_warning_of_gaps():
    z = numbers((9, 8), "D")
    for boundary in (True, False):
        agree("istft", z, noverlap=0, boundary=boundary)
        agree("istft", z, window="boxcar", noverlap=0, boundary=boundary)
        agree("istft", z, window="boxcar", noverlap=-3, boundary=boundary)
        agree("istft", z, noverlap=4, boundary=boundary)
    agree("istft", z[:, :1], noverlap=4)
    agree("istft", z[:, :2], noverlap=4, boundary=False)


# ---- conditions ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["check_COLA", "check_NOLA"])
def test_conditions(name):
    check, other = getattr(ours, name), getattr(theirs, name)
    for window in ("hann", "boxcar", ("kaiser", 4), ("tukey", 0.5), "bartlett"):
        for n in (1, 12, 13, 120):
            for noverlap in (0, n // 4, n // 3, n // 2, n - 1):
                result = check(window, n, noverlap)
                assert isinstance(result, bool)
                assert result == other(window, n, noverlap)
    values = np.hanning(12)
    for convert in (cp.asarray, list, np.asarray):
        assert check(convert(values), 12, 3) == other(values, 12, 3)
    for args in (
        ("hann", 0, 0),
        ("hann", 8, 8),
        (values, 11, 3),
        (values.reshape(3, 4), 12, 3),
        ("none", 8, 3),
    ):
        with pytest.raises(ValueError):
            other(*args)
        with pytest.raises(ValueError):
            check(*args)
    with pytest.raises(ValueError, match="nonnegative"):
        ours.check_NOLA("hann", 8, -1)
