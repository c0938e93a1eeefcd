"""Geometric transformations: an image's values between its samples."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous, moveaxis
from cupric._lib.kernels import replayed, warn
from cupricx.scipy.ndimage._interpolation._points import affine_points, listed_points
from cupricx.scipy.ndimage._interpolation._spline_images import SplineImage

__all__ = [
    "affine_transform",
    "map_coordinates",
    "rotate",
    "shift",
    "zoom",
]


@replayed
def map_coordinates(
    input,
    coordinates,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """Values of an image at coordinates, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    coordinates : array_like
        Of shape (input.ndim, ...): an index along each axis, of any real dtype.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order : int, optional
        The degree of the splines, from 0 (the nearest sample) to 5.
    mode : str, optional
        What lies outside of the samples a b c d. 'reflect' (or 'grid-mirror'):
        ``d c b a | a b c d | d c b a``; 'mirror': ``d c b | a b c d | c b a``;
        'nearest': ``a a a | a b c d | d d d``; 'grid-wrap': ``c d | a b c d | a b``;
        'grid-constant': ``k k k | a b c d | k k k``, where k is `cval`. 'constant':
        `cval` at every coordinate outside of the first and last sample; 'wrap': as
        'grid-wrap', but d and the next a are one sample.
    cval : scalar, optional
        The constant.
    prefilter : bool, optional
        `input` are samples, of which `spline_filter` makes coefficients where `order`
        is more than 1; if False, it has the coefficients.

    Returns
    -------
    cupric.ndarray
        Of shape ``coordinates.shape[1:]``; new, or `output`. Computed in float64, of
        float32 for float32 in float32, where coordinates are float64 all the same.
        Integers are rounded, and bounded by what their dtype holds.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import map_coordinates
    >>> x = cp.arange(12.0).reshape(4, 3)
    >>> map_coordinates(x, [[0.5, 2], [0.5, 1]], order=1)
    array([2., 7.])
    """
    x = arguments.array(input)
    at = _coordinates(coordinates, x)
    image = SplineImage(x, output, at.shape[1:], order, mode, cval, prefilter)
    if at.shape[0] != x.ndim:
        raise RuntimeError(
            f"invalid shape for coordinate array: {at.shape} for an input of shape "
            f"{x.shape}; the first length must be {x.ndim}"
        )
    return _at_coordinates(image, at)


def _coordinates(coordinates, x):
    if not isinstance(coordinates, _core.ndarray):
        coordinates = arguments.small(coordinates, x)
    if coordinates.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: coordinates, {coordinates.dtype}")
    if not coordinates.ndim:
        raise RuntimeError("invalid shape for coordinate array: ()")
    if coordinates.dtype.char not in "fd":
        coordinates = coordinates.astype(np.float64)
    return contiguous(coordinates)


def _at_coordinates(image, at):
    return image.at_points(tuple(range(image.ndim)), listed_points(at))


@replayed
def affine_transform(
    input,
    matrix,
    offset=0.0,
    output_shape=None,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    *,
    texture_memory=False,
    float64_coords=False,
):
    """An image under an affine transformation, by splines.

    The value at index k is that of `input` at ``matrix @ k + offset``.

    Parameters
    ----------
    input : cupric.ndarray, n axes
    matrix : array_like
        Of shape (n, output's axes); (n, n + 1) or (n + 1, n + 1): the last column is
        the offset, instead of `offset`; (n,): a diagonal, which is quicker.
    offset : float or sequence of floats, optional
        For each axis of `input`.
    output_shape : tuple of ints, optional
        That of `output` or of `input` by default.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.
    texture_memory, float64_coords : bool, optional
        CuPy's, for which coordinates are less exact or more. They change nothing:
        coordinates are always float64, as SciPy's are.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import affine_transform
    >>> x = cp.arange(6.0).reshape(2, 3)
    >>> affine_transform(x, [[0, 1], [1, 0]], output_shape=(3, 2), order=1)
    array([[0., 3.],
           [1., 4.],
           [2., 5.]])
    """
    x = arguments.array(input)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, _core.ndarray) else x.shape
    image = SplineImage(x, output, output_shape, order, mode, cval, prefilter)
    matrix, offset = _affine(matrix, offset, x.ndim, len(image.shape))
    if matrix.ndim == 1:
        with np.errstate(divide="ignore", invalid="ignore"):
            shifts = (offset / matrix).tolist()
        return image.along_axes(shifts, matrix.tolist())
    if x.ndim > 3 or matrix.shape[0] != matrix.shape[1]:
        return _at_coordinates(image, _transformed(matrix, offset, image))
    return image.at_points(tuple(range(x.ndim)), affine_points(matrix, offset))


def _affine(matrix, offset, ndim, output_ndim):
    """The matrix, or its diagonal, and the offset, as NumPy arrays of float64."""
    if isinstance(matrix, _core.ndarray):
        matrix = matrix.get()
    if isinstance(offset, _core.ndarray):
        offset = offset.get()
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.ndim not in (1, 2) or matrix.shape[0] < 1:
        raise RuntimeError(
            f"no proper affine matrix provided: its shape is {matrix.shape}"
        )
    if (
        matrix.ndim == 2
        and matrix.shape[1] == ndim + 1
        and matrix.shape[0] in (ndim, ndim + 1)
    ):
        if matrix.shape[0] == ndim + 1 and (matrix[ndim] != [0] * ndim + [1]).any():
            raise ValueError(
                f"the last row of a matrix of shape {matrix.shape} for an input of "
                f"{ndim} axes must be {[0] * ndim + [1]}, it is {matrix[ndim].tolist()}"
            )
        offset, matrix = matrix[:ndim, ndim], matrix[:ndim, :ndim]
    if matrix.shape[0] != ndim:
        raise RuntimeError(
            f"affine matrix has wrong number of rows: its shape is {matrix.shape} "
            f"for an input of {ndim} axes"
        )
    if matrix.ndim == 2 and matrix.shape[1] != output_ndim:
        raise RuntimeError(
            f"affine matrix has wrong number of columns: its shape is {matrix.shape} "
            f"for an output of {output_ndim} axes"
        )
    if matrix.ndim == 1 and ndim != output_ndim:
        raise RuntimeError(
            f"a diagonal keeps the number of axes: the input has {ndim}, the output "
            f"{output_ndim}"
        )
    return matrix, np.array(arguments.per_axis(offset, ndim, "offset", float))


def _transformed(matrix, offset, image):
    """Coordinates of each output under an affine transformation."""
    shape = image.shape
    at = _core.empty((image.ndim, *shape))
    for axis in range(image.ndim):
        at[axis] = float(offset[axis])
        for k, length in enumerate(shape):
            step = _core.arange(length, dtype=np.float64) * float(matrix[axis, k])
            at[axis] += step.reshape((-1,) + (1,) * (len(shape) - 1 - k))
    return at


@replayed
def shift(
    input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):
    """An image moved by any number of elements, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    shift : float or sequence of floats
        For each axis: the value at index k is that of `input` at ``k - shift``.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Each axis is done by itself.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import shift
    >>> shift(cp.array([0.0, 4, 8, 2]), 0.5, order=1)
    array([0., 2., 6., 5.])
    """
    x = arguments.array(input)
    image = SplineImage(x, output, x.shape, order, mode, cval, prefilter)
    shifts = arguments.per_axis(shift, x.ndim, "shift", float)
    return image.along_axes([-s + 0.0 for s in shifts], [1.0] * x.ndim)


@replayed
def zoom(
    input,
    zoom,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    *,
    grid_mode=False,
):
    """An image made larger or smaller, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    zoom : float or sequence of floats
        For each axis: how many times longer it becomes, rounded to whole elements.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.
    grid_mode : bool, optional
        The image ends where its outer elements end, not in their middle. Modes
        'grid-constant' and 'grid-wrap' go with it, 'constant' and 'wrap' do not.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Each axis is done by itself.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import zoom
    >>> zoom(cp.array([0.0, 4, 8]), 5 / 3, order=1)
    array([0., 2., 4., 6., 8.])
    """
    x = arguments.array(input)
    zooms = arguments.per_axis(zoom, x.ndim, "zoom", float)
    shape = tuple(round(n * z) for n, z in zip(x.shape, zooms, strict=True))
    image = SplineImage(x, output, shape, order, mode, cval, prefilter)
    if prefilter and all(z == 1 for z in zooms):
        target = image.target
        y = target.buffer(x)
        y[...] = x.astype(y.dtype, copy=False)
        return target.result(y)
    if grid_mode and mode in ("constant", "wrap"):
        warn(
            f"mode 'grid-{mode}' goes with grid_mode=True, rather than '{mode}'",
            stacklevel=2,
        )
    less = 0 if grid_mode else 1
    scales = [
        (n - less) / (m - less) if m != less else 1.0
        for n, m in zip(x.shape, shape, strict=True)
    ]
    return image.along_axes([0.0] * x.ndim, scales, bool(grid_mode))


@replayed
def rotate(
    input,
    angle,
    axes=(1, 0),
    reshape=True,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """An image turned in the plane of two axes, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    angle : float
        In degrees.
    axes : tuple of two ints, optional
    reshape : bool, optional
        The result is as large as the turned image; else as the image was.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import rotate
    >>> rotate(cp.arange(6).reshape(2, 3), 90, order=1)
    array([[2, 5],
           [1, 4],
           [0, 3]])
    """
    x = arguments.array(input)
    first, second = _plane(axes, x.ndim)
    c, s = _turn(float(angle))
    matrix = np.array([[c, s], [-s, c]])
    plane = np.array([x.shape[first], x.shape[second]])
    made = plane
    if reshape:
        corners = matrix @ [[0, 0, plane[0], plane[0]], [0, plane[1], 0, plane[1]]]
        made = (np.ptp(corners, axis=1) + 0.5).astype(int)
    offset = (plane - 1) / 2 - matrix @ ((made - 1) / 2)
    shape = list(x.shape)
    shape[first], shape[second] = made.tolist()
    if second == first + 1:
        image = SplineImage(x, output, shape, order, mode, cval, prefilter)
        return image.at_points((first, second), affine_points(matrix, offset))
    # side by side, then back
    target = Output(output, x, shape, is_complex=x.dtype.kind == "c")
    shape.insert(first + 1, shape.pop(second))
    image = SplineImage(
        moveaxis(x, second, first + 1),
        target.dtype,
        shape,
        order,
        mode,
        cval,
        prefilter,
    )
    y = image.at_points((first, first + 1), affine_points(matrix, offset))
    return target.result(moveaxis(y, first + 1, second))


def _plane(axes, ndim):
    """The two axes of a plane, in order."""
    if ndim < 2:
        raise ValueError(f"input array should be at least 2D, it has {ndim} axes")
    axes = list(axes)
    if len(axes) != 2:
        raise ValueError(f"axes should contain exactly two values, not {axes}")
    if not all(float(axis).is_integer() for axis in axes):
        raise ValueError(f"axes should contain only integer values, not {axes}")
    axes = [int(axis) + (ndim if axis < 0 else 0) for axis in axes]
    if not all(0 <= axis < ndim for axis in axes) or axes[0] == axes[1]:
        raise ValueError(
            f"invalid rotation plane specified: axes {axes} of an array of {ndim} axes"
        )
    return sorted(axes)


def _turn(degrees):
    """The cosine and sine of an angle, exact at multiples of 90 degrees."""
    rest = math.fmod(abs(degrees), 360)
    quarters = math.floor((rest + 45) / 90)
    rest = math.radians(rest - 90 * quarters)
    c, s = math.cos(rest), math.sin(rest)
    c, s = ((c, s), (-s, c), (-c, -s), (s, -c))[quarters % 4]
    return c, math.copysign(1.0, degrees) * s
