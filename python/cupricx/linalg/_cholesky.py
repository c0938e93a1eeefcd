"""Solutions and inverses by Cholesky factors."""

import cupric as cp
from cupric._lib.core import solve_triangle
from cupricx.scipy.linalg._arguments import (
    floats,
    matrices,
    read_triangle,
    require_finite,
    require_square,
    sides,
    stretch,
)

__all__ = ["cho_solve", "invh"]


def invh(a):
    """Inverses of Hermitian positive-definite matrices.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n, n)
        One triangle is read.

    Returns
    -------
    cupric.ndarray, shape (..., n, n)

    Raises
    ------
    numpy.linalg.LinAlgError
        A matrix is not positive definite, or not square.

    Examples
    --------
    >>> from cupricx.linalg import invh
    >>> invh(cp.array([[4.0, 0.0], [0.0, 2.0]]))
    array([[0.25, 0.  ],
           [0.  , 0.5 ]])
    """
    (a,) = floats(matrices(a, "a"))
    factor = cp.linalg.cholesky(a)
    half = solve_triangle(factor, _identities(a), lower=True)
    return half.conj().swapaxes(-1, -2) @ half


def _identities(a):
    with a.device:
        return cp.broadcast_to(cp.eye(a.shape[-1], dtype=a.dtype), a.shape)


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """Solve ``a @ x = b`` with the Cholesky factors of `a`.

    Parameters
    ----------
    c_and_lower : tuple of cupric.ndarray, shape (..., n, n), and bool
        The factors, of which one triangle is read, and whether it is the lower one.
    b : cupric.ndarray, shape (n,), (..., n, k) or (..., n)
        A vector, columns, or a vector for each matrix: ``c.shape[:-1]``.
    overwrite_b : bool, optional
        Accepted; `b` stays as it is.
    check_finite : bool, optional
        Look whether all elements that are read are finite, for which the call waits for
        the device.

    Returns
    -------
    cupric.ndarray
        Of the shape of `b`, with both stacks broadcast.

    Examples
    --------
    >>> from cupricx.linalg import cho_solve
    >>> factor = cp.linalg.cholesky(cp.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> cho_solve((factor, True), cp.array([6.0, 7.0]))
    array([1., 1.])
    """
    c, lower = c_and_lower
    c = matrices(c, "c")
    require_square(c, "c")
    columns, vector = sides(c, b, "c")
    if check_finite:
        require_finite(read_triangle(c, lower), columns)
    c, columns = stretch(*floats(c, columns))
    adjoint = c.swapaxes(-1, -2).conj()
    first, second = (c, adjoint) if lower else (adjoint, c)
    x = solve_triangle(second, solve_triangle(first, columns, lower=True))
    return x[..., 0] if vector else x
