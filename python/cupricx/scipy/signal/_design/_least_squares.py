"""Filters without recursion of the least squared error."""

import operator

import numpy as np

from cupricx.scipy.signal._design._checks import sampling_frequency
from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["firls"]


def _pairs(bands, half):
    """The bands as pairs of fractions of half of the sampling frequency."""
    bands = np.asarray(bands, np.float64) / half
    if bands.size % 2:
        raise ValueError(f"bands must contain frequency pairs, not {bands.size} values")
    flat = bands.reshape(-1)
    if np.any(flat < 0) or np.any(flat > 1):
        raise ValueError(
            f"bands must be between 0 and {half}, half of the sampling frequency"
        )
    pairs = flat.reshape(-1, 2)
    if np.any(pairs[:, 0] >= pairs[:, 1]):
        raise ValueError("bands must be monotonically nondecreasing and have width > 0")
    if np.any(pairs[1:, 0] < pairs[:-1, 1]):
        raise ValueError("bands must not overlap")
    return pairs


def _gains(desired, pairs):
    desired = np.asarray(desired, np.float64).reshape(-1)
    if desired.size != pairs.size:
        raise ValueError(
            "desired must have one entry per frequency, but there are "
            f"{desired.size} gains for {pairs.size} frequencies"
        )
    if np.any(desired < 0):
        raise ValueError("desired must be non-negative")
    return desired.reshape(-1, 2)


def _weights(weight, count):
    if weight is None:
        return np.ones(count, float)
    weight = np.asarray(weight, np.float64).reshape(-1)
    if weight.size != count:
        raise ValueError(
            f"weight must be the same size as the number of band pairs ({count}), not "
            f"{weight.size}"
        )
    if np.any(weight < 0):
        raise ValueError("weight must be non-negative")
    return weight


@on_host
def firls(numtaps, bands, desired, weight=None, fs=None):
    r"""Filter without recursion of the least squared error.

    Parameters
    ----------
    numtaps : int
        Length of the filter, odd.
    bands : array_like, shape (2 * n,) or (n, 2)
        Edges of the bands, in ascending order, between 0 and ``fs / 2``.
    desired : array_like, shape (2 * n,) or (n, 2)
        Gains at these, with straight lines between the two of a band.
    weight : array_like, shape (n,), optional
        Weights of the squared errors of the bands.
    fs : float, optional
        Sampling frequency; 2 by default.

    Returns
    -------
    coeffs : cupric.ndarray of float64, shape (numtaps,)

    Raises
    ------
    ValueError
        An even `numtaps`; bands that overlap or are out of range; sizes that do not
        fit.

    Notes
    -----
    The amplitude of a symmetric filter is a sum of cosines. What minimizes the integral
    of its squared error has linear equations, of which the matrix is a Toeplitz matrix
    and a Hankel matrix of integrals :math:`\int \cos(\pi n f) df` over the bands.

    Examples
    --------
    >>> from cupricx.scipy.signal import firls
    >>> firls(3, [0.0, 1.0], [1.0, 1.0]).round(6)
    array([0., 1., 0.])
    """
    half = (2.0 if fs is None else sampling_frequency(fs)) / 2
    if half <= 0:
        raise ValueError(f"fs must be positive, not {2 * half}")
    numtaps = operator.index(int(numtaps))
    if numtaps % 2 == 0 or numtaps < 1:
        raise ValueError(f"numtaps must be odd and >= 1, not {numtaps}")
    pairs = _pairs(bands, half)
    gains, weight = _gains(desired, pairs), _weights(weight, len(pairs))
    order = (numtaps - 1) // 2
    matrix, vector = _normal_equations(order, pairs, gains, weight)
    a = _solved(matrix, vector)
    return np.concatenate([a[:0:-1] / 2, a[:1], a[1:] / 2])


def _normal_equations(order, pairs, gains, weight):
    """Of the coefficients of cos(pi n f), n from 0 to the order."""
    n = np.arange(2 * order + 1)[:, np.newaxis, np.newaxis]
    at_edges = pairs * np.sinc(n * pairs)  # the integral of cos(pi n f) from 0
    cosines = (at_edges[..., 1] - at_edges[..., 0]) @ weight
    i = np.arange(order + 1)
    matrix = cosines[np.abs(i[:, np.newaxis] - i)] + cosines[i[:, np.newaxis] + i]
    slope = (gains[:, 1] - gains[:, 0]) / (pairs[:, 1] - pairs[:, 0])
    offset = gains[:, 0] - slope * pairs[:, 0]
    # The integral of f cos(pi n f), by parts.
    n, at_edges = n[: order + 1], at_edges[: order + 1]
    first = np.empty(at_edges.shape, float)
    first[0] = pairs * pairs / 2
    angle = np.pi * n[1:] * pairs
    first[1:] = (angle * np.sin(angle) + np.cos(angle)) / (np.pi * n[1:]) ** 2
    integrals = slope[:, np.newaxis] * first + offset[:, np.newaxis] * at_edges
    return matrix / 2, (integrals[..., 1] - integrals[..., 0]) @ weight


def _solved(matrix, vector):
    """The solution; of the least norm where bands leave the matrix nearly singular."""
    try:
        pivots = np.linalg.cholesky(matrix).diagonal()
    except np.linalg.LinAlgError:  # not positive, by rounding
        pivots = np.zeros(1, float)
    if (pivots.min() / (pivots.max() or 1)) ** 2 > np.finfo(np.float64).eps:
        return np.linalg.solve(matrix, vector)
    return np.linalg.lstsq(matrix, vector, rcond=None)[0]
