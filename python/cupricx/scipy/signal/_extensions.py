"""A signal with what lies before and behind it: extensions along an axis."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal._rows import shape_along

__all__ = ["KINDS", "extended"]

_library = Library(__file__)

KINDS = {
    "zeros": _library.enum.EXTEND_ZEROS,
    "constant": _library.enum.EXTEND_CONSTANT,
    "even": _library.enum.EXTEND_EVEN,
    "odd": _library.enum.EXTEND_ODD,
    "periodic": _library.enum.EXTEND_PERIODIC,
    "symmetric": _library.enum.EXTEND_SYMMETRIC,
    "antisymmetric": _library.enum.EXTEND_ANTISYMMETRIC,
    "line": _library.enum.EXTEND_LINE,
}


def _example(xp):
    made = []
    for dtype in "fdFD":
        x = xp.asarray(np.cos(np.arange(60.0) ** 2).astype(dtype).reshape(10, 6))
        made += [extended(x, 9, kind, axis) for kind in KINDS for axis in (0, 1)]
    return made


_extend = _library.kernel("extend<T>", elements=True, ships="f d F D", example=_example)


@replayed
def extended(x, n, kind, axis=-1, dtype=None):
    """An array with more elements at both ends of an axis, in one launch.

    Parameters
    ----------
    x : cupric.ndarray
        With at least one element along `axis`.
    n : int or tuple of two ints
        How many more: at either end, or in front and behind. Reflections and
        repetitions go on where the signal is shorter than that.
    kind : str
        A key of `KINDS`, with elements ``a b c``, and two more in front: "zeros"
        ``0 0 a``, "constant" ``a a a``, "even" ``c b a``, "odd" ``2a-c 2a-b a``,
        "periodic" ``b c a``, "symmetric" ``b a a``, "antisymmetric" ``-b -a a``,
        "line" ``a-2d a-d a`` with ``d = (c - a) / 2``.
    axis : int, optional
    dtype : dtype, optional
        Of the result, in which sums are computed, too: that of `x` by default.

    Returns
    -------
    cupric.ndarray
        New, contiguous, with the axes of `x`.
    """
    axis = arguments.axis(axis, x.ndim)
    before, behind = (n, n) if isinstance(n, int) else n
    if x.shape[axis] == 0:
        raise ValueError(f"no elements to extend along axis {axis} of shape {x.shape}")
    if dtype is not None:
        x = x.astype(dtype, copy=False)
    length = x.shape[axis]
    y = _core.empty(shape_along(x.shape, axis, before + length + behind), x.dtype)
    if y.size == 0:
        return y
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    if inner == 1:
        place, shape = 2, (1, outer, y.shape[axis])
        x = x.reshape(1, outer, length)
    else:
        place, shape = 1, (outer, y.shape[axis], inner)
        x = x.reshape(outer, length, inner)
    e = _library.struct.extension(
        shape=shape, n=length, before=before, axis=place, kind=KINDS[kind]
    )
    _extend[x.dtype](x=x, y=y, e=e, work=y.size)
    return y
