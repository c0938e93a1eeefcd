"""Eigenvalues of Hermitian matrices, by Lanczos' method with thick restarts."""

import numpy as np

import cupric as cp
from cupricx.scipy.sparse.linalg._eigen._errors import no_convergence
from cupricx.scipy.sparse.linalg._eigen._krylov import Krylov
from cupricx.scipy.sparse.linalg._eigen._problems import (
    checked_number,
    full,
    of_subspace,
    problem,
    restarts,
)
from cupricx.scipy.sparse.linalg._eigen._restarts import iterate, start_vector

__all__ = ["eigsh", "hermitian_pairs"]


def _both_ends(values):
    """The most wanted first: the largest, the smallest, the second largest, …"""
    order = np.argsort(values)
    turns = np.empty_like(order)
    half = -(-len(order) // 2)
    turns[::2] = order[::-1][:half]
    turns[1::2] = order[: len(order) - half]
    return turns


_ORDERS = {
    "LM": lambda values: np.argsort(-np.abs(values), kind="stable"),
    "SM": lambda values: np.argsort(np.abs(values), kind="stable"),
    "LA": lambda values: np.argsort(-values, kind="stable"),
    "SA": lambda values: np.argsort(values, kind="stable"),
    "BE": _both_ends,
}


class _Ritz:
    def __init__(self, h, which):
        values, vectors = np.linalg.eigh(h, UPLO="U")
        order = _ORDERS[which](values)
        self.values, self.vectors = values[order], vectors[:, order]

    def kept(self, n):
        return self.vectors[:, :n]


def eigsh(
    a,
    k=6,
    M=None,
    sigma=None,
    which="LM",
    v0=None,
    ncv=None,
    maxiter=None,
    tol=0,
    return_eigenvectors=True,
    Minv=None,
    OPinv=None,
    mode="normal",
    rng=None,
):
    """Find `k` eigenvalues and eigenvectors of a Hermitian matrix.

    Solves ``A @ x = w * x``, or ``A @ x = w * (M @ x)``.

    Parameters
    ----------
    a : cupric.ndarray, sparse matrix or LinearOperator, shape (n, n)
        The Hermitian matrix A.
    k : int, optional
        The number of eigenvalues, below n.
    M : cupric.ndarray, sparse matrix or LinearOperator, shape (n, n), optional
        A Hermitian positive-definite matrix; of ``mode='buckling'`` any Hermitian one,
        where `a` is positive-definite.
    sigma : float, optional
        Find the eigenvalues near `sigma`, by equations with ``A - sigma * M``. `which`
        is about ``1 / (w - sigma)`` then.
    which : {'LM', 'SM', 'LA', 'SA', 'BE'}, optional
        The largest or smallest in magnitude, the largest or smallest, or half from both
        ends, with the odd one from the upper.
    v0 : cupric.ndarray, shape (n,), optional
        Where the iteration starts; random numbers by default, the same in each call.
    ncv : int, optional
        Vectors of the basis, above `k` and at most n.
    maxiter : int, optional
        Restarts at most, by default ``10 * n``.
    tol : float, optional
        Relative accuracy of the eigenvalues; 0 for that of the dtype.
    return_eigenvectors : bool, optional
    Minv : cupric.ndarray, sparse matrix or LinearOperator, optional
        The inverse of `M`, for ``sigma=None``.
    OPinv : cupric.ndarray, sparse matrix or LinearOperator, optional
        The inverse of ``A - sigma * M``.
    mode : {'normal', 'buckling', 'cayley'}, optional
        What is made of the problem with `sigma`, as in SciPy.
    rng : int or cupric.random.Generator, optional
        Where the random numbers come from.

    Returns
    -------
    w : cupric.ndarray, shape (k,)
        In ascending order.
    v : cupric.ndarray, shape (n, k)
        The eigenvectors as columns; with `return_eigenvectors`.

    Raises
    ------
    ArpackNoConvergence
        After `maxiter` restarts; it has what had converged.

    Notes
    -----
    By Lanczos' method with thick restarts (Wu and Simon 2000); each vector is made
    orthogonal to all others, twice. It waits for the device once a restart. The basis
    takes ``(ncv + 1) * n`` elements.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import eigsh
    >>> w, v = eigsh(cp.diag(cp.arange(100.0)), k=2)
    >>> cp.round(w, 6)
    array([98., 99.])
    """
    if which not in _ORDERS:
        raise ValueError(f"which must be one of {', '.join(_ORDERS)}, not {which!r}")
    p = problem(a, M, sigma, Minv, OPinv, mode)
    with p.device:
        k = checked_number(k, p.n, a, "eigsh")
        if k >= p.n:
            return full(
                cp.linalg.eigh, cp.linalg.eigvalsh, p, a, M, return_eigenvectors
            )
        start = v0, rng
        w, v = hermitian_pairs(
            p, k, which, start, ncv, maxiter, tol, return_eigenvectors
        )
        return (w, v) if return_eigenvectors else w


def hermitian_pairs(p, k, which, start, ncv, maxiter, tol, vectors=True):
    """Eigenvalues of a `Problem` in ascending order, and vectors, or None. `start`: the
    starting vector and `rng`."""
    m = of_subspace(ncv, k, p.n, k + 1)
    krylov = Krylov(p.device, p.n, m, p.dtype, p.apply, p.mass)
    maxiter = restarts(maxiter, p.n)
    values, s, converged = iterate(
        krylov, k, lambda h: _Ritz(h, which), tol, maxiter, start_vector(krylov, *start)
    )
    if not converged.all():
        w, v = _ascending(krylov, p, values[converged], s[:, converged])
        raise no_convergence(int(converged.sum()), k, maxiter, w, v)
    return _ascending(krylov, p, values, s if vectors else None)


def _ascending(krylov, p, values, s):
    values = p.back(values)
    order = np.argsort(values, kind="stable")
    real = np.finfo(p.dtype).dtype
    w = cp.asarray(values[order].astype(real))
    return w, None if s is None else krylov.combine(s[:, order]).T
