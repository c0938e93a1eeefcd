"""Signals of overlapping segments: the inverse of `stft`, and when there is one."""

import warnings

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, fft_to_real, where_it_lives
from cupricx.scipy.signal import _segments, _spectral

__all__ = ["check_COLA", "check_NOLA", "istft"]


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
    sums = np.zeros(nperseg + (shown - 1) * step, np.float64)
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
        As for `stft`, which had them.
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
    window = _spectral.window_of(window, z)
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
    return _segments.times(x.shape[0], 0, 1, fs), x


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


def _values_of(window, nperseg, noverlap):
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
    sums = _sums(*_values_of(window, nperseg, noverlap))
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
    values, step = _values_of(window, nperseg, noverlap)
    return bool(_sums(values**2, step).min() > tol)
