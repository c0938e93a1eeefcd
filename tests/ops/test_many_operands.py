"""Rows of up to six inputs and four outputs, of mixed dtypes: the host's loops of rows
that the package does not have, and that their CUDA kernels compile.
"""

import ctypes
import itertools
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests/cuda"))
from test_device_code_compiles import (  # noqa: E402
    find_nvrtc,
    nvrtc_compile,
    skip_without_toolkit,
)
from tools import kernel_keys  # noqa: E402

OWN = ROOT / "tests/ops/operands"
INCLUDE = [f"-I{OWN}", f"-I{ROOT}/src", f"-I{ROOT}/cuda/include", f"-I{ROOT}/cuda"]
ROWS = re.findall(
    r'SPECIAL\((\w+), (\d), (\d), "\w+", orthogonal, "([^"]+)"',
    (OWN / "ops/special/orthogonal.def").read_text(),
)
CASES = [(name, sig) for name, _, _, text in ROWS for sig in text.split()]
EXPECTED = {
    "six": lambda a, b, c, d, e, f: a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f,
    "four": lambda a, b: (a + b, a - b, a * b, b),
    "six_two": lambda a, b, c, d, e, f: (a + b + c, d + e + f),
    "parts": lambda a: (a, a + a, a * a, -a),
    "complex_last": lambda a, b, c, d: a + b * c * d,
    "orders": lambda a, b, c, d: a - b + c / d,
    "to_complex": lambda a: (a + 2j * a, -a, a),
}


@pytest.fixture(scope="module")
def loops(tmp_path_factory):
    """{(row, signature): the loop}."""
    path = tmp_path_factory.mktemp("operands") / "loops.so"
    command = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-w", *INCLUDE]
    subprocess.run([*command, str(OWN / "loops.cpp"), "-o", str(path)], check=True)
    library = ctypes.CDLL(str(path))
    table = (ctypes.c_void_p * (len(ROWS) * 24 * 2))()
    fill = next(
        getattr(library, name)
        for name in symbols(path)
        if "cu_loops_orthogonal" in name
    )
    fill(table)
    kind = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
    )  # cu_loop
    found = {}
    for row, (name, _, _, text) in enumerate(ROWS):
        for i, sig in enumerate(text.split()):
            found[name, sig] = kind(table[(row * 24 + i) * 2])
    return found


def symbols(path):
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split()[-1] for line in listed.stdout.splitlines()]


@pytest.mark.parametrize(("name", "sig"), CASES)
@pytest.mark.parametrize("step", [1, 2, 0])
def test_loops(loops, name, sig, step):
    """Of dense operands, of every second element and of inputs that are one number; of
    several blocks of what is converted."""
    inputs, _, outputs = sig.partition(">")
    n = 700
    rng = np.random.default_rng(0)
    given = [(rng.random(2 * n) * 9 + 1).astype(letter) for letter in inputs]
    given = [a + np.array(0.5j, a.dtype) if a.dtype.kind == "c" else a for a in given]
    results = [np.zeros(2 * n, letter) for letter in outputs]
    out_step = step or 1
    operands = [*given, *results]
    places = (ctypes.c_void_p * 8)(*[a.ctypes.data for a in operands])
    strides = (ctypes.c_int64 * 8)(
        *[a.itemsize * step for a in given],
        *[a.itemsize * out_step for a in results],
    )
    loops[name, sig](places, strides, n)
    taken = [a[: n * step : step] if step else a[:1] for a in given]
    wide = [
        a.astype({"l": "l", "f": "d", "F": "D"}.get(a.dtype.char, a.dtype))
        for a in taken
    ]
    expected = EXPECTED[name](*wide)
    if not isinstance(expected, tuple):
        expected = (expected,)
    for got, want, letter in zip(results, expected, outputs, strict=True):
        want = np.broadcast_to(want, n).astype(letter)
        np.testing.assert_allclose(got[: n * out_step : out_step], want, rtol=1e-6)
        assert (got[1 : n * out_step : 2] == 0).all() if out_step == 2 else True


@pytest.fixture(scope="module")
def codegen(tmp_path_factory):
    path = tmp_path_factory.mktemp("operands") / "codegen.so"
    command = ["cc", "-std=c11", "-O0", "-w", "-shared", "-fPIC", *INCLUDE]
    writers = map(str, kernel_keys.WRITERS)
    subprocess.run([*command, *writers, "-o", str(path)], check=True)
    return ctypes.CDLL(str(path))


def test_kernels_compile(codegen):
    """Dense, strided, in rows, with a mask; as stored and with others beside."""
    nvrtc = find_nvrtc()
    if nvrtc is None:
        skip_without_toolkit("needs libnvrtc")
    tables = kernel_keys.Tables(codegen)
    source = ctypes.create_string_buffer(8192)
    layouts = itertools.cycle(
        [("DENSE", 0), ("STRIDED", 2), ("ROWS", 0), ("STRIDED", 0), ("DENSE", 2)]
    )
    options = ["--std=c++17", f"-I{ROOT}/cuda/include", "-arch=sm_80"]
    for name, sig in CASES:
        op, number, types = tables.signature(name, sig.partition(">")[0])
        layout, flags = next(layouts)
        stored = list(types)
        stored[0] = kernel_keys.ALL.index("i")
        k = kernel_keys.key(
            kernel_keys.C["KERNEL_ELEMENTWISE"],
            stored,
            op,
            number,
            kernel_keys.C["LAYOUT_" + layout],
            (2, 1),
            flags,
        )
        assert codegen.cu_cuda_source(ctypes.byref(k), source, len(source))
        text = source.value.decode()
        status, log = nvrtc_compile(nvrtc, text, options)
        assert status == 0, f"{text}\n{log[:3000]}"


def test_what_each_is_computed_in(codegen):
    """float64 and complex128, and integers as floats where there is such a row."""
    tables = kernel_keys.Tables(codegen)
    found = {}
    for name, sig in CASES:
        op, number, _ = tables.signature(name, sig.partition(">")[0])
        wide = tables.types(op, codegen.cu_cuda_wide_signature(op, number))
        found[name, sig] = "".join(kernel_keys.ALL[t] for t in wide)
    assert found["six", "lldddd>d"] == found["six", "ffffff>f"] == "ddddddd"
    assert found["four", "lf>ffff"] == "lddddd"
    assert found["parts", "F>FFFF"] == "DDDDD"
    assert found["complex_last", "fffF>F"] == "dddDD"
    assert found["orders", "lldd>d"] == "lldd" + "d"
    assert found["to_complex", "f>FFd"] == "dDDd"
