"""Copying between arrays, and arrays that meet requirements."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import device_array

__all__ = ["copyto", "require"]


def copyto(dst, src, casting="same_kind", where=None):
    """Store the elements of `src` in `dst`, where a mask is true.

    Parameters
    ----------
    dst : cupric.ndarray
    src : cupric.ndarray or scalar
        Broadcasts to `dst`. A NumPy array of one element is a scalar, too.
    casting : str
        NumPy's rule for what may be converted.
    where : cupric.ndarray of bools, optional
        Broadcasts to `dst`.

    Examples
    --------
    >>> a = cp.zeros(2)
    >>> cp.copyto(a, 3)
    >>> a
    array([3., 3.])
    """
    if not isinstance(dst, _core.ndarray):
        raise _core._unsupported(dst)
    if isinstance(src, _core.ndarray):
        kind = src.dtype
    elif isinstance(src, np.ndarray) and src.size != 1:
        raise _core._unsupported(src)
    elif isinstance(src, (int, float, complex)) and not isinstance(src, np.generic):
        kind = _core.result_type(src, dst.dtype)
    else:
        src = src if hasattr(src, "dtype") else device_array(src)
        kind = src.dtype
    if not _core.can_cast(kind, dst.dtype, casting):
        if not dst.flags.writeable:
            raise ValueError("assignment destination is read-only")
        raise TypeError(
            f"Cannot cast array data from dtype('{kind}') to dtype('{dst.dtype}') "
            f"according to the rule '{casting}'"
        )
    _core.copy_where(dst, src, True if where is None else where, True)


# All arrays of a device are aligned; only views may be read-only.
_REQUIREMENTS = {letter: letter for letter in "CFOAWE"} | {
    "C_CONTIGUOUS": "C",
    "CONTIGUOUS": "C",
    "F_CONTIGUOUS": "F",
    "FORTRAN": "F",
    "OWNDATA": "O",
    "ALIGNED": "A",
    "WRITEABLE": "W",
    "ENSUREARRAY": "E",
}


def require(a, dtype=None, requirements=None):
    """`a` as an array that has the layout asked for: itself where it has.

    Parameters
    ----------
    a : array_like
    dtype : dtype, optional
    requirements : str or sequence of str
        'C' or 'F' contiguous, 'O' owns its data, 'W' may be written to. 'A' (aligned)
        and 'E' (the base class) hold for all arrays. Others raise KeyError.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.require(cp.ones((2, 2)), requirements="F").flags.f_contiguous
    True
    """
    if not requirements:
        return _core.array(a, dtype, None, "A", True)
    given = requirements
    if isinstance(given, str) and given.upper() in _REQUIREMENTS:
        given = [given]
    try:
        wanted = {_REQUIREMENTS[r.upper()] for r in given}
    except KeyError as error:
        raise KeyError(
            f"{error.args[0]} is no requirement: use C, F or O, or NumPy's long names"
        ) from None
    if wanted >= {"C", "F"}:
        raise ValueError('Cannot specify both "C" and "F" order')
    order = "F" if "F" in wanted else "C" if "C" in wanted else "A"
    a = _core.array(a, dtype, None, order, True)
    owned = "O" not in wanted or a.flags.owndata
    if not owned or ("W" in wanted and not a.flags.writeable):
        return a.copy(order)
    return a
