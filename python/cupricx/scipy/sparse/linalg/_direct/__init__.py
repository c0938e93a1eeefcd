"""Equations with sparse matrices, by factors and by triangles."""

from cupricx.scipy.sparse.linalg._direct._factors import (
    SuperLU,
    factorized,
    spilu,
    splu,
)
from cupricx.scipy.sparse.linalg._direct._solve import (
    MatrixRankWarning,
    inv,
    spsolve,
    spsolve_triangular,
)

__all__ = [
    "MatrixRankWarning",
    "SuperLU",
    "factorized",
    "inv",
    "spilu",
    "splu",
    "spsolve",
    "spsolve_triangular",
]
