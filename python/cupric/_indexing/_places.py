"""Flat indices and coordinates of an array's elements: one launch each."""

import math

import numpy as np

from cupric import _core
from cupric._lib._joined import joined_views
from cupric._lib._library import Library
from cupric._lib._replay import replayed

__all__ = ["coordinates_of", "flat_places", "has_coordinates"]

_library = Library(__file__, "_places.cuh")

MODES = ("raise", "wrap", "clip")
_MOST = 8  # axes that a launch divides by
_CASES = 4  # axes that a launch adds
_NDIM = 3


def _example(xp):
    x = xp.arange(24).reshape(4, 6)
    made = [p for t in "il" for p in xp.unravel_index(x.T.astype(t), (2, 3, 4))]
    made += xp.unravel_index(x[:, ::2], (24, 1), order="F")
    places = [x.T % n for n in (2, 3, 4)]
    made.append(xp.ravel_multi_index(places, (2, 3, 4), mode="raise"))
    made.append(xp.ravel_multi_index([x - 9] * 5, (2, 3, 1, 1, 2), mode="clip"))
    return [*made, xp.ravel_multi_index([x.astype("i")] * 2, (5, 7), order="F")]


_unravel = _library.kernel("unravel<I>", ships="i l", example=_example)
_ravel = _library.kernel("ravel<I>", ships="i l", example=_example)


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
    n, total = indices.size, math.prod(dims)
    lengths = (1,) * (_MOST - len(dims)) + dims
    _, (x,) = joined_views(indices.shape, [indices], _NDIM)
    args = (x, out, is_outside, n, total, len(dims), reversed, *lengths)
    _unravel[indices.dtype].elements(n, args)
    return out


def flat_places(coordinates, dims, steps, modes):
    """`ravel_multi_index` of coordinates of one of int32 and int64, and of one shape;
    None where one is outside with mode 'raise', which is waited for."""
    out = _core.empty(coordinates[0].shape, np.int64)
    raises = "raise" in modes
    is_outside = _core.zeros(1, np.int32) if raises else None
    modes = [MODES.index(m) for m in modes]
    for first in range(0, len(dims), _CASES):
        part = slice(first, first + _CASES)
        numbers = tuple(dims[part]), tuple(steps[part]), tuple(modes[part])
        _add_places(out, is_outside, first == 0, *numbers, *coordinates[part])
    return None if raises and int(is_outside[0]) else out


@replayed
def _add_places(out, is_outside, begins, dims, steps, modes, *coordinates):
    count = len(dims)
    _, (*views, _) = joined_views(out.shape, [*coordinates, out], _NDIM)
    views += views[:1] * (_CASES - count)
    bits = sum(m << 2 * k for k, m in enumerate(modes))
    rest = (1,) * (_CASES - count)
    flag = out if is_outside is None else is_outside  # which is not written to
    args = (
        out,
        flag,
        out.size,
        count,
        bits,
        begins,
        *dims,
        *rest,
        *steps,
        *rest,
        *views,
    )
    _ravel[coordinates[0].dtype].elements(out.size, args)
    return out
