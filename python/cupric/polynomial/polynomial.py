"""Power series: values, Vandermonde and companion matrices."""

import operator

import numpy as np

from cupric import _core
from cupric._manipulation._args import parameter_array, where_it_lives
from cupric._polynomials._horner import horner
from cupric.polynomial.polyutils import as_series

__all__ = [
    "polycompanion",
    "polyval",
    "polyvalfromroots",
    "polyvander",
]


def __dir__():
    return __all__


def _inexact(x):
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _with_an_axis(x):
    return x.reshape(1) if x.ndim == 0 else x


@where_it_lives
def polyvander(x, deg):
    """Vandermonde matrix of a degree: the powers of points, from 0 to `deg`.

    Parameters
    ----------
    x : cupric.ndarray
    deg : int

    Returns
    -------
    cupric.ndarray, shape x.shape + (deg + 1,)
        A point of no axes counts as having one.

    Examples
    --------
    >>> cp.polynomial.polynomial.polyvander(cp.array([1.0, 2.0]), 2)
    array([[1., 1., 1.],
           [1., 2., 4.]])
    """
    deg = operator.index(deg)
    if deg < 0:
        raise ValueError(f"deg must be non-negative, not {deg}")
    x = _inexact(_with_an_axis(parameter_array(x)))
    powers = _core.empty((*x.shape, deg + 1), x.dtype)
    powers[..., 0] = 1
    powers[..., 1:] = x[..., None]
    powers = _core.cumprod(powers, axis=-1, out=powers)
    powers[..., 0] += x * 0  # NaN at an infinity, as NumPy's
    return powers


@where_it_lives
def polycompanion(c):
    """Companion matrix of a polynomial: its eigenvalues are the roots.

    Parameters
    ----------
    c : cupric.ndarray, shape (n + 1,)
        Coefficients, the lowest power first.

    Returns
    -------
    cupric.ndarray, shape (n, n)

    Examples
    --------
    >>> cp.polynomial.polynomial.polycompanion(cp.array([2.0, -3.0, 1.0]))
    array([[ 0., -2.],
           [ 1.,  3.]])
    """
    (c,) = as_series([c])
    n = len(c) - 1
    if n < 1:
        raise ValueError("Series must have maximum degree of at least 1.")
    made = _core.zeros((n, n), c.dtype)
    made.reshape(-1)[n :: n + 1] = 1
    made[:, -1] -= c[:-1] / c[-1]
    return made


@where_it_lives
def polyval(x, c, tensor=True):
    """Values of polynomials, by Horner's rule in one kernel.

    Parameters
    ----------
    x : cupric.ndarray
        The points.
    c : cupric.ndarray, shape (n, ...)
        Coefficients along the first axis, the lowest power first; other axes are of
        several polynomials.
    tensor : bool, optional
        Each polynomial at all points; else axes of polynomials and points broadcast.

    Returns
    -------
    cupric.ndarray, shape c.shape[1:] + x.shape

    Examples
    --------
    >>> cp.polynomial.polynomial.polyval(cp.array([1, 2]), cp.array([1.0, 2.0, 3.0]))
    array([ 6., 17.])
    """
    c = _inexact(_with_an_axis(parameter_array(c)))
    x = parameter_array(x)
    if x.dtype.kind == "b":  # numbers from here on, as in x * 0
        x = x.astype(np.int64)
    if len(c) == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    return horner(c, x, highest_first=False, tensor=bool(tensor))


@where_it_lives
def polyvalfromroots(x, r, tensor=True):
    """Values of polynomials that are given by their roots.

    Parameters
    ----------
    x : cupric.ndarray
        The points.
    r : cupric.ndarray, shape (n, ...)
        Roots along the first axis.
    tensor : bool, optional
        As for `polyval`.

    Returns
    -------
    cupric.ndarray, shape r.shape[1:] + x.shape

    Examples
    --------
    >>> cp.polynomial.polynomial.polyvalfromroots(cp.array([0.0, 4.0]), [1.0, 2.0])
    array([2., 6.])
    """
    r = _inexact(_with_an_axis(parameter_array(r)))
    x = parameter_array(x)
    if tensor:
        r = r.reshape(r.shape + (1,) * x.ndim)
    elif x.ndim >= r.ndim:
        raise ValueError(
            f"x.ndim must be < r.ndim when tensor == False: {x.ndim} and {r.ndim}"
        )
    return _core.prod(x - r, axis=0)
