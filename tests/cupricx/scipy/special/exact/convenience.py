"""Points and exact values of the family convenience."""

import mpmath as mp
import numpy as np

from . import REALS, Exact


def boxcox(x, p):
    x, p = mp.mpf(x), mp.mpf(p)
    return mp.log(x) if p == 0 else mp.expm1(p * mp.log(x)) / p


def boxcox1p(x, p):
    with mp.workdps(400):
        return boxcox(1 + mp.mpf(x), p)


def inv_boxcox(y, p):
    return mp.exp(y) if p == 0 else (1 + mp.mpf(p) * y) ** (1 / mp.mpf(p))


def inv_boxcox1p(y, p):
    with mp.workdps(400):
        return inv_boxcox(y, p) - 1


def powm1(x, y):
    with mp.workdps(400):
        return mp.mpf(x) ** y - 1


def exprel(x):
    return mp.expm1(x) / x if x else mp.mpf(1)


def cosm1(x):
    return -2 * mp.sin(mp.mpf(x) / 2) ** 2


def huber(delta, r):
    delta, r = mp.mpf(delta), abs(mp.mpf(r))
    return r * r / 2 if r <= delta else delta * (r - delta / 2)


def pseudo_huber(delta, r):
    with mp.workdps(800):
        delta, r = mp.mpf(delta), mp.mpf(r)
        return delta**2 * (mp.sqrt(1 + (r / delta) ** 2) - 1)


def kl_div(x, y):
    with mp.workdps(800):
        x, y = mp.mpf(x), mp.mpf(y)
        return x * mp.log(x / y) - x + y


def of_degrees(f):
    return lambda x: f(mp.mpf(x) * mp.pi / 180)


def radian(d, m, s):
    return (mp.mpf(d) + (mp.mpf(m) + mp.mpf(s) / 60) / 60) * mp.pi / 180


def wrightomega(x):
    if x < 500:
        return mp.lambertw(mp.exp(x))
    return mp.findroot(lambda w: w + mp.log(w) - x, x - mp.log(x))


BASES = [1e-5, 0.01, 0.3, 0.999, 1.0, 1.000001, 1.7, 20.0, 3e4]
POWERS = [-20.0, -3.0, -0.5, -1e-3, -1e-12, 0.0, 1e-20, 1e-6, 0.1, 1.0, 2.5, 30.0]
SIZES = [1e-100, 1e-5, 0.3, 0.9999999, 1.0, 1.0000001, 7.0, 1e5, 1e100]
ANGLES = [1e-10, 0.1, 29.0, 30.5, 44.9, 89.999, 91.0, 179.0, 271.0, 1e4 + 0.1, 1e15 + 1]
ANGLES = [*ANGLES, *(-x for x in ANGLES)]
SMALL = [x for x in REALS if 1e-100 < abs(x) < 300]

FUNCTIONS = {
    "boxcox": Exact(boxcox, BASES, POWERS, condition=True),
    "boxcox1p": Exact(boxcox1p, BASES, POWERS, condition=True),
    "inv_boxcox": Exact(
        inv_boxcox, BASES, [p for p in POWERS if p >= 0], condition=True
    ),
    "inv_boxcox1p": Exact(
        inv_boxcox1p, BASES, [p for p in POWERS if p >= 0], condition=True
    ),
    "exp10": Exact(lambda x: mp.mpf(10) ** x, SMALL),
    "exprel": Exact(exprel, [x for x in SMALL if x < 700]),
    "powm1": Exact(powm1, [x for x in BASES if x != 1], [p for p in POWERS if p]),
    "cosm1": Exact(cosm1, SMALL),
    "huber": Exact(huber, SIZES, SIZES),
    "pseudo_huber": Exact(pseudo_huber, SIZES, SIZES),
    "kl_div": Exact(kl_div, [0.3, 1.0, 2.0, 1e5], [0.31, 0.9999999, 1.5, 1e-5, 1e6]),
    "sindg": Exact(of_degrees(mp.sin), ANGLES),
    "cosdg": Exact(of_degrees(mp.cos), ANGLES),
    "tandg": Exact(of_degrees(mp.tan), ANGLES),
    "cotdg": Exact(of_degrees(mp.cot), ANGLES),
    "radian": Exact(
        radian,
        [x for x in REALS if 1e-10 < abs(x) < 1e10],
        [0.0, 0.25, 29.5, 59.0],
        [0.0, 1.0, 30.25, 59.5],
        condition=True,
    ),
    "agm": Exact(mp.agm, SIZES, SIZES),
    "wrightomega": Exact(wrightomega, [x for x in REALS if -690 < x < 1e300]),
}

_DEGREES = {
    "wrong": lambda x: np.isinf(x) | (abs(x) > 1e14),
    "reason": "SciPy gives 0 from 1e14 on; here the angle is that of the number",
}
SCIPY = {
    "sindg": _DEGREES,
    "cosdg": _DEGREES,
    "tandg": _DEGREES,
    "cotdg": _DEGREES,
    "inv_boxcox1p": {
        "wrong": lambda y, p: (p != 0) & (abs(p * y) < 1e-154),
        "reason": "SciPy gives y where p y is tiny, not expm1(y)",
    },
    "powm1": {
        "wrong": lambda x, y: np.isinf(x) | np.isinf(y) | (x == 0),
        "reason": "SciPy gives NaN where the power at infinity is a number",
    },
    "pseudo_huber": {
        "wrong": lambda delta, r: np.isinf(delta),
        "reason": "SciPy gives NaN for an infinite delta, whose limit is r**2 / 2",
    },
}
