"""Kernels of BLAS's functions: places of extremes, and multiples that are added."""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import PACK, Library
from cupric._lib.kernels._replay import replayed

__all__ = ["add_multiple", "adds_at_once", "find_extreme", "finds_extreme"]


def _example(xp):
    x = np.arange(2600) * 7 % 2311 - 1155
    results = []
    for dtype in "fdFD":
        y = xp.asarray(
            (x * (1 + 1j)).astype(dtype) if dtype in "FD" else x.astype(dtype)
        )
        for largest in (False, True):
            for z, n in ((y[::2], 1), (y[::2], 3), (y, 1), (y, 3)):
                results.append(_find_in_pieces(z, largest, n))
    return results


def _example_of_axpy(xp):
    x = np.arange(_FEW + 9.0) * 7 % 23 - 11
    results = []
    for dtype in "fdFD":
        y = xp.asarray(x.astype(dtype))
        for step in (1, -1):
            xp.cublas.axpy(0.3, xp.asarray(x.astype(dtype))[::step], y)
        results.append(y)
    return results


# Products are rounded before they are added, on every device.
_library = Library(__file__, options=("-fmad=false",))
_place_of_extreme = _library.kernel(
    "place_of_extreme<T, LARGEST>",
    blocks="pieces",
    threads="THREADS",
    ships="f0 f1 d0 d1 F0 F1 D0 D1",
    example=_example,
)
_place_among = _library.kernel(
    "place_among<M, LARGEST>",
    blocks=True,
    threads="THREADS",
    ships="f0 f1 d0 d1",
    example=_example,
)
_add_multiple = _library.kernel(
    "add_multiple<T>", elements=True, ships="f d F D", example=_example_of_axpy
)
_RUN = 1 << 12  # elements that a thread of the host takes
_EACH = 1 << 13  # elements of a block, of which there are as many as threads at most
_FEW = 1 << 13  # elements that the host does not start a kernel for


def finds_extreme(x):
    """Whether `find_extreme` is for a vector, which is not empty."""
    return not _library.on_host(x) and x.size <= np.iinfo(np.int32).max


def find_extreme(x, largest):
    """Where an element of largest or smallest magnitude is, from 1 on, as int32."""
    pieces = min(-(-x.size // _EACH), _library.enum.THREADS)
    return _find_in_pieces(x, largest, pieces)


@replayed
def _find_in_pieces(x, largest, pieces):
    """Where an extreme is, from 1 on: among those of pieces, each a block's."""
    find = _place_of_extreme[x.dtype, int(largest)]
    out = _core.empty((), np.int32)
    if pieces == 1:
        find(x=x, places=out, values=None, pieces=1)
        return out
    places = _core.empty(pieces, np.int32)
    values = _core.empty(pieces, x.real.dtype)
    find(x=x, places=places, values=values, pieces=pieces)
    join = _place_among[values.dtype, int(largest)]
    join(values=values, places=places, out=out, pieces=pieces, work=1)
    return out


def adds_at_once(factor, x, y):
    """Whether `add_multiple` is for these: on the host two ufuncs take less time for a
    few elements."""
    if isinstance(factor, _core.ndarray) or (y.size <= _FEW and _library.on_host(y)):
        return False
    return x.device == y.device and y.flags.writeable and not _core._overlap(x, y)


def add_multiple(factor, x, y):
    """``y += factor * x`` of vectors without memory in common."""
    each = _RUN if _library.on_host(y) else PACK // y.itemsize
    with y.device:
        _add_multiple[y.dtype](
            factor=y.dtype.type(factor), x=x, y=y, each=each, work=-(-y.size // each)
        )
