"""Points and exact values of the family integrals."""

import mpmath as mp
import numpy as np

from . import POSITIVE, REALS, Exact


def expn(n, x):
    """The integral itself, as mpmath's loses digits of large orders."""
    n = int(n)
    if x > 1:
        with mp.workdps(50):
            h = mp.mpf(0)
            for k in range(600, 0, -1):  # its continued fraction, from the end
                h = k * (n + k - 1) / (x + n + 2 * k - h)
            return mp.exp(-mp.mpf(x)) / (x + n - h)
    return mp.expint(n, x)


def spence(x):
    return mp.re(mp.polylog(2, 1 - mp.mpf(x)))


WITHIN = [x for x in POSITIVE if x < 700]
ORDERS = [0, 1, 2, 3, 5, 10, 19, 20, 21, 50, 100, 1000]

FUNCTIONS = {
    "exp1": Exact(mp.e1, WITHIN),
    "expi": Exact(mp.ei, [x for x in REALS if abs(x) < 700 and x], condition=True),
    "expn": Exact(expn, ORDERS, [x for x in WITHIN if x > 1e-10]),
    "sici": Exact(
        lambda x: (mp.si(x), mp.ci(x)), [x for x in POSITIVE if x < 1e8], condition=True
    ),
    "shichi": Exact(lambda x: (mp.shi(x), mp.chi(x)), WITHIN, condition=True),
    "spence": Exact(spence, POSITIVE),
}

SCIPY = {
    "expn": {
        "wrong": lambda n, x: np.isinf(n) | np.isinf(x),
        "reason": "SciPy gives NaN at infinity, where it is 0",
    },
    "spence": {
        "wrong": lambda z: ~np.isfinite(z),
        "reason": "SciPy gives NaN at infinity",
    },
}
