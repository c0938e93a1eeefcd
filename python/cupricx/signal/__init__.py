"""Signal processing beyond SciPy's: filters, channelizers, cepstra, radar."""

from cupric._lib.core import names_to_come
from cupricx.signal._cepstrum import (
    complex_cepstrum,
    inverse_complex_cepstrum,
    minimum_phase,
    real_cepstrum,
)
from cupricx.signal._channelizer import channelize_poly
from cupricx.signal._filters import (
    convolve1d2o,
    convolve1d3o,
    firfilter,
    firfilter2,
    firfilter_zi,
    freq_shift,
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
    "channelize_poly",
    "complex_cepstrum",
    "convolve1d2o",
    "convolve1d3o",
    "firfilter",
    "firfilter2",
    "firfilter_zi",
    "freq_shift",
    "inverse_complex_cepstrum",
    "minimum_phase",
    "mvdr",
    "pulse_compression",
    "pulse_doppler",
    "real_cepstrum",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
