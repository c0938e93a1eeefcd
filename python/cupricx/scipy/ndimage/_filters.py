"""Filters: correlation and convolution with weights."""

import numpy as np

import cupric as cp
from cupric._lib import Library, Output, arguments
from cupricx.scipy.ndimage._boundary import mode_number

_library = Library(__file__, "_filters.cuh")

# dtypes as read and written, and what is computed in; others are converted.
_COMPUTED = {
    "B": "d",
    "h": "d",
    "H": "d",
    "i": "d",
    "f": "f",
    "d": "d",
    "F": "F",
    "D": "D",
}
_SHIPS = "BdB hdh HdH idi fff ddd FFF DDD"
_MOST_REACH = 1024  # as in _filters.cuh
_SEGMENT, _WIDTH, _HEIGHT, _CHUNK = 2048, 256, 32, 512


def _example(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 23 * 90) % 17).reshape(2, 23, 90)
    return [
        ndimage.correlate1d(x.astype(t), [1, 2, 3, 4], axis, mode=m)
        for t, m in (("f4", "reflect"), ("u1", "wrap"), ("c8", "constant"))
        for axis in (0, 1, 2)
    ]


def _example_window(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 7 * 9) % 17).reshape(5, 7, 9)
    return [
        ndimage.correlate(x.astype("f4"), np.arange(27).reshape(3, 3, 3)),
        ndimage.correlate(x[0].astype("i4"), np.eye(3), mode="mirror"),
        ndimage.correlate(x[0, 0].astype("f8"), [1, 2], mode="constant", cval=3),
    ]


_line = _library.kernel("correlate_line<X, W, Y>", ships=_SHIPS, example=_example)
_columns = _library.kernel("correlate_columns<X, W, Y>", ships=_SHIPS, example=_example)
_window = _library.kernel(
    "correlate_window<X, W, Y>",
    ships=_SHIPS,
    example=_example_window,
)


class _Operands:
    """What the kernels read and write, in dtypes that there are kernels for."""

    def __init__(self, input, weights, output):
        x = arguments.array(input)
        w = weights
        is_complex = "c" in (x.dtype.kind, w.dtype.kind)
        self.target = Output(output, x, is_complex=is_complex)
        if is_complex:
            read = arguments.complex_dtype(x.dtype)
        elif x.dtype.char in _COMPUTED:
            read = x.dtype
        else:
            read = np.dtype("f" if x.dtype.char in "eE" else "d")
        self.compute = np.dtype(_COMPUTED[read.char])
        if self.target.dtype != read:  # no kernel rounds to another dtype
            read = self.compute
        self.x = cp.ascontiguousarray(x.astype(read, copy=False))
        self.w = arguments.small(w, x, self.compute)
        self.y = self.target.buffer(self.x, dtype=read)
        self.types = read, self.compute, read

    def result(self):
        return self.target.result(self.y)


def _weights(weights):
    if isinstance(weights, cp.ndarray):
        return weights
    w = np.asarray(weights)
    return w.astype(np.float64) if w.dtype.kind in "biu" else w


def _parts(number, dtype):
    """A constant as two doubles."""
    number = complex(number)
    if number.imag and dtype.kind != "c":
        raise ValueError(f"cval={number} is complex, the input is of dtype {dtype}")
    return number.real, number.imag


def _place(size, origin):
    """How many weights lie before the element that they are centred on."""
    before = size // 2 + origin
    if not 0 <= before < max(size, 1):
        raise ValueError(
            f"invalid origin: {origin} for {size} weights; it must be from "
            f"{-(size // 2)} to {(size - 1) // 2}"
        )
    return before


def _along(input, weights, axis, output, mode, cval, origin):
    """Correlate along an axis; the weights not conjugated."""
    if weights.ndim != 1 or weights.size < 1:
        raise RuntimeError(f"no filter weights given (shape {weights.shape})")
    mode = mode_number(mode)
    ops = _Operands(input, weights, output)
    x, y, taps = ops.x, ops.y, weights.size
    axis = arguments.axis(axis, x.ndim)
    before = _place(taps, arguments.integer(origin))
    if x.size == 0:
        return ops.result()
    n = x.shape[axis]
    inner = 1
    for length in x.shape[axis + 1 :]:
        inner *= length
    rows = x.size // (n * inner)
    args = (x, ops.w, y, rows, n, inner, taps, before, mode, *_parts(cval, x.dtype))
    if (taps - 1) * inner <= _MOST_REACH and inner <= 64:
        pieces = rows * -(-n * inner // _SEGMENT)
        _line[ops.types].blocks(pieces, 256, args)
    else:
        pieces = -(-n // _HEIGHT) * rows * -(-inner // _WIDTH)
        _columns[ops.types].blocks(pieces, _WIDTH, args)
    return ops.result()


def _over(input, weights, output, mode, cval, origin, axes, mirrored):
    """Correlate over axes; the weights not conjugated."""
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    if weights.ndim != len(axes):
        raise RuntimeError(
            f"weights.ndim ({weights.ndim}) must match len(axes) ({len(axes)})"
        )
    if weights.size == 0:
        raise RuntimeError(f"no filter weights given (shape {weights.shape})")
    sizes = dict(zip(sorted(axes), weights.shape, strict=True))  # as SciPy has it
    origins = arguments.per_axis(origin, len(axes), "origin", arguments.integer)
    if mirrored:
        weights = weights[(slice(None, None, -1),) * weights.ndim]
        origins = [
            -o - (sizes[axis] % 2 == 0) for axis, o in zip(axes, origins, strict=True)
        ]
    modes = arguments.per_axis(mode, len(axes), "mode", mode_number)
    window, before, every = [1] * x.ndim, [0] * x.ndim, [0] * x.ndim
    for axis, o, m in zip(axes, origins, modes, strict=True):
        window[axis], before[axis], every[axis] = sizes[axis], _place(sizes[axis], o), m
    ops = _Operands(x, weights, output)
    if x.size and x.ndim:
        with x.device:
            facts = cp.array([*x.shape, *window, *before, *every])
        n = x.shape[-1]
        rows = x.size // n
        args = (
            ops.x,
            ops.w,
            ops.y,
            facts,
            x.ndim,
            rows,
            weights.size,
            *_parts(cval, x.dtype),
        )
        pieces = rows * -(-n // _CHUNK)
        _window[ops.types].blocks(pieces, 128, args)
    return ops.result()


def correlate1d(
    input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """Correlation along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    weights : array_like, one-dimensional
    axis : int, optional
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    mode : {'reflect', 'constant', 'nearest', 'mirror', 'wrap'}, optional
        What lies outside; with ``grid-`` before 'constant', 'mirror' (which is
        'reflect') and 'wrap' too.
    cval : scalar, optional
        The constant.
    origin : int, optional
        How far the weights are shifted to the left.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Computed in float64, of float32 in float32; complex weights
        are conjugated.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import correlate1d
    >>> correlate1d(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), weights=[1, 3])
    array([ 8, 26,  8, 12,  7, 28, 36,  9])
    """
    w = _weights(weights)
    return _along(input, w.conj(), axis, output, mode, cval, origin)


def convolve1d(
    input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """Convolution along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    weights : array_like, one-dimensional
    axis : int, optional
    output, mode, cval, origin : optional
        As of `correlate1d`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import convolve1d
    >>> convolve1d(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), weights=[1, 3])
    array([14, 24,  4, 13, 12, 36, 27,  0])
    """
    w = _weights(weights)
    if w.ndim == 1:
        w = w[::-1]
        origin = -arguments.integer(origin) - (w.size % 2 == 0)
    return _along(input, w, axis, output, mode, cval, origin)


def correlate(
    input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Correlation over all axes, or some.

    Parameters
    ----------
    input : cupric.ndarray
    weights : array_like
        With as many axes as are filtered, in the order of `input`.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    mode : str or sequence of str, optional
        As of `correlate1d`; for each axis.
    cval : scalar, optional
        The constant.
    origin : int or sequence of ints, optional
        How far the weights are shifted to the left, for each axis.
    axes : tuple of ints, optional
        All axes by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Computed in float64, of float32 in float32; complex weights
        are conjugated.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import correlate
    >>> correlate(cp.arange(9).reshape(3, 3), [[0, 1], [0, 1]], mode="nearest")
    array([[0, 2, 4],
           [3, 5, 7],
           [9, 11, 13]])
    """
    w = _weights(weights)
    return _over(input, w.conj(), output, mode, cval, origin, axes, False)


def convolve(
    input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Convolution over all axes, or some.

    Parameters
    ----------
    input : cupric.ndarray
    weights : array_like
        With as many axes as are filtered, in the order of `input`.
    output, mode, cval, origin, axes : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import convolve
    >>> convolve(cp.arange(4), [1, 0, -1], mode="nearest")
    array([1, 2, 2, 1])
    """
    w = _weights(weights)
    return _over(input, w, output, mode, cval, origin, axes, True)
