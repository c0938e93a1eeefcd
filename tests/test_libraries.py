"""Kernel libraries: all that are in the package, kernel by kernel.

What ships compiles for every device and was found compiled; examples give the same on
every device that there is, survive failing allocations, and leave nothing behind.
"""

import gc
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric._core import _fail_allocation
from cupric._lib.kernels import _archive, _build
from cupric._lib.kernels._library import Kernel
from cupric.cuda.memory import OutOfMemoryError

from .empty_libraries import make_empty
from .growth import check_leaves_nothing, check_used, used_bytes

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(cp.__file__).resolve().parent
LIBRARIES = _build.find_libraries(["cupric", "cupricx"])
DECLARED = [d for library in LIBRARIES for d in library.declared]
EXAMPLES = [d for d in DECLARED if d.example]
ARCHITECTURES = (75, 80, 90, 100)
TIMES = 30

each_example = pytest.mark.parametrize("declared", EXAMPLES, ids=lambda d: d.name)


def thirds():
    """In CI each third example, from one on that the commit decides: to compile for the
    host what all do on a GPU takes minutes. Elsewhere each."""
    if os.environ.get("CI") != "true":
        return EXAMPLES
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, check=False
    )
    return EXAMPLES[int(done.stdout or b"0", 16) % 3 :: 3]


needs_kernels = pytest.mark.skipif(
    not any(FOLDER.glob("_kernels*.so")), reason="built without kernels of libraries"
)


def arrays(result):
    """The arrays of what an example returns, on the host."""
    if isinstance(result, cp.ndarray):
        return [result.get()]
    if isinstance(result, (list, tuple)):
        return [a for part in result for a in arrays(part)]
    return [np.asarray(result)]


def agree(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        if a.dtype.kind in "fc":
            single = a.dtype.char in "efF"
            bound = 1e-4 if single else 1e-10
            np.testing.assert_allclose(a, b, rtol=bound, atol=bound)
        else:
            np.testing.assert_array_equal(a, b)


def test_there_are_libraries():
    assert "cupricx.scipy.ndimage._filters._correlation" in [a.title for a in LIBRARIES]
    assert EXAMPLES
    assert all(_build.shipped(library) for library in LIBRARIES)


@pytest.mark.parametrize("declared", DECLARED, ids=lambda d: d.name)
def test_what_ships_has_an_example(declared):
    assert declared.example or not declared.ships


def disagreements(kernel):
    """What of a kernel's declaration in Python is not as in the code."""
    names = [name for _, name in kernel.signature.declared.template]
    if names != kernel.parameters:
        yield f"{kernel.name}<{', '.join(names)}>, not {kernel.parameters}"
    if isinstance(kernel.work, str):
        try:
            kernel.signature.place(kernel.work)
        except ValueError as e:
            yield str(e)


def test_declarations_are_those_of_the_code():
    kernels = [d.kernel for d in DECLARED if isinstance(d.kernel, Kernel)]
    assert kernels
    assert [line for k in kernels for line in disagreements(k)] == []
    for library in LIBRARIES:
        assert library.declarations.enum is library.enum  # its headers are understood


# ---- compiled with the package -------------------------------------------------------

WITHOUT_COMPILER = """
import json, sys
import cupric as cp
from cupric import _core
from cupric._core import _fail_allocation
from cupric._lib.kernels import _archive, _build
from cupric._lib.kernels._library import Kernel
from cupric.cuda.memory import OutOfMemoryError
failed = []
before = _core._shipped_kernel_count()
for library in _build.find_libraries(["cupric", "cupricx"]):
    kernels = _build.shipped(library)
    for one in kernels:
        try:
            _core.RawKernel(one.source, one.name, one.options).compile()
        except Exception as e:
            failed.append(f"{library.title}: {one.name}: {e!r:.200}")
    for declared in library.declared:
        if declared.example:
            try:
                declared.example(cp)
            except Exception as e:
                failed.append(f"example of {declared.name}: {e!r:.200}")
shipped = _core._shipped_kernel_count() - before
print(json.dumps([failed, shipped, _core._kernel_cache_counts()]))
"""


@needs_kernels
def test_nothing_is_compiled(tmp_path, device):
    """All that ships, and each example: with no compiler and nothing on disk."""
    if device == "cuda" and not (FOLDER / "kernels.bin").exists():
        pytest.skip("built without kernels, which `make kernels` makes")
    make_empty(tmp_path, ["nvrtc"])
    environment = {
        **os.environ,
        "CXX": "false",
        "LD_LIBRARY_PATH": f"{tmp_path}:{os.environ.get('LD_LIBRARY_PATH', '')}",
        "CUPRIC_CACHE_DIR": str(tmp_path / "cache"),
        "CUPRIC_DEVICE": device,
    }
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    failed, shipped, counts = json.loads(done.stdout.splitlines()[-1])
    assert failed == []
    assert counts == [0, 0]  # none compiled, none from disk
    assert shipped >= sum(len(_build.shipped(library)) for library in LIBRARIES)
    assert not (tmp_path / "cache").exists()


# ---- every architecture --------------------------------------------------------------


def toolkit():
    for home in (os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        if home and Path(home, "include").is_dir():
            return _archive.Toolkit(Path(home), FOLDER / "include")
    pytest.skip("no CUDA toolkit")


def found_compiled():
    """The keys in the archive of the package, if it is of this device code."""
    file = FOLDER / "kernels.bin"
    data = file.read_bytes() if file.exists() else bytes(_archive.HEADER.size)
    _, _, code, _, entries, *_ = _archive.HEADER.unpack_from(data)
    if code != _archive.device_code(FOLDER / "include"):
        return set()
    start, size = _archive.HEADER.size, _archive.ENTRY.size
    table = data[start : start + entries * size]
    return {key for key, _, _ in _archive.ENTRY.iter_unpack(table)}


def test_every_kernel_compiles():
    """The build compiled what its archive has: for the lowest architecture, and that to
    machine code for the others. Of this a sample is compiled for others from the
    source, and the rest is: for one in turn, or all where the code asks which it is."""
    tools = toolkit()
    headers = _archive.Headers(tools.include)
    units = list(_archive.library_units(_build.listing(LIBRARIES)))
    archs = [arch for arch in ARCHITECTURES if arch in tools.supported()]
    done = found_compiled()
    missing = [u for u in units if not done.issuperset(key for key, _ in u.entries)]
    sample = [u for u in units if u not in missing][::9]

    def compile_unit(unit, arch):
        code = headers.all_text(unit.source) + unit.source
        for each in archs if len(_archive.levels(code)) > 1 else [arch]:
            text, names = tools.assembly(unit.source, each, unit.options(), unit.names)
            for lowered in names or [name for _, [name] in unit.entries]:
                assert f".entry {lowered}(" in text

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_unit, [*missing, *sample], itertools.cycle(archs)))
    found = sum(len(unit.entries) for unit in units)
    assert found == sum(len(_build.shipped(library)) for library in LIBRARIES)


# ---- examples ------------------------------------------------------------------------


class Elsewhere:
    """Examples run by a process of the host device, which lives until one fails; `how`:
    "device" for what kernels do on a GPU.
    """

    def __init__(self, how):
        self.how, self.process, self.errors = how, None, None

    def arrays(self, declared):
        if self.process is None:
            self.errors = tempfile.TemporaryFile()  # noqa: SIM115
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVER, self.how],
                env={**os.environ, "CUPRIC_DEVICE": "host"},
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
            )
        try:
            self.process.stdin.write(b"%d\n" % EXAMPLES.index(declared))
            self.process.stdin.flush()
            size = int.from_bytes(self.process.stdout.read(8), "little")
            data = self.process.stdout.read(size)
        except BaseException:  # it took too long, and would still with the next
            self.process.kill()
            self.end()
            raise
        if not data or len(data) < size:
            self.end()
            self.errors.seek(0)
            pytest.fail(self.errors.read().decode()[-2000:])
        found = np.load(io.BytesIO(data))
        return [found[f"arr_{i}"] for i in range(len(found))]

    def end(self):
        if self.process is not None:
            self.process.communicate()
        self.process = None


SERVER = """
import io, os, sys
import numpy as np, cupric as cp
sys.path.insert(0, ".")
results = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what else is printed
if "device" in sys.argv:
    from tests import device_bodies
    device_bodies.use()
from tests.test_libraries import EXAMPLES, arrays
for line in sys.stdin:
    file = io.BytesIO()
    np.savez(file, *arrays(EXAMPLES[int(line)].example(cp)))
    data = file.getvalue()
    results.write(len(data).to_bytes(8, "little") + data)
    results.flush()
"""


@pytest.fixture(scope="module")
def on_host():
    process = Elsewhere("host")
    yield process
    process.end()


@pytest.fixture(scope="module")
def by_device_bodies():
    process = Elsewhere("device")
    yield process
    process.end()


@each_example
def test_example_is_the_same_on_both_devices(declared, device, on_host):
    found = arrays(declared.example(cp))
    assert found
    agree(arrays(declared.example(cp)), found)
    if device == "cuda":
        agree(found, on_host.arrays(declared))


@pytest.mark.parametrize("declared", thirds(), ids=lambda d: d.name)
@pytest.mark.only_on("host")
def test_device_body_of_an_example(declared, by_device_bodies):
    """What a GPU would run gives the same: on fibers, one for each thread."""
    agree(arrays(declared.example(cp)), by_device_bodies.arrays(declared))


@each_example
def test_example_leaves_nothing_behind(declared):
    check_leaves_nothing(lambda: declared.example(cp), TIMES)


def attempt(n, call):
    """The result where the n-th allocation is made to fail; None where it was met."""
    _fail_allocation(n)
    try:
        result = call(cp)
    except OutOfMemoryError:
        assert _fail_allocation(0) == 0
        return None
    finally:
        left = _fail_allocation(0)
    assert left > 0, "an error was lost"
    return result


@each_example
def test_example_with_failing_allocations(declared):
    """Each allocation fails in turn: OutOfMemoryError, and nothing stays in use."""
    expected = arrays(declared.example(cp))
    gc.collect()
    used = used_bytes()
    for n in range(1, 500):
        result = attempt(n, declared.example)
        if result is not None:
            break
        check_used(used)
    assert n > 1
    agree(arrays(result), expected)
