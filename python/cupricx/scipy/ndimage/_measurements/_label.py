"""Labels of connected elements, and where they lie."""

import contextlib
import functools
import gc
import math
import operator
from itertools import chain

import numpy as np

import cupric as cp
from cupric._lib import Library, Output, arguments, contiguous, replayed, where_it_lives

__all__ = [
    "collector_paused",
    "connected",
    "find_objects",
    "label",
    "labels_as",
]

_library = Library(__file__, "_label.cuh")

_CELLS_LOG2, _CELLS = 7, 128  # as in _label.cuh
_THREADS = 256
_FEW_SUMS = 512  # that a warp makes no slower than a scan
_FEW_ELEMENTS = 4096  # that are not worth a second thread of the host's
_LARGE = 2**31 - 2  # elements, from which on they are numbered in 64 bits


def _example_label(xp):
    from cupricx.scipy import ndimage

    x = np.arange(3 * 40 * 50).reshape(3, 40, 50) % 7
    found = [
        ndimage.label(xp.asarray((x > 3).astype(t))) for t in ("?", "i2", "f4", "f8")
    ]
    return [
        *found,
        ndimage.label(xp.asarray(x[0]), np.ones((3, 3), np.float64)),
        ndimage.label(xp.asarray(x[0]), np.eye(3)),
    ]


def _example_objects(xp):
    from cupricx.scipy import ndimage

    x = (np.arange(3 * 40 * 50) // 100 % 17).reshape(3, 40, 50)
    found = [ndimage.find_objects(xp.asarray(x.astype(t))) for t in ("u1", "i4", "i8")]
    return [np.array([[o.start, o.stop] for one in f for o in one]) for f in found]


_runs = _library.kernel("label_runs<U, T>", ships="Bi Hi Ii Li", example=_example_label)
_merge = _library.kernel("label_merge<T>", ships="i", example=_example_label)
_sums = _library.kernel("label_sums<T>", ships="i", example=_example_label)
_count = _library.kernel("label_count<T>", ships="i", example=_example_label)
_number = _library.kernel("label_number<T>", ships="i", example=_example_label)
_write = _library.kernel("label_write<T>", ships="i", example=_example_label)
_bounds = _library.kernel("label_bounds<L>", ships="B i l", example=_example_objects)


# ---- label ---------------------------------------------------------------------------


def label(input, structure=None, output=None):
    """Label the connected components of an array.

    Parameters
    ----------
    input : cupric.ndarray
        Of any real dtype.
    structure : array_like of bool, optional
        Which of the neighbours of an element are connected with it: 3 along each axis,
        and symmetric. By default those along the axes.
    output : cupric.ndarray or dtype, optional
        Where the labels go, or their dtype; int32 by default, int64 from 2**31 - 2
        elements on.

    Returns
    -------
    labels : cupric.ndarray
        New, 0 where `input` is. Not returned where `output` is an array.
    num_features : int
        How many labels there are. Waits for the device.

    Notes
    -----
    Labels are in the order of their first elements, in C order. They come from sets
    that are joined in parallel, of elements on a GPU, first in tiles, then across their
    borders, of runs on the host (Playne and Hawick, "A new algorithm for parallel
    connected-component labelling on GPUs", 2018; Allegretti, Bolelli and Grana,
    "Optimized block-based algorithms to label connected components on GPUs", 2019).

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import label
    >>> label(cp.array([[1, 1, 0, 1], [0, 0, 0, 1], [1, 0, 1, 0]]))
    (array([[1, 1, 0, 2],
           [0, 0, 0, 2],
           [3, 0, 4, 0]], dtype=int32), 4)
    """
    x = arguments.array(input)
    if x.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: label takes no {x.dtype}")
    links = _structure(structure, x.ndim)
    if isinstance(output, cp.ndarray) and output.shape != x.shape:
        raise ValueError(
            f"output shape not correct: it is {output.shape}, the input's is {x.shape}"
        )
    number = np.dtype(np.int64 if x.size >= _LARGE else np.int32)
    target = Output(output, x, dtype=number)
    if target.dtype.kind == "c":
        raise TypeError(f"labels are no complex numbers: output={target.dtype}")
    if x.size == 0:
        y, count = target.buffer(x), 0
    else:
        y = target.buffer(x, dtype=number)
        count = _label(x, links, y, number)
        _require_range(count, target.dtype)
    made = target.result(y)
    return count if target.given is not None else (made, count)


@functools.cache
def _neighbours_along_axes(ndim):
    return np.abs(np.indices((3,) * ndim) - 1).sum(axis=0) <= 1


def _structure(structure, ndim):
    """A structure of 3 along each axis, of bools on the host, that is symmetric."""
    if structure is None:
        return _neighbours_along_axes(ndim)
    if isinstance(structure, cp.ndarray):
        structure = structure.get()
    structure = np.asarray(structure, dtype=bool)
    if structure.ndim != ndim:
        raise RuntimeError(
            f"structure and input must have equal rank, not {structure.ndim} and {ndim}"
        )
    if structure.shape != (3,) * ndim:
        raise ValueError(
            f"structure dimensions must be equal to 3, not {structure.shape}"
        )
    if (structure != np.flip(structure)).any():
        raise ValueError(
            "structure is not symmetric: it must be equal to numpy.flip(structure)"
        )
    return structure


def _links(structure, linked):
    """The neighbours that come before, as label_merge takes them: steps along the axes
    of rows, and from where to where along the row. `linked`: rows are joined.
    """
    if structure.ndim == 1:
        return []
    found = []
    before = structure.reshape(-1, 3)[: 3 ** (structure.ndim - 1) // 2]
    for number, along in enumerate(before):
        steps = [int(i) - 1 for i in np.unravel_index(number, structure.shape[:-1])]
        at = [d for d in (-1, 0, 1) if along[d + 1]]
        if not at:
            continue
        if linked and len(at) == at[-1] - at[0] + 1:
            found.append([*steps, at[0], at[-1]])
        else:
            found.extend([*steps, d, d] for d in at)
    return found


class _Sets:
    """The sets of connected elements, as the kernels of `label` take them."""

    __slots__ = ("counts", "edges", "linked", "n", "parent", "pieces", "rows", "width")

    def launch(self, kernel, args):
        """Over pieces on the host, over words on a GPU."""
        if _library.on_host(self.parent):
            kernel.blocks(self.pieces, _THREADS, (*args, self.pieces))
        else:
            kernel.elements(self.rows * self.width, (*args, self.pieces))

    @property
    def sizes(self):
        return self.rows, self.n, self.width


def connected(x, structure, number=None):
    """Sets of the elements of x that are not zero: `_Sets`.

    `structure`, of bools on the host, is symmetric and has 3 along each axis; `number`
    is the dtype of members.
    """
    sets = _Sets()
    if number is None:
        number = np.dtype(np.int64 if x.size >= _LARGE else np.int32)
    long = [d for d in range(x.ndim) if x.shape[d] > 1] or [x.ndim - 1][: x.ndim]
    structure = structure[tuple(slice(None) if d in long else 1 for d in range(x.ndim))]
    shape = [x.shape[d] for d in long] or [1]
    structure = structure.reshape((3,) * len(shape) if long else (1,))
    sets.n = n = shape[-1]
    sets.rows = rows = x.size // n
    sets.linked = linked = bool(structure.ravel()[structure.size // 2 - 1])
    links = _links(structure, linked)
    bits, mask = _bits(x)
    if _library.on_host(x):
        sets.width = width = 2 * ((n + 1) // 2 if linked else n) + 2
        members, edges = rows * (width // 2 - 1), rows * width
        sets.pieces = _host_pieces(links, shape)
        tile = 0, 0
    else:
        sets.width = width = -(-n // 32)
        members, edges = x.size, 2 * rows * width
        sets.pieces, *tile = _tiles(shape, width)
    sets.parent, sets.edges = cp.empty(members, number), cp.empty(edges, number)
    sets.counts = cp.empty(rows, number)
    facts = cp.array([*shape, *chain.from_iterable(links)], dtype=np.int64)
    args = sets.parent, sets.edges, sets.counts, facts, len(shape), len(links)
    args += *sets.sizes, linked, *tile
    _runs[bits.dtype, number].blocks(
        sets.pieces, _CELLS, (bits, *args, sets.pieces, mask)
    )
    if not _library.on_host(x) or sets.pieces > 1:
        sets.launch(_merge[number], args)
    return sets


def _tiles(shape, words):
    """How many tiles there are on a GPU, and the logarithms of their depth and height:
    as near to a cube as the array lets them be."""
    height, depth, *outer = (*shape[-2::-1], 1, 1)
    log2 = [(m - 1).bit_length() for m in (depth, height, words)]
    left = _CELLS_LOG2 - min(1, log2[2])
    z = min(log2[0], left // 2)
    y = min(log2[1], left - z)
    z = min(log2[0], left - y)
    lengths = (depth, z), (height, y), (words, _CELLS_LOG2 - z - y)
    return math.prod([*outer, *(-(-m >> k) for m, k in lengths)]), z, y


def _host_pieces(links, shape):
    """How many shares of the rows there are: of enough elements to be worth a thread,
    and of many more rows than a link goes back."""
    strides = [math.prod(shape[d + 1 : -1]) for d in range(len(shape) - 1)]
    back = [-sum(map(operator.mul, link, strides)) for link in links]
    rows = math.prod(shape[:-1])
    return max(1, min(rows * shape[-1] // 2**17, rows // (8 * max([1, *back])), 256))


def _label(x, structure, y, number):
    """Write the labels of x to y; return how many there are."""
    return int(_numbered(x, structure, y, number)[-1])


@replayed
def _numbered(x, structure, y, number):
    """Write the labels of x to y; return running sums, the last of all labels."""
    sets = connected(x, structure, number)
    parent, edges, counts = sets.parent, sets.edges, sets.counts
    on_host = _library.on_host(x)
    found = cp.empty(1 + (sets.pieces if on_host else edges.size // 2), number)
    sets.launch(_count[number], (parent, edges, counts, found, *sets.sizes))
    if on_host or found.size <= _FEW_SUMS:
        _sums[number].blocks(1, 32, (found, found.size))
    else:
        found = cp.cumsum(found, dtype=number)
    sets.launch(_number[number], (parent, edges, counts, found, *sets.sizes))
    args = parent, edges, counts, y, *sets.sizes
    if on_host:
        _write[number].blocks(sets.rows, _THREADS, args)
    else:
        pack = 16 // number.itemsize  # that a thread writes
        _write[number].elements(-(-x.size // pack), args)
    return found


def _bits(x):
    """x as contiguous unsigned integers, and which bits tell of a number but 0."""
    bits = contiguous(x).view(f"u{x.dtype.itemsize}")
    return bits, 2 ** (8 * x.dtype.itemsize - 1) - 1 if x.dtype.kind == "f" else -1


def _require_range(count, dtype):
    """That labels up to `count` can be told apart in a dtype."""
    if dtype.kind in "iu":
        most = np.iinfo(dtype).max
    elif dtype.kind == "f":
        most = 2 ** (np.finfo(dtype).nmant + 1)
    else:
        return
    if count > most:
        raise RuntimeError(
            f"insufficient bit-depth in requested output type: {count} labels do not "
            f"fit in {dtype}"
        )


# ---- find_objects --------------------------------------------------------------------


@where_it_lives
def find_objects(input, max_label=0):
    """Bounding slices of each label.

    Parameters
    ----------
    input : cupric.ndarray of ints
        Labels; those below 1 are ignored.
    max_label : int, optional
        Largest label to search for; by default, the maximum of `input`.

    Returns
    -------
    list
        Of each label from 1 on, a tuple of slices, one for each axis, or None where
        there is no such label. Waits for the device.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import find_objects
    >>> find_objects(cp.array([0, 1, 1, 0, 3]))
    [(slice(1, 3, None),), None, (slice(4, 5, None),)]
    """
    x = arguments.array(input)
    if x.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: labels are ints, not {x.dtype}")
    if x.dtype.kind not in "iu":
        raise TypeError(f"labels are ints, not {x.dtype}; input.astype(int) makes them")
    most = arguments.integer(max_label)
    if most < 1:
        most = int(x.max())
    if most < 1:
        return []
    if x.size == 0:
        return [None] * most
    bounds = _bounds_of(x, most)
    ndim = bounds.shape[-1]
    found = (bounds[0] if len(bounds) == 1 else bounds.min(axis=0)).get()
    low, high = found[:, 0].ravel(), ~found[:, 1].ravel()
    with collector_paused():
        slices = map(slice, low.tolist(), (high + 1).tolist())
        made = list(zip(*[slices] * ndim, strict=True)) if x.ndim else [()] * most
    for k in np.flatnonzero(high[::ndim] < 0).tolist():
        made[k] = None
    return made


@replayed
def _bounds_of(x, most):
    """Tables of where each label up to `most` begins, and the complement of where it
    ends, along each axis."""
    labels = labels_as(x, "Bil")
    shape = x.shape or (1,)
    ndim, n = len(shape), shape[-1]
    rows = x.size // n
    tables, pieces = 1, -(-x.size // _THREADS)
    if _library.on_host(x):
        tables = pieces = 1
        if x.size > _FEW_ELEMENTS:
            tables = pieces = min(max(x.size // (16 * most), 2), 16)
    bounds = cp.full((tables, most, 2, ndim), np.iinfo(np.int64).max)
    lengths = cp.array(shape, dtype=np.int64)
    args = labels, bounds, most, lengths, ndim, rows, n, tables
    _bounds[labels.dtype].blocks(pieces, _THREADS, args)
    return bounds


@contextlib.contextmanager
def collector_paused():
    """While a list of many tuples is made, which the garbage collector would look at
    again and again: two thirds of the time otherwise."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def labels_as(labels, letters):
    """Labels in a dtype that there are kernels for, contiguous; floats in float64."""
    if labels.dtype.kind == "f":
        char = "d"
    elif labels.dtype.char in letters:
        char = labels.dtype.char
    else:
        char = "l" if labels.dtype.char in "IlLqQ" else "i"
    return contiguous(labels.astype(char, copy=False))
