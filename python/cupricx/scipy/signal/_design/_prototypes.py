"""Analog lowpass prototypes: filters with a cutoff frequency of 1 rad/s."""

import math

import numpy as np

from cupricx.scipy.signal._design._bessel import bessel_gain, bessel_poles
from cupricx.scipy.signal._design._checks import filter_order, number
from cupricx.scipy.signal._design._elliptic import (
    complete,
    incomplete_sc,
    jacobi,
    modulus_of_degree,
)
from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["besselap", "buttap", "cheb1ap", "cheb2ap", "ellipap", "power_excess"]


def power_excess(decibels):
    """10 ** (decibels / 10) - 1, exact also of small ripples."""
    exponent = 0.1 * math.log(10) * decibels
    return math.expm1(exponent) if exponent < 700 else math.inf


def _angles(N):
    """Of the N poles of a Butterworth filter, from the negative real axis, ascending;
    in pairs of exact opposites, around an exact zero where N is odd."""
    return np.pi * np.arange(1 - N, N, 2) / (2 * N)


def _dc_gain(z, p):
    """What makes the response 1 at the frequency 0."""
    return float((np.prod(-p) / np.prod(-z)).real)


def _ripple(rp, name, what):
    """The ripple factor, sqrt(10 ** (rp / 10) - 1)."""
    rp = number(rp, name)
    if rp < 0:
        raise ValueError(f"{what} ({name}) must be positive, not {rp}")
    if rp == 0:
        raise ZeroDivisionError(f"{what} ({name}) of 0 dB: there is no such filter")
    return math.sqrt(power_excess(rp))


@on_host
def buttap(N, *, xp=None, device=None):
    """Zeros, poles and gain of a Butterworth prototype.

    Parameters
    ----------
    N : int
        Order.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    z : cupric.ndarray of float64
        No zeros.
    p : cupric.ndarray of complex128, shape (N,)
        Poles, on the unit circle.
    k : float
        Gain: 1.

    Raises
    ------
    ValueError
        `N` is negative, or no integer.

    Examples
    --------
    >>> from cupricx.scipy.signal import buttap
    >>> z, p, k = buttap(1)
    >>> p, k
    (array([-1.-0.j]), 1.0)
    """
    N = filter_order(N)
    return np.empty(0, float), -np.exp(1j * _angles(N)), 1.0


@on_host
def cheb1ap(N, rp, *, xp=None, device=None):
    """Zeros, poles and gain of a Chebyshev prototype with ripples in the passband.

    Parameters
    ----------
    N : int
        Order.
    rp : float
        Ripple of the passband, in dB.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    z : cupric.ndarray of float64
        No zeros.
    p : cupric.ndarray of complex128, shape (N,)
        Poles.
    k : float
        Gain.

    Raises
    ------
    ValueError
        `N` is negative, or no integer; `rp` is negative.
    ZeroDivisionError
        `rp` is zero.

    Examples
    --------
    >>> from cupricx.scipy.signal import cheb1ap
    >>> z, p, k = cheb1ap(1, 3.0)
    >>> p.round(3), round(k, 3)
    (array([-1.002-0.j]), 1.002)
    """
    N = filter_order(N)
    if N == 0:  # of even order, the response at 0 is at the bottom of a ripple
        return np.empty(0, float), np.empty(0, complex), 10 ** (-number(rp, "rp") / 20)
    ripple = _ripple(rp, "rp", "passband ripple")
    p = -np.sinh(math.asinh(1 / ripple) / N + 1j * _angles(N))
    k = _dc_gain(np.empty(0, float), p)
    return np.empty(0, float), p, k if N % 2 else k / math.hypot(1, ripple)


@on_host
def cheb2ap(N, rs, *, xp=None, device=None):
    """Zeros, poles and gain of a Chebyshev prototype with ripples in the stopband.

    Its attenuation reaches `rs` at 1 rad/s.

    Parameters
    ----------
    N : int
        Order.
    rs : float
        Attenuation of the stopband, in dB.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    z : cupric.ndarray of complex128
        Zeros, on the imaginary axis.
    p : cupric.ndarray of complex128, shape (N,)
        Poles.
    k : float
        Gain.

    Raises
    ------
    ValueError
        `N` is negative, or no integer; `rs` is negative.
    ZeroDivisionError
        `rs` is zero.

    Examples
    --------
    >>> from cupricx.scipy.signal import cheb2ap
    >>> z, p, k = cheb2ap(2, 40.0)
    >>> z.imag.round(4)
    array([-1.4142,  1.4142])
    """
    N = filter_order(N)
    if N == 0:
        return np.empty(0, complex), np.empty(0, complex), 1.0
    ripple = 1 / _ripple(rs, "rs", "stopband attenuation")
    angles = _angles(N)
    z = 1j / np.sin(angles[angles != 0])
    p = -1 / np.sinh(math.asinh(1 / ripple) / N + 1j * angles)
    return z, p, _dc_gain(z, p)


@on_host
def ellipap(N, rp, rs, *, xp=None, device=None):
    """Zeros, poles and gain of an elliptic prototype.

    Parameters
    ----------
    N : int
        Order.
    rp : float
        Ripple of the passband, in dB.
    rs : float
        Attenuation of the stopband, in dB, above `rp`.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    z : cupric.ndarray of complex128
        Zeros, on the imaginary axis.
    p : cupric.ndarray of complex128, shape (N,)
        Poles.
    k : float
        Gain.

    Raises
    ------
    ValueError
        `N` is negative, or no integer; `rp` is not positive, or not below `rs`.

    Notes
    -----
    Zeros and poles are values of Jacobi's elliptic functions on a lattice.

    References
    ----------
    S. J. Orfanidis, "Lecture Notes on Elliptic Filter Design", Rutgers University,
    2006.

    Examples
    --------
    >>> from cupricx.scipy.signal import ellipap
    >>> z, p, k = ellipap(2, 1.0, 40.0)
    >>> z.round(3)
    array([0.+9.938j, 0.-9.938j])
    """
    N = filter_order(N)
    rp, rs = number(rp, "rp"), number(rs, "rs")
    if N == 0:
        return np.empty(0, complex), np.empty(0, complex), 10 ** (-rp / 20)
    if not 0 < rp < rs:
        raise ValueError(
            "Cannot design a filter with a passband ripple of rp = "
            f"{rp} dB and a stopband attenuation of rs = {rs} dB: 0 < rp < rs is needed"
        )
    ripple = math.sqrt(power_excess(rp))
    if N == 1:
        return np.empty(0, complex), np.array([-1 / ripple + 0j]), 1 / ripple
    k1 = ripple / math.sqrt(power_excess(rs))
    complement1 = math.sqrt((1 - k1) * (1 + k1))
    if k1 == 0 or complement1 == 0:
        raise ValueError(
            f"Cannot design a filter with rp = {rp} dB and rs = {rs} dB: the ratio of "
            "their ripples is out of range"
        )
    z, p = _elliptic_roots(N, ripple, k1, complement1)
    gain = _dc_gain(z, p)
    return z, p, gain if N % 2 else gain / math.hypot(1, ripple)


def _elliptic_roots(N, ripple, k1, complement1):
    k, complement = modulus_of_degree(N, k1, complement1)
    period = complete(complement)
    odd = N % 2
    s, c, d = jacobi(period * np.arange(1 - odd, N, 2) / N, k, complement)
    height = incomplete_sc(1 / ripple, k1) * period / (N * complete(complement1))
    sv, cv, dv = (float(v) for v in jacobi(height, complement, k))
    # sn(x + i height), by the addition theorem, turned from the real axis.
    p = -(c * d * sv * cv + 1j * s * dv) / (cv * cv + (k * s * sv) ** 2)
    z = 1j / (k * s[odd:])
    return np.concatenate([z, z.conj()]), np.concatenate([p, p[odd:].conj()])


@on_host
def besselap(N, norm="phase", *, xp=None, device=None):
    """Zeros, poles and gain of a Bessel prototype.

    Parameters
    ----------
    N : int
        Order.
    norm : {'phase', 'delay', 'mag'}, optional
        What is so at 1 rad/s: the phase is halfway, and asymptotes are those of a
        Butterworth filter; or the group delay of low frequencies is 1 s; or the gain is
        -3 dB.
    xp : module, optional
        None or `cupric`.
    device : int, optional
        Where the results are; the current device by default.

    Returns
    -------
    z : cupric.ndarray of float64
        No zeros.
    p : cupric.ndarray of complex128, shape (N,)
        Poles.
    k : float
        Gain.

    Raises
    ------
    ValueError
        `N` is negative, or no integer; `norm` is none of those.

    Notes
    -----
    Poles are the zeros of the reverse Bessel polynomial of degree `N`.

    References
    ----------
    W. E. Thomson, "Delay networks having maximally flat frequency characteristics",
    Proceedings of the IEE 96 (1949), 487-490.

    Examples
    --------
    >>> from cupricx.scipy.signal import besselap
    >>> z, p, k = besselap(2, norm="delay")
    >>> p.round(3), round(k, 3)
    (array([-1.5+0.866j, -1.5-0.866j]), 3.0)
    """
    N = filter_order(N)
    if norm not in ("phase", "delay", "mag"):
        raise ValueError(f"norm must be 'phase', 'delay' or 'mag', not {norm!r}")
    if N == 0:
        return np.empty(0, float), np.empty(0, complex), 1.0
    p, log_gain = bessel_poles(N)
    if norm == "phase":
        return np.empty(0, float), p * math.exp(-log_gain / N), 1.0
    if norm == "mag":
        p = p / bessel_gain(p)
    return np.empty(0, float), p, float(np.prod(np.abs(p)))
