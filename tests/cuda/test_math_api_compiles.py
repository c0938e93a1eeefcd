"""CUDA's math API: the calls of kernel/device_functions.py name all of it, and compile
for a GPU with the package's options and headers."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "kernel"))
from device_functions import GROUPS, STATEMENTS, source

from .test_device_code_compiles import find_nvcc, find_nvrtc, skip_without_toolkit

TOOLKIT_HEADERS = [
    "crt/math_functions.h",
    "crt/device_functions.h",
    "crt/device_double_functions.h",
    "sm_32_intrinsics.h",
    "sm_61_intrinsics.h",
    "cuda_fp16.h",
    "cuda_bf16.h",
]
# The functions' declarations begin with one of these.
DECLARES = (
    r"__DEVICE_FUNCTIONS_(?:STATIC_)?DECL__|__DEVICE_HOST_FUNCTIONS_STATIC_DECL__|"
    r"__MATH_FUNCTIONS_(?:DEVICE_)?DECL__|extern __host__ __device__|extern __device__|"
    r"__DEVICE_DOUBLE_FUNCTIONS_(?:STATIC_)?DECL__|__SM_\d+_INTRINSICS_DECL__|"
    r"__CUDA_(?:HOSTDEVICE_)?(?:FP16|BF16)_DECL__"
)
# What is declared there and is no mathematics, or no function of users.
OTHERS = {
    *("clock", "clock64", "printf", "malloc", "free", "memcpy", "memset", "assert"),
    *("dadd", "dmul", "dsub", "fdivide", "int2double", "uint2double", "ll2double"),
    *("ull2double", "float2double", "double2int", "double2uint", "double2ll"),
    *("double2ull", "__brkpt", "__trap", "__pm0", "__pm1", "__pm2", "__pm3"),
    "__prof_trigger",
    *("__finite", "__finitef", "__finitel", "__signbitl", "__isinfl", "__isnanl"),
    *("__signbit", "__signbitf", "__signbitd", "__isinf", "__isinff", "__isinfd"),
    *("__isnan", "__isnanf", "__isnand", "__isfinite", "__isfinitef", "__isfinited"),
    *("__isGlobal", "__isShared", "__isConstant", "__isLocal", "__isGridConstant"),
    *("atomicAdd", "htanh_approx", "h2tanh_approx", "operator"),
}
NO_MATHEMATICS = re.compile(
    r"__ld|__st|__shfl|__syncthreads|__threadfence|__nv|_?__u128|__i?[Aa]tomic|_?_libcpp|"
    r"__cvta|__attribute__|__CUDA|defined|if$|__cmath_power|__pow_helper|\w+_TO_US$|\w+_BITS$|"
    r"__dp|make_|__launch|cuda|_[A-Z]|_?_[df]?sign|_hypot|_ldsign|_fdsign|__barrier"
)


def declared_names(folder):
    names = set()
    for header in TOOLKIT_HEADERS:
        path = folder / header
        if not path.exists():
            continue
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.S)
        text = text.replace("\\\n", " ")
        for declaration in re.findall(rf"(?:{DECLARES})([^;{{}}()]*)\(", text):
            name = re.findall(r"\w+", declaration)
            names |= set(name[-1:])
    return {n for n in names - OTHERS if not NO_MATHEMATICS.match(n)}


def test_every_function_of_the_toolkit_is_called():
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("needs the toolkit's headers")
    folders = Path(nvcc).resolve().parents[1].glob("**/crt/math_functions.h")
    names = declared_names(next(folders).parents[1])
    assert len(names) > 700
    calls = " ".join([*STATEMENTS, *(c for listed in GROUPS.values() for c in listed)])
    missing = names - set(re.findall(r"\w+", calls))
    assert not missing, sorted(missing)


@pytest.mark.parametrize("group", GROUPS)
def test_calls_compile_for_a_gpu(run, group):
    if find_nvrtc() is None:
        skip_without_toolkit("needs libnvrtc")
    text = source(GROUPS[group], STATEMENTS if group == "reals" else (), group)
    run(f"import cupric as cp\ncp.RawModule(code={text!r}).compile()")
