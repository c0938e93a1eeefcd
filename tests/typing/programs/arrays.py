"""Arrays, functions, methods and operators, as a user's program has them."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from typing_extensions import assert_type

import cupric as cp
import cupricx
import cupricx.lapack
import cupricx.scipy.fftpack
from cupric.lib.stride_tricks import sliding_window_view
from cupric.polynomial import polynomial
from cupric.typing import NDArray
from cupricx.scipy import fft, linalg, signal

x = cp.arange(3)
assert_type(x, cp.ndarray)
assert_type(x.shape, tuple[int, ...])
assert_type(x.T, cp.ndarray)
assert_type(x.ndim, int)
assert_type(x.sum(axis=0), cp.ndarray)
assert_type(x.astype("float32"), cp.ndarray)
assert_type(x.get(), np.ndarray[Any, Any])
assert_type(x.tobytes(), bytes)
assert_type(x[1:], cp.ndarray)
assert_type(x + 1, cp.ndarray)
assert_type(1 - x, cp.ndarray)
assert_type(-x, cp.ndarray)
assert_type(x @ x, cp.ndarray)
assert_type(x < 2, cp.ndarray)
assert_type(len(x), int)
assert_type(float(x[0]), float)

assert_type(cp.sum(x, axis=0, keepdims=True), cp.ndarray)
assert_type(cp.sin(x), cp.ndarray)
assert_type(cp.add.reduce(x), cp.ndarray)
assert_type(cp.divmod(x, 2), tuple[cp.ndarray, cp.ndarray])
assert_type(cp.nonzero(x), tuple[cp.ndarray, ...])
assert_type(cp.asnumpy(x), np.ndarray[Any, Any])
assert_type(cp.allclose(x, x), cp.ndarray)
assert_type(cp.linalg.norm(x), cp.ndarray)
assert_type(cp.linalg.eigh(cp.eye(3)).eigenvectors, cp.ndarray)
assert_type((cp.ones(3) + cp.zeros_like(x)).mean(), cp.ndarray)
assert_type(cp.stack([x, x]), cp.ndarray)
assert_type(cp.fft.fft(x), cp.ndarray)
assert_type(cp.cublas.nrm2(x), cp.ndarray)
assert_type(sliding_window_view(x, 2), cp.ndarray)
assert_type(polynomial.polyval(x, cp.array([1, 2])), cp.ndarray)

a = cp.eye(3)
assert_type(linalg.expm(a), cp.ndarray)
assert_type(linalg.lu_factor(a), tuple[cp.ndarray, cp.ndarray])
assert_type(linalg.solve_triangular(a, x, lower=True), cp.ndarray)
assert_type(linalg.helmert(3), cp.ndarray)
assert_type(fft.dct(x, norm="ortho"), cp.ndarray)
assert_type(fft.next_fast_len(7), int)
assert_type(cupricx.scipy.fft.rfftn(x), cp.ndarray)
assert_type(cupricx.scipy.fftpack.rfft(x), cp.ndarray)
assert_type(cupricx.scipy.special.erf(x), cp.ndarray)
assert_type(cupricx.lapack.gels(a, x), cp.ndarray)

system = signal.StateSpace([[-1.0]], [[1.0]], [[1.0]], [[0.0]], dt=0.5)
assert_type(system.A, cp.ndarray)
assert_type(system * 2 - system, signal.StateSpace)
assert_type(-system, signal.StateSpace)
assert_type(signal.TransferFunction(system).to_zpk().poles, cp.ndarray)
system.impulse(n=3)  # as `dlti` has it
assert_type(signal.lti([1.0], [1.0, 1.0]).step(), tuple[cp.ndarray, cp.ndarray])
assert_type(signal.place_poles(a, x, [-1, -2]).gain_matrix, cp.ndarray)
assert_type(signal.ShortTimeFFT.from_window("hann", 1.0, 8, 4).stft(x), cp.ndarray)
assert_type(signal.ZoomFFT(3, [0, 1])(x), cp.ndarray)
assert_type(signal.envelope(x, (None, 2)), cp.ndarray)
assert_type(signal.unit_impulse(3, "mid"), cp.ndarray)
assert_type(signal.windows.dpss(8, 2.0, return_ratios=True)[0], cp.ndarray)
cp.testing.assert_array_equal(x, x)

assert_type(cp.linspace(0, 1), cp.ndarray)
assert_type(cp.linspace(0, 1, retstep=True), tuple[cp.ndarray, cp.ndarray])
assert_type(cp.unique(x), cp.ndarray)
assert_type(cp.unique(x, return_counts=True), tuple[cp.ndarray, ...])
assert_type(cp.unique_counts(x).counts, cp.ndarray)
assert_type(cp.where(x), tuple[cp.ndarray, ...])
assert_type(cp.where(x > 1, x, 0), cp.ndarray)
assert_type(cp.average(x, returned=True), tuple[cp.ndarray, cp.ndarray])
assert_type(cp.histogram(x), tuple[cp.ndarray, cp.ndarray])
assert_type(cp.indices((2, 3)), cp.ndarray)
assert_type(cp.atleast_1d(x), cp.ndarray)
assert_type(cp.atleast_1d(x, 2), tuple[cp.ndarray, ...])
assert_type(cp.polyadd(x, x), cp.ndarray)
assert_type(cp.polyadd(cp.poly1d([1]), x), cp.poly1d)
assert_type(cp.linalg.svd(a).S, cp.ndarray)
assert_type(cp.linalg.svd(a, compute_uv=False), cp.ndarray)
assert_type(cp.linalg.qr(a).Q, cp.ndarray)
assert_type(cp.linalg.qr(a, mode="r"), cp.ndarray)
assert_type(linalg.lu(a), tuple[cp.ndarray, cp.ndarray, cp.ndarray])
assert_type(linalg.lu(a, permute_l=True), tuple[cp.ndarray, cp.ndarray])
assert_type(divmod(x, 2), tuple[cp.ndarray, cp.ndarray])

rng = cp.random.default_rng(np.random.SeedSequence(1))
assert_type(rng, cp.random.Generator)
assert_type(rng.normal(0, [1, 2], size=[3, 2]), cp.ndarray)
assert_type(cp.random.RandomState(1).rand(3), cp.ndarray)
assert_type(cp.get_array_module(x), ModuleType)

# What parameters take: NumPy's scalars and dtypes, lists for shapes, numbers.
cp.zeros([2, np.int64(3)], dtype="f4")
cp.sum(x, axis=np.int64(0), dtype=np.float32)
cp.clip(x, 0, np.float32(2.5))
cp.maximum(x, 2, out=x, where=x > 1)
cp.linspace(x[0], cp.array(3.0), num=np.int32(3))
cp.array([[1, 2], x, [x[0], 3]])
cp.concatenate((x, x), axis=None)
cp.einsum("ij,jk->ik", a, a, optimize="greedy")
cp.linalg.norm(a, "fro", axis=(0, 1))
cp.load(Path("x.npy"))
x[x > 1, ..., None, ::2] = [1, 2]
cp.random.normal([0, 1], x, (3, 2))
module = cp.RawModule(code="", options=("-DN=2",))
module.get_function("k")((1,), (32,), (x, np.int32(2)), shared_mem=4)


def total(values: NDArray[np.float64], axis: int = 0) -> cp.ndarray:
    return values.sum(axis=axis)


total(cp.zeros((2, 3)))

kernel = cp.ElementwiseKernel("T x", "T y", "y = x + 1", "plus_one")
kernel(x)
with cp.cuda.Stream(non_blocking=True) as stream:
    y = x * 2
stream.synchronize()
x[0] = 5
x.shape = (3, 1)
x.fill(0)
x += 1
