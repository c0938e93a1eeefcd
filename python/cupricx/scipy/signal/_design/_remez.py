"""Filters without recursion of the least greatest error: Remez's exchange."""

import operator

import numpy as np

from cupricx.scipy.signal._design._checks import sampling_frequency
from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["remez"]

TYPES = ("bandpass", "differentiator", "hilbert")


@on_host
def remez(
    numtaps,
    bands,
    desired,
    *,
    weight=None,
    type="bandpass",
    maxiter=25,
    grid_density=16,
    fs=None,
):
    """Filter without recursion of the least greatest error.

    Parameters
    ----------
    numtaps : int
        Length of the filter, at least 2.
    bands : array_like, shape (2 * n,)
        Edges of the bands, in ascending order, between 0 and ``fs / 2``.
    desired : array_like, shape (n,)
        Gains of the bands; of a differentiator the slope of the gain.
    weight : array_like, shape (n,), optional
        Weights of the errors of the bands; of a differentiator, of relative errors.
    type : {'bandpass', 'differentiator', 'hilbert'}, optional
        The filter is symmetric; or antisymmetric, and the gain rises with the
        frequency; or antisymmetric.
    maxiter : int, optional
        Most exchanges.
    grid_density : int, optional
        Frequencies at which the error is looked at, for each coefficient.
    fs : float, optional
        Sampling frequency; 1 by default.

    Returns
    -------
    out : cupric.ndarray of float64, shape (numtaps,)

    Raises
    ------
    ValueError
        Bands out of range or order, sizes that do not fit, a `type` that there is not,
        or bands so close to each other that nothing converges.

    References
    ----------
    - J. H. McClellan, T. W. Parks and L. R. Rabiner, "A computer program for designing
      optimum FIR linear phase digital filters", IEEE Transactions on Audio and
      Electroacoustics 21 (1973), 506-526.
    - J.-P. Berrut and L. N. Trefethen, "Barycentric Lagrange interpolation", SIAM
      Review 46 (2004), 501-517.

    Examples
    --------
    >>> from cupricx.scipy.signal import remez
    >>> remez(3, [0.0, 0.1, 0.4, 0.5], [1.0, 0.0]).round(4)
    array([0.2764, 0.5   , 0.2764])
    """
    if type not in TYPES:
        raise ValueError(f"type must be one of {list(TYPES)}, not {type!r}")
    numtaps = operator.index(numtaps)
    if numtaps < 2:
        raise ValueError(f"The number of taps must be greater than 1, not {numtaps}")
    fs = 1.0 if fs is None else sampling_frequency(fs)
    bands, desired, weight = _checked(bands, desired, weight, fs)
    count = _coefficients(numtaps, type != "bandpass")
    grid, band = _grid(bands, count, grid_density, numtaps, type != "bandpass")
    target, importance = desired[band], weight[band]
    if type == "differentiator":
        target = target * grid
        importance = np.where(desired[band] < 1e-4, importance, importance / grid)
    factor = _factor(grid, numtaps, type != "bandpass")
    amplitude, error = _exchanged(
        grid, target / factor, importance * factor, count, maxiter
    )
    h = _taps(amplitude, numtaps, type != "bandpass")
    some = slice(None, None, 4)  # what rounding takes, it takes everywhere
    missed = target[some] - _gain(h, grid[some], type != "bandpass")
    missed *= importance[some]
    if not np.abs(missed).max() <= max(2 * error, 1e-9 * np.abs(importance).max()):
        raise ValueError(
            f"Failure to converge: {numtaps} taps leave an error of {error:.1g}, which "
            "is lost in rounding; use fewer taps, or narrower transition bands"
        )
    return h


def _checked(bands, desired, weight, fs):
    """Pairs of frequencies in cycles a sample, gains, and weights."""
    bands, desired = (np.asarray(v, np.float64) for v in (bands, desired))
    weight = (
        np.ones(desired.shape, float) if weight is None else np.asarray(weight, float)
    )
    fits = bands.ndim == desired.ndim == weight.ndim == 1
    if not fits or not 0 < bands.size == 2 * desired.size == 2 * weight.size:
        raise ValueError(
            "desired and weight must have one axis and the same length, and bands have "
            f"twice that; their shapes are {desired.shape}, {weight.shape} and "
            f"{bands.shape}"
        )
    bands = bands / fs
    if bands[0] < 0 or np.any(np.diff(bands) < 0):
        raise ValueError("Bands must be monotonic starting at zero")
    if bands[-1] > 0.5:
        raise ValueError(
            f"Band edges must be at most half of the sampling frequency, {fs / 2}"
        )
    return bands.reshape(-1, 2), desired, weight


def _coefficients(numtaps, antisymmetric):
    """How many there are of the sum of cosines that is left when what all filters of a
    symmetry and length have in common is divided out."""
    return numtaps // 2 + (numtaps % 2 and not antisymmetric)


def _factor(f, numtaps, antisymmetric):
    """What they have in common, at frequencies in cycles a sample."""
    if antisymmetric:
        return np.sin(2 * np.pi * f) if numtaps % 2 else np.sin(np.pi * f)
    return np.ones_like(f) if numtaps % 2 else np.cos(np.pi * f)


def _grid(bands, count, density, numtaps, antisymmetric):
    """Frequencies at which the error is looked at, and the band of each: equally spaced
    from the edge of a band, of which the other edge takes the place of the last. Where
    the common factor is zero there are none."""
    density = operator.index(density)
    if density < 1:
        raise ValueError(f"grid_density must be at least 1, not {density}")
    step = 0.5 / (density * count)
    parts = []
    for low, high in bands:
        start = max(low, step) if antisymmetric and not parts else low
        points = start + step * np.arange(max(int((high - start) / step + 1e-9), 0) + 1)
        points[-1] = high
        parts.append(points)
    vanishes_at_end = antisymmetric == bool(numtaps % 2)
    if vanishes_at_end and parts[-1][-1] > 0.5 - step:
        parts[-1] = parts[-1][:-1]
    band = np.repeat(np.arange(len(parts)), [p.size for p in parts])
    grid = np.concatenate(parts)
    if grid.size <= count:
        raise ValueError(
            f"The bands have {grid.size} frequencies of the grid, but {count + 1} are "
            "needed: they must be wider, or grid_density higher"
        )
    return grid, band


def _products(apart):
    """The product of each row: a fraction, and the power of 2 that it is times."""
    fractions, exponents = np.frexp(apart)
    product, exponent = np.ones(len(apart), float), exponents.sum(1)
    for i in range(0, apart.shape[1], 512):  # fractions of so many do not underflow
        product, shift = np.frexp(product * np.prod(fractions[:, i : i + 512], axis=1))
        exponent += shift
    return product, exponent


def _barycentric_weights(x):
    """The weights times a power of 2, and the exponent of that."""
    apart = x[:, np.newaxis] - x
    np.fill_diagonal(apart, 1)
    product, exponent = _products(apart)
    scale = exponent.min()
    with np.errstate(divide="ignore"):  # bands that touch
        return np.ldexp(1 / product, scale - exponent), scale


def _differences(at, x):
    """at - x, 1 in the place of 0; and where that is."""
    apart = at[:, np.newaxis] - x
    rows, columns = np.nonzero(apart == 0)
    apart[rows, columns] = 1
    return apart, rows, columns


def _between(at, x, y, weights):
    """The polynomial through points, by the second barycentric formula."""
    apart, rows, columns = _differences(at, x)
    terms = weights / apart
    with np.errstate(divide="ignore", invalid="ignore"):
        values = (terms @ y) / terms.sum(1)
    values[rows] = y[columns]
    return values


def _interpolant(x, y, weights, scale):
    """The polynomial through points, as a function: by the first barycentric formula,
    which is exact beyond the points, too, where digits of the second cancel."""

    def values(at):
        apart, rows, columns = _differences(at, x)
        product, exponent = _products(apart)
        result = np.ldexp(product * ((weights * y / apart).sum(1)), exponent - scale)
        result[rows] = y[columns]
        return result

    return values


def _exchanged(grid, target, weight, count, maxiter):
    """The sum of `count` cosines with the least greatest weighted error on the grid, as
    a function of x = cos(2 pi f); and that error."""
    if np.all(target == target[0]):
        return lambda at: np.full(at.shape, target[0]), 0.0
    x = np.cos(2 * np.pi * grid)
    chosen = _leja(x, count + 1)
    alternating = (-1.0) ** np.arange(count + 1)
    reached, least, best = 0.0, np.inf, None
    for iteration in range(max(maxiter, 1)):
        weights, scale = _barycentric_weights(x[chosen])
        deviation, noise = _deviation(weights, target[chosen], weight[chosen])
        if not abs(deviation) >= reached - noise:
            raise ValueError(
                f"Failure to converge at iteration {iteration}: bands may be too close "
                "to each other"
            )
        reached = max(reached, abs(deviation))
        y = target[chosen] - deviation * alternating / weight[chosen]
        error = weight * (target - _between(x, x[chosen], y, weights))
        error[chosen] = deviation * alternating
        greatest = np.abs(error).max()
        if greatest < least:
            least, best = greatest, _interpolant(x[chosen], y, weights, scale)
        following = _alternation(error, count + 1)
        if greatest <= abs(deviation) + noise or following.size <= count:
            break
        if np.array_equal(following, chosen):
            break
        chosen = following
    return best, least


def _leja(x, count):
    """Which of some numbers determine polynomials well: each as far as can be from
    those before, by the product of distances.

    A first guess that is equally spaced would miss the edges of bands by so much that
    nothing converges.
    """
    chosen = [0]
    distance = np.zeros(x.size, float)
    with np.errstate(divide="ignore"):
        for _ in range(count - 1):
            distance += np.log(np.abs(x - x[chosen[-1]]))
            chosen.append(int(np.argmax(distance)))
    return np.sort(chosen)


def _deviation(weights, target, weight):
    """By how much a polynomial misses all points, in alternating directions; and the
    size of rounding errors in that."""
    alternating = (-1.0) ** np.arange(weights.size)
    sizes = np.abs(weights)
    with np.errstate(invalid="ignore"):
        total = weights @ (alternating / weight)
        deviation = (weights @ target) / total
        noise = sizes @ np.abs(target) / abs(total)
    return deviation, 4e-16 * weights.size * noise


def _alternation(error, count):
    """Where the error has its extremes: `count` of them, of alternating signs."""
    size = np.abs(error)
    nonzero = np.where(error != 0, np.arange(error.size), 0)
    sign = np.sign(error)[np.maximum.accumulate(nonzero)]  # zeros as what is before
    starts = np.flatnonzero(np.r_[True, sign[1:] != sign[:-1]])
    greatest = np.maximum.reduceat(size, starts)
    runs = np.repeat(np.arange(starts.size), np.diff(np.r_[starts, size.size]))
    # The first that is as great as the greatest of its run.
    at = np.flatnonzero(size == greatest[runs])
    peaks = at[np.unique(runs[at], return_index=True)[1]].tolist()
    while len(peaks) > count:
        peaks = _with_fewer(peaks, size, len(peaks) - count)
    return np.array(peaks, dtype=int)


def _with_fewer(peaks, size, excess):
    """Without the smallest: where two are too many, together with the smaller of its
    neighbours, so that signs go on to alternate; else an end."""
    heights = size[peaks]
    smallest = int(np.argmin(heights))
    if excess == 1 or smallest in (0, len(peaks) - 1):
        return peaks[1:] if heights[0] < heights[-1] else peaks[:-1]
    first = smallest - int(heights[smallest - 1] < heights[smallest + 1])
    return peaks[:first] + peaks[first + 2 :]


def _taps(amplitude, numtaps, antisymmetric):
    """The taps, of the amplitude at `numtaps` equally spaced frequencies."""
    f = np.arange(numtaps // 2 + 1) / numtaps
    gain = amplitude(np.cos(2 * np.pi * f)) * _factor(f, numtaps, antisymmetric)
    response = gain * np.exp(-1j * np.pi * (numtaps - 1) * f)
    h = np.fft.irfft(response * 1j if antisymmetric else response, numtaps)
    if antisymmetric:
        return (h - h[::-1]) / 2
    return (h + h[::-1]) / 2


def _gain(h, f, antisymmetric):
    """The amplitude of taps, at frequencies in cycles a sample."""
    half = h.size // 2
    t = np.arange(half) - (h.size - 1) / 2
    angles = 2 * np.pi * f[:, np.newaxis] * t
    wave = -np.sin(angles) if antisymmetric else np.cos(angles)
    return 2 * (wave @ h[:half]) + (0 if antisymmetric or h.size % 2 == 0 else h[half])
