"""Arrays taken apart into views."""

from itertools import pairwise

import numpy as np

from cupric import _core
from cupric._manipulation._args import device_array, normalize_axis_index

__all__ = ["array_split", "dsplit", "hsplit", "split", "unstack", "vsplit"]


def _is_count(x):
    if isinstance(x, (int, list, tuple)):
        return isinstance(x, int)
    return x.ndim == 0 if isinstance(x, _core.ndarray) else np.ndim(x) == 0


def _pieces(ary, bounds, axis):
    if axis == 0:
        return [ary[start:stop] for start, stop in pairwise(bounds)]
    before = (slice(None),) * axis
    return [ary[(*before, slice(start, stop))] for start, stop in pairwise(bounds)]


def array_split(ary, indices_or_sections, axis=0):
    """Views of consecutive parts along an axis, of lengths that may differ by one.

    Parameters
    ----------
    ary : cupric.ndarray
    indices_or_sections : int or sequence of ints
        How many parts, or where each part but the first begins.
    axis : int

    Returns
    -------
    list of cupric.ndarray
        Views.

    Examples
    --------
    >>> [len(p) for p in cp.array_split(cp.arange(5), 2)]
    [3, 2]
    """
    ary = device_array(ary)
    axis = normalize_axis_index(axis, ary.ndim)
    n = ary.shape[axis]
    if _is_count(indices_or_sections):
        sections = int(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        _core._require_objects(sections, "a split")
        each, extra = divmod(n, sections)
        if each == 0 or extra:
            bounds = [i * each + min(i, extra) for i in range(sections + 1)]
        else:
            bounds = range(0, n + 1, each)
        return _pieces(ary, bounds, axis)
    if isinstance(indices_or_sections, _core.ndarray):
        indices_or_sections = indices_or_sections.get()
    bounds = [0, *(int(i) for i in indices_or_sections), n]
    return _pieces(ary, bounds, axis)


def split(ary, indices_or_sections, axis=0):
    """Views of consecutive parts along an axis; parts that are counted must be equal.

    Parameters
    ----------
    ary : cupric.ndarray
        The array.
    indices_or_sections : int or sequence of ints
        How many parts, or where parts but the first begin.
    axis : int, optional
        The axis that is cut.

    Returns
    -------
    list of cupric.ndarray
        Views.

    Examples
    --------
    >>> cp.split(cp.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    ary = device_array(ary)
    if _is_count(indices_or_sections):
        n = ary.shape[normalize_axis_index(axis, ary.ndim)]
        if n % int(indices_or_sections):
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def unstack(x, /, *, axis=0):
    """Views of the elements along an axis, without it.

    Parameters
    ----------
    x : cupric.ndarray of at least one axis
    axis : int

    Returns
    -------
    tuple of cupric.ndarray

    Examples
    --------
    >>> cp.unstack(cp.array([[1, 2], [3, 4]]), axis=1)
    (array([1, 3]), array([2, 4]))
    """
    x = device_array(x)
    if x.ndim == 0:
        raise ValueError(
            "unstack() takes an array apart along an axis, and this one has none"
        )
    before = (slice(None),) * normalize_axis_index(axis, x.ndim)
    length = x.shape[len(before)]
    _core._require_objects(length, "unstack")
    return tuple(x[(*before, i)] for i in range(length))


def vsplit(ary, indices_or_sections):
    """`split` along the first axis.

    Parameters
    ----------
    ary : cupric.ndarray
        It has two axes at least.
    indices_or_sections : int or sequence of ints
        How many parts, or where parts but the first begin.

    Returns
    -------
    list of cupric.ndarray
        Views.

    Examples
    --------
    >>> len(cp.vsplit(cp.ones((4, 2)), 2))
    2
    """
    ary = device_array(ary)
    if ary.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    """`split` along the second axis, of a vector along its only one.

    Parameters
    ----------
    ary : cupric.ndarray
        It has one axis at least.
    indices_or_sections : int or sequence of ints
        How many parts, or where parts but the first begin.

    Returns
    -------
    list of cupric.ndarray
        Views.

    Examples
    --------
    >>> len(cp.hsplit(cp.ones((4, 2)), 2))
    2
    """
    ary = device_array(ary)
    if ary.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def dsplit(ary, indices_or_sections):
    """`split` along the third axis.

    Parameters
    ----------
    ary : cupric.ndarray
        It has three axes at least.
    indices_or_sections : int or sequence of ints
        How many parts, or where parts but the first begin.

    Returns
    -------
    list of cupric.ndarray
        Views.

    Examples
    --------
    >>> len(cp.dsplit(cp.ones((1, 1, 4)), 2))
    2
    """
    ary = device_array(ary)
    if ary.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)
