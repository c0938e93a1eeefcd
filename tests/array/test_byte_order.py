"""Elements of foreign byte order are turned round on the way in."""

import io

import numpy as np
import pytest

import cupric as cp
from cupric._creation import _foreign as foreign

DTYPES = ["?", "i1", ">i2", ">u2", ">i4", ">u4", ">i8", ">u8", ">f2", ">f4", ">f8"]
DTYPES += [">c8", ">c16", ">M8[s]", ">m8[ms]"]
STRUCTURE = np.dtype([("a", ">i4"), ("s", [("x", "<f8"), ("y", ">2u2")])])


@pytest.mark.parametrize("make", [cp.array, cp.asarray, cp.asanyarray])
@pytest.mark.parametrize("dtype", DTYPES)
def test_turned(device, make, dtype):
    x = np.arange(6).astype(dtype).reshape(2, 3)
    for source in (x, x.T, x[:, ::-1], x[:0], x[0, 1]):
        got = make(source)
        assert got.dtype == source.dtype.newbyteorder("=")
        np.testing.assert_array_equal(got.get(), source)


def test_fields_turned(device):
    x = np.zeros(3, STRUCTURE)
    x["a"], x["s"]["x"], x["s"]["y"] = [1, 2, 3], 2.5, [[1, 2], [3, 4], [5, 6]]
    got = cp.asarray(x)
    assert got.dtype == STRUCTURE.newbyteorder("=")
    assert str(got.get()) == str(x)


def test_to_another_dtype(device):
    x = np.arange(4).astype(">i8")
    np.testing.assert_array_equal(cp.asarray(x, dtype="f4").get(), x.astype("f4"))
    np.testing.assert_array_equal(cp.asarray([x, x]).get(), [x, x])


def test_arrays_are_native(device):
    with pytest.raises(TypeError, match="native byte order"):
        cp.zeros(3, ">f8")


@pytest.mark.parametrize("dtype", [">i4", ">f8", ">c8", ">M8[s]", STRUCTURE])
def test_files_and_buffers(device, dtype, tmp_path):
    x = np.frombuffer(bytes(range(48)) * 8, dtype)
    path = tmp_path / "swapped.bin"
    path.write_bytes(x.tobytes())
    f = io.BytesIO()
    np.save(f, x)
    f.seek(0)
    for got in (
        cp.frombuffer(x.tobytes(), dtype),
        cp.fromfile(str(path), dtype),
        cp.load(f),
    ):
        assert got.dtype == x.dtype.newbyteorder("=")
        assert str(got.get()) == str(x)


def test_device_memory_of_foreign_order_is_refused(device):
    class Foreign:
        def __init__(self, x):
            self.__cuda_array_interface__ = {
                "shape": x.shape,
                "typestr": ">f8",
                "data": (x.data.ptr, False),
                "version": 3,
            }

    with pytest.raises(TypeError, match="native byte order"):
        foreign.from_foreign(Foreign(cp.ones(3)))
