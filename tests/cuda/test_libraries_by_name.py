"""cupric.cuda's modules that pass on libraries: nvrtc, compiler, thrust, cub, …"""

import ctypes
import doctest
import io
import pickle
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric.cuda import compiler, cub, driver, function, nvrtc, runtime, thrust

SOURCE = """
template <typename T> __global__ void fill(T *x, T value) { x[threadIdx.x] = value; }
extern "C" __global__ void one(int *x) { x[0] = WHAT; }
"""
LIBRARIES = [
    *Path("/usr/local").glob("cuda*/lib*/libnvrtc.so*"),
    *Path(np.__file__).parents[1].glob("nvidia/*/lib/libnvrtc.so*"),
]


@pytest.fixture
def library(monkeypatch):
    """NVRTC, wherever it is: it needs no GPU."""
    if nvrtc.library_path() is None:
        if not LIBRARIES:
            pytest.skip("there is no NVRTC")
        monkeypatch.setattr(nvrtc, "_library", ctypes.CDLL(str(min(LIBRARIES))))


def test_without_nvrtc():
    if nvrtc.library_path() is not None:
        pytest.skip("there is NVRTC")
    with pytest.raises(NotImplementedError, match="NVRTC is not there"):
        nvrtc.getVersion()


@pytest.mark.usefixtures("library")
def test_nvrtc():
    major, minor = nvrtc.getVersion()
    assert major >= 12
    assert minor >= 0
    assert 90 in nvrtc.getSupportedArchs()
    program = nvrtc.createProgram(
        '#include "what.h"\n' + SOURCE, "a.cu", ["#define WHAT 7"], ["what.h"]
    )
    nvrtc.addNameExpression(program, "fill<float>")
    nvrtc.compileProgram(program, ["-arch=sm_90"])
    name = nvrtc.getLoweredName(program, "fill<float>")
    assert name.startswith("_Z4fill")
    assert nvrtc.getCUBIN(program)[:4] == b"\x7fELF"
    assert name in nvrtc.getPTX(program)
    assert nvrtc.getProgramLog(program) == ""
    nvrtc.destroyProgram(program)


@pytest.mark.usefixtures("library")
def test_nvrtc_of_what_does_not_compile():
    program = nvrtc.createProgram(SOURCE, "a.cu", (), ())
    with pytest.raises(nvrtc.NVRTCError, match="NVRTC_ERROR_COMPILATION") as raised:
        nvrtc.compileProgram(program, ())
    assert raised.value.status == 6
    assert pickle.loads(pickle.dumps(raised.value)).status == 6
    assert "WHAT" in nvrtc.getProgramLog(program)
    nvrtc.destroyProgram(program)
    with pytest.raises(ValueError, match="1 headers have 2 names"):
        nvrtc.createProgram("", "a.cu", ["x"], ["x", "y"])


@pytest.mark.usefixtures("library")
def test_compile_using_nvrtc():
    given = {"arch": "90", "options": ("-DWHAT=3",)}
    binary, names = compiler.compile_using_nvrtc(SOURCE, **given)
    assert binary[:4] == b"\x7fELF"
    assert names is None
    log = io.StringIO()
    ptx, names = compiler.compile_using_nvrtc(
        SOURCE, **given, method="ptx", name_expressions=["fill<int>"], log_stream=log
    )
    assert b".entry one" in ptx
    assert names["fill<int>"].encode() in ptx
    lto, _ = compiler.compile_using_nvrtc(SOURCE, **given, method="lto")
    assert len(lto) > 100
    with pytest.raises(compiler.CompileException, match="WHAT"):
        compiler.compile_using_nvrtc(SOURCE, arch="90")
    with pytest.raises(ValueError, match="method"):
        compiler.compile_using_nvrtc(SOURCE, method="x")


def test_compile_using_other_compilers(monkeypatch):
    with pytest.raises(compiler.HIPCCException):
        compiler.compile_using_hipcc("", (), "gfx90a")
    monkeypatch.setenv("NVCC", "no_such_compiler_xyz")
    with pytest.raises(FileNotFoundError):
        compiler.compile_using_nvcc("", arch="90")
    monkeypatch.setenv("NVCC", "/bin/sh -c 'echo wrong >&2; exit 1' --")
    with pytest.raises(compiler.CompileException, match="wrong"):
        compiler.compile_using_nvcc("", arch="90")
    with pytest.raises(ValueError, match="code_type"):
        compiler.compile_using_nvcc("", code_type="exe")
    monkeypatch.delenv("NVCC")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(compiler.NVCCException, match="not found"):
        compiler.compile_using_nvcc("", arch="90")


def test_nvcc():
    if cp.cuda.get_nvcc_path() is None:
        pytest.skip("there is no nvcc")
    made = compiler.compile_using_nvcc(SOURCE, ("-DWHAT=3",), "90", code_type="ptx")
    assert b".entry one" in made


# ---- thrust and cub ------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i4", "f8", "?"])
@pytest.mark.parametrize("shape", [(20,), (3, 7), (0,)])
def test_thrust(dtype, shape):
    a = np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)
    x = cp.asarray(a)
    index = cp.empty(shape, np.intp)
    thrust.argsort(dtype, index.data.ptr, x.data.ptr, 0, shape)
    np.testing.assert_array_equal(index.get(), a.argsort(axis=-1, kind="stable"))
    thrust.sort(dtype, x.data.ptr, 0, shape)
    np.testing.assert_array_equal(x.get(), np.sort(a))
    assert thrust.available
    assert thrust.get_build_version() == 0


def test_thrust_by_several_keys():
    a = np.random.default_rng(0).integers(0, 3, (3, 30))
    x, index = cp.asarray(a), cp.empty(30, np.intp)
    thrust.lexsort(a.dtype, index.data.ptr, x.data.ptr, 3, 30)
    np.testing.assert_array_equal(index.get(), np.lexsort(a))


A = np.random.default_rng(1).integers(1, 9, (3, 4, 5)).astype("f8")


@pytest.mark.parametrize("name", ["SUM", "PROD", "MIN", "MAX", "ARGMIN", "ARGMAX"])
def test_cub_reductions(name):
    op, x = cub.cupy_cub_op[f"CUPY_CUB_{name}"], cp.asarray(A)
    assert op == getattr(cub, f"CUPY_CUB_{name}")
    numpy = getattr(np, name.lower())
    for keep in (False, True):
        got = cub.cub_reduction(x, op, 1, keepdims=keep)
        np.testing.assert_allclose(got.get(), numpy(A, 1, keepdims=keep))
        got = cub.device_reduce(x, op, (0, 1, 2), (), keepdims=keep)
        np.testing.assert_allclose(got.get(), numpy(A, keepdims=keep))
        got = cub.device_segmented_reduce(x, op, (2,), (0, 1), keepdims=keep)
        np.testing.assert_allclose(got.get(), numpy(A, 2, keepdims=keep))
    out = cp.empty((3, 4), got.dtype)
    assert cub.device_segmented_reduce(x, op, (2,), (0, 1), out) is out
    np.testing.assert_allclose(out.get(), numpy(A, 2))
    with pytest.raises(ValueError, match="no reduction"):
        cub.cub_reduction(x, cub.CUPY_CUB_CUMSUM)


def test_cub_scans_and_histograms():
    x = cp.arange(1, 7, dtype="i4").reshape(2, 3)
    assert cub.cub_scan(x, cub.CUPY_CUB_CUMSUM) is x
    assert x.tolist() == [[1, 3, 6], [10, 15, 21]]
    assert cub.device_scan(cp.arange(1, 5), cub.CUPY_CUB_CUMPROD).tolist() == [
        1,
        2,
        6,
        24,
    ]
    with pytest.raises(ValueError, match="no scan"):
        cub.cub_scan(x, cub.CUPY_CUB_SUM)
    y = cp.empty(3, "i8")
    edges = np.array([1.0, 3, 6, 9])
    assert cub.cub_histogram(cp.asarray(A), y, cp.asarray(edges)) is y
    np.testing.assert_array_equal(y.get(), np.histogram(A, edges)[0])
    with pytest.raises(ValueError, match="4 edges have 3 bins, y 2"):
        cub.device_histogram(cp.asarray(A), y[:2], cp.asarray(edges))
    assert cub.available
    assert np.dtype("e") in cub.CUB_support_dtype
    assert np.dtype("?") not in cub.CUB_sum_support_dtype


# ---- arguments and links -------------------------------------------------------------


def test_arguments():
    assert function.CPointer(12).ptr == 12
    n = function.CIntptr(-3)
    assert (n.val, ctypes.c_ssize_t.from_address(n.ptr).value) == (-3, -3)
    u = function.CUIntMax(2**64 - 1)
    assert (u.val, ctypes.c_uint64.from_address(u.ptr).value) == (2**64 - 1, 2**64 - 1)
    a = function.CNumpyArray(np.array([1.5, 2.5])[::-1])
    assert (ctypes.c_double * 2).from_address(a.ptr)[:] == [2.5, 1.5]
    assert a.val.tolist() == [2.5, 1.5]
    pair = np.array((1, 2.5), [("n", "i4"), ("x", "f4")])  # has no axis, nor gets one
    assert function.CNumpyArray(pair).val is pair
    assert function.CNumpyArray(pair[()]).val == pair


def test_link():
    if not cp.cuda.is_available():
        with pytest.raises(NotImplementedError):
            function.LinkState()
        return
    arch = cp.cuda.Device().compute_capability
    ptx, _ = compiler.compile_using_nvrtc(SOURCE, ("-DWHAT=3",), arch, method="ptx")
    linker = function.LinkState()
    linker.add_ptr_data(ptx, "one.ptx")
    module = function.Module()
    module.load(linker.complete())
    x = cp.zeros(1, "i4")
    module.get_function("one")((1,), (1,), (x,))
    assert int(x[0]) == 3


def test_a_link_that_is_over():
    for call in (
        lambda: driver.linkAddData(1, driver.CU_JIT_INPUT_PTX, "", "a.ptx"),
        lambda: driver.linkAddFile(1, driver.CU_JIT_INPUT_PTX, "a.ptx"),
        lambda: driver.linkComplete(1),
        lambda: driver.linkDestroy(1),
    ):
        with pytest.raises(driver.CUDADriverError, match="INVALID_HANDLE|error 400"):
            call()


# ---- examples that are skipped where there is no GPU ---------------------------------

# One takes away what the package uses, one needs the whole toolkit, others a second
# device or process.
NOT_RUN = {"devicePrimaryCtxRelease", "compile_using_nvcc"}
NOT_RUN |= {"deviceEnablePeerAccess", "deviceDisablePeerAccess"}
NOT_RUN |= {"ipcOpenMemHandle", "ipcCloseMemHandle", "ipcOpenEventHandle"}


def run_examples(module):
    """All examples of a module. Those of its own docstring come first, as the others go
    on from them."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    found = doctest.DocTestFinder().find(module, globs={"cp": cp, "np": np})
    names = {}
    for test in sorted(found, key=lambda test: test.name != module.__name__):
        if test.name.rpartition(".")[2] in NOT_RUN:
            continue
        for example in test.examples:
            example.options.pop(doctest.SKIP, None)
        test.globs.update(names)
        assert runner.run(test, clear_globs=False).failed == 0
        if test.name == module.__name__:
            names = test.globs


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("module", [compiler, nvrtc])
def test_examples_with_nvrtc(module):
    run_examples(module)


@pytest.mark.only_on("cuda")
@pytest.mark.parametrize("module", [driver, runtime])
def test_examples_with_a_driver(module, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where they write files
    run_examples(module)
