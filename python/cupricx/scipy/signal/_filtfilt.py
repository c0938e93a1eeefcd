"""Filters without delay: forward and backward along an axis."""

import functools

import numpy as np

from cupric import _core, linalg
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import replayed
from cupricx.scipy.signal._extensions import extended
from cupricx.scipy.signal._iir import (
    Checked,
    check_first,
    check_steady,
    coefficients,
    common_dtype,
    lfilter,
    prepare,
    run,
)
from cupricx.scipy.signal._rows import along, rows_of
from cupricx.scipy.signal._sos import (
    check_steady_sections,
    prepare_sections,
    run_sections,
    sections,
)

__all__ = ["filtfilt", "sosfiltfilt"]


def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """Apply a filter forward and backward along an axis, so that nothing is delayed.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        The numerator and denominator of the transfer function, of any order. NumPy's
        arrays, too: for these no call waits.
    x : array_like
        Input. The dtype in which `b`, `a` and `x` agree, float64 where they are
        integers, is that of the result.
    axis : int, optional
    padtype : {'odd', 'even', 'constant', None}, optional
        How the signal goes on beyond its ends, for the method 'pad'.
    padlen : int, optional
        How many elements more at either end, fewer than `x` has along `axis`:
        ``3 * max(len(a), len(b))`` by default.
    method : {'pad', 'gust'}, optional
        Filter an extended signal; or Gustafsson's method, which takes the states at
        both ends for which the order, forward or backward first, makes least
        difference.
    irlen : int, optional
        The length of the filter's impulse response, for the method 'gust': as long as
        the signal by default.

    Returns
    -------
    y : cupric.ndarray
        Of the shape of `x`.

    Raises
    ------
    ValueError
        `b` or `a` has not one axis, or no element; ``a[0]`` is zero; `x` is not longer
        than `padlen`; `padtype` or `method` is another.
    numpy.linalg.LinAlgError
        The coefficients of `a` add up to zero, so that a step has no steady state.

    References
    ----------
    F. Gustafsson, "Determining the initial states in forward-backward filtering", IEEE
    Transactions on Signal Processing 44, 988-992 (1996).

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import filtfilt
    >>> x = cp.arange(12.0)
    >>> cp.round(filtfilt([0.5, 0.5], [1.0], x), 9)
    array([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11.])
    """
    x = arguments.array(x, "x")
    b, a = coefficients(b, "b"), coefficients(a, "a")
    if method not in ("pad", "gust"):
        raise ValueError(f"method must be 'pad' or 'gust', not {method!r}.")
    dtype = _dtype("filtfilt", "b, a and x", [b, a, x])
    axis = arguments.axis(axis, x.ndim)
    check_first(a)
    if method == "gust":
        return _by_gustafsson(b, a, x, axis, irlen, dtype)
    edge = _padding(padtype, padlen, x, axis, max(a.size, b.size))
    if max(a.size, b.size) > 1:
        check_steady(a)
    return _padded(b, a, x, axis, dtype, padtype, edge)


def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    """Apply cascaded second-order sections forward and backward along an axis.

    Parameters
    ----------
    sos : array_like, shape (n_sections, 6)
        As for `sosfilt`.
    x : array_like
        Input. The dtype in which `sos` and `x` agree, float64 where they are integers,
        is that of the result.
    axis : int, optional
    padtype : {'odd', 'even', 'constant', None}, optional
        How the signal goes on beyond its ends.
    padlen : int, optional
        How many elements more at either end, fewer than `x` has along `axis`: by
        default three times the number of coefficients that the filter has as one
        polynomial.

    Returns
    -------
    y : cupric.ndarray
        Of the shape of `x`.

    Raises
    ------
    ValueError
        `sos` is not of shape ``(n_sections, 6)``; `x` is not longer than `padlen`;
        `padtype` is another.
    numpy.linalg.LinAlgError
        A step has no steady state.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import sosfiltfilt
    >>> x = cp.arange(9.0)
    >>> cp.round(sosfiltfilt([[0.5, 0.5, 0, 1, 0, 0]], x), 9)
    array([0., 1., 2., 3., 4., 5., 6., 7., 8.])
    """
    x = arguments.array(x, "x")
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D, not a number")
    sos = sections(sos)
    dtype = _dtype("sosfiltfilt", "sos and x", [sos, x])
    axis = arguments.axis(axis, x.ndim)
    edge = _padding(padtype, padlen, x, axis, _taps(sos))
    check_steady_sections(sos)
    return _padded_sections(sos, x, axis, dtype, padtype, edge)


@Checked
def _taps(sos):
    """The coefficients of the sections as one polynomial."""
    without = [(sos[:, k] == 0).sum() for k in (2, 5)]
    return 2 * len(sos) + 1 - int(min(without))


def _dtype(function, which, inputs):
    if np.result_type(*(v.dtype for v in inputs)).kind in "biu":
        return np.dtype(float)
    return common_dtype(function, which, inputs)


def _padding(padtype, padlen, x, axis, taps):
    """How many elements are put before and behind the signal."""
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(
            f"Unknown value {padtype!r} given to padtype. padtype must be 'even', "
            "'odd', 'constant', or None."
        )
    if padtype is None:
        padlen = 0
    edge = 3 * taps if padlen is None else padlen
    if x.shape[axis] <= edge:
        raise ValueError(
            "The length of the input vector x must be greater than padlen, which is "
            f"{edge}: x is of shape {x.shape}, and {x.shape[axis]} along axis {axis}."
        )
    return max(edge, 0)


# ---- extended signals ----------------------------------------------------------------


def _forward_and_backward(way, x, axis, dtype, padtype, edge):
    """Both ways: `way(n)` gives the function that filters rows of n elements."""
    held = np.promote_types(dtype, np.float32)
    rows = rows_of(x, axis, held)
    y = _core.empty(rows.shape, held)
    if y.size:
        longer = extended(rows, edge, padtype) if edge else rows
        between = _core.empty(longer.shape, held)
        run_one = way(longer.shape[-1])
        run_one(longer, between, steady=True)
        run_one(between, y, steady=True, backward=True, cut=edge)
    return along(y.astype(dtype, copy=False), axis)


@replayed
def _padded(b, a, x, axis, dtype, padtype, edge):
    held = np.promote_types(dtype, np.float32)
    b, a = (arguments.small(c, x, held) for c in (b, a))
    if max(b.size, a.size) == 1:
        y = rows_of(x, axis, held) * ((b / a) * (b / a))
        return along(y.astype(dtype, copy=False), axis)

    def way(n):
        return functools.partial(run, b, a, prepared=prepare(b, a, n))

    return _forward_and_backward(way, x, axis, dtype, padtype, edge)


@replayed
def _padded_sections(sos, x, axis, dtype, padtype, edge):
    sos = arguments.small(sos, x, np.promote_types(dtype, np.float32))

    def way(n):
        return functools.partial(run_sections, sos, prepared=prepare_sections(sos, n))

    return _forward_and_backward(way, x, axis, dtype, padtype, edge)


# ---- Gustafsson's method -------------------------------------------------------------


def _reversed(x):
    return x[..., ::-1]


@where_it_lives
def _by_gustafsson(b, a, x, axis, irlen, dtype):
    """Of states u before the signal and v behind it, forward and then backward gives

        y + P u + Q v, of which P = R F R O and Q = R O,

    where F filters from rest, O is what a state alone gives, and R reverses; backward
    and then forward gives z + O u + F Q v. The difference is made least.
    """
    wide = np.promote_types(dtype, np.float64)
    b, a = (arguments.small(c, x, wide) for c in (b, a))
    rows = rows_of(x, axis, wide)
    order, n = max(b.size, a.size) - 1, rows.shape[-1]
    if x.size == 0:
        return _core.empty(x.shape, dtype, device=x.device)
    if order == 0:
        return along((rows * (b / a) ** 2).astype(dtype, copy=False), axis)
    m = n if irlen is None or n <= 2 * irlen else irlen

    def forward(x):
        return lfilter(b, a, x)

    def backward(x):
        return _reversed(lfilter(b, a, _reversed(x)))

    y = backward(forward(rows))
    difference = forward(backward(rows)) - y
    unit = _core.zeros((order, order), wide)
    unit.reshape(-1)[:: order + 1] = 1
    alone = lfilter(b, a, _core.zeros((order, m), wide), zi=unit)[0]
    of_u, of_v = backward(alone), _reversed(alone)
    by_u, by_v = of_u - alone, of_v - forward(of_v)
    if m == n:
        states = _least(_core.concatenate([by_u, by_v]), difference)
        y = y + states[..., :order] @ of_u + states[..., order:] @ of_v
    else:
        y[..., :m] += _least(by_u, difference[..., :m]) @ of_u
        y[..., n - m :] += _least(by_v, difference[..., n - m :]) @ of_v
    return along(y.astype(dtype, copy=False), axis)


def _least(terms, rows):
    """Of each row, the states for which ``states @ terms`` is next to it."""
    flat = rows.reshape(-1, rows.shape[-1])
    q, r = linalg.qr(terms.T)
    found = linalg.pinv(r) @ (q.T.conj() @ flat.T)
    return found.T.reshape(*rows.shape[:-1], -1)
