"""Equations solved by LAPACK's methods, by their names."""

import numpy as np

import cupric as cp
from cupric._lib import arguments
from cupric._lib.core import solve_triangle
from cupricx.linalg import cho_solve

__all__ = ["gels", "gesv", "posv", "potrs"]


def __dir__():
    return __all__


def _equations(a, b, *, stacks=False):
    """The matrix, the columns, and whether these are one vector."""
    for name, x in (("a", a), ("b", b)):
        if not isinstance(x, cp.ndarray):
            raise arguments.unsupported(x)
        if x.dtype.char not in "fdFD":
            raise ValueError(
                f"unsupported dtype of {name}: {x.dtype}; float32, float64, complex64 "
                "or complex128 is needed"
            )
    if a.ndim < 2 or (a.ndim > 2 and not stacks):
        raise ValueError(f"a.ndim must be 2 (actual: {a.ndim})")
    vector = b.ndim == a.ndim - 1
    if not vector and b.ndim != a.ndim:
        raise ValueError(f"b.ndim must be {a.ndim - 1} or {a.ndim} (actual: {b.ndim})")
    columns = b[..., None] if vector else b
    if columns.shape[:-1] != a.shape[:-1]:
        raise ValueError(f"shape mismatch (a: {a.shape}, b: {b.shape})")
    if a.dtype != b.dtype:
        raise ValueError(f"dtype mismatch (a: {a.dtype}, b: {b.dtype})")
    return a, columns, vector


def _require_square(a):
    if a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a must be a square matrix, its shape is {a.shape}")


def gesv(a, b):
    """Solve ``a @ x = b`` by LU factors, and store `x` in `b`.

    Parameters
    ----------
    a : cupric.ndarray, shape (n, n)
    b : cupric.ndarray, shape (n,) or (n, k)
        Of the same dtype: float32, float64, complex64 or complex128. The solution is
        written to it, as CuPy's is.

    Returns
    -------
    None

    Raises
    ------
    numpy.linalg.LinAlgError
        `a` is singular; `b` stays as it is.

    Notes
    -----
    CuPy leaves the factors in `a`; here it stays as it is.

    Examples
    --------
    >>> from cupricx import lapack
    >>> b = cp.array([2.0, 2.0])
    >>> lapack.gesv(cp.array([[2.0, 0.0], [0.0, 4.0]]), b)
    >>> b
    array([1. , 0.5])
    """
    a, columns, vector = _equations(a, b)
    _require_square(a)
    x = cp.linalg.solve(a, columns)
    b[...] = x[..., 0] if vector else x


def gels(a, b):
    """Solve ``a @ x = b`` in the sense of least squares, by QR factors.

    Parameters
    ----------
    a : cupric.ndarray, shape (m, n)
        Of full rank.
    b : cupric.ndarray, shape (m,) or (m, k)
        Of the same dtype: float32, float64, complex64 or complex128.

    Returns
    -------
    cupric.ndarray, shape (n,) or (n, k)
        Where ``m < n``, the solution of least norm.

    Examples
    --------
    >>> from cupricx import lapack
    >>> a = cp.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    >>> lapack.gels(a, cp.array([3.0, 4.0, 5.0]))
    array([3., 2.])
    """
    a, columns, vector = _equations(a, b)
    m, n = a.shape
    if m >= n:
        q, r = cp.linalg.qr(a)
        x = solve_triangle(r, q.conj().T @ columns)
    else:
        q, r = cp.linalg.qr(a.conj().T)
        x = q @ solve_triangle(r.conj().T, columns, lower=True)
    return x[..., 0] if vector else x


def posv(a, b):
    """Solve ``a @ x = b`` for Hermitian positive-definite matrices.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n, n)
        One triangle is read.
    b : cupric.ndarray, shape (..., n) or (..., n, k)

    Returns
    -------
    cupric.ndarray, of the shape of `b`

    Raises
    ------
    numpy.linalg.LinAlgError
        A matrix is not positive definite.

    Examples
    --------
    >>> from cupricx import lapack
    >>> lapack.posv(cp.array([[4.0, 2.0], [2.0, 5.0]]), cp.array([6.0, 7.0]))
    array([1., 1.])
    """
    dtype = np.result_type(a.dtype, b.dtype)
    if dtype.kind not in "fc":
        dtype = np.dtype(np.float64)
    a, columns, vector = _equations(
        a.astype(dtype, copy=False), b.astype(dtype, copy=False), stacks=True
    )
    _require_square(a)
    x = cho_solve((cp.linalg.cholesky(a), True), columns, check_finite=False)
    return x[..., 0] if vector else x


def potrs(L, b, lower):
    """Solve ``a @ x = b`` with the Cholesky factors of `a`.

    Parameters
    ----------
    L : cupric.ndarray, shape (..., n, n)
        The factors, of which one triangle is read.
    b : cupric.ndarray, shape (..., n) or (..., n, k)
        Of the same dtype.
    lower : bool
        The lower triangle is read, not the upper one.

    Returns
    -------
    cupric.ndarray, of the shape of `b`

    Examples
    --------
    >>> from cupricx import lapack
    >>> factor = cp.linalg.cholesky(cp.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> lapack.potrs(factor, cp.array([6.0, 7.0]), True)
    array([1., 1.])
    """
    L, columns, vector = _equations(L, b, stacks=True)
    _require_square(L)
    x = cho_solve((L, bool(lower)), columns, check_finite=False)
    return x[..., 0] if vector else x
