"""What comes compiled: the kernels of libraries and those of built-in operations.

`python -m cupricx.kernels` lists what kernel libraries ship and compiles it for the
host device, in the finished package: `_kernels.so`. The list and the built-in kernels
make the archive for CUDA, kernels.bin. Where nothing that these are made from has
another size or date than the last time, neither is looked at.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from . import ROOT, cuda, kernel_archive, kernel_keys, settings
from .compilers import C_FLAGS, Compilers
from .objects import stamp_of
from .package import replace_file
from .settings import BuildError

WORK = Path("build/library_kernels")
SOURCES = ["src/**/*", "cuda/**/*", "tools/*.*", "python/cupric/_lib/**/*.py"]
WRITERS = [*map(str, kernel_keys.WRITERS), "src/cuda/archive.c"]


def build(compilers: Compilers, home: Path, archs: str | None, *, native: bool) -> None:
    """Put what comes compiled into the package in the folder `home`.

    archs : of the archive, as cuda.archs() gives them; empty: there is none
    native : of what is for the host, only what this machine's CPU uses
    """
    listing = WORK / "listing.json"
    package = home / "cupric"
    outputs = [listing, *(package / f"_kernels{end}.so" for end in ("", "_v3"))]
    inputs = [*package.glob("*.so")]
    for ending in ("*.py", "*.cuh", "*.host.hpp", "*.h"):
        inputs += home.rglob(ending)
    inputs += [f for f in Path("cuda").rglob("*") if f.is_file()]
    stamp = Stamp(WORK / "stamp", [compilers.versions, *compilers.cxx, home, native])
    if not stamp.holds([*inputs, *outputs]):
        build_for_host(compilers, home, listing, native=native)
        stamp.write([*inputs, *outputs])
    if archs == "":
        return
    toolkit = (cuda.home() or ROOT).resolve()
    files = [f for pattern in SOURCES for f in Path().glob(pattern) if f.is_file()]
    files += [listing, package / "kernels.bin"]
    strict = settings.wants_werror()
    stamp = Stamp(WORK / "archive", [compilers.versions, home, toolkit, archs, strict])
    if not stamp.holds(files):
        archive = build_archive(compilers, archs, json.loads(listing.read_text()))
        if archive:
            replace_file(archive, package / "kernels.bin")
            stamp.write(files)


class Stamp:
    """Sizes and dates of files when something was last done to them."""

    def __init__(self, file: Path, others: list[object]) -> None:
        self.file, self.others = file, others

    def now(self, files: list[Path]) -> str:
        found = [(f, f.stat()) for f in sorted(set(files)) if f.exists()]
        sizes = [(f, s.st_size, s.st_mtime_ns) for f, s in found]
        return stamp_of(*self.others, *sizes)

    def holds(self, files: list[Path]) -> bool:
        return self.file.exists() and self.file.read_text() == self.now(files)

    def write(self, files: list[Path]) -> None:
        self.file.write_text(self.now(files))


def build_for_host(
    compilers: Compilers, home: Path, listing: Path, *, native: bool
) -> None:
    """What kernel libraries ship, for the host device, and the list of it."""
    command = [sys.executable, "-m", "cupricx.kernels", "build", "cupric", "cupricx"]
    command += ["--into", str(home / "cupric"), "--jobs", str(settings.jobs())]
    command += ["--native"] if native else []
    command += ["--work", str(WORK.resolve()), "--list", str(listing.resolve())]
    folders = [str(home), *filter(None, sys.path)]  # NumPy is in an isolated build's
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(folders),
        "CUPRIC_DEVICE": "host",
        "CXX": shlex.join(compilers.cxx),
    }
    if subprocess.run(command, env=environment, check=False).returncode:
        raise BuildError("the kernels of libraries were not compiled")


def build_archive(
    compilers: Compilers, archs: str | None, listing: list[dict]
) -> Path | None:
    """The archive for CUDA; None where it can't be made and need not be."""
    codegen = compilers.folder / "codegen.so"
    command = [*compilers.cc, *C_FLAGS, "-O2", "-shared", "-fPIC"]
    command += ["-Isrc", "-Icuda/include", *WRITERS, "-o", str(codegen)]
    if subprocess.run(command, check=False).returncode:
        raise BuildError("the writer of kernels did not compile")
    try:
        return kernel_archive.build(
            codegen,
            cuda.home() or ROOT,
            archs,
            Path("build/kernels"),
            settings.jobs(),
            strict=settings.wants_werror(),
            listing=listing,
        )
    except kernel_archive.Missing as e:
        if settings.cuda_archs():
            raise BuildError(f"no kernels can be compiled: {e}") from None
        print(f"cupric: {e}: kernels will be compiled when they are first used")
    except (kernel_archive.Failed, LookupError) as e:
        if settings.wants_werror():
            raise BuildError(f"compiling kernels: {e}") from None
        print(f"cupric: no kernels come compiled: {e}")
    return None
