"""Bessel functions that are no ufuncs: spherical ones, and zeros."""

from cupric import _core
from cupricx.scipy.special._counts import whole

__all__ = [
    "i0",
    "jn_zeros",
    "jnjnp_zeros",
    "jnp_zeros",
    "jnyn_zeros",
    "spherical_in",
    "spherical_jn",
    "spherical_kn",
    "spherical_yn",
    "y0_zeros",
    "y1_zeros",
    "y1p_zeros",
    "yn_zeros",
    "ynp_zeros",
]

i0 = _core.i0

# of each kind the function and its derivative
_SPHERICAL = {
    "j": (_core.special.spherical_j, _core.special.spherical_j_slope),
    "y": (_core.special.spherical_y, _core.special.spherical_y_slope),
    "i": (_core.special.spherical_i, _core.special.spherical_i_slope),
    "k": (_core.special.spherical_k, _core.special.spherical_k_slope),
}


def _spherical(letter, n, z, derivative):
    return _SPHERICAL[letter][bool(derivative)](n, z)


def spherical_jn(n, z, derivative=False):
    """Spherical Bessel function of the first kind, or its derivative.

    Parameters
    ----------
    n : array_like of int
        Order, from 0 on; of others the result is nan.
    z : array_like of real numbers
        Argument.
    derivative : bool, optional
        Whether to return the derivative.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.spherical_jn(2, cp.array([0.5, 1.0, 10.0]))
    array([0.01637111, 0.06203505, 0.07794219])
    """
    return _spherical("j", n, z, derivative)


def spherical_yn(n, z, derivative=False):
    """Spherical Bessel function of the second kind, or its derivative.

    Parameters
    ----------
    n : array_like of int
        Order, from 0 on; of others the result is nan.
    z : array_like of real numbers
        Argument.
    derivative : bool, optional
        Whether to return the derivative.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.spherical_yn(2, cp.array([0.5, 1.0, 10.0]))
    array([-25.05992282,  -3.60501757,  -0.0650693 ])
    """
    return _spherical("y", n, z, derivative)


def spherical_in(n, z, derivative=False):
    """Modified spherical Bessel function of the first kind, or its derivative.

    Parameters
    ----------
    n : array_like of int
        Order, from 0 on; of others the result is nan.
    z : array_like of real numbers
        Argument.
    derivative : bool, optional
        Whether to return the derivative.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.spherical_in(2, cp.array([0.5, 1.0, 2.0]))
    array([0.01696636, 0.07156287, 0.35185609])
    """
    return _spherical("i", n, z, derivative)


def spherical_kn(n, z, derivative=False):
    """Modified spherical Bessel function of the second kind, or its derivative.

    Parameters
    ----------
    n : array_like of int
        Order, from 0 on; of others the result is nan.
    z : array_like of real numbers
        Argument.
    derivative : bool, optional
        Whether to return the derivative.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import special
    >>> special.spherical_kn(2, cp.array([0.5, 1.0, 2.0]))
    array([36.20397303,  4.04504572,  0.34544927])
    """
    return _spherical("k", n, z, derivative)


# ---- zeros ---------------------------------------------------------------------------

FIRST, FIRST_SLOPE, SECOND, SECOND_SLOPE = range(4)


def _zeros(kind, n, nt):
    nt = whole(nt, "nt", 1)
    order = abs(whole(n, "n", float("-inf")))
    numbers = _core.arange(1, nt + 1, dtype="d")
    return _core.special.bessel_zero(float(order), numbers, float(kind))


def jn_zeros(n, nt):
    """First zeros of the Bessel function of the first kind of whole order.

    Parameters
    ----------
    n : int
        Order.
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.jn_zeros(2, 3)
    array([ 5.1356223 ,  8.41724414, 11.61984117])
    """
    return _zeros(FIRST, n, nt)


def jnp_zeros(n, nt):
    """First zeros of the derivative of the Bessel function of the first kind.

    Parameters
    ----------
    n : int
        Order. That of order 0 at 0 is left out.
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.jnp_zeros(2, 3)
    array([3.05423693, 6.70613319, 9.96946782])
    """
    return _zeros(FIRST_SLOPE, n, nt)


def yn_zeros(n, nt):
    """First zeros of the Bessel function of the second kind of whole order.

    Parameters
    ----------
    n : int
        Order.
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.yn_zeros(2, 3)
    array([ 3.38424177,  6.79380751, 10.02347798])
    """
    return _zeros(SECOND, n, nt)


def ynp_zeros(n, nt):
    """First zeros of the derivative of the Bessel function of the second kind.

    Parameters
    ----------
    n : int
        Order.
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.ynp_zeros(2, 3)
    array([ 5.00258293,  8.3507247 , 11.57419547])
    """
    return _zeros(SECOND_SLOPE, n, nt)


def jnyn_zeros(n, nt):
    """First zeros of Jn, Jn', Yn and Yn'.

    Parameters
    ----------
    n : int
        Order.
    nt : int
        How many zeros of each, from 1 on.

    Returns
    -------
    tuple of ndarray
        The zeros of Jn, Jn', Yn and Yn'.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.jnyn_zeros(1, 2)[3]
    array([3.68302286, 6.94149995])
    """
    return tuple(_zeros(kind, n, nt) for kind in range(4))


def jnjnp_zeros(nt):
    """First zeros of the Bessel functions Jn and Jn' of all whole orders.

    Parameters
    ----------
    nt : int
        How many, up to 1200.

    Returns
    -------
    zo : ndarray
        The zeros, ascending.
    n : ndarray
        The order of each.
    m : ndarray
        Its number among those of its function; 0 for that of J0' at 0.
    t : ndarray
        0 for Jn, 1 for Jn'.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.jnjnp_zeros(4)[0]
    array([0.        , 1.84118378, 2.40482556, 3.05423693])
    """
    nt = whole(nt, "nt", 0)
    if nt > 1200:
        raise ValueError(f"nt must be at most 1200, not {nt}")
    # some x**2 / 4 of these zeros are less than x, of orders less than it, of each
    # order at most x / pi of a kind
    orders, numbers = int(2 * nt**0.5) + 5, int(0.7 * nt**0.5) + 5
    k = _core.arange(orders * numbers * 2)
    n, m, t = k // (2 * numbers), k // 2 % numbers + 1, k % 2
    zeros = _core.special.bessel_zero(n, m, t)
    parts = ((0, n), (0, m), (1, t))  # with what is at 0
    first = [_core.concatenate([_core.array([at_0]), a]) for at_0, a in parts]
    zeros = _core.concatenate([_core.zeros(1), zeros])
    chosen = _core.argsort(zeros)[:nt]
    return (zeros[chosen], *(a[chosen].astype("i") for a in first))


def _complex_zeros(kind, order, nt, complex, value):
    if complex:
        raise NotImplementedError(
            "complex zeros of Bessel functions of the second kind are not computed"
        )
    z = _zeros(kind, order, nt)
    return z.astype("D"), value(z).astype("D")


def y0_zeros(nt, complex=False):
    """First zeros of the Bessel function Y0, and its derivative there.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.
    complex : bool, optional
        Complex zeros are not computed: True raises NotImplementedError.

    Returns
    -------
    z0n, y0pz0n : ndarray
        The zeros and the values of Y0', as complex numbers.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.y0_zeros(2)[0]
    array([0.89357697+0.j, 3.95767842+0.j])
    """
    return _complex_zeros(SECOND, 0, nt, complex, lambda z: -_core.special.y1(z))


def y1_zeros(nt, complex=False):
    """First zeros of the Bessel function Y1, and its derivative there.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.
    complex : bool, optional
        Complex zeros are not computed: True raises NotImplementedError.

    Returns
    -------
    z1n, y1pz1n : ndarray
        The zeros and the values of Y1', as complex numbers.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.y1_zeros(2)[0]
    array([2.19714133+0.j, 5.42968104+0.j])
    """
    return _complex_zeros(SECOND, 1, nt, complex, _core.special.y0)


def y1p_zeros(nt, complex=False):
    """First zeros of the derivative of the Bessel function Y1, and Y1 there.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.
    complex : bool, optional
        Complex zeros are not computed: True raises NotImplementedError.

    Returns
    -------
    z1pn, y1z1pn : ndarray
        The zeros and the values of Y1, as complex numbers.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.y1p_zeros(2)[0]
    array([3.68302286+0.j, 6.94149995+0.j])
    """
    return _complex_zeros(SECOND_SLOPE, 1, nt, complex, _core.special.y1)
