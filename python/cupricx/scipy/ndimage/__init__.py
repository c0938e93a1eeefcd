"""Images of any dimension: filters, morphology."""

from cupricx.scipy.ndimage._filters import (
    convolve,
    convolve1d,
    correlate,
    correlate1d,
)
from cupricx.scipy.ndimage._measurements import (
    find_objects,
    label,
)
from cupricx.scipy.ndimage._morphology import (
    binary_closing,
    binary_dilation,
    binary_erosion,
    binary_fill_holes,
    binary_hit_or_miss,
    binary_opening,
    binary_propagation,
    black_tophat,
    generate_binary_structure,
    grey_closing,
    grey_dilation,
    grey_erosion,
    grey_opening,
    iterate_structure,
    morphological_gradient,
    morphological_laplace,
    white_tophat,
)
from cupricx.scipy.ndimage._ranks import (
    maximum_filter,
    maximum_filter1d,
    minimum_filter,
    minimum_filter1d,
)

__all__ = [
    "binary_closing",
    "binary_dilation",
    "binary_erosion",
    "binary_fill_holes",
    "binary_hit_or_miss",
    "binary_opening",
    "binary_propagation",
    "black_tophat",
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "find_objects",
    "generate_binary_structure",
    "grey_closing",
    "grey_dilation",
    "grey_erosion",
    "grey_opening",
    "iterate_structure",
    "label",
    "maximum_filter",
    "maximum_filter1d",
    "minimum_filter",
    "minimum_filter1d",
    "morphological_gradient",
    "morphological_laplace",
    "white_tophat",
]
