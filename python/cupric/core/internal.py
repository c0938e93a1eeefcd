"""`cupy._core.internal`: what code around kernels needs of sizes and axes."""

import math

from cupric._lib.arguments import _reading

__all__ = [
    "prod",
    "prod_sequence",
]


def __dir__():
    return __all__


def prod(args):
    """The product of integers, as of a shape."""
    return math.prod(int(n) for n in args)


prod_sequence = prod


def _normalize_axis_index(axis, ndim):
    """The axis that `axis`, which may count from the end, means."""
    return _reading.axis(axis, ndim)


def _normalize_axis_indices(axes, ndim, sort_axes=True):
    """The axes that `axes`, one of them, several, or None for all, mean."""
    found = _reading.axes(axes, ndim)
    return tuple(sorted(found)) if sort_axes else tuple(found)
