"""What csr and csc share: rows, or columns, one after the other.

The *major* axis is that of `indptr`, rows of csr and columns of csc, and `_swap` takes
a pair (row, column) to (major, minor) and back.
"""

import numpy as np

from cupric import _core
from cupricx.scipy.sparse import (
    _conversions,
    _merges,
    _products,
    _reductions,
    _sparse_products,
)
from cupricx.scipy.sparse._data import WithData
from cupricx.scipy.sparse._extremes import Extremes
from cupricx.scipy.sparse._indexing import IndexMixin
from cupricx.scipy.sparse._kinds import issparse, sparray
from cupricx.scipy.sparse._reading import (
    dense_of,
    from_scipy,
    is_scipy,
    values_array,
)
from cupricx.scipy.sparse._types import (
    broadcast_shape,
    canonical_axes,
    fitting_index_dtype,
    get_index_dtype,
    index_arrays,
    is_dense,
    is_shape,
    read_shape,
    upcast,
    value_dtype,
)

__all__ = ["Compressed"]


class Compressed(IndexMixin, WithData, Extremes):
    """The base of csr and csc."""

    indices = None  # the minor index of each stored element
    indptr = None  # where the elements of each row, or column, begin
    _kept = None  # by transposed products

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        super().__init__(arg1, maxprint=maxprint)
        if dtype is not None:
            dtype = value_dtype(dtype)
        if issparse(arg1):
            self._take(arg1.asformat(self.format), copy and arg1.format == self.format)
        elif is_scipy(arg1):
            self._take(from_scipy(arg1, self._class_of, self.format, dtype), False)
        elif isinstance(arg1, tuple):
            self._read_tuple(arg1, shape, dtype, copy)
        else:
            self._read_dense(arg1, dtype)
        if shape is not None:
            self._check_shape(read_shape((shape,), self._allow_nd))
        if dtype is not None:
            self.data = self.data.astype(dtype, copy=False)

    # ---- construction --------------------------------------------------------------

    @classmethod
    def _of(cls, arrays, shape, sorted=None, canonical=None):
        """Of arrays `(indptr, indices, data)` that are known to be right.

        `sorted` and `canonical` say what is known of the order of indices.
        """
        self = cls.__new__(cls)
        self.indptr, self.indices, self.data = arrays
        self._shape = tuple(shape)
        self._know(sorted, canonical)
        return self

    def _know(self, sorted=None, canonical=None):
        """Keep what is known of the order of indices; None where it is to be found."""
        self._has_sorted_indices = True if canonical else sorted
        self._has_canonical_format = False if sorted is False else canonical

    @property
    def _triple(self):
        return self.indptr, self.indices, self.data

    @property
    def _majors(self):
        return self.indptr.size - 1

    @property
    def _minors(self):
        return self._swap(self._shape_as_2d)[1]

    def _take(self, other, copy):
        """Become another one of this format."""
        arrays = [x.copy() for x in other._triple] if copy else other._triple
        self.indptr, self.indices, self.data = arrays
        self._shape = other._shape
        self._know(other._has_sorted_indices, other._has_canonical_format)

    def _read_tuple(self, arg1, shape, dtype, copy):
        if is_shape(arg1, self._allow_nd):
            self._shape = read_shape((arg1,), self._allow_nd)
            n = self._swap(self._shape_as_2d)[0]
            index = fitting_index_dtype(*self._shape)
            self.indptr = _core.zeros(n + 1, index)
            self.indices = _core.empty(0, index)
            self.data = _core.empty(0, value_dtype(dtype, default=np.float64))
            self._know(canonical=True)
        elif len(arg1) == 2:
            coo = self._class_of("coo")(arg1, shape=shape, dtype=dtype)
            self._take(coo.asformat(self.format), False)
        elif len(arg1) == 3:
            self._read_arrays(arg1, shape, dtype, copy)
        else:
            raise ValueError(f"unrecognized {type(self).__name__} constructor input")

    def _read_arrays(self, arrays, shape, dtype, copy):
        """Of `(data, indices, indptr)`."""
        data, indices, indptr = arrays
        on_device = [x for x in arrays if is_dense(x)]
        device = on_device[0].device if on_device else None
        longest = max(shape) if shape is not None and 0 not in shape else None
        ends = None if is_dense(indptr) else np.asarray(indptr)
        self.indices, self.indptr = index_arrays(
            (indices, indptr), longest, not isinstance(self, sparray), device, copy
        )
        self.data = values_array(data, dtype, device, copy)
        self._check_vectors()
        self._know()
        if shape is None:
            self._infer_shape()
        else:
            self._shape = read_shape((shape,), self._allow_nd)
        self._check_ends(ends)

    def _infer_shape(self):
        if self.indptr.size == 0 or self.indices.size == 0:
            raise ValueError("unable to infer matrix dimensions")
        n = int(self.indices.max()) + 1
        shape = self._swap((self.indptr.size - 1, n))
        self._shape = read_shape((shape,), self._allow_nd)

    def _check_shape(self, shape):
        """Take a shape that is given besides what this is made of."""
        if shape != self._shape:
            self._shape = shape
            self.check_format(full_check=True)

    def _read_dense(self, arg1, dtype):
        x = dense_of(arg1, type(self))
        if isinstance(self, sparray):
            if x.ndim not in self._allow_nd:
                raise ValueError(
                    f"{self.format.upper()} arrays don't support {x.ndim}D input"
                )
        elif x.ndim < 2:
            x = x.reshape(1, -1)
        elif x.ndim > 2:
            raise ValueError(f"expected a matrix, which has 2 axes, not {x.ndim}")
        self._shape = x.shape
        x = x.reshape(1, -1) if x.ndim == 1 else x
        x = x if self.format == "csr" else x.T
        self.indptr, self.indices, data = _conversions.from_dense(x)
        self.data = data if dtype is None else data.astype(dtype, copy=False)
        self._know(canonical=True)

    def check_format(self, full_check=True):
        """Raise an error where its arrays are none of this format.

        Parameters
        ----------
        full_check : bool
            Whether all indices are looked at, instead of sizes alone. Waits for the
            device.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.check_format()
        """
        self._check_vectors()
        self._check_ends()
        if not full_check or self.nnz == 0:
            return
        n = self._minors
        steps = (self.indptr[1:] - self.indptr[:-1]).min().reshape(1)
        ends = [f(self.indices).reshape(1) for f in (_core.max, _core.min)]
        most, least, step = _core.concatenate([*ends, steps]).tolist()
        if most >= n:
            raise ValueError(f"indices must be < {n}")
        if least < 0:
            raise ValueError("indices must be >= 0")
        if step < 0:
            raise ValueError("indptr must be a non-decreasing sequence")

    def _check_vectors(self):
        for x in self._triple:
            if x.ndim != 1:
                raise ValueError("data, indices, and indptr should be 1-D")

    def _check_ends(self, indptr=None):
        """Check what `indptr` says of the sizes, and drop what lies beyond its end.

        `indptr` is the array on the host where that is known.
        """
        n = self._swap(self._shape_as_2d)[0]
        if self.indptr.size != n + 1:
            raise ValueError(f"index pointer size {self.indptr.size} should be {n + 1}")
        if self.indices.size != self.data.size:
            raise ValueError("indices and data should have the same size")
        if indptr is None:
            indptr = _core.concatenate([self.indptr[:1], self.indptr[-1:]]).get()
        first, last = int(indptr[0]), int(indptr[-1])
        if first != 0:
            raise ValueError("index pointer should start with 0")
        if last > self.indices.size:
            raise ValueError(
                "Last value of index pointer should be less than the size of index and "
                "data arrays"
            )
        if last < self.indices.size:
            self.indices, self.data = self.indices[:last], self.data[:last]

    def _with_data(self, data, copy=True):
        arrays = self.indptr, self.indices
        if copy:
            arrays = [x.copy() for x in arrays]
        return self._of(
            (*arrays, data),
            self._shape,
            self._has_sorted_indices,
            self._has_canonical_format,
        )

    def _with_operated(self, f):
        """`f` of the stored elements, where f(0) = 0; without the zeros it makes."""
        A = self._with_data(f(self._deduped_data()))
        A.eliminate_zeros()
        return A

    def get(self, stream=None):
        cls = self._scipy_class()
        arrays = [x.get(stream) for x in (self.data, self.indices, self.indptr)]
        A = cls(tuple(arrays), shape=self._shape)
        for name in ("_has_sorted_indices", "_has_canonical_format"):
            if getattr(self, name) is not None:
                setattr(A, name, getattr(self, name))
        return A

    # ---- order ---------------------------------------------------------------------

    def _find_order(self):
        found = _conversions.order_of(self.indptr, self.indices, self._minors)
        self._has_sorted_indices, self._has_canonical_format = found

    @property
    def has_sorted_indices(self):
        """Whether indices of each row, or column of csc, are sorted."""
        if self._has_sorted_indices is None:
            self._find_order()
        return self._has_sorted_indices

    @has_sorted_indices.setter
    def has_sorted_indices(self, value):
        self._has_sorted_indices = bool(value)
        if not value:
            self._has_canonical_format = False

    @property
    def has_canonical_format(self):
        """Whether indices are sorted and no two elements share their place."""
        if self._has_sorted_indices is False:
            return False
        if self._has_canonical_format is None:
            self._find_order()
        return self._has_canonical_format

    @has_canonical_format.setter
    def has_canonical_format(self, value):
        self._has_canonical_format = bool(value)
        if value:
            self._has_sorted_indices = True

    def sort_indices(self):
        """Sort the indices of each row, or column of csc, in place.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(([1, 2], [1, 0], [0, 2]))
        >>> A.sort_indices()
        >>> A.indices, A.data
        (array([0, 1], dtype=int32), array([2, 1]))
        """
        if not self.has_sorted_indices:
            self.indices, self.data = _conversions.sort_indices(
                *self._triple, self._minors
            )
            self._know(sorted=True)

    def sorted_indices(self):
        """A copy of which the indices are sorted.

        Returns
        -------
        csr or csc array or matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_matrix(([1, 2], [1, 0], [0, 2]))
        >>> A.sorted_indices().indices
        array([0, 1], dtype=int32)
        """
        A = self.copy()
        A.sort_indices()
        return A

    def sum_duplicates(self):
        """Add up elements that share their place, and sort the indices, in place.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(([1, 2], [1, 1], [0, 2]))
        >>> A.sum_duplicates()
        >>> A.data
        array([3])
        """
        if self.has_canonical_format:
            return
        self.sort_indices()
        if not self.has_canonical_format:
            made = _conversions.sum_duplicates(*self._triple)
            self.indptr, self.indices, self.data = made
            self._know(canonical=True)

    def eliminate_zeros(self):
        """Drop stored elements that are zero, in place.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.data[0] = 0
        >>> A.eliminate_zeros()
        >>> A.nnz
        2
        """
        made = _conversions.eliminate_zeros(*self._triple)
        self.indptr, self.indices, self.data = made

    def prune(self):
        """Drop what arrays hold beyond the last element, in place.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.prune()
        """
        self._check_ends()

    # ---- shapes and formats --------------------------------------------------------

    def _getnnz(self, axis=None):
        if axis is None:
            return self.data.size
        return self._counts(axis, None)

    def count_nonzero(self, axis=None):
        self.sum_duplicates()
        if axis is None or (self.ndim == 1 and axis in (0, -1)):
            return _core.count_nonzero(self.data)
        return self._counts(axis, self.data != 0)

    def _counts(self, axis, mask):
        """How many elements, of those in `mask`, there are along an axis."""
        axes = canonical_axes(axis, self.ndim)
        if axes is None:
            return self.data.size
        if len(axes) != 1 or self.ndim != 2:
            raise ValueError("axis out of bounds")
        if self._swap((0, 1))[axes[0]] == 1:
            if mask is None:
                return self.indptr[1:] - self.indptr[:-1]
            return _reductions.count_major(self.indptr, mask)
        if mask is None:
            mask = _core.zeros(self.data.size, bool, device=self.device)
            mask.fill(True)
        indptr, indices, n = self.indptr, self.indices, self._minors
        return _reductions.count_minor(indptr, indices, mask, n)

    def tocoo(self, copy=True):
        if self.ndim == 1:
            coords = (self.indices,)
        else:
            major = _conversions.expand(self.indptr, self.indices.size)
            coords = self._swap((major, self.indices))
        data = self.data
        if copy:
            coords = tuple(c.copy() if c is self.indices else c for c in coords)
            data = data.copy()
        canonical = self.format == "csr" and self._has_canonical_format is True
        return self._class_of("coo")._of(data, coords, self._shape, canonical)

    def toarray(self, order=None, out=None):
        if out is None and order is None:
            order = self._swap("CF")[0]
        out = self._dense_target(order, out)
        rows = out.reshape(1, -1) if self.ndim == 1 else out
        target = rows if self.format == "csr" else rows.T
        _conversions.to_dense(*self._triple, target, self.has_canonical_format)
        return out

    def resize(self, *shape):
        shape = read_shape(shape, self._allow_nd)
        if self.ndim == 1 and len(shape) == 2:
            self._take(self.reshape(1, -1).tocsr(), False)
        new = self._swap(shape if len(shape) > 1 else (1, *shape))
        old = self._swap(self._shape_as_2d)
        if len(shape) == 1 and self.ndim == 2:
            raise ValueError(
                f"resize of a shape {self._shape} needs two lengths. Got {shape}"
            )
        if new[0] < old[0]:
            self.indptr = self.indptr[: new[0] + 1].copy()
            self._check_ends_after_resize(new)
        elif new[0] > old[0]:
            last = self.indptr[-1:]
            more = _core.broadcast_to(last, (new[0] - old[0],))
            self.indptr = _core.concatenate([self.indptr, more])
        self._shape = shape
        if new[1] < old[1]:
            kept = self.indices < new[1]
            before = _core.zeros(kept.size + 1, self.indptr.dtype, device=self.device)
            before[1:] = kept.cumsum()
            self.indptr = before[self.indptr]
            self.indices, self.data = self.indices[kept], self.data[kept]

    def _check_ends_after_resize(self, new):
        last = int(self.indptr[-1])
        self.indices, self.data = self.indices[:last], self.data[:last]

    def _other_compressed(self, format):
        """Itself in the other one of csr and csc."""
        n = self._minors
        index = get_index_dtype((self.indptr,), max(self.nnz, self._majors))
        if index != self.indptr.dtype:
            indptr, indices = (x.astype(index) for x in self._triple[:2])
            arrays = _conversions.transpose(indptr, indices, self.data, n)
        else:
            arrays = _conversions.transpose(*self._triple, n)
        canonical = True if self._has_canonical_format else None
        return self._class_of(format)._of(arrays, self._shape, True, canonical)

    def _transposed(self, format, copy):
        arrays = [x.copy() for x in self._triple] if copy else self._triple
        made = self._class_of(format)._of(
            arrays,
            self._shape[::-1],
            self._has_sorted_indices,
            self._has_canonical_format,
        )
        if not copy:
            if self._kept is None:
                self._kept = _products.KeptStructure()
            made._kept = self._kept
        return made

    # ---- with another operand ------------------------------------------------------

    def _alike(self, other):
        """Another sparse array in this format, both with indices of one dtype: the two
        triples."""
        other = other.asformat(self.format)
        index = np.result_type(self.indptr.dtype, other.indptr.dtype)
        return self._indexed(index), other._indexed(index)

    def _indexed(self, dtype):
        """The triple with indices of a dtype."""
        if self.indptr.dtype == dtype:
            return self._triple
        return self.indptr.astype(dtype), self.indices.astype(dtype), self.data

    def _binopt(self, other, name):
        """An operation of two sparse arrays of one shape, zero where both are."""
        other = other.asformat(self.format)
        a, b = self._alike(other)
        arrays = _merges.binary(
            name,
            a,
            b,
            self._minors,
            upcast(self.dtype, other.dtype),
            (self.has_canonical_format, other.has_canonical_format),
        )
        return self._of(arrays, self._shape, canonical=True)

    def _multiply_2d(self, other):
        if issparse(other):
            return self._multiply_sparse(other)
        shape = broadcast_shape(self._shape, other.shape)
        if other.ndim > 2:
            return self.toarray() * other
        if other.size == 1:
            return self._mul_scalar(other.reshape(())).reshape(shape)
        if self._shape in ((1,), (1, 1)):
            return (self.data.sum(dtype=self.dtype) * other).reshape(shape)
        return self.tocoo(copy=True)._multiply_dense(other)

    def _multiply_sparse(self, other):
        if self._shape == other.shape:
            return self._binopt(other, "multiply")
        shape = broadcast_shape(self._shape, other.shape)
        if other.shape in ((1,), (1, 1)):
            A = self._mul_scalar(other.toarray().reshape(()))
            return A.reshape(shape)
        if self._shape in ((1,), (1, 1)):
            return other._mul_scalar(self.toarray().reshape(())).reshape(shape)
        mine, its = self._shape_as_2d, other._shape_as_2d
        if mine[0] == 1 and its[1] == 1:
            return other._matmul_sparse(self.reshape(mine).tocsr())
        if mine[1] == 1 and its[0] == 1:
            return self._matmul_sparse(other.reshape(its).tocsr())
        # A row or a column: the pattern is that of the larger one.
        small, large = (other, self) if mine[-len(shape) :] == shape else (self, other)
        made = large.tocoo()._multiply_dense(small.toarray()).reshape(shape)
        # SciPy multiplies by a diagonal matrix: before it where it is of a column.
        if small._shape_as_2d[1] == 1:
            cls = self._class_of("csr")
        else:
            cls = large._class_of("csc" if large.format == "csc" else "csr")
        made = cls(made)
        made.eliminate_zeros()
        return made

    # ---- products ------------------------------------------------------------------

    def _structure(self, n):
        """Where elements are in the transpose."""
        if self._kept is None:
            self._kept = _products.KeptStructure()
        return self._kept.of(self.indptr, self.indices, n)

    def _matmul_vector(self, x):
        arrays, n = self._triple, self._minors
        if self.format == "csc":
            return _products.rmatvec(*arrays, x, n, self._structure(n))
        y = _products.matvec(*arrays, x, n)
        return y.reshape(()) if self.ndim == 1 else y

    def _matmul_multivector(self, X):
        arrays, n = self._triple, self._minors
        if self.format == "csc":
            return _products.rmatmat(*arrays, X, n, self._structure(n))
        Y = _products.matmat(*arrays, X, n)
        return Y.reshape(-1) if self.ndim == 1 else Y

    def _rmatmul_vector(self, x):
        """The product of the transpose."""
        return self.transpose()._matmul_vector(x)

    def _rmatmul_multivector(self, X):
        return self.transpose()._matmul_multivector(X)

    def _matmul_sparse(self, other):
        right = other.reshape(-1, 1) if other.ndim == 1 else other
        left = self.reshape(1, -1).tocsr() if self.ndim == 1 else self
        A, B = left._swap((left, right.asformat(left.format)))
        index = np.result_type(A.indptr.dtype, B.indptr.dtype)
        n = B._minors
        arrays = _sparse_products.sparse_matmat(A._indexed(index), B._indexed(index), n)
        shape = left._shape[0], right.shape[1]
        product = left._of(arrays, shape, canonical=True)
        final = (
            *(() if self.ndim == 1 else (shape[0],)),
            *(() if other.ndim == 1 else (shape[1],)),
        )
        if final == shape:
            return product
        if final == ():
            return product.toarray().reshape(())
        return product.reshape(final)

    # ---- reductions ----------------------------------------------------------------

    def _sum_along(self, axes, dtype):
        if self._swap((0, 1))[axes[0]] == 1:
            return _reductions.sum_major(self.indptr, self.data, dtype)
        structure = self._structure(self._minors)
        return _reductions.sum_minor(*self._triple, self._minors, dtype, structure)
