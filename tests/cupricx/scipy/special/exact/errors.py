"""Points and exact values of the family errors."""

import mpmath as mp
import numpy as np

from . import COMPLEX, POSITIVE, REALS, UNIT, Exact


def asymptotic(z):
    """The sum of (2 k - 1)!! / (2 z**2)**k up to its least term, |z| > 8."""
    s, term, total = 1 / (2 * z * z), mp.mpf(1), mp.mpf(1)
    for k in range(1, 60):
        term *= (2 * k - 1) * s
        total += term
    return total


def dawson(z):
    if mp.im(z) == 0 and abs(z) > 8:
        return asymptotic(z) / (2 * z)
    with mp.workdps(40 + int(min(abs(z) ** 2, 2000))):
        return mp.sqrt(mp.pi) / 2 * mp.exp(-z * z) * mp.erfi(z)


def faddeeva(z):
    if mp.im(z) < 0:
        return 2 * mp.exp(-z * z) - faddeeva(-z)
    if abs(z) > 8:
        return 1j * asymptotic(z) / (mp.sqrt(mp.pi) * z)
    with mp.workdps(40 + int(abs(z) ** 2)):
        return mp.exp(-z * z) * mp.erfc(-1j * z)


def scaled_erfc(z):
    if mp.im(z) == 0 and mp.re(z) < 0:
        return mp.exp(z * z) * mp.erfc(z)
    return faddeeva(1j * z) if mp.im(z) else mp.re(faddeeva(mp.mpc(0, mp.re(z))))


def ndtr(z):
    return mp.erfc(-z / mp.sqrt(2)) / 2


def log_ndtr(x):
    with mp.workdps(60):
        if mp.im(x) == 0 and x < -40:
            s = 1 / mp.mpf(x) ** 2
            tail = mp.fsum((-s) ** k * mp.fac2(2 * k - 1) for k in range(20))
            return -x * x / 2 - mp.log(-x * mp.sqrt(2 * mp.pi)) + mp.log(tail)
        if mp.re(x) > 0:
            return mp.log1p(-ndtr(-x))
        return mp.log(ndtr(x))


def erfinv(x):
    return mp.erfinv(x)


def erfcinv(q):
    if q > 1e-2:
        return mp.erfinv(1 - mp.mpf(q))
    with mp.workdps(60):
        start = mp.sqrt(-mp.log(q))
        return mp.findroot(lambda y: mp.log(mp.erfc(y)) - mp.log(q), start)


def ndtri(p):
    return -mp.sqrt(2) * erfcinv(2 * mp.mpf(p))


def ndtri_exp(y):
    def f(x):
        return log_ndtr(x) - y

    with mp.workdps(60):
        if y > -1e-3:
            return -ndtri(-mp.expm1(y))
        start = -mp.sqrt(-2 * mp.mpf(y)) if y < -5 else ndtri(mp.exp(y))
        return mp.findroot(f, (start, start * mp.mpf("0.99") + mp.mpf("0.001")))


def voigt(x, sigma, gamma):
    z = mp.mpc(x, gamma) / (mp.mpf(sigma) * mp.sqrt(2))
    return mp.re(faddeeva(z)) / (mp.mpf(sigma) * mp.sqrt(2 * mp.pi))


def modified(sign):
    def both(x):
        with mp.workdps(50 + int(x * x)):  # of which the series cancels
            turn = mp.expjpi(mp.mpf(sign) / 4)
            integral = mp.sqrt(mp.pi) / 2 * turn * mp.erfc(x / turn)
        scale = mp.expj(-sign * mp.mpf(x) ** 2) / turn / mp.sqrt(mp.pi)
        return integral, scale * integral

    return both


NEAR = [10.0**k * s for k in range(-5, 2) for s in (1, -1, 2.3, -2.3)] + [0.0, 25.5]
TAILS = [-(10.0**k) for k in range(-12, 7)] + [-0.5, -0.7, -1.99, -2.01, -699.0, -701.0]
SCALES = [1e-3, 0.1, 1.0, 3.0, 50.0]
PLACES = [0.0, 1e-3, 0.5, 1.0, -2.0, 5.0, 12.0, 100.0]

FUNCTIONS = {
    "erfinv": Exact(erfinv, [x for x in REALS if abs(x) < 1]),
    "erfcinv": Exact(erfcinv, [x for x in POSITIVE if 1e-300 < x < 2 and x != 1]),
    "erfcx": Exact(scaled_erfc, [x for x in REALS if x > -26]),
    "erfi": Exact(mp.erfi, [x for x in REALS if abs(x) < 26]),
    "dawsn": Exact(dawson, REALS),
    "wofz": Exact(faddeeva, [z for z in COMPLEX if abs(z) < 25]),
    "ndtri": Exact(ndtri, UNIT, condition=True),
    "log_ndtr": Exact(log_ndtr, [x for x in REALS if -1e150 < x < 37]),
    "ndtri_exp": Exact(ndtri_exp, TAILS, condition=True),
    "voigt_profile": Exact(voigt, PLACES, SCALES, SCALES),
    "fresnel": Exact(
        lambda x: (mp.fresnels(x), mp.fresnelc(x)), [x for x in REALS if abs(x) < 1e6]
    ),
    "modfresnelp": Exact(modified(1), NEAR),
    "modfresnelm": Exact(modified(-1), NEAR),
}

_AT_INFINITY = {"wrong": lambda x: abs(x) > 1e5, "reason": "SciPy gives NaN far out"}
_LEFT = {
    "wrong": lambda x: (x < 0) | (x > 20),
    "reason": "SciPy's F left of 0 lacks the imaginary part; far out it rounds angles",
}
SCIPY = {
    "fresnel": _AT_INFINITY,
    "modfresnelp": _LEFT,
    "modfresnelm": _LEFT,
    "voigt_profile": {
        "wrong": lambda x, s, g: np.isinf(s) | np.isinf(g) | (s < 0) | (g < 0),
        "reason": "SciPy gives NaN for infinite widths, whose density is 0; negative "
        "ones have none",
    },
}
