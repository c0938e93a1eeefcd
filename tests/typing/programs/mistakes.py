"""Each line with `# wrong` is an error to a checker."""

import cupric as cp
from cupricx.scipy import fft, linalg

x = cp.arange(3)
x.no_such_method()  # wrong
x.ndim = 2  # wrong
cp.no_such_function(x)  # wrong
cp.sum()  # wrong
x.sum(asix=0)  # wrong
cp.linalg.norm(x, axes=0)  # wrong
number: int = cp.sin(x)  # wrong
linalg.svdvals(x)  # wrong
linalg.expm(x, 2)  # wrong
fft.dct(x, typ=2)  # wrong
cp.cublas.nrm2(x, incx=1)  # wrong
