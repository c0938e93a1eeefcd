"""The labels of elements, and the slots of those that are asked for."""

import functools

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library

__all__ = [
    "Slots",
    "group_mask",
    "labels_as",
    "read_as",
    "require_real",
    "values_as",
    "with_labels",
]

_library = Library(__file__)

_COUNTED = 512  # labels that are in order sooner by counting than by a sort
_COUNTED_ON_HOST = 64


def _example(xp):
    from cupricx.scipy import ndimage

    x = np.arange(30 * 40) * 7 % 23
    wanted = np.array([3, 8, 1, 8, 99, 1])
    labels = xp.asarray(x // 2 % 9)
    given = labels, labels.astype(np.float64)
    return [ndimage.mean(xp.asarray(x), a, xp.asarray(wanted)) for a in given]


_order_slots = _library.kernel(
    "order_slots<I>", elements="n", ships="l d", example=_example
)
_slots_taken = _library.kernel(
    "slots_taken<T>", elements="n", ships="d l", example=_example
)


def with_labels(input, labels):
    """Input and labels as arrays of one shape; labels None where there are none."""
    x = arguments.array(input)
    if labels is None:
        return x, None
    labels = arguments.array(labels, "labels")
    if labels.dtype.kind == "c":
        raise TypeError(f"labels are real numbers, not {labels.dtype}")
    return (x, labels) if x.shape == labels.shape else _core.broadcast_arrays(x, labels)


def group_mask(labels, index):
    """Which elements belong to the one group that `index`, None or a number, means."""
    return labels > 0 if index is None else labels == index


class Slots:
    """The labels that are asked for: each has a slot, in their order.

    Attributes
    ----------
    labels : cupric.ndarray
        Those of the elements, as the kernels read them.
    index : cupric.ndarray
        The slots' labels, ascending, in int64 or float64. A label that was asked for
        several times has several; the first one counts.
    n : int
        How many slots there are.
    tables : int
        How many tables of the slots share the work.
    stride : int
        The length of a table.
    """

    def __init__(self, labels, index, read="il"):
        on_device = isinstance(index, _core.ndarray)
        index = index if on_device else np.asarray(index)
        if index.dtype.kind not in "biuf":
            raise TypeError(
                f"labels are real numbers, not {index.dtype}: index={index}"
            )
        self.shape = index.shape
        labels, wanted = _comparable(labels, index)
        self.labels = labels_as(labels, read)
        if on_device:
            self.index, self.place = _in_order(wanted.ravel())
        else:
            wanted, place = wanted.ravel(), None
            if not (wanted[1:] > wanted[:-1]).all():
                wanted, place = np.unique(wanted, return_inverse=True)
            self.index = _core.array(wanted)
            self.place = None if place is None else _core.array(place)
        self.n = self.index.size
        self.stride = -(-max(self.n, 1) // 16) * 16
        self.tables = 1  # one block fills it: nothing has to be joined
        if self.labels.size > _library.enum.SPAN_TILE:
            self.tables = min(max(self.labels.size // (4 * self.stride), 2), 16)

    def sums(self, dtype):
        """Tables for sums: what they are filled with at first is zero, or left to the
        kernel, where each piece of the work has a table of its own. One table that has
        the slots as they were asked for is the result."""
        size, enum = self.labels.size, _library.enum
        alone = size <= enum.SPAN_TILE and self.n <= enum.FEW
        fills = size and (alone or _library.on_host(self.labels))
        make = _core.empty if fills else _core.zeros
        is_result = self.tables == 1 and self.place is None
        shape = self.shape if is_result else (self.tables, self.stride)
        return make(shape, dtype)

    def full(self, value, dtype, *shape):
        """A table of each kind, filled with a value."""
        table = _core.empty((self.tables, self.stride, *shape), dtype)
        table.fill(value)
        return table

    def joined(self, tables, reduce):
        """One table of several: ``reduce(tables, axis=0)``."""
        if self.place is None and tables.shape == self.shape:
            return tables
        return tables[0] if self.tables == 1 else reduce(tables, axis=0)

    def taken(self, values):
        """What was found for the slots, for the labels that were asked for."""
        if self.place is None and values.shape == self.shape:
            return values
        if self.place is not None and values.ndim == 1 and values.dtype.char in "dl":
            found = _core.empty(self.shape, values.dtype)
            _slots_taken[values.dtype](
                values=values, place=self.place, out=found, n=found.size
            )
            return found
        values = values[: self.n] if self.place is None else values[self.place]
        return values.reshape(self.shape + values.shape[1:])

    def launch(self, kernel, x, **args):
        """Launch over spans of elements; on the host one for each table."""
        size = self.labels.size
        if self.n == 0 or size == 0:
            return
        pieces = self.tables
        if not _library.on_host(x):
            pieces = -(-size // _library.enum.SPAN_TILE)
        s = _sizes(kernel.library, size, self.n, self.stride, self.tables, pieces)
        kernel[x.dtype, self.labels.dtype](
            x=x, labels=self.labels, index=self.index, s=s, **args
        )


@functools.lru_cache(maxsize=256)
def _sizes(library, size, slots, stride, tables, pieces):
    """The structure for a library's kernels, which a call of few elements waits for."""
    return library.struct.slot_sizes(
        size=size, slots=slots, stride=stride, tables=tables, pieces=pieces
    )


def _in_order(wanted):
    """A vector sorted, and where the first that is alike stands there of each."""
    n = wanted.size
    if n > (_COUNTED_ON_HOST if _library.on_host(wanted) else _COUNTED):
        index = _core.sort(wanted)
        return index, _core.searchsorted(index, wanted)
    index, place = _core.empty(n, wanted.dtype), _core.empty(n, np.int64)
    _order_slots[wanted.dtype](wanted=contiguous(wanted), index=index, place=place, n=n)
    return index, place


def _comparable(labels, index):
    """Both in dtypes in which they compare as they are: int64 or float64 the index."""
    if index.dtype.kind == "f" and labels.dtype.char in "?LQ":
        labels = labels.astype(np.float64)  # as SciPy has it; of other ints, cut off
    if labels.dtype.kind == "f":
        return labels, index.astype(np.float64)
    top = 2**63 - 1  # what lies beyond in one alone is not met in the other
    if labels.dtype == np.uint64 and index.dtype != np.uint64:
        labels = _core.minimum(labels, top)
    elif index.dtype == np.uint64 and labels.dtype != np.uint64:
        index = (_core if isinstance(index, _core.ndarray) else np).minimum(index, top)
    return labels, index.astype(np.int64)


def labels_as(labels, letters):
    """Labels in a dtype that there are kernels for, contiguous; floats in float64."""
    if labels.dtype.kind == "f":
        char = "d"
    elif labels.dtype.char in letters:
        char = labels.dtype.char
    else:
        char = "l" if labels.dtype.char in "IlLqQ" else "i"
    return contiguous(labels.astype(char, copy=False))


def values_as(x, dtypes):
    """Values in a dtype that there are kernels for, and contiguous."""
    return contiguous(x.astype(dtypes[x.dtype.char], copy=False))


def read_as(letters, **others):
    """Which dtype is read as which: a dictionary of letters."""
    found = {"?": "B", "b": "i", "h": "i", "H": "i", "e": "f"}
    found |= {c: c for c in letters}
    for c in "iBIlLqQf":
        found.setdefault(c, "d")
    return found | others


def require_real(x, name):
    if x.dtype.kind == "c":
        raise TypeError(
            f"Cannot cast array data from {x.dtype!r} to dtype('float64'): {name} of "
            "several labels is of real numbers"
        )
