"""Values of images at points that are listed, or follow from the result's indices."""

import functools

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library

__all__ = [
    "Points",
    "affine_points",
    "listed_points",
    "on_host",
    "points_along_axes",
    "values_at",
]

_library = Library(__file__)

_MOST_NARROW = 2**31 - 1  # elements of an image whose indices are of 32 bits
_HOST_ELEMENTS = 8192  # that are worth a task


def _example(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 30 * 40) % 17).reshape(5, 30, 40)
    at = xp.arange(3 * 50).reshape(3, 50) / 7
    turn = [[0.8, -0.6, 1.0], [0.6, 0.8, -3.0]]
    return [
        ndimage.map_coordinates(x.astype("f4"), at.astype("f4"), mode="nearest"),
        ndimage.map_coordinates(x.astype("f8"), at, order=5, mode="mirror"),
        ndimage.affine_transform(x[0].astype("f4"), turn, order=1),
        ndimage.affine_transform(x[0].astype("u1"), turn, order=0, mode="wrap"),
        ndimage.rotate(x.astype("c16"), 30, order=2, axes=(1, 2)),
    ]


_interpolate = _library.kernel(
    "interpolate<X, W, Y, I, N, ORDER>",
    blocks=True,
    threads="THREADS",
    ships=" ".join(
        f"{types}{ndim}{order}"
        for types, orders in (("fffi", "135"), ("dddi", "135"), ("BdBi", "1"))
        for ndim in "123"
        for order in orders
    ),
    example=_example,
)


class Points:
    """Where values are asked for.

    Attributes
    ----------
    kind : int
        What the rest is: of `point_kind` in _points.h.
    matrix : tuple of 9 floats
    offset : tuple of up to 3 floats
    coordinates : cupric.ndarray or None
        Of float32 or float64, (axes, ...).
    """

    __slots__ = ("coordinates", "kind", "matrix", "offset")

    def __init__(self, kind, matrix=(), offset=(), coordinates=None):
        self.kind, self.matrix, self.offset = kind, matrix, offset
        self.coordinates = coordinates

    @property
    def is_listed(self):
        return self.coordinates is not None

    @property
    def is_single(self):
        """Whether coordinates are of float32."""
        return self.kind == _library.enum.SINGLES

    @property
    def is_along_axes(self):
        """Whether each axis is by itself: `matrix` has a diagonal alone."""
        return self.kind in (_library.enum.ZOOM, _library.enum.GRID_ZOOM)

    @property
    def is_grid(self):
        return self.kind == _library.enum.GRID_ZOOM


def listed_points(coordinates):
    """Points of an array of coordinates."""
    enum = _library.enum
    kind = enum.SINGLES if coordinates.dtype.char == "f" else enum.DOUBLES
    return Points(kind, coordinates=coordinates)


def affine_points(matrix, offset):
    """Points at ``matrix @ index + offset``, of up to three axes."""
    ndim = len(offset)
    padded = np.zeros((3, 3), np.float64)
    padded[:ndim, :ndim] = matrix
    numbers = tuple(padded.ravel().tolist())
    return Points(_library.enum.AFFINE, numbers, tuple(offset.tolist()))


def points_along_axes(shifts, zooms, grid):
    """Points at ``(index + shift) * zoom`` along each of up to three axes; or at
    ``(index + 1/2) * zoom - 1/2`` if `grid`."""
    matrix = [0.0] * 9
    for d, zoom in enumerate(zooms):
        matrix[4 * d] = zoom
    enum = _library.enum
    return Points(enum.GRID_ZOOM if grid else enum.ZOOM, tuple(matrix), tuple(shifts))


def on_host(x):
    return _library.on_host(x)


@functools.lru_cache(maxsize=512)
def _cut(lines, length, each):
    """How a GPU's blocks share `lines` of `length`, of which a thread makes `each`: the
    number of pieces and what the kernel takes.
    """
    lanes = min((length - 1).bit_length(), 5)
    warps = -(-length // (each << 5))
    beside = min((warps - 1).bit_length(), 3) if lines < 8 else 0
    across = -(-warps >> beside)
    rows = _library.enum.THREADS >> lanes >> beside
    cut = _library.struct.point_cut(
        lines=lines, cuts=across, lanes=lanes, beside=beside
    )
    return -(-lines // rows) * across, cut


@functools.lru_cache(maxsize=512)
def _map(kind, matrix, offset):
    return _library.struct.point_map(a=matrix, b=offset, kind=kind)


def values_at(image, points, x, y, outer, n, m, inner):
    """Write an image's values at points.

    Parameters
    ----------
    image : SplineImage
        What order, mode and constant are.
    points : Points
    x : cupric.ndarray
        Samples or coefficients, (outer, n..., inner).
    y : cupric.ndarray
        The result, (outer, m..., inner).
    outer, inner : int
    n, m : tuple of int
    """
    enum, struct, ndim = _library.enum, _library.struct, len(n)
    is_host = _library.on_host(x)
    lengths = _core.array(n, np.int64) if ndim > 3 else None
    wide = not is_host and x.size // outer > _MOST_NARROW
    each = 1 if inner == 1 and image.order > 1 else enum.EACH
    length = inner if inner > 1 else m[-1]
    pieces, cut = _cut(y.size // length, length, each)
    # What is computed in is of the samples' dtype, of bytes float64.
    computed = np.float64 if x.dtype.char == "B" else x.dtype
    index = np.int64 if wide else np.int32
    _interpolate[x.dtype, computed, y.dtype, index, ndim, image.order // 2 * 2 + 1](
        x=x,
        y=y,
        coordinates=points.coordinates,
        lengths=lengths,
        p=struct.point_image(
            outer=outer,
            inner=inner,
            n=n if ndim <= 3 else (),
            m=m if ndim <= 3 else m[-1:],
            pad=image.pad,
            fill=(image.cval.real, image.cval.imag),
            order=image.order,
            mode=image.mode.coordinates,
            around=image.mode.around,
        ),
        map=_map(points.kind, points.matrix, points.offset),
        cut=cut,
        work=-(-y.size // _HOST_ELEMENTS) if is_host else pieces,
    )
