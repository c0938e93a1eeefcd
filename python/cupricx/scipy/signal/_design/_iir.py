"""Recursive filters of an order and of critical frequencies."""

import math

import numpy as np

from cupricx.scipy.signal._design import _prototypes as prototypes
from cupricx.scipy.signal._design import _transformations as transformations
from cupricx.scipy.signal._design._checks import number, sampling_frequency
from cupricx.scipy.signal._design._forms import zpk2sos, zpk2tf
from cupricx.scipy.signal._design._on_host import on_host
from cupricx.scipy.signal._design._orders import (
    buttord,
    cheb1ord,
    cheb2ord,
    ellipord,
)

__all__ = [
    "bessel",
    "butter",
    "cheby1",
    "cheby2",
    "ellip",
    "iirdesign",
    "iirfilter",
    "spelled",
]

BANDS = {
    "lowpass": ("lowpass", "low", "lp", "l"),
    "highpass": ("highpass", "high", "hp", "h"),
    "bandpass": ("bandpass", "band", "pass", "bp", "b"),
    "bandstop": ("bandstop", "bands", "stop", "bs"),
}
FAMILIES = {
    "butter": ("butter", "butterworth"),
    "cheby1": ("cheby1", "chebyshev1", "chebyshevi"),
    "cheby2": ("cheby2", "chebyshev2", "chebyshevii"),
    "ellip": ("ellip", "elliptic", "cauer"),
    "bessel_phase": ("bessel", "bessel_phase"),
    "bessel_delay": ("bessel_delay",),
    "bessel_mag": ("bessel_mag",),
}
# Of a family: which of the ripples its prototype takes, and what finds its order.
RIPPLES = {"cheby1": ("rp",), "cheby2": ("rs",), "ellip": ("rp", "rs")}
PROTOTYPES = {
    "butter": prototypes.buttap,
    "cheby1": prototypes.cheb1ap,
    "cheby2": prototypes.cheb2ap,
    "ellip": prototypes.ellipap,
}
ORDERS = {
    "butter": buttord,
    "cheby1": cheb1ord,
    "cheby2": cheb2ord,
    "ellip": ellipord,
}


def spelled(table, text, what):
    """The key of a table of spellings."""
    for name, spellings in table.items():
        if text.lower() in spellings:
            return name
    raise ValueError(f"{text!r} is no {what}: {', '.join(table)} are")


def _critical_frequencies(Wn, btype, analog, fs):
    """One frequency, or two in ascending order, in rad/s or in half-cycles a sample."""
    fs = sampling_frequency(fs)
    Wn = np.asarray(Wn)
    if Wn.dtype.kind == "c":
        raise TypeError(f"Wn must be real, not of {Wn.dtype}")
    Wn = Wn.astype(np.float64)
    wanted = () if btype in ("lowpass", "highpass") else (2,)
    if Wn.shape != wanted and not (Wn.size == 1 and wanted == ()):
        counts = "a single frequency" if wanted == () else "two frequencies"
        raise ValueError(
            f"Wn must be {counts} for a {btype} filter, not of shape {Wn.shape}"
        )
    Wn = Wn.reshape(wanted)
    if fs is not None:
        if analog:
            raise ValueError("fs cannot be specified for an analog filter")
        if fs == 0:
            raise ValueError("Sampling frequency fs must not be 0")
        Wn = 2 * Wn / fs
    if np.any(Wn <= 0):
        raise ValueError("Critical frequencies of a filter must be greater than 0")
    if not analog and np.any(Wn >= 1):
        top = "1" if fs is None else f"fs/2 = {fs / 2}"
        raise ValueError(
            f"Critical frequencies of a digital filter must be below {top}"
        )
    if wanted and not Wn[0] < Wn[1]:
        raise ValueError(f"Wn[0] must be less than Wn[1], but Wn is {Wn.tolist()}")
    return Wn


def _prototype(family, N, rp, rs):
    if family.startswith("bessel_"):
        return prototypes.besselap.on_host(N, family.removeprefix("bessel_"))
    ripples = {"rp": rp, "rs": rs}
    needed = RIPPLES.get(family, ())
    for name in needed:
        if ripples[name] is None:
            raise ValueError(f"A filter of type {family} needs {' and '.join(needed)}")
    return PROTOTYPES[family].on_host(N, *(ripples[name] for name in needed))


def _transformed(z, p, k, Wn, btype):
    """The prototype with these critical frequencies, in rad/s."""
    if btype == "lowpass":
        return transformations.lp2lp_zpk.on_host(z, p, k, Wn)
    if btype == "highpass":
        return transformations.lp2hp_zpk.on_host(z, p, k, Wn)
    center, width = math.sqrt(Wn[0] * Wn[1]), Wn[1] - Wn[0]
    if btype == "bandpass":
        return transformations.lp2bp_zpk.on_host(z, p, k, center, width)
    return transformations.lp2bs_zpk.on_host(z, p, k, center, width)


def _designed(N, Wn, rp, rs, btype, analog, family, output, fs):
    output = output.lower()
    if output not in ("ba", "zpk", "sos"):
        raise ValueError(f"{output!r} is no form of output: ba, zpk and sos are")
    for name, ripple in (("passband ripple (rp)", rp), ("attenuation (rs)", rs)):
        if ripple is not None and number(ripple, name) < 0:
            raise ValueError(f"{name} must be positive, not {ripple}")
    Wn = _critical_frequencies(Wn, btype, analog, fs)
    z, p, k = _prototype(family, N, rp, rs)
    if analog:
        z, p, k = _transformed(z, p, k, Wn, btype)
    else:
        # Of a sampling frequency of 2, warped so that these frequencies stay.
        z, p, k = _transformed(z, p, k, 4 * np.tan(np.pi * Wn / 2), btype)
        z, p, k = transformations.bilinear_zpk.on_host(z, p, k, 2.0)
    if output == "zpk":
        return z, p, k
    if output == "sos":
        return zpk2sos.on_host(z, p, k, analog=analog)
    b, a = zpk2tf.on_host(z, p, k)
    return b.real.astype(np.float64), a.real.astype(np.float64)


@on_host
def iirfilter(
    N,
    Wn,
    rp=None,
    rs=None,
    btype="band",
    analog=False,
    ftype="butter",
    output="ba",
    fs=None,
):
    """Recursive filter of an order and of critical frequencies.

    Parameters
    ----------
    N : int
        Order; of bandpass and bandstop filters half of it.
    Wn : float or array_like, shape (2,)
        Critical frequency, or the two edges of a band, in ascending order: in the units
        of `fs`, of half-cycles a sample where there is none, or in rad/s where
        `analog`.
    rp : float, optional
        Ripple of the passband in dB, of 'cheby1' and 'ellip'.
    rs : float, optional
        Attenuation of the stopband in dB, of 'cheby2' and 'ellip'.
    btype : {'bandpass', 'lowpass', 'highpass', 'bandstop'}, optional
    analog : bool, optional
        The filter is one of continuous time.
    ftype : {'butter', 'cheby1', 'cheby2', 'ellip', 'bessel'}, optional
        Also 'bessel_phase', 'bessel_delay' and 'bessel_mag'; see `bessel`.
    output : {'ba', 'zpk', 'sos'}, optional
        Numerator and denominator; zeros, poles and gain; or second-order sections,
        which alone are accurate of high orders.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    tuple or cupric.ndarray
        Numerator and denominator `b` and `a`, of float64, where `output` is 'ba';
        zeros, poles and gain `z`, `p` and `k`, a float, where it is 'zpk'; sections, of
        shape (n_sections, 6), where it is 'sos'.

    Raises
    ------
    ValueError
        An order, a frequency, a ripple or a name for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import iirfilter
    >>> b, a = iirfilter(1, [0.25, 0.75], btype="bandpass")
    >>> b
    array([ 0.5,  0. , -0.5])
    """
    btype = spelled(BANDS, btype, "type of a band")
    family = spelled(FAMILIES, ftype, "type of a recursive filter")
    return _designed(N, Wn, rp, rs, btype, analog, family, output, fs)


def _of_family(family, N, Wn, btype, analog, output, fs, rp=None, rs=None):
    btype = spelled(BANDS, btype, "type of a band")
    return _designed(N, Wn, rp, rs, btype, analog, family, output, fs)


@on_host
def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    """Butterworth filter, digital or analog: maximally flat in the passband.

    Parameters
    ----------
    N : int
        Order; of bandpass and bandstop filters half of it.
    Wn : float or array_like, shape (2,)
        Frequency at which the gain is 1/sqrt(2), or two of a band, in ascending order:
        in the units of `fs`, of half-cycles a sample where there is none, or in rad/s
        where `analog`.
    btype : {'lowpass', 'highpass', 'bandpass', 'bandstop'}, optional
    analog : bool, optional
        The filter is one of continuous time.
    output : {'ba', 'zpk', 'sos'}, optional
        Numerator and denominator; zeros, poles and gain; or second-order sections,
        which alone are accurate of high orders.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    tuple or cupric.ndarray
        Numerator and denominator `b` and `a`, of float64, where `output` is 'ba';
        zeros, poles and gain `z`, `p` and `k`, a float, where it is 'zpk'; sections, of
        shape (n_sections, 6), where it is 'sos'.

    Raises
    ------
    ValueError
        An order, a frequency or a name for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import butter
    >>> b, a = butter(1, 0.5)
    >>> b
    array([0.5, 0.5])
    >>> abs(a).round(12)
    array([1., 0.])
    """
    return _of_family("butter", N, Wn, btype, analog, output, fs)


@on_host
def cheby1(N, rp, Wn, btype="low", analog=False, output="ba", fs=None):
    """Chebyshev filter with ripples in the passband, digital or analog.

    Parameters
    ----------
    N : int
        Order; of bandpass and bandstop filters half of it.
    rp : float
        Ripple of the passband, in dB.
    Wn : float or array_like, shape (2,)
        Frequency at which the gain falls below -`rp` dB, or two of a band, in ascending
        order: in the units of `fs`, of half-cycles a sample where there is none, or in
        rad/s where `analog`.
    btype : {'lowpass', 'highpass', 'bandpass', 'bandstop'}, optional
    analog : bool, optional
        The filter is one of continuous time.
    output : {'ba', 'zpk', 'sos'}, optional
        Numerator and denominator; zeros, poles and gain; or second-order sections,
        which alone are accurate of high orders.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    tuple or cupric.ndarray
        Numerator and denominator `b` and `a`, of float64, where `output` is 'ba';
        zeros, poles and gain `z`, `p` and `k`, a float, where it is 'zpk'; sections, of
        shape (n_sections, 6), where it is 'sos'.

    Raises
    ------
    ValueError
        An order, a frequency, a ripple or a name for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import cheby1
    >>> cheby1(4, 1.0, 0.2, output="sos").shape
    (2, 6)
    """
    return _of_family("cheby1", N, Wn, btype, analog, output, fs, rp=rp)


@on_host
def cheby2(N, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    """Chebyshev filter with ripples in the stopband, digital or analog.

    Parameters
    ----------
    N : int
        Order; of bandpass and bandstop filters half of it.
    rs : float
        Attenuation of the stopband, in dB.
    Wn : float or array_like, shape (2,)
        Frequency at which the gain reaches -`rs` dB, or two of a band, in ascending
        order: in the units of `fs`, of half-cycles a sample where there is none, or in
        rad/s where `analog`.
    btype : {'lowpass', 'highpass', 'bandpass', 'bandstop'}, optional
    analog : bool, optional
        The filter is one of continuous time.
    output : {'ba', 'zpk', 'sos'}, optional
        Numerator and denominator; zeros, poles and gain; or second-order sections,
        which alone are accurate of high orders.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    tuple or cupric.ndarray
        Numerator and denominator `b` and `a`, of float64, where `output` is 'ba';
        zeros, poles and gain `z`, `p` and `k`, a float, where it is 'zpk'; sections, of
        shape (n_sections, 6), where it is 'sos'.

    Raises
    ------
    ValueError
        An order, a frequency, a ripple or a name for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import cheby2
    >>> cheby2(5, 40.0, 100.0, btype="highpass", fs=1000.0, output="sos").shape
    (3, 6)
    """
    return _of_family("cheby2", N, Wn, btype, analog, output, fs, rs=rs)


@on_host
def ellip(N, rp, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    """Elliptic filter, digital or analog: the narrowest transition of an order.

    Parameters
    ----------
    N : int
        Order; of bandpass and bandstop filters half of it.
    rp : float
        Ripple of the passband, in dB.
    rs : float
        Attenuation of the stopband, in dB, above `rp`.
    Wn : float or array_like, shape (2,)
        Frequency at which the gain falls below -`rp` dB, or two of a band, in ascending
        order: in the units of `fs`, of half-cycles a sample where there is none, or in
        rad/s where `analog`.
    btype : {'lowpass', 'highpass', 'bandpass', 'bandstop'}, optional
    analog : bool, optional
        The filter is one of continuous time.
    output : {'ba', 'zpk', 'sos'}, optional
        Numerator and denominator; zeros, poles and gain; or second-order sections,
        which alone are accurate of high orders.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    tuple or cupric.ndarray
        Numerator and denominator `b` and `a`, of float64, where `output` is 'ba';
        zeros, poles and gain `z`, `p` and `k`, a float, where it is 'zpk'; sections, of
        shape (n_sections, 6), where it is 'sos'.

    Raises
    ------
    ValueError
        An order, a frequency, a ripple or a name for which there is no filter, among
        them an `rs` that is not above `rp`.

    Examples
    --------
    >>> from cupricx.scipy.signal import ellip
    >>> z, p, k = ellip(4, 0.5, 60.0, [0.2, 0.4], "bandpass", output="zpk")
    >>> z.size, p.size
    (8, 8)
    """
    return _of_family("ellip", N, Wn, btype, analog, output, fs, rp=rp, rs=rs)


@on_host
def bessel(N, Wn, btype="low", analog=False, output="ba", norm="phase", fs=None):
    """Bessel filter, digital or analog: the flattest group delay.

    Parameters
    ----------
    N : int
        Order; of bandpass and bandstop filters half of it.
    Wn : float or array_like, shape (2,)
        Critical frequency, or the two edges of a band, in ascending order: in the units
        of `fs`, of half-cycles a sample where there is none, or in rad/s where
        `analog`.
    btype : {'lowpass', 'highpass', 'bandpass', 'bandstop'}, optional
    analog : bool, optional
        The filter is one of continuous time.
    output : {'ba', 'zpk', 'sos'}, optional
        Numerator and denominator; zeros, poles and gain; or second-order sections,
        which alone are accurate of high orders.
    norm : {'phase', 'delay', 'mag'}, optional
        What is so at `Wn`: the phase is halfway, and asymptotes are those of a
        Butterworth filter; or the group delay of the passband is ``1 / Wn``; or the
        gain is -3 dB.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    tuple or cupric.ndarray
        Numerator and denominator `b` and `a`, of float64, where `output` is 'ba';
        zeros, poles and gain `z`, `p` and `k`, a float, where it is 'zpk'; sections, of
        shape (n_sections, 6), where it is 'sos'.

    Raises
    ------
    ValueError
        An order, a frequency or a name for which there is no filter.

    Notes
    -----
    The bilinear transform, which makes the filter a digital one, does not keep its
    delay, but for frequencies far below the sampling frequency.

    Examples
    --------
    >>> from cupricx.scipy.signal import bessel
    >>> b, a = bessel(2, 1.0, analog=True, norm="delay")
    >>> b.round(6), a.round(6)
    (array([3.]), array([1., 3., 3.]))
    """
    family = spelled(FAMILIES, f"bessel_{norm}", "type of a recursive filter")
    return _of_family(family, N, Wn, btype, analog, output, fs)


@on_host
def iirdesign(wp, ws, gpass, gstop, analog=False, ftype="ellip", output="ba", fs=None):
    """Recursive filter of the lowest order that has these bands.

    Parameters
    ----------
    wp, ws : float or array_like, shape (2,)
        Edges of the passband and of the stopband: in the units of `fs`, of half-cycles
        a sample where there is none, or in rad/s where `analog`. Of a lowpass filter
        `wp` is below `ws`; of a bandpass filter it lies within.
    gpass : float
        Greatest loss in the passband, in dB.
    gstop : float
        Least attenuation in the stopband, in dB.
    analog : bool, optional
        The filter is one of continuous time.
    ftype : {'butter', 'cheby1', 'cheby2', 'ellip'}, optional
    output : {'ba', 'zpk', 'sos'}, optional
        Numerator and denominator; zeros, poles and gain; or second-order sections,
        which alone are accurate of high orders.
    fs : float, optional
        Sampling frequency of a digital filter.

    Returns
    -------
    tuple or cupric.ndarray
        Numerator and denominator `b` and `a`, of float64, where `output` is 'ba';
        zeros, poles and gain `z`, `p` and `k`, a float, where it is 'zpk'; sections, of
        shape (n_sections, 6), where it is 'sos'.

    Raises
    ------
    ValueError
        Bands, losses or a name for which there is no filter.

    Examples
    --------
    >>> from cupricx.scipy.signal import iirdesign
    >>> b, a = iirdesign(0.2, 0.3, gpass=1, gstop=40)
    >>> b.size, a.size
    (5, 5)
    """
    family = spelled(FAMILIES, ftype, "type of a recursive filter")
    if family not in ORDERS:
        raise ValueError(
            f"{ftype!r} has no choice of an order by its bands: use iirfilter"
        )
    N, Wn = ORDERS[family].on_host(
        *_bands(wp, ws, analog, fs), gpass, gstop, analog=analog, fs=fs
    )
    wp, ws = np.atleast_1d(wp), np.atleast_1d(ws)
    btype = "lowpass" if wp[0] < ws[0] else "highpass"
    if len(wp) == 2:
        btype = "bandstop" if wp[0] < ws[0] else "bandpass"
    return _designed(N, Wn, gpass, gstop, btype, analog, family, output, fs)


def _bands(wp, ws, analog, fs):
    """The edges as arrays of one or two frequencies, of which a filter can be made."""
    fs = sampling_frequency(fs)
    wp, ws = np.atleast_1d(wp), np.atleast_1d(ws)
    if wp.shape != ws.shape or wp.shape not in ((1,), (2,)):
        raise ValueError(
            "wp and ws must have one or two elements each, and the same shape, not "
            f"{wp.shape} and {ws.shape}"
        )
    if np.any(wp <= 0) or np.any(ws <= 0):
        raise ValueError("Values for wp, ws must be greater than 0")
    if not analog:
        top = 1.0 if fs is None else fs / 2
        if np.any(wp >= top) or np.any(ws >= top):
            raise ValueError(f"Values for wp, ws must be less than {top}")
    if len(wp) == 2 and not (
        ws[0] < wp[0] < wp[1] < ws[1] or wp[0] < ws[0] < ws[1] < wp[1]
    ):
        raise ValueError(
            "Passband must lie strictly inside stopband or vice versa, but they are "
            f"{wp.tolist()} and {ws.tolist()}"
        )
    return wp, ws
