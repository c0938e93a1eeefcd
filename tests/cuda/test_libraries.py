"""Where NVIDIA's libraries are looked for, and what is said when they are not there. It
needs no GPU: libraries.c is compiled into a program that sees a folder of the test's.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NVRTC, CUBLAS, CUFFT, CUSOLVER = range(4)
IMPORT_ERROR = -11

PROBE = """
import ctypes, os, sys
finder = ctypes.CDLL(sys.argv[1])
finder.message.restype = ctypes.c_char_p
found = finder.find(int(sys.argv[2]), int(sys.argv[3]), os.fsencode(sys.argv[4]))
print(found)
print(finder.message().decode() if found < 0 else "")
"""


def find_cuda_include():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    nvcc = shutil.which("nvcc")
    homes += [nvcc and Path(nvcc).resolve().parents[1], "/usr/local/cuda"]
    found = (Path(home, "include") for home in homes if home)
    return next((folder for folder in found if (folder / "cuda.h").exists()), None)


@pytest.fixture(scope="module")
def finder(tmp_path_factory):
    include = find_cuda_include()
    if include is None:
        pytest.skip("needs the toolkit's headers, as the CUDA device does")
    out = tmp_path_factory.mktemp("finder") / "finder.so"
    sources = ["src/cuda/libraries.c", "tests/cuda/library_finder.c", "src/status.c"]
    command = ["cc", "-std=c11", "-D_DEFAULT_SOURCE", "-shared", "-fPIC", "-pthread"]
    command += ["-Ddlopen=seen_dlopen", "-Daccess=seen_access", f"-I{ROOT}/src"]
    command += ["-isystem", str(include), *(str(ROOT / s) for s in sources)]
    subprocess.run([*command, "-ldl", "-o", str(out)], check=True)
    return out


def make_library(path, answer):
    path.parent.mkdir(parents=True, exist_ok=True)
    source = f"int answer(void) {{ return {answer}; }}\n"
    command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(path)]
    subprocess.run(command, input=source, text=True, check=True)


def look(finder, folder, which, version=13000, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CUDA_")}
    environment |= {"ONLY": str(folder)} | variables
    package = folder / "site-packages" / "cupric"
    command = [sys.executable, "-c", PROBE, finder, str(which), str(version), package]
    result = subprocess.run(
        list(map(str, command)),
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found, _, message = result.stdout.partition("\n")
    return int(found), message.strip()


@pytest.mark.parametrize("variable", ["CUDA_PATH", "CUDA_HOME"])
@pytest.mark.parametrize("below", ["lib64", "lib", "targets/x86_64-linux/lib"])
def test_found_in_a_toolkit(finder, tmp_path, variable, below):
    make_library(tmp_path / "toolkit" / below / "libcublas.so.13", 7)
    toolkit = str(tmp_path / "toolkit")
    assert look(finder, tmp_path, CUBLAS, **{variable: toolkit}) == (7, "")


WHEELS = [
    (NVRTC, 13000, "cu13", "libnvrtc.so.13"),
    (CUBLAS, 13000, "cu13", "libcublas.so.13"),
    (CUFFT, 13010, "cu13", "libcufft.so.12"),
    (CUSOLVER, 13000, "cu13", "libcusolver.so.12"),
    (NVRTC, 12080, "cuda_nvrtc", "libnvrtc.so.12"),
    (CUBLAS, 12080, "cublas", "libcublas.so.12"),
    (CUFFT, 12080, "cufft", "libcufft.so.11"),
    (CUSOLVER, 12040, "cusolver", "libcusolver.so.11"),
    (CUBLAS, 13000, "cublas", "libcublas.so.12"),  # CUDA 12's, under a newer driver
]


@pytest.mark.parametrize(("which", "version", "wheel", "file"), WHEELS)
def test_found_in_the_wheels(finder, tmp_path, which, version, wheel, file):
    """Beside the package, in site-packages/nvidia."""
    make_library(tmp_path / "site-packages" / "nvidia" / wheel / "lib" / file, 9)
    assert look(finder, tmp_path, which, version) == (9, "")


def test_newer_than_the_driver_is_not_taken(finder, tmp_path):
    lib = tmp_path / "site-packages" / "nvidia"
    make_library(lib / "cu13" / "lib" / "libcublas.so.13", 13)
    make_library(lib / "cublas" / "lib" / "libcublas.so.12", 12)
    assert look(finder, tmp_path, CUBLAS, 12080) == (12, "")
    assert look(finder, tmp_path, CUBLAS, 13000) == (13, "")


@pytest.mark.parametrize(
    ("which", "version", "package"),
    [
        (NVRTC, 13000, "pip install nvidia-cuda-nvrtc"),
        (CUBLAS, 13000, "pip install nvidia-cublas"),
        (CUFFT, 13000, "pip install nvidia-cufft"),
        (CUSOLVER, 13000, "pip install nvidia-cusolver"),
        (CUBLAS, 12080, "pip install nvidia-cublas-cu12"),
        (CUSOLVER, 12080, "pip install nvidia-cusolver-cu12"),
    ],
)
def test_absent_names_the_package(finder, tmp_path, which, version, package):
    status, message = look(finder, tmp_path, which, version)
    assert status == IMPORT_ERROR
    assert f'"{package}"' in message
    assert "CUDA_PATH" in message


def test_too_old_names_the_function(finder, tmp_path):
    folder = tmp_path / "toolkit" / "lib64"
    folder.mkdir(parents=True)
    command = ["cc", "-shared", "-x", "c", "/dev/null", "-o", "libcublas.so.13"]
    subprocess.run(command, cwd=folder, check=True)
    toolkit = str(tmp_path / "toolkit")
    status, message = look(finder, tmp_path, CUBLAS, CUDA_PATH=toolkit)
    assert status == IMPORT_ERROR
    assert message == "libcublas is too old: it has no answer"


# ---- on a GPU ------------------------------------------------------------------------

HIDE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
void *dlopen(const char *path, int mode)
{
    void *(*next)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
    return path && strstr(path, getenv("HIDE")) ? NULL : next(path, mode);
}
"""
USES = {
    "libcublas": ("from cupricx.scipy import linalg; "
                  "linalg.solve_triangular(cp.eye(99), cp.ones(99))", "nvidia-cublas"),
    "libcusolver": ("cp.linalg.inv(cp.eye(40))", "nvidia-cusolver"),
    "libcufft": ("cp.fft.fft(cp.ones(64))", "nvidia-cufft"),
    "libnvrtc": ("cp.RawKernel('extern \"C\" __global__ void f() {}', 'f')"
                 "((1,), (1,), ())", "nvidia-cuda-nvrtc"),
}  # fmt: skip


@pytest.mark.only_on("cuda")
@pytest.mark.parametrize("library", USES)
def test_import_error_on_first_use(tmp_path, library):
    """Everything but what the library is needed for goes on working."""
    statement, package = USES[library]
    program = (
        "import cupric as cp\n"
        f"try:\n    {statement}\n    print('worked')\n"
        "except ImportError as e:\n    print(e)\n"
        "print(float((cp.arange(10.0) + 1).sum()))\n"
    )
    hide = tmp_path / "hide.so"
    command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-ldl", "-o", str(hide)]
    subprocess.run(command, input=HIDE, text=True, check=True)
    environment = dict(os.environ, LD_PRELOAD=str(hide), HIDE=library)
    environment["CUPRIC_DEVICE"] = "cuda"
    environment["CUPRIC_CACHE_DIR"] = str(tmp_path / "cache")
    result = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    said, total = result.stdout.splitlines()
    assert f"pip install {package}" in said
    assert total == "55.0"
