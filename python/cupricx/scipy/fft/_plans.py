"""Plans of transforms, for the `plan` of calls or a block around them."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric.cuda import cufft
from cupricx.scipy.fft import _shapes

__all__ = [
    "get_fft_plan",
]

_TYPES = {
    ("C2C", "F"): cufft.CUFFT_C2C,
    ("R2C", "F"): cufft.CUFFT_R2C,
    ("C2R", "F"): cufft.CUFFT_C2R,
    ("C2C", "D"): cufft.CUFFT_Z2Z,
    ("R2C", "D"): cufft.CUFFT_D2Z,
    ("C2R", "D"): cufft.CUFFT_Z2D,
}


def _fft_type(dtype, value_type):
    single = dtype.char in "efF" or dtype.name == "bfloat16"
    return _TYPES[value_type, "F" if single else "D"]


def _lengths(a, shape, axes, value_type):
    """The axes, and the lengths of the real side along them."""
    axes, lengths = _shapes.axes_and_lengths(a, shape, axes)
    if not axes:
        raise ValueError("a plan needs at least 1 axis to transform")
    pairs = sorted(zip(axes, lengths, strict=True))  # as in CuPy
    axes, lengths = (list(values) for values in zip(*pairs, strict=True))
    if shape is None and value_type == "C2R":
        lengths[-1] = _shapes.length(2 * (a.shape[axes[-1]] - 1))
    return axes, lengths


def get_fft_plan(a, shape=None, axes=None, value_type="C2C"):
    """A plan for transforms of arrays like one.

    Parameters
    ----------
    a : cupric.ndarray or numpy.ndarray
        Contiguous, in C or Fortran order; what `value_type` begins with. Only its
        shape, dtype and order are looked at.
    shape : int or sequence of ints, optional
        Lengths along `axes`, of the real side: the `n` or `s` of the calls.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(shape)``; several ones are the first or the
        last axes, and are sorted.
    value_type : {'C2C', 'R2C', 'C2R'}, optional
        From complex or real numbers to such.

    Returns
    -------
    cupric.cuda.cufft.Plan1d or cupric.cuda.cufft.PlanNd
        For the parameter `plan` of transforms, or a ``with`` block around them.

    Raises
    ------
    ValueError
        `a` is not contiguous, or the axes are neither the first nor the last ones.

    Notes
    -----
    Transforms need no plan: a device keeps what it has made for those before, see
    `cupric.fft.config`. A plan makes sure that they are of one shape and type.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> x = cp.array([1.0, 2, 3, 4], "c8")
    >>> plan = fft.get_fft_plan(x)
    >>> fft.fft(x, plan=plan)
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
    """
    if not isinstance(a, _core.ndarray | np.ndarray):
        raise arguments.unsupported(a)
    if a.dtype.kind not in "biufc" and a.dtype.name != "bfloat16":
        raise TypeError(f"a plan is of numbers, not of {a.dtype}")
    if value_type not in ("C2C", "R2C", "C2R"):
        raise ValueError(
            f"value_type must be 'C2C', 'R2C' or 'C2R', not {value_type!r}"
        )
    if value_type == "R2C" and a.dtype.kind == "c":
        raise TypeError(f"an R2C transform needs real input, not {a.dtype}")
    if a.flags.c_contiguous:
        order = "C"
    elif a.flags.f_contiguous:
        order = "F"
    else:
        raise ValueError("Input array a must be contiguous: ascontiguousarray makes it")
    axes, lengths = _lengths(a, shape, axes, value_type)
    fft_type = _fft_type(a.dtype, value_type)
    others = [n for axis, n in enumerate(a.shape) if axis not in axes]
    batch = math.prod(others)
    if len(axes) == 1:
        return cufft.Plan1d(lengths[0], fft_type, batch)
    return _several(a.ndim, axes, lengths, batch, fft_type, order, value_type)


def _several(ndim, axes, lengths, batch, fft_type, order, value_type):
    first, last = list(range(len(axes))), list(range(ndim - len(axes), ndim))
    if axes not in (first, last):
        raise ValueError(
            f"the axes of a plan must be the first or the last ones, not {tuple(axes)} "
            f"of {ndim}"
        )
    if order == "F" and value_type != "C2C":
        raise ValueError(f"a plan of {value_type} needs an array in C order")
    half = [*lengths[:-1], lengths[-1] // 2 + 1]
    given = half if value_type == "C2R" else lengths
    made = half if value_type == "R2C" else lengths
    if order == "F":
        lengths, given, made = lengths[::-1], given[::-1], made[::-1]
    inner = (axes == last) == (order == "C")  # the axes are the fastest
    steps = [
        (tuple(sizes), 1, math.prod(sizes)) if inner else (tuple(sizes), batch, 1)
        for sizes in (given, made)
    ]
    last_axis = axes[-1] if order == "C" else axes[0]
    return cufft.PlanNd(
        *(tuple(lengths), *steps[0], *steps[1], fft_type, batch, order),
        *(last_axis, made[-1]),
    )
