"""Eigenvalues of any square matrices, by Arnoldi's method with restarts."""

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

__all__ = ["eigs"]

# The keys by which eigenvalues are ascending, the most wanted first. Those of a real
# matrix come in pairs, whose imaginary parts are of one size.
_KEYS = {
    "LM": lambda values, real: -np.abs(values),
    "SM": lambda values, real: np.abs(values),
    "LR": lambda values, real: -values.real,
    "SR": lambda values, real: values.real,
    "LI": lambda values, real: -np.abs(values.imag) if real else -values.imag,
    "SI": lambda values, real: np.abs(values.imag) if real else values.imag,
}


class _Ritz:
    """Eigenvalues of H, and bases of spaces that H maps into themselves.

    A base is made of eigenvectors, which is as good as Schur's form where they are far
    from dependent; `_refine` mends it where they are not.
    """

    def __init__(self, h, which):
        self.h = h
        self.real = not np.iscomplexobj(h)
        values, vectors = np.linalg.eig(h)
        values = values.astype(np.complex128, copy=False)
        keys = _KEYS[which](values, self.real)
        # Conjugates stay neighbours, the one with a positive imaginary part first.
        order = np.lexsort((-values.imag, np.abs(values.imag), values.real, keys))
        if self.real:
            order = _pairs_together(values, order)
        self.values = values[order]
        self.vectors = vectors.astype(np.complex128, copy=False)[:, order]

    def kept(self, n):
        m = len(self.h)
        if self.real and n < m and self.values[n - 1].imag > 0:
            n = n + 1 if n + 1 < m else n - 1  # a pair is kept whole
        columns = self.vectors[:, :n]
        if self.real:
            imag = self.values[:n].imag
            # A pair's space is that of the real and the imaginary part.
            columns = np.where(imag < 0, columns.imag, columns.real)
        return _refine(self.h, np.linalg.qr(columns)[0])


def _pairs_together(values, order):
    """The order with each conjugate behind its eigenvalue, whatever rounding made of
    their keys."""
    place = {complex(values[i]): i for i in order}
    result, seen = [], set()
    for i in order:
        if i in seen:
            continue
        twin = place.get(complex(values[i].conjugate()), i)
        pair = (i, twin) if values[i].imag >= 0 else (twin, i)
        fresh = [j for j in dict.fromkeys(pair) if j not in seen]
        result += fresh
        seen.update(fresh)
    return np.array(result)


def _refine(h, q):
    """Orthonormal columns that span a space which `h` maps into itself, of some that
    nearly do: steps of Newton's method, each a Sylvester equation."""
    size = np.abs(h).max()
    p = q.shape[1]
    for _ in range(3):
        whole = np.linalg.qr(np.hstack([q, np.eye(len(q))]))[0]
        rest = whole[:, p:]
        wrong = rest.conj().T @ h @ q
        if np.abs(wrong).max(initial=0) <= 1e-15 * len(h) * size:
            break
        step = _sylvester(rest.conj().T @ h @ rest, q.conj().T @ h @ q, wrong)
        if not np.isfinite(step).all() or np.abs(step).max() > 0.1:
            break  # the two spaces have an eigenvalue in common
        q = np.linalg.qr(q - rest @ step)[0]
    return q


def _sylvester(a, b, c):
    """X of ``a @ X - X @ b = c``, about: a step of an iteration needs no more."""
    (s, u), (t, v) = np.linalg.eig(a), np.linalg.eig(b)
    try:
        inner = np.linalg.solve(u, c @ v)
        with np.errstate(all="ignore"):
            x = u @ np.linalg.solve(v.T, (inner / (s[:, None] - t)).T).T
    except np.linalg.LinAlgError:
        return np.full(c.shape, np.nan)
    return x.real if not any(map(np.iscomplexobj, (a, b, c))) else x


def eigs(
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
    OPpart=None,
    rng=None,
):
    """Find `k` eigenvalues and eigenvectors of a square matrix.

    Solves ``A @ x = w * x``, or ``A @ x = w * (M @ x)``.

    Parameters
    ----------
    a : cupric.ndarray, sparse matrix or LinearOperator, shape (n, n)
        The matrix A.
    k : int, optional
        The number of eigenvalues, below n - 1.
    M : cupric.ndarray, sparse matrix or LinearOperator, shape (n, n), optional
        A Hermitian positive-definite matrix.
    sigma : complex, optional
        Find the eigenvalues near `sigma`, by equations with ``A - sigma * M``. `which`
        is about ``1 / (w - sigma)`` then.
    which : {'LM', 'SM', 'LR', 'SR', 'LI', 'SI'}, optional
        The largest or smallest in magnitude, real part or imaginary part; in the
        magnitude of the imaginary part where the matrix is real.
    v0 : cupric.ndarray, shape (n,), optional
        Where the iteration starts; random numbers by default, the same in each call.
    ncv : int, optional
        Vectors of the basis, above ``k + 1`` and at most n.
    maxiter : int, optional
        Restarts at most, by default ``10 * n``.
    tol : float, optional
        Relative accuracy of the eigenvalues; 0 for that of the dtype.
    return_eigenvectors : bool, optional
    Minv : cupric.ndarray, sparse matrix or LinearOperator, optional
        The inverse of `M`, for ``sigma=None``.
    OPinv : cupric.ndarray, sparse matrix or LinearOperator, optional
        The inverse of ``A - sigma * M``.
    OPpart : {'r', 'i'}, optional
        Accepted; not used. With a complex `sigma` the arithmetic is complex.
    rng : int or cupric.random.Generator, optional
        Where the random numbers come from.

    Returns
    -------
    w : cupric.ndarray, shape (k,)
        Complex, the most wanted first.
    v : cupric.ndarray, shape (n, k)
        The eigenvectors as columns, of norm 1; with `return_eigenvectors`.

    Raises
    ------
    ArpackNoConvergence
        After `maxiter` restarts; it has what had converged.

    Notes
    -----
    By Arnoldi's method with the restarts of Krylov and Schur (Stewart 2001). It waits
    for the device once a restart. The basis takes ``(ncv + 1) * n`` elements.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import eigs
    >>> w, v = eigs(cp.diag(cp.arange(100.0)), k=2)
    >>> cp.round(w.real, 6)
    array([99., 98.])
    """
    if which not in _KEYS:
        raise ValueError(f"which must be one of {', '.join(_KEYS)}, not {which!r}")
    p = problem(a, M, sigma, Minv, OPinv)
    with p.device:
        k = checked_number(k, p.n, a, "eigs", 2)
        if k >= p.n - 1:
            return full(cp.linalg.eig, cp.linalg.eigvals, p, a, M, return_eigenvectors)
        m = of_subspace(ncv, k, p.n, k + 2)
        krylov = Krylov(p.device, p.n, m, p.dtype, p.apply, p.mass)
        maxiter = restarts(maxiter, p.n)
        start = start_vector(krylov, v0, rng)
        values, s, converged = iterate(
            krylov, k, lambda h: _Ritz(h, which), tol, maxiter, start
        )
        if not converged.all():
            w, v = _results(krylov, p, values[converged], s[:, converged])
            raise no_convergence(int(converged.sum()), k, maxiter, w, v)
        w, v = _results(krylov, p, values, s if return_eigenvectors else None)
        return (w, v) if return_eigenvectors else w


def _results(krylov, p, values, s):
    dtype = np.result_type(p.dtype, np.complex64)
    w = cp.asarray(p.back(values).astype(dtype))
    if s is None:
        return w, None
    if p.dtype.kind == "c":
        return w, krylov.combine(s).T
    parts = krylov.combine(np.hstack([s.real, s.imag]))
    k = s.shape[1]
    return w, (parts[:k] + 1j * parts[k:]).T
