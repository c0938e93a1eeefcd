"""Arrays, functions, methods and operators, as a user's program has them."""

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
from cupricx.scipy import fft, linalg

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
assert_type(polynomial.polyval(x, [1, 2]), cp.ndarray)

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
cp.testing.assert_array_equal(x, x)


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
