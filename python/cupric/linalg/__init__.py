"""Linear algebra: products, equations, factorisations, norms."""

from numpy.linalg import LinAlgError

from cupric._core import matmul
from cupric.linalg.einsum import einsum
from cupric.linalg.norms import cond, matrix_norm, norm, vector_norm
from cupric.linalg.products import (
    cross,
    dot,
    inner,
    kron,
    matrix_power,
    multi_dot,
    outer,
    tensordot,
    trace,
    vdot,
    vecdot,
)
from cupric.linalg.solve import (
    cholesky,
    det,
    eigh,
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


def diagonal(x, /, *, offset=0):
    """Diagonals of the matrices in the last two axes: a view.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)
    offset : int, optional

    Returns
    -------
    cupric.ndarray
    """
    return x.diagonal(offset, -2, -1)


def matrix_transpose(x, /):
    """The last two axes exchanged: a view.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)

    Returns
    -------
    cupric.ndarray, shape (..., n, m)
    """
    return x.mT
