"""Flat indices and coordinates of an array's elements: one launch each."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._joined import joined_views
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["coordinates_of", "flat_places", "has_coordinates"]

_library = Library(__file__)

_MOST, _CASES = _library.enum.MOST, _library.enum.CASES
_MODES = {
    mode: getattr(_library.enum, f"PLACE_{mode.upper()}")
    for mode in ("raise", "wrap", "clip")
}
_NDIM = 3


def _example(xp):
    x = xp.arange(24).reshape(4, 6)
    made = [p for t in "il" for p in xp.unravel_index(x.T.astype(t), (2, 3, 4))]
    made += xp.unravel_index(x[:, ::2], (24, 1), order="F")
    places = [x.T % n for n in (2, 3, 4)]
    made.append(xp.ravel_multi_index(places, (2, 3, 4), mode="raise"))
    made.append(xp.ravel_multi_index([x - 9] * 5, (2, 3, 1, 1, 2), mode="clip"))
    return [*made, xp.ravel_multi_index([x.astype("i")] * 2, (5, 7), order="F")]


_unravel = _library.kernel("unravel<I>", elements="p.n", ships="i l", example=_example)
_ravel = _library.kernel("ravel<I>", elements="p.n", ships="i l", example=_example)


def has_coordinates(indices, dims):
    """Whether `coordinates_of` is for these: not on the host, where a division by one
    number after the other has vectors, and takes half of a launch's time."""
    if _library.on_host(indices):
        return False
    return 0 < len(dims) <= _MOST and min(dims) > 0 and indices.size > 0


def coordinates_of(indices, dims, order):
    """`unravel_index` of int32 or int64 in up to eight axes, (axes, …); None where an
    index is outside, which is waited for."""
    is_outside = _core.zeros(1, np.int32)
    lengths = dims[::-1] if order == "F" else dims
    made = _coordinates(indices, is_outside, tuple(lengths), order == "F")
    return None if int(is_outside[0]) else made


@replayed
def _coordinates(indices, is_outside, dims, reversed):
    out = _core.empty((len(dims), *indices.shape), np.int64)
    _, (x,) = joined_views(indices.shape, [indices], _NDIM)
    p = _library.struct.unravel_sizes(
        n=indices.size,
        total=math.prod(dims),
        lengths=(1,) * (_MOST - len(dims)) + dims,
        ndim=len(dims),
        reversed=reversed,
    )
    _unravel[indices.dtype](indices=x, out=out, is_outside=is_outside, p=p)
    return out


def flat_places(coordinates, dims, steps, modes):
    """`ravel_multi_index` of coordinates of one of int32 and int64, and of one shape;
    None where one is outside with mode 'raise', which is waited for."""
    out = _core.empty(coordinates[0].shape, np.int64)
    raises = "raise" in modes
    is_outside = _core.zeros(1, np.int32) if raises else None
    modes = [_MODES[m] for m in modes]
    for first in range(0, len(dims), _CASES):
        part = slice(first, first + _CASES)
        numbers = tuple(dims[part]), tuple(steps[part]), tuple(modes[part])
        _add_places(out, is_outside, first == 0, *numbers, *coordinates[part])
    return None if raises and int(is_outside[0]) else out


@replayed
def _add_places(out, is_outside, begins, dims, steps, modes, *coordinates):
    _, (*views, _) = joined_views(out.shape, [*coordinates, out], _NDIM)
    p = _library.struct.ravel_sizes(
        n=out.size,
        lengths=dims,
        steps=steps,
        count=len(dims),
        modes=sum(m << 2 * k for k, m in enumerate(modes)),
        begins=begins,
    )
    _ravel[coordinates[0].dtype](out=out, is_outside=is_outside, p=p, x=views)
    return out
