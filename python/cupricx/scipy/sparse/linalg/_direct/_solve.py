"""Solutions of equations with sparse matrices, and their inverses."""

import numpy as np

from cupric import _core
from cupric._lib.core import geterr
from cupric._lib.kernels import call_with_word, warn
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse.linalg._direct._host import (
    device_of,
    factor,
    float_dtype,
    host_matrix,
    require_square,
    scipy_sparse,
)
from cupricx.scipy.sparse.linalg._direct._triangles import solve_rows

__all__ = ["MatrixRankWarning", "inv", "spsolve", "spsolve_triangular"]

_COLUMNS = 256  # of a sparse right side, which are dense at once


class MatrixRankWarning(UserWarning):
    """The matrix is singular."""


def _require_equations(a, b, name="b"):
    if not issparse(a):
        raise TypeError(
            f"A must be a sparse matrix of cupricx.scipy.sparse, not {type(a).__name__}"
        )
    if not isinstance(b, _core.ndarray) and not issparse(b):
        raise TypeError(
            f"{name} must be a cupric.ndarray or a sparse matrix, not "
            f"{type(b).__name__}"
        )
    require_square(a)
    if len(b.shape) not in (1, 2) or b.shape[0] != a.shape[0]:
        raise ValueError(
            f"Shapes of A {a.shape} and {name} {b.shape} are incompatible: {name} "
            "needs one row for each of A's"
        )


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    """Solve ``A @ x = b`` for a sparse matrix.

    Parameters
    ----------
    A : sparse matrix, shape (n, n)
    b : cupric.ndarray or sparse matrix, shape (n,) or (n, k)
    permc_spec : {'NATURAL', 'MMD_ATA', 'MMD_AT_PLUS_A', 'COLAMD'}, optional
        How columns are ordered to keep the factors sparse.
    use_umfpack : bool, optional
        Accepted; not used.

    Returns
    -------
    cupric.ndarray or sparse matrix
        A vector where `b` is one, or a single column; sparse, and of the type of `A`,
        where `b` is sparse and has several.

    Raises
    ------
    ImportError
        SciPy is not installed: its SuperLU solves the equations, on the host.

    Warns
    -----
    MatrixRankWarning
        The matrix is singular; the result is NaN.

    Notes
    -----
    To solve several times with one matrix, factor it once: `splu`, `factorized`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_matrix
    >>> from cupricx.scipy.sparse.linalg import spsolve
    >>> spsolve(csr_matrix(cp.array([[2.0, 0.0], [1.0, 4.0]])), cp.array([2.0, 9.0]))
    array([1., 2.])
    """
    _require_equations(A, b)
    with device_of(A):
        matrix = host_matrix(A)
        dtype = float_dtype(matrix.dtype, b.dtype)
        matrix = matrix.astype(dtype, copy=False)
        vector = len(b.shape) == 1 or b.shape[1] == 1
        if issparse(b) and not vector:
            return _sparse_solution(
                A, matrix, b.astype(dtype).get().tocsc(), permc_spec
            )
        right = (b.toarray() if issparse(b) else b).get().astype(dtype, copy=False)
        try:
            x = factor(matrix, permc_spec=permc_spec).solve(right)
        except RuntimeError as error:
            if "singular" not in str(error):
                raise
            warn("Matrix is exactly singular", MatrixRankWarning, stacklevel=2)
            x = np.full(right.shape, np.nan, dtype)
        return _core.asarray(x.ravel() if vector else x)


def _sparse_solution(like, matrix, right, permc_spec):
    sparse = scipy_sparse()
    solve = factor(matrix, permc_spec=permc_spec).solve
    parts = [
        sparse.csc_array(solve(right[:, j : j + _COLUMNS].toarray()))
        for j in range(0, right.shape[1], _COLUMNS)
    ]
    x = sparse.hstack(parts, format="csc") if parts else sparse.csc_array(right.shape)
    x = x.astype(matrix.dtype, copy=False)
    return type(like)(x.asformat(like.format))


def inv(A):
    """The inverse of a sparse matrix.

    Parameters
    ----------
    A : sparse matrix, shape (n, n)

    Returns
    -------
    sparse matrix
        Of the type of `A`. It has as many elements as are not zero, often all.

    Raises
    ------
    ImportError
        SciPy is not installed: its SuperLU factors the matrix, on the host.
    RuntimeError
        The matrix is singular.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csc_matrix
    >>> from cupricx.scipy.sparse.linalg import inv
    >>> inv(csc_matrix(cp.array([[2.0, 0.0], [0.0, 4.0]]))).toarray()
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    if not issparse(A):
        raise TypeError(f"A must be a sparse matrix, not {type(A).__name__}")
    require_square(A)
    with device_of(A):
        matrix = host_matrix(A)
        identity = scipy_sparse().eye_array(*A.shape, dtype=matrix.dtype, format="csc")
        return _sparse_solution(A, matrix, identity, None)


def spsolve_triangular(
    A, b, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False
):
    """Solve ``A @ x = b`` for a triangular sparse matrix.

    Parameters
    ----------
    A : sparse matrix, shape (n, n)
        What it has outside the triangle is not read.
    b : cupric.ndarray, shape (n,) or (n, k)
    lower : bool, optional
        `A` is lower triangular, not upper.
    overwrite_A, overwrite_b : bool, optional
        Accepted; both stay as they are.
    unit_diagonal : bool, optional
        The diagonal counts as ones and is not read.

    Returns
    -------
    cupric.ndarray
        Of the shape of `b`.

    Raises
    ------
    numpy.linalg.LinAlgError
        The diagonal has a zero. With ``cupricx.errstate(linalg="ignore")`` nothing is
        looked at, so that the call does not wait for the device.

    Notes
    -----
    In one launch; on a GPU rows wait for those that they need.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_matrix
    >>> from cupricx.scipy.sparse.linalg import spsolve_triangular
    >>> a = csr_matrix(cp.array([[2.0, 0.0], [1.0, 4.0]]))
    >>> spsolve_triangular(a, cp.array([2.0, 9.0]))
    array([1., 2.])
    """
    _require_equations(A, b)
    if issparse(b):
        raise TypeError("b must be a cupric.ndarray, not a sparse matrix")
    with device_of(A):
        rows = A.tocsr()
        # float16 and integers as LAPACK's functions of cupricx.scipy.linalg.
        dtype = float_dtype(np.promote_types(A.dtype, np.float32), b.dtype)
        columns = b.reshape(len(b), -1) if b.size else b.reshape(len(b), b.size)
        columns = columns.astype(dtype, copy=False)
        arrays = rows.indptr, rows.indices, rows.data.astype(dtype, copy=False)

        def solve(right, word=0):
            return solve_rows(
                *arrays, right, bool(lower), bool(unit_diagonal), word=word
            )

        if unit_diagonal or not columns.size or geterr()["linalg"] != "raise":
            return solve(columns).reshape(b.shape)
        x, has_zero = call_with_word(solve, columns)
        if has_zero:
            raise np.linalg.LinAlgError("A is singular: zero entry on diagonal.")
        return x.reshape(b.shape)
