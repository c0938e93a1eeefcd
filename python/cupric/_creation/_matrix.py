"""Matrices made from diagonals and triangles."""

import numpy as np

from cupric import _core
from cupric._creation._patterns import ones_below, powers, triangle
from cupric._manipulation._args import parameter_array, where_it_lives

__all__ = ["diag", "diagflat", "tri", "tril", "triu", "vander"]


@where_it_lives
def diag(v, k=0):
    """The `k`-th diagonal of a matrix, or the matrix with a vector on that diagonal.

    Parameters
    ----------
    v : array_like
        A matrix, whose diagonal is taken, or a vector, which becomes one.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.

    Returns
    -------
    cupric.ndarray
        For a matrix a view, for a vector a new array.

    Examples
    --------
    >>> cp.diag(cp.array([1, 2]))
    array([[1, 0],
           [0, 2]])
    """
    v = parameter_array(v)
    if v.ndim == 2:
        return v.diagonal(k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    n = v.size + abs(k)
    made = _core.zeros((n, n), v.dtype)
    if v.size:
        first = k if k >= 0 else -k * n
        made.ravel()[first : first + (v.size - 1) * (n + 1) + 1 : n + 1] = v
    return made


@where_it_lives
def diagflat(v, k=0):
    """A matrix with the elements of `v`, flattened in C order, on its `k`-th diagonal.

    Parameters
    ----------
    v : array_like
        The elements.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.diagflat(cp.array([[1, 2]]))
    array([[1, 0],
           [0, 2]])
    """
    return diag(parameter_array(v).ravel(), k)


def _below(n, m, k):
    """Where column <= row + k."""
    k = min(max(k, -n), m)  # beyond, nothing changes, but row + k would overflow
    return _core.arange(n)[:, None] + k >= _core.arange(m)


def tri(N, M=None, k=0, dtype=float):
    """A matrix with ones on and below the `k`-th diagonal.

    Parameters
    ----------
    N : int
        Rows.
    M : int, optional
        Columns; `N` when left out.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.
    dtype : dtype, optional
        float64 when left out.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.tri(2)
    array([[1., 0.],
           [1., 1.]])
    """
    M, made = N if M is None else M, np.dtype(dtype)
    whole = type(N) is type(M) is type(k) is int or all(
        isinstance(i, (int, np.integer)) for i in (N, M, k)
    )
    if whole and min(N, M) >= 0 and made.kind in "biufc":
        return ones_below(int(N), int(M), min(max(int(k), -N), M), made)
    return _below(N, M, k).astype(dtype)


def _triangle(m, k, lower):
    m = parameter_array(m)
    if m.ndim == 1:
        m = _core.broadcast_to(m, (m.size, m.size))
    if m.ndim < 2:
        raise ValueError("the array must have at least one dimension")
    if m.dtype.kind in "biufc" and (m.ndim == 2 or m.flags.c_contiguous):
        above = k if lower else k - 1
        return triangle(m, min(max(above, -m.shape[-2]), m.shape[-1]), lower)
    zero = m.dtype.type(0)
    keep = _below(*m.shape[-2:], k if lower else k - 1)
    return _core.where(keep, m, zero) if lower else _core.where(keep, zero, m)


@where_it_lives
def tril(m, k=0):
    """Lower triangle: a copy with the elements above the `k`-th diagonal zeroed.

    Parameters
    ----------
    m : array_like
        Matrices, in the last two axes.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.tril(cp.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """
    return _triangle(m, k, lower=True)


@where_it_lives
def triu(m, k=0):
    """Upper triangle: a copy with the elements below the `k`-th diagonal zeroed.

    Parameters
    ----------
    m : array_like
        Matrices, in the last two axes.
    k : int, optional
        Which diagonal: 0 the main one, positive ones above it, negative ones
        below.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.triu(cp.ones((2, 2)))
    array([[1., 1.],
           [0., 1.]])
    """
    return _triangle(m, k, lower=False)


@where_it_lives
def vander(x, N=None, increasing=False):
    """Vandermonde matrix: columns are powers of `x`, in decreasing order by default.

    Parameters
    ----------
    x : array_like
        A vector.
    N : int, optional
        Columns; as many as elements when left out.
    increasing : bool, optional
        The powers from the first column on, beginning with 0.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.vander(cp.array([1, 2, 3]), 2)
    array([[1, 1],
           [2, 1],
           [3, 1]])
    """
    x = parameter_array(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    return powers(x, x.size if N is None else N, bool(increasing))
