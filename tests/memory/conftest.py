"""The core's C files built alone, beside a device that works later, as a GPU does.

`run(code)` runs Python over them by ctypes in a process of its own. The device is
late_backend.c's, whose streams finish when the test says so.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
HERE = Path(__file__).parent

CC = os.environ.get("CC", "cc").split()
HARNESS = """
import ctypes, os, sys
folder = sys.argv[1]
core = ctypes.CDLL(os.path.join(folder, "core.so"))
core.cu_error_message.restype = ctypes.c_char_p
core.cu_stream_current.restype = ctypes.c_void_p

class Storage(ctypes.Structure):
    _fields_ = [("refcount", ctypes.c_int), ("escaped", ctypes.c_bool),
                ("device", ctypes.c_void_p), ("ptr", ctypes.c_void_p)]

def pointer(function, *args):
    out = ctypes.c_void_p()
    status = function(*args, ctypes.byref(out))
    if status:
        raise RuntimeError(core.cu_error_message().decode())
    return out

def alloc(device, nbytes, stream=None):
    pool = pointer(core.cu_pool_default, device)
    stream = stream or ctypes.c_void_p(core.cu_stream_current(device))
    return pointer(core.cu_pool_alloc, pool, ctypes.c_size_t(nbytes), stream)

def address(storage):
    return ctypes.cast(storage, ctypes.POINTER(Storage)).contents.ptr

def free(storage):
    core.cu_storage_free(storage)

def stream(device):
    return pointer(core.cu_stream_new, device, 0, 0)

device = pointer(core.cu_device_get, 0)
late = ctypes.CDLL(os.path.join(folder, "_cuda.so"))
def count(name):
    return ctypes.c_int.in_dll(late, "late_" + name).value
def set_busy(value):
    ctypes.c_int.in_dll(late, "late_busy").value = value
MIB = 1 << 20

def begin(stream):
    return pointer(core.cu_capture_begin, stream)

def end(capture):
    core.cu_capture_end(capture)

def total(device):
    stats = (ctypes.c_size_t * 4)()
    core.cu_pool_get_stats(pointer(core.cu_pool_default, device), stats)
    return stats[1]
"""


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    if shutil.which(CC[0]) is None or not SRC.is_dir():
        pytest.skip("needs a C compiler and the source tree")
    folder = tmp_path_factory.mktemp("late")
    flags = ["-std=c11", "-D_DEFAULT_SOURCE", "-g", "-fPIC", "-shared", f"-I{SRC}"]
    core = [
        f for f in [*SRC.glob("*.c"), *SRC.glob("device/*.c"), *SRC.glob("memory/*.c")]
    ]
    core = [f for f in core if not f.name.startswith("py_") and f.name != "module.c"]
    backend = HERE / "late_backend.c"
    for name, sources, extra in (
        ("core.so", core, []),
        ("_cuda.so", [backend], []),
        ("_host.so", [backend], ["-DLATE_HOST"]),
    ):
        command = [*CC, *flags, *extra, *map(str, sources), "-o", str(folder / name)]
        subprocess.run([*command, "-ldl", "-lpthread"], check=True)
    return folder


@pytest.fixture
def run(build):
    def run(code, **env):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("CUPRIC_")}
        clean.pop("LD_PRELOAD", None)
        result = subprocess.run(
            [sys.executable, "-c", HARNESS + code, str(build)],
            capture_output=True,
            text=True,
            env={**clean, **env},
            check=False,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.split()

    return run
