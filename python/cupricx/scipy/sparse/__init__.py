"""Sparse matrices and arrays."""

from cupric._lib.core import names_to_come
from cupricx.scipy.sparse._base import (
    SparseEfficiencyWarning,
    SparseWarning,
    issparse,
    isspmatrix,
    sparray,
    spmatrix,
)
from cupricx.scipy.sparse._bsr import bsr_array, bsr_matrix, isspmatrix_bsr
from cupricx.scipy.sparse._coo import coo_array, coo_matrix, isspmatrix_coo
from cupricx.scipy.sparse._csc import csc_array, csc_matrix, isspmatrix_csc
from cupricx.scipy.sparse._csr import csr_array, csr_matrix, isspmatrix_csr
from cupricx.scipy.sparse._dia import dia_array, dia_matrix, isspmatrix_dia
from cupricx.scipy.sparse._dok import dok_array, dok_matrix, isspmatrix_dok
from cupricx.scipy.sparse._lil import isspmatrix_lil, lil_array, lil_matrix
from cupricx.scipy.sparse._types import get_index_dtype, safely_cast_index_arrays

__all__ = [
    "SparseEfficiencyWarning",
    "SparseWarning",
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
    "dok_array",
    "dok_matrix",
    "get_index_dtype",
    "issparse",
    "isspmatrix",
    "isspmatrix_bsr",
    "isspmatrix_coo",
    "isspmatrix_csc",
    "isspmatrix_csr",
    "isspmatrix_dia",
    "isspmatrix_dok",
    "isspmatrix_lil",
    "lil_array",
    "lil_matrix",
    "safely_cast_index_arrays",
    "sparray",
    "spmatrix",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
