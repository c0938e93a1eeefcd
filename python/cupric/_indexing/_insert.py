"""Elements stored at places given by indices and masks."""

import numpy as np

from cupric import _core
from cupric._core import place, put, putmask
from cupric._manipulation._args import parameter_array, where_it_lives

__all__ = [
    "diag_indices",
    "diag_indices_from",
    "fill_diagonal",
    "place",
    "put",
    "put_along_axis",
    "putmask",
]


def put_along_axis(arr, indices, values, axis):
    """Store values at indices along an axis: the inverse of `take_along_axis`.

    Parameters
    ----------
    arr : cupric.ndarray
    indices : cupric.ndarray of ints
        Of the array's ndim, or a vector where `axis` is None.
    values : array_like
        Broadcast to `indices`.
    axis : int or None
        None: the array is taken as a vector.

    Examples
    --------
    >>> a = cp.zeros((2, 2))
    >>> cp.put_along_axis(a, cp.array([[1], [0]]), 5, 1)
    >>> a
    array([[0., 5.],
           [5., 0.]])
    """
    if axis is None and not arr.flags.c_contiguous:
        flat = arr.ravel()
        _core.put_along_axis(flat, indices, values, None)
        arr[...] = flat.reshape(arr.shape)
        return
    _core.put_along_axis(arr, indices, values, axis)


def _check(arr, name):
    if not isinstance(arr, _core.ndarray):
        raise TypeError(f"`{name}` should be of type cupric.ndarray, not {type(arr)}")


_NUMBERS = (int, float, complex)
_ARRAYS = (_core.ndarray, np.ndarray, np.generic)


def _values(values, a):
    """Values to be stored in `a` as an array: those of a list in its dtype, with
    OverflowError for integers that do not fit; arrays where nothing is lost."""
    if not isinstance(values, _ARRAYS):
        return _core.array(values, a.dtype)
    if not _core.can_cast(values.dtype, a.dtype):
        raise TypeError(
            f"Cannot cast array data from dtype('{values.dtype}') to "
            f"dtype('{a.dtype}') according to the rule 'safe'"
        )
    return parameter_array(values)


@where_it_lives
def place_any(arguments):
    """`place` of what the core leaves to it."""
    arr, mask, vals = arguments
    _check(arr, "arr")
    mask, vals = parameter_array(mask), _values(vals, arr)
    if mask.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    if vals.size == 0:
        if bool(mask.any()):
            raise ValueError("Cannot insert from an empty array!")
        return
    _core.put(arr, _core.flatnonzero(mask), vals)


@where_it_lives
def put_masked(arguments):
    """`putmask` of what the core leaves to it."""
    a, mask, values = arguments
    _check(a, "a")
    mask = parameter_array(mask)
    if mask.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    mask = mask.astype(bool, copy=False)
    if mask.ndim != 1 or a.ndim != 1:
        mask = mask.reshape(a.shape)
    if isinstance(values, _NUMBERS) or (
        not isinstance(values, _core.ndarray) and np.ndim(values) == 0
    ):
        _core.copy_where(a, values, mask)
        return
    values = _values(values, a)
    if values.size == 0:
        return
    if values.shape != a.shape:
        from cupric._manipulation._shape import resize

        values = resize(values, a.shape)
    _core.copy_where(a, values, mask)


@where_it_lives
def fill_diagonal(a, val, wrap=False):
    """Store values on the main diagonal, in place.

    Parameters
    ----------
    a : cupric.ndarray, of two or more axes; equal lengths if more than two
    val : scalar or array_like
        Cycled along the diagonal.
    wrap : bool
        Go on behind the diagonal's end in tall matrices.

    Examples
    --------
    >>> a = cp.zeros((2, 2))
    >>> cp.fill_diagonal(a, 5)
    >>> a
    array([[5., 0.],
           [0., 5.]])
    """
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    end = a.size
    if a.ndim == 2:
        step = a.shape[1] + 1
        if not wrap:
            end = min(end, a.shape[1] * a.shape[1])
    else:
        if len(set(a.shape)) != 1:
            raise ValueError("All dimensions of input must be of equal length")
        step = 1 + int(np.cumprod(a.shape[:-1]).sum())
    if a.flags.c_contiguous and type(val) in _NUMBERS:
        a.reshape(-1)[:end:step] = val
    else:
        _core.put(a, np.arange(0, end, step), val)


def diag_indices(n, ndim=2):
    """The indices of the main diagonal of an array of `ndim` axes of length `n`.

    Parameters
    ----------
    n : int
        Length of the axes.
    ndim : int, optional
        Number of axes.

    Returns
    -------
    tuple of cupric.ndarray
        As many as axes.

    Examples
    --------
    >>> cp.diag_indices(2)
    (array([0, 1]), array([0, 1]))
    """
    return (_core.arange(n),) * ndim


@where_it_lives
def diag_indices_from(arr):
    """The indices of the main diagonal of `arr`.

    Parameters
    ----------
    arr : cupric.ndarray
        Its axes are of one length.

    Returns
    -------
    tuple of cupric.ndarray
        As many as axes.

    Examples
    --------
    >>> cp.diag_indices_from(cp.eye(2))
    (array([0, 1]), array([0, 1]))
    """
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)
