"""Filters by rank: the smallest and the largest element of a window."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed, warn
from cupricx.scipy.ndimage._boundary import mode_number
from cupricx.scipy.ndimage._filters import _window as windows

__all__ = [
    "expanded",
    "extremum",
    "host_array",
    "maximum_filter",
    "maximum_filter1d",
    "minimum_filter",
    "minimum_filter1d",
]

_library = Library(__file__)

# Integers are read as unsigned ones of their size: see `flip` in _ranks.cuh.
_SHIPS = "B H I L f d"


def _example(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 40 * 70) * 37 % 101).reshape(2, 40, 70)
    return [
        ndimage.maximum_filter1d(x.astype(t), size, axis, mode=m)
        for t, m in (("f4", "reflect"), ("u1", "wrap"), ("i2", "constant"))
        for axis, size in ((0, 2), (1, 7), (1, 17), (2, 9))
    ]


def _example_long(xp):
    from cupricx.scipy import ndimage

    x = xp.arange(6000) * 37 % 101
    return [ndimage.minimum_filter1d(x.astype(t), 1500) for t in ("f4", "i4")]


def _example_window(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 7 * 9) * 37 % 101).reshape(5, 7, 9)
    cross = ndimage.generate_binary_structure(3, 1)
    return [
        ndimage.minimum_filter(x.astype("f4"), footprint=cross.get()),
        ndimage.maximum_filter(x[0].astype("i4"), footprint=[[1, 0], [1, 1]]),
        ndimage.grey_erosion(x.astype("f8"), structure=np.arange(27).reshape(3, 3, 3)),
        ndimage.grey_dilation(x[0].astype("f4"), structure=[[1, 2], [3, 4]]),
        ndimage.grey_erosion(x[0] > 50, structure=[[1, 0], [0, 1]]),
    ]


_line = _library.kernel(
    "extremum_line<T>",
    blocks=True,
    threads="LINE_THREADS",
    ships=_SHIPS,
    example=_example,
)
_tile = _library.kernel(
    "extremum_tile<T>",
    blocks="pieces",
    threads="TILE_THREADS",
    ships=_SHIPS,
    example=_example,
)
_columns = _library.kernel(
    "extremum_columns<T>",
    blocks=True,
    threads="COLUMN_THREADS",
    ships=_SHIPS,
    example=_example,
)
_scan = _library.kernel(
    "extremum_scan<T>",
    blocks=True,
    threads="SCAN",
    ships=_SHIPS,
    example=_example_long,
)
_window = _library.kernel(
    "extremum_window<T, STRUCTURE>",
    blocks=True,
    threads="WINDOW_THREADS",
    ships="B0 H0 I0 L0 f0 d0 f1 d1 d2",
    example=_example_window,
)


# ---- elements as the kernels take them -----------------------------------------------


class _Elements:
    """How kernels take elements of a dtype, and the constant outside.

    An integer constant that the dtype does not hold, but that decides a window, as -1
    among unsigned integers for the minimum, makes all be computed in float64, as SciPy
    does.
    """

    def __init__(self, dtype, cval, minimum, constant):
        if dtype.kind == "c":
            raise TypeError(f"Complex type not supported: dtype {dtype}")
        cval = float(cval)
        self.bits, self.fill = 0, cval
        self.read = np.dtype("f" if dtype.char == "e" else dtype)
        if dtype.kind in "biu":
            self._take_integers(dtype, cval, minimum, constant)
        elif self.read.char not in "fd":
            self.read = np.dtype("d")
        if self.read.kind == "f":
            self.kernel, self.flip = self.read, int(minimum)

    def _take_integers(self, dtype, cval, minimum, constant):
        if dtype.kind == "b":
            least, most = 0, 1
        else:
            least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        if constant and (math.isnan(cval) or (cval < least, cval > most)[not minimum]):
            self.read = np.dtype("d")
            return
        if not math.isnan(cval):
            self.bits = int(min(max(cval, least), most)) if constant else 0
        self.bits -= (self.bits >= 1 << 63) << 64
        self.kernel = np.dtype(f"u{dtype.itemsize}")
        ones = -1 if minimum else 0
        self.flip = ones ^ (1 << 8 * dtype.itemsize - 1 if dtype.kind == "i" else 0)
        if self.flip >= 1 << 63:
            self.flip -= 1 << 64
        if self.flip < -(1 << 63):
            self.flip += 1 << 64

    def taken(self, x):
        """An array of the dtype to read, contiguous, in the kernel's dtype."""
        x = contiguous(x.astype(self.read, copy=False))
        return self.seen(x)

    def seen(self, x):
        return x if self.read == self.kernel else x.view(self.kernel)

    @property
    def numbers(self):
        """struct extremum_numbers."""
        return _library.struct.extremum_numbers(
            fill=self.fill, bits=self.bits, flip=self.flip
        )


# ---- along one axis after the other --------------------------------------------------


def _place(size, origin, axis):
    """How many elements of a window lie before the one that it is centred on."""
    before = size // 2 + origin
    if not 0 <= before < size:
        raise ValueError(
            f"invalid origin: {origin} for a window of {size} along axis {axis}; it "
            f"must be from {-(size // 2)} to {(size - 1) // 2}"
        )
    return before


def _along(x, y, axis, size, before, mode, elements):
    """Extrema along an axis of x, into y, both contiguous and of the kernel's dtype."""
    n = x.shape[axis]
    inner = math.prod(x.shape[axis + 1 :])
    rows = x.size // (n * inner)
    enum, on_host = _library.enum, _library.on_host(x)
    args = dict(x=x, y=y, o=elements.numbers)
    if inner == 1 and enum.QUAD <= size <= enum.MOST_DIRECT and not on_host:
        places = (rows, n), (1, size), (0, before), (0, mode), 1
        tiles = windows.tiles(*places, x.dtype.itemsize)
        args |= dict(s=tiles.sizes, pieces=tiles.count, size=size)
        _tile[elements.kernel](**args, shared_mem=tiles.nbytes)
        return
    args["p"] = _library.struct.extremum_axis(
        rows=rows, n=n, inner=inner, size=size, before=before, mode=mode
    )
    if (size - 1) * inner <= enum.MOST_REACH and inner <= 64:
        _line[elements.kernel](**args, work=rows * -(-n * inner // enum.SEGMENT))
        return
    chunks = -(-n // size)
    # A GPU needs some ten thousand columns, or blocks that scan one together.
    few = size > enum.SHORT and rows * inner * chunks < 1 << 14 and inner < 256
    if inner < 32 or (few and not on_host):
        _scan[elements.kernel](**args, work=rows * inner * chunks)
        return
    if on_host:
        pieces = chunks * rows * -(-inner // enum.COLUMNS)
    else:
        chunk = size if size > enum.SHORT else enum.DOWN
        pieces = -(-n // chunk) * -(-rows * inner // enum.COLUMN_THREADS)
    _columns[elements.kernel](**args, work=pieces)


def _separable(x, passes, output, cval, minimum):
    """Extrema over boxes: `passes` are (axis, size, before, mode)."""
    constant = any(p[3] == 1 for p in passes)
    elements = _Elements(x.dtype, cval, minimum, constant)
    target = Output(output, x)
    if len(passes) > 1 and elements.read.itemsize > x.dtype.itemsize:
        # As SciPy: between the passes elements are of the result's dtype.
        first = _separable(x, passes[:1], target.dtype, cval, minimum)
        return target.result(_separable(first, passes[1:], None, cval, minimum))
    if not passes or x.size == 0:
        return target.result(x.astype(target.dtype))
    read = elements.taken(x)
    for i, (axis, size, before, mode) in enumerate(passes):
        if i < len(passes) - 1:
            y = _core.empty(x.shape, elements.read)
        else:
            y = target.buffer(read, x, dtype=elements.read)
        _along(read, elements.seen(y), axis, size, before, mode, elements)
        read = elements.seen(y)
    return target.result(y)


# ---- over windows of any shape -------------------------------------------------------


def host_array(x, dtype=None):
    """A small array on the host, where its values decide what is launched."""
    if isinstance(x, _core.ndarray):
        x = x.get()
    return np.asarray(x, dtype)


def expanded(window, axes, ndim, name):
    """A window over some axes as one over all, in the order of the array's axes."""
    if window.ndim != len(axes):
        raise RuntimeError(
            f"{name}.ndim ({window.ndim}) must match len(axes) ({len(axes)})"
        )
    others = tuple(d for d in range(ndim) if d not in axes)
    return np.expand_dims(window, others)


def _shaped(
    x, footprint, structure, origins, axes, mode, output, cval, minimum, as_bytes
):
    """Extrema over the elements that a footprint marks, with what a structure adds."""
    if not isinstance(mode, str):
        raise RuntimeError(
            "A sequence of modes is not supported for non-separable footprints"
        )
    mode = mode_number(mode)
    footprint = expanded(footprint, axes, x.ndim, "footprint")
    origin = [0] * x.ndim
    for axis, o in zip(axes, origins, strict=True):
        origin[axis] = o
    before = [
        _place(size, o, axis)
        for axis, (size, o) in enumerate(zip(footprint.shape, origin, strict=True))
    ]
    elements = _Elements(x.dtype, cval, minimum, mode == 1)
    taps = np.flatnonzero(footprint)
    weights, kind = None, _library.enum.FLAT
    if structure is not None:
        kind = _library.enum.BYTES if as_bytes else _library.enum.STRUCTURED
        weights = structure.reshape(-1)[taps]
        if elements.read.char != "f":
            elements = _Elements(np.dtype("d"), cval, minimum, mode == 1)
    target = Output(output, x)
    read = elements.taken(x)
    y = target.buffer(read, x, dtype=elements.read)
    if x.size:
        sizes = windows.window_sizes(
            x.shape, footprint.shape, tuple(before), (mode,) * x.ndim
        )
        rows = x.size // x.shape[-1]
        _window[elements.kernel, kind](
            x=read,
            taps=arguments.small(taps, x, np.int64),
            weights=arguments.small(weights, x, elements.kernel) if kind else None,
            y=elements.seen(y),
            s=sizes,
            rows=rows,
            count=taps.size,
            o=elements.numbers,
            work=rows * -(-x.shape[-1] // _library.enum.CHUNK),
        )
    if as_bytes and target.dtype.char in "?B":
        y = y % 256
    return target.result(y)


def extremum(
    input,
    size,
    footprint,
    structure,
    output,
    mode,
    cval,
    origin,
    axes,
    minimum,
    as_bytes=False,
):
    """Extrema over a box, a footprint or a structure, as the functions take them.

    With `as_bytes` sums of uint8 and a structure are modulo 256.
    """
    if size is not None and footprint is not None:
        warn("ignoring size because footprint is set", stacklevel=3)
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    origins = arguments.per_axis(origin, len(axes), "origin", arguments.integer)
    if structure is None and footprint is None and size is None:
        raise RuntimeError("no footprint provided: pass size, or footprint")
    if footprint is not None:
        footprint = host_array(footprint, bool)
        if not footprint.any():
            raise ValueError(
                f"All-zero footprint is not supported (shape {footprint.shape})"
            )
    if structure is not None:
        structure = host_array(structure, np.float64)
        if structure.ndim != len(axes):
            raise RuntimeError(
                f"structure array has incorrect shape: {structure.shape}, for "
                f"{len(axes)} axes"
            )
        if footprint is None:
            footprint = np.ones(structure.shape, bool)
        if footprint.shape != structure.shape:
            raise RuntimeError(
                f"footprint and structure must have the same shape, not "
                f"{footprint.shape} and {structure.shape}"
            )
        if structure.size == 0:
            raise RuntimeError(f"structure must not be empty (shape {structure.shape})")
    elif footprint is not None and footprint.all():
        if footprint.ndim != len(axes):
            expanded(footprint, axes, x.ndim, "footprint")
        size, footprint = footprint.shape, None
    if footprint is not None:
        return _shaped(
            *(x, footprint, structure, origins, axes, mode, output, cval, minimum),
            as_bytes,
        )
    sizes = arguments.per_axis(size, len(axes), "size", arguments.integer)
    modes = arguments.per_axis(mode, len(axes), "mode", mode_number)
    passes = [
        (axis, s, _place(s, o, axis), m)
        for axis, s, o, m in zip(axes, sizes, origins, modes, strict=True)
        if s > 1
    ]
    return _separable(x, passes, output, cval, minimum)


def _along_one(input, size, axis, output, mode, cval, origin, minimum):
    x = arguments.array(input)
    axis = arguments.axis(axis, x.ndim)
    size = arguments.integer(size)
    if size < 1:
        raise RuntimeError(f"incorrect filter size: {size}; it must be at least 1")
    before = _place(size, arguments.integer(origin), axis)
    passes = [(axis, size, before, mode_number(mode))]
    return _separable(x, passes, output, cval, minimum)


@replayed
def minimum_filter1d(
    input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """Smallest element of a window along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    size : int
        Length of the window. The time does not depend on it.
    axis : int, optional
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    mode : {'reflect', 'constant', 'nearest', 'mirror', 'wrap'}, optional
        What lies outside; with ``grid-`` before 'constant', 'mirror' (which is
        'reflect') and 'wrap' too.
    cval : scalar, optional
        The constant.
    origin : int, optional
        How far the window is shifted to the left.

    Returns
    -------
    cupric.ndarray
        New, or `output`. NaN where the window has one.

    Notes
    -----
    After M. van Herk, "A fast algorithm for local minimum and maximum filters on
    rectangular and octagonal kernels", 1992, and J. Gil and M. Werman, "Computing 2-D
    min, median, and max filters", 1993; short windows by doubling.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import minimum_filter1d
    >>> minimum_filter1d(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    return _along_one(input, size, axis, output, mode, cval, origin, True)


@replayed
def maximum_filter1d(
    input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """Largest element of a window along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    size : int
        Length of the window. The time does not depend on it.
    axis, output, mode, cval, origin : optional
        As of `minimum_filter1d`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. NaN where the window has one.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import maximum_filter1d
    >>> maximum_filter1d(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([8, 8, 8, 4, 9, 9, 9, 9])
    """
    return _along_one(input, size, axis, output, mode, cval, origin, False)


@replayed
def minimum_filter(
    input,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """Smallest element of a window.

    Parameters
    ----------
    input : cupric.ndarray
    size : int or sequence of ints, optional
        Of a box, for each axis. The time does not depend on it.
    footprint : array_like of bool, optional
        The elements of the window, instead of `size`. Is copied to the host.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    mode : str or sequence of str, optional
        As of `minimum_filter1d`; for each axis, of a box.
    cval : scalar, optional
        The constant.
    origin : int or sequence of ints, optional
        How far the window is shifted to the left, for each axis.
    axes : tuple of ints, optional
        All axes by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`. NaN where the window has one.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import minimum_filter
    >>> minimum_filter(cp.array([[4, 1, 3], [2, 5, 6]]), footprint=[[1, 0], [0, 1]])
    array([[4, 1, 1],
           [2, 4, 1]])
    """
    return extremum(
        input, size, footprint, None, output, mode, cval, origin, axes, True
    )


@replayed
def maximum_filter(
    input,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """Largest element of a window.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, output, mode, cval, origin, axes : optional
        As of `minimum_filter`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. NaN where the window has one.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import maximum_filter
    >>> maximum_filter(cp.array([[4, 1, 3], [2, 5, 6]]), size=(1, 2))
    array([[4, 4, 3],
           [2, 5, 6]])
    """
    return extremum(
        input, size, footprint, None, output, mode, cval, origin, axes, False
    )
