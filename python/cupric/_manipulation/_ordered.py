"""Kernels over sorted vectors, for what takes arrays as sets."""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = [
    "FEW",
    "begins_value",
    "bounds_in_table",
    "common_dtype",
    "evenly_spaced",
    "is_among",
    "is_in_table",
    "is_one_of",
]


def _example(xp):
    results = []
    for dtype in "bBhHiIlLefdFD":  # sorted, as not all kernels of sorts come compiled
        x, y = (xp.asarray(np.array(v, dtype)) for v in ([0, 1, 1, 3, 3], [1, 3, 5]))
        results += [begins_value(x, True), is_among(x, y), is_among(x, y, True, True)]
        if dtype in "bBhHiIlL":
            flags = _core.zeros(5, bool)
            _flag(y, flags)
            results.append(flags)
            results.append(is_in_table(x, y, 1, 5, True))
    for x, t in _COMPARED.split():
        results.append(is_among(xp.arange(9).astype(x), xp.arange(1, 5).astype(t)))
    return results


_library = Library(__file__)
_begins_value = _library.kernel(
    "begins_value<T>", elements="n", ships="B H I L e f d F D", example=_example
)
_COMPARED = "bb BB hh HH ii II ll LL ee ff dd FF DD Bl il id ld fd"
_is_among = _library.kernel(
    "is_among<X, T>", elements="n", ships=_COMPARED, example=_example
)
_flag_values = _library.kernel(
    "flag_values<T>", elements="length", ships="b B h H i I l L", example=_example
)
_is_one_of = _library.kernel(
    "is_one_of<X, T>",
    elements="n",
    ships=_COMPARED,
    example=lambda xp: [
        is_one_of(xp.arange(9).astype(x)[::-2], xp.arange(5).astype(t)[1:4:2], n > 5)
        for n, (x, t) in enumerate(_COMPARED.split())
    ],
)
_mark_values = _library.kernel(
    "mark_values<T>", elements="length", ships="b B h H i I l L", example=_example
)
_is_marked = _library.kernel(
    "is_marked<X>", elements="n", ships="b B h H i I l L", example=_example
)
_INVERTED, _ONLY_FIRST = _library.enum.INVERTED, _library.enum.ONLY_FIRST
FEW = 32  # values, that each element is compared with
_WORTH_A_TABLE = 1 << 11  # elements in all, below which launches are what takes time
_RANGE = 6  # values between the least and the largest, for each element
MANY = 1 << 14  # elements, among which flags of all values pay


def begins_value(x, equal_nan):
    """Where a sorted vector in C order begins another value; of NaNs each one does,
    unless they are equal. None for dtypes that there is no kernel for."""
    if x.dtype.kind not in "biufc":
        return None
    out = _core.empty(x.shape, bool, device=x.device)
    if x.size:
        if x.dtype == bool:
            x = _zeros_and_ones(x)
        elif x.dtype.kind == "i":  # these are equal if their bits are
            x = x.view(f"u{x.dtype.itemsize}")
        with x.device:
            _begins_value[x.dtype](x=x, out=out, n=x.size, equal_nan=bool(equal_nan))
    return out


def _zeros_and_ones(x):
    """Bools as bytes that are equal where they are: any byte but 0 is true."""
    return _core.not_equal(x.view(np.uint8), 0).view(np.uint8)


def common_dtype(a, b):
    """The dtype in which elements of two arrays are compared, by kernels. None where
    they have none, or where integers would lose digits."""
    if a.dtype == b.dtype:
        return a.dtype if a.dtype.kind in "biufc" else None
    if a.dtype.kind not in "biufc" or b.dtype.kind not in "biufc":
        return None
    dtype = _core.result_type(a.dtype, b.dtype)
    exact = dtype.kind in "biu" or a.dtype.kind in "fc" or b.dtype.kind in "fc"
    return dtype if exact else None


def is_among(x, among, inverted=False, only_first=False):
    """Which elements are in a sorted vector, in whose dtype they are compared, or are
    not. With `only_first`, `x` is a sorted vector, and of equal elements the first one
    answers: the others are false."""
    out = _core.empty(x.shape, bool, device=x.device)
    if x.size:
        with x.device:
            x = _as_compared(x, among)
            x, among = _core._contiguous(x), _core._contiguous(among)
            if x.dtype == bool:
                x, among = _zeros_and_ones(x), _zeros_and_ones(among)
            flags = _flags_of(among, x.size)
            options = _INVERTED if inverted else 0
            _is_among[x.dtype, among.dtype](
                x=x,
                among=among,
                flags=flags,
                out=out,
                n=x.size,
                length=among.size,
                capacity=flags.size,
                options=options | _ONLY_FIRST if only_first else options,
            )
    return out


def _flags_of(among, n):
    """Flags of the values of a sorted vector, if n elements are looked for: as many as
    there are elements in all, for a device to use if the values are that close. None of
    few elements, and of floats."""
    many = among.dtype.kind in "iu" and min(n, among.size) >= MANY
    flags = _core.zeros(n + among.size if many else 0, bool)
    if many:
        _flag(among, flags)
    return flags


def _flag(among, flags):
    _flag_values[among.dtype](
        among=among, flags=flags, length=among.size, capacity=flags.size
    )


@replayed
def is_one_of(x, values, inverted=False):
    """Which elements are among a few values in any order, but no bools, in whose dtype
    they are compared, or are not."""
    out = _core.empty(x.shape, bool)
    if x.size:
        x, x_step = evenly_spaced(_as_compared(x, values))
        values, step = evenly_spaced(values)
        _is_one_of[x.dtype, values.dtype](
            x=x,
            values=values,
            out=out,
            n=x.size,
            length=values.size,
            x_step=x_step,
            step=step,
            inverted=bool(inverted),
        )
    return out


def is_in_table(x, values, first, last, inverted=False):
    """Which elements are among some values in any order, or are not, by a table of all
    numbers between `first`, the least value, and `last`. All are integers, or bools."""
    out = _core.empty(x.shape, bool, device=x.device)
    if x.size:
        with x.device:
            table = _core.zeros(last - first + 1, bool)
            x, x_step = evenly_spaced(_zeros_and_ones(x) if x.dtype == bool else x)
            if values.dtype == bool:
                values = _zeros_and_ones(values)
            values, step = evenly_spaced(values)
            first = int(np.array(first % 2**64, np.uint64).view(np.int64))
            _mark_values[values.dtype](
                values=values, flags=table, length=values.size, step=step, first=first
            )
            _is_marked[x.dtype](
                x=x,
                flags=table,
                out=out,
                n=x.size,
                x_step=x_step,
                first=first,
                range=table.size,
                inverted=bool(inverted),
            )
    return out


def bounds_in_table(x, values, always):
    """The least and the largest of some values, where a table of all between takes less
    time than to sort them, or is wanted in any case; else None. Waits for a device."""
    n = x.size + values.size
    if not always and (
        n < _WORTH_A_TABLE
        or not _library.on_host(x)
        or _core.get_current_stream().is_capturing()
    ):
        return None
    first, last = int(values.min()), int(values.max())
    if last - first >= 2**63:
        return None
    return (first, last) if always or last - first < _RANGE * n else None


def _as_compared(x, values):
    """Elements as kernels compare them with values: converted, if they do not do it."""
    return (
        x
        if x.dtype.char + values.dtype.char in _COMPARED
        else x.astype(values.dtype, copy=False)
    )


def evenly_spaced(x):
    """A vector as it lies, or an array in C order, and how many elements its elements
    are apart."""
    if x.ndim == 1 and x.strides[0] % x.itemsize == 0:
        return x, x.strides[0] // x.itemsize
    return _core._contiguous(x), 1
