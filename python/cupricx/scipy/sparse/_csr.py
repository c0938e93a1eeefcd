"""Compressed sparse rows."""

from cupricx.scipy.sparse._compressed import Compressed
from cupricx.scipy.sparse._kinds import container, sparray, spmatrix

__all__ = ["csr_array", "csr_matrix", "isspmatrix_csr"]


class _csr_base(Compressed):
    _format = "csr"
    _allow_nd = (1, 2)

    @staticmethod
    def _swap(pair):
        return tuple(pair)

    def transpose(self, axes=None, copy=False):
        if self.ndim == 1:
            return self.copy() if copy else self
        self._check_axes(axes)
        return self._transposed("csc", copy)

    def tocsr(self, copy=False):
        return self.copy() if copy else self

    def tocsc(self, copy=False):
        if self.ndim != 2:
            raise ValueError("Cannot convert a 1d sparse array to csc format")
        return self._other_compressed("csc")

    def tobsr(self, blocksize=None, copy=False):
        from cupricx.scipy.sparse._bsr import of_csr

        A = of_csr(self, blocksize)
        return A.copy() if copy and A.blocksize == (1, 1) else A

    def tolil(self, copy=False):
        return self._class_of("lil")._taken(self)


@container
class csr_array(_csr_base, sparray):
    """Sparse array of compressed rows.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; `(data, (row, column))`; or `(data, indices, indptr)`, of which
        row `i` has the columns `indices[indptr[i]:indptr[i + 1]]`.
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
    >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0, 2], [0, 0, 3]]))
    >>> A.indptr, A.indices, A.data
    (array([0, 2, 3], dtype=int32), array([0, 2, 2], dtype=int32), array([1, 2, 3]))
    >>> A @ cupric.array([1, 1, 1])
    array([3, 3])
    """


@container
class csr_matrix(spmatrix, _csr_base):
    """Sparse matrix of compressed rows, of which `*` is the product of matrices.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; `(data, (row, column))`; or `(data, indices, indptr)`, of which
        row `i` has the columns `indices[indptr[i]:indptr[i + 1]]`.
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
    >>> A = cupricx.scipy.sparse.csr_matrix(cupric.eye(2))
    >>> (A * A).toarray()
    array([[1., 0.],
           [0., 1.]])
    """


def isspmatrix_csr(x):
    """Whether this is a `csr_matrix`.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix_csr(sparse.csr_matrix((2, 2)))
    True
    """
    return isinstance(x, csr_matrix)
