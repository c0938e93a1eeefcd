"""Evenly spaced numbers, and grids of coordinates."""

import operator

import numpy as np

from cupric import _core
from cupric._core import arange
from cupric._creation._patterns import (
    coordinates,
    evenly_spaced,
    grids,
    powers_of,
)
from cupric._manipulation._args import where_it_lives

__all__ = [
    "arange",
    "geomspace",
    "linspace",
    "logspace",
    "meshgrid",
    "mgrid",
    "nd_grid",
    "ogrid",
]


_REAL = (int, float, np.integer)  # what is spaced in float64


def _as_operand(x):
    """A scalar as it is; anything else as an array."""
    if isinstance(x, _core.ndarray) or np.ndim(x) == 0:
        return x
    return _core.array(x)


def _count(num):
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    return num


def linspace(
    start,
    stop,
    num=50,
    endpoint=True,
    retstep=False,
    dtype=None,
    axis=0,
    *,
    device=None,
):
    """Evenly spaced numbers over an interval.

    Parameters
    ----------
    start, stop : scalar or array_like
        Ends of the interval.
    num : int
        How many numbers.
    endpoint : bool
        Whether `stop` is the last of them.
    retstep : bool
        Return ``(samples, step)``.
    dtype : dtype, optional
        By default floating point; integers are rounded down.
    axis : int
        Where the numbers run, if `start` or `stop` is an array.
    device : cupric.cuda.Device or int, optional
        Where; the current device when left out. `start` and `stop` must be there.

    Returns
    -------
    cupric.ndarray, or a tuple of it and the step
        The step only if `retstep` is true.

    Examples
    --------
    >>> cp.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    num = _count(num)
    if device is not None:
        with _core.Device(device):
            return linspace(start, stop, num, endpoint, retstep, dtype, axis)
    if isinstance(start, _REAL) and isinstance(stop, _REAL):
        made = np.dtype(np.float64 if dtype is None else dtype)
        y, step = evenly_spaced(float(start), float(stop), num, endpoint, made)
        return (y, np.float64(step)) if retstep else y
    div = num - 1 if endpoint else num
    start, stop = _as_operand(start), _as_operand(stop)
    scalar = not isinstance(start, _core.ndarray) and not isinstance(
        stop, _core.ndarray
    )
    kinds = [x.dtype if isinstance(x, _core.ndarray) else x for x in (start, stop)]
    inner = np.result_type(*kinds, float(num))
    inexact = np.dtype(inner if dtype is None else dtype)
    if scalar:
        start, stop = inner.type(start), inner.type(stop)
    else:
        start = start.astype(inner) if isinstance(start, _core.ndarray) else start
        stop = stop.astype(inner) if isinstance(stop, _core.ndarray) else stop
    delta = stop - start
    real = np.empty(0, inner).real.dtype
    y = arange(0, num, dtype=real)
    if not scalar:
        y = y.reshape((-1,) + (1,) * delta.ndim)
    if div > 0:
        step = delta / div
        if scalar:
            y = y / div * delta if step == 0 else y * step
        else:
            # A step that underflows to 0 is spread by the other order of operations.
            y = _core.where(step == 0, y / div * delta, y * step)
    else:
        step = np.nan
        y = y * delta
    y = y + start
    if endpoint and num > 1:
        y[-1, ...] = stop
    if axis != 0 and not scalar:
        from cupric._manipulation._transpose import moveaxis

        y = moveaxis(y, 0, axis)
    if inexact.kind in "iu":
        y = _core.floor(y)
    y = y.astype(inexact, copy=False)
    return (y, step) if retstep else y


@where_it_lives
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Numbers evenly spaced on a logarithmic scale: ``base ** linspace(start, stop)``.

    Parameters
    ----------
    start, stop : array_like
        The exponents of the ends.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether ``base ** stop`` is the last of them.
    base : array_like, optional
        What is raised to powers.
    dtype : dtype, optional
        Of the result; inexact when left out.
    axis : int, optional
        Where the new axis goes, if the ends are arrays.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.logspace(0, 2, 3)
    array([  1.,  10., 100.])
    """
    from cupric._manipulation._dims import broadcast_arrays, expand_dims

    if all(isinstance(x, _REAL) for x in (start, stop, base)):
        made = np.dtype(np.float64 if dtype is None else dtype)
        ends = float(base), float(start), float(stop)
        return powers_of(*ends, _count(num), endpoint, made)
    base = _as_operand(base)
    if isinstance(base, _core.ndarray):  # the numbers run along an axis of their own
        start, stop, base = broadcast_arrays(
            *(_core.array(x, copy=None) for x in (start, stop, base))
        )
        base = expand_dims(base, axis)
    y = linspace(start, stop, num=num, endpoint=endpoint, axis=axis)
    y = _core.power(base, y)
    return y if dtype is None else y.astype(dtype, copy=False)


@where_it_lives
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Numbers evenly spaced on a logarithmic scale, from `start` to `stop`.

    Parameters
    ----------
    start, stop : array_like
        The ends.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether `stop` is the last of them.
    dtype : dtype, optional
        Of the result; inexact when left out.
    axis : int, optional
        Where the new axis goes, if the ends are arrays.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.geomspace(1, 100, 3)
    array([  1.,  10., 100.])
    """
    from cupric._manipulation._transpose import moveaxis

    num = _count(num)
    start, stop = _as_operand(start), _as_operand(stop)
    if (start == 0 if np.ndim(start) == 0 else (start == 0).any()) or (
        stop == 0 if np.ndim(stop) == 0 else (stop == 0).any()
    ):
        raise ValueError("Geometric sequence cannot include zero")
    kinds = [
        x.dtype if isinstance(x, _core.ndarray) else np.asarray(x).dtype
        for x in (start, stop)
    ]
    inner = np.result_type(*kinds, float(num), np.empty((), dtype))
    dtype = inner if dtype is None else np.dtype(dtype)
    if not any(isinstance(x, _core.ndarray) for x in (start, stop)):
        start, stop = inner.type(start), inner.type(stop)
        sign = np.sign(start)
        first, last = start / sign, stop / sign
        if inner == np.float64:
            exponents = float(np.log10(first)), float(np.log10(last))
            ends = float(sign), float(first), float(last)
            return powers_of(10.0, *exponents, num, endpoint, dtype, ends)
        exponents = np.log10(first), np.log10(last)
    else:
        start, stop = (_core.array(x, inner, copy=None) for x in (start, stop))
        sign = _core.sign(start)
        first, last = start / sign, stop / sign
        exponents = _core.log10(first), _core.log10(last)
    r = logspace(*exponents, num, endpoint, 10.0, inner)
    if num > 0:
        r[0] = first
    if num > 1 and endpoint:
        r[-1] = last
    r *= sign
    return moveaxis(r, 0, axis).astype(dtype, copy=False)


@where_it_lives
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Coordinate matrices from coordinate vectors.

    Parameters
    ----------
    *xi : cupric.ndarray
        Vectors.
    indexing : {'xy', 'ij'}
        'xy' exchanges the first two axes of the results.
    sparse : bool
        Keep length 1 on the axes that a result does not depend on.
    copy : bool
        False returns views.

    Returns
    -------
    tuple of cupric.ndarray

    Examples
    --------
    >>> x, y = cp.meshgrid(cp.arange(2), cp.arange(3))
    >>> x.shape
    (3, 2)
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    ndim = len(xi)
    vectors = [_core.parameter_array(x).reshape(-1) for x in xi]
    places = list(range(ndim))
    if indexing == "xy":
        places[:2] = places[:2][::-1]
    if copy and ndim and not sparse:
        shape = [0] * ndim
        for x, place in zip(vectors, places, strict=True):
            shape[place] = x.size
        made = grids(vectors, places, tuple(shape))
        if made is not None:
            return tuple(made)
    views = []
    for x, place in zip(vectors, places, strict=True):
        shape = [1] * ndim
        shape[place] = -1
        views.append(x.reshape(shape))
    if not sparse:
        views = _core.broadcast_arrays(*views)
    return tuple(x.copy() for x in views) if copy else tuple(views)


def _counts(key):
    """Whether a slice is of the whole numbers from 0 on."""
    parts = (key.start, 0), (key.step, 1)
    plain = all(x is None or (type(x) is int and x == y) for x, y in parts)
    return plain and type(key.stop) is int


class nd_grid:
    """Mesh grids by slicing: ``mgrid[0:3, 0:2]`` is dense, ``ogrid`` open.

    An imaginary step counts points, the end included.
    """

    def __init__(self, sparse=False):
        self.sparse = sparse

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._vector(key)
        if not self.sparse and all(map(_counts, key)):
            shape = tuple(max(operator.index(part.stop), 0) for part in key)
            made = coordinates(shape, np.dtype(np.int64))
            if made is not None:
                return made
        axes = [self._vector(part) for part in key]
        dtype = np.result_type(*(x.dtype for x in axes))
        axes = [x.astype(dtype, copy=False) for x in axes]
        open_grid = [
            x.reshape([-1 if i == j else 1 for j in range(len(axes))])
            for i, x in enumerate(axes)
        ]
        if self.sparse:
            return tuple(open_grid)
        made = _core.empty([len(axes), *(x.size for x in axes)], dtype)
        for part, x in zip(made, open_grid, strict=True):
            part[...] = x
        return made

    def __len__(self):
        return 0

    @staticmethod
    def _vector(key):
        start = 0 if key.start is None else key.start
        step = 1 if key.step is None else key.step
        if isinstance(step, complex):
            return linspace(start, key.stop, int(abs(step)))
        return arange(start, key.stop, step)


mgrid = nd_grid(sparse=False)
ogrid = nd_grid(sparse=True)
