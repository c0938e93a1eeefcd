"""What of linear algebra SciPy has, and NumPy does not: LU factors with pivots, and
equations with triangular matrices."""

from cupric import _core

__all__ = [
    "factor_lu",
    "solve_triangle",
]


def factor_lu(a):
    """LU factors of matrices with partial pivoting.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
        Of a dtype that LAPACK has.

    Returns
    -------
    lu : cupric.ndarray, shape (..., m, n)
        Both factors, without the ones of the lower.
    pivots : cupric.ndarray of int32, shape (..., min(m, n))
        The row, from 0, that row i was exchanged with.
    """
    lu, pivots = _core._linalg(_core._LU, 0, a)
    pivots -= 1
    return lu, pivots


def solve_triangle(a, b, *, lower=False, unit=False):
    """Solve ``a @ x = b`` for matrices of which one triangle is read.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n, n)
    b : cupric.ndarray, shape (..., n, k)
        Of the stack and the dtype of `a`, which LAPACK has.
    lower : bool, optional
        The triangle below the diagonal is read, not the one above.
    unit : bool, optional
        The diagonal counts as ones.

    Returns
    -------
    cupric.ndarray, shape (..., n, k)
        Infinite or NaN where the diagonal has a zero.
    """
    flag = (0 if lower else _core._UPPER) | (_core._UNIT if unit else 0)
    return _core._linalg(_core._TRIANGULAR, flag, a, b)[0]
