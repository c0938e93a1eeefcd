"""Arrays with a border."""

from copy import copy

import numpy as np

from cupric import _core
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._args import parameter_array, where_it_lives
from cupric._padding._borders import bordered, holds, takes
from cupric._statistics._order import median

__all__ = ["pad"]

# Keyword arguments of each mode, with their defaults.
_OPTIONS = {
    "constant": {"constant_values": 0},
    "edge": {},
    "linear_ramp": {"end_values": 0},
    "maximum": {"stat_length": None},
    "mean": {"stat_length": None},
    "median": {"stat_length": None},
    "minimum": {"stat_length": None},
    "reflect": {"reflect_type": "even"},
    "symmetric": {"reflect_type": "even"},
    "wrap": {},
    "empty": {},
}


@replayed
@where_it_lives
def pad(array, pad_width, mode="constant", **kwargs):
    """A new array with a border around `array`.

    Parameters
    ----------
    array : cupric.ndarray
    pad_width : int, pair of ints, sequence of pairs or dict
        How many elements before and after, for all axes or for each.
    mode : str or function
        'constant', 'edge', 'linear_ramp', 'maximum', 'mean', 'median', 'minimum',
        'reflect', 'symmetric', 'wrap', 'empty', or a function called with each vector
        along an axis, its pad widths, the axis and the keyword arguments, which it
        changes in place.
    constant_values, end_values, stat_length, reflect_type
        Of the modes, as in `numpy.pad`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.pad(cp.arange(2), 1)
    array([0, 0, 1, 0])
    """
    array = parameter_array(array)
    width = _pairs(_widths(pad_width, array.ndim), array.ndim, integers=True)
    if callable(mode):
        return _by_function(array, width, mode, kwargs)
    if mode not in _OPTIONS:
        raise ValueError(f"mode '{mode}' is not supported")
    unknown = set(kwargs) - set(_OPTIONS[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    options = _OPTIONS[mode] | kwargs
    if options.get("reflect_type", "even") not in ("even", "odd"):
        raise ValueError(
            f"reflect_type must be 'even' or 'odd', not {options['reflect_type']!r}"
        )
    if mode == "empty":
        return _framed(array, width)[0]
    if mode == "constant":
        return _constant(array, width, options["constant_values"])
    if array.size == 0:
        _check_empty(array, width, mode)
        return _framed(array, width)[0]
    if mode in ("edge", "wrap") or options.get("reflect_type") == "even":
        if takes(array):
            return bordered(array, width, mode)
        return _by_index(array, width, mode)
    if mode in ("reflect", "symmetric"):
        return _odd(array, width, mode)
    if mode == "linear_ramp":
        ends = _pairs(options["end_values"], array.ndim)
        return _ramp(array, width, ends)
    lengths = _lengths(options["stat_length"], array.ndim, mode)
    return _statistic(array, width, mode, lengths)


def _widths(pad_width, ndim):
    """A dict names axes; those not named have no border."""
    if not isinstance(pad_width, dict):
        return pad_width
    pairs = [(0, 0)] * ndim
    for axis, value in pad_width.items():
        pairs[axis] = (value, value) if isinstance(value, int) else tuple(value)
    return pairs


def _pairs(x, ndim, integers=False):
    """A (before, after) pair for each axis, from the forms that NumPy takes."""
    x = np.asarray(x.get() if isinstance(x, _core.ndarray) else x)
    if integers:
        if x.dtype.kind not in "iu":
            raise TypeError("`pad_width` must be of integral type.")
        if x.size and x.min() < 0:
            raise ValueError("index can't contain negative values")
    return np.broadcast_to(x, (ndim, 2)).tolist()


def _lengths(x, ndim, mode):
    if x is None:
        return [(None, None)] * ndim
    lengths = _pairs(np.round(x).astype(np.intp), ndim)
    if any(n < 0 for pair in lengths for n in pair):
        raise ValueError("index can't contain negative values")
    if mode in ("maximum", "minimum") and any(n == 0 for pair in lengths for n in pair):
        raise ValueError("stat_length of 0 yields no value for padding")
    return lengths


def _framed(array, width):
    """A new array with `array` in its middle, and that middle."""
    _core._not_replayed()  # its borders' values may warn
    shape = [n + b + a for n, (b, a) in zip(array.shape, width, strict=True)]
    order = "F" if array.flags.fnc else "C"
    out = _core.empty(shape, array.dtype, order, device=array.device)
    middle = tuple(
        slice(b, b + n) for n, (b, _) in zip(array.shape, width, strict=True)
    )
    out[middle] = array
    return out, middle


def _borders(shape, middle, axis):
    """The parts before and after the middle: earlier axes in full, later ones not."""
    full = (slice(None),) * axis
    before = (*full, slice(0, middle[axis].start), *middle[axis + 1 :])
    after = (*full, slice(middle[axis].stop, shape[axis]), *middle[axis + 1 :])
    return before, after


def _constant(array, width, values):
    values = _pairs(values, array.ndim)
    if takes(array) and len({repr(v) for pair in values for v in pair}) == 1:
        value = values[0][0]
        if holds(array.dtype, value):
            return bordered(array, width, "constant", value)
    out, middle = _framed(array, width)
    for axis, pair in enumerate(values):
        for part, value in zip(_borders(out.shape, middle, axis), pair, strict=True):
            out[part] = value
    return out


def _check_empty(array, width, mode):
    for axis, (n, pair) in enumerate(zip(array.shape, width, strict=True)):
        if n == 0 and any(pair):
            raise ValueError(
                f"can't extend empty axis {axis} using modes other than 'constant' or "
                "'empty'"
            )


def _by_index(array, width, mode):
    """Every element of the result is one of the array's: one gather."""
    places = [
        np.pad(np.arange(n), pair, mode)
        for n, pair in zip(array.shape, width, strict=True)
    ]
    if not places:
        return copy(array)
    return array[np.ix_(*places)]


def _slab(a, axis, start, stop, step=None):
    return a[(slice(None),) * axis + (slice(start, stop, step),)]


def _odd(array, width, mode):
    """Reflections in the edge's value as well as in its place."""
    skip = 1 if mode == "reflect" else 0
    for axis, (before, after) in enumerate(width):
        if array.shape[axis] == 1:
            array = _by_index(
                array,
                [(before, after) if i == axis else (0, 0) for i in range(array.ndim)],
                "edge",
            )
            continue
        n = array.shape[axis]
        while before > 0 or after > 0:
            # No more can be reflected at once than the period that is there.
            room = n - skip
            parts, b, a = [array], min(before, room), min(after, room)
            if b:
                turned = _slab(array, axis, skip, b + skip)
                turned = turned[(slice(None),) * axis + (slice(None, None, -1),)]
                parts.insert(0, 2 * _slab(array, axis, 0, 1) - turned)
            if a:
                size = array.shape[axis]
                turned = _slab(array, axis, size - skip - a, size - skip)
                turned = turned[(slice(None),) * axis + (slice(None, None, -1),)]
                parts.append(2 * _slab(array, axis, size - 1, size) - turned)
            array = _core.concatenate(parts, axis).astype(array.dtype, copy=False)
            before, after = before - b, after - a
    return array


def _ramp(array, width, ends):
    from cupric._creation._ranges import linspace

    out, middle = _framed(array, width)
    for axis, (pair, (before, after)) in enumerate(zip(ends, width, strict=True)):
        parts = _borders(out.shape, middle, axis)
        inner = out[(slice(None),) * axis + (slice(None),) + middle[axis + 1 :]]
        first = _slab(inner, axis, middle[axis].start, middle[axis].start + 1)
        last = _slab(inner, axis, middle[axis].stop - 1, middle[axis].stop)
        sides = ((before, first, pair[0], 1), (after, last, pair[1], -1))
        for part, (n, edge, end, step) in zip(parts, sides, strict=True):
            ramp = linspace(
                np.asarray(end).astype(out.dtype)[()],
                edge.squeeze(axis),
                n,
                endpoint=False,
                dtype=out.dtype,
                axis=axis,
            )
            out[part] = _slab(ramp, axis, None, None, step)
    return out


def _value(a, axis, mode):
    if mode == "maximum":
        return a.max(axis=axis, keepdims=True)
    if mode == "minimum":
        return a.min(axis=axis, keepdims=True)
    if mode == "mean":
        return a.mean(axis=axis, keepdims=True)
    return median(a, axis=axis, keepdims=True)


def _statistic(array, width, mode, lengths):
    out, middle = _framed(array, width)
    for axis, (n, pair) in enumerate(zip(array.shape, lengths, strict=True)):
        parts = _borders(out.shape, middle, axis)
        inner = out[(slice(None),) * axis + (middle[axis],) + middle[axis + 1 :]]
        before, after = (n if k is None else min(k, n) for k in pair)
        slabs = (_slab(inner, axis, 0, before), _slab(inner, axis, n - after, n))
        for part, slab in zip(parts, slabs, strict=True):
            value = _value(slab, axis, mode)
            if array.dtype.kind in "iu" and value.dtype.kind == "f":
                value = _core.rint(value)
            out[part] = value.astype(out.dtype)
    return out


def _by_function(array, width, function, kwargs):
    out = _constant(array, width, 0)
    for axis, pair in enumerate(width):
        view = out.swapaxes(axis, -1)
        for place in np.ndindex(view.shape[:-1]):
            function(view[place], tuple(pair), axis, kwargs)
    return out
