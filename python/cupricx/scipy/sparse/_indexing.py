"""Indexing and assignment of csr and csc, and by way of csr of coo."""

import warnings

import numpy as np

from cupric import _core
from cupricx.scipy.sparse import _assignments, _conversions, _selections
from cupricx.scipy.sparse._indices import (
    ascends,
    broadcast,
    check_asked_for,
    on_device,
    read_key,
)
from cupricx.scipy.sparse._kinds import (
    SparseEfficiencyWarning,
    issparse,
    sparray,
    warn_inefficient,
)
from cupricx.scipy.sparse._reading import is_scipy
from cupricx.scipy.sparse._searches import require_in_bounds
from cupricx.scipy.sparse._types import fitting_index_dtype, is_dense

__all__ = ["CooIndexMixin", "IndexMixin"]

_ALL = slice(None)


def _is_array(index):
    return not isinstance(index, (int, slice))


def _as_slice(index):
    return slice(index, index + 1) if isinstance(index, int) else index


def _is_column(i, j):
    """Whether indices mean rows by columns: those of rows are one column."""
    return i.ndim == 2 and i.shape[1] == 1 and (j.ndim == 1 or j.shape[0] == 1)


def _squeezed(shape):
    return [n for n in shape if n != 1]


def _repeated(r, c, values, n, axis):
    """The elements of one row, or column, for each of `n`."""
    times = values.size
    numbers = _core.arange(n, dtype=r.dtype, device=r.device).reshape(-1, 1)
    numbers = _core.broadcast_to(numbers, (n, times)).reshape(-1)
    r, c, values = (
        _core.broadcast_to(x, (n, times)).reshape(-1) for x in (r, c, values)
    )
    return (numbers, c, values) if axis == 0 else (r, numbers, values)


class _Region:
    """Where values are assigned to: arrays of rows and of columns, that broadcast.

    Attributes
    ----------
    arrays : list of numpy.ndarray or cupric.ndarray
    shape : tuple of int, of two axes
    in_order : bool
        Whether points, in C order, ascend.
    is_outer : bool
        Whether they are rows by columns.
    """

    def __init__(self, index, shape, device):
        self.device = device
        row, column = (
            self._array(i, n, axis)
            for axis, (i, n) in enumerate(zip(index, shape, strict=True))
        )
        if isinstance(index[1], slice) and row.ndim == 1:
            row = row[:, None]
        self.arrays = [row, column]
        shape = np.broadcast_shapes(row.shape, column.shape)
        self.shape = shape if len(shape) == 2 else (1, *shape)
        self.in_order = not any(
            _is_array(i) or (isinstance(i, slice) and (i.step or 1) < 0) for i in index
        )
        self.is_outer = _is_column(row, column) or 1 in (row.size, column.size)

    def _array(self, index, n, axis):
        if isinstance(index, int):
            return np.array([index], np.int64)
        if not isinstance(index, slice):
            return index
        made = _core.arange(*index.indices(n), dtype=np.int64, device=self.device)
        return made[:, None] if axis == 0 else made[None, :]

    def broadcast(self):
        """All points: their rows and their columns."""
        return broadcast(*self.arrays, self.device)

    def at(self, r, c):
        """The rows and columns of the points at (r, c) among them."""
        for x in self.arrays:
            x = on_device(x, self.device)
            x = x if x.ndim == 2 else x.reshape(1, -1)
            yield x[r if x.shape[0] > 1 else 0 * r, c if x.shape[1] > 1 else 0 * c]


class IndexMixin:
    """Indexing of compressed formats.

    Of an array of indices on a device it is found out whether one is out of bounds
    wherever the size of the result has to be waited for anyway, and IndexError raised.
    Values at points, ``A[i, j]`` with two arrays, are waited for with CUPRIC_CHECK=1
    alone; otherwise such indices wrap.
    """

    def __getitem__(self, key):
        index, shape = read_key(key, self._shape, self.format)
        if len(shape) > 2:
            raise IndexError(
                f"Indexing that leads to >2D is not supported by {self.format} format. "
                "Try converting to COO format"
            )
        if self.ndim == 1:
            return self._in_selected_shape(self._select_1d(index[0]), shape)
        return self._in_selected_shape(self._select(*index), shape)

    def _in_selected_shape(self, made, shape):
        """What was selected, of two axes or, dense, of one or none, in its shape."""
        if isinstance(self, sparray):
            if made.shape == shape:
                return made
            if len(shape) == 1 and issparse(made):
                return made._as_vector(shape)
            if made.ndim == 0 and self.ndim == 1:
                return type(self)(made.reshape(shape))
            return made.reshape(shape)
        if shape == () or (len(shape) == 1 and made.ndim):
            return made
        return made.reshape(shape if len(shape) == 2 else (1, *shape))

    def _as_vector(self, shape):
        """Itself, of one row or one column, as a coo array of one axis."""
        if self.ndim == 1 or 1 not in self._shape:
            return self.reshape(shape)
        if self._majors == 1:
            at = self.indices
        else:
            at = _conversions.expand(self.indptr, self.indices.size)
        known = self._has_canonical_format is True
        return self._class_of("coo")._of(self.data, (at,), shape, known)

    # ---- what is selected ----------------------------------------------------------

    def _select(self, row, column):
        if _is_array(row) and _is_array(column):
            return self._at_arrays(row, column)
        if isinstance(row, int) and isinstance(column, int):
            major, minor = self._swap((row, column))
            is_sorted = self._has_sorted_indices is True
            made = _selections.values_from(*self._triple, major, minor, 1, is_sorted)
            return made.reshape(())
        return self._product(row, column)

    def _product(self, row, column):
        """A copy of rows by columns."""
        major, minor = self._swap((row, column))
        if not self._is_whole(minor):
            return self._take_major(major, copy=False)._take_minor(minor)
        made = self._take_major(major)
        return self.copy() if made is self else made

    def _is_whole(self, minor):
        """Whether an index means the minor axis as it is."""
        n = self._minors
        return isinstance(minor, slice) and minor.indices(n) == (0, n, 1)

    def _at_arrays(self, row, column):
        """At the rows by the columns, or point by point."""
        if _is_column(row, column):
            return self._product(row, column)
        shape = np.broadcast_shapes(row.shape, column.shape)
        if 0 in shape:
            shape = shape if len(shape) == 2 else (1, *shape)
            return type(self)(shape, dtype=self.dtype)
        values = self._values_at(row, column)
        if values.ndim == 2:
            return type(self)(values)
        return values if isinstance(self, sparray) else values.reshape(1, -1)

    def _values_at(self, row, column):
        for i, n in zip((row, column), self._shape_as_2d, strict=True):
            check_asked_for(i, n)
        i, j = self._swap(broadcast(row, column, self.device))
        i, j = _core.ascontiguousarray(i), _core.ascontiguousarray(j)
        is_sorted = self._is_sorted_for(i.size)
        return _selections.points(*self._triple, self._minors, i, j, is_sorted)

    def _is_sorted_for(self, n):
        """Whether indices are sorted, if it is known, or if that many searches make it
        worth finding out."""
        if self._has_sorted_indices is None and 16 * n < self._majors:
            return False
        return self.has_sorted_indices

    def _derived(self, arrays, majors=None, minors=None, in_order=True):
        """Of the arrays that were selected; `in_order`: rows keep theirs."""
        shape = self._swap(self._shape_as_2d)
        shape = self._swap(
            (
                shape[0] if majors is None else majors,
                shape[1] if minors is None else minors,
            )
        )
        index = arrays[1].dtype
        if not isinstance(self, sparray) and index != np.int32:
            # Those of a matrix are as small as they can be.
            index = fitting_index_dtype(arrays[1].size, *shape)
            arrays = (*(x.astype(index, copy=False) for x in arrays[:2]), arrays[2])
        if not in_order:
            return self._of(arrays, shape)
        # Of a part, True holds as well, but False may not.
        return self._of(
            arrays,
            shape,
            self._has_sorted_indices or None,
            self._has_canonical_format or None,
        )

    def _take_major(self, index, copy=True):
        if _is_array(index):
            idx = on_device(index.ravel(), self.device)
            made = _selections.take_major(*self._triple, idx)
            return self._derived(made, majors=idx.size)
        where = _as_slice(index).indices(self._majors)
        if where == (0, self._majors, 1):
            return self
        made = _selections.slice_major(*self._triple, *where, copy)
        return self._derived(made, majors=len(range(*where)))

    def _take_minor(self, index):
        if _is_array(index):
            index = index.ravel()
            idx = on_device(index, self.device)
            made = _selections.take_minor(*self._triple, self._minors, idx)
            return self._derived(made, minors=idx.size, in_order=ascends(index))
        where = _as_slice(index).indices(self._minors)
        n = len(range(*where))
        made = _selections.slice_minor(*self._triple, self._minors, *where)
        return self._derived(made, minors=n, in_order=where[2] > 0 or n < 2)

    def _select_1d(self, index):
        if isinstance(index, int):
            is_sorted = self._has_sorted_indices is True
            made = _selections.values_from(*self._triple, 0, index, 1, is_sorted)
            return made.reshape(())
        if isinstance(index, slice):
            if self._is_whole(index):
                return self.copy()
            made = self._take_minor(index)
            made._shape = made._shape[1:]
            return made
        if index.size == 0:
            return type(self)(_core.empty(0, self.dtype, device=self.device))
        zeros = np.zeros(index.shape, np.int64)
        return type(self)(self._values_at(zeros, index))

    def _getrow(self, i):
        if self.ndim == 1:
            if i not in (0, -1):
                raise IndexError(f"index ({i}) out of range")
            return self.reshape((1, self._shape[0]), copy=True).tocsr()
        return self._get_line(int(i), 0).tocsr()

    def _getcol(self, i):
        if self.ndim == 1:
            raise ValueError("getcol not provided for 1d arrays. Use indexing A[j]")
        return self._get_line(int(i), 1)

    def _get_line(self, i, axis):
        n = self._shape[axis]
        if not -n <= i < n:
            raise IndexError(f"index ({i}) out of range")
        return self._product(*((i % n, _ALL) if axis == 0 else (_ALL, i % n)))

    def __iter__(self):
        if self.ndim == 1:
            yield from self.toarray()
            return
        A = self.tocsr()
        ends = A.indptr.tolist()
        for i in range(A._shape[0]):
            begin, end = ends[i : i + 2]
            arrays = (
                A.indptr[i : i + 2] - begin,
                A.indices[begin:end].copy(),
                A.data[begin:end].copy(),
            )
            row = A._derived(arrays, majors=1)
            yield row._as_vector(A._shape[1:]) if isinstance(A, sparray) else row

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
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.diagonal()
        array([1., 1.])
        """
        if self.ndim != 2:
            raise ValueError("diagonal requires two dimensions")
        k = self._swap((k, -k))[0]
        is_sorted = self._has_sorted_indices is True
        return _selections.diagonal(*self._triple, self._minors, k, is_sorted)

    # ---- assignment ----------------------------------------------------------------

    def __setitem__(self, key, x):
        index, _ = read_key(key, self._shape, self.format)
        if self.ndim == 1:
            index = [0, *index]
            x = x.reshape(1, -1) if issparse(x) and x.ndim == 1 else x
        if all(isinstance(i, int) for i in index):
            self._set_one(index, x)
            return
        region = _Region(index, self._shape_as_2d, self.device)
        if is_scipy(x):
            x = self._class_of("coo")(x)
        if not issparse(x):
            self._set_dense(region, x)
        elif 0 not in x.shape:
            self._set_sparse(region, x)

    def _set_one(self, index, x):
        if issparse(x) or is_scipy(x):
            x = x.toarray()
        x = self._values(x)
        if x.size != 1:
            raise ValueError("Trying to assign a sequence to an item")
        i, j = (
            on_device(np.array([k], np.int64), self.device) for k in self._swap(index)
        )
        self._assign(i, j, x.reshape(1), in_order=True)

    def _values(self, x):
        """Values as an array of the device, of the dtype that they are stored in."""
        if not is_dense(x):
            x = _core.array(np.asarray(x, dtype=self.dtype), device=self.device)
        return x.astype(self.dtype, copy=False)

    def _set_dense(self, region, x):
        x = self._values(x)
        i, j = region.broadcast()
        if _squeezed(x.shape) != _squeezed(i.shape):
            spread = _core.broadcast_to(x, i.shape)
            x = x if x.size == 1 else spread
        if i.size == 0 or x.size == 0:
            return
        x = x.reshape(1) if x.size == 1 else x.reshape(i.shape)
        if region.in_order and self.format == "csc":
            i, j, x = i.T, j.T, x.T
        i, j, x = (_core.ascontiguousarray(a).reshape(-1) for a in (i, j, x))
        self._assign(*self._swap((i, j)), x, in_order=region.in_order)

    def _set_sparse(self, region, x):
        """What the region has is set to zero, and then the elements of `x` are set."""
        x = x.tocoo(copy=True)
        x = x.reshape(1, -1) if x.ndim == 1 else x
        shape = region.shape
        if any(n != m and n != 1 for n, m in zip(x.shape, shape, strict=True)):
            raise ValueError("shape mismatch in assignment")
        x.sum_duplicates()
        self._clear(region)
        if x.nnz == 0:
            return
        r, c, values = x.row, x.col, x.data
        for axis in (0, 1):
            if x.shape[axis] == 1 != shape[axis]:
                r, c, values = _repeated(r, c, values, shape[axis], axis)
        i, j = region.at(r, c)
        self._assign(*self._swap((i, j)), self._values(values))

    def _clear(self, region):
        if self.nnz == 0 or 0 in region.shape:
            return
        if region.is_outer:
            self.sum_duplicates()
            flags = []
            for i, n in zip(region.arrays, self._shape_as_2d, strict=True):
                if is_dense(i):
                    require_in_bounds(i, n)
                marked = _core.zeros(n, bool, device=self.device)
                marked[on_device(i.reshape(-1), self.device)] = True
                flags.append(marked)
            _assignments.clear(*self._triple, *self._swap(flags))
            return
        i, j = (_core.ascontiguousarray(a).reshape(-1) for a in region.broadcast())
        zero = _core.zeros(1, self.dtype, device=self.device)
        self._assign(*self._swap((i, j)), zero, insert=False)

    def _assign(self, i, j, x, in_order=False, insert=None):
        """Set the values at (i[k], j[k]), major and minor indices. By default a warning
        comes before the first is inserted."""
        insert = self._warn_of_insertion if insert is None else insert
        order = {"in_order": in_order, "insert": insert}
        n, is_sorted = self._minors, self.has_sorted_indices
        try:
            made = _assignments.assign(*self._triple, n, i, j, x, is_sorted, **order)
        except _assignments.RepeatedElements:
            self.sum_duplicates()
            made = _assignments.assign(*self._triple, n, i, j, x, True, **order)
        self.indptr, self.indices, self.data = made

    def _warn_of_insertion(self):
        warn_inefficient(
            f"Changing the sparsity structure of a {type(self).__name__} is expensive. "
            "lil and dok are more efficient.",
            stacklevel=6,  # of the program's line, behind __setitem__
        )

    def _setdiag(self, values, k):
        if self.ndim == 1:
            raise NotImplementedError("diagonals cant be set in 1d arrays")
        rows, columns = self._shape
        first = max(-k, 0), max(k, 0)
        n = min(rows - first[0], columns - first[1])
        if values.ndim:
            n = min(n, len(values))
        if n <= 0:
            return
        values = values[:n] if values.ndim else values.reshape(1)
        i, j = (
            _core.arange(at, at + n, dtype=np.int64, device=self.device)
            for at in self._swap(first)
        )
        x = _core.ascontiguousarray(self._values(values))
        self._assign(i, j, x, in_order=True, insert=True)


class CooIndexMixin:
    """Indexing of coo arrays, of up to two axes by way of csr; with slices and ints of
    any number of axes."""

    def __getitem__(self, key):
        index, shape = read_key(key, self._shape, self.format)
        if self.ndim > 2:
            made = self._at_slices(index)
            return made.reshape(shape) if shape else made.data.sum(dtype=self.dtype)
        A = self.tocsr()
        made = A._select_1d(index[0]) if self.ndim == 1 else A._select(*index)
        if issparse(made):
            return made.tocoo().reshape(shape)
        return made if shape == () else type(self)(made.reshape(shape))

    def _at_slices(self, index):
        """With ints as slices of length 1."""
        coords, kept = list(self.coords), None
        lengths = []
        for axis, i in enumerate(index):
            if _is_array(i):
                raise NotImplementedError(
                    "arrays of indices are for sparse arrays of up to two axes, not of "
                    f"shape {self._shape}"
                )
            where = range(*_as_slice(i).indices(self._shape[axis]))
            lengths.append(len(where))
            if where == range(self._shape[axis]):
                continue
            c = coords[axis]
            first, last = sorted((where[0], where[-1])) if where else (1, 0)
            is_in = (c >= first) & (c <= last) & ((c - where.start) % where.step == 0)
            kept = is_in if kept is None else kept & is_in
            coords[axis] = (c - where.start) // where.step
        data = self.data.copy() if kept is None else self.data[kept]
        coords = [c.copy() if kept is None else c[kept] for c in coords]
        return self._of(data, coords, lengths)

    def __setitem__(self, key, x):
        if self.ndim > 2:
            raise NotImplementedError(
                "assignment is for sparse arrays of up to two axes, not of shape "
                f"{self._shape}"
            )
        index, shape = read_key(key, self._shape, self.format)
        is_sparse = issparse(x) or is_scipy(x)
        if is_sparse and x.shape == (1, *shape) and isinstance(index[0], slice):
            x = x.reshape(-1, 1)
        A = self.tocsr()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SparseEfficiencyWarning)
            A[key] = x
        self._take(A.tocoo(copy=False))
