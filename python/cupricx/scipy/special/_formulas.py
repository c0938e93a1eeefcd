"""Formulas that are a composition of other functions."""

import numpy as np

from cupric import _core
from cupric._lib import arguments

__all__ = ["diric", "softplus"]


def diric(x, n):
    """Periodic sinc function, Dirichlet's: ``sin(n x / 2) / (n sin(x / 2))``.

    Parameters
    ----------
    x : cupric.ndarray
    n : int or cupric.ndarray
        The number of periods; the result is NaN where it is not a positive integer.

    Returns
    -------
    cupric.ndarray
        A new array of the shape that `x` and `n` are broadcast to.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import diric
    >>> diric(cp.array([0., 1., 2.]), 3)
    array([1.        , 0.69353487, 0.05590211])
    """
    x, n = arguments.array(x), arguments.array(n)
    dtype = np.result_type(x.dtype, n.dtype, np.float32)
    dtype = dtype if dtype.char in "fd" else np.dtype("d")
    x, n = x.astype(dtype, copy=False), n.astype(dtype, copy=False)
    close = {"f": 1e-4, "d": 1e-7}[dtype.char]
    under = _core.sin(x / 2)
    at_multiple = _core.absolute(under) < close
    # near a multiple of 2 pi all are 1, or -1 at odd multiples of an even n
    odd = _core.remainder(_core.rint(x / (2 * np.pi)) * (n - 1), 2) != 0
    limit = _core.where(odd, dtype.type(-1), dtype.type(1))
    ratio = _core.sin(n * x / 2) / (n * _core.where(at_multiple, dtype.type(1), under))
    valid = (n > 0) & (n == _core.floor(n))
    return _core.where(
        valid, _core.where(at_multiple, limit, ratio), dtype.type(np.nan)
    )


def softplus(x, **kwargs):
    """Smooth approximation of ``maximum(x, 0)``: ``log(1 + exp(x))``.

    Parameters
    ----------
    x : cupric.ndarray
    **kwargs
        Keywords of ufuncs: `out`, `where`, `dtype`, `casting`.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import softplus
    >>> softplus(cp.array([-1000., 0., 1000.]))
    array([0.00000000e+00, 6.93147181e-01, 1.00000000e+03])
    """
    return _core.logaddexp(0, x, **kwargs)
