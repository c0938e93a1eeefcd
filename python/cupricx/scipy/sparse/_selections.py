"""Rows, columns, points and diagonals of compressed matrices, on their arrays.

Functions take the arrays of a matrix, `indptr`, `indices` and `data`, and return
arrays. Indices are int64 arrays on the device; negative ones count from the end. What
has to wait for the number of elements of its result learns by the same wait whether an
index is out of bounds, and raises IndexError.
"""

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

__all__ = [
    "diagonal",
    "points",
    "slice_major",
    "slice_minor",
    "take_major",
    "take_minor",
    "triangle",
    "values_from",
]

_library = Library(__file__)
_enum, _struct = _library.enum, _library.struct


def _take_example(xp):
    made = []
    for index, value in ("ib", "if", "lD"):
        a = example_matrix(xp, index, value)
        made += take_major(*a, xp.asarray(np.array([3, -1, 0, 9, 9, 25])))
        made += take_minor(*a, 60, xp.asarray(np.array([7, 5, 7])))
        made += slice_minor(*a, 60, 40, 2, -3)
    return made


def _triangle_example(xp):
    return [x for i in "il" for x in triangle(*example_matrix(xp, i), -3, i == "i")]


def _points_example(xp):
    made = []
    i, j = xp.asarray(np.array([9, 2, -1, 8])), xp.asarray(np.array([14, 7, 9, 13]))
    for index, value, is_sorted in ("i?1", "if0", "ll1", "lD0"):
        a = example_matrix(xp, index, value)
        made.append(points(*a, 60, i, j, is_sorted == "1"))
        made.append(diagonal(*a, 60, 3, is_sorted == "1"))
    return made


_SUMMED = "i?0 i?1 ii0 ii1 il0 il1 if0 if1 id0 id1 iF0 iF1 iD0 iD1 " + (
    "l?0 l?1 li0 li1 ll0 ll1 lf0 lf1 ld0 ld1 lF0 lF1 lD0 lD1"
)


def _scans(signature, ships, example):
    return _library.kernel(
        signature,
        blocks="s.tiles",
        threads="SCAN_THREADS",
        ships=ships,
        example=example,
    )


def _each(signature, elements, ships, example):
    return _library.kernel(signature, elements=elements, ships=ships, example=example)


def _tiled(signature, tiles, ships, example):
    return _library.kernel(
        signature, blocks=tiles, threads="THREADS", ships=ships, example=example
    )


_find_rows = _each("find_rows<I>", "s.n", "i l", _take_example)
_add_lengths = _scans("add_lengths<I>", "i l", _take_example)
_take_rows = _tiled("take_rows<I, T>", "s.tiles", MOVED, _take_example)
_mark = _tiled("mark<I, KIND>", "r.tiles", "i0 i1 i2 i3 l0 l1 l2 l3", _triangle_example)
_rank_words = _scans("rank_words<I>", "i l", _triangle_example)
_ranked_rows = _each("ranked_rows<I>", "n", "i l", _triangle_example)
_compact = _tiled("compact<I, T>", "r.tiles", MOVED, _take_example)
_place_columns = _each("place_columns<I>", "n", "i l", _take_example)
_find_repeated = _each("find_repeated<I>", "n", "i l", _take_example)
_count_copies = _scans("count_copies<I>", "i l", _take_example)
_copy_columns = _each("copy_columns<I, T>", "nnz", MOVED, _take_example)
_sum_points = _each("sum_points<I, T, SORTED>", "s.work", _SUMMED, _points_example)
_sum_diagonal = _each("sum_diagonal<I, T, SORTED>", "s.work", _SUMMED, _points_example)


def _without_elements(indptr, n_major, data):
    with indptr.device:
        return (
            _core.zeros(n_major + 1, indptr.dtype),
            _core.empty(0, indptr.dtype),
            _core.empty(0, data.dtype),
        )


# ---- rows ----------------------------------------------------------------------------


def take_major(indptr, indices, data, idx):
    """The rows `idx` of a matrix, any of them several times.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    idx : cupric.ndarray, shape (n,), int64

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        Of int64 where int32 does not count the elements.
    """
    n = idx.size
    if n == 0:
        return _without_elements(indptr, 0, data)
    with indptr.device:
        taken = _core.empty(n + 1, indptr.dtype)
        begins = _core.empty(n, indptr.dtype)
    nnz, is_out = _measured(indptr, idx, begins, taken).tolist()[:2]
    if is_out:
        require_in_bounds(idx, indptr.size - 1)
    if nnz > INT32_MAX and indptr.dtype == np.int32:
        return take_major(indptr.astype("l"), indices.astype("l"), data, idx)
    with indptr.device:
        made = _core.empty(nnz, indices.dtype), _core.empty(nnz, data.dtype)
    if nnz:
        _taken(taken, begins, indices, data, *made)
    return taken, *made


def _take_sizes(n, n_major=0, nnz=0):
    return _struct.take_sizes(n=n, n_major=n_major, nnz=nnz, tiles=tiles(nnz))


@replayed
def _measured(indptr, idx, begins, taken):
    info = _core.zeros(_enum.INFO_SIZE, np.int64)
    _find_rows[indptr.dtype](
        indptr=indptr,
        rows=idx,
        begins=begins,
        taken=taken,
        info=info,
        s=_take_sizes(idx.size, indptr.size - 1),
    )
    s, workspace = plan_scan(_library, indptr, 1, idx.size, 8)
    _add_lengths[indptr.dtype](taken=taken, info=info, s=s, workspace=workspace)
    return info


@replayed
def _taken(taken, begins, indices, data, out_indices, out_data):
    _take_rows[indices.dtype, moved_as(data)](
        taken=taken,
        begins=begins,
        indices=indices,
        data=data,
        out_indices=out_indices,
        out_data=out_data,
        s=_take_sizes(begins.size, nnz=out_indices.size),
    )


def slice_major(indptr, indices, data, start, stop, step=1, copy=True):
    """The rows of a slice.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    start, stop, step : int
        As of ``slice.indices``.
    copy : bool, optional
        Whether the result has elements of its own where it could have views.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
    """
    rows = range(start, stop, step)
    n, n_major = len(rows), indptr.size - 1
    if n == 0:
        return _without_elements(indptr, 0, data)
    if n == n_major and step == 1:
        return indptr.copy(), indices.copy(), data.copy()
    if step != 1 and n > 1:
        with indptr.device:
            idx = _core.arange(start, stop, step, np.int64)
        return take_major(indptr, indices, data, idx)
    begin, end = indptr[start : start + n + 1 : n].tolist()
    ends = indptr[start : start + n + 1]
    ends = ends - begin if begin else ends.copy()
    indices, data = indices[begin:end], data[begin:end]
    return (ends, indices.copy(), data.copy()) if copy else (ends, indices, data)


# ---- what is kept of each row --------------------------------------------------------


def slice_minor(indptr, indices, data, n_minor, start, stop, step=1):
    """The columns of a slice.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    n_minor, start, stop, step : int
        As of ``slice.indices``.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        The elements of a row in their order: of a step below zero their indices fall if
        they rose.
    """
    columns = range(start, stop, step)
    if not columns:
        return _without_elements(indptr, indptr.size - 1, data)
    first, last = sorted((columns[0], columns[-1]))
    rule = {
        "kind": _enum.KEEP_RANGE,
        "low": first,
        "high": last + 1,
        "step": abs(step),
        "start": start,
        "sign": 1 if step > 0 else -1,
    }
    return _kept(indptr, indices, data, rule)


def take_minor(indptr, indices, data, n_minor, idx):
    """The columns `idx` of a matrix, any of them several times.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    n_minor : int
    idx : cupric.ndarray, shape (n,), int64

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        The elements of a row in their order, copies of one in that of `idx`.
    """
    if idx.size == 0:
        return _without_elements(indptr, indptr.size - 1, data)
    if idx.size > INT32_MAX and indptr.dtype == np.int32:
        indptr, indices = indptr.astype("l"), indices.astype("l")
    with indptr.device:
        places = _core.empty(n_minor, indptr.dtype)
        info = _core.zeros(_enum.INFO_SIZE, np.int64)
    places.fill(-1)
    _placed(idx, places, info)
    rule = {"kind": _enum.KEEP_PLACES}
    made, is_repeated = _kept_of(
        indptr, indices, data, rule, places, info, (idx, n_minor)
    )
    if not is_repeated:
        return made
    # Each column was taken once, at one of its places: this is the place of each.
    return _with_copies(*made, idx.size, places[idx].astype(np.int64, copy=False))


@replayed
def _placed(idx, places, info):
    sizes = {"info": info, "n_minor": places.size, "n": idx.size}
    _place_columns[places.dtype](columns=idx, places=places, **sizes)
    _find_repeated[places.dtype](columns=idx, places=places, **sizes)


def triangle(indptr, indices, data, k, lower):
    """What is on one side of a diagonal, with it.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    k : int
        The diagonal: ``minor - major``.
    lower : bool
        Whether elements with a smaller ``minor - major`` are kept, or a larger one.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
    """
    kind = _enum.KEEP_BELOW if lower else _enum.KEEP_ABOVE
    return _kept(indptr, indices, data, {"kind": kind, "shift": k})


_NO_RULE = dict.fromkeys(("low", "high", "step", "start", "sign", "shift"), 0)


def _kept(indptr, indices, data, rule):
    """The elements that a rule keeps."""
    if indices.size == 0:
        return _without_elements(indptr, indptr.size - 1, data)
    return _kept_of(indptr, indices, data, rule)[0]


def _kept_of(indptr, indices, data, rule, places=None, info=None, columns=None):
    """The elements that a rule keeps, and whether one of the columns that it asks for
    is there twice. `info`: what is known of these, the index and its bound."""
    nnz, n_major = indices.size, indptr.size - 1
    words = max(-(-nnz // 32), 1)
    with indptr.device:
        info = _core.zeros(_enum.INFO_SIZE, np.int64) if info is None else info
        made = _core.empty(n_major + 1, indptr.dtype)
        mask, rank = _core.empty(words, np.uint32), _core.empty(words, indptr.dtype)
    r = _struct.keep_rule(
        nnz=nnz, words=words, tiles=tiles(nnz), n_major=n_major, **{**_NO_RULE, **rule}
    )
    if nnz:
        _marked(indptr, indices, places, mask, rank, info, made, rule["kind"], r)
    count, is_out, is_repeated = info.tolist()
    if is_out:
        require_in_bounds(*columns)
    if count == 0:
        return _without_elements(indptr, n_major, data), False
    with indptr.device:
        kept = _core.empty(count, indices.dtype), _core.empty(count, data.dtype)
    _compacted(mask, rank, indices, data, places, *kept, r)
    return (made, *kept), bool(is_repeated)


@replayed
def _marked(indptr, indices, places, mask, rank, info, made, kind, r):
    _mark[indptr.dtype, kind](
        indptr=indptr, indices=indices, places=places, mask=mask, r=r
    )
    s, workspace = plan_scan(_library, mask, 1, mask.size, 8)
    _rank_words[indptr.dtype](mask=mask, rank=rank, info=info, s=s, workspace=workspace)
    _ranked_rows[indptr.dtype](
        mask=mask,
        rank=rank,
        indptr=indptr,
        out_indptr=made,
        info=info,
        nnz=indices.size,
        n=made.size,
    )


@replayed
def _compacted(mask, rank, indices, data, places, out_indices, out_data, r):
    _compact[indices.dtype, moved_as(data)](
        mask=mask,
        rank=rank,
        indices=indices,
        data=data,
        places=places,
        out_indices=out_indices,
        out_data=out_data,
        r=r,
    )


def _with_copies(indptr, indices, data, n_minor, idx):
    """Columns of which some are taken several times; indices are within bounds, and
    there are elements."""
    nnz = indices.size
    with indptr.device:
        order = order_by_key(idx)
        starts = _core.searchsorted(idx[order], _core.arange(n_minor + 1))
        offset = _core.empty(nnz + 1, np.int64)
        info = _core.zeros(_enum.INFO_SIZE, np.int64)
    _copies_counted(indices, starts, offset, info)
    count = int(info[_enum.INFO_COUNT])
    if count > INT32_MAX and indptr.dtype == np.int32:
        indptr, indices = indptr.astype("l"), indices.astype("l")
    made = offset[indptr].astype(indptr.dtype, copy=False)
    with indptr.device:
        kept = _core.empty(count, indices.dtype), _core.empty(count, data.dtype)
    _copied(indices, data, starts, order, offset, *kept)
    return made, *kept


@replayed
def _copies_counted(indices, starts, offset, info):
    s, workspace = plan_scan(_library, indices, 1, indices.size, 8)
    _count_copies[indices.dtype](
        indices=indices,
        starts=starts,
        offset=offset,
        info=info,
        s=s,
        workspace=workspace,
    )


@replayed
def _copied(indices, data, starts, order, offset, out_indices, out_data):
    _copy_columns[indices.dtype, moved_as(data)](
        indices=indices,
        data=data,
        starts=starts,
        order=order,
        offset=offset,
        out_indices=out_indices,
        out_data=out_data,
        nnz=indices.size,
    )


# ---- points --------------------------------------------------------------------------


def _searchers(n, indices, is_sorted):
    """A thread searches a row that is sorted; a warp of a GPU reads another."""
    return n if is_sorted or _library.on_host(indices) else 32 * n


@replayed
def points(indptr, indices, data, n_minor, i, j, is_sorted=False):
    """The values at (i[k], j[k]): sums, where elements are stored several times.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    n_minor : int
    i, j : cupric.ndarray, int64, of one shape
        Indices that are out of bounds wrap: nothing is waited for.
    is_sorted : bool, optional
        Whether the indices of each row are.

    Returns
    -------
    cupric.ndarray
        Of the shape of `i`.
    """
    y = _core.empty(i.shape, data.dtype)
    if i.size:
        _sum_points[indptr.dtype, data.dtype, int(is_sorted)](
            indptr=indptr,
            indices=indices,
            data=data,
            i=i,
            j=j,
            y=y,
            s=point_sizes(
                _library,
                i.size,
                indptr,
                indices,
                n_minor,
                work=_searchers(i.size, indices, is_sorted),
            ),
        )
    return y


def diagonal(indptr, indices, data, n_minor, k=0, is_sorted=False):
    """A diagonal: where ``minor - major`` is `k`.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    n_minor, k : int
    is_sorted : bool, optional
        Whether the indices of each row are.

    Returns
    -------
    cupric.ndarray, shape (n,)
    """
    i, j = max(-k, 0), max(k, 0)
    n = max(min(indptr.size - 1 - i, n_minor - j), 0)
    return values_from(indptr, indices, data, i, j, n, is_sorted)


@replayed
def values_from(indptr, indices, data, i, j, n, is_sorted=False):
    """The values at (i, j), (i + 1, j + 1), …: `n` of them, within bounds."""
    y = _core.empty(n, data.dtype)
    if n:
        _sum_diagonal[indptr.dtype, data.dtype, int(is_sorted)](
            indptr=indptr,
            indices=indices,
            data=data,
            y=y,
            s=point_sizes(
                _library,
                n,
                indptr,
                indices,
                first_major=i,
                first_minor=j,
                work=_searchers(n, indices, is_sorted),
            ),
        )
    return y
