"""CUDA's toolkit, where there is one.

Its headers are all that `_cuda.so` needs: nothing of CUDA is linked. nvcc compiles
`_cub.so`, with the runtime library linked in, as machines have a driver and not always
the toolkit.
"""

import functools
import os
import re
import shutil
import subprocess
from pathlib import Path

from . import settings
from .objects import output_of

USUAL_ARCHS = (80, 90, 100)
NVCC_AT_LEAST = (12, 4)  # whose CUB sorts keys of one's own


@functools.cache
def home() -> Path | None:
    """The toolkit's folder."""
    return _found()[0]


@functools.cache
def include() -> Path | None:
    """The folder of its cuda.h."""
    return _found()[1]


@functools.cache
def _found() -> tuple[Path, Path] | tuple[None, None]:
    if not settings.wants_cuda():
        return None, None
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    program = shutil.which("nvcc")
    homes += [str(Path(program).resolve().parents[1])] if program else []
    for name in filter(None, [*homes, "/usr/local/cuda"]):
        for folder in (Path(name, "include"), *Path(name).glob("targets/*/include")):
            if (folder / "cuda.h").is_file():
                return Path(name), folder
    return None, None


@functools.cache
def nvcc() -> str | None:
    """The CUDA compiler; None also where its CUB sorts no keys but numbers."""
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    found = [os.path.join(name, "bin", "nvcc") for name in homes if name]
    found += [shutil.which("nvcc") or "", "/usr/local/cuda/bin/nvcc"]
    for program in filter(None, found):
        if os.access(program, os.X_OK):
            version = re.search(r"release (\d+)\.(\d+)", nvcc_version(program))
            usable = version and tuple(map(int, version.groups())) >= NVCC_AT_LEAST
            return program if usable and include() else None
    return None


@functools.cache
def nvcc_version(program: str) -> str:
    return output_of(program, "--version")


def nvcc_command(archs: str | None) -> list[str]:
    """Code for each of the architectures `archs` ("80;90", None: the usual ones) that
    the compiler knows, and for GPUs after the last the last one's PTX."""
    program = nvcc() or ""
    known = re.findall(r"compute_(\w+)", output_of(program, "--list-gpu-arch"))
    wanted = map(str, USUAL_ARCHS) if archs is None else re.findall(r"\w+", archs)
    chosen = [arch for arch in wanted if arch in known] or known[:1]
    codes = [f"arch=compute_{a},code=sm_{a}" for a in chosen]
    codes.append(f"arch=compute_{chosen[-1]},code=compute_{chosen[-1]}")
    command = [program, "-std=c++17", "-O3", "-Xcompiler=-fPIC,-fvisibility=hidden"]
    command += ["-Wno-deprecated-gpu-targets"]
    if "--compress-mode" in output_of(program, "--help"):
        command += ["--compress-mode=size"]  # two thirds of it in a wheel
    return command + [flag for code in codes for flag in ("-gencode", code)]


def runtime() -> list[str]:
    """What links the runtime library in."""
    folders = [Path(include() or "").parent / "lib"]
    folders += [Path(nvcc() or "").parents[1] / "lib64"]
    return [*(f"-L{folder}" for folder in folders), "-lcudart_static", "-lrt"]


@functools.cache
def archs() -> str | None:
    """The architectures that device code is compiled for, as "80;90"; empty: none;
    None: the usual ones. Where nothing was said, those of this machine's GPUs: to
    compile for others takes minutes each, and serves wheels alone."""
    if not include():
        return ""
    wanted = settings.cuda_archs()
    if wanted is None:
        return archs_here()
    return None if wanted.strip() == "all" else wanted


def plan() -> str:
    """What a build makes for CUDA, in words for its user."""
    if not include():
        off = not settings.wants_cuda()
        why = "CUPRIC_CUDA=0" if off else "no toolkit: CUDA_HOME names its folder"
        return f"no CUDA device ({why})"
    text, chosen = f"a CUDA device, by the toolkit in {home()}", archs()
    if chosen == "" or not settings.wants_kernels():
        hint = "" if settings.cuda_archs() == "" else "; CUPRIC_CUDA_ARCHS names others"
        hint = hint if settings.wants_kernels() else ""
        return f"{text}; its kernels are compiled when they are first used{hint}"
    several = "s" if ";" in (chosen or "") else ""
    names = "all architectures"
    names = names if chosen is None else f"architecture{several} {chosen}"
    return f"{text}; its kernels are compiled now for {names}, which takes some minutes"


def archs_here() -> str:
    """Those of the GPUs of this machine, as CUPRIC_CUDA_ARCHS names them."""
    command = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.findall(r"^(\d+)\.(\d)$", done.stdout, re.M)
    return ";".join(sorted({major + minor for major, minor in found}))
