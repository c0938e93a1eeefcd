"""Waveforms: chirps, pulses, sawtooths, impulses, maximum length sequences."""

import functools
import math
import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import contiguous, where_it_lives
from cupric._lib.kernels import Library, replayed

__all__ = [
    "chirp",
    "gausspulse",
    "max_len_seq",
    "sawtooth",
    "square",
    "sweep_poly",
    "unit_impulse",
]

_library = Library(__file__)


def _example(xp):
    t = xp.arange(100.0) / 100
    return [
        chirp(t, 1, 1, 9),
        chirp(t, 1, 1, 9, complex=True),
        sweep_poly(t, [1.0, 2.0]),
        gausspulse(t, 5),
        *gausspulse(t, 5, retquad=True, retenv=True),
        *gausspulse(t, 5, retquad=True),
        *gausspulse(t, 5, retenv=True),
        sawtooth(30 * t, 0.5),
        square(30 * t),
        *max_len_seq(9),
    ]


_chirps = _library.kernel("chirps", elements="n", ships="always", example=_example)
_complex_chirps = _library.kernel(
    "complex_chirps", elements="n", ships="always", example=_example
)
_sweeps = _library.kernel(
    "polynomial_sweeps", elements="n", ships="always", example=_example
)
_pulses = _library.kernel(
    "pulses<QUADRATURE, ENVELOPE>",
    elements="n",
    ships="00 01 10 11",
    example=_example,
)
_sequence = _library.kernel(
    "maximum_length", elements="runs", ships="always", example=_example
)
_sawtooth = _library.elementwise(
    "sawtooth",
    "float64 t, float64 width",
    "float64 y",
    "y = sawtooth_at(t, width)",
    ships="always | values width",
    example=_example,
)
_square = _library.elementwise(
    "square",
    "float64 t, float64 duty",
    "float64 y",
    "y = square_at(t, duty)",
    ships="always | values duty",
    example=_example,
)

_METHODS = {
    "linear": "LINEAR",
    "lin": "LINEAR",
    "li": "LINEAR",
    "quadratic": "QUADRATIC",
    "quad": "QUADRATIC",
    "q": "QUADRATIC",
    "logarithmic": "LOGARITHMIC",
    "log": "LOGARITHMIC",
    "lo": "LOGARITHMIC",
    "hyperbolic": "HYPERBOLIC",
    "hyp": "HYPERBOLIC",
}


def _times(t, name="t"):
    """Times, as contiguous float64."""
    t = arguments.array(t, name)
    if t.dtype.kind == "c":
        raise TypeError(f"{name} must be real, and is of {t.dtype}")
    return contiguous(t.astype(np.float64, copy=False))


def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    """A cosine whose frequency is swept.

    Parameters
    ----------
    t : array_like
        Times.
    f0 : float
        The frequency at time 0.
    t1, f1 : float
        Another time, and the frequency then.
    method : {'linear', 'quadratic', 'logarithmic', 'hyperbolic'}, optional
        How the frequency depends on time.
    phi : float, optional
        The phase at time 0, in degrees.
    vertex_zero : bool, optional
        Of 'quadratic': whether the parabola has its vertex at time 0, or at `t1`.
    complex : bool, optional
        Whether the result is the analytic signal, ``exp(1j * phase)``.

    Returns
    -------
    cupric.ndarray
        float64 or complex128, of the shape of `t`.

    Raises
    ------
    ValueError
        `method` is another word, or has no sweep from `f0` to `f1`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import chirp
    >>> chirp(cp.array([0.0, 1.0, 2.0]), f0=1, t1=2, f1=2).round(6)
    array([1., 0., 1.])
    """
    f0, t1, f1, phi = (float(v) for v in (f0, t1, f1, phi))
    if method not in _METHODS:
        raise ValueError(
            "method must be 'linear', 'quadratic', 'logarithmic', or 'hyperbolic', but "
            f"a value of {method!r} was given."
        )
    kind = _METHODS[method]
    if kind == "LOGARITHMIC" and f0 * f1 <= 0:
        raise ValueError(
            "For a logarithmic chirp, f0 and f1 must be nonzero and have the same "
            f"sign, and are {f0} and {f1}."
        )
    if kind == "HYPERBOLIC" and (f0 == 0 or f1 == 0):
        raise ValueError(
            f"For a hyperbolic chirp, f0 and f1 must be nonzero, not {f0} and {f1}."
        )
    if t1 == 0 and kind != "HYPERBOLIC":
        raise ZeroDivisionError(f"t1={t1}: the frequencies are of one time")
    return _chirp(
        _times(t), (f0, t1, f1, math.radians(phi)), kind, vertex_zero, complex
    )


@replayed
def _chirp(t, numbers, kind, vertex_zero, is_complex):
    f0, t1, f1, phi = numbers
    y = _core.empty(t.shape, np.complex128 if is_complex else np.float64)
    s = _library.struct.sweep(
        f0=f0,
        t1=t1,
        f1=f1,
        phi=phi,
        growth=math.log(f1 / f0) if kind == "LOGARITHMIC" else 0.0,
        method=getattr(_library.enum, kind),
        vertex_zero=bool(vertex_zero),
    )
    if t.size:
        (_complex_chirps if is_complex else _chirps)[()](t=t, y=y, s=s, n=t.size)
    return y


def sweep_poly(t, poly, phi=0):
    """A cosine whose frequency is a polynomial of the time.

    Parameters
    ----------
    t : array_like
        Times.
    poly : array_like or poly1d
        The polynomial's coefficients, those of the highest power first.
    phi : float, optional
        The phase at time 0, in degrees.

    Returns
    -------
    cupric.ndarray
        float64, of the shape of `t`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import sweep_poly
    >>> sweep_poly(cp.array([0.0, 0.5, 1.0]), [1.0, 0.5]).round(6)
    array([ 1.      , -0.707107,  1.      ])
    """
    t = _times(t)
    poly = getattr(poly, "coeffs", poly)
    if np.ndim(poly) != 1:
        kind = TypeError if np.ndim(poly) == 0 else ValueError
        raise kind(f"poly has one axis, not {np.ndim(poly)}")
    p = arguments.small(poly, t)
    if p.dtype.kind == "c":
        raise TypeError(f"poly must be real, and is of {p.dtype}")
    return _sweep(t, p.astype(np.float64, copy=False), math.radians(float(phi)))


@replayed
def _sweep(t, p, phi):
    y = _core.empty(t.shape, np.float64)
    if t.size:
        _sweeps[()](t=t, y=y, p=p, count=p.size, phi=phi, n=t.size)
    return y


def gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False):
    """A cosine in a Gaussian envelope, ``exp(-a * t**2) * cos(2 * pi * fc * t)``.

    Parameters
    ----------
    t : array_like or 'cutoff'
        Times; or 'cutoff', for the time at which the envelope has fallen to `tpr`.
    fc : float, optional
        The carrier's frequency.
    bw : float, optional
        The bandwidth, as a part of `fc`.
    bwr : float, optional
        The level at which the bandwidth is measured, in dB.
    tpr : float, optional
        The level of 'cutoff', in dB.
    retquad, retenv : bool, optional
        Whether the sine in that envelope, and the envelope, are returned as well.

    Returns
    -------
    yI : cupric.ndarray
        float64, of the shape of `t`; of 'cutoff' a number, the time.
    yQ, yenv : cupric.ndarray
        Where `retquad` and `retenv` are true.

    Raises
    ------
    ValueError
        An argument is out of bounds.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import gausspulse
    >>> gausspulse(cp.array([0.0, 0.05, 0.1]), fc=5).round(4)
    array([ 1.    ,  0.    , -0.7999])
    """
    if fc < 0:
        raise ValueError(f"Center frequency (fc={fc:.2f}) must be >=0.")
    if bw <= 0:
        raise ValueError(f"Fractional bandwidth (bw={bw:.2f}) must be > 0.")
    if bwr >= 0:
        raise ValueError(
            f"Reference level for bandwidth (bwr={bwr:.2f}) must be < 0 dB"
        )
    # The spectrum is a Gaussian as well: at fc (1 + bw / 2) it has the level bwr.
    a = -((math.pi * fc * bw) ** 2) / (4 * math.log(10 ** (bwr / 20)))
    if isinstance(t, str):
        if t != "cutoff":
            raise ValueError("If `t` is a string, it must be 'cutoff'")
        if tpr >= 0:
            raise ValueError("Reference level for time cutoff must be < 0 dB")
        return math.sqrt(-math.log(10 ** (tpr / 20)) / a)
    t = _times(t)
    wanted = [1, int(bool(retquad)), int(bool(retenv))]
    made = [
        _core.empty(t.shape, np.float64, device=t.device) if w else None for w in wanted
    ]
    if t.size:
        in_phase, quadrature, envelope = made
        p = _library.struct.pulse(a=a, fc=float(fc))
        _pulses[wanted[1], wanted[2]](
            t=t,
            in_phase=in_phase,
            quadrature=quadrature,
            envelope=envelope,
            p=p,
            n=t.size,
        )
    made = [y for y in made if y is not None]
    return made[0] if len(made) == 1 else tuple(made)


def _real(value, name, like=None):
    if like is not None and np.ndim(value):
        value = arguments.small(value, like)
    else:
        value = arguments.array(value, name)
    if value.dtype.kind == "c":
        raise TypeError(f"{name} must be real, and is of {value.dtype}")
    return value.astype(np.float64, copy=False)


def _number_or_array(value, name, like):
    """A number as such: its kernel comes compiled."""
    if isinstance(value, (int, float)):
        return float(value)
    return _real(value, name, like)


@where_it_lives
def sawtooth(t, width=1):
    """A sawtooth or a triangle of period ``2 * pi``, from -1 to 1.

    Parameters
    ----------
    t : array_like
        Times.
    width : array_like, optional
        The part of a period in which it rises, from 0 to 1.

    Returns
    -------
    cupric.ndarray
        float64; NaN where `width` is out of bounds.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import sawtooth
    >>> sawtooth(cp.pi * cp.array([0.0, 0.5, 1.0, 1.5]))
    array([-1. , -0.5,  0. ,  0.5])
    """
    t = _real(t, "t")
    return _sawtooth(t, _number_or_array(width, "width", t))


@where_it_lives
def square(t, duty=0.5):
    """A square wave of period ``2 * pi``, of -1 and 1.

    Parameters
    ----------
    t : array_like
        Times.
    duty : array_like, optional
        The part of a period in which it is 1, from 0 to 1.

    Returns
    -------
    cupric.ndarray
        float64; NaN where `duty` is out of bounds.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import square
    >>> square(cp.pi * cp.array([0.0, 0.5, 1.0, 1.5]))
    array([ 1.,  1., -1., -1.])
    """
    t = _real(t, "t")
    return _square(t, _number_or_array(duty, "duty", t))


def unit_impulse(shape, idx=None, dtype=float):
    """Zeros, but for a one.

    Parameters
    ----------
    shape : int or tuple of ints
    idx : int, tuple of ints or 'mid', optional
        Where the one is: at the beginning by default. An int stands for every axis.
    dtype : dtype, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> from cupricx.scipy.signal import unit_impulse
    >>> unit_impulse(5, 2)
    array([0., 0., 1., 0., 0.])
    >>> unit_impulse((3, 3), "mid", int)
    array([[0, 0, 0],
           [0, 1, 0],
           [0, 0, 0]])
    """
    out = _core.zeros(shape, dtype)
    if idx is None:
        idx = (0,) * out.ndim
    elif isinstance(idx, str) and idx == "mid":
        idx = tuple(n // 2 for n in out.shape)
    elif not hasattr(idx, "__iter__"):
        idx = (idx,) * out.ndim
    out[tuple(idx)] = 1
    return out


# ---- maximum length sequences --------------------------------------------------------

# Of each number of bits, the taps of a primitive polynomial besides the first element.
_TAPS = {
    2: (1,),
    3: (2,),
    4: (3,),
    5: (3,),
    6: (5,),
    7: (6,),
    8: (1, 6, 7),
    9: (5,),
    10: (7,),
    11: (9,),
    12: (4, 10, 11),
    13: (8, 11, 12),
    14: (2, 12, 13),
    15: (14,),
    16: (4, 13, 15),
    17: (14,),
    18: (11,),
    19: (14, 17, 18),
    20: (17,),
    21: (19,),
    22: (21,),
    23: (18,),
    24: (17, 22, 23),
    25: (22,),
    26: (20, 24, 25),
    27: (22, 25, 26),
    28: (25,),
    29: (27,),
    30: (7, 28, 29),
    31: (28,),
    32: (10, 30, 31),
}


def max_len_seq(nbits, state=None, length=None, taps=None):
    """A maximum length sequence, of a shift register with linear feedback.

    Parameters
    ----------
    nbits : int
        Bits of the register.
    state : array_like, shape (nbits,), optional
        What it holds first, as bools; ones by default.
    length : int, optional
        Elements of the sequence; its period, ``2**nbits - 1``, by default.
    taps : array_like of ints, optional
        Which bits are fed back, besides the first: those of a primitive polynomial by
        default, for 2 to 32 bits.

    Returns
    -------
    seq : cupric.ndarray, shape (length,)
        int8, of zeros and ones.
    state : cupric.ndarray, shape (nbits,)
        int8: what the register holds afterwards.

    Raises
    ------
    ValueError
        An argument is out of bounds, or `state` has zeros alone.

    References
    ----------
    Solomon W. Golomb, "Shift Register Sequences", Holden-Day, 1967.

    Examples
    --------
    >>> from cupricx.scipy.signal import max_len_seq
    >>> max_len_seq(3)
    (array([1, 1, 1, 0, 1, 0, 0], dtype=int8), array([1, 1, 1], dtype=int8))
    """
    nbits = operator.index(nbits)
    taps = _feedback(nbits, taps)
    state = _register(nbits, state)
    length = 2**nbits - 1 if length is None else int(length)
    if length < 0:
        raise ValueError(f"length must be greater than or equal to 0, not {length}")
    if nbits > _library.enum.MLS_BITS:
        return _long_register(nbits, state, length, taps)
    return _short_register(nbits, state, length, taps)


def _feedback(nbits, taps):
    """The bits whose sum comes in at the end of the register."""
    if taps is None:
        if nbits not in _TAPS:
            raise ValueError(
                f"nbits must be between 2 and 32 if taps is None, not {nbits}"
            )
        return {0, *_TAPS[nbits]}
    if isinstance(taps, _core.ndarray):
        taps = taps.get()
    taps = np.unique(np.asarray(taps).astype(np.int64)).tolist()
    if not taps or taps[0] < 0 or taps[-1] > nbits:
        raise ValueError(
            "taps must be non-empty with values between zero and nbits (inclusive), "
            f"not {taps} for {nbits}"
        )
    # The last bit is the first again: an even number of times it falls out of the sum.
    first = (1 + (0 in taps) + (nbits in taps)) % 2
    return {t for t in taps if 0 < t < nbits} | ({0} if first else set())


def _register(nbits, state):
    if state is None:
        return np.ones(nbits, bool)
    if isinstance(state, _core.ndarray):
        state = state.get()
    state = np.asarray(state).astype(bool)
    if state.shape != (nbits,):
        raise ValueError(
            f"state must be a 1-D array of size nbits={nbits}, and is of shape "
            f"{state.shape}"
        )
    if not state.any():
        raise ValueError("state must not be all zeros")
    return state


def _short_register(nbits, state, length, taps):
    run = _library.enum.MLS_RUN
    runs = length // run + 1  # the last is where the sequence ends, and may be empty
    powers = _powers(nbits, tuple(sorted(taps)), runs.bit_length())
    seq = _core.empty(length, np.int8)
    last = _core.empty(nbits, np.int8)
    s = _library.struct.shift_register(
        state=sum(1 << int(k) for k in np.flatnonzero(state)),
        taps=sum(1 << t for t in taps),
        length=length,
        bits=nbits,
        powers=len(powers),
    )
    powers = arguments.small(powers, seq)
    _sequence[()](y=seq, last=last, powers=powers, s=s, runs=runs)
    return seq, last


@functools.lru_cache(maxsize=64)
def _powers(nbits, taps, count):
    """Matrices that take the register MLS_RUN * 2**k steps on, as columns of bits."""
    columns = [1 << k - 1 if k else 0 for k in range(nbits)]
    for t in taps:
        columns[t] |= 1 << nbits - 1
    matrix = np.array(columns, np.uint64)
    powers = []
    for k in range(_library.enum.MLS_RUN.bit_length() - 1 + count):
        if k >= _library.enum.MLS_RUN.bit_length() - 1:
            powers.append(matrix)
        has = matrix[:, None] >> np.arange(nbits, dtype=np.uint64) & np.uint64(1)
        matrix = np.bitwise_xor.reduce(has * matrix, axis=1)
    return np.array(powers, np.uint64).reshape(count, nbits)


def _long_register(nbits, state, length, taps):
    """Of more bits than a word has.

    Over the integers modulo 2 the square of a polynomial has the same terms at twice
    the distance: what there is of the sequence gives ever more of it at once.
    """
    size = length + nbits
    x = _core.empty(size, np.int8)
    x[:nbits] = _core.array(state.astype(np.int8))
    known, apart = nbits, 1
    gap = nbits - max(taps, default=0)
    while known < size:
        while 2 * apart * nbits <= known:
            apart *= 2
        end = min(known + gap * apart, size)
        n, start = end - known, known - nbits * apart
        new = _core.zeros(n, np.int8)
        for t in taps:
            new ^= x[start + t * apart : start + t * apart + n]
        x[known:end] = new
        known = end
    return x[:length].copy(), x[length:].copy()
