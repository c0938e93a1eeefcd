"""ndarray.flat: an array seen as a vector."""

import operator
from copy import copy

from cupric import _core
from cupric._manipulation.args import where_it_lives

__all__ = ["flatiter"]


@where_it_lives
def _read(base, key):
    # A copy, as elements of a strided array have no vector to be a view of.
    return copy(base.ravel()[key])


@where_it_lives
def _store(base, key, value):
    if key is Ellipsis:
        key = slice(None)
    if isinstance(key, slice):
        places = _core.arange(*key.indices(base.size))
    elif isinstance(key, _core.ndarray) or not hasattr(key, "__index__"):
        places = _core.arange(base.size)[key]
    else:
        places = operator.index(key)
        if not -base.size <= places < base.size:
            raise IndexError(f"index {places} is out of bounds for size {base.size}")
    _core.put(base, places, value)


class flatiter:
    """The elements of an array in C order, to iterate over, to read and to store.

    Attributes
    ----------
    base : cupric.ndarray
    """

    def __init__(self, a):
        self.base = a
        self._next = 0

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return self

    def __next__(self):
        if self._next >= self.base.size:
            raise StopIteration
        self._next += 1
        return self[self._next - 1]

    def __getitem__(self, key):
        if isinstance(key, tuple):
            if len(key) != 1:
                raise IndexError("unsupported iterator index")
            (key,) = key
        return _read(self.base, key)

    def __setitem__(self, key, value):
        if isinstance(key, tuple) and len(key) == 1:
            (key,) = key
        _store(self.base, key, value)

    def copy(self):
        """The elements as a new vector."""
        return self.base.flatten()
