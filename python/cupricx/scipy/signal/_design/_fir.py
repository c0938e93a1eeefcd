"""Filters without recursion, by windows."""

import operator

import numpy as np

from cupricx.scipy.signal._design._checks import sampling_frequency
from cupricx.scipy.signal._design._kaiser import kaiser_atten, kaiser_beta
from cupricx.scipy.signal._design._on_host import on_host
from cupricx.scipy.signal.windows._get_window import get_window

__all__ = ["firwin", "firwin2", "firwin_2d"]

# What `pass_zero` may be, and whether the frequency 0 is passed.
PASSES = {"lowpass": True, "bandstop": True, "highpass": False, "bandpass": False}


def _length(numtaps):
    """The number of taps, at least 1."""
    try:
        length = operator.index(numtaps)
    except TypeError:
        length = 0
    if length < 1:
        raise ValueError(f"numtaps must be a positive integer, not {numtaps!r}")
    return length


def _window(window, length):
    """A symmetric one, as a NumPy array."""
    return get_window(window, length, fftbins=False).get()


def _edges(cutoff, half):
    """Cutoff frequencies as fractions of half of the sampling frequency."""
    cutoff = np.atleast_1d(cutoff)
    if cutoff.ndim > 1:
        raise ValueError(
            f"cutoff must be at most one-dimensional, but its shape is {cutoff.shape}"
        )
    if cutoff.size == 0:
        raise ValueError("cutoff must have at least one frequency")
    edges = cutoff.astype(np.float64) / half
    if not (np.all(edges > 0) and np.all(edges < 1)):
        raise ValueError(
            f"Cutoff frequencies must be greater than 0 and less than fs/2 = {half}, "
            f"but are {cutoff.tolist()}"
        )
    if np.any(np.diff(edges) <= 0):
        raise ValueError(
            f"Cutoff frequencies must be strictly increasing, but are {cutoff.tolist()}"
        )
    return edges


def _passes_zero(pass_zero, edges):
    if isinstance(pass_zero, (bool, np.bool_)):
        return bool(pass_zero)
    if not isinstance(pass_zero, str) or pass_zero not in PASSES:
        raise ValueError(
            f"pass_zero must be True, False or one of {list(PASSES)}, not {pass_zero!r}"
        )
    if pass_zero in ("lowpass", "highpass") and edges.size != 1:
        raise ValueError(
            f"cutoff must have one element if pass_zero is {pass_zero!r}, but has "
            f"{edges.size}"
        )
    if pass_zero in ("bandpass", "bandstop") and edges.size < 2:
        raise ValueError(
            f"cutoff must have at least two elements if pass_zero is {pass_zero!r}, "
            f"but has {edges.size}"
        )
    return PASSES[pass_zero]


@on_host
def firwin(
    numtaps, cutoff, width=None, window="hamming", pass_zero=True, scale=True, fs=None
):
    """Filter without recursion, by the window method.

    Parameters
    ----------
    numtaps : int
        Length of the filter: odd, where it passes the frequency ``fs / 2``.
    cutoff : float or array_like, shape (n,)
        Frequencies at which the gain is one half, in ascending order, between 0 and
        ``fs / 2``: there passbands begin or end.
    width : float, optional
        Width of a transition. The window is a Kaiser window then, of which it follows,
        and `window` is not looked at.
    window : str, tuple or float, optional
        As in `get_window`; symmetric.
    pass_zero : bool or str, optional
        Whether the frequency 0 is in a passband; or 'lowpass', 'highpass', 'bandpass'
        or 'bandstop'.
    scale : bool, optional
        The gain is exactly 1 in the middle of the first passband, or at 0 or ``fs / 2``
        where that begins or ends there.
    fs : float, optional
        Sampling frequency; 2 by default.

    Returns
    -------
    h : cupric.ndarray of float64, shape (numtaps,)

    Raises
    ------
    ValueError
        Frequencies out of range or order, an even `numtaps` of a filter that passes
        ``fs / 2``, or a window that there is not.

    Examples
    --------
    >>> from cupricx.scipy.signal import firwin
    >>> firwin(3, 0.5, window="boxcar", scale=False).round(4)
    array([0.3183, 0.5   , 0.3183])
    """
    fs = 2.0 if fs is None else sampling_frequency(fs)
    edges = _edges(cutoff, fs / 2)
    length = _length(numtaps)
    passes_zero = _passes_zero(pass_zero, edges)
    passes_end = passes_zero == (edges.size % 2 == 0)
    if passes_end and length % 2 == 0:
        raise ValueError(
            "A filter with an even number of coefficients has no response at half of "
            f"the sampling frequency: numtaps must be odd, not {length}"
        )
    if width is not None:
        attenuation = kaiser_atten.on_host(length, float(width) / (fs / 2))
        window = ("kaiser", kaiser_beta.on_host(attenuation))
    elif not isinstance(window, (str, tuple, float)):
        raise ValueError(f"window must be a str, a tuple or a float, not {window!r}")
    bands = np.concatenate([[0.0] * passes_zero, edges, [1.0] * passes_end])
    return _windowed_sinc(bands.reshape(-1, 2), length, window, scale)


def _windowed_sinc(bands, length, window, scale):
    """The taps, of passbands as pairs of fractions of ``fs / 2``."""
    t = np.arange(length) - (length - 1) / 2
    ends = bands[:, :, np.newaxis]
    ideal = np.sum(ends * np.sinc(ends * t), axis=0)
    h = (ideal[1] - ideal[0]) * _window(window, length)
    if scale:
        low, high = bands[0]
        center = 0.0 if low == 0 else 1.0 if high == 1 else (low + high) / 2
        h /= np.sum(h * np.cos(np.pi * center * t))
    return h


# ---- from gains ----------------------------------------------------------------------


# Of a type of filter: at which ends its gain is zero, and what says so.
ZEROS = {
    (1, False): ((), "I"),
    (0, False): ((-1,), "II"),
    (1, True): ((0, -1), "III"),
    (0, True): ((0,), "IV"),
}


def _curve(freq, gain, half):
    """Frequencies, of which a repeated one is two beside each other, and gains."""
    freq, gain = np.asarray(freq, np.float64), np.asarray(gain, np.float64)
    if freq.ndim != 1 or gain.shape != freq.shape or freq.size < 2:
        raise ValueError(
            "freq and gain must have one axis, and be of the same length of at least "
            f"2, but their shapes are {freq.shape} and {gain.shape}"
        )
    if freq[0] != 0 or freq[-1] != half:
        raise ValueError(
            f"freq must start with 0 and end with fs/2 = {half}, but runs from "
            f"{freq[0]} to {freq[-1]}"
        )
    step = np.diff(freq)
    if np.any(step < 0):
        raise ValueError(f"The values in freq must be nondecreasing: {freq.tolist()}")
    if np.any((step[1:] == 0) & (step[:-1] == 0)):
        raise ValueError(
            f"A value in freq must not occur more than twice: {freq.tolist()}"
        )
    if step[0] == 0 or step[-1] == 0:
        raise ValueError(f"Values 0 and fs/2 must not be repeated: {freq.tolist()}")
    repeated = np.flatnonzero(step == 0)
    freq = freq.copy()
    apart = np.finfo(freq.dtype).eps * half
    freq[repeated] -= apart
    freq[repeated + 1] += apart
    if np.any(np.diff(freq) <= 0):
        raise ValueError(
            "freq has numbers too close to its repeated values to tell them apart: "
            f"{freq.tolist()}"
        )
    return freq, gain


@on_host
def firwin2(
    numtaps,
    freq,
    gain,
    nfreqs=None,
    window="hamming",
    nyq=None,
    antisymmetric=False,
    fs=None,
):
    """Filter without recursion of gains at frequencies, by the window method.

    Parameters
    ----------
    numtaps : int
        Length of the filter, below `nfreqs`.
    freq : array_like, shape (n,)
        Frequencies, from 0 to ``fs / 2``, in ascending order. One may stand twice,
        where the gain jumps.
    gain : array_like, shape (n,)
        Gains at these, with straight lines between them.
    nfreqs : int, optional
        Frequencies at which these lines are taken: 1 more than a power of 2, of the
        first that is not below `numtaps` by default.
    window : str, tuple, float or None, optional
        As in `get_window`; symmetric. None for no window.
    nyq : float, optional
        Half of the sampling frequency, in the place of `fs`; SciPy has it no longer.
    antisymmetric : bool, optional
        The filter is antisymmetric; else it is symmetric.
    fs : float, optional
        Sampling frequency; 2 by default.

    Returns
    -------
    taps : cupric.ndarray of float64, shape (numtaps,)

    Raises
    ------
    ValueError
        Frequencies that do not run from 0 to ``fs / 2``, an `nfreqs` that is too small,
        or a gain at an end where filters of this symmetry and length have none.

    Examples
    --------
    >>> from cupricx.scipy.signal import firwin2
    >>> firwin2(5, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0]).round(4)
    array([-0.0085,  0.1108,  0.75  ,  0.1108, -0.0085])
    """
    if nyq is not None and fs is not None:
        raise ValueError("nyq and fs must not be passed both")
    half = (2.0 if fs is None else sampling_frequency(fs)) / 2
    half = half if nyq is None else float(nyq)
    freq, gain = _curve(freq, gain, half)
    length = _length(numtaps)
    if nfreqs is None:
        nfreqs = 1 + 2 ** (length - 1).bit_length()
    elif length >= nfreqs:
        raise ValueError(
            f"numtaps must be less than nfreqs, but is {length}, and nfreqs is {nfreqs}"
        )
    ends, name = ZEROS[length % 2, bool(antisymmetric)]
    if any(gain[end] != 0 for end in ends):
        where = " and ".join("zero" if end == 0 else "fs/2" for end in ends)
        raise ValueError(
            f"A filter of type {name}, of {length} taps, must have zero gain at {where}"
        )
    delay = (length - 1) / 2
    angles = np.linspace(0, np.pi, nfreqs)
    response = np.interp(angles * (half / np.pi), freq, gain) * np.exp(
        -1j * delay * angles
    )
    if antisymmetric:
        response *= 1j
    taps = np.fft.irfft(response)[:length]
    if window is not None:
        taps *= _window(window, length)
    if name == "III":
        taps[length // 2] = 0
    return taps


# ---- two dimensions ------------------------------------------------------------------

# How many points of a radius stand for one of a side of a circular filter.
POINTS = 8


@on_host
def firwin_2d(
    hsize, window, *, fc=None, fs=2, circular=False, pass_zero=True, scale=True
):
    """Filter without recursion of two dimensions, by the window method.

    Parameters
    ----------
    hsize : tuple of int
        Rows and columns of the filter.
    window : str or tuple
        Two windows, each as in `get_window`, of both directions; or one, where
        `circular`.
    fc : float or array_like, shape (n,)
        Cutoff frequencies, as in `firwin`.
    fs : float, optional
        Sampling frequency.
    circular : bool, optional
        The filter is a function of the distance from its center, of which the radius is
        a filter of one dimension, on a square of width 2; else it is a product of two.
    pass_zero : bool or str, optional
        As in `firwin`.
    scale : bool, optional
        As in `firwin`.

    Returns
    -------
    filter_2d : cupric.ndarray of float64
        Of the shape `hsize`, or its reverse where `circular`.

    Raises
    ------
    ValueError
        `hsize` or `window` has not two elements, there is no `fc`, or `firwin` refuses
        one of the filters.

    Examples
    --------
    >>> from cupricx.scipy.signal import firwin_2d
    >>> h = firwin_2d((3, 5), ("hamming", "hann"), fc=0.4)
    >>> h.shape, round(float(h.sum()), 6)
    ((3, 5), 1.0)
    """
    if len(hsize) != 2:
        raise ValueError(f"hsize must have two elements, not {len(hsize)}")
    if fc is None:
        raise ValueError("Cutoff frequency `fc` must be provided")
    options = {"pass_zero": pass_zero, "scale": scale, "fs": fs}
    rows, columns = (_length(n) for n in hsize)
    if circular:
        points = POINTS * max(rows, columns)
        radius = firwin.on_host(points, fc, window=window, **options)
        x, y = np.linspace(-1, 1, rows), np.linspace(-1, 1, columns)
        distance = np.hypot(x, y[:, np.newaxis])
        return np.interp(distance, np.linspace(0, 1, radius.size), radius)
    if not isinstance(window, (tuple, list)) or len(window) != 2:
        raise ValueError(f"window must have two elements, but is {window!r}")
    vertical = firwin.on_host(rows, fc, window=window[0], **options)
    horizontal = firwin.on_host(columns, fc, window=window[1], **options)
    return np.outer(vertical, horizontal)
