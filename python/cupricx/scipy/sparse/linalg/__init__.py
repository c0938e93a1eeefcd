"""Sparse linear algebra: linear operators, solvers, eigenvalues."""

from cupricx.scipy.sparse.linalg._direct import (
    MatrixRankWarning,
    SuperLU,
    factorized,
    inv,
    spilu,
    splu,
    spsolve,
    spsolve_triangular,
)
from cupricx.scipy.sparse.linalg._eigen import (
    ArpackError,
    ArpackNoConvergence,
    eigs,
    eigsh,
    lobpcg,
    svds,
)
from cupricx.scipy.sparse.linalg._expm_multiply import expm_multiply
from cupricx.scipy.sparse.linalg._gmres import gmres, lgmres
from cupricx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator
from cupricx.scipy.sparse.linalg._iterative import bicg, bicgstab, cg, cgs, minres, qmr
from cupricx.scipy.sparse.linalg._lsq import lsmr, lsqr
from cupricx.scipy.sparse.linalg._norm import matrix_power, norm
from cupricx.scipy.sparse.linalg._onenormest import onenormest

__all__ = [
    "ArpackError",
    "ArpackNoConvergence",
    "LinearOperator",
    "MatrixRankWarning",
    "SuperLU",
    "aslinearoperator",
    "bicg",
    "bicgstab",
    "cg",
    "cgs",
    "eigs",
    "eigsh",
    "expm_multiply",
    "factorized",
    "gmres",
    "inv",
    "lgmres",
    "lobpcg",
    "lsmr",
    "lsqr",
    "matrix_power",
    "minres",
    "norm",
    "onenormest",
    "qmr",
    "spilu",
    "splu",
    "spsolve",
    "spsolve_triangular",
    "svds",
]
