"""Special functions, and their other names: the rows of src/ops/special.def.

Written by `make names`.
"""

from cupric import _core

agm = _core.special.agm
airy = _core.special.airy
airye = _core.special.airye
bdtr = _core.special.bdtr
bdtrc = _core.special.bdtrc
bdtri = _core.special.bdtri
bdtrik = _core.special.bdtrik
bdtrin = _core.special.bdtrin
bei = _core.special.bei
beip = _core.special.beip
ber = _core.special.ber
berp = _core.special.berp
besselpoly = _core.special.besselpoly
beta = _core.special.beta
betainc = _core.special.betainc
betaincc = _core.special.betaincc
betainccinv = _core.special.betainccinv
betaincinv = _core.special.betaincinv
betaln = _core.special.betaln
binom = _core.special.binom
boxcox = _core.special.boxcox
boxcox1p = _core.special.boxcox1p
btdtria = _core.special.btdtria
btdtrib = _core.special.btdtrib
chdtr = _core.special.chdtr
chdtrc = _core.special.chdtrc
chdtri = _core.special.chdtri
chdtriv = _core.special.chdtriv
chndtr = _core.special.chndtr
chndtridf = _core.special.chndtridf
chndtrinc = _core.special.chndtrinc
chndtrix = _core.special.chndtrix
cosdg = _core.special.cosdg
cosm1 = _core.special.cosm1
cotdg = _core.special.cotdg
dawsn = _core.special.dawsn
ellipe = _core.special.ellipe
ellipeinc = _core.special.ellipeinc
ellipj = _core.special.ellipj
ellipk = _core.special.ellipk
ellipkinc = _core.special.ellipkinc
ellipkm1 = _core.special.ellipkm1
elliprc = _core.special.elliprc
elliprd = _core.special.elliprd
elliprf = _core.special.elliprf
elliprg = _core.special.elliprg
elliprj = _core.special.elliprj
entr = _core.special.entr
erf = _core.special.erf
erfc = _core.special.erfc
erfcinv = _core.special.erfcinv
erfcx = _core.special.erfcx
erfi = _core.special.erfi
erfinv = _core.special.erfinv
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
exp1 = _core.special.exp1
exp10 = _core.special.exp10
expi = _core.special.expi
expit = _core.special.expit
expn = _core.special.expn
exprel = _core.special.exprel
fdtr = _core.special.fdtr
fdtrc = _core.special.fdtrc
fdtri = _core.special.fdtri
fdtridfd = _core.special.fdtridfd
fresnel = _core.special.fresnel
gamma = _core.special.gamma
gammainc = _core.special.gammainc
gammaincc = _core.special.gammaincc
gammainccinv = _core.special.gammainccinv
gammaincinv = _core.special.gammaincinv
gammaln = _core.special.gammaln
gammasgn = _core.special.gammasgn
gdtr = _core.special.gdtr
gdtrc = _core.special.gdtrc
gdtria = _core.special.gdtria
gdtrib = _core.special.gdtrib
gdtrix = _core.special.gdtrix
hankel1 = _core.special.hankel1
hankel1e = _core.special.hankel1e
hankel2 = _core.special.hankel2
hankel2e = _core.special.hankel2e
huber = _core.special.huber
hyp0f1 = _core.special.hyp0f1
hyp1f1 = _core.special.hyp1f1
hyp2f1 = _core.special.hyp2f1
hyperu = _core.special.hyperu
i0e = _core.special.i0e
i1 = _core.special.i1
i1e = _core.special.i1e
inv_boxcox = _core.special.inv_boxcox
inv_boxcox1p = _core.special.inv_boxcox1p
itairy = _core.special.itairy
iv = _core.special.iv
ive = _core.special.ive
j0 = _core.special.j0
j1 = _core.special.j1
jv = _core.special.jv
jve = _core.special.jve
k0 = _core.special.k0
k0e = _core.special.k0e
k1 = _core.special.k1
k1e = _core.special.k1e
kei = _core.special.kei
keip = _core.special.keip
kelvin = _core.special.kelvin
ker = _core.special.ker
kerp = _core.special.kerp
kl_div = _core.special.kl_div
kn = _core.special.kn
kolmogi = _core.special.kolmogi
kolmogorov = _core.special.kolmogorov
kv = _core.special.kv
kve = _core.special.kve
log_expit = _core.special.log_expit
log_ndtr = _core.special.log_ndtr
log_wright_bessel = _core.special.log_wright_bessel
loggamma = _core.special.loggamma
logit = _core.special.logit
lpmv = _core.special.lpmv
modfresnelm = _core.special.modfresnelm
modfresnelp = _core.special.modfresnelp
modstruve = _core.special.modstruve
nbdtr = _core.special.nbdtr
nbdtrc = _core.special.nbdtrc
nbdtri = _core.special.nbdtri
nbdtrik = _core.special.nbdtrik
nbdtrin = _core.special.nbdtrin
ncfdtr = _core.special.ncfdtr
ncfdtri = _core.special.ncfdtri
nctdtr = _core.special.nctdtr
nctdtrit = _core.special.nctdtrit
ndtr = _core.special.ndtr
ndtri = _core.special.ndtri
ndtri_exp = _core.special.ndtri_exp
nrdtrimn = _core.special.nrdtrimn
nrdtrisd = _core.special.nrdtrisd
owens_t = _core.special.owens_t
pdtr = _core.special.pdtr
pdtrc = _core.special.pdtrc
pdtri = _core.special.pdtri
pdtrik = _core.special.pdtrik
poch = _core.special.poch
powm1 = _core.special.powm1
pseudo_huber = _core.special.pseudo_huber
psi = _core.special.psi
radian = _core.special.radian
rel_entr = _core.special.rel_entr
rgamma = _core.special.rgamma
shichi = _core.special.shichi
sici = _core.special.sici
sindg = _core.special.sindg
smirnov = _core.special.smirnov
smirnovi = _core.special.smirnovi
spence = _core.special.spence
stdtr = _core.special.stdtr
stdtridf = _core.special.stdtridf
stdtrit = _core.special.stdtrit
struve = _core.special.struve
tandg = _core.special.tandg
tklmbda = _core.special.tklmbda
voigt_profile = _core.special.voigt_profile
wofz = _core.special.wofz
wright_bessel = _core.special.wright_bessel
wrightomega = _core.special.wrightomega
xlog1py = _core.special.xlog1py
xlogy = _core.special.xlogy
y0 = _core.special.y0
y1 = _core.special.y1
yn = _core.special.yn
yv = _core.special.yv
yve = _core.special.yve
zetac = _core.special.zetac

digamma = psi
jn = jv

__all__ = [
    "agm",
    "airy",
    "airye",
    "bdtr",
    "bdtrc",
    "bdtri",
    "bdtrik",
    "bdtrin",
    "bei",
    "beip",
    "ber",
    "berp",
    "besselpoly",
    "beta",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "betaln",
    "binom",
    "boxcox",
    "boxcox1p",
    "btdtria",
    "btdtrib",
    "chdtr",
    "chdtrc",
    "chdtri",
    "chdtriv",
    "chndtr",
    "chndtridf",
    "chndtrinc",
    "chndtrix",
    "cosdg",
    "cosm1",
    "cotdg",
    "dawsn",
    "digamma",
    "ellipe",
    "ellipeinc",
    "ellipj",
    "ellipk",
    "ellipkinc",
    "ellipkm1",
    "elliprc",
    "elliprd",
    "elliprf",
    "elliprg",
    "elliprj",
    "entr",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfi",
    "erfinv",
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
    "exp1",
    "exp10",
    "expi",
    "expit",
    "expn",
    "exprel",
    "fdtr",
    "fdtrc",
    "fdtri",
    "fdtridfd",
    "fresnel",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaln",
    "gammasgn",
    "gdtr",
    "gdtrc",
    "gdtria",
    "gdtrib",
    "gdtrix",
    "hankel1",
    "hankel1e",
    "hankel2",
    "hankel2e",
    "huber",
    "hyp0f1",
    "hyp1f1",
    "hyp2f1",
    "hyperu",
    "i0e",
    "i1",
    "i1e",
    "inv_boxcox",
    "inv_boxcox1p",
    "itairy",
    "iv",
    "ive",
    "j0",
    "j1",
    "jn",
    "jv",
    "jve",
    "k0",
    "k0e",
    "k1",
    "k1e",
    "kei",
    "keip",
    "kelvin",
    "ker",
    "kerp",
    "kl_div",
    "kn",
    "kolmogi",
    "kolmogorov",
    "kv",
    "kve",
    "log_expit",
    "log_ndtr",
    "log_wright_bessel",
    "loggamma",
    "logit",
    "lpmv",
    "modfresnelm",
    "modfresnelp",
    "modstruve",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "nbdtrik",
    "nbdtrin",
    "ncfdtr",
    "ncfdtri",
    "nctdtr",
    "nctdtrit",
    "ndtr",
    "ndtri",
    "ndtri_exp",
    "nrdtrimn",
    "nrdtrisd",
    "owens_t",
    "pdtr",
    "pdtrc",
    "pdtri",
    "pdtrik",
    "poch",
    "powm1",
    "pseudo_huber",
    "psi",
    "radian",
    "rel_entr",
    "rgamma",
    "shichi",
    "sici",
    "sindg",
    "smirnov",
    "smirnovi",
    "spence",
    "stdtr",
    "stdtridf",
    "stdtrit",
    "struve",
    "tandg",
    "tklmbda",
    "voigt_profile",
    "wofz",
    "wright_bessel",
    "wrightomega",
    "xlog1py",
    "xlogy",
    "y0",
    "y1",
    "yn",
    "yv",
    "yve",
    "zetac",
]
