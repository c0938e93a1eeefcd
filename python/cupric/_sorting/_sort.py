"""Sorts composed of others."""

import numpy as np

from cupric import _core


def lexsort(keys):
    """The indices that sort by several keys, the last one first.

    Parameters
    ----------
    keys : cupric.ndarray of at least one axis, or sequence of cupric.ndarray
        The keys, along the first axis.

    Returns
    -------
    cupric.ndarray of int64
        A new array, of the shape of one key without the axis of keys.
    """
    keys = list(keys)
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(k.ndim > 1 for k in keys):
        raise NotImplementedError("keys with more than one axis are not supported")
    if keys[0].ndim == 0:
        return _core.array(0)
    order = _core.argsort(keys[0], kind="stable")
    for key in keys[1:]:
        order = order[_core.argsort(key[order], kind="stable")]
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
