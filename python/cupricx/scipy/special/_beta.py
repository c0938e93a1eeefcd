"""Names of the incomplete beta function that SciPy no longer has."""

import warnings

from cupricx.scipy.special._ufuncs import betainc, betaincinv

__all__ = ["btdtr", "btdtri"]


def _warn(name, other):
    warnings.warn(
        f"{name} is deprecated: use cupricx.scipy.special.{other}",
        DeprecationWarning,
        stacklevel=3,
    )


def btdtr(a, b, x, out=None):
    """
    Cumulative distribution of the beta distribution: `betainc`.

    Deprecated as in CuPy; SciPy has dropped the name.

    Parameters
    ----------
    a, b : array_like
        Parameters, above 0.
    x : array_like
        Numbers from 0 to 1.
    out : ndarray, optional
        Where the result is stored.

    Returns
    -------
    ndarray
        The probability of at most `x`.

    Examples
    --------
    >>> cupricx.scipy.special.btdtr(2, 3, cp.array([0.25, 0.5]))
    array([0.26171875, 0.6875    ])
    """
    _warn("btdtr", "betainc")
    return betainc(a, b, x, out=out)


def btdtri(a, b, p, out=None):
    """
    Quantiles of the beta distribution: `betaincinv`.

    Deprecated as in CuPy; SciPy has dropped the name.

    Parameters
    ----------
    a, b : array_like
        Parameters, above 0.
    p : array_like
        Probabilities.
    out : ndarray, optional
        Where the result is stored.

    Returns
    -------
    ndarray
        What is not exceeded with the probability `p`.

    Examples
    --------
    >>> cupricx.scipy.special.btdtri(2, 3, cp.array([0.26171875, 0.6875]))
    array([0.25, 0.5 ])
    """
    _warn("btdtri", "betaincinv")
    return betaincinv(a, b, p, out=out)
