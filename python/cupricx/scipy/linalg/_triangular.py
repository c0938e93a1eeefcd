"""Equations with triangular matrices."""

import numpy as np

from cupric import _core
from cupric._lib.core import geterr, solve_triangle, where_it_lives
from cupric._lib.kernels import Library, call_with_word, replayed
from cupricx.scipy.linalg._arguments import (
    floats,
    matrices,
    read_triangle,
    require_finite,
    require_square,
    sides,
    stretch,
)

__all__ = ["solve_triangular"]


def _example(xp):
    results = []
    for dtype in "fdFD":
        a = np.arange(3 * 4 * 4).reshape(3, 4, 4).astype(dtype)
        for stack in (a, a[1:], a[2, ::-1]):
            _, found = call_with_word(_look_for_zero, xp.asarray(stack))
            results.append(xp.asarray(np.array(found)))
    return results


_library = Library(__file__)
_find_zero = _library.kernel(
    "find_zero<T>", elements=True, ships="f d F D", example=_example
)

_TRANS = {0: "N", 1: "T", 2: "C", "N": "N", "T": "T", "C": "C"}


@where_it_lives
def solve_triangular(
    a,
    b,
    trans=0,
    lower=False,
    unit_diagonal=False,
    overwrite_b=False,
    check_finite=False,
):
    """Solve ``a @ x = b`` for triangular matrices.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)
        One triangle is read.
    b : cupric.ndarray, shape (m,), (..., m, k) or (..., m)
        A vector, columns, or a vector for each matrix of `a`: ``a.shape[:-1]``.
    trans : {0, 1, 2, 'N', 'T', 'C'}, optional
        Solve with `a` (0, 'N'), its transpose (1, 'T') or its conjugate transpose
        (2, 'C').
    lower : bool, optional
        `a` is lower triangular, not upper.
    unit_diagonal : bool, optional
        The diagonal counts as ones and is not read.
    overwrite_b : bool, optional
        Accepted; `b` stays as it is.
    check_finite : bool, optional
        Look whether all elements that are read are finite.

    Returns
    -------
    cupric.ndarray
        Of the shape of `b`, with the stacks of `a` and `b` broadcast.

    Raises
    ------
    numpy.linalg.LinAlgError
        The diagonal has a zero. With ``cupricx.errstate(linalg="ignore")`` nothing is
        looked at, so that the call does not wait for the device.

    Notes
    -----
    On a GPU by cuBLAS, on the host by halving the matrix, so that matrix products do
    most of the work. Integers of up to 16 bits and float16 are computed in float32,
    longer ones in float64.

    Examples
    --------
    >>> from cupricx.scipy.linalg import solve_triangular
    >>> a = cp.array([[2.0, 0.0], [1.0, 4.0]])
    >>> solve_triangular(a, cp.array([2.0, 9.0]), lower=True)
    array([1., 2.])
    """
    if trans not in _TRANS:
        raise ValueError(f"trans must be 0, 1, 2, 'N', 'T' or 'C', not {trans!r}")
    a = matrices(a, "a")
    require_square(a, "a")
    columns, vector = sides(a, b, "a")
    if check_finite:
        require_finite(read_triangle(a, lower, unit_diagonal), columns)
    a, columns = floats(a, columns)
    given = a, columns, _TRANS[trans], bool(lower), bool(unit_diagonal)
    if unit_diagonal or not columns.size or geterr()["linalg"] != "raise":
        x = _solve(*given)
    else:
        x, has_zero = call_with_word(_look_for_zero, a, then=lambda: _solve(*given))
        if has_zero:
            at = int(_core.argwhere(a.diagonal(0, -2, -1) == 0)[0, -1])
            raise np.linalg.LinAlgError(
                f"singular matrix: resolution failed at diagonal {at}"
            )
    return x[..., 0] if vector else x


def _solve(a, columns, trans, lower, unit):
    if trans != "N":
        a, lower = a.swapaxes(-1, -2), not lower
    if trans == "C":
        a = a.conj()
    a, columns = stretch(a, columns)
    return solve_triangle(a, columns, lower=lower, unit=unit)


@replayed
def _look_for_zero(a, word):
    diagonal = a.diagonal(0, -2, -1).reshape(-1)
    _find_zero[a.dtype](x=diagonal, word=word, work=diagonal.size)
    return a
