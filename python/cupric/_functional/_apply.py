"""Functions of users' functions: along axes, over axes, by pieces.

A function that is called for many parts of an array is called on the host, once for
each; what it does with its part, an array of the device, is queued there.
"""

import operator

import numpy as np

from cupric import _core
from cupric._creation._basic import zeros_like
from cupric._indexing._choice import fits, select_first
from cupric._manipulation._args import (
    normalize_axis_index,
    parameter_array,
    where_it_lives,
)
from cupric._manipulation._dims import expand_dims
from cupric._manipulation._transpose import moveaxis
from cupric._padding._borders import holds

__all__ = [
    "apply_along_axis",
    "apply_over_axes",
    "piecewise",
]


@where_it_lives
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """Results of a function of one-dimensional arrays along an axis.

    Parameters
    ----------
    func1d : callable
        ``func1d(a, *args, **kwargs)`` is called for each line along `axis`, one after
        the other: a function that takes an axis itself is far faster.
    axis : int
    arr : cupric.ndarray
    *args, **kwargs
        Passed on.

    Returns
    -------
    cupric.ndarray
        The axes of a result stand where `axis` was. The first result decides the dtype.

    Raises
    ------
    ValueError
        There are no lines.

    Examples
    --------
    >>> x = cp.array([[3, 1, 2], [9, 7, 8]])
    >>> cp.apply_along_axis(lambda line: line.max() - line[0], 1, x)
    array([0, 0])
    """
    arr = parameter_array(arr)
    axis = normalize_axis_index(operator.index(axis), arr.ndim)
    lines = moveaxis(arr, axis, -1)
    outer = lines.shape[:-1]
    out = None
    for place in np.ndindex(outer):
        part = parameter_array(func1d(lines[place], *args, **kwargs))
        if out is None:
            out = _core.empty(outer + part.shape, part.dtype)
        out[place] = part
    if out is None:
        raise ValueError(
            "Cannot apply_along_axis when any iteration dimensions are 0: the shape is "
            f"{arr.shape}, the axis {axis}"
        )
    n = len(outer)
    return moveaxis(out, range(n, out.ndim), range(axis, axis + out.ndim - n))


def apply_over_axes(func, a, axes):
    """Results of a function of an array and an axis, over several axes in turn.

    Parameters
    ----------
    func : callable
        ``func(a, axis)``, whose result has as many axes as `a`, or one less.
    a : cupric.ndarray
    axes : int or sequence of ints

    Returns
    -------
    cupric.ndarray
        With as many axes as `a`.

    Examples
    --------
    >>> cp.apply_over_axes(cp.sum, cp.arange(24).reshape(2, 3, 4), [0, 2])
    array([[[ 60],
            [ 92],
            [124]]])
    """
    made = a = parameter_array(a)
    for axis in np.atleast_1d(np.asarray(axes)).tolist():
        axis = axis + a.ndim if axis < 0 else axis
        part = func(made, axis)
        if part.ndim != made.ndim:
            part = expand_dims(part, axis)
        if part.ndim != made.ndim:
            raise ValueError(
                "function is not returning an array of the correct shape: it has "
                f"{part.ndim - 1} dimensions, its argument {made.ndim}"
            )
        made = part
    return made


_ARRAYS = np.ndarray, _core.ndarray


def _is_nested(condlist):
    if isinstance(condlist, _ARRAYS):
        return condlist.ndim > 1
    return isinstance(condlist[0], (list, *_ARRAYS))


def _conditions(x, condlist):
    """The conditions as arrays of bool, on the device."""
    is_one = type(condlist) not in (list, tuple) and np.ndim(condlist) == 0
    if is_one or (not _is_nested(condlist) and x.ndim):
        condlist = [condlist]
    conditions = [parameter_array(c).astype(np.bool_, copy=False) for c in condlist]
    if len({c.shape for c in conditions}) > 1:
        raise ValueError(
            "conditions have one shape, not "
            + ", ".join(str(c.shape) for c in conditions)
        )
    return conditions


def _numbers(x, conditions, functions):
    """The values of pieces as scalars of the dtype, or None where some are no numbers
    that it holds, or the result is laid out otherwise."""
    if not (0 < len(conditions) <= len(functions) <= len(conditions) + 1):
        return None
    if not fits(x.dtype, x.shape) or not (x.flags.c_contiguous or x.ndim == 1):
        return None
    if any(c.shape != x.shape for c in conditions):
        return None
    if not all(
        type(f) in (int, float, complex) and holds(x.dtype, f) for f in functions
    ):
        return None
    return [x.dtype.type(f) for f in functions]


@where_it_lives
def piecewise(x, condlist, funclist, *args, **kw):
    """Values of a function that is defined by pieces.

    Parameters
    ----------
    x : cupric.ndarray
    condlist : list of cupric.ndarray of bool
        Where each piece holds; of several the last one counts.
    funclist : list of scalars or callables
        The value of each piece, or ``f(x[condition], *args, **kw)``: for a callable the
        number of its elements is copied to the host. One more is for the rest.
    *args, **kw
        Passed on to callables.

    Returns
    -------
    cupric.ndarray
        New, of the shape and dtype of `x`; 0 where no condition holds.

    Examples
    --------
    >>> x = cp.array([-2.0, -1.0, 0.0, 3.0])
    >>> cp.piecewise(x, [x < 0, x > 0], [-1, 1])
    array([-1., -1.,  0.,  1.])
    >>> cp.piecewise(x, [x < 0], [lambda v: -v, lambda v: v])
    array([2., 1., 0., 3.])
    """
    x = parameter_array(x)
    conditions = _conditions(x, condlist)
    n = len(conditions)
    parts = _numbers(x, conditions, funclist)
    if parts is not None:  # of several that hold the last one counts
        default = parts.pop() if len(parts) > n else x.dtype.type(0)
        return select_first(x.shape, x.dtype, conditions[::-1], parts[::-1], default)
    if len(funclist) == n + 1:
        rest = conditions[0] if n else _core.zeros(x.shape, np.bool_)
        for condition in conditions[1:]:
            rest = _core.logical_or(rest, condition)
        conditions.append(_core.logical_not(rest))
    elif len(funclist) != n:
        raise ValueError(
            f"with {n} condition(s), either {n} or {n + 1} functions are expected, "
            f"not {len(funclist)}"
        )
    y = zeros_like(x)
    for condition, f in zip(conditions, funclist, strict=True):
        if not callable(f):
            y[condition] = f
            continue
        part = x[condition]
        if part.size:
            y[condition] = f(part, *args, **kw)
    return y
