"""Solvers that stand for inverses of shifted matrices."""

import numpy as np

from cupric import _core
from cupricx.scipy.linalg import lu_factor, lu_solve
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse.linalg._direct._factors import SuperLU
from cupricx.scipy.sparse.linalg._direct._host import (
    factor,
    host_matrix,
    scipy_sparse,
)
from cupricx.scipy.sparse.linalg._gmres import gmres
from cupricx.scipy.sparse.linalg._interface import LinearOperator

__all__ = ["inverse"]

_RESTART = 100  # vectors of GMRES: equations near an eigenvalue are hard


def inverse(a, m, sigma, dtype):
    """A function that solves ``(a - sigma * m) @ x = b``.

    Arrays are factored by the device's LU, sparse matrices by SuperLU; with a
    LinearOperator the equations are solved by iteration.

    Parameters
    ----------
    a : cupric.ndarray, sparse matrix or LinearOperator, shape (n, n)
    m : cupric.ndarray, sparse matrix or LinearOperator, optional
        The identity by default.
    sigma : number
    dtype : dtype
        What is computed in.
    """
    both = [x for x in (a, m) if x is not None]
    if all(isinstance(x, _core.ndarray) for x in both):
        return _of_array(a, m, sigma, dtype)
    if all(isinstance(x, _core.ndarray) or issparse(x) for x in both):
        return _of_sparse(a, m, sigma, dtype)
    return _of_operator(a, m, sigma, dtype)


def _of_array(a, m, sigma, dtype):
    shifted = a.astype(dtype)
    if m is not None:
        shifted -= sigma * m
    elif sigma != 0:
        shifted.diagonal()[...] -= sigma
    factors = lu_factor(shifted, check_finite=False)
    return lambda b: lu_solve(factors, b, check_finite=False)


def _of_sparse(a, m, sigma, dtype):
    shifted = host_matrix(a).astype(dtype)
    if m is not None:
        shifted = shifted - sigma * host_matrix(m)
    elif sigma != 0:
        shifted = shifted - sigma * scipy_sparse().eye_array(*a.shape, dtype=dtype)
    return SuperLU(factor(shifted.tocsc().astype(dtype))).solve


def _of_operator(a, m, sigma, dtype):
    """By GMRES, to nearly the precision of the dtype."""

    def shifted(x):
        y = a @ x
        return y - sigma * (x if m is None else m @ x) if sigma != 0 else y

    operator = LinearOperator(a.shape, matvec=shifted, dtype=dtype)
    rtol = 100 * float(np.finfo(dtype).eps)
    restart = min(a.shape[0], _RESTART)

    def solve(b):
        x, info = gmres(operator, b, rtol=rtol, atol=0.0, restart=restart)
        if info != 0:
            raise ValueError(
                f"GMRES, which solves with A - sigma M, ended with info={info}: pass "
                "the inverse (OPinv, or Minv for M), or a sparse matrix"
            )
        return x

    return solve
