"""Points and exact values of the family beta."""

import mpmath as mp
import numpy as np

from . import Exact, log_spaced, single, spaced
from ._beta import ibeta, ibeta_root

PARAMETERS = sorted(
    {*log_spaced(-6, 5, 23), *single([0.5, 1, 1.5, 2, 3.5, 5, 7.5, 10, 25, 60, 300])}
)
FEW = sorted({*log_spaced(-1, 3, 9), *single([0.5, 1, 2, 3.5, 7.5, 25])})
FEWER = single([0.0625, 0.5, 2, 7.5, 1000])
LEVELS = [1e-100, *single([1e-4, 0.3, 0.5625]), 1 - 2.0**-16]
FRACTIONS = sorted(
    {*log_spaced(-8, -1, 8), *spaced(0.0625, 0.9375, 15), 1e-100}
    | {1 - 2.0**-p for p in (5, 9, 16, 23)}
)
SIGNED = sorted([*PARAMETERS, *spaced(-30.3, 20.7, 60), *log_spaced(5, 10, 6)])
COUNTS = [float(n) for n in (0, 1, 2, 5, 10, 20, 45, 100, 300)]
TOTALS = [float(n) for n in (301, 350, 500, 1000, 3000, 10000)]
NUMBERS = [*range(12), 17, 25, 40, 100, 333]
# near the mean of large parameters, and far in the tails
LARGE = [
    (a, b, a / (a + b) * (1 + z / a**0.5))
    for a, b in ((1e3, 2e3), (3e4, 5e3), (2e5, 2e5), (50.0, 1e5), (25.0, 30.0))
    for z in (-4, -1, 0, 0.5, 3)
]
SMALL = [(1e-10, 2.0, 0.25), (2.0, 1e-10, 0.25), (1e-10, 1e-9, 0.5), (1e-3, 1e5, 1e-5)]


def beta(a, b):
    return mp.gammaprod([a, b], [a + b])


def whole(k, n, p, upper):
    """Of the binomial distribution."""
    if k == n:
        return mp.mpf(not upper)
    return ibeta(k + 1, n - k, p, upper=not upper) if 0 < p < 1 else mp.mpf(p == upper)


def counts(k, n):
    """Of the negative binomial distribution, whose fractions are left away."""
    if n < 1 or k < 0:
        raise ValueError
    return mp.floor(k), mp.floor(n)


def negative(k, n, p, upper):
    k, n = counts(k, n)
    return ibeta(n, k + 1, p, upper=upper)


def negative_root(k, n, p):
    k, n = counts(k, n)
    return ibeta_root(n, k + 1, p)[0]


def f_distribution(a, b, x, upper=False):
    return ibeta(a / 2, b / 2, a * x / (b + a * x), upper, b / (b + a * x))


def f_root(a, b, p):
    x, y = ibeta_root(a / 2, b / 2, p)
    return b * x / (a * y)


def student(df, t):
    if t == 0:
        return mp.mpf(0.5)
    tail = ibeta(df / 2, mp.mpf(0.5), df / (df + t * t), y=t * t / (df + t * t)) / 2
    return 1 - tail if t > 0 else tail


def student_root(df, p):
    if p == 0.5:
        return mp.mpf(0)
    x, y = ibeta_root(df / 2, mp.mpf(0.5), 2 * min(p, 1 - p))
    return mp.sign(p - 0.5) * mp.sqrt(df * y / x)


ORDINARY = [(0.5, 20), (0.5, 20), (0.01, 0.99)]
FUNCTIONS = {
    "beta": Exact(beta, SIGNED, SIGNED, condition=True, ordinary=[(0.1, 20)] * 2),
    "betaln": Exact(
        lambda a, b: mp.log(abs(beta(a, b))),
        SIGNED,
        SIGNED,
        condition=True,
        ordinary=[(0.1, 20)] * 2,
    ),
    "binom": Exact(
        mp.binomial,
        [*SIGNED, *COUNTS, *TOTALS],
        [*SIGNED, *COUNTS, *TOTALS],
        condition=True,
        ordinary=[(1, 60), (0.5, 30)],
    ),
    "betainc": Exact(
        ibeta,
        PARAMETERS,
        PARAMETERS,
        FRACTIONS,
        at=[*LARGE, *SMALL],
        condition=True,
        ordinary=ORDINARY,
    ),
    "betaincc": Exact(
        lambda a, b, x: ibeta(a, b, x, True),
        PARAMETERS,
        PARAMETERS,
        FRACTIONS,
        at=[*LARGE, *SMALL],
        condition=True,
        ordinary=ORDINARY,
    ),
    "betaincinv": Exact(
        lambda a, b, p: ibeta_root(a, b, p)[0],
        FEWER,
        FEWER,
        LEVELS,
        condition=True,
        ordinary=ORDINARY,
    ),
    "betainccinv": Exact(
        lambda a, b, q: ibeta_root(a, b, q, True)[0],
        FEWER,
        FEWER,
        LEVELS,
        condition=True,
        ordinary=ORDINARY,
    ),
    "bdtr": Exact(
        lambda k, n, p: whole(k, n, p, False),
        COUNTS,
        TOTALS,
        FRACTIONS,
        condition=True,
        ordinary=[(0, 10), (10, 40), (0.01, 0.99)],
    ),
    "bdtrc": Exact(
        lambda k, n, p: whole(k, n, p, True),
        COUNTS,
        TOTALS,
        FRACTIONS,
        condition=True,
        ordinary=[(0, 10), (10, 40), (0.01, 0.99)],
    ),
    "bdtri": Exact(
        lambda k, n, p: ibeta_root(n - k, k + 1, p)[1],
        COUNTS[::2],
        TOTALS[::2],
        LEVELS,
        condition=True,
        ordinary=[(0, 10), (10, 40), (0.01, 0.99)],
    ),
    "nbdtr": Exact(
        lambda k, n, p: negative(k, n, p, False),
        NUMBERS,
        NUMBERS[1:],
        FRACTIONS,
        condition=True,
    ),
    "nbdtrc": Exact(
        lambda k, n, p: negative(k, n, p, True),
        NUMBERS,
        NUMBERS[1:],
        FRACTIONS,
        condition=True,
    ),
    "nbdtri": Exact(negative_root, NUMBERS[::3], NUMBERS[1::3], LEVELS, condition=True),
    "fdtr": Exact(
        f_distribution,
        FEW,
        FEW,
        log_spaced(-4, 4, 33),
        condition=True,
        ordinary=[(1, 30), (1, 30), (0.1, 5)],
    ),
    "fdtrc": Exact(
        lambda a, b, x: f_distribution(a, b, x, True),
        FEW,
        FEW,
        log_spaced(-4, 4, 33),
        condition=True,
        ordinary=[(1, 30), (1, 30), (0.1, 5)],
    ),
    "fdtri": Exact(
        f_root,
        FEWER,
        FEWER,
        LEVELS,
        condition=True,
        ordinary=[(1, 30), (1, 30), (0.01, 0.99)],
    ),
    "stdtr": Exact(
        student,
        FEW,
        [*log_spaced(-8, 8, 17), *spaced(-12.3, 12.7, 30)]
        + [-x for x in log_spaced(-8, 8, 17)],
        condition=True,
        ordinary=[(1, 30), (-5, 5)],
    ),
    "stdtrit": Exact(
        student_root,
        FEW,
        LEVELS,
        condition=True,
        ordinary=[(1, 30), (0.01, 0.99)],
    ),
}


def _has_nan(*arguments):
    return np.logical_or.reduce([np.isnan(x) for x in arguments])


_OF_POLES = {
    "wrong": _has_nan,
    "reason": "SciPy's is infinite at a pole whatever the other argument is, NaN too",
}
_OF_INFINITE = {
    "wrong": lambda a, b, p: np.isinf(a) | np.isinf(b),
    "reason": "of an infinite parameter it is the limit, where SciPy's is NaN",
}
_OF_LARGE = {
    "wrong": lambda k, n, p: (k > 2**31) | (abs(n) > 2**31),
    "reason": "SciPy's takes no counts beyond 2**31",
}
_OF_SMALL_DEGREES = (
    "of few degrees of freedom it overflows; SciPy's stops at a number that has no "
    "meaning"
)
SCIPY = {
    "beta": _OF_POLES,
    "betaln": _OF_POLES,
    "binom": {
        "wrong": lambda n, k: (n == np.inf) & (k > -1) & (k < 0),
        "reason": "of infinitely many it is 0 for every k < 0; SciPy's is NaN near 0",
    },
    "betaincinv": _OF_INFINITE,
    "betainccinv": _OF_INFINITE,
    "bdtr": _OF_LARGE,
    "bdtrc": _OF_LARGE,
    "bdtri": _OF_LARGE,
    "nbdtr": _OF_LARGE,
    "nbdtrc": _OF_LARGE,
    "nbdtri": _OF_LARGE,
    "fdtri": {
        "wrong": lambda a, b, p: (b < 1e-3) | (a < 1e-3),
        "reason": _OF_SMALL_DEGREES,
    },
    "stdtrit": {
        "wrong": lambda df, p: (df < 1e-3) | (p == 0),
        "reason": f"{_OF_SMALL_DEGREES}; at 0 it is minus infinity",
    },
}
