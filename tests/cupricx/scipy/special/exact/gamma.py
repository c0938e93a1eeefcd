"""Points and exact values of the family gamma."""

import mpmath as mp
import numpy as np
import scipy.special

from . import (
    COMPLEX,
    INTEGERS,
    MODERATE,
    POSITIVE,
    REALS,
    UNIT,
    Exact,
    around,
    log_spaced,
    single,
    spaced,
)

# Where an exact value takes some thousands of terms at most.
SHAPES = [v for v in POSITIVE if 1e-12 < v < 1e7]
FEW_SHAPES = [*log_spaced(-3, 5, 17), *single([0.5, 1, 2.5, 10, 40.5, 170, 1000])]
ARGUMENTS = [*log_spaced(-6, 3, 28), *single([0.5, 1, 1.5, 10, 20.5, 700])]
RATIOS = single([0.01, 0.3, 0.69, 0.9, 0.99, 1, 1.01, 1.1, 1.31, 2, 5])
BESIDE = [(a, float(a * r)) for a in SHAPES[::3] for r in RATIOS if a > 0.5][:150]
LIMITED = [v for v in POSITIVE if v < 1e30]
PROBABILITIES = [p for p in UNIT if 1e-150 < p < 0.9999999]


def incomplete(a, x, upper):
    """P or Q, by the series of P or the continued fraction of Q: what converges sooner,
    to as many digits as are left of mpmath's precision."""
    with mp.extradps(25):
        a, x = mp.mpf(a), mp.mpf(x)
        small = mp.mpf(10) ** -(mp.mp.dps - 5)
        term = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
        if x < a + 1:
            total, part, n = mp.mpf(1), mp.mpf(1), a
            while part > total * small:
                n += 1
                part *= x / n
                total += part
            return +(1 - term * total if upper else term * total)
        if x < 60:
            q = mp.gammainc(a, x, mp.inf, regularized=True)
            return +(q if upper else 1 - q)
        d = 1 / (x + 1 - a)
        b, c, h, i = x + 1 - a, mp.inf, d, 0
        while True:
            i += 1
            numerator = -i * (i - a)
            b += 2
            d, c = 1 / (numerator * d + b), b + numerator / c
            h *= c * d
            if abs(c * d - 1) < small:
                break
        return +(term * a * h if upper else 1 - term * a * h)


def gammainc(a, x):
    return incomplete(a, x, False)


def gammaincc(a, x):
    return incomplete(a, x, True)


def inverse(a, p, q):
    """By Newton's steps for the logarithm of the smaller one over log(x)."""
    a, upper = mp.mpf(a), q < p
    x = mp.mpf(scipy.special.gammainccinv(float(a), float(q)))
    if not upper:
        x = mp.mpf(scipy.special.gammaincinv(float(a), float(p)))
    if not x:
        x = mp.exp((mp.log(p) + mp.loggamma(a + 1)) / a)
    for _ in range(60):
        value = incomplete(a, x, upper)
        slope = mp.exp(a * mp.log(x) - x - mp.loggamma(a)) / value
        step = mp.log(value / (q if upper else p)) / slope
        x *= mp.exp(max(min(step if upper else -step, 2), -2))
        if abs(step) < mp.mpf(10) ** -(mp.mp.dps // 2 + 5):
            return x
    raise ValueError("it does not converge")


def gammaincinv(a, p):
    return inverse(a, mp.mpf(p), 1 - mp.mpf(p))


def gammainccinv(a, q):
    return inverse(a, 1 - mp.mpf(q), mp.mpf(q))


def shape(x, p, q):
    """The a with P(a, x) = p, by the secant over log(a)."""
    upper = q < p
    a = scipy.special.gdtrib(1.0, float(p), float(x))

    def misses(u):
        return mp.log(incomplete(mp.exp(u), x, upper) / (q if upper else p))

    u = mp.log(a)
    found = mp.findroot(misses, (u, u + mp.mpf(10) ** -8), maxsteps=60)
    return mp.exp(found)


def gdtrib(a, p, x):
    return shape(mp.mpf(a) * x, mp.mpf(p), 1 - mp.mpf(p))


def chdtriv(p, x):
    return 2 * shape(mp.mpf(x) / 2, mp.mpf(p), 1 - mp.mpf(p))


def pdtrik(p, m):
    if p <= mp.exp(-m):
        return mp.mpf(0)
    return shape(mp.mpf(m), 1 - mp.mpf(p), mp.mpf(p)) - 1


def poch(a, m):
    return mp.gammaprod([mp.mpf(a) + m], [a])


def hurwitz(x, q):
    """By the Euler-Maclaurin formula, as mpmath's loses digits for large q."""
    with mp.extradps(15):
        x, q, total = mp.mpf(x), mp.mpf(q), mp.mpf(0)
        while q < 60 + x:
            total += q**-x
            q += 1
        term, power = x / q, q**-x
        total += power * (q / (x - 1) + mp.mpf(1) / 2)
        for j in range(1, 26):
            total += power * term * mp.bernoulli(2 * j) / mp.factorial(2 * j)
            term *= (x + 2 * j - 1) * (x + 2 * j) / q**2
        return +total


def zetac(x):
    if x > 60:
        return mp.nsum(lambda k: k**-x, [2, 30])
    return mp.zeta(x) - 1


def gammasgn(x):
    return mp.sign(mp.rgamma(x))


SHAPES_OF_POISSON = [float(k) for k in INTEGERS]

FUNCTIONS = {
    "psi": Exact(
        mp.digamma,
        [*REALS[::2], *spaced(-20.3, 30.2, 60), *around(1.4616321449683622)],
        condition=True,
        ordinary=[(0.1, 30)],
    ),
    "psi of complex numbers": Exact(
        mp.digamma,
        [z for z in COMPLEX if abs(z) > 1e-5],
        condition=True,
    ),
    "loggamma": Exact(
        mp.loggamma,
        [*POSITIVE[::2], *spaced(0.3, 30.2, 60)],
        condition=True,
        ordinary=[(0.1, 30)],
    ),
    "loggamma of complex numbers": Exact(mp.loggamma, COMPLEX, condition=True),
    "gamma of complex numbers": Exact(
        mp.gamma, [z for z in COMPLEX if 1e-11 < abs(z) < 100], condition=True
    ),
    "rgamma": Exact(
        mp.rgamma,
        [*REALS[::4], *spaced(-30.3, 34.7, 80), *spaced(-175.3, 178, 30)],
        condition=True,
        ordinary=[(0.1, 30)],
    ),
    "rgamma of complex numbers": Exact(
        mp.rgamma, [z for z in COMPLEX if 1e-11 < abs(z) < 100], condition=True
    ),
    "gammasgn": Exact(gammasgn, [*POSITIVE, *spaced(-30.3, 30.3, 60)]),
    "gammainc": Exact(
        gammainc,
        SHAPES,
        ARGUMENTS,
        at=BESIDE[::3],
        condition=True,
        ordinary=[(0.1, 50), (0.1, 50)],
    ),
    "gammaincc": Exact(
        gammaincc,
        SHAPES,
        ARGUMENTS,
        at=BESIDE[::3],
        condition=True,
        ordinary=[(0.1, 50), (0.1, 50)],
    ),
    "gammaincinv": Exact(
        gammaincinv,
        FEW_SHAPES,
        PROBABILITIES,
        condition=True,
        ordinary=[(0.1, 50), (0, 1)],
    ),
    "gammainccinv": Exact(
        gammainccinv,
        FEW_SHAPES,
        PROBABILITIES,
        condition=True,
        ordinary=[(0.1, 50), (0, 1)],
    ),
    "chdtr": Exact(
        lambda v, x: gammainc(v / 2, x / 2),
        FEW_SHAPES,
        ARGUMENTS,
        condition=True,
        ordinary=[(0.1, 50), (0.1, 50)],
    ),
    "chdtrc": Exact(
        lambda v, x: gammaincc(v / 2, x / 2),
        FEW_SHAPES,
        ARGUMENTS,
        condition=True,
        ordinary=[(0.1, 50), (0.1, 50)],
    ),
    "chdtri": Exact(
        lambda v, q: 2 * gammainccinv(v / 2, q),
        FEW_SHAPES,
        PROBABILITIES,
        condition=True,
        ordinary=[(0.1, 50), (0, 1)],
    ),
    "pdtr": Exact(
        lambda k, m: gammaincc(mp.floor(k) + 1, m),
        SHAPES_OF_POISSON,
        ARGUMENTS,
        condition=True,
        ordinary=[(0, 50), (0.1, 50)],
    ),
    "pdtrc": Exact(
        lambda k, m: gammainc(mp.floor(k) + 1, m),
        SHAPES_OF_POISSON,
        ARGUMENTS,
        condition=True,
        ordinary=[(0, 50), (0.1, 50)],
    ),
    "pdtri": Exact(
        lambda k, p: gammainccinv(mp.floor(k) + 1, p),
        SHAPES_OF_POISSON,
        PROBABILITIES,
        condition=True,
        ordinary=[(0, 50), (0, 1)],
    ),
    "gdtr": Exact(
        lambda a, b, x: gammainc(b, a * x),
        [0.25, 1.0, 8.0],
        FEW_SHAPES,
        ARGUMENTS,
        condition=True,
        ordinary=[(0.1, 5), (0.1, 50), (0.1, 10)],
    ),
    "gdtrc": Exact(
        lambda a, b, x: gammaincc(b, a * x),
        [0.25, 1.0, 8.0],
        FEW_SHAPES,
        ARGUMENTS,
        condition=True,
        ordinary=[(0.1, 5), (0.1, 50), (0.1, 10)],
    ),
    "gdtria": Exact(
        lambda p, b, x: gammaincinv(b, p) / x,
        PROBABILITIES,
        FEW_SHAPES,
        [0.25, 1.0, 8.0],
        condition=True,
        ordinary=[(0, 1), (0.1, 50), (0.1, 10)],
    ),
    "gdtrix": Exact(
        lambda a, b, p: gammaincinv(b, p) / a,
        [0.25, 1.0, 8.0],
        FEW_SHAPES,
        PROBABILITIES,
        condition=True,
        ordinary=[(0.1, 10), (0.1, 50), (0, 1)],
    ),
    "gdtrib": Exact(
        gdtrib,
        [0.5, 1.0, 4.0],
        PROBABILITIES,
        MODERATE,
        condition=True,
        ordinary=[(0.1, 10), (0, 1), (0.1, 10)],
    ),
    "chdtriv": Exact(
        chdtriv,
        PROBABILITIES,
        MODERATE,
        condition=True,
        ordinary=[(0, 1), (0.1, 50)],
    ),
    "pdtrik": Exact(
        pdtrik,
        PROBABILITIES,
        MODERATE,
        condition=True,
        ordinary=[(0, 1), (0.1, 50)],
    ),
    "poch": Exact(
        poch,
        [*LIMITED[::4], *spaced(-30.3, 30.2, 30), *log_spaced(0, 8, 20)],
        [*spaced(-10.3, 10.2, 20), *spaced(-3, 8, 12)],
        condition=True,
        ordinary=[(0.1, 30), (0, 5)],
    ),
    "zetac": Exact(
        zetac,
        [
            *spaced(-60.3, 40.2, 100),
            *around(1),
            *spaced(-3, 3, 25),
            60.0,
            200.0,
            1000.0,
        ],
        condition=True,
        ordinary=[(1.1, 20)],
    ),
}


# ---- SciPy's -------------------------------------------------------------------------


def out_of_range(a, p):
    """Of the inverses' shape and probability."""
    return (p < 0) | (p > 1) | np.isnan(p) | (a == 0) | (a > 1e9)


PROBABILITY = (
    "takes some probabilities outside [0, 1] and shapes of 0, and its inverse is off "
    "by more than the last digits where the shape is large"
)
LIMITS = "makes NaN of what has a limit at 0 or infinity"

SCIPY = {
    "gammaincinv": {"wrong": out_of_range, "reason": PROBABILITY},
    "gammainccinv": {"wrong": out_of_range, "reason": PROBABILITY},
    "gdtria": {
        "wrong": lambda p, b, x: out_of_range(b, p) | (x == 0) | ~np.isfinite(x),
        "reason": f"{PROBABILITY}; {LIMITS}",
    },
    "gdtrix": {
        "wrong": lambda a, b, p: out_of_range(b, p) | (a == 0) | ~np.isfinite(a),
        "reason": f"{PROBABILITY}; {LIMITS}",
    },
    "gdtrib": {
        "wrong": lambda a, p, x: (
            ~np.isfinite(a) | ~np.isfinite(x) | (a * x > 1e9) | (p * 1e9 < 1)
        ),
        "reason": f"{LIMITS}; is off by more than the last digits in the tails",
    },
    "pdtri": {
        "wrong": lambda k, p: (k < 0) | (k >= 2**31),
        "reason": "takes orders that a C int holds, and those above -1 for 0",
    },
    "poch": {
        "wrong": lambda z, m: ~np.isfinite(z) | ~np.isfinite(m),
        "reason": "loses NaN and infinities",
    },
}
