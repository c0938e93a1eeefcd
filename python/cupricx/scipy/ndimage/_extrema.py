"""Extrema of the elements with a label, and their positions."""

import numpy as np

import cupric as cp
from cupric._lib import where_it_lives
from cupricx.scipy.ndimage._by_label import order_by_slot
from cupricx.scipy.ndimage._slots import (
    Slots,
    group_mask,
    library,
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


_label_extremes = library.kernel(
    "label_extremes<X, L>",
    ships="Bi Bl ii il fi fl di dl ll Ll dd ld Ld",
    example=_example_extrema,
)
_extreme_values = library.elementwise(
    "extreme_values",
    "uint64 least, uint64 most",
    "X low, X high",
    "low = least > most ? X(0) : key<X>::value(least);"
    "high = least > most ? X(0) : key<X>::value(most);",
    ships="B i l L f d",
    example=_example_extrema,
)
_FURTHEST = np.iinfo(np.int64).max


class _Extremes:
    """The smallest and largest value of each label, `low` and `high`, and where they
    are, `first` and `last`: positions in C order, where those are asked for.
    """

    def __init__(self, input, labels, index, positions=False):
        x, labels = with_labels(input, labels)
        self.shape, self.positions = x.shape, positions
        if labels is None or index is None or np.isscalar(index):
            self._of_one(x, labels, index)
            return
        slots = Slots(labels, index)
        if x.dtype.kind == "c":
            self._of_sorted(x, slots)
        else:
            self._of_slots(x, slots)

    def _of_one(self, x, labels, index):
        at = None
        if labels is not None:
            mask = group_mask(labels, index)
            x = x[mask]
            at = cp.flatnonzero(mask) if self.positions else None
        self.low, self.high = x.min(), x.max()
        if self.positions:
            self.first, self.last = x.argmin(), x.argmax()
            if at is not None:
                self.first, self.last = at[self.first], at[self.last]

    def _of_slots(self, x, slots):
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
        slots.launch(_label_extremes, x, least, most, first, last, False, x.size)
        least, most = slots.joined(least, cp.min), slots.joined(most, cp.max)
        shown = slots.taken(least), slots.taken(most)
        low = cp.empty_like(shown[0], dtype=x.dtype)
        high = cp.empty_like(low)
        _extreme_values(*shown, low, high)
        self.low = low.astype(dtype, copy=False)
        self.high = high.astype(dtype, copy=False)
        if not self.positions:
            return
        slots.launch(_label_extremes, x, least, most, first, last, True, x.size)
        first, last = slots.joined(first, cp.min), slots.joined(last, cp.max)
        self.first = slots.taken(cp.where(first == _FURTHEST, 0, first))
        self.last = slots.taken(cp.maximum(last, 0))

    def _of_sorted(self, x, slots):
        """Of complex numbers, which sort by their real parts first."""
        order, begin, end = order_by_slot(x, slots)
        there = end > begin
        low, high = begin * there, (end - 1) * there
        zero = x.dtype.type(0)
        x = x.ravel()[order]
        self.low = slots.taken(cp.where(there, x[low], zero))
        self.high = slots.taken(cp.where(there, x[high], zero))
        if self.positions:
            self.first = slots.taken(order[low] * there)
            self.last = slots.taken(order[high] * there)

    def tuples(self, positions):
        """Positions as tuples of indices, one or a list."""
        found = positions.get()
        if found.ndim == 0:
            return tuple(np.unravel_index(int(found), self.shape))
        if not self.shape:
            return [()] * found.size
        return list(zip(*np.unravel_index(found.ravel(), self.shape), strict=True))


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
    return _Extremes(input, labels, index).low


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
    return _Extremes(input, labels, index).high


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
    found = _Extremes(input, labels, index, positions=True)
    return found.tuples(found.first)


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
    found = _Extremes(input, labels, index, positions=True)
    return found.tuples(found.last)


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
    found = _Extremes(input, labels, index, positions=True)
    return found.low, found.high, found.tuples(found.first), found.tuples(found.last)
