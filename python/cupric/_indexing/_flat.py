"""ndarray.flat: an array seen as a vector."""

import operator
from copy import copy

import numpy as np

from cupric import _core
from cupric._manipulation._args import where_it_lives

__all__ = ["flatiter"]


def _checked(key, size):
    """A key without what NumPy's flat iterators refuse.

    Indices on the host are checked; those of a device array wrap, as everywhere.
    """
    if key is None or isinstance(key, bool | np.bool):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`) and integer or boolean "
            "arrays are valid indices of a flat iterator"
        )
    if isinstance(key, tuple) and not key:
        return slice(None)
    if isinstance(key, list | np.ndarray):
        key = np.asarray(key)
        key = key.astype(np.intp) if key.size == 0 else key
        if key.dtype.kind in "iu":
            for bad in key[(key < -size) | (key >= size)][:1]:
                raise IndexError(f"index {bad} is out of bounds for size {size}")
    return key


@where_it_lives
def _read(base, key):
    key = _checked(key, base.size)
    # A copy, as elements of a strided array have no vector to be a view of.
    return copy(base.ravel()[key])


@where_it_lives
def _store(base, key, value):
    key = _checked(key, base.size)
    if key is Ellipsis:
        key = slice(None)
    if isinstance(key, slice):
        places = _core.arange(*key.indices(base.size))
    elif isinstance(key, _core.ndarray | np.ndarray) or not hasattr(key, "__index__"):
        places = _core.arange(base.size)[key]
    else:
        places = operator.index(key)
        if not -base.size <= places < base.size:
            raise IndexError(f"index {places} is out of bounds for size {base.size}")
    _core.put(base, places, value)


class flatiter:
    """A flat iterator over an array, in C order, which can be indexed and assigned to.

    Parameters
    ----------
    a : cupric.ndarray
        The array.

    Examples
    --------
    >>> x = cp.arange(6).reshape(2, 3)
    >>> x.flat[4] = 0
    >>> [int(e) for e in x.flat]
    [0, 1, 2, 3, 0, 5]

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
        if isinstance(key, tuple) and key:
            if len(key) != 1:
                raise IndexError("unsupported iterator index")
            (key,) = key
        return _read(self.base, key)

    def __setitem__(self, key, value):
        if isinstance(key, tuple) and len(key) == 1:
            (key,) = key
        _store(self.base, key, value)

    def copy(self):
        """The elements as a new vector.

        Returns
        -------
        cupric.ndarray
            Of one dimension, in C order.

        Examples
        --------
        >>> cp.array([[1, 2], [3, 4]]).T.flat.copy()
        array([1, 3, 2, 4])
        """
        return self.base.flatten()
