"""Zeros of reverse Bessel polynomials."""

import math

import numpy as np

__all__ = ["bessel_gain", "bessel_poles"]

# Up to this degree, eigenvalues are good approximations of the zeros.
WELL_CONDITIONED = 12


def bessel_poles(n):
    """The zeros of the polynomial of degree n, from the upper half plane to the lower,
    in exact pairs of conjugates; and the logarithm of its constant term, (2n - 1)!!.

    Approximations are improved by Newton's method with Aberth's correction for the
    other zeros. In the polynomial nearly everything cancels at a zero, ever more
    with the degree, so that it is evaluated in integers, as a number of fixed point.

    References
    ----------
    O. Aberth, "Iteration methods for finding all zeros of a polynomial simultaneously",
    Mathematics of Computation 27 (1973), 339-344.
    """
    p = _approximations(n)
    c = _coefficients(n)
    for _ in range(60):
        upper = p[: (n + 1) // 2]
        newton = np.array([_newton_step(c, complex(s)) for s in upper])
        apart = upper[:, np.newaxis] - p
        np.fill_diagonal(apart, np.inf)
        step = newton / (1 - newton * (1 / apart).sum(1))
        p = _mirrored(upper - step, n)
        if np.all(np.abs(step) <= 1e-15 * np.abs(upper)):
            break
    return p, math.log(c[0])


def _approximations(n):
    """By the recurrence of the polynomials, zeros are the reciprocals of a tridiagonal
    matrix's eigenvalues. Those of large degrees lie on nearly one curve, if divided by
    the degree, and spaced alike."""
    low = min(n, WELL_CONDITIONED)
    k = np.arange(1, low)
    beside = 1 / np.sqrt(4.0 * k * k - 1)
    matrix = np.diag(beside, 1) - np.diag(beside, -1)
    matrix[0, 0] = -1
    p = 1 / np.linalg.eigvals(matrix).astype(complex)
    p = p[np.argsort(-p.imag)]
    if n > low:
        known, wanted = ((np.arange(m) + 0.5) / m for m in (low, n))
        curve = np.polynomial.Polynomial.fit(known, p, 7)
        p = curve(wanted) * (n + 0.5) / (low + 0.5)
    return _mirrored(p[: (n + 1) // 2], n)


def _mirrored(upper, n):
    """The upper half and its conjugates; of an odd number, the middle one is real."""
    upper = np.array(upper, complex)
    if n % 2:
        upper[-1] = complex(upper[-1].real, -0.0)
    return np.concatenate([upper, upper[: n // 2][::-1].conj()])


def _coefficients(n):
    """Exact integers, of the lowest power first."""
    c = [1]
    for k in range(n, 0, -1):
        c.append(c[-1] * (2 * n - k + 1) * k // (2 * (n - k + 1)))
    return c[::-1]


def _newton_step(c, s):
    """theta(s) / theta'(s), rounded once."""
    bits = 80 + len(c) * (4 + len(c).bit_length())
    x, y = (int(math.ldexp(v, 60)) << (bits - 60) for v in (s.real, s.imag))
    re, im, slope_re, slope_im = 0, 0, 0, 0
    for coefficient in reversed(c):
        slope_re, slope_im = (
            ((slope_re * x - slope_im * y) >> bits) + re,
            ((slope_re * y + slope_im * x) >> bits) + im,
        )
        re, im = (
            ((re * x - im * y) >> bits) + (coefficient << bits),
            (re * y + im * x) >> bits,
        )
    size = slope_re * slope_re + slope_im * slope_im
    return complex(
        (re * slope_re + im * slope_im) / size, (im * slope_re - re * slope_im) / size
    )


def bessel_gain(p):
    """The frequency at which the gain of a filter with these poles, 1 at the frequency
    0, is 1 / sqrt(2).

    Newton's method comes from above, where the loss grows ever faster.
    """
    squares = np.abs(p) ** 2
    w = float(np.max(np.abs(p)))
    for _ in range(100):
        apart = np.abs(1j * w - p) ** 2
        loss = float(np.sum(np.log(apart / squares))) - math.log(2)
        step = loss / float(np.sum(2 * (w - p.imag) / apart))
        w -= step
        if abs(step) <= 4e-16 * w:
            break
    return w
