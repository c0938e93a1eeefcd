"""Roots and weights of orthogonal polynomials: Gauss's rules, computed on the host.

The roots are eigenvalues of the matrix of the recurrence (G. H. Golub and J. H. Welsch,
"Calculation of Gauss quadrature rules", Mathematics of Computation 23 (1969)), to which
steps of Newton's method on the recurrence are added. A weight is the reciprocal of the
sum of the squares of all orthonormal polynomials below degree n there, a sum without
cancellation.
"""

import math
import operator

import numpy as np

from cupric import _core

__all__ = [
    "c_roots",
    "cg_roots",
    "h_roots",
    "he_roots",
    "j_roots",
    "js_roots",
    "l_roots",
    "la_roots",
    "p_roots",
    "ps_roots",
    "roots_chebyc",
    "roots_chebys",
    "roots_chebyt",
    "roots_chebyu",
    "roots_gegenbauer",
    "roots_genlaguerre",
    "roots_hermite",
    "roots_hermitenorm",
    "roots_jacobi",
    "roots_laguerre",
    "roots_legendre",
    "roots_sh_chebyt",
    "roots_sh_chebyu",
    "roots_sh_jacobi",
    "roots_sh_legendre",
    "s_roots",
    "t_roots",
    "ts_roots",
    "u_roots",
    "us_roots",
]

_LARGE = 1e100  # of a polynomial: it is scaled then


class Recurrence:
    """Of the orthonormal polynomials p of a weight: b[k + 1] p[k + 1] = (x - a[k]) p[k]
    - b[k] p[k - 1], and the integral of the weight. a has n elements, b n + 1."""

    def __init__(self, a, b, mu0):
        self.a, self.b, self.mu0 = a, b, float(mu0)

    @property
    def is_symmetric(self):
        return not self.a.any()

    def shifted(self, mu0):
        """Of the polynomials of 2 x - 1."""
        return Recurrence((1 + self.a) / 2, self.b / 2, mu0)


def degree(n, least=1):
    """n as an int; a float that is one, as SciPy takes it."""
    try:
        m = operator.index(n)
    except TypeError:
        m = int(n) if isinstance(n, float) and n == int(n) else -1
    if m < least:
        kind = "a positive integer" if least else "a non-negative integer"
        raise ValueError(f"n must be {kind}, not {n!r}")
    return m


# ---- the recurrences -----------------------------------------------------------------


def _power_of_two(x):
    return math.exp2(x) if x < 1024 else math.inf


def _beta(a, b):
    """The beta function of positive numbers."""
    if a + b < 170:
        return math.gamma(a) * math.gamma(b) / math.gamma(a + b)
    return math.exp(math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))


def jacobi(n, alpha, beta):
    s = alpha + beta
    k = np.arange(n + 1.0)
    t = 2 * k + s
    with np.errstate(divide="ignore", invalid="ignore"):
        a = (beta - alpha) * s / (t * (t + 2))
        square = 4 * k * (k + alpha) * (k + beta) * (k + s)
        square /= t * t * (t + 1) * (t - 1)
    a[0] = (beta - alpha) / (s + 2)
    if n > 0:  # where k + s and t - 1 are one
        square[1] = 4 * (1 + alpha) * (1 + beta) / ((2 + s) ** 2 * (3 + s))
    square[0] = 0
    mu0 = _power_of_two(s + 1) * _beta(alpha + 1, beta + 1)
    return Recurrence(a[:n], np.sqrt(square), mu0)


def gegenbauer(n, alpha):
    r = jacobi(n, alpha - 0.5, alpha - 0.5)
    return Recurrence(
        np.zeros(n, float), r.b, math.sqrt(math.pi) * _ratio_of_gammas(alpha)
    )


def _ratio_of_gammas(alpha):
    """gamma(alpha + 1/2) / gamma(alpha + 1)."""
    if alpha < 100:
        return math.gamma(alpha + 0.5) / math.gamma(alpha + 1)
    return math.exp(math.lgamma(alpha + 0.5) - math.lgamma(alpha + 1))


def legendre(n):
    k = np.arange(n + 1.0)
    with np.errstate(invalid="ignore"):
        b = k / np.sqrt((2 * k - 1) * (2 * k + 1))
    b[0] = 0
    return Recurrence(np.zeros(n, float), b, 2)


def chebyt(n):
    b = np.full(n + 1, 0.5)
    b[:2] = [0, math.sqrt(0.5)][: n + 1]
    return Recurrence(np.zeros(n, float), b, math.pi)


def chebyu(n):
    b = np.full(n + 1, 0.5)
    b[0] = 0
    return Recurrence(np.zeros(n, float), b, math.pi / 2)


def chebyc(n):
    r = chebyt(n)
    return Recurrence(r.a, 2 * r.b, 2 * r.mu0)


def chebys(n):
    r = chebyu(n)
    return Recurrence(r.a, 2 * r.b, 2 * r.mu0)


def sh_legendre(n):
    return legendre(n).shifted(1)


def sh_chebyt(n):
    return chebyt(n).shifted(math.pi)


def sh_chebyu(n):
    return chebyu(n).shifted(math.pi / 8)


def sh_jacobi(n, p, q):
    return jacobi(n, p - q, q - 1).shifted(_beta(p - q + 1, q))


def genlaguerre(n, alpha):
    k = np.arange(n + 1.0)
    mu0 = math.gamma(alpha + 1) if alpha < 170 else math.inf
    return Recurrence(2 * k[:n] + alpha + 1, np.sqrt(k * (k + alpha)), mu0)


def hermite(n):
    return Recurrence(
        np.zeros(n, float), np.sqrt(np.arange(n + 1.0) / 2), math.sqrt(math.pi)
    )


def hermitenorm(n):
    return Recurrence(
        np.zeros(n, float), np.sqrt(np.arange(n + 1.0)), math.sqrt(2 * math.pi)
    )


# ---- rules ---------------------------------------------------------------------------


def _last_two(r, x):
    """Of p[n] its value and derivative, in the same scale; the sum of the squares of
    those below, and the logarithm of its scale. p[0] is 1 here."""
    n = len(r.a)
    now, before = np.ones_like(x), np.zeros_like(x)
    slope, slope_before = np.zeros_like(x), np.zeros_like(x)
    total, scale = np.ones_like(x), np.zeros_like(x)
    for k in range(n):
        along = x - r.a[k]
        following = (along * now - r.b[k] * before) / r.b[k + 1]
        turn = (along * slope + now - r.b[k] * slope_before) / r.b[k + 1]
        now, before, slope, slope_before = following, now, turn, slope
        if k + 1 < n:
            total += now * now
        if np.abs(now).max(initial=0) > _LARGE:
            factor = np.where(np.abs(now) > _LARGE, 1 / _LARGE, 1.0)
            for array in (now, before, slope, slope_before):
                array *= factor
            total *= factor * factor
            scale -= 2 * np.log(factor)
    return now, slope, total, scale


def _eigenvalues(r):
    n = len(r.a)
    matrix = np.diag(r.a)
    i = np.arange(n - 1)
    matrix[i + 1, i] = r.b[1:n]  # the lower half is what is read
    return np.linalg.eigvalsh(matrix)


def _step(r, x):
    """Newton's."""
    value, slope, _, _ = _last_two(r, x)
    return value / slope


def _laguerre_step(n, alpha, x):
    """The same of Laguerre's polynomials, as a part of x: by L[k] and x times their
    derivatives, which lose no digits as x nears 0."""
    now, along = np.ones_like(x), np.zeros_like(x)
    for k in range(n):
        along = along - x * now
        now = ((k + 1 + alpha) * now + along) / (k + 1)
        if np.abs(now).max(initial=0) > _LARGE:
            factor = np.where(np.abs(now) > _LARGE, 1 / _LARGE, 1.0)
            now, along = now * factor, along * factor
    return x * (now / along)


def gauss(r, step=_step):
    """Roots, ascending, and weights of the rule of a recurrence."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        x = _eigenvalues(r)
        for _ in range(2):
            x = x - step(r, x)
        if r.is_symmetric:
            x = (x - x[::-1]) / 2
        _, _, total, scale = _last_two(r, x)
        w = np.exp(-scale) / total
        if r.is_symmetric:
            w = (w + w[::-1]) / 2
        return x, w * (r.mu0 / w.sum())


def _given(x, w, mu0, mu):
    found = _core.array(x), _core.array(w)
    return (*found, mu0) if mu else found


def _rule(r, mu):
    return _given(*gauss(r), r.mu0, mu)


def _chebyshev_t(n):
    """The cosines as sines of angles about 0, which loses no digits there."""
    return np.sin(np.pi * np.arange(1 - n, n, 2) / (2 * n)), np.full(n, np.pi / n)


def _chebyshev_u(n):
    turns = np.arange(1 - n, n, 2) / (2 * (n + 1))
    return np.sin(np.pi * turns), np.pi / (n + 1) * np.cos(np.pi * turns) ** 2


def roots_legendre(n, mu=False):
    """Points and weights of Gauss-Legendre integration, over [-1, 1].

    Parameters
    ----------
    n : int
        How many points there are; polynomials of degree ``2 n - 1`` are integrated
        without error.
    mu : bool, optional
        Whether to return the integral of the weight function, too.

    Returns
    -------
    x, w : cupric.ndarray, shape (n,)
        The roots of the Legendre polynomial of degree `n`, and the weights.
    mu : float
        The sum of the weights, if asked for.

    Examples
    --------
    >>> from cupricx.scipy.special import roots_legendre
    >>> x, w = roots_legendre(3)
    >>> x
    array([-0.77459667,  0.        ,  0.77459667])
    >>> w
    array([0.55555556, 0.88888889, 0.55555556])
    """
    return _rule(legendre(degree(n)), mu)


_SAME = """

    Parameters
    ----------
{parameters}    mu : bool, optional
        Whether to return the integral of the weight function, too.

    Returns
    -------
    x, w : cupric.ndarray, shape (n,)
        Ascending points, roots of the polynomial of degree `n`, and weights.
    mu : float
        The sum of the weights, if asked for.

    Examples
    --------
    >>> from cupricx.scipy.special import {name}
    >>> x, w = {name}({arguments})
    >>> x
    array({x})
    >>> w
    array({w})
    """
_OF_N = """    n : int
        How many points there are.
"""


def _documented(arguments, x, w, parameters=_OF_N):
    """A decorator that adds what the docstrings of all have in common, and as an
    example of a call its arguments, points and weights."""

    def add(function):
        function.__doc__ += _SAME.format(
            name=function.__name__,
            parameters=parameters,
            arguments=arguments,
            x=x,
            w=w,
        )
        return function

    return add


_OF_ALPHA = (
    _OF_N
    + """    alpha : float
        A parameter of the weight function.
"""
)
_OF_TWO = (
    _OF_N
    + """    alpha, beta : float
        The parameters of the weight function, greater than -1.
"""
)
_OF_SHIFTED = (
    _OF_N
    + """    p1, q1 : float
        The parameters of the weight function, ``p1 - q1 > -1`` and ``q1 > 0``.
"""
)


@_documented("2", "[0.21132487, 0.78867513]", "[0.5, 0.5]")
def roots_sh_legendre(n, mu=False):
    """Points and weights of Gauss-Legendre integration over [0, 1]."""
    r = legendre(degree(n))
    x, w = gauss(r)
    return _given((x + 1) / 2, w / 2, 1.0, mu)


@_documented("2", "[-0.70710678,  0.70710678]", "[1.57079633, 1.57079633]")
def roots_chebyt(n, mu=False):
    """Points and weights for the weight function ``1 / sqrt(1 - x**2)`` on [-1, 1]."""
    return _given(*_chebyshev_t(degree(n)), math.pi, mu)


@_documented("2", "[-0.5,  0.5]", "[0.78539816, 0.78539816]")
def roots_chebyu(n, mu=False):
    """Points and weights for the weight function ``sqrt(1 - x**2)`` on [-1, 1]."""
    return _given(*_chebyshev_u(degree(n)), math.pi / 2, mu)


@_documented("2", "[-1.41421356,  1.41421356]", "[3.14159265, 3.14159265]")
def roots_chebyc(n, mu=False):
    """Points and weights for the weight function ``1 / sqrt(1 - (x / 2)**2)`` on
    [-2, 2]."""
    x, w = _chebyshev_t(degree(n))
    return _given(2 * x, 2 * w, 2 * math.pi, mu)


@_documented("2", "[-1.,  1.]", "[1.57079633, 1.57079633]")
def roots_chebys(n, mu=False):
    """Points and weights for the weight function ``sqrt(1 - (x / 2)**2)`` on
    [-2, 2]."""
    x, w = _chebyshev_u(degree(n))
    return _given(2 * x, 2 * w, math.pi, mu)


@_documented("2", "[0.14644661, 0.85355339]", "[1.57079633, 1.57079633]")
def roots_sh_chebyt(n, mu=False):
    """Points and weights for the weight function ``1 / sqrt(x - x**2)`` on [0, 1]."""
    x, w = _chebyshev_t(degree(n))
    return _given((x + 1) / 2, w, math.pi, mu)


@_documented("2", "[0.25, 0.75]", "[0.19634954, 0.19634954]")
def roots_sh_chebyu(n, mu=False):
    """Points and weights for the weight function ``sqrt(x - x**2)`` on [0, 1]."""
    x, w = _chebyshev_u(degree(n))
    return _given((x + 1) / 2, w / 4, math.pi / 8, mu)


@_documented("2", "[-0.70710678,  0.70710678]", "[0.88622693, 0.88622693]")
def roots_hermite(n, mu=False):
    """Points and weights for the weight function ``exp(-x**2)`` on the real line."""
    return _rule(hermite(degree(n)), mu)


@_documented("2", "[-1.,  1.]", "[1.25331414, 1.25331414]")
def roots_hermitenorm(n, mu=False):
    """Points and weights for the weight function ``exp(-x**2 / 2)`` on the real
    line."""
    return _rule(hermitenorm(degree(n)), mu)


@_documented("2", "[0.58578644, 3.41421356]", "[0.85355339, 0.14644661]")
def roots_laguerre(n, mu=False):
    """Points and weights for the weight function ``exp(-x)`` on [0, inf)."""
    return roots_genlaguerre(n, 0.0, mu)


@_documented(
    "2, 0.5", "[0.91886117, 4.08113883]", "[0.72336302, 0.1628639 ]", _OF_ALPHA
)
def roots_genlaguerre(n, alpha, mu=False):
    """Points and weights for the weight function ``x**alpha exp(-x)`` on [0, inf)."""
    n = degree(n)
    if not alpha > -1:
        raise ValueError(f"alpha must be greater than -1, not {alpha}")
    r = genlaguerre(n, float(alpha))
    x, w = gauss(r, lambda _, x: _laguerre_step(n, float(alpha), x))
    return _given(x, w, r.mu0, mu)


@_documented(
    "2, 1.5", "[-0.4472136,  0.4472136]", "[0.66666667, 0.66666667]", _OF_ALPHA
)
def roots_gegenbauer(n, alpha, mu=False):
    """Points and weights for the weight function ``(1 - x**2)**(alpha - 1/2)`` on
    [-1, 1]."""
    n = degree(n)
    if not alpha > -0.5:
        raise ValueError(f"alpha must be greater than -1/2, not {alpha}")
    if alpha == 0:  # of the limit, as SciPy's
        return roots_chebyt(n, mu)
    return _rule(gegenbauer(n, float(alpha)), mu)


@_documented(
    "2, 1.0, 0.5", "[-0.56036162,  0.37854344]", "[0.83770972, 0.67078475]", _OF_TWO
)
def roots_jacobi(n, alpha, beta, mu=False):
    """Points and weights for the weight function ``(1 - x)**alpha (1 + x)**beta`` on
    [-1, 1]."""
    n = degree(n)
    if not (alpha > -1 and beta > -1):
        raise ValueError(
            f"alpha and beta must be greater than -1, not {alpha} and {beta}"
        )
    return _rule(jacobi(n, float(alpha), float(beta)), mu)


@_documented("2, 2.0, 1.5", "[0.25, 0.75]", "[0.19634954, 0.19634954]", _OF_SHIFTED)
def roots_sh_jacobi(n, p1, q1, mu=False):
    """Points and weights for the weight function ``(1 - x)**(p1 - q1) x**(q1 - 1)`` on
    [0, 1]."""
    n = degree(n)
    if not (p1 - q1 > -1 and q1 > 0):
        raise ValueError(
            "(p1 - q1) must be greater than -1, and q1 greater than 0; they are "
            f"{p1 - q1} and {q1}"
        )
    p1, q1 = float(p1), float(q1)
    x, w = gauss(jacobi(n, p1 - q1, q1 - 1))
    mu0 = _beta(p1 - q1 + 1, q1)
    return _given((x + 1) / 2, w * (mu0 / w.sum()), mu0, mu)


p_roots, ps_roots = roots_legendre, roots_sh_legendre
t_roots, ts_roots = roots_chebyt, roots_sh_chebyt
u_roots, us_roots = roots_chebyu, roots_sh_chebyu
c_roots, s_roots = roots_chebyc, roots_chebys
h_roots, he_roots = roots_hermite, roots_hermitenorm
l_roots, la_roots = roots_laguerre, roots_genlaguerre
j_roots, js_roots = roots_jacobi, roots_sh_jacobi
cg_roots = roots_gegenbauer
