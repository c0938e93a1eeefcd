"""Where a program runs: NumPy, or cupric on a device.

A side runs a step, says what a variable holds, and lends and takes arrays as NumPy's.
"""

import functools
import importlib

import numpy as np

from .generate import arrays_of, namespace
from .program import compiled

FETCHED = 1 << 22  # bytes of arrays that are read at once


def separate(step, names):
    """Copies in the place of arrays that may share memory with one another, as those
    that nonzero and diag_indices give."""
    row = getattr(step, "row", None)
    if row and not row.order and isinstance(names[step.target], tuple):
        copies = (getattr(x, "copy", lambda x=x: x)() for x in names[step.target])
        names[step.target] = tuple(copies)


class NumPy:
    name = "numpy"
    scalar = False  # whether the last step gave one

    def __init__(self):
        self.names = namespace(np)

    def run(self, step):
        """The arrays that the target then holds, by their source, or the exception."""
        try:
            if step.data is not None:
                self.names[step.target] = step.data.copy()
            else:
                exec(compiled(step.numpy_source), self.names)
        except Exception as error:
            return error
        self.scalar = isinstance(self.names.get(step.target), np.generic)
        separate(step, self.names)
        return arrays_of(step.target, self.names) if step.target else {}

    def value(self, name):
        return self.names[name]

    def is_scalar(self, target):
        """Whether the last step gave a scalar, which shares no memory."""
        return self.scalar

    def forget(self, name):
        self.names.pop(name, None)

    @staticmethod
    def read(x):
        return x

    @staticmethod
    def write(x, data):
        """Give the array these values; the dtype and shape are its own."""
        if x.flags.writeable:
            x[...] = data

    overlap = staticmethod(np.may_share_memory)


class Cupric:
    def __init__(self):
        import cupric

        self.xp = cupric
        self.name = "cupric"
        self.names = namespace(cupric)
        self.fetched = {}  # (array, its elements) by the array's id

    def run(self, step):
        try:
            if step.data is not None:
                self.names[step.target] = self.xp.array(step.data)
            else:
                exec(compiled(step.source), self.names)
        except Exception as error:
            return error
        separate(step, self.names)
        return self._arrays(step.target) if step.target else {}

    def _arrays(self, target):
        value = self.names[target]
        if isinstance(value, self.xp.ndarray):
            return {target: value}
        if not isinstance(value, tuple | list):
            return {}
        array = self.xp.ndarray
        found = enumerate(value)
        return {f"{target}[{i}]": x for i, x in found if isinstance(x, array)}

    def value(self, name):
        return self.names[name]

    def detach(self, name):
        """A copy in the place of a view; the new array."""
        self.names[name] = self.names[name].copy()
        return self.names[name]

    def forget(self, name):
        self.names.pop(name, None)

    def give(self, name, arrays):
        """New arrays for a variable, {source: NumPy's}; the arrays by their source."""
        made = {source: self.xp.array(x) for source, x in arrays.items()}
        whole = list(made) == [name]
        self.names[name] = made[name] if whole else tuple(made.values())
        return made

    def fetch(self, arrays):
        """Reads arrays, for `read`: one wait for a GPU in place of one for each."""
        self.fetched = {}
        room = pinned_memory(self.xp)
        for x in arrays:
            if 0 < x.nbytes <= room.size:
                copy, room = room[: x.nbytes], room[-(-x.nbytes // 16) * 16 :]
                copy = copy.view(x.dtype).reshape(x.shape)
                x.get(out=copy, blocking=False)
                self.fetched[id(x)] = (x, copy)
        if self.fetched:
            self.xp.cuda.get_current_stream().synchronize()

    def read(self, x):
        """The elements, of those fetched as they were then."""
        _, copy = self.fetched.get(id(x), (None, None))
        return x.get() if copy is None else copy.copy()

    def write(self, x, data):
        self.fetched = {}
        x[...] = data

    @staticmethod
    def overlap(a, b):
        """Whether the memory that they span overlaps."""
        if a.size == 0 or b.size == 0:
            return False
        (a_low, a_high), (b_low, b_high) = span(a), span(b)
        return a_low < b_high and b_low < a_high


@functools.cache
def pinned_memory(xp):
    """Where a GPU's arrays are read to; none on the host device."""
    if xp.cuda.Device().backend == "host":
        return np.empty(0, "B")
    return importlib.import_module("cupricx").empty_pinned(FETCHED, "B")


def span(x):
    """The addresses from the first to behind the last byte of an array."""
    low = high = x.data.ptr
    for n, stride in zip(x.shape, x.strides, strict=True):
        if stride < 0:
            low += (n - 1) * stride
        else:
            high += (n - 1) * stride
    return low, high + x.itemsize


def of(device):
    """The two sides that a device's programs are compared on."""
    if device == "both":
        from .remote import Remote

        return Remote, Cupric
    return NumPy, Cupric
