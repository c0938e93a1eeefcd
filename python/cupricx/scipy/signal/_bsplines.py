"""B-splines: coefficients by recursive filters in both directions, and values."""

import cmath
import functools
import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal._iir import prepare, run
from cupricx.scipy.signal._rows import along, rows_of

__all__ = [
    "cspline1d",
    "cspline1d_eval",
    "cspline2d",
    "gauss_spline",
    "qspline1d",
    "qspline1d_eval",
    "qspline2d",
    "sepfir2d",
    "spline_filter",
    "symiirorder1",
    "symiirorder2",
]

_library = Library(__file__)


def _example(xp):
    made = []
    for dtype in "fd":
        x = xp.asarray(np.cos(np.arange(4000.0) ** 2).astype(dtype).reshape(50, 80))
        made += [symiirorder1(x, 0.3, 0.4), symiirorder2(x, 0.4, 0.3)]
        made += [cspline2d(x, 1.0), spline_filter(x), cspline1d(x[0])]
        made += [cspline1d_eval(x[0], 3 * x[1]), qspline1d_eval(x[0], 99 * x[1])]
    return made


_ends = _library.kernel(
    "end_states<T, W>",
    blocks="blocks",
    threads="SPLINE_THREADS",
    ships="fd dd",
    example=_example,
)
_filter = _library.kernel(
    "mirrored_filter<T, W>", elements=True, ships="fd dd", example=_example
)
_values = _library.kernel(
    "spline_values<T, W, R>", elements=True, ships="fdf ddd", example=_example
)

# The pole of a spline's inverse, and the factor, by its order.
_POLES = {2: -3 + 2 * math.sqrt(2), 3: -2 + math.sqrt(3)}
_FACTORS = {2: 8, 3: 6}


# ---- filters -------------------------------------------------------------------------


def symiirorder1(input, c0, z1, precision=-1.0):
    """Filter by a pole forward and backward, with mirror-symmetric boundaries.

    The transfer function is ``c0 / ((1 - z1 / z) (1 - z1 z))``.

    Parameters
    ----------
    input : cupric.ndarray, shape (n,) or (m, n)
        Filtered along its last axis.
    c0, z1 : scalar
        ``abs(z1) < 1``.
    precision : float, optional
        What is left out of the sum over mirrored elements at the start: 1e-6 in single
        precision, else 1e-11, by default.

    Returns
    -------
    cupric.ndarray
        Of the shape of `input`: float32 or complex64 as that is, else float64 or
        complex128.

    Raises
    ------
    ValueError
        The pole is not inside the unit circle; `input` has another number of axes, or
        is too short for the sum to come to `precision`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import symiirorder1
    >>> cp.round(symiirorder1(cp.ones(40), 0.25, 0.5), 6)[:3]
    array([1., 1., 1.])
    """
    input = _signal(input, (1, 2))
    c0, z1 = _number(c0), _number(z1)
    if abs(z1) >= 1:
        raise ValueError(f"|z1| must be less than 1.0, not {abs(z1)}")
    dtype = _dtype(input, z1, c0)
    limit = _limit(precision, dtype, (1e-6, 1e-11))
    terms = _terms_of_order_1(input.shape, z1, limit)
    return _by_pole(input, c0, z1, terms, dtype)


def symiirorder2(input, r, omega, precision=-1.0):
    """Filter by a pair of poles forward and backward, with mirror-symmetric boundaries.

    The transfer function is ``cs**2 / ((1 - a2 / z - a3 / z**2) (1 - a2 z - a3 z**2))``
    with ``a2 = 2 r cos(omega)``, ``a3 = -r**2``, ``cs = 1 - a2 - a3``.

    Parameters
    ----------
    input : cupric.ndarray, shape (n,) or (m, n)
        Filtered along its last axis.
    r, omega : float
        The radius and the angle of the poles; ``r < 1``.
    precision : float, optional
        Which terms of the sums over mirrored elements are left out: 1e-6 in single
        precision, else 1e-11, by default.

    Returns
    -------
    cupric.ndarray
        Of the shape of `input`: float32 or complex64 as that is, else float64 or
        complex128.

    Raises
    ------
    ValueError
        The poles are not inside the unit circle; `input` has another number of axes, or
        is too short for the sums to come to `precision`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import symiirorder2
    >>> cp.round(symiirorder2(cp.ones(60), 0.5, 0.3), 6)[:3]
    array([1., 1., 1.])
    """
    input = _signal(input, (1, 2))
    r, omega = float(r), float(omega)
    if r >= 1:
        raise ValueError(f"r must be less than 1.0, not {r}")
    dtype = _dtype(input)
    limit = _limit(precision, dtype, (1e-6, 1e-11))
    return _by_pair(input, r, omega, _weights(r, omega, input.shape, limit), dtype)


def sepfir2d(input, hrow, hcol):
    """Convolve an image with a filter of its rows and one of its columns.

    Parameters
    ----------
    input : cupric.ndarray, shape (m, n)
        Mirrored outside: ``... b a a b ...``.
    hrow, hcol : array_like, shape (taps,)
        Along rows, and along columns; both of odd lengths.

    Returns
    -------
    cupric.ndarray, shape (m, n)
        In the dtype in which all agree, float32 and above.

    Raises
    ------
    ValueError
        `input` has not two axes, or `hrow` or `hcol` not one, of an odd length.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import sepfir2d
    >>> sepfir2d(cp.array([[1.0, 2, 4]]), [1, 1, 1], [1])
    array([[ 4.,  7., 10.]])
    """
    input = _signal(input, (2,))
    hrow, hcol = _taps(hrow, "hrow"), _taps(hcol, "hcol")
    letters = [v.dtype for v in (input, hrow, hcol)]
    dtype = arguments.float_dtype(*letters)
    if all(letter.kind in "biu" for letter in letters):
        dtype = np.dtype(float)
    return _separable(input, hrow, hcol, dtype)


# ---- coefficients --------------------------------------------------------------------


def cspline1d(signal, lamb=0.0):
    """Coefficients of the cubic spline through, or near, the elements of a signal.

    Parameters
    ----------
    signal : cupric.ndarray, shape (n,)
        Mirrored outside.
    lamb : float, optional
        How much the spline is smoothed: above 1/144, or not at all.

    Returns
    -------
    cupric.ndarray, shape (n,)
        float64 or complex128. `cspline1d_eval` has the values of the spline.

    Raises
    ------
    ValueError
        `signal` has not one axis, or no element; `lamb` is between.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import cspline1d
    >>> cp.round(cspline1d(cp.ones(30))[:4], 3)
    array([1., 1., 1., 1.])
    """
    signal = _signal(signal, (1,))
    if lamb == 0:
        return _coefficients(signal, 3)
    r, omega = _smoothing(lamb)
    dtype = _wide(signal)
    weights = _weights(r, omega, signal.shape, 0, True)
    return _by_pair(signal, r, omega, weights, dtype)


def qspline1d(signal, lamb=0.0):
    """Coefficients of the quadratic spline through the elements of a signal.

    Parameters
    ----------
    signal : cupric.ndarray, shape (n,)
        Mirrored outside.
    lamb : float, optional
        Zero: quadratic splines are not smoothed.

    Returns
    -------
    cupric.ndarray, shape (n,)
        float64 or complex128. `qspline1d_eval` has the values of the spline.

    Raises
    ------
    ValueError
        `signal` has not one axis, or no element; `lamb` is not zero.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import qspline1d
    >>> cp.round(qspline1d(cp.ones(30))[:4], 3)
    array([1., 1., 1., 1.])
    """
    signal = _signal(signal, (1,))
    if lamb != 0:
        raise ValueError(
            f"Smoothing quadratic splines not supported yet: lamb is {lamb}, not 0."
        )
    return _coefficients(signal, 2)


@where_it_lives
def cspline2d(signal, lamb=0.0, precision=-1.0):
    """Coefficients of the cubic spline through, or near, the elements of an image.

    Parameters
    ----------
    signal : cupric.ndarray, shape (m, n)
        Mirrored outside.
    lamb : float, optional
        How much the spline is smoothed: above 1/144, or not at all.
    precision : float, optional
        What is left out of sums over mirrored elements: 1e-3 in single precision, else
        1e-6, by default.

    Returns
    -------
    cupric.ndarray, shape (m, n)
        float32 or complex64 as `signal` is, else float64 or complex128.

    Raises
    ------
    ValueError
        `signal` has not two axes, or is too small for the sums to come to `precision`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import cspline2d
    >>> float(cp.round(cspline2d(cp.ones((30, 30)))[0, 0], 5))
    1.0
    """
    signal = _signal(signal, (2,))
    dtype = _dtype(signal)
    limit = _limit(precision, dtype, (1e-3, 1e-6))
    if lamb <= 1 / 144:
        return _coefficients_of_image(signal, 3, limit, dtype)
    r, omega = _smoothing(lamb)
    for axis in (1, 0):
        rows = rows_of(signal, axis)
        weights = _weights(r, omega, rows.shape, limit)
        signal = along(_by_pair(rows, r, omega, weights, dtype), axis)
    return signal


def qspline2d(signal, lamb=0.0, precision=-1.0):
    """Coefficients of the quadratic spline through the elements of an image.

    Parameters
    ----------
    signal : cupric.ndarray, shape (m, n)
        Mirrored outside.
    lamb : float, optional
        Zero, or below: quadratic splines are not smoothed.
    precision : float, optional
        What is left out of sums over mirrored elements: 1e-3 in single precision, else
        1e-6, by default.

    Returns
    -------
    cupric.ndarray, shape (m, n)
        float32 or complex64 as `signal` is, else float64 or complex128.

    Raises
    ------
    ValueError
        `signal` has not two axes, or is too small for the sums to come to `precision`;
        `lamb` is above zero.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import qspline2d
    >>> float(cp.round(qspline2d(cp.ones((30, 30)))[0, 0], 5))
    1.0
    """
    signal = _signal(signal, (2,))
    if lamb > 0:
        raise ValueError(f"lambda must be negative or zero, not {lamb}")
    dtype = _dtype(signal)
    limit = _limit(precision, dtype, (1e-3, 1e-6))
    return _coefficients_of_image(signal, 2, limit, dtype)


@where_it_lives
def spline_filter(Iin, lmbda=5.0):
    """Smooth an image by a cubic spline.

    Parameters
    ----------
    Iin : cupric.ndarray, shape (m, n)
        Of float32, float64, complex64 or complex128. Mirrored outside.
    lmbda : float, optional
        How much the spline is smoothed: above 1/144, or not at all.

    Returns
    -------
    cupric.ndarray, shape (m, n)
        The values of the spline, in the dtype of `Iin`.

    Raises
    ------
    TypeError
        `Iin` is of another dtype.
    ValueError
        `Iin` has not two axes, or is too small for the sums over mirrored elements to
        converge (27 elements along each in float64, where `lmbda` is 5).

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import spline_filter
    >>> float(cp.round(spline_filter(cp.ones((40, 40)))[20, 20], 5))
    1.0
    """
    Iin = arguments.array(Iin, "Iin")
    if Iin.dtype.char not in "fdFD":
        raise TypeError(
            f"Invalid data type for Iin: {Iin.dtype} is not float32, float64, "
            "complex64 or complex128"
        )
    taps = np.array([1.0, 4.0, 1.0]) / 6
    return _separable(cspline2d(Iin, lmbda), taps, taps, Iin.dtype)


# ---- values --------------------------------------------------------------------------


def cspline1d_eval(cj, newx, dx=1.0, x0=0):
    """Values of a cubic spline.

    Parameters
    ----------
    cj : cupric.ndarray, shape (n,)
        Its coefficients, as of `cspline1d`.
    newx : array_like
        Where; mirrored at the first and the last knot, however far it is from them.
    dx, x0 : float, optional
        The distance of knots, and the first one.

    Returns
    -------
    cupric.ndarray
        Of the shape and dtype of `newx`, float64 where that is an integer's; where `cj`
        is complex, in its dtype. Where `newx` is not finite, NaN.

    Raises
    ------
    ValueError
        `cj` has not one axis, or no element.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import cspline1d, cspline1d_eval
    >>> x = cp.array([1.0, 3.0, 2.0, 5.0])
    >>> cp.round(cspline1d_eval(cspline1d(x), cp.array([1.0, 2.0])), 6)
    array([3., 2.])
    """
    return _evaluated(cj, newx, dx, x0, 3)


def qspline1d_eval(cj, newx, dx=1.0, x0=0):
    """Values of a quadratic spline.

    Parameters
    ----------
    cj : cupric.ndarray, shape (n,)
        Its coefficients, as of `qspline1d`.
    newx : array_like
        Where; mirrored at the first and the last knot, however far it is from them.
    dx, x0 : float, optional
        The distance of knots, and the first one.

    Returns
    -------
    cupric.ndarray
        Of the shape of `newx`, in the dtype in which it agrees with `cj`, or float64
        where that is an integer's. Where `newx` is not finite, NaN.

    Raises
    ------
    ValueError
        `cj` has not one axis, or no element.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import qspline1d, qspline1d_eval
    >>> x = cp.array([1.0, 3.0, 2.0, 5.0])
    >>> cp.round(qspline1d_eval(qspline1d(x), cp.array([1.0, 2.0])), 6)
    array([3., 2.])
    """
    return _evaluated(cj, newx, dx, x0, 2)


@where_it_lives
def gauss_spline(x, n):
    """The Gaussian function near a B-spline of an order.

    Parameters
    ----------
    x : array_like
    n : int
        The order, zero or above: the variance is ``(n + 1) / 12``.

    Returns
    -------
    cupric.ndarray
        Of the shape of `x`.

    Raises
    ------
    ValueError
        `n` is negative.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import gauss_spline
    >>> cp.round(gauss_spline(cp.array([0.0, 1.0]), 3), 4)
    array([0.691 , 0.1542])
    """
    x = arguments.array(x, "x")
    if n < 0:
        raise ValueError(f"the order of a spline is not negative, as n = {n} is")
    variance = (n + 1) / 12.0
    return 1 / math.sqrt(2 * math.pi * variance) * _core.exp(-(x**2) / 2 / variance)


# ---- arguments -----------------------------------------------------------------------


def _signal(x, axes):
    x = arguments.array(x)
    if x.ndim not in axes:
        which = " or ".join(f"{n}D" for n in axes)
        raise ValueError(f"Input must be {which}, not of shape {x.shape}")
    if x.ndim == 1 and x.size == 0:
        raise ValueError(f"Input has no elements: its shape is {x.shape}")
    return x


def _number(value):
    """Python's, of a number of NumPy or of the device."""
    return value.item() if hasattr(value, "item") else value


def _taps(h, name):
    if not isinstance(h, _core.ndarray):
        h = np.asarray(h)
    if h.ndim != 1 or h.size % 2 == 0:
        raise ValueError(
            f"hrow and hcol must be odd length, of one axis: {name} is of shape "
            f"{h.shape}"
        )
    return h


def _dtype(x, *factors):
    """That of a result: of x, float32 and above; of integers float64."""
    single = x.dtype.char in "efF"
    if x.dtype.kind == "c" or any(isinstance(c, complex) for c in factors):
        return np.dtype(np.complex64 if single else np.complex128)
    return np.dtype(np.float32 if single else np.float64)


def _wide(x):
    return np.promote_types(_dtype(x), np.float64)


def _limit(precision, dtype, defaults):
    if 0 < precision < 1:
        return precision
    return defaults[0] if dtype.char in "fF" else defaults[1]


def _smoothing(lamb):
    """The radius and angle of the poles of a smoothing spline, the inverse of which is
    ``(z + 4 + 1/z) / 6 + lamb (z - 2 + 1/z)**2``: M. Unser, A. Aldroubi and M. Eden,
    "B-spline signal processing", IEEE Transactions on Signal Processing 41, 821-848
    (1993)."""
    if lamb <= 1 / 144:
        raise ValueError(
            f"math domain error: a spline is smoothed by lamb > 1/144, not by {lamb}"
        )
    half = (-1 / 6 + 1j * math.sqrt(4 * lamb - 1 / 36)) / (4 * lamb) + 1
    z = half + cmath.sqrt(half * half - 1)
    z = z if abs(z) < 1 else 1 / z
    return abs(z), abs(cmath.phase(z))


def _did_not_converge(shape, terms):
    return ValueError(
        "Sum to find symmetric boundary conditions did not converge: it has "
        f"{terms} terms, and the input of shape {shape} is too short."
    )


# ---- sums over mirrored elements -----------------------------------------------------

# Smaller than what float64 has of a sum whose greatest term is 1.
_SMALLEST = 2.0**-70


def _count(radius, limit):
    """The smallest k for which radius**k <= limit."""
    if radius <= limit:
        return 1
    return max(1, math.ceil(math.log(limit) / math.log(radius)))


def _terms_of_order_1(shape, z, limit):
    """How many elements count at the start; ValueError where there are too few."""
    terms = _count(abs(z), limit)
    if terms >= shape[-1]:
        raise _did_not_converge(shape, terms)
    return terms


class _Weights:
    """Of a pair of poles: how much elements count for the states at the ends.

    The responses are `h` to the causal half and `s` to both. Mirrored, element k counts
    for the first two results of the causal half as h(k + 1) and h(k + 2), and from the
    end on, for the last two of both, as s(k) + s(k + 1) and s(k - 1) + s(k + 2). Each
    sum ends with the first term that is not above `limit`, of the last two its root.

    Parameters
    ----------
    r, omega : float
    shape : tuple of int
        Rows of ``shape[-1]`` elements.
    limit : float
        Zero: all terms.
    exchanged : bool
        What elements 0 and 1 count for the second result is exchanged, as it is in
        SciPy's `cspline1d`.
    """

    def __init__(self, r, omega, shape, limit, exchanged=False):
        n = shape[-1]
        self.a2, self.a3 = 2 * r * math.cos(omega), -r * r
        self.gain = 1 - self.a2 - self.a3
        smallest = _count(abs(r), _SMALLEST) + 64
        k = np.arange(-1, min(n, smallest) + 2, dtype=float)
        h, s = self._responses(r, omega, k)
        begin = [h[2:-1], h[3:]]
        end = [s[1:-2] + s[2:-1], s[:-3] + s[3:]]
        if limit:
            roots = (limit, limit, math.sqrt(limit), math.sqrt(limit))
            begin, end = self._cut(begin, end, roots, shape)
        first, second = begin
        m = min(len(first), n)
        first, second = first[:m].copy(), second[:m] - self.a2 * first[:m]
        if exchanged and m > 1:
            second[0] += h[1] - self.a2 * self.gain
            second[1] += h[2] - self.gain
        self.begin = np.stack([first, second])
        self.end = np.stack([c[:n] for c in end])

    def _responses(self, r, omega, k):
        """h(k) and s(k), k from -1 on: from h(0) = gain, and from s(0) and s(1), which
        are sums of products of h."""
        a2, a3, gain = self.a2, self.a3, self.gain
        ratio = a2 / (1 - a3)
        s0 = gain**2 / (1 - a2 * ratio - a3 * (a2 * ratio + a3))
        sine, radius = math.sin(omega), np.abs(r) ** np.abs(k)
        sign = 1 if r >= 0 else (-1) ** np.abs(k)
        if abs(sine) < 1e-9:
            cosine = math.copysign(1, math.cos(omega)) ** np.abs(k)
            h = gain * (k + 1) * cosine
            slope = ratio / (r * math.cos(omega)) - 1 if r else 0.0
            s = s0 * (1 + slope * np.abs(k)) * cosine
        else:
            h = gain * np.sin((k + 1) * omega) / sine
            slope = (ratio / r - math.cos(omega)) / sine if r else 0.0
            s = s0 * (np.cos(k * omega) + slope * np.sin(np.abs(k) * omega))
        return np.where(k < 0, 0, h * radius * sign), s * radius * sign

    def _cut(self, begin, end, limits, shape):
        weights, counts = [*begin, *end], []
        for i, limit in enumerate(limits):
            below = np.flatnonzero(np.abs(weights[i]) <= limit)
            count = int(below[0]) + 1 if below.size else shape[-1]
            if count >= shape[-1]:
                raise _did_not_converge(shape, count)
            counts.append(count)
        m = max(counts)
        for i, count in enumerate(counts):
            weights[i] = np.where(np.arange(m) < count, weights[i][:m], 0)
        return weights[:2], weights[2:]


@functools.lru_cache(maxsize=32)
def _weights(r, omega, shape, limit, exchanged=False):
    return _Weights(r, omega, shape, limit, exchanged)


# ---- both directions -----------------------------------------------------------------


def _coefficients(signal, order):
    if signal.size == 1:
        return signal.astype(_wide(signal))
    z = _POLES[order]
    terms = min(signal.size, _count(abs(z), _SMALLEST))
    return _by_pole(signal, -_FACTORS[order] * z, z, terms, _wide(signal))


def _coefficients_of_image(image, order, limit, dtype):
    z = _POLES[order]
    for axis in (1, 0):
        if image.size == 0:
            return image.astype(dtype)
        rows = rows_of(image, axis)
        terms = _terms_of_order_1(rows.shape, z, limit)
        image = along(_by_pole(rows, -_FACTORS[order] * z, z, terms, dtype), axis)
    return image


@replayed
def _by_pole(x, c0, z, terms, dtype):
    """Along the last axis; at the start `terms` elements count."""
    rows = rows_of(x, -1, dtype)
    forward, y = (_core.empty(rows.shape, dtype) for _ in range(2))
    if y.size == 0:
        return y
    weights = np.array([z], _weights_dtype(dtype)) ** np.arange(1, terms + 1)
    start = _states(rows, None, weights.reshape(1, -1), dtype)
    one, b, a = (_small(c, rows) for c in ([1], [c0], [1, -z]))
    run(one, a, rows, forward, start)
    run(b, a, forward, y, backward=True, steady=True)
    return y


def _by_pair(x, r, omega, weights, dtype):
    return _by_weights(
        x,
        np.array([1, -weights.a2, -weights.a3]),
        weights.begin,
        weights.end,
        dtype,
    )


@replayed
def _by_weights(x, a, begin, end, dtype):
    """Along the last axis, by the poles of `a`."""
    rows = rows_of(x, -1, dtype)
    forward, y = (_core.empty(rows.shape, dtype) for _ in range(2))
    if y.size == 0:
        return y
    gain = a.sum()
    b, poles = _small([gain], rows), _small(a, rows)
    prepared = prepare(b, poles, rows.shape[-1])
    start = _states(rows, None, begin, dtype)
    run(b, poles, rows, forward, start, prepared=prepared)
    states = _states(rows, forward, end, dtype, gain, -a[1])
    run(b, poles, forward, y, states, backward=True, prepared=prepared)
    return y


def _small(c, like):
    return arguments.small(np.array(c), like, like.dtype)


def _weights_dtype(dtype):
    return np.promote_types(dtype, np.float64)


def _states(rows, after, weights, dtype, gain=0.0, second=0.0):
    """States at the start of rows, or of a filter of `after` at their end."""
    wide = _weights_dtype(dtype)
    order, terms = weights.shape
    z = _core.empty((*rows.shape[:-1], order), dtype)
    blocks = z.size // order
    p = _library.struct.spline_ends(
        rows=blocks,
        n=rows.shape[-1],
        terms=terms,
        order=order,
        is_last=after is not None,
        gain=gain,
        second=second,
    )
    w = arguments.small(weights, rows, wide)
    _ends[dtype, wide](x=rows, after=after, w=w, z=z, p=p, blocks=blocks)
    return z


# ---- filters without recursion, values -----------------------------------------------


@replayed
def _separable(x, hrow, hcol, dtype):
    wide = _weights_dtype(dtype)
    x = _core.ascontiguousarray(x.astype(dtype, copy=False))
    m, n = x.shape
    for h, outer, length, inner in ((hrow, m, n, 1), (hcol, 1, m, n)):
        h = arguments.small(h, x, wide)
        y = _core.empty(x.shape, dtype)
        if y.size:
            p = _library.struct.mirrored(
                outer=outer, n=length, inner=inner, taps=h.size
            )
            _filter[dtype, wide](x=x, y=y, h=h, p=p, work=y.size)
        x = y
    return y


def _evaluated(cj, newx, dx, x0, order):
    cj = arguments.array(cj, "cj")
    if cj.ndim != 1 or cj.size == 0:
        raise ValueError(
            "Spline coefficients 'cj' must not be empty, and have one axis: their "
            f"shape is {cj.shape}."
        )
    if not isinstance(newx, _core.ndarray):
        newx = _core.array(newx, device=cj.device)
    return _at_points(cj, newx, float(dx), float(x0), order)


@replayed
def _at_points(cj, newx, dx, x0, order):
    dtype = cj.dtype if order == 3 or cj.dtype.kind == "c" else newx.dtype
    dtype = dtype if dtype.kind in "fc" else np.dtype(float)
    held = np.promote_types(dtype, np.float32)
    real = np.dtype(
        np.float32 if newx.dtype == np.float32 and held.char in "f" else float
    )
    cj = _core.ascontiguousarray(cj.astype(held, copy=False))
    y = _core.empty(newx.shape, held)
    newx = _core.ascontiguousarray(newx.astype(real, copy=False))
    if y.size:
        p = _library.struct.spline_points(
            n=cj.size, points=y.size, order=order, x0=x0, dx=dx
        )
        wide = _weights_dtype(held)
        _values[held, wide, real](c=cj, x=newx, y=y, p=p, work=y.size)
    return y.astype(dtype, copy=False)
