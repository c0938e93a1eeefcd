"""Elements of one of several arrays each, by conditions or by numbers: one launch."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._joined import joined_views
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["choose_from", "fits", "select_first"]

_library = Library(__file__)

_BYTES = {1: "B", 2: "H", 4: "I", 8: "L", 16: "D"}  # what elements are moved as
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
    "select_first<T>",
    elements="p.pieces",
    ships="B H I L D",
    example=_select_example,
)
_choose_from = _library.kernel(
    "choose_from<I, T>",
    elements="p.pieces",
    ships=" ".join(f"{i}{t}" for i in "il" for t in "BHILD"),
    example=_choose_example,
)


def fits(dtype, shape):
    """Whether the kernels make results of a dtype and shape."""
    return dtype.kind in "biufc" and 0 not in shape


def _pieces(out, lengths):
    """How the result is made."""
    run = _RUN if _library.on_host(out) else 1
    pieces = math.prod(lengths[:-1]) * -(-lengths[-1] // run)
    return _library.struct.choice_pieces(
        pieces=pieces, run=run, m1=lengths[1], m2=lengths[2]
    )


def select_first(shape, dtype, conditions, choices, default):
    """`select`: choices and the default are arrays of the dtype, or its scalars."""
    rest, cases = default, _library.enum.CASES
    for last in range(len(conditions), 0, -cases):
        first = max(last - cases, 0)
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
    cases = _library.enum.CASES
    numbers, choices, known = [0] * (cases + 1), [views[-1]] * (cases + 1), 0
    for k, value in zip((*range(count), cases), values, strict=True):
        if value is None:
            choices[k] = next(others)
        else:
            numbers[k] = np.array([value]).view(moved)[0].item()
            known |= 1 << k
    struct = _library.struct
    _select_first[moved](
        out=out,
        p=_pieces(out, lengths),
        cases=struct.choice_cases(count=count, values=known),
        c=conditions,
        x=choices,
        numbers=struct.choice_numbers[moved](at=numbers),
    )
    return out


def choose_from(which, choices, shape, mode):
    """`choose` of arrays of one dtype by int32 or int64; None where a number chooses
    none of them, which is waited for."""
    out = _core.empty(shape, choices[0].dtype)
    is_outside = _core.zeros(1, np.int32) if mode == "raise" else None
    n, cases = len(choices), _library.enum.CASES
    for first in range(0, n, cases):
        part = choices[first : first + cases]
        _choose(out, is_outside, which, n, first, mode, *part)
        if first == 0 and is_outside is not None and int(is_outside[0]):
            return None
    return out


@replayed
def _choose(out, is_outside, which, n, first, mode, *choices):
    moved = _BYTES[out.dtype.itemsize]
    lengths, (numbers, *views) = joined_views(out.shape, [which, *choices, out], _NDIM)
    _choose_from[which.dtype, moved](
        out=out,
        is_outside=is_outside,
        p=_pieces(out, lengths),
        r=_library.struct.choice_range(
            n=n,
            first=first,
            count=len(choices),
            mode=getattr(_library.enum, f"CHOICE_{mode.upper()}"),
        ),
        which=numbers,
        x=views[: len(choices)],
    )
    return out
