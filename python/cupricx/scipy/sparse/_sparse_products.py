"""Products of two compressed matrices, on their arrays."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import scan
from cupric._lib.kernels import Library
from cupricx.scipy.sparse._conversions import (
    eliminate_zeros,
    order_of,
    sort_indices,
    sum_duplicates,
)
from cupricx.scipy.sparse._work import cores_of

__all__ = ["sparse_matmat"]

_library = Library(__file__)

_PIECES = 2  # for each core of the host


def _example(xp):
    n = np.arange(900)
    found = []
    for t in "fdFD":
        for i in "il":
            a = (
                xp.asarray((n[:41] * 20).astype(i)),
                xp.asarray((n[:800] * 7919 % 40).astype(i)),
                xp.asarray((n[:800] % 13 - 5.5).astype(t)),
            )
            found += sparse_matmat(a, a, 40)
            ends = xp.asarray(np.array([0, 800]).astype(i))
            full = xp.asarray((n[:800] % 40).astype(i))
            wide = ends, full, a[2]  # a row of many products
            found += sparse_matmat(wide, a, 40)
    return found


def _declare(signature, ships, **upto):
    return _library.kernel(signature, ships=ships, example=_example, **upto)


_INDEXED = "fi di Fi Di fl dl Fl Dl"
_products = _declare("count_products<I>", "i l", elements="rows")
_count = _declare("count_columns<I>", "i l", blocks="s.pieces", threads="ROW_THREADS")
_fill = _declare("fill_rows<T, I>", _INDEXED, blocks="s.pieces", threads="ROW_THREADS")
_segments = _declare(
    "sum_segments<T, I>", _INDEXED, blocks="pieces", threads="SEGMENT_THREADS"
)


def sparse_matmat(a, b, n_minor_b):
    """The product of two compressed matrices.

    Parameters
    ----------
    a, b : (indptr, indices, data)
        In any order, with or without duplicates.
    n_minor_b : int

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        Indices are sorted and distinct; what adds up to zero is not stored. The indices
        are int64 where one operand's are, or where there are more elements than int32
        counts. Waits for the number of elements. Besides the result, memory is taken
        for a few numbers of each row alone.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse._products import sparse_matmat
    >>> a = cp.array([0, 2, 3]), cp.array([0, 1, 1]), cp.array([1, 2, 3])
    >>> sparse_matmat(a, a, 2)
    (array([0, 2, 3]), array([0, 1, 1]), array([1, 8, 9]))
    """
    dtype = _core.result_type(a[2].dtype, b[2].dtype)
    index = np.promote_types(a[0].dtype, b[0].dtype)
    rows = a[0].size - 1
    with a[0].device:
        if min(rows, a[1].size, b[1].size) == 0:
            return _nothing(rows, index, dtype)
        values = [x.astype(dtype, copy=False) for x in (a[2], b[2])]
        structure = _converted([*a[:2], *b[:2]], index)
        return _multiply(structure, values, rows, n_minor_b)


def _nothing(rows, index, dtype):
    return _core.zeros(rows + 1, index), _core.empty(0, index), _core.empty(0, dtype)


def _converted(arrays, index):
    return [_core.ascontiguousarray(x.astype(index, copy=False)) for x in arrays]


def _multiply(structure, values, rows, columns):
    """The product: columns are counted, and what the counts add up to is waited for."""
    index, dtype = structure[0].dtype, values[0].dtype
    most = _library.enum.LIGHT
    light = most // 2 if dtype.itemsize > 8 else most
    upto = _products_upto(structure, rows)
    ends = _core.empty((2, rows), np.int64)
    s, scratch = _pieces(upto, rows, columns, light, _bits(columns))
    _count[index](
        m=structure, upto=upto, counts=ends[0], segments=ends[1], scratch=scratch, s=s
    )
    ends = scan(ends, "sum")
    stored, segments = ends[:, -1].tolist()
    if stored == 0:
        return _nothing(rows, index, dtype)
    if stored > np.iinfo(index).max:
        index = np.dtype(np.int64)
        structure = _converted(structure, index)
    if segments:
        structure, values, upto = _ordered(structure, values, columns, upto)
    indptr = _core.zeros(rows + 1, index)
    indptr[1:] = ends[0]
    made = indptr, _core.empty(stored, index), _core.empty(stored, dtype)
    zeros = _core.zeros(1, np.uint64)
    both = {"m": [*structure, *made[:2]], "values": [*values, made[2]], "zeros": zeros}
    dense = columns * (4 if dtype == np.float16 else dtype.itemsize)
    s, scratch = _pieces(upto, rows, columns, light, _bits(columns) + dense)
    _fill[dtype, index](**both, upto=upto, scratch=scratch, s=s)
    if segments:
        _segments[dtype, index](**both, segments=ends[1], pieces=segments, s=s)
    return eliminate_zeros(*made) if int(zeros[0]) else made


def _products_upto(structure, rows):
    products = _core.empty(rows, np.int64)
    _products[structure[0].dtype](m=structure, products=products, rows=rows)
    return scan(products, "sum")


def _ordered(structure, values, columns, upto):
    """The operands, b with sorted rows without duplicates, and their products, of which
    there may be fewer. (A row that was heavy and is so no longer is summed twice.)"""
    b = (*structure[2:], values[1])
    is_sorted, is_distinct = order_of(*b[:2], columns)
    if is_sorted and is_distinct:
        return structure, values, upto
    if not is_sorted:
        b = (b[0], *sort_indices(*b, columns))
    b = sum_duplicates(*b)
    structure = [*structure[:2], *b[:2]]
    return structure, [values[0], b[2]], _products_upto(structure, upto.size)


def _bits(columns):
    """Bytes of a bit for each column, and of what finds them: on the host."""
    groups = -(-columns // 4096)
    return -(-(72 * groups + -(-groups // 8)) // 2) * 16


def _pieces(upto, rows, columns, light, nbytes):
    """How rows are divided, and the host's scratch memory, of `nbytes` for each."""
    pieces, words, scratch = rows, 0, None
    if _library.on_host(upto):
        pieces = min(rows, _PIECES * cores_of(upto.device))
        words = -(-nbytes // 64) * 8
        scratch = _core.zeros(pieces * words, np.int64)
    s = _library.struct.sparse_sizes(
        rows=rows, columns=columns, pieces=pieces, scratch=words, light=light
    )
    return s, scratch
