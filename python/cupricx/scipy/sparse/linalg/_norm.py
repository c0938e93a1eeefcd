"""Norms and powers of sparse matrices."""

import operator

import numpy as np

import cupric as cp
from cupricx.scipy.sparse._kinds import issparse

__all__ = ["matrix_power", "norm"]


def norm(x, ord=None, axis=None):
    """The norm of a sparse matrix, or of its rows or columns.

    Parameters
    ----------
    x : sparse matrix
    ord : number or str, optional
        Of a matrix: None and 'fro': the root of the sum of squares; 1 and -1: the
        largest and the smallest sum of a column; inf and -inf: of a row; 2: the largest
        singular value. Of rows and columns: inf and -inf: the largest and the smallest
        magnitude; 0: the number of elements that are not 0; another number: the root
        of the sum of such powers, by default 2.
    axis : int or tuple of int, optional
        The axis along which vectors lie, or the two of the matrix.

    Returns
    -------
    cupric.ndarray
        Of no axis, or of one.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.linalg import norm
    >>> A = csr_array(cp.array([[3.0, 0], [-4, 0]]))
    >>> norm(A), norm(A, 1), norm(A, axis=1)
    (array(5.), array(7.), array([3., 4.]))
    """
    if not issparse(x):
        raise TypeError("input is not sparse. use cupric.linalg.norm")
    if axis is None and ord in (None, "fro", "f"):
        return _frobenius(x)
    x = x.tocsr()
    if axis is None:
        axis = tuple(range(x.ndim))
    elif not isinstance(axis, tuple):
        try:
            axis = (operator.index(axis),)
        except TypeError:
            if not isinstance(axis, float) or axis != int(axis):
                raise TypeError(
                    "'axis' must be None, an integer or a tuple of integers"
                ) from None
            axis = (int(axis),)
    if len(axis) not in (1, 2):
        raise ValueError(f"Improper number of dimensions to norm: {len(axis)}")
    if not all(-x.ndim <= a < x.ndim for a in axis):
        raise ValueError(f"Invalid axis {axis!r} for an array with shape {x.shape!r}")
    if len(axis) == 1:
        return _of_vectors(x, ord, axis[0])
    row, column = (a % x.ndim for a in axis)
    if row == column:
        raise ValueError("Duplicate axes given.")
    return _of_matrix(x, ord, row, column)


def _frobenius(x):
    x = x.tocsr()
    if not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()
    return cp.linalg.norm(x.data)


def _flat(sums):
    """Sums along an axis, which of a matrix are one, as an array of one axis."""
    sums = sums.toarray() if issparse(sums) else sums
    return cp.asarray(sums).ravel()


def _of_matrix(x, ord, row, column):
    if ord in (None, "f", "fro"):
        return _frobenius(x)
    if ord == 2:
        from cupricx.scipy.sparse.linalg import svds

        return cp.asarray(svds(x, k=1, return_singular_vectors=False))[0]
    if ord == -2:
        raise NotImplementedError("the smallest singular value of a sparse matrix")
    along = {1: row, -1: row, np.inf: column, -np.inf: column}.get(ord)
    if along is None:
        raise ValueError(f"Invalid norm order for matrices: {ord!r}")
    sums = _flat(abs(x).sum(axis=along))
    return sums.max() if ord > 0 else sums.min()


def _of_vectors(x, ord, axis):
    if ord == np.inf:
        return _flat(abs(x).max(axis=axis))
    if ord == -np.inf:
        return _flat(abs(x).min(axis=axis))
    if ord == 0:
        return _flat((x != 0).sum(axis=axis))
    if ord == 1:
        return _flat(abs(x).sum(axis=axis))
    if ord in (2, None):
        return cp.sqrt(_flat(abs(x).power(2).sum(axis=axis)))
    try:
        ord + 1
    except TypeError:
        raise ValueError(f"Invalid norm order for vectors: {ord!r}") from None
    return cp.power(_flat(abs(x).power(ord).sum(axis=axis)), 1 / ord)


def matrix_power(A, power):
    """A power of a square sparse matrix.

    Parameters
    ----------
    A : sparse matrix, shape (N, N)
    power : int
        0 or more.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.linalg import matrix_power
    >>> matrix_power(csr_array(cp.array([[1, 1], [0, 1]])), 5).toarray()
    array([[1, 5],
           [0, 1]])
    """
    m, n = A.shape
    if m != n:
        raise TypeError(f"sparse matrix is not square: its shape is {A.shape}")
    try:
        exponent = operator.index(power)
    except TypeError:
        raise ValueError(f"exponent must be an integer, not {power!r}") from None
    if exponent < 0:
        raise ValueError(f"exponent must be >= 0, not {exponent}")
    if exponent == 0:
        from cupricx.scipy.sparse import eye_array

        return eye_array(m, dtype=A.dtype)
    result = None
    while True:
        if exponent % 2:
            result = A.copy() if result is None else result @ A
        exponent //= 2
        if exponent == 0:
            return result
        A = A @ A
