"""Functions of small matrices, on the host."""

import math

import numpy as np

__all__ = ["block_diagonal", "expm", "float_matrix"]

_ORDER = 13
_LARGEST = 4.25  # norm up to which that order is exact to float64 (Higham 2005)


def float_matrix(m):
    """As float64 or complex128."""
    m = np.asarray(m)
    return m.astype(np.result_type(m.dtype, np.float64), copy=False)


def _coefficients():
    """Of the numerator of the Padé approximant, over the constant."""
    f = math.factorial
    c = [f(2 * _ORDER - j) // (f(_ORDER - j) * f(j)) for j in range(_ORDER + 1)]
    return [x / c[0] for x in c]


def expm(a):
    """Exponential of a matrix, by scaling, a Padé approximant and squaring.

    N. J. Higham, "The Scaling and Squaring Method for the Matrix Exponential
    Revisited", 2005.
    """
    a = float_matrix(a)
    n = a.shape[0]
    if n == 0:
        return a.copy()
    norm = np.abs(a).sum(axis=0).max()
    if not np.isfinite(norm):
        return np.full_like(a, np.nan)
    squarings = max(0, math.ceil(math.log2(norm / _LARGEST))) if norm else 0
    a = a / 2.0**squarings
    c = _coefficients()
    a2 = a @ a
    power, even, odd = np.eye(n), 0, 0
    for k in range(0, _ORDER, 2):
        even = even + c[k] * power
        odd = odd + c[k + 1] * power
        power = power @ a2
    odd = a @ odd
    made = np.linalg.solve(even - odd, even + odd)
    for _ in range(squarings):
        made = made @ made
    return made


def block_diagonal(a, b):
    """[[a, 0], [0, b]]"""
    made = np.zeros(np.add(a.shape, b.shape), np.result_type(a.dtype, b.dtype))
    made[: a.shape[0], : a.shape[1]] = a
    made[a.shape[0] :, a.shape[1] :] = b
    return made
