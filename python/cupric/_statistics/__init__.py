"""Sums, extremes, moments and order statistics."""

import warnings

from cupric._core import (
    all,
    any,
    argmax,
    argmin,
    clip,
    count_nonzero,
    cumprod,
    cumsum,
    max,
    mean,
    min,
    nanargmax,
    nanargmin,
    nanprod,
    nansum,
    prod,
    ptp,
    std,
    sum,
    var,
)
from cupric._statistics._covariance import corrcoef, cov
from cupric._statistics._histogram import bincount, digitize, histogram
from cupric._statistics._histogram_nd import histogram2d, histogramdd
from cupric._statistics._nan import (
    nancumprod,
    nancumsum,
    nanmax,
    nanmean,
    nanmin,
    nanstd,
    nanvar,
)
from cupric._statistics._order import (
    average,
    median,
    nanmedian,
    nanpercentile,
    nanquantile,
    percentile,
    quantile,
)

__all__ = [
    "all",
    "alltrue",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "average",
    "bincount",
    "clip",
    "corrcoef",
    "count_nonzero",
    "cov",
    "cumprod",
    "cumsum",
    "digitize",
    "histogram",
    "histogram2d",
    "histogramdd",
    "max",
    "mean",
    "median",
    "min",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "percentile",
    "prod",
    "ptp",
    "quantile",
    "sometrue",
    "std",
    "sum",
    "var",
]

amax = max
amin = min


def alltrue(a, axis=None, out=None, keepdims=False):
    """Deprecated: see `all`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : None, int or tuple of ints, optional
        Axes to go; all of them when left out.
    out : cupric.ndarray, optional
        Where the result goes. It has the result's shape.
    keepdims : bool, optional
        Keep the axes that go, with length 1.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     cp.alltrue(cp.array([1, 0]))
    array(False)
    """
    warnings.warn("Please use `all` instead.", DeprecationWarning, stacklevel=2)
    return all(a, axis, out, keepdims)


def sometrue(a, axis=None, out=None, keepdims=False):
    """Deprecated: see `any`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : None, int or tuple of ints, optional
        Axes to go; all of them when left out.
    out : cupric.ndarray, optional
        Where the result goes. It has the result's shape.
    keepdims : bool, optional
        Keep the axes that go, with length 1.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     cp.sometrue(cp.array([1, 0]))
    array(True)
    """
    warnings.warn("Please use `any` instead.", DeprecationWarning, stacklevel=2)
    return any(a, axis, out, keepdims)
