"""Responses of filters at frequencies: one launch, whatever their form."""

import math
import operator
import warnings

import numpy as np

from cupric import _core
from cupric._lib.core import complex_fft, fft_of_real
from cupric._lib.kernels import Library
from cupricx.scipy.signal._design._checks import sampling_frequency
from cupricx.scipy.signal._design._on_host import on_host, to_host

__all__ = [
    "findfreqs",
    "freqs",
    "freqs_zpk",
    "freqz",
    "freqz_sos",
    "freqz_zpk",
    "group_delay",
    "sosfreqz",
]

_library = Library(__file__)


def _example(xp):
    b, a = (xp.asarray(np.array(c)) for c in ([1.0, 2, 3], [1.0, 0.5]))
    made = [freqz(b, a, 16), freqz(b, a, xp.asarray(np.array([0.5, 1])))]
    made += [freqz(b.astype("f"), a.astype("f"), 16), freqs(b, a, 16)]
    made.append(freqz_sos(xp.asarray(np.array([[1.0, 2, 1, 1, 0.5, 0.25]])), 16))
    made += [freqz_zpk(a, b / 4, 2.0, 16), freqs_zpk(a, b, 2.0, 16)]
    made.append(group_delay((b, a), 16))
    return [part for response in made for part in response]


_of_polynomials = _library.kernel(
    "polynomial_response<T, R>", elements="p.n", ships="ff dd Dd", example=_example
)
_of_sections = _library.kernel(
    "sections_response<T, R>", elements="p.n", ships="ff dd", example=_example
)
_of_roots = _library.kernel(
    "roots_response<R>", elements="p.n", ships="d", example=_example
)
_group_delays = _library.kernel(
    "group_delays<T>", elements="p.n", ships="d", example=_example
)

_SINGULAR = (
    (
        "NEARLY_SINGULAR",
        "The filter's denominator is extremely small at frequencies {}, around which a "
        "singularity may be present",
    ),
    ("SINGULAR", "The group delay is singular at frequencies {}, setting to 0"),
)
# Up to so many taps a filter without recursion is summed up, not transformed.
SUMMED = 64
# So many numbers are copied to the host, rather than what is the greatest of them.
FEW = 1024


# ---- frequencies ---------------------------------------------------------------------


class _Points:
    """Frequencies at which a response is taken.

    Parameters
    ----------
    wanted : int, None or array_like
        A number of them, or themselves.
    default : int
        The number, where `wanted` is None.
    end, fs : float
        The frequency at which equally spaced ones end, and that of an angle of 2 pi.
    include_end : bool
    like : cupric.ndarray or None
        On whose device they are.
    """

    def __init__(self, wanted, default, end, fs, include_end=False, like=None):
        self.scale = 2 * math.pi / fs
        self.count = default if wanted is None else _as_count(wanted)
        self.end, self.array, self.step = end, None, 0.0
        if self.count is None:
            self._take(wanted, like)
            return
        if self.count < 0:
            raise ValueError(f"worN must be nonnegative, got {self.count}")
        self.shape = (self.count,)
        gaps = self.count - 1 if include_end and self.count > 1 else self.count
        self.step = end / gaps if gaps else 0.0

    def _take(self, wanted, like):
        w = wanted if isinstance(wanted, _core.ndarray) else np.asarray(wanted)
        if w.dtype.kind not in "buif":
            if w.dtype.kind in "US":
                raise ValueError(f"frequencies must be numbers, not {wanted!r}")
            raise TypeError(f"frequencies must be real, not of {w.dtype}")
        if not isinstance(w, _core.ndarray):
            w = _core.array(w, device=None if like is None else like.device)
        self.array = w.reshape(1) if w.ndim == 0 else w
        self.shape = self.array.shape

    def launch(self, real, device):
        """The arguments of a kernel: `w`, `points`, and fields of its structure; and
        the frequencies as they are returned."""
        n = math.prod(self.shape)
        fields = {"n": n, "step": self.step, "scale": self.scale}
        if self.array is None:
            points = _core.empty(n, real, device=device)
            return {"w": None, "points": points}, fields, points
        w = _contiguous(self.array.astype(real, copy=False))
        return {"w": w, "points": None}, fields, w


def _as_count(wanted):
    """The int, of what is one; None of what is not."""
    if isinstance(wanted, _core.ndarray):
        if wanted.ndim or wanted.dtype.kind not in "ui":
            return None
        return int(wanted)
    try:
        return operator.index(wanted)
    except TypeError:
        return None


def _real_of(*dtypes):
    """float32 where nothing needs more, else float64."""
    found = np.result_type(*(np.float64 if d.kind in "bui" else d for d in dtypes))
    return np.dtype(np.float32 if found.char in "efF" else np.float64)


def _wide_or_narrow(kind, real):
    """The dtype of coefficients, real or complex, that go with a real dtype."""
    return np.result_type(real, np.complex64) if kind == "c" else real


def _given(*values):
    """The first array of a device among some values."""
    return next((v for v in values if isinstance(v, _core.ndarray)), None)


def _coefficients(c, like):
    """An array of the device, of at least one axis."""
    c = c if isinstance(c, _core.ndarray) else np.asarray(c)
    if c.dtype.kind not in "buifc":
        raise TypeError(f"coefficients must be numbers, not of {c.dtype}")
    if not isinstance(c, _core.ndarray):
        c = _core.array(c, device=None if like is None else like.device)
    return c.reshape(1) if c.ndim == 0 else c


def _plotted(plot, w, h):
    if plot is not None:
        plot(w, h)
    return w, h


# ---- transfer functions --------------------------------------------------------------


def freqz(
    b,
    a=1,
    worN=512,
    whole=False,
    plot=None,
    fs=2 * math.pi,
    include_nyquist=False,
):
    """Frequency response of a digital filter.

    Parameters
    ----------
    b, a : array_like, shape (n,) or (n, ...)
        Numerator and denominator, of :math:`z^0` first. Further axes are those of
        filters, and broadcast with those of the frequencies.
    worN : int, None or array_like, optional
        How many frequencies, equally spaced from 0; 512 for None. Or frequencies, in
        the units of `fs`.
    whole : bool, optional
        Equally spaced frequencies go up to `fs`, else up to ``fs / 2``.
    plot : callable, optional
        Called with `w` and `h`.
    fs : float, optional
        Sampling frequency.
    include_nyquist : bool, optional
        The last of the frequencies is ``fs / 2``, where `whole` is False.

    Returns
    -------
    w : cupric.ndarray
        Frequencies, in the units of `fs`.
    h : cupric.ndarray
        The response, complex128, or complex64 where coefficients have no more.

    Raises
    ------
    ValueError
        `worN` is negative, `fs` is None, or shapes that do not broadcast.

    Examples
    --------
    >>> from cupricx.scipy.signal import freqz
    >>> w, h = freqz([0.5, 0.5], worN=4, fs=8.0)
    >>> w
    array([0., 1., 2., 3.])
    >>> abs(h).round(4)
    array([1.    , 0.9239, 0.7071, 0.3827])
    """
    fs = sampling_frequency(fs, optional=False)
    like = _given(b, a, worN)
    end = fs if whole else fs / 2
    points = _Points(worN, 512, end, fs, include_nyquist and not whole, like)
    b, a = _coefficients(b, like), _coefficients(a, like)
    real = _real_of(b.dtype, a.dtype)
    is_transform = a.size == 1 and b.ndim == 1 and points.array is None
    if is_transform and SUMMED < b.size <= points.count:
        w, h = _transformed(b, a, points, real, whole, include_nyquist and not whole)
    else:
        w, h = _evaluated(b, a, points, real)
    return _plotted(plot, w, h)


def _transformed(b, a, points, real, whole, include_end):
    """Of a filter without recursion at equally spaced frequencies: its transform."""
    n = points.count
    length = n if whole else 2 * (n - 1) if include_end else 2 * n
    dtype = _wide_or_narrow(b.dtype.kind, real)
    if b.size > length:
        return _evaluated(b, a, points, real)
    dtype = _wide_or_narrow(a.dtype.kind, dtype)
    b = b.astype(dtype, copy=False) / a.astype(dtype, copy=False)
    if dtype.kind == "c" or whole:
        b = b.astype(np.result_type(real, np.complex64), copy=False)
        h = complex_fft(b, (length,), (0,), None, False)[:n]
    else:
        h = fft_of_real(b, (length,), (0,), None)[:n]
    w = _core.arange(n, dtype=np.float64, device=b.device) * points.step
    return w.astype(real, copy=False), h


def _evaluated(b, a, points, real, analog=False):
    """The polynomials at each frequency; of several filters, at all that broadcast."""
    dtype = _wide_or_narrow("c" if "c" in (b.dtype.kind, a.dtype.kind) else "f", real)
    try:
        shape = np.broadcast_shapes(b.shape[1:], a.shape[1:], points.shape)
    except ValueError:
        raise ValueError(
            f"Array shapes are incompatible for broadcasting: b is of {b.shape} and a "
            f"of {a.shape}, with coefficients along the first axis, and frequencies "
            f"are of {points.shape}"
        ) from None
    n = math.prod(shape)
    launch, fields, w = points.launch(real, b.device)
    stride, apart = 1, 0
    if b.ndim == a.ndim == 1:
        b, a = (_contiguous(c.astype(dtype, copy=False)) for c in (b, a))
    else:
        b, a = (_spread(c, shape, dtype) for c in (b, a))
        stride, apart = n, 1
        if points.array is None:
            w = w_of = (
                _core.arange(points.count, dtype=np.float64, device=b.device)
                * points.step
            )
            w = w.astype(real, copy=False)
        else:
            w_of = w
        launch = {
            "w": _contiguous(_core.broadcast_to(w_of.astype(real, copy=False), shape)),
            "points": None,
        }
        fields["n"] = n
    h = _core.empty(shape, np.result_type(real, np.complex64), device=b.device)
    p = _library.struct.response_points(
        **fields,
        stride=stride,
        apart=apart,
        above=b.shape[0],
        below=a.shape[0],
        analog=analog,
    )
    _of_polynomials[dtype, real](b=b, a=a, h=h, p=p, **launch)
    return w, h


def _spread(c, shape, dtype):
    """Coefficients for each of the elements of a shape, the first axis theirs."""
    missing = len(shape) - (c.ndim - 1)
    c = c.astype(dtype, copy=False)
    c = c.reshape(c.shape[:1] + (1,) * missing + c.shape[1:])
    return _contiguous(_core.broadcast_to(c, c.shape[:1] + shape))


def freqs(b, a, worN=200, plot=None):
    """Frequency response of an analog filter.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator, of the highest power first.
    worN : int, None or array_like, optional
        How many frequencies, around those of the zeros and poles; 200 for None. Or
        frequencies, in rad/s.
    plot : callable, optional
        Called with `w` and `h`.

    Returns
    -------
    w : cupric.ndarray
        Frequencies, in rad/s.
    h : cupric.ndarray of complex128
        The response.

    Examples
    --------
    >>> from cupricx.scipy.signal import freqs
    >>> w, h = freqs([1.0], [1.0, 1.0], worN=[0.0, 1.0])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    like = _given(b, a, worN)
    count = 200 if worN is None else _as_count(worN)
    if count is not None:
        worN = findfreqs.on_host(to_host(b), to_host(a), count)
    points = _Points(worN, 200, 0.0, 2 * math.pi, like=like)
    b, a = (_flat(_coefficients(c, like)) for c in (b, a))
    w, h = _evaluated(b, a, points, np.dtype(np.float64), analog=True)
    return _plotted(plot, points.array if worN is not None else w, h)


def _contiguous(x):
    """The array in C order, on its device; copies are on the current one."""
    if x.flags.c_contiguous:
        return x
    made = _core.empty(x.shape, x.dtype, device=x.device)
    made[...] = x
    return made


def _flat(c):
    if c.size != c.shape[-1]:
        raise ValueError(f"coefficients must have one axis, but are of shape {c.shape}")
    return c.reshape(-1)


# ---- sections ------------------------------------------------------------------------


def freqz_sos(sos, worN=512, whole=False, fs=2 * math.pi):
    """Frequency response of a digital filter in second-order sections.

    Parameters
    ----------
    sos : array_like, shape (n_sections, 6)
    worN : int, None or array_like, optional
        How many frequencies, equally spaced from 0; 512 for None. Or frequencies, in
        the units of `fs`.
    whole : bool, optional
        Equally spaced frequencies go up to `fs`, else up to ``fs / 2``.
    fs : float, optional
        Sampling frequency.

    Returns
    -------
    w : cupric.ndarray
        Frequencies, in the units of `fs`.
    h : cupric.ndarray
        The response, complex128, or complex64 where coefficients have no more.

    Raises
    ------
    ValueError
        `sos` is of another shape, has no section, or one of which the fourth
        coefficient is not 1.

    Examples
    --------
    >>> from cupricx.scipy.signal import freqz_sos
    >>> w, h = freqz_sos([[0.5, 0.5, 0, 1, 0, 0]], worN=4, fs=8.0)
    >>> abs(h).round(4)
    array([1.    , 0.9239, 0.7071, 0.3827])
    """
    fs = sampling_frequency(fs, optional=False)
    like = _given(sos, worN)
    points = _Points(worN, 512, fs if whole else fs / 2, fs, like=like)
    on_the_host = np.atleast_2d(to_host(sos))
    if on_the_host.ndim != 2 or on_the_host.shape[1] != 6:
        raise ValueError(
            f"sos must be of shape (n_sections, 6), not {on_the_host.shape}"
        )
    if not len(on_the_host):
        raise ValueError("Cannot compute frequencies with no sections")
    if not np.all(on_the_host[:, 3] == 1):
        raise ValueError("sos[:, 3] should be all ones")
    sos = _coefficients(sos, like)
    real = _real_of(sos.dtype)
    dtype = _wide_or_narrow(sos.dtype.kind, real)
    sos = _contiguous(sos.astype(dtype, copy=False))
    launch, fields, w = points.launch(real, sos.device)
    complex_dtype = np.result_type(real, np.complex64)
    h = _core.empty(points.shape, complex_dtype, device=sos.device)
    p = _library.struct.response_points(
        **fields, stride=1, apart=0, above=len(on_the_host), below=0, analog=False
    )
    _of_sections[dtype, real](sos=sos, h=h, p=p, **launch)
    return w, h


def sosfreqz(sos, worN=512, whole=False, fs=2 * math.pi):
    """Frequency response of a digital filter in second-order sections.

    The former name of `freqz_sos`.

    Parameters
    ----------
    sos : array_like, shape (n_sections, 6)
    worN : int, None or array_like, optional
    whole : bool, optional
    fs : float, optional

    Returns
    -------
    w : cupric.ndarray
        Frequencies, in the units of `fs`.
    h : cupric.ndarray
        The response.

    Examples
    --------
    >>> from cupricx.scipy.signal import sosfreqz
    >>> w, h = sosfreqz([[0.5, 0.5, 0, 1, 0, 0]], worN=4, fs=8.0)
    >>> abs(h).round(4)
    array([1.    , 0.9239, 0.7071, 0.3827])
    """
    return freqz_sos(sos, worN, whole, fs)


# ---- zeros and poles -----------------------------------------------------------------


def _of_zeros_and_poles(z, p, k, points, like, analog):
    z, p = (_flat(_coefficients(r, like)) for r in (z, p))
    k = complex(np.asarray(to_host(k)).reshape(()))
    real = _real_of(z.dtype, p.dtype)
    dtype = np.dtype(np.complex128)
    z, p = (_contiguous(r.astype(dtype, copy=False)) for r in (z, p))
    launch, fields, w = points.launch(real, z.device)
    complex_dtype = np.result_type(real, np.complex64)
    h = _core.empty(points.shape, complex_dtype, device=z.device)
    sizes = _library.struct.response_points(
        **fields, stride=1, apart=0, above=z.size, below=p.size, analog=analog
    )
    _of_roots[real](zeros=z, poles=p, h=h, gain=k, p=sizes, **launch)
    return w, h


def freqz_zpk(z, p, k, worN=512, whole=False, fs=2 * math.pi):
    """Frequency response of a digital filter of zeros, poles and gain.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles.
    k : float
        Gain.
    worN : int, None or array_like, optional
        How many frequencies, equally spaced from 0; 512 for None. Or frequencies, in
        the units of `fs`.
    whole : bool, optional
        Equally spaced frequencies go up to `fs`, else up to ``fs / 2``.
    fs : float, optional
        Sampling frequency.

    Returns
    -------
    w : cupric.ndarray
        Frequencies, in the units of `fs`.
    h : cupric.ndarray
        The response, complex128, or complex64 where coefficients have no more.

    Examples
    --------
    >>> from cupricx.scipy.signal import freqz_zpk
    >>> w, h = freqz_zpk([-1.0], [0.0], 0.5, worN=4, fs=8.0)
    >>> abs(h).round(4)
    array([1.    , 0.9239, 0.7071, 0.3827])
    """
    fs = sampling_frequency(fs, optional=False)
    like = _given(z, p, worN)
    points = _Points(worN, 512, fs if whole else fs / 2, fs, like=like)
    return _of_zeros_and_poles(z, p, k, points, like, False)


def freqs_zpk(z, p, k, worN=200):
    """Frequency response of an analog filter of zeros, poles and gain.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles.
    k : float
        Gain.
    worN : int, None or array_like, optional
        How many frequencies, around those of the zeros and poles; 200 for None. Or
        frequencies, in rad/s.

    Returns
    -------
    w : cupric.ndarray
        Frequencies, in rad/s.
    h : cupric.ndarray of complex128
        The response.

    Examples
    --------
    >>> from cupricx.scipy.signal import freqs_zpk
    >>> w, h = freqs_zpk([], [-1.0], 1.0, worN=[0.0, 1.0])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    like = _given(z, p, worN)
    count = 200 if worN is None else _as_count(worN)
    if count is not None:
        worN = findfreqs.on_host(to_host(z), to_host(p), count, kind="zp")
    points = _Points(worN, 200, 0.0, 2 * math.pi, like=like)
    w, h = _of_zeros_and_poles(z, p, k, points, like, True)
    return points.array, h


@on_host
def findfreqs(num, den, N, kind="ba"):
    """Frequencies for the response of an analog filter, logarithmically spaced.

    Parameters
    ----------
    num, den : array_like, shape (n,)
        Numerator and denominator, of the highest power first; or zeros and poles.
    N : int
        How many frequencies.
    kind : {'ba', 'zp'}, optional
        Which of these.

    Returns
    -------
    w : cupric.ndarray of float64, shape (N,)
        In rad/s, from below the slowest of the poles and zeros to above the fastest.

    Raises
    ------
    ValueError
        `kind` is none of those; `N` is negative.

    Examples
    --------
    >>> from cupricx.scipy.signal import findfreqs
    >>> findfreqs([1.0], [1.0, 8.0, 25.0], 3)
    array([  1.,  10., 100.])
    """
    if kind not in ("ba", "zp"):
        raise ValueError(f"kind must be 'ba' or 'zp', not {kind!r}")
    N = operator.index(N)
    if N < 0:
        raise ValueError(f"N must be nonnegative, got {N}")
    zeros, poles = (np.atleast_1d(c) for c in (num, den))
    if kind == "ba":
        zeros, poles = np.roots(_flat(zeros)), np.roots(_flat(poles))
    if not poles.size:
        poles = np.array([-1000.0])
    zeros = zeros[np.abs(zeros) < 1e5]  # those farther away are rounding errors
    upper = np.concatenate([poles[poles.imag >= 0], zeros[zeros.imag >= 0]])
    # What is at 0 has the scale of 1.
    damping = np.abs(upper.real + (np.abs(upper) < 1e-10))
    ringing = upper.imag
    top = np.round(np.log10(np.max(3 * damping + 1.5 * ringing)) + 0.5)
    bottom = np.round(np.log10(0.1 * np.min(damping + 2 * ringing)) - 0.5)
    return np.logspace(bottom, top, N)


# ---- group delay ---------------------------------------------------------------------


def group_delay(system, w=512, whole=False, fs=2 * math.pi):
    """Group delay of a digital filter, in samples.

    Parameters
    ----------
    system : tuple of array_like
        Numerator and denominator, of :math:`z^0` first.
    w : int, None or array_like, optional
        How many frequencies, equally spaced from 0; 512 for None. Or frequencies, in
        the units of `fs`.
    whole : bool, optional
        Equally spaced frequencies go up to `fs`, else up to ``fs / 2``.
    fs : float, optional
        Sampling frequency.

    Returns
    -------
    w : cupric.ndarray of float64
        Frequencies, in the units of `fs`.
    gd : cupric.ndarray of float64
        Minus the derivative of the phase. Zero where a zero or a pole is on the unit
        circle.

    Warns
    -----
    UserWarning
        Where the response is singular.

    References
    ----------
    J. O. Smith III, "Introduction to Digital Filters with Audio Applications",
    "Numerical computation of group delay".

    Examples
    --------
    >>> from cupricx.scipy.signal import group_delay
    >>> w, gd = group_delay(([1.0, 2.0, 1.0], [1.0]), w=3)
    >>> gd.round(12)
    array([1., 1., 1.])
    """
    fs = sampling_frequency(fs, optional=False)
    b, a = system
    like = _given(b, a, w)
    points = _Points(w, 512, fs if whole else fs / 2, fs, like=like)
    b, a = (np.atleast_1d(to_host(c)) for c in (b, a))
    if b.ndim != 1 or a.ndim != 1:
        raise ValueError(
            "coefficients must have one axis, but are of shapes "
            f"{b.shape} and {a.shape}"
        )
    c = np.convolve(b, a[::-1].conj())
    c = c.astype(np.result_type(c.dtype, np.float64))
    c = _core.array(c, device=None if like is None else like.device)
    launch, fields, at = points.launch(np.dtype(np.float64), c.device)
    delay = _core.empty(points.shape, np.float64, device=c.device)
    state = _core.empty(points.shape, np.int32, device=c.device)
    p = _library.struct.response_points(
        **fields, stride=1, apart=0, above=c.size, below=a.size - 1, analog=False
    )
    _group_delays[c.dtype](c=c, delay=delay, state=state, p=p, **launch)
    if state.size <= FEW or int(state.max()) != _library.enum.REGULAR:
        _warn_of(state.get(), at)
    return at, delay


def _warn_of(state, w):
    """Say at which frequencies a group delay is singular, or nearly so."""
    for kind, text in _SINGULAR:
        where = state == getattr(_library.enum, kind)
        if where.any():
            listed = ", ".join(f"{v:.3f}" for v in w.get()[where])
            warnings.warn(text.format(f"[{listed}]"), stacklevel=3)
