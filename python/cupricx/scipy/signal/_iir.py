"""Recursive filters along an axis: scans over the filter's state."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.algorithms import plan_scan
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal._convolution import convolve

__all__ = ["lfilter"]

_library = Library(__file__)


def _example(xp):
    made = []
    for dtype in "fd":
        x = xp.asarray(np.cos(np.arange(6000.0) ** 2).astype(dtype))
        for a in ([2, -1.5], [2, -3, 1.5]):
            order = len(a) - 1
            b = xp.asarray(np.array([0.5, 0.25, 0.125][: order + 1], dtype))
            a = xp.asarray(np.array(a, dtype))
            zi = xp.ones((1, order), dtype)
            made.append(lfilter(b, a, x))
            made += lfilter(b, a, x.reshape(60, 100)[:1], zi=zi)
            made.append(lfilter(b, a, x.reshape(60, 100), axis=0))
    return made


_powers = _library.kernel(
    "iir_powers<T, W, K>",
    blocks="n",
    threads="IIR_SQUARE",
    ships="fd1 fd2 dd1 dd2",
    example=_example,
)
_rows = _library.kernel(
    "iir_rows<T, W, K>",
    blocks="s.tiles",
    threads="SCAN_THREADS",
    ships="fd1 fd2 dd1 dd2",
    example=_example,
)


def lfilter(b, a, x, axis=-1, zi=None):
    """Filter data along an axis with an IIR or FIR filter.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        The numerator and denominator of the transfer function; both are divided by
        ``a[0]``. NumPy's arrays, too.
    x : array_like
        Input. The dtype in which `b`, `a`, `x` and `zi` agree is that of the result:
        float32, float64, complex64 or complex128. Sums are float64 in either case.
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
        `b` or `a` has not one axis, or no element; `axis` is out of bounds; `zi` has
        another shape.
    NotImplementedError
        Dtypes that agree in another than those, or a recursive filter of an order above
        8. (One that is not recursive, of which `a` has one element, may have any.)

    Notes
    -----
    Elements of `a` are not looked at before the filter runs: where ``a[0]`` is zero, of
    which SciPy makes an error, the result is not finite.

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
    b, a = _coefficients(b, "b", x), _coefficients(a, "a", x)
    inputs = [b, a, x]
    if zi is not None:
        zi = arguments.array(zi, "zi")
        inputs.append(zi)
    dtype = _core.result_type(*(v.dtype for v in inputs))
    if dtype.char not in "fdFD":
        raise NotImplementedError(
            f"lfilter of {dtype}: b, a, x and zi agree in it, and filters are of "
            "float32, float64, complex64 and complex128"
        )
    axis = arguments.axis(axis, x.ndim)
    order = max(b.size, a.size) - 1
    if zi is not None:
        zi = _initial(zi, x.shape, axis, order)
    if x.size and order > _library.enum.IIR_ORDERS:
        if a.size == 1:
            return _convolved(b, a, x, axis, dtype, zi)
        raise NotImplementedError(
            f"lfilter of order {order} (max(len(a), len(b)) - 1): where `a` has more "
            f"than one element, orders up to {_library.enum.IIR_ORDERS} are there"
        )
    if zi is None:
        return _filtered(b, a, x, axis, dtype)
    zf = _core.empty(zi.shape, dtype, device=x.device)
    y = _filtered(b, a, x, axis, dtype, zi, zf)
    return y, zf


def _coefficients(c, name, x):
    c = arguments.small(c, x)
    if c.ndim == 0:
        c = c.reshape(1)
    if c.ndim != 1 or c.size == 0:
        raise ValueError(
            f"Parameter {name} is not a non-empty 1d array, since its shape is "
            f"{c.shape}"
        )
    return c


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


def _rows_of(x, axis, dtype):
    """The array with an axis last, contiguous: of what may be the array itself."""
    return _core.ascontiguousarray(x.swapaxes(axis, -1).astype(dtype, copy=False))


def _convolved(b, a, x, axis, dtype, zi):
    """A filter that is not recursive, as a convolution."""
    rows = x.swapaxes(axis, -1).astype(dtype, copy=False)
    b = (b.astype(dtype) / a.astype(dtype)).reshape((1,) * (x.ndim - 1) + (b.size,))
    full = convolve(rows, b, method="direct")
    n, order = rows.shape[-1], b.size - 1
    if zi is not None:
        full[..., :order] += zi.swapaxes(axis, -1)
    y = _core.ascontiguousarray(full[..., :n].swapaxes(axis, -1))
    if zi is None:
        return y
    return y, _core.ascontiguousarray(full[..., n:].swapaxes(axis, -1))


@replayed
def _filtered(b, a, x, axis, dtype, zi=None, zf=None):
    """The result; `zf` becomes the states at the end."""
    order = max(b.size, a.size) - 1
    wide = np.promote_types(dtype, np.float64)
    b, a = (c.astype(dtype, copy=False) for c in (b, a))
    rows = _rows_of(x, axis, dtype)
    y = _core.empty(rows.shape, dtype)
    if zi is not None:
        zi = _rows_of(zi, axis, dtype)
    if x.size == 0 or order == 0:
        if order == 0:
            y = rows * (b / a)
        elif zf is not None and zf.size:
            zf[...] = zi.swapaxes(axis, -1)
    else:
        ends = zf
        if zf is not None and axis != zf.ndim - 1:
            ends = _core.empty(zi.shape, dtype)
        _run(order, wide, b, a, rows, y, zi, ends)
        if ends is not zf:
            zf[...] = ends.swapaxes(axis, -1)
    return y if axis == y.ndim - 1 else _core.ascontiguousarray(y.swapaxes(axis, -1))


def _run(order, wide, b, a, x, y, zi, zf):
    n, enum = x.shape[-1], _library.enum
    powers = n.bit_length()
    c = _core.empty(enum.IIR_TRANSITIONS + 2 * powers * order * order, wide)
    _powers[x.dtype, wide, order](
        b=b,
        a=a,
        c=c,
        p=_library.struct.iir_sizes(b=b.size, a=a.size, powers=powers),
        n=1,
    )
    state = 8 + order * wide.itemsize
    if wide.kind == "c":
        state = 16 + order * wide.itemsize  # complex numbers are aligned to their size
    s, workspace = plan_scan(_library, x, math.prod(x.shape[:-1]), n, state)
    _rows[x.dtype, wide, order](x=x, y=y, zi=zi, zf=zf, c=c, s=s, workspace=workspace)
