"""Methods of ndarray that are not functions of the package."""

import warnings

import numpy as np

from cupric import _core
from cupric._dtypes import swapped_fields
from cupric._indexing._indexing import compress as _compress

__all__ = [
    "byteswap",
    "compress",
    "mdspan",
    "put",
    "reduced_view",
]


_UNSIGNED = {np.dtype(t).itemsize: np.dtype(t) for t in "HIL"}


def byteswap(a, inplace=False):
    """`ndarray.byteswap` of what the core leaves to it."""
    if a.dtype.type is np.void:
        return swapped_fields(a, inplace)
    kind = a.dtype.kind
    width = a.itemsize // (2 if kind == "c" else 1)
    if width > 1 and kind in "iufcmM":
        dense = a.flags.c_contiguous
        if dense or not inplace:
            source = a if dense else a.astype(a.dtype, order="C")
            lines = source.reshape(-1) if kind == "c" else source
            try:
                units = lines.view(_UNSIGNED[width])
            except TypeError:  # times of a structure, which may lie at any address
                return _swapped_copy(a, width, inplace)
            keeps = dense and not inplace
            swapped = _core.byteswap(units, out=None if keeps else units)
            if not keeps:
                return source
            swapped = swapped.view(a.dtype)
            return swapped.reshape(a.shape) if kind == "c" else swapped
    return _swapped_copy(a, width, inplace)


def _swapped_copy(a, width, inplace):
    """The same by way of a copy's bytes."""
    swapped = a.astype(a.dtype, order="C")
    if width > 1:
        units = swapped.reshape(-1).view(np.uint8).reshape(-1, width)
        units[...] = units[:, ::-1]
    if inplace:
        a[...] = swapped
        return a
    return swapped


def _selects(a, condition):
    """Whether the condition is a mask of a vector, element by element."""
    return (
        type(a) is type(condition) is _core.ndarray
        and condition.dtype.char == "?"
        and a.ndim == condition.ndim == 1
        and a.size == condition.size
    )


def compress(a, condition, axis=None, out=None):
    """`cupric.compress` with the array first."""
    if axis is None and out is None and _selects(a, condition):
        return a[condition]
    return _compress(condition, a, axis, out)


def mdspan(a, *, index_type, allow_unsafe=False):
    """`ndarray.mdspan`."""
    index = np.dtype(index_type)
    if index not in (np.int32, np.int64):
        raise TypeError(f"index_type must be int32 or int64, not {index}")
    # A field whose elements are not aligned cannot be had as a view.
    steps = [step // a.itemsize for step in a.strides]
    if not allow_unsafe and any(step < 0 for step in steps):
        raise ValueError(
            f"strides {a.strides} are negative, which layout_stride has not: make a "
            "copy, or say allow_unsafe=True"
        )
    reached = sum(n * abs(step) for n, step in zip(a.shape, steps, strict=True))
    if max(reached, *a.shape, *map(abs, steps), 0) > np.iinfo(index).max:
        raise ValueError(
            f"{index} is too small for an array of shape {a.shape}: take int64"
        )
    fields = [("data", np.uintp)]
    if a.ndim:
        fields += [("extents", index, (a.ndim,)), ("strides", index, (a.ndim,))]
    made = np.zeros((), fields)
    made["data"] = a.data.ptr
    if a.ndim:
        made["extents"], made["strides"] = a.shape, steps
    return made[()]


def put(a, indices, values, mode="wrap"):
    """`cupric.put` with the names of parameters that methods have."""
    return _core.put(a, indices, values, mode)


def reduced_view(a, dtype=None):
    """`ndarray.reduced_view`."""
    view = a if dtype is None else a.view(dtype)
    shape, strides = [], []
    for length, stride in zip(view.shape, view.strides, strict=True):
        if length == 1:
            continue
        if shape and strides[-1] == stride * length:
            shape[-1] *= length
            strides[-1] = stride
        else:
            shape.append(length)
            strides.append(stride)
    return view.reshape(shape)


def _scatter(name):
    def method(a, slices, value):
        warnings.warn(
            f"`ndarray.scatter_{name}` is deprecated: use `cupricx.scatter_{name}`",
            DeprecationWarning,
            stacklevel=2,
        )
        rows = {"add": _core.add, "max": _core.maximum, "min": _core.minimum}
        rows[name].at(a, slices, value)

    method.__name__ = f"scatter_{name}"
    return method


scatter_add = _scatter("add")
scatter_max = _scatter("max")
scatter_min = _scatter("min")
