"""Sorts composed of others."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    device_array,
    normalize_axis_index,
    parameter_array,
    where_it_lives,
)
from cupric._manipulation._rearrange import flip
from cupric._sorting._lexsort import order_of_short

__all__ = [
    "argsort",
    "lexsort",
    "msort",
    "sort",
    "sort_complex",
]


def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """A sorted copy.

    Complex numbers are compared by their real parts first; NaN comes last, or first
    where the order is descending.

    Parameters
    ----------
    a : cupric.ndarray
    axis : int or None, optional
        The axis to sort along; None flattens first.
    kind : {None, 'quicksort', 'stable'}, optional
        'stable' keeps equal elements in their order.
    order : str or sequence of str, optional
        Fields by which structures are ordered; the others follow.
    stable : bool, optional
        The same as ``kind='stable'``.
    descending : bool, optional
        From the largest to the smallest.

    Returns
    -------
    cupric.ndarray
        A new array.

    Examples
    --------
    >>> cp.sort(cp.array([2, 3, 1]), descending=True)
    array([3, 2, 1])
    """
    if not descending:
        return _core.sort(a, axis, kind, order, stable=stable)
    a, axis = _one_axis(a, axis)
    # Turned round before and after, equal elements keep their order.
    turned = _core.sort(flip(a, axis), axis, kind, order, stable=stable)
    return _core.array(flip(turned, axis), order="C", device=a.device)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """The indices that sort an array; equal elements keep their order.

    Parameters
    ----------
    a : cupric.ndarray
    axis : int or None, optional
        The axis to sort along; None flattens first.
    kind : {None, 'quicksort', 'stable'}, optional
        'quicksort' lets equal elements come in any order.
    order : str or sequence of str, optional
        Fields by which structures are ordered; the others follow.
    stable : bool, optional
        The same as ``kind='stable'``.
    descending : bool, optional
        From the largest to the smallest; NaN comes first.

    Returns
    -------
    cupric.ndarray of int64
        Of the shape of `a`.

    Examples
    --------
    >>> cp.argsort(cp.array([2, 3, 2]))
    array([0, 2, 1])
    """
    if not descending:
        return _core.argsort(a, axis, kind, order, stable=stable)
    a, axis = _one_axis(a, axis)
    last = a.shape[axis] - 1
    # Of equal elements the first is the last of the array turned round.
    turned = _core.argsort(flip(a, axis), axis, kind, order, stable=stable)
    return _core.subtract(last, flip(turned, axis))


def _one_axis(a, axis):
    """An array and the number of the axis to sort along."""
    a = device_array(a)
    if axis is None:
        return a.ravel(), 0
    return a, normalize_axis_index(axis, a.ndim)


@where_it_lives
def lexsort(keys, axis=-1):
    """The indices that sort by several keys, the last one first.

    Parameters
    ----------
    keys : cupric.ndarray of at least one axis, or sequence of cupric.ndarray
        The keys, along the first axis; of one shape.
    axis : int, optional
        The axis of a key to sort along.

    Returns
    -------
    cupric.ndarray of int64
        A new array, of the shape of a key.

    Examples
    --------
    >>> cp.lexsort((cp.array([3, 1, 2]), cp.array([0, 1, 0])))
    array([2, 0, 1])
    """
    if isinstance(keys, _core.ndarray | np.ndarray) and keys.ndim:
        _core._require_objects(len(keys), "the keys of lexsort")
    try:
        keys = [parameter_array(k) for k in keys]
    except TypeError as error:
        raise TypeError(
            f"need sequence of keys with len > 0 in lexsort: {error}"
        ) from None
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(k.shape != keys[0].shape for k in keys):
        raise ValueError("all keys need to be the same shape")
    if keys[0].ndim == 0:
        normalize_axis_index(axis, 1)  # of the one element
        return _core.array(0)
    if isinstance(axis, int) and axis in (-1, keys[0].ndim - 1):
        order = order_of_short(keys)
        if order is not None:
            return order
    order = _core.argsort(keys[0], axis=axis, kind="stable")
    for key in keys[1:]:
        key = _core.take_along_axis(key, order, axis)
        again = _core.argsort(key, axis=axis, kind="stable")
        order = _core.take_along_axis(order, again, axis)
    return order


def msort(a):
    """A copy sorted along the first axis.

    Parameters
    ----------
    a : cupric.ndarray
        The array.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     cp.msort(cp.array([3, 1, 2]))
    array([1, 2, 3])
    """
    return _core.sort(a, axis=0)


def sort_complex(a):
    """A sorted copy along the last axis, of complex numbers.

    Parameters
    ----------
    a : cupric.ndarray

    Returns
    -------
    cupric.ndarray of complex64 or complex128
        A new array.

    Examples
    --------
    >>> cp.sort_complex(cp.array([2, 1j, 1]))
    array([0.+1.j, 1.+0.j, 2.+0.j])
    """
    ordered = _core.sort(a)  # reals as such, which takes a tenth of the time
    if a.dtype.kind == "c":
        return ordered
    small = a.dtype.itemsize <= 2 and a.dtype.kind in "iu"
    return ordered.astype(np.complex64 if small else np.complex128)
