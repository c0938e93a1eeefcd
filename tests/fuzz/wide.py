"""Sums of many short floating numbers, judged by float64's.

A bound that allows for NumPy's own order of additions lets through what is wrong by an
element of a few thousand. What these calls add up, though, is known in float64, and
so is how much its rounding may come to: the same call of the magnitudes. Sums that no
order of additions rounds, as those of tame numbers, are due to the last digits.
"""

import numpy as np

from . import values
from .compare import Difference, shown

# Roundings in a row, in the largest arrays: blocks, a BLAS's long rows; scans may go
# from one element to the next, and of equal ones all are rounded to the same side.
_REDUCED, _MULTIPLIED, _SCANNED = 64, 256, 0
ROUNDINGS = {
    **dict.fromkeys(("sum", ".sum", "mean", ".mean", "nansum", "nanmean"), _REDUCED),
    **dict.fromkeys(("add.reduce", "add.reduceat", "trace", ".trace"), _REDUCED),
    **dict.fromkeys(("matmul", "dot", "vdot", "vecdot", "vecmat"), _MULTIPLIED),
    **dict.fromkeys(("{xm} @ {ym}", "{xm}.dot({yd})", "convolve"), _MULTIPLIED),
    **dict.fromkeys(("correlate", "signal.convolve"), _MULTIPLIED),
    **dict.fromkeys(("cumsum", ".cumsum", "nancumsum", "cumulative_sum"), _SCANNED),
    **dict.fromkeys(("add.accumulate",), _SCANNED),
}
ADDED = 2.0**-23  # the precision of float32, in which halves are added up, too
_GRID = {1: 4, 2: 16}  # of which tame numbers, and products of two, are whole multiples


def difference(step, names, name, got):
    """How the result of a step differs from float64's, or None. `names`: NumPy's."""
    roundings = step.row and ROUNDINGS.get(step.row.name)
    keywords = step.text.replace("axis=", "").replace("keepdims=", "")
    if roundings is None or "=" in keywords:
        return None
    if "drawn(" in step.text or step.target != name or not _is_short(got.dtype):
        return None
    operands = {n: names[n] for n in step.names}
    if not all(_is_of_floats(x) for x in operands.values()):
        return None
    exact = _of(step, names, {n: _widened(x) for n, x in operands.items()})
    size = _of(step, names, {n: _magnitudes(x) for n, x in operands.items()})
    if exact is None or size is None:
        return None
    info = values.finfo(got.dtype)
    last = float(info.eps) * np.abs(exact) + float(info.smallest_subnormal)
    limit = (roundings or got.size) * ADDED * size
    computes = step.text.count("xp.") > 1  # what it adds up, of its operands
    if not computes and all(_on_grid(x) for x in operands.values()):
        limit = np.where(size * _GRID[step.row.bound.degree] < 1 / ADDED, 0, limit)
    limit += 2 * last
    # Nor NaN: no sum on the way is infinite, of which a mean has its share alone.
    added = max(x.size for x in operands.values()) / max(size.size, 1)
    sums = size * added if "mean" in step.row.name else size
    known = sums < float(info.max)
    far = known & ~(np.abs(got.astype(exact.dtype) - exact) <= limit)
    if not far.any():
        return None
    return Difference(
        "values", name, *shown(exact, got.astype(exact.dtype), lambda _: limit)
    )


def _is_of_floats(x):
    return isinstance(x, np.ndarray) and values.is_inexact(x.dtype)


def _is_short(dtype):
    return values.is_inexact(dtype) and values.finfo(dtype).bits <= 32


def _of(step, names, operands):
    """What NumPy makes of the call of other operands."""
    try:
        with np.errstate(all="ignore"):
            return np.asarray(eval(step.text, {**names, **operands}))
    except Exception:
        return None


def _widened(x):
    return x.astype("D" if x.dtype.kind == "c" else "d")


def _magnitudes(x):
    if x.dtype.kind == "c":
        return np.abs(x.real.astype("d")) + np.abs(x.imag.astype("d"))
    return np.abs(x.astype("d"))


def _on_grid(x):
    with np.errstate(all="ignore"):
        parts = [x.real, x.imag] if x.dtype.kind == "c" else [x]
        fours = [p.astype("d") * 4 for p in parts]
        return all((p == np.rint(p)).all() for p in fours)
