"""Factorisations by the names of cuSOLVER's functions, on both devices."""

import cupric as cp
from cupricx.lapack import gels, gesv

__all__ = [
    "check_availability",
    "csrlsvqr",
    "gels",
    "gesv",
    "gesvda",
    "gesvdj",
    "syevj",
]

# What CuPy asks about, and whether it is there: of sparse matrices, nothing.
_AVAILABLE = {
    "csrlsvqr": False,
    "geev": True,
    "gels": True,
    "gesv": True,
    "gesvda": True,
    "gesvdj": True,
    "gesvdjBatched": True,
    "potrfBatched": True,
    "potrsBatched": True,
    "syevj": True,
    "syevjBatched": True,
}


def check_availability(name):
    """Whether a function can be called.

    Parameters
    ----------
    name : str
        As 'gesvdj'.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        Nothing is known about the name.

    Examples
    --------
    >>> from cupricx import cusolver
    >>> cusolver.check_availability("gesvdj")
    True
    """
    if name not in _AVAILABLE:
        raise ValueError(
            f"No available version information specified for {name}: it is none of "
            f"{', '.join(_AVAILABLE)}"
        )
    return _AVAILABLE[name]


def gesvdj(a, full_matrices=True, compute_uv=True, overwrite_a=False):
    """Singular value decomposition ``a = (u * s) @ v.conj().T``.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
    full_matrices : bool, optional
        Complete the bases.
    compute_uv : bool, optional
        Return `u` and `v` as well as the singular values.
    overwrite_a : bool, optional
        Accepted; `a` stays as it is.

    Returns
    -------
    u, s, v : cupric.ndarray
        `v` by its columns, unlike `cupric.linalg.svd`.

    Notes
    -----
    The name is CuPy's; which method computes it is `cupric.linalg.svd`'s choice.

    Examples
    --------
    >>> from cupricx import cusolver
    >>> u, s, v = cusolver.gesvdj(cp.array([[0.0, 2.0], [1.0, 0.0]]))
    >>> s
    array([2., 1.])
    """
    if not compute_uv:
        return cp.linalg.svd(a, compute_uv=False)
    u, s, vh = cp.linalg.svd(a, full_matrices=full_matrices)
    return u, s, vh.swapaxes(-1, -2).conj()


def gesvda(a, compute_uv=True):
    """Singular value decomposition of stacks of tall matrices: see `gesvdj`.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)
    compute_uv : bool, optional
        Return `u` and `v` as well as the singular values.

    Returns
    -------
    u, s, v : cupric.ndarray
        Of min(m, n) columns each.

    Examples
    --------
    >>> from cupricx import cusolver
    >>> u, s, v = cusolver.gesvda(cp.array([[0.0, 2.0], [1.0, 0.0], [0.0, 0.0]]))
    >>> u.shape, s.shape, v.shape
    ((3, 2), (2,), (2, 2))
    """
    return gesvdj(a, full_matrices=False, compute_uv=compute_uv)


def syevj(a, UPLO="L", with_eigen_vector=True):
    """Eigenvalues and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n, n)
    UPLO : {'L', 'U'}, optional
        The triangle that is read.
    with_eigen_vector : bool, optional
        Return the eigenvectors, too.

    Returns
    -------
    w : cupric.ndarray, shape (..., n)
        The eigenvalues, in rising order.
    v : cupric.ndarray, shape (..., n, n)
        The eigenvectors, in columns.

    Examples
    --------
    >>> from cupricx import cusolver
    >>> cusolver.syevj(cp.array([[2.0, 0.0], [0.0, 1.0]]), with_eigen_vector=False)
    array([1., 2.])
    """
    if not with_eigen_vector:
        return cp.linalg.eigvalsh(a, UPLO)
    w, v = cp.linalg.eigh(a, UPLO)
    return w, v


def csrlsvqr(A, b, tol=0, reorder=1):
    """Solve equations with a sparse matrix: raises, as there are no such matrices.

    Parameters
    ----------
    A : sparse matrix
    b : cupric.ndarray
    tol : float, optional
    reorder : int, optional

    Returns
    -------
    None
        It does not return.

    Raises
    ------
    NotImplementedError
        Always.

    Examples
    --------
    >>> from cupricx import cusolver
    >>> cusolver.check_availability("csrlsvqr")
    False
    """
    raise NotImplementedError(
        "csrlsvqr solves equations with a sparse matrix, which cupric does not have: "
        "make it dense and call cupric.linalg.solve(A.toarray(), b), or solve on the "
        "host by scipy.sparse.linalg.spsolve"
    )
