"""Arrays put together."""

import warnings

import numpy as np

from cupric import _core
from cupric._core import concatenate
from cupric._manipulation._args import (
    device_array,
    flattened,
    normalize_axis_index,
    parameter_array,
    where_it_lives,
)
from cupric._manipulation._dims import as_block, as_line, as_plane

__all__ = [
    "append",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dstack",
    "hstack",
    "row_stack",
    "stack",
    "vstack",
]

concat = concatenate


def _sequence(tup):
    if isinstance(tup, _core.ndarray | np.ndarray) and tup.ndim:
        _core._require_objects(len(tup), "the sequence of arrays")
    if hasattr(tup, "__getitem__"):
        return tup
    raise TypeError(
        'arrays to stack must be passed as a "sequence" type such as list or tuple.'
    )


def stack(tup, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Arrays of one shape joined along a new axis.

    Parameters
    ----------
    tup : sequence of cupric.ndarray
    axis : int
        Where the new axis stands.
    out : cupric.ndarray, optional
    dtype : dtype, optional
    casting : str

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.stack([cp.arange(2), cp.arange(2)])
    array([[0, 1],
           [0, 1]])
    """
    arrays = [device_array(a) for a in _sequence(tup)]
    if not arrays:
        raise ValueError("need at least one array to stack")
    shape = arrays[0].shape
    for a in arrays:
        if a.shape != shape:
            raise ValueError("all input arrays must have the same shape")
    axis = normalize_axis_index(axis, len(shape) + 1)
    key = (slice(None),) * axis + (None,)
    arrays = [a[key] for a in arrays]
    return concatenate(arrays, axis, out, dtype=dtype, casting=casting)


def _at_least(arrays, view):
    return list(map(view, _sequence(arrays)))


@where_it_lives
def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the first axis, vectors as rows.

    Parameters
    ----------
    tup : sequence of cupric.ndarray
        The arrays.
    dtype : dtype, optional
        Of the result; one that all cast to when left out.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        What conversion to `dtype` is let through.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.vstack([cp.arange(2), cp.arange(2)]).shape
    (2, 2)
    """
    return concatenate(_at_least(tup, as_plane), 0, dtype=dtype, casting=casting)


def row_stack(tup, *, dtype=None, casting="same_kind"):
    """`vstack`.

    .. deprecated:: as in NumPy 2.

    Parameters
    ----------
    tup : sequence of cupric.ndarray
        The arrays.
    dtype : dtype, optional
        Of the result; one that all cast to when left out.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        What conversion to `dtype` is let through.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.row_stack([cp.arange(2), cp.arange(2)]).shape  # doctest: +SKIP
    (2, 2)
    """
    warnings.warn(
        "`row_stack` alias is deprecated. Use `vstack` directly.",
        DeprecationWarning,
        stacklevel=2,
    )
    return vstack(tup, dtype=dtype, casting=casting)


@where_it_lives
def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the second axis, vectors along their only one.

    Parameters
    ----------
    tup : sequence of cupric.ndarray
        The arrays.
    dtype : dtype, optional
        Of the result; one that all cast to when left out.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        What conversion to `dtype` is let through.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.hstack([cp.arange(2), cp.arange(2)])
    array([0, 1, 0, 1])
    """
    arrays = _at_least(tup, as_line)
    axis = 0 if arrays and arrays[0].ndim == 1 else 1
    return concatenate(arrays, axis, dtype=dtype, casting=casting)


@where_it_lives
def dstack(tup):
    """Arrays joined along the third axis.

    Parameters
    ----------
    tup : sequence of cupric.ndarray
        The arrays.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.dstack([cp.arange(2), cp.arange(2)]).shape
    (1, 2, 2)
    """
    return concatenate(_at_least(tup, as_block), 2)


def column_stack(tup):
    """Vectors as the columns of a matrix; matrices side by side.

    Parameters
    ----------
    tup : sequence of cupric.ndarray
        The arrays.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.column_stack([cp.arange(2), cp.arange(2)])
    array([[0, 0],
           [1, 1]])
    """
    arrays = [device_array(a) for a in _sequence(tup)]
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in arrays], 1)


@where_it_lives
def append(arr, values, axis=None):
    """A copy of an array with values appended; flattened if no axis is given.

    Parameters
    ----------
    arr : array_like
        The first elements.
    values : array_like
        What comes behind them.
    axis : int, optional
        The axis along which they are joined.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.append(cp.arange(2), 5)
    array([0, 1, 5])
    """
    arr, values = parameter_array(arr), parameter_array(values)
    if axis is None:
        arr, values = flattened(arr), flattened(values)
        axis = 0
    return concatenate((arr, values), axis)


@where_it_lives
def block(arrays):
    """An array from nested lists of blocks.

    The innermost lists are joined along the last axis, those around them along the one
    before, and so on.

    Parameters
    ----------
    arrays : nested lists of cupric.ndarray
        The blocks; numbers are arrays of one element.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.block([[cp.eye(1), cp.zeros((1, 1))]])
    array([[1., 0.]])
    """

    def depth(x, level=0):
        if isinstance(x, tuple):
            raise TypeError(
                "Only lists can be used to arrange blocks, and np.block does not allow "
                "implicit conversion from tuple to ndarray."
            )
        if not isinstance(x, list):
            return level
        if not x:
            raise ValueError("List at arrays cannot be empty")
        found = {depth(part, level + 1) for part in x}
        if len(found) > 1:
            raise ValueError("List depths are mismatched")
        return found.pop()

    def leaves(x):
        if isinstance(x, list):
            for part in x:
                yield from leaves(part)
        else:
            yield np.ndim(x) if not isinstance(x, _core.ndarray) else x.ndim

    levels = depth(arrays)
    ndim = max([levels, *leaves(arrays)])

    def build(x, level):
        if isinstance(x, list):
            return concatenate([build(p, level - 1) for p in x], -level)
        x = parameter_array(x)
        return x[(None,) * (ndim - x.ndim)]

    made = build(arrays, levels)
    return made if isinstance(arrays, list) else made.copy()
