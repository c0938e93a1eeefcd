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

from cupric import _core  # noqa: E402

# All special functions for all architectures, and by nvcc, too.
EVERYTHING = os.environ.get("CUPRIC_TEST_EVERYTHING") == "1"
FAMILIES = sorted(
    {getattr(_core.special, n)._family for n in dir(_core.special) if n[0] != "_"}
)
ARCHITECTURES = ("compute_75", "compute_80", "compute_90", "compute_100")
FAMILY_ARCHITECTURES = [
    (family, arch)
    for k, family in enumerate(FAMILIES)
    for i, arch in enumerate(ARCHITECTURES)
    if EVERYTHING or i == k % len(ARCHITECTURES)
]


def ctypes_by_letter():
    text = (INCLUDE / "cupric" / "dtypes.inc").read_text()
    return dict(re.findall(r"^CUPRIC_TYPE\(\w+, '(.)', (.+)\)$", text, re.M))


def table_rows():
    """(name, nin, nout, signatures, expression) of each row: of special functions those
    signatures that others are computed by."""
    for row in rows.elementwise():
        signatures = [s.replace(">", "") for s in rows.signatures(row)]
        if row["table"] == "special":
            computed = getattr(_core.special, row["name"])._computed
            signatures = [s.replace("->", "") for s in dict.fromkeys(computed)]
        nin, nout = int(row["nin"]), int(row["nout"])
        yield row["name"], nin, nout, signatures, row["expression"]


def special_rows(family):
    """Of one family."""
    for row in table_rows():
        ufunc = getattr(_core.special, row[0], None)
        if ufunc is not None and ufunc._family == family:
            yield row


def plain_rows():
    """Those that are no special function."""
    special = {row["name"] for row in rows.elementwise() if row["table"] == "special"}
    return [row for row in table_rows() if row[0] not in special]


def kernel(name, index, types, nin, nout, code):
    inputs, outputs = types[:nin], types[nin:]
    lines = [f'extern "C" __global__ void {name}_{index}(']
    lines += [", ".join(f"{t} *p{k}" for k, t in enumerate(types)) + ")", "{"]
    for k, (variable, t) in enumerate(zip("abcdef", inputs, strict=False)):
        lines += [f"    typedef {t} {variable.upper()};"]
        lines += [f"    const {variable.upper()} {variable} = p{k}[0];"]
    for variable, t in zip("rstu", outputs, strict=False):
        lines += [f"    typedef {t} {variable.upper()}; {variable.upper()} {variable};"]
    lines += [f"    r = convert<R>({code});" if nout == 1 else f"    {code};"]
    lines += [
        f"    p{nin + k}[0] = {variable};" for k, variable in enumerate("rstu"[:nout])
    ]
    return "\n".join([*lines, "}"])


def source(listed, family="special"):
    types = ctypes_by_letter()
    folder = "math" if family == "special" else "special"
    parts = [f'#include "cupric/{folder}/{family}.hpp"', "namespace cupric {"]
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
    path = tmp_path / "rows.cu"
    path.write_text(source(plain_rows()[part::4]))
    compile_with_nvcc(path, arch, tmp_path)


@pytest.mark.skipif(not find_nvcc(), reason="needs nvcc")
@pytest.mark.skipif(
    not EVERYTHING, reason="CUPRIC_TEST_EVERYTHING=1, as .ci/gpu has it"
)
@pytest.mark.parametrize("family", FAMILIES)
def test_special_functions_compile_with_nvcc(family, tmp_path):
    path = tmp_path / "rows.cu"
    path.write_text(source(special_rows(family), family))
    compile_with_nvcc(path, "sm_90", tmp_path)


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
    text = source(plain_rows()[:: 1 if arch == "compute_90" else 6])
    options = [f"--gpu-architecture={arch}", "--std=c++17", f"-I{INCLUDE}"]
    status, log = nvrtc_compile(nvrtc, text, options)
    assert status == 0, log[:4000]


@pytest.mark.parametrize(("family", "arch"), FAMILY_ARCHITECTURES)
def test_special_functions_compile_with_nvrtc(family, arch):
    """Every function of a family, once, for one architecture: the headers are most of
    the time, and a kernel of each would take minutes."""
    nvrtc = find_nvrtc()
    if nvrtc is None:
        skip_without_toolkit("needs libnvrtc")
    options = [f"--gpu-architecture={arch}", "--std=c++17", f"-I{INCLUDE}"]
    text = source(special_rows(family), family)
    status, log = nvrtc_compile(nvrtc, text, options)
    assert status == 0, log[:4000]
