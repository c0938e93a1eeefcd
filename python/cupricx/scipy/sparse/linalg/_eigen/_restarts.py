"""Restarts of Krylov decompositions, until the eigenvalues that are wanted converge.

Small matrices are NumPy's: a restart copies the new columns of H to the host, which is
the one wait for the device, and what is kept of the basis is a product of matrices.
"""

import numpy as np

import cupric as cp
from cupricx.scipy.sparse.linalg._eigen._errors import ArpackError

__all__ = ["iterate", "start_vector"]


def start_vector(krylov, v0, rng):
    """`v0`, or random numbers: without `rng` the same ones in each call."""
    if v0 is None:
        return _random_vector(krylov, 0 if rng is None else rng)
    v0 = cp.asarray(v0).reshape(-1)
    if v0.size != krylov.n:
        raise ValueError(
            f"v0 has {v0.size} elements: a vector of this matrix has {krylov.n}"
        )
    if v0.dtype.kind == "c" and krylov.dtype.kind != "c":
        raise ValueError("v0 is complex and the matrix is not")
    return v0.astype(krylov.dtype, copy=False)


def _random_vector(krylov, seed):
    rng = cp.random.default_rng(seed)
    vector = rng.uniform(-1, 1, krylov.n)
    if krylov.dtype.kind == "c":
        vector = vector + 1j * rng.uniform(-1, 1, krylov.n)
    return vector.astype(krylov.dtype, copy=False)


def iterate(krylov, k, ritz, tol, maxiter, v0):
    """Restart until `k` values converge.

    Parameters
    ----------
    krylov : Krylov
    k : int
    ritz : callable
        ``ritz(h)`` of H, (m, m), gives an object with ``values`` and ``vectors``, the
        eigenvalues of H and their eigenvectors as columns, the most wanted first, and
        ``kept(n)``: orthonormal columns that span about the first n of them.
    tol : float
        A residual's norm relative to its eigenvalue; 0 for the dtype's precision.
    maxiter : int
        Restarts at most.
    v0 : cupric.ndarray

    Returns
    -------
    values : numpy.ndarray, shape (k,)
    vectors : numpy.ndarray, shape (m, k)
        Eigenvectors as combinations of the rows of the basis.
    converged : numpy.ndarray of bool, shape (k,)
    """
    m = krylov.m
    wide = np.result_type(krylov.dtype, np.float64)
    eps = float(np.finfo(krylov.dtype).eps)
    h = np.zeros((m + 1, m), wide)
    krylov.start(v0)
    rows = 0
    for iteration in range(1, maxiter + 1):
        _fill(krylov, h, rows)
        found = ritz(h[:m])
        residuals = np.abs(h[m] @ found.vectors[:, :k])
        # Below the rounding error of H itself no residual means anything.
        least = eps * np.linalg.norm(h)
        wanted = (tol or eps) * np.abs(found.values[:k])
        converged = residuals <= np.maximum(wanted, least)
        if converged.all() or iteration == maxiter:
            break
        s = found.kept(_number_kept(k, m, int(converged.sum())))
        rows = s.shape[1]
        krylov.restart(s, m)
        kept, coupling = s.conj().T @ h[:m] @ s, h[m] @ s
        h[...] = 0
        h[:rows, :rows] = kept
        h[rows, :rows] = coupling
    return found.values[:k], found.vectors[:, :k], converged


def _number_kept(k, m, converged):
    """Of a basis of m vectors what a restart keeps. Half of those that are not wanted
    took the fewest products of all fractions tried, on Laplacians and random matrices,
    but for small bases, which need new vectors more."""
    half = (m - k) // 2
    return k + (half if half >= 16 else min(converged, half, m - 1 - k))


def _fill(krylov, h, rows):
    """Extend the basis to m vectors. Where it spans an invariant subspace, a random
    vector goes on, so that eigenvalues are found as often as they are there."""
    m = krylov.m
    while True:
        h[:, rows:], end = krylov.extend(rows)
        if not np.isfinite(h).all():
            raise ArpackError(
                "products with the matrix, or the starting vector, have infinities or "
                "NaNs"
            )
        if end == 1 and krylov.start_norm() == 0:
            raise ArpackError("the starting vector is zero")
        if end == m:
            return
        h[:, end:] = 0
        krylov.start(_random_vector(krylov, end), end)
        rows = end
