"""Gaussian filters."""

import functools

import numpy as np

from cupric._lib import arguments
from cupric._lib.kernels import replayed
from cupricx.scipy.ndimage._filters._correlation import correlate_along, in_turn

__all__ = [
    "gaussian_filter",
    "gaussian_filter1d",
]

_FEW_PLACES = 16


@functools.lru_cache(maxsize=256)
def _gaussian(sigma, order, radius):
    """A Gaussian's derivative at the integers within a radius, reversed.

    The k-th derivative is q_k(x) times the Gaussian, where
    q_k+1 = -(x q_k + k q_k-1) / sigma**2, as for Hermite's polynomials.
    """
    if order < 0:
        raise ValueError(f"order must be non-negative, not {order}")
    if sigma == 0:
        raise ValueError("sigma must not be 0 along an axis")
    square = sigma**2

    def polynomial(x):
        last, q = 0.0, 1.0
        for k in range(order):
            last, q = q, -(x * q + k * last) / square
        return q

    # exp and sum are NumPy's, to the last place, as integers show it. The rest of a few
    # places is done without it: each of its functions takes long in its first call.
    if radius > _FEW_PLACES:
        x = np.arange(-radius, radius + 1, dtype=np.float64)
        phi = np.exp(-0.5 / square * (x * x))
        return (polynomial(x) * (phi / phi.sum()))[::-1]
    places = range(-radius, radius + 1)
    phi = np.exp([-0.5 / square * (x * x) for x in places])
    whole = float(np.add.reduce(phi))
    pairs = zip(places, phi.tolist(), strict=True)
    return np.array([polynomial(x) * (value / whole) for x, value in pairs][::-1])


@replayed
def gaussian_filter1d(
    input,
    sigma,
    axis=-1,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
):
    """Correlation with a Gaussian, or a derivative of it, along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float
        The standard deviation.
    axis : int, optional
    order : int, optional
        Of the derivative.
    output, mode, cval : optional
        As of `correlate1d`.
    truncate : float, optional
        After how many standard deviations the weights end.
    radius : int, optional
        After how many elements they do; instead of `truncate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_filter1d
    >>> gaussian_filter1d(cp.array([1.0, 2.0, 3.0, 4.0, 5.0]), 1)
    array([1.42704095, 2.06782203, 3.        , 3.93217797, 4.57295905])
    """
    sigma = float(sigma)
    if radius is None:
        radius = int(truncate * sigma + 0.5)
    if not isinstance(radius, (int, np.integer)) or radius < 0:
        raise ValueError(
            f"Radius must be a nonnegative integer, not {radius} (sigma {sigma}, "
            f"truncate {truncate})"
        )
    weights = _gaussian(sigma, arguments.integer(order), int(radius))
    return correlate_along(input, weights, axis, output, mode, cval, 0)


@replayed
def gaussian_filter(
    input,
    sigma,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
    axes=None,
):
    """Correlation with a Gaussian, or a derivative of it.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float or sequence of floats
        The standard deviation, for each axis; those of 0 are left alone.
    order : int or sequence of ints, optional
        Of the derivative, for each axis.
    output, mode, cval, axes : optional
        As of `correlate`.
    truncate : float, optional
        After how many standard deviations the weights end.
    radius : int or sequence of ints, optional
        After how many elements they do, for each axis; instead of `truncate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. What comes of each axis is of the output's dtype.

    See Also
    --------
    gaussian_filter1d : which is applied along one axis after the other.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_filter
    >>> gaussian_filter(cp.arange(50, step=2).reshape(5, 5), sigma=1)
    array([[ 4,  6,  8,  9, 11],
           [10, 12, 14, 15, 17],
           [20, 22, 24, 25, 27],
           [29, 31, 33, 34, 36],
           [35, 37, 39, 40, 42]])
    """
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    steps = zip(
        axes,
        *(
            arguments.per_axis(value, len(axes), name)
            for name, value in (
                ("order", order),
                ("sigma", sigma),
                ("mode", mode),
                ("radius", radius),
            )
        ),
        strict=True,
    )
    return in_turn(
        x,
        output,
        [
            lambda a, b, axis=axis, o=o, s=s, m=m, r=r: gaussian_filter1d(
                a, s, axis, o, b, m, cval, truncate, radius=r
            )
            for axis, o, s, m, r in steps
            if s > 1e-15
        ],
    )
