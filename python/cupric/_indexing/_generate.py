"""Indices made from shapes, and arrays made by subscripts."""

import math
import operator

import numpy as np
from numpy import index_exp, s_

from cupric import _core
from cupric._creation._patterns import coordinates, triangle_places
from cupric._indexing._places import coordinates_of, flat_places, has_coordinates
from cupric._manipulation._args import has_outside, parameter_array, where_it_lives
from cupric._manipulation._dims import broadcast_shapes

__all__ = [
    "c_",
    "index_exp",
    "indices",
    "ix_",
    "mask_indices",
    "r_",
    "ravel_multi_index",
    "s_",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]


def indices(dimensions, dtype=int, sparse=False):
    """The index of every element of an array of a shape, an array for each axis.

    Parameters
    ----------
    dimensions : sequence of ints
    dtype : dtype, optional
    sparse : bool, optional
        Give a tuple of arrays with length 1 on the axes that they do not depend on.

    Returns
    -------
    cupric.ndarray, or a tuple of them
        A tuple if `sparse` is true.

    Examples
    --------
    >>> cp.indices((2, 2))[0]
    array([[0, 0],
           [1, 1]])
    """
    dimensions = tuple(dimensions)
    whole = not sparse and all(type(n) is int and n >= 0 for n in dimensions)
    made = coordinates(dimensions, np.dtype(dtype)) if whole else None
    if made is not None:
        return made
    places = []
    for axis, n in enumerate(dimensions):
        shape = [1] * len(dimensions)
        shape[axis] = n
        places.append(_core.arange(n, dtype=dtype).reshape(shape))
    if sparse:
        return tuple(places)
    made = _core.empty((len(dimensions), *dimensions), dtype)
    for part, x in zip(made, places, strict=True):
        part[...] = x
    return made


@where_it_lives
def ix_(*args):
    """An open mesh of vectors, to index by every combination of their elements.

    Parameters
    ----------
    *args : array_like
        Vectors of ints, or of bool for where they are true.

    Returns
    -------
    tuple of cupric.ndarray
        As many as vectors, each along an axis of its own.

    Examples
    --------
    >>> a = cp.arange(6).reshape(2, 3)
    >>> a[cp.ix_([0, 1], [2])]
    array([[2],
           [5]])
    """
    made = []
    for i, x in enumerate(args):
        given, x = x, parameter_array(x)
        if x.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if x.size == 0 and x is not given:
            x = x.astype(np.intp)
        if x.dtype == bool:
            (x,) = x.nonzero()
        made.append(x.reshape([-1 if i == j else 1 for j in range(len(args))]))
    return tuple(made)


class _Joiner:
    """What `r_` and `c_` have in common: slices and arrays joined along an axis."""

    def __init__(self, axis, ndmin, one_at):
        self._rules = (axis, ndmin, one_at)

    def __len__(self):
        return 0

    def _read_rules(self, key):
        axis, ndmin, one_at = self._rules
        if key and isinstance(key[0], str):
            if key[0] in ("r", "c"):
                raise NotImplementedError("matrices are not supported: use arrays")
            try:
                axis, *rest = (int(x) for x in key[0].split(","))
            except ValueError as error:
                raise ValueError(f"unknown special directive {key[0]!r}") from error
            ndmin = rest[0] if rest else ndmin
            one_at = rest[1] if len(rest) > 1 else one_at
            key = key[1:]
        return key, axis, ndmin, one_at

    @where_it_lives
    def __getitem__(self, key):
        from cupric._creation._ranges import nd_grid

        key = key if isinstance(key, tuple) else (key,)
        key, axis, ndmin, one_at = self._read_rules(key)
        parts, scalars = [], []
        for item in key:
            if isinstance(item, str):
                raise ValueError("special directives must be the first entry.")
            if isinstance(item, slice):
                part = nd_grid._vector(item)
            elif not isinstance(item, _core.ndarray) and np.ndim(item) == 0:
                scalars.append(item)
                parts.append(item)
                continue
            else:
                part = parameter_array(item)
            parts.append(self._raise(part, ndmin, one_at))
        kinds = [p.dtype for p in parts if isinstance(p, _core.ndarray)]
        dtype = _core.result_type(*kinds, *scalars)
        parts = [
            p
            if isinstance(p, _core.ndarray)
            else _core.array(p, dtype, ndmin=max(ndmin, 1))
            for p in parts
        ]
        return _core.concatenate([p.astype(dtype, copy=False) for p in parts], axis)

    @staticmethod
    def _raise(a, ndmin, one_at):
        """More axes, so that the array's own begin at place `one_at`."""
        extra = ndmin - a.ndim
        if extra <= 0:
            return a if a.ndim else a[None]
        if one_at == -1:
            return a[(None,) * extra]
        before = one_at if one_at >= 0 else extra + one_at + 1
        before = min(before, extra)
        return a[(None,) * before + (...,) + (None,) * (extra - before)]


r_ = _Joiner(0, 1, -1)
c_ = _Joiner(-1, 2, 0)


def _lengths(dims):
    """A shape of ints: the products of NumPy's small integers overflow."""
    dims = dims if isinstance(dims, (tuple, list)) else (dims,)
    return tuple(operator.index(n) for n in dims)


def _check_order(order):
    if order not in ("C", "F", None):
        raise ValueError(f"order must be 'C' or 'F' (got {order!r})")


@where_it_lives
def unravel_index(indices, dims, order="C"):
    """Coordinates, in an array of shape `dims`, of flat indices.

    Parameters
    ----------
    indices : cupric.ndarray of ints
    dims : tuple of ints
    order : {'C', 'F'}

    Returns
    -------
    tuple of cupric.ndarray

    Examples
    --------
    >>> cp.unravel_index(cp.array([3]), (2, 2))
    (array([1]), array([1]))
    """
    indices = parameter_array(indices)
    dims = _lengths(dims)
    _check_order(order)
    if indices.dtype.kind not in "iub":
        raise TypeError(
            "Iterator operand 0 dtype could not be cast from "
            f"dtype('{indices.dtype}') to dtype('int64') according to the rule "
            "'same_kind'"
        )
    total = math.prod(dims)
    if has_coordinates(indices, dims):
        narrow = (
            indices
            if indices.dtype.char in "il"
            else indices.astype(np.int64, copy=False)
        )
        made = coordinates_of(narrow, dims, order)
    else:
        made = None if has_outside(indices, total) else ()
    if made is None:
        raise ValueError(f"indices are out of bounds for an array with size {total}")
    if len(made):
        return tuple(made)
    if not dims:
        raise ValueError("multiple indices are not supported for 0d arrays")
    *inner, _ = dims if order == "F" else dims[::-1]
    rest = indices.astype(np.int64, copy=not inner)
    made = []
    for n in inner:
        rest, remainder = _core.divmod(rest, n)
        made.append(remainder)
    made.append(rest)
    return tuple(made if order == "F" else made[::-1])


@where_it_lives
def ravel_multi_index(multi_index, dims, mode="wrap", order="C"):
    """Flat indices, in an array of shape `dims`, of coordinates.

    Parameters
    ----------
    multi_index : tuple of cupric.ndarray of ints
    dims : tuple of ints
    mode : {'wrap', 'clip', 'raise'} or a tuple of these
        What becomes of coordinates out of range.
    order : {'C', 'F'}

    Returns
    -------
    cupric.ndarray of int64

    Examples
    --------
    >>> cp.ravel_multi_index((cp.array([1]), cp.array([1])), (2, 2))
    array([3])
    """
    dims = _lengths(dims)
    if len(multi_index) != len(dims):
        raise ValueError(
            f"parameter multi_index must be a sequence of length {len(dims)}"
        )
    _check_order(order)
    modes = (mode,) * len(dims) if isinstance(mode, str) else mode
    if len(modes) != len(dims):
        raise ValueError("mode must be a string or one for each dimension")
    for each in modes:
        if each not in ("raise", "wrap", "clip"):
            raise ValueError(
                f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {each!r})"
            )
    if math.prod(dims) >= 2**63:
        raise ValueError(
            "invalid dims: array size defined by dims is larger than the maximum "
            f"possible size (dims {tuple(dims)})"
        )
    places = range(len(dims)) if order == "F" else range(len(dims) - 1, -1, -1)
    given = [None] * len(dims)
    steps, step = [1] * len(dims), 1
    for i in places:
        x = given[i] = parameter_array(multi_index[i])
        if x.dtype.kind not in "iub":
            raise TypeError("only int indices permitted")
        steps[i] = step
        step *= dims[i]
    shape = broadcast_shapes(*(x.shape for x in given))
    if dims and 0 not in shape and min(dims) > 0:
        narrow = all(x.dtype.char == "i" for x in given)
        made = np.int32 if narrow else np.int64
        given = [x.astype(made, copy=False) for x in given]
        given = [x if x.shape == shape else _core.broadcast_to(x, shape) for x in given]
        flat = flat_places(given, dims, steps, modes)
        if flat is None:
            raise ValueError(
                "invalid entry in coordinates array: with mode='raise' they must be "
                f"from 0 to the length of their axis, less one, of {tuple(dims)}"
            )
        return flat
    flat = None
    for i in places:
        x, n = given[i].astype(np.int64, copy=False), dims[i]
        if modes[i] == "wrap":
            x = x % n
        elif modes[i] == "clip":
            x = _core.clip(x, 0, n - 1)
        elif has_outside(given[i], n):
            raise ValueError("invalid entry in coordinates array")
        flat = x * steps[i] if flat is None else flat + x * steps[i]
    return flat


def tril_indices(n, k=0, m=None):
    """The indices of the lower triangle of an (n, m) matrix.

    Parameters
    ----------
    n : int
        Rows.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.
    m : int, optional
        Columns; `n` when left out.

    Returns
    -------
    tuple of cupric.ndarray
        The numbers of rows, and those of columns.

    Examples
    --------
    >>> cp.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _triangle(n, k, m, False)


def _triangle(n, k, m, upper):
    m = n if m is None else m
    return tuple(triangle_places(*map(operator.index, (n, m, k)), upper))


def triu_indices(n, k=0, m=None):
    """The indices of the upper triangle of an (n, m) matrix.

    Parameters
    ----------
    n : int
        Rows.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.
    m : int, optional
        Columns; `n` when left out.

    Returns
    -------
    tuple of cupric.ndarray
        The numbers of rows, and those of columns.

    Examples
    --------
    >>> cp.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return _triangle(n, operator.index(k) - 1, m, True)


def _check_matrix(arr):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")


@where_it_lives
def tril_indices_from(arr, k=0):
    """The indices of the lower triangle of a matrix.

    Parameters
    ----------
    arr : cupric.ndarray
        A matrix.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.

    Returns
    -------
    tuple of cupric.ndarray
        The numbers of rows, and those of columns.

    Examples
    --------
    >>> cp.tril_indices_from(cp.eye(2))
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    _check_matrix(arr)
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


@where_it_lives
def triu_indices_from(arr, k=0):
    """The indices of the upper triangle of a matrix.

    Parameters
    ----------
    arr : cupric.ndarray
        A matrix.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.

    Returns
    -------
    tuple of cupric.ndarray
        The numbers of rows, and those of columns.

    Examples
    --------
    >>> cp.triu_indices_from(cp.eye(2))
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    _check_matrix(arr)
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def mask_indices(n, mask_func, k=0):
    """The indices where a function such as `triu` keeps the ones of an (n, n) matrix.

    Parameters
    ----------
    n : int
        Rows, and columns.
    mask_func : callable
        Called with a matrix of ones and `k`; returns one with zeros.
    k : object, optional
        The second argument, such as the number of a diagonal.

    Returns
    -------
    tuple of cupric.ndarray
        The numbers of rows, and those of columns.

    Examples
    --------
    >>> cp.mask_indices(2, cp.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    ones = _core.array(np.ones((n, n), int))
    return (mask_func(ones, k) != 0).nonzero()
