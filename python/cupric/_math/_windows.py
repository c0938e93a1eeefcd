"""Window functions: weights that fall towards both ends."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = [
    "bartlett",
    "blackman",
    "hamming",
    "hanning",
    "kaiser",
    "unwrapping_steps",
]

# Products and sums are rounded one by one, as on the host.
_library = Library(__file__, options=("-fmad=false",))


def _windows_example(xp):
    return [xp.hamming(7), xp.blackman(8), xp.bartlett(9), xp.kaiser(10, 8.6)]


def _unwrap_example(xp):
    x = xp.arange(24.0).reshape(4, 6) % 7
    return [xp.unwrap(x.astype(t)[:, ::2], axis=0) for t in "fd"]


_cosine, _triangular, _kaiser = (
    _library.kernel(name, elements="pieces", ships="_", example=_windows_example)
    for name in ("cosine_window", "triangular_window", "kaiser_window")
)
_steps = _library.kernel(
    "unwrapping_steps<T>", elements=True, ships="f d", example=_unwrap_example
)


@replayed
def unwrapping_steps(p, period, limit):
    """What to add up and add to float32 or float64 along the last axis for `unwrap`."""
    out = _core.empty(p.shape, p.dtype)
    if out.size:
        _steps[p.dtype](
            p=p.reshape(-1, p.shape[-1]),
            out=out,
            period=period,
            half=period / 2,
            limit=limit,
            work=out.size,
        )
    return out


def _cosines(m, w0, w1, w2=0.0):
    """``w0 + w1 * cos(pi * n) + w2 * cos(2 * pi * n)`` for n from -1 to 1."""
    m = float(m)
    if m <= 1:
        return _ends(m)
    out, n, pieces = _places(m, m - 0.5)
    scale = math.pi / (m - 1)
    _cosine[()](
        out=out, n=n, pieces=pieces, first=1 - m, scale=scale, w0=w0, w1=w1, w2=w2
    )
    return out


def _places(m, end):
    """A window of places 0, 1, … below `end`, its length, and how many are computed: of
    whole numbers m it is symmetric."""
    out = _core.empty(math.ceil(end))
    n = out.size
    return out, n, (n + 1) // 2 if n == m else n


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
    out, n, pieces = _places(m, m - 0.5)
    _triangular[()](out=out, n=n, pieces=pieces, first=1 - m, half=m - 1)
    return out


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
    beta = float(beta)
    out, n, pieces = _places(m, m)
    half, whole = (m - 1) / 2, _i0(beta)
    _kaiser[()](out=out, n=n, pieces=pieces, half=half, beta=beta, whole=whole)
    return out
