"""Cepstra against NumPy's transforms."""

import numpy as np
import pytest

import cupric as cp
from cupricx import signal

DTYPES = ["b", "i", "e", "f", "d"]


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(shape) * 9).astype(dtype)


def close(actual, expected, dtype="d"):
    single = dtype in "bef"
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == expected.shape
    assert actual.dtype == ("f" if single else "d")
    bound = 3e-3 if single else 1e-9
    np.testing.assert_allclose(actual.get(), expected, rtol=bound, atol=bound)


def wide(x):
    return x.astype("f" if x.dtype.char in "bef" else "d").astype("d")


def real_cepstrum(x, n=None, axis=-1):
    z = np.fft.fft(wide(x), n, axis)
    return np.fft.ifft(np.log(abs(z)), axis=axis).real


def complex_cepstrum(x, n=None):
    """Of the last axis."""
    z = np.fft.fft(wide(x), n)
    phase = np.unwrap(np.angle(z))
    n = phase.shape[-1]
    middle = (n + 1) // 2 if n > 1 else 0
    delays = np.round(phase[..., middle] / np.pi)
    if n > 1:
        phase = phase - np.pi * delays[..., None] * np.arange(n) / middle
    return np.fft.ifft(np.log(abs(z)) + 1j * phase).real, delays


def minimum_phase(x, n=None):
    ceps = real_cepstrum(x, n)
    n = ceps.shape[-1]
    fold = np.zeros(n)
    fold[0] = 1
    fold[1 : (n + 1) // 2] = 2
    if n % 2 == 0:
        fold[n // 2] = 1
    return np.fft.ifft(np.exp(np.fft.fft(fold * ceps))).real


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(30,), (31,), (3, 16), (2, 3, 9)])
@pytest.mark.parametrize("n", [None, 1, 2, 7, 16, 40])
def test_lengths(dtype, shape, n):
    x = numbers(shape, dtype) + np.array(20, dtype)
    x = x.astype(dtype)
    close(signal.real_cepstrum(cp.asarray(x), n), real_cepstrum(x, n), dtype)
    close(signal.minimum_phase(cp.asarray(x), n), minimum_phase(x, n), dtype)
    ceps, delays = signal.complex_cepstrum(cp.asarray(x), n)
    expected, turns = complex_cepstrum(x, n)
    if dtype in "di":  # phases of float32 may be unwrapped to another turn
        close(ceps, expected, dtype)
        assert delays.shape == turns.shape
        np.testing.assert_array_equal(delays.get(), turns)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_axes(axis):
    x = numbers((8, 9, 10))
    a = cp.asarray(x)
    close(signal.real_cepstrum(a, axis=axis), real_cepstrum(x, axis=axis))
    close(signal.real_cepstrum(a, 12, axis), real_cepstrum(x, 12, axis))
    ceps, delays = signal.complex_cepstrum(a, axis=axis)
    expected, turns = complex_cepstrum(np.moveaxis(x, axis, -1))
    close(ceps, np.moveaxis(expected, -1, axis))
    np.testing.assert_array_equal(delays.get(), turns)


def test_layouts():
    x = cp.asarray(numbers((20, 30)))
    for view in (x.T, x[::-1, ::2], x[:, ::-1], cp.asfortranarray(x)):
        close(signal.real_cepstrum(view), real_cepstrum(view.get()))
        close(signal.complex_cepstrum(view)[0], complex_cepstrum(view.get())[0])
        close(signal.minimum_phase(view), minimum_phase(view.get()))


@pytest.mark.parametrize("shape", [(16,), (1,), (3, 16), (2, 3, 18)])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_inverse(shape, dtype):
    """Of an even length, for which the delay keeps the spectrum that of real numbers;
    and of a signal whose spectrum is nowhere about 0."""
    x = numbers(shape)
    x[..., 0] += 100
    x = np.roll(x, 3, axis=-1).astype(dtype)
    ceps, delays = signal.complex_cepstrum(cp.asarray(x))
    back = signal.inverse_complex_cepstrum(ceps, delays)
    assert back.dtype == dtype
    np.testing.assert_allclose(back.get(), x, atol=1e-2 if dtype == "f" else 1e-9)
    full = cp.broadcast_to(delays.reshape(*delays.shape, 1), shape)
    again = signal.inverse_complex_cepstrum(ceps, full)
    np.testing.assert_array_equal(again.get(), back.get())
    if len(shape) == 1:
        again = signal.inverse_complex_cepstrum(ceps, int(delays))
        np.testing.assert_array_equal(again.get(), back.get())


def test_complex_signals():
    x = numbers(20) + 1j * numbers(20, seed=1)
    expected = np.fft.ifft(np.log(abs(np.fft.fft(x)))).real
    close(signal.real_cepstrum(cp.asarray(x)), expected)


def test_minimum_phase_has_all_zeros_inside():
    x = np.poly([0.5, 3, -2.5])
    made = signal.minimum_phase(cp.asarray(x), 512).get()
    np.testing.assert_allclose(
        abs(np.fft.fft(made)), abs(np.fft.fft(x, 512)), rtol=1e-6
    )
    assert (abs(np.roots(made[:4])) < 1).all()
    assert abs(made[4:]).max() < 1e-6


def test_errors():
    for name in ("real_cepstrum", "complex_cepstrum", "minimum_phase"):
        function = getattr(signal, name)
        with pytest.raises(ValueError, match=r"\(3, 0\)"):
            function(cp.zeros((3, 0)))
        with pytest.raises(ValueError, match="0"):
            function(cp.zeros(3), 0)
        with pytest.raises(TypeError, match="Unsupported type"):
            function(np.zeros(3))
    with pytest.raises(np.exceptions.AxisError):
        signal.real_cepstrum(cp.zeros(3), axis=1)
    with pytest.raises(ValueError, match=r"\(2,\)"):
        signal.inverse_complex_cepstrum(cp.ones((3, 4)), cp.ones(2))


@pytest.mark.parametrize("n", [15, 16])
def test_inverse_by_definition(n):
    ceps = numbers((2, n)) / 20
    delays = np.array([3, -2])
    z = np.fft.fft(ceps)
    phase = z.imag + np.pi * delays[:, None] * np.arange(n) / ((n + 1) // 2)
    expected = np.fft.ifft(np.exp(z.real + 1j * phase)).real
    made = signal.inverse_complex_cepstrum(cp.asarray(ceps), cp.asarray(delays))
    close(made, expected)


def test_bfloat16():
    """Is computed in float32."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = cp.asarray(numbers(30) + 20).astype(ml_dtypes.bfloat16)
    single = x.astype("f")
    for function in (signal.real_cepstrum, signal.minimum_phase):
        made = function(x)
        assert made.dtype == "f"
        np.testing.assert_array_equal(made.get(), function(single).get())
    made, expected = (signal.ca_cfar(a, 1, 3)[0].get() for a in (x, single))
    np.testing.assert_array_equal(made, expected)
