"""Eigenvalues and singular values of matrices of which only products are known."""

from cupricx.scipy.sparse.linalg._eigen._eigs import eigs
from cupricx.scipy.sparse.linalg._eigen._eigsh import eigsh
from cupricx.scipy.sparse.linalg._eigen._errors import ArpackError, ArpackNoConvergence
from cupricx.scipy.sparse.linalg._eigen._lobpcg import lobpcg
from cupricx.scipy.sparse.linalg._eigen._svds import svds

__all__ = [
    "ArpackError",
    "ArpackNoConvergence",
    "eigs",
    "eigsh",
    "lobpcg",
    "svds",
]
