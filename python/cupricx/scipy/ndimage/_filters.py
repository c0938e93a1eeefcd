"""Filters that are sums of products: correlation, and what is made of it along axes."""

import functools
import math

import numpy as np

import cupric as cp
from cupric._lib import Library, Output, arguments, replayed
from cupricx.scipy.ndimage import _window as windows
from cupricx.scipy.ndimage._boundary import mode_number

__all__ = [
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "gaussian_filter",
    "gaussian_filter1d",
    "gaussian_gradient_magnitude",
    "gaussian_laplace",
    "generic_gradient_magnitude",
    "generic_laplace",
    "laplace",
    "prewitt",
    "sobel",
    "uniform_filter",
    "uniform_filter1d",
]

_library = Library(__file__, "_filters.cuh")

# dtypes as read and written, and what is computed in; others are converted.
_COMPUTED = {
    t: np.dtype(w)
    for t, w in zip("BhHifdFD", ("d", "d", "d", "d", *"fdFD"), strict=True)
}
_SHIPS = "BdB hdh HdH idi fff ddd FFF DDD"
_MOST_REACH = 1024  # as in _filters.cuh
_EPSILON = np.finfo(np.float64).eps
_SEGMENT, _WIDTH, _CHUNK, _FEW = 2048, 256, 512, 64
_QUAD, _MOST_DIRECT = 4, 32  # sizes of windows that are summed each
_COLUMN_PIECES = 1024  # that keep a GPU busy


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


_tile = _library.kernel("correlate_tile<X, W, Y>", ships=_SHIPS, example=_example)
_columns = _library.kernel("correlate_columns<X, W, Y>", ships=_SHIPS, example=_example)
_window = _library.kernel(
    "correlate_window<X, W, Y>",
    ships=_SHIPS,
    example=_example_many,
)


def _example_uniform(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 23 * 90) % 17).reshape(2, 23, 90)
    return [
        ndimage.uniform_filter1d(x.astype(t), 5, axis, mode=m)
        for t, m in (("f4", "reflect"), ("u1", "wrap"), ("c8", "constant"))
        for axis in (0, 1, 2)
    ]


_uniform_tile = _library.kernel(
    "uniform_tile<X>", ships="B h H i f d", example=_example_uniform
)
_uniform_line = _library.kernel(
    "uniform_line<X>", ships="B h H i f d", example=_example_uniform
)
_uniform_columns = _library.kernel(
    "uniform_columns<X>", ships="B h H i f d", example=_example_uniform
)


class _Operands:
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
        self.x = cp.ascontiguousarray(x.astype(read, copy=False))
        if weights is not None:
            self.w = _passed(weights, x, self.compute)
        self.y = self.target.buffer(self.x, dtype=read)
        self.types = read, self.compute, read

    def result(self):
        return self.target.result(self.y)


_RECORDS = {t: np.dtype([("w", t, _FEW)]) for t in "fdFD"}
_NOTHING = {t: np.zeros(1, record) for t, record in _RECORDS.items()}


def _passed(weights, x, dtype):
    """Weights as kernels take them: in memory, or by value if few and on the host."""
    if isinstance(weights, cp.ndarray) or weights.size > _FEW:
        return arguments.small(weights, x, dtype), _NOTHING[dtype.char]
    return None, _few(weights.tobytes(), weights.dtype.char, dtype.char)


@functools.lru_cache(maxsize=256)
def _few(data, given, computed):
    weights = np.frombuffer(data, given)
    few = np.zeros(1, _RECORDS[computed])
    few[0]["w"][: weights.size] = weights
    return few


def _weights(weights):
    if isinstance(weights, cp.ndarray):
        return weights
    w = np.asarray(weights)
    return w.astype(np.float64) if w.dtype.kind in "biu" else w


def _parts(number, dtype):
    """A constant as two doubles."""
    if type(number) in (float, int):
        return float(number), 0.0
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
    fill, symmetry = _parts(cval, x.dtype), _symmetry(weights)
    kind, pieces, *plan = _plan(
        *(x.shape, axis, taps, before, mode, ops.compute.itemsize),
        _library.on_host(x),
    )
    if kind == "columns":
        args = (x, *ops.w, y, *plan[:3], taps, before, mode, *fill, symmetry, plan[3])
        _columns[ops.types].blocks(pieces, _WIDTH, args)
    else:
        sizes, threads, nbytes = plan
        args = (x, *ops.w, y, sizes, pieces, False, *fill, symmetry)
        _tile[ops.types].blocks(pieces, threads, args, shared_mem=nbytes)
    return ops.result()


@functools.lru_cache(maxsize=512)
def _plan(shape, axis, taps, before, mode, itemsize, on_host):
    """How an axis is filtered: the kernel, its pieces, and what else it is told."""
    rows, n, inner = _rows(shape, axis)
    if (taps - 1) * inner <= _MOST_REACH and inner <= 64:
        places = (rows, n), (1, taps), (0, before), (0, mode), inner
        if on_host:
            pieces = rows * -(-n * inner // _SEGMENT)
            return "tile", pieces, windows.window_sizes(*places), 1, 0
        tiles = windows.tiles(*places, itemsize, itemsize + 1)
        if tiles:
            return "tile", tiles.count, tiles.sizes, windows.THREADS, tiles.nbytes
    height, across = 32, rows * -(-inner // _WIDTH)
    while height > 8 and across * -(-n // height) < _COLUMN_PIECES:
        height //= 2
    return "columns", across * -(-n // height), rows, n, inner, height


def _symmetry(weights):
    """1 or -1 of an odd number of weights that are symmetric or antisymmetric, else 0;
    weights on a device are not looked at.
    """
    if isinstance(weights, cp.ndarray) or weights.size % 2 == 0:
        return 0
    return _symmetry_of(weights.tobytes(), weights.dtype.char)


@functools.lru_cache(maxsize=256)
def _symmetry_of(data, char):
    weights = np.frombuffer(data, char)
    for sign in (1, -1):
        if (abs(weights - sign * weights[::-1])[: weights.size // 2] <= _EPSILON).all():
            return sign
    return 0


def _rows(shape, axis):
    """A shape as (rows, n, inner) about an axis; none of the lengths is 0."""
    before, after = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    return before, shape[axis], after


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
    if x.size == 0 or x.ndim == 0:
        return ops.result()
    fill = _parts(cval, x.dtype)
    sizes, pieces, rows, nbytes = _plan_window(
        *(x.shape, tuple(window), tuple(before), tuple(every)),
        *(ops.compute.itemsize, _library.on_host(x)),
    )
    if nbytes:
        args = (ops.x, *ops.w, ops.y, sizes, pieces, True, *fill, 0)
        _tile[ops.types].blocks(pieces, windows.THREADS, args, shared_mem=nbytes)
    else:
        args = (ops.x, *ops.w, ops.y, sizes, rows, weights.size, *fill)
        _window[ops.types].blocks(pieces, 128, args)
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
    return windows.window_sizes(*places), rows * -(-n // _CHUNK), rows, 0


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
    return _along(input, w.conj(), axis, output, mode, cval, origin)


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
    return _along(input, w, axis, output, mode, cval, origin)


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
    return _over(input, w.conj(), output, mode, cval, origin, axes, False)


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
    return _over(input, w, output, mode, cval, origin, axes, True)


# ---- means over windows --------------------------------------------------------------


@replayed
def uniform_filter1d(
    input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """Mean of windows along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    size : int
        Of the windows, in elements.
    axis : int, optional
    output, mode, cval, origin : optional
        As of `correlate1d`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Notes
    -----
    The time does not depend on the size: short windows come of sums of 1, 2, 4, …
    elements, long ones of the window before. Sums are of float64: means of integers are
    exact and then rounded towards zero, those of float32 are right to half an ulp, of
    float64 to some ulps of the largest sum nearby. What windows hold that come within
    `size` elements (or 64, if more) after an infinity or NaN is not defined.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import uniform_filter1d
    >>> uniform_filter1d(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([4, 3, 4, 1, 4, 6, 6, 3])
    """
    size = arguments.integer(size)
    if size < 1:
        raise RuntimeError(f"incorrect filter size: {size}; it must be at least 1")
    ops = _Operands(input, None, output)
    x, y = ops.x, ops.y
    axis = arguments.axis(axis, x.ndim)
    before = _place(size, arguments.integer(origin))
    mode = mode_number(mode)
    fill, fill_imag = _parts(cval, x.dtype)
    if x.size == 0:
        return ops.result()
    rows, n, inner = _rows(x.shape, axis)
    if x.dtype.kind == "c":  # two real arrays, side by side
        real = np.dtype(x.dtype.char.lower())
        x, y, inner = x.view(real), y.view(real), 2 * inner
    else:
        fill_imag = fill
    args = (x, y, rows, n, inner, size, before, mode, fill, fill_imag)
    on_host = _library.on_host(x)
    if (size - 1) * inner <= _MOST_REACH and inner <= 64:
        direct = not on_host and inner == 1 and _QUAD <= size <= _MOST_DIRECT
        if direct and (mode != 1 or x.dtype.kind == "f" and fill == x.dtype.type(fill)):
            places = (rows, n), (1, size), (0, before), (0, mode), 1
            tiles = windows.tiles(*places, x.dtype.itemsize)
            args = (x, y, tiles.sizes, tiles.count, size, fill)
            _uniform_tile[x.dtype].blocks(
                tiles.count, windows.THREADS, args, shared_mem=tiles.nbytes
            )
        else:
            _uniform_line[x.dtype].blocks(rows * -(-n * inner // _SEGMENT), 256, args)
        return ops.result()
    across = rows * -(-inner // _WIDTH)
    height = min(n, max(64, size))
    if not on_host:
        while height > max(8, size) and across * -(-n // height) < _COLUMN_PIECES:
            height //= 2
    elif inner < 8:  # columns one by one: whole, if there are enough
        across = rows * inner
        height = n if across >= 64 else min(n, max(2048, size))
    pieces = across * -(-n // height)
    _uniform_columns[x.dtype].blocks(pieces, _WIDTH, (*args, height))
    return ops.result()


@replayed
def uniform_filter(
    input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Mean of windows.

    Parameters
    ----------
    input : cupric.ndarray
    size : int or sequence of ints, optional
        Of the windows, for each axis.
    output, mode, cval, origin, axes : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. What comes of each axis is of the output's dtype.

    See Also
    --------
    uniform_filter1d : which is applied along one axis after the other.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import uniform_filter
    >>> uniform_filter(cp.arange(0, 50, 2).reshape(5, 5), size=3)
    array([[ 3,  5,  7,  9, 10],
           [10, 12, 14, 16, 17],
           [20, 22, 24, 26, 27],
           [30, 32, 34, 36, 37],
           [36, 38, 40, 42, 43]])
    """
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    sizes = arguments.per_axis(size, len(axes), "size", arguments.integer)
    origins = arguments.per_axis(origin, len(axes), "origin")
    modes = arguments.per_axis(mode, len(axes), "mode")
    steps = [
        (uniform_filter1d, s, axis, m, o)
        for axis, s, o, m in zip(axes, sizes, origins, modes, strict=True)
        if s > 1
    ]
    return _in_turn(
        x,
        output,
        [
            lambda a, b, f=f, s=s, axis=axis, m=m, o=o: f(a, s, axis, b, m, cval, o)
            for f, s, axis, m, o in steps
        ],
    )


def _in_turn(x, output, steps):
    """Apply each ``step(x, y)``, from array to array: the output and one other."""
    target = Output(output, x, is_complex=x.dtype.kind == "c")
    even = len(steps) % 2 == 0
    # Before the first of an even number of steps nothing is written to the output.
    y = target.buffer(*(() if even and steps else (x,)))
    if not steps:
        y[...] = x
    other = cp.empty_like(y) if len(steps) > 1 else None
    for i, step in enumerate(steps):
        into = y if (len(steps) - i) % 2 else other
        step(x, into)
        x = into
    return target.result(y)


# ---- Gaussians -----------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _gaussian(sigma, order, radius):
    """A Gaussian's derivative at the integers within a radius, reversed.

    The k-th derivative is q_k(x) times the Gaussian, where
    q_k+1 = -(x q_k + k q_k-1) / sigma**2, as for Hermite's polynomials.
    """
    if order < 0:
        raise ValueError(f"order must be non-negative, not {order}")
    if sigma == 0:
        raise ValueError("sigma must not be 0 along an axis")
    x = np.arange(-radius, radius + 1, dtype=np.float64)
    phi = np.exp(-0.5 / sigma**2 * x**2)
    phi /= phi.sum()
    last, q = np.zeros_like(x), np.ones_like(x)
    for k in range(order):
        last, q = q, -(x * q + k * last) / sigma**2
    return (q * phi)[::-1]


@replayed
def gaussian_filter1d(
    input,
    sigma,
    axis=-1,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
):
    """Correlation with a Gaussian, or a derivative of it, along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float
        The standard deviation.
    axis : int, optional
    order : int, optional
        Of the derivative.
    output, mode, cval : optional
        As of `correlate1d`.
    truncate : float, optional
        After how many standard deviations the weights end.
    radius : int, optional
        After how many elements they do; instead of `truncate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_filter1d
    >>> gaussian_filter1d(cp.array([1.0, 2.0, 3.0, 4.0, 5.0]), 1)
    array([1.42704095, 2.06782203, 3.        , 3.93217797, 4.57295905])
    """
    sigma = float(sigma)
    if radius is None:
        radius = int(truncate * sigma + 0.5)
    if not isinstance(radius, (int, np.integer)) or radius < 0:
        raise ValueError(
            f"Radius must be a nonnegative integer, not {radius} (sigma {sigma}, "
            f"truncate {truncate})"
        )
    weights = _gaussian(sigma, arguments.integer(order), int(radius))
    return _along(input, weights, axis, output, mode, cval, 0)


@replayed
def gaussian_filter(
    input,
    sigma,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
    axes=None,
):
    """Correlation with a Gaussian, or a derivative of it.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float or sequence of floats
        The standard deviation, for each axis; those of 0 are left alone.
    order : int or sequence of ints, optional
        Of the derivative, for each axis.
    output, mode, cval, axes : optional
        As of `correlate`.
    truncate : float, optional
        After how many standard deviations the weights end.
    radius : int or sequence of ints, optional
        After how many elements they do, for each axis; instead of `truncate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. What comes of each axis is of the output's dtype.

    See Also
    --------
    gaussian_filter1d : which is applied along one axis after the other.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_filter
    >>> gaussian_filter(cp.arange(50, step=2).reshape(5, 5), sigma=1)
    array([[ 4,  6,  8,  9, 11],
           [10, 12, 14, 15, 17],
           [20, 22, 24, 25, 27],
           [29, 31, 33, 34, 36],
           [35, 37, 39, 40, 42]])
    """
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    steps = zip(
        axes,
        *(
            arguments.per_axis(value, len(axes), name)
            for name, value in (
                ("order", order),
                ("sigma", sigma),
                ("mode", mode),
                ("radius", radius),
            )
        ),
        strict=True,
    )
    return _in_turn(
        x,
        output,
        [
            lambda a, b, axis=axis, o=o, s=s, m=m, r=r: gaussian_filter1d(
                a, s, axis, o, b, m, cval, truncate, radius=r
            )
            for axis, o, s, m, r in steps
            if s > 1e-15
        ],
    )


# ---- derivatives ---------------------------------------------------------------------


def _passes_are_exact(x, output):
    """Whether no pass over an axis would round what it writes to integers."""
    if x.dtype.kind == "c":
        return True
    kind = Output(output, x).dtype.kind
    return kind in "fc" or kind in "iu" and x.dtype.kind in "iu" and x.itemsize <= 4


def _difference(input, smooth, axis, output, mode, cval):
    """Differences along an axis, smoothed along all others."""
    x = arguments.array(input)
    axis = arguments.axis(axis, x.ndim)
    modes = arguments.per_axis(mode, x.ndim, "mode")
    along = {axis: (-1.0, 0.0, 1.0)}
    along |= {d: smooth for d in range(x.ndim) if d != axis}
    # On a GPU at once, where what lies outside is so of what was filtered, too.
    outside = any(mode_number(m) == 1 for m in modes) and cval != 0
    at_once = 2 <= x.ndim <= 3 and not outside and not _library.on_host(x)
    if at_once and _passes_are_exact(x, output):
        weights = functools.reduce(np.multiply.outer, (along[d] for d in range(x.ndim)))
        return _over(x, weights, output, modes, cval, 0, None, False)
    return _in_turn(
        x,
        output,
        [
            lambda a, b, d=d, w=w: _along(a, np.array(w), d, b, modes[d], cval, 0)
            for d, w in along.items()
        ],
    )


@replayed
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Prewitt's derivative: differences along an axis, sums of three along the others.

    Parameters
    ----------
    input : cupric.ndarray
    axis : int, optional
    output, mode, cval : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import prewitt
    >>> prewitt(cp.arange(9).reshape(3, 3) ** 2)
    array([[ 9, 24, 15],
           [21, 48, 27],
           [33, 72, 39]])
    """
    return _difference(input, (1, 1, 1), axis, output, mode, cval)


@replayed
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Sobel's derivative: differences along an axis, sums weighted 1, 2, 1 along the
    others.

    Parameters
    ----------
    input : cupric.ndarray
    axis : int, optional
    output, mode, cval : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import sobel
    >>> sobel(cp.arange(9).reshape(3, 3) ** 2)
    array([[ 10,  28,  18],
           [ 28,  64,  36],
           [ 46, 100,  54]])
    """
    return _difference(input, (1, 2, 1), axis, output, mode, cval)


def generic_laplace(
    input,
    derivative2,
    output=None,
    mode="reflect",
    cval=0.0,
    extra_arguments=(),
    extra_keywords=None,
    *,
    axes=None,
):
    """Sum of second derivatives, by a function of your own.

    Parameters
    ----------
    input : cupric.ndarray
    derivative2 : callable
        ``derivative2(input, axis, output, mode, cval, *extra_arguments,
        **extra_keywords)``; its `output` is an array to write, or a dtype.
    output, mode, cval, axes : optional
        As of `correlate`.
    extra_arguments : sequence, optional
    extra_keywords : dict, optional

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import correlate1d, generic_laplace
    >>> def second(input, axis, output, mode, cval):
    ...     return correlate1d(input, [1, -2, 1], axis, output, mode, cval)
    >>> generic_laplace(cp.arange(6) ** 3, second)
    array([  1,   6,  12,  18,  24, -61])
    """

    def derivative(x, axis, output, mode):
        return derivative2(
            x, axis, output, mode, cval, *extra_arguments, **(extra_keywords or {})
        )

    return _over_axes(input, derivative, output, mode, axes, squares=False)


def _over_axes(input, derivative, output, mode, axes, *, squares):
    """The sum of derivatives along axes, or the root of the sum of squares."""
    x = arguments.array(input)
    target = Output(output, x, is_complex=x.dtype.kind == "c")
    axes = arguments.axes(axes, x.ndim)
    modes = arguments.per_axis(mode, len(axes), "mode")
    y = target.buffer(x)
    if not axes:
        y[...] = x
        return target.result(y)
    for axis, m in zip(axes, modes, strict=True):
        first = axis == axes[0]
        found = derivative(x, axis, y if first else y.dtype, m)
        if squares:
            found = cp.multiply(found, found, out=found)
        if not first:
            cp.add(y, found, out=y)
    if squares:
        cp.sqrt(y, out=y, casting="unsafe")
    return target.result(y)


@replayed
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """Laplace's operator: sum of second differences.

    Parameters
    ----------
    input : cupric.ndarray
    output, mode, cval, axes : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import laplace
    >>> laplace(cp.arange(9).reshape(3, 3) ** 2)
    array([[ 10,  17,  18],
           [ 25,  20,   9],
           [-14, -31, -54]])
    """
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    if not axes:
        return _over_axes(x, None, output, mode, axes, squares=False)
    modes = arguments.per_axis(mode, len(axes), "mode")
    return _over(x, _cross(len(axes)), output, modes, cval, 0, axes, False)


@functools.cache
def _cross(n):
    """The weights of Laplace's operator over n axes."""
    weights = np.zeros((3,) * n, np.float64)
    for axis in range(n):
        index = [1] * n
        for place, weight in enumerate((1, -2, 1)):
            index[axis] = place
            weights[tuple(index)] += weight
    return weights


@replayed
def gaussian_laplace(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs
):
    """Laplace's operator by second derivatives of Gaussians.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float or sequence of floats
        The standard deviation, for each axis.
    output, mode, cval, axes : optional
        As of `correlate`.
    **kwargs
        As of `gaussian_filter`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_laplace
    >>> gaussian_laplace(cp.arange(6.0) ** 2, sigma=1).round(3)
    array([ 1.321,  1.72 ,  1.934,  1.539, -1.065, -5.453])
    """
    return _gaussians(input, sigma, 2, output, mode, cval, axes, kwargs)


def generic_gradient_magnitude(
    input,
    derivative,
    output=None,
    mode="reflect",
    cval=0.0,
    extra_arguments=(),
    extra_keywords=None,
    *,
    axes=None,
):
    """Magnitude of the gradient, by a function of your own.

    Parameters
    ----------
    input : cupric.ndarray
    derivative : callable
        ``derivative(input, axis, output, mode, cval, *extra_arguments,
        **extra_keywords)``, such as `sobel`; its `output` is an array to write, or a
        dtype.
    output, mode, cval, axes : optional
        As of `correlate`.
    extra_arguments : sequence, optional
    extra_keywords : dict, optional

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import generic_gradient_magnitude, sobel
    >>> generic_gradient_magnitude(cp.arange(9.0).reshape(3, 3), sobel).round(1)
    array([[12.6, 14.4, 12.6],
           [24.3, 25.3, 24.3],
           [12.6, 14.4, 12.6]])
    """

    def one(x, axis, output, mode):
        return derivative(
            x, axis, output, mode, cval, *extra_arguments, **(extra_keywords or {})
        )

    return _over_axes(input, one, output, mode, axes, squares=True)


@replayed
def gaussian_gradient_magnitude(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs
):
    """Magnitude of the gradient by derivatives of Gaussians.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float or sequence of floats
        The standard deviation, for each axis of `input`: all are smoothed.
    output, mode, cval : optional
        As of `correlate`.
    axes : tuple of ints, optional
        That derivatives are taken along.
    **kwargs
        As of `gaussian_filter`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_gradient_magnitude
    >>> gaussian_gradient_magnitude(cp.arange(6.0) ** 2, sigma=1).round(3)
    array([0.636, 2.15 , 4.009, 5.836, 6.343, 3.002])
    """
    return _gaussians(input, sigma, 1, output, mode, cval, axes, kwargs)


def _gaussians(input, sigma, order, output, mode, cval, axes, kwargs):
    """Derivatives of Gaussians along each axis: first ones squared."""
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    if order == 2:  # along the others nothing is smoothed
        given = arguments.per_axis(sigma, len(axes), "sigma")
        sigma = [0.0] * x.ndim
        for axis, s in zip(axes, given, strict=True):
            sigma[axis] = s

    def derivative(x, axis, output, mode):
        orders = [order if d == axis else 0 for d in range(x.ndim)]
        return gaussian_filter(x, sigma, orders, output, mode, cval, **kwargs)

    return _over_axes(x, derivative, output, mode, axes, squares=order == 1)
