"""Conversions between formats, on their arrays."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import order_by_key, reduce_by_key, sort_by_key

__all__ = [
    "compress",
    "coo_to_compressed",
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


def expand(indptr, nnz):
    """The row of each stored element."""
    if nnz == 0 or indptr.size <= 1:
        return _core.empty(0, indptr.dtype, device=indptr.device)
    with indptr.device:
        each = _core.arange(nnz, dtype=indptr.dtype)
    return (_core.searchsorted(indptr, each, "right") - 1).astype(indptr.dtype)


def compress(major, n_major):
    """Where each row begins among the sorted rows of stored elements."""
    with major.device:
        rows = _core.arange(n_major + 1, dtype=major.dtype)
    return _core.searchsorted(major, rows).astype(major.dtype)


def coo_to_compressed(major, minor, data, n_major):
    """The compressed form of elements in any order; duplicates are kept."""
    major, minor, data = sort_by_key(major, minor, data)
    return compress(major, n_major), minor, data


def transpose(indptr, indices, data, n_minor):
    """The arrays of the other compressed form: indices are sorted."""
    major = expand(indptr, indices.size)
    return coo_to_compressed(indices, major, data, n_minor)


def sort_indices(indptr, indices, data):
    """Elements by their index in each row; equal ones stay in their order."""
    order = order_by_key(expand(indptr, indices.size), indices)
    return indices[order], data[order]


def _summed(keys, data):
    if data.dtype == bool:
        keys, data = reduce_by_key(keys, data.astype(np.int64))
        return keys, data != 0
    if data.dtype == np.float16:
        keys, sums = reduce_by_key(keys, data.astype(np.float32))
        return keys, sums.astype(np.float16)
    return reduce_by_key(keys, data)


def sum_duplicates(indptr, indices, data):
    """One element for each run of equal indices in a row, their sum."""
    if indices.size == 0:
        return indptr.copy(), indices.copy(), data.copy()
    (major, minor), sums = sum_sorted((expand(indptr, indices.size), indices), data)
    return compress(major, indptr.size - 1), minor, sums


def sum_sorted(coords, data):
    """One element for each run of equal coordinates."""
    begins = _core.empty(data.size, bool, device=data.device)
    begins[0] = True
    differs = coords[0][1:] != coords[0][:-1]
    for c in coords[1:]:
        differs |= c[1:] != c[:-1]
    begins[1:] = differs
    run = begins.cumsum()
    return tuple(c[begins] for c in coords), _summed(run, data)[1]


def sum_coo(coords, data):
    """Elements in the order of the last coordinate, then of those before it, each of
    the sum of those that share its place."""
    if data.size == 0:
        return tuple(c.copy() for c in coords), data.copy()
    order = order_by_key(*reversed(coords))
    return sum_sorted(tuple(c[order] for c in coords), data[order])


def eliminate_zeros(indptr, indices, data):
    """Without the elements that are zero."""
    kept = data != 0
    before = _core.zeros(data.size + 1, indptr.dtype, device=data.device)
    before[1:] = kept.cumsum()
    return before[indptr], indices[kept], data[kept]


def order_of(indptr, indices, n_minor):
    """Whether indices are sorted in each row, and whether sorted ones are distinct."""
    if indices.size < 2:
        return True, True
    major = expand(indptr, indices.size)
    same = major[1:] == major[:-1]
    is_sorted = not bool((same & (indices[1:] < indices[:-1])).any())
    equal = bool((same & (indices[1:] == indices[:-1])).any())
    return is_sorted, is_sorted and not equal


def to_dense(indptr, indices, data, out):
    """Write the matrix to `out`, (n_major, n_minor): the sums of duplicates."""
    out[...] = 0
    if indices.size == 0:
        return out
    coords, sums = sum_coo((indices, expand(indptr, indices.size)), data)
    out[coords[1], coords[0]] = sums
    return out


def from_dense(x):
    """The compressed form of what is not zero in `x`, (rows, columns)."""
    major, minor = x.nonzero()
    data = x[major, minor]
    most = max(*x.shape, major.size)
    dtype = np.int32 if most <= np.iinfo(np.int32).max else np.int64
    major, minor = major.astype(dtype), minor.astype(dtype)
    return compress(major, x.shape[0]), minor, data
