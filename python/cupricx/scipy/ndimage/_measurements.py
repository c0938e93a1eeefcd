"""Statistics of what has a label."""

import numpy as np

import cupric as cp
from cupric._lib import Library, arguments
from cupricx.scipy.ndimage._label import collector_paused, labels_as

__all__ = [
    "center_of_mass",
    "extrema",
    "histogram",
    "labeled_comprehension",
    "maximum",
    "maximum_position",
    "mean",
    "median",
    "minimum",
    "minimum_position",
    "standard_deviation",
    "sum",
    "sum_labels",
    "value_indices",
    "variance",
]

_library = Library(__file__, "_measurements.cuh")

_SPAN_TILE, _THREADS, _GROUP_TILE = 4096, 256, 4096  # as in _measurements.cuh


# ---- labels and the slots of those that are asked for --------------------------------


def _broadcast(input, labels):
    """Input and labels as arrays of one shape; labels None where there are none."""
    x = arguments.array(input)
    if labels is None:
        return x, None
    labels = arguments.array(labels, "labels")
    if labels.dtype.kind == "c":
        raise TypeError(f"labels are real numbers, not {labels.dtype}")
    return (x, labels) if x.shape == labels.shape else cp.broadcast_arrays(x, labels)


def _mask(labels, index):
    """Which elements belong to the one group that `index`, None or a number, means."""
    return labels > 0 if index is None else labels == index


class _Slots:
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
        self.device = labels.device
        if on_device:
            wanted = wanted.ravel()
            self.index = cp.sort(wanted)
            self.place = cp.searchsorted(self.index, wanted)
        else:
            wanted, place = wanted.ravel(), None
            if not (wanted[1:] > wanted[:-1]).all():
                wanted, place = np.unique(wanted, return_inverse=True)
            with self.device:
                self.index = cp.array(wanted)
                self.place = None if place is None else cp.array(place)
        self.n = self.index.size
        self.stride = -(-max(self.n, 1) // 16) * 16
        self.tables = min(max(self.labels.size // (4 * self.stride), 2), 16)

    def full(self, value, dtype, *shape):
        """A table of each kind, filled with a value."""
        with self.device:
            return cp.full((self.tables, self.stride, *shape), value, dtype)

    def taken(self, values):
        """What was found for the slots, for the labels that were asked for."""
        values = values[: self.n] if self.place is None else values[self.place]
        return values.reshape(self.shape + values.shape[1:])

    def launch(self, kernel, x, *args):
        """Launch over spans of elements; on the host one for each table."""
        size = self.labels.size
        if self.n == 0 or size == 0:
            return
        pieces = self.tables if _library.on_host(x) else -(-size // _SPAN_TILE)
        instance = kernel[x.dtype, self.labels.dtype]
        args = x, self.labels, self.index, self.n, self.stride, *args, self.tables
        instance.blocks(pieces, _THREADS, args)


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


def _values_as(x, dtypes):
    """Values in a dtype that there are kernels for, and contiguous."""
    return cp.ascontiguousarray(x.astype(dtypes[x.dtype.char], copy=False))


def _reading(letters, **others):
    """Which dtype is read as which: a dictionary of letters."""
    found = {"?": "B", "b": "i", "h": "i", "H": "i", "e": "f"}
    found |= {c: c for c in letters}
    for c in "iBIlLqQf":
        found.setdefault(c, "d")
    return found | others


# ---- sums ----------------------------------------------------------------------------

_SUMMED = _reading("Bifd")


def _example_sums(xp):
    from cupricx.scipy import ndimage

    x = np.arange(30 * 40).reshape(30, 40) % 23
    labels = np.arange(30 * 40).reshape(30, 40) // 37 % 9
    return [
        ndimage.variance(
            xp.asarray(x.astype(t)), xp.asarray(labels.astype(u)), [1, 3, 8, 99]
        )
        for t, u in (("u1", "i4"), ("f4", "i8"), ("f8", "f8"))
    ]


_label_sums = _library.kernel(
    "label_sums<X, L>", ships="Bi Bl ii il fi fl di dl dd", example=_example_sums
)


def _need_real(x, name):
    if x.dtype.kind == "c":
        raise TypeError(
            f"Cannot cast array data from {x.dtype!r} to dtype('float64'): {name} of "
            "several labels is of real numbers"
        )


def _sums(x, slots, means=None):
    """Of each slot the sum, in float64, of x or of squares of x - means, and the number
    of elements."""
    x = _values_as(
        x, _SUMMED if slots.labels.dtype.kind != "f" else _reading("d", f="d")
    )
    sums, numbers = slots.full(0, np.float64), slots.full(0, np.int64)
    centred = means is not None
    args = sums, numbers, means if centred else sums, centred, x.size
    slots.launch(_label_sums, x, *args)
    return sums.sum(axis=0), numbers.sum(axis=0)


_GROUPED = _reading("Bilfd", **{c: "l" for c in "ILqQ"})
_SQUARED = _reading("Bifd")


def _example_group(xp):
    from cupricx.scipy import ndimage

    x = np.arange(90 * 100).reshape(90, 100) % 23
    labels = xp.asarray(x % 3)
    given = [xp.asarray(x.astype(t)) for t in ("u1", "i4", "i8", "f4", "f8")]
    return [f(y, labels, 1) for f in (ndimage.mean, ndimage.variance) for y in given]


_of_group = _library.kernel(
    "group_sums<X, S>", ships="Bl il ll fd dd Bd id", example=_example_group
)


def _group_sums(x, mask, mean=None):
    """The sum of the elements in a mask, or of squares of x - mean, and how many these
    are: an array of two, of int64 where they are integers that are added up."""
    x = _values_as(x, _GROUPED if mean is None else _SQUARED)
    mask = cp.ascontiguousarray(mask).view("u1")
    pieces = min(max(x.size // (4 * _GROUP_TILE), 1), 512)
    exact = x.dtype.kind in "iu" and mean is None
    with x.device:
        sums = cp.empty((2, pieces), np.int64 if exact else np.float64)
    centred = mean is not None
    args = x, mask, sums, mean if centred else sums, centred, x.size, pieces
    _of_group[x.dtype, sums.dtype].blocks(pieces, _THREADS, args)
    return sums[:, 0] if pieces == 1 else sums.sum(axis=1)


def _sum_dtype(x):
    """The dtype of a sum of x, as NumPy has it."""
    wide = {"b": np.int64, "i": np.int64, "u": np.uint64}
    return np.dtype(wide.get(x.dtype.kind, x.dtype))


def _group_mean(sums, x):
    total = sums[0]
    if x.dtype.kind == "u":
        total = total.view(np.uint64) if total.dtype.kind == "i" else total
    return total.astype(np.float64, copy=False) / sums[1].astype(np.float64, copy=False)


def sum_labels(input, labels=None, index=None):
    """Sums of the elements that have a label.

    Parameters
    ----------
    input : cupric.ndarray
    labels : cupric.ndarray, optional
        A label for each element; broadcasts against `input`.
    index : number or sequence of numbers, optional
        The labels that are asked for. By default all that are greater than zero count
        as one; where `labels` is not given either, all elements.

    Returns
    -------
    cupric.ndarray
        Of no dimensions where `index` is a number or None, in the dtype of
        ``input.sum()``. Of the shape of `index` otherwise, in float64: 0 for a label
        that is not there.

    Notes
    -----
    All labels are added up in one pass, in float64. On a GPU they are added in any
    order, so that the last digits may differ from call to call.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import sum_labels
    >>> sum_labels(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([1., 2., 0.])
    """
    x, labels = _broadcast(input, labels)
    if labels is None:
        return x.sum()
    if index is None or np.isscalar(index):
        mask = _mask(labels, index)
        if x.dtype.kind == "c":
            return x.sum(where=mask)
        return _group_sums(x, mask)[0].astype(_sum_dtype(x), copy=False)
    _need_real(x, "the sum")
    slots = _Slots(labels, index)
    return slots.taken(_sums(x, slots)[0])


def sum(input, labels=None, index=None):
    """Sums of the elements that have a label: `sum_labels`, which is the better name.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import ndimage
    >>> ndimage.sum(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 2]), index=[1, 2])
    array([1., 5.])
    """
    return sum_labels(input, labels, index)


def mean(input, labels=None, index=None):
    """Means of the elements that have a label.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray
        Of no dimensions where `index` is a number or None, else of its shape; in
        float64 or complex128. NaN for a label that is not there.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import mean
    >>> mean(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([0.5, 2. , nan])
    """
    x, labels = _broadcast(input, labels)
    if labels is None:
        return x.sum() / np.float64(x.size)
    if index is None or np.isscalar(index):
        mask = _mask(labels, index)
        if x.dtype.kind == "c":
            return x.sum(where=mask) / cp.count_nonzero(mask).astype(np.float64)
        return _group_mean(_group_sums(x, mask), x)
    _need_real(x, "the mean")
    slots = _Slots(labels, index)
    sums, numbers = _sums(x, slots)
    return slots.taken(sums / numbers)


def variance(input, labels=None, index=None):
    """Variances of the elements that have a label.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray
        As of `mean`: mean squares of the distance from the mean, in two passes.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import variance
    >>> variance(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([0.25, 0.  ,  nan])
    """
    x, labels = _broadcast(input, labels)
    if x.dtype.kind == "c" and (index is None or np.isscalar(index)):
        mask = True if labels is None else _mask(labels, index)
        n = x.size if labels is None else cp.count_nonzero(mask)
        c = x - x.mean(where=mask)
        return (c * c.conj()).sum(where=mask) / cp.asarray(n).astype(np.float64)
    if labels is None:
        return x.var(dtype=np.float64)
    if index is None or np.isscalar(index):
        mask = _mask(labels, index)
        mean = _group_mean(_group_sums(x, mask), x)
        squares, number = _group_sums(x, mask, mean)
        return squares / number
    _need_real(x, "the variance")
    slots = _Slots(labels, index)
    sums, numbers = _sums(x, slots)
    squares, _ = _sums(x, slots, sums / numbers)
    return slots.taken(squares / numbers)


def standard_deviation(input, labels=None, index=None):
    """Standard deviations of the elements that have a label.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray
        Square roots of the `variance`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import standard_deviation
    >>> standard_deviation(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2])
    array([0.5, 0. ])
    """
    return cp.sqrt(variance(input, labels, index))


# ---- center of mass ------------------------------------------------------------------

_MOMENTS = _reading("fd", **{"?": "f", "b": "f", "B": "f", "h": "f", "H": "f"}, i="d")


def _example_masses(xp):
    from cupricx.scipy import ndimage

    x = (np.arange(3 * 30 * 40) % 23).reshape(3, 30, 40)
    labels = np.arange(3 * 30 * 40).reshape(3, 30, 40) // 37 % 9
    return [
        ndimage.center_of_mass(
            xp.asarray(x.astype(t)), xp.asarray(labels.astype(u)), [1, 3, 8]
        )
        for t, u in (("f4", "i4"), ("i4", "i8"), ("f8", "f8"))
    ]


_label_moments = _library.kernel(
    "label_moments<X, L>", ships="fi fl di dl dd", example=_example_masses
)


def center_of_mass(input, labels=None, index=None):
    """Centers of mass of the elements that have a label.

    Parameters
    ----------
    input : cupric.ndarray
        The masses.
    labels, index
        As of `sum_labels`.

    Returns
    -------
    tuple or list
        Where `index` is a number or None, a coordinate for each axis: arrays of no
        dimensions, in float64. Otherwise an array of coordinates for each label: NaN
        where it is not there.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import center_of_mass
    >>> x = cp.array([[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0]])
    >>> center_of_mass(x)
    (array(1.), array(1.5))
    >>> center_of_mass(x, x, index=[1, 2])
    [array([1. , 1.5]), array([nan, nan])]
    """
    x, labels = _broadcast(input, labels)
    if labels is None or index is None or np.isscalar(index):
        if labels is not None:
            x = cp.where(_mask(labels, index), x, x.dtype.type(0))
        wide = np.promote_types(x.dtype, np.float64)
        mass = x.sum(dtype=wide)
        found = []
        for axis, length in enumerate(x.shape):
            others = tuple(d for d in range(x.ndim) if d != axis)
            with x.device:
                at = cp.arange(length, dtype=np.float64)
            found.append((x.sum(axis=others, dtype=wide) * at).sum() / mass)
        return tuple(found)
    _need_real(x, "the center of mass")
    slots = _Slots(labels, index)
    x = _values_as(
        x, _MOMENTS if slots.labels.dtype.kind != "f" else _reading("d", f="d")
    )
    sums = slots.full(0, np.float64, x.ndim + 1)
    if x.ndim and slots.n and x.size:
        n = x.shape[-1]
        rows = x.size // n
        with x.device:
            shape = cp.array(x.shape, dtype=np.int64)
        slots.launch(_label_moments, x, sums, shape, x.ndim, rows, n)
    sums = slots.taken(sums.sum(axis=0))
    found = sums[..., 1:] / sums[..., :1]
    return tuple(found) if slots.shape == () else list(found)


# ---- extrema -------------------------------------------------------------------------


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
    ships="Bi Bl ii il fi fl di dl ll Ll dd ld Ld",
    example=_example_extrema,
)
_extreme_values = _library.elementwise(
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
        x, labels = _broadcast(input, labels)
        self.shape, self.positions = x.shape, positions
        if labels is None or index is None or np.isscalar(index):
            self._of_one(x, labels, index)
            return
        slots = _Slots(labels, index)
        if x.dtype.kind == "c":
            self._of_sorted(x, slots)
        else:
            self._of_slots(x, slots)

    def _of_one(self, x, labels, index):
        at = None
        if labels is not None:
            mask = _mask(labels, index)
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
            reading = _reading("lLd", **{c: "d" for c in "?bBhHIief"}, q="l", Q="L")
        else:
            reading = _reading("BilLfd", I="l", q="l", Q="L")
        x = _values_as(x, reading)
        if x.dtype.char in "lL" and slots.labels.dtype.char == "i":
            slots.labels = slots.labels.astype(np.int64)
        least, most = slots.full(2**64 - 1, np.uint64), slots.full(0, np.uint64)
        first, last = slots.full(_FURTHEST, np.int64), slots.full(-1, np.int64)
        slots.launch(_label_extremes, x, least, most, first, last, False, x.size)
        least, most = least.min(axis=0), most.max(axis=0)
        low, high = (
            cp.empty_like(least, dtype=x.dtype),
            cp.empty_like(least, dtype=x.dtype),
        )
        _extreme_values(least, most, low, high)
        self.low = slots.taken(low).astype(dtype, copy=False)
        self.high = slots.taken(high).astype(dtype, copy=False)
        if not self.positions:
            return
        slots.launch(_label_extremes, x, least, most, first, last, True, x.size)
        first, last = first.min(axis=0), last.max(axis=0)
        self.first = slots.taken(cp.where(first == _FURTHEST, 0, first))
        self.last = slots.taken(cp.maximum(last, 0))

    def _of_sorted(self, x, slots):
        """Of complex numbers, which sort by their real parts first."""
        order, begin, end = _order(x, slots)
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


def minimum(input, labels=None, index=None):
    """Smallest of the elements that have a label.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray
        Of the dtype of `input`; of no dimensions where `index` is a number or None,
        else of its shape. 0 for a label that is not there. NaN is larger than all
        numbers; where `index` is a number or None, it is the minimum, too.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import minimum
    >>> minimum(cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([1, 2, 0])
    """
    return _Extremes(input, labels, index).low


def maximum(input, labels=None, index=None):
    """Largest of the elements that have a label.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray
        As of `minimum`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import maximum
    >>> maximum(cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([4, 2, 0])
    """
    return _Extremes(input, labels, index).high


def minimum_position(input, labels=None, index=None):
    """Where the smallest of the elements that have a label is.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    tuple of ints, or list of tuples
        One where `index` is a number or None. Of equal elements that of the first one;
        zeros for a label that is not there. Waits for the device.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import minimum_position
    >>> [int(i) for i in minimum_position(cp.array([[4, 1], [2, 3]]))]
    [0, 1]
    """
    found = _Extremes(input, labels, index, positions=True)
    return found.tuples(found.first)


def maximum_position(input, labels=None, index=None):
    """Where the largest of the elements that have a label is.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

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


def extrema(input, labels=None, index=None):
    """Smallest and largest of the elements that have a label, and where they are.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    minimums, maximums : cupric.ndarray
        As of `minimum`.
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


# ---- sorted by label -----------------------------------------------------------------


def _example_sorted(xp):
    from cupricx.scipy import ndimage

    x = np.arange(30 * 40).reshape(30, 40) * 7 % 23
    labels = np.arange(30 * 40).reshape(30, 40) // 37 % 9
    return [
        ndimage.median(
            xp.asarray(x.astype(t)), xp.asarray(labels.astype(u)), [1, 3, 8, 99]
        )
        for t, u in (("u1", "i4"), ("f4", "i8"), ("f8", "i4"))
    ]


_label_slots = _library.kernel("label_slots<L>", ships="i l d", example=_example_sorted)
_label_keys = _library.kernel(
    "label_keys<X, L>", ships="ii il fi fl", example=_example_sorted
)
_short_values = _library.elementwise(
    "short_values",
    "uint64 k",
    "X x",
    "X found; short_value((unsigned)k, found); x = found",
    ships="i f",
    example=_example_sorted,
)
_SHORT = {c: "i" for c in "?bBhHi"} | {"e": "f", "f": "f"}


def _slot_numbers(slots):
    """The slot of each element, in C order; slots.n where it has none."""
    with slots.device:
        found = cp.empty(slots.labels.size, np.int64)
    args = slots.labels, slots.index, slots.n, found, found.size
    _label_slots[slots.labels.dtype].elements(found.size, args)
    return found


def _bounds_of(ordered, slots, shift=0):
    """Where the elements of each slot begin and end among all, in order."""
    with slots.device:
        ends = cp.arange(slots.n + 1, dtype=ordered.dtype) << shift
    at = cp.searchsorted(ordered, ends)
    return at[:-1], at[1:].copy()  # aligned, for what is made of it


def _order(x, slots):
    """The order by slots and then by values, and where each slot begins and ends."""
    numbers = _slot_numbers(slots)
    if slots.n < 2**16:  # fewer digits to sort by
        numbers = numbers.astype(np.uint8 if slots.n < 2**8 else np.uint16)
    order = cp.lexsort((x.ravel(), numbers)) if x is not None else None
    if order is None:
        order = cp.argsort(numbers, kind="stable")
    return order, *_bounds_of(numbers[order], slots)


def median(input, labels=None, index=None):
    """Medians of the elements that have a label.

    Parameters
    ----------
    input, labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray
        In float64 for integers, else in the dtype of `input`; of no dimensions where
        `index` is a number or None, else of its shape. NaN for a label that is not
        there.

    Notes
    -----
    All labels are sorted at once: numbers of up to 32 bits together with their labels,
    as keys of 64 bits, others by two sorts.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import median
    >>> median(cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([2.5, 2. , nan])
    """
    x, labels = _broadcast(input, labels)
    if labels is None:
        return cp.median(x)
    if index is None or np.isscalar(index):
        return cp.median(x[_mask(labels, index)])
    slots = _Slots(labels, index)
    real = np.dtype(np.float64) if x.dtype.kind in "biu" else x.dtype
    if slots.n == 0 or x.size == 0:
        with x.device:
            return cp.full(slots.shape, np.nan, real)
    char = _SHORT.get(x.dtype.char)
    if char and slots.labels.dtype.kind != "f" and slots.n < 2**32 - 1:
        value = np.dtype(char)
        given = cp.ascontiguousarray(x.astype(value, copy=False))
        keys = cp.empty_like(given, dtype=np.uint64, shape=x.size)
        args = given, slots.labels, slots.index, slots.n, keys, x.size
        _label_keys[value, slots.labels.dtype].elements(x.size, args)
        keys = cp.sort(keys)
        begin, end = _bounds_of(keys, slots, 32)

        def at(places):
            found = cp.empty_like(places, dtype=value)
            _short_values(keys[places], found)
            return found.astype(real)

    else:
        order, begin, end = _order(x, slots)
        flat = x.ravel()

        def at(places):
            return flat[order[places]].astype(real)

    there = end > begin
    half = (end - begin - 1) // 2
    low, high = (begin + half) * there, (end - 1 - half) * there
    middle = (at(low) + at(high)) / 2.0
    return slots.taken(cp.where(there, middle, np.nan))


def labeled_comprehension(
    input, labels, index, func, out_dtype, default, pass_positions=False
):
    """What a function makes of the elements of each label.

    Parameters
    ----------
    input : cupric.ndarray
    labels : cupric.ndarray or None
        A label for each element; broadcasts against `input`.
    index : number, sequence of numbers or None
        The labels that are asked for. If None, `func` is called once, with all elements
        whose label is greater than zero, or with all if `labels` is None.
    func : callable
        Takes the elements of a label, in C order, as an array of one axis.
    out_dtype : dtype
        Of the result. With `object` it is a list.
    default : number or None
        For labels that are not there.
    pass_positions : bool, optional
        `func` takes the positions of the elements in C order, too.

    Returns
    -------
    cupric.ndarray or list
        A value for each label; what `func` returns where it is called once. Waits for
        the device: elements are sorted by label, and `func` is called for one label
        after the other.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import labeled_comprehension
    >>> x, labels = cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4])
    >>> labeled_comprehension(x, labels, [1, 2, 3], cp.ptp, float, -1)
    array([ 3.,  0., -1.])
    """
    x, labels = _comprehended(input, labels, index)
    if labels is None or index is None:
        mask = ... if labels is None else labels > 0
        if not pass_positions:
            return func(x[mask].ravel())
        with x.device:
            at = cp.arange(x.size).reshape(x.shape)
        return func(x[mask].ravel(), at[mask].ravel())
    slots = _Slots(labels, _exact(index, labels.dtype))
    found = [default] * slots.n
    if slots.n and x.size:
        order, begin, end = _order(None, slots)
        x = x.ravel()[order]
        for slot, (b, e) in enumerate(cp.stack((begin, end), axis=1).get().tolist()):
            if b < e:
                more = (order[b:e],) if pass_positions else ()
                found[slot] = func(x[b:e], *more)
    places = range(slots.n) if slots.place is None else slots.place.get().tolist()
    found = [found[p] for p in places]
    if np.dtype(out_dtype) != object:
        given = default
        if default is None and np.dtype(out_dtype).kind in "fc":
            given = np.nan
        on_device = any(isinstance(value, cp.ndarray) for value in found)
        with x.device:
            made = (cp if on_device else np).full(len(found), given, out_dtype)
            for i, value in enumerate(found):
                if value is not default:
                    made[i] = value
            found = cp.asarray(made).reshape(slots.shape)
    return found[0] if np.isscalar(index) else found


def _comprehended(input, labels, index):
    if labels is None and index is not None:
        raise ValueError("index without defined labels")
    try:
        return _broadcast(input, labels)
    except ValueError as error:
        raise ValueError(
            "input and labels must have the same shape (excepting dimensions with "
            f"width 1): {error}"
        ) from None


def _exact(index, dtype):
    """An index in the dtype of labels, which must hold all of it."""
    index = (cp if isinstance(index, cp.ndarray) else np).atleast_1d(index)
    with np.errstate(invalid="ignore"):
        made = index.astype(dtype)
    if (made.astype(index.dtype) != index).any():
        raise ValueError(
            f"Cannot convert index values from <{index.dtype}> to <{dtype}> (labels' "
            "type) without loss of precision"
        )
    return made


def value_indices(arr, *, ignore_value=None, adaptive_index_dtype=False):
    """Where each value of an array is.

    Parameters
    ----------
    arr : cupric.ndarray of ints
    ignore_value : int, optional
        A value that is left out.
    adaptive_index_dtype : bool, optional
        Indices are of the smallest signed integers that hold all of them, not int64.

    Returns
    -------
    dict
        For each value, in ascending order, a tuple of arrays: the indices along each
        axis, in C order. Waits for the device.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import value_indices
    >>> found = value_indices(cp.array([[1, 0], [0, 1]]), ignore_value=0)
    >>> found[1]
    (array([0, 1]), array([0, 1]))
    """
    x = arguments.array(arr, "arr")
    if x.dtype.kind not in "iu":
        raise ValueError(f"Parameter 'arr' must be an integer array, not of {x.dtype}")
    dtype = np.dtype(np.int64)
    if adaptive_index_dtype:
        dtype = np.min_scalar_type(-max([1, *x.shape]))
    if x.size == 0:
        return {}
    flat = x.ravel()
    order = cp.argsort(flat, kind="stable")
    ordered = flat[order]
    with x.device:
        new = cp.concatenate((cp.array([True]), ordered[1:] != ordered[:-1]))
    starts = cp.flatnonzero(new)
    values, ends = ordered[starts].get(), [*starts[1:].get().tolist(), x.size]
    at, rest = [], order.astype(np.uint32) if x.size < 2**32 else order
    for n in x.shape[:0:-1]:
        rows = rest // n
        at.insert(0, (rest - rows * n).astype(dtype))
        rest = rows
    if x.ndim:
        at.insert(0, rest.astype(dtype))
    ignored = None if ignore_value is None else x.dtype.type(ignore_value)
    with collector_paused():
        slices = list(map(slice, [0, *ends[:-1]], ends))
        parts = zip(*(map(i.__getitem__, slices) for i in at), strict=True)
        found = dict(zip(values, parts if at else [()] * len(ends), strict=True))
    if ignored is not None:
        found.pop(ignored, None)
    return found


# ---- histogram -----------------------------------------------------------------------

_BINNED = _reading("fd", **{"?": "f", "b": "f", "B": "f", "h": "f", "H": "f"}, i="d")


def _example_histogram(xp):
    from cupricx.scipy import ndimage

    x = np.arange(30 * 40).reshape(30, 40) * 7 % 23
    labels = np.arange(30 * 40).reshape(30, 40) // 37 % 9
    return [
        ndimage.histogram(
            xp.asarray(x.astype(t)), 2, 20, 5, xp.asarray(labels.astype(u)), [1, 3]
        )
        for t, u in (("f4", "i8"), ("i4", "i4"), ("f8", "f8"))
    ]


_label_bins = _library.kernel(
    "label_bins<X, L>", ships="fi fl di dl dd", example=_example_histogram
)


def histogram(input, min, max, bins, labels=None, index=None):
    """Histograms of the elements that have a label.

    Parameters
    ----------
    input : cupric.ndarray
    min, max : number
        Of the range that is counted; `max` belongs to the last bin.
    bins : int
        How many bins of equal width there are.
    labels, index
        As of `sum_labels`.

    Returns
    -------
    cupric.ndarray of int64, or list
        How many elements are in each bin. Where `index` is not a number or None, a list
        of such arrays. None for a label that is not there. Waits for the device.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import histogram
    >>> x, labels = cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4])
    >>> histogram(x, 0, 4, 2, labels, index=[1, 2, 3])
    [array([1, 1]), array([0, 1]), None]
    """
    edges = np.linspace(min, max, bins + 1)
    if (edges[1:] < edges[:-1]).any():
        raise ValueError(
            f"the range of a histogram must ascend: min={min}, max={max}; `bins` must "
            "increase monotonically"
        )
    x, labels = _comprehended(input, labels, index)
    with x.device:
        edges = cp.array(edges)
    if labels is None or index is None:
        values = x.ravel() if labels is None else x[labels > 0]
        return cp.histogram(values, edges)[0]
    if np.isscalar(index):
        values = x[labels == _exact(index, labels.dtype)[0]]
        return cp.histogram(values, edges)[0] if values.size else None
    _need_real(x, "the histogram")
    slots = _Slots(labels, _exact(index, labels.dtype))
    if slots.n == 0:
        return []
    x = _values_as(
        x, _BINNED if slots.labels.dtype.kind != "f" else _reading("d", f="d")
    )
    with x.device:
        found = cp.empty(x.size, np.int64)
    args = x, slots.labels, slots.index, slots.n, edges, bins, found, x.size
    _label_bins[x.dtype, slots.labels.dtype].elements(x.size, args)
    of_all = slots.n * (bins + 1)
    counts = cp.bincount(found, minlength=of_all + 1)[:of_all]
    counts = slots.taken(counts.reshape(slots.n, bins + 1))
    there = counts.any(axis=-1).get()
    return [c[:bins] if t else None for c, t in zip(counts, there, strict=True)]
