"""Reductions of compressed matrices along their axes."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse import _products

__all__ = [
    "EXTREMES",
    "arg_extreme",
    "count_major",
    "count_minor",
    "extreme",
    "sum_major",
    "sum_minor",
]

_library = Library(__file__)
_enum = _library.enum

# The reduction of each name.
EXTREMES = {
    "max": _enum.REDUCE_MAXIMUM,
    "min": _enum.REDUCE_MINIMUM,
    "nanmax": _enum.REDUCE_NANMAX,
    "nanmin": _enum.REDUCE_NANMIN,
}


def _example(xp):
    made = []
    for i in "il":
        indptr = xp.asarray((np.arange(41) ** 2).astype(i))
        indices = xp.asarray(np.concatenate([np.arange(2 * n + 1) for n in range(40)]))
        for t in "fdFDil?":
            data = xp.asarray((np.arange(1600) * 7919 % 100 - 50).astype(t))
            a = indptr, indices.astype(i), data
            dtype = np.dtype(t if t in "fdFD" else "l")
            made += [sum_major(indptr, data, dtype), count_major(indptr, data)]
            if i == "i" and t in "fdl":
                made += [extreme(kind, *a, 100) for kind in EXTREMES]
                made += [arg_extreme(kind, *a, 100) for kind in ("max", "min")]
    return made


def _ships():
    """Sums, extremes and their places, of what is most often reduced."""
    places = _enum.REDUCE_ARGMAX, _enum.REDUCE_ARGMIN
    return " ".join(
        [
            f"{i}{pair}{_enum.REDUCE_SUM}"
            for i in "il"
            for pair in ("ff", "dd", "FF", "DD", "il", "ll", "?l")
        ]
        + [
            f"i{pair}{kind}"
            for pair in ("ff", "dd", "ll")
            for kind in EXTREMES.values()
        ]
        + [f"i{pair}{kind}" for pair in ("fl", "dl", "ll") for kind in places]
    )


_split = _library.kernel("split_rows<I>", elements="n", ships="i l", example=_example)
_reduce = _library.kernel(
    "reduce_rows<I, T, R, KIND>",
    blocks="s.tiles",
    threads="ROWS_THREADS",
    ships=_ships(),
    example=_example,
)
_finish = _library.kernel(
    "finish_rows<I, T, R, KIND>",
    blocks="s.tiles",
    threads="ROWS_FINISH_THREADS",
    ships=_ships(),
    example=_example,
)


@replayed
def _reduced(indptr, indices, data, n_minor, dtype, kind, is_explicit=False):
    out = _core.empty(indptr.size - 1, dtype)
    if out.size == 0:
        return out
    tile = _enum.ROWS_HOST_TILE if _library.on_host(indptr) else _enum.ROWS_TILE
    items = out.size + data.size
    tiles = -(-items // tile)
    s = _library.struct.row_sizes(
        rows=out.size,
        columns=n_minor,
        items=items,
        tile=tile,
        tiles=tiles,
        is_explicit=is_explicit,
    )
    rows = _core.empty(tiles + 1, np.int64)
    states = _core.empty(2 * tiles * _enum.ROWS_STATE, np.uint8)
    arrays = {"indptr": indptr, "indices": indices, "data": data}
    _split[indptr.dtype](indptr=indptr, rows=rows, s=s, n=tiles + 1)
    types = indptr.dtype, data.dtype, dtype, kind
    _reduce[types](**arrays, rows=rows, states=states, out=out, s=s)
    if tiles > 1:
        _finish[types](**arrays, rows=rows, states=states, out=out, s=s)
    return out


def sum_major(indptr, data, dtype):
    """The sum of each row.

    Parameters
    ----------
    indptr, data : cupric.ndarray
    dtype : dtype
        In which elements are added up: integers wrap, float16 is added up in float32.

    Returns
    -------
    cupric.ndarray, shape (n_major,)
    """
    data = _core.ascontiguousarray(data)
    return _reduced(indptr, None, data, 0, np.dtype(dtype), _enum.REDUCE_SUM)


def sum_minor(indptr, indices, data, n_minor, dtype, structure=None):
    """The sum of each column.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    n_minor : int
    dtype : dtype
        As of `sum_major`.
    structure : tuple, optional
        What `_products.transposed_structure` made of the matrix.

    Returns
    -------
    cupric.ndarray, shape (n_minor,)
    """
    if _library.on_host(indptr):
        # Sums of pieces of the rows take less time than a transpose.
        ones = _core.empty(indptr.size - 1, dtype, device=indptr.device)
        ones[...] = 1
        data = data.astype(dtype, copy=False)
        return _products.rmatvec(indptr, indices, data, ones, n_minor)
    if structure is None:
        structure = _products.transposed_structure(indptr, indices, n_minor)
    indptr, _, order = structure
    return _products.rows_in_order(indptr, data.astype(dtype, copy=False), order)


def count_major(indptr, data):
    """How many elements of each row are not zero.

    Parameters
    ----------
    indptr, data : cupric.ndarray

    Returns
    -------
    cupric.ndarray of int64, shape (n_major,)
    """
    return sum_major(indptr, data != 0, np.int64)


def count_minor(indptr, indices, data, n_minor, structure=None):
    """How many elements of each column are not zero.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    n_minor : int

    Returns
    -------
    cupric.ndarray of int64, shape (n_minor,)
    """
    dtype = np.dtype(np.int64)
    return sum_minor(indptr, indices, data != 0, n_minor, dtype, structure)


def extreme(name, indptr, indices, data, n_minor, is_explicit=False):
    """The extreme of each row, of a matrix without duplicates.

    Parameters
    ----------
    name : str
        One of `EXTREMES`: those that begin with "nan" ignore NaN, the others give it.
    indptr, indices, data : cupric.ndarray
    n_minor : int
    is_explicit : bool
        Whether zeros that are not stored are left out.

    Returns
    -------
    cupric.ndarray, shape (n_major,)
        Zero, where a row has no elements.
    """
    data = _core.ascontiguousarray(data)
    kind = EXTREMES[name]
    return _reduced(indptr, None, data, n_minor, data.dtype, kind, is_explicit)


def arg_extreme(name, indptr, indices, data, n_minor, is_explicit=False):
    """The first column of each row that has its extreme, of a canonical matrix.

    Parameters
    ----------
    name : {"max", "min"}
        NaN is more extreme than a number, but not than a zero that is not stored.
    indptr, indices, data : cupric.ndarray
    n_minor : int
    is_explicit : bool
        Whether zeros that are not stored are left out.

    Returns
    -------
    cupric.ndarray of int64, shape (n_major,)
        0, where a row has no elements.
    """
    indices, data = _core.ascontiguousarray(indices), _core.ascontiguousarray(data)
    kind = getattr(_enum, f"REDUCE_ARG{name.upper()}")
    dtype = np.dtype(np.int64)
    return _reduced(indptr, indices, data, n_minor, dtype, kind, is_explicit)
