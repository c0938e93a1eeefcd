"""Points and exact values of the family orthogonal."""

import mpmath as mp
import numpy as np

from . import Exact, around, both, single

DEGREES = [0, 1, 2, 3, 5, 8, 17, 32, 33, 50, 100]
REAL_DEGREES = single([-2.5, -0.5, 0.25, 0.5, 1.75, 5.5, 9.375, 20.75])
WITHIN = sorted(
    {
        *both(single([1e-20, 1e-8, 1e-3, 0.1, 0.2, 0.45, 0.5, 0.55, 0.7, 0.9, 0.97])),
        *around(1, powers=(8, 12, 20)),
        -0.999,
        1.0,
        0.0,
    }
)
WITHIN = [x for x in WITHIN if x <= 1]
ALONG = sorted({*WITHIN, -1.0, *both(single([1.001, 1.1, 1.7, 3, 10, 1e4]))})
SHIFTED = sorted(
    {*single([1e-20, 1e-9, 1e-3, 0.1, 0.3, 0.5, 0.6, 0.8, 0.999]), 0.0, 1.0}
)
RIGHT = sorted({*single([0, 1e-20, 1e-6, 1e-2, 0.3, 1, 2.5, 7, 20, 60, 200]), 1e9})
COMPLEX_POINTS = [
    complex(np.complex64(z))
    for z in (0.3 + 0.4j, -0.7 + 0.1j, 2 - 1j, -3 + 0.5j, 0.01 + 1e-3j, 0.9 - 1e-4j)
]


def steps(first, second, following):
    """The polynomial of degree n by its recurrence, of any arguments."""

    def function(n, *arguments):
        before, now = mp.mpf(1), first(*arguments)
        if n < 0:
            return second(n, *arguments)
        if n == 0:
            return before
        for k in range(1, int(n)):
            before, now = now, following(k, before, now, *arguments)
        return now

    return function


legendre = steps(
    lambda x: x,
    lambda n, x: legendre(-n - 1, x),
    lambda k, p, q, x: ((2 * k + 1) * x * q - k * p) / (k + 1),
)
chebyt = steps(
    lambda x: x, lambda n, x: chebyt(-n, x), lambda k, p, q, x: 2 * x * q - p
)
chebyu = steps(
    lambda x: 2 * x,
    lambda n, x: 0 if n == -1 else -chebyu(-n - 2, x),
    lambda k, p, q, x: 2 * x * q - p,
)
hermite = steps(lambda x: 2 * x, None, lambda k, p, q, x: 2 * (x * q - k * p))
hermitenorm = steps(lambda x: x, None, lambda k, p, q, x: x * q - k * p)
genlaguerre = steps(
    lambda a, x: 1 + a - x,
    lambda n, a, x: 0,
    lambda k, p, q, a, x: ((2 * k + 1 + a - x) * q - (k + a) * p) / (k + 1),
)
gegenbauer = steps(
    lambda a, x: 2 * a * x,
    lambda n, a, x: 0,
    lambda k, p, q, a, x: (2 * (k + a) * x * q - (k + 2 * a - 1) * p) / (k + 1),
)


def jacobi(n, a, b, x):
    """By the sum of its definition."""
    with mp.workdps(120):
        return +mp.fsum(
            mp.binomial(n + a, n - j)
            * mp.binomial(n + b, j)
            * ((x - 1) / 2) ** j
            * ((x + 1) / 2) ** (n - j)
            for j in range(int(n) + 1)
        )


def sh_jacobi(n, p, q, x):
    return jacobi(n, p - q, q - 1, 2 * x - 1) / mp.binomial(2 * n + p - 1, n)


def chebyt_of_real(v, x):
    return mp.cos(v * mp.acos(x)).real


def chebyu_of_real(v, x):
    angle = mp.acos(x)
    return (mp.sin((v + 1) * angle) / mp.sin(angle)).real if x != 1 else v + 1


def legendre_of_real(v, x):
    return mp.legenp(v, 0, x, type=2).real


def lpmv(m, v, x):
    if abs(x) == 1:
        return mp.mpf(0 if m else 1)
    with mp.workdps(80):
        return +mp.legenp(v, m, x, type=2).real


def of_half(function):
    return lambda n, x: function(n, x / 2)


def of_shifted(function):
    return lambda n, x: function(n, 2 * x - 1)


def line(function, *grids, **options):
    return Exact(function, *grids, condition=True, **options)


FUNCTIONS = {
    "eval_legendre": line(legendre, [*DEGREES, -1, -4, 1000], ALONG),
    "eval_legendre of real degree": line(
        legendre_of_real, REAL_DEGREES, [x for x in WITHIN if x > -1]
    ),
    "eval_legendre of complex numbers": line(
        legendre, [float(n) for n in DEGREES], COMPLEX_POINTS
    ),
    "eval_sh_legendre": line(of_shifted(legendre), DEGREES, SHIFTED),
    "eval_chebyt": line(chebyt, [*DEGREES, -3, 1000], ALONG),
    "eval_chebyt of real degree": line(
        chebyt_of_real, REAL_DEGREES, [x for x in ALONG if x > -1]
    ),
    "eval_chebyt of complex numbers": line(
        chebyt, [float(n) for n in DEGREES], COMPLEX_POINTS
    ),
    "eval_chebyu": line(chebyu, [*DEGREES, -1, -2, -5, 1000], ALONG),
    "eval_chebyu of real degree": line(
        chebyu_of_real, REAL_DEGREES, [x for x in ALONG if x > -1]
    ),
    "eval_chebyc": line(lambda n, x: 2 * chebyt(n, x / 2), DEGREES, ALONG),
    "eval_chebys": line(of_half(chebyu), DEGREES, ALONG),
    "eval_sh_chebyt": line(of_shifted(chebyt), DEGREES, SHIFTED),
    "eval_sh_chebyu": line(of_shifted(chebyu), DEGREES, SHIFTED),
    "eval_hermite": line(hermite, DEGREES, both(RIGHT[:-1])),
    "eval_hermitenorm": line(hermitenorm, DEGREES, both(RIGHT[:-1])),
    "eval_laguerre": line(
        lambda n, x: genlaguerre(n, 0, x), [*DEGREES, 1000], [*RIGHT, -0.5, -30.0]
    ),
    "eval_genlaguerre": line(
        genlaguerre, DEGREES, single([-0.9, 0.3, 2.5, 40]), [*RIGHT[1:], -0.5, -30.0]
    ),
    "eval_gegenbauer": line(
        gegenbauer, DEGREES, single([-0.4, 1e-9, 0.5, 1.5, 20]), ALONG
    ),
    "eval_jacobi": line(
        jacobi, DEGREES[:-2], single([-0.9, 0, 0.5, 7]), single([-0.5, 0.25, 3]), ALONG
    ),
    "eval_sh_jacobi": line(
        sh_jacobi, DEGREES[:-2], single([1.25, 3, 7]), single([0.5, 1.25, 2]), SHIFTED
    ),
    "lpmv": line(
        lpmv,
        [0.0, 1, 2, 5, 12, -1, -3],
        [*REAL_DEGREES, 12.0, 13, 31],
        [x for x in WITHIN if abs(x) < 1],
    ),
}


def _not_compared(n, *arguments):
    """Of a degree that is no integer SciPy has no more digits than 2F1 has, which is
    infinite left of its domain, and as many steps as a large degree has."""
    x = arguments[-1]
    small = (n == np.rint(n)) & (np.abs(n) <= 10) & (np.abs(x) < 1e3)
    for parameter in arguments[:-1]:
        small &= (parameter > 0) & (parameter < 30)
    if len(arguments) == 3:  # p and q of sh_jacobi
        small &= arguments[1] <= arguments[0]
    return ~small


# Of large degrees SciPy takes as many steps.
_DEGREES = [0.0, 1, 2, 3, 5, 8, 10, 2.5, 7.25]
_PARAMETERS = [0.5, 1.0, 1.25, 2, 5]
_POINTS = [0.0, 1e-10, 0.25, 0.5, 0.7, 0.999, 1, 1.5, 3.5, 25]


_POLYNOMIAL = {
    "ulp": 1 << 14,
    "floor": 1,
    "wrong": _not_compared,
    "reason": "SciPy's polynomials of real and complex dtypes are values of 2F1 and "
    "1F1, whose terms cancel, and of integers lose digits near their roots.",
}
_COUNTS = {"eval_genlaguerre": 1, "eval_gegenbauer": 1}
_COUNTS |= {"eval_jacobi": 2, "eval_sh_jacobi": 2}
SCIPY = {
    name: _POLYNOMIAL
    | {"samples": [_DEGREES, *[_PARAMETERS] * _COUNTS.get(name, 0), _POINTS]}
    for name in (line.split()[0] for line in FUNCTIONS)
    if name != "lpmv"
}
SCIPY["lpmv"] = {
    "samples": [
        [0.0, 1, 2, 3],
        [0.0, 0.5, 1, 2, 2.75, 7.25, 10],
        [0.0, 1e-10, 0.25, 0.5, 0.7, 0.999, 1],
    ],
    "ulp": 1 << 16,
    "floor": 1,
    "wrong": lambda m, v, x: (np.abs(m) > 2) | (v > 30) | (x < -0.5) | (m > v),
    "reason": "SciPy's of a real degree loses digits left of 0, and its value for "
    "x = -1 has the wrong sign.",
}
