"""Points and exact values of the family struve."""

import mpmath as mp

from . import MODERATE, Exact, both, log_spaced, spaced

ORDERS = [*spaced(-5.3, 5.2, 15), 0, 1, 2, 3, -1, -2, -0.5, -1.5, 10, 25, 60.25]
ARGUMENTS = [*log_spaced(-4, 2, 20), *spaced(1.5, 60, 30)]
RIGHT = [*(x for x in MODERATE if x < 700), *spaced(0.35, 40, 80)]


def kelvin(part, second, slope):
    def f(x):
        turn = mp.expjpi(mp.mpf(1) / 4)
        bessel = mp.besselk if second else mp.besseli
        if not slope:
            return part(bessel(0, x * turn))
        return part((-turn if second else turn) * bessel(1, x * turn))

    return f


def all_of_kelvin(x):
    turn = mp.expjpi(mp.mpf(1) / 4)
    first = [mp.besseli(n, x * turn) for n in (0, 1)]
    second = [mp.besselk(n, x * turn) for n in (0, 1)]
    return first[0], second[0], turn * first[1], -turn * second[1]


KELVIN = {
    name: (mp.re if "er" in name else mp.im, name[0] == "k", name[-1] == "p")
    for name in ("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip")
}
FUNCTIONS = {
    "struve": Exact(
        mp.struveh, ORDERS, ARGUMENTS, condition=True, ordinary=[(0, 3), (0.1, 30)]
    ),
    "modstruve": Exact(
        mp.struvel, ORDERS, ARGUMENTS, condition=True, ordinary=[(0, 3), (0.1, 30)]
    ),
    **{
        name: Exact(
            kelvin(*which),
            RIGHT if which[1] else both(RIGHT),
            condition=True,
            ordinary=[(0.1, 20)],
        )
        for name, which in KELVIN.items()
    },
    "kelvin": Exact(all_of_kelvin, RIGHT[::3], condition=True, ordinary=[(0.1, 20)]),
}


def far(x):
    return ~(abs(x) < 1e7)


SCIPY = {
    **{
        name: {
            "ulp": 1e8,
            "floor": 1e-3,
            "wrong": far,
            "reason": "SciPy's errors are some 1e-9, and what is at infinity is nan.",
        }
        for name in KELVIN
    },
    "struve": {
        "ulp": 1e5,
        "floor": 1e-3,
        "wrong": lambda v, x: ~(abs(x) < 1e3) | ~(abs(v) < 50),
        "reason": "SciPy's error where its series cancel, and near the zeros.",
    },
    "modstruve": {
        "ulp": 1e5,
        "wrong": lambda v, x: ~(abs(x) < 700) | ~(abs(v) < 50),
        "reason": "SciPy's error where its series cancel.",
    },
    "kelvin": {
        "ulp": 1e8,
        "floor": 1e-3,
        "wrong": far,
        "reason": "SciPy's errors are some 1e-9, and what is at infinity is nan.",
    },
}
