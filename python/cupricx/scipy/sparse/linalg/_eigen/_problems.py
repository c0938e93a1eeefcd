"""Eigenvalue problems as operators, with shifts and matrices of an inner product."""

import operator
import warnings

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse.linalg._direct._host import device_of
from cupricx.scipy.sparse.linalg._direct._inverses import inverse
from cupricx.scipy.sparse.linalg._interface import aslinearoperator

__all__ = [
    "Problem",
    "checked_number",
    "dtype_of",
    "full",
    "of_subspace",
    "problem",
    "restarts",
]

# Vectors of a basis: many, as few restarts take fewer products with the matrix, and on
# a GPU the work for a vector of usual length is its launches; but few where memory is
# short.
_USUAL, _LEAST, _BYTES = 64, 20, 2 << 30


class Problem:
    """``apply(x) = w * x`` with an inner product ``<x, mass(y)>``.

    Attributes
    ----------
    device : cupric.cuda.Device
    n : int
    dtype : numpy.dtype
    apply : callable
    mass : callable or None
    back : callable
        Eigenvalues of the problem as it was, of those of `apply`.
    """

    def __init__(self, device, n, dtype):
        self.device, self.n, self.dtype = device, n, np.dtype(dtype)
        self.mass = None
        self.back = lambda values: values


def dtype_of(*matrices):
    """The dtype that is computed in: that of the matrices if it is one of LAPACK's."""
    dtypes = [m.dtype for m in matrices if getattr(m, "dtype", None) is not None]
    dtype = np.result_type(*dtypes) if dtypes else np.dtype(np.float64)
    if dtype.kind not in "biufc":
        raise TypeError(f"eigenvalues of matrices of {dtype}")
    if dtype == np.float16:
        return np.dtype(np.float32)
    return dtype if dtype.char in "fdFD" else np.dtype(np.float64)


def checked(a, name, n=None):
    """A matrix, as an object with a shape and ``@``."""
    if not isinstance(a, _core.ndarray) and not issparse(a):
        a = aslinearoperator(a)
    shape = tuple(a.shape)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"{name} must be a square matrix: its shape is {shape}")
    if n is not None and shape[0] != n:
        raise ValueError(f"{name} is {shape}, and the matrix {(n, n)}")
    return a


def problem(a, M=None, sigma=None, Minv=None, OPinv=None, mode="normal"):
    a = checked(a, "a")
    n = a.shape[0]
    M, Minv, OPinv = (
        x if x is None else checked(x, name, n)
        for name, x in (("M", M), ("Minv", Minv), ("OPinv", OPinv))
    )
    dtype = dtype_of(*(x for x in (a, M) if x is not None))
    if sigma is not None and np.iscomplexobj(sigma):
        dtype = np.result_type(dtype, np.complex64)
    p = Problem(device_of(a), n, dtype)
    has_elements = isinstance(a, _core.ndarray) or issparse(a)
    p.a = a.astype(dtype, copy=False) if has_elements else a
    p.m = M
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {', '.join(_MODES)}, not {mode!r}")
    with p.device:
        if sigma is None:
            _without_shift(p, Minv, OPinv, mode)
        else:
            _with_shift(p, sigma, Minv, OPinv, mode)
    return p


def _without_shift(p, Minv, OPinv, mode):
    if mode != "normal":
        raise ValueError(f"mode={mode!r} needs sigma")
    if OPinv is not None:
        raise ValueError("OPinv is the inverse of A - sigma M, and sigma is None")
    if p.m is None:
        if Minv is not None:
            raise ValueError("Minv is the inverse of M, and M is None")
        p.apply = lambda x: p.a @ x
        return
    solve = (lambda x: Minv @ x) if Minv is not None else inverse(p.m, None, 0, p.dtype)
    p.apply = lambda x: solve(p.a @ x)
    p.mass = lambda x: p.m @ x


def _with_shift(p, sigma, Minv, OPinv, mode):
    if Minv is not None:
        raise ValueError("with sigma, Minv has no use: OPinv is the inverse that it is")
    if OPinv is None:
        solve = inverse(p.a, p.m, sigma, p.dtype)
    else:
        solve = lambda x: OPinv @ x  # noqa: E731
    _MODES[mode](p, solve, sigma)


def _times(matrix, x):
    return x if matrix is None else matrix @ x


def _normal(p, solve, sigma):
    p.apply = lambda x: solve(_times(p.m, x))
    if p.m is not None:
        p.mass = lambda x: p.m @ x
    p.back = lambda values: sigma + 1 / values


def _buckling(p, solve, sigma):
    p.apply = lambda x: solve(p.a @ x)
    p.mass = lambda x: p.a @ x
    p.back = lambda values: sigma * values / (values - 1)


def _cayley(p, solve, sigma):
    p.apply = lambda x: solve(p.a @ x + sigma * _times(p.m, x))
    if p.m is not None:
        p.mass = lambda x: p.m @ x
    p.back = lambda values: sigma * (values + 1) / (values - 1)


_MODES = {"normal": _normal, "buckling": _buckling, "cayley": _cayley}


def restarts(maxiter, n):
    if maxiter is None:
        return 10 * n
    if maxiter <= 0:
        raise ValueError(f"maxiter must be positive, not {maxiter}")
    return operator.index(maxiter)


def checked_number(k, n, a, name, spare=1):
    """k, which is at most n - `spare` but for arrays, of which all can be found."""
    k = operator.index(k)
    if k <= 0:
        raise ValueError(f"k={k} must be greater than 0")
    if k > n - spare and not isinstance(a, _core.ndarray):
        raise TypeError(
            f"{name} finds up to n - {spare} of n eigenvalues: k={k}, and n={n}; pass "
            "a dense array (A.toarray())"
        )
    return k


def of_subspace(ncv, k, n, least):
    """How many vectors a basis has."""
    if ncv is None:
        ncv = max(2 * k + 1, min(k + _USUAL, max(_LEAST, _BYTES // (16 * n))))
        return max(min(ncv, n), least)
    ncv = operator.index(ncv)
    if not least <= ncv <= n:
        raise ValueError(f"ncv={ncv} must be from {least} to {n}, for k={k}")
    return ncv


def full(solve, solve_values, p, a, M, return_eigenvectors):
    """All eigenvalues of an array."""
    if M is not None:
        raise TypeError(f"k must be below {p.n} where M is given")
    warnings.warn(
        "k is so large that all eigenvalues are found, by a function of cupric.linalg",
        RuntimeWarning,
        stacklevel=3,
    )
    a = a.astype(p.dtype, copy=False)
    return solve(a) if return_eigenvectors else solve_values(a)
