"""Equations, determinants, inverses and factorisations."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._args import device_array
from cupric.linalg import _small, _small_general, _small_hermitian, _small_orthogonal
from cupric.linalg._errors import raises, run
from cupric.linalg._rank import (
    count_large,
    divide_by_large,
    solve_by_factors,
    solves_at_once,
)
from cupric.linalg._results import (
    EighResult,
    EigResult,
    QRResult,
    SlogdetResult,
    SVDResult,
)
from cupric.linalg._status import checked

__all__ = [
    "LinAlgError",
    "cholesky",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matrix_rank",
    "pinv",
    "qr",
    "require_square",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
]

LinAlgError = np.linalg.LinAlgError


def require_square(a):
    if a.ndim < 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")


def _matrix(a):
    """An array whose dtype LAPACK has: integers as float64, and the dtype to return."""
    if not isinstance(a, _core.ndarray):
        raise _core._unsupported(a)
    if a.ndim < 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if a.dtype.kind == "f" and a.dtype.itemsize == 2:
        raise TypeError(f"array type {a.dtype} is unsupported in linalg")
    if a.dtype.kind not in "fc":
        if a.dtype.kind not in "biu":
            raise TypeError(f"array type {a.dtype} is unsupported in linalg")
        return a.astype(np.float64)
    return a


def _square(a):
    """A stack of square matrices whose dtype LAPACK has."""
    a = _matrix(a)
    require_square(a)
    return a


def _run(kind, a, flag=0):
    return run(kind, int(flag), a)


def solve(a, b):
    """Solve ``a @ x = b``.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)
    b : cupric.ndarray, shape (m,) or (..., m, k)

    Returns
    -------
    cupric.ndarray
        Of the shape of `b`, broadcast.

    Raises
    ------
    numpy.linalg.LinAlgError
        `a` is singular or not square.

    Examples
    --------
    >>> cp.linalg.solve(cp.array([[2.0, 0.0], [0.0, 4.0]]), cp.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    if _small.takes(a):
        return checked("Singular matrix", _solve_small, a, b)
    a, b, vector = _equations(a, b)
    (x,) = run(_core._SOLVE, 0, a, b)
    return x[..., 0] if vector else x


@replayed
def _solve_small(a, b, status):
    a, b, vector = _equations(a, b)
    return _small.solve(a, b, vector, status)


def _equations(a, b):
    """Stacks of one shape and dtype, and whether `b` was a vector."""
    a = _matrix(a)
    require_square(a)
    b, vector = _right_hand_side(b)
    dtype = _core.result_type(a.dtype, b.dtype)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"solve: the matrix has {a.shape[-1]} rows, the right-hand side "
            f"{b.shape[-2]}"
        )
    a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
    if a.shape[:-2] != b.shape[:-2]:
        batch = _core.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = _stretch(a, batch), _stretch(b, batch)
    return a, b, vector


def _right_hand_side(b):
    """`b` as columns, and whether it is a vector."""
    vector = isinstance(b, _core.ndarray) and b.ndim == 1
    return _matrix(b[:, None] if vector else b), vector


def _stretch(a, batch):
    shape = (*batch, *a.shape[-2:])
    return a if a.shape == shape else _core.broadcast_to(a, shape)


def inv(a):
    """Inverse of a matrix.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)

    Returns
    -------
    cupric.ndarray, shape (..., m, m)

    Raises
    ------
    numpy.linalg.LinAlgError
        `a` is singular or not square.

    Examples
    --------
    >>> cp.linalg.inv(cp.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    if _small.takes(a):
        return checked("Singular matrix", _inv_small, a)
    return _run(_core._INV, _square(a))[0]


@replayed
def _inv_small(a, status):
    return _small.inv(_square(a), status)


def det(a):
    """Determinant.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)

    Returns
    -------
    cupric.ndarray, shape (...)

    Examples
    --------
    >>> cp.linalg.det(cp.diag(cp.array([8.0, 2.0])))
    array(16.)
    """
    a = _square(a)
    return _small.det(a) if _small.takes(a) else _run(_core._DET, a)[0]


def slogdet(a):
    """Sign and logarithm of the magnitude of the determinant.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)

    Returns
    -------
    sign, logabsdet : cupric.ndarray, shape (...)
        As a named tuple.

    Examples
    --------
    >>> cp.linalg.slogdet(cp.diag(cp.array([-1.0, 1.0])))
    SlogdetResult(sign=array(-1.), logabsdet=array(0.))
    """
    a = _square(a)
    if _small.takes(a):
        return SlogdetResult(*_small.slogdet(a))
    return SlogdetResult(*_run(_core._SLOGDET, a))


def cholesky(a, *, upper=False):
    """Cholesky factor of a positive-definite matrix.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)
        Hermitian; one triangle is read.
    upper : bool, optional
        Return the upper factor instead of the lower.

    Returns
    -------
    cupric.ndarray, shape (..., m, m)

    Examples
    --------
    >>> cp.linalg.cholesky(cp.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    if upper:  # of the conjugate, whose factor is the lower one transposed
        return cholesky(_square(a).swapaxes(-1, -2)).swapaxes(-1, -2)
    if _small.takes(a):
        return checked("Matrix is not positive definite", _cholesky_small, a)
    return _run(_core._CHOLESKY, _square(a))[0]


@replayed
def _cholesky_small(a, status):
    return _small.cholesky(_square(a), status)


def qr(a, mode="reduced"):
    """QR factorisation.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
    mode : {'reduced', 'complete', 'r', 'raw'}, optional

    Returns
    -------
    q, r : cupric.ndarray
        Shapes (..., m, k) and (..., k, n) with k = min(m, n), or m when complete; only
        `r` for mode 'r'. For 'raw', a tuple of what LAPACK's geqrf leaves: the
        transpose, (..., n, m), of a matrix that has R, and below its diagonal the
        Householder reflectors; and their scales, (..., k).

    Examples
    --------
    >>> a = cp.array([[3.0, 1.0], [4.0, 2.0]])
    >>> q, r = cp.linalg.qr(a)
    >>> cp.allclose(q @ r, a)
    array(True)
    """
    if mode == "raw":
        return _run(_core._QR, _matrix(a), 2)
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    a, complete = _matrix(a), mode == "complete"
    if _small_orthogonal.takes_qr(a, complete):
        q, r = _small_orthogonal.qr(a, complete)
    else:
        q, r = _run(_core._QR, a, complete)
    return r if mode == "r" else QRResult(q, r)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """Singular value decomposition ``a = (u * s) @ vh``.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
    full_matrices : bool, optional
        Complete the bases.
    compute_uv : bool, optional
        Return `u` and `vh` as well as the singular values.
    hermitian : bool, optional
        `a` is Hermitian.

    Returns
    -------
    u, s, vh : cupric.ndarray
        `s` falls along its last axis, of length min(m, n).

    Examples
    --------
    >>> a = cp.array([[3.0, 1.0], [4.0, 2.0]])
    >>> u, s, vh = cp.linalg.svd(a)
    >>> cp.allclose((u * s) @ vh, a)
    array(True)
    """
    a = _matrix(a)
    if _small_orthogonal.takes_svd(a, full_matrices and compute_uv):
        parts = _small_orthogonal.svd(a, bool(full_matrices), bool(compute_uv))
        return SVDResult(*parts) if compute_uv else parts
    if not compute_uv:
        return _run(_core._SVDVALS, a)[0]
    return SVDResult(*_run(_core._SVD, a, full_matrices))


def svdvals(x, /):
    """Singular values, in descending order.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)

    Returns
    -------
    cupric.ndarray, shape (..., min(m, n))

    Examples
    --------
    >>> cp.linalg.svdvals(cp.diag(cp.array([2.0, 8.0])))
    array([8., 2.])
    """
    return svd(x, compute_uv=False)


def eig(a):
    """Eigenvalues and right eigenvectors of general square matrices.

    By LAPACK's geev on the host. On a GPU matrices of up to 32 rows are taken together,
    by the same algorithms; larger ones go to cuSOLVER's geev (of CUDA 12.6 Update 2 or
    later), one after the other. Waits for the device.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)

    Returns
    -------
    eigenvalues : cupric.ndarray, shape (..., m)
        In no order; complex, whatever `a` is.
    eigenvectors : cupric.ndarray, shape (..., m, m)
        In columns of norm 1, of the same dtype.

    Raises
    ------
    numpy.linalg.LinAlgError
        `a` is not square, or has an infinity or NaN, or the iteration did not converge.

    Examples
    --------
    >>> w, v = cp.linalg.eig(cp.array([[2.0, 0.0], [0.0, 3.0]]))
    >>> w
    array([2.+0.j, 3.+0.j])
    """
    return EigResult(*_eig(a, True))


def eigvals(a):
    """Eigenvalues of general square matrices: see `eig`.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)

    Returns
    -------
    cupric.ndarray, shape (..., m)
        Complex.

    Examples
    --------
    >>> cp.linalg.eigvals(cp.array([[0.0, -1.0], [1.0, 0.0]]))
    array([0.+1.j, 0.-1.j])
    """
    return _eig(a, False)[0]


def _eig(a, vectors):
    a = _matrix(a)
    require_square(a)
    if not _small_general.takes(a, vectors):
        _require_finite(a)  # over other numbers geev may go on for ever
        return _run(_core._EIG if vectors else _core._EIGVALS, a)
    try:
        return _small_general.eig(a, vectors)
    except LinAlgError:
        _require_finite(a)
        raise


def _require_finite(a):
    if not bool(_core.all(_core.isfinite(a))):
        raise LinAlgError("Array must not contain infs or NaNs")


def eigh(a, UPLO="L"):
    """Eigenvalues and eigenvectors of a Hermitian matrix.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)
    UPLO : {'L', 'U'}, optional
        The triangle that is read.

    Returns
    -------
    eigenvalues : cupric.ndarray, shape (..., m)
        In rising order.
    eigenvectors : cupric.ndarray, shape (..., m, m)
        In columns.

    Examples
    --------
    >>> cp.linalg.eigh(cp.array([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    array([1., 2.])
    """
    a = _hermitian(a)
    if _small_hermitian.takes(a):
        return EighResult(*_small_hermitian.eigh(a, _triangle(UPLO), True))
    return EighResult(*_run(_core._EIGH, a, _triangle(UPLO)))


def eigvalsh(a, UPLO="L"):
    """Eigenvalues of a Hermitian matrix, in ascending order.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)
    UPLO : {'L', 'U'}, optional

    Returns
    -------
    cupric.ndarray, shape (..., m)

    Examples
    --------
    >>> cp.linalg.eigvalsh(cp.diag(cp.array([8.0, 2.0])))
    array([2., 8.])
    """
    a = _hermitian(a)
    if _small_hermitian.takes(a):
        return _small_hermitian.eigh(a, _triangle(UPLO), False)[0]
    return _run(_core._EIGVALSH, a, _triangle(UPLO))[0]


def _hermitian(a):
    """A square matrix; float16 in float32, as only eigenvalues are computed from it."""
    if isinstance(a, _core.ndarray) and a.dtype == np.float16:
        a = a.astype(np.float32)
    a = _matrix(a)
    require_square(a)
    return a


def _triangle(uplo):
    if not isinstance(uplo, str) or uplo.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return uplo.upper() == "U"


def pinv(a, rcond=None, hermitian=False, *, rtol=np._NoValue):
    """Moore-Penrose pseudo-inverse, by singular value decomposition.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
    rcond, rtol : float or cupric.ndarray of the shape of the stack, optional
        Singular values up to this share of the largest count as zero: 1e-15 by default,
        ``max(m, n) * eps`` with ``rtol=None``.
    hermitian : bool, optional

    Returns
    -------
    cupric.ndarray, shape (..., n, m)

    Examples
    --------
    >>> cp.linalg.pinv(cp.array([[2.0, 0.0], [0.0, 0.0]])).round(6)
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    a = _matrix(a)
    if rcond is not None and rtol is not np._NoValue:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if rcond is None:
        rcond = 1e-15 if rtol is np._NoValue else rtol
    if rcond is None:
        rcond = max(a.shape[-2:]) * np.finfo(a.dtype).eps
    u, s, vh = svd(a, full_matrices=False)
    made = solve_by_factors(u, s, vh, rcond)
    if made is not None:
        return made[0]
    part = divide_by_large(u.swapaxes(-1, -2), s, rcond)
    return _core.matmul(vh.swapaxes(-1, -2), part).conj()


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """Number of singular values that are not negligible.

    Parameters
    ----------
    A : cupric.ndarray, shape (..., m, n)
    tol, rtol : float or cupric.ndarray of the shape of the stack, optional
        Absolute, or relative to the largest singular value, by default
        ``max(m, n) * eps``.
    hermitian : bool, optional
        Whether the matrices equal their conjugate transposes.

    Returns
    -------
    cupric.ndarray, shape (...), of int64

    Examples
    --------
    >>> cp.linalg.matrix_rank(cp.ones((3, 3)))
    array(1)
    """
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = device_array(A)
    if A.ndim < 2:
        return (A != 0).any().astype(np.int64)
    s = svd(A, compute_uv=False)
    if tol is not None:
        return count_large(s, tol, np.int64, is_absolute=True)
    if rtol is None:
        rtol = max(A.shape[-2:]) * np.finfo(s.dtype).eps
    return count_large(s, rtol, np.int64)


def lstsq(a, b, rcond="warn"):
    """Least-squares solution of ``a @ x = b``, by singular value decomposition.

    Parameters
    ----------
    a : cupric.ndarray, shape (m, n)
    b : cupric.ndarray, shape (m,) or (m, k)
    rcond : float, optional
        Singular values up to this share of the largest count as zero; by default
        ``max(m, n) * eps``.

    Returns
    -------
    x : cupric.ndarray, shape (n,) or (n, k)
    residuals : cupric.ndarray
        Sums of squares, empty where `a` has no full rank or m <= n.
    rank : cupric.ndarray of int32, shape ()
    s : cupric.ndarray, shape (min(m, n),)
        Singular values of `a`.

    Examples
    --------
    >>> a = cp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> cp.linalg.lstsq(a, cp.array([1.0, 3.0, 5.0]), rcond=None)[0].round(6)
    array([1., 2.])
    """
    a = _matrix(a)
    if a.ndim != 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be two-dimensional"
        )
    b, vector = _right_hand_side(b)
    if b.ndim != 2:
        raise LinAlgError(
            f"{b.ndim}-dimensional array given. Array must be two-dimensional"
        )
    if a.shape[0] != b.shape[0]:
        raise LinAlgError(
            f"Incompatible dimensions: {a.shape[0]} equations, {b.shape[0]} right-hand "
            "sides"
        )
    dtype = _core.result_type(a.dtype, b.dtype)
    a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
    m, n = a.shape
    if rcond is None or rcond == "warn":
        rcond = np.finfo(a.dtype).eps * max(m, n)
    elif rcond < 0:
        rcond = np.finfo(a.dtype).eps
    if a.size and b.size and raises() and solves_at_once(a):
        x, rank, s = _core._linalg(_core._LSTSQ, 0, a, b, float(rcond))
    else:
        x, rank, s = _solve_by_svd(a, b, rcond)
    if m > n and int(rank) == n:
        error = b - _core.matmul(a, x)
        residuals = _core.reductions.vecdot(error, error, axis=0).real
    else:
        residuals = _core.empty((0,), s.dtype, device=s.device)
    return (x[:, 0] if vector else x), residuals, rank, s


def _solve_by_svd(a, b, rcond):
    """The solution, the rank and the singular values."""
    u, s, vh = svd(a, full_matrices=False)
    made = solve_by_factors(u, s, vh, rcond, b)
    if made is not None:
        return *made, s
    projected = _core.matmul(u.conj().T, b)
    x = _core.matmul(vh.conj().T, divide_by_large(projected, s, rcond))
    return x, count_large(s, rcond, np.int32), s


def tensorsolve(a, b, axes=None):
    """Solve ``tensordot(a, x, x.ndim) = b`` for `x`.

    Parameters
    ----------
    a : cupric.ndarray, shape b.shape + Q
    b : cupric.ndarray
    axes : tuple of ints, optional
        Axes of `a` to move to its end first.

    Returns
    -------
    cupric.ndarray, shape Q

    Examples
    --------
    >>> cp.linalg.tensorsolve(cp.eye(6).reshape(2, 3, 6), cp.ones((2, 3)))
    array([1., 1., 1., 1., 1., 1.])
    """
    a, b = device_array(a), device_array(b)
    if axes is not None:
        order = [i for i in range(a.ndim) if i not in axes] + list(axes)
        a = a.transpose(order)
    shape = a.shape[b.ndim - a.ndim :] if b.ndim < a.ndim else ()
    unknowns = math.prod(shape)
    if a.size != unknowns**2 or b.size != unknowns:
        raise LinAlgError(
            f"prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim]) is needed, a.shape is "
            f"{a.shape}, b.shape is {b.shape}"
        )
    return solve(a.reshape(unknowns, unknowns), b.ravel()).reshape(shape)


def tensorinv(a, ind=2):
    """Inverse of the linear map that ``tensordot(a, x, ind)`` is.

    Parameters
    ----------
    a : cupric.ndarray
    ind : int, optional
        How many leading axes form the rows.

    Returns
    -------
    cupric.ndarray, shape ``a.shape[ind:] + a.shape[:ind]``

    Examples
    --------
    >>> cp.linalg.tensorinv(cp.eye(6).reshape(2, 3, 6), ind=2).shape
    (6, 2, 3)
    """
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    a = device_array(a)
    shape = a.shape[ind:] + a.shape[:ind]
    rows, columns = math.prod(a.shape[ind:]), math.prod(a.shape[:ind])
    return inv(a.reshape(rows, columns)).reshape(shape)
