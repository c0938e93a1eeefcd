"""Radar against NumPy."""

import numpy as np
import pytest

import cupric as cp
from cupricx import signal

windows = pytest.importorskip("scipy.signal.windows")


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * 3
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def close(actual, expected, bound=1e-11):
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == expected.shape
    scale = max(np.abs(expected).max(initial=0), 1)
    np.testing.assert_allclose(actual.get(), expected, rtol=0, atol=bound * scale)


def gauss(frequencies):
    return cp.exp(-frequencies * frequencies)


WINDOWS = [
    (None, lambda n: np.ones(n)),
    ("hamming", np.hamming),
    (("kaiser", 4.0), lambda n: np.kaiser(n, 4)),
    (gauss, lambda n: np.exp(-(np.fft.fftfreq(n) ** 2))),
]


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i"])
@pytest.mark.parametrize("nfft", [None, 20, 50])
@pytest.mark.parametrize("normalize", [False, True])
def test_compression(dtype, nfft, normalize):
    x, template = numbers((4, 30), dtype), numbers(7, dtype, 1)
    for window, values in [*WINDOWS, (np.hanning(7), np.hanning)]:
        scaled = template * values(7)
        if normalize:
            scaled = scaled / np.linalg.norm(scaled)
        z = np.fft.fft(x, nfft) * np.fft.fft(scaled, nfft or 30).conj()
        for w in (
            (window, cp.asarray(window))
            if isinstance(window, np.ndarray)
            else (window,)
        ):
            made = signal.pulse_compression(
                cp.asarray(x), cp.asarray(template), normalize, w, nfft
            )
            close(made, np.fft.ifft(z), 1e-5 if dtype in "fF" else 1e-11)
        if window is None:
            assert made.dtype == ("F" if dtype in "fF" else "D")


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i"])
@pytest.mark.parametrize("nfft", [None, 5, 20])
def test_doppler(dtype, nfft):
    x = numbers((9, 13), dtype)
    for window, values in [*WINDOWS, (np.hanning(9), np.hanning)]:
        expected = np.fft.fft(x * values(9)[:, None], nfft, axis=0)
        made = signal.pulse_doppler(cp.asarray(x), window, nfft)
        close(made, expected, 1e-5 if dtype in "fF" else 1e-11)


def test_errors_of_pulses():
    x = cp.zeros((3, 8))
    for window in (np.ones(4), cp.ones((3, 3)), "none"):
        with pytest.raises(ValueError):
            signal.pulse_doppler(x, window)
        with pytest.raises(ValueError):
            signal.pulse_compression(x, cp.ones(5), window=window)
    with pytest.raises(ValueError, match=r"\(8,\)"):
        signal.pulse_doppler(x[0])
    with pytest.raises(ValueError, match=r"\(8,\)"):
        signal.pulse_compression(x[0], cp.ones(3))
    with pytest.raises(ValueError, match=r"\(3, 8\)"):
        signal.pulse_compression(x, x)


def test_alpha():
    pfa = np.linspace(0.01, 0.9, 12)
    close(signal.cfar_alpha(cp.asarray(pfa), 128), 128 * (pfa ** (-1 / 128) - 1))
    assert signal.cfar_alpha(1e-3, 10) == 10 * (1e-3**-0.1 - 1)


def thresholds(x, guard, reference, pfa):
    """By sums over each neighbourhood."""
    result = np.zeros(x.shape)
    inner = [2 * g + 1 for g in guard]
    outer = [2 * (g + r) + 1 for g, r in zip(guard, reference, strict=True)]
    count = np.prod(outer) - np.prod(inner)
    alpha = count * (pfa ** (-1 / count) - 1)
    for at in np.ndindex(*[n - o + 1 for n, o in zip(x.shape, outer, strict=True)]):
        block = x[tuple(slice(i, i + o) for i, o in zip(at, outer, strict=True))]
        middle = block[
            tuple(slice(r, r + i) for r, i in zip(reference, inner, strict=True))
        ]
        centre = tuple(i + g + r for i, g, r in zip(at, guard, reference, strict=True))
        result[centre] = alpha / count * (block.sum() - middle.sum())
    return result


@pytest.mark.parametrize("dtype", ["b", "i", "e", "f", "d"])
def test_detector_of_rows(dtype):
    x = abs(numbers(60, "d") * 9).astype(dtype)
    for guard, reference in ((0, 1), (1, 1), (2, 5), (10, 19), (0, 29)):
        expected = thresholds(x.astype("d"), (guard,), (reference,), 0.01)
        made, found = signal.ca_cfar(cp.asarray(x), guard, reference, 0.01)
        single = dtype in "bef"
        assert made.dtype == ("f" if single else "d")
        close(made, expected, 1e-6 if single else 1e-12)
        assert found.dtype == bool
        np.testing.assert_array_equal(found.get(), x > made.get())


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_detector_of_images(dtype):
    x = abs(numbers((25, 31), dtype))
    for guard, reference in (((0, 0), (1, 1)), ((1, 2), (3, 4)), ((2, 0), (0, 3))):
        expected = thresholds(x.astype("d"), guard, reference, 0.001)
        for view in (cp.asarray(x), cp.asfortranarray(cp.asarray(x))):
            made, found = signal.ca_cfar(view, guard, reference)
            close(made, expected, 1e-5 if dtype == "f" else 1e-12)
            np.testing.assert_array_equal(found.get(), x > made.get())


@pytest.mark.parametrize(
    ("shape", "guard", "reference", "error"),
    [
        ((3, 3, 3), 1, 1, TypeError),
        ((9, 9), 1, 1, TypeError),
        ((9, 9), (1,), (1, 1), TypeError),
        ((6,), 1, 2, ValueError),
        ((9, 6), (1, 1), (1, 2), ValueError),
        ((6, 9), (1, 1), (2, 1), ValueError),
        ((9,), 1, 0, ValueError),
        ((9,), -1, 2, ValueError),
    ],
)
def test_errors_of_detectors(shape, guard, reference, error):
    with pytest.raises(error):
        signal.ca_cfar(cp.ones(shape), guard, reference)


def test_detector_of_complex_numbers():
    with pytest.raises(TypeError, match="complex"):
        signal.ca_cfar(cp.ones(9, "F"), 1, 1)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_mvdr(dtype):
    x, sv = numbers((4, 50), dtype), numbers(4, dtype, 1)
    covariance = np.cov(x)
    for data, calc in ((x, True), (covariance.astype(dtype), False)):
        w = np.linalg.inv(covariance) @ sv
        expected = w / (sv.conj() @ w)
        made = signal.mvdr(cp.asarray(data), cp.asarray(sv), calc)
        assert made.dtype == dtype
        close(made, expected, 1e-4 if dtype in "fF" else 1e-11)
        column = signal.mvdr(cp.asarray(data), cp.asarray(sv)[:, None], calc)
        close(column, expected[:, None], 1e-4 if dtype in "fF" else 1e-11)


def test_errors_of_mvdr():
    with pytest.raises(ValueError, match="more sensors"):
        signal.mvdr(cp.ones((4, 3)), cp.ones(4))
    with pytest.raises(ValueError, match="align"):
        signal.mvdr(cp.ones((3, 4)), cp.ones(4))
    with pytest.raises(ValueError, match="two axes"):
        signal.mvdr(cp.ones(4), cp.ones(4))
