"""Points and exact values of the family distributions."""

import mpmath as mp
import numpy as np
import scipy.special

from . import Exact, both, log_spaced, single, spaced
from ._beta import ibeta
from .beta import f_distribution, student

FEW = single([0.25, 1, 3.5, 20])
SOME = single([0.5, 2, 7.5, 60])
LEVELS = single([0.01, 0.3, 0.5625, 0.96875])
UNEVEN = single([0.01, 0.09375, 0.25, 0.4375, 0.5625, 0.8125, 0.96875])
LOW_LEVELS = single([0.001, 0.03, 0.1875])


def kolmogorov(x):
    if x <= 0:
        return mp.mpf(1)
    if x < 1:
        terms = (mp.exp(-(((2 * k - 1) * mp.pi / x) ** 2) / 8) for k in range(1, 40))
        return 1 - mp.sqrt(2 * mp.pi) / x * mp.fsum(terms)
    return 2 * mp.fsum(
        (-1) ** (k - 1) * mp.exp(-2 * (k * x) ** 2) for k in range(1, 40)
    )


def smirnov(n, d):
    n, total = int(n), mp.mpf(0)
    if n < 1:
        raise ValueError
    for j in range(n + 1):
        x = d + mp.mpf(j) / n
        if x >= 1:
            break
        total += mp.binomial(n, j) * x ** (j - 1) * (1 - x) ** (n - j)
    return d * total


def chndtr(x, df, nc):
    """From above, as the distributions of the mixture differ by terms."""
    m, x, a = nc / 2, x / 2, df / 2
    top = int(m + 15 * mp.sqrt(m + 1) + 60)
    weight = mp.exp(-m + top * mp.log(m) - mp.loggamma(top + 1))
    value, total = mp.gammainc(a + top, 0, x, regularized=True), mp.mpf(0)
    term = mp.exp((a + top) * mp.log(x) - x - mp.loggamma(a + top + 1))
    for j in range(top, -1, -1):
        total += weight * value
        weight *= j / m
        term *= (a + j) / x
        value += term
    return total


def ncfdtr(dfn, dfd, nc, f):
    m, t, a, b = nc / 2, dfn * f / dfd, dfn / 2, dfd / 2
    x, y = t / (1 + t), 1 / (1 + t)
    top = int(m + 15 * mp.sqrt(m + 1) + 60)
    weight = mp.exp(-m + top * mp.log(m) - mp.loggamma(top + 1))
    value, total = ibeta(a + top, b, x, y=y), mp.mpf(0)
    term = mp.loggamma(a + top + b) - mp.loggamma(a + top + 1) - mp.loggamma(b)
    term = mp.exp(term + (a + top) * mp.log(x) + b * mp.log(y))
    for j in range(top, -1, -1):
        total += weight * value
        weight *= j / m
        term *= (a + j) / (x * (a + b + j - 1))
        value += term
    return total


def nctdtr(df, nc, t):
    scale = mp.log(2) + df / 2 * mp.log(df / 2) - mp.loggamma(df / 2)

    def integrand(u):
        s = mp.exp(u)
        return mp.ncdf(t * s - nc) * mp.exp(scale + df * (u - s * s / 2))

    step, low = mp.mpf(1) / 24, -int(1500 / df) - 60
    return step * mp.fsum(integrand(k * step) for k in range(low, 72))


def owens_t(h, a):
    if a == 0:
        return mp.mpf(0)
    ends = [0, abs(a)]
    for part in (2, 8):
        if abs(a * h) > part:
            ends.append(part / abs(h))
    value = mp.quad(
        lambda x: mp.exp(-(h**2) * (1 + x * x) / 2) / (1 + x * x), sorted(ends)
    )
    return mp.sign(a) * value / (2 * mp.pi)


def tklmbda(x, shape):
    if x == 0:
        return mp.mpf(0.5)
    if shape > 0 and abs(x) * shape >= 1:
        return mp.mpf(x > 0)
    if x > 0:
        return 1 - tklmbda(-x, shape)
    low, high = mp.mpf(-2000), -mp.log(2)
    for _ in range(int(mp.mp.prec) + 20):
        u = (low + high) / 2
        p = mp.exp(u)
        low, high = (u, high) if (p**shape - (1 - p) ** shape) / shape < x else (low, u)
    return mp.exp(low)


def inverse(name, value, *point):
    """The root of value(t), a logarithm of a quotient, from SciPy's."""
    start = float(getattr(scipy.special, name)(*map(float, point)))
    if not np.isfinite(start) or start == 0:
        raise ValueError
    return mp.findroot(value, (start, start * (1 + mp.mpf(10) ** -8)), tol=mp.eps)


def of_p(name, distribution, place):
    """The inverse whose argument `place` is p, or more of the arguments' order."""

    def function(*point):
        p = point[place[0]]
        others = [x for k, x in enumerate(point) if k != place[0]]

        def value(t):
            arguments = list(others)
            arguments.insert(place[1], t)
            return mp.log(distribution(*arguments) / p)

        return inverse(name, value, *point)

    return function


def bdtr(k, n, p):
    return ibeta(k + 1, n - k, p, True)


def nbdtr(k, n, p):
    return ibeta(n, k + 1, p)


def root(name, distribution, place, *grids):
    return Exact(of_p(name, distribution, place), *grids, bound=1e-12, condition=True)


T = sorted([*both(single([0.0625, 0.5, 1.5, 4, 12])), 0.0])
FUNCTIONS = {
    "nrdtrimn": Exact(
        lambda p, s, x: x + s * mp.sqrt(2) * mp.erfinv(1 - 2 * p),
        LEVELS,
        SOME,
        [-3.0, 0.5, 10.0],
        condition=True,
    ),
    "nrdtrisd": Exact(
        lambda m, p, x: (x - m) / (mp.sqrt(2) * mp.erfinv(2 * p - 1)),
        [-3.0, 0.5, 10.0],
        LEVELS,
        SOME,
        condition=True,
    ),
    "kolmogorov": Exact(kolmogorov, spaced(0.05, 15, 100), condition=True),
    "kolmogi": Exact(
        lambda p: mp.findroot(
            lambda x: mp.log(kolmogorov(x) / p), float(scipy.special.kolmogi(float(p)))
        ),
        sorted([*log_spaced(-30, -2, 15), *spaced(0.03, 0.97, 30)]),
        condition=True,
    ),
    "smirnov": Exact(
        smirnov,
        [1.0, 2.0, 3.0, 7.0, 10.0, 30.0, 200.0],
        spaced(0.01, 0.95, 20),
        condition=True,
    ),
    "smirnovi": root(
        "smirnovi", smirnov, (1, 1), [2.0, 7.0, 40.0], spaced(0.05, 0.9, 9)
    ),
    "tklmbda": Exact(
        tklmbda,
        [-0.9375, *T],
        single([-2, -0.5, 0.0078125, 0.25, 0.5, 1, 3]),
        condition=True,
    ),
    "owens_t": Exact(
        owens_t,
        single([0.0625, 0.5, 1, 2.5, 12]),
        single([0.001, -0.25, 0.75, 1, -1.5, 8]),
        condition=True,
    ),
    "chndtr": Exact(chndtr, SOME, FEW, FEW, condition=True),
    "chndtrix": root("chndtrix", chndtr, (0, 0), LEVELS, FEW, FEW[1:3]),
    "chndtridf": root(
        "chndtridf", chndtr, (1, 1), SOME[1:3], LEVELS[:3], FEW[:3] + [0.5, 2.0]
    ),
    "chndtrinc": root(
        "chndtrinc", chndtr, (2, 2), SOME[1:3], FEW[:3], LOW_LEVELS + [0.01, 0.1]
    ),
    "ncfdtr": Exact(ncfdtr, FEW[1:], FEW[1:], FEW[:3], SOME[:3], condition=True),
    "ncfdtri": root(
        "ncfdtri", ncfdtr, (3, 3), [3.5, 20.0], [3.5, 20.0], FEW[:2], UNEVEN[1:4]
    ),
    "nctdtr": Exact(nctdtr, single([4, 20]), T[1:-1:3], T[::2], condition=True),
    "nctdtrit": root(
        "nctdtrit", nctdtr, (2, 2), [20.0], single([-1.5, 0.5, 3]), UNEVEN
    ),
    "btdtria": root("btdtria", ibeta, (0, 0), LEVELS, FEW, LEVELS),
    "btdtrib": root("btdtrib", ibeta, (1, 1), FEW, LEVELS, LEVELS),
    "bdtrik": root("bdtrik", bdtr, (0, 0), LEVELS[1:], [10.0, 45.0, 300.0], LEVELS[1:]),
    "bdtrin": root("bdtrin", bdtr, (1, 1), [1.0, 5.0, 40.0], LEVELS, LEVELS),
    "nbdtrik": root(
        "nbdtrik", nbdtr, (0, 0), LEVELS[1:], [10.0, 45.0, 300.0], LEVELS[1:3] + [0.125]
    ),
    "nbdtrin": root("nbdtrin", nbdtr, (1, 1), [1.0, 5.0, 40.0], LEVELS, LEVELS),
    "fdtridfd": root(
        "fdtridfd",
        f_distribution,
        (1, 1),
        [2.0, 7.5],
        LEVELS[:2] + [0.125, 0.1875],
        single([1, 1.5, 4]),
    ),
    "stdtridf": root(
        "stdtridf",
        student,
        (0, 0),
        single([0.125, 0.1875, 0.25, 0.3125]),
        single([-1.5, -2, -3, -8, -20]),
    ),
}

_OUTSIDE = {
    "reason": "NaN where no parameter gives the probability; SciPy's are the ends of "
    "its search there, and exact to 1e-8 or 1e-11 elsewhere",
}


def _told(wrong=lambda *arguments: np.ones(arguments[0].shape, bool)):
    return {"wrong": wrong, **_OUTSIDE}


_ROOTS = (
    *("btdtria", "btdtrib", "bdtrik", "bdtrin", "nbdtrik", "nbdtrin", "fdtridfd"),
    *("stdtridf", "chndtridf", "chndtrinc", "chndtrix", "ncfdtri", "nctdtrit"),
)
_OF_LARGE = (
    "NaN of a noncentrality beyond 1e9, for which the sum would be too long, and of an "
    "infinite parameter"
)
SCIPY = {
    **{name: _told() for name in _ROOTS},
    "chndtr": {
        "wrong": lambda x, df, nc: (nc > 1e9) | np.isinf(df),
        "reason": _OF_LARGE,
    },
    "ncfdtr": {
        "wrong": lambda dfn, dfd, nc, f: (nc > 1e9) | np.isinf(dfn) | np.isinf(dfd),
        "reason": _OF_LARGE,
    },
    "nctdtr": {
        "wrong": lambda df, nc, t: (df < 1e-3) | (nc * t < 0) | (abs(nc) > 30),
        "reason": "SciPy's has few digits or none in the tail across noncentrality, "
        "of few degrees of freedom and of a large noncentrality",
    },
    "tklmbda": {
        "wrong": lambda x, shape: np.isinf(x) | np.isinf(shape),
        "reason": "of an infinite argument it is the limit",
    },
}
