"""Elements put in, taken out and compared with their neighbours."""

import contextlib
import math
import operator

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    by_rows,
    flattened,
    has_outside,
    normalize_axis_index,
    normalize_axis_tuple,
    parameter_array,
    require_one_device,
    where_it_lives,
)
from cupric._manipulation._ends import differences_with_ends
from cupric._manipulation._ordered import begins_value
from cupric._manipulation._transpose import moveaxis

__all__ = [
    "delete",
    "diff",
    "ediff1d",
    "insert",
    "trim_zeros",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


def _host(x):
    return x.get() if isinstance(x, _core.ndarray) else x


def _as_dtype(values, dtype):
    """As an array of a dtype: OverflowError for Python's numbers that do not fit."""
    if isinstance(values, _core.ndarray):
        return values.astype(dtype, copy=False)
    return _core.array(values, dtype)


def _along(a, axis, key):
    return a[(slice(None),) * axis + (key,)]


@where_it_lives
def delete(arr, indices, axis=None):
    """A new array without the elements at some indices along an axis.

    Parameters
    ----------
    arr : cupric.ndarray
    indices : slice, int, sequence of ints or of bools
    axis : int, optional
        By default the array is taken as a vector.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.delete(cp.arange(4), 1)
    array([0, 2, 3])
    """
    arr = parameter_array(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    axis = normalize_axis_index(axis, arr.ndim)
    n = arr.shape[axis]
    if isinstance(indices, slice):
        chosen = range(n)[indices]
        if abs(chosen.step) == 1 and chosen:
            return _without_run(arr, axis, min(chosen[0], chosen[-1]), len(chosen))
        if len(chosen) < _FEW:
            return _without(arr, axis, np.sort(np.array(chosen, np.intp)))
        return _without_on_device(arr, axis, indices)
    if type(indices) is int and -n <= indices < n:
        return _without_run(arr, axis, indices % n, 1)
    on_device = isinstance(indices, _core.ndarray) and indices.ndim > 0
    if not on_device:
        indices = np.asarray(_host(indices))
        if indices.size == 0 and indices.dtype.kind == "f":
            indices = indices.astype(np.intp)
    if indices.dtype.kind not in "iub":
        raise IndexError(
            "arrays used as indices must be of integer (or boolean) type, not "
            f"{indices.dtype}"
        )
    if indices.dtype == bool and indices.shape != (n,):
        raise ValueError(
            "boolean array argument `obj` to delete must be one-dimensional and "
            f"match the axis length of {n}"
        )
    if indices.dtype != bool:
        _require_inside(indices, n, axis)
    if on_device:
        return _without_on_device(arr, axis, indices)
    gone = np.flatnonzero(indices) if indices.dtype == bool else np.unique(indices % n)
    if len(gone) < _FEW or gone[-1] - gone[0] == len(gone) - 1:
        return _without(arr, axis, gone)
    return _without_on_device(arr, axis, _core.array(gone))


_FEW = (
    8  # indices whose neighbours are joined as slices: one launch, nothing to wait for
)


def _require_inside(indices, n, axis):
    """Raise IndexError unless all indices are in [-n, n)."""
    if isinstance(indices, _core.ndarray):
        if not has_outside(indices.astype(np.int64) + n, 2 * n):
            return
        indices = indices.get()
    bad = indices[(indices < -n) | (indices >= n)]
    if bad.size:
        raise IndexError(
            f"index {bad[0]} is out of bounds for axis {axis} with size {n}"
        )


@by_rows
def _without_run(arr, axis, start, length):
    before = _along(arr, axis, slice(start))
    behind = _along(arr, axis, slice(start + length, None))
    return _core.concatenate((before, behind), axis)


@by_rows
def _without(arr, axis, gone):
    """The slices between some indices, in rising order, joined."""
    ends = np.flatnonzero(np.diff(gone) > 1).tolist()
    runs = zip([0, *(i + 1 for i in ends)], [*ends, len(gone) - 1], strict=True)
    parts, start = [], 0
    for first, last in runs if len(gone) else ():
        parts.append(_along(arr, axis, slice(start, int(gone[first]))))
        start = int(gone[last]) + 1
    parts.append(_along(arr, axis, slice(start, None)))
    return _core.concatenate(parts, axis)


@by_rows
def _without_on_device(arr, axis, indices):
    """What a mask on the device leaves. Waits for how much that is."""
    if isinstance(indices, _core.ndarray) and indices.dtype == bool:
        keep = _core.logical_not(indices)
    else:
        keep = _core.empty(arr.shape[axis], bool)
        keep.fill(True)
        keep[indices] = False
    return _along(arr, axis, keep)


@where_it_lives
def insert(arr, obj, values, axis=None):
    """A new array with values inserted before some indices along an axis.

    Parameters
    ----------
    arr : cupric.ndarray
    obj : slice, int or sequence of ints
    values : array_like
        Converted to the dtype of `arr`.
    axis : int, optional
        By default the array is taken as a vector.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.insert(cp.arange(3), 1, 9)
    array([0, 9, 1, 2])
    """
    arr = parameter_array(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    axis = normalize_axis_index(axis, arr.ndim)
    n = arr.shape[axis]
    if type(obj) is int and -n <= obj <= n:
        values = _values_along(values, arr, axis)
        return _insert_at(arr, obj if obj >= 0 else obj + n, values, axis)
    if isinstance(obj, slice):
        places = np.arange(n)[obj]
    else:
        places = np.asarray(_host(obj))
        if places.dtype == bool:
            places = np.flatnonzero(places)
        elif places.size == 0:
            places = places.astype(np.intp)
        if places.dtype.kind not in "iu":
            many = IndexError if places.size > 1 else TypeError  # as NumPy has it
            raise many(f"places must be integers, not {places.dtype}")
    bad = (places < -n) | (places > n)
    if bad.any():
        first = np.atleast_1d(places)[np.atleast_1d(bad)][0]
        raise IndexError(
            f"index {first} is out of bounds for axis {axis} with size {n}"
        )
    places = np.where(places < 0, places + n, places)
    if places.ndim == 0:
        return _insert_at(arr, int(places), _values_along(values, arr, axis), axis)
    values = _with_axes(_as_dtype(values, arr.dtype), arr.ndim)
    order = places.argsort(kind="stable")
    new = places.copy()
    new[order] += np.arange(places.size)
    keep = np.ones(n + places.size, bool)
    keep[new] = False
    out = _longer(arr, axis, places.size)
    before = (slice(None),) * axis
    out[(*before, new)] = values
    out[(*before, np.flatnonzero(keep))] = arr
    return out


def _with_axes(values, ndim):
    return values if values.ndim >= ndim else values[(None,) * (ndim - values.ndim)]


def _values_along(values, arr, axis):
    """What is inserted at one place: as many as there are along the first axis."""
    values = _with_axes(_as_dtype(values, arr.dtype), arr.ndim)
    return moveaxis(values, 0, axis) if axis else values


def _longer(arr, axis, more):
    """A new array like another with more elements along an axis."""
    shape = (*arr.shape[:axis], arr.shape[axis] + more, *arr.shape[axis + 1 :])
    return _core.empty(shape, arr.dtype, "F" if arr.flags.fnc else "C")


def _insert_at(arr, place, values, axis):
    """Values before one place: the parts around them are copied as they lie."""
    times = values.shape[axis]
    out = _longer(arr, axis, times)
    for part, source in (
        (slice(None, place), _along(arr, axis, slice(None, place))),
        (slice(place, place + times), values),
        (slice(place + times, None), _along(arr, axis, slice(place, None))),
    ):
        key = (slice(None),) * axis + (part,)
        out[key] = source
    return out


@where_it_lives
def trim_zeros(filt, trim="fb", axis=None):
    """A view without leading and trailing zeros. Waits for the device.

    Parameters
    ----------
    filt : cupric.ndarray
    trim : {'fb', 'f', 'b'}
        'f' trims the front, 'b' the back.
    axis : int or tuple of ints, optional
        Trim along these axes; along all by default.

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.trim_zeros(cp.array([0, 1, 2, 0]))
    array([1, 2])
    """
    filt = parameter_array(filt)
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    axes = range(filt.ndim) if axis is None else normalize_axis_tuple(axis, filt.ndim)
    key = [slice(None)] * filt.ndim
    for i, (front, back, count) in zip(axes, _ends(filt, axes), strict=True):
        start = front if "f" in trim else None
        stop = filt.shape[i] - back if "b" in trim else None
        key[i] = slice(start, stop) if count else slice(0, 0)
    return filt[tuple(key)] if key else filt


_SHORT = 4096  # bytes that are copied to the host as fast as three numbers are


def _ends(x, axes):
    """For each axis how many slices of zeros are at its front and at its back, and how
    many slices are not: one look at the device."""
    if x.size == 0:
        return [(0, 0, 0)] * len(axes)
    nonzero = x != 0
    lines = [_any_but(nonzero, i) for i in axes]
    if len(lines) == 1 and lines[0].size <= _SHORT:
        line = lines[0].get()
        places = np.flatnonzero(line)
        if places.size == 0:
            return [(0, 0, 0)]
        return [(int(places[0]), line.size - 1 - int(places[-1]), places.size)]
    found = _core.empty((len(axes), 3), np.int64)
    for row, line in zip(found, lines, strict=True):
        _core.argmax(line, out=row[0])
        _core.argmax(line[::-1].copy(), out=row[1])
        _core.reductions.count_nonzero(line, out=row[2])
    return found.tolist()


def _any_but(x, axis):
    """Whether any element is true in each slice along an axis."""
    others = tuple(i for i in range(x.ndim) if i != axis)
    return x.any(axis=others) if others else x


@where_it_lives
def diff(a, n=1, axis=-1, prepend=None, append=None):
    """The `n`-th discrete difference along an axis.

    Parameters
    ----------
    a : cupric.ndarray
    n : int
    axis : int
    prepend, append : array_like, optional
        Put before and behind `a` along the axis first.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.diff(cp.array([1, 2, 4]))
    array([1, 2])
    """
    a, n = parameter_array(a), operator.index(n)
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = normalize_axis_index(axis, a.ndim)
    ends = []
    for end in (prepend, append):
        if end is None:
            ends.append([])
            continue
        end = parameter_array(end)
        if end.ndim == 0:
            shape = list(a.shape)
            shape[axis] = 1
            end = _core.broadcast_to(end, shape)
        ends.append([end])
    if ends[0] or ends[1]:
        a = _core.concatenate([*ends[0], a, *ends[1]], axis)
    apart = _core.not_equal if a.dtype == bool else _core.subtract
    left = min(n, max(a.shape[axis], 1))  # once at least: a new array
    while left > 1 and a.dtype.char in _DIFFERED:  # two at a time
        parts = (slice(None, -2), slice(1, -1), slice(2, None))
        a = _core.second_difference(*(_along(a, axis, p) for p in parts))
        left -= 2
    for _ in range(left):
        a = apart(_along(a, axis, slice(1, None)), _along(a, axis, slice(None, -1)))
    return a


_DIFFERED = "bBhHiIlLqQfdFD"  # what second_difference rounds as two differences do


@where_it_lives
def ediff1d(arr, to_end=None, to_begin=None):
    """Differences between consecutive elements of the flattened array.

    Parameters
    ----------
    arr : cupric.ndarray
        The array.
    to_end : array_like, optional
        What comes behind the differences.
    to_begin : array_like, optional
        What comes before them.

    Returns
    -------
    cupric.ndarray
        A vector.

    Examples
    --------
    >>> cp.ediff1d(cp.array([1, 2, 4]))
    array([1, 2])
    """
    arr = flattened(parameter_array(arr))
    if to_begin is None and to_end is None:
        return arr[1:] - arr[:-1]
    begin = _end(to_begin, "to_begin", arr)
    end = _end(to_end, "to_end", arr)
    return differences_with_ends(arr, begin, end)


_NOTHING = contextlib.nullcontext()


def _end(given, name, beside):
    """What is put beside differences: a number or one axis, of their dtype."""
    if given is None:
        return None
    number = isinstance(given, (bool, int, float, complex, np.generic))
    given = np.asarray(given) if number else parameter_array(given)
    dtype = beside.dtype
    if given.dtype != dtype:
        if not _core.can_cast(given.dtype, dtype, "same_kind"):
            raise TypeError(
                f"dtype of `{name}` must be compatible with input `ary` under the "
                "`same_kind` rule."
            )
        with np.errstate(over="ignore") if number and dtype.char in "efF" else _NOTHING:
            given = given.astype(dtype)
    if number:
        return given[()]
    require_one_device(beside, given)
    return flattened(given)


@where_it_lives
def unique(
    ar,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
):
    """Sorted unique elements of an array. Waits for the device.

    Parameters
    ----------
    ar : cupric.ndarray
    return_index, return_inverse, return_counts : bool
        Also return where each is first found, which of them each element is, and how
        often each is found.
    axis : int, optional
        Compare the slices along this axis instead of elements.
    equal_nan : bool
        Whether NaNs are one element.

    Returns
    -------
    cupric.ndarray, or a tuple of them
        A tuple if more than the elements is asked for.

    Examples
    --------
    >>> cp.unique(cp.array([2, 1, 2]))
    array([1, 2])
    """
    ar = parameter_array(ar)
    if axis is not None:
        axis = normalize_axis_index(axis, ar.ndim)
    if axis is None or ar.ndim == 1:  # a vector's slices are its elements
        shape = ar.shape
        flat = ar.ravel()
        places = return_index or return_inverse
        order = flat.argsort(kind="stable") if places else None
        aux = flat[order] if places else _core.sort(flat)
        differs = _differs(aux, equal_nan)
        values = aux[differs]
    else:
        shape = (ar.shape[axis],)
        rows = moveaxis(ar, axis, 0)
        flat = rows.reshape(rows.shape[0], math.prod(rows.shape[1:]))
        order = _row_order(flat)
        differs = _differs(flat[order], equal_nan=False)
        values = moveaxis(rows[order[differs]], 0, axis)
    results = [values]
    if return_index:
        results.append(order[differs])
    if return_counts:
        starts = differs.nonzero()[0]
    if return_inverse:
        differs[:1] = False  # so that the first one's number is 0
        # Each place once: added, which in any order is the same, and so faster.
        inverse = _core.zeros(order.shape, np.intp)
        _core.add.at(inverse, order, differs.cumsum())
        results.append(inverse.reshape(shape))
    if return_counts:
        bounds = _core.empty(starts.size + 1, np.intp)
        bounds[:-1] = starts
        bounds[-1:] = differs.size
        results.append(bounds[1:] - starts)
    return results[0] if len(results) == 1 else tuple(results)


def _row_order(rows):
    """The places of the rows of a matrix in lexicographic order."""
    order = _core.arange(rows.shape[0])
    for column in range(rows.shape[1] - 1, -1, -1):
        order = order[rows[order, column].argsort(kind="stable")]
    return order


def _differs(aux, equal_nan):
    """Where a sorted vector, or matrix of rows, begins another value."""
    differs = begins_value(aux, equal_nan) if aux.ndim == 1 else None
    if differs is not None:
        return differs
    differs = _core.empty(aux.shape[:1], bool)
    differs[:1] = True
    before, after = aux[:-1], aux[1:]
    if aux.ndim > 1:
        differs[1:] = (after != before).any(axis=1)
        return differs
    _core.not_equal(after, before, out=differs[1:])
    if equal_nan and aux.dtype.kind in "fc":
        # What follows a NaN is one.
        _core.logical_and(differs[1:], before == before, out=differs[1:])
    return differs


def unique_all(x):
    """`unique` with everything it can return, as a named tuple.

    Parameters
    ----------
    x : cupric.ndarray
        The array.

    Returns
    -------
    values, indices, inverse_indices, counts : cupric.ndarray
        As a named tuple.

    Examples
    --------
    >>> cp.unique_all(cp.array([1, 1])).counts
    array([2])
    """
    made = np.lib._arraysetops_impl.UniqueAllResult
    return made(*unique(x, True, True, True, equal_nan=False))


def unique_counts(x):
    """Unique elements and their counts.

    Parameters
    ----------
    x : cupric.ndarray
        The array.

    Returns
    -------
    values, counts : cupric.ndarray
        As a named tuple.

    Examples
    --------
    >>> cp.unique_counts(cp.array([1, 1])).counts
    array([2])
    """
    made = np.lib._arraysetops_impl.UniqueCountsResult
    return made(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x):
    """Unique elements and the indices that reconstruct the array from them.

    Parameters
    ----------
    x : cupric.ndarray
        The array.

    Returns
    -------
    values, inverse_indices : cupric.ndarray
        As a named tuple.

    Examples
    --------
    >>> cp.unique_inverse(cp.array([1, 1])).inverse_indices
    array([0, 0])
    """
    made = np.lib._arraysetops_impl.UniqueInverseResult
    return made(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x):
    """Unique elements.

    Parameters
    ----------
    x : cupric.ndarray
        The array.

    Returns
    -------
    cupric.ndarray
        A vector.

    Examples
    --------
    >>> cp.unique_values(cp.array([1, 1]))
    array([1])
    """
    return unique(x, equal_nan=False)
