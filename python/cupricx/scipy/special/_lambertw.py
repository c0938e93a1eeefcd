"""Lambert's W function."""

from cupric import _core

__all__ = ["lambertw"]


def lambertw(z, k=0, tol=1e-8):
    """Lambert's W function: the solution ``w`` of ``w * exp(w) == z``.

    Parameters
    ----------
    z : cupric.ndarray
        Of real or complex dtype.
    k : int or cupric.ndarray of integers, optional
        The branch; 0, the principal one, is real for real ``z > -1/e``.
    tol : float, optional
        Accepted as in SciPy; the result is always that of full precision.

    Returns
    -------
    cupric.ndarray of complex128
        A new array.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import lambertw
    >>> lambertw(cp.array([0., 1.])).real
    array([0.        , 0.56714329])
    """
    return _core.special.lambertw(z, k)
