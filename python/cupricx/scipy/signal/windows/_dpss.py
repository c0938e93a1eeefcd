"""Discrete prolate spheroidal sequences."""

import math
import operator

import numpy as np

from cupric import _core
from cupric._lib.core import fft_of_real, fft_to_real
from cupric._lib.kernels import replayed
from cupricx.scipy.signal.windows import _windows

__all__ = ["dpss"]

_NORMS = (2, "approximate", "subsample")


def dpss(
    M,
    NW,
    Kmax=None,
    sym=True,
    norm=None,
    return_ratios=False,
    *,
    xp=None,
    device=None,
):
    """Discrete prolate spheroidal (Slepian) sequences.

    Of all sequences of `M` points the first one has the most energy within a band; the
    second one has the most of those that are orthogonal to the first, and so on.

    Parameters
    ----------
    M : int
        Points.
    NW : float
        Half the width of the band, times the length; below ``M / 2``.
    Kmax : int, optional
        The number of windows. By default a single window, of shape ``(M,)``.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    norm : {2, 'approximate', 'subsample'}, optional
        2: windows have length 1, the default where `Kmax` is passed. Otherwise the
        largest element is 1, and windows of an even number of points are corrected
        for the maximum between two of them: by ``M**2 / (M**2 + NW)``, or by a shift
        of half a point.
    return_ratios : bool, optional
        Return the share of the energy that is within the band, too.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the windows are, by default on the current device.

    Returns
    -------
    v : cupric.ndarray of float64, shape (Kmax, M) or (M,)
    r : cupric.ndarray of float64, shape (Kmax,) or ()
        Only if `return_ratios` is set.

    Raises
    ------
    ValueError
        Of a length, a width, a number or a norm out of bounds.

    Notes
    -----
    Eigenvectors of a tridiagonal matrix, a block of threads each: the eigenvalue by
    bisection, and the vector by substitution.

    References
    ----------
    D. Slepian, Prolate spheroidal wave functions, Fourier analysis, and uncertainty V,
    Bell System Technical Journal 57, 1978.

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.dpss(4, 1.5).round(3)
    array([0.345, 0.914, 0.914, 0.345])
    >>> v, r = windows.dpss(51, 2, 3, return_ratios=True)
    >>> v.shape
    (3, 51)
    >>> r.round(4)
    array([0.9999, 0.9976, 0.9597])
    """
    with _windows.on(device):
        return _dpss(M, NW, Kmax, sym, norm, return_ratios)


def _dpss(M, NW, Kmax, sym, norm, return_ratios):
    count = _windows.length(M)
    if count <= 1:
        return _windows.ones(count)
    norm = ("approximate" if Kmax is None else 2) if norm is None else norm
    if norm not in _NORMS:
        raise ValueError(f"norm must be one of {_NORMS}, got {norm!r}")
    m = count if sym else count + 1
    windows = 1 if Kmax is None else operator.index(Kmax)
    if not 0 < windows <= count:
        raise ValueError(f"Kmax={Kmax} must be greater than 0 and at most M={count}")
    nw = float(NW)
    if not 0 < nw < count / 2:
        raise ValueError(f"NW={NW} must be positive and less than M/2 = {count / 2}")
    v = _sequences(windows, m, math.cos(2 * math.pi * nw / m))
    ratios = _ratios(v, nw / m) if return_ratios else None
    if norm != 2:
        v /= v.max()
        if m % 2 == 0:
            v *= m**2 / (m**2 + nw) if norm == "approximate" else _between(v[0])
    v = v[:, :count] if count == m else _core.ascontiguousarray(v[:, :count])
    if Kmax is None:
        v = v[0]
        ratios = ratios[0] if return_ratios else None
    return (v, ratios) if return_ratios else v


@replayed
def _sequences(count, m, cosine):
    w = _core.empty((count, m))
    bound = 0.25 * (m - 1) ** 2 + 0.25 * m**2  # Gershgorin's
    p = _windows.library.struct.dpss_sizes(count=count, m=m, cosine=cosine, bound=bound)
    _windows.sequences[()](w=w, p=p)
    return w


def _ratios(v, width):
    """What the band has of the energy: sums of the autocorrelation and of the band's
    sine cardinal."""
    m = v.shape[-1]
    size = 1 << (2 * m - 1).bit_length()
    spectrum = fft_of_real(v, [size], (1,), None, "C")
    power = spectrum.real**2 + spectrum.imag**2
    correlation = fft_to_real(power.astype(np.complex128), [size], (1,), None, "C")
    band = 4 * width * _core.sinc(2 * width * _core.arange(m))
    band[0] = 2 * width
    return correlation[:, :m] @ band


def _between(w):
    """The correction for a maximum half a point beside the points, by a shift of the
    spectrum."""
    m = w.size
    spectrum = fft_of_real(w, [m], (0,), None, "C")
    angle = (1 - 1 / m) * math.pi * _core.arange(m // 2 + 1)
    shifted = spectrum.real * _core.cos(angle) - spectrum.imag * _core.sin(angle)
    return m / (2 * shifted.sum() - shifted[0])
