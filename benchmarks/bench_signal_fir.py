"""`scipy.signal` beside CuPy on a GPU, beside SciPy on the host: FIR filters,
resampling, smoothing, ranks, waveforms, wavelets.

`share` counts what has to cross the memory bus: the signal read and the result written.
"""

import numpy as np

from measure import Case

BY_NAME = True


def signal(shape, dtype):
    x = np.random.default_rng(0).standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * np.random.default_rng(1).standard_normal(shape)
    return x.astype(dtype)


def of(shape, dtype, call):
    """`make` of a case: ``call(signal module, x)``."""

    def make(lib):
        x = lib.asarray(signal(shape, dtype))
        return lambda: call(lib.signal, x)

    return make


def wavelets(s, x):
    return s.cwt(x, s.ricker, range(1, 31))


def of_time(shape, call):
    def make(lib):
        t = lib.asarray(np.linspace(0, 100, shape[0]))
        return lambda: call(lib.signal, t)

    return make


def sequence(bits):
    return lambda lib: lambda: lib.signal.max_len_seq(bits)


def of_filter(taps, shape, dtype, up, down):
    def make(lib):
        h = lib.asarray(np.hamming(taps).astype(dtype))
        x = lib.asarray(signal(shape, dtype))
        return lambda: lib.signal.upfirdn(h, x, up, down)

    return make


# What, the call, how long the result is beside the signal.
CALLS = (
    ("resample_poly 3/2", lambda s, x: s.resample_poly(x, 3, 2, axis=-1), 1.5),
    ("resample_poly 160/147", lambda s, x: s.resample_poly(x, 160, 147, axis=-1), 1.1),
    ("resample to half", lambda s, x: s.resample(x, x.shape[-1] // 2, axis=-1), 0.5),
    ("decimate 10", lambda s, x: s.decimate(x, 10), 0.1),
    ("decimate 10, fir", lambda s, x: s.decimate(x, 10, ftype="fir"), 0.1),
    ("savgol_filter 31", lambda s, x: s.savgol_filter(x, 31, 3), 1),
    ("hilbert", lambda s, x: s.hilbert(x), 2),
    ("detrend", lambda s, x: s.detrend(x), 1),
    ("detrend, constant", lambda s, x: s.detrend(x, type="constant"), 1),
    ("wiener 5", lambda s, x: s.wiener(x, (1,) * (x.ndim - 1) + (5,)), 1),
    ("medfilt 31", lambda s, x: s.medfilt(x, (1,) * (x.ndim - 1) + (31,)), 1),
)
TIMES = (
    ("chirp", lambda s, t: s.chirp(t, 1, 100, 50)),
    ("gausspulse", lambda s, t: s.gausspulse(t, 5)),
    ("sawtooth", lambda s, t: s.sawtooth(t)),
    ("square", lambda s, t: s.square(t)),
)
FILTERS = ((61, 3, 2), (321, 1, 16), (101, 1, 1))
SHAPES = (10_000_000,), (64, 100_000)
QUICK_SHAPES = (10_000,), (8, 1000)


def sized(shape, dtype):
    return f"{' x '.join(map(str, shape))} {np.dtype(dtype).char}"


# Microseconds that a call on 10**7 float32 may take.
DUE = {
    "resample_poly 3/2": 500,
    "decimate 10": 1000,
    "savgol_filter 31": 300,
    "hilbert": 400,
    "medfilt 31": 600,
    "upfirdn 101 taps, 1/1": 250,
}


def cases(quick):
    for shape in QUICK_SHAPES if quick else SHAPES:
        for dtype in (np.float32, np.float64):
            size, nbytes = sized(shape, dtype), np.dtype(dtype).itemsize
            nbytes *= int(np.prod(shape))
            due = DUE if (shape, dtype) == (SHAPES[0], np.float32) else {}
            for what, call, part in CALLS:
                make, moved = of(shape, dtype, call), int(nbytes * (1 + part))
                yield Case(what, size, make, moved, due=due.get(what))
            for taps, up, down in FILTERS:
                what = f"upfirdn {taps} taps, {up}/{down}"
                make = of_filter(taps, shape, dtype, up, down)
                moved = int(nbytes * (1 + up / down))
                yield Case(what, size, make, moved, due=due.get(what))
    n = (10_000,) if quick else (1_000_000,)
    for what, call in TIMES:
        yield Case(what, sized(n, float), of_time(n, call), 16 * n[0])
    for bits, due in ((9, None),) if quick else ((16, 500), (22, None)):
        yield Case("max_len_seq", str(bits), sequence(bits), 1 << bits, due=due)
    n = (1000,) if quick else (100_000,)
    peers = ("cupric", "cupy")  # SciPy has it no longer
    make = of(n, float, wavelets)
    yield Case(
        "cwt, 30 widths", sized(n, float), make, 31 * 8 * n[0], due=2000, peers=peers
    )
