"""`scipy.signal` beside CuPy on a GPU, beside SciPy on the host: recursive filters, and
splines, which are made of them.

`share` counts what has to cross the memory bus: the signal read and the result written.
"""

import numpy as np

from measure import Case

BY_NAME = True
# A long signal, few of them, many, and along the first axis.
SHAPES = (
    ((1 << 24,), -1),
    ((64, 1 << 18), -1),
    ((1 << 16, 256), -1),
    ((4096, 4096), 0),
)
QUICK_SHAPES = (((1 << 14,), -1), ((64, 256), -1), ((64, 64), 0))
FILTERS = {
    1: ([0.05, 0.05], [1.0, -0.9]),
    2: ([0.02, 0.04, 0.02], [1.0, -1.56, 0.64]),
}
# Poles of low-pass filters: pairs of a radius and an angle.
POLES = [
    (0.6, 0.2),
    (0.7, 0.4),
    (0.8, 0.6),
    (0.9, 0.7),
    *((0.5, k / 4) for k in range(4)),
]
# The signals of the other functions.
LONG, SEVERAL = (10**7,), (64, 10**5)
QUICK_LONG, QUICK_SEVERAL = (10**4,), (8, 1000)


def sections(count):
    """Cascaded sections of order 2, one at low frequencies."""
    rows = []
    for r, angle in POLES[:count]:
        a = [1.0, -2 * r * np.cos(angle), r * r]
        gain = sum(a) / 4
        rows.append([gain, 2 * gain, gain, *a])
    return np.array(rows)


def polynomials(order):
    """The numerator and denominator of such sections."""
    b, a = np.ones(1), np.ones(1)
    for row in sections(order // 2):
        b, a = np.convolve(b, row[:3]), np.convolve(a, row[3:])
    return b, a


def of(order, shape, axis, dtype):
    """`make` of a case: a low-pass filter of random numbers."""

    def make(lib):
        b, a = (lib.asarray(np.array(c, dtype)) for c in FILTERS[order])
        x = lib.asarray(np.random.default_rng(0).random(shape, dtype))
        return lambda: lib.signal.lfilter(b, a, x, axis)

    return make


def called(function, coefficients, shape, **kwargs):
    """`make` of a case: a function of coefficients and float32 numbers."""

    def make(lib):
        arrays = [lib.asarray(np.asarray(c, np.float32)) for c in coefficients]
        x = lib.asarray(np.random.default_rng(0).random(shape, np.float32))
        return lambda: getattr(lib.signal, function)(*arrays, x, **kwargs)

    return make


def spline(shape):
    def make(lib):
        x = lib.asarray(np.random.default_rng(0).random(shape, np.float32))
        return lambda: lib.signal.spline_filter(x)

    return make


def cases(quick):
    for shape, axis in QUICK_SHAPES if quick else SHAPES:
        for order in FILTERS:
            for dtype in (np.float32, np.float64):
                letter = np.dtype(dtype).char
                size = f"{' x '.join(map(str, shape))} {letter}"
                nbytes = 2 * np.dtype(dtype).itemsize * int(np.prod(shape))
                what = f"lfilter, order {order}" + (", axis 0" if axis == 0 else "")
                yield Case(what, size, of(order, shape, axis, dtype), nbytes)
    yield from others(quick)


def others(quick):
    """Filters of more coefficients, and both ways."""
    calls = [
        ("lfilter, order 4", "lfilter", polynomials(4)),
        ("lfilter, order 8", "lfilter", polynomials(8)),
        ("lfilter, order 16", "lfilter", polynomials(16)),
        ("sosfilt, 4 sections", "sosfilt", [sections(4)]),
        ("filtfilt, order 4", "filtfilt", polynomials(4)),
        ("sosfiltfilt, 4 sections", "sosfiltfilt", [sections(4)]),
    ]
    shapes = (QUICK_LONG, QUICK_SEVERAL) if quick else (LONG, SEVERAL)
    for what, function, coefficients in calls:
        for shape in shapes:
            size = f"{' x '.join(map(str, shape))} f"
            nbytes = 8 * int(np.prod(shape))
            yield Case(what, size, called(function, coefficients, shape), nbytes)
    shape = (64, 64) if quick else (2048, 2048)
    size = f"{' x '.join(map(str, shape))} f"
    yield Case("spline_filter", size, spline(shape), 8 * int(np.prod(shape)))
