"""What the functions of this package have in common: reading arguments."""

import numpy
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from cupric import _core

__all__ = ["device_array", "normalize_axis_index", "normalize_axis_tuple"]


def device_array(a):
    """`a`, or the array that a list or a scalar stands for.

    A NumPy array is refused: moving it to the device is the caller's decision.
    """
    if isinstance(a, _core.ndarray):
        return a
    if isinstance(a, numpy.ndarray):
        raise TypeError(f"Unsupported type {type(a)}")
    return _core.array(a, copy=None)
