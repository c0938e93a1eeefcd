"""Where the elements with a label lie."""

import contextlib
import gc

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.ndimage._measurements._slots import labels_as

__all__ = [
    "collector_paused",
    "find_objects",
]

_library = Library(__file__)

_FEW = 4096  # elements that are not worth a second thread of the host's


def _example(xp):
    from cupricx.scipy import ndimage

    x = (np.arange(3 * 40 * 50) // 100 % 17).reshape(3, 40, 50)
    found = [ndimage.find_objects(xp.asarray(x.astype(t))) for t in ("u1", "i4", "i8")]
    return [np.array([[o.start, o.stop] for one in f for o in one]) for f in found]


_bounds = _library.kernel(
    "label_bounds<L>",
    blocks="p.pieces",
    threads="BOUNDS_THREADS",
    ships="B i l",
    example=_example,
)


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
    tables, pieces = 1, -(-x.size // _library.enum.BOUNDS_THREADS)
    if _library.on_host(x):
        tables = pieces = 1
        if x.size > _FEW:
            tables = pieces = min(max(x.size // (16 * most), 2), 16)
    bounds = _core.empty((tables, most, 2, ndim), np.int64)
    bounds.fill(np.iinfo(np.int64).max)
    _bounds[labels.dtype](
        labels=labels,
        bounds=bounds,
        shape=_core.array(shape, dtype=np.int64),
        p=_library.struct.object_sizes(
            rows=rows, n=n, most=most, pieces=pieces, ndim=ndim
        ),
    )
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
