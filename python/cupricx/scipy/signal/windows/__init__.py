"""Window functions: weights that fall towards both ends."""

from cupric._lib.core import names_to_come
from cupricx.scipy.signal.windows._dpss import dpss
from cupricx.scipy.signal.windows._get_window import get_window
from cupricx.scipy.signal.windows._windows import (
    barthann,
    bartlett,
    blackman,
    blackmanharris,
    bohman,
    boxcar,
    chebwin,
    cosine,
    exponential,
    flattop,
    gaussian,
    general_cosine,
    general_gaussian,
    general_hamming,
    hamming,
    hann,
    kaiser,
    kaiser_bessel_derived,
    lanczos,
    nuttall,
    parzen,
    taylor,
    triang,
    tukey,
)

__all__ = [
    "barthann",
    "bartlett",
    "blackman",
    "blackmanharris",
    "bohman",
    "boxcar",
    "chebwin",
    "cosine",
    "dpss",
    "exponential",
    "flattop",
    "gaussian",
    "general_cosine",
    "general_gaussian",
    "general_hamming",
    "get_window",
    "hamming",
    "hann",
    "kaiser",
    "kaiser_bessel_derived",
    "lanczos",
    "nuttall",
    "parzen",
    "taylor",
    "triang",
    "tukey",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
