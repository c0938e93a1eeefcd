"""Filters by rank: medians, percentiles."""

import functools
import math
import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed, warn
from cupricx.scipy.ndimage._boundary import mode_number
from cupricx.scipy.ndimage._filters import _window as windows

__all__ = [
    "footprint_of",
    "median_filter",
    "percentile_filter",
    "rank_filter",
]

_library = Library(__file__)

# The dtypes of keys, by which elements are compared, and what they are made of; others
# are converted.
_KEYS = {"B": "B", "h": "h", "H": "H", "i": "i", "l": "l", "f": "i", "d": "l", "L": "l"}
_KINDS = {"f": _library.enum.FLOATS, "d": _library.enum.FLOATS}
_KINDS["L"] = _library.enum.UNSIGNED
_READ = {"?": "B", "b": "h", "I": "l", "q": "l", "Q": "L", "e": "f"}


def _example(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 9 * 70) * 37 % 101).reshape(2, 9, 70)
    return [
        ndimage.rank_filter(x.astype(t), rank, size=(1, 3, size), mode=mode)
        for t, rank, size, mode in (
            ("f4", 4, 3, "reflect"),
            ("f8", 5, 7, "constant"),
            ("u1", 30, 33, "wrap"),
            ("i2", 0, 3, "nearest"),
            ("u2", -1, 3, "mirror"),
            ("i4", 1, 1, "reflect"),
            ("i8", 20, 11, "reflect"),
            ("u8", 20, 11, "reflect"),
        )
    ]


def _example_boxes(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(3 * 9 * 35) * 37 % 101).reshape(3, 9, 35)
    return [
        ndimage.median_filter(x.astype(t), size)
        for t in ("f4", "f8", "u1", "i2", "u2", "i4", "i8", "u8")
        for size in ((1, 3, 3), 3, (1, 5, 5))
    ]


def _example_large_boxes(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 11 * 19) * 37 % 101).reshape(2, 11, 19)
    return [
        ndimage.median_filter(x.astype(t), (1, 7, 8))
        for t in ("f4", "f8", "u1", "i2", "u2", "i4", "i8", "u8")
    ]


def _example_large(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 70) * 37 % 101).reshape(2, 70)
    return [
        ndimage.median_filter(x.astype(t), size=(1, 16001))
        for t in ("f4", "f8", "u1", "i2", "u2", "i4", "i8", "u8")
    ]


_tile = _library.kernel(
    "rank_tile<X, K>",
    blocks="pieces",
    threads="TILE_THREADS",
    ships="BB hh HH ii ll fi dl Ll",
    example=_example,
)
_box_tile = _library.kernel(
    "rank_box<K, WIDE, HIGH>",
    blocks="pieces",
    threads="TILE_THREADS",
    ships=" ".join(k + box for k in "BhHi" for box in ("33", "39", "55")) + " l33",
    example=_example_boxes,
)
_large_box_tile = _library.kernel(
    "rank_large_box<K>",
    blocks="pieces",
    threads="TILE_THREADS",
    ships="B h H i l",
    example=_example_large_boxes,
)
_pad = _library.kernel(
    "pad_keys<X, K>",
    blocks="rows",
    threads="PAD_THREADS",
    ships="BB hh HH ii ll fi dl Ll",
    example=_example_large,
)
_window = _library.kernel(
    "rank_window<K>",
    blocks=True,
    threads="RANK_THREADS",
    ships="B h H i l",
    example=_example_large,
)


@functools.lru_cache(maxsize=64)
def _box(sizes):
    return np.ones(sizes, bool)


def footprint_of(size, footprint, n, stacklevel=4):
    """A footprint of n axes as an array of bools of NumPy."""
    if footprint is None:
        if size is None:
            raise RuntimeError("no footprint or filter size provided")
        sizes = arguments.per_axis(size, n, "size", arguments.integer)
        if min(sizes, default=1) < 1:
            raise RuntimeError(f"sizes must be at least 1, not {sizes}")
        return _box(tuple(sizes))
    if size is not None:
        warn("ignoring size because footprint is set", stacklevel=stacklevel)
    if isinstance(footprint, _core.ndarray):
        footprint = footprint.get()
    footprint = np.asarray(footprint, dtype=bool)
    if footprint.ndim != n or 0 in footprint.shape:
        raise RuntimeError(
            f"footprint.ndim ({footprint.ndim}) must match len(axes) ({n}), and no "
            f"length of its shape {footprint.shape} may be 0"
        )
    return footprint


def _places(x, footprint, axes, origin, mode):
    """Of each axis: the window's length, how far it reaches before, and its mode."""
    origins = arguments.per_axis(origin, len(axes), "origin", arguments.integer)
    modes = arguments.per_axis(mode, len(axes), "mode", mode_number)
    window, before, every = [1] * x.ndim, [0] * x.ndim, [0] * x.ndim
    sizes = dict(zip(sorted(axes), footprint.shape, strict=True))  # as SciPy has it
    for axis, o, m in zip(axes, origins, modes, strict=True):
        size = sizes[axis]
        if not 0 <= size // 2 + o < size:
            raise ValueError(
                f"invalid origin: {o} for a window of {size} elements; it must be "
                f"from {-(size // 2)} to {(size - 1) // 2}"
            )
        window[axis], before[axis], every[axis] = size, size // 2 + o, m
    return tuple(window), tuple(before), tuple(every)


_BOXES = (3, 3), (3, 9), (5, 5)  # elements of a row, rows; of 64 bits the first alone


def _is_selected(rank, last):
    """Whether a GPU has the registers to select elements by forgetting others."""
    return max(rank, last - rank) <= _library.enum.MANY_KEPT - 2


@functools.lru_cache(maxsize=512)
def _box_plan(shape, window, before, modes, itemsize, rank):
    """Of windows that are whole: tiles, the kernel, what its instance is of besides
    dtypes; or None.
    """
    places = windows.joined(shape, window, before, modes)
    wide, high = places[1][-1], math.prod(places[1][:-1])
    last = wide * high - 1
    if (wide, high) in _BOXES[: 1 if itemsize > 4 else 3]:
        made = _box_tile, (wide, high)
    elif (
        wide >= _library.enum.QUAD and 0 < rank < last and not _is_selected(rank, last)
    ):
        made = _large_box_tile, ()
    else:
        return None
    tiles = windows.tiles(*places, itemsize)
    return None if tiles is None else (tiles, *made)


@functools.lru_cache(maxsize=512)
def _plan(shape, window, before, modes, covered, itemsize):
    """Tiles, and the numbers of elements that count, by value or as an array, of a
    footprint whose bytes are `covered`; None where no tile holds a window.
    """
    tiles = windows.tiles(*windows.joined(shape, window, before, modes), itemsize, 4)
    if tiles is None:
        return None
    numbers = np.flatnonzero(np.frombuffer(covered, bool)).astype(np.int32)
    are_few = numbers.size <= _library.enum.FEW
    few = _library.struct.few_numbers(number=numbers.tolist() if are_few else ())
    return tiles, few, None if are_few else numbers


def _by_tiles(x, out, footprint, places, taps, rank, cval):
    """Launch over tiles; False where none holds a window."""
    o = _choice(x.dtype, taps, rank, cval)
    box = taps == footprint.size and _box_plan(
        x.shape, *places, out.dtype.itemsize, rank
    )
    if box:
        tiles, kernel, sizes = box
        args = dict(x=x.view(out.dtype), y=out, s=tiles.sizes, pieces=tiles.count, o=o)
        kernel[(out.dtype, *sizes)](**args, shared_mem=tiles.nbytes)
        return True
    plan = _plan(x.shape, *places, footprint.tobytes(), out.dtype.itemsize)
    if plan is None:
        return False
    tiles, few, covered = plan
    _tile[x.dtype, out.dtype](
        x=x,
        y=out,
        s=tiles.sizes,
        many=None if covered is None else arguments.small(covered, x),
        few=few,
        pieces=tiles.count,
        o=o,
        shared_mem=tiles.nbytes,
    )
    return True


def _choice(dtype, taps, rank, cval):
    return _library.struct.rank_choice(
        fill=float(cval),
        taps=taps,
        rank=rank,
        kind=_KINDS.get(dtype.char, _library.enum.INTEGERS),
    )


@functools.lru_cache(maxsize=256)
def _offsets(covered, window, strides):
    """Where the elements of a footprint lie, whose bytes are `covered`."""
    footprint = np.frombuffer(covered, bool).reshape(window)
    return (np.argwhere(footprint) @ np.array(strides, "l")).tolist()


class _Padded:
    """An array with what lies outside about it, as keys.

    Attributes
    ----------
    keys : ndarray
        One-dimensional.
    offsets : list of ints
        Of the footprint's elements, in the keys.
    sizes : list of ints
        The shape, and that of the keys.
    """

    def __init__(self, x, footprint, places, cval):
        ndim = x.ndim
        window, before, every = places
        padded = [n + w - 1 for n, w in zip(x.shape, window, strict=True)]
        strides = [1] * ndim
        for d in range(ndim - 2, -1, -1):
            strides[d] = strides[d + 1] * padded[d + 1]
        self.offsets = _offsets(footprint.tobytes(), window, tuple(strides))
        self.sizes = [*x.shape, *padded]
        total = strides[0] * padded[0]
        self.keys = _core.empty(total + _library.enum.LANES, _KEYS[x.dtype.char])
        self.keys[total:] = 0
        _pad[x.dtype, self.keys.dtype](
            x=x,
            y=self.keys,
            sizes=_core.array([*self.sizes, *before, *every]),
            ndim=ndim,
            rows=total // padded[-1],
            fill=float(cval),
        )


def _filter(input, rank_of, size, footprint, output, mode, cval, origin, axes):
    """Elements of a rank; `rank_of` tells it for a number of elements."""
    x = arguments.array(input)
    if x.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: {x.dtype} has no order")
    axes = arguments.axes(axes, x.ndim)
    footprint = footprint_of(size, footprint, len(axes), 5)
    taps = int(footprint.sum())
    rank = rank_of(taps)
    if rank < 0:
        rank += taps
    if not 0 <= rank < taps:
        raise RuntimeError(
            f"rank not within filter footprint size: rank {rank} of {taps} elements"
        )
    if complex(cval).imag:
        raise ValueError(f"cval={cval} is complex, the input is of dtype {x.dtype}")
    target = Output(output, x)
    read = np.dtype(_READ.get(x.dtype.char, x.dtype.char))
    x = contiguous(x.astype(read, copy=False))
    places = _places(x, footprint, axes, origin, mode)
    if x.size == 0 or x.ndim == 0:
        y = target.buffer(dtype=read)
        y[...] = x
        return target.result(y)
    keys = np.dtype(_KEYS[read.char])
    if not _library.on_host(x):
        y = target.buffer(x, dtype=read)
        if _by_tiles(x, y.view(keys), footprint, places, taps, rank, cval):
            return target.result(y)
    y = target.buffer(dtype=read)  # keys are read, not x, so that it may be x
    padded = _Padded(x, footprint, places, cval)
    n = x.shape[-1]
    rows = x.size // n
    threads = _library.enum.RANK_THREADS
    across = min(threads, 1 << (n - 1).bit_length())
    _window[padded.keys.dtype](
        x=padded.keys,
        y=y.view(keys),
        sizes=_core.array(padded.sizes),
        offsets=_core.array(padded.offsets),
        p=_library.struct.padded_rows(rows=rows, ndim=x.ndim, across=across),
        o=_choice(x.dtype, taps, rank, cval),
        work=-(-rows // (threads // across)) * -(-n // across),
    )
    return target.result(y)


@replayed
def rank_filter(
    input,
    rank,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """The element of a rank in each window.

    Parameters
    ----------
    input : cupric.ndarray
    rank : int
        0 is the least, -1 the greatest.
    size : int or sequence of ints, optional
        Of the windows, for each axis.
    footprint : array_like of bools, optional
        Which elements of a window count; instead of `size`.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    mode : str or sequence of str, optional
        What lies outside, as of `correlate1d`; for each axis.
    cval : scalar, optional
        The constant, converted to the dtype of `input`.
    origin : int or sequence of ints, optional
        How far windows are shifted to the left, for each axis.
    axes : tuple of ints, optional
        All axes by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Notes
    -----
    Small windows by forgetful selection (A. W. Paeth, "Median finding on a 3x3 grid",
    Graphics Gems, 1990), on a GPU boxes by merging sorted columns (K. E. Batcher,
    "Sorting networks and their applications", 1968), large ones by the bits of the
    result. NaN, for which SciPy
    defines nothing, is greater than all numbers, with its sign set less.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import rank_filter
    >>> rank_filter(cp.array([5, 3, 8, 1, 9, 2]), rank=1, size=3)
    array([5, 5, 3, 8, 2, 2])
    """
    rank = operator.index(rank)
    return _filter(
        input, lambda _: rank, size, footprint, output, mode, cval, origin, axes
    )


@replayed
def median_filter(
    input,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """The median of each window.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, output, mode, cval, origin, axes : optional
        As of `rank_filter`. Of an even number of elements it is the greater of the two
        in the middle.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import median_filter
    >>> median_filter(cp.array([5, 3, 8, 1, 9, 2]), size=3)
    array([5, 5, 3, 8, 2, 2])
    """
    return _filter(
        input, lambda n: n // 2, size, footprint, output, mode, cval, origin, axes
    )


@replayed
def percentile_filter(
    input,
    percentile,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """The element at a percentile of each window.

    Parameters
    ----------
    input : cupric.ndarray
    percentile : float
        From 0 to 100, or less by 100.
    size, footprint, output, mode, cval, origin, axes : optional
        As of `rank_filter`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import percentile_filter
    >>> percentile_filter(cp.array([5, 3, 8, 1, 9, 2]), 20, size=3)
    array([3, 3, 1, 1, 1, 2])
    """
    share = percentile + 100.0 if percentile < 0 else percentile
    if not 0 <= share <= 100:
        raise RuntimeError(
            f"invalid percentile: {percentile}; it must be from -100 to 100"
        )

    def rank_of(n):
        return n - 1 if share == 100 else int(float(n) * share / 100.0)

    return _filter(input, rank_of, size, footprint, output, mode, cval, origin, axes)
