"""Zeros of Kelvin functions."""

from cupric import _core
from cupricx.scipy.special._counts import whole

__all__ = [
    "bei_zeros",
    "beip_zeros",
    "ber_zeros",
    "berp_zeros",
    "kei_zeros",
    "keip_zeros",
    "kelvin_zeros",
    "ker_zeros",
    "kerp_zeros",
]

_NAMES = ("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip")


def _zeros(name, nt):
    numbers = _core.arange(1, whole(nt, "nt", 1) + 1, dtype="d")
    return _core.special.kelvin_zero(float(_NAMES.index(name)), numbers)


def kelvin_zeros(nt):
    """First zeros of all Kelvin functions and of their derivatives.

    Parameters
    ----------
    nt : int
        How many zeros of each, from 1 on.

    Returns
    -------
    tuple of ndarray
        The zeros of ber, bei, ker, kei, ber', bei', ker' and kei'.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.kelvin_zeros(2)[0]
    array([2.84891782, 7.23882945])
    """
    return tuple(_zeros(name, nt) for name in _NAMES)


def ber_zeros(nt):
    """First zeros of the Kelvin function ber.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.ber_zeros(2)
    array([2.84891782, 7.23882945])
    """
    return _zeros("ber", nt)


def bei_zeros(nt):
    """First zeros of the Kelvin function bei.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.bei_zeros(2)
    array([5.02622395, 9.4554063 ])
    """
    return _zeros("bei", nt)


def ker_zeros(nt):
    """First zeros of the Kelvin function ker.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.ker_zeros(2)
    array([1.71854296, 6.12727913])
    """
    return _zeros("ker", nt)


def kei_zeros(nt):
    """First zeros of the Kelvin function kei.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.kei_zeros(2)
    array([3.91466761, 8.34422506])
    """
    return _zeros("kei", nt)


def berp_zeros(nt):
    """First zeros of the derivative of the Kelvin function ber.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.berp_zeros(2)
    array([ 6.03871081, 10.51364251])
    """
    return _zeros("berp", nt)


def beip_zeros(nt):
    """First zeros of the derivative of the Kelvin function bei.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.beip_zeros(2)
    array([3.7726733 , 8.28098785])
    """
    return _zeros("beip", nt)


def kerp_zeros(nt):
    """First zeros of the derivative of the Kelvin function ker.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.kerp_zeros(2)
    array([2.66583979, 7.17212212])
    """
    return _zeros("kerp", nt)


def keip_zeros(nt):
    """First zeros of the derivative of the Kelvin function kei.

    Parameters
    ----------
    nt : int
        How many zeros, from 1 on.

    Returns
    -------
    ndarray
        Positive zeros, ascending.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> special.keip_zeros(2)
    array([4.93181194, 9.40405458])
    """
    return _zeros("keip", nt)
