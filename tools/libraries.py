"""The shared libraries of the package: their sources, flags and symbols.

`_core` is an extension module; `_host.so` and `_cuda.so` are devices, which it opens
with dlopen; `_cub.so` is opened by `_cuda.so`. Each exports one symbol.
"""

from pathlib import Path

from . import ROOT, cuda, part_of_package, settings
from .compilers import Compilers, first_line_flags, instruction_set, is_x86
from .objects import Compilation, compile_all, link

EXPORTS = {
    "cupric._core": "PyInit__core",
    "cupric._host": "cupric_backend",
    "cupric._cuda": "cupric_backend",
    "cupric._cub": "cupric_cub",
}
INCLUDES = ["-Isrc", "-Icuda/include"]
LIBS = ["-ldl", "-lm"]

# The devices' files that look for compiled kernels: those of other device code than the
# library was built with are not used.
ASKS_FOR_ARCHIVE = Path("src/cuda/binaries.c")
ASKS_FOR_KERNELS = Path("src/host/shipped.c")


def sources(archs: str | None) -> dict[str, list[Path]]:
    """What each library is made from, where it can be: names with their files."""
    core = [f for f in Path("src").rglob("*.c") if f.parts[1] not in ("host", "cuda")]
    found = {"cupric._core": core, "cupric._host": device_sources("host")}
    if cuda.include():
        found["cupric._cuda"] = device_sources("cuda")
    if archs != "" and cuda.nvcc():
        found["cupric._cub"] = list(Path("cuda/cub").glob("*.cu"))
    return {name: sorted(files) for name, files in found.items() if files}


def device_sources(name: str) -> list[Path]:
    """All; of another instruction set only on a machine of that kind."""
    folder = Path("src") / name
    files = [*folder.rglob("*.c"), *folder.rglob("*.cpp")]
    return [f for f in files if is_x86() or not instruction_set(f)]


def build(compilers: Compilers, archs: str | None) -> dict[str, Path]:
    """Bring all libraries up to date: name and file of each, in a folder of objects.

    archs : of `_cub.so`, as cuda.archs() gives them
    """
    wanted = {
        name: [
            compilation(compilers, file, archs)
            for file in files
            if not compilers.levels or not instruction_set(file)
        ]
        for name, files in sources(archs).items()
    }
    every = [c for group in wanted.values() for c in group]
    compile_all(every, compilers.folder, cuda.plan)
    made = {}
    for name, group in wanted.items():
        target = compilers.folder / (name.rpartition(".")[2] + ".so")
        objects = [c.object for c in group]
        suffixes = {c.source.suffix for c in group}
        command = compilers.link(objects, EXPORTS[name], cxx=suffixes != {".c"})
        command += cuda.runtime() if ".cu" in suffixes else []
        command += [*LIBS, *settings.flags("LDFLAGS")]
        link(command, objects, compilers.versions, target)
        made[name] = target
    return made


def compilation(compilers: Compilers, source: Path, archs: str | None) -> Compilation:
    """How a source is compiled."""
    versions, werror = compilers.versions, "-Werror"
    # A build for this CPU alone and one for all take turns without compiling anew.
    end = ".native.o" if is_native(compilers, source) else ".o"
    if source.suffix == ".cu":
        command = [*cuda.nvcc_command(archs), "-Icuda/include"]
        versions += cuda.nvcc_version(command[0])
        werror = "-Werror=all-warnings"
    else:
        command = host_command(compilers, source)
    return Compilation(
        source,
        compilers.folder / source.parent / (source.name + end),
        tuple(compilers.launcher),
        tuple(command),
        werror,
        versions,
    )


def is_native(compilers: Compilers, source: Path) -> bool:
    """Whether a source is compiled for this machine's CPU alone."""
    return source.parts[1] == "host" and bool(compilers.levels)


def host_command(compilers: Compilers, source: Path) -> list[str]:
    command = [*compilers.compile(source), *INCLUDES]
    if source.name.startswith("py_") or source == Path("src/module.c"):
        command += compilers.python
    if source.parts[1] == "cuda":
        command += ["-isystem", str(cuda.include()), "-Icuda"]
    if source == ASKS_FOR_ARCHIVE:
        code = part_of_package("cupric/_lib/kernels/_archive.py").device_code(
            ROOT / "cuda/include"
        )
        command += [f"-DCUPRIC_DEVICE_CODE={code:#x}ull"]
    if source == ASKS_FOR_KERNELS:
        code = part_of_package("cupric/_lib/kernels/_build.py").device_code(
            "cuda/include/cupric", "cuda/host"
        )
        command += [f"-DCUPRIC_DEVICE_CODE={code:#x}ull"]
    if is_native(compilers, source):
        command += [f"-DCUPRIC_HOST_NATIVE={compilers.levels[-1].lstrip('_v')}"]
    language = "CXXFLAGS" if source.suffix == ".cpp" else "CFLAGS"
    command += settings.flags("CPPFLAGS", language)
    return command + first_line_flags(compilers.newest(source))
