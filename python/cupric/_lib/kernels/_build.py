"""Compiles what kernel libraries ship, for the host device: ``_kernels.so``.

The list of kernels is made by the code that runs at a call, so that each is found again
by its source. All kernels of a library are compiled together, so that headers are read
once; an object is kept under a hash of what it is made from, so that only what has
changed is compiled again. Archives for CUDA are written by _archive.py; that of cupric
has the built-in kernels too, so that tools/kernel_archive.py takes the list.

`device_code` is needed before the package can be imported: nothing of it is, up here.
"""

import hashlib
import importlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

__all__ = [
    "BuildError",
    "Compiler",
    "Unit",
    "build_cuda",
    "build_host",
    "device_code",
    "find_libraries",
    "folder_of",
    "is_x86",
    "listing",
    "main",
    "make_units",
    "run_measured",
    "shipped",
    "table",
]

# Flags of the libraries, by the end of their names. On x86-64 the first is for machines
# that lack AVX2, as few do: it is to be there, and not to take half of the build.
LEVELS = {
    "": ["-O2"],
    "_v3": ["-march=x86-64-v3"],
    "_v4": ["-march=x86-64-v4"],  # of libraries that ask for AVX-512
}
V3 = {"avx2", "bmi1", "bmi2", "f16c", "fma"}  # as /proc/cpuinfo has them
V4 = V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
UNIT_SIZE = 48  # kernels that are compiled together at most
LIBRARY_FLAGS = ["-shared", "-nostartfiles", "-nodefaultlibs", "-lm", "-lc", "-lgcc"]


class BuildError(Exception):
    """A kernel does not compile, or what compiles it is missing."""


def device_code(cupric, host):
    """A number of all headers that kernels include: what is compiled with others is not
    used.

    Parameters
    ----------
    cupric, host : path
        The folders of what is included as ``cupric/…``, and of the host device's own.
    """
    h = hashlib.sha256()
    for folder in map(Path, (cupric, host)):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                name = path.relative_to(folder).as_posix()
                h.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return int.from_bytes(h.digest()[:8], "little")


def run_measured(command, **kwargs):
    """Exit status, output, and the seconds of CPU of a program and its own programs."""
    with subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **kwargs,
    ) as program:
        text = program.stdout.read()
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    return program.returncode, text, used.ru_utime + used.ru_stime


# ---- the list ------------------------------------------------------------------------


def find_libraries(packages):
    """The kernel libraries of packages and modules, by importing what makes some."""
    from cupric._lib.kernels import _library

    names = []
    for package in packages:
        module = importlib.import_module(package)
        folders = [Path(p) for p in getattr(module, "__path__", [])]
        if not folders:
            names.append(package)
        for folder in folders:
            for path in sorted(folder.rglob("*.py")):
                parts = path.relative_to(folder).with_suffix("").parts
                if parts[-1] == "__init__":
                    parts = parts[:-1]
                if re.search(r"(?m)^\w+ = (\w+\.)*Library\(", path.read_text()):
                    names.append(".".join((package, *parts)))
    for name in names:
        importlib.import_module(name)
    found = [a for a in _library.libraries if a.title in names]
    return sorted(found, key=lambda a: a.title)


def shipped(library):
    """The kernels of a library that come compiled, each once."""
    found = {}
    for declared in library.declared:
        for one in declared.shipped():
            found.setdefault(one.key, one)
    return list(found.values())


def listing(libraries):
    """What comes compiled, as data: for the tool that compiles it for CUDA."""
    return [
        {
            "title": library.title,
            "source": library.source,
            "options": list(library.options),
            "kernels": [
                {"key": one.key[0], "name": one.name, "own": one.own}
                for one in shipped(library)
            ],
        }
        for library in libraries
    ]


# ---- units ---------------------------------------------------------------------------


class Unit:
    """Kernels of one library that are compiled together, for the host device."""

    def __init__(self, library, number, kernels):
        self.title = library.title + (f", part {number + 1}" if number else "")
        self.name = re.sub(r"\W", "_", f"cupric_{library.title}_{number}")
        self.entries = []  # (key, the entry's name)
        lines = library.source.splitlines(keepends=True)
        text = [line for line in lines if line.startswith("#include")]
        text += [f"namespace {self.name}_code {{\n"]
        text += [line for line in lines if not line.startswith("#include")]
        expressions = []
        for i, one in enumerate(kernels):
            own = one.own
            if not own:  # an instance of a kernel of the library's code
                entry = f"{self.name}_code::{one.name}"
                expressions.append(entry)
            else:
                head = f'extern "C" __global__ void\n{one.name}('
                assert own.count(head) == 1, one.name
                renamed = f"{one.name}_{self.name}_{i}"
                own = own.replace(head, head.replace(one.name, renamed))
                entry = f"{self.name}_code::k{i}::{renamed}"
                text += [f"namespace k{i} {{\n", own, "}\n"]
            self.entries.append((one.key, entry))
        text += ["}\n", *_checks(library, self.name)]
        self.source, self.expressions = "".join(text), expressions
        self.options, self.avx512 = library.options, library.avx512

    def code(self):
        """The C++, and the flags for its compiler."""
        from cupric import _core

        code = _core._kernel_unit(
            self.source, self.options, self.expressions, self.name
        )
        flags = shlex.split(code.split("\n", 1)[0].partition("cupric-build:")[2])
        return code, flags


def _checks(library, name):
    """C++ that fails to compile where a compiler lays structures out otherwise."""
    yield f"namespace {name}_code {{\n"
    for struct, made in library.struct.__dict__.items():
        if hasattr(made, "checks"):  # that of no template
            for line in made.checks(struct):
                yield f"{line}\n"
    yield "}\n"


def make_units(libraries):
    """Units of all that ships."""
    units = []
    for library in libraries:
        kernels = shipped(library)
        for number, at in enumerate(range(0, len(kernels), UNIT_SIZE)):
            units.append(Unit(library, number, kernels[at : at + UNIT_SIZE]))
    return units


def table(units, code):
    """The C++ of the table of kernels."""
    rows = sorted(
        (key, number, entry)
        for number, unit in enumerate(units)
        for key, entry in unit.entries
    )
    names = [unit.name for unit in units]
    lines = ['#include "abi.h"']
    lines += ["namespace cupric_host {"]
    hidden = '__attribute__((visibility("hidden")))'
    lines += [f"extern __thread cupric_place this_place {hidden};"]
    lines += [f"extern const cupric_runtime *runtime {hidden};"]
    lines += ["__thread cupric_place this_place;", "const cupric_runtime *runtime;"]
    lines += ["}", 'extern "C" {']
    lines += [f"extern cupric_module_info {name} {hidden};" for name in names]
    lines += ["static const cupric_module_info *const units[] = {"]
    lines += [f"    &{name}," for name in names]
    lines += ["};", "static const cupric_shipped kernels[] = {"]
    lines += [
        f'    {{{{{key[0]}ull, {key[1]}ull}}, {unit}, "{entry}"}},'
        for key, unit, entry in rows
    ]
    lines += ["};", 'extern __attribute__((visibility("default")))']
    lines += ["const cupric_kernels_info cupric_kernels;"]
    lines += ["const cupric_kernels_info cupric_kernels = {"]
    lines += [f"    CUPRIC_MODULE_ABI, {len(rows)}, {len(units)}, {code}ull,"]
    lines += ["    kernels, units};", "}"]
    return "\n".join(lines) + "\n"


# ---- the compiler --------------------------------------------------------------------


class Compiler:
    """The C++ compiler, ccache before it where that is there."""

    def __init__(self, include, work):
        given = os.environ.get("CXX")
        names = [given] if given else ["c++", "g++", "clang++"]
        found = [name for name in names if shutil.which(shlex.split(name)[0])]
        if not found:
            raise BuildError(f"no C++ compiler was found ({', '.join(names)})")
        self.command = shlex.split(found[0])
        self.version, _ = self.run([*self.command, "--version"])
        ccache = shutil.which("ccache")
        self.launcher = [ccache] if ccache and "ccache" not in self.command[0] else []
        self.includes = ["-I", str(include / "host"), "-I", str(include)]
        self.work, self.include = work, include
        self.seconds = {}  # of CPUs, by what was compiled
        self.code = device_code(include / "cupric", include / "host")

    @staticmethod
    def run(command, **kwargs):
        """The output of a program, and what it took."""
        status, text, seconds = run_measured(command, **kwargs)
        if status:
            raise BuildError(text)
        return text, seconds

    def name(self, *parts):
        """The hash under which something is kept."""
        parts = [self.version, self.code, *self.command, *parts]
        return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:32]

    def compile(self, title, text, flags):
        """The object of a text; compiled where it is not there."""
        target = self.work / f"{self.name(text, *flags)}.o"
        if target.exists():
            return target
        print(f"[kernels] {title}", flush=True)
        source = target.with_suffix(".cpp")
        source.write_text(text)
        command = [*self.launcher, *self.command, *flags, *self.includes]
        beside = target.with_suffix(".new")
        command += ["-c", source.name, "-o", beside.name]
        _, self.seconds[title] = self.run(command, cwd=self.work)
        source.unlink()
        os.replace(beside, target)
        return target

    def link(self, objects, target):
        """The library of objects, linked where it is not there."""
        made = self.work / f"{self.name('link', *LIBRARY_FLAGS, *objects)}.so"
        if not made.exists():
            names = [o.name for o in objects]
            command = [*self.command, *names, *LIBRARY_FLAGS, "-o", made.name]
            self.run(command, cwd=self.work)
        if not target.exists() or target.read_bytes() != made.read_bytes():
            beside = target.with_name(target.name + ".new")
            shutil.copyfile(made, beside)
            os.replace(beside, target)
            print(
                f"[kernels] {target.name}: {made.stat().st_size >> 10} KiB", flush=True
            )
        return made


def is_x86():
    return platform.machine() in ("x86_64", "AMD64")


def levels_here():
    """Those of LEVELS that this machine uses: the highest that its CPU has, and below
    AVX-512 the one that has all libraries."""
    try:
        found = re.search(r"(?m)^flags\s*:(.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    flags = set(found[1].split()) if is_x86() and found else set()
    if not flags >= V3:
        return {"": LEVELS[""] if is_x86() else []}
    return {level: LEVELS[level] for level in ("_v3", "_v4")[: 1 + (flags >= V4)]}


def build_host(libraries, folder, work, jobs, native=False):
    """Write ``_kernels.so`` and ``_kernels_v3.so``; none where nothing ships. And
    ``_kernels_v4.so``, where a library asks for it.

    Parameters
    ----------
    libraries : list of Library
    folder, work : path
        Of the result, and of what is kept for the next time.
    jobs : int
    native : bool
        Only the one that this machine's CPU uses.
    """
    import cupric as cp

    include = Path(cp.__file__).resolve().parent / "include"
    work.mkdir(parents=True, exist_ok=True)
    compiler = Compiler(include.resolve(), work.resolve())
    levels = LEVELS if is_x86() else {"": []}
    levels = levels_here() if native else levels
    units = make_units(libraries)
    of_level = {
        level: [u for u in units if u.avx512] if level == "_v4" else units
        for level in levels
    }
    levels = {level: levels[level] for level, some in of_level.items() if some}
    kept = set()
    with ThreadPoolExecutor(jobs) as pool:
        codes = list(pool.map(Unit.code, units))
        # The longest first, so that none is left alone at the end.
        order = sorted(
            zip(units, codes, strict=True), key=lambda pair: -len(pair[1][0])
        )
        running = {
            level: [
                pool.submit(compiler.compile, unit.title + level, code, flags + more)
                for unit, (code, flags) in order
                if unit in of_level[level]
            ]
            for level, more in levels.items()
        }
        for level, more in levels.items():
            flags = ["-std=c++17", "-O1", "-fPIC", *more]
            rows = table(of_level[level], compiler.code)
            last = compiler.compile(f"table{level}", rows, flags)
            objects = [*(r.result() for r in running[level]), last]
            kept |= {*objects, compiler.link(objects, folder / f"_kernels{level}.so")}
    for level in LEVELS.keys() - levels.keys():
        (folder / f"_kernels{level}.so").unlink(missing_ok=True)
    if compiler.seconds:
        times = work / "times.json"
        known = json.loads(times.read_text()) if times.exists() else {}
        times.write_text(json.dumps({**known, **compiler.seconds}, indent=0))
    for file in work.iterdir():
        if file.suffix in (".o", ".so", ".cpp", ".new") and file not in kept:
            file.unlink()


def build_cuda(libraries, folder, work, jobs, archs):
    """Write ``kernels.bin`` for the architectures `archs`, as "80;90"."""
    import cupric as cp
    from cupric._lib.kernels import _archive

    include = (Path(cp.__file__).resolve().parent / "include").resolve()
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    try:
        toolkit = _archive.Toolkit(Path(home or "/usr/local/cuda"), include)
        chosen = _archive.choose_archs(archs, toolkit)
        units = list(_archive.library_units(listing(libraries)))
        made = _archive.write(units, toolkit, chosen, work / "cuda", jobs)
    except (_archive.Missing, _archive.Failed) as e:
        raise BuildError(f"kernels for CUDA: {e}") from None
    beside = folder / "kernels.bin.new"
    shutil.copyfile(made, beside)
    os.replace(beside, folder / "kernels.bin")


def main(arguments):
    """``build PACKAGE… [--cuda ARCHS] [--into FOLDER] …``: the exit status."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="python -m cupricx.kernels",
        description="Compile the kernels that the libraries of packages ship.",
    )
    parser.add_argument("command", choices=["build"])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE")
    parser.add_argument(
        "--cuda", metavar="ARCHS", help='for CUDA too, by the toolkit: "80;90;100"'
    )
    parser.add_argument(
        "--native", action="store_true", help="for this machine's CPU alone"
    )
    parser.add_argument("--into", type=Path, help="default: beside the first package")
    parser.add_argument("--work", type=Path, help="keeps objects for the next time")
    parser.add_argument("--list", type=Path, help="write what ships as JSON")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args(arguments)
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        libraries = find_libraries(given.packages)
        folder = given.into or folder_of(given.packages[0])
        work = given.work or folder / "__pycache__" / "kernels"
        build_host(libraries, folder, work, given.jobs, given.native)
        if given.cuda:
            build_cuda(libraries, folder, work, given.jobs, given.cuda)
    except BuildError as e:
        print(e, file=sys.stderr)
        return 1
    if given.list:
        given.list.write_text(json.dumps(listing(libraries)))
    return 0


def folder_of(package):
    from cupric._lib.kernels._source import top_folder

    return top_folder(Path(sys.modules[package].__file__).resolve().parent)
