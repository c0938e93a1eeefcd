"""The two kinds of sparse arrays, and the classes of both by their formats."""

import warnings

import numpy as np

from cupricx.scipy.sparse._types import is_dense

__all__ = [
    "SparseEfficiencyWarning",
    "SparseWarning",
    "class_of",
    "container",
    "isspmatrix",
    "issparse",
    "number",
    "scalar_of",
    "sparray",
    "spmatrix",
    "warn_inefficient",
]


# Not SciPy's own: to import these takes longer than all of this package.
class SparseWarning(Warning):
    """A warning of sparse arrays."""


class SparseEfficiencyWarning(SparseWarning):
    """A warning that a call is slow, or needs much memory, where another does not."""


# {(format, whether an array): class}, filled by `container`.
_containers = {}


def container(cls):
    """Make a class the one of its format: `csr_array`, `csr_matrix`, …"""
    _containers[cls._format, issubclass(cls, sparray)] = cls
    return cls


def class_of(format, is_array):
    """The class of a format, of arrays or of matrices."""
    return _containers[format, is_array]


def warn_inefficient(message, stacklevel=3):
    """Warn of what takes more memory or time than it seems."""
    warnings.warn(message, SparseEfficiencyWarning, stacklevel=stacklevel + 1)


def number(x):
    """A number that may be an array of the host without axes as NumPy's number; one of
    a device as it is."""
    return x[()] if isinstance(x, np.ndarray) else x


def scalar_of(x):
    """A number that may be an array without axes as a number of the host; one that is
    on a device is waited for."""
    if is_dense(x):
        return x.get()[()]
    return number(x)


class sparray:
    """The kind of sparse arrays: `isinstance(A, sparray)` tells them from matrices.

    Of an array, `*` is elementwise, `@` the product of matrices, and a reduction along
    an axis has one axis less.

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> isinstance(sparse.csr_array((2, 2)), sparse.sparray)
    True
    """

    @classmethod
    def __class_getitem__(cls, arg, /):
        from types import GenericAlias

        return GenericAlias(cls, arg)


class spmatrix:
    """The kind of sparse matrices: `isinstance(A, spmatrix)` tells them from arrays.

    Of a matrix, `*` and `@` are the product of matrices, `**` repeats it, and all that
    comes of it has two axes.

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> isinstance(sparse.csr_matrix((2, 2)), sparse.spmatrix)
    True
    """

    _allow_nd = (2,)

    @classmethod
    def __class_getitem__(cls, arg, /):
        from types import GenericAlias

        return GenericAlias(cls, arg)

    def __mul__(self, other):
        return self._matmul_dispatch(other)

    def __rmul__(self, other):
        return self._rmatmul_dispatch(other)

    def __pow__(self, power):
        from cupricx.scipy.sparse.linalg import matrix_power

        return matrix_power(self, power)

    def get_shape(self):
        """Its shape.

        Returns
        -------
        tuple of int

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.get_shape()
        (2, 2)
        """
        return self._shape

    def set_shape(self, shape):
        """Change its shape, of the same number of elements, in place.

        Parameters
        ----------
        shape : tuple of int

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.set_shape((1, 4))
        >>> A.toarray()
        array([[1, 0, 2, 3]])
        """
        new = self.reshape(shape, copy=False).asformat(self.format)
        self.__dict__ = new.__dict__

    shape = property(get_shape, set_shape, doc="Length of each axis.")

    def asfptype(self):
        """Itself with elements of a floating dtype.

        Returns
        -------
        spmatrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.asfptype().dtype
        dtype('float64')
        """
        return self._asfptype()

    def getmaxprint(self):
        """How many elements `print` shows.

        Returns
        -------
        int

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.getmaxprint()
        50
        """
        return self.maxprint

    def getformat(self):
        """Name of the format.

        Returns
        -------
        str

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.getformat()
        'csr'
        """
        return self.format

    def getnnz(self, axis=None):
        """Number of stored elements, explicit zeros included.

        Parameters
        ----------
        axis : int, optional
            0 for each column, 1 for each row; None for all.

        Returns
        -------
        int or cupric.ndarray

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.getnnz(), A.getnnz(axis=1)
        (3, array([1, 2], dtype=int32))
        """
        return self._getnnz(axis=axis)

    def getH(self):
        """Its conjugate transpose.

        Returns
        -------
        spmatrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.getH().toarray()
        array([[1, 2],
               [0, 3]])
        """
        return self.conjugate().transpose()

    def getcol(self, j):
        """A copy of column `j`, a matrix of one column.

        Parameters
        ----------
        j : int

        Returns
        -------
        spmatrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.getcol(0).toarray()
        array([[1],
               [2]])
        """
        return self._getcol(j)

    def getrow(self, i):
        """A copy of row `i`, a matrix of one row.

        Parameters
        ----------
        i : int

        Returns
        -------
        spmatrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.array([[1, 0], [2, 3]]))
        >>> A.getrow(1).toarray()
        array([[2, 3]])
        """
        return self._getrow(i)

    @property
    def A(self):
        """Its dense array; deprecated, as in CuPy: use `toarray()`."""
        _warn_deprecated(".A", ".toarray()")
        return self.toarray()

    @property
    def H(self):
        """Its conjugate transpose; deprecated, as in CuPy: use `.T.conjugate()`."""
        _warn_deprecated(".H", ".T.conjugate()")
        return self.getH()


def _warn_deprecated(name, instead):
    warnings.warn(
        f"`{name}` of sparse matrices is deprecated: use `{instead}`",
        DeprecationWarning,
        stacklevel=3,
    )


def issparse(x):
    """Whether this is a sparse array or matrix of a device.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool
        False for SciPy's sparse arrays.

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.issparse(sparse.csr_array((2, 2))), sparse.issparse(cupric.eye(2))
    (True, False)
    """
    return isinstance(x, (sparray, spmatrix))


def isspmatrix(x):
    """Whether this is a sparse matrix of a device; False for sparse arrays.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix(sparse.csr_matrix((2, 2)))
    True
    >>> sparse.isspmatrix(sparse.csr_array((2, 2)))
    False
    """
    return isinstance(x, spmatrix)
