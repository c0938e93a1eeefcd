"""Images of any dimension: filters."""

from cupricx.scipy.ndimage._filters import (
    convolve,
    convolve1d,
    correlate,
    correlate1d,
)

__all__ = [
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
]
