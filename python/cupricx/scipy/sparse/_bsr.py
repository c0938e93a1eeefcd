"""Compressed rows of dense blocks."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse import _conversions
from cupricx.scipy.sparse._compressed import Compressed
from cupricx.scipy.sparse._kinds import container, issparse, sparray, spmatrix
from cupricx.scipy.sparse._radix import WORDS, order_by_index
from cupricx.scipy.sparse._reading import dense_of, is_scipy, values_array
from cupricx.scipy.sparse._types import (
    fitting_index_dtype,
    index_arrays,
    is_dense,
    is_shape,
    read_shape,
    value_dtype,
)

__all__ = ["bsr_array", "bsr_matrix", "isspmatrix_bsr", "of_csr"]

_library = Library(__file__)

_FULL = 0.7  # of the elements of blocks: with fewer, larger blocks do not pay


def _example(xp):
    made = []
    for index in "il":
        indptr = xp.asarray(np.array([0, 2, 2, 5], index))
        indices = xp.asarray(np.array([1, 3, 0, 1, 3], index))
        for dtype in "?fdFDil" if index == "i" else "fdFDl":
            data = (xp.arange(5 * 2 * 3).reshape(5, 2, 3) * 7919 % 5).astype(dtype)
            made += _spread(indptr, indices, data)
            x = xp.ones((12, 3), dtype)
            made.append(_product(indptr, indices, data, x, 6))
            made.append(_product(indptr, indices, data, x[:, 0], 6))
    return made


_spread_blocks = _library.kernel(
    "spread_blocks<I, V>",
    elements="all",
    ships="iB iH iI iL iD lB lH lI lL lD",
    example=_example,
)
_multiply_blocks = _library.kernel(
    "multiply_blocks<I, T>",
    elements="all",
    ships="if id iF iD ii il i? lf ld lF lD ll",
    example=_example,
)


def _spread(indptr, indices, data):
    """The arrays of csr, zeros in blocks included."""
    n, height, width = data.shape
    with data.device:
        to = _core.empty(data.size, indices.dtype), _core.empty(data.size, data.dtype)
    if data.size:
        major = _conversions.expand(indptr, n)
        _spread_rows(indptr, major, indices, data, *to)
    counts = (indptr[1:] - indptr[:-1]) * width
    rows = _core.arange(height, dtype=indptr.dtype, device=indptr.device)
    starts = (indptr[:-1] * (height * width)).reshape(-1, 1)
    begins = _core.empty(counts.size * height + 1, indptr.dtype, device=indptr.device)
    begins[:-1] = (starts + rows * counts.reshape(-1, 1)).reshape(-1)
    begins[-1:] = data.size
    return begins, *to


@replayed
def _spread_rows(indptr, major, indices, data, indices_to, data_to):
    n, height, width = data.shape
    _spread_blocks[indptr.dtype, WORDS[data.itemsize]](
        indptr=indptr,
        major=major,
        indices=indices,
        data=data,
        indices_to=indices_to,
        data_to=data_to,
        p=_library.struct.block_sizes(
            block_rows=indptr.size - 1, n=n, height=height, width=width
        ),
        all=n * height,
    )


@replayed
def _product(indptr, indices, data, x, rows):
    """With x, of one axis or two, of the same dtype."""
    y = _core.empty((rows, *x.shape[1:]), data.dtype)
    strides = [s // x.itemsize for s in x.strides]
    if y.size:
        _multiply_blocks[indptr.dtype, data.dtype](
            indptr=indptr,
            indices=indices,
            data=_core.ascontiguousarray(data),
            x=x,
            y=y,
            p=_library.struct.block_product(
                rows=rows,
                height=data.shape[1],
                width=data.shape[2],
                columns=1 if x.ndim == 1 else x.shape[1],
                row_stride=strides[0],
                column_stride=strides[-1],
            ),
            all=y.size,
        )
    return y


# ---- from csr ------------------------------------------------------------------------


def _begins(major, minor):
    """Which pairs differ from the one before."""
    begins = _core.empty(major.size, bool, device=major.device)
    begins[:1] = True
    begins[1:] = (major[1:] != major[:-1]) | (minor[1:] != minor[:-1])
    return begins


class _Blocks:
    """The blocks that elements of a canonical csr array lie in.

    `row`, `column` and `place` are those of elements sorted by block: their rows,
    columns and places among the elements; `block` is the number of each one's block,
    and `n` that of blocks, which is waited for.
    """

    def __init__(self, A, height, width):
        indptr, indices, data = A._triple
        row = _conversions.expand(indptr, data.size)
        place = _core.arange(data.size, dtype=np.int64, device=data.device)
        major, minor = row // height, indices // width
        columns, rows = A.shape[1] // width, A.shape[0] // height
        minor, major, place = order_by_index(minor, major, place, max(columns, 1))
        major, minor, place = order_by_index(major, minor, place, max(rows, 1))
        self.major, self.minor, self.begins = major, minor, _begins(major, minor)
        self.row, self.column, self.place = row, indices, place
        self.block = self.begins.cumsum() - 1
        self.n = int(self.block[-1]) + 1 if data.size else 0


def _part_full(A, height, width):
    """The part of the blocks' elements that are stored; 0 where they do not fit."""
    if A.shape[0] % height or A.shape[1] % width:
        return 0.0
    n = _Blocks(A, height, width).n
    return A.nnz / (height * width * n) if n else 0.0


def _block_size(A):
    """The blocks in which a csr array is stored where none are asked for: large ones,
    where those are full enough."""
    if A.nnz == 0:
        return 1, 1
    two, three = _part_full(A, 2, 2), _part_full(A, 3, 3)
    most = (1 + _FULL) / 2
    if two > most and three > most:
        return (6, 6) if _part_full(A, 6, 6) > _FULL else (3, 3)
    if _part_full(A, 4, 4) > _FULL:
        return 4, 4
    return (3, 3) if three > _FULL else (2, 2) if two > _FULL else (1, 1)


def of_csr(A, blocksize=None):
    """The blocks of a csr array."""
    if A.ndim != 2:
        raise ValueError(f"Cannot convert. BSR must be 2D. Got {A.ndim}D")
    cls = A._class_of("bsr")
    if blocksize is None:
        blocksize = _block_size(_summed(A))
    height, width = _read_blocksize(blocksize)
    if A.shape[0] % height or A.shape[1] % width:
        raise ValueError(f"invalid blocksize {blocksize} for shape {A.shape}")
    if (height, width) == (1, 1):
        arrays = A.indptr, A.indices, A.data.reshape(-1, 1, 1)
        known = A._has_sorted_indices, A._has_canonical_format
        return cls._of(arrays, A.shape, *known)
    A = _summed(A)
    blocks = _Blocks(A, height, width)
    data = _core.zeros((blocks.n, height, width), A.dtype, device=A.device)
    place = blocks.place
    r, c = blocks.row[place] % height, blocks.column[place] % width
    data.reshape(-1)[(blocks.block * height + r) * width + c] = A.data[place]
    major, minor = blocks.major[blocks.begins], blocks.minor[blocks.begins]
    indptr = _conversions.compress(major, A.shape[0] // height)
    return cls._of((indptr, minor, data), A.shape, canonical=True)


def _summed(A):
    if A.has_canonical_format:
        return A
    A = A.copy()
    A.sum_duplicates()
    return A


def _read_blocksize(blocksize):
    blocksize = tuple(blocksize) if np.iterable(blocksize) else (blocksize,)
    if not is_shape(blocksize, (2,)) or min(blocksize) < 1:
        raise ValueError(f"invalid blocksize={blocksize}")
    return tuple(int(n) for n in blocksize)


class _bsr_base(Compressed):
    _format = "bsr"

    def __init__(
        self,
        arg1,
        shape=None,
        dtype=None,
        copy=False,
        blocksize=None,
        *,
        maxprint=None,
    ):
        super(Compressed, self).__init__(arg1, maxprint=maxprint)
        if dtype is not None:
            dtype = value_dtype(dtype)
        if issparse(arg1):
            self._take(arg1.tobsr(blocksize=blocksize), copy)
        elif is_scipy(arg1):
            self._read_scipy(arg1, dtype, blocksize)
        elif isinstance(arg1, tuple):
            self._read_tuple(arg1, shape, dtype, copy, blocksize)
        else:
            x = dense_of(arg1, type(self))
            if isinstance(self, sparray) and x.ndim != 2:
                raise ValueError(f"BSR arrays don't support {x.ndim}D input. Use 2D")
            A = self._class_of("csr")(x, dtype=dtype)
            self._take(A.tobsr(blocksize=blocksize), False)
        if shape is not None:
            self._shape = read_shape((shape,), self._allow_nd)
        if dtype is not None:
            self.data = self.data.astype(dtype, copy=False)
        self._check_ends()

    # ---- construction --------------------------------------------------------------

    @staticmethod
    def _swap(pair):
        return tuple(pair)

    @property
    def _minors(self):
        return self._shape[1] // self.blocksize[1]

    @property
    def blocksize(self):
        """Rows and columns of a block."""
        return self.data.shape[1:]

    def _read_scipy(self, x, dtype, blocksize):
        value_dtype(dtype, x)
        x = x.tobsr(blocksize=blocksize)
        self._shape = tuple(x.shape)
        self.data = values_array(x.data, dtype)
        self.indptr, self.indices = _core.array(x.indptr), _core.array(x.indices)
        self._know(
            getattr(x, "_has_sorted_indices", None),
            getattr(x, "_has_canonical_format", None),
        )

    def _read_tuple(self, arg1, shape, dtype, copy, blocksize):
        if is_shape(arg1, self._allow_nd):
            self._read_shape(arg1, dtype, blocksize or (1, 1))
        elif len(arg1) == 2:
            coo = self._class_of("coo")(arg1, shape=shape, dtype=dtype)
            self._take(coo.tobsr(blocksize=blocksize), False)
        elif len(arg1) == 3:
            self._read_arrays(arg1, shape, dtype, copy, blocksize)
        else:
            raise ValueError(f"unrecognized {type(self).__name__} constructor usage")

    def _read_shape(self, shape, dtype, blocksize):
        self._shape = read_shape((shape,), self._allow_nd)
        height, width = _read_blocksize(blocksize)
        if self._shape[0] % height or self._shape[1] % width:
            raise ValueError("shape must be multiple of blocksize")
        dtype = value_dtype(dtype, default=np.float64)
        index = fitting_index_dtype(*self._shape)
        self.data = _core.zeros((0, height, width), dtype)
        self.indices = _core.zeros(0, index)
        self.indptr = _core.zeros(self._shape[0] // height + 1, index)
        self._know(canonical=True)

    def _read_arrays(self, arrays, shape, dtype, copy, blocksize):
        """Of `(data, indices, indptr)`."""
        data, indices, indptr = arrays
        device = next((x.device for x in arrays if is_dense(x)), None)
        longest = 1 if shape is None else max(shape)
        self.indices, self.indptr = index_arrays(
            (indices, indptr), longest, not isinstance(self, sparray), device, copy
        )
        self.data = values_array(data, dtype, device, copy)
        if self.data.ndim != 3:
            raise ValueError(
                f"BSR data must be 3-dimensional, got shape={self.data.shape}"
            )
        if blocksize is not None:
            blocksize = _read_blocksize(blocksize)
            if blocksize != self.blocksize:
                raise ValueError(
                    f"mismatching blocksize={blocksize} vs {self.blocksize}"
                )
        self._know()
        if shape is None:
            if self.indices.size == 0:
                raise ValueError("unable to infer matrix dimensions")
            height, width = self.blocksize
            columns = (int(self.indices.max()) + 1) * width
            self._shape = (self.indptr.size - 1) * height, columns
        else:
            self._shape = read_shape((shape,), self._allow_nd)

    def _check_ends(self, indptr=None):
        for x in (self.indices, self.indptr):
            if x.ndim != 1:
                raise ValueError("indices, and indptr should be 1-D")
        if self.data.ndim != 3:
            raise ValueError("data should be 3-D")
        n = self._shape[0] // self.blocksize[0]
        if self.indptr.size != n + 1:
            raise ValueError(
                f"index pointer size ({self.indptr.size}) should be ({n + 1})"
            )
        if self.indices.size != len(self.data):
            raise ValueError("indices and data should have the same size")
        ends = _core.concatenate([self.indptr[:1], self.indptr[-1:]]).tolist()
        if ends[0] != 0:
            raise ValueError("index pointer should start with 0")
        if ends[1] > self.indices.size:
            raise ValueError(
                "Last value of index pointer should be less than the size of index and "
                "data arrays"
            )
        if ends[1] < self.indices.size:
            self.indices, self.data = self.indices[: ends[1]], self.data[: ends[1]]

    def check_format(self, full_check=True):
        """Raise an error where its arrays are none of this format.

        Parameters
        ----------
        full_check : bool
            Whether all indices are looked at, instead of sizes alone. Waits for the
            device.

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse import bsr_array
        >>> x = bsr_array(cp.eye(4), blocksize=(2, 2))
        >>> x.check_format()
        """
        self._check_ends()
        if not full_check or self.indices.size == 0:
            return
        n = self._minors
        if int(self.indices.max()) >= n:
            raise ValueError(f"column index values must be < {n}")
        if int(self.indices.min()) < 0:
            raise ValueError("column index values must be >= 0")
        if int((self.indptr[1:] - self.indptr[:-1]).min()) < 0:
            raise ValueError("index pointer values must form a non-decreasing sequence")

    def __repr__(self):
        head, tail = super().__repr__().split(" stored elements", 1)
        size = "x".join(map(str, self.blocksize))
        return f"{head} stored elements (blocksize={size}){tail}"

    # ---- order ---------------------------------------------------------------------

    def _places(self):
        return _core.arange(self.indices.size, dtype=np.int64, device=self.device)

    def sort_indices(self):
        """Sort the indices of each row of blocks, in place.

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse import bsr_array
        >>> data = cp.array([[[1.0]], [[2.0]]])
        >>> x = bsr_array((data, cp.array([1, 0]), cp.array([0, 2])))
        >>> x.sort_indices()
        >>> x.indices
        array([0, 1])
        """
        if not self.has_sorted_indices:
            self.indices, place = _conversions.sort_indices(
                self.indptr, self.indices, self._places()
            )
            self.data = self.data[place]
            self._know(sorted=True)

    def sum_duplicates(self):
        """Add up blocks that share their place, and sort the indices, in place.

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse import bsr_array
        >>> data = cp.array([[[1.0]], [[2.0]]])
        >>> x = bsr_array((data, cp.array([1, 1]), cp.array([0, 2])))
        >>> x.sum_duplicates()
        >>> x.data
        array([[[3.]]])
        """
        if self.has_canonical_format:
            return
        self.sort_indices()
        if self.has_canonical_format:
            return
        major = _conversions.expand(self.indptr, self.indices.size)
        starts = _core.flatnonzero(_begins(major, self.indices))
        sums = _core.add.reduceat(self.data, starts, axis=0)
        self.data = sums.astype(self.dtype, copy=False)
        self.indices = self.indices[starts]
        self.indptr = _conversions.compress(major[starts], self.indptr.size - 1)
        self._know(canonical=True)

    def eliminate_zeros(self):
        """Drop blocks of zeros, in place.

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse import bsr_array
        >>> data = cp.array([[[1.0]], [[0.0]]])
        >>> x = bsr_array((data, cp.array([0, 1]), cp.array([0, 2])))
        >>> x.eliminate_zeros()
        >>> x.nnz
        1
        """
        if not self.data.size:
            return
        there = (self.data != 0).reshape(len(self.data), -1).any(axis=1)
        place = _core.where(there, self._places() + 1, 0)
        self.indptr, self.indices, place = _conversions.eliminate_zeros(
            self.indptr, self.indices, place
        )
        if place.size < len(self.data):
            self.data = self.data[place - 1]

    # ---- elements ------------------------------------------------------------------

    def _getnnz(self, axis=None):
        if axis is not None:
            raise NotImplementedError(
                "_getnnz over an axis is not implemented for BSR format"
            )
        return self.data.size

    def count_nonzero(self, axis=None):
        if axis is not None:
            raise NotImplementedError(
                "count_nonzero over axis is not implemented for BSR format."
            )
        return _core.count_nonzero(self._deduped_data())

    def diagonal(self, k=0):
        return self.tocsr().diagonal(k)

    def _setdiag(self, values, k):
        csr = self.tocsr()
        csr._setdiag(values, k)
        self._take(csr.tobsr(blocksize=self.blocksize), False)

    def __getitem__(self, key):
        raise NotImplementedError("elements of bsr are not indexed: use tocsr()")

    def __setitem__(self, key, x):
        raise NotImplementedError("elements of bsr are not set: use tocsr()")

    # ---- formats and shapes --------------------------------------------------------

    def tobsr(self, blocksize=None, copy=False):
        if blocksize is not None and tuple(blocksize) != self.blocksize:
            return self.tocsr().tobsr(blocksize=blocksize)
        return self.copy() if copy else self

    def tocsr(self, copy=False):
        index = np.result_type(
            self.indptr.dtype, fitting_index_dtype(self.data.size, self._shape[1])
        )
        indptr, indices = (x.astype(index, copy=False) for x in self._triple[:2])
        data = _core.ascontiguousarray(self.data)
        cls = self._class_of("csr")
        known = self._has_sorted_indices, self._has_canonical_format
        return cls._of(_spread(indptr, indices, data), self._shape, *known)

    def tocsc(self, copy=False):
        return self.tocsr().tocsc()

    def tocoo(self, copy=True):
        return self.tocsr().tocoo(copy=False)

    def toarray(self, order=None, out=None):
        if out is None and order is None:
            order = "C"
        return self.tocsr().toarray(order=order, out=out)

    def transpose(self, axes=None, copy=False):
        self._check_axes(axes)
        n, height, width = self.data.shape
        word = WORDS.get(height * width * self.data.itemsize)
        if word and n:  # a block moves as one value
            blocks = _core.ascontiguousarray(self.data).reshape(n, -1).view(word)
            indptr, indices, blocks = _conversions.transpose(
                self.indptr, self.indices, blocks.reshape(n), self._minors
            )
            blocks = blocks.view(self.dtype).reshape(n, height, width)
        else:
            indptr, indices, place = _conversions.transpose(
                self.indptr, self.indices, self._places(), self._minors
            )
            blocks = self.data[place]
        blocks = _core.ascontiguousarray(blocks.transpose(0, 2, 1))
        arrays = indptr, indices, blocks
        canonical = True if self._has_canonical_format else None
        return self._of(arrays, self._shape[::-1], True, canonical)

    def resize(self, *shape):
        raise NotImplementedError("bsr_array.resize is not implemented")

    # ---- with another operand ------------------------------------------------------

    def _in_blocks(self, result, other):
        """The result of an operation of csr, in blocks as these."""
        if issparse(result) and issparse(other) and other.shape == self._shape:
            return result.tobsr(blocksize=self.blocksize)
        return result

    def _sum_with(self, other, what, name, dense):
        result = super()._sum_with(other, what, name, dense)
        return self._in_blocks(result, other)

    def multiply(self, other):
        return self._in_blocks(super().multiply(other), other)

    def _sum_along(self, axes, dtype):
        return self.tocsr()._sum_along(axes, dtype)

    def _matmul_vector(self, other):
        return self._matmul_multivector(other)

    def _matmul_multivector(self, other):
        dtype = _core.result_type(self.dtype, other.dtype)
        data, x = (a.astype(dtype, copy=False) for a in (self.data, other))
        return _product(self.indptr, self.indices, data, x, self._shape[0])

    def _matmul_sparse(self, other):
        width = other.blocksize[1] if other.format == "bsr" else 1
        product = self.tocsr()._matmul_sparse(other)
        return product.tobsr(blocksize=(self.blocksize[0], width))


_PARAMETERS = """
    Parameters
    ----------
    arg1 : array_like, sparse array, or tuple
        A dense array, of a device or the host; a sparse array in any format, SciPy's
        too; a shape; `(data, (row, column))`; or `(data, indices, indptr)`, of which
        the row `i` of blocks has ``data[k]`` in the columns ``indices[k]`` of blocks,
        for `k` from ``indptr[i]`` to ``indptr[i + 1] - 1``.
    shape : tuple of int, optional
        By default as small as the indices allow.
    dtype : dtype, optional
        Of the elements: bool, integers, float16, float32, float64, complex64 or
        complex128.
    copy : bool
        Whether arrays are copied that could be taken as they are.
    blocksize : (int, int), optional
        Rows and columns of a block, by which the shape is divisible; by default as
        large as keeps blocks full.
    maxprint : int, optional
        How many elements `print` shows.
"""


@container
class bsr_array(_bsr_base, sparray):
    __doc__ = f"""Sparse array of compressed rows of dense blocks.
{_PARAMETERS}
    Examples
    --------
    >>> A = cupricx.scipy.sparse.bsr_array(cupric.eye(4), blocksize=(2, 2))
    >>> A.indptr, A.indices, A.data.shape
    (array([0, 1, 2], dtype=int32), array([0, 1], dtype=int32), (2, 2, 2))
    """


@container
class bsr_matrix(spmatrix, _bsr_base):
    __doc__ = f"""Sparse matrix of compressed rows of dense blocks, of which `*` is the
    product of matrices.
{_PARAMETERS}
    Examples
    --------
    >>> A = cupricx.scipy.sparse.bsr_matrix(cupric.eye(4), blocksize=(2, 2))
    >>> A * cupric.array([1, 2, 3, 4])
    array([1., 2., 3., 4.])
    """


def isspmatrix_bsr(x):
    """Whether this is a `bsr_matrix`.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.isspmatrix_bsr(sparse.bsr_matrix((2, 2)))
    True
    """
    return isinstance(x, bsr_matrix)
