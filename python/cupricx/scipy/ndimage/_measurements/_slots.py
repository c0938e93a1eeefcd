"""The labels of elements, and the slots of those that are asked for."""

import numpy as np

import cupric as cp
from cupric._lib import Library, arguments, contiguous

__all__ = [
    "Slots",
    "THREADS",
    "group_mask",
    "labels_as",
    "library",
    "read_as",
    "require_real",
    "values_as",
    "with_labels",
]

library = Library(__file__, "_measurements.cuh")

_SPAN_TILE, THREADS = 4096, 256  # as in _measurements.cuh
_FEW = 512  # as in _label_sums.cuh
_COUNTED = 512  # labels that are in order sooner by counting than by a sort
_COUNTED_ON_HOST = 64


def _example(xp):
    from cupricx.scipy import ndimage

    x = np.arange(30 * 40) * 7 % 23
    wanted = np.array([3, 8, 1, 8, 99, 1])
    labels = xp.asarray(x // 2 % 9)
    given = labels, labels.astype(np.float64)
    return [ndimage.mean(xp.asarray(x), a, xp.asarray(wanted)) for a in given]


_order_slots = library.kernel("order_slots<I>", ships="l d", example=_example)
_slots_taken = library.kernel("slots_taken<T>", ships="d l", example=_example)


def with_labels(input, labels):
    """Input and labels as arrays of one shape; labels None where there are none."""
    x = arguments.array(input)
    if labels is None:
        return x, None
    labels = arguments.array(labels, "labels")
    if labels.dtype.kind == "c":
        raise TypeError(f"labels are real numbers, not {labels.dtype}")
    return (x, labels) if x.shape == labels.shape else cp.broadcast_arrays(x, labels)


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
        on_device = isinstance(index, cp.ndarray)
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
            self.index = cp.array(wanted)
            self.place = None if place is None else cp.array(place)
        self.n = self.index.size
        self.stride = -(-max(self.n, 1) // 16) * 16
        self.tables = 1  # one block fills it: nothing has to be joined
        if self.labels.size > _SPAN_TILE:
            self.tables = min(max(self.labels.size // (4 * self.stride), 2), 16)

    def sums(self, dtype):
        """Tables for sums: what they are filled with at first is zero, or left to the
        kernel, where each piece of the work has a table of its own. One table that has
        the slots as they were asked for is the result."""
        size = self.labels.size
        alone = size <= _SPAN_TILE and self.n <= _FEW
        make = (
            cp.empty if size and (alone or library.on_host(self.labels)) else cp.zeros
        )
        is_result = self.tables == 1 and self.place is None
        shape = self.shape if is_result else (self.tables, self.stride)
        return make(shape, dtype)

    def full(self, value, dtype, *shape):
        """A table of each kind, filled with a value."""
        return cp.full((self.tables, self.stride, *shape), value, dtype)

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
            found = cp.empty(self.shape, values.dtype)
            args = values, self.place, found, found.size
            _slots_taken[values.dtype].elements(found.size, args)
            return found
        values = values[: self.n] if self.place is None else values[self.place]
        return values.reshape(self.shape + values.shape[1:])

    def launch(self, kernel, x, *args):
        """Launch over spans of elements; on the host one for each table."""
        size = self.labels.size
        if self.n == 0 or size == 0:
            return
        pieces = self.tables if library.on_host(x) else -(-size // _SPAN_TILE)
        instance = kernel[x.dtype, self.labels.dtype]
        args = x, self.labels, self.index, self.n, self.stride, *args, self.tables
        instance.blocks(pieces, THREADS, args)


def _in_order(wanted):
    """A vector sorted, and where the first that is alike stands there of each."""
    n = wanted.size
    if n > (_COUNTED_ON_HOST if library.on_host(wanted) else _COUNTED):
        index = cp.sort(wanted)
        return index, cp.searchsorted(index, wanted)
    index, place = cp.empty_like(wanted), cp.empty(n, np.int64)
    args = contiguous(wanted), index, place, n
    _order_slots[wanted.dtype].elements(n, args)
    return index, place


def _comparable(labels, index):
    """Both in dtypes in which they compare as they are: int64 or float64 the index."""
    if index.dtype.kind == "f" and labels.dtype.char in "?LQ":
        labels = labels.astype(np.float64)  # as SciPy has it; of other ints, cut off
    if labels.dtype.kind == "f":
        return labels, index.astype(np.float64)
    top = 2**63 - 1  # what lies beyond in one alone is not met in the other
    if labels.dtype == np.uint64 and index.dtype != np.uint64:
        labels = cp.minimum(labels, top)
    elif index.dtype == np.uint64 and labels.dtype != np.uint64:
        index = (cp if isinstance(index, cp.ndarray) else np).minimum(index, top)
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
