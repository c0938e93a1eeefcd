"""Sparse matrices and arrays."""

from cupric._lib.core import names_to_come
from cupricx.scipy.sparse._blocks import (
    block_array,
    block_diag,
    bmat,
    hstack,
    vstack,
)
from cupricx.scipy.sparse._bsr import bsr_array, bsr_matrix, isspmatrix_bsr
from cupricx.scipy.sparse._construct import (
    diags,
    diags_array,
    expand_dims,
    eye,
    eye_array,
    find,
    identity,
    kron,
    kronsum,
    matrix_transpose,
    permute_dims,
    spdiags,
    swapaxes,
    tril,
    triu,
)
from cupricx.scipy.sparse._coo import coo_array, coo_matrix, isspmatrix_coo
from cupricx.scipy.sparse._csc import csc_array, csc_matrix, isspmatrix_csc
from cupricx.scipy.sparse._csr import csr_array, csr_matrix, isspmatrix_csr
from cupricx.scipy.sparse._dia import dia_array, dia_matrix, isspmatrix_dia
from cupricx.scipy.sparse._dok import dok_array, dok_matrix, isspmatrix_dok
from cupricx.scipy.sparse._io import load_npz, save_npz
from cupricx.scipy.sparse._kinds import (
    SparseEfficiencyWarning,
    SparseWarning,
    issparse,
    isspmatrix,
    sparray,
    spmatrix,
)
from cupricx.scipy.sparse._lil import isspmatrix_lil, lil_array, lil_matrix
from cupricx.scipy.sparse._random import rand, random, random_array
from cupricx.scipy.sparse._types import get_index_dtype, safely_cast_index_arrays

__all__ = [
    "SparseEfficiencyWarning",
    "SparseWarning",
    "block_array",
    "block_diag",
    "bmat",
    "bsr_array",
    "bsr_matrix",
    "coo_array",
    "coo_matrix",
    "csc_array",
    "csc_matrix",
    "csr_array",
    "csr_matrix",
    "dia_array",
    "dia_matrix",
    "diags",
    "diags_array",
    "dok_array",
    "dok_matrix",
    "expand_dims",
    "eye",
    "eye_array",
    "find",
    "get_index_dtype",
    "hstack",
    "identity",
    "issparse",
    "isspmatrix",
    "isspmatrix_bsr",
    "isspmatrix_coo",
    "isspmatrix_csc",
    "isspmatrix_csr",
    "isspmatrix_dia",
    "isspmatrix_dok",
    "isspmatrix_lil",
    "kron",
    "kronsum",
    "lil_array",
    "lil_matrix",
    "load_npz",
    "matrix_transpose",
    "permute_dims",
    "rand",
    "random",
    "random_array",
    "safely_cast_index_arrays",
    "save_npz",
    "sparray",
    "spdiags",
    "spmatrix",
    "swapaxes",
    "tril",
    "triu",
    "vstack",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
