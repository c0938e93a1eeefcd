"""Distances to the background of an image."""

import numpy as np

import cupric as cp
from cupric._lib import Library, arguments

_library = Library(__file__, "_distances.cuh")

_COLUMNS, _THREADS, _ROW_SEGMENT = 8, 512, 4096  # as in _distances.cuh


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
        *ndimage.distance_transform_edt(x, sampling=(2, 1, 0.5), return_indices=True),
        ndimage.distance_transform_edt(x[0], float64_distances=False),
        ndimage.distance_transform_edt(x[0], 0.5, float64_distances=False),
    ]


_ends = _library.kernel("zeros_at_ends", ships="x", example=_example_rows)
_rows = _library.kernel("nearest_in_rows", ships="x", example=_example_rows)
_along = _library.kernel("nearest_along<W, D>", ships="id dd if df", example=_example)


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
    indices : cupric.ndarray of int32, shape (image.ndim, *image.shape), optional
        Where the indices go.
    block_params : optional
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
    parabola and a squared distance: by the lower envelope on the host (Felzenszwalb and
    Huttenlocher, "Distance transforms of sampled functions", 2012), by bounds from
    neighbours on GPUs (Aggarwal and others, "Geometric applications of a
    matrix-searching algorithm", 1987). An image without zeros is taken to have one at
    (-1, 0, ...).

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
    n, size = x.shape[-1], x.size
    if sampling is None:
        weights = [1.0] * x.ndim
        small = sum(m * m for m in x.shape) < 2**31 - 1
    else:
        weights = arguments.per_axis(sampling, x.ndim, "sampling", float)
        small = False
    if max(x.shape) >= 2**31:
        raise ValueError(f"an axis is too long for indices of int32: shape {x.shape}")
    with x.device:
        far, place = distances, indices
        if return_distances and (far is None or not _writable(far, x)):
            far = cp.empty(x.shape, dtype)
        if place is None or not _writable(place, x):
            place = cp.empty((x.ndim, *x.shape), np.int32)
        if size:
            other = cp.empty_like(place) if x.ndim > 1 else place
            facts = cp.array(x.shape, dtype=np.int64)
            weights = cp.array(weights)
    if size:
        kernel = _along["i" if small else "d", dtype]
        # Planes are written here and there in turn, in the end to `place`.
        to, read = (place, other) if x.ndim % 2 else (other, place)
        _nearest_in_rows(cp.ascontiguousarray(x).view("u1"), to[-1], size // n, n)
        for axis in reversed(range(x.ndim - 1)):
            to, read = read, to
            inner = int(np.prod(x.shape[axis + 1 :]))
            outer = size // (x.shape[axis] * inner)
            last = axis == 0 and return_distances
            args = (
                read,
                to,
                far if last else facts,
                facts,
                weights,
                x.ndim,
                axis,
                outer,
                x.shape[axis],
                inner,
                return_indices or axis > 0,
                last,
            )
            kernel.blocks(-(-outer * inner // _COLUMNS), _THREADS, args)
        if x.ndim == 1 and return_distances:
            steps = cp.abs(place[0] - cp.arange(n, dtype=np.int32)) * weights[0]
            far[...] = steps
    return _returned(return_distances, return_indices, distances, indices, far, place)


def _nearest_in_rows(x, y, rows, n):
    each = -(-n // _ROW_SEGMENT)
    pieces = rows * each if _library.on_host(x) else -(-rows * each // 8)
    ends = y
    if each > 1:
        with x.device:
            ends = cp.empty(2 * rows * each, np.int32)
        _ends[()].blocks(pieces, 256, (x, ends, rows, n))
    _rows[()].blocks(pieces, 256, (x, ends, y, rows, n))


def _writable(made, x):
    """Whether kernels can write to an array that the caller gave."""
    return made.flags.c_contiguous and not cp.may_share_memory(made, x)


def _check(x, dtype, return_distances, return_indices, distances, indices):
    if not (return_distances or return_indices):
        raise RuntimeError(
            "at least one of return_distances/return_indices must be True"
        )
    for name, made, wanted, shape, is_wanted in (
        ("distances", distances, dtype, x.shape, return_distances),
        ("indices", indices, np.dtype(np.int32), (x.ndim, *x.shape), return_indices),
    ):
        if made is None:
            continue
        if not isinstance(made, cp.ndarray):
            raise arguments.unsupported(made)
        if not is_wanted:
            raise RuntimeError(f"return_{name} must be True if {name} is supplied")
        if made.shape != shape:
            raise RuntimeError(
                f"{name} array has wrong shape: {made.shape}, not {shape}"
            )
        if made.dtype != wanted:
            raise RuntimeError(f"{name} array must be {wanted}, not {made.dtype}")


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
