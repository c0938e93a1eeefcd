"""What sparse arrays of all formats share.

A format is a class `_<name>_base`, of which there are two kinds: `<name>_array`, for
which `*` is elementwise and a reduction along an axis has one axis less, and
`<name>_matrix`, for which `*` is the product of matrices and which always has two axes.
What a format does not do itself is done here by way of another one, csr in most cases.
"""

import math

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._kinds import (
    class_of,
    sparray,
    spmatrix,
)
from cupricx.scipy.sparse._operators import sparse_operators
from cupricx.scipy.sparse._types import (
    canonical_axes,
    is_dense,
    refuse_host,
    reshaped,
    sum_dtype,
    unbounded_dtype,
    value_dtype,
)

__all__ = ["sparse_base"]

_FORMATS = {
    "bsr": "Block Sparse Row",
    "coo": "COOrdinate",
    "csc": "Compressed Sparse Column",
    "csr": "Compressed Sparse Row",
    "dia": "DIAgonal",
    "dok": "Dictionary Of Keys",
    "lil": "List of Lists",
}


class sparse_base(sparse_operators):
    """The base of all classes of sparse arrays."""

    # Above that of arrays, which leave operators to sparse operands.
    __array_priority__ = 101
    __hash__ = None

    _format = "und"
    _allow_nd = (2,)

    maxprint = 50  # how many elements `print` shows

    def __init__(self, arg1, *, maxprint=None):
        if type(self)._format == "und":
            raise ValueError("This class is not intended to be instantiated directly.")
        if isinstance(self, sparray) and np.isscalar(arg1):
            raise ValueError(
                "sparse array classes do not support instantiation from a scalar"
            )
        self._shape = None
        if maxprint is not None:
            self.maxprint = maxprint

    def _class_of(self, format):
        """The class of another format and of the same kind."""
        return class_of(format, isinstance(self, sparray))

    # ---- attributes ----------------------------------------------------------------

    @property
    def ndim(self):
        """Number of axes."""
        return len(self._shape)

    @property
    def shape(self):
        """Length of each axis."""
        return self._shape

    @property
    def _shape_as_2d(self):
        return (1, *self._shape) if len(self._shape) == 1 else self._shape

    @property
    def format(self):
        """Name of the format."""
        return self._format

    @property
    def nnz(self):
        """Number of stored elements, explicit zeros included."""
        return self._getnnz()

    @property
    def size(self):
        """Number of stored elements, explicit zeros included."""
        return self._getnnz()

    @property
    def T(self):
        """Transpose."""
        return self.transpose()

    @property
    def mT(self):
        """Transpose of the last two axes."""
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return self.transpose((*range(self.ndim - 2), self.ndim - 1, self.ndim - 2))

    @property
    def real(self):
        """Real parts of the elements."""
        return self._real()

    @property
    def imag(self):
        """Imaginary parts of the elements."""
        return self._imag()

    def _getnnz(self, axis=None):
        raise NotImplementedError(f"getnnz not implemented for {type(self).__name__}.")

    def count_nonzero(self, axis=None):
        """Number of elements that are not zero: explicit zeros do not count.

        Parameters
        ----------
        axis : int, optional
            0 for each column, 1 for each row; None for all.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.count_nonzero(axis=1)
        array([1, 2])
        """
        return self.tocsr().count_nonzero(axis)

    # ---- as something else ---------------------------------------------------------

    def __repr__(self):
        kind = "array" if isinstance(self, sparray) else "matrix"
        return (
            f"<{_FORMATS[self.format]} sparse {kind} of dtype '{self.dtype}'\n"
            f"\twith {self.nnz} stored elements and shape {self.shape}>"
        )

    def __str__(self):
        lines = [repr(self)]
        n, most = self.nnz, self.maxprint
        if n:
            A = self.tocoo()
            lines.append("  Coords\tValues")
            if n > most:
                half = most // 2
                lines += A._lines(slice(half)) + ["  :\t:"]
                lines += A._lines(slice(n - (most - half), n))
            else:
                lines += A._lines(slice(n))
        return "\n".join(lines)

    def _lines(self, where):
        places = zip(*(c[where].tolist() for c in self.coords), strict=True)
        values = self.data[where].get()
        return [f"  {at}\t{v}" for at, v in zip(places, values, strict=True)]

    def __bool__(self):
        if self.shape == (1, 1):
            return self.nnz != 0
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use "
            "a.any() or a.all()."
        )

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __iter__(self):
        for i in range(self.shape[0]):
            yield self[i]

    def __array__(self, dtype=None, copy=None):
        raise TypeError(
            "A sparse array is not converted to a dense one on its own: `toarray()` "
            "makes one on the device, and `get()` SciPy's sparse array on the host"
        )

    def __cupric_get__(self, stream=None):
        return self.get(stream)

    def get(self, stream=None):
        """SciPy's sparse array or matrix of the same format, on the host.

        Parameters
        ----------
        stream : cupric.cuda.Stream, optional
            In whose order arrays are copied; the current one by default.

        Returns
        -------
        scipy.sparse.sparray or scipy.sparse.spmatrix
            A copy.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> type(A.get()).__module__.split('.')[0]
        'scipy'
        """
        raise NotImplementedError(f"get is not implemented for {type(self).__name__}.")

    def _scipy_class(self):
        try:
            import scipy.sparse
        except ImportError:
            raise ImportError(
                "SciPy, whose sparse arrays `get` returns, is not installed; toarray() "
                "gives a dense array"
            ) from None
        kind = "array" if isinstance(self, sparray) else "matrix"
        return getattr(scipy.sparse, f"{self.format}_{kind}")

    # ---- conversion ----------------------------------------------------------------

    def asformat(self, format, copy=False):
        """Itself in another format.

        Parameters
        ----------
        format : str or None
            'bsr', 'coo', 'csc', 'csr', 'dia', 'dok' or 'lil'; None for its own.
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        sparse array or matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.asformat('coo').format
        'coo'
        """
        if format is None or format == self.format:
            return self.copy() if copy else self
        convert = getattr(self, f"to{format}", None)
        if format not in _FORMATS or convert is None:
            raise ValueError(f"Format {format} is unknown.")
        return convert(copy=copy)

    def astype(self, dtype, casting="unsafe", copy=True):
        """Itself with elements of another dtype.

        Parameters
        ----------
        dtype : dtype
            Of the elements of the result.
        casting : str
            Which conversions are allowed, as of `numpy.ndarray.astype`.
        copy : bool
            Whether the result is a copy also where the dtype is the same.

        Returns
        -------
        sparse array or matrix
            Of the same format.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.astype('f').dtype
        dtype('float32')
        """
        dtype = value_dtype(dtype)
        if self.dtype != dtype:
            A = self.tocsr().astype(dtype, casting=casting, copy=copy)
            return A.asformat(self.format)
        return self.copy() if copy else self

    def _asfptype(self):
        return self.astype(unbounded_dtype(self.dtype), copy=False)

    def copy(self):
        """A copy, which shares no memory with this.

        Returns
        -------
        sparse array or matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> B = A.copy()
        >>> B.data[:] = 5
        >>> A.data
        array([1., 1.])
        """
        return type(self)(self, copy=True)

    def todense(self, order=None, out=None):
        """The dense array; the same as `toarray`.

        Parameters
        ----------
        order : {'C', 'F'}, optional
            The order of the result in memory.
        out : cupric.ndarray, optional
            Where it is written; of the same shape and dtype.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.todense()
        array([[1., 0.],
               [0., 1.]])
        """
        return self.toarray(order=order, out=out)

    def toarray(self, order=None, out=None):
        """The dense array.

        Parameters
        ----------
        order : {'C', 'F'}, optional
            The order of the result in memory: by default the one that suits the format.
        out : cupric.ndarray, optional
            Where it is written; of the same shape and dtype.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> A = cupricx.scipy.sparse.coo_array(([1, 2], ([0, 1], [1, 0])))
        >>> A.toarray()
        array([[0, 1],
               [2, 0]])
        """
        return self.tocoo().toarray(order=order, out=out)

    def _dense_target(self, order, out):
        """Where `toarray` writes; what is in there does not matter."""
        if out is None:
            order = order or "C"
            return _core.empty(self.shape, self.dtype, order, device=self.device)
        if order is not None:
            raise ValueError("order cannot be specified if out is not None")
        if not is_dense(out):
            refuse_host(out, "toarray")
            raise TypeError(f"out must be a cupric.ndarray, not {type(out)}")
        if out.shape != self.shape or out.dtype != self.dtype:
            raise ValueError(
                "out array must be same dtype and shape as sparse array: it has "
                f"{out.shape} of {out.dtype}, which should be {self.shape} of "
                f"{self.dtype}"
            )
        return out

    def tocsr(self, copy=False):
        """Itself in the format csr.

        Parameters
        ----------
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        csr_array or csr_matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.tocsc().tocsr().format
        'csr'
        """
        return self.tocoo(copy=copy).tocsr(copy=False)

    def tocsc(self, copy=False):
        """Itself in the format csc.

        Parameters
        ----------
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        csc_array or csc_matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.tocsc().format
        'csc'
        """
        return self.tocsr(copy=copy).tocsc(copy=False)

    def tocoo(self, copy=False):
        """Itself in the format coo.

        Parameters
        ----------
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        coo_array or coo_matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.tocoo().row
        array([0, 1], dtype=int32)
        """
        return self.tocsr(copy=False).tocoo(copy=copy)

    def todia(self, copy=False):
        """Itself in the format dia.

        Parameters
        ----------
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        dia_array or dia_matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.todia().offsets
        array([0], dtype=int32)
        """
        return self.tocoo(copy=copy).todia(copy=False)

    def tobsr(self, blocksize=None, copy=False):
        """Itself in the format bsr.

        Parameters
        ----------
        blocksize : tuple of int, optional
            Rows and columns of a block, by which the shape is divisible.
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        bsr_array or bsr_matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.tobsr((2, 2)).blocksize
        (2, 2)
        """
        return self.tocsr(copy=False).tobsr(blocksize=blocksize, copy=copy)

    def tolil(self, copy=False):
        """Itself in the format lil, on the host.

        Parameters
        ----------
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        lil_array or lil_matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.tolil().format
        'lil'
        """
        return self.tocsr(copy=False).tolil(copy=copy)

    def todok(self, copy=False):
        """Itself in the format dok, on the host.

        Parameters
        ----------
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        dok_array or dok_matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.todok().format
        'dok'
        """
        return self.tocoo(copy=copy).todok(copy=False)

    # ---- shapes --------------------------------------------------------------------

    def reshape(self, *shape, order="C", copy=False):
        """Itself with the same elements in another shape.

        Parameters
        ----------
        *shape : int or tuple of int
            The new shape, in which one length may be -1.
        order : {'C', 'F'}
            In which order elements are read and put.
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        sparse array or matrix
            In the format coo, or itself where the shape stays.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.reshape(1, 4).toarray()
        array([[1., 0., 0., 1.]])
        """
        limits = (2,) if isinstance(self, spmatrix) else range(1, 65)
        new = reshaped(shape, self.shape, limits)
        if new == self.shape:
            return self.copy() if copy else self
        return self.tocoo(copy=copy).reshape(new, order=order, copy=False)

    def resize(self, *shape):
        """Change its shape: elements outside it are lost.

        Parameters
        ----------
        *shape : int or tuple of int
            The new shape.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.resize(1, 3)
        >>> A.toarray()
        array([[1., 0., 0.]])
        """
        raise NotImplementedError(f"{type(self).__name__}.resize is not implemented")

    def transpose(self, axes=None, copy=False):
        """Itself with its axes exchanged.

        Parameters
        ----------
        axes : tuple of int, optional
            The order of the axes, for coo arrays; of matrices (1, 0) is the only one.
        copy : bool
            Whether the result shares no memory with this, also where it could.

        Returns
        -------
        sparse array or matrix
            Of csr the transpose is csc, and the reverse.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.transpose().toarray()
        array([[1, 2],
               [0, 3]])
        """
        return self.tocsr(copy=copy).transpose(axes=axes, copy=False)

    def _check_axes(self, axes):
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError(
                "Sparse arrays/matrices do not support an 'axes' parameter because "
                "swapping dimensions is the only logical permutation."
            )

    # ---- parts ---------------------------------------------------------------------

    def _real(self):
        return self.tocsr()._real()

    def _imag(self):
        return self.tocsr()._imag()

    def conjugate(self, copy=True):
        """Complex conjugates of the elements.

        Parameters
        ----------
        copy : bool
            Whether real elements are copied, too.

        Returns
        -------
        sparse array or matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1j, 0], [0, 2]]))
        >>> A.conjugate().data
        array([0.-1.j, 2.-0.j])
        """
        if self.dtype.kind == "c":
            return self.tocsr(copy=copy).conjugate(copy=False)
        return self.copy() if copy else self

    def conj(self, copy=True):
        """Complex conjugates of the elements.

        Parameters
        ----------
        copy : bool
            Whether real elements are copied, too.

        Returns
        -------
        sparse array or matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1j, 0], [0, 2]]))
        >>> A.conj().data
        array([0.-1.j, 2.-0.j])
        """
        return self.conjugate(copy=copy)

    def nonzero(self):
        """The places of elements that are not zero.

        Returns
        -------
        tuple of cupric.ndarray
            Indices along each axis.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.nonzero()[0]
        array([0, 1, 1], dtype=int32)
        """
        A = self.tocoo()
        there = A.data != 0
        return tuple(c[there] for c in A.coords)

    def diagonal(self, k=0):
        """The elements of a diagonal.

        Parameters
        ----------
        k : int
            How far it is above the main diagonal.

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.diagonal(), A.diagonal(-1)
        (array([1, 3]), array([2]))
        """
        return self.tocsr().diagonal(k=k)

    def trace(self, offset=0):
        """Sum of the elements of a diagonal.

        Parameters
        ----------
        offset : int
            How far it is above the main diagonal.

        Returns
        -------
        cupric.ndarray
            Without axes.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.trace()
        array(4)
        """
        return self.diagonal(k=offset).sum()

    def setdiag(self, values, k=0):
        """Set the elements of a diagonal.

        Parameters
        ----------
        values : scalar or array_like
            The elements; those that are beyond the shorter of the two are left.
        k : int
            How far the diagonal is above the main one.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.setdiag([7, 8])
        >>> A.toarray()
        array([[7, 0],
               [2, 8]])
        """
        rows, columns = self.shape
        if (k > 0 and k >= columns) or (k < 0 and -k >= rows):
            raise ValueError(f"k exceeds array dimensions: {k} of shape {self.shape}")
        if not is_dense(values):
            values = _core.array(np.asarray(values), device=self.device)
        self._setdiag(values, k)

    # ---- reductions ----------------------------------------------------------------

    def sum(self, axis=None, dtype=None, out=None):
        """Sum of elements over given axes.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for the sum of each column, 1 for that of each row; None for all.
        dtype : dtype, optional
            Of the result: int64 or uint64 by default for integers.
        out : cupric.ndarray, optional
            Where it is written.

        Returns
        -------
        cupric.ndarray
            Of a matrix, with two axes where `axis` is given.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(cupric.eye(2))
        >>> A.sum(axis=0)
        array([[1., 1.]])
        >>> A.sum()
        array(2.)
        """
        axes = canonical_axes(axis, self.ndim)
        work = sum_dtype(self.dtype)
        result = work if dtype is None else np.dtype(dtype)
        if dtype is not None:
            work = np.result_type(work, dtype)
        if axes is None:
            total = self._stored().sum(dtype=work)
            return _written(total.astype(result, copy=False), out)
        total = self._sum_along(axes, work).astype(result, copy=False)
        return _written(self._reduced(total, axes), out)

    def _stored(self):
        """The values of stored elements, of which some may share their place."""
        return self.tocoo().data

    def _reduced(self, x, axes):
        """The result of a reduction in the shape that its kind gives it."""
        if isinstance(self, spmatrix):
            return x.reshape((1, -1) if axes == (0,) else (-1, 1))
        return x

    def _sum_along(self, axes, dtype):
        return self.tocsr()._sum_along(axes, dtype)

    def mean(self, axis=None, dtype=None, out=None):
        """Mean of elements over given axes.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for the mean of each column, 1 for that of each row; None for all.
        dtype : dtype, optional
            Of the result: float64 by default for integers.
        out : cupric.ndarray, optional
            Where it is written.

        Returns
        -------
        cupric.ndarray
            Of a matrix, with two axes where `axis` is given.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.mean(axis=1)
        array([0.5, 2.5])
        """
        axes = canonical_axes(axis, self.ndim)
        own = np.dtype(np.float64) if self.dtype.kind in "biu" else self.dtype
        work = np.dtype(np.float32) if own == np.float16 else own
        result = own if dtype is None or out is not None else np.dtype(dtype)
        lengths = self.shape if axes is None else [self.shape[a] for a in axes]
        n = math.prod(lengths)
        if n == 0:
            raise ZeroDivisionError(f"mean of no elements: shape {self.shape}")
        mean = self.sum(axis=axis, dtype=work) / n
        return _written(mean.astype(result, copy=False), out)


def _written(x, out):
    """A result, in `out` where there is one."""
    if out is None:
        return x
    if out.shape != x.shape:
        raise ValueError(
            f"out dimensions do not match shape: {out.shape} instead of {x.shape}"
        )
    out[...] = x
    return out
