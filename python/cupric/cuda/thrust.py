"""Sorting by addresses, as programs for CuPy call it."""

import math

import numpy as np

from cupric import _core
from cupric._sorting import lexsort as _lexsort
from cupric.cuda.memory import MemoryPointer, UnownedMemory

__all__ = [
    "argsort",
    "available",
    "get_build_version",
    "lexsort",
    "sort",
]

available = True


def __dir__():
    return __all__


def get_build_version():
    """The version of Thrust that the package was built with: 0, as none is needed.

    Returns
    -------
    int

    Examples
    --------
    >>> cp.cuda.thrust.get_build_version()
    0
    """
    return 0


def _array(address, shape, dtype):
    """The current device's memory at an address."""
    dtype = np.dtype(dtype)
    nbytes = math.prod(shape) * dtype.itemsize
    memory = UnownedMemory(int(address), nbytes, None)
    return _core.ndarray(tuple(shape), dtype, MemoryPointer(memory, 0))


def sort(dtype, data_start, keys_start, shape):
    """Sort memory in place, along the last axis.

    Parameters
    ----------
    dtype : data-type
    data_start : int
        Address of the array, in C order.
    keys_start : int
        Has no effect: memory to work in is taken from the pool.
    shape : sequence of int

    Examples
    --------
    >>> x = cp.array([[3, 1, 2], [9, 8, 7]])
    >>> cp.cuda.thrust.sort(x.dtype, x.data.ptr, 0, x.shape)
    >>> x
    array([[1, 2, 3],
           [7, 8, 9]])
    """
    _array(data_start, shape, dtype).sort(axis=-1)


def argsort(dtype, idx_start, data_start, keys_start, shape):
    """Write the indices that would sort memory along the last axis.

    Parameters
    ----------
    dtype : data-type
    idx_start : int
        Address that the indices are written to, of the default integer type.
    data_start : int
        Address of the array, in C order.
    keys_start : int
        Has no effect: memory to work in is taken from the pool.
    shape : sequence of int

    Examples
    --------
    >>> x = cp.array([3.0, 1.0, 2.0])
    >>> indices = cp.empty(3, int)
    >>> cp.cuda.thrust.argsort(x.dtype, indices.data.ptr, x.data.ptr, 0, x.shape)
    >>> indices
    array([1, 2, 0])
    """
    x = _array(data_start, shape, dtype)
    _array(idx_start, shape, np.intp)[...] = x.argsort(axis=-1)


def lexsort(dtype, idx_start, keys_start, k, n):
    """Write the indices that sort by several keys, of which the last is the first.

    Parameters
    ----------
    dtype : data-type
        Of the keys.
    idx_start : int
        Address that the `n` indices are written to, of the default integer type.
    keys_start : int
        Address of the keys, `k` rows of `n`.
    k, n : int
        How many keys there are, and their length.

    Examples
    --------
    >>> keys = cp.array([[1, 0, 2], [5, 5, 4]])  # by 5, 5, 4, then by 1, 0, 2
    >>> indices = cp.empty(3, int)
    >>> cp.cuda.thrust.lexsort(keys.dtype, indices.data.ptr, keys.data.ptr, 2, 3)
    >>> indices
    array([2, 1, 0])
    """
    _array(idx_start, (n,), np.intp)[...] = _lexsort(_array(keys_start, (k, n), dtype))
