"""Signals at another sampling rate."""

import functools
import math
import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import median
from cupric._lib.kernels import replayed
from cupricx.scipy.signal._bands import resampled, spectrum, transform_dtype
from cupricx.scipy.signal._design._on_host import to_host
from cupricx.scipy.signal._rows import along, rows_of
from cupricx.scipy.signal._upfirdn import MODES, filtered_rows
from cupricx.scipy.signal.windows import get_window

__all__ = ["decimate", "resample", "resample_poly"]


# ---- by the transform ----------------------------------------------------------------


def resample(x, num, t=None, axis=0, window=None, domain="time"):
    """Resample to a number of samples, by the Fourier transform.

    Parameters
    ----------
    x : array_like
        Taken to be periodic.
    num : int
        Samples of the result.
    t : array_like, optional
        The times of the samples, equally spaced: those of the result are returned, too.
    axis : int, optional
    window : array_like, callable, str, tuple or float, optional
        What the spectrum is multiplied by: a value for each frequency, in the order of
        `fftfreq`, a function of the frequencies, or what `get_window` takes.
    domain : {'time', 'freq'}, optional
        Whether `x` has samples or their spectrum.

    Returns
    -------
    y : cupric.ndarray
        float32 or complex64 where `x` is of single precision or below.
    t : cupric.ndarray
        Where `t` was passed.

    Raises
    ------
    ValueError
        `num` or the length of `x` is not positive, `window` has another length, or
        `domain` is another word.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import resample
    >>> resample(cp.array([1.0, 0, -1, 0]), 8).round(6)
    array([ 1.      ,  0.707107,  0.      , -0.707107, -1.      , -0.707107,
           -0.      ,  0.707107])
    """
    if domain not in ("time", "freq"):
        raise ValueError(f"Parameter domain={domain!r} not in ('time', 'freq')!")
    x = arguments.array(x, "x")
    axis = arguments.axis(axis, x.ndim)
    num, n = operator.index(num), x.shape[axis]
    if num < 1 or n < 1:
        raise ValueError(
            f"invalid number of data points ({min(num, n)}) specified: {num} samples "
            f"of x of shape {x.shape}, axis {axis}"
        )
    dtype = transform_dtype(x.dtype)
    is_real = domain == "time" and dtype.kind != "c"
    if domain == "time":
        bins = spectrum(rows_of(x, axis, dtype))
    else:
        bins = rows_of(x, axis, arguments.complex_dtype(dtype))
    if window is not None:
        bins = bins * _bin_weights(window, n, is_real, bins)
    y = along(resampled(bins, n, num, is_real), axis)
    if t is None:
        return y
    t = arguments.array(t, "t")
    return y, t[0] + (t[1] - t[0]) * n / num * _core.arange(num, device=y.device)


def _bin_weights(window, n, is_real, bins):
    """The window's values for the bins."""
    if callable(window):
        w = window(_frequencies(n, bins))
    elif isinstance(window, (str, tuple, float)):
        w = _shifted(get_window(window, n))
    else:
        w = window
    w = arguments.small(w, bins)
    if w.shape != (n,):
        raise ValueError(
            f"window.shape={w.shape} != ({n},), i.e., window length is not equal to "
            "number of frequency bins!"
        )
    if is_real:  # a real signal's bin stands for a frequency and for its negative
        half = n // 2 + 1
        both = w[:half].astype(_core.result_type(w.dtype, np.float32))
        both[1:] = (
            (both[1:] + w[: n - half : -1][: half - 1]) / 2 if n > 1 else both[1:]
        )
        w = both if both.dtype.kind == "c" else both.astype(bins.dtype.char.lower())
    return w


def _frequencies(n, like):
    k = np.arange(n)
    return _core.array(np.where(k < (n + 1) // 2, k, k - n) / n, device=like.device)


def _shifted(w):
    """The middle of a window first, as `fftshift` has it, and so SciPy."""
    middle = (w.size + 1) // 2
    return _core.concatenate((w[middle:], w[:middle]))


# ---- by a filter ---------------------------------------------------------------------

# What is taken off a signal before it is filtered, and added afterwards.
_BACKGROUNDS = {
    "maximum": lambda x: x.max(-1, keepdims=True),
    "mean": lambda x: x.mean(-1, keepdims=True),
    "median": lambda x: median(x, -1, keepdims=True),
    "minimum": lambda x: x.min(-1, keepdims=True),
}


@replayed
def resample_poly(
    x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", cval=None
):
    """Resample by a ratio of two integers, by a filter in polyphase form.

    Parameters
    ----------
    x : array_like
    up, down : int
        The result has ``up / down`` times the sampling rate.
    axis : int, optional
    window : str, tuple or array_like, optional
        The window of the low-pass filter, as `get_window` takes it, or the filter's
        coefficients.
    padtype : str, optional
        What the signal is beyond its ends: a mode of `upfirdn`, or 'mean', 'median',
        'minimum' or 'maximum', which are taken off before and added afterwards.
    cval : float, optional
        The constant where `padtype` is 'constant', 0 by default.

    Returns
    -------
    cupric.ndarray
        Of ``ceil(n * up / down)`` elements along `axis`. float32 or complex64 where `x`
        is of single precision or below.

    Raises
    ------
    ValueError
        `up` or `down` is not a positive integer, `window` has not one axis, `padtype`
        is another word, or `cval` was passed where there is none.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import resample_poly
    >>> resample_poly(cp.array([1.0, 2, 3]), 2, 1).shape
    (6,)
    """
    x = arguments.array(x, "x")
    up, down = _ratio(up, "up"), _ratio(down, "down")
    if up < 1 or down < 1:
        raise ValueError(f"up and down must be >= 1, not {up} and {down}")
    if cval is not None and padtype != "constant":
        raise ValueError(f"cval has no effect when padtype is {padtype!r}")
    common = math.gcd(up, down)
    up, down = up // common, down // common
    axis = arguments.axis(axis, x.ndim)
    if up == down == 1:
        return x.copy()
    h = _coefficients(window, up, down, x.dtype)
    if padtype not in MODES and padtype not in _BACKGROUNDS:
        words = ", ".join([*_BACKGROUNDS, *MODES])
        raise ValueError(f"padtype must be one of: {words}; not {padtype!r}")
    rows = rows_of(x, axis, _core.result_type(h.dtype, x.dtype, np.float32))
    outputs = -(-rows.shape[-1] * up // down)
    start = (h.size - 1) // 2
    if padtype in MODES:
        options = {"mode": MODES[padtype], "fill": 0.0 if cval is None else float(cval)}
    else:
        background = _BACKGROUNDS[padtype](rows) if rows.size else None
        options = {"background": background}
    return along(filtered_rows(h, rows, up, down, outputs, start, **options), axis)


def _ratio(value, name):
    if value != int(value):
        raise ValueError(f"{name} must be an integer, not {value!r}")
    return int(value)


def _coefficients(window, up, down, dtype):
    """The low-pass filter, of gain `up`."""
    if isinstance(window, (list, np.ndarray, _core.ndarray)):
        h = window if isinstance(window, _core.ndarray) else np.asarray(window)
        if h.ndim != 1 or h.size == 0:
            raise ValueError(f"window must be 1-D, and is of shape {h.shape}")
        return h * up
    most = max(up, down)
    try:
        h = _low_pass(20 * most + 1, 1 / most, window)
    except TypeError:  # of a list, as weights of cosines are, there is no hash
        h = _low_pass.__wrapped__(20 * most + 1, 1 / most, window)
    if dtype.kind in "fc":
        h = h.astype(dtype.char.lower())
    return h * up


@functools.lru_cache(maxsize=64)
def _low_pass(taps, cutoff, window):
    """A low-pass filter by its window, of gain 1 at frequency 0; a NumPy array."""
    if not 0 < cutoff < 1:
        raise ValueError(
            "Invalid cutoff frequency: frequencies must be greater than 0 and less "
            f"than fs/2, not {cutoff} times that"
        )
    if isinstance(window, tuple) and window[0] == "kaiser" and len(window) == 2:
        w = np.kaiser(taps, window[1])
    elif window == "hamming":
        w = np.hamming(taps)
    else:
        w = get_window(window, taps, fftbins=False).get()
    h = w * np.sinc(cutoff * (np.arange(taps) - (taps - 1) / 2))
    return h / h.sum()


def decimate(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    """Filter against aliasing, and keep every `q`-th element.

    Parameters
    ----------
    x : array_like
    q : int
        The factor. Of more than 13, decimate in several steps.
    n : int, optional
        The filter's order: 8 by default for 'iir', and ``20 * q`` for 'fir'.
    ftype : {'iir', 'fir'} or dlti, optional
        A Chebyshev filter of type I, a FIR filter with a Hamming window, or a system of
        one input and one output.
    axis : int, optional
    zero_phase : bool, optional
        Whether to compensate the filter's delay: by its length if it is a FIR filter,
        else by filtering forward and backward.

    Returns
    -------
    cupric.ndarray
        Of ``ceil(n / q)`` elements along `axis`: in the dtype of `x`, or in float64 if
        that is float16 or of integers.

    Raises
    ------
    ValueError
        `ftype` is another word, or `x` is too short to be filtered in both directions.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import decimate
    >>> decimate(cp.ones(100), 10, ftype="fir").shape
    (10,)
    """
    from cupricx.scipy import signal

    x = arguments.array(x, "x")
    q = operator.index(q)
    n = None if n is None else operator.index(n)
    axis = arguments.axis(axis, x.ndim)
    dtype = x.dtype if x.dtype.char in "fdFD" else np.dtype(np.float64)
    x = x.astype(dtype, copy=False)
    b, sos = _decimation_filter(ftype, q, n)
    if sos is not None:
        sos = arguments.small(sos.astype(dtype, copy=False), x)
        apply = signal.sosfiltfilt if zero_phase else signal.sosfilt
        kept = (slice(None),) * axis + (slice(None, None, q),)
        return _core.ascontiguousarray(apply(sos, x, axis)[kept])
    kind = dtype if b.dtype.kind == "c" else dtype.char.lower()
    rows = rows_of(x, axis)
    outputs, start = -(-rows.shape[-1] // q), (b.size - 1) // 2 if zero_phase else 0
    return along(filtered_rows(b.astype(kind), rows, 1, q, outputs, start), axis)


def _decimation_filter(ftype, q, n):
    """Coefficients of a FIR filter or, of another, second-order sections."""
    from cupricx.scipy import signal

    if ftype == "fir":
        return _low_pass((20 * q if n is None else n) + 1, 1.0 / q, "hamming"), None
    if ftype == "iir":
        return None, _chebyshev(8 if n is None else n, 0.8 / q)
    if not isinstance(ftype, signal.dlti):
        raise ValueError(
            f"invalid ftype: {ftype!r} is neither 'iir' or 'fir' nor a dlti system"
        )
    system = ftype.to_zpk()
    zeros, poles = (to_host(np.atleast_1d(v)) for v in (system.zeros, system.poles))
    if poles.size == 0:
        return to_host(system.gain) * np.poly(zeros), None
    return None, signal.zpk2sos.on_host(zeros, poles, to_host(system.gain))


@functools.lru_cache(maxsize=64)
def _chebyshev(n, cutoff):
    from cupricx.scipy import signal

    return signal.cheby1.on_host(n, 0.05, cutoff, output="sos")
