"""Zeros of Airy functions."""

import math
import operator

from cupric import _core
from cupricx.scipy.special import _ufuncs

__all__ = ["ai_zeros", "bi_zeros"]

_STEPS = 4  # Newton's, each of which doubles the digits, of three at first


def _count(nt):
    try:
        count = operator.index(nt)
    except TypeError:
        count = 0
    if count < 1:
        raise ValueError(f"nt has to be a positive integer, not {nt!r}")
    return count


def _of_function(t):
    """https://dlmf.nist.gov/9.9.E18"""
    w = t**-2
    return -(t ** (2 / 3)) * (1 + w * (5 / 48 + w * (-5 / 36 + w * 77125 / 82944)))


def _of_derivative(t):
    """https://dlmf.nist.gov/9.9.E19"""
    w = t**-2
    return -(t ** (2 / 3)) * (1 + w * (-7 / 48 + w * (35 / 288 - w * 181223 / 207360)))


def _zeros(nt, function, first, derivative_first):
    """Of one of the two, 0 or 1, and of its derivative; values of the other at each.
    The first zeros' expansions are not near enough."""
    k = _core.arange(1, _count(nt) + 1, dtype="d")
    quarter = 3 * math.pi / 8
    of_ai = quarter * (4 * k - 1), quarter * (4 * k - 3)
    x = _of_function(of_ai[function])
    x[0] = first
    slope_x = _of_derivative(of_ai[1 - function])
    slope_x[0] = derivative_first
    for _ in range(_STEPS):
        value, slope = _ufuncs.airy(x)[2 * function :][:2]
        x = x - value / slope
        value, slope = _ufuncs.airy(slope_x)[2 * function :][:2]
        slope_x = slope_x - slope / (slope_x * value)
    values = _ufuncs.airy(slope_x)[2 * function]
    return x, slope_x, values, _ufuncs.airy(x)[2 * function + 1]


def ai_zeros(nt):
    """Zeros of the Airy function Ai and of its derivative.

    Parameters
    ----------
    nt : int
        How many of each.

    Returns
    -------
    a : ndarray
        The zeros of Ai that are nearest to 0, in this order.
    ap : ndarray
        Those of its derivative.
    ai : ndarray
        Ai at `ap`.
    aip : ndarray
        Its derivative at `a`.

    See Also
    --------
    scipy.special.ai_zeros

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.ai_zeros(2)[0]
    array([-2.33810741, -4.08794944])
    """
    return _zeros(nt, 0, -2.338, -1.0188)


def bi_zeros(nt):
    """Zeros of the Airy function Bi and of its derivative.

    Parameters
    ----------
    nt : int
        How many of each.

    Returns
    -------
    b : ndarray
        The zeros of Bi that are nearest to 0, in this order.
    bp : ndarray
        Those of its derivative.
    bi : ndarray
        Bi at `bp`.
    bip : ndarray
        Its derivative at `b`.

    See Also
    --------
    scipy.special.bi_zeros

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.bi_zeros(2)[0]
    array([-1.17371322, -3.2710933 ])
    """
    return _zeros(nt, 1, -1.1737, -2.2944)
