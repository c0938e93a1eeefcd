"""Numbers of combinatorics: binomial coefficients, factorials, Stirling's numbers."""

import functools
import math
import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments

__all__ = [
    "comb",
    "factorial",
    "factorial2",
    "factorialk",
    "perm",
    "stirling2",
]

_BEYOND = 2**63  # int64; of numbers above it no more is known there
LARGEST = 4000  # of stirling2: its table has that many rows and columns


def _whole(value, name):
    """A Python integer; a whole float too."""
    try:
        return operator.index(value)
    except TypeError:
        pass
    if isinstance(value, _core.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise ValueError(f"exact=True needs an integer for {name}, not {value!r}")


def _inexact(x):
    x = arguments.array(x)
    return x if x.dtype.kind in "fV" else x.astype("d")


def comb(N, k, *, exact=False, repetition=False):
    """Number of ways to choose `k` of `N` things.

    Parameters
    ----------
    N, k : int or cupric.ndarray
    exact : bool, optional
        Whether the result is a Python integer, of numbers only. Else it is an array of
        floats.
    repetition : bool, optional
        Whether a thing can be chosen more than once.

    Returns
    -------
    int or cupric.ndarray
        0 where `k` exceeds `N` or one of them is negative.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import comb
    >>> comb(cp.array([10, 20]), 3)
    array([ 120., 1140.])
    >>> comb(100, 50, exact=True)
    100891344545564193334812497256
    """
    if exact:
        n, k = _whole(N, "N"), _whole(k, "k")
        if repetition:
            if n == 0 and k == 0:
                return 1
            n = n + k - 1
        return math.comb(n, k) if n >= 0 and k >= 0 else 0
    n, k = _inexact(N), _inexact(k)
    if repetition:
        n, least = n + k - 1, n
        return _core.where((k >= 0) & (least >= 0), _core.special.binom(n, k), 0.0)
    return _core.where((k <= n) & (n >= 0) & (k >= 0), _core.special.binom(n, k), 0.0)


def perm(N, k, exact=False):
    """Number of ways to arrange `k` of `N` things in order.

    Parameters
    ----------
    N, k : int or cupric.ndarray
    exact : bool, optional
        Whether the result is a Python integer, of numbers only. Else it is an array of
        floats.

    Returns
    -------
    int or cupric.ndarray
        0 where `k` exceeds `N` or one of them is negative.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import perm
    >>> perm(cp.array([5, 10]), 2)
    array([20., 90.])
    >>> perm(30, 20, exact=True)
    73096577329197271449600000
    """
    if exact:
        n, k = _whole(N, "N"), _whole(k, "k")
        return math.perm(n, k) if n >= 0 and k >= 0 else 0
    n, k = _inexact(N), _inexact(k)
    special = _core.special
    count = special.binom(n, k) * special.gamma(k + 1)
    return _core.where((k <= n) & (n >= 0) & (k >= 0), count, 0.0)


# ---- factorials ----------------------------------------------------------------------


def _multifactorial(n, k):
    """Of a Python integer."""
    if n < 0:
        return 0
    return math.factorial(n) if k == 1 else math.prod(range(n, 0, -k))


@functools.lru_cache(maxsize=32)
def _all_that_fit(k, largest):
    """The multifactorials up to `largest`, from that of 0 on."""
    values = []
    for n in range(4096):
        value = n * values[n - k] if n >= k else max(n, 1)
        if value > largest:
            break
        values.append(value)
    return tuple(values)


def _check_extend(extend, exact):
    if extend not in ("zero", "complex"):
        raise ValueError(f"extend must be 'zero' or 'complex', not {extend!r}")
    if extend == "complex" and exact:
        raise ValueError("exact=True and extend='complex' exclude each other")


def _exact(n, k, name):
    """Of an integer, or an array of them, as int64."""
    if not isinstance(n, (_core.ndarray, list, tuple)):
        try:
            return _multifactorial(operator.index(n), k)
        except TypeError:
            raise ValueError(
                f"{name} with exact=True needs integers, not {type(n).__name__}"
            ) from None
    n = arguments.array(n)
    if n.dtype.kind not in "iu" and n.size:
        raise ValueError(f"{name} with exact=True needs integers, not {n.dtype}")
    table = _all_that_fit(k, np.iinfo("l").max)
    n = n.astype("l")
    if n.size and int(n.max()) >= len(table):
        raise OverflowError(
            f"{name} of {int(n.max())} exceeds int64, the largest integers of a "
            "device; give numbers one by one, or exact=False"
        )
    return _core.where(n >= 0, _core.asarray(table)[_core.maximum(n, 0)], 0)


def _of_table(n, k):
    """Of an array of integers, as float64; infinite past the last that fits."""
    table = np.array([*map(float, _all_that_fit(k, int(np.finfo("d").max))), np.inf])
    at = _core.clip(n, 0, len(table) - 1).astype("l")
    return _core.where(n >= 0, _core.asarray(table)[at], 0.0)


def _refuse(dtype, name, extend):
    if dtype.kind == "c" and extend == "complex":
        return
    if dtype.kind not in "iufV":
        raise ValueError(f"{name} takes integers and floats, not {dtype}")


def factorial(n, exact=False, extend="zero"):
    """Factorial.

    Parameters
    ----------
    n : int, float or cupric.ndarray
    exact : bool, optional
        Whether the result is exact: a Python integer of an integer, int64 of an array.
    extend : {'zero', 'complex'}, optional
        What it is of negative numbers: 0, or by the gamma function, as of complex
        ones.

    Returns
    -------
    int or cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import factorial
    >>> factorial(cp.array([3, 4, 5]), exact=True)
    array([  6,  24, 120])
    >>> factorial(cp.array([0.5, 5., 170.]))
    array([8.86226925e-001, 1.20000000e+002, 7.25741562e+306])
    """
    _check_extend(extend, exact)
    if exact:
        return _exact(n, 1, "factorial")
    n = arguments.array(n)
    _refuse(n.dtype, "factorial", extend)
    if n.dtype.kind in "iu" and extend == "zero":
        return _of_table(n, 1)
    result = _core.special.gamma(n + 1)
    return (
        result
        if extend == "complex"
        else _core.where(n < 0, result.dtype.type(0), result)
    )


def factorial2(n, exact=False, extend="zero"):
    """Double factorial, the product of every second integer down from `n`.

    Parameters
    ----------
    n : int or cupric.ndarray
        Of integers; with ``extend='complex'`` of any numbers.
    exact : bool, optional
        Whether the result is exact: a Python integer of an integer, int64 of an array.
    extend : {'zero', 'complex'}, optional
        What it is of negative numbers: 0, or by the gamma function, as of those that
        are not whole.

    Returns
    -------
    int or cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import factorial2
    >>> factorial2(cp.array([6, 7]))
    array([ 48., 105.])
    """
    return _factorialk(n, 2, exact, extend, "factorial2")


def factorialk(n, k, exact=False, extend="zero"):
    """Multifactorial, the product of every `k`-th integer down from `n`.

    Parameters
    ----------
    n : int or cupric.ndarray
        Of integers; with ``extend='complex'`` of any numbers.
    k : int
        At least 1.
    exact : bool, optional
        Whether the result is exact: a Python integer of an integer, int64 of an array.
    extend : {'zero', 'complex'}, optional
        What it is of negative numbers: 0, or by the gamma function, as of those that
        are not whole.

    Returns
    -------
    int or cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import factorialk
    >>> factorialk(cp.array([7, 8]), 3)
    array([28., 80.])
    """
    return _factorialk(n, k, exact, extend, "factorialk")


def _factorialk(n, k, exact, extend, name):
    _check_extend(extend, exact)
    if extend == "zero" and (k != int(k) or k < 1):
        raise ValueError(f"{name}: k must be a positive integer, not {k!r}")
    if exact:
        return _exact(n, int(k), name)
    n = arguments.array(n)
    if extend == "zero":
        if n.dtype.kind not in "iu" and n.size:
            raise ValueError(
                f"{name} takes integers, not {n.dtype}; other numbers with "
                "extend='complex', by which those of negative numbers are not 0"
            )
        return _of_table(n, int(k))
    _refuse(n.dtype, name, extend)
    n = n if n.dtype.kind in "fcV" else n.astype("d")
    return k ** ((n - 1) / k) * _core.special.gamma(n / k + 1) / math.gamma(1 / k + 1)


# ---- Stirling's numbers --------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def _stirling_rows(last):
    """Numbers of the second kind, S(n, k) in row n, as Python integers."""
    rows = [[1]]
    for n in range(1, last + 1):
        above = rows[-1]
        rows.append([0] + [k * above[k] + above[k - 1] for k in range(1, n)] + [1])
    return rows


@functools.lru_cache(maxsize=8)
def _stirling_table(last):
    """As float64, with a column more, of zeros; beyond 200 by the sums as they are."""
    table = np.zeros((last + 1, last + 2), float)
    for n, row in enumerate(_stirling_rows(min(last, 200))):
        table[n, : n + 1] = row
    k = np.arange(last + 2.0)
    with np.errstate(over="ignore"):
        for n in range(201, last + 1):
            table[n, 1:] = k[1:] * table[n - 1, 1:] + table[n - 1, :-1]
    return table


def _stirling_number(n, k):
    """S(n, k) by itself: a sum over subsets, without the numbers before it."""
    signed = ((-1) ** (k - i) * math.comb(k, i) * i**n for i in range(k + 1))
    return sum(signed) // math.factorial(k)


def stirling2(N, K, *, exact=False):
    """Stirling numbers of the second kind: ways to part `N` things into `K` sets.

    Parameters
    ----------
    N, K : int or cupric.ndarray of integers
        `N` up to 4000, but where a Python integer is the result.
    exact : bool, optional
        Whether the result is exact: a Python integer of integers, int64 of arrays.

    Returns
    -------
    int or cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import stirling2
    >>> stirling2(cp.array([3, 4, 5]), 2)
    array([ 3.,  7., 15.])
    >>> stirling2(30, 10, exact=True)
    173373343599189364594756
    """
    numbers = not any(isinstance(x, (_core.ndarray, list, tuple)) for x in (N, K))
    if exact and numbers:
        n, k = _whole(N, "N"), _whole(K, "K")
        return _stirling_number(n, k) if 0 <= k <= n else 0
    n, k = arguments.array(N), arguments.array(K)
    for x, name in ((n, "N"), (k, "K")):
        if x.dtype.kind not in "iu":
            raise TypeError(f"{name} must be of integers, not {x.dtype}")
    last = max(int(n.max()) if n.size else 0, 0)
    if last > LARGEST:
        raise ValueError(f"stirling2 of {last} things: at most {LARGEST}")
    inside = (n >= 0) & (k >= 0) & (k <= n)
    i, j = _core.where(inside, n, 0).astype("l"), _core.where(inside, k, 0).astype("l")
    if exact:
        return _exact_stirling(i, j, inside, last)
    return _core.where(inside, _core.asarray(_stirling_table(last))[i, j], 0.0)


def _exact_stirling(i, j, inside, last):
    table = np.zeros((last + 1, last + 1), "l")
    above = [1]
    for n in range(last + 1):
        table[n, : n + 1] = [v if v < _BEYOND else -1 for v in above]
        sums = (k * above[k] + above[k - 1] for k in range(1, n + 1))
        above = [0, *(min(v, _BEYOND) for v in sums), 1]
    result = _core.asarray(table)[i, j]
    if bool((result < 0).any()):
        raise OverflowError(
            "a Stirling number exceeds int64, the largest integers of a device; give "
            "numbers one by one, or exact=False"
        )
    return _core.where(inside, result, 0)
