"""The fast Hankel transform, of a function of the logarithm (FFTLog)."""

import functools
import math
import warnings

import numpy as np

import cupric as cp
from cupricx.scipy.fft import _shapes

__all__ = [
    "fht",
    "ifht",
]

# B(2k) / (2k (2k - 1)), of Stirling's series
_STIRLING = (
    *(1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156),
    *(-3617 / 122400, 43867 / 244188, -174611 / 125400),
)
_SHORT = 1 << 16  # sequences whose kernels are kept, a megabyte of each at most
_FAR = 10.0  # where ten terms of the series are exact to the last digits


def _loggamma(z):
    """log(gamma(z)) of complex z, on the branch that is real for positive z.

    Stirling's series, after steps to the right of z (gamma(z) = gamma(z + 1) / z); left
    of 0 they cross the axis, where a pole gives infinity.
    """
    z = np.array(z, complex)
    steps = np.zeros_like(z)
    with np.errstate(divide="ignore", invalid="ignore"):
        near = (z.real < _FAR) & (np.abs(z.imag) < _FAR)
        near |= z.real < 0
        while near.any():
            steps[near] += np.log(z[near])
            z[near] += 1
            near = near & (z.real < _FAR) & ((np.abs(z.imag) < _FAR) | (z.real < 0))
    series, inverse = np.zeros_like(z), 1 / (z * z)
    for term in _STIRLING[::-1]:
        series = series * inverse + term
    value = (z - 0.5) * np.log(z) - z + math.log(2 * math.pi) / 2 + series / z
    return value - steps


def _gamma(x):
    """gamma(x), infinite at the poles."""
    try:
        return math.gamma(x)
    except ValueError:
        return math.inf
    except OverflowError:
        return math.inf


def _kernel(n, dln, mu, offset, bias):
    """What a spectrum is multiplied by (Hamilton 2000, equation 174), n // 2 + 1."""
    plus, minus = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    y = np.linspace(0, math.pi * (n // 2) / (n * dln), n // 2 + 1)
    above, below = _loggamma(plus + 1j * y), _loggamma(minus + 1j * y)
    # gamma(plus + iy) / gamma(minus - iy) 2^(bias + 2iy) exp(-2iy offset)
    with np.errstate(over="ignore", invalid="ignore"):
        size = above.real - below.real + bias * math.log(2)
        phase = above.imag + below.imag + 2 * (math.log(2) - offset) * y
        u = np.exp(size) * np.exp(1j * phase)
    if n % 2 == 0:
        u[-1] = u[-1].real  # of a real sequence
    if not np.isfinite(u[0]):
        u[0] = 2**bias * _ratio(plus, minus)
    return u


_kept_kernel = functools.lru_cache(8)(_kernel)  # most of the time of a short transform


def _ratio(a, b):
    """gamma(a) / gamma(b) where one of them, or both, is infinite."""
    infinite = [x <= 0 and x == math.floor(x) for x in (a, b)]
    if not any(infinite):
        return math.exp(math.lgamma(a) - math.lgamma(b))
    if not infinite[0]:
        return 0.0
    if not infinite[1]:
        return math.inf
    # gamma(x) is about (-1)^m / (m! (x + m)) near -m, and `a` and `b` move alike
    sign = -1.0 if (a - b) % 2 else 1.0
    return sign * _gamma(1 - b) / _gamma(1 - a)


def _transform(a, dln, mu, offset, bias, inverse):
    a = _shapes.floating(a)
    if a.dtype.kind == "c":
        raise TypeError(f"a Hankel transform needs real input, not {a.dtype}")
    if a.ndim == 0:
        raise ValueError("a Hankel transform needs at least 1 dimension")
    n = _shapes.length(a.shape[-1])
    dln, mu, offset, bias = float(dln), float(mu), float(offset), float(bias)
    kernel = _kept_kernel if n <= _SHORT else _kernel
    u = kernel(n, dln, mu, offset, bias).copy()
    if inverse and u[0] == 0:
        warnings.warn(
            f"singular inverse transform: of mu={mu} and bias={bias} the constant term "
            "is lost; another bias keeps it",
            UserWarning,
            stacklevel=3,
        )
        u[0] = np.inf
    elif not inverse and np.isinf(u[0]):
        warnings.warn(
            f"singular transform: of mu={mu} and bias={bias} the constant term is "
            "infinite, and left out; another bias keeps it",
            UserWarning,
            stacklevel=3,
        )
        u[0] = 0
    with a.device:
        result = a if bias == 0 else a.astype(np.float64, copy=False)
        steps = (np.arange(n) - (n - 1) / 2) * dln
        sign = 1 if inverse else -1
        if bias != 0:
            before = bias * (steps + offset) if inverse else -bias * steps
            result = result * cp.asarray(np.exp(before))
        if inverse:
            u = 1 / u.conj()
        spectrum = cp.fft.rfft(result)
        spectrum *= cp.asarray(u.astype(spectrum.dtype))
        result = cp.fft.irfft(spectrum, n)[..., ::-1]
        if bias != 0:
            after = sign * bias * (steps if inverse else steps + offset)
            result = result * cp.asarray(np.exp(after))
        else:
            result = result.copy()
    return result


def fht(a, dln, mu, offset=0.0, bias=0.0):
    """Fast Hankel transform of a sequence that is spaced uniformly in the logarithm.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n)
        Real; transformed along the last axis, as if periodic.
    dln : float
        The logarithm of the ratio of neighbouring points.
    mu : float
        The order of the Bessel function.
    offset : float, optional
        The logarithm of the product of the central points of input and output.
    bias : float, optional
        The exponent of a power law that is taken out before the transform.

    Returns
    -------
    cupric.ndarray, shape (..., n)
        New; float32 where `a` is float32 or float16 and `bias` 0, else float64.

    Warns
    -----
    UserWarning
        With this `mu` and `bias` the constant term is infinite, and is left out.

    Notes
    -----
    FFTLog: A. J. S. Hamilton, MNRAS 312, 2000, appendix B. A real FFT, a product and
    its inverse; the gamma functions are the host's.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> r = cp.logspace(-2, 2, 5)
    >>> a = fft.fht(r * cp.exp(-(r**2) / 2), 2.302585, 0)
    >>> a.shape
    (5,)
    """
    return _transform(a, dln, mu, offset, bias, False)


def ifht(A, dln, mu, offset=0.0, bias=0.0):
    """Inverse of the fast Hankel transform `fht`.

    Parameters
    ----------
    A : cupric.ndarray, shape (..., n)
        Real; transformed along the last axis.
    dln, mu, offset, bias
        As of `fht`.

    Returns
    -------
    cupric.ndarray, shape (..., n)
        New; float32 where `A` is float32 or float16 and `bias` 0, else float64.

    Warns
    -----
    UserWarning
        With this `mu` and `bias` the constant term is lost.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> a = cp.array([1.0, 2, 3, 4, 5])
    >>> cp.round(fft.ifht(fft.fht(a, 0.1, 1.5), 0.1, 1.5), 6)
    array([1., 2., 3., 4., 5.])
    """
    return _transform(A, dln, mu, offset, bias, True)
