"""Recursive filters along an axis: scans over the filter's state."""

import math
import weakref

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.algorithms import plan_scan
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal._convolution import convolve
from cupricx.scipy.signal._design._on_host import on_host
from cupricx.scipy.signal._direct import run_direct
from cupricx.scipy.signal._rows import along, rows_of

__all__ = [
    "Checked",
    "check_first",
    "check_steady",
    "coefficients",
    "common_dtype",
    "deconvolve",
    "lfilter",
    "lfilter_zi",
    "lfiltic",
    "make_coefficients",
    "places",
    "prepare",
    "run",
    "side_by_side",
]

_library = Library(__file__)

# Orders that kernels are compiled for: others are those of the next one, with zeros.
_HELD = (1, 2, 4, 8)
# Rows that are filtered side by side on the host.
_HOST_ROWS = 4


def _example(xp):
    made = []
    for dtype in "fdFD":
        x = xp.asarray(np.cos(np.arange(6000.0) ** 2).astype(dtype))
        orders = ([0.75], [0.7, 0.8], [0.5, -0.5, 0.3], [0.1] * 7)
        for poles in orders[:2] if dtype in "FD" else orders:
            a = 2 * np.poly(poles)
            order = len(a) - 1
            b = xp.asarray(np.array([0.5, 0.25, 0.125][: order + 1], dtype))
            a = xp.asarray(a.astype(dtype))
            zi = xp.ones((1, order), dtype)
            made.append(lfilter(b, a, x))
            made += lfilter(b, a, x.reshape(60, 100)[:1], zi=zi)
            made.append(lfilter(b, a, x.reshape(60, 100), axis=0))
    return made


_powers = _library.kernel(
    "iir_powers<T, W, K>",
    blocks="n",
    threads="IIR_SQUARE",
    ships="fd1 fd2 fd4 fd8 dd1 dd2 dd4 dd8 FD1 FD2 DD1 DD2",
    example=_example,
)
_rows = _library.kernel(
    "iir_rows<T, W, K>",
    blocks="s.tiles",
    threads="SCAN_THREADS",
    ships="fd1 fd2 fd4 fd8 dd1 dd2 dd4 dd8 FD1 FD2 DD1 DD2",
    example=_example,
)


def lfilter(b, a, x, axis=-1, zi=None):
    """Filter data along an axis with an IIR or FIR filter.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        The numerator and denominator of the transfer function, of any order; both are
        divided by ``a[0]``. NumPy's arrays, too: for these no call waits.
    x : array_like
        Input. The dtype in which `b`, `a`, `x` and `zi` agree is that of the result:
        float16, float32, float64, complex64 or complex128. Sums are float64 in any
        case.
    axis : int, optional
    zi : array_like, optional
        The states of the filter's delays before the first element: of the shape of `x`,
        with ``max(len(a), len(b)) - 1`` along `axis`, or 1 along others.

    Returns
    -------
    y : cupric.ndarray
        Of the shape of `x`.
    zf : cupric.ndarray
        The states after the last element; where `zi` was passed. Filtering piece after
        piece, each with the states after the one before, gives what the whole does.

    Raises
    ------
    ValueError
        `b` or `a` has not one axis, or no element; ``a[0]`` is zero; `axis` is out of
        bounds; `zi` has another shape.
    NotImplementedError
        Dtypes that agree in integers.

    Notes
    -----
    Where `a` is an array of a GPU, the first call with it waits until it is there, to
    look at ``a[0]``.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import lfilter
    >>> x = cp.array([1.0, 0, 0, 0])
    >>> lfilter([1.0], [1.0, -0.5], x)
    array([1.   , 0.5  , 0.25 , 0.125])
    >>> y, zf = lfilter([1.0], [1.0, -0.5], x, zi=cp.array([8.0]))
    >>> y
    array([9.   , 4.5  , 2.25 , 1.125])
    >>> zf
    array([0.5625])
    """
    x = arguments.array(x, "x")
    b, a = coefficients(b, "b"), coefficients(a, "a")
    inputs = [b, a, x]
    if zi is not None:
        zi = arguments.array(zi, "zi")
        inputs.append(zi)
    dtype = common_dtype("lfilter", "b, a, x and zi", inputs)
    axis = arguments.axis(axis, x.ndim)
    order = max(b.size, a.size) - 1
    if zi is not None:
        zi = _initial(zi, x.shape, axis, order)
    check_first(a)
    if x.size and a.size == 1 and order > _library.enum.IIR_ORDERS:
        return _convolved(b, a, x, axis, dtype, zi)
    if zi is None:
        return _filtered(b, a, x, axis, dtype)
    zf = _core.empty(zi.shape, dtype, device=x.device)
    y = _filtered(b, a, x, axis, dtype, zi, zf)
    return y, zf


@on_host
def lfilter_zi(b, a):
    """Initial states of `lfilter` for the steady state of a step.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        The numerator and denominator of the transfer function.

    Returns
    -------
    zi : cupric.ndarray, shape (max(len(a), len(b)) - 1,)
        Scaled by the first element of a signal, it is the state of a filter that has
        been fed with it for ever.

    Raises
    ------
    ValueError
        `b` or `a` has not one axis, or no element that is not zero; both have one.
    numpy.linalg.LinAlgError
        The coefficients of `a` add up to zero: a step has no steady state.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import lfilter, lfilter_zi
    >>> b, a = cp.array([1.0, 1.0]), cp.array([1.0, -0.5])
    >>> zi = lfilter_zi(b, a)
    >>> zi
    array([3.])
    >>> lfilter(b, a, cp.ones(3), zi=zi)[0]
    array([4., 4., 4.])
    """
    b, a = _polynomial(b, "Numerator b"), _polynomial(a, "Denominator a")
    if not a.any():
        raise ValueError(
            f"There must be at least one nonzero `a` coefficient, not {a.size} zeros."
        )
    a = a[np.flatnonzero(a)[0] :]
    if max(a.size, b.size) < 2:
        raise ValueError(
            "The length of `a` along the last axis must be at least 2, or that of `b`: "
            f"they are {a.size} and {b.size}"
        )
    check_steady.check(a)
    return steady_state(*_as_floats(b, a))


def _polynomial(c, name):
    c = np.atleast_1d(np.asarray(c))
    if c.ndim != 1:
        raise ValueError(f"{name} must be 1-D, not of shape {c.shape}.")
    return c


def _as_floats(*arrays):
    dtype = np.result_type(*arrays)
    if dtype.kind in "biu":
        dtype = np.dtype(float)
    return (v.astype(dtype, copy=False) for v in arrays)


@on_host
def lfiltic(b, a, y, x=None):
    """Initial states of `lfilter` from the results and inputs before the first element.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        The numerator and denominator of the transfer function.
    y : array_like
        Results, the latest first: ``y[-1], y[-2], ...``; zero where it is too short.
    x : array_like, optional
        Inputs, the latest first; zero by default, and where it is too short.

    Returns
    -------
    zi : cupric.ndarray, shape (max(len(a), len(b)) - 1,)

    Raises
    ------
    ValueError
        `b` or `a` has not one axis; ``a[0]`` is zero.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import lfiltic
    >>> lfiltic([1.0], [1.0, -0.5], cp.array([8.0]))
    array([4.])
    """
    b, a = _polynomial(b, "Numerator b"), _polynomial(a, "Filter coefficients `a`")
    if a[0] == 0:
        raise ValueError(
            "First `a` filter coefficient must be non-zero: it divides the others "
            f"(a has shape {a.shape})."
        )
    y, x = _polynomial(y, "y"), _polynomial([] if x is None else x, "x")
    of_x = x[: b.size - 1] if x.size else np.zeros(0, b.dtype)
    b, a, y, x = _as_floats(b, a, y[: a.size - 1], of_x)
    before = np.zeros(max(a.size, b.size) - 1, b.dtype)
    for c, values in ((b, x), (-a, y)):
        for i in range(c.size - 1):
            n = min(c.size - 1 - i, values.size)
            before[i] += c[i + 1 : i + 1 + n] @ values[:n]
    return before / a[0]


@where_it_lives
def deconvolve(signal, divisor):
    """Divide a polynomial by another: ``signal = convolve(divisor, quotient) +
    remainder``.

    Parameters
    ----------
    signal, divisor : array_like, shape (n,)

    Returns
    -------
    quotient : cupric.ndarray, shape (max(len(signal) - len(divisor) + 1, 0),)
    remainder : cupric.ndarray, shape (len(signal),)
        Both are float64 or complex128; where `divisor` is the longer one, the remainder
        is `signal`.

    Raises
    ------
    ValueError
        `signal` or `divisor` has not one axis, or no element; ``divisor[0]`` is zero.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import deconvolve
    >>> quotient, remainder = deconvolve(cp.array([2.0, 3, 1]), [2.0, 1])
    >>> quotient
    array([1., 1.])
    >>> remainder
    array([0., 0., 0.])
    """
    signal = arguments.array(signal, "signal")
    divisor = coefficients(divisor, "divisor")
    if signal.ndim == 0:
        signal = signal.reshape(1)
    if signal.ndim != 1 or signal.size == 0:
        raise ValueError(
            "Parameter signal must be non-empty 1d array, but its shape is "
            f"{signal.shape}!"
        )
    n = signal.size - divisor.size + 1
    if n <= 0:
        return _core.empty(0, signal.dtype, device=signal.device), signal.copy()
    dtype = np.result_type(signal.dtype, divisor.dtype, np.float64)
    quotient = lfilter(np.array([1.0]), divisor, signal[:n].astype(dtype))
    divisor = arguments.small(divisor, signal, dtype)
    product = convolve(divisor, quotient, method="direct")
    return quotient, signal - product


# ---- arguments -----------------------------------------------------------------------


def coefficients(c, name):
    """A polynomial, of the device or of the host, of one axis."""
    if not isinstance(c, _core.ndarray):
        c = np.asarray(c)
    if c.ndim == 0:
        c = c.reshape(1)
    if c.ndim != 1 or c.size == 0:
        raise ValueError(
            f"Parameter {name} is not a non-empty 1d array, since its shape is "
            f"{c.shape}"
        )
    return c


def common_dtype(function, which, inputs):
    """The dtype in which arrays agree, that of the result."""
    dtype = _core.result_type(*(v.dtype for v in inputs))
    if dtype.char not in "efdFD":
        raise NotImplementedError(
            f"{function} of {dtype}: {which} agree in it, and filters are of float16, "
            "float32, float64, complex64 and complex128"
        )
    return dtype


class Checked:
    """A check of small arrays of numbers. One of the host is checked in each call; one
    of a GPU in the first call with it, so that later ones do not wait for the device.

    Parameters
    ----------
    check : callable
        Of a NumPy array: raises, or returns what calls return.
    """

    def __init__(self, check):
        self.check, self.seen = check, {}

    def __call__(self, a):
        if not isinstance(a, _core.ndarray):
            return self.check(a)
        seen = self.seen.get(id(a))
        if seen is not None and seen[0]() is a:
            return seen[1]
        result = self.check(a.get())
        if not _library.on_host(a):
            self._keep(a, result)
        return result

    def _keep(self, a, result):
        """The result, as long as the array is there."""
        key, seen = id(a), self.seen

        def forget(reference):
            if seen.get(key, (None,))[0] is reference:
                seen.pop(key, None)

        seen[key] = weakref.ref(a, forget), result


@Checked
def check_first(a):
    """ValueError where a[0] is zero."""
    if a[0] == 0:
        raise ValueError(
            f"a[0], by which coefficients are divided, is zero (a has shape {a.shape})"
        )


@Checked
def check_steady(a):
    """LinAlgError where a step makes the filter grow, or swing, for ever."""
    if a.sum() == 0:
        raise np.linalg.LinAlgError(
            "Singular matrix: the coefficients of `a` add up to zero, and a step has "
            f"no steady state (a has shape {a.shape})"
        )


def _initial(zi, shape, axis, order):
    """The states, of the shape that they should have, in which 1 stands for any
    length of an axis other than `axis`."""
    expected = (*shape[:axis], order, *shape[axis + 1 :])
    fits = zi.ndim == len(shape) and all(
        n == m or (n == 1 and k != axis)
        for k, (n, m) in enumerate(zip(zi.shape, expected, strict=True))
    )
    if not fits:
        raise ValueError(
            f"Unexpected shape for parameter zi: expected {expected}, found {zi.shape}"
        )
    return _core.broadcast_to(zi, expected)


# ---- filters -------------------------------------------------------------------------


@where_it_lives
def _convolved(b, a, x, axis, dtype, zi):
    """A filter that is not recursive, as a convolution."""
    held = np.promote_types(dtype, np.float32)
    b, a = (arguments.small(c, x, held) for c in (b, a))
    rows = x.swapaxes(axis, -1).astype(held, copy=False)
    b = (b / a).reshape((1,) * (x.ndim - 1) + (b.size,))
    full = convolve(rows, b, method="direct")
    n, order = rows.shape[-1], b.size - 1
    if zi is not None:
        full[..., :order] += zi.swapaxes(axis, -1)
    full = full.astype(dtype, copy=False)
    y = _core.ascontiguousarray(full[..., :n].swapaxes(axis, -1))
    if zi is None:
        return y
    return y, _core.ascontiguousarray(full[..., n:].swapaxes(axis, -1))


@replayed
def _filtered(b, a, x, axis, dtype, zi=None, zf=None):
    """The result; `zf` becomes the states at the end."""
    order = max(b.size, a.size) - 1
    held = np.promote_types(dtype, np.float32)
    b, a = (arguments.small(c, x, held) for c in (b, a))
    rows = rows_of(x, axis, held)
    if zi is not None:
        zi = rows_of(zi, axis, held)
    if x.size == 0 or order == 0:
        y = rows * (b / a) if order == 0 else _core.empty(rows.shape, held)
        if zf is not None and zf.size:
            zf[...] = zi.swapaxes(axis, -1)
    else:
        y = _core.empty(rows.shape, held)
        ends = zf
        if zf is not None and (axis != zf.ndim - 1 or held != dtype):
            ends = _core.empty(zi.shape, held)
        run(b, a, rows, y, zi, ends)
        if ends is not zf:
            zf[...] = ends.swapaxes(axis, -1)
    return along(y.astype(dtype, copy=False), axis)


def run(
    b,
    a,
    x,
    y,
    zi=None,
    zf=None,
    *,
    backward=False,
    steady=False,
    cut=0,
    prepared=None,
):
    """y = the filter of rows x, (..., n).

    Parameters
    ----------
    b, a, x, y, zi, zf : cupric.ndarray
        Contiguous, of one dtype, float32 and above. `zf` becomes the states at the end.
    backward : bool
        The last element first.
    steady : bool
        Rows begin as if they had been their first element before; without `zi`.
    cut : int
        Elements at either end of a row of which there are no results.
    prepared : optional
        Of `prepare`, for rows as long as these.
    """
    order = max(b.size, a.size) - 1
    if not _is_scan(b, a):
        _run_directly(b, a, x, y, zi, zf, backward, steady, cut)
        return
    held = _held(order)
    n = x.shape[-1]
    wide = np.promote_types(x.dtype, np.float64)
    rows = math.prod(x.shape[:-1])
    c, length = prepared or prepare(b, a, n)
    state = 8 + held * wide.itemsize
    if wide.kind == "c":
        state = 16 + held * wide.itemsize  # complex numbers are aligned to their size
    s, workspace = plan_scan(_library, x, rows, n, state)
    if workspace is None and _library.on_host(x):
        s = side_by_side(s)
    at = _library.struct.iir_signal(
        **places(n, cut, backward), order=order, is_steady=steady, c_step=length
    )
    _rows[x.dtype, wide, held](
        x=x, y=y, zi=zi, zf=zf, c=c, at=at, s=s, workspace=workspace
    )


def _is_scan(b, a):
    """Whether states are held in registers. Not of a filter without recursion: it has
    forgotten an infinity, or a NaN, that a power of its matrix would not."""
    return a.size > 1 and max(b.size, a.size) <= _library.enum.IIR_ORDERS + 1


def _held(order):
    return next(k for k in _HELD if k >= order)


def prepare(b, a, n):
    """What kernels read of a filter that runs several times along rows of n elements;
    None of one that is no scan."""
    if not _is_scan(b, a):
        return None
    order = max(b.size, a.size) - 1
    wide = np.promote_types(b.dtype, np.float64)
    return make_coefficients(b, a, _held(order), n, wide)


def side_by_side(s):
    """The layout of whole rows on the host, in tiles of as many as are the lanes of a
    vector, or several times as many."""
    s = s.copy()
    rows = _HOST_ROWS * max(1, int(s["together"][0]) // _HOST_ROWS)
    s["together"] = rows
    s["tiles"] = -(-s["rows"] // rows)
    return s


def make_coefficients(b, a, order, n, wide, filters=1, step=0):
    """What kernels read of filters for rows of n elements, and how many numbers that
    takes of each; `step`: from the coefficients of one to those of the next."""
    enum = _library.enum
    powers = n.bit_length()
    length = enum.IIR_TRANSITIONS + 2 * powers * order * order
    c = _core.empty(filters * length, wide)
    p = _library.struct.iir_sizes(
        b=min(b.size, order + 1),
        a=min(a.size, order + 1),
        powers=powers,
        step=step,
        c_step=length,
    )
    _powers[b.dtype, wide, order](b=b, a=a, c=c, p=p, n=filters)
    return c, length


def places(n, cut, backward):
    """Fields of an `iir_signal`: rows of n elements, and of their results."""
    return {
        "x_row": n,
        "x_first": n - 1 if backward else 0,
        "y_row": n - 2 * cut,
        "y_first": n - cut - 1 if backward else -cut,
        "begin": cut,
        "end": n - cut,
        "is_reversed": backward,
    }


def _run_directly(b, a, x, y, zi, zf, backward, steady, cut):
    """The same, of filters that are no scans."""
    if backward:
        x = _core.ascontiguousarray(x[..., ::-1])
    if steady:
        zi = steady_state(b, a) * x[..., :1]
    made = y if cut == 0 and not backward else _core.empty(x.shape, x.dtype)
    run_direct(b, a, x, made, zi, zf)
    if made is not y:
        made = made[..., ::-1] if backward else made
        y[...] = made[..., cut : made.shape[-1] - cut]


def steady_state(b, a):
    """The state that a signal of ones leaves as it is; of NumPy's arrays or the
    device's."""
    xp = _core if isinstance(b, _core.ndarray) else np
    order = max(b.size, a.size) - 1
    both = xp.zeros((2, order + 1), b.dtype)
    both[0, : b.size] = b
    both[1, : a.size] = a
    gain = both[0].sum() / both[1].sum()
    terms = (both[0] - both[1] * gain) / a[0]
    return terms[:0:-1].cumsum()[::-1]
