"""Special functions, and their other names: the rows of src/ops/special.def.

Written by `make names`.
"""

from cupric import _core

entr = _core.special.entr
erf = _core.special.erf
erfc = _core.special.erfc
expit = _core.special.expit
gamma = _core.special.gamma
gammaln = _core.special.gammaln
log_expit = _core.special.log_expit
logit = _core.special.logit
ndtr = _core.special.ndtr
psi = _core.special.psi
rel_entr = _core.special.rel_entr
xlog1py = _core.special.xlog1py
xlogy = _core.special.xlogy

digamma = psi

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
