"""A dictionary of elements by their places, on the host."""

from cupricx.scipy.sparse._kinds import container, sparray, spmatrix
from cupricx.scipy.sparse._on_host import OnHost, on_host

__all__ = ["dok_array", "dok_matrix", "isspmatrix_dok"]

_REQUIRED = object()


class _dok_base(OnHost):
    _format = "dok"
    _allow_nd = (1, 2)

    def todok(self, copy=False):
        return self.copy() if copy else self

    def __neg__(self):
        return self._of(-self._host)

    def _sum_with(self, other, what, name, dense):
        if isinstance(other, _dok_base) and other.shape == self.shape:
            return self._of(dense(self._host, other._host))
        return super()._sum_with(other, what, name, dense)

    @classmethod
    def fromkeys(cls, iterable, value=1, /):
        """One whose elements at given places have a value.

        Parameters
        ----------
        iterable : iterable of tuple
            The places. The shape is as small as these allow.
        value : scalar

        Returns
        -------
        dok_array or dok_matrix

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> dok_array.fromkeys([(0, 1), (1, 2)], 5.0).toarray()
        array([[0., 5., 0.],
               [0., 0., 5.]])
        """
        places = list(iterable)
        pairs = [p if isinstance(p, tuple) else (p,) for p in places]
        shape = tuple(max(axis) + 1 for axis in zip(*pairs, strict=True))
        made = cls(shape, dtype=type(value))
        for place in places:
            made._host[place] = value
        return made

    # ---- as a dictionary -----------------------------------------------------------

    def __len__(self):
        return len(self._host)

    def __contains__(self, key):
        return key in self._host

    def __delitem__(self, key):
        del self._host[key]

    def __reversed__(self):
        return reversed(self._host)

    def keys(self):
        """The places of elements, each a tuple.

        Returns
        -------
        collections.abc.KeysView

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> list(x.keys())
        [(1, 2)]
        """
        return self._host.keys()

    def values(self):
        """The elements.

        Returns
        -------
        collections.abc.ValuesView

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> [float(v) for v in x.values()]
        [5.0]
        """
        return self._host.values()

    def items(self):
        """Places and elements.

        Returns
        -------
        collections.abc.ItemsView

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> [(k, float(v)) for k, v in x.items()]
        [((1, 2), 5.0)]
        """
        return self._host.items()

    def get(self, key=None, default=0.0):
        """The element at a place; without one, SciPy's sparse array, a copy.

        Parameters
        ----------
        key : tuple of int, optional
        default : scalar
            Where there is no element.

        Returns
        -------
        scalar or scipy.sparse.dok_array

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> float(x.get((1, 2))), x.get((0, 0))
        (5.0, 0.0)
        """
        if key is None or hasattr(key, "synchronize"):  # a stream, as of other formats
            return super().get(key)
        return self._host.get(key, default)

    def setdefault(self, key, default=None, /):
        """The element at a place, which is set where there is none.

        Parameters
        ----------
        key : tuple of int
        default : scalar

        Returns
        -------
        scalar

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> float(x.setdefault((1, 2), 1.0))
        5.0
        """
        return self._host.setdefault(key, default)

    def pop(self, key, default=_REQUIRED, /):
        """Remove the element at a place, and return it.

        Parameters
        ----------
        key : tuple of int
        default : scalar, optional
            Where there is no element; else that is a KeyError.

        Returns
        -------
        scalar

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> float(x.pop((1, 2))), x.nnz
        (5.0, 0)
        """
        more = () if default is _REQUIRED else (default,)
        return self._host.pop(key, *more)

    def popitem(self):
        """Remove an element, and return its place and itself.

        Returns
        -------
        tuple

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> place, value = x.popitem()
        >>> place, float(value)
        ((1, 2), 5.0)
        """
        return self._host.popitem()

    def clear(self):
        """Remove all elements.

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> x.clear()
        >>> x.nnz
        0
        """
        self._host.clear()

    def update(self, val):
        """Elements are set one by one, or by indexing with arrays.

        Parameters
        ----------
        val : object

        Raises
        ------
        NotImplementedError
            Always, as of SciPy.

        Examples
        --------
        >>> from cupricx.scipy.sparse import dok_array
        >>> x = dok_array((2, 3))
        >>> x[1, 2] = 5.0
        >>> x.update({(0, 0): 1.0})
        Traceback (most recent call last):
            ...
        NotImplementedError: Direct update to DOK sparse format is not allowed.
        """
        raise NotImplementedError("Direct update to DOK sparse format is not allowed.")

    def __or__(self, other):
        return self._of(self._host | on_host(other))

    def __ror__(self, other):
        return self._of(on_host(other) | self._host)

    def __ior__(self, other):
        self._host |= on_host(other)
        return self


@container
class dok_array(_dok_base, sparray):
    """Sparse array that is built element by element, on the host: a dictionary.

    Elements are in SciPy's array of this format: none is on a device before it is
    converted, by `tocsr` for example. SciPy has to be installed.

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
        Whether a dictionary is copied that could be taken as it is.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> A = cupricx.scipy.sparse.dok_array((2, 3))
    >>> A[0, 2] = 5
    >>> dict(A.items()), A.tocsr().nnz
    ({(0, 2): np.float64(5.0)}, 1)
    """


@container
class dok_matrix(spmatrix, _dok_base):
    """Sparse matrix that is built element by element, on the host: a dictionary; `*` is
    the product of matrices.

    Elements are in SciPy's matrix of this format: none is on a device before it is
    converted, by `tocsr` for example. SciPy has to be installed.

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
        Whether a dictionary is copied that could be taken as it is.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> A = cupricx.scipy.sparse.dok_matrix((2, 3))
    >>> A[1, 1] = 4
    >>> A * cupric.array([1, 2, 3])
    array([0., 8.])
    """


def isspmatrix_dok(x):
    """Whether this is a `dok_matrix`.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix_dok(sparse.dok_matrix((2, 2)))
    True
    """
    return isinstance(x, dok_matrix)
