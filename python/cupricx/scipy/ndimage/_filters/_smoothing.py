"""Means over windows, and Gaussian filters."""

import functools

import numpy as np

from cupric._lib import Library, arguments, replayed
from cupricx.scipy.ndimage._boundary import mode_number
from cupricx.scipy.ndimage._filters import _window as windows
from cupricx.scipy.ndimage._filters._correlation import (
    COLUMN_PIECES,
    MOST_REACH,
    SEGMENT,
    WIDTH,
    Operands,
    correlate_along,
    elements_before,
    in_turn,
    real_and_imag,
    rows_about,
)

__all__ = [
    "gaussian_filter",
    "gaussian_filter1d",
    "uniform_filter",
    "uniform_filter1d",
]


_library = Library(__file__, "_means.cuh")

_QUAD, _MOST_DIRECT = 4, 32  # sizes of windows that are summed each


def _example_uniform(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 23 * 90) % 17).reshape(2, 23, 90)
    return [
        ndimage.uniform_filter1d(x.astype(t), 5, axis, mode=m)
        for t, m in (("f4", "reflect"), ("u1", "wrap"), ("c8", "constant"))
        for axis in (0, 1, 2)
    ]


_uniform_tile = _library.kernel(
    "uniform_tile<X>", ships="B h H i f d", example=_example_uniform
)
_uniform_line = _library.kernel(
    "uniform_line<X>", ships="B h H i f d", example=_example_uniform
)
_uniform_columns = _library.kernel(
    "uniform_columns<X>", ships="B h H i f d", example=_example_uniform
)


# ---- means over windows --------------------------------------------------------------


@replayed
def uniform_filter1d(
    input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """Mean of windows along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    size : int
        Of the windows, in elements.
    axis : int, optional
    output, mode, cval, origin : optional
        As of `correlate1d`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Notes
    -----
    The time does not depend on the size: short windows come of sums of 1, 2, 4, …
    elements, long ones of the window before. Sums are of float64: means of integers are
    exact and then rounded towards zero, those of float32 are right to half an ulp, of
    float64 to some ulps of the largest sum nearby. What windows hold that come within
    `size` elements (or 64, if more) after an infinity or NaN is not defined.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import uniform_filter1d
    >>> uniform_filter1d(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([4, 3, 4, 1, 4, 6, 6, 3])
    """
    size = arguments.integer(size)
    if size < 1:
        raise RuntimeError(f"incorrect filter size: {size}; it must be at least 1")
    ops = Operands(input, None, output)
    x, y = ops.x, ops.y
    axis = arguments.axis(axis, x.ndim)
    before = elements_before(size, arguments.integer(origin))
    mode = mode_number(mode)
    fill, fill_imag = real_and_imag(cval, x.dtype)
    if x.size == 0:
        return ops.result()
    rows, n, inner = rows_about(x.shape, axis)
    if x.dtype.kind == "c":  # two real arrays, side by side
        real = np.dtype(x.dtype.char.lower())
        x, y, inner = x.view(real), y.view(real), 2 * inner
    else:
        fill_imag = fill
    args = (x, y, rows, n, inner, size, before, mode, fill, fill_imag)
    on_host = _library.on_host(x)
    if (size - 1) * inner <= MOST_REACH and inner <= 64:
        direct = not on_host and inner == 1 and _QUAD <= size <= _MOST_DIRECT
        if direct and (mode != 1 or x.dtype.kind == "f" and fill == x.dtype.type(fill)):
            places = (rows, n), (1, size), (0, before), (0, mode), 1
            tiles = windows.tiles(*places, x.dtype.itemsize)
            args = (x, y, tiles.sizes, tiles.count, size, fill)
            _uniform_tile[x.dtype].blocks(
                tiles.count, windows.THREADS, args, shared_mem=tiles.nbytes
            )
        else:
            _uniform_line[x.dtype].blocks(rows * -(-n * inner // SEGMENT), 256, args)
        return ops.result()
    across = rows * -(-inner // WIDTH)
    height = min(n, max(64, size))
    if not on_host:
        while height > max(8, size) and across * -(-n // height) < COLUMN_PIECES:
            height //= 2
    elif inner < 8:  # columns one by one: whole, if there are enough
        across = rows * inner
        height = n if across >= 64 else min(n, max(2048, size))
    pieces = across * -(-n // height)
    _uniform_columns[x.dtype].blocks(pieces, WIDTH, (*args, height))
    return ops.result()


@replayed
def uniform_filter(
    input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Mean of windows.

    Parameters
    ----------
    input : cupric.ndarray
    size : int or sequence of ints, optional
        Of the windows, for each axis.
    output, mode, cval, origin, axes : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. What comes of each axis is of the output's dtype.

    See Also
    --------
    uniform_filter1d : which is applied along one axis after the other.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import uniform_filter
    >>> uniform_filter(cp.arange(0, 50, 2).reshape(5, 5), size=3)
    array([[ 3,  5,  7,  9, 10],
           [10, 12, 14, 16, 17],
           [20, 22, 24, 26, 27],
           [30, 32, 34, 36, 37],
           [36, 38, 40, 42, 43]])
    """
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    sizes = arguments.per_axis(size, len(axes), "size", arguments.integer)
    origins = arguments.per_axis(origin, len(axes), "origin")
    modes = arguments.per_axis(mode, len(axes), "mode")
    steps = [
        (uniform_filter1d, s, axis, m, o)
        for axis, s, o, m in zip(axes, sizes, origins, modes, strict=True)
        if s > 1
    ]
    return in_turn(
        x,
        output,
        [
            lambda a, b, f=f, s=s, axis=axis, m=m, o=o: f(a, s, axis, b, m, cval, o)
            for f, s, axis, m, o in steps
        ],
    )


# ---- Gaussians -----------------------------------------------------------------------

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
