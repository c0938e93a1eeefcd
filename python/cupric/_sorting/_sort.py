"""Sorts composed of others."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    device_array,
    normalize_axis_index,
    where_it_lives,
)

__all__ = [
    "lexsort",
    "msort",
    "sort_complex",
]


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
    """
    from cupric import take_along_axis

    try:
        keys = [device_array(k) for k in keys]
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
    order = _core.argsort(keys[0], axis=axis, kind="stable")
    for key in keys[1:]:
        key = take_along_axis(key, order, axis)
        again = _core.argsort(key, axis=axis, kind="stable")
        order = take_along_axis(order, again, axis)
    return order


def msort(a):
    """A copy sorted along the first axis."""
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
    """
    if a.dtype.kind == "c":
        return _core.sort(a)
    small = a.dtype.itemsize <= 2 and a.dtype.kind in "iu"
    return _core.sort(a.astype(np.complex64 if small else np.complex128))
