"""Images of any dimension: filters."""

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

__all__ = [
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "find_objects",
    "label",
]
