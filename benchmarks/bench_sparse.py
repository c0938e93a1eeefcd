"""`scipy.sparse` beside CuPy on a GPU, beside SciPy on the host.

Matrices are 1e6 x 1e6, with 2e7 random float32 elements, but where a row says else.
`share` counts what has to cross the memory bus: arrays read and results written, each
once. `due` is the aim for a GPU.
"""

import functools

import numpy as np

from measure import Case

BY_NAME = True
SIZE, QUICK_SIZE = (1_000_000, 20_000_000), (1000, 20_000)  # rows, elements
DENSE_SIZE, QUICK_DENSE_SIZE = (20_000, 400_000), (200, 400)
COLUMNS = 32  # of dense matrices
ELEMENT = 8  # bytes: an index and a number


@functools.cache
def places(n, count, seed):
    """Where `count` elements of a matrix (n, n) are, in the order of rows; a few less,
    as none is there twice."""
    rng = np.random.default_rng(seed)
    keys = np.unique(rng.integers(0, n * n, count))
    rows, columns = np.divmod(keys, n)
    values = rng.random(keys.size, np.float32)
    return rows.astype(np.int32), columns.astype(np.int32), values


def matrix(lib, n, count, seed=0):
    """A csr_matrix of random elements."""
    rows, columns, values = places(n, count, seed)
    indptr = np.searchsorted(rows, np.arange(n + 1)).astype(np.int32)
    arrays = tuple(lib.asarray(x) for x in (values, columns, indptr))
    A = lib.sparse.csr_matrix(arrays, shape=(n, n))
    A.has_canonical_format = True
    return A


def of(call, n, count):
    """`make` of a case: `call(A, B)`, of two matrices, gives what is measured."""

    def make(lib):
        return call(*(matrix(lib, n, count, seed) for seed in (0, 1)), lib)

    return make


def vector(A, lib):
    return lib.asarray(np.random.default_rng(3).random(A.shape[1], np.float32))


def taken(A, lib):
    n = A.shape[0]
    return lib.asarray(np.random.default_rng(4).integers(0, n, n // 10))


def product(A, lib):
    x = vector(A, lib)
    return lambda: A @ x


def transposed_product(A, lib):
    x, B = vector(A, lib), A.T
    return lambda: B @ x


def tall(A, lib):
    """A dense matrix of as many rows as A has columns."""
    rng = np.random.default_rng(5)
    return lib.asarray(rng.random((A.shape[1], COLUMNS), np.float32))


def matrix_product(A, lib):
    X = tall(A, lib)
    return lambda: A @ X


def product_from_the_left(A, lib):
    X = tall(A, lib).T
    return lambda: X @ A


def selection(A, lib):
    idx = taken(A, lib)
    return lambda: A[idx]


# What, the call of (A, B, lib), elements that cross the bus, and its aim in ms.
CALLS = [
    ("A + A.T", lambda A, B, lib: lambda: A + A.T, 4, 1.5),
    ("A + B", lambda A, B, lib: lambda: A + B, 4, None),
    ("A - B", lambda A, B, lib: lambda: A - B, 4, None),
    ("A + A", lambda A, B, lib: lambda: A + A, 2, None),
    ("A.multiply(B)", lambda A, B, lib: lambda: A.multiply(B), 2, 0.8),
    ("A.multiply(A)", lambda A, B, lib: lambda: A.multiply(A), 2, None),
    ("A.maximum(B)", lambda A, B, lib: lambda: A.maximum(B), 4, None),
    ("A != B", lambda A, B, lib: lambda: A != B, 4, None),
    ("A.sum(axis=0)", lambda A, B, lib: lambda: A.sum(axis=0), 1, None),
    ("A.sum(axis=1)", lambda A, B, lib: lambda: A.sum(axis=1), 0.5, None),
    ("A.mean(axis=1)", lambda A, B, lib: lambda: A.mean(axis=1), 0.5, None),
    ("A.max(axis=0)", lambda A, B, lib: lambda: A.max(axis=0), 1, None),
    ("A.max(axis=1)", lambda A, B, lib: lambda: A.max(axis=1), 0.5, None),
    ("A @ v", lambda A, B, lib: product(A, lib), 1, 0.16),
    ("A.T @ v", lambda A, B, lib: transposed_product(A, lib), 1, 0.25),
    ("A @ V", lambda A, B, lib: matrix_product(A, lib), 7.4, 2),
    ("V.T @ A", lambda A, B, lib: product_from_the_left(A, lib), 7.4, 3),
    ("A.tocsc()", lambda A, B, lib: lambda: A.tocsc(), 2, 1.4),
    ("A[idx]", lambda A, B, lib: selection(A, lib), 0.2, 0.15),
]


def of_coo(n, count, call):
    """Elements in no order."""

    def make(lib):
        order = np.random.default_rng(2).permutation(len(places(n, count, 0)[0]))
        i, j, x = (lib.asarray(a[order]) for a in places(n, count, 0))
        A = lib.sparse.coo_matrix((x, (i, j)), shape=(n, n))
        return lambda: call(A)

    return make


def without_duplicates(A):
    A = A.copy()
    A.sum_duplicates()
    return A


def of_dense(n, count):
    def make(lib):
        A = matrix(lib, n, count)
        return lambda: A.toarray()

    return make


def squared(A, B, lib):
    return lambda: A @ A


def cases(quick):
    n, count = QUICK_SIZE if quick else SIZE
    size = f"{n} x {n}, {count} elements"
    for what, call, elements, due in CALLS:
        nbytes = int(elements * count * ELEMENT)
        aim = None if due is None or quick else 1000 * due
        yield Case(what, size, of(call, n, count), nbytes, due=aim)
    aim = None if quick else 3000
    for what, call in (
        ("coo.tocsr()", lambda A: A.tocsr()),
        ("coo.copy().sum_duplicates()", without_duplicates),
    ):
        yield Case(what, size, of_coo(n, count, call), 5 * count * 4, due=aim)
    n, count = QUICK_DENSE_SIZE if quick else DENSE_SIZE
    size = f"{n} x {n}, {count} elements"
    aim = None if quick else 1000
    yield Case("toarray()", size, of_dense(n, count), 4 * n * n, due=aim)
    aim = None if quick else 1400
    yield Case("A @ A", size, of(squared, n, count), due=aim)
