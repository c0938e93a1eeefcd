"""The short-time Fourier transform as an object against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

theirs = pytest.importorskip("scipy.signal")

PADDINGS = ["zeros", "edge", "even", "odd"]
MODES = ["onesided", "twosided", "centered", "onesided2X"]
WINDOWS = {
    "hann": np.hanning(16),
    "odd": np.hanning(17) + 0.1,
    "boxcar": np.ones(12),
    "zeros before": np.r_[np.zeros(5), np.ones(6)],
    "zeros behind": np.r_[np.ones(6), np.zeros(7)],
    "one": np.ones(1),
    "complex": np.hanning(14)[1:-1] * np.exp(1j * np.arange(12.0)),
}


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * 3
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def close(actual, expected, bound=1e-12):
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    scale = max(np.abs(expected).max(initial=0), 1)
    np.testing.assert_allclose(actual.get(), expected, rtol=0, atol=bound * scale)


def pair(win, hop, fs=10.0, **options):
    device = {k: cp.asarray(v) if k == "dual_win" else v for k, v in options.items()}
    return (
        theirs.ShortTimeFFT(win.copy(), hop, fs, **options),
        ours.ShortTimeFFT(cp.asarray(win), hop, fs, **device),
    )


def modes_of(win):
    return MODES[1:3] if np.iscomplexobj(win) else MODES


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("hop", [1, 3, 8, 30])
def test_numbers(name, hop):
    win = WINDOWS[name]
    for mfft in (None, len(win) + 5):
        for mode in modes_of(win)[:3]:
            e, a = pair(win, hop, mfft=mfft, fft_mode=mode)
            for attribute in (
                *("hop", "fs", "T", "mfft", "m_num", "m_num_mid", "f_pts", "delta_t"),
                *("delta_f", "k_min", "p_min", "lower_border_end", "onesided_fft"),
                *("fft_mode", "scaling", "phase_shift", "fac_magnitude", "fac_psd"),
            ):
                expected, actual = getattr(e, attribute), getattr(a, attribute)
                if isinstance(expected, float):
                    assert actual == pytest.approx(expected)
                else:
                    assert actual == expected, attribute
            close(a.f, e.f)
            close(a.win, e.win)
            assert a.invertible == e.invertible
            for n in range(len(win), 3 * len(win) + hop):
                assert a.k_max(n) == e.k_max(n)
                assert a.p_max(n) == e.p_max(n)
                assert a.p_num(n) == e.p_num(n)
                assert a.upper_border_begin(n) == e.upper_border_begin(n)
                assert a.p_range(n) == e.p_range(n)
                close(a.t(n), e.t(n))
                if mode != "twosided":
                    for args in (("tf",), ("ft",), ("tf", True)):
                        assert a.extent(n, *args) == pytest.approx(e.extent(n, *args))
            for k in range(-10, 10):
                for left in (True, False):
                    assert a.nearest_k_p(k, left) == e.nearest_k_p(k, left)


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("hop", [1, 3, 8, 30])
@pytest.mark.parametrize("padding", PADDINGS)
def test_transforms(name, hop, padding):
    win = WINDOWS[name]
    for mode in modes_of(win):
        scale = "psd" if mode == "onesided2X" else None
        for shift in (None, 0, -3 if len(win) > 3 else 0):
            options = {"fft_mode": mode, "scale_to": scale, "phase_shift": shift}
            e, a = pair(win, hop, mfft=len(win) + 4, **options)
            for n in (len(win), 40, 61):
                x = numbers(n, "D" if "sided" not in mode[3:] else "d")
                if a.onesided_fft:
                    x = x.real.copy()
                expected = e.stft(x, padding=padding)
                close(a.stft(cp.asarray(x), padding=padding), expected)


@pytest.mark.parametrize("padding", PADDINGS)
def test_ranges(padding):
    """Of slices, of which some need elements that are reflected more than once."""
    for win, hop in ((np.hanning(16), 3), (np.hanning(31), 10), (np.ones(9), 9)):
        e, a = pair(win, hop)
        for n in (len(win) // 2 + 1, len(win), 50):
            x = numbers(n)
            low, high = e.p_range(n)
            for p0, p1 in ((None, None), (0, None), (low + 1, high), (low, high - 1)):
                for k in (0, 3, -2, len(win)):
                    if not (low if p0 is None else p0) < (high if p1 is None else p1):
                        continue
                    options = {"p0": p0, "p1": p1, "k_offset": k, "padding": padding}
                    try:
                        expected = e.stft(x, **options)
                    except ValueError:  # NumPy cannot pad what is empty
                        continue
                    close(a.stft(cp.asarray(x), **options), expected)
                    close(a.t(n, p0, p1, k), e.t(n, p0, p1, k))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("dtype", ["b", "i", "f", "d", "D"])
def test_axes_and_dtypes(axis, dtype):
    x = numbers((20, 21, 22), dtype)
    mode = "twosided" if dtype == "D" else "onesided"
    e, a = pair(np.hanning(12), 5, fft_mode=mode)
    expected = e.stft(x, axis=axis)
    made = a.stft(cp.asarray(x), axis=axis)
    close(made, expected)
    f_axis = axis if axis >= 0 else axis - 1
    back = a.istft(made, k1=x.shape[axis], f_axis=f_axis)
    close(back, e.istft(expected, k1=x.shape[axis], f_axis=f_axis))
    for detr in ("constant", "linear"):
        close(
            a.stft_detrend(cp.asarray(x), detr, axis=axis),
            e.stft_detrend(x.astype("D" if dtype == "D" else "d"), detr, axis=axis),
        )
    close(a.spectrogram(cp.asarray(x), axis=axis), e.spectrogram(x, axis=axis))
    y = x[::-1, ::-1].copy()
    close(
        a.spectrogram(cp.asarray(x), cp.asarray(y), axis=axis),
        e.spectrogram(x, y, axis=axis),
    )


def test_functions_get_segments():
    x = numbers((2, 40))
    e, a = pair(np.hanning(12), 5)
    # A function that would tell segments together from one alone.
    for function in (lambda d: d - d.mean(), lambda d: d * d.ndim):
        for signal in (x, x[0]):
            expected = e.stft_detrend(signal, function)
            close(a.stft_detrend(cp.asarray(signal), function), expected)
            expected = theirs.welch(signal, nperseg=12, detrend=function)[1]
            made = ours.welch(cp.array(signal), nperseg=12, detrend=function)[1]
            close(made, expected)


@pytest.mark.parametrize("name", ["odd", "boxcar", "zeros before", "complex", "one"])
@pytest.mark.parametrize("hop", [1, 3, 6])
@pytest.mark.parametrize("mode", MODES)
def test_inverse(name, hop, mode):
    win = WINDOWS[name]
    if mode not in modes_of(win) or hop > len(win):
        return
    scale = "magnitude" if mode == "onesided2X" else None
    for shift in (None, 0, 2 if len(win) > 2 else 0):
        e, a = pair(win, hop, fft_mode=mode, scale_to=scale, phase_shift=shift,
                    mfft=len(win) + 3)  # fmt: skip
        if not e.invertible:
            assert not a.invertible
            continue
        close(a.dual_win, e.dual_win)
        for n in (len(win), 40, 47):
            x = numbers(n)
            z = e.stft(x)
            close(a.istft(cp.asarray(z)), e.istft(z))
            close(a.istft(cp.asarray(z), k1=n), e.istft(z, k1=n))
            back = a.istft(a.stft(cp.asarray(x)), k1=n).get()
            if name != "zeros before":  # of which SciPy's p_min leaves slices out
                np.testing.assert_allclose(back, x, atol=1e-11)
            for k0, k1 in ((2, n), (e.k_min, n), (5, n - 1), (0, None), (hop + 1, n)):
                if (k1 or n) - k0 < len(win) // 2 + 1:
                    continue
                if name == "zeros before" and k0 < 0:
                    continue  # SciPy takes slices from the other end
                made = a.istft(cp.asarray(z), k0, k1)
                try:
                    close(made, e.istft(z, k0, k1))
                except ValueError:  # of SciPy, of a slice beyond the end
                    np.testing.assert_allclose(made.get(), x[k0:k1], atol=1e-11)


@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (2, 0), (-1, -2), (0, -1), (1, 2)])
def test_inverse_axes(axes):
    e, a = pair(np.hanning(12) + 0.1, 5)
    z = numbers((9, 8, 10), "D")
    f_axis, t_axis = axes
    shape = [3, 3, 3]
    shape[f_axis], shape[t_axis] = 7, 9
    z = numbers(shape, "D")
    options = {"f_axis": f_axis, "t_axis": t_axis}
    close(a.istft(cp.asarray(z), **options), e.istft(z, **options))


def test_other_duals():
    win, hop = np.hanning(18)[1:-1], 4
    dual, _ = theirs.closest_STFT_dual_window(win, hop, scaled=False)
    for scale in (None, "magnitude", "psd"):
        e, a = pair(win, hop, dual_win=dual, scale_to=scale)
        close(a.win, e.win)
        close(a.dual_win, e.dual_win)
        x = numbers(50)
        z = e.stft(x)
        close(a.istft(cp.asarray(z), k1=50), e.istft(z, k1=50))


@pytest.mark.parametrize("scale", [None, "magnitude", "psd"])
def test_other_constructors(scale):
    win = np.hanning(14)[1:-1]
    options = {"scale_to": scale, "mfft": 20, "phase_shift": 1}
    e = theirs.ShortTimeFFT.from_dual(win.copy(), 3, 2.0, **options)
    a = ours.ShortTimeFFT.from_dual(cp.asarray(win), 3, 2.0, **options)
    close(a.win, e.win)
    close(a.dual_win, e.dual_win)
    e = theirs.ShortTimeFFT.from_window("hann", 2.0, 12, 9, **options)
    a = ours.ShortTimeFFT.from_window("hann", 2.0, 12, 9, **options)
    close(a.win, e.win)
    assert (a.hop, a.mfft, a.phase_shift) == (3, 20, 1)
    a = ours.ShortTimeFFT.from_window(("kaiser", 3), 2.0, 12, 9, symmetric_win=True)
    close(a.win, theirs.get_window(("kaiser", 3), 12, False))
    for to in (scale, "unitary"):
        options = {"scale_to": to, "mfft": 20}
        args = (3, 2.0)
        e = theirs.ShortTimeFFT.from_win_equals_dual(win, *args, **options)
        a = ours.ShortTimeFFT.from_win_equals_dual(cp.asarray(win), *args, **options)
        close(a.win, e.win)
        close(a.dual_win, e.dual_win)
        assert a.scaling == e.scaling


def test_windows_of_the_host():
    x = numbers(40)
    a = ours.ShortTimeFFT(np.hanning(12), 3, 1.0)
    close(a.stft(cp.asarray(x)), theirs.ShortTimeFFT(np.hanning(12), 3, 1.0).stft(x))
    a = ours.ShortTimeFFT([1, 2, 3, 2, 1], 3, 1.0)
    assert not a.invertible  # of integers
    win = np.array([1, 2, 3, 2, 1])
    close(a.stft(cp.asarray(x)), theirs.ShortTimeFFT(win, 3, 1.0).stft(x))


def test_windows_are_read_only():
    win = cp.asarray(np.hanning(12) + 1)
    a = ours.ShortTimeFFT(win, 3, 1.0)
    win[...] = 0
    assert float(a.win.sum()) > 0
    for array in (a.win, a.dual_win):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_setters():
    e, a = pair(np.hanning(12), 3)
    for t in (e, a):
        t.T = 0.25
        t.mfft = 20
        t.phase_shift = None
        t.fft_mode = "centered"
        t.scale_to("magnitude")
        t.scale_to("psd")
        t.scale_to("psd")
    assert a.fs == e.fs == 4
    x = numbers(40)
    close(a.stft(cp.asarray(x)), e.stft(x))
    close(a.f, e.f)
    assert a.fac_magnitude == pytest.approx(e.fac_magnitude)
    assert a.fac_psd == e.fac_psd == 1
    for name, value in (
        ("T", 0),
        ("fs", -1),
        ("mfft", 11),
        ("fft_mode", "none"),
        ("phase_shift", 20),
        ("phase_shift", 1.5),
    ):
        for t in (e, a):
            with pytest.raises(ValueError):
                setattr(t, name, value)
    for t in (e, a):
        with pytest.raises(ValueError):
            t.scale_to("unitary")


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((np.ones((2, 2)), 1, 1), {}),
        ((np.ones(0), 1, 1), {}),
        ((np.array([1, np.inf]), 1, 1), {}),
        ((np.ones(4), 0, 1), {}),
        ((np.ones(4), 1.5, 1), {}),
        ((np.ones(4), 1, 0), {}),
        ((np.ones(4), 1, 1), {"mfft": 3}),
        ((np.ones(4), 1, 1), {"dual_win": np.ones(5)}),
        ((np.ones(4), 1, 1), {"dual_win": np.full(4, np.nan)}),
        ((np.ones(4), 1, 1), {"scale_to": "none"}),
        ((np.ones(4), 1, 1), {"fft_mode": "none"}),
        ((np.ones(4), 1, 1), {"fft_mode": "onesided2X"}),
        ((np.ones(4) * 1j, 1, 1), {"fft_mode": "onesided"}),
        ((np.ones(4), 1, 1), {"phase_shift": 4}),
    ],
)
def test_errors(args, options):
    with pytest.raises(ValueError):
        theirs.ShortTimeFFT(*args, **options)
    win, *others = args
    with pytest.raises(ValueError):
        ours.ShortTimeFFT(cp.asarray(win), *others, **options)


@pytest.mark.parametrize(
    ("name", "args", "options"),
    [
        ("stft", (np.ones(5),), {}),
        ("stft", (np.ones(30),), {"p0": -9}),
        ("stft", (np.ones(30),), {"p0": 3, "p1": 3}),
        ("stft", (np.ones(30),), {"p1": 99}),
        ("stft", (np.ones(30),), {"padding": "wrap"}),
        ("stft", (np.ones(30) * 1j,), {}),
        ("stft_detrend", (np.ones(30), 3), {}),
        ("stft_detrend", (np.ones(30), "square"), {}),
        ("istft", (np.ones((6, 9)),), {}),
        ("istft", (np.ones((7, 2)),), {}),
        ("istft", (np.ones((7, 9)),), {"f_axis": -1}),
        ("istft", (np.ones((7, 9)),), {"k0": -99}),
        ("istft", (np.ones((7, 9)),), {"k1": 99}),
        ("istft", (np.ones((7, 9)),), {"k0": 3, "k1": 5}),
        ("t", (0,), {}),
        ("t", (2.5,), {}),
        ("k_max", (5,), {}),
        ("upper_border_begin", (5,), {}),
        ("extent", (30, "xy"), {}),
    ],
)
def test_errors_of_methods(name, args, options):
    e, a = pair(np.hanning(12) + 1, 4)
    with pytest.raises(ValueError):
        getattr(e, name)(*args, **options)
    args = [cp.asarray(v) if isinstance(v, np.ndarray) else v for v in args]
    with pytest.raises(ValueError):
        getattr(a, name)(*args, **options)


def test_gaps():
    """Windows that leave some have no inverse."""
    win = np.r_[np.ones(4), np.zeros(4)]
    for hop in (6, 9):
        e, a = pair(win, hop)
        assert not e.invertible
        assert not a.invertible
        with pytest.raises(ValueError, match="invertible"):
            a.dual_win  # noqa: B018
        with pytest.raises(ValueError, match="invertible"):
            ours.closest_STFT_dual_window(win, min(hop, 8))
    with pytest.raises(ValueError, match="valid STFT dual"):
        ours.ShortTimeFFT.from_win_equals_dual(win, 6, 1.0)
    e, a = pair(win, 6, fft_mode="twosided")
    with pytest.raises(ValueError, match="centered"):
        a.extent(30)


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("hop", [1, 2, 5, 12])
@pytest.mark.parametrize("dtype", ["d", "D"])
def test_closest_dual_windows(scaled, hop, dtype):
    win = numbers(12, dtype) + 4
    for desired in (None, numbers(12, dtype, 1), np.hanning(12)):
        e, alpha = theirs.closest_STFT_dual_window(win, hop, desired, scaled=scaled)
        wanted = None if desired is None else cp.asarray(desired)
        a, factor = ours.closest_STFT_dual_window(
            cp.asarray(win), hop, wanted, scaled=scaled
        )
        close(a, e)
        assert factor == pytest.approx(alpha)
        assert isinstance(factor, float | complex)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((np.ones(4), 0), {}),
        ((np.ones(4), 5), {}),
        ((np.ones(4), 1.5), {}),
        ((np.ones((2, 2)), 1), {}),
        ((np.ones(4), 1, np.ones(5)), {}),
        ((np.array([1, np.nan]), 1), {}),
        ((np.ones(2), 1, np.array([1, np.nan])), {}),
        ((np.ones(4), 1, np.zeros(4)), {}),
        ((np.ones(4, int), 1), {}),
    ],
)
def test_errors_of_dual_windows(args, options):
    with pytest.raises(ValueError):
        theirs.closest_STFT_dual_window(*args, **options)
    with pytest.raises(ValueError):
        ours.closest_STFT_dual_window(*args, **options)


def test_long_signals():
    x = numbers(10**5)
    e, a = pair(np.hanning(514)[1:-1], 128)
    z = a.stft(cp.asarray(x))
    close(z, e.stft(x))
    np.testing.assert_allclose(a.istft(z, k1=10**5).get(), x, atol=1e-11)


@pytest.mark.parametrize("hop", [1, 2, 5, 7, 11, 40])
def test_windows_with_zeros(hop):
    """Where slices begin and end, for any zeros at either end."""
    for size in (1, 2, 7, 8):
        for before in range(size):
            for behind in range(size - before):
                win = np.ones(size)
                win[:before] = 0
                win[size - behind :] = 0
                e, a = pair(win, hop)
                assert (a.k_min, a.p_min) == (e.k_min, e.p_min)
                assert a.lower_border_end == e.lower_border_end
                for n in range(size - size // 2, 30):
                    assert (a.k_max(n), a.p_max(n)) == (e.k_max(n), e.p_max(n))
                    assert a.upper_border_begin(n) == e.upper_border_begin(n)
