"""Elementwise operations of two compressed matrices."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import scan
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse import _conversions

__all__ = ["COMPARISONS", "binary", "canonical"]

_library = Library(__file__)
_INT32_MAX = np.iinfo(np.int32).max

COMPARISONS = ("ne", "lt", "gt")

_SHIPS = " ".join(
    [f"{i}{t}{t}" for i in "il" for t in "fdFDil?"]
    + [f"{i}{t}?" for i in "il" for t in "fdil"]
)


def _example(xp):
    made = []
    for i in "il":
        for t in "fdFDil?":
            x = (np.arange(600.0) % 7 - 3).astype(t)
            parts = np.arange(0, 601, 20).astype(i), (np.arange(600) % 20 * 3).astype(i)
            a = (*map(xp.asarray, parts), xp.asarray(x))
            b = (a[0], a[1] + 3, a[2])
            operations = ("plus", "minus", "multiply", "ne")
            for operation in operations[: 3 if t in "FD" else 4]:
                made += binary(operation, a, b, 100, canonical=(True, True))
    return made


_split = _library.kernel("split_merge<I>", elements="n", ships="i l", example=_example)
_merge = _library.kernel(
    "merge_tiles<I, T, R>",
    blocks="s.tiles",
    threads="MERGE_THREADS",
    ships=_SHIPS,
    example=_example,
)
_gather = _library.kernel(
    "gather_tiles<I, R>",
    blocks="s.tiles",
    threads="MERGE_THREADS",
    ships="iB iI iL iD lB lI lL lD",
    example=_example,
)


def canonical(indptr, indices, data, n_minor, known=None):
    """A matrix of which the indices of each row ascend: duplicates are summed.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    n_minor : int
    known : bool, optional
        Whether it is already; looked for, and waited for, if not known.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        Those that were passed, if they are.
    """
    if known:
        return indptr, indices, data
    is_sorted, is_distinct = _conversions.order_of(indptr, indices, n_minor)
    if is_sorted and is_distinct:
        return indptr, indices, data
    if not is_sorted:
        indices, data = _conversions.sort_indices(indptr, indices, data, n_minor)
    return _conversions.sum_duplicates(indptr, indices, data)


def binary(name, a, b, n_minor, dtype=None, canonical=(None, None)):
    """An operation of two matrices of one shape, elements that are not stored as zeros.

    Parameters
    ----------
    name : str
        "plus", "minus", "multiply", "divide" (of integers by zero: zero), "maximum",
        "minimum", or one of `COMPARISONS`, whose results are bools.
    a, b : tuple of cupric.ndarray
        ``indptr, indices, data``; duplicates are summed.
    n_minor : int
    dtype : dtype, optional
        In which elements are combined: what both dtypes promote to.
    canonical : (bool or None, bool or None)
        Of which it is known that their indices ascend in each row.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        Indices ascend in each row. What comes to zero is left out, also where it was
        stored. Their number is waited for.
    """
    if dtype is None:
        dtype = _core.result_type(a[2].dtype, b[2].dtype)
    a, b = (
        _prepared(*x, n_minor, dtype, known)
        for x, known in zip((a, b), canonical, strict=True)
    )
    a, b = _one_index_dtype(a, b)
    result = np.dtype(bool) if name in COMPARISONS else np.dtype(dtype)
    most = a[1].size + b[1].size
    with a[0].device:
        indptr = _core.empty(a[0].size, a[0].dtype)
        indices, results = _core.empty(most, a[1].dtype), _core.empty(most, result)
        if most == 0:
            indptr[...] = 0
            return indptr, indices, results
    op = getattr(_library.enum, f"OP_{name.upper()}")
    points, offsets = _merged(*a, *b, op, indptr, indices, results)
    n = int(offsets[-1])
    with a[0].device:
        kept = _core.empty(n, a[1].dtype), _core.empty(n, result)
    _gathered(points, offsets, indices, results, indptr, *kept, op)
    return indptr, *kept


def _prepared(indptr, indices, data, n_minor, dtype, known):
    # Duplicates are summed in the dtype in which elements are combined.
    data = data.astype(dtype, copy=False)
    return tuple(
        map(_core.ascontiguousarray, canonical(indptr, indices, data, n_minor, known))
    )


def _one_index_dtype(a, b):
    """Both with indices of the dtype that the result may need."""
    is_wide = a[1].size + b[1].size > _INT32_MAX
    dtype = np.dtype(np.int64 if is_wide else np.int32)
    if a[0].dtype == b[0].dtype == np.int32 and not is_wide:
        return a, b
    if np.int64 in (a[0].dtype, b[0].dtype):
        dtype = np.dtype(np.int64)
    return tuple(
        (x[0].astype(dtype, copy=False), x[1].astype(dtype, copy=False), x[2])
        for x in (a, b)
    )


def _sizes(indptr, items, op):
    enum = _library.enum
    tile = enum.MERGE_HOST_TILE if _library.on_host(indptr) else enum.MERGE_TILE
    tiles = -(-items // tile)
    rows = indptr.size - 1
    sizes = {"rows": rows, "items": items, "tile": tile, "tiles": tiles, "op": op}
    return tiles, _library.struct.merge_sizes(**sizes)


@replayed
def _merged(
    a_indptr, a_indices, a, b_indptr, b_indices, b, op, indptr, indices, results
):
    tiles, s = _sizes(indptr, indices.size + indptr.size - 1, op)
    index = [a_indptr, a_indices, b_indptr, b_indices]
    points = _core.empty((3, tiles + 1), np.int64)
    counts = _core.empty(tiles + 1, np.int64)
    _split[indptr.dtype](index=index, points=points, s=s, n=tiles + 1)
    _merge[indptr.dtype, a.dtype, results.dtype](
        index=index,
        data=[a, b],
        points=points,
        counts=counts,
        indptr=indptr,
        indices=indices,
        results=results,
        s=s,
    )
    return points, scan(counts, "sum", exclusive=True)


@replayed
def _gathered(points, offsets, indices, results, indptr, out_indices, out_data, op):
    _, s = _sizes(indptr, indices.size + indptr.size - 1, op)
    _gather[indptr.dtype, _moved_as(results)](
        points=points,
        offsets=offsets,
        indices=indices,
        results=results,
        indptr=indptr,
        out_indices=out_indices,
        out_data=out_data,
        s=s,
    )


def _moved_as(data):
    """The dtype of a kernel that moves elements: one for all of a size."""
    return np.dtype({1: "B", 2: "H", 4: "I", 8: "L", 16: "D"}[data.dtype.itemsize])
