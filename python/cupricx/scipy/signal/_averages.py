"""Averages of spectra: power and cross spectral densities, coherence."""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import median, where_it_lives
from cupricx.scipy.signal import _segments, _spectral

__all__ = ["coherence", "csd", "periodogram", "welch"]


def _average_segmentation(window, nperseg, noverlap, nfft, n):
    if _segments.named(window):
        nperseg = 256 if nperseg is None else int(nperseg)
        if nperseg < 1:
            raise ValueError(f"Parameter {nperseg=} is not a positive integer!")
        if n < nperseg:
            warnings.warn(
                f"{nperseg=} is greater than signal length max(len(x), len(y)) = {n}, "
                f"using nperseg = {n}",
                UserWarning,
                stacklevel=5,
            )
            nperseg = n
    else:
        points = window.size
        nperseg = points if nperseg is None else int(nperseg)
        if nperseg != points:
            raise ValueError(f"{nperseg=} does not equal len(win)={points}")
        if nperseg > n:
            raise ValueError(
                f"the window, of {nperseg} elements, is longer than the signal of {n}"
            )
    return nperseg, *_spectral.overlap(nperseg, noverlap, nfft)


def _outer(shape, axis):
    shape = list(shape)
    del shape[axis]
    return tuple(shape)


def _common_outer(x, y, axis):
    try:
        return np.broadcast_shapes(_outer(x.shape, axis), _outer(y.shape, axis))
    except ValueError:
        raise ValueError(
            f"x and y cannot be broadcast together: shapes {x.shape} and {y.shape}, "
            f"axis {axis}"
        ) from None


def _padded(rows, n):
    """Rows with zeros up to length n: what is beyond a signal is 0 for the kernel."""
    if rows.shape[-1] == n:
        return rows
    padded = _core.zeros((*rows.shape[:-1], n), rows.dtype)
    padded[..., : rows.shape[-1]] = rows
    return padded


class _Averaged:
    """The spectra of segments of one or two signals, and their averages."""

    def __init__(self, x, y, axis, fs, window, nperseg, noverlap, nfft, **options):
        signals = [x] if y is x else [x, y]
        self.axis, self.average = axis, options["average"]
        n = max(s.shape[axis] for s in signals)
        self.dtype = np.result_type(*(s.dtype for s in signals), np.complex64)
        dtype = _segments.time_dtype(*(s.dtype for s in signals))
        window = _spectral.window_of(window, x)
        if not _segments.named(window) and window.dtype.kind == "c":
            window = window.conj()  # as of ShortTimeFFT, and not of stft
        nperseg, noverlap, nfft = _average_segmentation(
            window, nperseg, noverlap, nfft, n
        )
        if options["scaling"] not in _spectral.NORMS:
            raise ValueError(
                f"Parameter scaling={options['scaling']!r} not in "
                f"{list(_spectral.NORMS)}!"
            )
        self.onesided = bool(options["return_onesided"]) and x.dtype.kind != "c"
        if self.onesided and dtype.kind == "c":
            raise TypeError(
                f"y is complex, of {y.dtype}, and x real: return_onesided=False has "
                "the spectrum that they have"
            )
        self.length = nfft
        step = nperseg - noverlap
        sizes = (0, step, (n - noverlap) // step, nperseg, nfft)
        outer = options.get("outer")
        spectra = []
        for signal in signals:
            rows = _padded(_segments.rows_of(signal, axis, dtype), n)
            z = _spectral.transformed(
                *(rows, window, sizes, _spectral.NORMS[options["scaling"]], fs),
                self.onesided,
                detrend=options["detrend"],
                by_segment=True,
            )
            if outer is not None and z.shape[:-2] != outer:
                z = _core.ascontiguousarray(
                    _core.broadcast_to(z, (*outer, *z.shape[-2:]))
                )
            spectra.append(z)
        self.spectra = (spectra[0], None) if y is x else tuple(spectra)
        self.frequencies = _segments.frequencies(nfft, fs, self.onesided)

    def mean(self, products="CROSS"):
        """The average, frequencies where the signal's axis was."""
        x, y = self.spectra
        if x.shape[-2] > 1 and self.average == "median":
            result = self._median()
        elif x.shape[-2] > 1 and self.average != "mean":
            raise ValueError(
                f"Parameter average={self.average!r} must be 'median' or 'mean'!"
            )
        else:
            result = _segments.average(x, y, self.length, self.onesided, products)
        ndim = result.ndim
        order = list(range(ndim - 1))
        order.insert(self.axis % ndim, ndim - 1)
        return result.transpose(order)

    def _median(self):
        x, y = self.spectra
        count = x.shape[-2]
        # The median of so many exponentially distributed numbers, of mean 1: B. Allen
        # et al., FINDCHIRP, Physical Review D 85, 2012, appendix B.
        bias = 1 + math.fsum(1 / (k + 1) - 1 / k for k in range(2, count, 2))
        products = _segments.power(x, y, self.length, self.onesided)
        if y is None:
            return median(products, axis=-2) / bias
        result = _core.empty((*x.shape[:-2], x.shape[-1]), x.dtype)
        result.real = median(products.real, axis=-2) / bias
        result.imag = median(products.imag, axis=-2) / bias
        return result


@where_it_lives
def csd(
    x,
    y,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    """Cross power spectral density, by Welch's method.

    Parameters
    ----------
    x, y : cupric.ndarray
        Signals; the shorter one is padded with zeros, and other axes broadcast.
    fs : float, optional
        Sampling frequency.
    window : str, tuple or array_like, optional
        What `get_window` takes, or the elements of a window.
    nperseg : int, optional
        The length of segments: 256, or that of an array that is the window.
    noverlap : int, optional
        What neighbouring segments share, half of them by default.
    nfft : int, optional
        The length of transforms; segments are padded with zeros to it.
    detrend : str, callable or False, optional
        'constant' or 'linear', what is taken from each segment, or a function of
        segments.
    return_onesided : bool, optional
        Of real signals, only the frequencies that are not negative.
    scaling : {'density', 'spectrum'}, optional
        Power by frequency, or power.
    axis : int, optional
        That of time.
    average : {'mean', 'median'}, optional
        How the spectra of segments are averaged.

    Returns
    -------
    f : cupric.ndarray
        Frequencies.
    Pxy : cupric.ndarray
        ``conj(X) * Y``, averaged, along `axis`.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> t = cp.arange(512) / 512
    >>> x, y = cp.cos(40 * cp.pi * t), cp.sin(40 * cp.pi * t)
    >>> f, pxy = signal.csd(x, y, fs=512, scaling="spectrum")
    >>> f[10], pxy[10].imag.round(3)
    (array(20.), array(-0.5))
    """
    options = (fs, window, nperseg, noverlap, nfft)
    return _density(x, y, axis, *options, detrend, return_onesided, scaling, average)


def _density(
    x,
    y,
    axis,
    fs,
    window,
    nperseg,
    noverlap,
    nfft,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    average="mean",
    products="CROSS",
):
    """Frequencies, and averages of products of spectra: of the same array, of power."""
    same = x is y
    x = arguments.array(x, "x")
    y = x if same else arguments.array(y, "y")
    axis = int(axis)
    for signal in (x, y):
        arguments.axis(axis, signal.ndim)
    outer = None if same else _common_outer(x, y, axis)
    if x.size == 0 or y.size == 0:
        return _no_average(x, y, outer, axis)
    made = _Averaged(
        *(x, y, axis, fs, window, nperseg, noverlap, nfft),
        detrend=detrend,
        return_onesided=return_onesided,
        scaling=scaling,
        average=average,
        outer=outer,
    )
    return made.frequencies, made.mean(products)


def _no_average(x, y, outer, axis):
    if outer is None:
        return _spectral.empty_results(x, 2)
    shape = list(outer)
    shape.insert(axis % (len(outer) + 1), min(x.shape[axis], y.shape[axis]))
    return tuple(_core.empty(shape, device=x.device) for _ in range(2))


@where_it_lives
def welch(
    x,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    """Power spectral density, by Welch's method: the average of spectra of segments.

    Parameters
    ----------
    x : cupric.ndarray
    fs, window, nperseg, noverlap, nfft, detrend, return_onesided : optional
        As for `csd`.
    scaling, axis, average : optional
        As for `csd`.

    Returns
    -------
    f : cupric.ndarray
        Frequencies.
    Pxx : cupric.ndarray
        Along `axis`; float32 for 16 and 32 bits, else float64.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> x = cp.cos(cp.arange(512) * cp.pi / 2)
    >>> f, pxx = signal.welch(x, nperseg=64)
    >>> f[pxx.argmax()]
    array(0.25)
    """
    options = (fs, window, nperseg, noverlap, nfft)
    return _density(x, x, axis, *options, detrend, return_onesided, scaling, average)


@where_it_lives
def periodogram(
    x,
    fs=1.0,
    window="boxcar",
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
):
    """Power spectral density, of the whole signal at once.

    Parameters
    ----------
    x : cupric.ndarray
    fs : float, optional
        Sampling frequency.
    window : str, tuple, array_like or None, optional
        What `get_window` takes, or as many elements as the signal has; None is
        'boxcar'.
    nfft : int, optional
        The length of the transform: the signal is cut or padded with zeros.
    detrend, return_onesided, scaling, axis : optional
        As for `csd`.

    Returns
    -------
    f, Pxx : cupric.ndarray
        Frequencies, and the density along `axis`.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> f, pxx = signal.periodogram(cp.array([1.0, 0, -1, 0]), scaling="spectrum")
    >>> pxx
    array([0. , 0.5, 0. ])
    """
    x = arguments.array(x, "x")
    if x.size == 0:
        return _spectral.empty_results(x, 2)
    n = x.shape[axis]
    if nfft is not None and nfft < n:
        x = x[(slice(None),) * (axis % x.ndim) + (slice(nfft),)]
        n, nfft = nfft, None
    window = "boxcar" if window is None else window
    if not _segments.named(window):
        window = _spectral.window_of(window, x)
        if window.size != n:
            raise ValueError(
                "the size of the window must be the same size of the input on the "
                f"specified axis: {window.size} and {n}"
            )
    options = (fs, window, n, 0, nfft)
    return _density(x, x, axis, *options, detrend, return_onesided, scaling)


@where_it_lives
def coherence(
    x,
    y,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    axis=-1,
):
    """Magnitude squared coherence: how much of the power of two signals is common.

    Parameters
    ----------
    x, y : cupric.ndarray
    fs, window, nperseg, noverlap, nfft, detrend, axis : optional
        As for `csd`.

    Returns
    -------
    f : cupric.ndarray
        Frequencies.
    Cxy : cupric.ndarray
        ``abs(Pxy)**2 / (Pxx * Pyy)``, from 0 to 1.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> x = cp.cos(cp.arange(256) ** 2)
    >>> f, cxy = signal.coherence(x, 2 * x, nperseg=32)
    >>> bool(cp.allclose(cxy, 1))
    True
    """
    x = arguments.array(x, "x")
    y = arguments.array(y, "y")
    options = (axis, fs, window, nperseg, noverlap, nfft, detrend)
    alike = x.shape == y.shape and x is not y and x.size and x.dtype == y.dtype
    if alike and x.dtype.kind != "c":
        return _density(x, y, *options, products="COHERENCE")
    f, pxx = _density(x, x, *options)
    pyy = _density(y, y, *options)[1]
    pxy = _density(x, y, *options)[1]
    return f, _core.absolute(pxy) ** 2 / pxx / pyy
