"""What is written between brackets, as an index of each axis.

An index is a nonnegative int, a slice, or an array of one or two axes of int64. Arrays
stay where they are: of those on the host it is known that they are within bounds, and
none is negative; those on a device are read by kernels alone.
"""

import os

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse._reading import is_scipy
from cupricx.scipy.sparse._searches import require_in_bounds
from cupricx.scipy.sparse._types import is_dense

__all__ = ["ascends", "broadcast", "check_asked_for", "on_device", "read_key"]

_ALL = slice(None)


def read_key(key, shape, format):
    """The index of each axis that a key means, and the shape of what it selects.

    Parameters
    ----------
    key : object
        What was written between brackets.
    shape : tuple of int
    format : str
        Named in errors.

    Returns
    -------
    index : list
        An int, a slice or an array for each axis.
    selected : tuple of int
        The shape as NumPy has it, with an axis of length 1 for each None.
    """
    if key is Ellipsis:
        return [_ALL] * len(shape), tuple(shape)
    parts = _with_all_axes(key, shape)
    index, arrays, fixed, selected = [], [], [], []
    for number, part in enumerate(parts):
        axis = len(index)
        if part is None:
            selected.append(1)
        elif isinstance(part, slice):
            index.append(part)
            selected.append(len(range(*part.indices(shape[axis]))))
        elif isinstance(part, int):
            index.append(_int_index(part, shape[axis]))
            fixed.append(axis)
        else:
            found = _array_index(part, shape, axis, number, format)
            index += found
            arrays += found
            fixed += range(axis, len(index))
    if arrays:
        selected = _with_arrays(selected, arrays, fixed)
    return index, tuple(selected)


def _with_arrays(selected, arrays, fixed):
    """The shape that is selected, with the axes of the arrays: where the first of them
    and of the ints is, or first of all if these are not side by side."""
    shapes = [x.shape for x in arrays]
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise IndexError(
            "shape mismatch: indexing arrays could not be broadcast together with "
            f"shapes {' '.join(map(str, shapes))}"
        ) from None
    at = fixed[0]
    if len(arrays) > 1 and fixed[-1] - fixed[0] + 1 != len(fixed):
        at = 0
    return [*selected[:at], *shape, *selected[at:]]


# ---- the parts of a key --------------------------------------------------------------


def _with_all_axes(key, shape):
    """The parts of a key, of which masks are arrays, with a slice for each axis that it
    leaves out."""
    parts, n_axes, ellipsis = [], 0, None
    for part in key if isinstance(key, tuple) else (key,):
        if part is Ellipsis:
            if ellipsis is not None:
                raise IndexError("an index can only have a single ellipsis")
            ellipsis = len(parts)
            continue
        part = _read_part(part)
        parts.append(part)
        if part is not None:
            n_axes += part.ndim if _is_mask(part) else 1
    if n_axes > len(shape):
        raise IndexError(
            f"Too many indices for array or tuple index out of range. Key {key} needs "
            f"{n_axes}D. Array is {len(shape)}D"
        )
    at = len(parts) if ellipsis is None else ellipsis
    return [*parts[:at], *[_ALL] * (len(shape) - n_axes), *parts[at:]]


def _is_mask(part):
    return not isinstance(part, (int, slice)) and part.dtype.kind == "b"


def _read_part(part):
    """A part of a key as None, a slice, an int or an array, or a sparse mask."""
    if part is None or isinstance(part, slice):
        return part
    if isinstance(part, (int, np.integer)):
        return int(part)
    if issparse(part) or is_scipy(part):
        if part.dtype.kind != "b":
            raise IndexError(
                "Indexing with sparse matrices is not supported except boolean "
                "indexing where matrix and index are equal shapes."
            )
        return part
    array = part if is_dense(part) else _array_on_host(part)
    if array.ndim == 0 and array.dtype.kind in "biuf":
        value = array.item()
        if value == int(value):
            return int(value)
    return array


def _array_on_host(part):
    try:
        array = np.asarray(part)
        if array.dtype == object:  # it may be of arrays of a device
            return _core.array(part)
    except (TypeError, ValueError) as e:
        try:
            return _core.array(part)
        except (TypeError, ValueError):
            raise IndexError("invalid index") from e
    return array


def _int_index(i, n):
    if not -n <= i < n:
        raise IndexError(f"index ({i}) out of range")
    return i + n if i < 0 else i


def _array_index(part, shape, axis, number, format):
    """The arrays of integers that an array, or a mask of some axes, means."""
    if part.dtype.kind == "b":
        expected = tuple(shape[axis : axis + part.ndim])
        if part.shape != expected:
            raise IndexError(
                f"bool index {number} has shape {expected} instead of {part.shape}"
            )
        return [x.astype(np.int64, copy=False) for x in part.nonzero()]
    if part.ndim not in (1, 2) and (format != "coo" or part.ndim == 0):
        raise IndexError(f"Index dimension must be 1 or 2. Got {part.ndim}")
    if part.dtype.kind not in "iuf":
        raise IndexError(f"indices are integers, not {part.dtype}")
    made = part.astype(np.int64, copy=False)
    if isinstance(made, np.ndarray):
        require_in_bounds(made, shape[axis])
        if made.size and made.min() < 0:
            made = np.where(made < 0, made + shape[axis], made)
    return [made]


# ---- arrays of indices ---------------------------------------------------------------


def on_device(x, device):
    """An array of indices as one of the device, in C order."""
    if not is_dense(x):
        return _core.array(np.ascontiguousarray(x), device=device)
    return _core.ascontiguousarray(x)


def ascends(x):
    """Whether it is known, as it is of arrays on the host, that each index is greater
    than the one before."""
    return isinstance(x, np.ndarray) and bool((x[1:] > x[:-1]).all())


def broadcast(i, j, device):
    """Two arrays of indices as arrays of the device of one shape."""
    i, j = on_device(i, device), on_device(j, device)
    return (i, j) if i.shape == j.shape else _core.broadcast_arrays(i, j)


def check_asked_for(i, n):
    """With CUPRIC_CHECK=1, IndexError if an index on a device is out of bounds."""
    if is_dense(i) and os.environ.get("CUPRIC_CHECK") == "1":
        require_in_bounds(i, n)
