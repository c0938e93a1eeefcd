"""Values of images between samples along one axis."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library
from cupricx.scipy.ndimage._interpolation._splines import rows_about

__all__ = ["resample_axis", "round_to"]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 30 * 40) % 17).reshape(5, 30, 40)
    return [
        ndimage.zoom(x.astype("f4"), (1, 2, 0.5)),
        ndimage.shift(x.astype("f8"), (0, 1.25, -3), order=1, mode="grid-wrap"),
        ndimage.shift(x[0].astype("u2"), 2.5, mode="nearest"),
        ndimage.zoom(x[0].astype("c8"), 1.5, mode="grid-constant", cval=1j),
    ]


_resample = _library.kernel(
    "resample<W>", blocks=True, threads="THREADS", ships="f d", example=_example
)
_round = _library.elementwise(
    "round_to_integer",
    "float64 x",
    "Y y",
    "y = rounded<Y>::of(x)",
    ships="? b B h H i I l L",
    example=_example,
)


def resample_axis(image, x, y, axis, shift, zoom, grid):
    """Write an image's values along an axis, at ``(index + shift) * zoom``, or at
    ``(index + 1/2) * zoom - 1/2`` if `grid`; `image` says order, mode and constant.
    """
    rows, n, inner = rows_about(x.shape, axis)
    a = _library.struct.resampled_axis(
        rows=rows,
        n=n,
        m=y.shape[axis],
        inner=inner,
        pad=image.pad,
        shift=shift,
        zoom=zoom,
        fill=(image.cval.real, image.cval.imag),
        grid=grid,
        order=image.order,
        mode=image.mode.coordinates,
        around=image.mode.around,
    )
    _resample[y.dtype](x=x, y=y, a=a, work=max(y.size >> 13, 1))


def round_to(y, dtype):
    """Numbers as integers of a dtype."""
    return _round(y.astype(np.float64, copy=False), _core.empty(y.shape, dtype))
