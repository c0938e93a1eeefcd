"""Derivatives by differences of samples: one launch along an axis."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["gradient_at", "gradient_evenly", "is_even"]

# Products and sums are rounded one by one.
_library = Library(__file__, options=("-fmad=false",))
_RUN = 1 << 13  # elements along an axis for a thread of the host


def _gradient_example(xp):
    squares = np.arange(24.0).reshape(4, 6) ** 2
    made = [xp.gradient(xp.asarray(squares.astype(t)), axis=0) for t in "efdFD"]
    x = xp.asarray(squares)
    return [*made, *xp.gradient(x[:, ::2], 0.5, edge_order=2), xp.gradient(x[0])]


_gradient = _library.kernel(
    "gradient<T>", elements="p.pieces", ships="e f d F D", example=_gradient_example
)


def _places_example(xp):
    squares, places = xp.arange(24.0).reshape(4, 6) ** 2, xp.arange(6.0) ** 2
    made = [xp.gradient(squares.astype(t), places, axis=1) for t in "efdFD"]
    x, at = squares.astype("f").T, places.astype("f")
    return [*made, *xp.gradient(x, at, at[1:5], edge_order=2)]


_gradient_at = _library.kernel(
    "gradient_at<T, H, R>",
    elements="p.pieces",
    ships="fff fdd ddd FdD DdD",
    example=_places_example,
)


def is_even(f, h, order):
    """Whether `gradient_evenly` takes samples, and their distance, as they are."""
    exact = type(h) in (int, float) or (type(h) is np.float64 and f.dtype.char in "dD")
    return exact and f.dtype.char in "efdFD" and (h != 0 or order == 1)


@replayed
def gradient_evenly(f, axis, h, order):
    """The derivative along an axis, in C order."""
    out = _core.empty(f.shape, f.dtype)
    x, p = _pieces(f, axis, out, order)
    _gradient[f.dtype](x=x, out=out, h=float(h), p=p)
    return out


@replayed
def gradient_at(f, axis, places, order):
    """The derivative along an axis of samples at real places, in C order."""
    made = f.dtype
    if made.itemsize < 4:
        f = f.astype(np.float32)
    short = places.dtype.kind == "f" and places.dtype.itemsize <= 4
    at = np.dtype(np.float32 if f.dtype == np.float32 and short else np.float64)
    places = places.astype(at, copy=False)
    out = _core.empty(f.shape, f.dtype)
    x, p = _pieces(f, axis, out, order)
    kernel = _gradient_at[f.dtype, at, _core.result_type(f.dtype, at)]
    kernel(x=x, at=places, out=out, p=p)
    return out.astype(made, copy=False)


def _pieces(f, axis, out, order):
    """Samples as the kernels take them, and their pieces of work."""
    n, inner = f.shape[axis], math.prod(f.shape[axis + 1 :])
    x = f.reshape(math.prod(f.shape[:axis]), n, inner)
    pieces = out.size
    if _library.on_host(out):
        pieces = len(x) * (-(-n // _RUN) if inner == 1 else n)
    second = order == 2
    return x, _library.struct.gradient_pieces(pieces=pieces, run=_RUN, second=second)
