"""Order statistics: the median and quantiles, by sorting."""

import warnings
from copy import copy

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    device_array,
    is_inexact,
    parameter_array,
    require_one_device,
    store_result,
)
from cupric._manipulation._join import concatenate

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


def _axes(axis, ndim):
    if axis is None:
        return tuple(range(ndim))
    return np.lib.array_utils.normalize_axis_tuple(axis, ndim)


def _rows(a, axis):
    """A sorted copy with the reduced axes joined to one last axis, and the shape with 1
    in their place."""
    axes = _axes(axis, a.ndim)
    kept = [i for i in range(a.ndim) if i not in axes]
    n = int(np.prod([a.shape[i] for i in axes], dtype=np.int64))
    rows = a.transpose(*kept, *axes).reshape([a.shape[i] for i in kept] + [n])
    shape = [1 if i in axes else a.shape[i] for i in range(a.ndim)]
    return _core.sort(rows, axis=-1), tuple(shape)


def _finish(r, shape, keepdims, out, casting="same_kind"):
    """`r` with its kept dimensions (after those of q), or put into `out`."""
    return store_result(r.reshape(shape) if keepdims else r, out, casting)


def _inexact(a):
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _nan_where(r, hole):
    """`r` with NaN where `hole` is true."""
    return _core.add(r, float("nan"), out=r, where=hole)


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
    rows, shape = _rows(a if is_inexact(a.dtype) else a.astype(np.float64), axis)
    n = rows.shape[-1]
    if n == 0:
        return _core.mean(a, axis=axis, out=out, keepdims=keepdims)
    middle = rows[..., (n - 1) // 2 : n // 2 + 1]
    r = _nan_where(_core.mean(middle, axis=-1), _core.isnan(rows[..., -1]))
    return _finish(r, shape, keepdims, out, "unsafe")


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
    rows, shape = _rows(a, axis)
    if rows.shape[-1] == 0:
        return _core.mean(a, axis=axis, out=out, keepdims=keepdims)
    usable = _core.logical_not(_core.isnan(rows))
    count = _core.sum(usable, axis=-1, keepdims=True)
    high = _core.minimum(_core.floor_divide(count, 2), rows.shape[-1] - 1)
    low = _core.maximum(_core.floor_divide(count - 1, 2), 0)
    below, above = _pick(rows, low), _pick(rows, high)
    # The sum of two may overflow: an odd count has one element in the middle.
    mean = _core.mean(concatenate((below, above), axis=-1), axis=-1, keepdims=True)
    r = _core.where(_core.equal(below, above), below, mean)[..., 0]
    warn_of_nan(r)
    return _finish(r, shape, keepdims, out, "unsafe")


def warn_of_nan(r):
    """Warn if the result has NaNs, of slices of NaNs alone. Waits for the result."""
    if not is_inexact(r.dtype) or _core.get_current_stream().is_capturing():
        return
    if r.size == 1:  # read rather than reduced once more
        is_nan = bool(np.isnan(r.get()))
    else:
        is_nan = bool(_core.reductions.any_nan(r))
    if is_nan:
        warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)


def _pick(rows, index):
    from cupric import take_along_axis

    return take_along_axis(rows, index, axis=-1)


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
    rows, shape = _rows(a, axis)
    n = rows.shape[-1]
    if n == 0 and q.size:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    if not discrete:
        if a.dtype.kind == "b":
            raise TypeError(
                f"between booleans there is nothing to interpolate by '{method}': "
                "convert the array, or choose a method that gives an element"
            )
        if dtype is None:
            rows = _inexact(rows)
        else:
            rows = rows.astype(np.result_type(rows.dtype, dtype), copy=False)
    if q.size == 0:
        r = _core.empty(q.shape + rows.shape[:-1], rows.dtype, device=rows.device)
        return _finish(r, q.shape + shape, keepdims, out)
    hole = _core.isnan(rows[..., -1]) if is_inexact(rows.dtype) else None
    places = [_place(method, p, n) for p in q.ravel().tolist()]
    if q.ndim == 0:
        r = _between(rows, *places[0])
    else:
        r = _all_between(rows, places)
    if hole is not None:
        r = _nan_where(r, hole)
    return _finish(r.reshape(q.shape + rows.shape[:-1]), q.shape + shape, keepdims, out)


def _place(method, p, n):
    """Where the fraction `p` of `n` sorted elements is: the element below, and how far
    from there to the next one."""
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        at = n * p + alpha + p * (1 - alpha - beta) - 1
        at = p * (n - 1) if method == "linear" else min(max(at, 0), n - 1)
    elif method == "closest_observation":
        at = n * p - 1.5
        at = np.floor(at) if at % 2 == 1 else np.floor(at) + 1
    elif method in ("inverted_cdf", "averaged_inverted_cdf"):
        at = n * p - 1
        whole = at == np.floor(at)
        at = at + 0.5 if whole and method[0] == "a" else np.ceil(at)
    else:
        at = p * (n - 1)
        step = {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}
        at = step[method](at) if method in step else (np.floor(at) + np.ceil(at)) / 2
    at = float(min(max(at, 0), n - 1))
    low = int(at)
    return low, at - low


def _between(rows, low, t):
    """The value `t` of the way from an element to the next."""
    if t == 0:
        return copy(rows[..., low])
    high = low + 1
    a, b = rows[..., low], rows[..., high]
    step = _core.subtract(b, a)
    if t < 0.5:
        return _core.add(a, step * t)
    return _core.subtract(b, step * (1 - t))


def _beside(a, x):
    """A copy of the NumPy array `x` on the device of `a`."""
    r = _core.empty(x.shape, x.dtype, device=a.device)
    r.set(x)
    return r


def _all_between(rows, places):
    """`_between` for several places at once, along a new first axis."""
    count, last = len(places), rows.shape[-1] - 1
    low = np.array([i for i, _ in places], np.int64)
    t = np.array([t for _, t in places], np.float64)
    high = np.minimum(low + 1, last)
    # From the nearer of both: the same sum as _between's.
    near = np.where(t < 0.5, low, high)
    index = _beside(rows, np.concatenate([low, high, near]))
    picked = rows.transpose(-1, *range(rows.ndim - 1))[index]
    if not t.any():
        return picked[:count]
    column = (-1,) + (1,) * (rows.ndim - 1)
    weight = np.where(t < 0.5, t, t - 1).astype(rows.dtype).reshape(column)
    step = _core.subtract(picked[count : 2 * count], picked[:count])
    step = _core.multiply(step, _beside(rows, weight), out=step)
    between = _beside(rows, (t != 0).reshape(column))
    r = picked[2 * count :]
    return _core.add(r, step, out=r, where=between)


def _places(method, p, n):
    """`_place` where each row has its own number of elements: arrays."""
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        if method == "linear":
            at = p * (n - 1)
        else:
            at = n * p + (alpha + p * (1 - alpha - beta) - 1)
    elif method == "closest_observation":
        at = n * p - 1.5
        low = _core.floor(at)
        at = _core.where(at % 2 == 1, low, low + 1)
    elif method in ("inverted_cdf", "averaged_inverted_cdf"):
        at = n * p - 1
        up = _core.ceil(at)
        at = _core.where(at == up, at + 0.5, up) if method[0] == "a" else up
    else:
        at = p * (n - 1)
        low, high = _core.floor(at), _core.ceil(at)
        step = {"lower": low, "higher": high, "nearest": _core.rint(at)}
        at = step[method] if method in step else (low + high) / 2
    at = _core.maximum(_core.minimum(at, n - 1), 0)
    low = _core.floor(at)
    return low.astype(np.int64), at - low


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
    rows, shape = _rows(a, axis)
    if rows.shape[-1] == 0:
        rows = _core.empty((*rows.shape[:-1], 1), a.dtype, device=a.device)
        rows.fill(float("nan"))
    if dtype is not None and method not in _DISCRETE:
        rows = rows.astype(np.result_type(rows.dtype, dtype), copy=False)
    count = _core.sum(_core.equal(rows, rows), axis=-1, keepdims=True)
    p = _beside(rows, q.reshape(-1))
    low, t = _places(method, p, count.astype(np.float64))
    below = _pick(rows, low)
    if method not in _DISCRETE:
        above = _pick(rows, _core.minimum(low + 1, _core.maximum(count - 1, 0)))
        t, step = t.astype(rows.dtype, copy=False), above - below
        nearer = _core.where(t < 0.5, below + step * t, above - step * (1 - t))
        below = _core.where(t == 0, below, nearer)
    r = below.transpose(-1, *range(below.ndim - 1))
    r = r.reshape(q.shape + rows.shape[:-1])
    warn_of_nan(r)
    return _finish(r, q.shape + shape, keepdims, out)


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
        scale = _core.empty(r.shape, r.dtype, device=r.device)
        scale.fill(a.size / r.size if r.size else 0)
        return r, scale
    a = device_array(a)
    if not isinstance(weights, _core.ndarray):
        with a.device:
            weights = parameter_array(weights)
    weights = _beside_axes(a, axis, weights)
    dtype = np.result_type(a.dtype, weights.dtype)
    if a.dtype.kind in "biu":
        dtype = np.result_type(dtype, np.float64)
    scale = _core.sum(weights, axis=axis, dtype=dtype, keepdims=keepdims)
    # One of weights for all slices is read rather than reduced once more.
    if not bool(scale if scale.size == 1 else _core.all(scale)):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    if dtype.kind == "f" and a.dtype == weights.dtype:
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
    require_one_device(a, weights)
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
