"""The C and C++ compilers of the host, and the flags that every source is given.

The results of a loop must not depend on how the compiler vectorised it, so products and
sums stay apart (-ffp-contract=off) and nothing of -ffast-math that changes a value is
on. A source whose name ends in _v3 or _v4 is compiled for that level of x86-64 and
chosen when the program runs. For this machine's CPU alone, as in place, there are none
of these: the source without the ending is compiled for the highest level that it has,
and the CPU (`native_levels`, src/host/cpu.h). In a build for all, a source that there
is for higher levels, too, is itself for CPUs before 2013: -O2 compiles it in half the
time. What else one file wants stands in its first line: `// cupric-build: -O2`.
"""

import importlib.metadata
import importlib.util
import platform
import re
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from . import settings
from .objects import output_of
from .settings import BuildError

# -fno-trapping-math and -fno-math-errno give up only the floating-point flags and
# errno, which nothing here reads; without them selections and sqrt do not vectorise.
COMMON = [
    "-O3",
    "-fPIC",
    "-pthread",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
]
# A function that no header declares and pointers that do not fit are no C11, which GCC
# before 14 only warns of.
C_ERRORS = ["implicit-function-declaration", "incompatible-pointer-types"]
C_ERRORS += ["int-conversion", "implicit-int", "return-type"]
C_FLAGS = ["-std=c11", "-D_DEFAULT_SOURCE", "-Wmissing-prototypes"]
C_FLAGS += [f"-Werror={name}" for name in C_ERRORS]
# Device code wraps on integer overflow, as NumPy does; in the core it is a mistake.
CXX_FLAGS = ["-std=c++17", "-fvisibility-inlines-hidden", "-fwrapv"]
# What a vector leaves over is a loop, and not that loop written out: of the elementwise
# loops that is a third of the time that GCC takes and of the code that it writes, and
# no vector is lost. Reductions want loops written out, for accumulators in registers.
# A short loop that lies across two lines of 64 bytes takes up to twice as long.
LOOPS = "loops_"
LOOP_FLAGS = ["--param=max-completely-peeled-insns=16", "-falign-loops=32"]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wvla"]

LEVELS = {"_v3": "x86-64-v3", "_v4": "x86-64-v4"}  # file name's end: instruction set
# What a CPU of a level has, as /proc/cpuinfo and cu_host_cpu_level() of src/host/cpu.h.
FEATURES = {
    "_v3": {"avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "abm"},
    "_v4": {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"},
}
OVERRIDE = "cupric-build:"  # in the first line of a source: flags for that file
DEBIAN_HINT = (
    "On Debian or Ubuntu: sudo apt install build-essential python3-dev python3-venv"
)


class Compilers:
    """Those found, and the folder of what they make."""

    def __init__(self, *, native: bool = False) -> None:
        self.levels = native_levels() if native else []
        self.cc = find("CC", ["cc", "gcc", "clang"], "C")
        self.cxx = find("CXX", ["c++", "g++", "clang++"], "C++")
        self.versions = "".join(
            output_of(*command, "--version").partition("\n")[0]
            for command in (self.cc, self.cxx)
        )
        ccache = shutil.which("ccache")
        self.launcher = [ccache] if ccache and "ccache" not in self.cc[0] else []
        tag = f"{sys.implementation.cache_tag}-{platform.machine()}"
        tag = "-".join([tag, *filter(None, settings.sanitizers().split(","))])
        self.folder = Path("build/objects") / tag
        self.folder.mkdir(parents=True, exist_ok=True)
        self.python = python_flags(self.folder)

    def compile(self, source: Path) -> list[str]:
        """The command that compiles a source, without what its place asks for."""
        cxx = source.suffix == ".cpp"
        command = [*(self.cxx if cxx else self.cc), *COMMON]
        command += CXX_FLAGS if cxx else C_FLAGS
        command += WARNINGS
        if settings.sanitizers():
            command += [f"-fsanitize={settings.sanitizers()}"]
            command += ["-fno-sanitize-recover=all"]
            command += ["-O1", "-g1", "-fno-omit-frame-pointer"]
        else:
            command += ["-g0", "-DNDEBUG"]
            if is_x86() and not self.levels and has_level(source):
                command += ["-O2"]
            if source.stem.startswith(LOOPS) and "clang" not in self.versions:
                command += LOOP_FLAGS
        return command + instruction_set(self.newest(source))

    def newest(self, source: Path) -> Path:
        """The file that says what a source is compiled for, where it is for this
        machine's CPU: that of the highest level, else the source itself."""
        for level in reversed(self.levels):
            file = source.with_stem(source.stem + level)
            if file.exists():
                return file
        return source

    def link(self, objects: list[Path], exported: str, *, cxx: bool) -> list[str]:
        """The command that makes a library of objects, which exports one symbol."""
        script = self.folder / f"{exported}.map"
        text = f"{{ global: {exported}; local: *; }};\n"
        if not script.exists() or script.read_text() != text:
            script.write_text(text)
        command = [*(self.cxx if cxx else self.cc), "-shared", "-pthread"]
        if settings.sanitizers():
            command += [f"-fsanitize={settings.sanitizers()}"]
        return [*command, f"-Wl,--version-script={script}", *map(str, objects)]


def find(variable: str, names: list[str], language: str) -> list[str]:
    """The command that a variable names, or the first program found of `names`."""
    given = settings.flags(variable)
    if given:
        if shutil.which(given[-1]) or shutil.which(given[0]):
            return given
        raise BuildError(f"{variable}={' '.join(given)} is not a program.")
    for name in names:
        if shutil.which(name):
            return [name]
    raise BuildError(f"no {language} compiler was found.\n{DEBIAN_HINT}")


def python_flags(folder: Path) -> list[str]:
    """Where the headers of Python and NumPy are, which is not imported: that takes a
    tenth of a second. A build in isolation has NumPy in a new folder each time; through
    a link in `folder` the command line, and so the objects, stay as they were."""
    include = Path(sysconfig.get_path("include"))
    if not (include / "Python.h").exists():
        raise BuildError(
            f"Python's header is missing: {include / 'Python.h'}\n{DEBIAN_HINT}"
        )
    numpy = importlib.util.find_spec("numpy")
    headers = Path(numpy.origin or "").parent / "_core/include" if numpy else None
    if headers is None or not (headers / "numpy/arrayobject.h").exists():
        raise BuildError("NumPy is needed to build: pip install 'numpy>=2.0'")
    link = folder / f"numpy-{importlib.metadata.version('numpy')}"
    if not link.exists() or link.resolve() != headers.resolve():
        link.unlink(missing_ok=True)
        link.symlink_to(headers)
    return [f"-I{include}", f"-I{link}"]


def is_x86() -> bool:
    return platform.machine() in ("x86_64", "AMD64")


def native_levels() -> list[str]:
    """Those of LEVELS that this machine's CPU has, the lowest first."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return []
    found = re.search(r"(?m)^flags\s*:(.*)", text)
    has = set(found[1].split()) if found and is_x86() else set()
    there = []
    for ending, features in FEATURES.items():
        if not features <= has:
            break
        there.append(ending)
    return there


def instruction_set(source: Path) -> list[str]:
    """The flag that a file's name asks for."""
    for ending, level in LEVELS.items():
        if source.stem.endswith(ending):
            return [f"-march={level}"]
    return []


def has_level(source: Path) -> bool:
    """Whether there is the same source for a higher level."""
    files = (source.with_stem(source.stem + ending) for ending in LEVELS)
    return any(file.exists() for file in files)


def first_line_flags(source: Path) -> list[str]:
    with open(source, encoding="utf-8") as file:
        line = file.readline()
    if OVERRIDE not in line:
        return []
    return shlex.split(line.split(OVERRIDE, 1)[1].replace("*/", ""))
