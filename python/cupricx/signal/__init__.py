"""Signal processing beyond SciPy's: cepstra, pulses, detectors, beamforming."""

from cupric._lib.core import names_to_come
from cupricx.signal._cepstrum import (
    complex_cepstrum,
    inverse_complex_cepstrum,
    minimum_phase,
    real_cepstrum,
)
from cupricx.signal._radar import (
    ca_cfar,
    cfar_alpha,
    mvdr,
    pulse_compression,
    pulse_doppler,
)

__all__ = [
    "ca_cfar",
    "cfar_alpha",
    "complex_cepstrum",
    "inverse_complex_cepstrum",
    "minimum_phase",
    "mvdr",
    "pulse_compression",
    "pulse_doppler",
    "real_cepstrum",
"""Signal processing beyond SciPy's: Volterra filters, channelizers, FIR filters."""

from cupric._lib.core import names_to_come
from cupricx.signal._channelizer import channelize_poly
from cupricx.signal._filters import (
    convolve1d2o,
    convolve1d3o,
    firfilter,
    firfilter2,
    firfilter_zi,
    freq_shift,
)

__all__ = [
    "channelize_poly",
    "convolve1d2o",
    "convolve1d3o",
    "firfilter",
    "firfilter2",
    "firfilter_zi",
    "freq_shift",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
