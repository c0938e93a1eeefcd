"""Order statistics: the median and quantiles, by a sort and a kernel, or by one kernel
of short rows on GPUs."""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._lib._library import Library, view
from cupric._lib._replay import replayed
from cupric._lib._word import call_with_word
from cupric._manipulation._args import (
    device_array,
    is_inexact,
    parameter_array,
    store_result,
    where_it_lives,
)

__all__ = [
    "average",
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
    "warn_of_nan",
]

# Where Hyndman and Fan's continuous methods place a fraction: by alpha and beta.
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "linear": (1, 1),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
# Those that give an element as it is.
_DISCRETE = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
_METHODS = (*_DISCRETE, *_CONTINUOUS, "averaged_inverted_cdf", "midpoint")
# Their numbers in the kernel, where the continuous ones but the linear are one.
_KERNEL_METHODS = (
    "continuous",
    "linear",
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "lower",
    "higher",
    "nearest",
    "midpoint",
    "median",
)


def _example(xp):
    rows = np.array([[1, 2, 2, 3], [0, 0, 0, 1]])
    results = []
    for dtype in "?bBhHiIlLefdFD":  # sorted, as not all kernels of sorts come compiled
        x = xp.asarray(rows.astype(dtype))
        results.append(_of_sorted(x, dtype if dtype in "efdFD" else "d", "median"))
        if dtype in "fd":
            results += [xp.nanmedian(x), xp.nanpercentile(x, [30, 60], axis=1)]
        if dtype in "efdil":
            both = np.array([0.3, 0.6])
            results.append(
                _of_sorted(x, "d" if dtype in "il" else dtype, "linear", both)
            )
            results.append(_of_sorted(x, dtype, "nearest"))
    return results


def _example_of_short(xp):
    table = np.arange(5 * 37).reshape(5, 37) * 11 % 31
    results = []
    for given, found in _SHORT:
        x = xp.asarray(table.astype(given))
        if given in "fd":
            x[:2, ::3] = np.nan
            x[1] = np.nan
        both = np.array([0.3, 0.6])
        for axis, q, by in ((0, both, "linear"), (1, _MIDDLE, "median")):
            for skips_nans in (False, True):
                args = axis, q, by, np.dtype(found), False, skips_nans
                r, has_nan = call_with_word(_of_short, x, *args)
                results += [r, xp.asarray(np.array(has_nan))]
    return results


_MIDDLE = np.array(0.5)  # the fraction of a median

# Fractions are rounded alike on every device: without fused operations.
_library = Library(__file__, "_quantiles.cuh", options=("-fmad=false",))
_quantiles_of = _library.kernel(
    "quantiles<T, R>",
    ships="ee ff dd FF DD fd ed ?d bd Bd hd Hd id Id ld Ld BB HH II LL",
    example=_example,
)
_SHORT = ("ff", "dd", "fd", "id", "ld")  # dtypes of elements and of quantiles
_of_short_rows = _library.kernel(
    "quantiles_of_short<T, R>", ships=" ".join(_SHORT), example=_example_of_short
)
_ITEMS, _THREADS = 8, 512  # of a thread, of a block at most: as CUPRIC_SORT_ITEMS, …
_FEW = 128  # blocks: fewer are made of smaller ones
_SMALL = 1 << 18  # elements: of more, columns are first made rows


def _axes(axis, ndim):
    if axis is None:
        return tuple(range(ndim))
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    return np.lib.array_utils.normalize_axis_tuple(axis, ndim)


_LONG = 1 << 14  # elements of a vector in which some places are selected on the CPU


def _selects(rows, fractions, skips_nans):
    """Whether `_select` is for a vector: on a GPU a sort is one pass or two more."""
    if rows.ndim != 1 or rows.size < _LONG or fractions.size > 2:
        return False
    kind = rows.dtype.kind
    if kind not in "iufc" or rows.itemsize < 4 or not _library.on_host(rows):
        return False
    if not skips_nans or kind in "iu":
        return True
    # NaNs stand behind all others, where the kernel looks for the first of them.
    waits = not _core.get_current_stream().is_capturing()
    return waits and not bool(_core.reductions.any_nan(rows))


def _select(rows, fractions):
    """Put a vector's elements at and beside some fractions where a sort would, the
    lesser before and the greater behind them, and a NaN, if there is one, last."""
    n, start = rows.size, 0
    for q in sorted(fractions.ravel().tolist()):
        place = int(q * (n - 1))  # of any method: it, its neighbours, or theirs
        low, high = max(place - 2, start), min(place + 3, n - 1)
        if high < start:
            continue
        part = rows[start:]
        first, last = low - start, high - start
        if 2 * last < part.size:  # the second time in what is the shorter part
            part.partition(last)
            part[: last + 1].partition(first)
        else:
            part.partition(first)
            part[first:].partition(last - first)
        part[first : last + 1].sort()
        start = high + 1
    if start >= n or rows.dtype.kind not in "fc":
        return
    if _core.get_current_stream().is_capturing():
        rows[start:].partition(n - 1 - start)
    elif bool(_core.reductions.any_nan(rows)):
        rows[-1:].fill(np.nan)


def _length(a, axis):
    """Of a slice along axes."""
    if axis is None:
        return a.size
    return math.prod([a.shape[i] for i in _axes(axis, a.ndim)])


def _joined(a, axis):
    """`a`, or a copy, with the reduced axes joined to one last axis, and the shape with
    1 in their place."""
    axes = _axes(axis, a.ndim)
    shape = tuple([1 if i in axes else n for i, n in enumerate(a.shape)])
    if len(axes) == a.ndim:
        return a.reshape(-1), shape
    kept = [i for i in range(a.ndim) if i not in axes]
    n = math.prod([a.shape[i] for i in axes])
    joined = a.transpose(*kept, *axes).reshape([a.shape[i] for i in kept] + [n])
    return joined, shape


def _rows(a, axis, fractions, skips_nans=False):
    """A copy of `_joined` in C order, sorted as far as the fractions need it, and the
    shape."""
    rows, shape = _joined(a, axis)
    if _selects(rows, fractions, skips_nans):
        rows = rows.copy(order="C")
        _select(rows, fractions)
    elif rows.flags.c_contiguous:
        rows = _core.sort(rows, axis=-1)
    else:
        rows = rows.copy(order="C")
        rows.sort(axis=-1)
    return rows, shape


def _arguments(method, skips_nans):
    """How the kernels are told what to do."""
    alpha, beta = _CONTINUOUS.get(method, (0, 0))
    number = _KERNEL_METHODS.index(method) if method in _KERNEL_METHODS else 0
    return number, float(alpha), float(beta), skips_nans


def _of_sorted(rows, dtype, method, fractions=_MIDDLE, skips_nans=False, word=0):
    """The quantiles of sorted rows, of one element at least, for each fraction, along
    the first axes, as `dtype`: an integer one is that of the rows. The word at an
    address is set where there is a NaN among them."""
    dtype = np.dtype(dtype)
    if dtype.char == "E":  # for which no kernel comes compiled
        wide = rows.astype(np.float32)
        r = _of_sorted(wide, np.float32, method, fractions, skips_nans, word)
        return r.astype(dtype)
    count, n, kept = fractions.size, rows.shape[-1], rows.shape[:-1]
    out = _core.empty(fractions.shape + kept, dtype, device=rows.device)
    if out.size == 0:
        return out
    result = out
    if dtype.kind in "biu":  # elements as they are: by their size
        unsigned = f"u{dtype.itemsize}"
        rows, result = rows.view(unsigned), out.view(unsigned)
    elif dtype != rows.dtype and (dtype != np.float64 or rows.dtype.char == "E"):
        rows = rows.astype(dtype)
    # One fraction is an argument, and nothing is read where an array of them would be.
    p = result if count == 1 else parameter_array(fractions)
    args = rows, result, p, fractions.item(0), count, math.prod(kept), n
    instance = _quantiles_of[rows.dtype, result.dtype]
    instance.elements(out.size, (*args, *_arguments(method, skips_nans), word))
    return out


def _takes_short(a, n, dtype):
    """Whether `_of_short` is for slices of n elements of what lies on a GPU."""
    return (
        0 < a.size <= _SMALL
        and n <= _ITEMS * _THREADS
        and a.dtype.char + dtype.char in _SHORT
    )


@replayed
def _of_short(a, axis, q, method, dtype, keepdims, skips_nans, word):
    """What `_of_sorted` finds for slices of `a`, in one launch."""
    rows, shape = _joined(a, axis)
    shape = shape if keepdims else rows.shape[:-1]
    out = _core.empty(q.shape + shape, dtype, device=a.device)
    if out.size == 0:
        return out
    table = rows.reshape(-1, rows.shape[-1])
    number, n = table.shape
    group = min(1 << (-(-n // _ITEMS) - 1).bit_length(), _THREADS)
    threads = _THREADS
    while threads > max(group, 32) and number * group < _FEW * threads:
        threads //= 2
    pieces = -(-number // (threads // group))
    p = out if q.size == 1 else parameter_array(q)
    args = view(table), out, p, q.item(0), q.size, *_arguments(method, skips_nans)
    instance = _of_short_rows[a.dtype, out.dtype]
    instance.blocks(pieces, threads, (*args, group, pieces, word))
    return out


def _by_sort(a, axis, q, method, dtype, keepdims, skips_nans, word):
    """The same of any slices."""
    rows, shape = _rows(a, axis, q, skips_nans)
    r = _of_sorted(rows, dtype, method, q, skips_nans, word)
    return r.reshape(q.shape + shape) if keepdims else r


def _compute(a, axis, n, q, method, dtype, keepdims, skips_nans=False, below=2):
    """The quantiles of slices of n elements, not 0, new; warns of NaNs where those
    among the elements are skipped: of slices of NaNs alone. So many calls `below` who
    calls the public function."""
    dtype, keepdims, compute = np.dtype(dtype), bool(keepdims), _by_sort
    if not _library.on_host(a) and _takes_short(a, n, dtype):
        compute = _of_short
    if not (skips_nans and is_inexact(dtype)):
        with a.device:
            return compute(a, axis, q, method, dtype, keepdims, False, 0)
    r, has_nan = call_with_word(compute, a, axis, q, method, dtype, keepdims, True)
    if has_nan:
        _warn_of_slices(below)
    return r


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Median over given axes: the middle element, or the mean of the middle two.

    Parameters
    ----------
    a : cupric.ndarray
    axis : None, int or tuple of ints, optional
        Axes to reduce; all of them by default.
    out : cupric.ndarray, optional
    overwrite_input : bool, optional
        Accepted; `a` stays as it is.
    keepdims : bool, optional

    Returns
    -------
    cupric.ndarray
        A new array, or `out`; NaN where there is one among the elements.

    Examples
    --------
    >>> cp.median(cp.array([[1, 5, 3], [2, 8, 4]]), axis=1)
    array([3., 4.])
    """
    a = device_array(a)
    n = _length(a, axis)
    if n == 0:
        return _core.mean(a, axis=axis, out=out, keepdims=keepdims)
    dtype = a.dtype if is_inexact(a.dtype) else np.float64
    r = _compute(a, axis, n, _MIDDLE, "median", dtype, keepdims)
    return store_result(r, out, "unsafe")


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Median, ignoring NaNs; NaN for slices of NaNs alone: see `median`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : None, int or tuple of ints, optional
        Axes to go; all of them when left out.
    out : cupric.ndarray, optional
        Where the result goes. It has the result's shape.
    overwrite_input : bool, optional
        Accepted, and makes no difference.
    keepdims : bool, optional
        Keep the axes that go, with length 1.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nanmedian(cp.array([1, np.nan, 3, 8]))
    array(3.)
    """
    a = device_array(a)
    if not is_inexact(a.dtype):
        return median(a, axis, out, overwrite_input, keepdims)
    n = _length(a, axis)
    if n == 0:
        return _core.mean(a, axis=axis, out=out, keepdims=keepdims)
    r = _compute(a, axis, n, _MIDDLE, "median", a.dtype, keepdims, skips_nans=True)
    return store_result(r, out, "unsafe")


def warn_of_nan(r):
    """Warn if the result has NaNs, of slices of NaNs alone. Waits for the result."""
    if not is_inexact(r.dtype) or _core.get_current_stream().is_capturing():
        return
    if r.size == 1:  # read rather than reduced once more
        is_nan = bool(np.isnan(r.get()))
    else:
        is_nan = bool(_core.reductions.any_nan(r))
    if is_nan:
        _warn_of_slices(2)


def _warn_of_slices(below):
    warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=below + 2)


def _check_method(method, interpolation):
    method = interpolation if interpolation is not None else method
    if method not in _METHODS:
        raise ValueError(
            f"'{method}' is not a valid method. Use one of: {', '.join(_METHODS)}"
        )
    return method


def _host_fractions(q, scale, name, limits):
    """q on the host, as fractions; the dtype that it gives the result, None where the
    array's decides; whether these are whole numbers."""
    q = q.get() if isinstance(q, _core.ndarray) else q
    weak = type(q) in (int, float)
    q = np.asarray(q)
    if q.dtype.kind not in "biuf":
        raise TypeError(f"{name} are real numbers, not {q.dtype}")
    dtype = q.dtype if q.dtype.kind == "f" else np.dtype(np.float64)
    whole = scale == 1 and q.dtype.kind != "f"
    q = q.astype(np.float64) / scale
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError(f"{name} must be in the range {limits}")
    return q, None if weak else dtype, whole


def _quantiles(a, fractions, axis, out, method, keepdims):
    q, dtype, whole = fractions
    a = device_array(a)
    if a.dtype.kind == "c":
        raise TypeError(f"quantiles are of real numbers, the array is {a.dtype}")
    discrete = method in _DISCRETE or (whole and method == "linear")
    n = _length(a, axis)
    if n == 0 and q.size:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    dtype = a.dtype if discrete else _between_dtype(a, dtype, method)
    return store_result(_compute(a, axis, n, q, method, dtype, keepdims), out)


def _between_dtype(a, dtype, method):
    """The dtype of what lies between elements, `dtype` being that of the fractions if
    they have one."""
    if a.dtype.kind == "b":
        raise TypeError(
            f"between booleans there is nothing to interpolate by '{method}': "
            "convert the array, or choose a method that gives an element"
        )
    if dtype is not None:
        return _core.result_type(a.dtype, dtype)
    return a.dtype if a.dtype.kind == "f" else np.float64


def _nanquantiles(a, fractions, axis, out, method, keepdims):
    """`_quantiles` of what is not NaN: sorted, it stands before the NaNs."""
    a = device_array(a)
    if not is_inexact(a.dtype):
        if a.size:
            return _quantiles(a, fractions, axis, out, method, keepdims)
        a = a.astype(np.float64)
    if a.dtype.kind == "c":
        raise TypeError(f"quantiles are of real numbers, the array is {a.dtype}")
    q, dtype, _ = fractions
    n = _length(a, axis)
    if n == 0:
        n, axes = 1, _axes(axis, a.ndim)
        shape = [1 if i in axes else k for i, k in enumerate(a.shape)]
        a = _core.empty(shape, a.dtype, device=a.device)
        a.fill(float("nan"))
    dtype = a.dtype if method in _DISCRETE else _between_dtype(a, dtype, method)
    r = _compute(a, axis, n, q, method, dtype, keepdims, skips_nans=True, below=3)
    return store_result(r, out)


_DOCSTRING = """{summary}

Parameters
----------
a : cupric.ndarray
q : float or array_like of floats
    {q}. A device array is copied to the host.
axis : None, int or tuple of ints, optional
    All axes by default.
out : cupric.ndarray, optional
overwrite_input : bool, optional
    Accepted; `a` stays as it is.
method : str, optional
    How a value between two elements is estimated: one of NumPy's thirteen methods.
keepdims : bool, optional
interpolation : str, optional
    The old name of `method`.

Returns
-------
cupric.ndarray, shape q.shape + the shape that remains
    {returns}

Examples
--------
{example}
"""


def _function(name, compute, scale, parameter, limits, **words):
    """A public function: quantiles by `compute`, of `q` over `scale`."""

    def function(
        a,
        q,
        axis=None,
        out=None,
        overwrite_input=False,
        method="linear",
        keepdims=False,
        *,
        interpolation=None,
    ):
        method = _check_method(method, interpolation)
        fractions = _host_fractions(q, scale, parameter, limits)
        return compute(a, fractions, axis, out, method, keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _DOCSTRING.format(q=f"{parameter}, in {limits}", **words)
    return function


_WITH_NAN = "A new array, or `out`; NaN where there is one among the elements."
_WITHOUT_NAN = (
    "A new array, or `out`. Waits for the device, unless its stream is captured."
)

quantile = _function(
    "quantile",
    _quantiles,
    1,
    "Quantiles",
    "[0, 1]",
    summary="Quantiles of elements over given axes.",
    returns=_WITH_NAN,
    example=""">>> cp.quantile(cp.array([[10, 7, 4], [3, 2, 1]]), 0.5, axis=0)
array([6.5, 4.5, 2.5])""",
)
percentile = _function(
    "percentile",
    _quantiles,
    100,
    "Percentiles",
    "[0, 100]",
    summary="Percentiles of elements over given axes.",
    returns=_WITH_NAN,
    example=""">>> cp.percentile(cp.array([1.0, 2.0, 4.0]), [50, 75])
array([2., 3.])""",
)
nanquantile = _function(
    "nanquantile",
    _nanquantiles,
    1,
    "Quantiles",
    "[0, 1]",
    summary="Quantiles, ignoring NaNs; NaN and a warning for slices of NaNs alone.",
    returns=_WITHOUT_NAN,
    example=""">>> x = cp.array([[1.0, cp.nan, 3.0], [4.0, 5.0, 9.0]])
>>> cp.nanquantile(x, 0.5, axis=1)
array([2., 5.])""",
)
nanpercentile = _function(
    "nanpercentile",
    _nanquantiles,
    100,
    "Percentiles",
    "[0, 100]",
    summary="Percentiles, ignoring NaNs; NaN and a warning for slices of NaNs alone.",
    returns=_WITHOUT_NAN,
    example=""">>> cp.nanpercentile(cp.array([1.0, cp.nan, 3.0]), 50)
array(2.)""",
)


@where_it_lives
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """Weighted mean.

    Parameters
    ----------
    a : cupric.ndarray
    axis : None, int or tuple of ints, optional
    weights : cupric.ndarray, optional
        Of a's shape, or of one axis along `axis`.
    returned : bool, optional
        Whether the sum of weights is wanted as well.
    keepdims : bool, optional

    Returns
    -------
    cupric.ndarray, or a tuple of two
        New arrays. Waits for the device when there are weights.

    Examples
    --------
    >>> cp.average(cp.array([1, 2, 3]), weights=cp.array([3, 1, 0]))
    array(1.25)
    """
    if weights is None:
        a = device_array(a)
        r = _core.mean(a, axis=axis, keepdims=keepdims)
        if not returned:
            return r
        scale = _core.empty(r.shape, r.dtype)
        scale.fill(a.size / r.size if r.size else 0)
        return r, scale
    a = device_array(a)
    weights = _beside_axes(a, axis, parameter_array(weights))
    dtype = _core.result_type(a.dtype, weights.dtype)
    if a.dtype.kind in "biu":
        dtype = _core.result_type(dtype, np.float64)
    scale = _core.sum(weights, axis=axis, dtype=dtype, keepdims=keepdims)
    # One of weights for all slices is read rather than reduced once more.
    if not bool(scale if scale.size == 1 else _core.all(scale)):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    if dtype.kind == "f" and a.dtype == weights.dtype == dtype:
        total = _core.reductions.vecdot(weights, a, axis=axis, keepdims=keepdims)
    else:
        total = _core.sum(
            _core.multiply(a, weights, dtype=dtype), axis=axis, keepdims=keepdims
        )
    r = _core.divide(total, scale)
    if returned and scale.shape != r.shape:
        scale = _core.broadcast_to(scale, r.shape).copy()
    return (r, scale) if returned else r


def _beside_axes(a, axis, weights):
    """A view of weights that broadcasts to a's shape."""
    if axis is not None:
        _axes(axis, a.ndim)
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = _axes(axis, a.ndim)
    if weights.shape != tuple(a.shape[i] for i in axes):
        raise ValueError(
            "Shape of weights must be consistent with shape of a along specified axis."
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape = [a.shape[i] if i in axes else 1 for i in range(a.ndim)]
    return weights.transpose(*order).reshape(shape)
