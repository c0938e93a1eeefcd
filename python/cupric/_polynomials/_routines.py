"""Functions of polynomials as arrays of coefficients, the highest power first.

A polynomial is small: where its degree has to be known, as for `poly1d` and products,
leading zeros are looked for on the device, which is waited for.
"""

import operator
import warnings

import numpy as np

from cupric import _core
from cupric._convolution import convolve
from cupric._creation._basic import zeros_like
from cupric._creation._matrix import vander
from cupric._manipulation._args import parameter_array, where_it_lives
from cupric._manipulation._edit import trim_zeros
from cupric._manipulation._join import concatenate
from cupric._polynomials._horner import horner
from cupric.linalg import eigvals, inv, lstsq
from cupric.linalg._products import outer

__all__ = [
    "add",
    "coefficients",
    "derivative",
    "divide",
    "fit",
    "from_roots",
    "integral",
    "longer",
    "multiply",
    "roots",
    "subtract",
    "trimmed",
    "values",
]


def coefficients(p):
    """Coefficients as an array with one axis at least."""
    p = parameter_array(p)
    return p.reshape(1) if p.ndim == 0 else p


def vector(p):
    """Coefficients of one polynomial: an array of one axis."""
    p = parameter_array(p)
    if p.ndim == 0:
        raise TypeError("coefficients are an array of one axis, not a number")
    if p.ndim > 1:
        raise ValueError(f"coefficients are an array of one axis, not of {p.ndim}")
    return p


@where_it_lives
def trimmed(p):
    """Without leading zeros, but with one coefficient. Waits for the device."""
    p = coefficients(p)
    if p.ndim > 1:
        raise ValueError(
            f"Polynomial must be 1d only: the coefficients have {p.ndim} axes"
        )
    if p.size:
        p = trim_zeros(p, "f")
    return p if p.size else _core.zeros(1, p.dtype)


@where_it_lives
def longer(p, n):
    """With zeros in front, n coefficients."""
    return p if len(p) == n else concatenate((_core.zeros(n - len(p), p.dtype), p))


def _aligned(a, b):
    """Both with as many coefficients, zeros in front of those of the shorter."""
    a, b = coefficients(a), coefficients(b)
    n = max(len(a), len(b))
    if len(a) == len(b):
        return a, b
    return longer(a, n), longer(b, n)


@where_it_lives
def add(a, b):
    return _core.add(*_aligned(a, b))


@where_it_lives
def subtract(a, b):
    return _core.subtract(*_aligned(a, b))


@where_it_lives
def multiply(a, b):
    return convolve(trimmed(a), trimmed(b))


@where_it_lives
def divide(u, v):
    """Quotient and remainder, on the host: each step waits for the one before."""
    u, v = coefficients(u), coefficients(v)
    return tuple(_core.array(x) for x in np.polydiv(u.get(), v.get()))


@where_it_lives
def values(p, x):
    p, x = vector(p), parameter_array(x)
    if len(p) == 0:
        return zeros_like(x)
    return horner(p, x, highest_first=True)


@where_it_lives
def derivative(p, m=1):
    m = operator.index(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = vector(p)
    for _ in range(min(m, len(p) + 1)):  # after which nothing is left to change
        n = len(p) - 1
        p = p[:-1] * _core.arange(max(n, 0), 0, -1)
    return p


@where_it_lives
def integral(p, m=1, k=None):
    m = operator.index(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    _core._require_objects(m, "the integrals of a polynomial")
    k = [0.0] * m if k is None else np.atleast_1d(_on_host(k))
    if len(k) == 1 and m > 1:
        k = [k[0]] * m
    if len(k) < m:
        raise ValueError(
            "k must be a scalar or a rank-1 array of length 1 or >m: it has length "
            f"{len(k)}, m is {m}"
        )
    p = vector(p)
    for constant in k[:m]:
        n = len(p)
        last = _core.array([constant])
        p = concatenate((_core.divide(p, _core.arange(n, 0, -1)), last))
    return p


def _on_host(x):
    return x.get() if isinstance(x, _core.ndarray) else x


@where_it_lives
def from_roots(zeros):
    """Coefficients, computed on the host."""
    zeros = coefficients(zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] != 0:
        zeros = eigvals(zeros)
    elif zeros.ndim != 1:
        raise ValueError(
            f"input must be 1d or non-empty square 2d array, not of shape {zeros.shape}"
        )
    return _core.array(np.poly(zeros.get()))


@where_it_lives
def roots(p):
    """Roots, computed on the host."""
    p = coefficients(p)
    if p.ndim != 1:
        raise ValueError(f"Input must be a rank-1 array, not one of {p.ndim} axes")
    return _core.array(np.roots(p.get()))


def _checked(x, y, w, deg):
    """x, y and w of a fit, in floating point."""
    if deg < 0:
        raise ValueError(f"expected deg >= 0, not {deg}")
    if x.ndim != 1:
        raise TypeError(f"expected 1D vector for x, not {x.ndim} axes")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim not in (1, 2):
        raise TypeError(f"expected 1D or 2D array for y, not {y.ndim} axes")
    if len(x) != len(y):
        raise TypeError(
            f"expected x and y to have same length, not {len(x)} and {len(y)}"
        )
    if w is not None and w.ndim != 1:
        raise TypeError(f"expected a 1-d array for weights, not {w.ndim} axes")
    if w is not None and len(w) != len(y):
        raise TypeError(
            f"expected w and y to have the same length, not {len(w)} and {len(y)}"
        )


@where_it_lives
def fit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    deg = int(deg)
    x, y = parameter_array(x) + 0.0, parameter_array(y) + 0.0
    w = None if w is None else parameter_array(w) + 0.0
    _checked(x, y, w, deg)
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    left, right = vander(x, deg + 1), y
    if w is not None:
        left = left * w[:, None]
        right = right * (w[:, None] if right.ndim == 2 else w)
    scale = _core.sqrt((left * left).sum(axis=0))
    left = left / scale
    c, residuals, rank, s = lstsq(left, right, rcond)
    c = (c.T / scale).T
    if full:
        return c, residuals, rank, s, rcond
    if int(rank) != deg + 1:
        warnings.warn(
            "Polyfit may be poorly conditioned",
            np.exceptions.RankWarning,
            stacklevel=3,
        )
    if not cov:
        return c
    base = inv(_core.matmul(left.T, left))
    base = base / outer(scale, scale)
    if isinstance(cov, str) and cov == "unscaled":
        factor = 1
    else:
        if len(x) <= deg + 1:
            raise ValueError(
                "the number of data points must exceed order to scale the covariance "
                f"matrix: {len(x)} points, order {deg + 1}"
            )
        factor = residuals / (len(x) - (deg + 1))
    return c, (base if y.ndim == 1 else base[:, :, None]) * factor
