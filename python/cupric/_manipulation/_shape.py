"""Other shapes of the same elements."""

import builtins
import math
import operator

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    array_with_methods,
    parameter_array,
    where_it_lives,
)

__all__ = ["ravel", "reshape", "resize", "shape", "size", "ndim"]


def reshape(a, shape=None, order="C", *, newshape=None, copy=None):
    """The elements of `a` in another shape.

    Parameters
    ----------
    a : cupric.ndarray
    shape : int or tuple of ints
        One length may be -1: what is left.
    order : {'C', 'F', 'A'}
        The order in which elements are read and placed.
    newshape : int or tuple of ints
        Another name of `shape`: CuPy's, and that of NumPy before 2.1.
    copy : bool, optional
        True copies, False raises ValueError where only a copy would do.

    Returns
    -------
    cupric.ndarray
        Shares memory with `a` where strides can express it, otherwise new.

    Examples
    --------
    >>> cp.reshape(cp.arange(4), (2, -1))
    array([[0, 1],
           [2, 3]])
    """
    if newshape is not None:
        if shape is not None:
            raise TypeError("reshape() takes `shape` or `newshape`, not both")
        shape = newshape
    elif shape is None:
        raise TypeError("reshape() missing 1 required argument: 'shape'")
    return array_with_methods(a).reshape(shape, order=order, copy=copy)


def ravel(a, order="C"):
    """The elements of `a` as a vector: a view where possible.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    order : {'C', 'F', 'A', 'K'}, optional
        The order in which elements are read.

    Returns
    -------
    cupric.ndarray
        A view where strides can express it, else a copy.

    Examples
    --------
    >>> cp.ravel(cp.ones((2, 2)))
    array([1., 1., 1., 1.])
    """
    return array_with_methods(a).ravel(order)


@where_it_lives
def resize(a, new_shape):
    """A new array of another size, filled with repeated copies of `a` in C order.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    new_shape : int or tuple of ints
        Lengths of the axes.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.resize(cp.arange(3), (2, 4))
    array([[0, 1, 2, 0],
           [1, 2, 0, 1]])
    """
    a = parameter_array(a)
    shape = new_shape if isinstance(new_shape, tuple | list) else (new_shape,)
    shape = [operator.index(n) for n in shape]
    if any(n < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    total = math.prod(shape)
    if a.size == 0 or total == 0:
        return _core.zeros(shape, a.dtype)
    repeats = -(-total // a.size)
    rows = _core.broadcast_to(a, (repeats, *a.shape))
    return rows.flatten()[:total].reshape(shape)


def shape(a):
    """The lengths of the axes.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    tuple of ints

    Examples
    --------
    >>> cp.shape(cp.ones((2, 3)))
    (2, 3)
    """
    return a.shape if isinstance(a, _core.ndarray) else np.shape(a)


def size(a, axis=None):
    """The number of elements, of all or along an axis.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of ints, optional
        Which axes; all of them when left out.

    Returns
    -------
    int

    Examples
    --------
    >>> cp.size(cp.ones((2, 3)), 1)
    3
    """
    if not isinstance(a, _core.ndarray):
        return np.size(a, axis)
    if axis is None:
        return a.size
    axes = axis if isinstance(axis, builtins.tuple) else (axis,)
    total = 1
    for i in axes:
        total *= a.shape[i]
    return total


def ndim(a):
    """The number of axes.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    int

    Examples
    --------
    >>> cp.ndim(cp.ones((2, 3)))
    2
    """
    return a.ndim if isinstance(a, _core.ndarray) else np.ndim(a)
