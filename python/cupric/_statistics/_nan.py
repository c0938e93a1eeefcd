"""Reductions that leave NaN out."""

import math
from copy import copy

import numpy as np

from cupric import _core
from cupric._manipulation._args import device_array, is_inexact
from cupric._statistics._order import warn_of_nan

__all__ = [
    "in_less",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanstd",
    "nanvar",
]


def _mask(a, where):
    """What takes part, of numbers that may be NaN."""
    usable = _core.logical_not(_core.isnan(a))
    return usable if where is True else _core.logical_and(usable, where)


def _existing(a, axis):
    """The axis, or none of a 0-d array's, whose only number may be named 0 or -1."""
    return () if a.ndim == 0 and axis in (0, -1) else axis


def _may_be_nan(a):
    """Whole numbers are not, and take the rows without NaNs, which come compiled."""
    return not isinstance(a, _core.ndarray) or is_inexact(a.dtype)


def _require_inexact(a, out):
    """NaN has no place in an output of whole numbers."""
    if out is None or not is_inexact(a.dtype) or is_inexact(out.dtype):
        return
    raise TypeError(f"the result may be NaN, which {out.dtype} cannot hold")


def nanmax(a, axis=None, out=None, keepdims=False, **kwargs):
    """Maximum, ignoring NaNs; NaN, with a warning, for slices of NaNs alone.
    Waits for the device, unless its stream is being captured.

    Parameters
    ----------
    a : cupric.ndarray
    axis : None, int or tuple of ints, optional
    out : cupric.ndarray, optional
    keepdims : bool, optional
    initial, where : optional
        As for `cupric.max`.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nanmax(cp.array([[1, np.nan], [3, 2]]), axis=1)
    array([1., 3.])
    """
    row = _core.reductions.fmax if _may_be_nan(a) else _core.reductions.maximum
    r = row(a, axis=axis, out=out, keepdims=keepdims, **kwargs)
    warn_of_nan(r)
    return r


def nanmin(a, axis=None, out=None, keepdims=False, **kwargs):
    """Minimum, ignoring NaNs; NaN for slices of NaNs alone: see `nanmax`.

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
    initial, where : optional
        As for `cupric.min`.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nanmin(cp.array([[1, np.nan], [3, 2]]), axis=1)
    array([1., 2.])
    """
    row = _core.reductions.fmin if _may_be_nan(a) else _core.reductions.minimum
    r = row(a, axis=axis, out=out, keepdims=keepdims, **kwargs)
    warn_of_nan(r)
    return r


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """Mean, ignoring NaNs; NaN for slices of NaNs alone.

    Parameters
    ----------
    a : cupric.ndarray
    axis : None, int or tuple of ints, optional
    dtype : dtype, optional
    out : cupric.ndarray, optional
    keepdims : bool, optional
    where : cupric.ndarray of bool, optional

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nanmean(cp.array([[1, np.nan], [3, 2]]), axis=1)
    array([1. , 2.5])
    """
    a = device_array(a)
    _require_inexact(a, out)
    axis = _existing(a, axis)
    if _casts_to_less(a, dtype):
        return _core.mean(a, axis, dtype, out, keepdims, where=_mask(a, where))
    row = _core.reductions.nanmean if _may_be_nan(a) else _core.reductions.mean
    return row(a, axis, dtype, out, keepdims, where=where)


def _casts_to_less(a, dtype):
    """Whether a cast to `dtype` takes a part away that may be NaN: that of complex
    numbers to reals."""
    return dtype is not None and a.dtype.kind == "c" and np.dtype(dtype).kind != "c"


def nanvar(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, **kwargs
):
    """Variance, ignoring NaNs.

    Parameters
    ----------
    a : cupric.ndarray
    axis : None, int or tuple of ints, optional
    dtype : dtype, optional
    out : cupric.ndarray, optional
    ddof : float, optional
    keepdims : bool, optional
    where : cupric.ndarray of bool, optional
    mean, correction : optional
        As for `cupric.var`.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nanvar(cp.array([1, np.nan, 5]))
    array(4.)
    """
    return _spread(_VARIANCES, a, axis, dtype, out, ddof, keepdims, where, **kwargs)


def nanstd(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, **kwargs
):
    """Standard deviation, ignoring NaNs: see `nanvar`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : None, int or tuple of ints, optional
        Axes to go; all of them when left out.
    dtype : dtype, optional
        Of the result, and of the work.
    out : cupric.ndarray, optional
        Where the result goes. It has the result's shape.
    ddof : float, optional
        Divide by ``N - ddof``.
    keepdims : bool, optional
        Keep the axes that go, with length 1.
    where : cupric.ndarray of bool, optional
        Elements that take part; broadcasts to `a`.
    mean, correction : optional
        As for `cupric.std`.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nanstd(cp.array([1, np.nan, 3]))
    array(1.)
    """
    return _spread(_DEVIATIONS, a, axis, dtype, out, ddof, keepdims, where, **kwargs)


# Of what may be NaN, and of what cannot be: of that it is the variance, which without
# freedom is infinite, not NaN. The second of each takes the mean, too. Last, what makes
# a real number of complex ones.
_VARIANCES = (
    (_core.reductions.nanvar, _core.reductions.nanvar_about),
    (_core.reductions.var, _core.reductions.var_about),
    _core.var,
)
_DEVIATIONS = (
    (_core.reductions.nanstd, _core.reductions.nanstd_about),
    (_core.reductions.std, _core.reductions.std_about),
    _core.std,
)


def _spread(
    kinds,
    a,
    axis,
    dtype,
    out,
    ddof,
    keepdims,
    where,
    *,
    mean=None,
    correction=None,
):
    a = device_array(a)
    _require_inexact(a, out)
    if correction is not None:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    options = {"keepdims": keepdims, "where": where, "ddof": ddof}
    axis = _existing(a, axis)
    if _casts_to_less(a, dtype):
        options["where"] = _mask(a, where)
        if mean is not None:
            options["mean"] = mean
        return kinds[2](a, axis, dtype, out, **options)
    row, about = kinds[0] if _may_be_nan(a) else kinds[1]
    if mean is not None:
        return about(a, mean, axis, dtype, out, **options)
    return row(a, axis, dtype, out, **options)


def nancumsum(a, axis=None, dtype=None, out=None):
    """Cumulative sum, with NaNs as zero: see `cupric.cumsum`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : None or int, optional
        The axis to run along; when left out, the array is flattened.
    dtype : dtype, optional
        Of the result, and of the work.
    out : cupric.ndarray, optional
        Where the result goes. It has the result's shape.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nancumsum(cp.array([2, np.nan, 3]))
    array([2., 2., 5.])
    """
    return _core.cumsum(_replaced(a, 0), axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    """Cumulative product, with NaNs as one: see `cupric.cumprod`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    axis : None or int, optional
        The axis to run along; when left out, the array is flattened.
    dtype : dtype, optional
        Of the result, and of the work.
    out : cupric.ndarray, optional
        Where the result goes. It has the result's shape.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.nancumprod(cp.array([2, np.nan, 3]))
    array([2., 2., 6.])
    """
    return _core.cumprod(_replaced(a, 1), axis, dtype, out)


def _replaced(a, value):
    a = device_array(a)
    if not is_inexact(a.dtype):
        return a
    if a.dtype.kind == "f":
        return _core.nan_to_num(a, float(value), math.inf, -math.inf)
    r = copy(a)
    _core.multiply(_core.isnan(a), value, out=r, where=_core.isnan(a))
    return r


def in_less(name, a, axis, dtype, out, keepdims, initial, where):
    """nansum and nanprod with a `dtype=` of integers, or of floats where the array is
    complex: what is NaN, and may be none any more there, goes before the cast."""
    total = {"nansum": _core.sum, "nanprod": _core.prod}[name]
    mask = _mask(a, True if where is None else where)
    given = {} if initial is None else {"initial": initial}
    return total(a, axis, dtype, out, bool(keepdims), where=mask, **given)
