"""Derivatives: Prewitt and Sobel filters, Laplacians, magnitudes of gradients."""

import functools

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous, where_it_lives
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.ndimage._boundary import mode_number
from cupricx.scipy.ndimage._filters._correlation import (
    correlate_along,
    correlate_over,
    in_turn,
)
from cupricx.scipy.ndimage._filters._gaussian import gaussian_filter

__all__ = [
    "gaussian_gradient_magnitude",
    "gaussian_laplace",
    "generic_gradient_magnitude",
    "generic_laplace",
    "laplace",
    "prewitt",
    "sobel",
]


def _example(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 7 * 9) % 17).reshape(5, 7, 9)
    return [
        ndimage.gaussian_gradient_magnitude(x.astype("f4"), 1.0),
        ndimage.gaussian_gradient_magnitude(x[0].astype("f8"), 0.5),
        ndimage.gaussian_laplace(x.astype("f4"), 1.0),
    ]


_library = Library(__file__)
_add_derivative = _library.kernel(
    "add_derivative<T>", elements="size", ships="f d", example=_example
)


def _passes_are_exact(x, output):
    """Whether no pass over an axis would round what it writes to integers."""
    if x.dtype.kind == "c":
        return True
    kind = Output(output, x).dtype.kind
    return kind in "fc" or kind in "iu" and x.dtype.kind in "iu" and x.itemsize <= 4


def _difference(input, smooth, axis, output, mode, cval):
    """Differences along an axis, smoothed along all others."""
    x = arguments.array(input)
    axis = arguments.axis(axis, x.ndim)
    modes = arguments.per_axis(mode, x.ndim, "mode")
    along = {axis: (-1.0, 0.0, 1.0)}
    along |= {d: smooth for d in range(x.ndim) if d != axis}
    # On a GPU at once, where what lies outside is so of what was filtered, too.
    outside = (
        any(mode_number(m) == mode_number("constant") for m in modes) and cval != 0
    )
    at_once = 2 <= x.ndim <= 3 and not outside and not _library.on_host(x)
    if at_once and _passes_are_exact(x, output):
        weights = functools.reduce(np.multiply.outer, (along[d] for d in range(x.ndim)))
        return correlate_over(x, weights, output, modes, cval, 0, None, False)
    return in_turn(
        x,
        output,
        [
            lambda a, b, d=d, w=w: correlate_along(
                a, np.array(w), d, b, modes[d], cval, 0
            )
            for d, w in along.items()
        ],
    )


@replayed
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Prewitt's derivative: differences along an axis, sums of three along the others.

    Parameters
    ----------
    input : cupric.ndarray
    axis : int, optional
    output, mode, cval : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import prewitt
    >>> prewitt(cp.arange(9).reshape(3, 3) ** 2)
    array([[ 9, 24, 15],
           [21, 48, 27],
           [33, 72, 39]])
    """
    return _difference(input, (1, 1, 1), axis, output, mode, cval)


@replayed
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Sobel's derivative: differences along an axis, sums weighted 1, 2, 1 along the
    others.

    Parameters
    ----------
    input : cupric.ndarray
    axis : int, optional
    output, mode, cval : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import sobel
    >>> sobel(cp.arange(9).reshape(3, 3) ** 2)
    array([[ 10,  28,  18],
           [ 28,  64,  36],
           [ 46, 100,  54]])
    """
    return _difference(input, (1, 2, 1), axis, output, mode, cval)


@where_it_lives
def generic_laplace(
    input,
    derivative2,
    output=None,
    mode="reflect",
    cval=0.0,
    extra_arguments=(),
    extra_keywords=None,
    *,
    axes=None,
):
    """Sum of second derivatives, by a function of your own.

    Parameters
    ----------
    input : cupric.ndarray
    derivative2 : callable
        ``derivative2(input, axis, output, mode, cval, *extra_arguments,
        **extra_keywords)``; its `output` is an array to write, or a dtype.
    output, mode, cval, axes : optional
        As of `correlate`.
    extra_arguments : sequence, optional
    extra_keywords : dict, optional

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import correlate1d, generic_laplace
    >>> def second(input, axis, output, mode, cval):
    ...     return correlate1d(input, [1, -2, 1], axis, output, mode, cval)
    >>> generic_laplace(cp.arange(6) ** 3, second)
    array([  1,   6,  12,  18,  24, -61])
    """

    def derivative(x, axis, output, mode):
        return derivative2(
            x, axis, output, mode, cval, *extra_arguments, **(extra_keywords or {})
        )

    return _over_axes(input, derivative, output, mode, axes, squares=False)


def _over_axes(input, derivative, output, mode, axes, *, squares):
    """The sum of derivatives along axes, or the root of the sum of squares."""
    x = arguments.array(input)
    target = Output(output, x, is_complex=x.dtype.kind == "c")
    axes = arguments.axes(axes, x.ndim)
    modes = arguments.per_axis(mode, len(axes), "mode")
    y = target.buffer(x)
    if not axes:
        y[...] = x
        return target.result(y)
    at_once = y.dtype.char in "fd" and len(axes) > 1
    for axis, m in zip(axes, modes, strict=True):
        first = axis == axes[0]
        found = derivative(x, axis, y if first else y.dtype, m)
        if not at_once:
            if squares:
                found = _core.multiply(found, found, out=found)
            if not first:
                _core.add(y, found, out=y)
        elif not first:
            found = contiguous(found, y.dtype)
            if found.shape != y.shape:
                raise ValueError(f"a derivative is of {found.shape}, not of {y.shape}")
            _add_derivative[y.dtype](
                x=found,
                y=y,
                squares=squares,
                first=axis == axes[1],
                last=axis == axes[-1],
                size=y.size,
            )
    if squares and not at_once:
        _core.sqrt(y, out=y, casting="unsafe")
    return target.result(y)


@replayed
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """Laplace's operator: sum of second differences.

    Parameters
    ----------
    input : cupric.ndarray
    output, mode, cval, axes : optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import laplace
    >>> laplace(cp.arange(9).reshape(3, 3) ** 2)
    array([[ 10,  17,  18],
           [ 25,  20,   9],
           [-14, -31, -54]])
    """
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    if not axes:
        return _over_axes(x, None, output, mode, axes, squares=False)
    modes = arguments.per_axis(mode, len(axes), "mode")
    return correlate_over(x, _cross(len(axes)), output, modes, cval, 0, axes, False)


@functools.cache
def _cross(n):
    """The weights of Laplace's operator over n axes."""
    weights = np.zeros((3,) * n, np.float64)
    for axis in range(n):
        index = [1] * n
        for place, weight in enumerate((1, -2, 1)):
            index[axis] = place
            weights[tuple(index)] += weight
    return weights


@replayed
def gaussian_laplace(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs
):
    """Laplace's operator by second derivatives of Gaussians.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float or sequence of floats
        The standard deviation, for each axis.
    output, mode, cval, axes : optional
        As of `correlate`.
    **kwargs
        As of `gaussian_filter`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_laplace
    >>> gaussian_laplace(cp.arange(6.0) ** 2, sigma=1).round(3)
    array([ 1.321,  1.72 ,  1.934,  1.539, -1.065, -5.453])
    """
    return _gaussians(input, sigma, 2, output, mode, cval, axes, kwargs)


@where_it_lives
def generic_gradient_magnitude(
    input,
    derivative,
    output=None,
    mode="reflect",
    cval=0.0,
    extra_arguments=(),
    extra_keywords=None,
    *,
    axes=None,
):
    """Magnitude of the gradient, by a function of your own.

    Parameters
    ----------
    input : cupric.ndarray
    derivative : callable
        ``derivative(input, axis, output, mode, cval, *extra_arguments,
        **extra_keywords)``, such as `sobel`; its `output` is an array to write, or a
        dtype.
    output, mode, cval, axes : optional
        As of `correlate`.
    extra_arguments : sequence, optional
    extra_keywords : dict, optional

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import generic_gradient_magnitude, sobel
    >>> generic_gradient_magnitude(cp.arange(9.0).reshape(3, 3), sobel).round(1)
    array([[12.6, 14.4, 12.6],
           [24.3, 25.3, 24.3],
           [12.6, 14.4, 12.6]])
    """

    def one(x, axis, output, mode):
        return derivative(
            x, axis, output, mode, cval, *extra_arguments, **(extra_keywords or {})
        )

    return _over_axes(input, one, output, mode, axes, squares=True)


@replayed
def gaussian_gradient_magnitude(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs
):
    """Magnitude of the gradient by derivatives of Gaussians.

    Parameters
    ----------
    input : cupric.ndarray
    sigma : float or sequence of floats
        The standard deviation, for each axis of `input`: all are smoothed.
    output, mode, cval : optional
        As of `correlate`.
    axes : tuple of ints, optional
        That derivatives are taken along.
    **kwargs
        As of `gaussian_filter`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import gaussian_gradient_magnitude
    >>> gaussian_gradient_magnitude(cp.arange(6.0) ** 2, sigma=1).round(3)
    array([0.636, 2.15 , 4.009, 5.836, 6.343, 3.002])
    """
    return _gaussians(input, sigma, 1, output, mode, cval, axes, kwargs)


def _gaussians(input, sigma, order, output, mode, cval, axes, kwargs):
    """Derivatives of Gaussians along each axis: first ones squared."""
    x = arguments.array(input)
    axes = arguments.axes(axes, x.ndim)
    if order == 2:  # along the others nothing is smoothed
        given = arguments.per_axis(sigma, len(axes), "sigma")
        sigma = [0.0] * x.ndim
        for axis, s in zip(axes, given, strict=True):
            sigma[axis] = s

    def derivative(x, axis, output, mode):
        orders = [order if d == axis else 0 for d in range(x.ndim)]
        return gaussian_filter(x, sigma, orders, output, mode, cval, **kwargs)

    return _over_axes(x, derivative, output, mode, axes, squares=order == 1)
