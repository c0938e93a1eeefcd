"""Diagonals."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse import _conversions
from cupricx.scipy.sparse._data import WithData
from cupricx.scipy.sparse._kinds import (
    container,
    issparse,
    scalar_of,
    sparray,
    spmatrix,
    warn_inefficient,
)
from cupricx.scipy.sparse._radix import WORDS
from cupricx.scipy.sparse._reading import dense_of, is_scipy, values_array
from cupricx.scipy.sparse._types import (
    as_index_array,
    fitting_index_dtype,
    is_dense,
    is_scalar,
    is_shape,
    read_shape,
    value_dtype,
)

__all__ = ["dia_array", "dia_matrix", "isspmatrix_dia", "of_coo"]

_library = Library(__file__)

_MANY = 100  # diagonals, for which the format was not made


def _example(xp):
    made = []
    for index in "il":
        offsets = (xp.arange(7) * 5 - 15).astype(index)
        for dtype in "fdFDil?" if index == "i" else "fdFDl":
            data = (xp.arange(7 * 40).reshape(7, 40) * 7919 % 5).astype(dtype)
            made += _compressed(data, offsets, offsets, (50, 60))
            x = xp.ones((60, 3), dtype)
            made += [
                _product(data, offsets, x, 50),
                _product(data, offsets, x[:, 0], 50),
            ]
    return made


_align = _library.kernel(
    "align_by_rows<I, V>",
    elements="all",
    ships="iB iH iI iL iD lB lH lI lL lD",
    example=_example,
)
_multiply = _library.kernel(
    "multiply_diagonals<I, T>",
    elements="all",
    ships="if id iF iD ii il i? lf ld lF lD ll",
    example=_example,
)


@replayed
def _aligned(data, offsets, order, rows, columns, by_diagonal):
    """Elements by their diagonals and rows, (count, rows), or the reverse."""
    count, length = data.shape
    shape = (count, rows) if by_diagonal else (rows, count)
    to = _core.empty(shape, data.dtype)
    p = _library.struct.diagonal_sizes(
        rows=rows,
        columns=columns,
        count=count,
        length=length,
        diagonal_stride=rows if by_diagonal else 1,
        row_stride=1 if by_diagonal else count,
    )
    if to.size:
        _align[offsets.dtype, WORDS[data.itemsize]](
            data=_core.ascontiguousarray(data),
            offsets=offsets,
            order=order,
            to=to,
            p=p,
            all=to.size,
        )
    return to


def _compressed(data, offsets, order, shape):
    """The arrays of csr: of elements that are not zero. `order` sorts the offsets."""
    order = order if order is None else order.argsort().astype(offsets.dtype)
    rows = _aligned(data, offsets, order, *shape, False)
    indptr, slots, data = _conversions.from_dense(rows, offsets.dtype)
    ordered = offsets if order is None else offsets[order]
    indices = ordered[slots] + _conversions.expand(indptr, slots.size)
    return indptr, indices, data


@replayed
def _product(data, offsets, x, rows):
    """With x, of one axis or two, of the same dtype."""
    count, length = data.shape
    y = _core.empty((rows, *x.shape[1:]), data.dtype)
    strides = [s // x.itemsize for s in x.strides]
    p = _library.struct.diagonal_product(
        rows=rows,
        columns=x.shape[0],
        count=count,
        length=length,
        n=1 if x.ndim == 1 else x.shape[1],
        row_stride=strides[0],
        column_stride=strides[-1],
    )
    if y.size:
        _multiply[offsets.dtype, data.dtype](
            data=_core.ascontiguousarray(data),
            offsets=offsets,
            x=x,
            y=y,
            p=p,
            all=y.size,
        )
    return y


def of_coo(A):
    """The diagonals of a coo array."""
    if A.ndim != 2:
        raise ValueError(f"Cannot convert. DIA must be 2D. Got {A.ndim}D")
    if not A.has_canonical_format:
        A = A.copy()
        A.sum_duplicates()
    (row, col), (rows, columns) = A.coords, A.shape
    cls = A._class_of("dia")
    if A.nnz == 0:
        return cls._of(
            _core.zeros((0, 0), A.dtype, device=A.device),
            _core.zeros(0, fitting_index_dtype(rows, columns), device=A.device),
            A.shape,
        )
    # Which diagonals there are, numbered from the one at the lower left.
    place = col.astype(np.int64) - row + (rows - 1)
    there = _core.zeros(rows + columns - 1, bool, device=A.device)
    there[place] = True
    number = there.cumsum() - 1
    found = _core.flatnonzero(there)
    count, length = found.size, int(col.max()) + 1
    if count > _MANY:
        warn_inefficient(
            f"Constructing a DIA matrix with {count} diagonals is inefficient"
        )
    data = _core.zeros((count, length), A.dtype, device=A.device)
    data.reshape(-1)[number[place] * length + col] = A.data
    offsets = (found - (rows - 1)).astype(fitting_index_dtype(rows, columns))
    return cls._of(data, offsets, A.shape)


class _dia_base(WithData):
    _format = "dia"

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        super().__init__(arg1, maxprint=maxprint)
        if dtype is not None:
            dtype = value_dtype(dtype)
        if issparse(arg1):
            self._take(arg1.todia(copy=copy))
        elif is_scipy(arg1):
            self._read_scipy(arg1, dtype)
        elif isinstance(arg1, tuple):
            self._read_tuple(arg1, shape, dtype, copy)
        else:
            x = dense_of(arg1, type(self))
            if isinstance(self, sparray) and x.ndim != 2:
                raise ValueError(f"DIA arrays don't support {x.ndim}D input. Use 2D")
            self._take(self._class_of("coo")(x, dtype=dtype, shape=shape).todia())
        if dtype is not None:
            self.data = self.data.astype(dtype, copy=False)

    # ---- construction --------------------------------------------------------------

    @classmethod
    def _of(cls, data, offsets, shape, numbers=None):
        """Of arrays that are known to be right; `numbers`: the offsets on the host."""
        self = cls.__new__(cls)
        self.data, self.offsets, self._shape = data, offsets, tuple(shape)
        self._numbers = numbers
        return self

    def _take(self, other):
        self.data, self.offsets = other.data, other.offsets
        self._numbers, self._shape = other._numbers, other._shape

    @property
    def offsets(self):
        """How far each diagonal is above the main one."""
        return self._offsets

    @offsets.setter
    def offsets(self, offsets):
        self._offsets, self._numbers = offsets, None

    def _on_host(self):
        """The offsets as an array of the host, which a device is asked for once."""
        if self._numbers is None:
            self._numbers = self._offsets.get().astype(np.int64)
        return self._numbers

    def _read_scipy(self, x, dtype):
        value_dtype(dtype, x)
        x = x.todia()
        self._shape = tuple(x.shape)
        self.data = values_array(x.data, dtype)
        self.offsets = as_index_array(x.offsets, fitting_index_dtype(*x.shape))
        self._numbers = np.array(x.offsets, np.int64)

    def _read_tuple(self, arg1, shape, dtype, copy):
        if is_shape(arg1, self._allow_nd):
            self._shape = read_shape((arg1,), self._allow_nd)
            self.data = _core.zeros((0, 0), value_dtype(dtype, default=np.float64))
            self.offsets = _core.zeros(0, fitting_index_dtype(*self._shape))
            return
        try:
            data, offsets = arg1
        except (TypeError, ValueError) as e:
            raise ValueError(
                f"unrecognized form for {type(self).__name__} constructor"
            ) from e
        if shape is None:
            raise ValueError("expected a shape argument")
        self._shape = read_shape((shape,), self._allow_nd)
        device = next((x.device for x in (data, offsets) if is_dense(x)), None)
        self.data = values_array(data, dtype, device, copy)
        if self.data.ndim < 2:
            self.data = self.data.reshape(1, -1)
        index = fitting_index_dtype(*self._shape)
        host = None if is_dense(offsets) else np.atleast_1d(offsets)
        made = as_index_array(offsets, index, device, copy)
        self.offsets = made.reshape(1) if made.ndim == 0 else made
        if host is not None:
            self._numbers = host.astype(np.int64)
        self._check()

    def _check(self):
        if self.offsets.ndim != 1:
            raise ValueError("offsets array must have rank 1")
        if self.data.ndim != 2:
            raise ValueError("data array must have rank 2")
        if self.data.shape[0] != self.offsets.size:
            raise ValueError(
                f"number of diagonals ({self.data.shape[0]}) does not match the number "
                f"of offsets ({self.offsets.size})"
            )
        if len(np.unique(self._on_host())) != self.offsets.size:
            raise ValueError("offset array contains duplicate values")

    def _with_data(self, data, copy=True):
        offsets = self.offsets.copy() if copy else self.offsets
        return self._of(data, offsets, self._shape, self._numbers)

    def _deduped_data(self):
        return self.data

    def get(self, stream=None):
        cls = self._scipy_class()
        return cls((self.data.get(stream), self.offsets.get(stream)), shape=self._shape)

    def __repr__(self):
        head, tail = super().__repr__().split(" stored elements", 1)
        return f"{head} stored elements ({self.data.shape[0]} diagonals){tail}"

    # ---- elements ------------------------------------------------------------------

    def _mask(self):
        """Which numbers in store are elements of the matrix."""
        rows, columns = self._shape
        j = _core.arange(self.data.shape[1], device=self.device)
        row = j - self.offsets.reshape(-1, 1)
        return (row >= 0) & (row < rows) & (j < columns)

    def _stored(self):
        zero = _core.zeros((), self.dtype, device=self.device)
        return _core.where(self._mask(), self.data, zero)

    def _getnnz(self, axis=None):
        if axis is not None:
            raise NotImplementedError(
                "_getnnz over an axis is not implemented for DIA format"
            )
        rows, columns = self._shape
        offsets = self._on_host()
        end = np.minimum(rows + offsets, min(self.data.shape[1], columns))
        return int(np.maximum(end - np.maximum(offsets, 0), 0).sum())

    def count_nonzero(self, axis=None):
        if axis is not None:
            raise NotImplementedError(
                "count_nonzero over an axis is not implemented for DIA format"
            )
        return _core.count_nonzero(self._stored())

    def diagonal(self, k=0):
        rows, columns = self._shape
        if k <= -rows or k >= columns:
            return _core.empty(0, self.dtype, device=self.device)
        first, last = max(0, k), min(rows + k, columns)
        out = _core.zeros(last - first, self.dtype, device=self.device)
        (found,) = np.nonzero(self._on_host() == k)
        if found.size:
            part = self.data[int(found[0]), first:last]
            out[: part.size] = part
        return out

    def _setdiag(self, values, k):
        rows, columns = self._shape
        n = min(rows + min(k, 0), columns - max(k, 0))
        if values.ndim:
            n = min(n, len(values))
            values = values[:n]
        first = max(k, 0)
        count, length = self.data.shape
        (found,) = np.nonzero(self._on_host() == k)
        shape = (count + (found.size == 0), max(length, first + n))
        if shape != self.data.shape:
            data = _core.zeros(shape, self.dtype, device=self.device)
            data[:count, :length] = self.data
            self.data = data
        at = int(found[0]) if found.size else count
        if not found.size:
            numbers = np.append(self._on_host(), k)
            new = _core.array(np.array([k], self.offsets.dtype), device=self.device)
            self.offsets = _core.concatenate([self.offsets, new])
            self._numbers = numbers
        self.data[at, first : first + n] = values.astype(self.dtype, copy=False)

    # ---- formats and shapes --------------------------------------------------------

    def todia(self, copy=False):
        return self.copy() if copy else self

    def tocsr(self, copy=False):
        cls = self._class_of("csr")
        if 0 in self._shape or self.offsets.size == 0:
            with self.device:
                return cls(self._shape, dtype=self.dtype)
        numbers = self._on_host()
        sorted = bool((numbers[1:] > numbers[:-1]).all())
        index = fitting_index_dtype(self._getnnz(), *self._shape)
        offsets = self.offsets.astype(index, copy=False)
        order = None if sorted else offsets
        arrays = _compressed(self.data, offsets, order, self._shape)
        return cls._of(arrays, self._shape, canonical=True)

    def transpose(self, axes=None, copy=False):
        self._check_axes(axes)
        rows, columns = self._shape
        data = _aligned(self.data, self.offsets, None, rows, columns, True)
        numbers = None if self._numbers is None else -self._numbers
        return self._of(data, -self.offsets, (columns, rows), numbers)

    def resize(self, *shape):
        shape = read_shape(shape, self._allow_nd)
        rows = self._shape[0]
        self.data = self.data[:, : shape[1]]
        if shape[0] > rows:  # what was below the last row
            j = _core.arange(self.data.shape[1], device=self.device)
            zero = _core.zeros((), self.dtype, device=self.device)
            hidden = j - self.offsets.reshape(-1, 1) >= rows
            self.data = _core.where(hidden, zero, self.data)
        self._shape = shape

    # ---- with another operand ------------------------------------------------------

    def _sum_with(self, other, what, name, dense):
        if not isinstance(other, _dia_base) or other._shape != self._shape:
            return super()._sum_with(other, what, name, dense)
        mine, its = self._on_host(), other._on_host()
        if np.array_equal(mine, its) and self.data.shape == other.data.shape:
            return self._with_data(dense(self.data, other.data))
        numbers = np.union1d(mine, its)
        length = max(self.data.shape[1], other.data.shape[1])
        a = self._spread(numbers, length, self.offsets)
        b = other._spread(numbers, length, other.offsets)
        offsets = _core.array(numbers.astype(self.offsets.dtype), device=self.device)
        return self._of(dense(a, b), offsets, self._shape, numbers)

    def _spread(self, numbers, length, like):
        """The diagonals among those of `numbers`."""
        data = _core.zeros((numbers.size, length), self.dtype, device=self.device)
        if self.data.size:
            at = np.searchsorted(numbers, self._on_host())
            at = _core.array(at, device=self.device)
            data[at, : self.data.shape[1]] = self.data
        return data

    def multiply(self, other):
        if is_scalar(other):
            return self._mul_scalar(scalar_of(other))
        if isinstance(other, _dia_base) and other._shape == self._shape:
            return self._multiply_diagonals(other)
        if is_dense(other) and other.ndim < 3 and 0 not in other.shape:
            shape = (1,) * (2 - other.ndim) + other.shape
            fits = shape[0] in (1, self._shape[0]) and shape[1] in (1, self._shape[1])
            if fits and min(self._shape) > 1:
                return self._multiply_dense(other.reshape(shape))
        return super().multiply(other)

    def _multiply_diagonals(self, other):
        numbers, mine, its = np.intersect1d(
            self._on_host(), other._on_host(), True, return_indices=True
        )
        length = min(self.data.shape[1], other.data.shape[1])
        mine, its = (_core.array(x, device=self.device) for x in (mine, its))
        data = self.data[mine, :length] * other.data[its, :length]
        offsets = _core.array(numbers.astype(self.offsets.dtype), device=self.device)
        return self._of(data, offsets, self._shape, numbers)

    def _multiply_dense(self, other):
        rows, columns = self._shape
        data = self.data[:, :columns]
        j = _core.arange(data.shape[1], device=self.device)
        i = (j - self.offsets.reshape(-1, 1)) % rows
        other = _core.broadcast_to(other, self._shape)
        return self._with_data(data * other[i, _core.broadcast_to(j, i.shape)])

    def _matmul_vector(self, other):
        return self._matmul_multivector(other)

    def _matmul_multivector(self, other):
        dtype = _core.result_type(self.dtype, other.dtype)
        data, x = (a.astype(dtype, copy=False) for a in (self.data, other))
        return _product(data, self.offsets, x, self._shape[0])

    def _matmul_sparse(self, other):
        product = super()._matmul_sparse(other)
        return product.todia() if isinstance(other, _dia_base) else product


@container
class dia_array(_dia_base, sparray):
    """Sparse array of diagonals.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; or `(data, offsets)`: ``data[d, j]`` is the element in column `j`
        of the diagonal that is ``offsets[d]`` above the main one.
    shape : tuple of int, optional
        Given with `(data, offsets)`.
    dtype : dtype, optional
        Of the elements: bool, integers, float16, float32, float64, complex64 or
        complex128.
    copy : bool
        Whether arrays are copied that could be taken as they are.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> data = cupric.array([[1, 2, 3], [4, 5, 6]])
    >>> A = cupricx.scipy.sparse.dia_array((data, [0, 1]), shape=(3, 3))
    >>> A.toarray()
    array([[1, 5, 0],
           [0, 2, 6],
           [0, 0, 3]])
    """


@container
class dia_matrix(spmatrix, _dia_base):
    """Sparse matrix of diagonals, of which `*` is the product of matrices.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; or `(data, offsets)`: ``data[d, j]`` is the element in column `j`
        of the diagonal that is ``offsets[d]`` above the main one.
    shape : tuple of int, optional
        Given with `(data, offsets)`.
    dtype : dtype, optional
        Of the elements: bool, integers, float16, float32, float64, complex64 or
        complex128.
    copy : bool
        Whether arrays are copied that could be taken as they are.
    maxprint : int, optional
        How many elements `print` shows.

    Examples
    --------
    >>> A = cupricx.scipy.sparse.dia_matrix(cupric.eye(2))
    >>> A * cupric.array([3, 4])
    array([3., 4.])
    """


def isspmatrix_dia(x):
    """Whether this is a `dia_matrix`.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix_dia(sparse.dia_matrix((2, 2)))
    True
    """
    return isinstance(x, dia_matrix)
