"""Values set at points of compressed matrices, on their arrays."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import order_by_key
from cupric._lib.kernels import Library, replayed
from cupricx.kernels import plan_scan
from cupricx.scipy.sparse._searches import (
    INT32_MAX,
    MOVED,
    example_matrix,
    moved_as,
    point_sizes,
    require_in_bounds,
    tiles,
)

__all__ = ["RepeatedElements", "assign", "clear"]

_library = Library(__file__)
_enum = _library.enum


class RepeatedElements(Exception):
    """An element that is to be assigned is stored several times."""


def _example(xp):
    made = []
    i, j = xp.asarray(np.array([9, 2, 9, 8])), xp.asarray(np.array([14, 1, 3, 13]))
    for index, value, is_sorted in ("ib1", "if0", "lD1"):
        a = example_matrix(xp, index, value)
        x = xp.asarray(np.arange(100, 104).astype(value))
        rows, columns = (xp.asarray(np.arange(n) % 3 == 0) for n in (40, 60))
        clear(*a, rows, columns)
        made += assign(*a, 60, i, j, x, is_sorted == "1")
    return made


def _each(signature, elements, ships):
    return _library.kernel(signature, elements=elements, ships=ships, example=_example)


def _tiled(signature, ships):
    return _library.kernel(
        signature, blocks="s.work", threads="THREADS", ships=ships, example=_example
    )


_locate = _each("locate<I, SORTED>", "s.n", "i0 i1 l0 l1")
_count_missing = _library.kernel(
    "count_missing",
    blocks="s.tiles",
    threads="SCAN_THREADS",
    ships="x",
    example=_example,
)
_set_found = _each("set_found<T>", "s.n", "B H I L D")
_move_apart = _tiled("move_apart<I, T>", MOVED)
_put_missing = _each("put_missing<I, T>", "s.n", MOVED)
_move_rows = _each("move_rows<I>", "rows", "i l")
_clear_marked = _tiled("clear_marked<I, T>", MOVED)


def assign(
    indptr,
    indices,
    data,
    n_minor,
    i,
    j,
    x,
    is_sorted=False,
    in_order=False,
    insert=True,
):
    """Set the values at (i[k], j[k]); of points that are equal the last one counts.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
        `data` is changed in place.
    n_minor : int
    i, j : cupric.ndarray, shape (n,), int64
    x : cupric.ndarray, shape (n,) or (1,)
        Of the dtype of `data`.
    is_sorted : bool, optional
        Whether the indices of each row are. They remain so; otherwise what is inserted
        comes last in its row.
    in_order : bool, optional
        Whether points ascend, by `i` first, and none is negative.
    insert : bool or callable, optional
        Whether points that are not stored are inserted; a function is called before the
        first is, and before anything is changed.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        Those that were passed, if nothing was inserted.

    Raises
    ------
    RepeatedElements
        One of the elements is stored several times. Nothing was changed.
    IndexError
        A point is out of bounds. Nothing was changed.
    """
    n = i.size
    if n == 0:
        return indptr, indices, data
    points_given = i, j
    if not in_order:
        i, j, x = _in_order(i, j, x, indptr.size - 1, n_minor)
    with indptr.device:
        found, bound = _core.empty(n, np.int64), _core.empty(n, np.int64)
        slot = _core.empty(n + 1, np.int64)
    info = _located(indptr, indices, n_minor, i, j, found, bound, slot, is_sorted)
    missing, is_out, is_repeated = info.tolist()
    if is_out:
        require_in_bounds(points_given[0], indptr.size - 1)
        require_in_bounds(points_given[1], n_minor)
    if is_repeated:
        raise RepeatedElements
    if missing and callable(insert):
        insert()
    if missing < n:
        _found_set(indptr, indices, found, x, data)
    if missing == 0 or not insert:
        return indptr, indices, data
    nnz = indices.size + missing
    if nnz > INT32_MAX and indptr.dtype == np.int32:
        indptr, indices = indptr.astype("l"), indices.astype("l")
    made = _new_arrays(indptr, indptr.size - 1, nnz, data)
    _inserted(indptr, indices, data, i, j, x, found, bound, slot, *made)
    return made


def _new_arrays(indptr, n_major, nnz, data):
    """New arrays of a matrix, without values."""
    with indptr.device:
        return (
            _core.empty(n_major + 1, indptr.dtype),
            _core.empty(nnz, indptr.dtype),
            _core.empty(nnz, data.dtype),
        )


def _in_order(i, j, x, n_major, n_minor):
    """Points and their values, by `i` first; equal ones stay in their order."""
    i, j = _core.where(i < 0, i + n_major, i), _core.where(j < 0, j + n_minor, j)
    if i.size == 1:
        return i, j, x
    if n_major * n_minor <= np.iinfo(np.int64).max:
        # An index out of bounds may come anywhere: it is found all the same.
        order = order_by_key(i * n_minor + j)
    else:
        order = order_by_key(i, j)
    return i[order], j[order], x if x.size == 1 else x[order]


@replayed
def _located(indptr, indices, n_minor, i, j, found, bound, slot, is_sorted):
    info = _core.zeros(_enum.INFO_SIZE, np.int64)
    _locate[indptr.dtype, int(is_sorted)](
        indptr=indptr,
        indices=indices,
        i=i,
        j=j,
        found=found,
        bound=bound,
        info=info,
        s=point_sizes(_library, i.size, indptr, indices, n_minor),
    )
    s, workspace = plan_scan(_library, found, 1, i.size, 8)
    _count_missing[()](found=found, slot=slot, info=info, s=s, workspace=workspace)
    return info


@replayed
def _found_set(indptr, indices, found, x, data):
    s = point_sizes(_library, found.size, indptr, indices, x_step=int(x.size > 1))
    _set_found[moved_as(data)](found=found, x=x, data=data, s=s)


@replayed
def _inserted(
    indptr,
    indices,
    data,
    i,
    j,
    x,
    found,
    bound,
    slot,
    out_indptr,
    out_indices,
    out_data,
):
    nnz, dtypes = indices.size, (indptr.dtype, moved_as(data))
    made = {"out_indices": out_indices, "out_data": out_data}
    places = {"bound": bound, "slot": slot}
    _move_rows[indptr.dtype](
        indptr=indptr,
        i=i,
        slot=slot,
        out_indptr=out_indptr,
        n=i.size,
        rows=indptr.size,
    )
    if nnz:
        s = point_sizes(_library, i.size, indptr, indices, work=tiles(nnz))
        _move_apart[dtypes](indices=indices, data=data, **places, **made, s=s)
    s = point_sizes(_library, i.size, indptr, indices, x_step=int(x.size > 1))
    _put_missing[dtypes](found=found, **places, j=j, x=x, **made, s=s)


@replayed
def clear(indptr, indices, data, rows, columns):
    """Set the elements to zero that are in one of the rows and in one of the columns.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
        `data` is changed in place.
    rows, columns : cupric.ndarray, shape (n_major,) and (n_minor,), bool
    """
    if indices.size:
        s = point_sizes(_library, 0, indptr, indices, work=tiles(indices.size))
        _clear_marked[indptr.dtype, moved_as(data)](
            indptr=indptr,
            indices=indices,
            rows=rows,
            columns=columns,
            data=data,
            s=s,
        )
