"""Sparse objects of SciPy's and ours that hold the same, and their comparison."""

import warnings

import numpy as np
import scipy.sparse

import cupric as cp
from cupricx.scipy import sparse

FORMATS = ("csr", "csc", "coo")
CLASSES = tuple(f"{f}_{kind}" for f in FORMATS for kind in ("array", "matrix"))
DTYPES = ("f8", "f4", "i4", "u1", "?", "F")
SHAPES = ((5, 7), (6, 6), (1, 1), (4, 0), (0, 3), (3, 1), (1, 5))


class Package:
    """The package of one side: its sparse classes, arrays and dense functions."""

    def __init__(self, sparse, arrays):
        self.sparse, self.xp = sparse, arrays

    def __getattr__(self, name):
        return getattr(self.sparse, name)

    def array(self, *args, **kwargs):
        return self.xp.array(*args, **kwargs)


THEIRS, OURS = Package(scipy.sparse, np), Package(sparse, cp)


def elements(shape, dtype="f8", seed=0, messy=True):
    """(data, row, column): where `messy`, in no order, some twice, some zero."""
    rng = np.random.default_rng(seed)
    n = max(1, shape[0] * shape[1] // 3) if 0 not in shape else 0
    flat = rng.choice(shape[0] * shape[1], n, replace=False)
    if messy:
        flat = np.concatenate([flat, flat[:3]])
    else:
        flat.sort()
    data = rng.integers(1, 6, flat.size) * rng.choice([-1, 1], flat.size)
    if messy and data.size > 1:
        data[1] = 0
    data = data.astype(complex) * (1 + 0.5j) if np.dtype(dtype).kind == "c" else data
    data = abs(data) if np.dtype(dtype).kind in "ub" else data
    width = max(shape[1], 1)
    return data.astype(dtype), flat // width, flat % width


def build(side, name, shape, arrays, index="i4"):
    """An object of one side, of the arrays as they are."""
    data, row, col = arrays
    cls = getattr(side, name)
    if name.startswith("coo"):
        coords = tuple(side.array(c.astype(index)) for c in (row, col))
        return cls((side.array(data), coords), shape=shape)
    csr = name.startswith("csr")
    major, minor = (row, col) if csr else (col, row)
    order = np.argsort(major, kind="stable")
    starts = np.searchsorted(major[order], np.arange(shape[0 if csr else 1] + 1))
    arrays = data[order], minor[order].astype(index), starts.astype(index)
    return cls(tuple(side.array(x) for x in arrays), shape=shape)


def pair(name, shape=(5, 7), dtype="f8", seed=0, messy=True, index="i4"):
    """SciPy's object and ours."""
    arrays = elements(shape, dtype, seed, messy)
    return tuple(build(side, name, shape, arrays, index) for side in (THEIRS, OURS))


def check(got, want, stored=False, where=""):
    """That a result of ours is SciPy's: format and kind, shape, dtype and elements, and
    where `stored`, the number of stored elements."""
    if scipy.sparse.issparse(want):
        assert sparse.issparse(got), (where, type(got))
        assert got.format == want.format, where
        is_array = isinstance(want, scipy.sparse.sparray)
        assert isinstance(got, sparse.sparray) == is_array, where
        assert isinstance(got, sparse.spmatrix) != is_array, where
        if stored:
            assert got.nnz == want.nnz, where
        if got.format in ("csr", "csc"):
            assert_order(got, where)
        got, want = got.get().toarray(), want.toarray()
    elif isinstance(want, (np.ndarray, np.generic)):
        assert isinstance(got, cp.ndarray), (where, type(got))
        got, want = got.get(), np.asarray(want)
    else:
        assert got == want, where
        return
    assert got.shape == want.shape, where
    assert got.dtype == want.dtype, (where, got.dtype, want.dtype)
    np.testing.assert_allclose(
        got, want, rtol=2e-6, atol=1e-7 if want.dtype.kind in "fc" else 0, err_msg=where
    )


def assert_order(got, where=""):
    """What an object knows of the order of its indices is so."""
    known = got._has_sorted_indices, got._has_canonical_format
    got._know()
    got._find_order()
    found = got._has_sorted_indices, got._has_canonical_format
    for k, f in zip(known, found, strict=True):
        assert k is None or k <= f, (where, known, found)


def outcome(f, side, args):
    """(result, None) or (None, error)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return f(side, *args), None
        except Exception as error:
            return None, error


def check_call(f, *pairs, stored=False, where=""):
    """That a function of (package, objects) does the same with both sides, also where
    it raises an error."""
    want, error = outcome(f, THEIRS, [p[0] for p in pairs])
    got, ours = outcome(f, OURS, [p[1] for p in pairs])
    if error is not None:
        assert ours is not None, (where, error)
        assert isinstance(error, type(ours)), (where, error, ours)
        return
    assert ours is None, (where, ours)
    check(got, want, stored, where)


def dense(values):
    """The array of both sides."""
    return values, cp.asarray(values)
