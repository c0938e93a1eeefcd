"""Special functions: ufuncs that SciPy has beyond NumPy's."""

from cupricx.scipy.special._ufuncs import *

__all__ = [
    "entr",
    "erf",
    "erfc",
    "expit",
    "gamma",
    "gammaln",
    "log_expit",
    "logit",
    "ndtr",
    "rel_entr",
    "xlog1py",
    "xlogy",
]
