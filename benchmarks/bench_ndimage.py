"""`scipy.ndimage` beside CuPy on a GPU, beside SciPy on the host: filters, ranks,
interpolation, morphology and measurements.

`share` counts what has to cross the memory bus: the input read once and the result
written once, for each axis where a filter goes along one after the other. Beside SciPy
it takes five minutes; `-k 1024` and the like choose a size.
"""

import functools

import numpy as np

from measure import Case, device_kind

BY_NAME = True
SIZES = ((1024, 1024), (4096, 4096), (256, 256, 256))
QUICK_SIZES = ((256, 256), (48, 48, 48))
TILE = 32  # elements along an axis of what carries one label


# ---- arrays, the same for every library ----------------------------------------------


@functools.cache
def image(shape):
    return np.random.default_rng(1).random(shape, np.float32)


@functools.cache
def blobs(shape):
    """Bools in squares of 4 elements, half of them set: hundreds of regions."""
    coarse = np.random.default_rng(2).random([-(-n // 4) for n in shape]) < 0.5
    for axis in range(len(shape)):
        coarse = coarse.repeat(4, axis)
    return coarse[tuple(slice(n) for n in shape)]


@functools.cache
def sparse(shape):
    """Bools of which one in a thousand is False: distances of some ten elements."""
    return np.random.default_rng(3).random(shape, np.float32) >= 1e-3


@functools.cache
def tiles(shape):
    """Labels of cubes of TILE elements, from 1."""
    labels = np.zeros(shape, np.int32)
    for axis, n in enumerate(shape):
        along = np.arange(n, dtype=np.int32) // TILE
        labels *= -(-n // TILE)
        labels += np.expand_dims(along, [d for d in range(len(shape)) if d != axis])
    return labels + 1


@functools.cache
def coordinates(shape):
    """Places up to 2 elements from each element."""
    random = np.random.default_rng(4).random((len(shape), *shape), np.float32)
    return np.indices(shape, np.float32) + 4 * random - 2


def turn(ndim):
    """A small rotation in the last two axes, scaled."""
    matrix = np.eye(ndim)
    matrix[-2:, -2:] = [[0.98, -0.17], [0.17, 0.98]]
    return matrix


# ---- rows ----------------------------------------------------------------------------


def of(function, *arrays):
    """`make` of a case: the call of ``function(ndimage, *arrays)``."""

    def make(lib):
        there = [lib.asarray(a) for a in arrays]
        nd = lib.ndimage
        return lambda: function(nd, *there)

    return make


def calls(shape):
    """What, its call, and how many times the elements must be read and written."""
    n = len(shape)
    x, spots, labels = image(shape), blobs(shape), tiles(shape)
    nine = np.linspace(0.5, 1.5, 9, dtype="f4")
    window = np.linspace(0.5, 1.5, 3**n, dtype="f4").reshape((3,) * n)
    index = np.arange(1, int(labels.max()) + 1)
    matrix, places = turn(n), coordinates(shape)
    splined = n + 1  # first a pass along each axis
    for what, passes, function, *arrays in (
        ("correlate1d 9, axis 0", 1, lambda nd, x, w: nd.correlate1d(x, w, 0), x, nine),
        ("correlate1d 9, axis -1", 1, lambda nd, x, w: nd.correlate1d(x, w), x, nine),
        ("gaussian_filter 2", n, lambda nd, x: nd.gaussian_filter(x, 2), x),
        ("uniform_filter 9", n, lambda nd, x: nd.uniform_filter(x, 9), x),
        ("correlate 3^n", 1, lambda nd, x, w: nd.correlate(x, w), x, window),
        ("sobel", n, lambda nd, x: nd.sobel(x), x),
        ("laplace", 1, lambda nd, x: nd.laplace(x), x),
        ("maximum_filter 5", n, lambda nd, x: nd.maximum_filter(x, 5), x),
        ("median_filter 3", 1, lambda nd, x: nd.median_filter(x, 3), x),
        ("median_filter 5", 1, lambda nd, x: nd.median_filter(x, 5), x),
        ("percentile_filter 3", 1, lambda nd, x: nd.percentile_filter(x, 30, 3), x),
        ("label", 1, lambda nd, x: nd.label(x), spots),
        ("sum_labels", 1, lambda nd, *given: nd.sum_labels(*given), x, labels, index),
        ("variance", 1, lambda nd, *given: nd.variance(*given), x, labels, index),
        ("edt", n, lambda nd, x: nd.distance_transform_edt(x), sparse(shape)),
        ("binary_erosion", 1, lambda nd, x: nd.binary_erosion(x), spots),
        ("grey_dilation 5", n, lambda nd, x: nd.grey_dilation(x, 5), x),
        ("zoom 1.1, order 1", 1, lambda nd, x: nd.zoom(x, 1.1, order=1), x),
        (
            *("affine_transform, order 3", splined),
            *(lambda nd, x, m: nd.affine_transform(x, m), x, matrix),
        ),
        (
            *("map_coordinates, order 1", 1),
            *(lambda nd, x, c: nd.map_coordinates(x, c, order=1), x, places),
        ),
        (
            *("map_coordinates, order 3", splined),
            *(lambda nd, x, c: nd.map_coordinates(x, c), x, places),
        ),
        ("rotate 10, order 1", 1, lambda nd, x: nd.rotate(x, 10, order=1), x),
        ("shift 1.5, order 3", splined, lambda nd, x: nd.shift(x, 1.5), x),
        ("fourier_gaussian", 2, lambda nd, x: nd.fourier_gaussian(x, 3), x + 0j),
    ):
        yield what, of(function, *arrays), passes


def cases(quick=False):
    for shape in QUICK_SIZES if quick else SIZES:
        size = "x".join(map(str, shape)) + " f32"
        moved = 2 * 4 * int(np.prod(shape))
        rounds = 5 if device_kind() == "cuda" or np.prod(shape) <= 1 << 20 else 1
        for what, make, passes in calls(shape):
            peers = ("cupric", "numpy", "cupy")
            yield Case(what, size, make, passes * moved, rounds=rounds, peers=peers)
