"""Reductions that leave NaN out."""

from copy import copy

from cupric import _core
from cupric._manipulation.args import device_array, is_inexact
from cupric._statistics._order import warn_of_nan


def _mask(a, where):
    """What takes part: a mask, or None where everything does."""
    if not is_inexact(a.dtype):
        return where
    usable = _core.logical_not(_core.isnan(a))
    return usable if where is True else _core.logical_and(usable, where)


def _existing(a, axis):
    """The axis, or none of a 0-d array's, whose only number may be named 0 or -1."""
    return () if a.ndim == 0 and axis in (0, -1) else axis


def _require_inexact(a, out):
    """NaN has no place in an output of whole numbers."""
    if out is None or not is_inexact(a.dtype) or is_inexact(out.dtype):
        return
    raise TypeError(f"the result may be NaN, which {out.dtype} cannot hold")


def nanmax(a, axis=None, out=None, keepdims=False, **kwargs):
    """The largest element that is not NaN; NaN, with a warning, where there is none.
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
    """
    r = _core.fmax.reduce(a, axis=axis, out=out, keepdims=keepdims, **kwargs)
    warn_of_nan(r)
    return r


def nanmin(a, axis=None, out=None, keepdims=False, **kwargs):
    """The smallest element that is not NaN; NaN where there is none: see `nanmax`."""
    r = _core.fmin.reduce(a, axis=axis, out=out, keepdims=keepdims, **kwargs)
    warn_of_nan(r)
    return r


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """Mean of the elements that are not NaN; NaN where there is none.

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
    """
    a = device_array(a)
    _require_inexact(a, out)
    axis = _existing(a, axis)
    return _core.mean(a, axis, dtype, out, keepdims, where=_mask(a, where))


def nanvar(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, **kwargs
):
    """Variance of the elements that are not NaN.

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
    """
    a = device_array(a)
    _require_inexact(a, out)
    axis = _existing(a, axis)
    mask = _mask(a, where)
    r = _core.var(a, axis, dtype, out, ddof, keepdims, where=mask, **kwargs)
    return _blank_where_few(r, a, axis, kwargs.get("correction", ddof), keepdims, mask)


def nanstd(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, **kwargs
):
    """Standard deviation of the elements that are not NaN: see `nanvar`."""
    a = device_array(a)
    _require_inexact(a, out)
    axis = _existing(a, axis)
    mask = _mask(a, where)
    r = _core.std(a, axis, dtype, out, ddof, keepdims, where=mask, **kwargs)
    return _blank_where_few(r, a, axis, kwargs.get("correction", ddof), keepdims, mask)


def _blank_where_few(r, a, axis, ddof, keepdims, mask):
    """NaN, not infinity, where there are no more elements than degrees of freedom."""
    if not is_inexact(a.dtype) or not is_inexact(r.dtype):
        return r
    count = _core.sum(mask, axis=axis, keepdims=keepdims)
    few = _core.less_equal(count, ddof)
    return _core.add(r, float("nan"), out=r, where=few)


def nancumsum(a, axis=None, dtype=None, out=None):
    """Sums of the elements up to each one, with NaN as zero: see `cupric.cumsum`."""
    return _core.cumsum(_replaced(a, 0), axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    """Products of the elements up to each one, NaN as one: see `cupric.cumprod`."""
    return _core.cumprod(_replaced(a, 1), axis, dtype, out)


def _replaced(a, value):
    a = device_array(a)
    if not is_inexact(a.dtype):
        return a
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
