"""The headers and every expression of the elementwise tables compile as device code.

nvcc turns one generated file per group of rows into PTX; NVRTC, where its library is
found, takes the same text without any standard header. Nothing runs, so no GPU is
needed.
"""

import ctypes
import ctypes.util
import glob
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "cuda" / "include"
sys.path.append(str(ROOT))
from tools import rows  # noqa: E402


def ctypes_by_letter():
    text = (INCLUDE / "cupric" / "dtypes.inc").read_text()
    return dict(re.findall(r"^CUPRIC_TYPE\(\w+, '(.)', (.+)\)$", text, re.M))


def table_rows():
    """(name, nin, nout, signatures, expression) of each row."""
    for row in rows.elementwise():
        signatures = [s.replace(">", "") for s in rows.signatures(row)]
        nin, nout = int(row["nin"]), int(row["nout"])
        yield row["name"], nin, nout, signatures, row["expression"]


def kernel(name, index, types, nin, nout, code):
    inputs, outputs = types[:nin], types[nin:]
    lines = [f'extern "C" __global__ void {name}_{index}(']
    lines += [", ".join(f"{t} *p{k}" for k, t in enumerate(types)) + ")", "{"]
    for letter, variable, t in zip("ABCD", "abcd", inputs, strict=False):
        lines += [f"    typedef {t} {letter};"]
        lines += [f"    const {letter} {variable} = p{'abcd'.index(variable)}[0];"]
    for letter, variable, t in zip("RS", "rs", outputs, strict=False):
        lines += [f"    typedef {t} {letter}; {letter} {variable};"]
    lines += [f"    r = convert<R>({code});" if nout == 1 else f"    {code};"]
    lines += [f"    p{nin}[0] = r;"]
    if nout == 2:
        lines += [f"    p{nin + 1}[0] = s;"]
    return "\n".join([*lines, "}"])


def source(listed):
    types = ctypes_by_letter()
    headers = sorted((ROOT / "cuda/include/cupric/special").glob("*.hpp"))
    parts = [f'#include "cupric/special/{path.name}"' for path in headers]
    parts += ['#include "cupric/math/special.hpp"', "namespace cupric {"]
    for name, nin, nout, signatures, code in listed:
        for index, letters in enumerate(signatures):
            if "!" not in letters:
                used = [types[letter] for letter in letters]
                parts.append(kernel(name, index, used, nin, nout, code))
    return "\n".join([*parts, "}"])


def find_nvrtc():
    found = ctypes.util.find_library("nvrtc")
    local = sorted(glob.glob("/usr/local/cuda*/lib64/libnvrtc.so.*"))
    for path in [found, *local]:
        if path and "alt" not in path:
            try:
                return ctypes.CDLL(path)
            except OSError:
                continue
    return None


def skip_without_toolkit(reason):
    """Where there is a toolkit, what it lacks is a fault."""
    assert not find_nvcc(), f"{find_nvcc()} is there, but this {reason}"
    pytest.skip(reason)


def find_nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def nvrtc_compile(nvrtc, text, options):
    program = ctypes.c_void_p()
    made = nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), text.encode(), b"table.cu", 0, None, None
    )
    assert made == 0
    flags = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    status = nvrtc.nvrtcCompileProgram(program, len(options), flags)
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return status, log.value.decode()


def test_every_row_is_read():
    listed = []
    for table in ("ufunc", "special"):
        text = rows.text_of(table)
        listed += re.findall(r"^(?:UFUNC|SPECIAL)\((\w+)", text, re.M)
    assert [row[0] for row in table_rows()] == listed
    assert all(row[3] for row in table_rows())


@pytest.mark.skipif(not find_nvcc(), reason="needs nvcc")
@pytest.mark.parametrize(
    ("part", "arch"), list(enumerate(["sm_75", "sm_80", "sm_90", "sm_100"]))
)
def test_rows_compile_with_nvcc(part, arch, tmp_path):
    listed = list(table_rows())[part::4]
    path = tmp_path / "rows.cu"
    path.write_text(source(listed))
    compile_with_nvcc(path, arch, tmp_path)


@pytest.mark.skipif(not find_nvcc(), reason="needs nvcc")
def test_the_measurement_of_errors_compiles(tmp_path):
    compile_with_nvcc(ROOT / "tools/accuracy.cu", "sm_90", tmp_path)


def compile_with_nvcc(path, arch, folder):
    command = [find_nvcc(), "-std=c++17", "-ptx", f"-arch={arch}", "-Xptxas", "-O0"]
    command += ["-Werror", "all-warnings", f"-I{INCLUDE}", str(path)]
    # Not under the sanitizers that our library may be preloaded with.
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run(
        [*command, "-o", str(folder / f"{path.stem}.ptx")],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[:4000]


@pytest.mark.parametrize("arch", ["compute_75", "compute_90"])
def test_rows_compile_with_nvrtc(arch):
    nvrtc = find_nvrtc()
    if nvrtc is None:
        skip_without_toolkit("needs libnvrtc")
    text = source(list(table_rows())[:: 1 if arch == "compute_90" else 6])
    options = [f"--gpu-architecture={arch}", "--std=c++17", f"-I{INCLUDE}"]
    status, log = nvrtc_compile(nvrtc, text, options)
    assert status == 0, log[:4000]
