"""Conversions between formats, on their arrays.

A compressed matrix is ``indptr, indices, data``: of csr the rows are *major*, of csc
the columns. `indptr` and `indices` have one dtype, int32 or int64. Functions return new
arrays, or those that they were passed where nothing changes.
"""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import cores_of, order_by_key, plan_scan, scan
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse._radix import (
    WORDS,
    compressed_on_host,
    order_by_index,
)

__all__ = [
    "compress",
    "coo_to_canonical",
    "coo_to_compressed",
    "coo_to_dense",
    "eliminate_zeros",
    "expand",
    "from_dense",
    "order_of",
    "sort_indices",
    "sum_coo",
    "sum_duplicates",
    "to_dense",
    "transpose",
]

_library = Library(__file__)

_SHARE = 1 << 14  # elements of a tile of the host, at least


def _example(xp):
    x = xp.arange(70 * 90).reshape(70, 90) * 7919 % 11
    x = x * (x < 3)
    return [*_of_each(x, "i", "e"), *_of_each(x, "i", "D"), *_of_each(x, "l", "f")]


def _of_each(x, index, value):
    """What every function makes of a matrix."""
    a = [*from_dense(x.astype(value)), x.shape[1]]
    indptr, indices, data, n = *(v.astype(index) for v in a[:2]), *a[2:]
    major = expand(indptr, indices.size)
    b = transpose(indptr, indices, data, n)
    made = [major, compress(major, indptr.size - 1), *b, *order_of(*b[:2], 70)]
    with x.device:
        out = _core.empty(x.shape, data.dtype)
    made.append(to_dense(indptr, indices, data, out).copy())
    made.append(coo_to_dense((major // 2, indices // 3), data, out))
    twice = _core.concatenate([indices, indices[::-1]]) // 2
    majors = _core.concatenate([major, major[::-1]])
    c = coo_to_compressed(majors, twice, _core.concatenate([data, data * 0]), 70)
    ordered = sort_indices(*c, n)
    made += [*coo_to_canonical(majors, twice, _core.concatenate([data, data]), (70, n))]
    made += [*c, *ordered, *sum_duplicates(c[0], *ordered), *eliminate_zeros(*c)]
    coords, sums = sum_coo((majors, twice), _core.concatenate([data, data]))
    return [*made, *coords, sums]


_MOVED = "iB iH iI iL iD lB lH lI lL lD"
_SUMMED = "if id ii il i? ie lf ld li ll"


def _kernel(signature, ships, threads="TILE_THREADS", blocks="p.tiles"):
    return _library.kernel(
        signature, blocks=blocks, threads=threads, ships=ships, example=_example
    )


_expand_rows = _kernel("expand_rows<I>", "i l")
_begin_rows = _library.kernel(
    "begin_rows<I>", elements="starts", ships="i l", example=_example
)
_count_order = _kernel("count_order<I>", "i l")
_count_coo_order = _kernel("count_coo_order<I>", "i l")
_count_nonzero = _kernel("count_nonzero<I, V>", _MOVED)
_keep_nonzero = _kernel("keep_nonzero<I, V>", _MOVED)
_count_dense = _kernel("count_dense<V>", "B H I L D")
_keep_dense = _kernel("keep_dense<I, V>", _MOVED)
_sum_runs = _kernel("sum_runs<I, V>", _SUMMED, "SCAN_THREADS", "s.tiles")
_sum_rows = _kernel("sum_rows<I, V>", f"{_SUMMED} iF iD lF lD", 1)
_sort_rows = _kernel("sort_rows<I, V>", _MOVED, 1)
_put_elements = _library.kernel(
    "put_elements<I, V>", elements="pieces", ships=_MOVED, example=_example
)
_add_elements = _kernel("add_elements<I, V>", f"{_SUMMED} iF iD lF lD", 1, "pieces")


# ---- rows ----------------------------------------------------------------------------


def expand(indptr, nnz):
    """The row of each of `nnz` stored elements."""
    with indptr.device:
        major = _core.empty(nnz, indptr.dtype)
    return _expanded(indptr, major) if nnz else major


@replayed
def _expanded(indptr, major):
    p = _tiles(indptr, major.size)
    _expand_rows[indptr.dtype](indptr=_core.ascontiguousarray(indptr), major=major, p=p)
    return major


def compress(major, n_major):
    """Where each row begins among the sorted rows of stored elements."""
    with major.device:
        indptr = _core.empty(n_major + 1, major.dtype)
    return _compressed(major, indptr)


@replayed
def _compressed(major, indptr):
    _begin_rows[major.dtype](
        major=_core.ascontiguousarray(major),
        indptr=indptr,
        n=major.size,
        starts=indptr.size,
    )
    return indptr


def _tiles(indptr, n, data=None):
    """How kernels share the elements of a matrix."""
    return _library.struct.element_tiles(
        n_major=indptr.size - 1,
        n=n,
        tiles=_tiles_of(indptr, n),
        mask=0 if data is None else _mask(data.dtype),
    )


def _tiles_of(x, n):
    if _library.on_host(x):
        return max(1, min(4 * cores_of(x.device), n // _SHARE))
    return -(-n // _library.enum.TILE)


def _mask(dtype):
    """Of the bits by which a value differs from zero: not the signs of floating-point
    numbers. (Kernels read elements of 16 bytes as numbers.)"""
    bits = 8 * dtype.itemsize
    if bits > 64:
        return 0
    signs = {"f": [bits - 1], "c": [bits // 2 - 1, bits - 1]}.get(dtype.kind, [])
    return (1 << bits) - 1 - sum(1 << k for k in signs)


# ---- orders --------------------------------------------------------------------------


def coo_to_compressed(major, minor, data, n_major):
    """The compressed form of elements in any order, which those of a row keep;
    duplicates are kept."""
    major, minor, data = map(_core.ascontiguousarray, (major, minor, data))
    if _library.on_host(data):
        result = compressed_on_host(major, minor, data, n_major)
        if result is not None:
            return result
        minor, data = minor.copy(), data.copy()
    else:
        major, minor, data = order_by_index(major, minor, data, n_major)
    return compress(major, n_major), minor, data


def coo_to_canonical(major, minor, data, shape, canonical=False):
    """The compressed form of elements in any order: indices in order, and one element
    for each place, of the sum.

    Parameters
    ----------
    major, minor, data : cupric.ndarray, shape (n,)
    shape : (int, int)
        Of major and minor.
    canonical : bool, optional
        Whether elements are known to be so.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        New arrays. Whether they are in order, and how many are left, is waited for.
    """
    if canonical:
        return compress(major, shape[0]), minor.copy(), data.copy()
    if not _library.on_host(data):
        (major, indices), sums = sum_coo((major, minor), data, shape)
        if sums is data:
            indices, sums = indices.copy(), sums.copy()
        return compress(major, shape[0]), indices, sums
    indptr, indices, data = coo_to_compressed(major, minor, data, shape[0])
    is_sorted, is_canonical = order_of(indptr, indices)
    if is_canonical:
        return indptr, indices, data
    if not is_sorted:
        indices, data = sort_indices(indptr, indices, data)
    return sum_duplicates(indptr, indices, data)


def transpose(indptr, indices, data, n_minor):
    """The compressed form along the other axis, in which indices are sorted."""
    major = expand(indptr, indices.size)
    return coo_to_compressed(indices, major, data, n_minor)


def sort_indices(indptr, indices, data, n_minor=None):
    """Indices in order in each row, duplicates in theirs.

    Where `n_minor` is not passed, a GPU's largest index is waited for.
    """
    indptr, indices, data = map(_core.ascontiguousarray, (indptr, indices, data))
    if indices.size == 0:
        return indices, data
    if _library.on_host(data):
        to = tuple(
            _core.empty(x.size, x.dtype, device=x.device) for x in (indices, data)
        )
        _sort_by_rows(indptr, indices, data, *to)
        return to
    if n_minor is None:
        n_minor = int(indices.max()) + 1
    major = expand(indptr, indices.size)
    minor, major, data = order_by_index(indices, major, data, n_minor)
    _, minor, data = order_by_index(major, minor, data, indptr.size - 1)
    return minor, data


@replayed
def _sort_by_rows(indptr, indices, data, indices_to, data_to):
    _sort_rows[indptr.dtype, WORDS[data.itemsize]](
        indptr=indptr,
        indices=indices,
        data=data,
        indices_to=indices_to,
        data_to=data_to,
        index=_core.empty(indices.size, indices.dtype),
        value=_core.empty(data.size, data.dtype),
        p=_tiles(indptr, indices.size),
    )


def order_of(indptr, indices, n_minor=None):
    """Whether indices are in order in each row, and whether they are so and no two of a
    row are the same: two bools, which are waited for."""
    if indices.size < 2:
        return True, True
    below, same = _order_counts(indptr, indices).get().reshape(-1, 2).sum(0).tolist()
    return below == 0, below == same == 0


@replayed
def _order_counts(indptr, indices):
    """Pairs of counts, that kernel count_order describes, to be added up."""
    counts = _counts(indices)
    _count_order[indptr.dtype](
        indptr=_core.ascontiguousarray(indptr),
        indices=_core.ascontiguousarray(indices),
        counts=counts,
        p=_tiles(indptr, indices.size),
    )
    return counts


@replayed
def _coo_order_counts(major, minor):
    counts = _counts(minor)
    _count_coo_order[minor.dtype](
        major=major, minor=minor, counts=counts, p=_tiles(minor, minor.size)
    )
    return counts


def _counts(x):
    pairs = _tiles_of(x, x.size) if _library.on_host(x) else 1
    return _core.zeros(2 * pairs, np.uint64)


# ---- sums ----------------------------------------------------------------------------


def sum_duplicates(indptr, indices, data):
    """One element for each index of a row, of the sum; `indices` are in order.

    The number of elements is waited for.
    """
    indptr, indices, data = map(_core.ascontiguousarray, (indptr, indices, data))
    if indices.size < 2:
        return indptr, indices, data
    counts = _order_counts(indptr, indices)
    n = indices.size - int(counts.get()[1::2].sum())
    if n == indices.size:
        return indptr, indices, data
    if not _library.on_host(data):
        major = expand(indptr, indices.size)
        (major, minor), sums = _summed((major, indices), data, n)
        return compress(major, indptr.size - 1), minor, sums
    with data.device:
        to = (
            _core.empty(indptr.size, indptr.dtype),
            _core.empty(n, indices.dtype),
            _core.empty(n, data.dtype),
        )
    _sum_by_rows(indptr, indices, data, counts, *to)
    return to


@replayed
def _sum_by_rows(indptr, indices, data, counts, indptr_to, indices_to, data_to):
    _sum_rows[indptr.dtype, data.dtype](
        indptr=indptr,
        indices=indices,
        data=data,
        counts=counts,
        indptr_to=indptr_to,
        indices_to=indices_to,
        data_to=data_to,
        p=_tiles(indptr, indices.size),
    )


def sum_coo(coords, data, shape=None):
    """Elements in C order of their coordinates, one for each place, of the sum.

    Parameters
    ----------
    coords : tuple of cupric.ndarray, shape (n,)
        Of one dtype.
    data : cupric.ndarray, shape (n,)
    shape : tuple of int, optional
        Of the array: where it is not passed, the largest coordinates may be waited for.

    Returns
    -------
    coords : tuple of cupric.ndarray
    data : cupric.ndarray
        Their number is waited for.
    """
    coords, data = (
        tuple(map(_core.ascontiguousarray, coords)),
        _core.ascontiguousarray(data),
    )
    if data.size < 2:
        return coords, data
    if len(coords) > 2:
        return _sum_in_order(coords, data)
    pair = coords if len(coords) == 2 else (coords[0], coords[0])
    below, same = _coo_order_counts(*pair).get().reshape(-1, 2).sum(0).tolist()
    if below:
        if shape is None:
            shape = tuple(int(c.max()) + 1 for c in coords)
        pair, data = _ordered(pair, data, shape)
        same = int(_coo_order_counts(*pair).get()[1::2].sum())
    if same:
        pair, data = _summed(pair, data, data.size - same)
    return pair[-len(coords) :], data


def _ordered(pair, data, shape):
    """Elements by major, then by minor."""
    major, minor = pair
    if major is not minor:
        minor, major, data = order_by_index(minor, major, data, shape[-1])
    major, minor, data = order_by_index(major, minor, data, shape[0])
    return (major, minor), data


def _summed(pair, data, n):
    """The sums of `n` runs of elements with the same coordinates."""
    with data.device:
        to = tuple(_core.empty(n, x.dtype) for x in pair)
        sums = _core.empty(n, data.dtype)
    if data.dtype != np.complex128:
        _sum_by_runs(*pair, data, *to, sums)
        return to, sums
    # A tile of such states has no room in shared memory: its parts, one by one.
    for of, into in ((data.real, sums.real), (data.imag, sums.imag)):
        with data.device:
            part = _core.empty(n, np.float64)
        _sum_by_runs(*pair, _core.ascontiguousarray(of), *to, part)
        into[...] = part
    return to, sums


@replayed
def _sum_by_runs(major, minor, data, major_to, minor_to, sums):
    s, workspace = plan_scan(_library, data, 1, data.size, 16)
    _sum_runs[minor.dtype, data.dtype](
        major=major,
        minor=minor,
        values=data,
        major_to=major_to,
        minor_to=minor_to,
        sums=sums,
        s=s,
        workspace=workspace,
    )


def _sum_in_order(coords, data):
    """Of any number of coordinates, and of any length."""
    order = order_by_key(*coords)
    coords, data = tuple(c[order] for c in coords), data[order]
    begins = _core.empty(data.size, bool, device=data.device)
    begins[0] = True
    begins[1:] = coords[0][1:] != coords[0][:-1]
    for c in coords[1:]:
        begins[1:] |= c[1:] != c[:-1]
    run = begins.cumsum()
    n = int(run[-1])
    if n == data.size:
        return coords, data
    (run, _), sums = _summed((run, run), data, n)
    return tuple(c[begins] for c in coords), sums


def eliminate_zeros(indptr, indices, data):
    """Without the elements that are zero; how many are left is waited for."""
    indptr, indices, data = map(_core.ascontiguousarray, (indptr, indices, data))
    indptr = indptr.astype(indices.dtype, copy=False)
    if data.size == 0:
        return indptr, indices, data
    counts = _nonzero_counts(indptr, data)
    n = int(counts.sum())
    if n == data.size:
        return indptr, indices, data
    with data.device:
        to = (
            _core.empty(indptr.size, indptr.dtype),
            _core.empty(n, indices.dtype),
            _core.empty(n, data.dtype),
        )
    _without_zeros(indptr, indices, data, counts, *to)
    return to


@replayed
def _nonzero_counts(indptr, data):
    p = _tiles(indptr, data.size, data)
    counts = _core.empty(_tiles_of(data, data.size), np.int64)
    _count_nonzero[indptr.dtype, WORDS[data.itemsize]](
        indptr=indptr, data=data, counts=counts, p=p
    )
    return counts


@replayed
def _without_zeros(indptr, indices, data, counts, indptr_to, indices_to, data_to):
    _keep_nonzero[indptr.dtype, WORDS[data.itemsize]](
        indptr=indptr,
        indices=indices,
        data=data,
        places=scan(counts, "sum", exclusive=True),
        indptr_to=indptr_to,
        indices_to=indices_to,
        data_to=data_to,
        p=_tiles(indptr, data.size, data),
    )


# ---- dense arrays --------------------------------------------------------------------


def to_dense(indptr, indices, data, out, canonical=None):
    """Write the matrix to an array.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    out : cupric.ndarray, shape (n_major, n_minor)
        Of the dtype of `data`, and of any strides: that of csc is ``out.T``.
    canonical : bool, optional
        Whether indices are in order and no two of a row the same; where it is not
        passed, that is looked up, and waited for.

    Returns
    -------
    cupric.ndarray
        `out`.
    """
    if canonical is None:
        canonical = order_of(indptr, indices)[1]
    if not canonical:
        return coo_to_dense((expand(indptr, indices.size), indices), data, out)
    return _put_rows(indptr, indices, data, out)


def coo_to_dense(coords, data, out, canonical=None):
    """Write elements in any order to an array of two axes: the sums of those that share
    a place. `canonical`: as of `to_dense`."""
    coords, data = (
        tuple(map(_core.ascontiguousarray, coords)),
        _core.ascontiguousarray(data),
    )
    if not canonical and _library.on_host(out):
        return _add_in_order(*coords, data, out)
    if not canonical:
        coords, data = sum_coo(coords, data, out.shape)
    return _put_coo(*coords, data, out)


@replayed
def _put_rows(indptr, indices, data, out):
    if _library.on_host(out):
        return _put(out, indptr=indptr, major=None, indices=indices, data=data)
    major = expand(indptr, indices.size)
    return _put(out, indptr=None, major=major, indices=indices, data=data)


@replayed
def _put_coo(major, minor, data, out):
    if _library.on_host(out):
        return _add(major, minor, data, out)
    return _put(out, indptr=None, major=major, indices=minor, data=data)


def _put(out, **arrays):
    out.fill(0)
    arrays = {
        k: x if x is None else _core.ascontiguousarray(x) for k, x in arrays.items()
    }
    n, data = arrays["indices"].size, arrays["data"]
    if n:
        _put_elements[arrays["indices"].dtype, WORDS[data.itemsize]](
            **arrays,
            out=out,
            p=_places(out, n),
            pieces=out.shape[0] if _library.on_host(out) else n,
        )
    return out


def _places(out, n):
    major_stride, minor_stride = (s // out.itemsize for s in out.strides)
    return _library.struct.dense_places(
        n_major=out.shape[0], n=n, major_stride=major_stride, minor_stride=minor_stride
    )


@replayed
def _add_in_order(major, minor, data, out):
    return _add(major, minor, data, out)


def _add(major, minor, data, out):
    out.fill(0)
    if data.size:
        _add_elements[minor.dtype, data.dtype](
            major=major,
            minor=minor,
            data=data,
            out=out,
            p=_places(out, data.size),
            pieces=cores_of(out.device) if data.size > _SHARE else 1,
        )
    return out


def from_dense(x, index_dtype=None):
    """The compressed form of what is not zero in an array.

    Parameters
    ----------
    x : cupric.ndarray, shape (n_major, n_minor)
        Of any strides.
    index_dtype : dtype, optional
        By default int32, where that holds all.

    Returns
    -------
    indptr, indices, data : cupric.ndarray
        Their number is waited for.
    """
    if not x.flags.c_contiguous and x.flags.f_contiguous and x.size:
        return transpose(*from_dense(x.T, index_dtype), x.shape[0])
    x = _core.ascontiguousarray(x)
    counts = _dense_counts(x) if x.size else None
    n = int(counts.sum()) if x.size else 0
    if index_dtype is None:
        fits = max(n, *x.shape) <= np.iinfo(np.int32).max
        index_dtype = np.int32 if fits else np.int64
    with x.device:
        if n == 0:
            indptr = _core.zeros(x.shape[0] + 1, index_dtype)
        else:
            indptr = _core.empty(x.shape[0] + 1, index_dtype)
        indices, data = _core.empty(n, index_dtype), _core.empty(n, x.dtype)
    if n:
        _nonzeros(x, counts, indptr, indices, data)
    return indptr, indices, data


def _dense_tiles(x):
    rows, columns = x.shape
    tiles = _tiles_of(x, x.size)
    return tiles, _library.struct.dense_tiles(
        rows=rows, columns=columns, tiles=tiles, mask=_mask(x.dtype)
    )


@replayed
def _dense_counts(x):
    tiles, p = _dense_tiles(x)
    counts = _core.empty(tiles, np.int64)
    _count_dense[WORDS[x.itemsize]](x=x, counts=counts, p=p)
    return counts


@replayed
def _nonzeros(x, counts, indptr, indices, data):
    _keep_dense[indptr.dtype, WORDS[x.itemsize]](
        x=x,
        places=scan(counts, "sum", exclusive=True),
        indptr=indptr,
        indices=indices,
        data=data,
        p=_dense_tiles(x)[1],
    )
