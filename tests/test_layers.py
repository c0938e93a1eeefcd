"""The folders are the architecture: `#include` lines may only point downwards."""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
CUDA = ROOT / "cuda"

pytestmark = pytest.mark.skipif(not SRC.is_dir(), reason="the sources are not here")

# From the top down: a folder includes itself and those after it. "." is src/ itself:
# status.h, dtype.h, env.h.
LAYERS = ["module", "array", "ops", "kernel", "layout", "memory", "device", "."]
BACKENDS = ["host", "cuda"]

# What a backend may take from above its own floor: the tables, which are data.
SHARED_WITH_BACKENDS = re.compile(r"ops/(\w+\.def|signature\.h|columns\.h)$")

# Folders whose files stand in an order: each is understood from those below it. In
# array/ and memory/ several files are one module, round a type that all of them know.
ORDERED = ["cuda", "device", "host", "kernel", "layout", "ops"]
# Those of which the same holds for what calls what, which one header of many prototypes
# would hide.
CALLS_ORDERED = ["cuda", "device", "host", "kernel", "ops"]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)
SOURCES = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh", ".def"}


def sources(folder):
    return sorted(f for f in folder.rglob("*") if f.suffix in SOURCES)


def code(file):
    """The text of a file without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read_text(), flags=re.S)


def includes(file):
    """(quoted, name) for every #include of a file."""
    text = code(file)
    return [(mark == '"', name) for mark, name in INCLUDE.findall(text)]


def resolve(file, name):
    """The file of this tree that an #include names, or None for a system header."""
    for folder in (file.parent, SRC, CUDA / "include", CUDA):
        found = (folder / name).resolve()
        if found.is_file() and ROOT in found.parents:
            return found
    return None


def layer(file):
    """The layer of a file under src/."""
    relative = file.relative_to(SRC)
    if relative.name == "module.c" and len(relative.parts) == 1:
        return "module"
    return relative.parts[0] if len(relative.parts) > 1 else "."


def may_include(source, target):
    if CUDA in target.parents:
        return CUDA in source.parents or layer(source) in BACKENDS
    if CUDA in source.parents:
        return False
    here, there = layer(source), layer(target)
    if here in BACKENDS:
        shared = SHARED_WITH_BACKENDS.search(target.as_posix())
        return there in (here, "device", ".") or bool(shared)
    if there in BACKENDS:
        return False
    return LAYERS.index(there) >= LAYERS.index(here)


def all_sources():
    return sources(SRC) + sources(CUDA)


def test_folders_are_the_known_layers():
    folders = {f.name for f in SRC.iterdir() if f.is_dir()}
    assert folders <= {*LAYERS, *BACKENDS}


def test_no_include_points_upwards():
    wrong = []
    for file in all_sources():
        for _, name in includes(file):
            target = resolve(file, name)
            if target is not None and not may_include(file, target):
                wrong.append(f"{file.relative_to(ROOT)} includes {name}")
    assert not wrong, "\n".join(wrong)


def stem(file):
    """What a header and the source of its name are together: "cuda/driver"."""
    if file.suffix == ".def":  # a table: whoever includes it
        return file.relative_to(SRC).as_posix()
    return file.relative_to(SRC).with_suffix("").as_posix()


def include_graph(folder):
    """By stem, the stems of the folder that are included."""
    graph = {}
    for file in sources(SRC / folder):
        below = graph.setdefault(stem(file), set())
        for _, name in includes(file):
            target = resolve(file, name)
            if target is not None and SRC / folder in target.parents:
                below.add(stem(target))
    return graph


# A function's name begins a line of its definition (.clang-format sees to it), a
# variable's stands behind its type.
FUNCTION = re.compile(r"^(?P<type>\w[^\n;()]*)\n(?P<name>\w+)\([^;{}]*\)\s*\{", re.M)
VARIABLE = re.compile(
    r"^(?P<type>\w[^\n;(){}=]*[ *])(?P<name>\w+)(\[.*\])?( = .*)?;$", re.M
)
SHARED = re.compile(r"(cu|py)_")  # of what other files call
PRIVATE = re.compile(r"\b(static|extern|typedef)\b")


def call_graph(folder):
    """By stem, the stems of the folder with functions or variables that it names."""
    texts = {f: code(f) for f in sources(SRC / folder) if f.suffix in {".c", ".cpp"}}
    homes = {
        found["name"]: stem(file)
        for file, text in texts.items()
        for pattern in (FUNCTION, VARIABLE)
        for found in pattern.finditer(text)
        if not PRIVATE.search(found["type"]) and SHARED.match(found["name"])
    }
    return {
        stem(file): {homes[n] for n in re.findall(r"\w+", text) if n in homes}
        for file, text in texts.items()
    }


def circles(graph):
    """The sets of two or more nodes that reach each other, each as "a, b, c"."""

    def reached(start):
        seen, left = set(), [start]
        while left:
            new = graph.get(left.pop(), set()) - seen
            seen |= new
            left += new
        return seen

    reach = {node: reached(node) for node in graph}
    found = {
        frozenset(o for o in reach[node] if node in reach.get(o, ())) for node in graph
    }
    return sorted(", ".join(sorted(c)) for c in found if len(c) > 1)


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c", "a"}, "c": {"c"}}) == ["a, b"]


def test_definitions_are_found():
    calls = call_graph("cuda")
    assert {"cuda/driver", "cuda/device", "cuda/services"} <= calls["cuda/memory"]
    assert "cuda/memory" in calls["cuda/backend"]


@pytest.mark.parametrize("folder", ORDERED)
def test_files_of_a_folder_include_in_one_direction(folder):
    assert circles(include_graph(folder)) == []


@pytest.mark.parametrize("folder", CALLS_ORDERED)
def test_files_of_a_folder_call_in_one_direction(folder):
    assert circles(call_graph(folder)) == []


def test_quoted_includes_exist():
    missing = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in all_sources()
        for quoted, name in includes(file)
        if quoted and resolve(file, name) is None
    ]
    assert not missing, "\n".join(missing)


def test_only_py_files_include_python():
    wrong = [
        str(file.relative_to(ROOT))
        for file in all_sources()
        for _, name in includes(file)
        if name in ("Python.h", "structmember.h") or name.startswith("numpy/")
        if not file.name.startswith("py_") and file != SRC / "module.c"
    ]
    assert not wrong, "\n".join(wrong)


# ---- tests mirror the tree -----------------------------------------------------------


# Tests of the package as a whole.
WHOLE = {"fuzz", "interface", "interoperability", "seeds", "typing"}


def folders_with(folder, pattern):
    """The folders below one that hold files of a pattern, as paths relative to it."""
    found = {f.parent.relative_to(folder) for f in folder.rglob(pattern)}
    return {p.as_posix() for p in found if p.name != "__pycache__"} - {"."}


def test_folders_of_tests_are_named_by_what_they_test():
    """tests/array for src/array, tests/fft for python/cupric/fft, tests/logic for
    python/cupric/_logic, tests/cupricx/scipy/signal for its namesake."""
    python = ROOT / "python"
    tested = {f.name for f in SRC.iterdir() if f.is_dir()}
    tested |= {p.removeprefix("_") for p in folders_with(python / "cupric", "*.py")}
    tested |= {f"cupricx/{p}" for p in folders_with(python / "cupricx", "*.py")}
    found = folders_with(ROOT / "tests", "test_*.py")
    assert found - tested - WHOLE - {"cupricx"} == set()


def test_files_that_texts_name_exist():
    """A page or a comment that sends its reader to a test sends him to one."""
    texts = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    for folder in ("src", "tools", "tests", "benchmarks"):
        texts += [
            f for f in (ROOT / folder).rglob("*") if f.suffix in {*SOURCES, ".py"}
        ]
    missing = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in texts
        for name in re.findall(r"\btests/[\w/]+\.py\b", file.read_text())
        if not (ROOT / name).is_file()
    }
    assert missing == set()


# ---- headers -------------------------------------------------------------------------


def test_headers_have_their_guard():
    wrong = []
    for file in sources(SRC):
        if file.suffix != ".h":
            continue
        parts = file.relative_to(SRC).with_suffix("").parts
        guard = "CUPRIC_" + "_".join(parts).upper().replace("-", "_") + "_H"
        if f"#ifndef {guard}\n#define {guard}\n" not in file.read_text():
            wrong.append(f"{file.relative_to(ROOT)}: {guard}")
    assert not wrong, "\n".join(wrong)


def include_flags(python):
    flags = [f"-I{SRC}", f"-I{CUDA / 'include'}"]
    if python:
        import numpy

        flags += [f"-I{sysconfig.get_path('include')}", f"-I{numpy.get_include()}"]
    return flags


@pytest.mark.parametrize("python", [False, True], ids=["core", "py"])
def test_headers_compile_alone(python, tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    include = Path(sysconfig.get_path("include"), "Python.h")
    if compiler is None or (python and not include.exists()):
        pytest.skip("needs a C compiler and Python.h")
    headers = [
        file
        for file in sources(SRC)
        if file.suffix == ".h"
        and file.name.startswith("py_") == python
        and layer(file) != "cuda"
    ]
    if not headers:
        pytest.skip("no such headers")
    units = []
    for number, file in enumerate(headers):
        unit = tmp_path / f"unit{number}.c"
        unit.write_text(f'#include "{file}"\ntypedef int not_empty;\n')
        units.append(unit)
    command = [compiler, "-std=c11", "-D_DEFAULT_SOURCE", "-fsyntax-only", "-Wall"]
    command += [*include_flags(python), *map(str, units)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_parameters_of_launches_are_declared_for_both_sides():
    """What a kernel takes beside slots and spaces stands in params.h, which C reads."""
    own = []
    for file in sources(CUDA / "include/cupric/kernels"):
        for name, fields in re.findall(
            r"^struct (\w+_params) \{\n(.*?)^\};", code(file), flags=re.M | re.S
        ):
            other = re.sub(r"^ +(slot|space<.*?>) .*?;\n", "", fields, flags=re.M)
            if other.strip():
                own.append(f"{file.name}: {name} declares {other.strip()}")
    assert not own, "\n".join(own)


def test_code_of_kernel_libraries_is_ascii():
    """Text of other characters would be encoded anew at a kernel's first use."""
    files = sources(ROOT / "python")
    assert files
    assert [f for f in files if not f.read_bytes().isascii()] == []


# ---- the code of kernel libraries ----------------------------------------------------

LIBRARY_CODE = [
    f
    for f in sources(ROOT / "python")
    if f.suffix == ".cuh" or f.name.endswith(".host.hpp")
]
MOST_LINES, MOST_PARAMETERS = 60, 8


def bodies(text):
    """(line, lines) of each function whose body's brackets begin their lines."""
    for start in re.finditer(r"^\{$", text, flags=re.M):
        end = re.compile(r"^\}", re.M).search(text, start.end())
        yield (
            text.count("\n", 0, start.start()) + 1,
            text.count("\n", start.end(), end.start()) - 1,
        )


def test_one_body_a_device():
    """A condition would stand in the middle of an algorithm: the host's own bodies are
    in _x.host.hpp, what is general below cuda/include/cupric."""
    assert [f.name for f in LIBRARY_CODE if "CUPRIC_HOST" in code(f)] == []


def test_functions_of_libraries_are_short():
    found = []
    for file in LIBRARY_CODE:
        found += [
            f"{file.name}: line {at} begins {n} lines"
            for at, n in bodies(file.read_text())
            if n > MOST_LINES
        ]
    assert found == []


def test_kernels_of_libraries_have_few_parameters():
    from cupric._lib.kernels._source import kernels

    found = []
    for file in LIBRARY_CODE:
        found += [
            f"{file.name}: {name} has {len(one.parameters)}"
            for name, one in kernels(file.read_text()).items()
            if len(one.parameters) > MOST_PARAMETERS
        ]
    assert found == []


def test_nothing_is_said_to_be_as_in_another_file():
    """A constant that two files know stands in the header of both."""
    again = re.compile(r"\b[Aa]s in _\w+\.(py|cuh|h|hpp)\b")
    files = [*LIBRARY_CODE, *(ROOT / "python").rglob("*.py")]
    found = [
        f"{file.name}: {match[0]}"
        for file in files
        for match in again.finditer(file.read_text())
    ]
    assert found == []
