"""Forms of a filter: transfer function, zeros and poles, second-order sections."""

import warnings

import numpy as np

from cupricx.scipy.signal._design._checks import sections
from cupricx.scipy.signal._design._on_host import on_host
from cupricx.scipy.signal._design._pairing import sections_of, upper_half_and_real

__all__ = [
    "BadCoefficients",
    "normalize",
    "sos2tf",
    "sos2zpk",
    "tf2sos",
    "tf2zpk",
    "zpk2sos",
    "zpk2tf",
]

# Leading coefficients of a numerator below this are those that should have been zero.
NEGLIGIBLE = 1e-14


class BadCoefficients(UserWarning):
    """Warning about badly conditioned filter coefficients."""


@on_host
def normalize(b, a):
    """Normalize numerator and denominator of a continuous-time transfer function.

    Both are divided by the first coefficient of the denominator that is not zero.

    Parameters
    ----------
    b : array_like, shape (n,) or (k, n)
        Numerator, of the highest power first; of two axes, those of several functions
        with the same denominator.
    a : array_like, shape (m,)
        Denominator.

    Returns
    -------
    num : cupric.ndarray
        Leading coefficients of at most 1e-14, of all rows, are left out.
    den : cupric.ndarray
        Without leading zeros; ``den[0]`` is 1.

    Warns
    -----
    BadCoefficients
        Where leading coefficients of `b` were left out.

    Raises
    ------
    ValueError
        `a` has not one axis, `b` has more than two, or `a` is zero.

    Examples
    --------
    >>> from cupricx.scipy.signal import normalize
    >>> normalize([1, 4], [2, 1])
    (array([0.5, 2. ]), array([1. , 0.5]))
    """
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    if a.ndim != 1:
        raise ValueError(
            f"Denominator polynomial must have one axis, but its shape is {a.shape}"
        )
    if b.ndim > 2:
        raise ValueError(
            "Numerator polynomial must have one axis or two, but its shape is "
            f"{b.shape}"
        )
    nonzero = np.flatnonzero(a)
    if nonzero.size == 0:
        raise ValueError(
            f"Denominator must have at least one nonzero element, but has {a.tolist()}"
        )
    a = a[nonzero[0] :]
    num, den = b / a[0], a / a[0]
    if num.size == 0:
        return num, den
    rows = num if num.ndim == 2 else num[np.newaxis]
    small = np.all(np.abs(rows) <= NEGLIGIBLE, axis=0)
    if small[0]:
        warnings.warn(
            "Badly conditioned filter coefficients (numerator): the results may be "
            "meaningless",
            BadCoefficients,
            stacklevel=3,
        )
        kept = int(np.argmin(small)) if not small.all() else num.shape[-1] - 1
        num = num[..., kept:]
    return num, den


@on_host
def tf2zpk(b, a):
    """Zeros, poles and gain of a transfer function.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator, of the highest power first.

    Returns
    -------
    z, p : cupric.ndarray
        Zeros and poles.
    k : float
        Gain.

    Warns
    -----
    BadCoefficients
        Where leading coefficients of `b` are at most 1e-14 of ``a[0]``, and left out.

    Examples
    --------
    >>> from cupricx.scipy.signal import tf2zpk
    >>> z, p, k = tf2zpk([2.0, 4.0], [1.0, -0.5])
    >>> z, p
    (array([-2.]), array([0.5]))
    >>> float(k)
    2.0
    """
    num, den = normalize.on_host(b, a)
    num = num.reshape(-1) if num.ndim == 2 and len(num) == 1 else num
    if num.ndim != 1 or num.size == 0:
        raise ValueError(
            f"Numerator polynomial must have one axis, but its shape is {np.shape(b)}"
        )
    gain = num[0]
    zeros = np.roots(num / gain) if gain != 0 else np.empty(0, num.dtype)
    return zeros, np.roots(den), gain


def polynomial_of(roots):
    """Coefficients of the polynomial with these roots, the highest power first; real
    where the roots are, or are pairs of conjugates."""
    roots = np.atleast_1d(roots)
    if roots.ndim != 1:
        raise ValueError(f"Roots must have one axis, but their shape is {roots.shape}")
    is_inexact = np.issubdtype(roots.dtype, np.inexact)
    c = np.ones(1, roots.dtype if is_inexact else np.float64)
    for root in roots:
        c = np.convolve(c, np.array([1, -root], c.dtype))
    if np.iscomplexobj(c) and np.array_equal(np.sort(roots), np.sort(roots.conj())):
        return c.real.copy()
    return c


@on_host
def zpk2tf(z, p, k):
    """Transfer function of zeros, poles and gain.

    Parameters
    ----------
    z : array_like, shape (n,) or (r, n)
        Zeros; of two axes, those of several functions with the same poles.
    p : array_like, shape (m,)
        Poles.
    k : float or array_like, shape (r,)
        Gain.

    Returns
    -------
    b, a : cupric.ndarray
        Numerator and denominator, of the highest power first. Real where zeros and
        poles are real or pairs of conjugates.

    Examples
    --------
    >>> from cupricx.scipy.signal import zpk2tf
    >>> zpk2tf([-1.0], [1j, -1j], 2.0)
    (array([2., 2.]), array([1., 0., 1.]))
    """
    z, k = np.atleast_1d(z), np.asarray(k)
    if z.ndim == 2:
        gains = np.broadcast_to(k.reshape(-1), len(z))
        rows = [gain * polynomial_of(row) for gain, row in zip(gains, z, strict=True)]
        b = np.array(rows)
    else:
        b = k.item() * polynomial_of(z)  # a number, which leaves float32 as it is
    return b, polynomial_of(p)


@on_host
def tf2sos(b, a, pairing=None, *, analog=False):
    """Second-order sections of a transfer function.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator, of the highest power first.
    pairing : {None, 'nearest', 'keep_odd', 'minimal'}, optional
        See `zpk2sos`.
    analog : bool, optional
        The filter is one of continuous time.

    Returns
    -------
    sos : cupric.ndarray, shape (n_sections, 6)

    Notes
    -----
    The coefficients of a transfer function have lost accuracy already, which sections
    do not bring back: a design had better be one of sections from the start.

    Examples
    --------
    >>> from cupricx.scipy.signal import tf2sos
    >>> tf2sos([1.0, 0, -1], [1.0, -0.5, 0])
    array([[ 1. ,  0. , -1. ,  1. , -0.5,  0. ]])
    """
    return zpk2sos.on_host(*tf2zpk.on_host(b, a), pairing=pairing, analog=analog)


@on_host
def sos2tf(sos):
    """Transfer function of second-order sections.

    Parameters
    ----------
    sos : array_like, shape (n_sections, 6)

    Returns
    -------
    b, a : cupric.ndarray
        Numerator and denominator, of the highest power first.

    Examples
    --------
    >>> from cupricx.scipy.signal import sos2tf
    >>> sos2tf([[1.0, 1, 0, 1, 0.5, 0], [2.0, 0, 0, 1, 0, 0.25]])
    (array([2., 2., 0., 0., 0.]), array([1.   , 0.5  , 0.25 , 0.125, 0.   ]))
    """
    sos = sections(sos)
    b, a = np.ones(1, sos.dtype), np.ones(1, sos.dtype)
    for section in sos:
        b = np.convolve(b, _without_zeros(section[:3]))
        a = np.convolve(a, _without_zeros(section[3:]))
    return b, a


def _without_zeros(c):
    """A polynomial without leading zeros, of one element at least."""
    first = 0
    while first < c.size - 1 and c[first] == 0:
        first += 1
    return c[first:]


@on_host
def sos2zpk(sos):
    """Zeros, poles and gain of second-order sections.

    Parameters
    ----------
    sos : array_like, shape (n_sections, 6)

    Returns
    -------
    z, p : cupric.ndarray of complex128, shape (2 * n_sections,)
        Zeros and poles: zero where a section has fewer than two.
    k : float
        Gain.

    Examples
    --------
    >>> from cupricx.scipy.signal import sos2zpk
    >>> z, p, k = sos2zpk([[2.0, 2, 0, 1, 0, 0.25]])
    >>> z
    array([-1.+0.j,  0.+0.j])
    >>> p
    array([-0.+0.5j,  0.-0.5j])
    """
    sos = sections(sos)
    z, p = np.zeros((2, 2 * len(sos)), np.complex128)
    k = sos.dtype.type(1)
    for i, section in enumerate(sos):
        zeros, poles, gain = tf2zpk.on_host(section[:3], section[3:])
        z[2 * i : 2 * i + zeros.size] = zeros
        p[2 * i : 2 * i + poles.size] = poles
        k = k * gain
    return z, p, k


@on_host
def zpk2sos(z, p, k, pairing=None, *, analog=False):
    """Second-order sections of zeros, poles and gain.

    Parameters
    ----------
    z, p : array_like, shape (n,)
        Zeros and poles: real ones, and pairs of conjugates.
    k : float
        Gain.
    pairing : {None, 'nearest', 'keep_odd', 'minimal'}, optional
        What is added so that sections are complete. By 'nearest', the default, zeros or
        poles at the origin until there are as many of both, in an even number; by
        'keep_odd', until there are as many of both, so that of an odd order one section
        is of the first order; by 'minimal', the default and only choice where `analog`,
        nothing.
    analog : bool, optional
        The filter is one of continuous time.

    Returns
    -------
    sos : cupric.ndarray of float64, shape (n_sections, 6)
        Each row has the numerator and the denominator of a section. The first has the
        gain.

    Raises
    ------
    ValueError
        Zeros or poles that are complex and have no conjugate, a complex gain, a
        `pairing` that there is not, or fewer poles than zeros where nothing is added.

    Notes
    -----
    Sections are formed so that none has a high peak of its response: from the pole that
    is closest to the unit circle, or to the imaginary axis where `analog`, with the
    zeros that are closest to it, and on with what is left. They stand in the opposite
    order, so that the signal is at its smoothest before it comes to the last.

    Examples
    --------
    >>> from cupricx.scipy.signal import zpk2sos
    >>> zpk2sos([-1.0, -1.0], [0.5j, -0.5j], 0.25)
    array([[0.25, 0.5 , 0.25, 1.  , 0.  , 0.25]])
    """
    choices = ("nearest", "keep_odd", "minimal")
    if pairing is None:
        pairing = "minimal" if analog else "nearest"
    if pairing not in choices:
        raise ValueError(f"pairing must be one of {list(choices)}, not {pairing!r}")
    if analog and pairing != "minimal":
        raise ValueError(
            "pairing must be 'minimal' or None for sections of an analog filter, not "
            f"{pairing!r}"
        )
    z, p, k = np.atleast_1d(z), np.atleast_1d(p), np.asarray(k)
    if z.ndim != 1 or p.ndim != 1 or k.size != 1:
        raise ValueError(
            "zeros and poles must have one axis, and the gain is one number; their "
            f"shapes are {z.shape}, {p.shape} and {k.shape}"
        )
    k = k.reshape(())
    if np.iscomplexobj(k) and k.imag != 0:
        raise ValueError(f"k must be real, not {k}")
    if pairing == "minimal":
        if len(p) < len(z):
            raise ValueError(
                "sections to which nothing is added need at least as many poles as "
                f"zeros, but there are {len(p)} poles and {len(z)} zeros"
            )
        total = len(p)
    else:
        total = max(len(z), len(p))
        if pairing == "nearest":
            total += total % 2
        z = np.concatenate([z, np.zeros(total - len(z), float)])
        p = np.concatenate([p, np.zeros(total - len(p), float)])
    return sections_of(
        upper_half_and_real(z),
        upper_half_and_real(p),
        float(k.real),
        analog,
        aligned_left=pairing != "minimal" or not (analog or len(p)),
    )
