"""Spectra against scipy.signal."""

import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours
from cupricx.scipy.signal import _segments

theirs = pytest.importorskip("scipy.signal")

DTYPES = ["?", "b", "H", "i", "L", "e", "f", "d", "F", "D"]


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * 3
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    if np.dtype(dtype).kind in "uH?":
        x = abs(x)
    return x.astype(dtype)


def moved(value):
    """NumPy's arrays on the device, in arguments."""
    if isinstance(value, np.ndarray):
        base = value if value.base is None else None
        return cp.asarray(value) if base is not None else cp.array(value)
    return value


def outcome(function, args, kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*args, **kwargs)
        except (ValueError, TypeError, IndexError) as error:
            return error, []
    categories = [w.category for w in caught if w.category is UserWarning]
    return result if isinstance(result, tuple) else (result,), categories


def agree(name, *args, bound=None, of_device=True, **kwargs):
    expected, warned = outcome(getattr(theirs, name), args, kwargs)
    actual, told = outcome(
        getattr(ours, name),
        [moved(v) for v in args],
        {k: moved(v) for k, v in kwargs.items()},
    )
    if isinstance(expected, Exception):
        assert isinstance(actual, Exception), (expected, actual)
        assert issubclass(type(actual), ValueError | TypeError), (expected, actual)
        return
    if isinstance(actual, Exception):
        raise actual
    assert bool(told) == bool(warned), (told, warned)
    for e, a in zip(expected, actual, strict=True):
        e = np.asarray(e)
        assert a.shape == e.shape
        assert a.dtype == e.dtype
        limit = bound or (2e-5 if e.dtype.char in "fF" else 1e-11)
        scale = np.abs(e[np.isfinite(e)]).max(initial=0)
        np.testing.assert_allclose(a.get(), e, rtol=0, atol=limit * scale)


# ---- short-time transforms -----------------------------------------------------------

LAYOUTS = [
    {},
    {"nperseg": 30},
    {"nperseg": 31},
    {"nperseg": 30, "noverlap": 20},
    {"nperseg": 30, "noverlap": 0},
    {"nperseg": 30, "noverlap": 29},
    {"nperseg": 30, "noverlap": -5},
    {"nperseg": 30, "nfft": 33},
    {"nperseg": 31, "nfft": 64, "noverlap": 8},
    {"nperseg": 1, "noverlap": 0},
    {"nperseg": 2},
    {"nperseg": 100},
    {"nperseg": 101},
    {"nperseg": 300},
    {"window": ("kaiser", 4), "nperseg": 20},
    {"window": "boxcar", "nperseg": 20},
    {"window": np.hanning(24)},
    {"window": list(np.hanning(24))},
    {"fs": 100.0, "nperseg": 30},
]


@pytest.mark.parametrize("options", LAYOUTS, ids=lambda o: str(o)[:40])
def test_segments(options):
    x = numbers(101)
    if options.get("nperseg") not in (1, 100, 101, 300):
        for boundary in ("zeros", "even", "odd", "constant", None):
            agree("stft", x, boundary=boundary, **options)
            agree("stft", x, boundary=boundary, padded=False, **options)
    agree("stft", x, **options)
    agree("spectrogram", x, **options)
    agree("welch", x, **options)
    agree("csd", x, numbers(101, seed=1), **options)
    if str(options.get("window")) != "boxcar":  # for which it is noise by noise at 0
        agree("coherence", x, numbers(101, seed=1), **options, bound=1e-9)


def test_windows_of_float32():
    """Which SciPy sums up in float32."""
    w = np.hanning(24).astype("f")
    for dtype in "fd":
        x = numbers(90, dtype)
        for name in ("stft", "spectrogram", "welch"):
            agree(name, x, window=w, bound=1e-6)
        agree("istft", theirs.stft(x, window=w, nperseg=24)[2], window=w, bound=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    # SciPy takes the mean of float16 in float16.
    bound = 1e-2 if dtype == "e" else None
    x = numbers((2, 90), dtype)
    y = numbers((2, 90), dtype, 1)
    for onesided in (True, False):
        agree("stft", x, nperseg=20, return_onesided=onesided, bound=bound)
        agree("spectrogram", x, nperseg=20, return_onesided=onesided, bound=bound)
        agree("welch", x, nperseg=20, return_onesided=onesided, bound=bound)
        agree("csd", x, y, nperseg=20, return_onesided=onesided, bound=bound)
        agree("periodogram", x, return_onesided=onesided, bound=bound)
    if bound is None and dtype in "?bHfF":
        bound = 1e-4
    agree("coherence", x, y, nperseg=20, bound=bound)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_axes(axis):
    x = numbers((40, 41, 42))
    options = {"nperseg": 16, "axis": axis}
    for detrend in ("constant", "linear", False):
        agree("stft", x, detrend=detrend, **options)
        agree("spectrogram", x, detrend=detrend, **options)
        agree("welch", x, detrend=detrend, **options)
        agree("csd", x, x[::-1], detrend=detrend, **options)
    agree("coherence", x, x[::-1], **options)
    agree("periodogram", x, axis=axis)


@pytest.mark.parametrize("axis", [3, -4])
def test_wrong_axes(axis):
    x = cp.zeros((4, 5, 6))
    for name in ("stft", "spectrogram", "welch", "periodogram"):
        with pytest.raises((ValueError, IndexError)):
            getattr(ours, name)(x, axis=axis)


def test_layouts():
    base = numbers((60, 50))
    for x in (base.T, base[::-1, ::2], base[:, ::-1], np.asfortranarray(base)):
        device = cp.asarray(base)
        views = {
            0: device.T,
            1: device[::-1, ::2],
            2: device[:, ::-1],
            3: cp.asfortranarray(device),
        }
        for v in views.values():
            if v.shape == x.shape and (v.get() == x).all():
                for axis in (0, 1):
                    e = theirs.stft(x, nperseg=12, axis=axis)[2]
                    a = ours.stft(v, nperseg=12, axis=axis)[2]
                    np.testing.assert_allclose(a.get(), e, atol=1e-13)


@pytest.mark.parametrize("detrend", ["constant", "linear", False, None])
@pytest.mark.parametrize("dtype", ["f", "d", "D"])
def test_trends(detrend, dtype):
    x = numbers((3, 80), dtype) + 0.2 * np.arange(80)
    x = x.astype(dtype)
    for name in ("stft", "spectrogram", "welch", "periodogram"):
        agree(name, x, detrend=detrend, bound=1e-4 if dtype == "f" else None)


def test_long_trends(monkeypatch):
    """Of segments that are longer than a block's, in several kernels."""
    monkeypatch.setattr(_segments, "_LONGEST", 8)
    monkeypatch.setattr(_segments, "_LONGEST_WINDOW", 8)
    monkeypatch.setattr(_segments, "_PART", 8)
    for detrend in ("constant", "linear", False):
        for dtype in "fdFD":
            x = (numbers((3, 80), dtype) + 0.2 * np.arange(80)).astype(dtype)
            options = {"detrend": detrend, "nperseg": 30, "nfft": 33}
            bound = 1e-4 if dtype in "fF" else None
            for scaling in ("density", "spectrum"):
                agree("welch", x, scaling=scaling, **options, bound=bound)
            agree("stft", x, boundary="odd", **options, bound=bound)


def test_trends_of_functions():
    """They get segments with elements where the axis was."""
    x = numbers((3, 80, 4))

    def half(axis):
        return lambda d: d - d.mean(axis=axis, keepdims=True) / 2

    for axis in (1, -2, -1, 2):
        for name in ("stft", "spectrogram"):
            options = {"axis": axis, "nperseg": 4}
            agree(name, x, detrend=half(-1 if axis == -1 else axis), **options)
    agree("welch", x[0].T, detrend=lambda d: d - d.mean(axis=-1, keepdims=True) / 2)


@pytest.mark.parametrize("mode", ["psd", "complex", "magnitude", "angle", "phase"])
@pytest.mark.parametrize("dtype", ["f", "d", "D"])
def test_modes(mode, dtype):
    x = numbers((2, 99), dtype) + 5
    x = x.astype(dtype)
    for axis in (1, -1):
        options = {"mode": mode, "nperseg": 16, "axis": axis, "detrend": False}
        agree("spectrogram", x, **options, bound=1e-3 if dtype == "f" else 1e-9)
    agree("spectrogram", x.T.copy(), mode=mode, nperseg=16, axis=0, detrend=False,
          bound=1e-3 if dtype == "f" else 1e-9)  # fmt: skip


@pytest.mark.parametrize("scaling", ["density", "spectrum", "psd", "power"])
def test_scalings(scaling):
    x = numbers(80)
    for name in ("stft", "spectrogram", "welch", "periodogram"):
        agree(name, x, fs=10, scaling=scaling)
    agree("csd", x, x[::-1].copy(), fs=10, scaling=scaling)


@pytest.mark.parametrize("average", ["mean", "median", "mode"])
@pytest.mark.parametrize("n", [16, 24, 32, 99])
def test_averages(average, n):
    for dtype in "dD":
        x, y = numbers((2, n), dtype), numbers((2, n), dtype, 1)
        agree("welch", x, nperseg=16, average=average)
        agree("csd", x, y, nperseg=16, average=average)
        agree("csd", x, y, nperseg=16, average=average, axis=0)


def test_broadcast():
    x, y = numbers((3, 1, 60)), numbers((4, 60), seed=1)
    agree("csd", x, y, nperseg=16)
    agree("csd", y, x, nperseg=16)
    # SciPy pads only what has as many axes as the other.
    padded = np.zeros((1, 4, 60))
    padded[..., :50] = y[:, :50]
    expected = theirs.csd(x, padded, nperseg=16)[1]
    actual = ours.csd(cp.asarray(x), cp.asarray(y)[:, :50], nperseg=16)[1]
    np.testing.assert_allclose(actual.get(), expected, atol=1e-12)
    y = y[:, :50].copy()
    agree("csd", x[:, 0, 0], y[0], nperseg=16)
    agree("csd", x, numbers((2, 4, 60)), nperseg=16)
    agree("coherence", x[0, 0], y[0], nperseg=16)
    agree("csd", x[0, 0], y[0].astype("f"), nperseg=16)


def test_many_segments():
    """More than a chunk of spectra, on every device."""
    for shape, points in (((20000,), 16), ((3, 5000), 8), ((2, 3000), 700)):
        x, y = numbers(shape), numbers(shape, seed=1)
        agree("welch", x, nperseg=points)
        agree("csd", x, y, nperseg=points)
        agree("coherence", x, y, nperseg=points)


def test_long_signals():
    x = numbers(10**6, "f")
    agree("welch", x, nperseg=1024)
    agree("periodogram", x, bound=1e-4)
    agree("stft", x[: 10**5], nperseg=1024)


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0)])
def test_nothing(shape):
    x = np.zeros(shape)
    for name in ("stft", "welch", "periodogram"):
        agree(name, x)
    assert [a.size for a in ours.spectrogram(cp.asarray(x))] == [0, 0, 0]
    agree("csd", x, x.copy())
    agree("csd", x, numbers((5,)))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_short_signals(n):
    x = numbers(n)
    for boundary in ("zeros", "even", "odd", "constant", None):
        agree("stft", x, boundary=boundary)
        agree("stft", x, nperseg=1, boundary=boundary)
    for name in ("spectrogram", "welch", "periodogram"):
        agree(name, x)
    agree("csd", x, x.copy())


@pytest.mark.parametrize("nfft", [None, 30, 40, 57, 1])
@pytest.mark.parametrize("window", ["boxcar", None, ("gaussian", 5), "array", "short"])
def test_periodogram(nfft, window):
    x = numbers((2, 40))
    lengths = {"array": 40 if nfft is None else min(nfft, 40), "short": 9}
    if window in lengths:
        window = np.hanning(lengths[window])
    agree("periodogram", x, window=window, nfft=nfft)
    agree("periodogram", x.T.copy(), window=window, nfft=nfft, axis=0)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("stft", {"nperseg": 0}),
        ("stft", {"nperseg": -3}),
        ("stft", {"nperseg": 8, "noverlap": 8}),
        ("stft", {"nperseg": 8, "nfft": 7}),
        ("stft", {"boundary": "wrap"}),
        ("stft", {"window": np.ones((3, 3))}),
        ("stft", {"window": np.ones(300)}),
        ("stft", {"window": np.ones(30), "nperseg": 20}),
        ("stft", {"window": "none"}),
        ("stft", {"detrend": "square"}),
        ("spectrogram", {"mode": "power"}),
        ("spectrogram", {"nperseg": 8, "noverlap": 9}),
        ("welch", {"nperseg": 0}),
        ("welch", {"nperseg": 8, "noverlap": 8}),
        ("welch", {"nperseg": 8, "nfft": 7}),
        ("welch", {"window": np.ones((3, 3))}),
        ("welch", {"window": np.ones(300)}),
        ("welch", {"window": np.ones(30), "nperseg": 20}),
        ("welch", {"detrend": "square"}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:nperseg")
def test_errors(name, options):
    x = numbers(90)
    result, _ = outcome(getattr(theirs, name), (x,), options)
    assert isinstance(result, Exception)
    with pytest.raises(type(result)):
        getattr(ours, name)(cp.asarray(x), **options)


def test_numpy_arrays_are_refused():
    for name in ("stft", "spectrogram", "welch", "periodogram"):
        with pytest.raises(TypeError, match="Unsupported type"):
            getattr(ours, name)(np.ones(300))


def test_complex_windows():
    w = numbers(16, "D")
    x = numbers(90, "D")
    for scaling in ("spectrum", "psd"):
        options = {"window": w, "nperseg": 16, "return_onesided": False}
        agree("stft", x, scaling=scaling, **options)
        agree("stft", x.real.copy(), scaling=scaling, **options)
    agree("welch", x, window=w, return_onesided=False, detrend=False)
    agree("csd", x.real.copy(), x.imag.copy(), window=w, return_onesided=False)
    with pytest.raises(TypeError, match="real window"):
        ours.stft(cp.array(x.real), window=cp.asarray(w), nperseg=16)


def test_replayed_calls_see_new_arrays():
    for seed in range(4):
        x = numbers((2, 90), seed=seed)
        agree("stft", x, nperseg=16)
        agree("welch", x, nperseg=16)
        agree("welch", x, nperseg=16, window=np.hanning(16) + seed)


@pytest.mark.parametrize(
    "window",
    [
        [1, 2, 3, 2, 1, 0],
        np.array([1, 2, 3, 2, 1, 0], "f"),
        np.hanning(12)[::2],
        ("general_cosine", [0.5, 0.3, 0.2]),
        ("general gaussian", 1.5, 2),
        ("exponential", None, 3.0),
        ("dpss", 1.5),
    ],
    ids=str,
)
def test_windows(window):
    x = numbers((2, 50))
    options = {"nperseg": None if isinstance(window, tuple) else 6}
    if isinstance(window, tuple):
        options["nperseg"] = 8
    bound = 1e-6 if getattr(window, "dtype", None) == "f" else None
    for name in ("stft", "spectrogram", "welch"):
        agree(name, x, window=window, bound=bound, **options)


def test_windows_of_the_host():
    """NumPy's arrays are coefficients, as a filter's."""
    x = numbers(50)
    w = np.hanning(12)
    expected = theirs.welch(x, window=w)[1]
    np.testing.assert_allclose(ours.welch(cp.asarray(x), window=w)[1].get(), expected)


def test_results_are_new():
    """What a caller writes to is not what later calls return."""
    x = cp.asarray(numbers(90))
    before = [a.get() for a in ours.stft(x, nperseg=16)]
    for a in ours.stft(x, nperseg=16):
        a[...] = 0
    for a, b in zip(ours.stft(x, nperseg=16), before, strict=True):
        np.testing.assert_array_equal(a.get(), b)
    w = ours.get_window("hann", 16)
    w[...] = 0
    assert float(ours.get_window("hann", 16).sum()) > 0


@pytest.mark.parametrize("n", [10, 255, 256, 257, 1000])
def test_infinities_stay_in_their_segments(n):
    x = numbers(n)
    x[n // 2] = np.nan
    expected = theirs.stft(x, nperseg=8)[2]
    actual = ours.stft(cp.asarray(x), nperseg=8)[2].get()
    np.testing.assert_array_equal(np.isnan(actual).any(0), np.isnan(expected).any(0))


@pytest.mark.parametrize("name", ["stft", "spectrogram", "welch", "csd", "coherence"])
def test_warnings_name_the_caller(name):
    x = cp.asarray(numbers(90))
    args = (x, x) if name in ("csd", "coherence") else (x,)
    with pytest.warns(UserWarning, match="nperseg") as caught:
        getattr(ours, name)(*args, nperseg=100)
    assert all(w.filename == __file__ for w in caught)


def test_bfloat16():
    """Is computed in float32."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = cp.asarray(numbers(256)).astype(ml_dtypes.bfloat16)
    for name in ("stft", "spectrogram", "welch", "periodogram"):
        made, expected = (getattr(ours, name)(a)[-1] for a in (x, x.astype("f")))
        assert made.dtype == expected.dtype
        np.testing.assert_array_equal(made.get(), expected.get())
