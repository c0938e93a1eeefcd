"""isclose and its kin."""

import numpy as np

from cupric import _core
from cupric._logic._close import all_close, takes
from cupric._manipulation._args import parameter_array, where_it_lives

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
]


def _on_device(*arrays):
    """The arguments as device arrays; numbers beside an array stay numbers."""
    numbers = [isinstance(a, (int, float, complex, np.generic)) for a in arrays]
    if all(numbers):
        return [_core.array(a) for a in arrays]
    return [
        a if number else parameter_array(a)
        for a, number in zip(arrays, numbers, strict=True)
    ]


def _shape(a):
    return getattr(a, "shape", ())


@where_it_lives
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Where two arrays are equal within a tolerance, ``atol + rtol * abs(b)``.

    Parameters
    ----------
    a, b : array_like
        They broadcast to one shape.
    rtol, atol : float or cupric.ndarray, optional
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    cupric.ndarray of bool
        A new array.

    Examples
    --------
    >>> cp.isclose(cp.array([1.0, 2.0]), cp.array([1.0, 2.1]))
    array([ True, False])
    """
    a, b = _on_device(a, b)
    if not (_is_number(rtol) and _is_number(atol)) or _is_other(a) or _is_other(b):
        return _is_close(a, b, rtol, atol, equal_nan)
    if isinstance(b, _core.ndarray):
        if b.dtype.kind in "biu":
            rtol = np.float64(rtol)  # the limit is a float64, whatever `a` is
    elif isinstance(b, np.generic):
        b = np.float64(b) if b.dtype.kind in "biu" else b
    else:  # the limit is a number of Python's
        b = float(b) if isinstance(b, int) else b
        rtol, atol = _zero_like(a), atol + rtol * abs(b)
    a = float(a) if isinstance(a, int) else a
    row = _core.isclose_or_nan if equal_nan else _core.isclose
    return row(a, b, rtol, atol)


def _zero_like(a):
    """A relative tolerance, which makes the dtype of real numbers that `a` is compared
    in the one of the others: numbers of Python's fit float16, too."""
    char = getattr(a, "dtype", _BOOL).char
    return _ZEROS.get(char, _ZEROS["d"])


_ZEROS = {
    "e": np.float16(0),
    "f": np.float32(0),
    "F": np.float32(0),
    "d": np.float64(0),
}


def _tolerance(t):
    return parameter_array(t) if isinstance(t, np.ndarray | list) else t


def _is_number(x):
    return type(x) in (float, int)


def _is_other(x):
    """Whether the core's rows for closeness have no signature for a dtype."""
    return getattr(x, "dtype", _BOOL).kind not in "biufc"


_BOOL = np.dtype(bool)


def _are_alike(a, b):
    """Whether two arrays can be compared and reduced at once."""
    return (
        isinstance(a, _core.ndarray)
        and isinstance(b, _core.ndarray)
        and a.dtype == b.dtype
        and a.dtype.kind in "biufc"
    )


def _is_close(a, b, rtol, atol, equal_nan):
    """By several operations: for any dtypes, and tolerances that are arrays."""
    rtol, atol = (_tolerance(t) for t in (rtol, atol))
    y = b
    if isinstance(b, _core.ndarray) and b.dtype.kind in "biu":
        y = b.astype(np.float64)  # so that differences of unsigned integers have signs
    elif isinstance(b, (np.integer, np.bool_)):
        y = np.float64(b)
    elif isinstance(b, int):
        y = float(b)
    distance = _core.absolute(_core.subtract(a, y))
    limit = _core.add(_core.multiply(_core.absolute(y), rtol), atol)
    close = _core.less_equal(distance, limit)
    close = _core.logical_and(close, _core.isfinite(y))
    close = _core.logical_or(close, _core.equal(a, b))
    if equal_nan:
        both = _core.logical_and(_core.isnan(a), _core.isnan(b))
        close = _core.logical_or(close, both)
    return close


@where_it_lives
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether two arrays are equal within a tolerance everywhere: see `isclose`.

    Parameters
    ----------
    a, b : array_like
        They broadcast to one shape.
    rtol, atol : array_like, optional
        The tolerance: ``atol + rtol * abs(b)``.
    equal_nan : bool, optional
        Whether NaNs are equal.

    Returns
    -------
    cupric.ndarray of bool
        0-d.

    Examples
    --------
    >>> cp.allclose(cp.array([1.0, 2.0]), cp.array([1.0, 2.00001]))
    array(True)
    """
    if _is_number(rtol) and _is_number(atol) and takes(a, b):
        return all_close(a, b, float(rtol), float(atol), bool(equal_nan))
    return _core.all(isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


@where_it_lives
def array_equal(a1, a2, equal_nan=False):
    """Whether two arrays have one shape and the same elements.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.
    equal_nan : bool, optional

    Returns
    -------
    cupric.ndarray of bool
        0-d.

    Examples
    --------
    >>> cp.array_equal(cp.arange(3), cp.array([0, 1, 2]))
    array(True)
    """
    a1, a2 = _on_device(a1, a2)
    if _shape(a1) != _shape(a2):
        return _core.array(False)
    if not equal_nan and _are_alike(a1, a2):
        return _core.reductions.all_equal(a1, a2)
    same = _core.equal(a1, a2)
    if equal_nan:
        both = _core.logical_and(_core.isnan(a1), _core.isnan(a2))
        same = _core.logical_or(same, both)
    return _core.all(same)


@where_it_lives
def array_equiv(a1, a2):
    """Whether two arrays, broadcast to one shape, have the same elements.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.

    Returns
    -------
    cupric.ndarray of bool
        0-d.

    Examples
    --------
    >>> cp.array_equiv(cp.array([1, 2]), cp.array([[1, 2], [1, 2]]))
    array(True)
    """
    a1, a2 = _on_device(a1, a2)
    try:
        _core.broadcast_shapes(_shape(a1), _shape(a2))
    except ValueError:
        return _core.array(False)
    if _are_alike(a1, a2):
        return _core.reductions.all_equal(a1, a2)
    return _core.all(_core.equal(a1, a2))
