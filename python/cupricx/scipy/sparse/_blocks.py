"""Matrices below and beside each other."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library
from cupricx.scipy.sparse import _conversions
from cupricx.scipy.sparse._coo import coo_array
from cupricx.scipy.sparse._kinds import class_of, issparse, sparray
from cupricx.scipy.sparse._radix import WORDS
from cupricx.scipy.sparse._reading import dense_of
from cupricx.scipy.sparse._types import fitting_index_dtype, upcast, value_dtype

__all__ = [
    "block_array",
    "block_diag",
    "bmat",
    "hstack",
    "of_kind",
    "vstack",
]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import sparse

    made = []
    for index in "il":
        indptr = xp.arange(0, 42, 2, dtype=index)
        indices = (xp.arange(40) * 7 % 11).astype(index)
        for dtype in "?efdD":
            data = (xp.arange(40) % 5).astype(dtype)
            A = sparse.csr_array((data, indices, indptr), shape=(20, 11))
            wide = hstack([A, A])
            made += [wide.indptr, wide.indices, wide.data]
    return made


_place = _library.kernel(
    "place_elements<I, T>",
    elements="s.nnz",
    ships="iB iH iI iL iD lB lH lI lL lD",
    example=_example,
)


# ---- compressed ----------------------------------------------------------------------


def _stack(blocks, axis, dtype):
    """Blocks of one compressed format along an axis."""
    first = blocks[0]
    cls = class_of(first.format, any(isinstance(b, sparray) for b in blocks))
    major = cls._swap((0, 1))[axis] == 0
    triples, lengths, sizes = _alike(blocks, cls, axis)
    dtype = upcast(*(t[2].dtype for t in triples)) if dtype is None else dtype
    triples = [(*t[:2], t[2].astype(dtype, copy=False)) for t in triples]
    with first.device:
        if major:
            arrays = _below(triples)
        else:
            columns = np.cumsum([0, *sizes[:-1]])
            arrays = _beside(triples, [int(c) for c in columns])
    shape = [0, 0]
    shape[axis], shape[1 - axis] = sum(sizes), lengths[0]
    made = cls._of(arrays, shape, *_order_of(blocks))
    return made


def _alike(blocks, cls, axis):
    """The arrays of blocks, with indices that hold those of the whole; their lengths
    across the axis, and along it."""
    shapes = [b._shape_as_2d for b in blocks]
    lengths, sizes = [s[1 - axis] for s in shapes], [s[axis] for s in shapes]
    if len(set(lengths)) > 1:
        raise ValueError(
            f"Mismatching dimensions along axis {1 - axis}: {sorted(set(lengths))}"
        )
    nnz = sum(b.nnz for b in blocks)
    minor = cls._swap(shapes[0])[1] if cls._swap((0, 1))[axis] == 0 else sum(sizes)
    index = np.result_type(
        *(b.indptr.dtype for b in blocks), fitting_index_dtype(nnz, minor)
    )
    return [b._indexed(index) for b in blocks], lengths, sizes


def _order_of(blocks):
    """What is known of the order of the indices of all."""
    known = [(b._has_sorted_indices, b._has_canonical_format) for b in blocks]
    return [
        True if all(k is True for k in each) else None
        for each in zip(*known, strict=True)
    ]


def _below(triples):
    """Rows after rows."""
    before, parts = 0, [triples[0][0][:1]]
    for indptr, indices, _ in triples:
        parts.append(indptr[1:] + indptr.dtype.type(before))
        before += indices.size
    return (
        _core.concatenate(parts),
        _core.concatenate([t[1] for t in triples]),
        _core.concatenate([t[2] for t in triples]),
    )


def _beside(triples, columns):
    """Rows beside rows."""
    index, dtype = triples[0][0].dtype, triples[0][2].dtype
    nnz = sum(t[1].size for t in triples)
    indptr = triples[0][0]
    for t in triples[1:]:
        indptr = indptr + t[0]
    indices, data = _core.empty(nnz, index), _core.empty(nnz, dtype)
    starts = indptr[:-1]
    for (own, minor, values), column in zip(triples, columns, strict=True):
        if minor.size:
            _place[index, WORDS[dtype.itemsize]](
                **dict(indptr=own, rows=_conversions.expand(own, minor.size)),
                **dict(indices=minor, data=values, starts=starts),
                **dict(to_indices=indices, to_data=data),
                s=_library.struct.block_sizes(nnz=minor.size, column=column),
            )
        starts = starts + (own[1:] - own[:-1])
    return indptr, indices, data


# ---- of any format -------------------------------------------------------------------


def _read_blocks(blocks):
    """Rows of blocks, sparse or None; and whether one is a sparse array."""
    try:
        rows = [list(row) for row in blocks]
    except TypeError:
        raise ValueError("blocks must be 2-D") from None
    is_2d = rows and rows[0] and not isinstance(blocks, _core.ndarray)
    if not is_2d or any(issparse(row) or len(row) != len(rows[0]) for row in blocks):
        raise ValueError("blocks must be 2-D: rows of equally many blocks")
    is_array = any(isinstance(b, sparray) for row in rows for b in row)
    return rows, is_array


def _as_sparse(block):
    return block if block is None or issparse(block) else coo_array(block)


def _compressed_blocks(rows, format, dtype):
    """The whole of blocks that all have one compressed format, or None."""
    if format not in (None, "csr", "csc"):
        return None
    formats = {
        getattr(b, "format", None) if issparse(b) else None for r in rows for b in r
    }
    if len(formats) > 1 or not formats <= {"csr", "csc"}:
        return None
    own = formats.pop()
    if format not in (None, own):
        return None
    lines, axis = (rows, 1) if own == "csr" else (zip(*rows, strict=True), 0)
    # A strip of one block is that itself: the last step copies it.
    strips = [b[0] if len(b) == 1 else _stack(b, axis, dtype) for b in map(list, lines)]
    if len(strips) == 1 and len(rows) * len(rows[0]) > 1:
        return strips[0]
    return _stack(strips, 1 - axis, dtype)


def _lengths(rows):
    """The heights of the rows and the widths of the columns of blocks."""
    heights, widths = [0] * len(rows), [0] * len(rows[0])
    known = [False] * len(rows), [False] * len(rows[0])
    for i, row in enumerate(rows):
        for j, block in enumerate(row):
            if block is None:
                continue
            shape = block._shape_as_2d
            for axis, (sizes, at) in enumerate(((heights, i), (widths, j))):
                if known[axis][at] and sizes[at] != shape[axis]:
                    name, place = (("row", f"{i},:"), ("column", f":,{j}"))[axis]
                    raise ValueError(
                        f"blocks[{place}] has incompatible {name} dimensions. Got "
                        f"blocks[{i},{j}].shape[{axis}] == {shape[axis]}, expected "
                        f"{sizes[at]}."
                    )
                sizes[at], known[axis][at] = shape[axis], True
    return heights, widths


def _assembled(placed, shape, dtype):
    """A coo array of (block, its first row, its first column)."""
    if not placed:
        return coo_array(shape, dtype=dtype)
    dtype = upcast(*(b.dtype for b, *_ in placed)) if dtype is None else dtype
    parts = []
    for block, row, column in placed:
        A = block.tocoo(copy=False)
        A = A.reshape(A._shape_as_2d) if A.ndim == 1 else A
        parts.append((A, row, column))
    index = np.result_type(
        *(A.row.dtype for A, *_ in parts), fitting_index_dtype(*shape)
    )
    with parts[0][0].device:
        coords = [
            _core.concatenate(
                [
                    A.coords[axis].astype(index, copy=False) + index.type(at[axis])
                    for A, *at in parts
                ]
            )
            for axis in (0, 1)
        ]
        data = _core.concatenate([A.data.astype(dtype, copy=False) for A, *_ in parts])
    return coo_array._of(data, coords, shape)


def _block(rows, is_array, format, dtype):
    dtype = None if dtype is None else value_dtype(dtype)
    made = _compressed_blocks(rows, format, dtype)
    if made is None:
        rows = [[_as_sparse(b) for b in row] for row in rows]
        heights, widths = _lengths(rows)
        tops, lefts = (np.cumsum([0, *sizes]).tolist() for sizes in (heights, widths))
        placed = [
            (block, tops[i], lefts[j])
            for i, row in enumerate(rows)
            for j, block in enumerate(row)
            if block is not None
        ]
        made = _assembled(placed, (tops[-1], lefts[-1]), dtype)
    return of_kind(made, is_array).asformat(format)


def of_kind(A, is_array):
    """A coo, csr or csc array as an array or as a matrix."""
    cls = class_of(A.format, is_array)
    if type(A) is cls:
        return A
    made = cls.__new__(cls)
    made._take(A, *(() if A.format == "coo" else (False,)))
    return made


def block_array(blocks, *, format=None, dtype=None):
    """A sparse array of blocks.

    Parameters
    ----------
    blocks : sequence of sequences of sparse arrays, array_like or None
        Rows of blocks; None stands for zeros.
    format : str, optional
        Of the result: by default csr or csc where all blocks have it, else coo.
    dtype : dtype, optional
        Of the result: by default that of all blocks together.

    Returns
    -------
    sparse array

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import block_array, csr_array
    >>> A = csr_array(cp.array([[1, 2]]))
    >>> block_array([[A, None], [None, A]]).toarray()
    array([[1, 2, 0, 0],
           [0, 0, 1, 2]])
    """
    rows, _ = _read_blocks(blocks)
    return _block(rows, True, format, dtype)


def bmat(blocks, format=None, dtype=None):
    """A sparse matrix of blocks, or a sparse array where one of them is.

    Parameters
    ----------
    blocks : sequence of sequences of sparse arrays, array_like or None
        Rows of blocks; None stands for zeros.
    format : str, optional
        Of the result: by default csr or csc where all blocks have it, else coo.
    dtype : dtype, optional
        Of the result: by default that of all blocks together.

    Returns
    -------
    sparse array or matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import bmat, csr_matrix
    >>> A = csr_matrix(cp.array([[1, 2]]))
    >>> bmat([[A, None], [None, A]]).toarray()
    array([[1, 2, 0, 0],
           [0, 0, 1, 2]])
    """
    rows, is_array = _read_blocks(blocks)
    return _block(rows, is_array, format, dtype)


def hstack(blocks, format=None, dtype=None):
    """Sparse arrays beside each other.

    Parameters
    ----------
    blocks : sequence of sparse arrays or array_like
    format : str, optional
        Of the result: by default csr or csc where all blocks have it, else coo.
    dtype : dtype, optional
        Of the result: by default that of all blocks together.

    Returns
    -------
    sparse array or matrix
        An array where one of the blocks is.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, hstack
    >>> A = csr_array(cp.array([[1, 0], [0, 2]]))
    >>> hstack([A, A]).toarray()
    array([[1, 0, 1, 0],
           [0, 2, 0, 2]])
    """
    return bmat([_listed(blocks)], format, dtype)


def vstack(blocks, format=None, dtype=None):
    """Sparse arrays below each other.

    Parameters
    ----------
    blocks : sequence of sparse arrays or array_like
    format : str, optional
        Of the result: by default csr or csc where all blocks have it, else coo.
    dtype : dtype, optional
        Of the result: by default that of all blocks together.

    Returns
    -------
    sparse array or matrix
        An array where one of the blocks is.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, vstack
    >>> A = csr_array(cp.array([[1, 0], [0, 2]]))
    >>> vstack([A, A]).toarray()
    array([[1, 0],
           [0, 2],
           [1, 0],
           [0, 2]])
    """
    return bmat([[block] for block in _listed(blocks)], format, dtype)


def _listed(blocks):
    if issparse(blocks):
        raise TypeError("blocks are a sequence of sparse arrays, not one")
    return list(blocks)


def block_diag(mats, format=None, dtype=None):
    """Blocks along the diagonal.

    Parameters
    ----------
    mats : sequence of sparse arrays or array_like
        A number is a block of one element, a sequence of numbers one of one row.
    format : str, optional
        Of the result; by default coo.
    dtype : dtype, optional
        Of the result: by default that of all blocks together.

    Returns
    -------
    sparse array or matrix
        An array where one of the blocks is.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import block_diag
    >>> block_diag([cp.array([[1, 2]]), 3]).toarray()
    array([[1, 2, 0],
           [0, 0, 3]])
    """
    mats = list(mats)
    if not mats:
        raise ValueError("need at least one array to concatenate")
    is_array = any(isinstance(b, sparray) for b in mats)
    placed, row, column = [], 0, 0
    for block in mats:
        if not issparse(block):
            block = _all_elements(block)
        placed.append((block, row, column))
        rows, columns = block._shape_as_2d
        row, column = row + rows, column + columns
    dtype = None if dtype is None else value_dtype(dtype)
    made = _assembled(placed, (row, column), dtype)
    return of_kind(made, is_array).asformat(format)


def _all_elements(x):
    """A coo array of all elements of a dense block, zeros included, as in SciPy."""
    x = dense_of(x, coo_array)
    if x.ndim > 2:
        raise ValueError(f"a block has up to two axes, not {x.ndim}")
    x = x.reshape(1, -1) if x.ndim < 2 else x
    rows, columns = x.shape
    index = fitting_index_dtype(rows, columns)
    numbers = [_core.arange(n, dtype=index, device=x.device) for n in x.shape]
    row = _core.broadcast_to(numbers[0].reshape(-1, 1), x.shape).reshape(-1)
    col = _core.broadcast_to(numbers[1], x.shape).reshape(-1)
    return coo_array._of(x.reshape(-1), (row, col), x.shape, True)
