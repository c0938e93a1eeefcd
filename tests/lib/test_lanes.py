"""Small vectors of host bodies: cupric/lanes.hpp."""

import numpy as np
import pytest

import cupric as cp
from cupric._lib.kernels import Library

pytestmark = pytest.mark.only_on("host")

CODE = """
#include "cupric/lanes.hpp"

template <class T>
__global__ void
elementwise(const T *x, const T *y, T *out, long long n)
{
    typedef cupric::lanes<T> L;
    T *sums = out, *difference = out + n, *product = out + 2 * n;
    T *quotient = out + 3 * n, *greater = out + 4 * n, *negative = out + 5 * n;

    CUPRIC_EACH_BLOCK (b, 1) {
        for (long long i = 0; i < n; i += L::size) {
            const int left = (int)(n - i);
            const L a = L::load(x + i, left, T(1)), c = L::load(y + i, left, T(1));
            L s = a;
            s += c;
            s.store(sums + i, left);
            (a - c).store(difference + i, left);
            (a * c).store(product + i, left);
            (a / c).store(quotient + i, left);
            cupric::select(a > c, a, c).store(greater + i, left);
            (-a).store(negative + i, left);
        }
    }
}

template <class T>
__global__ void
facts(const T *x, T *out, long long n)
{
    typedef cupric::lanes<T> L;

    CUPRIC_EACH_BLOCK (b, 1) {
        const L a = L::load(x), zero(T(0));
        const L apart = L::load_apart(x, 2);
        out[0] = cupric::sum(a);
        out[1] = cupric::any(a == zero);
        out[2] = cupric::all(a == zero);
        out[3] = cupric::all(a != zero);
        out[4] = cupric::sum(apart);
        out[5] = cupric::reduce(a, [](T p, T q) { return p < q ? q : p; });
        out[6] = cupric::any((a < zero) | (a >= L(T(100))));
        out[7] = a[1];
        apart.store_apart(out + 8, 3);
    }
}
"""
DTYPES = "bBhHiIqQfd"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return Library(str(tmp_path_factory.mktemp("library") / "made.py"), CODE)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 3, 4, 32, 33, 100])
def test_elementwise(library, dtype, n):
    rng = np.random.default_rng(n)
    x, y = (rng.integers(1, 11, n).astype(dtype) for _ in range(2))
    out = cp.zeros((6, n), dtype)
    kernel = library.kernel("elementwise<T>", blocks=True, threads=32)
    kernel[dtype](x=cp.array(x), y=cp.array(y), out=out, n=n, work=1)
    quotient = x / y if dtype in "fd" else x // y
    expected = x + y, x - y, x * y, quotient, np.maximum(x, y), -x
    np.testing.assert_array_equal(out.get(), np.array(expected, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_all_lanes_at_once(library, dtype):
    size = 32 // np.dtype(dtype).itemsize
    kernel = library.kernel("facts<T>", blocks=True, threads=32)
    for x in (np.arange(2 * size) % 4, np.zeros(2 * size), np.arange(2 * size) % 3 + 1):
        x = x.astype(dtype)
        out = cp.zeros(8 + 3 * size, dtype)
        kernel[dtype](x=cp.array(x), out=out, n=size, work=1)
        made, a = out.get(), x[:size]
        expected = [
            *(a.sum(dtype=dtype), (a == 0).any(), (a == 0).all(), (a != 0).all()),
            *(x[::2].sum(dtype=dtype), a.max(), ((a < 0) | (a >= 100)).any(), a[1]),
        ]
        np.testing.assert_array_equal(made[:8], np.array(expected).astype(dtype))
        np.testing.assert_array_equal(made[8::3], x[::2])
