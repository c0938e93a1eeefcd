"""Logarithms of sums of exponentials, and what is made of them."""

import numpy as np

from cupric import _core
from cupric._lib import arguments

__all__ = [
    "log_softmax",
    "logsumexp",
    "softmax",
]


def _inexact(x):
    x = arguments.array(x)
    return x if x.dtype.kind in "fcV" else x.astype("d")


def _peak(a, axis, taken=None):
    """The greatest real part along the axes, which are kept, or 0 where it is infinite;
    where `taken` is False an element does not count."""
    parts = a.real if a.dtype.kind == "c" else a
    if taken is not None:
        parts = _core.where(taken, parts, -np.inf)
    if parts.size == 0:
        return parts.sum(axis=axis, keepdims=True)
    peak = _core.max(parts, axis=axis, keepdims=True)
    return _core.where(_core.isfinite(peak), peak, peak.dtype.type(0))


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """Logarithm of the sum of the elements' exponentials.

    Parameters
    ----------
    a : cupric.ndarray
        Of real or complex dtype; integers and bool count as float64.
    axis : int or tuple of ints, optional
        Axes that are summed over; all of them by default.
    b : cupric.ndarray, optional
        Factors of the exponentials, of a shape that can be broadcast with that of `a`.
        They may be negative or 0.
    keepdims : bool, optional
        Whether the axes are kept, with length 1.
    return_sign : bool, optional
        Whether the logarithm of the sum's magnitude and its sign are returned. Without
        it the logarithm of a negative sum is NaN.

    Returns
    -------
    cupric.ndarray or tuple of cupric.ndarray
        New arrays: the logarithm and, if asked for, the sign; of complex numbers the
        sum over its magnitude.

    Notes
    -----
    Without `b` an array of real numbers is read once.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import logsumexp
    >>> logsumexp(cp.array([1000., 1000.]))
    array(1000.69314718)
    >>> logsumexp(cp.array([0., 1.]), b=cp.array([1., -1.]), return_sign=True)
    (array(0.54132485), array(-1.))
    """
    a = _inexact(a)
    if b is None and not return_sign and a.dtype.kind != "c":
        return _core.logaddexp.reduce(a, axis=axis, keepdims=keepdims)
    if b is None:
        shift = _peak(a, axis)
        terms = _core.exp(a - shift)
    else:
        b = arguments.array(b)
        taken = b != 0
        shift = _peak(a, axis, taken)
        terms = _core.where(taken, b * _core.exp(a - shift), 0)
    total = _core.sum(terms, axis=axis, keepdims=keepdims)
    if not keepdims:
        shift = shift.reshape(total.shape)
    if not return_sign:
        return _core.log(total) + shift
    size = _core.absolute(total)
    if total.dtype.kind == "c":
        sign = _core.where(size == 0, 0, total / _core.where(size == 0, 1, size))
    else:
        sign = _core.sign(total)
    return _core.log(size) + shift, sign


def softmax(x, axis=None):
    """Exponentials over their sum.

    Parameters
    ----------
    x : cupric.ndarray
    axis : int or tuple of ints, optional
        Axes that are summed over; all of them by default.

    Returns
    -------
    cupric.ndarray
        A new array of the shape of `x`, whose sum along the axes is 1.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import softmax
    >>> softmax(cp.array([1., 2., 1000.]))
    array([0., 0., 1.])
    """
    x = arguments.array(x)
    terms = x - _core.max(x, axis=axis, keepdims=True)
    if terms.dtype.kind in "fc":
        _core.exp(terms, out=terms)
    else:
        terms = _core.exp(terms)
    terms /= _core.sum(terms, axis=axis, keepdims=True)
    return terms


def log_softmax(x, axis=None):
    """Logarithm of the softmax function.

    Parameters
    ----------
    x : cupric.ndarray
    axis : int or tuple of ints, optional
        Axes that are summed over; all of them by default.

    Returns
    -------
    cupric.ndarray
        A new array of the shape of `x`: ``x`` less its ``logsumexp``, which is more
        exact than the logarithm of ``softmax(x)``.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import log_softmax
    >>> log_softmax(cp.array([0., 1000.]))
    array([-1000.,     0.])
    """
    x = arguments.array(x)
    parts = x.real if x.dtype.kind == "c" else x
    peak = _core.max(parts, axis=axis, keepdims=True)
    below = x - _core.where(_core.isfinite(peak), peak, peak.dtype.type(0))
    if below.dtype.kind not in "fcV":
        below = below.astype("d")
    if below.dtype.kind == "c":
        rest = _core.log(_core.sum(_core.exp(below), axis=axis, keepdims=True))
    else:
        rest = _core.logaddexp.reduce(below, axis=axis, keepdims=True)
    below -= rest
    return below
