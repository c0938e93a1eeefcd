"""Indexing of sparse matrices beside CuPy on a GPU, beside SciPy on the host.

A csr matrix of random float32 elements, as many in each row. A call that changes it
changes a copy, which is part of its time.
"""

import numpy as np

from measure import Case

BY_NAME = True
SIDE, PER_ROW = 1_000_000, 20
QUICK_SIDE, QUICK_PER_ROW = 1000, 5
ROWS = 100_000  # that are taken, and points
# At most, in microseconds.
DUE = {"A[idx]": 150, "A[:, a:b]": 500}


def numbers(side, n, seed=0):
    return np.random.default_rng(seed).integers(0, side, n)


def matrix(lib, side, per_row):
    rng = np.random.default_rng(0)
    indices = np.sort(rng.integers(0, side, (side, per_row), np.int32), axis=1)
    data = rng.random(side * per_row, np.float32)
    indptr = np.arange(0, side * per_row + 1, per_row, dtype=np.int32)
    arrays = tuple(lib.asarray(x) for x in (data, indices.ravel(), indptr))
    a = lib.sparse.csr_matrix(arrays, shape=(side, side))
    a.has_sorted_indices = True
    return a


def keys(side):
    """What is selected, by name: arrays of numbers are copied to the device."""
    part = slice(side // 5, side // 2)
    idx = numbers(side, min(ROWS, side // 10))
    i, j = numbers(side, (2, idx.size), seed=1)
    distinct = np.random.default_rng(2).permutation(side)[: side // 20]
    mask = np.random.default_rng(3).random(side) < 0.3
    yield "A[idx]", idx
    yield "A[:, a:b]", (slice(None), part)
    yield "A[a:b]", part
    yield "A[a:b, c:d]", (part, part)
    yield "A[::-1]", slice(None, None, -1)
    yield "A[:, ::2]", (slice(None), slice(None, None, 2))
    yield "A[:, distinct]", (slice(None), distinct)
    yield "A[:, idx]", (slice(None), idx)
    yield "A[mask]", mask
    yield "A[:, mask]", (slice(None), mask)
    yield "A[i]", side // 3
    yield "A[:, j]", (slice(None), side // 3)
    yield "A[i, j]", (i, j)


def moved(lib, key):
    if isinstance(key, tuple):
        return tuple(moved(lib, k) for k in key)
    return lib.asarray(key) if isinstance(key, np.ndarray) else key


def selection(key, side, per_row):
    def make(lib):
        a, k = matrix(lib, side, per_row), moved(lib, key)
        return lambda: a[k]

    return make


def diagonal(side, per_row):
    def make(lib):
        return matrix(lib, side, per_row).diagonal

    return make


def assignment(key, side, per_row):
    def make(lib):
        a, k = matrix(lib, side, per_row), moved(lib, key)

        def assign():
            b = a.copy()
            b[k] = 1
            return b

        return assign

    return make


def setdiag(side, per_row):
    def make(lib):
        a = matrix(lib, side, per_row)

        def assign():
            b = a.copy()
            b.setdiag(1)
            return b

        return assign

    return make


def cases(quick):
    side, per_row = (QUICK_SIDE, QUICK_PER_ROW) if quick else (SIDE, PER_ROW)
    size = f"{side:,} x {side:,}, {side * per_row:,} f"
    for name, key in keys(side):
        due = None if quick else DUE.get(name)
        yield Case(name, size, selection(key, side, per_row), due=due)
    yield Case("diagonal()", size, diagonal(side, per_row))
    n = min(300, side // 4)
    points = tuple(numbers(side, (2, min(ROWS, side // 10)), seed=4))
    block = slice(n, 2 * n), slice(0, n)
    for name, key in (("A[i, j] = 1", points), ("A[a:b, c:d] = 1", block)):
        yield Case(name, size, assignment(key, side, per_row))
    yield Case("setdiag(1)", size, setdiag(side, per_row))
