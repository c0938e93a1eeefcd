"""Write the polynomials of cuda/include/cupric/math/elementary.hpp, special.hpp and
single_in_double.hpp, and of special/gamma.hpp: polynomials.hpp,
special_polynomials.hpp, which stirling.hpp uses, too, single_polynomials.hpp and
gamma_polynomials.hpp.

    pip install mpmath
    python -m tools.polynomials

Each has the lowest degree that keeps its share of a result's error below a sixteenth
of a unit in the last place; minimax.py finds it.
"""

from functools import partial

import mpmath as mp

from tools.minimax import (
    FOLDER,
    PRECISION,
    SINGLE_BITS,
    TAIL,
    coefficients_for,
    is_immediate,
    near_zero,
    quotient_for,
    ratios,
    rounded,
    rounded_at_once,
    rounded_highest_first,
    rounded_lowest_first,
    rounded_to_immediates,
    written,
)

LN2, PI = mp.log(2), mp.pi
HALF_LN2_SQUARED = (LN2 / 2) ** 2 * mp.mpf("1.002")


def odd_tail(f, series):
    """(f(r) - r) / r**3 as a function of s = r**2, and its part of f(r)."""

    def value(s):
        r = mp.sqrt(s)
        return near_zero(lambda s: (f(r) - r) / (r * s), series, s)

    def weight(s):
        r = mp.sqrt(s)
        return r * s / f(r) if s else mp.mpf(0)

    return value, weight


def exp_tail(r):
    return near_zero(
        lambda r: (mp.expm1(r) - r - r * r / 2) / r**3,
        ratios((1, 6), (1, 24), (1, 120), (1, 720)),
        r,
    )


def log1p_tail(f):
    return near_zero(
        lambda f: (mp.log1p(f) - f + f * f / 2) / f**3,
        ratios((1, 3), (-1, 4), (1, 5), (-1, 6)),
        f,
    )


def past_scale(base):
    """log(1 + f) / f to the base less its value at 0 as a float, and its part, which
    counts more where other errors add to it: far from 0, or where k is not 0."""

    def ratio(f):
        series = ratios((1, 1), (-1, 2), (1, 3), (-1, 4))
        return near_zero(lambda f: mp.log1p(f) / f, series, f) / mp.log(base)

    scale = rounded(1 / mp.log(base), PRECISION["float"])
    return (
        lambda f: ratio(f) - scale,
        lambda f: mp.sqrt(abs(f) + mp.mpf(1) / 50) / ratio(f),
    )


def atanh_tail(s):
    def value(s):
        q = mp.sqrt(s)
        return (2 * mp.atanh(q / 2) - q) / (q * s)

    return near_zero(value, ratios((1, 12), (1, 80), (1, 448), (1, 2304)), s)


def log_tail(s):
    def value(s):
        q = mp.sqrt(s)
        return 2 * (mp.atanh(q) - q) / (q * s)

    return near_zero(value, ratios((2, 3), (2, 5), (2, 7), (2, 9)), s)


def cos_tail(s):
    return near_zero(
        lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2,
        ratios((1, 24), (-1, 720), (1, 40320)),
        s,
    )


def cosh_tail(s):
    return near_zero(
        lambda s: (mp.cosh(mp.sqrt(s)) - 1 - s / 2) / s**2,
        ratios((1, 24), (1, 720), (1, 40320)),
        s,
    )


def sinpi_tail(s):
    if s > mp.mpf("1e-20"):
        return (single_sinpi(s) - PI) / s
    return -(PI**3) / 6 + PI**5 * s / 120


def cospi_tail(s):
    if s > mp.mpf("1e-20"):
        return (mp.cos(PI * mp.sqrt(s)) - 1) / s
    return -(PI**2) / 2 + PI**4 * s / 24


def single_sinpi(s):
    x = mp.sqrt(s)
    return mp.sin(PI * x) / x if s else PI


def sinpi_over_pi_tail(s):
    if s > mp.mpf("1e-20"):
        return (single_sinpi(s) / PI - 1) / s
    return -(PI**2) / 6 + PI**4 * s / 120


SIN = odd_tail(mp.sin, ratios((-1, 6), (1, 120), (-1, 5040)))
TAN = odd_tail(mp.tan, ratios((1, 3), (2, 15), (17, 315)))
ASIN = odd_tail(mp.asin, ratios((1, 6), (3, 40), (15, 336)))
ATAN = odd_tail(mp.atan, ratios((-1, 3), (1, 5), (-1, 7)))
ASINH = odd_tail(mp.asinh, ratios((-1, 6), (3, 40), (-15, 336), (105, 3456)))
SINH = odd_tail(mp.sinh, ratios((1, 6), (1, 120), (1, 5040)))
TANH = odd_tail(mp.tanh, ratios((-1, 3), (2, 15), (-17, 315)))


# name, what it is, function, weight (the error of the result for an error of one),
# from, to, the bits below a result's last that it must keep (None: as many as the
# lines of elementary.hpp that refine it need, given for float and double, or for one)
POLYNOMIALS = [
    (
        "exp_tail",
        "(exp(r) - 1 - r - r**2 / 2) / r**3 for |r| <= log(2) / 2",
        exp_tail,
        lambda r: r**2 * abs(r / mp.expm1(r)) if r else mp.mpf(0),
        -LN2 / 2 * mp.mpf("1.001"),
        LN2 / 2 * mp.mpf("1.001"),
        None,
    ),
    (
        "exp_square",
        "(exp(r) - 1 - r) / r**2 for |r| <= log(2) / 2, beside exp(r)",
        lambda r: near_zero(
            lambda r: (mp.expm1(r) - r) / r**2, ratios((1, 2), (1, 6), (1, 24)), r
        ),
        lambda r: r**2 * mp.exp(-r),
        -LN2 / 2 * mp.mpf("1.001"),
        LN2 / 2 * mp.mpf("1.001"),
        {"float": 28, "double": 57},
    ),
    (
        "exp2_square",
        "(2**r - 1 - r log(2)) / r**2 for |r| <= 1 / 2, beside 2**r",
        lambda r: near_zero(
            lambda r: (mp.expm1(LN2 * r) - LN2 * r) / r**2,
            [LN2**2 / 2, LN2**3 / 6, LN2**4 / 24],
            r,
        ),
        lambda r: r**2 * mp.mpf(2) ** -r,
        mp.mpf("-0.5"),
        mp.mpf("0.5"),
        {"float": 28, "double": 57},
    ),
    (
        "log_square",
        "(log(1 + f) - f) / f**2 for 1 + f in [3/4, 3/2]",
        lambda f: near_zero(
            lambda f: (mp.log1p(f) - f) / f**2, ratios((-1, 2), (1, 3), (-1, 4)), f
        ),
        lambda f: abs(f * f / mp.log1p(f)) if f else mp.mpf(0),
        mp.mpf("-0.2501"),
        mp.mpf("0.5001"),
        {"float": 27},
    ),
    *(
        (
            f"log{base}_rest",
            f"log{base}(1 + f) / f - LOG{base}_E for 1 + f in [sqrt(1/2), sqrt(2)]",
            *past_scale(base),
            mp.sqrt(mp.mpf(1) / 2) - mp.mpf("1.001"),
            mp.sqrt(2) - mp.mpf("0.999"),
            {"float": 27},
        )
        for base in (2, 10)
    ),
    (
        "half_log_tail",
        "(atanh(q) - q) / q**3 in q**2, for |q| <= 0.2728",
        *odd_tail(mp.atanh, ratios((1, 3), (1, 5), (1, 7))),
        0,
        mp.mpf("0.2728") ** 2,
        {"float": 28},
    ),
    *(
        (
            name,
            f"(2 atanh(q) - 2 q) / q**3 in q**2, for |q| <= {limit}",
            log_tail,
            lambda s: s / (2 + s * log_tail(s)),
            0,
            mp.mpf(limit) ** 2,
            {"double": 57},
        )
        # the larger 3 - 2 sqrt(2)
        for name, limit in (("log_tail", "0.1716"), ("log_wide_tail", "0.2001"))
    ),
    *(
        (
            name,
            f"(2 atanh(q / 2) - q) / q**3 in q**2, for |q| <= {limit}",
            atanh_tail,
            lambda s: s / (1 + s * atanh_tail(s)),
            0,
            mp.mpf(limit) ** 2 * mp.mpf("1.0001"),
            shares,
        )
        # the larger 6 - 4 sqrt(2), and what atanh() allows for
        for name, limit, shares in (
            ("atanh_tail", "0.3432", {"float": 28, "double": 57}),
            ("atanh_wide_tail", "0.4008", {"double": 57}),
        )
    ),
    (
        "single_log2",
        "log2(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)], for powers of floats",
        lambda f: (
            near_zero(
                lambda f: mp.log1p(f) / f, ratios((1, 1), (-1, 2), (1, 3), (-1, 4)), f
            )
            / LN2
        ),
        lambda f: abs(f * LN2 / mp.log1p(f)) if f else mp.mpf(0),
        mp.sqrt(mp.mpf(1) / 2) - mp.mpf("1.001"),
        mp.sqrt(2) - mp.mpf("0.999"),
        {"double": 35},
    ),
    (
        "single_exp2",
        "2**r for |r| <= 1 / 2, for powers of floats",
        lambda r: mp.mpf(2) ** r,
        lambda r: mp.mpf(2) ** -r,
        mp.mpf("-0.5005"),
        mp.mpf("0.5005"),
        {"double": 28},
    ),
    (
        "sin_tail",
        "(sin(r) - r) / r**3 in r**2, for |r| <= pi / 4",
        *SIN,
        0,
        (PI / 4) ** 2 * mp.mpf("1.012"),
        None,
    ),
    (
        "cos_tail",
        "(cos(r) - 1 + r**2 / 2) / r**4 in r**2, for |r| <= pi / 4",
        cos_tail,
        lambda s: s**2 / mp.cos(mp.sqrt(s)),
        0,
        (PI / 4) ** 2 * mp.mpf("1.012"),
        None,
    ),
    (
        "tan_tail",
        "(tan(r) - r) / r**3 in r**2, for |r| <= pi / 4",
        *TAN,
        0,
        (PI / 4) ** 2 * mp.mpf("1.012"),
        {"float": 28},
    ),
    (
        "single_sinc",
        "sin(pi x) / (pi x) in x**2, for |x| <= 1 / 2, for floats",
        lambda s: single_sinpi(s) / PI,
        lambda s: PI / single_sinpi(s),
        0,
        mp.mpf("0.25"),
        {"double": 30},
    ),
    (
        "sinpi_over_pi_tail",
        "(sin(pi x) / pi - x) / x**3 in x**2, for |x| <= 0.3",
        sinpi_over_pi_tail,
        lambda s: s / (1 + s * sinpi_over_pi_tail(s)),
        0,
        mp.mpf("0.0901"),
        {"double": 57},
    ),
    (
        "cospi_over_pi_tail",
        "(cos(pi x) - 1) / (pi x**2) in x**2, for |x| <= 0.2",
        lambda s: cospi_tail(s) / PI,
        lambda s: s * PI / mp.cos(PI * mp.sqrt(s)),
        0,
        mp.mpf("0.0401"),
        {"double": 57},
    ),
    (
        "asin_tail",
        "(asin(x) - x) / x**3 in x**2, for |x| <= 1 / 2",
        *ASIN,
        0,
        mp.mpf("0.2501"),
        None,
    ),
    (
        "atan_tail",
        "(atan(x) - x) / x**3 in x**2, for |x| <= tan(pi / 8)",
        *ATAN,
        0,
        mp.tan(PI / 8) ** 2 * mp.mpf("1.002"),
        None,
    ),
    (
        "atan_long_tail",
        "(atan(x) - x) / x**3 in x**2, for |x| <= 1",
        *ATAN,
        0,
        mp.mpf("1.0001"),
        {"float": 28},
    ),
    (
        "asinh_tail",
        "(asinh(x) - x) / x**3 in x**2, for |x| <= 0.46",
        *ASINH,
        0,
        mp.mpf("0.46") ** 2,
        {"float": 28},
    ),
    (
        "sinh_tail",
        "(sinh(r) - r) / r**3 in r**2, for |r| <= log(2) / 2",
        *SINH,
        0,
        HALF_LN2_SQUARED,
        {"float": 27, "double": 57},
    ),
    (
        "cosh_tail",
        "(cosh(r) - 1 - r**2 / 2) / r**4 in r**2, for |r| <= log(2) / 2",
        cosh_tail,
        lambda s: s**2,
        0,
        HALF_LN2_SQUARED,
        {"float": 28, "double": 57},
    ),
    (
        "tanh_tail",
        "(tanh(x) - x) / x**3 in x**2, for |x| <= 1",
        *TANH,
        0,
        mp.mpf(1),
        {"float": 28},
    ),
]


# name, for which r, function of r**2, to, coefficients over and under, whether the
# rounding error of what is under counts
QUOTIENTS = [
    (
        "tan",
        "|r| <= pi / 4",
        lambda s: mp.tan(mp.sqrt(s)) / mp.sqrt(s),
        (PI / 4) ** 2 * mp.mpf("1.012"),
        (3, 4),
        True,
    ),
    (
        "tanh",
        "|r| <= log(2) / 2",
        lambda s: mp.tanh(mp.sqrt(s)) / mp.sqrt(s),
        HALF_LN2_SQUARED,
        (2, 3),
        False,
    ),
]


# what log(gamma(z)) - (z - 1/2) (log(z) - 1) tends to
STIRLING = (mp.log(2 * PI) - 1) / 2


def stirling_tail(w):
    """What Stirling's formula lacks of log(gamma(z)), times z; w = z**-2."""
    if w < mp.mpf("1e-8"):
        series = ratios((1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188))
        return mp.polyval(series[::-1], w)
    z = 1 / mp.sqrt(w)
    half = mp.mpf(1) / 2
    return (mp.loggamma(z) - (z - half) * (mp.log(z) - 1) - STIRLING) * z


def gammaln_over_zeros(x):
    """log(gamma(x)) / ((x - 1) (x - 2))"""
    if min(abs(x - 1), abs(x - 2)) < mp.mpf("1e-25"):
        return mp.euler if x < mp.mpf(3) / 2 else 1 - mp.euler
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def gammaln_near(t):
    return gammaln_over_zeros(mp.mpf(3) / 2 + t)


GAMMALN_NEAR = gammaln_near(mp.mpf(0))
GAMMALN_SLOPE = -4 * mp.psi(0, mp.mpf(3) / 2)


def gammaln_tail(t):
    return (gammaln_near(t) - GAMMALN_NEAR - GAMMALN_SLOPE * t) / t**2


def log_square(r):
    """(log(1 + r) - r) / r**2"""
    return near_zero(
        lambda r: (mp.log1p(r) - r) / r**2, ratios((-1, 2), (1, 3), (-1, 4)), r
    )


def log_ratio(r):
    """log(1 + r) / r"""
    return near_zero(
        lambda r: mp.log1p(r) / r, ratios((1, 1), (-1, 2), (1, 3), (-1, 4)), r
    )


# near the gamma function's least value, where 1 / gamma(x) is flat
LEAST_GAMMA = mp.mpf(187) / 128
OVER_GAMMA = mp.rgamma(LEAST_GAMMA)


def over_gamma_tail(t):
    """(1 / gamma(x) - OVER_GAMMA) / t for x = LEAST_GAMMA + t."""
    if abs(t) < mp.mpf("1e-30"):
        return -OVER_GAMMA * mp.psi(0, LEAST_GAMMA)
    return (mp.rgamma(LEAST_GAMMA + t) - OVER_GAMMA) / t


# the same for special.hpp, stirling.hpp, gamma.hpp and gammaln.hpp
SPECIAL = [
    (
        "stirling_tail",
        "z (log(gamma(z)) - (z - 1/2) (log(z) - 1) - STIRLING) in z**-2, z >= 4",
        stirling_tail,
        lambda w: mp.sqrt(w),
        0,
        mp.mpf(1) / 16,
        {"float": 27, "double": 60},
    ),
    (
        "gammaln_tail",
        "gammaln(x) / (x - 1) / (x - 2) less two terms, by t**2, t = x - 3/2 <= 1/2",
        gammaln_tail,
        lambda t: t**2 / gammaln_near(t),
        mp.mpf("-0.5001"),
        mp.mpf("0.5001"),
        {"double": 57},
    ),
    (
        "over_gamma_tail",
        "(1 / gamma(x) - OVER_GAMMA) / t, t = x - LEAST_GAMMA, 1 <= x <= 2",
        over_gamma_tail,
        lambda t: abs(t) / mp.rgamma(LEAST_GAMMA + t),
        mp.mpf("0.9999") - LEAST_GAMMA,
        mp.mpf("2.0001") - LEAST_GAMMA,
        {"double": 66},
    ),
    (
        "small_log_tail",
        "(log(1 + f) - f + f**2 / 2) / f**3 for |f| <= 1 / 128",
        log1p_tail,
        lambda f: abs(f) ** 3,
        -mp.mpf(1) / 128,
        mp.mpf(1) / 128,
        {"double": 68},
    ),
    (
        "sinpi_tail",
        "(sin(pi h) - pi h) / h**3 in h**2, for |h| <= 1 / 64",
        sinpi_tail,
        lambda s: s / PI,
        0,
        mp.mpf(1) / 4096,
        {"double": 61},
    ),
    (
        "cospi_tail",
        "(cos(pi h) - 1) / h**2 in h**2, for |h| <= 1 / 64",
        cospi_tail,
        lambda s: s,
        0,
        mp.mpf(1) / 4096,
        {"double": 61},
    ),
    (
        "single_gamma_tail",
        "as stirling_tail(), for gamma of floats, beside which it is not small",
        stirling_tail,
        lambda w: mp.sqrt(w),
        0,
        mp.mpf(1) / 16,
        {"double": 30},
    ),
    (
        "single_exp",
        "exp(r) for |r| <= log(2) / 2, for gamma of floats",
        mp.exp,
        lambda r: mp.exp(-r),
        -LN2 / 2 * mp.mpf("1.001"),
        LN2 / 2 * mp.mpf("1.001"),
        {"double": 29},
    ),
    (
        "single_sinpi",
        "sin(pi x) / x in x**2, for |x| <= 1 / 2, for floats",
        single_sinpi,
        lambda s: 1 / single_sinpi(s),
        0,
        mp.mpf("0.25"),
        {"double": 35},
    ),
    (
        "wide_log_square",
        "(log(1 + r) - r) / r**2 for |r| <= 0.0335",
        log_square,
        lambda r: abs(r * r / mp.log1p(r)) if r else mp.mpf(0),
        mp.mpf("-0.0335"),
        mp.mpf("0.0335"),
        {"float": 28, "double": 59},
    ),
    (
        "single_small_log",
        "log(1 + r) / r for |r| <= 0.0335, for floats",
        log_ratio,
        lambda r: 1 / log_ratio(r),
        mp.mpf("-0.0335"),
        mp.mpf("0.0335"),
        {"double": 35},
    ),
]


# where digamma is zero, and what is left of it beside that factor
DIGAMMA_ROOT = mp.findroot(lambda x: mp.psi(0, x), mp.mpf("1.46163214496836234"))


def digamma_over_root(t):
    """psi(x) / (x - DIGAMMA_ROOT) for x = 3/2 + t."""
    x = mp.mpf("1.5") + t
    if abs(x - DIGAMMA_ROOT) < mp.mpf("1e-30"):
        return mp.psi(1, DIGAMMA_ROOT)
    return mp.psi(0, x) / (x - DIGAMMA_ROOT)


# the same for special/gamma.hpp
GAMMA = [
    (
        "digamma_over_root",
        "psi(x) / (x - DIGAMMA_ROOT) by t = x - 3/2, 1 <= x <= 2",
        digamma_over_root,
        lambda t: 1 / digamma_over_root(t),
        mp.mpf("-0.5001"),
        mp.mpf("0.5001"),
        {"double": 56},
    ),
]


def over_argument(f, series):
    """f(r) / r as a function of s = r**2, and its part of f(r)."""

    def value(s):
        return near_zero(lambda s: f(mp.sqrt(s)) / mp.sqrt(s), series, s)

    return value, lambda s: 1 / value(s)


def expm1_over_argument(r):
    return near_zero(
        lambda r: mp.expm1(r) / r, ratios((1, 1), (1, 2), (1, 6), (1, 24)), r
    )


def log1p_over_argument(f):
    series = ratios((1, 1), (-1, 2), (1, 3), (-1, 4))
    return near_zero(lambda f: mp.log1p(f) / f, series, f)


def less_1_over_square(f, series):
    """(f(r) - 1) / r**2 as a function of s = r**2, and its part of f(r) - 1."""

    def value(s):
        return near_zero(lambda s: (f(mp.sqrt(s)) - 1) / s, series, s)

    return value, lambda s: abs(1 / value(s))


# the same for single_in_double.hpp, whose results are rounded to float
SINGLE = [
    (
        "single_exp_of_rest",
        "exp(r) for |r| <= log(2) / 2",
        mp.exp,
        lambda r: mp.exp(-r),
        -LN2 / 2 * mp.mpf("1.001"),
        LN2 / 2 * mp.mpf("1.001"),
        {"double": 34},
    ),
    (
        "single_expm1",
        "(exp(r) - 1) / r for |r| <= log(2) / 2",
        expm1_over_argument,
        lambda r: 1 / expm1_over_argument(r),
        -LN2 / 2 * mp.mpf("1.001"),
        LN2 / 2 * mp.mpf("1.001"),
        {"double": SINGLE_BITS},
    ),
    (
        "single_sinh",
        "sinh(r) / r in r**2, for |r| <= log(2) / 2",
        *over_argument(mp.sinh, ratios((1, 1), (1, 6), (1, 120), (1, 5040))),
        0,
        HALF_LN2_SQUARED,
        {"double": SINGLE_BITS},
    ),
    (
        "single_cosh",
        "cosh(r) in r**2, for |r| <= log(2) / 2",
        lambda s: mp.cosh(mp.sqrt(s)),
        lambda s: 1 / mp.cosh(mp.sqrt(s)),
        0,
        HALF_LN2_SQUARED,
        {"double": 34},
    ),
    (
        "single_sin",
        "sin(r) / r in r**2, for |r| <= pi / 4",
        *over_argument(mp.sin, ratios((1, 1), (-1, 6), (1, 120), (-1, 5040))),
        0,
        (PI / 4) ** 2 * mp.mpf("1.001"),
        {"double": SINGLE_BITS},
    ),
    (
        "single_cos",
        "cos(r) in r**2, for |r| <= pi / 4",
        lambda s: mp.cos(mp.sqrt(s)),
        lambda s: 1 / mp.cos(mp.sqrt(s)),
        0,
        (PI / 4) ** 2 * mp.mpf("1.001"),
        {"double": 34},
    ),
    (
        "single_cos_less_1",
        "(cos(r) - 1) / r**2 in r**2, for |r| <= pi / 4",
        *less_1_over_square(mp.cos, ratios((-1, 2), (1, 24), (-1, 720))),
        0,
        (PI / 4) ** 2 * mp.mpf("1.001"),
        {"double": SINGLE_BITS},
    ),
    *(
        (
            name,
            "log(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)]",
            log1p_over_argument,
            lambda f: 1 / log1p_over_argument(f),
            mp.sqrt(mp.mpf(1) / 2) - mp.mpf("1.001"),
            mp.sqrt(2) - mp.mpf("0.999"),
            {"double": bits},
        )
        for name, bits in (("single_log1p", 31.8), ("single_log1p_for_power", 36.5))
    ),
    (
        "single_atan_tail",
        "(atan(q) - q) / q**3 in q**2, for |q| <= tan(pi / 8)",
        *ATAN,
        0,
        mp.mpf("0.17159"),
        {"double": 35.3},
    ),
]


def log2_past_square(r):
    """(log2(1 + r) - (r - r**2 / 2) / log(2)) / r**3"""
    return log1p_tail(r) / LN2


def from_table(r):
    """What a logarithm of base e is at least, where its table leaves r: the logarithm
    of 1 + r itself next to 1 and that of the row's end elsewhere."""
    return abs(mp.log1p(r)) if abs(r) < 1 / mp.mpf(256) else mp.log1p(1 / mp.mpf(256))


def power_over_argument(base):
    """(base**t - 1) / t, and its part of base**t."""
    log = mp.log(base)

    def value(t):
        return near_zero(
            lambda t: mp.expm1(log * t) / t, [log, log**2 / 2, log**3 / 6], t
        )

    return value, lambda t: abs(t)


# the same for powers.hpp, whose tables leave little to them
TABLE_REST = mp.mpf("0.00595")  # of the rows of power_pieces.hpp
POWERS = [
    (
        "log2_short",
        "(log2(1 + r) - (r - r**2 / 2) / log(2)) / r**3, for log2_row",
        log2_past_square,
        lambda r: abs(r) ** 3 * LN2 / from_table(r) if r else mp.mpf(0),
        -TABLE_REST,
        TABLE_REST,
        {"double": 67},
    ),
    (
        "log_short",
        "(log(1 + r) - r + r**2 / 2) / r**3, for log_row",
        log1p_tail,
        lambda r: abs(r) ** 3 / from_table(r) if r else mp.mpf(0),
        -TABLE_REST,
        TABLE_REST,
        {"double": 58},
    ),
    (
        "exp2_short",
        "(2**t - 1) / t for |t| <= 1 / 128",
        *power_over_argument(2),
        -mp.mpf("1.001") / 128,
        mp.mpf("1.001") / 128,
        {"double": 58},
    ),
    (
        "exp_short",
        "(exp(t) - 1) / t for |t| <= log(2) / 128",
        *power_over_argument(mp.e),
        -LN2 * mp.mpf("1.001") / 128,
        LN2 * mp.mpf("1.001") / 128,
        {"double": 58},
    ),
    (
        "single_log1p_of_fraction",
        "log(1 + x) / x for 0 <= x <= 1, for floats",
        lambda x: near_zero(
            lambda x: mp.log1p(x) / x, ratios((1, 1), (-1, 2), (1, 3), (-1, 4)), x
        ),
        lambda x: x / mp.log1p(x) if x else mp.mpf(1),
        0,
        mp.mpf("1.0001"),
        {"double": 27},
    ),
]


# name, value, bits of the first word (0: all), number of words
CONSTANTS = [
    ("LN2", LN2, 0, 2),
    ("LN2_SHORT", LN2, -1, 2),
    ("LOG10_2_SHORT", mp.log10(2), -1, 2),
    ("LOG2_E", 1 / LN2, 0, 2),
    ("LOG10_E", mp.log10(mp.e), 0, 2),
    ("PI", PI, 0, 2),
    ("HALF_PI", PI / 2, 0, 3),
    ("QUARTER_PI", PI / 4, 0, 2),
    ("INVERSE_PI", 1 / PI, 0, 2),
    ("TWO_OVER_PI", 2 / PI, 0, 1),
]
SPECIAL_CONSTANTS = [
    ("STIRLING", STIRLING, 0, 2),
    ("STIRLING_SHORT", STIRLING, -1, 2),
    ("LEAST_GAMMA", LEAST_GAMMA, 0, 1),
    ("OVER_GAMMA", OVER_GAMMA, 0, 2),
    ("LOG_PI", mp.log(PI), 0, 2),
    ("GAMMALN_NEAR", GAMMALN_NEAR, 0, 2),
    ("GAMMALN_SLOPE", GAMMALN_SLOPE, 0, 1),
]
GAMMA_CONSTANTS = [("DIGAMMA_ROOT", DIGAMMA_ROOT, 0, 2)]
EXPONENT_BITS = {"float": 8, "double": 11}
PI_BITS = 1280  # of 2 / pi, for arguments up to 2**1024


# of the first the constant term, rounded last, would keep its error where others add to
# it; of i0_far_tail and gammaln_tail fits of lower degree do not converge, and rounding
# costs nothing
ROUNDING = {
    ("tan_tail", "float"): rounded_lowest_first,
    ("tanh_tail", "float"): rounded_lowest_first,
    ("atan_long_tail", "float"): rounded_lowest_first,
    ("asinh_tail", "float"): rounded_lowest_first,
    ("gammaln_tail", "double"): rounded_at_once,
    ("i0_far_tail", "double"): rounded_at_once,
    ("log2_rest", "float"): rounded_at_once,
    ("log10_rest", "float"): rounded_at_once,
    ("single_log1p_of_fraction", "double"): partial(rounded_to_immediates, kept=27.3),
    ("single_exp2", "double"): partial(rounded_to_immediates, kept=28.7),
    ("single_log2", "double"): partial(rounded_to_immediates, kept=35.5),
    **{
        (row[0], "double"): partial(rounded_to_immediates, kept=row[6]["double"] - 0.3)
        for row in SINGLE
    },
    # with a term more, or bits to spare, for those of few bits
    **{
        (name, "double"): partial(rounded_to_immediates, kept=kept)
        for name, kept in (
            ("single_small_log", 35.5),
            ("single_sinpi", 35.4),
            ("single_sinc", 32),
            ("single_gamma_tail", 31),
            ("single_exp", 31),
            ("over_gamma_tail", 58),
            ("stirling_tail", 60),
            ("small_log_tail", 69),
            ("sinpi_tail", 62),
            ("cospi_tail", 62),
            ("i0_slope", 4),
            ("single_i0_series", 32),
            ("single_i0_varying", 32),
        )
    },
}


HEAD = """\
/* {folder}/{file}.hpp: the polynomials of {user}.hpp. Written by
 * tools/polynomials.py: change that. The errors are relative to the result.
 */
#ifndef CUPRIC_{guard}_HPP
#define CUPRIC_{guard}_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {{
"""


def constants(struct, listed, kind, precision):
    """The struct of the constants: words that sum up to each."""
    lines = [f"\ntemplate <>\nstruct {struct}<{kind}> {{\n"]
    for name, value, bits, count in listed:
        left = value
        for k in range(count):
            # a short word times an exponent is exact
            short = precision - EXPONENT_BITS[kind] if bits and k == 0 else precision
            word = rounded(left, short)
            left -= word
            suffix = ("", "_LOW", "_LOWER")[k]
            lines.append(
                f"    CUPRIC_MATH static constexpr {kind} {name}{suffix}() "
                f"{{ return {written(word, kind)}; }}\n"
            )
    return "".join([*lines, "};\n"])


def two_over_pi():
    """The function that returns 64 bits of the binary fraction of 2 / pi."""
    with mp.workprec(PI_BITS + 64):
        digits = int(mp.floor(2 / PI * mp.mpf(2) ** PI_BITS))
    words = [
        digits >> (PI_BITS - 64 * (i + 1)) & (2**64 - 1) for i in range(PI_BITS // 64)
    ]
    listed = ", ".join(f"0x{w:016x}ull" for w in [0, *words])
    return (
        "\n/* The binary fraction of 2 / pi, after 64 zeros, by 64 bits. */\n"
        "CUPRIC_HD inline unsigned long long\ntwo_over_pi(int i)\n{\n"
        f"    static constexpr unsigned long long word[] = {{{listed}}};\n"
        "    return word[i];\n}\n"
    )


def value_of(found, kind):
    """The statements that return the polynomial in x of these coefficients, highest
    first: numbers that instructions hold, or what is loaded."""
    terms = [written(c, kind) for c in found]
    long = [t for t, c in zip(terms, found, strict=True) if not is_immediate(c, kind)]
    if not long:
        return f"    return horner(x, {', '.join(terms)});\n"
    count, listed = len(long), ", ".join(long)
    kept = f"    CUPRIC_KEPT kept_coefficients<{count}> c = {{{{{listed}}}}};\n"
    if len(long) == len(terms):
        return f"{kept}    return polynomial<{len(terms) - 1}, 1>(x, c);\n"
    places = iter(range(len(long)))
    mixed = [
        t if is_immediate(c, kind) else f"c[{next(places)}]"
        for t, c in zip(terms, found, strict=True)
    ]
    return f"{kept}    return horner(x, {', '.join(mixed)});\n"


def functions(polynomials):
    """The functions of the polynomials, and a line about each to the terminal."""
    for name, what, value, weight, low, high, wanted in polynomials:
        for kind, precision in PRECISION.items():
            if wanted and kind not in wanted:
                continue
            share = wanted[kind] if wanted else precision + 4
            round_all = ROUNDING.get((name, kind), rounded_highest_first)
            found, error = coefficients_for(
                value, weight, low, high, precision, mp.mpf(2) ** -share, round_all
            )
            bound = mp.nstr(mp.log(error, 2), 4)
            first = kind == "float" or (wanted and "float" not in wanted)
            yield f"\n/* {what}: 2**{bound} */\n" if first else f"\n/* 2**{bound} */\n"
            value_text = value_of(found[::-1], kind)
            yield f"CUPRIC_MATH {kind}\n{name}({kind} x)\n{{\n{value_text}}}\n"
            print(name, kind, len(found), bound, flush=True)


def with_error(text, last):
    """Of value_of()'s statements, with the rounding error of the last sum."""
    coefficients = text.partition("    return ")[0]
    return (
        f"{coefficients}    const double tail = polynomial<{last - 1}, 1>(x, c);\n"
        f"    const double sum = fused(tail, x, c[{last}]);\n"
        f"    return {{sum, fused(tail, x, c[{last}] - sum)}};\n"
    )


def quotients():
    """The functions of both polynomials of each, likewise."""
    for name, where, value, high, counts, in_words in QUOTIENTS:
        *found, error = quotient_for(value, high, *counts, PRECISION["double"])
        bound = mp.nstr(mp.log(error, 2), 4)
        head = f"{name}(r) / r as (1 + s over(s)) / (1 + s under(s)), s = r**2"
        yield f"\n/* {head}, for\n * {where}: 2**{bound} */\n"
        for side, listed in zip(("over", "under"), found, strict=True):
            if side == "under":
                yield "\n"
            text, kind = value_of(listed[::-1], "double"), "double"
            if in_words and side == "under":
                text, kind = with_error(text, len(listed) - 1), "words<double>"
            yield f"CUPRIC_MATH {kind}\n{name}_{side}(double x)\n{{\n{text}}}\n"
        print(name, "double", counts, bound, flush=True)


def write(file, user, struct, listed, polynomials, more="", last=(), folder="math"):
    guard = f"{folder}_{file}".upper()
    text = [HEAD.format(folder=folder, file=file, user=user, guard=guard)]
    if listed:
        text.append(f"\ntemplate <class F>\nstruct {struct};\n")
        text += [constants(struct, listed, *kind) for kind in PRECISION.items()]
    text += [more, *functions(polynomials), *last, TAIL]
    (FOLDER.parent / folder / f"{file}.hpp").write_text("".join(text))


def main():
    write(
        "special_polynomials",
        "special",
        "special_constants",
        SPECIAL_CONSTANTS,
        SPECIAL,
    )
    write(
        "gamma_polynomials",
        "gamma",
        "gamma_constants",
        GAMMA_CONSTANTS,
        GAMMA,
        folder="special",
    )
    write("single_polynomials", "single_in_double", "", [], SINGLE)
    more = two_over_pi()
    write(
        "polynomials",
        "elementary",
        "constants",
        CONSTANTS,
        POLYNOMIALS,
        more,
        quotients(),
    )


if __name__ == "__main__":
    main()
