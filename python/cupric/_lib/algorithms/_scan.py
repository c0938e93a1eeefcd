"""Scans along rows: how they are cut into tiles, and those of numbers."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["KINDS", "cores_of", "plan_scan", "scan"]

_library = Library(__file__)

KINDS = ("sum", "product", "maximum", "minimum")
# On the host: elements of a tile, and rows that are work for all cores uncut.
_HOST_TILE = 1 << 14
_HOST_ROWS = 64


def _example(xp):
    made = []
    for dtype in "ilfd":
        x = (xp.arange(9000) * 7919 % 1000).astype(dtype)
        made += [scan(x, "sum"), scan(x, "sum", exclusive=True)]
        made += [scan(x[:900].reshape(30, 30), "maximum", axis=0)]
    return made


_scan_elements = _library.kernel(
    "scan_elements<T, KIND, EXCLUSIVE>",
    blocks="s.tiles",
    threads="SCAN_THREADS",
    ships="i00 i01 l00 l01 f00 f01 d00 d01 i20 l20 f20 d20",
    example=_example,
)


def plan_scan(library, x, rows, n, state_nbytes, scans=1):
    """How a scan is cut into tiles, and the memory by which these pass on states.

    Parameters
    ----------
    library : Library
        Whose code includes ``cupric/scan.hpp``.
    x : cupric.ndarray
        On the device that scans.
    rows, n : int
        Rows and the elements of each, at least one.
    state_nbytes : int
        ``sizeof`` of the state.
    scans : int
        How many scans a launch does of each row, one after the other: what the tiles of
        row r publish in the k-th lies where that of row ``k * rows + r`` would.

    Returns
    -------
    layout : numpy.ndarray
        For the parameter ``scan_layout s``.
    workspace : cupric.ndarray or None
        For ``unsigned int *workspace``; for one launch.

    Examples
    --------
    docs/kernel_libraries.md has the kernel.

    >>> s, workspace = plan_scan(library, x, rows, n, 8)  # doctest: +SKIP
    >>> running_sums[()](x=x, y=y, s=s, workspace=workspace)  # doctest: +SKIP
    """
    each, threads = library.enum.SCAN_EACH, library.enum.SCAN_THREADS
    pieces, together, length = threads, 1, threads * each
    if library.on_host(x):
        length = _host_tile(x, rows, n)
        if length >= n:
            together = max(1, _HOST_TILE // n)
    elif n <= length:
        pieces = -(-n // each)
        together = threads // pieces
    length = min(n, length)
    per_row = -(-n // length)
    nodes, level = 0, per_row
    while level and per_row > 1:
        nodes += level
        level //= library.enum.SCAN_FAN
    nodes_of_all = scans * rows * nodes
    states = library.enum.SCAN_HEAD + nodes_of_all
    layout = library.struct.scan_layout(
        rows=rows,
        n=n,
        length=length,
        together=together,
        per_row=per_row,
        tiles=-(-rows // together) * per_row,
        nodes=nodes,
        states=states,
        pieces=pieces,
    )
    if per_row == 1:
        return layout, None
    words = states + nodes_of_all * -(-state_nbytes // 4)
    with x.device:
        return layout, _core.zeros(words, np.uint32)


def _host_tile(x, rows, n):
    """Elements of a tile of the host. A row that is cut is gone through twice, which
    two cores do not make up for."""
    if rows >= _HOST_ROWS or n < 4 * _HOST_TILE or cores_of(x.device) < 3:
        return n
    return _HOST_TILE


@functools.cache
def cores_of(device):
    """How many run the kernels of the host device: all that describes a device takes
    longer to ask for than most calls."""
    return device.attributes["MultiProcessorCount"]


def scan(x, kind, axis=-1, exclusive=False):
    """Each element combined with those before it along an axis.

    Parameters
    ----------
    x : cupric.ndarray
    kind : {"sum", "product", "maximum", "minimum"}
        Of numbers of the dtype of `x`: integers wrap.
    axis : int
    exclusive : bool
        Without the element itself: first comes the identity.

    Returns
    -------
    cupric.ndarray
        Of the shape and dtype of `x`, in C order.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupric._lib.algorithms import scan
    >>> scan(cp.array([3, 1, 4, 1]), "sum", exclusive=True)
    array([0, 3, 4, 8])
    """
    if x.dtype.kind not in "biuf" or kind not in KINDS:
        raise TypeError(f"no scan of {x.dtype} by {kind!r}")
    kind = getattr(_library.enum, f"KIND_{kind.upper()}")
    return _scan(x, kind, arguments.axis(axis, x.ndim), bool(exclusive))


@replayed
def _scan(x, kind, axis, exclusive):
    moved = axis != x.ndim - 1
    if moved:
        x = x.swapaxes(axis, -1)
    x = _core.ascontiguousarray(x)
    y = _core.empty(x.shape, x.dtype)
    if x.size:
        n = x.shape[-1]
        s, workspace = plan_scan(
            _library, x, math.prod(x.shape[:-1]), n, x.dtype.itemsize
        )
        _scan_elements[x.dtype, kind, int(exclusive)](
            x=x, y=y, s=s, workspace=workspace
        )
    return _core.ascontiguousarray(y.swapaxes(axis, -1)) if moved else y
