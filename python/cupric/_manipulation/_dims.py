"""More or fewer axes, and broadcasting."""

import numpy as np

from cupric import _core
from cupric._core import (
    as_block,
    as_line,
    as_plane,
    broadcast_arrays,
    broadcast_shapes,
    squeeze,
)
from cupric._manipulation._args import (
    device_array,
    normalize_axis_index,
    normalize_axis_tuple,
)

__all__ = [
    "as_block",
    "as_line",
    "as_plane",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "squeeze",
]


def _each(arrays, view):
    if len(arrays) == 1:
        return view(arrays[0])
    return tuple(map(view, arrays))


def atleast_1d(*arys):
    """Views with at least one axis; a tuple for several arrays.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    cupric.ndarray, or a tuple of them
        Views; one alone for one array.

    Examples
    --------
    >>> cp.atleast_1d(cp.array(3))
    array([3])
    """
    return _each(arys, as_line)


def atleast_2d(*arys):
    """Views with at least two axes, new ones in front.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    cupric.ndarray, or a tuple of them
        Views; one alone for one array.

    Examples
    --------
    >>> cp.atleast_2d(cp.arange(3)).shape
    (1, 3)
    """
    return _each(arys, as_plane)


def atleast_3d(*arys):
    """Views with at least three axes: of a vector (1, n, 1), of a matrix (m, n, 1).

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    cupric.ndarray, or a tuple of them
        Views; one alone for one array.

    Examples
    --------
    >>> cp.atleast_3d(cp.arange(3)).shape
    (1, 3, 1)
    """
    return _each(arys, as_block)


def broadcast_to(array, shape):
    """A read-only view of `array` broadcast to `shape`.

    Parameters
    ----------
    array : array_like
        The array.
    shape : int or tuple of ints
        Lengths of the axes.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.broadcast_to(cp.arange(2), (2, 2))
    array([[0, 1],
           [0, 1]])
    """
    return _core.broadcast_to(device_array(array), shape)


class broadcast:
    """The broadcast of several arrays: its shape and the broadcast arrays.

    Parameters
    ----------
    *arrays : array_like
        The arrays.

    Examples
    --------
    >>> b = cp.broadcast(cp.zeros((3, 1)), cp.zeros(4))
    >>> b.shape
    (3, 4)

    Attributes
    ----------
    shape, ndim, nd, size
        Of the broadcast.
    values : list
        The arrays stretched to it; scalars as they were given.
    """

    def __init__(self, *arrays):
        shapes = [a.shape for a in arrays if isinstance(a, _core.ndarray)]
        self.shape = broadcast_shapes(*shapes)
        self.ndim = self.nd = len(self.shape)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        self.values = [
            broadcast_to(a, self.shape) if isinstance(a, _core.ndarray) else a
            for a in arrays
        ]


def expand_dims(a, axis=0):
    """A view with new axes of length 1.

    Parameters
    ----------
    a : cupric.ndarray
    axis : int or tuple of ints
        Where they stand in the result.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.expand_dims(cp.arange(3), 1).shape
    (3, 1)
    """
    a = device_array(a)
    if type(axis) is int:
        axis = normalize_axis_index(axis, a.ndim + 1)
        return a[(slice(None),) * axis + (None,)]
    axis = axis if isinstance(axis, tuple | list) else (axis,)
    places = normalize_axis_tuple(axis, a.ndim + len(axis))
    return a[
        tuple(None if i in places else slice(None) for i in range(a.ndim + len(axis)))
    ]
