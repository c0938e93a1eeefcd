"""Questions about kinds of numbers."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import device_array

__all__ = [
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
]


def iscomplexobj(x):
    """Whether an array, scalar or list is of a complex type, whatever its values."""
    dtype = getattr(x, "dtype", None)
    return bool(np.iscomplexobj(x)) if dtype is None else dtype.kind == "c"


def isrealobj(x):
    """Whether an array, scalar or list is not of a complex type."""
    return not iscomplexobj(x)


def iscomplex(x):
    """Where the imaginary part is not zero: a new array of bool."""
    return _core.not_equal(_core.imag(device_array(x)), 0)


def isreal(x):
    """Where the imaginary part is zero: a new array of bool."""
    return _core.equal(_core.imag(device_array(x)), 0)


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
    """
    return _core.equal(_real(x), float("-inf"), out)


def isposinf(x, out=None):
    """Where an element is plus infinity: see `isneginf`."""
    return _core.equal(_real(x), float("inf"), out)


def _real(x):
    x = device_array(x)
    if x.dtype.kind == "c":
        raise TypeError(
            f"This operation is not supported for {x.dtype} values because it would be "
            "ambiguous."
        )
    return x
