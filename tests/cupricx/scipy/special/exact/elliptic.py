"""Points and exact values of the family elliptic."""

import mpmath as mp
import numpy as np

from . import (
    ANGLES,
    MODERATE,
    POSITIVE,
    UNIT,
    Exact,
    around,
    both,
    log_spaced,
    spaced,
    turned,
)

PARAMETERS = sorted({0.0, *UNIT, *(-v for v in POSITIVE)})
COMPLEMENTS = sorted({*UNIT, *POSITIVE, *spaced(0.05, 2, 40)})
AMPLITUDES = sorted(
    both([0.0, *MODERATE, *spaced(0.1, 12, 30), 1e-8, 1e6, 1e12])
    + around(1.5707963267948966, 3.141592653589793, -4.71238898038469)
)
ARGUMENTS = sorted(both([0.0, *log_spaced(-8, 2, 21), *spaced(0.2, 40, 40)]))
NOT_NEGATIVE = sorted({0.0, *log_spaced(-8, 8, 17), *spaced(0.1, 3, 12)})
PLANE = turned([1e-6, 1e-2, 0.5, 1, 2, 30, 1e5], [*ANGLES, *(-t for t in ANGLES[1:])])
RIGHT = [z for z in PLANE if z.real > 0]


def complement(p):
    with mp.workdps(mp.mp.dps + 320):
        m = 1 - p
        value = mp.ellipk(m)
    return +value


def jacobi(u, m):
    """sn, cn, dn and the amplitude."""
    if m == 1:
        sn, cn = mp.tanh(u), mp.sech(u)
        return sn, cn, cn, mp.atan2(sn, cn)
    sn, cn, dn = (mp.re(mp.ellipfun(k, u, m=m)) for k in ("sn", "cn", "dn"))
    half_turns = mp.nint(u / (2 * mp.re(mp.ellipk(m))))
    sign = -1 if half_turns % 2 else 1
    return sn, cn, dn, half_turns * mp.pi + mp.atan2(sign * sn, sign * cn)


FUNCTIONS = {
    "ellipk": Exact(mp.ellipk, PARAMETERS, ordinary=[(0, 1)]),
    "ellipkm1": Exact(complement, COMPLEMENTS, ordinary=[(0, 1)]),
    "ellipe": Exact(mp.ellipe, PARAMETERS, ordinary=[(0, 1)]),
    "ellipkinc": Exact(
        mp.ellipf, AMPLITUDES, PARAMETERS, condition=True, ordinary=[(-3, 3), (0, 1)]
    ),
    "ellipeinc": Exact(
        mp.ellipe, AMPLITUDES, PARAMETERS, condition=True, ordinary=[(-3, 3), (0, 1)]
    ),
    "ellipj": Exact(
        jacobi,
        ARGUMENTS,
        sorted({0.0, 1.0, *UNIT}),
        condition=True,
        ordinary=[(-3, 3), (0, 1)],
    ),
    "elliprc": Exact(
        mp.elliprc,
        NOT_NEGATIVE,
        NOT_NEGATIVE[1:],
        ordinary=[(0.01, 3), (0.01, 3)],
    ),
    "elliprd": Exact(
        mp.elliprd,
        NOT_NEGATIVE,
        NOT_NEGATIVE[1:],
        NOT_NEGATIVE[1:],
        ordinary=[(0.01, 3)] * 3,
    ),
    "elliprf": Exact(
        mp.elliprf,
        NOT_NEGATIVE,
        NOT_NEGATIVE[1:],
        NOT_NEGATIVE[1:],
        ordinary=[(0.01, 3)] * 3,
    ),
    "elliprg": Exact(
        mp.elliprg,
        NOT_NEGATIVE,
        NOT_NEGATIVE,
        NOT_NEGATIVE[1:],
        ordinary=[(0.01, 3)] * 3,
    ),
    "elliprj": Exact(
        mp.elliprj,
        NOT_NEGATIVE,
        NOT_NEGATIVE[1:],
        NOT_NEGATIVE[1:],
        NOT_NEGATIVE[1:],
        ordinary=[(0.01, 3)] * 4,
    ),
    "elliprc of complex numbers": Exact(mp.elliprc, PLANE, PLANE),
    "elliprd of complex numbers": Exact(mp.elliprd, PLANE, PLANE, PLANE),
    "elliprf of complex numbers": Exact(mp.elliprf, PLANE, PLANE, PLANE),
    "elliprg of complex numbers": Exact(
        mp.elliprg, PLANE, PLANE, PLANE, condition=True
    ),
    "elliprj of complex numbers": Exact(mp.elliprj, RIGHT, RIGHT, RIGHT, RIGHT),
}

INFINITE = "Infinite arguments: limits that there are, and NaN for NaN."
SCIPY = {
    "ellipj": {"wrong": lambda u, m: np.isinf(u) & (m == 1), "reason": INFINITE},
    "elliprc": {
        "wrong": lambda x, y: np.isinf(x) | np.isinf(y) | np.isnan(y),
        "reason": INFINITE,
    },
    "elliprj": {
        "wrong": lambda x, y, z, p: (
            np.isnan(p) | (p.real < (1e-300 if np.iscomplexobj(p) else 0))
        ),
        "reason": "Differences in principal values; SciPy has none of imaginary p.",
    },
}
