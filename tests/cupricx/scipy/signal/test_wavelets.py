"""Wavelets, against their formulas: SciPy has them no longer."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import numbers

import cupric as cp
from cupricx.scipy import signal


def ricker(points, a):
    t = np.arange(points) - (points - 1) / 2
    scale = 2 / (np.sqrt(3 * a) * np.pi**0.25)
    return scale * (1 - (t / a) ** 2) * np.exp(-((t / a) ** 2) / 2)


def morlet(m, w=5.0, s=1.0, complete=True):
    t = np.linspace(-2 * np.pi * s, 2 * np.pi * s, m)
    carrier = np.exp(1j * w * t) - (np.exp(-0.5 * w**2) if complete else 0)
    return carrier * np.exp(-0.5 * t**2) * np.pi**-0.25


def morlet2(m, s, w=5):
    t = (np.arange(m) - (m - 1) / 2) / s
    return np.exp(1j * w * t) * np.exp(-0.5 * t**2) * np.pi**-0.25 / np.sqrt(s)


def transform(x, wavelet, widths):
    rows = [wavelet(min(int(10 * w), len(x)), w)[::-1].conj() for w in widths]
    return np.array([np.convolve(x, row, "same") for row in rows])


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40, 41, 3000])
def test_wavelets(n):
    for made, expected in (
        (signal.ricker(n, 2.5), ricker(n, 2.5)),
        (signal.morlet2(n, 2.5), morlet2(n, 2.5)),
        (signal.morlet2(n, 2.5, 4), morlet2(n, 2.5, 4)),
        (signal.morlet(n), morlet(n)),
        (signal.morlet(n, 1, 0.5), morlet(n, 1, 0.5)),
        (signal.morlet(n, 1, 0.5, False), morlet(n, 1, 0.5, False)),
    ):
        assert made.dtype == expected.dtype
        np.testing.assert_allclose(made.get(), expected, atol=1e-14)


@pytest.mark.parametrize("n", [5, 100, 101, 5000])
@pytest.mark.parametrize("dtype", "lfdFD")
@pytest.mark.parametrize("widths", [[1], [1, 2, 3.5, 20], [0.3, 7], range(1, 9)])
def test_transforms(n, dtype, widths):
    x = numbers(n, dtype)
    for ours, theirs in ((signal.ricker, ricker), (signal.morlet2, morlet2)):
        expected = transform(x, theirs, widths)
        if theirs is ricker:
            expected = expected.real
        for wavelet in (ours, lambda points, s, f=ours: f(points, s)):
            made = signal.cwt(cp.array(x), wavelet, widths)
            assert made.dtype == (float if theirs is ricker else complex)
            assert made.flags.c_contiguous
            np.testing.assert_allclose(made.get(), expected, atol=1e-10)


def test_device_widths():
    x = cp.array(numbers(50))
    widths = np.array([1.0, 3])
    made = signal.cwt(x, signal.ricker, cp.array(widths))
    assert cp.array_equal(made, signal.cwt(x, signal.ricker, widths))


def test_qmf():
    assert signal.qmf(cp.array([1, 2, 3])).tolist() == [3, -2, 1]
    assert signal.qmf(cp.array([1.5, 2])).tolist() == [2, -1.5]
    assert signal.qmf(cp.array([1j])).tolist() == [1j]


def test_errors():
    x = cp.array(numbers((3, 4)))
    with pytest.raises(ValueError, match=r"\(3, 4\)"):
        signal.cwt(x, signal.ricker, [1])
    with pytest.raises(ValueError, match=r"\(0,\)"):
        signal.cwt(x[0, :0], signal.ricker, [1])
    with pytest.raises(IndexError, match="widths"):
        signal.cwt(x[0], signal.ricker, [])
    with pytest.raises(ValueError, match=r"\(3, 4\)"):
        signal.qmf(x)
    with pytest.raises(ValueError, match="-1"):
        signal.ricker(-1, 2.0)
