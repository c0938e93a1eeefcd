"""Medians, histograms and functions of the elements with a label."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import (
    contiguous,
    count_integers,
    histogram_of,
    lexsort,
    where_it_lives,
)
from cupric._lib.core import median as median_of
from cupric._lib.kernels import Library
from cupricx.scipy.ndimage._measurements._find_objects import collector_paused
from cupricx.scipy.ndimage._measurements._slots import (
    Slots,
    group_mask,
    read_as,
    require_real,
    values_as,
    with_labels,
)

__all__ = [
    "histogram",
    "labeled_comprehension",
    "median",
    "order_by_slot",
    "value_indices",
]

_library = Library(__file__)


def _example_places(xp):
    from cupricx.scipy import ndimage

    x = np.arange(20 * 30).reshape(20, 30) // 7 % 5
    found = [
        ndimage.value_indices(xp.asarray(x.astype(t)), adaptive_index_dtype=adaptive)
        for t in ("u1", "i2", "i4", "i8")
        for adaptive in (False, True)
    ]
    return [indices for values in found for at in values.values() for indices in at]


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


_label_slots = _library.kernel(
    "label_slots<L>", elements="size", ships="i l d", example=_example_sorted
)
_label_keys = _library.kernel(
    "label_keys<X, L>", elements="size", ships="ii il fi fl", example=_example_sorted
)
_label_middles = _library.kernel(
    "label_middles<X, R>", elements="slots", ships="id ff fe", example=_example_sorted
)
_value_places = _library.kernel(
    "value_places<X, I>",
    elements="size",
    ships=" ".join(x + i for x in "BHIL" for i in "bhil"),
    example=_example_places,
)
_FEW = 2**14  # elements that come to the host before kernels have been launched
_SHORT = {c: "i" for c in "?bBhHi"} | {"e": "f", "f": "f"}


def _slot_numbers(slots):
    """The slot of each element, in C order; slots.n where it has none."""
    if slots.n == 0:  # the kernel reads the first label that is asked for
        return _core.zeros(slots.labels.size, np.int64)
    found = _core.empty(slots.labels.size, np.int64)
    _label_slots[slots.labels.dtype](
        labels=slots.labels,
        index=slots.index,
        slots=slots.n,
        found=found,
        size=found.size,
    )
    return found


def _not_there(shape, dtype):
    """NaN for each label."""
    made = _core.empty(shape, dtype)
    made.fill(np.nan)
    return made


def _bounds_of(ordered, slots):
    """Where the elements of each slot begin and end among all, in order."""
    at = _core.searchsorted(ordered, _core.arange(slots.n + 1, dtype=ordered.dtype))
    return at[:-1], at[1:].copy()  # aligned, for what is made of it


def order_by_slot(x, slots):
    """The order by slots and then by values, and where each slot begins and ends."""
    numbers = _slot_numbers(slots)
    if slots.n < 2**16:  # fewer digits to sort by
        numbers = numbers.astype(np.uint8 if slots.n < 2**8 else np.uint16)
    order = lexsort((x.ravel(), numbers)) if x is not None else None
    if order is None:
        order = numbers.argsort(kind="stable")
    return order, *_bounds_of(numbers[order], slots)


@where_it_lives
def median(input, labels=None, index=None):
    """Median of the values of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

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
    x, labels = with_labels(input, labels)
    if labels is None:
        return median_of(x)
    if index is None or np.isscalar(index):
        return median_of(x[group_mask(labels, index)])
    slots = Slots(labels, index)
    real = np.dtype(np.float64) if x.dtype.kind in "biu" else x.dtype
    if slots.n == 0 or x.size == 0:
        return _not_there(slots.shape, real)
    char = _SHORT.get(x.dtype.char)
    if char and slots.labels.dtype.kind != "f" and slots.n < 2**32 - 1:
        value = np.dtype(char)
        given = contiguous(x.astype(value, copy=False))
        keys = _core.empty(x.size, np.uint64)
        _label_keys[value, slots.labels.dtype](
            x=given,
            labels=slots.labels,
            index=slots.index,
            slots=slots.n,
            keys=keys,
            size=x.size,
        )
        keys, middles = _core.sort(keys), _core.empty(slots.n, real)
        _label_middles[value, real](
            keys=keys, size=x.size, middles=middles, slots=slots.n
        )
        return slots.taken(middles)
    order, begin, end = order_by_slot(x, slots)
    flat = x.ravel()

    def at(places):
        return flat[order[places]].astype(real)

    there = end > begin
    half = (end - begin - 1) // 2
    low, high = (begin + half) * there, (end - 1 - half) * there
    middle = (at(low) + at(high)) / 2.0
    return slots.taken(_core.where(there, middle, np.nan))


@where_it_lives
def labeled_comprehension(
    input, labels, index, func, out_dtype, default, pass_positions=False
):
    """Result of a function called with the values of each label.

    Parameters
    ----------
    input : cupric.ndarray
    labels : cupric.ndarray or None
        A label for each element; broadcasts against `input`.
    index : number, sequence of numbers or None
        Labels to evaluate. If None, `func` is called once, with all elements
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
        at = _core.arange(x.size).reshape(x.shape)
        return func(x[mask].ravel(), at[mask].ravel())
    slots = Slots(labels, _exact(index, labels.dtype))
    found = [default] * slots.n
    if slots.n and x.size:
        order, begin, end = order_by_slot(None, slots)
        x = x.ravel()[order]
        ends = _core.concatenate((begin, end)).reshape(2, -1).get().tolist()
        for slot, (b, e) in enumerate(zip(*ends, strict=True)):
            if b < e:
                more = (order[b:e],) if pass_positions else ()
                found[slot] = func(x[b:e], *more)
    places = range(slots.n) if slots.place is None else slots.place.get().tolist()
    found = [found[p] for p in places]
    if np.dtype(out_dtype) != object:
        given = default
        if default is None and np.dtype(out_dtype).kind in "fc":
            given = np.nan
        on_device = any(isinstance(value, _core.ndarray) for value in found)
        made = np.full(len(found), given, out_dtype)
        made = _core.array(made) if on_device else made
        for i, value in enumerate(found):
            if value is not default:
                made[i] = value
        found = _core.asarray(made).reshape(slots.shape)
    return found[0] if np.isscalar(index) else found


def _comprehended(input, labels, index):
    if labels is None and index is not None:
        raise ValueError("index without defined labels")
    try:
        return with_labels(input, labels)
    except ValueError as error:
        raise ValueError(
            "input and labels must have the same shape (excepting dimensions with "
            f"width 1): {error}"
        ) from None


def _exact(index, dtype):
    """An index in the dtype of labels, which must hold all of it."""
    index = index if isinstance(index, _core.ndarray) else np.asarray(index)
    index = index.reshape(index.shape or 1)
    with np.errstate(invalid="ignore"):
        made = index.astype(dtype)
    if (made.astype(index.dtype) != index).any():
        raise ValueError(
            f"Cannot convert index values from <{index.dtype}> to <{dtype}> (labels' "
            "type) without loss of precision"
        )
    return made


@where_it_lives
def value_indices(arr, *, ignore_value=None, adaptive_index_dtype=False):
    """Indices of each distinct value of an array.

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
    order = flat.argsort(kind="stable")
    ordered = _core.empty(x.size, x.dtype)
    at = _core.empty((x.ndim, x.size), dtype)
    _value_places[np.dtype(f"u{x.itemsize}"), dtype](
        x=flat,
        order=order,
        shape=arguments.small(x.shape, x, np.int64),
        ndim=x.ndim,
        ordered=ordered,
        at=at,
        size=x.size,
    )
    if x.size <= _FEW:
        ordered = ordered.get()
        starts = np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
        values, starts = ordered[starts], starts.tolist()
    else:
        new = _core.concatenate((_core.array([True]), ordered[1:] != ordered[:-1]))
        starts = _core.flatnonzero(new)
        values, starts = ordered[starts].get(), starts.get().tolist()
    ends = [*starts[1:], x.size]
    ignored = None if ignore_value is None else x.dtype.type(ignore_value)
    with collector_paused():
        slices = list(map(slice, starts, ends))
        parts = zip(*(map(i.__getitem__, slices) for i in at), strict=True)
        found = dict(zip(values, parts if x.ndim else [()] * len(ends), strict=True))
    if ignored is not None:
        found.pop(ignored, None)
    return found


# ---- histogram -----------------------------------------------------------------------

_BINNED = read_as("fd", **{"?": "f", "b": "f", "B": "f", "h": "f", "H": "f"}, i="d")


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
    "label_bins<X, L>",
    elements="size",
    ships="fi fl di dl dd",
    example=_example_histogram,
)


@where_it_lives
def histogram(input, min, max, bins, labels=None, index=None):
    """Histogram of the values of each label.

    Parameters
    ----------
    input : cupric.ndarray
    min, max : number
        Of the range that is counted; `max` belongs to the last bin.
    bins : int
        How many bins of equal width there are.
    labels, index
        As in `sum_labels`.

    Returns
    -------
    cupric.ndarray of int64, or list
        How many elements are in each bin. Where `index` is not a number or None, a list
        of such arrays. None for a label without elements. Waits for the device.

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
    edges = _core.array(edges)
    if labels is None or index is None:
        values = x.ravel() if labels is None else x[labels > 0]
        return histogram_of(values, edges)[0]
    if np.isscalar(index):
        values = x[labels == _exact(index, labels.dtype)[0]]
        return histogram_of(values, edges)[0] if values.size else None
    require_real(x, "the histogram")
    slots = Slots(labels, _exact(index, labels.dtype))
    if slots.n == 0:
        return []
    x = values_as(x, _BINNED if slots.labels.dtype.kind != "f" else read_as("d", f="d"))
    found = _core.empty(x.size, np.int64)
    _label_bins[x.dtype, slots.labels.dtype](
        x=x,
        labels=slots.labels,
        index=slots.index,
        slots=slots.n,
        edges=edges,
        bins=bins,
        found=found,
        size=x.size,
    )
    of_all = slots.n * (bins + 1)
    counts = count_integers(found, None, of_all + 1)[:of_all]
    counts = slots.taken(counts.reshape(slots.n, bins + 1))
    there = counts.any(axis=-1).get()
    return [c[:bins] if t else None for c, t in zip(counts, there, strict=True)]
