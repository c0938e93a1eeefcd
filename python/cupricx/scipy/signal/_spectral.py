"""Spectra of signals: of segments, averaged, and back."""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import (
    complex_fft,
    fft_to_real,
    median,
    unwrap,
    where_it_lives,
)
from cupric.fft import fftfreq, rfftfreq
from cupricx.scipy.signal import _segments

__all__ = [
    "check_COLA",
    "check_NOLA",
    "coherence",
    "csd",
    "istft",
    "periodogram",
    "spectrogram",
    "stft",
    "welch",
]

_BOUNDARIES = {
    "even": "EVEN",
    "odd": "ODD",
    "constant": "EDGE",
    "zeros": "ZEROS",
    None: None,
}
_NORMS = {"density": "BY_SQUARES", "spectrum": "BY_SUM"}


def _frequencies(length, fs, onesided):
    made = rfftfreq if onesided else fftfreq
    return made(length, 1 / fs)


def _window(window, like):
    """A window that is no name, as an array of a device."""
    if _segments.named(window):
        return window
    window = arguments.small(window, like)
    if window.ndim != 1:
        raise ValueError(f"window must be 1-D, not of shape {window.shape}")
    return window


def _segmentation(window, nperseg, noverlap, nfft, n, divisor):
    """The length of segments, what two share, and the length of a transform; of `n`
    elements."""
    if nperseg is not None:
        nperseg = int(nperseg)
        if nperseg < 1:
            raise ValueError(f"nperseg must be a positive integer, not {nperseg}")
    if _segments.named(window):
        nperseg = 256 if nperseg is None else nperseg
        if nperseg > n:
            warnings.warn(
                f"nperseg = {nperseg} is greater than input length  = {n}, using "
                f"nperseg = {n}",
                UserWarning,
                stacklevel=4,
            )
            nperseg = n
    else:
        if window.size > n:
            raise ValueError(
                f"window is longer than input signal: {window.size} and {n} elements"
            )
        if nperseg not in (None, window.size):
            raise ValueError(
                f"value specified for nperseg, {nperseg}, is different from length of "
                f"window, {window.size}"
            )
        nperseg = window.size
    return nperseg, *_overlap(nperseg, noverlap, nfft, divisor)


def _overlap(nperseg, noverlap, nfft, divisor=2):
    nfft = nperseg if nfft is None else int(nfft)
    if nfft < nperseg:
        raise ValueError(
            f"nfft must be greater than or equal to nperseg: {nfft} and {nperseg}"
        )
    noverlap = nperseg // divisor if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError(
            f"noverlap must be less than nperseg: {noverlap} and {nperseg}"
        )
    return noverlap, nfft


def _is_onesided(x, return_onesided):
    if return_onesided and x.dtype.kind == "c":
        warnings.warn(
            "Input data is complex, switching to return_onesided=False",
            UserWarning,
            stacklevel=4,
        )
        return False
    return bool(return_onesided)


def _transformed(x, window, sizes, norm, fs, onesided, **options):
    """The spectra of segments of rows; `sizes`: the first one's begin, the step, the
    number, the length of segments and of transforms."""
    first, step, count, points, length = sizes
    is_complex = not _segments.named(window) and window.dtype.kind == "c"
    if is_complex and x.dtype.kind != "c":
        if onesided:
            raise TypeError(
                f"a one-sided spectrum needs a real window, not one of {window.dtype}"
            )
        x = x.astype(arguments.complex_dtype(x.dtype))
    dtype = x.dtype if is_complex else np.dtype(x.real.dtype)
    if is_complex and options.pop("keeps_phase", False):
        # What SciPy divides by is complex then, and no norm.
        squared = window.sum() ** 2 if norm == "BY_SUM" else fs * (window**2).sum()
        window, norm = window * _core.sqrt(1 / squared), "AS_IT_IS"
    options.pop("keeps_phase", None)
    window = _segments.normalized(window, points, dtype, norm, fs)
    y = _segments.tapered(x, window, first, step, count, length, **options)
    return _segments.spectra(y, length, onesided)


def _moved_back(result, axis, ndim):
    """The last two axes, of segments and of frequencies: the frequencies where the
    signal's axis was, segments last."""
    order = list(range(ndim - 1))
    order.insert(axis % ndim, ndim)
    return result.transpose([*order, ndim - 1])


def _short_time(x, fs, window, nperseg, noverlap, nfft, axis, **options):
    """What `stft` and `spectrogram` have in common: frequencies, times, the spectra,
    (..., segments, frequencies), and whether they are one-sided."""
    n, boundary = x.shape[axis], options["boundary"]
    if boundary not in _BOUNDARIES:
        raise ValueError(
            f"Unknown boundary option {boundary!r}, must be one of: {list(_BOUNDARIES)}"
        )
    dtype = _segments.time_dtype(x.dtype)
    window = _window(window, x)
    nperseg, noverlap, nfft = _segmentation(
        window, nperseg, noverlap, nfft, n, options["divisor"]
    )
    if options["scaling"] not in _NORMS:
        raise ValueError(f"Unknown scaling: {options['scaling']!r}")
    step, before = nperseg - noverlap, 0 if boundary is None else nperseg // 2
    if boundary in ("even", "odd") and before > n - 1:
        raise ValueError(
            f"The extension length n ({before}) is too big. It must not exceed "
            f"x.shape[axis]-1, which is {n - 1}."
        )
    length = n + 2 * before
    if options["padded"]:
        length += (-(length - nperseg) % step) % nperseg
    count = (length - noverlap) // step
    onesided = _is_onesided(x, options["return_onesided"])
    rows = _segments.rows_of(x, axis, dtype)
    spectra = _transformed(
        rows,
        window,
        (-before, step, count, nperseg, nfft),
        _NORMS[options["scaling"]],
        fs,
        onesided,
        keeps_phase=options["keeps_phase"],
        outside=(_BOUNDARIES[boundary] or "ZEROS", n + before),
        detrend=options["detrend"],
        axis=axis,
    )
    start = nperseg / 2 if boundary is None else 0.0
    times = (_core.arange(count) * float(step) + start) / float(fs)
    return _frequencies(nfft, fs, onesided), times, spectra, (nfft, onesided)


def _nothing(x, count):
    """What SciPy returns for no element."""
    return tuple(_core.empty(x.shape, device=x.device) for _ in range(count))


@where_it_lives
def stft(
    x,
    fs=1.0,
    window="hann",
    nperseg=256,
    noverlap=None,
    nfft=None,
    detrend=False,
    return_onesided=True,
    boundary="zeros",
    padded=True,
    axis=-1,
    scaling="spectrum",
):
    """Short-time Fourier transform: spectra of overlapping segments.

    Parameters
    ----------
    x : cupric.ndarray
        The signal, real or complex.
    fs : float, optional
        Sampling frequency.
    window : str, tuple or array_like, optional
        What `get_window` takes, or the elements of a window.
    nperseg : int, optional
        The length of segments; of an array that is the window its length.
    noverlap : int, optional
        What neighbouring segments share, half of them by default.
    nfft : int, optional
        The length of transforms; segments are padded with zeros to it.
    detrend : str, callable or False, optional
        'constant' or 'linear', what is taken from each segment, or a function of
        segments.
    return_onesided : bool, optional
        Of real signals, only the frequencies that are not negative.
    boundary : {'zeros', 'even', 'odd', 'constant', None}, optional
        What is added at both ends, so that the first segment is centred at the first
        element.
    padded : bool, optional
        Add zeros to the end until the last segment is whole.
    axis : int, optional
        That of time.
    scaling : {'spectrum', 'psd'}, optional
        Of amplitudes, or of the root of a spectral density.

    Returns
    -------
    f : cupric.ndarray
        Frequencies.
    t : cupric.ndarray
        Times.
    Zxx : cupric.ndarray
        Of frequencies where time was, with the segments along the last axis. complex64
        for 16 and 32 bits, else complex128.

    Raises
    ------
    ValueError
        Lengths, the window, an option do not fit.

    See Also
    --------
    istft, ShortTimeFFT

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import signal
    >>> x = cp.cos(cp.arange(16) * cp.pi / 2)
    >>> f, t, z = signal.stft(x, nperseg=8)
    >>> z.shape
    (5, 5)
    >>> abs(z[:, 2]).round(2)
    array([0.  , 0.25, 0.5 , 0.25, 0.  ])
    """
    x = arguments.array(x, "x")
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter {scaling=} not in ['spectrum', 'psd']!")
    axis = int(axis)
    arguments.axis(axis, x.ndim)
    if x.size == 0:
        return _nothing(x, 3)
    f, t, z, _ = _short_time(
        *(x, fs, window, nperseg, noverlap, nfft, axis),
        detrend=detrend,
        return_onesided=return_onesided,
        boundary=boundary,
        padded=padded,
        scaling="density" if scaling == "psd" else scaling,
        divisor=2,
        keeps_phase=True,
    )
    return f, t, _moved_back(z, axis, x.ndim)


_MODES = ("psd", "complex", "magnitude", "angle", "phase")


@where_it_lives
def spectrogram(
    x,
    fs=1.0,
    window=("tukey", 0.25),
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    mode="psd",
):
    """Spectra of segments, by their power, magnitude or phase.

    Parameters
    ----------
    x : cupric.ndarray
    fs, window, nperseg, noverlap, nfft, detrend, return_onesided, axis : optional
        As for `stft`; segments have 256 elements, of which neighbouring ones share an
        eighth.
    scaling : {'density', 'spectrum'}, optional
        Power by frequency, or power.
    mode : {'psd', 'complex', 'magnitude', 'angle', 'phase'}, optional
        'complex' is what `stft` returns, without an extension; 'phase' is 'angle',
        unwrapped along the frequencies.

    Returns
    -------
    f, t, Sxx : cupric.ndarray
        Frequencies, times, and the spectra, segments along the last axis.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> x = cp.cos(cp.arange(64) * cp.pi / 2)
    >>> f, t, s = signal.spectrogram(x, nperseg=16)
    >>> s.shape
    (9, 4)
    >>> f[s[:, 0].argmax()]
    array(0.25)
    """
    if mode not in _MODES:
        raise ValueError(f"unknown value for mode {mode}, must be one of {_MODES}")
    x = arguments.array(x, "x")
    axis = int(axis)
    arguments.axis(axis, x.ndim)
    if x.size == 0:
        return _nothing(x, 3)
    f, t, z, (length, onesided) = _short_time(
        *(x, fs, window, nperseg, noverlap, nfft, axis),
        detrend=detrend,
        return_onesided=return_onesided,
        boundary=None,
        padded=False,
        scaling=scaling,
        divisor=8,
        keeps_phase=mode != "psd",
    )
    if mode == "psd":
        z = _segments.power(z, None, length, onesided)
    elif mode == "magnitude":
        z = _core.absolute(z)
    elif mode != "complex":
        z = _core.arctan2(z.imag, z.real)
    z = _moved_back(z, axis, x.ndim)
    if mode == "phase":
        z = unwrap(z, axis=axis % x.ndim)
    return f, t, z


# ---- averages ------------------------------------------------------------------------


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
                stacklevel=4,
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
    return nperseg, *_overlap(nperseg, noverlap, nfft)


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
        window = _window(window, x)
        if not _segments.named(window) and window.dtype.kind == "c":
            window = window.conj()  # as of ShortTimeFFT, and not of stft
        nperseg, noverlap, nfft = _average_segmentation(
            window, nperseg, noverlap, nfft, n
        )
        if options["scaling"] not in _NORMS:
            raise ValueError(
                f"Parameter scaling={options['scaling']!r} not in {list(_NORMS)}!"
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
            z = _transformed(
                *(rows, window, sizes, _NORMS[options["scaling"]], fs),
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
        self.frequencies = _frequencies(nfft, fs, self.onesided)

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
    >>> f[10], pxy[10].round(3)
    (array(20.), array(0.-0.5j))
    """
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
    return made.frequencies, made.mean()


def _no_average(x, y, outer, axis):
    if outer is None:
        return _nothing(x, 2)
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
    return csd(
        *(x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided),
        *(scaling, axis, average),
    )


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
        return _nothing(x, 2)
    n = x.shape[axis]
    if nfft is not None and nfft < n:
        x = x[(slice(None),) * (axis % x.ndim) + (slice(nfft),)]
        n, nfft = nfft, None
    window = "boxcar" if window is None else window
    if not _segments.named(window):
        window = _window(window, x)
        if window.size != n:
            raise ValueError(
                "the size of the window must be the same size of the input on the "
                f"specified axis: {window.size} and {n}"
            )
    return welch(
        x,
        fs=fs,
        window=window,
        nperseg=n,
        noverlap=0,
        nfft=nfft,
        detrend=detrend,
        return_onesided=return_onesided,
        scaling=scaling,
        axis=axis,
    )


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
    options = (fs, window, nperseg, noverlap, nfft)
    alike = x.shape == y.shape and x is not y and x.size
    if not alike or "c" in (x.dtype.kind, y.dtype.kind) or x.dtype != y.dtype:
        f, pxx = welch(x, *options, detrend, axis=axis)
        pyy = welch(y, *options, detrend, axis=axis)[1]
        pxy = csd(x, y, *options, detrend, axis=axis)[1]
        return f, _core.absolute(pxy) ** 2 / pxx / pyy
    made = _Averaged(
        *(x, y, int(axis), *options),
        detrend=detrend,
        return_onesided=True,
        scaling="density",
        average="mean",
    )
    return made.frequencies, made.mean("COHERENCE")


# ---- back ----------------------------------------------------------------------------


def _inverse_sizes(z, nperseg, noverlap, nfft, onesided, freq_axis):
    """The lengths of segments and of transforms, and what segments share."""
    m = z.shape[freq_axis]
    default = 2 * (m - 1) if onesided else m
    nperseg = default if nperseg is None else int(nperseg)
    if nperseg < 1:
        raise ValueError(f"nperseg must be a positive integer, not {nperseg}")
    if nfft is None:
        odd = onesided and nperseg == default + 1
        nfft = nperseg if odd else default
    elif nfft < nperseg:
        raise ValueError(
            f"nfft must be greater than or equal to nperseg: {nfft} and {nperseg}"
        )
    noverlap = nperseg // 2 if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError(
            f"noverlap must be less than nperseg: {noverlap} and {nperseg}"
        )
    return nperseg, noverlap, int(nfft)


def _warn_of_gaps(window, nperseg, step, count, first, n):
    """Where the squares of the windows sum up to nothing, the signal is lost. Of the
    sums all that differ are looked at: those of the ends, and of one step between."""
    values = _segments.host_window(window, nperseg)
    squares = values.real**2 + values.imag**2
    shown = min(count, 2 * (-(-nperseg // step)) + 1)
    sums = np.zeros(nperseg + (shown - 1) * step)
    for k in range(shown):
        sums[k * step : k * step + nperseg] += squares
    sums = sums[first : len(sums) - (nperseg + (count - 1) * step - n - first)]
    if not (sums > 1e-10).all():
        warnings.warn(
            "NOLA condition failed, STFT may not be invertible."
            + ("" if first else " Possibly due to missing boundary"),
            UserWarning,
            stacklevel=3,
        )


@where_it_lives
def istft(
    Zxx,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    input_onesided=True,
    boundary=True,
    time_axis=-1,
    freq_axis=-2,
    scaling="spectrum",
):
    """Inverse short-time Fourier transform.

    Parameters
    ----------
    Zxx : cupric.ndarray
        What `stft` returns.
    fs, window, noverlap : optional
        As `stft` had them.
    nperseg, nfft : int, optional
        As `stft` had them; what `Zxx` lets expect by default.
    input_onesided : bool, optional
        `Zxx` has only frequencies that are not negative.
    boundary : bool, optional
        The signal had been extended at both ends.
    time_axis, freq_axis : int, optional
        Axes of `Zxx`.
    scaling : {'spectrum', 'psd'}, optional

    Returns
    -------
    t : cupric.ndarray
        Times.
    x : cupric.ndarray
        The signal, real where `input_onesided`.

    Warns
    -----
    UserWarning
        Windows vanish somewhere, where the signal is lost, see `check_NOLA`.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> x = cp.arange(16.0)
    >>> f, t, z = signal.stft(x, nperseg=8)
    >>> bool(cp.allclose(signal.istft(z, nperseg=8)[1], x))
    True
    """
    z = arguments.array(Zxx, "Zxx")
    freq_axis, time_axis = int(freq_axis), int(time_axis)
    if z.ndim < 2:
        raise ValueError(f"Input stft must be at least 2d, not of shape {z.shape}!")
    if freq_axis % z.ndim == time_axis % z.ndim:
        raise ValueError("Must specify differing time and frequency axes!")
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter {scaling=} not in ['spectrum', 'psd']!")
    count = z.shape[time_axis]
    nperseg, noverlap, nfft = _inverse_sizes(
        z, nperseg, noverlap, nfft, input_onesided, freq_axis
    )
    step = nperseg - noverlap
    window = _window(window, z)
    if not _segments.named(window) and window.size != nperseg:
        raise ValueError(f"window must have length of {nperseg}, not {window.size}")
    first = nperseg // 2 if boundary else 0
    n = max(nperseg + (count - 1) * step - 2 * first, 0)
    if boundary and first == 0:
        n = 0  # as of SciPy, which takes no element from either end, and all
    _warn_of_gaps(window, nperseg, step, count, first, n)
    x = _segments_back(z, nfft, input_onesided, freq_axis, time_axis)
    x = _added_up(x, window, scaling, fs, (n, first, step, nperseg))
    if x.ndim > 1 and time_axis % z.ndim != z.ndim - 1:
        axis = time_axis % z.ndim
        x = _restored(x, axis - (freq_axis % z.ndim < axis))
    # Times are of the first axis, whichever it is, as SciPy's are.
    return _core.arange(x.shape[0]) / float(fs), x


def _restored(x, axis):
    order = list(range(x.ndim - 1))
    order.insert(axis, x.ndim - 1)
    return x.transpose(order)


def _segments_back(z, nfft, onesided, freq_axis, time_axis):
    """Segments, (..., segments, nfft), of spectra."""
    freq_axis, time_axis = freq_axis % z.ndim, time_axis % z.ndim
    others = [k for k in range(z.ndim) if k not in (freq_axis, time_axis)]
    z = z.transpose([*others, time_axis, freq_axis])
    z = z.astype(np.result_type(z.dtype, np.complex64), copy=False)
    axes = (z.ndim - 1,)
    if onesided:
        return fft_to_real(z, [nfft], axes, None, "C")
    return complex_fft(z, [nfft], axes, None, True, "C")


def _added_up(x, window, scaling, fs, sizes):
    """The sum of segments, each times the window that `stft` scaled."""
    n, first, step, nperseg = sizes
    is_complex = not _segments.named(window) and window.dtype.kind == "c"
    if is_complex and x.dtype.kind != "c":
        raise TypeError(
            f"a one-sided spectrum needs a real window, not one of {window.dtype}"
        )
    dtype = x.dtype if is_complex else np.dtype(x.real.dtype)
    plain = _segments.normalized(window, nperseg, dtype, "AS_IT_IS")
    y = _segments.overlap_added(x, plain, n, -first, step, 0, 1e-10)
    factor = (
        plain.sum(dtype=np.promote_types(dtype, np.float64))
        if scaling == "spectrum"
        else _core.sqrt(
            fs * (plain * plain).sum(dtype=np.promote_types(dtype, np.float64))
        )
    )
    y *= factor.astype(y.dtype)
    return y


# ---- conditions ----------------------------------------------------------------------


def _window_of(window, nperseg, noverlap):
    nperseg = int(nperseg)
    if nperseg < 1:
        raise ValueError(f"nperseg must be a positive integer, not {nperseg}")
    if noverlap >= nperseg:
        raise ValueError(
            f"noverlap must be less than nperseg: {noverlap} and {nperseg}"
        )
    values = _segments.host_window(window, nperseg)
    if values.ndim != 1:
        raise ValueError(f"window must be 1-D, not of shape {values.shape}")
    if values.size != nperseg:
        raise ValueError(
            f"window must have length of nperseg: {values.size} and {nperseg}"
        )
    return values, nperseg - int(noverlap)


def _sums(values, step):
    """What windows, a step apart, sum up to, at each element of a step."""
    whole = -(-len(values) // step)
    padded = np.zeros(whole * step, values.dtype)
    padded[: len(values)] = values
    return padded.reshape(whole, step).sum(axis=0)


def check_COLA(window, nperseg, noverlap, tol=1e-10):
    """Whether windows that overlap sum up to a constant.

    Parameters
    ----------
    window : str, tuple or array_like
        What `get_window` takes, or the elements of a window.
    nperseg, noverlap : int
        Its length, and what neighbouring ones share.
    tol : float, optional
        How much the sums may differ from their median.

    Returns
    -------
    bool

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> signal.check_COLA("hann", 120, 60), signal.check_COLA("hann", 120, 30)
    (True, False)
    """
    sums = _sums(*_window_of(window, nperseg, noverlap))
    return bool(np.abs(sums - np.median(sums)).max() < tol)


def check_NOLA(window, nperseg, noverlap, tol=1e-10):
    """Whether the squares of windows that overlap sum up to nothing nowhere.

    Parameters
    ----------
    window : str, tuple or array_like
        What `get_window` takes, or the elements of a window.
    nperseg, noverlap : int
        Its length, and what neighbouring ones share.
    tol : float, optional
        What each sum has to be above.

    Returns
    -------
    bool
        Whether `istft` can invert what `stft` makes with it.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> signal.check_NOLA("hann", 120, 60), signal.check_NOLA("hann", 120, 0)
    (True, False)
    """
    if noverlap < 0:
        raise ValueError(f"noverlap must be a nonnegative integer, not {noverlap}")
    values, step = _window_of(window, nperseg, noverlap)
    return bool(_sums(values**2, step).min() > tol)
