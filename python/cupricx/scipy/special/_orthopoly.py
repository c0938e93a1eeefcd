"""Orthogonal polynomials as objects, with the rules of their roots."""

import math

import numpy as np

from cupric import _core
from cupric._lib.core import poly1d
from cupricx.scipy.special import _orthogonal as rules
from cupricx.scipy.special import _ufuncs

__all__ = [
    "chebyc",
    "chebys",
    "chebyt",
    "chebyu",
    "gegenbauer",
    "genlaguerre",
    "hermite",
    "hermitenorm",
    "jacobi",
    "laguerre",
    "legendre",
    "orthopoly1d",
    "sh_chebyt",
    "sh_chebyu",
    "sh_jacobi",
    "sh_legendre",
]


class orthopoly1d(poly1d):
    """An orthogonal polynomial.

    What it has beyond a `cupric.poly1d`: called with an array, it computes values by a
    recurrence that is stable, not from its coefficients.

    Attributes
    ----------
    weights : cupric.ndarray, shape (n, 3)
        Points, weights and weights over the weight function of the rule of its roots.
    weight_func : callable
        The weight function.
    limits : tuple of float
        The interval of orthogonality.
    normcoef : float
        The root of the integral of the square times the weight function.
    """

    def __init__(self, coefficients, rule, weight, limits, norm, values):
        super().__init__(_core.array(coefficients))
        self.weight_func = weight
        self.limits = limits
        self.normcoef = norm
        self._values = values
        x, w = (_core.array(a) for a in rule)
        self.weights = _core.empty((len(x), 3))
        for k, column in enumerate((x, w, w / weight(x))):
            self.weights[:, k] = column

    def __call__(self, v):
        if isinstance(v, np.poly1d | poly1d):
            return super().__call__(v)
        return self._values(_core.array(v, copy=False))


def _coefficients(r, n):
    """Of the polynomial with leading coefficient 1, by its recurrence."""
    before, now = np.zeros(n + 2, float), np.zeros(n + 2, float)
    now[0] = 1
    for k in range(n):
        following = np.roll(now, 1) - r.a[k] * now - r.b[k] ** 2 * before
        before, now = now, following
    return now[n::-1]


def _made(n, r, leading, rule, weight, limits, values, monic):
    """The polynomial of degree n: `leading` is its coefficient of the highest power,
    `values(n, x)` what computes it."""
    norm = math.sqrt(r.mu0) * float(np.prod(r.b[1:]))
    coefficients, scale = _coefficients(r, n), 1.0
    if monic:
        scale = 1 / leading if leading else 1.0
    else:
        coefficients, norm = coefficients * leading, norm * abs(leading)

    def evaluate(x):
        found = values(n, x)
        return found * scale if monic else found

    if n == 0:
        rule = lambda: (np.empty(0, float), np.empty(0, float))  # noqa: E731
    return orthopoly1d(coefficients, rule(), weight, limits, norm, evaluate)


def _ones(x):
    return x * 0 + 1.0


_SHARED = """

    Parameters
    ----------
    n : int
        The degree.
{parameters}    monic : bool, optional
        Whether to divide it by its leading coefficient.

    Returns
    -------
    orthopoly1d
        A `cupric.poly1d` with the attributes `weights`, `weight_func`, `limits` and
        `normcoef`; called with an array, it computes values by a stable recurrence.

    Examples
    --------
    >>> from cupricx.scipy.special import {name}
    >>> {name}({arguments})
    poly1d({coefficients})
    """


def _documented(arguments, coefficients, parameters=""):
    """A decorator that adds what the docstrings of all have in common, and as an
    example of a call its arguments and the coefficients that it gives."""

    def add(function):
        function.__doc__ += _SHARED.format(
            name=function.__name__,
            parameters=parameters,
            arguments=arguments,
            coefficients=coefficients,
        )
        return function

    return add


def _binomials(n):
    """(2 n)! / n!**2."""
    return float(math.comb(2 * n, n))


@_documented("2", "[ 1.5,  0. , -0.5]")
def legendre(n, monic=False):
    """Legendre polynomial."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.legendre(n),
        _binomials(n) / 2.0**n,
        lambda: rules.roots_legendre(n),
        _ones,
        (-1, 1),
        _ufuncs.eval_legendre,
        monic,
    )


@_documented("2", "[ 6., -6.,  1.]")
def sh_legendre(n, monic=False):
    """Legendre polynomial shifted to [0, 1]."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.sh_legendre(n),
        _binomials(n),
        lambda: rules.roots_sh_legendre(n),
        _ones,
        (0, 1),
        _ufuncs.eval_sh_legendre,
        monic,
    )


@_documented("2", "[ 2.,  0., -1.]")
def chebyt(n, monic=False):
    """Chebyshev polynomial of the first kind, T_n."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.chebyt(n),
        2.0 ** max(n - 1, 0),
        lambda: rules.roots_chebyt(n),
        lambda x: 1 / _core.sqrt((1 - x) * (1 + x)),
        (-1, 1),
        _ufuncs.eval_chebyt,
        monic,
    )


@_documented("2", "[ 4.,  0., -1.]")
def chebyu(n, monic=False):
    """Chebyshev polynomial of the second kind, U_n."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.chebyu(n),
        2.0**n,
        lambda: rules.roots_chebyu(n),
        lambda x: _core.sqrt((1 - x) * (1 + x)),
        (-1, 1),
        _ufuncs.eval_chebyu,
        monic,
    )


@_documented("2", "[ 1.,  0., -2.]")
def chebyc(n, monic=False):
    """Chebyshev polynomial of the first kind on [-2, 2], ``2 T_n(x / 2)``."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.chebyc(n),
        1.0 if n else 2.0,
        lambda: rules.roots_chebyc(n),
        lambda x: 1 / _core.sqrt((1 - x / 2) * (1 + x / 2)),
        (-2, 2),
        _ufuncs.eval_chebyc,
        monic,
    )


@_documented("2", "[ 1.,  0., -1.]")
def chebys(n, monic=False):
    """Chebyshev polynomial of the second kind on [-2, 2], ``U_n(x / 2)``."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.chebys(n),
        1.0,
        lambda: rules.roots_chebys(n),
        lambda x: _core.sqrt((1 - x / 2) * (1 + x / 2)),
        (-2, 2),
        _ufuncs.eval_chebys,
        monic,
    )


@_documented("2", "[ 8., -8.,  1.]")
def sh_chebyt(n, monic=False):
    """Chebyshev polynomial of the first kind shifted to [0, 1]."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.sh_chebyt(n),
        2.0 ** (2 * n - 1) if n else 1.0,
        lambda: rules.roots_sh_chebyt(n),
        lambda x: 1 / _core.sqrt(x * (1 - x)),
        (0, 1),
        _ufuncs.eval_sh_chebyt,
        monic,
    )


@_documented("2", "[ 16., -16.,   3.]")
def sh_chebyu(n, monic=False):
    """Chebyshev polynomial of the second kind shifted to [0, 1]."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.sh_chebyu(n),
        4.0**n,
        lambda: rules.roots_sh_chebyu(n),
        lambda x: _core.sqrt(x * (1 - x)),
        (0, 1),
        _ufuncs.eval_sh_chebyu,
        monic,
    )


@_documented("2", "[ 4.,  0., -2.]")
def hermite(n, monic=False):
    """Hermite polynomial of physics, of the weight function ``exp(-x**2)``."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.hermite(n),
        2.0**n,
        lambda: rules.roots_hermite(n),
        lambda x: _core.exp(-x * x),
        (-math.inf, math.inf),
        _ufuncs.eval_hermite,
        monic,
    )


@_documented("2", "[ 1.,  0., -1.]")
def hermitenorm(n, monic=False):
    """Hermite polynomial of probability, of the weight function ``exp(-x**2 / 2)``."""
    n = rules.degree(n, 0)
    return _made(
        n,
        rules.hermitenorm(n),
        1.0,
        lambda: rules.roots_hermitenorm(n),
        lambda x: _core.exp(-x * x / 2),
        (-math.inf, math.inf),
        _ufuncs.eval_hermitenorm,
        monic,
    )


@_documented(
    "2, 0.5",
    "[ 0.5  , -2.5  ,  1.875]",
    "    alpha : float\n        Greater than -1.\n",
)
def genlaguerre(n, alpha, monic=False):
    """Generalized Laguerre polynomial, of the weight function ``x**alpha exp(-x)``."""
    n, alpha = rules.degree(n, 0), float(alpha)
    if not alpha > -1:
        raise ValueError(f"alpha must be greater than -1, not {alpha}")
    return _made(
        n,
        rules.genlaguerre(n, alpha),
        (-1.0) ** n / math.factorial(n),
        lambda: rules.roots_genlaguerre(n, alpha),
        lambda x: x**alpha * _core.exp(-x),
        (0, math.inf),
        lambda n, x: _ufuncs.eval_genlaguerre(n, alpha, x),
        monic,
    )


@_documented("2", "[ 0.5, -2. ,  1. ]")
def laguerre(n, monic=False):
    """Laguerre polynomial, of the weight function ``exp(-x)``."""
    return genlaguerre(n, 0.0, monic)


@_documented(
    "2, 1.0, 0.5",
    "[ 3.09375,  0.5625 , -0.65625]",
    "    alpha, beta : float\n        Greater than -1.\n",
)
def jacobi(n, alpha, beta, monic=False):
    """Jacobi polynomial, of the weight function ``(1 - x)**alpha (1 + x)**beta``."""
    n, alpha, beta = rules.degree(n, 0), float(alpha), float(beta)
    if not (alpha > -1 and beta > -1):
        raise ValueError(
            f"alpha and beta must be greater than -1, not {alpha} and {beta}"
        )
    leading = 1.0
    for k in range(1, n + 1):
        leading *= (n + alpha + beta + k) / (2 * k)
    return _made(
        n,
        rules.jacobi(n, alpha, beta),
        leading,
        lambda: rules.roots_jacobi(n, alpha, beta),
        lambda x: (1 - x) ** alpha * (1 + x) ** beta,
        (-1, 1),
        lambda n, x: _ufuncs.eval_jacobi(n, alpha, beta, x),
        monic,
    )


@_documented(
    "2, 2.0, 1.5",
    "[ 1.    , -1.    ,  0.1875]",
    "    p, q : float\n        ``p - q > -1`` and ``q > 0``.\n",
)
def sh_jacobi(n, p, q, monic=False):
    """Jacobi polynomial shifted to [0, 1], with the leading coefficient 1, of the
    weight function ``(1 - x)**(p - q) x**(q - 1)``."""
    n, p, q = rules.degree(n, 0), float(p), float(q)
    if not (p - q > -1 and q > 0):
        raise ValueError(
            "(p - q) must be greater than -1, and q greater than 0; they are "
            f"{p - q} and {q}"
        )
    return _made(
        n,
        rules.sh_jacobi(n, p, q),
        1.0,
        lambda: rules.roots_sh_jacobi(n, p, q),
        lambda x: (1 - x) ** (p - q) * x ** (q - 1),
        (0, 1),
        lambda n, x: _ufuncs.eval_sh_jacobi(n, p, q, x),
        monic,
    )


@_documented(
    "2, 1.5", "[ 7.5,  0. , -1.5]", "    alpha : float\n        Greater than -1/2.\n"
)
def gegenbauer(n, alpha, monic=False):
    """Gegenbauer polynomial, of the weight function ``(1 - x**2)**(alpha - 1/2)``."""
    n, alpha = rules.degree(n, 0), float(alpha)
    if not (alpha > -0.5 and alpha < math.inf):
        raise ValueError(f"alpha must be finite and greater than -1/2, not {alpha}")
    leading = 1.0
    for k in range(n):
        leading *= 2 * (alpha + k) / (k + 1)
    return _made(
        n,
        rules.gegenbauer(n, alpha),
        leading,
        lambda: rules.roots_gegenbauer(n, alpha),
        lambda x: ((1 - x) * (1 + x)) ** (alpha - 0.5),
        (-1, 1),
        lambda n, x: _ufuncs.eval_gegenbauer(n, alpha, x),
        monic,
    )
