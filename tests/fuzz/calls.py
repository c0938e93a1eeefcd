"""The table of calls: a line for each public function, method and operator.

A line has the call, with a word for each argument (row.py has the notation, draw.py the
words), then, two spaces or more apart, how exact its result is, a word of BOUNDS, and
after `np:` what NumPy is asked where that is something else. `any order`: the memory
order of a new result is its own.

The fuzzer draws from the table; every line is also run by tests/test_leaks.py,
tests/test_threads.py, tests/memory/test_failing_allocations.py and
tests/device/test_elsewhere.py.
"""

import re

import cupric

from . import bounds, special
from .row import Row

BOUNDS = {
    "": bounds.EXACT,
    "u1": bounds.ulp(1),
    "u4": bounds.ulp(4),
    "u64": bounds.ulp(64),  # series that NumPy sums in the argument's precision
    "tail": bounds.ulp(4096),  # SciPy squares the argument of exp(-x**2)
    "u8": bounds.ulp(8),  # NumPy's own elementary functions are off by 4
    "sum": bounds.total(1),
    "prod": bounds.total(0, 64),
    "products": bounds.total(2),
    "derivatives": bounds.total(2, 1024),  # sums of weights that cancel
    "matrix": bounds.total(2, 64),
    "transform": bounds.total(1, 16),  # twiddles before and after the FFT
    "gamma": bounds.total(1, 64),  # near its zeros, an error of the argument's size
    "spline": bounds.total(1, 256),
    "ellipsoid": bounds.total(2, 4096),  # (sin x - x cos x) / x^3 near 0
}

UFUNCS = """
abs(x, **ufunc)             u4
absolute(x, **ufunc)        u4
negative(x, **ufunc)
positive(x, **ufunc)
conj(x, **ufunc)
conjugate(x, **ufunc)
sign(x, **ufunc)            u4
signbit(xr, **ufunc)
invert(xi, **ufunc)
bitwise_not(xi, **ufunc)
bitwise_invert(xi, **ufunc)
bitwise_count(xi, **ufunc)
logical_not(x, **ufunc)
isnan(x, **ufunc)
isinf(x, **ufunc)
isfinite(x, **ufunc)
rint(x, **ufunc)
floor(xr, **ufunc)
ceil(xr, **ufunc)
trunc(xr, **ufunc)
fix(xr)
square(x, **ufunc)          u4
fabs(xr, **ufunc)
spacing(xr, **ufunc)
sqrt(x, **ufunc)            u4
reciprocal(xf, **ufunc)     u4
deg2rad(xr, **ufunc)        u4
radians(xr, **ufunc)        u4
rad2deg(xr, **ufunc)        u4
degrees(xr, **ufunc)        u4
cbrt(xr, **ufunc)           u4
exp(xf, **ufunc)            u8
exp2(xf, **ufunc)           u8
expm1(xf, **ufunc)          u8
log(xf, **ufunc)            u8
log2(xf, **ufunc)           u8
log10(xf, **ufunc)          u8
log1p(xf, **ufunc)          u8
sin(xf, **ufunc)            u8
cos(xf, **ufunc)            u8
tan(xf, **ufunc)            u8
arcsin(xf, **ufunc)         u8
asin(xf, **ufunc)           u8
arccos(xf, **ufunc)         u8
acos(xf, **ufunc)           u8
arctan(xf, **ufunc)         u8
atan(xf, **ufunc)           u8
sinh(xf, **ufunc)           u8
cosh(xf, **ufunc)           u8
tanh(xf, **ufunc)           u8
arcsinh(xf, **ufunc)        u8
asinh(xf, **ufunc)          u8
arccosh(xf, **ufunc)        u8
acosh(xf, **ufunc)          u8
arctanh(xf, **ufunc)        u8
atanh(xf, **ufunc)          u8
frexp(xr, **ufunc)
modf(xr, **ufunc)
add(x, y, **ufunc)
subtract(x, y, **ufunc)
multiply(x, y, **ufunc)     u4
divide(x, y, **ufunc)       u4
true_divide(x, y, **ufunc)  u4
floor_divide(xr, yr, **ufunc)
remainder(xr, yr, **ufunc)
mod(xr, yr, **ufunc)
fmod(xr, yr, **ufunc)
divmod(xr, yr, **ufunc)
power(x, y, **ufunc)        u8
pow(x, y, **ufunc)          u8
float_power(x, y, **ufunc)  u8
maximum(x, y, **ufunc)
minimum(x, y, **ufunc)
fmax(x, y, **ufunc)
fmin(x, y, **ufunc)
equal(x, y, **ufunc)
not_equal(x, y, **ufunc)
less(x, y, **ufunc)
less_equal(x, y, **ufunc)
greater(x, y, **ufunc)
greater_equal(x, y, **ufunc)
logical_and(x, y, **ufunc)
logical_or(x, y, **ufunc)
logical_xor(x, y, **ufunc)
bitwise_and(xi, yi, **ufunc)
bitwise_or(xi, yi, **ufunc)
bitwise_xor(xi, yi, **ufunc)
left_shift(xi, yi, **ufunc)
right_shift(xi, yi, **ufunc)
bitwise_left_shift(xi, yi, **ufunc)
bitwise_right_shift(xi, yi, **ufunc)
gcd(xi, yi, **ufunc)
lcm(xi, yi, **ufunc)
arctan2(xr, yr, **ufunc)    u8
atan2(xr, yr, **ufunc)      u8
hypot(xr, yr, **ufunc)      u8
logaddexp(xr, yr, **ufunc)  sum
logaddexp2(xr, yr, **ufunc)  sum
copysign(xr, yr, **ufunc)
nextafter(xr, yr, **ufunc)
heaviside(xr, yr, **ufunc)
ldexp(xr, yi, **ufunc)
"""


def _others(listed):
    """Lines for the ufuncs that have none, by what rows of ufunc.def say: of real
    numbers, and as exact as elementary functions."""
    for name, f in sorted(vars(cupric).items()):
        if isinstance(f, cupric.ufunc) and f.nin <= 2 and f"\n{name}(" not in listed:
            yield f"{name}({', '.join(('xr', 'yr')[: f.nin])}, **ufunc)  u8\n"


UFUNCS += "".join(_others("\n" + UFUNCS))

UFUNC_METHODS = """
add.reduce(x, axis=axes, dtype=dtype, keepdims=flag, initial=number, **out)  sum
add.reduce(x, axis=axes, where=mask)  sum
multiply.reduce(x, axis=axis, dtype=dtype, keepdims=flag, **out)  prod
maximum.reduce(some, axis=axes, keepdims=flag, **out)
logical_or.reduce(x, axis=axes, keepdims=flag, **out)
bitwise_xor.reduce(xi, axis=axis, **out)
add.accumulate(x, axis=axis, dtype=dtype, **out)        sum
multiply.accumulate(x, axis=axis, dtype=dtype, **out)   prod
maximum.accumulate(x, axis=axis, **out)
add.reduceat(some, places, axis=axis)                  sum
minimum.reduceat(some, places)
add.outer(x, y)
multiply.outer(x, y)                                    u4
less.outer(x, y)
arctan2.outer(xr, yr)                                   u8
xp.add.at({name}, {within0}, {scalar})
xp.maximum.at({name}, {within0}, {scalar})
xp.add.at({name}, {within0}, {numbers0})
xp.minimum.at({name}, np.array([0]), {numbers0})
"""

OPERATORS = """
{x} + {y}
{x} - {y}
{x} * {y}         u4
{x} / {y}         u4
{xr} // {yr}
{xr} % {yr}
{x} ** {small}    u8
{xr} ** {yr}      u8
{x} == {y}
{x} != {y}
{x} < {y}
{x} <= {y}
{x} > {y}
{x} >= {y}
{xi} & {yi}
{xi} | {yi}
{xi} ^ {yi}
{xi} << {yi}
{xi} >> {yi}
{scalar} + {x}
{scalar} - {x}
{scalar} * {x}    u4
{scalar} / {x}    u4
{scalar} // {xr}
{scalar} % {xr}
{scalar} < {x}
{number} ** {xr}  u8
divmod({xr}, {yr})
-{x}
+{x}
~{xi}
abs({x})          u4
"""

IN_PLACE = """
{name} += {y}
{name} -= {y}
{name} *= {y}         u4
{name} /= {y}         u4
{name} //= {yr}
{name} %= {yr}
{name} **= {small}    u8
{name} &= {yi}
{name} |= {yi}
{name} ^= {yi}
{name} <<= {yi}
{name} >>= {yi}
{name}[...] += {y}
{place} = {y}
{place} = {y}
{place} = {y}
{place} = {scalar}
{place} = {numbers}
{place} += {y}
{place} *= {scalar}   u4
{target}.fill({scalar})
{target}.sort()
xp.copyto({target}, {y})
xp.put({target}, {within}, {y})
xp.fill_diagonal({target}, {scalar})
xp.put_along_axis({target}, {places0}, {scalar}, 0)
xp.putmask({target}, {xb}, {scalar})
xp.putmask({target}, {mask_of}, {y})
xp.place({target}, {mask_of}, {numbers_of})
xp.copyto({target}, {scalar}, where={mask})
{unshared}.shape = {reshaped}
{target}.put({within}, {y})
{target}.partition({count})
{target}.real = {scalar}
{target}[{index}] **= {small}               u8
"""

READS = """
{read}
{read}
{read}
take(x, within, axis=axis, mode=wrap|clip)
compress(mask1, x, axis=axis)
extract(xb, same)
choose(choice, several)  any order
({choice}).choose({several})  any order
{x}.flat[:]
xp.select([{xb}], [{y}])
xp.mask_indices({count}, xp.triu)  any order
diagonal(x, offset=small)
diag(x, k=small)
where(xb, y, y)
nonzero(x)           any order
flatnonzero(x)
argwhere(x)
.nonzero()           any order
.diagonal()
.take(within)
.tolist()
take_along_axis(some, places0, axis=0!)
unravel_index(naturals, dims)  any order
ravel_multi_index(coordinates, dims, mode=wrap|clip!)
.compress(mask1, axis=axis)
diag_indices(count, count?)  any order
diag_indices_from(square0)  any order
tril_indices(count, k=small)  any order
triu_indices(count, k=small)  any order
tril_indices_from(x2, k=small)  any order
triu_indices_from(x2, k=small)  any order
ix_(indices1, indices1)
shares_memory(x, same)
"""

SHAPES = """
reshape(x, reshaped, order=order)
.reshape(reshaped, order=C|F|A)
.ravel(order=order)
ravel(x)
.flatten(order=order)
.T
.transpose(perm)
transpose(x, perm?)
permute_dims(x, perm)
swapaxes(x, axis, axis)
moveaxis(x, axis, axis)
rollaxis(x, axis)
squeeze(x, axis=axis)
.squeeze()
expand_dims(x, axis)
broadcast_to(x, larger)
xp.lib.stride_tricks.sliding_window_view({some}, 2, -1)
xp.lib.stride_tricks.sliding_window_view({some}, (1, 2), (0, 0))
xp.lib.stride_tricks.as_strided({x})
broadcast_arrays(x, y)
atleast_1d(x)
atleast_2d(x)
atleast_3d(x)
flip(x, axis=axes)
fliplr(x)
flipud(x)
rot90(x2, k=small)
roll(x, small, axis=axis)
.view(dtype)
.real
.imag
real(x)
imag(x)
matrix_transpose(x)
resize(x, shape)
.copy(order=order)
trim_zeros(x1)
.mT
.swapaxes(axis, axis)
.byteswap()
.diagonal(offset=small)
.conj()
.conjugate()
require(x, dtype=dtype)
sort_complex(x)
real_if_close(x)
diagflat(x, k=small)
angle(x, deg=flag)                          u8
sinc(xf)                                    u8
i0(xr)                                      u64
unwrap(xf)                                  sum
"""

REDUCTIONS = """
sum(x, axis=axes, dtype=dtype, keepdims=flag, initial=number, where=mask, **out)   sum
prod(x, axis=axes, dtype=dtype, keepdims=flag, initial=number, where=mask, **out)  prod
max(x, axis=axes, keepdims=flag, initial=number, where=mask, **out)
min(x, axis=axes, keepdims=flag, initial=number, where=mask, **out)
amax(x, axis=axes, keepdims=flag)
amin(x, axis=axes, keepdims=flag)
all(x, axis=axes, keepdims=flag, where=mask, **out)
any(x, axis=axes, keepdims=flag, where=mask, **out)
mean(x, axis=axes, dtype=dtype, keepdims=flag, where=mask, **out)   sum
std(x, axis=axes, dtype=dtype, ddof=count, keepdims=flag, where=mask, **out)  sum
var(x, axis=axes, dtype=dtype, ddof=count, keepdims=flag, where=mask, **out)  products
argmax(x, axis=axis, keepdims=flag)
argmin(x, axis=axis, keepdims=flag)
ptp(xr, axis=axes, keepdims=flag)
count_nonzero(x, axis=axes, keepdims=flag)
nansum(x, axis=axes, dtype=dtype, keepdims=flag)    sum
nanprod(x, axis=axes, dtype=dtype, keepdims=flag)   prod
nanmax(x, axis=axes, keepdims=flag)
nanmin(x, axis=axes, keepdims=flag)
nanmean(xf, axis=axes, keepdims=flag)               sum
nanstd(xf, axis=axes, ddof=count, keepdims=flag)    sum
nanvar(xf, axis=axes, ddof=count, keepdims=flag)    products
nanargmax(x, axis=axis)
nanargmin(x, axis=axis)
.sum(axis=axes, dtype=dtype, keepdims=flag)         sum
.mean(axis=axes)                                    sum
.max(axis=axes)
.min(axis=axes)
.all(axis=axes)
.any(axis=axes)
.argmax(axis=axis)
.argmin(axis=axis)
.prod(axis=axes)                                    prod
.std(axis=axes)                                     sum
.var(axis=axes)                                     products
trace(x, offset=small)                              sum
average(x, axis=axis, weights=same)                 products
median(xr, axis=axis, keepdims=flag)                sum
percentile(xr, percent, axis=axis, keepdims=flag)   sum
quantile(xr, fraction, axis=axis, keepdims=flag)    sum
nanmedian(xr, axis=axis)                            sum
nanpercentile(some, percent, axis=axis, keepdims=flag)  sum
nanquantile(some, fraction, axis=axis, keepdims=flag)   sum
apply_over_axes(xp.sum, x, axis)                    sum
apply_along_axis(xp.max, axis, some)
xp.apply_along_axis(lambda v: v[::-1], 0, {some})  any order
xp.piecewise({x}, [{mask_of}, {mask_of}], [1, 2])
xp.piecewise({x}, [{mask_of}], [lambda v: v[::-1], 3])
alltrue(x)   np:xp.all({0})
sometrue(x)             np:xp.any({0})
.ptp()  np:xp.ptp({0})
.trace(offset=small)                        sum
cov(xf)                                     products
corrcoef(xf)                                products
"""

SCANS = """
cumsum(x, axis=axis, dtype=dtype, **out)    sum
cumprod(x, axis=axis, dtype=dtype, **out)   prod
nancumsum(x, axis=axis, dtype=dtype)        sum
nancumprod(x, axis=axis, dtype=dtype)       prod
cumulative_sum(x1, dtype=dtype, include_initial=flag)   sum
cumulative_prod(x1, dtype=dtype, include_initial=flag)  prod
.cumsum(axis=axis)                          sum
.cumprod(axis=axis)                         prod
diff(x, n=count, axis=axis)
ediff1d(x)
gradient(xf)                                sum
trapezoid(xf, axis=axis)                    sum
"""

SORTING = """
sort(x, axis=axis, kind=stable|quicksort)
sort(x, axis=axis!, descending=True!, stable=True!)  np:np.flip(np.sort(np.flip({0}, {1}), {1}, kind='stable'), {1})  any order
argsort(x, axis=axis!, descending=True!)    np:-1 - np.flip(np.argsort(np.flip({0}, {1}), {1}, kind='stable'), {1}) + np.size({0}, {1})  any order
argsort(x, axis=axis, kind='stable'!)
.argsort(kind='stable'!)
lexsort(keys)
searchsorted(sorted1, y, side=left|right)
unique(x, return_index=flag, return_inverse=flag, return_counts=flag)
digitize(x, sorted1, right=flag)
isin(x, y, invert=flag)
intersect1d(x, y)
union1d(x, y)
setdiff1d(x, y)
setxor1d(x, y)
bincount(naturals, minlength=count)
histogram(xr, bins=count!)                  u4
msort(x)  np:xp.sort({0}, axis=0)
xp.sort(xp.partition({some}, 0))
xp.sort(xp.argpartition({some}, 0))
xp.sort({some}.argpartition(0))
{sorted1}.searchsorted({y})
unique_all(x)
unique_counts(x)
unique_inverse(x)
xp.sort(xp.unique_values({x}))
interp(xr, sorted1r, sorted1r)              u8
xp.histogramdd({xr}[..., :4], bins={count})[0]  u4  any order
xp.histogram2d({x1}, {same}, bins={count})  u4  any order
packbits(xi, axis=axis, bitorder=big|little)
xp.unpackbits(xp.append({xi}.astype('B'), xp.ones(1, 'B')), count={small})
"""  # noqa: E501

POLYNOMIALS = """
xp.poly({x1}.ravel()[:40])                  matrix
xp.roots({x1}.ravel()[:40])                 matrix
polyadd(x1, x1)
polysub(x1, x1)
polymul(x1, x1)                             products
polydiv(x1, x1)                             products
xp.polyval({x1}.ravel(), {x})               matrix
xp.polyder({x1}.ravel(), {count})           u4
xp.polyint({x1}.ravel(), {count})           u8
xp.polyfit(xp.arange(6.0), xp.cos(xp.arange(6.0) * {count}), {count})  matrix
xp.poly1d({x1}).coeffs
(xp.poly1d({x1}) + xp.poly1d({x1})).deriv().coeffs  u4
xp.polynomial.polynomial.polyval({xr}, {x1})  matrix
xp.polynomial.polynomial.polyvander({xr}, {count})  u8  any order
xp.polynomial.polynomial.polyvalfromroots({xr}, {x1})  prod
xp.polynomial.polynomial.polycompanion({x1})  u4
xp.polynomial.polyutils.as_series([{x1f}, {x1f}])
xp.polynomial.polyutils.trimcoef({x1f})
xp.polynomial.polyutils.trimseq({x1f})
"""

JOINING = """
concatenate(several, axis=axis, dtype=dtype, casting=casting)
stack(several, axis=axis)
vstack(several)
hstack(several)
dstack(several)
column_stack(several)
append(x, y, axis=axis)
split(x, section, axis=axis)
array_split(x, section, axis=axis)
unstack(x2, axis=0|-1!)                     np:np.unstack({0}, axis={1}) and (lambda _x: tuple(_x[_k, ...] for _k in range(len(_x))))(np.moveaxis({0}, {1}, 0))
vsplit(x, section)
hsplit(x, section)
dsplit(x, section)
tile(x, reps)
repeat(x, count, axis=axis)
.repeat(count)
pad(x, width, mode=edge|wrap|reflect|symmetric|constant|maximum|minimum)
delete(x, small, axis=axis)
insert(x, small, scalar, axis=axis)
block(several)
meshgrid(x1, x1)
concat(several, axis=axis)
row_stack(several)  np:xp.vstack({0})
"""  # noqa: E501

CASTS = """
.astype(dtype, order=order, casting=casting, copy=flag)
.astype(dtype)
array(x, dtype=dtype, copy=True, order=order, ndmin=count)
asarray(x, dtype=dtype, order=order)
asanyarray(x)
ascontiguousarray(x)
asfortranarray(x)
copy(x, order=order)
can_cast(dtype, dtype, casting=casting)
result_type(x, y)
promote_types(dtype, dtype)
min_scalar_type(scalar)
nan_to_num(x, nan=number, posinf=number)
clip(x, number, number, **out)
clip(x, y, y)
.clip(number, number)
round(x, decimals=small)                    u1
around(xf, decimals=count)                  u1
.round(count)                               u1
astype(x, dtype)
asarray_chkfinite(x)
common_type(xr, xf)
isdtype(npdtype, integral|numeric|bool)
issubdtype(dtype, dtype)
xp.typename({dtype})
xp.mintypecode([{dtype}])
.tobytes(order=order)
{one}.item()
.dtype
.shape
.size
.ndim
.itemsize
.nbytes
broadcast_shapes(shape, shape)
array_repr(x)
array_str(x)
array2string(x)
xp.isfortran(xp.array({x}, order={corder}))
iterable(x)
base_repr(count)
xp.binary_repr({count}, 8)
format_float_positional(number)
format_float_scientific(number)
"""

LOGIC = """
isclose(x, y, equal_nan=flag)
allclose(x, same)
array_equal(x, same)
array_equiv(x, y)
isreal(x)
iscomplex(x)
isneginf(xr)
isposinf(xr)
iscomplexobj(x)
isrealobj(x)
isscalar(y)
shape(x)
ndim(x)
size(x)
may_share_memory(x, same)
"""

CREATION = """
zeros(shape, dtype=dtype, order=C|F)
ones(shape, dtype=dtype, order=C|F)
full(shape, scalar, dtype=dtype)
zeros_like(x, dtype=dtype, order=order)
ones_like(x, dtype=dtype, order=order)
full_like(x, scalar, dtype=dtype)
arange(number, number?, number?, dtype=dtype)
linspace(number, number, count, endpoint=flag, dtype=dtype)   u4
eye(count, count, k=small, dtype=dtype)
identity(count, dtype=dtype)
tri(count, count, k=small, dtype=dtype)
tril(x, k=small)
triu(x, k=small)
vander(x1, count)                           u8
indices(shape)
array(scalar, dtype=dtype)
geomspace(positive, positive, count)        u8
logspace(number, number, count)             u8
bartlett(count)                             u8
blackman(count)                             u8
hamming(count)                              u8
hanning(count)                              u8
kaiser(count, number)                       u8
xp.fromfunction(lambda *i: i[0], {shape1})
xp.fromiter([1, 2, 3], {dtype})
xp.frombuffer(b"abcdefgh", {dtype})
xp.fromstring("1 2 3", {dtype}, sep=" ")
xp.empty({shape}, {dtype}, {corder}).fill({scalar})
xp.empty_like({x}).fill({scalar})
"""

PRODUCTS = """
matmul(xm, ym, **out)                       products
{xm} @ {ym}                                 products
dot(xm, yd)                                 products
{xm}.dot({yd})                               products
inner(xm, yl)                               products
outer(x, x)                                 products
vdot(x, same)                               products
vecdot(x, same)                             products
tensordot(x, same)                          products
kron(x, x)                                  products
cross(x3, x3)                               products
einsum(**einsum)                            products  any order
convolve(some1, some1, mode=full|same|valid)   products
correlate(some1, some1, mode=full|same|valid)  products
linalg.solve(square, rhs)                   matrix
linalg.inv(square)                          matrix
linalg.det(square)                          matrix
linalg.norm(xf, axis=axis)                  matrix
linalg.matrix_power(square, count)          matrix
linalg.svd(square, compute_uv=False!)       matrix
fft.fft(xf, n=count, axis=axis)             sum
fft.ifft(xf, n=count, axis=axis)            sum
fft.rfft(xr, axis=axis)                     sum
fft.fftshift(x, axes=axis)
matvec(mx, last)                            products
vecmat(x1s, matrix_of)                      products
linalg.cholesky(definite)                   matrix
linalg.cond(square)                         matrix
linalg.cross(x3, x3)                        products
linalg.diagonal(square, offset=small)
linalg.dot(xm, yd)                          products  np:xp.dot({0}, {1})
linalg.eigvalsh(definite)                   matrix
xp.linalg.eigh({definite})[0]               matrix
xp.linalg.eig({definite})[0].sum(-1).real   matrix  any order
xp.linalg.eigvals({square}).sum(-1).real    matrix  any order
linalg.inner(xm, yl)                        products  np:xp.inner({0}, {1})
linalg.kron(x, x)                           products  np:xp.kron({0}, {1})
xp.linalg.lstsq({square0}, {rhs})[0]        matrix
linalg.matmul(xm, ym)                       products
linalg.matrix_norm(square)                  matrix
linalg.matrix_rank(square)
linalg.matrix_transpose(square)
xp.linalg.multi_dot([{square0}, {rhs}])     products
linalg.outer(x1, x1)                        products
linalg.pinv(square)                         matrix
xp.abs(xp.linalg.qr({square0})[1])          matrix
linalg.slogdet(square)                      matrix
xp.linalg.slogdet({square}).logabsdet       matrix
linalg.svdvals(square)                      matrix
linalg.tensordot(x, same)                   products
xp.linalg.tensorinv({square0}, 1)        matrix
linalg.tensorsolve(square0, vector)         matrix
xp.linalg.trace({square0}, offset={small})  sum
linalg.vdot(x, same)                        products  np:xp.vdot({0}, {1})
linalg.vecdot(x, same)                      products
linalg.vector_norm(xf, axis=axis)           products
linalg.einsum(**einsum)                     products  any order  np:xp.einsum({0})
fft.fft2(x2)                                sum
fft.ifft2(x2)                               sum
fft.fftn(xf, axes=axis1)                    sum
fft.ifftn(xf, axes=axis1)                   sum
fft.rfft2(x2)                               sum
fft.irfft2(x2)                              sum
fft.rfftn(xr, axes=axis1)                   sum
fft.irfftn(xf, axes=axis1)                  sum
fft.irfft(xf, n=count, axis=axis)           sum
fft.hfft(xf, n=count)                       sum
fft.ihfft(xr, n=count)                      sum
fft.fftfreq(count, number)
fft.rfftfreq(count, number)
fft.fftfreq(count, number, dtype='f4'!)     np:np.fft.fftfreq({0}, {1}).astype('f4')
fft.ifftshift(x, axes=axis)
"""

OWN = """
{x}.get().tolist()                          np:{0}.tolist()
xp.asnumpy({x}).tolist()                    np:{0}.tolist()
{target}.set({numbers_as})  np:np.copyto({0}, {1}, casting="unsafe")
{name}.scatter_add({within0}, {number})     np:np.add.at({0}, {1}, {2})
{name}.scatter_max({within0}, {number})     np:np.maximum.at({0}, {1}, {2})
{name}.scatter_min({within0}, {number})     np:np.minimum.at({0}, {1}, {2})
cupricx.scatter_add(name, within0, number)  np:np.add.at({0}, {1}, {2})
cupricx.scatter_max(name, within0, number)  np:np.maximum.at({0}, {1}, {2})
cupricx.scatter_min(name, within0, number)  np:np.minimum.at({0}, {1}, {2})
cupricx.rsqrt(xfd)                          u8  np:1 / np.sqrt({0})
from_dlpack(x)                              np:{0}[...]
xp.fromDlpack({x}.toDlpack())               np:{0}[...]
"""

OPAQUE = """
xp.flip({xi}.astype('i8').view('M8[s]')).view('i8')  any order
xp.roll({xi}.astype('m8[ns]'), {small}).view('i8')  any order
xp.concatenate([{xi}.astype('m8[ns]')] * 2, axis=None).view('i8')
xp.where({xb}, {xi}.astype('m8[s]'), np.timedelta64(3, 's')).view('i8')
{xi}.astype('m8[s]') == ({yi}).astype('m8[s]')
np.timedelta64(3, 's') != {xi}.astype('m8[s]')
{xi}.astype('i8,f8')['f0']
xp.flip({xi}.astype('i8,i8').T)['f1']  any order
{xi}.astype('i8,i2').astype('f8,i8', order={order})['f0']  any order
xp.stack([{xi}.astype('i8,i8')] * 2) == {xi}.astype('i8,i8')
{xi}.astype('i8').view('V8').copy().view('i8')  any order
xp.zeros({shape}, 'V6').T.tolist()
"""

FUNCTIONAL = """
xp.vectorize(scalars.counted_down)({xr})          np:scalars.counted_down_each({0})
xp.vectorize(scalars.at_least_two)({xr})          np:scalars.at_least_two_each({0})
xp.vectorize(scalars.equal_or_nan)({x}, {count})  np:scalars.equal_or_nan_each({0}, {1})
xp.fuse(scalars.sum_where_less)({xi}, {yi})         np:scalars.sum_where_less({0}, {1})
"""

RANDOM = """
xp.shape(xp.random.normal(xp.ones_like({x}, 'd'), 1, {larger}))
xp.shape(xp.random.uniform(0, xp.ones_like({x}, 'd'), {shape}))
xp.shape(xp.random.gamma(xp.ones_like({x}, 'd'), 2, {larger}))
xp.random.beta(xp.ones_like({x}, 'd'), 2, {larger}).dtype
xp.random.poisson(xp.ones_like({x}, 'd'), {larger}).dtype
xp.shape(xp.random.poisson(xp.ones_like({x}, 'd')))
xp.shape(xp.random.binomial({count}, 0.5, {shape}))
xp.shape(xp.random.binomial(xp.ones_like({x}, 'i'), 0.5, {larger}))
xp.shape(xp.random.dirichlet([1, 2], {shape}))
xp.shape(xp.random.multinomial({count}, [0.25, 0.75], {shape}))
xp.shape(xp.random.multivariate_normal([0, 1], [[1, 0], [0, 1]], {shape}))
xp.shape(xp.random.randint({count}, {count}, {shape}))
xp.shape(xp.random.choice({x1}, {shape}))
xp.random.choice({x1}, {shape}).dtype
xp.shape(xp.random.choice({count}, {shape}, replace={flag}))
xp.sort(xp.random.permutation({x}), axis=None)
xp.sort(xp.random.permutation({count}))
xp.random.shuffle({target}.copy())
"""

# Distributions: parameters, and the dtype of the first, which is drawn as an array.
_DISTRIBUTIONS = {
    "beta": ("1", "2"),
    "binomial": ("3", "0.5"),
    "chisquare": ("3",),
    "exponential": ("2",),
    "f": ("3", "4"),
    "gamma": ("2", "0.5"),
    "geometric": ("0.25",),
    "gumbel": ("1", "2"),
    "hypergeometric": ("5", "4", "3"),
    "laplace": ("1", "2"),
    "logistic": ("1", "2"),
    "lognormal": ("0", "0.5"),
    "logseries": ("0.5",),
    "negative_binomial": ("3", "0.5"),
    "noncentral_chisquare": ("3", "2"),
    "noncentral_f": ("3", "4", "2"),
    "normal": ("1", "2"),
    "pareto": ("2",),
    "poisson": ("3",),
    "power": ("2",),
    "rayleigh": ("2",),
    "standard_gamma": ("2",),
    "standard_t": ("3",),
    "triangular": ("0", "1", "3"),
    "uniform": ("1", "2"),
    "vonmises": ("1", "2"),
    "wald": ("1", "2"),
    "weibull": ("2",),
    "zipf": ("2",),
}
_OF_INTEGERS = ("binomial", "hypergeometric")  # the first parameter
_WITHOUT_PARAMETERS = {
    "standard_cauchy": (),
    "standard_exponential": (),
    "standard_normal": (),
}
_SEVERAL_AT_ONCE = {
    "dirichlet": ("[1, 2]",),
    "multinomial": ("3", "[0.25, 0.75]"),
    "multivariate_normal": ("[0, 1]", "[[1, 0], [0, 1]]"),
}
_OF_STATES = {"random": (), "random_sample": (), "tomaxint": (), "randint": ("2", "9")}
_OF_GENERATORS = {"random": (), "integers": ("2", "9")}


def _of_distributions():
    """Shape and dtype of draws, and whether a seed gives the same numbers again."""
    for name, (first, *others) in _DISTRIBUTIONS.items():
        first_dtype = "'i'" if name in _OF_INTEGERS else "'d'"
        made = ", ".join([f"xp.full_like({{x}}, {first}, {first_dtype})", *others])
        yield f"xp.shape(xp.random.{name}({made}, {{larger}}))"
    for name, parameters in _WITHOUT_PARAMETERS.items():
        yield f"xp.shape(xp.random.{name}({', '.join((*parameters, '{shape}'))}))"
    shared = _DISTRIBUTIONS | _WITHOUT_PARAMETERS | _SEVERAL_AT_ONCE
    for maker, own in (("RandomState", _OF_STATES), ("default_rng", _OF_GENERATORS)):
        for name, parameters in (shared | own).items():
            call = f"{name}({', '.join((*parameters, '_s'))})"
            again = f"xp.random.{maker}(7).{call} for _s in [{{shape}}] * 2"
            yield f"xp.array_equal(*[{again}])"
            yield f"xp.random.{maker}(7).{call.replace('_s)', '{shape1})')}.dtype"


RANDOM += (
    "\n".join(_of_distributions())
    + """
xp.shape(xp.random.random({shape}))
xp.shape(xp.random.random_sample({shape}))
xp.shape(xp.random.ranf({shape}))
xp.shape(xp.random.sample({shape}))
xp.random.rand({count}, 2).dtype
xp.shape(xp.random.randn({count}, 2))
len(xp.random.bytes({count}))
xp.sort(xp.random.RandomState(7).permutation({x}), axis=None)
xp.sort(xp.random.default_rng(7).permutation({x}), axis=None)
xp.random.RandomState(7).shuffle({target}.copy())
xp.random.default_rng(7).shuffle({target}.copy())
xp.shape(xp.random.RandomState(7).choice({count}, {shape}))
xp.shape(xp.random.default_rng(7).choice({count}, {shape}))
xp.shape(xp.random.RandomState(7).rand({count}, 2))
xp.shape(xp.random.RandomState(7).randn({count}, 2))
len(xp.random.RandomState(7).bytes({count}))
len(xp.random.default_rng(7).bytes({count}))
len(xp.random.default_rng(7).spawn({count}))
"""
)

SPECIAL = """
special.digamma(xr)                         gamma
special.entr(xr)                            u64
special.erf(xr)                             u64
special.erfc(xr)                            tail
special.expit(xr)                           u64
special.gamma(xr)                           u64
special.gammaln(xr)                         gamma
special.log_expit(xr)                       u64
special.logit(xr)                           gamma
special.ndtr(xr)                            tail
special.psi(xr)                             gamma
special.rel_entr(xr, alike)                 gamma
special.xlog1py(xfd, alike)                 u64
special.xlogy(xfd, alike)                   u64
"""
SPECIAL += "".join(special.lines(SPECIAL))

SIGNAL = """
signal.convolve(x1n, x1n, mode=full|same|valid, method='direct'!)  products
signal.correlate(x1n, x1n, mode=full|same|valid, method='direct'!)  products
signal.fftconvolve(x1n, x1n, mode=full|same|valid)  sum
signal.oaconvolve(x1n, x1n, mode=full|same|valid)   sum
signal.lfilter([0.5, 0.25], [1.0, -0.5], {x1n})     products
signal.lfilter([0.5, 0.25, 2.0], [2.0] + [0.25] * 9, {x1n})  products
signal.deconvolve({x1n}, [2.0])                     products
signal.filtfilt([0.5, 0.25], [1.0, -0.5], {x1n}, padlen=0)   products
signal.sosfilt([[0.5, 0.25, 0.125, 1, -0.5, 0.25], [1, 0.5, 0, 1, 0.25, 0]], {x1n})  products
signal.sosfiltfilt([[0.5, 0.25, 0.125, 1, -0.5, 0.25]], {x1n}, padlen=0)  products
signal.gauss_spline({x1n}, 3)                       u64
signal.stft({x1n}, nperseg=4, detrend=False)[2]     transform  any order
signal.stft({x1n}, nperseg=3, boundary='even', return_onesided=False)[2]  transform  any order
signal.istft({x2n}, window='boxcar')[1]             transform
signal.spectrogram({x1n}.real, nperseg=3, detrend=False)[2]  spline  any order
signal.welch({x1n}, nperseg=3, detrend=False)[1]    spline
signal.csd({x1n}, {x1n}, nperseg=3, detrend=False, return_onesided=False)[1]  spline
signal.periodogram({x1n}, detrend=False)[1]         spline
signal.czt({x1n}, 5)                                transform
signal.zoom_fft({x1n}, 0.5, 4)                      transform
signal.upfirdn([1.0, 0.5, 2.0], {x1n}, 3, 2)        products
signal.resample_poly({x1n}, 3, 2)                   products
signal.decimate({x1n}, 2, 4, 'fir')                 products
signal.resample({x1n}, 7)                           transform
signal.hilbert({x1n}.real)                          transform  any order
signal.hilbert2({x2n}.real)                         transform  any order
signal.envelope({x1n}, (0, None), residual=None)    transform
signal.detrend(x1n, type='linear'|'constant')       spline
signal.savgol_filter({x1n}.real, 3, 1, mode='nearest')  products
signal.medfilt({x1n}.real.astype('d'))
signal.medfilt2d({x2n}.real)
signal.order_filter({x1n}.real, [1, 0, 1], 1)
signal.unit_impulse({count}, 'mid')
signal.max_len_seq(5, length={count})[0]
signal.correlation_lags({count}, 3)
signal.find_peaks({vecr}, height=0)[0]
signal.find_peaks({vecr}, threshold=0.5, plateau_size=(1, 3))[0]
signal.find_peaks({vecr}, prominence=(0.5, None), width=0)[0]
signal.peak_prominences({vecr}, [2, 0])
signal.peak_widths({vecr}, [0, 2], rel_height=0.3, wlen=4)
signal.argrelmin(x1n, order=1|2, mode=clip|wrap)
signal.argrelmax(x2n, axis=0|1)  any order
signal.argrelextrema({x1n}, xp.greater_equal)
signal.dlsim(([1.0], [1.0, -0.5], 1.0), {vecr})     products
signal.convolve2d(x2n, x2n, mode=full|same|valid, boundary=fill|wrap|symm)  products  any order
signal.correlate2d(x2n, x2n, mode=full|same|valid, boundary=fill|wrap|symm)  products  any order
"""  # noqa: E501

BLAS = """
cublas.iamax(vec)  np:np.int32({0}.size and 1 + np.argmax(abs({0}.real) + abs({0}.imag)))
cublas.iamin(vec)  np:np.int32({0}.size and 1 + np.argmin(abs({0}.real) + abs({0}.imag)))
cublas.asum(vec)  sum  np:(abs({0}.real) + abs({0}.imag)).sum()
cublas.nrm2(vec)  products  np:np.linalg.norm({0})
cublas.dot(vecr, vec_beside)  products  np:np.dot({0}, {1})
cublas.dotu(vec, vec_beside)  products  np:np.dot({0}, {1})
cublas.dotc(vec, vec_beside)  products  np:np.vdot({0}, {1})
cublas.axpy(number, vec, updated)  products  np:np.copyto({2}, {0} * {1} + {2})
cublas.scal(number, updated_vec)  u4  np:np.copyto({1}, {0} * {1})
cublas.gemv('N'!, number, matrix, row_beside, number, updated_column)  products  np:np.copyto({5}, {1} * ({2} @ {3}) + blas.scaled({4}, {5}))
cublas.gemv('H'!, number, matrix, column_beside, number, updated_row)  products  np:np.copyto({5}, {1} * ({2}.T.conj() @ {3}) + blas.scaled({4}, {5}))
cublas.ger(number, vecr, vec_beside, updated_square)  products  np:np.copyto({3}, {3} + np.outer({0} * {1}, {2}))
cublas.geru(number, vec, vec_beside, updated_square)  products  np:np.copyto({3}, {3} + np.outer({0} * {1}, {2}))
cublas.gerc(number, vec, vec_beside, updated_square)  products  np:np.copyto({3}, {3} + np.outer({0} * {1}, {2}.conj()))
cublas.gemm('N'!, 'N'!, matrix, matrix_after, alpha=number!)  products  any order  np:{4} * ({2} @ {3})
cublas.gemm('T'!, 'N'!, matrix, matrix_beside, alpha=number!)  products  any order  np:{4} * ({2}.T @ {3})
cublas.gemm('N'!, 'H'!, matrix, matrix_beside, alpha=number!)  products  any order  np:{4} * ({2} @ {3}.T.conj())
cublas.gemm('N'!, 'H'!, matrix, matrix_beside, updated_square, number, number)  products  np:np.copyto({4}, {5} * ({2} @ {3}.T.conj()) + blas.scaled({6}, {4})) or {4}
cublas.geam('N'!, 'N'!, number, matrix, number, matrix_beside)  products  any order  np:{2} * {3} + {4} * {5}
cublas.geam('T'!, 'H'!, number, matrix, number, matrix_beside)  products  any order  np:{2} * {3}.T + {4} * {5}.T.conj()
cublas.dgmm('L'!, matrix, column_beside)  u4  any order  np:{2}[:, None] * {1}
cublas.dgmm('R'!, matrix, row_beside)  u4  any order  np:{1} * {2}
cublas.syrk('N'!, matrix, alpha=number!)  products  any order  np:np.triu({2} * ({1} @ {1}.T))
cublas.syrk('T'!, matrix, alpha=number!, lower=True!)  products  any order  np:np.tril({2} * ({1}.T @ {1}))
cublas.sbmv(0!, number, rowr, row_beside, number, updated_row)  products  np:np.copyto({5}, {1} * {2}[0] * {3} + blas.scaled({4}, {5})) or {5}
cublas.batched_gesv(square, rhs_beside)  matrix  np:np.linalg.solve({0}, {1})
"""  # noqa: E501

IMAGES = """
ndimage.correlate1d(imgn, weights1, axis=naxis, **around)  products
ndimage.convolve1d(imgn, weights1, axis=naxis, **around)  products
ndimage.correlate(imgn, weightsn, **arounds)  products
ndimage.convolve(imgn, weightsn, **arounds)  products
ndimage.uniform_filter1d(imgn, nsize, axis=naxis, **around)  sum
ndimage.uniform_filter(imgn, size=nsizes, axes=naxes, **arounds)  sum
ndimage.gaussian_filter1d(imgn, sigma, axis=naxis, order=count, **beyond)  derivatives
ndimage.gaussian_filter(imgn, sigmas, order=count, axes=naxes, **beyond)  derivatives
ndimage.gaussian_gradient_magnitude(imgn, sigma, **edges)  derivatives
ndimage.gaussian_laplace(imgn, sigma, **edges)  derivatives
ndimage.generic_gradient_magnitude(imgn, ndimage.sobel, **edges)  products
ndimage.generic_laplace(imgn, ndimage.prewitt, **edges)  products
ndimage.laplace(imgn, **edges)  products
ndimage.prewitt(imgn, axis=naxis, **beyond)  products
ndimage.sobel(imgn, axis=naxis, **beyond)  products
ndimage.minimum_filter1d(img, nsize, axis=naxis, **around)  u1
ndimage.maximum_filter1d(img, nsize, axis=naxis, **around)  u1
ndimage.minimum_filter(img, **window, **arounds)  u1
ndimage.maximum_filter(img, **window, **arounds)  u1
ndimage.median_filter(img, **window, **placed)  u1
ndimage.rank_filter(img, small, **window, **placed)  u1
ndimage.percentile_filter(img, 0|25|50|-10|100, **window, **placed)  u1
ndimage.generic_filter(imgn, xp.max, **window, **arounds)  u1
ndimage.generic_filter1d(img, copier, nsize)  np:ndimage.generic_filter1d({0}, lambda x, y: np.copyto(y, x[: len(y)]), {2})
ndimage.fourier_gaussian(imgf, sigmas)  products
ndimage.fourier_uniform(imgf, sigmas)  products
ndimage.fourier_ellipsoid(imgf, sigmas)  ellipsoid
ndimage.fourier_shift(imgf, moves)  products
ndimage.spline_filter1d(imgf, order=degree, axis=naxis, mode=nmode)  spline
ndimage.spline_filter(imgf, order=degree, mode=nmode)  spline
ndimage.map_coordinates(imgf, coordinates_of, **spline)  spline
ndimage.affine_transform(imgf, matrix_for, **spline)  spline
ndimage.shift(imgf, moves, **spline)  spline
ndimage.zoom(imgf, zooms, **spline)  spline
ndimage.rotate(imgf, 30|90|-45, reshape=flag, **spline)  spline
ndimage.generate_binary_structure(count, count)
ndimage.iterate_structure(imgb, count)
ndimage.binary_erosion(imgb, neighbours?, **binary)
ndimage.binary_dilation(imgb, neighbours?, **binary)
ndimage.binary_opening(imgb, neighbours?, **binary)
ndimage.binary_closing(imgb, neighbours?, **binary)
ndimage.binary_erosion(imgb, structure=structure!)
ndimage.binary_dilation(imgb, structure=structure!)
ndimage.binary_hit_or_miss(imgb, structure?, structure?, origin1=shifteds)
ndimage.binary_propagation(imgb, neighbours?, mask=like, border_value=0|1)
ndimage.binary_fill_holes(imgb, neighbours?)
ndimage.grey_erosion(imgn, **window, **arounds)  u1
ndimage.grey_erosion(imgn, structure=heights!, **arounds)  u4
ndimage.grey_dilation(imgn, **window, **arounds)  u1
ndimage.grey_dilation(imgn, structure=heights!, **arounds)  u4
ndimage.grey_opening(imgn, **window, **arounds)  u1
ndimage.grey_closing(imgn, **window, **arounds)  u1
ndimage.morphological_gradient(imgn, **window, **arounds)  u1
ndimage.morphological_laplace(imgn, **window, **arounds)  u1
ndimage.white_tophat(imgn, **window, **arounds)  u1
ndimage.black_tophat(imgn, **window, **arounds)  u1
ndimage.distance_transform_edt(imgb, sampling=spacings)  u4
ndimage.distance_transform_edt({imgb}, return_indices=True)[0]  u4
ndimage.label(img, neighbours?, **image_out)
ndimage.find_objects(imgi, max_label=count)
ndimage.sum(img, labelled?, labels_wanted?)  sum
ndimage.sum_labels(img, labelled, several_labels_or_none)  sum
ndimage.mean(img, labelled?, labels_wanted?)  sum
ndimage.variance(img, labelled?, labels_wanted?)  products
ndimage.standard_deviation(img, labelled?, labels_wanted?)  sum
ndimage.minimum(img, labelled?, labels_wanted?)
ndimage.maximum(img, labelled?, labels_wanted?)
ndimage.median(img, labelled?, labels_wanted?)  sum
[int(i) for i in ndimage.minimum_position({distinct})]
xp.array(ndimage.minimum_position({distinct}, {labelled}, {several_labels}))
xp.array(ndimage.maximum_position({distinct}, {labelled}, {several_labels}))
ndimage.extrema({distinct}, {labelled}, {several_labels})[:2]
xp.stack(ndimage.center_of_mass({img}, {labelled}, {labels_wanted}))  matrix
list(ndimage.histogram({img}, 0, {positive}, 3, {labelled}, {several_labels}))
ndimage.histogram(img, 0!, positive, 3!)
ndimage.labeled_comprehension(img, labelled, labels_wanted, xp.max, float, -1)
xp.stack(ndimage.value_indices({imgi}, ignore_value={count}).popitem()[1])
[int(k) for k in ndimage.value_indices({imgi}, ignore_value={count})]
"""  # noqa: E501

MATRICES = """
slinalg.toeplitz(x1, x1)
slinalg.circulant(x1)
slinalg.hankel(x1, x1)
slinalg.hadamard(0|1|2|4|8, dtype=dtype)
slinalg.leslie(x1, shorter)
slinalg.companion(divisor)                  u4
slinalg.fiedler(divisor)                    u4
slinalg.fiedler_companion(divisor)          u4
slinalg.convolution_matrix(x1, count, mode='full'|'same'|'valid')
slinalg.helmert(1|2|5, full=flag)           u4
slinalg.hilbert(1|2|5)                      u4
slinalg.dft(1|2|5, scale=None|'n'|'sqrtn')  matrix
slinalg.block_diag(mx, square)
slinalg.khatri_rao(square, rhs_of)          u4
slinalg.bandwidth(square)
slinalg.expm({square0} / 40)                matrix  any order
slinalg.lu({square})[2]                     matrix  any order
slinalg.lu_factor({square})[0]              matrix  any order
slinalg.lu_factor({square})[1]
slinalg.lu_solve(slinalg.lu_factor({square}), {rhs}, {0|1|2})  matrix  any order
slinalg.solve_triangular(square, rhs, trans=0|1|2, lower=flag)  matrix  any order
"""

TRANSFORMS = """
sfft.dct(xf, 2|3|4, n=count, axis=axis, norm=ortho|forward)  transform  any order
sfft.idct(xf, 2|3|4, n=count, axis=axis, norm=ortho|forward)  transform  any order
sfft.dst(xf, 2|3|4, n=count, axis=axis, norm=ortho|forward)  transform  any order
sfft.idst(xf, 2|3|4, n=count, axis=axis, norm=ortho|forward)  transform  any order
sfft.dst(xf, 1, n=count, axis=axis)  transform  any order
sfft.dctn(xf, 2|3|4, axes=axis1, norm=ortho|forward)  transform  any order
sfft.idctn(xf, 2|3|4, axes=axis1, norm=ortho|forward)  transform  any order
sfft.dstn(xf, 2|3|4, axes=axis1, norm=ortho|forward)  transform  any order
sfft.idstn(xf, 2|3|4, axes=axis1, norm=ortho|forward)  transform  any order
sfft.fft(xf, axis=axis, norm=ortho|forward)  transform  any order
sfft.ifft(xf, axis=axis, norm=ortho|forward)  transform  any order
sfft.rfft(xr, axis=axis, norm=ortho|forward)  transform  any order
sfft.hfft(xf, axis=axis, norm=ortho|forward)  transform  any order
sfft.irfft(xf, axis=axis, norm=ortho|forward)  transform  any order
sfft.ihfft(xr, axis=axis, norm=ortho|forward)  transform  any order
sfft.fft2(x2, norm=ortho|forward)  transform  any order
sfft.ifft2(x2, norm=ortho|forward)  transform  any order
sfft.rfft2(x2, norm=ortho|forward)  transform  any order
sfft.hfft2(x2, norm=ortho|forward)  transform  any order
sfft.irfft2(x2, norm=ortho|forward)  transform  any order
sfft.ihfft2(x2, norm=ortho|forward)  transform  any order
sfft.fftn(xf, axes=axis1)  transform  any order
sfft.ifftn(xf, axes=axis1)  transform  any order
sfft.rfftn(xr, axes=axis1)  transform  any order
sfft.hfftn(xf, axes=axis1)  transform  any order
sfft.irfftn(xf, axes=axis1)  transform  any order
sfft.ihfftn(xr, axes=axis1)  transform  any order
sfft.fht(xr, 0.1|0.5, 0|1.5)  transform  any order
sfft.ifht(xr, 0.1|0.5, 0|1.5)  transform  any order
sfft.fftfreq(count, number)
sfft.rfftfreq(count, number)
sfft.fftshift(x, axes=axis)
sfft.ifftshift(x, axes=axis)
"""

FAMILIES = {  # name: (weight, lines)
    "ufuncs": (20, UFUNCS),
    "methods": (6, UFUNC_METHODS),
    "operators": (12, OPERATORS),
    "in place": (18, IN_PLACE),
    "reads": (10, READS),
    "shapes": (14, SHAPES),
    "reductions": (12, REDUCTIONS),
    "scans": (4, SCANS),
    "sorting": (6, SORTING),
    "polynomials": (2, POLYNOMIALS),
    "joining": (7, JOINING),
    "casts": (7, CASTS),
    "logic": (3, LOGIC),
    "creation": (3, CREATION),
    "products": (5, PRODUCTS),
    "own": (2, OWN),
    "opaque": (1, OPAQUE),
    "functional": (1, FUNCTIONAL),
    "random": (1, RANDOM),
    "special": (1, SPECIAL),
    "signal": (1, SIGNAL),
    "blas": (1, BLAS),
    "images": (4, IMAGES),
    "matrices": (2, MATRICES),
    "transforms": (1, TRANSFORMS),
}


def _row(line, family):
    spec, *columns = re.split(r"\s{2,}", line)
    row = Row(spec, family=family)
    for column in columns:
        if column.startswith("np:"):
            row.numpy = column.removeprefix("np:").strip()
        elif column == "any order":
            row.order = False
        elif column.startswith("special "):
            row.bound = bounds.ulp(int(column.removeprefix("special ")))
        else:
            row.bound = BOUNDS[column]
    return row


ROWS = {
    family: [_row(line, family) for line in lines.strip().splitlines()]
    for family, (_, lines) in FAMILIES.items()
}
# What programs of long arrays call: no lists of elements, no matrix made of a vector.
LONG = "ufuncs|operators|in place|shapes|reductions|scans|sorting|casts|logic"
_SHORT = (
    r"place|read|index|numbers|unshared|several|reps|larger|diag|outer|item|cov|corr"
)
_SHORT += r"|tolist|expand|trim|atleast|perm|T$|transpose|array2string|interp"


def _takes_long(row):
    return row.family in LONG.split("|") and not re.search(_SHORT, row.spec)


# What programs of large arrays call, and how often a family: nothing whose result or
# work grows by the square of a length, no lists or texts of all elements.
_LARGE = {
    "ufuncs": 14,
    "methods": 5,
    "operators": 10,
    "in place": 16,
    "reads": 12,
    "shapes": 18,
    "reductions": 16,
    "scans": 5,
    "sorting": 3,
    "joining": 8,
    "casts": 8,
    "logic": 3,
    "creation": 2,
    "products": 3,
    "own": 2,
    "opaque": 1,
    "functional": 1,
    "random": 1,
    "special": 1,
    "signal": 1,
    "blas": 1,
    "images": 1,
    "transforms": 1,
}
_TOO_LARGE = re.compile(
    r"outer|tolist|mask1|mask_indices|diag\(|diagflat|_indices|ix_|fill_diagonal"
    r"|expand_dims|cov\(|corrcoef|apply_along|sliding|as_strided|meshgrid|kron"
    r"|linalg\.|tensordot|inner|einsum|tri\(|vander|eye|identity|matvec|fromfunction"
    r"|generic|labeled|labelled|value_indices|find_objects|zoom|rotate|distance"
    r"|dlsim|rank_filter|percentile_filter|median_filter|iterate|generate_binary|fourier"
    r"|propagation|fill_holes|updated_square|updated_column|batched|gem|gea|dgmm|sbmv"
    r"|syrk|ger|x2n|fht|hadamard|distinct|histogramdd|histogram2d|shape1\b"
    r"|nanpercentile|nanquantile|\{xb\}, \{scalar\}|broadcast_shapes|x2, k="
)
_INSTEAD = {  # of a vector, `tril` is a matrix; so is what `within` takes along an axis
    "tril(x, k=small)": ["tril(table, k=small)"],
    "triu(x, k=small)": ["triu(table, k=small)"],
    "take(x, within, axis=axis, mode=wrap|clip)": [
        "take(x, within, mode=wrap|clip)",
        "take(x, within0, axis=0!, mode=wrap|clip)",
    ],
}

_RANDOM_LARGE = re.compile(r"permutation\(\{x\}\)|shuffle")


def _large(rows):
    """Those that programs of large arrays call, some in another form."""
    for row in filter(_takes_large, rows):
        if row.spec in _INSTEAD:
            yield from (_row(spec, row.family) for spec in _INSTEAD[row.spec])
        else:
            yield row


def _takes_large(row):
    if row.family == "random":
        return bool(_RANDOM_LARGE.search(row.spec))
    return row.family in _LARGE and not _TOO_LARGE.search(row.spec)


def _is_settled(row):
    """Not what SciPy or mpmath decides: of those lines a minute meets some ten edges at
    which SciPy's value is another, and each wants to be looked at. They are drawn where
    their family is favoured."""
    return "expected_of(" not in (row.numpy or "")


_SETTLED = {family: [*filter(_is_settled, rows)] for family, rows in ROWS.items()}
_WEIGHTED = [_SETTLED[f] for f in ROWS for _ in range(FAMILIES[f][0])]
FAVOURED = 100  # the weight of the family that is favoured


_WEIGHTED_LONG = [[row for row in rows if _takes_long(row)] for rows in _WEIGHTED]
_WEIGHTED_LONG = [rows for rows in _WEIGHTED_LONG if rows]


# What moves elements between orders of memory is drawn once more.
_MOVES = re.compile(
    r"copy\(x|copy\(order|ravel\(|flatten|reshape\(|astype\(d|contiguous|asfortran|^tile"
    r"|^roll|concat|stack|pad\(|repeat|\{place\} = \{y\}|where\(xb, y|delete|astype\(x"
)
_MOVING = 30
ROWS_LARGE = {family: list(_large(ROWS[family])) for family in _LARGE}
_WEIGHTED_LARGE = [
    [*filter(_is_settled, ROWS_LARGE[f])]
    for f, weight in _LARGE.items()
    for _ in range(weight)
]
_WEIGHTED_LARGE += [
    [row for rows in ROWS_LARGE.values() for row in rows if _MOVES.search(row.spec)]
] * _MOVING


def favour(family):
    """Have most calls be of one family."""
    _WEIGHTED.extend([ROWS[family]] * FAVOURED)
    _WEIGHTED_LARGE.extend(
        [ROWS_LARGE[family]] * FAVOURED if family in ROWS_LARGE else []
    )


def draw(generator):
    """A row: a family by its weight, then one of its rows."""
    families = _WEIGHTED_LONG if generator.long else _WEIGHTED
    return generator.one(generator.one(families))


def draw_large(generator):
    """The same for a program of large arrays."""
    return generator.one(generator.one(_WEIGHTED_LARGE))
