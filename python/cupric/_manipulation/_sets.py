"""Arrays as sets of their elements. What depends on the values waits for the device."""

from cupric import _core
from cupric._manipulation._args import (
    flattened,
    parameter_array,
    require_one_device,
    where_it_lives,
)
from cupric._manipulation._edit import unique
from cupric._manipulation._join import concatenate
from cupric._manipulation._ordered import (
    FEW,
    bounds_in_table,
    common_dtype,
    is_among,
    is_in_table,
    is_one_of,
)

__all__ = ["intersect1d", "isin", "setdiff1d", "setxor1d", "union1d"]


@where_it_lives
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Whether each element of an array is in another.

    Parameters
    ----------
    element : cupric.ndarray
    test_elements : cupric.ndarray
    assume_unique : bool, optional
        Accepted; the way taken is the same.
    invert : bool, optional
        Which are not.
    kind : {None, 'sort', 'table'}, optional
        How integers are looked for: among sorted ones, or in a table of all values from
        the least to the largest. None: whichever takes less.

    Returns
    -------
    cupric.ndarray of bool
        Of the shape of `element`.

    Examples
    --------
    >>> cp.isin(cp.array([0, 1, 5]), cp.array([5, 0]))
    array([ True, False,  True])
    """
    element, among = parameter_array(element), flattened(parameter_array(test_elements))
    dtype = common_dtype(element, among)
    if kind not in (None, "sort"):
        _check_kind(kind, element, among)
    if dtype is not None:
        require_one_device(element, among)
        if dtype.kind in "biu" and among.size and kind != "sort":
            bounds = _bounds(element, among, kind)
            if bounds is not None:
                return is_in_table(element, among, *bounds, invert)
        if among.size <= FEW and dtype.kind != "b":
            return is_one_of(element, among.astype(dtype, copy=False), invert)
        among = _core.sort(among.astype(dtype, copy=False))
        return is_among(element, among, invert)
    compare = _core.not_equal if invert else _core.equal
    if among.size == 0:
        return compare(_core.zeros(element.shape), 1)
    among = _core.sort(among)
    place = _core.searchsorted(among, element)
    return compare(among[_core.minimum(place, among.size - 1)], element)


def _check_kind(kind, element, among):
    if kind != "table":
        raise ValueError(f"Invalid kind: {kind!r}. Please use None, 'sort' or 'table'.")
    if element.dtype.kind not in "biu" or among.dtype.kind not in "biu":
        raise ValueError(
            "The 'table' method is only supported for boolean or integer arrays. "
            "Please select 'sort' or None for kind."
        )


def _bounds(element, among, kind):
    if kind is None and among.size <= FEW:
        return None
    bounds = bounds_in_table(element, among, kind == "table")
    if bounds is None and kind == "table":
        raise RuntimeError(
            "You have specified kind='table', but the values of `test_elements` are "
            "further apart than a table can be long. Please set `kind` to None or "
            "'sort'."
        )
    return bounds


@where_it_lives
def union1d(arr1, arr2):
    """Union of two arrays: sorted unique elements of either.

    Parameters
    ----------
    arr1, arr2 : array_like
        The arrays.

    Returns
    -------
    cupric.ndarray
        A vector.

    Examples
    --------
    >>> cp.union1d(cp.array([3, 1]), cp.array([1, 2]))
    array([1, 2, 3])
    """
    return unique(concatenate((arr1, arr2), axis=None))


@where_it_lives
def intersect1d(arr1, arr2, assume_unique=False, return_indices=False):
    """Intersection of two arrays: sorted unique elements of both.

    Parameters
    ----------
    arr1, arr2 : cupric.ndarray
    assume_unique : bool, optional
        Whether no array has an element twice.
    return_indices : bool, optional
        Also return where each was first found in the flat arrays.

    Returns
    -------
    cupric.ndarray, or a tuple of three
        With the places in both arrays if `return_indices` is true.

    Examples
    --------
    >>> cp.intersect1d(cp.array([3, 1, 2]), cp.array([2, 3, 4]))
    array([2, 3])
    """
    arrays = [flattened(parameter_array(a)) for a in (arr1, arr2)]
    if not (assume_unique or return_indices):
        common = _values(*arrays, False)
        if common is not None:
            return common
    sets, found = [], []
    for a in arrays:
        if assume_unique:
            sets.append(a)
        else:
            values, first = unique(a, return_index=True)
            sets.append(values)
            found.append(first)
    both = concatenate(sets)
    order = both.argsort(kind="stable")
    both = both[order]
    twice = (both[1:] == both[:-1]).nonzero()[0]
    common = both[twice]
    if not return_indices:
        return common
    at = order[twice], order[twice + 1] - sets[0].size
    if not assume_unique:
        at = tuple(first[i] for first, i in zip(found, at, strict=True))
    return (common, *at)


def _values(a, b, inverted):
    """The sorted unique elements of a vector that are in another as well, or are not,
    in the dtype of both, or of `a`. None where there is no kernel."""
    dtype = common_dtype(a, b)
    if dtype is None or (inverted and dtype != a.dtype):
        return None
    require_one_device(a, b)
    a, b = (_core.sort(x.astype(dtype, copy=False)) for x in (a, b))
    return a[is_among(a, b, inverted, only_first=True)]


@where_it_lives
def setdiff1d(ar1, ar2, assume_unique=False):
    """Set difference: the sorted unique elements of one array that are not in another.

    Parameters
    ----------
    ar1, ar2 : cupric.ndarray
    assume_unique : bool, optional
        Whether no array has an element twice; the order stays.

    Returns
    -------
    cupric.ndarray
        A vector.

    Examples
    --------
    >>> cp.setdiff1d(cp.array([3, 1, 2]), cp.array([2]))
    array([1, 3])
    """
    ar1 = flattened(parameter_array(ar1))
    if not assume_unique:
        others = _values(ar1, flattened(parameter_array(ar2)), True)
        if others is not None:
            return others
        ar1 = unique(ar1)
    return ar1[isin(ar1, ar2, invert=True)]


@where_it_lives
def setxor1d(ar1, ar2, assume_unique=False):
    """Symmetric difference: the sorted unique elements of exactly one of two arrays.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays.
    assume_unique : bool, optional
        Whether the elements of each are known to differ.

    Returns
    -------
    cupric.ndarray
        A vector.

    Examples
    --------
    >>> cp.setxor1d(cp.array([1, 2]), cp.array([2, 3]))
    array([1, 3])
    """
    if not assume_unique:
        ar1, ar2 = unique(ar1), unique(ar2)
    both = _core.sort(concatenate((ar1, ar2), axis=None))
    if both.size == 0:
        return both
    edge = _core.array([True])
    differs = concatenate((edge, both[1:] != both[:-1], edge))
    return both[differs[1:] & differs[:-1]]
