"""Fourier transforms in the form of `scipy.fftpack`: real spectra are real arrays."""

from cupricx.scipy.fft import get_fft_plan
from cupricx.scipy.fftpack._fft import (
    fft,
    fft2,
    fftn,
    ifft,
    ifft2,
    ifftn,
    irfft,
    rfft,
)

__all__ = [
    "fft",
    "fft2",
    "fftn",
    "get_fft_plan",
    "ifft",
    "ifft2",
    "ifftn",
    "irfft",
    "rfft",
]
