"""Quantiles of slices: of sorted rows, of rows as they are by kernels for GPUs, and of
long vectors by a sample."""

import functools
import math
import warnings

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed
from cupric._lib.kernels._word import call_with_word
from cupric._manipulation._args import is_inexact, parameter_array

__all__ = [
    "DISCRETE",
    "METHODS",
    "MIDDLE",
    "axes_of",
    "length_of",
    "quantiles_of_slices",
    "warn_of_slices",
]

# Where Hyndman and Fan's continuous methods place a fraction: by alpha and beta.
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "linear": (1, 1),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
# Those that give an element as it is.
DISCRETE = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
METHODS = (*DISCRETE, *_CONTINUOUS, "averaged_inverted_cdf", "midpoint")


def _example(xp):
    rows = np.array([[1, 2, 2, 3], [0, 0, 0, 1]])
    results = []
    for dtype in "?bBhHiIlLefdFD":  # sorted, as not all kernels of sorts come compiled
        x = xp.asarray(rows.astype(dtype))
        results.append(_of_sorted(x, dtype if dtype in "efdFD" else "d", "median"))
        if dtype in "fd":
            results += [xp.nanmedian(x), xp.nanpercentile(x, [30, 60], axis=1)]
        if dtype in "efdil":
            both = np.array([0.3, 0.6])
            results.append(
                _of_sorted(x, "d" if dtype in "il" else dtype, "linear", both)
            )
            results.append(_of_sorted(x, dtype, "nearest"))
    return results


def _example_of_rows(compute, xp, n):
    """What finds quantiles of rows as they are."""
    table = np.arange(5 * n).reshape(5, n) * 11 % 31
    results = []
    for given, found in _SHORT:
        x = xp.asarray(table.astype(given))
        if given in "fd":
            x[:2, ::3] = np.nan
            x[1] = np.nan
        both = np.array([0.3, 0.6])
        for axis, q, by in ((0, both, "linear"), (1, MIDDLE, "median")):
            for skips_nans in (False, True):
                args = axis, q, by, np.dtype(found), False, skips_nans
                r, has_nan = call_with_word(compute, x, *args)
                results += [r, xp.asarray(np.array(has_nan))]
    return results


MIDDLE = np.array(0.5)  # the fraction of a median

# Fractions are rounded alike on every device: without fused operations.
_library = Library(__file__, options=("-fmad=false",))
_quantiles_of = _library.kernel(
    "quantiles<T, R>",
    elements=True,
    ships="ee ff dd FF DD fd ed ?d bd Bd hd Hd id Id ld Ld BB HH II LL",
    example=_example,
)
_SHORT = ("ff", "dd", "fd", "id", "ld")  # dtypes of elements and of quantiles
_of_short_rows = _library.kernel(
    "quantiles_of_short<T, R>",
    blocks="pieces",
    ships=" ".join(_SHORT),
    example=lambda xp: _example_of_rows(_of_short, xp, 37),
)
_rows_by_selection = _library.kernel(
    "quantiles_by_selection<T, R>",
    blocks=True,
    ships=" ".join(_SHORT),
    example=lambda xp: _example_of_rows(_of_rows, xp, 1100),
)
_ITEMS, _HELD, _THREADS = (
    getattr(_library.enum, name) for name in ("ITEMS", "HELD", "THREADS")
)
_FEW = 128  # blocks: fewer are made of smaller ones
_SMALL = 1 << 18  # elements: of more, columns are first made rows
# Elements of rows of which a block selects in less time than it takes to sort them.
_MEDIUM = range(256, _THREADS * _HELD + 1)


def axes_of(axis, ndim):
    if axis is None:
        return tuple(range(ndim))
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    return np.lib.array_utils.normalize_axis_tuple(axis, ndim)


# Places of a vector are selected rather than all of it sorted.
_MIDDLES = 16  # elements of a complex row whose middle is selected sooner
_LONG = 1 << 14  # elements of which that takes less time, of a median any number
_LONG_ON_GPU = {4: 1 << 24, 8: 1 << 22}  # by bytes of one: fewer are sorted sooner
_SAMPLE = 1 << 14  # elements that say near what an element is
_BETWEEN = ("median", "linear", "lower", "higher", "nearest", "midpoint")  # neighbours


def _is_selected(rows, fractions, method, skips_nans):
    """Whether places of a vector are selected."""
    kind, on_host = rows.dtype.kind, _library.on_host(rows)
    if rows.ndim != 1 or kind not in ("iufc" if on_host else "iuf"):
        return False
    if rows.itemsize < 4 or fractions.size > (2 if on_host else 1):
        return False
    if not on_host:
        least = _LONG_ON_GPU[rows.itemsize]
    else:
        least = 1 if method == "median" else _LONG
    if rows.size < least:
        return False
    if _core.get_current_stream().is_capturing():
        return False
    # NaNs stand behind all others, where the kernel looks for the first of them.
    return not (skips_nans and kind in "fc" and bool(_core.reductions.any_nan(rows)))


def _pair_by_sample(rows, place):
    """Elements of a long vector at a place in order and at the next, found among those
    that a sample says to be near; None if they are not there."""
    n = rows.size
    sample = _core.sort(rows[:: n // _SAMPLE | 1])
    reach = 2 * math.isqrt(sample.size)  # four times the standard deviation
    at = place * sample.size // n
    is_near, before = None, 0
    if at - reach > 0:
        is_near = rows >= sample[at - reach]
        before = n - int(_core.count_nonzero(is_near))
    if at + reach < sample.size:
        is_below = rows <= sample[at + reach]
        is_near = is_below if is_near is None else _core.logical_and(is_near, is_below)
    near = rows[is_near]
    if not before <= place < before + near.size - 1:
        return None
    return _pair(near, place - before)


def _pair(rows, place):
    """Elements of a vector, which it moves, at a place in order and at the next: the
    least of what is greater takes less work than a second partition. NaNs are last, and
    make the second one."""
    rows.partition(place)
    behind = rows[place + 1 :]
    return rows[place], behind.min() if behind.size else rows[place]


def _neighbours(rows, place):
    """The same of a vector that stays as it is."""
    if rows.size >= _LONG:
        most = rows.max()
        if bool(most != most):
            return most, most
        found = _pair_by_sample(rows, place)
        if found is not None:
            return found
    return _pair(rows.copy(order="C"), place)


def _middle(rows, dtype):
    """The median of a vector."""
    n = rows.size
    pair = _neighbours(rows, (n - 1) // 2)
    lower, upper = pair
    if n % 2 == 0 and rows.dtype.kind == "c":
        return _of_pair(pair, dtype, "median")
    if n % 2 == 0:
        both = _core.add(lower, upper, dtype=dtype)
        both *= 0.5
        return both
    is_nan = dtype == rows.dtype and bool(upper != upper)
    return (upper if is_nan else lower).astype(dtype)


def _of_pair(pair, dtype, method, fraction=MIDDLE):
    """The quantile of two elements in order."""
    rows = _core.empty(2, pair[0].dtype, device=pair[0].device)
    rows[0], rows[1] = pair
    return _of_sorted(rows, dtype, method, fraction)


def _between(rows, dtype, method, fractions):
    """The quantiles of a vector: each that of two neighbours."""
    n = rows.size
    out = _core.empty(fractions.shape, dtype, device=rows.device)
    for i, q in enumerate(fractions.ravel().tolist()):
        at = q * (n - 1)
        place = min(int(at), n - 1)
        rest = at - place
        if method == "nearest":  # the even one of two that are as near
            rest = round(at) - place
        pair = _neighbours(rows, place)
        out.ravel()[i] = _of_pair(pair, dtype, method, np.array(float(rest)))
    return out


def _select(rows, fractions):
    """Put a vector's elements at and beside some fractions where a sort would, and a
    NaN last, if there is one."""
    n, start = rows.size, 0
    for q in sorted(fractions.ravel().tolist()):
        place = int(q * (n - 1))  # of any method: it, its neighbours, or theirs
        low, high = max(place - 2, start), min(place + 3, n - 1)
        if high < start:
            continue
        part = rows[start:]
        first, last = low - start, high - start
        if 2 * last < part.size:  # the second time in what is the shorter part
            part.partition(last)
            part[: last + 1].partition(first)
        else:
            part.partition(first)
            part[first:].partition(last - first)
        part[first : last + 1].sort()
        start = high + 1
    may = start < n and rows.dtype.kind in "fc"
    if may and bool(_core.reductions.any_nan(rows[start:])):
        rows[-1:].fill(np.nan)


def length_of(a, axis):
    """Of a slice along axes."""
    if axis is None:
        return a.size
    return math.prod([a.shape[i] for i in axes_of(axis, a.ndim)])


def _joined(a, axis):
    """`a`, or a copy, with the reduced axes joined to one last axis, and the shape with
    1 in their place."""
    axes = axes_of(axis, a.ndim)
    if len(axes) == a.ndim:
        return a if a.ndim == 1 else a.reshape(-1), (1,) * a.ndim
    shape = tuple([1 if i in axes else n for i, n in enumerate(a.shape)])
    kept = [i for i in range(a.ndim) if i not in axes]
    n = math.prod([a.shape[i] for i in axes])
    joined = a.transpose(*kept, *axes).reshape([a.shape[i] for i in kept] + [n])
    return joined, shape


def _sorted(rows):
    """A copy in C order, sorted."""
    if rows.flags.c_contiguous:
        return _core.sort(rows, axis=-1)
    rows = rows.copy(order="C")
    rows.sort(axis=-1)
    return rows


@functools.lru_cache(maxsize=64)
def _rule(method, skips_nans, count, only):
    """What the kernels do with a row."""
    alpha, beta = _CONTINUOUS.get(method, (0, 0))
    alike = method in _CONTINUOUS and method != "linear"
    return _library.struct.quantile_rule(
        count=count,
        only=only,
        alpha=alpha,
        beta=beta,
        method=getattr(_library.enum, "CONTINUOUS" if alike else method.upper()),
        skips_nans=skips_nans,
    )


def _what(q, method, skips_nans):
    """The rule for some fractions, and these on the device: none where there is one,
    which is in the rule."""
    rule = _rule(method, bool(skips_nans), q.size, q.item(0))
    return rule, None if q.size == 1 else parameter_array(q)


def _of_sorted(rows, dtype, method, fractions=MIDDLE, skips_nans=False, word=0):
    """The quantiles of sorted rows, of one element at least, for each fraction, along
    the first axes, as `dtype`: an integer one is that of the rows. The word at an
    address is set where there is a NaN among them."""
    dtype = np.dtype(dtype)
    if dtype.char == "E":  # for which no kernel comes compiled
        wide = rows.astype(np.float32)
        r = _of_sorted(wide, np.float32, method, fractions, skips_nans, word)
        return r.astype(dtype)
    n, kept = rows.shape[-1], rows.shape[:-1]
    out = _core.empty(fractions.shape + kept, dtype, device=rows.device)
    if out.size == 0:
        return out
    result = out
    if dtype.kind in "biu":  # elements as they are: by their size
        unsigned = f"u{dtype.itemsize}"
        rows, result = rows.view(unsigned), out.view(unsigned)
    elif dtype != rows.dtype and (dtype != np.float64 or rows.dtype.char == "E"):
        rows = rows.astype(dtype)
    by, p = _what(fractions, method, skips_nans)
    _quantiles_of[rows.dtype, result.dtype](
        sorted=rows,
        out=result,
        fractions=p,
        rows=math.prod(kept),
        n=n,
        by=by,
        word=word,
        work=out.size,
    )
    return out


def _takes_short(a, n, dtype):
    """Whether `_of_short` is for slices of n elements of what lies on a GPU."""
    return (
        0 < a.size <= _SMALL
        and n <= _ITEMS * _THREADS
        and a.dtype.char + dtype.char in _SHORT
    )


@replayed
def _of_short(a, axis, q, method, dtype, keepdims, skips_nans, word):
    """What `_of_sorted` finds for slices of `a`, in one launch."""
    rows, shape = _joined(a, axis)
    shape = shape if keepdims else rows.shape[:-1]
    out = _core.empty(q.shape + shape, dtype, device=a.device)
    if out.size == 0:
        return out
    table = rows.reshape(-1, rows.shape[-1])
    number, n = table.shape
    group = min(1 << (-(-n // _ITEMS) - 1).bit_length(), _THREADS)
    threads = _THREADS
    while threads > max(group, 32) and number * group < _FEW * threads:
        threads //= 2
    pieces = -(-number // (threads // group))
    by, p = _what(q, method, skips_nans)
    _of_short_rows[a.dtype, out.dtype](
        x=table,
        out=out,
        fractions=p,
        by=by,
        group=group,
        pieces=pieces,
        word=word,
        threads=threads,
    )
    return out


def _takes_rows(a, n, dtype):
    """Whether `_of_rows` is for slices of n elements of what lies on a GPU."""
    return a.size > 0 and n in _MEDIUM and a.dtype.char + dtype.char in _SHORT


def _of_rows(a, axis, q, method, dtype, keepdims, skips_nans, word):
    """The same by selection, a block for each slice."""
    rows, shape = _joined(a, axis)
    n = rows.shape[-1]
    table = rows.reshape(-1, n)
    if n > 1 and table.strides[1] != table.itemsize:
        table = table.copy(order="C")  # whose elements are read side by side
    out = _core.empty(q.shape + rows.shape[:-1], dtype, device=a.device)
    if out.size:
        by, p = _what(q, method, skips_nans)
        _rows_by_selection[a.dtype, out.dtype](
            x=table,
            out=out,
            fractions=p,
            by=by,
            word=word,
            work=len(table),
            threads=-(-n // (32 * _HELD)) * 32,
        )
    return out.reshape(q.shape + shape) if keepdims else out


def _middles(rows):
    """Of rows without NaNs the middle elements in order, one or two."""
    n = rows.shape[-1]
    at = n // 2
    rows = rows.copy(order="C")
    rows.partition(at, axis=-1)
    if n % 2:
        return rows[..., at : at + 1].copy()
    pair = rows[..., at - 1 : at + 1].copy()
    _core.max(rows[..., :at], axis=-1, out=pair[..., 0])
    return pair


def _has_middles_sooner(rows, method, skips_nans):
    """Whether `_middles` of them takes less time than a sort, on the host: no vector
    instruction sorts complex numbers."""
    if method != "median" or skips_nans or rows.dtype.kind != "c":
        return False
    if rows.size == 0 or rows.shape[-1] < _MIDDLES or not _library.on_host(rows):
        return False
    return not bool(_core.reductions.any_nan(rows))


def _by_sort(a, axis, q, method, dtype, keepdims, skips_nans, word):
    """The same of any slices."""
    rows, shape = _joined(a, axis)
    if rows.ndim > 1 and _has_middles_sooner(rows, method, skips_nans):
        r = _of_sorted(_middles(rows), dtype, method, q, skips_nans, word)
    elif not _is_selected(rows, q, method, skips_nans):
        r = _of_sorted(_sorted(rows), dtype, method, q, skips_nans, word)
    elif method not in _BETWEEN:
        rows = rows.copy(order="C")
        _select(rows, q)
        r = _of_sorted(rows, dtype, method, q, skips_nans, word)
    elif method == "median":
        r = _middle(rows, dtype)
    else:
        r = _between(rows, dtype, method, q)
    return r.reshape(q.shape + shape) if keepdims else r


def quantiles_of_slices(
    a, axis, n, q, method, dtype, keepdims, skips_nans=False, below=2
):
    """The quantiles of slices of n elements, not 0, new; warns of NaNs where those
    among the elements are skipped: of slices of NaNs alone. So many calls `below` who
    calls the public function."""
    dtype, keepdims, compute = np.dtype(dtype), bool(keepdims), _by_sort
    if not _library.on_host(a):
        if _takes_short(a, n, dtype):
            compute = _of_short
        elif _takes_rows(a, n, dtype):
            compute = _of_rows
    if not (skips_nans and is_inexact(dtype)):
        with a.device:
            return compute(a, axis, q, method, dtype, keepdims, False, 0)
    r, has_nan = call_with_word(compute, a, axis, q, method, dtype, keepdims, True)
    if has_nan:
        warn_of_slices(below)
    return r


def warn_of_slices(below):
    warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=below + 2)
