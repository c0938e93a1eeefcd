"""FIR filters, Volterra filters and shifts, against their formulas and SciPy."""

import itertools

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import agree, numbers

import cupric as cp
from cupricx import signal

theirs = pytest.importorskip("scipy.signal")


@pytest.mark.parametrize("dtype", "fdFD")
def test_firfilter(dtype):
    b = numbers(7, dtype, 1)
    for axis in (0, 1):
        x = numbers((40, 30), dtype)
        made = signal.firfilter(cp.array(b), cp.array(x), axis)
        agree(made, theirs.lfilter(b, [1.0], x, axis).astype(made.dtype), 1e-5)
        zi = numbers((6, 30) if axis == 0 else (40, 6), dtype, 2)
        made, zf = signal.firfilter(cp.array(b), cp.array(x), axis, cp.array(zi))
        expected, last = theirs.lfilter(b, [1.0], x, axis, zi)
        agree(made, expected.astype(made.dtype), 1e-5)
        agree(zf, last.astype(zf.dtype), 1e-5)


def test_firfilter_zi():
    b = numbers(7)
    made = signal.firfilter_zi(cp.array(b))
    agree(made, theirs.lfilter_zi(b, [1.0]))
    x = cp.full(30, 2.5)
    y, _ = signal.firfilter(cp.array(b), x, zi=made * 2.5)
    np.testing.assert_allclose(y.get(), 2.5 * b.sum())


@pytest.mark.parametrize("axis", [0, 1])
def test_firfilter2(axis):
    b = numbers(7)
    x = numbers((40, 30))
    for options in ({}, {"padtype": None}, {"padtype": "even", "padlen": 9}):
        made = signal.firfilter2(cp.array(b), cp.array(x), axis, **options)
        agree(made, theirs.filtfilt(b, [1.0], x, axis, **options), 1e-11)


def volterra(x, k):
    """The sum over all products."""
    n = len(x) - max(k.shape) + 1
    y = np.zeros(n, np.result_type(x, k))
    for at in itertools.product(*map(range, k.shape)):
        factors = [
            x[m - 1 - i : m - 1 - i + n] for i, m in zip(at, k.shape, strict=True)
        ]
        y += k[at] * np.prod(factors, axis=0)
    return y


@pytest.mark.parametrize("dtype", "ilfdFD")
def test_volterra(dtype):
    x = numbers(60, dtype)
    bound = 1e-4 if dtype in "fF" else 1e-11
    for shape in ((3, 3), (2, 4), (5, 1), (1, 1)):
        k = numbers(shape, dtype, 1)
        made = signal.convolve1d2o(cp.array(x), cp.array(k))
        agree(made, volterra(x, k).astype(made.dtype), bound)
    for shape in ((3, 3, 3), (2, 4, 1), (1, 1, 1)):
        k = numbers(shape, dtype, 1)
        made = signal.convolve1d3o(cp.array(x), cp.array(k))
        agree(made, volterra(x, k).astype(made.dtype), bound)


@pytest.mark.parametrize("n", [3, 20])
def test_volterra_modes(n):
    x, k = numbers(n), numbers((5, 5), "d", 1)
    padded = np.pad(x, 4)
    whole = volterra(padded, k)
    ours = cp.array(x), cp.array(k)
    agree(signal.convolve1d2o(*ours, "full"), whole, 1e-11)
    agree(signal.convolve1d2o(*ours, "same"), whole[2 : 2 + n], 1e-11)


def test_volterra_errors():
    x, k = cp.array(numbers(3)), cp.array(numbers((5, 5)))
    with pytest.raises(ValueError, match=r"\(3,\) and \(5, 5\)"):
        signal.convolve1d2o(x, k)
    with pytest.raises(ValueError, match=r"\(3,\) and \(5, 5\)"):
        signal.convolve1d3o(x, k)
    with pytest.raises(ValueError, match="mode"):
        signal.convolve1d2o(x, k, "x")
    with pytest.raises(NotImplementedError, match="fft"):
        signal.convolve1d2o(x, k, method="fft")


@pytest.mark.parametrize("dtype", "ilfdFD")
def test_shifts(dtype):
    x = numbers(1000, dtype)
    n = np.arange(1000)
    for freq in (5, -5, 0, 170, 1e6):
        made = signal.freq_shift(cp.array(x), freq, 17.0)
        angle = np.remainder(freq % 17 * n, 17.0) / 17
        agree(made, (x * np.exp(-2j * np.pi * angle)).astype(complex), 1e-11)


def test_shift_of_a_long_signal():
    x = cp.ones(10_000_000)
    made = signal.freq_shift(x, 0.1, 1.0)[-10:]
    expected = np.exp(-2j * np.pi * (np.arange(9_999_990, 10_000_000) % 10) / 10)
    np.testing.assert_allclose(made.get(), expected, atol=5e-9)
