"""Reductions, scans and histograms, as programs for CuPy call CUB's.

They are the package's own, which need no choice between libraries.
"""

import enum

import numpy as np

from cupric import _core
from cupric._statistics import argmax, argmin, histogram

__all__ = [
    "CUB_sum_support_dtype",
    "CUB_sum_support_dtype_with_half",
    "CUB_sum_support_dtype_without_half",
    "CUB_support_dtype",
    "CUB_support_dtype_with_half",
    "CUB_support_dtype_without_half",
    "CUPY_CUB_ARGMAX",
    "CUPY_CUB_ARGMIN",
    "CUPY_CUB_CUMPROD",
    "CUPY_CUB_CUMSUM",
    "CUPY_CUB_MAX",
    "CUPY_CUB_MIN",
    "CUPY_CUB_PROD",
    "CUPY_CUB_SUM",
    "available",
    "cub_histogram",
    "cub_reduction",
    "cub_scan",
    "cupy_cub_op",
    "device_histogram",
    "device_reduce",
    "device_scan",
    "device_segmented_reduce",
    "get_build_version",
]

available = True


def __dir__():
    return __all__


class cupy_cub_op(enum.IntEnum):  # named as CuPy's
    """What a reduction or a scan computes.

    Examples
    --------
    >>> from cupric.cuda import cub
    >>> cub.cupy_cub_op.CUPY_CUB_MAX == cub.CUPY_CUB_MAX == 2
    True
    """

    CUPY_CUB_SUM = 0
    CUPY_CUB_MIN = 1
    CUPY_CUB_MAX = 2
    CUPY_CUB_ARGMIN = 3
    CUPY_CUB_ARGMAX = 4
    CUPY_CUB_CUMSUM = 5
    CUPY_CUB_CUMPROD = 6
    CUPY_CUB_PROD = 7


CUPY_CUB_SUM = cupy_cub_op.CUPY_CUB_SUM
CUPY_CUB_MIN = cupy_cub_op.CUPY_CUB_MIN
CUPY_CUB_MAX = cupy_cub_op.CUPY_CUB_MAX
CUPY_CUB_ARGMIN = cupy_cub_op.CUPY_CUB_ARGMIN
CUPY_CUB_ARGMAX = cupy_cub_op.CUPY_CUB_ARGMAX
CUPY_CUB_CUMSUM = cupy_cub_op.CUPY_CUB_CUMSUM
CUPY_CUB_CUMPROD = cupy_cub_op.CUPY_CUB_CUMPROD
CUPY_CUB_PROD = cupy_cub_op.CUPY_CUB_PROD

# CuPy's lists: here every dtype that an operation has works.
CUB_sum_support_dtype_without_half = [np.dtype(c) for c in "lLqQfdFD"]
CUB_sum_support_dtype_with_half = [np.dtype("e"), *CUB_sum_support_dtype_without_half]
CUB_sum_support_dtype = CUB_sum_support_dtype_with_half
CUB_support_dtype_without_half = [np.dtype(c) for c in "?bBhHiIlLqQfdFD"]
CUB_support_dtype_with_half = [np.dtype("e"), *CUB_support_dtype_without_half]
CUB_support_dtype = CUB_support_dtype_with_half

_REDUCTIONS = {
    CUPY_CUB_SUM: lambda x, **given: x.sum(**given),
    CUPY_CUB_PROD: lambda x, **given: x.prod(**given),
    CUPY_CUB_MIN: lambda x, **given: x.min(**given),
    CUPY_CUB_MAX: lambda x, **given: x.max(**given),
    CUPY_CUB_ARGMIN: lambda x, **given: argmin(x, **given),
    CUPY_CUB_ARGMAX: lambda x, **given: argmax(x, **given),
}
_SCANS = {CUPY_CUB_CUMSUM: _core.add, CUPY_CUB_CUMPROD: _core.multiply}


def get_build_version():
    """The version of CUB that the package was built with: 0, as none is needed.

    Returns
    -------
    int

    Examples
    --------
    >>> cp.cuda.cub.get_build_version()
    0
    """
    return 0


def _of(table, op, what):
    if op not in table:
        raise ValueError(f"{op!r} is no {what}")
    return table[op]


def cub_reduction(arr, op, axis=None, dtype=None, out=None, keepdims=False):
    """Reduce an array over axes.

    Parameters
    ----------
    arr : cupric.ndarray
    op : cupy_cub_op
        ``CUPY_CUB_SUM`` and its like.
    axis : int or tuple of int, optional
        By default all.
    dtype : data-type, optional
        Of sums and products.
    out : cupric.ndarray, optional
        Receives the result.
    keepdims : bool
        Leave the axes, with length 1.

    Returns
    -------
    cupric.ndarray
        `out`, or a new array.

    Raises
    ------
    ValueError
        `op` is no reduction.

    Examples
    --------
    >>> from cupric.cuda import cub
    >>> cub.cub_reduction(cp.arange(6).reshape(2, 3), cub.CUPY_CUB_SUM, axis=1)
    array([ 3, 12])
    """
    given = {} if dtype is None else {"dtype": dtype}
    reduce = _of(_REDUCTIONS, op, "reduction")
    return reduce(arr, axis=axis, out=out, keepdims=keepdims, **given)


def device_reduce(x, op, reduce_axis, out_axis, out=None, keepdims=False):
    """Reduce an array over some axes, of all that it has.

    Parameters
    ----------
    x : cupric.ndarray
    op : cupy_cub_op
        ``CUPY_CUB_SUM`` and its like.
    reduce_axis : tuple of int
        The axes.
    out_axis : tuple of int
        The others; has no effect.
    out : cupric.ndarray, optional
        Receives the result.
    keepdims : bool
        Leave the axes, with length 1.

    Returns
    -------
    cupric.ndarray
        `out`, or a new array.

    Raises
    ------
    ValueError
        `op` is no reduction.

    Examples
    --------
    >>> from cupric.cuda import cub
    >>> cub.device_reduce(cp.arange(6), cub.CUPY_CUB_MAX, (0,), ())
    array(5)
    """
    axis = tuple(reduce_axis)
    if op in (CUPY_CUB_ARGMIN, CUPY_CUB_ARGMAX):  # one axis, or all
        axis = None if len(axis) == x.ndim else axis[0] if len(axis) == 1 else axis
    return cub_reduction(x, op, axis, out=out, keepdims=keepdims)


def device_segmented_reduce(
    x, op, reduce_axis, out_axis, out=None, keepdims=False, contiguous_size=0
):
    """Reduce an array over some of its axes.

    Parameters
    ----------
    x : cupric.ndarray
    op : cupy_cub_op
        ``CUPY_CUB_SUM`` and its like.
    reduce_axis : tuple of int
        The axes.
    out_axis : tuple of int
        The others; has no effect.
    out : cupric.ndarray, optional
        Receives the result.
    keepdims : bool
        Leave the axes, with length 1.
    contiguous_size : int
        Elements of a segment; has no effect.

    Returns
    -------
    cupric.ndarray
        `out`, or a new array.

    Raises
    ------
    ValueError
        `op` is no reduction.

    Examples
    --------
    >>> from cupric.cuda import cub
    >>> x = cp.arange(6).reshape(2, 3)
    >>> cub.device_segmented_reduce(x, cub.CUPY_CUB_MIN, (1,), (0,))
    array([0, 3])
    """
    return device_reduce(x, op, reduce_axis, out_axis, out, keepdims)


def device_scan(x, op):
    """Replace the elements of an array by their running sums or products.

    Parameters
    ----------
    x : cupric.ndarray
        Of any shape, in C order; changed in place.
    op : cupy_cub_op
        ``CUPY_CUB_CUMSUM`` or ``CUPY_CUB_CUMPROD``.

    Returns
    -------
    cupric.ndarray
        `x`.

    Raises
    ------
    ValueError
        `op` is no scan.

    Examples
    --------
    >>> from cupric.cuda import cub
    >>> cub.device_scan(cp.array([1, 2, 3, 4]), cub.CUPY_CUB_CUMPROD)
    array([ 1,  2,  6, 24])
    """
    scan = _of(_SCANS, op, "scan")
    x[...] = scan.accumulate(x.ravel(), dtype=x.dtype).reshape(x.shape)
    return x


def cub_scan(arr, op):
    """Replace the elements of an array by their running sums or products.

    The same as `device_scan`.

    Parameters
    ----------
    arr : cupric.ndarray
        Of any shape, in C order; changed in place.
    op : cupy_cub_op
        ``CUPY_CUB_CUMSUM`` or ``CUPY_CUB_CUMPROD``.

    Returns
    -------
    cupric.ndarray
        `arr`.

    Examples
    --------
    >>> from cupric.cuda import cub
    >>> cub.cub_scan(cp.array([1, 2, 3, 4]), cub.CUPY_CUB_CUMSUM)
    array([ 1,  3,  6, 10])
    """
    return device_scan(arr, op)


def device_histogram(x, y, bins):
    """Count the elements between edges.

    Parameters
    ----------
    x : cupric.ndarray
    y : cupric.ndarray of integers
        Receives the counts.
    bins : cupric.ndarray
        The edges, one more than `y` has elements; the last bin is closed.

    Returns
    -------
    cupric.ndarray
        `y`.

    Raises
    ------
    ValueError
        `y` has not one element a bin.

    Examples
    --------
    >>> x, counts, edges = cp.array([1, 2, 5, 9]), cp.zeros(2, int), cp.array([0, 4, 9])
    >>> cp.cuda.cub.device_histogram(x, counts, edges)
    array([2, 2])
    """
    if y.size != bins.size - 1:
        raise ValueError(f"{bins.size} edges have {bins.size - 1} bins, y {y.size}")
    y[...] = histogram(x, bins)[0].reshape(y.shape)
    return y


cub_histogram = device_histogram
