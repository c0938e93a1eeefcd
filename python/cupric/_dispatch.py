"""How NumPy's functions reach ours, and how dtypes of device arrays combine."""

import inspect
import sys

import numpy as np

from cupric import _core
from cupric._core import can_cast, result_type

__all__ = [
    "array_function",
    "astype",
    "can_cast",
    "common_type",
    "get_array_module",
    "isfortran",
    "may_share_memory",
    "min_scalar_type",
    "result_type",
    "shares_memory",
]


def _find(function):
    """Our function of the name and place that NumPy's function has, or None.

    NumPy's functions say different places of themselves in its versions; those of
    `numpy.lib` are ours in `cupric`, but for modules that are in `cupric.lib` too.
    """
    module = function.__module__ or "numpy"
    parts = [p for p in module.split(".")[1:] if not p.startswith("_") and p != "core"]
    for path in ([p for p in parts if p != "lib"], parts):
        target = sys.modules["cupric"]
        for part in path:
            target = getattr(target, part, None)
        found = getattr(target, function.__name__, None)
        if target is not None and callable(found):
            return found
    return None


def _positional(function):
    """The names of a function's parameters by position, as far as they can be read."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in found if p.kind in kinds]


def _translation(function, ours):
    """What ours, in which a parameter has CuPy's name and place, takes for NumPy's:
    {NumPy's name: ours}, and NumPy's names from the first on that is in another place.
    """
    theirs, own = _positional(function), _positional(ours)
    names = {
        a: b
        for a, b in zip(theirs, own, strict=False)
        if a not in own and b not in theirs
    }
    pairs = list(zip(theirs, own, strict=False))
    agree = next(
        (i for i, (a, b) in enumerate(pairs) if b != names.get(a, a)), len(pairs)
    )
    return names, agree, theirs[agree : len(pairs)]


_found = {}


def array_function(self, function, types, args, kwargs):
    """``ndarray.__array_function__``: call the function of this package."""
    try:
        ours, names, agree, moved = _found[function]
    except KeyError:
        ours = _find(function)
        usable = ours is not None and ours is not function
        translation = _translation(function, ours) if usable else ({}, 0, [])
        _found[function] = ours, *translation
        names, agree, moved = translation
    if ours is None or ours is function:
        return NotImplemented
    for t in types:
        if issubclass(t, (_core.ndarray, np.ndarray)):
            continue
        return NotImplemented
    if moved and len(args) > agree:
        kwargs = {**kwargs, **dict(zip(moved, args[agree:], strict=False))}
        args = args[:agree] + args[agree + len(moved) :]
    if names and kwargs:
        kwargs = {names.get(k, k): v for k, v in kwargs.items()}
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
        `cupric` when an argument is a `cupric.ndarray` or a sparse array of a device,
        else `numpy`. `cupy` in the place of `cupric` after `cupric.install_as_cupy()`.

    Examples
    --------
    >>> cp.get_array_module(np.zeros(1)).__name__
    'numpy'
    >>> cp.get_array_module(np.zeros(1), cp.zeros(1)).__name__
    'cupric'
    """
    for a in args:
        if isinstance(a, _core.ndarray):
            return _core.ndarray.__array_namespace__(a)
        if hasattr(type(a), "__cupric_get__"):  # a sparse array
            return _core.ndarray.__array_namespace__(_core.empty(0))
    return np


def min_scalar_type(a):
    """The smallest dtype that holds a scalar; an array's own dtype.

    Parameters
    ----------
    a : scalar, array or nested sequence
        Whose value, or dtype, counts: of a sequence that holds arrays of a device, the
        dtype of the array that it stands for.

    Returns
    -------
    numpy.dtype

    Examples
    --------
    >>> cp.min_scalar_type(300)
    dtype('uint16')
    """
    if isinstance(a, _core.ndarray):
        return a.dtype
    kinds = list(_dtypes_in(a)) if isinstance(a, list | tuple) else []
    return _core.result_type(*kinds) if kinds else np.min_scalar_type(a)


def _dtypes_in(nested):
    """The dtypes of what a nested sequence holds, if a device array is among it."""
    parts, there = [], False
    for part in nested:
        if isinstance(part, list | tuple):
            inner = list(_dtypes_in(part))
            there |= bool(inner)
            parts += inner or [np.asarray(part).dtype]
        else:
            there |= isinstance(part, _core.ndarray)
            parts.append(
                part.dtype if hasattr(part, "dtype") else np.asarray(part).dtype
            )
    return parts if there else []


def astype(x, dtype, /, *, copy=True, device=None):
    """An array as another dtype, and on another device if one is given.

    See `cupric.ndarray.astype` and `cupric.ndarray.to_device`.

    Parameters
    ----------
    x : cupric.ndarray
        The array.
    dtype : dtype
        Of the result.
    copy : bool, optional
        False: `x` itself where nothing changes.
    device : cupric.cuda.Device or int, optional
        Where the result is wanted; where `x` is when left out.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.astype(cp.array([1.7, -1.7]), "int64")
    array([ 1, -1])
    """
    if not isinstance(x, _core.ndarray):
        raise _core._unsupported(x)
    if device is None or x.device == _core.Device(device):
        return x.astype(dtype, copy=copy)
    return x.astype(dtype, copy=False).to_device(device)


def isfortran(a):
    """Whether an array is in Fortran order and not in C order too.

    Parameters
    ----------
    a : cupric.ndarray
        The array.

    Returns
    -------
    bool

    Examples
    --------
    >>> cp.isfortran(cp.zeros((2, 3), order="F"))
    True
    """
    return a.flags.fnc


class _Layout:
    """Where an array lies, for NumPy: the memory is not looked at."""

    def __init__(self, a):
        self.__array_interface__ = {
            "version": 3,
            "data": (a.data.ptr, False),
            "shape": a.shape,
            "strides": a.strides,
            "typestr": f"|V{a.itemsize}",
        }


def _share(compare, a, b, max_work):
    if not (isinstance(a, _core.ndarray) and isinstance(b, _core.ndarray)):
        return False
    if a.device != b.device or a.size == 0 or b.size == 0:
        return False
    if type(max_work) is str and max_work in _WORK:  # CuPy's words
        compare, max_work = _WORK[max_work]
    return compare(np.asarray(_Layout(a)), np.asarray(_Layout(b)), max_work)


_WORK = {
    "MAY_SHARE_BOUNDS": (np.may_share_memory, 0),
    "MAY_SHARE_EXACT": (np.shares_memory, -1),
}


def may_share_memory(a, b, max_work=None):
    """Whether the memory of two arrays might overlap: by its bounds.

    Parameters
    ----------
    a, b : cupric.ndarray
    max_work : int or {'MAY_SHARE_BOUNDS', 'MAY_SHARE_EXACT'}, optional
        How hard to look for the right answer: see `numpy.may_share_memory`.

    Returns
    -------
    bool

    Examples
    --------
    >>> x = cp.arange(6)
    >>> cp.may_share_memory(x[::2], x[1::2])
    True
    """
    return _share(np.may_share_memory, a, b, max_work)


def shares_memory(a, b, max_work=None):
    """Whether two arrays have a byte in common: see `may_share_memory`.

    Parameters
    ----------
    a, b : cupric.ndarray
        The arrays.
    max_work : int or {'MAY_SHARE_BOUNDS', 'MAY_SHARE_EXACT'}, optional
        How long an exact answer is looked for: see `numpy.shares_memory`.

    Returns
    -------
    bool

    Examples
    --------
    >>> x = cp.arange(6)
    >>> cp.shares_memory(x[::2], x[1::2])
    False
    """
    return _share(np.shares_memory, a, b, max_work)


def common_type(*arrays):
    """The inexact dtype that all arrays cast to.

    Parameters
    ----------
    *arrays : cupric.ndarray

    Returns
    -------
    type

    Examples
    --------
    >>> cp.common_type(cp.zeros(1, "int32"), cp.zeros(1, "float32"))
    <class 'numpy.float64'>
    """
    return np.common_type(*(np.empty(0, a.dtype) for a in arrays))
