"""The kernels that come compiled: every rule's kernel is in the archive, a damaged
archive is not used, and what common programs call compiles nothing.

The calls run on the GPU under --device cuda, else under a driver without a device:
which kernels a program asks for does not depend on there being one.
"""

import ctypes
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import cupric
from cupric._lib.kernels import _build

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
ARCHIVE = Path(cupric.__file__).parent / "kernels.bin"

sys.path.insert(0, str(ROOT))
from tools import kernel_archive, kernel_keys  # noqa: E402


@pytest.fixture(scope="module")
def library(codegen):
    library = codegen
    library.cu_archive_open.restype = ctypes.c_void_p
    library.cu_archive_open.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
    library.cu_archive_find.restype = ctypes.c_void_p
    library.cu_archive_find.argtypes = [
        ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int)
    ]  # fmt: skip
    library.cu_archive_image.restype = ctypes.c_void_p
    library.cu_archive_image.argtypes = [ctypes.c_void_p, ctypes.c_int]
    for name in ("close", "units", "size", "has_code_for"):
        getattr(library, f"cu_archive_{name}").argtypes = [ctypes.c_void_p]
    library.cu_archive_has_code_for.argtypes = [ctypes.c_void_p, *[ctypes.c_int] * 2]
    library.cu_archive_has_code_for.restype = ctypes.c_bool
    return library


@pytest.fixture(scope="module")
def archive(library, archive_file, code):
    opened = library.cu_archive_open(os.fsencode(archive_file), code)
    assert opened
    yield opened
    library.cu_archive_close(opened)


def test_variables_that_nothing_reads_are_left_out():
    used = ".global .align 4 .u32 used = 32;\n.const .align 8 .b8 table[16];\n"
    unused = (
        ".global .align 1 .u8 _ZN1kIfE1sE = 1;\n"
        ".visible .const .align 8 .b8 numbers[16] = {0, 0, 240, 63};\n"
    )
    code = ".visible .entry f()\n{\nmov.u64 %rd1, used;\nmov.u64 %rd2, table;\n}\n"
    found = kernel_archive._archive.without_unused(unused + used + code)
    assert found == used + code


# ---- the rules -----------------------------------------------------------------------


def test_every_key_has_a_source(library):
    units = kernel_archive.make_units(library)
    assert sum(len(u.entries) for u in units) > 1500
    assert all(u.source.startswith("#include") for u in units)


def test_keys_are_not_repeated(library):
    keys = [bytes(k) for k in kernel_keys.keys(library)]
    assert len(keys) == len(set(keys))


def test_rows_say_what_ships(library):
    tables = kernel_keys.Tables(library)
    rules = {
        n: list(kernel_keys.rules(tables.ships(tables.rows[n][0]))) for n in tables.rows
    }
    assert kernel_keys.Rule("", ["ld", "id"], "d", ["D:xs"]) in rules["power"]
    assert kernel_keys.Rule("reduce", ["ff", "dd"], "", ["R11"]) in rules["norm_1"]
    assert rules["fabs"] == []
    n = sum(len(found) for found in rules.values())
    assert len(list(kernel_keys.row_keys(tables))) > 2 * n > 400


def test_assembly_for_what_is_asked():
    assert kernel_archive.levels("#if defined(__CUDA_ARCH__)") == [75]
    text = "#if __CUDA_ARCH__ >= 800\n#elif __CUDA_ARCH__ < 700 || __CUDA_ARCH__>=900"
    assert kernel_archive.levels(text) == [75, 80, 90]
    with pytest.raises(kernel_archive.Failed):
        kernel_archive.levels("#if __CUDA_ARCH__ > 800")
    chosen = kernel_archive._archive.levels_for
    assert chosen([80, 90, 100], [75, 80]) == [75, 80]
    assert chosen([90], [75, 80]) == [80]
    assert chosen([75], [75, 80]) == chosen([], [75, 80]) == [75]


# ---- the file ------------------------------------------------------------------------


def test_every_kernel_is_there(library, archive):
    unit = ctypes.c_int()
    n = 0
    for u in kernel_archive.make_units(library):
        for digest, names in u.entries:
            found = library.cu_archive_find(archive, digest, ctypes.byref(unit))
            assert found, u.title
            if names:
                assert ctypes.string_at(found).decode() == names[0]
            assert 0 <= unit.value < library.cu_archive_units(archive)
            n += 1
    libraries = _build.find_libraries(["cupric", "cupricx"])  # whose kernels are beside
    n += sum(len(_build.shipped(each)) for each in libraries)
    assert library.cu_archive_size(archive) == n


def test_every_image_is_whole(library, archive):
    for unit in range(library.cu_archive_units(archive)):
        image = library.cu_archive_image(archive, unit)
        assert ctypes.string_at(image, 4) == b"\x50\xed\x55\xba"  # a fat binary


@pytest.mark.parametrize("step", [8, 512])
@pytest.mark.parametrize("nbytes", [0, 8, 24, 512, 520, 4096 + 16])
def test_both_checksums_are_the_same(library, nbytes, step):
    of_c = library.cu_archive_checksum
    of_c.restype = ctypes.c_uint64
    of_c.argtypes = [ctypes.c_char_p, *[ctypes.c_size_t] * 2]
    data = random.Random(nbytes).randbytes(nbytes)
    assert kernel_archive._archive.checksum(data, step) == of_c(data, nbytes, step)


def test_architectures(library, archive, archive_file):
    words = archive_file.read_bytes()[48:80]
    archs = [int.from_bytes(words[i : i + 4], "little") for i in range(0, 32, 4)]
    for arch in filter(None, archs):
        assert library.cu_archive_has_code_for(archive, arch // 10, arch % 10)
        assert library.cu_archive_has_code_for(archive, arch // 10, 9)
    assert not library.cu_archive_has_code_for(archive, 7, 5)
    assert not library.cu_archive_has_code_for(archive, 0, 0)


def test_unknown_hash(library, archive):
    unit = ctypes.c_int()
    for digest in (0, 1, 2**63, 2**64 - 1):
        assert not library.cu_archive_find(archive, digest, ctypes.byref(unit))


def write(path, data):
    path.write_bytes(data)
    return os.fsencode(path)


@pytest.mark.parametrize("nbytes", [0, 7, 79, 80, 4000, -1])
def test_truncated(library, archive_file, code, tmp_path, nbytes):
    path = write(tmp_path / "k", archive_file.read_bytes()[:nbytes])
    assert not library.cu_archive_open(path, code)


@pytest.mark.parametrize("at", [0, 9, 17, 25, 33, 45, 50, 100, 5000])
def test_damaged_tables(library, archive_file, code, tmp_path, at):
    data = bytearray(archive_file.read_bytes())
    data[at] ^= 0x10
    assert not library.cu_archive_open(write(tmp_path / "k", data), code)


def test_damaged_image(library, archive_file, code, tmp_path):
    data = bytearray(archive_file.read_bytes())
    data[-4096:] = bytes(4096)  # a page that was not written
    opened = library.cu_archive_open(write(tmp_path / "k", data), code)
    last = library.cu_archive_units(opened) - 1
    images = [library.cu_archive_image(opened, u) for u in (0, last)]
    assert images[0]
    assert not images[1]
    library.cu_archive_close(opened)


def test_other_device_code(library, archive_file, code):
    assert not library.cu_archive_open(os.fsencode(archive_file), code ^ 1)


def test_no_file(library, tmp_path):
    assert not library.cu_archive_open(os.fsencode(tmp_path / "none"), 0)
    assert not library.cu_archive_open(os.fsencode(tmp_path), 0)


# ---- programs ------------------------------------------------------------------------

PROGRAM = """
import sys
sys.path.insert(0, {here!r})
import common_calls
import cupric as cp
errors, compiled = common_calls.run(cp)
print(cp._core._builtin_kernel_counts(), file=sys.stderr)
assert not errors, errors
assert not compiled, compiled
assert cp._core._builtin_kernel_counts()[0] > 300
"""


def test_common_calls_compile_nothing(run, tmp_path, has_cuda):
    """Without the compiler on the machine, and nothing on disk."""
    run(PROGRAM.format(here=str(HERE)), "nvrtc", CUPRIC_TEST_CAPABILITY="90")
    assert not (tmp_path / "cache").exists()


EXAMPLES = """
import cupric as cp
from cupric._lib.kernels import _build
cp.cuda.set_allocator(None)  # memory is zeros, whatever was there before
missing = {}
for library in _build.find_libraries(["cupric", "cupricx"]):
    for declared in library.declared:
        try:
            if declared.example:
                declared.example(cp)
        except ImportError as error:  # of the compiler
            missing[declared.name] = str(error)
        except (ValueError, IndexError, TypeError):
            pass  # without kernels, results are what memory held
        except cp.cuda.runtime.CUDARuntimeError as error:
            if not any(name in str(error) for name in ("CUBLAS", "CUFFT", "cuSOLVER")):
                raise  # those need a device
assert not missing, missing
assert cp._core._shipped_kernel_count() > 30
"""


def test_examples_of_libraries_compile_nothing(run, tmp_path, has_cuda):
    run(EXAMPLES, "nvrtc", CUPRIC_TEST_CAPABILITY="90")
    assert not (tmp_path / "cache").exists()


COUNTS = """
import cupric as cp
x = cp.zeros(10) + 1
print(*cp._core._builtin_kernel_counts())
"""


@pytest.mark.only_on("host")
@pytest.mark.parametrize("capability", ["75", "80", "86", "90", "120"])
def test_other_chips_do_without_compiler(run, has_cuda, capability):
    """Those without machine code get the assembly, which the driver finishes."""
    done = run(COUNTS, "nvrtc", CUPRIC_TEST_CAPABILITY=capability)
    shipped, *others = map(int, done.stdout.split())
    assert shipped > 0
    assert others == [0, 0, 0]


def test_damaged_archive_is_replaced_by_the_compiler(run, tmp_path, has_cuda):
    """A package whose archive is cut off compiles its kernels and keeps them."""
    home = tmp_path / "site" / "cupric"
    home.parent.mkdir()
    subprocess.run(["cp", "-rL", str(ARCHIVE.parent), str(home)], check=True)
    (home / "kernels.bin").write_bytes(ARCHIVE.read_bytes()[:-1])
    environment = {"PYTHONPATH": str(home.parent)}
    if (
        kernel_archive.ctypes.util.find_library("nvrtc") is None
        and not Path("/usr/local/cuda").exists()
    ):
        pytest.skip("needs NVRTC")
    first = run(COUNTS, **environment)
    assert int(first.stdout.split()[2]) > 0
    assert first.stdout.split()[0] == "0"
    second = run(COUNTS, **environment)
    assert second.stdout.split()[1:] == [first.stdout.split()[2], "0", "0"]
