"""LU factors of sparse matrices: made on the host, and solved with on the device."""

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._csc import csc_matrix
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse.linalg._direct._host import (
    device_of,
    factor,
    host_matrix,
    require_square,
)
from cupricx.scipy.sparse.linalg._direct._triangles import solve_rows

__all__ = ["SuperLU", "factorized", "spilu", "splu"]


class SuperLU:
    """LU factors of a sparse matrix, ``Pr @ A @ Pc = L @ U``, on a device.

    `splu` and `spilu` make them.

    Parameters
    ----------
    obj : scipy.sparse.linalg.SuperLU
        The factors on the host.

    Attributes
    ----------
    shape : tuple of int
    nnz : int
        Elements of both factors.
    perm_r, perm_c : cupric.ndarray of int32
        The permutations of rows and columns.
    L, U : csc_matrix
        The factors.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csc_matrix
    >>> from cupricx.scipy.sparse.linalg import splu
    >>> lu = splu(csc_matrix(cp.array([[2.0, 0.0], [1.0, 4.0]])))
    >>> lu.U.toarray()
    array([[2., 0.],
           [0., 4.]])
    """

    def __init__(self, obj):
        if not all(hasattr(obj, name) for name in ("L", "U", "perm_r", "perm_c")):
            raise TypeError(
                f"SuperLU takes SciPy's object of that name, not {type(obj).__name__}"
            )
        self.shape = obj.shape
        self.nnz = obj.nnz
        self.perm_r = _core.asarray(obj.perm_r)
        self.perm_c = _core.asarray(obj.perm_c)
        self._obj = obj
        self._dtype = obj.L.dtype
        self._device = self.perm_r.device
        self._steps = {}

    @property
    def L(self):
        return self._factor("L")

    @property
    def U(self):
        return self._factor("U")

    def _factor(self, name):
        with self._device:
            return csc_matrix(getattr(self._obj, name))

    def solve(self, rhs, trans="N"):
        """Solve equations with the matrix that was factored.

        Parameters
        ----------
        rhs : cupric.ndarray, shape (n,) or (n, k)
        trans : {'N', 'T', 'H'}, optional
            With the matrix, its transpose or its conjugate transpose.

        Returns
        -------
        cupric.ndarray
            Of the shape of `rhs`.

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse import csc_matrix
        >>> from cupricx.scipy.sparse.linalg import splu
        >>> lu = splu(csc_matrix(cp.array([[2.0, 0.0], [1.0, 4.0]])))
        >>> lu.solve(cp.array([3.0, 4.0]), trans="T")
        array([1., 1.])
        """
        if trans not in ("N", "T", "H"):
            raise ValueError(f"trans must be 'N', 'T' or 'H', not {trans!r}")
        if not isinstance(rhs, _core.ndarray):
            raise TypeError(f"rhs must be a cupric.ndarray, not {type(rhs).__name__}")
        n = self.shape[0]
        if rhs.ndim not in (1, 2) or rhs.shape[0] != n:
            raise ValueError(
                f"rhs of shape {rhs.shape} and a matrix of {self.shape}: {(n,)} or "
                f"{(n, 'k')} is needed"
            )
        if rhs.dtype.kind not in "biufc":
            raise TypeError(f"rhs of {rhs.dtype}")
        with self._device:
            x = rhs.reshape(n, -1) if rhs.size else rhs.reshape(n, rhs.size)
            return self._solve(x, trans).reshape(rhs.shape)

    def _solve(self, columns, trans):
        """For columns of a wider dtype than the factors' the parts are columns."""
        if columns.dtype.kind == "c" and self._dtype.kind != "c":
            parts = _core.concatenate([columns.real, columns.imag], axis=1)
            x = self._solve(parts, "T" if trans == "H" else trans)
            k = columns.shape[1]
            return x[:, :k] + 1j * x[:, k:]
        columns = columns.astype(self._dtype, copy=False)
        first, second, before, after = self._both_steps(trans != "N")
        conjugate = trans == "H"
        arrays, lower, unit = first
        y = solve_rows(*arrays, columns, lower, unit, conjugate, order=before)
        arrays, lower, unit = second
        return solve_rows(*arrays, y, lower, unit, conjugate).take(after, axis=0)

    def _both_steps(self, transposed):
        """Two triangles in rows, and where rows come from, before and after.

        ``A = Pr.T @ L @ U @ Pc.T``, and ``Pr[perm_r[i], i]`` and ``Pc[i, perm_c[i]]``
        are ones.
        """
        if transposed not in self._steps:
            if transposed:
                factors = (self._obj.U.tocsc(), True), (self._obj.L, False, True)
                before, after = self._obj.perm_c, self._obj.perm_r
            else:
                factors = (
                    (self._obj.L.tocsr(), True, True),
                    (self._obj.U.tocsr(), False),
                )
                before, after = self._obj.perm_r, self._obj.perm_c
            steps = [_triangle(*f) for f in factors]
            inverse = np.argsort(before).astype(np.int32)
            steps += [_core.asarray(inverse), _core.asarray(after)]
            self._steps[transposed] = steps
        return self._steps[transposed]


def _triangle(matrix, lower, unit=False):
    arrays = matrix.indptr, matrix.indices, matrix.data
    return [_core.asarray(x) for x in arrays], lower, unit


def _require_sparse(a, name="A"):
    if not issparse(a):
        raise TypeError(
            f"{name} must be a sparse matrix of cupricx.scipy.sparse, not "
            f"{type(a).__name__}"
        )


def _factored(a, incomplete, options, given):
    _require_sparse(a)
    require_square(a)
    given = {name: value for name, value in given.items() if value is not None}
    if options:
        given["options"] = options
    with device_of(a):
        return SuperLU(factor(host_matrix(a), incomplete, **given))


def splu(
    A,
    permc_spec=None,
    diag_pivot_thresh=None,
    relax=None,
    panel_size=None,
    options=None,
):
    """LU factors of a sparse matrix.

    Parameters
    ----------
    A : sparse matrix, shape (n, n)
    permc_spec : {'NATURAL', 'MMD_ATA', 'MMD_AT_PLUS_A', 'COLAMD'}, optional
        How columns are ordered to keep the factors sparse.
    diag_pivot_thresh : float, optional
        From 0, which prefers the diagonal as a pivot, to 1.
    relax, panel_size : int, optional
        SuperLU's own.
    options : dict, optional
        More of SuperLU's options.

    Returns
    -------
    SuperLU
        Its method `solve` solves equations on the device.

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
    >>> from cupricx.scipy.sparse.linalg import splu
    >>> lu = splu(csc_matrix(cp.array([[2.0, 0.0], [1.0, 4.0]])))
    >>> lu.solve(cp.array([2.0, 9.0]))
    array([1., 2.])
    """
    return _factored(
        A,
        False,
        options,
        {
            "permc_spec": permc_spec,
            "diag_pivot_thresh": diag_pivot_thresh,
            "relax": relax,
            "panel_size": panel_size,
        },
    )


def spilu(
    A,
    drop_tol=None,
    fill_factor=None,
    drop_rule=None,
    permc_spec=None,
    diag_pivot_thresh=None,
    relax=None,
    panel_size=None,
    options=None,
):
    """Incomplete LU factors of a sparse matrix: an approximation that is sparser.

    Parameters
    ----------
    A : sparse matrix, shape (n, n)
    drop_tol : float, optional
        Elements below it, relative to their column, are dropped; 1e-4 by default.
    fill_factor : float, optional
        The most elements that the factors have, relative to the matrix; 10 by default.
    drop_rule : str, optional
        Names of SuperLU's rules with commas between; ``'basic,area'`` by default.
    permc_spec : {'NATURAL', 'MMD_ATA', 'MMD_AT_PLUS_A', 'COLAMD'}, optional
    diag_pivot_thresh : float, optional
    relax, panel_size : int, optional
    options : dict, optional
        As of `splu`.

    Returns
    -------
    SuperLU
        Its method `solve` is a preconditioner for iterations with `A`.

    Raises
    ------
    ImportError
        SciPy is not installed: its SuperLU factors the matrix, on the host.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csc_matrix
    >>> from cupricx.scipy.sparse.linalg import spilu
    >>> lu = spilu(csc_matrix(cp.array([[2.0, 0.0], [1.0, 4.0]])))
    >>> lu.solve(cp.array([2.0, 9.0]))
    array([1., 2.])
    """
    return _factored(
        A,
        True,
        options,
        {
            "drop_tol": drop_tol,
            "fill_factor": fill_factor,
            "drop_rule": drop_rule,
            "permc_spec": permc_spec,
            "diag_pivot_thresh": diag_pivot_thresh,
            "relax": relax,
            "panel_size": panel_size,
        },
    )


def factorized(A):
    """A function that solves equations with a sparse matrix, which is factored once.

    Parameters
    ----------
    A : sparse matrix, shape (n, n)

    Returns
    -------
    callable
        Of a right side, (n,) or (n, k), as `SuperLU.solve`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csc_matrix
    >>> from cupricx.scipy.sparse.linalg import factorized
    >>> solve = factorized(csc_matrix(cp.array([[2.0, 0.0], [1.0, 4.0]])))
    >>> solve(cp.array([2.0, 9.0]))
    array([1., 2.])
    """
    return splu(A).solve
