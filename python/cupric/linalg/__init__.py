"""Linear algebra: products, equations, factorisations, norms."""

from numpy.linalg import LinAlgError

from cupric._core import dot, inner, matmul, vdot, vecdot
from cupric._manipulation import _args
from cupric.linalg import _products
from cupric.linalg._einsum import einsum
from cupric.linalg._norms import cond, matrix_norm, norm, vector_norm
from cupric.linalg._products import (
    kron,
    matrix_power,
    multi_dot,
    tensordot,
)
from cupric.linalg._solve import (
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    lstsq,
    matrix_rank,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
    svdvals,
    tensorinv,
    tensorsolve,
)

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "dot",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "einsum",
    "inner",
    "inv",
    "kron",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vdot",
    "vecdot",
    "vector_norm",
]


def cross(x1, x2, /, *, axis=-1):
    """Cross product of vectors with 3 components.

    Parameters
    ----------
    x1, x2 : cupric.ndarray
        With 3 components along `axis`.
    axis : int, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.linalg.cross(cp.array([1, 0, 0]), cp.array([0, 1, 0]))
    array([0, 0, 1])
    """
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        )
    return _products.cross(x1, x2, axis=axis)


def diagonal(x, /, *, offset=0):
    """Diagonals of the matrices in the last two axes: a view.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)
    offset : int, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.linalg.diagonal(cp.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    return _args.device_array(x).diagonal(offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """Sums along the diagonals of the matrices in the last two axes.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)
    offset : int, optional
    dtype : data-type, optional
        Of the sums.

    Returns
    -------
    cupric.ndarray, shape (...)

    Examples
    --------
    >>> cp.linalg.trace(cp.array([[1, 2], [3, 4]]))
    array(5)
    """
    return _products.trace(x, offset, -2, -1, dtype)


def outer(x1, x2, /):
    """Outer product of two vectors.

    Parameters
    ----------
    x1, x2 : cupric.ndarray, one axis each

    Returns
    -------
    cupric.ndarray, shape (x1.size, x2.size)

    Examples
    --------
    >>> cp.linalg.outer(cp.array([1, 2]), cp.array([1, 10]))
    array([[ 1, 10],
           [ 2, 20]])
    """
    x1, x2 = _args.device_array(x1), _args.device_array(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            f"the outer product is of vectors, not of {x1.ndim} and {x2.ndim} axes"
        )
    return _products.outer(x1, x2)


def matrix_transpose(x, /):
    """Transpose of the last two axes: a view.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)

    Returns
    -------
    cupric.ndarray, shape (..., n, m)

    Examples
    --------
    >>> cp.linalg.matrix_transpose(cp.zeros((2, 3, 4))).shape
    (2, 4, 3)
    """
    return x.mT
