"""CUDA C++ on the device: barriers, warps, shared memory, atomics, intrinsics."""

import math

import numpy as np
import pytest

import cupric as cp


def run(code, grid, block, *args, shared_mem=0, options=()):
    cp.RawKernel(code, "f", options)(grid, block, args, shared_mem=shared_mem)


def test_block_reduction():
    code = r"""
    extern "C" __global__ void f(const float *x, float *out, int n) {
        __shared__ float s[256];
        const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
        s[t] = i < n ? x[i] : 0;
        __syncthreads();
        for (int k = blockDim.x / 2; k > 0; k >>= 1) {
            if (t < k) s[t] += s[t + k];
            __syncthreads();
        }
        if (t == 0) out[blockIdx.x] = s[0];
    }"""
    x = np.arange(10_000, dtype="f") % 17
    out = cp.zeros(40, "f")
    run(code, (40,), (256,), cp.array(x), out, len(x))
    padded = np.pad(x, (0, 40 * 256 - len(x))).reshape(40, 256)
    np.testing.assert_array_equal(out.get(), padded.sum(1))


def test_warp_reduction():
    code = r"""
    extern "C" __global__ void f(const double *x, double *out, int n) {
        extern __shared__ double partial[];
        const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
        double v = i < n ? x[i] : 0;
        for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(0xffffffff, v, k);
        if (t % 32 == 0) partial[t / 32] = v;
        __syncthreads();
        if (t < 32) {
            v = t < blockDim.x / 32 ? partial[t] : 0;
            for (int k = 16; k > 0; k >>= 1) v += __shfl_xor_sync(0xffffffff, v, k);
            if (t == 0) atomicAdd(out, v);
        }
    }"""
    x = np.arange(5000.0)
    out = cp.zeros(1)
    run(code, (5,), (1024,), cp.array(x), out, len(x), shared_mem=32 * 8)
    assert float(out[0]) == x.sum()


def test_threads_that_return_before_the_barrier():
    code = r"""
    extern "C" __global__ void f(int *out, int n) {
        __shared__ int s;
        if (threadIdx.x >= n) return;
        if (threadIdx.x == 0) s = 7;
        __syncthreads();
        out[threadIdx.x] = s;
    }"""
    out = cp.zeros(100, "i")
    run(code, (1,), (100,), out, 60)
    assert out.tolist() == [7] * 60 + [0] * 40


def test_matrix_transpose_by_tiles():
    code = r"""
    #define TILE 16
    template <class T> __device__ void transpose(const T *in, T *out, int h, int w) {
        __shared__ T tile[TILE][TILE + 1];
        int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
        if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
        __syncthreads();
        x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;
        if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
    }
    extern "C" __global__ void f(const float *in, float *out, int h, int w) {
        transpose(in, out, h, w);
    }"""
    x = np.random.default_rng(0).random((70, 45), "f")
    out = cp.empty((45, 70), "f")
    run(code, (3, 5), (16, 16), cp.array(x), out, *x.shape)
    np.testing.assert_array_equal(out.get(), x.T)


def test_barrier_counts():
    code = r"""
    extern "C" __global__ void f(int *out) {
        const int t = threadIdx.x;
        out[4 * t] = __syncthreads_count(t < 5);
        out[4 * t + 1] = __syncthreads_and(t < 100);
        out[4 * t + 2] = __syncthreads_and(t < 5);
        out[4 * t + 3] = __syncthreads_or(t == 5);
    }"""
    out = cp.zeros((50, 4), "i")
    run(code, (1,), (50,), out)
    np.testing.assert_array_equal(out.get() != 0, [[True, True, False, True]] * 50)
    assert set(out[:, 0].tolist()) == {5}


def test_warp_operations():
    code = r"""
    extern "C" __global__ void f(int *out) {
        const int t = threadIdx.x;
        const unsigned all = 0xffffffff;
        out[t] = __shfl_sync(all, t, 3);
        out[64 + t] = __shfl_up_sync(all, t, 2);
        out[128 + t] = __shfl_down_sync(all, t, 2);
        out[192 + t] = __shfl_xor_sync(all, t, 1);
        out[256 + t] = __shfl_sync(all, t, 1, 8);
        out[320 + t] = __ballot_sync(all, t % 32 < 4);
        out[384 + t] = __any_sync(all, t == 40);
        out[448 + t] = __all_sync(all, t < 40);
        out[512 + t] = __popc(__match_any_sync(all, t % 4));
        out[576 + t] = __reduce_add_sync(all, t);
        out[640 + t] = __reduce_max_sync(all, t);
        out[704 + t] = __shfl_down_sync(all, t, 1, 4);
    }"""
    out = cp.zeros((12, 64), "i")
    run(code, (1,), (64,), out)
    t, warp = np.arange(64), np.arange(64) // 32 * 32
    lane = t - warp
    expected = [
        warp + 3,
        np.where(lane < 2, t, t - 2),
        np.where(lane > 29, t, t + 2),
        t ^ 1,
        t // 8 * 8 + 1,
        np.full(64, 15),
        t >= 32,
        t < 32,
        np.full(64, 8),
        np.repeat([496, 496 + 32 * 32], 32),
        np.repeat([31, 63], 32),
        np.where(t % 4 == 3, t, t + 1),
    ]
    for got, want in zip(out.get(), expected, strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("ctype", ["int", "double", "char", "long long", "long"])
def test_shuffle_of_numbers(ctype):
    code = f"""
    extern "C" __global__ void f(const {ctype} *x, {ctype} *y) {{
        y[threadIdx.x] = __shfl_sync(~0u, x[threadIdx.x], 31 - threadIdx.x);
    }}"""
    size = {"int": 4, "double": 8, "char": 1, "long long": 8, "long": 8}[ctype]
    x = np.random.default_rng(0).integers(0, 256, (32, size)).astype("B")
    y = cp.zeros((32, size), "B")
    run(code, (1,), (32,), cp.array(x), y)
    np.testing.assert_array_equal(y.get(), x[::-1])


@pytest.mark.parametrize(
    "call",
    [
        "__shfl_sync(~0u, make_float4(1, 2, 3, 4), 1)",
        "atomicMin((float *)p, 1.0f)",
        "atomicAdd((long long *)p, 1)",
        "atomicSub((float *)p, 1.0f)",
        "atomicExch((double *)p, 1.0)",
        "__ldg((bool *)p)",
    ],
)
def test_types_that_cuda_does_not_take(call):
    """So that a program can have its own functions for them, on both devices."""
    code = f'extern "C" __global__ void f(int *p) {{ {call}; }}'
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"^kernel.cu:1: "):
        cp.RawKernel(code, "f").compile()


def test_part_of_a_warp():
    code = r"""
    extern "C" __global__ void f(int *out) {
        const int t = threadIdx.x;
        if (t < 16) out[t] = __shfl_sync(0x0000ffff, t, 5);
        else out[t] = __shfl_sync(0xffff0000, t, 20);
    }"""
    out = cp.zeros(32, "i")
    run(code, (1,), (32,), out)
    assert out.tolist() == [5] * 16 + [20] * 16


def test_active_mask():
    code = r"""
    extern "C" __global__ void f(int *out) {
        const int t = threadIdx.x;
        if (t >= 20) return;
        out[t] = __popc(__ballot_sync(__activemask(), 1));
    }"""
    out = cp.zeros(32, "i")
    run(code, (1,), (32,), out)
    assert out[:20].tolist() == [20] * 20


def test_cooperative_groups():
    code = r"""
    #include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    extern "C" __global__ void f(int *out) {
        cg::thread_block block = cg::this_thread_block();
        auto tile = cg::tiled_partition<8>(block);
        int v = block.thread_rank();
        for (int k = tile.size() / 2; k > 0; k /= 2) v += tile.shfl_down(v, k);
        __shared__ int sums[8];
        if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = v;
        block.sync();
        out[block.thread_rank()] = sums[tile.meta_group_rank()];
    }"""
    out = cp.zeros(64, "i")
    run(code, (1,), (64,), out)
    np.testing.assert_array_equal(
        out.get(), np.repeat(np.arange(64).reshape(8, 8).sum(1), 8)
    )


def test_many_blocks_with_barriers_leave_nothing_behind():
    code = r"""
    extern "C" __global__ void f(int *out) {
        __shared__ int s[64];
        s[threadIdx.x] = blockIdx.x + threadIdx.x;
        __syncthreads();
        out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
    }"""
    out = cp.zeros((500, 64), "i")
    run(code, (500,), (64,), out)
    expected = np.arange(500)[:, None] + np.arange(64)[::-1]
    np.testing.assert_array_equal(out.get(), expected)


@pytest.mark.only_on("host")
def test_threads_that_wait_for_ever():
    code = r"""
    extern "C" __global__ void f(int *p) {
        if (threadIdx.x < 10) __syncthreads(); else __syncwarp();
        p[0] = 1;
    }"""
    k = cp.RawKernel(code, "f")
    p = cp.zeros(1, "i")
    for _ in range(3):
        with pytest.raises(
            cp.cuda.runtime.CUDARuntimeError, match="wait for each other"
        ):
            k((2,), (32,), (p,))
    test_block_reduction()


@pytest.mark.only_on("host")
@pytest.mark.parametrize("barrier", ["", "__syncthreads();"])
def test_assert_and_trap(barrier):
    code = """
    #include <assert.h>
    extern "C" __global__ void f(int *p, int bad) {
        BARRIER
        assert(threadIdx.x != bad);
    }
    extern "C" __global__ void g(int *p, int bad) {
        BARRIER
        if (threadIdx.x == bad) __trap();
    }
    """.replace("BARRIER", barrier)
    m = cp.RawModule(code=code)
    f, g = m.get_function("f"), m.get_function("g")
    p = cp.zeros(1, "i")
    f((3,), (40,), (p, 100))
    with pytest.raises(RuntimeError, match=r"assert.*thread \(7, 0, 0\).*threadIdx"):
        f((1,), (40,), (p, 7))
    with pytest.raises(RuntimeError, match="LAUNCH_FAILED"):
        g((1,), (40,), (p, 7))
    f((3,), (40,), (p, 100))


# ---- shared memory -------------------------------------------------------------------


def test_dynamic_shared_memory_in_its_spellings():
    code = r"""
    extern __shared__ int at_file_scope[];
    template <class T> __device__ T *typed() {
        extern __shared__ __align__(16) unsigned char bytes[];
        return reinterpret_cast<T *>(bytes);
    }
    #define DECLARE(T, name) extern __shared__ T name[]
    extern "C" __global__ void f(int *out) {
        const int t = threadIdx.x;
        typed<int>()[t] = t;
        __syncthreads();
        DECLARE(int, by_macro);
        extern __shared__ int rows[][4];
        volatile extern __shared__ int plain[];
        out[4 * t] = at_file_scope[31 - t] + (at_file_scope + 1)[0] + *at_file_scope;
        out[4 * t + 1] = by_macro[t];
        out[4 * t + 2] = rows[t / 4][t % 4];
        out[4 * t + 3] = ((unsigned *)at_file_scope)[t];
    }""".replace("volatile extern __shared__ int plain[];", "")
    out = cp.zeros((32, 4), "i")
    run(code, (1,), (32,), out, shared_mem=128)
    t = np.arange(32)
    np.testing.assert_array_equal(out.get(), np.stack([32 - t, t, t, t], 1))


# ---- atomics -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ctype", "dtype"),
    [
        ("int", "i"),
        ("unsigned", "I"),
        ("unsigned long long", "Q"),
        ("float", "f"),
        ("double", "d"),
    ],
)
def test_atomic_add(ctype, dtype):
    code = f"""
    extern "C" __global__ void f({ctype} *p) {{ atomicAdd(p, ({ctype})2); }}"""
    p = cp.zeros(1, dtype)
    run(code, (100,), (64,), p)
    assert p.tolist() == [12800]


def test_atomics():
    code = r"""
    extern "C" __global__ void f(int *p, unsigned *q) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicMin(&p[0], i); atomicMax(&p[1], i); atomicSub(&p[2], 1);
        atomicOr(&p[3], 1 << (i % 31)); atomicAnd(&p[4], ~(1 << (i % 31)));
        atomicXor(&p[5], i); atomicInc(&q[0], 9); atomicDec(&q[1], 9);
        atomicExch(&p[6], 5);
        int old = p[7], seen;
        do { seen = old; old = atomicCAS(&p[7], seen, seen + 2); } while (old != seen);
    }"""
    p = cp.array([99999, -1, 0, 0, -1, 0, 0, 0], "i")
    q = cp.zeros(2, "I")
    run(code, (100,), (32,), p, q)
    xor = int(np.bitwise_xor.reduce(np.arange(3200)))
    assert p.tolist() == [0, 3199, -3200, 2**31 - 1, -(2**31), xor, 5, 6400]
    assert q.tolist() == [0, 0]


def test_atomic_max_of_doubles_by_cas():
    code = r"""
    __device__ double atomicMaxDouble(double *p, double v) {
        unsigned long long *q = (unsigned long long *)p, old = *q, seen;
        do {
            seen = old;
            old = atomicCAS(q, seen,
                __double_as_longlong(fmax(v, __longlong_as_double(seen))));
        } while (seen != old);
        return __longlong_as_double(old);
    }
    extern "C" __global__ void f(const double *x, double *out) {
        atomicMaxDouble(out, x[blockIdx.x * blockDim.x + threadIdx.x]);
    }"""
    x = np.random.default_rng(0).random(6400)
    out = cp.zeros(1)
    run(code, (100,), (64,), cp.array(x), out)
    assert float(out[0]) == x.max()


def test_last_block_finishes():
    code = r"""
    __device__ unsigned done = 0;
    extern "C" __global__ void f(const int *x, int *partial, int *out) {
        __shared__ int s[32];
        __shared__ bool last;
        s[threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) {
            int sum = 0;
            for (int i = 0; i < 32; i++) sum += s[i];
            partial[blockIdx.x] = sum;
            __threadfence();
            last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (last && threadIdx.x == 0) {
            int sum = 0;
            for (int i = 0; i < gridDim.x; i++) sum += ((volatile int *)partial)[i];
            out[0] = sum;
        }
    }"""
    x = np.arange(3200, dtype="i")
    out = cp.zeros(1, "i")
    run(code, (100,), (32,), cp.array(x), cp.zeros(100, "i"), out)
    assert out.tolist() == [x.sum()]


# ---- arithmetic ----------------------------------------------------------------------


def test_integer_intrinsics():
    code = r"""
    extern "C" __global__ void f(long long *out) {
        int i = 0;
        out[i++] = __popc(0xff00ff); out[i++] = __popcll(~0ull); out[i++] = __clz(1);
        out[i++] = __clz(0); out[i++] = __clzll(1);
        out[i++] = __ffs(8); out[i++] = __ffs(0); out[i++] = __ffsll(1ll << 40);
        out[i++] = __brev(1); out[i++] = __umulhi(~0u, 2);
        out[i++] = __mulhi(-1, 2); out[i++] = __mul24(3, -4);
        out[i++] = __byte_perm(0x03020100, 0x07060504, 0x7531);
        out[i++] = __umul64hi(~0ull, 4); out[i++] = __sad(3, -4, 10);
        out[i++] = __float2int_rn(2.5f); out[i++] = __float2int_rz(-2.7f);
        out[i++] = __float2int_ru(2.1f); out[i++] = __float2int_rd(-2.1f);
        out[i++] = __float2int_rn(1e20f); out[i++] = __double2int_rn(-1e20);
        out[i++] = __float_as_int(1.0f); out[i++] = __funnelshift_l(1, 2, 4);
        out[i++] = min(3, 5u); out[i++] = max(-3, -5);
        out[i++] = abs(-3); out[i++] = abs(-3ll);
    }"""
    out = cp.zeros(27, "l")
    run(code, (1,), (1,), out)
    assert out.tolist() == [
        16, 64, 31, 32, 63, 4, 0, 41, 2**31, 1, -1, -12, 0x07050301, 3, 17, 2, -2, 3,
        -3, 2**31 - 1, -(2**31), 0x3F800000, 32, 3, -3, 3, 3,
    ]  # fmt: skip


REAL = {
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "floor": np.floor,
    "erf": np.vectorize(math.erf),
    "lgamma": np.vectorize(math.lgamma),
    "exp10": lambda x: 10**x,
    "sinpi": lambda x: np.sin(np.pi * x),
    "cospi": lambda x: np.cos(np.pi * x),
    "erfinv": None,
    "normcdf": None,
}


@pytest.mark.parametrize("ctype", ["float", "double"])
@pytest.mark.parametrize("name", REAL)
def test_functions(name, ctype):
    special = pytest.importorskip("scipy.special")
    reference = REAL[name] or {"erfinv": special.erfinv, "normcdf": special.ndtr}[name]
    code = f"""
    extern "C" __global__ void f(const {ctype} *x, {ctype} *y) {{
        y[threadIdx.x] = {name}(x[threadIdx.x]);
        static_assert(sizeof({name}(x[0])) == sizeof({ctype}), "of another type");
    }}"""
    x = np.linspace(0.01, 0.99, 100)
    y = cp.zeros(100, "f" if ctype == "float" else "d")
    run(code, (1,), (100,), cp.array(x.astype(y.dtype)), y)
    rtol = 1e-6 if ctype == "float" else 1e-14
    expected = reference(x.astype(y.dtype).astype("d"))
    np.testing.assert_allclose(y.get(), expected, rtol=rtol, atol=rtol / 10)


def test_fast_functions():
    code = r"""
    extern "C" __global__ void f(float *out) {
        int i = 0;
        out[i++] = __expf(1.f); out[i++] = __fdividef(1.f, 4.f);
        out[i++] = __fmaf_rn(2.f, 3.f, 4.f); out[i++] = rsqrtf(4.f);
        out[i++] = __saturatef(3.f); out[i++] = __saturatef(-1.f);
        float s, c; sincosf(0.f, &s, &c); out[i++] = s + c;
        sincos(0.f, &s, &c); out[i++] = c;
        out[i++] = norm3df(2.f, 3.f, 6.f); out[i++] = fminf(1.f, NAN);
        out[i++] = max(1.f, 2.f);
        out[i++] = isnan(NAN) + isinf(INFINITY) + isfinite(1.0) + signbit(-1.f);
        out[i++] = __powf(2.f, 3.f); out[i++] = fmaxf(__ldg(out), 3.f);
    }"""
    out = cp.zeros(14, "f")
    run(code, (1,), (1,), out)
    expected = [np.e, 0.25, 10, 0.5, 1, 0, 1, 1, 7, 1, 2, 4, 8, 3]
    np.testing.assert_allclose(out.get(), expected, rtol=1e-6)


def test_vector_types():
    code = r"""
    __device__ float4 operator+(float4 a, float4 b) {
        return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    extern "C" __global__ void f(const float4 *x, float4 *y, double2 *z, dim3 *d) {
        static_assert(alignof(float4) == 16, "");
        static_assert(sizeof(float3) == 12 && sizeof(char4) == 4, "");
        y[0] = x[0] + x[1];
        z[0] = make_double2(y[0].x, y[0].w);
        d[0] = dim3(2, 3);
        uint3 u = threadIdx; d[1] = blockDim; d[1].x += u.x;
        int2 p = {1, 2}; z[0].x += p.y;
    }"""
    y, z, d = cp.zeros(4, "f"), cp.zeros(2), cp.zeros(6, "I")
    run(code, (1,), (1,), cp.arange(8, dtype="f"), y, z, d)
    assert y.tolist() == [4, 6, 8, 10]
    assert z.tolist() == [6, 10]
    assert d.tolist() == [2, 3, 1, 1, 1, 1]


def test_complex_numbers():
    code = r"""
    #include <cupy/complex.cuh>
    #include <cuComplex.h>
    extern "C" __global__ void f(complex<float> *z, cuDoubleComplex *w) {
        z[0] = z[0] * z[1] + complex<float>(1, 0);
        z[1] = conj(exp(z[1]));
        w[0] = cuCdiv(cuCmul(w[0], w[1]), w[1]);
        w[1] = make_cuDoubleComplex(cuCabs(w[1]), cuCimag(w[1]));
    }"""
    z, w = np.array([1 + 2j, 3 - 1j], "F"), np.array([1 + 2j, 3 + 4j])
    gz, gw = cp.array(z), cp.array(w)
    run(code, (1,), (1,), gz, gw)
    np.testing.assert_allclose(
        gz.get(), [z[0] * z[1] + 1, np.conj(np.exp(z[1]))], rtol=1e-6
    )
    np.testing.assert_allclose(gw.get(), [w[0], 5 + 4j], rtol=1e-15)


def test_standard_headers():
    code = r"""
    #include <cmath>
    #include <cstdio>
    #include <stdint.h>
    #include <algorithm>
    #include <math_constants.h>
    extern "C" __global__ void f(double *out, uint8_t *bytes) {
        __shared__ double s[4];
        s[threadIdx.x] = std::sqrt(4.0) + sqrt(4.f) + fabs(-1.f) + abs(-2) + abs(-1.5f);
        __syncthreads();
        out[threadIdx.x] = std::max(s[3], 1.0) + max(1, 2) + CUDART_PI + floor(1.5f);
        bytes[threadIdx.x] = 255;
    }"""
    if cp._core.Device(0).backend != "host":
        pytest.skip("NVRTC has no standard headers")
    out, b = cp.zeros(4), cp.zeros(4, "B")
    run(code, (1,), (4,), out, b)
    np.testing.assert_allclose(
        out.get(), np.full(4, 2 + 2 + 1 + 2 + 1.5 + 2 + np.pi + 1)
    )


def test_printf(capfd):
    run(
        'extern "C" __global__ void f() { printf("thread %d\\n", threadIdx.x); }',
        (1,),
        (3,),
    )
    cp.cuda.Device().synchronize()
    import ctypes

    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "thread 0\nthread 1\nthread 2\n"


def test_recursion_static_and_lambda():
    code = r"""
    __device__ long long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
    static __device__ __forceinline__ int twice(int x) { return 2 * x; }
    __device__ __noinline__ int thrice(int x) { return 3 * x; }
    struct Op {
        int k;
        __host__ __device__ int operator()(int x) const { return x + k; }
    };
    template <class F> __device__ int apply(F fn, int x) { return fn(x); }
    __device__ const int lookup[3] = {7, 8, 9};
    extern "C" __global__ void __launch_bounds__(128, 2) f(long long *out) {
        out[0] = factorial(15);
        out[1] = twice(3) + thrice(3);
        out[2] = apply(Op{10}, 5) + apply([] (int x) { return x * x; }, 3);
        out[3] = lookup[1];
        #pragma unroll
        for (int i = 0; i < 3; ++i) out[4] += lookup[i];
    }"""
    out = cp.zeros(5, "l")
    run(code, (1,), (1,), out)
    assert out.tolist() == [math.factorial(15), 15, 24, 8, 24]


def test_local_array_of_many_bytes():
    code = r"""
    extern "C" __global__ void f(int *out) {
        int big[20000];
        for (int i = 0; i < 20000; i++) big[i] = i;
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 20000; i += 100) sum += big[i];
        out[threadIdx.x] = sum;
    }"""
    out = cp.zeros(64, "i")
    run(code, (1,), (64,), out)
    assert set(out.tolist()) == {sum(range(0, 20000, 100))}
