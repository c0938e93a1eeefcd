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


def get_build_version():
    """The version of Thrust that the package was built with: 0, as none is needed."""
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
        Where the array begins, in C order.
    keys_start : int
        Has no effect: memory to work in is taken from the pool.
    shape : sequence of int
    """
    _array(data_start, shape, dtype).sort(axis=-1)


def argsort(dtype, idx_start, data_start, keys_start, shape):
    """Write what would sort memory along the last axis.

    Parameters
    ----------
    dtype : data-type
    idx_start : int
        Where the indices go, of the default integer type.
    data_start : int
        Where the array begins, in C order.
    keys_start : int
        Has no effect.
    shape : sequence of int
    """
    x = _array(data_start, shape, dtype)
    _array(idx_start, shape, np.intp)[...] = x.argsort(axis=-1)


def lexsort(dtype, idx_start, keys_start, k, n):
    """Write what sorts by several keys, the last of them first.

    Parameters
    ----------
    dtype : data-type
    idx_start : int
        Where the `n` indices go, of the default integer type.
    keys_start : int
        Where the keys begin, `k` rows of `n`.
    k, n : int
    """
    _array(idx_start, (n,), np.intp)[...] = _lexsort(_array(keys_start, (k, n), dtype))
