"""Elements in another order, or more than once."""

import operator
import warnings

import numpy as np

from cupric import _core
from cupric._creation._basic import layout_like
from cupric._manipulation._args import (
    array_with_methods,
    device_array,
    normalize_axis_index,
    normalize_axis_tuple,
    parameter_array,
    where_it_lives,
)
from cupric._manipulation._rolled import rolled, takes

__all__ = [
    "flip",
    "fliplr",
    "flipud",
    "repeat",
    "roll",
    "roll_axes",
    "rot90",
    "tile",
]


_WHOLE, _BACKWARDS = slice(None), slice(None, None, -1)


def flip(a, axis=None):
    """A view with the order along some axes reversed; along all by default.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : None, int or tuple of ints, optional
        Which axes; all of them when left out.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.flip(cp.arange(3))
    array([2, 1, 0])
    """
    a = array_with_methods(a)
    if axis is None:
        return a[(_BACKWARDS,) * a.ndim]
    if type(axis) is int:
        axis = normalize_axis_index(axis, a.ndim)
        return a[(_WHOLE,) * axis + (_BACKWARDS,)]
    axes = normalize_axis_tuple(axis, a.ndim)
    return a[tuple(_BACKWARDS if i in axes else _WHOLE for i in range(a.ndim))]


def fliplr(a):
    """A view with the second axis reversed.

    Parameters
    ----------
    a : cupric.ndarray
        It has two axes at least.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.fliplr(cp.array([[1, 2]]))
    array([[2, 1]])
    """
    a = array_with_methods(a)
    if a.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return a[:, ::-1]


def flipud(a):
    """A view with the first axis reversed.

    Parameters
    ----------
    a : cupric.ndarray
        It has one axis at least.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.flipud(cp.arange(3))
    array([2, 1, 0])
    """
    a = array_with_methods(a)
    if a.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return a[::-1]


def rot90(a, k=1, axes=(0, 1)):
    """A view rotated by `k` times 90 degrees in the plane of two axes.

    .. deprecated:: `k` that is no integer, as in NumPy 2.5.

    Parameters
    ----------
    a : cupric.ndarray
        It has two axes at least.
    k : int, optional
        How many times.
    axes : tuple of two ints, optional
        The plane, turned from the first towards the second.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.rot90(cp.array([[1, 2], [3, 4]]))
    array([[2, 4],
           [1, 3]])
    """
    a = array_with_methods(a)
    axes = tuple(axes)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    if axes[0] == axes[1] or abs(axes[0] - axes[1]) == a.ndim:
        raise ValueError("Axes must be different.")
    for axis in axes:
        if not -a.ndim <= axis < a.ndim:
            raise ValueError(f"Axes={axes} out of range for array of ndim={a.ndim}.")
    try:
        k = operator.index(k)
    except TypeError:
        warnings.warn(
            f"k is a number of quarters: {k!r} is cut to an integer, which is "
            "deprecated. Pass an integer.",
            DeprecationWarning,
            stacklevel=2,
        )
        k = int(k)
    k %= 4
    if k == 0:
        return a[...]
    if k == 2:
        return flip(a, axes)
    if k == 1:
        return flip(a, axes[1]).swapaxes(*axes)
    return flip(a.swapaxes(*axes), axes[1])


def _shifts(a, shift, axis):
    """How far each axis rolls, in [0, length)."""
    if type(shift) is int and type(axis) is int:
        axis = normalize_axis_index(axis, a.ndim)
        by = shift % max(a.shape[axis], 1)
        return {axis: by} if by else {}
    if isinstance(shift, _core.ndarray):
        shift = shift.get()
    are_tuples = type(shift) is type(axis) is tuple and len(shift) == len(axis)
    if are_tuples and set(map(type, shift)) == {int}:
        pairs = zip(shift, axis, strict=True)  # in a third of the time of the others
    else:
        axis = normalize_axis_tuple(axis, a.ndim, allow_duplicate=True)
        pairs = np.broadcast(shift, axis)
        if pairs.ndim > 1:
            raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    total = dict.fromkeys(range(a.ndim), 0)
    for by, along in pairs:
        total[normalize_axis_index(along, a.ndim)] += operator.index(by)
    return {
        i: by % a.shape[i] for i, by in total.items() if a.shape[i] and by % a.shape[i]
    }


def _roll_axes(a, shifts):
    if a.ndim > 1 and not a.flags.c_contiguous:
        order = layout_like(a, a.shape, "K")
        places = [order.index(i) for i in range(a.ndim)]
        if order != sorted(order):
            moved = {places[i]: by for i, by in shifts.items()}
            return _roll_axes(a.transpose(order), moved).transpose(places)
    if shifts and takes(a):
        return rolled(a, tuple(shifts.get(i, 0) for i in range(a.ndim)))
    parts = [((_WHOLE, _WHOLE),)] * a.ndim
    for i, by in shifts.items():
        parts[i] = (
            (slice(None, -by), slice(by, None)),
            (slice(-by, None), slice(None, by)),
        )
    out = _core.empty(a.shape, a.dtype)
    # Every combination of an axis' two parts is one block copy.
    todo = [((), ())]
    for choices in parts:
        todo = [((*s, src), (*d, dst)) for s, d in todo for src, dst in choices]
    for src, dst in todo:
        out[dst] = a[src]
    return out


roll_axes = where_it_lives(
    _roll_axes
)  # by a dict: how far each axis rolls, in (0, length)


@where_it_lives
def roll(a, shift, axis=None):
    """A new array with elements shifted along axes, wrapping around at the ends.

    Parameters
    ----------
    a : cupric.ndarray
    shift : int or tuple of ints
    axis : int or tuple of ints, optional
        By default the array is rolled as a vector and its shape put back.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.roll(cp.arange(4), 1)
    array([3, 0, 1, 2])
    """
    a = parameter_array(a)
    if axis is None and a.ndim != 1:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    axis = 0 if axis is None else axis
    shifts = _shifts(a, shift, axis)
    return _roll_axes(a, shifts)


@where_it_lives
def tile(A, reps):
    """A new array of repeated copies of `A`.

    Parameters
    ----------
    A : cupric.ndarray
    reps : int or sequence of ints
        How often along each axis; missing ones in front are 1.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.tile(cp.arange(2), 2)
    array([0, 1, 0, 1])
    """
    A = parameter_array(A)
    shape = A.shape
    if type(reps) is int and reps > 1 and len(shape) == 1:
        out = _core.empty((reps, *shape), A.dtype)
        out[...] = A
        return out.reshape(-1)
    if type(reps) is not tuple:
        several = isinstance(reps, list | np.ndarray) and np.ndim(reps)
        reps = tuple(reps) if several else (reps,)
    if missing := len(reps) - len(shape):
        reps, shape = (1,) * -missing + reps, (1,) * missing + shape
    # Each axis becomes (times, length), without those that are 1, so that there are
    # never more than an array can have; one copy fills them.
    spread, own, tiled = [], [], []
    for times, n in zip(reps, shape, strict=True):
        if times != 1:
            spread.append(times)
            own.append(1)
        if n != 1:
            spread.append(n)
            own.append(n)
        tiled.append(operator.index(times) * n)
    out = _core.empty(spread, A.dtype)
    out[...] = A.reshape(own)
    return out.reshape(tiled)


@where_it_lives
def repeat(a, repeats, axis=None):
    """A new array with each element repeated.

    Parameters
    ----------
    a : cupric.ndarray
    repeats : int or sequence of ints
        One for all, or one for each place along `axis`.
    axis : int, optional
        By default the array is taken as a vector.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.repeat(cp.array([1, 2]), 2)
    array([1, 1, 2, 2])
    """
    if isinstance(a, np.ndarray):
        return a.repeat(repeats, axis)
    if isinstance(repeats, np.ndarray) and repeats.ndim:
        raise TypeError(
            f"Unsupported type {type(repeats)}: give the repeats as an int, a list of "
            "ints or a device array"
        )
    a = device_array(a)
    if axis is None:
        a, axis = a.ravel(), 0
    if a.ndim == 0:
        a = a[None]
    axis = normalize_axis_index(axis, a.ndim)
    if type(repeats) is int and repeats >= 0 and a.ndim < 64:
        return _core.repeat_each(a, repeats, axis)
    if isinstance(repeats, _core.ndarray):
        repeats = repeats.get()
    counts = np.asarray(repeats)
    if counts.dtype.kind not in "iub" and counts.size:
        raise TypeError(
            f"Cannot cast array data from dtype('{counts.dtype}') to dtype('int64') "
            "according to the rule 'safe'"
        )
    if counts.ndim > 1:
        raise ValueError("object too deep for desired array")
    if (counts < 0).any():
        raise ValueError("repeats may not contain negative values.")
    n = a.shape[axis]
    if counts.size == 1 and a.ndim < 64:
        return _core.repeat_each(a, int(counts.reshape(-1)[0]), axis)
    if counts.size not in (1, n):
        raise ValueError(
            "operands could not be broadcast together with shape "
            f"({n},) ({counts.size},)"
        )
    if counts.sum(dtype=float) >= 2.0**60:  # NumPy's own sum of counts may overflow
        raise ValueError(
            "array is too big: the repeats add up to more places than any memory has"
        )
    return _core.take(a, np.repeat(np.arange(n), counts), axis)
