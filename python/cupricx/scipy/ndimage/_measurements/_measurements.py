"""Sums, means, variances and centers of mass of the elements with a label."""

import numpy as np

from cupric import _core
from cupric._lib.core import contiguous, where_it_lives
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.ndimage._measurements._slots import (
    Slots,
    group_mask,
    read_as,
    require_real,
    values_as,
    with_labels,
)

__all__ = [
    "center_of_mass",
    "mean",
    "standard_deviation",
    "sum",
    "sum_labels",
    "variance",
]


_library = Library(__file__)

# ---- sums ----------------------------------------------------------------------------

_SUMMED = read_as("Bifd")


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
    "label_sums<X, L>",
    blocks="s.pieces",
    threads="SPAN_THREADS",
    ships="Bi Bl ii il fi fl di dl dd",
    example=_example_sums,
)


def _sums(x, slots, means=None):
    """Of each slot the sum, in float64, of x or of squares of x - means, and the number
    of elements."""
    x = values_as(x, _SUMMED if slots.labels.dtype.kind != "f" else read_as("d", f="d"))
    sums, numbers = slots.sums(np.float64), slots.sums(np.int64)
    slots.launch(_label_sums, x, sums=sums, numbers=numbers, means=means)
    return slots.joined(sums, _core.sum), slots.joined(numbers, _core.sum)


_GROUPED = read_as("Bilfd", **{c: "l" for c in "ILqQ"})
_SQUARED = read_as("Bifd")


def _example_group(xp):
    from cupricx.scipy import ndimage

    x = np.arange(90 * 100).reshape(90, 100) % 23
    labels = xp.asarray(x % 3)
    given = [xp.asarray(x.astype(t)) for t in ("u1", "i4", "i8", "f4", "f8")]
    return [f(y, labels, 1) for f in (ndimage.mean, ndimage.variance) for y in given]


_of_group = _library.kernel(
    "group_sums<X, S>",
    blocks="pieces",
    threads="GROUP_THREADS",
    ships="Bl il ll fd dd Bd id",
    example=_example_group,
)


def _group_sums(x, mask, mean=None):
    """The sum of the elements in a mask, or of squares of x - mean, and how many these
    are: an array of two, of int64 where they are integers that are added up."""
    x = values_as(x, _GROUPED if mean is None else _SQUARED)
    mask = contiguous(mask).view("u1")
    pieces = min(max(x.size // (4 * _library.enum.GROUP_TILE), 1), 512)
    exact = x.dtype.kind in "iu" and mean is None
    sums = _core.empty((2, pieces), np.int64 if exact else np.float64)
    _of_group[x.dtype, sums.dtype](
        x=x, mask=mask, sums=sums, mean=mean, size=x.size, pieces=pieces
    )
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


@replayed
def sum_labels(input, labels=None, index=None):
    """Sum of the values of each label.

    Parameters
    ----------
    input : cupric.ndarray
    labels : cupric.ndarray, optional
        Label of each element; broadcast against `input`.
    index : number or sequence of numbers, optional
        Labels to evaluate. By default, all elements with labels greater than zero form
        one group; if `labels` is not given either, all elements do.

    Returns
    -------
    cupric.ndarray
        Of no dimensions where `index` is a number or None, in the dtype of
        ``input.sum()``. Of the shape of `index` otherwise, in float64: 0 for a label
        without elements.

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
    x, labels = with_labels(input, labels)
    if labels is None:
        return x.sum()
    if index is None or np.isscalar(index):
        mask = group_mask(labels, index)
        if x.dtype.kind == "c":
            return x.sum(where=mask)
        return _group_sums(x, mask)[0].astype(_sum_dtype(x), copy=False)
    require_real(x, "the sum")
    slots = Slots(labels, index)
    found = slots.taken(_sums(x, slots)[0])
    return found if found.base is None else found.copy()  # its own: is replayed


def sum(input, labels=None, index=None):
    """Sum of the values of each label; an alias of `sum_labels`.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

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


@replayed
def mean(input, labels=None, index=None):
    """Mean of the values of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    cupric.ndarray
        Of no dimensions where `index` is a number or None, else of its shape; in
        float64 or complex128. NaN for a label without elements.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import mean
    >>> mean(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([0.5, 2. , nan])
    """
    x, labels = with_labels(input, labels)
    if labels is None:
        return x.sum() / np.float64(x.size)
    if index is None or np.isscalar(index):
        mask = group_mask(labels, index)
        if x.dtype.kind == "c":
            return x.sum(where=mask) / _core.count_nonzero(mask).astype(np.float64)
        return _group_mean(_group_sums(x, mask), x)
    require_real(x, "the mean")
    slots = Slots(labels, index)
    sums, numbers = _sums(x, slots)
    return slots.taken(sums) / slots.taken(numbers)


@replayed
def variance(input, labels=None, index=None):
    """Variance of the values of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    cupric.ndarray
        As in `mean`: the mean squared deviation from the mean, in two passes.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import variance
    >>> variance(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2, 3])
    array([0.25, 0.  ,  nan])
    """
    x, labels = with_labels(input, labels)
    if x.dtype.kind == "c" and (index is None or np.isscalar(index)):
        mask = True if labels is None else group_mask(labels, index)
        n = x.size if labels is None else _core.count_nonzero(mask)
        c = x - x.mean(where=mask)
        return (c * c.conj()).sum(where=mask) / _core.asarray(n).astype(np.float64)
    if labels is None:
        return x.var(dtype=np.float64)
    if index is None or np.isscalar(index):
        mask = group_mask(labels, index)
        mean = _group_mean(_group_sums(x, mask), x)
        squares, number = _group_sums(x, mask, mean)
        return squares / number
    require_real(x, "the variance")
    slots = Slots(labels, index)
    sums, numbers = _sums(x, slots)
    squares, _ = _sums(x, slots, sums / numbers)
    return slots.taken(squares) / slots.taken(numbers)


@replayed
def standard_deviation(input, labels=None, index=None):
    """Standard deviation of the values of each label.

    Parameters
    ----------
    input, labels, index
        As in `sum_labels`.

    Returns
    -------
    cupric.ndarray
        Square root of the `variance`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import standard_deviation
    >>> standard_deviation(cp.array([0, 1, 2, 3]), cp.array([1, 1, 2, 4]), index=[1, 2])
    array([0.5, 0. ])
    """
    return _core.sqrt(variance(input, labels, index))


# ---- center of mass ------------------------------------------------------------------

_MOMENTS = read_as("fd", **{"?": "f", "b": "f", "B": "f", "h": "f", "H": "f"}, i="d")


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
    "label_moments<X, L>",
    blocks="s.pieces",
    threads="SPAN_THREADS",
    ships="fi fl di dl dd",
    example=_example_masses,
)


@where_it_lives
def center_of_mass(input, labels=None, index=None):
    """Center of mass of the values of each label.

    Parameters
    ----------
    input : cupric.ndarray
        The masses.
    labels, index
        As in `sum_labels`.

    Returns
    -------
    tuple or list
        Where `index` is a number or None, a coordinate for each axis: arrays of no
        dimensions, in float64. Otherwise an array of coordinates for each label: NaN
        for a label without elements.

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
    x, labels = with_labels(input, labels)
    if labels is None or index is None or np.isscalar(index):
        if labels is not None:
            x = _core.where(group_mask(labels, index), x, x.dtype.type(0))
        wide = np.promote_types(x.dtype, np.float64)
        mass = x.sum(dtype=wide)
        found = []
        for axis, length in enumerate(x.shape):
            others = tuple(d for d in range(x.ndim) if d != axis)
            at = _core.arange(length, dtype=np.float64)
            found.append((x.sum(axis=others, dtype=wide) * at).sum() / mass)
        return tuple(found)
    require_real(x, "the center of mass")
    found = _centers(x, labels, index)
    return tuple(found) if found.ndim == 1 else list(found)


@replayed
def _centers(x, labels, index):
    """Centers of mass of several labels; the coordinates are the last axis."""
    slots = Slots(labels, index)
    x = values_as(
        x, _MOMENTS if slots.labels.dtype.kind != "f" else read_as("d", f="d")
    )
    sums = slots.full(0, np.float64, x.ndim + 1)
    if x.ndim and slots.n and x.size:
        n = x.shape[-1]
        m = _library.struct.moment_rows(rows=x.size // n, n=n, ndim=x.ndim)
        shape = _core.array(x.shape, dtype=np.int64)
        slots.launch(_label_moments, x, sums=sums, shape=shape, m=m)
    sums = slots.taken(slots.joined(sums, _core.sum))
    return sums[..., 1:] / sums[..., :1]
