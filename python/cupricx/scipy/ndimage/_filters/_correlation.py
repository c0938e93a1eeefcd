"""Filters that correlate an array with weights, along an axis or over several."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.ndimage._boundary import mode_number
from cupricx.scipy.ndimage._filters import _window as windows

__all__ = [
    "COLUMN_PIECES",
    "Operands",
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "correlate_along",
    "correlate_over",
    "elements_before",
    "in_turn",
    "real_and_imag",
    "rows_about",
]

_library = Library(__file__)

# dtypes as read and written, and what is computed in; others are converted.
_COMPUTED = {
    t: np.dtype(w)
    for t, w in zip("BhHifdFD", ("d", "d", "d", "d", *"fdFD"), strict=True)
}
_SHIPS = "BdB hdh HdH idi fff ddd FFF DDD"
_EPSILON = np.finfo(np.float64).eps
COLUMN_PIECES = 1024  # that keep a GPU busy
_ROW_QUADS, _LEAST_ROW = 2, 64  # of a thread of _rows.cuh; elements of a row for it


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


def _example_many(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(70 * 90) % 17).reshape(70, 90).astype("f4")
    return [ndimage.correlate(x, np.arange(65 * 81).reshape(65, 81) % 5)]


_tile = _library.kernel(
    "correlate_tile<X, W, Y>",
    blocks="p.pieces",
    threads="TILE_THREADS",
    ships=_SHIPS,
    example=_example,
)
_columns = _library.kernel(
    "correlate_columns<X, W, Y>",
    blocks=True,
    threads="WIDTH",
    ships=_SHIPS,
    example=_example,
)
_rows = _library.kernel(
    "correlate_rows<ROW_QUADS>",
    blocks=True,
    threads="ROW_THREADS",
    ships="2",
    example=_example,
)
_window = _library.kernel(
    "correlate_window<X, W, Y>",
    blocks=True,
    threads="CHUNK_THREADS",
    ships=_SHIPS,
    example=_example_many,
)


class Operands:
    """What the kernels read and write, in dtypes that there are kernels for."""

    def __init__(self, input, weights, output):
        x = arguments.array(input)
        is_complex = x.dtype.kind == "c" or (
            weights is not None and weights.dtype.kind == "c"
        )
        self.target = Output(output, x, is_complex=is_complex)
        if is_complex:
            read = arguments.complex_dtype(x.dtype)
        elif x.dtype.char in _COMPUTED:
            read = x.dtype
        else:
            read = np.dtype("f" if x.dtype.char in "eE" else "d")
        if read.char == "f" and self.target.dtype.kind in "biu":
            read = np.dtype("d")  # as it is cut, each bit may show
        self.compute = _COMPUTED[read.char]
        if self.target.dtype != read:  # no kernel rounds to another dtype
            read = self.compute
        self.x = contiguous(x.astype(read, copy=False))
        if weights is not None:
            self.w = _passed(weights, x, self.compute)
        self.y = self.target.buffer(self.x, dtype=read)
        self.types = read, self.compute, read

    def result(self):
        return self.target.result(self.y)


def _passed(weights, x, dtype):
    """Weights as kernels take them: in memory, or by value if few and on the host."""
    if isinstance(weights, _core.ndarray) or weights.size > _library.enum.FEW:
        return {"many": arguments.small(weights, x, dtype), "few": _no_weights(dtype)}
    few = _few(weights.tobytes(), weights.dtype.char, dtype.char)
    return {"many": None, "few": few}


@functools.cache
def _no_weights(dtype):
    return _library.struct.few_weights[dtype](w=())


@functools.lru_cache(maxsize=256)
def _few(data, given, computed):
    if given != computed:
        data = np.frombuffer(data, given).astype(computed).tobytes()
    record = _library.struct.few_weights[computed].dtype
    return np.frombuffer(data.ljust(record.itemsize, b"\0"), record)


def _weights(weights):
    if isinstance(weights, _core.ndarray):
        return weights
    w = np.asarray(weights)
    return w.astype(np.float64) if w.dtype.kind in "biu" else w


def real_and_imag(number, dtype):
    """A constant as two doubles."""
    if type(number) in (float, int):
        return float(number), 0.0
    number = complex(number)
    if number.imag and dtype.kind != "c":
        raise ValueError(f"cval={number} is complex, the input is of dtype {dtype}")
    return number.real, number.imag


def elements_before(size, origin):
    """How many weights lie before the element that they are centred on."""
    before = size // 2 + origin
    if not 0 <= before < max(size, 1):
        raise ValueError(
            f"invalid origin: {origin} for {size} weights; it must be from "
            f"{-(size // 2)} to {(size - 1) // 2}"
        )
    return before


def correlate_along(input, weights, axis, output, mode, cval, origin):
    """Correlate along an axis; the weights not conjugated."""
    if weights.ndim != 1 or weights.size < 1:
        raise RuntimeError(f"no filter weights given (shape {weights.shape})")
    mode = mode_number(mode)
    ops = Operands(input, weights, output)
    x, y, taps = ops.x, ops.y, weights.size
    axis = arguments.axis(axis, x.ndim)
    before = elements_before(taps, arguments.integer(origin))
    if x.size == 0:
        return ops.result()
    fill, symmetry = real_and_imag(cval, x.dtype), _symmetry(weights)
    kind, pieces, *plan = _plan(
        *(x.shape, axis, taps, before, mode, ops.compute.itemsize),
        _library.on_host(x),
    )
    if kind == "tile":
        _correlate_tile(ops, *plan, pieces, fill, symmetry=symmetry)
        return ops.result()
    rows, n, inner, height = plan
    of_axis = dict(rows=rows, n=n, taps=taps, before=before, mode=mode)
    if kind == "rows":
        p = _library.struct.row_filter(**of_axis, fill=fill[0])
        _rows[_ROW_QUADS](x=x, **ops.w, y=y, p=p, work=pieces)
    else:
        p = _library.struct.correlated_columns(
            **of_axis, inner=inner, height=height, fill=fill, symmetry=symmetry
        )
        _columns[ops.types](x=x, **ops.w, y=y, p=p, work=pieces)
    return ops.result()


def _correlate_tile(ops, sizes, nbytes, pieces, fill, *, skips=False, symmetry=0):
    p = _library.struct.correlated_tiles(
        pieces=pieces, fill=fill, skips=skips, symmetry=symmetry
    )
    _tile[ops.types](x=ops.x, **ops.w, y=ops.y, s=sizes, p=p, shared_mem=nbytes)


@functools.lru_cache(maxsize=512)
def _plan(shape, axis, taps, before, mode, itemsize, on_host):
    """How an axis is filtered: the kernel, its pieces, and what else it is told."""
    rows, n, inner = rows_about(shape, axis)
    enum, is_narrow = _library.enum, inner == 1 and itemsize == 4 and not on_host
    is_short = taps <= enum.FEW and n >= max(_LEAST_ROW, taps + 8)
    if is_narrow and is_short and n % enum.QUAD == 0:
        segments = -(-n // (enum.ROW_LANES * enum.QUAD * _ROW_QUADS))
        return "rows", -(-rows * segments // enum.ROW_WARPS), rows, n, inner, 0
    if (taps - 1) * inner <= enum.MOST_REACH and inner <= 64:
        places = (rows, n), (1, taps), (0, before), (0, mode), inner
        if on_host:
            pieces = rows * -(-n * inner // enum.SEGMENT)
            return "tile", pieces, windows.window_sizes(*places), 0
        tiles = windows.tiles(*places, itemsize, itemsize + 1)
        if tiles:
            return "tile", tiles.count, tiles.sizes, tiles.nbytes
    height, across = 32, rows * -(-inner // enum.WIDTH)
    while height > 8 and across * -(-n // height) < COLUMN_PIECES:
        height //= 2
    return "columns", across * -(-n // height), rows, n, inner, height


def _symmetry(weights):
    """1 or -1 of an odd number of weights that are symmetric or antisymmetric, else 0;
    weights on a device are not looked at.
    """
    if isinstance(weights, _core.ndarray) or weights.size % 2 == 0:
        return 0
    return _symmetry_of(weights.tobytes(), weights.dtype.char)


@functools.lru_cache(maxsize=256)
def _symmetry_of(data, char):
    weights = np.frombuffer(data, char).tolist()
    pairs = list(zip(weights, weights[::-1], strict=True))[: len(weights) // 2]
    for sign in (1, -1):
        if all(abs(a - sign * b) <= _EPSILON for a, b in pairs):
            return sign
    return 0


def rows_about(shape, axis):
    """A shape as (rows, n, inner) about an axis; none of the lengths is 0."""
    before, after = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    return before, shape[axis], after


def correlate_over(input, weights, output, mode, cval, origin, axes, mirrored):
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
        window[axis], before[axis], every[axis] = (
            sizes[axis],
            elements_before(sizes[axis], o),
            m,
        )
    ops = Operands(x, weights, output)
    if x.size == 0:
        return ops.result()
    fill = real_and_imag(cval, x.dtype)
    places = x.shape, tuple(window), tuple(before), tuple(every)
    sizes, pieces, rows, nbytes = _plan_window(
        *(places if x.ndim else ((1,), (1,), (0,), (0,))),  # one element has no axis
        *(ops.compute.itemsize, _library.on_host(x)),
    )
    if nbytes:
        _correlate_tile(ops, sizes, nbytes, pieces, fill, skips=True)
    else:
        p = _library.struct.correlated_rows(rows=rows, taps=weights.size, fill=fill)
        _window[ops.types](x=ops.x, **ops.w, y=ops.y, s=sizes, p=p, work=pieces)
    return ops.result()


@functools.lru_cache(maxsize=512)
def _plan_window(shape, window, before, modes, itemsize, on_host):
    """How several axes are filtered: sizes, pieces, rows; the bytes of a tile, or 0."""
    places = shape, window, before, modes
    if not on_host:
        joined = windows.joined(*places, most_step=64)
        tiles = windows.tiles(*joined, itemsize, itemsize + 1)
        if tiles:
            return tiles.sizes, tiles.count, 0, tiles.nbytes
    *places, step = windows.joined(*places)
    n = places[0][-1]
    rows = math.prod(shape) // n
    return windows.window_sizes(*places), rows * -(-n // _library.enum.CHUNK), rows, 0


@replayed
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
        New, or `output`. Complex weights are conjugated.

    Notes
    -----
    Computed in float64; of float32 in float32, as CuPy does: to (taps + 2) 2^-24 times
    the sum of the products' magnitudes, where SciPy rounds once.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import correlate1d
    >>> correlate1d(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), weights=[1, 3])
    array([ 8, 26,  8, 12,  7, 28, 36,  9])
    """
    w = _weights(weights)
    return correlate_along(input, w.conj(), axis, output, mode, cval, origin)


@replayed
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
    return correlate_along(input, w, axis, output, mode, cval, origin)


@replayed
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
        New, or `output`. Complex weights are conjugated.

    Notes
    -----
    Computed in float64; of float32 in float32, as CuPy does: to (taps + 2) 2^-24 times
    the sum of the products' magnitudes, where SciPy rounds once.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import correlate
    >>> correlate(cp.arange(9).reshape(3, 3), [[0, 1], [0, 1]], mode="nearest")
    array([[ 0,  2,  4],
           [ 3,  5,  7],
           [ 9, 11, 13]])
    """
    w = _weights(weights)
    return correlate_over(input, w.conj(), output, mode, cval, origin, axes, False)


@replayed
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
    return correlate_over(input, w, output, mode, cval, origin, axes, True)


def in_turn(x, output, steps):
    """Apply each ``step(x, y)``, from array to array: the output and one other."""
    target = Output(output, x, is_complex=x.dtype.kind == "c")
    even = len(steps) % 2 == 0
    # Before the first of an even number of steps nothing is written to the output.
    y = target.buffer(*(() if even and steps else (x,)))
    if not steps:
        y[...] = x
    other = _core.empty(y.shape, y.dtype, device=y.device) if len(steps) > 1 else None
    for i, step in enumerate(steps):
        into = y if (len(steps) - i) % 2 else other
        step(x, into)
        x = into
    return target.result(y)
