"""Methods of ndarray that are not functions of the package."""

import warnings

import numpy as np

from cupric import _core

__all__ = [
    "byteswap",
    "compress",
    "put",
    "reduced_view",
]


def byteswap(a, inplace=False):
    """`ndarray.byteswap`."""
    width = a.itemsize // (2 if a.dtype.kind == "c" else 1)
    swapped = a.astype(a.dtype, order="C")
    if width > 1:
        units = swapped.reshape(-1).view(np.uint8).reshape(-1, width)
        units[...] = units[:, ::-1]
    if inplace:
        a[...] = swapped
        return a
    return swapped


def compress(a, condition, axis=None, out=None):
    """`cupric.compress` with the array first."""
    from cupric import compress

    return compress(condition, a, axis, out)


def put(a, indices, values, mode="wrap"):
    """`cupric.put` with the names of parameters that methods have."""
    from cupric import put

    return put(a, indices, values, mode)


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
