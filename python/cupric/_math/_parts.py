"""Functions around an operation of the core that take more than a ufunc does."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import device_array, parameter_array

__all__ = [
    "angle",
    "i0",
    "imag",
    "nan_to_num",
    "real",
    "real_if_close",
    "sinc",
]


def real(val):
    """The real part: of a complex array a view, of a real one the array itself.

    Parameters
    ----------
    val : array_like
        The array.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.real(cp.array([1 + 2j]))
    array([1.])
    """
    return parameter_array(val).real


def imag(val):
    """The imaginary part: of a complex array a view, of a real one zeros.

    Parameters
    ----------
    val : array_like
        The array.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.imag(cp.array([1 + 2j]))
    array([2.])
    """
    return parameter_array(val).imag


def real_if_close(a, tol=100):
    """The real part if the imaginary one is next to nothing. Waits for the device.

    Parameters
    ----------
    a : cupric.ndarray
    tol : float, optional
        The largest imaginary part: in units of the type's precision when above 1.

    Returns
    -------
    cupric.ndarray
        A view, or `a`.

    Examples
    --------
    >>> cp.real_if_close(cp.array([1 + 1e-15j, 2 + 0j]))
    array([1., 2.])
    """
    a = parameter_array(a)
    part = a.real
    if part is a:
        return a
    limit = tol * float(np.finfo(a.dtype).eps) if tol > 1 else tol
    return part if _core.all(_core.absolute(a.imag) < limit).item() else a


def angle(z, deg=False):
    """The argument of complex numbers, in radians or degrees.

    Parameters
    ----------
    z : cupric.ndarray
    deg : bool, optional

    Returns
    -------
    cupric.ndarray
        A new array of floats.

    Examples
    --------
    >>> cp.angle(cp.array([1, 1j, -1 + 0j]), deg=True)
    array([  0.,  90., 180.])
    """
    a = _core.angle(z)
    return _core.rad2deg(a) if deg else a


def sinc(x):
    """``sin(pi x) / (pi x)``, 1 at 0.

    Parameters
    ----------
    x : cupric.ndarray
        The array.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.sinc(cp.array([0.0, 0.5]))
    array([1.        , 0.63661977])
    """
    return _core.sinc(x)


def i0(x):
    """The modified Bessel function of the first kind, order 0.

    Parameters
    ----------
    x : cupric.ndarray
        The array.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.i0(cp.array([0.0, 1.0]))
    array([1.        , 1.26606588])
    """
    return _core.i0(x)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Numbers in place of NaN and the infinities.

    Parameters
    ----------
    x : cupric.ndarray
    copy : bool, optional
        False: in place.
    nan, posinf, neginf : scalar or cupric.ndarray, optional
        What is put there: arrays broadcast to `x` and are converted to its dtype. The
        infinities become the largest finite values by default.

    Returns
    -------
    cupric.ndarray
        A new array, or `x`.

    Examples
    --------
    >>> cp.nan_to_num(cp.array([1.0, np.nan, np.inf]), posinf=9)
    array([1., 0., 9.])
    """
    x = device_array(x)
    if x.dtype.kind in "biu":
        return x.astype(x.dtype) if copy else x
    finite = _largest(x.dtype)
    posinf = finite if posinf is None else posinf
    neginf = -finite if neginf is None else neginf
    nan, posinf, neginf = (_filling(f, x) for f in (nan, posinf, neginf))
    return _core.nan_to_num(x, nan, posinf, neginf, out=None if copy else x)


def _largest(dtype):
    """The largest finite number. NumPy's finfo does not know bfloat16."""
    return (2 - 2**-7) * 2.0**127 if dtype.kind == "V" else float(np.finfo(dtype).max)


def _filling(value, x):
    """What is put into `x`: a number, or an array of its shape and dtype."""
    if not isinstance(value, _core.ndarray):
        return value
    if not _core.can_cast(value.dtype, x.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast array data from dtype('{value.dtype}') to "
            f"dtype('{x.dtype}') according to the rule 'same_kind'"
        )
    return _core.broadcast_to(value, x.shape).astype(x.dtype, copy=False)
