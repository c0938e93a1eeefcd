"""Signals less their trends."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.algorithms import cores_of
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal._rows import along, rows_of

__all__ = ["detrend"]

_library = Library(__file__)
_TYPES = {"linear": True, "l": True, "constant": False, "c": False}


def _example(xp):
    made = []
    x = xp.cos(xp.arange(40000.0) ** 2)
    for dtype in "fd":
        y = x.astype(dtype)
        made += [detrend(y, bp=[300]), detrend(y.reshape(400, 100), type="constant")]
    return made


_segments = _library.kernel(
    "detrend_segments<T>",
    blocks="pieces",
    threads="DETREND_THREADS",
    ships="f d",
    example=_example,
)
_sums = _library.kernel(
    "detrend_sums<T, W>",
    blocks="pieces",
    threads="DETREND_THREADS",
    ships="fd dd",
    example=_example,
)
_lines = _library.kernel(
    "detrend_lines<W>",
    blocks="pieces",
    threads="DETREND_THREADS",
    ships="d",
    example=_example,
)
_parts = _library.kernel(
    "detrend_parts<T, W>",
    blocks="pieces",
    threads="DETREND_THREADS",
    ships="fd dd",
    example=_example,
)


@replayed
def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    """Take off the mean, or the line that fits best.

    Parameters
    ----------
    data : array_like
    axis : int, optional
    type : {'linear', 'constant'}, optional
        A line is taken off, by least squares, or the mean.
    bp : int or array_like of ints, optional
        Of 'linear': where one line ends and another begins.
    overwrite_data : bool, optional
        Allows to write the result to the memory of `data`.

    Returns
    -------
    cupric.ndarray
        In the dtype of `data`; in float64 where that is of integers or, of 'linear',
        float16.

    Raises
    ------
    ValueError
        `type` is another word, a breakpoint is out of bounds, or there are no elements
        that a line could fit.

    Notes
    -----
    Lines are fitted in float64. SciPy looks for infinities and NaN first, and has an
    error for them; here they spread over their segment.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import detrend
    >>> detrend(cp.array([1.0, 2, 3, 5])).round(6)
    array([ 0.2, -0.1, -0.4,  0.3])
    >>> detrend(cp.array([1.0, 2, 3, 6]), type="constant")
    array([-2., -1.,  0.,  3.])
    """
    if type not in _TYPES:
        raise ValueError(f"Trend type must be 'linear' or 'constant', not {type!r}")
    linear = _TYPES[type]
    x = arguments.array(data, "data")
    axis = arguments.axis(axis, x.ndim)
    if not linear:
        return x - x.mean(axis, keepdims=True) if x.size else x * 1.0
    n = x.shape[axis]
    dtype = x.dtype if x.dtype.char in "fdFD" else np.dtype(np.float64)
    starts = _starts(bp, n, x.shape)
    if n == 0:
        raise ValueError(f"no line fits data of shape {x.shape} along axis {axis}")
    rows = rows_of(x, axis, dtype)
    y = _core.empty(rows.shape, dtype)
    if x.size:
        _detrended(rows, y, starts)
    return along(y, axis)


def _starts(bp, n, shape):
    """Where segments start, and the end."""
    if isinstance(bp, _core.ndarray):
        bp = bp.get()
    bp = np.atleast_1d(np.asarray(bp))
    if bp.dtype.kind not in "iu":
        if bp.size:
            raise TypeError(f"breakpoints are integers, not {bp.dtype}")
        bp = bp.astype(int)
    if bp.size and (bp.max() > n or bp.min() < 0):
        raise ValueError(
            "Breakpoints must be less than length of data along given axis: "
            f"{bp.tolist()} for {n} elements of shape {shape}"
        )
    return sorted({0, n, *bp.tolist()})


def _detrended(x, y, starts):
    n, enum = x.shape[-1], _library.enum
    rows, segments = x.size // n, len(starts) - 1
    longest = max(b - a for a, b in zip(starts, starts[1:], strict=False))
    starts = arguments.small(np.array(starts, np.int64), x)
    sizes = {"rows": rows, "n": n, "segments": segments}
    # A block, or core, for each segment: where that is work for all, or is short.
    enough = cores_of(x.device) if _library.on_host(x) else 128
    if longest <= enum.DETREND_PART or rows * segments >= enough:
        s = _library.struct.detrend_sizes(parts=1, **sizes)
        _segments[x.dtype](x=x, y=y, starts=starts, s=s, pieces=rows * segments)
        return
    parts = -(-longest // enum.DETREND_PART)
    s = _library.struct.detrend_sizes(parts=parts, **sizes)
    wide = np.promote_types(x.dtype, np.float64)
    sums = _core.empty(2 * rows * segments * parts, wide)
    lines = _core.empty(2 * rows * segments, wide)
    _sums[x.dtype, wide](
        x=x, sums=sums, starts=starts, s=s, pieces=rows * segments * parts
    )
    _lines[wide](sums=sums, lines=lines, starts=starts, s=s, pieces=rows * segments)
    _parts[x.dtype, wide](
        x=x, y=y, lines=lines, starts=starts, s=s, pieces=rows * segments * parts
    )
