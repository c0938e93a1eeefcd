"""FIR filters, Volterra filters, and shifts of the frequency."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library

__all__ = [
    "convolve1d2o",
    "convolve1d3o",
    "firfilter",
    "firfilter2",
    "firfilter_zi",
    "freq_shift",
]

_library = Library(__file__)


def _example(xp):
    made = []
    x = xp.cos(xp.arange(100.0) ** 2)
    k = xp.arange(27.0).reshape(3, 3, 3)
    for t in "fdFD":
        made += [convolve1d2o(x.astype(t), k[0].astype(t))]
        made += [convolve1d3o(x.astype(t), k.astype(t))]
    return [*made, freq_shift(x, 3, 100)]


_second = _library.kernel(
    "second_order<T>", elements="n", ships="f d F D", example=_example
)
_third = _library.kernel(
    "third_order<T>", elements="n", ships="f d F D", example=_example
)
_shifted = _library.elementwise(
    "shifted",
    "T x, float64 r",
    "complex128 y",
    "y = shifted(x, r, (double)i)",
    ships="f d F D | values r",
    example=_example,
)


def firfilter(b, x, axis=-1, zi=None):
    """Filter data along an axis with a FIR filter.

    Parameters
    ----------
    b : array_like, shape (m,)
        The filter's coefficients.
    x : array_like
    axis : int, optional
    zi : array_like, optional
        The states of the filter's delays before the first element, as of
        `cupricx.scipy.signal.lfilter`.

    Returns
    -------
    y : cupric.ndarray
        Of the shape of `x`.
    zf : cupric.ndarray
        The states after the last element; where `zi` was passed.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.signal import firfilter
    >>> firfilter([0.5, 0.5], cp.array([1.0, 3, 5]))
    array([0.5, 2. , 4. ])
    """
    from cupricx.scipy.signal import lfilter

    return lfilter(b, [1.0], x, axis, zi)


def firfilter2(b, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """Filter data forward and backward with a FIR filter.

    Parameters
    ----------
    b : array_like, shape (m,)
        The filter's coefficients.
    x : array_like
    axis : int, optional
    padtype, padlen, method, irlen : optional
        As of `cupricx.scipy.signal.filtfilt`: what is done about the ends.

    Returns
    -------
    cupric.ndarray
        Of the shape of `x`, and not delayed.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.signal import firfilter2
    >>> firfilter2([0.5, 0.5], cp.arange(9.0)).round(6)
    array([0., 1., 2., 3., 4., 5., 6., 7., 8.])
    """
    from cupricx.scipy.signal import filtfilt

    return filtfilt(b, [1.0], x, axis, padtype, padlen, method, irlen)


def firfilter_zi(b):
    """The states of a FIR filter's delays in the steady state of a step.

    Parameters
    ----------
    b : array_like, shape (m,)
        The filter's coefficients.

    Returns
    -------
    cupric.ndarray, shape (m - 1,)
        Times the first element they are `zi` of `firfilter`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.signal import firfilter_zi
    >>> firfilter_zi(cp.array([0.5, 0.25, 0.25]))
    array([0.5 , 0.25])
    """
    from cupricx.scipy.signal import lfilter_zi

    return lfilter_zi(b, [1.0])


# ---- Volterra filters ----------------------------------------------------------------


def _volterra(in1, in2, mode, method, order):
    """The result of a filter of an order."""
    x, k = arguments.array(in1, "in1"), arguments.array(in2, "in2")
    if x.ndim != 1 or k.ndim != order:
        raise ValueError(
            f"in1 should have one dimension and in2 {order}, and they are of shapes "
            f"{x.shape} and {k.shape}"
        )
    if mode not in ("valid", "same", "full"):
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    if method not in ("direct", "auto"):
        raise NotImplementedError(f"{method!r}: only the direct method is there")
    dtype = _core.result_type(x.dtype, k.dtype)
    if dtype.char not in "fdFD":
        dtype = np.promote_types(dtype, np.float32 if dtype.char == "e" else np.float64)
    longest = max(k.shape)
    before = {"valid": 0, "same": longest // 2, "full": longest - 1}[mode]
    n = {"valid": x.size - longest + 1, "same": x.size, "full": x.size + longest - 1}
    n = n[mode]
    if k.size == 0 or n <= 0:
        if mode == "valid" and n <= 0 < longest:
            raise ValueError(
                f"For 'valid' mode, in1 must be at least as long as in2 (shapes "
                f"{x.shape} and {k.shape})"
            )
        return _core.zeros(max(n, 0), dtype)
    x = _core.ascontiguousarray(x.astype(dtype, copy=False))
    if before:
        padded = _core.zeros(n + longest - 1, dtype)
        padded[before : before + x.size] = x
        x = padded
    k = _core.ascontiguousarray(k.astype(dtype, copy=False))
    y = _core.empty(n, dtype)
    sizes = dict(zip("whd", k.shape, strict=False))
    (_second if order == 2 else _third)[dtype](x=x, k=k, y=y, n=n, **sizes)
    return y


@where_it_lives
def convolve1d2o(in1, in2, mode="valid", method="direct"):
    """Convolve with a filter of the second order: the second term of a Volterra series.

    Parameters
    ----------
    in1 : array_like, shape (n,)
    in2 : array_like, shape (w, h)
        What the products of two elements are multiplied by.
    mode : {'valid', 'same', 'full'}, optional
        What needs nothing from outside `in1`; the part of the size of `in1` from the
        centre of 'full'; or all, with zeros outside.
    method : {'direct', 'auto'}, optional

    Returns
    -------
    cupric.ndarray
        ``sum(in2[a, b] * in1[i + w - 1 - a] * in1[i + h - 1 - b])`` for each `i`.

    Raises
    ------
    ValueError
        The inputs have other numbers of axes, or `in1` is shorter than `in2`.
    NotImplementedError
        `method` is 'fft', which CuPy has not either.

    References
    ----------
    Martin Schetzen, "The Volterra and Wiener Theories of Nonlinear Systems", Wiley,
    1980.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.signal import convolve1d2o
    >>> convolve1d2o(cp.array([1.0, 2, 3]), cp.eye(2))
    array([ 5., 13.])
    """
    return _volterra(in1, in2, mode, method, 2)


@where_it_lives
def convolve1d3o(in1, in2, mode="valid", method="direct"):
    """Convolve with a filter of the third order: the third term of a Volterra series.

    Parameters
    ----------
    in1 : array_like, shape (n,)
    in2 : array_like, shape (w, h, d)
        What the products of three elements are multiplied by.
    mode, method : optional
        As of `convolve1d2o`.

    Returns
    -------
    cupric.ndarray

    Raises
    ------
    ValueError
        The inputs have other numbers of axes, or `in1` is shorter than `in2`.
    NotImplementedError
        `method` is 'fft', which CuPy has not either.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.signal import convolve1d3o
    >>> convolve1d3o(cp.array([1.0, 2, 3]), cp.ones((1, 1, 1)))
    array([ 1.,  8., 27.])
    """
    return _volterra(in1, in2, mode, method, 3)


# ---- frequencies ---------------------------------------------------------------------


@where_it_lives
def freq_shift(x, freq, fs):
    """Shift the frequencies of a signal down.

    Parameters
    ----------
    x : array_like
    freq : float
        By how much, in Hz.
    fs : float
        The sampling rate.

    Returns
    -------
    cupric.ndarray
        complex128: ``x * exp(-2j * pi * freq / fs * n)`` for element `n`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.signal import freq_shift
    >>> freq_shift(cp.array([1.0, 1, 1, 1]), 1, 4).round(6)
    array([ 1.+0.j,  0.-1.j, -1.-0.j, -0.+1.j])
    """
    x = arguments.array(x, "x")
    turns = math.fmod(float(freq), float(fs)) / float(fs)
    if x.dtype.char not in "fdFD":
        x = x.astype(np.float64)
    return _shifted(_core.ascontiguousarray(x), turns)
