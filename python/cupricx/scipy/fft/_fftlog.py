"""The fast Hankel transform, of a function of the logarithm (FFTLog)."""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library
from cupric.fft import irfft, rfft
from cupricx.scipy.fft import _shapes

__all__ = [
    "fht",
    "ifht",
]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import fft

    made = []
    for dtype in "fd":
        x = xp.asarray(np.sin(np.arange(2 * 9)).reshape(2, 9).astype(dtype))
        made += [fft.fht(x, 0.1, 0.5), fft.ifht(x[:, :8], 0.1, -0.3, 0.2, 0.1)]
    return made


_hankel = _library.kernel(
    "hankel<T>", elements="p.count", ships="f d", example=_example
)
_weigh = _library.kernel("weigh<T>", elements="total", ships="f d", example=_example)


def _log_gamma(x):
    """The logarithm of abs(gamma(x)), and the sign; infinity at the poles."""
    if x <= 0 and x == math.floor(x):
        return math.inf, 1.0
    return math.lgamma(x), -1.0 if x < 0 and math.floor(x) % 2 else 1.0


def _constant(plus, minus, bias):
    """2^bias gamma(plus) / gamma(minus): what the constant term is multiplied by."""
    (above, sign), (below, other_sign) = _log_gamma(plus), _log_gamma(minus)
    sign *= other_sign
    if math.isinf(above) and math.isinf(below):
        # gamma(x) is about (-1)^m / (m! (x + m)) near -m, and both move alike.
        above, below = math.lgamma(1 - minus), math.lgamma(1 - plus)
        sign = -1.0 if (plus - minus) % 2 else 1.0
    try:
        return sign * math.exp(above - below + bias * math.log(2))
    except OverflowError:
        return math.inf


def _first(plus, minus, bias, mu, inverse):
    """The first factor of the transform; 0, and a warning, where it is infinite."""
    value = _constant(plus, minus, bias)
    if inverse and value == 0:
        warnings.warn(
            f"singular inverse transform: of mu={mu} and bias={bias} the constant term "
            "is lost; another bias keeps it",
            UserWarning,
            stacklevel=4,
        )
        return 0.0
    if not inverse and math.isinf(value):
        warnings.warn(
            f"singular transform: of mu={mu} and bias={bias} the constant term is "
            "infinite, and left out; another bias keeps it",
            UserWarning,
            stacklevel=4,
        )
        return 0.0
    return 1 / value if inverse else value


def _weighed(x, dln, bias, shift, backwards):
    y = _core.empty(x.shape, x.dtype)
    _weigh[x.dtype](
        x=x,
        y=y,
        total=x.size,
        n=x.shape[-1],
        dln=dln,
        bias=bias,
        shift=shift,
        backwards=backwards,
    )
    return y


def _transform(a, dln, mu, offset, bias, inverse):
    a = _shapes.floating(a)
    if a.dtype.kind == "c":
        raise TypeError(f"a Hankel transform needs real input, not {a.dtype}")
    if a.ndim == 0:
        raise ValueError("a Hankel transform needs at least 1 dimension")
    n = _shapes.length(a.shape[-1])
    dln, mu, offset, bias = float(dln), float(mu), float(offset), float(bias)
    plus, minus, half = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2, n // 2
    last = math.pi * half / (n * dln)
    first = _first(plus, minus, bias, mu, inverse)
    power = bias if inverse else -bias
    with a.device:
        a = contiguous(a)  # kernels read the terms in C order
        if bias != 0:
            a = a.astype(np.float64, copy=False)
            a = _weighed(a, dln, power, offset if inverse else 0.0, False)
        spectrum = rfft(a)
        u = _core.empty(half + 1, spectrum.dtype)
        p = _library.struct.hankel_terms(
            count=half + 1,
            last=last,
            plus=plus,
            minus=minus,
            bias=bias,
            offset=offset,
            first=first,
            real_end=n % 2 == 0,
            inverse=inverse,
        )
        _hankel[a.dtype](u=u, p=p)
        spectrum *= u
        result = irfft(spectrum, n)
        return _weighed(result, dln, power, 0.0 if inverse else offset, True)


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
    its inverse.

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
