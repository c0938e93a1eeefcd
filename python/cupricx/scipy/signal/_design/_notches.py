"""Filters of single frequencies: notches, peaks, combs, and those of the ear."""

import math
import operator
import warnings

import numpy as np

from cupricx.scipy.signal._design._checks import number, sampling_frequency
from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["gammatone", "iircomb", "iirnotch", "iirpeak"]


def _resonance(w0, Q, fs):
    """The angle of a frequency, and the gain 1 / (1 + tan(bandwidth / 2))."""
    fs = sampling_frequency(fs, optional=False)
    w0, Q = number(w0, "w0"), number(Q, "Q")
    relative = 2 * w0 / fs
    if not 0 <= relative <= 1:
        raise ValueError(f"w0 should be such that 0 < w0 < {fs / 2}, not {w0}")
    angle = math.pi * relative
    return angle, 1 / (1 + math.tan(angle / Q / 2))


@on_host
def iirnotch(w0, Q, fs=2.0, *, xp=None, device=None):
    """Notch filter of second order: what removes one frequency.

    Parameters
    ----------
    w0 : float
        Frequency to remove, in the units of `fs`.
    Q : float
        Quality factor: `w0` by the bandwidth at -3 dB.
    fs : float, optional
        Sampling frequency.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    b, a : cupric.ndarray of float64, shape (3,)
        Numerator and denominator.

    Raises
    ------
    ValueError
        `w0` is negative, or above ``fs / 2``.

    References
    ----------
    S. J. Orfanidis, "Introduction to Signal Processing", Prentice-Hall, 1996, section
    11.3.

    Examples
    --------
    >>> from cupricx.scipy.signal import iirnotch
    >>> b, a = iirnotch(50.0, 1.0, fs=200.0)
    >>> b.round(6), a.round(6)
    (array([ 0.5, -0. ,  0.5]), array([ 1., -0.,  0.]))
    """
    angle, gain = _resonance(w0, Q, fs)
    c = math.cos(angle)
    return (
        np.array([gain, -2 * gain * c, gain]),
        np.array([1, -2 * gain * c, 2 * gain - 1]),
    )


@on_host
def iirpeak(w0, Q, fs=2.0, *, xp=None, device=None):
    """Peak filter of second order: what keeps one frequency.

    Parameters
    ----------
    w0 : float
        Frequency to keep, in the units of `fs`.
    Q : float
        Quality factor: `w0` by the bandwidth at -3 dB.
    fs : float, optional
        Sampling frequency.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    b, a : cupric.ndarray of float64, shape (3,)
        Numerator and denominator.

    Raises
    ------
    ValueError
        `w0` is negative, or above ``fs / 2``.

    References
    ----------
    S. J. Orfanidis, "Introduction to Signal Processing", Prentice-Hall, 1996, section
    11.3.

    Examples
    --------
    >>> from cupricx.scipy.signal import iirpeak
    >>> b, a = iirpeak(50.0, 1.0, fs=200.0)
    >>> b.round(6)
    array([ 0.5,  0. , -0.5])
    """
    angle, gain = _resonance(w0, Q, fs)
    return (
        np.array([1 - gain, 0, gain - 1]),
        np.array([1, -2 * gain * math.cos(angle), 2 * gain - 1]),
    )


@on_host
def iircomb(w0, Q, ftype="notch", fs=2.0, *, pass_zero=False, xp=None, device=None):
    """Comb filter: a notch or a peak at each multiple of a frequency.

    Parameters
    ----------
    w0 : float
        Frequency of which the multiples are meant, in the units of `fs`, which it
        divides.
    Q : float
        Quality factor: `w0` by the bandwidth at -3 dB of each notch or peak.
    ftype : {'notch', 'peak'}, optional
    fs : float, optional
        Sampling frequency.
    pass_zero : bool, optional
        The frequency 0 is in the middle of a peak; else it is in that of a notch.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    b, a : cupric.ndarray of float64, shape (fs / w0 + 1,)
        Numerator and denominator.

    Raises
    ------
    ValueError
        `w0` is not within 0 and ``fs / 2``, or does not divide `fs`; `ftype` is none of
        those.

    References
    ----------
    S. J. Orfanidis, "Introduction to Signal Processing", Prentice-Hall, 1996, section
    11.5.

    Examples
    --------
    >>> from cupricx.scipy.signal import iircomb
    >>> b, a = iircomb(50.0, 2.0, fs=150.0)
    >>> b.round(6)
    array([ 0.5,  0. ,  0. , -0.5])
    """
    fs = sampling_frequency(fs, optional=False)
    w0, Q = number(w0, "w0"), number(Q, "Q")
    kind = ftype.lower()
    if not 0 < w0 < fs / 2:
        raise ValueError(f"w0 must be between 0 and {fs / 2} (Nyquist), not {w0}")
    if kind not in ("notch", "peak"):
        raise ValueError(f"ftype must be 'notch' or 'peak', not {ftype!r}")
    teeth = round(fs / w0)
    if abs(w0 - fs / teeth) > 1e-14 * fs:
        raise ValueError(f"fs must be divisible by w0, but {fs} / {w0} is no integer")
    width = math.tan(math.pi / (2 * Q))
    # Zeros of the numerator are where its last coefficient has them: at the frequency 0
    # and around the unit circle, or halfway. Poles are near what is to pass.
    sign = 1.0 if pass_zero else -1.0
    gain = (1.0 if kind == "notch" else width) / (1 + width)
    pole = (1 - width) / (1 + width)
    b, a = np.zeros((2, teeth + 1), float)
    b[[0, -1]] = gain, sign * gain
    a[[0, -1]] = 1, sign * pole if kind == "notch" else -sign * pole
    return b, a


# ---- filters of the ear --------------------------------------------------------------


def _bandwidth(freq):
    """Of the filter of the ear around a frequency in Hz: its equivalent rectangular
    bandwidth, widened to that of a gammatone."""
    return 1.019 * (24.7 + freq / 9.26449)


@on_host
def gammatone(freq, ftype, order=None, numtaps=None, fs=None, *, xp=None, device=None):
    """Gammatone filter: a model of what a place of the inner ear responds to.

    Parameters
    ----------
    freq : float
        Center frequency, in the units of `fs`.
    ftype : {'fir', 'iir'}
        A filter without recursion, or a recursive one of order 8, which models a
        gammatone of order 4.
    order : int, optional
        Order of a filter without recursion, from 1 to 24; 4 by default.
    numtaps : int, optional
        Length of a filter without recursion: 15 ms by default, and at least 15.
    fs : float, optional
        Sampling frequency; 2 by default.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    b, a : cupric.ndarray of float64
        Numerator and denominator.

    Raises
    ------
    ValueError
        `freq` is not within 0 and ``fs / 2``; `order` is out of range; `ftype` is none
        of those.

    Warns
    -----
    UserWarning
        `order` or `numtaps` of a recursive filter, which has none.

    References
    ----------
    M. Slaney, "An Efficient Implementation of the Patterson-Holdsworth Auditory Filter
    Bank", Apple Computer Technical Report 35, 1993.

    Examples
    --------
    >>> from cupricx.scipy.signal import gammatone
    >>> b, a = gammatone(440.0, "iir", fs=16000.0)
    >>> b.size, a.size
    (5, 9)
    """
    freq = number(freq, "freq")
    fs = 2.0 if fs is None else sampling_frequency(fs)
    kind = ftype.lower()
    if not 0 < freq < fs / 2:
        raise ValueError(f"freq must be between 0 and {fs / 2} (Nyquist), not {freq}")
    if kind not in ("fir", "iir"):
        raise ValueError(f"ftype must be 'fir' or 'iir', not {ftype!r}")
    if kind == "fir":
        return _gammatone_taps(freq, fs, order, numtaps), np.ones(1, float)
    for name, value in (("order", order), ("numtaps", numtaps)):
        if value is not None:
            warnings.warn(f"{name} is not used for IIR gammatone filter.", stacklevel=3)
    return _gammatone_recursion(2 * math.pi * freq / fs, _bandwidth(freq) / fs)


def _gammatone_taps(freq, fs, order, numtaps):
    order = 4 if order is None else operator.index(order)
    if not 0 < order <= 24:
        raise ValueError(f"order must be > 0 and <= 24, not {order}")
    taps = max(int(fs * 0.015), 15) if numtaps is None else operator.index(numtaps)
    t = np.arange(taps) / fs
    decay = 2 * math.pi * _bandwidth(freq)
    envelope = t ** (order - 1) * np.exp(-decay * t)
    scale = 2 * decay**order / math.factorial(order - 1) / fs
    return scale * envelope * np.cos(2 * math.pi * freq * t)


def _gammatone_recursion(angle, bandwidth):
    """Four pairs of poles at one place, four real zeros; a gain of 1 at the center."""
    radius = math.exp(-2 * math.pi * bandwidth)
    c, s = math.cos(angle), math.sin(angle)
    turn = complex(c, -s)  # 1 / z
    b, response = np.ones(1, float), 1.0
    for offset in (math.sqrt(3 + 2**1.5) * s, math.sqrt(3 - 2**1.5) * s):
        low, high = radius * (c - offset), radius * (c + offset)
        b = np.convolve(b, [1, -low - high, low * high])
        response *= abs((1 - low * turn) * (1 - high * turn))
    pair = np.array([1, -2 * radius * c, radius * radius])
    twice = np.convolve(pair, pair)
    poles = -math.expm1(-2 * math.pi * bandwidth) * (1 - radius * turn * turn)
    return abs(poles) ** 4 / response * b, np.convolve(twice, twice)
