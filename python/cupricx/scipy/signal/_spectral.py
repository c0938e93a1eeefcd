"""Spectra of signals: of segments, averaged, and back."""

import warnings

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import (
    unwrap,
    where_it_lives,
)
from cupricx.scipy.signal import _segments

__all__ = [
    "NORMS",
    "empty_results",
    "overlap",
    "spectrogram",
    "stft",
    "transformed",
    "window_of",
]

_BOUNDARIES = {
    "even": "EVEN",
    "odd": "ODD",
    "constant": "EDGE",
    "zeros": "ZEROS",
    None: None,
}
NORMS = {"density": "BY_SQUARES", "spectrum": "BY_SUM"}


def window_of(window, like):
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
    return nperseg, *overlap(nperseg, noverlap, nfft, divisor)


def overlap(nperseg, noverlap, nfft, divisor=2):
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


def transformed(x, window, sizes, norm, fs, onesided, **options):
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
    window = window_of(window, x)
    nperseg, noverlap, nfft = _segmentation(
        window, nperseg, noverlap, nfft, n, options["divisor"]
    )
    if options["scaling"] not in NORMS:
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
    spectra = transformed(
        rows,
        window,
        (-before, step, count, nperseg, nfft),
        NORMS[options["scaling"]],
        fs,
        onesided,
        keeps_phase=options["keeps_phase"],
        outside=(_BOUNDARIES[boundary] or "ZEROS", n + before),
        detrend=options["detrend"],
        axis=axis,
    )
    start = nperseg / 2 if boundary is None else 0.0
    times = _segments.times(count, start, step, fs)
    f = _segments.frequencies(nfft, fs, onesided)
    return f, times, spectra, (nfft, onesided)


def empty_results(x, count):
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
        return empty_results(x, 3)
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
        return empty_results(x, 3)
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
