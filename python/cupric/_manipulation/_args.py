"""What the functions of this package have in common: reading arguments."""

import functools

from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from cupric import _core
from cupric._core import array_with_methods, device_array, parameter_array

__all__ = [
    "array_with_methods",
    "by_rows",
    "device_array",
    "flattened",
    "has_outside",
    "is_inexact",
    "parameter_array",
    "normalize_axis_index",
    "normalize_axis_tuple",
    "require_one_device",
    "store_result",
    "where_it_lives",
]


def where_it_lives(function):
    """Decorates a function that makes arrays: it runs on its arguments' device.

    Arguments, also those in lists and tuples, that lie on two are a ValueError.
    """
    return functools.update_wrapper(_core._Placed(function), function)


def by_rows(function):
    """Decorates a function of an array, one of its axes and more, so that it takes an
    array in Fortran order for the transpose that it is, whose rows lie densely."""

    @functools.wraps(function)
    def ordered(a, axis, *more):
        if axis is None or a.ndim < 2 or not a.flags.fnc:
            return function(a, axis, *more)
        axis = normalize_axis_index(axis, a.ndim)
        return function(a.T, a.ndim - 1 - axis, *more).T

    return ordered


def require_one_device(*arrays):
    """ValueError where arrays of one operation live on several devices."""
    for a in arrays[1:]:
        if a.device != arrays[0].device:
            raise ValueError(
                "arrays on different devices in one operation: "
                f"{arrays[0].device} and {a.device}; copy one of them first, for "
                "example by to_device()"
            )


def store_result(r, out, casting="same_kind"):
    """`r`, or `out` with the elements of `r`: of its shape and device, and of a dtype
    that `casting` allows."""
    if out is None:
        return r
    if not isinstance(out, _core.ndarray):
        raise _core._unsupported(out)
    if out.shape != r.shape:
        raise ValueError(f"the output has shape {out.shape}, the result {r.shape}")
    if not _core.can_cast(r.dtype, out.dtype, casting):
        raise TypeError(
            f"Cannot cast the result from {r.dtype!r} to {out.dtype!r} according to "
            f"the rule '{casting}'"
        )
    require_one_device(r, out)
    out[...] = r
    return out


def is_inexact(dtype):
    """Whether numbers of the dtype may be NaN: bfloat16 has a kind of its own."""
    return dtype.kind in "fc" or (dtype.kind == "V" and dtype.name == "bfloat16")


def flattened(a):
    """`a` as one axis: itself where it has one, which `ravel` would make dense."""
    return a if a.ndim == 1 else a.ravel()


def has_outside(a, n):
    """Whether integers are not all in [0, n). One reduction, which is waited for."""
    if a.size == 0:
        return False
    largest = _core.largest_unsigned(a)  # a negative one, if there is any
    if largest >= n:
        return True
    return a.dtype.kind == "i" and largest >> (8 * a.itemsize - 1) > 0
