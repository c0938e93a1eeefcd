"""Special functions, and their other names: the rows of src/ops/special.def.

Written by `make names`.
"""

from cupric import _core

bdtr = _core.special.bdtr
bdtrc = _core.special.bdtrc
bdtri = _core.special.bdtri
bei = _core.special.bei
beip = _core.special.beip
ber = _core.special.ber
berp = _core.special.berp
beta = _core.special.beta
betainc = _core.special.betainc
betaincc = _core.special.betaincc
betainccinv = _core.special.betainccinv
betaincinv = _core.special.betaincinv
betaln = _core.special.betaln
binom = _core.special.binom
chdtr = _core.special.chdtr
chdtrc = _core.special.chdtrc
chdtri = _core.special.chdtri
ellipe = _core.special.ellipe
ellipeinc = _core.special.ellipeinc
ellipk = _core.special.ellipk
ellipkinc = _core.special.ellipkinc
ellipkm1 = _core.special.ellipkm1
entr = _core.special.entr
erf = _core.special.erf
erfc = _core.special.erfc
eval_chebyc = _core.special.eval_chebyc
eval_chebys = _core.special.eval_chebys
eval_chebyt = _core.special.eval_chebyt
eval_chebyu = _core.special.eval_chebyu
eval_gegenbauer = _core.special.eval_gegenbauer
eval_genlaguerre = _core.special.eval_genlaguerre
eval_hermite = _core.special.eval_hermite
eval_hermitenorm = _core.special.eval_hermitenorm
eval_jacobi = _core.special.eval_jacobi
eval_laguerre = _core.special.eval_laguerre
eval_legendre = _core.special.eval_legendre
eval_sh_chebyt = _core.special.eval_sh_chebyt
eval_sh_chebyu = _core.special.eval_sh_chebyu
eval_sh_jacobi = _core.special.eval_sh_jacobi
eval_sh_legendre = _core.special.eval_sh_legendre
expit = _core.special.expit
fdtr = _core.special.fdtr
fdtrc = _core.special.fdtrc
fdtri = _core.special.fdtri
gamma = _core.special.gamma
gammainc = _core.special.gammainc
gammaincc = _core.special.gammaincc
gammainccinv = _core.special.gammainccinv
gammaincinv = _core.special.gammaincinv
gammaln = _core.special.gammaln
gammasgn = _core.special.gammasgn
gdtr = _core.special.gdtr
gdtrc = _core.special.gdtrc
i0e = _core.special.i0e
i1 = _core.special.i1
i1e = _core.special.i1e
j0 = _core.special.j0
j1 = _core.special.j1
k0 = _core.special.k0
k0e = _core.special.k0e
k1 = _core.special.k1
k1e = _core.special.k1e
kei = _core.special.kei
keip = _core.special.keip
ker = _core.special.ker
kerp = _core.special.kerp
kn = _core.special.kn
log_expit = _core.special.log_expit
logit = _core.special.logit
lpmv = _core.special.lpmv
modstruve = _core.special.modstruve
nbdtr = _core.special.nbdtr
nbdtrc = _core.special.nbdtrc
nbdtri = _core.special.nbdtri
ndtr = _core.special.ndtr
pdtr = _core.special.pdtr
pdtrc = _core.special.pdtrc
pdtri = _core.special.pdtri
psi = _core.special.psi
rel_entr = _core.special.rel_entr
rgamma = _core.special.rgamma
stdtr = _core.special.stdtr
stdtrit = _core.special.stdtrit
struve = _core.special.struve
xlog1py = _core.special.xlog1py
xlogy = _core.special.xlogy
y0 = _core.special.y0
y1 = _core.special.y1
yn = _core.special.yn

digamma = psi

__all__ = [
    "bdtr",
    "bdtrc",
    "bdtri",
    "bei",
    "beip",
    "ber",
    "berp",
    "beta",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "betaln",
    "binom",
    "chdtr",
    "chdtrc",
    "chdtri",
    "digamma",
    "ellipe",
    "ellipeinc",
    "ellipk",
    "ellipkinc",
    "ellipkm1",
    "entr",
    "erf",
    "erfc",
    "eval_chebyc",
    "eval_chebys",
    "eval_chebyt",
    "eval_chebyu",
    "eval_gegenbauer",
    "eval_genlaguerre",
    "eval_hermite",
    "eval_hermitenorm",
    "eval_jacobi",
    "eval_laguerre",
    "eval_legendre",
    "eval_sh_chebyt",
    "eval_sh_chebyu",
    "eval_sh_jacobi",
    "eval_sh_legendre",
    "expit",
    "fdtr",
    "fdtrc",
    "fdtri",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaln",
    "gammasgn",
    "gdtr",
    "gdtrc",
    "i0e",
    "i1",
    "i1e",
    "j0",
    "j1",
    "k0",
    "k0e",
    "k1",
    "k1e",
    "kei",
    "keip",
    "ker",
    "kerp",
    "kn",
    "log_expit",
    "logit",
    "lpmv",
    "modstruve",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "ndtr",
    "pdtr",
    "pdtrc",
    "pdtri",
    "psi",
    "rel_entr",
    "rgamma",
    "stdtr",
    "stdtrit",
    "struve",
    "xlog1py",
    "xlogy",
    "y0",
    "y1",
    "yn",
]
