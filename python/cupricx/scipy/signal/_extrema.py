"""Relative extrema along an axis."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library

__all__ = ["argrelextrema", "argrelmax", "argrelmin", "is_extremum"]

_library = Library(__file__)


def _example(xp):
    x = xp.asarray(np.arange(30 * 40).reshape(30, 40) * 7 % 23)
    made = [argrelmin(x.astype(dtype), axis=k) for k in (0, 1) for dtype in "fdl"]
    return [*(i for indices in made for i in indices), *argrelmax(x, 1, 3, "wrap")]


_extrema = _library.kernel(
    "relative_extrema<T>", elements="size", ships="f d l", example=_example
)
_COMPARISONS = {}
for _name, _comparison in {
    "less": _library.enum.BELOW,
    "greater": _library.enum.ABOVE,
    "less_equal": _library.enum.NOT_ABOVE,
    "greater_equal": _library.enum.NOT_BELOW,
}.items():
    _COMPARISONS[getattr(np, _name)] = _comparison
    _COMPARISONS[getattr(_core, _name)] = _comparison
# The dtype in which a kernel compares elements, exactly.
_COMPARED_IN = {
    **dict.fromkeys("ef", np.dtype(np.float32)),
    **dict.fromkeys("bBhHiId?", np.dtype(np.float64)),
    **dict.fromkeys("lq", np.dtype(np.int64)),
}
_MODES = ("clip", "wrap", "raise")


def is_extremum(x, comparator, axis=0, order=1, mode="clip"):
    """Whether elements compare with all of up to `order` elements on either side.

    Parameters
    ----------
    x : cupric.ndarray
    comparator : callable
    axis, order, mode
        As for `argrelextrema`.

    Returns
    -------
    cupric.ndarray of bool
    """
    if int(order) != order or order < 1:
        raise ValueError(f"Order must be an int >= 1, not {order}")
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {_MODES}, not {mode!r}")
    axis, order = arguments.axis(axis, x.ndim), int(order)
    n = x.shape[axis]
    if mode == "raise" and n:
        raise IndexError(
            f"index {n} is out of bounds for axis {axis} with size {n}: elements at "
            "the ends have no neighbours on one side (mode='clip' or 'wrap')"
        )
    comparison = None
    if getattr(comparator, "__hash__", None) is not None:
        comparison = _COMPARISONS.get(comparator)
    dtype = _COMPARED_IN.get(x.dtype.char)
    if comparison is None or dtype is None:
        return _compared(x, comparator, axis, order, mode)
    x = _core.ascontiguousarray(x.astype(dtype, copy=False))
    found = _core.empty(x.shape, bool)
    if x.size:
        s = _library.struct.extrema_sizes(
            n=n,
            step=math.prod(x.shape[axis + 1 :]),
            order=min(order, n - 1 if mode == "clip" and n > 1 else order),
            comparison=comparison,
            wraps=int(mode == "wrap"),
        )
        _extrema[dtype](x=x, found=found, s=s, size=x.size)
    return found


def _compared(x, comparator, axis, order, mode):
    """The same by any function, of whole arrays."""
    found = _core.empty(x.shape, bool)
    found.fill(True)
    places = _core.arange(x.shape[axis])
    for k in range(1, order + 1):
        for to in (places + k, places - k):
            found &= comparator(x, x.take(to, axis=axis, mode=mode))
    return found


@where_it_lives
def argrelextrema(data, comparator, axis=0, order=1, mode="clip"):
    """Relative extrema along an axis.

    Parameters
    ----------
    data : cupric.ndarray
    comparator : callable
        Of two arrays, whether elements of the first are more extreme: `cupric.less`,
        `numpy.greater`, ….
    axis : int, optional
    order : int, optional
        With how many elements on either side one is compared.
    mode : {'clip', 'wrap', 'raise'}, optional
        What is behind the ends: the last element there, those from the other end, or
        an exception.

    Returns
    -------
    tuple of cupric.ndarray
        The indices of the extrema along each axis, as of `cupric.nonzero`. Waits for
        the device.

    Notes
    -----
    One launch where `comparator` is `less`, `greater`, `less_equal` or `greater_equal`
    of `cupric` or of NumPy; else two calls of it for each of `order`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import argrelextrema
    >>> argrelextrema(cp.array([2, 1, 2, 3, 2, 0, 1, 0]), cp.greater)
    (array([3, 6]),)
    """
    data = arguments.array(data, "data")
    return _core.nonzero(is_extremum(data, comparator, axis, order, mode))


def argrelmin(data, axis=0, order=1, mode="clip"):
    """Relative minima along an axis.

    Parameters
    ----------
    data : cupric.ndarray
    axis, order, mode : optional
        As for `argrelextrema`.

    Returns
    -------
    tuple of cupric.ndarray
        The indices of the minima along each axis. An element that is equal to a
        neighbour is none: `find_peaks` finds those as well.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import argrelmin
    >>> argrelmin(cp.array([2, 1, 2, 3, 2, 0, 1, 0]))
    (array([1, 5]),)
    """
    return argrelextrema(data, _core.less, axis, order, mode)


def argrelmax(data, axis=0, order=1, mode="clip"):
    """Relative maxima along an axis.

    Parameters
    ----------
    data : cupric.ndarray
    axis, order, mode : optional
        As for `argrelextrema`.

    Returns
    -------
    tuple of cupric.ndarray
        The indices of the maxima along each axis. An element that is equal to a
        neighbour is none: `find_peaks` finds those as well.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import argrelmax
    >>> argrelmax(cp.array([2, 1, 2, 3, 2, 0, 1, 0]))
    (array([3, 6]),)
    """
    return argrelextrema(data, _core.greater, axis, order, mode)
