"""One call of each function of `scipy.ndimage`, on images of a few elements.

Left out are those that run a user's function, which has to be compiled.
"""

import numpy as np

SIDE = 16
SIZE = f"{SIDE}x{SIDE}"

CALLS = {
    "affine_transform": "x, turn, order=1",
    "binary_closing": "b",
    "binary_dilation": "b",
    "binary_erosion": "b",
    "binary_fill_holes": "b",
    "binary_hit_or_miss": "b",
    "binary_opening": "b",
    "binary_propagation": "b, mask=b",
    "black_tophat": "x, 3",
    "center_of_mass": "x, labels, index",
    "convolve": "x, window",
    "convolve1d": "x, weights",
    "correlate": "x, window",
    "correlate1d": "x, weights",
    "distance_transform_edt": "b",
    "extrema": "x, labels, index",
    "find_objects": "labels",
    "fourier_ellipsoid": "c, 3",
    "fourier_gaussian": "c, 1.5",
    "fourier_shift": "c, 1.5",
    "fourier_uniform": "c, 3",
    "gaussian_filter": "x, 1.0",
    "gaussian_filter1d": "x, 1.0",
    "gaussian_gradient_magnitude": "x, 1.0",
    "gaussian_laplace": "x, 1.0",
    "generate_binary_structure": "2, 1",
    "grey_closing": "x, 3",
    "grey_dilation": "x, 3",
    "grey_erosion": "x, 3",
    "grey_opening": "x, 3",
    "histogram": "x, 0, 1, 8, labels, index",
    "iterate_structure": "cross, 2",
    "label": "b",
    "laplace": "x",
    "map_coordinates": "x, places, order=1",
    "maximum": "x, labels, index",
    "maximum_filter": "x, 3",
    "maximum_filter1d": "x, 3",
    "maximum_position": "x, labels, index",
    "mean": "x, labels, index",
    "median": "x, labels, index",
    "median_filter": "x, 3",
    "minimum": "x, labels, index",
    "minimum_filter": "x, 3",
    "minimum_filter1d": "x, 3",
    "minimum_position": "x, labels, index",
    "morphological_gradient": "x, 3",
    "morphological_laplace": "x, 3",
    "percentile_filter": "x, 30, 3",
    "prewitt": "x",
    "rank_filter": "x, 1, 3",
    "rotate": "x, 30.0, order=1",
    "shift": "x, 1.5, order=1",
    "sobel": "x",
    "spline_filter": "x",
    "spline_filter1d": "x",
    "standard_deviation": "x, labels, index",
    "sum_labels": "x, labels, index",
    "uniform_filter": "x, 3",
    "uniform_filter1d": "x, 3",
    "value_indices": "labels",
    "variance": "x, labels, index",
    "white_tophat": "x, 3",
    "zoom": "x, 2.0, order=1",
}

# Those that launch one kernel on a GPU: their calls are to take no longer than one of
# an ElementwiseKernel and a microsecond.
SINGLE = {
    *("affine_transform", "convolve", "convolve1d", "correlate", "correlate1d"),
    *("fourier_ellipsoid", "fourier_gaussian", "fourier_shift", "fourier_uniform"),
    *("gaussian_filter1d", "laplace", "map_coordinates", "maximum_filter1d"),
    *("median_filter", "minimum_filter1d", "percentile_filter", "prewitt"),
    *("rank_filter", "rotate", "shift", "sobel", "uniform_filter1d", "zoom"),
}


def statement(name):
    return f"nd.{name}({CALLS[name]})"


def data(asarray, small=np.asarray):
    """The names that statements use, but for `nd`. `asarray` takes NumPy's arrays, and
    so does `small` those that may well lie on the host, which CuPy does not allow.
    """
    rng = np.random.default_rng(1)
    x = rng.random((SIDE, SIDE), np.float32)
    tiles = np.arange(SIDE, dtype=np.int32) // (SIDE // 2)
    return {
        "x": asarray(x),
        "b": asarray(x > 0.5),
        "c": asarray(x + 1j * x.T),
        "labels": asarray(2 * tiles[:, None] + tiles + 1),
        "places": asarray(rng.random((2, SIDE, SIDE)) * SIDE),
        "cross": asarray(np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool)),
        "index": small(np.arange(1, 5)),
        "turn": small(np.array([[0.9, 0.1], [-0.1, 0.9]])),
        "window": small(np.arange(9.0, dtype=np.float32).reshape(3, 3)),
        "weights": small(np.array([1.0, 2.0, 4.0], np.float32)),
    }
