"""Signal processing."""

from cupric._lib.core import names_to_come
from cupricx.scipy.signal._convolution import (
    choose_conv_method,
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    fftconvolve,
    oaconvolve,
)
from cupricx.scipy.signal._filtfilt import filtfilt, sosfiltfilt
from cupricx.scipy.signal._iir import deconvolve, lfilter, lfilter_zi, lfiltic
from cupricx.scipy.signal._sos import sosfilt, sosfilt_zi

__all__ = [
    "choose_conv_method",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "deconvolve",
    "fftconvolve",
    "filtfilt",
    "lfilter",
    "lfilter_zi",
    "lfiltic",
    "oaconvolve",
    "sosfilt",
    "sosfilt_zi",
    "sosfiltfilt",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
