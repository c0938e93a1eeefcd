"""Sparse linear algebra: linear operators and iterative solvers."""

from cupricx.scipy.sparse.linalg._expm_multiply import expm_multiply
from cupricx.scipy.sparse.linalg._gmres import gmres, lgmres
from cupricx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator
from cupricx.scipy.sparse.linalg._iterative import bicg, bicgstab, cg, cgs, minres, qmr
from cupricx.scipy.sparse.linalg._lsq import lsmr, lsqr
from cupricx.scipy.sparse.linalg._norm import matrix_power, norm
from cupricx.scipy.sparse.linalg._onenormest import onenormest

__all__ = [
    "LinearOperator",
    "aslinearoperator",
    "bicg",
    "bicgstab",
    "cg",
    "cgs",
    "expm_multiply",
    "gmres",
    "lgmres",
    "lsmr",
    "lsqr",
    "matrix_power",
    "minres",
    "norm",
    "onenormest",
    "qmr",
]
