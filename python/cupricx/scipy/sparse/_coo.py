"""Coordinates: any number of axes."""

import math

import numpy as np

from cupric import _core
from cupricx.scipy.sparse import _conversions, _reductions
from cupricx.scipy.sparse._data import WithData
from cupricx.scipy.sparse._extremes import Extremes
from cupricx.scipy.sparse._indexing import CooIndexMixin
from cupricx.scipy.sparse._kinds import container, issparse, sparray, spmatrix
from cupricx.scipy.sparse._reading import (
    dense_of,
    from_scipy,
    is_scipy,
    values_array,
)
from cupricx.scipy.sparse._types import (
    broadcast_shape,
    canonical_axes,
    extent_of,
    fitting_index_dtype,
    index_arrays,
    is_dense,
    is_scalar,
    is_shape,
    read_shape,
    reshaped,
    value_dtype,
)

__all__ = ["coo_array", "coo_matrix", "isspmatrix_coo"]


def _ravel(coords, shape, order="C"):
    """Places in an array of a shape as one number each, int64."""
    axes = range(len(shape)) if order == "C" else reversed(range(len(shape)))
    flat = None
    for a in axes:
        c = coords[a].astype(np.int64, copy=False)
        flat = c if flat is None else flat * shape[a] + c
    return flat


def _unravel(flat, shape, order, dtype):
    """The coordinates of places that are one number each."""
    axes = list(range(len(shape)))
    coords = [None] * len(shape)
    for a in axes[:0:-1] if order == "C" else axes[:-1]:
        coords[a] = flat % max(shape[a], 1)
        flat = flat // max(shape[a], 1)
    coords[0 if order == "C" else -1] = flat
    return tuple(c.astype(dtype, copy=False) for c in coords)


def _tiled(x, n):
    """An array `n` times, one after the other."""
    return _core.broadcast_to(x, (n, x.size)).reshape(-1)


def _each(n, times, like):
    """The numbers up to `n`, each several times."""
    numbers = _core.arange(n, dtype=like.dtype, device=like.device)
    return _core.broadcast_to(numbers.reshape(-1, 1), (n, times)).reshape(-1)


class _coo_base(WithData, Extremes):
    _format = "coo"
    _allow_nd = range(1, 65)

    coords = ()  # the indices of stored elements, an array for each axis
    has_canonical_format = False  # whether they are sorted, and no two the same

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        super().__init__(arg1, maxprint=maxprint)
        if dtype is not None:
            dtype = value_dtype(dtype)
        if isinstance(arg1, tuple):
            self._read_tuple(arg1, shape, dtype, copy)
        elif issparse(arg1):
            self._take(arg1.tocoo(copy=copy))
        elif is_scipy(arg1):
            self._take(from_scipy(arg1, self._class_of, "coo", dtype))
        else:
            self._read_dense(arg1, dtype)
        if shape is not None and read_shape((shape,), self._allow_nd) != self._shape:
            raise ValueError(f"inconsistent shapes: {shape} != {self._shape}")
        if dtype is not None:
            self.data = self.data.astype(dtype, copy=False)

    # ---- construction --------------------------------------------------------------

    @classmethod
    def _of(cls, data, coords, shape, canonical=False):
        """Of arrays that are known to be right."""
        self = cls.__new__(cls)
        self.data, self.coords = data, tuple(coords)
        self._shape = tuple(shape)
        self.has_canonical_format = canonical
        return self

    def _take(self, other):
        """Become another one of this format."""
        self.data, self.coords, self._shape = other.data, other.coords, other._shape
        self.has_canonical_format = other.has_canonical_format

    def _read_tuple(self, arg1, shape, dtype, copy):
        if is_shape(arg1, self._allow_nd):
            self._shape = read_shape((arg1,), self._allow_nd)
            index = self._index_dtype(self._shape)
            self.coords = tuple(_core.empty(0, index) for _ in self._shape)
            self.data = _core.empty(0, value_dtype(dtype, default=np.float64))
            self.has_canonical_format = True
            return
        try:
            data, coords = arg1
            coords = tuple(coords)
        except (TypeError, ValueError) as e:
            raise TypeError("invalid input format") from e
        if shape is not None:
            shape = read_shape((shape,), self._allow_nd)
        on_device = [x for x in (data, *coords) if is_dense(x)]
        device = on_device[0].device if on_device else None
        extents = self._extents(coords) if _sizes(coords) else None
        if shape is None:
            if extents is None:
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            shape = tuple(most + 1 for _, most in extents)
            shape = read_shape((shape,), self._allow_nd)
        self._shape = shape
        self._check_coords(coords, extents)
        index = self._index_dtype(shape)
        if extents is None or isinstance(self, spmatrix):
            # What is within a shape that fits in int32 does so, too.
            coords = [_as_dtype(c, index) for c in coords]
        self.coords = index_arrays(coords, max(shape), False, device, copy)
        if len(shape) > 2:
            self.coords = tuple(c.astype(np.int64, copy=False) for c in self.coords)
        self.data = values_array(data, dtype, device, copy)
        self.has_canonical_format = False
        self._getnnz()

    def _index_dtype(self, shape):
        """The dtype of indices that are made here."""
        return np.dtype(np.int64) if len(shape) > 2 else fitting_index_dtype(*shape)

    @staticmethod
    def _extents(coords):
        """The least and greatest index along each axis: of those on a device, with one
        wait for all."""
        on_device = [c for c in coords if is_dense(c)]
        ends = iter(extent_of(*on_device) if on_device else ())
        found = []
        for c in coords:
            if is_dense(c):
                found.append((next(ends), next(ends)))
            else:
                host = np.asarray(c)
                found.append((int(host.min()), int(host.max())))
        return found

    def _check_coords(self, coords, extents):
        if len(coords) != len(self._shape):
            raise ValueError(
                f"mismatching number of index arrays for shape; got {len(coords)}, "
                f"expected {len(self._shape)}"
            )
        for axis, (least, most) in enumerate(extents or ()):
            if most >= self._shape[axis]:
                raise ValueError(
                    f"axis {axis} index {most} exceeds matrix dimension "
                    f"{self._shape[axis]}"
                )
            if least < 0:
                raise ValueError(f"negative axis {axis} index: {least}")

    def _read_dense(self, arg1, dtype):
        x = dense_of(arg1, type(self))
        if isinstance(self, spmatrix):
            x = x.reshape(1, -1) if x.ndim < 2 else x
            if x.ndim != 2:
                raise TypeError(f"expected 2D array or matrix, not {x.ndim}D")
        self._shape = read_shape((x.shape,), self._allow_nd)
        index = self._index_dtype(self._shape)
        coords = x.nonzero()
        self.coords = tuple(c.astype(index, copy=False) for c in coords)
        data = x[coords]
        self.data = data if dtype is None else data.astype(dtype, copy=False)
        self.has_canonical_format = True

    def _with_data(self, data, copy=True):
        coords = [c.copy() for c in self.coords] if copy else self.coords
        return self._of(data, coords, self._shape, self.has_canonical_format)

    def get(self, stream=None):
        cls = self._scipy_class()
        coords = tuple(c.get(stream) for c in self.coords)
        A = cls((self.data.get(stream), coords), shape=self._shape)
        A.has_canonical_format = self.has_canonical_format
        return A

    # ---- attributes ----------------------------------------------------------------

    @property
    def row(self):
        """Indices of rows: along the last axis but one."""
        if self.ndim > 1:
            return self.coords[-2]
        return _core.zeros(self.col.shape, self.col.dtype, device=self.device)

    @row.setter
    def row(self, indices):
        if self.ndim < 2:
            raise ValueError("cannot set row attribute of a 1-dimensional sparse array")
        self.coords = (*self.coords[:-2], self._like(indices), self.coords[-1])

    @property
    def col(self):
        """Indices of columns: along the last axis."""
        return self.coords[-1]

    @col.setter
    def col(self, indices):
        self.coords = (*self.coords[:-1], self._like(indices))

    def _like(self, indices):
        dtype = self.coords[-1].dtype
        return index_arrays((indices,), None, False, self.device)[0].astype(dtype)

    def _getnnz(self, axis=None):
        if axis is None or (axis == 0 and self.ndim == 1):
            n = self.data.size
            if any(c.size != n for c in self.coords):
                raise ValueError(
                    "all index and data arrays must have the same length: "
                    f"{[c.size for c in self.coords]} indices, {n} values"
                )
            if self.data.ndim != 1 or any(c.ndim != 1 for c in self.coords):
                raise ValueError("coordinates and data arrays must be 1-D")
            return n
        return self._counts(axis, None)

    def count_nonzero(self, axis=None):
        self.sum_duplicates()
        if axis is None:
            return _core.count_nonzero(self.data)
        return self._counts(axis, self.data != 0)

    def _counts(self, axis, mask):
        axes = canonical_axes(axis, self.ndim)
        if axes is None or len(axes) != 1 or self.ndim != 2:
            raise ValueError("axis out of bounds")
        ones = _core.zeros(self.data.size, np.int64, device=self.device)
        ones += 1 if mask is None else mask
        other = 1 - axes[0]
        return _totals(self.coords[other], ones, self._shape[other], np.int64)

    # ---- shapes and formats --------------------------------------------------------

    def reshape(self, *shape, order="C", copy=False):
        new = reshaped(shape, self._shape, self._allow_nd)
        if order not in ("C", "F"):
            raise ValueError("'order' must be 'C' or 'F'")
        if new == self._shape:
            return self.copy() if copy else self
        flat = _ravel(self.coords, self._shape, order)
        index = np.result_type(self.coords[0].dtype, self._index_dtype(new))
        coords = _unravel(flat, new, order, index)
        data = self.data.copy() if copy else self.data
        canonical = self.has_canonical_format and order == "C"
        return self._of(data, coords, new, canonical)

    def resize(self, *shape):
        shape = read_shape(shape, self._allow_nd)
        if self.ndim > 2:
            raise ValueError("only 1-D or 2-D input accepted")
        if len(shape) > 2:
            raise ValueError("shape argument must be 1-D or 2-D")
        if len(shape) > self.ndim:
            self._take(self.reshape(1, -1) if shape[0] else self)
            flat = _ravel(self.coords, self._shape)
            kept = flat < math.prod(shape)
            self.coords = _unravel(flat[kept], shape, "C", self._index_dtype(shape))
            self.data, self._shape = self.data[kept], shape
            return
        if len(shape) < self.ndim:
            self._take(self.reshape(-1))
        if any(old > new for old, new in zip(self._shape, shape, strict=True)):
            kept = self.coords[0] < shape[0]
            for c, n in zip(self.coords[1:], shape[1:], strict=True):
                kept &= c < n
            self.coords = tuple(c[kept] for c in self.coords)
            self.data = self.data[kept]
        self._shape = shape

    def transpose(self, axes=None, copy=False):
        if axes is None:
            axes = range(self.ndim)[::-1]
        elif isinstance(self, spmatrix):
            self._check_axes(axes)
        else:
            if not hasattr(axes, "__len__") or len(axes) != self.ndim:
                raise ValueError("axes don't match matrix dimensions")
            axes = [self._axis(a) for a in axes]
            if len(set(axes)) != self.ndim:
                raise ValueError("repeated axis in transpose")
        axes = tuple(axes)
        coords = [self.coords[a] for a in axes]
        data = self.data
        if copy:
            coords, data = [c.copy() for c in coords], data.copy()
        canonical = self.has_canonical_format and axes == tuple(range(self.ndim))
        return self._of(data, coords, [self._shape[a] for a in axes], canonical)

    def _axis(self, a):
        if not -self.ndim <= a < self.ndim:
            raise ValueError(f"axis {a} is out of bounds for {self.ndim} dimensions")
        return a % self.ndim

    def tocoo(self, copy=False):
        return self.copy() if copy else self

    def tocsr(self, copy=False):
        if self.ndim > 2:
            raise ValueError(f"Cannot convert. CSR must be 1D or 2D. Got {self.ndim}D")
        return self._compress("csr")

    def tocsc(self, copy=False):
        if self.ndim != 2:
            raise ValueError(f"Cannot convert. CSC format must be 2D. Got {self.ndim}D")
        return self._compress("csc")

    def todia(self, copy=False):
        from cupricx.scipy.sparse._dia import of_coo

        return of_coo(self)

    def todok(self, copy=False):
        return self._class_of("dok")._taken(self)

    def _compress(self, format):
        """Itself in a compressed format, without duplicates."""
        cls = self._class_of(format)
        major, minor = cls._swap((self.row, self.col))
        n_major, n_minor = cls._swap(self._shape_as_2d)
        index = np.result_type(
            self.coords[0].dtype, fitting_index_dtype(self.data.size, n_minor)
        )
        arrays = _conversions.coo_to_canonical(
            major.astype(index, copy=False),
            minor.astype(index, copy=False),
            self.data,
            (n_major, n_minor),
            self.has_canonical_format and format == "csr",
        )
        return cls._of(arrays, self._shape, canonical=True)

    def toarray(self, order=None, out=None):
        out = self._dense_target(order, out)
        if self.ndim == 2:
            canonical = self.has_canonical_format
            return _conversions.coo_to_dense(self.coords, self.data, out, canonical)
        flat = _ravel(self.coords, self._shape)
        row = self._of(self.data, (flat,), (math.prod(self._shape),)).tocsr()
        if out.flags.c_contiguous:
            _conversions.to_dense(*row._triple, out.reshape(1, -1), True)
        else:
            out[...] = row.toarray().reshape(self._shape)
        return out

    # ---- elements ------------------------------------------------------------------

    def sum_duplicates(self):
        """Add up elements that share their place, and sort them, in place.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.coo_array(([1, 2], ([0, 0], [1, 1])))
        >>> A.sum_duplicates()
        >>> A.data
        array([3])
        """
        if self.has_canonical_format:
            return
        self.coords, self.data = _conversions.sum_coo(
            self.coords, self.data, self._shape
        )
        self.has_canonical_format = True

    def eliminate_zeros(self):
        """Drop stored elements that are zero, in place.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.coo_array(([0, 2], ([0, 0], [1, 0])))
        >>> A.eliminate_zeros()
        >>> A.nnz
        1
        """
        kept = self.data != 0
        self.coords = tuple(c[kept] for c in self.coords)
        self.data = self.data[kept]

    def diagonal(self, k=0):
        if self.ndim != 2:
            raise ValueError("diagonal requires two dimensions")
        rows, columns = self._shape
        if k <= -rows or k >= columns:
            return _core.empty(0, self.dtype, device=self.device)
        A = self
        if not A.has_canonical_format:
            A = A.copy()
            A.sum_duplicates()
        n = min(rows + min(k, 0), columns - max(k, 0))
        out = _core.zeros(n, self.dtype, device=self.device)
        there = A.row + k == A.col
        out[A.row[there] + min(k, 0)] = A.data[there]
        return out

    def _setdiag(self, values, k):
        if self.ndim != 2:
            raise ValueError("setting a diagonal requires two dimensions")
        rows, columns = self._shape
        n = min(rows + min(k, 0), columns - max(k, 0))
        if values.ndim:
            n = min(n, len(values))
        if n <= 0 or (values.ndim and values.size == 0):
            return
        row, col = self.coords
        kept = (col - row != k) | ((row if k > 0 else col) >= n)
        numbers = _core.arange(n, dtype=row.dtype, device=self.device)
        new = numbers + max(-k, 0), numbers + max(k, 0)
        values = values[:n] if values.ndim else values
        values = _core.broadcast_to(values.astype(self.dtype, copy=False), (n,))
        self.coords = tuple(
            _core.concatenate([c[kept], x])
            for c, x in zip(self.coords, new, strict=True)
        )
        self.data = _core.concatenate([self.data[kept], values])
        self.has_canonical_format = False

    def _multiply_dense(self, dense):
        """The product with a dense array, of at most two axes both."""
        shape = broadcast_shape(self._shape, dense.shape)
        if shape == self._shape:
            factors = _core.broadcast_to(dense, shape)[self.coords]
            return self._with_data(self.data * factors)
        A = self if self.ndim == 2 else self.reshape(1, -1)
        row, col, data = A.row, A.col, A.data
        if A._shape[0] != shape[0]:
            row = _each(shape[0], data.size, row)
            col, data = _tiled(col, shape[0]), _tiled(data, shape[0])
        if A._shape[1] != shape[1]:
            col = _tiled(
                _core.arange(shape[1], dtype=col.dtype, device=A.device), data.size
            )
            row, data = (
                _core.broadcast_to(x.reshape(-1, 1), (x.size, shape[1])).reshape(-1)
                for x in (row, data)
            )
        data = data * _core.broadcast_to(dense, shape)[row, col]
        return self._of(data, (row, col), shape)

    # ---- reductions and products ---------------------------------------------------

    def dot(self, other):
        if is_scalar(other) or not self._operand(other, "dot"):
            return super().dot(other)
        if (self.ndim < 3 and other.ndim < 3) or other.ndim < 2 or self.ndim < 2:
            return super().dot(other)
        # As of dense arrays: every matrix of one with every matrix of the other.
        n, k = self._shape[-1], other.shape[-2]
        if n != k:
            raise ValueError(
                f"shapes {self._shape} and {other.shape} are not aligned: {n} (dim "
                f"{self.ndim - 1}) != {k} (dim {other.ndim - 2})"
            )
        axes = other.ndim - 2, *range(other.ndim - 2), other.ndim - 1
        right = other.tocoo() if issparse(other) else other
        right = right.transpose(axes).reshape(k, -1)
        product = self.reshape(-1, n).tocsr() @ right
        product = product.tocoo() if issparse(product) else product
        return product.reshape(
            (*self._shape[:-1], *other.shape[:-2], *other.shape[-1:])
        )

    def _sum_along(self, axes, dtype):
        kept = [a for a in range(self.ndim) if a not in axes]
        shape = tuple(self._shape[a] for a in kept)
        flat = _ravel([self.coords[a] for a in kept], shape)
        return _totals(flat, self.data, math.prod(shape), dtype).reshape(shape)

    def _matmul_dispatch(self, other):
        if is_scalar(other) or not self._operand(other, "matmul"):
            return super()._matmul_dispatch(other)
        if isinstance(self, spmatrix) or (self.ndim < 3 and other.ndim < 3):
            return super()._matmul_dispatch(other)
        n, k = self._shape[-1], other.shape[-2 if other.ndim > 1 else 0]
        if n != k:
            raise ValueError(
                "matmul: dimension mismatch with signature "
                f"(n,..,k={n}),(k={k},..,m)->(n,..,m)"
            )
        return self._matmul_batches(other)

    def _rmatmul_dispatch(self, other):
        if is_scalar(other) or not self._operand(other, "matmul"):
            return super()._rmatmul_dispatch(other)
        if isinstance(self, spmatrix) or (self.ndim < 3 and other.ndim < 3):
            return super()._rmatmul_dispatch(other)
        product = _exchanged(self)._matmul_dispatch(_exchanged(other))
        if self.ndim == 1 or other.ndim == 1:
            return product
        return _exchanged(product)

    def _matmul_batches(self, other):
        """The products of matrices along the last two axes: one product of a block
        diagonal matrix with the matrices of the other operand below each other."""
        A = self if self.ndim > 1 else self.reshape(1, -1)
        vector = other.ndim == 1
        B = other.reshape(-1, 1) if vector else other
        try:
            batch = np.broadcast_shapes(A._shape[:-2], B.shape[:-2])
        except ValueError:
            raise ValueError("Batch dimensions are not broadcastable") from None
        (m, k), n, count = A._shape[-2:], B.shape[-1], math.prod(batch)
        A, place = A._to_batch(batch)
        blocks = self._of(
            A.data, (place * m + A.row, place * k + A.col), (count * m, count * k)
        )
        if issparse(B):
            B, place = B.tocoo()._to_batch(batch)
            B = self._of(B.data, (place * k + B.row, B.col), (count * k, n))
        else:
            B = _core.broadcast_to(B, (*batch, k, n)).reshape(-1, n)
        product = blocks.tocsr() @ B
        shape = (
            *batch,
            *(() if self.ndim == 1 else (m,)),
            *(() if vector else (n,)),
        )
        product = product.tocoo() if issparse(product) else product
        return product.reshape(shape)

    def _to_batch(self, batch):
        """Itself with its matrices repeated to a batch of a shape, and in which matrix
        of the batch an element is."""
        A = self
        own = (1,) * (len(batch) - (A.ndim - 2)) + A._shape[:-2]
        coords = [
            _core.zeros(A.data.size, np.int64, device=A.device)
            for _ in range(len(batch) - (A.ndim - 2))
        ]
        coords += [c.astype(np.int64, copy=False) for c in A.coords]
        data = A.data
        for axis, (n, wanted) in enumerate(zip(own, batch, strict=True)):
            if n == wanted:
                continue
            each = _each(wanted, data.size, coords[axis])
            coords = [_tiled(c, wanted) for c in coords]
            coords[axis] = each
            data = _tiled(data, wanted)
        place = _ravel(coords[: len(batch)], batch)
        shape = (*batch, *A._shape[-2:])
        return self._of(data, coords, shape), place


def _exchanged(x):
    """Its last two axes exchanged."""
    axes = tuple(range(x.ndim))
    return x.transpose((*axes[:-2], *axes[:-3:-1]))


def _sizes(coords):
    """The number of elements, by the first axis that has none."""
    return min((c.size if is_dense(c) else np.size(c) for c in coords), default=0)


def _as_dtype(c, dtype):
    return c.astype(dtype, copy=False) if is_dense(c) else np.asarray(c).astype(dtype)


def _totals(keys, data, n, dtype):
    """The sums of values of equal keys."""
    dtype = np.dtype(dtype)
    ends = _core.array(np.asarray([0, keys.size], keys.dtype), device=keys.device)
    return _reductions.sum_minor(ends, keys, data.astype(dtype, copy=False), n, dtype)


@container
class coo_array(CooIndexMixin, _coo_base, sparray):
    """Sparse array of coordinates, of any number of axes.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; or `(data, coords)`, with an array of indices for each axis.
        Elements that share their place add up.
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
    >>> A = cupricx.scipy.sparse.coo_array(([1, 2, 3], ([0, 0, 1], [1, 1, 0])))
    >>> A.toarray()
    array([[0, 3],
           [3, 0]])
    """


@container
class coo_matrix(spmatrix, _coo_base):
    """Sparse matrix of coordinates, of which `*` is the product of matrices.

    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; or `(data, (row, column))`. Elements that share their place add
        up.
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
    >>> A = cupricx.scipy.sparse.coo_matrix((cupric.ones(2), ([0, 1], [1, 0])))
    >>> (A * A).toarray()
    array([[1., 0.],
           [0., 1.]])
    """


def isspmatrix_coo(x):
    """Whether this is a `coo_matrix`.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix_coo(sparse.coo_matrix((2, 2)))
    True
    """
    return isinstance(x, coo_matrix)
