"""Points and exact values of the family special: src/ops/special/batched.def."""

import mpmath as mp

from . import POSITIVE, REALS, UNIT, Exact, around, both, log_spaced, spaced

TAIL = sorted(both([*log_spaced(-10, 0, 21), *spaced(0.1, 30, 60), 26.5, 27.2, 37.4]))
EXPONENTS = sorted(both([*log_spaced(-10, 0, 21), *spaced(0.5, 120, 40), 700.0, 745.0]))


def expit(x):
    return 1 / (1 + mp.exp(-x))


def gammaln(x):
    return mp.log(abs(mp.gamma(x)))


FUNCTIONS = {
    "erf": Exact(mp.erf, TAIL, ordinary=[(-3, 3)]),
    "erfc": Exact(
        mp.erfc,
        TAIL,
        ordinary=[(-3, 3)],
        condition=True,
    ),
    "ndtr": Exact(mp.ncdf, TAIL, ordinary=[(-5, 5)], condition=True),
    "gamma": Exact(
        mp.gamma,
        [*REALS[::4], *spaced(-30.3, 34.7, 80), *spaced(35, 171.5, 20)],
        ordinary=[(0.1, 30)],
        condition=True,
    ),
    "gammaln": Exact(
        gammaln,
        [*REALS[::3], *spaced(-30.3, 30.2, 80), *around(1, 2)],
        ordinary=[(0.1, 30)],
        condition=True,
    ),
    "expit": Exact(expit, EXPONENTS, ordinary=[(-10, 10)], condition=True),
    "logit": Exact(
        lambda x: mp.log(x) - mp.log1p(-x),
        [*UNIT, *around(0.5)],
        ordinary=[(0.001, 0.999)],
        condition=True,
    ),
    "log_expit": Exact(
        lambda x: -mp.log1p(mp.exp(-x)), EXPONENTS, ordinary=[(-10, 10)]
    ),
    "entr": Exact(
        lambda x: -x * mp.log(x), POSITIVE, ordinary=[(0.01, 10)], condition=True
    ),
    "rel_entr": Exact(
        lambda x, y: x * (mp.log(x) - mp.log(y)),
        POSITIVE,
        POSITIVE,
        ordinary=[(0.01, 10), (0.01, 10)],
        condition=True,
    ),
    "xlogy": Exact(
        lambda x, y: x * mp.log(y),
        REALS,
        POSITIVE,
        ordinary=[(0.01, 10), (0.01, 10)],
        condition=True,
    ),
    "xlog1py": Exact(
        lambda x, y: x * mp.log1p(y),
        REALS,
        [*POSITIVE, *(-v for v in UNIT)],
        ordinary=[(0.01, 10), (0.01, 10)],
        condition=True,
    ),
}
