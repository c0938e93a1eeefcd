"""dask.array's functions one by a line: collections of our blocks beside NumPy's.

A row is an expression of `da`, `np` and collections with blocks of either kind, of floats:
`a` (12 x 8), `b` (8 x 12), `c` (4 x 6 x 5), `h` (12 x 8, with NaNs), `s` (8 x 8, positive
definite), `t` (12 x 3) and `v` (12); of whole numbers `i` (12 x 8) and `k` (12, sorted);
of truth `m` (12 x 8); of complex numbers `z` (12 x 8). `own` makes a block of the same
kind, and `xp` is the blocks' package.
"""

import operator
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

RNG = np.random.default_rng(7)
A = RNG.standard_normal((12, 8))
DATA = {  # of each collection: what it holds, and its chunks
    "a": (A, (5, 3)),
    "b": (RNG.standard_normal((8, 12)), (3, 5)),
    "c": (RNG.standard_normal((4, 6, 5)), (2, 3, 2)),
    "h": (np.where(A > 0.7, np.nan, A), (5, 3)),
    "i": (RNG.integers(-4, 5, (12, 8)), (5, 3)),
    "k": (np.sort(RNG.integers(0, 9, 12)), 5),
    "m": (A > 0, (5, 3)),
    "s": (A.T @ A + 8 * np.eye(8), (4, 4)),
    "t": (RNG.standard_normal((12, 3)), (4, 3)),
    "v": (RNG.standard_normal(12), 5),
    "z": (A + 1j * A[::-1], (5, 3)),
}

ROWS = {}
ROWS["creation"] = """
da.ones_like(a)
da.zeros_like(i)
da.full_like(a, 3.5)
da.full_like(a, 3, dtype="i4", shape=(5, 2))
da.empty_like(a) * 0
da.ones_like(a, chunks=4)
da.zeros_like(a, dtype=bool)
da.diag(v)
da.diag(v, 2)
da.diag(a, -1)
da.diagonal(a, 1)
da.diagonal(c, axis1=0, axis2=2)
da.tril(a, 1)
da.triu(a, -2)
da.tri(5, like=a._meta)
da.arange(9, like=a._meta, chunks=4)
da.arange(2, 9, 0.5, like=a._meta, chunks=4)
da.from_array(own(A), chunks=4)
da.from_array(own(A), chunks=4, asarray=False)
da.asarray(own(A))
da.asanyarray(own(A))
da.array(own(A))
da.meshgrid(v, k)[0]
da.meshgrid(v, k, indexing="ij", sparse=True)[1]
da.fromfunction(lambda x: own(x) * 2.0, chunks=3, shape=(7,), dtype="f8") + v[:7]
da.from_delayed(dask.delayed(own)(A), A.shape, meta=own(A[:0]))
da.broadcast_to(v[:8], (3, 8))
da.broadcast_arrays(v[:8], a)[0]
a.copy()
a.astype("c8")
a.astype(int)
a.view("i8")
a.map_blocks(xp.ones_like)
da.map_blocks(lambda block_id: own(np.full((2, 2), block_id[0])), chunks=((2, 2), (2,)), meta=own(np.zeros((0, 0), int)))
da.pad(own(A), 1)
"""
ROWS["elementwise"] = """
-a
+a
abs(a)
~i
~m
a + 1
1 - a
a * i
a / (i + 9)
i // 3
i % 3
a**2
2.0**a
i << 1
i & 3
i | 1
i ^ m
a > 0
a <= a[0]
a == a.T[:, :1].T
divmod(i, 3)[1]
a @ b
a + np.float32(2)
a + own(np.arange(8))
own(np.arange(8)) * a
a > own(np.arange(8))
np.add(own(np.arange(8)), a)
np.add(a, 1)
np.sin(a)
da.add(a, v[:8])
da.sqrt(abs(a))
da.exp(a) + da.expm1(a) + da.exp2(a)
da.log(abs(a)) + da.log1p(abs(a)) + da.log2(abs(a)) + da.log10(abs(a))
da.logaddexp(a, 1.0) + da.logaddexp2(a, a)
da.sin(a) + da.cos(a) + da.tan(a) + da.arctan(a)
da.arcsin(da.tanh(a)) + da.arccos(da.tanh(a))
da.sinh(a) + da.cosh(a) + da.arcsinh(a) + da.arctanh(da.tanh(a) / 2)
da.arccosh(abs(a) + 1)
da.arctan2(a, v[:8])
da.hypot(a, 2)
da.deg2rad(a) + da.rad2deg(a) + da.degrees(a) + da.radians(a)
da.power(abs(a), 1.5)
da.float_power(abs(i), 2)
da.floor(a) + da.ceil(a) + da.rint(a) + da.trunc(a) + da.fix(a)
da.fmod(a, 0.5) + da.remainder(a, 0.5) + da.mod(i, 3)
da.divide(a, 3) + da.true_divide(a, 3) + da.floor_divide(a, 3)
da.sign(a) + da.square(a) + da.cbrt(a) + da.reciprocal(a)
da.signbit(a)
da.copysign(a, -1)
da.nextafter(a, 9)
da.spacing(a)
da.ldexp(a, 2)
da.frexp(a)[0]
da.frexp(a)[1]
da.modf(a)[1]
da.divmod(a, 0.5)[0]
da.maximum(a, 0) + da.minimum(a, v[:8])
da.fmax(h, 0) + da.fmin(h, 0)
da.isnan(h) | da.isinf(h) | da.isfinite(h)
da.isneginf(a)
da.isposinf(a)
da.isreal(z)
da.iscomplex(z)
da.isclose(a, a + 1e-9)
da.allclose(a, a)
da.nan_to_num(h)
da.sinc(a)
da.i0(a)
da.angle(z)
da.real(z) + da.imag(z)
z.real - z.imag
z.conj()
da.conj(z) + da.absolute(z)
da.fabs(a)
da.positive(a) + da.negative(a)
da.logical_and(m, a > 1)
da.logical_or(m, i)
da.logical_xor(m, i)
da.logical_not(a)
da.equal(i, 1) | da.not_equal(i, 2) | da.less(i, 0) | da.greater(i, 3)
da.less_equal(i, 0) & da.greater_equal(i, -3)
da.bitwise_and(i, 5) + da.bitwise_or(i, 5) + da.bitwise_xor(i, 5) + da.bitwise_not(i)
da.invert(i) + da.left_shift(i, 1) + da.right_shift(i, 1)
da.clip(a, -0.5, 0.5)
a.clip(min=0)
da.around(a, 2)
da.round(a, 1)
da.where(m, a, 0)
da.where(a > 0, i, a)
da.where(m, a, i)
da.where(m)[0]
da.where(True, a, i)
da.select([a > 1, a > 0], [a, i], 7)
da.piecewise(a, [a < 0, a >= 0], [lambda x: -x, lambda x: x * 2])
da.choose(i % 2, [a, -a])
da.isin(i, [1, 2])
da.isin(i, k, invert=True)
da.digitize(a, own([-1.0, 0, 1]))
da.digitize(a, np.array([-1.0, 0, 1]), right=True)
da.searchsorted(k, i)
da.searchsorted(k, i, side="right")
da.apply_gufunc(lambda x: x.mean(axis=-1), "(i)->()", a.rechunk((5, 8)), output_dtypes=float)
da.apply_gufunc(lambda x, y: (x + y, x - y), "(i),(i)->(i),(i)", a.rechunk((5, 8)), v[:8].rechunk(8), output_dtypes=(float, float))[1]
da.blockwise(lambda x, y: x[:, None] * y, "ij", v, "i", k, "j", dtype=float)
da.map_blocks(lambda x, y: x + y, a, i)
a.map_blocks(lambda x, block_info=None: x + block_info[0]["array-location"][0][0], dtype=float, meta=a._meta)
da.compress(m[:, 0].compute(), a, axis=0)
da.extract(m, a)
da.delete(a, [1, 3], axis=0)
da.delete(a, slice(2, 4), axis=1)
da.insert(a, 2, v[:8], axis=0)
da.append(a, a, axis=0)
da.append(a, i)
da.ediff1d(v)
da.ediff1d(v, to_end=[1.0], to_begin=[2.0])
"""
ROWS["reductions"] = """
a.sum()
a.sum(axis=(0, 1), keepdims=True)
m.sum(axis=0)
i.sum(dtype="i2")
c.sum(axis=(0, 2), split_every=2)
i.prod(axis=1)
a.mean(axis=0, dtype="f4")
z.mean()
z.var(axis=0)
a.var(ddof=1)
a.std(axis=1, ddof=1)
a.min() - a.max(axis=0)
i.argmax(axis=1)
a.argmin()
m.any(axis=0)
m.all()
da.ptp(a, axis=0)
da.count_nonzero(i)
da.count_nonzero(i, axis=0)
da.average(a, axis=0, weights=v)
da.average(a, axis=0, weights=v**2, returned=True)[1]
da.median(a, axis=1)
da.nanmedian(h, axis=0)
da.quantile(a, 0.3, axis=0)
da.quantile(a, [0.3, 0.9], axis=1)
da.quantile(a, 0.5, axis=1, method="nearest", keepdims=True)
da.nanquantile(h, 0.5, axis=1, keepdims=True)
da.nanquantile(h, [0.1, 0.9], axis=1)
da.percentile(v, [20, 80])
da.percentile(k, 50, method="lower")
da.nanpercentile(h, 40, axis=0)
da.nansum(h) + da.nanprod(h) + da.nanmin(h) + da.nanmax(h) + da.nanmean(h)
da.nanvar(h, axis=0) + da.nanstd(h, axis=0)
da.nanargmax(h, axis=0) - da.nanargmin(h, axis=0)
da.nancumsum(h, axis=0) + da.nancumprod(h, axis=0)
da.cumsum(a, axis=1)
da.cumsum(i, axis=0, method="blelloch")
da.cumprod(v, axis=0, method="blelloch")
da.cumsum(a)
a.cumsum(axis=0, dtype="f4")
da.reductions.moment(a, 4, axis=0)
a.moment(2, ddof=1)
da.topk(v, -3)
a.topk(2, axis=0)
da.argtopk(a, 2, axis=1)
da.reduction(a, lambda x, axis, keepdims: x.sum(axis=axis, keepdims=keepdims), lambda x, axis, keepdims: x.sum(axis=axis, keepdims=keepdims), dtype=float)
da.reductions.cumreduction(np.cumsum, xp.add, 0, v, axis=0, dtype=float)
da.histogram(a, bins=5, range=(-2, 2))[0]
da.histogram(a, bins=[-2, 0, 1.5], density=True)[0]
da.histogram(v, bins=4, range=(-2, 2), weights=abs(v))[0]
da.bincount(k)
da.bincount(k, weights=v, minlength=12)
da.cov(b)
da.cov(a, b.T, rowvar=False)
da.corrcoef(b)
da.unique(i)
da.unique(k, return_counts=True)[1]
da.union1d(i, k)
a.trace()
a.trace(offset=1)
da.apply_over_axes(lambda x, axis: x.sum(axis=axis, keepdims=True), c, [0, 2])
da.apply_along_axis(lambda x: x.sum(), 0, a)
da.apply_along_axis(lambda x: x[::2] * 2, 1, a, dtype=float, shape=(4,))
da.coarsen(xp.mean, a.rechunk(4), {0: 2, 1: 2})
da.coarsen(np.sum, a.rechunk(4), {0: 4})
da.coarsen(np.max, a.rechunk((5, 4)), {0: 5}, trim_excess=True)
"""
ROWS["indices"] = """
a[3]
a[3, 4]
a[-1, 1:]
a[..., None]
a[::-2]
a[2:2]
a[:, [5, 0, 5]]
a[[True, False] * 6]
a[v > 0]
a[m]
a[v.compute() > 0]
a[k]
a[k.compute()]
a[k[:3].compute().tolist()]
c[:, 1, ::2]
c[..., [0, 3]]
a.vindex[[0, 3], [1, 5]]
a.vindex[np.array([0, 3]), np.array([1, 5])]
a.blocks[1:]
a.partitions[0]
da.take(a, k, axis=0)
da.take(a, own([1, 3]), axis=1)
da.take(v, [3, 1])
da.nonzero(i)[1]
da.argwhere(m)
da.flatnonzero(i)
da.unravel_index(k, (4, 3))[0]
da.ravel_multi_index(own(np.array([[0, 1], [2, 3]])), (4, 5))
da.ravel_multi_index(da.stack([k, k]), (9, 10))
da.shape(a)[0] + v
set_at(a, 2, 5.0)
set_at(a, slice(0, 6, 2), 5.0)
set_at(a, a > 0, 0)
set_at(a, (slice(None), [1, 4]), own([9.0, 8]))
set_at(a, (0, slice(None)), v[:8])
set_at(a, 1, np.arange(8.0))
"""
ROWS["shapes"] = """
a.T
a.transpose(1, 0)
c.transpose((2, 0, 1))
da.transpose(c)
da.swapaxes(c, 0, 2)
da.moveaxis(c, 0, -1)
da.rollaxis(c, 2)
a.reshape(-1)
a.reshape(3, 4, 8)
c.reshape(24, 5)
c.reshape((4, -1), merge_chunks=False)
da.reshape(v, (3, 4))
a.ravel()
da.ravel(c)
a.flatten()
da.squeeze(a[:, :1])
da.expand_dims(a, (0, 2))
da.atleast_1d(v[0])
da.atleast_2d(v)
da.atleast_3d(a)
a.rechunk((1, 8))
a.rechunk("auto")
c.rechunk({0: 1, 2: -1})
a.rechunk(balance=True, chunks=7)
da.reshape_blockwise(c, (4, 30))
da.concatenate([a, i, m])
da.concatenate([v, v[:0], v])
da.stack([a, a * 2], axis=-1)
da.vstack([a, v[:8]])
da.hstack([a, a])
da.dstack([a, a])
da.block([[a, a], [a, a]])
da.roll(a, 2)
da.roll(a, (1, -2), axis=(0, 1))
da.flip(a, 0)
da.flip(a)
da.flipud(a)
da.fliplr(a)
da.rot90(a)
da.rot90(c, 2, axes=(1, 2))
da.repeat(a, 3, axis=1)
da.repeat(v, 2)
da.tile(a, (2, 3))
da.tile(v, 2)
da.pad(a, 2)
da.pad(a, ((1, 2), (0, 3)), constant_values=4.0)
da.pad(a, 2, mode="edge")
da.pad(a, 2, mode="linear_ramp", end_values=1.0)
da.pad(a, 2, mode="maximum")
da.pad(a, 2, mode="minimum")
da.pad(a, 2, mode="mean")
da.pad(i, 2, mode="mean")
da.pad(a, 2, mode="mean", stat_length=3)
da.pad(a, 2, mode="reflect")
da.pad(a, 2, mode="reflect", reflect_type="odd")
da.pad(a, 2, mode="symmetric")
da.pad(a, 2, mode="wrap")
da.pad(a, 2, mode="empty")[2:-2, 2:-2]
da.diff(a)
da.diff(a, 2, axis=0)
da.diff(v, prepend=0.0, append=[1.0])
da.gradient(v)[0]
da.gradient(a)[1]
da.gradient(a, 2.0, axis=0)
da.gradient(v, np.arange(12.0) ** 2)[0]
da.shuffle(a, [[0, 3], [1, 2, 5]], axis=0)
da.lib.stride_tricks.sliding_window_view(v, 3)
da.lib.stride_tricks.sliding_window_view(a, (2, 3))
da.overlap.overlap(a, 1, "periodic")
da.overlap.overlap(a, 1, "nearest")
da.overlap.overlap(a, {0: 2, 1: 0}, {0: 7.0, 1: "none"})
da.overlap.trim_overlap(da.overlap.overlap(a, 1, "reflect"), 1, "reflect")
da.map_overlap(lambda x: xp.roll(x, 1, 0), a, depth=1, boundary="reflect")
da.map_overlap(lambda x, y: x + y, a, i, depth=1, boundary="nearest", dtype=float)
a.map_overlap(lambda x: x.cumsum(0), (2, 1), "none", trim=True)
a.persist()
a.squeeze()
a.repeat(2, axis=0)
a.swapaxes(0, 1)
a.compute_chunk_sizes()
"""
ROWS["products"] = """
da.dot(a, b)
da.dot(v, v)
da.vdot(v, v)
da.vdot(z[0], z[1])
da.matmul(a, b)
da.matmul(c, c.swapaxes(1, 2))
a @ v[:8]
v @ a
a.dot(b)
da.tensordot(a, b, 1)
da.tensordot(a, a, axes=((0, 1), (0, 1)))
da.tensordot(c, a[:6], axes=((1,), (0,)))
da.tensordot(i, i, axes=(0, 0))
da.outer(v, k)
da.einsum("ij,jk", a, b)
da.einsum("ij->j", a)
da.einsum("ii", s)
da.einsum("ijk,jl->kl", c, a[:6])
da.einsum("ij,ij->i", a, i, dtype="f8")
da.einsum("i,j,k->ijk", v, k, v)
da.einsum("...j,j->...", c, v[:5])
da.multiply(a, i).sum()
"""
ROWS["linalg"] = """
da.linalg.norm(a)
da.linalg.norm(a, 1)
da.linalg.norm(a, np.inf)
da.linalg.norm(a, -np.inf, axis=(0, 1))
da.linalg.norm(a.rechunk((5, 8)), "nuc")
da.linalg.norm(a.rechunk((5, 8)), 2)
da.linalg.norm(a.rechunk((5, 8)), -2)
da.linalg.norm(a, 3, axis=1)
da.linalg.norm(a, 0, axis=0)
da.linalg.norm(a, axis=0, keepdims=True)
da.linalg.norm(z)
abs(da.linalg.qr(t)[0])
abs(da.linalg.qr(t)[1])
da.dot(*da.linalg.qr(t))
da.dot(*da.linalg.qr(t.T))
da.dot(*da.linalg.tsqr(t))
da.linalg.tsqr(t, compute_svd=True)[1]
abs(da.linalg.tsqr(t, compute_svd=True)[2])
da.dot(*da.linalg.sfqr(t.T))
da.linalg.svd(t)[1]
da.linalg.svd(t.T)[1]
abs(da.linalg.svd(t)[0])
abs(da.linalg.svd(t, coerce_signs=False)[2])
da.linalg.svd_compressed(t, 3, seed=1)[1]
da.linalg.svd_compressed(a, 2, n_power_iter=20, seed=1)[1]
da.linalg.svd_compressed(a, 8, iterator="QR", seed=1)[1]
da.linalg.lstsq(t, v.rechunk(4))[0]
da.linalg.lstsq(t, v.rechunk(4))[1]
da.linalg.lstsq(t, v.rechunk(4))[3]
da.linalg.lstsq(t, a.rechunk((4, 8)))[0]
da.linalg.cholesky(s)
da.linalg.cholesky(s, lower=True)
da.linalg.solve(s, v[:8].rechunk(4))
da.linalg.solve(s, b.rechunk(4), assume_a="pos")
da.linalg.solve_triangular(da.triu(s), v[:8].rechunk(4))
da.linalg.solve_triangular(da.tril(s), b.rechunk(4), lower=True)
da.linalg.inv(s)
da.linalg.lu(s)[2]
"""
ROWS["fft"] = """
da.fft.fft(v.rechunk(-1))
da.fft.fft(a.rechunk((5, 8)), n=10)
da.fft.ifft(a.rechunk((12, 3)), axis=0)
da.fft.fft2(a.rechunk(-1))
da.fft.ifft2(z.rechunk(-1))
da.fft.fftn(c.rechunk(-1))
da.fft.ifftn(c.rechunk((2, 6, 5)), axes=(1, 2))
da.fft.rfft(a.rechunk((5, 8)))
da.fft.irfft(z.rechunk((5, 8)))
da.fft.rfft2(a.rechunk(-1))
da.fft.irfft2(z.rechunk(-1))
da.fft.rfftn(c.rechunk(-1))
da.fft.irfftn(c.rechunk(-1))
da.fft.hfft(z.rechunk((5, 8)))
da.fft.ihfft(a.rechunk((5, 8)))
da.fft.fftshift(a)
da.fft.ifftshift(a, axes=1)
da.fft.fft_wrap(xp.fft.fft, dtype=complex)(a.rechunk((5, 8)))
"""
CASES = [
    pytest.param(row, id=f"{kind}: {row}")
    for kind, rows in ROWS.items()
    for row in rows.strip().splitlines()
]


def set_at(x, key, value):
    x = x.copy()
    x[key] = value
    return x


def names(xp, own):
    """What a row is an expression of, for blocks that `own` makes."""
    made = {n: da.from_array(own(x), chunks=c) for n, (x, c) in DATA.items()}
    return made | {
        "dask": dask,
        "da": da,
        "A": A,
        "np": np,
        "own": own,
        "set_at": set_at,
        "xp": xp,
    }


def compare(row):
    """The two collections of a row: what Dask says of them, and what they hold."""
    ours, theirs = (
        eval(row, names(xp, own)) for xp, own in ((cp, cp.asarray), (np, np.asarray))
    )
    assert isinstance(ours._meta, cp.ndarray), f"meta of {type(ours._meta)}"
    assert (ours.dtype, ours.ndim) == (theirs.dtype, theirs.ndim)
    found, expected = ours.compute(), np.asarray(theirs.compute())
    assert isinstance(found, cp.ndarray), f"result of {type(found)}"
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    rtol = 1e-5 if found.dtype in (np.float32, np.complex64) else 1e-9
    np.testing.assert_allclose(found.get(), expected, rtol=rtol, atol=1e-11)


@pytest.mark.parametrize("row", CASES)
def test_rows(row):
    for name in re.findall(r"\bda\.([\w.]+)", row):
        try:
            operator.attrgetter(name)(da)
        except AttributeError:
            pytest.skip(f"this Dask has no dask.array.{name}")
    compare(row)


CREATED = """
da.ones((5, 4), chunks=3)
da.zeros((5, 4), chunks=3, dtype="i2")
da.empty((5, 4), chunks=3) * 0
da.full((5, 4), 2.5, chunks=3)
da.arange(3, 20, 4, chunks=2)
da.indices((3, 4), chunks=2)
da.fft.fftfreq(9, chunks=4)
da.ones((4, 4), chunks=2) @ da.arange(4.0, chunks=2)
"""


@pytest.mark.parametrize("row", CREATED.strip().splitlines())
def test_rows_of_the_backend(row):
    """What is made of nothing but numbers follows the setting."""
    expected = eval(row).compute()
    with dask.config.set({"array.backend": "cupric"}):
        made = eval(row)
        found = made.compute()
    assert isinstance(made._meta, cp.ndarray)
    assert isinstance(found, cp.ndarray)
    assert (made.dtype, found.dtype) == (expected.dtype, expected.dtype)
    np.testing.assert_allclose(found.get(), expected)


# Numbers are of other generators than NumPy's: their mean and deviation are compared.
DRAWN = """
beta(2, 3, **size)
binomial(9, 0.3, **size)
chisquare(4, **size)
exponential(2.0, **size)
f(6, 30, **size)
gamma(2.0, 1.5, **size)
geometric(0.4, **size)
gumbel(1, 2, **size)
hypergeometric(9, 8, 7, **size)
laplace(1, 2, **size)
logistic(1, 2, **size)
lognormal(0, 0.5, **size)
logseries(0.4, **size)
negative_binomial(5, 0.4, **size)
normal(3, 2, **size)
pareto(9.0, **size)
poisson(4, **size)
power(3, **size)
rayleigh(2, **size)
standard_exponential(**size)
standard_gamma(3, **size)
standard_normal(**size)
standard_t(9, **size)
triangular(0, 2, 5, **size)
uniform(-1, 4, **size)
vonmises(0.5, 4, **size)
wald(2, 8, **size)
weibull(2.5, **size)
zipf(6, **size)
choice(7, **size)
"""


@pytest.mark.parametrize("row", DRAWN.strip().splitlines())
@pytest.mark.parametrize("kind", ["default_rng", "RandomState"])
def test_rows_of_random_numbers(kind, row):
    size = {"size": (200, 300), "chunks": (70, 300)}
    if row.startswith("choice"):
        size = {"size": 60000, "chunks": 20000}

    def draw():
        rng = getattr(da.random, kind)(4)
        return rng, eval(f"rng.{row}", {"rng": rng, "size": size})

    theirs = draw()[1].compute()
    with dask.config.set({"array.backend": "cupric"}):
        ours = draw()[1]
        found = ours.compute()
        again = draw()[1].compute()
    assert isinstance(ours._meta, cp.ndarray)
    assert isinstance(found, cp.ndarray)
    assert (ours.dtype, found.dtype) == (theirs.dtype, theirs.dtype)
    assert (ours.shape, found.shape) == (theirs.shape, theirs.shape)
    found = found.get()
    np.testing.assert_array_equal(found, again.get())
    near = 6 * theirs.std() * (2 / theirs.size) ** 0.5
    assert abs(found.mean() - theirs.mean()) < near
    np.testing.assert_allclose(found.std(), theirs.std(), rtol=0.15)


OF_DEVICES = """
import sys
sys.path.insert(0, {folder!r})
import test_dask_rows as rows
from test_dask_rows import cp, da

def lie(block, block_info):
    number = sum(block_info[0]["chunk-location"]) % 2
    with cp.cuda.Device(number):
        return block if block.device.id == number else block.copy()

def spread(x):
    return x.map_blocks(lie, dtype=x.dtype, meta=x._meta)

first = rows.names
def names(xp, own):
    made = first(xp, own)
    if xp is cp:
        made |= {{n: spread(x) for n, x in made.items() if isinstance(x, da.Array)}}
    return made

rows.names = names
failed = 0
for row in {rows!r}.strip().splitlines():
    try:
        rows.compare(row)
    except Exception as error:
        failed += 1
        print(row, type(error).__name__, str(error)[:300])
for row in {refused!r}.strip().splitlines():
    try:
        rows.compare(row)
        print(row, "was done")
    except ValueError as error:
        assert "arrays on different devices" in str(error), error
print(failed, "failed")
"""
OVER_DEVICES = """
-a
a + 1
da.where(m, a, 0)
a.sum()
a.mean(axis=0)
a.var(axis=1)
i.argmax(axis=0)
da.nanmean(h, axis=1)
da.median(a, axis=0)
da.quantile(a, 0.3, axis=1)
da.topk(v, 3)
da.histogram(a, bins=5, range=(-2, 2))[0]
da.unique(i)
da.isin(i, [1, 2])
a[3:9, ::-1]
a[[1, 5, 7]]
a[a > 0]
a.reshape(-1)
a.rechunk((4, 8))
da.concatenate([a, a])
da.stack([a, a])
da.roll(a, 2, axis=0)
da.pad(a, 2, mode="edge")
da.diff(a, axis=0)
a.map_overlap(lambda x: x * 2, 1, "periodic")
da.tensordot(a, b, 1)
da.einsum("ij,jk->ik", a, b)
da.linalg.norm(a)
da.linalg.solve(s, v[:8].rechunk(4))
da.linalg.inv(s)
da.fft.fft(a.rechunk((5, 8)))
"""
# Dask's own graphs add and multiply blocks of several places here.
REFUSED = """
a * v[:8]
da.cumsum(a, axis=0)
da.bincount(k)
a @ b
abs(da.linalg.qr(t)[1])
da.linalg.svd(t)[1]
da.linalg.cholesky(s)
"""


def test_rows_of_several_devices():
    """Blocks that lie on two devices by turns."""
    environment = dict(os.environ)
    if cp.cuda.Device().backend == "host":
        environment["CUPRIC_HOST_DEVICES"] = "2"
    elif cp.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one device")
    paths = [str(Path(cp.__file__).parents[1]), *sys.path]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    folder = str(Path(__file__).parent)
    program = OF_DEVICES.format(folder=folder, rows=OVER_DEVICES, refused=REFUSED)
    command = [sys.executable, "-c", program]
    result = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False
    )
    assert result.stdout == "0 failed\n", result.stdout + result.stderr
