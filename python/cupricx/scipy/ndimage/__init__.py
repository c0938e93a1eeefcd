"""Images of any dimension: filters, morphology, interpolation, Fourier filters."""

from cupricx.scipy.ndimage._filters._correlation import (
    convolve,
    convolve1d,
    correlate,
    correlate1d,
)
from cupricx.scipy.ndimage._filters._derivatives import (
    gaussian_gradient_magnitude,
    gaussian_laplace,
    generic_gradient_magnitude,
    generic_laplace,
    laplace,
    prewitt,
    sobel,
)
from cupricx.scipy.ndimage._filters._gaussian import (
    gaussian_filter,
    gaussian_filter1d,
)
from cupricx.scipy.ndimage._filters._generic_filters import (
    generic_filter,
    generic_filter1d,
)
from cupricx.scipy.ndimage._filters._means import (
    uniform_filter,
    uniform_filter1d,
)
from cupricx.scipy.ndimage._filters._rank_filters import (
    median_filter,
    percentile_filter,
    rank_filter,
)
from cupricx.scipy.ndimage._filters._ranks import (
    maximum_filter,
    maximum_filter1d,
    minimum_filter,
    minimum_filter1d,
)
from cupricx.scipy.ndimage._fourier._fourier import (
    fourier_ellipsoid,
    fourier_gaussian,
    fourier_shift,
    fourier_uniform,
)
from cupricx.scipy.ndimage._interpolation._interpolation import (
    affine_transform,
    map_coordinates,
    rotate,
    shift,
    zoom,
)
from cupricx.scipy.ndimage._interpolation._splines import (
    spline_filter,
    spline_filter1d,
)
from cupricx.scipy.ndimage._measurements._by_label import (
    histogram,
    labeled_comprehension,
    median,
    value_indices,
)
from cupricx.scipy.ndimage._measurements._extrema import (
    extrema,
    maximum,
    maximum_position,
    minimum,
    minimum_position,
)
from cupricx.scipy.ndimage._measurements._find_objects import (
    find_objects,
)
from cupricx.scipy.ndimage._measurements._label import (
    label,
)
from cupricx.scipy.ndimage._measurements._measurements import (
    center_of_mass,
    mean,
    standard_deviation,
    sum,
    sum_labels,
    variance,
)
from cupricx.scipy.ndimage._morphology._distances import (
    distance_transform_edt,
)
from cupricx.scipy.ndimage._morphology._grey_morphology import (
    black_tophat,
    grey_closing,
    grey_dilation,
    grey_erosion,
    grey_opening,
    morphological_gradient,
    morphological_laplace,
    white_tophat,
)
from cupricx.scipy.ndimage._morphology._morphology import (
    binary_closing,
    binary_dilation,
    binary_erosion,
    binary_fill_holes,
    binary_hit_or_miss,
    binary_opening,
    binary_propagation,
    iterate_structure,
)
from cupricx.scipy.ndimage._morphology._structures import (
    generate_binary_structure,
)

__all__ = [
    "affine_transform",
    "binary_closing",
    "binary_dilation",
    "binary_erosion",
    "binary_fill_holes",
    "binary_hit_or_miss",
    "binary_opening",
    "binary_propagation",
    "black_tophat",
    "center_of_mass",
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "distance_transform_edt",
    "extrema",
    "find_objects",
    "fourier_ellipsoid",
    "fourier_gaussian",
    "fourier_shift",
    "fourier_uniform",
    "gaussian_filter",
    "gaussian_filter1d",
    "gaussian_gradient_magnitude",
    "gaussian_laplace",
    "generate_binary_structure",
    "generic_filter",
    "generic_filter1d",
    "generic_gradient_magnitude",
    "generic_laplace",
    "grey_closing",
    "grey_dilation",
    "grey_erosion",
    "grey_opening",
    "histogram",
    "iterate_structure",
    "label",
    "labeled_comprehension",
    "laplace",
    "map_coordinates",
    "maximum",
    "maximum_filter",
    "maximum_filter1d",
    "maximum_position",
    "mean",
    "median",
    "median_filter",
    "minimum",
    "minimum_filter",
    "minimum_filter1d",
    "minimum_position",
    "morphological_gradient",
    "morphological_laplace",
    "percentile_filter",
    "prewitt",
    "rank_filter",
    "rotate",
    "shift",
    "sobel",
    "spline_filter",
    "spline_filter1d",
    "standard_deviation",
    "sum",
    "sum_labels",
    "uniform_filter",
    "uniform_filter1d",
    "value_indices",
    "variance",
    "white_tophat",
    "zoom",
]
