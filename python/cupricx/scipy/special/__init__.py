"""Special functions: ufuncs that SciPy has beyond NumPy's."""

from cupric._lib.core import names_to_come
from cupricx.scipy.special._ufuncs import *

__all__ = [
    "digamma",
    "entr",
    "erf",
    "erfc",
    "expit",
    "gamma",
    "gammaln",
    "log_expit",
    "logit",
    "ndtr",
    "psi",
    "rel_entr",
    "xlog1py",
    "xlogy",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
