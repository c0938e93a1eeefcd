"""Calls of library functions, recorded once and replayed."""

import functools
import warnings

from cupric import _core

__all__ = ["replayed", "warn"]


def replayed(function):
    """A function whose launches are recorded, and repeated when it is called again.

    What a function does that is called with arrays of the same dtypes, shapes and
    strides, and with the same other arguments, is the same: only the arrays differ. The
    first such call runs the function, the next ones launch what it launched, without
    Python.

    Parameters
    ----------
    function : callable
        Of arrays, and of whatever else. What it returns and launches must follow from
        what its arguments are before an element of an array is read, and from nothing
        else. It returns one of the arrays that it was given or a new one.

    Returns
    -------
    callable

    Notes
    -----
    The function runs on the device of the first array that it is given.

    A call is kept if it did nothing but launch kernels of libraries, of `RawKernel` or
    of other replayed functions, apply ufuncs, convert and copy elements, and copy up to
    4 KiB each from the host to new arrays. All that works on arrays that were given,
    the result, and temporary ones. If anything else was done with an array, such as a
    sum or a sort, or a sequence, callable, … was given that may change, or arrays that
    overlap and are not alike, the function simply runs each time. So it does for arrays
    of more than 64 MiB. What it does besides that no array shows, such as a warning,
    has to be announced: `warn`.

    The values of NumPy arrays and of lists count: those of more than 1 KiB are not
    compared, and the function runs. So do those of arrays that were given and that the
    function copies to the host by `get` before it launches anything: each call copies
    and compares them. Each function keeps 64 calls.

    Examples
    --------
    >>> from cupricx.kernels import replayed
    >>> @replayed
    ... def distance(x, y):
    ...     return cp.sqrt(x * x + y * y)
    >>> distance(cp.array([3.0, 5.0]), cp.array([4.0, 12.0]))
    array([ 5., 13.])
    """
    return functools.update_wrapper(_core._Replayed(function), function)


def warn(message, category=UserWarning, *, stacklevel=1):
    """`warnings.warn`, in a function that may be `replayed`: each call warns.

    Parameters
    ----------
    message : str or Warning
    category : type
    stacklevel : int
        As of `warnings.warn`: 1 is the line of this call.

    Examples
    --------
    >>> from cupricx.kernels import warn
    >>> warn("the window is longer than the signal")  # doctest: +SKIP
    """
    _core._not_replayed()
    warnings.warn(message, category, stacklevel=stacklevel + 1)
