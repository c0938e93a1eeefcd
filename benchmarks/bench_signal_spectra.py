"""`scipy.signal` beside CuPy on a GPU, beside SciPy on the host: spectra, windows.

`share` counts what has to cross the memory bus: the signal read and the result written.
"""

import numpy as np

from measure import Case

BY_NAME = True
LONG, QUICK = 10**7, 10**4
# Calls of a signal x, another y, and of how many elements the result is for each of x.
CALLS = (
    ("stft 1024", lambda s, x, y: s.stft(x, nperseg=1024), 4),
    ("stft 256, linear", lambda s, x, y: s.stft(x, detrend="linear"), 4),
    ("spectrogram 1024", lambda s, x, y: s.spectrogram(x, nperseg=1024), 1),
    ("welch 1024", lambda s, x, y: s.welch(x, nperseg=1024), 0),
    ("csd 1024", lambda s, x, y: s.csd(x, y, nperseg=1024), 1),
    ("coherence 1024", lambda s, x, y: s.coherence(x, y, nperseg=1024), 1),
    ("periodogram", lambda s, x, y: s.periodogram(x), 1),
    ("czt, 1000 points", lambda s, x, y: s.czt(x, 1000), 0),
    ("zoom_fft, 1000 points", lambda s, x, y: s.zoom_fft(x, [0.1, 0.2], 1000), 0),
)
WINDOWS = (
    ("hann", ()),
    ("blackmanharris", ()),
    ("kaiser", (8.0,)),
    ("taylor", ()),
    ("chebwin", (80,)),
    ("tukey", ()),
)


def signal_of(lib, n, dtype, seed=0):
    return lib.asarray(np.random.default_rng(seed).standard_normal(n).astype(dtype))


def of(call, n, dtype):
    """`make` of a case: of random numbers."""

    def make(lib):
        x, y = (signal_of(lib, n, dtype, seed) for seed in (0, 1))
        return lambda: call(lib.signal, x, y)

    return make


def inverse(n, dtype):
    def make(lib):
        z = lib.signal.stft(signal_of(lib, n, dtype), nperseg=1024)[2]
        return lambda: lib.signal.istft(z, nperseg=1024)

    return make


def uneven(n, m):
    def make(lib):
        rng = np.random.default_rng(0)
        t = lib.asarray(np.sort(rng.uniform(0, 100, n)))
        y, omega = signal_of(lib, n, "d"), lib.asarray(np.linspace(0.1, 10, m))
        return lambda: lib.signal.lombscargle(t, y, omega)

    return make


def window(name, m, args):
    return lambda lib: lambda: getattr(lib.signal.windows, name)(m, *args)


def cases(quick):
    n = QUICK if quick else LONG
    for what, call, results in CALLS:
        for dtype in (np.float32, np.float64):
            itemsize = np.dtype(dtype).itemsize
            size = f"{n} {np.dtype(dtype).char}"
            yield Case(what, size, of(call, n, dtype), (1 + results) * n * itemsize)
    yield Case("istft 1024", f"{n} f", inverse(n, np.float32), 20 * n)
    yield Case("stft 64, short", "300 f", of(lambda s, x, y: s.stft(x, nperseg=64), 300,
               np.float32))  # fmt: skip
    n, m = (300, 20) if quick else (10**4, 10**3)
    yield Case("lombscargle", f"{n} x {m}", uneven(n, m))
    for name, args in WINDOWS:
        for m in (512,) if quick else (512, 10**6):
            yield Case(f"windows.{name}", f"{m}", window(name, m, args), 8 * m)
