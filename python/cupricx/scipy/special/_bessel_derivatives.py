"""Derivatives of Bessel functions, of any order: sums of the functions of the orders
beside, https://dlmf.nist.gov/10.6.E7 and 10.29.E5."""

import math
import operator

from cupric import _core
from cupricx.scipy.special import _ufuncs

__all__ = ["h1vp", "h2vp", "ivp", "jvp", "kvp", "yvp"]


def _times(n):
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(
            f"n has to be a non-negative integer, not {type(n).__name__}"
        ) from None
    if n < 0:
        raise ValueError(f"n has to be a non-negative integer, not {n}")
    return n


def _derivative(function, v, z, n, sign):
    """2**-n times the sum of binomials, with alternating signs if `sign` is -1."""
    n = _times(n)
    if n == 0:
        return function(v, z)
    v = _core.asarray(v)
    if v.dtype.kind in "?bui":
        v = v.astype("d")
    total = function(v - n, z)
    for k in range(1, n + 1):
        total = total + sign**k * math.comb(n, k) * function(v - n + 2 * k, z)
    return total / 2**n


def jvp(v, z, n=1):
    """Derivatives of Bessel functions of the first kind.

    Parameters
    ----------
    v : array_like
        Order, real.
    z : array_like
        Argument, real or complex.
    n : int, optional
        How many times to differentiate; 0 is the function itself.

    Returns
    -------
    ndarray
        The `n`-th derivative with respect to `z`.

    See Also
    --------
    scipy.special.jvp

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.jvp(1, cp.array([1.0, 2.0]))
    array([ 0.3251471 , -0.06447162])
    """
    return _derivative(_ufuncs.jv, v, z, n, -1)


def yvp(v, z, n=1):
    """Derivatives of Bessel functions of the second kind.

    Parameters
    ----------
    v : array_like
        Order, real.
    z : array_like
        Argument, real or complex.
    n : int, optional
        How many times to differentiate; 0 is the function itself.

    Returns
    -------
    ndarray
        The `n`-th derivative with respect to `z`.

    See Also
    --------
    scipy.special.yvp

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.yvp(1, cp.array([1.0, 2.0]))
    array([0.86946979, 0.56389189])
    """
    return _derivative(_ufuncs.yv, v, z, n, -1)


def h1vp(v, z, n=1):
    """Derivatives of Hankel functions of the first kind.

    Parameters
    ----------
    v : array_like
        Order, real.
    z : array_like
        Argument, real or complex.
    n : int, optional
        How many times to differentiate; 0 is the function itself.

    Returns
    -------
    ndarray
        The `n`-th derivative with respect to `z`.

    See Also
    --------
    scipy.special.h1vp

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.h1vp(1, cp.array([1.0, 2.0]))
    array([ 0.3251471 +0.86946979j, -0.06447162+0.56389189j])
    """
    return _derivative(_ufuncs.hankel1, v, z, n, -1)


def h2vp(v, z, n=1):
    """Derivatives of Hankel functions of the second kind.

    Parameters
    ----------
    v : array_like
        Order, real.
    z : array_like
        Argument, real or complex.
    n : int, optional
        How many times to differentiate; 0 is the function itself.

    Returns
    -------
    ndarray
        The `n`-th derivative with respect to `z`.

    See Also
    --------
    scipy.special.h2vp

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.h2vp(1, cp.array([1.0, 2.0]))
    array([ 0.3251471 -0.86946979j, -0.06447162-0.56389189j])
    """
    return _derivative(_ufuncs.hankel2, v, z, n, -1)


def ivp(v, z, n=1):
    """Derivatives of modified Bessel functions of the first kind.

    Parameters
    ----------
    v : array_like
        Order, real.
    z : array_like
        Argument, real or complex.
    n : int, optional
        How many times to differentiate; 0 is the function itself.

    Returns
    -------
    ndarray
        The `n`-th derivative with respect to `z`.

    See Also
    --------
    scipy.special.ivp

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.ivp(1, cp.array([1.0, 2.0]))
    array([0.70090677, 1.48426688])
    """
    return _derivative(_ufuncs.iv, v, z, n, 1)


def kvp(v, z, n=1):
    """Derivatives of modified Bessel functions of the second kind.

    Parameters
    ----------
    v : array_like
        Order, real.
    z : array_like
        Argument, real or complex.
    n : int, optional
        How many times to differentiate; 0 is the function itself.

    Returns
    -------
    ndarray
        The `n`-th derivative with respect to `z`.

    See Also
    --------
    scipy.special.kvp

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.kvp(1, cp.array([1.0, 2.0]))
    array([-1.02293167, -0.18382681])
    """
    return (-1) ** _times(n) * _derivative(_ufuncs.kv, v, z, n, 1)
