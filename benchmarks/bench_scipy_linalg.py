"""`scipy.linalg` beside CuPy on a GPU, beside SciPy on the host: LU factors, triangular
equations, exponentials and special matrices.

`share` counts what has to cross the memory bus: the matrices read and the results
written, once each.
"""

import numpy as np

from measure import Case

BY_NAME = True
SIZES = ((8,), (100,), (1000,), (1000, 8))
QUICK_SIZES = ((8,), (50,), (20, 8))


def matrices(shape):
    """Square matrices, far from singular; of two lengths a stack."""
    n = shape[-1]
    a = np.random.default_rng(0).standard_normal((*shape, n)) / n
    return a + 2 * np.eye(n)


def lu_factor(lib, a, shape):
    return lambda: lib.linalg.lu_factor(a)


def lu(lib, a, shape):
    return lambda: lib.linalg.lu(a)


def lu_solve(lib, a, shape):
    factors, b = lib.linalg.lu_factor(a), lib.asarray(np.ones(shape[-1]))
    return lambda: lib.linalg.lu_solve(factors, b)


def solve_triangular(lib, a, shape):
    b = lib.asarray(np.ones(shape[-1]))
    return lambda: lib.linalg.solve_triangular(a, b)


def solve_triangular_columns(lib, a, shape):
    b = lib.asarray(matrices(shape))
    return lambda: lib.linalg.solve_triangular(a, b)


def expm(lib, a, shape):
    return lambda: lib.linalg.expm(a)


def toeplitz(lib, a, shape):
    c = lib.asarray(np.arange(float(shape[-1])))
    return lambda: lib.linalg.toeplitz(c)


def hadamard(lib, a, shape):
    n = 1 << (shape[-1] - 1).bit_length()
    return lambda: lib.linalg.hadamard(n)


def khatri_rao(lib, a, shape):
    b = lib.asarray(np.ones((4, shape[-1])))
    return lambda: lib.linalg.khatri_rao(a, b)


def block_diag(lib, a, shape):
    return lambda: lib.linalg.block_diag(a, a)


STACKED = (lu_factor, lu, lu_solve, solve_triangular, solve_triangular_columns, expm)
ONE = (toeplitz, hadamard, khatri_rao, block_diag)


def of(call, shape):
    def make(lib):
        return call(lib, lib.asarray(matrices(shape)), shape)

    return make


def cases(quick):
    for shape in QUICK_SIZES if quick else SIZES:
        for call in STACKED + (ONE if len(shape) == 1 else ()):
            full = (*shape, shape[-1])
            size = " x ".join(map(str, full))
            nbytes = 2 * 8 * int(np.prod(full))
            yield Case(f"linalg.{call.__name__}", size, of(call, shape), nbytes)
