"""Compressed sparse columns."""

from cupricx.scipy.sparse._compressed import Compressed
from cupricx.scipy.sparse._kinds import container, sparray, spmatrix

__all__ = ["csc_array", "csc_matrix", "isspmatrix_csc"]


class _csc_base(Compressed):
    _format = "csc"

    @staticmethod
    def _swap(pair):
        return pair[1], pair[0]

    def __iter__(self):
        yield from self.tocsr()

    def transpose(self, axes=None, copy=False):
        self._check_axes(axes)
        return self._transposed("csr", copy)

    def tocsc(self, copy=False):
        return self.copy() if copy else self

    def tocsr(self, copy=False):
        return self._other_compressed("csr")

    def nonzero(self):
        return self.tocsr().nonzero()


@container
class csc_array(_csc_base, sparray):
    """Sparse array of compressed columns.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; `(data, (row, column))`; or `(data, indices, indptr)`, of which
        column `j` has the rows `indices[indptr[j]:indptr[j + 1]]`.
    shape : tuple of int, optional
        By default as small as the indices allow.
    dtype : dtype, optional
        Of the elements: bool, integers, float16, float32, float64, complex64 or
        complex128.
    copy : bool
        Whether arrays are copied that could be taken as they are.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> A = cupricx.scipy.sparse.csc_array(cupric.array([[1, 0, 2], [0, 0, 3]]))
    >>> A.indptr, A.indices, A.data
    (array([0, 1, 1, 3], dtype=int32), array([0, 0, 1], dtype=int32), array([1, 2, 3]))
    """


@container
class csc_matrix(spmatrix, _csc_base):
    """Sparse matrix of compressed columns, of which `*` is the product of matrices.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; `(data, (row, column))`; or `(data, indices, indptr)`, of which
        column `j` has the rows `indices[indptr[j]:indptr[j + 1]]`.
    shape : tuple of int, optional
        By default as small as the indices allow.
    dtype : dtype, optional
        Of the elements: bool, integers, float16, float32, float64, complex64 or
        complex128.
    copy : bool
        Whether arrays are copied that could be taken as they are.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> A = cupricx.scipy.sparse.csc_matrix(cupric.eye(2))
    >>> A.getformat(), A.T.getformat()
    ('csc', 'csr')
    """


def isspmatrix_csc(x):
    """Whether this is a `csc_matrix`.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix_csc(sparse.csc_matrix((2, 2)))
    True
    """
    return isinstance(x, csc_matrix)
