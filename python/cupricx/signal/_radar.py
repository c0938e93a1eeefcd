"""Radar: pulses, detectors with a constant rate of false alarms, beamforming."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, solve, where_it_lives
from cupric._lib.kernels import Library, replayed
from cupric.fft import fftfreq
from cupricx.scipy.signal.windows import get_window

__all__ = [
    "ca_cfar",
    "cfar_alpha",
    "mvdr",
    "pulse_compression",
    "pulse_doppler",
]

_library = Library(__file__)


def _example(xp):
    from cupricx import signal

    x = xp.asarray(np.cos(np.arange(400.0) ** 2).reshape(20, 20) ** 2)
    made = [*signal.ca_cfar(x, (1, 2), (2, 1)), *signal.ca_cfar(x[0], 1, 3)]
    return [*made, *signal.ca_cfar(x.astype("f"), (1, 1), (1, 1))]


_cell_averages = _library.kernel(
    "cell_averages<T>", elements="total", ships="f d", example=_example
)


def _pulses(x):
    x = arguments.array(x, "x")
    if x.ndim != 2:
        raise ValueError(
            f"x is of pulses and their samples, two axes, not of shape {x.shape}"
        )
    return x


def _weights(window, n, like):
    """A window of n points: by a function of frequencies, as an array, or by name."""
    if callable(window):
        return window(fftfreq(n))
    if isinstance(window, _core.ndarray | np.ndarray):
        if window.shape != (n,):
            raise ValueError(
                f"window must have the same length as data: shape {window.shape}, not "
                f"{(n,)}"
            )
        return arguments.small(window, like)
    return get_window(window, n, False)


def _transform(x, n, axis, inverse=False):
    if x.dtype.char not in "fdFD":
        x = x.astype(arguments.float_dtype(x.dtype))
    return complex_fft(x, [n], (axis,), None, inverse, "C")


@where_it_lives
def pulse_compression(x, template, normalize=False, window=None, nfft=None):
    """Matched filter: the correlation of received pulses with the one transmitted.

    Parameters
    ----------
    x : cupric.ndarray, shape (pulses, samples)
        What is received.
    template : cupric.ndarray, shape (n,)
        What is transmitted.
    normalize : bool, optional
        Divide the template by its length as a vector.
    window : str, tuple, float, array_like or callable, optional
        What the template is multiplied by: what `get_window` takes for a symmetric one,
        n points, or a function of the frequencies that `fftfreq` has.
    nfft : int, optional
        The length of transforms, by default that of a pulse.

    Returns
    -------
    cupric.ndarray, shape (pulses, nfft)
        Complex.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import signal
    >>> x = cp.array([[0.0, 0, 1, 2, 0, 0]])
    >>> signal.pulse_compression(x, cp.array([1.0, 2])).real.round(6)
    array([[0., 2., 5., 2., 0., 0.]])
    """
    x, template = _pulses(x), arguments.array(template, "template")
    if template.ndim != 1:
        raise ValueError(f"template must have one axis, not shape {template.shape}")
    nfft = x.shape[1] if nfft is None else nfft
    if window is not None:
        template = template * _weights(window, template.size, template)
    if normalize:
        squares = template.real**2 + template.imag**2
        template = template / _core.sqrt(squares.sum())
    spectrum = _transform(x, nfft, 1)
    spectrum = spectrum * _transform(template, nfft, 0).conj()
    return _transform(spectrum, nfft, 1, True)


@where_it_lives
def pulse_doppler(x, window=None, nfft=None):
    """Spectra along pulses, which tell velocities: a map of ranges and Doppler shifts.

    Parameters
    ----------
    x : cupric.ndarray, shape (pulses, samples)
    window : str, tuple, float, array_like or callable, optional
        What the pulses are multiplied by, see `pulse_compression`.
    nfft : int, optional
        The length of the transform, by default the number of pulses.

    Returns
    -------
    cupric.ndarray, shape (nfft, samples)
        Complex.

    Examples
    --------
    >>> from cupricx import signal
    >>> x = cp.array([[1.0], [-1], [1], [-1]])
    >>> signal.pulse_doppler(x).ravel()
    array([0.+0.j, 0.+0.j, 4.+0.j, 0.+0.j])
    """
    x = _pulses(x)
    if window is not None:
        x = x * _weights(window, x.shape[0], x).reshape(-1, 1)
    return _transform(x, x.shape[0] if nfft is None else nfft, 0)


def cfar_alpha(pfa, N):
    """By what the mean of reference cells is multiplied for a rate of false alarms.

    Parameters
    ----------
    pfa : float or cupric.ndarray
        The probability of a false alarm.
    N : int
        The number of reference cells.

    Returns
    -------
    float or cupric.ndarray

    Examples
    --------
    >>> from cupricx import signal
    >>> round(signal.cfar_alpha(1e-3, 16), 3)
    8.639
    """
    return N * (pfa ** (-1.0 / N) - 1)


def _cells(shape, guard, reference):
    """Guard and reference cells along both axes; a single row stands for one axis."""
    if len(shape) == 1:
        guard, reference = (0, guard), (0, reference)
    elif any(np.ndim(c) != 1 or len(c) != 2 for c in (guard, reference)):
        raise TypeError(
            "Guard and reference cells must be two dimensional, as the array is, not "
            f"{guard} and {reference}"
        )
    guard = [arguments.integer(c) for c in guard]
    reference = [arguments.integer(c) for c in reference]
    if min(guard + reference) < 0 or not any(reference):
        raise ValueError(
            f"cells must not be negative, and some be references: {guard}, {reference}"
        )
    full = (1, *shape)[-2:]
    for n, g, r in zip(full, guard, reference, strict=True):
        if n <= 2 * (g + r):
            raise ValueError(
                f"Array too small for given parameters: shape {shape}, where guard and "
                f"reference cells take {2 * (g + r)} of {n}"
            )
    return full, guard, reference


@where_it_lives
def ca_cfar(array, guard_cells, reference_cells, pfa=0.001):
    """Cell-averaging detector with a constant rate of false alarms.

    The threshold of an element is a multiple of the mean of the reference cells around
    it, which lie beyond the guard cells.

    Parameters
    ----------
    array : cupric.ndarray, shape (n,) or (n, m)
        Real.
    guard_cells, reference_cells : int or tuple of two ints
        How many at each side, along each axis.
    pfa : float, optional
        The probability of a false alarm.

    Returns
    -------
    threshold : cupric.ndarray
        0 near the border, where not all reference cells are there. float32 for 16 and
        32 bits, else float64.
    detections : cupric.ndarray of bool
        Where `array` is above the threshold.

    Raises
    ------
    TypeError
        `array` has more than two axes, or the cells another number of axes.
    ValueError
        `array` is too small for the cells.

    Examples
    --------
    >>> from cupricx import signal
    >>> x = cp.ones(40)
    >>> x[20] = 30
    >>> threshold, detections = signal.ca_cfar(x, 2, 8)
    >>> threshold[20].round(3)
    array(8.639)
    >>> bool(detections[20]), bool(detections[19])
    (True, False)
    """
    array = arguments.array(array, "array")
    if array.ndim not in (1, 2):
        raise TypeError(
            f"Only 1D and 2D arrays are currently supported, not shape {array.shape}"
        )
    if array.dtype.kind == "c":
        raise TypeError(f"a detector is of real numbers, not of {array.dtype}")
    full, guard, reference = _cells(array.shape, guard_cells, reference_cells)
    outer = [2 * (g + r) + 1 for g, r in zip(guard, reference, strict=True)]
    count = math.prod(outer) - math.prod(2 * g + 1 for g in guard)
    factor = float(cfar_alpha(pfa, count)) / count
    x = _core.ascontiguousarray(
        array.astype(arguments.float_dtype(array.dtype), copy=False).reshape(full)
    )
    sums = _core.cumsum(x, axis=1, dtype=np.float64)
    if full[0] > 1:
        sums = _core.cumsum(sums, axis=0)
    threshold, detections = _thresholds(x, sums, tuple(guard), tuple(reference), factor)
    return threshold.reshape(array.shape), detections.reshape(array.shape)


@replayed
def _thresholds(x, sums, guard, reference, factor):
    threshold, detections = _core.empty(x.shape, x.dtype), _core.empty(x.shape, bool)
    n, m = x.shape
    cells = _library.struct.cfar_cells(
        n=n, m=m, guard=guard, reference=reference, factor=factor
    )
    _cell_averages[(x.dtype,)](
        x=x,
        sums=sums,
        threshold=threshold,
        detection=detections,
        c=cells,
        total=x.size,
    )
    return threshold, detections


@where_it_lives
def mvdr(x, sv, calc_cov=True):
    """Weights of a beamformer of minimum variance and no distortion (MVDR).

    Parameters
    ----------
    x : cupric.ndarray, shape (sensors, samples)
        What is received, or the covariance matrix of the sensors.
    sv : cupric.ndarray, shape (sensors,)
        The steering vector.
    calc_cov : bool, optional
        False: `x` is the covariance matrix.

    Returns
    -------
    cupric.ndarray, shape (sensors,)

    Raises
    ------
    ValueError
        There are more sensors than samples, or `sv` has another length.

    References
    ----------
    J. Capon, High-resolution frequency-wavenumber spectrum analysis, Proceedings of the
    IEEE 57, 1969.

    Examples
    --------
    >>> from cupricx import signal
    >>> x = cp.array([[1.0, 2, 3], [4, 5, 7]])
    >>> signal.mvdr(x, cp.array([1.0, 2])).round(6)
    array([-2. ,  1.5])
    """
    x, sv = arguments.array(x, "x"), arguments.array(sv, "sv")
    if x.ndim != 2:
        raise ValueError(f"x must have two axes, not shape {x.shape}")
    if x.shape[0] > x.shape[1]:
        raise ValueError(
            f"Matrix has more sensors than samples, shape {x.shape}: rows are sensors"
        )
    if sv.shape[:1] != x.shape[:1]:
        raise ValueError(
            f"Steering Vector and input data do not align: shapes {sv.shape} and "
            f"{x.shape}"
        )
    x = x.astype(arguments.float_dtype(x.dtype), copy=False)
    if calc_cov:
        x = x - x.mean(axis=1, keepdims=True)
        x = x @ x.conj().T / (x.shape[1] - 1)
    weights = solve(x, sv.astype(np.promote_types(sv.dtype, x.dtype), copy=False))
    return weights / (sv.conj() * weights).sum(axis=0)
