"""Headers of kernels: a kernel is compiled again when what it includes has changed."""

import ctypes
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import cupric as cp

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(cp.__file__).resolve().parents[1]

PROGRAM = textwrap.dedent(
    """
    import sys
    import cupric as cp

    source, *options = sys.argv[1:]
    k = cp.RawKernel(
        source + '\\nextern "C" __global__ void f(int *p) { p[0] = VALUE; }',
        "f",
        tuple(options),
    )
    out = cp.zeros(1, "i")
    k((1,), (1,), (out,))
    print(int(out[0]), *cp._core._kernel_cache_counts())
    """
)


class Place:
    """A folder of headers, in which programs run."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        # a header that is written while the compiler starts is not relied upon
        time.sleep(0.02)

    def run(self, source, *options, **environment):
        """The value, and whether it came from the disk, in a new process."""
        env = dict(os.environ, CUPRIC_CACHE_DIR=str(self.folder / "cache"))
        env["PYTHONPATH"] = str(PACKAGE)
        env.update({k: str(v) for k, v in environment.items()})
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, source, *map(str, options)],
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        value, compiled, read = map(int, done.stdout.split())
        assert compiled + read == 1
        return value, bool(read)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


CHAIN = {f"h{i}.h": f'#include "h{i + 1}.h"\n' for i in range(12)} | {
    "h12.h": "#define VALUE 1\n"
}

# what the source says, the headers, which of them is edited, options
CASES = {
    "folder": ('#include "a.h"', {"inc/a.h": "#define VALUE 1\n"}, "inc/a.h"),
    "angle": ("#include <a.h>", {"inc/a.h": "#define VALUE 1\n"}, "inc/a.h"),
    "working folder": ('#include "a.h"', {"a.h": "#define VALUE 1\n"}, "a.h"),
    "absolute": (
        '#include "{folder}/x/a.h"',
        {"x/a.h": "#define VALUE 1\n"},
        "x/a.h",
    ),
    "beside": (
        '#include "sub/a.h"',
        {"inc/sub/a.h": '#include "b.h"\n', "inc/sub/b.h": "#define VALUE 1\n"},
        "inc/sub/b.h",
    ),
    "macro": (
        '#define H "a.h"\n#include H',
        {"inc/a.h": "#define VALUE 1\n"},
        "inc/a.h",
    ),
    "macro of a macro": (
        '#include "names.h"\n#include OTHER',
        {
            "inc/names.h": "#define NAME <a.h>\n#define OTHER NAME\n",
            "inc/a.h": "#define VALUE 1\n",
        },
        "inc/a.h",
    ),
    "macro in an option": (
        "#include H",
        {"inc/a.h": "#define VALUE 1\n"},
        "inc/a.h",
        '-DH="a.h"',
    ),
    "conditional": (
        '#if __has_include("a.h")\n#include "a.h"\n#else\n#define VALUE 7\n#endif',
        {"inc/a.h": "#define VALUE 1\n"},
        "inc/a.h",
    ),
    "split line": (
        '#inc\\\nlude \\\n "a.h"',
        {"inc/a.h": "#define VALUE 1\n"},
        "inc/a.h",
    ),
    "comments": (
        '/* x */ # /* y */ include /* z */ "a.h" // w',
        {"inc/a.h": "#define VALUE 1\n"},
        "inc/a.h",
    ),
    "digraph": ('%: include "a.h"', {"inc/a.h": "#define VALUE 1\n"}, "inc/a.h"),
    "deep": ('#include "h0.h"', {f"inc/{k}": v for k, v in CHAIN.items()}, "inc/h12.h"),
    "odd name": (
        '#include "a b#c$d.h"',
        {"inc/a b#c$d.h": "#define VALUE 1\n"},
        "inc/a b#c$d.h",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_edited_header(place, case):
    source, headers, edited, *options = CASES[case]
    source = source.format(folder=place.folder) if "{" in source else source
    options = ["-I", place.folder / "inc", *options]
    for name, text in headers.items():
        place.write(name, text)
    assert place.run(source, *options) == (1, False)
    assert place.run(source, *options) == (1, True)
    place.write(edited, "#define VALUE 2\n")
    assert place.run(source, *options) == (2, False)


# ---- a compiler that does not tell what it read, as NVRTC --------------------------------


@pytest.fixture(scope="module")
def lister(tmp_path_factory):
    """The search for includes without a compiler's list, as a library."""
    out = tmp_path_factory.mktemp("lister") / "lister.so"
    sources = [f"src/kernel/{name}.c" for name in ("includes", "depends", "sha256")]
    sources += ["src/env.c", "src/status.c", "tests/kernel/includes_lister.c"]
    command = ["cc", "-std=c11", "-D_GNU_SOURCE", "-shared", "-fPIC", "-pthread"]
    command += [f"-I{ROOT}/src", *(str(ROOT / s) for s in sources), "-o", str(out)]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(str(out))
    library.holds.argtypes = [ctypes.c_void_p]
    library.list_new.restype = ctypes.c_void_p
    return library


def list_of(lister, source, *options):
    array = (ctypes.c_char_p * len(options))(*(str(o).encode() for o in options))
    return lister.list_new(source.encode(), array, len(options))


@pytest.mark.parametrize("case", CASES)
def test_edited_header_without_a_list(place, lister, case, monkeypatch):
    source, headers, edited, *options = CASES[case]
    source = source.format(folder=place.folder) if "{" in source else source
    monkeypatch.chdir(place.folder)
    for name, text in headers.items():
        place.write(name, text)
    found = list_of(lister, source, "-I", place.folder / "inc", *options)
    assert lister.holds(found)
    place.write(edited, "#define VALUE 2\n")
    assert not lister.holds(found)


@pytest.mark.parametrize(
    "source",
    [
        "#define TEXT(x) #x\n#include TEXT(a.h)",
        "#include UNDEFINED",
        '#define NAME "a.h"\n#if __has_include(NAME)\n#endif',
    ],
)
def test_unknown_name_without_a_list(place, lister, source):
    """Such a kernel is compiled each time."""
    assert not lister.holds(list_of(lister, source, "-I", place.folder))


def test_touched_header_is_the_same(place):
    place.write("inc/a.h", "#define VALUE 1\n")
    assert place.run('#include "a.h"', "-Iinc") == (1, False)
    os.utime(place.folder / "inc/a.h", (1, 1))
    assert place.run('#include "a.h"', "-Iinc") == (1, True)


def test_same_size_and_times(place):
    place.write("inc/a.h", "#define VALUE 1\n")
    os.utime(place.folder / "inc/a.h", (1, 1))
    assert place.run('#include "a.h"', "-Iinc") == (1, False)
    place.write("inc/a.h", "#define VALUE 2\n")
    os.utime(place.folder / "inc/a.h", (1, 1))
    assert place.run('#include "a.h"', "-Iinc") == (2, False)


def test_header_that_appears_earlier_on_the_path(place):
    place.write("first/other.h", "")
    place.write("second/sub/a.h", "#define VALUE 1\n")
    options = ("-Ifirst", "--include-path=second")
    assert place.run("#include <sub/a.h>", *options) == (1, False)
    assert place.run("#include <sub/a.h>", *options) == (1, True)
    place.write("first/sub/a.h", "#define VALUE 2\n")
    assert place.run("#include <sub/a.h>", *options) == (2, False)
    (place.folder / "first/sub/a.h").unlink()
    assert place.run("#include <sub/a.h>", *options) == (1, False)


def test_header_that_appears_in_the_working_folder(place):
    place.write("inc/a.h", "#define VALUE 1\n")
    assert place.run('#include "a.h"', "-Iinc") == (1, False)
    place.write("a.h", "#define VALUE 2\n")
    assert place.run('#include "a.h"', "-Iinc") == (2, False)


def test_header_that_is_asked_for_appears(place):
    source = '#if __has_include("a.h")\n#define VALUE 2\n#else\n#define VALUE 1\n#endif'
    place.write("inc/other.h", "")
    assert place.run(source, "-Iinc") == (1, False)
    assert place.run(source, "-Iinc") == (1, True)
    place.write("inc/a.h", "")
    assert place.run(source, "-Iinc") == (2, False)


def test_question_by_a_macro(place):
    source = (
        '#define NAME "a.h"\n'
        "#if __has_include(NAME)\n#define VALUE 2\n#else\n#define VALUE 1\n#endif"
    )
    place.write("inc/other.h", "")
    assert place.run(source, "-Iinc")[0] == 1
    place.write("inc/a.h", "")
    assert place.run(source, "-Iinc")[0] == 2


def test_name_made_by_a_macro_of_parts(place):
    source = "#define TEXT(x) #x\n#define NAME(x) TEXT(x.h)\n#include NAME(a)"
    place.write("inc/a.h", "#define VALUE 1\n")
    assert place.run(source, "-Iinc")[0] == 1
    place.write("inc/a.h", "#define VALUE 2\n")
    assert place.run(source, "-Iinc")[0] == 2


def test_working_folders_are_apart(place):
    for i in (1, 2):
        place.write(f"{i}/inc/a.h", f"#define VALUE {i}\n")
        there = Place(place.folder / f"{i}")
        cache = place.folder / "cache"
        run = there.run('#include "a.h"', "-Iinc", CUPRIC_CACHE_DIR=cache)
        assert run == (i, False)


@pytest.mark.only_on("host")
def test_folders_of_the_compilers_variables(place):
    for i in (1, 2):
        place.write(f"{i}/a.h", f"#define VALUE {i}\n")
    assert place.run("#include <a.h>", CPATH=place.folder / "1") == (1, False)
    assert place.run("#include <a.h>", CPATH=place.folder / "2") == (2, False)
    assert place.run("#include <a.h>", CPATH=place.folder / "1") == (1, True)
    place.write("1/a.h", "#define VALUE 3\n")
    assert place.run("#include <a.h>", CPATH=place.folder / "1") == (3, False)
    name = {"CPLUS_INCLUDE_PATH": place.folder / "2"}
    assert place.run("#include <a.h>", **name) == (2, False)


@pytest.mark.only_on("host")
def test_shadowed_header_of_the_system(place):
    source = "#include <cstdint>\n#ifndef VALUE\n#define VALUE 1\n#endif"
    place.write("inc/other.h", "")
    assert place.run(source, "-Iinc") == (1, False)
    assert place.run(source, "-Iinc") == (1, True)
    place.write("inc/stdint.h", "#include_next <stdint.h>\n#define VALUE 2\n")
    assert place.run(source, "-Iinc") == (2, False)


def test_in_one_process(tmp_path):
    header = tmp_path / "value.h"
    values = []
    for value in (1, 2, 1):
        header.write_text(f"#define VALUE {value}\n")
        time.sleep(0.02)
        k = cp.RawKernel(
            '#include "value.h"\nextern "C" __global__ void of(int *p) { *p = VALUE; }',
            "of",
            (f"-I{tmp_path}",),
        )
        out = cp.zeros(1, "i")
        k((1,), (1,), (out,))
        values.append(int(out[0]))
    assert values == [1, 2, 1]


def test_preamble_of_an_elementwise_kernel(tmp_path):
    header = tmp_path / "scale.h"
    answers = []
    for value in (2, 3):
        header.write_text(f"#define SCALE {value}\n")
        time.sleep(0.02)
        k = cp.ElementwiseKernel(
            "T x", "T y", "y = x * SCALE", "scaled", preamble=f'#include "{header}"'
        )
        answers.append(k(cp.arange(3)).tolist())
    assert answers == [[0, 2, 4], [0, 3, 6]]
