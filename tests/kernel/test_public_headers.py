"""Headers that users' kernels include: each can be, in every standard of C++ from C++11
on, and what it declares does what CUDA's does."""

import numpy as np
import pytest

import cupric as cp

from .public_headers import (
    CUB_KERNELS,
    CUPY_KERNEL,
    HEADERS,
    POISSON_KERNELS,
    RANDOM_KERNEL,
    STANDARDS,
    STD_KERNEL,
    including,
)


def one(code, name, *options):
    return cp.RawModule(code=code, options=options).get_function(name)


def blocks(n):
    return (-(-n // 128),), (128,)


@pytest.mark.parametrize("header", HEADERS)
def test_every_header(header):
    x = cp.zeros(1, "i")
    one(including(header), "f", "--std=c++14")((1,), (1,), (x,))
    assert x.tolist() == [1]


@pytest.mark.parametrize("standard", STANDARDS)
def test_all_headers_together(standard):
    x = cp.zeros(1, "i")
    lines = [f"#include <{header}>" for header in reversed(HEADERS)]
    text = "\n".join([*lines, including(HEADERS[0])])
    one(text, "f", f"--std={standard}")((1,), (1,), (x,))
    assert x.tolist() == [1]


def test_all_headers_of_cupy_together():
    x, n, h = cp.zeros(9), cp.zeros(6, "i"), cp.array([2, 3, np.nan], "e")
    one(CUPY_KERNEL, "k", "--std=c++14")((1,), (1,), (x, n, h))
    due = [10.75, 18.5, np.pi, np.inf, np.nan, 2.0**-52, np.inf, 2, 0]
    np.testing.assert_array_equal(x.get(), due)
    assert n.tolist() == [16, 2, 1, 0, 1, 2]
    np.testing.assert_array_equal(h.get(), np.array([6, 3.002, np.nan], "e"))


def test_constants():
    """Each of the toolkit's names, with the number that it says."""
    singles = {"PI": np.pi, "SQRT_TWO": 2**0.5, "LN2": np.log(2), "LGE": np.log10(np.e)}
    singles |= {"L2T": np.log2(10), "2_OVER_PI": 2 / np.pi, "THIRD": 1 / 3}
    singles |= {"MIN_DENORM": None, "TWO_TO_23": 2.0**23, "LNPI": np.log(np.pi)}
    names = [f"CUDART_{n}{s}" for n in singles for s in ("", "_F")]
    more = {
        "CUDART_PIO2_LO": 6.123233995736766e-17,
        "CUDART_LN2_X_1024": 709.782712893384,
    }
    more |= {"CUDART_SQRT_2PI": np.sqrt(2 * np.pi), "CUDART_TWO_TO_M54": 2.0**-54}
    names += list(more)
    lines = "".join(f"x[{i}] = {n};" for i, n in enumerate(names))
    code = "#include <cupy/math_constants.h>\n#include <math_constants.h>\n"
    code += f'extern "C" __global__ void f(double *x) {{ {lines} }}'
    x = cp.zeros(len(names))
    one(code, "f")((1,), (1,), (x,))
    due = []
    for name, value in singles.items():
        if value is None:
            due += [5e-324, float(np.finfo("f").smallest_subnormal)]
        else:
            due += [value, float(np.float32(value))]
        assert name
    np.testing.assert_allclose(x.get(), [*due, *more.values()], rtol=4e-16)


def test_complex_in_old_standards():
    code = """
    #include <cupy/complex.cuh>
    extern "C" __global__ void f(complex<float> *z) {
        register int i = threadIdx.x;
        z[i] = exp(z[i]) * thrust::complex<float>(0, 1);
    }"""
    z = np.array([1 + 2j, -1j], "F")
    got = cp.asarray(z)
    one(code.replace("register ", ""), "f", "--std=c++14")((1,), (2,), (got,))
    np.testing.assert_allclose(got.get(), np.exp(z) * 1j, rtol=1e-6)


# ---- cuda::std, cuda::atomic, cuda::barrier ----------------------------------------------


def test_standard_library_and_atomics():
    x, n = cp.zeros(3), cp.zeros(2, "i")
    one(STD_KERNEL, "k")((1,), (64,), (x, n))
    np.testing.assert_allclose(x.get(), [11.5, np.finfo("f").max, 2**0.5 + 6.5])
    assert n.tolist() == [sum(range(64)), 63]


def test_atomics_between_blocks():
    code = r"""
    #include <cuda/atomic>
    __device__ cuda::atomic<unsigned long long, cuda::thread_scope_device> total(0);
    extern "C" __global__ void f(float *x, int *y) {
        cuda::atomic_ref<float, cuda::thread_scope_device> sum(*x);
        sum.fetch_add(0.5f);
        total += 1;
        cuda::atomic_ref<int> least(y[0]), most(y[1]), bits(y[2]);
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        least.fetch_min(-i);
        most.fetch_max(i);
        bits.fetch_or(1 << i % 16);
        int expected = 7;
        if (i == 0) y[3] = cuda::atomic_ref<int>(y[3]).compare_exchange_strong(expected, 8);
        if (i == 0) y[4] = expected;
    }"""
    x, y = cp.zeros(1, "f"), cp.zeros(5, "i")
    one(code, "f")((40,), (64,), (x, y))
    assert x.tolist() == [40 * 64 / 2]
    assert y.tolist() == [-40 * 64 + 1, 40 * 64 - 1, 0xFFFF, 0, 0]


# ---- random numbers ------------------------------------------------------------------------

# (seed, subsequence, offset): of each generator, what cuRAND gives: three of ten integers, a
# float, a double, ten normal and log-normal ones, and an integer after 1234567890123 more.
CURAND = {
    (1234, 0, 0): [
        ([624778773, 1867875844, 3739671282], 0.5768593549728394, 0.5032835609746675,
         [-0.7796437, 0.1913887, 0.8093761, -2.1876506, 0.3064004, 1.2817127, -1.3784932,
          0.8113838, -1.959653, 4.6885414], 2297085061),
        ([546353992, 3665621163, 1140953199], 0.79722660779953, 0.5356022757478058,
         [0.6340953, 0.5278337, -0.6910185, -0.0647441, 0.4085356, 0.6538761, 0.2113653,
          -0.8881209, -0.5292067, 0.4761284], 199864859),
        ([3379073520, 2521876100, 213678209], 0.45014262199401855, 0.5672324485032777,
         [1.2780666, 0.4405881, -1.1641718, -1.2707332, -0.3915984, -1.7330922, -0.2690175,
          -0.2806811, 1.17521, 3.2505744], 4221835432),
    ],
    (0xDEADBEEFCAFE1234, 123456789012, 987654321): [
        ([2536270491, 237529285, 3950189979], 0.19827066361904144, 0.09215994920344345,
         [0.1723918, 0.2262205, 0.6493275, -0.0054586, 0.4662739, 0.5862969, 0.5030017,
          0.0921711, -0.5045407, 1.1478578], 3375524672),
        ([442641478, 3275381629, 1837905987], 0.3937680125236511, 0.19347538868896663,
         [0.5858327, 2.0996921, -0.8874987, -1.2676216, 1.0194198, 0.7972621, 0.2481178,
          -0.7363877, -0.3133059, 13.6765556], 3900650833),
        ([1917502572, 2775412412, 2203507124], 0.41366609930992126, 0.035555035209050956,
         [-0.2514126, 2.132426, -0.477049, -0.682008, -0.0681659, -1.1054611, -0.3698148,
          0.9936995, -0.6819424, 1.3628296], 1411949579),
    ],
    (5, 2**40 + 3, 2**35 + 1): [
        ([754425771, 4098891058, 96051480], 0.9535183310508728, 0.8014613187032851,
         [-0.4109729, 2.0573738, 1.1738173, -0.7425154, 0.4463844, 0.1138531, -0.1742454,
          0.3103648, -0.381948, 13.798562], 2450321314),
        ([3697261983, 2255363661, 2502050235], 0.1857423186302185, 0.2789791370742023,
         [-1.7705781, -0.1950704, -0.263251, -0.376795, 0.6144396, -0.0707465, 0.4456294,
          -0.1202883, 0.8312097, 31.5885525], 2927093444),
        ([464572701, 1600765826, 2326664001], 0.27419933676719666, 0.21676420567178145,
         [-0.5991411, -0.0839682, -0.323372, -0.6667457, 0.2538891, -0.0890783, -0.2548462,
          0.8014634, -0.1557253, 2.1134274], 3616043482),
    ],
}  # fmt: skip
FOUR = {
    (1234, 0, 0): [546353992, 3665621163, 1140953199, 3419031310, 0.6208323, 0.0800608,
                   -0.1622944, 1.65918, -0.1493449, -0.6564516, 0.1395145, 0.9081452,
                   0.2002401, -1.2792902],
    (5, 2**40 + 3, 2**35 + 1): [3697261983, 2255363661, 2502050235, 1055411360, 0.384247,
                                0.4487935, 2.2194433, 1.1535709, 1.8045489, -0.3322545,
                                0.7325358, 0.9603498, 0.9749418, 0.7969219],
}  # fmt: skip


@pytest.mark.parametrize("start", CURAND)
def test_random_numbers_are_curands(start):
    out = cp.zeros(110)
    one(RANDOM_KERNEL, "k")((1,), (1,), (out, *map(np.uint64, start)))
    out = out.get()
    for g, (integers, single, double, normal, after) in enumerate(CURAND[start]):
        got = out[32 * g :]
        assert got[:3].tolist() == integers
        assert (got[10], got[11], got[22]) == (single, double, after)
        np.testing.assert_allclose(got[12:22], normal, rtol=3e-6, atol=3e-6)
    if start in FOUR:
        np.testing.assert_allclose(out[96:110], FOUR[start], rtol=3e-6, atol=3e-6)


def test_poisson():
    """The same distribution; cuRAND's numbers are others."""
    stats = pytest.importorskip("scipy.stats")
    n = 20000
    states = cp.zeros(48 * n, "B")
    module = cp.RawModule(code=POISSON_KERNELS)
    module.get_function("init")(*blocks(n), (states, np.int32(n)))
    for mean in (0.3, 3.0, 9.0, 11.0, 30.0, 500.0):
        x = cp.zeros(20 * n, "i")
        module.get_function("draw")(*blocks(n), (states, x, mean, np.int32(n)))
        counts = np.bincount(x.get())
        due = stats.poisson.pmf(np.arange(len(counts)), mean) * x.size
        often = due > 20
        z = (counts - due)[often] / np.sqrt(due[often])
        assert abs(z).max() < 5
        assert (z**2).mean() < 1 + 6 * np.sqrt(2 / often.sum())


# ---- CUB -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cub():
    return cp.RawModule(code=CUB_KERNELS)


def test_block_load_store_reduce_scan(cub):
    x = np.random.default_rng(0).integers(-50, 50, 512).astype("i")
    out = cp.zeros(1300, "i")
    cub.get_function("sums")((1,), (128,), (cp.asarray(x), out))
    out, firsts = out.get(), x[::4]
    assert out[:4].tolist() == [x.sum(), firsts[:100].max(), x.sum(), firsts.max()]
    assert (out[8:520] == np.cumsum(x) - x).all()
    assert (out[520:1030] == (np.cumsum(x) + 1000)[:510]).all()
    assert (out[1032:1160] == np.maximum.accumulate(firsts)).all()
    before = np.maximum.accumulate(np.r_[-5, firsts[:-1]])
    assert (out[1160:1288] == before).all()


def test_block_sorts(cub):
    rng = np.random.default_rng(1)
    keys = rng.normal(size=192).astype("f")
    keys[5], keys[7], keys[8] = keys[9], -0.0, 0.0
    words = rng.integers(0, 2**32, 192, dtype="u4")
    k, v, u = cp.zeros(384, "f"), cp.zeros(384, "i"), cp.asarray(words)
    k[:192] = cp.asarray(keys)
    cub.get_function("sorts")((1,), (64,), (k, v, u))
    order = np.argsort(-keys, kind="stable")
    assert (v.get()[:192] == order).all()
    assert (k.get()[:192] == keys[order]).all()
    assert (u.get() == words[np.argsort((words >> 4) & 255, kind="stable")]).all()
    assert (k.get()[192:] == np.sort(keys)).all()


def test_other_collectives(cub):
    x = np.random.default_rng(2).integers(0, 6, 128).astype("i")
    out = cp.zeros(600, "i")
    cub.get_function("others")((1,), (64,), (cp.asarray(x), out))
    out, v = out.get(), x[::2]
    assert (out[:128].reshape(64, 2) == x.reshape(2, 64).T).all()
    assert (out[128:256] == np.r_[1, x[1:] != x[:-1]]).all()
    assert (out[256:384] == np.r_[x[0], np.diff(x)]).all()
    assert (out[384:392] == np.bincount(x & 7, minlength=8)).all()
    assert (out[392:456] == np.r_[v[3:], -1, -1, -1]).all()
    assert (out[456:458] == v.reshape(2, 32).sum(1)).all()
    assert (out[458:522].reshape(8, 8) == np.cumsum(v.reshape(8, 8), 1)).all()
    ends = [
        next(e for e in range(i + 1, 65) if e % 32 == 0 or e % 5 == 0)
        for i in range(64)
    ]
    assert (out[522:586] == [v[i:e].sum() for i, e in enumerate(ends)]).all()


def test_block_of_two_dimensions():
    code = r"""
    #include <cub/block/block_reduce.cuh>
    extern "C" __global__ void f(double *x) {
        typedef cub::BlockReduce<double, 8, cub::BLOCK_REDUCE_RAKING, 4, 2> Reduce;
        __shared__ Reduce::TempStorage temp;
        const int i = threadIdx.x + 8 * (threadIdx.y + 4 * threadIdx.z);
        const double sum = Reduce(temp).Sum(1.0 / (1 + i));
        if (i == 0) x[blockIdx.x] = sum;
    }"""
    x = cp.zeros(3)
    one(code, "f")((3,), (8, 4, 2), (x,))
    np.testing.assert_allclose(x.get(), (1 / np.arange(1, 65)).sum(), rtol=1e-14)


@pytest.mark.only_on("host")
def test_tensor_cores_are_a_gpus():
    code = '#include <mma.h>\nextern "C" __global__ void f(int *x) { *x = 1; }'
    with pytest.raises(cp.cuda.compiler.CompileException, match="tensor cores"):
        one(code, "f")


@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite", "signbit"])
@pytest.mark.parametrize("dtype", ["e", "f", "d"])
def test_classes_of_floats_in_a_kernel(name, dtype):
    x = np.array([1, -2, np.nan, np.inf, -np.inf, -0.0, 6e-8], dtype)
    got = cp.ElementwiseKernel("T x", "bool y", f"y = {name}(x)", "of")(cp.asarray(x))
    assert (got.get() == getattr(np, name)(x)).all()


def test_neighbours_of_float16():
    x = np.array([1, -1, 0, 65504, 2.0**-14, np.inf], "e")
    to = np.array([2, 2, -1, np.inf, 0, 0], "e")
    k = cp.ElementwiseKernel(
        "float16 x, float16 to", "float16 y", "y = nextafter(x, to)"
    )
    with np.errstate(over="ignore"):
        due = np.nextafter(x, to)
    np.testing.assert_array_equal(k(cp.asarray(x), cp.asarray(to)).get(), due)
