"""Lists of the elements of each row, on the host."""

from cupricx.scipy.sparse._kinds import container, sparray, spmatrix
from cupricx.scipy.sparse._on_host import OnHost

__all__ = ["isspmatrix_lil", "lil_array", "lil_matrix"]


class _lil_base(OnHost):
    _format = "lil"

    @property
    def rows(self):
        """NumPy's array of a list for each row: the columns of its elements, in
        order."""
        return self._host.rows

    @property
    def data(self):
        """NumPy's array of a list for each row: its elements."""
        return self._host.data

    def tolil(self, copy=False):
        return self.copy() if copy else self

    def getrowview(self, i):
        """Row `i`, which shares its lists with this.

        Parameters
        ----------
        i : int

        Returns
        -------
        lil_array or lil_matrix

        Examples
        --------
        >>> from cupricx.scipy.sparse import lil_array
        >>> x = lil_array((2, 3))
        >>> x.getrowview(1)[0, 2] = 5.0
        >>> x.toarray()
        array([[0., 0., 0.],
               [0., 0., 5.]])
        """
        return self._of(self._host.getrowview(i))


@container
class lil_array(_lil_base, sparray):
    """Sparse array that is built element by element, on the host.

    Rows are Python's lists, in SciPy's array of this format: no element is on a device
    before it is converted, by `tocsr` for example. SciPy has to be installed.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; or a shape.
    shape : tuple of int, optional
    dtype : dtype, optional
        Of the elements: bool, integers, float16, float32, float64, complex64 or
        complex128.
    copy : bool
        Whether lists are copied that could be taken as they are.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> A = cupricx.scipy.sparse.lil_array((2, 3))
    >>> A[0, 2] = 5
    >>> A.tocsr().toarray()
    array([[0., 0., 5.],
           [0., 0., 0.]])
    """


@container
class lil_matrix(spmatrix, _lil_base):
    """Sparse matrix that is built element by element, on the host; `*` is the product
    of matrices.

    Rows are Python's lists, in SciPy's matrix of this format: no element is on a device
    before it is converted, by `tocsr` for example. SciPy has to be installed.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; or a shape.
    shape : tuple of int, optional
    dtype : dtype, optional
        Of the elements: bool, integers, float16, float32, float64, complex64 or
        complex128.
    copy : bool
        Whether lists are copied that could be taken as they are.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> A = cupricx.scipy.sparse.lil_matrix((2, 3))
    >>> A[0] = [1, 0, 2]
    >>> A * cupric.array([1, 1, 1])
    array([3., 0.])
    """


def isspmatrix_lil(x):
    """Whether this is a `lil_matrix`.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix_lil(sparse.lil_matrix((2, 2)))
    True
    """
    return isinstance(x, lil_matrix)
