"""Design of filters and their responses beside CuPy on a GPU, beside SciPy on the host.

A design is a few numbers, so that what counts is the time of the call, on the host.
Coefficients of responses lie on the device; `share` counts what is written.
"""

import numpy as np

from measure import Case

BY_NAME = True
TRANSITION = ([0, 0.3, 0.5, 1], [1, 1, 0, 0])
# What is called: a name of signal, its arguments, and others.
DESIGNS = [
    ("butter", "order 8", (8, 0.2), {}),
    ("butter", "order 8, sections", (8, 0.2), {"output": "sos"}),
    ("cheby1", "order 8, bandpass", (8, 1, [0.2, 0.4], "bandpass"), {"output": "sos"}),
    ("ellip", "order 8, sections", (8, 1, 40, 0.2), {"output": "sos"}),
    ("bessel", "order 8", (8, 0.2), {}),
    ("iirdesign", "elliptic", (0.2, 0.3, 1, 40), {}),
    ("buttord", "band-stop", ([0.1, 0.6], [0.2, 0.5], 1, 40), {}),
    ("iircomb", "4 teeth", (50, 30), {"fs": 200}),
    ("gammatone", "recursive", (440, "iir"), {"fs": 16000}),
    ("firwin", "101 taps", (101, 0.3), {}),
    ("firwin2", "101 taps", (101, [0, 0.5, 1], [1, 1, 0]), {}),
    ("firls", "101 taps", (101, *TRANSITION), {}),
    ("remez", "51 taps", (51, [0, 0.1, 0.15, 0.5], [1, 0]), {}),
]
SIZES = (512, 1 << 20)
QUICK_SIZES = (64,)


def design(name, args, kwargs):
    """`make` of a case: a design of numbers alone."""

    def make(lib):
        function = getattr(lib.signal, name)
        return lambda: function(*args, **kwargs)

    return make


def coefficients(lib):
    """A filter of order 8 in its three forms, and one of 101 taps."""
    signal = lib.signal
    z, p, k = signal.butter(8, 0.2, output="zpk")
    ba = signal.butter(8, 0.2)
    return {
        "ba": ba,
        "zpk": (z, p, float(k)),
        "sos": signal.butter(8, 0.2, output="sos"),
        "taps": signal.firwin(101, 0.3),
    }


CONVERSIONS = {
    "tf2zpk": ("ba", lambda signal, c: signal.tf2zpk(*c)),
    "zpk2sos": ("zpk", lambda signal, c: signal.zpk2sos(*c)),
    "sos2tf": ("sos", lambda signal, c: signal.sos2tf(c)),
    "bilinear": ("ba", lambda signal, c: signal.bilinear(*c)),
    "lp2bp": ("ba", lambda signal, c: signal.lp2bp(*c)),
    "residuez": ("ba", lambda signal, c: signal.residuez(*c)),
    "minimum_phase": ("taps", lambda signal, c: signal.minimum_phase(c)),
}
RESPONSES = {
    "freqz, order 8": ("ba", lambda signal, c, n: signal.freqz(*c, n)),
    "freqz, 101 taps": ("taps", lambda signal, c, n: signal.freqz(c, 1, n)),
    "freqz_sos, 4 sections": ("sos", lambda signal, c, n: signal.sosfreqz(c, n)),
    "freqz_zpk, order 8": ("zpk", lambda signal, c, n: signal.freqz_zpk(*c, n)),
    "freqs, order 8": ("ba", lambda signal, c, n: signal.freqs(*c, n)),
    "group_delay, order 8": ("ba", lambda signal, c, n: signal.group_delay(c, n)),
}


def conversion(form, call):
    def make(lib):
        c = coefficients(lib)[form]
        return lambda: call(lib.signal, c)

    return make


def response(form, call, n):
    def make(lib):
        c = coefficients(lib)[form]
        return lambda: call(lib.signal, c, n)

    return make


def cases(quick):
    for name, size, args, kwargs in DESIGNS:
        yield Case(name, size, design(name, args, kwargs))
    for name, (form, call) in CONVERSIONS.items():
        size = "101 taps" if form == "taps" else "order 8"
        yield Case(name, size, conversion(form, call))
    for n in QUICK_SIZES if quick else SIZES:
        nbytes = n * (np.dtype(complex).itemsize + np.dtype(float).itemsize)
        for what, (form, call) in RESPONSES.items():
            yield Case(what, f"{n} frequencies", response(form, call, n), nbytes)
