"""Iterative solvers of `scipy.sparse.linalg` beside CuPy on a GPU, SciPy on the host.

A fixed number of iterations on the stencil of five points of a square: what an
iteration takes, not how many there are.
"""

import importlib

import numpy as np

from measure import Case

BY_NAME = True
SIDES = (100, 1000)  # of the square
QUICK_SIDES = (10,)
# Of a million points in float64, at most, in microseconds: for as many iterations.
DUE = {"cg": 2000, "gmres": 4000, "lsmr": 5000}
STEPS = {"cg": 50, "gmres": 40, "lsmr": 50}
OTHERS = ("bicgstab", "cgs", "minres")
RESTART = 20


def stencil(lib, side, dtype):
    """The matrix of Poisson's equation, in csr."""
    n = side * side
    i = np.arange(n).reshape(side, side)
    pairs = [(i[1:], i[:-1]), (i[:-1], i[1:]), (i[:, 1:], i[:, :-1])]
    pairs += [(i[:, :-1], i[:, 1:]), (i, i)]
    rows = np.concatenate([a.ravel() for a, _ in pairs])
    columns = np.concatenate([b.ravel() for _, b in pairs])
    values = np.full(len(rows), -1, dtype)
    values[-n:] = 4
    indices = (lib.asarray(rows.astype("i")), lib.asarray(columns.astype("i")))
    return lib.sparse.coo_matrix((lib.asarray(values), indices), (n, n)).tocsr()


def arguments(solver, lib):
    """Those with which a solver goes on for as many iterations as it is asked."""
    steps = STEPS.get(solver, 50)
    if solver == "lsmr":
        return {"maxiter": steps, "atol": 0, "btol": 0, "conlim": 0}
    if solver == "minres":
        return {"maxiter": steps, "tol" if lib.name != "numpy" else "rtol": 0}
    if solver == "gmres":
        cycles = steps if lib.name == "cupy" else steps // RESTART
        return {"maxiter": cycles, "restart": RESTART, "rtol": 0}
    return {"maxiter": steps, "rtol": 0}


def of(solver, side, dtype):
    """`make` of a case."""

    def make(lib):
        a = stencil(lib, side, dtype)
        b = lib.asarray(np.random.default_rng(0).random(side * side).astype(dtype))
        linalg = importlib.import_module(f"{lib.sparse.__name__}.linalg")
        solve, kwargs = getattr(linalg, solver), arguments(solver, lib)
        return lambda: solve(a, b, **kwargs)

    return make


def cases(quick):
    for side in QUICK_SIDES if quick else SIDES:
        for solver in (*STEPS, *OTHERS):
            for dtype in (np.float32, np.float64):
                size = f"{side} x {side} {np.dtype(dtype).char}"
                large = side == 1000 and dtype == np.float64
                due = {"due": DUE[solver]} if large and solver in DUE else {}
                what = f"{solver}, {STEPS.get(solver, 50)} iterations"
                yield Case(what, size, of(solver, side, dtype), **due)
