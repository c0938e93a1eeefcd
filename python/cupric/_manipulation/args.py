"""What the functions of this package have in common: reading arguments."""

import functools

import numpy
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from cupric import _core

__all__ = [
    "device_array",
    "normalize_axis_index",
    "normalize_axis_tuple",
    "where_it_lives",
]


def where_it_lives(function):
    """Decorates a function that makes arrays: it runs on its first argument's device.

    The first argument may be a sequence of arrays.
    """

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        a = args[0] if args else None
        if isinstance(a, list | tuple) and a:
            a = a[0]
        if _core.is_here(a):
            return function(*args, **kwargs)
        with a.device:
            return function(*args, **kwargs)

    return wrapper


def device_array(a):
    """`a`, or the array that a list or a scalar stands for.

    A NumPy array is refused: moving it to the device is the caller's decision.
    """
    if isinstance(a, _core.ndarray):
        return a
    if isinstance(a, numpy.ndarray):
        raise TypeError(f"Unsupported type {type(a)}")
    return _core.array(a, copy=None)
