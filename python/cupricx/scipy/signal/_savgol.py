"""Savitzky-Golay filters: smoothing by polynomials."""

import functools
import math
import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.ndimage import convolve1d

__all__ = ["savgol_coeffs", "savgol_filter"]

_library = Library(__file__)
_MODES = ("mirror", "constant", "nearest", "wrap", "interp")


def _example(xp):
    x = xp.cos(xp.arange(900.0) ** 2).reshape(30, 30)
    return [
        savgol_filter(x.astype(t), 7, 2, axis=axis) for t in "fd" for axis in (0, 1)
    ]


_fitted_ends = _library.kernel(
    "fitted_ends<T>", elements="pieces", ships="f d", example=_example
)


def _fitted(window, degree, deriv, delta, positions):
    """What a polynomial that fits a window is at positions, or its derivative.

    Parameters
    ----------
    window, degree, deriv : int
    delta : float
        The distance of the samples.
    positions : sequence of float
        In samples from the first of the window.

    Returns
    -------
    numpy.ndarray, shape (len(positions), window)
        The results are sums of the window's elements times these.
    """
    positions = np.asarray(positions, float)
    if deriv > degree:
        return np.zeros((positions.size, window), float)
    # In Legendre polynomials over the window, which are nearly orthogonal there.
    middle = (window - 1) / 2
    unit = max(middle, 1.0)
    basis = np.polynomial.legendre.legvander(
        (np.arange(window) - middle) / unit, degree
    )
    at = (positions - middle) / unit
    derived = [
        np.polynomial.legendre.legval(
            at, np.polynomial.legendre.legder(row, deriv, scl=1 / (unit * delta))
        )
        for row in np.eye(degree + 1)
    ]
    return np.stack(derived, axis=-1) @ np.linalg.pinv(basis)


def _check_order(polyorder, window_length):
    if polyorder >= window_length:
        raise ValueError(
            f"polyorder must be less than window_length, and is {polyorder} for "
            f"{window_length}"
        )
    if polyorder < 0:
        raise ValueError(f"polyorder must be at least 0, not {polyorder}")


@functools.lru_cache(maxsize=64)
def _smoothing(window_length, polyorder, deriv, delta, pos=None, use="conv"):
    """`savgol_coeffs`, as a NumPy array that is not to be written."""
    window_length = int(window_length)
    _check_order(polyorder, window_length)
    if pos is None:
        pos = window_length // 2 if window_length % 2 else window_length // 2 - 0.5
    if not 0 <= pos < window_length:
        raise ValueError(
            f"pos must be nonnegative and less than window_length, and is {pos} for "
            f"{window_length}"
        )
    if use not in ("conv", "dot"):
        raise ValueError(f"`use` must be 'conv' or 'dot', not {use!r}")
    c = _fitted(window_length, polyorder, deriv, delta, [pos])[0]
    return c[::-1].copy() if use == "conv" else c


def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use="conv"):
    """Coefficients of a Savitzky-Golay filter.

    Parameters
    ----------
    window_length : int
    polyorder : int
        The degree of the polynomials, less than `window_length`.
    deriv : int, optional
        Which derivative of the polynomials is wanted.
    delta : float, optional
        The distance of the samples, for derivatives.
    pos : float, optional
        Where in the window the polynomials are evaluated; in its middle by default.
    use : {'conv', 'dot'}, optional
        In the order for a convolution, or for a product with the samples as they are.

    Returns
    -------
    cupric.ndarray, shape (window_length,)

    Raises
    ------
    ValueError
        An argument is out of bounds.

    References
    ----------
    A. Savitzky, M. J. E. Golay, "Smoothing and differentiation of data by simplified
    least squares procedures", Analytical Chemistry 36 (8), 1964.

    Examples
    --------
    >>> from cupricx.scipy.signal import savgol_coeffs
    >>> (35 * savgol_coeffs(5, 2)).round(6)
    array([-3., 12., 17., 12., -3.])
    """
    return _core.array(_smoothing(window_length, polyorder, deriv, delta, pos, use))


@functools.lru_cache(maxsize=64)
def _ends(window_length, polyorder, deriv, delta):
    half = window_length // 2
    positions = [*range(half), *range(window_length - half, window_length)]
    return _fitted(window_length, polyorder, deriv, delta, positions)


@replayed
def savgol_filter(
    x,
    window_length,
    polyorder,
    deriv=0,
    delta=1.0,
    axis=-1,
    mode="interp",
    cval=0.0,
):
    """Smooth by polynomials that fit the samples in a window.

    Parameters
    ----------
    x : array_like
    window_length : int
    polyorder : int
        The degree of the polynomials, less than `window_length`.
    deriv : int, optional
        Which derivative is computed; 0 smooths alone.
    delta : float, optional
        The distance of the samples, for derivatives.
    axis : int, optional
    mode : {'interp', 'mirror', 'nearest', 'constant', 'wrap'}, optional
        With 'interp', the ends are those of the polynomials that fit the first and the
        last window; else what `x` is beyond its ends, as for `ndimage.convolve1d`.
    cval : float, optional
        With 'constant'.

    Returns
    -------
    cupric.ndarray
        float32 where `x` is, else float64.

    Raises
    ------
    ValueError
        `polyorder` is not less than `window_length`, `mode` is another word, or the
        window of 'interp' is longer than `x`.

    References
    ----------
    A. Savitzky, M. J. E. Golay, "Smoothing and differentiation of data by simplified
    least squares procedures", Analytical Chemistry 36 (8), 1964.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import savgol_filter
    >>> savgol_filter(cp.array([2.0, 2, 5, 2, 1, 0, 1, 4, 9]), 5, 2).round(2)
    array([1.66, 3.17, 3.54, 2.86, 0.66, 0.17, 1.  , 4.  , 9.  ])
    """
    if mode not in _MODES:
        raise ValueError(
            "mode must be 'mirror', 'constant', 'nearest' 'wrap' or 'interp', not "
            f"{mode!r}"
        )
    x = arguments.array(x, "x")
    if x.dtype.char not in "fd":
        x = x.astype(np.float64)
    axis = arguments.axis(axis, x.ndim)
    window, n = operator.index(window_length), x.shape[axis]
    c = _smoothing(window, polyorder, deriv, float(delta))
    if mode != "interp":
        return convolve1d(x, c, axis=axis, mode=mode, cval=cval)
    if window > n:
        raise ValueError(
            "If mode is 'interp', window_length must be less than or equal to the size "
            f"of x: {window} for shape {x.shape}, axis {axis}"
        )
    x = contiguous(x)
    y = convolve1d(x, c, axis=axis, mode="constant")
    half = window // 2
    inner = math.prod(x.shape[axis + 1 :])
    pieces = math.prod(x.shape[:axis]) * inner * 2 * half
    if pieces:
        _fitted_ends[x.dtype](
            x=x,
            y=y,
            fit=arguments.small(_ends(window, polyorder, deriv, float(delta)), x),
            n=n,
            inner=inner,
            window=window,
            half=half,
            pieces=pieces,
        )
    return y
