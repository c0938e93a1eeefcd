"""Transformations of an analog lowpass prototype into other filters."""

import numpy as np

from cupricx.scipy.signal._design._checks import (
    number,
    polynomial,
    sampling_frequency,
)
from cupricx.scipy.signal._design._forms import normalize
from cupricx.scipy.signal._design._on_host import on_host

__all__ = [
    "bilinear",
    "bilinear_zpk",
    "lp2bp",
    "lp2bp_zpk",
    "lp2bs",
    "lp2bs_zpk",
    "lp2hp",
    "lp2hp_zpk",
    "lp2lp",
    "lp2lp_zpk",
]


# ---- transfer functions --------------------------------------------------------------


def _substituted(c, above, below, degree):
    """The polynomial c of a fraction above / below, times below ** degree.

    By Horner's scheme, in which powers of the denominator take the place of 1.
    """
    if not c.size:  # of a zero; there is none of it where nothing is multiplied
        return np.zeros(min(len(below) - 1, degree, 1), c.dtype)
    result, power = np.array(c[:1]), np.ones(1, float)
    for coefficient in c[1:]:
        power = np.convolve(power, below)
        result = np.polyadd(np.convolve(result, above), coefficient * power)
    for _ in range(degree - max(len(c) - 1, 0)):
        result = np.convolve(result, below)
    return result


def _transformed(b, a, above, below):
    degree = max(len(b), len(a), 1) - 1
    num, den = (_substituted(c, above, below, degree) for c in (b, a))
    return normalize.on_host(num, den)


def _of_one_dtype(b, a):
    b, a = polynomial(b, "b"), polynomial(a, "a")
    dtype = np.result_type(b, a)
    return b.astype(dtype), a.astype(dtype)


@on_host
def lp2lp(b, a, wo=1.0):
    r"""Transform a lowpass prototype to another cutoff frequency.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator of the analog filter, of the highest power first.
    wo : float, optional
        Cutoff frequency, in rad/s; that of the prototype is 1.

    Returns
    -------
    b, a : cupric.ndarray
        Of the transformed filter.

    Notes
    -----
    What is substituted is :math:`s \rightarrow s / \omega_0`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2lp
    >>> lp2lp([1.0], [1.0, 1.0], 3.0)
    (array([3.]), array([1., 3.]))
    """
    wo = number(wo, "wo")
    return _transformed(*_of_one_dtype(b, a), np.array([1.0, 0]), np.array([wo]))


@on_host
def lp2hp(b, a, wo=1.0):
    r"""Transform a lowpass prototype to a highpass filter.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator of the analog filter, of the highest power first.
    wo : float, optional
        Cutoff frequency, in rad/s; that of the prototype is 1.

    Returns
    -------
    b, a : cupric.ndarray
        Of the transformed filter.

    Notes
    -----
    What is substituted is :math:`s \rightarrow \omega_0 / s`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2hp
    >>> lp2hp([1.0], [1.0, 1.0], 3.0)
    (array([1., 0.]), array([1., 3.]))
    """
    wo = number(wo, "wo")
    return _transformed(*_of_one_dtype(b, a), np.array([wo]), np.array([1.0, 0]))


@on_host
def lp2bp(b, a, wo=1.0, bw=1.0):
    r"""Transform a lowpass prototype to a bandpass filter.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator of the analog filter, of the highest power first.
    wo : float, optional
        Center of the passband, in rad/s, the geometric mean of its edges.
    bw : float, optional
        Width of the passband, in rad/s.

    Returns
    -------
    b, a : cupric.ndarray
        Of the transformed filter.

    Notes
    -----
    What is substituted is :math:`s \rightarrow (s^2 + \omega_0^2) / (s B)`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2bp
    >>> lp2bp([1.0], [1.0, 1.0], 3.0, 2.0)
    (array([2., 0.]), array([1., 2., 9.]))
    """
    wo, bw = number(wo, "wo"), number(bw, "bw")
    return _transformed(
        *_of_one_dtype(b, a), np.array([1, 0, wo * wo]), np.array([bw, 0])
    )


@on_host
def lp2bs(b, a, wo=1.0, bw=1.0):
    r"""Transform a lowpass prototype to a bandstop filter.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator of the analog filter, of the highest power first.
    wo : float, optional
        Center of the stopband, in rad/s, the geometric mean of its edges.
    bw : float, optional
        Width of the stopband, in rad/s.

    Returns
    -------
    b, a : cupric.ndarray
        Of the transformed filter.

    Notes
    -----
    What is substituted is :math:`s \rightarrow s B / (s^2 + \omega_0^2)`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2bs
    >>> lp2bs([1.0], [1.0, 1.0], 3.0, 2.0)
    (array([1., 0., 9.]), array([1., 2., 9.]))
    """
    wo, bw = number(wo, "wo"), number(bw, "bw")
    return _transformed(
        *_of_one_dtype(b, a), np.array([bw, 0]), np.array([1, 0, wo * wo])
    )


@on_host
def bilinear(b, a, fs=1.0):
    r"""Digital filter of an analog one, by the bilinear transform.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator of the analog filter, of the highest power first.
    fs : float, optional
        Sampling frequency. Frequencies are not warped beforehand.

    Returns
    -------
    b, a : cupric.ndarray
        Of the digital filter, of :math:`z^0` first.

    Raises
    ------
    ValueError
        `b` or `a` has more than one axis; `fs` is None.
    ZeroDivisionError
        `fs` is zero.

    Notes
    -----
    What is substituted is :math:`s \rightarrow 2 f_s (z - 1) / (z + 1)`.

    Examples
    --------
    >>> from cupricx.scipy.signal import bilinear
    >>> bilinear([1.0], [1.0, 1.0], fs=0.5)
    (array([0.5, 0.5]), array([1., 0.]))
    """
    fs = sampling_frequency(fs, optional=False)
    if fs == 0:
        raise ZeroDivisionError("the bilinear transform needs a sampling frequency > 0")
    b, a = (_without_zeros(polynomial(c, n)) for c, n in ((b, "b"), (a, "a")))
    return _transformed(b, a, 2 * fs * np.array([1.0, -1]), np.array([1.0, 1]))


def _without_zeros(c):
    """A polynomial without leading zeros."""
    trimmed = np.trim_zeros(c, "f")
    return trimmed if trimmed.size else c[-1:]


# ---- zeros and poles -----------------------------------------------------------------


def _roots(z, p):
    """Zeros and poles of float64 or complex128, and how many more poles there are."""
    z, p = (np.atleast_1d(r) for r in (z, p))
    z, p = (r.astype(np.result_type(r.dtype, np.float64)) for r in (z, p))
    if len(p) < len(z):
        raise ValueError(
            "Improper transfer function: there must be at least as many poles as "
            f"zeros, but there are {len(p)} poles and {len(z)} zeros"
        )
    return z, p, len(p) - len(z)


def _ratio(z, p):
    """The real part of prod(z) / prod(p), by factors, so that neither overflows."""
    n = min(len(z), len(p))
    ratio = np.prod(z[:n] / p[:n]) * np.prod(z[n:]) / np.prod(p[n:])
    return float(ratio.real)


@on_host
def lp2lp_zpk(z, p, k, wo=1.0):
    r"""Transform a lowpass prototype to another cutoff frequency.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles of the analog filter.
    k : float
        Gain.
    wo : float, optional
        Cutoff frequency, in rad/s; that of the prototype is 1.

    Returns
    -------
    z, p : cupric.ndarray
        Zeros and poles of the transformed filter.
    k : float
        Gain.

    Notes
    -----
    What is substituted is :math:`s \rightarrow s / \omega_0`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2lp_zpk
    >>> lp2lp_zpk([], [-1.0], 1.0, 3.0)
    (array([], dtype=float64), array([-3.]), 3.0)
    """
    z, p, degree = _roots(z, p)
    wo = number(wo, "wo")
    return wo * z, wo * p, k * wo**degree


@on_host
def lp2hp_zpk(z, p, k, wo=1.0):
    r"""Transform a lowpass prototype to a highpass filter.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles of the analog filter.
    k : float
        Gain.
    wo : float, optional
        Cutoff frequency, in rad/s; that of the prototype is 1.

    Returns
    -------
    z, p : cupric.ndarray
        Zeros and poles of the transformed filter.
    k : float
        Gain.

    Notes
    -----
    What is substituted is :math:`s \rightarrow \omega_0 / s`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2hp_zpk
    >>> lp2hp_zpk([], [-1.0], 1.0, 3.0)
    (array([0.]), array([-3.]), 1.0)
    """
    z, p, degree = _roots(z, p)
    wo = number(wo, "wo")
    gain = k * _ratio(-z, -p)
    return np.concatenate([wo / z, np.zeros(degree, float)]), wo / p, gain


def _split(halves, wo):
    """The solutions of s ** 2 - 2 * halves * s + wo ** 2 = 0."""
    halves = halves.astype(np.complex128)
    root = np.sqrt(halves * halves - wo * wo)
    return np.concatenate([halves + root, halves - root])


@on_host
def lp2bp_zpk(z, p, k, wo=1.0, bw=1.0):
    r"""Transform a lowpass prototype to a bandpass filter.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles of the analog filter.
    k : float
        Gain.
    wo : float, optional
        Center of the passband, in rad/s, the geometric mean of its edges.
    bw : float, optional
        Width of the passband, in rad/s.

    Returns
    -------
    z, p : cupric.ndarray of complex128
        Zeros and poles of the transformed filter.
    k : float
        Gain.

    Notes
    -----
    What is substituted is :math:`s \rightarrow (s^2 + \omega_0^2) / (s B)`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2bp_zpk
    >>> z, p, k = lp2bp_zpk([], [-1.0], 1.0, 3.0, 10.0)
    >>> z, p, k
    (array([0.+0.j]), array([-1.+0.j, -9.+0.j]), 10.0)
    """
    z, p, degree = _roots(z, p)
    wo, bw = number(wo, "wo"), number(bw, "bw")
    zeros = np.concatenate([_split(z * bw / 2, wo), np.zeros(degree, float)])
    return zeros, _split(p * bw / 2, wo), k * bw**degree


@on_host
def lp2bs_zpk(z, p, k, wo=1.0, bw=1.0):
    r"""Transform a lowpass prototype to a bandstop filter.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles of the analog filter.
    k : float
        Gain.
    wo : float, optional
        Center of the stopband, in rad/s, the geometric mean of its edges.
    bw : float, optional
        Width of the stopband, in rad/s.

    Returns
    -------
    z, p : cupric.ndarray of complex128
        Zeros and poles of the transformed filter.
    k : float
        Gain.

    Notes
    -----
    What is substituted is :math:`s \rightarrow s B / (s^2 + \omega_0^2)`.

    Examples
    --------
    >>> from cupricx.scipy.signal import lp2bs_zpk
    >>> z, p, k = lp2bs_zpk([], [-1.0], 1.0, 3.0, 10.0)
    >>> z, p, k
    (array([0.+3.j, 0.-3.j]), array([-1.+0.j, -9.+0.j]), 1.0)
    """
    z, p, degree = _roots(z, p)
    wo, bw = number(wo, "wo"), number(bw, "bw")
    at_center = np.repeat([1j * wo, -1j * wo], degree)
    zeros = np.concatenate([_split(bw / 2 / z, wo), at_center])
    return zeros, _split(bw / 2 / p, wo), k * _ratio(-z, -p)


@on_host
def bilinear_zpk(z, p, k, fs):
    r"""Digital filter of an analog one, by the bilinear transform.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles of the analog filter.
    k : float
        Gain.
    fs : float
        Sampling frequency. Frequencies are not warped beforehand.

    Returns
    -------
    z, p : cupric.ndarray
        Zeros and poles of the digital filter: as many of both. What was at infinity is
        at the Nyquist frequency.
    k : float
        Gain.

    Raises
    ------
    ValueError
        There are more zeros than poles; `fs` is None.

    Notes
    -----
    What is substituted is :math:`s \rightarrow 2 f_s (z - 1) / (z + 1)`.

    Examples
    --------
    >>> from cupricx.scipy.signal import bilinear_zpk
    >>> bilinear_zpk([], [-1.0], 1.0, fs=0.5)
    (array([-1.]), array([0.]), 0.5)
    """
    z, p, degree = _roots(z, p)
    twice = 2 * sampling_frequency(fs, optional=False)
    zeros = np.concatenate([(twice + z) / (twice - z), -np.ones(degree, float)])
    return zeros, (twice + p) / (twice - p), k * _ratio(twice - z, twice - p)
