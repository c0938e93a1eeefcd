"""Frequencies of the terms of a transform: one launch."""

import contextlib

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library

__all__ = ["frequencies"]

_HERE = contextlib.nullcontext()  # the current device
_library = Library(__file__)


def _example(xp):
    return [xp.fft.fftfreq(7, 0.3), xp.fft.fftfreq(8), xp.fft.rfftfreq(9, 0.1, "f")]


_fill = _library.kernel("frequencies", elements="n", ships="_", example=_example)


def frequencies(n, is_real, d, dtype, device):
    if not isinstance(n, int | np.integer):
        raise ValueError(f"the length must be an integer, not {n!r}")
    step = float(1.0 / (n * d))
    if dtype is not None and np.dtype(dtype).kind != "f":
        raise TypeError(f"frequencies are of a floating dtype, not {np.dtype(dtype)}")
    positive = max(n // 2 + 1, 0) if is_real else (n + 1) // 2
    y = _core.empty(positive if is_real else n, device=device)
    with _HERE if device is None else y.device:
        _fill[()](y=y, n=y.size, positive=positive, step=step)
        return y if dtype is None else y.astype(dtype, copy=False)
