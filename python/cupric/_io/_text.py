"""Arrays as text. Of large arrays only what is shown leaves the device."""

import inspect
import re

import numpy as np
from numpy import get_printoptions, printoptions, set_printoptions

from cupric import _core

__all__ = [
    "array2string",
    "array_repr",
    "array_str",
    "format_float_positional",
    "format_float_scientific",
    "get_printoptions",
    "printoptions",
    "savetxt",
    "set_printoptions",
]

_array2string = inspect.signature(np.array2string)


def _shown(a, edge):
    """The elements that a summary shows, and one more along each axis cut short."""
    keep = [
        n if n <= 2 * edge else [*range(edge), *range(n - edge - 1, n)] for n in a.shape
    ]
    for axis, places in enumerate(keep):
        if isinstance(places, list):
            a = _core.take(a, places, axis)
    return a.get()


def _fetch(a, threshold, edge):
    """The array to print, and the threshold to print it with."""
    if a.size <= threshold or a.size == 0:
        return a.get(), threshold
    return _shown(a, edge), 0


def array2string(a, *args, **kwargs):
    """An array as text. The arguments are those of `numpy.array2string`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    *args, **kwargs
        The others of `numpy.array2string`.

    Returns
    -------
    str

    Examples
    --------
    >>> cp.array2string(cp.arange(3), separator=", ")
    '[0, 1, 2]'
    """
    if not isinstance(a, _core.ndarray):
        return np.array2string(a, *args, **kwargs)
    given = _array2string.bind(a, *args, **kwargs).arguments
    options = get_printoptions()
    threshold = given.get("threshold")
    edge = given.get("edgeitems")
    threshold = options["threshold"] if threshold is None else threshold
    edge = options["edgeitems"] if edge is None else edge
    given["a"], given["threshold"] = _fetch(a, threshold, edge)
    positional = [given.pop(name) for name in ("a",)]
    return np.array2string(*positional, **given)


def array_str(arr, max_line_width=None, precision=None, suppress_small=None):
    """The elements of an array as text.

    Parameters
    ----------
    arr : cupric.ndarray
        The array.
    max_line_width : int, optional
        Characters of a line; of the print options when left out.
    precision : int, optional
        Digits behind the point; of the print options when left out.
    suppress_small : bool, optional
        Whether numbers next to 0 are shown as 0.

    Returns
    -------
    str

    Examples
    --------
    >>> cp.array_str(cp.arange(3))
    '[0 1 2]'
    """
    if not isinstance(arr, _core.ndarray):
        return np.array_str(arr, max_line_width, precision, suppress_small)
    options = get_printoptions()
    shown, threshold = _fetch(arr, options["threshold"], options["edgeitems"])
    with printoptions(threshold=threshold):
        return np.array_str(shown, max_line_width, precision, suppress_small)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """An array as text that names what is not plain from the elements.

    Parameters
    ----------
    arr : cupric.ndarray
        The array.
    max_line_width : int, optional
        Characters of a line; of the print options when left out.
    precision : int, optional
        Digits behind the point; of the print options when left out.
    suppress_small : bool, optional
        Whether numbers next to 0 are shown as 0.

    Returns
    -------
    str

    Examples
    --------
    >>> cp.array_repr(cp.arange(3))
    'array([0, 1, 2])'
    """
    if not isinstance(arr, _core.ndarray):
        return np.array_repr(arr, max_line_width, precision, suppress_small)
    options = get_printoptions()
    threshold = options["threshold"]
    if arr.size <= threshold or arr.size == 0:
        text = np.array_repr(arr.get(), max_line_width, precision, suppress_small)
    else:
        text = _summary(arr, max_line_width, precision, suppress_small, options)
    name = type(arr).__name__
    return text if name == "ndarray" else text.replace("array", name, 1)


def _summary(arr, max_line_width, precision, suppress_small, options):
    """The repr of an array that is too large to show, as NumPy lays it out."""
    width = options["linewidth"] if max_line_width is None else max_line_width
    shown = _shown(arr, options["edgeitems"])
    body = np.array2string(
        shown, width, precision, suppress_small, ", ", "array(", threshold=0, suffix=")"
    )
    extras = [f"shape={arr.shape}"]
    # What NumPy says of the dtype, it says of one element.
    one = np.array_repr(np.zeros(1, arr.dtype))
    extras += re.findall(r"dtype=[^)]*", one)
    text, end = f"array({body},", f"{', '.join(extras)})"
    last = len(text) - (text.rfind("\n") + 1)
    fits = last + len(end) + 1 <= width
    return text + (" " if fits else "\n" + " " * len("array(")) + end


def format_float_positional(x, *args, **kwargs):
    """A number as decimal text; arguments as of `numpy.format_float_positional`.

    Parameters
    ----------
    x : scalar or cupric.ndarray
        A real number.
    *args, **kwargs
        The others of `numpy.format_float_positional`.

    Returns
    -------
    str

    Examples
    --------
    >>> cp.format_float_positional(cp.array(0.5))
    '0.5'
    """
    return np.format_float_positional(_core.asnumpy(x), *args, **kwargs)


def format_float_scientific(x, *args, **kwargs):
    """A number in scientific notation; arguments as of NumPy's function.

    Parameters
    ----------
    x : scalar or cupric.ndarray
        A real number.
    *args, **kwargs
        The others of `numpy.format_float_scientific`.

    Returns
    -------
    str

    Examples
    --------
    >>> cp.format_float_scientific(cp.array(0.5))
    '5.e-01'
    """
    return np.format_float_scientific(_core.asnumpy(x), *args, **kwargs)


def savetxt(fname, X, *args, **kwargs):
    r"""Write an array of one or two axes as text; arguments as of `numpy.savetxt`.

    Parameters
    ----------
    fname : file or path
        Where to.
    X : array_like
        What is written.
    *args, **kwargs
        The others of `numpy.savetxt`.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> cp.savetxt(file, cp.array([[1, 2], [3, 4]]), fmt="%d")
    >>> file.getvalue()
    '1 2\n3 4\n'
    """
    np.savetxt(fname, _core.asnumpy(X), *args, **kwargs)
