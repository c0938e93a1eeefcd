"""Relatives of the gamma function that are made of ufuncs, or are a few numbers."""

import functools
import math
import operator

from cupric import _core
from cupric._lib import arguments
from cupricx.scipy.special import _ufuncs

__all__ = ["bernoulli", "euler", "multigammaln", "polygamma", "zeta"]


def zeta(x, q=None, out=None):
    """Zeta function of Riemann or, given q, of Hurwitz.

    Parameters
    ----------
    x : array_like
        The exponent, real or complex. Of Hurwitz's function NaN below 1, where it is
        real.
    q : array_like, optional
        The first base: the sum is that of ``(n + q)**-x`` over n = 0, 1, 2, ...
    out : cupric.ndarray, optional
        Where the result goes.

    Returns
    -------
    cupric.ndarray
        The values of the zeta function.

    See Also
    --------
    scipy.special.zeta

    Notes
    -----
    Of complex exponents whose imaginary part is from 3e6 on the result is NaN: the time
    that one takes grows with it.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.zeta(cp.array([2., 3., -1.]))
    array([ 1.64493407,  1.2020569 , -0.08333333])
    >>> special.zeta(2., cp.array([0.5, 1., 10.]))
    array([4.9348022 , 1.64493407, 0.10516634])
    """
    if q is None:
        return _core.special.riemann_zeta(x, out=out)
    return _core.special.hurwitz_zeta(x, q, out=out)


def polygamma(n, x):
    """The n-th derivative of the digamma function.

    Parameters
    ----------
    n : array_like
        The order, a whole number from 0 on.
    x : array_like
        Where it is evaluated; real.

    Returns
    -------
    cupric.ndarray
        The values, float64.

    See Also
    --------
    scipy.special.polygamma

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.polygamma(1, cp.array([0.5, 1., 3.]))
    array([4.9348022 , 1.64493407, 0.39493407])
    """
    if isinstance(n, int):
        if n == 0:
            return _ufuncs.psi(_core.asarray(x, float))
        size = math.factorial(n) if 0 < n < 171 else math.inf if n > 0 else math.nan
        return zeta(n + 1, _core.asarray(x, float)) * (float(size) * (-1) ** (n + 1))
    n, x = _core.asarray(n, float), _core.asarray(x, float)
    sign = 1 - 2 * ((n + 1) % 2)
    derivative = sign * _ufuncs.gamma(n + 1) * zeta(n + 1, x)
    return _core.where(n == 0, _ufuncs.psi(x), derivative)


def multigammaln(a, d):
    """Logarithm of the multivariate gamma function.

    Parameters
    ----------
    a : array_like
        Where it is evaluated; more than ``(d - 1) / 2``.
    d : int
        The dimension of the space of integration, from 1 on.

    Returns
    -------
    cupric.ndarray
        The values at each a.

    Raises
    ------
    ValueError
        If d is not a whole number from 1 on, or an element of a is too small.

    See Also
    --------
    scipy.special.multigammaln

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.multigammaln(cp.array([2.5, 10.]), 3)
    array([ 1.88099546, 36.81285863])
    """
    a = arguments.array(a, "multigammaln")
    if not isinstance(d, (int, float)) and getattr(d, "ndim", 1):
        raise ValueError(f"d should be a positive integer (dimension), not {d!r}")
    if math.floor(d) != d or d < 1:
        raise ValueError(f"d should be a positive integer (dimension), not {d!r}")
    least = 0.5 * (d - 1)
    if bool((a <= least).any()):
        raise ValueError(f"condition a > 0.5 * (d - 1) = {least} not met")
    result = d * least * 0.5 * math.log(math.pi)
    for j in range(int(d)):
        result = _ufuncs.gammaln(a - 0.5 * j) + result
    return result


# ---- numbers -------------------------------------------------------------------------
# By R. P. Brent and D. Harvey, "Fast computation of Bernoulli, Tangent and Secant
# numbers" (2013): in whole numbers, so that each is the nearest double.

_FINITE = 260  # from here on they overflow


@functools.cache
def _bernoulli_numbers():
    count = _FINITE // 2
    tangent = [0, 1]
    for k in range(2, count + 1):
        tangent.append((k - 1) * tangent[-1])
    for k in range(2, count + 1):
        for j in range(k, count + 1):
            tangent[j] = (j - k) * tangent[j - 1] + (j - k + 2) * tangent[j]
    numbers = [1.0, -0.5]
    for k in range(1, count):
        under = 4**k * (4**k - 1)
        numbers += [(-1) ** (k - 1) * (2 * k * tangent[k]) / under, 0.0]
    return numbers[:_FINITE]


@functools.cache
def _euler_numbers():
    count = 94
    secant = [1]
    for k in range(1, count):
        secant.append(k * secant[-1])
    for k in range(1, count):
        for j in range(k + 1, count):
            secant[j] = (j - k) * secant[j - 1] + (j - k + 1) * secant[j]
    numbers = []
    for k, number in enumerate(secant):
        numbers += [float((-1) ** k * number), 0.0]
    return numbers


def _first_numbers(numbers, n):
    """n + 1 of them, of an order that is a whole number."""
    try:
        n = operator.index(n)
    except TypeError:
        if n != math.floor(n):
            raise ValueError("n must be a non-negative integer") from None
        n = int(n)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    found = numbers[: n + 1]
    for k in range(len(found), n + 1):
        previous = found[k - 2]
        found.append(-math.copysign(math.inf, previous) if previous else 0.0)
    return _core.array(found)


def bernoulli(n):
    """The Bernoulli numbers B0 to Bn.

    Parameters
    ----------
    n : int
        The number of the last one, from 0 on.

    Returns
    -------
    cupric.ndarray
        The n + 1 numbers, float64.

    See Also
    --------
    scipy.special.bernoulli

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.bernoulli(6)
    array([ 1.        , -0.5       ,  0.16666667,  0.        , -0.03333333,
            0.        ,  0.02380952])
    """
    return _first_numbers(_bernoulli_numbers(), n)


def euler(n):
    """The Euler numbers E0 to En.

    Parameters
    ----------
    n : int
        The number of the last one, from 0 on.

    Returns
    -------
    cupric.ndarray
        The n + 1 numbers, float64.

    See Also
    --------
    scipy.special.euler

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.euler(6)
    array([  1.,   0.,  -1.,   0.,   5.,   0., -61.])
    """
    return _first_numbers(_euler_numbers(), n)
