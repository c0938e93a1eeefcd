"""Window functions: weights that fall towards both ends."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib._library import Library, view
from cupric._lib._replay import replayed

__all__ = [
    "bartlett",
    "blackman",
    "hamming",
    "hanning",
    "kaiser",
    "unwrapping_steps",
]

# Products and sums are rounded one by one, as on the host.
_library = Library(__file__, "_windows.cuh", options=("-fmad=false",))


def _windows_example(xp):
    return [xp.hamming(7), xp.blackman(8), xp.bartlett(9), xp.kaiser(10, 8.6)]


def _unwrap_example(xp):
    x = xp.arange(24.0).reshape(4, 6) % 7
    return [xp.unwrap(x.astype(t)[:, ::2], axis=0) for t in "fd"]


_cosine = _library.kernel("cosine_window", ships="_", example=_windows_example)
_triangular = _library.kernel("triangular_window", ships="_", example=_windows_example)
_kaiser = _library.kernel("kaiser_window", ships="_", example=_windows_example)
_steps = _library.kernel("unwrapping_steps<T>", ships="f d", example=_unwrap_example)


@replayed
def unwrapping_steps(p, period, limit):
    """What to add up and add to float32 or float64 along the last axis for `unwrap`."""
    out = _core.empty(p.shape, p.dtype)
    if out.size:
        lines = view(p.reshape(-1, p.shape[-1]))
        args = (lines, out, period, period / 2, limit)
        _steps[p.dtype].elements(out.size, args)
    return out


def _cosines(m, *weights):
    """``sum(w[k] * cos(k * pi * n))`` for n from -1 to 1."""
    m = float(m)
    if m <= 1:
        return _ends(m)
    weights += (0.0,) * (3 - len(weights))
    return _filled(_cosine, m, m - 0.5, 1 - m, math.pi / (m - 1), *weights)


def _filled(kernel, m, end, *args):
    """The window of places 0, 1, … below `end`; of whole numbers m it is symmetric."""
    out = _core.empty(math.ceil(end))
    pieces = (out.size + 1) // 2 if out.size == m else out.size
    kernel[()].elements(pieces, (out, out.size, pieces, *args))
    return out


def _ends(m):
    """The window of one element or none."""
    r = _core.empty(max(int(m), 0))
    r.fill(1)
    return r


def bartlett(M):
    """The triangular window of `M` elements with zeros at the ends.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    m = float(M)
    if m <= 1:
        return _ends(m)
    return _filled(_triangular, m, m - 0.5, 1 - m, m - 1)


def blackman(M):
    """The Blackman window of `M` elements.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.blackman(5)[1:4].round(2)
    array([0.34, 1.  , 0.34])
    """
    return _cosines(M, 0.42, 0.5, 0.08)


def hamming(M):
    """The Hamming window of `M` elements.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.hamming(3)
    array([0.08, 1.  , 0.08])
    """
    return _cosines(M, 0.54, 0.46)


def hanning(M):
    """The Hann window of `M` elements.

    Parameters
    ----------
    M : int
        Elements.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.hanning(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _cosines(M, 0.5, 0.5)


@functools.lru_cache(maxsize=64)
def _i0(beta):
    """NumPy's, which takes longer than all the rest of a small window."""
    return float(np.i0(beta))


def kaiser(M, beta):
    """The Kaiser window of `M` elements.

    Parameters
    ----------
    M : int
    beta : float
        How steep it falls.

    Returns
    -------
    cupric.ndarray of float64

    Examples
    --------
    >>> cp.kaiser(3, 0)
    array([1., 1., 1.])
    """
    m = float(M)
    if m <= 1:
        return _ends(m)
    return _filled(_kaiser, m, m, (m - 1) / 2, float(beta), _i0(float(beta)))
