"""Signal processing."""

from cupric._lib import names_to_come
from cupricx.scipy.signal._convolution import (
    choose_conv_method,
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    fftconvolve,
    oaconvolve,
)

__all__ = [
    "choose_conv_method",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "fftconvolve",
    "oaconvolve",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
