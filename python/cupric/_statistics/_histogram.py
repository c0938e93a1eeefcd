"""Counting by value: bincount, digitize, histogram."""

import numpy as np

from cupric import _core
from cupric._manipulation.args import device_array


def bincount(x, weights=None, minlength=None):
    """How often each whole number appears, or the sum of its weights.

    Parameters
    ----------
    x : cupric.ndarray of non-negative ints, one axis
    weights : cupric.ndarray, optional
        One per element of `x`.
    minlength : int, optional
        The least length of the result.

    Returns
    -------
    cupric.ndarray of int64, or of float64 with weights
        A new array of ``max(x) + 1`` elements at least. Waits for the device.
    """
    x = device_array(x)
    if x.ndim > 1:
        raise ValueError("object too deep for desired array")
    if x.ndim < 1:
        raise ValueError("object of too small depth for desired array")
    if x.dtype.kind not in "biu" or x.dtype == np.uint64:
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to dtype('int64')")
    if weights is not None and weights.shape != x.shape:
        raise ValueError("The weights and list don't have the same length.")
    minlength = 0 if minlength is None else minlength
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    size = max(minlength, _largest(x) + 1 if x.size else 0)
    return _count(x, None, weights, False, size)


def _largest(x):
    """The largest of some integers. One look at the device also finds a negative one:
    as unsigned numbers these are the largest."""
    unsigned = x.view(f"u{x.dtype.itemsize}")
    largest = int(_core.max(unsigned))
    if x.dtype.kind == "i" and largest >> (8 * x.dtype.itemsize - 1):
        raise ValueError("'list' argument must have no negative elements")
    return largest


def _count(x, edges, weights, even, nbins):
    """How many values are in each bin, or what their weights come to."""
    if nbins < 2**31:
        return _core.count_values(x, edges, weights, even, nbins)
    out = _core.zeros(nbins, np.int64 if weights is None else np.float64)
    index = x.astype(np.int64, copy=False)
    _core.add.at(out, index, 1 if weights is None else weights.astype(np.float64))
    return out


def digitize(x, bins, right=False):
    """The index of the bin that each value belongs to.

    Parameters
    ----------
    x : cupric.ndarray
    bins : cupric.ndarray, one axis
        Edges, ascending or descending.
    right : bool, optional
        Whether a bin includes its right edge in place of its left one.

    Returns
    -------
    cupric.ndarray of int64
        A new array of x's shape.
    """
    x, bins = device_array(x), device_array(bins)
    if bins.ndim != 1:
        raise ValueError("object too deep for desired array")
    steps = bins[1:] >= bins[:-1]
    if bool(_core.all(steps)):
        return _core.searchsorted(bins, x, side="left" if right else "right")
    if not bool(_core.all(bins[1:] <= bins[:-1])):
        raise ValueError("bins must be monotonically increasing or decreasing")
    place = _core.searchsorted(bins[::-1], x, side="left" if right else "right")
    return _core.subtract(len(bins), place)


def _extremes(x):
    """The least and the greatest element, copied to the host together."""
    both = _core.empty(2, x.dtype, device=x.device)
    _core.min(x, out=both[0])
    _core.max(x, out=both[1])
    return both.tolist()


def _comparable(x, edges):
    """Edges as values are compared with them: in the common dtype of both, or a wider
    one that there is code for."""
    dtype = np.result_type(x.dtype, edges.dtype)
    if dtype.kind in "bi":
        dtype = np.int64
    elif dtype.kind == "u":
        dtype = np.uint64
    elif dtype.itemsize < 4:
        dtype = np.float32
    return edges.astype(dtype, copy=False)


def _edges(x, bins, range):
    if np.ndim(bins):
        bins = device_array(bins)
        if bins.ndim != 1:
            raise ValueError("`bins` must be 1d, when an array")
        if not bool(_core.all(bins[1:] >= bins[:-1])):
            raise ValueError("`bins` must increase monotonically, when an array")
        return bins
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if range is not None:
        low, high = range
    elif x.size:
        low, high = _extremes(x)
    else:
        low, high = 0, 1
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    dtype = np.result_type(x.dtype, np.float32 if x.dtype.kind == "f" else np.float64)
    return _core.array(np.linspace(low, high, bins + 1, dtype=dtype))


def histogram(x, bins=10, range=None, density=False, weights=None):
    """Counts of values between edges, the last edge included.

    Parameters
    ----------
    x : cupric.ndarray
    bins : int, cupric.ndarray or sequence, optional
        How many bins of one width, or their edges.
    range : (float, float), optional
        The first and the last edge; the extremes of `x` by default.
    density : bool, optional
        Whether the integral is 1.
    weights : cupric.ndarray, optional
        One per element of `x`.

    Returns
    -------
    (cupric.ndarray, cupric.ndarray)
        The histogram and the edges. Waits for the device.
    """
    x = device_array(x)
    edges = _edges(x, bins, range)
    if x.dtype.kind == "c":
        raise TypeError(f"histograms are of real numbers, the array is {x.dtype}")
    if weights is not None and weights.shape != x.shape:
        raise ValueError("weights should have the same shape as a.")
    even = not np.ndim(bins)
    counts = _count(x, _comparable(x, edges), weights, even, len(edges) - 1)
    if weights is not None and weights.dtype.kind in "iu":
        counts = counts.astype(weights.dtype)
    if density:
        widths = _core.subtract(edges[1:], edges[:-1])
        counts = _core.divide(_core.divide(counts, widths), _core.sum(counts))
    return counts, edges
