"""Systems of equations for the tests of solvers."""

import numpy as np

SQUARE = ("cg", "bicg", "bicgstab", "cgs", "qmr", "minres", "gmres", "lgmres")
LEAST_SQUARES = ("lsqr", "lsmr")


def random(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    return a.astype(dtype)


def matrix(solver, n, dtype, seed=0):
    """A well conditioned matrix of the kind that a solver takes."""
    a = random((n, n), dtype, seed) / 3
    if solver in ("cg", "minres"):
        a = a @ a.conj().T / n + 2 * np.eye(n)
        if solver == "minres":
            a = a * np.where(np.arange(n) % 3 == 0, -1, 1)
            a = (a + a.conj().T) / 2 + 0.1 * np.diag(np.sign(np.diag(a)))
    else:
        a = a + (2 + n**0.5) * np.eye(n)
    return a.astype(dtype)


def poisson(n):
    """The stencil of five points on a square of n x n points, in SciPy's csr."""
    import scipy.sparse as sp

    line = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    one = sp.eye_array(n)
    return (sp.kron(one, line) + sp.kron(line, one)).tocsr()
