"""Labels of connected elements."""

import functools
import math
import operator
from itertools import chain

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed

__all__ = [
    "connected",
    "label",
]

_library = Library(__file__)

_FEW_SUMS = 512  # that a warp makes no slower than a scan
_LARGE = 2**31 - 2  # elements, from which on they are numbered in 64 bits


def _example(xp):
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


_runs = _library.kernel(
    "label_runs<U, T>",
    blocks="s.pieces",
    threads="CELLS",
    ships="Bi Hi Ii Li",
    example=_example,
)


def _declare(signature, blocks=True, threads="LABEL_THREADS"):
    return _library.kernel(
        signature, blocks=blocks, threads=threads, ships="i", example=_example
    )


_merge = _declare("label_merge<T>")
_sums = _declare("label_sums<T>", threads="SCANNED")
_count = _declare("label_count<T>")
_number = _declare("label_number<T>")
_write = _declare("label_write<T>")


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
    if isinstance(output, _core.ndarray) and output.shape != x.shape:
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
    if isinstance(structure, _core.ndarray):
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
    """The sets of connected elements, as the kernels of `label` take them.

    Attributes
    ----------
    parent, edges, counts : cupric.ndarray
    sizes : numpy.ndarray
        struct label_sizes.
    rows, n, width, pieces : int
        Its fields.
    work : int
        Of launches over words, on the host over pieces.
    """

    __slots__ = (
        *("counts", "edges", "n", "parent", "pieces", "rows", "sizes", "width"),
        "work",
    )


def connected(x, structure, number=None):
    """Sets of the elements of x that are not zero: `_Sets`.

    `structure`, of bools on the host, is symmetric and has 3 along each axis; `number`
    is the dtype of members.
    """
    if number is None:
        number = np.dtype(np.int64 if x.size >= _LARGE else np.int32)
    long = [d for d in range(x.ndim) if x.shape[d] > 1] or [x.ndim - 1][: x.ndim]
    structure = structure[tuple(slice(None) if d in long else 1 for d in range(x.ndim))]
    shape = [x.shape[d] for d in long] or [1]
    structure = structure.reshape((3,) * len(shape) if long else (1,))
    linked = bool(structure.ravel()[structure.size // 2 - 1])
    links = _links(structure, linked)
    bits, mask = _bits(x)
    sets = _sets_of(x, shape, links, linked, mask, number)
    facts = _core.array([*shape, *chain.from_iterable(links)], dtype=np.int64)
    args = dict(parent=sets.parent, edges=sets.edges, counts=sets.counts)
    args |= dict(facts=facts, s=sets.sizes)
    _runs[bits.dtype, number](x=bits, **args)
    if not _library.on_host(x) or sets.pieces > 1:
        _merge[number](**args, work=sets.work)
    return sets


def _sets_of(x, shape, links, linked, mask, number):
    """Room for the sets, and how the kernels make them."""
    sets = _Sets()
    sets.n = n = shape[-1]
    sets.rows = rows = x.size // n
    depth = height = 0
    if _library.on_host(x):
        sets.width = width = 2 * ((n + 1) // 2 if linked else n) + 2
        members, edges = rows * (width // 2 - 1), rows * width
        sets.pieces = sets.work = _host_pieces(links, shape)
    else:
        sets.width = width = -(-n // 32)
        members, edges = x.size, 2 * rows * width
        sets.pieces, depth, height = _tiles(shape, width)
        sets.work = -(-rows * width // _library.enum.LABEL_THREADS)
    sets.parent, sets.edges = _core.empty(members, number), _core.empty(edges, number)
    sets.counts = _core.empty(rows, number)
    sets.sizes = _library.struct.label_sizes(
        **dict(rows=rows, n=n, width=width, pieces=sets.pieces, mask=mask),
        **dict(ndim=len(shape), nlinks=len(links), linked=linked),
        **dict(depth_log2=depth, height_log2=height),
    )
    return sets


def _tiles(shape, words):
    """How many tiles there are on a GPU, and the logarithms of their depth and height:
    as near to a cube as the array lets them be."""
    cells = _library.enum.CELLS_LOG2
    height, depth, *outer = (*shape[-2::-1], 1, 1)
    log2 = [(m - 1).bit_length() for m in (depth, height, words)]
    left = cells - min(1, log2[2])
    z = min(log2[0], left // 2)
    y = min(log2[1], left - z)
    z = min(log2[0], left - y)
    lengths = (depth, z), (height, y), (words, cells - z - y)
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
    args = dict(parent=sets.parent, edges=sets.edges, counts=sets.counts, s=sets.sizes)
    on_host = _library.on_host(x)
    found = _core.empty(1 + (sets.pieces if on_host else sets.edges.size // 2), number)
    _count[number](found=found, **args, work=sets.work)
    if on_host or found.size <= _FEW_SUMS:
        _sums[number](found=found, n=found.size, work=1)
    else:
        found = _core.cumsum(found, dtype=number)
    _number[number](found=found, **args, work=sets.work)
    pieces = sets.rows
    if not on_host:
        pack = _library.enum.PACK_BYTES // number.itemsize
        pieces = -(-x.size // (pack * _library.enum.LABEL_THREADS))
    _write[number](y=y, **args, work=pieces)
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
