"""What sparse arrays of all formats share.

A format is a class `_<name>_base`, of which there are two kinds: `<name>_array`, for
which `*` is elementwise and a reduction along an axis has one axis less, and
`<name>_matrix`, for which `*` is the product of matrices and which always has two axes.
What a format does not do itself is done here by way of another one, csr in most cases.
"""

import math
import operator
import warnings

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._types import (
    canonical_axes,
    is_dense,
    is_scalar,
    refuse_host,
    reshaped,
    sum_dtype,
    unbounded_dtype,
    value_dtype,
)

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
    "sparse_base",
    "spmatrix",
    "warn_inefficient",
]


# Not SciPy's own: to import these takes longer than all of this package.
class SparseWarning(Warning):
    """A warning of sparse arrays."""


class SparseEfficiencyWarning(SparseWarning):
    """A warning that a call is slow, or needs much memory, where another does not."""


_FORMATS = {
    "bsr": "Block Sparse Row",
    "coo": "COOrdinate",
    "csc": "Compressed Sparse Column",
    "csr": "Compressed Sparse Row",
    "dia": "DIAgonal",
    "dok": "Dictionary Of Keys",
    "lil": "List of Lists",
}

# A comparison, its sign, and its opposite.
_COMPARISONS = {
    operator.eq: ("==", operator.ne),
    operator.ne: ("!=", operator.eq),
    operator.lt: ("<", operator.ge),
    operator.le: ("<=", operator.gt),
    operator.gt: (">", operator.le),
    operator.ge: (">=", operator.lt),
}

# NumPy's binary ufuncs with a sparse operand: the methods of the first operand, and of
# the second where the first is none.
_BINARY = {
    "add": ("__add__", "__radd__"),
    "subtract": ("__sub__", "__rsub__"),
    "multiply": ("multiply", "multiply"),
    "divide": ("__truediv__", "__rtruediv__"),
    "matmul": ("__matmul__", "__rmatmul__"),
    "power": ("power", None),
    "maximum": ("maximum", "maximum"),
    "minimum": ("minimum", "minimum"),
    "equal": ("__eq__", "__eq__"),
    "not_equal": ("__ne__", "__ne__"),
    "less": ("__lt__", "__gt__"),
    "less_equal": ("__le__", "__ge__"),
    "greater": ("__gt__", "__lt__"),
    "greater_equal": ("__ge__", "__le__"),
}
_UNARY = {"absolute": "__abs__", "negative": "__neg__", "positive": "copy"}

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


def _name(op):
    return _COMPARISONS[op][0]


class sparse_base:
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
        return _containers[format, isinstance(self, sparray)]

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

    # ---- elementwise operations ----------------------------------------------------

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs:
            return NotImplemented
        name = ufunc.__name__
        if len(inputs) == 1:
            own = getattr(self, _UNARY.get(name, name), None)
            return NotImplemented if own is None else own()
        a, b = inputs[:2]
        first, second = _BINARY.get(name, (None, None))
        x, name, y = (a, first, b) if issparse(a) else (b, second, a)
        if isinstance(y, np.ndarray) and y.ndim:
            refuse_host(y, f"numpy.{ufunc.__name__}")
        return NotImplemented if name is None else getattr(x, name)(y)

    def _flat(self):
        """As one row of csr, by which arrays of more than two axes compute."""
        return self.reshape(1, -1).tocsr()

    def _unflat(self, flat):
        return flat.tocoo().reshape(self.shape)

    def _compressed(self):
        """Itself in a compressed format, of at most two axes."""
        if self.ndim > 2:
            return self._flat()
        return self if self.format in ("csr", "csc") else self.tocsr()

    def _restored(self, result):
        """What was computed of `_compressed()`, in this shape."""
        return self._unflat(result) if self.ndim > 2 else result

    def _operand(self, other, what):
        """Whether `other` is an operand: a sparse or dense array, or a number; else
        whether that is an error of the host's memory is said."""
        if issparse(other) or is_dense(other) or is_scalar(other):
            return True
        refuse_host(other, what)
        return False

    def multiply(self, other):
        """Elementwise product.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar
            Shapes are broadcast.

        Returns
        -------
        sparse array or matrix
            Dense where this has one element and `other` is dense.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.multiply(cupric.array([3, 4])).toarray()
        array([[3., 0.],
               [0., 4.]])
        """
        if not self._operand(other, "multiply"):
            return NotImplemented
        if is_scalar(other):
            return self._mul_scalar(number(other))
        if self.ndim < 3:
            return self._compressed()._multiply_2d(other)
        if self.shape != other.shape:
            raise ValueError(
                "inconsistent shapes: >2D multiply() does not yet support broadcasting"
            )
        other = other.reshape(1, -1) if is_dense(other) else other._flat()
        return self._unflat(self._flat()._multiply_2d(other))

    def __mul__(self, other):
        return self.multiply(other)

    def __rmul__(self, other):
        return self.multiply(other)

    def _mul_scalar(self, other):
        return self.tocsr()._mul_scalar(other)

    def maximum(self, other):
        """Elementwise maximum.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar
            Of the same shape. With a positive number the result has no zeros.

        Returns
        -------
        sparse array or matrix
            cupric.ndarray where `other` is one.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.maximum(2 * A.T).toarray()
        array([[2, 4],
               [2, 6]])
        """
        return self._extreme_of(other, "maximum", "positive")

    def minimum(self, other):
        """Elementwise minimum.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar
            Of the same shape. With a negative number the result has no zeros.

        Returns
        -------
        sparse array or matrix
            cupric.ndarray where `other` is one.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.minimum(A.T).toarray()
        array([[1, 0],
               [0, 3]])
        """
        return self._extreme_of(other, "minimum", "negative")

    def _extreme_of(self, other, name, sign):
        ufunc = getattr(_core, name)
        if not self._operand(other, name):
            raise NotImplementedError(
                f"{name} with an unrecognized array type is not supported"
            )
        if is_scalar(other):
            value = scalar_of(other)
            if getattr(np, name)(0, value):
                warn_inefficient(
                    f"Taking {name} with a {sign} number results in a dense matrix."
                )
                return type(self)(ufunc(self.toarray(), value))
            A = self._compressed()._with_operated(lambda data: ufunc(data, value))
            return self._restored(A)
        if is_dense(other):
            return ufunc(self.toarray(), other)
        if self.shape != other.shape:
            raise ValueError(
                f"inconsistent shapes self.shape={self.shape} other.shape={other.shape}"
            )
        other = other._flat() if self.ndim > 2 else other
        return self._restored(self._compressed()._binopt(other, name))

    def _comparison(self, other, op):
        if not self._operand(other, _name(op)):
            return NotImplemented
        if is_scalar(other):
            return self._comparison_scalar(scalar_of(other), op)
        if is_dense(other):
            return op(self.toarray(), other)
        if self.shape != other.shape:
            if op in (operator.eq, operator.ne):
                return op is operator.ne
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        sign, opposite = _COMPARISONS[op]
        dense = op(0, 0)
        if dense:
            warn_inefficient(
                f"Comparing two sparse matrices using {sign} is inefficient. Try using "
                f"{_name(opposite)} instead."
            )
        A = self._compressed()
        other = other._flat() if self.ndim > 2 else other
        result = A._binopt(other, (opposite if dense else op).__name__)
        return self._restored(result._opposite() if dense else result)

    def _comparison_scalar(self, value, op):
        sign, opposite = _COMPARISONS[op]
        dense = op(0, value)
        if dense:
            warn_inefficient(
                f"Comparing a sparse matrix with {value} using {sign} is inefficient. "
                f"Try using {_name(opposite)} instead.",
                stacklevel=4,
            )
        A = self._compressed()
        used = opposite if dense else op
        if value != value:  # every comparison with NaN is False but that by !=
            result = type(self)(self.shape, dtype=bool)
            return result._opposite() if dense else result
        result = A._with_operated(lambda data: used(data, value))
        return self._restored(result._opposite() if dense else result)

    def _opposite(self):
        """Of booleans: those that are False."""
        return type(self)(~self.toarray())

    def __eq__(self, other):
        return self._comparison(other, operator.eq)

    def __ne__(self, other):
        return self._comparison(other, operator.ne)

    def __lt__(self, other):
        return self._comparison(other, operator.lt)

    def __gt__(self, other):
        return self._comparison(other, operator.gt)

    def __le__(self, other):
        return self._comparison(other, operator.le)

    def __ge__(self, other):
        return self._comparison(other, operator.ge)

    def __abs__(self):
        return abs(self.tocsr())

    def __round__(self, ndigits=0):
        return round(self.tocsr(), ndigits=ndigits)

    def __neg__(self):
        return -self.tocsr()

    def power(self, n, dtype=None):
        """Elementwise power.

        Parameters
        ----------
        n : scalar
            The exponent, which is not zero.
        dtype : dtype, optional
            Of the elements while it is computed.

        Returns
        -------
        sparse array or matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.power(2).toarray()
        array([[1, 0],
               [4, 9]])
        """
        return self.tocsr().power(n, dtype=dtype)

    def __pow__(self, *args, **kwargs):
        return self.power(*args, **kwargs)

    # ---- sums ----------------------------------------------------------------------

    def __add__(self, other):
        return self._sum_with(other, "add", "plus", lambda x, y: x + y)

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        return self._sum_with(other, "subtract", "minus", lambda x, y: x - y)

    def __rsub__(self, other):
        if is_scalar(other):
            if scalar_of(other) == 0:
                return -self.copy()
            raise NotImplementedError(
                "subtracting a sparse array from a nonzero scalar is not supported"
            )
        if is_dense(other):
            return self._broadcast(other) - self.toarray()
        refuse_host(other, "subtract")
        return NotImplemented

    def _broadcast(self, dense):
        return (
            dense
            if dense.shape == self.shape
            else _core.broadcast_to(dense, self.shape)
        )

    def _sum_with(self, other, what, name, dense):
        if not self._operand(other, what):
            return NotImplemented
        if is_scalar(other):
            if scalar_of(other) == 0:
                return self.copy()
            raise NotImplementedError(
                "adding a nonzero scalar to a sparse array is not supported"
                if name == "plus"
                else "subtracting a nonzero scalar from a sparse array is not supported"
            )
        if is_dense(other):
            return dense(self.toarray(), self._broadcast(other))
        if other.shape != self.shape:
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        other = other._flat() if self.ndim > 2 else other
        return self._restored(self._compressed()._binopt(other, name))

    # ---- quotients -----------------------------------------------------------------

    def _divide(self, other):
        if not self._operand(other, "divide"):
            return NotImplemented
        if is_scalar(other):
            return self._divide_scalar(number(other))
        if is_dense(other):
            return self.multiply(1 / other)
        if self.ndim > 2:
            return self._flat()._divide(other._flat()).reshape(self.shape)
        if self.shape != other.shape:
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        # All elements that neither has are 0 / 0, so that the quotient is dense.
        A = self.toarray()
        if np.can_cast(self.dtype, np.float64):
            A = A.astype(np.float64, copy=False)
        return A / other.toarray()

    def _divide_scalar(self, other):
        if np.can_cast(self.dtype, np.float64):
            A = self.astype(np.float64, copy=False)
            return A._mul_scalar(1 / other)
        quotient = self._mul_scalar(1 / other)
        kind = (
            other.dtype.kind
            if hasattr(other, "dtype")
            else np.asarray(other).dtype.kind
        )
        if self.dtype.kind in "iu" and kind in "iu":
            return quotient.astype(self.dtype, copy=False)
        return quotient

    def __truediv__(self, other):
        return self._divide(other)

    def __div__(self, other):
        return self._divide(other)

    def __rtruediv__(self, other):
        return NotImplemented

    def __rdiv__(self, other):
        return NotImplemented

    def __iadd__(self, other):
        return NotImplemented

    def __isub__(self, other):
        return NotImplemented

    def __imul__(self, other):
        return NotImplemented

    def __itruediv__(self, other):
        return NotImplemented

    def __idiv__(self, other):
        return self.__itruediv__(other)

    # ---- products ------------------------------------------------------------------

    def dot(self, other):
        """Product with a matrix, vector or scalar.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar

        Returns
        -------
        sparse array or cupric.ndarray

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.dot(cupric.array([3, 4]))
        array([3., 4.])
        """
        return self * other if is_scalar(other) else self @ other

    def __matmul__(self, other):
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._matmul_dispatch(other)

    def __rmatmul__(self, other):
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._rmatmul_dispatch(other)

    def _matmul_dispatch(self, other):
        if is_scalar(other):
            return self._mul_scalar(number(other))
        if not self._operand(other, "matmul"):
            return NotImplemented
        n = self.shape[-1]
        if other.ndim > 2 and not issparse(other):
            raise ValueError(
                f"could not interpret dimensions: a sparse array of {self.shape} with "
                f"an array of {other.shape}"
            )
        if other.shape[-2 if other.ndim > 1 else 0] != n:
            raise ValueError(
                "matmul: dimension mismatch with signature "
                f"(n,k={n}),(k={other.shape[-2 if other.ndim > 1 else 0]},m)->(n,m)"
            )
        if issparse(other):
            return self._matmul_sparse(other)
        if other.ndim == 1:
            return self._matmul_vector(other)
        if other.shape[1] == 1:
            product = self._matmul_vector(other.reshape(-1))
            return product.reshape((1,) if self.ndim == 1 else (-1, 1))
        return self._matmul_multivector(other)

    def _rmatmul_dispatch(self, other):
        if is_scalar(other):
            return self._mul_scalar(number(other))
        if not self._operand(other, "matmul"):
            return NotImplemented
        product = self.transpose()._matmul_dispatch(other.transpose())
        return product if product is NotImplemented else product.transpose()

    def _matmul_vector(self, other):
        return self.tocsr()._matmul_vector(other)

    def _matmul_multivector(self, other):
        return self.tocsr()._matmul_multivector(other)

    def _rmatmul_vector(self, other):
        return self.tocsr()._rmatmul_vector(other)

    def _rmatmul_multivector(self, other):
        return self.tocsr()._rmatmul_multivector(other)

    def _matmul_sparse(self, other):
        return self.tocsr()._matmul_sparse(other)

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
    return isinstance(x, sparse_base)


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
