"""Equations with sparse positive-definite matrices."""

import numpy as np

import cupric as cp
from cupricx.linalg._cholesky import cho_solve
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse.linalg._direct._host import (
    device_of,
    factor,
    float_dtype,
    host_matrix,
)

__all__ = ["lschol"]


def lschol(A, b):
    """Solve ``A @ x = b`` for a Hermitian positive-definite matrix.

    Parameters
    ----------
    A : cupric.ndarray or sparse matrix, shape (n, n)
    b : cupric.ndarray, shape (n,) or (n, k)

    Returns
    -------
    cupric.ndarray
        Of the shape of `b`.

    Raises
    ------
    numpy.linalg.LinAlgError
        The matrix is not positive-definite, or not square.
    ImportError
        `A` is sparse and SciPy is not installed: its SuperLU factors the matrix, on the
        host.

    Notes
    -----
    A sparse matrix is factored without exchanges of rows, as ``L @ D @ L.conj().T``.

    Examples
    --------
    >>> from cupricx.linalg.sparse import lschol
    >>> from cupricx.scipy.sparse import csr_matrix
    >>> a = csr_matrix(cp.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> lschol(a, cp.array([6.0, 7.0]))
    array([1., 1.])
    """
    if not isinstance(A, cp.ndarray) and not issparse(A):
        raise TypeError(
            f"A must be a cupric.ndarray or a sparse matrix, not {type(A).__name__}"
        )
    if not isinstance(b, cp.ndarray):
        raise TypeError(f"b must be a cupric.ndarray, not {type(b).__name__}")
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise np.linalg.LinAlgError(f"A must be square: its shape is {A.shape}")
    if b.ndim not in (1, 2) or b.shape[0] != A.shape[0]:
        raise ValueError(f"Shapes of A {A.shape} and b {b.shape} are incompatible")
    with device_of(A):
        if isinstance(A, cp.ndarray):
            factors = cp.linalg.cholesky(A), True
            return cho_solve(factors, b, check_finite=False)
        dtype = float_dtype(A.dtype, b.dtype)
        x = _factors(host_matrix(A).astype(dtype)).solve(b.get().astype(dtype))
        return cp.asarray(x)


def _factors(matrix):
    """SuperLU's, of which U is ``D @ L.conj().T``."""
    try:
        lu = factor(
            matrix,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError as error:
        if "singular" not in str(error):
            raise
        raise _not_definite() from None
    if matrix.shape[0] and not (
        np.array_equal(lu.perm_r, lu.perm_c) and (lu.U.diagonal().real > 0).all()
    ):
        raise _not_definite()
    return lu


def _not_definite():
    return np.linalg.LinAlgError("the matrix is not positive-definite")
