"""The exponential of matrices."""

import functools
import math

import numpy as np

import cupric as cp
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import replayed
from cupricx.scipy.linalg._lu import lu_factor, lu_solve

__all__ = ["expm"]

# Higham, "The Scaling and Squaring Method for the Matrix Exponential Revisited" (2005),
# table 2.3: up to which norm the Padé approximant of an order is as exact as the dtype.
_ORDERS = {
    np.dtype(np.float32): ((3, 0.4258730016922831), (5, 1.880152677804762)),
    np.dtype(np.float64): (
        (3, 0.01495585217958292),
        (5, 0.2539398330063230),
        (7, 0.9504178996162932),
        (9, 2.097847961257068),
    ),
}
# The highest order and its norm, beyond which matrices are scaled.
_HIGHEST = {
    np.dtype(np.float32): (7, 3.925724783138660),
    np.dtype(np.float64): (13, 4.25),
}
_LARGE = 64  # rows


@functools.cache
def _coefficients(order):
    """Of the numerator of the Padé approximant, from the constant, which is 1."""
    f = math.factorial
    c = [f(2 * order - j) // (f(order - j) * f(j)) for j in range(order + 1)]
    return tuple(x / c[0] for x in c)


@where_it_lives
def expm(a):
    """Exponential of matrices.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n, n)

    Returns
    -------
    cupric.ndarray, shape (..., n, n)

    Raises
    ------
    numpy.linalg.LinAlgError
        The matrices are not square.

    Notes
    -----
    By scaling, a Padé approximant and squaring, for all matrices of a stack together.
    The order follows from the largest norm (Higham 2005); the scaling of each matrix,
    where it is needed, from the norms of its powers (Al-Mohy and Higham 2009), so that
    matrices far from normal lose no digits. The norms are looked at once, and the
    number of squarings where a norm is large: for these the call waits for the device.

    For matrices of norm up to 10 the error of the result is below ``10 * n * eps``
    relative to its norm. float16 is computed in float32, integers in float64.

    Examples
    --------
    >>> from cupricx.scipy.linalg import expm
    >>> expm(cp.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    a = _square(a)
    dtype = cp.result_type(np.float32, a.dtype)
    a = a.astype(dtype if a.dtype.kind in "fc" else np.float64, copy=False)
    if a.size == 0:
        return a.copy()
    if a.shape[-1] == 1:
        return cp.exp(a)
    real = np.finfo(a.dtype).dtype
    norm = _norm(a)
    largest = float(norm.max())
    for order, bound in _ORDERS[real]:
        if largest <= bound:
            return _pade(a, _even_powers(a, order // 2), order)
    order, bound = _HIGHEST[real]
    if largest <= bound:
        return _pade(a, _even_powers(a, 3), order)
    if not math.isfinite(largest):
        # Neither norms nor squarings mean anything for these matrices: they become NaN.
        finite = cp.isfinite(norm)[..., None, None]
        made = expm(cp.where(finite, a, cp.zeros((), a.dtype)))
        return cp.where(finite, made, cp.full((), np.nan, a.dtype))
    return _scaled(a, norm, order, bound)


def _square(a):
    a = arguments.array(a, "a")
    if a.ndim == 0:
        a = a.reshape(1, 1)
    if a.ndim < 2:
        raise np.linalg.LinAlgError(
            "The input array must be at least two-dimensional: the shape of a is "
            f"{a.shape}"
        )
    if a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError(
            "Last 2 dimensions of the array must be square: the shape of a is "
            f"{a.shape}"
        )
    if a.dtype.kind not in "biufc":
        raise TypeError(f"array type {a.dtype} is unsupported in linalg")
    return a


def _norm(a):
    """The 1-norms of a stack."""
    return abs(a).sum(-2).max(-1)


def _even_powers(a, n):
    """a², a⁴, …: n of them."""
    powers = [a @ a]
    while len(powers) < n:
        powers.append(powers[-1] @ powers[0])
    return powers


def _scaled(a, norm, order, bound):
    """Each matrix is scaled by a power of 2, and its exponential squared as often."""
    powers = _even_powers(a, 3)
    squarings = _squarings(a, norm, powers, order, bound)
    most = int(squarings.max())
    scale = cp.exp2(-squarings)[..., None, None].astype(norm.dtype)
    factor, scaled = scale * scale, []
    for p in powers:
        scaled.append(p * factor)
        factor = factor * (scale * scale)
    x = _pade(a * scale, scaled, order)
    for i in range(most):
        if a.ndim == 2:
            x = x @ x
        else:
            x = cp.where((squarings > i)[..., None, None], x @ x, x)
    return x


def _squarings(a, norm, powers, order, bound):
    """How often each matrix is halved: Al-Mohy and Higham, "A New Scaling and Squaring
    Algorithm for the Matrix Exponential" (2009), algorithm 5.1, with norms instead of
    their estimates, those of the powers that are there: a⁸ and a¹⁰ might save a
    squaring, and cost a product each. As many as the norm asks for are enough."""
    _, a4, a6 = powers

    def root(power, k):
        return _norm(power).astype(np.float64) ** (1 / k)

    norm = norm.astype(np.float64)
    plain = _halvings(norm / bound)
    s = _halvings(cp.maximum(root(a4, 4), root(a6, 6)) / bound)
    s = s + _roundoff(abs(a), norm, s, order)
    # Powers beyond the range of the dtype are no help.
    return cp.where(cp.isfinite(s), cp.minimum(s, plain), plain)


def _halvings(ratio):
    return cp.maximum(cp.ceil(cp.log2(cp.maximum(ratio, 1.0))), 0.0)


def _roundoff(a, norm, s, order):
    """How often a matrix of magnitudes has to be halved again for the first term that
    the approximant leaves out to be below the unit roundoff, in exact arithmetic."""
    p = 2 * order + 1
    f = math.factorial
    unit = np.finfo(a.dtype).eps / 2
    constant = math.log2(f(order) ** 2 / (f(2 * order) * f(p)) / unit)
    a = a / norm[..., None, None]  # of norm 1, in float64: no power is out of range
    row = cp.ones((*a.shape[:-2], 1, a.shape[-1]))
    for _ in range(p):
        row = row @ a
    power = cp.log2(row.max((-1, -2)))
    # |2^-s a|^p over |2^-s a|
    alpha = constant + power + (cp.log2(norm) - s) * (p - 1)
    return cp.maximum(cp.ceil(alpha / (p - 1)), 0.0)


@replayed
def _combine(coefficients, *powers):
    """The polynomial of even powers, from the constant."""
    total = coefficients[1] * powers[0]
    for x, power in zip(coefficients[2:], powers[1:], strict=True):
        total += x * power
    total.diagonal(0, -2, -1)[...] += coefficients[0]
    return total


def _pade(a, powers, order):
    """The approximant of an order from a², a⁴, …"""
    c = _coefficients(order)
    if order == 13:
        a2, a4, a6 = powers
        odd = a6 @ (c[13] * a6 + c[11] * a4 + c[9] * a2)
        odd += _combine(c[1:8:2], *powers)
        even = a6 @ (c[12] * a6 + c[10] * a4 + c[8] * a2)
        even += _combine(c[0:8:2], *powers)
    else:
        odd, even = _combine(c[1::2], *powers), _combine(c[0::2], *powers)
    odd = a @ odd
    return _solve(even - odd, even + odd)


def _solve(a, b):
    """``a⁻¹ b``, where `a` is not singular, in the dtype of both: `solve` on the host
    takes twice the precision of float32, and for large matrices three times as long.
    """
    if a.device.backend != "host" or a.dtype.char not in "fF" or a.shape[-1] < _LARGE:
        return cp.linalg.solve(a, b)
    return lu_solve(lu_factor(a, check_finite=False), b, check_finite=False)
