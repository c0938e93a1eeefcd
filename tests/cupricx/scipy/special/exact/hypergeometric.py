"""Points and exact values of the family hypergeometric."""

import mpmath as mp
import numpy as np

from . import ANGLES, Exact, around, both, log_spaced, single, spaced, turned
from ._evaluate import TooLong

ABOVE = sorted(both([*spaced(0.3, 5, 9), 1.0, 2.0, 10.25, 20.5, 1e-3]) + [0.0])
FEW = single([0.3, 0.5, 1, 1.5, 2, 2.75, 3.1, 4, -0.5, -1, -1.25, -2, -3.6])
BELOW = single([0.2, 0.5, 1, 1.5, 2, 3, 3.3, 5.25, 10.1, 25, -0.5, -1.7, -4.4])
ARGUMENTS = sorted(both([0.0, *log_spaced(-6, 2.5, 18), *spaced(0.5, 50, 20)]))
POSITIVE = [*log_spaced(-3, 2.5, 23), *spaced(0.5, 50, 20)]
INSIDE = sorted(
    {
        *both([0.0, *spaced(0.05, 0.95, 19), 1e-6]),
        *(1 - 2.0**-p for p in (5, 9, 20, 40)),
    }
)
LEFT = [-v for v in (*log_spaced(0, 6, 13), *around(1))]
TURNS = [*ANGLES, *(-t for t in ANGLES[1:])]
RADII = [1e-6, 0.1, 0.5, 1, 3, 10, 20, 35, 60, 200]
DISC = turned([1e-6, 0.3, 0.7, 0.95, 1, 1.05, 1.5, 4, 100], [t for t in TURNS if t])
CORNERS = around(0.5 + 0.8660254037844386j, 0.5 - 0.8660254037844386j)


# a, b and x of Wright's function, of which x is large where it decides
WRIGHTS = [0.0, *single([1e-3, 0.05, 0.3, 0.5, 1, 1.7, 3, 10, 40, 100])]
WRIGHTS_SHIFT = [0.0, *single([1e-5, 0.5, 1, 1.5, 2, 5, 20, 80, 160])]
FOR_WRIGHT = single([1e-8, 0.01, 0.5, 1, 2, 5, 15, 60, 300, 2e3, 3e4, 1e6, 1e9, 1e20])


def _wright(a, b, x):
    """The sum of the terms within 20 standard deviations of the largest."""
    if a == 0:
        return mp.exp(x) * mp.rgamma(b)
    top = int((a * x) ** (1 / (1 + a)) / a)
    width = int(1 / mp.sqrt(1 / mp.mpf(top + 1) + a * a / (a * top + b + 1))) + 1
    first = max(0, top - 20 * width - 30 - int(b))
    if width > 300:  # too many
        raise TooLong
    return mp.fsum(
        x**k * mp.rgamma(k + 1) * mp.rgamma(a * k + b)
        for k in range(first, top + 20 * width + 60)
    )


def _log_wright(a, b, x):
    """Also where the sum is hardly more than 1."""
    with mp.extradps(200):
        return mp.log(_wright(a, b, x))


FUNCTIONS = {
    "hyp0f1": Exact(
        mp.hyp0f1, BELOW, ARGUMENTS, condition=True, ordinary=[(0.5, 5), (-10, 10)]
    ),
    "hyp0f1 of complex numbers": Exact(
        mp.hyp0f1, BELOW, turned(RADII, TURNS), condition=True
    ),
    "hyp1f1": Exact(
        mp.hyp1f1,
        ABOVE,
        BELOW,
        ARGUMENTS,
        condition=True,
        ordinary=[(0.1, 5), (0.1, 5), (-20, 20)],
    ),
    "hyp1f1 of complex numbers": Exact(
        mp.hyp1f1,
        FEW,
        BELOW,
        turned(RADII, TURNS),
        condition=True,
        bound=1e-12,
        reason="for b < 0 terms of every series cancel",
    ),
    "hyperu": Exact(
        mp.hyperu,
        ABOVE,
        FEW,
        POSITIVE,
        condition=True,
        ordinary=[(0.1, 5), (-3, 3), (0.1, 20)],
    ),
    "hyp2f1": Exact(
        mp.hyp2f1,
        FEW,
        FEW,
        BELOW,
        [*INSIDE, *LEFT],
        condition=True,
        ordinary=[(0.1, 3), (0.1, 3), (0.5, 5), (-0.9, 0.9)],
    ),
    "hyp2f1 of complex numbers": Exact(
        mp.hyp2f1, FEW, FEW, BELOW, [*DISC, *CORNERS], condition=True
    ),
    "wright_bessel": Exact(
        _wright,
        WRIGHTS,
        WRIGHTS_SHIFT,
        FOR_WRIGHT,
        condition=True,
        ordinary=[(0.1, 3), (0.5, 3), (0.1, 20)],
    ),
    "log_wright_bessel": Exact(
        _log_wright,
        WRIGHTS[1:],
        WRIGHTS_SHIFT,
        FOR_WRIGHT,
        condition=True,
        ordinary=[(0.1, 3), (0.5, 3), (0.1, 20)],
    ),
}

FINITE = [0.0, 0.5, 1, 2, 3.5, 7, 10.25, 1e-10, 0.3, 1.5, 0.999, -0.5, -1, -2, -3.25]
SCIPY = {
    name: {
        "samples": [FINITE] * count,
        "reason": "SciPy's takes minutes for some large arguments.",
    }
    for name, count in (("hyp0f1", 2), ("hyp1f1", 3), ("hyperu", 3), ("hyp2f1", 4))
}
SCIPY["hyperu"] |= {
    "wrong": lambda a, b, x: (b == np.rint(b)) | ((a == -1) & (b == x)),
    "reason": "For a whole b SciPy's has few digits, or none.",
}
SCIPY["hyp2f1"] |= {
    "wrong": lambda a, b, c, z: (
        (c < 1e-6) & (np.rint(c) != c) | np.iscomplexobj(z) & ((z.real > 1) | (z == 0))
    ),
    "reason": "On its cut SciPy's loses digits, and mpmath is on the other side.",
}
