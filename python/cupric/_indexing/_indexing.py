"""Elements chosen by indices and masks."""

import math

import numpy as np

from cupric import _core
from cupric._core import take_along_axis
from cupric._indexing._choice import choose_from, fits, select_first
from cupric._manipulation._args import (
    array_with_methods,
    device_array,
    flattened,
    has_outside,
    normalize_axis_index,
    parameter_array,
    where_it_lives,
)
from cupric._padding._borders import holds

__all__ = [
    "choose",
    "compress",
    "diagonal",
    "extract",
    "select",
    "take",
    "take_along_axis",
    "where",
]

_NUMBERS = (int, float, complex)


def take(a, indices, axis=None, out=None, mode="wrap"):
    """Elements at given indices along an axis.

    Parameters
    ----------
    a : cupric.ndarray
    indices : int or array_like of ints
    axis : int, optional
        By default the array is taken as a vector.
    out : cupric.ndarray, optional
    mode : {'wrap', 'clip', 'raise'}
        What becomes of indices out of range: 'wrap' raises with CUPRIC_CHECK=1, 'raise'
        always, and waits for the device.

    Returns
    -------
    cupric.ndarray
        New array, or `out`.

    Examples
    --------
    >>> cp.take(cp.array([5, 6, 7]), [0, 2])
    array([5, 7])
    """
    if isinstance(a, np.ndarray):
        return a.take(indices, axis, out, mode)
    return _core.take(device_array(a), indices, axis, out, mode)


@where_it_lives
def choose(a, choices, out=None, mode="raise"):
    """Select elements from several arrays: element i from choice ``a[i]``.

    Parameters
    ----------
    a : cupric.ndarray of ints
    choices : sequence of cupric.ndarray
        Broadcast to one shape together with `a`.
    out : cupric.ndarray, optional
    mode : {'raise', 'wrap', 'clip'}
        What becomes of numbers that choose nothing.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.choose(cp.array([0, 1]), [cp.array([1, 2]), cp.array([3, 4])])
    array([1, 4])
    """
    from cupric._manipulation._dims import broadcast_shapes

    if isinstance(a, np.ndarray):
        return a.choose(choices, out, mode)
    a = device_array(a)
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(
            f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})"
        )
    choices = [device_array(c) for c in choices]
    n = len(choices)
    if n == 0:
        raise ValueError("0-length sequence.")
    if not _core.can_cast(a.dtype, np.int64):
        raise TypeError(
            f"Cannot cast array data from dtype('{a.dtype}') to dtype('int64') "
            "according to the rule 'safe'"
        )
    dtype = _core.result_type(*(c.dtype for c in choices))
    shape = broadcast_shapes(a.shape, *(c.shape for c in choices))
    if fits(dtype, shape):
        which = a if a.dtype == np.int32 else a.astype(np.int64, copy=False)
        choices = [c.astype(dtype, copy=False) for c in choices]
        result = choose_from(which, choices, shape, mode)
    else:
        result = _choose_by_steps(a, choices, shape, dtype, mode)
    if result is None:
        raise ValueError(
            "invalid entry in choice array: with mode='raise' the numbers must be "
            f"from 0 to {n - 1}, as there are {n} choices"
        )
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(
            f"output array has shape {out.shape}, the result {result.shape}"
        )
    out[...] = result
    return out


def _choose_by_steps(which, choices, shape, dtype, mode):
    """`choose` of any dtype; None where a number chooses none of the arrays."""
    n = len(choices)
    if mode == "raise" and math.prod(shape) and has_outside(which, n):
        return None
    which = which.astype(np.int64, copy=False)
    if mode == "clip":
        which = _core.clip(which, 0, n - 1)
    elif mode == "wrap":
        which = which % n
    result = _core.broadcast_to(choices[0], shape).astype(dtype, order="C")
    for i, c in enumerate(choices[1:], 1):
        _core.copy_where(result, c, which == i)
    return result


@where_it_lives
def compress(condition, a, axis=None, out=None):
    """Slices along an axis where a vector is true. Waits for the device.

    Parameters
    ----------
    condition : cupric.ndarray of bools, or sequence
        May be shorter than the axis.
    a : cupric.ndarray
    axis : int, optional
        By default the array is taken as a vector.
    out : cupric.ndarray, optional

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.compress([True, False, True], cp.array([1, 2, 3]))
    array([1, 3])
    """
    if isinstance(a, np.ndarray):
        return a.compress(condition, axis, out)
    a, condition = device_array(a), parameter_array(condition)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    if out is None and a.ndim:
        if axis is None:
            a, axis = flattened(a), 0
        axis = normalize_axis_index(axis, a.ndim)
        if condition.size == a.shape[axis]:
            keep = condition.astype(bool, copy=False)
            return a[(*(slice(None),) * axis, keep)] if axis else a[keep]
    return _core.take(a, condition.nonzero()[0], axis, out, mode="raise")


@where_it_lives
def extract(condition, a):
    """The elements where a condition holds. Waits for the device.

    Parameters
    ----------
    condition : array_like
        Where it is not zero, elements are taken.
    a : cupric.ndarray
        As many elements as the condition has.

    Returns
    -------
    cupric.ndarray
        A vector.

    Examples
    --------
    >>> a = cp.arange(4)
    >>> cp.extract(a > 1, a)
    array([2, 3])
    """
    a, condition = parameter_array(a), flattened(parameter_array(condition))
    if condition.size == a.size:
        return flattened(a)[condition.astype(bool, copy=False)]
    return _core.take(a, condition.nonzero()[0], mode="raise")


def diagonal(a, offset=0, axis1=0, axis2=1):
    """A view of a diagonal of the matrices in two axes; it is the last axis.

    Parameters
    ----------
    a : cupric.ndarray
        It has two axes at least.
    offset : int, optional
        Which diagonal: 0 the main one, positive ones above it.
    axis1, axis2 : int, optional
        The axes of the matrices.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.diagonal(cp.eye(2))
    array([1., 1.])
    """
    return array_with_methods(a).diagonal(offset, axis1, axis2)


@where_it_lives
def select(condlist, choicelist, default=0):
    """Select elements from several arrays, each from the first whose condition is true.

    Parameters
    ----------
    condlist : list of cupric.ndarray of bools
    choicelist : list of cupric.ndarray
    default : scalar
        Where no condition holds.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> a = cp.arange(4)
    >>> cp.select([a < 1, a > 2], [a, a * 10])
    array([ 0,  0,  0, 30])
    """
    from cupric._manipulation._dims import broadcast_shapes

    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    if not isinstance(default, _core.ndarray) and not np.isscalar(default):
        raise TypeError("default only accepts scalar values")
    for i, cond in enumerate(condlist):
        if not isinstance(cond, _core.ndarray):
            raise _core._unsupported(cond)
        if cond.dtype != bool:
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    # Python's numbers adapt to the arrays beside them.
    choices = [c if type(c) in _NUMBERS else device_array(c) for c in choicelist]
    dtype = _core.result_type(*(getattr(c, "dtype", c) for c in (*choices, default)))
    shape = broadcast_shapes(*(getattr(c, "shape", ()) for c in (*condlist, *choices)))
    if type(default) is int:  # out of range it wraps around, as NumPy has it
        default = np.asarray(default).astype(dtype)[()]
    parts = [_part(c, dtype) for c in (*choices, default)]
    if fits(dtype, shape) and not any(p is None for p in parts):
        return select_first(shape, dtype, condlist, parts[:-1], parts[-1])
    result = _core.empty(shape, dtype)
    result[...] = default
    for cond, choice in zip(condlist[::-1], choices[::-1], strict=True):
        _core.copy_where(result, choice, cond)
    return result


def _part(x, dtype):
    """What `select` chooses from, as an array or a scalar of the dtype; None where it
    takes an assignment to convert it."""
    if isinstance(x, _core.ndarray):
        return x.astype(dtype, copy=False)
    if dtype.kind not in "biufc" or (type(x) in _NUMBERS and not holds(dtype, x)):
        return None
    return np.asarray(x).astype(dtype)[()]


@where_it_lives
def where(condition, x=None, y=None):
    """Elements of `x` where a condition holds, of `y` elsewhere.

    Parameters
    ----------
    condition : cupric.ndarray
    x, y : cupric.ndarray or scalar, optional
        Broadcast together with the condition. Without them, the result is
        ``condition.nonzero()``, which waits for the device.

    Returns
    -------
    cupric.ndarray, or a tuple of them
        A tuple, of the places where the condition holds, if there is no `x` and
        `y`.

    Examples
    --------
    >>> a = cp.arange(3)
    >>> cp.where(a > 1, a, 0)
    array([0, 0, 2])
    """
    if (x is None) != (y is None):
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    if x is None:
        return device_array(condition).nonzero()
    if not isinstance(condition, _core.ndarray):
        condition = device_array(condition)
    return _core.where(condition, x, y)
