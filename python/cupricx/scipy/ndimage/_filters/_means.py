"""Means over windows."""

import numpy as np

from cupric._lib import arguments
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.ndimage._boundary import mode_number
from cupricx.scipy.ndimage._filters import _window as windows
from cupricx.scipy.ndimage._filters._correlation import (
    COLUMN_PIECES,
    Operands,
    elements_before,
    in_turn,
    real_and_imag,
    rows_about,
)

__all__ = [
    "uniform_filter",
    "uniform_filter1d",
]


_library = Library(__file__)

_MOST_TILED = 32  # elements of a window that are summed each


def _example_uniform(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(2 * 23 * 90) % 17).reshape(2, 23, 90)
    return [
        ndimage.uniform_filter1d(x.astype(t), 5, axis, mode=m)
        for t, m in (("f4", "reflect"), ("u1", "wrap"), ("c8", "constant"))
        for axis in (0, 1, 2)
    ]


_SHIPS = "B h H i f d"
_uniform_tile = _library.kernel(
    "uniform_tile<X>",
    blocks="pieces",
    threads="TILE_THREADS",
    ships=_SHIPS,
    example=_example_uniform,
)
_uniform_line = _library.kernel(
    "uniform_line<X>",
    blocks=True,
    threads="LINE_THREADS",
    ships=_SHIPS,
    example=_example_uniform,
)
_uniform_columns = _library.kernel(
    "uniform_columns<X>",
    blocks=True,
    threads="WIDTH",
    ships=_SHIPS,
    example=_example_uniform,
)


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
    if inner == 1 and _is_tiled(x, size, mode, fill):
        places = (rows, n), (1, size), (0, before), (0, mode), 1
        tiles = windows.tiles(*places, x.dtype.itemsize)
        _uniform_tile[x.dtype](
            x=x,
            y=y,
            s=tiles.sizes,
            pieces=tiles.count,
            size=size,
            fill=fill,
            shared_mem=tiles.nbytes,
        )
        return ops.result()
    kernel, height, pieces = _plan(rows, n, inner, size, _library.on_host(x))
    p = _library.struct.mean_windows(
        rows=rows,
        n=n,
        inner=inner,
        size=size,
        before=before,
        height=height,
        fill=(fill, fill_imag),
        mode=mode,
    )
    kernel[x.dtype](x=x, y=y, p=p, work=pieces)
    return ops.result()


def _is_tiled(x, size, mode, fill):
    """Whether a GPU sums each window of a row: where the constant, if asked for, is
    an element as others are."""
    enum = _library.enum
    if _library.on_host(x) or not enum.QUAD <= size <= _MOST_TILED:
        return False
    return mode != enum.CONSTANT or (x.dtype.kind == "f" and fill == x.dtype.type(fill))


def _plan(rows, n, inner, size, on_host):
    """The kernel of an axis, the height of its pieces, and their number."""
    enum = _library.enum
    if (size - 1) * inner <= enum.MOST_REACH and inner <= 64:
        return _uniform_line, 0, rows * -(-n * inner // enum.SEGMENT)
    across = rows * -(-inner // enum.WIDTH)
    height = min(n, max(64, size))
    if not on_host:
        while height > max(8, size) and across * -(-n // height) < COLUMN_PIECES:
            height //= 2
    elif inner < 8:  # columns one by one: whole, if there are enough
        across = rows * inner
        height = n if across >= 64 else min(n, max(2048, size))
    return _uniform_columns, height, across * -(-n // height)


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
