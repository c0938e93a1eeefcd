"""Questions about kinds of numbers."""

import numpy as np

from cupric import _core
from cupric._creation._basic import ones
from cupric._manipulation._args import device_array, parameter_array, where_it_lives

__all__ = [
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
]


def iscomplexobj(x):
    """Whether an array, scalar or list is of a complex type, whatever its values.

    Parameters
    ----------
    x : object
        An array, a scalar or a list.

    Returns
    -------
    bool

    Examples
    --------
    >>> cp.iscomplexobj(cp.array([1 + 0j]))
    True
    """
    dtype = getattr(x, "dtype", None)
    return bool(np.iscomplexobj(x)) if dtype is None else dtype.kind == "c"


def isrealobj(x):
    """Whether an array, scalar or list is not of a complex type.

    Parameters
    ----------
    x : object
        An array, a scalar or a list.

    Returns
    -------
    bool

    Examples
    --------
    >>> cp.isrealobj(cp.array([1 + 0j]))
    False
    """
    return not iscomplexobj(x)


@where_it_lives
def iscomplex(x):
    """Where the imaginary part is not zero: a new array of bool.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    cupric.ndarray of bool

    Examples
    --------
    >>> cp.iscomplex(cp.array([1 + 0j, 1j]))
    array([False,  True])
    """
    x = parameter_array(x)
    return _core.iscomplex(x) if x.dtype.kind == "c" else _core.zeros(x.shape, bool)


@where_it_lives
def isreal(x):
    """Where the imaginary part is zero: a new array of bool.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    cupric.ndarray of bool

    Examples
    --------
    >>> cp.isreal(cp.array([1 + 0j, 1j]))
    array([ True, False])
    """
    x = parameter_array(x)
    return _core.isreal(x) if x.dtype.kind == "c" else ones(x.shape, bool)


def isneginf(x, out=None):
    """Where an element is minus infinity.

    Parameters
    ----------
    x : cupric.ndarray of a real dtype
    out : cupric.ndarray of bool, optional

    Returns
    -------
    cupric.ndarray of bool
        A new array, or `out`.

    Examples
    --------
    >>> cp.isneginf(cp.array([-np.inf, 0.0, np.inf]))
    array([ True, False, False])
    """
    return _core.equal(_real(x), float("-inf"), out)


def isposinf(x, out=None):
    """Where an element is plus infinity: see `isneginf`.

    Parameters
    ----------
    x : cupric.ndarray
        The array, of real numbers.
    out : cupric.ndarray, optional
        Where the result goes.

    Returns
    -------
    cupric.ndarray of bool

    Examples
    --------
    >>> cp.isposinf(cp.array([-np.inf, 0.0, np.inf]))
    array([False, False,  True])
    """
    return _core.equal(_real(x), float("inf"), out)


def _real(x):
    x = device_array(x)
    if x.dtype.kind == "c":
        raise TypeError(
            f"This operation is not supported for {x.dtype} values because it would be "
            "ambiguous."
        )
    return x
