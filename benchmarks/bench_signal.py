"""`scipy.signal` beside CuPy on a GPU, beside SciPy on the host: recursive filters.

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


def of(order, shape, axis, dtype):
    """`make` of a case: a low-pass filter of random numbers."""

    def make(lib):
        b, a = (lib.asarray(np.array(c, dtype)) for c in FILTERS[order])
        x = lib.asarray(np.random.default_rng(0).random(shape, dtype))
        return lambda: lib.signal.lfilter(b, a, x, axis)

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
