"""Window functions: weights that fall towards both ends."""

import math

import numpy as np

from cupric import _core

__all__ = [
    "bartlett",
    "blackman",
    "hamming",
    "hanning",
    "kaiser",
]


def _cosines(m, *weights):
    """``sum(w[k] * cos(k * pi * n))`` for n from -1 to 1."""
    if m <= 1:
        return _ends(m)
    x = _core.arange(1 - m, m, 2, dtype=np.float64) * (math.pi / (m - 1))
    r = _core.zeros(x.shape)
    for k, w in enumerate(weights):
        r += w * _core.cos(k * x)
    return r


def _ends(m):
    """The window of one element or none."""
    r = _core.empty(max(int(m), 0))
    r.fill(1)
    return r


def bartlett(M):
    """The triangular window of `M` elements with zeros at the ends.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    if M <= 1:
        return _ends(M)
    return 1 - _core.absolute(_core.arange(1 - M, M, 2, dtype=np.float64)) / (M - 1)


def blackman(M):
    """The Blackman window of `M` elements.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.blackman(5)[1:4].round(2)
    array([0.34, 1.  , 0.34])
    """
    return _cosines(M, 0.42, 0.5, 0.08)


def hamming(M):
    """The Hamming window of `M` elements.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.hamming(3)
    array([0.08, 1.  , 0.08])
    """
    return _cosines(M, 0.54, 0.46)


def hanning(M):
    """The Hann window of `M` elements.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.hanning(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _cosines(M, 0.5, 0.5)


def kaiser(M, beta):
    """The Kaiser window of `M` elements.

    Parameters
    ----------
    M : int
    beta : float
        How steep it falls.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.kaiser(3, 0)
    array([1., 1., 1.])
    """
    from cupric._math._parts import i0

    if M <= 1:
        return _ends(M)
    half = (M - 1) / 2.0
    x = (_core.arange(M, dtype=np.float64) - half) / half
    return i0(beta * _core.sqrt(1 - x * x)) / float(np.i0(beta))
