"""Fourier and cosine transforms: short, long and many, beside CuPy and PyTorch on a
GPU, beside NumPy and SciPy on the host.

`share` counts what has to cross the memory bus: the array read and the result written,
once each.
"""

import numpy as np

from measure import Case

BY_NAME = True
SHAPES = ((1000,), (2**20,), (10**6,), (10**4, 100), (1000, 1000), (64, 64, 64))
QUICK_SHAPES = ((64,), (32, 32))
PRIME = (100_003,)  # no product of small factors

# What is read and written for each element: bytes of float32.
CALLS = {
    "fft": (np.complex64, 16),
    "ifft": (np.complex64, 16),
    "rfft": (np.float32, 8),
    "irfft": (np.complex64, 16),
    "fftn": (np.complex64, 16),
    "rfftn": (np.float32, 8),
}
COSINE = ("dct", "dst")


def numbers(shape, dtype):
    rng = np.random.default_rng(0)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def of(name, shape, dtype, **options):
    """`make` of a case: the call of ``fft.name``."""

    def make(lib):
        a = lib.asarray(numbers(shape, dtype))
        function = getattr(lib.xp.fft, name)
        if lib.name == "torch" and "axis" in options:
            return lambda: function(a, dim=options["axis"])
        return lambda: function(a, **options)

    return make


def of_scipy(name, shape):
    def make(lib):
        a = lib.asarray(numbers(shape, np.float32))
        function = getattr(lib.sfft, name)
        return lambda: function(a)

    return make


def cases(quick):
    for shape in QUICK_SHAPES if quick else (*SHAPES, PRIME):
        size, count = " x ".join(map(str, shape)), int(np.prod(shape))
        for name, (dtype, nbytes) in CALLS.items():
            if name.endswith("n") and len(shape) == 1:
                continue
            make = of(name, shape, dtype)
            yield Case(f"fft.{name}", size, make, nbytes * count, torch=make)
        if len(shape) == 2:
            make = of("fft", shape, np.complex64, axis=0)
            yield Case("fft.fft, axis 0", size, make, 16 * count, torch=make)
        for name in COSINE:
            yield Case(
                f"scipy.fft.{name}",
                size,
                of_scipy(name, shape),
                8 * count,
                peers=("cupric", "numpy", "cupy"),
            )
