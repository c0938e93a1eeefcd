"""Points and exact values of the family bessel."""

import mpmath as mp
import numpy as np

from . import POSITIVE, REALS, Exact, around, log_spaced, spaced

ZEROS = {
    "j0": (2.404825557695773, 5.520078110286311, 8.653727912911013),
    "j1": (3.8317059702075125, 7.015586669815619, 10.173468135062722),
    "y0": (0.8935769662791675, 3.957678419314858, 7.086051060301773),
    "y1": (2.197141326031017, 5.429681040794135, 8.596005868331169),
}
MODERATE = spaced(0.3, 40, 60)
RIGHT = [*POSITIVE[::2], *MODERATE]
BELOW_700 = [x for x in RIGHT if x < 500]
ORDERS = [0, 1, 2, 3, 5, 10, 15, 20, 31, 50, 100, -1, -2, -3]
ARGUMENTS = [*log_spaced(-3, 3, 25), *spaced(1.9, 60, 40)]


def order(f, n):
    return lambda x: f(n, x)


def second_modified(n, x):
    """K of a whole order by the series of K0, the Wronskian and the recurrence: mpmath
    itself has few digits for some arguments."""
    n, digits = abs(int(n)), mp.mp.dps
    with mp.workdps(digits + int(0.9 * float(x)) + 20):
        q, term, harmonic, k0, k = (x / 2) ** 2, mp.mpf(1), mp.mpf(0), mp.mpf(0), 0
        log_of = mp.log(x / 2) + mp.euler
        while k < x + 10 or abs(term) > mp.mpf(10) ** (-mp.mp.dps):
            k0 += term * (harmonic - log_of)
            k += 1
            harmonic += mp.mpf(1) / k
            term *= q / k**2
        k1 = (1 / x - mp.besseli(1, x) * k0) / mp.besseli(0, x)
        for k in range(n):
            k0, k1 = k1, k0 + 2 * (k + 1) / x * k1
        return k0


def scaled(f, n, sign):
    return lambda x: f(n, x) * mp.exp(sign * abs(x))


def whole(f):
    return lambda n, x: f(int(n), x)


def integral_of_power(a, b, c):
    """By the integrals of the terms of the series of J."""
    total = mp.hyp1f2((b + c + 1) / 2, (b + c + 3) / 2, c + 1, -(a**2))
    return total * a**c / mp.gamma(c + 1) / (b + c + 1)


FUNCTIONS = {
    **{
        f"j{n}": Exact(
            order(mp.besselj, n),
            [x for x in [*REALS[::3], *MODERATE] if abs(x) < 1e12],
            at=[(x,) for x in around(*ZEROS[f"j{n}"], powers=(4, 9, 20))],
            condition=True,
            ordinary=[(0, 20)],
        )
        for n in (0, 1)
    },
    **{
        f"y{n}": Exact(
            order(mp.bessely, n),
            [x for x in RIGHT if x < 1e12],
            at=[(x,) for x in around(*ZEROS[f"y{n}"], powers=(4, 9, 20))],
            condition=True,
            ordinary=[(0.01, 20)],
        )
        for n in (0, 1)
    },
    "i1": Exact(
        order(mp.besseli, 1),
        [x for x in [*REALS[::3], *MODERATE] if abs(x) < 700],
        condition=True,
        ordinary=[(0, 20)],
    ),
    **{
        f"i{n}e": Exact(
            scaled(mp.besseli, n, -1),
            [x for x in [*REALS[::3], *MODERATE] if abs(x) < 1e5],
            ordinary=[(0, 20)],
        )
        for n in (0, 1)
    },
    **{
        f"k{n}": Exact(
            order(second_modified, n), BELOW_700, condition=True, ordinary=[(0.01, 20)]
        )
        for n in (0, 1)
    },
    **{
        f"k{n}e": Exact(
            scaled(second_modified, n, 1),
            [x for x in RIGHT if x < 1e3],
            ordinary=[(0.01, 20)],
        )
        for n in (0, 1)
    },
    "yn": Exact(
        whole(mp.bessely), ORDERS, ARGUMENTS, condition=True, ordinary=[(0, 9), (1, 50)]
    ),
    "kn": Exact(
        second_modified,
        ORDERS,
        [x for x in ARGUMENTS if x < 700],
        condition=True,
        ordinary=[(0, 9), (1, 50)],
    ),
    "besselpoly": Exact(
        integral_of_power,
        spaced(0.25, 4, 6),
        [0.0, 1.0, 2.0, 3.5],
        [0.0, 1.0, 2.5, 4.0],
        bound=1e-12,
        reason="The terms of the series cancel for a large a.",
        condition=True,
        ordinary=[(0, 4), (0, 3), (0, 3)],
    ),
}


def endless(x):
    return np.isinf(x) | (abs(x) > 1e15)


def endless_or_not_positive(n, x):
    return endless(x) | ~(x > 0) | np.isinf(n)


WAVES = {
    "ulp": 64,
    "floor": 0.01,
    "wrong": endless,
    "reason": "SciPy's phase is wrong far away, its value at infinity nan, and near "
    "the zeros its error is absolute.",
}
SCIPY = {
    **dict.fromkeys(("j0", "j1", "y0", "y1"), WAVES),
    "i0": {"wrong": np.isinf, "reason": "SciPy's value at infinity is nan."},
    "i1": {"wrong": np.isinf, "reason": "SciPy's value at infinity is nan."},
    "k0": {"ulp": 32, "reason": "SciPy's error"},
    "yn": {
        "ulp": 1000,
        "floor": 0.01,
        "wrong": endless_or_not_positive,
        "reason": "SciPy's phase is wrong far away, and near the zeros its error is "
        "absolute; its values at infinity and of infinite orders are others.",
    },
    "kn": {
        "ulp": 200,
        "wrong": lambda n, x: np.isinf(n),
        "reason": "SciPy's error; of an infinite order its value is nan.",
    },
    "besselpoly": {
        "ulp": 1000,
        "wrong": lambda a, b, c: (
            ~(abs(a) < 6) | ~(b > -1) | ~(c > -1) | ~np.isfinite(b) | ~np.isfinite(c)
        ),
        "reason": "For a large a the terms of the series cancel.",
    },
}
