"""Indexed updates in which repeated indices all count."""

import cupric as cp

__all__ = [
    "scatter_add",
    "scatter_max",
    "scatter_min",
]


def scatter_add(a, slices, value):
    """Add `value` at indices of an array, once for each time an index occurs.

    Parameters
    ----------
    a : cupric.ndarray
        Changed in place.
    slices : index
        Anything that indexes `a`.
    value : cupric.ndarray or scalar
        Broadcasts to ``a[slices]``.
    """
    cp.add.at(a, slices, value)


def scatter_max(a, slices, value):
    """Keep the larger of the element and of every `value` with its index.

    Parameters are those of `scatter_add`.
    """
    cp.maximum.at(a, slices, value)


def scatter_min(a, slices, value):
    """Keep the smaller of the element and of every `value` with its index.

    Parameters are those of `scatter_add`.
    """
    cp.minimum.at(a, slices, value)
