"""Windows: one launch each of a kernel that has all formulas."""

import contextlib
import functools
import math
import operator
import warnings

import numpy as np

from cupric import _core
from cupric._lib.core import complex_fft
from cupric._lib.kernels import Library, replayed

__all__ = [
    "barthann",
    "bartlett",
    "blackman",
    "blackmanharris",
    "bohman",
    "boxcar",
    "chebwin",
    "cosine",
    "exponential",
    "flattop",
    "gaussian",
    "general_cosine",
    "general_gaussian",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "kaiser_bessel_derived",
    "lanczos",
    "length",
    "library",
    "nuttall",
    "on",
    "ones",
    "parzen",
    "sequences",
    "taylor",
    "triang",
    "tukey",
]

# Products and sums are rounded one by one, as on the host.
library = Library(__file__, options=("-fmad=false",))


_EXAMPLES = [
    *("boxcar", "hann", "triang", "bartlett", "parzen", "bohman", "barthann"),
    *("tukey", "cosine", "exponential", "lanczos", "taylor"),
]


def _example(xp):
    from cupricx.scipy.signal import windows

    made = [getattr(windows, name)(m) for name in _EXAMPLES for m in (7, 8)]
    made += [windows.kaiser(9, 4.5), windows.gaussian(9, 2.5)]
    return [*made, windows.general_gaussian(9, 1.5, 2.0)]


def _chebyshev_example(xp):
    from cupricx.scipy.signal import windows

    return [windows.chebwin(m, 100) for m in (7, 8)]


def _dpss_example(xp):
    from cupricx.scipy.signal import windows

    return [windows.dpss(m, 2.5, 3) for m in (20, 21)]


_points = library.kernel(
    "window_points", elements="p.pieces", ships="_", example=_example
)
_chebyshev_terms = library.kernel(
    "chebyshev_terms", elements="p.m", ships="_", example=_chebyshev_example
)
sequences = library.kernel(
    "dpss_windows",
    blocks="p.count",
    threads="DPSS_THREADS",
    ships="_",
    example=_dpss_example,
)


def length(M):
    """A number of points, or ValueError."""
    try:
        count = int(M)
    except (TypeError, ValueError, OverflowError):
        count = -1
    if count != M or count < 0:
        raise ValueError(f"Window length M must be a non-negative integer, not {M!r}")
    return count


def ones(count):
    """A window of one point or none."""
    w = _core.empty(count)
    w.fill(1)
    return w


@functools.lru_cache(128)
def _i0(x):
    return float(np.i0(x))


def on(device):
    """A context in which arrays are made on a device; None is the current one."""
    if device is None:
        return contextlib.nullcontext()
    return _core.empty(0, device=device).device


def _window(formula, M, sym, p=0.0, q=0.0, terms=(), device=None):
    if device is not None:
        with on(device):
            return _window(formula, M, sym, p, q, terms)
    count = length(M)
    if count <= 1:
        return ones(count)
    return _made(
        getattr(library.enum, formula),
        *(count, count if sym else count + 1),
        *(float(p), float(q)),
        terms if isinstance(terms, _core.ndarray) else tuple(terms),
    )


@replayed
def _made(formula, count, m, p, q, terms):
    most = library.enum.MOST_TERMS
    w = _core.empty(count)
    a = None
    if isinstance(terms, _core.ndarray):
        a = terms
    elif len(terms) > most:
        a = _core.array(np.array(terms))
    # Of the exponential window, p, the centre may lie anywhere.
    is_symmetric = formula != library.enum.EXPONENTIAL or p == (m - 1) / 2
    shape = library.struct.window_shape(
        count=count,
        m=m,
        pieces=(m + 1) // 2 if is_symmetric else count,
        p=p,
        q=q,
        formula=formula,
        n=len(terms),
        terms=np.array(terms) if a is None else np.zeros(0, np.float64),
    )
    _points[()](w=w, a=a, p=shape)
    return w


def barthann(M, sym=True, *, xp=None, device=None):
    """The modified Bartlett-Hann window.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.barthann(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window("BARTHANN", M, sym, device=device)


def bartlett(M, sym=True, *, xp=None, device=None):
    """The Bartlett window: a triangle with zeros at the ends.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window("BARTLETT", M, sym, device=device)


def blackman(M, sym=True, *, xp=None, device=None):
    """The Blackman window, of three cosines.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.blackman(7).round(2)
    array([-0.  ,  0.13,  0.63,  1.  ,  0.63,  0.13, -0.  ])
    """
    return _window("COSINES", M, sym, terms=(0.42, 0.5, 0.08), device=device)


def blackmanharris(M, sym=True, *, xp=None, device=None):
    """The Blackman-Harris window, of four cosines.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.blackmanharris(7).round(3)
    array([0.   , 0.056, 0.521, 1.   , 0.521, 0.056, 0.   ])
    """
    return _window(
        "COSINES", M, sym, terms=(0.35875, 0.48829, 0.14128, 0.01168), device=device
    )


def bohman(M, sym=True, *, xp=None, device=None):
    """The Bohman window: the convolution of two half cosines.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.bohman(5).round(3)
    array([0.   , 0.318, 1.   , 0.318, 0.   ])
    """
    return _window("BOHMAN", M, sym, device=device)


def boxcar(M, sym=True, *, xp=None, device=None):
    """The rectangular window: ones.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.boxcar(3)
    array([1., 1., 1.])
    """
    return _window("BOXCAR", M, sym, device=device)


def chebwin(M, at, sym=True, *, xp=None, device=None):
    """The Dolph-Chebyshev window, whose sidelobes are equally high.

    Parameters
    ----------
    M : int
        Points.
    at : float
        Attenuation of the sidelobes, in decibels.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Warns
    -----
    UserWarning
        Of an attenuation below 45 dB, with which the window does not suit spectra.

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.chebwin(5, at=60).round(4)
    array([0.1876, 0.6862, 1.    , 0.6862, 0.1876])
    """
    count = length(M)
    if count > 1 and abs(at) < 45:
        warnings.warn(
            "This window is not suitable for spectral analysis for attenuation values "
            f"lower than about 45 dB because the equivalent noise bandwidth of it does "
            f"not grow monotonically with increasing sidelobe attenuation (at={at})",
            stacklevel=2,
        )
    with on(device):
        if count <= 1:
            return ones(count)
        return _chebyshev(count, count if sym else count + 1, float(abs(at)))


@replayed
def _terms_of_chebyshev(m, scale):
    w = _core.empty(m, np.complex128)
    p = library.struct.chebyshev_sizes(m=m, scale=scale, order=m - 1)
    _chebyshev_terms[()](w=w, p=p)
    return w


def _chebyshev(count, m, at):
    """The transform of the terms: of an even number of points, those between."""
    scale = math.cosh(math.acosh(10 ** (at / 20)) / (m - 1))
    terms = _terms_of_chebyshev(m, scale)
    terms = complex_fft(terms, [m], (0,), None, False, "C").real
    half = m // 2 + 1 if m % 2 == 0 else (m + 1) // 2
    right = terms[1:half] if m % 2 == 0 else terms[:half]
    left = right[::-1] if m % 2 == 0 else right[:0:-1]
    w = _core.concatenate([left, right])[:count]
    return w / w.max()


def cosine(M, sym=True, *, xp=None, device=None):
    """The window of half a period of a sine.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.cosine(3)
    array([0.5, 1. , 0.5])
    """
    return _window("COSINE", M, sym, device=device)


def exponential(M, center=None, tau=1.0, sym=True, *, xp=None, device=None):
    """The exponential (Poisson) window.

    Parameters
    ----------
    M : int
        Points.
    center : float, optional
        Where the maximum is, the middle by default; of a periodic window alone.
    tau : float, optional
        The decay: what is so many points away from the centre is ``1 / e``.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.exponential(5, tau=2).round(3)
    array([0.368, 0.607, 1.   , 0.607, 0.368])
    """
    if sym and center is not None:
        raise ValueError(f"If sym==True, center must be None, not {center!r}")
    count = length(M)
    m = count if sym else count + 1
    return _window(
        "EXPONENTIAL",
        M,
        sym,
        (m - 1) / 2 if center is None else center,
        tau,
        device=device,
    )


def flattop(M, sym=True, *, xp=None, device=None):
    """The flat top window, of five cosines, for measuring amplitudes.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.flattop(5).round(4)
    array([-4.00e-04, -5.47e-02,  1.00e+00, -5.47e-02, -4.00e-04])
    """
    terms = (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)
    return _window("COSINES", M, sym, terms=terms, device=device)


def gaussian(M, std, sym=True, *, xp=None, device=None):
    """The Gaussian window.

    Parameters
    ----------
    M : int
        Points.
    std : float
        Standard deviation, in points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.gaussian(5, std=2).round(3)
    array([0.607, 0.882, 1.   , 0.882, 0.607])
    """
    return _window("GAUSSIAN", M, sym, 2 * float(std) ** 2, device=device)


def general_cosine(M, a, sym=True, *, xp=None, device=None):
    """The window of weighted cosines.

    Parameters
    ----------
    M : int
        Points.
    a : array_like, shape (n,)
        Weights, of the constant and of cosines of 1, 2, … periods.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.general_cosine(5, [0.5, 0.5])
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    if isinstance(a, _core.ndarray):
        if a.ndim != 1:
            raise ValueError(f"the weights `a` must have one axis, not shape {a.shape}")
        return _window(
            "COSINES", M, sym, terms=a.astype(np.float64, order="C"), device=device
        )
    terms = np.asarray(a, np.float64)
    if terms.ndim != 1:
        raise ValueError(f"the weights `a` must have one axis, not shape {terms.shape}")
    return _window("COSINES", M, sym, terms=terms.tolist(), device=device)


def general_gaussian(M, p, sig, sym=True, *, xp=None, device=None):
    """The Gaussian window with another power: ``exp(-abs(n / sig)**(2 p) / 2)``.

    Parameters
    ----------
    M : int
        Points.
    p : float
        1 is a Gaussian, 0.5 a Laplace distribution.
    sig : float
        Standard deviation, in points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.general_gaussian(5, p=1.5, sig=2).round(3)
    array([0.607, 0.939, 1.   , 0.939, 0.607])
    """
    return _window("POWER", M, sym, p, sig, device=device)


def general_hamming(M, alpha, sym=True, *, xp=None, device=None):
    """The window ``alpha - (1 - alpha) cos(2 pi n / (M - 1))``.

    Parameters
    ----------
    M : int
        Points.
    alpha : float
        0.5 is a Hann window, 0.54 a Hamming window.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.general_hamming(5, 0.75)
    array([0.5 , 0.75, 1.  , 0.75, 0.5 ])
    """
    return _window(
        "COSINES", M, sym, terms=(float(alpha), 1.0 - float(alpha)), device=device
    )


def hamming(M, sym=True, *, xp=None, device=None):
    """The Hamming window.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.hamming(5)
    array([0.08, 0.54, 1.  , 0.54, 0.08])
    """
    return general_hamming(M, 0.54, sym, device=device)


def hann(M, sym=True, *, xp=None, device=None):
    """The Hann window.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.hann(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return general_hamming(M, 0.5, sym, device=device)


def kaiser(M, beta, sym=True, *, xp=None, device=None):
    """The Kaiser window, of a Bessel function.

    Parameters
    ----------
    M : int
        Points.
    beta : float
        How steep it falls: 0 is a rectangle, 14 is a good one for spectra.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.kaiser(5, 4).round(3)
    array([0.088, 0.633, 1.   , 0.633, 0.088])
    """
    return _window("KAISER", M, sym, beta, _i0(float(beta)), device=device)


def kaiser_bessel_derived(M, beta, sym=True, *, xp=None, device=None):
    """The Kaiser-Bessel derived window, for the modified cosine transform.

    `M` has to be even and `sym` true.

    Parameters
    ----------
    M : int
        Points.
    beta : float
        That of the Kaiser window, whose sums it is made of.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.kaiser_bessel_derived(4, 4).round(3)
    array([0.274, 0.962, 0.962, 0.274])
    """
    count = length(M)
    if not sym:
        raise ValueError(
            "Kaiser-Bessel Derived windows are only defined for symmetric shapes"
        )
    if count % 2:
        raise ValueError(
            "Kaiser-Bessel Derived windows are only defined for even number of points, "
            f"not {count}"
        )
    with on(device):
        if count == 0:
            return _core.empty(0)
        sums = _core.cumsum(kaiser(count // 2 + 1, beta))
        half = _core.sqrt(sums[:-1] / sums[-1])
        return _core.concatenate([half, half[::-1]])


def lanczos(M, sym=True, *, xp=None, device=None):
    """The Lanczos window: the central lobe of a sine cardinal.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.lanczos(5).round(3)
    array([0.   , 0.637, 1.   , 0.637, 0.   ])
    """
    return _window("LANCZOS", M, sym, device=device)


def nuttall(M, sym=True, *, xp=None, device=None):
    """The Blackman-Harris window of four cosines by Nuttall.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.nuttall(5).round(4)
    array([4.00e-04, 2.27e-01, 1.00e+00, 2.27e-01, 4.00e-04])
    """
    terms = (0.3635819, 0.4891775, 0.1365995, 0.0106411)
    return _window("COSINES", M, sym, terms=terms, device=device)


def parzen(M, sym=True, *, xp=None, device=None):
    """The Parzen window, of cubic polynomials.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.parzen(5).round(3)
    array([0.016, 0.424, 1.   , 0.424, 0.016])
    """
    return _window("PARZEN", M, sym, device=device)


def taylor(M, nbar=4, sll=30, norm=True, sym=True, *, xp=None, device=None):
    """The Taylor window, for antennas and radar.

    Parameters
    ----------
    M : int
        Points.
    nbar : int, optional
        Nearly equal sidelobes beside the main lobe.
    sll : float, optional
        Their attenuation, in decibels.
    norm : bool, optional
        The largest value is 1 for an odd number of points; else the mean is.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.taylor(5).round(3)
    array([0.332, 0.772, 1.   , 0.772, 0.332])
    """
    nbar = operator.index(nbar)
    terms = _taylor_terms(nbar, 10 ** (float(sll) / 20))
    # The centre of a window of any length is where all cosines are 1.
    scale = 1 / math.fsum(terms) if norm else 1.0
    return _window("TAYLOR", M, sym, 0.0, scale, terms, device=device)


def _taylor_terms(nbar, ratio):
    """Weights of the cosines of 0 to ``nbar - 1`` periods: T. T. Taylor, Trans. IRE 3,
    1955, equation 66."""
    a = math.acosh(ratio) / math.pi
    m = np.arange(1, nbar)
    squares = m * m
    above = (a**2 + (nbar - 0.5) ** 2) / nbar**2 / (a**2 + (m - 0.5) ** 2)
    terms = [1.0]
    for k in m:
        others = squares[m != k]
        zeros = np.prod(1 - k * k * above)
        terms.append(float(-((-1.0) ** k) * zeros / np.prod(1 - k * k / others)))
    return terms


def triang(M, sym=True, *, xp=None, device=None):
    """The triangular window, with no zeros at the ends.

    Parameters
    ----------
    M : int
        Points.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.triang(5).round(3)
    array([0.333, 0.667, 1.   , 0.667, 0.333])
    """
    return _window("TRIANGLE", M, sym, device=device)


def tukey(M, alpha=0.5, sym=True, *, xp=None, device=None):
    """The Tukey window: a rectangle with tapered ends.

    Parameters
    ----------
    M : int
        Points.
    alpha : float, optional
        What of the window is tapered: 0 is a rectangle, 1 a Hann window.
    sym : bool, optional
        A symmetric window; else a periodic one, for spectra.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (M,)

    Examples
    --------
    >>> from cupricx.scipy.signal import windows
    >>> windows.tukey(5)
    array([0., 1., 1., 1., 0.])
    """
    if alpha <= 0:
        return boxcar(M, sym, device=device)
    if alpha >= 1:
        return hann(M, sym, device=device)
    count = length(M)
    m = count if sym else count + 1
    last = math.floor(alpha * (m - 1) / 2)  # of the points that are tapered
    return _window("TUKEY", M, sym, alpha, last, device=device)
