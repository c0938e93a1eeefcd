"""Elements of one of several arrays each, by conditions or by numbers: one launch."""

import math

import numpy as np

from cupric import _core
from cupric._lib._joined import joined_views
from cupric._lib._library import Library
from cupric._lib._replay import replayed

__all__ = ["choose_from", "fits", "select_first"]

_library = Library(__file__, "_choice.cuh")

MODES = ("raise", "wrap", "clip")
_BYTES = {1: "B", 2: "H", 4: "I", 8: "L", 16: "D"}  # what elements are moved as
_CASES = 8  # arrays that a launch chooses from
_NDIM = 3
_RUN = 1 << 12  # elements of a row for a thread of the host, which stay in its cache


def _select_example(xp):
    x = xp.arange(-6, 6).reshape(3, 4)
    made = [xp.select([x > 0, x < -2], [x.astype(t)] * 2) for t in "?hfdD"]
    made.append(xp.select([(x > 0).T, x.T[:, :1] < -2], [x.T[::-1], 7], 9))
    return [*made, xp.select([x == i for i in range(-5, 5)], [x * x] * 10)]


def _choose_example(xp):
    x = xp.arange(12).reshape(3, 4)
    made = [xp.choose(x % 2, [x.astype(t), x.astype(t)[::-1]]) for t in "?hfdD"]
    made.append(xp.choose(x.T.astype("i"), [x.T] * 11, mode="clip"))
    return [*made, xp.choose(x - 3, [x, 5, x[0]], mode="wrap")]


_select_first = _library.kernel(
    "select_first<T>", ships="B H I L D", example=_select_example
)
_choose_from = _library.kernel(
    "choose_from<I, T>",
    ships=" ".join(f"{i}{t}" for i in "il" for t in "BHILD"),
    example=_choose_example,
)


def fits(dtype, shape):
    """Whether the kernels make results of a dtype and shape."""
    return dtype.kind in "biufc" and 0 not in shape


def _pieces(out, lengths):
    """Of how many pieces the result is made."""
    if not _library.on_host(out):
        return out.size
    return math.prod(lengths[:-1]) * -(-lengths[-1] // _RUN)


def select_first(shape, dtype, conditions, choices, default):
    """`select`: choices and the default are arrays of the dtype, or its scalars."""
    rest = default
    for last in range(len(conditions), 0, -_CASES):
        first = max(last - _CASES, 0)
        values = [
            c if isinstance(c, np.generic) else None
            for c in (*choices[first:last], rest)
        ]
        arrays = [
            c for c in (*choices[first:last], rest) if not isinstance(c, np.generic)
        ]
        # What is left out stands before the arrays: numbers and conditions come first.
        rest = _select(shape, dtype, tuple(values), *conditions[first:last], *arrays)
    return rest


@replayed
def _select(shape, dtype, values, *arrays):
    out = _core.empty(shape, dtype)
    moved = _BYTES[dtype.itemsize]
    count = len(values) - 1
    lengths, views = joined_views(shape, [*arrays, out], _NDIM)
    conditions, others = views[:count], iter(views[count:])
    conditions += conditions[:1] * (_CASES - count)
    unused = np.zeros(1, moved)[0]
    numbers, choices, known = [unused] * (_CASES + 1), [views[-1]] * (_CASES + 1), 0
    for k, value in zip((*range(count), _CASES), values, strict=True):
        if value is None:
            choices[k] = next(others)
        else:
            numbers[k], known = np.array([value]).view(moved)[0], known | 1 << k
    pieces = _pieces(out, lengths)
    args = (out, pieces, _RUN, count, known, *lengths[1:])
    _select_first[moved].elements(pieces, (*args, *conditions, *choices, *numbers))
    return out


def choose_from(which, choices, shape, mode):
    """`choose` of arrays of one dtype by int32 or int64; None where a number chooses
    none of them, which is waited for."""
    out = _core.empty(shape, choices[0].dtype)
    is_outside = _core.zeros(1, np.int32) if mode == "raise" else None
    n = len(choices)
    for first in range(0, n, _CASES):
        _choose(
            out, is_outside, which, n, first, mode, *choices[first : first + _CASES]
        )
        if first == 0 and is_outside is not None and int(is_outside[0]):
            return None
    return out


@replayed
def _choose(out, is_outside, which, n, first, mode, *choices):
    moved = _BYTES[out.dtype.itemsize]
    lengths, (numbers, *views) = joined_views(out.shape, [which, *choices, out], _NDIM)
    count = len(choices)
    views = views[:count] + views[:1] * (_CASES - count)
    pieces = _pieces(out, lengths)
    flag = out if is_outside is None else is_outside  # which is not written to
    args = (out, flag, pieces, _RUN, n, first, count, MODES.index(mode), *lengths[1:])
    _choose_from[which.dtype, moved].elements(pieces, (*args, numbers, *views))
    return out
