"""Order statistics: the median and quantiles; weighted means."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    is_inexact,
    parameter_array,
    store_result,
    where_it_lives,
)
from cupric._statistics._quantiles import (
    DISCRETE,
    METHODS,
    MIDDLE,
    axes_of,
    length_of,
    quantiles_of_slices,
    warn_of_slices,
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
    a = parameter_array(a)
    n = length_of(a, axis)
    if n == 0:
        return _core.mean(a, axis=axis, out=out, keepdims=keepdims)
    dtype = a.dtype if is_inexact(a.dtype) else np.float64
    r = quantiles_of_slices(a, axis, n, MIDDLE, "median", dtype, keepdims)
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
    a = parameter_array(a)
    if not is_inexact(a.dtype):
        return median(a, axis, out, overwrite_input, keepdims)
    n = length_of(a, axis)
    if n == 0:
        return _core.mean(a, axis=axis, out=out, keepdims=keepdims)
    r = quantiles_of_slices(
        a, axis, n, MIDDLE, "median", a.dtype, keepdims, skips_nans=True
    )
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
        warn_of_slices(2)


def _check_method(method, interpolation):
    method = interpolation if interpolation is not None else method
    if method not in METHODS:
        raise ValueError(
            f"'{method}' is not a valid method. Use one of: {', '.join(METHODS)}"
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
    a = parameter_array(a)
    if a.dtype.kind == "c":
        raise TypeError(f"quantiles are of real numbers, the array is {a.dtype}")
    discrete = method in DISCRETE or (whole and method == "linear")
    n = length_of(a, axis)
    if n == 0 and q.size:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    dtype = a.dtype if discrete else _between_dtype(a, dtype, method)
    return store_result(
        quantiles_of_slices(a, axis, n, q, method, dtype, keepdims), out
    )


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
    a = parameter_array(a)
    if not is_inexact(a.dtype):
        if a.size:
            return _quantiles(a, fractions, axis, out, method, keepdims)
        a = a.astype(np.float64)
    if a.dtype.kind == "c":
        raise TypeError(f"quantiles are of real numbers, the array is {a.dtype}")
    q, dtype, _ = fractions
    n = length_of(a, axis)
    if n == 0:
        n, axes = 1, axes_of(axis, a.ndim)
        shape = [1 if i in axes else k for i, k in enumerate(a.shape)]
        a = _core.empty(shape, a.dtype, device=a.device)
        a.fill(float("nan"))
    dtype = a.dtype if method in DISCRETE else _between_dtype(a, dtype, method)
    r = quantiles_of_slices(
        a, axis, n, q, method, dtype, keepdims, skips_nans=True, below=3
    )
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
        a = parameter_array(a)
        r = _core.mean(a, axis=axis, keepdims=keepdims)
        if not returned:
            return r
        scale = _core.empty(r.shape, r.dtype)
        scale.fill(a.size / r.size if r.size else 0)
        return r, scale
    a = parameter_array(a)
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
        axes_of(axis, a.ndim)
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = axes_of(axis, a.ndim)
    if weights.shape != tuple(a.shape[i] for i in axes):
        raise ValueError(
            "Shape of weights must be consistent with shape of a along specified axis."
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape = [a.shape[i] if i in axes else 1 for i in range(a.ndim)]
    return weights.transpose(*order).reshape(shape)
