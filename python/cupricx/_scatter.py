"""Indexed updates in which repeated indices all count."""

from cupric import _core

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

    Examples
    --------
    >>> import cupricx
    >>> x = cp.zeros(3)
    >>> cupricx.scatter_add(x, cp.array([0, 2, 2]), 1)
    >>> x
    array([1., 0., 2.])
    """
    _core.add.at(a, slices, value)


def scatter_max(a, slices, value):
    """Keep the larger of the element and of every `value` with its index.

    Parameters
    ----------
    a : cupric.ndarray
        Changed in place.
    slices : index
        Anything that indexes `a`.
    value : cupric.ndarray or scalar
        Broadcasts to ``a[slices]``.

    Examples
    --------
    >>> import cupricx
    >>> x = cp.zeros(3)
    >>> cupricx.scatter_max(x, cp.array([0, 2, 2]), cp.array([-1.0, 5, 4]))
    >>> x
    array([0., 0., 5.])
    """
    _core.maximum.at(a, slices, value)


def scatter_min(a, slices, value):
    """Keep the smaller of the element and of every `value` with its index.

    Parameters
    ----------
    a : cupric.ndarray
        Changed in place.
    slices : index
        Anything that indexes `a`.
    value : cupric.ndarray or scalar
        Broadcasts to ``a[slices]``.

    Examples
    --------
    >>> import cupricx
    >>> x = cp.zeros(3)
    >>> cupricx.scatter_min(x, cp.array([0, 2, 2]), cp.array([-1.0, 5, 4]))
    >>> x
    array([-1.,  0.,  0.])
    """
    _core.minimum.at(a, slices, value)
