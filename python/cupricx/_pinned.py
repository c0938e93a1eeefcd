"""NumPy arrays in pinned memory, from which copies to a device are fastest."""

import math

import numpy as np

from cupric import cuda
from cupric._lib.core import layout_like

__all__ = [
    "empty_like_pinned",
    "empty_pinned",
    "zeros_like_pinned",
    "zeros_pinned",
]


def empty_pinned(shape, dtype=float, order="C"):
    """A NumPy array in pinned memory, of any content.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : data-type
    order : {'C', 'F'}

    Returns
    -------
    numpy.ndarray
        New array; its memory goes back to the pool with it.

    Examples
    --------
    >>> a = cupricx.empty_pinned((2, 3), "float32")
    >>> a.shape
    (2, 3)
    """
    shape = tuple(shape) if np.iterable(shape) else (shape,)
    dtype = np.dtype(dtype)
    return np.ndarray(shape, dtype, _memory_for(shape, dtype), order=order)


def _memory_for(shape, dtype):
    if dtype.hasobject:  # any content would be taken for pointers
        raise ValueError(f"pinned memory holds no Python objects (dtype {dtype})")
    return cuda.alloc_pinned_memory(math.prod(shape) * dtype.itemsize)


def empty_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A NumPy array in pinned memory, of an array's shape and dtype.

    Parameters
    ----------
    a : numpy.ndarray or cupric.ndarray
    dtype : data-type, optional
        In place of the array's.
    order : {'C', 'F', 'A', 'K'}
        'A': 'F' where `a` is Fortran-contiguous. 'K': strides in the order of the
        array's.
    subok : None
        Not supported.
    shape : int or tuple of int, optional
        In place of the array's.

    Returns
    -------
    numpy.ndarray
        New array.

    Examples
    --------
    >>> import cupricx
    >>> cupricx.empty_like_pinned(cp.ones((2, 3))).shape
    (2, 3)
    """
    if subok is not None:
        raise TypeError("subok is not supported: the result is a plain ndarray")
    if shape is None:
        shape = a.shape
    shape = tuple(shape) if np.iterable(shape) else (shape,)
    dtype = np.dtype(a.dtype if dtype is None else dtype)
    axes = layout_like(a, shape, order)
    strides = [0] * len(shape)
    step = dtype.itemsize
    for i in reversed(axes):
        strides[i] = step
        step *= shape[i]
    return np.ndarray(shape, dtype, _memory_for(shape, dtype), strides=strides)


def zeros_pinned(shape, dtype=float, order="C"):
    """A NumPy array of zeros in pinned memory.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : data-type
    order : {'C', 'F'}

    Returns
    -------
    numpy.ndarray
        New array; its memory goes back to the pool with it.

    Examples
    --------
    >>> cupricx.zeros_pinned(3)
    array([0., 0., 0.])
    """
    out = empty_pinned(shape, dtype, order)
    out[...] = 0
    return out


def zeros_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A NumPy array of zeros in pinned memory, of an array's shape and dtype.

    Parameters
    ----------
    a : numpy.ndarray or cupric.ndarray
    dtype : data-type, optional
        In place of the array's.
    order : {'C', 'F', 'A', 'K'}
        'A': 'F' where `a` is Fortran-contiguous. 'K': strides in the order of the
        array's.
    subok : None
        Not supported.
    shape : int or tuple of int, optional
        In place of the array's.

    Returns
    -------
    numpy.ndarray
        New array.

    Examples
    --------
    >>> import cupricx
    >>> cupricx.zeros_like_pinned(cp.ones(3))
    array([0., 0., 0.])
    """
    out = empty_like_pinned(a, dtype, order, subok, shape)
    out[...] = 0
    return out
