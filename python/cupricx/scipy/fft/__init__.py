"""Fourier, cosine, sine and Hankel transforms, and a backend of `scipy.fft`.

``scipy.fft.set_backend(cupricx.scipy.fft)`` makes SciPy's functions call these.
"""

from cupric.fft import fftfreq, fftshift, ifftshift, rfftfreq
from cupricx.scipy.fft._fft import (
    fft,
    fft2,
    fftn,
    hfft,
    hfft2,
    hfftn,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    ihfft2,
    ihfftn,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)
from cupricx.scipy.fft._fftlog import fht, ifht
from cupricx.scipy.fft._lengths import next_fast_len
from cupricx.scipy.fft._plans import get_fft_plan
from cupricx.scipy.fft._realtransforms import (
    dct,
    dctn,
    dst,
    dstn,
    idct,
    idctn,
    idst,
    idstn,
)

__all__ = [
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "fht",
    "get_fft_plan",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ifht",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

# The protocol of uarray, by which scipy.fft finds a backend's functions.
__ua_domain__ = "numpy.scipy.fft"


def __ua_function__(method, args, kwargs):
    """Call our function of a name for SciPy's; NotImplemented if there is none."""
    function = globals().get(method.__name__) if method.__name__ in __all__ else None
    if function is None:
        return NotImplemented
    kwargs.pop("workers", None)  # a device has its own number
    return function(*args, **kwargs)
