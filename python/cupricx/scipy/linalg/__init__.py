"""Linear algebra: LU factors, triangular equations, exponentials, special matrices."""

from cupricx.scipy.linalg._expm import expm
from cupricx.scipy.linalg._lu import lu, lu_factor, lu_solve
from cupricx.scipy.linalg._products import bandwidth, block_diag, khatri_rao
from cupricx.scipy.linalg._special_matrices import (
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    leslie,
    toeplitz,
)
from cupricx.scipy.linalg._triangular import solve_triangular

__all__ = [
    "bandwidth",
    "block_diag",
    "circulant",
    "companion",
    "convolution_matrix",
    "dft",
    "expm",
    "fiedler",
    "fiedler_companion",
    "hadamard",
    "hankel",
    "helmert",
    "hilbert",
    "khatri_rao",
    "leslie",
    "lu",
    "lu_factor",
    "lu_solve",
    "solve_triangular",
    "toeplitz",
]
