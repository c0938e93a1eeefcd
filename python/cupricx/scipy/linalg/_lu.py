"""LU factors and equations that they solve."""

import numpy as np

import cupric as cp
from cupric._lib.core import (
    contiguous,
    factor_lu,
    geterr,
    solve_triangle,
    where_it_lives,
)
from cupric._lib.kernels import Library, warn
from cupricx.scipy.linalg._arguments import (
    floats,
    matrices,
    require_finite,
    require_square,
    sides,
    stretch,
)

__all__ = ["lu", "lu_factor", "lu_solve"]

_library = Library(__file__)
_THREADS = 64  # of a block: few, so that few matrices are spread over a GPU


def _example(xp):
    pivots = xp.asarray(np.array([[2, 1, 2], [0, 2, 2]], "i4"))
    return [_permutation(pivots, 3, inverse) for inverse in (False, True)]


_permutations = _library.kernel(
    "permutations<T>", blocks=True, threads=_THREADS, ships="i", example=_example
)


def _permutation(pivots, m, inverse):
    """The rows that `pivots`, (..., k), exchange, as an array (..., m) of int32."""
    k = pivots.shape[-1]
    rows = cp.empty((*pivots.shape[:-1], m), np.int32, device=pivots.device)
    if rows.size == 0:
        return rows
    batch = rows.size // m
    _permutations[np.int32](
        pivots=contiguous(pivots, dtype=np.int32),
        rows=rows,
        batch=batch,
        k=k,
        m=m,
        inverse=int(inverse),
        work=-(-batch // _THREADS),
    )
    return rows


def _take_rows(a, rows):
    """``a[..., rows, :]``, with other rows for each matrix of a stack."""
    if rows.ndim == 1:
        return a[..., rows, :]
    return cp.take_along_axis(a, rows[..., None].astype(np.int64), -2)


@where_it_lives
def lu_factor(a, overwrite_a=False, check_finite=True):
    """LU factors with partial pivoting, as `lu_solve` takes them.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
    overwrite_a : bool, optional
        Accepted; `a` stays as it is.
    check_finite : bool, optional
        Look whether all elements are finite.

    Returns
    -------
    lu : cupric.ndarray, shape (..., m, n)
        The upper factor, and below it the lower one without its ones.
    piv : cupric.ndarray of int32, shape (..., min(m, n))
        The row that row i was exchanged with.

    Warns
    -----
    RuntimeWarning
        A matrix is singular: its upper factor has a zero on the diagonal. To see this
        the call waits for the device, unless ``cupricx.errstate(linalg="ignore")``.

    Notes
    -----
    On a GPU by cuSOLVER, small square matrices of a stack together by cuBLAS; on the
    host by halving the columns (Toledo 1997), so that matrix products do most of the
    work. float16 and integers of up to 16 bits are computed in float32, longer
    ones in float64.

    Examples
    --------
    >>> from cupricx.scipy.linalg import lu_factor
    >>> a, piv = lu_factor(cp.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> a
    array([[4.  , 4.  ],
           [0.25, 1.  ]])
    >>> piv
    array([1, 1], dtype=int32)
    """
    a = matrices(a, "a")
    if check_finite:
        require_finite(a)
    factors, pivots = factor_lu(*floats(a))
    _warn_if_singular(factors, 3)
    return factors, pivots


def _warn_if_singular(factors, stacklevel):
    if geterr()["linalg"] != "raise" or factors.size == 0:
        return
    zero = factors.diagonal(0, -2, -1) == 0
    if not bool(zero.any()):
        return
    at = int(cp.argwhere(zero)[0, -1]) + 1
    warn(
        f"Diagonal number {at} is exactly zero. Singular matrix.",
        RuntimeWarning,
        stacklevel=stacklevel,
    )


@where_it_lives
def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """LU factors of matrices: ``a = p @ l @ u``.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
    permute_l : bool, optional
        Return ``p @ l`` and `u`.
    overwrite_a : bool, optional
        Accepted; `a` stays as it is.
    check_finite : bool, optional
        Look whether all elements are finite, for which the call waits for the device.
    p_indices : bool, optional
        Return the permutation as indices: for one matrix ``a = l[p] @ u``.

    Returns
    -------
    p : cupric.ndarray, shape (..., m, m), or (..., m) of int32
        Not with `permute_l`.
    l : cupric.ndarray, shape (..., m, k)
        With ones on the diagonal; k = min(m, n).
    u : cupric.ndarray, shape (..., k, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import lu
    >>> p, l, u = lu(cp.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> l
    array([[1.  , 0.  ],
           [0.25, 1.  ]])
    >>> p @ l @ u
    array([[1., 2.],
           [4., 4.]])
    """
    a = matrices(a, "a")
    if check_finite:
        require_finite(a)
    factors, pivots = factor_lu(*floats(a))
    m, n = factors.shape[-2:]
    k = min(m, n)
    lower = cp.tril(factors[..., :k], -1)
    lower.diagonal(0, -2, -1)[...] = 1
    upper = cp.triu(factors[..., :k, :])
    if a.size == 0:  # as SciPy's
        m = 0
    rows = _permutation(pivots, m, inverse=True)
    if permute_l:
        return (_take_rows(lower, rows) if a.size else lower), upper
    if p_indices:
        return rows, lower, upper
    real = np.finfo(factors.dtype).dtype
    p = rows[..., None] == cp.arange(m, dtype=np.int32)
    return p.astype(real), lower, upper


@where_it_lives
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """Solve ``a @ x = b`` with the factors that `lu_factor` returned.

    Parameters
    ----------
    lu_and_piv : tuple of cupric.ndarray
        What ``lu_factor(a)`` returned, for square matrices.
    b : cupric.ndarray, shape (m,), (..., m, k) or (..., m)
        A vector, columns, or a vector for each matrix: ``lu.shape[:-1]``.
    trans : {0, 1, 2}, optional
        Solve with `a` (0), its transpose (1) or its conjugate transpose (2).
    overwrite_b : bool, optional
        Accepted; `b` stays as it is.
    check_finite : bool, optional
        Look whether all elements of `b` are finite, for which the call waits for the
        device.

    Returns
    -------
    cupric.ndarray
        Of the shape of `b`, with both stacks broadcast.

    Examples
    --------
    >>> from cupricx.scipy.linalg import lu_factor, lu_solve
    >>> factors = lu_factor(cp.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> lu_solve(factors, cp.array([5.0, 12.0]))
    array([1., 2.])
    """
    factors, pivots = lu_and_piv
    factors = matrices(factors, "lu")
    require_square(factors, "lu")
    if trans not in (0, 1, 2):
        raise ValueError(f"trans must be 0, 1 or 2, not {trans!r}")
    columns, vector = sides(factors, b, "lu")
    if pivots.shape != factors.shape[:-1]:
        raise ValueError(
            f"Shapes of lu {factors.shape} and piv {pivots.shape} are incompatible"
        )
    if check_finite:
        require_finite(columns)
    factors, columns = floats(factors, columns)
    rows = _permutation(pivots, factors.shape[-1], inverse=trans != 0)
    if rows.ndim > 1:
        batch = np.broadcast_shapes(rows.shape[:-1], columns.shape[:-2])
        rows = cp.broadcast_to(rows, (*batch, rows.shape[-1]))
    factors, columns = stretch(factors, columns)
    x = columns
    if trans == 0:
        x = _take_rows(x, rows) if x.size else x
        x = solve_triangle(factors, x, lower=True, unit=True)
        x = solve_triangle(factors, x)
    else:
        factors = factors.swapaxes(-1, -2)
        if trans == 2:
            factors = factors.conj()
        x = solve_triangle(factors, x, lower=True)
        x = solve_triangle(factors, x, unit=True)
        x = _take_rows(x, rows) if x.size else x
    return x[..., 0] if vector else x
