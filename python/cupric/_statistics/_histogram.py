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
    size = minlength
    if x.size:
        low, high = int(_core.min(x)), int(_core.max(x))
        if low < 0:
            raise ValueError("'list' argument must have no negative elements")
        size = max(size, high + 1)
    out = _core.zeros(size, np.int64 if weights is None else np.float64)
    if x.size:
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
        low, high = _core.min(x).item(), _core.max(x).item()
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
    x = x.ravel()
    w = None if weights is None else weights.ravel()
    # Insertion points, of the last edge itself into the last bin.
    place = _core.searchsorted(edges, x, side="right")
    place = _core.subtract(place, _core.equal(x, edges[-1]), dtype=np.int64)
    inside = _core.logical_and(place > 0, place < len(edges))
    counts = bincount(place[inside], None if w is None else w[inside], len(edges))[1:]
    if w is not None and w.dtype.kind in "iu":
        counts = counts.astype(w.dtype)
    if density:
        widths = _core.subtract(edges[1:], edges[:-1])
        counts = _core.divide(_core.divide(counts, widths), _core.sum(counts))
    return counts, edges
