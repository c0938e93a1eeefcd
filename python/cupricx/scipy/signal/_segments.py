"""Segments of signals, their spectra and averages, and signals made of segments.

What `_spectral` and `_short_time_fft` are made of: one launch gathers, detrends and
windows all segments, one transform has their spectra, and one or two average them.
"""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, fft_of_real
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal.windows import get_window

__all__ = [
    "average",
    "frequencies",
    "host_window",
    "library",
    "moved",
    "named",
    "normalized",
    "overlap_added",
    "power",
    "rows_of",
    "spectra",
    "tapered",
    "time_dtype",
    "times",
]

library = Library(__file__)


def _example(xp):
    from cupricx.scipy import signal

    made = []
    for dtype in "fd":
        x = xp.asarray(np.cos(np.arange(600.0) ** 2).reshape(2, 300).astype(dtype))
        for boundary in ("zeros", "even", "odd", "constant"):
            z = signal.stft(x, nperseg=50, boundary=boundary, detrend="linear")[2]
            made.append(z)
        made.append(signal.istft(z, nperseg=50)[1])
        made.append(signal.welch(x, nperseg=50)[1])
        made.append(signal.csd(x, x[::-1], nperseg=50)[1])
        made.append(signal.coherence(x, x[::-1], nperseg=50)[1])
        made.append(signal.spectrogram(x, nperseg=50)[2])
    return made


def _complex_example(xp):
    from cupricx.scipy import signal

    made = []
    for dtype in "FD":
        x = xp.asarray(np.exp(1j * np.arange(600.0) ** 2).reshape(2, 300).astype(dtype))
        z = signal.stft(x, nperseg=50, return_onesided=False)[2]
        made += [z, signal.istft(z, nperseg=50, input_onesided=False)[1]]
    return made


def _kernels(name, **options):
    return library.kernel(name, example=_example, **options)


_taper = library.kernel(
    "taper<T, W, A>",
    blocks="total",
    ships="ffd ddd FfD DdD",
    example=_complex_example,
)
_normalize = _kernels(
    "normalize<T, V>", blocks="total", threads="NORM_THREADS", ships="df dd ff"
)
_ramp = _kernels("ramp", elements="n", ships="_")
_sum_products = _kernels("sum_products<T>", blocks="total", threads="TILE", ships="f d")
_mean_products = _kernels("mean_products<T>", elements="total", ships="f d")
_products = _kernels("products<T>", blocks="rows", ships="f d")
_overlap_add = library.kernel(
    "overlap_add<T, W, A>",
    blocks="total",
    threads="OVERLAP_THREADS",
    ships="ffd ddd FfD DdD",
    example=_complex_example,
)

# A block takes the trend from a segment of up to this length, and has so many results.
_LONGEST = 1 << 15
_PART = 1 << 13
# Of longer windows the sum is one of several blocks.
_LONGEST_WINDOW = 1 << 16


def time_dtype(*dtypes):
    """The dtype that signals of dtypes are transformed in: real, or complex."""
    dtype = np.result_type(*dtypes, np.complex64)
    if all(d.kind != "c" for d in dtypes):
        return np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
    return dtype


def rows_of(x, axis, dtype):
    """The array with an axis last, contiguous."""
    return _core.ascontiguousarray(moved(x, axis).astype(dtype, copy=False))


def moved(x, axis):
    """The array with an axis last."""
    axis %= x.ndim
    return x.transpose([k for k in range(x.ndim) if k != axis] + [axis])


def named(window):
    """Whether a window is the name of one."""
    return isinstance(window, str | tuple)


@functools.lru_cache(64)
def _kept_host_window(window, points):
    values = get_window(window, points).get()
    values.flags.writeable = False
    return values


def host_window(window, points):
    """The values of a window on the host; those of a named one are kept."""
    if not named(window):
        return window.get() if isinstance(window, _core.ndarray) else np.asarray(window)
    try:
        return _kept_host_window(window, points)
    except TypeError:  # of a list in the tuple
        return get_window(window, points).get()


def normalized(window, points, dtype, norm, fs=1.0):
    """A window, a name or an array of a device, of a dtype, divided by a norm."""
    if named(window):
        if points <= _LONGEST_WINDOW:
            return _named_and_normalized(window, points, np.dtype(dtype), norm, fs)
        window = get_window(window, points)
    if window.dtype.char not in "fdFD":
        window = window.astype(arguments.float_dtype(window.dtype))
    if points <= _LONGEST_WINDOW:
        return _normalized(window, np.dtype(dtype), norm, fs)
    if norm == "BY_SUM":
        window = window / _core.absolute(window.sum())
    elif norm == "BY_SQUARES":
        squares = (window.real**2 + window.imag**2).sum()
        window = window / _core.sqrt(fs * squares)
    return window.astype(dtype)


@replayed
def _named_and_normalized(window, points, dtype, norm, fs):
    return _normalized(get_window(window, points), dtype, norm, fs)


@replayed
def _normalized(window, dtype, norm, fs):
    window = _core.ascontiguousarray(window)
    v = _core.empty(window.shape, dtype)
    _normalize[window.dtype, dtype](
        w=window,
        v=v,
        n=window.size,
        norm=getattr(library.enum, norm),
        fs=float(fs),
        total=1,
    )
    return v


@replayed
def _ramp_of(n, negative, start, step, divisor):
    y = _core.empty(n)
    _ramp[()](y=y, n=n, negative=negative, start=start, step=step, divisor=divisor)
    return y


def frequencies(length, fs, onesided):
    """The frequencies of a transform of a length."""
    n = length // 2 + 1 if onesided else length
    step = 1.0 / (length * (1.0 / float(fs)))
    return _ramp_of(n, n if onesided else (n + 1) // 2, 0.0, step, 1.0)


def times(count, start, step, fs):
    """The times of segments, `step` elements apart."""
    return _ramp_of(count, count, float(start), float(step), float(fs))


def _threads(length):
    return min(256, max(32, 1 << (length - 1).bit_length()))


@replayed
def _segments(x, window, first, step, count, points, length, shift, outside, trend):
    """Segments of rows, the last axis, as kernels make them."""
    n = x.shape[-1]
    boundary, limit = outside
    y = _core.empty((*x.shape[:-1], count, length), x.dtype)
    part = length if trend != "NO_TREND" else min(length, _PART)
    parts = -(-length // part)
    rows = math.prod(x.shape[:-1])
    sizes = library.struct.segment_sizes(
        rows=rows,
        n=n,
        segments=count,
        first=first,
        step=step,
        points=points,
        length=length,
        shift=shift,
        limit=limit,
        parts=parts,
        part=part,
        boundary=getattr(library.enum, boundary),
        trend=getattr(library.enum, trend),
    )
    real = x.real.dtype
    weights = real if window is None else window.dtype
    _taper[x.dtype, weights, np.promote_types(x.dtype, np.float64)](
        x=x,
        w=window,
        y=y,
        s=sizes,
        total=rows * count * parts,
        threads=_threads(part),
    )
    return y


_TRENDS = {
    "constant": "CONSTANT",
    "c": "CONSTANT",
    "linear": "LINEAR",
    "l": "LINEAR",
}


def _long_trend(y, trend):
    """The same for long segments, of all threads together."""
    wide = np.promote_types(y.dtype, np.float64)
    points = y.shape[-1]
    line = y.mean(axis=-1, keepdims=True, dtype=wide)
    if trend == "LINEAR" and points > 1:
        k = _core.arange(points, dtype=np.float64) - 0.5 * (points - 1)
        slope = (y * k).sum(axis=-1, keepdims=True, dtype=wide)
        line = line + slope * k * (12 / (points * (points * points - 1.0)))
    return (y - line).astype(y.dtype)


def tapered(x, window, first, step, count, length, **options):
    """Windowed segments, (..., count, length), of the last axis of an array.

    Options: `shift`, elements that each is rolled by; `outside`, a boundary and where
    zeros begin; `detrend`, a name, a function or False; `axis`, where a function
    expects the elements, or `by_segment`, that it gets one segment of each row at a
    time. `window` may be complex where `x` is.
    """
    points = window.size
    outside = options.get("outside", ("ZEROS", x.shape[-1]))
    shift = options.get("shift", 0) % length
    detrend = options.get("detrend", False)
    sizes = (first, step, count, points)
    if detrend is None or detrend is False:
        return _segments(x, window, *sizes, length, shift, outside, "NO_TREND")
    if not callable(detrend):
        if detrend not in _TRENDS:
            raise ValueError("Trend type must be 'linear' or 'constant'.")
        trend = _TRENDS[detrend]
        if points <= _LONGEST:
            return _segments(x, window, *sizes, length, shift, outside, trend)
        y = _segments(x, None, *sizes, points, 0, outside, "NO_TREND")
        y = _long_trend(y, trend)
    else:
        y = _segments(x, None, *sizes, points, 0, outside, "NO_TREND")
        if options.get("by_segment"):
            y = _one_by_one(y, detrend)
        else:
            y = _by_function(y, detrend, options.get("axis", -1))
    y = _core.ascontiguousarray((y * window).astype(x.dtype, copy=False))
    if shift == 0 and length == points:
        return y
    return _segments(
        y.reshape(-1, points),
        None,
        *(0, 0, 1, points, length, shift, ("ZEROS", points), "NO_TREND"),
    ).reshape(*y.shape[:-1], length)


def _one_by_one(y, detrend):
    """The same, of a function that gets segments one after the other."""
    result = _core.empty(y.shape, y.dtype)
    for k in range(y.shape[-2]):
        result[..., k, :] = detrend(y[..., k, :])
    return result


def _by_function(y, detrend, axis):
    """Segments without the trend that a function finds, along an axis."""
    if axis != -1:
        y = _inserted(y, axis)
    y = detrend(y)
    return y if axis == -1 else moved(y, axis)


def _inserted(y, axis):
    """The array with its last axis elsewhere."""
    order = list(range(y.ndim - 1))
    order.insert(axis % y.ndim, y.ndim - 1)
    return y.transpose(order)


def spectra(y, length, onesided):
    """The transforms of segments, padded with zeros."""
    if onesided:
        return fft_of_real(y, [length], (y.ndim - 1,), None, "C")
    return complex_fft(y, [length], (y.ndim - 1,), None, False, "C")


def _doubled(length, onesided):
    """Where points that stand for two end; 0: there are none."""
    if not onesided:
        return 0
    return length // 2 if length % 2 == 0 else length // 2 + 1


@replayed
def power(x, y, length, onesided):
    """``abs(x)**2``, or ``conj(x) * y`` of other `y`, of spectra; doubled where a point
    stands for two."""
    real = np.dtype(x.real.dtype)
    out = _core.empty(x.shape, real if y is None else x.dtype)
    _products[(real,)](
        x=x,
        y=y,
        real=out if y is None else None,
        z=None if y is None else out,
        m=x.shape[-1],
        doubled=_doubled(length, onesided),
        rows=math.prod(x.shape[:-1]),
        threads=_threads(x.shape[-1]),
    )
    return out


def average(x, y, length, onesided, products="CROSS"):
    """The mean of products of spectra, (..., segments, m), of all segments."""
    if y is None:
        products = "POWER"
    return _averaged(x, y, _doubled(length, onesided), products, library.on_host(x))


@replayed
def _averaged(x, y, doubled, products, is_on_host):
    *outer, segments, m = x.shape
    rows, tiles = math.prod(outer), -(-m // library.enum.TILE)
    # Blocks for all of a device, of no fewer than 8 spectra each.
    blocks = 16 if is_on_host else 2048
    chunks = max(1, min(blocks // max(rows * tiles, 1), segments // 8))
    chunk = -(-segments // chunks)
    chunks = -(-segments // chunk)
    real = np.dtype(x.real.dtype)
    sizes = library.struct.average_sizes(
        rows=rows,
        segments=segments,
        m=m,
        chunks=chunks,
        chunk=chunk,
        tiles=tiles,
        doubled=doubled,
        count=float(segments),
        products=getattr(library.enum, products),
    )
    sums = _core.empty((rows, chunks, m, 4), np.float64)
    _sum_products[(real,)](x=x, y=y, sums=sums, s=sizes, total=rows * chunks * tiles)
    is_complex = products == "CROSS"
    out = _core.empty((*outer, m), x.dtype if is_complex else real)
    _mean_products[(real,)](
        sums=sums,
        real=None if is_complex else out,
        z=out if is_complex else None,
        s=sizes,
        total=rows * m,
    )
    return out


@replayed
def overlap_added(x, window, n, first, step, shift, least):
    """Rows of n elements: the sum of segments, (..., count, length), times a window;
    divided by the sum of squares of the window where it is above `least`, unless that
    is None."""
    *outer, count, length = x.shape
    y = _core.empty((*outer, n), x.dtype)
    rows, tiles = math.prod(outer), -(-n // library.enum.OVERLAP)
    sizes = library.struct.overlap_sizes(
        rows=rows,
        n=n,
        tiles=tiles,
        segments=count,
        first=first,
        step=step,
        points=window.size,
        length=length,
        shift=shift % length,
        least=math.inf if least is None else least,
    )
    _overlap_add[x.dtype, window.dtype, np.promote_types(x.dtype, np.float64)](
        x=x,
        w=window,
        y=y,
        s=sizes,
        total=rows * tiles,
    )
    return y
