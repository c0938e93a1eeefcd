"""The chirp z-transform: at points on a spiral, and of a band of frequencies."""

import cmath
import math
import numbers

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, where_it_lives
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.fft._lengths import next_fast_len

__all__ = ["CZT", "ZoomFFT", "czt", "czt_points", "zoom_fft"]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import signal

    x = xp.asarray(np.cos(np.arange(24.0) ** 2).reshape(2, 12))
    return [signal.czt(x), signal.czt(x, 7, 0.9 - 0.1j, 1.1), signal.zoom_fft(x, 0.5)]


_chirps = _library.kernel("chirps", elements="p.length", ships="_", example=_example)


def _sizes(n, m):
    if n < 1 or not isinstance(n, numbers.Integral):
        raise ValueError(
            f"Invalid number of CZT data points ({n}) specified. n must be positive "
            "and integer type."
        )
    if m is None:
        return n
    if m < 1 or not isinstance(m, numbers.Integral):
        raise ValueError(
            f"Invalid number of CZT output points ({m}) specified. m must be positive "
            "and integer type."
        )
    return m


def _number(value):
    """A number, of an array of a device with one element, too."""
    if isinstance(value, _core.ndarray | np.ndarray):
        return value.item()
    return value


def _logarithm(z):
    """The logarithm of a modulus, and the angle."""
    size = abs(z)
    return math.log(size) if size else -math.inf, cmath.phase(z)


@replayed
def _terms(n, m, length, log_w, angle_w, log_a, angle_a, is_fourier):
    """What elements, the spectrum, and results are multiplied by."""
    before, spectrum, after = (_core.empty(k, np.complex128) for k in (n, length, m))
    p = _library.struct.chirp_sizes(
        n=n,
        m=m,
        length=length,
        log_w=log_w,
        angle_w=angle_w,
        log_a=log_a,
        angle_a=angle_a,
        is_fourier=is_fourier,
    )
    _chirps[()](before=before, filter=spectrum, after=after, p=p)
    return before, spectrum, after


class CZT:
    """A chirp z-transform: ``X[k] = sum(x[j] * z[k]**-j)`` at ``z[k] = a * w**-k``.

    Parameters
    ----------
    n : int
        Elements of the signal.
    m : int, optional
        Points, as many as elements by default.
    w : complex, optional
        The ratio of points: by default they are a whole turn of a circle.
    a : complex, optional
        The first point.

    Notes
    -----
    What is the same for all signals is computed once on each device. Three transforms
    of a length of at least ``n + m - 1`` make the result, for any n and m.

    References
    ----------
    L. Rabiner, R. Schafer, C. Rader, The chirp z-transform algorithm and its
    application, Bell System Technical Journal 48, 1969.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import signal
    >>> transform = signal.CZT(4, 3)
    >>> abs(transform(cp.array([1.0, 0, 0, 0]))).round(6)
    array([1., 1., 1.])
    """

    def __init__(self, n, m=None, w=None, a=1 + 0j):
        m = _sizes(n, m)
        a = 1.0 * _number(a)
        is_fourier = w is None
        w = cmath.exp(-2j * math.pi / m) if is_fourier else _number(w)
        self._plan(n, m, w, a, _logarithm(w), _logarithm(a), is_fourier)

    def _plan(self, n, m, w, a, log_w, log_a, is_fourier=False):
        self.n, self.m, self.w, self.a = n, m, w, a
        self._length = next_fast_len(n + m - 1)
        self._powers = (int(n), int(m), self._length, *log_w, *log_a, is_fourier)
        self._made = {}

    def _terms(self, device):
        key = str(device)
        if key not in self._made:
            before, spectrum, after = _terms(*self._powers)
            spectrum = complex_fft(spectrum, [self._length], (0,), None, False, "C")
            self._made[key] = before, spectrum, after
        return self._made[key]

    def __call__(self, x, *, axis=-1):
        """The transform of a signal.

        Parameters
        ----------
        x : cupric.ndarray
            With n elements along `axis`.
        axis : int, optional

        Returns
        -------
        cupric.ndarray of complex128
            With m points along `axis`.

        Raises
        ------
        ValueError
            `x` has another length.
        """
        x = arguments.array(x, "x")
        axis = arguments.axis(axis, x.ndim)
        if x.shape[axis] != self.n:
            raise ValueError(f"CZT defined for length {self.n}, not {x.shape[axis]}")
        with x.device:
            before, spectrum, after = self._terms(x.device)
            y = x.swapaxes(axis, -1) * before
            y = self._transformed(y, False)
            y *= spectrum
            y = self._transformed(y, True)
            y = y[..., self.n - 1 : self.n + self.m - 1] * after
            return y.swapaxes(axis, -1)

    def _transformed(self, y, inverse):
        return complex_fft(y, [self._length], (y.ndim - 1,), None, inverse, "C")

    def points(self):
        """The points at which the transform is computed.

        Returns
        -------
        cupric.ndarray, shape (m,)

        Examples
        --------
        >>> from cupricx.scipy import signal
        >>> bool(cp.allclose(signal.CZT(2).points(), cp.array([1, -1])))
        True
        """
        return czt_points(self.m, self.w, self.a)


class ZoomFFT(CZT):
    """A Fourier transform of a band of frequencies.

    Parameters
    ----------
    n : int
        Elements of the signal.
    fn : float or sequence of two floats
        The first and the last frequency; of one number the first is 0.
    m : int, optional
        Points, as many as elements by default.
    fs : float, optional
        The sampling frequency.
    endpoint : bool, optional
        The last frequency is one of the points.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> transform = signal.ZoomFFT(4, [0, 1], 2)
    >>> abs(transform(cp.ones(4))).round(6)
    array([4., 0.])
    """

    def __init__(self, n, fn, m=None, *, fs=2, endpoint=False):
        m = _sizes(n, m)
        if isinstance(fn, _core.ndarray):
            fn = fn.get()
        if np.size(fn) == 2:
            f1, f2 = np.ravel(fn).tolist()
        elif np.size(fn) == 1:
            f1, f2 = 0.0, np.ravel(fn).tolist()[0]
        else:
            raise ValueError(
                f"fn must be a scalar or 2-length sequence, not {np.size(fn)} numbers"
            )
        self.f1, self.f2, self.fs = f1, f2, fs
        scale = (f2 - f1) * m / (fs * (m - 1)) if endpoint else (f2 - f1) / fs
        angle_w, angle_a = -2 * math.pi * scale / m, 2 * math.pi * f1 / fs
        w, a = cmath.exp(1j * angle_w), cmath.exp(1j * angle_a)
        self._plan(n, m, w, a, (0.0, angle_w), (0.0, angle_a))


def czt_points(m, w=None, a=1 + 0j):
    """The points at which a chirp z-transform is computed: ``a * w**-k``.

    Parameters
    ----------
    m : int
        The number of points.
    w : complex, optional
        Their ratio: by default they are a whole turn of a circle.
    a : complex, optional
        The first one.

    Returns
    -------
    cupric.ndarray, shape (m,)

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> bool(cp.allclose(signal.czt_points(4), cp.array([1, 1j, -1, -1j])))
    True
    """
    m = _sizes(1, m)
    k = _core.arange(m)
    a = 1.0 * _number(a)
    if w is None:
        return a * _core.exp(k * (2j * math.pi / m))
    return a * (1.0 * _number(w)) ** -k


@where_it_lives
def czt(x, m=None, w=None, a=1 + 0j, *, axis=-1):
    """Chirp z-transform: at points on a spiral in the complex plane.

    Parameters
    ----------
    x : cupric.ndarray
    m : int, optional
        Points, as many as elements by default.
    w : complex, optional
        The ratio of points: by default they are a whole turn of a circle.
    a : complex, optional
        The first point.
    axis : int, optional

    Returns
    -------
    cupric.ndarray of complex128

    See Also
    --------
    CZT : Keeps what is the same for all signals.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> x = cp.array([1.0, 2, 3, 4])
    >>> bool(cp.allclose(signal.czt(x), cp.fft.fft(x)))
    True
    """
    x = arguments.array(x, "x")
    return CZT(x.shape[arguments.axis(axis, x.ndim)], m=m, w=w, a=a)(x, axis=axis)


@where_it_lives
def zoom_fft(x, fn, m=None, *, fs=2, endpoint=False, axis=-1):
    """Fourier transform of a band of frequencies.

    Parameters
    ----------
    x : cupric.ndarray
    fn : float or sequence of two floats
        The first and the last frequency; of one number the first is 0.
    m : int, optional
        Points, as many as elements by default.
    fs : float, optional
        The sampling frequency.
    endpoint : bool, optional
        The last frequency is one of the points.
    axis : int, optional

    Returns
    -------
    cupric.ndarray of complex128

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> abs(signal.zoom_fft(cp.ones(4), [0, 1], 2)).round(6)
    array([4., 0.])
    """
    x = arguments.array(x, "x")
    n = x.shape[arguments.axis(axis, x.ndim)]
    return ZoomFFT(n, fn, m=m, fs=fs, endpoint=endpoint)(x, axis=axis)
