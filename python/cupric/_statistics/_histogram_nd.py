"""Histograms over several axes: histogram2d, histogramdd.

Edges are small and are made on the host, of the extremes of all coordinates, which are
copied there together; bins are found and counted on the device.
"""

import math
import operator

import numpy as np

from cupric import _core
from cupric._manipulation._args import parameter_array, where_it_lives
from cupric._manipulation._join import concatenate
from cupric._statistics._bins import densities, find_bins, find_extremes
from cupric._statistics._histogram import count_integers, require_memory

__all__ = [
    "histogram2d",
    "histogramdd",
]


def _coordinates(sample):
    """The sample as arrays of one axis, one for each dimension."""
    if isinstance(sample, np.ndarray):  # no sequence of coordinates either
        sample = parameter_array(sample)
    if isinstance(sample, _core.ndarray):
        if sample.ndim < 2:
            return [sample.reshape(-1)]
        if sample.ndim != 2:
            raise ValueError(
                f"a sample has 2 axes, (points, dimensions), not {sample.ndim}"
            )
        return [sample[:, i] for i in range(sample.shape[1])]
    sample = [parameter_array(x) for x in sample]
    if any(x.ndim != 1 for x in sample):  # points, of a nested list
        return _coordinates(parameter_array(sample))
    if len({x.size for x in sample}) > 1:
        raise ValueError(
            "the dimensions of a sample have different numbers of points: "
            f"{[x.size for x in sample]}"
        )
    if len({x.dtype for x in sample}) < 2:
        return sample
    dtype = concatenate([x[:0] for x in sample]).dtype  # bfloat16 has one with any, too
    return [x.astype(dtype, copy=False) for x in sample]


def _is_edges(bins):
    if type(bins) is int:
        return False
    return bins.ndim > 0 if isinstance(bins, _core.ndarray) else np.ndim(bins) > 0


def _read_bins(bins, n):
    """For each dimension a number, or edges on the host: of those that lie on the
    device, all are copied at once."""
    try:
        given = len(bins)
    except TypeError:
        return [bins] * n
    if given != n:
        raise ValueError(
            "The dimension of bins must be equal to the dimension of the sample x: "
            f"{given} and {n}"
        )
    bins = list(bins)
    there = [i for i, b in enumerate(bins) if isinstance(b, _core.ndarray)]
    kinds = {bins[i].dtype for i in there}
    if len(there) > 1 and len(kinds) == 1:
        on_host = concatenate([bins[i].reshape(-1) for i in there]).get()
        start = 0
        for i in there:
            end = start + bins[i].size
            bins[i] = on_host[start:end].reshape(bins[i].shape)
            start = end
    return [b.get() if isinstance(b, _core.ndarray) else b for b in bins]


def _outer_edges(columns, bins, ranges):
    """(first, last) of each dimension; None of one whose edges are given."""
    wanted = [
        i
        for i in range(len(columns))
        if not _is_edges(bins[i]) and (ranges is None or ranges[i] is None)
    ]
    found = {}
    if wanted and columns[0].size:
        extremes = find_extremes([columns[i] for i in wanted])
        found = dict(zip(wanted, extremes, strict=True))
    outer = []
    for i in range(len(columns)):
        if _is_edges(bins[i]):
            outer.append(None)
            continue
        low, high = (0, 1) if i in wanted else ranges[i]
        low, high = found.get(i, (low, high))
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(
                f"the range [{low}, {high}] of dimension {i} is not finite"
            )
        if low == high:
            low, high = low - 0.5, high + 0.5
        outer.append((low, high))
    return outer


def _edges_of(bins, outer, i):
    """The edges of dimension i, on the host."""
    if outer is None:
        edges = np.asarray(bins)
        if edges.ndim != 1:
            raise ValueError(f"`bins[{i}]` must be a scalar or 1d array")
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError(
                f"`bins[{i}]` must be monotonically increasing, when an array"
            )
        return edges
    if not _is_edges(bins) and bins < 1:
        raise ValueError(f"`bins[{i}]` must be positive, when an integer")
    try:
        n = operator.index(bins)
    except TypeError as e:
        raise TypeError(f"`bins[{i}]` must be an integer, when a scalar") from e
    with np.errstate(over="ignore", invalid="ignore"):
        edges = np.linspace(*outer, n + 1)
    if not math.isfinite(edges[0]):  # which is 0 times the range
        low, high = outer
        raise ValueError(
            f"the range [{low}, {high}] of dimension {i} is wider than the largest "
            f"{edges.dtype}: give `range=`, or convert the sample"
        )
    return edges


def _count(columns, on_host, edges, even, weights):
    """Counts, or sums of weights."""
    outer = math.prod(len(e) + 1 for e in on_host)  # of NumPy's: with what is outside
    if outer > np.iinfo(np.intp).max // np.dtype(np.intp).itemsize:
        raise ValueError(f"{outer} bins, of {len(edges)} dimensions, are too many")
    require_memory(columns[0].device, outer)
    shape = tuple(max(len(e) - 1, 0) for e in on_host)
    size = math.prod(shape)
    if size == 0 or columns[0].size == 0:
        return _core.zeros(shape, np.float64)
    index = find_bins(columns, on_host, edges, even)
    if size >= 2**31:  # an index of its own for what is outside
        index = _core.where(_core.less(index, 0), size, index)
        return count_integers(index, weights, size + 1)[:-1].reshape(shape)
    return count_integers(index, weights, size).reshape(shape)


@where_it_lives
def histogramdd(sample, bins=10, range=None, weights=None, density=False):
    """Histogram of points of several dimensions; last bins include their right edges.

    Parameters
    ----------
    sample : cupric.ndarray, shape (N, D), or a sequence of D of shape (N,)
        The points; in a sequence the coordinates of each dimension.
    bins : int or sequence, optional
        How many bins of one width, for all dimensions or each; or their edges, one
        array for each dimension, on the host or the device.
    range : sequence of (float, float) or None, optional
        The first and the last edge of each dimension; by default the extremes.
    weights : cupric.ndarray, shape (N,), optional
    density : bool, optional
        Whether the integral is 1.

    Returns
    -------
    histogram : cupric.ndarray of float64, D axes
    edges : list of cupric.ndarray
        One for each dimension. Waits for the device once where extremes are needed, and
        once where edges lie on it.

    Examples
    --------
    >>> points = cp.array([[0.0, 0.0], [0.2, 0.9], [1.0, 1.0]])
    >>> counts, edges = cp.histogramdd(points, bins=2)
    >>> counts
    array([[1., 1.],
           [0., 1.]])
    """
    columns = _coordinates(sample)
    n = len(columns)
    if n == 0:
        raise ValueError("a sample has a dimension at least")
    if any(x.dtype.kind == "c" for x in columns):
        raise TypeError("histograms are of real numbers, the sample is complex")
    if weights is not None:
        weights = _weights_of(weights, columns[0])
    bins = _read_bins(bins, n)
    if range is not None and len(range) != n:
        raise ValueError(
            f"range argument must have one entry per dimension: {len(range)} for {n}"
        )
    outer = _outer_edges(columns, bins, range)
    on_host = [
        _edges_of(b, o, i) for i, (b, o) in enumerate(zip(bins, outer, strict=True))
    ]
    edges = [parameter_array(e) for e in on_host]
    even = [o is not None for o in outer]
    counts = _count(columns, on_host, edges, even, weights)
    if density:
        widths = [np.diff(e).astype(np.float64) for e in on_host]
        return densities(counts, widths), edges
    return counts.astype(np.float64, copy=False), edges


def _weights_of(weights, x):
    weights = parameter_array(weights)
    if weights.shape != x.shape:
        raise ValueError(
            "The weights and list don't have the same length: shapes "
            f"{weights.shape} and {x.shape}"
        )
    if not _core.can_cast(weights.dtype, np.float64):
        raise TypeError(
            f"Cannot cast the weights from {weights.dtype!r} to dtype('float64')"
        )
    return weights


def histogram2d(x, y, bins=10, range=None, weights=None, density=None):
    """Histogram of points of two dimensions: see `histogramdd`.

    Parameters
    ----------
    x, y : cupric.ndarray, shape (N,)
        Coordinates.
    bins : int, (int, int), array_like or (array_like, array_like), optional
        How many bins, for both axes or each; or edges, for both or each.
    range : ((float, float), (float, float)), optional
    weights : cupric.ndarray, shape (N,), optional
        Before `density`, as in CuPy; NumPy has it behind.
    density : bool, optional

    Returns
    -------
    histogram : cupric.ndarray of float64
        The first axis is that of `x`.
    x_edges, y_edges : cupric.ndarray

    Examples
    --------
    >>> x, y = cp.array([0.0, 1.0, 1.0]), cp.array([0.0, 2.0, 2.0])
    >>> cp.histogram2d(x, y, bins=2)[0]
    array([[1., 0.],
           [0., 2.]])
    """
    x, y = parameter_array(x), parameter_array(y)
    if x.ndim == 0 or y.ndim == 0:
        raise TypeError(
            "x and y have one axis, along which points are: their shapes are "
            f"{x.shape} and {y.shape}"
        )
    if x.shape != y.shape:
        raise ValueError(f"x and y must have the same length: {x.shape} and {y.shape}")
    try:
        given = len(bins)
    except TypeError:
        given = 1
    if given not in (1, 2):
        bins = [bins, bins]
    counts, edges = histogramdd([x, y], bins, range, weights, density)
    return counts, edges[0], edges[1]
