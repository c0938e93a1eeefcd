"""Views with the axes in another order."""

from cupric._manipulation._args import (
    array_with_methods,
    device_array,
    normalize_axis_index,
    normalize_axis_tuple,
)

__all__ = [
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "rollaxis",
    "swapaxes",
    "transpose",
]


def transpose(a, axes=None):
    """A view with the axes permuted; reversed by default.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axes : tuple of ints, optional
        Which axis of the array becomes the first, the second, …

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.transpose(cp.ones((2, 3))).shape
    (3, 2)
    """
    return array_with_methods(a).transpose(axes)


permute_dims = transpose


def matrix_transpose(x, /):
    """A view with the last two axes transposed.

    Parameters
    ----------
    x : cupric.ndarray
        It has two axes at least.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.matrix_transpose(cp.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    x = device_array(x)
    if x.ndim < 2:
        raise ValueError(
            f"Input array must be at least 2-dimensional, but it is {x.ndim}"
        )
    return x.swapaxes(-1, -2)


def swapaxes(a, axis1, axis2):
    """A view with two axes interchanged.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis1, axis2 : int
        The axes.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.swapaxes(cp.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return array_with_methods(a).swapaxes(axis1, axis2)


def moveaxis(a, source, destination):
    """A view with some axes moved; the others keep their order.

    Parameters
    ----------
    a : cupric.ndarray
    source, destination : int or sequence of ints
        Where axes are and where they go.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.moveaxis(cp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    a = device_array(a)
    if type(source) is int and type(destination) is int:
        order = list(range(a.ndim))
        axis = order.pop(normalize_axis_index(source, a.ndim, "source"))
        order.insert(normalize_axis_index(destination, a.ndim, "destination"), axis)
        return a.transpose(order)
    source = normalize_axis_tuple(source, a.ndim, "source")
    destination = normalize_axis_tuple(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError(
            "`source` and `destination` arguments must have the same number of elements"
        )
    order = [i for i in range(a.ndim) if i not in source]
    for to, axis in sorted(zip(destination, source, strict=True)):
        order.insert(to, axis)
    return a.transpose(order) if order else a.transpose()


def rollaxis(a, axis, start=0):
    """A view with one axis moved back until it stands before position `start`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : int
        The axis that moves.
    start : int, optional
        Before which axis it comes.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.rollaxis(cp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    a = device_array(a)
    axis = normalize_axis_index(axis, a.ndim)
    start += a.ndim if start < 0 else 0
    start = normalize_axis_index(start, a.ndim + 1)
    order = list(range(a.ndim))
    order.insert(start - 1 if axis < start else start, order.pop(axis))
    return a.transpose(order)
