"""Wavelets, and the continuous wavelet transform."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, fft_of_real, fft_to_real, where_it_lives
from cupric._lib.kernels import Library
from cupricx.scipy.fft import next_fast_len

__all__ = ["cwt", "morlet", "morlet2", "qmf", "ricker"]

_library = Library(__file__)


def _example(xp):
    x = xp.cos(xp.arange(300.0) ** 2)
    return [
        ricker(40, 3),
        morlet2(40, 3),
        morlet(40),
        cwt(x, ricker, [1, 2, 8]),
        cwt(x, morlet2, [1, 2, 8]),
    ]


_rickers = _library.kernel("rickers", elements="n", ships="always", example=_example)
_morlets = _library.kernel("morlets", elements="n", ships="always", example=_example)
_morlets2 = _library.kernel("morlets2", elements="n", ships="always", example=_example)
_bank_rows = _library.kernel(
    "wavelet_rows<T>", elements="pieces", ships="d D", example=_example
)


def _points(n, name):
    n = int(math.ceil(n))
    if n < 0:
        raise ValueError(f"{name} must be at least 0, not {n}")
    return n


def ricker(points, a):
    """The Ricker wavelet, or Mexican hat: the second derivative of a Gaussian.

    Parameters
    ----------
    points : int
        Points of the result, about the middle.
    a : float
        The width of the Gaussian.

    Returns
    -------
    cupric.ndarray, shape (points,)
        float64.

    Examples
    --------
    >>> from cupricx.scipy.signal import ricker
    >>> ricker(5, 1.0).round(4)
    array([-0.3521,  0.    ,  0.8673,  0.    , -0.3521])
    """
    y = _core.empty(_points(points, "points"), np.float64)
    if y.size:
        _rickers[()](y=y, a=float(a), n=y.size)
    return y


def morlet(M, w=5.0, s=1.0, complete=True):
    """The complex Morlet wavelet.

    Parameters
    ----------
    M : int
        Points of the result.
    w : float, optional
        The frequency.
    s : float, optional
        The result is of times from ``-2 * pi * s`` to ``2 * pi * s``.
    complete : bool, optional
        Whether the mean is taken off, which low frequencies have.

    Returns
    -------
    cupric.ndarray, shape (M,)
        complex128.

    Examples
    --------
    >>> from cupricx.scipy.signal import morlet
    >>> abs(morlet(5)).round(4)
    array([0.    , 0.0054, 0.7511, 0.0054, 0.    ])
    """
    y = _core.empty(_points(M, "M"), np.complex128)
    mean = math.exp(-0.5 * w**2) if complete else 0.0
    if y.size:
        _morlets[()](y=y, s=float(s), w=float(w), mean=mean, n=y.size)
    return y


def morlet2(M, s, w=5):
    """The complex Morlet wavelet for `cwt`.

    Parameters
    ----------
    M : int
        Points of the result, about the middle.
    s : float
        The width.
    w : float, optional
        The frequency, of the width.

    Returns
    -------
    cupric.ndarray, shape (M,)
        complex128.

    Examples
    --------
    >>> from cupricx.scipy.signal import morlet2
    >>> abs(morlet2(5, 1.0)).round(4)
    array([0.1017, 0.4556, 0.7511, 0.4556, 0.1017])
    """
    y = _core.empty(_points(M, "M"), np.complex128)
    if y.size:
        _morlets2[()](y=y, s=float(s), w=float(w), n=y.size)
    return y


def qmf(hk):
    """The high-pass filter that is the mirror of a low-pass one.

    Parameters
    ----------
    hk : array_like, shape (n,)
        Coefficients of the low-pass filter.

    Returns
    -------
    cupric.ndarray, shape (n,)
        Reversed, and every second one times -1.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import qmf
    >>> qmf(cp.array([1.0, 2, 3, 4]))
    array([ 4., -3.,  2., -1.])
    """
    hk = arguments.array(hk, "hk")
    if hk.ndim != 1:
        raise ValueError(f"hk has one axis, and is of shape {hk.shape}")
    sign = np.ones(hk.size, np.int64)
    sign[1::2] = -1
    return hk[::-1] * arguments.small(sign, hk)


@where_it_lives
def cwt(data, wavelet, widths):
    """The continuous wavelet transform.

    Parameters
    ----------
    data : array_like, shape (n,)
    wavelet : callable
        ``wavelet(points, width)``, as `ricker` and `morlet2`, which come in one launch
        for all widths.
    widths : array_like, shape (m,)

    Returns
    -------
    cupric.ndarray, shape (m, n)
        The convolutions with the wavelets of ``10 * width`` points, or as many as
        `data` has, reversed and conjugated: float64, or complex128 where they are
        complex.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import cwt, ricker
    >>> x = cp.zeros(21)
    >>> x[10] = 1
    >>> cwt(x, ricker, [1, 2]).argmax(axis=1)
    array([10, 10])
    """
    data = arguments.array(data, "data")
    if data.ndim != 1:
        raise ValueError(f"data has one axis, and is of shape {data.shape}")
    if isinstance(widths, _core.ndarray):
        widths = widths.get()
    widths = np.asarray(widths, float).reshape(-1)
    if widths.size == 0:
        raise IndexError("widths has no element")
    n = data.size
    longest = min(int(10 * widths.max()), n)
    if n == 0 or longest < 1:
        raise ValueError(
            f"data of shape {data.shape} and widths up to {widths.max()}: wavelets "
            "have no points"
        )
    length = next_fast_len(n + longest - 1, real=True)
    bank = _bank(wavelet, widths, data, longest, length)
    start = (longest - 1) // 2
    if bank.dtype.kind != "c" and data.dtype.kind != "c":
        data = data.astype(np.float64, copy=False)
        spectrum = fft_of_real(data, (length,), (-1,), None, "C")
        product = fft_of_real(bank, None, (-1,), None, "C") * spectrum
        full = fft_to_real(product, (length,), (-1,), None, "C")
    else:
        data = data.astype(np.complex128, copy=False)
        spectrum = complex_fft(data, (length,), (-1,), None, False, "C")
        product = complex_fft(bank, None, (-1,), None, False, "C") * spectrum
        full = complex_fft(product, None, (-1,), None, True, "C", True)
    made = full[:, start : start + n]
    if bank.dtype.kind != "c":
        made = made.real
    return made.copy()


def _bank(wavelet, widths, data, longest, length):
    """The wavelets of all widths as rows, reversed, conjugated, and with their middles
    below each other."""
    kinds = {ricker: np.float64, morlet2: np.complex128}
    middle = (longest - 1) // 2
    if wavelet in kinds and (10 * widths >= 1).all():
        bank = _core.empty((widths.size, length), kinds[wavelet])
        b = _library.struct.wavelet_bank(
            length=length,
            most=data.size,
            first=middle,
            w=5.0,
        )
        widths = arguments.small(widths, bank)
        _bank_rows[bank.dtype](y=bank, widths=widths, b=b, pieces=bank.size)
        return bank
    first = wavelet(1, float(widths[0]))
    is_complex = first.dtype.kind == "c"
    dtype = np.complex128 if is_complex else np.float64
    bank = _core.zeros((widths.size, length), dtype)
    for row, width in zip(bank, widths.tolist(), strict=True):
        width = int(width) if width == int(width) else width
        made = wavelet(min(int(10 * width), data.size), width)
        start = middle - (made.size - 1) // 2
        row[start : start + made.size] = made[::-1].conj()
    return bank
