"""The lowest order of a filter that has certain bands, and its critical frequencies."""

import math
import warnings

import numpy as np

from cupricx.scipy.signal._design._checks import sampling_frequency
from cupricx.scipy.signal._design._elliptic import nome
from cupricx.scipy.signal._design._on_host import on_host
from cupricx.scipy.signal._design._prototypes import power_excess

__all__ = ["band_stop_obj", "buttord", "cheb1ord", "cheb2ord", "ellipord"]


# ---- orders, of the prototype --------------------------------------------------------


def _discrimination(gpass, gstop):
    """The ratio of the ripple factors of stopband and passband, above 1."""
    return math.sqrt(power_excess(gstop) / power_excess(gpass))


def _butterworth_order(selectivity, gpass, gstop):
    return math.log(_discrimination(gpass, gstop)) / math.log(selectivity)


def _chebyshev_order(selectivity, gpass, gstop):
    return math.acosh(_discrimination(gpass, gstop)) / math.acosh(selectivity)


def _elliptic_order(selectivity, gpass, gstop):
    """K'/K of the modulus of the ripples by that of the frequencies."""
    ripple, edge = 1 / _discrimination(gpass, gstop), 1 / selectivity
    other, others = (math.sqrt((1 - k) * (1 + k)) for k in (ripple, edge))
    if not other:  # nothing has to be attenuated
        return 0.0
    return nome(ripple, other) / nome(edge, others)


ORDERS = {
    "butter": _butterworth_order,
    "cheby": _chebyshev_order,
    "ellip": _elliptic_order,
}


# ---- bands ---------------------------------------------------------------------------


def _selectivity(passband, stopband):
    """Where the stopband begins, if the band is transformed to a lowpass prototype's of
    which the passband ends at 1."""
    if len(passband) == 1:
        if passband[0] < stopband[0]:
            return stopband[0] / passband[0]
        return passband[0] / stopband[0]
    center, width = passband[0] * passband[1], passband[0] - passband[1]
    if passband[0] < stopband[0]:
        moved = stopband * width / (stopband * stopband - center)
    else:
        moved = (stopband * stopband - center) / (stopband * width)
    return float(np.min(np.abs(moved)))


def _balanced(passband, stopband):
    """The passband of a band-stop filter that needs the lowest order.

    It may be wider than asked for, so long as it does not reach the stopband. The order
    is lowest where both edges of the stopband are as hard to reach, which is where both
    bands have the same geometric mean.
    """
    center = stopband[0] * stopband[1]
    low = min(max(passband[0], center / passband[1]), stopband[0] * (1 - 1e-12))
    high = max(min(passband[1], center / low), stopband[1] * (1 + 1e-12))
    return np.array([low, high])


def _bands(wp, ws, gpass, gstop, analog, fs):
    """Passband and stopband in rad/s, and half of the sampling frequency, or 1."""
    if not gpass > 0:
        raise ValueError(f"gpass should be larger than 0.0, not {gpass}")
    if not gstop > 0:
        raise ValueError(f"gstop should be larger than 0.0, not {gstop}")
    if gpass > gstop:
        raise ValueError(f"gpass ({gpass}) should be smaller than gstop ({gstop})")
    fs = sampling_frequency(fs)
    if analog and fs is not None:
        raise ValueError("fs cannot be specified for an analog filter")
    scale = 1.0 if fs is None else fs / 2
    passband, stopband = (np.atleast_1d(w).astype(float) / scale for w in (wp, ws))
    if passband.shape != stopband.shape or passband.shape not in ((1,), (2,)):
        raise ValueError(
            "wp and ws must have one or two elements each, and the same shape, not "
            f"{np.shape(wp)} and {np.shape(ws)}"
        )
    if not analog:
        passband, stopband = (np.tan(np.pi * w / 2) for w in (passband, stopband))
    if len(passband) == 2 and passband[0] < stopband[0]:
        passband = _balanced(passband, stopband)
    return passband, stopband, scale


def _order(kind, selectivity, gpass, gstop):
    if selectivity == 1:
        raise ValueError("wp and ws must differ, so that there is a transition band")
    if not 1 < selectivity < math.inf:
        raise ValueError(
            "wp and ws are no bands of a filter: one must lie within the other, or on "
            "one side of it, between 0 and half of the sampling frequency"
        )
    return math.ceil(ORDERS[kind](selectivity, gpass, gstop))


def _moved(passband, stopband, factor):
    """The passband, if the prototype's edge is moved from 1 to a factor."""
    if len(passband) == 1:
        if passband[0] < stopband[0]:
            return passband * factor
        return passband / factor
    half = (passband[1] - passband[0]) / 2
    half = half / factor if passband[0] < stopband[0] else half * factor
    middle = math.sqrt(half * half + passband[0] * passband[1])
    # The product of both is that of the edges: no digit is lost by a difference.
    high = middle + half
    return np.array([passband[0] * passband[1] / high, high])


def _frequencies(band, analog, scale):
    """In the units that were asked for: a number, or an array of two."""
    if not analog:
        band = 2 / np.pi * np.arctan(band)
    band = band * scale
    return band if len(band) == 2 else band[0]


@on_host
def buttord(wp, ws, gpass, gstop, analog=False, fs=None):
    """Lowest order of a Butterworth filter, and its critical frequencies.

    Parameters
    ----------
    wp, ws : float or array_like, shape (2,)
        Edges of the passband and of the stopband: in the units of `fs`, of half-cycles
        a sample where there is none, or in rad/s where `analog`.
    gpass : float
        Greatest loss in the passband, in dB.
    gstop : float
        Least attenuation in the stopband, in dB.
    analog : bool, optional
        The filter is one of continuous time.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    ord : int
        Order.
    wn : float or cupric.ndarray, shape (2,)
        What `butter` takes. The loss in the passband is then `gpass`.

    Raises
    ------
    ValueError
        Losses or bands for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import buttord
    >>> order, wn = buttord(0.2, 0.3, gpass=3, gstop=40)
    >>> order, round(float(wn), 4)
    (11, 0.2)
    """
    passband, stopband, scale = _bands(wp, ws, gpass, gstop, analog, fs)
    order = _order("butter", _selectivity(passband, stopband), gpass, gstop)
    if order == 0:
        warnings.warn("Order is zero...check input parameters.", RuntimeWarning, 3)
        factor = 1.0
    else:
        factor = power_excess(gpass) ** (-1 / (2 * order))
    return order, _frequencies(_moved(passband, stopband, factor), analog, scale)


@on_host
def cheb1ord(wp, ws, gpass, gstop, analog=False, fs=None):
    """Lowest order of a Chebyshev filter with ripples in the passband.

    Parameters
    ----------
    wp, ws : float or array_like, shape (2,)
        Edges of the passband and of the stopband: in the units of `fs`, of half-cycles
        a sample where there is none, or in rad/s where `analog`.
    gpass : float
        Greatest loss in the passband, in dB.
    gstop : float
        Least attenuation in the stopband, in dB.
    analog : bool, optional
        The filter is one of continuous time.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    ord : int
        Order.
    wn : float or cupric.ndarray, shape (2,)
        What `cheby1` takes.

    Raises
    ------
    ValueError
        Losses or bands for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import cheb1ord
    >>> order, wn = cheb1ord(0.2, 0.3, gpass=3, gstop=40)
    >>> order, round(float(wn), 4)
    (6, 0.2)
    """
    passband, stopband, scale = _bands(wp, ws, gpass, gstop, analog, fs)
    order = _order("cheby", _selectivity(passband, stopband), gpass, gstop)
    return order, _frequencies(passband, analog, scale)


@on_host
def cheb2ord(wp, ws, gpass, gstop, analog=False, fs=None):
    """Lowest order of a Chebyshev filter with ripples in the stopband.

    Parameters
    ----------
    wp, ws : float or array_like, shape (2,)
        Edges of the passband and of the stopband: in the units of `fs`, of half-cycles
        a sample where there is none, or in rad/s where `analog`.
    gpass : float
        Greatest loss in the passband, in dB.
    gstop : float
        Least attenuation in the stopband, in dB.
    analog : bool, optional
        The filter is one of continuous time.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    ord : int
        Order.
    wn : float or cupric.ndarray, shape (2,)
        What `cheby2` takes. The loss at the passband's edge is then `gpass`.

    Raises
    ------
    ValueError
        Losses or bands for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import cheb2ord
    >>> order, wn = cheb2ord(0.2, 0.3, gpass=3, gstop=40)
    >>> order, round(float(wn), 4)
    (6, 0.2746)
    """
    passband, stopband, scale = _bands(wp, ws, gpass, gstop, analog, fs)
    order = _order("cheby", _selectivity(passband, stopband), gpass, gstop)
    factor = 1.0
    if order:
        factor = math.cosh(math.acosh(_discrimination(gpass, gstop)) / order)
    return order, _frequencies(_moved(passband, stopband, factor), analog, scale)


@on_host
def ellipord(wp, ws, gpass, gstop, analog=False, fs=None):
    """Lowest order of an elliptic filter.

    Parameters
    ----------
    wp, ws : float or array_like, shape (2,)
        Edges of the passband and of the stopband: in the units of `fs`, of half-cycles
        a sample where there is none, or in rad/s where `analog`.
    gpass : float
        Greatest loss in the passband, in dB.
    gstop : float
        Least attenuation in the stopband, in dB.
    analog : bool, optional
        The filter is one of continuous time.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    ord : int
        Order.
    wn : float or cupric.ndarray, shape (2,)
        What `ellip` takes.

    Raises
    ------
    ValueError
        Losses or bands for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import ellipord
    >>> order, wn = ellipord(0.2, 0.3, gpass=3, gstop=40)
    >>> order, round(float(wn), 4)
    (4, 0.2)
    """
    passband, stopband, scale = _bands(wp, ws, gpass, gstop, analog, fs)
    order = _order("ellip", _selectivity(passband, stopband), gpass, gstop)
    return order, _frequencies(passband, analog, scale)


@on_host
def band_stop_obj(wp, ind, passb, stopb, gpass, gstop, type):
    """Order of an analog band-stop filter, as a number that need not be an integer.

    Parameters
    ----------
    wp : float
        Edge of the passband that takes the place of ``passb[ind]``.
    ind : {0, 1}
    passb, stopb : array_like, shape (2,)
        Edges of the passband and of the stopband, in rad/s.
    gpass : float
        Greatest loss in the passband, in dB.
    gstop : float
        Least attenuation in the stopband, in dB.
    type : {'butter', 'cheby', 'ellip'}

    Returns
    -------
    n : float

    Raises
    ------
    ValueError
        `type` is none of those.

    Examples
    --------
    >>> from cupricx.scipy.signal import band_stop_obj
    >>> round(band_stop_obj(0.9, 0, [1.0, 4.0], [1.5, 3.0], 3, 40, "butter"), 3)
    8.476
    """
    if type not in ORDERS:
        raise ValueError(f"type must be one of {', '.join(ORDERS)}, not {type!r}")
    passband, stopband = np.array(passb, float), np.asarray(stopb, float)
    passband[ind] = wp
    center, width = passband[0] * passband[1], passband[0] - passband[1]
    moved = stopband * width / (stopband * stopband - center)
    return ORDERS[type](float(np.min(np.abs(moved))), gpass, gstop)
