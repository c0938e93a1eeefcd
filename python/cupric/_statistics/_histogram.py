"""Counting by value: bincount, digitize, histogram."""

import math
import operator
import warnings

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    device_array,
    parameter_array,
    where_it_lives,
)
from cupric._statistics._bin_rules import RULES
from cupric._statistics._bins import comparable, digitize_at_once, find_extremes

__all__ = [
    "bincount",
    "count_integers",
    "digitize",
    "histogram",
    "require_memory",
]

# By the character of a dtype: as what integers are compared, negative ones as the
# largest, and the first of those that cannot be counted.
_BEYOND = {t: 2**63 for t in "?BHILQ"}  # as an unsigned number, no int64 or negative
_BEYOND |= {t: 1 << 8 * np.dtype(t).itemsize - 1 for t in "bhilq"}
MANY = 2**24  # counts, for which the device's memory is asked about before


@where_it_lives
def bincount(x, weights=None, minlength=None):
    """Count occurrences of each non-negative integer, or sum their weights.

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

    Examples
    --------
    >>> cp.bincount(cp.array([0, 1, 1, 3]))
    array([1, 2, 0, 1])
    """
    x = device_array(x)
    minlength = 0 if minlength is None else operator.index(minlength)
    if x.ndim != 1:
        what = "too deep" if x.ndim else "of too small depth"
        raise ValueError(f"object {what} for desired array")
    if x.dtype.char not in _BEYOND:
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to dtype('int64')")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if weights is not None:
        weights = _weights_of(weights, x, "The weights and list don't have the same")
        if not _core.can_cast(weights.dtype, np.float64):
            raise TypeError(
                f"Cannot cast the weights from {weights.dtype!r} to dtype('float64')"
            )
    if x.size == 0:  # without a weight, as NumPy has it
        return _core.zeros(minlength, np.int64)
    size = max(minlength, _largest(x) + 1)
    if size >= MANY:
        require_memory(x.device, size)
    return _count(x, None, weights, False, size)


def count_integers(x, weights, size):
    """Count occurrences of each integer below `size`, or sum their weights."""
    return _count(x, None, weights, False, size)


def require_memory(device, size):
    """Raise MemoryError, before allocating, for counts that do not fit in memory."""
    if size < MANY:
        return
    from cupric.cuda import get_default_memory_pool

    free = device.mem_info[0] + get_default_memory_pool().free_bytes()
    if 8 * size > free:
        raise MemoryError(
            f"{size} counts, for values up to {size - 1}, are {8 * size} bytes, and "
            f"{device} has {free} bytes free; cupric.unique(x, return_counts=True) "
            "counts values that are far apart"
        )


def _weights_of(weights, x, message):
    weights = device_array(weights)
    if weights.shape != x.shape:
        raise ValueError(f"{message} shape: {weights.shape} and {x.shape}")
    return weights


def _largest(x):
    """The largest of some integers. One look at the device also finds a negative one:
    as unsigned numbers these are the largest."""
    largest = _core.largest_unsigned(x)
    if largest < _BEYOND[x.dtype.char]:
        return largest
    if x.dtype.kind == "i":
        raise ValueError("'list' argument must have no negative elements")
    raise ValueError(f"{largest} is no int64, of which bincount counts values")


def _count(x, edges, weights, even, nbins):
    """How many values are in each bin, or what their weights come to."""
    if nbins < 2**31:
        return _core.count_values(x, edges, weights, even, nbins)
    out = _core.zeros(nbins, np.int64 if weights is None else np.float64)
    index = x.astype(np.int64, copy=False)
    _core.add.at(out, index, 1 if weights is None else weights.astype(np.float64))
    return out


@where_it_lives
def digitize(x, bins, right=False):
    """Indices of the bins that values belong to.

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

    Examples
    --------
    >>> cp.digitize(cp.array([0.5, 1.0, 2.5]), cp.array([0, 1, 2]))
    array([1, 2, 3])
    """
    x, bins = device_array(x), device_array(bins)
    if x.dtype.kind == "c" or bins.dtype.kind == "c":
        raise TypeError(f"bins order real numbers, not {x.dtype} among {bins.dtype}")
    if bins.ndim != 1:
        depth = "too deep" if bins.ndim else "of too small depth"
        raise ValueError(f"object {depth} for desired array")
    found = digitize_at_once(x, bins, right)
    if found and not found[1]:
        return found[0]
    if x.flags.fnc:
        return digitize(x.T, bins, right).T  # its elements follow each other
    if _increase(bins):
        return _core.searchsorted(bins, x, side="left" if right else "right")
    place = _core.searchsorted(bins[::-1], x, side="left" if right else "right")
    return _core.subtract(len(bins), place)


def _increase(bins):
    """Whether bins increase; ValueError where they do not decrease either."""
    if bool(_core.all(bins[1:] >= bins[:-1])):
        return True
    if bool(_core.all(bins[1:] <= bins[:-1])):
        return False
    if bool(_core.any(_core.not_equal(bins, bins))):
        # NaN is on neither side: the first two that differ decide.
        on_host = bins.get()
        before, after = on_host[:-1], on_host[1:]
        first = np.argmax(before != after)
        increasing = before[first] < after[first]
        if not np.any(before > after if increasing else before < after):
            return increasing
    raise ValueError("bins must be monotonically increasing or decreasing")


def _extremes(x):
    """The least and the greatest element, copied to the host together."""
    if x.ndim == 1 or x.flags.c_contiguous:
        return find_extremes([x.reshape(-1)])[0]
    both = _core.empty(2, x.dtype, device=x.device)
    _core.min(x, out=both[0])
    _core.max(x, out=both[1])
    return both.get()


def _edges(x, bins, range, weights):
    if np.ndim(bins):
        bins = parameter_array(bins)
        if bins.ndim != 1:
            raise ValueError("`bins` must be 1d, when an array")
        if bool(_core.any(bins[:-1] > bins[1:])):
            raise ValueError("`bins` must increase monotonically, when an array")
        return bins
    if isinstance(bins, str):
        _check_rule(bins, weights)
        low, high = _outer(x, range)
        return _even_edges(x, _rule_bins(x, bins, low, high, range), low, high, range)
    try:
        bins = operator.index(bins)
    except TypeError:
        raise TypeError("`bins` must be an integer, a string, or an array") from None
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return _even_edges(x, bins, *_outer(x, range), range)


def _outer(x, range):
    """The first and the last edge of bins of one width."""
    if range is not None:
        low, high = range
    elif x.size:
        low, high = _extremes(x)
    else:
        low, high = 0, 1
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return low, high


def _even_edges(x, bins, low, high, range):
    dtype = x.dtype if range is None else _core.result_type(low, high, x.dtype)
    dtype = np.dtype(np.float64) if dtype.kind in "biu" else dtype
    edges = np.linspace(low, high, bins + 1, dtype=dtype)
    if not (edges[:-1] < edges[1:]).all():
        raise ValueError(
            f"Too many bins for data range. Cannot create {bins} finite-sized bins."
        )
    return _core.array(edges)


def _check_rule(rule, weights):
    if rule not in RULES:
        raise ValueError(
            f"{rule!r} is not a valid estimator for `bins`: "
            f"there are {', '.join(RULES)}"
        )
    if weights is not None:
        raise TypeError(
            "Automated estimation of the number of bins is not supported for weighted "
            "data"
        )


def _rule_bins(x, rule, low, high, range):
    """How many bins a rule makes of the values from `low` to `high`."""
    if range is not None:
        x = x[(x >= low) & (x <= high)]
    if x.size == 0:
        return 1

    def count(bins):
        return _in_bins(x, _even_edges(x, bins, low, high, range), None, True)

    width = RULES[rule](x, x.size, _apart(*_extremes(x)), count)
    if not width:  # of numbers that are alike
        return 1
    if x.dtype.kind in "iu":
        width = max(width, 1)
    return int(np.ceil(_apart(low, high) / width))


def _apart(low, high):
    """The difference of two numbers; of integers one that cannot wrap."""
    if isinstance(low, np.integer) and isinstance(high, np.integer):
        return np.float64(int(high) - int(low))
    return high - low


@where_it_lives
def histogram(x, bins=10, range=None, density=False, weights=None):
    """Histogram: counts of values in bins; the last bin includes its right edge.

    Parameters
    ----------
    x : cupric.ndarray
    bins : int, str, cupric.ndarray or sequence, optional
        How many bins of one width, the rule that says how many ('auto', 'doane', 'fd',
        'rice', 'scott', 'sqrt', 'stone' or 'sturges', see
        `numpy.histogram_bin_edges`), or their edges. A rule reads a few numbers, as the
        extremes and the deviation, from the device; 'stone' tries a hundred histograms.
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

    Examples
    --------
    >>> cp.histogram(cp.array([1, 2, 2, 4]), bins=3)
    (array([1, 2, 1]), array([1., 2., 3., 4.]))
    """
    x = device_array(x)
    if x.dtype.kind == "c":
        raise TypeError(f"histograms are of real numbers, the array is {x.dtype}")
    if x.dtype.kind == "b":
        warnings.warn(
            "Converting input from bool to uint8 for compatibility.",
            RuntimeWarning,
            stacklevel=2,
        )
        x = x.astype(np.uint8)  # a byte of bools may be neither 0 nor 1
    if weights is not None:
        weights = _weights_of(weights, x, "weights should have the same")
    edges = _edges(x, bins, range, weights)
    counts = _in_bins(x, edges, weights, not np.ndim(bins))
    if density:
        widths = _core.subtract(edges[1:], edges[:-1]).astype(np.float64)
        counts = _core.divide(_core.divide(counts, widths), _core.sum(counts))
    return counts, edges


def _in_bins(x, edges, weights, even):
    """The counts of a histogram, or the sums of its weights, in their dtype."""
    nbins = max(len(edges) - 1, 0)
    edges = comparable(x, edges)
    if weights is None:
        return _count(x, edges, None, even, nbins)
    if weights.dtype.kind != "c":
        return _count(x, edges, weights, even, nbins).astype(weights.dtype)
    counts = _core.empty(nbins, weights.dtype)
    counts.real[...] = _count(x, edges, weights.real, even, nbins)
    counts.imag[...] = _count(x, edges, weights.imag, even, nbins)
    return counts
