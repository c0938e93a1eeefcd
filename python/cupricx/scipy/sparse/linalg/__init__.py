"""Sparse linear algebra: linear operators and iterative solvers."""

from cupricx.scipy.sparse.linalg._gmres import gmres, lgmres
from cupricx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator
from cupricx.scipy.sparse.linalg._iterative import bicg, bicgstab, cg, cgs, minres, qmr
from cupricx.scipy.sparse.linalg._lsq import lsmr, lsqr

__all__ = [
    "LinearOperator",
    "aslinearoperator",
    "bicg",
    "bicgstab",
    "cg",
    "cgs",
    "gmres",
    "lgmres",
    "lsmr",
    "lsqr",
    "minres",
    "qmr",
]
