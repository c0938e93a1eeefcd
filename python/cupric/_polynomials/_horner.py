"""Values of polynomials, by one kernel."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._dims import broadcast_shapes, broadcast_to

__all__ = ["horner"]

_library = Library(__file__)


def _example(xp):
    x = np.linspace(-1, 1, 7)
    given = [(np.arange(5, dtype=t), x.astype(t)) for t in "bBhHiIlLefdFD"]
    x = xp.array(x)
    return [
        *(xp.polyval(xp.array(p), xp.array(x)) for p, x in given),
        xp.polynomial.polynomial.polyval(x, xp.ones((3, 2)), tensor=True),
    ]


_horner = _library.kernel(
    "horner<T>",
    elements="p.size",
    ships="? b B h H i I l L e f d F D",
    example=_example,
)


@replayed
def horner(c, x, highest_first, tensor=True):
    """Values at `x` of the polynomials whose coefficients lie along the first axis of
    `c`: of all of them at all points, of shape c.shape[1:] + x.shape, or without
    `tensor` of the shape that both broadcast to."""
    dtype = _core.result_type(c.dtype, x.dtype)
    if tensor:
        shape = c.shape[1:] + x.shape
    else:
        shape = broadcast_shapes(c.shape[1:], x.shape)
        c = broadcast_to(_with_axes(c, len(shape) + 1), (c.shape[0], *shape))
        x = broadcast_to(x, shape)
    out = _core.empty(shape, dtype)
    if out.size == 0:
        return out
    c, step = _evenly_spaced(c, dtype)
    if not highest_first:
        c, step = c[::-1], -step
    x, x_step = _evenly_spaced(x if x.ndim < 2 else x.ravel(), dtype)
    p = _library.struct.horner_sizes(
        size=out.size, n=len(c), step=step, x_step=x_step, points=x.size, all=tensor
    )
    _horner[dtype](c=c, x=x, out=out, p=p)
    return out


def _evenly_spaced(x, dtype):
    """An array of a dtype, in C order but for the distance of its rows, or of elements
    of a vector; and that, in elements."""
    x = x.astype(dtype, copy=False)
    if x.ndim != 1 or x.strides[0] % x.itemsize:
        x = _core._contiguous(x)
    return x, x.strides[0] // x.itemsize if x.ndim == 1 else math.prod(x.shape[1:])


def _with_axes(c, ndim):
    """With axes of length 1 behind the first, up to `ndim` axes."""
    return c.reshape(c.shape[0], *(1,) * (ndim - c.ndim), *c.shape[1:])
