"""Kernels of libraries, called by the names of their parameters."""

import itertools

import numpy as np
import pytest

import cupric as cp
from cupric._core import _launch_as_device
from cupric._lib.kernels import Library, replayed
from cupric._lib.kernels._source import kernels

HEADER = """
enum { MOST = 3 };
struct sizes {
    long long rows;
    int step, w[MOST];
};
"""
CODE = """
#include "made.h"
/* __global__ void in_a_comment(int x) {} */
template <class T>
__global__ void __launch_bounds__(256)
scaled(const T *__restrict__ x, T *y, long long n, T by)
{
    CUPRIC_EACH (i, n) y[i] = x[i] * by;
}

template <class T, int N>
__global__ void
added(Views<T, N, MOST + 1> xs, T *y, long long n, int count)
{
    CUPRIC_EACH (i, n) {
        T sum = 0;
        for (int k = 0; k < count; k++) sum += xs[k][i];
        y[i] = sum;
    }
}

template <class T, int N>
__device__ inline T
sum_of(const T (&x)[N], T first = 0)
{
    T sum = first;
    for (int i = 0; i < N; i++) sum += x[i];
    return sum;
}

template <class T>
__global__ void
tripled(T *x, long long n)
{
    CUPRIC_EACH (i, n) {
        const T same[] = {x[i], x[i], x[i]};
        x[i] = sum_of(same);
    }
}

__global__ void
rows_of(sizes p, View<long long, 2> y)
{
    CUPRIC_EACH_BLOCK (r, p.rows) {
        const cupric::extent at[] = {(cupric::extent)r, 1};
        if (threadIdx.x == 0) y[at] = r * p.step + p.w[2] + blockDim.x;
    }
}
"""
HOST = """
/* Another body of a function that is no kernel: the GPU's has no place for `first`. */
template <class T, int N>
__device__ inline T
sum_of(const T (&x)[N], T first)
{
    for (const T &each : x) first -= each;
    return first;
}

__device__ inline int
of_the_host_alone(int x)
{
    return x;
}

__global__ void
rows_of(const sizes p, View<long long, 2> y)
{
    CUPRIC_EACH_BLOCK (r, p.rows) {
        const cupric::extent at[] = {(cupric::extent)r, 1};
        y[at] = -(r * p.step + p.w[2]);
    }
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "made.h").write_text(HEADER)
    (folder / "made.cuh").write_text(CODE)
    (folder / "made.host.hpp").write_text(HOST)
    return Library(str(folder / "made.py"))


@pytest.fixture(scope="module")
def scaled(library):
    return library.kernel("scaled<T>", elements="n")


@pytest.fixture(scope="module")
def added(library):
    return library.kernel("added<T, N>", elements=True)


def test_keywords_in_any_order(scaled):
    x = cp.arange(5.0)
    for names in itertools.permutations(["x", "y", "n", "by"]):
        y = cp.zeros(5)
        values = {"x": x, "y": y, "n": 5, "by": 3}
        scaled["d"](**{name: values[name] for name in names})
        np.testing.assert_array_equal(y.get(), 3 * np.arange(5.0))


@pytest.mark.parametrize("dtype", "ilfd")
def test_numbers_become_the_parameters_type(scaled, dtype):
    x, y = cp.arange(4, dtype=dtype), cp.zeros(4, dtype)
    for by in (2, np.int8(2), True, np.uint64(2), *([2.0] if dtype in "fd" else [])):
        scaled[dtype](x=x, y=y, n=4, by=by)
        np.testing.assert_array_equal(y.get(), np.arange(4) * (1 if by is True else 2))


def test_an_address_stands_for_an_array(scaled):
    x, y = cp.arange(4.0), cp.zeros(4)
    scaled["d"](x=int(x.data.ptr), y=y, n=4, by=2)
    np.testing.assert_array_equal(y.get(), 2 * np.arange(4.0))
    for address in (-1, 1 << 64):
        with pytest.raises(OverflowError, match="parameter x takes an address"):
            scaled["d"](x=address, y=y, n=4, by=2)
    with pytest.raises(TypeError, match="parameter x takes an array"):
        scaled["d"](x=True, y=y, n=4, by=2)


def test_several_views(added):
    x = cp.arange(12.0).reshape(3, 4)
    y = cp.zeros((3, 4))
    added["d", 2](xs=[x, x[::-1], x * 2], y=y, n=12, count=3, work=12)
    np.testing.assert_array_equal(y.get(), (x + x[::-1] + x * 2).get())
    added["d", 2](xs=(x,), y=y, n=12, count=1, work=5)
    assert float(y[0, 0]) == 0


def test_structure_and_host_body(library, device):
    rows = library.kernel("rows_of", blocks="p.rows", threads=32)
    y = cp.zeros((4, 3), "q")
    p = library.struct.sizes(rows=3, step=10, w=(0, 0, 5))
    rows[()](p=p, y=y)
    expected = [-5, -15, -25, 0] if device == "host" else [37, 47, 57, 0]
    np.testing.assert_array_equal(y.get()[:, 1], expected)
    assert library.enum.MOST == 3


def test_a_function_that_is_no_kernel_has_a_body_a_device(library, device):
    x = cp.arange(4.0)
    library.kernel("tripled<T>", elements="n")["d"](x=x, n=4)
    each = 3 if device == "cuda" else -3
    np.testing.assert_array_equal(x.get(), each * np.arange(4.0))


def test_threads_of_the_call(library, device):
    rows = library.kernel("rows_of", blocks="p.rows")
    y = cp.zeros((1, 2), "q")
    p = library.struct.sizes(rows=1, step=0, w=(0, 0, 0))
    rows[()](p=p, y=y, threads=64)
    assert int(y[0, 1]) == (0 if device == "host" else 64)
    with pytest.raises(TypeError, match="leaves them open"):
        rows[()](p=p, y=y)
    with pytest.raises(ValueError, match="1 to 1024 threads"):
        rows[()](p=p, y=y, threads=2000)


def test_replayed_views_are_those_of_the_call(added):
    @replayed
    def total(*arrays):
        y = cp.empty_like(arrays[0])
        added["d", 1](xs=arrays, y=y, n=y.size, count=len(arrays), work=y.size)
        return y

    for i in range(6):
        parts = [cp.arange(7.0) + k * i for k in range(4)]
        np.testing.assert_array_equal(total(*parts).get(), 4 * np.arange(7.0) + 6 * i)
    assert total._replays >= 4


WRONG = [
    (dict(y="y", n=5, by=1), TypeError, "lacks x"),
    (dict(x="x", y="y", n=5, by=1j), TypeError, "a number of float64, not complex"),
    (dict(x="x", y="y", n=5.5, by=1), TypeError, "integer"),
    (dict(x="x", y="y", n=5, by=1, k=2), TypeError, "no parameter 'k'"),
    (dict(x="x", y="y", n=5, by=1, work=5), TypeError, "leaves them open"),
    (dict(x="i", y="y", n=5, by=1), TypeError, "an array of float64"),
    (dict(x="x", y=3, n=5, by=1), TypeError, "y takes an array of float64, not int"),
    (dict(x="x", y="y", n=1 << 64, by=1), OverflowError, "int"),
]


@pytest.mark.parametrize(("arguments", "error", "says"), WRONG)
def test_wrong_arguments(scaled, arguments, error, says):
    arrays = {"x": cp.arange(5.0), "y": cp.zeros(5), "i": cp.arange(5)}
    arguments = {k: arrays.get(v, v) if v != 3 else 3 for k, v in arguments.items()}
    with pytest.raises(error, match=says):
        scaled["d"](**arguments)
    np.testing.assert_array_equal(arrays["y"].get(), np.zeros(5))


def test_wrong_views(added):
    x, y = cp.arange(4.0), cp.zeros(4)
    rest = {"y": y, "n": 4, "count": 1, "work": 4}
    with pytest.raises(ValueError, match="up to 4 arrays, not 5"):
        added["d", 1](xs=[x] * 5, **rest)
    with pytest.raises(TypeError, match="with 1 dimensions"):
        added["d", 1](xs=[x[None]], **rest)
    with pytest.raises(TypeError, match="float64"):
        added["d", 1](xs=[x.astype("f")], **rest)
    with pytest.raises(TypeError, match="by name"):
        added["d", 1]([x], y, 4, 1)


def test_wrong_declarations(library, tmp_path):
    with pytest.raises(ValueError, match="no kernel scaledd"):
        library.kernel("scaledd<T>", elements="n")["d"]
    with pytest.raises(ValueError, match="no parameter 'm'"):
        library.kernel("scaled<T>", elements="m")["d"]
    with pytest.raises(ValueError, match="elements or blocks"):
        library.kernel("scaled<T>", elements="n", threads=3)
    with pytest.raises(TypeError, match="2 template arguments"):
        library.kernel("added<T, N>", elements=True)["d"]
    (tmp_path / "made.h").write_text(HEADER)
    (tmp_path / "made.cuh").write_text(CODE)
    (tmp_path / "made.host.hpp").write_text(HOST.replace("View<long long", "View<int"))
    with pytest.raises(ValueError, match="host's body of rows_of"):
        Library(str(tmp_path / "made.py")).kernel("added<T, N>", elements=True)["d", 1]
    with pytest.raises(ValueError, match="code of a kernel library is missing"):
        Library(str(tmp_path / "other.py"))


def test_kernels_of_a_text():
    found = kernels(CODE)
    assert list(found) == ["scaled", "added", "tripled", "rows_of"]
    assert found["scaled"].template == [("class", "T")]
    assert found["scaled"].parameters[0] == ("const T *", "x")
    assert found["added"].parameters[0] == ("Views<T, N, MOST + 1>", "xs")
    assert CODE[found["rows_of"].begin : found["rows_of"].end].startswith("__global__")


SPECIALIZED = """
template <class T>
__device__ inline T
half_of(T x)
{
    return x / 2;
}
template <>
__device__ inline float
half_of(float x)
{
    return x * 0.5f;
}
__global__ void
halved(float *x)
{
    CUPRIC_EACH (i, 1) x[i] = half_of(x[i]);
}
"""
HALVED = """
__global__ void
halved(float *x)
{
    CUPRIC_EACH (i, 1) x[i] = -half_of(x[i]);
}
"""


def test_specialized_functions_beside_a_host_body(tmp_path, device):
    (tmp_path / "made.cuh").write_text(SPECIALIZED)
    (tmp_path / "made.host.hpp").write_text(HALVED)
    library = Library(str(tmp_path / "made.py"))
    x = cp.array([3], "f")
    library.kernel("halved", elements=True)[()](x=x, work=1)
    assert float(x[0]) == (-1.5 if device == "host" else 1.5)


@pytest.mark.only_on("host")
def test_launched_as_on_a_device(scaled):
    x, y = cp.arange(1000.0), cp.zeros(1000)
    _launch_as_device(3, 16)
    try:
        scaled["d"](x=x, y=y, n=1000, by=2)
    finally:
        _launch_as_device(0, 0)
    np.testing.assert_array_equal(y.get(), 2 * np.arange(1000.0))
