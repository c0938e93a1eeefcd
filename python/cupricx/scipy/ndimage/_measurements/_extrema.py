"""Extrema of the elements with a label, and their positions."""

import functools

import numpy as np

from cupric import _core
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library
from cupricx.scipy.ndimage._measurements._by_label import order_by_slot
from cupricx.scipy.ndimage._measurements._slots import (
    Slots,
    group_mask,
    read_as,
    values_as,
    with_labels,
)

__all__ = [
    "extrema",
    "maximum",
    "maximum_position",
    "minimum",
    "minimum_position",
]

_library = Library(__file__)


def _example_extrema(xp):
    from cupricx.scipy import ndimage

    x = np.arange(30 * 40).reshape(30, 40) * 7 % 23
    labels = np.arange(30 * 40).reshape(30, 40) // 37 % 9
    return [
        ndimage.extrema(
            xp.asarray(x.astype(t)), xp.asarray(labels.astype(u)), [1, 3, 8, 99]
        )
        for t, u in (("u1", "i4"), ("i8", "i8"), ("f4", "i4"), ("f8", "f8"))
    ]


_label_extremes = _library.kernel(
    "label_extremes<X, L>",
    blocks="s.pieces",
    threads="SPAN_THREADS",
    ships="Bi Bl ii il fi fl di dl ll Ll dd ld Ld",
    example=_example_extrema,
)
_extreme_values = _library.elementwise(
    "extreme_values",
    "uint64 least, uint64 most, int64 first, int64 last",
    "X low, X high, int64 low_at, int64 high_at",
    "const bool none = least > most;"  # as the tables are at first
    "low = none ? X(0) : key<X>::value(least);"
    "high = none ? X(0) : key<X>::value(most);"
    "low_at = none ? 0 : first;"
    "high_at = none ? 0 : last;",
    ships="B i l L f d",
    example=_example_extrema,
)
_FURTHEST = np.iinfo(np.int64).max


def _extremes(input, labels, index, positions=False):
    """The smallest and largest value of each label, `low` and `high`, and where they
    are, `first` and `last`: positions in C order, where those are asked for.
    """
    x, labels = with_labels(input, labels)
    if labels is None or index is None or np.isscalar(index):
        return _OfOne(x, labels, index)
    return _OfLabels(x, Slots(labels, index), positions)


def _tuples(positions, shape):
    """Positions as tuples of indices, one or a list."""
    found = positions.get()
    if found.size and 0 in shape:
        raise ValueError(
            f"an input of no elements, of shape {shape}, has no extremum that "
            "could have a position"
        )
    if found.ndim == 0:
        return tuple(np.unravel_index(int(found), shape))
    if not shape:
        return [()] * found.size
    return list(zip(*np.unravel_index(found.ravel(), shape), strict=True))


class _OfOne:
    """Of one label, or of all elements: each is a reduction, made when it is read."""

    def __init__(self, x, labels, index):
        self.shape = x.shape
        self.mask = None if labels is None else group_mask(labels, index)
        self.x = x if self.mask is None else x[self.mask]

    low = property(lambda self: self.x.min())
    high = property(lambda self: self.x.max())
    first = property(lambda self: self._place(self.x.argmin()))
    last = property(lambda self: self._place(self.x.argmax()))

    @functools.cached_property
    def _places(self):
        return _core.flatnonzero(self.mask)

    def _place(self, found):
        return found if self.mask is None else self._places[found]


def _first_table(tables, axis):
    """Of tables that nothing was written to."""
    return tables[0]


class _OfLabels:
    """Of several labels, all in one pass, and positions in another."""

    def __init__(self, x, slots, positions):
        self.shape = x.shape
        if slots.n == 0 or x.size == 0:
            self._of_nothing(x, slots)
        elif x.dtype.kind == "c":
            self._of_sorted(x, slots, positions)
        else:
            self._of_slots(x, slots, positions)

    def _of_nothing(self, x, slots):
        """Without labels or elements: zeros, as for labels that are not there."""
        self.low, self.high = (_core.zeros(slots.shape, x.dtype) for _ in range(2))
        self.first, self.last = (_core.zeros(slots.shape, np.int64) for _ in range(2))

    def _of_slots(self, x, slots, positions):
        dtype = x.dtype
        if slots.labels.dtype.kind == "f":
            reading = read_as("lLd", **{c: "d" for c in "?bBhHIief"}, q="l", Q="L")
        else:
            reading = read_as("BilLfd", I="l", q="l", Q="L")
        x = values_as(x, reading)
        if x.dtype.char in "lL" and slots.labels.dtype.char == "i":
            slots.labels = slots.labels.astype(np.int64)
        least, most = slots.full(2**64 - 1, np.uint64), slots.full(0, np.uint64)
        first, last = slots.full(_FURTHEST, np.int64), slots.full(-1, np.int64)
        keys = dict(least=least, most=most)
        slots.launch(_label_extremes, x, **keys, first=None, last=None)
        least, most = slots.joined(least, _core.min), slots.joined(most, _core.max)
        if positions:
            keys = dict(least=least, most=most)
            slots.launch(_label_extremes, x, **keys, first=first, last=last)
            first, last = slots.joined(first, _core.min), slots.joined(last, _core.max)
        else:
            first, last = (slots.joined(t, _first_table) for t in (first, last))
        found = [slots.taken(table) for table in (least, most, first, last)]
        low, high = (_core.empty(found[0].shape, x.dtype) for _ in range(2))
        self.first, self.last = (_core.empty(slots.shape, np.int64) for _ in range(2))
        _extreme_values(*found, low, high, self.first, self.last)
        self.low = low.astype(dtype, copy=False)
        self.high = high.astype(dtype, copy=False)

    def _of_sorted(self, x, slots, positions):
        """Of complex numbers, which sort by their real parts first."""
        order, begin, end = order_by_slot(x, slots)
        there = end > begin
        low, high = begin * there, (end - 1) * there
        zero = x.dtype.type(0)
        x = x.ravel()[order]
        self.low = slots.taken(_core.where(there, x[low], zero))
        self.high = slots.taken(_core.where(there, x[high], zero))
        if positions:
            self.first = slots.taken(order[low] * there)
            self.last = slots.taken(order[high] * there)


@where_it_lives
def minimum(input, labels=None, index=None):
    """Minimum of the values of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    cupric.ndarray
        Of the dtype of `input`; of no dimensions where `index` is a number or None,
        else of its shape. 0 for a label without elements. NaN is larger than all
        numbers; where `index` is a number or None, it is the minimum, too.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import minimum
    >>> minimum(cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([1, 2, 0])
    """
    return _extremes(input, labels, index).low


@where_it_lives
def maximum(input, labels=None, index=None):
    """Maximum of the values of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    cupric.ndarray
        As in `minimum`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import maximum
    >>> maximum(cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([4, 2, 0])
    """
    return _extremes(input, labels, index).high


@where_it_lives
def minimum_position(input, labels=None, index=None):
    """Position of the minimum of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    tuple of ints, or list of tuples
        One where `index` is a number or None. Of equal elements that of the first one;
        zeros for a label without elements. Waits for the device.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import minimum_position
    >>> [int(i) for i in minimum_position(cp.array([[4, 1], [2, 3]]))]
    [0, 1]
    """
    found = _extremes(input, labels, index, positions=True)
    return _tuples(found.first, found.shape)


@where_it_lives
def maximum_position(input, labels=None, index=None):
    """Position of the maximum of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    tuple of ints, or list of tuples
        As of `minimum_position`; of equal elements that of the first one where `index`
        is a number or None, else of the last one.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import maximum_position
    >>> [int(i) for i in maximum_position(cp.array([[4, 1], [2, 3]]))]
    [0, 0]
    """
    found = _extremes(input, labels, index, positions=True)
    return _tuples(found.last, found.shape)


@where_it_lives
def extrema(input, labels=None, index=None):
    """Minimum and maximum of the values of each label, and their positions.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    minimums, maximums : cupric.ndarray
        As in `minimum`.
    min_positions, max_positions : tuple of ints, or list of tuples
        As of `minimum_position` and `maximum_position`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import extrema
    >>> x, labels = cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 2])
    >>> extrema(x, labels, [1, 2])[:2]
    (array([1, 2]), array([4, 3]))
    """
    found = _extremes(input, labels, index, positions=True)
    return (
        found.low,
        found.high,
        _tuples(found.first, found.shape),
        _tuples(found.last, found.shape),
    )
