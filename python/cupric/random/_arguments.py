"""What the methods of generators take: sizes and dtypes."""

import operator

import numpy as np

from cupric import _core

__all__ = [
    "float_dtype",
    "read_shape",
]

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_float_dtypes = {}  # those asked for so far: a dtype's name takes NumPy a microsecond


def float_dtype(given):
    """A real floating-point dtype; float64 of None."""
    try:
        return _float_dtypes[given]
    except (KeyError, TypeError):
        pass
    dtype = np.dtype(float if given is None else given)
    if dtype.name not in _FLOATS:
        raise TypeError(f"Unsupported dtype {dtype!r} for random numbers")
    if given is None or isinstance(given, type | str | np.dtype):
        _float_dtypes[given] = dtype
    return dtype


def read_shape(size):
    """A shape as a tuple, None where none is given."""
    if size is None or isinstance(size, tuple):
        return size
    if type(size) is int:
        return (size,)
    if isinstance(size, _core.ndarray):
        size = size.get()
    if np.ndim(size) == 0:
        return (operator.index(size),)
    return tuple(operator.index(n) for n in size)
