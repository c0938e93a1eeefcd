"""Rows of an array: an axis last, contiguous, which is what kernels go along."""

from cupric._lib import arguments
from cupric._lib.core import contiguous, where_it_lives

__all__ = ["along", "as_rows", "rows_of", "shape_along"]


@where_it_lives
def rows_of(x, axis, dtype=None):
    """The array with an axis last, contiguous, of a dtype.

    Parameters
    ----------
    x : cupric.ndarray
    axis : int
        `numpy.exceptions.AxisError` where it is out of bounds.
    dtype : dtype, optional
        That of `x` by default.

    Returns
    -------
    cupric.ndarray
        `x` itself where it is such an array already, which is not written then. The
        other axes are in the order of ``x.swapaxes(axis, -1)``.
    """
    axis = arguments.axis(axis, x.ndim)
    if axis != x.ndim - 1:
        x = x.swapaxes(axis, -1)
    if dtype is not None:
        x = x.astype(dtype, copy=False)
    return contiguous(x)


@where_it_lives
def along(y, axis):
    """The reverse of `rows_of`: the last axis is `axis` again, in C order.

    Returns
    -------
    cupric.ndarray
        `y` itself where its last axis is that one.
    """
    axis = arguments.axis(axis, y.ndim)
    if axis == y.ndim - 1:
        return y
    return contiguous(y.swapaxes(axis, -1))


def as_rows(x):
    """A contiguous array as one of two axes, (rows, n): a view."""
    n = x.shape[-1]
    rows = 1
    for m in x.shape[:-1]:
        rows *= m
    return x.reshape(rows, n)


def shape_along(shape, axis, n):
    """A shape with `n` elements along an axis."""
    shape = list(shape)
    shape[axis] = n
    return tuple(shape)
