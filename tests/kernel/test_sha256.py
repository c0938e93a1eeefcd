"""SHA-256 of src/kernel/sha256.c, in C and by the processor's instructions."""

import ctypes
import hashlib
import subprocess
from pathlib import Path

import numpy as np
import pytest

SRC = Path(__file__).resolve().parents[2] / "src"

pytestmark = pytest.mark.skipif(not SRC.is_dir(), reason="the sources are not here")


@pytest.fixture(
    scope="module", params=["-D_DEFAULT_SOURCE", "-DCUPRIC_SHA256_PORTABLE"]
)
def library(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("sha256") / "sha256.so"
    command = ["cc", "-std=c11", "-O1", "-shared", "-fPIC", f"-I{SRC}", request.param]
    subprocess.run([*command, SRC / "kernel/sha256.c", "-o", path], check=True)
    return ctypes.CDLL(str(path))


def digest(library, parts):
    state = ctypes.create_string_buffer(256)
    found = ctypes.create_string_buffer(32)
    library.cu_sha256_init(state)
    for part in parts:
        library.cu_sha256_update(state, part, ctypes.c_size_t(len(part)))
    library.cu_sha256_finish(state, found)
    return found.raw


def test_every_length_and_cut(library):
    data = np.random.default_rng(1).bytes(100_000)
    for n in (*range(200), 4095, 4096, 99_999):
        expected = hashlib.sha256(data[:n]).digest()
        for cut in {0, n // 3, min(n, 64), n}:
            assert digest(library, [data[:cut], data[cut:n]]) == expected
