"""Distances to the background of an image."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed

__all__ = [
    "distance_transform_edt",
]

_library = Library(__file__)

_SEARCHED = 512  # rows that a GPU searches without minima of blocks


def _example_rows(xp):
    from cupricx.scipy import ndimage

    x = np.arange(9000)
    return [
        ndimage.distance_transform_edt(xp.asarray(x[:200] % 37 > 0)),
        ndimage.distance_transform_edt(xp.asarray(x != 8500)),
    ]


def _example(xp):
    from cupricx.scipy import ndimage

    x = (np.arange(5 * 40 * 30) * 37 % 101).reshape(5, 40, 30) > 2
    x = xp.asarray(x)
    return [
        ndimage.distance_transform_edt(x),
        *ndimage.distance_transform_edt(x, return_indices=True),
        *ndimage.distance_transform_edt(x, sampling=(2, 1, 0.5), return_indices=True),
        ndimage.distance_transform_edt(x[None, None]),
        ndimage.distance_transform_edt(x[0], float64_distances=False),
        ndimage.distance_transform_edt(x[0], 0.5, float64_distances=False),
    ]


def _example_far(xp):
    from cupricx.scipy import ndimage

    few = np.ones((200, 50), bool)
    few[3, 7] = few[180, 20] = False
    few, more = xp.asarray(few), few.reshape(4, 50, 50)
    return [
        ndimage.distance_transform_edt(few),
        ndimage.distance_transform_edt(few.T, sampling=0.5),
        ndimage.distance_transform_edt(few, float64_distances=False),
        ndimage.distance_transform_edt(few, 2, float64_distances=False),
        ndimage.distance_transform_edt(xp.asarray(more)),
        ndimage.distance_transform_edt(xp.asarray(more[1])),
    ]


def _over_rows(signature, ships, example):
    return _library.kernel(
        signature, blocks=True, threads="ROW_THREADS", ships=ships, example=example
    )


_ends = _over_rows("zeros_at_ends", "x", _example_rows)
_rows = _over_rows("nearest_in_rows", "x", _example_rows)
_squares = _over_rows("squares_in_rows<W>", "i d", _example_far)
_along = _library.kernel(
    "nearest_along<W, D>",
    blocks=True,
    threads="NEAREST_THREADS",
    ships="id dd if df",
    example=_example,
)
_minima = _library.kernel(
    "block_minima<W>", elements=True, ships="i d", example=_example_far
)
_squares_along = _library.kernel(
    "squares_along<W, D>",
    blocks=True,
    threads="SQUARES_THREADS",
    ships="id dd if df",
    example=_example_far,
)


@replayed
def distance_transform_edt(
    image,
    sampling=None,
    return_distances=True,
    return_indices=False,
    distances=None,
    indices=None,
    *,
    block_params=None,
    float64_distances=True,
):
    """Euclidean distance to the nearest element that is zero.

    Parameters
    ----------
    image : cupric.ndarray
    sampling : float or sequence of floats, optional
        How far neighbours are apart, along each axis.
    return_distances, return_indices : bool, optional
        What to return.
    distances : cupric.ndarray, optional
        Where the distances go.
    indices : cupric.ndarray of ints, shape (image.ndim,) + image.shape, optional
        Where the indices go: of int16 to uint64, quickest of int32.
    block_params : ignored
        Nothing depends on it.
    float64_distances : bool, optional
        The distances' dtype: float64, or else float32.

    Returns
    -------
    distances : cupric.ndarray
        Unless `return_distances` is False or `distances` is given.
    indices : cupric.ndarray of int32
        Those of the nearest zero, along each axis, of several any; if `return_indices`,
        unless `indices` is given.

    Notes
    -----
    Exact: along the last axis by scans, then axis by axis the smallest sum of a
    parabola and a squared distance. Without indices, neighbours are searched up to the
    distance found so far, then blocks by their minima on GPUs, the lower envelope on
    the host (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions",
    2012); with them, by that, and on GPUs by bounds from neighbours (Aggarwal and
    others, "Geometric applications of a matrix-searching algorithm", 1987). An image
    without zeros is taken to have one at (-1, 0, ...).

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import distance_transform_edt
    >>> distance_transform_edt(cp.array([[0, 1, 1], [0, 1, 1], [1, 1, 1]]))
    array([[0.        , 1.        , 2.        ],
           [0.        , 1.        , 2.        ],
           [1.        , 1.41421356, 2.23606798]])
    """
    x = arguments.array(image, "image")
    x = x.astype(bool, copy=False).reshape(x.shape or (1,))
    dtype = np.dtype("d" if float64_distances else "f")
    _check(x, dtype, return_distances, return_indices, distances, indices)
    weights = [1.0] * x.ndim
    if sampling is not None:
        weights = arguments.per_axis(sampling, x.ndim, "sampling", float)
    if max(x.shape) >= 2**31:
        raise ValueError(f"an axis is too long for indices of int32: shape {x.shape}")
    far, place = distances, indices
    if return_distances and (far is None or not _writable(far, x)):
        far = _core.empty(x.shape, dtype)
    if place is not None and place.dtype != np.int32:
        place = None  # converted in the end
    if return_indices and (place is None or not _writable(place, x)):
        place = _core.empty((x.ndim, *x.shape), np.int32)
    if x.size:
        bits = contiguous(x).view("u1")
        long = (
            _library.on_host(x)
            and max(x.shape[:-1], default=0) > _library.enum.ENVELOPE
        )
        if return_indices or not 2 <= x.ndim <= 4 or long:
            _by_indices(bits, weights, sampling is None, far, place)
        else:
            _by_squares(bits, weights, sampling is None, far)
    return _returned(return_distances, return_indices, distances, indices, far, place)


def _by_squares(x, weights, plain, far):
    """The distances alone: squares of them, axis by axis."""
    n, size = x.shape[-1], x.size
    word = np.dtype("i" if plain and sum(m * m for m in x.shape) < 2**30 else "d")
    read = _core.empty(x.shape, word)
    to = _core.empty(x.shape, word) if x.ndim > 2 else read
    _by_rows(_squares[word], x, read, weight=weights[-1])
    behind = zip(
        ("n1", "n2", "n3", "w1", "w2", "w3"),
        (*[*x.shape[1:], 1, 1][:3], *[*weights[1:], 0.0, 0.0][:3]),
        strict=True,
    )
    corner = dict(behind)
    enum = _library.enum
    on_host = _library.on_host(x)
    for axis in reversed(range(x.ndim - 1)):
        n = x.shape[axis]
        inner = math.prod(x.shape[axis + 1 :])
        outer = size // (n * inner)
        blocks, minima = -(-n // enum.BLOCK), None
        if on_host:
            pieces = outer * -(-inner // enum.HOST_COLUMNS)
        else:
            pieces = blocks * -(-outer * inner // enum.COLUMNS)
            if n > _SEARCHED:
                minima = _core.empty(outer * blocks * inner, word)
                sizes = dict(outer=outer, n=n, inner=inner)
                _minima[word](cost=read, minima=minima, **sizes, work=minima.size)
        s = _library.struct.squares_sizes(
            outer=outer,
            n=n,
            inner=inner,
            weight=weights[axis],
            last=axis == 0,
            **corner,
        )
        _squares_along[word, far.dtype](
            cost=read, minima=minima, to=to, distances=far, s=s, work=pieces
        )
        read, to = to, read


def _by_indices(x, weights, plain, far, place):
    """The indices, and the distances with them unless `far` is None."""
    n, size = x.shape[-1], x.size
    word = "i" if plain and sum(m * m for m in x.shape) < 2**31 - 1 else "d"
    all_indices = place is not None
    if place is None:
        place = _core.empty((x.ndim, *x.shape), np.int32)
    other = _core.empty(place.shape, np.int32) if x.ndim > 1 else place
    shape = _core.array(x.shape, dtype=np.int64)
    there = _core.array(weights)
    # Planes are written here and there in turn, in the end to `place`.
    to, read = (place, other) if x.ndim % 2 else (other, place)
    _by_rows(_rows[()], x, to[-1])
    for axis in reversed(range(x.ndim - 1)):
        to, read = read, to
        inner = math.prod(x.shape[axis + 1 :])
        outer = size // (x.shape[axis] * inner)
        s = _library.struct.nearest_sizes(
            outer=outer,
            n=x.shape[axis],
            inner=inner,
            ndim=x.ndim,
            axis=axis,
            all=all_indices or axis > 0,
        )
        _along[word, far.dtype if far is not None else "d"](
            planes=read,
            to=to,
            distances=far if axis == 0 else None,
            shape=shape,
            weights=there,
            s=s,
            work=-(-outer * inner // _library.enum.NEAREST_COLUMNS),
        )
    if x.ndim == 1 and far is not None:
        steps = _core.absolute(place[0] - _core.arange(n, dtype=np.int32))
        far[...] = steps * weights[0]


def _by_rows(kernel, x, y, **more):
    """Launch over segments of rows, whose first and last zeros are found before."""
    n = x.shape[-1]
    rows = x.size // n
    each = -(-n // _library.enum.ROW_SEGMENT)
    pieces = rows * each
    if not _library.on_host(x):
        pieces = -(-pieces // _library.enum.ROW_WARPS)
    ends = None
    if each > 1:
        ends = _core.empty(2 * rows * each, np.int32)
        _ends[()](x=x, ends=ends, rows=rows, n=n, work=pieces)
    kernel(x=x, ends=ends, y=y, rows=rows, n=n, work=pieces, **more)


def _writable(made, x):
    """Whether kernels can write to an array that the caller gave."""
    return made.flags.c_contiguous and not np.may_share_memory(made, x)


def _check(x, dtype, return_distances, return_indices, distances, indices):
    if not (return_distances or return_indices):
        raise RuntimeError(
            "at least one of return_distances/return_indices must be True"
        )
    integers = [np.dtype(char) for char in "hHiIlLqQ"]
    for name, made, wanted, shape, is_wanted in (
        ("distances", distances, [dtype], x.shape, return_distances),
        ("indices", indices, integers, (x.ndim, *x.shape), return_indices),
    ):
        if made is None:
            continue
        if not isinstance(made, _core.ndarray):
            raise arguments.unsupported(made)
        if not is_wanted:
            raise RuntimeError(f"return_{name} must be True if {name} is supplied")
        if made.shape != shape:
            raise RuntimeError(
                f"{name} array has wrong shape: {made.shape}, not {shape}"
            )
        if made.dtype not in wanted:
            names = dict.fromkeys(map(str, wanted))
            raise RuntimeError(
                f"{name} array must be {' or '.join(names)}, not {made.dtype}"
            )
    if indices is not None and max(x.shape) > np.iinfo(indices.dtype).max:
        raise RuntimeError(
            f"indices of {indices.dtype} do not reach the ends of an image of shape "
            f"{x.shape}"
        )


def _returned(return_distances, return_indices, distances, indices, far, place):
    results = []
    for wanted, given, made in (
        (return_distances, distances, far),
        (return_indices, indices, place),
    ):
        if wanted and given is None:
            results.append(made)
        elif wanted and made is not given:
            given[...] = made
    if len(results) == 2:
        return tuple(results)
    return results[0] if results else None
