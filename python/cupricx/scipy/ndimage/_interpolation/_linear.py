"""Linear interpolation of one number an element, on a GPU."""

import math

from cupric._lib.kernels import Library

__all__ = ["linear_values"]

_library = Library(__file__)

_MOST_ELEMENTS = 2**31 - 1  # of an image


def _example(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 30 * 40) % 17).reshape(5, 30, 40)
    at = (xp.arange(3 * 300).reshape(3, 300) / 7).astype("f4")
    return [
        ndimage.map_coordinates(x.astype("f4"), at, order=1),
        ndimage.map_coordinates(x[0].astype("f8"), at[:2], order=1, cval=3),
        ndimage.zoom(x.astype("f8"), (1, 2, 0.5), order=1),
        ndimage.zoom(x[0].astype("f4"), 1.5, order=1, mode="nearest"),
    ]


_linear_at = _library.kernel(
    "linear_at<X, N>",
    blocks="p.pieces",
    threads="THREADS",
    ships="f2 f3 d2 d3",
    example=_example,
)
_linear_along = _library.kernel(
    "linear_along<X, N>",
    blocks="a.pieces",
    threads="THREADS",
    ships="f2 f3 d2 d3",
    example=_example,
)


def linear_values(image, points, x, y, outer, n, m):
    """Write an image's values at points, where there is a kernel for them: as
    `values_at`. Returns whether there is.
    """
    ndim = len(n)
    if x.dtype.char not in "fd" or ndim not in (2, 3):
        return False
    if x.size // outer > _MOST_ELEMENTS:
        return False
    if points.is_along_axes:
        _along(image, points, x, y, outer, n, m)
        return True
    exact = min(n) >= 2 and max(n) <= _library.enum.MOST_EXACT
    if not (points.is_single and image.mode.is_constant and exact):
        return False
    p = _library.struct.linear_image(
        n=n,
        points=y.size,
        pieces=-(-y.size // _library.enum.PIECE_POINTS),
        fill=image.cval.real,
    )
    _linear_at[x.dtype, ndim](x=x, y=y, coordinates=points.coordinates, p=p)
    return True


def _along(image, points, x, y, outer, n, m):
    rows, enum = outer * math.prod(m[:-1]), _library.enum
    a = _library.struct.linear_axes(
        rows=rows,
        pieces=-(-rows // enum.LINES) * -(-m[-1] // enum.WARP),
        n=n,
        m=m,
        shift=points.offset,
        zoom=points.matrix[::4],
        fill=image.cval.real,
        grid=points.is_grid,
        mode=image.mode.coordinates,
        around=image.mode.around,
    )
    _linear_along[x.dtype, len(n)](x=x, y=y, a=a)
