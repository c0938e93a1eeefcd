"""How wide the bins of a histogram are, by the rules that have names.

Each gives a width for `n` numbers, in an array `x` of one axis or more, that span
`spread`. What they need of the numbers is a few reductions, which are read by the host.
"""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._statistics._order import percentile

__all__ = [
    "RULES",
]

MOST_TRIED = 100  # by `stone`, or the root of the number of values


def _square_root(x, n, spread, count):
    return spread / np.sqrt(n)


def _sturges(x, n, spread, count):
    """Of normal distributions: as many bins as a binomial one of n has."""
    return spread / (np.log2(n) + 1)


def _rice(x, n, spread, count):
    return spread / (2 * n ** (1 / 3))


def _scott(x, n, spread, count):
    """The least expected square error for normal distributions."""
    return (24 * math.sqrt(math.pi) / n) ** (1 / 3) * _core.std(x).get()[()]


def _freedman_diaconis(x, n, spread, count):
    """Scott's with the quartiles, which outliers do not move."""
    low, high = percentile(x, (25, 75)).get()
    return 2 * (high - low) * n ** (-1 / 3)


def _doane(x, n, spread, count):
    """Sturges's for distributions that are skewed."""
    if n <= 2:
        return 0
    deviation = _core.std(x)
    if not deviation.item() > 0:
        return 0
    apart = (x - _core.mean(x)) / deviation
    skewness = abs(_core.mean(apart * apart * apart).get()[()])
    scale = np.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    return spread / (1 + np.log2(n) + np.log2(1 + skewness / scale))


def _stone(x, n, spread, count):
    """The number of bins of the least square error, by cross-validation."""
    if n <= 1 or spread == 0:
        return 0
    most = max(MOST_TRIED, math.isqrt(n))
    tried = np.arange(1, most + 1)
    squares = _core.empty(most)
    for bins in tried:
        share = count(int(bins)) / n
        squares[bins - 1] = _core.sum(share * share)
    best = tried[np.argmin((2 - (n + 1) * squares.get()) * tried)]
    if best == most:
        warnings.warn(
            "The number of bins estimated may be suboptimal.",
            RuntimeWarning,
            stacklevel=5,
        )
    return spread / best


def _auto(x, n, spread, count):
    """Freedman's and Diaconis's, of many values, else Sturges's: the more bins, but not
    more than twice the root of n."""
    narrow = max(_freedman_diaconis(x, n, spread, count), spread / np.sqrt(n) / 2)
    return min(narrow, _sturges(x, n, spread, count))


RULES = {
    "auto": _auto,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _square_root,
    "stone": _stone,
    "sturges": _sturges,
}
