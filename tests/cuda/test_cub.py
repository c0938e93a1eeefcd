"""_cub.so: what it exports, and that it says so where it cannot work."""

import ctypes
import re
from pathlib import Path

import pytest

import cupric

LIBRARY = Path(cupric.__file__).parent / "_cub.so"

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="built without nvcc")


class Table(ctypes.Structure):
    _fields_ = (
        ("abi", ctypes.c_int),
        ("sort", ctypes.c_void_p),
        ("error_name", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_int)),
        ("works", ctypes.CFUNCTYPE(ctypes.c_int)),
    )


def open_table():
    library = ctypes.CDLL(str(LIBRARY))
    library.cupric_cub.restype = ctypes.POINTER(Table)
    return library.cupric_cub().contents


def test_table():
    header = (Path(__file__).parents[2] / "cuda/cub/cub.h").read_text()
    table = open_table()
    assert table.abi == int(re.search(r"define CUPRIC_CUB_ABI (\d+)", header)[1])
    assert table.error_name(2) == b"cudaErrorMemoryAllocation"


def test_it_does_not_work_without_a_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        assert open_table().works() == 0


@pytest.mark.only_on("cuda")
def test_it_is_used():
    cupric.sort(cupric.arange(2**18 + 1, dtype="float32"))
    assert open_table().works() == 1
    assert "_cub.so" in Path("/proc/self/maps").read_text()
