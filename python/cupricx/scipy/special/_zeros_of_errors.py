"""Zeros of the error function and of Fresnel's integrals."""

import numpy as np

from cupric import _core

__all__ = [
    "erf_zeros",
    "fresnel_zeros",
    "fresnelc_zeros",
    "fresnels_zeros",
]


def _count(nt):
    if nt != int(nt) or nt <= 0 or not np.isscalar(nt):
        raise ValueError(f"the number of zeros must be a positive integer, not {nt!r}")
    return np.arange(1, int(nt) + 1)


def _by_newton(start, function, derivative):
    z = _core.asarray(start)
    for _ in range(12):
        z = z - function(z) / derivative(z)
    return z


def erf_zeros(nt):
    """First zeros of the error function in the first quadrant, by their magnitude.

    Parameters
    ----------
    nt : int
        How many.

    Returns
    -------
    cupric.ndarray of complex128, shape (nt,)

    Notes
    -----
    Newton's method from the asymptotic zeros of H. E. Fettis, J. C. Caslin and K. R.
    Cramer, "Complex zeros of the error function and of the complementary error
    function", Mathematics of Computation 27 (1973).

    Examples
    --------
    >>> from cupricx.scipy.special import erf_zeros
    >>> erf_zeros(1)
    array([1.45061616+1.880943j])
    """
    n = _count(nt)
    size = np.sqrt(np.pi * (n - 0.125))
    less = np.log(size * np.sqrt(2 * np.pi)) / (4 * size)
    start = (size - less) + 1j * (size + less)

    # erf(z) exp(z**2) = exp(z**2) - w(iz), of which nothing overflows near the zeros
    def function(z):
        return _core.exp(z * z) - _core.special.wofz(1j * z)

    return _by_newton(
        start, function, lambda z: 2 / np.sqrt(np.pi) + 2 * z * function(z)
    )


def _fresnel_start(root):
    less = np.log(np.pi * root)
    return (root - less / (np.pi**2 * root**3)) + 1j * less / (np.pi * root)


def fresnelc_zeros(nt):
    """First zeros of the Fresnel integral C in the first quadrant, by their magnitude.

    Parameters
    ----------
    nt : int
        How many.

    Returns
    -------
    cupric.ndarray of complex128, shape (nt,)

    Examples
    --------
    >>> from cupricx.scipy.special import fresnelc_zeros
    >>> fresnelc_zeros(1)
    array([1.74366749+0.30573506j])
    """
    start = _fresnel_start(np.sqrt(4 * _count(nt) - 1.0))
    return _by_newton(
        start,
        lambda z: _core.special.fresnel(z)[1],
        lambda z: _core.cos(np.pi / 2 * z * z),
    )


def fresnels_zeros(nt):
    """First zeros of the Fresnel integral S in the first quadrant, by their magnitude.

    Parameters
    ----------
    nt : int
        How many.

    Returns
    -------
    cupric.ndarray of complex128, shape (nt,)

    Examples
    --------
    >>> from cupricx.scipy.special import fresnels_zeros
    >>> fresnels_zeros(1)
    array([2.00925701+0.2885479j])
    """
    start = _fresnel_start(2 * np.sqrt(_count(nt)))
    return _by_newton(
        start,
        lambda z: _core.special.fresnel(z)[0],
        lambda z: _core.sin(np.pi / 2 * z * z),
    )


def fresnel_zeros(nt):
    """First zeros of the Fresnel integrals S and C, as a tuple of two arrays.

    Parameters
    ----------
    nt : int
        How many.

    Returns
    -------
    zeros_sine, zeros_cosine : cupric.ndarray of complex128, shape (nt,)

    Examples
    --------
    >>> from cupricx.scipy.special import fresnel_zeros
    >>> fresnel_zeros(1)
    (array([2.00925701+0.2885479j]), array([1.74366749+0.30573506j]))
    """
    return fresnels_zeros(nt), fresnelc_zeros(nt)
