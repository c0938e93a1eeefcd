"""Eigenvalues, and equations with factors, beside CuPy on a GPU, SciPy on the host.

Of the stencil of five points of a square, to the precision of the dtype, and singular
values of a random matrix.
"""

import importlib

import numpy as np

from bench_sparse_solvers import stencil
from measure import Case

BY_NAME = True
SIDE, QUICK_SIDE = 100, 20  # of the square
SHAPE, QUICK_SHAPE = (10_000, 2000), (100, 60)
PER_ROW = 20
FACTORED = 300  # side of the square that is factored
DUE = {"eigsh": 60_000, "svds": 60_000, "spsolve": 20_000}  # at most, in microseconds


def linalg(lib):
    return importlib.import_module(f"{lib.sparse.__name__}.linalg")


def eigenvalues(which, side):
    def make(lib):
        a, eigsh = stencil(lib, side, np.float64), linalg(lib).eigsh
        return lambda: eigsh(a, k=6, which=which)

    return make


def random_matrix(lib, shape):
    rng = np.random.default_rng(0)
    n = shape[0] * PER_ROW
    arrays = (
        rng.random(n),
        rng.integers(0, shape[1], n, np.int32),
        np.arange(0, n + 1, PER_ROW, dtype=np.int32),
    )
    a = lib.sparse.csr_matrix(tuple(lib.asarray(x) for x in arrays), shape=shape)
    a.sum_duplicates()
    return a


def singular_values(shape):
    def make(lib):
        a, svds = random_matrix(lib, shape), linalg(lib).svds
        return lambda: svds(a, k=6)

    return make


def triangle(side, columns):
    """The lower triangle of the stencil: rows wait for their neighbours."""

    def make(lib):
        a = stencil(lib, side, np.float64)
        b = lib.asarray(np.ones((side * side, columns)))
        solve = linalg(lib).spsolve_triangular
        return lambda: solve(a, b, lower=True)

    return make


def factored(side):
    def make(lib):
        a = stencil(lib, side, np.float64).tocsc()
        b = lib.asarray(np.ones(side * side))
        lu = linalg(lib).splu(a)
        return lambda: lu.solve(b)

    return make


def solution(side):
    def make(lib):
        a = stencil(lib, side, np.float64)
        b = lib.asarray(np.ones(side * side))
        solve = linalg(lib).spsolve
        return lambda: solve(a, b)

    return make


def cases(quick):
    side = QUICK_SIDE if quick else SIDE
    shape = QUICK_SHAPE if quick else SHAPE
    size = f"{side} x {side} d"
    due = {} if quick else DUE
    yield Case("eigsh(A, k=6)", size, eigenvalues("LM", side), due=due.get("eigsh"))
    yield Case("eigsh(A, which='SA')", size, eigenvalues("SA", side))
    rows, columns = shape
    what = singular_values(shape)
    yield Case("svds(A, k=6)", f"{rows:,} x {columns:,} d", what, due=due.get("svds"))
    yield Case("spsolve(A, b)", size, solution(side), due=due.get("spsolve"))
    side = QUICK_SIDE if quick else FACTORED
    size = f"{side} x {side} d"
    for k in (1, 64):
        yield Case(f"spsolve_triangular, {k} columns", size, triangle(side, k))
    yield Case("splu(A).solve(b)", size, factored(side))
