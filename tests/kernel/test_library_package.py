"""A package of somebody else's with a kernel library: the example of the documentation."""

import doctest
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import cupric as cp
from cupric._lib.kernels import Library, _archive, _build, declarations

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "kernel_libraries.md"

PROGRAM = """
import cupric as cp, blur
x = cp.arange(6.0).reshape(3, 2)
for t in ("f4", "f8"):
    y = x.astype(t)
    print(blur.three_point(y).get(), blur.row_sums(y.T).get(), blur.rolled(y, 1).get())
print(cp._core._shipped_kernel_count(), cp._core._kernel_cache_counts())
"""


def blocks(language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", PAGE.read_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the package `blur` of the documentation lies."""
    if not PAGE.is_file():
        pytest.skip("no documentation here")
    made = tmp_path_factory.mktemp("packages")
    (made / "blur").mkdir()
    (made / "blur" / "blur.h").write_text(blocks("c")[0])
    (made / "blur" / "blur.cuh").write_text(blocks("cuda")[0])
    (made / "blur" / "blur.host.hpp").write_text(blocks("cpp")[0])
    (made / "blur" / "__init__.py").write_text(blocks("python")[0])
    return made


def run(folder, *command, device="host", **environment):
    path = os.pathsep.join([str(folder), str(Path(cp.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        env={**os.environ, "CUPRIC_DEVICE": device, "PYTHONPATH": path, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(folder):
    status, said = run(folder, "-m", "cupricx.kernels", "build", "blur")
    assert status == 0, said
    return folder


def test_example(folder, monkeypatch):
    """Whatever the page prints is printed."""
    monkeypatch.syspath_prepend(str(folder))
    page = "\n".join(blocks("python")[1:])
    test = doctest.DocTestParser().get_doctest(page, {}, "kernel_libraries", None, 0)
    assert len(test.examples) == 6
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.only_on("host")
def test_built_by_the_command(built, tmp_path):
    """Found beside the package: no compiler, and nothing on disk."""
    without = {"CXX": "false", "CUPRIC_CACHE_DIR": str(tmp_path / "cache")}
    status, said = run(built, "-c", PROGRAM, **without)
    assert status == 0, said
    assert said.splitlines()[-1] == "6 (0, 0)"
    assert not (tmp_path / "cache").exists()
    files = sorted(p.name for p in (built / "blur").iterdir() if p.suffix == ".so")
    assert files == ["_kernels.so", "_kernels_v3.so"][: 1 + _build.is_x86()]


@pytest.mark.only_on("host")
def test_made_with_other_headers(built, tmp_path):
    """A library says with which headers it was made, and is passed over for others."""
    include = Path(cp.__file__).parent / "include"
    mark = _build.device_code(include / "cupric", include / "host").to_bytes(
        8, "little"
    )
    for file in (built / "blur").glob("_kernels*.so"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
        assert file.read_bytes().count(mark) == 1
        file.write_bytes(file.read_bytes().replace(mark, b"otherone"))
    try:
        without = {"CXX": "false", "CUPRIC_CACHE_DIR": str(tmp_path / "cache")}
        status, said = run(built, "-c", PROGRAM, **without)
    finally:
        for file in (built / "blur").glob("_kernels*.so"):
            file.write_bytes((tmp_path / file.name).read_bytes())
    assert status != 0
    assert "CompileException" in said


REGISTERS = """
from cupricx.kernels import Library
_library = Library(__file__, '''
template <class T>
__global__ void
registers(T *y, long long n)
{
    CUPRIC_EACH (i, n) {
#if defined(__AVX512F__)
        y[i] = 512;
#else
        y[i] = 256;
#endif
    }
}
/* %s */
''', avx512=%s)
registers = _library.kernel("registers<T>", elements="n", ships="i")
"""
ASK = """
import cupric as cp
from wide import one, other
y = cp.zeros(3, "i4"), cp.zeros(3, "i4")
one.registers["i4"](y=y[0], n=3)
other.registers["i4"](y=y[1], n=3)
print([int(a[0]) for a in y])
print(cp._core._shipped_kernel_count(), cp._core._kernel_cache_counts())
"""


@pytest.mark.only_on("host")
@pytest.mark.skipif(not _build.is_x86(), reason="instruction sets of x86-64")
def test_avx512_where_a_library_asks_for_it(tmp_path):
    (tmp_path / "wide").mkdir()
    (tmp_path / "wide" / "__init__.py").write_text("")
    for name, asks in (("one", True), ("other", False)):
        text = REGISTERS % (name, asks)
        (tmp_path / "wide" / f"{name}.py").write_text(text)
    status, said = run(tmp_path, "-m", "cupricx.kernels", "build", "wide")
    assert status == 0, said
    files = sorted(p.name for p in (tmp_path / "wide").iterdir() if p.suffix == ".so")
    assert files == ["_kernels.so", "_kernels_v3.so", "_kernels_v4.so"]
    without = {"CXX": "false", "CUPRIC_CACHE_DIR": str(tmp_path / "cache")}
    status, said = run(tmp_path, "-c", ASK, **without)
    assert status == 0, said
    has_wide = "_v4" in _build.levels_here()
    assert said.splitlines()[-2:] == [
        f"[{512 if has_wide else 256}, 256]",
        "2 (0, 0)",
    ]


def test_built_for_cuda(folder, tmp_path):
    """The archive has what the package asks for, in units that are whole."""
    if not Path("/usr/local/cuda/bin/ptxas").exists():
        pytest.skip("no CUDA toolkit")
    status, said = run(
        folder,
        *("-m", "cupricx.kernels", "build", "blur", "--cuda", "80"),
        *("--into", tmp_path, "--work", tmp_path, "--list", tmp_path / "list"),
        CXX=os.environ.get("CXX", "c++"),
    )
    assert status == 0, said
    data = (tmp_path / "kernels.bin").read_bytes()
    magic, nbytes, code, summed, nentries = struct.unpack("<8sQQQI", data[:36])
    include = Path(cp.__file__).parent / "include"
    assert (magic, nbytes) == (b"CUPRICA2", len(data))
    assert code == _archive.device_code(include)
    entries = [struct.unpack_from("<Q", data, 80 + 16 * i)[0] for i in range(nentries)]
    kernels = [
        k for a in json.loads((tmp_path / "list").read_text()) for k in a["kernels"]
    ]
    assert entries == sorted(k["key"] for k in kernels)
    assert len(entries) == 6


def test_work_is_done_once(tmp_path):
    """Each element and each piece, whatever their number."""
    library = Library(
        str(tmp_path / "module.py"),
        """
        __global__ void elements(int *x, long long n)
        {
            CUPRIC_EACH (i, n) x[i] += 1;
        }
        __global__ void pieces(int *x, long long n)
        {
            CUPRIC_EACH_BLOCK (b, n) {
                for (int j = threadIdx.x; j < 10; j += blockDim.x) x[10 * b + j] += 1;
            }
        }
        """,
    )
    elements, pieces = (
        library.kernel("elements", elements="n"),
        library.kernel("pieces", blocks="n", threads=32),
    )
    for n in (0, 1, 7, 31, 100, 8191, 8192, 100_003):
        x = cp.zeros(n, "i4")
        elements[()](x=x, n=n)
        assert int((x == 1).sum()) == n
        y = cp.zeros(10 * n, "i4")
        pieces[()](x=y, n=n)
        assert int((y == 1).sum()) == 10 * n


def test_files_of_a_package_include_each_other(tmp_path):
    """From folders above and beside, once each, with the headers that Python reads."""
    folder = tmp_path / "shared_code"
    for path, text in {
        "__init__.py": "",
        "_sizes.h": "enum { COUNT = 3 };\n",
        "_add.cuh": '#include "_sizes.h"\n__device__ inline int add(int x) '
        "{ return x + COUNT; }\n",
        "_one/__init__.py": "",
        "_one/_same.cuh": '#include "../_add.cuh"\n__device__ inline int same(int x) '
        "{ return add(x); }\n",
        "_two/__init__.py": "",
        "_two/_same.h": "enum { FACTOR = 2 };\n",
        "_two/_same.cuh": '#include "_same.h"\n#include "../_add.cuh"\n'
        '#include "../_one/_same.cuh"\n__global__ void shift_all(int *x, int n)\n'
        "{ CUPRIC_EACH (i, n) x[i] = same(FACTOR * x[i]); }\n",
        "_two/_outside.cuh": '#include "../../_outside.h"\n',
        "../_outside.h": "enum { OUTSIDE };\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    library = Library(str(folder / "_two/_same.py"))
    assert library.source.count("add(int x)") == 1
    assert (library.enum.COUNT, library.enum.FACTOR) == (3, 2)
    assert declarations(str(folder / "_sizes.py")).enum.COUNT == 3
    x = cp.arange(4, dtype="i4")
    library.kernel("shift_all", elements="n")[()](x=x, n=4)
    assert x.tolist() == [3, 5, 7, 9]
    with pytest.raises(ValueError, match="of its package"):
        Library(str(folder / "_two/_outside.py")).source  # noqa: B018


def test_code_is_read_at_first_use(tmp_path):
    """Not when the module is imported, which may never use it."""
    (tmp_path / "_late.cuh").write_text("__global__ void early(int *x) {}\n")
    library = Library(str(tmp_path / "_late.py"))
    kernel = library.kernel("late", elements=True)
    (tmp_path / "_late.cuh").write_text("__global__ void late(int *x) { *x = 7; }\n")
    x = cp.zeros(1, "i4")
    kernel[()](x=x, work=1)
    assert x.item() == 7


def test_mistakes(tmp_path):
    file = str(tmp_path / "module.py")
    with pytest.raises(ValueError, match="missing"):
        Library(file, "_none.cuh")
    with pytest.raises(ValueError, match="includes headers of cupric/"):
        Library(file, "#include <vector>\n")
    library = Library(file, "template <class T, int N> __global__ void k(T *x) {}")
    with pytest.raises(ValueError, match="say elements= or blocks="):
        library.kernel("k<T, N>")
    kernel = library.kernel("k<T, N>", elements=True)
    with pytest.raises(TypeError, match="takes 2 template arguments, not 1"):
        kernel["f"]
    with pytest.raises(TypeError, match="no parameter 'y'"):
        kernel["f", 2](x=cp.zeros(1, "f"), y=1, work=1)
    one = library.elementwise("one", "raw X x", "Y y", "y = x[i]", ships="f")
    with pytest.raises(ValueError, match="is short"):
        list(library.declared[-1].shipped())
    del one
    library.kernel("k<T, N>", elements=True, ships="f2 d(12)")
    names = [one.name for one in library.declared[-1].shipped()]
    assert names == ["k<float, 2>", "k<double, 12>"]
    library.kernel("k<T, N>", elements=True, ships="f | rank 2")
    with pytest.raises(ValueError, match="rank"):
        list(library.declared[-1].shipped())
