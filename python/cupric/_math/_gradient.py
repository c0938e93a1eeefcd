"""Derivatives by differences of samples that are evenly spaced: one launch."""

import math

import numpy as np

from cupric import _core
from cupric._lib._library import Library, view
from cupric._lib._replay import replayed

__all__ = ["gradient_evenly", "is_even"]

# Products and sums are rounded one by one.
_library = Library(__file__, "_gradient.cuh", options=("-fmad=false",))
_RUN = 1 << 13  # elements along an axis for a thread of the host


def _gradient_example(xp):
    squares = np.arange(24.0).reshape(4, 6) ** 2
    made = [xp.gradient(xp.asarray(squares.astype(t)), axis=0) for t in "efdFD"]
    x = xp.asarray(squares)
    return [*made, *xp.gradient(x[:, ::2], 0.5, edge_order=2), xp.gradient(x[0])]


_gradient = _library.kernel("gradient<T>", ships="e f d F D", example=_gradient_example)


def is_even(f, h, order):
    """Whether `gradient_evenly` takes samples, and their distance, as they are."""
    exact = type(h) in (int, float) or (type(h) is np.float64 and f.dtype.char in "dD")
    return exact and f.dtype.char in "efdFD" and (h != 0 or order == 1)


@replayed
def gradient_evenly(f, axis, h, order):
    """The derivative along an axis, in C order."""
    out = _core.empty(f.shape, f.dtype)
    n, inner = f.shape[axis], math.prod(f.shape[axis + 1 :])
    x = f.reshape(math.prod(f.shape[:axis]), n, inner)
    pieces = out.size
    if _library.on_host(out):
        pieces = len(x) * (-(-n // _RUN) if inner == 1 else n)
    args = (view(x), out, pieces, _RUN, float(h), order == 2)
    _gradient[f.dtype].elements(pieces, args)
    return out
