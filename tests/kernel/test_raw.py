"""RawKernel and RawModule: arguments, launches, names, mistakes."""

import gc
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

ADD = r"""
extern "C" __global__
void my_add(const float* x1, const float* x2, float* y) {
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    y[tid] = x1[tid] + x2[tid];
}
"""


@pytest.fixture(scope="module")
def add():
    return cp.RawKernel(ADD, "my_add")


def test_add(add):
    x = cp.arange(25, dtype="f").reshape(5, 5)
    y = cp.zeros((5, 5), "f")
    assert add((5,), (5,), (x, x, y)) is None
    np.testing.assert_array_equal(y.get(), 2 * x.get())


def test_overview_notebook_kernels():
    mul = cp.RawKernel(
        r"""
    extern "C" __global__
    void mul(const double* in, double* out, const int Z, const int Y, const int X) {
        int x = blockDim.x * blockIdx.x + threadIdx.x;
        int y = blockDim.y * blockIdx.y + threadIdx.y;
        if (x < X && y < Y) {
            double tmp = 1.;
            out[y*X+x] = 1.;
            for (int z = 0; z < Z; z++)
                out[y*X+x] = out[y*X+x] * in[z*Y*X+y*X+x];
            //out[y*X+x] = tmp;
        }
    }
    """,
        "mul",
    )
    mul.compile()
    mul_reg = cp.RawKernel(
        r"""
    extern "C" __global__
    void mulReg(const double* in, double* out, const int Z, const int Y, const int X) {
        int x = blockDim.x * blockIdx.x + threadIdx.x;
        int y = blockDim.y * blockIdx.y + threadIdx.y;
        if (x < X && y < Y) {
            double tmp = 1.;
            for (int z = 0; z < Z; z++)
                tmp = tmp * in[z*Y*X+y*X+x];
            out[y*X+x] = tmp;
        }
    }
    """,
        "mulReg",
    )
    mul_reg.compile()
    arr = np.random.default_rng(0).random((16, 70, 50)) + 0.5
    given = cp.asarray(arr)
    grid = tuple(d // 32 + bool(d % 32) for d in arr.shape[:0:-1])
    for kernel in (mul, mul_reg):
        out = cp.empty(arr.shape[1:])
        kernel(grid, (32, 32), (given, out, *given.shape))
        np.testing.assert_allclose(out.get(), arr.prod(0), rtol=1e-13)


# ---- launches ------------------------------------------------------------------------


def test_grid_and_block_of_three_axes():
    k = cp.RawKernel(
        r"""
    extern "C" __global__ void where(int *out) {
        int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        int size = blockDim.x * blockDim.y * blockDim.z;
        int thread = threadIdx.y + blockDim.y * threadIdx.z;
        thread = threadIdx.x + blockDim.x * thread;
        out[block * size + thread] = 1000 * block + thread;
    }""",
        "where",
    )
    grid, block = (2, 3, 4), (5, 2, 3)
    out = cp.full(24 * 30, -1, "i")
    k(grid, block, (out,))
    expected = 1000 * np.arange(24)[:, None] + np.arange(30)
    np.testing.assert_array_equal(out.get(), expected.ravel())


@pytest.mark.parametrize(
    ("grid", "block", "shared"),
    [
        ((0,), (1,), 0),
        ((1,), (0,), 0),
        ((1,), (1025,), 0),
        ((1,), (32, 33), 0),
        ((1,), (1, 1, 65), 0),
        ((1, 65536), (1,), 0),
        ((1, 1, 65536), (1,), 0),
        ((2**31,), (1,), 0),
        ((-1,), (1,), 0),
        ((1,), (1,), 49153),
        ((1,), (1,), -1),
    ],
)
def test_limits(add, grid, block, shared):
    x = cp.zeros(1, "f")
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="INVALID_VALUE"):
        add(grid, block, (x, x, x), shared_mem=shared)


def test_dims_that_are_no_dims(add):
    x = cp.zeros(1, "f")
    with pytest.raises(ValueError, match="one to three"):
        add((1, 1, 1, 1), (1,), (x, x, x))
    with pytest.raises(ValueError, match="one to three"):
        add((), (1,), (x, x, x))
    with pytest.raises(TypeError):
        add((1.5,), (1,), (x, x, x))
    with pytest.raises(TypeError):
        add("a", (1,), (x, x, x))


def test_stream(add):
    x = cp.ones(4, "f")
    with cp.cuda.Stream() as s:
        add((1,), (4,), (x, x, x), stream=s)
    add((1,), (4,), (x, x, x), stream=cp.cuda.Stream.null)
    np.testing.assert_array_equal(x.get(), np.full(4, 4))


# ---- arguments -----------------------------------------------------------------------


def kernel_of(types, *expressions):
    """A kernel that stores an expression of each argument as double."""
    params = ", ".join(f"{t} a{i}" for i, t in enumerate(types))
    body = "".join(f"out[{i}] = {e};" for i, e in enumerate(expressions))
    code = f'extern "C" __global__ void args({params}, double *out) {{ {body} }}'
    return cp.RawKernel(code, "args")


@pytest.mark.parametrize(
    ("ctype", "value"),
    [
        ("long long", -5),
        ("long long", 2**62),
        ("unsigned long long", 2**64 - 2**12),
        ("int", -7),
        ("unsigned char", 200),
        ("size_t", 12),
        ("double", 2.5),
        ("bool", True),
        ("int", True),
        ("int", False),
        ("float", np.float32(1.5)),
        ("double", np.float64(-1.5)),
        ("signed char", np.int8(-3)),
        ("unsigned short", np.uint16(65535)),
        ("int", np.int32(-3)),
        ("long long", np.int32(-3)),
        ("long long", np.int64(-3)),
        ("unsigned long long", np.uint64(2**63)),
        ("bool", np.bool_(True)),
    ],
)
def test_numbers(ctype, value):
    out = cp.zeros(1)
    kernel_of([ctype], "(double)a0")((1,), (1,), (value, out))
    assert float(out[0]) == float(value)


def test_complex_numbers():
    k = cp.RawKernel(
        r"""
    #include <cupy/complex.cuh>
    extern "C" __global__ void f(complex<double> z, complex<float> w, double *out) {
        out[0] = z.real(); out[1] = z.imag(); out[2] = w.real(); out[3] = w.imag();
    }""",
        "f",
    )
    out = cp.zeros(4)
    k((1,), (1,), (1 + 2j, np.complex64(3 + 4j), out))
    assert out.tolist() == [1, 2, 3, 4]


def test_half():
    k = cp.RawKernel(
        r"""
    #include <cuda_fp16.h>
    extern "C" __global__ void f(__half h, half *p, float *out) {
        out[0] = __half2float(h);
        out[1] = __half2float(__hadd(p[0], p[1]));
        p[2] = __float2half(0.5f) * h;
        atomicAdd(&p[1], h);
    }""",
        "f",
    )
    p, out = cp.array([1, 2, 3], "e"), cp.zeros(2, "f")
    k((1,), (1,), (np.float16(1.5), p, out))
    assert out.tolist() == [1.5, 3]
    assert p.tolist() == [1, 3.5, 0.75]


RECORDS = {
    "void": lambda item: item[()],
    "0-d": lambda item: item,
    "(1,)": lambda item: item.reshape(1),
    "(1, 1)": lambda item: item.reshape(1, 1),
    "element of many": lambda item: np.array([item] * 5)[::2][1:2],
    "read-only": lambda item: np.broadcast_to(item, (1,)),
}


@pytest.mark.parametrize("form", RECORDS)
def test_records(form):
    k = cp.RawKernel(
        r"""
    struct Item { float weight; int count; double offset[3]; };
    extern "C" __global__ void f(Item item, double *out) {
        out[0] = item.weight; out[1] = item.count;
        for (int i = 0; i < 3; i++) out[2 + i] = item.offset[i];
    }""",
        "f",
    )
    dtype = np.dtype([("weight", "f4"), ("count", "i4"), ("offset", "f8", 3)])
    item = np.array((0.5, 7, [1, 2, 3]), dtype)
    out = cp.zeros(5)
    k((1,), (1,), (RECORDS[form](item), out))
    assert out.tolist() == [0.5, 7, 1, 2, 3]
    with pytest.raises(TypeError):
        k((1,), (1,), (np.zeros(2, dtype), out))


def test_small_records():
    k = cp.RawKernel(
        r"""
    struct Pair { short a; unsigned char b; };
    extern "C" __global__ void f(Pair p, int after, int *out) {
        out[0] = p.a; out[1] = p.b; out[2] = after;
    }""",
        "f",
    )
    pair = np.array([(-5, 200)], np.dtype([("a", "i2"), ("b", "u1")], align=True))
    out = cp.zeros(3, "i")
    for value in (pair, pair[0], pair.reshape(())):
        out[:] = 0
        k((1,), (1,), (value, np.int32(9), out))
        assert out.tolist() == [-5, 200, 9]


def test_pointers():
    k = cp.RawKernel(
        'extern "C" __global__ void f(int *p, int *q) { p[0] = q == nullptr; }', "f"
    )
    x = cp.zeros(3, "i")
    k((1,), (1,), (x[1:], None))
    k((1,), (1,), (x.data + 8, x))
    assert x.tolist() == [0, 1, 0]
    memory = cp.cuda.alloc(4)
    k((1,), (1,), (memory, None))
    y = cp.ndarray(1, "i", memory)
    assert y.tolist() == [1]


@pytest.mark.parametrize(
    "value", [np.zeros(3), [1, 2], (1,), "text", object(), {}, np.zeros(()), b"bytes"]
)
def test_types_that_kernels_do_not_take(add, value):
    x = cp.zeros(1, "f")
    with pytest.raises(TypeError, match="Unsupported type <class "):
        add((1,), (1,), (x, value, x))


def test_number_of_arguments(add):
    x = cp.zeros(1, "f")
    with pytest.raises(TypeError, match="takes 3 arguments, 2 were given"):
        add((1,), (1,), (x, x))
    with pytest.warns(RuntimeWarning, match="takes 3 arguments, 5 were given: the la"):
        add((1,), (1,), (x, x, x, x, 7))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            add((1,), (1,), (x, x, x, x))
    with pytest.raises(TypeError, match="tuple"):
        add((1,), (1,), x if False else 3)


def test_sizes_that_differ():
    out = cp.zeros(1)
    with pytest.raises(
        TypeError, match=r"argument 0 has 8 bytes.*parameter 4.*float32"
    ):
        kernel_of(["float"], "a0")((1,), (1,), (1.5, out))
    with pytest.raises(TypeError, match="argument 0 has 4 bytes.*parameter 8"):
        kernel_of(["double"], "a0")((1,), (1,), (np.float32(1), out))
    with pytest.raises(TypeError, match="argument 0"):
        kernel_of(["int"], "a0")((1,), (1,), (out, out))
    with pytest.raises(OverflowError):
        kernel_of(["int"], "a0")((1,), (1,), (2**64, out))
    with pytest.raises(OverflowError):
        kernel_of(["int"], "a0")((1,), (1,), (-(2**64), out))


@pytest.mark.parametrize(
    ("ctype", "value"),
    [
        ("int", 2**40 + 5),
        ("int", -(2**31) - 1),
        ("unsigned", 2**32),
        ("unsigned", np.uint64(2**63 + 1)),
        ("short", np.int32(-70000)),
        ("unsigned char", 256),
        ("signed char", -129),
    ],
)
def test_integers_that_do_not_fit(ctype, value):
    out = cp.zeros(1)
    with pytest.raises(OverflowError, match=f"argument 0, {value}, does not fit"):
        kernel_of([ctype], "a0")((1,), (1,), (value, out))
    assert out[0] == 0


@pytest.mark.parametrize(
    ("ctype", "value", "due"),
    [
        ("int", 2**32 - 1, -1),
        ("int", np.int64(-(2**31)), -(2**31)),
        ("unsigned", -1, 2**32 - 1),
        ("short", np.uint16(65535), -1),
        ("unsigned char", -128, 128),
        ("unsigned char", True, 1),
        ("long long", 2**64 - 1, -1),
    ],
)
def test_integers_that_fit_by_their_bits(ctype, value, due):
    out = cp.zeros(1)
    kernel_of([ctype], "a0")((1,), (1,), (value, out))
    assert out[0] == due


def test_many_arguments():
    k = kernel_of(["int"] * 100, " + ".join(f"a{i}" for i in range(100)))
    out = cp.zeros(1)
    k((1,), (1,), (*range(100), out))
    assert float(out[0]) == 4950
    with pytest.raises(TypeError, match="a kernel can have"):
        k((1,), (1,), tuple(range(1000)))


def test_no_arguments():
    cp.RawKernel('extern "C" __global__ void f() {}', "f")((1,), (1,), ())


# ---- modules -------------------------------------------------------------------------

MODULE = r"""
__constant__ float table[4];
__device__ int counter = 5;
namespace tools {
__constant__ double scale;
template <typename T, int N>
__global__ void times(T *p) { p[threadIdx.x] *= N; }
}
template <typename T>
__global__ void shift(T *p, T by) { p[threadIdx.x] += by; }
extern "C" {
__global__ void look_up(float *p) { p[threadIdx.x] = table[threadIdx.x]; }
__global__ void count() { atomicAdd(&counter, 1); }
__global__ void scaled(double *p) { p[threadIdx.x] *= tools::scale; }
}
"""


@pytest.fixture(scope="module")
def module():
    names = ["tools::times<float, 3>", "shift<int>", "shift<double>"]
    return cp.RawModule(code=MODULE, options=("--std=c++17",), name_expressions=names)


def test_templates(module):
    x = cp.ones(3, "f")
    module.get_function("tools::times<float,3>")((1,), (3,), (x,))
    assert x.tolist() == [3, 3, 3]
    i, d = cp.ones(3, "i"), cp.ones(3)
    module.get_function("shift<int>")((1,), (3,), (i, 4))
    module.get_function("shift<double>")((1,), (3,), (d, 0.5))
    assert i.tolist() == [5, 5, 5]
    assert d.tolist() == [1.5, 1.5, 1.5]


def test_constants(module):
    memory = module.get_global("table")
    assert isinstance(memory, cp.cuda.MemoryPointer)
    assert memory.mem.size == 16
    cp.ndarray(4, "f", memory)[...] = cp.array([1, 2, 3, 4], "f")
    out = cp.zeros(4, "f")
    module.get_function("look_up")((1,), (4,), (out,))
    assert out.tolist() == [1, 2, 3, 4]


def test_variables_keep_their_values(module):
    counter = cp.ndarray((), "i", module.get_global("counter"))
    before = int(counter)
    kernel = module.get_function("count")
    kernel((10,), (100,), ())
    assert int(counter) == before + 1000
    again = cp.RawModule(
        code=MODULE, options=("--std=c++17",), name_expressions=module.name_expressions
    )
    assert int(cp.ndarray((), "i", again.get_global("counter"))) == before + 1000


def test_variable_in_a_namespace(module):
    cp.ndarray((), "d", module.get_global("tools::scale"))[...] = 2.5
    x = cp.ones(2)
    module.get_function("scaled")((1,), (2,), (x,))
    assert x.tolist() == [2.5, 2.5]


def test_a_wrong_name_is_the_drivers_error():
    x = cp.zeros(3, "f")
    wrong = cp.RawKernel(ADD, "your_add")
    for attempt in (wrong.compile, lambda: wrong((1,), (3,), (x, x, x))):
        with pytest.raises(cp.cuda.driver.CUDADriverError) as info:
            attempt()
        assert info.value.status == 500
        assert str(info.value).startswith("CUDA_ERROR_NOT_FOUND: named symbol not fou")
        assert isinstance(info.value, RuntimeError)
    copy = pickle.loads(pickle.dumps(info.value))
    assert type(copy) is cp.cuda.driver.CUDADriverError
    assert (copy.status, str(copy)) == (500, str(info.value))
    right = cp.RawKernel(ADD, "my_add")
    with pytest.raises(cp.cuda.driver.CUDADriverError) as info:
        right((1,), (5000,), (x, x, x))
    assert info.value.status == 1
    ones, y = cp.ones(3, "f"), cp.zeros(3, "f")
    right((1,), (3,), (ones, ones, y))
    assert y.tolist() == [2, 2, 2]


def test_names_that_are_not_there(module):
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="NOT_FOUND.*'nothing'"):
        module.get_function("nothing")
    with pytest.raises(
        cp.cuda.runtime.CUDARuntimeError, match="NOT_FOUND.*'shift<long>'"
    ):
        module.get_function("shift<long>")
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="NOT_FOUND.*'look_up'"):
        module.get_global("look_up")
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="NOT_FOUND"):
        cp.RawKernel(ADD, "your_add").compile()
    with pytest.raises(TypeError, match="name must be str"):
        module.get_function(3)


def test_name_expression_that_does_not_compile():
    m = cp.RawModule(code=MODULE, name_expressions=["shift<Unknown>"])
    with pytest.raises(cp.cuda.compiler.CompileException, match="Unknown"):
        m.get_function("shift<Unknown>")


def test_conditional_kernels_and_macros():
    code = r"""
    #ifdef NEVER
    extern "C" __global__ void skipped(int *p) { nonsense }
    #else
    extern "C" __global__ void taken(int *p) { p[0] = VALUE; }
    #endif
    #if 0
    __device__ broken thing;
    #endif
    #define KERNEL(T) extern "C" __global__ void set_##T(T *p) { p[0] = 42; }
    KERNEL(int)
    KERNEL(double)
    // extern "C" __global__ void commented(int *p);
    /* __constant__ int commented_too; */
    static const char *text = "extern \"C\" __global__ void quoted(int *p) {";
    """
    m = cp.RawModule(code=code, options=("-DVALUE=7",))
    x, y = cp.zeros(1, "i"), cp.zeros(1)
    m.get_function("taken")((1,), (1,), (x,))
    assert x.tolist() == [7]
    m.get_function("set_int")((1,), (1,), (x,))
    m.get_function("set_double")((1,), (1,), (y,))
    assert (x.tolist(), y.tolist()) == ([42], [42])
    for name in ("skipped", "quoted", "commented"):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="NOT_FOUND"):
            m.get_function(name)


def test_module_from_nothing_or_both():
    with pytest.raises(TypeError, match="code or path"):
        cp.RawModule()
    with pytest.raises(TypeError, match="cannot both"):
        cp.RawModule(code="", path="")
    with pytest.raises(TypeError, match="code must be str"):
        cp.RawModule(code=b"")


def test_module_from_a_file_that_is_no_binary(tmp_path):
    path = tmp_path / "kernel.bin"
    with pytest.raises(OSError, match="kernel.bin"):
        cp.RawModule(path=str(path)).get_function("f")
    path.write_bytes(b"not a binary")
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="INVALID_IMAGE"):
        cp.RawModule(path=str(path)).get_function("f")


# ---- options and messages ------------------------------------------------------------


def test_defines_and_includes(tmp_path):
    (tmp_path / "mine.cuh").write_text("#define FIVE 5\n#include <inner.cuh>\n")
    (tmp_path / "inner.cuh").write_text("__device__ int six() { return 6; }\n")
    code = """
    #include "mine.cuh"
    extern "C" __global__ void f(int *p) { p[0] = FIVE + six() + SEVEN; }"""
    options = (f"-I{tmp_path}", "-D", "SEVEN=7", "--gpu-architecture=sm_80")
    x = cp.zeros(1, "i")
    cp.RawKernel(code, "f", options)((1,), (1,), (x,))
    assert x.tolist() == [18]
    (tmp_path / "inner.cuh").write_text("__device__ int six() { return 600; }\n")
    cp.RawKernel(code, "f", options)((1,), (1,), (x,))
    assert x.tolist() == [612]


MACROS = [
    ("-DNAME=f", "-DN(x)=x*2"),
    ("-D", "NAME=f", "-D", "N(x)=x*2"),
    ("--define-macro=NAME=f", "--define-macro=N(x)=x*2", "-Dgone", "-Ugone"),
]


@pytest.mark.parametrize("options", MACROS)
def test_macros(options):
    """One of them names the kernel, one takes an argument."""
    code = """
    extern "C" __global__ void NAME(int *gone) { gone[0] = N(3) + __LINE__; }"""
    out = cp.zeros(1, "i")
    cp.RawKernel(code, "f", options)((1,), (1,), (out,))
    assert out.item() == 8


@pytest.mark.parametrize("header", ["cupric/complex.cuh", "cupy/complex.cuh"])
def test_complex_header(header):
    code = f"""
    #include <{header}>
    extern "C" __global__ void f(complex<float> *z) {{ z[0] *= z[0]; }}"""
    z = cp.array([1 + 2j], "F")
    cp.RawKernel(code, "f")((1,), (1,), (z,))
    assert z.item() == -3 + 4j


def test_option_that_there_is_not():
    with pytest.raises(
        cp.cuda.compiler.CompileException, match="unrecognized.*--bogus"
    ):
        cp.RawKernel(ADD, "my_add", ("--bogus",)).compile()


def test_options_are_strings():
    with pytest.raises(TypeError, match="an option must be str"):
        cp.RawKernel(ADD, "my_add", (3,))


def test_message_of_a_source_that_does_not_compile():
    code = 'extern "C" __global__ void f(int *p) {\n    p[0] = undeclared;\n}\n'
    with pytest.raises(cp.cuda.compiler.CompileException) as info:
        cp.RawKernel(code, "f", ("-DX",)).compile()
    text = str(info.value)
    assert text.startswith("kernel.cu:2: ")
    assert "undeclared" in text
    assert "   2      p[0] = undeclared;" in text
    assert info.value.source == code
    assert info.value.options == ("-DX",)
    assert pickle.loads(pickle.dumps(info.value)).source == code


MISTAKES = {
    "undeclared": ('extern "C" __global__ void f(int *p)\n{\n  *p = none;\n}\n', 3),
    "warnings first": (
        'extern "C" __global__ void f(int *p)\n{\n  int a;\n  int b;\n  *p = c;\n}\n',
        5,
    ),
    "in a template": (
        "template <class T> __device__ void g(T x)\n{\n  x.none();\n}\n"
        'extern "C" __global__ void f(int *p)\n{\n  g(*p);\n}\n',
        3,
    ),
    "behind the preprocessor": (
        "#if 1\n#define N 3\n#endif\n"
        'extern "C" __global__ void f(int *p)\n{\n\n  *p = N + none;\n}\n',
        7,
    ),
    "no header": (
        '#include "there_is_none.h"\nextern "C" __global__ void f(int *p) {}\n',
        1,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("options", [(), ("-DM=2",)])
def test_the_first_line_of_a_message_is_the_mistake(mistake, options):
    code, line = MISTAKES[mistake]
    with pytest.raises(cp.cuda.compiler.CompileException) as info:
        cp.RawKernel(code, "f", options).compile()
    first = str(info.value).splitlines()[0]
    assert first.startswith(f"kernel.cu:{line}: ")
    if mistake != "in a template":  # which NVRTC describes by its type alone
        assert ("c" if "first" in mistake else "none") in first


@pytest.mark.only_on("host")
def test_messages_are_in_english(tmp_path):
    """Of a compiler that would speak another language."""
    speaks = tmp_path / "c++"
    speaks.write_text(
        '#!/bin/sh\necho "kernel.cu:1:2: error: $LC_MESSAGES $LC_ALL" >&2\nexit 1\n'
    )
    speaks.chmod(0o755)
    program = """
import cupric as cp
try:
    cp.RawKernel('extern "C" __global__ void f() {}', "f").compile()
except cp.cuda.compiler.CompileException as error:
    print(str(error).splitlines()[0])
"""
    environment = {"CXX": str(speaks), "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}
    environment["CUPRIC_CACHE_DIR"] = str(tmp_path)
    environment["PYTHONPATH"] = str(Path(cp.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "kernel.cu:1: C \n"


def test_backend():
    assert cp.RawKernel(ADD, "my_add", backend="nvcc").backend == "nvcc"
    with pytest.raises(ValueError, match="backend must be"):
        cp.RawKernel(ADD, "my_add", backend="hipcc")


# ---- the object ----------------------------------------------------------------------


def test_attributes(add):
    assert add.name == "my_add"
    assert add.code == ADD
    assert add.options == ()
    assert add.backend == "nvrtc"
    assert add.file_path is None
    assert add.name_expressions is None
    assert add.jitify is None
    assert not add.enable_cooperative_groups
    assert not add.translate_cucomplex
    assert add.max_threads_per_block == 1024
    assert add.attributes["max_threads_per_block"] == 1024
    assert set(add.attributes) >= {"num_regs", "shared_size_bytes", "local_size_bytes"}
    for value in add.attributes.values():
        assert isinstance(value, int)
    with pytest.raises(AttributeError):
        add.num_regs = 3


def test_dynamic_shared_memory_limit():
    code = r"""
    extern "C" __global__ void f(char *out, int n) {
        extern __shared__ char memory[];
        for (int i = 0; i < n; i++) memory[i] = i;
        out[0] = memory[n - 1];
    }"""
    k = cp.RawKernel(code, "f")
    out = cp.zeros(1, "b")
    assert k.max_dynamic_shared_size_bytes == 49152
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="shared memory"):
        k((1,), (1,), (out, 65536), shared_mem=65536)
    k.max_dynamic_shared_size_bytes = 65536
    k((1,), (1,), (out, 65536), shared_mem=65536)
    assert out.tolist() == [-1]
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="INVALID_VALUE"):
        k.max_dynamic_shared_size_bytes = 10**6
    with pytest.raises(TypeError):
        k.max_dynamic_shared_size_bytes = "a"


def test_static_shared_memory_is_counted():
    code = """
    extern "C" __global__ void f(int *p) {
        __shared__ int s[100];
        s[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        p[0] = s[p[1]];
    }"""
    assert cp.RawKernel(code, "f").shared_size_bytes >= 400


def test_pickle(add):
    again = pickle.loads(pickle.dumps(add))
    x = cp.ones(2, "f")
    again((1,), (2,), (x, x, x))
    assert x.tolist() == [2, 2]


def test_pickle_keeps_what_was_given():
    kernel = cp.RawKernel(
        ADD, "my_add", ("-DX=1",), enable_cooperative_groups=True, jitify=False
    )
    again = pickle.loads(pickle.dumps(kernel))
    assert again.options == ("-DX=1",)
    assert again.enable_cooperative_groups
    assert again.jitify is False


def test_pickle_of_modules():
    names = ["fill<float>", "fill<int>"]
    code = "template <class T> __global__ void fill(T *x) { x[0] = N; }"
    module = cp.RawModule(code=code, options=("-DN=7",), name_expressions=names)
    again = pickle.loads(pickle.dumps(module))
    assert (again.code, again.options) == (code, ("-DN=7",))
    assert again.name_expressions == tuple(names)
    x = cp.zeros(1, "i")
    again.get_function("fill<int>")((1,), (1,), (x,))
    assert x.tolist() == [7]
    kernel = pickle.loads(pickle.dumps(module.get_function("fill<float>")))
    y = cp.zeros(1, "f")
    kernel((1,), (1,), (y,))
    assert y.tolist() == [7]
    by_path = pickle.loads(pickle.dumps(cp.RawModule(path="a.cubin")))
    assert (by_path.file_path, by_path.code) == ("a.cubin", None)


def test_function_and_module_of_cuda(add):
    f = add.kernel
    assert isinstance(f, cp.cuda.Function)
    x = cp.ones(300, "f")
    f.linear_launch(x.size // 128 * 128, (x, x, x))
    assert float(x.sum()) == 300 + 256
    f((1,), (10,), (x, x, x))
    with pytest.raises(ValueError, match="empty"):
        cp.cuda.Module().get_function("f")


def test_kernels_outlive_their_module():
    m = cp.RawModule(code='extern "C" __global__ void f(int *p) { p[0] = 1; }')
    f = m.get_function("f")
    del m
    gc.collect()
    x = cp.zeros(1, "i")
    f((1,), (1,), (x,))
    assert x.tolist() == [1]


def test_construction():
    with pytest.raises(TypeError):
        cp.RawKernel(ADD)
    with pytest.raises(TypeError):
        cp.RawKernel(1, "f")
    with pytest.raises(TypeError):
        cp.RawModule(ADD)


def test_two_devices(add):
    if cp.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one device")
    with cp.cuda.Device(1):
        y = cp.ones(2, "f")
    with pytest.raises(ValueError, match="different devices"):
        add((1,), (2,), (cp.ones(2, "f"), y, y))
    add((1,), (2,), (y, y, y))
    assert y.tolist() == [2, 2]


@pytest.mark.parametrize(
    "code",
    [
        "",
        "}",
        "{{{{",
        "template <",
        '"unfinished',
        'R"(raw',
        "/* open",
        "extern",
        "extern __shared__",
        "extern __shared__ int x[",
        "__global__",
        "__global__ void f(",
        "namespace",
        "#",
        "#include",
        "#include <",
        "namespace a { " * 20_000,
        "(" * 20_000,
        "\\",
        "\x01\x7f\u00e9",
    ],
)
def test_sources_that_are_none(code, device):
    if device == "cuda":
        code = code[:14_000]  # 100,000 namespaces take NVRTC four minutes
    with pytest.raises((cp.cuda.compiler.CompileException, RuntimeError)):
        cp.RawModule(code=code).get_function("f")


@pytest.mark.parametrize("captured", [False, True])
def test_launch_after_an_invalid_name(captured):
    code = 'extern "C" __global__ void good(int *p) { p[0] += 1; }'
    module = cp.RawModule(code=code)
    good, bad = cp.RawKernel(code, "good"), cp.RawKernel(code, "bad")
    x = cp.zeros(1, "i")
    good((1,), (1,), (x,))  # compiled: a capture is for launches
    stream = cp.cuda.Stream(non_blocking=True)

    def calls():
        for _ in range(2):
            with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="bad"):
                bad((1,), (1,), (x,))
            with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="worse"):
                module.get_function("worse")((1,), (1,), (x,))
            good((1,), (1,), (x,))

    cp.cuda.get_current_stream().synchronize()
    with stream:
        if captured:
            stream.begin_capture()
            calls()
            stream.end_capture().launch()
        else:
            calls()
        stream.synchronize()
    assert x.tolist() == [3]


STRIDED = r"""
#include <cupy/carray.cuh>
extern "C" __global__ void twice(CArray<double, 2, false> x, CArray<double, 1, false> n) {
    const int i = threadIdx.x;
    const ptrdiff_t at[2] = {i / x.shape()[1], i % x.shape()[1]};
    if (i < x.size()) x[at] *= 2;
    if (i == 0) n[0] = x.shape()[0] * 100 + x.shape()[1];
}
"""


def test_an_array_with_its_shape_and_strides():
    """`cstruct` is a parameter CArray<T, ndim, false>."""
    a, n = np.arange(12.0).reshape(3, 4), cp.zeros(1)
    x = cp.asarray(a)
    cp.RawKernel(STRIDED, "twice")((1,), (32,), (x[::2, ::-1].cstruct, n.cstruct))
    a[::2] *= 2
    np.testing.assert_array_equal(x.get(), a)
    assert float(n[0]) == 204
