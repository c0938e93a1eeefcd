"""How NumPy's functions reach ours, and how dtypes of device arrays combine."""

import sys

import numpy as np

from cupric import _core

# Functions that compare: one array of each sort is allowed, the host's is copied.
_MIXED = {"allclose", "isclose", "array_equal", "array_equiv"}


def _find(function):
    """Our function of the name and place that NumPy's function has, or None."""
    module = function.__module__ or "numpy"
    target = sys.modules["cupric"]
    for part in module.split(".")[1:]:
        if part.startswith("_") or part in ("lib", "core"):
            continue
        target = getattr(target, part, None)
        if target is None:
            return None
    found = getattr(target, function.__name__, None)
    return found if callable(found) else None


_found = {}


def array_function(self, function, types, args, kwargs):
    """``ndarray.__array_function__``: call the function of this package."""
    try:
        ours = _found[function]
    except KeyError:
        ours = _found[function] = _find(function)
    if ours is None or ours is function:
        return NotImplemented
    for t in types:
        if issubclass(t, (_core.ndarray, np.ndarray)):
            continue
        return NotImplemented
    if function.__name__ not in _MIXED and function.__module__ != "numpy.testing":
        for t in types:
            if issubclass(t, np.ndarray):
                raise TypeError(f"Unsupported type {t}")
    return ours(*args, **kwargs)


def get_array_module(*args):
    """The package whose functions suit the arguments.

    Parameters
    ----------
    *args
        Arrays and anything else.

    Returns
    -------
    module
        `cupric` when an argument is a `cupric.ndarray`, else `numpy`.
    """
    for a in args:
        if isinstance(a, _core.ndarray):
            return sys.modules["cupric"]
    return np


def _dtype_of(a):
    return a.dtype if isinstance(a, _core.ndarray) else a


def result_type(*arrays_and_dtypes):
    """The dtype that an operation on the arguments gives.

    Parameters
    ----------
    *arrays_and_dtypes : cupric.ndarray, scalar or data-type

    Returns
    -------
    numpy.dtype
    """
    return np.result_type(*(_dtype_of(a) for a in arrays_and_dtypes))


def can_cast(from_, to, casting="safe"):
    """Whether a dtype may become another by a casting rule.

    Parameters
    ----------
    from_ : data-type or cupric.ndarray
    to : data-type
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional

    Returns
    -------
    bool
    """
    return np.can_cast(_dtype_of(from_), to, casting)


def min_scalar_type(a):
    """The smallest dtype that holds a scalar; an array's own dtype."""
    return a.dtype if isinstance(a, _core.ndarray) else np.min_scalar_type(a)


def common_type(*arrays):
    """The inexact dtype that all arrays cast to.

    Parameters
    ----------
    *arrays : cupric.ndarray

    Returns
    -------
    type
    """
    return np.common_type(*(np.empty(0, a.dtype) for a in arrays))
