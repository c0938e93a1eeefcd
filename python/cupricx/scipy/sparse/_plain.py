"""Compositions that stand for kernels until these are there."""

import importlib
import sys

import numpy as np

from cupric import _core
from cupric._lib.algorithms import reduce_by_key, sort_by_key
from cupricx.scipy.sparse import _conversions

__all__ = [
    "arg_extreme",
    "standing_in",
    "extreme",
    "binary",
    "matmat",
    "matvec",
    "rmatmat",
    "rmatvec",
    "sparse_matmat",
    "sum_major",
    "sum_minor",
]


class standing_in:
    """A module, or what is here for what it has not."""

    def __init__(self, name):
        try:
            self.module = importlib.import_module(f"cupricx.scipy.sparse.{name}")
        except ImportError:
            self.module = None

    def __getattr__(self, name):
        return getattr(self.module, name, None) or getattr(sys.modules[__name__], name)


def _dense(a, n_minor):
    indptr, indices, data = a
    out = _core.zeros((indptr.size - 1, n_minor), data.dtype, device=data.device)
    return _conversions.to_dense(indptr, indices, data, out)


def matvec(indptr, indices, data, x, n_minor, out=None):
    return _dense((indptr, indices, data), n_minor) @ x


matmat = matvec


def rmatvec(indptr, indices, data, x, n_minor):
    return _dense((indptr, indices, data), n_minor).T @ x


rmatmat = rmatvec


def sparse_matmat(a, b, n_minor_b):
    n = b[0].size - 1
    return _cast(_conversions.from_dense(_dense(a, n) @ _dense(b, n_minor_b)), a)


def _cast(triple, like):
    indptr, indices, data = triple
    dtype = like[0].dtype
    return indptr.astype(dtype), indices.astype(dtype), data


_OPERATIONS = {
    "plus": lambda x, y: x + y,
    "minus": lambda x, y: x ^ y if x.dtype == bool else x - y,
    "multiply": lambda x, y: x * y,
    "maximum": _core.maximum,
    "minimum": _core.minimum,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "gt": lambda x, y: x > y,
    "le": lambda x, y: x <= y,
    "ge": lambda x, y: x >= y,
}


def binary(name, a, b, n_minor, dtype):
    made = _OPERATIONS[name](_dense(a, n_minor), _dense(b, n_minor)).astype(dtype)
    return _cast(_conversions.from_dense(made), a)


def sum_major(indptr, data, dtype):
    major = _conversions.expand(indptr, data.size)
    return _sums(major, data.astype(dtype), indptr.size - 1)


def sum_minor(indptr, indices, data, n_minor, dtype):
    minor, data = sort_by_key(indices, data.astype(dtype))
    return _sums(minor, data, n_minor)


def _sums(keys, data, n):
    out = _core.zeros(n, data.dtype, device=data.device)
    if keys.size:
        wide = np.float32 if data.dtype == np.float16 else data.dtype
        at, sums = reduce_by_key(keys, data.astype(wide, copy=False))
        out[at] = sums.astype(data.dtype)
    return out


_PAIRS = {
    "max": _core.maximum,
    "min": _core.minimum,
    "nanmax": _core.fmax,
    "nanmin": _core.fmin,
}


def extreme(kind, indptr, indices, data, n_minor, explicit):
    """The extreme of each row of a canonical matrix; 0 where it has no element."""
    pair = _PAIRS[kind]
    n = indptr.size - 1
    out = _core.zeros(n, data.dtype, device=data.device)
    if data.size == 0 or n == 0:
        return out
    counts = indptr[1:] - indptr[:-1]
    rows = _core.flatnonzero(counts)
    values = pair.reduceat(data, indptr[rows].astype(np.int64))
    out[rows] = values
    if explicit:
        return out
    return _core.where(
        counts < n_minor, pair(out, _core.zeros(n, data.dtype, device=data.device)), out
    )


def arg_extreme(kind, indptr, indices, data, n_minor, explicit):
    """Where the extreme of each row of a canonical matrix is."""
    n = indptr.size - 1
    found = np.zeros(n, np.int64)
    starts, columns, values = indptr.get(), indices.get(), data.get()
    better = np.greater if kind == "max" else np.less
    for i in range(n):
        c, v = columns[starts[i] : starts[i + 1]], values[starts[i] : starts[i + 1]]
        if c.size == 0:
            continue
        best = getattr(np, f"arg{kind}")(v)
        if explicit or better(v[best], 0) or c.size == n_minor:
            found[i] = c[best]
            continue
        differs = np.flatnonzero(c != np.arange(c.size))
        missing = differs[0] if differs.size else c.size
        found[i] = min(c[best], missing) if v[best] == 0 else missing
    return _core.array(found, device=data.device)
