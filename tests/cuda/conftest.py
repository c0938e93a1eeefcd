"""Programs that use the CUDA device on machines that lack something."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupric

from ..empty_libraries import make_empty

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(cupric.__file__).parent

sys.path.insert(0, str(ROOT))
from tools import kernel_archive, kernel_keys, launches  # noqa: E402


@pytest.fixture(scope="session")
def codegen(tmp_path_factory):
    """The code that writes sources and reads archives, which needs no device."""
    path = tmp_path_factory.mktemp("codegen") / "codegen.so"
    sources = [*kernel_keys.WRITERS, ROOT / "src/cuda/archive.c"]
    command = ["cc", "-std=c11", "-D_DEFAULT_SOURCE", "-shared", "-fPIC"]
    command += [f"-I{ROOT}/src", f"-I{ROOT}/cuda/include", *map(str, sources)]
    subprocess.run([*command, "-o", str(path)], check=True)
    library = ctypes.CDLL(str(path))
    library.cu_cuda_row_get.restype = ctypes.POINTER(kernel_keys.Row)
    library.cu_cuda_skips.restype = ctypes.c_bool
    return library


@pytest.fixture(scope="session")
def code():
    return kernel_archive.device_code()


@pytest.fixture(scope="session")
def archive_file(code):
    """The kernels that came compiled, of this tree."""
    archive = PACKAGE / "kernels.bin"
    if not archive.exists():
        pytest.skip("built without kernels, which `make kernels` makes")
    if int.from_bytes(archive.read_bytes()[16:24], "little") != code:
        pytest.skip("the kernels were built for other device code")
    return archive


@pytest.fixture
def has_cuda(archive_file):
    if not (PACKAGE / "_cuda.so").exists():
        pytest.skip("built without the CUDA device")


@pytest.fixture(scope="session")
def hide(tmp_path_factory, device):
    """hide(*libraries): a folder for LD_LIBRARY_PATH in which they are empty. On other
    devices than cuda it has a driver, too, which does nothing."""
    folders = {}

    def make(*libraries):
        if libraries not in folders:
            folder = folders[libraries] = tmp_path_factory.mktemp("hidden")
            make_empty(folder, libraries)
            if device != "cuda":
                launches.fake_driver(folder)
        return folders[libraries]

    return make


@pytest.fixture
def run(hide, tmp_path):
    """run(program, *hidden, **environment): how a program ended on the CUDA device with
    those libraries hidden, and its cache in tmp_path/cache."""

    def run(program, *hidden, **environment):
        path = f"{hide(*hidden)}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        given = {
            "CUPRIC_CACHE_DIR": str(tmp_path / "cache"),
            "CUPRIC_DEVICE": "cuda",
            "LD_LIBRARY_PATH": path,
        }
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | given | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-6000:]
        return done

    return run
