"""Singular values of matrices, by the eigenvalues of ``A.conj().T @ A``."""

import operator

import cupric as cp
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse.linalg._direct._host import device_of
from cupricx.scipy.sparse.linalg._eigen._eigsh import hermitian_pairs
from cupricx.scipy.sparse.linalg._eigen._problems import Problem, dtype_of
from cupricx.scipy.sparse.linalg._interface import aslinearoperator

__all__ = ["svds"]


def _operators(a, dtype):
    """``x -> a @ x`` and ``x -> a.conj().T @ x``."""
    if isinstance(a, cp.ndarray):
        a = a.astype(dtype, copy=False)
        adjoint = a.conj().T
    elif issparse(a):
        a = a.tocsr().astype(dtype, copy=False)
        adjoint = a.conj().T.tocsr()  # products with rows are faster than with columns
    else:
        adjoint = a.H
    return (lambda x: a @ x), (lambda x: adjoint @ x)


def svds(
    a,
    k=6,
    ncv=None,
    tol=0,
    which="LM",
    v0=None,
    maxiter=None,
    return_singular_vectors=True,
    solver="arpack",
    rng=None,
):
    """Find `k` singular values and vectors of a matrix.

    Parameters
    ----------
    a : cupric.ndarray, sparse matrix or LinearOperator, shape (m, n)
    k : int, optional
        The number of singular values, below ``min(m, n)``.
    ncv : int, optional
        Vectors of the basis, above `k` and at most ``min(m, n)``.
    tol : float, optional
        Relative accuracy of the singular values; 0 for that of the dtype.
    which : {'LM', 'SM'}, optional
        The largest or the smallest.
    v0 : cupric.ndarray, shape (min(m, n),), optional
        Where the iteration starts; random numbers by default, the same in each call.
    maxiter : int, optional
        Restarts at most, by default ``10 * min(m, n)``.
    return_singular_vectors : {True, False, 'u', 'vh'}, optional
        Whether to return both sides' vectors, or one's.
    solver : {'arpack'}, optional
        Accepted for programs that name it.
    rng : int or cupric.random.Generator, optional
        Where the random numbers come from.

    Returns
    -------
    u : cupric.ndarray, shape (m, k), or None
        Not with ``return_singular_vectors=False``; None with 'vh'.
    s : cupric.ndarray, shape (k,)
        In ascending order.
    vh : cupric.ndarray, shape (k, n), or None
        Not with ``return_singular_vectors=False``; None with 'u'.

    Raises
    ------
    ArpackNoConvergence
        After `maxiter` restarts.

    Notes
    -----
    The eigenvectors of the smaller one of ``A.conj().T @ A`` and ``A @ A.conj().T`` are
    found as `eigsh` does, and the singular values are those of A times them: not the
    roots of eigenvalues, of which half of the digits would be lost.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import svds
    >>> cp.round(svds(cp.diag(cp.arange(100.0)), k=2, return_singular_vectors=False), 6)
    array([98., 99.])
    """
    if solver != "arpack":
        raise ValueError(f"solver must be 'arpack', not {solver!r}")
    if which not in ("LM", "SM"):
        raise ValueError(f"which must be 'LM' or 'SM', not {which!r}")
    if return_singular_vectors not in (True, False, "u", "vh"):
        raise ValueError(
            "return_singular_vectors must be True, False, 'u' or 'vh', not "
            f"{return_singular_vectors!r}"
        )
    if not isinstance(a, cp.ndarray) and not issparse(a):
        a = aslinearoperator(a)
    if len(a.shape) != 2:
        raise ValueError(f"a must be a matrix: its shape is {a.shape}")
    m, n = a.shape
    k = operator.index(k)
    if not 0 < k < min(m, n):
        raise ValueError(f"k={k} must be above 0 and below {min(m, n)}, of {(m, n)}")
    p = Problem(device_of(a), min(m, n), dtype_of(a))
    with p.device:
        times, adjoint = _operators(a, p.dtype)
        if m < n:
            times, adjoint = adjoint, times
        p.apply = lambda x: adjoint(times(x))
        end = "LA" if which == "LM" else "SA"
        _, v = hermitian_pairs(p, k, end, (v0, rng), ncv, maxiter, tol * tol)
        left, s, right = cp.linalg.svd(times(v), full_matrices=False)
        s = s[::-1]
        if return_singular_vectors is False:
            return s.copy()
        left, right = left[:, ::-1], right[::-1] @ v.conj().T
        if m < n:
            left, right = right.conj().T, left.conj().T
        u = None if return_singular_vectors == "vh" else left
        return u, s, None if return_singular_vectors == "u" else right
