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
from cupricx.scipy.sparse._coo import coo_array, coo_matrix, isspmatrix_coo
from cupricx.scipy.sparse._csc import csc_array, csc_matrix, isspmatrix_csc
from cupricx.scipy.sparse._csr import csr_array, csr_matrix, isspmatrix_csr
from cupricx.scipy.sparse._types import get_index_dtype, safely_cast_index_arrays

__all__ = [
    "SparseEfficiencyWarning",
    "SparseWarning",
    "coo_array",
    "coo_matrix",
    "csc_array",
    "csc_matrix",
    "csr_array",
    "csr_matrix",
    "get_index_dtype",
    "issparse",
    "isspmatrix",
    "isspmatrix_coo",
    "isspmatrix_csc",
    "isspmatrix_csr",
    "safely_cast_index_arrays",
    "sparray",
    "spmatrix",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
