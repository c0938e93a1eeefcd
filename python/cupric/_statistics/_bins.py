"""The bins that values are in, and points: one launch for up to three dimensions."""

import itertools
import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed
from cupric._lib.kernels._word import call_with_word
from cupric._manipulation._args import parameter_array
from cupric._manipulation._ordered import evenly_spaced

__all__ = ["comparable", "densities", "digitize_at_once", "find_bins", "find_extremes"]

_library = Library(__file__)
_TOGETHER = _library.enum.TOGETHER


def _bins_example(xp):
    points, edges = xp.arange(12.0).reshape(4, 3), xp.arange(0, 13, 3)
    made = [xp.histogramdd(points.astype(t), bins=2)[0] for t in "lfd"]
    made += [xp.histogramdd(points.astype(t), bins=[edges] * 3)[0] for t in "lLf"]
    made.append(xp.histogramdd(points.astype("f"), 2, [(0, 12)] * 3)[0])
    return [*made, xp.histogramdd(points.T, bins=2)[0]]


_bin_points = _library.kernel(
    "bin_points<T, E>",
    elements="p.n",
    ships="ff fd dd ld ll LL",
    example=_bins_example,
)
_SHIPPED = ("fd", "ld")  # beside those of values and edges of one dtype


# dtypes of values, of edges, and of both as they are compared
_DIGITIZED = (
    "fff ddd iii lll LLL ill Bll fld dld ifd lfd Bfd "
    "?dd bdd Bdd hdd Hdd idd Idd ldd Ldd edd fdd"
)
_digitized_as = {each[:2]: tuple(each) for each in _DIGITIZED.split()}
_FEW_EDGES = 4096  # that a block looks through, …
_FAR = 1 << 18  # … which are so many elements apart at most: an int counts them


def _digitize_example(xp):
    x, edges = xp.arange(12).reshape(3, 4)[:, ::2], xp.arange(1, 11, 3)
    made = []
    for dtype, to, _ in [*_DIGITIZED.split(), "eee", "bbb"]:
        y, e = x.astype(dtype), edges.astype(to)
        for given in (e, e[::-1], e[:0]):
            found, wrong = _among_few(y, given, len(made) % 2 == 0)
            made += [found, xp.asarray(np.array(wrong))]
    edges = edges.astype("f")
    edges[1] = 9
    return [*made, xp.asarray(np.array(_among_few(x, edges, False)[1]))]


_digitize_values = _library.kernel(
    "digitize<X, E, T>",
    elements=True,
    ships=_DIGITIZED,
    example=_digitize_example,
)


def _look_example(xp):
    made = []
    for dtype in _LOOKED_AT.split():
        edges = xp.arange(10).astype(dtype)
        for given in (edges, edges[::-1], edges[:0], edges[::3]):
            made.append(call_with_word(_look_at_edges, given)[1])
    return [xp.asarray(np.array(made))]


_LOOKED_AT = "f d i l L"
_look = _library.kernel(
    "look_at_edges<E>", elements="n", ships=_LOOKED_AT, example=_look_example
)


def _densities_example(xp):
    points = xp.arange(12.0).reshape(4, 3)
    weights = [None, xp.ones(4)]
    return [
        xp.histogramdd(points[:, :n], n + 1, weights=w, density=True)[0]
        for n in (1, 2, 3)
        for w in weights
    ]


_densities = _library.kernel(
    "densities<T>", elements="p.pieces", ships="l d", example=_densities_example
)

_WITH_EXTREMES = "fdil"
_EXTREMES_RUN = 1 << 13  # elements of a piece at least
_EXTREMES_PIECES = 1024  # at most: the host joins them


def _extremes_example(xp):
    x = xp.arange(60.0)[::-2]
    made = [_extremes_by_pieces([x.astype(t)] * 4) for t in _WITH_EXTREMES]
    return [xp.asarray(each) for each in made]


_extremes = _library.kernel(
    "find_extremes<T>",
    blocks="p.pieces",
    threads="EXTREMES_THREADS",
    ships="f d i l",
    example=_extremes_example,
)


def comparable(x, edges):
    """Edges as values are compared with them: in the common dtype of both, or a wider
    one that there is code for."""
    dtype = _core.result_type(x.dtype, edges.dtype)
    if dtype.kind in "bi":
        dtype = np.int64
    elif dtype.kind == "u":
        dtype = np.uint64
    elif dtype.itemsize < 4:
        dtype = np.float32
    return edges.astype(dtype, copy=False)


def digitize_at_once(x, edges, right):
    """The bins of values on a GPU, which are not waited for, and whether edges neither
    ascend nor descend, in which case the bins say nothing. None for what there is no
    code for."""
    if _library.on_host(x) or _core.get_current_stream().is_capturing():
        return None
    if any(y.dtype.kind not in "biuf" for y in (x, edges)):
        return None
    if edges.size <= _FEW_EDGES:
        return _among_few(x, edges, right)
    if edges.dtype.char not in _LOOKED_AT or x.flags.fnc:
        return None
    side = "left" if right else "right"
    index, said = call_with_word(
        _look_at_edges, edges, then=lambda: _core.searchsorted(edges, x, side)
    )
    return None if said else (index, False)


@replayed
def _look_at_edges(edges, word):
    _look[edges.dtype](edges=_core._contiguous(edges), n=edges.size, word=word)
    return edges


def _among_few(x, edges, right):
    index, said = call_with_word(_digitize, x, edges, right, answers=True)
    return index, said == _library.enum.DO_NOT


@replayed
def _digitize(x, edges, right, word):
    index = _core.empty(x.shape, np.int64, "F" if x.flags.fnc else "C")
    x = (x.T if x.flags.fnc else x).reshape(-1)
    found = _digitized_as.get(x.dtype.char + edges.dtype.char)
    if not found:
        edges = comparable(x, edges)
        found = _digitized_as.get(x.dtype.char + edges.dtype.char)
    if not found:
        x, found = x.astype(edges.dtype), (edges.dtype,) * 3
    edges, step = evenly_spaced(edges)
    if abs(step) > _FAR:
        edges, step = _core._contiguous(edges), 1
    _digitize_values[found](
        x=x,
        edges=edges,
        n=edges.size,
        step=step,
        index=index,
        right=bool(right),
        word=word,
        work=max(1, -(-x.size // _library.enum.AT_ONCE)),
    )
    return index


def find_extremes(columns):
    """The least and the greatest of each of some arrays of one axis and length, copied
    together: (columns, 2). One pass over memory on a GPU."""
    dtype = columns[0].dtype
    if dtype.char in _WITH_EXTREMES and not _library.on_host(columns[0]):
        return _extremes_by_pieces(columns)
    both = _core.empty((len(columns), 2), dtype, device=columns[0].device)
    for x, (low, high) in zip(columns, both, strict=True):
        _core.min(x, out=low)
        _core.max(x, out=high)
    return both.get()


def _extremes_by_pieces(columns):
    n = columns[0].size
    run = max(_EXTREMES_RUN, -(-n // _EXTREMES_PIECES))
    shape = -(-n // run), len(columns), 2
    out = _core.empty(shape, columns[0].dtype, device=columns[0].device)
    for first in range(0, len(columns), _TOGETHER):
        _find_extremes(out, first, run, *columns[first : first + _TOGETHER])
    pieces = out.get()
    if len(pieces) == 1:
        return pieces[0]
    return np.stack((pieces[..., 0].min(0), pieces[..., 1].max(0)), 1)


@replayed
def _find_extremes(out, first, run, *columns):
    p = _library.struct.extremes_sizes(
        pieces=len(out),
        run=run,
        first=first,
        all=out.shape[1],
        columns=len(columns),
    )
    _extremes[out.dtype](x=columns, out=out, p=p)
    return out


def find_bins(columns, on_host, edges, even):
    """The bin of each point, numbered in C order, or -1: of arrays of coordinates, the
    edges of each, on the host and there, and whether they are evenly spaced."""
    wide = [comparable(columns[0], e) for e in on_host]
    index = _core.empty(columns[0].size, np.int64)
    more = False
    for dtype, numbers in itertools.groupby(
        range(len(columns)), lambda i: wide[i].dtype
    ):
        numbers = list(numbers)
        for start in range(0, len(numbers), _TOGETHER):
            group = numbers[start : start + _TOGETHER]
            given = [
                edges[i] if edges[i].dtype == dtype else parameter_array(wide[i])
                for i in group
            ]
            bits = sum(even[i] << k for k, i in enumerate(group))
            _bin(index, more, bits, len(group), *(columns[i] for i in group), *given)
            more = True
    return index


@replayed
def _bin(index, more, even, n, *arrays):
    """Set the bins of points, or join those of further coordinates."""
    columns, edges = list(arrays[:n]), list(arrays[n:])
    dtype = edges[0].dtype
    if columns[0].dtype.char + dtype.char not in _SHIPPED:
        columns = [x.astype(dtype, copy=False) for x in columns]
    edges += [edges[0]] * (_TOGETHER - n)
    p = _library.struct.points_sizes(
        n=index.size,
        bins=[e.size - 1 for e in edges],
        columns=n,
        even=even,
        more=more,
    )
    _bin_points[columns[0].dtype, dtype](x=columns, edges=edges, index=index, p=p)
    return index


def densities(counts, widths):
    """Counts by their total and by the widths of bins along each axis, which are on the
    host."""
    if counts.dtype.char not in "ld":
        counts = counts.astype(np.float64)
    total = _core.sum(counts)
    if counts.ndim <= _TOGETHER:
        missing = _TOGETHER - counts.ndim
        ones = np.ones(missing, np.float64)
        widths = parameter_array(np.concatenate([ones, *widths]))
        return _densities_of(counts, widths, total)
    counts = counts.astype(np.float64, copy=False)
    for i, w in enumerate(widths):
        shape = [-1 if i == axis else 1 for axis in range(counts.ndim)]
        w = parameter_array(w).reshape(shape)
        counts = _core.divide(counts, w, out=counts)
    return _core.divide(counts, total, out=counts)


@replayed
def _densities_of(counts, widths, total):
    out = _core.empty(counts.shape, np.float64)
    if out.size:
        pieces = out.size
        if _library.on_host(out):
            pieces = math.prod(out.shape[:-1])
        lengths = (1,) * (_TOGETHER - out.ndim) + out.shape
        p = _library.struct.densities_sizes(pieces=pieces, n=lengths)
        _densities[counts.dtype](
            counts=counts, widths=widths, total=total, out=out, p=p
        )
    return out
