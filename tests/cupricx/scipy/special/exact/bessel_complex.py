"""Points and exact values of the family bessel_complex."""

import mpmath as mp
import numpy as np

from . import ANGLES, Exact, both, log_spaced, single, spaced, turned

ORDERS = single([0, 0.25, 0.5, 1, 2.5, 3, 10, 20.25, 59.5, 60.5, 100, 130.75])
ORDERS += [-v for v in ORDERS if v not in (0, 100)]
POSITIVE = [*log_spaced(-10, 0, 8), *spaced(1.25, 40, 16), 59.5, 64, 100, 128.5, 1e3]
ANY = turned(
    [1e-10, 1e-3, 0.1, 0.5, 1, 1.9, 3, 5, 8, 15, 29, 31, 60, 64, 100, 130, 1e3],
    [*ANGLES, *(-t for t in ANGLES[1:]), 0.5],
)
AIRY = turned(
    [1e-10, 0.1, 0.9, 1.1, 2, 2.2, 3, 5, 9.9, 10.1, 13, 20, 50],
    [*ANGLES, *(-t for t in ANGLES[1:]), 0.5],
)
REAL_AIRY = sorted(both([*log_spaced(-10, 0, 8), *spaced(0.25, 30, 60), 50, 100]))


def in_range(value):
    """Only the points where a double has the result."""
    if not 1e-290 < abs(value) < 1e290:
        raise ValueError("too large or too small")
    return value


def scaled(function, power):
    def value(v, z):
        result = function(v, z)
        if power:
            result = result * mp.exp(power(mp.mpmathify(z)))
        if isinstance(z, mp.mpc) and abs(result) > 1e37:
            raise ValueError("of float32 parts would be infinite, also small ones")
        return in_range(result)

    return value


def hankel(sign):
    def value(v, z):
        return mp.besselj(v, z) + sign * 1j * mp.bessely(v, z)

    return value


def of_imaginary(z):
    return -abs(mp.im(z))


def of_real(z):
    return -abs(mp.re(z))


KINDS = {
    "jv": (mp.besselj, None),
    "jve": (mp.besselj, of_imaginary),
    "yv": (mp.bessely, None),
    "yve": (mp.bessely, of_imaginary),
    "iv": (mp.besseli, None),
    "ive": (mp.besseli, of_real),
    "kv": (mp.besselk, None),
    "kve": (mp.besselk, lambda z: z),
}
HANKEL = {
    "hankel1": (hankel(1), None),
    "hankel1e": (hankel(1), lambda z: -1j * z),
    "hankel2": (hankel(-1), None),
    "hankel2e": (hankel(-1), lambda z: 1j * z),
}


def airy(z):
    values = (mp.airyai(z), mp.airyai(z, derivative=1))
    values += (mp.airybi(z), mp.airybi(z, derivative=1))
    return tuple(map(in_range, values))


def airye(z):
    z = mp.mpmathify(z)
    power = z * mp.sqrt(z) * 2 / 3
    if mp.im(z) == 0 and mp.re(z) < 0:
        power = mp.mpc(0, mp.im(power))
    up, down = mp.exp(power), mp.exp(-abs(mp.re(power)))
    values = airy(z)
    return values[0] * up, values[1] * up, values[2] * down, values[3] * down


def itairy(x):
    ai = [mp.airyai(y, derivative=-1) for y in (x, -x)]
    bi = [mp.airybi(y, derivative=-1) for y in (x, -x)]
    return ai[0], bi[0], -ai[1], -bi[1]


FUNCTIONS = {
    name: Exact(
        scaled(function, power),
        ORDERS,
        POSITIVE,
        condition=True,
        ordinary=[(0, 20), (0.1, 30)],
    )
    for name, (function, power) in KINDS.items()
}
FUNCTIONS |= {
    f"{name} of complex numbers": Exact(
        scaled(function, power), ORDERS, ANY, condition=True
    )
    for name, (function, power) in (KINDS | HANKEL).items()
}
FUNCTIONS |= {
    "airy": Exact(airy, REAL_AIRY, condition=True, ordinary=[(-10, 10)]),
    "airy of complex numbers": Exact(airy, AIRY, condition=True),
    "airye": Exact(
        airye, [x for x in REAL_AIRY if x > 0], condition=True, ordinary=[(0, 10)]
    ),
    "airye of complex numbers": Exact(airye, AIRY, condition=True),
    "itairy": Exact(itairy, REAL_AIRY[::2], condition=True, ordinary=[(-10, 10)]),
}


def too_large(*arguments):
    return np.any([~(np.abs(a) < 2.0**30) for a in arguments], axis=0)


LARGE = "SciPy gives up beyond 2**30, and has no limits at infinity."
ZERO = "Order 3/2 has a zero at i, of which rounding errors are left."
SCIPY = {name: {"wrong": too_large, "reason": LARGE} for name in (*KINDS, *HANKEL)}
CUT = "Below the cut of the square root SciPy's factor is that of another number."
SCIPY["airy"] = {"wrong": too_large, "reason": LARGE}
SCIPY["airye"] = {
    "wrong": lambda z: too_large(z) | (np.signbit(z.imag) & (z.imag == 0)),
    "reason": f"{LARGE} {CUT}",
}
for name in ("hankel2", "hankel2e"):
    SCIPY[name] = {"wrong": too_large, "floor": 0.01, "reason": f"{LARGE} {ZERO}"}
HALF = "Left of order 0 there are half orders for which Y is 0 at 0."
for name in ("yv", "yve"):
    SCIPY[name] = {
        "wrong": lambda v, z: too_large(v, z) | ((z == 0) & (v < 0)),
        "reason": f"{LARGE} {HALF}",
    }
SCIPY["itairy"] = {
    "wrong": lambda x: np.abs(x) > 0,
    "reason": "SciPy's integrals have three to nine digits.",
}
