"""Differences, integrals and interpolation along axes."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    by_rows,
    device_array,
    normalize_axis_index,
    normalize_axis_tuple,
    parameter_array,
    where_it_lives,
)
from cupric._manipulation._edit import diff
from cupric._manipulation._join import concatenate
from cupric._manipulation._transpose import moveaxis
from cupric._math._gradient import gradient_at, gradient_evenly, is_even
from cupric._math._interp import on_circle, on_lines
from cupric._math._windows import unwrapping_steps

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "gradient",
    "interp",
    "trapezoid",
    "unwrap",
]


def _cumulative(scan, first, x, axis, dtype, out, include_initial):
    x = parameter_array(x)
    if axis is None:
        if x.ndim > 1:
            raise ValueError(
                f"the array has {x.ndim} dimensions: `axis` must say along which"
            )
        axis = 0
    x = x.reshape(1) if x.ndim == 0 else x
    if not include_initial:
        return scan(x, axis, dtype, out)
    r = scan(x, axis, dtype)
    shape = list(r.shape)
    shape[normalize_axis_index(axis, r.ndim)] = 1
    before = _core.empty(tuple(shape), r.dtype)
    before.fill(first)
    return concatenate((before, r), axis=axis, out=out, casting="same_kind")


@where_it_lives
def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Sums of the elements up to each one.

    Parameters
    ----------
    x : cupric.ndarray
    axis : int, optional
        May be left out for one axis only.
    dtype : data-type, optional
    out : cupric.ndarray, optional
    include_initial : bool, optional
        Start with the sum of nothing.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.cumulative_sum(cp.array([1, 2, 3]), include_initial=True)
    array([0, 1, 3, 6])
    """
    return _cumulative(_core.cumsum, 0, x, axis, dtype, out, include_initial)


@where_it_lives
def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Products of the elements up to each one: see `cumulative_sum`.

    Parameters
    ----------
    x : cupric.ndarray
        The array.
    axis : int, optional
        The axis to run along; needed unless there is only one.
    dtype : dtype, optional
        Of the result, and of the work.
    out : cupric.ndarray, optional
        Where the result goes. It has the result's shape.
    include_initial : bool, optional
        Whether the products begin with 1, before the first element.

    Returns
    -------
    cupric.ndarray
        A new array, or `out`.

    Examples
    --------
    >>> cp.cumulative_prod(cp.array([1, 2, 3]), include_initial=True)
    array([1, 1, 2, 6])
    """
    return _cumulative(_core.cumprod, 1, x, axis, dtype, out, include_initial)


def _steps(spacing, axes, shape):
    """For each axis the distance of its samples, or the array of their places."""
    if len(spacing) == 0:
        return [1.0] * len(axes)
    if len(spacing) == 1 and np.ndim(spacing[0]) == 0:
        return list(spacing) * len(axes)
    if len(spacing) != len(axes):
        raise TypeError(f"{len(spacing)} spacings were given for {len(axes)} axes")
    steps = []
    for x, axis in zip(spacing, axes, strict=True):
        if np.ndim(x) == 0:
            steps.append(x)
            continue
        x = parameter_array(x)
        if x.ndim != 1 or x.size != shape[axis]:
            raise ValueError(
                f"the coordinates along axis {axis} have shape {x.shape}, "
                f"the axis has {shape[axis]} elements"
            )
        steps.append(x)
    return steps


def _edge(g, h1, h2, order):
    """The derivative at the first of three samples, with the gaps after it."""
    if order == 1:
        return (g[..., 1] - g[..., 0]) / h1
    a = -(2 * h1 + h2) / (h1 * (h1 + h2))
    b = (h1 + h2) / (h1 * h2)
    c = -h1 / (h2 * (h1 + h2))
    return a * g[..., 0] + b * g[..., 1] + c * g[..., 2]


@by_rows
def _gradient_along(f, axis, h, order):
    if f.size and is_even(f, h, order):
        return gradient_evenly(f, axis, h, order)
    at_places = isinstance(h, _core.ndarray) and h.ndim
    if f.size and at_places and h.dtype.kind != "c":
        return gradient_at(f, axis, h, order)
    out = _core.empty(f.shape, f.dtype)
    g, r = moveaxis(f, axis, -1), moveaxis(out, axis, -1)
    if at_places:
        h = diff(h)
        h1, h2 = h[:-1], h[1:]
        a, b, c = -h2 / (h1 * (h1 + h2)), (h2 - h1) / (h1 * h2), h1 / (h2 * (h1 + h2))
        r[..., 1:-1] = a * g[..., :-2] + b * g[..., 1:-1] + c * g[..., 2:]
        ends = h[0], h[min(1, h.size - 1)], h[-1], h[max(-2, -h.size)]
    else:
        r[..., 1:-1] = (g[..., 2:] - g[..., :-2]) / (2.0 * h)
        ends = h, h, h, h
    r[..., 0] = _edge(g, ends[0], ends[1], order)
    r[..., -1] = -_edge(g[..., ::-1], ends[2], ends[3], order)
    return out


@where_it_lives
def gradient(f, *varargs, axis=None, edge_order=1):
    """Derivatives by central differences, one-sided at the edges.

    Parameters
    ----------
    f : cupric.ndarray
    *varargs : scalar or cupric.ndarray of one axis
        Distances of the samples, one for all axes or one each; or coordinates.
    axis : None, int or tuple of ints, optional
        All axes when left out.
    edge_order : {1, 2}, optional
        Of the differences at the edges.

    Returns
    -------
    cupric.ndarray, or a tuple of them
        One for each axis.

    Examples
    --------
    >>> cp.gradient(cp.array([1.0, 2.0, 4.0, 7.0]))
    array([1. , 1.5, 2.5, 3. ])
    """
    f = parameter_array(f)
    axes = range(f.ndim) if axis is None else normalize_axis_tuple(axis, f.ndim)
    steps = _steps(varargs, axes, f.shape)
    if edge_order not in (1, 2):
        raise ValueError(f"edge_order is 1 or 2, not {edge_order}")
    if f.dtype.kind == "b" and len(axes):
        raise TypeError(
            "booleans have no differences, and so no gradient: convert them"
        )
    if f.dtype.kind not in "fc":
        f = f.astype(np.float64)
    for i in axes:
        if f.shape[i] < edge_order + 1:
            raise ValueError(
                f"axis {i} has {f.shape[i]} elements, a gradient with edges of order "
                f"{edge_order} takes {edge_order + 1} or more"
            )
    parts = tuple(
        _gradient_along(f, i, h, edge_order) for i, h in zip(axes, steps, strict=True)
    )
    return parts[0] if len(parts) == 1 else parts


@where_it_lives
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral along an axis by the trapezoidal rule.

    Parameters
    ----------
    y : cupric.ndarray
    x : cupric.ndarray, optional
        Where the samples are: one axis, or the shape of `y`.
    dx : scalar, optional
        The distance of the samples, without `x`.
    axis : int, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.trapezoid(cp.array([1, 2, 3]))
    array(4.)
    """
    y = moveaxis(parameter_array(y), axis, -1)
    if x is None and _is_step(dx, y.dtype):
        return _core.reductions.trapezoid(y[..., 1:], y[..., :-1], axis=-1, dx=dx)
    if x is not None:
        x = parameter_array(x)
        x = x if x.ndim == 1 else moveaxis(x, axis, -1)
        if x.ndim and x.dtype == y.dtype and x.dtype.char in "fd":
            ends = x[..., :-1], x[..., 1:], y[..., 1:], y[..., :-1]
            return _core.trapezium(*ends).sum(-1)
        dx = diff(x)
    return (dx * (y[..., 1:] + y[..., :-1]) / 2.0).sum(-1)


def _is_step(dx, dtype):
    """Whether the row takes a distance of samples of a dtype as products do."""
    if dtype.kind in "biu":
        return type(dx) is float or (type(dx) is int and dx == 1)
    return dtype.char in "fdFD" and type(dx) in (float, int)


@where_it_lives
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    """Add multiples of a period so that neighbours differ by no more than half of it.

    Parameters
    ----------
    p : cupric.ndarray
    discont : float, optional
        Jumps up to this size stay.
    axis : int, optional
    period : float, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.unwrap(cp.array([0, 1, 2, -1]), period=4)
    array([0, 1, 2, 3])
    """
    p = moveaxis(parameter_array(p), axis, -1)
    numbers = type(period) in (int, float) and type(discont) in (int, float, type(None))
    if numbers and p.dtype.char in "fd" and p.size and period != 0:
        limit = period / 2 if discont is None else discont
        steps = unwrapping_steps(p, float(period), float(limit))
        r = _core.cumsum(steps, -1)
        return moveaxis(_core.add(p, r, r), -1, axis)
    jumps = diff(p)
    dtype = _core.add(jumps[..., :0], period).dtype
    half = period // 2 if dtype.kind in "iu" else period / 2
    wrapped = _core.remainder(jumps + half, period) - half
    if dtype.kind == "f" or period % 2 == 0:
        up = _core.logical_and(wrapped == -half, jumps > 0)
        wrapped = _core.where(up, half, wrapped)
    limit = period / 2 if discont is None else discont
    steps = _core.where(_core.absolute(jumps) < limit, 0, wrapped - jumps)
    r = p.astype(dtype)
    r[..., 1:] += steps.cumsum(-1)
    return moveaxis(r, -1, axis)


@where_it_lives
def interp(x, xp, fp, left=None, right=None, period=None):
    """The values between samples of a function, on straight lines.

    Parameters
    ----------
    x : cupric.ndarray
    xp : cupric.ndarray, one axis
        Where the samples are, ascending; in any order with a period.
    fp : cupric.ndarray
        The samples.
    left, right : scalar, optional
        Before the first and after the last sample; their values by default.
    period : float, optional

    Returns
    -------
    cupric.ndarray of float64 or complex128

    Examples
    --------
    >>> cp.interp(cp.array([0.5, 9.0]), cp.array([0, 1]), cp.array([10, 20]))
    array([15., 20.])
    """
    x, xp, fp = (device_array(a) for a in (x, xp, fp))
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError(f"samples of one axis are needed, not of {xp.ndim}, {fp.ndim}")
    if xp.size != fp.size:
        raise ValueError(f"{xp.size} places and {fp.size} values of samples were given")
    if xp.size == 0 and x.size > 0:
        raise ValueError(f"there are no samples to find {x.size} values from")
    for a in (x, xp):
        if not _core.can_cast(a.dtype, np.float64, "same_kind"):
            a.astype(np.float64, "K", "same_kind")  # the error of a conversion
    if period is not None and period == 0:
        raise ValueError("period must be a non-zero value")
    if xp.size == 0:
        made = np.complex128 if fp.dtype.kind == "c" else np.float64
        return _core.empty(x.shape, made)
    if period is None:
        return on_lines(x, xp, fp, left, right)
    period = abs(period)
    x, xp = (_core.remainder(a, period, dtype=np.float64) for a in (x, xp))
    return on_circle(x, xp, xp.argsort(), fp, float(period))
