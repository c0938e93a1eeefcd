"""Kaiser's formulas for the length and the shape of a window."""

import math

from cupricx.scipy.signal._design._checks import number
from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["kaiser_atten", "kaiser_beta", "kaiserord"]


@on_host
def kaiser_atten(numtaps, width):
    """Attenuation of a filter that a Kaiser window made.

    Parameters
    ----------
    numtaps : int
        Length of the filter.
    width : float
        Width of the transition, as a fraction of half of the sampling frequency.

    Returns
    -------
    a : float
        Attenuation, in dB.

    Examples
    --------
    >>> from cupricx.scipy.signal import kaiser_atten
    >>> round(kaiser_atten(100, 0.1), 3)
    79.018
    """
    return 2.285 * (numtaps - 1) * math.pi * number(width, "width") + 7.95


@on_host
def kaiser_beta(a):
    """Shape of the Kaiser window that makes a filter of an attenuation.

    Parameters
    ----------
    a : float
        Attenuation, in dB.

    Returns
    -------
    beta : float

    References
    ----------
    A. V. Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing", Prentice-Hall,
    section 7.5.

    Examples
    --------
    >>> from cupricx.scipy.signal import kaiser_beta
    >>> round(kaiser_beta(60.0), 5)
    5.65326
    """
    a = number(a, "a")
    if a > 50:
        return 0.1102 * (a - 8.7)
    if a > 21:
        return 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21)
    return 0.0


@on_host
def kaiserord(ripple, width):
    """Length and shape of the Kaiser window that makes a filter.

    Parameters
    ----------
    ripple : float
        The deviation of the response stays below ``10 ** (-abs(ripple) / 20)``.
    width : float
        Width of the transition, as a fraction of half of the sampling frequency.

    Returns
    -------
    numtaps : int
    beta : float

    Raises
    ------
    ValueError
        `ripple` is below 8 dB, where the formula does not hold.

    Examples
    --------
    >>> from cupricx.scipy.signal import kaiserord
    >>> numtaps, beta = kaiserord(60.0, 0.1)
    >>> numtaps, round(beta, 5)
    (74, 5.65326)
    """
    attenuation = abs(number(ripple, "ripple"))
    if attenuation < 8:
        raise ValueError(
            f"A ripple of {attenuation} dB is too small for Kaiser's formula, which "
            "needs 8 dB"
        )
    width = number(width, "width")
    numtaps = (attenuation - 7.95) / (2.285 * math.pi * width) + 1
    return math.ceil(numtaps), kaiser_beta.on_host(attenuation)
